//! Tests TMA loads for every number of stages and trips, under many seeds, against the interpreter.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use libtest_mimic::Trial;
use tile_backend::internals::Tool;
use tile_backend::session::{HostMaps, KernelOptions, ScheduleOptions};
use tile_backend::target::Arch;

use super::machine::compile_with_options;
use super::support::{check_trips, local_trial, options};
use super::{export, file, trial};

/// Files whose last argument is the number of trips.
const FILES: [&str; 2] = ["pipeline/trips.mlir", "pipeline/in_loop.mlir"];

const STAGES: std::ops::RangeInclusive<u32> = 2..=6;
const MAX_TRIPS: u64 = 9;
const SEEDS: u64 = 20;

pub(crate) fn trials(root: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    for name in FILES {
        for stages in STAGES {
            let path = root.join(name);
            let name = format!("tma/stages_{stages}/{name}");
            trials.push(trial(name, move || run(&path, stages)));
        }
    }
    let (path, tool) = (root.join(FILES[0]), disassembler());
    let is_missing = tool.is_none();
    let run = move || is_one_thread(&path, tool.as_deref());
    let trial = local_trial("tma/machine_code", run);
    trials.push(trial.with_ignored_flag(is_missing));
    trials
}

/// Returns `nvdisasm`, which is next to `ptxas` after `cargo xtask setup`.
fn disassembler() -> Option<PathBuf> {
    let actual = Tool::Ptxas.find().ok()?.with_file_name("nvdisasm");
    actual.exists().then_some(actual)
}

/// Checks that the machine code has TMA loads, and no copies by all threads.
fn is_one_thread(path: &Path, tool: Option<&Path>) -> Result<(), String> {
    let (runnable, _, _) = file::runnable(path)?;
    let tool = tool.ok_or("there is no `nvdisasm`: run `cargo xtask setup`")?;
    let artifact = compile_with_options(&runnable.module, Arch::SM_90A, kernel_options(3))?;
    let (_, cubin) = &artifact.cubins[0];
    let file = env::temp_dir().join(format!("tile-tensors-{}.cubin", std::process::id()));
    fs::write(&file, cubin).map_err(|error| error.to_string())?;
    let output = Command::new(tool).arg("-c").arg(&file).output();
    let _removed = fs::remove_file(&file);
    let output = output.map_err(|error| error.to_string())?;
    let code = String::from_utf8_lossy(&output.stdout);
    let count = |mnemonic: &str| code.matches(mnemonic).count();
    // Each of the two tiles is loaded for two stages before the loop, and once in the loop.
    if count("UTMALDG.2D") != 6 || count("LDGSTS") > 0 || count("SYNCS") == 0 {
        return Err(format!("not copies of two tensors:\n{code}"));
    }
    Ok(())
}

fn kernel_options(stages: u32) -> KernelOptions {
    let schedule = ScheduleOptions {
        num_warps: Some(4),
        stages: Some(stages),
        ..ScheduleOptions::default()
    };
    options(schedule, HostMaps::Encoded)
}

fn run(path: &Path, stages: u32) -> Result<(), String> {
    let (mut runnable, _, tolerance) = file::runnable(path)?;
    let artifact = compile_with_options(&runnable.module, Arch::SM_90A, kernel_options(stages))?;
    let (_, ptx) = &artifact.ptx[0];
    if ptx.matches("mbarrier.init").count() != stages as usize {
        return Err(format!("there are not {stages} stages in\n{ptx}"));
    }
    let trips = export::sample(0..=MAX_TRIPS);
    let seeds = |_| super::seeds(SEEDS);
    check_trips(&artifact, &mut runnable, tolerance, trips, seeds).map(drop)
}

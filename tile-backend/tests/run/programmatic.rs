//! Tests programmatic dependent launch: kernels that may start before the previous one in the stream has ended.
//!
//! The simulator runs one launch, in which the wait has no effect. So results, and what precedes the wait, are
//! checked; the verifier checks every path, and `gpu_mutations` deletes the wait from every kernel.

use std::path::Path;

use libtest_mimic::Trial;
use tile_backend::session::{ClusterSplit, HostMaps, KernelOptions, Persistence, ScheduleOptions};
use tile_backend::target::Arch;

use super::compare::Expected;
use super::machine::compile_with_options;
use super::support::{local_trial, options};
use super::{file, trial};

/// An elementwise kernel, matmuls with and without TMA, TMA stores, a reduction, and a kernel whose blocks acquire
/// memory of their own.
const FILES: [&str; 8] = [
    "first.mlir",
    "matmul/half_f16.mlir",
    "matmul/steps_f32.mlir",
    "mma/loop_f16.mlir",
    "pipeline/trips.mlir",
    "tma/store_bf16.mlir",
    "reduce/softmax.mlir",
    "memory/alloca_global.mlir",
];

const WAIT: &str = "griddepcontrol.wait;";
const SIGNAL: &str = "griddepcontrol.launch_dependents;";

pub(crate) fn trials(root: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    for name in FILES {
        let path = root.join(name);
        trials.push(trial(format!("programmatic/{name}"), move || run(&path)));
        for arch in [Arch::SM_90A, Arch::SM_100A] {
            let path = root.join(name);
            let name = format!("programmatic/{arch}/{name}");
            trials.push(local_trial(&name, move || waits_first(&path, arch)));
        }
        let path = root.join(name);
        let name = format!("programmatic/before_sm_90/{name}");
        trials.push(local_trial(&name, move || has_no_effect(&path)));
    }
    trials
}

fn kernel_options(num_warps: Option<u32>, programmatic_launch: Option<u32>) -> KernelOptions {
    let schedule = ScheduleOptions {
        num_warps,
        programmatic_launch,
        ..ScheduleOptions::default()
    };
    KernelOptions {
        persistence: Persistence::Auto,
        cluster_split: ClusterSplit::Auto,
        ..options(schedule, HostMaps::Encoded)
    }
}

/// Compares the results with those of the interpreter.
fn run(path: &Path) -> Result<(), String> {
    let (runnable, warps, tolerance) = file::runnable(path)?;
    let options = kernel_options(warps, Some(1));
    let artifact = compile_with_options(&runnable.module, Arch::SM_90A, options)?;
    let expected = Expected::new(&runnable, tolerance);
    expected.check(&artifact, &runnable).map(drop)
}

/// Checks what precedes the wait, and that ptxas accepts the code.
fn waits_first(path: &Path, arch: Arch) -> Result<(), String> {
    let (runnable, warps, _) = file::runnable(path)?;
    let compile = |programmatic| {
        let options = kernel_options(warps, programmatic);
        compile_with_options(&runnable.module, arch, options)
    };
    let artifact = compile(Some(1))?;
    let (_, ptx) = &artifact.ptx[0];
    let launch = &artifact.manifest.launches[0];
    let (before, after) = ptx.split_once(WAIT).ok_or("there is no wait")?;
    let accesses = [
        "ld.global",
        "st.global",
        "\tred.",
        "\tatom.",
        "cp.async",
        "cp.reduce",
    ];
    // Blocks acquire their own memory before.
    let has_own_memory = ptx.contains("_arena");
    let early = accesses.iter().find(|access| before.contains(**access));
    if let Some(access) = early.filter(|_| !has_own_memory) {
        return Err(format!("`{access}` precedes the wait in\n{ptx}"));
    }
    let is_once = !after.contains(WAIT) && ptx.matches(SIGNAL).count() == 1;
    if !is_once || ptx.contains("ld.global.nc") || !launch.programmatic {
        return Err(format!("{launch:?}\n{ptx}"));
    }
    let artifact = compile(None)?;
    let (_, ptx) = &artifact.ptx[0];
    if ptx.contains("griddepcontrol") || artifact.manifest.launches[0].programmatic {
        return Err(format!("nobody asked for the wait in\n{ptx}"));
    }
    Ok(())
}

/// Checks that the option changes nothing for an architecture without the instructions.
fn has_no_effect(path: &Path) -> Result<(), String> {
    let (runnable, warps, _) = file::runnable(path)?;
    let compile = |programmatic| {
        let options = kernel_options(warps, programmatic);
        compile_with_options(&runnable.module, Arch::SM_89, options)
    };
    let (with, without) = (compile(Some(1))?, compile(None)?);
    if with.ptx != without.ptx || with.manifest != without.manifest {
        return Err("the code differs".to_owned());
    }
    Ok(())
}

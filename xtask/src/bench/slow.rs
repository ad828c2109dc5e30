//! Which kernels take long to compile, and whether the compiler says so.
//!
//! In: every file of Tile IR of the repository, kernels with tiles so large that hardly anybody writes them
//! ([`super::large`]), and files that are named. Out: those that take `tilec build` more than a limit of a
//! processor, with the remark `R0801` that it gives; one without fails. What the compiler refuses is counted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::compile::{Run, time};
use super::corpus::{self, Profile};
use super::large;
use crate::workspace;

/// Folders of the repository with kernels.
const FOLDERS: [&str; 4] = [
    "tile-backend/tests",
    "tile-core/tests/corpus",
    "benches",
    "xtask/src/bench/streams",
];

/// What starts a line of a remark on the time.
const REMARK: &str = "remark[R0801]: ";

/// Compiles all for each architecture; `limit` is in seconds.
pub(super) fn run(limit: f64, archs: &[String], filter: &str, others: &[PathBuf]) -> Result<()> {
    let tilec = corpus::tilec(Profile::Release)?;
    let folder = tempfile::tempdir().context("could not make a temporary folder")?;
    let mut files = Vec::new();
    for kernel in large::kernels() {
        let path = folder.path().join(format!("{}.mlir", kernel.name));
        fs::write(&path, kernel.text).context("could not write a kernel")?;
        files.push(path);
    }
    for own in FOLDERS {
        kernels(&workspace::root().join(own), &mut files)?;
    }
    for other in others {
        kernels(other, &mut files)?;
    }
    files.retain(|file| file.to_string_lossy().contains(filter));
    let (mut compiled, mut refused, mut silent) = (0, 0, 0);
    let mut slow = Vec::new();
    for file in &files {
        for arch in archs {
            let Some(run) = build(&tilec, file, arch, limit)? else {
                refused += 1;
                continue;
            };
            compiled += 1;
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let said = run.remark.unwrap_or_else(|| "no remark".to_owned());
            if run.time.cpu > limit * 1e3 {
                silent += usize::from(said == "no remark");
                let line = format!("{:.1} s {arch} {name}: {said}", run.time.cpu / 1e3);
                println!("bench: {line}");
                slow.push((run.time.cpu, line));
            }
        }
    }
    slow.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    println!("\nslowest first:");
    for (_, line) in &slow {
        println!("{line}");
    }
    println!(
        "\n{compiled} compilations, {refused} refused; {} took more than {limit} s of a processor",
        slow.len()
    );
    if silent > 0 {
        bail!("{silent} of these gave no remark that says why");
    }
    Ok(())
}

/// One compilation.
struct Built {
    time: Run,
    /// The message of the remark on its time.
    remark: Option<String>,
}

/// `None` if the file is refused, as for want of shared memory.
fn build(tilec: &Path, file: &Path, arch: &str, limit: f64) -> Result<Option<Built>> {
    let mut command = Command::new(tilec);
    command.arg("build").arg(file).arg("--gpu-name").arg(arch);
    command.args(["--emit=ptx", "-o", "/dev/null"]);
    // What the process does besides, such as reading its file, is no stage: the remark must come before.
    command.env("TILE_SLOW", format!("{}", 0.9 * limit));
    let Ok(time) = time(&mut command) else {
        return Ok(None);
    };
    let said = time.said.lines().find_map(|line| line.split_once(REMARK));
    let remark = said.map(|(place, message)| {
        let place = place.rsplit('/').next().unwrap_or_default();
        format!("{place}{message}")
    });
    Ok(Some(Built { time, remark }))
}

/// Adds the kernels of a folder and those below, in order; of one file, itself.
fn kernels(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_dir() {
        let failed = || format!("could not read {}", path.display());
        let entries = fs::read_dir(path).with_context(failed)?;
        let mut inner = Vec::new();
        for entry in entries {
            inner.push(entry.with_context(failed)?.path());
        }
        inner.sort();
        return inner.iter().try_for_each(|path| kernels(path, files));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    // Of the corpus there is each kernel in every version.
    let is_bytecode = name
        .strip_suffix(".tilebc")
        .is_some_and(|stem| !stem.contains(".13.") || stem.ends_with(corpus::VERSION));
    if name.ends_with(".mlir") || is_bytecode {
        files.push(path.to_owned());
    }
    Ok(())
}

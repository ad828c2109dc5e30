//! Lists kernels with long compile times, and checks that the compiler prints a remark for each.
//!
//! Compiles all Tile IR files of the repository, kernels with exceptionally large tiles
//! ([`super::large`]), and given files. Lists those for which `tilec build` takes more CPU time
//! than a limit, with the remark `R0801`; fails if the remark is missing for one of them. Kernels
//! that the compiler refuses are counted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::compile::{Run, time};
use super::corpus::{self, Profile};
use super::large;
use crate::workspace;

/// Folders of the repository with kernels.
pub(crate) const FOLDERS: [&str; 4] = [
    "tile-backend/tests",
    "tile-core/tests/corpus",
    "benches",
    "xtask/src/bench/memory_bound",
];

/// The prefix of a remark on compile time.
const REMARK: &str = "remark[R0801]: ";

/// Compiles all kernels for each architecture; `limit` is in seconds.
pub(super) fn run(limit: f64, archs: &[String], filter: &str, others: &[PathBuf]) -> Result<()> {
    let tilec = corpus::tilec(Profile::Release)?;
    let folder = tempfile::tempdir().context("could not make a temporary folder")?;
    let mut files = Vec::new();
    for kernel in large::kernels() {
        let path = folder.path().join(format!("{}.mlir", kernel.name));
        fs::write(&path, kernel.text).context("could not write a kernel")?;
        files.push(path);
    }
    for folder_name in FOLDERS {
        kernels(&workspace::root().join(folder_name), &mut files)?;
    }
    for other in others {
        kernels(other, &mut files)?;
    }
    files.retain(|file| file.to_string_lossy().contains(filter));
    let (mut compiled, mut refused, mut silent) = (0, 0, 0);
    let mut slow = Vec::new();
    for file in &files {
        for arch in archs {
            let Some(run) = build(&tilec, file, arch, limit) else {
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

/// A compiled kernel.
struct Built {
    time: Run,
    /// The message of the remark on its compile time.
    remark: Option<String>,
}

/// Compiles a file. Returns `None` if the compiler refuses it, for example because it needs too
/// much shared memory.
fn build(tilec: &Path, file: &Path, arch: &str, limit: f64) -> Option<Built> {
    let mut command = Command::new(tilec);
    command.arg("build").arg(file).arg("--gpu-name").arg(arch);
    command.args(["--emit=ptx", "-o", "/dev/null"]);
    // The process also does work outside of stages, such as reading its file, so the limit of the
    // remark is lower.
    command.env("TILE_SLOW", format!("{}", 0.9 * limit));
    let Ok(time) = time(&mut command) else {
        return None;
    };
    let said = time.said.lines().find_map(|line| line.split_once(REMARK));
    let remark = said.map(|(place, message)| {
        let place = place.rsplit('/').next().unwrap_or_default();
        format!("{place}{message}")
    });
    Some(Built { time, remark })
}

/// Adds the kernels of a folder and its subfolders, in order, or only `path` if it is a file.
pub(crate) fn kernels(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
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
    // The corpus has each kernel in every version.
    let is_bytecode = name
        .strip_suffix(".tilebc")
        .is_some_and(|stem| !stem.contains(".13.") || stem.ends_with(corpus::VERSION));
    if name.ends_with(".mlir") || is_bytecode {
        files.push(path.to_owned());
    }
    Ok(())
}

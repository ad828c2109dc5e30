//! Builds a bundle that runs on a GPU machine without Rust.
//!
//! Writes `target/gpu-bundle/`, and the same as one file, `gpu-bundle.tar.xz`. The bundle needs an
//! NVIDIA driver, and for the benchmarks Python with `PyTorch` and Triton:
//!
//! - `run.py` and the modules that it imports, from `benches/gpu`: starts and reports everything
//! - `bin/programs`: examples and tests with their kernels in one program; `bin/tests`,
//!   `bin/examples` and `bin/cases` are links to it, whose names select what it runs
//! - `cases`: kernels of the tests of `tile-backend`, compiled, with their modules: those of
//!   `first` cover each feature, `rest` are the others; `sample`, some for a dry run
//! - `examples/data`, which examples read
//! - `kernels/ours`, `kernels/tileiras`: the same bytecode, compiled by both, and the launch
//!   descriptions of ours

mod cases;
mod kernels;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::setup::{self, Scope};
use crate::{process, workspace};

/// Options of `cargo xtask gpu-bundle`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Take all cases of the back end, not a sample
    #[arg(long)]
    all: bool,
    /// The seed that selects the cases of the sample
    #[arg(long, default_value_t = 0, conflicts_with = "all")]
    seed: u64,
    /// Optimize the programs, which are then built again; kernels are the same
    #[arg(long)]
    release: bool,
    /// Leave out the cases of the back end
    #[arg(long)]
    without_cases: bool,
}

/// The test programs that use a GPU if there is one.
const GPU_TESTS: [&str; 2] = ["gpu", "reference"];

/// The program that runs cases.
const CASES: &str = "cases";

/// Folders that examples and tests read at run time.
const DATA: [&str; 1] = ["examples/data"];

/// The maximum size of the packed bundle, if it is a sample.
const MAX_BYTES: u64 = 40_000_000;

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run(Scope::Everything, &setup::Options::default())?;
    let begin = Instant::now();
    let root = workspace::root();
    let bundle = root.join("target/gpu-bundle");
    if bundle.exists() {
        fs::remove_dir_all(&bundle)?;
    }
    copy_tree(&root.join("benches/gpu"), &bundle, &["py"])?;
    fs::set_permissions(bundle.join("run.py"), fs::Permissions::from_mode(0o755))?;
    copy_tree(
        &root.join("tests/cases/sample"),
        &bundle.join("sample"),
        &["case"],
    )?;
    let took = |what: &str| println!("gpu-bundle: {what} after {} s", begin.elapsed().as_secs());
    place(&program(options.release)?, &bundle.join("bin"))?;
    took("programs");
    kernels::build(&bundle.join("kernels"))?;
    took("kernels of benchmarks");
    if !options.without_cases {
        let seed = (!options.all).then_some(options.seed);
        let contents = cases::write(&bundle.join("cases"), seed)?;
        println!("{contents}");
        fs::write(bundle.join("contents.md"), contents)?;
        took("cases");
    }
    for folder in DATA {
        copy_tree(&root.join(folder), &bundle.join(folder), &[])?;
    }
    let archive = root.join("target/gpu-bundle.tar.xz");
    pack(&archive, &root.join("target"), "gpu-bundle")?;
    let packed = fs::metadata(&archive)?.len();
    println!(
        "gpu-bundle: {} is complete, {} MB, and packed in {}, {:.1} MB, after {} s; start `run.py` in it",
        bundle.display(),
        size(&bundle)? / 1_000_000,
        archive.display(),
        megabytes(packed),
        begin.elapsed().as_secs()
    );
    if packed > MAX_BYTES && !options.all {
        bail!(
            "the bundle is larger than {} MB, packed",
            megabytes(MAX_BYTES)
        );
    }
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "sizes of files")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

/// Copies the program into a folder, with a link for each of its names.
fn place(program: &Path, bin: &Path) -> Result<()> {
    fs::create_dir_all(bin)?;
    let target = bin.join("programs");
    fs::copy(program, &target)
        .with_context(|| format!("could not copy `{}`", program.display()))?;
    strip(&target);
    let output = Command::new(&target).output();
    let output = output.context("could not start the program")?;
    let names = String::from_utf8(output.stdout)?;
    if !output.status.success() || names.is_empty() {
        bail!("`{}` does not say its names", target.display());
    }
    for name in names.lines() {
        let folder = folder(name);
        fs::create_dir_all(bin.join(folder))?;
        let above = if folder.is_empty() { "" } else { "../" };
        symlink(format!("{above}programs"), bin.join(folder).join(name))?;
    }
    let size = fs::metadata(&target)?.len();
    let count = names.lines().count();
    println!(
        "gpu-bundle: {count} programs in one ({:.1} MB)",
        megabytes(size)
    );
    Ok(())
}

/// Returns the folder of the link with this name, below `bin`.
fn folder(name: &str) -> &'static str {
    if name == CASES {
        ""
    } else if GPU_TESTS.contains(&name) {
        "tests"
    } else {
        "examples"
    }
}

/// Packs a part of a folder.
fn pack(archive: &Path, folder: &Path, part: &str) -> Result<()> {
    let mut tar = Command::new("tar");
    // A single block lets xz find similar content; in the order of names, neighbouring cases are
    // similar.
    tar.env("XZ_OPT", "-T1 --lzma2=preset=6,dict=64MiB");
    tar.arg("--sort=name").arg("-cJf").arg(archive);
    tar.arg("-C").arg(folder).arg(part);
    let status = tar.status().context("could not start tar")?;
    if !status.success() {
        bail!("{} failed: {status}", process::line(&tar));
    }
    Ok(())
}

/// Builds the program that contains all programs, and returns its path. It is built like the tests
/// of the workspace, so that nothing is compiled again with other features.
fn program(is_release: bool) -> Result<PathBuf> {
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--workspace", "--bench", "gpu_programs"]);
    if is_release {
        cargo.arg("--release");
    }
    cargo.arg("--message-format=json-render-diagnostics");
    println!("gpu-bundle: {}", process::line(&cargo));
    let output = cargo.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("`{}` failed: {}", process::line(&cargo), output.status);
    }
    let text = String::from_utf8(output.stdout)?;
    let path = text.lines().find_map(executable);
    path.context("cargo did not say where the program is")
}

/// Parses one of cargo's messages: returns the path of a program, or `None`.
fn executable(message: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(message).ok()?;
    let is_program =
        message["reason"] == "compiler-artifact" && message["target"]["name"] == "gpu_programs";
    let path = message["executable"].as_str().filter(|_| is_program)?;
    Some(path.into())
}

/// Strips symbols if there is a `strip`; the kernels are data and remain.
fn strip(program: &Path) {
    // A bundle with symbols works too, and is only larger.
    let _ = Command::new("strip").arg(program).status();
}

/// Copies the files with one of these extensions, or all files if none is given.
fn copy_tree(from: &Path, to: &Path, extensions: &[&str]) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("could not read {}", from.display()))? {
        let entry = entry?;
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let extension = path.extension().unwrap_or_default();
        if entry.file_type()?.is_dir() {
            if extensions.is_empty() {
                copy_tree(&path, &target, extensions)?;
            }
        } else if extensions.is_empty() || extensions.iter().any(|wanted| extension == *wanted) {
            fs::copy(&path, &target)?;
        }
    }
    Ok(())
}

/// Returns the total size of the files of a folder, in bytes.
fn size(folder: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        bytes += if entry.file_type()?.is_dir() {
            size(&entry.path())?
        } else {
            entry.metadata()?.len()
        };
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_found_in_what_cargo_says() {
        let message = |name: &str, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","target":{{"kind":["bench"],"name":"{name}"}},"executable":{executable}}}"#
            )
        };
        let path = executable(&message(
            "gpu_programs",
            r#""/target/debug/deps/gpu_programs""#,
        ));
        assert_eq!(path, Some("/target/debug/deps/gpu_programs".into()));
        for other in [
            message("cpu", r#""/target/debug/deps/cpu""#),
            message("gpu_programs", "null"),
            r#"{"reason":"build-finished","success":true}"#.into(),
            "not json".into(),
        ] {
            assert_eq!(executable(&other), None, "{other}");
        }
    }

    #[test]
    fn every_example_and_test_of_devices_is_one_of_the_programs() {
        let root = workspace::root();
        let source = fs::read_to_string(root.join("benches/gpu/programs.rs")).expect("reads");
        let mut expected: Vec<String> = GPU_TESTS.iter().map(|&name| name.to_owned()).collect();
        expected.push(CASES.to_owned());
        for entry in fs::read_dir(root.join("examples")).expect("examples") {
            let path = entry.expect("a readable folder").path();
            let is_example = path.extension().is_some_and(|extension| extension == "rs")
                || path.join("main.rs").exists();
            let name = path.file_stem().expect("a name").to_string_lossy();
            if is_example {
                expected.push(name.into_owned());
            }
        }
        assert!(expected.len() > 10, "{expected:?}");
        for name in expected {
            assert!(source.contains(&format!(" is \"{name}\" in ")), "{name}");
        }
    }

    #[test]
    fn links_lie_where_they_are_looked_for() {
        let names = ["cases", "gpu", "reference", "01_vector_add"];
        assert_eq!(names.map(folder), ["", "tests", "tests", "examples"]);
    }

    #[test]
    fn folders_are_copied_with_their_folders_or_files_of_a_kind_alone() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("inner")).expect("creates");
        fs::write(from.join("inner/file"), "text").expect("writes");
        fs::write(from.join("a.py"), "1").expect("writes");
        copy_tree(&from, &to, &[]).expect("copies");
        assert_eq!(fs::read(to.join("inner/file")).expect("reads"), b"text");
        assert_eq!(size(&to).expect("reads"), 5);
        let some = folder.path().join("some");
        copy_tree(&from, &some, &["py"]).expect("copies");
        assert_eq!(size(&some).expect("reads"), 1);
    }
}

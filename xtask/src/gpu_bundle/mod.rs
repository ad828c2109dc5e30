//! Builds what a GPU machine without Rust can run.
//!
//! In: the checkout. Out: `target/gpu-bundle/`, and the same in one file, `gpu-bundle.tar.xz`, which needs an NVIDIA driver, and Python with `PyTorch` and Triton for
//! the benchmarks:
//!
//! - `run.py` and what it imports, of `benches/gpu`: everything is started and reported by it
//! - `bin/cases` and `cases.tar.xz`: the cases of the tests of `tile-backend`, compiled, with what the
//!   interpreter makes of them; `sample/`, some for a dry run
//! - `bin/tests`, `bin/examples`: programs that hold their kernels, and `examples/data` that they read
//! - `kernels/ours`, `kernels/tileiras`: the same bytecode, compiled by both, and how ours is launched

mod kernels;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::setup::{self, Scope};
use crate::{process, workspace};

/// Options of `cargo xtask gpu-bundle`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Build programs as for tests, which is quicker; kernels are the same
    #[arg(long)]
    debug: bool,
    /// Leave out the examples
    #[arg(long)]
    without_examples: bool,
    /// Leave out the cases of the back end, of which there are many
    #[arg(long)]
    without_cases: bool,
}

/// The test binaries that run on a device where there is one.
const GPU_TESTS: [&str; 2] = ["gpu", "reference"];

/// Folders that examples and tests read at run time.
const DATA: [&str; 1] = ["examples/data"];

/// What a machine that lends a GPU may take.
const MOST_BYTES: u64 = 64 << 20;

/// A built program.
#[derive(Debug, PartialEq, Eq)]
struct Program {
    name: String,
    path: PathBuf,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run(Scope::Everything, &setup::Options::default())?;
    let root = workspace::root();
    let bundle = root.join("target/gpu-bundle");
    if bundle.exists() {
        fs::remove_dir_all(&bundle)?;
    }
    let bin = bundle.join("bin");
    copy_tree(&root.join("benches/gpu"), &bundle, &["py"])?;
    fs::set_permissions(bundle.join("run.py"), fs::Permissions::from_mode(0o755))?;
    copy_tree(
        &root.join("tests/cases/sample"),
        &bundle.join("sample"),
        &["case"],
    )?;
    kernels::build(&bundle.join("kernels"))?;
    let profile: &[&str] = if options.debug { &[] } else { &["--release"] };
    let tests = |name: &str| {
        let arguments = [&["test", "--no-run", "--test", name], profile].concat();
        build(&arguments)
    };
    place(&tests("cases")?, &bin)?;
    for name in GPU_TESTS {
        place(&tests(name)?, &bin.join("tests"))?;
    }
    if !options.without_examples {
        let arguments = [&["build", "--examples"], profile].concat();
        place(&build(&arguments)?, &bin.join("examples"))?;
    }
    if !options.without_cases {
        pack_cases(&bundle)?;
    }
    for folder in DATA {
        copy_tree(&root.join(folder), &bundle.join(folder), &[])?;
    }
    let archive = root.join("target/gpu-bundle.tar.xz");
    pack(&archive, &root.join("target"), "gpu-bundle")?;
    let packed = fs::metadata(&archive)?.len();
    println!(
        "gpu-bundle: {} is complete, {} MB, and packed in {}, {} MB; start `run.py` in it",
        bundle.display(),
        size(&bundle)? / 1_000_000,
        archive.display(),
        packed / 1_000_000
    );
    if packed > MOST_BYTES {
        println!("gpu-bundle: more than 64 MiB; leave something out, or build without --debug");
    }
    Ok(())
}

/// Puts programs into a folder.
fn place(programs: &[Program], folder: &Path) -> Result<()> {
    if programs.is_empty() {
        bail!("there is nothing for {}", folder.display());
    }
    fs::create_dir_all(folder)?;
    for program in programs {
        let target = folder.join(&program.name);
        fs::copy(&program.path, &target)
            .with_context(|| format!("could not copy `{}`", program.path.display()))?;
        strip(&target);
        let kilobytes = fs::metadata(&target)?.len() / 1000;
        println!("gpu-bundle: {} ({kilobytes} kB)", program.name);
    }
    Ok(())
}

/// Has the tests of the back end write their cases, and packs them.
fn pack_cases(bundle: &Path) -> Result<()> {
    let folder = tempfile::tempdir().context("could not make a temporary folder")?;
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--quiet", "-p", "tile-backend", "--test", "run"]);
    cargo.args(["--", "--test-threads=2", "--quiet"]);
    cargo.env("TILE_RUN_EXPORT", folder.path());
    println!("gpu-bundle: {}", process::line(&cargo));
    let output = cargo.output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stdout);
        let faults: Vec<&str> = said.lines().rev().take(40).collect();
        // The others are worth running all the same.
        println!("gpu-bundle: some cases do not compile:");
        for line in faults.iter().rev() {
            println!("gpu-bundle:   {line}");
        }
    }
    let count = fs::read_dir(folder.path())?.count();
    if count == 0 {
        bail!("the tests of `tile-backend` wrote no case");
    }
    pack(&bundle.join("cases.tar.xz"), folder.path(), ".")?;
    println!("gpu-bundle: {count} cases");
    Ok(())
}

/// Packs a part of a folder.
fn pack(archive: &Path, folder: &Path, part: &str) -> Result<()> {
    let mut tar = Command::new("tar");
    // Cases are much alike: more than this takes minutes and saves little.
    tar.env("XZ_OPT", "-3 -T0").arg("-cJf").arg(archive);
    tar.arg("-C").arg(folder).arg(part);
    let status = tar.status().context("could not start tar")?;
    if !status.success() {
        bail!("{} failed: {status}", process::line(&tar));
    }
    Ok(())
}

/// Runs a cargo command and returns the programs it built.
fn build(arguments: &[&str]) -> Result<Vec<Program>> {
    let mut cargo = workspace::cargo();
    cargo.args(arguments);
    cargo.arg("--message-format=json-render-diagnostics");
    println!("gpu-bundle: {}", process::line(&cargo));
    let output = cargo.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("`{}` failed: {}", process::line(&cargo), output.status);
    }
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().filter_map(program).collect())
}

/// Reads one of cargo's messages: a program to run on its own, or `None`.
fn program(message: &str) -> Option<Program> {
    let message: Value = serde_json::from_str(message).ok()?;
    if message["reason"] != "compiler-artifact" {
        return None;
    }
    let target = &message["target"];
    let kinds = target["kind"].as_array()?;
    if !kinds.iter().any(|kind| {
        ["example", "test", "bench"]
            .iter()
            .any(|wanted| kind == wanted)
    }) {
        return None;
    }
    Some(Program {
        name: target["name"].as_str()?.into(),
        path: message["executable"].as_str()?.into(),
    })
}

/// Drops the symbols where there is a `strip`; the kernels are data and stay.
fn strip(program: &Path) {
    // A bundle with symbols is as good, only larger.
    let _ = Command::new("strip").arg(program).status();
}

/// Copies the files whose names end so, or all if no ending is named.
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

/// The bytes of all files of a folder.
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
    fn examples_benches_and_integration_tests_are_programs() {
        for kind in ["example", "test", "bench"] {
            let message = format!(
                r#"{{"reason":"compiler-artifact","target":{{"kind":["{kind}"],"name":"digits"}},
                "executable":"/target/release/examples/digits"}}"#
            );
            let expected = Program {
                name: "digits".into(),
                path: "/target/release/examples/digits".into(),
            };
            assert_eq!(program(&message), Some(expected));
        }
    }

    #[test]
    fn libraries_and_other_messages_are_not_programs() {
        for message in [
            "",
            "not json",
            r#"{"reason":"build-finished","success":true}"#,
            r#"{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"a"},"executable":"/a"}"#,
            r#"{"reason":"compiler-artifact","target":{"kind":["example"],"name":"a"},"executable":null}"#,
        ] {
            assert_eq!(program(message), None, "{message}");
        }
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

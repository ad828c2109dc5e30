//! Builds what a GPU machine without Rust can run.
//!
//! In: the checkout. Out: `target/gpu-bundle/` with `bin/` (examples, benches, the
//! GPU tests), the data they read at their places in the checkout, and `run.sh`.
//! The programs hold their kernels and need an NVIDIA driver only.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::setup::{self, Options, Scope};
use crate::{process, workspace};

/// The test binaries that run on a device where there is one.
const GPU_TESTS: [&str; 2] = ["gpu", "reference"];

/// Folders that examples and tests read at run time.
const DATA: [&str; 1] = ["examples/data"];

const RUN: &str = include_str!("run.sh");

/// A built program.
#[derive(Debug, PartialEq, Eq)]
struct Program {
    name: String,
    path: PathBuf,
}

pub(crate) fn run() -> Result<()> {
    setup::run(Scope::Build, &Options::default())?;
    let root = workspace::root();
    let mut programs = build(&["build", "--release", "--workspace", "--examples"])?;
    for name in GPU_TESTS {
        programs.extend(build(&["test", "--release", "--no-run", "--test", name])?);
    }
    if root.join("benches").is_dir() {
        programs.extend(build(&["bench", "--no-run", "--benches"])?);
    }
    if programs.is_empty() {
        bail!("there is nothing to bundle: no example, bench or GPU test was built");
    }
    let bundle = root.join("target/gpu-bundle");
    if bundle.exists() {
        fs::remove_dir_all(&bundle)?;
    }
    let bin = bundle.join("bin");
    fs::create_dir_all(&bin)?;
    for program in &programs {
        let target = bin.join(&program.name);
        fs::copy(&program.path, &target)
            .with_context(|| format!("could not copy `{}`", program.path.display()))?;
        strip(&target);
        let kilobytes = fs::metadata(&target)?.len() / 1000;
        println!("gpu-bundle: bin/{} ({kilobytes} kB)", program.name);
    }
    for folder in DATA {
        if root.join(folder).is_dir() {
            copy_tree(&root.join(folder), &bundle.join(folder))?;
            println!("gpu-bundle: {folder}/");
        }
    }
    let script = bundle.join("run.sh");
    fs::write(&script, RUN)?;
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
    println!(
        "gpu-bundle: {} is complete, start `run.sh` in it",
        bundle.display()
    );
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

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
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
    fn folders_are_copied_with_their_folders() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        fs::create_dir_all(from.join("inner")).expect("creates");
        fs::write(from.join("inner/file"), "text").expect("writes");
        copy_tree(&from, &to).expect("copies");
        assert_eq!(fs::read(to.join("inner/file")).expect("reads"), b"text");
    }
}

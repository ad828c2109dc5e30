//! The bytecode of an independent producer (`tile-core/tests/corpus`), and the compiler it was made
//! for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::workspace;

/// The bytecode version of the comparison.
pub(crate) const VERSION: &str = "13.3";

/// Returns the name and file of each kernel, ordered by name.
pub(crate) fn files() -> Result<Vec<(String, PathBuf)>> {
    let folder = workspace::root().join("tile-core/tests/corpus");
    let mut files = Vec::new();
    for entry in fs::read_dir(&folder).context("could not read the corpus")? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(name) = file.strip_suffix(&format!(".{VERSION}.tilebc")) {
            files.push((name.to_owned(), path));
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the `tileiras` command for a file.
pub(crate) fn tileiras(tools: &Path, file: &Path, gpu_name: &str, output: &Path) -> Command {
    // `tileiras` does not accept architectures with a suffix letter.
    let plain = gpu_name.trim_end_matches(['a', 'f']);
    let mut command = Command::new(tools.join("tileir/bin/tileiras"));
    command.arg(file).arg(format!("--gpu-name={plain}"));
    command.arg("-o").arg(output);
    command
}

/// The profile that `tilec` is built with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// The profile of tests.
    Dev,
    /// The profile for measurements.
    Release,
}

/// Builds `tilec`, and returns its path.
pub(crate) fn tilec(profile: Profile) -> Result<PathBuf> {
    let mut cargo = workspace::cargo();
    match profile {
        Profile::Release => cargo.args(["build", "-p", "tilec", "--bin", "tilec", "--release"]),
        // Building it together with a test selects the features of the workspace's tests, so that
        // nothing is compiled twice.
        Profile::Dev => cargo.args([
            "build",
            "--workspace",
            "--bin",
            "tilec",
            "--test",
            "command",
        ]),
    };
    cargo.arg("--message-format=json-render-diagnostics");
    let output = cargo.stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("`tilec` does not build");
    }
    let text = String::from_utf8(output.stdout)?;
    let executable = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let target = &message["target"];
        let is_match = target["name"] == "tilec" && target["kind"][0] == "bin";
        let path = message["executable"].as_str().filter(|_| is_match);
        path.map(PathBuf::from)
    };
    let program = text.lines().find_map(executable);
    program.context("cargo did not say where `tilec` is")
}

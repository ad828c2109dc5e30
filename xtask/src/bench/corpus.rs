//! The bytecode of an independent producer (`tile-core/tests/corpus`), and the compiler that it is meant for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::workspace;

/// The version of bytecode that is compared.
pub(super) const VERSION: &str = "13.3";

/// The name of each kernel and its file, in order of their names.
pub(super) fn files() -> Result<Vec<(String, PathBuf)>> {
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

/// `tileiras` on a file.
pub(super) fn tileiras(tools: &Path, file: &Path, gpu_name: &str, output: &Path) -> Command {
    // It has no names of architectures with a letter behind.
    let plain = gpu_name.trim_end_matches(['a', 'f']);
    let mut command = Command::new(tools.join("tileir/bin/tileiras"));
    command.arg(file).arg(format!("--gpu-name={plain}"));
    command.arg("-o").arg(output);
    command
}

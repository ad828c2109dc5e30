//! The kernels that are timed, compiled by our compiler and by `tileiras`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::json;

use crate::ablation::ABLATIONS;
use crate::bench::corpus::{self, Profile};
use crate::{process, tools, workspace};

/// The architecture of the measured GPU.
const GPU_NAME: &str = "sm_90a";

/// The prefixes of the corpus kernels that are timed.
const OF_CORPUS: [&str; 2] = ["matmul_", "softmax_"];

/// Returns all bytecode files with the names of their entries.
fn files() -> Result<Vec<(String, PathBuf)>> {
    let mut files = corpus::files()?;
    files.retain(|(name, _)| OF_CORPUS.iter().any(|start| name.starts_with(start)));
    let folder = workspace::root().join("benches/gpu");
    for entry in fs::read_dir(&folder).context("could not read benches/gpu")? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if let Some(name) = name.strip_suffix(".tilebc") {
            files.push((name.to_owned(), path));
        }
    }
    files.sort();
    Ok(files)
}

/// Fills `ours` and `tileiras` in a folder. Kernels that `tileiras` cannot compile are printed, and
/// left out.
pub(super) fn build(folder: &Path) -> Result<()> {
    let tools = tools::current_link(&tools::cache_dir()?);
    let tilec = corpus::tilec(Profile::Dev)?;
    let (ours, theirs) = (folder.join("ours"), folder.join("tileiras"));
    fs::create_dir_all(&ours)?;
    fs::create_dir_all(&theirs)?;
    let files = files()?;
    for (name, path) in &files {
        let mut build = Command::new(&tilec);
        build.arg("build").arg(path);
        build.arg(format!("--gpu-name={GPU_NAME}"));
        // The same options as for kernels of `#[tile_kernel]`.
        build.args([
            "--tensor-maps=host",
            "--persistent=auto",
            "--cluster-split=auto",
        ]);
        build
            .arg("--launches")
            .arg(ours.join(format!("{name}.json")));
        build.arg("-o").arg(ours.join(format!("{name}.cubin")));
        let output = build.output().context("could not start tilec")?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            bail!("{} failed: {said}", process::line(&build));
        }
        let cubin = theirs.join(format!("{name}.cubin"));
        let output = corpus::tileiras(&tools, path, GPU_NAME, &cubin).output();
        let output = output.context("could not start tileiras")?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            println!("gpu-bundle: tileiras does not compile `{name}`: {said}");
        }
    }
    println!("gpu-bundle: {} kernels to be timed", files.len());
    steps(folder, &tilec)
}

/// Adds the steps of ablations to `ours`, and lists them in `ablation.json`.
fn steps(folder: &Path, tilec: &Path) -> Result<()> {
    let mut entries = Vec::new();
    for ablation in &ABLATIONS {
        for (number, step) in ablation.steps.iter().enumerate() {
            let name = format!(
                "ablation_{}_{:02}",
                ablation.name.replace(' ', "_"),
                number + 1
            );
            let file = |extension: &str| folder.join("ours").join(format!("{name}.{extension}"));
            let mut build = step.build(tilec)?;
            build.arg("--launches").arg(file("json"));
            build.arg("-o").arg(file("cubin"));
            let output = build.output().context("could not start tilec")?;
            if !output.status.success() {
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                bail!("{} failed: {said}", process::line(&build));
            }
            entries.push(json!({
                "ablation": ablation.name,
                "name": name,
                "what": step.what,
                "file": step.file,
            }));
        }
    }
    let text = serde_json::to_string_pretty(&entries)?;
    fs::write(folder.join("ablation.json"), text).context("could not write ablation.json")?;
    println!("gpu-bundle: {} ablation steps", entries.len());
    Ok(())
}

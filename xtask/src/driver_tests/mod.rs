//! `cargo xtask driver-tests`: runs the tests and examples that cudarc and cust have for the driver API on the simulated
//! driver.
//!
//! Their sources are those that `interop/Cargo.lock` pins, copied below `target/driver-tests`. Each test is a process of
//! its own, since a fault breaks the context of all of a process. What is known to fail, and why, is in
//! `failures.tsv`; anything else that fails is an error, and so is a test of the list that passes.

mod failures;
mod programs;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use self::failures::Failures;
use self::programs::Programs;
use crate::simulated_driver::{self, Profile};
use crate::{setup, workspace};

pub(crate) const ABOUT: &str =
    "Run the tests and examples of cudarc and cust for the driver API on the simulated driver";

/// A crate whose tests run.
struct Subject {
    name: &'static str,
    features: &'static [&'static str],
    /// Prefixes of the names of the tests that are about the driver.
    tests: &'static [&'static str],
    examples: &'static [&'static str],
    has_doc_tests: bool,
}

const SUBJECTS: [Subject; 2] = [
    Subject {
        name: "cudarc",
        features: &[
            "--no-default-features",
            "--features=std,driver,nvrtc,f16,fallback-dynamic-loading,cuda-13020",
        ],
        tests: &["driver::", "nvrtc::"],
        // The others need CUPTI and cuFile.
        examples: &[
            "01-allocate",
            "02-copy",
            "03-launch-kernel",
            "04-streams",
            "05-device-repr",
            "06-threading",
            "09-constant-memory",
            "10-function-attributes",
            "12-context-config",
            "13-copy-multi-gpu",
            "matmul-kernel",
            "nvrtc-compile",
        ],
        // They are fragments that are not run.
        has_doc_tests: false,
    },
    Subject {
        name: "cust",
        features: &[],
        tests: &[""],
        examples: &[],
        has_doc_tests: true,
    },
];

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Run the tests of one crate only
    #[arg(long = "crate", value_parser = ["cudarc", "cust"])]
    subject: Option<String>,
    /// Run the tests whose names contain this text only
    filter: Option<String>,
}

/// What a program did.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    Passed,
    /// The last lines of its output.
    Failed(String),
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let sources = sources()?;
    let failures = Failures::known()?;
    let driver = simulated_driver::build(Profile::Release)?;
    let nvrtc = setup::optional(setup::NVRTC)?
        .join("nvidia")
        .join("cu13")
        .join("lib");
    let mut problems = Vec::new();
    let mut ran = false;
    let is_meant = |subject: &&Subject| {
        let chosen = options.subject.as_deref();
        chosen.is_none_or(|name| name == subject.name)
    };
    for subject in SUBJECTS.iter().filter(is_meant) {
        let folder = copied(subject.name, &sources)?;
        let cargo = || -> Result<Command> {
            let mut cargo = workspace::cargo();
            cargo.current_dir(&folder);
            simulated_driver::find(&mut cargo, &driver, &[&nvrtc])?;
            // Two devices, for the tests that copy between them.
            cargo.env("TILE_SIM_DEVICES", "h100*2");
            Ok(cargo)
        };
        let programs = Programs::build(subject, cargo)?;
        let mut counts = [0; 3];
        for (name, outcome) in programs.run(options.filter.as_deref()) {
            let (name, outcome) = (name, outcome?);
            ran = true;
            let why = failures.why(subject.name, &name);
            match (&outcome, why) {
                (Outcome::Passed, None) => counts[0] += 1,
                (Outcome::Passed, Some(why)) if Failures::may_pass(why) => counts[0] += 1,
                (Outcome::Failed(_), Some(why)) => {
                    counts[1] += 1;
                    println!("{} {name}: fails as known: {why}", subject.name);
                }
                (Outcome::Passed, Some(_)) => problems.push(format!(
                    "{} {name} passes: delete its line of `failures.tsv`",
                    subject.name
                )),
                (Outcome::Failed(output), None) => {
                    counts[2] += 1;
                    println!("{} {name}: FAILED\n{output}", subject.name);
                    problems.push(format!("{} {name} failed", subject.name));
                }
            }
        }
        let [passed, known, failed] = counts;
        println!(
            "{} {}: {passed} passed, {known} failed as known, {failed} failed otherwise",
            subject.name, sources[subject.name].version
        );
    }
    ensure!(ran, "no test has this text in its name");
    if !problems.is_empty() {
        bail!("{}", problems.join("\n"));
    }
    Ok(())
}

/// The sources of a crate.
struct Source {
    version: String,
    folder: PathBuf,
}

/// Finds the crates that `interop/Cargo.lock` pins, and downloads them if they are missing.
fn sources() -> Result<BTreeMap<String, Source>> {
    let mut metadata = workspace::cargo();
    metadata
        .current_dir(workspace::root().join("interop"))
        .args(["metadata", "--locked", "--format-version=1"]);
    let output = metadata.output().context("start `cargo metadata`")?;
    ensure!(
        output.status.success(),
        "`cargo metadata` failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().context("has packages")?;
    let text = |value: &Value| value.as_str().map(str::to_owned).context("is a text");
    let mut sources = BTreeMap::new();
    for package in packages {
        let manifest = PathBuf::from(text(&package["manifest_path"])?);
        let folder = manifest.parent().context("is in a folder")?.to_path_buf();
        let version = text(&package["version"])?;
        sources.insert(text(&package["name"])?, Source { version, folder });
    }
    Ok(sources)
}

/// Copies a crate below `target`, so that nothing is written into cargo's cache.
fn copied(name: &str, sources: &BTreeMap<String, Source>) -> Result<PathBuf> {
    let source = sources
        .get(name)
        .with_context(|| format!("`interop/Cargo.lock` has no `{name}`"))?;
    let folder = workspace::root()
        .join("target")
        .join("driver-tests")
        .join(format!("{name}-{}", source.version));
    if !folder.join("Cargo.toml").exists() {
        copy(&source.folder, &folder)
            .with_context(|| format!("copy `{name}` to `{}`", folder.display()))?;
        // A workspace of its own, and not a member of ours.
        let manifest = folder.join("Cargo.toml");
        let text = fs::read_to_string(&manifest)?;
        fs::write(manifest, format!("{text}\n[workspace]\n"))?;
    }
    Ok(folder)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else if entry.file_name() != "Cargo.lock" {
            // The content alone: files of cargo's cache may be read-only.
            fs::write(&target, fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

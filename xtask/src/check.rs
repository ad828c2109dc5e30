//! Checks to run before every commit: format, lints, unit tests and file tests.

use std::process::Command;

use anyhow::{Context, Result};

use crate::setup::{self, Options, Scope};
use crate::{process, workspace};

pub(crate) fn run() -> Result<()> {
    setup::run(Scope::Build, &Options::default())?;
    step(
        workspace::cargo().args(["fmt", "--all", "--check"]),
        "run `cargo fmt --all`",
    )?;
    step(
        workspace::cargo().args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ]),
        "fix the lints above",
    )?;
    let mut test = workspace::cargo();
    test.args(["test", "--workspace", "--lib", "--bins"]);
    step(&mut test, "fix the tests above")?;
    let mut files = workspace::cargo();
    files.args(["test", "--package", "tile-core", "--test", "filetests"]);
    step(&mut files, "fix the tests above")
}

fn step(command: &mut Command, cure: &str) -> Result<()> {
    println!("check: {}", process::line(command));
    process::run(command).with_context(|| format!("check failed: {cure}"))
}

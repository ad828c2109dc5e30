//! Runs all tests of the workspace and counts them.
//!
//! Passes further arguments to `cargo test`, prints the tests' output as it arrives, what failed once more at the end, and
//! `N passed, N failed, N skipped` alone on the last line.
//!
//! - A test binary that dies before it reports counts as one failure.
//! - A run without a single test is a failure.

mod failures;
mod libtest;

use std::process::{Command, ExitCode};

use anyhow::Result;

use self::failures::Failures;
use self::libtest::Tally;
use crate::setup::{self, Options, Scope};
use crate::{process, workspace};

pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    setup::run(Scope::Everything, &Options::default())?;
    let (mut tally, mut failures) = (Tally::default(), Failures::default());
    let mut tests = workspace::cargo();
    tests.args(["test", "--workspace", "--no-fail-fast"]);
    tests.args(arguments);
    // Setup has installed the tools: a test that misses one has found an error.
    tests.env("TILE_REQUIRE_TOOLS", "1");
    // A core that other programs use as well may stop for a long time, and the compiler with it.
    tests.env("TILE_TIMEOUT", "600");
    let success = count(&mut tests, &mut tally, &mut failures)?;
    print!("{failures}");
    if let Some(reason) = tally.judge(success) {
        println!("test: {reason}");
    }
    println!("{tally}");
    // Nothing may follow the closing line, so no error is returned.
    Ok(if tally.is_success() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs one `cargo test` and adds its results; returns `true` if it succeeded.
fn count(cargo: &mut Command, tally: &mut Tally, failures: &mut Failures) -> Result<bool> {
    let status = process::tee(cargo, |line| {
        failures.read(line);
        if let Some(result) = Tally::parse(line) {
            *tally += result;
        }
    })?;
    Ok(status.success())
}

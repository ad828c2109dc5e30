//! Runs every test of the workspace and counts them.
//!
//! In: further arguments of `cargo test`. Out: the tests' output as it comes, and
//! alone on the last line `N passed, N failed, N skipped`.
//!
//! - A test binary that dies before it reports counts as one failure.
//! - A run without a single test is a failure.

mod cust;
mod libtest;

use std::process::{Command, ExitCode};

use anyhow::Result;

use self::libtest::Tally;
use crate::setup::{self, Options, Scope};
use crate::{process, workspace};

pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    setup::run(Scope::Everything, &Options::default())?;
    let mut tally = Tally::default();
    let mut tests = workspace::cargo();
    tests.args(["test", "--workspace", "--no-fail-fast"]);
    tests.args(arguments);
    // Set-up has installed the tools: a test that misses one has found a fault.
    tests.env("TILE_REQUIRE_TOOLS", "1");
    let mut success = count(&mut tests, &mut tally)?;
    if arguments.is_empty() {
        success &= count(&mut cust::tests()?, &mut tally)?;
    }
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

/// Runs one `cargo test` and adds its results; says whether it succeeded.
fn count(cargo: &mut Command, tally: &mut Tally) -> Result<bool> {
    let status = process::tee(cargo, |line| {
        if let Some(result) = Tally::parse(line) {
            *tally += result;
        }
    })?;
    Ok(status.success())
}

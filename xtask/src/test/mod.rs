//! Runs every test of the workspace and counts them.
//!
//! In: further arguments of `cargo test`. Out: the tests' output as it comes, and
//! alone on the last line `N passed, N failed, N skipped`.
//!
//! - A test binary that dies before it reports counts as one failure.
//! - A run without a single test is a failure.

mod libtest;

use std::process::ExitCode;

use anyhow::Result;

use self::libtest::Tally;
use crate::setup::{self, Options, Scope};
use crate::{process, workspace};

pub(crate) fn run(arguments: &[String]) -> Result<ExitCode> {
    setup::run(Scope::Everything, &Options::default())?;
    let mut cargo = workspace::cargo();
    cargo.args(["test", "--workspace", "--no-fail-fast"]);
    cargo.args(arguments);
    let mut tally = Tally::default();
    let status = process::tee(&mut cargo, |line| {
        if let Some(result) = Tally::parse(line) {
            tally += result;
        }
    })?;
    if let Some(reason) = tally.judge(status.success()) {
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

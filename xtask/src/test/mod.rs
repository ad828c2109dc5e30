//! Runs every test of the workspace and counts them.
//!
//! In: further arguments of `cargo test`. Out: the tests' output as it comes, and
//! alone on the last line `N passed, N failed, N skipped`.
//!
//! - A test binary that dies before it reports counts as one failure.
//! - A run without a single test is a failure.

mod libtest;

use anyhow::{Result, bail};

use self::libtest::Tally;
use crate::setup::{self, Options, Scope};
use crate::{process, workspace};

pub(crate) fn run(arguments: &[String]) -> Result<()> {
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
    if !status.success() && tally.failed == 0 {
        println!(
            "test: cargo failed ({status}) though no test reported a failure: see the error above"
        );
        tally.failed = 1;
    }
    println!("{tally}");
    if tally.failed > 0 {
        bail!("tests failed");
    }
    if tally.passed == 0 {
        bail!("no test ran");
    }
    Ok(())
}

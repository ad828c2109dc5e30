//! Rewrites the expected output of the golden tests.
//!
//! Changes files in the checkout; read the diff before committing it.

use anyhow::Result;

use crate::setup::{self, Options, Scope};
use crate::{process, workspace};

pub(crate) fn run(arguments: &[String]) -> Result<()> {
    setup::run(Scope::Everything, &Options::default())?;
    let mut cargo = workspace::cargo();
    cargo
        .args(["test", "--workspace", "--no-fail-fast"])
        .env("TILE_BLESS", "1")
        .env("TRYBUILD", "overwrite")
        .env("UPDATE_EXPECT", "1");
    if arguments.is_empty() {
        cargo.arg("--tests");
    }
    cargo.args(arguments);
    let result = process::run(&mut cargo);
    println!("bless: read `git diff` before committing: each change is a claim about the output");
    result
}

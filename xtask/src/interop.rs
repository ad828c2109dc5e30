//! `cargo xtask interop`: builds and tests the workspace of `interop/`, whose crates connect kernels with other libraries.
//!
//! It is no part of `cargo xtask test`, since it compiles candle, cudarc and cust. Tests that need a GPU run with the
//! simulated driver where there is none; those that need Python find the packages that `cargo xtask setup` installed.

use std::env;

use anyhow::{Context, Result};

use crate::process;
use crate::setup::{self, Scope};
use crate::test::cust;
use crate::tools;
use crate::workspace;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Use the packages in cargo's cache only
    #[arg(long)]
    offline: bool,
    /// Arguments of `cargo test`, such as `-p tile-kernel-candle`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let Options { offline, arguments } = options;
    setup::run(Scope::Everything, &setup::Options::default())?;
    let root = workspace::root();
    let mut cargo = workspace::cargo();
    cargo.current_dir(root.join("interop"));
    cargo
        .args(["test", "--locked", "--target-dir"])
        .arg(root.join("target").join("interop"));
    if *offline {
        cargo.arg("--offline");
    }
    if !arguments
        .iter()
        .any(|argument| argument == "-p" || argument == "--package")
    {
        cargo.arg("--workspace");
    }
    cargo.args(arguments);
    if !cust::driver_is_installed() {
        cust::link_and_run_without_gpu(&mut cargo)?;
    }
    let python = tools::current_link(&tools::cache_dir()?).join("python");
    let others = env::var_os("PYTHONPATH").unwrap_or_default();
    let paths = [python].into_iter().chain(env::split_paths(&others));
    cargo.env(
        "PYTHONPATH",
        env::join_paths(paths).context("join the paths of Python's packages")?,
    );
    process::run(&mut cargo)?;
    // Examples are programs of users, which say nothing if they are only compiled.
    for (package, example) in [
        ("tile-kernel-ndarray", "rows"),
        ("tile-kernel-candle", "attention_input"),
    ] {
        let mut cargo = workspace::cargo();
        cargo.current_dir(root.join("interop"));
        cargo.args([
            "run",
            "--locked",
            "-p",
            package,
            "--example",
            example,
            "--target-dir",
        ]);
        cargo.arg(root.join("target").join("interop"));
        process::run(&mut cargo)
            .with_context(|| format!("run the example `{example}` of `{package}`"))?;
    }
    Ok(())
}

//! `cargo xtask interop`: builds and tests the workspace of `interop/`, whose crates connect kernels with other libraries.
//!
//! It is no part of `cargo xtask test`, since it compiles candle, cudarc and cust. Tests that need a GPU run with the
//! simulated driver where there is none; those that need Python find the packages that `cargo xtask setup` installed.

mod candle_cuda;

use std::process::Command;

use anyhow::{Context, Result};

use crate::process;
use crate::setup::{self, Scope};
use crate::simulated_driver::{self, Profile};
use crate::workspace;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Use the packages in cargo's cache only
    #[arg(long)]
    offline: bool,
    /// Install PyTorch (6 GB on disk) for the tests that exchange tensors with it
    #[arg(long)]
    pytorch: bool,
    /// Test the operations for candle with its feature `cuda` only, on the simulated driver; the first time compiles
    /// candle's kernels, which takes about 15 minutes
    #[arg(long)]
    cuda: bool,
    /// Arguments of `cargo test`, such as `-p tile-kernel-candle`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run(Scope::Everything, &setup::Options::default())?;
    if options.cuda {
        return candle_cuda::test(options.offline);
    }
    let interop = workspace::root().join("interop");
    let target = workspace::root().join("target").join("interop");
    let mut tests = workspace::cargo();
    tests.current_dir(&interop).args(["test", "--locked"]);
    tests.arg("--target-dir").arg(&target);
    if options.offline {
        tests.arg("--offline");
    }
    let names_packages = options
        .arguments
        .iter()
        .any(|argument| argument == "-p" || argument == "--package");
    if !names_packages {
        tests.arg("--workspace");
    }
    tests.args(&options.arguments);
    if !simulated_driver::is_installed() {
        let driver = simulated_driver::build(Profile::Dev)?;
        simulated_driver::find(&mut tests, &driver, &[])?;
    }
    let pytorch = options
        .pytorch
        .then(|| setup::optional(setup::PYTORCH))
        .transpose()?;
    setup::find_python_packages(&mut tests, pytorch.as_deref().as_slice())?;
    process::run(&mut tests)?;
    if names_packages {
        return Ok(());
    }
    // Examples are programs of users, which say nothing if they are only compiled. The tests have built them.
    for example in ["rows", "attention_input"] {
        let program = target.join("debug").join("examples").join(example);
        process::run(&mut Command::new(program))
            .with_context(|| format!("run the example `{example}`"))?;
    }
    Ok(())
}

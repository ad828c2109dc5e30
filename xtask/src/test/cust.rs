//! The tests of the feature `cust`, on a machine with or without a CUDA installation.
//!
//! The crate `cust` links `-lcuda`. Without a driver, a stub library that `tests/cust-stub/build.sh` builds is
//! linked, and the tests run with the simulated driver, `tile-sim-driver`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::workspace;

/// Returns the command that runs these tests.
pub(super) fn tests() -> Result<Command> {
    let mut cargo = workspace::cargo();
    // Runs in the whole workspace, so that code that does not depend on the feature is not compiled
    // again.
    cargo.args(["test", "--workspace", "--test", "cust"]);
    cargo.args(["--features", "tile-kernel/cust"]);
    if driver_is_installed() {
        return Ok(cargo);
    }
    link_and_run_without_gpu(&mut cargo)?;
    Ok(cargo)
}

/// Lets a command of cargo link `cust` with a stub, and run programs with the simulated driver.
pub(crate) fn link_and_run_without_gpu(cargo: &mut Command) -> Result<()> {
    let root = workspace::root();
    let stub = root.join("target").join("cust-stub");
    let status = Command::new("sh")
        .arg(root.join("tests").join("cust-stub").join("build.sh"))
        .arg(&stub)
        .status()
        .context("run `tests/cust-stub/build.sh`")?;
    ensure!(status.success(), "`tests/cust-stub/build.sh` failed");
    cargo.env("CUDA_LIBRARY_PATH", &stub);
    cargo.env("LD_LIBRARY_PATH", simulated(&root)?);
    Ok(())
}

/// Builds the simulated driver, and returns the folder where it has the name of NVIDIA's.
fn simulated(root: &Path) -> Result<PathBuf> {
    let mut cargo = workspace::cargo();
    // The tests of the whole workspace are built like this, so that nothing is compiled a second time.
    let status = cargo
        .args(["build", "--workspace", "--lib", "--examples"])
        .status();
    let status = status.context("run `cargo build --workspace --lib --examples`")?;
    ensure!(status.success(), "`tile-sim-driver` does not build");
    let target = root.join("target");
    let folder = target.join("sim-driver");
    fs::create_dir_all(&folder).context("make `target/sim-driver`")?;
    let library = target.join("debug").join("libtile_sim_driver.so");
    fs::copy(&library, folder.join("libcuda.so.1"))
        .with_context(|| format!("copy `{}`", library.display()))?;
    Ok(folder)
}

/// Returns `true` if the dynamic linker finds `libcuda`.
pub(crate) fn driver_is_installed() -> bool {
    let listed = Command::new("ldconfig").arg("-p").output();
    listed.is_ok_and(|listed| String::from_utf8_lossy(&listed.stdout).contains("libcuda.so.1"))
}

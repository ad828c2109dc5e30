//! The simulated driver, where there is no CUDA installation: programs are linked and run with it.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::workspace;

/// How the driver is built.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    Dev,
    /// For kernels that run long.
    Release,
}

/// Builds `tile-sim-driver` and gives it the names of NVIDIA's library. Returns the folder.
pub(crate) fn build(profile: Profile) -> Result<PathBuf> {
    let target = workspace::root().join("target");
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--locked"]);
    let built = match profile {
        // The tests of the whole workspace are built like this, so that nothing is compiled a second time.
        Profile::Dev => {
            cargo.args(["--workspace", "--lib", "--examples"]);
            "debug"
        }
        Profile::Release => {
            cargo.args(["--release", "-p", "tile-sim-driver", "--lib"]);
            "release"
        }
    };
    let status = cargo.status().context("run `cargo build`")?;
    ensure!(status.success(), "`tile-sim-driver` does not build");
    let folder = target.join("sim-driver").join(built);
    let libraries = folder.join("lib64");
    fs::create_dir_all(&libraries).context("make `target/sim-driver/lib64`")?;
    let library = target.join(built).join("libtile_sim_driver.so");
    let copy = libraries.join("libcuda.so.1");
    replace(&library, &copy)?;
    // A link, so that a program that is linked with one and loads the other has one driver.
    let link = libraries.join("libcuda.so");
    match symlink("libcuda.so.1", &link) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(error).with_context(|| format!("make the link `{}`", link.display()));
        }
        _ => {}
    }
    Ok(folder)
}

/// Lets a command link and run programs with what [`build`] built, and with libraries in other folders.
pub(crate) fn find(command: &mut Command, driver: &Path, others: &[&Path]) -> Result<()> {
    // `find_cuda_helper`, which both build scripts of `cust` call, takes each folder of CUDA_LIBRARY_PATH that has a
    // `lib64`.
    command.env("CUDA_LIBRARY_PATH", driver);
    let inherited = env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let paths = [driver.join("lib64")]
        .into_iter()
        .chain(others.iter().map(|&path| path.to_owned()))
        .chain(env::split_paths(&inherited));
    let paths = env::join_paths(paths).context("join the paths of libraries")?;
    command.env("LD_LIBRARY_PATH", paths);
    Ok(())
}

/// Copies a library in one step, since a program may have the earlier one loaded.
fn replace(library: &Path, copy: &Path) -> Result<()> {
    let fresh = copy.with_extension("fresh");
    fs::copy(library, &fresh)
        .and_then(|_| fs::rename(&fresh, copy))
        .with_context(|| format!("copy `{}` to `{}`", library.display(), copy.display()))
}

/// Returns `true` if the dynamic linker finds `libcuda`.
pub(crate) fn is_installed() -> bool {
    let listed = Command::new("ldconfig").arg("-p").output();
    listed.is_ok_and(|listed| String::from_utf8_lossy(&listed.stdout).contains("libcuda.so.1"))
}

//! `cargo xtask interop --cuda`: the operations for candle on candle's CUDA device, on the simulated driver.
//!
//! candle compiles its own kernels with `nvcc`, which PyPI has, and links libraries of NVIDIA. Those that are not needed
//! to make a device and to run these operations are stubs.

use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::simulated_driver::{self, Profile};
use crate::{process, setup, workspace};

/// Libraries that candle links, and that our stubs are.
const STUBS: [&str; 4] = ["cublas", "cublasLt", "curand", "nvrtc"];

pub(super) fn test(offline: bool) -> Result<()> {
    let toolkit = setup::optional(setup::NVCC)?.join("nvidia").join("cu13");
    let interop = workspace::root().join("interop");
    let stubs = stubs(&interop, &toolkit)?;
    let driver = simulated_driver::build(Profile::Dev)?;
    let mut cargo = workspace::cargo();
    cargo.current_dir(&interop).args(["test", "--locked"]);
    cargo.args(["-p", "tile-kernel-candle", "--features=cuda"]);
    cargo.args(["--test=operations", "--target-dir"]);
    cargo.arg(workspace::root().join("target").join("interop"));
    if offline {
        cargo.arg("--offline");
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let paths = [toolkit.join("bin")]
        .into_iter()
        .chain(env::split_paths(&path));
    cargo
        .env("PATH", env::join_paths(paths)?)
        .env("CUDA_HOME", &toolkit)
        // There is no GPU to ask for its architecture, and cudarc does not know the version of the compiler.
        .env("CUDA_COMPUTE_CAP", "80")
        .env("CUDARC_CUDA_VERSION", "13040")
        .env(
            "LIBRARY_PATH",
            env::join_paths([&stubs, &driver.join("lib64")])?,
        )
        // `fast_sum_f16` of candle has a race within a warp, which the simulator finds: `__syncwarp` is missing.
        .env("TILE_SIM_CHECKS", "cheap");
    simulated_driver::find(&mut cargo, &driver, &[&stubs, &toolkit.join("lib")])?;
    process::run(&mut cargo)
}

/// Builds the libraries that candle links, and returns their folder.
fn stubs(interop: &Path, toolkit: &Path) -> Result<PathBuf> {
    let folder = workspace::root().join("target").join("cuda-stubs");
    fs::create_dir_all(&folder).context("make `target/cuda-stubs`")?;
    let source = interop
        .join("tile-kernel-candle")
        .join("tests")
        .join("stub")
        .join("libraries.c");
    for name in STUBS {
        let mut compiler = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
        compiler.args(["-shared", "-fPIC", "-o"]);
        compiler.arg(folder.join(format!("lib{name}.so")));
        process::run(compiler.arg(&source))?;
    }
    // The runtime of candle's quantized kernels, which registers them when the program starts.
    let link = folder.join("libcudart.so");
    let _ = fs::remove_file(&link);
    let runtime = toolkit.join("lib").join("libcudart.so.13");
    symlink(&runtime, &link).with_context(|| format!("link `{}`", runtime.display()))?;
    Ok(folder)
}

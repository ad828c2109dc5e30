//! The cases of `gpu/` on a driver that runs work as late as it may, so that
//! an order which is not kept shows. `late-driver/libcuda.c` says how.

#![cfg(target_os = "linux")]

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use tile_kernel::Device;

#[path = "gpu/cases.rs"]
mod cases;

/// Says to this program that it runs with the driver.
const WITH_DRIVER: &str = "LATE_DRIVER";

/// The folder with the compiled driver.
fn driver() -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("late-driver");
    fs::create_dir_all(&folder).expect("cargo made the folder around it");
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/late-driver/libcuda.c");
    let compiled = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()))
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
        .arg(folder.join("libcuda.so"))
        .arg(source)
        .status()
        .expect("rustc needs a C linker too");
    assert!(compiled.success(), "the driver compiles");
    folder
}

/// Runs all cases in this program with the driver, which has to be there at its start.
fn run(pools: Option<&str>) {
    let mut command = Command::new(env::current_exe().expect("this test has a path"));
    command
        .args(["cases_with_the_driver", "--nocapture"])
        .env(WITH_DRIVER, "1")
        .env("LD_LIBRARY_PATH", driver());
    if let Some(pools) = pools {
        command.env("LATE_DRIVER_NO_POOLS", pools);
    }
    let output = command.output().expect("it runs once already");
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 passed"), "{text}");
}

#[test]
fn every_launch_and_copy_is_in_order_with_and_without_memory_pools() {
    run(None);
    run(Some("1"));
}

/// The other side of [`run`]; on its own it has nothing to do.
#[test]
fn cases_with_the_driver() -> tile_kernel::Result<()> {
    if env::var_os(WITH_DRIVER).is_none() {
        return Ok(());
    }
    for (_, case) in cases::ALL {
        case(Device::cuda(0)?)?;
    }
    Ok(())
}

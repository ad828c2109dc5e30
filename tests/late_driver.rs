//! Runs the cases of `gpu/` on a driver that executes work as late as allowed, which reveals
//! missing ordering. `late-driver/libcuda.c` describes the driver.

#![cfg(target_os = "linux")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

use tile_kernel::{Device, Error};

mod c_library;
#[path = "gpu/cases.rs"]
mod cases;
#[path = "late-driver/clusters.rs"]
mod clusters;

/// The environment variable that tells this program that it runs with the driver.
const WITH_DRIVER: &str = "LATE_DRIVER";

/// Compiles the driver, and returns its folder.
fn driver() -> &'static Path {
    static DRIVER: OnceLock<PathBuf> = OnceLock::new();
    DRIVER.get_or_init(|| c_library::compile("tests/late-driver/libcuda.c", "libcuda.so"))
}

/// Runs one test of this program with the driver, which must be present when it starts.
fn run(test: &str, variables: &[(&str, &str)]) {
    let output = Command::new(env::current_exe().expect("this test has a path"))
        .args([test, "--exact", "--nocapture"])
        .env(WITH_DRIVER, "1")
        .env("LD_LIBRARY_PATH", driver())
        .envs(variables.iter().copied())
        .output()
        .expect("it runs once already");
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 passed"), "{text}");
}

/// Returns `true` if the driver is present. Without it, the child tests of [`run`] do nothing.
fn has_driver() -> bool {
    env::var_os(WITH_DRIVER).is_some()
}

#[test]
fn every_launch_and_copy_is_in_order_with_and_without_memory_pools() {
    run("cases_with_the_driver", &[]);
    run("cases_with_the_driver", &[("LATE_DRIVER_NO_POOLS", "1")]);
}

#[test]
fn cases_with_the_driver() -> tile_kernel::Result<()> {
    if !has_driver() {
        return Ok(());
    }
    for (_, case) in cases::ALL {
        case(Device::cuda(0)?)?;
    }
    Ok(())
}

/// Returns the queries and launches that the driver logged, on a device that runs `clusters`
/// clusters and `blocks` blocks per multiprocessor concurrently.
fn launched(clusters: &str, blocks: &str) -> Vec<String> {
    let variables = [
        ("LATE_DRIVER_CLUSTERS", clusters),
        ("LATE_DRIVER_BLOCKS", blocks),
    ];
    logged("clusters_with_the_driver", &variables)
}

/// Runs one test of this program with the driver, and returns what the driver logged.
fn logged(test: &str, variables: &[(&str, &str)]) -> Vec<String> {
    let values = variables.iter().map(|(_, value)| *value);
    let words: Vec<&str> = std::iter::once(test).chain(values).collect();
    let log = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(words.join("_"));
    // Removes the log of an earlier run.
    let _removed = fs::remove_file(&log);
    let path = log.to_str().expect("a path in UTF-8");
    let mut variables = variables.to_vec();
    variables.push(("LATE_DRIVER_LOG", path));
    run(test, &variables);
    let text = fs::read_to_string(&log).expect("the driver wrote it");
    text.lines().map(str::to_owned).collect()
}

/// Tests that each query is made once, although each kernel is launched twice.
#[test]
fn clusters_are_started_as_far_as_the_device_has_them() {
    let many = [
        "clusters axpy__shared 65536 4",
        "launch axpy__shared 1200 4",
        "launch axpy__shared 1200 4",
        "clusters axpy__paired 0 2",
        "launch axpy__paired 300 2",
        "launch axpy__paired 300 2",
        "blocks axpy__turns 65536 1",
        "launch axpy__turns 264 1",
        "launch axpy__turns 264 1",
        "blocks axpy__turns 65536 1",
        "clusters axpy__turns 65536 2",
        "launch axpy__turns 264 2",
        "launch axpy__turns 264 2",
    ];
    assert_eq!(launched("1000", "2"), many);
    assert_eq!(launched("132", "7"), many);
}

#[test]
fn blocks_that_take_turns_are_no_more_than_run_at_once() {
    let turns = |clusters, blocks| {
        let mut launches = launched(clusters, blocks);
        launches.retain(|line| line.starts_with("launch axpy__turns"));
        launches.dedup();
        launches
    };
    // With an odd number of multiprocessors, one is unused.
    let few = ["launch axpy__turns 132 1", "launch axpy__turns 130 2"];
    assert_eq!(turns("65", "1"), few);
    let one = ["launch axpy__turns 264 1", "launch axpy__turns 2 2"];
    assert_eq!(turns("1", "2"), one);
}

#[test]
fn a_device_without_clusters_starts_blocks_by_themselves_or_another_variant() {
    let alone = [
        "clusters axpy__shared 65536 4",
        "launch axpy__general 300 1",
        "launch axpy__general 300 1",
        "clusters axpy__paired 0 2",
        "launch axpy__paired 300 1",
        "launch axpy__paired 300 1",
        "blocks axpy__turns 65536 1",
        "launch axpy__turns 264 1",
        "launch axpy__turns 264 1",
        "blocks axpy__turns 65536 1",
        "clusters axpy__turns 65536 2",
        "launch axpy__turns 264 1",
        "launch axpy__turns 264 1",
    ];
    assert_eq!(launched("0", "2"), alone);
    // A driver that refuses even the query has no clusters either.
    assert_eq!(launched("-1", "3"), alone);
}

#[test]
fn clusters_with_the_driver() -> tile_kernel::Result<()> {
    if !has_driver() {
        return Ok(());
    }
    let device = Device::cuda(0)?;
    for image in clusters::ALL {
        clusters::run(device, image)?;
        clusters::run(device, image)?;
    }
    Ok(())
}

#[test]
fn a_programmatic_kernel_may_start_before_the_previous_one_has_ended() {
    let expected = [
        "programmatic axpy__paired 300 1",
        "launch axpy__paired 300 1",
        "programmatic axpy__paired 300 1",
        "clusters axpy__paired 0 2",
        "programmatic axpy__paired 300 2",
        "launch axpy__paired 300 2",
        "programmatic axpy__paired 300 2",
    ];
    assert_eq!(logged("programmatic_with_the_driver", &[]), expected);
}

#[test]
fn programmatic_with_the_driver() -> tile_kernel::Result<()> {
    if !has_driver() {
        return Ok(());
    }
    let device = Device::cuda(0)?;
    for image in clusters::PROGRAMMATIC {
        clusters::run(device, image)?;
        clusters::run_with(device, image, |launch| launch.programmatic(false))?;
        clusters::run_with(device, image, |launch| launch.programmatic(true))?;
    }
    let refused = clusters::run_with(device, &clusters::PAIRED, |launch| {
        launch.programmatic(true)
    });
    assert!(matches!(refused, Err(Error::NotProgrammatic { .. })));
    Ok(())
}

#[test]
fn a_cluster_that_the_driver_refuses_is_an_error_with_the_cure() {
    let refuses = [("LATE_DRIVER_REFUSES", "1")];
    run("refused_clusters_with_the_driver", &refuses);
}

#[test]
fn refused_clusters_with_the_driver() -> tile_kernel::Result<()> {
    if !has_driver() {
        return Ok(());
    }
    let error = clusters::run(Device::cuda(0)?, &clusters::PAIRED);
    let error = error.expect_err("the driver starts no cluster");
    assert!(matches!(error, Error::Driver { .. }), "{error}");
    let cure = "write `cluster = 1` in `#[tile_kernel]` on the kernel";
    assert!(error.to_string().ends_with(cure), "{error}");
    Ok(())
}

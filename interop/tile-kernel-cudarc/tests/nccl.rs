//! Collective operations on tensors of several GPUs, with a stand-in for NCCL (`nccl/libnccl.c`), on the simulated driver
//! where there are not two GPUs; and what happens without NCCL. `cargo xtask interop` runs them.

use std::env;
use std::path::Path;
use std::process::Command;

use tile_kernel::prelude::*;
use tile_kernel_cudarc::nccl::{self, Error, Group, Operation};

type Result = std::result::Result<(), Box<dyn std::error::Error>>;

/// The environment variable that tells this program what to run.
const PART: &str = "NCCL_TEST_PART";

/// Runs a test of this program in another process, which finds libraries in these folders.
fn run(test: &str, folders: &str) {
    let output = Command::new(env::current_exe().expect("this test has a path"))
        .args([test, "--exact", "--nocapture"])
        .env(PART, test)
        .env("LD_LIBRARY_PATH", folders)
        // Only the simulated driver reads it.
        .env("TILE_SIM_DEVICES", "h100*4")
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

fn is_child(test: &str) -> bool {
    env::var(PART).is_ok_and(|part| part == test)
}

fn folders() -> String {
    env::var("LD_LIBRARY_PATH").unwrap_or_default()
}

#[test]
fn a_missing_library_is_an_error_with_its_cure() {
    if Path::new("/usr/lib/x86_64-linux-gnu/libnccl.so").exists() {
        return;
    }
    run("missing_library", &folders());
}

#[test]
fn missing_library() -> Result {
    if !is_child("missing_library") {
        return Ok(());
    }
    assert_eq!(nccl::version(), Err(Error::Missing));
    let group = Group::new(&[Device::cuda(0)?]);
    let error = group.expect_err("there is no library");
    assert_eq!(
        error.to_string(),
        "no NCCL found: install it (the package `libnccl-dev`, or `nvidia-nccl-cu12` of PyPI), and put a folder with a link \
         `libnccl.so` to its `libnccl.so.2` in `LD_LIBRARY_PATH`"
    );
    Ok(())
}

#[test]
fn tensors_of_a_group_are_reduced_and_broadcast_in_order_with_launches() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("nccl");
    std::fs::create_dir_all(&folder).expect("cargo made the folder around it");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nccl/libnccl.c");
    let compiled = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()))
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
        .args([&folder.join("libnccl.so"), &source])
        .arg("-ldl")
        .status()
        .expect("rustc needs a C linker too");
    assert!(compiled.success(), "the library compiles");
    run(
        "group_of_devices",
        &format!("{}:{}", folder.display(), folders()),
    );
}

/// Adds 1 to each element.
#[tile_kernel(grid = x.tiles([64]), arch("sm_80"))]
fn increment(x: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    x.store([i], x.load([i], [64]) + 1.0);
}

#[test]
fn group_of_devices() -> Result {
    if !is_child("group_of_devices") {
        return Ok(());
    }
    assert_eq!(nccl::version()?, 23003);
    let devices = (0..4).map(Device::cuda);
    let devices: Vec<Device> = devices.collect::<tile_kernel::Result<_>>()?;
    let group = Group::new(&devices)?;
    let mut tensors = Vec::new();
    for (number, device) in devices.iter().enumerate() {
        tensors.push(Tensor::full(device, [300], number as f32)?);
    }
    let streams = devices.iter().map(Stream::new);
    let streams: Vec<Stream> = streams.collect::<tile_kernel::Result<_>>()?;
    let launch = |tensors: &mut [Tensor<f32, 1>]| {
        let mut pairs = tensors.iter_mut().zip(&streams);
        pairs.try_for_each(|(tensor, stream)| increment(tensor).on(stream).launch())
    };
    // Nothing waits on the host between these: the simulated driver finds what is not in order.
    launch(&mut tensors)?;
    group.all_reduce(&mut tensors, Operation::Sum)?;
    launch(&mut tensors)?;
    for tensor in &tensors {
        assert_eq!(tensor.to_vec()?, [11.0; 300]);
    }
    tensors[2].fill(50.0)?;
    group.all_reduce(&mut tensors, Operation::Max)?;
    launch(&mut tensors)?;
    tensors[1].fill(7.0)?;
    group.broadcast(&mut tensors, 1)?;
    for tensor in &tensors {
        assert_eq!(tensor.to_vec()?, [7.0; 300]);
    }
    refused(&group, &devices)
}

fn refused(group: &Group, devices: &[Device]) -> Result {
    let zeros = |device: &Device, len| Tensor::<f32, 1>::zeros(device, [len]);
    let mut tensors = Vec::new();
    for device in devices {
        tensors.push(zeros(device, 10)?);
    }
    let index = |result: std::result::Result<(), Error>| match result {
        Err(Error::Tensors { index, .. }) => Some(index),
        _ => None,
    };
    let sum = |tensors: &mut [Tensor<f32, 1>]| group.all_reduce(tensors, Operation::Sum);
    assert_eq!(index(sum(&mut tensors[..3])), Some(3));
    assert_eq!(index(group.broadcast(&mut tensors, 4)), Some(4));
    tensors[3] = zeros(&devices[3], 11)?;
    assert_eq!(index(sum(&mut tensors)), Some(3));
    tensors[3] = zeros(&devices[3], 20)?.slice(0, .., 2)?;
    assert_eq!(index(sum(&mut tensors)), Some(3));
    tensors.swap(0, 1);
    assert_eq!(index(sum(&mut tensors)), Some(0));
    // What NCCL refuses is an error with its text.
    let error = Group::new(&[devices[0], devices[0]]).expect_err("one device twice");
    assert_eq!(
        error.to_string(),
        "`ncclCommInitAll` of NCCL failed: invalid usage; set `NCCL_DEBUG=INFO` and it says why"
    );
    Ok(())
}

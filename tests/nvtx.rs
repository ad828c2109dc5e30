//! Tests of the ranges that a profiler sees, with a profiler that writes them to a file (`nvtx/profiler.c`).

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs};

use tile_kernel::prelude::*;
use tile_kernel::{Graph, HostBuffer, Result, nvtx};

mod c_library;
#[expect(dead_code, reason = "only a part of this program runs with the driver")]
mod sim_driver;

#[tile_kernel(grid = x.tiles([64]), arch("sm_80"))]
fn double(x: &mut Tensor<f32, 1>) {
    let i = block_id(0);
    x.store([i], x.load([i], [64]) * 2.0);
}

/// The environment variable that tells this program which device to use.
const DEVICE: &str = "NVTX_TEST_DEVICE";

/// Runs [`program`] on a device, with or without a profiler. Returns the ranges.
fn ranges_of(device: &str, profiler: Option<&Path>) -> String {
    // Tests run at the same time.
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("nvtx-{device}-{number}.log"));
    // Removes the log of an earlier run.
    let _removed = fs::remove_file(&log);
    let program = env::current_exe().expect("this test has a path");
    let simulated = (device == "cuda" && Device::cuda(0).is_err())
        .then(|| sim_driver::command(&program))
        .flatten();
    let mut command = simulated.unwrap_or_else(|| Command::new(&program));
    command
        .args(["program_with_the_profiler", "--exact", "--nocapture"])
        .env(DEVICE, device)
        .env("PROFILER_LOG", &log)
        .env_remove("NVTX_INJECTION64_PATH");
    if let Some(profiler) = profiler {
        command.env("NVTX_INJECTION64_PATH", profiler);
    }
    let output = command.output().expect("it runs once already");
    let text = format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 passed"), "{text}");
    fs::read_to_string(&log).unwrap_or_default()
}

#[test]
fn program_with_the_profiler() -> Result<()> {
    match env::var(DEVICE).as_deref() {
        Ok("cpu") => program(Device::cpu()),
        Ok(_) => program(Device::cuda(0)?),
        Err(_) => Ok(()),
    }
}

fn program(device: Device) -> Result<()> {
    let stream = Stream::new(&device)?;
    let _step = nvtx::range("step");
    let mut x = Tensor::from_slice(&device, &[1.0; 100], [100])?;
    double(&mut x).launch()?;
    let mut buffer = HostBuffer::zeros(&device, 100)?;
    x.copy_to_async(&mut buffer, &stream)?;
    x.copy_from_async(&buffer, &stream)?;
    let graph = Graph::capture(&stream, || double(&mut x).launch())?.instantiate()?;
    graph.launch(&stream)?;
    assert_eq!(x.to_vec()?, [4.0; 100]);
    x.fill(0.0)
}

/// The ranges of [`program`], by depth. The CPU device runs the launches of a graph one by one.
const RANGES: [(u32, &str); 9] = [
    (0, "step"),
    (1, "upload"),
    (1, "double"),
    (1, "download"),
    (1, "upload"),
    (1, "graph"),
    (2, "double"),
    (1, "download"),
    (1, "fill"),
];

/// Returns what the profiler writes of these ranges.
fn log(ranges: &[(u32, &str)]) -> String {
    let mut lines = Vec::new();
    let mut depth = 0;
    let mut end = |lines: &mut Vec<String>, to: u32| {
        while depth > to {
            depth -= 1;
            lines.push(format!("tile-kernel {depth} end\n"));
        }
        depth = to + 1;
    };
    for &(at, name) in ranges {
        end(&mut lines, at);
        lines.push(format!("tile-kernel {at} {name}\n"));
    }
    end(&mut lines, 0);
    lines.concat()
}

#[test]
fn a_profiler_sees_launches_copies_and_graphs() {
    let folder = c_library::compile("tests/nvtx/profiler.c", "libprofiler.so");
    let profiler = folder.join("libprofiler.so");
    assert_eq!(ranges_of("cpu", Some(&profiler)), log(&RANGES));
    let on_gpu: Vec<_> = RANGES.into_iter().filter(|(depth, _)| *depth < 2).collect();
    if sim_driver::library().is_some() || Device::cuda(0).is_ok() {
        assert_eq!(ranges_of("cuda", Some(&profiler)), log(&on_gpu));
    }
}

#[test]
fn without_a_profiler_or_with_one_that_is_none_nothing_changes() {
    assert_eq!(ranges_of("cpu", None), "");
    assert_eq!(ranges_of("cpu", Some(Path::new("/dev/null"))), "");
    let driver = c_library::compile("tests/launch-cost/libcuda.c", "libnone.so");
    assert_eq!(ranges_of("cpu", Some(&driver.join("libnone.so"))), "");
}

//! What a measurement on a GPU asks of the driver, by the simulated one.

use std::env;
use std::ffi::{c_char, c_int, c_uint};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use libloading::Library;
use tile_kernel::bench::{Bench, Cache, Clocks, Measurement, Throttle, Warning, do_bench};
use tile_kernel::prelude::*;
use tile_kernel::{Error, Result};

use crate::devices::Case;
use crate::kernels::Operands;

/// All cases, by name.
pub(crate) const ALL: &[(&str, Case)] = &[
    (
        "runs_are_queued_between_events",
        runs_are_queued_between_events,
    ),
    (
        "a_write_precedes_each_run_with_a_cold_cache",
        a_write_precedes_each_run_with_a_cold_cache,
    ),
    ("throttling_is_noticed", throttling_is_noticed),
    (
        "clocks_are_not_checked_without_nvml",
        clocks_are_not_checked_without_nvml,
    ),
    (
        "a_failing_driver_ends_the_measurement",
        a_failing_driver_ends_the_measurement,
    ),
    (
        "work_on_another_stream_is_not_measured",
        work_on_another_stream_is_not_measured,
    ),
    ("nothing_stays_behind", nothing_stays_behind),
];

static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
    let path = env::var_os("TILE_SIM_DRIVER").expect("the parent sets it");
    // SAFETY: the initializers of `tile-sim-driver` have no requirement on the program.
    unsafe { Library::new(path) }.expect("the library is beside this program")
});

/// Returns a function of the library.
///
/// # Safety
/// `Function` is its type.
unsafe fn function<Function: Copy>(name: &str) -> Function {
    // SAFETY: the caller's promise; the library is never unloaded.
    let symbol = unsafe { LIBRARY.get::<Function>(name) };
    *symbol.expect("the simulated driver has the function")
}

/// One list of calls, or one change of the device, at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// Runs this program again for one case alone: other cases call the driver too.
fn alone(name: &str, variables: &[(&str, &str)]) {
    let program = env::current_exe().expect("this test has a path");
    let mut command = Command::new(program);
    command.args([&format!("driver/{name}"), "--exact", "--nocapture"]);
    command.env(SECOND, "1").envs(variables.iter().copied());
    let output = command.output().expect("it runs once already");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}{errors}"
    );
}

/// The variable that is set for a case that runs alone.
const SECOND: &str = "BENCH_TEST_ALONE";

fn is_alone() -> bool {
    env::var_os(SECOND).is_some()
}

/// Returns the calls of the driver during `work` that a measurement is about, as single letters.
fn calls_of(work: impl FnOnce() -> Result<()>) -> Result<String> {
    type Begin = unsafe extern "C" fn() -> c_uint;
    type End = unsafe extern "C" fn(*mut c_char, c_int) -> c_uint;
    let mut text = vec![0u8; 1 << 20];
    let length = c_int::try_from(text.len()).expect("it is short");
    // SAFETY: these are the types; the function writes as many bytes at most.
    unsafe {
        assert_eq!(function::<Begin>("tileSimBeginCalls")(), 0);
        work()?;
        let end = function::<End>("tileSimEndCalls");
        assert_eq!(end(text.as_mut_ptr().cast(), length), 0);
    }
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(0);
    let text = String::from_utf8_lossy(&text[..end]).into_owned();
    let letters = text.lines().filter_map(|call| match call {
        "cuEventRecord" => Some('e'),
        "cuLaunchKernel" | "cuLaunchKernelEx" => Some('k'),
        "cuMemsetD8Async" => Some('m'),
        "cuEventQuery" | "cuEventSynchronize" | "cuStreamSynchronize" => Some('w'),
        "cuEventElapsedTime" => Some('t'),
        "nvmlDeviceGetCurrentClocksThrottleReasons" => Some('c'),
        _ => None,
    });
    Ok(letters.collect())
}

/// Replaces several waits by one.
fn with_single_waits(calls: &str) -> String {
    let mut all: Vec<char> = calls.chars().collect();
    all.dedup_by(|a, b| a == b && matches!(a, 'w' | 'c'));
    let text: String = all.into_iter().collect();
    let mut short = text.clone();
    loop {
        let next = short.replace("cwcw", "cw");
        if next == short {
            return short;
        }
        short = next;
    }
}

fn none() -> Bench {
    Bench::new()
        .warm_up(Duration::ZERO)
        .duration(Duration::ZERO)
}

fn runs_are_queued_between_events(device: Device) -> Result<()> {
    if !is_alone() {
        alone("runs_are_queued_between_events", &[]);
        return Ok(());
    }
    let mut operands = Operands::new(device, 5000)?;
    operands.add(&Stream::of_device(&device)?)?; // loads the module
    device.synchronize()?;
    let calls = calls_of(|| {
        let time = none()
            .min_samples(3)
            .run(&device, |stream| operands.add(stream))?;
        assert_eq!(time.samples().len(), 3);
        Ok(())
    })?;
    let calls = with_single_waits(&calls);
    // All is queued before the first wait, and the clocks are looked at before it.
    assert!(calls.starts_with("ekeekeekecw"), "{calls}");
    assert_eq!(calls.matches('t').count(), 3, "{calls}");
    assert!(!calls.contains('m'), "{calls}");
    Ok(())
}

fn a_write_precedes_each_run_with_a_cold_cache(device: Device) -> Result<()> {
    if !is_alone() {
        alone("a_write_precedes_each_run_with_a_cold_cache", &[]);
        return Ok(());
    }
    let mut operands = Operands::new(device, 5000)?;
    operands.add(&Stream::of_device(&device)?)?;
    device.synchronize()?;
    let mut time = None;
    let calls = calls_of(|| {
        let bench = none().min_samples(2).cache(Cache::Cold);
        time = Some(bench.run(&device, |stream| operands.add(stream))?);
        Ok(())
    })?;
    let calls = with_single_waits(&calls);
    assert!(calls.starts_with("mekemekecw"), "{calls}");
    // The write is not measured.
    let warm = none().run(&device, |stream| operands.add(stream))?;
    assert_eq!(time.map(|time| time.median()), Some(warm.median()));

    // A warm-up of runs like those that are measured, and then as many as fit.
    let calls = calls_of(|| {
        let microseconds = Duration::from_micros;
        let bench = Bench::new().cache(Cache::Cold).warm_up(microseconds(40));
        let time = bench
            .duration(microseconds(80))
            .run(&device, |stream| operands.add(stream))?;
        assert!(!time.samples().is_empty());
        Ok(())
    })?;
    let calls = with_single_waits(&calls);
    // The events around all of a part of the warm-up are the outer ones.
    assert!(calls.starts_with("emekecw"), "{calls}");
    let runs = calls.matches("meke").count();
    assert_eq!(runs, calls.matches('k').count(), "{calls}");
    Ok(())
}

fn set_throttle(reasons: u64) {
    type Set = unsafe extern "C" fn(c_int, u64) -> c_uint;
    // SAFETY: this is the type.
    let done = unsafe { function::<Set>("tileSimSetThrottle")(0, reasons) };
    assert_eq!(done, 0);
}

fn measured(device: Device) -> Result<Measurement> {
    let mut operands = Operands::new(device, 5000)?;
    do_bench(&device, |stream| operands.add(stream))
}

fn throttling_is_noticed(device: Device) -> Result<()> {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    set_throttle(0x44);
    let time = measured(device);
    set_throttle(0);
    let time = time?;
    let Clocks::Gpu(clocks) = time.clocks() else {
        panic!("{:?}", time.clocks());
    };
    let reasons = [Throttle::PowerCap, Throttle::HardwareThermalSlowdown];
    assert_eq!(clocks.throttled, reasons);
    assert_eq!(clocks.multiprocessors_mhz, Some((1485, 1485)));
    assert_eq!(clocks.memory_mhz, Some((2619, 2619)));
    assert_eq!(time.warnings(), reasons.map(Warning::Throttled));
    assert!(!time.is_steady());
    let line = time.to_string();
    assert!(
        line.contains("; the GPU was throttled: power cap;"),
        "{line}"
    );

    // It is noticed too if it ends before the measurement: the samples are queued in two parts.
    let mut operands = Operands::new(device, 100)?;
    let mut calls = 0;
    set_throttle(0x4);
    let time = none().min_samples(600).run(&device, |stream| {
        calls += 1;
        if calls == 550 {
            set_throttle(0);
        }
        operands.add(stream)
    })?;
    assert_eq!(time.warnings()[0], Warning::Throttled(Throttle::PowerCap));

    let time = measured(device)?;
    assert!(time.is_steady(), "{time}");
    assert_eq!(time.clocks().to_string(), "1980 MHz, 40 degrees Celsius");
    Ok(())
}

fn clocks_are_not_checked_without_nvml(device: Device) -> Result<()> {
    if !is_alone() {
        let name = "clocks_are_not_checked_without_nvml";
        alone(name, &[("TILE_SIM_HIDE", "nvmlInit_v2")]);
        return Ok(());
    }
    let time = measured(device)?;
    let reason = "NVML has no function `nvmlInit_v2`".to_owned();
    assert_eq!(time.clocks(), &Clocks::NotChecked(reason));
    assert!(time.is_steady());
    Ok(())
}

fn a_failing_driver_ends_the_measurement(device: Device) -> Result<()> {
    if !is_alone() {
        let fails = "cuEventRecord=CUDA_ERROR_OUT_OF_MEMORY@3";
        let name = "a_failing_driver_ends_the_measurement";
        alone(name, &[("TILE_SIM_FAIL", fails)]);
        return Ok(());
    }
    let mut operands = Operands::new(device, 5000)?;
    let result = none()
        .min_samples(3)
        .run(&device, |stream| operands.add(stream));
    assert!(
        matches!(
            result,
            Err(Error::Driver {
                call: "cuEventRecord",
                ..
            })
        ),
        "{result:?}"
    );
    Ok(())
}

fn work_on_another_stream_is_not_measured(device: Device) -> Result<()> {
    let (stream, other) = (Stream::new(&device)?, Stream::new(&device)?);
    let mut operands = Operands::new(device, 5000)?;
    let result = do_bench(&stream, |_| operands.add(&other));
    assert_eq!(result, Err(Error::NothingMeasured { device }));
    let long = Bench::new()
        .warm_up(Duration::from_secs(1))
        .duration(Duration::from_secs(1));
    let result = long.max_samples(10).run(&stream, |_| Ok(()));
    assert_eq!(result, Err(Error::NothingMeasured { device }));
    Ok(())
}

fn nothing_stays_behind(device: Device) -> Result<()> {
    type Live = unsafe extern "C" fn(*const c_char, *mut usize) -> c_uint;
    fn events() -> usize {
        let mut count = 0;
        // SAFETY: this is the type; the function reads a name and writes a number.
        let done =
            unsafe { function::<Live>("tileSimLiveObjects")(c"event".as_ptr(), &raw mut count) };
        assert_eq!(done, 0);
        count
    }
    if !is_alone() {
        alone("nothing_stays_behind", &[]);
        return Ok(());
    }
    measured(device)?;
    device.synchronize()?;
    let before = events();
    for _ in 0..3 {
        measured(device)?;
        let mut calls = 0;
        let failed = none().min_samples(5).run(&device, |_| {
            calls += 1;
            if calls == 3 {
                Err(Error::EventNotRecorded)
            } else {
                Ok(())
            }
        });
        assert_eq!(failed, Err(Error::EventNotRecorded));
    }
    device.synchronize()?;
    assert_eq!(events(), before);
    Ok(())
}

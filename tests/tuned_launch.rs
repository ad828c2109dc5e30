//! Tests of what a tuned launch costs, beside a direct launch of the candidate that it takes: memory, and time.

#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tile_kernel::bench::do_bench_paired;
use tile_kernel::prelude::*;
use tile_kernel::tuning::{ChosenBy, Tuner};
use tile_kernel::{Result, TunedLaunch};

#[expect(dead_code, reason = "this program starts itself by the name of a test")]
mod sim_driver;

/// Counts the allocations of each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: the system's allocator does it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: promised by the caller.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A kernel with many candidates, which are all as fast.
#[tile_kernel(
    grid = y.tiles([16]),
    instances(ADDED = 0..24),
    tune(ADDED, key(exact(x.dim(0)))),
    arch("sm_80"),
)]
fn scale<const ADDED: i32>(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>, by: f32) {
    let x = x.load([block_id(0)], [16]);
    y.store([block_id(0)], x * (by + ADDED as f32 * 1e-9));
}

/// The most that a tuned launch may take longer than a direct one. Measured: 0.3 microseconds where it is optimized.
const MOST: Duration = Duration::from_micros(if cfg!(debug_assertions) { 50 } else { 5 });

/// The arguments of a launch of one block.
struct Arguments(Tensor<f32, 1>, Tensor<f32, 1>);

impl Arguments {
    fn new(device: Device, len: usize) -> Result<Arguments> {
        Ok(Arguments(
            Tensor::full(&device, [len], 2.0)?,
            Tensor::zeros(&device, [len])?,
        ))
    }

    fn tuned(&mut self) -> TunedLaunch<'_> {
        scale_tuned(&self.0, &mut self.1, 0.5)
    }

    /// Starts a candidate that does the same.
    fn direct(&mut self) -> Launch<'_> {
        scale::<0>(&self.0, &mut self.1, 0.5)
    }
}

/// Excludes other tests. A new record makes the next launch of every key choose again, which allocates.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tunes launches, so that they have a record, and returns the arguments of one.
fn with_record(device: Device) -> Result<Arguments> {
    let mut arguments = Arguments::new(device, 16)?;
    let tuner = Tuner::new().time(Duration::from_millis(1));
    tuner.tune(&arguments.tuned())?;
    assert_eq!(arguments.tuned().choice()?.by, ChosenBy::Record);
    Ok(arguments)
}

/// Returns the allocations of so many runs, after some that allocate what the thread keeps.
fn allocations(mut run: impl FnMut() -> Result<()>) -> Result<usize> {
    (0..10).try_for_each(|_| run())?;
    let before = ALLOCATIONS.get();
    (0..100).try_for_each(|_| run())?;
    Ok(ALLOCATIONS.get() - before)
}

#[test]
fn a_warm_tuned_launch_allocates_nothing() -> Result<()> {
    let _alone = alone();
    let mut of_record = with_record(Device::cpu())?;
    assert_eq!(allocations(|| of_record.tuned().launch())?, 0);
    let mut of_model = Arguments::new(Device::cpu(), 17)?;
    assert_ne!(of_model.tuned().choice()?.by, ChosenBy::Record);
    assert_eq!(allocations(|| of_model.tuned().launch())?, 0);
    Ok(())
}

#[test]
fn many_keys_make_a_tuned_launch_no_slower() -> Result<()> {
    let _alone = alone();
    let mut all = (1..250)
        .map(|len| Arguments::new(Device::cpu(), len))
        .collect::<Result<Vec<_>>>()?;
    let mut launch_all = || all.iter_mut().try_for_each(|it| it.tuned().launch());
    launch_all()?;
    let start = Instant::now();
    (0..10).try_for_each(|_| launch_all())?;
    assert!(start.elapsed() / 2490 < 10 * MOST);
    Ok(())
}

/// Returns the median times of a tuned and a direct launch on the host, in seconds.
fn times(device: Device) -> Result<(f64, f64)> {
    let (mut one, mut other) = (with_record(device)?, with_record(device)?);
    if device == Device::cpu() {
        let paired = do_bench_paired(
            &device,
            |stream| one.tuned().on(stream).launch(),
            |stream| other.direct().on(stream).launch(),
        )?;
        return Ok((paired.a().median(), paired.b().median()));
    }
    // The clock of a simulated GPU does not count what the host does.
    let time = |run: &mut dyn FnMut() -> Result<()>| {
        let start = Instant::now();
        run()?;
        let spent = start.elapsed().as_secs_f64();
        device.synchronize()?;
        Ok::<f64, tile_kernel::Error>(spent)
    };
    let (mut tuned, mut direct) = (Vec::new(), Vec::new());
    for _ in 0..300 {
        tuned.push(time(&mut || one.tuned().launch())?);
        direct.push(time(&mut || other.direct().launch())?);
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    Ok((median(&mut tuned), median(&mut direct)))
}

#[expect(clippy::print_stdout, reason = "the figure")]
fn compare(device: Device) -> Result<()> {
    let (tuned, direct) = times(device)?;
    let more = tuned - direct;
    println!(
        "{}: tuned {:.0} ns, direct {:.0} ns, {:.0} ns more",
        device.name(),
        tuned * 1e9,
        direct * 1e9,
        more * 1e9
    );
    assert!(more < MOST.as_secs_f64(), "{more}");
    Ok(())
}

#[test]
fn a_tuned_launch_takes_little_longer_than_a_direct_one() -> Result<()> {
    let _alone = alone();
    compare(Device::cpu())
}

#[test]
#[ignore = "`a_tuned_launch_on_the_simulated_driver_takes_little_longer` runs it, with the driver"]
fn on_the_simulated_driver() -> Result<()> {
    let device = Device::cuda(0)?;
    let mut arguments = with_record(device)?;
    assert_eq!(
        allocations(|| arguments.tuned().launch())?,
        allocations(|| arguments.direct().launch())?
    );
    compare(device)
}

#[test]
#[expect(clippy::print_stdout, reason = "the figure")]
fn a_tuned_launch_on_the_simulated_driver_takes_little_longer() {
    let program = std::env::current_exe().expect("a test has a program");
    let Some(mut again) = sim_driver::command(program) else {
        assert!(std::env::var_os("TILE_REQUIRE_TOOLS").is_none());
        return;
    };
    again.args([
        "--exact",
        "on_the_simulated_driver",
        "--include-ignored",
        "--nocapture",
    ]);
    let output = again.output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    println!("{text}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}{errors}"
    );
}

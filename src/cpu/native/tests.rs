//! Runs functions in Rust that behave as native code does.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use super::*;
use crate::cpu::pool::tests::some_threads;

/// Defines native code. `$block` runs one block, and returns `false` to stop.
macro_rules! native {
    ($name:ident, $launch:ident, $scratch:ident, $number:ident, $block:block) => {
        native!(@abi "sysv64", "x86_64", $name, $launch, $scratch, $number, $block);
        #[cfg(not(target_arch = "x86_64"))]
        native!(@function "C", $name, $launch, $scratch, $number, $block);
    };
    (@abi $abi:literal, $arch:literal, $name:ident, $launch:ident, $scratch:ident, $number:ident, $block:block) => {
        #[cfg(target_arch = $arch)]
        native!(@function $abi, $name, $launch, $scratch, $number, $block);
    };
    (@function $abi:literal, $name:ident, $launch:ident, $scratch:ident, $number:ident, $block:block) => {
        unsafe extern $abi fn $name(launch: &NativeLaunch, $scratch: *mut u8, first: u64, end: u64) -> u64 {
            for $number in first..end {
                // SAFETY: the launch has the address of a log.
                let $launch = unsafe { &*(*launch.args as *const Log) };
                // SAFETY: it is never null.
                let is_cancelled = unsafe { (*launch.cancel).load(Ordering::Relaxed) };
                if is_cancelled || !$block {
                    return $number;
                }
            }
            DONE
        }
    };
}

/// The log that blocks write.
struct Log {
    /// How often each block ran.
    runs: Vec<AtomicU32>,
    /// The blocks that stop.
    stops: Vec<u64>,
    order: Mutex<Vec<(u64, ThreadId)>>,
    cancel: AtomicBool,
}

impl Log {
    fn new(blocks: u64, stops: &[u64]) -> Self {
        Self {
            runs: (0..blocks).map(|_| AtomicU32::new(0)).collect(),
            stops: stops.to_vec(),
            order: Mutex::default(),
            cancel: AtomicBool::new(false),
        }
    }

    fn enter(&self, number: u64) -> bool {
        let index = usize::try_from(number).expect("a small grid");
        self.runs[index].fetch_add(1, Ordering::Relaxed);
        let thread = thread::current().id();
        self.order.lock().expect("a lock").push((number, thread));
        !self.stops.contains(&number)
    }

    fn ran(&self, number: u64) -> u32 {
        self.runs[usize::try_from(number).expect("a small grid")].load(Ordering::Relaxed)
    }

    fn threads(&self) -> HashSet<ThreadId> {
        let order = self.order.lock().expect("a lock");
        order.iter().map(|(_, thread)| *thread).collect()
    }
}

/// Waits without giving the core away, as a block that computes does.
fn spin(time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        std::hint::spin_loop();
    }
}

native!(quick, log, _scratch, number, { log.enter(number) });
native!(slow, log, _scratch, number, {
    spin(Duration::from_micros(100));
    log.enter(number)
});
native!(second_is_slower, log, _scratch, number, {
    spin(Duration::from_micros(100 + 1900 * number));
    log.enter(number)
});
native!(with_values, log, scratch, number, {
    assert_eq!(scratch.addr() % 64, 0);
    let value = (number % 251) as u8;
    // SAFETY: the code has 64 bytes of scratch.
    let values = unsafe { &mut *scratch.cast::<[u8; 64]>() };
    *values = [value; 64];
    thread::yield_now();
    log.enter(number) && *values == [value; 64]
});
native!(cancelling, log, _scratch, number, {
    spin(Duration::from_micros(100));
    log.cancel.store(
        number == 40 || log.cancel.load(Ordering::Relaxed),
        Ordering::Relaxed,
    );
    log.enter(number)
});

fn image(
    run: crate::image::NativeFunction,
    scratch_bytes: usize,
    in_order: bool,
) -> &'static NativeImage {
    let level = [NativeLevel::Baseline, NativeLevel::Neon];
    let level = level.into_iter().find(|level| level.is_available());
    Box::leak(Box::new(NativeImage {
        level: level.unwrap_or(NativeLevel::Baseline),
        run,
        scratch_bytes,
        in_order,
    }))
}

/// Runs native code of which no launch has been measured.
fn run(image: &'static NativeImage, log: &Log, threads: usize) -> Option<u64> {
    run_after(0, image, log, threads)
}

/// Runs native code whose blocks took so long in the last launch.
fn run_after(block_ns: u64, image: &'static NativeImage, log: &Log, threads: usize) -> Option<u64> {
    run_timed(&Timing::of_block(block_ns), image, log, threads)
}

/// Does the same, and says how long they take.
fn run_timed(
    timing: &Timing,
    image: &'static NativeImage,
    log: &Log,
    threads: usize,
) -> Option<u64> {
    let words = [&raw const *log as u64];
    let launch = Launch {
        image,
        grid: [u32::try_from(log.runs.len()).expect("a small grid"), 1, 1],
        words: &words,
        cancel: Some(&log.cancel),
        threads,
        timing,
    };
    let _threads = some_threads();
    // SAFETY: the functions of this file take a log.
    let stop = unsafe { launch.run(0, log.runs.len() as u64) };
    stop.expect("there is memory")
}

#[test]
fn waiting_for_another_thread_is_not_the_time_of_a_block() {
    // If another thread takes the second block, that of the caller has taken 0.1 of 2 milliseconds.
    let of_caller = (0..1000).any(|_| {
        let timing = Timing::of_block(1_000_000);
        run_timed(
            &timing,
            image(second_is_slower, 0, false),
            &Log::new(2, &[]),
            2,
        );
        timing.block_ns() < 900_000
    });
    assert!(of_caller);
}

#[test]
fn every_block_runs_once_on_any_number_of_threads() {
    for threads in 1..=8 {
        for (function, blocks) in [(quick as _, 1), (quick as _, 3000), (slow as _, 64)] {
            for block_ns in [0, 1, 1_000_000, u64::MAX] {
                let log = Log::new(blocks, &[]);
                let image = image(function, 0, false);
                assert_eq!(run_after(block_ns, image, &log, threads), None);
                assert!(
                    (0..blocks).all(|block| log.ran(block) == 1),
                    "{threads} {blocks} {block_ns}"
                );
            }
        }
    }
}

#[test]
fn the_first_block_that_stops_is_found_and_all_before_it_have_run() {
    for threads in 1..=8 {
        for stops in [&[63, 40, 41][..], &[0], &[1, 2]] {
            let log = Log::new(64, stops);
            let first = *stops.iter().min().expect("there is one");
            assert_eq!(run(image(slow, 0, false), &log, threads), Some(first));
            assert!(
                (0..first).all(|block| log.ran(block) == 1),
                "{threads} {stops:?}"
            );
        }
    }
}

#[test]
fn small_grids_run_on_the_calling_thread_and_large_ones_on_several() {
    // A block may take long if the system stops this thread.
    let alone = (0..1000).any(|_| {
        let log = Log::new(8, &[]);
        run(image(quick, 0, false), &log, 4);
        log.threads() == HashSet::from([thread::current().id()])
    });
    assert!(alone);
    let log = Log::new(200, &[]);
    run(image(slow, 0, false), &log, 4);
    assert!(log.threads().len() > 1);
}

#[test]
fn a_launch_that_follows_another_is_shared_at_once() {
    // The threads may sleep if the system stops this one.
    let shared = (0..1000).any(|_| {
        let threads = some_threads();
        pool::share(1, &|_| ());
        drop(threads);
        let log = Log::new(2, &[]);
        run_after(100_000, image(slow, 0, false), &log, 2);
        log.threads().len() == 2
    });
    assert!(shared);
}

#[test]
fn blocks_that_depend_on_each_other_run_in_order_of_the_grid() {
    let log = Log::new(200, &[]);
    assert_eq!(run(image(slow, 0, true), &log, 8), None);
    let order = log.order.lock().expect("a lock");
    let numbers: Vec<u64> = order.iter().map(|(number, _)| *number).collect();
    assert!(numbers.is_sorted() && numbers.len() == 200);
}

#[test]
fn each_thread_has_aligned_memory_of_its_own() {
    for threads in [1, 8] {
        let log = Log::new(2000, &[]);
        assert_eq!(run(image(with_values, 64, false), &log, threads), None);
    }
    // Memory grows and is used again.
    let address = |bytes| with_scratch(bytes, NonNull::addr).expect("memory");
    let large = address(1 << 20);
    assert_eq!(address(64), large);
}

#[test]
fn a_cancelled_launch_stops() {
    for threads in [1, 4] {
        let log = Log::new(1000, &[]);
        assert!(run(image(cancelling, 0, false), &log, threads).is_some());
        assert_eq!(log.ran(999), 0);
    }
}

#[test]
fn memory_that_cannot_be_had_is_an_error() {
    let bytes = usize::MAX / 2;
    assert_eq!(with_scratch(bytes, |_| ()), Err(NoMemory { bytes }));
    let log = Log::new(1, &[]);
    assert_eq!(run(image(with_values, 64, false), &log, 1), None);
}

#[test]
fn the_code_with_the_most_instructions_of_this_processor_is_chosen() {
    static LEVELS: [NativeImage; 6] = {
        const fn at(level: NativeLevel) -> NativeImage {
            NativeImage {
                level,
                run: quick,
                scratch_bytes: 0,
                in_order: false,
            }
        }
        [
            at(NativeLevel::Neon),
            at(NativeLevel::Baseline),
            at(NativeLevel::Avx2),
            at(NativeLevel::Avx512),
            at(NativeLevel::Avx512Bf16),
            at(NativeLevel::Amx),
        ]
    };
    let chosen = available(&LEVELS).next().map(|image| image.level);
    let is_available = |level: NativeLevel| level.is_available();
    let expected = LEVELS
        .iter()
        .map(|image| image.level)
        .rfind(|level| is_available(*level));
    assert_eq!(chosen, expected);
    assert!(available(&[]).next().is_none());
}

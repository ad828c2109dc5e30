//! Measures memory and time of inputs.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

static CURRENT: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system allocator, with counters.
pub(crate) struct Allocator;

fn grow(bytes: usize) {
    let now = CURRENT.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: every method passes its arguments to the system allocator, whose contract is the same.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller upholds the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        CURRENT.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller upholds the contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller upholds the contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CURRENT.fetch_sub(layout.size(), Ordering::Relaxed);
        grow(size);
        // SAFETY: the caller upholds the contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Resets the peak; returns the number of bytes allocated now.
pub(crate) fn reset_peak() -> usize {
    let now = CURRENT.load(Ordering::Relaxed);
    PEAK.store(now, Ordering::Relaxed);
    now
}

/// Returns the maximum number of bytes allocated since [`reset_peak`].
pub(crate) fn peak() -> usize {
    PEAK.load(Ordering::Relaxed)
}

/// Returns the peak memory of this process as reported by the system; 0 if the system does not
/// report it.
pub(crate) fn process_peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// A thread that ends the process when an input takes too long.
pub(crate) struct Watch {
    /// The number of the current input, plus one; 0 between inputs.
    input: Arc<AtomicU64>,
}

impl Watch {
    pub(crate) fn start(limit: Duration) -> Self {
        let input = Arc::new(AtomicU64::new(0));
        let watched = Arc::clone(&input);
        std::thread::spawn(move || {
            let mut last = 0;
            loop {
                std::thread::sleep(limit);
                let now = watched.load(Ordering::Relaxed);
                // The input was already running at the previous check; allow it one more period.
                if now != 0 && now == last {
                    println!("FAULT input {}: still running after {limit:?}", now - 1);
                    std::process::abort();
                }
                last = now;
            }
        });
        Self { input }
    }

    pub(crate) fn begin(&self, number: u64) {
        self.input.store(number + 1, Ordering::Relaxed);
    }

    pub(crate) fn end(&self) {
        self.input.store(0, Ordering::Relaxed);
    }
}

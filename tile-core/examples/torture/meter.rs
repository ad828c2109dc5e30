//! How much memory and time inputs take.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

static CURRENT: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The allocator of the system, counting.
pub(crate) struct Allocator;

fn grow(bytes: usize) {
    let now = CURRENT.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(now, Ordering::Relaxed);
}

// SAFETY: every method passes its arguments on to the allocator of the system,
// whose contract is the same.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        CURRENT.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CURRENT.fetch_sub(layout.size(), Ordering::Relaxed);
        grow(size);
        // SAFETY: the caller keeps the contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Forgets the peak; gives what is allocated now.
pub(crate) fn reset_peak() -> usize {
    let now = CURRENT.load(Ordering::Relaxed);
    PEAK.store(now, Ordering::Relaxed);
    now
}

/// The most that was allocated since [`reset_peak`].
pub(crate) fn peak() -> usize {
    PEAK.load(Ordering::Relaxed)
}

/// The most memory that this process ever took, as the system counts it; 0 where
/// the system does not say.
pub(crate) fn process_peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// A thread that ends the process when an input takes too long.
pub(crate) struct Watch {
    /// The number of the input at hand, plus one; 0 between inputs.
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
                // It was there a whole period ago; give it another before the end.
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

//! Runs native code: which blocks on which threads.
//!
//! In: the code of one level, the grid and the arguments as words. Out: the number of the first block, in order of the grid,
//! that did not run to its end.
//!
//! - The calling thread runs the first blocks and measures them. Others help if what is left takes longer than waking them.
//!   Launches that follow each other keep them awake, and then count on the time of the last launch in place of measuring.
//! - Each thread has a range of the grid, the same in every launch, so that it finds its data in its caches. It takes blocks of
//!   its range in order, and then of the others. All blocks before the first that stopped run, whatever the number of threads.
//! - Memory for arguments and for the values of a block is kept per thread: a launch allocates nothing.

use std::alloc::{Layout, alloc, dealloc};
use std::cell::{Cell, RefCell};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tile_core::processor;

use super::pool;
use super::sharing::{self, ALWAYS_NS, Timing, WORTH_SHARING_NS};
use crate::image::{NativeImage, NativeLaunch, NativeLevel};

/// The alignment of the memory for the values of a block: a cache line and the widest vector.
const SCRATCH_ALIGNMENT: usize = 64;

/// The time that other threads must save: waking one takes some microseconds, and up to 50 on a virtual machine.
const WORTH_WAKING_NS: u64 = 60_000;

/// The same if only the first block was measured, which loads code and data into caches that the others find there.
const WORTH_WAKING_AFTER_ONE_NS: u64 = 250_000;

/// The time for which a thread takes blocks at once, so that taking them costs nothing.
const TAKEN_NS: u64 = 30_000;

/// The number of times that a thread takes blocks at least, if there are enough, so that all end at about the same time.
const TIMES_TAKEN: u64 = 4;

/// The number that native code returns if all blocks have run.
const DONE: u64 = u64::MAX;

impl NativeLevel {
    /// All levels, in ascending order.
    pub(crate) const ALL: [NativeLevel; 6] = [
        NativeLevel::Baseline,
        NativeLevel::Avx2,
        NativeLevel::Avx512,
        NativeLevel::Avx512Bf16,
        NativeLevel::Amx,
        NativeLevel::Neon,
    ];

    /// Returns the level of a name.
    pub(crate) fn named(name: &str) -> Option<NativeLevel> {
        NativeLevel::ALL
            .into_iter()
            .find(|level| level.name() == name)
    }

    /// Returns the name of the level.
    pub(crate) fn name(self) -> &'static str {
        match self {
            NativeLevel::Baseline => "baseline",
            NativeLevel::Avx2 => "avx2",
            NativeLevel::Avx512 => "avx512",
            NativeLevel::Avx512Bf16 => "avx512bf16",
            NativeLevel::Amx => "amx",
            NativeLevel::Neon => "neon",
        }
    }

    /// Returns the number of `f32` in a vector.
    pub(crate) fn lanes(self) -> u8 {
        match self {
            NativeLevel::Baseline | NativeLevel::Neon => 4,
            NativeLevel::Avx2 => 8,
            NativeLevel::Avx512 | NativeLevel::Avx512Bf16 | NativeLevel::Amx => 16,
        }
    }

    /// Returns `true` if this processor has all instructions of the level, and the system saves its registers.
    pub(crate) fn is_available(self) -> bool {
        match self {
            NativeLevel::Baseline => cfg!(target_arch = "x86_64"),
            NativeLevel::Avx2 => processor::has_v3(),
            NativeLevel::Avx512 => NativeLevel::Avx2.is_available() && processor::has_v4(),
            NativeLevel::Avx512Bf16 => {
                NativeLevel::Avx512.is_available() && processor::has_vnni_and_bf16()
            }
            NativeLevel::Amx => NativeLevel::Avx512Bf16.is_available() && processor::has_amx(),
            NativeLevel::Neon => cfg!(target_arch = "aarch64"),
        }
    }
}

/// Returns the code that this processor can run, that with the most instructions first.
pub(super) fn available(
    images: &'static [NativeImage],
) -> impl Iterator<Item = &'static NativeImage> {
    let images = images.iter().rev();
    images.filter(|image| image.level.is_available())
}

/// A launch of native code.
pub(super) struct Launch<'a> {
    pub(super) image: &'static NativeImage,
    pub(super) grid: [u32; 3],
    /// For each parameter of the entry its words: address and length in bytes, or the bits of a number.
    pub(super) words: &'a [u64],
    pub(super) cancel: Option<&'a AtomicBool>,
    pub(super) threads: usize,
    /// The times of earlier launches.
    pub(super) timing: &'a Timing,
}

/// The cause of a launch that did not run.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoMemory {
    pub(super) bytes: usize,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Launch<'_> {
    /// Runs the blocks `first..end`, and returns the first that stopped.
    ///
    /// # Safety
    /// The words must be those of the entry's parameters, and the memory that they describe valid for reads and writes, with no
    /// access by other code that conflicts with those of the kernel.
    pub(super) unsafe fn run(&self, first: u64, end: u64) -> Result<Option<u64>, NoMemory> {
        let launch = NativeLaunch {
            grid: self.grid,
            reserved: 0,
            args: self.words.as_ptr(),
            cancel: self.cancel.unwrap_or(&NEVER),
        };
        // SAFETY: the code is that of the kernel and of a level that is available, the arguments are promised by the caller, and
        // the memory is as large as the code says.
        let call = |scratch: NonNull<u8>, first, end| unsafe {
            (self.image.run)(&launch, scratch.as_ptr(), first, end)
        };
        let blocks = Blocks {
            call: &call,
            scratch_bytes: self.image.scratch_bytes,
            timing: self.timing,
        };
        let threads = if self.image.in_order { 1 } else { self.threads };
        blocks.run(first, end, threads)
    }
}

/// The blocks of a launch.
struct Blocks<'a> {
    /// Runs blocks with memory for their values.
    call: &'a (dyn Fn(NonNull<u8>, u64, u64) -> u64 + Sync),
    scratch_bytes: usize,
    timing: &'a Timing,
}

/// The part of a launch that the calling thread has done alone.
enum Alone {
    /// Everything, or all blocks before one that stopped.
    Done(Option<u64>),
    /// The blocks before this one, and others should help with the rest.
    Until(u64),
}

impl Blocks<'_> {
    fn run(&self, first: u64, end: u64, threads: usize) -> Result<Option<u64>, NoMemory> {
        let alone = with_scratch(self.scratch_bytes, |scratch| {
            if threads == 1 || end - first == 1 {
                return Alone::Done(stopped((self.call)(scratch, first, end)));
            }
            let expected_ns = self.timing.expected_ns(end - first);
            let is_awake = pool::is_awake();
            let is_worth_sharing = self.timing.is_worth_sharing(end - first, threads);
            if is_worth_sharing && (is_awake || expected_ns > WORTH_WAKING_NS) {
                return Alone::Until(first);
            }
            if is_worth_sharing && follows_another() {
                // For the launches to come.
                pool::wake(sharing::helpers(expected_ns).min(threads - 1));
            }
            let alone = self.run_measured(scratch, first, end, expected_ns);
            if is_worth_sharing {
                LAST_END.set(Some(Instant::now()));
            }
            alone
        })?;
        match alone {
            Alone::Done(stop) => Ok(stop),
            Alone::Until(next) => Ok(with_ranges(first, next, end, threads, |ranges| {
                self.run_shared(ranges, end - next, next == first)
            })),
        }
    }

    /// Runs blocks until others should help, because they take longer than was expected.
    fn run_measured(&self, scratch: NonNull<u8>, first: u64, end: u64, expected_ns: u64) -> Alone {
        let began = Instant::now();
        let (mut start, mut next, mut taken) = (began, first, 1);
        loop {
            if let Some(block) = stopped((self.call)(scratch, next, next + taken)) {
                return Alone::Done(Some(block));
            }
            let now = Instant::now();
            next += taken;
            if next == end {
                self.timing.ran_alone(end - first, nanoseconds(now - began));
                return Alone::Done(None);
            }
            let block_ns = nanoseconds(now - start) / taken;
            let left = end - next;
            let worth = if !pool::is_awake() {
                if next == first + 1 {
                    WORTH_WAKING_AFTER_ONE_NS
                } else {
                    WORTH_WAKING_NS
                }
            } else if expected_ns == 0 {
                WORTH_SHARING_NS
            } else {
                ALWAYS_NS
            };
            if block_ns.saturating_mul(left) > worth {
                self.timing.measured(block_ns);
                return Alone::Until(next);
            }
            taken = (2 * taken).min(left);
            start = now;
        }
    }

    /// Runs blocks on several threads, of which each takes those of its own range first. They are all blocks of the launch, or those
    /// that are left.
    fn run_shared(&self, ranges: &[Range], left: u64, is_all: bool) -> Option<u64> {
        let began = Instant::now();
        let (threads, block_ns) = (ranges.len(), self.timing.block_ns());
        let most = (left / (threads as u64 * TIMES_TAKEN)).max(1);
        let taken = (TAKEN_NS / block_ns.max(1)).clamp(1, most);
        let stop = AtomicU64::new(DONE);
        // Waiting for the others would count as work, and sharing would seem to pay because it is slow.
        let of_caller = AtomicU64::new(0);
        let take = |scratch: NonNull<u8>, place: usize| {
            let (began, mut blocks) = (Instant::now(), 0);
            for range in 0..threads {
                let range = &ranges[(place + range) % threads];
                while range.next.load(Ordering::Relaxed) < range.end {
                    let start = range.next.fetch_add(taken, Ordering::Relaxed);
                    if start >= range.end || start > stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let end = range.end.min(start + taken);
                    blocks += end - start;
                    let returned = (self.call)(scratch, start, end);
                    // Not a write that the other threads must wait for, if all is well.
                    if returned != DONE {
                        stop.fetch_min(returned, Ordering::Relaxed);
                    }
                }
            }
            if place == 0 && blocks > 0 {
                of_caller.store(nanoseconds(began.elapsed()) / blocks, Ordering::Relaxed);
            }
        };
        let most = usize::try_from(left.div_ceil(taken)).unwrap_or(usize::MAX);
        let most = most.min(threads) - 1;
        let helpers = sharing::helpers(block_ns.saturating_mul(left)).min(most);
        pool::share(helpers, &|place| {
            // A thread without memory leaves the blocks to the others. The caller has its memory already.
            let _done = with_scratch(self.scratch_bytes, |scratch| take(scratch, place));
        });
        let end = Instant::now();
        LAST_END.set(Some(end));
        let stop = stopped(stop.into_inner());
        // Nothing is known if the others have taken all blocks.
        let of_caller = Some(of_caller.into_inner()).filter(|of_caller| *of_caller > 0);
        if let (None, Some(block_ns)) = (stop, of_caller) {
            if is_all {
                let taken = nanoseconds(end - began);
                self.timing.ran_shared(left, threads, taken, block_ns);
            } else {
                self.timing.measured(block_ns);
            }
        }
        stop
    }
}

/// A part of a grid, of which threads take blocks from the front. On a cache line of its own.
#[repr(align(64))]
struct Range {
    next: AtomicU64,
    end: u64,
}

/// Calls `work` with the blocks `first..end` in as many equal parts, of which those before `next` have run.
fn with_ranges<T>(
    first: u64,
    next: u64,
    end: u64,
    parts: usize,
    work: impl FnOnce(&[Range]) -> T,
) -> T {
    thread_local! {
        static RANGES: RefCell<Vec<Range>> = const { RefCell::new(Vec::new()) };
    }
    let parts = parts as u64;
    let (each, rest) = ((end - first) / parts, (end - first) % parts);
    let start = |part: u64| first + part * each + part.min(rest);
    let range = |part: u64| Range {
        next: AtomicU64::new(start(part).max(next)),
        end: start(part + 1),
    };
    RANGES.with_borrow_mut(|ranges| {
        ranges.clear();
        ranges.extend((0..parts).map(range));
        work(ranges)
    })
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

thread_local! {
    /// When a launch of this thread last ended that was shared, or would have been if others had been awake.
    static LAST_END: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Returns `true` if launches follow each other so closely that threads stay awake between them.
fn follows_another() -> bool {
    LAST_END
        .get()
        .is_some_and(|end| end.elapsed() < pool::AWAKE)
}

fn stopped(returned: u64) -> Option<u64> {
    (returned != DONE).then_some(returned)
}

/// Memory for the values of a block, which its thread keeps.
struct Scratch {
    memory: NonNull<u8>,
    bytes: usize,
}

impl Scratch {
    const EMPTY: Scratch = Scratch {
        memory: NonNull::dangling(),
        bytes: 0,
    };

    fn layout(bytes: usize) -> Option<Layout> {
        Layout::from_size_align(bytes, SCRATCH_ALIGNMENT).ok()
    }

    /// Makes room for so many bytes, whose values are unspecified.
    fn reserve(&mut self, bytes: usize) -> Result<NonNull<u8>, NoMemory> {
        if bytes > self.bytes {
            let layout = Self::layout(bytes).ok_or(NoMemory { bytes })?;
            *self = Self::EMPTY;
            // SAFETY: there is at least 1 byte.
            let memory = NonNull::new(unsafe { alloc(layout) }).ok_or(NoMemory { bytes })?;
            *self = Self { memory, bytes };
        }
        Ok(self.memory)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(layout) = Self::layout(self.bytes).filter(|layout| layout.size() > 0) {
            // SAFETY: `reserve` allocated it with this layout.
            unsafe { dealloc(self.memory.as_ptr(), layout) }
        }
    }
}

/// Calls `work` with memory of this thread.
fn with_scratch<T>(bytes: usize, work: impl FnOnce(NonNull<u8>) -> T) -> Result<T, NoMemory> {
    thread_local! {
        static SCRATCH: RefCell<Scratch> = const { RefCell::new(Scratch::EMPTY) };
    }
    SCRATCH.with_borrow_mut(|scratch| scratch.reserve(bytes).map(work))
}

/// Calls `work` with an empty list of words that this thread keeps.
pub(super) fn with_words<T>(work: impl FnOnce(&mut Vec<u64>) -> T) -> T {
    thread_local! {
        static WORDS: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    }
    WORDS.with_borrow_mut(|words| {
        words.clear();
        work(words)
    })
}

#[cfg(test)]
mod tests;

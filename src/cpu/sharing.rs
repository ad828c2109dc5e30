//! Decides whether a launch of native code is shared with threads that are awake.
//!
//! In: how long blocks took in earlier launches of the same code. Out: whether to share the next launch, and what its blocks are
//! expected to take.
//!
//! Sharing costs some microseconds: cache lines go to the other threads and back, and two threads of one core slow each other
//! down. So a launch of 3 microseconds is never shared, and one of 40 always but for a look now and then. For those between, the cost decides, which depends
//! on the machine, on what else it does, and on the kernel. It is measured: now and then some launches are shared that would not
//! be, or the other way round.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The time of one thread up to which no launch is shared.
const NEVER_NS: u64 = 4_000;

/// The time of one thread from which on all launches are shared.
pub(super) const ALWAYS_NS: u64 = 40_000;

/// The time of one thread that each thread of a launch is worth. Two threads in place of one took 0.97, 1.04, 1.13 and 0.97 times as
/// long at 3, 4, 6 and 10 microseconds (on two cores of Zen 3), and 0.79, 0.72 and 0.67 times at 14, 19 and 31.
pub(super) const WORTH_SHARING_NS: u64 = 8_000;

/// The first estimate of the cost of sharing, by which two threads share launches from [`WORTH_SHARING_NS`] on.
const SHARING_NS: u64 = WORTH_SHARING_NS / 2;

/// The least and the greatest estimate. At the greatest, only launches that are always shared are.
const COSTS_NS: (u64, u64) = (500, ALWAYS_NS / 2);

/// One trial is made in so many launches.
const PERIOD: u32 = 1024;

/// The launches of a period before its trial.
const BEFORE_TRIAL: u32 = 64;

/// The launches of a trial: enough for threads to wake or to fall asleep, since one that looks for work may slow the caller.
const TRIAL: u32 = 32;

/// A new measurement moves an estimate by one in so many parts of the difference.
const WEIGHT: u64 = 8;

/// The times of earlier launches of the same code, and the cost of sharing that follows from them.
#[derive(Debug)]
pub(crate) struct Timing {
    /// The time of a block on one thread, in nanoseconds; 0 before the first launch.
    block_ns: AtomicU64,
    /// The time of a shared launch beyond the caller's part of the blocks' time, in nanoseconds.
    sharing_ns: AtomicU64,
    /// The number of launches that might have been shared.
    decided: AtomicU32,
}

impl Timing {
    /// Returns what is known before the first launch.
    pub(crate) const fn new() -> Timing {
        Timing::of_block(0)
    }

    /// Returns what is known after one launch whose blocks took so long.
    pub(super) const fn of_block(block_ns: u64) -> Timing {
        Timing {
            block_ns: AtomicU64::new(block_ns),
            sharing_ns: AtomicU64::new(SHARING_NS),
            decided: AtomicU32::new(0),
        }
    }

    /// Returns the time of a block on one thread, in nanoseconds; 0 before the first launch.
    pub(super) fn block_ns(&self) -> u64 {
        self.block_ns.load(Ordering::Relaxed)
    }

    /// Returns the time that so many blocks take on one thread, in nanoseconds; 0 before the first launch.
    pub(super) fn expected_ns(&self, blocks: u64) -> u64 {
        self.block_ns().saturating_mul(blocks)
    }

    /// Returns `true` if a launch of so many blocks should be shared by so many threads at most, if they are awake. Counts the launch.
    pub(super) fn is_worth_sharing(&self, blocks: u64, threads: usize) -> bool {
        let expected_ns = self.expected_ns(blocks);
        if expected_ns <= NEVER_NS {
            return false;
        }
        let launch = self.decided.fetch_add(1, Ordering::Relaxed) % PERIOD;
        if expected_ns >= ALWAYS_NS {
            // The time of a block is that of shared launches. One launch begins on one thread, which sees if they slow each other
            // down, and shares the rest if it is long indeed.
            return launch != BEFORE_TRIAL;
        }
        let saved = expected_ns - self.share_ns(blocks, threads);
        let is_worth = saved > self.sharing_ns.load(Ordering::Relaxed);
        let is_trial = (BEFORE_TRIAL..BEFORE_TRIAL + TRIAL).contains(&launch);
        is_worth != is_trial
    }

    /// Returns the time that the blocks of one thread take if so many at most share them.
    fn share_ns(&self, blocks: u64, threads: usize) -> u64 {
        let threads = threads.min(1 + helpers(self.expected_ns(blocks)));
        self.expected_ns(blocks.div_ceil(threads as u64))
    }

    /// Notes what a block of a launch takes that has just begun.
    pub(super) fn measured(&self, block_ns: u64) {
        self.block_ns.store(block_ns.max(1), Ordering::Relaxed);
    }

    /// Notes what a launch took that was not shared.
    pub(super) fn ran_alone(&self, blocks: u64, ns: u64) {
        let measured = (ns / blocks).max(1);
        let known = self.block_ns();
        // A launch that is interrupted takes longer, but none takes less time than it needs.
        let next = if measured <= known || known == 0 {
            measured
        } else {
            approach(known, measured)
        };
        self.block_ns.store(next, Ordering::Relaxed);
    }

    /// Notes what a shared launch took: all of it, and a block on the calling thread.
    pub(super) fn ran_shared(&self, blocks: u64, threads: usize, ns: u64, block_of_caller_ns: u64) {
        let expected_ns = self.expected_ns(blocks);
        if expected_ns < ALWAYS_NS {
            let (least, greatest) = COSTS_NS;
            let cost = ns.saturating_sub(self.share_ns(blocks, threads));
            let known = self.sharing_ns.load(Ordering::Relaxed);
            let next = approach(known, cost).clamp(least, greatest);
            self.sharing_ns.store(next, Ordering::Relaxed);
        }
        // Threads may slow each other down, so the time of a launch that was not shared is better.
        if expected_ns >= ALWAYS_NS || block_of_caller_ns < self.block_ns() {
            self.measured(block_of_caller_ns);
        }
    }
}

/// Returns the number of threads that are worth sharing so much time with, besides the caller.
pub(super) fn helpers(left_ns: u64) -> usize {
    usize::try_from(left_ns / WORTH_SHARING_NS)
        .unwrap_or(usize::MAX)
        .max(1)
}

/// Returns an estimate that is closer to a measurement. One that is far too large, of a launch that was interrupted, counts as twice
/// the estimate.
fn approach(known: u64, measured: u64) -> u64 {
    let measured = measured.min(known.saturating_mul(2));
    let step = measured.abs_diff(known).div_ceil(WEIGHT);
    if measured > known {
        known.saturating_add(step)
    } else {
        known - step
    }
}

#[cfg(test)]
mod tests {
    use super::{ALWAYS_NS, BEFORE_TRIAL, NEVER_NS, PERIOD, TRIAL, Timing};

    /// A machine on which a launch takes a time that is known.
    #[derive(Clone, Copy)]
    struct Machine {
        block_ns: u64,
        blocks: u64,
        /// The time of a shared launch beyond its half of the blocks.
        sharing_ns: u64,
        /// The part by which the threads slow each other down, in percent.
        slower: u64,
    }

    impl Machine {
        fn new(block_ns: u64, blocks: u64, sharing_ns: u64) -> Machine {
            Machine {
                block_ns,
                blocks,
                sharing_ns,
                slower: 0,
            }
        }

        fn alone_ns(self) -> u64 {
            self.block_ns * self.blocks
        }

        fn shared_ns(self) -> u64 {
            self.alone_ns() / 2 * (100 + self.slower) / 100 + self.sharing_ns
        }

        /// Launches once, and returns the time and whether it was shared.
        fn launch(self, timing: &Timing) -> (u64, bool) {
            if timing.is_worth_sharing(self.blocks, 2) {
                let of_caller = self.block_ns * (100 + self.slower) / 100;
                timing.ran_shared(self.blocks, 2, self.shared_ns(), of_caller);
                (self.shared_ns(), true)
            } else {
                timing.ran_alone(self.blocks, self.alone_ns());
                (self.alone_ns(), false)
            }
        }

        /// Returns the number of launches of so many that are shared.
        fn shared(self, timing: &Timing, launches: u32) -> u32 {
            let shared = (0..launches).filter(|_| self.launch(timing).1);
            u32::try_from(shared.count()).expect("at most all")
        }
    }

    #[test]
    fn the_faster_way_is_found_between_the_limits() {
        for block_ns in [700, 1000, 1500, 2500, 4000] {
            for sharing_ns in [500, 2000, 4000, 8000, 15_000] {
                for slower in [0, 30, 60] {
                    let machine = Machine {
                        slower,
                        ..Machine::new(block_ns, 8, sharing_ns)
                    };
                    let timing = Timing::new();
                    machine.shared(&timing, PERIOD);
                    let time: u64 = (0..PERIOD).map(|_| machine.launch(&timing).0).sum();
                    let best = machine.alone_ns().min(machine.shared_ns());
                    let worst = machine.alone_ns().max(machine.shared_ns());
                    // The trials are a thirty-second of all launches.
                    let bound = (best * 31 + worst) * u64::from(PERIOD) / 32;
                    assert!(
                        time <= bound + bound / 100,
                        "{block_ns} {sharing_ns} {slower}"
                    );
                }
            }
        }
    }

    #[test]
    fn launches_beyond_the_limits_need_no_trial_but_one_look() {
        let quick = Machine::new(NEVER_NS / 8, 8, 0);
        assert_eq!(quick.shared(&Timing::new(), 2 * PERIOD), 0);
        let timing = Timing::new();
        let long = Machine::new(ALWAYS_NS / 8, 8, 100_000);
        assert!(!long.launch(&timing).1, "its time is not known");
        assert_eq!(long.shared(&timing, 2 * PERIOD), 2 * PERIOD - 2);
    }

    #[test]
    fn threads_that_hinder_each_other_do_not_share_for_good() {
        // 20 microseconds on one thread seem to be 100 once they are shared.
        let machine = Machine {
            slower: 400,
            ..Machine::new(2500, 8, 2000)
        };
        let timing = Timing::of_block(12_500);
        assert!(machine.launch(&timing).1);
        machine.shared(&timing, 2 * PERIOD);
        let shared = machine.shared(&timing, PERIOD);
        assert!(shared <= TRIAL, "{shared}");
    }

    #[test]
    fn what_is_known_of_one_extent_serves_others() {
        // 20 microseconds are not worth sharing here, and so 10 are not.
        let timing = Timing::new();
        let at = |blocks| Machine::new(1000, blocks, 12_000);
        at(20).shared(&timing, PERIOD);
        assert_eq!(at(10).shared(&timing, 32), 0);
        assert_eq!(at(32).shared(&timing, 32), 32);
        // Blocks that take longer are noticed.
        let slow = Machine::new(5000, 20, 12_000);
        let shared = slow.shared(&timing, 64);
        assert!(shared > 32, "{shared}");
        // So are blocks that take less time.
        let shared = Machine::new(100, 20, 12_000).shared(&timing, 64);
        assert!(shared < 4, "{shared}");
    }

    #[test]
    fn blocks_of_shared_launches_are_measured_too() {
        let timing = Timing::new();
        let at = |block_ns| Machine::new(block_ns, 8, 2000);
        at(2000).shared(&timing, PERIOD);
        // Nobody waits for a trial.
        let shared = at(300).shared(&timing, BEFORE_TRIAL);
        assert!(shared < 4, "{shared}");
        at(8000).shared(&timing, PERIOD);
        at(12_000).launch(&timing);
        assert_eq!(timing.block_ns(), 12_000);
    }

    #[test]
    fn a_cost_that_varies_counts_by_its_mean() {
        let timing = Timing::new();
        let at = |sharing_ns| Machine::new(1500, 8, sharing_ns);
        let both = || [1000, 8000].map(|cost| at(cost).shared(&timing, 1));
        let shared: u32 = (0..PERIOD / 2).flat_map(|_| both()).sum();
        // All but the first one and the trial.
        assert_eq!(shared, PERIOD - 1 - TRIAL);
    }

    #[test]
    fn one_launch_that_is_interrupted_changes_nothing() {
        let machine = Machine::new(2000, 8, 2000);
        let timing = Timing::new();
        machine.shared(&timing, PERIOD);
        timing.ran_shared(8, 2, 5_000_000, 2000);
        timing.ran_alone(8, 5_000_000);
        assert_eq!(machine.shared(&timing, BEFORE_TRIAL), BEFORE_TRIAL);
        // Nor is a launch shared because the last one was interrupted.
        let machine = Machine::new(2000, 8, 12_000);
        let timing = Timing::new();
        machine.shared(&timing, PERIOD);
        timing.ran_alone(8, 5_000_000);
        assert_eq!(machine.shared(&timing, BEFORE_TRIAL), 0);
    }

    #[test]
    fn a_machine_that_changes_is_noticed() {
        let at = |sharing_ns| Machine::new(2000, 8, sharing_ns);
        let timing = Timing::new();
        for (machine, is_shared) in [
            (at(2000), true),
            (at(12_000), false),
            (at(0), true),
            (at(12_000), false),
            (at(1_000_000), false),
            (at(2000), true),
        ] {
            machine.shared(&timing, PERIOD);
            let shared = machine.shared(&timing, PERIOD);
            assert_eq!(shared > PERIOD / 2, is_shared, "{shared}");
        }
    }
}

//! The clock of the CPU, by a loop.
//!
//! Each step of the loop needs the result of the previous one, so the loop takes a number of cycles that depends on
//! nothing else. If its time changes, the clock rate has, or another program has a share of the core.

use std::fmt;
use std::hint::black_box;
use std::time::Instant;

/// The changes of the clock of the CPU during a measurement.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CpuClocks {
    /// The longest time of the loop over the shortest, less 1: 0.1 means that the CPU was 10 % slower at one time than
    /// at another.
    pub spread: f64,
    /// The number of times that the loop ran: before, between and after the samples.
    pub checks: usize,
}

/// The steps of the loop: about 100 microseconds.
const STEPS: u32 = 64_000;

/// The runs of the loop of which the fastest counts, so that an interrupt does not.
const TRIES: u32 = 5;

/// The times of the loop.
pub(in crate::bench) struct Watch {
    shortest: f64,
    longest: f64,
    checks: usize,
}

impl Watch {
    pub(super) fn new() -> Watch {
        Watch {
            shortest: f64::INFINITY,
            longest: 0.0,
            checks: 0,
        }
    }

    pub(super) fn look(&mut self) {
        self.note(time());
    }

    fn note(&mut self, seconds: f64) {
        self.shortest = self.shortest.min(seconds);
        self.longest = self.longest.max(seconds);
        self.checks += 1;
    }

    pub(super) fn seen(&self) -> CpuClocks {
        let spread = if self.checks < 2 {
            0.0
        } else {
            self.longest / self.shortest.max(f64::MIN_POSITIVE) - 1.0
        };
        CpuClocks {
            spread,
            checks: self.checks,
        }
    }
}

/// Returns the time of the loop in seconds.
fn time() -> f64 {
    let once = || {
        let start = Instant::now();
        let mut x = black_box(1u64);
        for _ in 0..STEPS {
            // A multiplication and an addition: four cycles or more on every processor of the last ten years.
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        }
        black_box(x);
        start.elapsed().as_secs_f64()
    };
    (0..TRIES).map(|_| once()).fold(f64::INFINITY, f64::min)
}

impl fmt::Display for CpuClocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the clock changed by {:.1} %", self.spread * 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_the_largest_change() {
        let mut watch = Watch::new();
        assert!(watch.seen().spread.abs() < 1e-9);
        for seconds in [1e-4, 1.1e-4, 1.05e-4] {
            watch.note(seconds);
        }
        let seen = watch.seen();
        assert!((seen.spread - 0.1).abs() < 1e-9 && seen.checks == 3);
        assert_eq!(seen.to_string(), "the clock changed by 10.0 %");
    }

    #[test]
    fn the_loop_takes_a_time_that_the_compiler_cannot_remove() {
        assert!(time() > 1e-6);
    }
}

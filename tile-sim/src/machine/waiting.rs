//! The clusters of a launch that have not begun. They begin in order, except for those that are
//! cancelled (PTX ISA, `clusterlaunchcontrol`).

use std::ops::Range;

use rustc_hash::FxHashSet;

use super::scheduler::Scheduler;

/// With a seed, one of this many requests is denied although clusters wait.
const DENIED: usize = 8;

/// The numbers of the waiting clusters.
pub(crate) struct Waiting {
    left: Range<u64>,
    /// Cancelled clusters within `left`.
    cancelled: FxHashSet<u64>,
    scheduler: Scheduler,
}

impl Waiting {
    /// Creates a queue of `clusters` clusters. `seed` selects the ones that are cancelled.
    pub(crate) fn new(clusters: u64, seed: u64) -> Self {
        Self {
            left: 0..clusters,
            cancelled: FxHashSet::default(),
            scheduler: Scheduler::new(seed),
        }
    }

    /// Removes and returns the next cluster to begin.
    pub(crate) fn begin(&mut self) -> Option<u64> {
        let Self {
            left, cancelled, ..
        } = self;
        left.find(|number| !cancelled.remove(number))
    }

    /// Cancels a waiting cluster and returns its number. The device may choose any cluster, or deny
    /// the request. Without a seed, the next cluster is cancelled.
    pub(crate) fn cancel(&mut self) -> Option<u64> {
        if !self.scheduler.is_seeded() {
            return self.begin();
        }
        let count = usize::try_from(self.left.end - self.left.start).unwrap_or(usize::MAX);
        if count == self.cancelled.len() || self.scheduler.below(DENIED) == 0 {
            return None;
        }
        let mut number = self.left.start + self.scheduler.below(count) as u64;
        while !self.cancelled.insert(number) {
            number += 1;
            if number == self.left.end {
                number = self.left.start;
            }
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cluster_begins_or_is_cancelled() {
        let mut denied = [0; 2];
        for seed in 0..50 {
            let mut waiting = Waiting::new(40, seed);
            let mut seen = [0; 40];
            let mut begins = 0;
            while let Some(number) = waiting.begin() {
                begins += 1;
                seen[usize::try_from(number).expect("below 40")] += 1;
                for _ in 0..3 {
                    let left = 40 - seen.iter().sum::<u32>();
                    match waiting.cancel() {
                        Some(number) => seen[usize::try_from(number).expect("below 40")] += 1,
                        None => denied[usize::from(left > 0)] += 1,
                    }
                }
            }
            assert_eq!(seen, [1; 40], "seed {seed}");
            assert_eq!(waiting.cancel(), None);
            assert!(seed != 0 || begins == 10);
        }
        // Requests are denied when no cluster is left, and occasionally before.
        assert!(denied[1] > 50, "{denied:?}");
    }
}

//! The warp scheduler.

use crate::random::Random;

/// The scheduler, which selects the warp that runs next.
pub(crate) struct Scheduler {
    random: Random,
    seeded: bool,
    turn: usize,
}

/// The number of instructions per turn without a seed.
const TURN: u32 = 64;

impl Scheduler {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            seeded: seed != 0,
            turn: 0,
        }
    }

    pub(crate) fn is_seeded(&self) -> bool {
        self.seeded
    }

    /// Draws a number below `bound`, which must not be 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // The remainder is below `bound`, a `usize`.
        self.random.below(bound as u64) as usize
    }

    /// Selects one of the runnable warps and the number of instructions that it runs.
    pub(crate) fn next(&mut self, runnable: &[usize]) -> (usize, u32) {
        if self.seeded {
            let warp = runnable[self.below(runnable.len())];
            // The length is random in magnitude, so that short turns are as likely as long ones.
            let longest = 1 << self.below(8);
            return (
                warp,
                u32::try_from(1 + self.below(longest)).expect("at most 128"),
            );
        }
        let after = runnable.iter().find(|&&warp| warp >= self.turn);
        let warp = *after.unwrap_or(&runnable[0]);
        self.turn = warp + 1;
        (warp, TURN)
    }
}

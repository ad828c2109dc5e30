//! Whose turn it is: numbers drawn from a seed.

/// `SplitMix64` (Steele, Lea, Flood, 2014).
pub(crate) struct Scheduler {
    state: u64,
    seeded: bool,
    turn: usize,
}

/// Instructions of a turn where the order is not drawn.
const TURN: u32 = 64;

impl Scheduler {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            state: seed,
            seeded: seed != 0,
            turn: 0,
        }
    }

    pub(crate) fn is_seeded(&self) -> bool {
        self.seeded
    }

    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // Below the bound.
        (self.draw() % bound as u64) as usize
    }

    /// One of the runnable warps, and for how many instructions.
    pub(crate) fn next(&mut self, runnable: &[usize]) -> (usize, u32) {
        if self.seeded {
            let warp = runnable[self.below(runnable.len())];
            // Short turns are as likely as long ones.
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

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

    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
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

    /// The order in which blocks run.
    pub(crate) fn blocks(&mut self, count: u64) -> Box<dyn Iterator<Item = u64>> {
        let Ok(length) = usize::try_from(count) else {
            return Box::new(0..count);
        };
        if !self.seeded || length > 1 << 24 {
            return Box::new(0..count);
        }
        let mut order: Vec<u64> = (0..count).collect();
        for last in (1..length).rev() {
            let other = self.below(last + 1);
            order.swap(last, other);
        }
        Box::new(order.into_iter())
    }
}

//! The source of a generated program's decisions.
//!
//! A program is a function of a list of numbers. A random list produces a random program. To make a
//! failing program smaller, parts of its list are removed or replaced by zeros, since 0 is always
//! the simplest choice.

/// A source of decisions that records them.
pub(in crate::differential) struct Choices {
    state: u64,
    replay: Option<Vec<u32>>,
    drawn: Vec<u32>,
}

impl Choices {
    /// Creates a source of random decisions.
    pub(in crate::differential) fn random(seed: u64) -> Self {
        Self {
            state: seed,
            replay: None,
            drawn: Vec::new(),
        }
    }

    /// Creates a source that replays a list, followed by zeros.
    pub(in crate::differential) fn replay(list: Vec<u32>) -> Self {
        Self {
            state: 0,
            replay: Some(list),
            drawn: Vec::new(),
        }
    }

    /// Returns the recorded decisions.
    pub(in crate::differential) fn into_drawn(self) -> Vec<u32> {
        self.drawn
    }

    /// Returns 64 random bits of `SplitMix64`.
    pub(in crate::differential) fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.state;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Returns a number from 0 to `count - 1`.
    pub(in crate::differential) fn below(&mut self, count: usize) -> usize {
        let next = self.drawn.len();
        let drawn = match &self.replay {
            Some(list) => list.get(next).copied().unwrap_or(0),
            None => u32::try_from(self.bits() >> 40).expect("24 bits"),
        };
        let count = u32::try_from(count).expect("few choices");
        let value = drawn % count;
        self.drawn.push(value);
        value as usize
    }

    /// Returns an element of a list.
    pub(in crate::differential) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Returns `true` with a probability of `percent`.
    pub(in crate::differential) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) >= 100 - percent
    }
}

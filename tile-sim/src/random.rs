//! The pseudorandom number generator of the crate, its tests and its benchmarks.

/// `SplitMix64` (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014).
///
/// The same seed gives the same sequence on every machine and in every release.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// Creates a generator whose sequence depends on `seed` alone.
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Draws 64 uniformly distributed bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// Draws a number below `bound`, which must not be 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.bits() % bound
    }
}

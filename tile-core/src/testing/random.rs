//! Random choices, from a seed or from the bytes of a fuzzer.

/// A source of choices. It is deterministic on every machine and in every release, so that a seed
/// identifies a module.
#[derive(Clone, Debug)]
pub struct Random<'d> {
    state: u64,
    data: &'d [u8],
}

impl Random<'static> {
    /// Makes a source that is seeded with `seed`.
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed,
            data: &[],
        }
    }
}

impl<'d> Random<'d> {
    /// Makes a source that reads choices from `data`, so that changing a byte changes one choice;
    /// after its end a fixed seed is used.
    pub fn from_bytes(data: &'d [u8]) -> Self {
        Self { state: 0, data }
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        if self.data.is_empty() {
            return self.split_mix();
        }
        let (head, rest) = self.data.split_at(self.data.len().min(8));
        self.data = rest;
        head.iter()
            .fold(0, |bits, &byte| bits << 8 | u64::from(byte))
    }

    /// Returns a number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        assert!(bound > 0, "there is something to choose from");
        let bits = match self.data.split_first() {
            // One byte per choice, so that inputs remain short.
            Some((&byte, rest)) if bound <= 256 => {
                self.data = rest;
                u64::from(byte)
            }
            _ => self.bits(),
        };
        usize::try_from(bits % bound as u64).expect("below a usize")
    }

    /// Returns `true` one time in `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Returns one of `items`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Shuffles `items` (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// `SplitMix64` (Steele, Lea, Flood 2014).
    fn split_mix(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

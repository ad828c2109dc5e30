//! The last reads of each word of a block's shared memory, by warps and by asynchronous operations.

use std::ops::Range;

use super::stamp::{SEVERAL, Stamp, Strength, words};

/// The last read of a word by a warp: clock, lane (6 bits), strong (1), bytes (4), instruction
/// (21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Read(u64);

impl Read {
    pub(super) fn new(stamp: Stamp) -> Self {
        let strong = matches!(stamp.strength(), Strength::Strong(_));
        Self(
            u64::from(stamp.clock) << 32
                | u64::from(stamp.lane) << 26
                | u64::from(strong) << 25
                | u64::from(stamp.mask & 0xf) << 21
                | u64::from(stamp.instruction() & 0x1f_ffff),
        )
    }

    pub(super) fn clock(self) -> u32 {
        (self.0 >> 32) as u32
    }

    pub(super) fn lane(self) -> u8 {
        (self.0 >> 26) as u8 & 0x3f
    }

    pub(super) fn is_strong(self) -> bool {
        self.0 >> 25 & 1 == 1
    }

    pub(super) fn mask(self) -> u8 {
        (self.0 >> 21) as u8 & 0xf
    }

    pub(super) fn instruction(self) -> u32 {
        self.0 as u32 & 0x1f_ffff
    }

    /// Merges an earlier read with a new one of the same warp.
    #[inline]
    pub(super) fn and(self, new: Self) -> Self {
        const IDENTITY: u64 = !(0x3f << 26 | 0xf << 21 | 1 << 25);
        if self.0 & IDENTITY != new.0 & IDENTITY && self.clock() != new.clock() {
            return new;
        }
        let lane = if self.lane() == new.lane() {
            0
        } else {
            u64::from(SEVERAL) << 26
        };
        let strong = self.0 & new.0 & 1 << 25;
        Self(new.0 & !(1 << 25) | strong | self.0 & 0xf << 21).with(lane)
    }

    fn with(self, lane: u64) -> Self {
        if lane == 0 {
            self
        } else {
            Self(self.0 & !(0x3f << 26) | lane)
        }
    }
}

/// The last read of each word by each warp of a block.
#[derive(Default)]
pub(super) struct Reads {
    words: usize,
    /// Indexed by warp, then by word: the reads of matrix instructions cover long ranges.
    reads: Vec<Read>,
}

impl Reads {
    pub(super) fn begin(&mut self, words: usize, warps: usize) {
        self.words = words;
        self.reads.clear();
        self.reads.resize(words * warps, Read(0));
    }

    /// Returns the reads of one warp of the block.
    #[inline]
    pub(super) fn by_warp(&self, warp: usize) -> &[Read] {
        &self.reads[warp * self.words..][..self.words]
    }

    /// Returns the reads of one warp of the block.
    #[inline]
    pub(super) fn by_warp_mut(&mut self, warp: usize) -> &mut [Read] {
        &mut self.reads[warp * self.words..][..self.words]
    }

    /// Returns `true` if every read of these words by a warp other than `warp` has a clock that is
    /// at most that warp's value in `known`, or older than `base`.
    #[inline]
    pub(super) fn all_before(
        &self,
        words: &Range<usize>,
        warp: usize,
        known: &[u32],
        base: u32,
    ) -> bool {
        let warps = self.reads.chunks_exact(self.words.max(1)).zip(known);
        let mut later = false;
        for (other, (reads, &known)) in warps.enumerate() {
            let last = known.max(base.saturating_sub(1));
            let after = |any: bool, read: &Read| any | (read.clock() > last);
            let reads = &reads[words.clone()];
            // A chunk of four words is 16 bytes, the most common access; wider ones have several
            // chunks.
            later |= other != warp
                && match <&[Read; 4]>::try_from(reads) {
                    Ok(reads) => reads.iter().fold(false, after),
                    Err(_) => reads.iter().fold(false, after),
                };
        }
        !later
    }

    /// Records a read of a range by several lanes of a warp.
    pub(super) fn put(&mut self, warp: usize, stamp: Stamp, range: Range<usize>) {
        let reads = self.by_warp_mut(warp);
        if range.start.is_multiple_of(4)
            && range.end.is_multiple_of(4)
            && stamp.strength() == Strength::Plain
        {
            let new = Read::new(Stamp {
                lane: SEVERAL,
                mask: 0xf,
                ..stamp
            });
            // A whole-word read replaces any older one: `new == old.and(new)`.
            reads[range.start / 4..range.end / 4].fill(new);
            return;
        }
        for (word, mask) in words(range) {
            reads[word] = reads[word].and(Read::new(Stamp {
                lane: SEVERAL,
                mask,
                ..stamp
            }));
        }
    }
}

/// The asynchronous operations in flight that read shared memory.
#[derive(Default)]
pub(super) struct Holds {
    /// Per word, the number of readers in the lower half and the instruction of the last one in the
    /// upper half. Empty until the first operation.
    holds: Vec<u64>,
}

const COUNT: u64 = 0xffff_ffff;

impl Holds {
    pub(super) fn clear(&mut self) {
        self.holds.clear();
    }

    /// Adds an operation of a block with `words` words of shared memory.
    pub(super) fn add(&mut self, range: &Range<usize>, instruction: u32, words: usize) {
        if self.holds.is_empty() {
            self.holds.resize(words, 0);
        }
        for hold in &mut self.holds[range.start / 4..range.end.div_ceil(4)] {
            *hold = ((*hold & COUNT) + 1) | u64::from(instruction) << 32;
        }
    }

    /// Removes an operation that completed.
    pub(super) fn remove(&mut self, range: &Range<usize>) {
        let held = self.holds.get_mut(range.start / 4..range.end.div_ceil(4));
        for hold in held.into_iter().flatten() {
            *hold -= u64::from(*hold & COUNT != 0);
        }
    }

    #[inline]
    pub(super) fn any(&self, words: &Range<usize>) -> bool {
        let held = self.holds.get(words.clone()).unwrap_or_default();
        held.iter().any(|hold| hold & COUNT != 0)
    }

    /// Returns the instruction of an operation that reads the word, if there is one.
    pub(super) fn reader(&self, word: usize) -> Option<u32> {
        let hold = self.holds.get(word).filter(|&hold| hold & COUNT != 0)?;
        Some((hold >> 32) as u32)
    }
}

//! Which elements of a sparse A there are (PTX ISA, "Sparse matrix storage").
//!
//! In each chunk of a row half the elements are stored; the metadata say which, in 4 bits per
//! chunk, the first stored element in the lower two. Chunks are
//!
//! ```text
//! .f16 .bf16 and 8 bits   4 elements, 2 stored: two 2-bit indices
//! .tf32                   2 elements, 1 stored: 0b0100 the first, 0b1110 the second
//! 4 bits                  8 elements, 4 stored in pairs: two 2-bit indices of pairs
//! ```
//!
//! Metadata of rows `g` and `g + 8` lie in the four consecutive lanes of group `g = lane / 4`:
//!
//! ```text
//! 16 and 32 bits   thread j: chunks 4j .. 4j + 4, row g in bits 0..16, row g + 8 in bits 16..32
//! 8 and 4 bits     thread 2j: row g, thread 2j + 1: row g + 8, chunks 8j .. 8j + 8
//! ```
//!
//! A shape takes 1, 2 or 4 threads of the group; the sparsity selector says the how-manieth such
//! set (PTX ISA, figures "metadata layout" of each sparse shape).

use super::element::Element;

/// How the chunks of a type are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chunks {
    /// 1 of 2
    Halves,
    /// 2 of 4
    Quarters,
    /// 4 of 8, in pairs
    Pairs,
}

/// Where metadata come from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Storage {
    chunks: Chunks,
    /// Metadata of a row in a thread are 16 bits and not 32.
    wide: bool,
    /// Threads of a group that give metadata: 1, 2 or 4.
    threads: usize,
}

/// Metadata that no chunk has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Invalid {
    pub(crate) lane: usize,
    pub(crate) bits: u32,
}

impl Invalid {
    pub(crate) fn message(self) -> String {
        format!(
            "the sparsity metadata has {:#06b} for a chunk, which says no places of elements",
            self.bits
        )
    }
}

impl Storage {
    /// Of a matrix of 16 rows by `k` elements, each in `bits` bits.
    pub(crate) fn new(element: Element, bits: usize, k: usize) -> Self {
        let chunks = match (element, bits) {
            (Element::Tf32, _) => Chunks::Halves,
            (_, 4) => Chunks::Pairs,
            _ => Chunks::Quarters,
        };
        let wide = bits >= 16;
        let chunks_in_row = k / chunks.elements();
        let threads = if wide {
            chunks_in_row / 4
        } else {
            2 * chunks_in_row / 8
        };
        Self {
            chunks,
            wide,
            threads,
        }
    }

    /// The selectors there are: below it.
    pub(crate) fn selectors(self) -> usize {
        4 / self.threads
    }

    /// For each of 16 rows, the places in the row of its stored elements, in their order.
    pub(crate) fn positions(
        self,
        metadata: &[u64; 32],
        selector: usize,
        ordered: bool,
    ) -> Result<Vec<u16>, Invalid> {
        let chunks_in_thread = if self.wide { 4 } else { 8 };
        let chunks_in_row = 4 * self.threads;
        let mut positions = Vec::new();
        for row in 0..16 {
            for chunk in 0..chunks_in_row {
                let (group, upper) = (row % 8, row / 8);
                let (part, within) = (chunk / chunks_in_thread, chunk % chunks_in_thread);
                let (thread, shift) = if self.wide {
                    (part, 16 * upper + 4 * within)
                } else {
                    (2 * part + upper, 4 * within)
                };
                let lane = 4 * group + self.threads * selector + thread;
                let bits = metadata[lane] as u32 >> shift & 15;
                let invalid = Invalid { lane, bits };
                self.chunks
                    .places(bits, ordered, &mut |place| {
                        let at = chunk * self.chunks.elements() + place;
                        positions.push(u16::try_from(at).expect("at most 128 columns"));
                    })
                    .ok_or(invalid)?;
            }
        }
        Ok(positions)
    }
}

impl Chunks {
    /// Elements of a chunk.
    pub(crate) const fn elements(self) -> usize {
        match self {
            Self::Halves => 2,
            Self::Quarters => 4,
            Self::Pairs => 8,
        }
    }

    pub(crate) fn places(
        self,
        bits: u32,
        ordered: bool,
        add: &mut impl FnMut(usize),
    ) -> Option<()> {
        let (first, second) = ((bits & 3) as usize, (bits >> 2) as usize);
        if first == second || ordered && first > second {
            return None;
        }
        match self {
            Self::Halves => add(match bits {
                0b0100 => 0,
                0b1110 => 1,
                _ => return None,
            }),
            Self::Quarters => [first, second].into_iter().for_each(add),
            Self::Pairs => {
                for pair in [first, second] {
                    add(2 * pair);
                    add(2 * pair + 1);
                }
            }
        }
        Some(())
    }
}

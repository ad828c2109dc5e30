//! The sparsity metadata of A (PTX ISA, "Sparse matrix storage").
//!
//! Half of the elements in each chunk of a row are stored. The metadata selects them in 4 bits per
//! chunk, with the first stored element in the lower two:
//!
//! ```text
//! .f16 .bf16 and 8 bits   4 elements, 2 stored: two 2-bit indices
//! .tf32                   2 elements, 1 stored: 0b0100 the first, 0b1110 the second
//! 4 bits                  8 elements, 4 stored in pairs: two 2-bit indices of pairs
//! ```
//!
//! The four consecutive lanes of group `g = lane / 4` hold the metadata of the rows `g` and `g +
//! 8`:
//!
//! ```text
//! 16 and 32 bits   thread j: chunks 4j .. 4j + 4, row g in bits 0..16, row g + 8 in bits 16..32
//! 8 and 4 bits     thread 2j: row g, thread 2j + 1: row g + 8, chunks 8j .. 8j + 8
//! ```
//!
//! A shape uses 1, 2 or 4 threads of the group. The sparsity selector is the index of that set of
//! threads (PTX ISA, figures "metadata layout" of each sparse shape).

use super::element::Element;

/// The chunk layout of an element type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chunks {
    /// Stores 1 element of 2.
    Halves,
    /// Stores 2 elements of 4.
    Quarters,
    /// Stores 4 elements of 8, in pairs.
    Pairs,
}

/// The layout of the metadata in the threads of a group.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Storage {
    chunks: Chunks,
    /// Is `true` if a thread has 16 bits of metadata per row, `false` if it has 32.
    wide: bool,
    /// The number of threads of a group that provide metadata: 1, 2 or 4.
    threads: usize,
}

/// Metadata that is invalid for its chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Invalid {
    pub(crate) lane: usize,
    pub(crate) bits: u32,
}

impl Invalid {
    pub(crate) fn message(self) -> String {
        format!(
            "the sparsity metadata has {:#06b} for a chunk, which is not a valid selection of elements",
            self.bits
        )
    }
}

impl Storage {
    /// Returns the layout for 16 rows of `k` elements of `bits` bits each.
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

    /// Returns the number of valid selectors.
    pub(crate) fn selectors(self) -> usize {
        4 / self.threads
    }

    /// Returns, for each of 16 rows, the positions of the stored elements in order.
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
                        let column = chunk * self.chunks.elements() + place;
                        positions.push(u16::try_from(column).expect("at most 128 columns"));
                    })
                    .ok_or(invalid)?;
            }
        }
        Ok(positions)
    }
}

impl Chunks {
    /// Returns the number of elements of a chunk.
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

//! Chooses how many neighbours a thread holds of tiles that are loaded and stored in one layout.
//!
//! Input: the accesses to tiles of one shape. Output: the number of elements per thread. Each element type
//! prefers as many as make 16 bytes; a thread that holds more elements of a wide type than one instruction
//! accesses leaves gaps to those of its neighbours:
//!
//! ```text
//!   8 of f16     lane 0 | lane 1 | lane 2 ...        16 bytes of each lane, whole sectors
//!   8 of f32     lane 0 ........ | lane 1 ........   half of each sector, twice
//!   4 of f16     lane 0 | lane 1 | lane 2 ...         8 bytes of each lane, whole sectors
//! ```

/// An access that the width has to suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// Bits of an element.
    pub element_bits: u64,
    /// Number of elements that one instruction may access.
    pub max_elements: u64,
    /// Number of loops around it.
    pub depth: u32,
}

/// Lanes of a warp, and elements per lane of the tile for which costs are computed.
const LANES: u64 = 32;

/// Size of a sector in bytes.
const SECTOR_BYTES: u64 = 32;

/// Number of sectors that take as long as an instruction: a cache line.
const SECTORS_PER_INSTRUCTION: u64 = 4;

/// Assumed trip count of a loop, as a power of two.
const LOG2_ITERATIONS: u32 = 4;

/// Maximum number of loops that count.
const MAX_DEPTH: u32 = 4;

impl Access {
    /// Returns the cost of accessing 32 elements per lane, in sectors, with `width` neighbours each.
    fn cost(self, width: u64) -> u64 {
        let together = width.min(self.max_elements);
        let instructions = LANES.div_ceil(together);
        // Lanes are adjacent, at a distance of the bytes that each holds. The bytes between those of one
        // instruction are in sectors that it touches, if lanes are near enough.
        let bytes = LANES * width * self.element_bits / 8;
        let apart = (together * self.element_bits).div_ceil(8 * SECTOR_BYTES) * LANES;
        let sectors = (bytes / SECTOR_BYTES).clamp(1, apart);
        let each = instructions * (SECTORS_PER_INSTRUCTION + sectors);
        each << (LOG2_ITERATIONS * self.depth.min(MAX_DEPTH))
    }
}

/// Returns the number of neighbours, a power of two, with which `accesses` cost least; the largest of equals.
pub(crate) fn elements_per_thread(accesses: &[Access]) -> u64 {
    let most = accesses.iter().map(|access| access.max_elements).max();
    let widths = (0..=most.unwrap_or(1).ilog2()).rev().map(|log2| 1 << log2);
    let cost = |width: &u64| -> u64 { accesses.iter().map(|access| access.cost(*width)).sum() };
    widths.min_by_key(cost).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::{Access, elements_per_thread};

    /// Returns an access to elements of this many bits, of 16 bytes.
    fn wide(element_bits: u64) -> Access {
        Access {
            element_bits,
            max_elements: 128 / element_bits,
            depth: 0,
        }
    }

    #[test]
    fn one_type_takes_all_of_an_instruction() {
        for bits in [4, 8, 16, 32, 64] {
            assert_eq!(elements_per_thread(&[wide(bits); 3]), 128 / bits);
        }
        assert_eq!(elements_per_thread(&[]), 1);
    }

    #[test]
    fn the_widest_of_several_types_fills_its_sectors() {
        for narrow in [4, 8, 16] {
            assert_eq!(elements_per_thread(&[wide(narrow), wide(32)]), 4);
            assert_eq!(
                elements_per_thread(&[wide(32), wide(narrow), wide(narrow)]),
                4
            );
        }
        assert_eq!(elements_per_thread(&[wide(8), wide(16)]), 8);
        assert_eq!(elements_per_thread(&[wide(32), wide(64)]), 2);
    }

    #[test]
    fn what_runs_again_and_again_counts_more() {
        let in_loop = Access {
            depth: 1,
            ..wide(16)
        };
        assert_eq!(elements_per_thread(&[in_loop, wide(32)]), 8);
        let deep = Access {
            depth: 100,
            ..wide(16)
        };
        assert_eq!(elements_per_thread(&[deep, wide(32)]), 8);
    }

    #[test]
    fn gaps_within_a_sector_cost_what_is_left_out() {
        let unaligned = Access {
            element_bits: 16,
            max_elements: 1,
            depth: 0,
        };
        assert_eq!(unaligned.cost(1), 32 * (4 + 2));
        assert_eq!(unaligned.cost(2), 32 * (4 + 4));
        assert_eq!(unaligned.cost(32), 32 * (4 + 32));
        assert_eq!(wide(64).cost(2), 16 * (4 + 16));
        let half_a_byte = Access {
            element_bits: 4,
            ..unaligned
        };
        assert_eq!(half_a_byte.cost(1), 32 * (4 + 1));
    }
}

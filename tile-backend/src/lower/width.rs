//! Chooses the number of neighbours that a thread holds of tiles that are loaded and stored in the same
//! layout.
//!
//! Input: the accesses to tiles of one shape. Output: the number of consecutive elements per thread. For each
//! element type, 16 bytes are best. If a thread holds more elements of a wide type than one instruction
//! accesses, there are gaps between the bytes that adjacent lanes access:
//!
//! ```text
//!   8 of f16     lane 0 | lane 1 | lane 2 ...        16 bytes of each lane, whole sectors
//!   8 of f32     lane 0 ........ | lane 1 ........   half of each sector, twice
//!   4 of f16     lane 0 | lane 1 | lane 2 ...         8 bytes of each lane, whole sectors
//! ```

/// An access for which the width is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Access {
    /// The number of bits of an element.
    pub element_bits: u64,
    /// Maximum number of elements that one instruction may access.
    pub max_elements: u64,
    /// The number of loops that enclose the access.
    pub depth: u32,
}

/// The number of lanes of a warp, which is also the number of elements per lane for which costs are computed.
const LANES: u64 = 32;

/// The size of a sector in bytes.
const SECTOR_BYTES: u64 = 32;

/// The number of sectors whose transfer takes as long as issuing an instruction: those of a cache line.
const SECTORS_PER_INSTRUCTION: u64 = 4;

/// Assumed trip count of a loop, as a power of two.
const LOG2_ITERATIONS: u32 = 4;

/// Maximum number of enclosing loops that are taken into account.
const MAX_DEPTH: u32 = 4;

impl Access {
    /// Returns the cost, in sectors, of accessing 32 elements per lane if each lane holds `width` neighbours.
    fn cost(self, width: u64) -> u64 {
        let together = width.min(self.max_elements);
        let instructions = LANES.div_ceil(together);
        // Each lane holds the neighbours that follow those of the previous lane. If lanes are close enough,
        // an instruction touches every sector between its first and last byte; otherwise only the sectors of
        // each lane.
        let bytes = LANES * width * self.element_bits / 8;
        let apart = (together * self.element_bits).div_ceil(8 * SECTOR_BYTES) * LANES;
        let sectors = (bytes / SECTOR_BYTES).clamp(1, apart);
        let each = instructions * (SECTORS_PER_INSTRUCTION + sectors);
        each << (LOG2_ITERATIONS * self.depth.min(MAX_DEPTH))
    }
}

/// Returns the number of neighbours, a power of two, for which `accesses` have the lowest cost; of equal
/// costs, the largest number.
pub(crate) fn elements_per_thread(accesses: &[Access]) -> u64 {
    let most = accesses.iter().map(|access| access.max_elements).max();
    let widths = (0..=most.unwrap_or(1).ilog2()).rev().map(|log2| 1 << log2);
    let cost = |width: &u64| -> u64 { accesses.iter().map(|access| access.cost(*width)).sum() };
    widths.min_by_key(cost).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::{Access, elements_per_thread};

    /// Returns an access of 16 bytes to elements of `element_bits` bits.
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

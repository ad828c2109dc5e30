//! Shared-memory layouts: offset (in elements) to tile element, with an XOR swizzle.
//!
//! ```text
//!   vec = 2, per_phase = 1, max_phase = 4, rows of 8 elements; cells are columns held
//!   row 0   0 1 2 3 4 5 6 7
//!   row 1   2 3 0 1 6 7 4 5
//!   row 2   4 5 6 7 0 1 2 3
//!   row 3   6 7 4 5 2 3 0 1
//! ```

use super::blocked::MAX_ACCESS_BITS;
use super::linear::LinearLayout;
use super::place::InDim;
use super::shape::{Axis, OutShape};

/// Bytes of shared memory that one access of a warp can reach without conflict:
/// 32 banks of 4 bytes.
pub(super) const BANK_LINE_BYTES: u32 = 128;

/// An XOR swizzle: in row `r`, the vector at position `p` holds the tile's vector
/// `p ^ ((r / per_phase) % max_phase)`. All three numbers are powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Swizzle {
    /// Number of elements of a vector, which stay together.
    pub vec: u64,
    /// Number of neighbouring rows with the same permutation.
    pub per_phase: u64,
    /// The number of different permutations.
    pub max_phase: u64,
}

impl Swizzle {
    /// No permutation.
    pub const NONE: Self = Self {
        vec: 1,
        per_phase: 1,
        max_phase: 1,
    };
}

/// Returns the layout that stores the tile axis after axis, along `order` (fastest first).
pub fn row_major(shape: &OutShape, order: &[Axis]) -> LinearLayout {
    LinearLayout::identity(InDim::Offset, shape.clone(), order)
}

/// Returns the layout that stores the tile along `order` with rows (along `order[0]`) permuted by `swizzle`
/// according to their position on `order[1]`. Further axes are not swizzled.
///
/// # Panics
/// If the swizzle's sizes are not powers of two, or its vectors exceed a row.
pub fn swizzled(shape: &OutShape, order: &[Axis], swizzle: Swizzle) -> LinearLayout {
    let Swizzle {
        vec,
        per_phase,
        max_phase,
    } = swizzle;
    assert!(
        [vec, per_phase, max_phase]
            .iter()
            .all(|size| size.is_power_of_two()),
        "the sizes of a swizzle are powers of two"
    );
    let plain = row_major(shape, order);
    let &[column, row, ..] = order else {
        return plain;
    };
    assert!(
        vec * max_phase <= shape.size(column) || max_phase == 1,
        "a swizzle stays within the row"
    );
    let bases: Vec<u64> = plain
        .bases(InDim::Offset)
        .iter()
        .map(|&basis| {
            let phase = (shape.coordinate(basis, row) / per_phase) % max_phase;
            basis ^ shape.on_axis(column, vec * phase)
        })
        .collect();
    LinearLayout::new(shape.clone(), [(InDim::Offset, bases)])
}

/// Returns the swizzled layout in which neither the 16-byte vectors along a row nor those down a column of
/// neighbouring rows have bank conflicts, as `ldmatrix` needs. Rows shorter than 128 bytes share a phase
/// until they fill 128 bytes.
pub fn swizzled_for(shape: &OutShape, order: &[Axis], element_bits: u32) -> LinearLayout {
    let &[column, _, ..] = order else {
        return row_major(shape, order);
    };
    let vec = u64::from(MAX_ACCESS_BITS / element_bits).max(1);
    let vectors_per_line = u64::from(BANK_LINE_BYTES * 8 / MAX_ACCESS_BITS);
    let vectors_per_row = shape.size(column) / vec;
    if vectors_per_row < 2 {
        return row_major(shape, order);
    }
    let per_phase = (vectors_per_line / vectors_per_row).max(1);
    let swizzle = Swizzle {
        vec,
        per_phase,
        max_phase: vectors_per_line / per_phase,
    };
    swizzled(shape, order, swizzle)
}

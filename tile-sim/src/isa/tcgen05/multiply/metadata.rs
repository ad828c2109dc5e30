//! The sparsity metadata of A in tensor memory (PTX ISA, "Sparse Matrices").
//!
//! The metadata has one 4-bit code per chunk, as in [`crate::isa::mma::sparse`]. Its position,
//! relative to the column of the address, is
//!
//! ```text
//! 16 and 32 bits   column `selector`; of 16 rows, row g has its first four codes in lane g and its
//!                  last four in lane g + 8, in bits 0-15; row g + 8 has them in bits 16-31
//! 8 and 4 bits     the row's lane, eight codes in a column, in two columns
//! ```

use super::forms::Kind;
use super::layout::Layout;
use crate::isa::mma::sparse::Chunks;

/// Returns the first column of the metadata and the number of columns.
pub(crate) fn columns(kind: Kind, column: u32, selector: usize) -> (u32, u32) {
    if is_wide(kind) {
        // The selector is at most 3.
        (column + selector as u32, 1)
    } else {
        (column, 2)
    }
}

fn is_wide(kind: Kind) -> bool {
    matches!(kind, Kind::F16 | Kind::Tf32)
}

fn chunks(kind: Kind) -> Chunks {
    match kind {
        Kind::Tf32 => Chunks::Halves,
        Kind::F16 | Kind::F8f6f4 | Kind::I8 | Kind::Mxf8f6f4 => Chunks::Quarters,
        Kind::Mxf4 | Kind::Mxf4nvf4 => Chunks::Pairs,
    }
}

/// Returns, for each row of a part, the positions of the stored elements in order. `column` is the
/// first of [`columns`]. The error has the invalid code and its lane.
pub(crate) fn positions(
    kind: Kind,
    layout: Layout,
    part: usize,
    column: usize,
    word: impl Fn(usize, usize) -> u32,
) -> Result<Vec<u16>, (u32, usize)> {
    let wide = is_wide(kind);
    let chunks = chunks(kind);
    let mut positions = Vec::new();
    for row in 0..layout.rows {
        for chunk in 0..if wide { 8 } else { 16 } {
            let (lane, column, shift) = if wide {
                let first = layout.lane(row / 16 * 16, part);
                let lane = first + row % 8 + chunk / 4 * 8;
                (lane, column, 16 * (row / 8 % 2) + 4 * (chunk % 4))
            } else {
                (layout.lane(row, part), column + chunk / 8, 4 * (chunk % 8))
            };
            let bits = word(lane, column) >> shift & 15;
            let mut add = |place| {
                let column_index = chunk * chunks.elements() + place;
                positions.push(u16::try_from(column_index).expect("at most 128 columns"));
            };
            chunks.places(bits, false, &mut add).ok_or((bits, lane))?;
        }
    }
    Ok(positions)
}

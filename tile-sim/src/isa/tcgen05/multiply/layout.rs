//! Matrix layouts in tensor memory (PTX ISA, "Data Path Layout Organization").
//!
//! Each lane is a data path that computes a part of one row of D from the contents of its own lane
//! and of its own quarter of 32 lanes. A block has all of the M rows, or, in a pair of blocks, the
//! lower or the upper half.
//!
//! ```text
//!             M    blocks  lanes of row r of the block       columns of D
//! A, D   256, 128  2, 1    r                                 all
//! B, E   128,  64  2, 1    r and 64 + r                      the lower half, the upper half
//! C, F   128,  64  2, 1    32 * (r / 16) + r % 16 (+ 16)     all
//! G           32   1       r, 32 + r, 64 + r, 96 + r         a quarter each
//! ```
//!
//! Layout B is for a dense and C for a sparse A; E and G are for `.ws`, F is not. If several lanes
//! have a row of D, each reads its own copy of that row of A, of its metadata and of its scale
//! factors.

use crate::machine::tensor_memory::{Cells, Group};

/// A layout of D.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// The number of rows per block.
    pub(crate) rows: usize,
    /// The number of lanes that share a row.
    pub(crate) parts: usize,
    /// Is `true` if only half of the lanes of each quarter are used.
    halved: bool,
    /// The first lane: 0, or 16 if the layout is halved.
    first: u32,
}

impl Layout {
    pub(crate) fn new(m: usize, group: Group, sparse: bool, stationary: bool) -> Self {
        let (rows, parts, halved) = match (m, group, stationary) {
            (256, _, _) | (128, Group::One, _) => (128, 1, false),
            (128, Group::Two, _) if sparse => (64, 1, true),
            (128, Group::Two, _) => (64, 2, false),
            (64, _, true) => (64, 2, false),
            (64, _, false) => (64, 1, true),
            // Instruction descriptors have no other M.
            _ => (32, 4, false),
        };
        Self {
            rows,
            parts,
            halved,
            first: 0,
        }
    }

    /// Returns the layout that starts at `lane`, if that is valid.
    pub(crate) fn from(self, lane: u32) -> Option<Self> {
        let may = lane == 0 || self.halved && lane == 16;
        may.then_some(Self {
            first: lane,
            ..self
        })
    }

    /// Names the lanes at which the layout may start, for messages.
    pub(crate) fn beginnings(self) -> &'static str {
        if self.halved { "0 or 16" } else { "0" }
    }

    /// Returns the lane that computes a part of a row.
    pub(crate) fn lane(self, row: usize, part: usize) -> usize {
        let lane = if self.halved {
            row / 16 * 32 + row % 16
        } else {
            self.rows * part + row
        };
        lane + self.first as usize
    }

    /// Returns all cells of these columns in a block.
    pub(crate) fn cells(self, block: usize, column: u32, columns: u32) -> Vec<Cells> {
        let cells = |lane, lanes| Cells {
            block,
            lane,
            lanes,
            column,
            columns,
        };
        if self.halved {
            (0..4)
                .map(|quarter| cells(32 * quarter + self.first, 16))
                .collect()
        } else {
            vec![cells(0, 128)]
        }
    }
}

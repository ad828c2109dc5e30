//! Operations on slices of tiles: `insert_slice` and `extract_slice`.

use crate::layout::{OutShape, Register};

/// Replaces a slice of a tile; see [`super::OpKind::InsertSlice`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsertSlice {
    /// The shape of the slice.
    pub slice: OutShape,
    /// The index of the replaced slice, if it is constant; otherwise operands give it.
    pub at: Option<Vec<u64>>,
    /// For each register of the result, the register of the tile.
    pub tile: Vec<Register>,
    /// For each register of the result, the register of the slice.
    pub part: Vec<Register>,
}

/// Extracts a slice that each thread holds in its own registers; see [`super::OpKind::ExtractSlice`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractSlice {
    /// The number of slices along each axis.
    pub counts: Vec<u64>,
    /// For each slice, in row-major order, and each register of the result, the source register.
    pub sources: Vec<Vec<Register>>,
}

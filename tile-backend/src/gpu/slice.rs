//! What operations on slices of tiles do.

use crate::layout::{OutShape, Register};

/// Puts a slice into a tile; see [`super::OpKind::InsertSlice`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsertSlice {
    /// The shape of the slice.
    pub slice: OutShape,
    /// Which slice is replaced, if it is known; else operands say it.
    pub at: Option<Vec<u64>>,
    /// Per register of the result, the register of the tile.
    pub tile: Vec<Register>,
    /// Per register of the result, the register of the slice.
    pub part: Vec<Register>,
}

/// Takes a slice that is in the registers of its threads; see [`super::OpKind::ExtractSlice`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExtractSlice {
    /// The number of slices along each axis.
    pub counts: Vec<u64>,
    /// Per slice, in row-major order, and per register of the result, the register.
    pub sources: Vec<Vec<Register>>,
}

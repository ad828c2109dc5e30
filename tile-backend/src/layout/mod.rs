//! Linear layouts: maps from thread and register, or from shared-memory offset, to the elements of a tile.
//!
//! Input: tile shapes, element widths and warp counts. Output: [`LinearLayout`]s, and plans derived from them
//! (vector accesses, `ldmatrix`, reductions, conversions, addresses). Everything here is algebra over F2 on
//! at most 64 bits; nothing depends on LLVM or a target.
//!
//! ```text
//!   register lane warp block            offset block
//!          \    |   |   /                   \   /
//!        distributed layout             shared layout        both: LinearLayout
//!                \                          /
//!                 tile index (row-major, last axis in the lowest bits)
//! ```
//!
//! Invariants:
//! - all sizes are powers of two
//! - a flat tile index is row-major: the last axis has the lowest bits
//! - a flat input index has the dimensions in the order of [`InDim::ALL`], register lowest, so "smallest"
//!   means "least movement between blocks, then warps, then lanes"

pub mod access;
pub mod address;
pub mod blocked;
pub mod boxes;
pub mod convert;
pub mod exchange_rounds;
pub mod f2;
pub mod interleave;
pub mod ldmatrix;
pub mod linear;
pub mod mma;
pub mod ordered;
pub mod packed;
pub mod place;
pub mod reduce;
pub mod runs;
pub mod scan;
pub mod shape;
pub mod shared;
pub mod skewed;
pub mod slice;
pub mod swizzle;
pub mod transposition;
pub mod warpgroup;

#[cfg(test)]
mod tests;

pub use access::{RegisterCopy, VectorGroup, VectorPlan, bank_conflict_ways, vector_plan};
pub use address::{AddressParts, BitRun};
pub use blocked::{BlockedTile, blocked, coalesced, coalesced_in_warps};
pub use boxes::{BoxSwizzle, Boxes, atom_layout};
pub use convert::{
    Conversion, HardwareMap, ShufflePlan, access_passes, classify, conversion, exchange_layout,
    stays_in_warps,
};
pub use exchange_rounds::ExchangeRounds;
pub use interleave::{can_interleave, interleaved, straightened};
pub use ldmatrix::{
    LdmatrixInstruction, LdmatrixPlan, MatrixCount, ldmatrix_plan, matrix_rows, stmatrix_plan,
};
pub use linear::{Inverse, LinearLayout};
pub use mma::{
    MmaInstruction, MmaStep, MmaTiling, MmaWarps, mma_accumulator, mma_operand_a, mma_operand_b,
};
pub use ordered::ordered_plans;
pub use packed::{is_packed, packed};
pub use place::{InBits, InDim, Location, Register};
pub use reduce::{ReducePlan, WarpExchange, reduce_plan};
pub use runs::Runs;
pub use scan::{ScanPlan, scan_layout, scan_plan};
pub use shape::{Axis, OutShape};
pub use shared::{Swizzle, row_major, swizzled, swizzled_for};
pub use skewed::skewed;
pub use slice::{
    SliceRegisters, slice_counts, slice_number, slice_of_row_major, slice_registers,
    slices_in_registers, within_slices,
};
pub use swizzle::generated_exchange;
pub use transposition::Transposition;
pub use warpgroup::{Steps, SwizzleAtoms, Warpgroups};

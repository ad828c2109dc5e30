//! The GPU IR: who does what in a thread block.
//!
//! In: tile IR, lowered by [`crate::lower`]. Out: what [`crate::llvm`] emits.
//!
//! A [`Kernel`] is structured code that every thread of a block runs. A value is
//! *uniform* (the same in every thread) or *distributed* (a tile, spread over
//! registers, lanes and warps by a [`LinearLayout`](crate::layout::LinearLayout)).
//! Shared memory is explicit: [`Buffer`]s, stores, loads and barriers.
//!
//! Invariants, checked by [`verify()`]:
//! - operands are defined before they are used, in the same or an enclosing block
//! - element-wise operations have operands of one layout
//! - a distributed value of `n` registers has `n` a power of two, none of them a copy
//! - between a write and a read or another write of the same bytes of shared memory
//!   by another thread there is a barrier, and what is read was written to that buffer last
//! - a ring, a buffer of several slots, is filled by asynchronous copies or transpositions alone; before a
//!   slot is read its copy is waited for, and between the wait and the read there is a barrier; before
//!   a copy into it begins, it has been read, and a barrier has been passed
//! - where the kernel ends no copy is under way
//! - what a tensor is stored from was fenced by those who wrote it, and is overwritten only once it has
//!   been read
//! - a barrier that counts bytes of copies is initialized once, expects as many as come, and is waited
//!   for with the parity of the phase that was begun last; copies of rows are begun in front of the arrival
//!   that expects what they bring
//! - a slot that is handed to and fro ([`PipelineBarriers`]) is read between the wait for it and its freeing, and
//!   each side goes through the slots in order, with the parities of their rounds
//! - blocks that are persistent ([`GRID_PARAMS`]) take every position of theirs, and nobody waits for another
//! - control flow is uniform, so that every thread reaches every barrier: what decides it are
//!   values that all threads agree on ([`crate::analysis::uniform`])
//! - `continue` and `break` lead to the innermost loop, through branches alone

mod bulk_copy;
mod caching;
mod cluster;
mod cluster_split;
pub mod compute;
mod convert_layout;
mod copy;
mod divergence;
mod grouped_raster;
mod kernel;
mod lpt_order;
mod memory;
mod mma;
mod mma_scaled;
mod op;
mod persistent;
mod pipeline_barriers;
mod print;
mod print_memory;
mod raster_order;
mod scan;
mod slice;
mod thread_private;
mod tma;
mod tma_store;
mod transpose_shared;
mod verify;
mod verify_cluster;
mod verify_memory;
mod verify_pipeline_barriers;
mod verify_tiles;
mod verify_tma;
mod wgmma;

pub use bulk_copy::{BULK_BYTES, BulkCopy, MAX_RUNS};
pub use caching::Caching;
pub(crate) use caching::{SECTOR_BYTES, WarpAccess};
pub use cluster::{Clusters, Reach};
pub(crate) use cluster::{each, is_cluster_scoped};
pub use cluster_split::MAX_BLOCKS_PER_TILE;
pub(crate) use cluster_split::{can_split, first_unsplittable, is_cluster_exchange};
pub use copy::{AsyncCopy, Copied};
pub(crate) use divergence::Divergence;
pub use grouped_raster::GroupedRaster;
pub use kernel::{
    Access, Block, BlockId, Buffer, BufferId, Kernel, LayoutId, OpId, Param, ParamKind, Ty, Value,
    ValueId,
};
pub use lpt_order::LptOrder;
pub use memory::{
    AddressedTile, Arena, AtomicKind, MemoryKind, Operands, Order, Space, Variable, Vector,
};
pub use mma::{Mma, MmaKind, MmaLoop, MmaLoopStep, Side, transposed};
pub use mma_scaled::{MmaScaled, ScaledStep};
pub use op::{
    Begins, Dependents, ElementOp, GlobalAxis, GlobalTile, Op, OpKind, Partials, Piece, Printed,
};
pub use persistent::GRID_PARAMS;
pub use pipeline_barriers::{Arrivals, PipelineBarriers};
pub use print::to_text;
pub use raster_order::{MAX_GRID_EXTENT, RasterOrder};
pub use scan::ScanStep;
pub use slice::{ExtractSlice, InsertSlice};
pub use tma::{
    BARRIER_BYTES, ExpectTx, MAX_EXPECTED_BYTES, MapAxis, MapNumber, TensorMap, TmaLoad,
};
pub use tma_store::{TmaStore, TmaStoreWait, TmaStoreWaitKind};
pub use transpose_shared::TransposeShared;
pub use verify::verify;
pub(crate) use verify_pipeline_barriers::all_pipeline_barriers;
pub use wgmma::{PingPong, SharedMatrix, Wgmma};

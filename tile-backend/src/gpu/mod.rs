//! The GPU IR: tiles distributed over the threads of a block, with explicit shared memory and barriers.
//!
//! Input: tile IR, lowered by [`crate::lower`]. Output: the IR that [`crate::llvm`] emits as LLVM IR.
//!
//! A [`Kernel`] is structured code that every thread of a block runs. A value is *uniform* (the same in every
//! thread) or *distributed* (a tile, spread over registers, lanes and warps by a
//! [`LinearLayout`](crate::layout::LinearLayout)). Shared memory is explicit: [`Buffer`]s, stores, loads and
//! barriers.
//!
//! Invariants, checked by [`verify()`]:
//! - Operands are defined before they are used, in the same or an enclosing block.
//! - Element-wise operations have operands of one layout.
//! - The number of registers of a distributed value is a power of two, and no register is a copy of another.
//! - A barrier separates a write of shared memory from a read or another write of the same bytes by another
//!   thread, and a read sees the bytes that were last written to that buffer.
//! - A circular buffer is filled only by asynchronous copies or transposes. Before a stage is read, its copy
//!   is waited for, and a barrier follows the wait; before a copy into the stage begins, the stage has been
//!   read and a barrier has been passed.
//! - No copy is in flight where the kernel ends.
//! - The source of a TMA store was fenced by the threads that wrote it, and is overwritten only once it has
//!   been read.
//! - An mbarrier that counts bytes of copies is initialized once, expects exactly the bytes that arrive, and
//!   is waited for with the parity of the phase that began last. Bulk copies precede the arrival that expects
//!   their bytes.
//! - A stage that passes between producer and consumers ([`PipelineBarriers`]) is read between the wait for
//!   it and its release, and each side visits the stages in order, with the parities of their rounds.
//! - Blocks of a persistent kernel ([`GRID_PARAMS`]) process all of their work tiles, and no block waits for
//!   another.
//! - A kernel that may start before the previous one in the stream has ended
//!   ([`Dependents`]) waits for that one before it accesses global memory, and before it ends.
//! - Control flow is uniform, so every thread reaches every barrier: conditions and trip counts are values on
//!   which all threads agree ([`crate::analysis::uniform`]).
//! - `continue` and `break` refer to the innermost loop, inside which only branches enclose them.

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
mod ops;
mod order;
mod persistent;
mod pipeline_barriers;
mod raster_order;
mod roots;
mod scan;
mod slice;
#[cfg(test)]
mod tests;
mod text;
mod thread_private;
mod tma;
mod tma_store;
mod transpose_shared;
mod uniform;
mod verify;
mod wgmma;

pub use bulk_copy::{BULK_BYTES, BulkCopy, MAX_RUNS};
pub use caching::Caching;
pub(crate) use caching::{SECTOR_BYTES, WarpAccess};
pub use cluster::{Clusters, Reach};
pub(crate) use cluster::{each, is_cluster_scoped};
pub use cluster_split::MAX_BLOCKS_PER_TILE;
pub(crate) use cluster_split::{can_split, first_unsplittable};
pub use copy::{AsyncCopy, Copied};
pub(crate) use divergence::Divergence;
pub use grouped_raster::GroupedRaster;
pub use kernel::{
    Access, Block, BlockId, Buffer, BufferId, Kernel, LayoutId, OpId, Param, ParamKind, Ty, Value,
    ValueId,
};
pub use lpt_order::LptOrder;
pub use memory::{AddressedTile, Arena, AtomicKind, MemoryKind, Operands, Space, Variable, Vector};
pub use mma::{Mma, MmaKind, MmaLoop, MmaLoopStep, Side, transposed};
pub use mma_scaled::{MmaScaled, ScaledStep};
pub use op::{
    Begins, Dependents, ElementOp, GlobalAxis, GlobalTile, Op, OpKind, Partials, Piece, Printed,
};
pub(crate) use ops::{Completion, Effect, Touch, Trait};
pub use order::{Aliasing, Order, TokenPaths};
pub use persistent::GRID_PARAMS;
pub use pipeline_barriers::{Arrivals, PipelineBarriers};
pub use raster_order::{MAX_GRID_EXTENT, RasterOrder};
pub use roots::{Root, Roots};
pub use scan::ScanStep;
pub use slice::{ExtractSlice, InsertSlice};
pub use text::{ParseError, from_text, to_text};
pub use tma::{
    BARRIER_BYTES, ExpectTx, MAX_EXPECTED_BYTES, MapAxis, MapNumber, TensorMap, TmaLoad,
};
pub use tma_store::{TmaStore, TmaStoreWait, TmaStoreWaitKind};
pub use transpose_shared::TransposeShared;
pub use uniform::Uniformity;
pub(crate) use verify::all_pipeline_barriers;
pub use verify::verify;
pub use wgmma::{PingPong, SharedMatrix, Wgmma};

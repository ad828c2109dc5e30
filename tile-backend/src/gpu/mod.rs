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
//! - a slot that is handed to and fro ([`Handshake`]) is read between the wait for it and its freeing, and
//!   each side goes through the slots in order, with the parities of their rounds
//! - blocks that are persistent ([`GRID_PARAMS`]) take every position of theirs, and nobody waits for another
//! - control flow is uniform, so that every thread reaches every barrier: what decides it are
//!   values that all threads agree on ([`crate::analysis::uniform`])
//! - `continue` and `break` lead to the innermost loop, through branches alone

mod block_order;
mod bulk;
mod caching;
mod cluster;
pub mod compute;
mod copy;
mod exchange;
mod handshake;
mod kernel;
mod longest_first;
mod memory;
mod neighbours;
mod op;
mod own_ring;
mod parts;
mod persistent;
mod print;
mod print_memory;
mod product;
mod scaled;
mod scan;
mod slice;
mod strips;
mod tensor;
mod tensor_store;
mod transposition;
mod verify;
mod verify_cluster;
mod verify_handshake;
mod verify_memory;
mod verify_tensor;
mod verify_tiles;
mod warpgroup;

pub use block_order::{BlockOrder, WIDEST_GRID};
pub use bulk::{BULK_BYTES, BulkCopy, MOST_RUNS};
pub use caching::Caching;
pub(crate) use caching::{SECTOR_BYTES, WarpAccess};
pub use cluster::{Clusters, Reach};
pub(crate) use cluster::{each, is_of_cluster};
pub use copy::{AsyncCopy, Copied};
pub use handshake::{Arrivals, Handshake};
pub use kernel::{
    Access, Block, BlockId, Buffer, BufferId, Kernel, LayoutId, OpId, Param, ParamKind, Ty, Value,
    ValueId,
};
pub use longest_first::LongestFirst;
pub use memory::{
    AddressedTile, Arena, AtomicKind, MemoryKind, Operands, Order, Space, Variable, Vector,
};
pub(crate) use neighbours::Differing;
pub use op::{
    Begins, Dependents, ElementOp, GlobalAxis, GlobalTile, Op, OpKind, Partials, Piece, Printed,
};
pub use parts::MOST_PARTS;
pub(crate) use parts::{impossible, is_possible, is_shared};
pub use persistent::GRID_PARAMS;
pub use print::to_text;
pub use product::{Mma, MmaKind, MmaLoop, Side, Turn, transposed};
pub use scaled::{MmaScaled, ScaledStep};
pub use scan::ScanStep;
pub use slice::{Merge, Pick};
pub use strips::Strips;
pub use tensor::{
    BARRIER_BYTES, Expectation, MAX_EXPECTED_BYTES, MapAxis, MapNumber, TensorCopy, TensorMap,
};
pub use tensor_store::{StoreEnd, StoreWait, TensorStore};
pub use transposition::Transposed;
pub use verify::verify;
pub(crate) use verify_handshake::handshakes;
pub use warpgroup::{Alternation, SharedMatrix, Wgmma};

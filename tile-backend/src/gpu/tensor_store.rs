//! Stores of tensors by hardware that knows the tensor (`cp.async.bulk.tensor` from shared memory).
//!
//! ```text
//!   store_matrix $a            or `store_shared`: every thread writes its part
//!   fence_async                by every thread: the hardware reads by another proxy
//!   barrier
//!   store_tensor !0 $a         one thread begins to copy all boxes, a group
//!   …
//!   wait_stores $a             that thread, until they have been read
//!   barrier                    what is behind may write there
//! ```
//!
//! Where the kernel ends, everything has been read; that it is written then, the hardware sees to.

use super::{BufferId, GlobalTile, Kernel};
use crate::layout::Boxes;

/// A store of a tile; see [`super::OpKind::StoreTensor`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorStore {
    /// The position of the map in [`Kernel::maps`].
    pub map: usize,
    /// The tile.
    pub tile: GlobalTile,
    /// Where from.
    pub buffer: BufferId,
}

/// What of a store a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreEnd {
    /// That the buffer has been read.
    Read,
    /// That the tensor has been written, too.
    Written,
}

impl TensorStore {
    /// The boxes in which the tile leaves its buffer.
    pub fn boxes(&self, kernel: &Kernel) -> Option<Boxes> {
        let memory = kernel.layout(kernel.buffer(self.buffer).layout?);
        let element_bytes = self.tile.element.bytes() as u64;
        Boxes::of(memory, self.tile.contiguous?, element_bytes)
    }
}

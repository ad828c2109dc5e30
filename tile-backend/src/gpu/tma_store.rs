//! Stores of tensors by hardware that knows the tensor (`cp.async.bulk.tensor` from shared memory).
//!
//! ```text
//!   store_matrix $a            or `store_shared`: every thread writes its part
//!   fence_proxy_async                by every thread: the hardware reads by another proxy
//!   barrier
//!   tma_store !0 $a         one thread begins to copy all boxes, a group
//!   …
//!   wait_tma_stores $a             that thread, until they have been read
//!   barrier                    what is behind may write there
//! ```
//!
//! Where the kernel ends, everything has been read; that it is written then, the hardware sees to.
//!
//! A tile may leave in pieces, each from a buffer of its size. If several buffers take turns, a wait leaves those
//! stores under way that are newer than the last one from its buffer:
//!
//! ```text
//!   wait_tma_stores $a left=1;  store_matrix $a;  …  tma_store !0 $a at [0, 0]
//!   wait_tma_stores $b left=1;  store_matrix $b;  …  tma_store !0 $b at [0, 64]
//!   wait_tma_stores $a left=1;  store_matrix $a;  …  tma_store !0 $a at [0, 128]
//! ```

use super::{BufferId, GlobalTile, Kernel};
use crate::layout::Boxes;

/// A store of a tile; see [`super::OpKind::TmaStore`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TmaStore {
    /// The position of the map in [`Kernel::maps`].
    pub map: usize,
    /// The tile.
    pub tile: GlobalTile,
    /// Where from: a buffer of the tile, or of a piece of it.
    pub buffer: BufferId,
    /// Where in the tile that piece begins, per axis.
    pub corner: Vec<u64>,
}

/// A wait for stores; see [`super::OpKind::WaitTmaStores`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TmaStoreWait {
    /// From where.
    pub buffer: BufferId,
    /// Until what.
    pub end: TmaStoreWaitKind,
    /// How many stores may go on, from any buffer: the newest.
    pub left: u32,
}

/// What of a store a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TmaStoreWaitKind {
    /// That the buffer has been read.
    Read,
    /// That the tensor has been written, too.
    Written,
}

impl TmaStore {
    /// The boxes in which the tile leaves its buffer.
    pub fn boxes(&self, kernel: &Kernel) -> Option<Boxes> {
        let memory = kernel.layout(kernel.buffer(self.buffer).layout?);
        let element_bytes = self.tile.element.bytes() as u64;
        Boxes::from_layout(memory, self.tile.contiguous?, element_bytes)
    }

    /// Whether the buffer has a piece of the tile, one of those that it is cut into.
    pub(super) fn is_subtile(&self, kernel: &Kernel) -> bool {
        let layout = kernel.buffer(self.buffer).layout;
        let Some(piece) = layout.map(|id| kernel.layout(id).shape().sizes()) else {
            return false;
        };
        let axes = &self.tile.axes;
        let mut extents = axes.iter().zip(&piece).zip(&self.corner);
        [piece.len(), self.corner.len()] == [axes.len(); 2]
            && extents.all(|((axis, &size), &first)| {
                axis.size.is_multiple_of(size) && first.is_multiple_of(size) && first < axis.size
            })
    }
}

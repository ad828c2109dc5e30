//! TMA stores from shared memory (`cp.async.bulk.tensor`).
//!
//! ```text
//!   store_matrix $a            or `store_shared`: every thread writes its part
//!   fence_proxy_async          by every thread: the hardware reads through the async proxy
//!   barrier
//!   tma_store !0 $a            one thread issues the copies of all boxes, as one group
//!   …
//!   wait_tma_stores $a         that thread, until the buffer has been read
//!   barrier                    code after it may write to the buffer
//! ```
//!
//! When the kernel ends, all buffers must have been read; the hardware completes the writes afterwards.
//!
//! A tile may be stored in subtiles (epilogue subtiling), each from a buffer of the subtile's size. If
//! several buffers alternate, a wait leaves those stores in flight that are newer than the last one from its
//! buffer:
//!
//! ```text
//!   wait_tma_stores $a left=1;  store_matrix $a;  …  tma_store !0 $a at=[0, 0]
//!   wait_tma_stores $b left=1;  store_matrix $b;  …  tma_store !0 $b at=[0, 64]
//!   wait_tma_stores $a left=1;  store_matrix $a;  …  tma_store !0 $a at=[0, 128]
//! ```

use super::{BufferId, GlobalTile, Kernel};
use crate::layout::Boxes;

/// A TMA store of a tile; see [`super::OpKind::TmaStore`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TmaStore {
    /// Index of the map in [`Kernel::maps`].
    pub map: usize,
    /// The tile.
    pub tile: GlobalTile,
    /// The source: a buffer of the tile, or of a subtile.
    pub buffer: BufferId,
    /// The first element of the subtile in the tile, per axis.
    pub corner: Vec<u64>,
}

/// A wait for TMA stores; see [`super::OpKind::WaitTmaStores`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TmaStoreWait {
    /// The buffer whose stores are waited for.
    pub buffer: BufferId,
    /// The event that ends the wait.
    pub end: TmaStoreWaitKind,
    /// Number of newer stores, from any buffer, that may stay in flight.
    pub left: u32,
}

/// The event of a store that a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TmaStoreWaitKind {
    /// The buffer has been read.
    Read,
    /// The tensor has been written as well.
    Written,
}

impl TmaStore {
    /// Returns the boxes in which the tile leaves its buffer.
    pub fn boxes(&self, kernel: &Kernel) -> Option<Boxes> {
        let memory = kernel.layout(kernel.buffer(self.buffer).layout?);
        let element_bytes = self.tile.element.bytes() as u64;
        Boxes::from_layout(memory, self.tile.contiguous?, element_bytes)
    }

    /// Returns `true` if the buffer has the shape of a subtile that starts at `corner`.
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

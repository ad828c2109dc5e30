//! Finds the circular buffers from which each thread reads only the elements that it copied itself.

use super::{BufferId, Kernel, LayoutId, OpKind};
use crate::layout::{InDim, LinearLayout};

impl Kernel {
    /// Returns `true` if a buffer is circular and each of its elements is copied and read by the same thread.
    /// A thread then waits only for its own copies, never for another thread.
    pub(crate) fn is_thread_private(&self, buffer: BufferId) -> bool {
        if self.buffer(buffer).stages < 2 {
            return false;
        }
        let mut of: Option<LayoutId> = None;
        let is_one = self.op_ids().all(|id| {
            let op = self.op(id);
            let layout = match &op.kind {
                OpKind::CopyAsync(copy) if copy.buffer == buffer => Some(copy.layout),
                OpKind::LoadShared(other) if *other == buffer => self.ty(op.results[0]).layout(),
                kind => return !kind.accesses(buffer),
            };
            layout.is_some_and(|layout| *of.get_or_insert(layout) == layout)
        });
        is_one && of.is_some_and(|layout| has_no_copies(self.layout(layout)))
    }
}

/// Returns `true` if only one thread holds each element.
fn has_no_copies(layout: &LinearLayout) -> bool {
    [InDim::Lane, InDim::Warp]
        .into_iter()
        .all(|dim| layout.free_mask(dim) == 0)
}

//! Rings of which each thread has a part for itself.

use super::{BufferId, Kernel, LayoutId, OpKind};
use crate::layout::{InDim, LinearLayout};
use crate::passes::touched;

impl Kernel {
    /// Whether a buffer is a ring whose elements are copied and read by the same threads, one each: then a
    /// thread that waits for its own copies waits for no other.
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
                kind => return !touched(kind).iter().any(|(other, _)| *other == buffer),
            };
            layout.is_some_and(|layout| *of.get_or_insert(layout) == layout)
        });
        is_one && of.is_some_and(|layout| has_no_copies(self.layout(layout)))
    }
}

/// Whether each element is held by one thread.
fn has_no_copies(layout: &LinearLayout) -> bool {
    [InDim::Lane, InDim::Warp]
        .into_iter()
        .all(|dim| layout.free_mask(dim) == 0)
}

//! Transposes through shared memory; see [`super::OpKind::TransposeShared`].

use super::wgmma::as_matrix;
use super::{BufferId, Kernel, Op, ValueId};
use crate::layout::Transposition;

/// A transpose of a matrix from one buffer to another, whose contiguous axis is the other axis of the matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TransposeShared {
    /// The buffer that is read.
    pub from: BufferId,
    /// The buffer that is written.
    pub to: BufferId,
}

impl TransposeShared {
    /// Returns the plan of the transpose; `None` if the buffers do not permit one.
    pub fn plan(self, kernel: &Kernel) -> Option<Transposition> {
        let [from, to] = [self.from, self.to].map(|id| kernel.buffer(id));
        let [of_from, of_to] = [from.layout?, to.layout?].map(|id| as_matrix(kernel.layout(id)));
        let bits = u32::try_from(from.element.bytes() * 8).ok()?;
        (from.element == to.element)
            .then(|| Transposition::choose(&of_from, &of_to, bits, kernel.launch.num_warps))?
    }

    /// Returns the stage operands of both buffers; `None` for a buffer that is not circular.
    pub fn stages(self, kernel: &Kernel, op: &Op) -> [Option<ValueId>; 2] {
        let mut stages = op.args.iter().copied();
        [self.from, self.to].map(|id| {
            let is_multistage = kernel.buffer(id).stages > 1;
            is_multistage.then(|| stages.next()).flatten()
        })
    }

    /// Returns `true` if the buffers share bytes.
    fn overlaps(self, kernel: &Kernel) -> bool {
        let [from, to] = [self.from, self.to].map(|id| kernel.buffer(id));
        let starts = from.offset_bytes.zip(to.offset_bytes);
        starts.is_some_and(|(a, b)| a < b + to.bytes && b < a + from.bytes)
    }

    /// Returns the error of the operation `op`, if any.
    pub(super) fn error(self, kernel: &Kernel, op: &Op) -> Option<&'static str> {
        let circular_buffers = [self.from, self.to]
            .into_iter()
            .filter(|&id| kernel.buffer(id).stages > 1);
        let is_aligned = [self.from, self.to]
            .into_iter()
            .all(|id| kernel.buffer(id).align_bytes.is_multiple_of(16));
        if op.args.len() != circular_buffers.count() {
            Some("`transpose_shared` names a stage of each circular buffer")
        } else if self.overlaps(kernel) {
            Some("`transpose_shared` reads where it writes")
        } else if !is_aligned || self.plan(kernel).is_none() {
            Some("`transpose_shared` cannot move between these buffers")
        } else {
            None
        }
    }
}

//! Waits for stores of tensors stand as late as they may.
//!
//! In: a wait right behind each store. Out: the wait in front of what next writes to shared memory, or at
//! the end of the block, so that the thread that began the store does not stand still before. The buffer
//! is in use for no longer than nothing else is written, and shares its bytes with others as before.

use super::{Touch, touched};
use crate::gpu::{BlockId, Kernel, OpId, OpKind};

/// Moves the waits.
pub fn sink_store_waits(kernel: &mut Kernel) {
    block(kernel, kernel.body());
}

fn block(kernel: &mut Kernel, id: BlockId) {
    let mut late = Vec::new();
    let mut ops = Vec::new();
    for op in kernel.block(id).ops.clone() {
        if matches!(kernel.op(op).kind, OpKind::WaitTmaStores(..)) {
            late.push(op);
            continue;
        }
        if writes(kernel, op) || leaves(&kernel.op(op).kind) {
            ops.append(&mut late);
        }
        ops.push(op);
        for inner in kernel.op(op).blocks.clone() {
            block(kernel, inner);
        }
    }
    ops.append(&mut late);
    kernel.block_mut(id).ops = ops;
}

/// Whether an operation or one inside it writes to shared memory or ends the kernel.
fn writes(kernel: &Kernel, id: OpId) -> bool {
    let op = kernel.op(id);
    let touched_buffers = touched(&op.kind);
    let mut inside = op.blocks.iter().flat_map(|&block| &kernel.block(block).ops);
    touched_buffers
        .iter()
        .any(|(_, touch)| *touch == Touch::Write)
        || matches!(op.kind, OpKind::Return)
        || inside.any(|&op| writes(kernel, op))
}

/// Whether control does not go on behind an operation.
fn leaves(kind: &OpKind) -> bool {
    matches!(kind, OpKind::Yield | OpKind::Continue | OpKind::Break)
}

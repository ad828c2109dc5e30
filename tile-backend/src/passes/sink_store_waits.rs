//! Sinks waits for TMA stores to the last point that needs them.
//!
//! Input: a wait directly after each store. Output: the wait is before the next write to shared memory, or at
//! the end of the block, so that the issuing thread does not stall. Sinking does not extend the buffer's live
//! range past the next write to shared memory, so the buffer shares bytes with other buffers as before.

use crate::gpu::{BlockId, Kernel, OpId, OpKind, Trait};

/// Runs the pass.
pub(super) fn sink_store_waits(kernel: &mut Kernel) {
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
        if writes(kernel, op) || kernel.op(op).kind.has(Trait::Terminator) {
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

/// Returns `true` if an operation, or an operation nested in it, writes to shared memory or ends the kernel.
fn writes(kernel: &Kernel, id: OpId) -> bool {
    let op = kernel.op(id);
    let mut inside = op.blocks.iter().flat_map(|&block| &kernel.block(block).ops);
    op.kind.writes_shared()
        || matches!(op.kind, OpKind::Return)
        || inside.any(|&op| writes(kernel, op))
}

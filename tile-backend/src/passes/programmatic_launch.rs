//! Inserts what programmatic dependent launch needs: the wait for the previous kernel of the stream, and the
//! signal that the next one may start.
//!
//! Input: a finished kernel. Output, if the launch is programmatic: the same with two operations.
//!
//! ```text
//!   prefetch_maps                                       prefetch_maps
//!   init_mbarriers $2                                   init_mbarriers $2
//!                                                       wait_for_dependencies
//!   warp_specialize {                                   warp_specialize {
//!     for … { … tma_load … }                   =>         for … { … tma_load … }
//!                                                         launch_dependents
//!     producer_tail $2 …                                  producer_tail $2 …
//!   }                                                   }
//! ```
//!
//! **The wait** is in the body of the kernel, before the first operation that accesses global memory, contains
//! such an operation, or may end the kernel for a thread. So it precedes every access on every path, and every
//! thread executes it before it ends: a kernel that has ended has then waited for the one before, and the next
//! kernel, which waits only for this one, may rely on both. What precedes it overlaps the previous kernel: the
//! setup of mbarriers, the prefetch of tensor maps, and computations on parameters.
//!
//! **The signal** is safe anywhere, since the next kernel sees the memory of this one only after its own wait.
//! Blocks that start early take shared memory and registers while they wait, so it is after the last load of the
//! block: after the main loop, before the epilogue. Without loads it is right after the wait. A block has
//! signaled when its first thread has, or when it has ended (PTX ISA, "griddepcontrol").

use crate::gpu::{BlockId, Dependents, Effect, Kernel, OpId, OpKind, Touch, Trait};

/// Inserts the wait and the signal, unless the author of the kernel has written them.
pub(super) fn wait_and_signal(kernel: &mut Kernel) {
    if !kernel.launch.is_programmatic {
        return;
    }
    let body = kernel.body();
    let ops = &kernel.block(body).ops;
    let is_late = |&id: &OpId| contains(kernel, id, needs_wait);
    let first = ops.iter().position(is_late).unwrap_or(ops.len());
    let has_waited = ops[..first]
        .iter()
        .any(|&id| is(kernel, id, Dependents::Wait));
    if !has_waited {
        insert(kernel, (body, first), Dependents::Wait);
    }
    let mut ops = kernel.block(body).ops.iter();
    let is_signal = |kernel: &Kernel, id| is(kernel, id, Dependents::Launch);
    if ops.any(|&id| contains(kernel, id, is_signal)) {
        return;
    }
    let place = after_last_load(kernel, body).unwrap_or_else(|| (body, after_wait(kernel)));
    insert(kernel, place, Dependents::Launch);
}

/// Returns the place after the last load of a block or of its producer warps; `None` without loads.
fn after_last_load(kernel: &Kernel, block: BlockId) -> Option<(BlockId, usize)> {
    let ops = &kernel.block(block).ops;
    let last = ops.iter().rposition(|&id| contains(kernel, id, is_load))?;
    let op = kernel.op(ops[last]);
    match op.kind {
        OpKind::WarpSpecialize => after_last_load(kernel, op.blocks[0]),
        _ => Some((block, last + 1)),
    }
}

/// Returns the index in the body after the wait.
fn after_wait(kernel: &Kernel) -> usize {
    let ops = &kernel.block(kernel.body()).ops;
    let wait = ops.iter().position(|&id| is(kernel, id, Dependents::Wait));
    wait.expect("it was inserted, or was there") + 1
}

fn insert(kernel: &mut Kernel, (block, index): (BlockId, usize), what: Dependents) {
    let op = kernel.add_op(OpKind::Dependents(what), &[], &[], &[], kernel.loc);
    kernel.block_mut(block).ops.insert(index, op);
}

fn is(kernel: &Kernel, id: OpId, what: Dependents) -> bool {
    matches!(kernel.op(id).kind, OpKind::Dependents(kind) if kind == what)
}

/// Returns `true` if an operation must not precede the wait.
fn needs_wait(kernel: &Kernel, id: OpId) -> bool {
    let kind = &kernel.op(id).kind;
    // Some threads of the producer warps end at once.
    kind.has(Trait::GlobalAccess) || matches!(kind, OpKind::Return | OpKind::WarpSpecialize)
}

/// Returns `true` if an operation reads global memory and does not write it.
fn is_load(kernel: &Kernel, id: OpId) -> bool {
    let kind = &kernel.op(id).kind;
    let writes = kind.effects().contains(&Effect::Memory(Touch::Write));
    kind.has(Trait::GlobalAccess) && !writes
}

/// Returns `true` if a property holds for an operation, or for one that is nested in it.
fn contains(kernel: &Kernel, id: OpId, property: fn(&Kernel, OpId) -> bool) -> bool {
    let blocks = &kernel.op(id).blocks;
    let mut inside = blocks.iter().flat_map(|&block| &kernel.block(block).ops);
    property(kernel, id) || inside.any(|&inner| contains(kernel, inner, property))
}

//! Removes barriers after pipelined loops that separate no two accesses.
//!
//! Input: a kernel with barriers. Output: the same without the first barrier after a loop, where only the copies
//! of the loop made it necessary:
//!
//! ```text
//!   copy_async $0 …              only if iteration 0 takes place
//!   for i {
//!     wait_group                 for the copies of iteration i
//!     barrier
//!     … load_shared $0
//!     barrier
//!     … load_shared $1
//!     copy_async $0 …            only if iteration i + 1 takes place
//!   }
//!   barrier                      removed: no copy is in flight
//!   store_shared $2              $2 has the bytes of $0
//! ```
//!
//! [`super::barriers`] counts a copy as an access until the next barrier. But a prefetch for an iteration that
//! does not take place copies nothing, and every other one has been waited for: by the threads that issued it,
//! in the iteration that reads it, before the barrier of that iteration. So after the loop no thread has a copy
//! ahead of it. What remains are the accesses since the last barrier of the body, or since the last barrier
//! before the loop if there is no iteration. If none of them conflicts with an access up to the next barrier, the
//! barrier separates nothing.
//!
//! MMAs and TMA stores may still be in flight after a barrier. So all of them count that precede the barrier.

use super::places::{Pending, accesses};
use crate::gpu::{BlockId, BufferId, Completion, Effect, Kernel, OpId, OpKind, Trait, each};

/// Removes the barriers of a kernel whose threads all have the same role.
pub(super) fn remove_redundant_barriers(kernel: &mut Kernel) {
    let mut orders = false;
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        orders |= kernel.op(id).kind.effects().contains(&Effect::Order);
    });
    // Fences and accesses that other blocks observe order more than the accesses of this block.
    if orders || kernel.launch.producer_warps > 0 || kernel.launch.blocks_per_tile > 1 {
        return;
    }
    // The body of the kernel is the only block whose end is the end of all accesses.
    let body = kernel.body();
    let mut index = 0;
    while let Some(&id) = kernel.block(body).ops.get(index) {
        if let Some(barrier) = redundant_barrier(kernel, body, index, id) {
            kernel.block_mut(body).ops.remove(barrier);
        }
        index += 1;
    }
}

/// Returns the index of the first barrier after the loop `id`, which is number `index` of `block`, if the barrier
/// separates nothing.
fn redundant_barrier(kernel: &Kernel, block: BlockId, index: usize, id: OpId) -> Option<usize> {
    let ops = &kernel.block(block).ops;
    let is_barrier = |id: &OpId| matches!(kernel.op(*id).kind, OpKind::Barrier);
    let (before, after) = (&ops[..index], &ops[index + 1..]);
    let filled = filled_buffers(kernel, id)?;
    let distance = after.iter().position(is_barrier)?;
    let (between, rest) = (&after[..distance], &after[distance + 1..]);
    let until_next = rest.iter().position(is_barrier).unwrap_or(rest.len());
    let since_last = before
        .iter()
        .rposition(is_barrier)
        .map_or(0, |last| last + 1);
    let body = &kernel.block(kernel.op(id).blocks[0]).ops;
    let last_of_body = body.iter().rposition(is_barrier)?;

    let is_prefetch = |id: &OpId| {
        let kind = &kernel.op(*id).kind;
        kind.row().completion.is_of_copy()
            && kind.buffers().all(|(buffer, _)| filled.contains(&buffer))
    };
    let earlier = before[since_last..].iter().chain(&body[last_of_body..]);
    let earlier = earlier.chain(between).filter(|id| !is_prefetch(id));
    let mut earlier = all_accesses(kernel, earlier.copied());
    let issued = ops[..=index].iter().chain(between);
    earlier.extend(all_accesses(kernel, in_flight(kernel, issued.copied())));
    let later = all_accesses(kernel, rest[..until_next].iter().copied());
    let conflicts = |old: &Pending| later.iter().any(|new| old.conflicts(new, kernel));
    (!earlier.iter().any(conflicts)).then_some(index + 1 + distance)
}

/// Returns the circular buffers that the copies of a loop fill, if all of these copies are waited for before a
/// barrier of the iteration that reads them: the body is one block that waits for its own copies, and then has a
/// barrier.
fn filled_buffers(kernel: &Kernel, id: OpId) -> Option<Vec<BufferId>> {
    let op = kernel.op(id);
    if !matches!(op.kind, OpKind::For { .. }) {
        return None;
    }
    let body = &kernel.block(op.blocks[0]).ops;
    let position =
        |is_match: fn(&OpKind) -> bool| body.iter().position(|&id| is_match(&kernel.op(id).kind));
    let wait = position(|kind| matches!(kind, OpKind::WaitGroup(_) | OpKind::ConsumerWait(_)))?;
    let has_barrier = body[wait..]
        .iter()
        .any(|&id| matches!(kernel.op(id).kind, OpKind::Barrier));
    // A jump from the middle of an iteration would pass by the barrier.
    let (_, inner) = body.split_last()?;
    let has_jumps = inner.iter().any(|&id| has_jump(kernel, id));
    let mut filled = Vec::new();
    for &id in body {
        let kind = &kernel.op(id).kind;
        if kind.row().completion.is_of_copy() {
            let buffers = kind.buffers().map(|(buffer, _)| buffer);
            filled.extend(buffers.filter(|&buffer| kernel.buffer(buffer).stages > 1));
        }
    }
    (has_barrier && !has_jumps && !filled.is_empty()).then_some(filled)
}

/// Returns `true` if an operation is a jump, or contains one.
fn has_jump(kernel: &Kernel, id: OpId) -> bool {
    let op = kernel.op(id);
    let mut inside = op.blocks.iter().flat_map(|&block| &kernel.block(block).ops);
    op.kind.has(Trait::Jump) || inside.any(|&id| has_jump(kernel, id))
}

/// Returns the operations, among these and the operations nested in them, that may still access shared memory
/// after a later barrier: MMAs of warpgroups, and TMA stores. Copies are waited for in the loops that issue them.
fn in_flight(kernel: &Kernel, ids: impl IntoIterator<Item = OpId>) -> Vec<OpId> {
    let mut found = Vec::new();
    for id in ids {
        let op = kernel.op(id);
        let completion = op.kind.row().completion;
        if matches!(completion, Completion::WgmmaGroup | Completion::StoreGroup) {
            found.push(id);
        }
        for &block in &op.blocks {
            found.extend(in_flight(kernel, kernel.block(block).ops.iter().copied()));
        }
    }
    found
}

/// Returns the accesses of operations and of the operations nested in them.
fn all_accesses(kernel: &Kernel, ids: impl IntoIterator<Item = OpId>) -> Vec<Pending> {
    let mut all = Vec::new();
    for id in ids {
        all.extend(accesses(kernel, id));
        for &block in &kernel.op(id).blocks {
            all.extend(all_accesses(
                kernel,
                kernel.block(block).ops.iter().copied(),
            ));
        }
    }
    all
}

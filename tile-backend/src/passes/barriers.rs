//! Inserts barriers where threads exchange data through memory.
//!
//! Input: a kernel with allocated shared memory and without barriers. Output: the same kernel, with a barrier
//! between any two accesses, at least one of them a write, that may touch the same bytes from different
//! threads. In a loop, the accesses of one iteration can conflict with those of the next. After a branch, the
//! accesses of both arms are pending, and a `continue` or `break` adds its pending accesses to those of its
//! target. If an access before a loop conflicts with one inside, the barrier is placed before the loop,
//! unless that saves no barrier inside.
//!
//! Accesses to global memory count too, as far as tokens order them: a tile that some threads have stored may
//! be loaded by others. Two accesses to the same tile in the same layout touch each element from the same
//! thread, and need no barrier. The exception is an element that several threads hold: all of them load it,
//! but only one stores it. `places` decides which accesses conflict.
//!
//! In a cluster split ([`crate::gpu::Kernel::blocks_per_tile`]), a cluster barrier separates conflicting
//! accesses of different blocks, and another one is at the start of the kernel.

#[cfg(test)]
mod tests;

use super::places::{Pending, accesses};
use crate::gpu::{BlockId, Kernel, OpId, OpKind, Reach, Trait, each};
use tile_core::Loc;

/// Inserts the barriers that the kernel needs.
pub fn barriers(kernel: &mut Kernel) {
    if exchanges(kernel) {
        // A block must not access the shared memory of another block before that block has started.
        let barrier = barrier(kernel, Reach::Cluster, kernel.loc);
        let body = kernel.body();
        kernel.block_mut(body).ops.insert(0, barrier);
    }
    let mut pending = Vec::new();
    block(kernel, kernel.body(), &mut pending, &mut Vec::new());
}

/// Returns `true` if the blocks of a cluster write to each other's shared memory.
fn exchanges(kernel: &Kernel) -> bool {
    let mut has_exchange = false;
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        has_exchange |= kernel.op(id).kind.has(Trait::ClusterExchange);
    });
    has_exchange
}

/// The accesses that are pending at the jumps out of a loop's body.
#[derive(Default)]
struct Jumps {
    continues: Vec<Pending>,
    breaks: Vec<Pending>,
}

/// Inserts the barriers of one block, and updates `pending` to the accesses pending at its end. Nothing is
/// pending there if control does not reach the end.
fn block(kernel: &mut Kernel, id: BlockId, pending: &mut Vec<Pending>, loops: &mut Vec<Jumps>) {
    let mut index = 0;
    while let Some(&op) = kernel.block(id).ops.get(index) {
        let accesses = accesses(kernel, op);
        if let Some(reach) = conflict(kernel, &accesses, pending) {
            let loc = kernel.op(op).loc;
            let barrier = barrier(kernel, reach, loc);
            kernel.block_mut(id).ops.insert(index, barrier);
            index += 1;
            passed(reach, pending);
        }
        match kernel.op(op).kind {
            OpKind::Barrier | OpKind::WarpSpecialize => passed(Reach::Block, pending),
            OpKind::ClusterBarrier => passed(Reach::Cluster, pending),
            _ => {}
        }
        for access in accesses {
            add(pending, access);
        }
        if is_better_outside(kernel, op, pending) {
            let loc = kernel.op(op).loc;
            let reach = widest(pending.iter());
            let barrier = barrier(kernel, reach, loc);
            kernel.block_mut(id).ops.insert(index, barrier);
            index += 1;
            passed(reach, pending);
        }
        nested(kernel, op, pending, loops);
        index += 1;
    }
}

/// Returns the scope of the barrier that `accesses` need, if any.
fn conflict(kernel: &Kernel, accesses: &[Pending], pending: &[Pending]) -> Option<Reach> {
    let mut met = pending.iter().filter(|old| {
        let conflicts = |new: &Pending| old.conflicts(new, kernel);
        accesses.iter().any(conflicts)
    });
    let first = met.next()?;
    Some(widest(met.chain([first]).chain(accesses)))
}

fn widest<'p>(accesses: impl Iterator<Item = &'p Pending>) -> Reach {
    accesses.map(Pending::reach).max().unwrap_or(Reach::Block)
}

/// Removes the pending accesses that a barrier with the scope `reach` covers.
fn passed(reach: Reach, pending: &mut Vec<Pending>) {
    pending.retain(|access| access.reach() > reach);
}

/// Returns `true` if a barrier before the loop `op` saves a barrier in every iteration.
fn is_better_outside(kernel: &Kernel, op: OpId, pending: &[Pending]) -> bool {
    let is_loop = matches!(kernel.op(op).kind, OpKind::For { .. } | OpKind::Loop);
    if !is_loop || !meets(kernel, op, pending) {
        return false;
    }
    let inside = |pending: &[Pending]| {
        let mut kernel = kernel.clone();
        nested(&mut kernel, op, &mut pending.to_vec(), &mut Vec::new());
        barriers_in(&kernel, op)
    };
    inside(&[]) < inside(pending)
}

/// Returns `true` if an operation inside `op` conflicts with a pending access.
fn meets(kernel: &Kernel, op: OpId, pending: &[Pending]) -> bool {
    let blocks = &kernel.op(op).blocks;
    let ops = blocks.iter().flat_map(|&block| &kernel.block(block).ops);
    ops.copied().any(|inner| {
        let accesses = accesses(kernel, inner);
        let conflicts = |new: &Pending| pending.iter().any(|old| old.conflicts(new, kernel));
        accesses.iter().any(conflicts) || meets(kernel, inner, pending)
    })
}

/// Counts the barriers inside `op`.
fn barriers_in(kernel: &Kernel, op: OpId) -> usize {
    let blocks = &kernel.op(op).blocks;
    let ops = blocks.iter().flat_map(|&block| &kernel.block(block).ops);
    let count_barriers = |&inner: &OpId| {
        let is_barrier = matches!(
            kernel.op(inner).kind,
            OpKind::Barrier | OpKind::ClusterBarrier
        );
        usize::from(is_barrier) + barriers_in(kernel, inner)
    };
    ops.map(count_barriers).sum()
}

fn nested(kernel: &mut Kernel, op: OpId, pending: &mut Vec<Pending>, loops: &mut Vec<Jumps>) {
    let blocks = kernel.op(op).blocks.clone();
    match kernel.op(op).kind {
        OpKind::For { .. } | OpKind::Loop => {
            let may_skip = matches!(kernel.op(op).kind, OpKind::For { .. });
            let inside = kernel.defined_inside(op);
            // Accesses that are pending at the end of an iteration can conflict with those of the next:
            // repeat until the set at the head of the loop is stable. Repeating is sound, since barriers are
            // only inserted and never removed.
            let jumps = loop {
                let mut state = pending.clone();
                loops.push(Jumps::default());
                block(kernel, blocks[0], &mut state, loops);
                let jumps = loops.pop().expect("it was pushed above");
                let before = pending.len();
                for access in &jumps.continues {
                    add(pending, access.clone().before(&inside));
                }
                if pending.len() == before {
                    break jumps;
                }
            };
            if !may_skip {
                *pending = jumps.breaks;
            }
        }
        OpKind::If => {
            let start = std::mem::take(pending);
            if blocks.len() < 2 {
                pending.clone_from(&start);
            }
            for id in blocks {
                let mut state = start.clone();
                block(kernel, id, &mut state, loops);
                for access in state {
                    add(pending, access);
                }
            }
        }
        OpKind::Continue | OpKind::Break => {
            let jumps = loops.last_mut().expect("verified: a jump is in a loop");
            let there = match kernel.op(op).kind {
                OpKind::Continue => &mut jumps.continues,
                _ => &mut jumps.breaks,
            };
            for access in std::mem::take(pending) {
                add(there, access);
            }
        }
        OpKind::Return => pending.clear(),
        // The bodies of reductions access no memory, and mbarriers synchronize the producer.
        _ => {}
    }
}

fn add(pending: &mut Vec<Pending>, access: Pending) {
    if !pending.contains(&access) {
        pending.push(access);
    }
}

fn barrier(kernel: &mut Kernel, reach: Reach, loc: Loc) -> OpId {
    let kind = match reach {
        Reach::Block => OpKind::Barrier,
        Reach::Cluster => OpKind::ClusterBarrier,
    };
    kernel.add_op(kind, &[], &[], &[], loc)
}

//! Leaves one asynchronous MMA in flight across the back edge of a loop.
//!
//! Input: a pipelined loop with one warpgroup MMA, whose accumulator nothing else in the loop uses. Output:
//! an iteration waits for the MMA of the previous iteration instead of its own, and a wait after the loop
//! completes the last MMA. The tensor cores then always have work, but a stage is released one iteration
//! later.

use super::apply::Cursor;
use crate::gpu::{BlockId, BufferId, Kernel, MmaKind, OpId, OpKind, Touch, Ty, ValueId, compute};
use rustc_hash::FxHashMap;
use tile_core::Scalar;

/// An MMA that can stay in flight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InFlightMma {
    mma: OpId,
    /// Index of the carried value that is the accumulator of the MMA.
    carried: usize,
}

impl InFlightMma {
    /// Matches the loop `id` against the pattern.
    pub(crate) fn find(kernel: &Kernel, id: OpId) -> Option<Self> {
        let body = kernel.op(id).blocks[0];
        let mut mmas = Vec::new();
        let mut uses = Vec::new();
        visit(kernel, body, &mut |user| {
            let op = kernel.op(user);
            if matches!(op.kind, OpKind::Wgmma(_)) || op.kind.max_in_flight_mmas().is_some() {
                mmas.push(user);
            }
            uses.extend(op.args.iter().map(|&value| (value, user)));
        });
        let &[mma] = &mmas[..] else {
            return None;
        };
        let ops = &kernel.block(body).ops;
        let jump = *ops.last()?;
        let op = kernel.op(mma);
        // f16 accumulators are packed and unpacked between iterations, which would need the wait.
        let is_shared = matches!(
            &op.kind,
            OpKind::Wgmma(mma) if mma.lhs.is_some()
                && !mma.has_two_level_accumulation
                && mma.kind != MmaKind::F16AccF16
        );
        // Anything else that uses the accumulator would need the wait that is left out.
        let only_by = |value: ValueId, user: OpId| {
            let mut users = uses.iter().filter(|(used, _)| *used == value);
            users.next() == Some(&(value, user)) && users.next().is_none()
        };
        let args = &kernel.block(body).args[1..];
        let carried = args.iter().position(|&arg| arg == op.args[0])?;
        let next = kernel.op(jump).args.get(carried) == Some(&op.results[0]);
        (is_shared
            && ops.contains(&mma)
            && next
            && only_by(op.args[0], mma)
            && only_by(op.results[0], jump))
        .then_some(Self { mma, carried })
    }

    /// Returns `true` if the operands of the MMA stay unchanged until the MMA of the next iteration, once the
    /// loop `id` is pipelined. They do if they are in stages of circular buffers, or are not written in the
    /// loop.
    pub(super) fn keeps_operands(self, kernel: &Kernel, id: OpId) -> bool {
        let body = kernel.op(id).blocks[0];
        let mut written: Vec<BufferId> = Vec::new();
        visit(kernel, body, &mut |op| {
            let accesses = kernel.op(op).kind.buffers();
            let writes = accesses.filter(|&(_, touch)| touch == Touch::Write);
            written.extend(writes.map(|(buffer, _)| buffer));
        });
        let mut reads = kernel.op(self.mma).kind.buffers();
        reads.all(|(read, _)| kernel.buffer(read).stages > 1 || !written.contains(&read))
    }

    /// Leaves the MMA in flight in the loop `id` of `block`, and adds a wait after the loop.
    pub(super) fn leave(self, kernel: &mut Kernel, block: BlockId, id: OpId) {
        if let OpKind::Wgmma(mma) = &mut kernel.op_mut(self.mma).kind {
            mma.in_flight = 1;
        }
        let sum = kernel.op(id).results[self.carried];
        let (ty, loc) = (kernel.ty(sum), kernel.op(id).loc);
        let users: Vec<OpId> = kernel.op_ids().collect();
        let wait = kernel.add_op(OpKind::WaitWgmma(0), &[sum], &[ty], &[], loc);
        let waited = kernel.op(wait).results[0];
        for user in users {
            for arg in &mut kernel.op_mut(user).args {
                if *arg == sum {
                    *arg = waited;
                }
            }
        }
        let ops = &mut kernel.block_mut(block).ops;
        let index = ops.iter().position(|&op| op == id);
        ops.insert(index.expect("the loop is in its block") + 1, wait);
    }
}

/// Moves the loop `id` of `block`, and the operations after it up to `end`, into a branch that is taken if
/// the loop has an iteration. The other arm contains no wait for MMAs: where an accumulator can reach a wait
/// on a path without an MMA, ptxas makes the program wait after every MMA.
pub(super) fn guard(kernel: &mut Kernel, block: BlockId, id: OpId, end: usize) {
    let op = kernel.op(id).clone();
    let OpKind::For { unsigned } = op.kind else {
        unreachable!("only loops leave MMAs in flight")
    };
    let ops = &mut kernel.block_mut(block).ops;
    let start = ops.iter().position(|&op| op == id);
    let index = start.expect("the loop is in its block");
    let moved: Vec<OpId> = ops.drain(index..end).collect();
    let waited: FxHashMap<ValueId, ValueId> = moved
        .iter()
        .map(|&id| kernel.op(id))
        .filter(|op| op.kind.max_in_flight_mmas().is_some())
        .map(|op| (op.args[0], op.results[0]))
        .collect();
    // Values that are used later are results of the branch: the results of the loop, or the initial values if
    // there is no iteration.
    let is_used = |value: &ValueId| {
        let mut users = kernel.op_ids().filter(|user| !moved.contains(user));
        users.any(|user| kernel.op(user).args.contains(value))
    };
    let results = op.results.iter().zip(&op.args[3..]);
    let (inside, initial): (Vec<ValueId>, Vec<ValueId>) = results
        .map(|(result, &initial)| (waited.get(result).copied().unwrap_or(*result), initial))
        .filter(|(value, _)| is_used(value))
        .unzip();
    let (taken, otherwise) = (kernel.add_block(), kernel.add_block());
    let types: Vec<Ty> = inside.iter().map(|&value| kernel.ty(value)).collect();
    let mut cursor = Cursor {
        kernel,
        block,
        index,
        loc: op.loc,
    };
    let less = compute::Uniform::Less { unsigned };
    let enters = cursor.compute(less, &op.args[..2], Scalar::I1);
    let branch = cursor.push(OpKind::If, &[enters], &types);
    kernel.op_mut(branch).blocks.extend([taken, otherwise]);
    let outside = kernel.op(branch).results.clone();
    let instead: FxHashMap<ValueId, ValueId> = inside.iter().copied().zip(outside).collect();
    for user in kernel.op_ids().collect::<Vec<_>>() {
        if moved.contains(&user) {
            continue;
        }
        for arg in &mut kernel.op_mut(user).args {
            *arg = instead.get(arg).copied().unwrap_or(*arg);
        }
    }
    kernel.block_mut(taken).ops = moved;
    kernel.push(taken, OpKind::Yield, &inside, &[], &[], op.loc);
    kernel.push(otherwise, OpKind::Yield, &initial, &[], &[], op.loc);
}

/// Calls `each` with every operation of a block and its nested blocks.
fn visit(kernel: &Kernel, block: BlockId, each: &mut impl FnMut(OpId)) {
    for &id in &kernel.block(block).ops {
        each(id);
        for &inner in &kernel.op(id).blocks {
            visit(kernel, inner, each);
        }
    }
}

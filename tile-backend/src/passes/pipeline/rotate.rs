//! Rotates attention loops so that softmax overlaps the next MMA (FlashAttention-3).
//!
//! Input: a warp-specialized loop with two MMAs, the second of which takes a tile that is computed from the
//! result of the first, as in attention. Output: after its own first MMA, an iteration issues the second MMA
//! of the previous iteration. While that MMA runs, the iteration computes what the source program computes
//! between its two MMAs:
//!
//! ```text
//!   for i {                           if there is an iteration {
//!     consumer_wait stage               consumer_wait; s = wgmma; p = f(s)
//!     s = wgmma stage                   for i but the first {
//!     p = f(s)                            consumer_wait stage
//!     o = g(o)                 =>         s = wgmma in_flight stage; o = wgmma in_flight=2 p before
//!     o = wgmma p, stage                  wait_wgmma left=1 s; p = f(s)
//!     consumer_release stage              wait_wgmma o; consumer_release before; o = g(o)
//!   }                                   }
//!                                       o = wgmma p, before; consumer_release before
//!                                     }
//! ```
//!
//! Two warpgroups take turns at issuing their MMAs (ping-pong scheduling), so that one computes softmax while
//! the tensor cores work for the other.
//!
//! This is the intra-warpgroup overlap of FlashAttention-3 (Shah et al., 2024, section 3.2). A stage is
//! released one iteration later.

use super::apply::{Cursor, Names};
use super::candidates::step;
use crate::gpu::{
    BlockId, Kernel, MmaKind, OpId, OpKind, PingPong, Trait, Ty, ValueId, Wgmma, compute,
};
use crate::layout::Axis;
use crate::layout::warpgroup::WARPS;
use rustc_hash::{FxHashMap, FxHashSet};
use tile_core::Scalar;

/// Minimum number of stages with which copies still run ahead of a rotated loop.
pub(crate) const MIN_STAGES: u32 = 3;

/// Maximum number of accumulator columns for ping-pong scheduling, as in FlashAttention-3.
const MAX_PING_PONG_COLUMNS: u64 = 128;

/// A loop that can be rotated.
#[derive(Clone, Debug)]
pub(super) struct Rotation {
    first: OpId,
    second: OpId,
    free: OpId,
    /// Index of the carried value that is the accumulator of the second MMA.
    sum: usize,
    /// The operations that compute the accumulator operand of the second MMA from that carried value.
    scaling: Vec<OpId>,
    /// `true` if the first of these operations can wait for the MMA whose result it rescales.
    waits: bool,
    /// The values of an iteration that its second MMA and the release of its stage use, except for the
    /// accumulator.
    kept: Vec<ValueId>,
}

impl Rotation {
    /// Matches the loop `id` against the pattern.
    pub(super) fn find(kernel: &Kernel, id: OpId) -> Option<Self> {
        step(kernel, id)?;
        let body = kernel.block(kernel.op(id).blocks[0]);
        let (&jump, ops) = body.ops.split_last()?;
        let mmas: Vec<OpId> = ops
            .iter()
            .copied()
            .filter(|&op| wgmma(kernel, op).is_some())
            .collect();
        let &[first, second] = &mmas[..] else {
            return None;
        };
        let can_be_in_flight = |id: OpId| {
            wgmma(kernel, id).is_some_and(|mma| {
                mma.in_flight == 0
                    && !mma.has_two_level_accumulation
                    && mma.kind != MmaKind::F16AccF16
            })
        };
        let is_fit = matches!(kernel.op(jump).kind, OpKind::Continue)
            && can_be_in_flight(first)
            && can_be_in_flight(second)
            && wgmma(kernel, first)?.lhs.is_some()
            && ops.iter().all(|&op| is_thread_local(kernel, op, true));
        if !is_fit {
            return None;
        }
        let mut frees = ops
            .iter()
            .copied()
            .filter(|&op| matches!(kernel.op(op).kind, OpKind::ConsumerRelease(_)));
        let free = frees.next().filter(|_| frees.next().is_none())?;

        let next = &kernel.op(jump).args;
        let result = kernel.op(second).results[0];
        let sum = next.iter().position(|&value| value == result)?;
        // The operations that depend on the accumulator, in order.
        let mut of_sum = FxHashSet::from_iter([body.args[1 + sum]]);
        let mut scaling = Vec::new();
        for &id in ops {
            let op = kernel.op(id);
            if id == second || !used(kernel, id).iter().any(|arg| of_sum.contains(arg)) {
                continue;
            }
            if !op.kind.has(Trait::Pure) {
                return None;
            }
            of_sum.extend(&op.results);
            scaling.push(id);
        }
        let of_second = kernel.op(second);
        let is_sum = |value: &ValueId| of_sum.contains(value) || *value == result;
        // Only the second MMA may use the accumulator, and only the next iteration may use the result of that
        // MMA.
        let elsewhere = next
            .iter()
            .enumerate()
            .any(|(index, value)| index != sum && is_sum(value))
            || of_second.args[1..].iter().any(is_sum)
            || !of_sum.contains(&of_second.args[0])
            || ops.iter().any(|&op| used(kernel, op).contains(&result));
        if elsewhere {
            return None;
        }
        let mut inside: FxHashSet<ValueId> = body.args.iter().copied().collect();
        inside.extend(ops.iter().flat_map(|&op| &kernel.op(op).results));
        let mut kept: Vec<ValueId> = Vec::new();
        for &arg in of_second.args[1..].iter().chain(&kernel.op(free).args) {
            if inside.contains(&arg) && !kept.contains(&arg) {
                kept.push(arg);
            }
        }
        // A fused wait must be the only user of the previous iteration's accumulator: any other use would
        // precede the wait.
        let old = body.args[1 + sum];
        let mut takers = ops.iter().filter(|&&op| used(kernel, op).contains(&old));
        let waits = scaling.first().is_some_and(|&op| {
            let op = kernel.op(op);
            matches!(op.kind, OpKind::LazyRescale(_)) && op.args[0] == old && op.args[1] != old
        }) && takers.nth(1).is_none();
        Some(Self {
            first,
            second,
            free,
            sum,
            scaling,
            waits,
            kept,
        })
    }

    /// Rewrites the loop `id` of `block`.
    pub(super) fn apply(&self, kernel: &mut Kernel, block: BlockId, id: OpId, ping_pong: bool) {
        let op = kernel.op(id).clone();
        let OpKind::For { unsigned } = op.kind else {
            unreachable!("only loops are rotated")
        };
        let (lower, upper, by) = (op.args[0], op.args[1], op.args[2]);
        let counter = kernel.ty(lower).scalar().expect("a number");
        let types: Vec<Ty> = op.results.iter().map(|&value| kernel.ty(value)).collect();
        let (taken, otherwise) = (kernel.add_block(), kernel.add_block());
        // Without an iteration the results are the initial values. All MMAs and their waits are in the other
        // arm, so that no accumulator can reach a wait on a path without an MMA. On such a path, ptxas would
        // make the program wait after every MMA.
        kernel.push(otherwise, OpKind::Yield, &op.args[3..], &[], &[], op.loc);

        // The first iteration, up to its second MMA.
        let old = kernel.block(op.blocks[0]).clone();
        let (&jump, ops) = old.ops.split_last().expect("a body ends with a jump");
        let next = kernel.op(jump).args.clone();
        let parts = RotatedBody {
            rotation: self,
            next: &next,
        };
        let firsts = std::iter::once(lower).chain(op.args[3..].iter().copied());
        let mut names = Names(old.args.iter().copied().zip(firsts).collect());
        for &id in ops {
            if id != self.second && id != self.free {
                again(kernel, id, taken, &mut names);
            }
        }
        let carried = parts.carried(kernel, &names);

        // The other iterations.
        let index = kernel.block(taken).ops.len();
        let mut cursor = Cursor {
            kernel,
            block: taken,
            index,
            loc: op.loc,
        };
        // The loop counts previous iterations: where its induction variable is `before`, it computes
        // iteration `before + by`. Its upper bound is `upper - by`. It has no iteration if the first one is
        // the only one.
        let left = cursor.compute(compute::Uniform::Sub, &[upper, lower], counter);
        let reaches = compute::Uniform::Less { unsigned: true };
        let reaches = cursor.compute(reaches, &[by, left], Scalar::I1);
        let before_last = cursor.compute(compute::Uniform::Sub, &[upper, by], counter);
        let end = cursor.compute(
            compute::Uniform::Select,
            &[reaches, before_last, lower],
            counter,
        );
        let body = kernel.add_block();
        let before = kernel.add_block_arg(body, kernel.ty(lower), op.loc);
        let args: Vec<ValueId> = carried
            .iter()
            .map(|&value| kernel.add_block_arg(body, kernel.ty(value), op.loc))
            .collect();
        let mut cursor = Cursor {
            kernel,
            block: body,
            index: 0,
            loc: op.loc,
        };
        let induction = cursor.compute(compute::Uniform::Add, &[before, by], counter);
        let mut names = Names(FxHashMap::from_iter([(old.args[0], induction)]));
        let kept = parts.take(kernel, &args, &old.args, &mut names);
        let uses_ping_pong = ping_pong && self.is_ping_pong_profitable(kernel);
        let begun = ops
            .iter()
            .position(|&op| op == self.first)
            .expect("it is there")
            + 1;
        let is_other =
            |id: &&OpId| **id != self.second && **id != self.free && !self.scaling.contains(id);
        for &id in ops[..begun].iter().filter(is_other) {
            if id == self.first && uses_ping_pong {
                schedule_ping_pong(kernel, body, PingPong::Acquire);
            }
            again(kernel, id, body, &mut names);
        }
        // Both MMAs are issued before any wait: one may be in flight after the first, two after the second.
        let first = kernel.op(self.first).results[0];
        let scores = names.renamed(first);
        leave_in_flight(kernel, scores, 1);
        let sum = self.multiply(kernel, body, &kept);
        leave_in_flight(kernel, sum, 2);
        if uses_ping_pong {
            schedule_ping_pong(kernel, body, PingPong::Release);
        }
        // The first MMA is complete when only one is in flight. The second runs during the softmax below.
        let waited = wait(kernel, body, 1, &[scores]);
        names.0.insert(first, waited);
        for &id in ops[begun..].iter().filter(is_other) {
            again(kernel, id, body, &mut names);
        }
        let mma = kernel.defining(sum).expect("an MMA defines it");
        let operand = wgmma(kernel, mma).is_some_and(|mma| mma.lhs.is_none());
        let operand = operand.then(|| kernel.op(mma).args[1]);
        let mut scaling = &self.scaling[..];
        // ptxas hoists a plain wait above the softmax, but not across a branch. The wait is therefore placed
        // after the test whether to rescale at all, once in each arm.
        if self.waits {
            names.0.insert(old.args[1 + self.sum], sum);
            let scaled = again(kernel, scaling[0], body, &mut names);
            let op = kernel.op_mut(scaled);
            if let OpKind::LazyRescale(element) = op.kind.clone() {
                op.kind = OpKind::WaitWgmmaAndRescale(element);
            }
            op.args.extend(operand);
            scaling = &scaling[1..];
        } else {
            let operands: Vec<ValueId> = std::iter::once(sum).chain(operand).collect();
            let waited = wait(kernel, body, 0, &operands);
            names.0.insert(old.args[1 + self.sum], waited);
        }
        self.release(kernel, body, &kept);
        for &id in scaling {
            again(kernel, id, body, &mut names);
        }
        let given = parts.carried(kernel, &names);
        kernel.push(body, OpKind::Continue, &given, &[], &[], op.loc);
        let mut args = vec![lower, end, by];
        args.extend(&carried);
        let result_types: Vec<Ty> = carried.iter().map(|&value| kernel.ty(value)).collect();
        if uses_ping_pong {
            schedule_ping_pong(kernel, taken, PingPong::Begin);
        }
        let rotated = kernel.push(taken, op.kind, &args, &result_types, &[body], op.loc);
        if uses_ping_pong {
            schedule_ping_pong(kernel, taken, PingPong::End);
        }

        // The second MMA of the last iteration.
        let results = kernel.op(rotated).results.clone();
        let mut names = Names(FxHashMap::default());
        let kept = parts.take(kernel, &results, &old.args, &mut names);
        let sum = self.multiply(kernel, taken, &kept);
        self.release(kernel, taken, &kept);
        names.0.insert(old.args[1 + self.sum], sum);
        let yielded = names.all(&old.args[1..]);
        kernel.push(taken, OpKind::Yield, &yielded, &[], &[], op.loc);

        // Replace the loop by a branch.
        let index = kernel.block(block).ops.iter().position(|&op| op == id);
        let index = index.expect("the loop is in its block");
        kernel.block_mut(block).ops.remove(index);
        let mut cursor = Cursor {
            kernel,
            block,
            index,
            loc: op.loc,
        };
        let enters = cursor.compute(
            compute::Uniform::Less { unsigned },
            &[lower, upper],
            Scalar::I1,
        );
        let branch = cursor.push(OpKind::If, &[enters], &types);
        kernel.op_mut(branch).blocks.extend([taken, otherwise]);
        let result_types = kernel.op(branch).results.clone();
        let instead: FxHashMap<ValueId, ValueId> =
            op.results.iter().copied().zip(result_types).collect();
        for user in kernel.op_ids().collect::<Vec<_>>() {
            for arg in &mut kernel.op_mut(user).args {
                *arg = instead.get(arg).copied().unwrap_or(*arg);
            }
        }
    }

    /// Returns `true` if ping-pong scheduling pays. It requires two warpgroups, and does not pay with wide
    /// accumulators, which keep the tensor cores busy anyway.
    fn is_ping_pong_profitable(&self, kernel: &Kernel) -> bool {
        let sum = kernel.op(self.second).results[0];
        let columns = kernel.layout_of(sum).shape().size(Axis(1));
        kernel.launch.num_warps == 2 * WARPS && columns <= MAX_PING_PONG_COLUMNS
    }

    /// Adds the second MMA at the end of a block.
    fn multiply(&self, kernel: &mut Kernel, to: BlockId, kept: &Names) -> ValueId {
        let op = kernel.op(self.second).clone();
        let args = kept.all(&op.args);
        let types = [kernel.ty(op.results[0])];
        let new_op = kernel.push(to, op.kind, &args, &types, &[], op.loc);
        kernel.op(new_op).results[0]
    }

    /// Adds the release of the stage that the second MMA read.
    fn release(&self, kernel: &mut Kernel, to: BlockId, kept: &Names) {
        let op = kernel.op(self.free).clone();
        let args = kept.all(&op.args);
        kernel.push(to, op.kind, &args, &[], &[], op.loc);
    }
}

/// The body of a loop that is being rotated.
struct RotatedBody<'r> {
    rotation: &'r Rotation,
    /// The operands of the body's `continue`.
    next: &'r [ValueId],
}

impl RotatedBody<'_> {
    /// Returns the values that the rotated loop carries: those of the original loop, with the accumulator
    /// operand of the second MMA instead of its result, and the `kept` values of the rotation.
    fn carried(&self, kernel: &Kernel, names: &Names) -> Vec<ValueId> {
        let Self { rotation, next } = self;
        let mut values = next.to_vec();
        values[rotation.sum] = kernel.op(rotation.second).args[0];
        values.extend(&rotation.kept);
        names.all(&values)
    }

    /// Unpacks carried values: adds to `names` those that the body takes as arguments, and returns the values
    /// of the previous iteration.
    fn take(
        &self,
        kernel: &Kernel,
        carried: &[ValueId],
        args: &[ValueId],
        names: &mut Names,
    ) -> Names {
        let Self { rotation, next } = self;
        let (next_values, kept) = carried.split_at(next.len());
        names
            .0
            .extend(args[1..].iter().copied().zip(next_values.iter().copied()));
        let kept = rotation.kept.iter().copied().zip(kept.iter().copied());
        let sum = (
            kernel.op(rotation.second).args[0],
            next_values[rotation.sum],
        );
        Names(kept.chain([sum]).collect())
    }
}

fn wgmma(kernel: &Kernel, id: OpId) -> Option<&Wgmma> {
    match &kernel.op(id).kind {
        OpKind::Wgmma(mma) => Some(mma),
        _ => None,
    }
}

/// Returns `true` if an operation of a body neither synchronizes, nor writes to a buffer, nor jumps. MMAs on
/// shared memory are accepted only directly in the body.
fn is_thread_local(kernel: &Kernel, id: OpId, is_top: bool) -> bool {
    let op = kernel.op(id);
    let has = |which| op.kind.has(which);
    let is_fit = match op.kind {
        // The rotation arranges these itself.
        OpKind::Wgmma(_) | OpKind::ConsumerRelease(_) | OpKind::ConsumerWait(_) => is_top,
        _ => {
            let reads_shared = op.kind.buffers().next().is_some();
            let is_other_mma = has(Trait::Mma) && reads_shared;
            !has(Trait::BlockBarrier)
                && !has(Trait::Synchronization)
                && !has(Trait::Jump)
                && !is_other_mma
        }
    };
    let mut blocks = op.blocks.iter().flat_map(|&block| &kernel.block(block).ops);
    is_fit && !op.kind.writes_shared() && blocks.all(|&inner| is_thread_local(kernel, inner, false))
}

/// Returns the values that an operation and the operations nested in it use.
fn used(kernel: &Kernel, id: OpId) -> Vec<ValueId> {
    let op = kernel.op(id);
    let inner = op.blocks.iter().flat_map(|&block| &kernel.block(block).ops);
    let inner = inner.flat_map(|&inner| used(kernel, inner));
    op.args.iter().copied().chain(inner).collect()
}

/// Repeats an operation, with its nested blocks, at the end of a block.
fn again(kernel: &mut Kernel, id: OpId, to: BlockId, names: &mut Names) -> OpId {
    let op = kernel.op(id).clone();
    let mut blocks = Vec::new();
    for &inner in &op.blocks {
        let block = kernel.add_block();
        for arg in kernel.block(inner).args.clone() {
            let (ty, loc) = (kernel.ty(arg), kernel.value(arg).loc);
            let copy = kernel.add_block_arg(block, ty, loc);
            names.0.insert(arg, copy);
        }
        for inner in kernel.block(inner).ops.clone() {
            again(kernel, inner, block, names);
        }
        blocks.push(block);
    }
    let args = names.all(&op.args);
    let types: Vec<Ty> = op.results.iter().map(|&value| kernel.ty(value)).collect();
    let new_op = kernel.push(to, op.kind, &args, &types, &blocks, op.loc);
    let results = kernel.op(new_op).results.clone();
    names.0.extend(op.results.iter().copied().zip(results));
    // The copy has the place of the original in the order of tokens.
    let numbers = &mut kernel.order.numbers;
    if let Some(&number) = numbers.get(&id) {
        numbers.insert(new_op, number);
    }
    new_op
}

/// Leaves the MMA that computes `sum` in flight, with at most `most` MMAs in flight after it is issued.
fn leave_in_flight(kernel: &mut Kernel, sum: ValueId, most: u32) {
    let mma = kernel.defining(sum).expect("an MMA defines it");
    if let OpKind::Wgmma(mma) = &mut kernel.op_mut(mma).kind {
        mma.in_flight = most;
    }
}

fn schedule_ping_pong(kernel: &mut Kernel, to: BlockId, step: PingPong) {
    let loc = kernel.loc;
    kernel.push(to, OpKind::PingPong(step), &[], &[], &[], loc);
}

/// Adds a wait after which at most `left` MMAs are in flight. Returns the value of `args[0]` after the wait.
fn wait(kernel: &mut Kernel, to: BlockId, left: u32, args: &[ValueId]) -> ValueId {
    let mma = kernel.defining(args[0]).expect("an MMA defines it");
    let (ty, loc) = (kernel.ty(args[0]), kernel.op(mma).loc);
    let wait_id = kernel.push(to, OpKind::WaitWgmma(left), args, &[ty], &[], loc);
    kernel.op(wait_id).results[0]
}

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
    Block, BlockId, Kernel, MmaKind, Op, OpId, OpKind, PingPong, Trait, Ty, ValueId, Wgmma, compute,
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
        let is_fit = matches!(kernel.op(jump).kind, OpKind::Continue)
            && ops.iter().all(|&op| is_thread_local(kernel, op, true));
        if !is_fit {
            return None;
        }
        let [first, second] = mmas(kernel, ops)?;
        let free = only_release(kernel, ops)?;
        let next = &kernel.op(jump).args;
        let result = kernel.op(second).results[0];
        let sum = next.iter().position(|&value| value == result)?;
        let old = body.args[1 + sum];
        let (scaling, of_sum) = scaling(kernel, ops, second, old)?;
        // Only the second MMA may use the accumulator, and only the next iteration may use the result of that
        // MMA.
        let operands = &kernel.op(second).args;
        let is_sum = |value: &ValueId| of_sum.contains(value) || *value == result;
        let elsewhere = next
            .iter()
            .enumerate()
            .any(|(index, value)| index != sum && is_sum(value))
            || operands[1..].iter().any(is_sum)
            || !of_sum.contains(&operands[0])
            || ops.iter().any(|&op| used(kernel, op).contains(&result));
        if elsewhere {
            return None;
        }
        let mut inside: FxHashSet<ValueId> = body.args.iter().copied().collect();
        inside.extend(ops.iter().flat_map(|&op| &kernel.op(op).results));
        let mut kept: Vec<ValueId> = Vec::new();
        for &arg in operands[1..].iter().chain(&kernel.op(free).args) {
            if inside.contains(&arg) && !kept.contains(&arg) {
                kept.push(arg);
            }
        }
        Some(Self {
            first,
            second,
            free,
            sum,
            waits: can_wait(kernel, ops, &scaling, old),
            scaling,
            kept,
        })
    }

    /// Rewrites the loop `id` of `block`.
    pub(super) fn apply(&self, kernel: &mut Kernel, block: BlockId, id: OpId, ping_pong: bool) {
        let (taken, otherwise) = (kernel.add_block(), kernel.add_block());
        let body = kernel.op(id).blocks[0];
        let rotated = RotatedLoop {
            rotation: self,
            op: kernel.op(id).clone(),
            body: kernel.block(body).clone(),
            next: kernel.op(last(kernel, body)).args.to_vec(),
            uses_ping_pong: ping_pong && self.is_ping_pong_profitable(kernel),
        };
        // Without an iteration the results are the initial values. All MMAs and their waits are in the other
        // arm, so that no accumulator can reach a wait on a path without an MMA. On such a path, ptxas would
        // make the program wait after every MMA.
        let initial = &rotated.op.args[3..];
        kernel.push(otherwise, OpKind::Yield, initial, &[], &[], rotated.op.loc);
        let carried = rotated.first_iteration(kernel, taken);
        let results = rotated.other_iterations(kernel, taken, &carried);
        rotated.last_mma(kernel, taken, &results);
        rotated.replace(kernel, block, id, [taken, otherwise]);
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

/// A loop that is being rotated, as it was before.
struct RotatedLoop<'r> {
    rotation: &'r Rotation,
    op: Op,
    body: Block,
    /// The operands of the body's `continue`.
    next: Vec<ValueId>,
    uses_ping_pong: bool,
}

impl RotatedLoop<'_> {
    /// Adds the first iteration up to its second MMA to the block `to`. Returns the values that the rotated
    /// loop carries.
    fn first_iteration(&self, kernel: &mut Kernel, to: BlockId) -> Vec<ValueId> {
        let lower = self.op.args[0];
        let firsts = std::iter::once(lower).chain(self.op.args[3..].iter().copied());
        let mut names = Names(self.body.args.iter().copied().zip(firsts).collect());
        let rotation = self.rotation;
        for &id in self.ops() {
            if id != rotation.second && id != rotation.free {
                again(kernel, id, to, &mut names);
            }
        }
        self.carried(kernel, &names)
    }

    /// Adds the loop over the other iterations to the block `to`. Returns its results.
    fn other_iterations(
        &self,
        kernel: &mut Kernel,
        to: BlockId,
        carried: &[ValueId],
    ) -> Vec<ValueId> {
        let loc = self.op.loc;
        let (lower, by) = (self.op.args[0], self.op.args[2]);
        let end = self.end(kernel, to);
        let body = self.new_body(kernel, carried);
        let mut args = vec![lower, end, by];
        args.extend(carried);
        let types: Vec<Ty> = carried.iter().map(|&value| kernel.ty(value)).collect();
        self.schedule_ping_pong(kernel, to, PingPong::Begin);
        let rotated = kernel.push(to, self.op.kind.clone(), &args, &types, &[body], loc);
        self.schedule_ping_pong(kernel, to, PingPong::End);
        kernel.op(rotated).results.to_vec()
    }

    /// Adds the upper bound of the rotated loop to the block `to`.
    ///
    /// The loop counts previous iterations: where its induction variable is `before`, it computes iteration
    /// `before + by`. Its upper bound is `upper - by`. It has no iteration if the first one is the only one.
    fn end(&self, kernel: &mut Kernel, to: BlockId) -> ValueId {
        let (lower, upper, by) = (self.op.args[0], self.op.args[1], self.op.args[2]);
        let counter = kernel.ty(lower).scalar().expect("a number");
        let index = kernel.block(to).ops.len();
        let mut cursor = self.cursor(kernel, to, index);
        let left = cursor.compute(compute::Uniform::Sub, &[upper, lower], counter);
        let reaches = compute::Uniform::Less { unsigned: true };
        let reaches = cursor.compute(reaches, &[by, left], Scalar::I1);
        let before_last = cursor.compute(compute::Uniform::Sub, &[upper, by], counter);
        let bounds = [reaches, before_last, lower];
        cursor.compute(compute::Uniform::Select, &bounds, counter)
    }

    /// Returns a new block, the body of the rotated loop.
    fn new_body(&self, kernel: &mut Kernel, carried: &[ValueId]) -> BlockId {
        let rotation = self.rotation;
        let (lower, by, loc) = (self.op.args[0], self.op.args[2], self.op.loc);
        let counter = kernel.ty(lower).scalar().expect("a number");
        let body = kernel.add_block();
        let before = kernel.add_block_arg(body, kernel.ty(lower), loc);
        let args: Vec<ValueId> = carried
            .iter()
            .map(|&value| kernel.add_block_arg(body, kernel.ty(value), loc))
            .collect();
        let mut cursor = self.cursor(kernel, body, 0);
        let induction = cursor.compute(compute::Uniform::Add, &[before, by], counter);
        let mut names = Names(FxHashMap::from_iter([(self.body.args[0], induction)]));
        let kept = self.take(kernel, &args, &mut names);
        let is_other = |id: &&OpId| {
            let moved = [rotation.second, rotation.free];
            !moved.contains(*id) && !rotation.scaling.contains(id)
        };
        let mut ops = self.ops().split_inclusive(|&op| op == rotation.first);
        let until_first = ops.next().expect("the first MMA is in the body");
        for &id in until_first.iter().filter(is_other) {
            if id == rotation.first {
                self.schedule_ping_pong(kernel, body, PingPong::Acquire);
            }
            again(kernel, id, body, &mut names);
        }
        // Both MMAs are issued before any wait: one may be in flight after the first, two after the second.
        let first = kernel.op(rotation.first).results[0];
        let scores = names.renamed(first);
        leave_in_flight(kernel, scores, 1);
        let sum = rotation.multiply(kernel, body, &kept);
        leave_in_flight(kernel, sum, 2);
        self.schedule_ping_pong(kernel, body, PingPong::Release);
        // The first MMA is complete when only one is in flight. The second runs during the softmax below.
        let waited = wait(kernel, body, 1, &[scores]);
        names.0.insert(first, waited);
        for &id in ops.flatten().filter(is_other) {
            again(kernel, id, body, &mut names);
        }
        let scaling = self.wait_for_second(kernel, body, sum, &mut names);
        rotation.release(kernel, body, &kept);
        for &id in scaling {
            again(kernel, id, body, &mut names);
        }
        let given = self.carried(kernel, &names);
        kernel.push(body, OpKind::Continue, &given, &[], &[], loc);
        body
    }

    /// Adds the wait for the second MMA of the previous iteration, whose result is `sum`. Returns the
    /// operations that remain to rescale it.
    ///
    /// ptxas hoists a plain wait above the softmax, but not across a branch. The wait is therefore placed
    /// after the test whether to rescale at all, once in each arm.
    fn wait_for_second(
        &self,
        kernel: &mut Kernel,
        body: BlockId,
        sum: ValueId,
        names: &mut Names,
    ) -> &[OpId] {
        let mma = kernel.defining(sum).expect("an MMA defines it");
        let operand = wgmma(kernel, mma).is_some_and(|mma| mma.lhs.is_none());
        let operand = operand.then(|| kernel.op(mma).args[1]);
        let scaling = &self.rotation.scaling[..];
        if !self.rotation.waits {
            let operands: Vec<ValueId> = std::iter::once(sum).chain(operand).collect();
            let waited = wait(kernel, body, 0, &operands);
            names.0.insert(self.accumulator(), waited);
            return scaling;
        }
        names.0.insert(self.accumulator(), sum);
        let scaled = again(kernel, scaling[0], body, names);
        let op = kernel.op_mut(scaled);
        if let OpKind::LazyRescale(element) = op.kind.clone() {
            op.kind = OpKind::WaitWgmmaAndRescale(element);
        }
        op.args.extend(operand);
        &scaling[1..]
    }

    /// Adds the second MMA of the last iteration to the block `to`, and yields the results of the loop.
    fn last_mma(&self, kernel: &mut Kernel, to: BlockId, results: &[ValueId]) {
        let mut names = Names(FxHashMap::default());
        let kept = self.take(kernel, results, &mut names);
        let sum = self.rotation.multiply(kernel, to, &kept);
        self.rotation.release(kernel, to, &kept);
        names.0.insert(self.accumulator(), sum);
        let yielded = names.all(&self.body.args[1..]);
        kernel.push(to, OpKind::Yield, &yielded, &[], &[], self.op.loc);
    }

    /// Replaces the loop `id` of `block` by a branch: the first arm runs if the loop has an iteration.
    fn replace(&self, kernel: &mut Kernel, block: BlockId, id: OpId, arms: [BlockId; 2]) {
        let OpKind::For { unsigned } = self.op.kind else {
            unreachable!("only loops are rotated")
        };
        let results = &self.op.results;
        let types: Vec<Ty> = results.iter().map(|&value| kernel.ty(value)).collect();
        let index = kernel.block(block).ops.iter().position(|&op| op == id);
        let index = index.expect("the loop is in its block");
        kernel.block_mut(block).ops.remove(index);
        let mut cursor = self.cursor(kernel, block, index);
        let enters = compute::Uniform::Less { unsigned };
        let enters = cursor.compute(enters, &self.op.args[..2], Scalar::I1);
        let branch = cursor.push(OpKind::If, &[enters], &types);
        kernel.op_mut(branch).blocks.extend(arms);
        let new = kernel.op(branch).results.iter().copied();
        let instead: FxHashMap<ValueId, ValueId> = results.iter().copied().zip(new).collect();
        for user in kernel.op_ids().collect::<Vec<_>>() {
            for arg in &mut kernel.op_mut(user).args {
                *arg = instead.get(arg).copied().unwrap_or(*arg);
            }
        }
    }

    /// Returns the operations of the body before its jump.
    fn ops(&self) -> &[OpId] {
        let jump = self.body.ops.split_last();
        jump.expect("a body ends with a jump").1
    }

    /// Returns the carried value of the body that is the accumulator of the second MMA.
    fn accumulator(&self) -> ValueId {
        self.body.args[1 + self.rotation.sum]
    }

    fn cursor<'k>(&self, kernel: &'k mut Kernel, block: BlockId, index: usize) -> Cursor<'k> {
        Cursor {
            kernel,
            block,
            index,
            loc: self.op.loc,
        }
    }

    /// Adds an operation of ping-pong scheduling at the end of a block, if the loop uses it.
    fn schedule_ping_pong(&self, kernel: &mut Kernel, block: BlockId, ping_pong: PingPong) {
        if self.uses_ping_pong {
            schedule_ping_pong(kernel, block, ping_pong);
        }
    }

    /// Returns the values that the rotated loop carries: those of the original loop, with the accumulator
    /// operand of the second MMA instead of its result, and the `kept` values of the rotation.
    fn carried(&self, kernel: &Kernel, names: &Names) -> Vec<ValueId> {
        let rotation = self.rotation;
        let mut values = self.next.clone();
        values[rotation.sum] = kernel.op(rotation.second).args[0];
        values.extend(&rotation.kept);
        names.all(&values)
    }

    /// Unpacks carried values: adds to `names` those that the body takes as arguments, and returns the values
    /// of the previous iteration.
    fn take(&self, kernel: &Kernel, carried: &[ValueId], names: &mut Names) -> Names {
        let rotation = self.rotation;
        let (next_values, kept) = carried.split_at(self.next.len());
        let args = self.body.args[1..].iter().copied();
        names.0.extend(args.zip(next_values.iter().copied()));
        let kept = rotation.kept.iter().copied().zip(kept.iter().copied());
        let sum = (
            kernel.op(rotation.second).args[0],
            next_values[rotation.sum],
        );
        Names(kept.chain([sum]).collect())
    }
}

/// Returns the two MMAs of a body if these are all, and both can be in flight. The first must take both
/// operands from shared memory.
fn mmas(kernel: &Kernel, ops: &[OpId]) -> Option<[OpId; 2]> {
    let mmas = ops.iter().copied();
    let mmas: Vec<OpId> = mmas.filter(|&op| wgmma(kernel, op).is_some()).collect();
    let &[first, second] = &mmas[..] else {
        return None;
    };
    let can_be_in_flight = |id: OpId| {
        wgmma(kernel, id).is_some_and(|mma| {
            mma.in_flight == 0 && !mma.has_two_level_accumulation && mma.kind != MmaKind::F16AccF16
        })
    };
    let is_fit =
        can_be_in_flight(first) && can_be_in_flight(second) && wgmma(kernel, first)?.lhs.is_some();
    is_fit.then_some([first, second])
}

/// Returns the operation that releases a stage, if the body has one and no other.
fn only_release(kernel: &Kernel, ops: &[OpId]) -> Option<OpId> {
    let mut releases = ops
        .iter()
        .copied()
        .filter(|&op| matches!(kernel.op(op).kind, OpKind::ConsumerRelease(_)));
    releases.next().filter(|_| releases.next().is_none())
}

/// Returns, in order, the operations of a body that depend on the accumulator `old`, except for the second
/// MMA, and the values that depend on it. Returns `None` if one of these operations is not pure.
fn scaling(
    kernel: &Kernel,
    ops: &[OpId],
    second: OpId,
    old: ValueId,
) -> Option<(Vec<OpId>, FxHashSet<ValueId>)> {
    let mut of_sum = FxHashSet::from_iter([old]);
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
    Some((scaling, of_sum))
}

/// Returns `true` if the first of the `scaling` operations can wait for the MMA whose result it rescales. It
/// must be the only user of the previous iteration's accumulator `old`: any other use would precede the wait.
fn can_wait(kernel: &Kernel, ops: &[OpId], scaling: &[OpId], old: ValueId) -> bool {
    let mut takers = ops.iter().filter(|&&op| used(kernel, op).contains(&old));
    let rescales = scaling.first().is_some_and(|&op| {
        let op = kernel.op(op);
        matches!(op.kind, OpKind::LazyRescale(_)) && op.args[0] == old && op.args[1] != old
    });
    rescales && takers.nth(1).is_none()
}

/// Returns the last operation of a block of a loop.
fn last(kernel: &Kernel, block: BlockId) -> OpId {
    let last = kernel.block(block).ops.last();
    *last.expect("a body ends with a jump")
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

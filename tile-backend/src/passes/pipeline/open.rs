//! Products that go on while the next tiles are waited for.
//!
//! In: a pipelined loop with one product of warpgroups, whose accumulator nothing else in the loop
//! touches. Out: an iteration waits for the product of the one before, and not for its own; behind
//! the loop the last one is waited for. The tensor cores always have work then, but a slot of a ring
//! is free an iteration later.

use super::apply::At;
use crate::gpu::{BlockId, BufferId, Kernel, MmaKind, OpId, OpKind, Ty, ValueId, compute};
use crate::passes::{Touch, touched};
use crate::resources::Without;
use rustc_hash::FxHashMap;
use tile_core::Scalar;

/// A product that can be left open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    product: OpId,
    /// Which of the carried values it accumulates.
    carried: usize,
}

impl Open {
    /// That of the loop `id`, if it is as described.
    pub(super) fn of(kernel: &Kernel, id: OpId) -> Option<Self> {
        if kernel.without.contains(Without::OPEN_PRODUCTS) {
            return None;
        }
        let body = kernel.op(id).blocks[0];
        let mut products = Vec::new();
        let mut uses = Vec::new();
        visit(kernel, body, &mut |user| {
            let op = kernel.op(user);
            if matches!(op.kind, OpKind::Wgmma(_)) || op.kind.most_open().is_some() {
                products.push(user);
            }
            uses.extend(op.args.iter().map(|&value| (value, user)));
        });
        let &[product] = &products[..] else {
            return None;
        };
        let ops = &kernel.block(body).ops;
        let jump = *ops.last()?;
        let op = kernel.op(product);
        // Sums of f16 are packed and unpacked between iterations.
        let is_shared = matches!(
            &op.kind,
            OpKind::Wgmma(product) if product.lhs.is_some()
                && !product.is_promoted
                && product.kind != MmaKind::F16AccF16
        );
        let only_by = |value: ValueId, user: OpId| {
            let mut users = uses.iter().filter(|(used, _)| *used == value);
            users.next() == Some(&(value, user)) && users.next().is_none()
        };
        let args = &kernel.block(body).args[1..];
        let carried = args.iter().position(|&arg| arg == op.args[0])?;
        let next = kernel.op(jump).args.get(carried) == Some(&op.results[0]);
        (is_shared
            && ops.contains(&product)
            && next
            && only_by(op.args[0], product)
            && only_by(op.results[0], jump))
        .then_some(Self { product, carried })
    }

    /// Whether what it reads stays as it is, once the loop `id` is pipelined, until the product of the
    /// next iteration: in slots of rings, or not written in the loop.
    pub(super) fn keeps_factors(self, kernel: &Kernel, id: OpId) -> bool {
        let body = kernel.op(id).blocks[0];
        let mut written: Vec<BufferId> = Vec::new();
        visit(kernel, body, &mut |op| {
            let touched = touched(&kernel.op(op).kind).into_iter();
            let writes = touched.filter(|(_, touch)| *touch == Touch::Write);
            written.extend(writes.map(|(buffer, _)| buffer));
        });
        touched(&kernel.op(self.product).kind)
            .into_iter()
            .all(|(read, _)| kernel.buffer(read).slots > 1 || !written.contains(&read))
    }

    /// Leaves it open in the loop `id` of `block`, and waits behind that.
    pub(super) fn leave(self, kernel: &mut Kernel, block: BlockId, id: OpId) {
        if let OpKind::Wgmma(product) = &mut kernel.op_mut(self.product).kind {
            product.open = 1;
        }
        let sum = kernel.op(id).results[self.carried];
        let (ty, loc) = (kernel.ty(sum), kernel.op(id).loc);
        let users: Vec<OpId> = kernel.op_ids().collect();
        let wait = kernel.add_op(OpKind::WaitProducts(0), &[sum], &[ty], &[], loc);
        let waited = kernel.op(wait).results[0];
        for user in users {
            for arg in &mut kernel.op_mut(user).args {
                if *arg == sum {
                    *arg = waited;
                }
            }
        }
        let ops = &mut kernel.block_mut(block).ops;
        let at = ops.iter().position(|&op| op == id);
        ops.insert(at.expect("the loop stands in its block") + 1, wait);
    }
}

/// Puts the loop `id` of `block`, and what stands behind it up to `end`, into a branch that is taken if there
/// is an iteration. Where there is none, nothing waits for products then: to a wait that sums come to from
/// elsewhere than products, ptxas answers by waiting for each product.
pub(super) fn guard(kernel: &mut Kernel, block: BlockId, id: OpId, end: usize) {
    let op = kernel.op(id).clone();
    let OpKind::For { unsigned } = op.kind else {
        unreachable!("only loops have products left open")
    };
    let ops = &mut kernel.block_mut(block).ops;
    let start = ops.iter().position(|&op| op == id);
    let index = start.expect("the loop stands in its block");
    let moved: Vec<OpId> = ops.drain(index..end).collect();
    let waited: FxHashMap<ValueId, ValueId> = moved
        .iter()
        .map(|&id| kernel.op(id))
        .filter(|op| op.kind.most_open().is_some())
        .map(|op| (op.args[0], op.results[0]))
        .collect();
    // What is used behind: in the branch, and where there is no iteration.
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
    let mut at = At {
        kernel,
        block,
        index,
        loc: op.loc,
    };
    let less = compute::Uniform::Less { unsigned };
    let enters = at.compute(less, &op.args[..2], Scalar::I1);
    let branch = at.push(OpKind::If, &[enters], &types);
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

/// Every operation of a block, and of those inside.
fn visit(kernel: &Kernel, block: BlockId, each: &mut impl FnMut(OpId)) {
    for &id in &kernel.block(block).ops {
        each(id);
        for &inner in &kernel.op(id).blocks {
            visit(kernel, inner, each);
        }
    }
}

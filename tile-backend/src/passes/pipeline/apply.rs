//! The rewrite.

use super::candidates::{Candidate, step};
use crate::gpu::{BlockId, BufferId, Kernel, OpId, OpKind, Ty, ValueId, compute};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use tile_core::{Loc, Scalar};

/// A place in a block where operations are added.
struct At<'k> {
    kernel: &'k mut Kernel,
    block: BlockId,
    index: usize,
    loc: Loc,
}

impl At<'_> {
    fn push(&mut self, kind: OpKind, args: &[ValueId], results: &[Ty]) -> OpId {
        let id = self.kernel.add_op(kind, args, results, &[], self.loc);
        let ops = &mut self.kernel.block_mut(self.block).ops;
        ops.insert(self.index, id);
        self.index += 1;
        id
    }

    fn value(&mut self, kind: OpKind, args: &[ValueId], ty: Ty) -> ValueId {
        let id = self.push(kind, args, &[ty]);
        self.kernel.op(id).results[0]
    }

    fn constant(&mut self, scalar: Scalar, bits: u64) -> ValueId {
        self.value(OpKind::Constant(bits), &[], Ty::Uniform(scalar))
    }

    /// An operation on numbers of one type.
    fn compute(&mut self, op: compute::Uniform, args: &[ValueId], result: Scalar) -> ValueId {
        let scalar = self
            .kernel
            .ty(args[args.len() - 1])
            .scalar()
            .expect("a number");
        let kind = OpKind::Compute(op.element_op(scalar));
        self.value(kind, args, Ty::Uniform(result))
    }

    /// Begins the copies for the iteration whose induction variable is `induction`.
    fn copies(
        &mut self,
        candidates: &[Candidate],
        old: ValueId,
        induction: ValueId,
        whether: ValueId,
        slot: ValueId,
        is_ahead: bool,
    ) {
        for candidate in candidates {
            let mut renamed: FxHashMap<ValueId, ValueId> = FxHashMap::default();
            renamed.insert(old, induction);
            let name = |renamed: &FxHashMap<ValueId, ValueId>, value: &ValueId| {
                renamed.get(value).copied().unwrap_or(*value)
            };
            for &id in &candidate.slice {
                let op = self.kernel.op(id).clone();
                let args: Vec<ValueId> = op.args.iter().map(|arg| name(&renamed, arg)).collect();
                let value = self.value(op.kind, &args, self.kernel.ty(op.results[0]));
                renamed.insert(op.results[0], value);
            }
            let place = self.kernel.op(candidate.load).args.clone();
            let mut args = vec![whether, slot];
            args.extend(place.iter().map(|arg| name(&renamed, arg)));
            for (_, copy) in &candidate.stores {
                let mut copy = copy.clone();
                copy.is_ahead = is_ahead;
                self.push(OpKind::CopyAsync(Box::new(copy)), &args, &[]);
            }
        }
        self.push(OpKind::CommitCopies, &[], &[]);
    }
}

/// Pipelines the loop `id` of `block` with rings of `slots`.
pub(super) fn apply(
    kernel: &mut Kernel,
    block: BlockId,
    id: OpId,
    candidates: &[Candidate],
    slots: u32,
) {
    let loc = kernel.op(id).loc;
    let body = kernel.op(id).blocks[0];
    let (lower, upper) = (kernel.op(id).args[0], kernel.op(id).args[1]);
    let OpKind::For { unsigned } = kernel.op(id).kind else {
        unreachable!("only loops are pipelined")
    };
    let step = step(kernel, id).expect("a loop with candidates has one");
    let counter = kernel.ty(lower).scalar().expect("a number");
    let induction = kernel.block(body).args[0];

    // Before the loop: the iterations 0 to S-2, as far as there are.
    let index = kernel.block(block).ops.iter().position(|&op| op == id);
    let index = index.expect("the loop stands in its block");
    let mut before = At {
        kernel,
        block,
        index,
        loc,
    };
    let enters = before.compute(
        compute::Uniform::Less { unsigned },
        &[lower, upper],
        Scalar::I1,
    );
    let left = before.compute(compute::Uniform::Sub, &[upper, lower], counter);
    for number in 0..slots - 1 {
        let slot = before.constant(Scalar::I32, u64::from(number));
        let (first, whether) = if number == 0 {
            (lower, enters)
        } else {
            let distance = before.constant(counter, step * u64::from(number));
            let reaches = compute::Uniform::Less { unsigned: true };
            let reaches = before.compute(reaches, &[distance, left], Scalar::I1);
            let whether = before.compute(compute::Uniform::And, &[enters, reaches], Scalar::I1);
            let first = before.compute(compute::Uniform::Add, &[lower, distance], counter);
            (first, whether)
        };
        before.copies(candidates, induction, first, whether, slot, false);
    }
    let zero = before.constant(Scalar::I32, 0);
    let slot = before.kernel.carry(id, zero);

    // At the head of the body.
    let mut head = At {
        kernel,
        block: body,
        index: 0,
        loc,
    };
    head.push(OpKind::WaitCopies(slots - 2), &[], &[]);
    head.push(OpKind::Barrier, &[], &[]);
    let left = head.compute(compute::Uniform::Sub, &[upper, induction], counter);
    let distance = head.constant(counter, step * u64::from(slots - 1));
    let reaches = compute::Uniform::Less { unsigned: true };
    let whether = head.compute(reaches, &[distance, left], Scalar::I1);
    let ahead = head.compute(compute::Uniform::Add, &[induction, distance], counter);
    let (zero, one) = (head.constant(Scalar::I32, 0), head.constant(Scalar::I32, 1));
    let last = head.constant(Scalar::I32, u64::from(slots - 1));
    let is_first = head.compute(compute::Uniform::Equal, &[slot, zero], Scalar::I1);
    let previous = head.compute(compute::Uniform::Sub, &[slot, one], Scalar::I32);
    let previous = head.compute(
        compute::Uniform::Select,
        &[is_first, last, previous],
        Scalar::I32,
    );
    let is_last = head.compute(compute::Uniform::Equal, &[slot, last], Scalar::I1);
    let following = head.compute(compute::Uniform::Add, &[slot, one], Scalar::I32);
    let following = head.compute(
        compute::Uniform::Select,
        &[is_last, zero, following],
        Scalar::I32,
    );
    head.copies(candidates, induction, ahead, whether, previous, true);

    let end = *kernel
        .block(body)
        .ops
        .last()
        .expect("a body ends with `continue`");
    kernel.op_mut(end).args.push(following);
    let stores = candidates.iter().flat_map(|candidate| &candidate.stores);
    let rings: BTreeSet<BufferId> = stores.clone().map(|(_, copy)| copy.buffer).collect();
    let dead: FxHashSet<OpId> = stores
        .map(|(store, _)| *store)
        .chain(candidates.iter().map(|candidate| candidate.load))
        .collect();
    kernel.block_mut(body).ops.retain(|op| !dead.contains(op));
    for &ring in &rings {
        let buffer = &mut kernel.buffers[ring.index()];
        buffer.bytes *= slots;
        buffer.slots = slots;
    }
    read_slots(kernel, body, &rings, slot);
}

/// Reads of rings are of the slot of the iteration.
fn read_slots(kernel: &mut Kernel, block: BlockId, rings: &BTreeSet<BufferId>, slot: ValueId) {
    for id in kernel.block(block).ops.clone() {
        if let OpKind::LoadShared(buffer) | OpKind::LoadMatrix(buffer) = kernel.op(id).kind
            && rings.contains(&buffer)
        {
            kernel.op_mut(id).args.push(slot);
        }
        for inner in kernel.op(id).blocks.clone() {
            read_slots(kernel, inner, rings, slot);
        }
    }
}

//! What can be copied ahead.

use crate::gpu::{Access, AsyncCopy, BlockId, BufferId, Kernel, OpId, OpKind, Ty, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A load whose tile goes to buffers.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) load: OpId,
    /// The stores, and the copies in their place.
    pub(super) stores: Vec<(OpId, AsyncCopy)>,
    /// Operations of the body that compute where the tile lies, in order.
    pub(super) slice: Vec<OpId>,
}

/// The loads of a loop that can be copied ahead; none if the loop cannot be pipelined.
pub(super) fn of(kernel: &Kernel, id: OpId) -> Vec<Candidate> {
    let op = kernel.op(id);
    let body = op.blocks[0];
    let ends = kernel
        .block(body)
        .ops
        .last()
        .map(|&last| &kernel.op(last).kind);
    if !matches!(ends, Some(OpKind::Continue)) || step(kernel, id).is_none() {
        return Vec::new();
    }
    let scope = Scope::of(kernel, body);
    let uses = Uses::of(kernel);
    let loads = kernel.block(body).ops.iter();
    let mut found: Vec<Candidate> = loads
        .filter_map(|&load| candidate(kernel, body, load, &scope, &uses))
        .collect();
    if already_pipelined(kernel, body) || is_left_early(kernel, body) {
        found.clear();
    }
    found
}

/// Whether an iteration may end before the end of the body, where the next slot is yielded.
fn is_left_early(kernel: &Kernel, body: BlockId) -> bool {
    kernel.block(body).ops.iter().any(|&id| {
        let op = kernel.op(id);
        // What other loops have is their own.
        let is_loop = matches!(op.kind, OpKind::For { .. } | OpKind::Loop);
        let leaves = |&block: &BlockId| {
            let last = kernel.block(block).ops.last();
            last.is_some_and(|&last| matches!(kernel.op(last).kind, OpKind::Continue))
                || is_left_early(kernel, block)
        };
        !is_loop && op.blocks.iter().any(leaves)
    })
}

/// A wait in the loop would take the groups of an inner loop for its own.
fn already_pipelined(kernel: &Kernel, body: BlockId) -> bool {
    kernel.block(body).ops.iter().any(|&id| {
        let op = kernel.op(id);
        matches!(op.kind, OpKind::WaitCopies(_))
            || op
                .blocks
                .iter()
                .any(|&block| already_pipelined(kernel, block))
    })
}

/// The constant, positive distance between two values of the induction variable, small enough that
/// some of them together do not wrap.
pub(super) fn step(kernel: &Kernel, id: OpId) -> Option<u64> {
    let op = kernel.op(id);
    let step = constant(kernel, op.args[2])?;
    let bits = kernel.ty(op.args[2]).scalar()?.bits();
    (step > 0 && bits >= 16 && step < 1 << (bits - 4)).then_some(step)
}

/// How often the loop runs, if that is known.
pub(super) fn constant_trips(kernel: &Kernel, id: OpId) -> Option<u64> {
    let op = kernel.op(id);
    let (lower, upper) = (constant(kernel, op.args[0])?, constant(kernel, op.args[1])?);
    let step = step(kernel, id)?;
    // Bounds of either sign: what is below zero wraps, and counts as not known.
    Some(upper.checked_sub(lower)?.div_ceil(step))
}

fn constant(kernel: &Kernel, value: ValueId) -> Option<u64> {
    kernel
        .defining(value)
        .and_then(|id| match kernel.op(id).kind {
            OpKind::Constant(bits) => Some(bits),
            _ => None,
        })
}

/// Where the values of a body are defined.
struct Scope {
    /// By operations that stand directly in it.
    direct: FxHashMap<ValueId, OpId>,
    /// By whatever else is inside: arguments but the induction variable, and nested operations.
    other: FxHashSet<ValueId>,
    induction: ValueId,
}

impl Scope {
    fn of(kernel: &Kernel, body: BlockId) -> Self {
        let args = &kernel.block(body).args;
        let mut scope = Self {
            direct: FxHashMap::default(),
            other: args[1..].iter().copied().collect(),
            induction: args[0],
        };
        for &id in &kernel.block(body).ops {
            let op = kernel.op(id);
            scope
                .direct
                .extend(op.results.iter().map(|&value| (value, id)));
        }
        scope
    }

    /// Adds to `slice` what computes `value` from the induction variable and the outside; whether
    /// that is all there is to it.
    fn slice(&self, kernel: &Kernel, value: ValueId, slice: &mut Vec<OpId>) -> bool {
        if value == self.induction {
            return true;
        }
        if self.other.contains(&value) {
            return false;
        }
        let Some(&id) = self.direct.get(&value) else {
            return true;
        };
        if slice.contains(&id) {
            return true;
        }
        let op = kernel.op(id);
        let is_pure = matches!(
            op.kind,
            OpKind::Compute(_) | OpKind::Constant(_) | OpKind::BlockId(_) | OpKind::GridSize(_)
        );
        let is_uniform = op
            .results
            .iter()
            .all(|&result| matches!(kernel.ty(result), Ty::Uniform(_)));
        let all =
            is_pure && is_uniform && op.args.iter().all(|&arg| self.slice(kernel, arg, slice));
        if all {
            slice.push(id);
        }
        all
    }
}

/// Who uses values and buffers.
struct Uses {
    values: FxHashMap<ValueId, Vec<OpId>>,
    /// The operations that touch a buffer.
    buffers: FxHashMap<BufferId, Vec<OpId>>,
    /// The blocks around each operation, innermost first.
    around: FxHashMap<OpId, Vec<BlockId>>,
}

impl Uses {
    fn of(kernel: &Kernel) -> Self {
        let mut uses = Self {
            values: FxHashMap::default(),
            buffers: FxHashMap::default(),
            around: FxHashMap::default(),
        };
        uses.visit(kernel, kernel.body(), &[]);
        uses
    }

    fn visit(&mut self, kernel: &Kernel, block: BlockId, outer: &[BlockId]) {
        let mut around = vec![block];
        around.extend(outer);
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            for &arg in &op.args {
                self.values.entry(arg).or_default().push(id);
            }
            for (buffer, _) in crate::passes::touched(&op.kind) {
                self.buffers.entry(buffer).or_default().push(id);
            }
            self.around.insert(id, around.clone());
            for &inner in &op.blocks {
                self.visit(kernel, inner, &around);
            }
        }
    }
}

fn candidate(
    kernel: &Kernel,
    body: BlockId,
    load: OpId,
    scope: &Scope,
    uses: &Uses,
) -> Option<Candidate> {
    let op = kernel.op(load);
    let OpKind::LoadGlobal(tile) = &op.kind else {
        return None;
    };
    let is_read_only = tile.access == Access::Read;
    if !is_read_only || tile.padding.unwrap_or(0) != 0 {
        return None;
    }
    let layout = kernel.ty(op.results[0]).layout()?;
    let mut stores = Vec::new();
    for &user in uses.values.get(&op.results[0])? {
        let OpKind::StoreShared(buffer) = kernel.op(user).kind else {
            return None;
        };
        if !kernel.block(body).ops.contains(&user) || !is_private(kernel, body, user, buffer, uses)
        {
            return None;
        }
        let memory = kernel.layout(kernel.buffer(buffer).layout?);
        let copied = tile.for_copy(kernel.layout(layout), memory)?;
        let copy = AsyncCopy {
            tile: copied,
            buffer,
            layout,
            is_ahead: false,
        };
        stores.push((user, copy));
    }
    let mut slice = Vec::new();
    let is_computable = op
        .args
        .iter()
        .all(|&arg| scope.slice(kernel, arg, &mut slice));
    is_computable.then_some(Candidate {
        load,
        stores,
        slice,
    })
}

/// Whether the buffer is stored to by `store` alone, and read after it in the same iteration.
fn is_private(kernel: &Kernel, body: BlockId, store: OpId, buffer: BufferId, uses: &Uses) -> bool {
    let ops = &kernel.block(body).ops;
    let at = |id: OpId| {
        // The operation of the body that it is, or is inside of.
        ops.iter().position(|&op| {
            op == id || {
                uses.around[&id]
                    .iter()
                    .any(|block| kernel.op(op).blocks.contains(block))
            }
        })
    };
    uses.buffers[&buffer].iter().all(|&user| {
        user == store
            || matches!(
                kernel.op(user).kind,
                OpKind::LoadShared(_) | OpKind::LoadMatrix(_)
            ) && at(user).is_some_and(|read| Some(read) > at(store))
    })
}

//! Mask elision: masks that leave a whole tile unchanged are not computed.
//!
//! Input: a loop with `select(mask, a, b)`, where the mask consists of comparisons of integer tiles that are
//! affine in their coordinates. Output: one comparison of uniform numbers decides whether the mask is needed.
//! It compares the largest element on the left with the smallest on the right:
//!
//! ```text
//!   mask = columns + j * 64 <= rows           if j * 64 + 63 <= smallest row {
//!   kept = select(mask, scores, -inf)           yield scores
//!                                             } else {
//!                                               mask = columns + j * 64 <= rows
//!                                               yield select(mask, scores, -inf)
//!                                             }
//! ```
//!
//! Attention then computes masks only on the diagonal and at the end of the keys. If all elements of `a` are
//! equal and those of `b` are not, the condition is that the mask is false in every element.
//!
//! The operations of the mask move into the branch if nothing else uses them. The mask stays where elision
//! does not pay: outside loops, and where a thread has few elements of the tile.

mod bounds;
mod number;

use crate::gpu::{BlockId, Kernel, OpId, OpKind, Uniformity, ValueId};
use crate::schedule::Refusal;
use bounds::Bounds;
use number::{Place, Truth};
use rustc_hash::{FxHashMap, FxHashSet};
use tile_core::ops::{CoreOp, Opcode};

/// Minimum number of elements of a tile per thread for which its mask is elided.
const MIN_ELEMENTS: usize = 8;

/// Runs the pass.
pub(crate) fn elide_masks(kernel: &mut Kernel) -> Result<(), Refusal> {
    let mut refused = Err(Refusal::Because(
        "no loop has a mask whose elements have known bounds",
    ));
    let bounds = Bounds::analyze(kernel);
    let mut candidates = selects(kernel);
    candidates.retain(|(_, id)| {
        let mask = kernel.op(*id).args[0];
        [true, false]
            .into_iter()
            .any(|wanted| bounds.all_are(mask, wanted).is_some())
    });
    for (block, id) in candidates {
        let Some(candidate) = find_mask(kernel, block, id) else {
            continue;
        };
        refused = Ok(());
        for (select, unless) in candidate.selects {
            branch(kernel, block, select, &candidate.mask, &unless);
        }
        let mask: FxHashSet<OpId> = candidate.mask.into_iter().collect();
        kernel.block_mut(block).ops.retain(|op| !mask.contains(op));
    }
    refused
}

/// A mask that can be elided.
struct Found {
    /// The operations that serve only to compute the mask, in order.
    mask: Vec<OpId>,
    /// The selections by the mask.
    selects: Vec<(OpId, Unless)>,
}

/// A condition under which a mask is not needed.
struct Unless {
    truth: Truth,
    /// The selected value if the condition holds.
    kept: ValueId,
}

/// Returns the selections in loops, each with its block.
fn selects(kernel: &Kernel) -> Vec<(BlockId, OpId)> {
    fn visit(
        kernel: &Kernel,
        block: BlockId,
        is_in_loop: bool,
        selects: &mut Vec<(BlockId, OpId)>,
    ) {
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            if is_in_loop && is_select(kernel, id) {
                selects.push((block, id));
            }
            let is_loop = matches!(op.kind, OpKind::For { .. } | OpKind::Loop);
            if is_loop || matches!(op.kind, OpKind::If) {
                for &inner in &op.blocks {
                    visit(kernel, inner, is_in_loop || is_loop, selects);
                }
            }
        }
    }
    let mut selects = Vec::new();
    visit(kernel, kernel.body(), false, &mut selects);
    selects
}

/// Returns `true` if an operation selects element by element, and a thread has enough elements.
fn is_select(kernel: &Kernel, id: OpId) -> bool {
    let op = kernel.op(id);
    let OpKind::Compute(element) = &op.kind else {
        return false;
    };
    let layout = kernel.ty(op.results[0]).layout();
    element.opcode == Opcode::Core(CoreOp::Select)
        && kernel.ty(op.args[0]).layout().is_some()
        && layout.is_some_and(|layout| kernel.layout(layout).num_registers() >= MIN_ELEMENTS)
}

/// Returns the mask of a selection, if it can be elided, with all selections by this mask.
fn find_mask(kernel: &Kernel, block: BlockId, id: OpId) -> Option<Found> {
    let ops = &kernel.block(block).ops;
    let mask = kernel.op(id).args[0];
    let users = users(kernel);
    let of_mask = users.get(&mask)?;
    // The mask has moved together with an earlier selection.
    if !ops.contains(&id) || !of_mask.iter().all(|user| ops.contains(user)) {
        return None;
    }
    let bounds = Bounds::analyze(kernel);
    let uniformity = Uniformity::analyze(kernel);
    let mut selects = Vec::new();
    for &user in of_mask {
        let op = kernel.op(user);
        if !is_select(kernel, user) || op.args[1..].contains(&mask) {
            return None;
        }
        let [if_true, if_false] = [op.args[1], op.args[2]];
        // Prefer the condition that keeps the tile whose elements differ.
        let is_same = |value| bounds.is_splat(value);
        let ways = if is_same(if_true) && !is_same(if_false) {
            [(false, if_false), (true, if_true)]
        } else {
            [(true, if_true), (false, if_false)]
        };
        let way = |(wanted, kept)| Some((bounds.all_are(mask, wanted)?, kept));
        let (truth, kept) = ways.into_iter().find_map(way)?;
        let layout = kernel.layout_of(op.results[0]);
        let mut values = Vec::new();
        truth.values(&mut values);
        // The condition must cost less than the mask. It decides a branch, so it must be the same in every
        // thread.
        if truth.operations() > 2 * layout.num_registers()
            || values.iter().any(|&value| uniformity.may_differ(value))
        {
            return None;
        }
        selects.push((user, Unless { truth, kept }));
    }
    // Operations are visited backwards, so that an operation is moved only after all of its users.
    let mut moved: FxHashSet<OpId> = of_mask.iter().copied().collect();
    let selected = |value: &ValueId| {
        let mut selects = selects.iter();
        selects.any(|(select, _)| kernel.op(*select).args[1..].contains(value))
    };
    let mut mask = Vec::new();
    for &id in ops.iter().rev() {
        let op = kernel.op(id);
        let &[result] = &op.results[..] else {
            continue;
        };
        // Uniform numbers stay before the branch: the condition uses them.
        let is_tile = kernel.ty(result).layout().is_some();
        let used_by = users.get(&result).map_or(&[][..], Vec::as_slice);
        let is_for_mask = !used_by.is_empty() && used_by.iter().all(|user| moved.contains(user));
        if is_of_masks(&op.kind) && is_tile && is_for_mask && !selected(&result) {
            moved.insert(id);
            mask.push(id);
        }
    }
    mask.reverse();
    (!mask.is_empty()).then_some(Found { mask, selects })
}

/// Returns the users of each value, among the operations that are in a block.
fn users(kernel: &Kernel) -> FxHashMap<ValueId, Vec<OpId>> {
    fn visit(kernel: &Kernel, block: BlockId, users: &mut FxHashMap<ValueId, Vec<OpId>>) {
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            for &arg in &op.args {
                let users = users.entry(arg).or_default();
                if users.last() != Some(&id) {
                    users.push(id);
                }
            }
            for &inner in &op.blocks {
                visit(kernel, inner, users);
            }
        }
    }
    let mut users = FxHashMap::default();
    visit(kernel, kernel.body(), &mut users);
    users
}

/// Returns `true` for the kinds of operations that compute masks.
fn is_of_masks(kind: &OpKind) -> bool {
    matches!(
        kind,
        OpKind::Constant(_)
            | OpKind::Splat
            | OpKind::Coordinate(_)
            | OpKind::Compute(_)
            | OpKind::PermuteRegisters(_)
    )
}

/// Moves the selection `select` of `block`, with a copy of the operations of its mask, into a branch.
fn branch(kernel: &mut Kernel, block: BlockId, select: OpId, mask: &[OpId], unless: &Unless) {
    let index = kernel.block(block).ops.iter().position(|&op| op == select);
    let index = index.expect("it is in its block");
    let op = kernel.op(select).clone();
    let ty = kernel.ty(op.results[0]);
    let all_users: Vec<OpId> = kernel.op_ids().collect();

    let (plain, masked) = (kernel.add_block(), kernel.add_block());
    kernel.push(plain, OpKind::Yield, &[unless.kept], &[], &[], op.loc);
    let mut names: FxHashMap<ValueId, ValueId> = FxHashMap::default();
    for &id in mask.iter().chain([&select]) {
        let op = kernel.op(id).clone();
        let args: Vec<ValueId> = op
            .args
            .iter()
            .map(|arg| names.get(arg).copied().unwrap_or(*arg))
            .collect();
        let ty = kernel.ty(op.results[0]);
        let copy = kernel.push(masked, op.kind, &args, &[ty], &[], op.loc);
        names.insert(op.results[0], kernel.op(copy).results[0]);
    }
    let selected = names[&op.results[0]];
    kernel.push(masked, OpKind::Yield, &[selected], &[], &[], op.loc);

    let mut place = Place {
        kernel,
        block,
        index,
        loc: op.loc,
    };
    let condition = place.truth(&unless.truth);
    let result = place.push(OpKind::If, &[condition], ty, &[plain, masked]);
    // Only the users from before the rewrite are updated: the copies in the branch already have their
    // operands.
    for user in all_users {
        for arg in &mut kernel.op_mut(user).args {
            if *arg == op.results[0] {
                *arg = result;
            }
        }
    }
    kernel.block_mut(block).ops.retain(|&op| op != select);
}

//! `loop-split`: splits a `for` with an `if` on its induction variable into two loops without the
//! `if`.
//!
//! In `for %i in (lb to ub, step s)` an `if` on `%i < r` (or `<=`, `>`, `>=`, or with the induction
//! variable on the right) takes one branch below a split point `p` and the other branch from `p`
//! on:
//!
//! ```text
//! for i in [lb, ub)  { A; if i < p { B } else { C }; D }
//! =
//! for i in [lb, min(p, ub)) { A; B; D }; for i in [max(p, lb), ub) { A; C; D }
//! ```
//!
//! where carried values pass from the first loop to the second. `p` is `r`, or `r + 1` for `<=` and
//! `>`. With a step other than 1, the second loop starts at the first value of the induction
//! variable that is at least `p`: `lb + ceildiv(p - lb, s) * s`.
//!
//! The public project computes exactly these bounds, with wrapping arithmetic. Where overflow
//! cannot be ruled out, this pass emits other code, which cannot overflow. In that code, `r` is
//! first limited to `ub - 1`, and the start of the second loop is computed as a distance from `lb`.

use super::arithmetic::Arithmetic;
use crate::ir::{BlockId, ComparisonPredicate, OpId, RoundingMode, Signedness, ValueId};
use crate::ops::{ControlFlowOp, CoreOp, FloatOp, IntegerOp, MemoryOp, Opcode, ViewOp};
use crate::pass::Trace;
use crate::rewrite::{Mapping, Rewriter};
use crate::types::Scalar;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Options of the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopSplit {
    /// The number of operations in a branch that makes splitting worthwhile: 1 means always, 0
    /// means never. The attribute `cuda_tile.loop_split` of the `if`, the `for` or the entry
    /// overrides the option; the innermost attribute takes precedence.
    pub threshold: u32,
}

/// Splits each loop once, inner loops first.
pub(crate) fn loop_split(rewriter: &mut Rewriter, options: LoopSplit, trace: &mut Trace) {
    let mut ops = Vec::new();
    post_order(rewriter, rewriter.module().body(), &mut ops);
    for id in ops {
        if rewriter.op(id).opcode != Opcode::ControlFlow(ControlFlowOp::For) {
            continue;
        }
        if let Some(split) = find(rewriter, id, options) {
            trace.note("loop_split", rewriter.op(id).loc);
            perform(rewriter, id, &split);
        }
    }
}

/// Appends every operation in `block`, each after those of its regions.
fn post_order(rewriter: &Rewriter, block: BlockId, ops: &mut Vec<OpId>) {
    for op in rewriter.ops(block) {
        for inner in rewriter.blocks(op) {
            post_order(rewriter, inner, ops);
        }
        ops.push(op);
    }
}

/// The decision where and how to split.
#[derive(Debug)]
struct Split {
    comparison: OpId,
    /// The predicate, with the induction variable on the left.
    predicate: ComparisonPredicate,
    /// The right operand of the comparison.
    bound: ValueId,
    /// The `if`s directly in the loop whose condition is the comparison.
    branches: FxHashSet<OpId>,
    /// True if the comparison has other uses.
    is_used_otherwise: bool,
}

/// Returns the split at the first suitable `if`.
fn find(rewriter: &Rewriter, id: OpId, options: LoopSplit) -> Option<Split> {
    let body = rewriter.region_block(id, 0)?;
    let mut inside = Vec::new();
    post_order(rewriter, body, &mut inside);
    inside.into_iter().find_map(|inner| {
        let is_if = rewriter.op(inner).opcode == Opcode::ControlFlow(ControlFlowOp::If);
        let threshold = threshold(rewriter, inner, id, options);
        (is_if && threshold > 0)
            .then(|| split_at(rewriter, id, inner, threshold))
            .flatten()
    })
}

fn split_at(rewriter: &Rewriter, id: OpId, branch: OpId, threshold: u32) -> Option<Split> {
    let body = rewriter.region_block(id, 0)?;
    let counter = rewriter.block(body).args[0];
    let comparison = rewriter.comparison(rewriter.op(branch).operands[0])?;
    let op = rewriter.op(comparison);
    if op.signedness() != signedness(rewriter, id) || rewriter.block_of(comparison) != body {
        return None;
    }
    let (predicate, bound) = if op.operands[0] == counter {
        (op.predicate(), op.operands[1])
    } else if op.operands[1] == counter {
        (mirrored(op.predicate()), op.operands[0])
    } else {
        return None;
    };
    let is_order = !matches!(
        predicate,
        ComparisonPredicate::Equal | ComparisonPredicate::NotEqual
    );
    let is_outside = !encloses(rewriter, body, rewriter.defining_block(bound));
    if !is_order || !is_outside {
        return None;
    }
    let mut split = Split {
        comparison,
        predicate,
        bound,
        branches: FxHashSet::default(),
        is_used_otherwise: false,
    };
    let mut is_split_profitable = false;
    for (user, _) in rewriter.uses(op.result()) {
        let is_if = rewriter.op(user).opcode == Opcode::ControlFlow(ControlFlowOp::If);
        is_split_profitable |= is_if && is_profitable(rewriter, user, threshold);
        if is_if && rewriter.block_of(user) == body {
            split.branches.insert(user);
        } else {
            split.is_used_otherwise = true;
        }
    }
    is_split_profitable.then_some(split)
}

/// Returns `true` if `inner` is `outer` or nested in it.
fn encloses(rewriter: &Rewriter, outer: BlockId, inner: BlockId) -> bool {
    let parent = |&block: &BlockId| {
        let op = rewriter.module().parent_op_of_block(block)?;
        rewriter.op(op).parent
    };
    std::iter::successors(Some(inner), parent).any(|block| block == outer)
}

fn signedness(rewriter: &Rewriter, id: OpId) -> Signedness {
    if rewriter.op(id).has_flag("unsignedCmp") {
        Signedness::Unsigned
    } else {
        Signedness::Signed
    }
}

/// Returns the predicate that holds for `b` and `a` where `predicate` holds for `a` and `b`.
fn mirrored(predicate: ComparisonPredicate) -> ComparisonPredicate {
    match predicate {
        ComparisonPredicate::LessThan => ComparisonPredicate::GreaterThan,
        ComparisonPredicate::LessThanOrEqual => ComparisonPredicate::GreaterThanOrEqual,
        ComparisonPredicate::GreaterThan => ComparisonPredicate::LessThan,
        ComparisonPredicate::GreaterThanOrEqual => ComparisonPredicate::LessThanOrEqual,
        ComparisonPredicate::Equal | ComparisonPredicate::NotEqual => predicate,
    }
}

/// Returns the threshold of an `if` in a `for`.
fn threshold(rewriter: &Rewriter, branch: OpId, id: OpId, options: LoopSplit) -> u32 {
    let mut outermost = id;
    while let Some(parent) = rewriter.parent_op(outermost) {
        outermost = parent;
    }
    let stated = |op: OpId| {
        let attrs = &rewriter.op(op).discardable;
        let attr = attrs
            .iter()
            .find(|attr| attr.name == "cuda_tile.loop_split")?;
        let value = attr.value.as_ref()?;
        value.split(':').next()?.trim().parse().ok()
    };
    let stated = [branch, id, outermost].into_iter().find_map(stated);
    stated.unwrap_or(options.threshold)
}

/// Returns `true` if a branch has enough operations, or an expensive one.
fn is_profitable(rewriter: &Rewriter, branch: OpId, threshold: u32) -> bool {
    if threshold == 1 {
        return true;
    }
    rewriter.blocks(branch).any(|block| {
        let is_heavy = |op: OpId| {
            matches!(
                rewriter.op(op).opcode,
                Opcode::Memory(MemoryOp::LoadPtrTko | MemoryOp::StorePtrTko)
                    | Opcode::View(ViewOp::LoadViewTko | ViewOp::StoreViewTko)
                    | Opcode::Float(FloatOp::MmaF)
                    | Opcode::Integer(IntegerOp::MmaI)
                    | Opcode::Core(CoreOp::Reduce)
                    | Opcode::ControlFlow(ControlFlowOp::If | ControlFlowOp::For)
            )
        };
        // The terminator is not counted.
        rewriter.ops(block).count() > threshold as usize || rewriter.ops(block).any(is_heavy)
    })
}

/// The bounds of both loops.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    first_upper: ValueId,
    second_lower: ValueId,
}

fn perform(rewriter: &mut Rewriter, id: OpId, split: &Split) {
    let op = rewriter.op(id);
    let [lower, upper] = [op.operands[0], op.operands[1]];
    let inits: SmallVec<[ValueId; 4]> = op.operands_of("initValues").iter().copied().collect();
    let is_then_first = matches!(
        split.predicate,
        ComparisonPredicate::LessThan | ComparisonPredicate::LessThanOrEqual
    );
    let bounds = bounds(rewriter, id, split);
    let first = copy(
        rewriter,
        id,
        split,
        [lower, bounds.first_upper],
        &inits,
        is_then_first,
    );
    let carried: SmallVec<[ValueId; 4]> = rewriter.op(first).results.iter().copied().collect();
    let second = copy(
        rewriter,
        id,
        split,
        [bounds.second_lower, upper],
        &carried,
        !is_then_first,
    );
    let results: SmallVec<[ValueId; 4]> = rewriter.op(second).results.iter().copied().collect();
    rewriter.replace(id, &results);
}

/// Makes the bounds before the loop.
fn bounds(rewriter: &mut Rewriter, id: OpId, split: &Split) -> Bounds {
    let op = rewriter.op(id);
    let [lower, upper, step] = [op.operands[0], op.operands[1], op.operands[2]];
    let (loc, signedness) = (op.loc, signedness(rewriter, id));
    let exact = Exact::from_loop(rewriter, id, split, signedness);
    let is_after = matches!(
        split.predicate,
        ComparisonPredicate::LessThanOrEqual | ComparisonPredicate::GreaterThan
    );
    let (scalar, _) = rewriter
        .ty(step)
        .as_number_tile()
        .expect("bounds are integers");
    let is_unit = rewriter.is_one(step);
    rewriter.build_before(id, |builder| {
        let mut make = Arithmetic {
            builder,
            scalar,
            loc,
        };
        let mut point = split.bound;
        if is_after {
            let one = make.constant(1);
            if !exact.successor {
                let last = make.wrapping(IntegerOp::SubI, upper, one);
                point = make.signed(IntegerOp::MinI, point, last, signedness);
            }
            point = make.wrapping(IntegerOp::AddI, point, one);
        }
        if is_unit || exact.alignment {
            if !is_unit {
                let distance = make.wrapping(IntegerOp::SubI, point, lower);
                let trips = make.divi(distance, step, signedness, RoundingMode::PositiveInf);
                let whole = make.wrapping(IntegerOp::MulI, trips, step);
                point = make.wrapping(IntegerOp::AddI, lower, whole);
            }
            return Bounds {
                first_upper: make.signed(IntegerOp::MinI, point, upper, signedness),
                second_lower: make.signed(IntegerOp::MaxI, point, lower, signedness),
            };
        }
        // Establish lower <= point <= end, so that distances are not negative.
        let end = make.signed(IntegerOp::MaxI, upper, lower, signedness);
        let point = make.signed(IntegerOp::MaxI, point, lower, signedness);
        let point = make.signed(IntegerOp::MinI, point, end, signedness);
        let distance = make.wrapping(IntegerOp::SubI, point, lower);
        let past = make.signed(IntegerOp::RemI, distance, step, Signedness::Unsigned);
        let missing = make.wrapping(IntegerOp::SubI, step, past);
        let zero = make.constant(0);
        let is_whole = make.is_equal(past, zero);
        let missing = make.select(is_whole, zero, missing);
        let rest = make.wrapping(IntegerOp::SubI, end, point);
        let missing = make.signed(IntegerOp::MinI, missing, rest, Signedness::Unsigned);
        Bounds {
            first_upper: point,
            second_lower: make.wrapping(IntegerOp::AddI, point, missing),
        }
    })
}

/// The computations that are known not to overflow.
#[derive(Clone, Copy, Debug)]
struct Exact {
    /// The successor of the bound of the comparison.
    successor: bool,
    /// The start of the second loop.
    alignment: bool,
}

impl Exact {
    fn from_loop(rewriter: &Rewriter, id: OpId, split: &Split, signedness: Signedness) -> Self {
        let number = |value| number(rewriter, value, signedness);
        let op = rewriter.op(id);
        let (lower, step) = (number(op.operands[0]), number(op.operands[2]));
        let bound = number(split.bound);
        let Some((scalar, _)) = rewriter.ty(op.operands[0]).as_number_tile() else {
            return Self {
                successor: false,
                alignment: false,
            };
        };
        let bits = scalar.bits();
        let (least, most) = match signedness {
            Signedness::Signed => (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1),
            Signedness::Unsigned => (0, (1_i128 << bits) - 1),
        };
        let is_number = |value: i128| (least..=most).contains(&value);
        let is_after = matches!(
            split.predicate,
            ComparisonPredicate::LessThanOrEqual | ComparisonPredicate::GreaterThan
        );
        let successor = bound.is_some_and(|bound| bound < most);
        let alignment = match (lower, step, bound) {
            (Some(lower), Some(step), Some(bound)) if step > 0 => {
                let point = bound + i128::from(is_after);
                let distance = point - lower;
                // Divide with rounding up; the dividend may be negative.
                let trips = -((-distance).div_euclid(step));
                is_number(distance)
                    && is_number(trips * step)
                    && is_number(lower + trips * step)
                    && signedness == Signedness::Signed
            }
            _ => false,
        };
        Self {
            successor,
            alignment,
        }
    }
}

/// Returns the value of an integer constant, read as `signedness` says.
fn number(rewriter: &Rewriter, value: ValueId, signedness: Signedness) -> Option<i128> {
    let (scalar, bits) = rewriter.splat_integer(value)?;
    let unsigned = i128::from(bits);
    let is_negative = signedness == Signedness::Signed && bits >> (scalar.bits() - 1) & 1 == 1;
    Some(if is_negative {
        unsigned - (1 << scalar.bits())
    } else {
        unsigned
    })
}

/// Inserts a copy of the loop before the loop. In the copy, the result of the comparison is known.
fn copy(
    rewriter: &mut Rewriter,
    id: OpId,
    split: &Split,
    [lower, upper]: [ValueId; 2],
    inits: &[ValueId],
    outcome: bool,
) -> OpId {
    let op = rewriter.op(id);
    let (loc, step, is_unsigned) = (op.loc, op.operands[2], op.has_flag("unsignedCmp"));
    let discardable = op.discardable.clone();
    let types: SmallVec<[_; 4]> = op
        .results
        .iter()
        .map(|&result| rewriter.ty(result))
        .collect();
    let new_loop = rewriter.build_before(id, |builder| {
        builder
            .op(ControlFlowOp::For, loc)
            .args(&[lower, upper, step])
            .operands("initValues", inits)
            .flag("unsignedCmp", is_unsigned)
            .results(&types)
            .finish()
    });
    rewriter.op_mut(new_loop).discardable = discardable;
    let mut mapping = Mapping::default();
    let from = rewriter.region_block(id, 0).expect("a loop has a body");
    let block = rewriter.copy_signature(from, new_loop, &mut mapping);
    let mut next = rewriter.first(from);
    while let Some(inner) = next {
        next = rewriter.next(inner);
        if inner == split.comparison {
            if split.is_used_otherwise {
                let loc = rewriter.op(inner).loc;
                let constant = rewriter.build_at_end(block, |builder| {
                    builder.splat(Scalar::I1, u64::from(outcome), &[], loc)
                });
                mapping.insert(rewriter.op(inner).result(), constant);
            }
        } else if split.branches.contains(&inner) {
            if copy_branch(rewriter, inner, block, outcome, &mut mapping) {
                break;
            }
        } else {
            rewriter.clone_to_end(inner, block, &mut mapping);
        }
    }
    new_loop
}

/// Copies one branch of an `if`. Returns `true` if it leaves the body.
fn copy_branch(
    rewriter: &mut Rewriter,
    branch: OpId,
    block: BlockId,
    outcome: bool,
    mapping: &mut Mapping,
) -> bool {
    let Some(from) = rewriter.region_block(branch, usize::from(!outcome)) else {
        return false;
    };
    let mut next = rewriter.first(from);
    while let Some(inner) = next {
        next = rewriter.next(inner);
        if rewriter.is_exit(inner) {
            rewriter.clone_to_end(inner, block, mapping);
            return true;
        }
        if next.is_some() {
            rewriter.clone_to_end(inner, block, mapping);
            continue;
        }
        let results = rewriter.op(branch).results.clone();
        let yielded = rewriter.op(inner).operands.clone();
        for (&result, &value) in results.iter().zip(&yielded) {
            let value = mapping.get(value);
            mapping.insert(result, value);
        }
    }
    false
}

//! Rules for chains of `select`, and for `select`s that compute another operation.
//!
//! The rules that the greedy driver has for a single `select` are not repeated here.

use super::build::signed;
use super::{Rule, Simplifier, rules};
use crate::ir::{ComparisonPredicate, OpId, Signedness, ValueId};
use crate::ops::{BitwiseOp, ConversionOp, CoreOp, IntegerOp};

pub(super) const RULES: &[Rule] = rules![
    select_to_and,
    select_to_or,
    select_chain_or,
    select_chain_and,
    select_to_extreme,
    select_extended,
];

fn arms(cx: &Simplifier<'_>, id: OpId) -> [ValueId; 3] {
    let op = cx.rewriter.op(id);
    [op.operands[0], op.operands[1], op.operands[2]]
}

/// Returns the operands of the `select` that defines `value`, if it has no other use.
fn nested(cx: &Simplifier<'_>, value: ValueId) -> Option<[ValueId; 3]> {
    let inner = cx.rewriter.defined_by(value, CoreOp::Select)?;
    cx.has_one_use(value).then(|| arms(cx, inner))
}

/// `select c, x, false = c & x`; `select c, x, c = c & x`
fn select_to_and(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let [cond, then, otherwise] = arms(cx, id);
    let is_false = otherwise == cond || cx.rewriter.constant_bool(otherwise) == Some(false);
    is_false.then(|| cx.apply(id, BitwiseOp::AndI, &[cond, then]))
}

/// `select c, true, x = c | x`; `select c, c, x = c | x`
fn select_to_or(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let [cond, then, otherwise] = arms(cx, id);
    let is_true = then == cond || cx.rewriter.constant_bool(then) == Some(true);
    is_true.then(|| cx.apply(id, BitwiseOp::OrI, &[cond, otherwise]))
}

/// `select c, a, (select d, a, b) = select (c | d), a, b`, if the inner one has no other use
fn select_chain_or(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let [cond, then, otherwise] = arms(cx, id);
    let [inner, same, rest] = nested(cx, otherwise)?;
    (same == then).then(|| {
        let either = cx.apply(id, BitwiseOp::OrI, &[cond, inner]);
        choose(cx, id, [either, then, rest])
    })
}

/// `select c, (select d, a, b), b = select (c & d), a, b`, if the inner one has no other use
fn select_chain_and(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let [cond, then, otherwise] = arms(cx, id);
    let [inner, first, same] = nested(cx, then)?;
    (same == otherwise).then(|| {
        let both = cx.apply(id, BitwiseOp::AndI, &[cond, inner]);
        choose(cx, id, [both, first, otherwise])
    })
}

fn choose(cx: &mut Simplifier<'_>, id: OpId, args: [ValueId; 3]) -> ValueId {
    let ty = cx.result_ty(id);
    cx.make(id, CoreOp::Select, &args, &[], ty)
}

/// `select (a < b), a, b = min(a, b)`; `select (a < b), b, a = max(a, b)`; likewise for the other
/// predicates. The comparison may have a constant `c` where the arm has `c - 1`, since `a < c` is
/// `a <= c - 1`; for `>` it is `c + 1`.
fn select_to_extreme(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let [cond, then, otherwise] = arms(cx, id);
    let comparison = cx.rewriter.defined_by(cond, IntegerOp::CmpI)?;
    let (lhs, rhs) = cx.args(comparison);
    let op = cx.rewriter.op(comparison);
    let signedness = op.signedness();
    let is_less = match op.predicate() {
        ComparisonPredicate::LessThan | ComparisonPredicate::LessThanOrEqual => true,
        ComparisonPredicate::GreaterThan | ComparisonPredicate::GreaterThanOrEqual => false,
        ComparisonPredicate::Equal | ComparisonPredicate::NotEqual => return None,
    };
    let (other, is_left) = if then == lhs {
        (otherwise, true)
    } else if otherwise == lhs {
        (then, false)
    } else {
        return None;
    };
    let is_bound =
        other == rhs || is_next(cx, op.predicate(), signedness, rhs, other).unwrap_or(false);
    let kind = if is_less == is_left {
        IntegerOp::MinI
    } else {
        IntegerOp::MaxI
    };
    is_bound.then(|| cx.apply_signed(id, kind, [lhs, other], signedness))
}

/// Returns `true` if `other` is the constant next to the bound of a strict comparison.
fn is_next(
    cx: &Simplifier<'_>,
    predicate: ComparisonPredicate,
    signedness: Signedness,
    bound: ValueId,
    other: ValueId,
) -> Option<bool> {
    if cx.rewriter.ty(bound) != cx.rewriter.ty(other) {
        return None;
    }
    let width = cx.width(bound);
    let (bound, other) = (cx.number(bound)?, cx.number(other)?);
    let order = |bits| match signedness {
        Signedness::Signed => i128::from(signed(width, bits)),
        Signedness::Unsigned => i128::from(bits),
    };
    match predicate {
        ComparisonPredicate::LessThan => Some(order(other) == order(bound) - 1),
        ComparisonPredicate::GreaterThan => Some(order(other) == order(bound) + 1),
        _ => None,
    }
}

/// `select c, (ext x), (ext y) = ext (select c, x, y)`, if the extensions have no other use
fn select_extended(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let [cond, then, otherwise] = arms(cx, id);
    let (first, second) = (
        cx.source(then, ConversionOp::ExtI)?,
        cx.source(otherwise, ConversionOp::ExtI)?,
    );
    let signedness = cx.definition(then)?.signedness();
    let is_same = cx.rewriter.ty(first) == cx.rewriter.ty(second)
        && cx.definition(otherwise)?.signedness() == signedness;
    if !is_same || !cx.has_one_use(then) || !cx.has_one_use(otherwise) {
        return None;
    }
    let ty = cx.rewriter.ty(first);
    let chosen = cx.make(id, CoreOp::Select, &[cond, first, second], &[], ty);
    let ty = cx.result_ty(id);
    Some(cx.extend(id, chosen, signedness, ty))
}

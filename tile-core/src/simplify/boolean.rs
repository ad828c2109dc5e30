//! Rules for conjunctions, disjunctions and negation.
//!
//! Nested `andi`s, or nested `ori`s, are viewed as a list of terms, whose order and grouping do not
//! matter. The rules hold bit by bit, so they apply to wide integers as to `i1`; `~x` is
//! `xori x, -1`.

use super::bits::bitwise;
use super::build::mask;
use super::{Rule, Simplifier, rules};
use crate::ir::{Attr, ComparisonOrdering, ComparisonPredicate, OpId, ValueId};
use crate::ops::{BitwiseOp, FloatOp, IntegerOp};
use crate::types::Scalar;
use smallvec::SmallVec;

pub(super) const AND: &[Rule] = rules![
    duplicate_term,
    contradiction,
    absorbed_term,
    shared_term,
    complement_in_term,
    de_morgan,
];
pub(super) const OR: &[Rule] = rules![
    duplicate_term,
    contradiction,
    absorbed_term,
    shared_term,
    complement_in_term,
    de_morgan,
];
pub(super) const XOR: &[Rule] = rules![not_comparison, not_float_comparison];

/// The maximum number of terms of an operand that are examined.
const MAX_TERMS: usize = 16;

/// Returns the terms of `value` that `opcode` joins.
pub(super) fn terms(
    cx: &Simplifier<'_>,
    value: ValueId,
    opcode: BitwiseOp,
) -> SmallVec<[ValueId; 8]> {
    let mut terms: SmallVec<[ValueId; 8]> = SmallVec::new();
    let mut open: SmallVec<[ValueId; 8]> = SmallVec::from_slice(&[value]);
    while let Some(value) = open.pop() {
        match cx.pair(value, opcode) {
            Some((lhs, rhs)) if terms.len() + open.len() + 2 <= MAX_TERMS => {
                open.extend([rhs, lhs]);
            }
            _ => terms.push(value),
        }
    }
    terms
}

fn kind(cx: &Simplifier<'_>, id: OpId) -> BitwiseOp {
    bitwise(cx.rewriter.op(id).opcode).expect("these are rules of bitwise operations")
}

/// Returns `ori` for `andi`, and `andi` for `ori`.
fn dual(kind: BitwiseOp) -> BitwiseOp {
    match kind {
        BitwiseOp::AndI => BitwiseOp::OrI,
        BitwiseOp::OrI | BitwiseOp::XorI => BitwiseOp::AndI,
    }
}

/// `(x & y & z) & y = x & y & z`; likewise for `|`
fn duplicate_term(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let opcode = kind(cx, id);
    let (left, right) = (terms(cx, lhs, opcode), terms(cx, rhs, opcode));
    if right.iter().all(|term| left.contains(term)) {
        return Some(lhs);
    }
    left.iter().all(|term| right.contains(term)).then_some(rhs)
}

/// `(x & y) & ~y = 0`; `(x | y) | ~y = -1`
fn contradiction(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let opcode = kind(cx, id);
    let (left, right) = (terms(cx, lhs, opcode), terms(cx, rhs, opcode));
    let mut others = left
        .iter()
        .flat_map(|&a| right.iter().map(move |&b| (a, b)));
    if !others.any(|(a, b)| cx.is_complement(a, b)) {
        return None;
    }
    let bits = match opcode {
        BitwiseOp::AndI => 0,
        BitwiseOp::OrI | BitwiseOp::XorI => mask(cx.width(lhs)),
    };
    Some(cx.like(id, lhs, bits))
}

/// `x & (x | y) = x`; `x | (x & y) = x`
fn absorbed_term(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let opcode = kind(cx, id);
    let absorbs = |outer, inner| {
        let (a, b) = cx.pair(inner, dual(opcode))?;
        let outer = terms(cx, outer, opcode);
        (outer.contains(&a) || outer.contains(&b)).then_some(())
    };
    if absorbs(lhs, rhs).is_some() {
        return Some(lhs);
    }
    absorbs(rhs, lhs).map(|()| rhs)
}

/// `(x & y) & (x & z) = (x & y) & z`; likewise for `|`
fn shared_term(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let opcode = kind(cx, id);
    let rest = |outer, inner| {
        let (a, b) = cx.pair(inner, opcode)?;
        let outer = terms(cx, outer, opcode);
        match (outer.contains(&a), outer.contains(&b)) {
            (true, false) => Some(b),
            (false, true) => Some(a),
            _ => None,
        }
    };
    if let Some(term) = rest(lhs, rhs) {
        return Some(cx.apply(id, opcode, &[lhs, term]));
    }
    let term = rest(rhs, lhs)?;
    Some(cx.apply(id, opcode, &[term, rhs]))
}

/// `x & (~x | y) = x & y`; `x | (~x & y) = x | y`
fn complement_in_term(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let opcode = kind(cx, id);
    let rest = |outer, inner| {
        let (a, b) = cx.pair(inner, dual(opcode))?;
        if cx.is_complement(outer, a) {
            return Some(b);
        }
        cx.is_complement(outer, b).then_some(a)
    };
    if let Some(term) = rest(lhs, rhs) {
        return Some(cx.apply(id, opcode, &[lhs, term]));
    }
    let term = rest(rhs, lhs)?;
    Some(cx.apply(id, opcode, &[term, rhs]))
}

/// `~x & ~y = ~(x | y)`; `~x | ~y = ~(x & y)`; if the complements have no other use
fn de_morgan(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let (left, right) = (cx.complemented(lhs)?, cx.complemented(rhs)?);
    if !cx.has_one_use(lhs) || !cx.has_one_use(rhs) {
        return None;
    }
    let opcode = dual(kind(cx, id));
    let joined = cx.apply(id, opcode, &[left, right]);
    Some(cx.complement(id, joined))
}

/// `!(a < b) = a >= b`, for integers, if the comparison has no other use
fn not_comparison(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let inner = negated(cx, id)?;
    let comparison = cx.rewriter.defined_by(inner, IntegerOp::CmpI)?;
    let op = cx.rewriter.op(comparison);
    let (predicate, signedness) = (inverted(op.predicate()), op.signedness());
    let (lhs, rhs) = cx.args(comparison);
    Some(cx.compare(id, predicate, [lhs, rhs], signedness))
}

/// `!(a < b ordered) = a >= b unordered`, for floats; the ordering changes so that a NaN gives the
/// same result
fn not_float_comparison(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let inner = negated(cx, id)?;
    let comparison = cx.rewriter.defined_by(inner, FloatOp::CmpF)?;
    let op = cx.rewriter.op(comparison);
    let ordering = match op.comparison_ordering() {
        ComparisonOrdering::Ordered => ComparisonOrdering::Unordered,
        ComparisonOrdering::Unordered => ComparisonOrdering::Ordered,
    };
    let attrs = [
        (
            "comparison_predicate",
            Attr::Predicate(inverted(op.predicate())),
        ),
        ("comparison_ordering", Attr::Ordering(ordering)),
    ];
    let (lhs, rhs) = cx.args(comparison);
    let ty = cx.result_ty(id);
    Some(cx.make(id, FloatOp::CmpF, &[lhs, rhs], &attrs, ty))
}

/// Returns `c` if `id` is `xori c, true` and the only user of `c`.
fn negated(cx: &Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let is_negation = cx.number(rhs)? == 1 && cx.scalar(lhs) == Scalar::I1;
    (is_negation && cx.has_one_use(lhs)).then_some(lhs)
}

/// Returns the predicate that holds exactly where `predicate` does not.
pub(super) fn inverted(predicate: ComparisonPredicate) -> ComparisonPredicate {
    match predicate {
        ComparisonPredicate::Equal => ComparisonPredicate::NotEqual,
        ComparisonPredicate::NotEqual => ComparisonPredicate::Equal,
        ComparisonPredicate::LessThan => ComparisonPredicate::GreaterThanOrEqual,
        ComparisonPredicate::LessThanOrEqual => ComparisonPredicate::GreaterThan,
        ComparisonPredicate::GreaterThan => ComparisonPredicate::LessThanOrEqual,
        ComparisonPredicate::GreaterThanOrEqual => ComparisonPredicate::LessThan,
    }
}

//! Rules for sums, products, negation and extrema.
//!
//! Operations with a constant, including `x - c` and `x << c`, are normalized to `x + c` and
//! `x * c`. Constants can then be combined, equal expressions look equal, and divisibility analysis,
//! which sees through `addi` and `muli`, need not handle the other forms. Code generation turns
//! `x * 2^k` back into a shift.

use super::build::{exponent, mask, signed, wrapped};
use super::{Rule, Simplifier, rules};
use crate::ir::{OpId, Signedness, ValueId};
use crate::ops::{BitwiseOp, IntegerOp, Opcode};

pub(super) const ADD: &[Rule] = rules![
    constant_right,
    add_zero,
    add_constants,
    add_negated,
    add_cancels_sub,
    difference_plus_constant,
];
pub(super) const SUB: &[Rule] = rules![
    sub_same,
    sub_zero,
    sub_constant,
    zero_sub,
    sub_negated,
    sub_cancels_add,
    sub_sub_cancels,
    constant_minus_sum,
    constant_minus_difference,
    sub_masked,
    sub_multiple,
];
pub(super) const MUL: &[Rule] = rules![
    constant_right,
    mul_one,
    mul_minus_one,
    mul_constants,
    shr_then_mul,
];
pub(super) const NEG: &[Rule] = rules![neg_neg, neg_difference];
pub(super) const ABS: &[Rule] = rules![abs_nonnegative, abs_abs, abs_negated];
pub(super) const EXTREME: &[Rule] = rules![
    constant_right,
    extreme_same,
    extreme_ordered,
    extreme_constants,
    extreme_absorbs,
];
pub(super) const MUL_HIGH: &[Rule] = rules![constant_right, mul_high_power];

/// `c OP x = x OP c`, for commutative operations
pub(super) fn constant_right(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    cx.rewriter.constant(lhs)?;
    if cx.rewriter.constant(rhs).is_some() {
        return None;
    }
    let op = cx.rewriter.op(id);
    let (opcode, attrs) = (op.opcode, op.attrs.clone());
    let attrs: Vec<_> = op
        .def()
        .attrs
        .iter()
        .zip(attrs)
        .filter_map(|(slot, value)| Some((slot.name, value?)))
        .collect();
    let ty = cx.result_ty(id);
    Some(cx.make(id, opcode, &[rhs, lhs], &attrs, ty))
}

/// `x + 0 = x`
fn add_zero(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    (cx.number(rhs)? == 0).then_some(lhs)
}

/// `(x + c) + d = x + (c + d)`; the sum keeps a promise that both sums have, if `c + d` does not
/// overflow
fn add_constants(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (inner, rhs) = cx.args(id);
    let second = cx.number(rhs)?;
    let (source, first) = cx.with_constant(inner, IntegerOp::AddI)?;
    let width = cx.width(source);
    let (outer, nested) = (cx.promised(id), cx.promised_of(inner));
    let bits = first.wrapping_add(second) & mask(width);
    let exact = i128::from(signed(width, first)) + i128::from(signed(width, second));
    let promised = (
        outer.0 && nested.0 && i128::from(signed(width, bits)) == exact,
        outer.1 && nested.1 && bits >= first,
    );
    Some(cx.promise(id, IntegerOp::AddI, source, bits, promised))
}

/// `x + -y = x - y`
fn add_negated(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let (kept, negated) = match cx.source(rhs, IntegerOp::NegI) {
        Some(negated) => (lhs, negated),
        None => (rhs, cx.source(lhs, IntegerOp::NegI)?),
    };
    Some(cx.apply(id, IntegerOp::SubI, &[kept, negated]))
}

/// `(x - y) + y = x`
fn add_cancels_sub(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let cancelled = |difference, other| {
        let (from, taken) = cx.pair(difference, IntegerOp::SubI)?;
        (taken == other).then_some(from)
    };
    cancelled(lhs, rhs).or_else(|| cancelled(rhs, lhs))
}

/// `(c - x) + d = (c + d) - x`
fn difference_plus_constant(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let added = cx.number(rhs)?;
    let (from, taken) = cx.pair(lhs, IntegerOp::SubI)?;
    let bits = cx.number(from)?.wrapping_add(added) & mask(cx.width(rhs));
    let from = cx.like(id, rhs, bits);
    Some(cx.apply(id, IntegerOp::SubI, &[from, taken]))
}

/// `x - x = 0`
fn sub_same(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    (lhs == rhs).then(|| cx.like(id, lhs, 0))
}

/// `x - 0 = x`
fn sub_zero(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    (cx.number(rhs)? == 0).then_some(lhs)
}

/// `x - c = x + -c`; keeps a promise of no signed overflow if `-c` is representable
fn sub_constant(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let bits = cx.number(rhs)?;
    if cx.number(lhs).is_some() {
        return None;
    }
    let width = cx.width(lhs);
    let is_min = bits == 1 << (width - 1);
    let negated = bits.wrapping_neg() & mask(width);
    let promised = (cx.promised(id).0 && !is_min, false);
    Some(cx.promise(id, IntegerOp::AddI, lhs, negated, promised))
}

/// `0 - x = -x`
fn zero_sub(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    (cx.number(lhs)? == 0).then(|| cx.apply(id, IntegerOp::NegI, &[rhs]))
}

/// `x - -y = x + y`
fn sub_negated(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let negated = cx.source(rhs, IntegerOp::NegI)?;
    Some(cx.apply(id, IntegerOp::AddI, &[lhs, negated]))
}

/// `(x + y) - y = x`
fn sub_cancels_add(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    match cx.pair(lhs, IntegerOp::AddI)? {
        (kept, taken) | (taken, kept) if taken == rhs => Some(kept),
        _ => None,
    }
}

/// `x - (x - y) = y`
fn sub_sub_cancels(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let (from, taken) = cx.pair(rhs, IntegerOp::SubI)?;
    (from == lhs).then_some(taken)
}

/// `c - (x + d) = (c - d) - x`
fn constant_minus_sum(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let from = cx.number(lhs)?;
    let (source, added) = cx.with_constant(rhs, IntegerOp::AddI)?;
    let bits = from.wrapping_sub(added) & mask(cx.width(source));
    let from = cx.like(id, source, bits);
    Some(cx.apply(id, IntegerOp::SubI, &[from, source]))
}

/// `c - (d - x) = x + (c - d)`
fn constant_minus_difference(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let from = cx.number(lhs)?;
    let (inner, source) = cx.pair(rhs, IntegerOp::SubI)?;
    let bits = from.wrapping_sub(cx.number(inner)?) & mask(cx.width(source));
    Some(cx.apply_constant(id, IntegerOp::AddI, source, bits))
}

/// `x - (x & c) = x & ~c`
fn sub_masked(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let (source, bits) = cx.with_constant(rhs, BitwiseOp::AndI)?;
    let rest = !bits & mask(cx.width(source));
    (source == lhs).then(|| cx.apply_constant(id, BitwiseOp::AndI, lhs, rest))
}

/// `x - (x / c) * c = x % c`, for a quotient rounded toward zero
fn sub_multiple(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let (quotient, factor) = cx.pair(rhs, IntegerOp::MulI)?;
    let (dividend, divisor) = cx.pair(quotient, IntegerOp::DivI)?;
    let op = cx.definition(quotient)?;
    let signedness = op.signedness();
    let truncates = super::division::truncates(op);
    if dividend != lhs || divisor != factor || !truncates {
        return None;
    }
    Some(cx.apply_signed(id, IntegerOp::RemI, [lhs, divisor], signedness))
}

/// `x * 1 = x`
fn mul_one(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    (cx.number(rhs)? == 1).then_some(lhs)
}

/// `x * -1 = -x`
fn mul_minus_one(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let is_minus_one = cx.number(rhs)? == mask(cx.width(rhs));
    is_minus_one.then(|| cx.apply(id, IntegerOp::NegI, &[lhs]))
}

/// `(x * c) * d = x * (c * d)`; the product keeps a promise that both products have, if `c * d`
/// does not overflow
fn mul_constants(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (inner, rhs) = cx.args(id);
    let second = cx.number(rhs)?;
    let (source, first) = cx.with_constant(inner, IntegerOp::MulI)?;
    let width = cx.width(source);
    let (outer, nested) = (cx.promised(id), cx.promised_of(inner));
    let bits = first.wrapping_mul(second) & mask(width);
    let exact = i128::from(signed(width, first)) * i128::from(signed(width, second));
    let promised = (
        outer.0 && nested.0 && i128::from(signed(width, bits)) == exact,
        outer.1 && nested.1 && u128::from(first) * u128::from(second) == u128::from(bits),
    );
    Some(cx.promise(id, IntegerOp::MulI, source, bits, promised))
}

/// `(x >> k) * 2^k = x & ~(2^k - 1)`
fn shr_then_mul(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (inner, rhs) = cx.args(id);
    let by = exponent(cx.number(rhs)?)?;
    let (source, shift) = cx.with_constant(inner, IntegerOp::ShrI)?;
    let kept = !cx.number(rhs)?.wrapping_sub(1) & mask(cx.width(source));
    (shift == u64::from(by)).then(|| cx.apply_constant(id, BitwiseOp::AndI, source, kept))
}

/// `-(-x) = x`
fn neg_neg(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    cx.source(cx.rewriter.op(id).operands[0], IntegerOp::NegI)
}

/// `-(x - y) = y - x`
fn neg_difference(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.pair(cx.rewriter.op(id).operands[0], IntegerOp::SubI)?;
    Some(cx.apply(id, IntegerOp::SubI, &[rhs, lhs]))
}

/// `|x| = x`, if `x >= 0`
fn abs_nonnegative(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let source = cx.rewriter.op(id).operands[0];
    cx.is_nonnegative(source).then_some(source)
}

/// `||x|| = |x|`, also for the least number, whose absolute value has the same bits
fn abs_abs(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let source = cx.rewriter.op(id).operands[0];
    cx.source(source, IntegerOp::AbsI).map(|_| source)
}

/// `|-x| = |x|`
fn abs_negated(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let negated = cx.source(cx.rewriter.op(id).operands[0], IntegerOp::NegI)?;
    Some(cx.apply(id, IntegerOp::AbsI, &[negated]))
}

/// `max(x, x) = x`; likewise for the minimum
fn extreme_same(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    (lhs == rhs).then_some(lhs)
}

/// `max(x, y) = x`, if `x >= y`; likewise for the minimum
fn extreme_ordered(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let (a, b) = (
        cx.facts.compute(cx.rewriter, lhs),
        cx.facts.compute(cx.rewriter, rhs),
    );
    let op = cx.rewriter.op(id);
    let (below, above) = match op.signedness() {
        Signedness::Signed => (a.signed.1 <= b.signed.0, a.signed.0 >= b.signed.1),
        Signedness::Unsigned => (a.unsigned.1 <= b.unsigned.0, a.unsigned.0 >= b.unsigned.1),
    };
    let is_max = op.opcode == Opcode::Integer(IntegerOp::MaxI);
    match (below, above) {
        (true, _) => Some(if is_max { rhs } else { lhs }),
        (_, true) => Some(if is_max { lhs } else { rhs }),
        (false, false) => None,
    }
}

/// `max(max(x, c), d) = max(x, max(c, d))`; likewise for the minimum
fn extreme_constants(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (inner, rhs) = cx.args(id);
    let op = cx.rewriter.op(id);
    let (opcode, signedness) = (op.opcode, op.signedness());
    let second = cx.number(rhs)?;
    let (source, first) = cx.with_constant(inner, opcode)?;
    if cx.definition(inner)?.signedness() != signedness {
        return None;
    }
    let width = cx.width(source);
    let order = |bits: u64| match signedness {
        Signedness::Signed => i128::from(signed(width, bits)),
        Signedness::Unsigned => i128::from(bits),
    };
    let value = if opcode == Opcode::Integer(IntegerOp::MaxI) {
        order(first).max(order(second))
    } else {
        order(first).min(order(second))
    };
    let Opcode::Integer(kind) = opcode else {
        return None;
    };
    let rhs = cx.like(id, source, wrapped(width, value));
    Some(cx.apply_signed(id, kind, [source, rhs], signedness))
}

/// `max(x, max(x, y)) = max(x, y)`; `max(x, min(x, y)) = x`; likewise for the minimum
fn extreme_absorbs(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let op = cx.rewriter.op(id);
    let absorbed = |outer: ValueId, inner: ValueId| {
        let nested = cx.definition(inner)?;
        let is_extreme = matches!(
            nested.opcode,
            Opcode::Integer(IntegerOp::MaxI | IntegerOp::MinI)
        );
        if !is_extreme
            || nested.signedness() != op.signedness()
            || !nested.operands.contains(&outer)
        {
            return None;
        }
        Some(if nested.opcode == op.opcode {
            inner
        } else {
            outer
        })
    };
    absorbed(lhs, rhs).or_else(|| absorbed(rhs, lhs))
}

/// `mulhi(x, 2^k) = x >> (width - k)`, unsigned, for `k > 0`
fn mul_high_power(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let by = exponent(cx.number(rhs)?).filter(|&by| by > 0)?;
    let distance = cx.like(id, lhs, u64::from(cx.width(lhs) - by));
    Some(cx.apply_signed(id, IntegerOp::ShrI, [lhs, distance], Signedness::Unsigned))
}

//! Rules for quotients and remainders.

use super::build::{exponent, mask, rounding, signed};
use super::{Rule, Simplifier, rules};
use crate::ir::{Attr, Op, OpId, RoundingMode, Signedness, ValueId};
use crate::ops::{BitwiseOp, IntegerOp};

pub(super) const DIV: &[Rule] = rules![
    div_one,
    div_minus_one,
    div_same,
    div_of_product,
    div_power,
    div_up_power,
    div_div,
    div_nonnegative,
];
pub(super) const REM: &[Rule] = rules![
    rem_same,
    rem_small,
    rem_negative_divisor,
    rem_power,
    rem_nonnegative,
];

/// Returns `true` if a quotient is rounded toward zero.
pub(super) fn truncates(op: &Op) -> bool {
    match (rounding(op), op.signedness()) {
        (RoundingMode::PositiveInf, _) => false,
        (RoundingMode::NegativeInf, signedness) => signedness == Signedness::Unsigned,
        _ => true,
    }
}

/// `x / 1 = x`
fn div_one(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    // A signed `i1` has the value -1, not 1.
    let is_one = cx.number(rhs)? == 1 && cx.width(rhs) > 1;
    is_one.then_some(lhs)
}

/// `x / -1 = -x`, signed; the quotient of the least number is undefined behaviour
fn div_minus_one(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let is_minus_one = cx.number(rhs)? == mask(cx.width(rhs));
    let is_signed = cx.rewriter.op(id).signedness() == Signedness::Signed;
    (is_minus_one && is_signed).then(|| cx.apply(id, IntegerOp::NegI, &[lhs]))
}

/// `x / x = 1`; `0 / 0` is undefined behaviour
fn div_same(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    (lhs == rhs).then(|| cx.like(id, lhs, 1))
}

/// `(x * y) / y = x`, if the product is promised not to overflow; the quotient is exact, so
/// rounding does not matter, and division by zero is undefined behaviour
fn div_of_product(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let (a, b) = cx.pair(lhs, IntegerOp::MulI)?;
    let promised = match cx.rewriter.op(id).signedness() {
        Signedness::Signed => cx.promised_of(lhs).0,
        Signedness::Unsigned => cx.promised_of(lhs).1,
    };
    match (a, b) {
        (kept, by) | (by, kept) if promised && by == rhs => Some(kept),
        _ => None,
    }
}

/// Returns the exponent of a divisor that is a positive power of two.
fn divisor(cx: &Simplifier<'_>, id: OpId) -> Option<u32> {
    let (_, rhs) = cx.args(id);
    let by = exponent(cx.number(rhs)?)?;
    let is_positive = match cx.rewriter.op(id).signedness() {
        Signedness::Signed => by + 1 < cx.width(rhs),
        Signedness::Unsigned => true,
    };
    is_positive.then_some(by)
}

/// `x / 2^k = x >> k`, if the quotient is rounded down, or is exact since `x` is a multiple of
/// `2^k`
fn div_power(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let by = divisor(cx, id)?;
    let (lhs, _) = cx.args(id);
    let known = cx.facts.compute(cx.rewriter, lhs);
    let op = cx.rewriter.op(id);
    let signedness = op.signedness();
    let is_nonnegative = signedness == Signedness::Unsigned || known.signed.0 >= 0;
    let is_exact = known.trailing_zeros() >= by;
    let rounds_down = match rounding(op) {
        RoundingMode::NegativeInf => true,
        RoundingMode::PositiveInf => false,
        _ => is_nonnegative,
    };
    if !rounds_down && !is_exact {
        return None;
    }
    let signedness = if is_nonnegative {
        Signedness::Unsigned
    } else {
        Signedness::Signed
    };
    Some(shifted(cx, id, lhs, by, signedness))
}

/// `x / 2^k`, rounded up, `= (x + (2^k - 1)) >> k`, if the sum does not overflow
fn div_up_power(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let by = divisor(cx, id)?;
    let (lhs, _) = cx.args(id);
    let known = cx.facts.compute(cx.rewriter, lhs);
    let op = cx.rewriter.op(id);
    if rounding(op) != RoundingMode::PositiveInf {
        return None;
    }
    let signedness = op.signedness();
    let rest = (1_u64 << by) - 1;
    let most = mask(known.width);
    let fits = match signedness {
        Signedness::Unsigned => known.unsigned.1 <= most - rest,
        Signedness::Signed => known.signed.1 <= signed(known.width, most >> 1) - rest.cast_signed(),
    };
    if !fits {
        return None;
    }
    let promised = match signedness {
        Signedness::Unsigned => (false, true),
        Signedness::Signed => (true, false),
    };
    let sum = cx.promise(id, IntegerOp::AddI, lhs, rest, promised);
    Some(shifted(cx, id, sum, by, signedness))
}

fn shifted(
    cx: &mut Simplifier<'_>,
    id: OpId,
    value: ValueId,
    by: u32,
    signedness: Signedness,
) -> ValueId {
    let by = cx.like(id, value, u64::from(by));
    cx.apply_signed(id, IntegerOp::ShrI, [value, by], signedness)
}

/// `(x / c) / d = x / (c * d)`, rounded toward zero or down, for positive constants with a
/// representable product
fn div_div(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (inner, rhs) = cx.args(id);
    let second = cx.number(rhs)?;
    let (source, first) = cx.with_constant(inner, IntegerOp::DivI)?;
    let (outer, nested) = (cx.rewriter.op(id), cx.definition(inner)?);
    let (signedness, mode) = (outer.signedness(), rounding(outer));
    let is_same = nested.signedness() == signedness && rounding(nested) == mode;
    let width = cx.width(source);
    let most = match signedness {
        Signedness::Signed => mask(width) >> 1,
        Signedness::Unsigned => mask(width),
    };
    let product = first
        .checked_mul(second)
        .filter(|&product| product <= most)?;
    if !is_same || first == 0 || second == 0 || first > most || second > most {
        return None;
    }
    Some(divided(cx, id, source, product, signedness, mode))
}

/// `x / c = x / c unsigned`, if neither is negative
fn div_nonnegative(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let op = cx.rewriter.op(id);
    if op.signedness() == Signedness::Unsigned {
        return None;
    }
    let mode = match rounding(op) {
        RoundingMode::PositiveInf => RoundingMode::PositiveInf,
        _ => RoundingMode::Zero,
    };
    if !cx.is_nonnegative(lhs) || !cx.is_nonnegative(rhs) {
        return None;
    }
    let attrs = quotient(Signedness::Unsigned, mode);
    let ty = cx.result_ty(id);
    Some(cx.make(id, IntegerOp::DivI, &[lhs, rhs], &attrs, ty))
}

fn quotient(signedness: Signedness, mode: RoundingMode) -> [(&'static str, Attr); 2] {
    [
        ("signedness", Attr::Signedness(signedness)),
        ("rounding", Attr::Rounding(mode)),
    ]
}

fn divided(
    cx: &mut Simplifier<'_>,
    id: OpId,
    value: ValueId,
    by: u64,
    signedness: Signedness,
    mode: RoundingMode,
) -> ValueId {
    let by = cx.like(id, value, by);
    let ty = cx.rewriter.ty(value);
    let attrs = quotient(signedness, mode);
    cx.make(id, IntegerOp::DivI, &[value, by], &attrs, ty)
}

/// `x % x = 0`; `0 % 0` is undefined behaviour
fn rem_same(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    (lhs == rhs).then(|| cx.like(id, lhs, 0))
}

/// `x % y = x`, if `0 <= x < y`
fn rem_small(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let (a, b) = (
        cx.facts.compute(cx.rewriter, lhs),
        cx.facts.compute(cx.rewriter, rhs),
    );
    let is_small = match cx.rewriter.op(id).signedness() {
        Signedness::Signed => a.signed.0 >= 0 && a.signed.1 < b.signed.0,
        Signedness::Unsigned => a.unsigned.1 < b.unsigned.0,
    };
    is_small.then_some(lhs)
}

/// `x % -c = x % c`, signed: the sign is that of `x`
fn rem_negative_divisor(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let (bits, width) = (cx.number(rhs)?, cx.width(rhs));
    let is_signed = cx.rewriter.op(id).signedness() == Signedness::Signed;
    // The least number cannot be negated.
    if !is_signed || signed(width, bits) >= 0 || bits == 1 << (width - 1) {
        return None;
    }
    let by = cx.like(id, rhs, bits.wrapping_neg() & mask(width));
    Some(cx.apply_signed(id, IntegerOp::RemI, [lhs, by], Signedness::Signed))
}

/// `x % 2^k = x & (2^k - 1)`, if `x >= 0`
fn rem_power(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let by = divisor(cx, id)?;
    let (lhs, _) = cx.args(id);
    let is_signed = cx.rewriter.op(id).signedness() == Signedness::Signed;
    if is_signed && !cx.is_nonnegative(lhs) {
        return None;
    }
    Some(cx.apply_constant(id, BitwiseOp::AndI, lhs, (1 << by) - 1))
}

/// `x % y = x % y unsigned`, if neither is negative
fn rem_nonnegative(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    if cx.rewriter.op(id).signedness() == Signedness::Unsigned
        || !cx.is_nonnegative(lhs)
        || !cx.is_nonnegative(rhs)
    {
        return None;
    }
    Some(cx.apply_signed(id, IntegerOp::RemI, [lhs, rhs], Signedness::Unsigned))
}

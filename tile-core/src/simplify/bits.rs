//! Rules for shifts, and for bitwise operations with constants and known bits.

use super::arithmetic::constant_right;
use super::build::{exponent, mask};
use super::{Rule, Simplifier, rules};
use crate::ir::{OpId, Signedness, ValueId};
use crate::ops::{BitwiseOp, IntegerOp, Opcode};

pub(super) const AND: &[Rule] = rules![constant_right, and_known, and_constants];
pub(super) const OR: &[Rule] = rules![constant_right, or_known, or_constants];
pub(super) const XOR: &[Rule] = rules![
    constant_right,
    xor_zero,
    xor_same,
    xor_constants,
    xor_cancels,
    xor_complement,
];
pub(super) const SHL: &[Rule] = rules![shift_zero, shl_to_mul];
pub(super) const SHR: &[Rule] = rules![shift_zero, shr_shr, mul_then_shr];

/// `x & y = x`, if every bit is 0 in `x` or 1 in `y`
fn and_known(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let (a, b) = (
        cx.facts.compute(cx.rewriter, lhs),
        cx.facts.compute(cx.rewriter, rhs),
    );
    let full_mask = mask(a.width);
    if a.zeros | b.ones == full_mask {
        return Some(lhs);
    }
    (b.zeros | a.ones == full_mask).then_some(rhs)
}

/// `x | y = x`, if every bit is 1 in `x` or 0 in `y`
fn or_known(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let (a, b) = (
        cx.facts.compute(cx.rewriter, lhs),
        cx.facts.compute(cx.rewriter, rhs),
    );
    let full_mask = mask(a.width);
    if a.ones | b.zeros == full_mask {
        return Some(lhs);
    }
    (b.ones | a.zeros == full_mask).then_some(rhs)
}

/// `(x & c) & d = x & (c & d)`
fn and_constants(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    constants(cx, id, BitwiseOp::AndI, |c, d| c & d)
}

/// `(x | c) | d = x | (c | d)`
fn or_constants(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    constants(cx, id, BitwiseOp::OrI, |c, d| c | d)
}

/// `(x ^ c) ^ d = x ^ (c ^ d)`, or `x` if `c = d`, as for a double negation of an `i1`
fn xor_constants(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (inner, rhs) = cx.args(id);
    let second = cx.number(rhs)?;
    let (source, first) = cx.with_constant(inner, BitwiseOp::XorI)?;
    if first == second {
        return Some(source);
    }
    constants(cx, id, BitwiseOp::XorI, |c, d| c ^ d)
}

/// `(x OPCODE c) OPCODE d = x OPCODE merge(c, d)`
fn constants(
    cx: &mut Simplifier<'_>,
    id: OpId,
    opcode: BitwiseOp,
    merge: fn(u64, u64) -> u64,
) -> Option<ValueId> {
    let (inner, rhs) = cx.args(id);
    let second = cx.number(rhs)?;
    let (source, first) = cx.with_constant(inner, opcode)?;
    Some(cx.apply_constant(id, opcode, source, merge(first, second)))
}

/// `x ^ 0 = x`
fn xor_zero(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    (cx.number(rhs)? == 0).then_some(lhs)
}

/// `x ^ x = 0`
fn xor_same(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    (lhs == rhs).then(|| cx.like(id, lhs, 0))
}

/// `(x ^ y) ^ y = x`
fn xor_cancels(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let rest = |pair, other| match cx.pair(pair, BitwiseOp::XorI)? {
        (kept, dropped) | (dropped, kept) if dropped == other => Some(kept),
        _ => None,
    };
    rest(lhs, rhs).or_else(|| rest(rhs, lhs))
}

/// `x ^ ~y = ~(x ^ y)`, so that complements cancel
fn xor_complement(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    if cx.number(rhs).is_some() {
        return None;
    }
    let (left, right) = (cx.complemented(lhs), cx.complemented(rhs));
    match (left, right) {
        (Some(lhs), Some(rhs)) => Some(cx.apply(id, BitwiseOp::XorI, &[lhs, rhs])),
        (Some(inner), None) if inner == rhs => Some(ones(cx, id, rhs)),
        (None, Some(inner)) if inner == lhs => Some(ones(cx, id, lhs)),
        _ => None,
    }
}

fn ones(cx: &mut Simplifier<'_>, id: OpId, like: ValueId) -> ValueId {
    let bits = mask(cx.width(like));
    cx.like(id, like, bits)
}

/// `x << 0 = x`; `x >> 0 = x`
fn shift_zero(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    (cx.number(rhs)? == 0).then_some(lhs)
}

/// `x << k = x * 2^k`, for `k` below the width. The promises about overflow carry over to the
/// product, except that of no signed overflow where `2^k` is the least number.
fn shl_to_mul(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let (by, width) = (cx.number(rhs)?, u64::from(cx.width(lhs)));
    if by >= width {
        return None;
    }
    let (signed, unsigned) = cx.promised(id);
    let promised = (signed && by + 1 < width, unsigned);
    Some(cx.promise(id, IntegerOp::MulI, lhs, 1 << by, promised))
}

/// `(x >> j) >> k = x >> (j + k)`; for signed numbers the shift is limited to the width less one,
/// for unsigned numbers a longer one gives 0
fn shr_shr(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (inner, rhs) = cx.args(id);
    let second = cx.number(rhs)?;
    let signedness = cx.rewriter.op(id).signedness();
    let (source, first) = cx.with_constant(inner, IntegerOp::ShrI)?;
    let width = u64::from(cx.width(source));
    let is_same = cx.definition(inner)?.signedness() == signedness;
    if !is_same || first >= width || second >= width {
        return None;
    }
    let by = match signedness {
        Signedness::Signed => (first + second).min(width - 1),
        Signedness::Unsigned => first + second,
    };
    if by >= width {
        return Some(cx.like(id, source, 0));
    }
    let by = cx.like(id, source, by);
    Some(cx.apply_signed(id, IntegerOp::ShrI, [source, by], signedness))
}

/// `(x * 2^k) >> k = x`, if the product is promised not to overflow;
/// `(x * 2^k) >> k = x & (2^(width - k) - 1)`, unsigned
fn mul_then_shr(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (inner, rhs) = cx.args(id);
    let by = cx.number(rhs)?;
    let (source, factor) = cx.with_constant(inner, IntegerOp::MulI)?;
    let width = cx.width(source);
    if exponent(factor).map(u64::from) != Some(by) {
        return None;
    }
    let (no_signed, no_unsigned) = cx.promised_of(inner);
    match cx.rewriter.op(id).signedness() {
        // As a signed number, 2^(width - 1) is negative.
        Signedness::Signed => (no_signed && by + 1 < u64::from(width)).then_some(source),
        Signedness::Unsigned if no_unsigned => Some(source),
        Signedness::Unsigned => {
            Some(cx.apply_constant(id, BitwiseOp::AndI, source, mask(width) >> by))
        }
    }
}

/// Returns the bitwise operation that `opcode` names, or `None` for any other opcode.
pub(super) fn bitwise(opcode: Opcode) -> Option<BitwiseOp> {
    match opcode {
        Opcode::Bitwise(kind) => Some(kind),
        _ => None,
    }
}

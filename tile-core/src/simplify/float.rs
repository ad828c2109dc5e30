//! Rules for floats: identities that keep every bit, including those of NaNs and zeros.
//!
//! Few such identities exist: `x * 1`, `x + -0` and `x - 0` turn a signalling NaN into a quiet one;
//! `-(x - y)` differs from `y - x` in the sign of zero; and `-x * -y` may return another NaN than
//! `x * y`.

use super::{Rule, Simplifier, rules};
use crate::ir::{Attr, ComparisonOrdering, ComparisonPredicate, OpId, RoundingMode, ValueId};
use crate::ops::FloatOp;
use crate::types::Scalar;

pub(super) const NEG: &[Rule] = rules![neg_neg_float];
pub(super) const ABS: &[Rule] = rules![abs_of_signed_float];
pub(super) const DIV: &[Rule] = rules![div_power_float];
pub(super) const COMPARE: &[Rule] = rules![compare_same_float];

/// `-(-x) = x`: the sign is flipped twice
fn neg_neg_float(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    cx.source(cx.rewriter.op(id).operands[0], FloatOp::NegF)
}

/// `||x|| = |x|`; `|-x| = |x|`: the sign is cleared, whatever it was
fn abs_of_signed_float(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let inner = cx.rewriter.op(id).operands[0];
    let source = cx.source(inner, FloatOp::AbsF);
    let source = source.or_else(|| cx.source(inner, FloatOp::NegF))?;
    Some(cx.apply(id, FloatOp::AbsF, &[source]))
}

/// `x / 2^k = x * 2^-k`, if both powers are normal numbers: quotient and product are the same real
/// number, rounded once in the same way, and neither constant is flushed. Not valid for the
/// approximations, which are rounded differently.
fn div_power_float(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let op = cx.rewriter.op(id);
    let rounding = op.rounding_mode();
    if matches!(rounding, RoundingMode::Approx | RoundingMode::Full) {
        return None;
    }
    let flush = op.attr("flush_to_zero").cloned();
    let dense = cx.rewriter.constant(rhs)?;
    let scalar = dense.scalar();
    let bits = reciprocal(scalar, dense.splat_bits()?)?;
    let ty = cx.result_ty(id);
    let factor = cx.splat(id, ty, bits);
    let mut attrs = vec![("rounding_mode", Attr::Rounding(rounding))];
    attrs.extend(flush.map(|flush| ("flush_to_zero", flush)));
    Some(cx.make(id, FloatOp::MulF, &[lhs, factor], &attrs, ty))
}

/// Returns `1 / x` for a power of two, if both are normal numbers.
fn reciprocal(scalar: Scalar, bits: u64) -> Option<u64> {
    let mantissa = match scalar {
        Scalar::F16 => 10,
        Scalar::BF16 => 7,
        Scalar::F32 => 23,
        Scalar::F64 => 52,
        _ => return None,
    };
    let sign = 1 << (scalar.bits() - 1);
    let exponents = (1_u64 << (scalar.bits() - 1 - mantissa)) - 1;
    let exponent = (bits & !sign) >> mantissa;
    let is_power = bits & ((1 << mantissa) - 1) == 0;
    // The exponent of 1 is half of the greatest, rounded down: 127 of 255.
    let opposite = (exponents - 1).checked_sub(exponent)?;
    let is_normal = |exponent| exponent > 0 && exponent < exponents;
    (is_power && is_normal(exponent) && is_normal(opposite))
        .then_some(bits & sign | opposite << mantissa)
}

/// `x < x`, `x > x` and `x != x` are false if the comparison is ordered; `x == x`, `x <= x` and
/// `x >= x` are true if it is unordered.
fn compare_same_float(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let op = cx.rewriter.op(id);
    let holds = matches!(
        op.predicate(),
        ComparisonPredicate::Equal
            | ComparisonPredicate::LessThanOrEqual
            | ComparisonPredicate::GreaterThanOrEqual
    );
    let of_nan = op.comparison_ordering() == ComparisonOrdering::Unordered;
    if lhs != rhs || holds != of_nan {
        return None;
    }
    let ty = cx.result_ty(id);
    Some(cx.splat(id, ty, u64::from(holds)))
}

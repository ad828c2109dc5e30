//! Folds of floating-point operations, if every device gives the same bits.
//!
//! | operation | folded if |
//! |---|---|
//! | `addf`, `subf`, `mulf`, `divf`, `fma`, `sqrt` | the rounding mode is one of IEEE 754; operands and results are finite |
//! | `absf`, `negf`, `ceil`, `floor` | no operand is a NaN |
//! | `maxf`, `minf` | no operand is a NaN, and no two are zeros of different sign |
//! | `cmpf` | always, because comparisons with a NaN are defined |
//! | with `flush_to_zero` | also, no operand is subnormal and no result is the least normal number |
//!
//! A result equal to the least normal number may have been subnormal before it was rounded, and the
//! specification does not define whether it is flushed.
//!
//! The following are never folded: the rounding modes `approx` and `full`; functions that are not
//! correctly rounded (such as `exp`, `sin`, `pow` and `rsqrt`); `remf`, which devices compute from
//! a quotient; and matmuls, since the order of a sum is not specified.

use super::{Elements, Folder, Rule, are, elementwise};
use crate::ir::{DenseElements, RoundingMode};
use crate::ops::FloatOp;

/// The least normal number of f32, the only type with `flush_to_zero`.
const MIN_NORMAL: f64 = f32::MIN_POSITIVE as f64;

pub(super) fn rule(kind: FloatOp) -> Option<Rule> {
    match kind {
        FloatOp::AddF
        | FloatOp::DivF
        | FloatOp::Fma
        | FloatOp::MulF
        | FloatOp::Sqrt
        | FloatOp::SubF => Some(arithmetic),
        FloatOp::AbsF | FloatOp::Ceil | FloatOp::Floor | FloatOp::NegF => Some(fold_numbers),
        FloatOp::MaxF | FloatOp::MinF => Some(extremum),
        FloatOp::CmpF => Some(elementwise),
        FloatOp::Atan2
        | FloatOp::Cos
        | FloatOp::CosH
        | FloatOp::Exp
        | FloatOp::Exp2
        | FloatOp::FPowI
        | FloatOp::Log
        | FloatOp::Log2
        | FloatOp::MmaF
        | FloatOp::MmaFScaled
        | FloatOp::Pow
        | FloatOp::RemF
        | FloatOp::RSqrt
        | FloatOp::Sin
        | FloatOp::SinH
        | FloatOp::Tan
        | FloatOp::TanH => None,
    }
}

fn fold_numbers(cx: &Folder<'_>) -> Option<Elements> {
    cx.operands_are(|x| !x.is_nan()).then(|| elementwise(cx))?
}

fn arithmetic(cx: &Folder<'_>) -> Option<Elements> {
    let exact = match cx.op.rounding_mode() {
        RoundingMode::NearestEven
        | RoundingMode::Zero
        | RoundingMode::NegativeInf
        | RoundingMode::PositiveInf
        | RoundingMode::NearestAway => true,
        RoundingMode::Approx | RoundingMode::Full | RoundingMode::NearestIntToZero => false,
    };
    if !exact || !cx.operands_are(f64::is_finite) {
        return None;
    }
    let flushes = cx.op.has_flag("flush_to_zero");
    if flushes && !cx.operands_are(|x| !is_subnormal(x)) {
        return None;
    }
    let result = elementwise(cx)?;
    let unsure =
        !are(&result, f64::is_finite) || flushes && !are(&result, |x| x.abs() != MIN_NORMAL);
    (!unsure).then_some(result)
}

fn is_subnormal(x: f64) -> bool {
    x != 0.0 && x.abs() < MIN_NORMAL
}

fn extremum(cx: &Folder<'_>) -> Option<Elements> {
    let flushes = cx.op.has_flag("flush_to_zero");
    let operands = cx.operands.iter().map(|elements| &**elements);
    is_ordered(operands, flushes).then(|| elementwise(cx))?
}

/// Returns `true` if the specification orders every two elements: there is no NaN, there are no
/// zeros of different sign, and no subnormal is flushed.
pub(super) fn is_ordered<'a>(
    tiles: impl Iterator<Item = &'a DenseElements>,
    flushes: bool,
) -> bool {
    let (mut plus, mut minus) = (false, false);
    for elements in tiles {
        let numbers = are(elements, |x| !(x.is_nan() || flushes && is_subnormal(x)));
        if !numbers {
            return false;
        }
        plus |= !are(elements, |x| x != 0.0 || x.is_sign_negative());
        minus |= !are(elements, |x| x != 0.0 || x.is_sign_positive());
    }
    !(plus && minus)
}

//! Folds of conversions, if the value is in the range of the result type.
//!
//! | operation | folded if |
//! |---|---|
//! | `bitcast`, `exti` | always |
//! | `trunci` | the value does not violate the `overflow` attribute |
//! | `itof`, `ftof` | neither side is a NaN, and no finite value becomes infinite or the greatest number |
//! | `ftof` into `f8E8M0FNU` | the value stays the same |
//! | `ftoi` | the value is in the range of the type |
//!
//! A value above the greatest number of a float type without infinities becomes a NaN or the
//! greatest number, depending on the device. Pointers are not constants.

use super::{Elements, Folder, Rule, are, bits, elementwise};
use crate::interp::number;
use crate::ir::Signedness;
use crate::ops::ConversionOp;
use crate::types::Scalar;

pub(super) fn rule(kind: ConversionOp) -> Option<Rule> {
    match kind {
        ConversionOp::BitCast | ConversionOp::ExtI | ConversionOp::TruncI => Some(elementwise),
        ConversionOp::FToF => Some(ftof),
        ConversionOp::FToI => Some(ftoi),
        ConversionOp::IToF => Some(itof),
        ConversionOp::IntToPtr | ConversionOp::PtrToInt | ConversionOp::PtrToPtr => None,
    }
}

/// Returns the magnitude from which results of a type may stand for a value out of range: infinity,
/// or the greatest number if the type has no infinity.
fn greatest(scalar: Scalar) -> f64 {
    match scalar {
        Scalar::F8E4M3FN => 448.0,
        Scalar::F4E2M1FN => 6.0,
        _ => f64::INFINITY,
    }
}

fn itof(cx: &Folder<'_>) -> Option<Elements> {
    let result = elementwise(cx)?;
    let greatest = greatest(result.scalar());
    are(&result, |x| x.abs() < greatest).then_some(result)
}

#[expect(clippy::float_cmp, reason = "asks whether the conversion was exact")]
fn ftof(cx: &Folder<'_>) -> Option<Elements> {
    let source = &cx.operands[0];
    let result = elementwise(cx)?;
    let greatest = greatest(result.scalar());
    let exact = result.scalar() == Scalar::F8E8M0FNU;
    let fits = |index| {
        let [from, to] = [source, &result].map(|x| number(x.scalar(), x.bits_at(index)));
        from == to || !exact && to.abs() < greatest
    };
    (0..bits(source).len()).all(fits).then_some(result)
}

fn ftoi(cx: &Folder<'_>) -> Option<Elements> {
    let (scalar, _) = cx.module.ty(cx.op.result()).as_number_tile()?;
    // The bounds are powers of two, so `f64` represents them exactly.
    let (lower, upper) = match cx.op.signedness() {
        Signedness::Signed => {
            let half = f64::from(scalar.bits() - 1).exp2();
            (-half, half)
        }
        Signedness::Unsigned => (0.0, f64::from(scalar.bits()).exp2()),
    };
    // A NaN is never in range.
    let fits = |x: f64| (lower..upper).contains(&x.trunc());
    cx.operands_are(fits).then(|| elementwise(cx))?
}

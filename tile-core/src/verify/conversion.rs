//! Verifies conversions: widths and rounding.

use super::{Context, either};
use crate::diag::Code;
use crate::ir::{Attr, Op, RoundingMode};
use crate::ops::ConversionOp;
use crate::types::Scalar;

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, op: &Op, opcode: ConversionOp) {
    let operand = op.operands[0];
    let (Some((from, _)), Some((to, _))) = (
        cx.ty(operand).as_number_tile(),
        cx.ty(op.result()).as_number_tile(),
    ) else {
        return;
    };
    let widths = |relation| {
        (
            format!("expected {relation}, found `{from}` and `{to}`"),
            format!(
                "`{from}` has {} bits, `{to}` has {}",
                from.bits(),
                to.bits()
            ),
        )
    };
    let error = match opcode {
        ConversionOp::BitCast if from.bits() != to.bits() => widths("types of equal width"),
        ConversionOp::ExtI if from.bits() >= to.bits() => widths("a wider result"),
        ConversionOp::TruncI if from.bits() <= to.bits() => widths("a narrower result"),
        ConversionOp::FToF if from == to => (
            format!("expected different types, found `{from}` twice"),
            "`ftof` changes the element type".to_owned(),
        ),
        ConversionOp::FToF => return ftof_rounding(cx, op, from, to),
        ConversionOp::IToF if to == Scalar::F8E8M0FNU => (
            format!("cannot convert `{from}` to `{to}`"),
            "an integer is first converted to another float type".to_owned(),
        ),
        ConversionOp::IntToPtr
        | ConversionOp::PtrToInt
        | ConversionOp::PtrToPtr
        | ConversionOp::BitCast
        | ConversionOp::ExtI
        | ConversionOp::FToI
        | ConversionOp::IToF
        | ConversionOp::TruncI => return,
    };
    let (message, rule) = error;
    cx.operand_error(op, operand, message, rule);
}

/// Returns the rounding modes of `ftof` from `from` to `to`: those that `tileirdisasm` 13.4 admits
/// in files of any version.
#[must_use]
pub fn ftof_modes(from: Scalar, to: Scalar) -> &'static [RoundingMode] {
    use RoundingMode as R;
    const ANY: &[RoundingMode] = &[
        R::NearestEven,
        R::Zero,
        R::NegativeInf,
        R::PositiveInf,
        R::NearestAway,
    ];
    match (from, to) {
        (_, Scalar::F8E8M0FNU) => &[R::Zero, R::PositiveInf],
        (_, Scalar::F64) => ANY,
        (Scalar::F64, Scalar::F32) => &[R::NearestEven, R::Zero, R::NegativeInf, R::PositiveInf],
        (Scalar::F32, Scalar::TF32) => &[R::NearestEven, R::Zero, R::NearestAway],
        // The least powers of two of f8E8M0FNU are subnormal in these types.
        (
            Scalar::F8E8M0FNU | Scalar::F64,
            Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::TF32,
        )
        | (Scalar::F32 | Scalar::TF32 | Scalar::BF16, Scalar::F16)
        | (Scalar::F32 | Scalar::TF32 | Scalar::F16, Scalar::BF16) => &[R::NearestEven, R::Zero],
        (_, Scalar::F16 | Scalar::BF16 | Scalar::F32 | Scalar::TF32) => ANY,
        _ => &[R::NearestEven],
    }
}

fn ftof_rounding(cx: &mut Context<'_>, op: &Op, from: Scalar, to: Scalar) {
    let Some(&Attr::Rounding(mode)) = op.attr("rounding_mode") else {
        return;
    };
    let allowed = ftof_modes(from, to);
    if !allowed.contains(&mode) {
        let names: Vec<String> = allowed
            .iter()
            .map(|mode| format!("`rounding<{}>`", mode.name()))
            .collect();
        let names = either(&names);
        cx.error(
            Code::VerifyAttributes,
            op,
            format!(
                "expected {names} in a conversion from `{from}` to `{to}`, found `rounding<{}>`",
                mode.name()
            ),
            format!("a conversion from `{from}` to `{to}` needs {names}"),
        );
    }
}

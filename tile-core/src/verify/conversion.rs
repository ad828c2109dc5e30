//! Conversions: widths and rounding.

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
    let fault = match opcode {
        ConversionOp::BitCast if from.bits() != to.bits() => widths("types of equal width"),
        ConversionOp::ExtI if from.bits() >= to.bits() => widths("a wider result"),
        ConversionOp::TruncI if from.bits() <= to.bits() => widths("a narrower result"),
        ConversionOp::FToF if from == to => (
            format!("expected different types, found `{from}` twice"),
            "`ftof` changes the element type".to_owned(),
        ),
        ConversionOp::FToF => return ftof_rounding(cx, op, to),
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
    let (message, rule) = fault;
    cx.operand_fault(op, operand, message, rule);
}

/// A scale is rounded toward zero or up, anything else to nearest.
fn ftof_rounding(cx: &mut Context<'_>, op: &Op, to: Scalar) {
    let Some(&Attr::Rounding(mode)) = op.attr("rounding_mode") else {
        return;
    };
    let allowed: &[RoundingMode] = match to {
        Scalar::F8E8M0FNU => &[RoundingMode::Zero, RoundingMode::PositiveInf],
        _ => &[RoundingMode::NearestEven],
    };
    if !allowed.contains(&mode) {
        let names: Vec<String> = allowed
            .iter()
            .map(|mode| format!("`rounding<{}>`", mode.name()))
            .collect();
        let names = either(&names);
        cx.fault(
            Code::VerifyAttributes,
            op,
            format!(
                "expected {names} in a conversion to `{to}`, found `rounding<{}>`",
                mode.name()
            ),
            format!("a conversion to `{to}` needs {names}"),
        );
    }
}

//! Verifies the float matmuls and the exponent of `fpowi`; the rules of the rows cover the others.

use super::{Context, either, mma};
use crate::ir::Op;
use crate::ops::FloatOp;
use crate::types::Scalar;

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, op: &Op, opcode: FloatOp) {
    match opcode {
        FloatOp::FPowI => exponent(cx, op),
        FloatOp::MmaF => {
            mma::verify_shapes(cx, op);
            mma_elements(cx, op);
        }
        FloatOp::MmaFScaled => mma_scaled(cx, op),
        FloatOp::AbsF
        | FloatOp::AddF
        | FloatOp::Atan2
        | FloatOp::Ceil
        | FloatOp::CmpF
        | FloatOp::Cos
        | FloatOp::CosH
        | FloatOp::DivF
        | FloatOp::Exp
        | FloatOp::Exp2
        | FloatOp::Floor
        | FloatOp::Fma
        | FloatOp::Log
        | FloatOp::Log2
        | FloatOp::MaxF
        | FloatOp::MinF
        | FloatOp::MulF
        | FloatOp::NegF
        | FloatOp::Pow
        | FloatOp::RemF
        | FloatOp::RSqrt
        | FloatOp::Sin
        | FloatOp::SinH
        | FloatOp::Sqrt
        | FloatOp::SubF
        | FloatOp::Tan
        | FloatOp::TanH => {}
    }
}

/// Returns the element type and the shape of operand number `index`.
fn numbers(cx: &Context<'_>, op: &Op, index: usize) -> Option<(Scalar, &'static [i64])> {
    cx.ty(op.operands[index]).as_number_tile()
}

fn exponent(cx: &mut Context<'_>, op: &Op) {
    let exponent = op.operands[1];
    if let Some((Scalar::I64, _)) = numbers(cx, op, 1) {
        let message = format!(
            "expected `exponent` of i1, i8, i16 or i32, found `{}`",
            cx.ty(exponent)
        );
        cx.operand_error(op, exponent, message, "an exponent has at most 32 bits");
    }
}

/// Returns the accumulator types for operands of type `input`.
fn accumulators(input: Scalar) -> &'static [Scalar] {
    match input {
        Scalar::F8E4M3FN | Scalar::F8E5M2 | Scalar::F16 => &[Scalar::F16, Scalar::F32],
        Scalar::BF16 | Scalar::TF32 | Scalar::F32 => &[Scalar::F32],
        Scalar::F64 => &[Scalar::F64],
        Scalar::F8E8M0FNU
        | Scalar::F4E2M1FN
        | Scalar::I1
        | Scalar::I4
        | Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64 => &[],
    }
}

fn mma_elements(cx: &mut Context<'_>, op: &Op) {
    let (Some((input, _)), Some((acc, _))) = (numbers(cx, op, mma::LHS), numbers(cx, op, mma::ACC))
    else {
        return;
    };
    let allowed = accumulators(input);
    if !allowed.contains(&acc) {
        let names = either(allowed);
        cx.operand_error(
            op,
            op.operands[mma::ACC],
            format!("expected `acc` of {names}, found `{acc}`"),
            format!("products of `{input}` are accumulated in {names}"),
        );
    }
}

/// Checks shapes, then element types, then the number of elements per scale: each step relies on
/// the previous one.
fn mma_scaled(cx: &mut Context<'_>, op: &Op) {
    if !mma::verify_shapes(cx, op) || !mma::verify_scale_shapes(cx, op) {
        return;
    }
    let scales = op.operands[mma::LHS_SCALE];
    let (Some((input, lhs)), Some((scale, counts))) =
        (numbers(cx, op, mma::LHS), cx.ty(scales).as_number_tile())
    else {
        return;
    };
    if scale == Scalar::F8E4M3FN && input != Scalar::F4E2M1FN {
        cx.operand_error(
            op,
            scales,
            format!("expected scales of `f8E8M0FNU` for `{input}`, found `{scale}`"),
            format!("unsupported combination of element types: `{scale}` scales `f4E2M1FN` only"),
        );
        return;
    }
    let depth = lhs[lhs.len() - 1];
    let count = counts[counts.len() - 1];
    let legal: &[i64] = match (input, scale) {
        (Scalar::F4E2M1FN, Scalar::F8E4M3FN) => &[16],
        (Scalar::F4E2M1FN, _) => &[16, 32],
        _ => &[32],
    };
    if !legal.iter().any(|&length| length * count == depth) {
        cx.operand_error(
            op,
            scales,
            format!(
                "expected a scale for every {} elements along k, found {count} scales for {depth}",
                either(legal)
            ),
            format!(
                "shape error: `{scale}` scales `{input}` in blocks of {}",
                either(legal)
            ),
        );
    }
}

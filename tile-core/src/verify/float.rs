//! Floating point: the matrix product. Rows say the rest.

use super::{Context, mma};
use crate::ir::Op;
use crate::ops::FloatOp;
use crate::types::Scalar;

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, op: &Op, opcode: FloatOp) {
    match opcode {
        FloatOp::MmaF => {
            mma::verify_shapes(cx, op);
            mma_elements(cx, op);
        }
        FloatOp::AbsF
        | FloatOp::Atan2
        | FloatOp::FPowI
        | FloatOp::MmaFScaled
        | FloatOp::AddF
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

/// What a product of elements may be accumulated in.
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
    let element = |slot| {
        cx.ty(op.operand(slot))
            .as_number_tile()
            .map(|(scalar, _)| scalar)
    };
    let (Some(input), Some(acc)) = (element("lhs"), element("acc")) else {
        return;
    };
    let allowed = accumulators(input);
    if !allowed.contains(&acc) {
        let names: Vec<String> = allowed.iter().map(|scalar| format!("`{scalar}`")).collect();
        cx.operand_fault(
            op,
            op.operand("acc"),
            format!("expected `acc` of {}, found `{acc}`", names.join(" or ")),
            format!(
                "products of `{input}` are accumulated in {}",
                names.join(" or ")
            ),
        );
    }
}

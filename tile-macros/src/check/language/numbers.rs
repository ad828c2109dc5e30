//! Methods of numbers and tiles, besides those of [`crate::hir::MathOp`].

use super::{NumberCheck, Row, rows};
use crate::hir::RoundedOp;
use crate::parse::ast::BinaryOp;

rows! {
    /// The methods.
    NUMBERS: NumberCheck = (checker, ty, call);

    "add_with" "x.add_with(y, Rounding::Zero)" => checker.rounded(RoundedOp::Add, 2, call);
    "sub_with" "x.sub_with(y, Rounding::Zero)" => checker.rounded(RoundedOp::Sub, 2, call);
    "mul_with" "x.mul_with(y, Rounding::Zero)" => checker.rounded(RoundedOp::Mul, 2, call);
    "div_with" "x.div_with(y, Rounding::Zero)" => checker.rounded(RoundedOp::Div, 2, call);
    "sqrt_with" "x.sqrt_with(Rounding::Zero)" => checker.rounded(RoundedOp::Sqrt, 1, call);
    "mul_add_with" "x.mul_add_with(y, z, Rounding::Zero)" =>
        checker.rounded(RoundedOp::MulAdd, 3, call);
    "tanh_with" "x.tanh_with(Rounding::Approx)" => checker.rounded(RoundedOp::Tanh, 1, call);
    "exp_with" "x.exp_with(Rounding::Approx)" => checker.rounded(RoundedOp::Exp, 1, call);
    "unchecked_add" "x.unchecked_add(y)" => checker.unchecked(BinaryOp::Add, call);
    "unchecked_sub" "x.unchecked_sub(y)" => checker.unchecked(BinaryOp::Sub, call);
    "unchecked_mul" "x.unchecked_mul(y)" => checker.unchecked(BinaryOp::Mul, call);
    "unchecked_shl" "x.unchecked_shl(n)" => checker.unchecked(BinaryOp::Shl, call);
    "unchecked_shr" "x.unchecked_shr(n)" => checker.unchecked(BinaryOp::Shr, call);
    "cast" (generic) "x.cast::<f32>()" => checker.cast_method(call, ty);
    "cast_with" (generic) "x.cast_with::<f16>(Rounding::NearestEven)" => checker.cast_with(call, ty);
    "saturating_cast" (generic) "x.saturating_cast::<f8e4m3>()" => checker.saturating_cast(call, ty);
    "sin_cos" "x.sin_cos()" => checker.sin_cos(call);
    "bitcast" (generic) "x.bitcast::<u32>()" => checker.bitcast(call, ty);
    "log" "x.log()" => checker.log(call);
}

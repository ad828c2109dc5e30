//! Methods of numbers and tiles, besides those of [`crate::hir::MathOp`].
//!
//! In declarations `Operand` is a number or a tile that stretches to the shape of the receiver, and `Of<U>` is the
//! type of the receiver with elements of type `U`. The declarations for tiles and for numbers are made from them.

use super::{Declaration, NumberCheck, Row, rows};
use crate::hir::RoundedOp;
use crate::parse::ast::BinaryOp;

/// An operation on two operands, with a rounding mode.
const ROUNDED: Declaration = Declaration::new("fn(self, y: Operand, rounding: Rounding) -> Self");

/// An operation on one operand, with a rounding mode.
const ROUNDED_UNARY: Declaration = Declaration::new("fn(self, rounding: Rounding) -> Self");

/// An operation with undefined behaviour on overflow.
const UNCHECKED: Declaration = Declaration {
    text: "unsafe fn(self, y: Operand) -> Self",
    notes: &["", " # Safety", "", " No result may overflow."],
};

/// A shift with undefined behaviour for amounts of the width and above.
const UNCHECKED_SHIFT: Declaration = Declaration {
    text: "unsafe fn(self, n: OperandOf<u32>) -> Self",
    notes: &[
        "",
        " # Safety",
        "",
        " Every amount must be less than the width.",
    ],
};

/// A conversion to another element type.
const CONVERSION: Declaration = Declaration::new("fn<U: Element>(self) -> Of<U>");

rows! {
    /// The methods.
    NUMBERS: NumberCheck = (checker, ty, call);

    /// Computes `x + y` of floats with the given rounding.
    "add_with" "x.add_with(y, Rounding::Zero)" ROUNDED => checker.rounded(RoundedOp::Add, 2, call);
    /// Computes `x - y` of floats with the given rounding.
    "sub_with" "x.sub_with(y, Rounding::Zero)" ROUNDED => checker.rounded(RoundedOp::Sub, 2, call);
    /// Computes `x * y` of floats with the given rounding.
    "mul_with" "x.mul_with(y, Rounding::Zero)" ROUNDED => checker.rounded(RoundedOp::Mul, 2, call);
    /// Computes `x / y` with the given rounding: of floats, or the quotient of integers rounded to an integer.
    "div_with" "x.div_with(y, Rounding::Zero)" ROUNDED => checker.rounded(RoundedOp::Div, 2, call);
    /// Computes the square root with the given rounding.
    "sqrt_with" "x.sqrt_with(Rounding::Zero)" ROUNDED_UNARY => checker.rounded(RoundedOp::Sqrt, 1, call);
    /// Computes `x * y + z`, rounded once with the given rounding.
    "mul_add_with" "x.mul_add_with(y, z, Rounding::Zero)"
        "fn(self, y: Operand, z: Operand, rounding: Rounding) -> Self" =>
        checker.rounded(RoundedOp::MulAdd, 3, call);
    /// Computes the hyperbolic tangent with the given rounding.
    "tanh_with" "x.tanh_with(Rounding::Approx)" ROUNDED_UNARY => checker.rounded(RoundedOp::Tanh, 1, call);
    /// Computes `e^x` with the given rounding.
    "exp_with" "x.exp_with(Rounding::Approx)" ROUNDED_UNARY => checker.rounded(RoundedOp::Exp, 1, call);
    /// Computes `x + y` of integers, which the author promises not to overflow.
    "unchecked_add" "x.unchecked_add(y)" UNCHECKED => checker.unchecked(BinaryOp::Add, call);
    /// Computes `x - y` of integers, which the author promises not to overflow.
    "unchecked_sub" "x.unchecked_sub(y)" UNCHECKED => checker.unchecked(BinaryOp::Sub, call);
    /// Computes `x * y` of integers, which the author promises not to overflow.
    "unchecked_mul" "x.unchecked_mul(y)" UNCHECKED => checker.unchecked(BinaryOp::Mul, call);
    /// Computes `x << n`, with an amount that the author promises to be less than the width.
    "unchecked_shl" "x.unchecked_shl(n)" UNCHECKED_SHIFT => checker.unchecked(BinaryOp::Shl, call);
    /// Computes `x >> n`, with an amount that the author promises to be less than the width.
    "unchecked_shr" "x.unchecked_shr(n)" UNCHECKED_SHIFT => checker.unchecked(BinaryOp::Shr, call);
    /// Converts to another element type, with the meaning of `as`; also from `bool` to floats, but not to `bool`.
    "cast" (generic) "x.cast::<f32>()" CONVERSION => checker.cast_method(call, ty);
    /// Converts to another element type with the given rounding.
    "cast_with" (generic) "x.cast_with::<f16>(Rounding::NearestEven)"
        "fn<U: Element>(self, rounding: Rounding) -> Of<U>" => checker.cast_with(call, ty);
    /// Converts to the nearest finite number of another element type, where `cast` wraps (integers) or gives an infinity
    /// or NaN (floats). NaN stays NaN, and becomes 0 as an integer.
    "saturating_cast" (generic) "x.saturating_cast::<f8e4m3>()" CONVERSION => checker.saturating_cast(call, ty);
    /// Computes sine and cosine of floats, as a tuple.
    "sin_cos" "x.sin_cos()" "fn(self) -> (Self, Self)" => checker.sin_cos(call);
    /// Reinterprets the bits as another element type of the same width.
    "bitcast" (generic) "x.bitcast::<u32>()" CONVERSION => checker.bitcast(call, ty);
    /// Computes the natural logarithm, as `ln` does: the name of NumPy and Triton.
    "log" "x.log()" "fn(self) -> Self" => checker.log(call);
}

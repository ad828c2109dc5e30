//! Elementwise functions, as a table with one row per method.

use super::signature::HostScalar;

/// The element types that a function accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Floats.
    Floats,
    /// Signed integers.
    Signed,
    /// Integers.
    Integers,
    /// Unsigned integers.
    Unsigned,
    /// Signed integers and floats.
    SignedAndFloats,
    /// Integers and floats.
    Numbers,
}

/// The element type of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gives {
    /// The element type of the receiver.
    Same,
    /// `bool`
    Bool,
    /// `u32`
    U32,
    /// The unsigned integer with the width of the receiver.
    Unsigned,
    /// The unsigned integer with the width of a float.
    Bits,
}

/// An elementwise method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// Its name.
    pub(crate) name: &'static str,
    /// The operation.
    pub(crate) op: MathOp,
    /// A sample call, for messages.
    pub(crate) usage: &'static str,
    /// Its documentation, one sentence.
    #[cfg_attr(not(test), expect(dead_code, reason = "files are generated from it"))]
    pub(crate) doc: &'static str,
    /// The number of operands, including the receiver.
    pub(crate) count: usize,
    /// The accepted element types of the receiver.
    pub(crate) takes: Takes,
    /// The element type of the result.
    pub(crate) gives: Gives,
    /// The element type of the last operand, if it differs from that of the receiver.
    pub(crate) last: Option<HostScalar>,
}

macro_rules! functions {
    ($($name:literal $Op:ident $usage:literal $count:literal $Takes:ident $Gives:ident $($last:ident)?, $doc:literal;)+) => {
        /// Elementwise functions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum MathOp {
            $(#[doc = $doc] $Op,)+
        }

        impl MathOp {
            /// Every method, in table order.
            pub(crate) const TABLE: &'static [Row] = &[$(Row {
                name: $name,
                op: MathOp::$Op,
                usage: $usage,
                doc: $doc,
                count: $count,
                takes: Takes::$Takes,
                gives: Gives::$Gives,
                last: functions!(@last $($last)?),
            },)+];
        }
    };
    (@last) => { None };
    (@last $last:ident) => { Some(HostScalar::$last) };
}

functions! {
    "abs" Abs "x.abs()" 1 SignedAndFloats Same, "Returns the absolute value; that of `MIN` wraps.";
    "ceil" Ceil "x.ceil()" 1 Floats Same, "Rounds towards positive infinity.";
    "cos" Cos "x.cos()" 1 Floats Same, "Computes the cosine.";
    "cosh" Cosh "x.cosh()" 1 Floats Same, "Computes the hyperbolic cosine.";
    "exp" Exp "x.exp()" 1 Floats Same, "Computes `e^x`.";
    "exp2" Exp2 "x.exp2()" 1 Floats Same, "Computes `2^x`.";
    "floor" Floor "x.floor()" 1 Floats Same, "Rounds towards negative infinity.";
    "ln" Log "x.ln()" 1 Floats Same, "Computes the natural logarithm.";
    "log2" Log2 "x.log2()" 1 Floats Same, "Computes the logarithm to base 2.";
    "rsqrt" Rsqrt "x.rsqrt()" 1 Floats Same, "Computes `1 / sqrt(x)`.";
    "sin" Sin "x.sin()" 1 Floats Same, "Computes the sine.";
    "sinh" Sinh "x.sinh()" 1 Floats Same, "Computes the hyperbolic sine.";
    "sqrt" Sqrt "x.sqrt()" 1 Floats Same, "Computes the square root.";
    "tan" Tan "x.tan()" 1 Floats Same, "Computes the tangent.";
    "tanh" Tanh "x.tanh()" 1 Floats Same, "Computes the hyperbolic tangent.";
    "max" Max "x.max(y)" 2 Numbers Same, "Returns the maximum; of a float and a NaN, the float.";
    "min" Min "x.min(y)" 2 Numbers Same, "Returns the minimum; of a float and a NaN, the float.";
    "maximum" Maximum "x.maximum(y)" 2 Floats Same, "Returns the maximum; NaN if either operand is NaN.";
    "minimum" Minimum "x.minimum(y)" 2 Floats Same, "Returns the minimum; NaN if either operand is NaN.";
    "powf" Powf "x.powf(y)" 2 Floats Same, "Computes `x^y`.";
    "powi" Powi "x.powi(n)" 2 Floats Same I32, "Computes `x^n`; `n` is an `i32`.";
    "atan2" Atan2 "y.atan2(x)" 2 Floats Same, "Returns the angle of the point `(x, y)`, whose second coordinate is the receiver.";
    "mul_add" MulAdd "x.mul_add(y, z)" 3 Floats Same, "Computes `x * y + z`, rounded once.";
    "clamp" Clamp "x.clamp(low, high)" 3 Numbers Same, "Limits elements to the range from `low` to `high`; NaN stays NaN.";
    "recip" Recip "x.recip()" 1 Floats Same, "Computes `1 / x`.";
    "trunc" Trunc "x.trunc()" 1 Floats Same, "Rounds towards zero.";
    "fract" Fract "x.fract()" 1 Floats Same, "Computes `x - x.trunc()`.";
    "round" Round "x.round()" 1 Floats Same, "Rounds to the nearest integer, ties away from zero.";
    "round_ties_even" RoundTiesEven "x.round_ties_even()" 1 Floats Same, "Rounds to the nearest integer, ties to even.";
    "log10" Log10 "x.log10()" 1 Floats Same, "Computes the logarithm to base 10.";
    "exp_m1" ExpM1 "x.exp_m1()" 1 Floats Same, "Computes `e^x - 1`, accurate near zero.";
    "ln_1p" Ln1p "x.ln_1p()" 1 Floats Same, "Computes `ln(1 + x)`, accurate near zero.";
    "cbrt" Cbrt "x.cbrt()" 1 Floats Same, "Computes the cube root.";
    "hypot" Hypot "x.hypot(y)" 2 Floats Same, "Computes `sqrt(x * x + y * y)`, without intermediate overflow.";
    "asin" Asin "x.asin()" 1 Floats Same, "Computes the arc sine.";
    "acos" Acos "x.acos()" 1 Floats Same, "Computes the arc cosine.";
    "atan" Atan "x.atan()" 1 Floats Same, "Computes the arc tangent.";
    "asinh" Asinh "x.asinh()" 1 Floats Same, "Computes the inverse hyperbolic sine.";
    "acosh" Acosh "x.acosh()" 1 Floats Same, "Computes the inverse hyperbolic cosine.";
    "atanh" Atanh "x.atanh()" 1 Floats Same, "Computes the inverse hyperbolic tangent.";
    "to_degrees" ToDegrees "x.to_degrees()" 1 Floats Same, "Converts radians to degrees.";
    "to_radians" ToRadians "x.to_radians()" 1 Floats Same, "Converts degrees to radians.";
    "to_bits" ToBits "x.to_bits()" 1 Floats Bits, "Returns the bits of a float as an unsigned integer.";
    "is_sign_negative" IsSignNegative "x.is_sign_negative()" 1 Floats Bool, "Returns `true` if the sign bit is set.";
    "is_sign_positive" IsSignPositive "x.is_sign_positive()" 1 Floats Bool, "Returns `true` if the sign bit is not set.";
    "copysign" CopySign "x.copysign(y)" 2 Floats Same, "Returns the magnitude of `x` with the sign of `y`.";
    "is_nan" IsNan "x.is_nan()" 1 Floats Bool, "Returns `true` for NaN.";
    "is_infinite" IsInfinite "x.is_infinite()" 1 Floats Bool, "Returns `true` for infinities.";
    "is_finite" IsFinite "x.is_finite()" 1 Floats Bool, "Returns `true` for numbers that are neither infinite nor NaN.";
    "signum" Signum "x.signum()" 1 SignedAndFloats Same, "Returns 1, -1, or 0 for an integer 0; for a float, 1 with its sign.";
    "rem_euclid" RemEuclid "x.rem_euclid(y)" 2 Numbers Same, "Returns the remainder that is not negative.";
    "div_euclid" DivEuclid "x.div_euclid(y)" 2 Numbers Same, "Returns the quotient that belongs to `rem_euclid`.";
    "div_ceil" DivCeil "x.div_ceil(y)" 2 Integers Same, "Returns the quotient, rounded up.";
    "next_multiple_of" NextMultipleOf "x.next_multiple_of(y)" 2 Unsigned Same, "Returns the smallest multiple of `y` greater than or equal to `x`, modulo the width.";
    "abs_diff" AbsDiff "x.abs_diff(y)" 2 Integers Unsigned, "Computes `|x - y|`, which does not overflow.";
    "unsigned_abs" UnsignedAbs "x.unsigned_abs()" 1 Signed Unsigned, "Computes `|x|`, which does not overflow.";
    "is_power_of_two" IsPowerOfTwo "x.is_power_of_two()" 1 Unsigned Bool, "Returns `true` if exactly one bit is set.";
    "next_power_of_two" NextPowerOfTwo "x.next_power_of_two()" 1 Unsigned Same, "Returns the smallest power of two greater than or equal to `x`; 0 if it does not fit.";
    "isqrt" Isqrt "x.isqrt()" 1 Integers Same, "Computes the square root, rounded down; 0 for a negative number.";
    "ilog2" Ilog2 "x.ilog2()" 1 Integers U32, "Computes the logarithm to base 2, rounded down; `u32::MAX` if it is undefined.";
    "ilog10" Ilog10 "x.ilog10()" 1 Integers U32, "Computes the logarithm to base 10, rounded down; `u32::MAX` if it is undefined.";
    "pow" Pow "x.pow(n)" 2 Integers Same U32, "Computes `x^n`, modulo the width; `n` is a `u32`. A constant exponent takes fewer multiplications.";
    "wrapping_add" WrappingAdd "x.wrapping_add(y)" 2 Integers Same, "Computes `x + y`, modulo the width.";
    "wrapping_sub" WrappingSub "x.wrapping_sub(y)" 2 Integers Same, "Computes `x - y`, modulo the width.";
    "wrapping_mul" WrappingMul "x.wrapping_mul(y)" 2 Integers Same, "Computes `x * y`, modulo the width.";
    "wrapping_neg" WrappingNeg "x.wrapping_neg()" 1 Integers Same, "Computes `-x`, modulo the width.";
    "wrapping_abs" WrappingAbs "x.wrapping_abs()" 1 Signed Same, "Computes `|x|`, modulo the width.";
    "wrapping_shl" WrappingShl "x.wrapping_shl(n)" 2 Integers Same U32, "Computes `x << n`, with `n` modulo the width.";
    "wrapping_shr" WrappingShr "x.wrapping_shr(n)" 2 Integers Same U32, "Computes `x >> n`, with `n` modulo the width.";
    "saturating_add" SaturatingAdd "x.saturating_add(y)" 2 Integers Same, "Computes `x + y`, saturating at the bounds of the type.";
    "saturating_sub" SaturatingSub "x.saturating_sub(y)" 2 Integers Same, "Computes `x - y`, saturating at the bounds of the type.";
    "saturating_mul" SaturatingMul "x.saturating_mul(y)" 2 Integers Same, "Computes `x * y`, saturating at the bounds of the type.";
    "saturating_div" SaturatingDiv "x.saturating_div(y)" 2 Integers Same, "Computes `x / y`, saturating at the bounds of the type.";
    "saturating_neg" SaturatingNeg "x.saturating_neg()" 1 Signed Same, "Computes `-x`, saturating at the bounds of the type.";
    "saturating_abs" SaturatingAbs "x.saturating_abs()" 1 Signed Same, "Computes `|x|`, saturating at the bounds of the type.";
    "swap_bytes" SwapBytes "x.swap_bytes()" 1 Integers Same, "Reverses the byte order.";
    "reverse_bits" ReverseBits "x.reverse_bits()" 1 Integers Same, "Reverses the bit order.";
    "mul_hi" MulHi "x.mul_hi(y)" 2 Integers Same, "Returns the high half of the product.";
    "rotate_left" RotateLeft "x.rotate_left(n)" 2 Integers Same U32, "Rotates the bits towards the highest one.";
    "rotate_right" RotateRight "x.rotate_right(n)" 2 Integers Same U32, "Rotates the bits towards the lowest one.";
    "count_ones" CountOnes "x.count_ones()" 1 Integers U32, "Returns the number of bits that are 1.";
    "count_zeros" CountZeros "x.count_zeros()" 1 Integers U32, "Returns the number of bits that are 0.";
    "leading_zeros" LeadingZeros "x.leading_zeros()" 1 Integers U32, "Returns the number of zeros above the highest 1.";
    "trailing_zeros" TrailingZeros "x.trailing_zeros()" 1 Integers U32, "Returns the number of zeros below the lowest 1.";
    "leading_ones" LeadingOnes "x.leading_ones()" 1 Integers U32, "Returns the number of ones above the highest 0.";
    "trailing_ones" TrailingOnes "x.trailing_ones()" 1 Integers U32, "Returns the number of ones below the lowest 0.";
    "exp2_ftz" Exp2Ftz "x.exp2_ftz()" 1 Floats Same, "Computes `2^x` of `f32`; subnormal numbers are flushed to zero.";
    "rsqrt_ftz" RsqrtFtz "x.rsqrt_ftz()" 1 Floats Same, "Computes `1 / sqrt(x)` of `f32`; subnormal numbers are flushed to zero.";
    "max_ftz" MaxFtz "x.max_ftz(y)" 2 Floats Same, "Returns the maximum of `f32`; subnormal numbers are flushed to zero.";
    "min_ftz" MinFtz "x.min_ftz(y)" 2 Floats Same, "Returns the minimum of `f32`; subnormal numbers are flushed to zero.";
}

impl MathOp {
    /// Returns the row of a method.
    pub(crate) fn from_name(name: &str) -> Option<&'static Row> {
        Self::TABLE.iter().find(|row| row.name == name)
    }

    /// Returns the row of the operation.
    pub(crate) fn row(self) -> &'static Row {
        Self::TABLE
            .iter()
            .find(|row| row.op == self)
            .expect("every function has a row")
    }

    /// Returns `true` for functions that flush subnormal numbers to zero, which only `f32`
    /// supports.
    pub(crate) fn flushes(self) -> bool {
        matches!(
            self,
            MathOp::Exp2Ftz | MathOp::RsqrtFtz | MathOp::MaxFtz | MathOp::MinFtz
        )
    }

    /// Returns `true` for integer divisions, which may be undefined.
    pub(crate) fn divides(self) -> bool {
        matches!(
            self,
            MathOp::RemEuclid
                | MathOp::DivEuclid
                | MathOp::DivCeil
                | MathOp::NextMultipleOf
                | MathOp::SaturatingDiv
        )
    }
}

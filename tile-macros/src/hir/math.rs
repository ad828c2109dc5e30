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
    "abs" Abs "x.abs()" 1 SignedAndFloats Same, "Absolute value; of `MIN` it wraps.";
    "ceil" Ceil "x.ceil()" 1 Floats Same, "Towards positive infinity.";
    "cos" Cos "x.cos()" 1 Floats Same, "Cosine.";
    "cosh" Cosh "x.cosh()" 1 Floats Same, "Hyperbolic cosine.";
    "exp" Exp "x.exp()" 1 Floats Same, "`e^x`.";
    "exp2" Exp2 "x.exp2()" 1 Floats Same, "`2^x`.";
    "floor" Floor "x.floor()" 1 Floats Same, "Towards negative infinity.";
    "ln" Log "x.ln()" 1 Floats Same, "Natural logarithm.";
    "log2" Log2 "x.log2()" 1 Floats Same, "Logarithm to base 2.";
    "rsqrt" Rsqrt "x.rsqrt()" 1 Floats Same, "`1 / sqrt(x)`.";
    "sin" Sin "x.sin()" 1 Floats Same, "Sine.";
    "sinh" Sinh "x.sinh()" 1 Floats Same, "Hyperbolic sine.";
    "sqrt" Sqrt "x.sqrt()" 1 Floats Same, "Square root.";
    "tan" Tan "x.tan()" 1 Floats Same, "Tangent.";
    "tanh" Tanh "x.tanh()" 1 Floats Same, "Hyperbolic tangent.";
    "max" Max "x.max(y)" 2 Numbers Same, "The greater; of floats, the one that is not NaN.";
    "min" Min "x.min(y)" 2 Numbers Same, "The lesser; of floats, the one that is not NaN.";
    "maximum" Maximum "x.maximum(y)" 2 Floats Same, "The greater; NaN if one is.";
    "minimum" Minimum "x.minimum(y)" 2 Floats Same, "The lesser; NaN if one is.";
    "powf" Powf "x.powf(y)" 2 Floats Same, "`x^y`.";
    "powi" Powi "x.powi(n)" 2 Floats Same I32, "`x^n`.";
    "atan2" Atan2 "y.atan2(x)" 2 Floats Same, "The angle of the point `(x, y)`.";
    "mul_add" MulAdd "x.mul_add(y, z)" 3 Floats Same, "`x * y + z`, rounded once.";
    "clamp" Clamp "x.clamp(low, high)" 3 Numbers Same, "Into a range; NaN stays.";
    "recip" Recip "x.recip()" 1 Floats Same, "`1 / x`.";
    "trunc" Trunc "x.trunc()" 1 Floats Same, "Towards zero.";
    "fract" Fract "x.fract()" 1 Floats Same, "`x - x.trunc()`.";
    "round" Round "x.round()" 1 Floats Same, "To the nearest integer, halves away from zero.";
    "round_ties_even" RoundTiesEven "x.round_ties_even()" 1 Floats Same, "To the nearest integer, halves to the even one.";
    "log10" Log10 "x.log10()" 1 Floats Same, "Logarithm to base 10.";
    "exp_m1" ExpM1 "x.exp_m1()" 1 Floats Same, "`e^x - 1`, exact near zero.";
    "ln_1p" Ln1p "x.ln_1p()" 1 Floats Same, "`ln(1 + x)`, exact near zero.";
    "cbrt" Cbrt "x.cbrt()" 1 Floats Same, "Cube root.";
    "hypot" Hypot "x.hypot(y)" 2 Floats Same, "`sqrt(x * x + y * y)`, without overflow between.";
    "asin" Asin "x.asin()" 1 Floats Same, "Arc sine.";
    "acos" Acos "x.acos()" 1 Floats Same, "Arc cosine.";
    "atan" Atan "x.atan()" 1 Floats Same, "Arc tangent.";
    "asinh" Asinh "x.asinh()" 1 Floats Same, "Inverse hyperbolic sine.";
    "acosh" Acosh "x.acosh()" 1 Floats Same, "Inverse hyperbolic cosine.";
    "atanh" Atanh "x.atanh()" 1 Floats Same, "Inverse hyperbolic tangent.";
    "to_degrees" ToDegrees "x.to_degrees()" 1 Floats Same, "Radians to degrees.";
    "to_radians" ToRadians "x.to_radians()" 1 Floats Same, "Degrees to radians.";
    "to_bits" ToBits "x.to_bits()" 1 Floats Bits, "The bits of a float.";
    "is_sign_negative" IsSignNegative "x.is_sign_negative()" 1 Floats Bool, "Whether the sign bit is set.";
    "is_sign_positive" IsSignPositive "x.is_sign_positive()" 1 Floats Bool, "Whether the sign bit is not set.";
    "copysign" CopySign "x.copysign(y)" 2 Floats Same, "The magnitude of `x`, the sign of `y`.";
    "is_nan" IsNan "x.is_nan()" 1 Floats Bool, "Whether it is NaN.";
    "is_infinite" IsInfinite "x.is_infinite()" 1 Floats Bool, "Whether it is infinite.";
    "is_finite" IsFinite "x.is_finite()" 1 Floats Bool, "Whether it is neither infinite nor NaN.";
    "signum" Signum "x.signum()" 1 SignedAndFloats Same, "1, -1, or 0 of an integer 0; of a float, 1 with its sign.";
    "rem_euclid" RemEuclid "x.rem_euclid(y)" 2 Numbers Same, "The remainder that is not negative.";
    "div_euclid" DivEuclid "x.div_euclid(y)" 2 Numbers Same, "The quotient of `rem_euclid`.";
    "div_ceil" DivCeil "x.div_ceil(y)" 2 Integers Same, "The quotient rounded up.";
    "abs_diff" AbsDiff "x.abs_diff(y)" 2 Integers Unsigned, "`|x - y|` without overflow.";
    "unsigned_abs" UnsignedAbs "x.unsigned_abs()" 1 Signed Unsigned, "Absolute value without overflow.";
    "is_power_of_two" IsPowerOfTwo "x.is_power_of_two()" 1 Unsigned Bool, "Whether one bit is set.";
    "next_power_of_two" NextPowerOfTwo "x.next_power_of_two()" 1 Unsigned Same, "The least power of two that is not below; wraps to 0.";
    "isqrt" Isqrt "x.isqrt()" 1 Integers Same, "Square root, rounded down; of a negative number 0.";
    "ilog2" Ilog2 "x.ilog2()" 1 Integers U32, "Logarithm to base 2, rounded down; `u32::MAX` where there is none.";
    "ilog10" Ilog10 "x.ilog10()" 1 Integers U32, "Logarithm to base 10, rounded down; `u32::MAX` where there is none.";
    "pow" Pow "x.pow(n)" 2 Integers Same U32, "`x^n`, which wraps.";
    "wrapping_add" WrappingAdd "x.wrapping_add(y)" 2 Integers Same, "`x + y`, which wraps.";
    "wrapping_sub" WrappingSub "x.wrapping_sub(y)" 2 Integers Same, "`x - y`, which wraps.";
    "wrapping_mul" WrappingMul "x.wrapping_mul(y)" 2 Integers Same, "`x * y`, which wraps.";
    "wrapping_neg" WrappingNeg "x.wrapping_neg()" 1 Integers Same, "`-x`, which wraps.";
    "wrapping_abs" WrappingAbs "x.wrapping_abs()" 1 Signed Same, "`|x|`, which wraps.";
    "wrapping_shl" WrappingShl "x.wrapping_shl(n)" 2 Integers Same U32, "`x << n`, with `n` modulo the width.";
    "wrapping_shr" WrappingShr "x.wrapping_shr(n)" 2 Integers Same U32, "`x >> n`, with `n` modulo the width.";
    "saturating_add" SaturatingAdd "x.saturating_add(y)" 2 Integers Same, "The nearest number to `x + y`.";
    "saturating_sub" SaturatingSub "x.saturating_sub(y)" 2 Integers Same, "The nearest number to `x - y`.";
    "saturating_mul" SaturatingMul "x.saturating_mul(y)" 2 Integers Same, "The nearest number to `x * y`.";
    "saturating_div" SaturatingDiv "x.saturating_div(y)" 2 Integers Same, "The nearest number to `x / y`.";
    "saturating_neg" SaturatingNeg "x.saturating_neg()" 1 Signed Same, "The nearest number to `-x`.";
    "saturating_abs" SaturatingAbs "x.saturating_abs()" 1 Signed Same, "The nearest number to `|x|`.";
    "swap_bytes" SwapBytes "x.swap_bytes()" 1 Integers Same, "Bytes in the opposite order.";
    "reverse_bits" ReverseBits "x.reverse_bits()" 1 Integers Same, "Bits in the opposite order.";
    "mul_hi" MulHi "x.mul_hi(y)" 2 Integers Same, "The high half of the product.";
    "rotate_left" RotateLeft "x.rotate_left(n)" 2 Integers Same U32, "Bits moved up and around.";
    "rotate_right" RotateRight "x.rotate_right(n)" 2 Integers Same U32, "Bits moved down and around.";
    "count_ones" CountOnes "x.count_ones()" 1 Integers U32, "How many bits are 1.";
    "count_zeros" CountZeros "x.count_zeros()" 1 Integers U32, "How many bits are 0.";
    "leading_zeros" LeadingZeros "x.leading_zeros()" 1 Integers U32, "Zeros above the highest 1.";
    "trailing_zeros" TrailingZeros "x.trailing_zeros()" 1 Integers U32, "Zeros below the lowest 1.";
    "leading_ones" LeadingOnes "x.leading_ones()" 1 Integers U32, "Ones above the highest 0.";
    "trailing_ones" TrailingOnes "x.trailing_ones()" 1 Integers U32, "Ones below the lowest 0.";
    "exp2_ftz" Exp2Ftz "x.exp2_ftz()" 1 Floats Same, "`2^x`, without subnormal numbers.";
    "rsqrt_ftz" RsqrtFtz "x.rsqrt_ftz()" 1 Floats Same, "`1 / sqrt(x)`, without subnormal numbers.";
    "max_ftz" MaxFtz "x.max_ftz(y)" 2 Floats Same, "`max` without subnormal numbers.";
    "min_ftz" MinFtz "x.min_ftz(y)" 2 Floats Same, "`min` without subnormal numbers.";
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
            MathOp::RemEuclid | MathOp::DivEuclid | MathOp::DivCeil | MathOp::SaturatingDiv
        )
    }
}

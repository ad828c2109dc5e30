//! Builds float functions that are not operations of the dialect from operations that are.
//!
//! f16 and bf16 are computed in f32 and rounded once. `function_tests` measures the largest errors,
//! which `docs/numerics.md` states.

use super::Build;
use super::math::OpInfo;
use crate::hir::signature::HostScalar;
use tile_core::ir::{ComparisonPredicate as P, Signedness, ValueId};
use tile_core::ops::{BitwiseOp, ConversionOp, FloatOp, IntegerOp};
use tile_core::types::Scalar;

/// The bit layout of f32 or f64, the types in which functions are computed.
struct Layout {
    /// The integer type with the same width.
    integer: Scalar,
    /// The number of bits of the mantissa, without the leading one.
    mantissa: u32,
    /// The exponent bias.
    bias: i128,
}

/// Returns the layout of f32 or f64.
fn layout(info: OpInfo) -> Layout {
    if info.scalar == HostScalar::F64 {
        Layout {
            integer: Scalar::I64,
            mantissa: 52,
            bias: 1023,
        }
    } else {
        Layout {
            integer: Scalar::I32,
            mantissa: 23,
            bias: 127,
        }
    }
}

/// Returns `2^n`.
fn two_to(n: i32) -> f64 {
    2.0_f64.powi(n)
}

impl Build<'_, '_> {
    /// Runs `compute` on `values`; types narrower than f32 are converted to f32 and back.
    pub(super) fn widened<const N: usize>(
        &mut self,
        values: [ValueId; N],
        info: OpInfo,
        compute: impl FnOnce(&mut Self, [ValueId; N], OpInfo) -> ValueId,
    ) -> ValueId {
        if matches!(info.scalar, HostScalar::F32 | HostScalar::F64) {
            return compute(self, values, info);
        }
        let wide = OpInfo {
            scalar: HostScalar::F32,
            ..info
        };
        let values = values.map(|value| self.cast(value, info.scalar, wide.scalar, info.loc));
        let result = compute(self, values, wide);
        self.cast(result, wide.scalar, info.scalar, info.loc)
    }

    fn add(&mut self, x: ValueId, y: ValueId, info: OpInfo) -> ValueId {
        self.float(FloatOp::AddF, &[x, y], info)
    }

    fn sub(&mut self, x: ValueId, y: ValueId, info: OpInfo) -> ValueId {
        self.float(FloatOp::SubF, &[x, y], info)
    }

    fn mul(&mut self, x: ValueId, y: ValueId, info: OpInfo) -> ValueId {
        self.float(FloatOp::MulF, &[x, y], info)
    }

    fn div(&mut self, x: ValueId, y: ValueId, info: OpInfo) -> ValueId {
        self.float(FloatOp::DivF, &[x, y], info)
    }

    fn fma(&mut self, x: ValueId, y: ValueId, z: ValueId, info: OpInfo) -> ValueId {
        self.float(FloatOp::Fma, &[x, y, z], info)
    }

    fn root(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        self.float(FloatOp::Sqrt, &[x], info)
    }

    fn magnitude(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        self.float(FloatOp::AbsF, &[x], info)
    }

    /// Rounds to nearest, ties to even, by adding and subtracting a number whose unit in the last
    /// place is 1.
    pub(super) fn round_ties_even(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let places = match info.scalar {
            HostScalar::F16 => 10,
            HostScalar::Bf16 => 7,
            HostScalar::F32 => 23,
            _ => 52,
        };
        let whole = self.float_like(x, info, two_to(places));
        let magnitude = self.magnitude(x, info);
        let moved = self.add(magnitude, whole, info);
        let rounded = self.sub(moved, whole, info);
        let rounded = self.copysign(rounded, x, info);
        // Larger numbers are integers already, and NaN is unchanged.
        let small = self.cmp(P::LessThan, magnitude, whole, info);
        self.select(small, rounded, x, info.loc)
    }

    /// Returns the bits of a float as an integer.
    pub(super) fn bits_of(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let bits = info.scalar.bits_type().expect("its bits are an integer");
        self.b
            .convert(ConversionOp::BitCast, x, bits.scalar(), None, info.loc)
    }

    pub(super) fn sign_bit(&mut self, x: ValueId, predicate: P, info: OpInfo) -> ValueId {
        let bits = self.bits_of(x, info);
        let zero = self.splat_like(bits, 0, info.loc);
        self.b
            .cmpi(predicate, bits, zero, Signedness::Signed, info.loc)
    }

    /// Computes `ln(1 + x)` with Kahan's formula: `ln(u) / (u - 1)` with `u = 1 + x` is insensitive
    /// to the rounding of `u`, so its product with `x` is accurate.
    pub(super) fn ln_1p(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let one = self.float_like(x, info, 1.0);
        let infinity = self.float_like(x, info, f64::INFINITY);
        let u = self.add(one, x, info);
        let less = self.sub(u, one, info);
        let ln = self.float(FloatOp::Log, &[u], info);
        let ratio = self.div(x, less, info);
        let result = self.mul(ln, ratio, info);
        let infinite = self.cmp(P::Equal, u, infinity, info);
        let result = self.select(infinite, u, result, info.loc);
        let tiny = self.cmp(P::Equal, u, one, info);
        self.select(tiny, x, result, info.loc)
    }

    /// Computes `e^x - 1`, the inverse of [`Self::ln_1p`], as `(u - 1) * (x / ln(u))` where
    /// `u = e^x`.
    pub(super) fn exp_m1(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let [one, minus] = [1.0, -1.0].map(|value| self.float_like(x, info, value));
        let infinity = self.float_like(x, info, f64::INFINITY);
        let u = self.float(FloatOp::Exp, &[x], info);
        let less = self.sub(u, one, info);
        let ln = self.float(FloatOp::Log, &[u], info);
        let ratio = self.div(x, ln, info);
        let result = self.mul(less, ratio, info);
        let low = self.cmp(P::Equal, less, minus, info);
        let result = self.select(low, minus, result, info.loc);
        let infinite = self.cmp(P::Equal, u, infinity, info);
        let result = self.select(infinite, u, result, info.loc);
        let tiny = self.cmp(P::Equal, u, one, info);
        self.select(tiny, x, result, info.loc)
    }

    /// Computes the logarithm as fdlibm does: with `x = 2^k m`, it is
    /// `k log10(2) + ln(m) / ln(10)`. The constant `log10(2)` is split into two parts so that powers
    /// of ten have exact logarithms.
    pub(super) fn log10(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let Layout {
            integer,
            mantissa,
            bias,
        } = layout(info);
        let (high, low, inverse) = if info.scalar == HostScalar::F64 {
            (
                f64::from_bits(0x3fd3_4413_509f_6000),
                f64::from_bits(0x3d59_fef3_11f1_2b36),
                std::f64::consts::LOG10_E,
            )
        } else {
            (
                f64::from(f32::from_bits(0x3e9a_2080)),
                f64::from(f32::from_bits(0x3554_27db)),
                std::f64::consts::LOG10_E,
            )
        };
        let places = i32::try_from(mantissa).expect("a mantissa is short") + 2;
        let [zero, infinity] = [0.0, f64::INFINITY].map(|value| self.float_like(x, info, value));
        let above = self.cmp(P::GreaterThan, x, zero, info);
        let below = self.cmp(P::LessThan, x, infinity, info);
        let ordinary = self.bits(BitwiseOp::AndI, &[above, below], info);

        // Subnormal numbers are scaled to normal ones.
        let least = self.float_like(x, info, two_to(1 - i32::try_from(bias).expect("small")));
        let subnormal = self.cmp(P::LessThan, x, least, info);
        let factor = self.float_like(x, info, two_to(places));
        let scaled = self.mul(x, factor, info);
        let normal = self.select(subnormal, scaled, x, info.loc);
        let bits = self
            .b
            .convert(ConversionOp::BitCast, normal, integer, None, info.loc);
        let whole = OpInfo {
            scalar: info.scalar.bits_type().expect("f32 and f64 have one"),
            sign: Signedness::Signed,
            ..info
        };
        let exponent = self.shift_right_logical(bits, i128::from(mantissa), whole);
        let [plain, shifted] =
            [bias, bias + i128::from(places)].map(|offset| self.int_like(exponent, whole, offset));
        let offset = self.select(subnormal, shifted, plain, info.loc);
        let exponent = self.wrap(IntegerOp::SubI, &[exponent, offset], whole);
        // Below 1, the mantissa is taken from the range 0.5 to 1 to avoid cancellation near 1.
        let [none, one] = [0, 1].map(|value| self.int_like(exponent, whole, value));
        let negative = self
            .b
            .cmpi(P::LessThan, exponent, none, Signedness::Signed, info.loc);
        let step = self.select(negative, one, none, info.loc);
        let exponent = self.wrap(IntegerOp::AddI, &[exponent, step], whole);
        let places = self.int_like(bits, whole, i128::from(mantissa));
        let base = self.int_like(bits, whole, bias);
        let base = self.wrap(IntegerOp::SubI, &[base, step], whole);
        let base = self.wrap(IntegerOp::ShlI, &[base, places], whole);
        let mask = self.int_like(bits, whole, (1 << mantissa) - 1);
        let fraction = self.bits(BitwiseOp::AndI, &[bits, mask], whole);
        let fraction = self.bits(BitwiseOp::OrI, &[fraction, base], whole);
        let fraction = self.b.convert(
            ConversionOp::BitCast,
            fraction,
            info.scalar.scalar(),
            None,
            info.loc,
        );

        // For 0, infinity, NaN and negative numbers, `ln` gives the right result.
        let fraction = self.select(ordinary, fraction, x, info.loc);
        let exponent = self.b.convert(
            ConversionOp::IToF,
            exponent,
            info.scalar.scalar(),
            Some(Signedness::Signed),
            info.loc,
        );
        let exponent = self.select(ordinary, exponent, zero, info.loc);
        let [high, low, inverse] =
            [high, low, inverse].map(|value| self.float_like(x, info, value));
        let ln = self.float(FloatOp::Log, &[fraction], info);
        let ln = self.mul(inverse, ln, info);
        let rest = self.mul(exponent, low, info);
        let rest = self.add(rest, ln, info);
        let most = self.mul(exponent, high, info);
        self.add(rest, most, info)
    }

    /// Computes the cube root: a guess from the logarithm, refined by a Newton step with an exact
    /// residual.
    pub(super) fn cbrt(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        // The residual of tiny numbers would be subnormal, so they are scaled by a cube.
        let (limit, scale) = if info.scalar == HostScalar::F64 {
            (-900, 100)
        } else {
            (-90, 20)
        };
        let magnitude = self.magnitude(x, info);
        let limit = self.float_like(x, info, two_to(limit));
        let tiny = self.cmp(P::LessThan, magnitude, limit, info);
        let cube = self.float_like(x, info, two_to(3 * scale));
        let scaled = self.mul(magnitude, cube, info);
        let value = self.select(tiny, scaled, magnitude, info.loc);

        let third = self.float_like(x, info, 1.0 / 3.0);
        let log = self.float(FloatOp::Log2, &[value], info);
        let log = self.mul(log, third, info);
        let guess = self.float(FloatOp::Exp2, &[log], info);
        // value - guess^3, with the square split into two parts.
        let square = self.mul(guess, guess, info);
        let negative = self.float(FloatOp::NegF, &[square], info);
        let lost = self.fma(guess, guess, negative, info);
        let residual = self.fma(negative, guess, value, info);
        let lost = self.mul(lost, guess, info);
        let residual = self.sub(residual, lost, info);
        let three = self.float_like(x, info, 3.0);
        let slope = self.mul(three, square, info);
        let step = self.div(residual, slope, info);
        let result = self.add(guess, step, info);

        let back = self.float_like(x, info, two_to(-scale));
        let small = self.mul(result, back, info);
        let result = self.select(tiny, small, result, info.loc);
        let result = self.copysign(result, x, info);
        let [zero, infinity] = [0.0, f64::INFINITY].map(|value| self.float_like(x, info, value));
        let above = self.cmp(P::GreaterThan, magnitude, zero, info);
        let below = self.cmp(P::LessThan, magnitude, infinity, info);
        let ordinary = self.bits(BitwiseOp::AndI, &[above, below], info);
        self.select(ordinary, result, x, info.loc)
    }

    /// Computes `high * sqrt(1 + q^2)` with `q = low / high`. The result is infinite if one operand
    /// is, even if the other is NaN.
    pub(super) fn hypot(&mut self, [x, y]: [ValueId; 2], info: OpInfo) -> ValueId {
        let [zero, one, infinity] =
            [0.0, 1.0, f64::INFINITY].map(|value| self.float_like(x, info, value));
        let [x, y] = [x, y].map(|value| self.magnitude(value, info));
        let high = self.propagating(FloatOp::MaxF, &[x, y], info);
        let low = self.propagating(FloatOp::MinF, &[x, y], info);
        let ratio = self.div(low, high, info);
        let sum = self.fma(ratio, ratio, one, info);
        let root = self.root(sum, info);
        let result = self.mul(high, root, info);
        let none = self.cmp(P::Equal, high, zero, info);
        let result = self.select(none, zero, result, info.loc);
        let [first, second] = [x, y].map(|value| self.cmp(P::Equal, value, infinity, info));
        let infinite = self.bits(BitwiseOp::OrI, &[first, second], info);
        self.select(infinite, infinity, result, info.loc)
    }

    /// Computes `sqrt((1 - x)(1 + x))`, the other leg of a right triangle with hypotenuse 1. The
    /// result is NaN if `|x|` exceeds 1.
    fn other_side(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let one = self.float_like(x, info, 1.0);
        let less = self.sub(one, x, info);
        let more = self.add(one, x, info);
        let product = self.mul(less, more, info);
        self.root(product, info)
    }

    pub(super) fn asin(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let side = self.other_side(x, info);
        self.float(FloatOp::Atan2, &[x, side], info)
    }

    pub(super) fn acos(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let side = self.other_side(x, info);
        self.float(FloatOp::Atan2, &[side, x], info)
    }

    pub(super) fn atan(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let one = self.float_like(x, info, 1.0);
        self.float(FloatOp::Atan2, &[x, one], info)
    }

    /// Returns a mask of large numbers. Above the limit, `x + sqrt(x * x ± 1)` rounds to `2 x`;
    /// below the limit, squares do not overflow.
    fn great(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let power = if info.scalar == HostScalar::F64 {
            60
        } else {
            30
        };
        let limit = self.float_like(x, info, two_to(power));
        self.cmp(P::GreaterThan, x, limit, info)
    }

    /// Computes `ln(1 + sum)`, or `ln(2 x)` if `x` is large.
    fn ln_of_sum(&mut self, x: ValueId, sum: ValueId, info: OpInfo) -> ValueId {
        let great = self.great(x, info);
        let sum = self.select(great, x, sum, info.loc);
        let ln = self.ln_1p(sum, info);
        let two = self.float_like(x, info, std::f64::consts::LN_2);
        let more = self.add(ln, two, info);
        self.select(great, more, ln, info.loc)
    }

    /// Computes `ln(|x| + sqrt(x * x + 1))` with the sign of `x`.
    pub(super) fn asinh(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let one = self.float_like(x, info, 1.0);
        let magnitude = self.magnitude(x, info);
        let square = self.mul(magnitude, magnitude, info);
        let side = self.add(square, one, info);
        let side = self.root(side, info);
        let side = self.add(side, one, info);
        let rest = self.div(square, side, info);
        let sum = self.add(magnitude, rest, info);
        let result = self.ln_of_sum(magnitude, sum, info);
        self.copysign(result, x, info)
    }

    /// Computes `ln(x + sqrt(x * x - 1))`, in terms of `x - 1`.
    pub(super) fn acosh(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let [one, two, nan] = [1.0, 2.0, f64::NAN].map(|value| self.float_like(x, info, value));
        let less = self.sub(x, one, info);
        let more = self.add(less, two, info);
        let square = self.mul(less, more, info);
        let side = self.root(square, info);
        let sum = self.add(less, side, info);
        let result = self.ln_of_sum(x, sum, info);
        let none = self.cmp(P::LessThan, x, one, info);
        self.select(none, nan, result, info.loc)
    }

    /// Computes `ln(1 + 2 |x| / (1 - |x|)) / 2` with the sign of `x`.
    pub(super) fn atanh(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let [one, half] = [1.0, 0.5].map(|value| self.float_like(x, info, value));
        let magnitude = self.magnitude(x, info);
        let twice = self.add(magnitude, magnitude, info);
        let less = self.sub(one, magnitude, info);
        let ratio = self.div(twice, less, info);
        let ln = self.ln_1p(ratio, info);
        let result = self.mul(ln, half, info);
        self.copysign(result, x, info)
    }
}

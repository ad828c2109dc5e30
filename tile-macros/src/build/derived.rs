//! Functions of floats that the dialect has no operation for, made of those it has.
//!
//! f16 and bf16 are computed in f32 and rounded once. The largest errors are measured by
//! [`super::accuracy`] and stated in `docs/numerics.md`.

use super::Build;
use super::math::At;
use crate::hir::signature::HostScalar;
use tile_core::ir::{ComparisonPredicate as P, Signedness, ValueId};
use tile_core::ops::{BitwiseOp, ConversionOp, FloatOp, IntegerOp};
use tile_core::types::Scalar;

/// The layout of a type that functions are computed in.
struct Layout {
    /// The integer of its bits.
    integer: Scalar,
    /// Bits of the mantissa, without the leading one.
    mantissa: u32,
    /// What is added to exponents.
    bias: i128,
}

/// f32 or f64.
fn layout(at: At) -> Layout {
    if at.scalar == HostScalar::F64 {
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

/// `2^n`
fn two_to(n: i32) -> f64 {
    2.0_f64.powi(n)
}

impl Build<'_, '_> {
    /// Computes in f32 what is narrower.
    pub(super) fn widened<const N: usize>(
        &mut self,
        values: [ValueId; N],
        at: At,
        compute: impl FnOnce(&mut Self, [ValueId; N], At) -> ValueId,
    ) -> ValueId {
        if matches!(at.scalar, HostScalar::F32 | HostScalar::F64) {
            return compute(self, values, at);
        }
        let wide = At {
            scalar: HostScalar::F32,
            ..at
        };
        let values = values.map(|value| self.cast(value, at.scalar, wide.scalar, at.loc));
        let result = compute(self, values, wide);
        self.cast(result, wide.scalar, at.scalar, at.loc)
    }

    fn add(&mut self, x: ValueId, y: ValueId, at: At) -> ValueId {
        self.float(FloatOp::AddF, &[x, y], at)
    }

    fn sub(&mut self, x: ValueId, y: ValueId, at: At) -> ValueId {
        self.float(FloatOp::SubF, &[x, y], at)
    }

    fn mul(&mut self, x: ValueId, y: ValueId, at: At) -> ValueId {
        self.float(FloatOp::MulF, &[x, y], at)
    }

    fn div(&mut self, x: ValueId, y: ValueId, at: At) -> ValueId {
        self.float(FloatOp::DivF, &[x, y], at)
    }

    fn fma(&mut self, x: ValueId, y: ValueId, z: ValueId, at: At) -> ValueId {
        self.float(FloatOp::Fma, &[x, y, z], at)
    }

    fn root(&mut self, x: ValueId, at: At) -> ValueId {
        self.float(FloatOp::Sqrt, &[x], at)
    }

    fn magnitude(&mut self, x: ValueId, at: At) -> ValueId {
        self.float(FloatOp::AbsF, &[x], at)
    }

    /// To nearest, halves to even: the sum with a number whose last place is 1 is rounded so.
    pub(super) fn round_ties_even(&mut self, x: ValueId, at: At) -> ValueId {
        let places = match at.scalar {
            HostScalar::F16 => 10,
            HostScalar::Bf16 => 7,
            HostScalar::F32 => 23,
            _ => 52,
        };
        let whole = self.float_like(x, at, two_to(places));
        let magnitude = self.magnitude(x, at);
        let moved = self.add(magnitude, whole, at);
        let rounded = self.sub(moved, whole, at);
        let rounded = self.copysign(rounded, x, at);
        // What is greater is whole, and NaN stays.
        let small = self.cmp(P::LessThan, magnitude, whole, at);
        self.select(small, rounded, x, at.loc)
    }

    /// The bits of a float as an integer.
    pub(super) fn bits_of(&mut self, x: ValueId, at: At) -> ValueId {
        let bits = at.scalar.bits_type().expect("its bits are an integer");
        self.b
            .convert(ConversionOp::BitCast, x, bits.scalar(), None, at.loc)
    }

    pub(super) fn sign_bit(&mut self, x: ValueId, predicate: P, at: At) -> ValueId {
        let bits = self.bits_of(x, at);
        let zero = self.splat_like(bits, 0, at.loc);
        self.b
            .cmpi(predicate, bits, zero, Signedness::Signed, at.loc)
    }

    /// Kahan's formula: `ln(u) / (u - 1)` with `u = 1 + x` changes little with the
    /// rounding of `u`, so the quotient is right for `x` too.
    pub(super) fn ln_1p(&mut self, x: ValueId, at: At) -> ValueId {
        let one = self.float_like(x, at, 1.0);
        let infinity = self.float_like(x, at, f64::INFINITY);
        let u = self.add(one, x, at);
        let less = self.sub(u, one, at);
        let ln = self.float(FloatOp::Log, &[u], at);
        let ratio = self.div(x, less, at);
        let result = self.mul(ln, ratio, at);
        let infinite = self.cmp(P::Equal, u, infinity, at);
        let result = self.select(infinite, u, result, at.loc);
        let tiny = self.cmp(P::Equal, u, one, at);
        self.select(tiny, x, result, at.loc)
    }

    /// The counterpart of [`Self::ln_1p`]: `(u - 1) * (x / ln(u))` with `u = e^x`.
    pub(super) fn exp_m1(&mut self, x: ValueId, at: At) -> ValueId {
        let [one, minus] = [1.0, -1.0].map(|value| self.float_like(x, at, value));
        let infinity = self.float_like(x, at, f64::INFINITY);
        let u = self.float(FloatOp::Exp, &[x], at);
        let less = self.sub(u, one, at);
        let ln = self.float(FloatOp::Log, &[u], at);
        let ratio = self.div(x, ln, at);
        let result = self.mul(less, ratio, at);
        let low = self.cmp(P::Equal, less, minus, at);
        let result = self.select(low, minus, result, at.loc);
        let infinite = self.cmp(P::Equal, u, infinity, at);
        let result = self.select(infinite, u, result, at.loc);
        let tiny = self.cmp(P::Equal, u, one, at);
        self.select(tiny, x, result, at.loc)
    }

    /// As fdlibm does it: `x = 2^k m`, and `log10(x) = k log10(2) + ln(m) / ln(10)`, where
    /// `log10(2)` is in two parts, so that powers of ten have exact logarithms.
    pub(super) fn log10(&mut self, x: ValueId, at: At) -> ValueId {
        let Layout {
            integer,
            mantissa,
            bias,
        } = layout(at);
        let (high, low, inverse) = if at.scalar == HostScalar::F64 {
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
        let [zero, infinity] = [0.0, f64::INFINITY].map(|value| self.float_like(x, at, value));
        let above = self.cmp(P::GreaterThan, x, zero, at);
        let below = self.cmp(P::LessThan, x, infinity, at);
        let ordinary = self.bits(BitwiseOp::AndI, &[above, below], at);

        // Subnormal numbers are scaled to normal ones.
        let least = self.float_like(x, at, two_to(1 - i32::try_from(bias).expect("small")));
        let subnormal = self.cmp(P::LessThan, x, least, at);
        let factor = self.float_like(x, at, two_to(places));
        let scaled = self.mul(x, factor, at);
        let normal = self.select(subnormal, scaled, x, at.loc);
        let bits = self
            .b
            .convert(ConversionOp::BitCast, normal, integer, None, at.loc);
        let whole = At {
            scalar: at.scalar.bits_type().expect("f32 and f64 have one"),
            sign: Signedness::Signed,
            ..at
        };
        let exponent = self.shift_right_logical(bits, i128::from(mantissa), whole);
        let [plain, shifted] =
            [bias, bias + i128::from(places)].map(|offset| self.int_like(exponent, whole, offset));
        let offset = self.select(subnormal, shifted, plain, at.loc);
        let exponent = self.wrap(IntegerOp::SubI, &[exponent, offset], whole);
        // Below 1 the mantissa is taken from 0.5 to 1, so that nothing cancels near 1.
        let [none, one] = [0, 1].map(|value| self.int_like(exponent, whole, value));
        let negative = self
            .b
            .cmpi(P::LessThan, exponent, none, Signedness::Signed, at.loc);
        let step = self.select(negative, one, none, at.loc);
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
            at.scalar.scalar(),
            None,
            at.loc,
        );

        // The logarithm of 0, of infinity, of NaN and of what is negative is that of `ln`.
        let fraction = self.select(ordinary, fraction, x, at.loc);
        let exponent = self.b.convert(
            ConversionOp::IToF,
            exponent,
            at.scalar.scalar(),
            Some(Signedness::Signed),
            at.loc,
        );
        let exponent = self.select(ordinary, exponent, zero, at.loc);
        let [high, low, inverse] = [high, low, inverse].map(|value| self.float_like(x, at, value));
        let ln = self.float(FloatOp::Log, &[fraction], at);
        let ln = self.mul(inverse, ln, at);
        let rest = self.mul(exponent, low, at);
        let rest = self.add(rest, ln, at);
        let most = self.mul(exponent, high, at);
        self.add(rest, most, at)
    }

    /// A guess from the logarithm, and a step of Newton's method whose residual is exact.
    pub(super) fn cbrt(&mut self, x: ValueId, at: At) -> ValueId {
        // The residual of tiny numbers would be subnormal: they are scaled by a cube.
        let (limit, scale) = if at.scalar == HostScalar::F64 {
            (-900, 100)
        } else {
            (-90, 20)
        };
        let magnitude = self.magnitude(x, at);
        let limit = self.float_like(x, at, two_to(limit));
        let tiny = self.cmp(P::LessThan, magnitude, limit, at);
        let cube = self.float_like(x, at, two_to(3 * scale));
        let scaled = self.mul(magnitude, cube, at);
        let value = self.select(tiny, scaled, magnitude, at.loc);

        let third = self.float_like(x, at, 1.0 / 3.0);
        let log = self.float(FloatOp::Log2, &[value], at);
        let log = self.mul(log, third, at);
        let guess = self.float(FloatOp::Exp2, &[log], at);
        // value - guess^3, with the square in two parts.
        let square = self.mul(guess, guess, at);
        let negative = self.float(FloatOp::NegF, &[square], at);
        let lost = self.fma(guess, guess, negative, at);
        let residual = self.fma(negative, guess, value, at);
        let lost = self.mul(lost, guess, at);
        let residual = self.sub(residual, lost, at);
        let three = self.float_like(x, at, 3.0);
        let slope = self.mul(three, square, at);
        let step = self.div(residual, slope, at);
        let result = self.add(guess, step, at);

        let back = self.float_like(x, at, two_to(-scale));
        let small = self.mul(result, back, at);
        let result = self.select(tiny, small, result, at.loc);
        let result = self.copysign(result, x, at);
        let [zero, infinity] = [0.0, f64::INFINITY].map(|value| self.float_like(x, at, value));
        let above = self.cmp(P::GreaterThan, magnitude, zero, at);
        let below = self.cmp(P::LessThan, magnitude, infinity, at);
        let ordinary = self.bits(BitwiseOp::AndI, &[above, below], at);
        self.select(ordinary, result, x, at.loc)
    }

    /// The greater times `sqrt(1 + q^2)`, with `q` the lesser by the greater. An infinity
    /// counts more than NaN.
    pub(super) fn hypot(&mut self, [x, y]: [ValueId; 2], at: At) -> ValueId {
        let [zero, one, infinity] =
            [0.0, 1.0, f64::INFINITY].map(|value| self.float_like(x, at, value));
        let [x, y] = [x, y].map(|value| self.magnitude(value, at));
        let high = self.propagating(FloatOp::MaxF, &[x, y], at);
        let low = self.propagating(FloatOp::MinF, &[x, y], at);
        let ratio = self.div(low, high, at);
        let sum = self.fma(ratio, ratio, one, at);
        let root = self.root(sum, at);
        let result = self.mul(high, root, at);
        let none = self.cmp(P::Equal, high, zero, at);
        let result = self.select(none, zero, result, at.loc);
        let [first, second] = [x, y].map(|value| self.cmp(P::Equal, value, infinity, at));
        let infinite = self.bits(BitwiseOp::OrI, &[first, second], at);
        self.select(infinite, infinity, result, at.loc)
    }

    /// `sqrt((1 - x)(1 + x))`, the other side of a triangle; NaN where there is none.
    fn other_side(&mut self, x: ValueId, at: At) -> ValueId {
        let one = self.float_like(x, at, 1.0);
        let less = self.sub(one, x, at);
        let more = self.add(one, x, at);
        let product = self.mul(less, more, at);
        self.root(product, at)
    }

    pub(super) fn asin(&mut self, x: ValueId, at: At) -> ValueId {
        let side = self.other_side(x, at);
        self.float(FloatOp::Atan2, &[x, side], at)
    }

    pub(super) fn acos(&mut self, x: ValueId, at: At) -> ValueId {
        let side = self.other_side(x, at);
        self.float(FloatOp::Atan2, &[side, x], at)
    }

    pub(super) fn atan(&mut self, x: ValueId, at: At) -> ValueId {
        let one = self.float_like(x, at, 1.0);
        self.float(FloatOp::Atan2, &[x, one], at)
    }

    /// Above it, `x + sqrt(x * x ± 1)` is `2 x`, and squares do not overflow below.
    fn great(&mut self, x: ValueId, at: At) -> ValueId {
        let power = if at.scalar == HostScalar::F64 { 60 } else { 30 };
        let limit = self.float_like(x, at, two_to(power));
        self.cmp(P::GreaterThan, x, limit, at)
    }

    /// `ln(1 + sum)`, or `ln(2 x)` where `x` is great.
    fn ln_of_sum(&mut self, x: ValueId, sum: ValueId, at: At) -> ValueId {
        let great = self.great(x, at);
        let sum = self.select(great, x, sum, at.loc);
        let ln = self.ln_1p(sum, at);
        let two = self.float_like(x, at, std::f64::consts::LN_2);
        let more = self.add(ln, two, at);
        self.select(great, more, ln, at.loc)
    }

    /// `ln(|x| + sqrt(x * x + 1))` with the sign of `x`.
    pub(super) fn asinh(&mut self, x: ValueId, at: At) -> ValueId {
        let one = self.float_like(x, at, 1.0);
        let magnitude = self.magnitude(x, at);
        let square = self.mul(magnitude, magnitude, at);
        let side = self.add(square, one, at);
        let side = self.root(side, at);
        let side = self.add(side, one, at);
        let rest = self.div(square, side, at);
        let sum = self.add(magnitude, rest, at);
        let result = self.ln_of_sum(magnitude, sum, at);
        self.copysign(result, x, at)
    }

    /// `ln(x + sqrt(x * x - 1))`, in terms of `x - 1`.
    pub(super) fn acosh(&mut self, x: ValueId, at: At) -> ValueId {
        let [one, two, nan] = [1.0, 2.0, f64::NAN].map(|value| self.float_like(x, at, value));
        let less = self.sub(x, one, at);
        let more = self.add(less, two, at);
        let square = self.mul(less, more, at);
        let side = self.root(square, at);
        let sum = self.add(less, side, at);
        let result = self.ln_of_sum(x, sum, at);
        let none = self.cmp(P::LessThan, x, one, at);
        self.select(none, nan, result, at.loc)
    }

    /// `ln(1 + 2 |x| / (1 - |x|)) / 2` with the sign of `x`.
    pub(super) fn atanh(&mut self, x: ValueId, at: At) -> ValueId {
        let [one, half] = [1.0, 0.5].map(|value| self.float_like(x, at, value));
        let magnitude = self.magnitude(x, at);
        let twice = self.add(magnitude, magnitude, at);
        let less = self.sub(one, magnitude, at);
        let ratio = self.div(twice, less, at);
        let ln = self.ln_1p(ratio, at);
        let result = self.mul(ln, half, at);
        self.copysign(result, x, at)
    }
}

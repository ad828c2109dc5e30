//! Converts floats of eight bits and fewer, which are held as integers.
//!
//! In: bits of a small float, or an f32. Out: the f32 of the same value, or the nearest small float, ties to
//! even. The code is integer arithmetic; `pair` emits conversion instructions where the target has them.
//!
//! Formats: OCP "8-bit Floating Point Specification" and "Microscaling Formats", section 5.

use inkwell::IntPredicate;
use inkwell::values::{FloatValue, IntValue};
use tile_core::Scalar;
use tile_core::ir::RoundingMode;

use super::Element;

/// A format with a sign, an exponent and a mantissa.
#[derive(Clone, Copy)]
struct Format {
    mantissa_bits: u32,
    bias: u32,
    /// The number of bits of the type.
    bits: u32,
    /// The bit pattern of the greatest finite number, without the sign.
    greatest: u32,
    /// The bit patterns for larger numbers and for NaN, without the sign.
    overflow: u32,
    nan: u32,
}

impl Format {
    fn for_scalar(scalar: Scalar) -> Option<Self> {
        match scalar {
            Scalar::F8E4M3FN => Some(Self {
                mantissa_bits: 3,
                bias: 7,
                bits: 8,
                greatest: 0x7e,
                overflow: 0x7f,
                nan: 0x7f,
            }),
            Scalar::F8E5M2 => Some(Self {
                mantissa_bits: 2,
                bias: 15,
                bits: 8,
                greatest: 0x7b,
                overflow: 0x7c,
                nan: 0x7f,
            }),
            // This format has neither infinity nor NaN; larger numbers and NaN become its greatest number.
            Scalar::F4E2M1FN => Some(Self {
                mantissa_bits: 1,
                bias: 1,
                bits: 4,
                greatest: 7,
                overflow: 7,
                nan: 7,
            }),
            _ => None,
        }
    }
}

/// Returns `true` if a type is a small float.
pub(super) fn is_small(scalar: Scalar) -> bool {
    Format::for_scalar(scalar).is_some() || scalar == Scalar::F8E8M0FNU
}

/// The number of mantissa bits of an f32, and the bias of its exponent.
const MANTISSA: u32 = 23;
const BIAS: u32 = 127;
/// The same for an f64.
const MANTISSA_F64: u64 = 52;
const BIAS_F64: u64 = 1023;

impl<'ctx> Element<'_, 'ctx> {
    /// Converts a small float to the f32 of the same value.
    pub(super) fn widen_small(&self, value: IntValue<'ctx>, from: Scalar) -> FloatValue<'ctx> {
        let code = self.code;
        let (i16, f16, f32) = (code.int(16), code.cx.f16_type(), code.cx.f32_type());
        let bits = code.unsigned(value, i16);
        let single = |bits: IntValue<'ctx>| {
            let half = code.bit_cast(bits.into(), f16).into_float_value();
            self.extend(half, Scalar::F32)
        };
        let number = |value: u64| i16.const_int(value, false);
        // Moves the bits to their positions in an f16, and corrects the bias of the exponent.
        let moved = |sign: u64, up: u64, scale: f64| {
            let sign_bit = code.shl(code.and(bits, number(1 << sign)), number(15 - sign));
            let rest = code.shl(code.and(bits, number((1 << sign) - 1)), number(up));
            code.fmul(single(code.or(sign_bit, rest)), f32.const_float(scale))
        };
        let nan = f32.const_float(f64::NAN);
        match from {
            Scalar::F8E5M2 => single(code.shl(bits, number(8))),
            Scalar::F8E4M3FN => {
                let size = code.and(bits, number(0x7f));
                let is_nan = code.compare(IntPredicate::EQ, size, number(0x7f));
                code.select(is_nan, nan, moved(7, 7, 256.0))
                    .into_float_value()
            }
            Scalar::F4E2M1FN => moved(3, 9, 16384.0),
            Scalar::F8E8M0FNU => {
                let wide = code.unsigned(value, code.cx.i32_type());
                let power = code.shl(wide, code.i32(MANTISSA));
                // 2^-127, encoded as 0, is subnormal in f32.
                let is_min = code.compare(IntPredicate::EQ, wide, code.i32(0));
                let power = code.select(is_min, code.i32(1 << (MANTISSA - 1)), power);
                let power = code.bit_cast(power, f32).into_float_value();
                let is_nan = code.compare(IntPredicate::EQ, wide, code.i32(0xff));
                code.select(is_nan, nan, power).into_float_value()
            }
            _ => unreachable!("only small floats are widened here"),
        }
    }

    /// Converts an f32 to the nearest number of a small type with a sign, ties to even.
    pub(super) fn narrow_small(&self, value: FloatValue<'ctx>, to: Scalar) -> IntValue<'ctx> {
        let code = self.code;
        let format = Format::for_scalar(to).expect("a type with a sign");
        let lost = MANTISSA - format.mantissa_bits;
        let f32 = code.cx.f32_type();
        let bits = code
            .bit_cast(value.into(), code.cx.i32_type())
            .into_int_value();
        let size = code.and(bits, code.i32(u32::MAX >> 1));
        // Normal result: add half a unit of the last place that is kept, or slightly less if that place is
        // even. The carry rounds the bits that are kept.
        let is_odd = code.and(code.lshr(size, code.i32(lost)), code.i32(1));
        let rounded = code.add(code.add(size, code.i32((1 << (lost - 1)) - 1)), is_odd);
        let shift = (BIAS - format.bias) << format.mantissa_bits;
        let normal = code.sub(code.lshr(rounded, code.i32(lost)), code.i32(shift));
        // Subnormal result: adding a number whose last place equals the least number of the type rounds to a
        // multiple of that number.
        let least_normal = (BIAS - format.bias + 1) << MANTISSA;
        let anchor = (BIAS + 1 + lost - format.bias) << MANTISSA;
        let positive = code.bit_cast(size.into(), f32).into_float_value();
        let sum = code.fadd(
            positive,
            code.bit_cast(code.i32(anchor).into(), f32)
                .into_float_value(),
        );
        let sum = code
            .bit_cast(sum.into(), code.cx.i32_type())
            .into_int_value();
        let subnormal = code.sub(sum, code.i32(anchor));
        let is_small = code.compare(IntPredicate::ULT, size, code.i32(least_normal));
        let number = code.select(is_small, subnormal, normal).into_int_value();
        let is_large = code.compare(IntPredicate::UGT, number, code.i32(format.greatest));
        let number = code
            .select(is_large, code.i32(format.overflow), number)
            .into_int_value();
        let sign = code.shl(code.lshr(bits, code.i32(31)), code.i32(format.bits - 1));
        let signed = code.or(number, sign);
        let is_nan = code.compare(IntPredicate::UGT, size, code.i32(0xff << MANTISSA));
        let result = code
            .select(is_nan, code.i32(format.nan), signed)
            .into_int_value();
        code.unsigned(result, code.int(to.bits()))
    }

    /// Does the same as [`Self::power_of_two`], for an f32.
    pub(super) fn power_of_two_of_single(
        &self,
        value: FloatValue<'ctx>,
        mode: RoundingMode,
    ) -> IntValue<'ctx> {
        const NAN: u32 = 0xff;
        let code = self.code;
        let bits = code
            .bit_cast(value.into(), code.cx.i32_type())
            .into_int_value();
        let exponent = |bits| code.lshr(bits, code.i32(MANTISSA));
        let biased = if mode == RoundingMode::PositiveInf {
            let up = exponent(code.add(bits, code.i32((1 << MANTISSA) - 1)));
            // 2^-127 is a subnormal number.
            let least = code.i32(1 << (MANTISSA - 1));
            let is_min = code.compare(IntPredicate::ULE, bits, least);
            code.select(is_min, code.i32(0), up).into_int_value()
        } else {
            exponent(bits)
        };
        // As integers, positive finite numbers range from the least to the greatest.
        let from_min = code.sub(bits, code.i32(1));
        let finite = code.i32((NAN << MANTISSA) - 1);
        let is_number = code.compare(IntPredicate::ULT, from_min, finite);
        let result = code
            .select(is_number, biased, code.i32(NAN))
            .into_int_value();
        code.unsigned(result, code.int(8))
    }

    /// Converts `value`, an f64, to a power of two. A smaller value becomes the least power. A value beyond
    /// the greatest power becomes NaN if rounded up, and the greatest power if rounded toward zero. A value
    /// that is not positive and finite becomes NaN.
    pub(super) fn power_of_two(
        &self,
        value: FloatValue<'ctx>,
        mode: RoundingMode,
    ) -> IntValue<'ctx> {
        const NAN: u64 = 0xff;
        let code = self.code;
        let i64 = code.cx.i64_type();
        let bits = code.bit_cast(value.into(), i64).into_int_value();
        let exponent = code.lshr(bits, code.i64(MANTISSA_F64));
        let biased = code.sub(exponent, code.i64(BIAS_F64 - u64::from(BIAS)));
        let (biased, most) = if mode == RoundingMode::PositiveInf {
            let mantissa = code.and(bits, code.i64((1 << MANTISSA_F64) - 1));
            let is_inexact = code.compare(IntPredicate::NE, mantissa, code.i64(0));
            (code.add(biased, code.unsigned(is_inexact, i64)), NAN)
        } else {
            (biased, NAN - 1)
        };
        let is_less = code.compare(IntPredicate::SLT, biased, code.i64(0));
        let biased = code.select(is_less, code.i64(0), biased).into_int_value();
        let is_more = code.compare(IntPredicate::SGT, biased, code.i64(most));
        let biased = code
            .select(is_more, code.i64(most), biased)
            .into_int_value();
        // As integers, positive finite numbers range from the least to the greatest.
        let from_min = code.sub(bits, code.i64(1));
        let finite = code.i64((0x7ff << MANTISSA_F64) - 1);
        let is_number = code.compare(IntPredicate::ULT, from_min, finite);
        let result = code
            .select(is_number, biased, code.i64(NAN))
            .into_int_value();
        code.unsigned(result, code.int(8))
    }
}

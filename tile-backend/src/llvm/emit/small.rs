//! Widens floats of eight bits and fewer, exactly.

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, FloatValue, IntValue};
use tile_core::Scalar;

use super::code::Code;

impl<'ctx> Code<'ctx> {
    /// Converts a float of at most eight bits, other than f8E8M0FNU, to f16, which represents all of them.
    ///
    /// The bits of exponent and mantissa are moved to their positions in f16; a multiplication corrects the
    /// bias of the exponent. The result is correct for subnormal numbers too.
    pub(super) fn small_to_half(&self, value: IntValue<'ctx>, scalar: Scalar) -> FloatValue<'ctx> {
        let word = self.cx.i16_type();
        let (bits, mantissa, bias) = match scalar {
            Scalar::F8E5M2 => (8, 2, 15),
            Scalar::F8E4M3FN => (8, 3, 7),
            Scalar::F4E2M1FN => (4, 1, 1),
            other => unreachable!("{other} has no place in f16"),
        };
        let constant = |value: u64| word.const_int(value, false);
        let value = self.unsigned(value, word);
        let magnitude = self.and(value, constant((1 << (bits - 1)) - 1));
        let sign = self.and(value, constant(1 << (bits - 1)));
        let sign = self.shl(sign, constant(16 - bits));
        let moved = self.or(sign, self.shl(magnitude, constant(10 - mantissa)));
        let half = self.cx.f16_type();
        let number = self.bit_cast(moved.into(), half).into_float_value();
        if bias == 15 {
            return number;
        }
        let factor = half.const_float(f64::from(15 - bias).exp2());
        let number = self.fmul(number, factor);
        if scalar != Scalar::F8E4M3FN {
            return number;
        }
        let is_nan = self.compare(IntPredicate::EQ, magnitude, constant(0x7f));
        let nan = self
            .bit_cast(constant(0x7fff).into(), half)
            .into_float_value();
        self.select(is_nan, nan, number).into_float_value()
    }

    /// Converts an f8E8M0FNU, whose values are all powers of two, to f64.
    pub(super) fn power_to_double(&self, value: IntValue<'ctx>) -> FloatValue<'ctx> {
        let word = self.cx.i64_type();
        let (double, exponent) = (self.cx.f64_type(), self.unsigned(value, word));
        let biased = self.add_nuw(exponent, self.i64(1023 - 127));
        let bits = self.shl(biased, self.i64(52));
        let number = self.bit_cast(bits.into(), double);
        let is_nan = self.compare(IntPredicate::EQ, exponent, self.i64(255));
        let nan = self.bit_cast(self.i64(0x7ff8 << 48).into(), double);
        self.select(is_nan, nan, number).into_float_value()
    }

    /// Widens a float to f32 or f64, exactly.
    pub(super) fn widened(
        &self,
        value: BasicValueEnum<'ctx>,
        from: Scalar,
        to: Scalar,
    ) -> FloatValue<'ctx> {
        let ty = self.register_type(to).into_float_type();
        let value = match from {
            Scalar::F8E8M0FNU => self.power_to_double(value.into_int_value()),
            Scalar::F8E4M3FN | Scalar::F8E5M2 | Scalar::F4E2M1FN => {
                self.small_to_half(value.into_int_value(), from)
            }
            Scalar::TF32 => {
                // The low bits are not significant.
                let bits = self.bit_cast(value, self.cx.i32_type()).into_int_value();
                let bits = self.and(bits, self.i32(0xffff_e000));
                self.bit_cast(bits.into(), self.cx.f32_type())
                    .into_float_value()
            }
            _ => value.into_float_value(),
        };
        if value.get_type() == ty {
            return value;
        }
        self.builder
            .build_float_ext(value, ty, "")
            .expect("a wider type")
    }
}

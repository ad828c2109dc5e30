//! Emits conversions between element types.
//!
//! Each conversion rounds once. Where the hardware converts in two steps, the first rounds to odd: toward
//! zero, with the lowest bit set if the result is inexact. The second step then gives the same result as
//! rounding the exact number once.

#![deny(clippy::wildcard_enum_match_arm)]

use inkwell::values::{BasicValueEnum, FloatValue, IntValue};
use inkwell::{FloatPredicate, IntPredicate};
use tile_core::Scalar;
use tile_core::ir::{RoundingMode, Signedness};
use tile_core::ops::ConversionOp;

use super::super::Result;
use super::Element;
use super::small_float::is_small;
use crate::llvm::intrinsics::Intrinsic;
use crate::target::Feature;

/// The number of mantissa bits of an f32 that tf32 lacks.
const TF32_LOST_BITS: u32 = 13;

/// The NaN of tf32, as an f32.
const TF32_NAN: u32 = 0x7FFF_E000;

impl<'ctx> Element<'_, 'ctx> {
    pub(super) fn conversion(&self, op: ConversionOp) -> Result<BasicValueEnum<'ctx>> {
        let code = self.code;
        let (from, to) = (self.from[0], self.to);
        Ok(match op {
            ConversionOp::IntToPtr | ConversionOp::PtrToInt | ConversionOp::PtrToPtr => {
                return Err(self.unsupported(""));
            }
            ConversionOp::BitCast => code.bit_cast(self.args[0], code.register_type(to)),
            ConversionOp::ExtI => {
                let ty = code.register_type(to).into_int_type();
                match self.op.signedness() {
                    Signedness::Unsigned => code.unsigned(self.int(0), ty),
                    Signedness::Signed => code.signed(self.int(0), ty),
                }
                .into()
            }
            // Truncation drops the high bits, so the no-wrap promises about them are not needed.
            ConversionOp::TruncI => {
                let ty = code.register_type(to).into_int_type();
                code.unsigned(self.int(0), ty).into()
            }
            ConversionOp::FToF => {
                let (value, from) = self.wide_enough(from);
                if to == Scalar::F8E8M0FNU && from != Scalar::F64 {
                    let single = self.extend(value, Scalar::F32);
                    let mode = self.op.rounding_mode();
                    self.power_of_two_of_single(single, mode).into()
                } else if to == Scalar::F8E8M0FNU {
                    let double = self.extend(value, Scalar::F64);
                    self.power_of_two(double, self.op.rounding_mode()).into()
                } else if is_small(to) {
                    let single = if from == Scalar::F64 {
                        self.double_to_odd_single(value)
                    } else {
                        self.extend(value, Scalar::F32)
                    };
                    self.narrow_small(single, to).into()
                } else {
                    let mode = self.op.rounding_mode();
                    if mode == RoundingMode::NearestEven {
                        self.float_to_float(value, from, to).into()
                    } else {
                        self.float_to_float_in(mode, value, from, to).into()
                    }
                }
            }
            ConversionOp::FToI => self.float_to_int().into(),
            ConversionOp::IToF if is_small(to) => {
                let single = self.int_to_single();
                self.narrow_small(single, to).into()
            }
            ConversionOp::IToF => self.int_to_float(to).into(),
        })
    }

    /// Returns the operand as an LLVM float, with its scalar type. Floats of eight bits or fewer are widened
    /// to f32.
    pub(super) fn wide_enough(&self, from: Scalar) -> (FloatValue<'ctx>, Scalar) {
        if is_small(from) {
            (self.widen_small(self.int(0), from), Scalar::F32)
        } else {
            (self.number(0), from)
        }
    }

    pub(super) fn float_to_float(
        &self,
        value: FloatValue<'ctx>,
        from: Scalar,
        to: Scalar,
    ) -> FloatValue<'ctx> {
        // Neither f16 nor bf16 represents all values of the other; f32 represents all values of both.
        let is_incomparable = |lhs, rhs| (lhs, rhs) == (Scalar::F16, Scalar::BF16);
        if to == Scalar::TF32 {
            let single = if from == Scalar::F64 {
                self.double_to_odd_single(value)
            } else {
                self.extend(value, Scalar::F32)
            };
            return self.round_to_tf32(single);
        }
        if is_incomparable(from, to) || is_incomparable(to, from) {
            return self.round(self.extend(value, Scalar::F32), to);
        }
        // A tf32 is held as an f32.
        let held = value.get_type().get_bit_width();
        if held < 8 * u32::try_from(to.bytes()).expect("a number has few bytes") {
            self.extend(value, to)
        } else {
            self.round(value, to)
        }
    }

    /// Rounds in a mode other than nearest even that the verifier admits.
    fn float_to_float_in(
        &self,
        mode: RoundingMode,
        value: FloatValue<'ctx>,
        from: Scalar,
        to: Scalar,
    ) -> FloatValue<'ctx> {
        let code = self.code;
        let narrowed = |intrinsic, value: FloatValue<'ctx>| {
            code.nvvm(intrinsic, &[value.into()])[0].into_float_value()
        };
        // Rounding toward zero twice is sound: the first step drops only bits that the second would drop as
        // well.
        let single = || {
            if from == Scalar::F64 {
                narrowed(Intrinsic::F64ToF32Rz, value)
            } else {
                self.extend(value, Scalar::F32)
            }
        };
        match (from, to) {
            (Scalar::F64, Scalar::F32) => {
                let intrinsic = if mode == RoundingMode::NegativeInf {
                    Intrinsic::F64ToF32Rm
                } else if mode == RoundingMode::PositiveInf {
                    Intrinsic::F64ToF32Rp
                } else {
                    Intrinsic::F64ToF32Rz
                };
                narrowed(intrinsic, value)
            }
            (Scalar::F32 | Scalar::F64, Scalar::TF32) => {
                self.cut_to_tf32(single(), mode == RoundingMode::NearestAway)
            }
            // For values widened from f8 and f4, all of these are exact; for values widened from e8m0, those
            // to bf16 are.
            (Scalar::F32 | Scalar::TF32 | Scalar::F64 | Scalar::BF16, Scalar::F16) => {
                narrowed(Intrinsic::F32ToF16Rz, single())
            }
            (Scalar::F32 | Scalar::TF32 | Scalar::F64 | Scalar::F16, Scalar::BF16) => {
                narrowed(Intrinsic::F32ToBf16Rz, single())
            }
            _ => self.float_to_float(value, from, to),
        }
    }

    /// Reduces `value`, an f32, to tf32's ten mantissa bits. Rounds toward zero, or, if `nearest`, to nearest
    /// with ties away from zero.
    fn cut_to_tf32(&self, value: FloatValue<'ctx>, nearest: bool) -> FloatValue<'ctx> {
        let code = self.code;
        let bits = code.bit_cast(value.into(), code.cx.i32_type());
        let mut bits = bits.into_int_value();
        if nearest {
            // A carry out of the mantissa increments the exponent, possibly to infinity, which is the correct
            // result.
            bits = code.add(bits, code.i32(1 << (TF32_LOST_BITS - 1)));
        }
        let kept = code.and(bits, code.i32(u32::MAX << TF32_LOST_BITS));
        let is_nan = code.compare_float(FloatPredicate::UNO, value, value);
        let kept = code.select(is_nan, code.i32(TF32_NAN), kept);
        code.bit_cast(kept, code.cx.f32_type()).into_float_value()
    }

    /// Rounds `value`, an f32, to the nearest number with tf32's ten mantissa bits, ties to even.
    fn round_to_tf32(&self, value: FloatValue<'ctx>) -> FloatValue<'ctx> {
        let code = self.code;
        if self.arch.has(Feature::Tf32Nearest) {
            let rounded = code.nvvm(Intrinsic::F32ToTf32Nearest, &[value.into()])[0];
            let kept = code.i32(u32::MAX << TF32_LOST_BITS);
            let kept = code.and(rounded.into_int_value(), kept);
            let ty = code.cx.f32_type();
            return code.bit_cast(kept.into(), ty).into_float_value();
        }
        let bits = code.bit_cast(value.into(), code.cx.i32_type());
        let bits = bits.into_int_value();
        let is_odd = code.and(code.lshr(bits, code.i32(TF32_LOST_BITS)), code.i32(1));
        let almost_half = code.i32((1 << (TF32_LOST_BITS - 1)) - 1);
        let rounded = code.add(code.add(bits, almost_half), is_odd);
        let kept = code.and(rounded, code.i32(u32::MAX << TF32_LOST_BITS));
        // For a NaN, the addition could carry from the mantissa into the exponent and the sign.
        let is_nan = code.compare_float(FloatPredicate::UNO, value, value);
        let kept = code.select(is_nan, code.i32(TF32_NAN), kept);
        code.bit_cast(kept, code.cx.f32_type()).into_float_value()
    }

    /// Converts an f64 to f32, rounding to odd.
    pub(super) fn double_to_odd_single(&self, value: FloatValue<'ctx>) -> FloatValue<'ctx> {
        let code = self.code;
        let toward_zero = code.nvvm(Intrinsic::F64ToF32Rz, &[value.into()])[0].into_float_value();
        let back = self.extend(toward_zero, Scalar::F64);
        let is_inexact = code.compare_float(FloatPredicate::ONE, back, value);
        self.set_lowest_bit(toward_zero, is_inexact)
    }

    fn set_lowest_bit(
        &self,
        value: FloatValue<'ctx>,
        condition: IntValue<'ctx>,
    ) -> FloatValue<'ctx> {
        let code = self.code;
        let bits = code.bit_cast(value.into(), code.cx.i32_type());
        let lowest = code.unsigned(condition, code.cx.i32_type());
        let bits = code.or(bits.into_int_value(), lowest);
        code.bit_cast(bits.into(), code.cx.f32_type())
            .into_float_value()
    }

    /// Converts toward zero. If the operation saturates, NaN becomes zero, and a number out of range becomes
    /// the nearest integer in range; otherwise the IR leaves both undefined.
    fn float_to_int(&self) -> IntValue<'ctx> {
        let code = self.code;
        let ty = code.register_type(self.to).into_int_type();
        let (value, from) = self.wide_enough(self.from[0]);
        let value = if matches!(from, Scalar::F16 | Scalar::BF16) {
            self.extend(value, Scalar::F32)
        } else {
            value
        };
        if self.op.has_flag("saturating") {
            let name = match self.op.signedness() {
                Signedness::Signed => "llvm.fptosi.sat",
                Signedness::Unsigned => "llvm.fptoui.sat",
            };
            // LLVM does not saturate to one bit: saturate to a byte, and clamp the byte to the range of one
            // bit.
            let byte = code.int(ty.get_bit_width().max(8));
            let types = [byte.into(), value.get_type().into()];
            let number = code
                .overloaded_for(name, &types, &[value.into()])
                .into_int_value();
            if ty.get_bit_width() > 1 {
                return number;
            }
            let zero = byte.const_zero();
            return match self.op.signedness() {
                Signedness::Signed => code.compare(IntPredicate::SLT, number, zero),
                Signedness::Unsigned => code.compare(IntPredicate::NE, number, zero),
            };
        }
        let wide = code.int(ty.get_bit_width().max(32));
        let build = &code.builder;
        let number = match self.op.signedness() {
            Signedness::Signed => build.build_float_to_signed_int(value, wide, ""),
            Signedness::Unsigned => build.build_float_to_unsigned_int(value, wide, ""),
        }
        .expect("the builder is in a block");
        code.unsigned(number, ty)
    }

    fn int_to_float(&self, to: Scalar) -> FloatValue<'ctx> {
        let code = self.code;
        let signedness = self.op.signedness();
        let value = self.int(0);
        let bits = value.get_type().get_bit_width();
        let wide = code.int(bits.max(32));
        let value = match signedness {
            Signedness::Unsigned => code.unsigned(value, wide),
            Signedness::Signed => code.signed(value, wide),
        };
        let direct = |to| {
            let ty = code.register_type(to).into_float_type();
            let build = &code.builder;
            match signedness {
                Signedness::Unsigned => build.build_unsigned_int_to_float(value, ty, ""),
                Signedness::Signed => build.build_signed_int_to_float(value, ty, ""),
            }
            .expect("the builder is in a block")
        };
        if !matches!(to, Scalar::BF16 | Scalar::TF32) {
            return direct(to);
        }
        let single = self.int_to_single();
        if to == Scalar::TF32 {
            self.round_to_tf32(single)
        } else {
            self.round(single, to)
        }
    }

    /// Converts the operand, an integer, to f32: exactly for at most 16 bits, otherwise rounded to odd.
    pub(super) fn int_to_single(&self) -> FloatValue<'ctx> {
        let code = self.code;
        let value = self.int(0);
        let bits = value.get_type().get_bit_width();
        let wide = code.int(bits.max(32));
        let signedness = self.op.signedness();
        let value = match signedness {
            Signedness::Unsigned => code.unsigned(value, wide),
            Signedness::Signed => code.signed(value, wide),
        };
        if bits > 16 {
            return self.int_to_odd_single(value);
        }
        let (build, ty) = (&code.builder, code.cx.f32_type());
        match signedness {
            Signedness::Unsigned => build.build_unsigned_int_to_float(value, ty, ""),
            Signedness::Signed => build.build_signed_int_to_float(value, ty, ""),
        }
        .expect("the builder is in a block")
    }

    /// Converts an integer of 32 or 64 bits to f32, rounding to odd.
    fn int_to_odd_single(&self, value: IntValue<'ctx>) -> FloatValue<'ctx> {
        let code = self.code;
        let ty = value.get_type();
        let signedness = self.op.signedness();
        let intrinsic = match (ty.get_bit_width(), signedness) {
            (32, Signedness::Signed) => Intrinsic::I32ToF32Rz,
            (32, Signedness::Unsigned) => Intrinsic::U32ToF32Rz,
            (_, Signedness::Signed) => Intrinsic::I64ToF32Rz,
            (_, Signedness::Unsigned) => Intrinsic::U64ToF32Rz,
        };
        let toward_zero = code.nvvm(intrinsic, &[value.into()])[0].into_float_value();
        // Rounding is toward zero, so the conversion back to an integer is in range.
        let build = &code.builder;
        let back = match signedness {
            Signedness::Signed => build.build_float_to_signed_int(toward_zero, ty, ""),
            Signedness::Unsigned => build.build_float_to_unsigned_int(toward_zero, ty, ""),
        }
        .expect("the builder is in a block");
        let is_inexact = code.compare(IntPredicate::NE, back, value);
        self.set_lowest_bit(toward_zero, is_inexact)
    }
}

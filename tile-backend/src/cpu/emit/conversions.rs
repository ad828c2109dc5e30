//! Conversions between types of elements, for scalars and vectors alike. Narrow floats are integers in registers.

use tile_core::ir::{Op, Signedness};
use tile_core::ops::ConversionOp;
use tile_core::types::Scalar;

use super::ops::promises;
use super::{Emitter, scalar_type, suffix};
use crate::cpu::math;

impl Emitter<'_> {
    pub(super) fn resize(
        &mut self,
        value: &str,
        from: Scalar,
        to: Scalar,
        is_signed: bool,
    ) -> String {
        let (from, to) = (scalar_type(from), scalar_type(to));
        let bits = |ty: &str| ty[1..].parse::<u32>().expect("an integer type");
        match bits(from).cmp(&bits(to)) {
            std::cmp::Ordering::Less => {
                self.cast(if is_signed { "sext" } else { "zext" }, value, from, to)
            }
            std::cmp::Ordering::Equal => value.to_owned(),
            std::cmp::Ordering::Greater => self.cast("trunc", value, from, to),
        }
    }

    /// Converts a float to a wider one, exactly.
    pub(super) fn widen(&mut self, value: &str, from: Scalar, to: Scalar) -> String {
        let single = match from {
            Scalar::BF16 => {
                let args = [(value.to_owned(), Scalar::BF16)];
                self.math_call(math::Function::FromBf16, Scalar::F32, &args)
            }
            Scalar::F16 if self.level.has_f16_conversion() => {
                let half = self.cast("bitcast", value, "i16", "half");
                self.cast("fpext", &half, "half", "float")
            }
            Scalar::F16 => self.math_call(
                math::Function::FromF16,
                Scalar::F32,
                &[(value.to_owned(), Scalar::F16)],
            ),
            // Its upper byte is that of an f16.
            Scalar::F8E5M2 => {
                let bits = self.cast("zext", value, "i8", "i16");
                let eight = self.splat(Scalar::I16, 8);
                let half = self.binary("shl", Scalar::I16, &[bits, eight]);
                self.widen(&half, Scalar::F16, Scalar::F32)
            }
            Scalar::F8E4M3FN => self.widen_e4m3(value),
            _ => value.to_owned(),
        };
        match (from, to) {
            (Scalar::F64, _) => single,
            (_, Scalar::F64) => self.cast("fpext", &single, "float", "double"),
            _ => single,
        }
    }

    /// Moved to the place of an f16's bits, a number has 2^-8 times its value.
    fn widen_e4m3(&mut self, value: &str) -> String {
        let bits = self.cast("zext", value, "i8", "i16");
        let [seven, magnitude, sign] = [7, 0x3f80, 0x80].map(|bits| self.splat(Scalar::I16, bits));
        let moved = self.binary("shl", Scalar::I16, &[bits.clone(), seven.clone()]);
        let moved = self.binary("and", Scalar::I16, &[moved, magnitude.clone()]);
        let is_nan = self.binary("icmp eq", Scalar::I16, &[moved.clone(), magnitude]);
        let eight = self.splat(Scalar::I16, 8);
        let sign = self.binary("and", Scalar::I16, &[bits, sign]);
        let sign = self.binary("shl", Scalar::I16, &[sign, eight]);
        let half = self.binary("or", Scalar::I16, &[moved, sign]);
        let small = self.widen(&half, Scalar::F16, Scalar::F32);
        let scale = self.splat(Scalar::F32, u64::from(256_f32.to_bits()));
        let number = self.binary("fmul", Scalar::F32, &[small, scale]);
        let nan = self.splat(Scalar::F32, 0x7fff_ffff);
        self.select(&is_nan, Scalar::F32, &nan, &number)
    }

    /// Converts `f32` to a float of 8 bits with so many bits of mantissa, to nearest even.
    fn narrow_f8(&mut self, value: &str, to: Scalar) -> String {
        // The exponent of 1, the first bits that are too large, what they become, and the NaN.
        let (mantissa, bias, limit, large, nan) = match to {
            Scalar::F8E4M3FN => (3, 7, 0x7f, 0x7f, 0x7f),
            _ => (2, 15, 0x7c, 0x7c, 0x7e),
        };
        let int = Scalar::I32;
        let bits = self.cast("bitcast", value, "float", "i32");
        let magnitude_mask = self.splat(int, 0x7fff_ffff);
        let magnitude = self.binary("and", int, &[bits.clone(), magnitude_mask]);
        let shift = self.splat(int, 23 - mantissa);
        let odd = self.binary("lshr", int, &[magnitude.clone(), shift.clone()]);
        let one = self.splat(int, 1);
        let odd = self.binary("and", int, &[odd, one]);
        let rebias =
            ((1_u64 << (22 - mantissa)) - 1).wrapping_sub((127 - bias) << 23) & 0xffff_ffff;
        let rebias = self.splat(int, rebias);
        let normal = self.binary("add", int, &[magnitude.clone(), rebias]);
        let normal = self.binary("add", int, &[normal, odd]);
        let normal = self.binary("lshr", int, &[normal, shift]);
        // Adding this number rounds to a multiple of the least subnormal.
        let magic = (127 + 23 + 1 - bias - mantissa) << 23;
        let magic_float = self.splat(Scalar::F32, magic);
        let magnitude_float = self.cast("bitcast", &magnitude, "i32", "float");
        let subnormal = self.binary("fadd", Scalar::F32, &[magnitude_float, magic_float]);
        let subnormal = self.cast("bitcast", &subnormal, "float", "i32");
        let magic = self.splat(int, magic);
        let subnormal = self.binary("sub", int, &[subnormal, magic]);
        let least_normal = self.splat(int, (127 - bias + 1) << 23);
        let is_subnormal = self.binary("icmp ult", int, &[magnitude.clone(), least_normal]);
        let rounded = self.select(&is_subnormal, int, &subnormal, &normal);
        let [limit, large, nan] = [limit, large, nan].map(|bits| self.splat(int, bits));
        let infinity = self.splat(int, 0x7f80_0000);
        let is_far = self.binary("icmp uge", int, &[magnitude.clone(), infinity.clone()]);
        let is_large = self.binary("icmp uge", int, &[rounded.clone(), limit]);
        let is_large = self.binary("or", Scalar::I1, &[is_large, is_far]);
        let rounded = self.select(&is_large, int, &large, &rounded);
        let [twenty_four, sign_mask] = [24, 0x80].map(|bits| self.splat(int, bits));
        let sign = self.binary("lshr", int, &[bits, twenty_four]);
        let sign = self.binary("and", int, &[sign, sign_mask]);
        let signed = self.binary("or", int, &[rounded.clone(), sign]);
        let is_nan = self.binary("icmp ugt", int, &[magnitude, infinity]);
        // The NaN that a number becomes has no sign.
        let is_unsigned = if to == Scalar::F8E4M3FN {
            self.binary("or", Scalar::I1, &[is_nan.clone(), is_large])
        } else {
            is_nan.clone()
        };
        let result = self.select(&is_unsigned, int, &rounded, &signed);
        let result = self.select(&is_nan, int, &nan, &result);
        self.cast("trunc", &result, "i32", "i8")
    }

    /// Rounds `f32` to the ten bits of mantissa of tf32, to nearest even.
    fn narrow_tf32(&mut self, value: &str) -> String {
        let int = Scalar::I32;
        let bits = self.cast("bitcast", value, "float", "i32");
        let [thirteen, one, half, kept] =
            [13, 1, 0xfff, !0x1fff_u64 & 0xffff_ffff].map(|bits| self.splat(int, bits));
        let odd = self.binary("lshr", int, &[bits.clone(), thirteen]);
        let odd = self.binary("and", int, &[odd, one]);
        let sum = self.binary("add", int, &[bits, half]);
        let sum = self.binary("add", int, &[sum, odd]);
        let rounded = self.binary("and", int, &[sum, kept]);
        let rounded = self.cast("bitcast", &rounded, "i32", "float");
        let is_nan = self.binary(
            "fcmp uno",
            Scalar::F32,
            &[value.to_owned(), value.to_owned()],
        );
        let nan = self.splat(Scalar::F32, 0x7fff_e000);
        self.select(&is_nan, Scalar::F32, &nan, &rounded)
    }

    /// Converts `f32`, or `f64`, to a narrower float, to nearest even. A NaN becomes the positive one of the type.
    pub(super) fn narrow(&mut self, value: &str, from: Scalar, to: Scalar) -> String {
        if from == Scalar::F64 && to == Scalar::F32 {
            return self.cast("fptrunc", value, "double", "float");
        }
        let single = if from == Scalar::F64 {
            self.round_to_odd(value)
        } else {
            value.to_owned()
        };
        match to {
            Scalar::BF16 => {
                let args = [(single, Scalar::F32)];
                self.math_call(math::Function::ToBf16, Scalar::BF16, &args)
            }
            Scalar::F16 if self.level.has_f16_conversion() => {
                let half = self.cast("fptrunc", &single, "float", "half");
                let bits = self.cast("bitcast", &half, "half", "i16");
                let is_nan = self.binary("fcmp uno", Scalar::F32, &[single.clone(), single]);
                let nan = self.splat(Scalar::I16, 0x7fff);
                self.select(&is_nan, Scalar::I16, &nan, &bits)
            }
            Scalar::F16 => {
                self.math_call(math::Function::ToF16, Scalar::F16, &[(single, Scalar::F32)])
            }
            Scalar::F8E4M3FN | Scalar::F8E5M2 => self.narrow_f8(&single, to),
            Scalar::TF32 => self.narrow_tf32(&single),
            _ => single,
        }
    }

    /// Rounds `f64` to `f32` to odd: rounded again to fewer bits, the result is that of one rounding.
    fn round_to_odd(&mut self, value: &str) -> String {
        let near = self.cast("fptrunc", value, "double", "float");
        let wide = self.cast("fpext", &near, "float", "double");
        let bits = self.cast("bitcast", &near, "float", "i32");
        let [zero, one, ones] = [0, 1, 0xffff_ffff].map(|bits| self.splat(Scalar::I32, bits));
        let odd = self.binary("and", Scalar::I32, &[bits.clone(), one.clone()]);
        let is_odd = self.binary("icmp ne", Scalar::I32, &[odd, zero]);
        // An unordered comparison: a NaN stays as it is.
        let is_exact = self.binary("fcmp ueq", Scalar::F64, &[wide.clone(), value.to_owned()]);
        let stays = self.binary("or", Scalar::I1, &[is_odd, is_exact]);
        let magnitude = self.intrinsic("fabs", Scalar::F64, &[wide]);
        let exact = self.intrinsic("fabs", Scalar::F64, &[value.to_owned()]);
        let is_above = self.binary("fcmp ogt", Scalar::F64, &[magnitude, exact]);
        let step = self.select(&is_above, Scalar::I32, &ones, &one);
        let moved = self.binary("add", Scalar::I32, &[bits.clone(), step]);
        let bits = self.select(&stays, Scalar::I32, &bits, &moved);
        self.cast("bitcast", &bits, "i32", "float")
    }

    pub(super) fn conversion(
        &mut self,
        kind: ConversionOp,
        op: &Op,
        value: &str,
        from: Scalar,
        to: Scalar,
    ) -> String {
        let is_signed = || op.signedness() == Signedness::Signed;
        match kind {
            ConversionOp::BitCast => {
                let (from, to) = (scalar_type(from), scalar_type(to));
                if from == to {
                    value.to_owned()
                } else {
                    self.cast("bitcast", value, from, to)
                }
            }
            ConversionOp::PtrToPtr | ConversionOp::PtrToInt | ConversionOp::IntToPtr => {
                value.to_owned()
            }
            ConversionOp::ExtI => self.resize(value, from, to, is_signed()),
            ConversionOp::TruncI => {
                let kept = self.resize(value, from, to, false);
                let (signed, unsigned) = promises(op.overflow());
                for (is_promised, is_signed) in [(signed, true), (unsigned, false)] {
                    if is_promised {
                        let back = self.resize(&kept, to, from, is_signed);
                        let fault = self.binary("icmp ne", from, &[back, value.to_owned()]);
                        self.faults.push(fault);
                    }
                }
                kept
            }
            ConversionOp::FToF => {
                if from == to {
                    return value.to_owned();
                }
                match (from, to) {
                    (_, Scalar::F32 | Scalar::F64) if from != Scalar::F64 => {
                        self.widen(value, from, to)
                    }
                    (Scalar::F32 | Scalar::F64, _) => self.narrow(value, from, to),
                    // Each has a number of f32.
                    _ => {
                        let wide = self.widen(value, from, Scalar::F32);
                        self.narrow(&wide, Scalar::F32, to)
                    }
                }
            }
            ConversionOp::FToI => {
                let wide = if from == Scalar::F64 {
                    from
                } else {
                    Scalar::F32
                };
                let value = self.widen(value, from, wide);
                self.saturate(&value, wide, to, is_signed())
            }
            ConversionOp::IToF => {
                let name = if is_signed() { "sitofp" } else { "uitofp" };
                match to {
                    Scalar::F32 | Scalar::F64 => {
                        self.cast(name, value, scalar_type(from), scalar_type(to))
                    }
                    _ => {
                        // 53 bits hold every integer of 32 bits; a wider one is rounded to odd first.
                        let wide = self.integer_to_odd(value, from, name);
                        self.narrow(&wide, Scalar::F64, to)
                    }
                }
            }
        }
    }

    /// Converts an integer to `f64`, one of 64 bits so that rounding it again gives the result of one rounding: bits
    /// that `f64` lacks are collected in its last one.
    fn integer_to_odd(&mut self, value: &str, from: Scalar, name: &str) -> String {
        if from != Scalar::I64 {
            return self.cast(name, value, scalar_type(from), "double");
        }
        // The lowest 12 bits of a large number only decide on which side of a tie it is.
        let [low, kept, limit, zero] =
            [0xfff, !0xfff, 1 << 52, 0].map(|bits: u64| self.splat(Scalar::I64, bits));
        let rest = self.binary("and", Scalar::I64, &[value.to_owned(), low]);
        let has_rest = self.binary("icmp ne", Scalar::I64, &[rest, zero]);
        let rest = self.cast("zext", &has_rest, "i1", "i64");
        let twelfth = self.splat(Scalar::I64, 12);
        let rest = self.binary("shl", Scalar::I64, &[rest, twelfth]);
        let upper = self.binary("and", Scalar::I64, &[value.to_owned(), kept]);
        let odd = self.binary("or", Scalar::I64, &[upper, rest]);
        let magnitude = if name == "sitofp" {
            let ty = self.ty(Scalar::I64);
            let name = format!("llvm.abs.{}", suffix(Scalar::I64, self.lanes));
            self.declare(format!("declare {ty} @{name}({ty}, i1)"));
            self.value(&format!("call {ty} @{name}({ty} {value}, i1 false)"))
        } else {
            value.to_owned()
        };
        let is_large = self.binary("icmp ugt", Scalar::I64, &[magnitude, limit]);
        let value = self.select(&is_large, Scalar::I64, &odd, value);
        self.cast(name, &value, "i64", "double")
    }

    /// Converts a float to the nearest integer of the type toward zero; NaN becomes 0.
    fn saturate(&mut self, value: &str, from: Scalar, to: Scalar, is_signed: bool) -> String {
        let name = if is_signed {
            "fptosi.sat"
        } else {
            "fptoui.sat"
        };
        let (source, result) = (self.ty(from), self.ty(to));
        let name = format!(
            "llvm.{name}.{}.{}",
            suffix(to, self.lanes),
            suffix(from, self.lanes)
        );
        self.declare(format!("declare {result} @{name}({source})"));
        self.value(&format!("call {result} @{name}({source} {value})"))
    }
}

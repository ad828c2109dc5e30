//! Builds elementwise functions, with exactly Rust's meaning where Rust has them.

use super::scalar::{float_bits, integer_bits, signedness};
use super::{Build, Val};
use crate::hir::signature::HostScalar;
use crate::hir::{Const, ExprId, ExprKind, Float, MathOp, Mode, RoundedOp};
use tile_core::Loc;
use tile_core::ir::{
    Attr, ComparisonOrdering, ComparisonPredicate as P, IntegerOverflow, RoundingMode, Signedness,
    ValueId,
};
use tile_core::ops::{BitwiseOp, ConversionOp, FloatOp, IntegerOp};
use tile_core::types::Scalar;

/// The element type and shape of values, and the location of their operations.
#[derive(Clone, Copy)]
pub(super) struct OpInfo {
    pub(super) scalar: HostScalar,
    pub(super) sign: Signedness,
    pub(super) loc: Loc,
}

/// Returns the factor from degrees to radians or from radians to degrees, as Rust's source has it.
fn angle_factor(op: MathOp, scalar: HostScalar) -> f64 {
    let single = scalar == HostScalar::F32;
    match op {
        // For f32, Rust rounds this constant once from its full digits.
        MathOp::ToDegrees => 180.0 / std::f64::consts::PI,
        _ if single => f64::from(std::f32::consts::PI / 180.0),
        _ => std::f64::consts::PI / 180.0,
    }
}

impl Build<'_, '_> {
    /// Returns a constant integer of the type and shape of `like`.
    pub(super) fn int_like(&mut self, like: ValueId, info: OpInfo, value: i128) -> ValueId {
        let bits = integer_bits(info.scalar.scalar(), value);
        self.splat_like(like, bits, info.loc)
    }

    /// Returns a constant float of the type and shape of `like`.
    pub(super) fn float_like(&mut self, like: ValueId, info: OpInfo, value: f64) -> ValueId {
        let bits = float_bits(info.scalar.scalar(), Float::new(value));
        self.splat_like(like, bits, info.loc)
    }

    pub(super) fn float(&mut self, op: FloatOp, args: &[ValueId], info: OpInfo) -> ValueId {
        self.b.like_first(op, args, info.loc)
    }

    pub(super) fn wrap(&mut self, op: IntegerOp, args: &[ValueId], info: OpInfo) -> ValueId {
        self.b.wrapping(op, args, info.loc)
    }

    pub(super) fn sign(&mut self, op: IntegerOp, args: &[ValueId], info: OpInfo) -> ValueId {
        self.b.signed(op, args, info.sign, info.loc)
    }

    pub(super) fn bits(&mut self, op: BitwiseOp, args: &[ValueId], info: OpInfo) -> ValueId {
        self.b.like_first(op, args, info.loc)
    }

    /// Builds a comparison that is false for NaN, except for `!=`.
    pub(super) fn cmp(
        &mut self,
        predicate: P,
        lhs: ValueId,
        rhs: ValueId,
        info: OpInfo,
    ) -> ValueId {
        if info.scalar.is_float() {
            let ordering = if predicate == P::NotEqual {
                ComparisonOrdering::Unordered
            } else {
                ComparisonOrdering::Ordered
            };
            return self.b.cmpf(predicate, ordering, lhs, rhs, info.loc);
        }
        self.b.cmpi(predicate, lhs, rhs, info.sign, info.loc)
    }

    pub(super) fn shift_right_logical(
        &mut self,
        value: ValueId,
        by: i128,
        info: OpInfo,
    ) -> ValueId {
        let by = self.int_like(value, info, by);
        let args = [value, by];
        self.b
            .signed(IntegerOp::ShrI, &args, Signedness::Unsigned, info.loc)
    }

    pub(super) fn math(&mut self, op: MathOp, args: &[ExprId], loc: Loc) -> ValueId {
        let scalar = self.element(args[0]);
        let info = OpInfo {
            scalar,
            sign: signedness(scalar),
            loc,
        };
        match op {
            MathOp::Pow => return self.pow(args, info),
            MathOp::Powi => return self.powi(args, info),
            MathOp::WrappingShl | MathOp::WrappingShr => {
                let symbol = if op == MathOp::WrappingShl {
                    crate::parse::ast::BinaryOp::Shl
                } else {
                    crate::parse::ast::BinaryOp::Shr
                };
                return self.shift(symbol, args[0], args[1], loc);
            }
            _ => {}
        }
        let values: Vec<ValueId> = args.iter().map(|&arg| self.tile(arg)).collect();
        let last = args.last().map(|&arg| self.element(arg));
        self.elementwise(op, &values, last, info)
    }

    fn flushing(&mut self, op: FloatOp, args: &[ValueId], info: OpInfo) -> ValueId {
        let ty = self.b.ty(args[0]);
        self.b
            .op(op, info.loc)
            .args(args)
            .flag("flush_to_zero", true)
            .result(ty)
            .finish_value()
    }

    pub(super) fn propagating(&mut self, op: FloatOp, args: &[ValueId], info: OpInfo) -> ValueId {
        let ty = self.b.ty(args[0]);
        self.b
            .op(op, info.loc)
            .args(args)
            .flag("propagate_nan", true)
            .result(ty)
            .finish_value()
    }

    /// Builds an elementwise function from the values of its operands. `last` is the element type of the last one.
    fn elementwise(
        &mut self,
        op: MathOp,
        values: &[ValueId],
        last: Option<HostScalar>,
        info: OpInfo,
    ) -> ValueId {
        let x = values[0];
        let is_float = info.scalar.is_float();
        match op {
            MathOp::Abs if is_float => self.float(FloatOp::AbsF, values, info),
            MathOp::Max if is_float => self.float(FloatOp::MaxF, values, info),
            MathOp::Min if is_float => self.float(FloatOp::MinF, values, info),
            MathOp::Ceil => self.float(FloatOp::Ceil, values, info),
            MathOp::Cos => self.float(FloatOp::Cos, values, info),
            MathOp::Cosh => self.float(FloatOp::CosH, values, info),
            MathOp::Exp => self.float(FloatOp::Exp, values, info),
            MathOp::Exp2 => self.float(FloatOp::Exp2, values, info),
            MathOp::Floor => self.float(FloatOp::Floor, values, info),
            MathOp::Log => self.float(FloatOp::Log, values, info),
            MathOp::Log2 => self.float(FloatOp::Log2, values, info),
            MathOp::Rsqrt => self.float(FloatOp::RSqrt, values, info),
            MathOp::Sin => self.float(FloatOp::Sin, values, info),
            MathOp::Sinh => self.float(FloatOp::SinH, values, info),
            MathOp::Sqrt => self.float(FloatOp::Sqrt, values, info),
            MathOp::Tan => self.float(FloatOp::Tan, values, info),
            MathOp::Tanh => self.float(FloatOp::TanH, values, info),
            MathOp::Powf => self.float(FloatOp::Pow, values, info),
            MathOp::MulAdd => self.float(FloatOp::Fma, values, info),
            // C and Rust have the same order of operands.
            MathOp::Atan2 => self.float(FloatOp::Atan2, values, info),
            MathOp::Maximum => self.propagating(FloatOp::MaxF, values, info),
            MathOp::Minimum => self.propagating(FloatOp::MinF, values, info),
            MathOp::Exp2Ftz => self.flushing(FloatOp::Exp2, values, info),
            MathOp::RsqrtFtz => self.flushing(FloatOp::RSqrt, values, info),
            MathOp::MaxFtz => self.flushing(FloatOp::MaxF, values, info),
            MathOp::MinFtz => self.flushing(FloatOp::MinF, values, info),
            MathOp::Recip => {
                let one = self.float_like(x, info, 1.0);
                self.float(FloatOp::DivF, &[one, x], info)
            }
            MathOp::Clamp if is_float => {
                let below = self.cmp(P::LessThan, x, values[1], info);
                let raised = self.select(below, values[1], x, info.loc);
                let above = self.cmp(P::GreaterThan, raised, values[2], info);
                self.select(above, values[2], raised, info.loc)
            }
            MathOp::Trunc => self.trunc(x, info),
            MathOp::Fract => {
                let whole = self.trunc(x, info);
                self.float(FloatOp::SubF, &[x, whole], info)
            }
            MathOp::Round => self.round(x, info),
            MathOp::RoundTiesEven => self.round_ties_even(x, info),
            MathOp::Log10 => self.widened([x], info, |this, [x], info| this.log10(x, info)),
            MathOp::ExpM1 => self.widened([x], info, |this, [x], info| this.exp_m1(x, info)),
            MathOp::Ln1p => self.widened([x], info, |this, [x], info| this.ln_1p(x, info)),
            MathOp::Cbrt => self.widened([x], info, |this, [x], info| this.cbrt(x, info)),
            MathOp::Hypot => {
                let sides = [x, values[1]];
                self.widened(sides, info, Self::hypot)
            }
            MathOp::Asin => self.widened([x], info, |this, [x], info| this.asin(x, info)),
            MathOp::Acos => self.widened([x], info, |this, [x], info| this.acos(x, info)),
            MathOp::Atan => self.widened([x], info, |this, [x], info| this.atan(x, info)),
            MathOp::Asinh => self.widened([x], info, |this, [x], info| this.asinh(x, info)),
            MathOp::Acosh => self.widened([x], info, |this, [x], info| this.acosh(x, info)),
            MathOp::Atanh => self.widened([x], info, |this, [x], info| this.atanh(x, info)),
            MathOp::ToDegrees | MathOp::ToRadians => self.widened([x], info, |this, [x], info| {
                let factor = this.float_like(x, info, angle_factor(op, info.scalar));
                this.float(FloatOp::MulF, &[x, factor], info)
            }),
            MathOp::ToBits => self.bits_of(x, info),
            MathOp::IsSignNegative => self.sign_bit(x, P::LessThan, info),
            MathOp::IsSignPositive => self.sign_bit(x, P::GreaterThanOrEqual, info),
            MathOp::CopySign => self.copysign(x, values[1], info),
            MathOp::IsNan => self.cmp(P::NotEqual, x, x, info),
            MathOp::IsInfinite | MathOp::IsFinite => {
                let magnitude = self.float(FloatOp::AbsF, &[x], info);
                let infinity = self.float_like(x, info, f64::INFINITY);
                let predicate = if op == MathOp::IsInfinite {
                    P::Equal
                } else {
                    P::LessThan
                };
                self.cmp(predicate, magnitude, infinity, info)
            }
            MathOp::Signum if is_float => {
                let one = self.float_like(x, info, 1.0);
                let signed = self.copysign(one, x, info);
                let nan = self.cmp(P::NotEqual, x, x, info);
                self.select(nan, x, signed, info.loc)
            }
            MathOp::RemEuclid if is_float => {
                let remainder = self.float(FloatOp::RemF, &values[..2], info);
                let zero = self.float_like(x, info, 0.0);
                let negative = self.cmp(P::LessThan, remainder, zero, info);
                let magnitude = self.float(FloatOp::AbsF, &[values[1]], info);
                let raised = self.float(FloatOp::AddF, &[remainder, magnitude], info);
                self.select(negative, raised, remainder, info.loc)
            }
            MathOp::DivEuclid if is_float => {
                let quotient = self.float(FloatOp::DivF, &values[..2], info);
                let quotient = self.trunc(quotient, info);
                let remainder = self.float(FloatOp::RemF, &values[..2], info);
                let zero = self.float_like(x, info, 0.0);
                let one = self.float_like(x, info, 1.0);
                let negative = self.cmp(P::LessThan, remainder, zero, info);
                let upwards = self.cmp(P::GreaterThan, values[1], zero, info);
                let less = self.float(FloatOp::SubF, &[quotient, one], info);
                let more = self.float(FloatOp::AddF, &[quotient, one], info);
                let moved = self.select(upwards, less, more, info.loc);
                self.select(negative, moved, quotient, info.loc)
            }
            MathOp::Abs | MathOp::WrappingAbs | MathOp::UnsignedAbs => {
                self.b.like_first(IntegerOp::AbsI, values, info.loc)
            }
            MathOp::Max => self.sign(IntegerOp::MaxI, values, info),
            MathOp::Min => self.sign(IntegerOp::MinI, values, info),
            MathOp::Clamp => {
                let raised = self.sign(IntegerOp::MaxI, &values[..2], info);
                self.sign(IntegerOp::MinI, &[raised, values[2]], info)
            }
            MathOp::WrappingAdd => self.wrap(IntegerOp::AddI, values, info),
            MathOp::WrappingSub => self.wrap(IntegerOp::SubI, values, info),
            MathOp::WrappingMul => self.wrap(IntegerOp::MulI, values, info),
            MathOp::WrappingNeg => {
                let zero = self.int_like(x, info, 0);
                self.wrap(IntegerOp::SubI, &[zero, x], info)
            }
            MathOp::Signum => {
                let [one, minus] = [1, -1].map(|value| self.int_like(x, info, value));
                let high = self.sign(IntegerOp::MinI, &[x, one], info);
                self.sign(IntegerOp::MaxI, &[high, minus], info)
            }
            MathOp::RemEuclid => self.rem_euclid(values, info),
            MathOp::DivEuclid => self.div_euclid(values, info),
            MathOp::DivCeil => self.divide(values, RoundingMode::PositiveInf, info),
            MathOp::NextMultipleOf => {
                // A multiple lacks `y - 0` up to the next one, of which the second remainder leaves 0.
                let rest = self.sign(IntegerOp::RemI, values, info);
                let missing = self.wrap(IntegerOp::SubI, &[values[1], rest], info);
                let missing = self.sign(IntegerOp::RemI, &[missing, values[1]], info);
                self.wrap(IntegerOp::AddI, &[x, missing], info)
            }
            MathOp::AbsDiff => {
                let high = self.sign(IntegerOp::MaxI, values, info);
                let low = self.sign(IntegerOp::MinI, values, info);
                self.wrap(IntegerOp::SubI, &[high, low], info)
            }
            MathOp::IsPowerOfTwo => {
                let [zero, one] = [0, 1].map(|value| self.int_like(x, info, value));
                let less = self.wrap(IntegerOp::SubI, &[x, one], info);
                let common = self.bits(BitwiseOp::AndI, &[x, less], info);
                let single = self.cmp(P::Equal, common, zero, info);
                let some = self.cmp(P::NotEqual, x, zero, info);
                self.bits(BitwiseOp::AndI, &[single, some], info)
            }
            MathOp::SaturatingAdd | MathOp::SaturatingSub => self.saturating(op, values, info),
            MathOp::SaturatingMul => self.saturating_mul([x, values[1]], info),
            MathOp::SaturatingDiv => self.saturating_div([x, values[1]], info),
            MathOp::SaturatingNeg => self.saturating_neg(x, info),
            MathOp::SaturatingAbs => self.saturating_abs(x, info),
            MathOp::NextPowerOfTwo => self.next_power_of_two(x, info),
            MathOp::Isqrt => self.isqrt(x, info),
            MathOp::Ilog2 => self.ilog2(x, info),
            MathOp::Ilog10 => self.ilog10(x, info),
            MathOp::SwapBytes => self.exchanged(x, 8, info),
            MathOp::ReverseBits => self.exchanged(x, 1, info),
            MathOp::MulHi => self.mul_hi([x, values[1]], info),
            MathOp::RotateLeft | MathOp::RotateRight => {
                let from = last.expect("a rotation has an amount");
                self.rotated(op, [x, values[1]], from, info)
            }
            MathOp::CountOnes => self.population(x, info),
            MathOp::CountZeros => {
                let flipped = self.flipped(x, info);
                self.population(flipped, info)
            }
            MathOp::LeadingZeros => self.leading_zeros(x, info),
            MathOp::TrailingZeros => self.trailing_zeros(x, info),
            MathOp::LeadingOnes => {
                let flipped = self.flipped(x, info);
                self.leading_zeros(flipped, info)
            }
            MathOp::TrailingOnes => {
                let flipped = self.flipped(x, info);
                self.trailing_zeros(flipped, info)
            }
            MathOp::Pow | MathOp::Powi | MathOp::WrappingShl | MathOp::WrappingShr => {
                unreachable!("`{op:?}` is lowered before its operands")
            }
        }
    }

    /// Rounds towards zero; a zero has the sign of the source.
    fn trunc(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let zero = self.float_like(x, info, 0.0);
        let negative = self.cmp(P::LessThan, x, zero, info);
        let up = self.float(FloatOp::Ceil, &[x], info);
        let down = self.float(FloatOp::Floor, &[x], info);
        self.select(negative, up, down, info.loc)
    }

    /// Rounds to nearest, ties away from zero. The distance to the truncated number is exact.
    fn round(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let whole = self.trunc(x, info);
        let rest = self.float(FloatOp::SubF, &[x, whole], info);
        let rest = self.float(FloatOp::AbsF, &[rest], info);
        let half = self.float_like(x, info, 0.5);
        let far = self.cmp(P::GreaterThanOrEqual, rest, half, info);
        let one = self.float_like(x, info, 1.0);
        let step = self.copysign(one, x, info);
        let moved = self.float(FloatOp::AddF, &[whole, step], info);
        self.select(far, moved, whole, info.loc)
    }

    pub(super) fn copysign(&mut self, magnitude: ValueId, sign: ValueId, info: OpInfo) -> ValueId {
        let bits = info.scalar.bits();
        let integer = match bits {
            16 => Scalar::I16,
            32 => Scalar::I32,
            _ => Scalar::I64,
        };
        let [low, high] = [magnitude, sign].map(|value| {
            self.b
                .convert(ConversionOp::BitCast, value, integer, None, info.loc)
        });
        let top = 1_u64 << (bits - 1);
        let top_bit = self.splat_like(high, top, info.loc);
        let rest = self.splat_like(low, top - 1, info.loc);
        let high = self.bits(BitwiseOp::AndI, &[high, top_bit], info);
        let low = self.bits(BitwiseOp::AndI, &[low, rest], info);
        let both = self.bits(BitwiseOp::OrI, &[low, high], info);
        let float = info.scalar.scalar();
        self.b
            .convert(ConversionOp::BitCast, both, float, None, info.loc)
    }

    fn divide(&mut self, values: &[ValueId], rounding: RoundingMode, info: OpInfo) -> ValueId {
        let ty = self.b.ty(values[0]);
        self.b
            .op(IntegerOp::DivI, info.loc)
            .args(values)
            .attr("signedness", Attr::Signedness(info.sign))
            .attr("rounding", Attr::Rounding(rounding))
            .result(ty)
            .finish_value()
    }

    fn rem_euclid(&mut self, values: &[ValueId], info: OpInfo) -> ValueId {
        let remainder = self.sign(IntegerOp::RemI, values, info);
        if !info.scalar.is_signed() {
            return remainder;
        }
        let zero = self.int_like(remainder, info, 0);
        let negative = self.cmp(P::LessThan, remainder, zero, info);
        let magnitude = self.b.like_first(IntegerOp::AbsI, &[values[1]], info.loc);
        let raised = self.wrap(IntegerOp::AddI, &[remainder, magnitude], info);
        self.select(negative, raised, remainder, info.loc)
    }

    fn div_euclid(&mut self, values: &[ValueId], info: OpInfo) -> ValueId {
        let quotient = self.sign(IntegerOp::DivI, values, info);
        if !info.scalar.is_signed() {
            return quotient;
        }
        let remainder = self.sign(IntegerOp::RemI, values, info);
        let [zero, one] = [0, 1].map(|value| self.int_like(remainder, info, value));
        let negative = self.cmp(P::LessThan, remainder, zero, info);
        let upwards = self.cmp(P::GreaterThan, values[1], zero, info);
        let less = self.wrap(IntegerOp::SubI, &[quotient, one], info);
        let more = self.wrap(IntegerOp::AddI, &[quotient, one], info);
        let moved = self.select(upwards, less, more, info.loc);
        self.select(negative, moved, quotient, info.loc)
    }

    fn saturating(&mut self, op: MathOp, values: &[ValueId], info: OpInfo) -> ValueId {
        let (x, y) = (values[0], values[1]);
        let (least, greatest) = info.scalar.range().expect("an integer has a range");
        let adds = op == MathOp::SaturatingAdd;
        let opcode = if adds {
            IntegerOp::AddI
        } else {
            IntegerOp::SubI
        };
        let wrapped = self.wrap(opcode, values, info);
        let [min, max] = [least, greatest].map(|value| self.int_like(x, info, value));
        if !info.scalar.is_signed() {
            let (predicate, limit) = if adds {
                (P::LessThan, max)
            } else {
                (P::GreaterThan, min)
            };
            let beyond = self.cmp(predicate, wrapped, x, info);
            return self.select(beyond, limit, wrapped, info.loc);
        }
        // The result overflowed if it moved against the sign of `y`.
        let zero = self.int_like(x, info, 0);
        let y_negative = self.cmp(P::LessThan, y, zero, info);
        let down = self.cmp(P::LessThan, wrapped, x, info);
        let up = self.cmp(P::GreaterThan, wrapped, x, info);
        let (over, under) = if adds { (down, up) } else { (up, down) };
        let limit = if adds { (min, max) } else { (max, min) };
        // A step of zero leaves `x` unchanged, so neither test reports an overflow.
        let beyond = self.select(y_negative, under, over, info.loc);
        let limit = self.select(y_negative, limit.0, limit.1, info.loc);
        self.select(beyond, limit, wrapped, info.loc)
    }

    /// Counts the set bits by summing pairs of bits, then nibbles, then bytes, all in parallel.
    pub(super) fn ones(&mut self, x: ValueId, info: OpInfo) -> ValueId {
        let bits = info.scalar.bits();
        let pattern = |byte: u64| byte.wrapping_mul(0x0101_0101_0101_0101);
        let mask = |this: &mut Self, byte: u64| {
            let low = u64::MAX >> (64 - bits);
            this.splat_like(x, pattern(byte) & low, info.loc)
        };
        let [odd, pairs, nibbles] = [0x55, 0x33, 0x0f].map(|byte| mask(self, byte));
        let moved = self.shift_right_logical(x, 1, info);
        let moved = self.bits(BitwiseOp::AndI, &[moved, odd], info);
        let sum = self.wrap(IntegerOp::SubI, &[x, moved], info);
        let moved = self.shift_right_logical(sum, 2, info);
        let moved = self.bits(BitwiseOp::AndI, &[moved, pairs], info);
        let kept = self.bits(BitwiseOp::AndI, &[sum, pairs], info);
        let sum = self.wrap(IntegerOp::AddI, &[kept, moved], info);
        let moved = self.shift_right_logical(sum, 4, info);
        let sum = self.wrap(IntegerOp::AddI, &[sum, moved], info);
        let sum = self.bits(BitwiseOp::AndI, &[sum, nibbles], info);
        if bits == 8 {
            return sum;
        }
        let every = mask(self, 0x01);
        let sum = self.wrap(IntegerOp::MulI, &[sum, every], info);
        self.shift_right_logical(sum, i128::from(bits) - 8, info)
    }

    /// Returns the value of a constant integer, even if it is broadcast to a tile.
    pub(super) fn exponent(&self, id: ExprId) -> Option<i128> {
        let id = match self.kernel.expr(id).kind {
            ExprKind::Stretch(inner) => inner,
            _ => id,
        };
        self.known(id)
    }

    /// Computes an integer power. For a small constant exponent it multiplies in the order of
    /// compiler-rt, which Rust calls.
    fn powi(&mut self, args: &[ExprId], info: OpInfo) -> ValueId {
        const MAX_EXPONENT: u128 = 64;
        let exponent = self
            .exponent(args[1])
            .filter(|n| n.unsigned_abs() <= MAX_EXPONENT);
        let Some(exponent) = exponent else {
            let values = [self.tile(args[0]), self.tile(args[1])];
            return self.float(FloatOp::FPowI, &values, info);
        };
        let mut base = self.tile(args[0]);
        let one = self.float_like(base, info, 1.0);
        let mut result = one;
        let mut rest = exponent.unsigned_abs();
        loop {
            if rest & 1 == 1 {
                result = self.float(FloatOp::MulF, &[result, base], info);
            }
            rest >>= 1;
            if rest == 0 {
                break;
            }
            base = self.float(FloatOp::MulF, &[base, base], info);
        }
        if exponent < 0 {
            result = self.float(FloatOp::DivF, &[one, result], info);
        }
        result
    }

    /// Returns the value of an integer expression that is known at compile time.
    fn known(&self, id: ExprId) -> Option<i128> {
        use crate::parse::ast::UnaryOp;
        match &self.kernel.expr(id).kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Unary(UnaryOp::Neg, inner) => Some(-self.known(*inner)?),
            ExprKind::Local(local) => match self.kernel.local(*local).constant {
                Some(Const::Int(value)) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn rounded(
        &mut self,
        op: RoundedOp,
        args: &[ExprId],
        mode: Mode,
        loc: Loc,
    ) -> ValueId {
        let scalar = self.element(args[0]);
        let values: Vec<ValueId> = args.iter().map(|&arg| self.tile(arg)).collect();
        let info = OpInfo {
            scalar,
            sign: signedness(scalar),
            loc,
        };
        if scalar.is_integer() {
            return self.divide(&values, mode.rounding, info);
        }
        let (opcode, flushes) = match op {
            RoundedOp::Add => (FloatOp::AddF, true),
            RoundedOp::Sub => (FloatOp::SubF, true),
            RoundedOp::Mul => (FloatOp::MulF, true),
            RoundedOp::Div => (FloatOp::DivF, true),
            RoundedOp::Sqrt => (FloatOp::Sqrt, true),
            RoundedOp::MulAdd => (FloatOp::Fma, true),
            RoundedOp::Tanh => (FloatOp::TanH, false),
            RoundedOp::Exp => (FloatOp::Exp, false),
        };
        let ty = self.b.ty(values[0]);
        let mut built = self
            .b
            .op(opcode, loc)
            .args(&values)
            .attr("rounding_mode", Attr::Rounding(mode.rounding));
        if flushes {
            built = built.flag("flush_to_zero", mode.flush);
        }
        built.result(ty).finish_value()
    }

    /// Builds a conversion with an explicit rounding mode.
    pub(super) fn cast_with(
        &mut self,
        value: ExprId,
        to: HostScalar,
        rounding: RoundingMode,
        loc: Loc,
    ) -> ValueId {
        let from = self.element(value);
        let source = self.tile(value);
        if from.is_float() && to.is_integer() {
            return self.rounded_to_integer(source, from, to, rounding, loc);
        }
        if to != HostScalar::F8e8m0 || from == to {
            // Conversions to floats round to nearest even, like `as`.
            return self.cast(source, from, to, loc);
        }
        let shape = self.shape(value);
        self.b
            .op(ConversionOp::FToF, loc)
            .args(&[source])
            .attr("rounding_mode", Attr::Rounding(rounding))
            .result(tile_core::types::Type::tile(to.scalar(), shape))
            .finish_value()
    }

    /// Rounds to an integer first and then saturates, like `as`.
    fn rounded_to_integer(
        &mut self,
        value: ValueId,
        from: HostScalar,
        to: HostScalar,
        rounding: RoundingMode,
        loc: Loc,
    ) -> ValueId {
        let scalar = if from == HostScalar::F64 {
            from
        } else {
            HostScalar::F32
        };
        let info = OpInfo {
            scalar,
            sign: signedness(scalar),
            loc,
        };
        let wide = self.cast(value, from, scalar, loc);
        let whole = match rounding {
            RoundingMode::NearestEven => self.round_ties_even(wide, info),
            RoundingMode::NegativeInf => self.float(FloatOp::Floor, &[wide], info),
            RoundingMode::PositiveInf => self.float(FloatOp::Ceil, &[wide], info),
            // `as` itself rounds towards zero; checking refuses the other modes.
            _ => wide,
        };
        self.cast(whole, scalar, to, loc)
    }

    /// Converts to the nearest finite number of a type; NaN stays NaN in floats and becomes 0 in
    /// integers.
    pub(super) fn saturating_cast(&mut self, value: ExprId, to: HostScalar, loc: Loc) -> ValueId {
        let from = self.element(value);
        let source = self.tile(value);
        if from.is_integer() && to.is_integer() {
            let info = OpInfo {
                scalar: from,
                sign: signedness(from),
                loc,
            };
            let (least, greatest) = from.range().expect("an integer has a range");
            let (low, high) = to.range().expect("an integer has a range");
            let [low, high] = [low.max(least), high.min(greatest)]
                .map(|limit| self.int_like(source, info, limit));
            let raised = self.sign(IntegerOp::MaxI, &[source, low], info);
            let inside = self.sign(IntegerOp::MinI, &[raised, high], info);
            return self.cast(inside, from, to, loc);
        }
        let greatest = crate::check::max_of(to);
        let Some(greatest) = greatest.filter(|_| from != to) else {
            return self.cast(source, from, to, loc);
        };
        let scalar = if from == HostScalar::F64 || to == HostScalar::F64 {
            HostScalar::F64
        } else {
            HostScalar::F32
        };
        let info = OpInfo {
            scalar,
            sign: signedness(scalar),
            loc,
        };
        let wide = self.cast(source, from, scalar, loc);
        let [low, high] = [-greatest, greatest].map(|limit| self.float_like(wide, info, limit));
        let below = self.cmp(P::LessThan, wide, low, info);
        let raised = self.select(below, low, wide, loc);
        let above = self.cmp(P::GreaterThan, raised, high, info);
        let inside = self.select(above, high, raised, loc);
        self.cast(inside, scalar, to, loc)
    }

    /// Builds sine and cosine.
    pub(super) fn sin_cos(&mut self, value: ExprId, loc: Loc) -> Val {
        let value = self.tile(value);
        let parts = [FloatOp::Sin, FloatOp::Cos].map(|op| self.b.like_first(op, &[value], loc));
        Val::Tuple(parts.map(Val::Tile).into())
    }

    /// Builds an operation that, as the author promises, does not overflow in the signedness of its
    /// type.
    pub(super) fn unchecked(
        &mut self,
        op: crate::parse::ast::BinaryOp,
        [lhs, rhs]: [ExprId; 2],
        loc: Loc,
    ) -> ValueId {
        use crate::parse::ast::BinaryOp as B;
        let opcode = match op {
            B::Sub => IntegerOp::SubI,
            B::Mul => IntegerOp::MulI,
            _ => IntegerOp::AddI,
        };
        let promise = if self.element(lhs).is_signed() {
            IntegerOverflow::NoSignedWrap
        } else {
            IntegerOverflow::NoUnsignedWrap
        };
        let args = [self.tile(lhs), self.tile(rhs)];
        let ty = self.b.ty(args[0]);
        self.b
            .op(opcode, loc)
            .args(&args)
            .attr("overflow", Attr::Overflow(promise))
            .result(ty)
            .finish_value()
    }

    /// Builds a shift whose amount, as the author promises, is below the width.
    pub(super) fn unchecked_shift(
        &mut self,
        op: crate::parse::ast::BinaryOp,
        [lhs, rhs]: [ExprId; 2],
        loc: Loc,
    ) -> ValueId {
        let (scalar, from) = (self.element(lhs), self.element(rhs));
        let value = self.tile(lhs);
        let amount = self.tile(rhs);
        let amount = self.cast(amount, from, scalar, loc);
        if op == crate::parse::ast::BinaryOp::Shl {
            self.b.wrapping(IntegerOp::ShlI, &[value, amount], loc)
        } else {
            let sign = signedness(scalar);
            self.b.signed(IntegerOp::ShrI, &[value, amount], sign, loc)
        }
    }
}

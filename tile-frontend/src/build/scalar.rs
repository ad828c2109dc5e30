//! Builds constants, operators and conversions, of numbers and elementwise of tiles.

use super::Build;
use crate::hir::signature::HostScalar;
use crate::hir::{ExprId, ExprKind, Float};
use crate::parse::ast::{BinaryOp, UnaryOp};
use half::{bf16, f16};
use tile_core::Loc;
use tile_core::ir::{Attr, ComparisonOrdering, ComparisonPredicate, Signedness, ValueId};
use tile_core::ops::{BitwiseOp, ConversionOp, CoreOp, FloatOp, IntegerOp};
use tile_core::types::Scalar;

/// Returns the signedness with which operations read an integer; `bool` is unsigned.
pub(super) fn signedness(scalar: HostScalar) -> Signedness {
    if scalar.is_signed() {
        Signedness::Signed
    } else {
        Signedness::Unsigned
    }
}

/// Returns the bit pattern of an integer.
pub(crate) fn integer_bits(scalar: Scalar, value: i128) -> u64 {
    let mask = if scalar.bits() >= 64 {
        u64::MAX
    } else {
        (1 << scalar.bits()) - 1
    };
    let low = value.rem_euclid(1 << 64);
    u64::try_from(low).expect("a remainder of 2^64") & mask
}

/// Returns the bit pattern of a float, rounded to nearest even.
pub(crate) fn float_bits(scalar: Scalar, value: Float) -> u64 {
    match scalar {
        Scalar::F16 => u64::from(f16::from_f64(value.double).to_bits()),
        Scalar::BF16 => u64::from(bf16::from_f64(value.double).to_bits()),
        Scalar::F32 => u64::from(value.single.to_bits()),
        Scalar::F64 => value.double.to_bits(),
        Scalar::TF32 => {
            // tf32 is the upper nineteen bits of f32, rounded to nearest even.
            let bits = u64::from(value.single.to_bits());
            if value.single.is_finite() {
                (bits + 0xfff + (bits >> 13 & 1)) >> 13
            } else {
                bits >> 13
            }
        }
        Scalar::F8E4M3FN | Scalar::F8E5M2 | Scalar::F8E8M0FNU | Scalar::F4E2M1FN => {
            tile_core::interp::encode_float(scalar, value.double)
        }
        other => unreachable!("`{other}` is no float of the kernel language"),
    }
}

impl Build<'_, '_> {
    pub(super) fn integer(&mut self, scalar: HostScalar, value: i128, loc: Loc) -> ValueId {
        let scalar = scalar.scalar();
        self.b.splat(scalar, integer_bits(scalar, value), &[], loc)
    }

    /// Builds a literal, broadcast to `shape`.
    pub(super) fn literal(&mut self, id: ExprId, shape: &[i64], loc: Loc) -> ValueId {
        let scalar = self.element(id).scalar();
        let bits = match self.kernel.expr(id).kind {
            ExprKind::Int(value) => integer_bits(scalar, value),
            ExprKind::Float(value) => float_bits(scalar, value),
            ExprKind::Bool(value) => u64::from(value),
            _ => unreachable!("the caller found a literal"),
        };
        self.b.splat(scalar, bits, shape, loc)
    }

    /// Builds a constant of the type and shape of `like`.
    pub(super) fn splat_like(&mut self, like: ValueId, bits: u64, loc: Loc) -> ValueId {
        let (scalar, shape) = self
            .b
            .ty(like)
            .as_number_tile()
            .expect("operators work on numbers");
        self.b.splat(scalar, bits, shape, loc)
    }

    pub(super) fn unary(&mut self, op: UnaryOp, value: ExprId, loc: Loc) -> ValueId {
        let scalar = self.element(value);
        let value = self.tile(value);
        match op {
            UnaryOp::Neg if scalar.is_float() => self.b.like_first(FloatOp::NegF, &[value], loc),
            UnaryOp::Neg => self.b.wrapping(IntegerOp::NegI, &[value], loc),
            UnaryOp::Not => {
                let ones = integer_bits(scalar.scalar(), -1);
                let ones = self.splat_like(value, ones, loc);
                self.b.like_first(BitwiseOp::XorI, &[value, ones], loc)
            }
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, loc: Loc) -> ValueId {
        use BinaryOp as B;
        let scalar = self.element(lhs);
        if matches!(op, B::Shl | B::Shr) {
            return self.shift(op, lhs, rhs, loc);
        }
        let args = [self.tile(lhs), self.tile(rhs)];
        if op.is_comparison() {
            return self.compare(op, scalar, args, loc);
        }
        if scalar.is_float() {
            let opcode = match op {
                B::Add => FloatOp::AddF,
                B::Sub => FloatOp::SubF,
                B::Mul => FloatOp::MulF,
                B::Div => FloatOp::DivF,
                B::Rem => FloatOp::RemF,
                other => unreachable!("checking refuses `{}` on floats", other.symbol()),
            };
            return self.b.like_first(opcode, &args, loc);
        }
        let sign = signedness(scalar);
        match op {
            B::Add => self.b.wrapping(IntegerOp::AddI, &args, loc),
            B::Sub => self.b.wrapping(IntegerOp::SubI, &args, loc),
            B::Mul => self.b.wrapping(IntegerOp::MulI, &args, loc),
            B::Div => self.b.signed(IntegerOp::DivI, &args, sign, loc),
            B::Rem => self.b.signed(IntegerOp::RemI, &args, sign, loc),
            B::BitAnd => self.b.like_first(BitwiseOp::AndI, &args, loc),
            B::BitOr => self.b.like_first(BitwiseOp::OrI, &args, loc),
            B::BitXor => self.b.like_first(BitwiseOp::XorI, &args, loc),
            other => unreachable!("`{}` is lowered elsewhere", other.symbol()),
        }
    }

    /// Builds a shift whose amount is taken modulo the width, as in a release build of Rust.
    pub(super) fn shift(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, loc: Loc) -> ValueId {
        let scalar = self.element(lhs);
        let amount_scalar = self.element(rhs);
        let value = self.tile(lhs);
        let amount = self.tile(rhs);
        // Only the low bits matter, so the amount can be narrowed.
        let amount = self.cast(amount, amount_scalar, scalar, loc);
        let inner = match self.kernel.expr(rhs).kind {
            ExprKind::Stretch(inner) => inner,
            _ => rhs,
        };
        // Checking refuses literals that are out of range.
        let literal = matches!(self.kernel.expr(inner).kind, ExprKind::Int(_));
        let amount = if literal {
            amount
        } else {
            let mask = self.splat_like(amount, u64::from(scalar.bits() - 1), loc);
            self.b.like_first(BitwiseOp::AndI, &[amount, mask], loc)
        };
        if op == BinaryOp::Shl {
            self.b.wrapping(IntegerOp::ShlI, &[value, amount], loc)
        } else {
            let sign = signedness(scalar);
            self.b.signed(IntegerOp::ShrI, &[value, amount], sign, loc)
        }
    }

    fn compare(
        &mut self,
        op: BinaryOp,
        scalar: HostScalar,
        [lhs, rhs]: [ValueId; 2],
        loc: Loc,
    ) -> ValueId {
        use ComparisonPredicate as P;
        let predicate = match op {
            BinaryOp::Eq => P::Equal,
            BinaryOp::Ne => P::NotEqual,
            BinaryOp::Lt => P::LessThan,
            BinaryOp::Le => P::LessThanOrEqual,
            BinaryOp::Gt => P::GreaterThan,
            BinaryOp::Ge => P::GreaterThanOrEqual,
            other => unreachable!("`{}` is no comparison", other.symbol()),
        };
        if scalar.is_float() {
            // NaN is neither equal to, less than nor greater than any number.
            let ordering = if op == BinaryOp::Ne {
                ComparisonOrdering::Unordered
            } else {
                ComparisonOrdering::Ordered
            };
            return self.b.cmpf(predicate, ordering, lhs, rhs, loc);
        }
        self.b.cmpi(predicate, lhs, rhs, signedness(scalar), loc)
    }

    /// Builds a conversion with the meaning of Rust's `as`.
    pub(super) fn cast(
        &mut self,
        value: ValueId,
        from: HostScalar,
        to: HostScalar,
        loc: Loc,
    ) -> ValueId {
        let (source, target) = (from.scalar(), to.scalar());
        if source == target {
            return value;
        }
        match (from.is_float(), to.is_float()) {
            (true, true) => self.b.convert(ConversionOp::FToF, value, target, None, loc),
            (true, false) => self.float_to_integer(value, from, to, loc),
            (false, true) => {
                // A conversion to tf32 goes through f32; only the conversion from f32 to tf32
                // rounds.
                let direct = if to == HostScalar::Tf32 {
                    Scalar::F32
                } else {
                    target
                };
                let sign = Some(signedness(from));
                let value = self.b.convert(ConversionOp::IToF, value, direct, sign, loc);
                if direct == target {
                    return value;
                }
                self.b.convert(ConversionOp::FToF, value, target, None, loc)
            }
            (false, false) if target.bits() < source.bits() => {
                self.b
                    .convert(ConversionOp::TruncI, value, target, None, loc)
            }
            (false, false) => {
                let sign = Some(signedness(from));
                self.b.convert(ConversionOp::ExtI, value, target, sign, loc)
            }
        }
    }

    /// Converts a float to an integer. Rust's `as` saturates and maps NaN to zero; `ftoi` does
    /// neither.
    ///
    /// ```text
    /// x >= 2^n ? MAX : x < MIN ? MIN : ftoi(in range ? x : 0)
    /// ```
    fn float_to_integer(
        &mut self,
        value: ValueId,
        from: HostScalar,
        to: HostScalar,
        loc: Loc,
    ) -> ValueId {
        use ComparisonOrdering::Ordered;
        use ComparisonPredicate as P;
        // f16 cannot represent most limits, and tf32 and the small floats have no comparisons.
        let wide = if from == HostScalar::F64 {
            Scalar::F64
        } else {
            Scalar::F32
        };
        let value = if from.scalar() == wide {
            value
        } else {
            self.b.convert(ConversionOp::FToF, value, wide, None, loc)
        };
        let (least, greatest) = to.range().expect("the target is an integer");
        #[expect(
            clippy::cast_precision_loss,
            reason = "both limits are zero or powers of two, which floats hold exactly"
        )]
        let (low, high) = (least as f64, (greatest + 1) as f64);
        let low = self.splat_like(value, float_bits(wide, Float::new(low)), loc);
        let high = self.splat_like(value, float_bits(wide, Float::new(high)), loc);
        let zero = self.splat_like(value, 0, loc);
        let not_low = self.b.cmpf(P::GreaterThanOrEqual, Ordered, value, low, loc);
        let below = self.b.cmpf(P::LessThan, Ordered, value, low, loc);
        let above = self
            .b
            .cmpf(P::GreaterThanOrEqual, Ordered, value, high, loc);
        let not_high = self.b.cmpf(P::LessThan, Ordered, value, high, loc);
        let inside = self
            .b
            .like_first(BitwiseOp::AndI, &[not_low, not_high], loc);
        let safe = self.select(inside, value, zero, loc);
        let sign = Some(signedness(to));
        let integer = self
            .b
            .convert(ConversionOp::FToI, safe, to.scalar(), sign, loc);
        let max = self.splat_like(integer, integer_bits(to.scalar(), greatest), loc);
        let min = self.splat_like(integer, integer_bits(to.scalar(), least), loc);
        let capped = self.select(below, min, integer, loc);
        self.select(above, max, capped, loc)
    }

    pub(super) fn select(&mut self, mask: ValueId, yes: ValueId, no: ValueId, loc: Loc) -> ValueId {
        let ty = self.b.ty(yes);
        self.b
            .op(CoreOp::Select, loc)
            .args(&[mask, yes, no])
            .result(ty)
            .finish_value()
    }

    pub(super) fn mma(&mut self, lhs: ExprId, rhs: ExprId, acc: ExprId, loc: Loc) -> ValueId {
        let (left, right) = (self.element(lhs), self.element(rhs));
        let args = [self.tile(lhs), self.tile(rhs), self.tile(acc)];
        let ty = self.b.ty(args[2]);
        if left.is_float() {
            return self
                .b
                .op(FloatOp::MmaF, loc)
                .args(&args)
                .result(ty)
                .finish_value();
        }
        self.b
            .op(IntegerOp::MmaI, loc)
            .args(&args)
            .attr("signedness_lhs", Attr::Signedness(signedness(left)))
            .attr("signedness_rhs", Attr::Signedness(signedness(right)))
            .result(ty)
            .finish_value()
    }
}

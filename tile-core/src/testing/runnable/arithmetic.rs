//! Elementwise operations.
//!
//! Divisors are not zero, shift distances are below the width, and overflow is ruled out only for
//! operands that are too small to overflow.

use super::constants::mask;
use super::{LOC, Maker};
use crate::ir::{Attr, ComparisonPredicate, IntegerOverflow, RoundingMode, Signedness, ValueId};
use crate::ops::{AttrKind, BitwiseOp, CoreOp, FloatOp, IntegerOp, Opcode};
use crate::testing::generate::enum_value;
use crate::types::{Scalar, Type};

const FLOAT_OPS: [FloatOp; 36] = [
    FloatOp::AddF,
    FloatOp::AddF,
    FloatOp::AddF,
    FloatOp::SubF,
    FloatOp::SubF,
    FloatOp::SubF,
    FloatOp::MulF,
    FloatOp::MulF,
    FloatOp::MulF,
    FloatOp::DivF,
    FloatOp::DivF,
    FloatOp::Fma,
    FloatOp::Fma,
    FloatOp::MaxF,
    FloatOp::MinF,
    FloatOp::NegF,
    FloatOp::NegF,
    FloatOp::AbsF,
    FloatOp::AbsF,
    FloatOp::Ceil,
    FloatOp::Floor,
    FloatOp::RemF,
    FloatOp::Sqrt,
    FloatOp::RSqrt,
    FloatOp::Exp,
    FloatOp::Exp2,
    FloatOp::Log,
    FloatOp::Log2,
    FloatOp::Pow,
    FloatOp::Sin,
    FloatOp::Cos,
    FloatOp::Tan,
    FloatOp::SinH,
    FloatOp::CosH,
    FloatOp::TanH,
    FloatOp::CmpF,
];

const INTEGER_OPS: [IntegerOp; 20] = [
    IntegerOp::AddI,
    IntegerOp::AddI,
    IntegerOp::AddI,
    IntegerOp::SubI,
    IntegerOp::SubI,
    IntegerOp::MulI,
    IntegerOp::MulI,
    IntegerOp::MulhiI,
    IntegerOp::NegI,
    IntegerOp::AbsI,
    IntegerOp::MaxI,
    IntegerOp::MinI,
    IntegerOp::DivI,
    IntegerOp::DivI,
    IntegerOp::RemI,
    IntegerOp::ShlI,
    IntegerOp::ShlI,
    IntegerOp::ShrI,
    IntegerOp::CmpI,
    IntegerOp::CmpI,
];

impl Maker<'_> {
    /// Makes an integer operation.
    pub(super) fn integer(&mut self) {
        let opcode = self.random.pick(&INTEGER_OPS);
        let is_partial = matches!(
            opcode,
            IntegerOp::DivI | IntegerOp::RemI | IntegerOp::ShlI | IntegerOp::ShrI
        );
        let ty =
            self.tile_type(|scalar| scalar.is_integer() && !(is_partial && scalar == Scalar::I1));
        let (scalar, _) = ty.as_number_tile().expect("a tile of numbers");
        let promises = scalar != Scalar::I1 && self.random.one_in(3);
        match opcode {
            IntegerOp::AddI | IntegerOp::SubI | IntegerOp::MulI if promises => {
                self.small_arithmetic(opcode, ty);
            }
            IntegerOp::NegI if promises => {
                let arg = self.value(ty);
                let arg = self.bits_of(arg, 7);
                self.overflowing(opcode, &[arg], IntegerOverflow::NoSignedWrap);
            }
            IntegerOp::AddI
            | IntegerOp::SubI
            | IntegerOp::MulI
            | IntegerOp::MulhiI
            | IntegerOp::MaxI
            | IntegerOp::MinI => {
                let args = self.operands(ty, 2);
                self.row(opcode, &args, ty);
            }
            IntegerOp::CmpI => {
                self.comparison(ty);
            }
            IntegerOp::NegI | IntegerOp::AbsI => {
                let arg = self.value(ty);
                self.row(opcode, &[arg], ty);
            }
            IntegerOp::DivI | IntegerOp::RemI => self.quotient(opcode, ty),
            IntegerOp::ShlI | IntegerOp::ShrI => self.shift(opcode, ty, promises),
            IntegerOp::MmaI => unreachable!("made with the shapes"),
        }
    }

    /// Returns operands of one type, sometimes the same value twice.
    fn operands(&mut self, ty: Type, count: usize) -> Vec<ValueId> {
        let first = self.value(ty);
        let mut args = vec![first];
        for _ in 1..count {
            let mut next = self.value(ty);
            if self.random.one_in(8) {
                next = first;
            } else if next == first {
                let (scalar, shape) = ty.as_number_tile().expect("numbers");
                next = self.constant(scalar, shape);
            }
            args.push(next);
        }
        args
    }

    /// Masks a value to its low bits.
    pub(super) fn bits_of(&mut self, value: ValueId, bits: u64) -> ValueId {
        let bits = self.splat_like(value, bits);
        let ty = self.builder.ty(value);
        self.plain(BitwiseOp::AndI, &[value, bits], ty)
    }

    /// Makes an operation with an overflow attribute.
    fn overflowing(
        &mut self,
        opcode: impl Into<Opcode>,
        args: &[ValueId],
        overflow: IntegerOverflow,
    ) -> ValueId {
        let ty = self.builder.ty(args[0]);
        let op = self
            .builder
            .op(opcode, LOC)
            .args(args)
            .attr("overflow", Attr::Overflow(overflow))
            .result(ty)
            .finish();
        self.define(op)
    }

    /// Makes a sum, difference or product that cannot overflow.
    fn small_arithmetic(&mut self, opcode: IntegerOp, ty: Type) {
        let mut args: Vec<ValueId> = self.operands(ty, 2);
        for arg in &mut args {
            *arg = self.bits_of(*arg, 3);
        }
        if opcode == IntegerOp::SubI {
            // The minuend is at least 4, and the subtrahend at most 3.
            let four = self.splat_like(args[0], 4);
            args[0] = self.plain(BitwiseOp::OrI, &[args[0], four], ty);
        }
        let overflow = self.random.pick(IntegerOverflow::ALL);
        self.overflowing(opcode, &args, overflow);
    }

    /// Makes a division or a remainder.
    fn quotient(&mut self, opcode: IntegerOp, ty: Type) {
        let (scalar, shape) = ty.as_number_tile().expect("a tile of numbers");
        let signedness = self.random.pick(Signedness::ALL);
        let least = scalar.bits() - 1;
        let lhs = self.value(ty);
        let rhs = match self.random.below(4) {
            0 => {
                // The divisor is odd, so not zero, and non-negative, so not -1.
                let value = self.value(ty);
                let value = match signedness {
                    Signedness::Signed => self.bits_of(value, mask(scalar) >> 1),
                    Signedness::Unsigned => value,
                };
                let one = self.splat_like(value, 1);
                self.plain(BitwiseOp::OrI, &[value, one], ty)
            }
            1 => {
                let divisor = self.random.pick(&[3, 5, 7, 10, 100]);
                self.splat(scalar, divisor, shape)
            }
            2 if signedness == Signedness::Signed => {
                let divisor = self.random.pick(&[-2_i64, -3, -4, -8, -100]);
                self.splat(scalar, divisor.cast_unsigned(), shape)
            }
            _ => {
                let power = self.random.below(least as usize);
                self.splat(scalar, 1 << power, shape)
            }
        };
        let mut op = self
            .builder
            .op(opcode, LOC)
            .args(&[lhs, rhs])
            .attr("signedness", Attr::Signedness(signedness));
        if opcode == IntegerOp::DivI {
            let rounding = match (self.random.below(3), signedness) {
                (0, _) => RoundingMode::PositiveInf,
                (1, Signedness::Signed) => RoundingMode::NegativeInf,
                _ => RoundingMode::Zero,
            };
            op = op.attr("rounding", Attr::Rounding(rounding));
        }
        let op = op.result(ty).finish();
        self.define(op);
    }

    fn shift(&mut self, opcode: IntegerOp, ty: Type, promises: bool) {
        let (scalar, shape) = ty.as_number_tile().expect("a tile of numbers");
        let lhs = self.value(ty);
        let width = u64::from(scalar.bits());
        if opcode == IntegerOp::ShlI && promises {
            let lhs = self.bits_of(lhs, 7);
            let by = self.random.below(4) as u64;
            let by = self.splat(scalar, by, shape);
            let overflow = self.random.pick(IntegerOverflow::ALL);
            self.overflowing(opcode, &[lhs, by], overflow);
            return;
        }
        let by = if self.random.one_in(3) {
            let by = self.value(ty);
            self.bits_of(by, width - 1)
        } else {
            let by = self.random.below(scalar.bits() as usize) as u64;
            self.splat(scalar, by, shape)
        };
        self.row(opcode, &[lhs, by], ty);
    }

    /// Makes a comparison of two values of type `ty`.
    pub(super) fn comparison(&mut self, ty: Type) -> ValueId {
        let (scalar, shape) = ty.as_number_tile().expect("a tile of numbers");
        let args = self.operands(ty, 2);
        let result = Type::tile(Scalar::I1, shape);
        if scalar.is_integer() {
            self.row(IntegerOp::CmpI, &args, result)
        } else {
            self.row(FloatOp::CmpF, &args, result)
        }
    }

    /// Makes a float operation.
    pub(super) fn float(&mut self) {
        if self.scalar(Scalar::is_base_float).is_none() {
            return self.integer();
        }
        let mut opcode = self.random.pick(&FLOAT_OPS);
        while self.for_devices() && Self::is_inexact(opcode) {
            // `Maker::function` makes inexact functions.
            opcode = self.random.pick(&FLOAT_OPS);
        }
        let ty = self.tile_type(Scalar::is_base_float);
        if opcode == FloatOp::CmpF {
            self.comparison(ty);
            return;
        }
        if opcode == FloatOp::AddF && self.random.one_in(3) {
            // A multiplication and addition that can be fused.
            let factors = self.operands(ty, 2);
            let product = self.row(FloatOp::MulF, &factors, ty);
            let other = self.value(ty);
            let mut args = [product, other];
            self.random.shuffle(&mut args);
            self.row(opcode, &args, ty);
            return;
        }
        let args = self.operands(ty, opcode.def().operands.len());
        self.row(opcode, &args, ty);
    }

    /// Makes an operation with random enums and flags that its row admits, except promises.
    fn row(&mut self, opcode: impl Into<Opcode>, args: &[ValueId], result: Type) -> ValueId {
        let opcode = opcode.into();
        let def = opcode.def();
        let element = self
            .builder
            .ty(args[0])
            .as_number_tile()
            .map(|(scalar, _)| scalar);
        let mut attrs = Vec::new();
        for slot in def
            .attrs
            .iter()
            .filter(|slot| slot.kind != AttrKind::Overflow)
        {
            if slot.kind == AttrKind::Unit && !self.random.one_in(3) {
                continue;
            }
            let mut value = enum_value(&mut self.random, slot, def.rules, element);
            let approximations = [RoundingMode::Approx, RoundingMode::Full].map(Attr::Rounding);
            if self.for_devices() && value.as_ref().is_some_and(|v| approximations.contains(v)) {
                value = Some(Attr::Rounding(RoundingMode::NearestEven));
            }
            attrs.extend(value.map(|value| (slot.name, value)));
        }
        let mut op = self.builder.op(opcode, LOC).args(args).result(result);
        for (name, value) in attrs {
            op = op.attr(name, value);
        }
        let op = op.finish();
        self.define(op)
    }

    /// Makes operations on truth values and bits.
    pub(super) fn logic(&mut self) {
        let of_truths = self.random.one_in(2);
        let ty =
            self.tile_type(|scalar| scalar.is_integer() && (!of_truths || scalar == Scalar::I1));
        let opcode = self
            .random
            .pick(&[BitwiseOp::AndI, BitwiseOp::OrI, BitwiseOp::XorI]);
        let mut value = self.value(ty);
        // Make chains, and the negation that canonical forms use.
        for _ in 0..=self.random.below(3) {
            if self.random.one_in(3) {
                value = self.negation(value);
                continue;
            }
            let other = if self.random.one_in(6) {
                value
            } else {
                self.value(ty)
            };
            value = self.plain(opcode, &[value, other], ty);
        }
    }

    /// Makes `xori value, -1`.
    pub(super) fn negation(&mut self, value: ValueId) -> ValueId {
        let ones = self.splat_like(value, u64::MAX);
        let ty = self.builder.ty(value);
        self.plain(BitwiseOp::XorI, &[value, ones], ty)
    }

    /// Makes a `select`, in forms that are rewritten.
    pub(super) fn choice(&mut self) {
        let ty = self.tile_type(|_| true);
        let (scalar, shape) = ty.as_number_tile().expect("a tile of numbers");
        let truth = Type::tile(Scalar::I1, shape);
        let mut arms = self.operands(ty, 2);
        let condition = match self.random.below(6) {
            0 if scalar.is_integer() => {
                let predicate = self
                    .random
                    .pick(&[ComparisonPredicate::Equal, ComparisonPredicate::NotEqual]);
                let (mut lhs, mut rhs) = (arms[0], arms[1]);
                if self.random.one_in(2) {
                    (lhs, rhs) = (rhs, lhs);
                }
                let op = self
                    .builder
                    .op(IntegerOp::CmpI, LOC)
                    .args(&[lhs, rhs])
                    .attr("comparison_predicate", Attr::Predicate(predicate))
                    .attr("signedness", Attr::Signedness(Signedness::Signed))
                    .result(truth)
                    .finish();
                self.define(op)
            }
            1 => {
                let condition = self.value(truth);
                self.negation(condition)
            }
            _ => self.value(truth),
        };
        match self.random.below(6) {
            0 => {
                // Nested, on the same condition.
                let [a, b] = [arms[0], arms[1]];
                let inner = self.plain(CoreOp::Select, &[condition, a, b], ty);
                let arm = self.random.below(2);
                arms[arm] = inner;
            }
            1 if scalar.is_integer() => {
                let numbers = if self.random.one_in(2) {
                    [1, 0]
                } else {
                    [0, 1]
                };
                arms = numbers
                    .map(|number| self.splat(scalar, number, shape))
                    .to_vec();
            }
            _ => {}
        }
        self.plain(CoreOp::Select, &[condition, arms[0], arms[1]], ty);
    }
}

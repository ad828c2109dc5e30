//! Emits integer arithmetic.

#![deny(clippy::wildcard_enum_match_arm)]

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue};
use tile_core::ir::{Attr, ComparisonPredicate, IntegerOverflow, RoundingMode, Signedness};
use tile_core::ops::IntegerOp;

use super::super::Result;
use super::{Element, promises};

impl<'ctx> Element<'_, 'ctx> {
    pub(super) fn integer(&self, op: IntegerOp) -> Result<BasicValueEnum<'ctx>> {
        let code = self.code;
        let value = match op {
            IntegerOp::AbsI => {
                let value = self.int(0);
                let negative =
                    code.compare(IntPredicate::SLT, value, value.get_type().const_zero());
                let negated = code.sub(value.get_type().const_zero(), value);
                code.select(negative, negated, value).into_int_value()
            }
            IntegerOp::AddI => self.promised(code.add(self.int(0), self.int(1))),
            IntegerOp::SubI => self.promised(code.sub(self.int(0), self.int(1))),
            IntegerOp::MulI => self.promised(code.mul(self.int(0), self.int(1))),
            IntegerOp::NegI => {
                let value = self.int(0);
                let negated = code.sub(value.get_type().const_zero(), value);
                // Only the signed no-wrap flag applies: as an unsigned operation, a negation wraps unless the
                // operand is zero.
                match self.op.overflow() {
                    IntegerOverflow::NoSignedWrap | IntegerOverflow::NoWrap => {
                        set_flags(negated, true, false)
                    }
                    IntegerOverflow::None | IntegerOverflow::NoUnsignedWrap => negated,
                }
            }
            IntegerOp::CmpI => {
                let predicate = predicate(self.op.predicate(), self.op.signedness());
                code.compare(predicate, self.int(0), self.int(1))
            }
            IntegerOp::DivI => self.divide()?,
            IntegerOp::RemI => self.remainder(),
            IntegerOp::MaxI => self.extremum(ComparisonPredicate::GreaterThan),
            IntegerOp::MinI => self.extremum(ComparisonPredicate::LessThan),
            IntegerOp::MulhiI => {
                let (x, y) = (self.int(0), self.int(1));
                let bits = x.get_type().get_bit_width();
                let wide = code.int(2 * bits);
                let product = code.mul(code.unsigned(x, wide), code.unsigned(y, wide));
                let shift = wide.const_int(u64::from(bits), false);
                code.unsigned(code.lshr(product, shift), x.get_type())
            }
            IntegerOp::ShlI => self.promised(code.shl(self.int(0), self.distance())),
            IntegerOp::ShrI => match self.op.signedness() {
                Signedness::Unsigned => code.lshr(self.int(0), self.distance()),
                Signedness::Signed => code.ashr(self.int(0), self.distance()),
            },
            IntegerOp::MmaI => return Err(self.unsupported("")),
        };
        Ok(value.into())
    }

    /// Sets the overflow flags of the operation on its result.
    fn promised(&self, value: IntValue<'ctx>) -> IntValue<'ctx> {
        let (signed, unsigned) = promises(self.op.overflow());
        set_flags(value, signed, unsigned)
    }

    /// Returns the shift distance modulo the width. The IR leaves the result of a shift by the width or more
    /// unspecified, but in LLVM such a shift would poison all dependent values.
    fn distance(&self) -> IntValue<'ctx> {
        let distance = self.int(1);
        let ty = distance.get_type();
        let below = u64::from(ty.get_bit_width() - 1);
        self.code.and(distance, ty.const_int(below, false))
    }

    fn extremum(&self, wins: ComparisonPredicate) -> IntValue<'ctx> {
        let (lhs, rhs) = (self.int(0), self.int(1));
        let predicate = predicate(wins, self.op.signedness());
        let wins = self.code.compare(predicate, lhs, rhs);
        self.code.select(wins, lhs, rhs).into_int_value()
    }

    fn divide(&self) -> Result<IntValue<'ctx>> {
        let (code, lhs, rhs) = (self.code, self.int(0), self.int(1));
        let ty = lhs.get_type();
        let mode = match self.op.attr("rounding") {
            Some(Attr::Rounding(mode)) => *mode,
            other => unreachable!("the verifier excludes rounding {other:?}"),
        };
        let is_inexact = |remainder| code.compare(IntPredicate::NE, remainder, ty.const_zero());
        // Computes whether the exact quotient is negative, given that it is not an integer and hence not
        // zero.
        let is_negative = || {
            let signs = code.xor(lhs, rhs);
            code.compare(IntPredicate::SLT, signs, ty.const_zero())
        };
        let one_if = |condition| code.unsigned(condition, ty);
        Ok(match (self.op.signedness(), mode) {
            (Signedness::Unsigned, RoundingMode::Zero) => code.udiv(lhs, rhs),
            (Signedness::Signed, RoundingMode::Zero) => code.sdiv(lhs, rhs),
            (Signedness::Unsigned, RoundingMode::PositiveInf) => {
                let up = is_inexact(code.urem(lhs, rhs));
                code.add(code.udiv(lhs, rhs), one_if(up))
            }
            (Signedness::Signed, RoundingMode::PositiveInf) => {
                let is_positive =
                    code.compare(IntPredicate::SGE, code.xor(lhs, rhs), ty.const_zero());
                let up = code.and(is_inexact(code.srem(lhs, rhs)), is_positive);
                code.add(code.sdiv(lhs, rhs), one_if(up))
            }
            (Signedness::Signed, RoundingMode::NegativeInf) => {
                let down = code.and(is_inexact(code.srem(lhs, rhs)), is_negative());
                code.sub(code.sdiv(lhs, rhs), one_if(down))
            }
            (_, mode) => return Err(self.unsupported_rounding(mode)),
        })
    }

    /// Computes the remainder. It may be speculated before a test of the divisor, so a divisor of 1 is
    /// substituted where LLVM leaves the remainder undefined (a divisor of zero, and MIN by -1).
    fn remainder(&self) -> IntValue<'ctx> {
        let (code, lhs, rhs) = (self.code, self.int(0), self.int(1));
        let ty = rhs.get_type();
        let one = ty.const_int(1, false);
        if ty.get_bit_width() == 1 {
            // The only nonzero divisor is one (or minus one), which leaves no remainder.
            return ty.const_zero();
        }
        match self.op.signedness() {
            Signedness::Unsigned => {
                let is_zero = code.compare(IntPredicate::EQ, rhs, ty.const_zero());
                let rhs = code.select(is_zero, one, rhs).into_int_value();
                code.urem(lhs, rhs)
            }
            Signedness::Signed => {
                // Exactly 0 and -1 are at most 1, as unsigned numbers, after one is added.
                let next = code.add(rhs, one);
                let is_excluded = code.compare(IntPredicate::ULE, next, one);
                let rhs = code.select(is_excluded, one, rhs).into_int_value();
                code.srem(lhs, rhs)
            }
        }
    }
}

/// Sets the no-wrap flags of an addition, subtraction, product or left shift.
fn set_flags(value: IntValue<'_>, signed: bool, unsigned: bool) -> IntValue<'_> {
    // The result is an instruction, unless the builder has folded constants; these have no flags.
    if let Some(instruction) = value.as_instruction() {
        let has_flags = "additions, subtractions, products and left shifts have these flags";
        let done = instruction.set_no_signed_wrap_flag(signed);
        done.expect(has_flags);
        let done = instruction.set_no_unsigned_wrap_flag(unsigned);
        done.expect(has_flags);
    }
    value
}

fn predicate(predicate: ComparisonPredicate, signedness: Signedness) -> IntPredicate {
    let signed = signedness == Signedness::Signed;
    match predicate {
        ComparisonPredicate::Equal => IntPredicate::EQ,
        ComparisonPredicate::NotEqual => IntPredicate::NE,
        ComparisonPredicate::LessThan if signed => IntPredicate::SLT,
        ComparisonPredicate::LessThan => IntPredicate::ULT,
        ComparisonPredicate::LessThanOrEqual if signed => IntPredicate::SLE,
        ComparisonPredicate::LessThanOrEqual => IntPredicate::ULE,
        ComparisonPredicate::GreaterThan if signed => IntPredicate::SGT,
        ComparisonPredicate::GreaterThan => IntPredicate::UGT,
        ComparisonPredicate::GreaterThanOrEqual if signed => IntPredicate::SGE,
        ComparisonPredicate::GreaterThanOrEqual => IntPredicate::UGE,
    }
}

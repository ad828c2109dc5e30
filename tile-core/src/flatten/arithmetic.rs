//! Unsigned, wrapping arithmetic on rank-0 tiles. It folds constants, so that constant bounds leave
//! no operations.

use super::rewriter::Rewriter;
use crate::ir::{ComparisonPredicate, Loc, Signedness, ValueId};
use crate::ops::{ConversionOp, CoreOp, IntegerOp};
use crate::types::Scalar;

/// An operation on two numbers of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
}

/// Truncates `bits` to the width of `scalar`.
fn wrapped(scalar: Scalar, bits: u64) -> u64 {
    bits & (u64::MAX >> (64 - scalar.bits()))
}

impl Rewriter<'_> {
    /// Returns the element type of a rank-0 tile of integers.
    pub(super) fn scalar(&self, value: ValueId) -> Scalar {
        let (scalar, _) = self.to.ty(value).as_number_tile().expect("an integer");
        scalar
    }

    /// Returns the bits of a rank-0 tile, if it is a constant.
    pub(super) fn known(&self, value: ValueId) -> Option<u64> {
        let op = self.to.op(self.to.defining_op(value)?);
        if op.opcode != CoreOp::Constant.into() {
            return None;
        }
        op.dense_value().splat_bits()
    }

    /// Makes a rank-0 constant.
    pub(super) fn constant(&mut self, scalar: Scalar, bits: u64, loc: Loc) -> ValueId {
        self.builder()
            .splat(scalar, wrapped(scalar, bits), &[], loc)
    }

    /// Computes `lhs op rhs`; a divisor must not be 0.
    pub(super) fn compute(
        &mut self,
        op: Arithmetic,
        lhs: ValueId,
        rhs: ValueId,
        loc: Loc,
    ) -> ValueId {
        let scalar = self.scalar(lhs);
        let constants = (self.known(lhs), self.known(rhs));
        if let (Some(a), Some(b)) = constants
            && let Some(result) = folded(op, a, b)
        {
            return self.constant(scalar, result, loc);
        }
        match (op, constants) {
            (Arithmetic::Add, (Some(0), _)) | (Arithmetic::Mul, (Some(1), _)) => return rhs,
            (Arithmetic::Add | Arithmetic::Sub, (_, Some(0)))
            | (Arithmetic::Mul | Arithmetic::Div, (_, Some(1))) => return lhs,
            _ => {}
        }
        let args = [lhs, rhs];
        let mut builder = self.builder();
        match op {
            Arithmetic::Add => builder.wrapping(IntegerOp::AddI, &args, loc),
            Arithmetic::Sub => builder.wrapping(IntegerOp::SubI, &args, loc),
            Arithmetic::Mul => builder.wrapping(IntegerOp::MulI, &args, loc),
            Arithmetic::Div => builder.signed(IntegerOp::DivI, &args, Signedness::Unsigned, loc),
            Arithmetic::Rem => builder.signed(IntegerOp::RemI, &args, Signedness::Unsigned, loc),
            Arithmetic::Min => builder.signed(IntegerOp::MinI, &args, Signedness::Unsigned, loc),
        }
    }

    /// Computes `lhs predicate rhs`.
    pub(super) fn compare(
        &mut self,
        predicate: ComparisonPredicate,
        lhs: ValueId,
        rhs: ValueId,
        signedness: Signedness,
        loc: Loc,
    ) -> ValueId {
        self.builder().cmpi(predicate, lhs, rhs, signedness, loc)
    }

    /// Computes `condition ? yes : no`.
    pub(super) fn select(
        &mut self,
        condition: ValueId,
        yes: ValueId,
        no: ValueId,
        loc: Loc,
    ) -> ValueId {
        let ty = self.to.ty(yes);
        self.builder()
            .op(CoreOp::Select, loc)
            .args(&[condition, yes, no])
            .result(ty)
            .finish_value()
    }

    /// Converts a number to another type by zero extension or truncation.
    pub(super) fn resized(&mut self, value: ValueId, to: Scalar, loc: Loc) -> ValueId {
        let from = self.scalar(value);
        if from == to {
            return value;
        }
        if let Some(bits) = self.known(value) {
            return self.constant(to, bits, loc);
        }
        let mut builder = self.builder();
        if from.bits() < to.bits() {
            let unsigned = Some(Signedness::Unsigned);
            builder.convert(ConversionOp::ExtI, value, to, unsigned, loc)
        } else {
            builder.convert(ConversionOp::TruncI, value, to, None, loc)
        }
    }
}

/// Returns the result before it wraps; `None` for a division by 0.
fn folded(op: Arithmetic, a: u64, b: u64) -> Option<u64> {
    Some(match op {
        Arithmetic::Add => a.wrapping_add(b),
        Arithmetic::Sub => a.wrapping_sub(b),
        Arithmetic::Mul => a.wrapping_mul(b),
        Arithmetic::Div => a.checked_div(b)?,
        Arithmetic::Rem => a.checked_rem(b)?,
        Arithmetic::Min => a.min(b),
    })
}

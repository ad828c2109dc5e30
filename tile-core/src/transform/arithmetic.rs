//! Builds arithmetic on the bounds of loops.

use crate::build::Builder;
use crate::ir::{Attr, ComparisonPredicate, Loc, RoundingMode, Signedness, ValueId};
use crate::ops::{CoreOp, IntegerOp};
use crate::types::Scalar;

/// Builds operations on rank-0 tiles of one type.
pub(super) struct Arithmetic<'b, 'm> {
    pub(super) builder: &'b mut Builder<'m>,
    pub(super) scalar: Scalar,
    pub(super) loc: Loc,
}

impl Arithmetic<'_, '_> {
    pub(super) fn constant(&mut self, bits: u64) -> ValueId {
        self.builder.splat(self.scalar, bits, &[], self.loc)
    }

    pub(super) fn wrapping(&mut self, op: IntegerOp, lhs: ValueId, rhs: ValueId) -> ValueId {
        self.builder.wrapping(op, &[lhs, rhs], self.loc)
    }

    pub(super) fn signed(
        &mut self,
        op: IntegerOp,
        lhs: ValueId,
        rhs: ValueId,
        signedness: Signedness,
    ) -> ValueId {
        self.builder.signed(op, &[lhs, rhs], signedness, self.loc)
    }

    pub(super) fn divi(
        &mut self,
        lhs: ValueId,
        rhs: ValueId,
        signedness: Signedness,
        rounding: RoundingMode,
    ) -> ValueId {
        let ty = self.builder.ty(lhs);
        self.builder
            .op(IntegerOp::DivI, self.loc)
            .args(&[lhs, rhs])
            .attr("signedness", Attr::Signedness(signedness))
            .attr("rounding", Attr::Rounding(rounding))
            .result(ty)
            .finish_value()
    }

    pub(super) fn is_equal(&mut self, lhs: ValueId, rhs: ValueId) -> ValueId {
        self.compare(ComparisonPredicate::Equal, lhs, rhs)
    }

    /// Makes `lhs <= rhs`, unsigned.
    pub(super) fn is_at_most(&mut self, lhs: ValueId, rhs: ValueId) -> ValueId {
        self.compare(ComparisonPredicate::LessThanOrEqual, lhs, rhs)
    }

    fn compare(&mut self, predicate: ComparisonPredicate, lhs: ValueId, rhs: ValueId) -> ValueId {
        let unsigned = Signedness::Unsigned;
        self.builder.cmpi(predicate, lhs, rhs, unsigned, self.loc)
    }

    pub(super) fn select(
        &mut self,
        condition: ValueId,
        then: ValueId,
        otherwise: ValueId,
    ) -> ValueId {
        let ty = self.builder.ty(then);
        self.builder
            .op(CoreOp::Select, self.loc)
            .args(&[condition, then, otherwise])
            .result(ty)
            .finish_value()
    }
}

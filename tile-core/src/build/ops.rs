//! Helpers for common operations.

use super::Builder;
use crate::ir::{
    AssumePredicate, Attr, ComparisonOrdering, ComparisonPredicate, DenseElements, IntegerOverflow,
    Loc, Signedness, ValueId,
};
use crate::ops::{ControlFlowOp, ConversionOp, CoreOp, FloatOp, IntegerOp, MiscOp, Opcode};
use crate::types::{Scalar, TileType, Type, TypeKind};
use std::sync::Arc;

impl Builder<'_> {
    /// Makes a constant of shape `shape` in which every element is `bits`.
    pub fn splat(&mut self, scalar: Scalar, bits: u64, shape: &[i64], loc: Loc) -> ValueId {
        self.op(CoreOp::Constant, loc)
            .attr(
                "value",
                Attr::Dense(Arc::new(DenseElements::Splat { scalar, bits })),
            )
            .result(Type::tile(scalar, shape))
            .finish_value()
    }

    /// Makes a rank-0 i32 constant.
    pub fn const_i32(&mut self, value: i32, loc: Loc) -> ValueId {
        self.splat(Scalar::I32, u64::from(value.cast_unsigned()), &[], loc)
    }

    /// Makes an operation whose single result has the type of its first operand.
    pub fn like_first(&mut self, opcode: impl Into<Opcode>, args: &[ValueId], loc: Loc) -> ValueId {
        let ty = self.ty(args[0]);
        self.op(opcode, loc).args(args).result(ty).finish_value()
    }

    /// Makes an integer operation with the attribute `signedness`.
    pub fn signed(
        &mut self,
        opcode: IntegerOp,
        args: &[ValueId],
        signedness: Signedness,
        loc: Loc,
    ) -> ValueId {
        let ty = self.ty(args[0]);
        self.op(opcode, loc)
            .args(args)
            .attr("signedness", Attr::Signedness(signedness))
            .result(ty)
            .finish_value()
    }

    /// Makes an integer operation that wraps.
    pub fn wrapping(&mut self, opcode: IntegerOp, args: &[ValueId], loc: Loc) -> ValueId {
        let ty = self.ty(args[0]);
        self.op(opcode, loc)
            .args(args)
            .attr("overflow", Attr::Overflow(IntegerOverflow::None))
            .result(ty)
            .finish_value()
    }

    /// Makes a `cmpi`.
    pub fn cmpi(
        &mut self,
        predicate: ComparisonPredicate,
        lhs: ValueId,
        rhs: ValueId,
        signedness: Signedness,
        loc: Loc,
    ) -> ValueId {
        let result = self.mask_like(lhs);
        self.op(IntegerOp::CmpI, loc)
            .args(&[lhs, rhs])
            .attr("comparison_predicate", Attr::Predicate(predicate))
            .attr("signedness", Attr::Signedness(signedness))
            .result(result)
            .finish_value()
    }

    /// Makes a `cmpf`.
    pub fn cmpf(
        &mut self,
        predicate: ComparisonPredicate,
        ordering: ComparisonOrdering,
        lhs: ValueId,
        rhs: ValueId,
        loc: Loc,
    ) -> ValueId {
        let result = self.mask_like(lhs);
        self.op(FloatOp::CmpF, loc)
            .args(&[lhs, rhs])
            .attr("comparison_predicate", Attr::Predicate(predicate))
            .attr("comparison_ordering", Attr::Ordering(ordering))
            .result(result)
            .finish_value()
    }

    /// Makes a `reshape` to `shape`.
    pub fn reshape(&mut self, source: ValueId, shape: &[i64], loc: Loc) -> ValueId {
        self.reshaped(CoreOp::Reshape, source, shape, loc)
    }

    /// Makes a `broadcast` to `shape`, which has the same rank.
    pub fn broadcast(&mut self, source: ValueId, shape: &[i64], loc: Loc) -> ValueId {
        self.reshaped(CoreOp::Broadcast, source, shape, loc)
    }

    /// Broadcasts a rank-0 tile to `shape`: a `reshape` to extents of 1, then a `broadcast`.
    pub fn splat_value(&mut self, source: ValueId, shape: &[i64], loc: Loc) -> ValueId {
        if shape.is_empty() {
            return source;
        }
        let ones = self.reshape(source, &vec![1; shape.len()], loc);
        if shape.iter().all(|&dim| dim == 1) {
            return ones;
        }
        self.broadcast(ones, shape, loc)
    }

    /// Makes a `permute`.
    pub fn permute(&mut self, source: ValueId, permutation: &[i32], loc: Loc) -> ValueId {
        let tile = self.tile(source);
        let shape: Vec<i64> = permutation
            .iter()
            .map(|&axis| tile.shape[usize::try_from(axis).expect("axes are not negative")])
            .collect();
        self.op(CoreOp::Permute, loc)
            .args(&[source])
            .attr("permutation", Attr::I32Array(permutation.into()))
            .result(Type::tile(tile.element, &shape))
            .finish_value()
    }

    /// Makes a conversion to `to`, with `signedness` if the op has one.
    pub fn convert(
        &mut self,
        opcode: ConversionOp,
        source: ValueId,
        to: Scalar,
        signedness: Option<Signedness>,
        loc: Loc,
    ) -> ValueId {
        let shape = &self.tile(source).shape;
        let mut op = self.op(opcode, loc).args(&[source]);
        if let Some(signedness) = signedness {
            op = op.attr("signedness", Attr::Signedness(signedness));
        }
        op.result(Type::tile(to, shape)).finish_value()
    }

    /// Makes an `assume`.
    pub fn assume(&mut self, value: ValueId, predicate: AssumePredicate, loc: Loc) -> ValueId {
        let ty = self.ty(value);
        self.op(MiscOp::Assume, loc)
            .args(&[value])
            .attr("predicate", Attr::Assume(Box::new(predicate)))
            .result(ty)
            .finish_value()
    }

    /// Makes a terminator with `operands`.
    pub fn terminate(&mut self, opcode: ControlFlowOp, operands: &[ValueId], loc: Loc) {
        self.op(opcode, loc).operands("operands", operands).finish();
    }

    fn reshaped(&mut self, opcode: CoreOp, source: ValueId, shape: &[i64], loc: Loc) -> ValueId {
        let element = self.tile(source).element;
        self.op(opcode, loc)
            .args(&[source])
            .result(Type::tile(element, shape))
            .finish_value()
    }

    fn mask_like(&self, value: ValueId) -> Type {
        Type::tile(Scalar::I1, &self.tile(value).shape)
    }

    fn tile(&self, value: ValueId) -> &'static TileType {
        match self.ty(value).kind() {
            TypeKind::Tile(tile) => tile,
            other => panic!("expected a tile, found {other:?}"),
        }
    }
}

//! Shapes.

use super::{Build, tile_type};
use crate::hir::signature::HostScalar;
use crate::hir::{ExprId, ExprKind};
use tile_core::Loc;
use tile_core::ir::{Attr, Signedness, ValueId};
use tile_core::ops::{CoreOp, IntegerOp};
use tile_core::types::{Scalar, Type};

impl Build<'_, '_> {
    /// A number or size-1 axes, repeated over `shape`.
    pub(super) fn stretch(&mut self, id: ExprId, shape: &[i64], loc: Loc) -> ValueId {
        if matches!(
            self.kernel.expr(id).kind,
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_)
        ) {
            return self.literal(id, shape, loc);
        }
        let is_scalar = self.shape(id).is_empty();
        let value = self.tile(id);
        if is_scalar {
            self.b.splat_value(value, shape, loc)
        } else {
            self.b.broadcast(value, shape, loc)
        }
    }

    pub(super) fn permute(&mut self, id: ExprId, permutation: &[usize], loc: Loc) -> ValueId {
        let value = self.tile(id);
        let permutation: Vec<i32> = permutation
            .iter()
            .map(|&axis| i32::try_from(axis).expect("ranks are small"))
            .collect();
        self.b.permute(value, &permutation, loc)
    }

    /// The slice of the shape of `id`.
    pub(super) fn extract(
        &mut self,
        source: ExprId,
        index: &[ExprId],
        id: ExprId,
        loc: Loc,
    ) -> ValueId {
        let (whole, part) = (self.shape(source).to_vec(), self.shape(id));
        let mut args = vec![self.tile(source)];
        for (axis, &one) in index.iter().enumerate() {
            let scalar = self.element(one);
            let mut value = self.tile(one);
            if scalar.bits() == 64 {
                // What is out of range stays so in fewer bits.
                let count = self.integer(scalar, i128::from(whole[axis] / part[axis]), loc);
                value = self
                    .b
                    .signed(IntegerOp::MinI, &[value, count], Signedness::Unsigned, loc);
            }
            let narrow = self.cast(value, scalar, HostScalar::I32, loc);
            args.push(narrow);
        }
        let ty = tile_type(self.ty(id));
        self.b
            .op(CoreOp::Extract, loc)
            .operand("source", args[0])
            .operands("indices", &args[1..])
            .result(ty)
            .finish_value()
    }

    pub(super) fn cat(
        &mut self,
        [lhs, rhs]: [ExprId; 2],
        axis: usize,
        id: ExprId,
        loc: Loc,
    ) -> ValueId {
        let args = [self.tile(lhs), self.tile(rhs)];
        let ty = tile_type(self.ty(id));
        let dim = i64::try_from(axis).expect("ranks are small");
        self.b
            .op(CoreOp::Cat, loc)
            .args(&args)
            .attr("dim", Attr::Int(dim))
            .result(ty)
            .finish_value()
    }

    /// 0, 1, 2, .. along one axis of `shape`, the same along the others.
    pub(super) fn count_along(&mut self, axis: usize, shape: &[i64], loc: Loc) -> ValueId {
        let ty = Type::tile(Scalar::I32, &[shape[axis]]);
        let counted = self.b.op(CoreOp::Iota, loc).result(ty).finish_value();
        let mut ones = vec![1; shape.len()];
        ones[axis] = shape[axis];
        let mut value = counted;
        if shape.len() > 1 {
            value = self.b.reshape(value, &ones, loc);
        }
        if ones != shape {
            value = self.b.broadcast(value, shape, loc);
        }
        value
    }
}

//! Shapes and reductions.

use super::scalar::{float_bits, integer_bits, signedness};
use super::{Build, tile_type};
use crate::hir::signature::HostScalar;
use crate::hir::{ExprId, ExprKind, Float, ReduceOp};
use tile_core::Loc;
use tile_core::ir::{Attr, TypedScalar, ValueId};
use tile_core::ops::{ControlFlowOp, CoreOp, FloatOp, IntegerOp};
use tile_core::types::Type;

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

    /// The identity of a reduction.
    fn identity(op: ReduceOp, scalar: HostScalar) -> TypedScalar {
        let element = scalar.scalar();
        let bits = if scalar.is_float() {
            let value = match op {
                // `-0.0 + 0.0` is `0.0`: only -0 leaves every number as it is.
                ReduceOp::Sum => -0.0,
                ReduceOp::Prod => 1.0,
                ReduceOp::Max => f64::NEG_INFINITY,
                ReduceOp::Min => f64::INFINITY,
            };
            float_bits(element, Float::new(value))
        } else {
            let (least, greatest) = scalar.range().expect("an integer has a range");
            let value = match op {
                ReduceOp::Sum => 0,
                ReduceOp::Prod => 1,
                ReduceOp::Max => least,
                ReduceOp::Min => greatest,
            };
            integer_bits(element, value)
        };
        TypedScalar {
            scalar: element,
            bits,
        }
    }

    pub(super) fn reduce(
        &mut self,
        op: ReduceOp,
        source: ExprId,
        axis: usize,
        id: ExprId,
        loc: Loc,
    ) -> ValueId {
        let scalar = self.element(source);
        let source = self.tile(source);
        let axis = i64::try_from(axis).expect("ranks are small");
        let result = tile_type(self.ty(id));
        let reduce = self
            .b
            .op(CoreOp::Reduce, loc)
            .operands("operands", &[source])
            .attr("dim", Attr::Int(axis))
            .attr(
                "identities",
                Attr::Scalars([Self::identity(op, scalar)].into()),
            )
            .result(result)
            .finish();
        let block = self.b.add_region_block(reduce);
        let element = Type::scalar(scalar.scalar());
        let module = self.b.module();
        let args = [
            module.add_block_arg(block, element, loc),
            module.add_block_arg(block, element, loc),
        ];
        let outer = self.b.set_block(block);
        let sign = signedness(scalar);
        let combined = match (op, scalar.is_float()) {
            (ReduceOp::Sum, true) => self.b.like_first(FloatOp::AddF, &args, loc),
            (ReduceOp::Prod, true) => self.b.like_first(FloatOp::MulF, &args, loc),
            (ReduceOp::Max, true) => self.b.like_first(FloatOp::MaxF, &args, loc),
            (ReduceOp::Min, true) => self.b.like_first(FloatOp::MinF, &args, loc),
            (ReduceOp::Sum, false) => self.b.wrapping(IntegerOp::AddI, &args, loc),
            (ReduceOp::Prod, false) => self.b.wrapping(IntegerOp::MulI, &args, loc),
            (ReduceOp::Max, false) => self.b.signed(IntegerOp::MaxI, &args, sign, loc),
            (ReduceOp::Min, false) => self.b.signed(IntegerOp::MinI, &args, sign, loc),
        };
        self.b.terminate(ControlFlowOp::Yield, &[combined], loc);
        self.b.set_block(outer);
        self.b.module().op(reduce).results[0]
    }
}

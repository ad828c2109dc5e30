//! Builds operations on shapes.

use super::elements::weak;
use super::{Build, tile_type};
use crate::hir::signature::HostScalar;
use crate::hir::{ExprId, ExprKind};
use tile_core::Loc;
use tile_core::ir::{Attr, ComparisonPredicate, Signedness, ValueId};
use tile_core::ops::{CoreOp, IntegerOp, MemoryOp};
use tile_core::types::{Scalar, Type};

/// The alignment in bytes of the memory that tiles are gathered from, which is the number of bytes
/// that one instruction stores.
const ALIGNMENT: i64 = 16;

impl Build<'_, '_> {
    /// Broadcasts a number or axes of size 1 to `shape`.
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

    /// Builds an `extract` of a slice with the shape of `id`.
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
                // Clamping keeps out-of-range indices out of range when they are narrowed.
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

    /// Gathers elements of a tile through memory of the block: stores the tile there and loads the
    /// elements at the indices.
    pub(super) fn take(&mut self, source: ExprId, index: ExprId, axis: usize, loc: Loc) -> ValueId {
        let scalar = self.element(source);
        let whole = self.shape(source).to_vec();
        let shape = self.shape(index).to_vec();
        let value = self.tile(source);
        let from = self.element(index);
        let index = self.tile(index);
        let index = self.cast(index, from, HostScalar::I64, loc);

        // Negative numbers are large as unsigned numbers.
        let extent = self.splat_like(index, whole[axis].unsigned_abs(), loc);
        let below = ComparisonPredicate::LessThan;
        let mask = self.b.cmpi(below, index, extent, Signedness::Unsigned, loc);
        let zero = self.splat_like(index, 0, loc);
        let index = self.select(mask, index, zero, loc);
        let index = self.cast(index, HostScalar::I64, HostScalar::I32, loc);

        let elements: i64 = whole.iter().product();
        let base = self
            .b
            .op(MemoryOp::Alloca, loc)
            .attr("num_elem", Attr::Int(elements))
            .attr("alignment", Attr::Int(ALIGNMENT))
            .result(Type::pointer(scalar.scalar()))
            .finish_value();
        let places = self.places(&whole, None, &whole, loc);
        let to = self.b.splat_value(base, &whole, loc);
        let to = self.offset(to, places, scalar, &whole, loc);
        let stored = self
            .b
            .op(MemoryOp::StorePtrTko, loc)
            .operand("destination", to)
            .operand("value", value)
            .attr("memory_ordering_semantics", weak())
            .result(Type::token())
            .finish_value();
        let places = self.places(&shape, Some((axis, index)), &whole, loc);
        let base_tile = self.b.splat_value(base, &shape, loc);
        let base_tile = self.offset(base_tile, places, scalar, &shape, loc);
        let nothing = self.b.splat(scalar.scalar(), 0, &shape, loc);
        self.b
            .op(MemoryOp::LoadPtrTko, loc)
            .operand("source", base_tile)
            .operand("mask", mask)
            .operand("paddingValue", nothing)
            .operand("token", stored)
            .attr("memory_ordering_semantics", weak())
            .result(Type::tile(scalar.scalar(), &shape))
            .result(Type::token())
            .finish_values()[0]
    }

    /// Computes the row-major positions of the elements of a tile of shape `shape` within a tile of
    /// shape `whole`. `taken` gives an axis and the indices along it; along the others, elements
    /// are in order.
    fn places(
        &mut self,
        shape: &[i64],
        taken: Option<(usize, ValueId)>,
        whole: &[i64],
        loc: Loc,
    ) -> ValueId {
        let mut sum: Option<ValueId> = None;
        let mut stride = 1;
        for axis in (0..shape.len()).rev() {
            let place = match taken {
                Some((taken_axis, index)) if taken_axis == axis => index,
                _ => self.count_along(axis, shape, loc),
            };
            let place = if stride == 1 {
                place
            } else {
                let step = self.splat_like(place, stride, loc);
                self.b.wrapping(IntegerOp::MulI, &[place, step], loc)
            };
            sum = Some(match sum {
                Some(sum) => self.b.wrapping(IntegerOp::AddI, &[sum, place], loc),
                None => place,
            });
            stride *= whole[axis].unsigned_abs();
        }
        sum.expect("a tile has an axis")
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

    /// Builds 0, 1, 2, .. along one axis of `shape`, repeated along the others.
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

//! Lowers slices of tiles: `cat`, `extract`, `insert`.
//!
//! `cat` and `insert` choose between two tiles for each element. The slices are first converted so that a
//! thread has their elements where it has those of the result; the larger tile is never moved for that.
//! `extract` picks registers if every thread holds its part of every slice. Otherwise the tile goes through
//! shared memory, and the slice is read at an offset.

use super::assign::{out_shape, tile_shape};
use super::{Lowering, convert::Purpose};
use crate::gpu::{self, ExtractSlice, InsertSlice, OpKind};
use crate::layout::{
    Axis, LinearLayout, OutShape, Register, row_major, slice_counts, slice_registers,
    slices_in_registers, within_slices,
};
use tile_core::ir::{Op, ValueId};

/// Maximum number of registers from which a run-time index may choose a slice.
const MAX_CHOICES: usize = 64;

impl Lowering<'_> {
    pub(super) fn cat(&mut self, op: &Op) {
        let (lhs, rhs) = (op.operand("lhs"), op.operand("rhs"));
        let result = self.preferred_ty(op.result());
        let layout = self.layout_in(result);
        let part = self.tile_shape_of(lhs);
        let axis = usize::try_from(op.dim()).expect("verified axis");
        let offset = (0..part.rank()).map(|other| u64::from(other == axis));
        let (first, tile) = self.within_slices_of(lhs, &layout, &part);
        let (second, part_registers) = self.within_slices_of(rhs, &layout, &part);
        let merge = InsertSlice {
            slice: part,
            at: Some(offset.collect()),
            tile,
            part: part_registers,
        };
        let kind = OpKind::InsertSlice(Box::new(merge));
        let value = self.emit(kind, &[first, second], result, op.loc);
        self.define(op.result(), value);
    }

    pub(super) fn insert(&mut self, op: &Op) {
        let (source, destination) = (op.operand("source"), op.operand("destination"));
        if tile_shape(self.module, source) == tile_shape(self.module, destination) {
            let value = self.value(source);
            self.define(op.result(), value);
            return;
        }
        let result = self.preferred_ty(op.result());
        let layout = self.layout_in(result);
        let slice = self.tile_shape_of(source);
        let indices = op.operands_of("indices");
        let constant_indices = self.constant_indices(indices);
        let result_layout = result.layout().expect("a tile of rank 1 or more");
        let tile = self.in_layout(destination, result_layout);
        let (part, registers) = self.within_slices_of(source, &layout, &slice);
        let mut args = vec![tile, part];
        if constant_indices.is_none() {
            args.extend(indices.iter().map(|&index| self.value(index)));
        }
        let merge = InsertSlice {
            slice,
            at: constant_indices,
            tile: layout.registers().collect(),
            part: registers,
        };
        let kind = OpKind::InsertSlice(Box::new(merge));
        let value = self.emit(kind, &args, result, op.loc);
        self.define(op.result(), value);
    }

    pub(super) fn extract(&mut self, op: &Op) {
        let operand = op.operand("source");
        let source = self.value(operand);
        if tile_shape(self.module, operand) == tile_shape(self.module, op.result()) {
            self.define(op.result(), source);
            return;
        }
        let slice = self.tile_shape_of(op.result());
        let indices = op.operands_of("indices");
        let constant_indices = self.constant_indices(indices);
        let shape = self.tile_shape_of(operand);
        let counts = slice_counts(&shape, &slice);
        let source_layout = self.kernel.layout_of(source).clone();
        let mut slice_source =
            slice_registers(&source_layout, &slice).map(|slices| (source, slices));
        if slice_source.is_none() {
            // Try the layout of the result, if the tile can be converted to it without shared memory.
            let wanted = self.preferred_ty(op.result());
            let wanted = slices_in_registers(&self.layout_in(wanted), &shape);
            slice_source = self
                .converted_in_warps(source, &wanted)
                .zip(slice_registers(&wanted, &slice));
        }
        let choices = |registers: usize| match constant_indices {
            Some(_) => 0,
            None => registers,
        };
        if let Some((source, slices)) = slice_source
            && choices(slices.sources.len() * slices.layout.num_registers()) <= MAX_CHOICES
        {
            let ty = self.ty_like(source, slices.layout.clone());
            let value = if let Some(constant_indices) = constant_indices {
                let number = counts
                    .iter()
                    .zip(&constant_indices)
                    .fold(0, |sum, (count, constant_indices)| {
                        sum * count + constant_indices
                    });
                let number = usize::try_from(number).expect("slices are few");
                // A slice out of range is undefined, so any slice will do.
                let sources = slices.sources.get(number).unwrap_or(&slices.sources[0]);
                self.emit(
                    OpKind::PermuteRegisters(sources.clone()),
                    &[source],
                    ty,
                    op.loc,
                )
            } else {
                let mut args = vec![source];
                args.extend(indices.iter().map(|&index| self.value(index)));
                let pick = ExtractSlice {
                    counts,
                    sources: slices.sources,
                };
                self.emit(OpKind::ExtractSlice(Box::new(pick)), &args, ty, op.loc)
            };
            self.define(op.result(), value);
            return;
        }
        let memory = row_major(&shape, &shape.row_major_order());
        let buffer = self.written_to(source, memory, op.loc);
        let args: Vec<_> = indices.iter().map(|&index| self.value(index)).collect();
        let ty = self.preferred_ty(op.result());
        let value = self.emit(OpKind::LoadSlice(buffer), &args, ty, op.loc);
        self.define(op.result(), value);
    }

    /// Converts the tile `operand`, which has the shape of a slice. In its new layout, a thread that holds an
    /// element in `layout` also holds the element at the same place of the slice. Returns the tile, and for
    /// each register of `layout` the register with that element.
    fn within_slices_of(
        &mut self,
        operand: ValueId,
        layout: &LinearLayout,
        slice: &OutShape,
    ) -> (gpu::ValueId, Vec<Register>) {
        let (wanted, registers) = within_slices(layout, slice).unique_registers();
        let wanted = self.kernel.add_layout(wanted);
        (self.in_layout(operand, wanted), registers)
    }

    /// Returns `value` in `layout`, if the conversion needs no shared memory and no more registers.
    fn converted_in_warps(
        &mut self,
        value: gpu::ValueId,
        layout: &LinearLayout,
    ) -> Option<gpu::ValueId> {
        let source_layout = self.kernel.layout_of(value);
        let element = self.kernel.ty(value).scalar().expect("a tile of numbers");
        let bits = u32::try_from(element.bytes() * 8).expect("an element has few bits");
        let is_small = layout.num_registers() <= source_layout.num_registers();
        if !is_small || !Self::stays_in_warps(source_layout, layout, bits) {
            return None;
        }
        let layout = self.kernel.add_layout(layout.clone());
        Some(self.converted(value, layout, Purpose::Layout))
    }

    /// Returns the indices as unsigned numbers, if all are constants.
    fn constant_indices(&self, indices: &[ValueId]) -> Option<Vec<u64>> {
        let number = |&index: &ValueId| {
            let op = self.module.op(self.module.defining_op(index)?);
            let is_constant = op.opcode == tile_core::ops::CoreOp::Constant.into();
            is_constant.then(|| op.dense_value().bits_at(0) & u64::from(u32::MAX))
        };
        indices.iter().map(number).collect()
    }

    fn tile_shape_of(&self, value: ValueId) -> OutShape {
        out_shape(tile_shape(self.module, value).expect("a tile of rank 1 or more"))
    }

    fn layout_in(&self, ty: gpu::Ty) -> LinearLayout {
        let layout = ty.layout().expect("a tile of rank 1 or more");
        self.kernel.layout(layout).clone()
    }
}

/// Returns the layout of the result of `cat`, given the layout of its operands.
pub(super) fn cat_result(part: &LinearLayout, axis: Axis) -> LinearLayout {
    let shape = part.shape();
    let whole = shape.with_log2_size(axis, shape.log2_size(axis) + 1);
    slices_in_registers(part, &whole)
}

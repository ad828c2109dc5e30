//! Builds operations on raw pointers and tiles of them.

use super::elements::weak;
use super::{Build, Val, tile_type};
use crate::hir::signature::HostScalar;
use crate::hir::{ExprId, Memory, PointerTy, Ty};
use tile_core::Loc;
use tile_core::ir::ValueId;
use tile_core::ops::{ConversionOp, CoreOp, MemoryOp};
use tile_core::types::{Element, Type};

impl Build<'_, '_> {
    pub(super) fn pointer(&mut self, memory: &Memory, id: ExprId, loc: Loc) -> Val {
        let touched = self.touches(memory);
        Val::Tile(match memory {
            Memory::Address(tensor) => {
                self.expr(*tensor);
                let tensor = self
                    .ty(*tensor)
                    .tensor()
                    .expect("checking made sure of a tensor");
                self.tensors[&tensor.param].base
            }
            Memory::Repeat(pointer) => {
                let value = self.tile(*pointer);
                let shape = self.pointer_type(id).shape.clone();
                self.b.splat_value(value, &shape, loc)
            }
            Memory::Offset(pointer, distance) => {
                let base = self.tile(*pointer);
                let value = self.tile(*distance);
                // Offsets are signed in the IR: an unsigned number needs one more bit.
                let from = self.element(*distance);
                let to = if from.is_signed() {
                    from
                } else {
                    HostScalar::I64
                };
                let value = self.cast(value, from, to, loc);
                let PointerTy { element, shape, .. } = self.pointer_type(id).clone();
                self.offset(base, value, element, &shape, loc)
            }
            Memory::Read { pointer, masked } => {
                let source = self.tile(*pointer);
                let masked = masked.map(|(mask, other)| [self.tile(mask), self.tile(other)]);
                let (mask, other) = match &masked {
                    Some([mask, other]) => (Some(*mask), Some(*other)),
                    None => (None, None),
                };
                let after = self.wait(touched, loc);
                let ty = tile_type(self.ty(id));
                let values = self
                    .b
                    .op(MemoryOp::LoadPtrTko, loc)
                    .operand("source", source)
                    .operands("mask", mask.as_slice())
                    .operands("paddingValue", other.as_slice())
                    .operands("token", after.as_slice())
                    .attr("memory_ordering_semantics", weak())
                    .result(ty)
                    .result(Type::token())
                    .finish_values();
                self.done(touched, values[1]);
                values[0]
            }
            Memory::Write {
                pointer,
                value,
                mask,
            } => {
                let destination = self.tile(*pointer);
                let value = self.tile(*value);
                let mask = mask.map(|mask| self.tile(mask));
                let after = self.wait(touched, loc);
                let token = self
                    .b
                    .op(MemoryOp::StorePtrTko, loc)
                    .operand("destination", destination)
                    .operand("value", value)
                    .operands("mask", mask.as_slice())
                    .operands("token", after.as_slice())
                    .attr("memory_ordering_semantics", weak())
                    .result(Type::token())
                    .finish_value();
                self.done(touched, token);
                return Val::Tuple(Vec::new());
            }
            Memory::AtomicPointer { pointer, update } => {
                let pointers = self.tile(*pointer);
                let values = self.update_values(update);
                let mask = update.mask.map(|mask| self.tile(mask));
                return self.atomic((pointers, mask, values), update, touched, id, loc);
            }
            Memory::Stride(..)
            | Memory::Gather { .. }
            | Memory::Window { .. }
            | Memory::Scatter { .. }
            | Memory::Atomic { .. }
            | Memory::AtomicTile { .. }
            | Memory::Fence { .. } => unreachable!("the caller looked for pointers"),
        })
    }

    /// Converts pointers to numbers.
    pub(super) fn address_number(&mut self, pointer: ExprId, id: ExprId, loc: Loc) -> ValueId {
        let value = self.tile(pointer);
        let ty = tile_type(self.ty(id));
        self.b
            .op(ConversionOp::PtrToInt, loc)
            .args(&[value])
            .result(ty)
            .finish_value()
    }

    fn pointer_type(&self, id: ExprId) -> &PointerTy {
        match self.ty(id) {
            Ty::Pointer(pointer) => pointer,
            other => unreachable!("checking made sure of a pointer, found `{other}`"),
        }
    }

    /// Adds offsets to pointers.
    pub(super) fn offset(
        &mut self,
        base: ValueId,
        distance: ValueId,
        pointee: HostScalar,
        shape: &[i64],
        loc: Loc,
    ) -> ValueId {
        let ty = Type::tile(Element::Ptr(pointee.scalar()), shape);
        self.b
            .op(CoreOp::Offset, loc)
            .args(&[base, distance])
            .result(ty)
            .finish_value()
    }
}

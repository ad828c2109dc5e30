//! Lowers operations that only relabel elements: `reshape`, `permute`, `broadcast`.

use super::Lowering;
use super::assign::{broadcast_source, out_shape, tile_shape};
use crate::gpu::{OpKind, Ty, ValueId};
use crate::layout::{Axis, LinearLayout};
use tile_core::ir::Op;

impl Lowering<'_> {
    pub(super) fn reshape(&mut self, op: &Op) {
        let source = self.value(op.operand("source"));
        let shape = tile_shape(self.module, op.result());
        let value = match (self.kernel.ty(source), shape) {
            (Ty::Distributed { .. }, Some(shape)) => {
                let layout = self.kernel.layout_of(source).reshape(out_shape(shape));
                self.relabel(source, layout, op)
            }
            (Ty::Distributed { element, .. }, None) => {
                self.emit(OpKind::ToUniform, &[source], Ty::Uniform(element), op.loc)
            }
            (Ty::Uniform(_), Some(_)) => {
                let ty = self.preferred_ty(op.result());
                self.emit(OpKind::Splat, &[source], ty, op.loc)
            }
            (Ty::Uniform(_) | Ty::Pointer(_), _) => source,
        };
        self.define(op.result(), value);
    }

    pub(super) fn permute(&mut self, op: &Op) {
        let source = self.value(op.operand("source"));
        let axes: Vec<Axis> = op
            .permutation()
            .iter()
            .map(|&axis| Axis(usize::try_from(axis).expect("verified permutation")))
            .collect();
        let layout = self.kernel.layout_of(source).permute_axes(&axes);
        let value = self.relabel(source, layout, op);
        self.define(op.result(), value);
    }

    pub(super) fn broadcast(&mut self, op: &Op) {
        let operand = op.operand("source");
        let Some(shape) = tile_shape(self.module, operand) else {
            let value = self.value(operand);
            self.define(op.result(), value);
            return;
        };
        let result = self.preferred_ty(op.result());
        let layout = result.layout().expect("a tile of rank 1 or more");
        let source = broadcast_source(self.kernel.layout(layout), shape);
        let (source, registers) = source.unique_registers();
        let source = self.kernel.add_layout(source);
        let source = self.in_layout(operand, source);
        let value = self.emit(
            OpKind::PermuteRegisters(registers),
            &[source],
            result,
            op.loc,
        );
        self.define(op.result(), value);
    }

    /// Emits a value with the same registers in another layout.
    fn relabel(&mut self, source: ValueId, layout: LinearLayout, op: &Op) -> ValueId {
        let element = self
            .kernel
            .ty(source)
            .scalar()
            .expect("a distributed value");
        let registers = layout.registers().collect();
        let ty = self.distributed(element, layout);
        self.emit(OpKind::PermuteRegisters(registers), &[source], ty, op.loc)
    }
}

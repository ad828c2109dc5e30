//! Lowers element-wise operations, constants and `iota`.

use super::Lowering;
use crate::gpu::{ElementOp, OpKind, Ty};
use crate::layout::{Axis, packed};
use tile_core::ir::{DenseElements, Op};
use tile_core::verify::ptx_pack;

impl Lowering<'_> {
    /// Lowers an element-wise operation, in the layout of the result.
    pub(super) fn elementwise(&mut self, op: &Op) {
        let result = self.preferred_ty(op.result());
        let args: Vec<_> = op
            .operands
            .iter()
            .map(|&operand| match result.layout() {
                Some(layout) => self.in_layout(operand, layout),
                None => self.value(operand),
            })
            .collect();
        let value = self.emit(
            OpKind::Compute(ElementOp::from_tile_op(op)),
            &args,
            result,
            op.loc,
        );
        self.define(op.result(), value);
    }

    /// Lowers inline PTX, in the layout of the first result, or of the first operand if there is no result.
    /// The layout is changed so that a thread holds all elements that one execution of the text processes.
    pub(super) fn inline_ptx(&mut self, op: &Op) {
        let results: Vec<Ty> = op.results.iter().map(|&it| self.preferred_ty(it)).collect();
        let layout = match (results.first(), op.operands.first()) {
            (Some(ty), _) => ty.layout(),
            (None, Some(&operand)) => {
                let value = self.value(operand);
                self.kernel.ty(value).layout()
            }
            (None, None) => None,
        };
        let layout = layout.map(|layout| {
            let layout = packed(self.kernel.layout(layout), ptx_pack(op).ilog2());
            self.kernel.add_layout(layout)
        });
        let args: Vec<_> = op
            .operands
            .iter()
            .map(|&operand| match layout {
                Some(layout) => self.in_layout(operand, layout),
                None => self.value(operand),
            })
            .collect();
        // The assignment may have given the results different layouts, although they have the same shape.
        let result_types: Vec<Ty> = results
            .iter()
            .map(|&ty| match (ty, layout) {
                (Ty::Distributed { element, .. }, Some(layout)) => {
                    Ty::Distributed { element, layout }
                }
                (ty, _) => ty,
            })
            .collect();
        let op_id = self.emit_op(
            OpKind::Ptx(ElementOp::from_tile_op(op)),
            &args,
            &result_types,
            &[],
            op.loc,
        );
        let values = self.kernel.op(op_id).results.clone();
        for (&result, value) in op.results.iter().zip(values) {
            self.define(result, value);
        }
    }

    pub(super) fn constant(&mut self, op: &Op) {
        let ty = self.preferred_ty(op.result());
        let value = self.emit(constant_kind(op), &[], ty, op.loc);
        self.define(op.result(), value);
    }

    pub(super) fn iota(&mut self, op: &Op) {
        let ty = self.preferred_ty(op.result());
        let value = self.emit(OpKind::Coordinate(Axis(0)), &[], ty, op.loc);
        self.define(op.result(), value);
    }

    /// Returns a uniform integer constant. A kernel has one value for each constant, so that accesses to the
    /// same tile are recognized.
    pub(super) fn uniform_constant(
        &mut self,
        scalar: tile_core::Scalar,
        value: u64,
        loc: tile_core::Loc,
    ) -> crate::gpu::ValueId {
        if let Some(&cached) = self.constants.get(&(scalar, value)) {
            return cached;
        }
        let value_id = self.emit_at(0, OpKind::Constant(value), &[], Ty::Uniform(scalar), loc);
        self.constants.insert((scalar, value), value_id);
        value_id
    }
}

/// Returns the GPU operation for a `constant`.
pub(super) fn constant_kind(op: &Op) -> OpKind {
    let data = op.dense_value();
    match &*data {
        DenseElements::Splat { bits, .. } => OpKind::Constant(*bits),
        DenseElements::Each { .. } => OpKind::ConstantEach(data),
    }
}

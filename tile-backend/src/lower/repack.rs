//! Lowers `pack` and `unpack`. A thread that holds an element holds all of its bytes.

use super::Lowering;
use super::assign::{out_shape, tile_shape};
use crate::gpu::OpKind;
use crate::layout::{Axis, InDim, LinearLayout, OutShape};
use tile_core::ir::Op;

impl Lowering<'_> {
    pub(super) fn repack(&mut self, op: &Op) {
        let (source, result) = (op.operand("source"), op.result());
        let extent = |value| {
            let shape = tile_shape(self.module, value).expect("verified: of rank 1");
            out_shape(shape).log2_size(Axis(0))
        };
        let (from, to) = (extent(source), extent(result));
        let ty = self.preferred_ty(result);
        let wanted = ty.layout().expect("a tile of rank 1");
        let wanted = self.kernel.layout(wanted).clone();
        let (from_layout, to_layout) = if from > to {
            (narrower(&wanted, from - to), wanted)
        } else {
            // Each register of the source becomes several registers of the result, so the layout of the
            // source determines that of the result.
            let source = match wider(&wanted, to - from) {
                Some(layout) => layout,
                None => self.kernel.layout_of(self.value(source)).clone(),
            };
            let result = narrower(&source, to - from);
            (source, result)
        };
        let from_layout = self.kernel.add_layout(from_layout);
        let source = self.in_layout(source, from_layout);
        let ty = self.distributed(ty.scalar().expect("verified: of numbers"), to_layout);
        let value = self.emit(OpKind::Repack, &[source], ty, op.loc);
        self.define(result, value);
    }
}

/// Returns the layout of a tile whose elements are the parts of the elements of `layout`, `2^log2` parts
/// each. The parts of one element are in consecutive registers.
pub(super) fn narrower(layout: &LinearLayout, log2: u32) -> LinearLayout {
    let parts = OutShape::from_log2([log2]);
    LinearLayout::identity(InDim::Register, parts, &[Axis(0)]).product(layout)
}

/// Returns the layout whose [`narrower`] is `layout`, if there is one.
pub(super) fn wider(layout: &LinearLayout, log2: u32) -> Option<LinearLayout> {
    let shape = layout.shape();
    let whole = OutShape::from_log2([shape.log2_size(Axis(0)) - log2]);
    let columns: Vec<u64> = (0..shape.total_bits())
        .map(|bit| if bit < log2 { 0 } else { 1 << (bit - log2) })
        .collect();
    let wide = layout.compose(&columns, whole).unique_registers().0;
    narrower(&wide, log2).is_equivalent(layout).then_some(wide)
}

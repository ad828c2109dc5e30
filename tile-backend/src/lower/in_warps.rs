//! Layout conversions within warps, through shared memory.
//!
//! Input: a tile in one layout, and another layout that gives each warp the same elements. Output: an
//! exchange without a block barrier, through at most [`MAX_EXCHANGE_BYTES`] of shared memory. A larger tile
//! goes through that memory in rounds; see [`crate::layout::ExchangeRounds`].

use super::Lowering;
use super::access::{AccessShape, ViewFacts, access_order};
use crate::gpu::{LayoutId, OpKind, Ty, ValueId};
use crate::layout::{
    ExchangeRounds, LinearLayout, coalesced_in_warps, exchange_layout, row_major, stays_in_warps,
    vector_plan,
};
use tile_core::{Loc, Scalar};

/// Maximum number of bytes of shared memory for one conversion, which leaves memory for other buffers and
/// blocks.
pub(super) const MAX_EXCHANGE_BYTES: u64 = 48 << 10;

impl Lowering<'_> {
    /// Returns the tile `value` in the layout `to`, in which each warp has the same elements.
    pub(super) fn exchanged_in_warps(
        &mut self,
        scope: usize,
        value: ValueId,
        element: Scalar,
        to: LayoutId,
        loc: Loc,
    ) -> ValueId {
        let (from, wanted) = (self.kernel.layout_of(value), self.kernel.layout(to));
        let rounds = rounds(from, wanted, element.bytes() as u64);
        let bits = u32::try_from(element.bytes() * 8).expect("an element has few bits");
        let memory = exchange_layout(&rounds.from, &rounds.to, bits).expect("layouts of one tile");
        let kind = OpKind::ConvertLayoutShared(self.buffer(element, memory));
        let ty = Ty::Distributed {
            element,
            layout: to,
        };
        self.emit_at(scope, kind, &[value], ty, loc)
    }
}

/// Returns a layout in which the store of a tile through a view has wider vectors than in `layout`. `None` if
/// there is no such layout that can be reached within warps through at most [`MAX_EXCHANGE_BYTES`].
pub(super) fn wider_in_warps(layout: &LinearLayout, facts: &ViewFacts) -> Option<LinearLayout> {
    let shape = AccessShape::from_view(facts);
    let order = access_order(shape.shape.rank(), shape.contiguous);
    let memory = row_major(&shape.shape, &order);
    let width = |layout: &LinearLayout| {
        let plan = vector_plan(layout, &memory, shape.vector_elements)?;
        Some(plan.width_elements)
    };
    let wider = coalesced_in_warps(layout, shape.vector_elements, &order);
    let bytes = facts.ty.tensor_view.element.bytes() as u64;
    let is_better = width(&wider)? > width(layout)? && stays_in_warps(layout, &wider);
    let fits =
        |rounds: &ExchangeRounds| rounds.from.shape().num_elements() * bytes <= MAX_EXCHANGE_BYTES;
    (is_better && fits(&rounds(layout, &wider, bytes))).then_some(wider)
}

/// Returns the smallest number of rounds for which the memory suffices, or the largest that is possible.
fn rounds(from: &LinearLayout, to: &LinearLayout, element_bytes: u64) -> ExchangeRounds {
    let bytes = from.shape().num_elements() * element_bytes;
    let wanted = bytes.div_ceil(MAX_EXCHANGE_BYTES).next_power_of_two();
    let mut counts = (0..=wanted.ilog2()).rev();
    let rounds = counts.find_map(|log2| ExchangeRounds::new(from, to, log2));
    rounds.expect("one turn takes everything")
}

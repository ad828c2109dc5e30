//! Verifies operations on the elements that a thread holds.

use super::super::{ElementOp, LayoutId, Op, ValueId};
use super::Verifier;
use crate::layout::{Register, is_packed};
use std::collections::BTreeSet;
use tile_core::Scalar;
use tile_core::ops::{FloatOp, Opcode};
use tile_core::verify::ptx_pack;

impl Verifier<'_> {
    /// Checks that the operands and results have one layout.
    pub(super) fn elementwise(&mut self, op: &Op) {
        let one = self.layouts(op).len() <= 1;
        self.demand(one, &format!("layouts of `{:?}` differ", op.kind));
    }

    /// Checks inline PTX. Its text gets one register per operand, which may hold packed elements. So all
    /// operands need one layout, in which each thread holds whole packs.
    pub(super) fn inline_ptx(&mut self, op: &Op, text: &ElementOp) {
        self.elementwise(op);
        let pack = ptx_pack(text).ilog2();
        let fits = |layout: &Option<LayoutId>| match layout {
            Some(layout) => is_packed(self.kernel.layout(*layout), pack),
            None => pack == 0,
        };
        self.demand(
            self.layouts(op).iter().all(fits),
            "no thread holds the elements that a text in PTX takes",
        );
    }

    /// Checks the operation that a warp may skip. That can only be a multiplication, since a multiplication
    /// by 1 changes nothing.
    pub(super) fn lazy_rescale(&mut self, op: &Op, element: &ElementOp) {
        let ty = |value: ValueId| self.kernel.ty(value);
        let tile = ty(op.args[0]);
        let is_multiplication =
            element.opcode == Opcode::Float(FloatOp::MulF) && tile.scalar() == Some(Scalar::F32);
        self.demand(
            is_multiplication
                && tile.layout().is_some()
                && tile == ty(op.args[1])
                && tile == ty(op.results[0]),
            "`lazy_rescale` is not an elementwise multiplication of two tiles of one layout",
        );
    }

    /// Checks that each register of the result is a register of the operand.
    pub(super) fn permute_registers(&mut self, op: &Op, sources: &[Register]) {
        let (Some(from), Some(to)) = (self.layout(op.args[0]), self.layout(op.results[0])) else {
            self.error("`permute_registers` needs distributed values");
            return;
        };
        let is_register = |source: &Register| source.index() < from.num_registers();
        self.demand(
            sources.len() == to.num_registers() && sources.iter().all(is_register),
            "`permute_registers` names a register that does not exist",
        );
    }

    /// Returns the layouts of the operands and results; `None` stands for a uniform value.
    fn layouts(&self, op: &Op) -> BTreeSet<Option<LayoutId>> {
        let values = op.args.iter().chain(&op.results);
        values
            .map(|&value| self.kernel.ty(value).layout())
            .collect()
    }
}

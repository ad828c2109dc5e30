//! Verifies layout conversions, reductions, scans and operations on slices.

use super::super::{
    BufferId, ExtractSlice, InsertSlice, LayoutId, Op, Partials, ScanStep, ValueId,
};
use super::Verifier;
use crate::layout::{Conversion, LinearLayout, ReducePlan, Register, classify};
use tile_core::Scalar;

/// Checks of layout conversions.
impl Verifier<'_> {
    /// Checks that a conversion by shuffles moves data only between the lanes of one warp.
    pub(super) fn convert_layout_shuffle(&mut self, op: &Op) {
        let (source, result) = (op.args[0], op.results[0]);
        let element = self.kernel.ty(source).scalar();
        let bits = element.map_or(0, |scalar| scalar.bytes() * 8);
        let bits = u32::try_from(bits).expect("an element has few bits");
        let plan = self
            .layout(source)
            .zip(self.layout(result))
            .and_then(|(from, to)| classify(from, to, bits.max(1)));
        self.demand(
            matches!(plan, Some(Conversion::WarpShuffle(_))),
            "`convert_layout_shuffle` between warps",
        );
    }

    /// Checks that a conversion through shared memory fits its buffer.
    pub(super) fn convert_layout_shared(&mut self, op: &Op, buffer: BufferId) {
        self.demand(
            self.kernel.rounds(op, buffer).is_some(),
            "`convert_layout_shared` between warps",
        );
    }

    /// Checks that a thread has as many bits in registers before and after a change of the element type.
    pub(super) fn repack(&mut self, op: &Op) {
        // A tf32 is held in 32 bits, although it uses fewer.
        let bits = |value: ValueId| {
            let element = self.kernel.ty(value).scalar();
            element.map_or(0, |scalar| match scalar {
                Scalar::TF32 => 32,
                other => other.bits() as usize,
            }) * self.num_registers(value)
        };
        self.demand(
            bits(op.args[0]) == bits(op.results[0]),
            "`repack` changes the number of bits",
        );
    }
}

/// Checks of reductions and scans.
impl Verifier<'_> {
    /// Checks that the values of a reduction within warps are those of its plan.
    pub(super) fn reduce_warp(&mut self, op: &Op, plan: &ReducePlan) {
        self.demand(
            self.has_one_layout(&op.args),
            "operands of `reduce_warp` differ in layout",
        );
        let is_of_plan = |&value: &ValueId| self.layout(value) == Some(&plan.result);
        self.demand(
            op.results.iter().all(is_of_plan),
            "results of `reduce_warp` differ from the plan",
        );
    }

    /// Checks a scan within warps, which gives the prefixes and, for the next step, the totals of the warps.
    pub(super) fn scan_warp(&mut self, op: &Op, step: &ScanStep) {
        let kernel = self.kernel;
        // Totals are needed only for an axis that is spread over warps; the next step combines them.
        let count = op.args.len();
        let totals = if step.plan.reduce.warps.is_some() {
            count
        } else {
            0
        };
        self.demand(
            op.results.len() == count + totals,
            "wrong number of results of `scan_warp`",
        );
        self.demand(
            self.has_one_layout(&op.args),
            "operands of `scan_warp` differ in layout",
        );
        let (prefixes, totals) = op.results.split_at(count.min(op.results.len()));
        let scalar = |&value: &ValueId| kernel.ty(value).scalar();
        let layout = |value: ValueId| kernel.ty(value).layout();
        self.demand(
            prefixes.iter().map(scalar).eq(op.args.iter().map(scalar))
                && prefixes
                    .iter()
                    .all(|&value| layout(value) == layout(op.args[0])),
            "prefixes of `scan_warp` differ from its operands",
        );
        let is_of_plan = |&value: &ValueId| self.layout(value) == Some(&step.plan.reduce.result);
        self.demand(
            totals.iter().all(is_of_plan),
            "totals of `scan_warp` differ from the plan",
        );
    }

    /// Checks the step of a scan that adds to each prefix the totals of the warps before.
    pub(super) fn scan_across(&mut self, op: &Op, partials: &Partials, step: &ScanStep) {
        self.demand(
            step.plan.reduce.warps.is_some(),
            "`scan_across` of one warp",
        );
        self.demand(
            partials.buffers.len() == op.args.len(),
            "`scan_across` needs a buffer per operand",
        );
        self.demand(
            op.results.len() == op.args.len()
                && self.has_one_layout(&op.args)
                && self.has_one_layout(&op.results),
            "operands of `scan_across` differ in layout",
        );
    }

    /// Returns `true` if the values have the same layout, or are all uniform.
    fn has_one_layout(&self, values: &[ValueId]) -> bool {
        let layout = |value: ValueId| -> Option<LayoutId> { self.kernel.ty(value).layout() };
        values
            .windows(2)
            .all(|pair| layout(pair[0]) == layout(pair[1]))
    }
}

/// Checks of operations on slices.
impl Verifier<'_> {
    /// Checks that the plan of an insertion has an entry for every register of the result, both for the tile
    /// and for the slice.
    pub(super) fn insert_slice(&mut self, op: &Op, merge: &InsertSlice) {
        let result = op.results.first();
        let rank = result
            .and_then(|&result| self.layout(result))
            .map_or(0, |layout| layout.shape().rank());
        let indices = if merge.at.is_some() { 0 } else { rank };
        self.demand(
            op.args.len() == 2 + indices,
            "wrong number of indices of `insert_slice`",
        );
        self.demand(
            merge.slice.rank() == rank,
            "a slice of another rank than its tile",
        );
        let (Some(&result), &[tile, part, ..]) = (result, &op.args[..]) else {
            return;
        };
        let count = self.num_registers(result);
        self.demand(
            merge.tile.len() == count && merge.part.len() == count,
            "`insert_slice` misses a register",
        );
        self.demand(
            self.has_registers(tile, &merge.tile) && self.has_registers(part, &merge.part),
            "`insert_slice` names a register that does not exist",
        );
    }

    /// Checks that the plan of an extraction has the registers of every slice.
    pub(super) fn extract_slice(&mut self, op: &Op, pick: &ExtractSlice) {
        let slices: u64 = pick.counts.iter().product();
        self.demand(
            pick.sources.len() as u64 == slices,
            "`extract_slice` misses a slice",
        );
        let (Some(&result), Some(&source)) = (op.results.first(), op.args.first()) else {
            return;
        };
        let count = self.num_registers(result);
        let fits =
            |sources: &Vec<Register>| sources.len() == count && self.has_registers(source, sources);
        self.demand(
            pick.sources.iter().all(fits),
            "`extract_slice` names a register that does not exist",
        );
    }

    /// Checks a read of a slice of a buffer. The indices may be any numbers, since the slice is read from
    /// memory rather than selected among registers.
    pub(super) fn load_slice(&mut self, op: &Op, buffer: BufferId) {
        let kernel = self.kernel;
        let buffer = kernel.buffer(buffer);
        let memory = buffer.layout.map(|id| kernel.layout(id).shape());
        let slice = op.results.first().and_then(|&value| self.layout(value));
        let stages = usize::from(buffer.stages > 1);
        let fits = memory
            .zip(slice.map(LinearLayout::shape))
            .is_some_and(|(memory, slice)| {
                memory.rank() == slice.rank()
                    && memory.rank() + stages == op.args.len()
                    && memory
                        .axes()
                        .all(|axis| slice.size(axis) <= memory.size(axis))
            });
        self.demand(fits, "`load_slice` of no slice of the buffer");
    }

    /// Returns `true` if a thread that holds `value` has these registers.
    fn has_registers(&self, value: ValueId, registers: &[Register]) -> bool {
        let count = self.num_registers(value);
        registers.iter().all(|register| register.index() < count)
    }
}

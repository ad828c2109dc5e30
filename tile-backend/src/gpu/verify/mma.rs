//! Verifies matrix multiplications.

use super::super::{BufferId, Mma, MmaLoop, MmaScaled, Op, OpId, OpKind, Side, ValueId, Wgmma};
use super::Verifier;
use crate::layout::{Axis, LinearLayout, OutShape, Warpgroups};
use std::collections::BTreeSet;

impl Verifier<'_> {
    /// Checks that operand `index`, the accumulator, and the result of the operation `name` have one type.
    pub(super) fn accumulates(&mut self, op: &Op, index: usize, name: &str) {
        let same = self.kernel.ty(op.args[index]) == self.kernel.ty(op.results[0]);
        let text = format!("the accumulator and result of `{name}` differ");
        self.demand(same, &text);
    }

    /// Checks that the operands are fragments of the `mma` instruction.
    pub(super) fn mma(&mut self, op: &Op, mma: Mma) {
        self.accumulates(op, 2, "mma");
        let tiling = self
            .operand_layouts(op)
            .and_then(|layouts| mma.tiling(layouts[0], layouts[1], layouts[2]));
        self.demand(
            tiling.is_some(),
            "the operands of `mma` are no fragments of its instruction",
        );
    }

    /// Checks that the operands are fragments of the `mma` instruction with scaling factors.
    pub(super) fn mma_scaled(&mut self, op: &Op, mma: &MmaScaled) {
        self.accumulates(op, 2, "mma_scaled");
        let steps = self
            .operand_layouts(op)
            .and_then(|layouts| mma.steps(layouts.try_into().ok()?));
        self.demand(
            steps.is_some(),
            "the operands of `mma_scaled` are no fragments of its instruction",
        );
    }

    /// Checks that an MMA of tiles in shared memory names a stage of each circular buffer.
    pub(super) fn mma_loop(&mut self, op: &Op, mma: &MmaLoop) {
        self.accumulates(op, 0, "mma_loop");
        self.demand(
            op.args.len() == 1 + self.num_circular(mma.buffers()),
            "`mma_loop` names a stage of each circular buffer",
        );
    }

    /// Returns the layouts of the operands; `None` if one of them is uniform.
    fn operand_layouts(&self, op: &Op) -> Option<Vec<&LinearLayout>> {
        op.args.iter().map(|&arg| self.layout(arg)).collect()
    }

    /// Returns the number of circular buffers among `buffers`.
    fn num_circular(&self, buffers: impl Iterator<Item = BufferId>) -> usize {
        let is_circular = |buffer: &BufferId| self.kernel.buffer(*buffer).stages > 1;
        buffers.filter(is_circular).count()
    }
}

/// Checks of warpgroup MMAs.
impl Verifier<'_> {
    /// Checks the operands, and that nothing uses the accumulator of an in-flight MMA before the wait.
    pub(super) fn wgmma(&mut self, op: &Op, mma: &Wgmma) {
        if op.args.len() != mma.values() + self.num_circular(mma.buffers()) {
            self.error("`wgmma` takes its operands in registers, and names a stage of each circular buffer");
            return;
        }
        self.accumulates(op, 0, "wgmma");
        let accumulator = self.layout(op.args[0]);
        let Some((accumulator, groups)) =
            accumulator.and_then(|layout| Some((layout, Warpgroups::from_accumulator(layout)?)))
        else {
            self.error("the accumulator of `wgmma` is not as warpgroups have it");
            return;
        };
        let shape = accumulator.shape();
        let (rows, columns) = (shape.size(Axis(0)), shape.size(Axis(1)));
        let depth = match mma.rhs.sizes(self.kernel, Side::Right) {
            Some((across, depth)) if across == columns => depth,
            _ => {
                self.error("the right operand of `wgmma` has the wrong shape");
                return;
            }
        };
        self.demand(
            self.is_left_operand(op, mma, groups, [rows, depth]),
            "the left operand of `wgmma` has the wrong shape or layout",
        );
        self.wgmma_buffers(mma);
        if mma.in_flight > 0 {
            self.wgmma_in_flight(op, mma);
        }
    }

    /// Returns `true` if the left operand has this shape. A left operand in registers must also be the
    /// fragment that the instruction reads (PTX ISA, "wgmma": register fragments).
    fn is_left_operand(&self, op: &Op, mma: &Wgmma, groups: Warpgroups, shape: [u64; 2]) -> bool {
        if let Some(lhs) = mma.lhs {
            return lhs.sizes(self.kernel, Side::Left) == Some((shape[0], shape[1]));
        }
        self.layout(op.args[1]).is_some_and(|operand_layout| {
            let whole = OutShape::new(&shape);
            let bits = mma.kind.element_bits();
            let wanted = whole.and_then(|whole| groups.left(&whole, bits));
            wanted.map(|layout| layout.unique_registers().0).as_ref() == Some(operand_layout)
        })
    }

    /// Checks that the operands in shared memory consist of aligned swizzle atoms that the instruction reads.
    fn wgmma_buffers(&mut self, mma: &Wgmma) {
        let matrices = mma.lhs.map(|lhs| (lhs, Side::Left));
        for (matrix, side) in matrices.into_iter().chain([(mma.rhs, Side::Right)]) {
            let buffer = self.kernel.buffer(matrix.buffer);
            let Some(steps) = matrix.steps(self.kernel, side) else {
                self.error("an operand of `wgmma` does not consist of swizzle atoms");
                continue;
            };
            // `wgmma` has transpose bits only for 16-bit types (PTX ISA, "wgmma.mma_async"); other types read
            // K-major operands.
            self.demand(
                !steps.is_transposed() || mma.kind.element_bits() == 16,
                "`wgmma` transposes elements of 16 bits alone",
            );
            self.demand(
                u64::from(buffer.align_bytes).is_multiple_of(steps.align_bytes()),
                "an operand of `wgmma` is not aligned",
            );
        }
    }

    /// Checks an MMA that may still be in flight after the operation.
    fn wgmma_in_flight(&mut self, op: &Op, mma: &Wgmma) {
        // In two-level accumulation, threads add the sums, so they must wait for the MMA.
        self.demand(
            !mma.has_two_level_accumulation,
            "an in-flight MMA cannot use two-level accumulation",
        );
        // An in-flight MMA still reads its register operand: nothing may reuse those registers before the
        // wait.
        self.demand(
            mma.lhs.is_some() || self.keeps_operand(op),
            "the wait for an in-flight MMA does not keep its register operand alive",
        );
        self.demand(
            self.is_only_waited_for(op.results[0]),
            "the accumulator of an in-flight MMA is used before the wait",
        );
    }

    /// Returns `true` if a wait for the MMA keeps its left operand in its registers.
    fn keeps_operand(&self, mma: &Op) -> bool {
        let mut ops = self.kernel.op_ids().map(|id| self.kernel.op(id));
        ops.any(|op| {
            op.kind.max_in_flight_mmas().is_some()
                && op.args.first() == Some(&mma.results[0])
                && op.args.last() == Some(&mma.args[1])
        })
    }

    /// Returns `true` if `sum` is only carried by loops, accumulated into by MMAs, and waited for.
    fn is_only_waited_for(&self, sum: ValueId) -> bool {
        let mut worklist = vec![sum];
        let mut seen = BTreeSet::from([sum]);
        while let Some(value) = worklist.pop() {
            for id in self.kernel.op_ids() {
                let op = self.kernel.op(id);
                for index in (0..op.args.len()).filter(|&index| op.args[index] == value) {
                    match &op.kind {
                        kind if kind.max_in_flight_mmas().is_some() && index == 0 => {}
                        OpKind::Wgmma(_) if index == 0 => {}
                        OpKind::Continue => {
                            let carried = self.carried_by(id, index);
                            let fresh = carried.into_iter().flatten();
                            worklist.extend(fresh.filter(|&value| seen.insert(value)));
                        }
                        _ => return false,
                    }
                }
            }
        }
        true
    }

    /// Returns the values that operand `index` of a `continue` becomes: the block argument of the next
    /// iteration, and the result of the loop.
    fn carried_by(&self, jump: OpId, index: usize) -> Option<[ValueId; 2]> {
        let kernel = self.kernel;
        let around = kernel.op_ids().find(|&id| {
            let op = kernel.op(id);
            matches!(op.kind, OpKind::For { .. })
                && op
                    .blocks
                    .iter()
                    .any(|&block| kernel.block(block).ops.last() == Some(&jump))
        })?;
        let op = kernel.op(around);
        let arg = *kernel.block(op.blocks[0]).args.get(1 + index)?;
        Some([arg, *op.results.get(index)?])
    }
}

//! Lowers loops and branches inside one block.

use super::range::Range;
use super::rewriter::Rewriter;
use crate::ir::{Op, OpId, Signedness, ValueId};
use crate::ops::ControlFlowOp;

/// Returns the signedness with which the bounds of a loop are compared.
pub(super) fn signedness(op: &Op) -> Signedness {
    if op.has_flag("unsignedCmp") {
        Signedness::Unsigned
    } else {
        Signedness::Signed
    }
}

impl Rewriter<'_> {
    /// Lowers `loop.for` to `for`.
    pub(super) fn for_(&mut self, id: OpId) {
        let op = self.from.op(id);
        let range = self.ranges(id)[0];
        let inits = self.values(op.operands_of("initArgs"));
        let (block, ops, last) = self.body(id, 0);
        let args = &self.from.block(block).args;
        let results = self.loop_over(range, &inits, op.loc, |this, number, carried| {
            this.bind_variables(&args[..1], &[number]);
            this.bind_all(&args[1..], carried);
            this.operations(ops);
            this.values(&last.operands)
        });
        self.bind_all(&op.results, &results);
    }

    /// Binds loop variables. Keeps the names of new values that already have one.
    pub(super) fn bind_variables(&mut self, old: &[ValueId], new: &[ValueId]) {
        for (&old, &new) in old.iter().zip(new) {
            if self.to.value(new).name.is_none() && self.known(new).is_none() {
                self.bind_all(&[old], &[new]);
            } else {
                self.bind(old, new);
            }
        }
    }

    /// Returns the ranges of `loop.for` or `loop.parallel`.
    pub(super) fn ranges(&self, id: OpId) -> Vec<Range> {
        let op = self.from.op(id);
        let signedness = signedness(op);
        // In the table rows of both operations these are the first slots.
        let [lower, upper, step] = [0, 1, 2].map(|slot| self.values(op.operands_at(slot)));
        let ranges = lower.iter().zip(&upper).zip(&step);
        ranges
            .map(|((&lower, &upper), &step)| Range {
                lower,
                upper,
                step,
                signedness,
            })
            .collect()
    }

    /// Lowers `loop.if` to `if`.
    pub(super) fn if_(&mut self, id: OpId) {
        let module = self.from;
        let op = module.op(id);
        let condition = self.value(op.operand("condition"));
        let types: Vec<_> = op.results.iter().map(|&result| module.ty(result)).collect();
        let mut builder = self.builder();
        let new = builder
            .op(ControlFlowOp::If, op.loc)
            .operand("condition", condition)
            .results(&types)
            .finish();
        for region in 0..2 {
            let Some(_) = module.region_block(id, region) else {
                self.to.add_region(new);
                continue;
            };
            let block = self.builder().add_region_block(new);
            let (_, ops, last) = self.body(id, region);
            self.inside(block, |this| {
                this.operations(ops);
                let results = this.values(&last.operands);
                this.builder()
                    .terminate(ControlFlowOp::Yield, &results, last.loc);
            });
        }
        let results = self.to.op(new).results.clone();
        self.bind_all(&op.results, &results);
    }

    /// Lowers `loop.parallel` to nested `for`s.
    pub(super) fn sequential(&mut self, id: OpId) {
        let op = self.from.op(id);
        let ranges = self.ranges(id);
        let inits = self.values(op.operands_of("initVals"));
        let mut sums = self.accumulators(id);
        let start = self.start(&mut sums, &inits, op.loc);
        let end = self.nest(&ranges, &start, op.loc, &mut |this, numbers, carried| {
            this.iteration(id, &sums, numbers, carried)
        });
        let results: Vec<ValueId> = sums.iter().map(|sum| end[sum.index]).collect();
        self.bind_all(&op.results, &results);
    }
}

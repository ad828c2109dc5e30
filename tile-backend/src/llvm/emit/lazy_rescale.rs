//! Emits lazy rescaling: a warp skips the multiplications if all its factors are 1.

use super::{Emitter, Result};
use crate::gpu::{ElementOp, Op};
use crate::llvm::intrinsics::Intrinsic;
use inkwell::FloatPredicate;
use inkwell::values::FloatValue;

/// The mask of all lanes of a warp.
const ALL_LANES: u32 = u32::MAX;

impl Emitter<'_, '_> {
    /// Emits a lazy rescaling. If `waits`, the accumulator belongs to an MMA in flight. Both paths wait for
    /// that MMA: there, ptxas cannot move the wait before the computation of the factors.
    pub(super) fn lazy_rescale(&mut self, op: &Op, element: &ElementOp, waits: bool) -> Result<()> {
        let sums = self.registers(op.args[0]).clone();
        let mut factors: Vec<FloatValue<'_>> = Vec::new();
        for factor in self.registers(op.args[1]) {
            let factor = factor.into_float_value();
            if !factors.contains(&factor) {
                factors.push(factor);
            }
        }
        let code = &self.code;
        let one = code.cx.f32_type().const_float(1.0);
        let is_all_ones = factors
            .into_iter()
            .map(|factor| code.compare_float(FloatPredicate::OEQ, factor, one))
            .reduce(|are_ones_so_far, is_one| code.and(are_ones_so_far, is_one))
            .expect("a tile has registers");
        let args = [code.i32(ALL_LANES).into(), is_all_ones.into()];
        let is_all = code.nvvm(Intrinsic::VoteAll, &args)[0].into_int_value();
        let mut before = code.current_block();
        let after = code.new_block("rescaled");
        let scales = code.new_block("scales");
        let mut kept = sums.clone();
        let wait = waits.then(|| code.new_block("keeps"));
        code.branch(is_all, wait.unwrap_or(after), scales);
        if let Some(wait) = wait {
            code.builder.position_at_end(wait);
            kept = self.waited(op.args[0], op.args.get(2).copied(), 0);
            self.code.go_to(after);
            before = wait;
        }

        self.code.builder.position_at_end(scales);
        let mut scaling = op.clone();
        scaling.args.truncate(2);
        if waits {
            let waited = self.waited(op.args[0], op.args.get(2).copied(), 0);
            self.define(op.args[0], waited);
        }
        self.compute(&scaling, element)?;
        let code = &self.code;
        let scaled = self.registers(op.results[0]).clone();
        let last = code.current_block();
        code.go_to(after);

        code.builder.position_at_end(after);
        let ways = kept.into_iter().zip(scaled);
        let next = ways.map(|(sum, scaled)| {
            let phi = code.phi(&[(sum, before), (scaled, last)]);
            phi.as_basic_value()
        });
        let next = next.collect();
        self.define(op.results[0], next);
        Ok(())
    }
}

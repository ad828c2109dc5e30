//! Blocks, loops and branches.
//!
//! In: structured control flow. Out: LLVM basic blocks, with a phi for every register of
//! every value that a loop carries or a branch yields.
//!
//! Loops are not unrolled, neither by LLVM nor by ptxas: what should be straight-line code
//! already is, and an unrolled main loop of matrix products spills.

use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys;
use inkwell::values::{BasicValueEnum, InstructionValue, MetadataValue, PhiValue};

use super::{Emitter, Registers, Result};
use crate::gpu::{BlockId, Op, OpKind};

/// How a block ends.
pub(super) enum End<'ctx> {
    /// With these values.
    Yield(Vec<Registers<'ctx>>),
    /// With the kernel's end.
    Return,
}

/// Where control goes after an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// On to the next operation.
    Next,
    /// Nowhere: the kernel has ended.
    Ended,
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn block(&mut self, id: BlockId) -> Result<End<'ctx>> {
        let kernel = self.kernel;
        for &op in &kernel.block(id).ops {
            let op = kernel.op(op);
            if matches!(op.kind, OpKind::Yield) {
                let values = op.args.iter().map(|&arg| self.registers(arg).clone());
                return Ok(End::Yield(values.collect()));
            }
            if self.op(op)? == Flow::Ended {
                return Ok(End::Return);
            }
        }
        Ok(End::Yield(Vec::new()))
    }

    /// `for`: a guard, then the body with its test at the end.
    pub(super) fn for_loop(&mut self, op: &Op, unsigned: bool) -> Result<Flow> {
        let (lower, upper, step) = (
            self.int(op.args[0]),
            self.int(op.args[1]),
            self.int(op.args[2]),
        );
        let less = if unsigned {
            IntPredicate::ULT
        } else {
            IntPredicate::SLT
        };
        let initial: Vec<Registers<'ctx>> = op.args[3..]
            .iter()
            .map(|&arg| self.registers(arg).clone())
            .collect();
        let code = &self.code;
        let guard = code.current_block();
        let body = code.new_block("loop");
        let enters = code.compare(less, lower, upper);

        code.builder.position_at_end(body);
        let exit = code.new_block("done");
        code.builder.position_at_end(guard);
        code.branch(enters, body, exit);

        code.builder.position_at_end(body);
        let induction = code.phi(&[(lower.into(), guard)]);
        let carried: Vec<Vec<PhiValue<'ctx>>> = initial
            .iter()
            .map(|registers| {
                let phis = registers.iter().map(|&value| code.phi(&[(value, guard)]));
                phis.collect()
            })
            .collect();
        let args = self.kernel.block(op.blocks[0]).args.clone();
        self.define(args[0], vec![induction.as_basic_value()]);
        for (&arg, phis) in args[1..].iter().zip(&carried) {
            let registers = phis.iter().map(|phi| phi.as_basic_value()).collect();
            self.define(arg, registers);
        }

        let end = self.block(op.blocks[0])?;
        let mut incoming = vec![(initial, guard)];
        if let End::Yield(next) = end {
            let code = &self.code;
            let latch = code.current_block();
            let now = induction.as_basic_value().into_int_value();
            let is_unit = step.get_zero_extended_constant() == Some(1);
            // `now < upper`, so one more cannot wrap; a longer step may, and is compared with
            // the distance that is left, as an unsigned number.
            let (following, continues) = if is_unit {
                let following = if unsigned {
                    code.add_nuw(now, step)
                } else {
                    code.add_nsw(now, step)
                };
                (following, code.compare(less, following, upper))
            } else {
                let left = code.sub(upper, now);
                let continues = code.compare(IntPredicate::UGT, left, step);
                (code.add(now, step), continues)
            };
            let back = code.branch(continues, body, exit);
            self.forbid_unrolling(back);
            induction.add_incoming(&[(&following, latch)]);
            for (phis, values) in carried.iter().zip(&next) {
                for (phi, value) in phis.iter().zip(values) {
                    phi.add_incoming(&[(value, latch)]);
                }
            }
            incoming.push((next, latch));
        }
        self.code.builder.position_at_end(exit);
        self.join(op, &incoming);
        Ok(Flow::Next)
    }

    pub(super) fn branch(&mut self, op: &Op) -> Result<Flow> {
        let condition = self.int(op.args[0]);
        let code = &self.code;
        let head = code.current_block();
        let after = code.new_block("after");
        let mut starts: Vec<BasicBlock<'ctx>> = Vec::new();
        for _ in &op.blocks {
            starts.push(code.new_block("branch"));
        }
        let otherwise = starts.get(1).copied().unwrap_or(after);
        code.branch(condition, starts[0], otherwise);

        let mut incoming = Vec::new();
        if starts.len() == 1 {
            incoming.push((Vec::new(), head));
        }
        for (&block, &start) in op.blocks.iter().zip(&starts) {
            self.code.builder.position_at_end(start);
            if let End::Yield(values) = self.block(block)? {
                incoming.push((values, self.code.current_block()));
                self.code.go_to(after);
            }
        }
        self.code.builder.position_at_end(after);
        if incoming.is_empty() {
            self.code
                .builder
                .build_unreachable()
                .expect("the builder stands in a block");
            return Ok(Flow::Ended);
        }
        self.join(op, &incoming);
        Ok(Flow::Next)
    }

    /// Defines the results of `op` at the meeting of blocks, from the values of each.
    fn join(&mut self, op: &Op, incoming: &[(Vec<Registers<'ctx>>, BasicBlock<'ctx>)]) {
        for (index, &result) in op.results.iter().enumerate() {
            let columns: Vec<(&[BasicValueEnum<'ctx>], BasicBlock<'ctx>)> = incoming
                .iter()
                .map(|(values, block)| (values[index].as_slice(), *block))
                .collect();
            let merged = self.merge(&columns);
            self.define(result, merged);
        }
    }

    /// One phi per register.
    pub(super) fn merge(
        &self,
        incoming: &[(&[BasicValueEnum<'ctx>], BasicBlock<'ctx>)],
    ) -> Registers<'ctx> {
        (0..incoming[0].0.len())
            .map(|register| {
                let values: Vec<_> = incoming
                    .iter()
                    .map(|(values, block)| (values[register], *block))
                    .collect();
                self.code.phi(&values).as_basic_value()
            })
            .collect()
    }

    /// Runs `body` in the threads for which `condition` holds; in all if there is none.
    pub(super) fn only_if(
        &mut self,
        condition: Option<inkwell::values::IntValue<'ctx>>,
        body: impl FnOnce(&mut Self),
    ) {
        let Some(condition) = condition else {
            body(self);
            return;
        };
        let after = self.code.new_block("after");
        let inside = self.code.new_block("owner");
        self.code.branch(condition, inside, after);
        self.code.builder.position_at_end(inside);
        body(self);
        self.code.go_to(after);
        self.code.builder.position_at_end(after);
    }

    /// Marks the loop of the back edge `branch`: `.pragma "nounroll"` in PTX.
    pub(super) fn forbid_unrolling(&self, branch: InstructionValue<'ctx>) {
        const FORBIDDEN: &str = "llvm.loop.unroll.disable";
        let kind = self.code.cx.get_kind_id("llvm.loop");
        // SAFETY: the context is alive. A loop's node refers to itself, which makes it distinct
        // from those of other loops: it is made with a temporary node in its own place, which
        // the replacement then frees.
        let node = unsafe {
            use llvm_sys::core::{
                LLVMMDNodeInContext2, LLVMMDStringInContext2, LLVMMetadataAsValue,
            };
            use llvm_sys::debuginfo::{LLVMMetadataReplaceAllUsesWith, LLVMTemporaryMDNode};
            let cx = self.code.cx.raw();
            let mut text = LLVMMDStringInContext2(cx, FORBIDDEN.as_ptr().cast(), FORBIDDEN.len());
            let property = LLVMMDNodeInContext2(cx, &raw mut text, 1);
            let place = LLVMTemporaryMDNode(cx, std::ptr::null_mut(), 0);
            let mut operands = [place, property];
            let node = LLVMMDNodeInContext2(cx, operands.as_mut_ptr(), operands.len());
            LLVMMetadataReplaceAllUsesWith(place, node);
            MetadataValue::new(LLVMMetadataAsValue(cx, node))
        };
        branch
            .set_metadata(node, kind)
            .expect("a branch may have metadata");
    }
}

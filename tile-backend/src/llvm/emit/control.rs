//! Emits blocks, loops and branches.
//!
//! In: structured control flow. Out: LLVM basic blocks, with a phi for every register of every value that a
//! loop carries or a branch yields.
//!
//! Neither LLVM nor ptxas unrolls loops: code that should be straight-line already is, and an unrolled main
//! loop of MMAs spills.

use inkwell::IntPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::llvm_sys;
use inkwell::values::{BasicValueEnum, InstructionValue, MetadataValue, PhiValue};

use super::carried::Form;
use super::{Emitter, Registers, Result};
use crate::gpu::{BlockId, Op, OpKind, ValueId};

/// The end of a block.
pub(super) enum End<'ctx> {
    /// Control continues after the block, with these values.
    Yield(Vec<Registers<'ctx>>),
    /// Control leaves the block by a `continue` or `break`, or because the kernel ends.
    Elsewhere,
}

/// Control flow after an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// Control continues with the next operation.
    Next,
    /// Control has left the block.
    Ended,
}

/// Values, and the predecessor block that they come from.
type Incoming<'ctx> = (Vec<Registers<'ctx>>, BasicBlock<'ctx>);

/// A loop that is being emitted: the targets of its jumps, and the jumps so far.
pub(super) struct Loop<'ctx> {
    next: BasicBlock<'ctx>,
    continues: Vec<Incoming<'ctx>>,
    exit: BasicBlock<'ctx>,
    breaks: Vec<Incoming<'ctx>>,
    /// The forms of the loop-carried values.
    forms: Vec<Form>,
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn block(&mut self, id: BlockId) -> Result<End<'ctx>> {
        let kernel = self.kernel;
        for &op in &kernel.block(id).ops {
            let op = kernel.op(op);
            if matches!(op.kind, OpKind::Yield) {
                return Ok(End::Yield(self.all_registers(&op.args)));
            }
            if self.op(op)? == Flow::Ended {
                return Ok(End::Elsewhere);
            }
        }
        Ok(End::Yield(Vec::new()))
    }

    fn all_registers(&self, values: &[ValueId]) -> Vec<Registers<'ctx>> {
        let registers = values.iter().map(|&value| self.registers(value).clone());
        registers.collect()
    }

    /// Emits `continue` and `break`.
    pub(super) fn jump(&mut self, op: &Op) -> Flow {
        let target = self.loops.last();
        let target = target.expect("the verifier says that a jump is in a loop");
        let values = self.to_forms(self.all_registers(&op.args), &target.forms);
        let incoming = (values, self.code.current_block());
        let target = self.loops.last_mut().expect("it was there above");
        if matches!(op.kind, OpKind::Break) {
            target.breaks.push(incoming);
            self.code.go_to(target.exit);
        } else {
            target.continues.push(incoming);
            self.code.go_to(target.next);
        }
        Flow::Ended
    }

    /// Emits the body of a loop, starting at `body`. All jumps to the next iteration lead to one new block,
    /// and all jumps out of the loop to another.
    fn loop_body(
        &mut self,
        body: BasicBlock<'ctx>,
        block: BlockId,
        forms: Vec<Form>,
    ) -> Result<Loop<'ctx>> {
        let after = |earlier| self.code.cx.insert_basic_block_after(earlier, "next");
        let next = after(body);
        let exit = after(next);
        exit.set_name("done");
        self.loops.push(Loop {
            next,
            continues: Vec::new(),
            exit,
            breaks: Vec::new(),
            forms,
        });
        let end = self.block(block)?;
        debug_assert!(
            matches!(end, End::Elsewhere),
            "the verifier says that a body jumps"
        );
        Ok(self.loops.pop().expect("it was pushed above"))
    }

    /// Creates a phi for each register of the loop-carried values, with their initial values.
    fn carry(
        &mut self,
        args: &[ValueId],
        initial: &[Registers<'ctx>],
        forms: &[Form],
        before: BasicBlock<'ctx>,
    ) -> Vec<Vec<PhiValue<'ctx>>> {
        // Create all phis first: no other instruction may precede a phi.
        let phis = |registers: &Registers<'ctx>| {
            let values = registers.iter();
            let phis = values.map(|&value| self.code.phi(&[(value, before)]));
            phis.collect::<Vec<PhiValue<'ctx>>>()
        };
        let carried: Vec<Vec<PhiValue<'ctx>>> = initial.iter().map(phis).collect();
        for ((&arg, phis), &form) in args.iter().zip(&carried).zip(forms) {
            let values = phis.iter().map(|phi| phi.as_basic_value()).collect();
            self.define_carried(arg, values, form);
        }
        carried
    }

    /// Merges the loop-carried values of all jumps to the next iteration, at their target block. `None` if
    /// there are no such jumps.
    fn carried_on(&mut self, target: &Loop<'ctx>) -> Option<Vec<Registers<'ctx>>> {
        self.code.builder.position_at_end(target.next);
        if target.continues.is_empty() {
            self.code.unreachable();
            return None;
        }
        Some(self.meet(&target.continues))
    }

    /// Makes `back`, the branch at the insertion point, the back edge of the loop: it passes `next` to the
    /// phis.
    fn go_back(
        &mut self,
        back: InstructionValue<'ctx>,
        carried: &[Vec<PhiValue<'ctx>>],
        next: &[Registers<'ctx>],
    ) {
        self.forbid_unrolling(back);
        let latch = self.code.current_block();
        for (phis, values) in carried.iter().zip(next) {
            for (phi, value) in phis.iter().zip(values) {
                phi.add_incoming(&[(value, latch)]);
            }
        }
    }

    /// Emits `for`: a guard, then the body with its test at the end.
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
        let args = self.kernel.block(op.blocks[0]).args.clone();
        let forms = self.forms(&args[1..], &op.results);
        let initial = self.to_forms(self.all_registers(&op.args[3..]), &forms);
        let code = &self.code;
        let guard = code.current_block();
        let enters = code.compare(less, lower, upper);
        let body = code.new_block("loop");
        code.builder.position_at_end(body);
        let induction = code.phi(&[(lower.into(), guard)]);
        self.define(args[0], vec![induction.as_basic_value()]);
        let carried = self.carry(&args[1..], &initial, &forms, guard);
        let mut target = self.loop_body(body, op.blocks[0], forms.clone())?;
        self.code.builder.position_at_end(guard);
        self.code.branch(enters, body, target.exit);
        let mut leaving = vec![(initial, guard)];

        if let Some(next) = self.carried_on(&target) {
            let code = &self.code;
            let now = induction.as_basic_value().into_int_value();
            let is_unit = step.get_zero_extended_constant() == Some(1);
            // Since `now < upper`, adding one cannot wrap. A larger step may wrap, so it is compared with the
            // remaining distance, both as unsigned numbers.
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
            induction.add_incoming(&[(&following, code.current_block())]);
            let back = code.branch(continues, body, target.exit);
            self.go_back(back, &carried, &next);
            leaving.push((next, self.code.current_block()));
        }
        leaving.append(&mut target.breaks);
        self.code.builder.position_at_end(target.exit);
        let left = op.results.iter().zip(self.meet(&leaving));
        for ((&result, merged), form) in left.zip(forms) {
            self.define_carried(result, merged, form);
        }
        Ok(Flow::Next)
    }

    /// Emits `loop`: the body, repeated without a test.
    pub(super) fn endless_loop(&mut self, op: &Op) -> Result<Flow> {
        let initial = self.all_registers(&op.args);
        let before = self.code.current_block();
        let body = self.code.new_block("loop");
        self.code.go_to(body);
        self.code.builder.position_at_end(body);
        let args = self.kernel.block(op.blocks[0]).args.clone();
        let forms = vec![Form::Plain; args.len()];
        let carried = self.carry(&args, &initial, &forms, before);
        let target = self.loop_body(body, op.blocks[0], forms)?;
        if let Some(next) = self.carried_on(&target) {
            let back = self.code.go_to(body);
            self.go_back(back, &carried, &next);
        }
        self.code.builder.position_at_end(target.exit);
        Ok(self.rejoin(op, &target.breaks))
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
        Ok(self.rejoin(op, &incoming))
    }

    /// Does the same as [`Self::join`], but allows that there is no predecessor.
    fn rejoin(&mut self, op: &Op, incoming: &[Incoming<'ctx>]) -> Flow {
        if incoming.is_empty() {
            self.code.unreachable();
            return Flow::Ended;
        }
        self.join(op, incoming);
        Flow::Next
    }

    /// Defines the results of `op` at a join point, from the values of each predecessor.
    fn join(&mut self, op: &Op, incoming: &[Incoming<'ctx>]) {
        for (&result, merged) in op.results.iter().zip(self.meet(incoming)) {
            self.define(result, merged);
        }
    }

    /// Merges the values of all predecessors at a join point.
    fn meet(&self, incoming: &[Incoming<'ctx>]) -> Vec<Registers<'ctx>> {
        let [(first, _), rest @ ..] = incoming else {
            return Vec::new();
        };
        if rest.is_empty() {
            return first.clone();
        }
        (0..first.len())
            .map(|index| {
                let columns: Vec<(&[BasicValueEnum<'ctx>], BasicBlock<'ctx>)> = incoming
                    .iter()
                    .map(|(values, block)| (values[index].as_slice(), *block))
                    .collect();
                self.merge(&columns)
            })
            .collect()
    }

    /// Creates one phi per register.
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

    /// Emits `body` for the threads in which `condition` holds; for all threads if it is `None`.
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

    /// Forbids unrolling of the loop with the back edge `branch`: `.pragma "nounroll"` in PTX.
    pub(super) fn forbid_unrolling(&self, branch: InstructionValue<'ctx>) {
        const FORBIDDEN: &str = "llvm.loop.unroll.disable";
        let kind = self.code.cx.get_kind_id("llvm.loop");
        // SAFETY: the context is alive. The metadata node of a loop refers to itself, which makes it distinct
        // from the nodes of other loops. It is created with a temporary node as that operand; replacing the
        // temporary node frees it.
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

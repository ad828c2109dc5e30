//! Loops, branches and terminators.

use super::{Lowered, Lowering, Scope, ScopeKind};
use crate::gpu::{self, OpKind, Ty};
use rustc_hash::FxHashMap;
use tile_core::ir::{OpId, ValueId};
use tile_core::ops::ControlFlowOp;

impl Lowering<'_> {
    pub(super) fn control_flow(&mut self, id: OpId, op: ControlFlowOp) -> Lowered {
        match op {
            ControlFlowOp::Assert | ControlFlowOp::Break | ControlFlowOp::Loop => {
                unreachable!("refused before")
            }
            ControlFlowOp::For => self.for_loop(id),
            ControlFlowOp::If => self.branch(id),
            ControlFlowOp::Continue | ControlFlowOp::Yield => self.next_values(id),
            ControlFlowOp::Return => {
                let loc = self.module.op(id).loc;
                self.emit_op(OpKind::Return, &[], &[], &[], loc);
                Ok(())
            }
        }
    }

    pub(super) fn enter(&mut self, block: gpu::BlockId, kind: ScopeKind) {
        self.scopes.push(Scope {
            block,
            kind,
            converted: FxHashMap::default(),
        });
        let depth = self.scopes.len() - 1;
        for arg in self.kernel.block(block).args.clone() {
            self.set_depth(arg, depth);
        }
    }

    pub(super) fn leave(&mut self) {
        self.scopes.pop();
    }

    fn for_loop(&mut self, id: OpId) -> Lowered {
        let op = self.module.op(id);
        let source = self
            .module
            .region_block(id, 0)
            .expect("a verified `for` has a body");
        let args = self.module.block(source).args.clone();
        let mut operands: Vec<gpu::ValueId> = ["lowerBound", "upperBound", "step"]
            .iter()
            .map(|slot| self.value(op.operand(slot)))
            .collect();
        let body = self.kernel.add_block();
        let induction = self.preferred_ty(args[0]);
        let induction = self.kernel.add_block_arg(body, induction, op.loc);
        self.define(args[0], induction);
        let mut results = Vec::new();
        let mut types = Vec::new();
        for ((&init, &arg), &result) in op
            .operands_of("initValues")
            .iter()
            .zip(&args[1..])
            .zip(&op.results)
        {
            if !self.is_tile(arg) {
                continue;
            }
            let ty = self.preferred_ty(arg);
            operands.push(self.in_ty(init, ty));
            let inside = self.kernel.add_block_arg(body, ty, op.loc);
            self.define(arg, inside);
            types.push(ty);
            results.push(result);
        }
        self.enter(body, ScopeKind::Loop);
        let lowered = self.block(source);
        self.leave();
        lowered?;
        let unsigned = op.has_flag("unsignedCmp");
        let done = self.emit_op(OpKind::For { unsigned }, &operands, &types, &[body], op.loc);
        self.define_all(&results, done);
        Ok(())
    }

    fn branch(&mut self, id: OpId) -> Lowered {
        let op = self.module.op(id);
        let condition = self.value(op.operand("condition"));
        let results: Vec<ValueId> = op
            .results
            .iter()
            .copied()
            .filter(|&v| self.is_tile(v))
            .collect();
        let types: Vec<Ty> = results.iter().map(|&v| self.preferred_ty(v)).collect();
        let mut blocks = Vec::new();
        for region in 0..2 {
            let block = self.kernel.add_block();
            blocks.push(block);
            self.enter(block, ScopeKind::Branch);
            let lowered = if let Some(source) = self.module.region_block(id, region) {
                self.block(source)
            } else {
                self.emit_op(OpKind::Yield, &[], &[], &[], op.loc);
                Ok(())
            };
            self.leave();
            lowered?;
        }
        let done = self.emit_op(OpKind::If, &[condition], &types, &blocks, op.loc);
        self.define_all(&results, done);
        Ok(())
    }

    /// `continue` of a loop, `yield` of a branch: the values in the layouts that the
    /// loop or branch has chosen for them.
    fn next_values(&mut self, id: OpId) -> Lowered {
        let module = self.module;
        let op = module.op(id);
        let parent = module
            .parent_op(id)
            .expect("verified: terminators are nested");
        let target = module.op(parent);
        let is_for = target.opcode == ControlFlowOp::For.into();
        let is_continue = op.opcode == ControlFlowOp::Continue.into();
        if is_continue != is_for {
            return Err(self.unsupported(
                op,
                "`continue` inside a branch".to_owned(),
                "write the rest of the loop body into the other branch",
            ));
        }
        let mut values = Vec::new();
        for (&operand, &result) in op.operands.iter().zip(&target.results) {
            if self.is_tile(operand) {
                let ty = self.preferred_ty(result);
                values.push(self.in_ty(operand, ty));
            }
        }
        self.emit_op(OpKind::Yield, &values, &[], &[], op.loc);
        Ok(())
    }

    fn in_ty(&mut self, operand: ValueId, ty: Ty) -> gpu::ValueId {
        match ty.layout() {
            Some(layout) => self.in_layout(operand, layout),
            None => self.value(operand),
        }
    }

    fn define_all(&mut self, results: &[ValueId], op: gpu::OpId) {
        let values = self.kernel.op(op).results.clone();
        for (&result, value) in results.iter().zip(values) {
            self.define(result, value);
        }
    }
}

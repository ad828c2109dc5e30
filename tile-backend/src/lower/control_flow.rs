//! Lowers loops, branches and terminators.

use super::{Lowered, Lowering, Scope, ScopeKind};
use crate::analysis::exits::{self, carried};
use crate::gpu::{self, OpKind, Ty};
use rustc_hash::FxHashMap;
use tile_core::ir::{Op, OpId, ValueId};
use tile_core::ops::ControlFlowOp;

impl Lowering<'_> {
    pub(super) fn control_flow(&mut self, id: OpId, op: ControlFlowOp) -> Lowered {
        match op {
            ControlFlowOp::Assert => self.assert(self.module.op(id)),
            ControlFlowOp::For => return self.for_loop(id),
            ControlFlowOp::Loop => return self.endless_loop(id),
            ControlFlowOp::If => return self.branch(id),
            ControlFlowOp::Break => self.jump(id, OpKind::Break),
            ControlFlowOp::Continue => self.jump(id, OpKind::Continue),
            ControlFlowOp::Yield => self.jump(id, OpKind::Yield),
            ControlFlowOp::Return => {
                let loc = self.module.op(id).loc;
                self.emit_op(OpKind::Return, &[], &[], &[], loc);
            }
        }
        Ok(())
    }

    pub(super) fn enter(&mut self, block: gpu::BlockId, kind: ScopeKind) {
        self.scopes.push(Scope {
            block,
            kind,
            converted: FxHashMap::default(),
            stored: FxHashMap::default(),
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
        operands.extend(self.carry(op, &args[1..], body));
        self.enter(body, ScopeKind::Loop);
        let lowered = self.block(source);
        self.leave();
        lowered?;
        let results = self.tiles(&op.results);
        let types: Vec<Ty> = self
            .tiles(&args[1..])
            .iter()
            .map(|&v| self.preferred_ty(v))
            .collect();
        let unsigned = op.has_flag("unsignedCmp");
        let done = self.emit_op(OpKind::For { unsigned }, &operands, &types, &[body], op.loc);
        self.define_all(&results, done);
        Ok(())
    }

    fn endless_loop(&mut self, id: OpId) -> Lowered {
        let op = self.module.op(id);
        let source = self
            .module
            .region_block(id, 0)
            .expect("a verified `loop` has a body");
        let args = self.module.block(source).args.clone();
        let body = self.kernel.add_block();
        let operands = self.carry(op, &args, body);
        self.enter(body, ScopeKind::Loop);
        let lowered = self.block(source);
        self.leave();
        lowered?;
        let results = self.tiles(&op.results);
        let types: Vec<Ty> = results.iter().map(|&v| self.preferred_ty(v)).collect();
        let done = self.emit_op(OpKind::Loop, &operands, &types, &[body], op.loc);
        self.define_all(&results, done);
        Ok(())
    }

    /// Adds arguments to `body` for the tiles among `args`, the loop-carried values. Returns their initial
    /// values.
    fn carry(&mut self, op: &Op, args: &[ValueId], body: gpu::BlockId) -> Vec<gpu::ValueId> {
        let mut initial = Vec::new();
        for (&init, &arg) in op.operands_of("initValues").iter().zip(args) {
            if !self.is_tile(arg) {
                continue;
            }
            let ty = self.preferred_ty(arg);
            initial.push(self.in_ty(init, ty));
            let inside = self.kernel.add_block_arg(body, ty, op.loc);
            self.define(arg, inside);
        }
        initial
    }

    /// Returns the tiles among `values`; tokens are not lowered to values.
    fn tiles(&self, values: &[ValueId]) -> Vec<ValueId> {
        let tiles = values.iter().copied().filter(|&value| self.is_tile(value));
        tiles.collect()
    }

    fn branch(&mut self, id: OpId) -> Lowered {
        let op = self.module.op(id);
        let condition = self.value(op.operand("condition"));
        let results = self.tiles(&op.results);
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

    /// Lowers the terminator of a block. Its operands are converted to the types of the values that they
    /// become.
    fn jump(&mut self, id: OpId, kind: OpKind) {
        let module = self.module;
        let op = module.op(id);
        let target = match kind {
            OpKind::Yield => module
                .parent_op(id)
                .expect("verified: terminators are nested"),
            _ => exits::innermost_loop(module, id),
        };
        let becomes = match kind {
            OpKind::Continue => carried(module, target),
            _ => &module.op(target).results,
        };
        let mut values = Vec::new();
        for (&operand, &becomes) in op.operands.iter().zip(becomes) {
            if self.is_tile(operand) {
                let ty = self.preferred_ty(becomes);
                values.push(self.in_ty(operand, ty));
            }
        }
        self.emit_op(kind, &values, &[], &[], op.loc);
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

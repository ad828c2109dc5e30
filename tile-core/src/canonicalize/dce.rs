//! Dead code.
//!
//! An operation lives if it has an effect that must be kept, or if something
//! live uses it. A terminator lives with the operation that it ends; a jump out
//! of an `if` lives with the operation that it leaves. A weak load lives with
//! its tile only: if just its token is used, it is bypassed.

use super::cse::Merged;
use crate::ir::{Attr, MemoryOrdering, Module, Op, OpId, ValueId};
use crate::ops::{ControlFlowOp, Effects, Opcode, ViewOp};

/// Which operations stay, and which are bypassed.
#[derive(Debug)]
pub(super) struct Live {
    ops: Vec<bool>,
    bypassed: Vec<bool>,
}

impl Live {
    /// Whether the operation stays.
    pub(super) fn contains(&self, op: OpId) -> bool {
        self.ops[op.index()]
    }

    /// Whether any operation is bypassed.
    pub(super) fn any_bypassed(&self) -> bool {
        let mut pairs = self.bypassed.iter().zip(&self.ops);
        pairs.any(|(&bypassed, &live)| bypassed && !live)
    }

    /// Whether the operation goes, but its token is replaced by the token that
    /// it waits for.
    pub(super) fn is_bypassed(&self, op: OpId) -> bool {
        self.bypassed[op.index()] && !self.ops[op.index()]
    }
}

/// Whether an operation only reads, without ordering anything for others.
pub(super) fn is_weak_load(op: &Op) -> bool {
    op.opcode == ViewOp::LoadViewTko.into()
        && op.attr("memory_ordering_semantics") == Some(&Attr::MemoryOrdering(MemoryOrdering::Weak))
}

/// Finds the live operations, with merged values seen as one.
pub(super) fn live(module: &Module, merged: &Merged) -> Live {
    let mut pass = Pass {
        module,
        merged,
        live: Live {
            ops: vec![false; module.num_ops()],
            bypassed: vec![false; module.num_ops()],
        },
        values: Vec::new(),
    };
    for op in module.walk(module.body()) {
        if has_effect(module.op(op), module, op) {
            pass.mark(op);
        }
    }
    while let Some(value) = pass.values.pop() {
        pass.value(value);
    }
    pass.live
}

/// Whether an operation must stay whatever uses it.
fn has_effect(op: &Op, module: &Module, id: OpId) -> bool {
    if op.def().is_terminator() {
        // A `return` inside `if` cuts the entry short.
        let parent = module.parent_op(id).map(|parent| module.op(parent).opcode);
        return op.opcode == ControlFlowOp::Return.into()
            && parent == Some(ControlFlowOp::If.into());
    }
    match op.def().effects {
        Effects::Write => true,
        Effects::Read => !is_weak_load(op),
        Effects::Pure | Effects::NoMemoryEffect | Effects::Regions => false,
    }
}

struct Pass<'m> {
    module: &'m Module,
    merged: &'m Merged,
    live: Live,
    /// Live values whose definition has not been looked at.
    values: Vec<ValueId>,
}

impl Pass<'_> {
    fn value(&mut self, value: ValueId) {
        let module = self.module;
        let value = self.merged.find(value);
        let Some(id) = module.defining_op(value) else {
            // The argument of a live region: its operation is live.
            return;
        };
        let op = module.op(id);
        if !is_weak_load(op) || value == op.result() {
            self.mark(id);
        } else if !std::mem::replace(&mut self.live.bypassed[id.index()], true) {
            self.values.extend(op.optional_operand("token"));
        }
    }

    /// Marks an operation, those around it and those that end its regions.
    fn mark(&mut self, id: OpId) {
        let module = self.module;
        let mut next = Some(id);
        while let Some(id) = next {
            if std::mem::replace(&mut self.live.ops[id.index()], true) {
                return;
            }
            let op = module.op(id);
            self.values.extend_from_slice(&op.operands);
            for &region in &op.regions {
                for &block in &module.region(region).blocks {
                    if let Some(&last) = module.block(block).ops.last() {
                        self.mark_terminator(last);
                    }
                }
            }
            if matches!(
                op.opcode,
                Opcode::ControlFlow(ControlFlowOp::For | ControlFlowOp::Loop)
            ) {
                self.mark_jumps(id);
            }
            next = module.parent_op(id);
        }
    }

    fn mark_terminator(&mut self, id: OpId) {
        if !std::mem::replace(&mut self.live.ops[id.index()], true) {
            self.values.extend_from_slice(&self.module.op(id).operands);
        }
    }

    /// Marks every `continue` and `break` of the loop that stands inside an `if`.
    fn mark_jumps(&mut self, id: OpId) {
        let module = self.module;
        let mut blocks: Vec<_> = module.region_block(id, 0).into_iter().collect();
        while let Some(block) = blocks.pop() {
            for &inner in &module.block(block).ops {
                let op = module.op(inner);
                if matches!(
                    op.opcode,
                    Opcode::ControlFlow(ControlFlowOp::Continue | ControlFlowOp::Break)
                ) {
                    self.mark(inner);
                } else if op.opcode == ControlFlowOp::If.into() {
                    let regions = op.regions.iter();
                    blocks.extend(regions.flat_map(|&region| &module.region(region).blocks));
                }
            }
        }
    }
}

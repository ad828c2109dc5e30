//! Which operations may go when nothing uses them.

use super::Rewriter;
use crate::ir::{Attr, MemoryOrdering, Op, OpId};
use crate::ops::{ControlFlowOp, Effects, MemoryOp, Opcode, ViewOp};

/// How much must stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Necessity {
    /// What MLIR keeps: an operation goes if it and all inside of it have no effects, and
    /// jumps count as an effect, so that loops stay.
    Conservative,
    /// What can be seen: a `for`, which ends, goes with its `continue`s, and a weak load
    /// that nothing needs. A `loop` stays, since it may not end.
    Observable,
}

impl Rewriter {
    /// Whether an operation can be erased once its results are unused.
    pub(crate) fn is_removable(&self, op: OpId, necessity: Necessity) -> bool {
        let data = self.op(op);
        match data.def().effects {
            Effects::Pure | Effects::NoMemoryEffect => !data.def().is_terminator(),
            Effects::Read => necessity == Necessity::Observable && is_weak_load(data),
            Effects::Write => false,
            Effects::Regions => {
                let is_loop = data.opcode == Opcode::ControlFlow(ControlFlowOp::Loop);
                if is_loop {
                    return false;
                }
                let is_for = data.opcode == Opcode::ControlFlow(ControlFlowOp::For);
                self.blocks(op).all(|block| {
                    self.ops(block)
                        .all(|inner| self.is_removable_inside(inner, necessity, is_for))
                })
            }
        }
    }

    /// Whether an operation has no effect outside of what is around it: of a `for` if
    /// `in_for`.
    fn is_removable_inside(&self, op: OpId, necessity: Necessity, in_for: bool) -> bool {
        let data = self.op(op);
        match data.opcode {
            Opcode::ControlFlow(ControlFlowOp::Yield) => true,
            Opcode::ControlFlow(ControlFlowOp::Continue) => {
                in_for && necessity == Necessity::Observable
            }
            Opcode::ControlFlow(ControlFlowOp::If) if in_for => self.blocks(op).all(|block| {
                self.ops(block)
                    .all(|inner| self.is_removable_inside(inner, necessity, true))
            }),
            _ => self.is_removable(op, necessity),
        }
    }
}

/// Whether an operation only reads, without ordering anything for others.
pub(crate) fn is_weak_load(op: &Op) -> bool {
    matches!(
        op.opcode,
        Opcode::View(ViewOp::LoadViewTko) | Opcode::Memory(MemoryOp::LoadPtrTko)
    ) && op.attr("memory_ordering_semantics") == Some(&Attr::MemoryOrdering(MemoryOrdering::Weak))
}

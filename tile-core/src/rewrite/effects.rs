//! Determines which operations may be erased when their results are unused.

use super::Rewriter;
use crate::ir::{Attr, MemoryOrdering, Op, OpId};
use crate::ops::{ControlFlowOp, Effects, MemoryOp, Opcode, ViewOp};

/// The rule for operations that must stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Necessity {
    /// MLIR's rule: an operation may be erased if neither it nor a nested operation has effects;
    /// jumps count as effects, so loops stay.
    Conservative,
    /// Only observable effects count: a `for`, which terminates, is erased with its `continue`s, as
    /// is an unused weak load. A `loop` stays, since it may not terminate.
    Observable,
}

impl Rewriter {
    /// Returns `true` if an operation can be erased once its results are unused.
    pub(crate) fn is_removable(&self, op: OpId, necessity: Necessity) -> bool {
        self.needed(op, necessity).is_none()
    }

    /// Returns the operation, `op` or a nested one, that prevents `op` from being erased once its
    /// results are unused. That operation prevents it until it is erased itself.
    pub(crate) fn needed(&self, op: OpId, necessity: Necessity) -> Option<OpId> {
        let data = self.op(op);
        let is_needed = match data.def().effects {
            Effects::Pure | Effects::NoMemoryEffect => data.def().is_terminator(),
            Effects::Read => necessity == Necessity::Conservative || !is_weak_load(data),
            Effects::Write => true,
            Effects::Regions => {
                if data.opcode == Opcode::ControlFlow(ControlFlowOp::Loop) {
                    return Some(op);
                }
                let is_for = data.opcode == Opcode::ControlFlow(ControlFlowOp::For);
                return self.needed_in_blocks(op, necessity, is_for);
            }
        };
        is_needed.then_some(op)
    }

    fn needed_in_blocks(&self, op: OpId, necessity: Necessity, in_for: bool) -> Option<OpId> {
        self.blocks(op).find_map(|block| {
            let mut ops = self.ops(block);
            ops.find_map(|inner| self.needed_inside(inner, necessity, in_for))
        })
    }

    /// Like [`Rewriter::needed`] for a nested operation: ignores effects that do not leave the
    /// enclosing operation, which is a `for` if `in_for`.
    fn needed_inside(&self, op: OpId, necessity: Necessity, in_for: bool) -> Option<OpId> {
        match self.op(op).opcode {
            Opcode::ControlFlow(ControlFlowOp::Yield) => None,
            Opcode::ControlFlow(ControlFlowOp::Continue)
                if in_for && necessity == Necessity::Observable =>
            {
                None
            }
            Opcode::ControlFlow(ControlFlowOp::If) if in_for => {
                self.needed_in_blocks(op, necessity, true)
            }
            _ => self.needed(op, necessity),
        }
    }
}

/// Returns `true` if an operation only reads, and does not order accesses of other threads.
pub(crate) fn is_weak_load(op: &Op) -> bool {
    matches!(
        op.opcode,
        Opcode::View(ViewOp::LoadViewTko) | Opcode::Memory(MemoryOp::LoadPtrTko)
    ) && op.attr("memory_ordering_semantics") == Some(&Attr::MemoryOrdering(MemoryOrdering::Weak))
}

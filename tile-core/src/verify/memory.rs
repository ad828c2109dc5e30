//! Tokens.

use super::Context;
use crate::diag::Code;
use crate::ir::Op;
use crate::ops::MemoryOp;

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, op: &Op, opcode: MemoryOp) {
    match opcode {
        MemoryOp::JoinTokens => {
            if op.operands.len() < 2 {
                cx.fault(
                    Code::VerifyOperands,
                    op,
                    format!("expected two tokens or more, found {}", op.operands.len()),
                    "`join_tokens` joins tokens",
                );
            }
        }
        MemoryOp::Alloca
        | MemoryOp::GdcLaunchDependentsTko
        | MemoryOp::GdcWaitTko
        | MemoryOp::LoadPtrTko
        | MemoryOp::MakeToken
        | MemoryOp::MemoryFenceAliasTko
        | MemoryOp::StorePtrTko => {}
    }
}

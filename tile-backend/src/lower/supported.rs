//! Finds the operations of other dialects, which the lowering does not support.

use tile_core::Module;
use tile_core::ir::{Op, OpId};
use tile_core::ops::Opcode;

/// Returns the operations of `ops` that belong to another dialect.
pub(super) fn unknown<'m>(module: &'m Module, ops: &[OpId]) -> Vec<&'m Op> {
    ops.iter()
        .map(|&op| module.op(op))
        .filter(|op| {
            matches!(
                op.opcode,
                Opcode::LoopDialect(_) | Opcode::Testing(_) | Opcode::Unregistered(_)
            )
        })
        .collect()
}

/// Returns the name of an operation.
pub(super) fn what(op: &Op) -> String {
    format!("`{}`", op.def().mnemonic)
}

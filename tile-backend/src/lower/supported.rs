//! Which operations the lowering knows: all of the dialect.

use tile_core::Module;
use tile_core::ir::{Op, OpId};
use tile_core::ops::Opcode;

/// The operations of `ops` that are of another dialect.
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

/// Its name.
pub(super) fn what(op: &Op) -> String {
    format!("`{}`", op.def().mnemonic)
}

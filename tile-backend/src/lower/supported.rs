//! Which operations the lowering knows.

use std::collections::HashSet;
use tile_core::Module;
use tile_core::ir::{Op, OpId};
use tile_core::ops::Opcode;

/// The operations of `ops` that cannot be lowered.
pub(super) fn unknown<'m>(module: &'m Module, ops: &[OpId]) -> Vec<&'m Op> {
    let unknown: Vec<&Op> = ops
        .iter()
        .map(|&op| module.op(op))
        .filter(|op| !is_known(op))
        .collect();
    // A loop says it for its `break`s.
    let is_end = |op: &&Op| op.def().is_terminator();
    let reported = |op: &&Op| !is_end(op) || unknown.iter().all(is_end);
    // One construct may need several operations.
    let mut places = HashSet::new();
    let first = |op: &&Op| op.loc.is_unknown() || places.insert((op.loc, what(op)));
    unknown
        .iter()
        .copied()
        .filter(reported)
        .filter(first)
        .collect()
}

/// What an operation that cannot be lowered is for.
pub(super) fn what(op: &Op) -> String {
    format!("`{}`", op.def().mnemonic)
}

fn is_known(op: &Op) -> bool {
    match op.opcode {
        Opcode::Core(_)
        | Opcode::Conversion(_)
        | Opcode::ControlFlow(_)
        | Opcode::Memory(_)
        | Opcode::View(_)
        | Opcode::Atomic(_)
        | Opcode::Float(_)
        | Opcode::Integer(_)
        | Opcode::Bitwise(_)
        | Opcode::Misc(_) => true,
        Opcode::LoopDialect(_) | Opcode::Testing(_) | Opcode::Unregistered(_) => false,
    }
}

//! Which operations the lowering knows.

use std::collections::HashSet;
use tile_core::Module;
use tile_core::ir::{Op, OpId};
use tile_core::ops::{CoreOp, FloatOp, Opcode};

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

/// What an operation that cannot be lowered is for, in words that need no knowledge of the IR.
pub(super) fn what(op: &Op) -> String {
    let name = match op.opcode {
        Opcode::Core(CoreOp::Scan) => "a scan",
        Opcode::Float(FloatOp::MmaFScaled) => "`mma_scaled`",
        _ => return format!("`{}`", op.def().mnemonic),
    };
    name.to_owned()
}

fn is_known(op: &Op) -> bool {
    match op.opcode {
        Opcode::Core(kind) => matches!(
            kind,
            CoreOp::Broadcast
                | CoreOp::Constant
                | CoreOp::GetGlobal
                | CoreOp::Offset
                | CoreOp::GetNumTileBlocks
                | CoreOp::GetTileBlockId
                | CoreOp::Iota
                | CoreOp::Permute
                | CoreOp::Reduce
                | CoreOp::Reshape
                | CoreOp::Select
        ),
        Opcode::Conversion(_)
        | Opcode::ControlFlow(_)
        | Opcode::Memory(_)
        | Opcode::View(_)
        | Opcode::Atomic(_) => true,
        Opcode::Float(kind) => kind != FloatOp::MmaFScaled,
        Opcode::Integer(_) | Opcode::Bitwise(_) => true,
        Opcode::Misc(_) => true,
        Opcode::LoopDialect(_) | Opcode::Testing(_) | Opcode::Unregistered(_) => false,
    }
}

//! Which operations the lowering knows.

use std::collections::HashSet;
use tile_core::Module;
use tile_core::ir::{Op, OpId, ValueId};
use tile_core::ops::{ConversionOp, CoreOp, FloatOp, MemoryOp, Opcode, ViewOp};

/// The operations of `ops` that cannot be lowered.
pub(super) fn unknown<'m>(module: &'m Module, ops: &[OpId]) -> Vec<&'m Op> {
    let unknown: Vec<&Op> = ops
        .iter()
        .map(|&op| module.op(op))
        .filter(|op| !is_known(module, op))
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
        Opcode::Core(CoreOp::Offset)
        | Opcode::Memory(_)
        | Opcode::Conversion(
            ConversionOp::IntToPtr | ConversionOp::PtrToInt | ConversionOp::PtrToPtr,
        ) => "access through pointers or by the indices of elements",
        Opcode::Conversion(_) => "a saturating conversion",
        Opcode::Atomic(_) => "an atomic update",
        Opcode::View(_) => "access through a strided or gather view",
        Opcode::Float(FloatOp::FPowI) => "`powi` with a computed exponent",
        Opcode::Float(FloatOp::MmaFScaled) => "`mma_scaled`",
        _ => return format!("`{}`", op.def().mnemonic),
    };
    name.to_owned()
}

fn is_known(module: &Module, op: &Op) -> bool {
    let is_other_view = |value: &ValueId| {
        let ty = module.ty(*value);
        ty.as_tile_view().is_some() && ty.as_partition_view().is_none()
    };
    match op.opcode {
        Opcode::Core(kind) => matches!(
            kind,
            CoreOp::Broadcast
                | CoreOp::Constant
                | CoreOp::GetNumTileBlocks
                | CoreOp::GetTileBlockId
                | CoreOp::Iota
                | CoreOp::Permute
                | CoreOp::Reduce
                | CoreOp::Reshape
                | CoreOp::Select
        ),
        Opcode::Conversion(
            ConversionOp::IntToPtr | ConversionOp::PtrToInt | ConversionOp::PtrToPtr,
        ) => false,
        Opcode::Conversion(kind) => kind != ConversionOp::FToI || !op.has_flag("saturating"),
        Opcode::ControlFlow(_) => true,
        Opcode::Memory(kind) => matches!(
            kind,
            MemoryOp::GdcLaunchDependentsTko
                | MemoryOp::GdcWaitTko
                | MemoryOp::JoinTokens
                | MemoryOp::MakeToken
                | MemoryOp::MemoryFenceAliasTko
        ),
        Opcode::Float(kind) => {
            !matches!(kind, FloatOp::Atan2 | FloatOp::FPowI | FloatOp::MmaFScaled)
        }
        Opcode::Integer(_) | Opcode::Bitwise(_) => true,
        Opcode::View(ViewOp::MakeGatherScatterView | ViewOp::MakeStridedView) => false,
        Opcode::View(_) => !op.operands.iter().any(is_other_view),
        Opcode::Misc(_) => true,
        Opcode::Atomic(_)
        | Opcode::LoopDialect(_)
        | Opcode::Testing(_)
        | Opcode::Unregistered(_) => false,
    }
}

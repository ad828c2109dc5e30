//! What an entry may do to memory, which decides how memory is accessed.

use crate::ir::{BlockId, Module, Op, OpId, ValueDef, ValueId};
use crate::ops::{AtomicOp, ConversionOp, CoreOp, MemoryOp, MiscOp, Opcode, ViewOp};
use crate::types::{Element, Scalar};

/// The parameters that a store may go through. A pointer that does not come straight from
/// a parameter may be any of them.
pub(super) fn stored_params(module: &Module, id: OpId, count: usize) -> Vec<bool> {
    let mut stored = vec![false; count];
    let Some(body) = module.region_block(id, 0) else {
        return stored;
    };
    for op in module.walk(body) {
        let Some(target) = target(module.op(op)) else {
            continue;
        };
        match base_param(module, body, target) {
            Some(param) => stored[param] = true,
            None => stored.fill(true),
        }
    }
    stored
}

/// What an operation stores through, if it does.
fn target(op: &Op) -> Option<ValueId> {
    match op.opcode {
        Opcode::View(ViewOp::StoreViewTko) | Opcode::Atomic(AtomicOp::AtomicRedViewTko) => {
            Some(op.operand("view"))
        }
        Opcode::Memory(MemoryOp::StorePtrTko) => Some(op.operand("destination")),
        Opcode::Atomic(AtomicOp::AtomicCasTko | AtomicOp::AtomicRmwTko) => {
            Some(op.operand("pointers"))
        }
        _ => None,
    }
}

/// The parameter that a view or a tile of pointers is made from.
pub(super) fn base_param(module: &Module, body: BlockId, mut value: ValueId) -> Option<usize> {
    loop {
        match module.value(value).def {
            ValueDef::Argument(block, number) => return (block == body).then_some(number as usize),
            ValueDef::Result(op, _) => {
                let op = module.op(op);
                let through = matches!(
                    op.opcode,
                    Opcode::View(ViewOp::MakePartitionView | ViewOp::MakeTensorView)
                        | Opcode::Misc(MiscOp::Assume)
                        | Opcode::Conversion(ConversionOp::PtrToPtr)
                        | Opcode::Core(
                            CoreOp::Broadcast | CoreOp::Offset | CoreOp::Permute | CoreOp::Reshape
                        )
                );
                value = *op.operands.first().filter(|_| through)?;
            }
        }
    }
}

/// Whether elements of several sizes may be accessed at one place. Blocks that run at the
/// same time must not do that, since such accesses are not atomic to one another.
pub(super) fn has_mixed_sizes(module: &Module, id: OpId) -> bool {
    let Some(body) = module.region_block(id, 0) else {
        return false;
    };
    let pointee = |value: ValueId| match module.ty(value).as_tile()?.element {
        Element::Ptr(pointee) => Some(pointee),
        Element::Scalar(_) => None,
    };
    module.walk(body).into_iter().any(|op| {
        let op = module.op(op);
        match op.opcode {
            Opcode::Conversion(ConversionOp::IntToPtr) => true,
            Opcode::Conversion(ConversionOp::PtrToPtr) => {
                pointee(op.operands[0]).map(Scalar::bytes)
                    != pointee(op.result()).map(Scalar::bytes)
            }
            _ => false,
        }
    })
}

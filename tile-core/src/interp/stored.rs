//! Analyzes the memory effects of an entry, which determine how memory is accessed.

use super::globals;
use crate::ir::{AtomicRmwMode, Attr, BlockId, Module, Op, OpId, ValueDef, ValueId};
use crate::ops::{AtomicOp, ConversionOp, CoreOp, MemoryOp, MiscOp, Opcode, ViewOp};
use crate::types::{Element, Scalar};

/// The memory to which an entry may store.
#[derive(Debug, Default)]
pub(super) struct Stored {
    /// Per parameter, whether the entry may store to its buffer.
    pub(super) params: Vec<bool>,
    /// Per global of the module, whether the entry may store to it.
    pub(super) globals: Vec<bool>,
}

/// The base from which a view or a tile of pointers is derived.
#[derive(Clone, Copy, Debug)]
pub(super) enum Base {
    Param(usize),
    Global(usize),
    /// Memory that no other block sees.
    Local,
    /// Any of the parameters and globals.
    Unknown,
}

impl Stored {
    /// Collects the bases of the stores of the entry `id`, which has `params` parameters.
    pub(super) fn collect(module: &Module, id: OpId, params: usize) -> Self {
        let mut stored = Self {
            params: vec![false; params],
            globals: vec![false; module.globals().count()],
        };
        let Some(body) = module.region_block(id, 0) else {
            return stored;
        };
        for op in module.walk(body) {
            let Some(target) = target(module.op(op)) else {
                continue;
            };
            match base(module, body, target) {
                Base::Param(param) => stored.params[param] = true,
                Base::Global(global) => stored.globals[global] = true,
                Base::Local => {}
                Base::Unknown => {
                    stored.params.fill(true);
                    stored.globals.fill(true);
                }
            }
        }
        stored
    }
}

/// Returns the pointer or view through which an operation stores, if it does.
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

/// Returns the base of a view or a tile of pointers.
pub(super) fn base(module: &Module, body: BlockId, mut value: ValueId) -> Base {
    loop {
        match module.value(value).def {
            ValueDef::Argument(block, number) if block == body => {
                return Base::Param(number as usize);
            }
            ValueDef::Argument(..) => return Base::Unknown,
            ValueDef::Result(op, _) => {
                let op = module.op(op);
                match op.opcode {
                    Opcode::Memory(MemoryOp::Alloca) => return Base::Local,
                    Opcode::Core(CoreOp::GetGlobal) => {
                        return Base::Global(globals::number(module, op));
                    }
                    _ => {}
                }
                let through = matches!(
                    op.opcode,
                    Opcode::View(
                        ViewOp::MakeGatherScatterView
                            | ViewOp::MakePartitionView
                            | ViewOp::MakeStridedView
                            | ViewOp::MakeTensorView
                    ) | Opcode::Misc(MiscOp::Assume)
                        | Opcode::Conversion(ConversionOp::PtrToPtr)
                        | Opcode::Core(
                            CoreOp::Broadcast | CoreOp::Offset | CoreOp::Permute | CoreOp::Reshape
                        )
                );
                if !through {
                    return Base::Unknown;
                }
                value = op.operands[0];
            }
        }
    }
}

/// Returns `true` if atomics sum floats. The order of such a sum is observable: concurrent blocks
/// would give a different result each time.
pub(super) fn has_float_atomics(module: &Module, id: OpId) -> bool {
    let Some(body) = module.region_block(id, 0) else {
        return false;
    };
    module.walk(body).into_iter().any(|op| {
        let mode = match module.op(op).opcode {
            Opcode::Atomic(AtomicOp::AtomicRmwTko | AtomicOp::AtomicRedViewTko) => {
                module.op(op).attr("mode")
            }
            _ => None,
        };
        mode == Some(&Attr::RmwMode(AtomicRmwMode::AddF))
    })
}

/// Returns `true` if elements of several sizes may be accessed at one location. Concurrent blocks
/// must not do so, since such accesses are not atomic with respect to each other.
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

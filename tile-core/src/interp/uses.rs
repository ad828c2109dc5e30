//! Uses of the values of an entry, including uses of values that share a slot.

use crate::ir::{BlockId, Module, OpId, ValueDef, ValueId};
use crate::ops::{ConversionOp, CoreOp, MiscOp, Opcode, ViewOp};
use rustc_hash::FxHashMap;

/// The users of every value of an entry.
#[derive(Debug, Default)]
pub(super) struct Uses {
    direct: FxHashMap<ValueId, Vec<OpId>>,
}

impl Uses {
    /// Collects the uses in the entry whose body is `body`.
    pub(super) fn new(module: &Module, body: BlockId) -> Self {
        let mut direct: FxHashMap<ValueId, Vec<OpId>> = FxHashMap::default();
        for id in module.walk(body) {
            for &operand in &module.op(id).operands {
                direct.entry(operand).or_default().push(id);
            }
        }
        Self { direct }
    }

    /// Returns the operations that read the slot of `value`, its first owner; an operation that
    /// reads it twice is listed twice.
    pub(super) fn readers(&self, module: &Module, value: ValueId) -> Vec<OpId> {
        let mut readers = Vec::new();
        let mut names = vec![value];
        while let Some(name) = names.pop() {
            for &user in self.direct.get(&name).into_iter().flatten() {
                let op = module.op(user);
                if shares_slot(op.opcode) {
                    names.push(op.result());
                }
                if !is_only_a_name(op.opcode) {
                    readers.push(user);
                }
            }
        }
        readers
    }

    /// Returns `true` if all uses of `value` are as strides of tensor views, also through
    /// assumptions.
    pub(super) fn is_stride(&self, module: &Module, value: ValueId) -> bool {
        let users = self.direct.get(&value).map_or(&[][..], Vec::as_slice);
        let has_law = |&user: &OpId| {
            let op = module.op(user);
            match op.opcode {
                Opcode::Misc(MiscOp::Assume) => self.is_stride(module, op.result()),
                Opcode::View(ViewOp::MakeTensorView) => {
                    !op.operands_of("dynamicShape").contains(&value)
                }
                _ => false,
            }
        };
        !users.is_empty() && users.iter().all(has_law)
    }

    /// Returns `true` if `user` is the last to read the slot of `value`, each time that it runs:
    /// both are in one block, and nothing else reads the slot.
    pub(super) fn is_last(&self, module: &Module, value: ValueId, user: OpId) -> bool {
        let mut first = value;
        while let ValueDef::Result(op, _) = module.value(first).def
            && shares_slot(module.op(op).opcode)
        {
            first = module.op(op).operands[0];
        }
        let block = match module.value(first).def {
            ValueDef::Argument(block, _) => Some(block),
            ValueDef::Result(op, _) => module.op(op).parent,
        };
        block == module.op(user).parent && self.readers(module, first) == [user]
    }
}

/// Returns `true` if the result is in the slot of the first operand.
fn shares_slot(opcode: Opcode) -> bool {
    is_only_a_name(opcode) || matches!(opcode, Opcode::Misc(MiscOp::Assume))
}

/// Returns `true` if the operation shares the slot and does nothing else.
fn is_only_a_name(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::Core(CoreOp::Reshape)
            | Opcode::Conversion(ConversionOp::BitCast | ConversionOp::PtrToPtr)
    )
}

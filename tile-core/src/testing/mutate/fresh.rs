//! Makes values of a given type, so that one operation changes and all others remain unchanged.

use super::{Mutator, types};
use crate::ir::{Attr, BlockId, Loc, Op, OpId, ValueId};
use crate::ops::{ControlFlowOp, Opcode};
use crate::types::{FunctionType, Type, TypeKind};
use smallvec::SmallVec;

impl Mutator<'_, '_> {
    /// Returns the entry, or other operation of the module's body, that contains `op`.
    pub(super) fn outermost(&self, op: OpId) -> OpId {
        let around = std::iter::successors(Some(op), |&op| self.module.parent_op(op));
        around.last().expect("there is the operation itself")
    }

    /// Returns a value of type `ty`, which may be any type, that every operation of `entry` may
    /// use; `None` if `entry` has no body.
    pub(super) fn fresh(&mut self, entry: OpId, ty: Type) -> Option<ValueId> {
        let block = self.module.region_block(entry, 0)?;
        if ty.is_view() {
            return self.parameter(entry, block, ty);
        }
        // An infinite loop can have results of any types.
        let endless = self.add(ControlFlowOp::Loop.into(), &[]);
        let result = self.module.add_result(endless, ty);
        let region = self.module.add_region(endless);
        let body = self.module.add_block(region);
        let end = self.add(ControlFlowOp::Continue.into(), &[]);
        self.module.insert_op(body, 0, end);
        self.module.insert_op(block, 0, endless);
        self.inherit_loc(entry, &[endless, end]);
        Some(result)
    }

    fn parameter(&mut self, entry: OpId, block: BlockId, ty: Type) -> Option<ValueId> {
        let (slot, mut signature) = self.signature(entry)?;
        signature.inputs.push(ty);
        let signature = Type::new(TypeKind::Function(signature));
        self.module.op_mut(entry).attrs[slot] = Some(Attr::Type(signature));
        Some(self.module.add_block_arg(block, ty, Loc::UNKNOWN))
    }

    fn signature(&self, entry: OpId) -> Option<(usize, FunctionType)> {
        let slots = self.module.op(entry).def().attrs;
        let slot = slots.iter().position(|slot| slot.name == "function_type")?;
        let Some(Attr::Type(signature)) = self.module.op(entry).attrs[slot] else {
            return None;
        };
        match signature.kind() {
            TypeKind::Function(signature) => Some((slot, signature.clone())),
            _ => None,
        }
    }

    /// Adds a parameter of another type, or a result, to the entry that contains an operation.
    pub(super) fn change_signature(&mut self, op: OpId) -> bool {
        let entry = self.outermost(op);
        let Some(block) = self.module.region_block(entry, 0) else {
            return false;
        };
        let Some((slot, mut signature)) = self.signature(entry) else {
            return false;
        };
        let count = self.module.block(block).args.len();
        if signature.inputs.len() != count || self.random.one_in(8) {
            signature.results.push(Type::token());
        } else if count == 0 {
            let value = self.any_value();
            let ty = value.map_or(Type::token(), |value| self.module.ty(value));
            return self.parameter(entry, block, ty).is_some();
        } else {
            let index = self.random.below(count);
            let (argument, old) = (
                self.module.block(block).args[index],
                signature.inputs[index],
            );
            let new = types::change(&mut self.random, old);
            let Some(other) = self.fresh(entry, old) else {
                return false;
            };
            self.replace_uses(argument, other);
            self.module.value_mut(argument).ty = new;
            if old.is_view() {
                // `fresh` has added a parameter for the other uses.
                signature.inputs.push(old);
            }
            signature.inputs[index] = new;
        }
        let signature = Type::new(TypeKind::Function(signature));
        self.module.op_mut(entry).attrs[slot] = Some(Attr::Type(signature));
        true
    }

    /// Makes a detached operation without attributes, with all operands in its last slot.
    pub(super) fn add(&mut self, opcode: Opcode, operands: &[ValueId]) -> OpId {
        let def = opcode.def();
        let mut segments = SmallVec::from_elem(0, def.operands.len());
        if let Some(last) = segments.last_mut() {
            *last = u32::try_from(operands.len()).expect("few operands");
        }
        self.module.add_op(Op {
            operands: operands.into(),
            segments,
            attrs: std::iter::repeat_n(None, def.attrs.len()).collect(),
            ..Op::new(opcode, Loc::UNKNOWN)
        })
    }

    /// Sets the locations of the new operations `ops` to that of `from`.
    pub(super) fn inherit_loc(&mut self, from: OpId, ops: &[OpId]) {
        let loc = self.module.op(from).loc;
        for &op in ops {
            self.module.op_mut(op).loc = loc;
        }
    }

    /// Replaces all uses of `old` by `new`.
    pub(super) fn replace_uses(&mut self, old: ValueId, new: ValueId) {
        for id in self.module.walk(self.module.body()) {
            for operand in &mut self.module.op_mut(id).operands {
                if *operand == old {
                    *operand = new;
                }
            }
        }
    }
}

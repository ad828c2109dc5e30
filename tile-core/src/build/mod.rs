//! Builds IR: an insertion point and helpers for common operations.
//!
//! Operations are made from opcodes, operands and attributes; the caller gives their result types,
//! or a helper infers them. Every call that makes an operation takes its location.

mod ops;

use crate::ir::{Attr, Block, BlockId, Loc, Module, Op, OpId, RegionId, ValueId};
use crate::ops::{Arity, AttrKind, Opcode, Presence};
use crate::types::{FunctionType, Type, TypeKind};
use smallvec::SmallVec;

/// Appends operations at the end of a block of a module.
#[derive(Debug)]
pub struct Builder<'m> {
    module: &'m mut Module,
    block: BlockId,
}

/// An operation under construction; [`OpBuilder::finish`] inserts it.
#[derive(Debug)]
#[must_use]
pub struct OpBuilder<'b, 'm> {
    builder: &'b mut Builder<'m>,
    op: Op,
    results: SmallVec<[Type; 2]>,
}

impl<'m> Builder<'m> {
    /// Makes a builder that appends to the body of `module`.
    pub fn new(module: &'m mut Module) -> Self {
        let block = module.body();
        Self { module, block }
    }

    /// Returns the module.
    pub fn module(&mut self) -> &mut Module {
        self.module
    }

    /// Returns the type of `value`.
    pub fn ty(&self, value: ValueId) -> Type {
        self.module.ty(value)
    }

    /// Returns the block that operations are appended to.
    pub fn block(&self) -> BlockId {
        self.block
    }

    /// Moves the insertion point to the end of `block`; returns the previous block.
    pub fn set_block(&mut self, block: BlockId) -> BlockId {
        std::mem::replace(&mut self.block, block)
    }

    /// Returns `true` if the last operation of the current block is a terminator.
    pub fn is_terminated(&self) -> bool {
        let Block { ops, .. } = self.module.block(self.block);
        ops.last()
            .is_some_and(|&op| self.module.op(op).def().is_terminator())
    }

    /// Starts an operation.
    pub fn op(&mut self, opcode: impl Into<Opcode>, loc: Loc) -> OpBuilder<'_, 'm> {
        let opcode = opcode.into();
        let def = opcode.def();
        OpBuilder {
            builder: self,
            op: Op {
                segments: SmallVec::from_elem(0, def.operands.len()),
                attrs: SmallVec::from_elem(None, def.attrs.len()),
                ..Op::new(opcode, loc)
            },
            results: SmallVec::new(),
        }
    }

    /// Adds a kernel with one block and moves the insertion point into it. Returns the op and the
    /// block's arguments.
    pub fn entry(&mut self, name: &str, params: &[Type], loc: Loc) -> (OpId, Vec<ValueId>) {
        self.block = self.module.body();
        let signature = Type::new(TypeKind::Function(FunctionType {
            inputs: params.to_vec(),
            results: Vec::new(),
        }));
        let op = self
            .op(crate::ops::CoreOp::Entry, loc)
            .attr("sym_name", Attr::Str(name.into()))
            .attr("function_type", Attr::Type(signature))
            .finish();
        let block = self.add_region_block(op);
        let args = params
            .iter()
            .map(|&ty| self.module.add_block_arg(block, ty, loc))
            .collect();
        self.block = block;
        (op, args)
    }

    /// Adds a region with one block to `op`.
    pub fn add_region_block(&mut self, op: OpId) -> BlockId {
        let region: RegionId = self.module.add_region(op);
        self.module.add_block(region)
    }
}

impl<'b> OpBuilder<'b, '_> {
    /// Fills the operand slot named `slot`. Slots must be filled in the order of the op's row; an
    /// unfilled optional or variadic slot is empty.
    pub fn operands(mut self, slot: &str, values: &[ValueId]) -> Self {
        let def = self.op.def();
        let index = def
            .operands
            .iter()
            .position(|operand| operand.name == slot)
            .unwrap_or_else(|| panic!("`{}` has no operand `{slot}`", def.mnemonic));
        assert!(
            self.op.segments[index..].iter().all(|&len| len == 0),
            "operand slots of `{}` must be filled in order",
            def.mnemonic
        );
        self.op.segments[index] = u32::try_from(values.len()).expect("few operands");
        self.op.operands.extend_from_slice(values);
        self
    }

    /// Fills the operand slot named `slot` with one value.
    pub fn operand(self, slot: &str, value: ValueId) -> Self {
        self.operands(slot, &[value])
    }

    /// Fills the first slots of the row with one value each.
    pub fn args(mut self, values: &[ValueId]) -> Self {
        for (&value, slot) in values.iter().zip(self.op.def().operands) {
            self = self.operands(slot.name, &[value]);
        }
        self
    }

    /// Sets an attribute.
    pub fn attr(mut self, name: &str, value: impl Into<Option<Attr>>) -> Self {
        self.op.set_attr(name, value.into());
        self
    }

    /// Sets a flag if `present`.
    pub fn flag(self, name: &str, present: bool) -> Self {
        self.attr(name, present.then_some(Attr::Unit))
    }

    /// Adds a result.
    pub fn result(mut self, ty: Type) -> Self {
        self.results.push(ty);
        self
    }

    /// Adds results.
    pub fn results(mut self, types: &[Type]) -> Self {
        self.results.extend_from_slice(types);
        self
    }

    /// Inserts the operation at the end of the current block. Unset attributes get their default,
    /// if they have one.
    pub fn finish(self) -> OpId {
        self.insert().0
    }

    fn insert(mut self) -> (OpId, &'b mut Module) {
        let def = self.op.def();
        for (slot, value) in def.attrs.iter().zip(&mut self.op.attrs) {
            if let (None, Presence::Default(number)) = (&value, slot.presence) {
                *value = Some(default_value(slot.kind, number));
            }
        }
        for (slot, &len) in def.operands.iter().zip(&self.op.segments) {
            assert!(
                slot.arity != Arity::One || len == 1,
                "operand `{}` of `{}` is not filled",
                slot.name,
                def.mnemonic
            );
        }
        let block = self.builder.block;
        let module = &mut *self.builder.module;
        let id = module.add_op(self.op);
        for ty in self.results {
            module.add_result(id, ty);
        }
        let end = module.block(block).ops.len();
        module.insert_op(block, end, id);
        (id, module)
    }

    /// Inserts the operation like [`OpBuilder::finish`], and returns its first result.
    pub fn finish_value(self) -> ValueId {
        self.finish_values()[0]
    }

    /// Inserts the operation like [`OpBuilder::finish`], and returns all its results.
    pub fn finish_values(self) -> SmallVec<[ValueId; 2]> {
        let (id, module) = self.insert();
        module.op(id).results.clone()
    }
}

/// Returns the default of an attribute slot of kind `kind`: `number` itself, or the enum value that
/// bytecode encodes as `number`.
pub(crate) fn default_value(kind: AttrKind, number: u64) -> Attr {
    use crate::ir::{IntegerOverflow, RoundingMode, SymbolVisibility};
    match kind {
        AttrKind::Overflow => {
            Attr::Overflow(IntegerOverflow::from_number(number).expect("rows name existing values"))
        }
        AttrKind::Rounding(_) => {
            Attr::Rounding(RoundingMode::from_number(number).expect("rows name existing values"))
        }
        AttrKind::Visibility => Attr::Visibility(
            SymbolVisibility::from_number(number).expect("rows name existing values"),
        ),
        AttrKind::U64 => Attr::Int(number.cast_signed()),
        _ => unreachable!("no row has a default of another kind"),
    }
}

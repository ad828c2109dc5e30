//! Emits element-wise operations.
//!
//! In: an operation of the tile IR and one number per operand. Out: the result of the operation, as defined
//! by the op table. Files are named after the groups of the table.

mod bitwise;
mod conversion;
mod exponential;
mod float;
mod integer;
mod pair;
mod quotient;
mod select;
mod small_float;

use inkwell::values::{BasicValueEnum, FloatValue, IntValue};
use tile_core::ir::{IntegerOverflow, RoundingMode};
use tile_core::ops::{CoreOp, MiscOp, Opcode};
use tile_core::{Loc, Scalar};

use super::code::Code;
use super::{Emitter, Result};
use crate::error::BackendError;
use crate::gpu::{ElementOp, Op};
use crate::target::Arch;

/// An element-wise operation on one element of a tile, or on uniform numbers.
struct Element<'e, 'ctx> {
    code: &'e Code<'ctx>,
    arch: Arch,
    loc: Loc,
    op: &'e ElementOp,
    /// The type of each operand.
    from: &'e [Scalar],
    to: Scalar,
    args: Vec<BasicValueEnum<'ctx>>,
    /// The operands of this element and of the next, packed, if they are bytes.
    both: Option<IntValue<'ctx>>,
}

impl Emitter<'_, '_> {
    pub(super) fn compute(&mut self, op: &Op, element: &ElementOp) -> Result<()> {
        let result = op.results[0];
        let from: Vec<Scalar> = op.args.iter().map(|&arg| self.scalar(arg)).collect();
        let to = self.scalar(result);
        let count = self.num_registers(self.kernel.ty(result));
        let mut registers = Vec::with_capacity(count);
        let one = |register: usize| Element {
            code: &self.code,
            arch: self.arch,
            loc: op.loc,
            op: element,
            from: &from,
            to,
            args: op
                .args
                .iter()
                .map(|&arg| self.registers(arg)[register])
                .collect(),
            both: None,
        };
        if let Some(registers) = self.quotients(op, element, one)? {
            self.define(result, registers);
            return Ok(());
        }
        let pairs = if from.first().is_some_and(|from| from.bits() == 8) && one(0).widens_natively()
        {
            pair::byte_pairs(&self.code, self.registers(op.args[0]))
        } else {
            Vec::new()
        };
        for register in (0..count).step_by(2) {
            let mut first = one(register);
            first.both = pairs.get(register / 2).copied();
            if register + 1 == count {
                registers.push(first.emit()?);
                continue;
            }
            let second = one(register + 1);
            match first.pair(&second) {
                Some(pair) => registers.extend(pair),
                None => registers.extend([first.emit()?, second.emit()?]),
            }
        }
        self.define(result, registers);
        Ok(())
    }
}

impl<'ctx> Element<'_, 'ctx> {
    fn emit(&self) -> Result<BasicValueEnum<'ctx>> {
        if let Some(value) = self.by_pair() {
            return Ok(value);
        }
        match self.op.opcode {
            Opcode::Integer(op) => self.integer(op),
            Opcode::Bitwise(op) => Ok(self.bitwise(op)),
            Opcode::Float(op) => self.float(op),
            Opcode::Conversion(op) => self.conversion(op),
            Opcode::Core(CoreOp::Select) => Ok(self.select()),
            // The result of `assume` is its operand.
            Opcode::Misc(MiscOp::Assume) => Ok(self.args[0]),
            Opcode::Core(_)
            | Opcode::ControlFlow(_)
            | Opcode::Memory(_)
            | Opcode::Atomic(_)
            | Opcode::View(_)
            | Opcode::Misc(_)
            | Opcode::LoopDialect(_)
            | Opcode::Testing(_)
            | Opcode::Unregistered(_) => Err(self.unsupported("")),
        }
    }

    fn int(&self, index: usize) -> IntValue<'ctx> {
        self.args[index].into_int_value()
    }

    fn number(&self, index: usize) -> FloatValue<'ctx> {
        self.args[index].into_float_value()
    }

    /// Returns an error that names the operation, with `detail`, and its types.
    fn unsupported(&self, detail: &str) -> BackendError {
        let name = self.op.def().mnemonic;
        let space = if detail.is_empty() { "" } else { " " };
        let types = match self.from.first() {
            Some(&from) if from != self.to => format!("`{from}` to `{}`", self.to),
            _ => format!("`{}`", self.to),
        };
        BackendError::Unsupported {
            what: format!("`{name}{space}{detail}` of {types}"),
            arch: self.arch,
            loc: self.loc,
        }
    }

    fn unsupported_rounding(&self, mode: RoundingMode) -> BackendError {
        self.unsupported(&format!("rounding<{}>", mode.name()))
    }
}

/// Returns the no-wrap flags of an integer operation: signed, unsigned.
fn promises(overflow: IntegerOverflow) -> (bool, bool) {
    match overflow {
        IntegerOverflow::None => (false, false),
        IntegerOverflow::NoSignedWrap => (true, false),
        IntegerOverflow::NoUnsignedWrap => (false, true),
        IntegerOverflow::NoWrap => (true, true),
    }
}

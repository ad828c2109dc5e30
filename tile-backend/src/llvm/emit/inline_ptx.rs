//! Emits inline PTX of kernels.
//!
//! In: `ptx.inline` and `ptx.inline_pure`. The elements that one execution of the text processes are in
//! consecutive registers of a thread. Out: inline assembly for each execution, in its own scope, so that
//! declarations in the text are local. LLVM does not move, remove or duplicate inline PTX that is not pure,
//! and keeps its order relative to memory accesses.

use inkwell::types::BasicTypeEnum;
use inkwell::values::BasicValueEnum;
use std::fmt::Write as _;
use std::ops::Range;
use tile_core::Scalar;
use tile_core::ir::Attr;
use tile_core::ops::MiscOp;
use tile_core::verify::{PtxPiece, PtxRegisters, ptx_pack, ptx_pieces, ptx_registers};

use super::Emitter;
use super::code::AsmEffect;
use crate::gpu::{ElementOp, Op, ValueId};

/// The PTX registers in which the elements of each operand, or of each result, are passed to one execution.
type Passed = Vec<(Scalar, PtxRegisters)>;

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn inline_ptx(&mut self, op: &Op, element: &ElementOp) {
        let pack = ptx_pack(element);
        let [to, from] = [&op.results[..], &op.args[..]].map(|values| self.passed(values, pack));
        let (assembly, constraints) = (assembly(element), constraints(&to, &from));
        let types: Vec<BasicTypeEnum<'ctx>> = to
            .iter()
            .flat_map(|(scalar, registers)| {
                std::iter::repeat_n(self.ptx_type(*scalar, *registers), registers.count)
            })
            .collect();
        let effect = if element.opcode == MiscOp::PtxPure.into() {
            AsmEffect::None
        } else {
            AsmEffect::Memory
        };
        let any = op.results.first().or(op.args.first());
        let count = any.map_or(1, |&value| self.num_registers(self.kernel.ty(value)));
        let mut results = vec![Vec::with_capacity(count); op.results.len()];
        for first in (0..count).step_by(pack) {
            let args = self.inputs(op, &from, first..first + pack);
            let values = self
                .code
                .asm(&assembly, &constraints, &types, &args, effect);
            let mut values = values.into_iter();
            for (results, &(scalar, registers)) in results.iter_mut().zip(&to) {
                for value in values.by_ref().take(registers.count) {
                    results.extend(self.taken_apart(value, scalar, registers));
                }
            }
        }
        for (&result, registers) in op.results.iter().zip(results) {
            self.define(result, registers);
        }
    }

    fn passed(&self, values: &[ValueId], pack: usize) -> Passed {
        let of = |&value: &ValueId| {
            let scalar = self.scalar(value);
            let registers = ptx_registers(scalar, pack);
            (
                scalar,
                registers.expect("verified: PTX has registers for it"),
            )
        };
        values.iter().map(of).collect()
    }

    /// Returns the inputs of the execution that processes these registers of each operand.
    fn inputs(&self, op: &Op, from: &Passed, executed: Range<usize>) -> Vec<BasicValueEnum<'ctx>> {
        let operands = op.args.iter().zip(from);
        operands
            .flat_map(|(&arg, &(scalar, registers))| {
                let values = self.registers(arg)[executed.clone()].chunks(registers.elements);
                values.map(move |values| self.held_together(values, scalar, registers))
            })
            .collect()
    }

    /// Packs elements into one PTX register.
    fn held_together(
        &self,
        elements: &[BasicValueEnum<'ctx>],
        scalar: Scalar,
        registers: PtxRegisters,
    ) -> BasicValueEnum<'ctx> {
        let whole = self.code.pack(elements);
        self.code.bit_cast(whole, self.ptx_type(scalar, registers))
    }

    /// Unpacks the elements of one PTX register.
    fn taken_apart(
        &self,
        value: BasicValueEnum<'ctx>,
        scalar: Scalar,
        registers: PtxRegisters,
    ) -> Vec<BasicValueEnum<'ctx>> {
        let element = self.code.register_type(scalar);
        let length = u32::try_from(registers.elements).expect("a register holds few elements");
        let parts = self.code.recast(&[value], element, length);
        parts
            .into_iter()
            .flat_map(|part| self.code.unpack(part))
            .collect()
    }

    /// Returns the LLVM type of a PTX register that holds elements of type `scalar`.
    fn ptx_type(&self, scalar: Scalar, registers: PtxRegisters) -> BasicTypeEnum<'ctx> {
        if registers.elements > 1 {
            return self.code.int(registers.bits).into();
        }
        match scalar {
            // LLVM's inline assembly has no register class for these: they are passed as i16.
            Scalar::F16 | Scalar::BF16 => self.code.register_type(Scalar::I16),
            scalar => self.code.register_type(scalar),
        }
    }
}

/// Returns the text of one execution, in a scope of its own, with LLVM's names for the registers.
fn assembly(element: &ElementOp) -> String {
    let Some(Attr::Str(text)) = element.attr("text") else {
        unreachable!("verified: there is a text");
    };
    let mut assembly = "{\n".to_owned();
    for piece in ptx_pieces(text).expect("verified: braces are of registers") {
        match piece {
            PtxPiece::Text(text) => assembly.push_str(&text.replace('$', "$$")),
            PtxPiece::Register(number) => {
                let _ = write!(assembly, "${{{number}}}");
            }
        }
    }
    assembly.push_str("\n}");
    assembly
}

/// Returns LLVM's constraints for results and operands.
fn constraints(to: &Passed, from: &Passed) -> String {
    let each = |(scalar, registers): &(Scalar, PtxRegisters)| {
        std::iter::repeat_n(constraint(*scalar, registers.bits), registers.count)
    };
    // Early clobber: the text may write an output before it has read all inputs.
    let outputs = to.iter().flat_map(each).map(|letter| format!("=&{letter}"));
    let inputs = from.iter().flat_map(each).map(str::to_owned);
    let constraints: Vec<String> = outputs.chain(inputs).collect();
    constraints.join(",")
}

/// Returns LLVM's constraint letter for a register of `bits` bits that holds elements of type `scalar`.
fn constraint(scalar: Scalar, bits: u32) -> &'static str {
    match (scalar, bits) {
        (Scalar::F32, _) => "f",
        (Scalar::F64, _) => "d",
        (_, 16) => "h",
        (_, 32) => "r",
        (_, 64) => "l",
        (other, _) => unreachable!("verified: PTX has a register for {other}"),
    }
}

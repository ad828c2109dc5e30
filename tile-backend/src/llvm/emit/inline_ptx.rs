//! Text in PTX that a kernel has itself.
//!
//! In: `ptx.inline` and `ptx.inline_pure`, with one number per operand and position. Out: inline
//! assembly per register, in braces of its own, so that what the text declares is seen by no other.
//! What is not pure stays where it is, as often as it is written, and in order with memory.

use inkwell::types::BasicTypeEnum;
use inkwell::values::BasicValueEnum;
use tile_core::Scalar;
use tile_core::ir::Attr;
use tile_core::ops::MiscOp;
use tile_core::verify::{PtxPiece, ptx_pieces};

use super::Emitter;
use super::code::AsmEffect;
use crate::gpu::{ElementOp, Op};

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn inline_ptx(&mut self, op: &Op, element: &ElementOp) {
        let Some(Attr::Str(text)) = element.attr("text") else {
            unreachable!("verified: there is a text");
        };
        let pieces = ptx_pieces(text).expect("verified: braces are of registers");
        let mut assembly = "{\n".to_owned();
        for piece in pieces {
            match piece {
                PtxPiece::Text(text) => assembly.push_str(&text.replace('$', "$$")),
                PtxPiece::Register(number) => assembly.push_str(&format!("${{{number}}}")),
            }
        }
        assembly.push_str("\n}");
        let to: Vec<Scalar> = op.results.iter().map(|&it| self.scalar(it)).collect();
        let from: Vec<Scalar> = op.args.iter().map(|&it| self.scalar(it)).collect();
        // An output is written while inputs may still be read.
        let outputs = to.iter().map(|&scalar| format!("=&{}", constraint(scalar)));
        let inputs = from.iter().map(|&scalar| constraint(scalar).to_owned());
        let constraints: Vec<String> = outputs.chain(inputs).collect();
        let constraints = constraints.join(",");
        let types: Vec<BasicTypeEnum<'ctx>> = to.iter().map(|&it| self.ptx_type(it)).collect();
        let effect = if element.opcode == MiscOp::PtxPure.into() {
            AsmEffect::None
        } else {
            AsmEffect::Memory
        };
        let any = op.results.first().or(op.args.first());
        let count = any.map_or(1, |&value| self.num_registers(self.kernel.ty(value)));
        let mut made = vec![Vec::with_capacity(count); op.results.len()];
        for register in 0..count {
            let args: Vec<BasicValueEnum<'ctx>> = op
                .args
                .iter()
                .zip(&from)
                .map(|(&arg, &scalar)| {
                    let value = self.registers(arg)[register];
                    self.code.bit_cast(value, self.ptx_type(scalar))
                })
                .collect();
            let values = self
                .code
                .asm(&assembly, &constraints, &types, &args, effect);
            for ((made, value), &result) in made.iter_mut().zip(values).zip(&op.results) {
                let ty = self.code.register_type(self.scalar(result));
                made.push(self.code.bit_cast(value, ty));
            }
        }
        for (&result, registers) in op.results.iter().zip(made) {
            self.define(result, registers);
        }
    }

    /// The type of the register that holds an element.
    fn ptx_type(&self, scalar: Scalar) -> BasicTypeEnum<'ctx> {
        match scalar {
            // LLVM has no registers for these in assembly but those of i16.
            Scalar::F16 | Scalar::BF16 => self.code.register_type(Scalar::I16),
            scalar => self.code.register_type(scalar),
        }
    }
}

/// LLVM's letter for the register of an element.
fn constraint(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::I16 | Scalar::F16 | Scalar::BF16 => "h",
        Scalar::I32 => "r",
        Scalar::I64 => "l",
        Scalar::F32 => "f",
        Scalar::F64 => "d",
        other => unreachable!("verified: PTX has a register for {other}"),
    }
}

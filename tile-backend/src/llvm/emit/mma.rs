//! Matrix products: `mma.sync`.
//!
//! In: operands in the layouts of fragments. Out: one instruction per
//! [`crate::layout::MmaStep`], accumulating in place.

use inkwell::types::BasicTypeEnum;
use inkwell::values::BasicValueEnum;

use super::{Emitter, Result};
use crate::gpu::{MmaKind, Op};
use crate::layout::{MmaInstruction, MmaTiling, Register};
use crate::llvm::intrinsics::Intrinsic;

/// How the registers of an operand become those of the instruction.
#[derive(Clone, Copy)]
enum Word {
    /// As they are.
    Element,
    /// Two to a vector.
    Pair,
    /// 32 bits as an integer.
    Bits,
}

struct Shape {
    intrinsic: Intrinsic,
    element_bits: u32,
    operands: Word,
    accumulator: Word,
}

fn shape(kind: MmaKind) -> Shape {
    let (intrinsic, element_bits, operands, accumulator) = match kind {
        MmaKind::F16 => (Intrinsic::MmaM16N8K16F16, 16, Word::Pair, Word::Element),
        MmaKind::BF16 => (Intrinsic::MmaM16N8K16Bf16, 16, Word::Bits, Word::Element),
        MmaKind::TF32 => (Intrinsic::MmaM16N8K8Tf32, 32, Word::Bits, Word::Element),
        MmaKind::F16AccF16 => (Intrinsic::MmaM16N8K16F16Half, 16, Word::Pair, Word::Pair),
    };
    Shape {
        intrinsic,
        element_bits,
        operands,
        accumulator,
    }
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn mma(&mut self, op: &Op, kind: MmaKind) -> Result<()> {
        let shape = shape(kind);
        let layout = |index: usize| self.kernel.layout_of(op.args[index]);
        let tiling = MmaInstruction::for_element_bits(shape.element_bits)
            .and_then(|instruction| MmaTiling::new(instruction, layout(0), layout(1), layout(2)));
        let Some(tiling) = tiling else {
            let what = format!("`mma` of {kind:?} operands in these layouts").to_lowercase();
            return Err(self.unsupported(what, op.loc));
        };
        let a = self.registers(op.args[0]).clone();
        let b = self.registers(op.args[1]).clone();
        let mut c = self.registers(op.args[2]).clone();
        for step in tiling.steps() {
            let mut args = self.words(&a, &step.a, shape.operands);
            args.extend(self.words(&b, &step.b, shape.operands));
            args.extend(self.words(&c, &step.c, shape.accumulator));
            let results = self.code.nvvm(shape.intrinsic, &args);
            let values = results.iter().flat_map(|&word| self.code.unpack(word));
            for (register, value) in step.c.iter().zip(values) {
                c[register.index()] = value;
            }
        }
        self.define(op.results[0], c);
        Ok(())
    }

    fn words(
        &self,
        values: &[BasicValueEnum<'ctx>],
        registers: &[Register],
        word: Word,
    ) -> Vec<BasicValueEnum<'ctx>> {
        let code = &self.code;
        let values: Vec<_> = registers.iter().map(|r| values[r.index()]).collect();
        match word {
            Word::Element => values,
            Word::Pair => values.chunks(2).map(|pair| code.pack(pair)).collect(),
            Word::Bits => {
                let bits: BasicTypeEnum<'ctx> = code.cx.i32_type().into();
                let per_word = match values[0] {
                    BasicValueEnum::FloatValue(value) => 32 / value.get_type().get_bit_width(),
                    BasicValueEnum::IntValue(value) => 32 / value.get_type().get_bit_width(),
                    other => unreachable!("{other} is no number"),
                };
                let words = values.chunks(per_word as usize);
                words.flat_map(|word| code.recast(word, bits, 1)).collect()
            }
        }
    }
}

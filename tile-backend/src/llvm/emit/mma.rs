//! Emits `mma.sync`.
//!
//! In: operands in the layouts of fragments. Out: one instruction per [`crate::layout::MmaStep`], which
//! updates the registers of the accumulator.
//!
//! Where the target has no instruction for f8, a step becomes two f16 instructions; f16 represents every f8
//! value. A word of four elements is split into two words of two, for both operands in the same way, so that
//! the same pairs of elements are multiplied.

use inkwell::types::BasicTypeEnum;
use inkwell::values::BasicValueEnum;
use tile_core::Scalar;

use super::{Emitter, Registers, Result};
use crate::gpu::{Mma, MmaKind, Op};
use crate::layout::{MmaStep, Register};
use crate::llvm::intrinsics::Intrinsic;
use crate::target::Feature;

/// How the registers of an operand become those of the instruction.
#[derive(Clone, Copy)]
enum Word {
    /// Each element is one operand, unchanged.
    Element,
    /// Two elements form a vector.
    Pair,
    /// Elements of 32 bits in total form an integer.
    Bits,
}

struct Shape {
    intrinsic: Intrinsic,
    operands: Word,
    accumulator: Word,
}

fn shape(kind: MmaKind, is_half: bool) -> Shape {
    let by_depth = |whole, half| if is_half { half } else { whole };
    let (intrinsic, operands, accumulator) = match kind {
        MmaKind::F16 => (
            by_depth(Intrinsic::MmaM16N8K16F16, Intrinsic::MmaM16N8K8F16),
            Word::Pair,
            Word::Element,
        ),
        MmaKind::BF16 => (
            by_depth(Intrinsic::MmaM16N8K16Bf16, Intrinsic::MmaM16N8K8Bf16),
            Word::Bits,
            Word::Element,
        ),
        MmaKind::TF32 => (
            by_depth(Intrinsic::MmaM16N8K8Tf32, Intrinsic::MmaM16N8K4Tf32),
            Word::Bits,
            Word::Element,
        ),
        MmaKind::F16AccF16 => (
            by_depth(Intrinsic::MmaM16N8K16F16Half, Intrinsic::MmaM16N8K8F16Half),
            Word::Pair,
            Word::Pair,
        ),
        MmaKind::E4M3 => (Intrinsic::MmaM16N8K32E4m3, Word::Bits, Word::Element),
        MmaKind::E5M2 => (Intrinsic::MmaM16N8K32E5m2, Word::Bits, Word::Element),
        MmaKind::F64 => (Intrinsic::MmaM8N8K4F64, Word::Element, Word::Element),
        MmaKind::I8 {
            lhs_signed,
            rhs_signed,
        } => {
            let (whole, half) = match (lhs_signed, rhs_signed) {
                (true, true) => (Intrinsic::MmaM16N8K32S8S8, Intrinsic::MmaM16N8K16S8S8),
                (true, false) => (Intrinsic::MmaM16N8K32S8U8, Intrinsic::MmaM16N8K16S8U8),
                (false, true) => (Intrinsic::MmaM16N8K32U8S8, Intrinsic::MmaM16N8K16U8S8),
                (false, false) => (Intrinsic::MmaM16N8K32U8U8, Intrinsic::MmaM16N8K16U8U8),
            };
            (by_depth(whole, half), Word::Bits, Word::Element)
        }
    };
    Shape {
        intrinsic,
        operands,
        accumulator,
    }
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn mma(&mut self, op: &Op, mma: Mma) -> Result<()> {
        let layout = |index: usize| self.kernel.layout_of(op.args[index]);
        let Some(tiling) = mma.tiling(layout(0), layout(1), layout(2)) else {
            let description =
                format!("`mma` of {:?} operands in these layouts", mma.kind).to_lowercase();
            return Err(self.unsupported(description, op.loc));
        };
        let (first, second) = if mma.swapped { (1, 0) } else { (0, 1) };
        let kind = match mma.kind {
            MmaKind::I8 {
                lhs_signed,
                rhs_signed,
            } if mma.swapped => MmaKind::I8 {
                lhs_signed: rhs_signed,
                rhs_signed: lhs_signed,
            },
            kind => kind,
        };
        let a = self.registers(op.args[first]).clone();
        let b = self.registers(op.args[second]).clone();
        let output = self.scalar(op.args[2]);
        let small = match kind {
            MmaKind::E4M3 => Some(Scalar::F8E4M3FN),
            MmaKind::E5M2 => Some(Scalar::F8E5M2),
            _ => None,
        };
        let mut c = self.registers(op.args[2]).clone();
        // MMAs of f8 accumulate in f32, so an f16 accumulator is widened before and rounded after.
        let is_rounded = small.is_some() && output == Scalar::F16;
        if is_rounded {
            let widen = |value| self.code.widened(value, output, Scalar::F32).into();
            c = c.into_iter().map(widen).collect();
        }
        let small = small.filter(|_| !self.arch.has(Feature::NativeFp8MmaSync));
        let products = if small.is_some() { MmaKind::F16 } else { kind };
        let shape = shape(products, mma.is_half);
        for step in tiling.steps() {
            let products = if let Some(scalar) = small {
                self.half_mmas(&a, &b, step, scalar)
            } else {
                let mut args = self.words(&a, &step.a, shape.operands);
                args.extend(self.words(&b, &step.b, shape.operands));
                vec![args]
            };
            for mut args in products {
                args.extend(self.words(&c, &step.c, shape.accumulator));
                let results = self.code.nvvm(shape.intrinsic, &args);
                let values = results.iter().flat_map(|&word| self.code.unpack(word));
                for (register, value) in step.c.iter().zip(values) {
                    c[register.index()] = value;
                }
            }
        }
        if is_rounded {
            let ty = self.code.register_type(output).into_float_type();
            let round = |value: BasicValueEnum<'ctx>| {
                let rounded = self
                    .code
                    .builder
                    .build_float_trunc(value.into_float_value(), ty, "");
                rounded.expect("a narrower type").into()
            };
            c = c.into_iter().map(round).collect();
        }
        self.define(op.results[0], c);
        Ok(())
    }

    /// Returns the operands of the two f16 instructions that replace one instruction on elements of type
    /// `scalar`.
    fn half_mmas(
        &self,
        a: &Registers<'ctx>,
        b: &Registers<'ctx>,
        step: &MmaStep,
        scalar: Scalar,
    ) -> Vec<Vec<BasicValueEnum<'ctx>>> {
        let half = |registers: &Registers<'ctx>, of: &[Register], first: usize| {
            let words = of.chunks(4).map(|word| {
                let pair: Vec<BasicValueEnum<'ctx>> = word[first..first + 2]
                    .iter()
                    .map(|register| {
                        let value = registers[register.index()].into_int_value();
                        self.code.small_to_half(value, scalar).into()
                    })
                    .collect();
                self.code.pack(&pair)
            });
            words.collect::<Vec<_>>()
        };
        let product = |first| {
            let mut args = half(a, &step.a, first);
            args.extend(half(b, &step.b, first));
            args
        };
        vec![product(0), product(2)]
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

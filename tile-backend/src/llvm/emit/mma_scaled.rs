//! Emits block-scaled MMAs: `mma.sync` with `.block_scale`.
//!
//! In: operands, scales and an accumulator in the layouts of fragments. Out: one instruction per step, or two
//! if a scale covers only half of the instruction's K; each of the two then has zeros in the other half.
//!
//! The scales come from the first thread of each group of four lanes; those of A's rows from 8 on come from
//! the second thread. An element of four bits is in the middle of a byte, or two are packed into one byte.

use inkwell::values::BasicValueEnum;
use tile_core::Scalar;

use super::code::AsmEffect;
use super::{Emitter, Registers, Result};
use crate::gpu::{MmaScaled, Op, ScaledStep};
use crate::layout::Register;
use crate::llvm::passes::ask_for;
use crate::target::PtxVersion;

/// The lowest PTX version with `.block_scale`.
const BLOCK_SCALE_PTX: PtxVersion = PtxVersion::new(8, 7);

/// The operands of one instruction.
struct Operands<'ctx> {
    a: Registers<'ctx>,
    b: Registers<'ctx>,
    factors: [BasicValueEnum<'ctx>; 2],
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn mma_scaled(&mut self, op: &Op, mma: MmaScaled) -> Result<()> {
        let layouts = [0, 1, 2, 3, 4].map(|index: usize| self.kernel.layout_of(op.args[index]));
        let Some(steps) = mma.steps(layouts) else {
            return Err(self.unsupported("`mma_scaled` of operands in these layouts", op.loc));
        };
        ask_for(&self.code.module, BLOCK_SCALE_PTX);
        let text = text(mma);
        let constraints = "=f,=f,=f,=f,r,r,r,r,r,r,f,f,f,f,r,r";
        let float = self.code.register_type(Scalar::F32);
        let mut c = self.registers(op.args[2]).clone();
        for step in &steps {
            for Operands { a, b, factors } in self.scaled_operands(op, mma, step) {
                let sums = step.step.c.iter().map(|register| c[register.index()]);
                let args: Registers<'ctx> =
                    a.into_iter().chain(b).chain(sums).chain(factors).collect();
                let results =
                    self.code
                        .asm(&text, constraints, &[float; 4], &args, AsmEffect::None);
                for (register, value) in step.step.c.iter().zip(results) {
                    c[register.index()] = value;
                }
            }
        }
        self.define(op.results[0], c);
        Ok(())
    }

    fn scaled_operands(&self, op: &Op, mma: MmaScaled, step: &ScaledStep) -> Vec<Operands<'ctx>> {
        let words = |operand: usize, registers: &[Register]| -> Registers<'ctx> {
            let of = self.registers(op.args[operand]);
            let values = registers.iter().map(|register| of[register.index()]);
            let values: Registers<'ctx> = values.collect();
            let words = values.chunks(if mma.is_packed() { 8 } else { 4 });
            words
                .map(|word| self.word_of_small(mma, operand, word))
                .collect()
        };
        let (a, b) = (words(0, &step.step.a), words(1, &step.step.b));
        let factors = |range: std::ops::Range<usize>| {
            [0, 1].map(|side: usize| {
                let of = self.registers(op.args[3 + side]);
                let bytes = step.factors[range.clone()].iter();
                let bytes = bytes.map(|pair| of[pair[side].index()]).collect();
                self.word_of_bytes(bytes)
            })
        };
        let count = step.factors.len();
        if mma.is_packed() || count == 1 {
            let factors = factors(0..count);
            return vec![Operands { a, b, factors }];
        }
        // The words of A hold rows 0 and 8 of the first half of K, then rows 0 and 8 of the second; B has one
        // word per half.
        let zero = self.code.i32(0).into();
        let halves = [0, 1].map(|half: usize| {
            let kept = |words: &Registers<'ctx>| {
                let count = words.len() / 2;
                let words = words.iter().enumerate();
                words
                    .map(|(index, &word)| if index / count == half { word } else { zero })
                    .collect()
            };
            Operands {
                a: kept(&a),
                b: kept(&b),
                factors: factors(half..half + 1),
            }
        });
        halves.into()
    }

    /// Packs the elements of one 32-bit operand into a register.
    fn word_of_small(
        &self,
        mma: MmaScaled,
        operand: usize,
        values: &[BasicValueEnum<'ctx>],
    ) -> BasicValueEnum<'ctx> {
        let code = &self.code;
        let is_small = mma.elements[operand].bits() < 8;
        let word = |values: &[BasicValueEnum<'ctx>]| {
            let bytes = values.iter().map(|&value| {
                if is_small {
                    code.unsigned(value.into_int_value(), code.int(8)).into()
                } else {
                    value
                }
            });
            self.word_of_bytes(bytes.collect())
        };
        if !mma.is_packed() {
            let word = word(values).into_int_value();
            // An element of four bits is in the middle of its byte.
            return if is_small {
                code.shl(word, code.i32(2)).into()
            } else {
                word.into()
            };
        }
        // Merge neighbouring bytes `0a 0b` into `ab`, in every other byte; `prmt` then gathers these bytes.
        let pairs = values.chunks(4).map(|values| {
            let word = word(values).into_int_value();
            code.or(word, code.lshr(word, code.i32(4))).into()
        });
        let pairs: Registers<'ctx> = pairs.collect();
        let ty = [code.cx.i32_type().into()];
        let text = "prmt.b32 $0, $1, $2, 0x6420;";
        code.asm(text, "=r,r,r", &ty, &pairs, AsmEffect::None)[0]
    }

    /// Packs at most four bytes into a register, the first byte in the lowest bits.
    fn word_of_bytes(&self, bytes: Registers<'ctx>) -> BasicValueEnum<'ctx> {
        let code = &self.code;
        let zero = code.int(8).const_zero().into();
        let mut bytes = bytes;
        bytes.resize(4, zero);
        code.recast(&bytes, code.cx.i32_type().into(), 1)[0]
    }
}

fn text(mma: MmaScaled) -> String {
    let name = |scalar| match scalar {
        Scalar::F8E4M3FN => "e4m3",
        Scalar::F8E5M2 => "e5m2",
        _ => "e2m1",
    };
    let [a, b] = mma.elements.map(name);
    let (shape, kind, factors, scale) = if mma.is_packed() {
        ("m16n8k64", "mxf4nvf4", 4, "ue4m3")
    } else {
        ("m16n8k32", "mxf8f6f4", 1, "ue8m0")
    };
    format!(
        "mma.sync.aligned.{shape}.row.col.kind::{kind}.block_scale.scale_vec::{factors}X\
         .f32.{a}.{b}.f32.{scale} {{$0,$1,$2,$3}}, {{$4,$5,$6,$7}}, {{$8,$9}}, \
         {{$10,$11,$12,$13}}, {{$14}}, {{0,0}}, {{$15}}, {{0,0}};"
    )
}

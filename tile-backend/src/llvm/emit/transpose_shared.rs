//! Emits transpositions of matrices in shared memory.
//!
//! In: two buffers, and a plan ([`crate::layout::Transposition`]). Out: code that reads matrices by
//! `ldmatrix`, permutes and writes them, several blocks at a time to hide latency; and a fence, if tensor
//! cores read the result.

use inkwell::values::{BasicValueEnum, IntValue};

use super::address::Addresses;
use super::code::{AsmEffect, element_bytes};
use super::{Emitter, Registers, Result};
use crate::gpu::{Op, TransposeShared};
use crate::layout::{BitRun, InDim};
use crate::llvm::intrinsics::Intrinsic;

/// The number of blocks that are read before the first of them is written.
const BLOCKS_PER_ROUND: usize = 4;

/// The number of bytes of a row of a matrix.
const ROW_BYTES: u32 = 16;

/// The `prmt` selector that takes the bytes of the first row from two words. Each word has alternating bytes
/// of two rows.
const FIRST_ROW: u32 = 0x6420;
/// Selects the second row instead, if combined with the selector by XOR.
const OTHER_ROW: u32 = 0x1111;
/// Exchanges the two words, if combined with the selector by XOR.
const OTHER_WORD: u32 = 0x4444;

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn transpose_shared(&mut self, op: &Op, matrix: TransposeShared) -> Result<()> {
        let Some(plan) = matrix.plan(self.kernel) else {
            return Err(self.unsupported("a transposition between these buffers", op.loc));
        };
        let unit = element_bytes(self.kernel.buffer(matrix.from).element);
        let [from, to] = matrix.stages(self.kernel, op);
        let from = self.stage_start(matrix.from, from.map(|stage| self.int(stage)));
        let to = self.stage_start(matrix.to, to.map(|stage| self.int(stage)));
        let works = self.thread.is_clear(&self.code, 0, plan.idle_warps);
        self.only_if(works, |emitter| {
            let code = &emitter.code;
            let mut load = Addresses::new(emitter, from, &plan.load, unit);
            let mut store = Addresses::new(emitter, to, &plan.store, unit);
            let selectors = (unit == 1).then(|| emitter.selectors());
            let ends = plan.store.constants.iter().copied();
            let blocks: Vec<(u64, u64)> = plan.load.constants.iter().copied().zip(ends).collect();
            for blocks in blocks.chunks(BLOCKS_PER_ROUND) {
                let read: Vec<Registers<'ctx>> = { blocks.iter() }
                    .map(|&(from, _)| {
                        let row = load.at(code, from).into();
                        let read = if unit == 1 {
                            Intrinsic::LdmatrixTransposedX4
                        } else {
                            Intrinsic::LdmatrixX4
                        };
                        code.nvvm(read, &[row])
                    })
                    .collect();
                for (words, &(_, to)) in read.into_iter().zip(blocks) {
                    let row = store.at(code, to);
                    if let Some(selectors) = selectors {
                        let mut args = vec![row.into()];
                        args.extend(emitter.columns_of_pairs(&words, selectors));
                        code.nvvm(Intrinsic::StmatrixX4, &args);
                    } else {
                        code.store(code.pack(&words), row, ROW_BYTES);
                    }
                }
            }
        });
        self.fence_for_tensor_cores(std::iter::once(matrix.to));
        Ok(())
    }

    /// Computes the selectors of the bytes that a lane stores to the first and to the second matrix of a
    /// pair.
    fn selectors(&self) -> [IntValue<'ctx>; 2] {
        let code = &self.code;
        let bit = |first_bit| {
            let run = BitRun {
                dim: InDim::Lane,
                first_bit,
                count: 1,
                shift: 0,
            };
            self.thread.runtime(code, &[run])
        };
        // The nonzero bits of each factor do not overlap in the product, since the other factor is 0 or 1.
        let word = code.mul_nuw(bit(1), code.i32(OTHER_WORD));
        let row = code.mul_nuw(bit(4), code.i32(OTHER_ROW));
        let first = code.xor(code.xor(code.i32(FIRST_ROW), word), row);
        [first, code.xor(first, code.i32(OTHER_ROW))]
    }

    /// Permutes the words of four matrices of bytes that were loaded as units of two bytes.
    fn columns_of_pairs(
        &self,
        words: &Registers<'ctx>,
        selectors: [IntValue<'ctx>; 2],
    ) -> Registers<'ctx> {
        let ty = [self.code.cx.i32_type().into()];
        let pairs = words.chunks(2);
        pairs
            .flat_map(|pair| {
                selectors.map(|selector| {
                    let args: [BasicValueEnum<'ctx>; 3] = [pair[0], pair[1], selector.into()];
                    let text = "prmt.b32 $0, $1, $2, $3;";
                    self.code.asm(text, "=r,r,r,r", &ty, &args, AsmEffect::None)[0]
                })
            })
            .collect()
    }
}

//! Converts the layout of a tile within each warp: by shuffles and selections, or through shared memory that
//! is private to the warp.
//!
//! In: two layouts between which a [`ShufflePlan`] exists. Out: shuffles and selections, with elements of
//! fewer than 32 bits packed into words. Both the source lane and the source register may depend on the
//! destination lane, so every register that some lane reads is shuffled.

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue};

use super::code::memory_bits;
use super::shuffle::Shuffle;
use super::{Emitter, Registers, Result};
use crate::gpu::{BufferId, Op};
use crate::layout::{AddressParts, Conversion, Register, ShufflePlan, classify};
use crate::llvm::intrinsics::Intrinsic;

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn convert_layout_shuffle(&mut self, op: &Op) -> Result<()> {
        let (source, result) = (op.args[0], op.results[0]);
        let bits = memory_bits(self.scalar(source));
        let (from, to) = (self.kernel.layout_of(source), self.kernel.layout_of(result));
        let Some(Conversion::WarpShuffle(plan)) = classify(from, to, bits) else {
            return Err(self.unsupported("an exchange between warps by shuffles", op.loc));
        };
        let values = self.registers(source).clone();
        let mut moved: Vec<Option<BasicValueEnum<'ctx>>> = vec![None; to.num_registers()];
        let wanted = self.thread.runtime(&self.code, &plan.register.runs);
        for chunk in plan.chunks(bits) {
            let mut chosen: Option<Registers<'ctx>> = None;
            for &candidate in &plan.candidates {
                let registers = chunk.iter().map(|register| {
                    let constant = plan.register.constants[register.index()];
                    let number = u32::try_from(constant).expect("registers are few") ^ candidate;
                    values[Register(number).index()]
                });
                let given: Registers<'ctx> = registers.collect();
                let taken = if plan.same_lane {
                    given
                } else {
                    let lane = self.lane_of(&plan, chunk[0]);
                    self.shuffle_together(op, &given, lane)
                };
                chosen = Some(match chosen {
                    None => taken,
                    Some(others) => {
                        let code = &self.code;
                        let is_it = code.compare(IntPredicate::EQ, wanted, code.i32(candidate));
                        let pairs = taken.into_iter().zip(others);
                        pairs
                            .map(|(taken, other)| code.select(is_it, taken, other))
                            .collect()
                    }
                });
            }
            let chosen = chosen.expect("there is a candidate");
            for (register, value) in chunk.iter().zip(chosen) {
                moved[register.index()] = Some(value);
            }
        }
        let registers = moved
            .into_iter()
            .map(|value| value.expect("chunks have every register"))
            .collect();
        self.define(result, registers);
        Ok(())
    }

    /// Converts through shared memory, in rounds. Each round has two barriers, since lanes may still be
    /// reading the data of the previous round, or of the previous iteration of a loop.
    pub(super) fn convert_layout_shared(&mut self, op: &Op, buffer: BufferId) -> Result<()> {
        let (kernel, source, result) = (self.kernel, op.args[0], op.results[0]);
        let Some(rounds) = kernel.rounds(op, buffer) else {
            return Err(self.unsupported("an exchange between warps by memory", op.loc));
        };
        let write = self.buffer_placement(&rounds.from, buffer, op.loc)?;
        let read = self.buffer_placement(&rounds.to, buffer, op.loc)?;
        let owner = self.thread.is_owner(&self.code, &rounds.from);
        let values = self.registers(source).clone();
        let start = self.buffer_start(buffer);
        let all_lanes = self.code.i32(u32::MAX).into();
        let mut moved: Vec<Option<BasicValueEnum<'ctx>>> =
            vec![None; kernel.layout_of(result).num_registers()];
        for (written, wanted) in rounds.written.iter().zip(&rounds.read) {
            let part: Registers<'ctx> = written
                .iter()
                .map(|register| values[register.index()])
                .collect();
            self.code.nvvm(Intrinsic::BarrierWarp, &[all_lanes]);
            self.only_if(owner, |emitter| emitter.store_at(&write, start, &part));
            self.code.nvvm(Intrinsic::BarrierWarp, &[all_lanes]);
            let loaded = self.load_at(&read, start);
            for (register, value) in wanted.iter().zip(loaded) {
                moved[register.index()] = Some(value);
            }
        }
        let registers = moved
            .into_iter()
            .map(|value| value.expect("the rounds have every register"))
            .collect();
        self.define(result, registers);
        Ok(())
    }

    /// Returns the source lane of `register`.
    fn lane_of(&self, plan: &ShufflePlan, register: Register) -> IntValue<'ctx> {
        let AddressParts { runs, constants } = &plan.lane;
        let runtime = self.thread.runtime(&self.code, runs);
        let constant = u32::try_from(constants[register.index()]).expect("a lane number is short");
        self.code.xor(runtime, self.code.i32(constant))
    }

    /// Shuffles values from another lane: either several that fit into one word, or a single value.
    fn shuffle_together(
        &self,
        op: &Op,
        values: &Registers<'ctx>,
        lane: IntValue<'ctx>,
    ) -> Registers<'ctx> {
        let [value] = values[..] else {
            let code = &self.code;
            let scalar = self.scalar(op.args[0]);
            let per_word = (32 / memory_bits(scalar)) as usize;
            let mut parts: Registers<'ctx> = values
                .iter()
                .map(|&value| code.to_memory(value, scalar))
                .collect();
            parts.resize(per_word, parts[0]);
            let word = code.recast(&parts, code.cx.i32_type().into(), 1)[0];
            let word = self.shuffle(Shuffle::Index, word, lane);
            let length = u32::try_from(per_word).expect("few");
            let parts = code.recast(&[word], code.memory_type(scalar), length);
            let parts = parts.into_iter().take(values.len());
            return parts.map(|part| code.to_register(part, scalar)).collect();
        };
        vec![self.shuffle(Shuffle::Index, value, lane)]
    }
}

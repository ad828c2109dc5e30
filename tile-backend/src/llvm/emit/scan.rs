//! Emits prefix scans along an axis, over the registers of a thread, the lanes of a warp, and the warps of a
//! block.
//!
//! In: a [`ScanStep`] and a block that combines an element and an accumulator. Out: a chain over registers, a
//! Kogge-Stone network over lanes, and the partial results of warps in shared memory.

use inkwell::IntPredicate;
use inkwell::values::IntValue;

use super::reduce::Tuple;
use super::shuffle::Shuffle;
use super::{Emitter, Registers, Result};
use crate::gpu::{BlockId, Op, Partials, ScanStep};
use crate::layout::{Register, ScanPlan};

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn scan_warp(&mut self, op: &Op, step: &ScanStep) -> Result<()> {
        let body = op.blocks[0];
        let operands: Vec<Registers<'ctx>> = op
            .args
            .iter()
            .map(|&arg| self.registers(arg).clone())
            .collect();
        let mut results = operands.clone();
        let mut totals: Vec<Tuple<'ctx>> = Vec::new();
        for row in rows(&step.plan, step.reverse) {
            let element = |register: &Register| -> Tuple<'ctx> {
                operands.iter().map(|of| of[register.index()]).collect()
            };
            let mut chain = vec![element(&row[0])];
            for register in &row[1..] {
                let last = chain.last().expect("it has a first element").clone();
                chain.push(self.combine(body, &last, &element(register))?);
            }
            let whole = chain.last().expect("it has a first element").clone();
            let (whole, before) = self.scan_lanes(body, &step.plan, step.reverse, whole)?;
            for (register, mut value) in row.iter().zip(chain) {
                if let Some((before, is_first)) = &before {
                    let joined = self.combine(body, before, &value)?;
                    value = self.choose(*is_first, &value, &joined);
                }
                for (of, value) in results.iter_mut().zip(value) {
                    of[register.index()] = value;
                }
            }
            totals.push(whole);
        }
        for (&result, registers) in op.results.iter().zip(results) {
            self.define(result, registers);
        }
        for (index, &result) in op.results[op.args.len()..].iter().enumerate() {
            // The last lane of the row holds the total.
            let registers = totals.iter().map(|total| total[index]);
            let lane = self.last_lane(&step.plan, step.reverse);
            let registers = registers
                .map(|value| self.shuffle(Shuffle::Index, value, lane))
                .collect();
            self.define(result, registers);
        }
        Ok(())
    }

    /// Scans over lanes. Returns the inclusive prefix of each lane; also its exclusive prefix and whether the
    /// lane is the first, unless each row is in one lane.
    fn scan_lanes(
        &mut self,
        body: BlockId,
        plan: &ScanPlan,
        reverse: bool,
        prefixes: Tuple<'ctx>,
    ) -> Result<(Tuple<'ctx>, Option<(Tuple<'ctx>, IntValue<'ctx>)>)> {
        if plan.lane_bits == 0 {
            return Ok((prefixes, None));
        }
        let position = self.lane_position(plan, reverse);
        let from = |emitter: &Self, distance: u32| {
            let code = &emitter.code;
            let lanes = code.i32(distance << plan.first_lane_bit);
            if reverse {
                code.add(emitter.thread.lane, lanes)
            } else {
                code.sub(emitter.thread.lane, lanes)
            }
        };
        let fetch = |emitter: &Self, values: &Tuple<'ctx>, distance: u32| -> Tuple<'ctx> {
            let lane = from(emitter, distance);
            let lane = emitter.code.and(lane, emitter.code.i32(31));
            let shuffled = values
                .iter()
                .map(|&value| emitter.shuffle(Shuffle::Index, value, lane));
            shuffled.collect()
        };
        let mut whole = prefixes;
        for bit in 0..plan.lane_bits {
            let other = fetch(self, &whole, 1 << bit);
            let joined = self.combine(body, &other, &whole)?;
            let code = &self.code;
            let has_none = code.compare(IntPredicate::ULT, position, code.i32(1 << bit));
            whole = self.choose(has_none, &whole, &joined);
        }
        let before = fetch(self, &whole, 1);
        let code = &self.code;
        let is_first = code.compare(IntPredicate::EQ, position, code.i32(0));
        Ok((whole, Some((before, is_first))))
    }

    /// Computes the number of lanes that precede this lane in its row.
    fn lane_position(&self, plan: &ScanPlan, reverse: bool) -> IntValue<'ctx> {
        let code = &self.code;
        let number = code.lshr(self.thread.lane, code.i32(plan.first_lane_bit));
        let number = code.and(number, code.i32(plan.lanes() - 1));
        if reverse {
            code.xor(number, code.i32(plan.lanes() - 1))
        } else {
            number
        }
    }

    /// Computes the last lane of the row that contains this lane.
    fn last_lane(&self, plan: &ScanPlan, reverse: bool) -> IntValue<'ctx> {
        let code = &self.code;
        let mask = plan.lane_mask();
        if reverse {
            code.and(self.thread.lane, code.i32(!mask))
        } else {
            code.or(self.thread.lane, code.i32(mask))
        }
    }

    /// Combines every register with the prefix of the preceding warps.
    pub(super) fn scan_across(
        &mut self,
        op: &Op,
        partials: &Partials,
        step: &ScanStep,
    ) -> Result<()> {
        let body = op.blocks[0];
        let exchange = self.exchange(op, partials)?;
        let slots = u32::try_from(exchange.slots()).expect("warps are few");
        let slot = self.slot(exchange);
        let position = if step.reverse {
            self.code.xor(slot, self.code.i32(slots - 1))
        } else {
            slot
        };
        let mut by_slot = self.load_partials(op, partials)?;
        if step.reverse {
            by_slot.reverse();
        }
        let mut results: Vec<Registers<'ctx>> = op
            .args
            .iter()
            .map(|&arg| self.registers(arg).clone())
            .collect();
        for (row, registers) in rows(&step.plan, step.reverse).enumerate() {
            let total =
                |slot: usize| -> Tuple<'ctx> { by_slot[slot].iter().map(|of| of[row]).collect() };
            let mut before = total(0);
            for other in 1..slots - 1 {
                let joined = self.combine(body, &before, &total(other as usize))?;
                let code = &self.code;
                let comes = code.compare(IntPredicate::ULT, code.i32(other), position);
                before = self.choose(comes, &joined, &before);
            }
            let code = &self.code;
            let is_first = code.compare(IntPredicate::EQ, position, code.i32(0));
            for register in registers {
                let prefix: Tuple<'ctx> = results.iter().map(|of| of[register.index()]).collect();
                let joined = self.combine(body, &before, &prefix)?;
                let value = self.choose(is_first, &prefix, &joined);
                for (of, value) in results.iter_mut().zip(value) {
                    of[register.index()] = value;
                }
            }
        }
        for (&result, registers) in op.results.iter().zip(results) {
            self.define(result, registers);
        }
        Ok(())
    }

    fn choose(
        &self,
        condition: IntValue<'ctx>,
        then: &Tuple<'ctx>,
        otherwise: &Tuple<'ctx>,
    ) -> Tuple<'ctx> {
        let pairs = then.iter().zip(otherwise);
        pairs
            .map(|(&then, &otherwise)| self.code.select(condition, then, otherwise))
            .collect()
    }
}

/// Returns the registers of each row, in the order in which they are combined.
fn rows(plan: &ScanPlan, reverse: bool) -> impl Iterator<Item = Vec<Register>> {
    plan.reduce.groups.iter().map(move |group| {
        let mut row = group.clone();
        if reverse {
            row.reverse();
        }
        row
    })
}

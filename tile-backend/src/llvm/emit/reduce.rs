//! Emits reductions over the registers of a thread, the lanes of a warp, and the warps of a block.
//!
//! In: a [`ReducePlan`] and a block that combines an element and an accumulator. Out: a balanced tree over
//! registers, butterfly shuffles over lanes, and partial results of warps in shared memory.
//!
//! The block is inlined at every combination, with its arguments bound to the two values.
//!
//! Every lane must end up with the same bits. Both lanes of a butterfly combine the same two values. A block
//! that is not commutative therefore gets them in the order of the lanes.

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue};

use super::control::End;
use super::shared::Placement;
use super::shuffle::Shuffle;
use super::{Emitter, Registers, Result};
use crate::gpu::{BlockId, Op, Partials};
use crate::layout::{ReducePlan, WarpExchange, generated_exchange, row_major};
use crate::lower::is_commutative;

/// One number per operand of the reduction.
pub(super) type Tuple<'ctx> = Vec<BasicValueEnum<'ctx>>;

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn reduce_warp(&mut self, op: &Op, plan: &ReducePlan) -> Result<()> {
        let body = op.blocks[0];
        let operands: Vec<Registers<'ctx>> = op
            .args
            .iter()
            .map(|&arg| self.registers(arg).clone())
            .collect();
        let mut tuples = Vec::new();
        for group in &plan.groups {
            let level: Vec<Tuple<'ctx>> = group
                .iter()
                .map(|register| operands.iter().map(|of| of[register.index()]).collect())
                .collect();
            tuples.push(self.tree(body, level)?);
        }
        if let Some(instruction) = self.whole_warp(body, plan) {
            for tuple in &mut tuples {
                tuple[0] = self.redux(&instruction, tuple[0]);
            }
            self.define_tuples(op, &tuples);
            return Ok(());
        }
        let ordered = !is_commutative(self.kernel, body);
        for &mask in &plan.lane_masks {
            for tuple in &mut tuples {
                *tuple = self.butterfly(body, tuple, mask, ordered)?;
            }
        }
        self.define_tuples(op, &tuples);
        Ok(())
    }

    /// Combines all tuples of `level` in a balanced tree, neighbours first.
    fn tree(&mut self, body: BlockId, mut level: Vec<Tuple<'ctx>>) -> Result<Tuple<'ctx>> {
        while level.len() > 1 {
            let mut next = Vec::with_capacity(level.len().div_ceil(2));
            for pair in level.chunks(2) {
                next.push(match pair {
                    [accumulator, element] => self.combine(body, accumulator, element)?,
                    rest => rest[0].clone(),
                });
            }
            level = next;
        }
        Ok(level.pop().expect("a group of a plan has a register"))
    }

    fn butterfly(
        &mut self,
        body: BlockId,
        values: &Tuple<'ctx>,
        mask: u32,
        ordered: bool,
    ) -> Result<Tuple<'ctx>> {
        let other: Tuple<'ctx> = values
            .iter()
            .map(|&value| self.shuffle(Shuffle::Butterfly, value, self.code.i32(mask)))
            .collect();
        if !ordered {
            return self.combine(body, values, &other);
        }
        let code = &self.code;
        // The two lanes differ in the highest bit of the mask, so that bit tells which is first.
        let bit = code.and(self.thread.lane, code.i32(1 << mask.ilog2()));
        let is_first = code.compare(IntPredicate::EQ, bit, code.i32(0));
        let choose = |then: &Tuple<'ctx>, otherwise: &Tuple<'ctx>| -> Tuple<'ctx> {
            let pairs = then.iter().zip(otherwise);
            pairs
                .map(|(&then, &otherwise)| code.select(is_first, then, otherwise))
                .collect()
        };
        let (first, second) = (choose(values, &other), choose(&other, values));
        self.combine(body, &first, &second)
    }

    /// Emits the block for one element and one accumulator per operand.
    pub(super) fn combine(
        &mut self,
        body: BlockId,
        accumulator: &Tuple<'ctx>,
        element: &Tuple<'ctx>,
    ) -> Result<Tuple<'ctx>> {
        let args = self.kernel.block(body).args.clone();
        for (pair, (&element, &accumulator)) in
            args.chunks_exact(2).zip(element.iter().zip(accumulator))
        {
            self.define(pair[0], vec![element]);
            self.define(pair[1], vec![accumulator]);
        }
        match self.block(body)? {
            End::Yield(values) => Ok(values.into_iter().map(|value| value[0]).collect()),
            End::Elsewhere => {
                let loc = self.kernel.loc;
                Err(self.unsupported("`return` in a reduction", loc))
            }
        }
    }

    pub(super) fn define_tuples(&mut self, op: &Op, tuples: &[Tuple<'ctx>]) {
        for (index, &result) in op.results.iter().enumerate() {
            let registers = tuples.iter().map(|tuple| tuple[index]).collect();
            self.define(result, registers);
        }
    }

    pub(super) fn store_partials(&mut self, op: &Op, partials: &Partials) -> Result<()> {
        let exchange = self.exchange(op, partials)?;
        let slot = self.slot(exchange);
        let writes =
            self.thread
                .is_clear(&self.code, exchange.idle_lane_mask, exchange.idle_warp_mask);
        let values: Vec<Registers<'ctx>> = op
            .args
            .iter()
            .map(|&arg| self.registers(arg).clone())
            .collect();
        self.only_if(writes, |emitter| {
            for (index, values) in values.iter().enumerate() {
                let (placement, slot_bytes) = emitter.partials_placement(partials, index);
                let code = &emitter.code;
                let base = emitter.buffer_start(partials.buffers[index]);
                let base = code.offset(base, code.mul_nuw(slot, code.i32(slot_bytes)));
                for base in emitter.in_each(partials.reach, base) {
                    emitter.store_at(&placement, base, values);
                }
            }
        });
        Ok(())
    }

    pub(super) fn combine_partials(&mut self, op: &Op, partials: &Partials) -> Result<()> {
        let by_slot = self.load_partials(op, partials)?;
        let mut tuples = Vec::new();
        for register in 0..partials.plan.result.num_registers() {
            let mut slots = by_slot.iter().map(|operands| -> Tuple<'ctx> {
                operands.iter().map(|of| of[register]).collect()
            });
            let mut accumulator = slots.next().expect("there is at least one slot");
            for element in slots {
                accumulator = self.combine(op.blocks[0], &accumulator, &element)?;
            }
            tuples.push(accumulator);
        }
        self.define_tuples(op, &tuples);
        Ok(())
    }

    /// Loads the partial results, indexed by slot, operand and register.
    pub(super) fn load_partials(
        &self,
        op: &Op,
        partials: &Partials,
    ) -> Result<Vec<Vec<Registers<'ctx>>>> {
        let slots = u32::try_from(self.exchange(op, partials)?.slots()).expect("warps are few");
        let of_slot = |slot: u32| {
            let of_slot = (0..partials.buffers.len()).map(|index| {
                let (placement, slot_bytes) = self.partials_placement(partials, index);
                let base = self.buffer_start(partials.buffers[index]);
                let base = self.code.offset(base, self.code.i32(slot * slot_bytes));
                self.load_at(&placement, base)
            });
            of_slot.collect()
        };
        Ok((0..slots).map(of_slot).collect())
    }

    pub(super) fn exchange<'p>(&self, op: &Op, partials: &'p Partials) -> Result<&'p WarpExchange> {
        let exchange = partials.plan.warps.as_ref();
        exchange.ok_or_else(|| {
            self.unsupported("partial results of a reduction within one warp", op.loc)
        })
    }

    /// Returns the placement of the result's elements within a slot, and the size of a slot in bytes.
    fn partials_placement(&self, partials: &Partials, index: usize) -> (Placement, u32) {
        let layout = &partials.plan.result;
        let buffer = self.kernel.buffer(partials.buffers[index]);
        let shape = layout.shape();
        let elements = u32::try_from(shape.num_elements()).expect("a tile is small");
        let slot_bytes = elements * super::code::element_bytes(buffer.element);
        // Slots are contiguous, so the size of a slot limits its alignment.
        let align = buffer.align_bytes.min(1 << slot_bytes.trailing_zeros());
        let bits = 8 * super::code::element_bytes(buffer.element);
        let memory = generated_exchange(layout, layout, bits)
            .unwrap_or_else(|| row_major(shape, &shape.row_major_order()));
        let placement = Placement::new(layout, &memory, buffer.element, align)
            .expect("a slot holds every element");
        (placement, slot_bytes)
    }

    pub(super) fn slot(&self, exchange: &WarpExchange) -> IntValue<'ctx> {
        let code = &self.code;
        let mut slot = code.i32(0);
        for (position, &bit) in (0..).zip(&exchange.slot_bits) {
            let warp_bit = code.and(code.lshr(self.thread.warp, code.i32(bit)), code.i32(1));
            slot = code.add_nuw(slot, code.shl(warp_bit, code.i32(position)));
        }
        slot
    }
}

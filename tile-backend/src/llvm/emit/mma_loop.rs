//! Emits matmuls without tensor cores, for types and shapes that tensor cores do not support.
//!
//! In: both operands in shared memory. Out: a loop over K. In each iteration, a thread reads the operands of
//! its elements for several steps of K, in vectors along the contiguous axis.
//!
//! The dialect defines the type of the sums: f32 for all floats up to 32 bits (rounded once at the end if the
//! accumulator is f16), f64 for f64, and i32 for integers. With scales, the sum starts at zero and is
//! computed in f64, in which each term is exact.

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use tile_core::Scalar;

use super::address::Thread;
use super::code::element_bytes;
use super::shared::Placement;
use super::{Emitter, Registers, Result};
use crate::gpu::{BufferId, MmaLoop, MmaLoopStep, Op, Side, ValueId};
use crate::layout::{AddressParts, InDim, LinearLayout};

/// One operand of the matmul, or the scales of an operand.
struct Factor<'ctx> {
    scalar: Scalar,
    turn: MmaLoopStep,
    placement: Placement,
    /// The part of offsets that depends on the iteration number.
    by_turn: AddressParts,
    start: PointerValue<'ctx>,
    depth: u64,
    signed: bool,
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn mma_loop(&mut self, op: &Op, matmul: &MmaLoop) -> Result<()> {
        let layout = self.kernel.layout_of(op.args[0]).clone();
        let mut stages = op.args[1..].iter().copied();
        let mut factor = |buffer, side, steps, signed| {
            let is_multistage = self.kernel.buffer(buffer).stages > 1;
            let stage = if is_multistage { stages.next() } else { None };
            self.factor(op, &layout, (buffer, stage), side, steps, signed)
        };
        let depth = self.depth(matmul.lhs, Side::Left);
        let steps = MmaLoopStep::steps(&layout, depth);
        let factors = [
            factor(matmul.lhs, Side::Left, steps, matmul.signed.0)?,
            factor(matmul.rhs, Side::Right, steps, matmul.signed.1)?,
        ];
        let scales = match matmul.scales {
            Some((left, right)) => Some([
                factor(left, Side::Left, 1, false)?,
                factor(right, Side::Right, 1, false)?,
            ]),
            None => None,
        };
        let output = self.scalar(op.args[0]);
        let sum = match output {
            _ if scales.is_some() => Scalar::F64,
            Scalar::F16 => Scalar::F32,
            other => other,
        };
        let given = self.registers(op.args[0]).clone();
        let initial: Registers<'ctx> = if scales.is_some() {
            vec![self.code.constant(sum, 0); given.len()]
        } else {
            let widen = |&value| self.wide(value, output, sum, true);
            given.iter().map(widen).collect()
        };
        let turns = u32::try_from(depth / steps).expect("a tile is small");
        let sums = self.counted(turns, initial, |emitter, turn, mut sums| {
            let code = &emitter.code;
            let mut terms = factors
                .each_ref()
                .map(|factor| emitter.terms(factor, turn, sum));
            if let Some(scales) = &scales {
                for (values, scale) in terms.iter_mut().zip(scales) {
                    // All steps of an iteration have the same scale, since a scale block covers at least one
                    // iteration.
                    let turns = u32::try_from(depth / scale.depth / steps).expect("few");
                    let block = code.udiv(turn, code.i32(turns));
                    let scale = emitter.terms(scale, block, sum);
                    *values = emitter.scaled(values, &scale);
                }
            }
            for step in 0..factors[0].turn.steps {
                for (index, value) in sums.iter_mut().enumerate() {
                    let [a, b] = [0, 1].map(|side: usize| {
                        let turn = &factors[side].turn;
                        terms[side][step * turn.rows + turn.registers[index].index()]
                    });
                    *value = emitter.multiply_add(a, b, *value);
                }
            }
            sums
        });
        let code = &self.code;
        let results = sums.into_iter().zip(given).map(|(total, given)| {
            let total = if scales.is_some() {
                let given = code.widened(given, output, sum);
                code.fadd(given, total.into_float_value()).into()
            } else {
                total
            };
            if sum == output {
                return total;
            }
            let ty = code.register_type(output).into_float_type();
            let rounded = code
                .builder
                .build_float_trunc(total.into_float_value(), ty, "");
            rounded.expect("a narrower type").into()
        });
        let results = results.collect();
        self.define(op.results[0], results);
        Ok(())
    }

    /// Returns the extent along K of the operand in `buffer`.
    fn depth(&self, buffer: BufferId, side: Side) -> u64 {
        let layout = self.kernel.buffer(buffer).layout;
        let shape = self.kernel.layout(layout.expect("a tile")).shape();
        shape.size(side.depth(shape.rank()))
    }

    /// Prepares the operand in `buffer`, at `stage` if the buffer has several stages.
    fn factor(
        &self,
        op: &Op,
        accumulator: &LinearLayout,
        (buffer, stage): (BufferId, Option<ValueId>),
        side: Side,
        steps: u64,
        signed: bool,
    ) -> Result<Factor<'ctx>> {
        let depth = self.depth(buffer, side);
        let of = self.kernel.buffer(buffer);
        let turn = MmaLoopStep::new(accumulator, side, depth, steps);
        let memory = of.layout.map(|id| self.kernel.layout(id));
        let placements = memory.and_then(|memory| {
            let by_turn = AddressParts::offset(&turn.turns, memory)?;
            // The offset of an iteration is a multiple of its lowest bit, which limits the alignment of
            // vectors.
            let moved = by_turn.runtime_mask().trailing_zeros().min(u8::BITS - 1);
            let align = of.align_bytes.min(element_bytes(of.element) << moved);
            let placement = Placement::new(&turn.factor, memory, of.element, align)?;
            Some((by_turn, placement))
        });
        let Some((by_turn, placement)) = placements else {
            return Err(self.unsupported("a factor in this buffer", op.loc));
        };
        Ok(Factor {
            scalar: of.element,
            turn,
            placement,
            by_turn,
            start: self.stage_start(buffer, stage.map(|stage| self.int(stage))),
            depth,
            signed,
        })
    }

    /// Loads the registers of an operand for iteration `turn`, converted to the type of the sum.
    fn terms(&self, factor: &Factor<'ctx>, turn: IntValue<'ctx>, sum: Scalar) -> Registers<'ctx> {
        let code = &self.code;
        let turns = factor.turn.turns.bases(InDim::Warp).len();
        let thread = Thread {
            lane: code.i32(0),
            warp: turn,
            warp_bits: u32::try_from(turns).expect("few"),
        };
        let moved = thread.runtime(code, &factor.by_turn.runs);
        let by = (moved, factor.by_turn.runtime_mask());
        let loaded = self.load_moved(&factor.placement, factor.start, by);
        loaded
            .into_iter()
            .map(|value| self.wide(value, factor.scalar, sum, factor.signed))
            .collect()
    }

    fn wide(
        &self,
        value: BasicValueEnum<'ctx>,
        from: Scalar,
        to: Scalar,
        signed: bool,
    ) -> BasicValueEnum<'ctx> {
        let code = &self.code;
        if to.is_float() {
            return code.widened(value, from, to).into();
        }
        let ty = code.register_type(to).into_int_type();
        let value = value.into_int_value();
        if signed {
            code.signed(value, ty)
        } else {
            code.unsigned(value, ty)
        }
        .into()
    }

    /// Multiplies the registers of an operand by their scales, which all steps of an iteration share.
    fn scaled(&self, values: &Registers<'ctx>, scale: &Registers<'ctx>) -> Registers<'ctx> {
        let pairs = values.iter().zip(scale.iter().cycle());
        let product = pairs.map(|(value, scale)| {
            let (value, scale) = (value.into_float_value(), scale.into_float_value());
            self.code.fmul(value, scale).into()
        });
        product.collect()
    }

    fn multiply_add(
        &self,
        a: BasicValueEnum<'ctx>,
        b: BasicValueEnum<'ctx>,
        sum: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        let code = &self.code;
        if sum.is_float_value() {
            return code.overloaded("llvm.fma", sum.get_type(), &[a, b, sum]);
        }
        let product = code.mul(a.into_int_value(), b.into_int_value());
        code.add(sum.into_int_value(), product).into()
    }

    /// Emits a loop of `turns` iterations with loop-carried values, starting with `initial`.
    fn counted(
        &self,
        turns: u32,
        initial: Registers<'ctx>,
        body: impl Fn(&Self, IntValue<'ctx>, Registers<'ctx>) -> Registers<'ctx>,
    ) -> Registers<'ctx> {
        let code = &self.code;
        if turns == 1 {
            return body(self, code.i32(0), initial);
        }
        let before = code.current_block();
        let inside = code.new_block("product");
        code.go_to(inside);
        code.builder.position_at_end(inside);
        let exit = code.new_block("multiplied");
        let turn = code.phi(&[(code.i32(0).into(), before)]);
        let carried: Vec<_> = initial
            .into_iter()
            .map(|value| code.phi(&[(value, before)]))
            .collect();
        let values = carried.iter().map(|phi| phi.as_basic_value()).collect();
        let now = turn.as_basic_value().into_int_value();
        let next = body(self, now, values);
        let following = code.add_nuw(now, code.i32(1));
        let goes_on = code.compare(IntPredicate::ULT, following, code.i32(turns));
        let latch = code.current_block();
        let back = code.branch(goes_on, inside, exit);
        self.forbid_unrolling(back);
        turn.add_incoming(&[(&following, latch)]);
        for (phi, value) in carried.iter().zip(&next) {
            phi.add_incoming(&[(value, latch)]);
        }
        code.builder.position_at_end(exit);
        next
    }
}

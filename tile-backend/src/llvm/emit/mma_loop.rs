//! Matrix products element by element, for types and shapes that tensor cores do not take.
//!
//! In: both factors in shared memory, a step along K being a row of each. Out: a loop over K,
//! in which each thread reads the factors of its elements in vectors.
//!
//! Sums are of the type that the dialect says: f32 for all floats up to 32 bits, rounded once
//! at the end if the accumulator is f16; f64; i32. With scale factors the sum is in f64, in
//! which each term is exact, and begins with zero.

use inkwell::IntPredicate;
use inkwell::values::{BasicValueEnum, IntValue, PointerValue};
use tile_core::Scalar;

use super::code::element_bytes;
use super::shared::Placement;
use super::{Emitter, Registers, Result};
use crate::gpu::{BufferId, MmaLoop, Op};
use crate::layout::{Axis, LinearLayout, OutShape, Register, row_major};

/// The most multiplications of a thread in one turn of the loop.
const MAX_UNROLLED: u64 = 256;

/// The most steps along K in one turn of the loop.
const MAX_STEPS: u64 = 8;

/// One factor, or its scale factors.
struct Factor<'ctx> {
    scalar: Scalar,
    placement: Placement,
    start: PointerValue<'ctx>,
    /// Bytes from one step along K to the next.
    step_bytes: u32,
    depth: u64,
    /// Per register of the accumulator, that of the factor.
    registers: Vec<Register>,
    signed: bool,
}

impl<'ctx> Emitter<'_, 'ctx> {
    pub(super) fn mma_loop(&mut self, op: &Op, product: &MmaLoop) -> Result<()> {
        let layout = self.kernel.layout_of(op.args[0]).clone();
        let rank = layout.shape().rank();
        let (row, column) = (Axis(rank - 2), Axis(rank - 1));
        let lhs = |buffer, signed| self.factor(op, &layout, buffer, (row, column), signed);
        let rhs = |buffer, signed| self.factor(op, &layout, buffer, (column, row), signed);
        let factors = [
            lhs(product.lhs, product.signed.0)?,
            rhs(product.rhs, product.signed.1)?,
        ];
        let scales = match product.scales {
            Some((left, right)) => Some([lhs(left, false)?, rhs(right, false)?]),
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
        let depth = factors[0].depth;
        let mut steps = MAX_STEPS.min(depth);
        while steps > 1 && steps * given.len() as u64 > MAX_UNROLLED {
            steps /= 2;
        }
        let turns = u32::try_from(depth / steps).expect("a tile is small");
        let sums = self.counted(turns, initial, |emitter, turn, mut sums| {
            let code = &emitter.code;
            let steps = u32::try_from(steps).expect("few");
            let first = code.mul_nuw(turn, code.i32(steps));
            let scales = scales.as_ref().map(|scales| {
                // A turn has one factor: blocks are deeper.
                scales.each_ref().map(|scale| {
                    let block = u32::try_from(depth / scale.depth).expect("a tile is small");
                    let at = code.udiv(first, code.i32(block));
                    emitter.step(scale, at, sum)
                })
            });
            for step in 0..steps {
                let at = code.add_nuw(first, code.i32(step));
                let mut terms = factors
                    .each_ref()
                    .map(|factor| emitter.step(factor, at, sum));
                if let Some(scales) = &scales {
                    for ((of, factor), scale) in terms.iter_mut().zip(&factors).zip(scales) {
                        *of = emitter.scaled(of, factor, scale);
                    }
                }
                for (index, value) in sums.iter_mut().enumerate() {
                    let [a, b] = [0, 1].map(|side| {
                        let register = factors[side].registers[index];
                        terms[side][register.index()]
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

    /// The factor in `buffer`, whose rows are along the axis `kept` of the accumulator and not
    /// along `dropped`.
    fn factor(
        &self,
        op: &Op,
        accumulator: &LinearLayout,
        buffer: BufferId,
        (kept, dropped): (Axis, Axis),
        signed: bool,
    ) -> Result<Factor<'ctx>> {
        let of = self.kernel.buffer(buffer);
        let (layout, registers) = accumulator.collapse_axis(dropped).unique_registers();
        let shape = layout.shape();
        let mut order = vec![kept];
        order.extend((shape.rank() == 3).then_some(Axis(0)));
        order.push(dropped);
        let memory = row_major(shape, &order);
        let bytes = u64::from(element_bytes(of.element));
        let step_bytes = u32::try_from(shape.num_elements() * bytes).expect("a tile is small");
        let align = of.align_bytes.min(1 << step_bytes.trailing_zeros());
        let depth = of
            .layout
            .map(|id| depth(self.kernel.layout(id).shape(), shape));
        let placement = Placement::new(&layout, &memory, of.element, align);
        let (Some(placement), Some(depth)) = (placement, depth) else {
            return Err(self.unsupported("a factor in this buffer", op.loc));
        };
        Ok(Factor {
            scalar: of.element,
            placement,
            start: self.buffer_start(buffer),
            step_bytes,
            depth,
            registers,
            signed,
        })
    }

    /// The registers of a factor at step `at`, in the type of the sum.
    fn step(&self, factor: &Factor<'ctx>, at: IntValue<'ctx>, sum: Scalar) -> Registers<'ctx> {
        let code = &self.code;
        let offset = code.mul_nuw(at, code.i32(factor.step_bytes));
        let loaded = self.load_at(&factor.placement, code.offset(factor.start, offset));
        let wide = loaded.into_iter();
        wide.map(|value| self.wide(value, factor.scalar, sum, factor.signed))
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

    /// The registers of a factor times those of its scale, which lie alike.
    fn scaled(
        &self,
        values: &Registers<'ctx>,
        factor: &Factor<'ctx>,
        scale: &Registers<'ctx>,
    ) -> Registers<'ctx> {
        debug_assert_eq!(
            values.len(),
            scale.len(),
            "one scale per row of {}",
            factor.scalar
        );
        let pairs = values.iter().zip(scale);
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

    /// A loop of `turns` turns that carries numbers.
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

/// The steps along K of a factor of which one has `step` elements.
fn depth(whole: &OutShape, step: &OutShape) -> u64 {
    whole.num_elements() / step.num_elements()
}

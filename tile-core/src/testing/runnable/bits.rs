//! Distinguishes values whose bits the dialect promises from other values, and replaces the NaNs of
//! the latter.
//!
//! A computed NaN has arbitrary bits. Operations that observe bits (`bitcast`, `pack`, memory read
//! as another type, `atomic_cas_tko`, printing) only take values that cannot be such a NaN. These
//! are values that were made from integers, loaded from memory that nothing writes to, or constant,
//! and only moved since then; and other values after [`Maker::without_nan`].

use super::constants::nan;
use super::control_flow::Flow;
use super::{LOC, Maker};
use crate::ir::{ComparisonOrdering, ComparisonPredicate, Signedness, ValueId};
use crate::ops::{ControlFlowOp, ConversionOp, CoreOp, FloatOp, Opcode};
use crate::types::{Scalar, Type};
use std::cmp::Ordering;

/// The maximum number of definitions that are followed.
const MAX_MOVES: usize = 8;

impl Maker<'_> {
    /// Returns `value`, or for devices a value whose bits are promised.
    pub(super) fn promised_bits(&mut self, value: ValueId) -> ValueId {
        if !self.for_devices() || self.keeps_bits(value) {
            return value;
        }
        let ty = self.builder.ty(value);
        let (scalar, _) = ty.as_number_tile().expect("numbers");
        let fill = if self.random.one_in(2) {
            nan(scalar)
        } else {
            0
        };
        self.without_nan(value, fill)
    }

    /// Returns `value`, or for devices a value without NaNs, since the sign of a NaN, which is
    /// arbitrary, would be printed.
    pub(super) fn printable(&mut self, value: ValueId) -> ValueId {
        let ty = self.builder.ty(value);
        let (scalar, _) = ty.as_number_tile().expect("numbers");
        if self.for_devices() && scalar.is_float() {
            self.without_nan(value, 0)
        } else {
            value
        }
    }

    /// Replaces NaNs by `fill`.
    pub(super) fn without_nan(&mut self, value: ValueId, fill: u64) -> ValueId {
        let ty = self.builder.ty(value);
        let fill = self.splat_like(value, fill);
        let is_number = self.builder.cmpf(
            ComparisonPredicate::Equal,
            ComparisonOrdering::Ordered,
            value,
            value,
            LOC,
        );
        self.plain(CoreOp::Select, &[is_number, value, fill], ty)
    }

    /// Returns `true` if the bits of a value are promised.
    pub(super) fn keeps_bits(&mut self, value: ValueId) -> bool {
        self.has_bits(value, MAX_MOVES)
    }

    fn has_bits(&mut self, value: ValueId, moves: usize) -> bool {
        let number = self.builder.ty(value).as_number_tile();
        if number.is_some_and(|(scalar, _)| scalar.is_integer()) || self.given_bits.contains(&value)
        {
            return true;
        }
        let module = self.builder.module();
        let Some(op) = module.defining_op(value).map(|id| module.op(id)) else {
            return self.is_parameter(value);
        };
        let operands = op.operands.clone();
        let moved = match op.opcode {
            Opcode::Core(CoreOp::Constant | CoreOp::Unpack)
            | Opcode::Conversion(ConversionOp::IToF) => return true,
            Opcode::Core(CoreOp::Select) => &operands[1..],
            Opcode::Core(CoreOp::Insert | CoreOp::Cat) => &operands[..2],
            Opcode::Core(
                CoreOp::Reshape | CoreOp::Broadcast | CoreOp::Permute | CoreOp::Extract,
            )
            | Opcode::Conversion(ConversionOp::BitCast)
            | Opcode::Float(FloatOp::NegF | FloatOp::AbsF) => &operands[..1],
            _ => return false,
        };
        moves > 0 && moved.iter().all(|&value| self.has_bits(value, moves - 1))
    }

    /// Returns `true` if the host provides a value.
    pub(super) fn is_parameter(&mut self, value: ValueId) -> bool {
        let module = self.builder.module();
        let entry = module.entries().next().expect("there is one");
        let body = module.region_block(entry, 0).expect("it has a body");
        module.block(body).args.contains(&value)
    }

    /// Returns a value that is invariant in the enclosing loops.
    pub(super) fn settled(&mut self, ty: Type) -> ValueId {
        let Some(mark) = self.outermost_loop else {
            return self.value(ty);
        };
        let before = self.pool.pick_before(mark, ty, &mut self.random);
        let (scalar, shape) = ty.as_number_tile().expect("numbers");
        before.unwrap_or_else(|| self.constant(scalar, shape))
    }

    /// Converts a value of any type to `i32` and adds it to the pool.
    pub(super) fn show(&mut self, value: ValueId) {
        let (scalar, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
        let int = Type::tile(Scalar::I32, shape);
        if scalar == Scalar::I32 || self.scalars.contains(&scalar) {
            let ty = self.builder.ty(value);
            self.pool.add(ty, value);
            return;
        }
        let signedness = self.random.pick(Signedness::ALL);
        match (scalar.is_integer(), scalar.bits().cmp(&32)) {
            (true, Ordering::Less) => {
                self.signed_conversion(ConversionOp::ExtI, value, int, signedness);
            }
            (true, _) => self.truncation(value, Scalar::I32),
            (false, _) if scalar == Scalar::F32 => {
                let value = self.promised_bits(value);
                self.plain(ConversionOp::BitCast, &[value], int);
            }
            (false, _) => {
                // Some numbers do not fit f32, but most do, and NaN never becomes a number.
                let single = Type::tile(Scalar::F32, shape);
                let value = self.plain(ConversionOp::FToF, &[value], single);
                let value = self.without_nan(value, 0);
                self.plain(ConversionOp::BitCast, &[value], int);
            }
        }
    }

    /// Passes a value through a branch that may return `other` instead.
    pub(super) fn either(&mut self, value: ValueId, other: ValueId) -> ValueId {
        let truth = Type::scalar(Scalar::I1);
        let condition = self.settled(truth);
        let ty = self.builder.ty(value);
        let op = self
            .builder
            .op(ControlFlowOp::If, LOC)
            .args(&[condition])
            .result(ty)
            .finish();
        let flow = Flow::default();
        for value in [value, other] {
            self.region(op, &[], &flow, |maker, _| {
                maker.builder.terminate(ControlFlowOp::Yield, &[value], LOC);
            });
        }
        self.builder.module().op(op).result()
    }
}

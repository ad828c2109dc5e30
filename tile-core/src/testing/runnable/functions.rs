//! Functions that devices may compute with an error, whose results are kept apart from exact ones.
//!
//! The result of such a function is only moved (through shapes, selections, branches and
//! block-local memory; a sign, a minimum or a maximum does not change distances), then stored to a
//! buffer for inexact values. The elements are recorded with the function, so that a test can allow
//! the function's error for them and no error for other elements. Whether a result is NaN is exact,
//! and used like any truth value.

use super::memory::Role;
use super::{LOC, Maker};
use crate::ir::{Attr, ComparisonOrdering, ComparisonPredicate, RoundingMode, ValueId};
use crate::ops::{BitwiseOp, ConversionOp, CoreOp, FloatOp, IntegerOp};
use crate::types::{Scalar, Type};
use std::ops::Range;

/// A function that devices compute with an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// The operation.
    pub opcode: FloatOp,
    /// The type in which the function is computed.
    pub scalar: Scalar,
    /// `approx` or `full`, if the operation has a mode.
    pub rounding: Option<RoundingMode>,
}

/// Elements of a buffer that are results of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inexact {
    /// The index of the buffer among the buffer arguments.
    pub buffer: usize,
    /// The elements within the buffer.
    pub elements: Range<usize>,
    /// The function whose results the elements are.
    pub function: Function,
}

/// The functions. `divf` and `sqrt` are made in their inexact modes.
const FUNCTIONS: [FloatOp; 17] = [
    FloatOp::Atan2,
    FloatOp::Cos,
    FloatOp::CosH,
    FloatOp::DivF,
    FloatOp::Exp,
    FloatOp::Exp2,
    FloatOp::FPowI,
    FloatOp::FPowI,
    FloatOp::Log,
    FloatOp::Log2,
    FloatOp::Pow,
    FloatOp::RSqrt,
    FloatOp::Sin,
    FloatOp::SinH,
    FloatOp::Sqrt,
    FloatOp::Tan,
    FloatOp::TanH,
];

/// The maximum number of elements of a moved value.
const MAX_ELEMENTS: i64 = 512;

impl Maker<'_> {
    /// Makes and stores the result of a random function.
    pub(super) fn any_function(&mut self) {
        let opcode = self.random.pick(&FUNCTIONS);
        self.function(opcode);
    }

    /// Returns `true` if results of an operation may be inexact in every mode.
    pub(super) fn is_inexact(opcode: FloatOp) -> bool {
        FUNCTIONS.contains(&opcode) && !matches!(opcode, FloatOp::DivF | FloatOp::Sqrt)
    }

    /// Makes the result of a function, and moves and stores it.
    pub(super) fn function(&mut self, opcode: FloatOp) {
        let needs_single = matches!(opcode, FloatOp::DivF | FloatOp::Sqrt);
        let is_fit =
            |scalar: Scalar| scalar == Scalar::F32 || !needs_single && scalar.is_base_float();
        if self.scalar(is_fit).is_none() {
            return;
        }
        let ty = self.tile_type(is_fit);
        let (scalar, shape) = ty.as_number_tile().expect("numbers");
        let mut args = vec![self.settled(ty)];
        match opcode {
            FloatOp::FPowI => args.push(self.exponent(shape)),
            FloatOp::Atan2 | FloatOp::Pow | FloatOp::DivF => args.push(self.settled(ty)),
            _ => {}
        }
        let rounding = match opcode {
            FloatOp::Sqrt => Some(RoundingMode::Approx),
            FloatOp::DivF => {
                let modes = [RoundingMode::Approx, RoundingMode::Full];
                Some(self.random.pick(&modes))
            }
            FloatOp::Exp | FloatOp::TanH if scalar == Scalar::F32 && self.random.one_in(2) => {
                Some(RoundingMode::Approx)
            }
            FloatOp::Exp | FloatOp::TanH => Some(RoundingMode::Full),
            _ => None,
        };
        let attrs = opcode.def().attrs;
        let has_flush = attrs.iter().any(|slot| slot.name == "flush_to_zero");
        let flushes = has_flush && scalar == Scalar::F32 && self.random.one_in(3);
        let mut op = self.builder.op(opcode, LOC).args(&args).result(ty);
        if let Some(rounding) = rounding {
            op = op.attr("rounding_mode", Attr::Rounding(rounding));
        }
        if has_flush {
            op = op.flag("flush_to_zero", flushes);
        }
        let mut value = op.finish_value();
        for _ in 0..self.random.below(4) {
            value = self.moved(value);
        }
        if self.random.one_in(3) {
            let is_nan = self.builder.cmpf(
                ComparisonPredicate::NotEqual,
                ComparisonOrdering::Unordered,
                value,
                value,
                LOC,
            );
            let ty = self.builder.ty(is_nan);
            self.pool.add(ty, is_nan);
        }
        let function = Function {
            opcode,
            scalar,
            rounding,
        };
        self.store_inexact(value, function);
    }

    /// Makes a tile of small integer exponents.
    fn exponent(&mut self, shape: &[i64]) -> ValueId {
        let scalar = self
            .random
            .pick(&[Scalar::I1, Scalar::I8, Scalar::I16, Scalar::I32]);
        let wide = Type::tile(Scalar::I32, shape);
        let value = self.settled(wide);
        let value = self.bits_of(value, 7);
        let three = self.splat_like(value, 3);
        let value = self.builder.wrapping(IntegerOp::SubI, &[value, three], LOC);
        if scalar == Scalar::I32 {
            return value;
        }
        self.builder
            .convert(ConversionOp::TruncI, value, scalar, None, LOC)
    }

    fn store_inexact(&mut self, value: ValueId, function: Function) {
        let (scalar, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
        let place = self.store_alone(value, |buffer| {
            matches!(buffer.role, Role::Inexact(_)) && buffer.scalar == scalar
        });
        let Some((buffer, first)) = place else {
            return;
        };
        let count = shape.iter().product::<i64>().unsigned_abs();
        for block in 0..self.blocks {
            let start = block * self.sizes.output + first;
            let [start, end] =
                [start, start + count].map(|index| usize::try_from(index).expect("small"));
            self.inexact.push(Inexact {
                buffer,
                elements: start..end,
                function,
            });
        }
    }

    /// Moves the elements of a value, or mixes some of them with others.
    fn moved(&mut self, value: ValueId) -> ValueId {
        let ty = self.builder.ty(value);
        let (scalar, shape) = ty.as_number_tile().expect("numbers");
        let count: i64 = shape.iter().product();
        let opcode = match self.random.below(12) {
            0 => FloatOp::NegF,
            1 => FloatOp::AbsF,
            2 => FloatOp::MaxF,
            3 => FloatOp::MinF,
            4 => return self.builder.reshape(value, &[count], LOC),
            5 if shape.len() >= 2 => {
                let rank = i32::try_from(shape.len()).expect("small");
                let mut axes: Vec<i32> = (0..rank).collect();
                self.random.shuffle(&mut axes);
                return self.builder.permute(value, &axes, LOC);
            }
            6 if !shape.is_empty() => return self.half(value),
            7 if !shape.is_empty() && 2 * count <= MAX_ELEMENTS => {
                let mut args = [value, self.settled(ty)];
                self.random.shuffle(&mut args);
                let dim = self.random.below(shape.len());
                let mut double = shape.to_vec();
                double[dim] *= 2;
                let result = Type::tile(scalar, &double);
                let op = self.builder.op(CoreOp::Cat, LOC).args(&args);
                let dim = i64::try_from(dim).expect("small");
                return op.attr("dim", Attr::Int(dim)).result(result).finish_value();
            }
            8 => {
                let condition = self.settled(Type::tile(Scalar::I1, shape));
                let mut arms = [value, self.settled(ty)];
                self.random.shuffle(&mut arms);
                let args = [condition, arms[0], arms[1]];
                return self
                    .builder
                    .op(CoreOp::Select, LOC)
                    .args(&args)
                    .result(ty)
                    .finish_value();
            }
            9 => return self.as_bits(value),
            10 if count <= 256 => {
                let op = self.stored_and_loaded(value);
                return self.builder.module().op(op).results[0];
            }
            _ => {
                let other = self.settled(ty);
                return self.either(value, other);
            }
        };
        let mut args = vec![value];
        if matches!(opcode, FloatOp::MaxF | FloatOp::MinF) {
            args.push(self.settled(ty));
        }
        let op = self.builder.op(opcode, LOC).args(&args).result(ty);
        op.finish_value()
    }

    /// Returns half of a tile.
    pub(super) fn half(&mut self, value: ValueId) -> ValueId {
        let (scalar, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
        let longest = (0..shape.len()).max_by_key(|&axis| shape[axis]);
        let axis = longest.expect("it has axes");
        if shape[axis] == 1 {
            return value;
        }
        let mut half = shape.to_vec();
        half[axis] /= 2;
        let mut indices = vec![self.splat(Scalar::I32, 0, &[]); shape.len()];
        let which = self.random.below(2) as u64;
        indices[axis] = self.splat(Scalar::I32, which, &[]);
        self.builder
            .op(CoreOp::Extract, LOC)
            .operand("source", value)
            .operands("indices", &indices)
            .result(Type::tile(scalar, &half))
            .finish_value()
    }

    /// Converts `value` to an integer, flips the sign bit, and converts the integer back.
    fn as_bits(&mut self, value: ValueId) -> ValueId {
        let ty = self.builder.ty(value);
        let (scalar, shape) = ty.as_number_tile().expect("numbers");
        let int = match scalar.bits() {
            16 => Scalar::I16,
            32 => Scalar::I32,
            _ => Scalar::I64,
        };
        let convert = ConversionOp::BitCast;
        let bits = self.builder.convert(convert, value, int, None, LOC);
        let sign = self.splat(int, 1 << (scalar.bits() - 1), shape);
        let bits = self.builder.like_first(BitwiseOp::XorI, &[bits, sign], LOC);
        self.builder.convert(convert, bits, scalar, None, LOC)
    }
}

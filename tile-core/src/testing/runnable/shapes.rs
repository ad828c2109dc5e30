//! Shapes, conversions, reductions and small matmuls.

use super::constants::interesting;
use super::{Executor, LOC, Maker};
use crate::interp::encode_float;
use crate::ir::{Attr, IntegerOverflow, Signedness, TypedScalar, ValueId};
use crate::ops::{BitwiseOp, ControlFlowOp, ConversionOp, CoreOp, FloatOp, IntegerOp, Opcode};
use crate::types::{Scalar, Type};

impl Maker<'_> {
    /// Makes a change of shape, which moves elements.
    pub(super) fn shape(&mut self) {
        let ty = self.tile_type(|_| true);
        let (scalar, shape) = ty.as_number_tile().expect("a tile of numbers");
        let count: i64 = shape.iter().product();
        match self.random.below(8) {
            6 | 7 if !shape.is_empty() => self.slice(ty),
            0 if shape.len() >= 2 => {
                let source = self.value(ty);
                let rank = i32::try_from(shape.len()).expect("ranks are small");
                let mut axes: Vec<i32> = (0..rank).collect();
                self.random.shuffle(&mut axes);
                let value = self.builder.permute(source, &axes, LOC);
                let ty = self.builder.ty(value);
                self.pool.add(ty, value);
            }
            1 if !shape.is_empty() => {
                // Broadcast along some of the axes.
                let mut small = shape.to_vec();
                for extent in &mut small {
                    if !self.random.one_in(3) {
                        *extent = 1;
                    }
                }
                let source = self.value(Type::tile(scalar, &small));
                self.plain(CoreOp::Broadcast, &[source], ty);
            }
            2 if !shape.is_empty() => {
                let value = self.value(Type::scalar(scalar));
                self.spread(value, shape);
            }
            3 if scalar.is_integer()
                && scalar != Scalar::I1
                && super::counts(scalar, shape)
                && !shape.is_empty() =>
            {
                self.numbered(scalar, shape);
            }
            4 => {
                let results = [Type::scalar(Scalar::I32); 3];
                let opcode = self
                    .random
                    .pick(&[CoreOp::GetTileBlockId, CoreOp::GetNumTileBlocks]);
                let op = self.builder.op(opcode, LOC).results(&results).finish();
                self.define(op);
            }
            _ => {
                // Reshape from another shape, often one with axes of extent 1.
                let source = self.value(ty);
                let to = match self.random.below(3) {
                    0 => vec![count],
                    1 => vec![1, count],
                    _ if count == 1 => Vec::new(),
                    _ => vec![count, 1],
                };
                let value = self.plain(CoreOp::Reshape, &[source], Type::tile(scalar, &to));
                if self.random.one_in(2) {
                    self.plain(CoreOp::Reshape, &[value], ty);
                }
            }
        }
    }

    /// Concatenates two tiles, extracts a slice, or inserts one.
    fn slice(&mut self, ty: Type) {
        let (scalar, shape) = ty.as_number_tile().expect("a tile of numbers");
        let dim = self.random.below(shape.len());
        if self.random.one_in(3) {
            let mut double = shape.to_vec();
            double[dim] *= 2;
            let args = self.values(&[ty, ty]);
            let op = self
                .builder
                .op(CoreOp::Cat, LOC)
                .args(&args)
                .attr("dim", Attr::Int(i64::try_from(dim).expect("small")))
                .result(Type::tile(scalar, &double))
                .finish();
            self.define(op);
            return;
        }
        let mut part = shape.to_vec();
        let slices = 1 << self.random.below(part[dim].ilog2() as usize + 1);
        part[dim] /= slices;
        let slices = slices.unsigned_abs();
        let mut indices = vec![self.splat(Scalar::I32, 0, &[]); shape.len()];
        indices[dim] = if self.random.one_in(2) {
            let index = self.value(Type::scalar(Scalar::I32));
            self.bits_of(index, slices - 1)
        } else {
            let index = self.random.below(usize::try_from(slices).expect("small")) as u64;
            self.splat(Scalar::I32, index, &[])
        };
        let whole = self.value(ty);
        let part = Type::tile(scalar, &part);
        let op = if self.random.one_in(2) {
            let op = self
                .builder
                .op(CoreOp::Extract, LOC)
                .operand("source", whole);
            op.operands("indices", &indices).result(part).finish()
        } else {
            let source = self.value(part);
            let op = self
                .builder
                .op(CoreOp::Insert, LOC)
                .operand("source", source);
            op.operand("destination", whole)
                .operands("indices", &indices)
                .result(ty)
                .finish()
        };
        self.define(op);
    }

    /// Makes a conversion between two types that the module has.
    pub(super) fn conversion(&mut self) {
        let from = self.tile_type(|_| true);
        let (source, shape) = from.as_number_tile().expect("a tile of numbers");
        let Some(to) = self.scalar(|scalar| scalar != source) else {
            return;
        };
        let result = Type::tile(to, shape);
        let value = self.value(from);
        let signedness = self.random.pick(Signedness::ALL);
        if source.bits() == to.bits() && self.random.one_in(2) {
            let value = self.promised_bits(value);
            self.plain(ConversionOp::BitCast, &[value], result);
            return;
        }
        match (source.is_integer(), to.is_integer()) {
            (true, true) if source.bits() < to.bits() => {
                self.signed_conversion(ConversionOp::ExtI, value, result, signedness);
            }
            (true, true) => self.truncation(value, to),
            (true, false) => {
                self.signed_conversion(ConversionOp::IToF, value, result, signedness);
            }
            (false, true) if self.for_devices() && self.random.one_in(2) => {
                self.saturated(value, result, signedness);
            }
            (false, true) => {
                if to == Scalar::I1 {
                    return;
                }
                let value = self.within_a_hundred(value, signedness);
                self.signed_conversion(ConversionOp::FToI, value, result, signedness);
            }
            (false, false) => {
                self.plain(ConversionOp::FToF, &[value], result);
            }
        }
    }

    /// Converts any number to the nearest integer.
    fn saturated(&mut self, value: ValueId, result: Type, signedness: Signedness) {
        let value = self.without_nan(value, 0);
        let op = self
            .builder
            .op(ConversionOp::FToI, LOC)
            .args(&[value])
            .attr("signedness", Attr::Signedness(signedness))
            .flag("saturating", true)
            .result(result)
            .finish();
        self.define(op);
    }

    pub(super) fn signed_conversion(
        &mut self,
        opcode: ConversionOp,
        value: ValueId,
        result: Type,
        signedness: Signedness,
    ) {
        let op = self
            .builder
            .op(opcode, LOC)
            .args(&[value])
            .attr("signedness", Attr::Signedness(signedness))
            .result(result)
            .finish();
        self.define(op);
    }

    pub(super) fn truncation(&mut self, value: ValueId, to: Scalar) {
        let (_, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
        let promises = to != Scalar::I1 && self.random.one_in(3);
        let (value, overflow) = if promises {
            let small = self.bits_of(value, 0x7f);
            (small, self.random.pick(IntegerOverflow::ALL))
        } else {
            (value, IntegerOverflow::None)
        };
        let op = self
            .builder
            .op(ConversionOp::TruncI, LOC)
            .args(&[value])
            .attr("overflow", Attr::Overflow(overflow))
            .result(Type::tile(to, shape))
            .finish();
        self.define(op);
    }

    /// Clamps a float to at most 100 and at least -100, or 0 if it will be converted to an unsigned
    /// number. NaN becomes one of the bounds.
    pub(super) fn within_a_hundred(&mut self, value: ValueId, signedness: Signedness) -> ValueId {
        let ty = self.builder.ty(value);
        let (scalar, _) = ty.as_number_tile().expect("numbers");
        let hundred = match scalar {
            Scalar::F16 => 0x5640,
            Scalar::BF16 => 0x42c8,
            Scalar::F32 => 0x42c8_0000,
            _ => 0x4059_0000_0000_0000,
        };
        let low = match signedness {
            Signedness::Signed => hundred | 1 << (scalar.bits() - 1),
            Signedness::Unsigned => 0,
        };
        let [low, high] = [low, hundred].map(|bits| self.splat_like(value, bits));
        let above = self.plain(FloatOp::MaxF, &[value, low], ty);
        self.plain(FloatOp::MinF, &[above, high], ty)
    }

    /// Makes a reduction or a matmul.
    pub(super) fn combination(&mut self) {
        if self.random.one_in(3) {
            self.product();
        } else {
            self.reduction();
        }
    }

    fn reduction(&mut self) {
        let ty = self.tile_type(|_| true);
        let (scalar, shape) = ty.as_number_tile().expect("numbers");
        if shape.is_empty() {
            return;
        }
        if self.for_devices() && self.random.one_in(3) {
            return self.device_reduction(shape);
        }
        let dim = self.random.below(shape.len());
        let mut rest = shape.to_vec();
        rest.remove(dim);
        let source = self.value(ty);
        let bits = interesting(scalar, &mut self.random);
        let mut identity = TypedScalar { scalar, bits };
        let is_scan = self.random.one_in(3);
        let reverse = self.random.one_in(2);
        let (opcode, result) = if is_scan {
            (CoreOp::Scan, ty)
        } else {
            (CoreOp::Reduce, Type::tile(scalar, &rest))
        };
        let is_lawful = self.options.executor != Executor::Interpreter;
        let neutral = is_lawful.then(|| self.neutral(scalar));
        if let Some((_, _, bits)) = neutral {
            identity.bits = bits;
        }
        let mut op = self
            .builder
            .op(opcode, LOC)
            .operands("operands", &[source])
            .attr("dim", Attr::Int(i64::try_from(dim).expect("small")));
        if is_scan {
            op = op.attr("reverse", Attr::Bool(reverse));
        }
        let op = op
            .attr("identities", Attr::Scalars(vec![identity].into()))
            .result(result)
            .finish();
        let element = Type::scalar(scalar);
        let block = self.builder.add_region_block(op);
        let module = self.builder.module();
        let args = [0; 2].map(|_| module.add_block_arg(block, element, LOC));
        let outer = self.builder.set_block(block);
        let mut value = match neutral {
            Some((opcode, signedness, _)) => self.joined(scalar, opcode, signedness, args),
            None => self.combined(scalar, args),
        };
        if neutral.is_none() && self.random.one_in(3) {
            // A body of several operations, with a constant.
            let bits = interesting(scalar, &mut self.random);
            let other = self.builder.splat(scalar, bits, &[], LOC);
            value = self.combined(scalar, [value, other]);
        }
        self.builder.terminate(ControlFlowOp::Yield, &[value], LOC);
        self.builder.set_block(outer);
        self.define(op);
    }

    /// Makes one operation of the body of a reduction.
    fn combined(&mut self, scalar: Scalar, args: [ValueId; 2]) -> ValueId {
        let integers: [Opcode; 7] = [
            IntegerOp::AddI.into(),
            IntegerOp::MulI.into(),
            IntegerOp::MaxI.into(),
            IntegerOp::MinI.into(),
            BitwiseOp::AndI.into(),
            BitwiseOp::OrI.into(),
            BitwiseOp::XorI.into(),
        ];
        let floats: [Opcode; 4] = [
            FloatOp::AddF.into(),
            FloatOp::MulF.into(),
            FloatOp::MaxF.into(),
            FloatOp::MinF.into(),
        ];
        let opcode = if scalar.is_integer() {
            self.random.pick(&integers)
        } else {
            self.random.pick(&floats)
        };
        let signedness = self.random.pick(Signedness::ALL);
        self.joined(scalar, opcode, signedness, args)
    }

    /// Returns a commutative operation and the bits of its neutral element.
    fn neutral(&mut self, scalar: Scalar) -> (Opcode, Signedness, u64) {
        let ones = u64::MAX >> (64 - scalar.bits());
        let top = 1 << (scalar.bits() - 1);
        if scalar.is_float() {
            // The identity of NaNs is NaN.
            let nan = encode_float(scalar, f64::NAN);
            let opcode = self.random.pick(&[FloatOp::MaxF, FloatOp::MinF]);
            return (opcode.into(), Signedness::Signed, nan);
        }
        let (signed, unsigned) = (Signedness::Signed, Signedness::Unsigned);
        self.random.pick(&[
            (IntegerOp::AddI.into(), signed, 0),
            (IntegerOp::MulI.into(), signed, 1),
            (IntegerOp::MaxI.into(), signed, top),
            (IntegerOp::MaxI.into(), unsigned, 0),
            (IntegerOp::MinI.into(), signed, top - 1),
            (IntegerOp::MinI.into(), unsigned, ones),
            (BitwiseOp::AndI.into(), signed, ones),
            (BitwiseOp::OrI.into(), signed, 0),
            (BitwiseOp::XorI.into(), signed, 0),
        ])
    }

    pub(super) fn joined(
        &mut self,
        scalar: Scalar,
        opcode: Opcode,
        signedness: Signedness,
        args: [ValueId; 2],
    ) -> ValueId {
        let needs_sign = matches!(opcode, Opcode::Integer(IntegerOp::MaxI | IntegerOp::MinI));
        let mut op = self.builder.op(opcode, LOC).args(&args);
        if needs_sign {
            op = op.attr("signedness", Attr::Signedness(signedness));
        }
        op.result(Type::scalar(scalar)).finish_value()
    }

    fn product(&mut self) {
        let mut extents = || 1_i64 << self.random.below(3);
        let [m, n, k] = [extents(), extents(), extents()];
        let (from, to) = self.random.pick(&[
            (Scalar::F16, Scalar::F16),
            (Scalar::F16, Scalar::F32),
            (Scalar::BF16, Scalar::F32),
            (Scalar::F32, Scalar::F32),
            (Scalar::F64, Scalar::F64),
            (Scalar::I8, Scalar::I32),
        ]);
        let has = |scalar| self.scalars.contains(&scalar);
        let is_exact = from == Scalar::I8;
        if !has(from) || !has(to) || (self.for_devices() && !is_exact) {
            return;
        }
        let result = Type::tile(to, &[m, n]);
        let types = [Type::tile(from, &[m, k]), Type::tile(from, &[k, n]), result];
        let args = self.values(&types);
        if from != Scalar::I8 {
            self.plain(FloatOp::MmaF, &args, result);
            return;
        }
        let [lhs, rhs] = [0; 2].map(|_| self.random.pick(Signedness::ALL));
        let op = self
            .builder
            .op(IntegerOp::MmaI, LOC)
            .args(&args)
            .attr("signedness_lhs", Attr::Signedness(lhs))
            .attr("signedness_rhs", Attr::Signedness(rhs))
            .result(result)
            .finish();
        self.define(op);
    }
}

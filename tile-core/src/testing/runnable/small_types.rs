//! Types without arithmetic: 4 and 8 bits, tf32. Values are converted to them, moved, packed,
//! stored, and converted back.

use super::{LOC, Maker};
use crate::interp::encode_float;
use crate::ir::{Attr, DenseElements, Signedness, ValueId};
use crate::ops::{BitwiseOp, ConversionOp, CoreOp, FloatOp};
use crate::types::{Scalar, Type};
use crate::verify::ftof_modes;
use std::sync::Arc;

const SMALL_FLOATS: [Scalar; 5] = [
    Scalar::F8E4M3FN,
    Scalar::F8E5M2,
    Scalar::F8E8M0FNU,
    Scalar::F4E2M1FN,
    Scalar::TF32,
];

/// Types that are packed besides those of the module.
const PACKED: [Scalar; 6] = [
    Scalar::I4,
    Scalar::F4E2M1FN,
    Scalar::TF32,
    Scalar::I16,
    Scalar::F32,
    Scalar::I64,
];

/// The maximum number of elements of a packed tile.
const MAX_ELEMENTS: i64 = 512;

impl Maker<'_> {
    /// Converts a value to a small type and back.
    pub(super) fn small_type(&mut self) {
        if self.random.one_in(4) {
            return self.four_bits();
        }
        let small = self.random.pick(&SMALL_FLOATS);
        let shape = self.shape_of_several();
        let mut value = self.as_small(small, &shape);
        for _ in 0..self.random.below(4) {
            value = self.moved_small(value);
        }
        let (_, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
        let is_bytes = small.bits() == 8 && self.random.one_in(4);
        if is_bytes {
            let bits = self
                .builder
                .convert(ConversionOp::BitCast, value, Scalar::I8, None, LOC);
            return self.show(bits);
        }
        if self.random.one_in(4) && small != Scalar::TF32 {
            // No NaN can occur: the converted value was finite and small, and an identity of scales
            // is 1.
            let signedness = Signedness::Signed;
            let int = Type::tile(Scalar::I32, shape);
            return self.signed_conversion(ConversionOp::FToI, value, int, signedness);
        }
        let to = self.scalar(Scalar::is_base_float).unwrap_or(Scalar::F32);
        let value = self.float_conversion(value, to);
        self.show(value);
    }

    /// Returns a shape with at least two elements, so that 4-bit elements fill whole bytes.
    fn shape_of_several(&mut self) -> Vec<i64> {
        let shape = self.tile_shape();
        if shape.iter().product::<i64>() > 1 {
            shape
        } else {
            vec![2]
        }
    }

    /// Makes a tile of a small float without NaNs.
    fn as_small(&mut self, small: Scalar, shape: &[i64]) -> ValueId {
        let source = self.scalar(Scalar::is_base_float);
        if let Some(source) = source.filter(|_| !self.random.one_in(4)) {
            let value = self.value(Type::tile(source, shape));
            let value = self.within_a_hundred(value, Signedness::Signed);
            let value = match small {
                // The type has only powers of two, neither a sign nor zero.
                Scalar::F8E8M0FNU => {
                    let value = self.builder.like_first(FloatOp::AbsF, &[value], LOC);
                    let least = self.splat_like(value, one(source));
                    self.builder.like_first(FloatOp::MaxF, &[value, least], LOC)
                }
                _ => value,
            };
            return self.float_conversion(value, small);
        }
        if small == Scalar::F8E8M0FNU || self.random.one_in(3) {
            let count: i64 = shape.iter().product();
            let bits = (0..count).map(|_| finite(small, self.random.bits()));
            let bits = bits.collect();
            let dense = DenseElements::from_bits(small, bits);
            let op = self.builder.op(CoreOp::Constant, LOC);
            let op = op.attr("value", Attr::Dense(Arc::new(dense)));
            return op.result(Type::tile(small, shape)).finish_value();
        }
        let value = self.value(Type::tile(Scalar::I32, shape));
        let value = self.bits_of(value, 63);
        let signed = Some(Signedness::Signed);
        self.builder
            .convert(ConversionOp::IToF, value, small, signed, LOC)
    }

    /// Makes an `ftof`, with a rounding mode that the type has.
    fn float_conversion(&mut self, value: ValueId, to: Scalar) -> ValueId {
        let (from, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
        if from == to {
            return value;
        }
        let rounding = self.random.pick(ftof_modes(from, to));
        self.builder
            .op(ConversionOp::FToF, LOC)
            .args(&[value])
            .attr("rounding_mode", Attr::Rounding(rounding))
            .result(Type::tile(to, shape))
            .finish_value()
    }

    /// Converts an integer to four bits and back.
    fn four_bits(&mut self) {
        let shape = self.shape_of_several();
        let from = self.count_type();
        let value = self.value(Type::tile(from, &shape));
        let mut value = self
            .builder
            .convert(ConversionOp::TruncI, value, Scalar::I4, None, LOC);
        for _ in 0..self.random.below(4) {
            value = self.moved_small(value);
        }
        let (_, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
        let result = Type::tile(from, shape);
        let signedness = self.random.pick(Signedness::ALL);
        self.signed_conversion(ConversionOp::ExtI, value, result, signedness);
    }

    /// Moves the elements of a value of a small type.
    fn moved_small(&mut self, value: ValueId) -> ValueId {
        let ty = self.builder.ty(value);
        let (scalar, shape) = ty.as_number_tile().expect("numbers");
        let count: i64 = shape.iter().product();
        match self.random.below(8) {
            0 => self.builder.reshape(value, &[count], LOC),
            1 if shape.len() >= 2 => {
                let rank = i32::try_from(shape.len()).expect("small");
                let mut axes: Vec<i32> = (0..rank).collect();
                self.random.shuffle(&mut axes);
                self.builder.permute(value, &axes, LOC)
            }
            2 if count > 2 => self.half(value),
            3 if !shape.is_empty() && 2 * count <= MAX_ELEMENTS => {
                let dim = self.random.below(shape.len());
                let mut double = shape.to_vec();
                double[dim] *= 2;
                let op = self.builder.op(CoreOp::Cat, LOC).args(&[value, value]);
                let op = op.attr("dim", Attr::Int(i64::try_from(dim).expect("small")));
                op.result(Type::tile(scalar, &double)).finish_value()
            }
            4 if scalar != Scalar::F4E2M1FN => {
                let condition = self.value(Type::tile(Scalar::I1, shape));
                let other = self.permuted_elements(value);
                let op = self.builder.op(CoreOp::Select, LOC);
                op.args(&[condition, value, other])
                    .result(ty)
                    .finish_value()
            }
            5 if scalar.bits() >= 8 && count <= 256 => {
                let op = self.stored_and_loaded(value);
                self.builder.module().op(op).results[0]
            }
            6 if self.outermost_loop.is_none() => {
                let other = self.permuted_elements(value);
                self.either(value, other)
            }
            _ if shape.len() < 8 => {
                let first = [&[1], shape].concat();
                self.builder.reshape(value, &first, LOC)
            }
            _ => value,
        }
    }

    /// Permutes the elements.
    fn permuted_elements(&mut self, value: ValueId) -> ValueId {
        let (_, shape) = self.builder.ty(value).as_number_tile().expect("numbers");
        let count: i64 = shape.iter().product();
        if count == 1 {
            return value;
        }
        let halves = self.builder.reshape(value, &[2, count / 2], LOC);
        let turned = self.builder.permute(halves, &[1, 0], LOC);
        self.builder.reshape(turned, shape, LOC)
    }

    /// Packs numbers as bytes, or unpacks bytes as numbers.
    pub(super) fn packing(&mut self) {
        let own_scalar = self.scalar(|scalar| scalar.bits() != 8);
        let scalar = match own_scalar {
            Some(scalar) if self.random.one_in(2) => scalar,
            _ => self.random.pick(&PACKED),
        };
        let width = match scalar {
            Scalar::TF32 => 32,
            other => i64::from(other.bits()),
        };
        let count = 1_i64 << self.random.below(9);
        let bytes = count * width / 8;
        if count * width % 8 != 0 || bytes > MAX_ELEMENTS {
            return;
        }
        let int = Type::tile(Scalar::I8, &[bytes]);
        let numbers = Type::tile(scalar, &[count]);
        if self.random.one_in(2) {
            let source = self.packable(scalar, count);
            let op = self.builder.op(CoreOp::Pack, LOC).args(&[source]);
            let packed = op.result(int).finish_value();
            if self.random.one_in(2) {
                return self.show(packed);
            }
            // Turn the bytes into other numbers.
            let byte = self.splat(Scalar::I8, 0x5a, &[bytes]);
            let turned = self
                .builder
                .like_first(BitwiseOp::XorI, &[packed, byte], LOC);
            return self.unpacked(turned, numbers);
        }
        let source = self.value(Type::tile(Scalar::I32, &[bytes]));
        let source = self
            .builder
            .convert(ConversionOp::TruncI, source, Scalar::I8, None, LOC);
        self.unpacked(source, numbers);
    }

    fn unpacked(&mut self, bytes: ValueId, ty: Type) {
        let op = self.builder.op(CoreOp::Unpack, LOC).args(&[bytes]);
        let value = op.result(ty).finish_value();
        let (scalar, _) = ty.as_number_tile().expect("numbers");
        self.given_bits.insert(value);
        match scalar {
            Scalar::I4 => {
                let (_, shape) = ty.as_number_tile().expect("numbers");
                let int = Type::tile(Scalar::I32, shape);
                let signedness = self.random.pick(Signedness::ALL);
                self.signed_conversion(ConversionOp::ExtI, value, int, signedness);
            }
            _ => self.show(value),
        }
    }

    /// Returns numbers whose bits are promised.
    fn packable(&mut self, scalar: Scalar, count: i64) -> ValueId {
        match scalar {
            Scalar::I4 => {
                let value = self.value(Type::tile(Scalar::I32, &[count]));
                self.builder
                    .convert(ConversionOp::TruncI, value, Scalar::I4, None, LOC)
            }
            Scalar::F4E2M1FN | Scalar::TF32 => self.as_small(scalar, &[count]),
            _ => {
                let value = self.value(Type::tile(scalar, &[count]));
                self.promised_bits(value)
            }
        }
    }
}

/// Returns the bits of the number one in a type that has arithmetic.
fn one(scalar: Scalar) -> u64 {
    encode_float(scalar, 1.0)
}

/// Returns the bits of a finite number of small magnitude.
fn finite(scalar: Scalar, random: u64) -> u64 {
    match scalar {
        // Powers from 2^-7 to 2^0, which become 0 or 1 as integers.
        Scalar::F8E8M0FNU => 120 + random % 8,
        Scalar::F8E4M3FN => random & 0xf7,
        Scalar::F8E5M2 => random & 0xbf,
        Scalar::F4E2M1FN => random & 0xf,
        // The magnitude is below 4.
        _ => random & 0x5ffff,
    }
}

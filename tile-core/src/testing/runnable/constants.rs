//! Constants that trigger folds and identities.

use super::{LOC, Maker};
use crate::ir::{Attr, DenseElements, ValueId};
use crate::ops::CoreOp;
use crate::testing::random::Random;
use crate::types::{Scalar, Type};
use std::sync::Arc;

impl Maker<'_> {
    /// Makes a constant: a splat, or several numbers.
    pub(super) fn constant(&mut self, scalar: Scalar, shape: &[i64]) -> ValueId {
        let count: i64 = shape.iter().product();
        if count == 1 || !self.random.one_in(3) {
            let bits = interesting(scalar, &mut self.random);
            return self.splat(scalar, bits, shape);
        }
        let bits = (0..count).map(|_| interesting(scalar, &mut self.random));
        let dense = DenseElements::from_bits(scalar, bits.collect());
        let op = self
            .builder
            .op(CoreOp::Constant, LOC)
            .attr("value", Attr::Dense(Arc::new(dense)))
            .result(Type::tile(scalar, shape))
            .finish();
        self.define(op)
    }

    /// Makes a constant splat.
    pub(super) fn splat(&mut self, scalar: Scalar, bits: u64, shape: &[i64]) -> ValueId {
        let value = self.builder.splat(scalar, bits & mask(scalar), shape, LOC);
        let ty = self.builder.ty(value);
        self.pool.add(ty, value);
        value
    }

    /// Like [`Maker::splat`], with the type of `value`.
    pub(super) fn splat_like(&mut self, value: ValueId, bits: u64) -> ValueId {
        let ty = self.builder.ty(value).as_number_tile();
        let (scalar, shape) = ty.expect("a tile of numbers");
        self.splat(scalar, bits, shape)
    }
}

/// Returns the mask of the bits of a type.
pub(super) fn mask(scalar: Scalar) -> u64 {
    u64::MAX >> (64 - scalar.bits())
}

/// Returns the NaN that operations produce; `scalar` is a type that `interesting` supports.
pub(super) fn nan(scalar: Scalar) -> u64 {
    let mantissa = mantissa(scalar);
    let sign = 1_u64 << (scalar.bits() - 1);
    sign - (1 << (mantissa - 1))
}

/// Returns a bit pattern of `scalar`, usually one that operations treat specially.
pub(super) fn interesting(scalar: Scalar, random: &mut Random<'_>) -> u64 {
    let bits = if scalar.is_integer() {
        integer(scalar, random)
    } else {
        float(scalar, random)
    };
    bits & mask(scalar)
}

/// Returns a bit pattern for memory: usually an ordinary number, since special ones hide the
/// results of earlier operations.
pub(super) fn mixed(scalar: Scalar, random: &mut Random<'_>) -> u64 {
    if random.one_in(3) {
        return interesting(scalar, random);
    }
    let bits = random.bits();
    if scalar.is_integer() {
        return bits & mask(scalar);
    }
    let mantissa = mantissa(scalar);
    let sign = 1_u64 << (scalar.bits() - 1);
    let bias = (sign - (1 << mantissa)) >> mantissa >> 1;
    let exponent = bias - 3 + random.below(7) as u64;
    bits & (sign | ((1 << mantissa) - 1)) | exponent << mantissa
}

/// Returns the number of mantissa bits of a float type.
fn mantissa(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::F16 => 10,
        Scalar::BF16 => 7,
        Scalar::F32 => 23,
        _ => 52,
    }
}

fn integer(scalar: Scalar, random: &mut Random<'_>) -> u64 {
    let top = 1 << (scalar.bits() - 1);
    match random.below(12) {
        0 | 1 => 0,
        2 | 3 => 1,
        4 => u64::MAX,
        5 | 6 => 1 << random.below(scalar.bits() as usize),
        7 => top,
        8 => top - 1,
        9 => random.pick(&[2, 3, 5, 7, 10, 63]),
        10 => random.pick(&[2_u64, 3, 5, 7, 10, 63]).wrapping_neg(),
        _ => random.bits(),
    }
}

fn float(scalar: Scalar, random: &mut Random<'_>) -> u64 {
    let mantissa = mantissa(scalar);
    let sign = 1_u64 << (scalar.bits() - 1);
    let infinity = sign - (1 << mantissa);
    // The bias has all bits of the exponent set except the highest.
    let bias = infinity >> mantissa >> 1;
    let power = |exponent: u64| (bias + exponent) << mantissa;
    let payload = random.bits() & ((1 << mantissa) - 1);
    let magnitude = match random.below(16) {
        0..=2 => 0,
        3..=5 => power(0),
        6 => power(random.below(4) as u64 + 1),
        7 => (bias - 1 - random.below(3) as u64) << mantissa,
        // 1.5, 3, 6
        8 => power(random.below(3) as u64) | 1 << (mantissa - 1),
        9 => infinity,
        // The quiet NaN that operations return, a NaN with a payload, and a signaling NaN.
        10 => infinity | 1 << (mantissa - 1),
        11 => random.pick(&[
            infinity | 1 << (mantissa - 1) | 1,
            infinity | 1,
            infinity | payload | 1,
        ]),
        // The least and the greatest subnormal, the least and the greatest normal.
        12 => random.pick(&[1, (1 << mantissa) - 1]),
        13 => random.pick(&[1 << mantissa, infinity - 1]),
        14 => power(0) | payload,
        _ => return random.bits(),
    };
    if random.one_in(3) {
        magnitude | sign
    } else {
        magnitude
    }
}

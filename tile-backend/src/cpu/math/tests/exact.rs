//! Functions whose results are exact.

#![expect(
    clippy::cast_possible_truncation,
    reason = "the low bits of a word, and numbers that `f32` has"
)]

use tile_core::interp::{decode_float, encode_float};
use tile_core::types::Scalar as Type;

use super::*;

#[test]
fn every_f16_and_bf16_becomes_f32_exactly() {
    let patterns: Vec<u64> = (0..=u64::from(u16::MAX)).collect();
    for level in Level::available() {
        for (function, narrow) in [
            (Function::FromF16, Type::F16),
            (Function::FromBf16, Type::BF16),
        ] {
            let got = compiled(function, Scalar::F32, level, Registers::One).apply(&[&patterns]);
            for (&bits, &got) in patterns.iter().zip(&got) {
                let expected = u64::from((decode_float(narrow, bits) as f32).to_bits());
                assert!(
                    is_same(Scalar::F32, got, expected),
                    "{level} {narrow} {bits:x}: {got:x}"
                );
            }
        }
    }
}

#[test]
fn f32_rounds_to_nearest_even_f16_and_bf16() {
    // Around every number of both types, its neighbours and the ties between them.
    let mut numbers = numbers(Scalar::F32, 7, 1 << 18);
    for high in 0..=u64::from(u16::MAX) {
        for low in [0, 1, 0x7fff, 0x8000, 0x8001, 0xffff, 0x1000, 0x0fff] {
            numbers.push(high << 16 | low);
        }
        let half = decode_float(Type::F16, high) as f32;
        for step in [0_u32, 1, 0x0fff, 0x1000, 0x1001] {
            numbers.push(u64::from(half.to_bits().wrapping_add(step)));
        }
    }
    numbers.resize(numbers.len().next_multiple_of(64), 0);
    for level in Level::available() {
        for (function, narrow) in [(Function::ToF16, Type::F16), (Function::ToBf16, Type::BF16)] {
            let got = compiled(function, Scalar::F32, level, Registers::One).apply(&[&numbers]);
            for (&bits, &got) in numbers.iter().zip(&got) {
                let number = f64::from(f32::from_bits(bits as u32));
                if number.is_nan() {
                    // The instruction that converts to f16 keeps a part of the bits.
                    let is_kept = narrow == Type::F16 && level.has_f16_conversion();
                    let is_nan = decode_float(narrow, got).is_nan();
                    assert!(
                        if is_kept {
                            is_nan
                        } else {
                            got & 0x7fff == 0x7fff
                        },
                        "{level} {bits:x}: {got:x}"
                    );
                } else {
                    let expected = encode_float(narrow, number);
                    assert_eq!(got, expected, "{level} {narrow} {bits:x}");
                }
            }
        }
    }
}

#[test]
fn remainders_are_exact() {
    for level in Level::available() {
        for scalar in SCALARS {
            let [x, y] = [11, 12].map(|seed| numbers(scalar, seed, 1 << 17));
            let got = compiled(Function::Fmod, scalar, level, Registers::One).apply(&[&x, &y]);
            for ((&x, &y), &got) in x.iter().zip(&y).zip(&got) {
                let expected = match scalar {
                    Scalar::F32 => (f32::from_bits(x as u32) % f32::from_bits(y as u32))
                        .to_bits()
                        .into(),
                    Scalar::F64 => (f64::from_bits(x) % f64::from_bits(y)).to_bits(),
                };
                assert!(
                    is_same(scalar, got, expected),
                    "{level} {x:x} {y:x}: {got:x} {expected:x}"
                );
            }
        }
    }
}

/// A number whose biased exponent is one of `count` from `low` on.
fn number_of_exponent(
    random: &mut tile_core::testing::Random<'_>,
    scalar: Scalar,
    low: u64,
    count: usize,
) -> u64 {
    let exponent = low + random.below(count) as u64;
    match scalar {
        Scalar::F32 => random.bits() & 0x807f_ffff | exponent << 23,
        Scalar::F64 => random.bits() & 0x800f_ffff_ffff_ffff | exponent << 52,
    }
}

/// Operands of a multiply-add: of all magnitudes, with products near the limits of the type, and with sums that cancel.
fn triples(scalar: Scalar) -> [Vec<u64>; 3] {
    let count = 1 << 17;
    let [mut a, mut b, mut c] = [21, 22, 23].map(|seed| numbers(scalar, seed, count));
    let mut random = tile_core::testing::Random::new(24);
    for index in count / 4..count {
        let (low, count) = match (scalar, index % 3) {
            (Scalar::F32, 0) => (30, 50),
            (Scalar::F32, 1) => (120, 16),
            (Scalar::F32, _) => (180, 20),
            (Scalar::F64, 0) => (470, 100),
            (Scalar::F64, 1) => (1010, 30),
            (Scalar::F64, _) => (1500, 80),
        };
        // Exponents whose sum is somewhere between far too small and far too large.
        let mut of_exponent = |low: u64, count| number_of_exponent(&mut random, scalar, low, count);
        (a[index], b[index]) = (of_exponent(low, count), of_exponent(low, count));
        let term = of_exponent(0, 60);
        // Some terms nearly cancel the product.
        let rest = random.bits() & 3;
        c[index] = match (index % 2, scalar) {
            (0, Scalar::F32) => {
                let product = f32::from_bits(a[index] as u32) * f32::from_bits(b[index] as u32);
                u64::from((-product).to_bits()) ^ rest
            }
            (0, Scalar::F64) => {
                (-(f64::from_bits(a[index]) * f64::from_bits(b[index]))).to_bits() ^ rest
            }
            (_, _) => term,
        };
    }
    [a, b, c]
}

#[test]
fn a_multiply_add_rounds_once() {
    for level in Level::available() {
        for scalar in SCALARS {
            let [a, b, c] = triples(scalar);
            let got = compiled(Function::Fma, scalar, level, Registers::One).apply(&[&a, &b, &c]);
            for (index, &got) in got.iter().enumerate() {
                let (a, b, c) = (a[index], b[index], c[index]);
                let expected = match scalar {
                    Scalar::F32 => {
                        let [a, b, c] = [a, b, c].map(|bits| f32::from_bits(bits as u32));
                        a.mul_add(b, c).to_bits().into()
                    }
                    Scalar::F64 => {
                        let [a, b, c] = [a, b, c].map(f64::from_bits);
                        a.mul_add(b, c).to_bits()
                    }
                };
                assert!(
                    is_same(scalar, got, expected),
                    "{level} {a:x} {b:x} {c:x}: {got:x} {expected:x}"
                );
            }
        }
    }
}

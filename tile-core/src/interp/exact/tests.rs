//! Compares exact arithmetic with the processor's, and with published values.

use super::{Format, add, convert, decode, div, encode, fma, mul, sqrt, sub};
use crate::ir::RoundingMode;
use crate::types::Scalar;

const NEAREST: RoundingMode = RoundingMode::NearestEven;

/// Returns bit patterns of edge cases, and many ordinary ones.
fn patterns(bits: u32) -> Vec<u64> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut patterns_tried: Vec<u64> = vec![0, 1, 2, 3];
    let (exponent, mantissa) = if bits == 32 { (8, 23) } else { (11, 52) };
    for e in [
        0,
        1,
        2,
        (1 << exponent) / 2 - 1,
        (1 << exponent) - 2,
        (1 << exponent) - 1,
    ] {
        for m in [0, 1, (1_u64 << mantissa) - 1, 1 << (mantissa - 1)] {
            patterns_tried.push(e << mantissa | m);
            patterns_tried.push(1 << (bits - 1) | e << mantissa | m);
        }
    }
    for _ in 0..300 {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        patterns_tried.push(if bits == 32 {
            state & 0xffff_ffff
        } else {
            state
        });
    }
    // Add neighbours of opposite sign, so that sums cancel.
    let near: Vec<u64> = patterns_tried
        .iter()
        .rev()
        .take(60)
        .map(|x| x ^ 1 << (bits - 1) ^ 5)
        .collect();
    patterns_tried.extend(near);
    patterns_tried
}

fn same64(ours: u64, theirs: f64) -> bool {
    f64::from_bits(ours).is_nan() && theirs.is_nan() || ours == theirs.to_bits()
}

fn same32(ours: u64, theirs: f32) -> bool {
    let bits = u64::from(theirs.to_bits());
    let nan = convert(Format::F32, ours, Format::F64, NEAREST);
    f64::from_bits(nan).is_nan() && theirs.is_nan() || ours == bits
}

#[test]
fn nearest_agrees_with_the_hardware() {
    let patterns_tried = patterns(64);
    for &a in &patterns_tried {
        let x = f64::from_bits(a);
        assert!(
            same64(sqrt(Format::F64, a, NEAREST), x.sqrt()),
            "sqrt {x:e}"
        );
        for &b in &patterns_tried {
            let y = f64::from_bits(b);
            assert!(
                same64(add(Format::F64, a, b, NEAREST), x + y),
                "{x:e} + {y:e}"
            );
            assert!(
                same64(sub(Format::F64, a, b, NEAREST), x - y),
                "{x:e} - {y:e}"
            );
            assert!(
                same64(mul(Format::F64, a, b, NEAREST), x * y),
                "{x:e} * {y:e}"
            );
            assert!(
                same64(div(Format::F64, a, b, NEAREST), x / y),
                "{x:e} / {y:e}"
            );
            let c = patterns_tried[usize::try_from((a ^ b) % 97).expect("small")];
            let z = f64::from_bits(c);
            let ours = fma(Format::F64, a, b, c, NEAREST);
            assert!(same64(ours, x.mul_add(y, z)), "{x:e} * {y:e} + {z:e}");
        }
    }
    let patterns_tried = patterns(32);
    let float = |bits: u64| f32::from_bits(u32::try_from(bits).expect("32 bits"));
    for &a in &patterns_tried {
        for &b in &patterns_tried {
            let (x, y) = (float(a), float(b));
            assert!(
                same32(add(Format::F32, a, b, NEAREST), x + y),
                "{x:e} + {y:e}"
            );
            assert!(
                same32(mul(Format::F32, a, b, NEAREST), x * y),
                "{x:e} * {y:e}"
            );
            assert!(
                same32(div(Format::F32, a, b, NEAREST), x / y),
                "{x:e} / {y:e}"
            );
        }
    }
}

#[test]
fn directed_modes_enclose_the_exact_value() {
    let patterns_tried = patterns(32);
    let wide = |bits| f64::from_bits(convert(Format::F32, bits, Format::F64, NEAREST));
    for &a in &patterns_tried {
        for &b in &patterns_tried {
            // The product of two f32 is exact in f64.
            let exact = wide(a) * wide(b);
            if exact.is_nan() {
                continue;
            }
            let rounded = |mode| wide(mul(Format::F32, a, b, mode));
            let low = rounded(RoundingMode::NegativeInf);
            let high = rounded(RoundingMode::PositiveInf);
            let zero = rounded(RoundingMode::Zero);
            assert!(low <= exact && exact <= high);
            assert_eq!(zero, if exact > 0.0 { low } else { high });
            let nearest = rounded(NEAREST);
            assert!(nearest == low || nearest == high);
            assert_eq!(low == high, low == exact);
            let bits = |x: f64| encode(Scalar::F32, x, NEAREST);
            assert!(bits(low).abs_diff(bits(high)) <= 1 || low == 0.0 || high == 0.0);
        }
    }
}

#[test]
fn small_formats_have_their_published_values() {
    assert_eq!(decode(Scalar::F8E4M3FN, 0x7e), 448.0);
    assert!(decode(Scalar::F8E4M3FN, 0x7f).is_nan());
    assert_eq!(decode(Scalar::F8E5M2, 0x7b), 57344.0);
    assert_eq!(decode(Scalar::F8E5M2, 0x7c), f64::INFINITY);
    assert_eq!(decode(Scalar::F4E2M1FN, 0x7), 6.0);
    assert_eq!(decode(Scalar::F4E2M1FN, 0x9), -0.5);
    assert_eq!(decode(Scalar::F8E8M0FNU, 127), 1.0);
    assert_eq!(decode(Scalar::F8E8M0FNU, 0), 2.0_f64.powi(-127));
    assert_eq!(encode(Scalar::F8E8M0FNU, 3.0, RoundingMode::Zero), 128);
    assert_eq!(
        encode(Scalar::F8E8M0FNU, 3.0, RoundingMode::PositiveInf),
        129
    );
    // 464 is half way between 448 and 480, which the format lacks. Ties to even would select 480.
    assert_eq!(encode(Scalar::F8E4M3FN, 463.0, NEAREST), 0x7e);
    assert_eq!(encode(Scalar::F8E4M3FN, 500.0, NEAREST), 0x7f);
    for (scalar, count) in [
        (Scalar::F8E4M3FN, 256),
        (Scalar::F8E5M2, 256),
        (Scalar::F4E2M1FN, 16),
    ] {
        for bits in 0..count {
            let value = decode(scalar, bits);
            assert!(value.is_nan() || encode(scalar, value, NEAREST) == bits);
        }
    }
}

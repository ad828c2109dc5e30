//! Compares the fast paths with the exact soft-float implementation.

use super::super::super::soft::{BF16, F16, F32, F64, Format, Rounding};
use super::{Brain, Half, Ieee, fma, of_single, single};
use crate::random::Random;

const NEAREST: Rounding = Rounding::NearestEven;

/// Generates f32 operands whose product is close to half an ulp of the third operand.
fn beside_ties() -> Vec<[u64; 3]> {
    let mut random = Random::new(7);
    let mut next = || random.bits();
    let mut cases = Vec::new();
    for exponent in 1..254u64 {
        for _ in 0..200 {
            let z = exponent << 23 | next() & 0x807f_ffff;
            // The product is about 2^-24 of the third operand, or 2^-150 for subnormal results:
            // exactly that, or a little more.
            let half = (exponent.max(24) - 24) as i32 - 127;
            let half = if next() & 1 == 0 { half } else { -150 };
            let split = (half / 2).clamp(-126, 127);
            let x = ((split + 127) as u64) << 23 | next() & 3;
            let y = (((half - split).clamp(-126, 127) + 127) as u64) << 23
                | next() & 3
                | next() & 1 << 31;
            cases.push([x, y, z]);
            cases.push([x, y, z & 0x807f_ffff]);
        }
    }
    cases.extend((0..20_000).map(|_| [next(), next(), next()].map(|bits| bits & 0xffff_ffff)));
    cases
}

#[test]
fn fused_products_of_f32_are_rounded_once() {
    for [x, y, z] in beside_ties() {
        let actual = single(fma(of_single(x), of_single(y), of_single(z)));
        let expected = F32.fma(x, y, z, NEAREST);
        assert_eq!(actual, expected, "{x:#x} * {y:#x} + {z:#x}");
    }
}

fn halves_are_rounded_once<H: Half>(format: Format) {
    assert_eq!(H::FORMAT, format);
    let mut random = Random::new(7);
    let mut next = || random.bits();
    for bits in 0..=0xffff {
        let back = u64::from(H::narrow(H::widen(bits as u32)));
        let expected = if format.is_nan(bits) {
            format.nan
        } else {
            bits
        };
        assert_eq!(back, expected, "{bits:#x}");
        // Every sign, exponent and upper bits of f32, with the neighbors of ties.
        for low in [0, 1, 0x7fff, 0x8000, 0x8001, 0xffff] {
            let single = bits << 16 | low;
            let actual = u64::from(H::narrow(of_single(single)));
            assert_eq!(
                actual,
                format.convert_from(single, F32, NEAREST),
                "{single:#x}"
            );
        }
    }
    for _ in 0..100_000 {
        let value = f64::from_bits(next());
        let actual = u64::from(H::shorten(value));
        assert_eq!(
            actual,
            format.convert_from(value.to_bits(), F64, NEAREST),
            "{value:e}"
        );
        // f64 numbers next to ties of the format.
        let value = f64::from(H::widen(next() as u32 & 0xffff)) * (1.0 + 1.0 / 4096.0);
        let value = f64::from_bits(value.to_bits().wrapping_add(next() & 3).wrapping_sub(1));
        let actual = u64::from(H::shorten(value));
        assert_eq!(
            actual,
            format.convert_from(value.to_bits(), F64, NEAREST),
            "{value:e}"
        );
    }
    for _ in 0..300_000 {
        let random = next();
        let [x, y, z] = [
            random & 0xffff,
            random >> 16 & 0xffff,
            random >> 32 & 0xffff,
        ];
        let [p, q, s] = [x, y, z].map(|bits| bits as u32);
        let actual = u64::from(H::fma(p, q, s));
        assert_eq!(
            actual,
            format.fma(x, y, z, NEAREST),
            "{x:#x} * {y:#x} + {z:#x}"
        );
        let actual = u64::from(H::add(p, q));
        assert_eq!(actual, format.add(x, y, NEAREST), "{x:#x} + {y:#x}");
        let actual = u64::from(H::mul(p, q));
        assert_eq!(actual, format.mul(x, y, NEAREST), "{x:#x} * {y:#x}");
    }
}

#[test]
fn arithmetic_of_f16_is_rounded_once() {
    halves_are_rounded_once::<Ieee>(F16);
}

#[test]
fn arithmetic_of_bf16_is_rounded_once() {
    halves_are_rounded_once::<Brain>(BF16);
}

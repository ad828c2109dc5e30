//! Compares the arithmetic with the host processor, with the crate `half`, and with the definition
//! of rounding.
#![expect(clippy::float_cmp, reason = "results are exact")]

use super::*;
use crate::random::Random;

/// Generates bit patterns, many of them special values.
fn patterns(seed: u64, count: usize) -> Vec<u64> {
    let mut random = Random::new(seed);
    let mut next = || random.bits();
    (0..count)
        .map(|_| {
            let bits = next();
            match next() % 8 {
                0 => bits & 0x8000_0000_8000_0003,
                1 => bits & 0x800f_ffff_807f_ffff,
                2 => bits | 0x7ff0_0000_7f80_0000,
                3 => bits & 0xffff_0000_ffff_0000,
                4 => (bits & 0x800f_ffff_807f_ffff) | 0x3ff0_0000_3f80_0000,
                _ => bits,
            }
        })
        .collect()
}

fn same32(soft: u64, native: f32, what: &str) {
    let native = if native.is_nan() {
        0x7fff_ffff
    } else {
        native.to_bits()
    };
    assert_eq!(soft, u64::from(native), "{what}");
}

fn same64(soft: u64, native: f64, what: &str) {
    let native = if native.is_nan() {
        F64.nan
    } else {
        native.to_bits()
    };
    assert_eq!(soft, native, "{what}");
}

#[test]
fn nearest_even_is_what_the_processor_computes() {
    let rn = Rounding::NearestEven;
    let (xs, ys, zs) = (
        patterns(1, 40_000),
        patterns(2, 40_000),
        patterns(3, 40_000),
    );
    for ((&x, &y), &z) in xs.iter().zip(&ys).zip(&zs) {
        let [a, b, c] = [x, y, z].map(f64::from_bits);
        same64(F64.add(x, y, rn), a + b, "add");
        same64(F64.mul(x, y, rn), a * b, "mul");
        same64(F64.div(x, y, rn), a / b, "div");
        same64(F64.sqrt(x, rn), a.sqrt(), "sqrt");
        same64(F64.fma(x, y, z, rn), a.mul_add(b, c), "fma");
        let [x, y, z] = [x, y, z].map(|bits| bits & 0xffff_ffff);
        let [a, b, c] = [x, y, z].map(|bits| f32::from_bits(bits as u32));
        same32(F32.add(x, y, rn), a + b, "add");
        same32(F32.mul(x, y, rn), a * b, "mul");
        same32(F32.div(x, y, rn), a / b, "div");
        same32(F32.sqrt(x, rn), a.sqrt(), "sqrt");
        same32(F32.fma(x, y, z, rn), a.mul_add(b, c), "fma");
        same64(F64.convert_from(x, F32, rn), f64::from(a), "widen");
    }
}

#[test]
fn narrowing_is_what_the_processor_and_half_compute() {
    let rn = Rounding::NearestEven;
    for x in patterns(4, 40_000) {
        let value = f64::from_bits(x);
        same32(F32.convert_from(x, F64, rn), value as f32, "f64 to f32");
        let single = f32::from_bits(x as u32);
        if !single.is_nan() {
            let x = x & 0xffff_ffff;
            let half = half::f16::from_f32(single).to_bits();
            assert_eq!(F16.convert_from(x, F32, rn), u64::from(half));
            let brain = half::bf16::from_f32(single).to_bits();
            assert_eq!(BF16.convert_from(x, F32, rn), u64::from(brain));
        }
    }
}

#[test]
fn directed_results_enclose_the_exact_one() {
    for (x, y) in patterns(5, 20_000).into_iter().zip(patterns(6, 20_000)) {
        for op in [Format::add, Format::mul, Format::div] {
            let [down, up, nearest, zero] = [
                Rounding::Down,
                Rounding::Up,
                Rounding::NearestEven,
                Rounding::Zero,
            ]
            .map(|rounding| op(F64, x, y, rounding));
            if F64.is_nan(nearest) {
                assert!([down, up, zero].iter().all(|&bits| bits == F64.nan));
                continue;
            }
            let [low, high, near] = [down, up, nearest].map(f64::from_bits);
            assert!(low <= near && near <= high);
            assert!(nearest == down || nearest == up);
            let inward = if F64.is_negative(nearest) { up } else { down };
            assert_eq!(f64::from_bits(zero), f64::from_bits(inward));
            if low != high {
                assert!(low.next_up() == high, "{low:e} {high:e}");
            }
        }
    }
}

#[test]
fn all_halves_convert_to_integers_as_the_library_does() {
    for bits in 0..=0xffffu16 {
        let value = f64::from(half::f16::from_bits(bits).to_f32());
        let integer = |rounding| F16.to_integer(u64::from(bits), rounding);
        if value.is_nan() {
            assert_eq!(integer(Rounding::Zero), None);
        } else if value.is_finite() {
            assert_eq!(integer(Rounding::Zero), Some(value.trunc() as i128));
            assert_eq!(integer(Rounding::Down), Some(value.floor() as i128));
            assert_eq!(integer(Rounding::Up), Some(value.ceil() as i128));
            let even = value.round_ties_even();
            assert_eq!(integer(Rounding::NearestEven), Some(even as i128));
            assert_eq!(integer(Rounding::NearestAway), Some(value.round() as i128));
            let integral = F16.to_integral(u64::from(bits), Rounding::NearestEven);
            assert_eq!(F16.to_f64(integral).to_bits(), even.to_bits());
        }
    }
}

#[test]
fn e4m3_has_no_infinity_and_ends_at_448() {
    assert_eq!(E4M3.to_f64(0x7e), 448.0);
    assert_eq!(E4M3.greatest(), 0x7e);
    assert_eq!(
        E4M3.convert_from(464f64.to_bits(), F64, Rounding::NearestEven),
        0x7e
    );
    assert_eq!(
        E4M3.convert_from(465f64.to_bits(), F64, Rounding::NearestEven),
        0x7f
    );
    assert_eq!(E4M3.to_f64(0x01), 1.0 / 512.0);
}

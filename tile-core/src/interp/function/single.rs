//! Branchless functions for f32, f16 and bf16.
//!
//! The argument is a number of the narrow type, as f64. The relative error of the result is below
//! 2^-33, so that rounding it to 24 bits or fewer returns the correctly rounded number or, once in
//! some hundreds, its neighbour. NaN maps to NaN; a result that overflows or underflows in f32
//! rounds to its infinity or zero.
//!
//! `exp` dominates the running time of kernels. It is computed in f32, compensates the rounding
//! errors of the larger terms, and returns an f32 that is correctly rounded or, once in ten, its
//! neighbour.
//!
//! The code consists of additions, multiplications, divisions and selections only, in a fixed order
//! and without fusion: loops are vectorized, and the bits do not depend on the processor.

#![expect(
    clippy::inline_always,
    reason = "the loops around these functions are to become vectors"
)]
#![expect(clippy::many_single_char_names, reason = "the letters of the formulas")]

use std::f64::consts::{LN_2, LOG2_E};

/// A number whose addition leaves the nearest integer in the low bits of the sum.
const ROUNDER: f64 = 6_755_399_441_055_744.0; // 1.5 * 2^52

/// Minimax coefficients of `(e^r - 1 - r) / r^2` for `r` up to `ln(2) / 2` in magnitude.
const EXP: [f64; 6] = [
    0.500_000_006_768_150_9,
    0.166_666_658_689_327_2,
    0.041_666_294_949_148_61,
    0.008_333_497_076_517_456,
    0.001_394_465_951_601_753_2,
    0.000_197_903_403_428_007_01,
];

/// The [`ROUNDER`] of f32.
const ROUNDER_32: f32 = 12_582_912.0; // 1.5 * 2^23

/// ln 2 in two parts; the first has 15 bits, so that its product with an exponent is exact.
const LN_2_HIGH: f32 = 0.693_145_75;
const LN_2_LOW: f32 = 1.428_606_8e-6;

/// The coefficients of [`EXP`], in f32.
const EXP_32: [f32; 5] = [
    0.499_999_93,
    0.166_665_2,
    0.041_668_39,
    0.008_368_717,
    0.001_381_459_6,
];

/// Minimax coefficients of `(2 atanh(s) - 2 s) / s^3` for `s^2` up to 0.0295.
const LOG: [f64; 5] = [
    0.666_666_666_758_046_8,
    0.399_999_956_207_219_3,
    0.285_721_092_641_223_7,
    0.221_761_846_885_871_8,
    0.195_842_043_380_563_66,
];

#[inline(always)]
fn polynomial<const N: usize>(x: f64, terms: [f64; N]) -> f64 {
    let terms = terms.iter().rev();
    terms
        .copied()
        .reduce(|sum, term| sum * x + term)
        .unwrap_or(0.0)
}

/// Clamps `x` to two limits; a NaN remains.
#[inline(always)]
fn clamp(x: f64, low: f64, high: f64) -> f64 {
    let x = if x < low { low } else { x };
    if x > high { high } else { x }
}

/// Returns the integer nearest to `x`, which must be below 2^50 in magnitude, and two to the power
/// of that integer, if it is above -1022.
#[inline(always)]
fn power_of_two(x: f64) -> (f64, f64) {
    let rounded = x + ROUNDER;
    let scale = rounded.to_bits().wrapping_add(1023) << 52;
    (rounded - ROUNDER, f64::from_bits(scale))
}

/// Returns `e^r - 1`.
#[inline(always)]
fn series(r: f64) -> f64 {
    r + r * r * polynomial(r, EXP)
}

/// Returns `e^x`, as an f32.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "`x` is an f32")]
pub(super) fn exp(x: f64) -> f64 {
    // The sum prevents the compiler from comparing the f64 instead.
    let x = x as f32 + 0.0;
    let x = if x < -104.0 { -104.0 } else { x };
    let x = if x > 89.0 { 89.0 } else { x };
    let rounded = x * std::f32::consts::LOG2_E + ROUNDER_32;
    let n = rounded - ROUNDER_32;
    // The product and the difference are exact.
    let t = x - n * LN_2_HIGH;
    let low = n * LN_2_LOW;
    let r = t - low;
    let lost_of_r = (t - r) - low;
    let sum = 1.0 + r;
    let lost_of_sum = r - (sum - 1.0);
    let q = EXP_32.iter().rev().copied();
    let q = q.reduce(|sum, term| sum * r + term).unwrap_or(0.0);
    let power = sum + (r * r * q + (lost_of_sum + lost_of_r));
    // The scale is applied in two steps, because 2^n may be outside the normal range of f32.
    let n = rounded
        .to_bits()
        .wrapping_sub(ROUNDER_32.to_bits())
        .cast_signed();
    let half = n >> 1;
    let scale = |n: i32| f32::from_bits((n + 127).cast_unsigned() << 23);
    f64::from(power * scale(half) * scale(n - half))
}

/// Returns `2^x`.
#[inline(always)]
pub(super) fn exp2(x: f64) -> f64 {
    let x = clamp(x, -160.0, 130.0);
    let (n, scale) = power_of_two(x);
    (1.0 + series((x - n) * LN_2)) * scale
}

/// Returns `e^x - 1` for `x` from 0 to 100.
#[inline(always)]
fn exp_minus_one(x: f64) -> f64 {
    let (n, scale) = power_of_two(x * LOG2_E);
    // Nothing cancels: near zero, `scale` is 1, and the second term is 0.
    scale * series(x - n * LN_2) + (scale - 1.0)
}

/// Returns the hyperbolic sine.
#[inline(always)]
pub(super) fn sinh(x: f64) -> f64 {
    let power = exp_minus_one(clamp(x.abs(), 0.0, 100.0));
    (0.5 * (power + power / (power + 1.0))).copysign(x)
}

/// Returns the hyperbolic cosine.
#[inline(always)]
pub(super) fn cosh(x: f64) -> f64 {
    let power = 1.0 + exp_minus_one(clamp(x.abs(), 0.0, 100.0));
    0.5 * (power + 1.0 / power)
}

/// Returns the hyperbolic tangent.
#[inline(always)]
pub(super) fn tanh(x: f64) -> f64 {
    let power = exp_minus_one(clamp(2.0 * x.abs(), 0.0, 40.0));
    (power / (power + 2.0)).copysign(x)
}

/// Returns `k` and `ln(m)` with `x = 2^k * m`, where `m` is from `sqrt(1/2)` to `sqrt(2)`; `x` must
/// be positive.
#[inline(always)]
fn split_log(x: f64) -> (f64, f64) {
    const HALF_ROOT: u64 = 0x3fe6_a09e_667f_3bcd;
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    // The bits of 2^52, whose low bits hold an integer that is added to it.
    const INTEGER: u64 = 0x4330_0000_0000_0000;
    let bits = x.to_bits().wrapping_add(ONE - HALF_ROOT);
    let k = f64::from_bits(INTEGER | (bits >> 52)) - (f64::from_bits(INTEGER) + 1023.0);
    let m = f64::from_bits((bits & (u64::MAX >> 12)).wrapping_add(HALF_ROOT));
    let f = m - 1.0;
    let s = f / (f + 2.0);
    let z = s * s;
    (k, 2.0 * s + s * z * polynomial(z, LOG))
}

/// Returns `y`, the logarithm of `x`, or the special value where `x` has no finite logarithm.
#[inline(always)]
fn logarithm(x: f64, y: f64) -> f64 {
    let y = if x < f64::INFINITY { y } else { x };
    let y = if x > 0.0 { y } else { f64::NAN };
    if x == 0.0 { f64::NEG_INFINITY } else { y }
}

/// Returns the natural logarithm.
#[inline(always)]
pub(super) fn log(x: f64) -> f64 {
    let (k, log) = split_log(x);
    logarithm(x, k * LN_2 + log)
}

/// Returns the logarithm to base 2.
#[inline(always)]
pub(super) fn log2(x: f64) -> f64 {
    let (k, log) = split_log(x);
    logarithm(x, k + log * LOG2_E)
}

#[cfg(test)]
mod tests {
    use super::{cosh, exp, exp2, log, log2, sinh, tanh};

    /// Returns the number of steps between neighbouring floats that lead from `a` to `b`: 0 from a
    /// NaN to a NaN, and `u64::MAX` from a NaN to a number.
    fn steps(a: f32, b: f32) -> u64 {
        if a.is_nan() || b.is_nan() {
            return if a.is_nan() && b.is_nan() {
                0
            } else {
                u64::MAX
            };
        }
        let place = |x: f32| {
            let bits = i64::from(x.to_bits() & 0x7fff_ffff);
            if x.is_sign_negative() {
                -bits - 1
            } else {
                bits
            }
        };
        place(a).abs_diff(place(b))
    }

    /// Checks every float if `TILE_EXHAUSTIVE` is set, and otherwise one in 4999. Fewer than one
    /// result in `one_in` may be a neighbour of the correctly rounded number.
    fn check(name: &str, function: fn(f64) -> f64, expected: fn(f64) -> f64, one_in: u64) {
        let stride = match std::env::var_os("TILE_EXHAUSTIVE") {
            Some(_) => 1,
            None => 4999,
        };
        let (mut count, mut neighbours) = (0_u64, 0_u64);
        for bits in (0..=u32::MAX).step_by(stride) {
            let x = f64::from(f32::from_bits(bits));
            #[expect(clippy::cast_possible_truncation, reason = "rounds")]
            let (function, expected) = (function(x) as f32, expected(x) as f32);
            let steps = steps(function, expected);
            assert!(steps <= 1, "{name}({x:e}): {function:e}, not {expected:e}");
            count += 1;
            neighbours += steps;
        }
        assert!(
            neighbours * one_in < count,
            "{name}: {neighbours} of {count} are not correctly rounded"
        );
    }

    #[test]
    fn functions_of_f32_are_correctly_rounded_or_next_to_it() {
        check("exp", exp, libm::exp, 10);
        check("exp2", exp2, libm::exp2, 400);
        check("sinh", sinh, libm::sinh, 400);
        check("cosh", cosh, libm::cosh, 400);
        check("tanh", tanh, libm::tanh, 400);
        check("log", log, libm::log, 400);
        check("log2", log2, libm::log2, 400);
    }

    #[test]
    fn powers_of_two_are_exact() {
        for n in -149..128 {
            let power = exp2(f64::from(n));
            assert_eq!(power.to_bits(), 2.0_f64.powi(n).to_bits());
            assert_eq!(log2(power).to_bits(), f64::from(n).to_bits());
        }
    }
}

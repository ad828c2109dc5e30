//! Arithmetic of f16, bf16 and f32 on the host's f32 and f64, rounded once to nearest.
//!
//! Values that the host cannot represent exactly are rounded to odd: the last bit is set if any
//! nonzero bits were cut off. If the wider format has at least two more significand bits than the
//! narrower one, for subnormal results too, a later rounding to nearest gives the correctly rounded
//! result. Sums of two numbers of a format with `p` significand bits may be rounded to nearest at
//! `2p + 2` bits first (Figueroa, "When is double rounding innocuous?").
//!
//! The code has no branches, so that loops over lanes vectorize.
#![expect(clippy::inline_always, reason = "see `vectors::Work`")]

use super::super::Slot;
use super::super::soft::{BF16, F16, F32, Format};
use crate::machine::registers::{Registers, Row};

/// Applies `f` to three rows of 32-bit values, for all lanes.
///
/// The rows are truncated to 32 bits first: the compiler vectorizes loops over a single width.
#[inline(always)]
pub(crate) fn rows(
    r: &mut Registers,
    active: u32,
    dest: Slot,
    args: [Slot; 3],
    f: impl Fn(u32, u32, u32) -> u32,
) {
    if active == u32::MAX
        && let [Some(x), Some(y), Some(z)] = args.map(|slot| r.uniform(slot))
    {
        return r.spread(dest, u64::from(f(x as u32, y as u32, z as u32)));
    }
    let (mut x, mut y, mut z) = ([0; 32], [0; 32], [0; 32]);
    cut(r.row_ref(args[0]), &mut x);
    cut(r.row_ref(args[1]), &mut y);
    cut(r.row_ref(args[2]), &mut z);
    let mut words = [0; 32];
    for lane in 0..32 {
        words[lane] = f(x[lane], y[lane], z[lane]);
    }
    let mut out = [0; 32];
    for (value, word) in out.iter_mut().zip(words) {
        *value = u64::from(word);
    }
    r.write(active, dest, &out);
}

#[inline(always)]
fn cut(row: &Row, words: &mut [u32; 32]) {
    for (word, &bits) in words.iter_mut().zip(row) {
        *word = bits as u32;
    }
}

/// Computes `p + z`, rounded to odd.
#[expect(clippy::double_comparisons, reason = "NaN is neither more nor less")]
#[inline(always)]
pub(crate) fn sum_to_odd(p: f64, z: f64) -> f64 {
    let sum = p + z;
    // Knuth's TwoSum: `sum + error` is the exact sum.
    let back = sum - p;
    let error = (p - (sum - back)) + (z - back);
    let bits = sum.to_bits();
    let inexact = u64::from(error > 0.0 || error < 0.0);
    let step = inexact & !bits & 1;
    // Rounds away from zero if the remainder has the sign of the sum, else towards zero.
    let towards = step & (error.to_bits() ^ bits) >> 63;
    f64::from_bits(bits.wrapping_add(step).wrapping_sub(2 * towards))
}

/// Computes `p + z` in f32, rounded to odd.
#[expect(clippy::double_comparisons, reason = "NaN is neither more nor less")]
#[inline(always)]
fn short_sum_to_odd(p: f32, z: f32) -> f32 {
    let sum = p + z;
    let back = sum - p;
    let error = (p - (sum - back)) + (z - back);
    let bits = sum.to_bits();
    let inexact = u32::from(error > 0.0 || error < 0.0);
    let step = inexact & !bits & 1;
    let towards = step & (error.to_bits() ^ bits) >> 31;
    f32::from_bits(bits.wrapping_add(step).wrapping_sub(2 * towards))
}

/// Converts to f32, rounded to odd.
#[expect(clippy::double_comparisons, reason = "NaN is neither more nor less")]
#[inline(always)]
fn shorten_to_odd(value: f64) -> f32 {
    let short = value as f32;
    let back = f64::from(short);
    let beyond = u32::from(back.abs() > value.abs());
    let inexact = u32::from(back > value || back < value);
    f32::from_bits(short.to_bits().wrapping_sub(beyond) | inexact)
}

/// Computes `x * y + z` in f32, rounded once.
#[inline(always)]
pub(crate) fn fma(x: f32, y: f32, z: f32) -> f32 {
    if cfg!(target_feature = "fma") {
        return x.mul_add(y, z);
    }
    // The product of two 24-bit significands is exact in f64.
    sum_to_odd(f64::from(x) * f64::from(y), f64::from(z)) as f32
}

/// Returns the bits of a result in 64 bits, with a canonical NaN.
#[inline(always)]
pub(crate) fn single(value: f32) -> u64 {
    if value.is_nan() {
        F32.nan
    } else {
        u64::from(value.to_bits())
    }
}

/// Returns the bits of a result in 32 bits, with a canonical NaN.
#[inline(always)]
pub(crate) fn word(value: f32) -> u32 {
    if value.is_nan() {
        0x7fff_ffff
    } else {
        value.to_bits()
    }
}

/// Flushes subnormal numbers to zeros of the same sign, in 32 bits.
#[inline(always)]
pub(crate) fn flushed_word(bits: u32) -> u32 {
    if bits & 0x7f80_0000 == 0 {
        bits & 0x8000_0000
    } else {
        bits
    }
}

#[inline(always)]
pub(crate) fn of_single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// Flushes subnormal f32 numbers to zeros of the same sign.
#[inline(always)]
pub(crate) fn flushed(bits: u64) -> u64 {
    u64::from(flushed_word(bits as u32))
}

/// A 16-bit format.
pub(crate) trait Half {
    const FORMAT: Format;

    fn widen(bits: u32) -> f32;

    /// Rounds to nearest, with a canonical NaN.
    fn narrow(value: f32) -> u32;

    /// Converts from f64, rounded once.
    #[inline(always)]
    fn shorten(value: f64) -> u32 {
        Self::narrow(shorten_to_odd(value))
    }

    #[inline(always)]
    fn add(x: u32, y: u32) -> u32 {
        Self::narrow(Self::widen(x) + Self::widen(y))
    }

    fn mul(x: u32, y: u32) -> u32;

    fn fma(x: u32, y: u32, z: u32) -> u32;
}

/// The format f16.
pub(crate) struct Ieee;

impl Half for Ieee {
    const FORMAT: Format = F16;

    #[inline(always)]
    fn widen(bits: u32) -> f32 {
        let magnitude = bits & 0x7fff;
        // The exponent bias of f32 is greater by 112; the multiplication normalizes subnormals
        // exactly.
        let scaled = f32::from_bits(magnitude << 13) * f32::from_bits(0x7780_0000);
        let special = f32::from_bits(0x7f80_0000 | magnitude << 13);
        let finite = magnitude.cast_signed() < 0x7c00;
        let value = if finite { scaled } else { special };
        f32::from_bits(value.to_bits() | (bits & 0x8000) << 16)
    }

    #[inline(always)]
    fn narrow(value: f32) -> u32 {
        let bits = value.to_bits();
        let magnitude = bits & 0x7fff_ffff;
        let rounded = (magnitude + 0xfff + (magnitude >> 13 & 1)) >> 13;
        let normal = rounded.wrapping_sub(112 << 10);
        // The addition aligns the last bit of the sum with the last bit of a subnormal.
        let sum = f32::from_bits(magnitude) + 0.5;
        let subnormal = sum.to_bits().wrapping_sub(0x3f00_0000);
        // Signed comparisons have vector instructions.
        let order = magnitude.cast_signed();
        let finite = if order < 0x3880_0000 {
            subnormal
        } else {
            normal
        };
        let number = if order > 0x477f_ffff { 0x7c00 } else { finite };
        let signed = number | bits >> 16 & 0x8000;
        if order > 0x7f80_0000 { 0x7fff } else { signed }
    }

    /// Multiplies exactly in f32, then narrows.
    #[inline(always)]
    fn mul(x: u32, y: u32) -> u32 {
        Self::narrow(Self::widen(x) * Self::widen(y))
    }

    #[inline(always)]
    fn fma(x: u32, y: u32, z: u32) -> u32 {
        let product = Self::widen(x) * Self::widen(y);
        Self::narrow(short_sum_to_odd(product, Self::widen(z)))
    }
}

/// The format bf16.
pub(crate) struct Brain;

impl Half for Brain {
    const FORMAT: Format = BF16;

    #[inline(always)]
    fn widen(bits: u32) -> f32 {
        f32::from_bits(bits << 16)
    }

    #[inline(always)]
    fn narrow(value: f32) -> u32 {
        let bits = value.to_bits();
        let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16;
        let nan = (bits & 0x7fff_ffff).cast_signed() > 0x7f80_0000;
        if nan { 0x7fff } else { rounded }
    }

    /// Multiplies in f64: bf16 has the exponents of f32, so that f32 products can overflow.
    #[inline(always)]
    fn mul(x: u32, y: u32) -> u32 {
        Self::shorten(f64::from(Self::widen(x)) * f64::from(Self::widen(y)))
    }

    #[inline(always)]
    fn fma(x: u32, y: u32, z: u32) -> u32 {
        let product = f64::from(Self::widen(x)) * f64::from(Self::widen(y));
        Self::shorten(sum_to_odd(product, f64::from(Self::widen(z))))
    }
}

#[cfg(test)]
mod tests;

//! Arithmetic of f16, bf16 and f32 on the host's f64, rounded once to nearest.
//!
//! A sum that f64 cannot hold is rounded to odd: the last place is one wherever something was cut
//! off. f64 has more than twice the places of f32 and two more, so that rounding such a sum again,
//! to the nearest of a narrower format, subnormal or not, is rounding the exact sum.

use super::super::soft::{BF16, F16, F32, Format};

/// `p + z`, rounded to odd.
#[inline]
pub(crate) fn sum_to_odd(p: f64, z: f64) -> f64 {
    let sum = p + z;
    // Knuth's TwoSum: `sum + error` is the exact sum.
    let back = sum - p;
    let error = (p - (sum - back)) + (z - back);
    let bits = sum.to_bits();
    let inexact = error > 0.0 || error < 0.0;
    let even = bits & 1 == 0;
    // Away from zero if the rest has the sign of the sum, else towards it.
    let away = (error.to_bits() ^ bits) >> 63 == 0;
    let step = if away { 1 } else { u64::MAX };
    f64::from_bits(bits.wrapping_add(if inexact && even { step } else { 0 }))
}

/// `x * y + z` of f32, rounded once.
#[inline]
pub(crate) fn fma(x: f32, y: f32, z: f32) -> f32 {
    if cfg!(target_feature = "fma") {
        return x.mul_add(y, z);
    }
    // The product of two significands of 24 bits is exact.
    sum_to_odd(f64::from(x) * f64::from(y), f64::from(z)) as f32
}

/// The bits of a result, NaN made canonical.
#[inline]
pub(crate) fn single(value: f32) -> u64 {
    if value.is_nan() {
        F32.nan
    } else {
        u64::from(value.to_bits())
    }
}

#[inline]
pub(crate) fn of_single(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// Subnormal numbers of f32 become zeros of their sign.
#[inline]
pub(crate) fn flushed(bits: u64) -> u64 {
    if bits & 0x7f80_0000 == 0 {
        bits & 0x8000_0000
    } else {
        bits
    }
}

/// A format of 16 bits, in which arithmetic goes through f64.
pub(crate) trait Half {
    const FORMAT: Format;
    /// The last place of subnormals, times 2^52.
    const SUBNORMAL: f64;
    /// The least normal number.
    const NORMAL: f64;
    /// Bits of an f64 that are cut off, and what its exponent is greater by.
    const CUT: u32;
    const EXPONENT: u64;

    fn widen(bits: u64) -> f32;

    /// To nearest; NaN made canonical.
    #[inline]
    fn narrow(value: f64) -> u64 {
        let sign = (value.to_bits() >> 48) & 0x8000;
        let magnitude = f64::from_bits(value.to_bits() & (u64::MAX >> 1));
        let bits = magnitude.to_bits();
        let odd = bits >> Self::CUT & 1;
        let rounded = (bits + ((1 << (Self::CUT - 1)) - 1) + odd) >> Self::CUT;
        let normal = rounded
            .wrapping_sub(Self::EXPONENT)
            .min(Self::FORMAT.infinity());
        // The sum has its last place where a subnormal has its own.
        let subnormal = (magnitude + Self::SUBNORMAL).to_bits() & 0xffff;
        let finite = if magnitude < Self::NORMAL {
            subnormal
        } else {
            normal
        };
        if value.is_nan() {
            Self::FORMAT.nan
        } else {
            finite | sign
        }
    }
}

/// f16
pub(crate) struct Ieee;

impl Half for Ieee {
    const FORMAT: Format = F16;
    const SUBNORMAL: f64 = 268_435_456.0; // 2^28
    const NORMAL: f64 = 6.103_515_625e-5; // 2^-14
    const CUT: u32 = 42;
    const EXPONENT: u64 = (1023 - 15) << 10;

    #[inline]
    fn widen(bits: u64) -> f32 {
        let magnitude = (bits & 0x7fff) as u32;
        // The exponent of f32 is 112 greater; subnormals become exact by the product.
        let scaled = f32::from_bits(magnitude << 13) * f32::from_bits(0x7780_0000);
        let special = f32::from_bits(0x7f80_0000 | magnitude << 13);
        let value = if magnitude < 0x7c00 { scaled } else { special };
        f32::from_bits(value.to_bits() | ((bits & 0x8000) as u32) << 16)
    }
}

/// bf16
pub(crate) struct Brain;

impl Half for Brain {
    const FORMAT: Format = BF16;
    const SUBNORMAL: f64 = f64::from_bits((1023 - 81) << 52); // 2^-81
    const NORMAL: f64 = f64::from_bits((1023 - 126) << 52); // 2^-126
    const CUT: u32 = 45;
    const EXPONENT: u64 = (1023 - 127) << 7;

    #[inline]
    fn widen(bits: u64) -> f32 {
        f32::from_bits((bits as u32) << 16)
    }
}

#[cfg(test)]
mod tests;

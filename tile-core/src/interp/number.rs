//! Element types with arithmetic: integers by width, floats by format.
//!
//! Every function takes and returns stored lanes, so that the loops over tiles are monomorphic and
//! vectorize.

use super::exact::{self, Format};
use super::tile::Lane;
use crate::ir::RoundingMode;

/// A float type with arithmetic. f16 and bf16 compute in f32 and round a second time, which gives
/// the correctly rounded result for `+ - * /` and square root (24 >= 2 * 11 + 2).
pub(super) trait Float: Copy + Send + Sync + 'static {
    /// The storage type.
    type L: Lane;
    /// The type of its computations.
    type W: Wide;
    const FORMAT: Format;
    fn widen(lane: Self::L) -> Self::W;
    /// Rounds to the type. Every NaN becomes the same one, so that results depend neither on the
    /// order of operands nor on the machine.
    fn narrow(wide: Self::W) -> Self::L;
    /// Rounds once, to nearest even.
    fn from_f64(value: f64) -> Self::L;
    /// Rounds once, to nearest even.
    fn from_f32(value: f32) -> Self::L;
    /// Returns `a * b + c`, rounded once.
    fn fused(a: Self::L, b: Self::L, c: Self::L) -> Self::L {
        let bits = exact::fma(
            Self::FORMAT,
            a.to_bits(),
            b.to_bits(),
            c.to_bits(),
            RoundingMode::NearestEven,
        );
        Self::L::from_bits(bits)
    }
}

/// f32 or f64.
pub(super) trait Wide:
    Copy
    + PartialOrd
    + std::ops::Add<Output = Self>
    + std::ops::Sub<Output = Self>
    + std::ops::Mul<Output = Self>
    + std::ops::Div<Output = Self>
    + std::ops::Neg<Output = Self>
{
    const NAN: Self;
    const ONE: Self;
    fn is_nan(self) -> bool;
    fn is_negative(self) -> bool;
    fn sqrt(self) -> Self;
    fn ceil(self) -> Self;
    fn floor(self) -> Self;
    fn to_f64(self) -> f64;
    /// Replaces a subnormal by zero of the same sign.
    fn flush(self) -> Self;
    /// Returns the remainder of the truncated division, exactly.
    fn remainder(self, divisor: Self) -> Self;
    fn round_into<F: Float>(self) -> F::L;
}

macro_rules! wide {
    ($($W:ty, $from:ident, $remainder:ident;)+) => {$(
        impl Wide for $W {
            const NAN: Self = <$W>::NAN;
            const ONE: Self = 1.0;
            fn is_nan(self) -> bool { self.is_nan() }
            fn is_negative(self) -> bool { self.is_sign_negative() }
            fn sqrt(self) -> Self { self.sqrt() }
            fn ceil(self) -> Self { self.ceil() }
            fn floor(self) -> Self { self.floor() }
            fn to_f64(self) -> f64 { f64::from(self) }
            fn flush(self) -> Self {
                if self.abs() < <$W>::MIN_POSITIVE { (0.0 as $W).copysign(self) } else { self }
            }
            fn remainder(self, divisor: Self) -> Self { libm::$remainder(self, divisor) }
            fn round_into<F: Float>(self) -> F::L { F::$from(self) }
        }
    )+};
}

wide! {
    f32, from_f32, fmodf;
    f64, from_f64, fmod;
}

/// Rounds `value` to odd: if f32 lacks any of its bits, the last bit of the result is set. A second
/// rounding, to at least two bits less, then gives the result of a single rounding.
#[expect(clippy::cast_possible_truncation, reason = "rounded to odd")]
#[expect(clippy::float_cmp, reason = "whether it is exact")]
fn to_odd(value: f64) -> f32 {
    let near = value as f32;
    let bits = near.to_bits();
    let wide = f64::from(near);
    if wide == value || value.is_nan() || bits & 1 == 1 {
        return near;
    }
    // Step toward `value`: magnitudes are ordered like their bits.
    f32::from_bits(if wide.abs() > value.abs() {
        bits - 1
    } else {
        bits + 1
    })
}

/// IEEE binary16.
#[derive(Clone, Copy)]
pub(super) struct F16;
/// bfloat16.
#[derive(Clone, Copy)]
pub(super) struct BF16;
/// IEEE binary32.
#[derive(Clone, Copy)]
pub(super) struct F32;
/// IEEE binary64.
#[derive(Clone, Copy)]
pub(super) struct F64;

impl Float for F16 {
    type L = u16;
    type W = f32;
    const FORMAT: Format = Format::F16;

    fn widen(lane: u16) -> f32 {
        let sign = u32::from(lane & 0x8000) << 16;
        let magnitude = u32::from(lane & 0x7fff) << 13;
        let bits = if magnitude >= 0x7c00 << 13 {
            magnitude | 0x7f80_0000
        } else {
            // Multiplying by 2^112 moves the exponent and normalizes subnormals, exactly.
            (f32::from_bits(magnitude) * f32::from_bits(0x7780_0000)).to_bits()
        };
        f32::from_bits(sign | bits)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the value has 16 bits")]
    fn narrow(wide: f32) -> u16 {
        let bits = wide.to_bits();
        let sign = (bits >> 16) as u16 & 0x8000;
        let magnitude = bits & 0x7fff_ffff;
        let result = if magnitude >= 0x4780_0000 {
            // The magnitude is at least 2^16.
            0x7c00
        } else if magnitude < 0x3880_0000 {
            // The magnitude is below 2^-14: adding 0.5 rounds it to a multiple of 2^-24, the least
            // subnormal.
            (f32::from_bits(magnitude) + 0.5)
                .to_bits()
                .wrapping_sub(0x3f00_0000) as u16
        } else {
            let odd = magnitude >> 13 & 1;
            (magnitude.wrapping_add(0xc800_0fff + odd) >> 13) as u16
        };
        if wide.is_nan() { 0x7fff } else { sign | result }
    }

    fn from_f64(value: f64) -> u16 {
        Self::narrow(to_odd(value))
    }

    fn from_f32(value: f32) -> u16 {
        Self::narrow(value)
    }
}

impl Float for BF16 {
    type L = u16;
    type W = f32;
    const FORMAT: Format = Format::BF16;

    fn widen(lane: u16) -> f32 {
        f32::from_bits(u32::from(lane) << 16)
    }

    fn narrow(wide: f32) -> u16 {
        let bits = wide.to_bits();
        let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1));
        if wide.is_nan() {
            0x7fff
        } else {
            (rounded >> 16) as u16
        }
    }

    fn from_f64(value: f64) -> u16 {
        Self::narrow(to_odd(value))
    }

    fn from_f32(value: f32) -> u16 {
        Self::narrow(value)
    }
}

impl Float for F32 {
    type L = u32;
    type W = f32;
    const FORMAT: Format = Format::F32;

    fn widen(lane: u32) -> f32 {
        f32::from_bits(lane)
    }

    fn narrow(wide: f32) -> u32 {
        if wide.is_nan() {
            0x7fc0_0000
        } else {
            wide.to_bits()
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "rounds to nearest even")]
    fn from_f64(value: f64) -> u32 {
        Self::narrow(value as f32)
    }

    fn from_f32(value: f32) -> u32 {
        Self::narrow(value)
    }

    fn fused(a: u32, b: u32, c: u32) -> u32 {
        Self::narrow(f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(c)))
    }
}

impl Float for F64 {
    type L = u64;
    type W = f64;
    const FORMAT: Format = Format::F64;

    fn widen(lane: u64) -> f64 {
        f64::from_bits(lane)
    }

    fn narrow(wide: f64) -> u64 {
        if wide.is_nan() {
            0x7ff8_0000_0000_0000
        } else {
            wide.to_bits()
        }
    }

    fn from_f64(value: f64) -> u64 {
        Self::narrow(value)
    }

    fn from_f32(value: f32) -> u64 {
        Self::narrow(f64::from(value))
    }

    fn fused(a: u64, b: u64, c: u64) -> u64 {
        Self::narrow(f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)))
    }
}

/// Evaluates an expression with `$F` bound to the marker of a float with arithmetic.
macro_rules! with_float {
    ($scalar:expr, $F:ident => $body:expr, else $other:expr) => {
        match $scalar {
            $crate::types::Scalar::F16 => {
                type $F = $crate::interp::number::F16;
                $body
            }
            $crate::types::Scalar::BF16 => {
                type $F = $crate::interp::number::BF16;
                $body
            }
            $crate::types::Scalar::F32 => {
                type $F = $crate::interp::number::F32;
                $body
            }
            $crate::types::Scalar::F64 => {
                type $F = $crate::interp::number::F64;
                $body
            }
            _ => $other,
        }
    };
}
pub(super) use with_float;

/// An integer of `BITS` bits in the low bits of a lane; the others are zero.
pub(super) trait Int: Copy + Send + Sync + 'static {
    type L: Lane + Ord;
    const BITS: u32;
    /// Returns the value as a signed number.
    fn signed(a: Self::L) -> i64;
    /// Returns the low bits of a number.
    fn wrap(value: u64) -> Self::L;
    fn add(a: Self::L, b: Self::L) -> Self::L;
    fn sub(a: Self::L, b: Self::L) -> Self::L;
    fn mul(a: Self::L, b: Self::L) -> Self::L;
    fn mul_high(a: Self::L, b: Self::L) -> Self::L;
    fn neg(a: Self::L) -> Self::L;
    fn abs(a: Self::L) -> Self::L;
    fn and(a: Self::L, b: Self::L) -> Self::L;
    fn or(a: Self::L, b: Self::L) -> Self::L;
    fn xor(a: Self::L, b: Self::L) -> Self::L;
    fn max_signed(a: Self::L, b: Self::L) -> Self::L;
    fn min_signed(a: Self::L, b: Self::L) -> Self::L;
    fn less_signed(a: Self::L, b: Self::L) -> bool;
    /// Returns `None` if `b` is zero.
    fn div_unsigned(a: Self::L, b: Self::L) -> Option<Self::L>;
    /// Returns `None` if `b` is zero or the quotient is not representable.
    fn div_signed(a: Self::L, b: Self::L) -> Option<Self::L>;
    fn rem_unsigned(a: Self::L, b: Self::L) -> Option<Self::L>;
    /// Returns `None` if `b` is zero; MIN rem -1 is 0.
    fn rem_signed(a: Self::L, b: Self::L) -> Option<Self::L>;
    /// Returns `None` if the distance is not below the width.
    fn shift_left(a: Self::L, b: Self::L) -> Option<Self::L>;
    fn shift_right_unsigned(a: Self::L, b: Self::L) -> Option<Self::L>;
    fn shift_right_signed(a: Self::L, b: Self::L) -> Option<Self::L>;
}

macro_rules! ints {
    ($($(#[$meta:meta])* $Name:ident, $u:ident, $s:ident, $double:ident, $bits:literal;)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy)]
        pub(super) struct $Name;

        impl $Name {
            const PAD: u32 = $u::BITS - $bits;

            fn mask(a: $u) -> $u {
                a & ($u::MAX >> Self::PAD)
            }

            fn extend(a: $u) -> $s {
                (a << Self::PAD).cast_signed() >> Self::PAD
            }

            fn distance(b: $u) -> Option<u32> {
                u32::try_from(b).ok().filter(|&b| b < $bits)
            }
        }

        #[allow(clippy::cast_possible_truncation, reason = "wrapping is the semantics")]
        #[allow(clippy::unnecessary_cast, clippy::cast_lossless, reason = "one macro for all widths")]
        impl Int for $Name {
            type L = $u;
            const BITS: u32 = $bits;
            fn signed(a: $u) -> i64 { Self::extend(a) as i64 }
            fn wrap(value: u64) -> $u { Self::mask(value as $u) }
            fn add(a: $u, b: $u) -> $u { Self::mask(a.wrapping_add(b)) }
            fn sub(a: $u, b: $u) -> $u { Self::mask(a.wrapping_sub(b)) }
            fn mul(a: $u, b: $u) -> $u { Self::mask(a.wrapping_mul(b)) }
            fn mul_high(a: $u, b: $u) -> $u { ((a as $double * b as $double) >> $bits) as $u }
            fn neg(a: $u) -> $u { Self::mask(a.wrapping_neg()) }
            fn abs(a: $u) -> $u { Self::mask(Self::extend(a).unsigned_abs()) }
            fn and(a: $u, b: $u) -> $u { a & b }
            fn or(a: $u, b: $u) -> $u { a | b }
            fn xor(a: $u, b: $u) -> $u { a ^ b }
            fn max_signed(a: $u, b: $u) -> $u { if Self::extend(a) > Self::extend(b) { a } else { b } }
            fn min_signed(a: $u, b: $u) -> $u { if Self::extend(a) < Self::extend(b) { a } else { b } }
            fn less_signed(a: $u, b: $u) -> bool { Self::extend(a) < Self::extend(b) }
            fn div_unsigned(a: $u, b: $u) -> Option<$u> { a.checked_div(b) }
            fn div_signed(a: $u, b: $u) -> Option<$u> {
                let quotient = Self::extend(a).checked_div(Self::extend(b))?;
                let kept = Self::mask(quotient.cast_unsigned());
                (Self::extend(kept) == quotient).then_some(kept)
            }
            fn rem_unsigned(a: $u, b: $u) -> Option<$u> { a.checked_rem(b) }
            fn rem_signed(a: $u, b: $u) -> Option<$u> {
                let (a, b) = (Self::extend(a), Self::extend(b));
                (b != 0).then(|| Self::mask(a.wrapping_rem(b).cast_unsigned()))
            }
            fn shift_left(a: $u, b: $u) -> Option<$u> { Some(Self::mask(a << Self::distance(b)?)) }
            fn shift_right_unsigned(a: $u, b: $u) -> Option<$u> { Some(a >> Self::distance(b)?) }
            fn shift_right_signed(a: $u, b: $u) -> Option<$u> {
                Some(Self::mask((Self::extend(a) >> Self::distance(b)?).cast_unsigned()))
            }
        }
    )+};
}

ints! {
    /// One bit.
    I1, u8, i8, u16, 1;
    /// Four bits.
    I4, u8, i8, u16, 4;
    /// Eight bits.
    I8, u8, i8, u16, 8;
    /// Sixteen bits.
    I16, u16, i16, u32, 16;
    /// Thirty-two bits.
    I32, u32, i32, u64, 32;
    /// Sixty-four bits.
    I64, u64, i64, u128, 64;
}

/// Evaluates an expression with `$I` bound to the marker of an integer type.
macro_rules! with_int {
    ($scalar:expr, $I:ident => $body:expr, else $other:expr) => {
        match $scalar {
            $crate::types::Scalar::I1 => {
                type $I = $crate::interp::number::I1;
                $body
            }
            $crate::types::Scalar::I4 => {
                type $I = $crate::interp::number::I4;
                $body
            }
            $crate::types::Scalar::I8 => {
                type $I = $crate::interp::number::I8;
                $body
            }
            $crate::types::Scalar::I16 => {
                type $I = $crate::interp::number::I16;
                $body
            }
            $crate::types::Scalar::I32 => {
                type $I = $crate::interp::number::I32;
                $body
            }
            $crate::types::Scalar::I64 => {
                type $I = $crate::interp::number::I64;
                $body
            }
            _ => $other,
        }
    };
}
pub(super) use with_int;

#[cfg(test)]
mod tests {
    use super::{BF16, Float, Format};
    use crate::interp::exact;
    use crate::ir::RoundingMode::NearestEven;

    /// Subnormals of bf16 are rounded in f32 first, where they are subnormal too.
    #[test]
    fn products_and_quotients_in_bf16_are_rounded_once() {
        let bits = |exponent: u16, mantissa: u16| exponent << 7 | mantissa;
        for exponent in 36..=66 {
            for (a, b) in (0..1 << 14).map(|both| (both >> 7, both & 0x7f)) {
                // From below the least subnormal to above the least normal number.
                let (a, b) = (bits(64, a), bits(exponent, b));
                let product = BF16::narrow(BF16::widen(a) * BF16::widen(b));
                let expected = exact::mul(Format::BF16, a.into(), b.into(), NearestEven);
                assert_eq!(u64::from(product), expected, "{a:x} * {b:x}");
                let (a, b) = (bits(20, a & 0x7f), bits(exponent + 108, b & 0x7f));
                let quotient = BF16::narrow(BF16::widen(a) / BF16::widen(b));
                let expected = exact::div(Format::BF16, a.into(), b.into(), NearestEven);
                assert_eq!(u64::from(quotient), expected, "{a:x} / {b:x}");
            }
        }
    }
}

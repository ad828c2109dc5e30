//! Numbers in text: bit patterns to literals and back.
//!
//! A float is printed as the shortest decimal that reads back to the same
//! bits, or as its bit pattern in hexadecimal (NaN, infinities). An integer is
//! printed signed, an `i1` as `true` or `false`.

use crate::types::Scalar;

/// The layout of a float type of at most 32 bits.
#[derive(Clone, Copy)]
struct Layout {
    exponent_bits: u32,
    mantissa_bits: u32,
    specials: Specials,
}

/// What the largest exponent encodes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Specials {
    /// Infinities and NaNs.
    Ieee,
    /// Numbers; only the all-ones pattern is NaN.
    OneNan,
    /// Numbers only.
    None,
}

/// The layout of `scalar`, unless it is f64, f8E8M0FNU or no float.
fn layout(scalar: Scalar) -> Option<Layout> {
    let (exponent_bits, mantissa_bits, specials) = match scalar {
        Scalar::F16 => (5, 10, Specials::Ieee),
        Scalar::BF16 => (8, 7, Specials::Ieee),
        Scalar::TF32 => (8, 10, Specials::Ieee),
        Scalar::F32 => (8, 23, Specials::Ieee),
        Scalar::F8E5M2 => (5, 2, Specials::Ieee),
        Scalar::F8E4M3FN => (4, 3, Specials::OneNan),
        Scalar::F4E2M1FN => (2, 1, Specials::None),
        Scalar::F64
        | Scalar::F8E8M0FNU
        | Scalar::I1
        | Scalar::I4
        | Scalar::I8
        | Scalar::I16
        | Scalar::I32
        | Scalar::I64 => return None,
    };
    Some(Layout {
        exponent_bits,
        mantissa_bits,
        specials,
    })
}

fn pow2(exponent: i32) -> f64 {
    2f64.powi(exponent)
}

impl Layout {
    fn bias(self) -> i32 {
        (1 << (self.exponent_bits - 1)) - 1
    }

    /// The finite value of the magnitude bits, if it is one.
    fn decode(self, magnitude: u64) -> Option<f64> {
        let exponent = magnitude >> self.mantissa_bits;
        let fraction = magnitude & ((1 << self.mantissa_bits) - 1);
        let top = (1 << self.exponent_bits) - 1;
        let special = exponent == top
            && match self.specials {
                Specials::Ieee => true,
                Specials::OneNan => fraction == (1 << self.mantissa_bits) - 1,
                Specials::None => false,
            };
        if special {
            return None;
        }
        let least = 1 - self.bias() - self.mantissa_bits.cast_signed();
        let exponent = i32::try_from(exponent).expect("few exponent bits");
        #[expect(clippy::cast_precision_loss, reason = "at most 24 bits")]
        Some(if exponent == 0 {
            fraction as f64 * pow2(least)
        } else {
            (fraction + (1 << self.mantissa_bits)) as f64 * pow2(least + exponent - 1)
        })
    }

    /// The magnitude bits nearest to `value` (not negative), ties to even; none
    /// if it is beyond the largest number.
    fn encode(self, value: f64) -> Option<u64> {
        let least = 1 - self.bias() - self.mantissa_bits.cast_signed();
        let raw = i32::try_from(value.to_bits() >> 52).expect("eleven bits") - 1023;
        let exponent = raw.max(1 - self.bias());
        // Units in the last place of the result's binade; exact, since it is a
        // scaling by a power of two.
        let units = value * pow2(self.mantissa_bits.cast_signed() - exponent);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most 25 bits, not negative"
        )]
        let units = units.round_ties_even() as u64;
        let binade = u64::try_from(exponent - self.mantissa_bits.cast_signed() - least)
            .expect("the exponent is at least the smallest");
        // The hidden bit adds one to the exponent field of a normal number.
        let bits = (binade << self.mantissa_bits) + units;
        let width = self.exponent_bits + self.mantissa_bits;
        (bits < 1 << width && self.decode(bits).is_some()).then_some(bits)
    }
}

/// The value of a finite float.
fn decode(scalar: Scalar, bits: u64) -> Option<f64> {
    if scalar == Scalar::F64 {
        return Some(f64::from_bits(bits)).filter(|value| value.is_finite());
    }
    if scalar == Scalar::F8E8M0FNU {
        let exponent = i32::try_from(bits).ok()?;
        return (exponent < 255).then(|| pow2(exponent - 127));
    }
    let layout = layout(scalar)?;
    let sign = layout.exponent_bits + layout.mantissa_bits;
    let value = layout.decode(bits & ((1 << sign) - 1))?;
    Some(if bits >> sign & 1 == 1 { -value } else { value })
}

/// The bits of the float nearest to `value`; none if it is out of range.
pub(super) fn encode(scalar: Scalar, value: f64) -> Option<u64> {
    if scalar == Scalar::F64 {
        return value.is_finite().then(|| value.to_bits());
    }
    if scalar == Scalar::F8E8M0FNU {
        return (0..255).find(|&bits| decode(scalar, bits) == Some(value));
    }
    let layout = layout(scalar)?;
    if !value.is_finite() {
        return None;
    }
    let magnitude = layout.encode(value.abs())?;
    let sign = u64::from(value.is_sign_negative());
    Some(magnitude | sign << (layout.exponent_bits + layout.mantissa_bits))
}

/// The literal for the bit pattern `bits` of type `scalar`.
pub(super) fn print(scalar: Scalar, bits: u64) -> String {
    if scalar == Scalar::I1 && bits <= 1 {
        return (bits == 1).to_string();
    }
    if scalar.is_integer() {
        return signed(scalar, bits).to_string();
    }
    decimal(scalar, bits).unwrap_or_else(|| {
        let digits = scalar.bits().div_ceil(4) as usize;
        format!("0x{bits:0digits$X}")
    })
}

fn decimal(scalar: Scalar, bits: u64) -> Option<String> {
    let value = decode(scalar, bits)?;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "every type but f64 is exact in f32; the result is checked"
    )]
    let text = if matches!(scalar, Scalar::F64 | Scalar::F8E8M0FNU) {
        format!("{value:?}")
    } else {
        format!("{:?}", value as f32)
    };
    // The lexer takes a number without a point for an integer.
    let text = match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    };
    let read = text.parse().ok().and_then(|value| encode(scalar, value));
    (read == Some(bits)).then_some(text)
}

/// The bits read as a two's complement number; an `i1` is 0 or -1.
pub(super) fn signed(scalar: Scalar, bits: u64) -> i64 {
    let unused = 64 - scalar.bits();
    (bits << unused).cast_signed() >> unused
}

/// The bit pattern of an integer literal, if it is in the union of the signed
/// and the unsigned range of the type (of i64: the signed range).
pub(super) fn integer_bits(scalar: Scalar, value: i128) -> Option<u64> {
    let width = scalar.bits();
    let least = -(1i128 << (width - 1));
    let greatest = match scalar {
        Scalar::I64 => i128::from(i64::MAX),
        _ => (1i128 << width) - 1,
    };
    if value < least || value > greatest {
        return None;
    }
    let mask = (1i128 << width) - 1;
    u64::try_from(value & mask).ok()
}

#[cfg(test)]
mod tests {
    use super::{encode, print};
    use crate::types::Scalar;

    #[test]
    fn floats_print_shortest_and_specials_in_hexadecimal() {
        assert_eq!(print(Scalar::F32, 0x3F80_0000), "1.0");
        assert_eq!(print(Scalar::F32, 0xFF80_0000), "0xFF800000");
        assert_eq!(print(Scalar::F32, 0x8000_0000), "-0.0");
        assert_eq!(print(Scalar::F32, 0x7149_F2CA), "1.0e30");
        assert_eq!(print(Scalar::F64, 1), "5.0e-324");
        assert_eq!(print(Scalar::F16, 0x7E00), "0x7E00");
        assert_eq!(print(Scalar::F8E8M0FNU, 127), "1.0");
        assert_eq!(print(Scalar::F8E8M0FNU, 255), "0xFF");
    }

    #[test]
    fn every_narrow_float_reads_back_from_what_is_printed() {
        let narrow = [
            Scalar::F16,
            Scalar::BF16,
            Scalar::TF32,
            Scalar::F8E4M3FN,
            Scalar::F8E5M2,
            Scalar::F8E8M0FNU,
            Scalar::F4E2M1FN,
        ];
        for scalar in narrow {
            let mut decimals = 0;
            for bits in 0..1u64 << scalar.bits() {
                let text = print(scalar, bits);
                if let Some(hex) = text.strip_prefix("0x") {
                    assert_eq!(u64::from_str_radix(hex, 16), Ok(bits));
                } else {
                    let value = text.parse().expect("a decimal");
                    assert_eq!(encode(scalar, value), Some(bits), "{scalar} {text}");
                    decimals += 1;
                }
            }
            assert!(decimals > 1 << (scalar.bits() - 1), "{scalar}");
        }
    }

    #[test]
    fn encoding_agrees_with_the_hardware_for_f32_and_f16() {
        for step in 0..100_000u64 {
            let bits = step.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let value = f64::from_bits(bits);
            if !value.is_finite() {
                continue;
            }
            #[expect(clippy::cast_possible_truncation, reason = "the rounding under test")]
            let single = value as f32;
            let expected = single.is_finite().then(|| u64::from(single.to_bits()));
            assert_eq!(encode(Scalar::F32, value), expected, "{value:e}");
            let half = half::f16::from_f64(value);
            let expected = half.is_finite().then(|| u64::from(half.to_bits()));
            assert_eq!(encode(Scalar::F16, value), expected, "{value:e}");
        }
    }
}

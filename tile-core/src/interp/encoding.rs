//! Encodes and decodes floats of every format as bit patterns, for constants and buffers.

use super::exact;
use super::tile::to_stored;
use crate::ir::RoundingMode;
use crate::types::Scalar;

/// Returns the bits of `value` in a float format, rounded once to nearest even; for `f8E8M0FNU` it
/// is rounded down to a power of two. Values out of range convert as in `ftof`.
///
/// # Panics
///
/// If `scalar` is an integer.
pub fn encode_float(scalar: Scalar, value: f64) -> u64 {
    let mode = match scalar {
        Scalar::F8E8M0FNU => RoundingMode::Zero,
        _ => RoundingMode::NearestEven,
    };
    let stored = exact::encode(scalar, value, mode);
    match scalar {
        // A NaN constant is the quiet NaN of Rust, not the NaN that a conversion returns.
        Scalar::F16 if value.is_nan() => 0x7e00,
        Scalar::BF16 if value.is_nan() => 0x7fc0,
        // A constant of tf32 consists of the upper 19 bits.
        Scalar::TF32 => stored >> 13,
        _ => stored,
    }
}

/// Returns the exact value of bits in a float format.
///
/// # Panics
///
/// If `scalar` is an integer.
pub fn decode_float(scalar: Scalar, bits: u64) -> f64 {
    exact::decode(scalar, to_stored(scalar, bits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_small_float_is_its_own_number() {
        for scalar in [
            Scalar::F8E4M3FN,
            Scalar::F8E5M2,
            Scalar::F8E8M0FNU,
            Scalar::F4E2M1FN,
            Scalar::F16,
            Scalar::TF32,
        ] {
            for bits in 0..1_u64 << scalar.bits().min(16) {
                let value = decode_float(scalar, bits);
                if value.is_nan() {
                    assert!(decode_float(scalar, encode_float(scalar, value)).is_nan());
                } else {
                    assert_eq!(encode_float(scalar, value), bits, "{scalar} {bits:#x}");
                }
            }
        }
    }
}

//! Floats of every format as bit patterns, for those who make constants and buffers.

use super::exact;
use super::tile::to_stored;
use crate::ir::RoundingMode;
use crate::types::Scalar;

/// The bits of `value` in a float format, rounded once to nearest even; a power of two of
/// `f8E8M0FNU` is rounded down. What is too large becomes what `ftof` makes of it.
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
        // A constant is the quiet NaN of Rust, not what a conversion would give.
        Scalar::F16 if value.is_nan() => 0x7e00,
        Scalar::BF16 if value.is_nan() => 0x7fc0,
        // Constants of tf32 have its 19 bits.
        Scalar::TF32 => stored >> 13,
        _ => stored,
    }
}

/// The value of bits in a float format, which is exact.
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

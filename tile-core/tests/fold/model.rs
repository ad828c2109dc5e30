//! An independent model of the element types.

use tile_core::types::Scalar;

/// Returns the numbers of exponent and mantissa bits.
fn format(scalar: Scalar) -> Option<(u32, u32)> {
    Some(match scalar {
        Scalar::F16 => (5, 10),
        Scalar::BF16 => (8, 7),
        Scalar::F32 => (8, 23),
        Scalar::TF32 => (8, 10),
        Scalar::F64 => (11, 52),
        Scalar::F8E4M3FN => (4, 3),
        Scalar::F8E5M2 => (5, 2),
        Scalar::F4E2M1FN => (2, 1),
        _ => return None,
    })
}

/// Returns the value of a float.
#[expect(clippy::cast_precision_loss, reason = "at most 53 bits")]
pub(crate) fn value(scalar: Scalar, bits: u64) -> f64 {
    let Some((exponent_bits, mantissa_bits)) = format(scalar) else {
        return match bits {
            0xff => f64::NAN,
            bits => (bits as f64 - 127.0).exp2(),
        };
    };
    let top = (1_u64 << exponent_bits) - 1;
    let sign = if bits >> (exponent_bits + mantissa_bits) & 1 == 1 {
        -1.0
    } else {
        1.0
    };
    let (exponent, mantissa) = (
        bits >> mantissa_bits & top,
        bits & ((1 << mantissa_bits) - 1),
    );
    match scalar {
        Scalar::F4E2M1FN => {}
        Scalar::F8E4M3FN if exponent == top && mantissa == 7 => return f64::NAN,
        Scalar::F8E4M3FN => {}
        _ if exponent == top && mantissa != 0 => return f64::NAN,
        _ if exponent == top => return sign * f64::INFINITY,
        _ => {}
    }
    let bias = (1 << (exponent_bits - 1)) - 1;
    let implied = if exponent == 0 { 0 } else { 1 << mantissa_bits };
    let scale = i32::try_from(exponent.max(1)).expect("few bits") - bias;
    // Scale in two steps, since the least power of two of f64 is subnormal.
    sign * (implied + mantissa) as f64
        * (-f64::from(mantissa_bits)).exp2()
        * f64::from(scale).exp2()
}

/// Returns bit patterns that are likely to expose differences.
pub(crate) fn patterns(scalar: Scalar) -> Vec<u64> {
    let mask = u64::MAX >> (64 - scalar.bits());
    let top = 1 << (scalar.bits() - 1);
    let mut patterns = vec![
        0,
        1,
        2,
        3,
        5,
        7,
        mask,
        mask - 1,
        top,
        top | 1,
        top - 1,
        top | (top >> 1),
        u64::from(scalar.bits()),
    ];
    if let Some((exponent_bits, mantissa_bits)) = format(scalar) {
        let all_exponent = ((1 << exponent_bits) - 1) << mantissa_bits;
        let one = ((1 << (exponent_bits - 1)) - 1) << mantissa_bits;
        let half_of_mantissa = 1 << (mantissa_bits - 1);
        for magnitude in [
            1,
            1 << mantissa_bits,
            (1 << mantissa_bits) - 1,
            one,
            one + 1,
            one | half_of_mantissa,
            one + (1 << mantissa_bits),
            all_exponent - 1,
            all_exponent,
            all_exponent | half_of_mantissa,
            all_exponent | 1,
        ] {
            patterns.extend([magnitude, magnitude | top]);
        }
    }
    patterns.retain(|&bits| bits <= mask);
    patterns.sort_unstable();
    patterns.dedup();
    patterns
}

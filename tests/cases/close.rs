//! Compares elements of buffers, as bits. The tests of `tile-backend` include this file.

use tile_core::Scalar;
use tile_core::interp::decode_float;

/// Returns `true` if two floats, the expected and the actual one, are at most `ulps` units of the last place
/// apart, or if they differ by at most `tolerance`, relative to the largest of them and 1. Any two NaNs are
/// close. Other numbers are not close, since they must be equal.
pub(crate) fn is_close(scalar: Scalar, elements: [u64; 2], ulps: u64, tolerance: f64) -> bool {
    if !scalar.is_float() {
        return false;
    }
    let [expected, actual] = elements.map(|bits| match scalar {
        Scalar::TF32 => bits >> 13,
        _ => bits,
    });
    let apart = place(scalar, expected).abs_diff(place(scalar, actual));
    let (expected, actual) = (decode_float(scalar, expected), decode_float(scalar, actual));
    if expected.is_nan() || actual.is_nan() {
        return expected.is_nan() && actual.is_nan();
    }
    if ulps > 0 && apart <= ulps {
        return true;
    }
    let size = expected.abs().max(actual.abs()).max(1.0);
    tolerance > 0.0
        && (expected.total_cmp(&actual).is_eq() || (expected - actual).abs() <= tolerance * size)
}

/// Returns the rank of a float among all floats of its type, so that the ranks of neighbours differ by 1.
fn place(scalar: Scalar, bits: u64) -> i64 {
    let sign = 1u64 << (8 * scalar.bytes() - 1);
    let size = (bits & (sign - 1)).cast_signed();
    if bits & sign == 0 { size } else { -size }
}

/// Returns the bits of an element in memory, where a tf32 is stored as an f32.
pub(crate) fn bits(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

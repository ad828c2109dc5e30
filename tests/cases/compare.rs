//! Compares buffers with the expected ones, like the tests of `tile-backend`.

use tile_core::Scalar;
use tile_core::interp::decode_float;

use super::case::Case;

/// Compares buffers. The error names the first element that differs, and counts the others in its buffer.
pub(crate) fn compare(case: &Case, expected: &[Vec<u8>], actual: &[Vec<u8>]) -> Result<(), String> {
    if expected.len() != case.expected.len() || actual.len() != expected.len() {
        return Err(format!("{} buffers", actual.len()));
    }
    for (number, (bytes, actual)) in expected.iter().zip(actual).enumerate() {
        let expected = &case.expected[number];
        let scalar = Scalar::ALL
            .into_iter()
            .find(|scalar| scalar.name() == expected.element)
            .ok_or_else(|| format!("no element is `{}`", expected.element))?;
        let width = scalar.bytes();
        let elements = bytes.chunks(width).zip(actual.chunks(width));
        let mut wrong = elements
            .enumerate()
            .filter(|(index, (expected, actual))| {
                expected != actual && !is_close(case, (number, *index), scalar, expected, actual)
            })
            .map(|(index, (expected, actual))| (index, bits(expected), bits(actual)));
        if let Some((index, expected, actual)) = wrong.next() {
            let others = wrong.count();
            return Err(format!(
                "buffer {number} of {scalar}: element {index} is {actual:#x} instead of {expected:#x}, and {others} more differ"
            ));
        }
    }
    Ok(())
}

fn is_close(
    case: &Case,
    (number, index): (usize, usize),
    scalar: Scalar,
    expected: &[u8],
    actual: &[u8],
) -> bool {
    if !scalar.is_float() {
        return false;
    }
    let significant_bits = |bytes: &[u8]| match scalar {
        Scalar::TF32 => bits(bytes) >> 13,
        _ => bits(bytes),
    };
    let (expected, actual) = (significant_bits(expected), significant_bits(actual));
    let inside =
        |part: &&[u64; 4]| part[0] == number as u64 && (part[1]..part[2]).contains(&(index as u64));
    let ulps = case.inexact.iter().find(inside).map(|part| part[3]);
    let ulps = ulps.unwrap_or(case.expected[number].ulps);
    let apart = place(scalar, expected).abs_diff(place(scalar, actual));
    let (expected, actual) = (decode_float(scalar, expected), decode_float(scalar, actual));
    if expected.is_nan() || actual.is_nan() {
        return expected.is_nan() && actual.is_nan();
    }
    if ulps > 0 && apart <= ulps {
        return true;
    }
    let size = expected.abs().max(actual.abs()).max(1.0);
    case.tolerance > 0.0
        && (expected.total_cmp(&actual).is_eq()
            || (expected - actual).abs() <= case.tolerance * size)
}

/// Maps a float to its position among all floats of its type, so that neighbours differ by 1.
fn place(scalar: Scalar, bits: u64) -> i64 {
    let sign = 1u64 << (8 * scalar.bytes() - 1);
    let size = (bits & (sign - 1)).cast_signed();
    if bits & sign == 0 { size } else { -size }
}

fn bits(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

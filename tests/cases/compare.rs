//! Compares buffers with the expected ones, like the tests of `tile-backend`.

use tile_core::Scalar;

use super::case::Case;
use super::close::{self, bits};

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
    let inside =
        |part: &&[u64; 4]| part[0] == number as u64 && (part[1]..part[2]).contains(&(index as u64));
    let ulps = case.inexact.iter().find(inside).map(|part| part[3]);
    let ulps = ulps.unwrap_or(case.expected[number].ulps);
    let elements = [bits(expected), bits(actual)];
    close::is_close(scalar, elements, ulps, case.tolerance)
}

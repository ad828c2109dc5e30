//! Compares the contents of buffers with the reference.

use std::fs;
use std::path::Path;

/// Decodes the numbers in `bytes`, of Triton's type `ty`.
fn numbers(bytes: &[u8], ty: &str) -> Vec<f64> {
    match ty {
        "fp64" => lanes(bytes).map(f64::from_le_bytes).collect(),
        "fp32" => lanes(bytes)
            .map(|lane| f64::from(f32::from_le_bytes(lane)))
            .collect(),
        "fp16" => lanes(bytes)
            .map(|lane| half::f16::from_le_bytes(lane).to_f64())
            .collect(),
        "bf16" => lanes(bytes)
            .map(|lane| half::bf16::from_le_bytes(lane).to_f64())
            .collect(),
        other => panic!("no tolerance is defined for `{other}`"),
    }
}

fn lanes<const N: usize>(bytes: &[u8]) -> impl Iterator<Item = [u8; N]> {
    let (lanes, rest) = bytes.as_chunks();
    assert!(rest.is_empty(), "{} bytes", bytes.len());
    lanes.iter().copied()
}

fn read(folder: &Path, number: &str, what: &str) -> Vec<u8> {
    fs::read(folder.join(format!("{number}.{what}"))).expect("`reference.py` writes it")
}

/// Describes the first difference in buffer `number`, of type `ty`.
pub(crate) fn difference(
    folder: &Path,
    number: &str,
    ty: &str,
    verdict: &str,
    actual: &[u8],
) -> Option<String> {
    match verdict {
        "any" => None,
        "same" => (actual != read(folder, number, "start"))
            .then(|| format!("argument {number}, which is only read, has changed")),
        "equal" => unequal(&read(folder, number, "expected"), actual)
            .map(|byte| format!("argument {number}: byte {byte} is not as expected")),
        "close" => {
            let expected = numbers(&read(folder, number, "expected"), "fp64");
            let allowed = numbers(&read(folder, number, "allowed"), "fp64");
            far(&expected, &allowed, &numbers(actual, ty))
                .map(|text| format!("argument {number}: {text}"))
        }
        other => panic!("unknown verdict `{other}`"),
    }
}

fn unequal(expected: &[u8], actual: &[u8]) -> Option<usize> {
    assert_eq!(expected.len(), actual.len());
    (0..actual.len()).find(|&index| expected[index] != actual[index])
}

fn far(expected: &[f64], allowed: &[f64], actual: &[f64]) -> Option<String> {
    assert_eq!(expected.len(), actual.len());
    let near = |index: &usize| {
        let (expected, actual) = (expected[*index], actual[*index]);
        (expected.is_nan() && actual.is_nan())
            || expected.to_bits() == actual.to_bits()
            || (expected - actual).abs() <= allowed[*index]
    };
    let wrong: Vec<usize> = (0..actual.len()).filter(|index| !near(index)).collect();
    let &first = wrong.first()?;
    Some(format!(
        "{} of {} elements; {first} is {}, not {} ± {}",
        wrong.len(),
        actual.len(),
        actual[first],
        expected[first],
        allowed[first]
    ))
}

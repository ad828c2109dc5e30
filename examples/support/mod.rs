//! Code shared by the examples: random numbers, and the comparison with exact results.

#![expect(clippy::print_stdout, reason = "an example says what it found")]
#![expect(clippy::cast_possible_truncation, reason = "`f32` is what kernels get")]

use std::fmt::Debug;

use tile_kernel::Device;

/// Returns random numbers from -1 to 1, which are the same in every run.
pub(crate) fn random(seed: u64, len: usize) -> Vec<f32> {
    let mut rng = fastrand::Rng::with_seed(seed);
    (0..len).map(|_| (rng.f64() * 2.0 - 1.0) as f32).collect()
}

/// Panics if a number differs from the exact one by more than `tolerance`. The difference is
/// relative to the exact number if that has a magnitude above 1.
pub(crate) fn check(
    name: &str,
    device: Device,
    actual: impl IntoIterator<Item = f32>,
    exact: &[f64],
    tolerance: f64,
) {
    let mut error: f64 = 0.0;
    let mut count = 0;
    for (index, actual) in actual.into_iter().enumerate() {
        let (actual, exact) = (f64::from(actual), exact[index]);
        let difference = (actual - exact).abs() / exact.abs().max(1.0);
        // This comparison is false for a NaN, which therefore fails.
        let is_close = difference <= tolerance;
        assert!(
            is_close,
            "{name}: element {index} is {actual}, and exactly {exact}"
        );
        error = error.max(difference);
        count += 1;
    }
    assert_eq!(count, exact.len(), "{name}: numbers found and expected");
    println!("{name} on {device}: {count} numbers, max error {error:.1e}");
}

/// Panics if numbers differ from the exact ones.
pub(crate) fn check_equal<T: PartialEq + Debug>(
    name: &str,
    device: Device,
    actual: &[T],
    exact: &[T],
) {
    assert_eq!(actual, exact, "{name}");
    println!("{name} on {device}: {} numbers, all exact", exact.len());
}

//! Measures the time per element.

use std::time::Instant;

use super::*;

/// The least time per element, in nanoseconds, of numbers that lie in the first-level cache.
#[expect(clippy::cast_precision_loss, reason = "small numbers")]
fn time(function: Function, scalar: Scalar, level: Level) -> f64 {
    const COUNT: usize = 2048;
    let compiled = compiled(function, scalar, level, Registers::Four);
    let x: Vec<f32> = (0..COUNT)
        .map(|i| 0.01 + 5.0 * i as f32 / COUNT as f32)
        .collect();
    let mut out = vec![0.0; COUNT];
    let runs = (0..2000).map(|_| {
        let start = Instant::now();
        compiled.apply_single(&x, &mut out);
        start.elapsed().as_secs_f64() * 1e9 / COUNT as f64
    });
    runs.fold(f64::INFINITY, f64::min)
}

#[test]
#[ignore = "it prints times"]
#[expect(clippy::print_stdout, reason = "the figures")]
fn times_per_element() {
    for level in Level::available() {
        for function in Function::ALL {
            let (parameters, result) = function.types(Type {
                element: Element::F32,
                lanes: 1,
            });
            if parameters.len() == 1 && parameters[0] == result {
                let time = time(function, Scalar::F32, level);
                println!("{level} {} f32: {time:.3} ns", function.text());
            }
        }
    }
}

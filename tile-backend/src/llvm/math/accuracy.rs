//! Measures the functions of f32 on the CPU against f64.
//!
//! The approximate instructions are computed with errors of a unit in the last place, as on a GPU. The errors in
//! `docs/numerics.md` are those of compiled kernels in the simulator.

#[allow(
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    dead_code,
    unexpected_cfgs,
    unreachable_pub,
    reason = "it is compiled for GPUs, by `cargo xtask math`"
)]
#[path = "../../../device-math/src/lib.rs"]
mod device_math;

use device_math::single;

/// A function, its exact value, and the largest error over all numbers, in units of the last place.
type Row = (&'static str, extern "C" fn(f32) -> f32, fn(f64) -> f64, f64);

const FUNCTIONS: [Row; 8] = [
    ("cos", single::tile_cos_f32, f64::cos, 1.1),
    ("cosh", single::tile_cosh_f32, f64::cosh, 1.0),
    ("log", single::tile_log_f32, f64::ln, 0.8),
    ("log2", single::tile_log2_f32, f64::log2, 0.875),
    ("sin", single::tile_sin_f32, f64::sin, 1.1),
    ("sinh", single::tile_sinh_f32, f64::sinh, 0.9),
    ("tan", single::tile_tan_f32, f64::tan, 1.6),
    ("tanh", single::tile_tanh_f32, f64::tanh, 2.2),
];

/// Returns the error in units of the last place of `exact`; infinity if a special value or a sign is wrong.
#[expect(
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "that rounds, and infinities are equal"
)]
fn error(got: f32, exact: f64) -> f64 {
    let rounded = exact as f32;
    if rounded.is_nan() || got.is_nan() || rounded.is_infinite() || got.is_infinite() {
        let is_right = rounded.is_nan() && got.is_nan() || rounded == got;
        return if is_right { 0.0 } else { f64::INFINITY };
    }
    if got.is_sign_negative() != rounded.is_sign_negative() {
        return f64::INFINITY;
    }
    // The exponent of f64 is that of the exact number, or that of subnormal numbers of f32.
    let exponent = (exact.abs().to_bits() >> 52).max(1023 - 126) - 23;
    (f64::from(got) - exact).abs() / f64::from_bits(exponent << 52)
}

#[expect(clippy::print_stdout, reason = "the figures")]
fn measure(step: usize) {
    for (name, function, exact, bound) in FUNCTIONS {
        let mut largest = (0.0, 0.0);
        for bits in (0..=u32::MAX).step_by(step) {
            let x = f32::from_bits(bits);
            let error = error(function(x), exact(f64::from(x)));
            if error > largest.0 {
                largest = (error, x);
            }
        }
        println!("{name}: {} at {:e}", largest.0, largest.1);
        assert!(
            largest.0 <= bound,
            "{name}: {} at {:e}",
            largest.0,
            largest.1
        );
    }
}

#[test]
fn the_errors_of_a_sample_are_small() {
    measure(40_009);
}

#[test]
#[ignore = "it takes an hour"]
fn the_errors_of_all_numbers_are_small() {
    measure(1);
}

#[test]
fn special_operands_have_the_results_of_the_c_standard() {
    let numbers = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        2.0,
        -2.0,
        3.0,
        -3.0,
        1e-45,
        -1e-45,
        1e38,
        -1e38,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    for x in numbers {
        for y in numbers {
            let is_close = |got: f32, expected: f32| {
                let is_equal = got.to_bits() == expected.to_bits()
                    || (got - expected).abs() <= 1e-6 * expected.abs() && got != 0.0;
                assert!(
                    is_equal || got.is_nan() && expected.is_nan(),
                    "{x:e} {y:e}: {got:e} {expected:e}"
                );
            };
            is_close(single::tile_pow_f32(x, y), x.powf(y));
            is_close(single::tile_atan2_f32(x, y), x.atan2(y));
            is_close(single::tile_fmod_f32(x, y), x % y);
            let double = device_math::double::tile_pow_f64(x.into(), y.into());
            assert_eq!(
                double.is_nan(),
                f64::from(x).powf(y.into()).is_nan(),
                "{x:e} {y:e}"
            );
        }
    }
}

#[test]
fn remainders_are_exact() {
    let mut random = tile_core::testing::Random::new(1);
    for _ in 0..100_000 {
        let bits = random.bits();
        let (x, y) = (f64::from_bits(bits), f64::from_bits(random.bits()));
        let got = device_math::double::tile_fmod_f64(x, y);
        assert!(
            got.to_bits() == (x % y).to_bits() || got.is_nan() && (x % y).is_nan(),
            "{x:e} {y:e}"
        );
        #[expect(clippy::cast_possible_truncation, reason = "the halves")]
        let (x, y) = (
            f32::from_bits((bits >> 32) as u32),
            f32::from_bits(bits as u32),
        );
        let got = single::tile_fmod_f32(x, y);
        assert!(
            got.to_bits() == (x % y).to_bits() || got.is_nan() && (x % y).is_nan(),
            "{x:e} {y:e}"
        );
    }
}

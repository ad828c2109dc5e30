//! Tests that approximate functions are within the bounds of the PTX ISA, and agree with its tables
//! of special values.

use half::{bf16, f16};

use crate::support::Width::{B16, B32, B64};
use crate::support::{NAN32, apply, bits32, f32_of};

const INF: f32 = f32::INFINITY;
const TINY: f32 = f32::from_bits(1);

/// Generates f32 numbers of every exponent in a range, with both signs.
fn sample(exponents: std::ops::Range<u32>) -> Vec<[u64; 3]> {
    let mut state = 1u64;
    let mut cases = Vec::new();
    for exponent in exponents {
        for _ in 0..40 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let magnitude = exponent << 23 | (state >> 40) as u32 & 0x7f_ffff;
            cases.push([u64::from(magnitude), 0, 0]);
            cases.push([u64::from(magnitude | 1 << 31), 0, 0]);
        }
    }
    cases
}

/// Returns the ulp of f32 at a value.
fn ulp(exact: f64) -> f64 {
    let exponent = ((exact.abs().to_bits() >> 52) as i32 - 1023).max(-126);
    f64::from(exponent - 23).exp2()
}

/// Compares every finite result with a function, within an error bound.
fn check(
    body: &str,
    cases: &[[u64; 3]],
    function: impl Fn(f64) -> f64,
    bound: impl Fn(f64, f64) -> f64,
) {
    let mut checked = 0;
    for (case, actual) in cases.iter().zip(apply(body, B32, B32, cases)) {
        let x = f64::from(f32_of(case[0]));
        let (exact, actual) = (function(x), f64::from(f32_of(actual)));
        if exact.is_nan() {
            assert!(actual.is_nan(), "{body} {x:e}: {actual:e}, not NaN");
        } else if actual.is_finite() && exact.abs() < f64::from(f32::MAX) {
            let error = (actual - exact).abs();
            assert!(
                error <= bound(x, exact),
                "{body} {x:e}: {actual:e}, not {exact:e}"
            );
            checked += 1;
        }
    }
    assert!(checked > cases.len() / 4, "{body}: {checked} checked");
}

fn relative(bits: f64) -> impl Fn(f64, f64) -> f64 {
    move |_, exact| (exact.abs() * (-bits).exp2()).max(f64::from(TINY))
}

#[test]
fn approximate_functions_of_f32_keep_their_bounds() {
    let cases = sample(0..255);
    check(
        "rcp.approx.f32 %out, %x;",
        &cases,
        f64::recip,
        |_, exact| ulp(exact),
    );
    check(
        "sqrt.approx.f32 %out, %x;",
        &cases,
        f64::sqrt,
        relative(23.0),
    );
    check(
        "rsqrt.approx.f32 %out, %x;",
        &cases,
        |x| 1.0 / x.sqrt(),
        relative(22.9),
    );
    check(
        "ex2.approx.f32 %out, %x;",
        &sample(100..134),
        f64::exp2,
        relative(22.0),
    );
    check("lg2.approx.f32 %out, %x;", &cases, f64::log2, |x, exact| {
        let places = (-22.0f64).exp2();
        if (0.5..=2.0).contains(&x) {
            places
        } else {
            places * exact.abs()
        }
    });
    for (name, function) in [("sin", f64::sin as fn(f64) -> f64), ("cos", f64::cos)] {
        let body = format!("{name}.approx.f32 %out, %x;");
        check(&body, &sample(100..129), function, |_, _| (-20.5f64).exp2());
        check(&body, &sample(129..135), function, |_, _| (-14.7f64).exp2());
    }
    check(
        "tanh.approx.f32 %out, %x;",
        &cases,
        f64::tanh,
        relative(11.0),
    );
    check(
        "div.full.f32 %out, 0f40490fdb, %x;",
        &cases,
        |x| f64::from(f32_of(0x4049_0fdb)) / x,
        |_, exact| 2.0 * ulp(exact),
    );
    check(
        "div.approx.f32 %out, 0f40490fdb, %x;",
        &sample(1..253),
        |x| f64::from(f32_of(0x4049_0fdb)) / x,
        |_, exact| 2.0 * ulp(exact),
    );
}

#[test]
fn approximate_functions_of_halves_keep_their_bounds() {
    let halves: Vec<[u64; 3]> = (0..=0xffff).map(|bits| [bits, 0, 0]).collect();
    let check =
        |body: &str, read: fn(u16) -> f64, function: fn(f64) -> f64, bound: fn(f64) -> f64| {
            for (case, actual) in halves.iter().zip(apply(body, B16, B16, &halves)) {
                let (exact, actual) = (function(read(case[0] as u16)), read(actual as u16));
                if exact.is_nan() {
                    assert!(actual.is_nan(), "{body} {case:x?}");
                } else if actual.is_finite() {
                    assert!(
                        (actual - exact).abs() <= bound(exact),
                        "{body} {case:x?}: {actual:e}, not {exact:e}"
                    );
                }
            }
        };
    let ieee = |bits: u16| f16::from_bits(bits).to_f64();
    let brain = |bits: u16| bf16::from_bits(bits).to_f64();
    check("ex2.approx.f16 %out, %x;", ieee, f64::exp2, |exact| {
        (exact.abs() * (-9.9f64).exp2()).max((-24f64).exp2())
    });
    check("tanh.approx.f16 %out, %x;", ieee, f64::tanh, |_| {
        (-10.987f64).exp2()
    });
    check("tanh.approx.bf16 %out, %x;", brain, f64::tanh, |_| {
        (-8f64).exp2()
    });
    check("ex2.approx.ftz.bf16 %out, %x;", brain, f64::exp2, |exact| {
        (exact.abs() * (-7f64).exp2()).max((-126f64).exp2())
    });
}

/// Tests the tables of special values in the PTX ISA.
#[test]
fn approximate_functions_have_the_special_values_of_the_tables() {
    let nan = f32::NAN;
    let one = |body: &str, x: f32| apply(body, B32, B32, &[[u64::from(x.to_bits()), 0, 0]])[0];
    #[rustfmt::skip]
    let tables: [(&str, &[(f32, f32)]); 14] = [
        ("rcp.approx.ftz.f32", &[(-INF, -0.0), (-TINY, -INF), (-0.0, -INF), (0.0, INF), (TINY, INF), (INF, 0.0), (nan, nan)]),
        ("rcp.approx.f32", &[(-INF, -0.0), (-0.0, -INF), (0.0, INF), (INF, 0.0), (nan, nan)]),
        ("sqrt.approx.ftz.f32", &[(-INF, nan), (-1.0, nan), (-TINY, -0.0), (-0.0, -0.0), (0.0, 0.0), (TINY, 0.0), (INF, INF), (nan, nan)]),
        ("sqrt.approx.f32", &[(-INF, nan), (-1.0, nan), (-0.0, -0.0), (0.0, 0.0), (INF, INF), (nan, nan)]),
        ("rsqrt.approx.ftz.f32", &[(-INF, nan), (-1.0, nan), (-TINY, -INF), (-0.0, -INF), (0.0, INF), (TINY, INF), (INF, 0.0), (nan, nan)]),
        ("rsqrt.approx.f32", &[(-INF, nan), (-1.0, nan), (-0.0, -INF), (0.0, INF), (INF, 0.0), (nan, nan)]),
        ("sin.approx.ftz.f32", &[(-INF, nan), (-TINY, -0.0), (-0.0, -0.0), (0.0, 0.0), (TINY, 0.0), (INF, nan), (nan, nan)]),
        ("sin.approx.f32", &[(-INF, nan), (-0.0, -0.0), (0.0, 0.0), (INF, nan), (nan, nan)]),
        ("cos.approx.ftz.f32", &[(-INF, nan), (-TINY, 1.0), (-0.0, 1.0), (0.0, 1.0), (TINY, 1.0), (INF, nan), (nan, nan)]),
        ("lg2.approx.ftz.f32", &[(-INF, nan), (-TINY, -INF), (-0.0, -INF), (0.0, -INF), (TINY, -INF), (INF, INF), (nan, nan)]),
        ("lg2.approx.f32", &[(-INF, nan), (-1.0, nan), (-0.0, -INF), (0.0, -INF), (INF, INF), (nan, nan)]),
        ("ex2.approx.ftz.f32", &[(-INF, 0.0), (-TINY, 1.0), (-0.0, 1.0), (0.0, 1.0), (TINY, 1.0), (INF, INF), (nan, nan)]),
        ("ex2.approx.f32", &[(-INF, 0.0), (-0.0, 1.0), (0.0, 1.0), (INF, INF), (nan, nan), (1000.0, INF), (-1000.0, 0.0)]),
        ("tanh.approx.f32", &[(-INF, -1.0), (-0.0, -0.0), (0.0, 0.0), (INF, 1.0), (nan, nan)]),
    ];
    for (name, rows) in tables {
        for &(x, expected) in rows {
            let actual = one(&format!("{name} %out, %x;"), x);
            assert_eq!(actual, bits32(expected), "{name} {x:e}");
        }
    }
    // For a divisor above 2^126 the quotient is zero, or NaN for an infinite dividend (PTX ISA,
    // "div").
    let divide = |x: f32, y: f32| {
        let case = [u64::from(x.to_bits()), u64::from(y.to_bits()), 0];
        apply("div.approx.f32 %out, %x, %y;", B32, B32, &[case])[0]
    };
    assert_eq!(divide(3.0, 1.5e38), 0);
    assert_eq!(divide(INF, 1.5e38), NAN32);
    assert_eq!(divide(3.0, 4.0), bits32(0.75));
}

#[test]
fn approximate_functions_of_f64_give_the_upper_half() {
    let one = |body: &str, x: f64| f64::from_bits(apply(body, B64, B64, &[[x.to_bits(), 0, 0]])[0]);
    for x in [1.0, 3.0, -7.5, 1e200, 1e-200, 0.1] {
        let actual = one("rcp.approx.ftz.f64 %out, %x;", x);
        assert!((actual * x - 1.0).abs() < (-19f64).exp2(), "{x:e}");
        assert_eq!(actual.to_bits() & 0xffff_ffff, 0);
    }
    for x in [1.0, 3.0, 7.5, 1e200, 1e-200] {
        let actual = one("rsqrt.approx.ftz.f64 %out, %x;", x);
        assert!((actual * actual * x - 1.0).abs() < (-18f64).exp2(), "{x:e}");
        assert_eq!(actual.to_bits() & 0xffff_ffff, 0);
        let actual = one("rsqrt.approx.f64 %out, %x;", x);
        assert!((actual * actual * x - 1.0).abs() < 1e-15, "{x:e}");
    }
    let subnormal = f64::from_bits(1);
    assert_eq!(
        one("rcp.approx.ftz.f64 %out, %x;", subnormal),
        f64::INFINITY
    );
    assert_eq!(
        one("rcp.approx.ftz.f64 %out, %x;", f64::NEG_INFINITY).to_bits(),
        1 << 63
    );
    assert!(one("rsqrt.approx.ftz.f64 %out, %x;", -1.0).is_nan());
    assert_eq!(
        one("rsqrt.approx.ftz.f64 %out, %x;", -subnormal),
        f64::NEG_INFINITY
    );
}

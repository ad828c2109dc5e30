//! The exponential function in about 75 bits, and functions derived from it.

use super::double::Double;

/// ln 2 in three parts; the first has 42 bits, so that its product with an exponent is exact.
const LN_2: [f64; 3] = [
    0.693_147_180_559_890_3,
    5.497_923_018_708_371e-14,
    1.947_045_092_380_75e-31,
];
/// 1/6 and 1/24.
const INVERSE_FACTORIALS: [Double; 2] = [
    Double::new(0.166_666_666_666_666_66, 9.251_858_538_542_97e-18),
    Double::new(0.041_666_666_666_666_664, 2.312_964_634_635_742_7e-18),
];
/// The coefficients 1/10! to 1/5!.
const TAIL: [f64; 6] = [
    1.0 / 3_628_800.0,
    1.0 / 362_880.0,
    1.0 / 40_320.0,
    1.0 / 5_040.0,
    1.0 / 720.0,
    1.0 / 120.0,
];
/// The number of times that the argument is halved, for a short series.
const HALVINGS: i32 = 5;

/// Returns `e^x` as `(1 + m) * 2^k`; `x` is between -800 and 800.
fn split_exp(x: Double) -> (Double, i32) {
    let k = libm::rint(x.hi * std::f64::consts::LOG2_E);
    let [high, middle, low] = LN_2.map(|part| Double::product(-k, part));
    let rest = x.add(high).add(middle).add(low);
    let r = rest.scale(1.0 / f64::from(1 << HALVINGS));
    let square = r.multiply(r);
    let cube = square.multiply(r);
    let fourth = square.multiply(square);
    let tail = TAIL.iter().fold(0.0, |sum, term| sum * r.hi + term);
    let [third, twenty_fourth] = INVERSE_FACTORIALS;
    let mut m = Double::new(fourth.hi * r.hi * tail, 0.0)
        .add(fourth.multiply(twenty_fourth))
        .add(cube.multiply(third))
        .add(square.scale(0.5))
        .add(r);
    // Squaring `1 + m` doubles the argument.
    for _ in 0..HALVINGS {
        m = m.multiply(m.add(Double::new(2.0, 0.0)));
    }
    #[expect(clippy::cast_possible_truncation, reason = "below 1200")]
    let k = k as i32;
    (m, k)
}

/// Returns `e^x` for any `x`, nearly always correctly rounded.
pub(super) fn exp(x: Double) -> f64 {
    if x.hi.abs() > 800.0 {
        return if x.hi > 0.0 { f64::INFINITY } else { 0.0 };
    }
    let (m, k) = split_exp(x);
    libm::scalbn(m.add(Double::ONE).hi, k)
}

/// Returns `e^x - 1` for `x` from 2^-60 to 80 in magnitude.
fn exp_minus_one(x: f64) -> Double {
    let (m, k) = split_exp(Double::new(x, 0.0));
    if k == 0 {
        return m;
    }
    let power = m.add(Double::ONE).scale(libm::scalbn(1.0, k));
    power.add(Double::ONE.negate())
}

/// The magnitude of `x` below which `sinh(x)` and `tanh(x)` round to `x`, and `cosh(x)` to 1.
const TINY: f64 = 3.725_290_298_461_914e-9; // 2^-28
/// The argument from which `e^-x` is negligible.
const LARGE: f64 = 40.0;

/// Returns the hyperbolic sine.
pub(super) fn sinh(x: f64) -> f64 {
    let a = x.abs();
    if x.is_nan() || a < TINY {
        return x;
    }
    if a > LARGE {
        return half_exp(a).copysign(x);
    }
    let e = exp_minus_one(a);
    let result = e.add(e.divide(e.add(Double::ONE)));
    (result.hi * 0.5).copysign(x)
}

/// Returns the hyperbolic cosine.
pub(super) fn cosh(x: f64) -> f64 {
    let a = x.abs();
    if x.is_nan() {
        return x;
    }
    if a < TINY {
        return 1.0;
    }
    if a > LARGE {
        return half_exp(a);
    }
    let e = exp_minus_one(a);
    let excess = e.multiply(e).divide(e.add(Double::ONE)).scale(0.5);
    excess.add(Double::ONE).hi
}

/// Returns the hyperbolic tangent.
pub(super) fn tanh(x: f64) -> f64 {
    let a = x.abs();
    if x.is_nan() || a < TINY {
        return x;
    }
    if a > LARGE {
        return 1.0_f64.copysign(x);
    }
    let e = exp_minus_one(2.0 * a);
    e.divide(e.add(Double::new(2.0, 0.0))).hi.copysign(x)
}

/// Returns `e^x / 2`, which is finite for larger `x` than `e^x`.
fn half_exp(x: f64) -> f64 {
    if x > 800.0 {
        return f64::INFINITY;
    }
    let (m, k) = split_exp(Double::new(x, 0.0));
    libm::scalbn(m.add(Double::ONE).hi, k - 1)
}

//! Powers and roots.

use super::double::Double;
use super::exponential;

/// Returns `1 / sqrt(x)`: an infinity with the sign of `x` for a zero, and NaN for a negative
/// number.
pub(super) fn rsqrt(x: f64) -> f64 {
    if x == 0.0 {
        return f64::INFINITY.copysign(x);
    }
    if x.is_nan() || x < 0.0 || x == f64::INFINITY {
        return if x == f64::INFINITY { 0.0 } else { f64::NAN };
    }
    // `x` is scaled by an even power of two, so that no remainder is subnormal.
    let exponent = libm::ilogb(x) & !1;
    let x = libm::scalbn(x, -exponent);
    let root = x.sqrt();
    let first = 1.0 / root;
    // x = root^2 - lack, 1 = first * root + rest.
    let square = Double::product(root, root);
    let lack = (square.hi - x) + square.lo;
    let product = Double::product(first, root);
    let rest = (1.0 - product.hi) - product.lo;
    let result = first + first * (rest + 0.5 * lack * first * first);
    libm::scalbn(result, -exponent / 2)
}

/// Returns `x^n`, for every integer `n`.
#[expect(clippy::cast_precision_loss, reason = "where it does not matter")]
pub(in crate::interp) fn powi(x: f64, n: i64) -> f64 {
    /// The number above which not every integer is an f64.
    const EXACT: u64 = 1 << 53;
    /// The distance of `x` from 1 above which a power higher than [`EXACT`] is infinite or zero.
    const NEAR: f64 = 1.136_868_377_216_160_3e-13; // 2^-43
    let distance = x.abs() - 1.0;
    if n.unsigned_abs() <= EXACT {
        return libm::pow(x, n as f64);
    }
    let magnitude = if distance.abs() > NEAR || x.is_nan() {
        libm::pow(x.abs(), n as f64)
    } else {
        exponential::exp(Double::from_integer(n).multiply(ln_near_one(distance)))
    };
    if n % 2 != 0 {
        magnitude.copysign(x)
    } else {
        magnitude
    }
}

/// Returns `ln(1 + d)`, where `d` is a multiple of 2^-53 and at most 2^-43 in magnitude.
fn ln_near_one(d: f64) -> Double {
    if d == 0.0 {
        return Double::new(0.0, 0.0);
    }
    let square = Double::product(d, d).scale(-0.5);
    Double::new(d, 0.0)
        .add(square)
        .add(Double::new(d * d * d / 3.0, 0.0))
}

//! The functions of f32, in f32 arithmetic only: many GPUs compute f64 at 1/64 of the rate of f32.

use core::hint::select_unpredictable;

use super::device::{exp2_approx_f32 as exp2_approx, reciprocal_approx_f32 as reciprocal_approx};
use super::polynomial::single::*;

/// Added to a number below 2^22 in magnitude, rounds it to an integer, whose low bits are the low bits of the sum.
const ROUND: f32 = 12_582_912.0;
const LOG2_E: f32 = f32::from_bits(0x3fb8_aa3b);
const LN_2: f32 = f32::from_bits(0x3f31_7218);
const LN_2_REST: f32 = f32::from_bits(0xb102_e308);
const PI: f32 = f32::from_bits(0x4049_0fdb);
const PI_REST: f32 = f32::from_bits(0xb3bb_bd2e);
/// Half of pi, in three parts.
const HALF_PI: f32 = f32::from_bits(0x3fc9_0fdb);
const HALF_PI_REST: f32 = f32::from_bits(0xb33b_bd2e);
const HALF_PI_LAST: f32 = f32::from_bits(0xa6f7_2ced);
const TWO_BY_PI: f32 = f32::from_bits(0x3f22_f983);
/// `2 / ln 2`, in two parts.
const TWO_LOG2_E: f32 = f32::from_bits(0x4038_aa3b);
const TWO_LOG2_E_REST: f32 = f32::from_bits(0x3325_7060);
/// `1 / ln 2`, the part after [`LOG2_E`].
const LOG2_E_REST: f32 = f32::from_bits(0x32a5_7060);
const THIRD: f32 = f32::from_bits(0x3eaa_aaab);
const THIRD_REST: f32 = f32::from_bits(0xb22a_aaab);

#[inline(always)]
fn fma(a: f32, b: f32, c: f32) -> f32 {
    a.mul_add(b, c)
}

/// Computes a polynomial by Horner's rule. The coefficient of the lowest power comes first.
#[inline(always)]
fn horner<const N: usize>(x: f32, coefficients: &[f32; N]) -> f32 {
    let mut sum = coefficients[N - 1];
    let mut index = N - 1;
    while index > 0 {
        index -= 1;
        sum = fma(sum, x, coefficients[index]);
    }
    sum
}

#[inline(always)]
fn scale(exponent: i32) -> f32 {
    f32::from_bits((exponent.wrapping_add(127) as u32) << 23)
}

/// `x = n ln 2 + r` with `|r| <= ln 2 / 2`. Returns `n + ROUND` and `r`.
#[inline(always)]
fn reduce_exponent(x: f32) -> (f32, f32) {
    let shifted = fma(x, LOG2_E, ROUND);
    let n = shifted - ROUND;
    let r = fma(n, -LN_2, x);
    (shifted, fma(n, -LN_2_REST, r))
}

/// The parts of `sinh` and `cosh`: `e^x` is `4 power (large + rest)`, and `e^-x` is `power_inverse / 4 small`.
struct Hyperbolic {
    is_small: bool,
    power: f32,
    large: f32,
    rest: f32,
    /// `e^-x / 4`, which becomes 0 where it does not matter.
    inverse: f32,
    /// `sinh` of the reduced operand.
    sinh: f32,
}

/// Splits `e^x` and `e^-x` for a non-negative `x`, with one polynomial for the even and one for the odd powers.
/// Below the limit `direct`, `sinh` is the odd powers of `x` itself.
#[inline(always)]
fn hyperbolic(x: f32, direct: f32) -> Hyperbolic {
    // Above this limit the results are infinite. A NaN is kept.
    let x = if x > 89.5 { 89.5 } else { x };
    let is_small = x < direct;
    let (shifted, r) = reduce_exponent(select_unpredictable(is_small, 0.0, x));
    let r = select_unpredictable(is_small, x, r);
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3e80_0000));
    let inverse_power = f32::from_bits(0x7f00_0000_u32.wrapping_sub(power.to_bits()));
    let z = r * r;
    let even = z * horner(z, &COSH);
    let odd = (r * z) * horner(z, &SINH);
    let large = 1.0 + r;
    let rest = ((1.0 - large) + r) + (even + odd);
    let small = (1.0 - r) + (even - odd);
    Hyperbolic {
        is_small,
        power,
        large,
        rest,
        inverse: small * inverse_power * 0.0625,
        sinh: r + odd,
    }
}

/// The hyperbolic cosine.
#[unsafe(no_mangle)]
pub extern "C" fn tile_cosh_f32(x: f32) -> f32 {
    let h = hyperbolic(x.abs(), 0.0);
    let rest = fma(h.power, h.rest, h.inverse);
    2.0 * fma(h.power, h.large, rest)
}

/// The hyperbolic sine.
#[unsafe(no_mangle)]
pub extern "C" fn tile_sinh_f32(x: f32) -> f32 {
    let h = hyperbolic(x.abs(), 0.7);
    let rest = fma(h.power, h.rest, -h.inverse);
    let usual = 2.0 * fma(h.power, h.large, rest);
    let result = select_unpredictable(h.is_small, h.sinh, usual);
    result.copysign(x)
}

/// The hyperbolic tangent.
#[unsafe(no_mangle)]
pub extern "C" fn tile_tanh_f32(x: f32) -> f32 {
    let a = x.abs();
    if a < 0.65 {
        let z = a * a;
        return fma(a * z, horner(z, &TANH), a).copysign(x);
    }
    // The error of the product matters little: the slope of the result is small where the product is large.
    let exp = exp2_approx(a * (2.0 * LOG2_E));
    fma(-2.0, reciprocal_approx(exp + 1.0), 1.0).copysign(x)
}

/// A positive number is `2^e (1 + f)` with `f` between -1/3 and 1/3. Returns `e` and `f`.
#[inline(always)]
fn split(x: f32) -> (f32, f32) {
    let is_subnormal = x < f32::MIN_POSITIVE;
    let bits = if is_subnormal { x * 8_388_608.0 } else { x }.to_bits();
    let offset = if is_subnormal { -23.0 } else { 0.0 };
    let exponent = bits.wrapping_sub(0x3f2a_aaab) & 0xff80_0000;
    let f = f32::from_bits(bits.wrapping_sub(exponent)) - 1.0;
    let e = fma(exponent.cast_signed() as f32, 1.0 / 8_388_608.0, offset);
    (e, f)
}

#[inline(always)]
fn is_positive_finite(x: f32) -> bool {
    x.to_bits().wrapping_sub(1) < 0x7f7f_ffff
}

/// Returns `log` for a positive finite `x`, and otherwise the logarithm that has a special value.
#[inline(always)]
fn logarithm(x: f32, log: f32) -> f32 {
    // Infinity or NaN; of a negative number NaN.
    let special = fma(x, f32::INFINITY, f32::INFINITY);
    let special = select_unpredictable(x == 0.0, f32::NEG_INFINITY, special);
    select_unpredictable(is_positive_finite(x), log, special)
}

/// The natural logarithm.
#[unsafe(no_mangle)]
pub extern "C" fn tile_log_f32(x: f32) -> f32 {
    let (e, f) = split(x);
    let polynomial = horner(f, &LOG);
    let sum = fma(e, LN_2, f);
    // Exact: the error of the sum.
    let rest = fma(e, LN_2, -sum) + f;
    let square = f * f;
    let rest = fma(-0.5 * f, f, rest);
    let result = sum + fma(f * square, polynomial, rest);
    logarithm(x, result)
}

/// The logarithm to base 2.
#[unsafe(no_mangle)]
pub extern "C" fn tile_log2_f32(x: f32) -> f32 {
    let (e, f) = split(x);
    let polynomial = horner(f, &LOG2);
    let product = f * LOG2_E;
    let rest = fma(f, LOG2_E, -product);
    let rest = fma(f, LOG2_E_REST, rest);
    let rest = fma(f * f, polynomial, rest);
    let sum = e + product;
    let result = sum + (((e - sum) + product) + rest);
    logarithm(x, result)
}

/// `2 / pi` in binary, after 32 bits of zeros.
static TWO_BY_PI_BITS: [u32; 8] = [
    0,
    0xa2f9_836e,
    0x4e44_1529,
    0xfc27_57d1,
    0xf534_ddc0,
    0xdb62_9599,
    0x3c43_9041,
    0xfe51_63ab,
];

/// Reduces a number of at least 2^16 by the method of Payne and Hanek: only those bits of `2 / pi` are multiplied
/// which contribute to the quadrant or to the fraction.
#[inline(always)]
fn reduce_large(x: f32) -> (u32, f32, f32) {
    if !(x < f32::INFINITY) {
        return (0, f32::NAN, 0.0);
    }
    let bits = x.to_bits();
    let mantissa = u64::from((bits & 0x007f_ffff) | 0x0080_0000);
    // Bits of higher weight contribute multiples of four quadrants.
    let start = (bits >> 23) + 32 - 150 - 2;
    let (word, shift) = ((start / 32) as usize, start % 32);
    let at = |index: usize| {
        // SAFETY: `start` is at most 254 - 120, so `word` is at most 4, and `index` at most 3.
        u64::from(unsafe { *TWO_BY_PI_BITS.get_unchecked(word + index) })
    };
    let window = |index: usize| {
        let pair = (at(index) << 32) | at(index + 1);
        (pair << shift) >> 32
    };
    let product = ((mantissa * window(0)) << 32)
        .wrapping_add(mantissa * window(1))
        .wrapping_add((mantissa * window(2)) >> 32);
    let quadrant = (product.wrapping_add(1 << 61) >> 62) as u32;
    let fraction = (product << 2).cast_signed();
    let magnitude = fraction.unsigned_abs();
    let zeros = magnitude.leading_zeros();
    // pi / 4 as a fraction of 2^64.
    let angle = ((u128::from(magnitude << zeros) * 0xc90f_daa2_2168_c234) >> 64) as u64;
    let unit = scale(-63 - zeros.cast_signed());
    let r = angle as f32;
    // SAFETY: the number is below 2^64.
    let rest = angle
        .wrapping_sub(unsafe { r.to_int_unchecked() })
        .cast_signed() as f32;
    let sign = if fraction < 0 { -unit } else { unit };
    (quadrant, r * sign, rest * sign)
}

/// A non-negative number is `quadrant * pi / 2 + r + rest` with `|r| <= pi / 4`. Returns the last bits of the quadrant,
/// `r` and `rest`.
#[inline(always)]
fn reduce_angle(x: f32) -> (u32, f32, f32) {
    if x < 71476.0 {
        let shifted = fma(x, TWO_BY_PI, ROUND);
        let n = shifted - ROUND;
        // Exact.
        let high = fma(n, -HALF_PI, x);
        let low = n * HALF_PI_REST;
        let lowest = fma(n, HALF_PI_LAST, fma(n, HALF_PI_REST, -low));
        // `high` is a multiple of 2^-24, so the error of the difference is exact even where `low` is larger.
        let r = high - low;
        (shifted.to_bits(), r, ((high - r) - low) - lowest)
    } else {
        reduce_large(x)
    }
}

/// The sine of `quadrant * pi / 2 + r + rest`.
#[inline(always)]
fn sine_of(quadrant: u32, r: f32, rest: f32) -> f32 {
    let z = r * r;
    let is_odd = quadrant & 1 != 0;
    let pick = |odd, even| select_unpredictable(is_odd, odd, even);
    let sum = pick(COS[2], SIN[2]);
    let sum = fma(sum, z, pick(COS[1], SIN[1]));
    let sum = fma(sum, z, pick(COS[0], SIN[0]));
    let cosine = fma(z, -0.5, 1.0);
    let first = pick(cosine, r);
    let second = pick(fma(z, -0.5, 1.0 - cosine), rest);
    let result = first + fma(pick(z, r) * z, sum, second);
    f32::from_bits(result.to_bits() ^ ((quadrant & 2) << 30))
}

/// The sine.
#[unsafe(no_mangle)]
pub extern "C" fn tile_sin_f32(x: f32) -> f32 {
    let (quadrant, r, rest) = reduce_angle(x.abs());
    let sign = x.to_bits() & 0x8000_0000;
    f32::from_bits(sine_of(quadrant, r, rest).to_bits() ^ sign)
}

/// The cosine.
#[unsafe(no_mangle)]
pub extern "C" fn tile_cos_f32(x: f32) -> f32 {
    let (quadrant, r, rest) = reduce_angle(x.abs());
    sine_of(quadrant.wrapping_add(1), r, rest)
}

/// The tangent.
#[unsafe(no_mangle)]
pub extern "C" fn tile_tan_f32(x: f32) -> f32 {
    let (quadrant, r, rest) = reduce_angle(x.abs());
    let z = r * r;
    let odd = fma(r * z, horner(z, &TAN), rest);
    let tan = r + odd;
    let result = if quadrant & 1 != 0 {
        let tan_rest = (r - tan) + odd;
        let inverse = reciprocal_approx(tan);
        let error = fma(-tan_rest, inverse, fma(-tan, inverse, 1.0));
        -fma(inverse, error, inverse)
    } else {
        tan
    };
    f32::from_bits(result.to_bits() ^ (x.to_bits() & 0x8000_0000))
}

/// The angle of the point `(x, y)`.
#[unsafe(no_mangle)]
pub extern "C" fn tile_atan2_f32(y: f32, x: f32) -> f32 {
    let (a, b) = (y.abs(), x.abs());
    let is_steep = a > b;
    let (short, long) = if is_steep { (b, a) } else { (a, b) };
    let quotient = if short == long {
        // Also of two infinities, and of two zeros.
        if short == 0.0 { 0.0 } else { 1.0 }
    } else {
        short / long
    };
    // The angle is `base + quotient + tail`, where the last two may have another sign.
    let z = quotient * quotient;
    let tail = quotient * (z * horner(z, &ATAN));
    let is_left = x.is_sign_negative();
    let (base, base_rest) = if is_steep {
        (HALF_PI, HALF_PI_REST)
    } else if is_left {
        (PI, PI_REST)
    } else {
        (0.0, 0.0)
    };
    let is_subtracted = is_steep != is_left;
    let quotient = if is_subtracted { -quotient } else { quotient };
    let tail = if is_subtracted { -tail } else { tail };
    let sum = base + quotient;
    let rest = (base - sum) + quotient;
    let angle = sum + (rest + (tail + base_rest));
    if a.is_nan() || b.is_nan() {
        a + b
    } else {
        angle.copysign(y)
    }
}

/// The logarithm to base 2 of a positive number, as a sum of two f32.
#[inline(always)]
fn exact_log2(x: f32) -> (f32, f32) {
    let (e, u) = split(x);
    // s = u / (2 + u); ln(1 + u) = 2 atanh(s).
    let v = 2.0 + u;
    let v_rest = u - (v - 2.0);
    let inverse = reciprocal_approx(v);
    let s = u * inverse;
    let s_rest = fma(-s, v_rest, fma(-s, v, u)) * inverse;
    let z = s * s;
    let z_rest = fma(2.0 * s, s_rest, fma(s, s, -z));
    // c = 1/3 + z/5 + ...
    let tail = z * horner(z, &ATANH);
    let c = THIRD + tail;
    let c_rest = ((THIRD - c) + tail) + THIRD_REST;
    let k = z * c;
    let k_rest = fma(z_rest, c, fma(z, c_rest, fma(z, c, -k)));
    let g = s * k;
    let g_rest = fma(s_rest, k, fma(s, k_rest, fma(s, k, -g)));
    let l = s + g;
    let l_rest = ((s - l) + g) + (s_rest + g_rest);
    let p = l * TWO_LOG2_E;
    let p_rest = fma(
        l_rest,
        TWO_LOG2_E,
        fma(l, TWO_LOG2_E_REST, fma(l, TWO_LOG2_E, -p)),
    );
    let sum = e + p;
    let rest = ((e - sum) + p) + p_rest;
    let high = sum + rest;
    (high, (sum - high) + rest)
}

/// Returns `x` to the power of `y`.
#[unsafe(no_mangle)]
pub extern "C" fn tile_pow_f32(x: f32, y: f32) -> f32 {
    if x == 1.0 || y == 0.0 {
        return 1.0;
    }
    let a = x.abs();
    let is_integer = y.abs() >= 8_388_608.0 || y == y.round_ties_even();
    // Numbers from 2^24 on are even.
    let is_odd = is_integer && y.abs() < 16_777_216.0 && {
        // SAFETY: the number is in the range of the type.
        let whole = unsafe { y.to_int_unchecked::<i32>() };
        whole & 1 != 0
    };
    let magnitude = if a == 0.0 || a == f32::INFINITY {
        if (a == 0.0) == (y < 0.0) {
            f32::INFINITY
        } else {
            0.0
        }
    } else if a == 1.0 {
        1.0
    } else {
        let (log, log_rest) = exact_log2(a);
        let product = y * log;
        let rest = fma(y, log_rest, fma(y, log, -product));
        // Results overflow or underflow far from here. A NaN is kept.
        let is_large = product.abs() > 200.0;
        let rest = if is_large { 0.0 } else { rest };
        let product = if is_large {
            200.0f32.copysign(product)
        } else {
            product
        };
        let shifted = product + ROUND;
        let f = product - (shifted - ROUND);
        let t = f + rest;
        let t_rest = (f - t) + rest;
        let u = t * LN_2;
        let u_rest = fma(t_rest, LN_2, fma(t, LN_2, -u));
        let sum = 1.0 + u;
        let rest = ((1.0 - sum) + u) + fma(t * t, horner(t, &EXP2), u_rest);
        let power = sum + rest;
        let n = shifted
            .to_bits()
            .wrapping_sub(ROUND.to_bits())
            .cast_signed();
        let half = n >> 1;
        power * scale(half) * scale(n - half)
    };
    if x.is_nan() || y.is_nan() {
        x + y
    } else if x.is_sign_negative()
        && a != 0.0
        && a != f32::INFINITY
        && !is_integer
        && y.abs() != f32::INFINITY
    {
        f32::NAN
    } else if x.is_sign_negative() && is_odd {
        -magnitude
    } else {
        magnitude
    }
}

/// Returns `x` to an integer power, by repeated squaring.
#[unsafe(no_mangle)]
pub extern "C" fn tile_powi_f32(x: f32, exponent: i32) -> f32 {
    let mut rest = exponent.unsigned_abs();
    let mut square = x;
    let mut product = 1.0;
    while rest != 0 {
        if rest & 1 != 0 {
            product *= square;
        }
        square *= square;
        rest >>= 1;
    }
    if exponent < 0 { 1.0 / product } else { product }
}

/// The remainder of the division, exact, with the sign of the dividend.
#[unsafe(no_mangle)]
pub extern "C" fn tile_fmod_f32(x: f32, y: f32) -> f32 {
    let (a, b) = (x.abs().to_bits(), y.abs().to_bits());
    let sign = x.to_bits() & 0x8000_0000;
    if b == 0 || a >= 0x7f80_0000 || b > 0x7f80_0000 {
        return f32::NAN;
    }
    if a < b {
        return x;
    }
    let mantissa =
        |bits: u32| (bits & 0x007f_ffff) | if bits >= 0x0080_0000 { 0x0080_0000 } else { 0 };
    let exponent = |bits: u32| if bits >= 0x0080_0000 { bits >> 23 } else { 1 };
    let divisor = mantissa(b);
    // SAFETY: `b` is not 0, and a number without a hidden bit has other bits.
    unsafe { core::hint::assert_unchecked(divisor != 0) };
    let mut rest = mantissa(a);
    let mut shift = exponent(a) - exponent(b);
    loop {
        // A remainder has 24 bits, so 8 bits of the quotient are computed at once.
        let step = if shift < 8 { shift } else { 8 };
        rest = (rest << step) % divisor;
        shift -= step;
        if shift == 0 {
            break;
        }
    }
    let zeros = rest.leading_zeros() - 8;
    let place = exponent(b);
    let bits = if rest == 0 {
        0
    } else if zeros < place {
        (rest << zeros) - 0x0080_0000 + ((place - zeros) << 23)
    } else {
        rest << (place - 1)
    };
    f32::from_bits(bits | sign)
}

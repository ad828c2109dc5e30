//! The functions of f64.

use core::hint::select_unpredictable;

use super::device::{reciprocal_approx_f64, rsqrt_approx_f64};
use super::polynomial::double::*;

/// Added to a number below 2^51 in magnitude, rounds it to an integer, whose low bits are the low bits of the sum.
const ROUND: f64 = 6_755_399_441_055_744.0;
const LOG2_E: f64 = f64::from_bits(0x3ff7_1547_652b_82fe);
const LN_2: f64 = f64::from_bits(0x3fe6_2e42_fefa_39ef);
const LN_2_REST: f64 = f64::from_bits(0x3c7a_bc9e_3b39_803f);
/// `ln 2` in two parts, of which the first has 42 bits.
const LN_2_SHORT: f64 = f64::from_bits(0x3fe6_2e42_fefa_3800);
const LN_2_SHORT_REST: f64 = f64::from_bits(0x3d2e_f357_93c7_6730);
const PI: f64 = f64::from_bits(0x4009_21fb_5444_2d18);
const PI_REST: f64 = f64::from_bits(0x3ca1_a626_3314_5c07);
/// Half of pi, in three parts.
const HALF_PI: f64 = f64::from_bits(0x3ff9_21fb_5444_2d18);
const HALF_PI_REST: f64 = f64::from_bits(0x3c91_a626_3314_5c07);
const HALF_PI_LAST: f64 = f64::from_bits(0xb91f_1976_b7ed_8fbc);
const TWO_BY_PI: f64 = f64::from_bits(0x3fe4_5f30_6dc9_c883);
/// `2 / ln 2`, in two parts.
const TWO_LOG2_E: f64 = f64::from_bits(0x4007_1547_652b_82fe);
const TWO_LOG2_E_REST: f64 = f64::from_bits(0x3c87_77d0_ffda_0d24);
const THIRD: f64 = f64::from_bits(0x3fd5_5555_5555_5555);
const THIRD_REST: f64 = f64::from_bits(0x3c75_5555_5555_5555);

#[inline(always)]
fn fma(a: f64, b: f64, c: f64) -> f64 {
    a.mul_add(b, c)
}

/// Computes a polynomial by Horner's rule. The coefficient of the lowest power comes first.
#[inline(always)]
fn horner<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let mut sum = coefficients[N - 1];
    let mut index = N - 1;
    while index > 0 {
        index -= 1;
        sum = fma(sum, x, coefficients[index]);
    }
    sum
}

#[inline(always)]
fn scale(exponent: i32) -> f64 {
    f64::from_bits((exponent.wrapping_add(1023) as u64) << 52)
}

/// `x 2^n`, where the powers of 2 may be subnormal or infinite.
#[inline(always)]
fn scale_by(x: f64, n: i32) -> f64 {
    let half = n >> 1;
    x * scale(half) * scale(n.wrapping_sub(half))
}

/// The inverse of a number that is far from overflow and underflow; its error is close to half a unit.
#[inline(always)]
fn reciprocal(x: f64) -> f64 {
    let guess = reciprocal_approx_f64(x);
    let error = fma(-x, guess, 1.0);
    let error = fma(error, error, error);
    let guess = fma(guess, error, guess);
    fma(guess, fma(-x, guess, 1.0), guess)
}

/// `x + rest = n ln 2 + r + r_rest` with `|r| <= ln 2 / 2`. Returns `n`, `r` and `r_rest`.
#[inline(always)]
fn reduce_exponent(x: f64, rest: f64) -> (i32, f64, f64) {
    let shifted = fma(x, LOG2_E, ROUND);
    let n = shifted - ROUND;
    // Exact.
    let high = fma(n, -LN_2, x);
    let low = fma(n, -LN_2_REST, rest);
    let r = high + low;
    (shifted.to_bits() as i32, r, (high - r) + low)
}

/// `e^(x + rest)` is `2^n (high + low)`. Returns `n`, `high` and `low`.
#[inline(always)]
fn exact_exp(x: f64, rest: f64) -> (i32, f64, f64) {
    let (n, r, r_rest) = reduce_exponent(x, rest);
    let tail = fma(r * r, horner(r, &EXP), fma(r, r_rest, r_rest));
    let high = 1.0 + r;
    (n, high, ((1.0 - high) + r) + tail)
}

/// The exponential.
#[unsafe(no_mangle)]
pub extern "C" fn tile_exp_f64(x: f64) -> f64 {
    // Beyond these limits the results are infinite or zero. A NaN is kept.
    let x = if x > 720.0 { 720.0 } else { x };
    let x = if x < -760.0 { -760.0 } else { x };
    let (n, high, low) = exact_exp(x, 0.0);
    scale_by(high + low, n)
}

/// 2 to the power of `x`.
#[unsafe(no_mangle)]
pub extern "C" fn tile_exp2_f64(x: f64) -> f64 {
    let x = if x > 1050.0 { 1050.0 } else { x };
    let x = if x < -1100.0 { -1100.0 } else { x };
    let shifted = x + ROUND;
    let f = x - (shifted - ROUND);
    let u = f * LN_2;
    let u_rest = fma(f, LN_2_REST, fma(f, LN_2, -u));
    let sum = 1.0 + u;
    let rest = ((1.0 - sum) + u) + fma(f * f, horner(f, &EXP2), u_rest);
    scale_by(sum + rest, shifted.to_bits() as i32)
}

/// The parts of `sinh` and `cosh`: `e^x` is `4 power (large + rest)`.
struct Hyperbolic {
    is_small: bool,
    power: f64,
    large: f64,
    rest: f64,
    /// `e^-x / 4`, which becomes 0 where it does not matter.
    inverse: f64,
    /// `sinh` of the reduced operand.
    sinh: f64,
}

/// Splits `e^x` and `e^-x` for a non-negative `x`, with one polynomial for the even and one for the odd powers.
/// Below the limit `direct`, `sinh` is the odd powers of `x` itself.
#[inline(always)]
fn hyperbolic(x: f64, direct: f64) -> Hyperbolic {
    // Above this limit the results are infinite. A NaN is kept.
    let x = if x > 710.6 { 710.6 } else { x };
    let is_small = x < direct;
    let (n, r, r_rest) = reduce_exponent(select_unpredictable(is_small, 0.0, x), 0.0);
    let r = select_unpredictable(is_small, x, r);
    let power = scale(n.wrapping_sub(2));
    let inverse_power = f64::from_bits(0x7fe0_0000_0000_0000_u64.wrapping_sub(power.to_bits()));
    let z = r * r;
    let even = z * horner(z, &COSH);
    let odd = fma(r * z, horner(z, &SINH), r_rest);
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
pub extern "C" fn tile_cosh_f64(x: f64) -> f64 {
    let h = hyperbolic(x.abs(), 0.0);
    let rest = fma(h.power, h.rest, h.inverse);
    2.0 * fma(h.power, h.large, rest)
}

/// The hyperbolic sine.
#[unsafe(no_mangle)]
pub extern "C" fn tile_sinh_f64(x: f64) -> f64 {
    let h = hyperbolic(x.abs(), 0.7);
    let rest = fma(h.power, h.rest, -h.inverse);
    let usual = 2.0 * fma(h.power, h.large, rest);
    let result = select_unpredictable(h.is_small, h.sinh, usual);
    result.copysign(x)
}

/// The hyperbolic tangent.
#[unsafe(no_mangle)]
pub extern "C" fn tile_tanh_f64(x: f64) -> f64 {
    let a = x.abs();
    if a < 0.65 {
        let z = a * a;
        return fma(a * z, horner(z, &TANH), a).copysign(x);
    }
    // Beyond this limit the result is 1. A NaN is kept.
    let a = if a > 20.0 { 20.0 } else { a };
    let (n, high, low) = exact_exp(2.0 * a, 0.0);
    let power = scale(n);
    let exp = high + low;
    let exp_rest = (high - exp) + low;
    let sum = fma(exp, power, 1.0);
    let rest = fma(exp_rest, power, fma(exp, power, -sum) + 1.0);
    let inverse = reciprocal(sum);
    let inverse = fma(-rest * inverse, inverse, inverse);
    fma(-2.0, inverse, 1.0).copysign(x)
}

/// A positive number is `2^e (1 + f)` with `f` between -1/3 and 1/3. Returns `e` and `f`.
#[inline(always)]
fn split(x: f64) -> (f64, f64) {
    let is_subnormal = x < f64::MIN_POSITIVE;
    let bits = if is_subnormal {
        x * 18_014_398_509_481_984.0
    } else {
        x
    }
    .to_bits();
    let offset = if is_subnormal { -54 } else { 0 };
    let exponent = bits.wrapping_sub(0x3fe5_5555_5555_5555) & 0xfff0_0000_0000_0000;
    let f = f64::from_bits(bits.wrapping_sub(exponent)) - 1.0;
    let e = ((exponent >> 32) as u32).cast_signed() >> 20;
    (f64::from(e + offset), f)
}

/// Half of the natural logarithm of `1 + u`, as a sum of two f64.
#[inline(always)]
fn exact_half_log(u: f64) -> (f64, f64) {
    // s = u / (2 + u); ln(1 + u) = 2 atanh(s).
    let v = 2.0 + u;
    let v_rest = u - (v - 2.0);
    let inverse = reciprocal(v);
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
    (l, ((s - l) + g) + (s_rest + g_rest))
}

/// The natural logarithm of a positive number, as a sum of two f64.
#[inline(always)]
fn exact_log(x: f64) -> (f64, f64) {
    let (e, u) = split(x);
    let (l, l_rest) = exact_half_log(u);
    let (p, p_rest) = (2.0 * l, 2.0 * l_rest);
    // Exact.
    let whole = e * LN_2_SHORT;
    let sum = whole + p;
    let rest = ((whole - sum) + p) + fma(e, LN_2_SHORT_REST, p_rest);
    let high = sum + rest;
    (high, (sum - high) + rest)
}

#[inline(always)]
fn is_positive_finite(x: f64) -> bool {
    x.to_bits().wrapping_sub(1) < 0x7fef_ffff_ffff_ffff
}

/// Returns `log` for a positive finite `x`, and otherwise the logarithm that has a special value.
#[inline(always)]
fn logarithm(x: f64, log: f64) -> f64 {
    // Infinity or NaN; of a negative number NaN.
    let special = fma(x, f64::INFINITY, f64::INFINITY);
    let special = select_unpredictable(x == 0.0, f64::NEG_INFINITY, special);
    select_unpredictable(is_positive_finite(x), log, special)
}

/// The natural logarithm.
#[unsafe(no_mangle)]
pub extern "C" fn tile_log_f64(x: f64) -> f64 {
    let (log, _) = exact_log(x);
    logarithm(x, log)
}

/// The logarithm to base 2.
#[unsafe(no_mangle)]
pub extern "C" fn tile_log2_f64(x: f64) -> f64 {
    let (e, u) = split(x);
    let (l, l_rest) = exact_half_log(u);
    let p = l * TWO_LOG2_E;
    let p_rest = fma(
        l_rest,
        TWO_LOG2_E,
        fma(l, TWO_LOG2_E_REST, fma(l, TWO_LOG2_E, -p)),
    );
    let sum = e + p;
    let result = sum + (((e - sum) + p) + p_rest);
    logarithm(x, result)
}

/// The inverse of the square root.
#[unsafe(no_mangle)]
pub extern "C" fn tile_rsqrt_f64(x: f64) -> f64 {
    let is_subnormal = x < f64::MIN_POSITIVE;
    let a = if is_subnormal {
        x * 18_014_398_509_481_984.0
    } else {
        x
    };
    let guess = rsqrt_approx_f64(a);
    // The second term of the series makes 20 correct bits 60.
    let error = fma(-a * guess, guess, 1.0);
    let guess = fma(guess * error, fma(error, 0.375, 0.5), guess);
    let product = a * guess;
    let rest = fma(a, guess, -product);
    let error = fma(-rest, guess, fma(-product, guess, 1.0));
    let root = fma(guess * error, 0.5, guess);
    let result = if is_subnormal {
        root * 134_217_728.0
    } else {
        root
    };
    if is_positive_finite(x) {
        result
    } else if x == 0.0 {
        f64::INFINITY.copysign(x)
    } else if x == f64::INFINITY {
        0.0
    } else {
        f64::NAN
    }
}

/// `2 / pi` in binary, after 64 bits of zeros.
static TWO_BY_PI_BITS: [u64; 20] = [
    0,
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

/// A number of at least 2^19 reduced by the method of Payne and Hanek: only those bits of `2 / pi` are multiplied
/// which contribute to the quadrant or to the fraction.
#[inline(always)]
fn reduce_large(x: f64) -> (u32, f64, f64) {
    if !(x < f64::INFINITY) {
        return (0, f64::NAN, 0.0);
    }
    let bits = x.to_bits();
    let mantissa = u128::from((bits & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000);
    // Bits of higher weight contribute multiples of four quadrants.
    let start = (bits >> 52) as u32 + 64 - 1075 - 2;
    let (word, shift) = ((start / 64) as usize, start % 64);
    let at = |index: usize| {
        // SAFETY: `start` is at most 2046 - 1013, so `word` is at most 16, and `index` at most 3.
        unsafe { *TWO_BY_PI_BITS.get_unchecked(word + index) }
    };
    let window = |index: usize| {
        let high = at(index) << shift;
        // Two shifts, since one by 64 is not defined.
        u128::from(high | ((at(index + 1) >> 1) >> (63 - shift)))
    };
    let product = ((mantissa * window(0)) << 64)
        .wrapping_add(mantissa * window(1))
        .wrapping_add((mantissa * window(2)) >> 64);
    let quadrant = (product.wrapping_add(1 << 125) >> 126) as u32;
    let fraction = (product << 2).cast_signed();
    let magnitude = fraction.unsigned_abs();
    let high = (magnitude >> 64) as u64;
    // The fraction of a product with a number of 53 bits has at most 62 zeros, so `high` is not 0.
    let zeros = high.leading_zeros();
    let high = ((magnitude << zeros) >> 64) as u64;
    // pi / 4 as a fraction of 2^64.
    let angle = ((u128::from(high) * 0xc90f_daa2_2168_c234) >> 64) as u64;
    let unit = scale(-63 - zeros.cast_signed());
    let r = angle as f64;
    // SAFETY: the number is below 2^64.
    let rest = angle
        .wrapping_sub(unsafe { r.to_int_unchecked() })
        .cast_signed() as f64;
    let sign = if fraction < 0 { -unit } else { unit };
    (quadrant, r * sign, rest * sign)
}

/// A non-negative number is `quadrant * pi / 2 + r + rest` with `|r| <= pi / 4`. Returns the last bits of the quadrant,
/// `r` and `rest`.
#[inline(always)]
fn reduce_angle(x: f64) -> (u32, f64, f64) {
    if x < 524_288.0 {
        let shifted = fma(x, TWO_BY_PI, ROUND);
        let n = shifted - ROUND;
        // Exact.
        let high = fma(n, -HALF_PI, x);
        let low = n * HALF_PI_REST;
        let lowest = fma(n, HALF_PI_LAST, fma(n, HALF_PI_REST, -low));
        // `high` is a multiple of 2^-53, so the error of the difference is exact even where `low` is larger.
        let r = high - low;
        (shifted.to_bits() as u32, r, ((high - r) - low) - lowest)
    } else {
        reduce_large(x)
    }
}

/// The sine and the cosine of `r + rest`, each in two parts that do not overlap much.
#[inline(always)]
fn sine_parts(r: f64, rest: f64) -> (f64, f64) {
    let z = r * r;
    (r, fma(r * z, horner(z, &SIN), fma(-0.5 * z, rest, rest)))
}

#[inline(always)]
fn cosine_parts(r: f64, rest: f64) -> (f64, f64) {
    let z = r * r;
    let half = 0.5 * z;
    let first = 1.0 - half;
    (
        first,
        ((1.0 - first) - half) + fma(z * z, horner(z, &COS), -r * rest),
    )
}

/// The sine of `quadrant * pi / 2 + r + rest`.
#[inline(always)]
fn sine_of(quadrant: u32, r: f64, rest: f64) -> f64 {
    let z = r * r;
    let is_odd = quadrant & 1 != 0;
    let pick = |odd, even| select_unpredictable(is_odd, odd, even);
    let sum = pick(COS[5], SIN[5]);
    let sum = fma(sum, z, pick(COS[4], SIN[4]));
    let sum = fma(sum, z, pick(COS[3], SIN[3]));
    let sum = fma(sum, z, pick(COS[2], SIN[2]));
    let sum = fma(sum, z, pick(COS[1], SIN[1]));
    let sum = fma(sum, z, pick(COS[0], SIN[0]));
    let half = 0.5 * z;
    let cosine = 1.0 - half;
    let first = pick(cosine, r);
    let second = pick(fma(-r, rest, (1.0 - cosine) - half), fma(-half, rest, rest));
    let result = first + fma(pick(z, r) * z, sum, second);
    f64::from_bits(result.to_bits() ^ (u64::from(quadrant & 2) << 62))
}

#[inline(always)]
fn flip_sign(x: f64, sign: f64) -> f64 {
    f64::from_bits(x.to_bits() ^ (sign.to_bits() & 0x8000_0000_0000_0000))
}

/// The sine.
#[unsafe(no_mangle)]
pub extern "C" fn tile_sin_f64(x: f64) -> f64 {
    let (quadrant, r, rest) = reduce_angle(x.abs());
    flip_sign(sine_of(quadrant, r, rest), x)
}

/// The cosine.
#[unsafe(no_mangle)]
pub extern "C" fn tile_cos_f64(x: f64) -> f64 {
    let (quadrant, r, rest) = reduce_angle(x.abs());
    sine_of(quadrant.wrapping_add(1), r, rest)
}

/// The tangent, as a quotient of sine and cosine.
#[unsafe(no_mangle)]
pub extern "C" fn tile_tan_f64(x: f64) -> f64 {
    let (quadrant, r, rest) = reduce_angle(x.abs());
    let (s, s_tail) = sine_parts(r, rest);
    let sine = s + s_tail;
    let sine_rest = (s - sine) + s_tail;
    let (c, c_tail) = cosine_parts(r, rest);
    let cosine = c + c_tail;
    let cosine_rest = (c - cosine) + c_tail;
    let is_odd = quadrant & 1 != 0;
    let pick = |odd, even| select_unpredictable(is_odd, odd, even);
    let (above, above_rest) = (pick(-cosine, sine), pick(-cosine_rest, sine_rest));
    let (below, below_rest) = (pick(sine, cosine), pick(sine_rest, cosine_rest));
    let inverse = reciprocal(below);
    let quotient = above * inverse;
    let error = fma(
        -quotient,
        below_rest,
        fma(-quotient, below, above) + above_rest,
    );
    flip_sign(fma(error, inverse, quotient), x)
}

/// The angle of the point `(x, y)`.
#[unsafe(no_mangle)]
pub extern "C" fn tile_atan2_f64(y: f64, x: f64) -> f64 {
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

/// Returns `x` to the power of `y`.
#[unsafe(no_mangle)]
pub extern "C" fn tile_pow_f64(x: f64, y: f64) -> f64 {
    if x == 1.0 || y == 0.0 {
        return 1.0;
    }
    let a = x.abs();
    let is_integer = y.abs() >= 4_503_599_627_370_496.0 || y == y.round_ties_even();
    // Numbers from 2^53 on are even.
    let is_odd = is_integer && y.abs() < 9_007_199_254_740_992.0 && {
        // SAFETY: the number is in the range of the type.
        let whole = unsafe { y.to_int_unchecked::<i64>() };
        whole & 1 != 0
    };
    let magnitude = if a == 0.0 || a == f64::INFINITY {
        if (a == 0.0) == (y < 0.0) {
            f64::INFINITY
        } else {
            0.0
        }
    } else if a == 1.0 {
        1.0
    } else {
        let (log, log_rest) = exact_log(a);
        let product = y * log;
        let rest = fma(y, log_rest, fma(y, log, -product));
        // Results overflow or underflow far from here. A NaN is kept.
        let is_large = product.abs() > 800.0;
        let rest = if is_large { 0.0 } else { rest };
        let product = if is_large {
            800.0f64.copysign(product)
        } else {
            product
        };
        let (n, high, low) = exact_exp(product, rest);
        scale_by(high + low, n)
    };
    if x.is_nan() || y.is_nan() {
        x + y
    } else if x.is_sign_negative()
        && a != 0.0
        && a != f64::INFINITY
        && !is_integer
        && y.abs() != f64::INFINITY
    {
        f64::NAN
    } else if x.is_sign_negative() && is_odd {
        -magnitude
    } else {
        magnitude
    }
}

/// Returns `x` to an integer power, by repeated squaring.
#[unsafe(no_mangle)]
pub extern "C" fn tile_powi_f64(x: f64, exponent: i32) -> f64 {
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
pub extern "C" fn tile_fmod_f64(x: f64, y: f64) -> f64 {
    const HIDDEN: u64 = 0x0010_0000_0000_0000;
    const INFINITE: u64 = 0x7ff0_0000_0000_0000;
    let (a, b) = (x.abs().to_bits(), y.abs().to_bits());
    let sign = x.to_bits() & 0x8000_0000_0000_0000;
    if b == 0 || a >= INFINITE || b > INFINITE {
        return f64::NAN;
    }
    if a < b {
        return x;
    }
    let mantissa = |bits: u64| (bits & (HIDDEN - 1)) | if bits >= HIDDEN { HIDDEN } else { 0 };
    let exponent = |bits: u64| {
        if bits >= HIDDEN {
            (bits >> 52) as u32
        } else {
            1
        }
    };
    let divisor = mantissa(b);
    // SAFETY: `b` is not 0, and a number without a hidden bit has other bits.
    unsafe { core::hint::assert_unchecked(divisor != 0) };
    let mut rest = mantissa(a);
    let mut shift = exponent(a) - exponent(b);
    loop {
        // A remainder has 53 bits, so 11 bits of the quotient are computed at once.
        let step = if shift < 11 { shift } else { 11 };
        rest = (rest << step) % divisor;
        shift -= step;
        if shift == 0 {
            break;
        }
    }
    let zeros = rest.leading_zeros().wrapping_sub(11);
    let place = exponent(b);
    let bits = if rest == 0 {
        0
    } else if zeros < place {
        (rest << zeros) - HIDDEN + (u64::from(place - zeros) << 52)
    } else {
        rest << (place - 1)
    };
    f64::from_bits(bits | sign)
}

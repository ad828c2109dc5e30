//! Conversions of f16 and bf16, and the fused multiply-add of processors without one.

use super::code::{Element, Value, error_of_product};

const SIGN: u64 = 0x8000_0000;

/// The bits of f16 as f32, exact.
pub(super) fn from_f16(x: Value<'_>) -> Value<'_> {
    if x.code().level.has_f16_conversion() {
        return x.as_float(Element::F16).extended_to(Element::F32);
    }
    let bits = x.zero_extended(32);
    let magnitude = bits & 0x7fff;
    // The product moves the exponent; subnormal numbers become normal ones.
    let number = (magnitude << 13).as_float(Element::F32) * 5_192_296_858_534_828e18_f64;
    let is_finite = magnitude.below(0x7c00);
    let special = (magnitude << 13) | 0x7f80_0000_u64;
    let number = is_finite.select(number.bits(), special);
    (number | ((bits & 0x8000) << 16)).as_float(Element::F32)
}

/// f32 as the bits of f16, to nearest even.
pub(super) fn to_f16(x: Value<'_>) -> Value<'_> {
    if x.code().level.has_f16_conversion() {
        return x.rounded_to(Element::F16).bits();
    }
    let bits = x.bits();
    let magnitude = bits & !SIGN;
    // The sum has the rounded number in its low bits, as a multiple of 2^-24.
    let small = (magnitude.as_float(Element::F32) + 0.5).bits() - 0x3f00_0000;
    // Ties to even: half of the last place, less one if the last bit is 0. The exponent moves by 112.
    let odd = (magnitude >> 13) & 1;
    let usual = (magnitude + odd + (0xfff_u64.wrapping_sub(112 << 23) & 0xffff_ffff)) >> 13;
    // Also what rounds up to infinity.
    let large = magnitude
        .above(0x7f80_0000)
        .select(0x7fff, magnitude.constant(0x7c00));
    let result = magnitude.below(0x3880_0000).select(small, usual);
    let result = magnitude.below(0x4780_0000).select(result, large);
    (result | ((bits & SIGN) >> 16)).truncated(16)
}

/// The bits of bf16 as f32, exact.
pub(super) fn from_bf16(x: Value<'_>) -> Value<'_> {
    (x.zero_extended(32) << 16).as_float(Element::F32)
}

/// f32 as the bits of bf16, to nearest even.
pub(super) fn to_bf16(x: Value<'_>) -> Value<'_> {
    let bits = x.bits();
    let odd = (bits >> 16) & 1;
    let rounded = (bits + odd + 0x7fff) >> 16;
    x.is_nan()
        .select(rounded.constant(0x7fff), rounded)
        .truncated(16)
}

/// `a * b + c`, rounded once.
pub(super) fn fma<'c>(a: Value<'c>, b: Value<'c>, c: Value<'c>) -> Value<'c> {
    if a.code().level.has_fma() {
        return a.fma(b, c);
    }
    match a.ty.element {
        // The product is exact in f64. A sum that is rounded to odd can be rounded again without harm, since f64 has more
        // than twice as many bits (Boldo and Melquiond, Emulation of FMA and correctly rounded sums, 2008).
        Element::F32 => sum_to_odd(a.widened() * b.widened(), c.widened()).narrowed(),
        _ => fma_double(a, b, c),
    }
}

/// The sum of two f64. If it is not exact, it is rounded toward zero or away from it, such that its last bit is 1.
fn sum_to_odd<'c>(a: Value<'c>, b: Value<'c>) -> Value<'c> {
    let (sum, error) = exact_sum(a, b);
    let bits = sum.bits();
    let is_even = (bits & 1).equals(0);
    // False if the sum is infinite or NaN, whose error is NaN.
    let is_rounded = error.above(0.0) | error.below(0.0);
    let is_away = (bits ^ error.bits()).is_negative();
    // Further from zero if the rest has the sign of the sum, else nearer.
    let step = is_away.select(bits.constant(u64::MAX), bits.constant(1));
    (is_even & is_rounded)
        .select(bits + step, bits)
        .as_float(Element::F64)
}

/// The sum of two numbers, and its error (Knuth).
fn exact_sum<'c>(a: Value<'c>, b: Value<'c>) -> (Value<'c>, Value<'c>) {
    let sum = a + b;
    let shadow = sum - a;
    (sum, (a - (sum - shadow)) + (b - shadow))
}

/// The fused multiply-add of f64, for processors without one.
fn fma_double<'c>(a: Value<'c>, b: Value<'c>, c: Value<'c>) -> Value<'c> {
    // Boldo and Melquiond, as cited above: the product and the sum in parts, the last of which are rounded to odd.
    let product = a * b;
    let (high, low) = exact_sum(c, error_of_product(a, b, product));
    let (sum, rest) = exact_sum(product, high);
    let usual = sum + sum_to_odd(low, rest);
    // Without a rounding in the product.
    let is_finite = |x: Value<'c>| x.abs().below(f64::INFINITY);
    let is_plain = a.equals(0.0) | b.equals(0.0) | !is_finite(a) | !is_finite(b);
    let is_c_special = !is_plain & !is_finite(c);
    let usual = is_plain.select(product + c, usual);
    let usual = is_c_special.select(c, usual);
    // In this range no part overflows or loses bits.
    let (smallest, largest) = (f64::from_bits(123 << 52), f64::from_bits(2023 << 52));
    let size = product.abs();
    let is_safe = size.at_least(smallest) & size.below(largest) & c.abs().below(largest);
    let is_rare = !(is_safe | is_plain | is_c_special);
    let code = a.code();
    let [result] = code.rarely(is_rare.any(), [usual], || {
        code.in_lanes(is_rare, [a, b, c], [usual], |[a, b, c]| {
            [fma_integer(a, b, c)]
        })
    });
    result
}

/// The fused multiply-add of finite scalars of f64, of which `a` and `b` are not 0, by integers of 128 bits.
fn fma_integer<'c>(a: Value<'c>, b: Value<'c>, c: Value<'c>) -> Value<'c> {
    let hidden = 1_u64 << 52;
    let parts = |x: Value<'c>| {
        let bits = x.bits() & (u64::MAX >> 1);
        let is_normal = bits.at_least(hidden);
        let mantissa = bits & (hidden - 1);
        let mantissa = is_normal.select(mantissa | hidden, mantissa);
        (
            mantissa.zero_extended(128),
            is_normal.select(bits >> 52, bits.constant(1)),
        )
    };
    let ((a_bits, a_place), (b_bits, b_place), (c_bits, c_place)) = (parts(a), parts(b), parts(c));
    // Both normalized to 126 bits, so that their sum has 127, and so that a shift by few bits loses none.
    let normalized = |x: Value<'c>| {
        // An `i128` of 0 has no highest bit; its place does not matter.
        let zeros = (x | 1).leading_zeros() - 2;
        (x << zeros, zeros.truncated(64))
    };
    let (product, product_zeros) = normalized(a_bits * b_bits);
    let (term, term_zeros) = normalized(c_bits);
    // The value is the integer times 2 to the power of its place - 2^12, which keeps places positive.
    let bias = 4096_u64;
    let product_place = a_place + b_place + (bias - 2 * 1075) - product_zeros;
    let term_place = c_place + (bias - 1075) - term_zeros;
    let is_term_zero = c.equals(0.0);
    let term_place = is_term_zero.select(0, term_place);
    // The smaller one is shifted to the place of the larger one; what is lost becomes one bit.
    let is_product_larger = product_place.at_least(term_place);
    let pick = |first: Value<'c>, second: Value<'c>| is_product_larger.select(first, second);
    let (larger, smaller) = (pick(product, term), pick(term, product));
    let place = pick(product_place, term_place);
    let distance = place - pick(term_place, product_place);
    let smaller = shifted_with_rest(smaller, distance);
    let (larger_sign, smaller_sign) = {
        let product_sign = (a.bits() ^ b.bits()).is_negative();
        let term_sign = c.bits().is_negative();
        (pick(product_sign, term_sign), pick(term_sign, product_sign))
    };
    let is_difference = larger_sign ^ smaller_sign;
    let sum = is_difference.select(larger - smaller, larger + smaller);
    let is_flipped = is_difference & sum.is_negative();
    let sum = is_flipped.select(-sum, sum);
    let sign = (larger_sign ^ is_flipped).select(1_u64 << 63, c.bits().zero());
    // The highest bit moves to bit 127, and 53 of the bits are kept; fewer if the result is subnormal.
    let is_zero = sum.equals(0);
    let zeros = (sum | 1).leading_zeros();
    let sum = sum << zeros;
    let place = place - zeros.truncated(64);
    // The biased exponent of a number with the highest bit at bit 127 is its place + 127 + 1023 - 2^12.
    let exponent = place + (127 + 1023_u64).wrapping_sub(bias);
    let is_normal = !(exponent - 1).is_negative();
    let extra = is_normal.select(0, exponent.constant(1) - exponent);
    let dropped = shifted_with_rest(sum, extra);
    // Rounded to nearest even: bits 75 to 127 are kept, or those of them that a subnormal number has.
    let kept = (dropped >> 75).truncated(64);
    let half = dropped.constant(1) << 74;
    let below = dropped & ((half + half) - 1);
    let is_up = below.above(half) | (below.equals(half) & (kept & 1).equals(1));
    let kept = is_up.select(kept + 1, kept);
    let field = is_normal.select((exponent - 1) << 52, exponent.zero());
    // A carry out of the mantissa goes to the exponent. The hidden bit is the lowest one of the exponent.
    let bits = kept + field;
    let infinity = 2047_u64 << 52;
    let is_large = is_normal & exponent.above(2046);
    let bits = (is_large | bits.above(infinity)).select(infinity, bits);
    let result = (bits | sign).as_float(Element::F64);
    is_zero.select(0.0, result)
}

/// Shifts an integer of 128 bits to the right. The lowest bit of the result is set if a bit was lost.
fn shifted_with_rest<'c>(x: Value<'c>, by: Value<'c>) -> Value<'c> {
    let by = by
        .below(127)
        .select(by, by.constant(127))
        .zero_extended(128);
    let shifted = x >> by;
    let is_lost = !(shifted << by).equals(x);
    shifted | is_lost.zero_extended(128)
}

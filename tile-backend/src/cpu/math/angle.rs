//! Functions of angles.

use std::fmt::Write as _;

use super::code::{Element, Value};
use super::exponential::whole;
use super::{Format, polynomial, wide};

/// `2 / pi` in binary, after 32 bits of zeros.
const TWO_BY_PI_SINGLE: [u32; 8] = [
    0,
    0xa2f9_836e,
    0x4e44_1529,
    0xfc27_57d1,
    0xf534_ddc0,
    0xdb62_9599,
    0x3c43_9041,
    0xfe51_63ab,
];

/// `2 / pi` in binary, after 64 bits of zeros.
const TWO_BY_PI_DOUBLE: [u64; 20] = [
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

/// Returns the definition of the constant `name` with the bits of `2 / pi`.
pub(super) fn table(element: Element, name: &str) -> String {
    let words: Vec<String> = match element {
        Element::F64 => TWO_BY_PI_DOUBLE.map(|word| format!("i64 {word}")).into(),
        _ => TWO_BY_PI_SINGLE.map(|word| format!("i32 {word}")).into(),
    };
    let mut text = String::new();
    let _ = writeln!(
        text,
        "@{name} = internal unnamed_addr constant [{} x {}] [{}]",
        words.len(),
        if element == Element::F64 {
            "i64"
        } else {
            "i32"
        },
        words.join(", ")
    );
    text
}

/// A non-negative number is `quadrant * pi / 2 + r + rest` with `|r| <= pi / 4`, up to multiples of `2 pi`.
struct Reduced<'c> {
    /// The low bits are those of the quadrant.
    quadrant: Value<'c>,
    r: Value<'c>,
    rest: Value<'c>,
}

/// Reduces an angle that is not negative. `table` is the name of the constant with the bits of `2 / pi`.
fn reduce_angle<'c>(x: Value<'c>, table: &str) -> Reduced<'c> {
    let format = Format::of(x);
    let is_single = x.ty.element == Element::F32;
    let limit = if is_single { 71476.0 } else { 524_288.0 };
    let whole = whole(x.about(format.two_by_pi, format.round));
    let [first, second, third] = format.half_pi;
    // Exact.
    let high = whole.n.fma(-first, x);
    let low = whole.n * second;
    let lowest = whole.n.about(third, whole.n.fma(second, -low));
    // `high` is a multiple of the last place of 1 at most, so the error of the difference is exact even where `low` is larger.
    let r = high - low;
    let rest = ((high - r) - low) - lowest;
    let usual = [whole.bits, r, rest];
    let is_large = x.not_below(limit);
    let [quadrant, r, rest] = x.code().rarely(is_large.any(), usual, || {
        let reduce = if is_single {
            reduce_large_single
        } else {
            reduce_large_double
        };
        x.code()
            .in_lanes(is_large, [x], usual, |[x]| reduce(x, table))
    });
    Reduced { quadrant, r, rest }
}

/// Reduces a large number by the method of Payne and Hanek: only those bits of `2 / pi` are multiplied which contribute to
/// the quadrant or to the fraction. Returns the quadrant, `r` and `rest`.
fn reduce_large_single<'c>(x: Value<'c>, table: &str) -> [Value<'c>; 3] {
    let bits = x.bits();
    let mantissa = ((bits & 0x007f_ffff_u64) | 0x0080_0000_u64).zero_extended(64);
    // Bits of higher weight contribute multiples of four quadrants.
    let start = (bits >> 23) - (150 + 2 - 32);
    let (word, shift) = (start >> 5, (start & 31).zero_extended(64));
    // The last word that infinity reads is the last one of the table.
    let at = |index: i32| {
        (word + index)
            .load_from(table, Element::Int(32))
            .zero_extended(64)
    };
    let window = |index: i32| (((at(index) << 32) | at(index + 1)) << shift) >> 32;
    let product =
        ((mantissa * window(0)) << 32) + mantissa * window(1) + ((mantissa * window(2)) >> 32);
    let quadrant = ((product + (1_u64 << 61)) >> 62).truncated(32);
    let fraction = product << 2;
    let (r, rest) = fraction_to_angle(x, fraction.is_negative(), fraction);
    [quadrant, r, rest]
}

/// As [`reduce_large_single`].
fn reduce_large_double<'c>(x: Value<'c>, table: &str) -> [Value<'c>; 3] {
    let bits = x.bits();
    let mantissa = (bits & 0x000f_ffff_ffff_ffff_u64) | 0x0010_0000_0000_0000_u64;
    let mantissa = mantissa.zero_extended(128);
    let start = (bits >> 52) - (1075 + 2 - 64);
    let (word, shift) = (start >> 6, start & 63);
    let at = |index: i32| (word + index).load_from(table, Element::Int(64));
    // Two shifts, since one by 64 is not defined.
    let window = |index: i32| {
        let low = (at(index + 1) >> 1) >> (shift.constant(63) - shift);
        ((at(index) << shift) | low).zero_extended(128)
    };
    let product =
        ((mantissa * window(0)) << 64) + mantissa * window(1) + ((mantissa * window(2)) >> 64);
    let half = product.constant(1) << 125;
    let quadrant = ((product + half) >> 126).truncated(64);
    let fraction = product << 2;
    let is_negative = fraction.is_negative();
    // The fraction has at most 62 zeros above its highest bit, so that 64 bits suffice after normalization.
    let magnitude = is_negative.select(-fraction, fraction);
    let zeros = ((magnitude >> 64).truncated(64)).leading_zeros();
    let high = ((magnitude << zeros.zero_extended(128)) >> 64).truncated(64);
    let (r, rest) = normalized_to_angle(x, is_negative, high, zeros);
    [quadrant, r, rest]
}

/// Converts a fraction of a quadrant, of 64 bits with sign, to an angle in two parts.
fn fraction_to_angle<'c>(
    x: Value<'c>,
    is_negative: Value<'c>,
    fraction: Value<'c>,
) -> (Value<'c>, Value<'c>) {
    let magnitude = is_negative.select(-fraction, fraction);
    let zeros = magnitude.leading_zeros();
    normalized_to_angle(x, is_negative, magnitude << zeros, zeros)
}

/// Converts a fraction of a quadrant, of 64 bits of which the highest is set, after this number of zeros. A number `x` that
/// is infinite or NaN gives NaN.
fn normalized_to_angle<'c>(
    x: Value<'c>,
    is_negative: Value<'c>,
    fraction: Value<'c>,
    zeros: Value<'c>,
) -> (Value<'c>, Value<'c>) {
    let format = Format::of(x);
    let element = x.ty.element;
    // pi / 4 as a fraction of 2^64.
    let quarter_pi = 0xc90f_daa2_2168_c234_u64;
    let product = fraction.zero_extended(128) * fraction.constant(quarter_pi).zero_extended(128);
    let angle = (product >> 64).truncated(64);
    let exponent = zeros.constant(i64::from(format.bias - 63).cast_unsigned()) - zeros;
    let unit_bits = exponent << u64::from(format.mantissa);
    let unit = match element {
        Element::F32 => unit_bits.truncated(32).as_float(element),
        _ => unit_bits.as_float(element),
    };
    let r = angle.unsigned_to(element);
    // The number is below 2^64.
    let rest = (angle - r.to_unsigned(64)).signed_to(element);
    let sign = is_negative.select(-unit, unit);
    let is_finite = x.below(f64::INFINITY);
    let r = is_finite.select(r * sign, r.constant(f64::NAN));
    (r, rest * sign)
}

/// The sine of an angle.
fn sine_of<'c>(quadrant: Value<'c>, reduced: &Reduced<'c>) -> Value<'c> {
    let (r, rest) = (reduced.r, reduced.rest);
    let z = r * r;
    let is_odd = (quadrant & 1).equals(1);
    let pick = |odd: Value<'c>, even: Value<'c>| is_odd.select(odd, even);
    let coefficient = |odd: f64, even: f64| is_odd.select(odd, z.constant(even));
    let horner = |cos: &[f64], sin: &[f64]| {
        let mut terms = cos.iter().zip(sin).rev().map(|(c, s)| coefficient(*c, *s));
        let highest = terms.next().expect("coefficients");
        terms.fold(highest, |sum, term| sum.about(z, term))
    };
    let (sum, cosine, second) = if z.ty.element == Element::F32 {
        let sum = horner(
            &wide(&polynomial::single::COS),
            &wide(&polynomial::single::SIN),
        );
        let cosine = z.fma(-0.5, 1.0);
        let lost = z.fma(-0.5, z.constant(1.0) - cosine);
        (sum, cosine, pick(lost, rest))
    } else {
        let sum = horner(&polynomial::double::COS, &polynomial::double::SIN);
        let half = z * 0.5;
        let cosine = z.constant(1.0) - half;
        let lost = (-r).about(rest, (z.constant(1.0) - cosine) - half);
        (sum, cosine, pick(lost, (-half).about(rest, rest)))
    };
    let first = pick(cosine, r);
    let result = first + (pick(z, r) * z).about(sum, second);
    let sign = (quadrant & 2) << u64::from(r.ty.element.bits() - 2);
    (result.bits() ^ sign).as_float(r.ty.element)
}

fn flip_sign<'c>(x: Value<'c>, sign: Value<'c>) -> Value<'c> {
    let sign = sign.bits() & Format::of(x).sign();
    (x.bits() ^ sign).as_float(x.ty.element)
}

/// The sine.
pub(super) fn sin<'c>(x: Value<'c>, table: &str) -> Value<'c> {
    let reduced = reduce_angle(x.abs(), table);
    flip_sign(sine_of(reduced.quadrant, &reduced), x)
}

/// The cosine.
pub(super) fn cos<'c>(x: Value<'c>, table: &str) -> Value<'c> {
    let reduced = reduce_angle(x.abs(), table);
    sine_of(reduced.quadrant + 1, &reduced)
}

/// The tangent.
pub(super) fn tan<'c>(x: Value<'c>, table: &str) -> Value<'c> {
    let reduced = reduce_angle(x.abs(), table);
    let is_odd = (reduced.quadrant & 1).equals(1);
    let tan = match x.ty.element {
        Element::F32 => tan_single(&reduced, is_odd),
        _ => tan_double(&reduced, is_odd),
    };
    flip_sign(tan, x)
}

fn tan_single<'c>(reduced: &Reduced<'c>, is_odd: Value<'c>) -> Value<'c> {
    let (r, rest) = (reduced.r, reduced.rest);
    let z = r * r;
    let odd = (r * z).fma(z.horner(&wide(&polynomial::single::TAN)), rest);
    let tan = r + odd;
    let tan_rest = (r - tan) + odd;
    let inverse = tan.constant(1.0) / tan;
    let error = (-tan_rest).fma(inverse, (-tan).fma(inverse, 1.0));
    is_odd.select(-inverse.fma(error, inverse), tan)
}

/// A quotient of sine and cosine.
fn tan_double<'c>(reduced: &Reduced<'c>, is_odd: Value<'c>) -> Value<'c> {
    let (r, rest) = (reduced.r, reduced.rest);
    let z = r * r;
    let half = z * 0.5;
    let s_tail = (r * z).about(
        z.horner(&polynomial::double::SIN),
        (-half).about(rest, rest),
    );
    let c = z.constant(1.0) - half;
    let c_tail = ((z.constant(1.0) - c) - half)
        + (z * z).about(z.horner(&polynomial::double::COS), -r * rest);
    let sine = r + s_tail;
    let sine_rest = (r - sine) + s_tail;
    let cosine = c + c_tail;
    let cosine_rest = (c - cosine) + c_tail;
    let pick = |odd: Value<'c>, even: Value<'c>| is_odd.select(odd, even);
    let (above, above_rest) = (pick(-cosine, sine), pick(-cosine_rest, sine_rest));
    let (below, below_rest) = (pick(sine, cosine), pick(sine_rest, cosine_rest));
    let quotient = above / below;
    let error = (-quotient).about(below_rest, (-quotient).fma(below, above) + above_rest);
    let corrected = quotient + error / below;
    // A sine of 0 is the tangent; an error would be NaN where `below` is 0.
    below.equals(0.0).select(quotient, corrected)
}

/// The angle of the point `(x, y)`.
pub(super) fn atan2<'c>(y: Value<'c>, x: Value<'c>) -> Value<'c> {
    let format = Format::of(x);
    let (a, b) = (y.abs(), x.abs());
    let is_steep = a.above(b);
    let (short, long) = (is_steep.select(b, a), is_steep.select(a, b));
    // Also of two infinities, and of two zeros.
    let of_equal = short.equals(0.0).select(0.0, short.constant(1.0));
    let quotient = short.equals(long).select(of_equal, short / long);
    // The angle is `base + quotient + tail`, where the last two may have another sign.
    let z = quotient * quotient;
    let series = match x.ty.element {
        Element::F32 => z.horner(&wide(&polynomial::single::ATAN)),
        _ => z.horner(&polynomial::double::ATAN),
    };
    let tail = quotient * (z * series);
    let is_left = x.bits().is_negative();
    let of_part = |part: usize| {
        let pi = is_left.select(format.pi[part], x.zero());
        is_steep.select(format.half_pi[part], pi)
    };
    let (base, base_rest) = (of_part(0), of_part(1));
    let is_subtracted = is_steep ^ is_left;
    let quotient = is_subtracted.select(-quotient, quotient);
    let tail = is_subtracted.select(-tail, tail);
    let sum = base + quotient;
    let rest = (base - sum) + quotient;
    let angle = sum + (rest + (tail + base_rest));
    // Comparisons of a NaN with a number are false, so the number would be the result.
    let is_nan = a.is_unordered(b);
    is_nan.select(a + b, angle.copysign(y))
}

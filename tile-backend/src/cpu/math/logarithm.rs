//! Logarithms.

use super::code::{Element, Value};
use super::{Format, polynomial, wide};

/// `2 / ln 2`, in two parts.
const TWO_LOG2_E: [f64; 2] = [
    f64::from_bits(0x4007_1547_652b_82fe),
    f64::from_bits(0x3c87_77d0_ffda_0d24),
];
/// `ln 2` in two parts, of which the first has 42 bits.
const LN_2_SHORT: [f64; 2] = [
    f64::from_bits(0x3fe6_2e42_fefa_3800),
    f64::from_bits(0x3d2e_f357_93c7_6730),
];
/// `1 / ln 2` of f32, the part after [`Format::log2_e`].
const LOG2_E_REST: f64 = super::single(0x32a5_7060);
const THIRD: [f64; 2] = [
    f64::from_bits(0x3fd5_5555_5555_5555),
    f64::from_bits(0x3c75_5555_5555_5555),
];

/// A positive number is `2^e (1 + f)` with `f` between -1/3 and 1/3. Returns `e` and `f`.
fn split(x: Value<'_>) -> (Value<'_>, Value<'_>) {
    let format = Format::of(x);
    let element = x.ty.element;
    let (factor, shift, two_thirds) = match element {
        Element::F32 => (8_388_608.0, 23.0, 0x3f2a_aaab_u64),
        _ => (18_014_398_509_481_984.0, 54.0, 0x3fe5_5555_5555_5555),
    };
    let is_subnormal = x.below(format.min_positive());
    let bits = is_subnormal.select(x * factor, x).bits();
    let offset = is_subnormal.select(-shift, x.zero());
    // The exponent, in place.
    let exponent = (bits - two_thirds) & !((1_u64 << format.mantissa) - 1);
    let f = (bits - exponent).as_float(element) - 1.0;
    let e = match element {
        // Exact, since the number has at most 8 bits.
        Element::F32 => exponent.signed_to(element).about(1.0 / 8_388_608.0, offset),
        _ => signed_exponent(exponent) + offset,
    };
    (e, f)
}

/// Converts an exponent of f64 that lies in its place. Few processors convert integers of 64 bits.
fn signed_exponent(exponent: Value<'_>) -> Value<'_> {
    // The exponent, moved above zero, becomes the low bits of 2^52.
    let moved = (exponent + (2048_u64 << 52)) >> 52;
    let large = 4_503_599_627_370_496.0_f64;
    (moved | large.to_bits()).as_float(Element::F64) - (large + 2048.0)
}

/// Returns `log` for a positive finite `x`, and otherwise the logarithm that has a special value.
fn logarithm<'c>(x: Value<'c>, log: Value<'c>) -> Value<'c> {
    let is_usual = (x.bits() - 1).below(Format::of(x).infinity() - 1);
    // Infinity or NaN; of a negative number NaN.
    let special = x.about(f64::INFINITY, f64::INFINITY);
    let special = x.equals(0.0).select(f64::NEG_INFINITY, special);
    is_usual.select(log, special)
}

/// The natural logarithm of f32.
pub(super) fn log_single(x: Value<'_>) -> Value<'_> {
    let ln_2 = Format::of(x).ln_2;
    let (e, f) = split(x);
    let polynomial = f.horner(&wide(&polynomial::single::LOG));
    let sum = e.fma(ln_2, f);
    // Exact: the error of the sum.
    let rest = e.fma(ln_2, -sum) + f;
    let rest = (f * -0.5).fma(f, rest);
    let result = sum + (f * (f * f)).about(polynomial, rest);
    logarithm(x, result)
}

/// The logarithm of f32 to base 2.
pub(super) fn log2_single(x: Value<'_>) -> Value<'_> {
    let log2_e = Format::of(x).log2_e;
    let (e, f) = split(x);
    let polynomial = f.horner(&wide(&polynomial::single::LOG2));
    let product = f * log2_e;
    let rest = f.fma(log2_e, -product);
    let rest = f.fma(LOG2_E_REST, rest);
    let rest = (f * f).fma(polynomial, rest);
    let sum = e + product;
    logarithm(x, sum + (((e - sum) + product) + rest))
}

/// Half of the natural logarithm of `1 + u`, as a sum of two f64.
fn exact_half_log(u: Value<'_>) -> (Value<'_>, Value<'_>) {
    // s = u / (2 + u); ln(1 + u) = 2 atanh(s).
    let v = u + 2.0;
    let v_rest = u - (v - 2.0);
    let inverse = v.constant(1.0) / v;
    let s = u * inverse;
    let s_rest = (-s).about(v_rest, (-s).fma(v, u)) * inverse;
    let z = s * s;
    let z_rest = (s + s).about(s_rest, s.fma(s, -z));
    // c = 1/3 + z/5 + ...
    let tail = z * z.horner(&polynomial::double::ATANH);
    let c = tail + THIRD[0];
    let c_rest = ((c.constant(THIRD[0]) - c) + tail) + THIRD[1];
    let k = z * c;
    let k_rest = z_rest.about(c, z.about(c_rest, z.fma(c, -k)));
    let g = s * k;
    let g_rest = s_rest.about(k, s.about(k_rest, s.fma(k, -g)));
    let l = s + g;
    (l, ((s - l) + g) + (s_rest + g_rest))
}

/// The natural logarithm of a positive f64, as a sum of two.
pub(super) fn exact_log(x: Value<'_>) -> (Value<'_>, Value<'_>) {
    let (e, u) = split(x);
    let (l, l_rest) = exact_half_log(u);
    let (p, p_rest) = (l + l, l_rest + l_rest);
    // Exact.
    let whole = e * LN_2_SHORT[0];
    let sum = whole + p;
    let rest = ((whole - sum) + p) + e.about(LN_2_SHORT[1], p_rest);
    let high = sum + rest;
    (high, (sum - high) + rest)
}

/// The natural logarithm of f64.
pub(super) fn log_double(x: Value<'_>) -> Value<'_> {
    let (log, _) = exact_log(x);
    logarithm(x, log)
}

/// The logarithm of f64 to base 2.
pub(super) fn log2_double(x: Value<'_>) -> Value<'_> {
    let (e, u) = split(x);
    let (l, l_rest) = exact_half_log(u);
    let p = l * TWO_LOG2_E[0];
    let p_rest = l_rest.about(
        TWO_LOG2_E[0],
        l.about(TWO_LOG2_E[1], l.fma(TWO_LOG2_E[0], -p)),
    );
    let sum = e + p;
    logarithm(x, sum + (((e - sum) + p) + p_rest))
}

/// The logarithm to base 2 of a positive f32, in f64. The error is below 2^-37 of it.
pub(super) fn wide_log2(x: Value<'_>) -> Value<'_> {
    let (e, f) = split(x.widened());
    let s = f / (f + 2.0);
    let z = s * s;
    let log = (s * z).about(z.horner(&polynomial::double::LOG_NARROW), s + s);
    log.about(super::F64.log2_e, e)
}

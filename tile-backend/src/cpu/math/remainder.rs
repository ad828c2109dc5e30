//! The remainder of a division.

use super::Format;
use super::code::Value;

/// The remainder of the division, exact, with the sign of the dividend.
pub(super) fn fmod<'c>(x: Value<'c>, y: Value<'c>) -> Value<'c> {
    let format = Format::of(x);
    let (a, b) = (x.abs(), y.abs());
    // A whole quotient below this limit is exact, or too large by 1.
    let limit = f64::from_bits(u64::from(1023 + format.mantissa) << 52);
    let quotient = a / b;
    let whole = truncated(quotient, limit);
    // Exact: a multiple of the last place of `b` that is not larger than `b`.
    let rest = (-whole).fma(b, a);
    let rest = rest.below(0.0).select(rest + b, rest);
    // Also if `b` is infinite.
    let rest = a.below(b).select(a, rest);
    let is_defined = a.below(f64::INFINITY) & b.above(0.0);
    let rest = is_defined.select(rest, a.constant(f64::NAN));
    let is_far = quotient.at_least(limit) & is_defined;
    let [rest] = x.code().rarely(is_far.any(), [rest], || {
        x.code()
            .in_lanes(is_far, [a, b], [rest], |[a, b]| [by_division(a, b)])
    });
    rest.copysign(x)
}

/// Rounds a number that is not negative toward zero. From `limit` on, the result is without meaning.
fn truncated(x: Value<'_>, limit: f64) -> Value<'_> {
    let nearest = (x + limit) - limit;
    nearest.above(x).select(nearest - 1.0, nearest)
}

/// The remainder of positive finite scalars, of which `a` is larger, by division of integers.
fn by_division<'c>(a: Value<'c>, b: Value<'c>) -> Value<'c> {
    let format = Format::of(a);
    let element = a.ty.element;
    let bits = element.bits();
    let hidden = 1_u64 << format.mantissa;
    let parts = |x: Value<'c>| {
        let bits = x.bits();
        let is_normal = bits.at_least(hidden);
        let mantissa = bits & (hidden - 1);
        let mantissa = is_normal.select(mantissa | hidden, mantissa);
        let exponent = is_normal.select(bits >> u64::from(format.mantissa), bits.constant(1));
        (mantissa, exponent)
    };
    let ((rest, first), (divisor, place)) = (parts(a), parts(b));
    // A remainder leaves so many bits of the integer free.
    let free = u64::from(bits - format.mantissa - 1);
    let [rest, _] = a.code().repeat([rest, first - place], |[rest, shift]| {
        let step = shift.below(free).select(shift, shift.constant(free));
        let rest = (rest << step).remainder(divisor);
        let shift = shift - step;
        ([rest, shift], shift.above(0))
    });
    let is_zero = rest.equals(0);
    // The highest bit is counted from a number that is not 0.
    let zeros = (rest | 1).leading_zeros() - free;
    let is_normal = zeros.below(place);
    let up = is_normal.select(zeros, place - 1);
    let mantissa = rest << up;
    let exponent = is_normal.select(place - zeros, place.zero());
    let normal = (mantissa & (hidden - 1)) | (exponent << u64::from(format.mantissa));
    let result = is_normal.select(normal, mantissa).as_float(element);
    is_zero.select(0.0, result)
}

//! Powers and roots.

use super::code::Value;
use super::exponential::{exact_exp, power_of_two, scale, whole};
use super::logarithm::{exact_log, wide_log2};
use super::{F64, Format, polynomial};

/// The inverse of the square root.
pub(super) fn rsqrt(x: Value<'_>) -> Value<'_> {
    let guess = x.constant(1.0) / x.sqrt();
    // Newton's step, from the exact square of the guess.
    let product = x * guess;
    let rest = x.fma(guess, -product);
    let error = (-rest).fma(guess, (-product).fma(guess, 1.0));
    let root = (guess * error).fma(0.5, guess);
    // The error of zero and of infinity is NaN; their guesses are right.
    error.is_nan().select(guess, root)
}

/// What `pow` is for most operands.
struct Power<'c> {
    /// `|x|` to the power of `y`, for a positive finite `|x|`.
    magnitude: Value<'c>,
    x: Value<'c>,
    y: Value<'c>,
}

impl<'c> Power<'c> {
    /// Returns the power, with its sign and the special values of annex F of the C standard.
    fn with_special_values(self) -> Value<'c> {
        let Self { magnitude, x, y } = self;
        let format = Format::of(x);
        let element = x.ty.element;
        let (a, b) = (x.abs(), y.abs());
        // Whole numbers from here on are even.
        let even = f64::from_bits(u64::from(1023 + format.mantissa + 1) << 52);
        let is_whole = b.at_least(even * 0.5) | is_integer(b, even * 0.5);
        let half = b * 0.5;
        let is_odd = is_whole & b.below(even) & !is_integer(half, even * 0.5);
        let is_zero = a.equals(0.0);
        let is_extreme = is_zero | a.equals(f64::INFINITY);
        let is_down = y.bits().is_negative();
        let extreme = (is_zero ^ is_down).select(0.0, x.constant(f64::INFINITY));
        let magnitude = is_extreme.select(extreme, magnitude);
        let magnitude = a.equals(1.0).select(1.0, magnitude);
        let is_negative = x.bits().is_negative();
        let sign = (is_negative & is_odd).select(format.sign(), x.bits().zero());
        let power = (magnitude.bits() | sign).as_float(element);
        let is_undefined = is_negative & !is_extreme & !is_whole & !b.equals(f64::INFINITY);
        let power = is_undefined.select(f64::NAN, power);
        let power = x.is_unordered(y).select(f64::NAN, power);
        (x.equals(1.0) | y.equals(0.0)).select(1.0, power)
    }
}

/// Returns `true` for a whole number; `b` is not negative. From `limit` on, the answer is without meaning.
fn is_integer(b: Value<'_>, limit: f64) -> Value<'_> {
    // The sum rounds to a whole number.
    ((b + limit) - limit).equals(b)
}

/// Returns f32 to the power of f32, computed in f64.
pub(super) fn pow_single<'c>(x: Value<'c>, y: Value<'c>) -> Value<'c> {
    let exponent = y.widened() * wide_log2(x.abs());
    // Results overflow or underflow far from here. A NaN is kept.
    let exponent = exponent.lowered_to(200.0).raised_to(-200.0);
    let whole = whole(exponent + F64.round);
    let r = (exponent - whole.n) * F64.ln_2;
    let series = (r * r).about(r.horner(&polynomial::double::EXP_NARROW), r);
    let power = power_of_two(whole);
    let magnitude = series.about(power, power).narrowed();
    Power { magnitude, x, y }.with_special_values()
}

/// Returns f64 to the power of f64.
pub(super) fn pow_double<'c>(x: Value<'c>, y: Value<'c>) -> Value<'c> {
    let (log, log_rest) = exact_log(x.abs());
    let product = y * log;
    let rest = y.about(log_rest, y.fma(log, -product));
    let is_large = product.abs().above(800.0);
    let rest = is_large.select(0.0, rest);
    let product = product.lowered_to(800.0).raised_to(-800.0);
    let (whole, high, low) = exact_exp(product, rest);
    let magnitude = scale(high + low, whole);
    Power { magnitude, x, y }.with_special_values()
}

/// Returns f32 to an integer power, in f64, by repeated squaring until the largest exponent is used up.
pub(super) fn powi_single<'c>(x: Value<'c>, exponent: Value<'c>) -> Value<'c> {
    let is_negative = exponent.is_negative();
    let rest = is_negative.select(-exponent, exponent);
    let x = x.widened();
    let one = x.constant(1.0);
    let [_, product, _] = x.code().repeat([rest, one, x], |[rest, product, square]| {
        let is_set = (rest & 1).equals(1);
        let product = is_set.select(product * square, product);
        let rest = rest >> 1;
        ([rest, product, square * square], rest.above(0).any())
    });
    // What overflows or underflows in f64 does so in f32.
    is_negative.select(one / product, product).narrowed()
}

/// Returns f64 to an integer power, in pairs of f64.
pub(super) fn powi_double<'c>(x: Value<'c>, exponent: Value<'c>) -> Value<'c> {
    let is_negative = exponent.is_negative();
    let rest = is_negative.select(-exponent, exponent);
    let one = x.constant(1.0);
    // The inverse comes first: the inverse of a power that is subnormal would have few bits.
    let inverse = one / x;
    let lost = known((-inverse).fma(x, 1.0) * inverse);
    let square = is_negative.select(inverse, x);
    let square_rest = is_negative.select(lost, x.zero());
    let state = [rest, one, x.zero(), square, square_rest];
    let [_, product, ..] = x
        .code()
        .repeat(state, |[rest, high, low, square, square_rest]| {
            let is_set = (rest & 1).equals(1);
            let (new_high, new_low) = product_of_pairs((high, low), (square, square_rest));
            let (high, low) = (is_set.select(new_high, high), is_set.select(new_low, low));
            let (square, square_rest) =
                product_of_pairs((square, square_rest), (square, square_rest));
            let rest = rest >> 1;
            ([rest, high, low, square, square_rest], rest.above(0).any())
        });
    product
}

/// Returns 0 for what is not finite: the error of an infinite result.
fn known(error: Value<'_>) -> Value<'_> {
    let is_finite = error.abs().below(f64::INFINITY);
    is_finite.select(error, error.zero())
}

/// The product of two numbers, each of which is the sum of a pair.
fn product_of_pairs<'c>(
    a: (Value<'c>, Value<'c>),
    b: (Value<'c>, Value<'c>),
) -> (Value<'c>, Value<'c>) {
    let product = a.0 * b.0;
    let lost = a.0.fma(b.0, -product);
    let lost = known(a.0.about(b.1, a.1.about(b.0, lost)));
    let high = product + lost;
    (high, (product - high) + lost)
}

//! Exponentials and hyperbolic functions.

use super::code::{Element, Value};
use super::{Format, polynomial, wide};
use crate::cpu::Level;

/// `n`, an integer, with the sum that has it in its low bits.
#[derive(Clone, Copy)]
pub(super) struct Whole<'c> {
    pub(super) n: Value<'c>,
    /// The bits of the sum of `n` and [`Format::round`].
    pub(super) bits: Value<'c>,
}

/// Splits `sum`, to which [`Format::round`] was added.
pub(super) fn whole(sum: Value<'_>) -> Whole<'_> {
    Whole {
        n: sum - Format::of(sum).round,
        bits: sum.bits(),
    }
}

/// Returns 2 to the power of `whole`, which must be a normal number.
pub(super) fn power_of_two(whole: Whole<'_>) -> Value<'_> {
    let format = Format::of(whole.n);
    let bits = (whole.bits << u64::from(format.mantissa)) + format.one();
    bits.as_float(whole.n.ty.element)
}

/// Returns `x` times 2 to the power of `whole`, rounded once; `x` must be between 1/2 and 2, and the exponent within twice
/// the range of exponents.
pub(super) fn scale<'c>(x: Value<'c>, whole: Whole<'c>) -> Value<'c> {
    if let Some(name) = scale_instruction(x) {
        return in_registers(x, whole.n, |x, n| scale_register(x, n, name));
    }
    // In two steps, because the power may be outside of the normal range. Only the low bits of each half matter.
    let half = whole.bits >> 1;
    let rest = whole.bits - half;
    let power = |bits| power_of_two(Whole { bits, ..whole });
    // A product keeps a NaN, of which an addition to the exponent would make a number.
    x * power(half) * power(rest)
}

/// Returns the name of the instruction that scales by a power of two, without the number of bits of the register.
fn scale_instruction(x: Value<'_>) -> Option<&'static str> {
    match x.ty.element {
        _ if !x.code().level.has_masks() => None,
        Element::F32 => Some("llvm.x86.avx512.mask.scalef.ps"),
        Element::F64 => Some("llvm.x86.avx512.mask.scalef.pd"),
        Element::F16 | Element::Int(_) => None,
    }
}

/// `vscalefps` and `vscalefpd` of one register.
fn scale_register<'c>(x: Value<'c>, n: Value<'c>, name: &str) -> Value<'c> {
    let bits = x.ty.lanes * x.ty.element.bits();
    let ty = x.ty;
    let rounding = if bits == 512 { ", i32 4" } else { "" };
    // A mask has at least 8 bits.
    let mask = ty.lanes.max(8);
    x.code().instruction(
        ty,
        format_args!(
            "call {ty} @{name}.{bits}({ty} {x}, {ty} {n}, {ty} zeroinitializer, i{mask} -1{rounding})"
        ),
    )
}

/// Applies a function of registers, of 128 to 512 bits, to vectors of any number of lanes.
fn in_registers<'c>(
    x: Value<'c>,
    y: Value<'c>,
    function: impl Fn(Value<'c>, Value<'c>) -> Value<'c> + Copy,
) -> Value<'c> {
    let lanes = x.ty.lanes;
    let bits = lanes * x.ty.element.bits();
    if bits < 128 {
        let full = 128 / x.ty.element.bits();
        return function(x.part(0, full), y.part(0, full)).first(lanes);
    }
    if bits <= 512 {
        return function(x, y);
    }
    let half = lanes / 2;
    let low = in_registers(x.part(0, half), y.part(0, half), function);
    let high = in_registers(x.part(half, half), y.part(half, half), function);
    low.followed_by(high)
}

/// `x = n ln 2 + r` with `|r| <= ln 2 / 2`, up to the rounding of `r`.
fn reduce(x: Value<'_>) -> (Whole<'_>, Value<'_>) {
    let format = Format::of(x);
    let whole = whole(x.fma(format.log2_e, format.round));
    // Exact.
    let high = whole.n.fma(-format.ln_2, x);
    (whole, whole.n.fma(-format.ln_2_rest, high))
}

/// `x + rest = n ln 2 + r + r_rest` with `|r| <= ln 2 / 2`.
pub(super) fn reduce_exactly<'c>(
    x: Value<'c>,
    rest: Value<'c>,
) -> (Whole<'c>, Value<'c>, Value<'c>) {
    let format = Format::of(x);
    let whole = whole(x.about(format.log2_e, format.round));
    // Exact.
    let high = whole.n.fma(-format.ln_2, x);
    let low = whole.n.about(-format.ln_2_rest, rest);
    let r = high + low;
    (whole, r, (high - r) + low)
}

/// The exponential of f32.
pub(super) fn exp_single(x: Value<'_>) -> Value<'_> {
    // Beyond these limits the results are infinite or zero.
    let (whole, r) = reduce(x.lowered_to(89.0).raised_to(-104.0));
    let [c0, c1, c2, c3, c4] = wide(&polynomial::single::EXP);
    let power = if x.code().level.has_fma() {
        r.horner(&[1.0, 1.0, c0, c1, c2, c3, c4])
    } else {
        // Two roundings of Horner's last step would be too many.
        (r * r).about(r.horner(&[c0, c1, c2, c3, c4]), r) + 1.0
    };
    scale(power, whole)
}

/// `e^(x + rest)` of f64 is `2^n (high + low)`.
pub(super) fn exact_exp<'c>(x: Value<'c>, rest: Value<'c>) -> (Whole<'c>, Value<'c>, Value<'c>) {
    let (whole, r, r_rest) = reduce_exactly(x, rest);
    let tail = (r * r).about(r.horner(&polynomial::double::EXP), r.about(r_rest, r_rest));
    let high = r + 1.0;
    let low = ((r.constant(1.0) - high) + r) + tail;
    (whole, high, low)
}

/// The exponential of f64.
pub(super) fn exp_double(x: Value<'_>) -> Value<'_> {
    let x = x.lowered_to(720.0).raised_to(-760.0);
    let (whole, high, low) = exact_exp(x, x.zero());
    scale(high + low, whole)
}

/// 2 to the power of f32.
pub(super) fn exp2_single(x: Value<'_>) -> Value<'_> {
    let x = x.lowered_to(129.0).raised_to(-151.0);
    let whole = whole(x + Format::of(x).round);
    let f = x - whole.n;
    let [c0, c1, c2, c3, c4, c5] = wide(&polynomial::single::EXP2);
    let power = f.horner(&[1.0, super::F32.ln_2, c0, c1, c2, c3, c4, c5]);
    scale(power, whole)
}

/// 2 to the power of f64.
pub(super) fn exp2_double(x: Value<'_>) -> Value<'_> {
    let format = Format::of(x);
    let x = x.lowered_to(1050.0).raised_to(-1100.0);
    let whole = whole(x + format.round);
    let f = x - whole.n;
    let u = f * format.ln_2;
    let u_rest = f.about(format.ln_2_rest, f.fma(format.ln_2, -u));
    let sum = u + 1.0;
    let tail = (f * f).about(f.horner(&polynomial::double::EXP2), u_rest);
    let rest = ((u.constant(1.0) - sum) + u) + tail;
    scale(sum + rest, whole)
}

/// The parts of `sinh` and `cosh`: `e^x` is `4 power (large + rest)`.
struct Hyperbolic<'c> {
    is_small: Value<'c>,
    power: Value<'c>,
    large: Value<'c>,
    rest: Value<'c>,
    /// `e^-x / 4`, which becomes 0 where it does not matter.
    inverse: Value<'c>,
    /// `sinh` of the reduced operand.
    sinh: Value<'c>,
}

/// Splits `e^x` and `e^-x` for a non-negative `x`, with one polynomial for the even and one for the odd powers.
/// Below the limit `direct`, `sinh` is the odd powers of `x` itself.
fn hyperbolic(x: Value<'_>, direct: f64) -> Hyperbolic<'_> {
    let format = Format::of(x);
    let is_single = x.ty.element == Element::F32;
    // Above this limit the results are infinite. A NaN is kept.
    let x = x.lowered_to(if is_single { 89.5 } else { 710.6 });
    let is_small = x.below(direct);
    let reduced = is_small.select(0.0, x);
    let (whole, r, r_rest) = if is_single {
        let (whole, r) = reduce(reduced);
        (whole, r, None)
    } else {
        let (whole, r, r_rest) = reduce_exactly(reduced, x.zero());
        (whole, r, Some(r_rest))
    };
    let r = is_small.select(x, r);
    let quarter = format.one() - (2 << format.mantissa);
    let power_bits = (whole.bits << u64::from(format.mantissa)) + quarter;
    let power = power_bits.as_float(x.ty.element);
    // The exponents of both add up to that of 1/16 times 16.
    let inverse_power = (power_bits.constant(2 * format.one()) - power_bits).as_float(x.ty.element);
    let z = r * r;
    let (cosh, sinh) = if is_single {
        (
            z.horner(&wide(&polynomial::single::COSH)),
            z.horner(&wide(&polynomial::single::SINH)),
        )
    } else {
        (
            z.horner(&polynomial::double::COSH),
            z.horner(&polynomial::double::SINH),
        )
    };
    let even = z * cosh;
    let odd = match r_rest {
        None => (r * z) * sinh,
        Some(r_rest) => (r * z).about(sinh, r_rest),
    };
    let large = r + 1.0;
    let rest = ((r.constant(1.0) - large) + r) + (even + odd);
    let small = (r.constant(1.0) - r) + (even - odd);
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
pub(super) fn cosh(x: Value<'_>) -> Value<'_> {
    let h = hyperbolic(x.abs(), 0.0);
    let rest = h.power.fma(h.rest, h.inverse);
    h.power.fma(h.large, rest) * 2.0
}

/// The hyperbolic sine.
pub(super) fn sinh(x: Value<'_>) -> Value<'_> {
    let h = hyperbolic(x.abs(), 0.7);
    let rest = h.power.fma(h.rest, -h.inverse);
    let usual = h.power.fma(h.large, rest) * 2.0;
    h.is_small.select(h.sinh, usual).copysign(x)
}

/// Returns `true` if the hyperbolic tangent of f32 reads [`pieces`].
pub(super) fn has_pieces(level: Level) -> bool {
    level.has_masks()
}

/// Returns the definition of the table of [`tanh_in_pieces`].
pub(super) fn pieces(name: &str) -> String {
    let numbers: Vec<String> = polynomial::TANH_PIECES
        .iter()
        .flatten()
        .map(|&number| format!("float 0x{:016X}", f64::from(number).to_bits()))
        .collect();
    format!(
        "@{name} = internal unnamed_addr constant [{} x float] [{}], align 64\n",
        numbers.len(),
        numbers.join(", ")
    )
}

/// The hyperbolic tangent of f32; `table` is the name of [`pieces`].
pub(super) fn tanh_single<'c>(x: Value<'c>, table: &str) -> Value<'c> {
    if has_pieces(x.code().level) {
        in_full_registers(x, |x| tanh_in_pieces(x, table))
    } else {
        tanh_by_exp(x)
    }
}

/// Applies a function of registers of 512 bits.
fn in_full_registers<'c>(
    x: Value<'c>,
    function: impl Fn(Value<'c>) -> Value<'c> + Copy,
) -> Value<'c> {
    let (lanes, full) = (x.ty.lanes, 512 / x.ty.element.bits());
    if lanes < full {
        return function(x.part(0, full)).first(lanes);
    }
    if lanes == full {
        return function(x);
    }
    let half = lanes / 2;
    let low = in_full_registers(x.part(0, half), function);
    low.followed_by(in_full_registers(x.part(half, half), function))
}

/// The hyperbolic tangent by a polynomial for each of 32 pieces, whose coefficients are in pairs of registers: half of the
/// instructions of [`tanh_by_exp`].
fn tanh_in_pieces<'c>(x: Value<'c>, table: &str) -> Value<'c> {
    // Beyond this limit the result is 1. A NaN is kept.
    let a = x.abs().lowered_to(15.5);
    // The first piece begins at 0.
    let piece = a.raised_to(0.0625).bits() >> 21;
    let (code, ty) = (x.code(), x.ty);
    // Column 0 has the centers, the others the coefficients.
    let of_piece = |column: usize| {
        let [low, high] = [0, 64].map(|bytes| {
            let at = 128 * column + bytes;
            code.instruction(
                ty,
                format_args!("load {ty}, ptr getelementptr (i8, ptr @{table}, i64 {at}), align 64"),
            )
        });
        code.call(ty, "llvm.x86.avx512.vpermi2var.ps.512", &[low, piece, high])
    };
    let distance = a - of_piece(0);
    let highest = polynomial::TANH_PIECES.len() - 1;
    let value = (1..highest).rev().fold(of_piece(highest), |sum, column| {
        sum.fma(distance, of_piece(column))
    });
    value.copysign(x)
}

/// The hyperbolic tangent with `e = exp(2 |x|) - 1`: it is `e / (e + 2)`. Near zero nothing cancels.
fn tanh_by_exp(x: Value<'_>) -> Value<'_> {
    // Beyond this limit the result is 1. A NaN is kept.
    let a = x.abs().lowered_to(10.0);
    let (whole, r) = reduce(a + a);
    let [c0, c1, c2, c3, c4] = wide(&polynomial::single::EXP);
    let tail = r.horner(&[c0, c1, c2, c3, c4]);
    let square = r * r;
    let series = square.fma(tail, r);
    let power = power_of_two(whole);
    let less_one = power - 1.0;
    let e = power.fma(series, less_one);
    // What the roundings of the series and of `e` have lost; a product with a power of two is exact.
    let series_rest = square.fma(tail, r - series);
    let e_rest = power.about(series_rest, power.about(series, less_one - e));
    let divisor = e + 2.0;
    let divisor_rest = (e - (divisor - 2.0)) + e_rest;
    let inverse = divisor.constant(1.0) / divisor;
    let quotient = e * inverse;
    // The quotient is corrected by what it leaves of the dividend.
    let left = (-quotient).fma(divisor, e) + e_rest;
    let left = (-quotient).fma(divisor_rest, left);
    left.fma(inverse, quotient).copysign(x)
}

/// The hyperbolic tangent of f64.
pub(super) fn tanh_double(x: Value<'_>) -> Value<'_> {
    let a = x.abs();
    let z = a * a;
    let near = (a * z).about(z.horner(&polynomial::double::TANH), a);
    let limited = a.lowered_to(20.0);
    let (whole, high, low) = exact_exp(limited + limited, x.zero());
    let power = power_of_two(whole);
    let exp = high + low;
    let exp_rest = (high - exp) + low;
    let sum = exp.fma(power, 1.0);
    let rest = exp_rest.fma(power, exp.fma(power, -sum) + 1.0);
    let inverse = sum.constant(1.0) / sum;
    let inverse = (-rest * inverse).about(inverse, inverse);
    let far = inverse.fma(-2.0, 1.0);
    a.below(0.65).select(near, far).copysign(x)
}

//! Functions for which the PTX ISA gives an error bound instead of a value.
//!
//! Each is computed in f64 by additions, multiplications and the functions of `libm`, which give
//! the same result on every machine, and is rounded once. The error is at most half an ulp of the
//! result plus 2^-36 of it, which is within the bounds of the PTX ISA:
//!
//! | instruction | bound |
//! |---|---|
//! | `rcp.approx.f32` | 1 ulp |
//! | `div.full.f32` | 2 ulp; `div.approx.f32`: 2 ulp for a divisor within 2^±126 |
//! | `sqrt.approx.f32` | 2^-23, relative |
//! | `rsqrt.approx.f32` | 2^-22.9, relative |
//! | `rcp.approx.ftz.f64`, `rsqrt.approx.ftz.f64` | the upper 32 bits |
//! | `ex2.approx.f32` | 2 ulp (2^-22, relative); f16: 2^-9.9; bf16: 2^-7 |
//! | `lg2.approx.f32` | 2^-22, absolute from 0.5 to 2, else relative |
//! | `sin.approx.f32`, `cos.approx.f32` | 2^-20.5, absolute, within ±2π; 2^-14.7 within ±100π |
//! | `tanh.approx.f32` | 2^-11, relative; f16: 2^-10.987, bf16: 2^-8, absolute |

/// Computes `2^x`.
#[inline]
pub(crate) fn exp2(x: f64) -> f64 {
    // Adding 1.5 * 2^52 rounds to an integer, which the low bits of the sum hold.
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    // The terms ln(2)^n / n!. The first omitted term is below 2^-36.
    const TERMS: [f64; 10] = [
        1.0,
        std::f64::consts::LN_2,
        0.240_226_506_959_100_7,
        0.055_504_108_664_821_58,
        0.009_618_129_107_628_477,
        0.001_333_355_814_642_844_3,
        0.000_154_035_303_933_816_1,
        0.000_015_252_733_804_059_84,
        0.000_001_321_548_679_014_431,
        0.000_000_101_780_860_092_396_99,
    ];
    // Beyond these bounds the results in f32 and f16 are infinities and zeros.
    let x = if x > 1000.0 { 1000.0 } else { x };
    let x = if x < -1000.0 { -1000.0 } else { x };
    let shifted = x + SHIFT;
    let rest = x - (shifted - SHIFT);
    // Estrin's scheme: evaluates pairs of terms, then pairs of pairs.
    let pair = |n: usize| TERMS[n] + TERMS[n + 1] * rest;
    let square = rest * rest;
    let fourth = square * square;
    let (low, high) = (pair(0) + pair(2) * square, pair(4) + pair(6) * square);
    let sum = low + fourth * (high + pair(8) * fourth);
    let exponent = shifted.to_bits() << 52;
    // Adds to the exponent, which multiplies by a power of two; NaN stays NaN.
    f64::from_bits(sum.to_bits().wrapping_add(exponent))
}

/// Computes `sin(x)`.
pub(crate) fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Computes `cos(x)`.
pub(crate) fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Computes `log2(x)`.
pub(crate) fn log2(x: f64) -> f64 {
    libm::log2(x)
}

/// Computes `tanh(x)`.
pub(crate) fn tanh(x: f64) -> f64 {
    libm::tanh(x)
}

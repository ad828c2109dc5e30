//! Methods of single numbers that Rust has not, and how results are rounded.

use super::{Element, bf16, f16, only_in_kernels};

/// How a result is rounded.
#[derive(Clone, Copy, Debug)]
pub enum Rounding {
    /// To the nearest, ties to even.
    NearestEven,
    /// Towards zero.
    Zero,
    /// Towards negative infinity.
    NegInf,
    /// Towards positive infinity.
    PosInf,
    /// As the fast instruction does.
    Approx,
    /// To the full precision of the fast instruction.
    Full,
}

impl Rounding {
    /// The same, with subnormal numbers flushed to zero.
    #[must_use]
    pub fn ftz(self) -> Rounding {
        only_in_kernels()
    }
}

macro_rules! numbers {
    ($($(#[$doc:meta])+ $name:ident($($arg:ident: $ty:ty),*) -> $out:ty;)+) => {
        /// Methods of numbers in kernels, beside those of Rust.
        pub trait Number: Element { $(
            $(#[$doc])+
            #[must_use]
            fn $name(self $(, $arg: $ty)*) -> $out {
                only_in_kernels()
            }
        )+
            /// To another type, with the meaning of `as`.
            fn cast<U: Element>(self) -> U {
                only_in_kernels()
            }

            /// To the nearest finite number of another type.
            fn saturating_cast<U: Element>(self) -> U {
                only_in_kernels()
            }

            /// To another type, rounded as said.
            fn cast_with<U: Element>(self, rounding: Rounding) -> U {
                only_in_kernels()
            }

            /// The same bits as another type of the same width.
            fn bitcast<U: Element>(self) -> U {
                only_in_kernels()
            }
        }
    };
}
numbers! {
    /// The absolute value.
    abs() -> Self;
    /// Rounded towards negative infinity.
    floor() -> Self;
    /// Rounded towards positive infinity.
    ceil() -> Self;
    /// `e^x`.
    exp() -> Self;
    /// `2^x`.
    exp2() -> Self;
    /// The natural logarithm.
    ln() -> Self;
    /// The logarithm to base 2.
    log2() -> Self;
    /// The square root.
    sqrt() -> Self;
    /// `1 / sqrt(x)`.
    rsqrt() -> Self;
    /// The sine.
    sin() -> Self;
    /// The cosine.
    cos() -> Self;
    /// The tangent.
    tan() -> Self;
    /// The hyperbolic tangent.
    tanh() -> Self;
    /// `1 / x`.
    recip() -> Self;
    /// Rounded to the nearest integer, halves to the even one.
    round_ties_even() -> Self;
    /// The logarithm to base 10.
    log10() -> Self;
    /// `e^x - 1`, exact near zero.
    exp_m1() -> Self;
    /// `ln(1 + x)`, exact near zero.
    ln_1p() -> Self;
    /// The cube root.
    cbrt() -> Self;
    /// `sqrt(x * x + y * y)`, without overflow between.
    hypot(y: Self) -> Self;
    /// The arc sine.
    asin() -> Self;
    /// The arc cosine.
    acos() -> Self;
    /// The arc tangent.
    atan() -> Self;
    /// The inverse hyperbolic sine.
    asinh() -> Self;
    /// The inverse hyperbolic cosine.
    acosh() -> Self;
    /// The inverse hyperbolic tangent.
    atanh() -> Self;
    /// Sine and cosine.
    sin_cos() -> (Self, Self);
    /// Radians to degrees.
    to_degrees() -> Self;
    /// Degrees to radians.
    to_radians() -> Self;
    /// The quotient rounded up.
    div_ceil(y: Self) -> Self;
    /// The nearest number to `-x`.
    saturating_neg() -> Self;
    /// The nearest number to `|x|`.
    saturating_abs() -> Self;
    /// `2^x`; subnormal numbers are flushed to zero.
    exp2_ftz() -> Self;
    /// `1 / sqrt(x)`; subnormal numbers are flushed to zero.
    rsqrt_ftz() -> Self;
    /// The greater; NaN if either is NaN.
    maximum(y: Self) -> Self;
    /// The lesser; NaN if either is NaN.
    minimum(y: Self) -> Self;
    /// The greater; subnormal numbers are flushed to zero.
    max_ftz(y: Self) -> Self;
    /// The lesser; subnormal numbers are flushed to zero.
    min_ftz(y: Self) -> Self;
    /// `x^y`.
    powf(y: Self) -> Self;
    /// The high half of the product.
    mul_hi(y: Self) -> Self;
    /// `x * y + z`, rounded once.
    mul_add(y: Self, z: Self) -> Self;
    /// `x + y`, rounded as said.
    add_with(y: Self, rounding: Rounding) -> Self;
    /// `x - y`, rounded as said.
    sub_with(y: Self, rounding: Rounding) -> Self;
    /// `x * y`, rounded as said.
    mul_with(y: Self, rounding: Rounding) -> Self;
    /// `x / y`, rounded as said.
    div_with(y: Self, rounding: Rounding) -> Self;
    /// `x * y + z`, rounded once, as said.
    mul_add_with(y: Self, z: Self, rounding: Rounding) -> Self;
    /// The square root, rounded as said.
    sqrt_with(rounding: Rounding) -> Self;
    /// The hyperbolic tangent, computed as said.
    tanh_with(rounding: Rounding) -> Self;
}

macro_rules! implement {
    ($($ty:ty)+) => { $( impl Number for $ty {} )+ };
}
implement!(bool i8 i16 i32 i64 u8 u16 u32 u64 usize f16 bf16 f32 f64);

/// Constants of number types in kernels, beside those of Rust.
pub trait Constants: Element {
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// The bits of a value.
    const BITS: u32;
}

macro_rules! constants {
    ($($ty:ty: $zero:expr, $one:expr;)+) => { $(
        impl Constants for $ty {
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            const BITS: u32 = 8 * size_of::<$ty>() as u32;
        }
    )+ };
}
constants! {
    i8: 0, 1; i16: 0, 1; i32: 0, 1; i64: 0, 1;
    u8: 0, 1; u16: 0, 1; u32: 0, 1; u64: 0, 1; usize: 0, 1;
    f16: f16::ZERO, f16::ONE; bf16: bf16::ZERO, bf16::ONE; f32: 0.0, 1.0; f64: 0.0, 1.0;
}

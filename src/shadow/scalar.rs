//! Methods of numbers that Rust's own types lack, and rounding modes.

use super::{Element, bf16, f16, only_in_kernels};

/// A rounding mode.
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
    /// The rounding of the approximate instruction.
    Approx,
    /// The rounding of the approximate instruction that covers the full range of operands.
    Full,
}

impl Rounding {
    /// Returns the same mode, with subnormal numbers flushed to zero.
    #[must_use]
    pub fn ftz(self) -> Rounding {
        only_in_kernels()
    }
}

macro_rules! numbers {
    ($($(#[$doc:meta])+ $name:ident($($arg:ident: $ty:ty),*) -> $out:ty;)+) => {
        /// Methods of numbers in kernels, in addition to those of Rust.
        pub trait Number: Element { $(
            $(#[$doc])+
            #[must_use]
            fn $name(self $(, $arg: $ty)*) -> $out {
                only_in_kernels()
            }
        )+
            /// Converts to another type, with the semantics of `as`.
            fn cast<U: Element>(self) -> U {
                only_in_kernels()
            }

            /// Converts to the nearest finite number of another type.
            fn saturating_cast<U: Element>(self) -> U {
                only_in_kernels()
            }

            /// Converts to another type with the given rounding.
            fn cast_with<U: Element>(self, rounding: Rounding) -> U {
                only_in_kernels()
            }

            /// Reinterprets the bits as another type of the same width.
            fn bitcast<U: Element>(self) -> U {
                only_in_kernels()
            }
        }
    };
}
numbers! {
    /// Returns the absolute value.
    abs() -> Self;
    /// Rounds towards negative infinity.
    floor() -> Self;
    /// Rounds towards positive infinity.
    ceil() -> Self;
    /// Computes `e^x`.
    exp() -> Self;
    /// Computes `2^x`.
    exp2() -> Self;
    /// Computes the natural logarithm.
    ln() -> Self;
    /// Computes the logarithm to base 2.
    log2() -> Self;
    /// Computes the square root.
    sqrt() -> Self;
    /// Computes `1 / sqrt(x)`.
    rsqrt() -> Self;
    /// Computes the sine.
    sin() -> Self;
    /// Computes the cosine.
    cos() -> Self;
    /// Computes the tangent.
    tan() -> Self;
    /// Computes the hyperbolic tangent.
    tanh() -> Self;
    /// Computes `1 / x`.
    recip() -> Self;
    /// Rounds to the nearest integer, ties to even.
    round_ties_even() -> Self;
    /// Computes the logarithm to base 10.
    log10() -> Self;
    /// Computes `e^x - 1`, accurate near zero.
    exp_m1() -> Self;
    /// Computes `ln(1 + x)`, accurate near zero.
    ln_1p() -> Self;
    /// Computes the cube root.
    cbrt() -> Self;
    /// Computes `sqrt(x * x + y * y)`, without intermediate overflow.
    hypot(y: Self) -> Self;
    /// Computes the arc sine.
    asin() -> Self;
    /// Computes the arc cosine.
    acos() -> Self;
    /// Computes the arc tangent.
    atan() -> Self;
    /// Computes the inverse hyperbolic sine.
    asinh() -> Self;
    /// Computes the inverse hyperbolic cosine.
    acosh() -> Self;
    /// Computes the inverse hyperbolic tangent.
    atanh() -> Self;
    /// Computes sine and cosine.
    sin_cos() -> (Self, Self);
    /// Converts radians to degrees.
    to_degrees() -> Self;
    /// Converts degrees to radians.
    to_radians() -> Self;
    /// Returns the quotient, rounded up.
    div_ceil(y: Self) -> Self;
    /// Computes `-x`, saturating at the bounds of the type.
    saturating_neg() -> Self;
    /// Computes `|x|`, saturating at the bounds of the type.
    saturating_abs() -> Self;
    /// Computes `2^x`; subnormal numbers are flushed to zero.
    exp2_ftz() -> Self;
    /// Computes `1 / sqrt(x)`; subnormal numbers are flushed to zero.
    rsqrt_ftz() -> Self;
    /// Returns the maximum; NaN if either operand is NaN.
    maximum(y: Self) -> Self;
    /// Returns the minimum; NaN if either operand is NaN.
    minimum(y: Self) -> Self;
    /// Returns the maximum; subnormal numbers are flushed to zero.
    max_ftz(y: Self) -> Self;
    /// Returns the minimum; subnormal numbers are flushed to zero.
    min_ftz(y: Self) -> Self;
    /// Computes `x^y`.
    powf(y: Self) -> Self;
    /// Returns the high half of the product.
    mul_hi(y: Self) -> Self;
    /// Computes `x * y + z`, rounded once.
    mul_add(y: Self, z: Self) -> Self;
    /// Computes `x + y` with the given rounding.
    add_with(y: Self, rounding: Rounding) -> Self;
    /// Computes `x - y` with the given rounding.
    sub_with(y: Self, rounding: Rounding) -> Self;
    /// Computes `x * y` with the given rounding.
    mul_with(y: Self, rounding: Rounding) -> Self;
    /// Computes `x / y` with the given rounding.
    div_with(y: Self, rounding: Rounding) -> Self;
    /// Computes `x * y + z`, rounded once with the given rounding.
    mul_add_with(y: Self, z: Self, rounding: Rounding) -> Self;
    /// Computes the square root with the given rounding.
    sqrt_with(rounding: Rounding) -> Self;
    /// Computes the hyperbolic tangent with the given rounding.
    tanh_with(rounding: Rounding) -> Self;
}

macro_rules! implement {
    ($($ty:ty)+) => { $( impl Number for $ty {} )+ };
}
implement!(bool i8 i16 i32 i64 u8 u16 u32 u64 usize f16 bf16 f32 f64);

/// Constants of number types in kernels, in addition to those of Rust.
pub trait Constants: Element {
    /// Zero.
    const ZERO: Self;
    /// One.
    const ONE: Self;
    /// The width of the type in bits.
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

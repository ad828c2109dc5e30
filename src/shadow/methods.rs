//! Methods of tiles.

use super::{
    Axes, Element, Integer, Operand, Rounding, Shape, Tile, bf16, f8e4m3, f8e5m2, f8e8m0, f16,
    only_in_kernels,
};

macro_rules! unary {
    ($($(#[$doc:meta])+ $name:ident)+) => {
        impl<T: Element, const RANK: usize> Tile<T, RANK> { $(
            $(#[$doc])+
            pub fn $name(self) -> Tile<T, RANK> {
                only_in_kernels()
            }
        )+ }
    };
}

macro_rules! binary {
    ($($(#[$doc:meta])+ $name:ident)+) => {
        impl<T: Element, const RANK: usize> Tile<T, RANK> { $(
            $(#[$doc])+
            pub fn $name(self, y: impl Operand<T, RANK>) -> Tile<T, RANK> {
                only_in_kernels()
            }
        )+ }
    };
}

macro_rules! reductions {
    ($($(#[$doc:meta])+ $name:ident)+) => {
        impl<T: Element, const RANK: usize> Tile<T, RANK> where Tile<T, RANK>: Axes { $(
            $(#[$doc])+
            pub fn $name(self, axis: impl Integer) -> <Self as Axes>::Without {
                only_in_kernels()
            }
        )+ }
    };
}

macro_rules! reductions_as {
    ($($(#[$doc:meta])+ $name:ident)+) => {
        impl<T: Element, const RANK: usize> Tile<T, RANK> { $(
            $(#[$doc])+
            pub fn $name<U: Element>(self, axis: impl Integer) -> <Tile<U, RANK> as Axes>::Without
            where
                Tile<U, RANK>: Axes,
            {
                only_in_kernels()
            }
        )+ }
    };
}

macro_rules! scans_as {
    ($($(#[$doc:meta])+ $name:ident)+) => {
        impl<T: Element, const RANK: usize> Tile<T, RANK> { $(
            $(#[$doc])+
            pub fn $name<U: Element>(self, axis: impl Integer) -> Tile<U, RANK> {
                only_in_kernels()
            }
        )+ }
    };
}

macro_rules! scans {
    ($($(#[$doc:meta])+ $name:ident)+) => {
        impl<T: Element, const RANK: usize> Tile<T, RANK> { $(
            $(#[$doc])+
            pub fn $name(self, axis: impl Integer) -> Tile<T, RANK> {
                only_in_kernels()
            }
        )+ }
    };
}

/// Methods whose last operand is a bit count or an exponent, which has a type of its own.
macro_rules! counted {
    ($($(#[$doc:meta])+ $name:ident)+) => {
        impl<T: Element, const RANK: usize> Tile<T, RANK> { $(
            $(#[$doc])+
            pub fn $name(self, n: impl Operand<u32, RANK>) -> Tile<T, RANK> {
                only_in_kernels()
            }
        )+ }
    };
}

/// Methods whose result has another element type.
macro_rules! retyped {
    ($($(#[$doc:meta])+ $name:ident -> $out:ty)+) => {
        impl<T: Element, const RANK: usize> Tile<T, RANK> { $(
            $(#[$doc])+
            pub fn $name(self) -> Tile<$out, RANK> {
                only_in_kernels()
            }
        )+ }
    };
}

/// Methods with undefined behaviour on overflow.
macro_rules! unchecked {
    ($($(#[$doc:meta])+ $name:ident)+) => {
        impl<T: Element, const RANK: usize> Tile<T, RANK> { $(
            $(#[$doc])+
            ///
            /// # Safety
            ///
            /// No result may overflow.
            pub unsafe fn $name(self, y: impl Operand<T, RANK>) -> Tile<T, RANK> {
                only_in_kernels()
            }
        )+ }
    };
}

macro_rules! rounded {
    ($($(#[$doc:meta])+ $name:ident)+) => {
        impl<T: Element, const RANK: usize> Tile<T, RANK> { $(
            $(#[$doc])+
            pub fn $name(self, y: impl Operand<T, RANK>, rounding: Rounding) -> Tile<T, RANK> {
                only_in_kernels()
            }
        )+ }
    };
}

unary! {
    /// Returns the absolute value.
    abs
    /// Rounds towards negative infinity.
    floor
    /// Rounds towards positive infinity.
    ceil
    /// Computes `e^x`.
    exp
    /// Computes `2^x`.
    exp2
    /// Computes the natural logarithm.
    ln
    /// Computes the natural logarithm.
    log
    /// Computes the logarithm to base 2.
    log2
    /// Computes the square root.
    sqrt
    /// Computes `1 / sqrt(x)`.
    rsqrt
    /// Computes the sine.
    sin
    /// Computes the cosine.
    cos
    /// Computes the tangent.
    tan
    /// Computes the hyperbolic sine.
    sinh
    /// Computes the hyperbolic cosine.
    cosh
    /// Computes the hyperbolic tangent.
    tanh
    /// Computes `1 / x`.
    recip
    /// Returns the sign: -1, 0 or 1.
    signum
    /// Computes `-x`, modulo the width.
    wrapping_neg
    /// Computes `2^x`; subnormal numbers are flushed to zero.
    exp2_ftz
    /// Computes `1 / sqrt(x)`; subnormal numbers are flushed to zero.
    rsqrt_ftz
    /// Rounds towards zero.
    trunc
    /// Computes `x - x.trunc()`.
    fract
    /// Rounds to the nearest integer, ties away from zero.
    round
    /// Rounds to the nearest integer, ties to even.
    round_ties_even
    /// Computes the logarithm to base 10.
    log10
    /// Computes `e^x - 1`, accurate near zero.
    exp_m1
    /// Computes `ln(1 + x)`, accurate near zero.
    ln_1p
    /// Computes the cube root.
    cbrt
    /// Computes the arc sine.
    asin
    /// Computes the arc cosine.
    acos
    /// Computes the arc tangent.
    atan
    /// Computes the inverse hyperbolic sine.
    asinh
    /// Computes the inverse hyperbolic cosine.
    acosh
    /// Computes the inverse hyperbolic tangent.
    atanh
    /// Converts radians to degrees.
    to_degrees
    /// Converts degrees to radians.
    to_radians
    /// Computes `|x|`, modulo the width.
    wrapping_abs
    /// Computes `-x`, saturating at the bounds of the type.
    saturating_neg
    /// Computes `|x|`, saturating at the bounds of the type.
    saturating_abs
    /// Reverses the byte order.
    swap_bytes
    /// Reverses the bit order.
    reverse_bits
    /// Computes the square root, rounded down; 0 for a negative number.
    isqrt
    /// Returns the smallest power of two greater than or equal to `x`; 0 if it does not fit.
    next_power_of_two
}

binary! {
    /// Returns the maximum; if one operand is NaN, the other one.
    max
    /// Returns the minimum; if one operand is NaN, the other one.
    min
    /// Returns the maximum; NaN if either operand is NaN.
    maximum
    /// Returns the minimum; NaN if either operand is NaN.
    minimum
    /// Returns the maximum; subnormal numbers are flushed to zero.
    max_ftz
    /// Returns the minimum; subnormal numbers are flushed to zero.
    min_ftz
    /// Computes `x^y`.
    powf
    /// Returns the angle of the point `(y, self)`.
    atan2
    /// Computes `x + y`, modulo the width.
    wrapping_add
    /// Computes `x - y`, modulo the width.
    wrapping_sub
    /// Computes `x * y`, modulo the width.
    wrapping_mul
    /// Returns the high half of the product.
    mul_hi
    /// Returns the non-negative remainder.
    rem_euclid
    /// Returns the quotient that belongs to `rem_euclid`.
    div_euclid
    /// Returns `x` with the sign of `y`.
    copysign
    /// Returns the quotient, rounded up.
    div_ceil
    /// Computes `x + y`, saturating at the bounds of the type.
    saturating_add
    /// Computes `x - y`, saturating at the bounds of the type.
    saturating_sub
    /// Computes `x * y`, saturating at the bounds of the type.
    saturating_mul
    /// Computes `x / y`, saturating at the bounds of the type.
    saturating_div
    /// Computes `sqrt(x * x + y * y)`, without intermediate overflow.
    hypot
}

reductions! {
    /// Computes the sum along `axis`, in any order; a tile of rank 1 becomes a number.
    sum
    /// Computes the product along `axis`, in any order; a tile of rank 1 becomes a number.
    prod
    /// Returns the maximum along `axis`; a tile of rank 1 becomes a number.
    reduce_max
    /// Returns the minimum along `axis`; a tile of rank 1 becomes a number.
    reduce_min
    /// Returns `true` if any element along `axis` is `true`.
    any
    /// Returns `true` if all elements along `axis` are `true`.
    all
}

scans! {
    /// Computes inclusive prefix sums along `axis`.
    cumsum
    /// Computes inclusive prefix products along `axis`.
    cumprod
    /// Computes inclusive suffix sums along `axis`.
    cumsum_rev
    /// Computes inclusive suffix products along `axis`.
    cumprod_rev
}

reductions_as! {
    /// Computes the sum along `axis` of the elements as `U`.
    sum_as
    /// Computes the product along `axis` of the elements as `U`.
    prod_as
}

scans_as! {
    /// Computes inclusive prefix sums along `axis` of the elements as `U`.
    cumsum_as
    /// Computes inclusive prefix products along `axis` of the elements as `U`.
    cumprod_as
    /// Computes inclusive suffix sums along `axis` of the elements as `U`.
    cumsum_rev_as
    /// Computes inclusive suffix products along `axis` of the elements as `U`.
    cumprod_rev_as
}

rounded! {
    /// Computes `x + y` with the given rounding.
    add_with
    /// Computes `x - y` with the given rounding.
    sub_with
    /// Computes `x * y` with the given rounding.
    mul_with
    /// Computes `x / y` with the given rounding.
    div_with
}

counted! {
    /// Computes `x^n` of an integer, modulo the width.
    pow
    /// Computes `x << n`, with `n` modulo the width.
    wrapping_shl
    /// Computes `x >> n`, with `n` modulo the width.
    wrapping_shr
    /// Rotates the bits to the left.
    rotate_left
    /// Rotates the bits to the right.
    rotate_right
}

retyped! {
    /// Returns `true` for NaN.
    is_nan -> bool
    /// Returns `true` for infinities.
    is_infinite -> bool
    /// Returns `true` for numbers that are neither infinite nor NaN.
    is_finite -> bool
    /// Returns `true` if exactly one bit is set.
    is_power_of_two -> bool
    /// Returns the number of bits that are 1.
    count_ones -> u32
    /// Returns the number of bits that are 0.
    count_zeros -> u32
    /// Returns the number of zeros above the highest 1.
    leading_zeros -> u32
    /// Returns the number of zeros below the lowest 1.
    trailing_zeros -> u32
    /// Returns the number of ones above the highest 0.
    leading_ones -> u32
    /// Returns the number of ones below the lowest 0.
    trailing_ones -> u32
    /// Computes the logarithm to base 2, rounded down; `u32::MAX` if it is undefined.
    ilog2 -> u32
    /// Computes the logarithm to base 10, rounded down; `u32::MAX` if it is undefined.
    ilog10 -> u32
    /// Returns `true` if the sign bit is set.
    is_sign_negative -> bool
    /// Returns `true` if the sign bit is not set.
    is_sign_positive -> bool
}

unchecked! {
    /// Computes `x + y` without an overflow check.
    unchecked_add
    /// Computes `x - y` without an overflow check.
    unchecked_sub
    /// Computes `x * y` without an overflow check.
    unchecked_mul
    /// Computes `x << y` without an overflow check.
    unchecked_shl
}

/// An integer with the unsigned type of its width.
pub trait Width {
    /// The unsigned type.
    type Unsigned: Element;
}

macro_rules! unsigned {
    ($($ty:ty: $unsigned:ty),+) => { $( impl Width for $ty { type Unsigned = $unsigned; } )+ };
}
unsigned!(i8: u8, i16: u16, i32: u32, i64: u64, u8: u8, u16: u16, u32: u32, u64: u64, usize: usize);

impl<T: Element + Width, const RANK: usize> Tile<T, RANK> {
    /// Computes `|x - y|`, which does not overflow.
    pub fn abs_diff(self, y: impl Operand<T, RANK>) -> Tile<T::Unsigned, RANK> {
        only_in_kernels()
    }

    /// Computes `|x|`, which does not overflow.
    pub fn unsigned_abs(self) -> Tile<T::Unsigned, RANK> {
        only_in_kernels()
    }
}

/// A float type with the unsigned integer type of its bits.
pub trait Bits: Element {
    /// The integer type.
    type Unsigned: Element;
}

/// The bits of a `T`: an integer, or a tile of integers.
pub trait OfBits<T> {
    /// `T`, or a tile of `T`.
    type Float;
}

/// Computes `f32::from_bits(n)` of a number or a tile.
pub fn from_bits<T: Bits, B: OfBits<T>>(bits: B) -> B::Float {
    only_in_kernels()
}

macro_rules! bits {
    ($($ty:ty: $unsigned:ty),+) => { $(
        impl Bits for $ty {
            type Unsigned = $unsigned;
        }
        impl OfBits<$ty> for $unsigned {
            type Float = $ty;
        }
        impl<const RANK: usize> OfBits<$ty> for Tile<$unsigned, RANK> {
            type Float = Tile<$ty, RANK>;
        }
    )+ };
}
bits!(f8e4m3: u8, f8e5m2: u8, f8e8m0: u8, f16: u16, bf16: u16, f32: u32, f64: u64);

impl<T: Bits, const RANK: usize> Tile<T, RANK> {
    /// Returns the bits of each element.
    pub fn to_bits(self) -> Tile<T::Unsigned, RANK> {
        only_in_kernels()
    }
}

impl<T: Element, const RANK: usize> Tile<T, RANK> {
    /// Computes sine and cosine.
    pub fn sin_cos(self) -> (Tile<T, RANK>, Tile<T, RANK>) {
        only_in_kernels()
    }

    /// Converts to the nearest finite number of another element type.
    pub fn saturating_cast<U: Element>(self) -> Tile<U, RANK> {
        only_in_kernels()
    }

    /// Converts to another element type, with the semantics of `as`.
    pub fn cast<U: Element>(self) -> Tile<U, RANK> {
        only_in_kernels()
    }

    /// Converts to another element type with the given rounding.
    pub fn cast_with<U: Element>(self, rounding: Rounding) -> Tile<U, RANK> {
        only_in_kernels()
    }

    /// Reinterprets the bits as another element type of the same width.
    pub fn bitcast<U: Element>(self) -> Tile<U, RANK> {
        only_in_kernels()
    }

    /// Computes `x * y + z`, rounded once.
    pub fn mul_add(self, y: impl Operand<T, RANK>, z: impl Operand<T, RANK>) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Computes `x * y + z`, rounded once with the given rounding.
    pub fn mul_add_with(
        self,
        y: impl Operand<T, RANK>,
        z: impl Operand<T, RANK>,
        rounding: Rounding,
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Computes the square root with the given rounding.
    pub fn sqrt_with(self, rounding: Rounding) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Computes the hyperbolic tangent with the given rounding.
    pub fn tanh_with(self, rounding: Rounding) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Limits elements to the range from `low` to `high`.
    pub fn clamp(self, low: impl Operand<T, RANK>, high: impl Operand<T, RANK>) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Computes `x^n` of a float.
    pub fn powi(self, n: i32) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Returns the same elements in another shape, in row-major order.
    pub fn reshape<S: Shape>(self, shape: S) -> S::Tile<T> {
        only_in_kernels()
    }

    /// Returns the elements at `index` along `axis`, and zero where the index is out of range;
    /// other axes keep their indices.
    pub fn gather<I: Integer>(self, axis: impl Integer, index: Tile<I, RANK>) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Repeats axes of extent 1; the rank does not change.
    pub fn broadcast(self, shape: [impl Integer; RANK]) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Permutes axes: axis `i` of the result is axis `axes[i]`.
    pub fn permute(self, axes: [impl Integer; RANK]) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Divides the tile into slices of `shape`, and returns the one at slice index `index`.
    pub fn extract(
        self,
        index: [impl Integer; RANK],
        shape: [impl Integer; RANK],
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }
}

impl<T: Element> Tile<T, 2> {
    /// Transposes `[M, N]` to `[N, M]`.
    pub fn t(self) -> Tile<T, 2> {
        only_in_kernels()
    }

    /// Returns the element of a tile of one element, as a number.
    pub fn item(self) -> T {
        only_in_kernels()
    }
}

impl<T: Element, const RANK: usize> Tile<T, RANK>
where
    Tile<T, RANK>: Axes,
{
    /// Inserts an axis of extent 1 before axis `axis`, which may equal the rank.
    pub fn unsqueeze(self, axis: impl Integer) -> <Self as Axes>::With {
        only_in_kernels()
    }

    /// Removes axis `axis`, whose extent is 1.
    pub fn squeeze(self, axis: impl Integer) -> <Self as Axes>::Without {
        only_in_kernels()
    }

    /// Splits the pairs along the last axis, which is removed, into their first and second
    /// elements.
    pub fn split(self) -> (<Self as Axes>::Without, <Self as Axes>::Without) {
        only_in_kernels()
    }

    /// Returns the index of the maximum along `axis`, the first one among equals.
    pub fn argmax(self, axis: impl Integer) -> <Self as Axes>::WithoutOf<i32> {
        only_in_kernels()
    }

    /// Returns the index of the minimum along `axis`, the first one among equals.
    pub fn argmin(self, axis: impl Integer) -> <Self as Axes>::WithoutOf<i32> {
        only_in_kernels()
    }
}

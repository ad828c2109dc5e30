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

/// Methods whose last operand is a number of bits or an exponent, of a type of its own.
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

/// Methods that give tiles of another type of elements.
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

/// Methods that are undefined where the result does not fit.
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
    /// The absolute value.
    abs
    /// Rounded towards negative infinity.
    floor
    /// Rounded towards positive infinity.
    ceil
    /// `e^x`.
    exp
    /// `2^x`.
    exp2
    /// The natural logarithm.
    ln
    /// The natural logarithm.
    log
    /// The logarithm to base 2.
    log2
    /// The square root.
    sqrt
    /// `1 / sqrt(x)`.
    rsqrt
    /// The sine.
    sin
    /// The cosine.
    cos
    /// The tangent.
    tan
    /// The hyperbolic sine.
    sinh
    /// The hyperbolic cosine.
    cosh
    /// The hyperbolic tangent.
    tanh
    /// `1 / x`.
    recip
    /// -1, 0 or 1: the sign.
    signum
    /// `-x`, modulo the width.
    wrapping_neg
    /// `2^x`; subnormal numbers are flushed to zero.
    exp2_ftz
    /// `1 / sqrt(x)`; subnormal numbers are flushed to zero.
    rsqrt_ftz
    /// Rounded towards zero.
    trunc
    /// `x - x.trunc()`.
    fract
    /// Rounded to the nearest integer, halves away from zero.
    round
    /// Rounded to the nearest integer, halves to the even one.
    round_ties_even
    /// The logarithm to base 10.
    log10
    /// `e^x - 1`, exact near zero.
    exp_m1
    /// `ln(1 + x)`, exact near zero.
    ln_1p
    /// The cube root.
    cbrt
    /// The arc sine.
    asin
    /// The arc cosine.
    acos
    /// The arc tangent.
    atan
    /// The inverse hyperbolic sine.
    asinh
    /// The inverse hyperbolic cosine.
    acosh
    /// The inverse hyperbolic tangent.
    atanh
    /// Radians to degrees.
    to_degrees
    /// Degrees to radians.
    to_radians
    /// `|x|`, modulo the width.
    wrapping_abs
    /// The nearest number to `-x`.
    saturating_neg
    /// The nearest number to `|x|`.
    saturating_abs
    /// Bytes in the opposite order.
    swap_bytes
    /// Bits in the opposite order.
    reverse_bits
    /// The square root, rounded down; of a negative number 0.
    isqrt
    /// The least power of two that is not below; where none fits, 0.
    next_power_of_two
}

binary! {
    /// The greater; of a number and a NaN, the number.
    max
    /// The lesser; of a number and a NaN, the number.
    min
    /// The greater; NaN if either is NaN.
    maximum
    /// The lesser; NaN if either is NaN.
    minimum
    /// The greater; subnormal numbers are flushed to zero.
    max_ftz
    /// The lesser; subnormal numbers are flushed to zero.
    min_ftz
    /// `x^y`.
    powf
    /// The angle of the point `(y, self)`.
    atan2
    /// `x + y`, modulo the width.
    wrapping_add
    /// `x - y`, modulo the width.
    wrapping_sub
    /// `x * y`, modulo the width.
    wrapping_mul
    /// The high half of the product.
    mul_hi
    /// The remainder that is not negative.
    rem_euclid
    /// The quotient that leaves `rem_euclid`.
    div_euclid
    /// The magnitude of `x` with the sign of `y`.
    copysign
    /// The quotient rounded up.
    div_ceil
    /// The nearest number to `x + y`.
    saturating_add
    /// The nearest number to `x - y`.
    saturating_sub
    /// The nearest number to `x * y`.
    saturating_mul
    /// The nearest number to `x / y`.
    saturating_div
    /// `sqrt(x * x + y * y)`, without overflow between.
    hypot
}

reductions! {
    /// The sum along `axis`, in any order; a tile of rank 1 becomes a number.
    sum
    /// The product along `axis`, in any order; a tile of rank 1 becomes a number.
    prod
    /// The greatest along `axis`; a tile of rank 1 becomes a number.
    reduce_max
    /// The least along `axis`; a tile of rank 1 becomes a number.
    reduce_min
    /// Whether any element along `axis` is `true`.
    any
    /// Whether all elements along `axis` are `true`.
    all
}

scans! {
    /// The sums of all elements up to each, along `axis`.
    cumsum
    /// The products of all elements up to each, along `axis`.
    cumprod
    /// The sums of all elements from each on, along `axis`.
    cumsum_rev
    /// The products of all elements from each on, along `axis`.
    cumprod_rev
}

reductions_as! {
    /// The sum along `axis` of the elements as `U`.
    sum_as
    /// The product along `axis` of the elements as `U`.
    prod_as
}

scans_as! {
    /// The sums of all elements up to each, along `axis`, of the elements as `U`.
    cumsum_as
    /// The products of all elements up to each, along `axis`, of the elements as `U`.
    cumprod_as
    /// The sums of all elements from each on, along `axis`, of the elements as `U`.
    cumsum_rev_as
    /// The products of all elements from each on, along `axis`, of the elements as `U`.
    cumprod_rev_as
}

rounded! {
    /// `x + y`, rounded as said.
    add_with
    /// `x - y`, rounded as said.
    sub_with
    /// `x * y`, rounded as said.
    mul_with
    /// `x / y`, rounded as said.
    div_with
}

counted! {
    /// `x^n` of an integer, modulo the width.
    pow
    /// `x << n`, with `n` modulo the width.
    wrapping_shl
    /// `x >> n`, with `n` modulo the width.
    wrapping_shr
    /// Bits moved up and around.
    rotate_left
    /// Bits moved down and around.
    rotate_right
}

retyped! {
    /// Whether each is NaN.
    is_nan -> bool
    /// Whether each is infinite.
    is_infinite -> bool
    /// Whether each is neither infinite nor NaN.
    is_finite -> bool
    /// Whether one bit of each is set.
    is_power_of_two -> bool
    /// How many bits are 1.
    count_ones -> u32
    /// How many bits are 0.
    count_zeros -> u32
    /// Zeros above the highest 1.
    leading_zeros -> u32
    /// Zeros below the lowest 1.
    trailing_zeros -> u32
    /// Ones above the highest 0.
    leading_ones -> u32
    /// Ones below the lowest 0.
    trailing_ones -> u32
    /// The logarithm to base 2, rounded down; `u32::MAX` where there is none.
    ilog2 -> u32
    /// The logarithm to base 10, rounded down; `u32::MAX` where there is none.
    ilog10 -> u32
    /// Whether the sign bit of each is set.
    is_sign_negative -> bool
    /// Whether the sign bit of each is not set.
    is_sign_positive -> bool
}

unchecked! {
    /// `x + y`, without a look at overflow.
    unchecked_add
    /// `x - y`, without a look at overflow.
    unchecked_sub
    /// `x * y`, without a look at overflow.
    unchecked_mul
    /// `x << y`, without a look at overflow.
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
    /// `|x - y|`, which does not overflow.
    pub fn abs_diff(self, y: impl Operand<T, RANK>) -> Tile<T::Unsigned, RANK> {
        only_in_kernels()
    }

    /// `|x|`, which does not overflow.
    pub fn unsigned_abs(self) -> Tile<T::Unsigned, RANK> {
        only_in_kernels()
    }
}

/// A float with the unsigned integer of its bits.
pub trait Bits: Element {
    /// The integer.
    type Unsigned: Element;
}

/// The bits of a `T`: an integer, or a tile of them.
pub trait OfBits<T> {
    /// A `T`, or a tile of them.
    type Float;
}

/// `f32::from_bits(n)`, of a number or a tile.
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
    /// The bits of each.
    pub fn to_bits(self) -> Tile<T::Unsigned, RANK> {
        only_in_kernels()
    }
}

impl<T: Element, const RANK: usize> Tile<T, RANK> {
    /// Sine and cosine.
    pub fn sin_cos(self) -> (Tile<T, RANK>, Tile<T, RANK>) {
        only_in_kernels()
    }

    /// To the nearest finite number of another element type.
    pub fn saturating_cast<U: Element>(self) -> Tile<U, RANK> {
        only_in_kernels()
    }

    /// To another element type, with the meaning of `as`.
    pub fn cast<U: Element>(self) -> Tile<U, RANK> {
        only_in_kernels()
    }

    /// To another element type, rounded as said.
    pub fn cast_with<U: Element>(self, rounding: Rounding) -> Tile<U, RANK> {
        only_in_kernels()
    }

    /// The same bits as another element type of the same width.
    pub fn bitcast<U: Element>(self) -> Tile<U, RANK> {
        only_in_kernels()
    }

    /// `x * y + z`, rounded once.
    pub fn mul_add(self, y: impl Operand<T, RANK>, z: impl Operand<T, RANK>) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// `x * y + z`, rounded once, as said.
    pub fn mul_add_with(
        self,
        y: impl Operand<T, RANK>,
        z: impl Operand<T, RANK>,
        rounding: Rounding,
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// The square root, rounded as said.
    pub fn sqrt_with(self, rounding: Rounding) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// The hyperbolic tangent, computed as said.
    pub fn tanh_with(self, rounding: Rounding) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Not below `low`, not above `high`.
    pub fn clamp(self, low: impl Operand<T, RANK>, high: impl Operand<T, RANK>) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// `x^n` of a float.
    pub fn powi(self, n: i32) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// The same elements, in row-major order, in another shape.
    pub fn reshape<S: Shape>(self, shape: S) -> S::Tile<T> {
        only_in_kernels()
    }

    /// The elements at `index` along `axis`, zero where there is none; the rest as in the tile.
    pub fn gather<I: Integer>(self, axis: impl Integer, index: Tile<I, RANK>) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Axes of extent 1 repeated; the rank is kept.
    pub fn broadcast(self, shape: [impl Integer; RANK]) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Axis `i` of the result is axis `axes[i]`.
    pub fn permute(self, axes: [impl Integer; RANK]) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// The part at tile index `index` of the tile cut into tiles of `shape`.
    pub fn extract(
        self,
        index: [impl Integer; RANK],
        shape: [impl Integer; RANK],
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }
}

impl<T: Element> Tile<T, 2> {
    /// Transposed: `[M, N]` to `[N, M]`.
    pub fn t(self) -> Tile<T, 2> {
        only_in_kernels()
    }

    /// The only element of a tile of one element, as a number.
    pub fn item(self) -> T {
        only_in_kernels()
    }
}

impl<T: Element, const RANK: usize> Tile<T, RANK>
where
    Tile<T, RANK>: Axes,
{
    /// With an axis of extent 1 in front of axis `axis`, which may be the rank.
    pub fn unsqueeze(self, axis: impl Integer) -> <Self as Axes>::With {
        only_in_kernels()
    }

    /// Without axis `axis`, whose extent is 1.
    pub fn squeeze(self, axis: impl Integer) -> <Self as Axes>::Without {
        only_in_kernels()
    }

    /// The two halves of pairs along the last axis, which goes.
    pub fn split(self) -> (<Self as Axes>::Without, <Self as Axes>::Without) {
        only_in_kernels()
    }

    /// Where the greatest element along `axis` is; the first of equals.
    pub fn argmax(self, axis: impl Integer) -> <Self as Axes>::WithoutOf<i32> {
        only_in_kernels()
    }

    /// Where the least element along `axis` is; the first of equals.
    pub fn argmin(self, axis: impl Integer) -> <Self as Axes>::WithoutOf<i32> {
        only_in_kernels()
    }
}

//! Methods of tiles.

use super::{Axes, Element, Integer, Operand, Rounding, Shape, Tile, only_in_kernels};

macro_rules! unary {
    ($($(#[$doc:meta])+ $name:ident)+) => {
        impl<T: Element, const RANK: usize> Tile<T, RANK> { $(
            $(#[$doc])+
            #[expect(clippy::should_implement_trait, reason = "the language calls it so")]
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
    /// `|x - y|`, in the unsigned meaning.
    abs_diff
    /// `x + y`, undefined if it overflows.
    unchecked_add
    /// `x - y`, undefined if it overflows.
    unchecked_sub
    /// `x * y`, undefined if it overflows.
    unchecked_mul
    /// `x << y`, undefined if it overflows.
    unchecked_shl
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

impl<T: Element, const RANK: usize> Tile<T, RANK> {
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

    /// `x^n` of an integer.
    pub fn pow(self, n: u32) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Whether each is a power of two.
    pub fn is_power_of_two(self) -> Tile<bool, RANK> {
        only_in_kernels()
    }

    /// Whether each is NaN.
    pub fn is_nan(self) -> Tile<bool, RANK> {
        only_in_kernels()
    }

    /// The same elements, in row-major order, in another shape.
    pub fn reshape<S: Shape>(self, shape: S) -> S::Tile<T> {
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

    /// Where the greatest element along `axis` is; the first of equals.
    pub fn argmax(self, axis: impl Integer) -> <Self as Axes>::WithoutOf<i32> {
        only_in_kernels()
    }

    /// Where the least element along `axis` is; the first of equals.
    pub fn argmin(self, axis: impl Integer) -> <Self as Axes>::WithoutOf<i32> {
        only_in_kernels()
    }
}

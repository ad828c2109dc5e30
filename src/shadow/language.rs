//! The functions, methods and enums of the language, with types for rust-analyzer.
//!
//! This file is generated from the rows of `tile-frontend/src/check/language/` and `tile-frontend/src/hir/math.rs`:
//! `TILE_BLESS=1 cargo test --workspace --lib -- language::documents` rewrites it.

use super::{
    Axes, Beyond, Bits, Choose, Distance, Drawn, Element, GatherView, Indices, Integer, Literal, MatmulOperand, OfBits,
    Operand, Partition, Pointee, Pointer, Shape, Tensor, Tile, TileIndex, Tiles, Value, Width, only_in_kernels,
};

/// States a fact about the arguments of the kernel, which every launch checks and the compiler relies on.
///
/// Facts stand at the start of a kernel.
pub fn assume(condition: bool) { only_in_kernels() }

/// Returns the index of this block in the grid, along axis 0, 1 or 2.
pub fn block_id(axis: usize) -> i32 { only_in_kernels() }

/// Returns the extent of the grid along axis 0, 1 or 2; an unused axis has extent 1.
pub fn num_blocks(axis: usize) -> i32 { only_in_kernels() }

/// Returns a tile of zeros. The element type may be left to inference.
pub fn zeros<T: Element, S: Shape>(shape: S) -> S::Tile<T> { only_in_kernels() }

/// Returns a tile whose elements all equal one number.
pub fn full<T: Element, S: Shape>(shape: S, x: T) -> S::Tile<T> { only_in_kernels() }

/// Returns the tile `[0, 1, .. n - 1]` of integers.
pub fn iota<T: Integer>(n: impl Integer) -> Tile<T, 1> { only_in_kernels() }

/// Selects `a` where `mask` holds, otherwise `b`.
///
/// `mask` is a `bool` or a tile of `bool`; `a` and `b` have one element type. All three stretch.
pub fn select<T: Element, M: Choose<T, A, B>, A, B>(mask: M, a: A, b: B) -> M::Output { only_in_kernels() }

/// Computes `a · b + acc` for `[M, K]`, `[K, N]` and `[M, N]`; tiles of rank 3 are batches of matrices.
pub fn mma<A: Element, B: Element, C: Element, const RANK: usize>(a: Tile<A, RANK>, b: Tile<B, RANK>, acc: Tile<C, RANK>) -> Tile<C, RANK> { only_in_kernels() }

/// Computes `a · b`: accumulates from zeros of the last type in the `acc` column.
pub fn dot<A: MatmulOperand, B: Element, const RANK: usize>(a: Tile<A, RANK>, b: Tile<B, RANK>) -> Tile<A::Sum, RANK> { only_in_kernels() }

/// Computes `a · b + acc` in `f32`, where every block of `a` and `b` along `K` has a scale.
pub fn mma_scaled<A: Element, S: Element, B: Element, R: Element>(a: Tile<A, 2>, a_scale: Tile<S, 2>, b: Tile<B, 2>, b_scale: Tile<R, 2>, acc: Tile<f32, 2>) -> Tile<f32, 2> { only_in_kernels() }

/// Concatenates `a` and `b` along `axis`.
pub fn cat<T: Element, const RANK: usize>(a: Tile<T, RANK>, b: Tile<T, RANK>, axis: impl Integer) -> Tile<T, RANK> { only_in_kernels() }

/// Pairs the elements of `a` and `b`, `[.., N]`, along a new last axis: `[.., N, 2]`. Both stretch.
pub fn join<T: Element, const RANK: usize>(a: Tile<T, RANK>, b: impl Operand<T, RANK>) -> <Tile<T, RANK> as Axes>::With where Tile<T, RANK>: Axes { only_in_kernels() }

/// Alternates the elements of `a` and `b`, `[.., N]`, along the last axis: `[.., 2 * N]`. Both stretch.
pub fn interleave<T: Element, const RANK: usize>(a: Tile<T, RANK>, b: impl Operand<T, RANK>) -> Tile<T, RANK> { only_in_kernels() }

/// Orders all memory accesses before the fence before all accesses after it, as seen by other blocks.
///
/// A `Scope` may follow the ordering; without one it is the device.
pub fn fence(ordering: Ordering) { only_in_kernels() }

/// Reduces several tiles of one shape together along an axis.
pub fn reduce<X: Tiles>(x: X, axis: impl Integer, init: X::Elements, combine: impl Fn(X::Elements, X::Elements) -> X::Elements) -> X::Without { only_in_kernels() }

/// Computes the inclusive prefix scan of several tiles of one shape together along an axis.
pub fn scan<X: Tiles>(x: X, axis: impl Integer, init: X::Elements, combine: impl Fn(X::Elements, X::Elements) -> X::Elements) -> X { only_in_kernels() }

/// Computes the inclusive suffix scan of several tiles of one shape together along an axis.
pub fn scan_rev<X: Tiles>(x: X, axis: impl Integer, init: X::Elements, combine: impl Fn(X::Elements, X::Elements) -> X::Elements) -> X { only_in_kernels() }

/// Returns the four words of Philox 4x32-10 for a key and a counter, as a tuple of `u32`.
pub fn philox<K0, K1, C0, C1, C2, C3: Drawn>(key: (K0, K1), counter: (C0, C1, C2, C3)) -> (C3::Of<u32>, C3::Of<u32>, C3::Of<u32>, C3::Of<u32>) { only_in_kernels() }

/// Returns uniform numbers over all of `u32`: word 0 of the key `(seed, seed >> 32)` and the counter
/// `(offset, offset >> 32, 0, 0)`.
pub fn rand_u32<O: Drawn>(seed: impl Integer, offsets: O) -> O::Of<u32> { only_in_kernels() }

/// Returns uniform numbers of `f32` from 0 to below 1, in steps of 2⁻²⁴.
pub fn rand_uniform<O: Drawn>(seed: impl Integer, offsets: O) -> O::Of<f32> { only_in_kernels() }

/// Returns normally distributed numbers of `f32`, of mean 0 and variance 1.
pub fn rand_normal<O: Drawn>(seed: impl Integer, offsets: O) -> O::Of<f32> { only_in_kernels() }

/// Returns the size of an element type in bytes, a constant.
pub fn size_of<T>() -> usize { only_in_kernels() }

/// Returns the float with these bits, an unsigned integer of its width; of a tile, a tile.
pub fn from_bits<T: Bits, B: OfBits<T>>(bits: B) -> B::Float { only_in_kernels() }

/// Methods of numbers in kernels, in addition to those of Rust.
pub trait Number: Element {
    /// Returns the absolute value; that of `MIN` wraps.
    fn abs(self) -> Self { only_in_kernels() }

    /// Rounds towards positive infinity.
    fn ceil(self) -> Self { only_in_kernels() }

    /// Computes the cosine.
    fn cos(self) -> Self { only_in_kernels() }

    /// Computes the hyperbolic cosine.
    fn cosh(self) -> Self { only_in_kernels() }

    /// Computes `e^x`.
    fn exp(self) -> Self { only_in_kernels() }

    /// Computes `2^x`.
    fn exp2(self) -> Self { only_in_kernels() }

    /// Rounds towards negative infinity.
    fn floor(self) -> Self { only_in_kernels() }

    /// Computes the natural logarithm.
    fn ln(self) -> Self { only_in_kernels() }

    /// Computes the logarithm to base 2.
    fn log2(self) -> Self { only_in_kernels() }

    /// Computes `1 / sqrt(x)`.
    fn rsqrt(self) -> Self { only_in_kernels() }

    /// Computes the sine.
    fn sin(self) -> Self { only_in_kernels() }

    /// Computes the hyperbolic sine.
    fn sinh(self) -> Self { only_in_kernels() }

    /// Computes the square root.
    fn sqrt(self) -> Self { only_in_kernels() }

    /// Computes the tangent.
    fn tan(self) -> Self { only_in_kernels() }

    /// Computes the hyperbolic tangent.
    fn tanh(self) -> Self { only_in_kernels() }

    /// Returns the maximum; NaN if either operand is NaN.
    fn maximum(self, y: Self) -> Self { only_in_kernels() }

    /// Returns the minimum; NaN if either operand is NaN.
    fn minimum(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `x^y`.
    fn powf(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `x^n`; `n` is an `i32`.
    fn powi(self, n: i32) -> Self { only_in_kernels() }

    /// Returns the angle of the point `(x, y)`, whose second coordinate is the receiver.
    fn atan2(self, x: Self) -> Self { only_in_kernels() }

    /// Computes `x * y + z`, rounded once.
    fn mul_add(self, y: Self, z: Self) -> Self { only_in_kernels() }

    /// Computes `1 / x`.
    fn recip(self) -> Self { only_in_kernels() }

    /// Rounds towards zero.
    fn trunc(self) -> Self { only_in_kernels() }

    /// Computes `x - x.trunc()`.
    fn fract(self) -> Self { only_in_kernels() }

    /// Rounds to the nearest integer, ties away from zero.
    fn round(self) -> Self { only_in_kernels() }

    /// Rounds to the nearest integer, ties to even.
    fn round_ties_even(self) -> Self { only_in_kernels() }

    /// Computes the logarithm to base 10.
    fn log10(self) -> Self { only_in_kernels() }

    /// Computes `e^x - 1`, accurate near zero.
    fn exp_m1(self) -> Self { only_in_kernels() }

    /// Computes `ln(1 + x)`, accurate near zero.
    fn ln_1p(self) -> Self { only_in_kernels() }

    /// Computes the cube root.
    fn cbrt(self) -> Self { only_in_kernels() }

    /// Computes `sqrt(x * x + y * y)`, without intermediate overflow.
    fn hypot(self, y: Self) -> Self { only_in_kernels() }

    /// Computes the arc sine.
    fn asin(self) -> Self { only_in_kernels() }

    /// Computes the arc cosine.
    fn acos(self) -> Self { only_in_kernels() }

    /// Computes the arc tangent.
    fn atan(self) -> Self { only_in_kernels() }

    /// Computes the inverse hyperbolic sine.
    fn asinh(self) -> Self { only_in_kernels() }

    /// Computes the inverse hyperbolic cosine.
    fn acosh(self) -> Self { only_in_kernels() }

    /// Computes the inverse hyperbolic tangent.
    fn atanh(self) -> Self { only_in_kernels() }

    /// Converts radians to degrees.
    fn to_degrees(self) -> Self { only_in_kernels() }

    /// Converts degrees to radians.
    fn to_radians(self) -> Self { only_in_kernels() }

    /// Returns the bits of a float as an unsigned integer.
    fn to_bits(self) -> <Self as Bits>::Unsigned where Self: Bits { only_in_kernels() }

    /// Returns `true` if the sign bit is set.
    fn is_sign_negative(self) -> bool { only_in_kernels() }

    /// Returns `true` if the sign bit is not set.
    fn is_sign_positive(self) -> bool { only_in_kernels() }

    /// Returns the magnitude of `x` with the sign of `y`.
    fn copysign(self, y: Self) -> Self { only_in_kernels() }

    /// Returns `true` for NaN.
    fn is_nan(self) -> bool { only_in_kernels() }

    /// Returns `true` for infinities.
    fn is_infinite(self) -> bool { only_in_kernels() }

    /// Returns `true` for numbers that are neither infinite nor NaN.
    fn is_finite(self) -> bool { only_in_kernels() }

    /// Returns 1, -1, or 0 for an integer 0; for a float, 1 with its sign.
    fn signum(self) -> Self { only_in_kernels() }

    /// Returns the remainder that is not negative.
    fn rem_euclid(self, y: Self) -> Self { only_in_kernels() }

    /// Returns the quotient that belongs to `rem_euclid`.
    fn div_euclid(self, y: Self) -> Self { only_in_kernels() }

    /// Returns the quotient, rounded up.
    fn div_ceil(self, y: Self) -> Self { only_in_kernels() }

    /// Returns the smallest multiple of `y` greater than or equal to `x`, modulo the width.
    fn next_multiple_of(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `|x - y|`, which does not overflow.
    fn abs_diff(self, y: Self) -> <Self as Width>::Unsigned where Self: Width { only_in_kernels() }

    /// Computes `|x|`, which does not overflow.
    fn unsigned_abs(self) -> <Self as Width>::Unsigned where Self: Width { only_in_kernels() }

    /// Returns `true` if exactly one bit is set.
    fn is_power_of_two(self) -> bool { only_in_kernels() }

    /// Returns the smallest power of two greater than or equal to `x`; 0 if it does not fit.
    fn next_power_of_two(self) -> Self { only_in_kernels() }

    /// Computes the square root, rounded down; 0 for a negative number.
    fn isqrt(self) -> Self { only_in_kernels() }

    /// Computes the logarithm to base 2, rounded down; `u32::MAX` if it is undefined.
    fn ilog2(self) -> u32 { only_in_kernels() }

    /// Computes the logarithm to base 10, rounded down; `u32::MAX` if it is undefined.
    fn ilog10(self) -> u32 { only_in_kernels() }

    /// Computes `x^n`, modulo the width; `n` is a `u32`. A constant exponent takes fewer multiplications.
    fn pow(self, n: u32) -> Self { only_in_kernels() }

    /// Computes `x + y`, modulo the width.
    fn wrapping_add(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `x - y`, modulo the width.
    fn wrapping_sub(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `x * y`, modulo the width.
    fn wrapping_mul(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `-x`, modulo the width.
    fn wrapping_neg(self) -> Self { only_in_kernels() }

    /// Computes `|x|`, modulo the width.
    fn wrapping_abs(self) -> Self { only_in_kernels() }

    /// Computes `x << n`, with `n` modulo the width.
    fn wrapping_shl(self, n: u32) -> Self { only_in_kernels() }

    /// Computes `x >> n`, with `n` modulo the width.
    fn wrapping_shr(self, n: u32) -> Self { only_in_kernels() }

    /// Computes `x + y`, saturating at the bounds of the type.
    fn saturating_add(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `x - y`, saturating at the bounds of the type.
    fn saturating_sub(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `x * y`, saturating at the bounds of the type.
    fn saturating_mul(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `x / y`, saturating at the bounds of the type.
    fn saturating_div(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `-x`, saturating at the bounds of the type.
    fn saturating_neg(self) -> Self { only_in_kernels() }

    /// Computes `|x|`, saturating at the bounds of the type.
    fn saturating_abs(self) -> Self { only_in_kernels() }

    /// Reverses the byte order.
    fn swap_bytes(self) -> Self { only_in_kernels() }

    /// Reverses the bit order.
    fn reverse_bits(self) -> Self { only_in_kernels() }

    /// Returns the high half of the product.
    fn mul_hi(self, y: Self) -> Self { only_in_kernels() }

    /// Rotates the bits towards the highest one.
    fn rotate_left(self, n: u32) -> Self { only_in_kernels() }

    /// Rotates the bits towards the lowest one.
    fn rotate_right(self, n: u32) -> Self { only_in_kernels() }

    /// Returns the number of bits that are 1.
    fn count_ones(self) -> u32 { only_in_kernels() }

    /// Returns the number of bits that are 0.
    fn count_zeros(self) -> u32 { only_in_kernels() }

    /// Returns the number of zeros above the highest 1.
    fn leading_zeros(self) -> u32 { only_in_kernels() }

    /// Returns the number of zeros below the lowest 1.
    fn trailing_zeros(self) -> u32 { only_in_kernels() }

    /// Returns the number of ones above the highest 0.
    fn leading_ones(self) -> u32 { only_in_kernels() }

    /// Returns the number of ones below the lowest 0.
    fn trailing_ones(self) -> u32 { only_in_kernels() }

    /// Computes `2^x` of `f32`; subnormal numbers are flushed to zero.
    fn exp2_ftz(self) -> Self { only_in_kernels() }

    /// Computes `1 / sqrt(x)` of `f32`; subnormal numbers are flushed to zero.
    fn rsqrt_ftz(self) -> Self { only_in_kernels() }

    /// Returns the maximum of `f32`; subnormal numbers are flushed to zero.
    fn max_ftz(self, y: Self) -> Self { only_in_kernels() }

    /// Returns the minimum of `f32`; subnormal numbers are flushed to zero.
    fn min_ftz(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `x + y` of floats with the given rounding.
    fn add_with(self, y: Self, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes `x - y` of floats with the given rounding.
    fn sub_with(self, y: Self, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes `x * y` of floats with the given rounding.
    fn mul_with(self, y: Self, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes `x / y` with the given rounding: of floats, or the quotient of integers rounded to an integer.
    fn div_with(self, y: Self, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes the square root with the given rounding.
    fn sqrt_with(self, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes `x * y + z`, rounded once with the given rounding.
    fn mul_add_with(self, y: Self, z: Self, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes the hyperbolic tangent with the given rounding.
    fn tanh_with(self, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes `e^x` with the given rounding.
    fn exp_with(self, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes `x + y` of integers, which the author promises not to overflow.
    ///
    /// # Safety
    ///
    /// No result may overflow.
    unsafe fn unchecked_add(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `x - y` of integers, which the author promises not to overflow.
    ///
    /// # Safety
    ///
    /// No result may overflow.
    unsafe fn unchecked_sub(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `x * y` of integers, which the author promises not to overflow.
    ///
    /// # Safety
    ///
    /// No result may overflow.
    unsafe fn unchecked_mul(self, y: Self) -> Self { only_in_kernels() }

    /// Computes `x << n`, with an amount that the author promises to be less than the width.
    ///
    /// # Safety
    ///
    /// Every amount must be less than the width.
    unsafe fn unchecked_shl(self, n: u32) -> Self { only_in_kernels() }

    /// Computes `x >> n`, with an amount that the author promises to be less than the width.
    ///
    /// # Safety
    ///
    /// Every amount must be less than the width.
    unsafe fn unchecked_shr(self, n: u32) -> Self { only_in_kernels() }

    /// Converts to another element type, with the meaning of `as`; also from `bool` to floats, but not to `bool`.
    fn cast<U: Element>(self) -> U { only_in_kernels() }

    /// Converts to another element type with the given rounding.
    fn cast_with<U: Element>(self, rounding: Rounding) -> U { only_in_kernels() }

    /// Converts to the nearest finite number of another element type, where `cast` wraps (integers) or gives an infinity
    /// or NaN (floats). NaN stays NaN, and becomes 0 as an integer.
    fn saturating_cast<U: Element>(self) -> U { only_in_kernels() }

    /// Computes sine and cosine of floats, as a tuple.
    fn sin_cos(self) -> (Self, Self) { only_in_kernels() }

    /// Reinterprets the bits as another element type of the same width.
    fn bitcast<U: Element>(self) -> U { only_in_kernels() }

    /// Computes the natural logarithm, as `ln` does: the name of NumPy and Triton.
    fn log(self) -> Self { only_in_kernels() }
}

impl<T: Element, const RANK: usize> Tile<T, RANK> {
    /// Returns the absolute value; that of `MIN` wraps.
    pub fn abs(self) -> Self { only_in_kernels() }

    /// Rounds towards positive infinity.
    pub fn ceil(self) -> Self { only_in_kernels() }

    /// Computes the cosine.
    pub fn cos(self) -> Self { only_in_kernels() }

    /// Computes the hyperbolic cosine.
    pub fn cosh(self) -> Self { only_in_kernels() }

    /// Computes `e^x`.
    pub fn exp(self) -> Self { only_in_kernels() }

    /// Computes `2^x`.
    pub fn exp2(self) -> Self { only_in_kernels() }

    /// Rounds towards negative infinity.
    pub fn floor(self) -> Self { only_in_kernels() }

    /// Computes the natural logarithm.
    pub fn ln(self) -> Self { only_in_kernels() }

    /// Computes the logarithm to base 2.
    pub fn log2(self) -> Self { only_in_kernels() }

    /// Computes `1 / sqrt(x)`.
    pub fn rsqrt(self) -> Self { only_in_kernels() }

    /// Computes the sine.
    pub fn sin(self) -> Self { only_in_kernels() }

    /// Computes the hyperbolic sine.
    pub fn sinh(self) -> Self { only_in_kernels() }

    /// Computes the square root.
    pub fn sqrt(self) -> Self { only_in_kernels() }

    /// Computes the tangent.
    pub fn tan(self) -> Self { only_in_kernels() }

    /// Computes the hyperbolic tangent.
    pub fn tanh(self) -> Self { only_in_kernels() }

    /// Returns the maximum; of a float and a NaN, the float.
    pub fn max(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Returns the minimum; of a float and a NaN, the float.
    pub fn min(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Returns the maximum; NaN if either operand is NaN.
    pub fn maximum(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Returns the minimum; NaN if either operand is NaN.
    pub fn minimum(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `x^y`.
    pub fn powf(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `x^n`; `n` is an `i32`.
    pub fn powi(self, n: impl Operand<i32, RANK>) -> Self { only_in_kernels() }

    /// Returns the angle of the point `(x, y)`, whose second coordinate is the receiver.
    pub fn atan2(self, x: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `x * y + z`, rounded once.
    pub fn mul_add(self, y: impl Operand<T, RANK>, z: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Limits elements to the range from `low` to `high`; NaN stays NaN.
    pub fn clamp(self, low: impl Operand<T, RANK>, high: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `1 / x`.
    pub fn recip(self) -> Self { only_in_kernels() }

    /// Rounds towards zero.
    pub fn trunc(self) -> Self { only_in_kernels() }

    /// Computes `x - x.trunc()`.
    pub fn fract(self) -> Self { only_in_kernels() }

    /// Rounds to the nearest integer, ties away from zero.
    pub fn round(self) -> Self { only_in_kernels() }

    /// Rounds to the nearest integer, ties to even.
    pub fn round_ties_even(self) -> Self { only_in_kernels() }

    /// Computes the logarithm to base 10.
    pub fn log10(self) -> Self { only_in_kernels() }

    /// Computes `e^x - 1`, accurate near zero.
    pub fn exp_m1(self) -> Self { only_in_kernels() }

    /// Computes `ln(1 + x)`, accurate near zero.
    pub fn ln_1p(self) -> Self { only_in_kernels() }

    /// Computes the cube root.
    pub fn cbrt(self) -> Self { only_in_kernels() }

    /// Computes `sqrt(x * x + y * y)`, without intermediate overflow.
    pub fn hypot(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes the arc sine.
    pub fn asin(self) -> Self { only_in_kernels() }

    /// Computes the arc cosine.
    pub fn acos(self) -> Self { only_in_kernels() }

    /// Computes the arc tangent.
    pub fn atan(self) -> Self { only_in_kernels() }

    /// Computes the inverse hyperbolic sine.
    pub fn asinh(self) -> Self { only_in_kernels() }

    /// Computes the inverse hyperbolic cosine.
    pub fn acosh(self) -> Self { only_in_kernels() }

    /// Computes the inverse hyperbolic tangent.
    pub fn atanh(self) -> Self { only_in_kernels() }

    /// Converts radians to degrees.
    pub fn to_degrees(self) -> Self { only_in_kernels() }

    /// Converts degrees to radians.
    pub fn to_radians(self) -> Self { only_in_kernels() }

    /// Returns the bits of a float as an unsigned integer.
    pub fn to_bits(self) -> Tile<<T as Bits>::Unsigned, RANK> where T: Bits { only_in_kernels() }

    /// Returns `true` if the sign bit is set.
    pub fn is_sign_negative(self) -> Tile<bool, RANK> { only_in_kernels() }

    /// Returns `true` if the sign bit is not set.
    pub fn is_sign_positive(self) -> Tile<bool, RANK> { only_in_kernels() }

    /// Returns the magnitude of `x` with the sign of `y`.
    pub fn copysign(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Returns `true` for NaN.
    pub fn is_nan(self) -> Tile<bool, RANK> { only_in_kernels() }

    /// Returns `true` for infinities.
    pub fn is_infinite(self) -> Tile<bool, RANK> { only_in_kernels() }

    /// Returns `true` for numbers that are neither infinite nor NaN.
    pub fn is_finite(self) -> Tile<bool, RANK> { only_in_kernels() }

    /// Returns 1, -1, or 0 for an integer 0; for a float, 1 with its sign.
    pub fn signum(self) -> Self { only_in_kernels() }

    /// Returns the remainder that is not negative.
    pub fn rem_euclid(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Returns the quotient that belongs to `rem_euclid`.
    pub fn div_euclid(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Returns the quotient, rounded up.
    pub fn div_ceil(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Returns the smallest multiple of `y` greater than or equal to `x`, modulo the width.
    pub fn next_multiple_of(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `|x - y|`, which does not overflow.
    pub fn abs_diff(self, y: impl Operand<T, RANK>) -> Tile<<T as Width>::Unsigned, RANK> where T: Width { only_in_kernels() }

    /// Computes `|x|`, which does not overflow.
    pub fn unsigned_abs(self) -> Tile<<T as Width>::Unsigned, RANK> where T: Width { only_in_kernels() }

    /// Returns `true` if exactly one bit is set.
    pub fn is_power_of_two(self) -> Tile<bool, RANK> { only_in_kernels() }

    /// Returns the smallest power of two greater than or equal to `x`; 0 if it does not fit.
    pub fn next_power_of_two(self) -> Self { only_in_kernels() }

    /// Computes the square root, rounded down; 0 for a negative number.
    pub fn isqrt(self) -> Self { only_in_kernels() }

    /// Computes the logarithm to base 2, rounded down; `u32::MAX` if it is undefined.
    pub fn ilog2(self) -> Tile<u32, RANK> { only_in_kernels() }

    /// Computes the logarithm to base 10, rounded down; `u32::MAX` if it is undefined.
    pub fn ilog10(self) -> Tile<u32, RANK> { only_in_kernels() }

    /// Computes `x^n`, modulo the width; `n` is a `u32`. A constant exponent takes fewer multiplications.
    pub fn pow(self, n: impl Operand<u32, RANK>) -> Self { only_in_kernels() }

    /// Computes `x + y`, modulo the width.
    pub fn wrapping_add(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `x - y`, modulo the width.
    pub fn wrapping_sub(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `x * y`, modulo the width.
    pub fn wrapping_mul(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `-x`, modulo the width.
    pub fn wrapping_neg(self) -> Self { only_in_kernels() }

    /// Computes `|x|`, modulo the width.
    pub fn wrapping_abs(self) -> Self { only_in_kernels() }

    /// Computes `x << n`, with `n` modulo the width.
    pub fn wrapping_shl(self, n: impl Operand<u32, RANK>) -> Self { only_in_kernels() }

    /// Computes `x >> n`, with `n` modulo the width.
    pub fn wrapping_shr(self, n: impl Operand<u32, RANK>) -> Self { only_in_kernels() }

    /// Computes `x + y`, saturating at the bounds of the type.
    pub fn saturating_add(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `x - y`, saturating at the bounds of the type.
    pub fn saturating_sub(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `x * y`, saturating at the bounds of the type.
    pub fn saturating_mul(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `x / y`, saturating at the bounds of the type.
    pub fn saturating_div(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `-x`, saturating at the bounds of the type.
    pub fn saturating_neg(self) -> Self { only_in_kernels() }

    /// Computes `|x|`, saturating at the bounds of the type.
    pub fn saturating_abs(self) -> Self { only_in_kernels() }

    /// Reverses the byte order.
    pub fn swap_bytes(self) -> Self { only_in_kernels() }

    /// Reverses the bit order.
    pub fn reverse_bits(self) -> Self { only_in_kernels() }

    /// Returns the high half of the product.
    pub fn mul_hi(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Rotates the bits towards the highest one.
    pub fn rotate_left(self, n: impl Operand<u32, RANK>) -> Self { only_in_kernels() }

    /// Rotates the bits towards the lowest one.
    pub fn rotate_right(self, n: impl Operand<u32, RANK>) -> Self { only_in_kernels() }

    /// Returns the number of bits that are 1.
    pub fn count_ones(self) -> Tile<u32, RANK> { only_in_kernels() }

    /// Returns the number of bits that are 0.
    pub fn count_zeros(self) -> Tile<u32, RANK> { only_in_kernels() }

    /// Returns the number of zeros above the highest 1.
    pub fn leading_zeros(self) -> Tile<u32, RANK> { only_in_kernels() }

    /// Returns the number of zeros below the lowest 1.
    pub fn trailing_zeros(self) -> Tile<u32, RANK> { only_in_kernels() }

    /// Returns the number of ones above the highest 0.
    pub fn leading_ones(self) -> Tile<u32, RANK> { only_in_kernels() }

    /// Returns the number of ones below the lowest 0.
    pub fn trailing_ones(self) -> Tile<u32, RANK> { only_in_kernels() }

    /// Computes `2^x` of `f32`; subnormal numbers are flushed to zero.
    pub fn exp2_ftz(self) -> Self { only_in_kernels() }

    /// Computes `1 / sqrt(x)` of `f32`; subnormal numbers are flushed to zero.
    pub fn rsqrt_ftz(self) -> Self { only_in_kernels() }

    /// Returns the maximum of `f32`; subnormal numbers are flushed to zero.
    pub fn max_ftz(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Returns the minimum of `f32`; subnormal numbers are flushed to zero.
    pub fn min_ftz(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `x + y` of floats with the given rounding.
    pub fn add_with(self, y: impl Operand<T, RANK>, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes `x - y` of floats with the given rounding.
    pub fn sub_with(self, y: impl Operand<T, RANK>, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes `x * y` of floats with the given rounding.
    pub fn mul_with(self, y: impl Operand<T, RANK>, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes `x / y` with the given rounding: of floats, or the quotient of integers rounded to an integer.
    pub fn div_with(self, y: impl Operand<T, RANK>, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes the square root with the given rounding.
    pub fn sqrt_with(self, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes `x * y + z`, rounded once with the given rounding.
    pub fn mul_add_with(self, y: impl Operand<T, RANK>, z: impl Operand<T, RANK>, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes the hyperbolic tangent with the given rounding.
    pub fn tanh_with(self, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes `e^x` with the given rounding.
    pub fn exp_with(self, rounding: Rounding) -> Self { only_in_kernels() }

    /// Computes `x + y` of integers, which the author promises not to overflow.
    ///
    /// # Safety
    ///
    /// No result may overflow.
    pub unsafe fn unchecked_add(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `x - y` of integers, which the author promises not to overflow.
    ///
    /// # Safety
    ///
    /// No result may overflow.
    pub unsafe fn unchecked_sub(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `x * y` of integers, which the author promises not to overflow.
    ///
    /// # Safety
    ///
    /// No result may overflow.
    pub unsafe fn unchecked_mul(self, y: impl Operand<T, RANK>) -> Self { only_in_kernels() }

    /// Computes `x << n`, with an amount that the author promises to be less than the width.
    ///
    /// # Safety
    ///
    /// Every amount must be less than the width.
    pub unsafe fn unchecked_shl(self, n: impl Operand<u32, RANK>) -> Self { only_in_kernels() }

    /// Computes `x >> n`, with an amount that the author promises to be less than the width.
    ///
    /// # Safety
    ///
    /// Every amount must be less than the width.
    pub unsafe fn unchecked_shr(self, n: impl Operand<u32, RANK>) -> Self { only_in_kernels() }

    /// Converts to another element type, with the meaning of `as`; also from `bool` to floats, but not to `bool`.
    pub fn cast<U: Element>(self) -> Tile<U, RANK> { only_in_kernels() }

    /// Converts to another element type with the given rounding.
    pub fn cast_with<U: Element>(self, rounding: Rounding) -> Tile<U, RANK> { only_in_kernels() }

    /// Converts to the nearest finite number of another element type, where `cast` wraps (integers) or gives an infinity
    /// or NaN (floats). NaN stays NaN, and becomes 0 as an integer.
    pub fn saturating_cast<U: Element>(self) -> Tile<U, RANK> { only_in_kernels() }

    /// Computes sine and cosine of floats, as a tuple.
    pub fn sin_cos(self) -> (Self, Self) { only_in_kernels() }

    /// Reinterprets the bits as another element type of the same width.
    pub fn bitcast<U: Element>(self) -> Tile<U, RANK> { only_in_kernels() }

    /// Computes the natural logarithm, as `ln` does: the name of NumPy and Triton.
    pub fn log(self) -> Self { only_in_kernels() }

    /// Computes the sum along an axis; a tile of rank 1 becomes a number.
    ///
    /// The order is not specified. `f16` and `bf16` are added in `f32` and rounded once, integers wrap.
    pub fn sum(self, axis: impl Integer) -> <Self as Axes>::Without where Self: Axes { only_in_kernels() }

    /// Computes the product along an axis; a tile of rank 1 becomes a number.
    ///
    /// The order is not specified. `f16` and `bf16` are multiplied in `f32` and rounded once, integers wrap.
    pub fn prod(self, axis: impl Integer) -> <Self as Axes>::Without where Self: Axes { only_in_kernels() }

    /// Returns the maximum of integers or floats along an axis; a tile of rank 1 becomes a number.
    pub fn reduce_max(self, axis: impl Integer) -> <Self as Axes>::Without where Self: Axes { only_in_kernels() }

    /// Returns the minimum of integers or floats along an axis; a tile of rank 1 becomes a number.
    pub fn reduce_min(self, axis: impl Integer) -> <Self as Axes>::Without where Self: Axes { only_in_kernels() }

    /// Returns `true` if any element of a tile of `bool` along an axis is `true`.
    pub fn any(self, axis: impl Integer) -> <Self as Axes>::Without where Self: Axes { only_in_kernels() }

    /// Returns `true` if all elements of a tile of `bool` along an axis are `true`.
    pub fn all(self, axis: impl Integer) -> <Self as Axes>::Without where Self: Axes { only_in_kernels() }

    /// Returns the index, an `i32`, of the maximum along an axis: the first among equals. A NaN counts only if there is nothing
    /// else.
    pub fn argmax(self, axis: impl Integer) -> <Self as Axes>::WithoutOf<i32> where Self: Axes { only_in_kernels() }

    /// Returns the index, an `i32`, of the minimum along an axis: the first among equals. A NaN counts only if there is nothing
    /// else.
    pub fn argmin(self, axis: impl Integer) -> <Self as Axes>::WithoutOf<i32> where Self: Axes { only_in_kernels() }

    /// Computes inclusive prefix sums along an axis; `f16` and `bf16` in `f32`, as in `sum`.
    pub fn cumsum(self, axis: impl Integer) -> Self { only_in_kernels() }

    /// Computes inclusive prefix products along an axis; `f16` and `bf16` in `f32`, as in `prod`.
    pub fn cumprod(self, axis: impl Integer) -> Self { only_in_kernels() }

    /// Computes inclusive suffix sums along an axis.
    pub fn cumsum_rev(self, axis: impl Integer) -> Self { only_in_kernels() }

    /// Computes inclusive suffix products along an axis.
    pub fn cumprod_rev(self, axis: impl Integer) -> Self { only_in_kernels() }

    /// Computes the sum along an axis of the elements converted to another type: `u8` without wrapping, `bf16` to a sum of
    /// `f32`, `f8`.
    pub fn sum_as<U: Element>(self, axis: impl Integer) -> <Tile<U, RANK> as Axes>::Without where Tile<U, RANK>: Axes { only_in_kernels() }

    /// Computes the product along an axis of the elements converted to another type.
    pub fn prod_as<U: Element>(self, axis: impl Integer) -> <Tile<U, RANK> as Axes>::Without where Tile<U, RANK>: Axes { only_in_kernels() }

    /// Computes inclusive prefix sums along an axis of the elements converted to another type.
    pub fn cumsum_as<U: Element>(self, axis: impl Integer) -> Tile<U, RANK> { only_in_kernels() }

    /// Computes inclusive prefix products along an axis of the elements converted to another type.
    pub fn cumprod_as<U: Element>(self, axis: impl Integer) -> Tile<U, RANK> { only_in_kernels() }

    /// Computes inclusive suffix sums along an axis of the elements converted to another type.
    pub fn cumsum_rev_as<U: Element>(self, axis: impl Integer) -> Tile<U, RANK> { only_in_kernels() }

    /// Computes inclusive suffix products along an axis of the elements converted to another type.
    pub fn cumprod_rev_as<U: Element>(self, axis: impl Integer) -> Tile<U, RANK> { only_in_kernels() }

    /// Reduces along an axis with a closure; a tile of rank 1 becomes a number.
    pub fn reduce(self, axis: impl Integer, init: impl Literal<T>, combine: impl Fn(T, T) -> T) -> <Self as Tiles>::Without where Self: Tiles { only_in_kernels() }

    /// Computes the inclusive prefix scan along an axis with a closure.
    pub fn scan(self, axis: impl Integer, init: impl Literal<T>, combine: impl Fn(T, T) -> T) -> Self { only_in_kernels() }

    /// Computes the inclusive suffix scan along an axis with a closure.
    pub fn scan_rev(self, axis: impl Integer, init: impl Literal<T>, combine: impl Fn(T, T) -> T) -> Self { only_in_kernels() }

    /// Divides the tile into slices of the second list, and returns the slice at the index of the first.
    pub fn extract(self, index: [impl Integer; RANK], shape: [impl Integer; RANK]) -> Self { only_in_kernels() }

    /// Splits the pairs along the last axis, `[.., 2]`, into a tuple of two tiles `[..]`: the inverse of `join`.
    pub fn split(self) -> (<Self as Axes>::Without, <Self as Axes>::Without) where Self: Axes { only_in_kernels() }

    /// Returns the elements at these indices along an axis, and zero where an index is out of range; along the other axes
    /// as in `x`. The result has the shape of the index, a tile of integers.
    pub fn gather<I: Integer>(self, axis: impl Integer, index: Tile<I, RANK>) -> Self { only_in_kernels() }

    /// Returns the element of a tile of one element, as a number.
    pub fn item(self) -> T { only_in_kernels() }

    /// Transposes `[M, N]` to `[N, M]`.
    pub fn t(self) -> Self { only_in_kernels() }

    /// Permutes axes: axis `i` of the result is axis `axes[i]` of the tile.
    pub fn permute(self, axes: [impl Integer; RANK]) -> Self { only_in_kernels() }

    /// Returns the same elements in another shape, in row-major order.
    pub fn reshape<S: Shape>(self, shape: S) -> S::Tile<T> { only_in_kernels() }

    /// Repeats axes of extent 1; the rank does not change.
    pub fn broadcast(self, shape: [impl Integer; RANK]) -> Self { only_in_kernels() }

    /// Inserts an axis of extent 1 before this axis, which may equal the rank.
    pub fn unsqueeze(self, axis: impl Integer) -> <Self as Axes>::With where Self: Axes { only_in_kernels() }

    /// Removes an axis, whose extent is 1.
    pub fn squeeze(self, axis: impl Integer) -> <Self as Axes>::Without where Self: Axes { only_in_kernels() }
}

impl<T: Element, const RANK: usize> Tensor<T, RANK> {
    /// Loads the tile at tile index `[i]`, of the given shape; elements out of bounds are zero.
    pub fn load(&self, index: impl TileIndex<RANK>, shape: [impl Integer; RANK]) -> Tile<T, RANK> { only_in_kernels() }

    /// Loads the tile whose first element is `[i]`: here indices count elements, and may be negative. Elements out of
    /// bounds are zero; each element is tested separately.
    pub fn load_at(&self, start: impl TileIndex<RANK>, shape: [impl Integer; RANK]) -> Tile<T, RANK> { only_in_kernels() }

    /// Loads the tile whose first element is `[i]`, with another padding out of bounds.
    pub fn load_at_padded(&self, start: impl TileIndex<RANK>, shape: [impl Integer; RANK], padding: impl Beyond<T>) -> Tile<T, RANK> { only_in_kernels() }

    /// Loads the tile at tile index `[i]`, with another padding out of bounds.
    pub fn load_padded(&self, index: impl TileIndex<RANK>, shape: [impl Integer; RANK], padding: impl Beyond<T>) -> Tile<T, RANK> { only_in_kernels() }

    /// Stores a tile at tile index `[i]`; elements out of bounds are dropped.
    pub fn store(&mut self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) { only_in_kernels() }

    /// Returns a partition: the tensor divided into tiles of one shape.
    pub fn partition(&self, shape: [impl Integer; RANK]) -> Partition<T, RANK> { only_in_kernels() }

    /// Returns a strided view: the first elements of tiles are the second list apart, so that tiles overlap or leave gaps.
    pub fn strided(&self, shape: [impl Integer; RANK], steps: [impl Integer; RANK]) -> Partition<T, RANK> { only_in_kernels() }

    /// Returns a gather view: a tile of indices selects the elements along an axis, and a tile begins at any element of the
    /// other axes, along which it is contiguous.
    pub fn gather_view(&self, axis: impl Integer, shape: [impl Integer; RANK]) -> GatherView<T, RANK> { only_in_kernels() }

    /// Returns the extent of an axis.
    pub fn dim(&self, axis: usize) -> i32 { only_in_kernels() }

    /// Returns the distance in elements from one index of an axis to the next.
    pub fn stride(&self, axis: usize) -> i64 { only_in_kernels() }

    /// Loads one element, as a number; zero out of bounds.
    pub fn at(&self, index: impl TileIndex<RANK>) -> T { only_in_kernels() }

    /// Loads the elements at these indices, which are numbers and tiles of integers of any type that stretch to one shape;
    /// zero out of bounds.
    pub fn gather<X: Indices<RANK>>(&self, index: X) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Loads the elements at these indices, with another padding out of bounds.
    pub fn gather_padded<X: Indices<RANK>>(&self, index: X, padding: impl Beyond<T>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Stores elements at these indices; those out of bounds are dropped.
    ///
    /// # Safety
    ///
    /// No two elements that the launch stores may be the same.
    pub unsafe fn scatter(&mut self, index: impl Indices<RANK>, tile: impl Value<T>) { only_in_kernels() }

    /// Returns a pointer to the first element.
    pub fn as_ptr(&self) -> Pointer<T, 0> { only_in_kernels() }

    /// Returns a pointer to the first element, for writing.
    pub fn as_mut_ptr(&mut self) -> Pointer<T, 0> { only_in_kernels() }

    /// Atomically adds to elements.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_add<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically computes the maximum with elements.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_max<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically computes the minimum with elements.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_min<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically computes `&` with elements.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_and<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically computes `|` with elements.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_or<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically computes `^` with elements.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_xor<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically exchanges elements.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_xchg<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically replaces elements that equal `expected` with `new`; floats are compared by their bits.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_cas<X: Indices<RANK>>(&mut self, index: X, expected: impl Value<T>, new: impl Value<T>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically loads elements.
    ///
    /// The indices are integers or tiles of integers. The result is zero out of bounds, and where the mask does not hold.
    /// An `Ordering` and a `Scope` may follow.
    pub fn atomic_load<X: Indices<RANK>>(&self, index: X) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically stores to elements.
    ///
    /// The indices are integers or tiles of integers; elements out of bounds are dropped. An `Ordering` and a `Scope` may
    /// follow.
    pub fn atomic_store(&mut self, index: impl Indices<RANK>, tile: impl Value<T>) { only_in_kernels() }

    /// Atomically adds to elements, where the mask holds.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_add_masked<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>, mask: impl Value<bool>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically computes the maximum with elements, where the mask holds.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_max_masked<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>, mask: impl Value<bool>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically computes the minimum with elements, where the mask holds.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_min_masked<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>, mask: impl Value<bool>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically computes `&` with elements, where the mask holds.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_and_masked<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>, mask: impl Value<bool>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically computes `|` with elements, where the mask holds.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_or_masked<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>, mask: impl Value<bool>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically computes `^` with elements, where the mask holds.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_xor_masked<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>, mask: impl Value<bool>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically exchanges elements, where the mask holds.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_xchg_masked<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>, mask: impl Value<bool>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically replaces elements that equal `expected` with `new`, where the mask holds; floats are compared by their bits.
    ///
    /// The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not
    /// accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.
    pub fn atomic_cas_masked<X: Indices<RANK>>(&mut self, index: X, expected: impl Value<T>, new: impl Value<T>, mask: impl Value<bool>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically loads elements, where the mask holds.
    ///
    /// The indices are integers or tiles of integers. The result is zero out of bounds, and where the mask does not hold.
    /// An `Ordering` and a `Scope` may follow.
    pub fn atomic_load_masked<X: Indices<RANK>>(&self, index: X, mask: impl Value<bool>) -> <X::Out as Drawn>::Of<T> { only_in_kernels() }

    /// Atomically stores to elements, where the mask holds.
    ///
    /// The indices are integers or tiles of integers; elements out of bounds are dropped. An `Ordering` and a `Scope` may
    /// follow.
    pub fn atomic_store_masked(&mut self, index: impl Indices<RANK>, tile: impl Value<T>, mask: impl Value<bool>) { only_in_kernels() }
}

impl<T: Element, const RANK: usize> Partition<T, RANK> {
    /// Loads the tile at tile index `[i]`, with the shape of the partition or strided view.
    pub fn load(&self, index: impl TileIndex<RANK>) -> Tile<T, RANK> { only_in_kernels() }

    /// Stores the tile at tile index `[i]`; elements out of bounds are dropped.
    pub fn store(&self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) { only_in_kernels() }

    /// Returns the number of tiles along an axis, rounded up.
    pub fn num_tiles(&self, axis: usize) -> i32 { only_in_kernels() }

    /// Returns the same partition with another padding out of bounds.
    pub fn with_padding(self, padding: impl Beyond<T>) -> Self { only_in_kernels() }

    /// Returns the same partition whose tiles have their axes along other axes of the tensor: axis `k` of a tile runs along
    /// axis `order[k]` of the tensor.
    pub fn with_order(self, order: [impl Integer; RANK]) -> Self { only_in_kernels() }

    /// Atomically adds to each element of the tile at tile index `[i]`.
    ///
    /// Elements out of bounds are dropped. An `Ordering` and a `Scope` may follow.
    pub fn atomic_add(&self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) { only_in_kernels() }

    /// Atomically computes the maximum with each element of the tile at tile index `[i]`.
    ///
    /// Elements out of bounds are dropped. An `Ordering` and a `Scope` may follow.
    pub fn atomic_max(&self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) { only_in_kernels() }

    /// Atomically computes the minimum with each element of the tile at tile index `[i]`.
    ///
    /// Elements out of bounds are dropped. An `Ordering` and a `Scope` may follow.
    pub fn atomic_min(&self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) { only_in_kernels() }

    /// Atomically computes `&` with each element of the tile at tile index `[i]`.
    ///
    /// Elements out of bounds are dropped. An `Ordering` and a `Scope` may follow.
    pub fn atomic_and(&self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) { only_in_kernels() }

    /// Atomically computes `|` with each element of the tile at tile index `[i]`.
    ///
    /// Elements out of bounds are dropped. An `Ordering` and a `Scope` may follow.
    pub fn atomic_or(&self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) { only_in_kernels() }

    /// Atomically computes `^` with each element of the tile at tile index `[i]`.
    ///
    /// Elements out of bounds are dropped. An `Ordering` and a `Scope` may follow.
    pub fn atomic_xor(&self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) { only_in_kernels() }
}

impl<T: Element, const RANK: usize> GatherView<T, RANK> {
    /// Loads the tile at element indices: a tile of indices along the gathered axis, and one integer along each of the
    /// others.
    pub fn load(&self, index: impl Indices<RANK>) -> Tile<T, RANK> { only_in_kernels() }

    /// Stores the tile at element indices; elements out of bounds are dropped.
    ///
    /// # Safety
    ///
    /// No two elements that the launch stores may be the same.
    pub unsafe fn store(&self, index: impl Indices<RANK>, tile: Tile<T, RANK>) { only_in_kernels() }

    /// Returns the same view with another padding out of bounds.
    pub fn with_padding(self, padding: impl Beyond<T>) -> Self { only_in_kernels() }
}

impl<T: Element, const RANK: usize> Pointer<T, RANK> {
    /// Returns the address in bytes.
    pub fn addr(self) -> usize { only_in_kernels() }

    /// Adds an offset in elements: a tile of offsets gives a tile of pointers, a number one pointer.
    ///
    /// # Safety
    ///
    /// The results must be within the allocation of the pointer.
    pub unsafe fn offset<D: Distance<RANK>>(self, distance: D) -> D::Pointers<T> { only_in_kernels() }

    /// Loads the target elements.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn load(self) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Loads the target elements; the result is `other` where the mask does not hold.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn load_masked(self, mask: impl Value<bool>, other: impl Value<T>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Stores to the target elements.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element that nothing else uses.
    pub unsafe fn store(self, value: impl Value<T>) { only_in_kernels() }

    /// Stores to the target elements where the mask holds.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element that nothing else uses.
    pub unsafe fn store_masked(self, value: impl Value<T>, mask: impl Value<bool>) { only_in_kernels() }

    /// Atomically adds to the target elements.
    ///
    /// Returns the previous values. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn atomic_add(self, value: impl Value<T>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically computes the maximum with the target elements.
    ///
    /// Returns the previous values. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn atomic_max(self, value: impl Value<T>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically computes the minimum with the target elements.
    ///
    /// Returns the previous values. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn atomic_min(self, value: impl Value<T>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically computes `&` with the target elements.
    ///
    /// Returns the previous values. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn atomic_and(self, value: impl Value<T>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically computes `|` with the target elements.
    ///
    /// Returns the previous values. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn atomic_or(self, value: impl Value<T>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically computes `^` with the target elements.
    ///
    /// Returns the previous values. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn atomic_xor(self, value: impl Value<T>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically exchanges the target elements.
    ///
    /// Returns the previous values. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn atomic_xchg(self, value: impl Value<T>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically replaces the target elements that equal `expected` with `new`; floats are compared by their bits.
    ///
    /// Returns the previous values. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn atomic_cas(self, expected: impl Value<T>, new: impl Value<T>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically loads the target elements.
    ///
    /// An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn atomic_load(self) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically stores to the target elements.
    ///
    /// An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn atomic_store(self, value: impl Value<T>) { only_in_kernels() }

    /// Atomically adds to the target elements, where the mask holds.
    ///
    /// Returns the previous values, and zero where the mask does not hold. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn atomic_add_masked(self, value: impl Value<T>, mask: impl Value<bool>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically computes the maximum with the target elements, where the mask holds.
    ///
    /// Returns the previous values, and zero where the mask does not hold. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn atomic_max_masked(self, value: impl Value<T>, mask: impl Value<bool>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically computes the minimum with the target elements, where the mask holds.
    ///
    /// Returns the previous values, and zero where the mask does not hold. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn atomic_min_masked(self, value: impl Value<T>, mask: impl Value<bool>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically computes `&` with the target elements, where the mask holds.
    ///
    /// Returns the previous values, and zero where the mask does not hold. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn atomic_and_masked(self, value: impl Value<T>, mask: impl Value<bool>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically computes `|` with the target elements, where the mask holds.
    ///
    /// Returns the previous values, and zero where the mask does not hold. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn atomic_or_masked(self, value: impl Value<T>, mask: impl Value<bool>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically computes `^` with the target elements, where the mask holds.
    ///
    /// Returns the previous values, and zero where the mask does not hold. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn atomic_xor_masked(self, value: impl Value<T>, mask: impl Value<bool>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically exchanges the target elements, where the mask holds.
    ///
    /// Returns the previous values, and zero where the mask does not hold. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn atomic_xchg_masked(self, value: impl Value<T>, mask: impl Value<bool>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically replaces the target elements that equal `expected` with `new`, where the mask holds; floats are compared by their bits.
    ///
    /// Returns the previous values, and zero where the mask does not hold. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn atomic_cas_masked(self, expected: impl Value<T>, new: impl Value<T>, mask: impl Value<bool>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically loads the target elements, where the mask holds.
    ///
    /// Returns the previous values, and zero where the mask does not hold. An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn atomic_load_masked(self, mask: impl Value<bool>) -> <Self as Pointee>::Value where Self: Pointee { only_in_kernels() }

    /// Atomically stores to the target elements, where the mask holds.
    ///
    /// An `Ordering` and a `Scope` may follow.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn atomic_store_masked(self, value: impl Value<T>, mask: impl Value<bool>) { only_in_kernels() }
}

/// The value that a load returns for elements out of bounds.
#[derive(Clone, Copy, Debug)]
pub enum Padding {
    /// 0
    Zero,
    /// -0.0
    NegZero,
    /// NaN
    Nan,
    /// Positive infinity.
    Inf,
    /// Negative infinity.
    NegInf,
}

/// A rounding mode. With `.ftz()`, subnormal numbers are flushed to zero.
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

/// The memory ordering of an atomic operation or a fence, with respect to accesses of all tensors.
#[derive(Clone, Copy, Debug)]
pub enum Ordering {
    /// No ordering.
    Relaxed,
    /// Later accesses happen after the operation, and see the accesses before the release whose value it reads.
    Acquire,
    /// Earlier accesses happen before the operation.
    Release,
    /// Both acquire and release.
    AcqRel,
    /// Like `AcqRel`; in addition, all blocks see these operations in a single order.
    SeqCst,
}

/// The threads for which an operation is atomic.
#[derive(Clone, Copy, Debug)]
pub enum Scope {
    /// The threads of this block.
    Block,
    /// All threads of the device.
    Device,
    /// All threads of all devices, and the host.
    System,
}

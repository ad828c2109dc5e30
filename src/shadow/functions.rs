//! Free functions of the language.

use super::{
    Axes, Element, Integer, Literal, Operand, Shape, Tile, Tiles, bf16, f8e4m3, f8e5m2, f16,
    only_in_kernels,
};

/// The position of this block in the grid, along axis 0, 1 or 2.
pub fn block_id(axis: usize) -> i32 {
    only_in_kernels()
}

/// The extent of the grid along axis 0, 1 or 2; unused axes are 1.
pub fn num_blocks(axis: usize) -> i32 {
    only_in_kernels()
}

/// A tile of zeros: `zeros::<f32>([64, 64])`. The element type may be left to inference.
pub fn zeros<T: Element, S: Shape>(shape: S) -> S::Tile<T> {
    only_in_kernels()
}

/// A tile of one number: `full([64, 64], x)`.
pub fn full<T: Element, S: Shape>(shape: S, x: T) -> S::Tile<T> {
    only_in_kernels()
}

/// `[0, 1, .. n - 1]`: `iota::<i32>(64)`.
pub fn iota<T: Integer>(n: impl Integer) -> Tile<T, 1> {
    only_in_kernels()
}

/// `a` where `mask` holds, else `b`. Each may be a number, and axes of extent 1 stretch.
pub fn select<T: Element, M: Choose<T, A, B>, A, B>(mask: M, a: A, b: B) -> M::Output {
    only_in_kernels()
}

/// A `bool` or a tile of it that chooses between `A` and `B`, of elements `T`.
pub trait Choose<T, A, B> {
    /// What is chosen.
    type Output;
}

impl<T, A, B, const RANK: usize> Choose<T, A, B> for Tile<bool, RANK>
where
    T: Element,
    A: Operand<T, RANK>,
    B: Operand<T, RANK>,
{
    type Output = Tile<T, RANK>;
}
impl<T: Element> Choose<T, T, T> for bool {
    type Output = T;
}
impl<T: Element, const RANK: usize> Choose<T, Tile<T, RANK>, Tile<T, RANK>> for bool {
    type Output = Tile<T, RANK>;
}
impl<T: Element, const RANK: usize> Choose<T, Tile<T, RANK>, T> for bool {
    type Output = Tile<T, RANK>;
}
impl<T: Element, const RANK: usize> Choose<T, T, Tile<T, RANK>> for bool {
    type Output = Tile<T, RANK>;
}

/// The matrix product `a · b + acc` of `[M, K]`, `[K, N]` and `[M, N]`; rank 3 is a batch of them.
pub fn mma<A: Element, B: Element, C: Element, const RANK: usize>(
    a: Tile<A, RANK>,
    b: Tile<B, RANK>,
    acc: Tile<C, RANK>,
) -> Tile<C, RANK> {
    only_in_kernels()
}

/// The matrix product `a · b` in the element type that `mma` accumulates in.
pub fn dot<A: MatmulOperand, B: Element, const RANK: usize>(
    a: Tile<A, RANK>,
    b: Tile<B, RANK>,
) -> Tile<A::Sum, RANK> {
    only_in_kernels()
}

/// A factor of matrix products.
pub trait MatmulOperand: Element {
    /// The type that products are summed in.
    type Sum: Element;
}

macro_rules! matmul_operands {
    ($($factor:ty => $sum:ty)+) => { $( impl MatmulOperand for $factor { type Sum = $sum; } )+ };
}
matmul_operands! {
    f16 => f32  bf16 => f32  super::tf32 => f32  f8e4m3 => f32  f8e5m2 => f32
    f32 => f32  f64 => f64  i8 => i32  u8 => i32
}

/// `a` and behind it `b`, along `axis`.
pub fn cat<T: Element, const RANK: usize>(
    a: Tile<T, RANK>,
    b: Tile<T, RANK>,
    axis: impl Integer,
) -> Tile<T, RANK> {
    only_in_kernels()
}

/// Pairs of `a` and `b` along a new last axis.
pub fn join<T: Element, const RANK: usize>(
    a: Tile<T, RANK>,
    b: impl Operand<T, RANK>,
) -> <Tile<T, RANK> as Axes>::With
where
    Tile<T, RANK>: Axes,
{
    only_in_kernels()
}

/// Elements of `a` and `b` in turns, along the last axis.
pub fn interleave<T: Element, const RANK: usize>(
    a: Tile<T, RANK>,
    b: impl Operand<T, RANK>,
) -> Tile<T, RANK> {
    only_in_kernels()
}

/// Combines along `axis`, over several tiles at once:
/// `reduce((x, y), 0, (0.0, 0), |(a, b), (c, d)| ..)`.
pub fn reduce<X: Tiles>(
    x: X,
    axis: impl Integer,
    init: X::Elements,
    combine: impl Fn(X::Elements, X::Elements) -> X::Elements,
) -> X::Without {
    only_in_kernels()
}

/// Combines with all elements before, along `axis`, over several tiles at once.
pub fn scan<X: Tiles>(
    x: X,
    axis: impl Integer,
    init: X::Elements,
    combine: impl Fn(X::Elements, X::Elements) -> X::Elements,
) -> X {
    only_in_kernels()
}

/// Combines with all elements behind, along `axis`, over several tiles at once.
pub fn scan_rev<X: Tiles>(
    x: X,
    axis: impl Integer,
    init: X::Elements,
    combine: impl Fn(X::Elements, X::Elements) -> X::Elements,
) -> X {
    only_in_kernels()
}

impl<T: Element, const RANK: usize> Tile<T, RANK> {
    /// Combines along `axis`: `x.reduce(0, 0.0, |a, b| a + b)`.
    pub fn reduce(
        self,
        axis: impl Integer,
        init: impl Literal<T>,
        combine: impl Fn(T, T) -> T,
    ) -> <Self as Tiles>::Without
    where
        Self: Tiles,
    {
        only_in_kernels()
    }

    /// Combines with all elements before, along `axis`: `x.scan(0, 0.0, |a, b| a + b)`.
    pub fn scan(
        self,
        axis: impl Integer,
        init: impl Literal<T>,
        combine: impl Fn(T, T) -> T,
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Combines with all elements behind, along `axis`.
    pub fn scan_rev(
        self,
        axis: impl Integer,
        init: impl Literal<T>,
        combine: impl Fn(T, T) -> T,
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }
}

/// Everything before it comes before everything behind it, as far as other blocks can see.
///
/// A `Scope` may stand behind the ordering.
pub fn fence(ordering: super::Ordering) {
    only_in_kernels()
}

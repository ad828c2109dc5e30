//! Free functions of the language.

use super::{
    Axes, Element, Integer, Literal, Operand, Shape, Tile, Tiles, bf16, f8e4m3, f8e5m2, f16,
    only_in_kernels,
};

/// Returns the index of this block in the grid, along axis 0, 1 or 2.
pub fn block_id(axis: usize) -> i32 {
    only_in_kernels()
}

/// Returns the extent of the grid along axis 0, 1 or 2; an unused axis has extent 1.
pub fn num_blocks(axis: usize) -> i32 {
    only_in_kernels()
}

/// Returns a tile of zeros: `zeros::<f32>([64, 64])`. The element type can be inferred.
pub fn zeros<T: Element, S: Shape>(shape: S) -> S::Tile<T> {
    only_in_kernels()
}

/// Returns a tile with all elements equal to `x`: `full([64, 64], x)`.
pub fn full<T: Element, S: Shape>(shape: S, x: T) -> S::Tile<T> {
    only_in_kernels()
}

/// Returns `[0, 1, .. n - 1]`: `iota::<i32>(64)`.
pub fn iota<T: Integer>(n: impl Integer) -> Tile<T, 1> {
    only_in_kernels()
}

/// Selects `a` where `mask` holds, otherwise `b`. Operands may be numbers, and axes of extent 1
/// broadcast.
pub fn select<T: Element, M: Choose<T, A, B>, A, B>(mask: M, a: A, b: B) -> M::Output {
    only_in_kernels()
}

/// A mask, which is a `bool` or a tile of `bool`, that selects between `A` and `B` with elements
/// `T`.
pub trait Choose<T, A, B> {
    /// The type of the result.
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

/// Computes `a · b + acc` for `[M, K]`, `[K, N]` and `[M, N]`; tiles of rank 3 are batches of
/// matrices.
pub fn mma<A: Element, B: Element, C: Element, const RANK: usize>(
    a: Tile<A, RANK>,
    b: Tile<B, RANK>,
    acc: Tile<C, RANK>,
) -> Tile<C, RANK> {
    only_in_kernels()
}

/// Computes `a · b`, with the element type in which `mma` accumulates.
pub fn dot<A: MatmulOperand, B: Element, const RANK: usize>(
    a: Tile<A, RANK>,
    b: Tile<B, RANK>,
) -> Tile<A::Sum, RANK> {
    only_in_kernels()
}

/// An element type of matmul operands.
pub trait MatmulOperand: Element {
    /// The type of the accumulator.
    type Sum: Element;
}

macro_rules! matmul_operands {
    ($($factor:ty => $sum:ty)+) => { $( impl MatmulOperand for $factor { type Sum = $sum; } )+ };
}
matmul_operands! {
    f16 => f32  bf16 => f32  super::tf32 => f32  f8e4m3 => f32  f8e5m2 => f32
    f32 => f32  f64 => f64  i8 => i32  u8 => i32
}

/// Concatenates `a` and `b` along `axis`.
pub fn cat<T: Element, const RANK: usize>(
    a: Tile<T, RANK>,
    b: Tile<T, RANK>,
    axis: impl Integer,
) -> Tile<T, RANK> {
    only_in_kernels()
}

/// Pairs the elements of `a` and `b` along a new last axis.
pub fn join<T: Element, const RANK: usize>(
    a: Tile<T, RANK>,
    b: impl Operand<T, RANK>,
) -> <Tile<T, RANK> as Axes>::With
where
    Tile<T, RANK>: Axes,
{
    only_in_kernels()
}

/// Alternates the elements of `a` and `b` along the last axis.
pub fn interleave<T: Element, const RANK: usize>(
    a: Tile<T, RANK>,
    b: impl Operand<T, RANK>,
) -> Tile<T, RANK> {
    only_in_kernels()
}

/// Reduces several tiles together along `axis`: `reduce((x, y), 0, (0.0, 0), |(a, b), (c, d)| ..)`.
pub fn reduce<X: Tiles>(
    x: X,
    axis: impl Integer,
    init: X::Elements,
    combine: impl Fn(X::Elements, X::Elements) -> X::Elements,
) -> X::Without {
    only_in_kernels()
}

/// Computes the inclusive prefix scan of several tiles together along `axis`.
pub fn scan<X: Tiles>(
    x: X,
    axis: impl Integer,
    init: X::Elements,
    combine: impl Fn(X::Elements, X::Elements) -> X::Elements,
) -> X {
    only_in_kernels()
}

/// Computes the inclusive suffix scan of several tiles together along `axis`.
pub fn scan_rev<X: Tiles>(
    x: X,
    axis: impl Integer,
    init: X::Elements,
    combine: impl Fn(X::Elements, X::Elements) -> X::Elements,
) -> X {
    only_in_kernels()
}

impl<T: Element, const RANK: usize> Tile<T, RANK> {
    /// Reduces along `axis`: `x.reduce(0, 0.0, |a, b| a + b)`.
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

    /// Computes the inclusive prefix scan along `axis`: `x.scan(0, 0.0, |a, b| a + b)`.
    pub fn scan(
        self,
        axis: impl Integer,
        init: impl Literal<T>,
        combine: impl Fn(T, T) -> T,
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Computes the inclusive suffix scan along `axis`.
    pub fn scan_rev(
        self,
        axis: impl Integer,
        init: impl Literal<T>,
        combine: impl Fn(T, T) -> T,
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }
}

/// Orders all memory accesses before the fence before all accesses after it, as seen by other
/// blocks.
///
/// A `Scope` may follow the ordering.
pub fn fence(ordering: super::Ordering) {
    only_in_kernels()
}

//! Types of the operands and results of functions.

use super::{Element, Operand, Tile, bf16, f8e4m3, f8e5m2, f16};

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

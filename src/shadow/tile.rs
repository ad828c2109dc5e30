//! Tiles, their element types and their shapes.

use std::marker::PhantomData;

use super::{bf16, f16};
pub use crate::{f8e4m3, f8e5m2, f8e8m0};

/// An element type.
pub trait Element: Copy + 'static {}

/// An integer type, for indices and extents.
pub trait Integer: Element {}

macro_rules! elements {
    ($($marker:ident: $($ty:ty),+;)+) => { $($( impl $marker for $ty {} )+)+ };
}
elements! {
    Element: bool, i8, i16, i32, i64, u8, u16, u32, u64, usize, f16, bf16, f32, f64;
    Element: tf32, f8e4m3, f8e5m2, f8e8m0, f4e2m1;
    Integer: i8, i16, i32, i64, u8, u16, u32, u64, usize;
}

macro_rules! small_floats {
    ($($(#[$doc:meta])+ $name:ident)+) => { $(
        $(#[$doc])+
        #[allow(non_camel_case_types, reason = "named as the numbers of Rust are")]
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        pub struct $name(());
    )+ };
}
small_floats! {
    /// A 19-bit float for tensor cores: 8 bits of exponent, 10 of mantissa.
    tf32
    /// A 4-bit float: 2 bits of exponent, 1 of mantissa.
    f4e2m1
}

/// A tile: an array of numbers that a block of threads holds together.
///
/// Its shape, `RANK` extents that are powers of two, is known at compile time.
pub struct Tile<T, const RANK: usize>(PhantomData<T>);

impl<T, const RANK: usize> Clone for Tile<T, RANK> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const RANK: usize> Copy for Tile<T, RANK> {}

/// A shape: a list of extents.
pub trait Shape {
    /// The type of a tile with this shape.
    type Tile<T: Element>;
}

impl<I: Integer, const RANK: usize> Shape for [I; RANK] {
    type Tile<T: Element> = Tile<T, RANK>;
}

/// Types with one axis less and one axis more.
pub trait Axes {
    /// The type without one axis; a tile of rank 1 becomes a number.
    type Without;
    /// The same type with another element type.
    type WithoutOf<U: Element>;
    /// The type with one more axis.
    type With;
}

/// Returns the rank of a shape. In the copy of a kernel, annotations name the rank, not the shape.
#[must_use]
pub const fn rank_of<I: Copy, const RANK: usize>(shape: [I; RANK]) -> usize {
    RANK
}

macro_rules! ranks {
    ($($rank:literal $less:literal $more:literal)+) => { $(
        impl<T: Element> Axes for Tile<T, $rank> {
            type Without = Tile<T, $less>;
            type WithoutOf<U: Element> = Tile<U, $less>;
            type With = Tile<T, $more>;
        }
    )+ };
}
ranks!(2 1 3  3 2 4  4 3 5  5 4 6  6 5 7  7 6 8  8 7 9);

impl<T: Element> Axes for Tile<T, 1> {
    type Without = T;
    type WithoutOf<U: Element> = U;
    type With = Tile<T, 2>;
}

/// An operand that broadcasts to a tile of `T`: such a tile, or a number.
pub trait Operand<T, const RANK: usize> {}
impl<T: Element, const RANK: usize> Operand<T, RANK> for T {}
impl<T: Element, const RANK: usize> Operand<T, RANK> for Tile<T, RANK> {}

/// Implements literals for float types that have none in Rust.
macro_rules! literals {
    ($($ty:ty)+) => { $(
        impl<const RANK: usize> Operand<$ty, RANK> for f64 {}
        impl Literal<$ty> for f64 {}
    )+ };
}
literals!(f16 bf16 f8e4m3 f8e5m2);

/// A number of type `T`, or a literal of it.
pub trait Literal<T> {}
impl<T: Element> Literal<T> for T {}

/// One tile, or a tuple of tiles of the same shape.
pub trait Tiles {
    /// One element of each tile.
    type Elements;
    /// All tiles without one axis.
    type Without;
}

impl<T: Element, const RANK: usize> Tiles for Tile<T, RANK>
where
    Tile<T, RANK>: Axes,
{
    type Elements = T;
    type Without = <Self as Axes>::Without;
}

macro_rules! tuples {
    ($($($T:ident)+;)+) => { $(
        impl<$($T: Tiles),+> Tiles for ($($T,)+) {
            type Elements = ($($T::Elements,)+);
            type Without = ($($T::Without,)+);
        }
    )+ };
}
tuples!(A; A B; A B C; A B C D;);

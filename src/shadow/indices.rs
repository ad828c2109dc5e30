//! Index lists in the brackets of tensor, partition and view methods.
//!
//! An array has elements of one type, but indices may differ in type: `x.gather([rows, 0])`. The
//! shadow copy of a kernel therefore has tuples instead of these lists.

use super::{Element, Integer, Tile};

/// A tile index: an integer for each axis.
pub trait TileIndex<const RANK: usize> {}

/// Indices of elements: an integer or a tile of integers for each axis.
pub trait Indices<const RANK: usize>: Together {}

/// Numbers and tiles that broadcast together.
pub trait Together {
    /// A type with the rank of the broadcast.
    type Out: Drawn;
}

/// A number or tile that broadcasts with a `B`.
pub trait Meet<B> {
    /// A type with the rank of the broadcast.
    type Out: Drawn;
}

impl<I: Integer, J: Integer, const RANK: usize> Meet<Tile<J, RANK>> for Tile<I, RANK> {
    type Out = Tile<I, RANK>;
}
impl<I: Integer, J: Integer, const RANK: usize> Meet<J> for Tile<I, RANK> {
    type Out = Tile<I, RANK>;
}
impl<I: Integer, J: Integer, const RANK: usize> Meet<Tile<J, RANK>> for I {
    type Out = Tile<J, RANK>;
}
impl<I: Integer, J: Integer> Meet<J> for I {
    type Out = I;
}

impl<I: Integer> TileIndex<1> for (I,) {}
impl<I: Drawn> Indices<1> for (I,) {}
impl<I: Drawn> Together for (I,) {
    type Out = I;
}

macro_rules! lists {
    ($($rank:literal: $($first:ident)+, $last:ident;)+) => { $(
        impl<$($first: Integer,)+ $last: Integer> TileIndex<$rank> for ($($first,)+ $last) {}

        impl<$($first,)+ $last> Indices<$rank> for ($($first,)+ $last)
        where
            ($($first,)+): Together,
            <($($first,)+) as Together>::Out: Meet<$last>,
        {
        }

        impl<$($first,)+ $last> Together for ($($first,)+ $last)
        where
            ($($first,)+): Together,
            <($($first,)+) as Together>::Out: Meet<$last>,
        {
            type Out = <<($($first,)+) as Together>::Out as Meet<$last>>::Out;
        }
    )+ };
}
lists! {
    2: A, B;
    3: A B, C;
    4: A B C, D;
    5: A B C D, E;
    6: A B C D E, F;
    7: A B C D E F, G;
    8: A B C D E F G, H;
}

/// A number of type `T`, or a tile of them of any rank.
pub trait Value<T> {}
impl<T: Element> Value<T> for T {}
impl<T: Element, const RANK: usize> Value<T> for Tile<T, RANK> {}

macro_rules! literals {
    ($($ty:ty)+) => { $( impl Value<$ty> for f64 {} )+ };
}
literals!(super::f16 super::bf16 super::f8e4m3 super::f8e5m2);

/// A number or a tile, whose element type can be replaced.
pub trait Drawn {
    /// The same shape with another element type.
    type Of<U: Element>;
}

impl<T: Integer, const RANK: usize> Drawn for Tile<T, RANK> {
    type Of<U: Element> = Tile<U, RANK>;
}

impl<I: Integer> Drawn for I {
    type Of<U: Element> = U;
}

//! Parallel loops.

use std::marker::PhantomData;

use super::{Integer, Literal, Tile, only_in_kernels};

/// Returns iterations that run in any order: `for i in parallel(0..n)`, `for (i, j) in
/// parallel((0..n, 0..m))`, and `parallel(0..n).map(|i| ..).reduce(init, |a, b| ..)`.
pub fn parallel<R: Ranges>(ranges: R) -> Parallel<R::Index> {
    only_in_kernels()
}

/// A range, or a tuple of them.
pub trait Ranges {
    /// The loop variable, or a tuple of them.
    type Index;
}

impl<I: Integer> Ranges for std::ops::Range<I> {
    type Index = I;
}
macro_rules! ranges {
    ($($($R:ident)+;)+) => { $(
        impl<$($R: Ranges),+> Ranges for ($($R,)+) {
            type Index = ($($R::Index,)+);
        }
    )+ };
}
ranges!(A B; A B C;);

/// The iterations of a parallel loop.
pub struct Parallel<I>(PhantomData<I>);

impl<I> IntoIterator for Parallel<I> {
    type Item = I;
    type IntoIter = std::vec::IntoIter<I>;

    fn into_iter(self) -> Self::IntoIter {
        only_in_kernels()
    }
}

impl<I> Parallel<I> {
    /// Maps each iteration to a value, which `.reduce(..)` combines.
    pub fn map<U>(self, each: impl FnMut(I) -> U) -> Given<U> {
        only_in_kernels()
    }
}

/// The values of the iterations of a parallel loop.
pub struct Given<U>(PhantomData<U>);

impl<U> Given<U> {
    /// Combines `init` and the values of the iterations with `combine`, in any order.
    pub fn reduce(self, init: impl Literal<U>, combine: impl Fn(U, U) -> U) -> U {
        only_in_kernels()
    }
}

impl<T, const RANK: usize> Literal<Self> for Tile<T, RANK> {}

macro_rules! tuples {
    ($($($X:ident $T:ident)+;)+) => { $(
        impl<$($X: Literal<$T>, $T),+> Literal<($($T,)+)> for ($($X,)+) {}
    )+ };
}
tuples!(A S; A S B T; A S B T C U; A S B T C U D V;);

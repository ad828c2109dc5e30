//! Raw pointers and tiles of them.
//!
//! The copy of a kernel has `Pointer<T, 0>` where the author wrote `*const T` or `*mut T`, since
//! Rust gives raw pointers other methods.

use std::marker::PhantomData;

use super::{Element, Integer, Tile};

/// A raw pointer to elements in device memory; with rank 1 or more, a tile of pointers.
pub struct Pointer<T, const RANK: usize>(PhantomData<T>);

impl<T, const RANK: usize> Clone for Pointer<T, RANK> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const RANK: usize> Copy for Pointer<T, RANK> {}

/// The target type of a pointer or a tile of pointers.
pub trait Pointee {
    /// A number, or a tile.
    type Value;
}

/// An offset from a pointer or tile of pointers of rank `RANK`: an integer or a tile of integers.
pub trait Distance<const RANK: usize> {
    /// The resulting pointers.
    type Pointers<T>;
}

impl<I: Integer, const RANK: usize> Distance<RANK> for I {
    type Pointers<T> = Pointer<T, RANK>;
}
impl<I: Integer, const RANK: usize> Distance<0> for Tile<I, RANK> {
    type Pointers<T> = Pointer<T, RANK>;
}
impl<T: Element> Pointee for Pointer<T, 0> {
    type Value = T;
}

macro_rules! ranks {
    ($($rank:literal)+) => { $(
        impl<I: Integer> Distance<$rank> for Tile<I, $rank> {
            type Pointers<T> = Pointer<T, $rank>;
        }
        impl<T: Element> Pointee for Pointer<T, $rank> {
            type Value = Tile<T, $rank>;
        }
    )+ };
}
ranks!(1 2 3 4 5 6 7 8);

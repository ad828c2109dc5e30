//! Raw pointers and tiles of them.
//!
//! The copy of a kernel has `Pointer<T, 0>` where its author wrote `*const T` or `*mut T`, whose own
//! methods are others.

use std::marker::PhantomData;

use super::{Element, Integer, Tile, Value, only_in_kernels};

/// A raw pointer to elements in the memory of the device; of rank 1 and more a tile of pointers.
pub struct Pointer<T, const RANK: usize>(PhantomData<T>);

impl<T, const RANK: usize> Clone for Pointer<T, RANK> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const RANK: usize> Copy for Pointer<T, RANK> {}

/// What a pointer or a tile of them points to.
pub trait Pointee {
    /// A number, or a tile.
    type Value;
}

/// How far from a pointer, or tile of pointers, of rank `RANK`: an integer or a tile of them.
pub trait Distance<const RANK: usize> {
    /// The pointers there.
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

impl<T: Element> Pointer<T, 0> {
    /// The address in bytes.
    pub fn addr(self) -> usize {
        only_in_kernels()
    }
}

impl<T: Element, const RANK: usize> Pointer<T, RANK>
where
    Self: Pointee,
{
    /// The pointers that many elements on: of a tile of distances a tile of pointers.
    ///
    /// # Safety
    ///
    /// They stay within the memory that the pointer was made of.
    pub unsafe fn offset<D: Distance<RANK>>(self, distance: D) -> D::Pointers<T> {
        only_in_kernels()
    }

    /// What it points to.
    ///
    /// # Safety
    ///
    /// It points to an element.
    pub unsafe fn load(self) -> <Self as Pointee>::Value {
        only_in_kernels()
    }

    /// What it points to; `other` where the mask does not hold.
    ///
    /// # Safety
    ///
    /// Where the mask holds, it points to an element.
    pub unsafe fn load_masked(
        self,
        mask: impl Value<bool>,
        other: impl Value<T>,
    ) -> <Self as Pointee>::Value {
        only_in_kernels()
    }

    /// Writes what it points to.
    ///
    /// # Safety
    ///
    /// It points to an element that nothing else uses.
    pub unsafe fn store(self, value: impl Value<T>) {
        only_in_kernels()
    }

    /// Writes what it points to where the mask holds.
    ///
    /// # Safety
    ///
    /// Where the mask holds, it points to an element that nothing else uses.
    pub unsafe fn store_masked(self, value: impl Value<T>, mask: impl Value<bool>) {
        only_in_kernels()
    }

    /// Where an element is `expected`, it becomes `new`, each in one step.
    ///
    /// The result is what was there before. Behind the operands may stand an `Ordering` and a
    /// `Scope`.
    ///
    /// # Safety
    ///
    /// It points to an element.
    pub unsafe fn atomic_cas(
        self,
        expected: impl Value<T>,
        new: impl Value<T>,
    ) -> <Self as Pointee>::Value {
        only_in_kernels()
    }

    /// Where an element is `expected` and the mask holds, it becomes `new`, each in one step.
    ///
    /// The result is what was there before, and zero where the mask does not hold. Behind the mask
    /// may stand an `Ordering` and a `Scope`.
    ///
    /// # Safety
    ///
    /// Where the mask holds, it points to an element.
    pub unsafe fn atomic_cas_masked(
        self,
        expected: impl Value<T>,
        new: impl Value<T>,
        mask: impl Value<bool>,
    ) -> <Self as Pointee>::Value {
        only_in_kernels()
    }

    /// What it points to, each element read in one step.
    ///
    /// An `Ordering` and a `Scope` may stand in the parentheses.
    ///
    /// # Safety
    ///
    /// It points to an element.
    pub unsafe fn atomic_load(self) -> <Self as Pointee>::Value {
        only_in_kernels()
    }

    /// What it points to where the mask holds, each element read in one step; zero elsewhere.
    ///
    /// Behind the mask may stand an `Ordering` and a `Scope`.
    ///
    /// # Safety
    ///
    /// Where the mask holds, it points to an element.
    pub unsafe fn atomic_load_masked(self, mask: impl Value<bool>) -> <Self as Pointee>::Value {
        only_in_kernels()
    }

    /// Writes what it points to, each element in one step.
    ///
    /// Behind the value may stand an `Ordering` and a `Scope`.
    ///
    /// # Safety
    ///
    /// It points to an element.
    pub unsafe fn atomic_store(self, value: impl Value<T>) {
        only_in_kernels()
    }

    /// Writes what it points to where the mask holds, each element in one step.
    ///
    /// Behind the mask may stand an `Ordering` and a `Scope`.
    ///
    /// # Safety
    ///
    /// Where the mask holds, it points to an element.
    pub unsafe fn atomic_store_masked(self, value: impl Value<T>, mask: impl Value<bool>) {
        only_in_kernels()
    }
}

macro_rules! atomics {
    ($($(#[$doc:meta])+ $name:ident $masked:ident)+) => {
        impl<T: Element, const RANK: usize> Pointer<T, RANK>
        where
            Self: Pointee,
        { $(
            $(#[$doc])+
            ///
            /// The result is what was there before. Behind the operand may stand an `Ordering` and a
            /// `Scope`.
            ///
            /// # Safety
            ///
            /// It points to an element.
            pub unsafe fn $name(self, value: impl Value<T>) -> <Self as Pointee>::Value {
                only_in_kernels()
            }

            $(#[$doc])+
            ///
            /// Only where the mask holds; the result is zero elsewhere. Behind the mask may stand an
            /// `Ordering` and a `Scope`.
            ///
            /// # Safety
            ///
            /// Where the mask holds, it points to an element.
            pub unsafe fn $masked(
                self,
                value: impl Value<T>,
                mask: impl Value<bool>,
            ) -> <Self as Pointee>::Value {
                only_in_kernels()
            }
        )+ }
    };
}
atomics! {
    /// Adds to what it points to, each element in one step.
    atomic_add atomic_add_masked
    /// Raises what it points to to the greater, each element in one step.
    atomic_max atomic_max_masked
    /// Lowers what it points to to the lesser, each element in one step.
    atomic_min atomic_min_masked
    /// What it points to `&` the value, each element in one step.
    atomic_and atomic_and_masked
    /// What it points to `|` the value, each element in one step.
    atomic_or atomic_or_masked
    /// What it points to `^` the value, each element in one step.
    atomic_xor atomic_xor_masked
    /// Exchanges what it points to, each element in one step.
    atomic_xchg atomic_xchg_masked
}

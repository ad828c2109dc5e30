//! Raw pointers and tiles of them.
//!
//! The copy of a kernel has `Pointer<T, 0>` where the author wrote `*const T` or `*mut T`, since
//! Rust gives raw pointers other methods.

use std::marker::PhantomData;

use super::{Element, Integer, Tile, Value, only_in_kernels};

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

impl<T: Element> Pointer<T, 0> {
    /// Returns the address in bytes.
    pub fn addr(self) -> usize {
        only_in_kernels()
    }
}

impl<T: Element, const RANK: usize> Pointer<T, RANK>
where
    Self: Pointee,
{
    /// Adds an offset in elements; a tile of offsets gives a tile of pointers.
    ///
    /// # Safety
    ///
    /// The results must be within the allocation of the pointer.
    pub unsafe fn offset<D: Distance<RANK>>(self, distance: D) -> D::Pointers<T> {
        only_in_kernels()
    }

    /// Loads the target elements.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn load(self) -> <Self as Pointee>::Value {
        only_in_kernels()
    }

    /// Loads the target elements; the result is `other` where the mask does not hold.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn load_masked(
        self,
        mask: impl Value<bool>,
        other: impl Value<T>,
    ) -> <Self as Pointee>::Value {
        only_in_kernels()
    }

    /// Stores to the target elements.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element that nothing else uses.
    pub unsafe fn store(self, value: impl Value<T>) {
        only_in_kernels()
    }

    /// Stores to the target elements where the mask holds.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element that nothing else uses.
    pub unsafe fn store_masked(self, value: impl Value<T>, mask: impl Value<bool>) {
        only_in_kernels()
    }

    /// Atomically replaces elements that equal `expected` with `new`.
    ///
    /// Returns the previous values. An `Ordering` and a `Scope` may follow the operands.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn atomic_cas(
        self,
        expected: impl Value<T>,
        new: impl Value<T>,
    ) -> <Self as Pointee>::Value {
        only_in_kernels()
    }

    /// Atomically replaces elements that equal `expected` with `new`, where the mask holds.
    ///
    /// Returns the previous values, and zero where the mask does not hold. An `Ordering` and a
    /// `Scope` may follow the mask.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn atomic_cas_masked(
        self,
        expected: impl Value<T>,
        new: impl Value<T>,
        mask: impl Value<bool>,
    ) -> <Self as Pointee>::Value {
        only_in_kernels()
    }

    /// Atomically loads the target elements.
    ///
    /// An `Ordering` and a `Scope` may be arguments.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn atomic_load(self) -> <Self as Pointee>::Value {
        only_in_kernels()
    }

    /// Atomically loads the target elements where the mask holds; the result is zero elsewhere.
    ///
    /// An `Ordering` and a `Scope` may follow the mask.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    pub unsafe fn atomic_load_masked(self, mask: impl Value<bool>) -> <Self as Pointee>::Value {
        only_in_kernels()
    }

    /// Atomically stores to the target elements.
    ///
    /// An `Ordering` and a `Scope` may follow the value.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    pub unsafe fn atomic_store(self, value: impl Value<T>) {
        only_in_kernels()
    }

    /// Atomically stores to the target elements where the mask holds.
    ///
    /// An `Ordering` and a `Scope` may follow the mask.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
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
            /// Returns the previous values. An `Ordering` and a `Scope` may follow the operand.
            ///
            /// # Safety
            ///
            /// Every pointer must point to an element.
            pub unsafe fn $name(self, value: impl Value<T>) -> <Self as Pointee>::Value {
                only_in_kernels()
            }

            $(#[$doc])+
            ///
            /// Accesses only elements where the mask holds; the result is zero elsewhere. An
            /// `Ordering` and a `Scope` may follow the mask.
            ///
            /// # Safety
            ///
            /// Every pointer whose mask holds must point to an element.
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
    /// Atomically adds to the target elements.
    atomic_add atomic_add_masked
    /// Atomically computes the maximum with the target elements.
    atomic_max atomic_max_masked
    /// Atomically computes the minimum with the target elements.
    atomic_min atomic_min_masked
    /// Atomically computes `&` with the target elements.
    atomic_and atomic_and_masked
    /// Atomically computes `|` with the target elements.
    atomic_or atomic_or_masked
    /// Atomically computes `^` with the target elements.
    atomic_xor atomic_xor_masked
    /// Atomically exchanges the target elements.
    atomic_xchg atomic_xchg_masked
}

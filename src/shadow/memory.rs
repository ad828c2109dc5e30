//! Tensors, partitions and views.

use std::marker::PhantomData;

use super::{Drawn, Element, Indices, Integer, Pointer, Tile, TileIndex, Value, only_in_kernels};

/// A tensor: an array of any shape in device memory.
///
/// A kernel reads it through `&Tensor`, and reads and writes it through `&mut Tensor`.
pub struct Tensor<T, const RANK: usize>(PhantomData<T>);

/// A tensor divided into tiles of one shape.
pub struct Partition<T, const RANK: usize>(PhantomData<T>);

impl<T, const RANK: usize> Clone for Partition<T, RANK> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const RANK: usize> Copy for Partition<T, RANK> {}

/// A tensor whose tiles are gathered along one axis.
pub struct GatherView<T, const RANK: usize>(PhantomData<T>);

impl<T, const RANK: usize> Clone for GatherView<T, RANK> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T, const RANK: usize> Copy for GatherView<T, RANK> {}

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

/// The value that a load returns for elements out of bounds: a [`Padding`], or a number.
pub trait Beyond<T> {}
impl<T: Element> Beyond<T> for T {}
impl<T: Element> Beyond<T> for Padding {}
impl Beyond<super::f16> for f64 {}
impl Beyond<super::bf16> for f64 {}

/// The memory ordering of an atomic operation or a fence, with respect to accesses of all tensors.
#[derive(Clone, Copy, Debug)]
pub enum Ordering {
    /// No ordering.
    Relaxed,
    /// Later accesses happen after the operation, and see the accesses before the release whose
    /// value it reads.
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

impl<T: Element, const RANK: usize> Tensor<T, RANK> {
    /// Loads the tile at tile index `index`; elements out of bounds are zero.
    pub fn load(&self, index: impl TileIndex<RANK>, shape: [impl Integer; RANK]) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Loads the tile at tile index `index`, with another padding out of bounds.
    pub fn load_padded(
        &self,
        index: impl TileIndex<RANK>,
        shape: [impl Integer; RANK],
        padding: impl Beyond<T>,
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Loads the tile that begins at element index `start`, which may be negative; elements out of
    /// bounds are zero.
    pub fn load_at(
        &self,
        start: impl TileIndex<RANK>,
        shape: [impl Integer; RANK],
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Loads the tile that begins at element index `start`, with another padding out of bounds.
    pub fn load_at_padded(
        &self,
        start: impl TileIndex<RANK>,
        shape: [impl Integer; RANK],
        padding: impl Beyond<T>,
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Stores a tile at tile index `index`; elements out of bounds are dropped.
    pub fn store(&mut self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) {
        only_in_kernels()
    }

    /// Divides the tensor into tiles of `shape`.
    pub fn partition(&self, shape: [impl Integer; RANK]) -> Partition<T, RANK> {
        only_in_kernels()
    }

    /// Divides the tensor into tiles of `shape` whose first elements are `steps` apart: they
    /// overlap, or skip elements.
    pub fn strided(
        &self,
        shape: [impl Integer; RANK],
        steps: [impl Integer; RANK],
    ) -> Partition<T, RANK> {
        only_in_kernels()
    }

    /// Returns a gather view: a tile of indices selects the elements along `axis`, and the other
    /// axes are contiguous.
    pub fn gather_view(
        &self,
        axis: impl Integer,
        shape: [impl Integer; RANK],
    ) -> GatherView<T, RANK> {
        only_in_kernels()
    }

    /// Returns the extent of an axis.
    pub fn dim(&self, axis: usize) -> i32 {
        only_in_kernels()
    }

    /// Returns the stride of an axis, in elements.
    pub fn stride(&self, axis: usize) -> i64 {
        only_in_kernels()
    }

    /// Loads one element; the result is zero if it is out of bounds.
    pub fn at(&self, index: impl TileIndex<RANK>) -> T {
        only_in_kernels()
    }

    /// Loads the elements at indices that tiles contain; elements out of bounds are zero.
    pub fn gather<X: Indices<RANK>>(&self, index: X) -> <X::Out as Drawn>::Of<T> {
        only_in_kernels()
    }

    /// Loads the elements at indices that tiles contain; elements out of bounds are `padding`.
    pub fn gather_padded<X: Indices<RANK>>(
        &self,
        index: X,
        padding: impl Beyond<T>,
    ) -> <X::Out as Drawn>::Of<T> {
        only_in_kernels()
    }

    /// Stores elements at indices that tiles contain; those out of bounds are dropped.
    ///
    /// # Safety
    ///
    /// No two elements that the launch stores may be the same.
    pub unsafe fn scatter(&mut self, index: impl Indices<RANK>, tile: impl Value<T>) {
        only_in_kernels()
    }

    /// Returns a pointer to the first element.
    pub fn as_ptr(&self) -> Pointer<T, 0> {
        only_in_kernels()
    }

    /// Returns a pointer to the first element.
    pub fn as_mut_ptr(&mut self) -> Pointer<T, 0> {
        only_in_kernels()
    }
}

macro_rules! atomics {
    ($($(#[$doc:meta])+ $name:ident $masked:ident)+) => {
        impl<T: Element, const RANK: usize> Tensor<T, RANK> { $(
            $(#[$doc])+
            ///
            /// The indices are integers or tiles of integers; elements out of bounds are dropped.
            /// Returns the previous values. An `Ordering` and a `Scope` may follow the operands.
            pub fn $name<X: Indices<RANK>>(
                &mut self,
                index: X,
                tile: impl Value<T>,
            ) -> <X::Out as Drawn>::Of<T> {
                only_in_kernels()
            }

            $(#[$doc])+
            ///
            /// Accesses only elements where the mask holds; the result is zero elsewhere. The
            /// indices are integers or tiles of integers; elements out of bounds are dropped. An
            /// `Ordering` and a `Scope` may follow the operands.
            pub fn $masked<X: Indices<RANK>>(
                &mut self,
                index: X,
                tile: impl Value<T>,
                mask: impl Value<bool>,
            ) -> <X::Out as Drawn>::Of<T> {
                only_in_kernels()
            }
        )+ }
    };
}
atomics! {
    /// Atomically adds to elements.
    atomic_add atomic_add_masked
    /// Atomically computes the maximum with elements.
    atomic_max atomic_max_masked
    /// Atomically computes the minimum with elements.
    atomic_min atomic_min_masked
    /// Atomically computes `&` with elements.
    atomic_and atomic_and_masked
    /// Atomically computes `|` with elements.
    atomic_or atomic_or_masked
    /// Atomically computes `^` with elements.
    atomic_xor atomic_xor_masked
    /// Atomically exchanges elements.
    atomic_xchg atomic_xchg_masked
}

impl<T: Element, const RANK: usize> Tensor<T, RANK> {
    /// Atomically replaces elements that equal `expected` with `new`.
    ///
    /// The indices are integers or tiles of integers; elements out of bounds are dropped. Returns
    /// the previous values. An `Ordering` and a `Scope` may follow the operands.
    pub fn atomic_cas<X: Indices<RANK>>(
        &mut self,
        index: X,
        expected: impl Value<T>,
        new: impl Value<T>,
    ) -> <X::Out as Drawn>::Of<T> {
        only_in_kernels()
    }

    /// Atomically replaces elements that equal `expected` with `new`, where the mask holds.
    ///
    /// Returns the previous values, and zero where the mask does not hold. The indices are integers
    /// or tiles of integers; elements out of bounds are dropped. An `Ordering` and a `Scope` may
    /// follow the operands.
    pub fn atomic_cas_masked<X: Indices<RANK>>(
        &mut self,
        index: X,
        expected: impl Value<T>,
        new: impl Value<T>,
        mask: impl Value<bool>,
    ) -> <X::Out as Drawn>::Of<T> {
        only_in_kernels()
    }

    /// Atomically loads elements; those out of bounds are zero.
    ///
    /// The indices are integers or tiles of integers. An `Ordering` and a `Scope` may follow them.
    pub fn atomic_load<X: Indices<RANK>>(&self, index: X) -> <X::Out as Drawn>::Of<T> {
        only_in_kernels()
    }

    /// Atomically loads elements where the mask holds; elsewhere and out of bounds the result is
    /// zero.
    ///
    /// The indices are integers or tiles of integers. An `Ordering` and a `Scope` may follow the
    /// mask.
    pub fn atomic_load_masked<X: Indices<RANK>>(
        &self,
        index: X,
        mask: impl Value<bool>,
    ) -> <X::Out as Drawn>::Of<T> {
        only_in_kernels()
    }

    /// Atomically stores elements; those out of bounds are dropped.
    ///
    /// The indices are integers or tiles of integers. An `Ordering` and a `Scope` may follow the
    /// tile.
    pub fn atomic_store(&mut self, index: impl Indices<RANK>, tile: impl Value<T>) {
        only_in_kernels()
    }

    /// Atomically stores elements where the mask holds; those out of bounds are dropped.
    ///
    /// The indices are integers or tiles of integers. An `Ordering` and a `Scope` may follow the
    /// mask.
    pub fn atomic_store_masked(
        &mut self,
        index: impl Indices<RANK>,
        tile: impl Value<T>,
        mask: impl Value<bool>,
    ) {
        only_in_kernels()
    }
}

macro_rules! atomic_tiles {
    ($($(#[$doc:meta])+ $name:ident)+) => {
        impl<T: Element, const RANK: usize> Partition<T, RANK> { $(
            $(#[$doc])+
            ///
            /// Elements out of bounds are dropped. An `Ordering` and a `Scope` may follow the
            /// operands.
            pub fn $name(&self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) {
                only_in_kernels()
            }
        )+ }
    };
}
atomic_tiles! {
    /// Atomically adds to each element of the tile at tile index `index`.
    atomic_add
    /// Atomically computes the maximum with each element of the tile at tile index `index`.
    atomic_max
    /// Atomically computes the minimum with each element of the tile at tile index `index`.
    atomic_min
    /// Atomically computes `&` with each element of the tile at tile index `index`.
    atomic_and
    /// Atomically computes `|` with each element of the tile at tile index `index`.
    atomic_or
    /// Atomically computes `^` with each element of the tile at tile index `index`.
    atomic_xor
}

impl<T: Element, const RANK: usize> Partition<T, RANK> {
    /// Returns the same partition with another padding out of bounds.
    #[must_use]
    pub fn with_padding(self, padding: impl Beyond<T>) -> Partition<T, RANK> {
        only_in_kernels()
    }

    /// Returns the same partition with its axes in another order.
    #[must_use]
    pub fn with_order(self, axes: [impl Integer; RANK]) -> Partition<T, RANK> {
        only_in_kernels()
    }

    /// Loads the tile at tile index `index`.
    pub fn load(&self, index: impl TileIndex<RANK>) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Stores the tile at tile index `index`; elements out of bounds are dropped.
    pub fn store(&self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) {
        only_in_kernels()
    }

    /// Returns the number of tiles along an axis, rounded up.
    pub fn num_tiles(&self, axis: usize) -> i32 {
        only_in_kernels()
    }
}

impl<T: Element, const RANK: usize> GatherView<T, RANK> {
    /// Returns the same view with another padding out of bounds.
    #[must_use]
    pub fn with_padding(self, padding: impl Beyond<T>) -> GatherView<T, RANK> {
        only_in_kernels()
    }

    /// Loads the tile at element indices: a tile of indices along the gathered axis, and one
    /// integer along each of the others.
    pub fn load(&self, index: impl Indices<RANK>) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Stores the tile at element indices; elements out of bounds are dropped.
    ///
    /// # Safety
    ///
    /// No two elements that the launch stores may be the same.
    pub unsafe fn store(&self, index: impl Indices<RANK>, tile: Tile<T, RANK>) {
        only_in_kernels()
    }
}

//! Tensors, partitions and views.

use std::marker::PhantomData;

use super::{Drawn, Element, Indices, Integer, Pointer, Tile, TileIndex, Value, only_in_kernels};

/// A tensor: an array in the memory of the device, of any shape.
///
/// A kernel reads it through `&Tensor`, and reads and writes it through `&mut Tensor`.
pub struct Tensor<T, const RANK: usize>(PhantomData<T>);

/// A tensor cut into tiles of one shape.
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

/// What a load reads beyond the edge of a tensor.
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

/// What a load reads beyond the edge: a [`Padding`], or a number.
pub trait Beyond<T> {}
impl<T: Element> Beyond<T> for T {}
impl<T: Element> Beyond<T> for Padding {}
impl Beyond<super::f16> for f64 {}
impl Beyond<super::bf16> for f64 {}

/// How an atomic operation or a fence orders the accesses around it, in whatever tensor.
#[derive(Clone, Copy, Debug)]
pub enum Ordering {
    /// Not at all.
    Relaxed,
    /// What follows comes after it, and sees what came before the release that it reads.
    Acquire,
    /// What went before comes before it.
    Release,
    /// Both.
    AcqRel,
    /// Both, and all blocks see these operations in one order.
    SeqCst,
}

/// Who sees an atomic operation as one step.
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
    /// The tile at tile index `index`; beyond the edge: zero.
    pub fn load(&self, index: impl TileIndex<RANK>, shape: [impl Integer; RANK]) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// The tile at tile index `index`, with another padding beyond the edge.
    pub fn load_padded(
        &self,
        index: impl TileIndex<RANK>,
        shape: [impl Integer; RANK],
        padding: impl Beyond<T>,
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// The tile that begins at element index `start`, which may be negative; outside: zero.
    pub fn load_at(
        &self,
        start: impl TileIndex<RANK>,
        shape: [impl Integer; RANK],
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// The tile that begins at element index `start`, with another padding outside.
    pub fn load_at_padded(
        &self,
        start: impl TileIndex<RANK>,
        shape: [impl Integer; RANK],
        padding: impl Beyond<T>,
    ) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Writes a tile at tile index `index`; what lies beyond the edge is dropped.
    pub fn store(&mut self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) {
        only_in_kernels()
    }

    /// The tensor cut into tiles of `shape`.
    pub fn partition(&self, shape: [impl Integer; RANK]) -> Partition<T, RANK> {
        only_in_kernels()
    }

    /// Tiles of `shape` whose first elements lie `steps` apart: they overlap, or leave out elements.
    pub fn strided(
        &self,
        shape: [impl Integer; RANK],
        steps: [impl Integer; RANK],
    ) -> Partition<T, RANK> {
        only_in_kernels()
    }

    /// A gather view: along `axis` wherever a tile of indices says, along the others side by side.
    pub fn gather_view(
        &self,
        axis: impl Integer,
        shape: [impl Integer; RANK],
    ) -> GatherView<T, RANK> {
        only_in_kernels()
    }

    /// The extent of an axis.
    pub fn dim(&self, axis: usize) -> i32 {
        only_in_kernels()
    }

    /// How many elements apart neighbours along an axis lie in memory.
    pub fn stride(&self, axis: usize) -> i64 {
        only_in_kernels()
    }

    /// One element; beyond the edge: zero.
    pub fn at(&self, index: impl TileIndex<RANK>) -> T {
        only_in_kernels()
    }

    /// The elements at indices that tiles hold; out of range: zero.
    pub fn gather<X: Indices<RANK>>(&self, index: X) -> <X::Out as Drawn>::Of<T> {
        only_in_kernels()
    }

    /// The elements at indices that tiles hold; out of range: `padding`.
    pub fn gather_padded<X: Indices<RANK>>(
        &self,
        index: X,
        padding: impl Beyond<T>,
    ) -> <X::Out as Drawn>::Of<T> {
        only_in_kernels()
    }

    /// Writes elements at indices that tiles hold; those out of range are dropped.
    ///
    /// # Safety
    ///
    /// No two of the launch may be one element.
    pub unsafe fn scatter(&mut self, index: impl Indices<RANK>, tile: impl Value<T>) {
        only_in_kernels()
    }

    /// Where the first element is.
    pub fn as_ptr(&self) -> Pointer<T, 0> {
        only_in_kernels()
    }

    /// Where the first element is.
    pub fn as_mut_ptr(&mut self) -> Pointer<T, 0> {
        only_in_kernels()
    }
}

macro_rules! atomics {
    ($($(#[$doc:meta])+ $name:ident $masked:ident)+) => {
        impl<T: Element, const RANK: usize> Tensor<T, RANK> { $(
            $(#[$doc])+
            ///
            /// The indices are integers or tiles of them; those out of range are dropped. The result is
            /// what was there before. Behind the operands may stand an `Ordering` and a `Scope`.
            pub fn $name<X: Indices<RANK>>(
                &mut self,
                index: X,
                tile: impl Value<T>,
            ) -> <X::Out as Drawn>::Of<T> {
                only_in_kernels()
            }

            $(#[$doc])+
            ///
            /// Only where the mask holds; the result is zero elsewhere. The indices are integers or
            /// tiles of them; those out of range are dropped. Behind the operands may stand an
            /// `Ordering` and a `Scope`.
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
    /// Adds to elements, each in one step.
    atomic_add atomic_add_masked
    /// Raises elements to the greater, each in one step.
    atomic_max atomic_max_masked
    /// Lowers elements to the lesser, each in one step.
    atomic_min atomic_min_masked
    /// Elements `&` the tile, each in one step.
    atomic_and atomic_and_masked
    /// Elements `|` the tile, each in one step.
    atomic_or atomic_or_masked
    /// Elements `^` the tile, each in one step.
    atomic_xor atomic_xor_masked
    /// Exchanges elements, each in one step.
    atomic_xchg atomic_xchg_masked
}

impl<T: Element, const RANK: usize> Tensor<T, RANK> {
    /// Where an element is `expected`, it becomes `new`, each in one step.
    ///
    /// The indices are integers or tiles of them; those out of range are dropped. The result is what was there before.
    /// Behind the operands may stand an `Ordering` and a `Scope`.
    pub fn atomic_cas<X: Indices<RANK>>(
        &mut self,
        index: X,
        expected: impl Value<T>,
        new: impl Value<T>,
    ) -> <X::Out as Drawn>::Of<T> {
        only_in_kernels()
    }

    /// Where an element is `expected` and the mask holds, it becomes `new`, each in one step.
    ///
    /// The result is what was there before, and zero where the mask does not hold. The indices are
    /// integers or tiles of them; those out of range are dropped. Behind the operands may stand an
    /// `Ordering` and a `Scope`.
    pub fn atomic_cas_masked<X: Indices<RANK>>(
        &mut self,
        index: X,
        expected: impl Value<T>,
        new: impl Value<T>,
        mask: impl Value<bool>,
    ) -> <X::Out as Drawn>::Of<T> {
        only_in_kernels()
    }

    /// Reads elements, each in one step; out of range: zero.
    ///
    /// The indices are integers or tiles of them. Behind them may stand an `Ordering` and a `Scope`.
    pub fn atomic_load<X: Indices<RANK>>(&self, index: X) -> <X::Out as Drawn>::Of<T> {
        only_in_kernels()
    }

    /// Reads elements where the mask holds, each in one step; elsewhere and out of range: zero.
    ///
    /// The indices are integers or tiles of them. Behind the mask may stand an `Ordering` and a
    /// `Scope`.
    pub fn atomic_load_masked<X: Indices<RANK>>(
        &self,
        index: X,
        mask: impl Value<bool>,
    ) -> <X::Out as Drawn>::Of<T> {
        only_in_kernels()
    }

    /// Writes elements, each in one step; out of range they are dropped.
    ///
    /// The indices are integers or tiles of them. Behind the tile may stand an `Ordering` and a
    /// `Scope`.
    pub fn atomic_store(&mut self, index: impl Indices<RANK>, tile: impl Value<T>) {
        only_in_kernels()
    }

    /// Writes elements where the mask holds, each in one step; out of range they are dropped.
    ///
    /// The indices are integers or tiles of them. Behind the mask may stand an `Ordering` and a
    /// `Scope`.
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
            /// What lies beyond the edge is dropped. Behind the operands may stand an `Ordering` and a `Scope`.
            pub fn $name(&self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) {
                only_in_kernels()
            }
        )+ }
    };
}
atomic_tiles! {
    /// Adds to the tile at tile index `index`, each element in one step.
    atomic_add
    /// Raises the tile at tile index `index` to the greater, each element in one step.
    atomic_max
    /// Lowers the tile at tile index `index` to the lesser, each element in one step.
    atomic_min
    /// The tile at tile index `index` `&` another, each element in one step.
    atomic_and
    /// The tile at tile index `index` `|` another, each element in one step.
    atomic_or
    /// The tile at tile index `index` `^` another, each element in one step.
    atomic_xor
}

impl<T: Element, const RANK: usize> Partition<T, RANK> {
    /// The same partition with another padding beyond the edge.
    #[must_use]
    pub fn with_padding(self, padding: impl Beyond<T>) -> Partition<T, RANK> {
        only_in_kernels()
    }

    /// The same partition with its axes in another order.
    #[must_use]
    pub fn with_order(self, axes: [impl Integer; RANK]) -> Partition<T, RANK> {
        only_in_kernels()
    }

    /// The tile at tile index `index`.
    pub fn load(&self, index: impl TileIndex<RANK>) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Writes the tile at tile index `index`; what lies beyond the edge is dropped.
    pub fn store(&self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>) {
        only_in_kernels()
    }

    /// The number of tiles along an axis, rounded up.
    pub fn num_tiles(&self, axis: usize) -> i32 {
        only_in_kernels()
    }
}

impl<T: Element, const RANK: usize> GatherView<T, RANK> {
    /// The same view with another padding beyond the edge.
    #[must_use]
    pub fn with_padding(self, padding: impl Beyond<T>) -> GatherView<T, RANK> {
        only_in_kernels()
    }

    /// The tile at element indices: a tile of them along the gathered axis, one integer along the
    /// others.
    pub fn load(&self, index: impl Indices<RANK>) -> Tile<T, RANK> {
        only_in_kernels()
    }

    /// Writes the tile at element indices; what lies beyond the edge is dropped.
    ///
    /// # Safety
    ///
    /// No two of the launch may be one element.
    pub unsafe fn store(&self, index: impl Indices<RANK>, tile: Tile<T, RANK>) {
        only_in_kernels()
    }
}

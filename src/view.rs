//! Views of tensors: other shapes and strides for the same memory.
//!
//! A view keeps the memory alive and can be passed wherever a tensor can. Only [`Tensor::contiguous`]
//! copies.

use std::ops::RangeBounds;
use std::sync::Arc;

use crate::layout::Layout;
use crate::{Element, Result, Tensor};

/// A tensor with an axis that can be left out: one of 2 to 8 axes.
#[diagnostic::on_unimplemented(
    message = "a tensor of one axis keeps it",
    note = "use `narrow` for a view of one element"
)]
pub trait RemoveAxis: sealed::Sealed {
    /// A tensor with one axis less.
    type Smaller;

    #[doc(hidden)]
    fn selected(&self, axis: usize, index: usize) -> Result<Self::Smaller>;

    #[doc(hidden)]
    fn squeezed(&self, axis: usize) -> Result<Self::Smaller>;
}

/// A tensor to which an axis can be added: one of 1 to 7 axes.
#[diagnostic::on_unimplemented(message = "a tensor has at most 8 axes")]
pub trait InsertAxis: sealed::Sealed {
    /// A tensor with one axis more.
    type Larger;

    #[doc(hidden)]
    fn unsqueezed(&self, axis: usize) -> Result<Self::Larger>;
}

mod sealed {
    pub trait Sealed {}
    impl<T: crate::Element, const R: usize> Sealed for crate::Tensor<T, R> {}
}

macro_rules! neighbours {
    ($($smaller:literal < $larger:literal),+) => { $(
        impl<T: Element> RemoveAxis for Tensor<T, $larger> {
            type Smaller = Tensor<T, $smaller>;

            fn selected(&self, axis: usize, index: usize) -> Result<Self::Smaller> {
                Ok(self.view(self.layout.select(axis, index)?))
            }

            fn squeezed(&self, axis: usize) -> Result<Self::Smaller> {
                Ok(self.view(self.layout.squeeze(axis)?))
            }
        }

        impl<T: Element> InsertAxis for Tensor<T, $smaller> {
            type Larger = Tensor<T, $larger>;

            fn unsqueezed(&self, axis: usize) -> Result<Self::Larger> {
                Ok(self.view(self.layout.unsqueeze(axis)?))
            }
        }
    )+ };
}
neighbours!(1 < 2, 2 < 3, 3 < 4, 4 < 5, 5 < 6, 6 < 7, 7 < 8);

impl<T: Element, const R: usize> Tensor<T, R> {
    pub(crate) fn view<const R2: usize>(&self, layout: Layout<R2>) -> Tensor<T, R2> {
        Tensor::from_storage(Arc::clone(&self.storage), layout)
    }

    /// Returns a view of the same elements, in row-major order of the indices, with another shape.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let rows = Tensor::from_slice(&Device::cpu(), &[1, 2, 3, 4, 5, 6, 7, 8], [2, 4])?;
    /// let halves = rows.narrow(1, 0..2)?.reshape([2, 2, 1])?; // of rows that are not adjacent
    /// assert_eq!(halves.to_vec()?, [1, 2, 5, 6]);
    /// assert!(rows.t().reshape([8]).is_err()); // their order in memory differs
    /// assert_eq!(rows.t().contiguous()?.reshape([8])?.to_vec()?, [1, 5, 2, 6, 3, 7, 4, 8]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ReshapeLength`](crate::Error::ReshapeLength) if the number of elements differs,
    /// [`NotContiguous`](crate::Error::NotContiguous) if no strides describe the view.
    pub fn reshape<const R2: usize>(&self, shape: [usize; R2]) -> Result<Tensor<T, R2>> {
        Ok(self.view(self.layout.reshape(shape, size_of::<T>())?))
    }

    /// Returns a view of all elements along one axis.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let rows = Tensor::from_slice(&Device::cpu(), &[1, 2, 3, 4], [2, 2])?;
    /// assert_eq!(rows.flatten()?.shape(), [4]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotContiguous`](crate::Error::NotContiguous) if no stride describes the view.
    pub fn flatten(&self) -> Result<Tensor<T, 1>> {
        self.reshape([self.len()])
    }

    /// Returns a view whose axis `i` is axis `axes[i]` of this tensor.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let images = Tensor::<f32, 3>::zeros(&Device::cpu(), [3, 480, 640])?;
    /// assert_eq!(images.permute([1, 2, 0])?.shape(), [480, 640, 3]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotAPermutation`](crate::Error::NotAPermutation) unless every axis is named once.
    pub fn permute(&self, axes: [usize; R]) -> Result<Self> {
        Ok(self.view(self.layout.permute(axes)?))
    }

    /// Returns a view in which two axes are exchanged.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let heads = Tensor::<f32, 4>::zeros(&Device::cpu(), [2, 8, 100, 64])?;
    /// assert_eq!(heads.transpose(1, 2)?.shape(), [2, 100, 8, 64]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchAxis`](crate::Error::NoSuchAxis) for an axis beyond the last one.
    pub fn transpose(&self, first: usize, second: usize) -> Result<Self> {
        Ok(self.view(self.layout.transpose(first, second)?))
    }

    /// Returns a view of a range of one axis.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let row = Tensor::from_slice(&Device::cpu(), &[1, 2, 3, 4], [4])?;
    /// assert_eq!(row.narrow(0, 2..)?.to_vec()?, [3, 4]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`](crate::Error::OutOfRange) if the range is out of bounds,
    /// [`NoSuchAxis`](crate::Error::NoSuchAxis) for an axis beyond the last one.
    pub fn narrow(&self, axis: usize, range: impl RangeBounds<usize>) -> Result<Self> {
        Ok(self.view(self.layout.narrow(axis, range)?))
    }

    /// Returns a view of every `step`-th index of a range of one axis, from the start of the range
    /// on.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let row = Tensor::from_slice(&Device::cpu(), &[0, 1, 2, 3, 4, 5, 6], [7])?;
    /// assert_eq!(row.slice(0, .., 2)?.to_vec()?, [0, 2, 4, 6]);
    /// assert_eq!(row.slice(0, 1..6, 3)?.to_vec()?, [1, 4]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`](crate::Error::OutOfRange) if the range is out of bounds,
    /// [`StepNotPositive`](crate::Error::StepNotPositive) for a step below 1, since strides are not
    /// negative, [`NoSuchAxis`](crate::Error::NoSuchAxis) for an axis beyond the last one.
    pub fn slice(&self, axis: usize, range: impl RangeBounds<usize>, step: isize) -> Result<Self> {
        Ok(self.view(self.layout.slice(axis, range, step)?))
    }

    /// Returns a view of one index of an axis, without this axis.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let rows = Tensor::from_slice(&Device::cpu(), &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(rows.select(0, 1)?.to_vec()?, [4, 5, 6]);
    /// assert_eq!(rows.select(1, 0)?.to_vec()?, [1, 4]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`OutOfRange`](crate::Error::OutOfRange) for an index beyond the axis,
    /// [`NoSuchAxis`](crate::Error::NoSuchAxis) for an axis beyond the last one.
    pub fn select(&self, axis: usize, index: usize) -> Result<<Self as RemoveAxis>::Smaller>
    where
        Self: RemoveAxis,
    {
        self.selected(axis, index)
    }

    /// Returns a view without an axis of one element.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let column = Tensor::from_slice(&Device::cpu(), &[1, 2, 3], [3, 1])?;
    /// assert_eq!(column.squeeze(1)?.shape(), [3]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotOneElement`](crate::Error::NotOneElement) if the axis has more elements or none,
    /// [`NoSuchAxis`](crate::Error::NoSuchAxis) for an axis beyond the last one.
    pub fn squeeze(&self, axis: usize) -> Result<<Self as RemoveAxis>::Smaller>
    where
        Self: RemoveAxis,
    {
        self.squeezed(axis)
    }

    /// Returns a view with another axis, of one element, which becomes axis `axis`.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let row = Tensor::from_slice(&Device::cpu(), &[1, 2, 3], [3])?;
    /// assert_eq!(row.unsqueeze(0)?.shape(), [1, 3]);
    /// assert_eq!(row.unsqueeze(1)?.shape(), [3, 1]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchAxis`](crate::Error::NoSuchAxis) if `axis` is larger than the number of axes.
    pub fn unsqueeze(&self, axis: usize) -> Result<<Self as InsertAxis>::Larger>
    where
        Self: InsertAxis,
    {
        self.unsqueezed(axis)
    }

    /// Returns a view with a larger shape, in which axes of one element, and new first axes, repeat
    /// their elements.
    ///
    /// A repeated axis has the stride 0, so the view can only be read.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let bias = Tensor::from_slice(&Device::cpu(), &[1, 2], [2])?;
    /// let mut rows = bias.broadcast_to([3, 2])?;
    /// assert_eq!(rows.to_vec()?, [1, 2, 1, 2, 1, 2]);
    /// assert!(rows.fill(0).is_err());
    /// rows.copy()?.fill(0)?;
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NotBroadcastable`](crate::Error::NotBroadcastable) if an axis has neither 1 nor the new
    /// number of elements, [`ShapeTooLarge`](crate::Error::ShapeTooLarge) if a copy of the view would
    /// not fit into memory.
    pub fn broadcast_to<const R2: usize>(&self, shape: [usize; R2]) -> Result<Tensor<T, R2>> {
        Ok(self.view(self.layout.broadcast(shape, size_of::<T>())?))
    }

    /// Returns a view of the memory with any shape and strides: index `[i, j]` is element
    /// `offset + i * strides[0] + j * strides[1]` of the memory that this tensor shares with its
    /// views.
    ///
    /// As in `PyTorch`, `offset` counts from the start of that memory; [`offset`](Self::offset) returns
    /// that of a tensor. Two indices may be the same element; the view can then only be read.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let signal = Tensor::from_slice(&Device::cpu(), &[1, 2, 3, 4, 5], [5])?;
    /// let windows = signal.as_strided([3, 3], [1, 1], 0)?;
    /// assert_eq!(windows.to_vec()?, [1, 2, 3, 2, 3, 4, 3, 4, 5]);
    /// let diagonal = signal.as_strided([2], [3], 1)?;
    /// assert_eq!(diagonal.to_vec()?, [2, 5]);
    /// assert!(signal.as_strided([3], [3], 0).is_err()); // element 6
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`StridesOutOfBounds`](crate::Error::StridesOutOfBounds) if the memory ends before the last
    /// element.
    pub fn as_strided<const R2: usize>(
        &self,
        shape: [usize; R2],
        strides: [usize; R2],
        offset: usize,
    ) -> Result<Tensor<T, R2>> {
        self.storage.check_between()?;
        let len = self.storage.bytes() / size_of::<T>();
        let layout = Layout::strided(shape, strides, offset, len, size_of::<T>())?;
        Ok(self.view(layout))
    }

    /// Returns the elements in row-major order without gaps: a view if they are in this order, and a
    /// copy otherwise.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let rows = Tensor::from_slice(&Device::cpu(), &[1, 2, 3, 4], [2, 2])?;
    /// assert_eq!(rows.t().strides(), [1, 2]);
    /// assert_eq!(rows.t().contiguous()?.strides(), [2, 1]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    pub fn contiguous(&self) -> Result<Self> {
        if self.is_contiguous() {
            Ok(self.view(self.layout))
        } else {
            self.copy()
        }
    }
}

impl<T: Element> Tensor<T, 2> {
    /// Returns the transposed view.
    #[must_use]
    pub fn t(&self) -> Self {
        let transposed = self.layout.transpose(0, 1);
        self.view(transposed.expect("there are two axes"))
    }
}

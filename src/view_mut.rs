//! Parts of a tensor that have no element in common, for several `&mut` arguments.
//!
//! Parts differ in their indices along one axis. In a tensor in which no two indices are one
//! element, they therefore have none in common, and a launch accepts any of them together.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use crate::layout::Layout;
use crate::view::RemoveAxis;
use crate::{Element, Result, Tensor};

/// A view of a part of a tensor, which borrows the whole tensor, so that nothing else uses it.
///
/// It is a `Tensor` wherever one is expected: `kernel(&mut part)`.
#[derive(Debug)]
pub struct ViewMut<'a, V> {
    view: V,
    tensor: PhantomData<&'a mut ()>,
}

impl<V> ViewMut<'_, V> {
    fn new(view: V) -> Self {
        ViewMut {
            view,
            tensor: PhantomData,
        }
    }
}

impl<V> Deref for ViewMut<'_, V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.view
    }
}

impl<V> DerefMut for ViewMut<'_, V> {
    fn deref_mut(&mut self) -> &mut V {
        &mut self.view
    }
}

impl<T: Element, const R: usize> Tensor<T, R> {
    /// Returns the views before and from an index of one axis on.
    ///
    /// # Errors
    /// [`OutOfRange`](crate::Error::OutOfRange) for an index beyond the axis,
    /// [`NoSuchAxis`](crate::Error::NoSuchAxis) for an axis beyond the last one.
    pub fn split_at(&self, axis: usize, index: usize) -> Result<(Self, Self)> {
        let [before, after] = self.layout.split_at(axis, index)?;
        Ok((self.view(before), self.view(after)))
    }

    /// Returns the views before and from an index of one axis on, to be written by one launch or by
    /// two.
    ///
    /// ```
    /// use tile_kernel::prelude::*;
    ///
    /// #[tile_kernel(grid = x.tiles([4, 4]), arch("cpu"))]
    /// fn parts(x: &mut Tensor<i32, 2>, y: &mut Tensor<i32, 2>) {
    ///     x.store([block_id(0), block_id(1)], full([4, 4], 1));
    ///     y.store([block_id(0), block_id(1)], full([4, 4], 2));
    /// }
    ///
    /// # fn main() -> tile_kernel::Result<()> {
    /// let mut both = Tensor::zeros(&Device::cpu(), [2, 4])?;
    /// let (mut left, mut right) = both.split_at_mut(1, 2)?;
    /// parts(&mut left, &mut right).launch()?;
    /// assert_eq!(both.to_vec()?, [1, 1, 2, 2, 1, 1, 2, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`split_at`](Self::split_at), and [`ReadOnlyView`](crate::Error::ReadOnlyView) if several
    /// indices of the tensor are one element.
    pub fn split_at_mut(
        &mut self,
        axis: usize,
        index: usize,
    ) -> Result<(ViewMut<'_, Self>, ViewMut<'_, Self>)> {
        self.layout.check_writable()?;
        let (before, after) = self.split_at(axis, index)?;
        Ok((ViewMut::new(before), ViewMut::new(after)))
    }

    /// Returns the views of consecutive ranges of `len` indices of one axis; the last one may be
    /// shorter.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let row = Tensor::from_slice(&Device::cpu(), &[1, 2, 3, 4, 5], [5])?;
    /// let last = row.chunks(0, 2)?.last().expect("there are three");
    /// assert_eq!(last.to_vec()?, [5]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`EmptyChunks`](crate::Error::EmptyChunks) if `len` is 0,
    /// [`NoSuchAxis`](crate::Error::NoSuchAxis) for an axis beyond the last one.
    pub fn chunks(
        &self,
        axis: usize,
        len: usize,
    ) -> Result<impl ExactSizeIterator<Item = Self> + '_> {
        let chunks = self.layout.chunks(axis, len)?;
        Ok(chunks.map(|chunk| self.view(chunk)))
    }

    /// Returns the views of consecutive ranges of `len` indices of one axis, to be written by one
    /// launch or by several; the last one may be shorter.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let mut row = Tensor::zeros(&Device::cpu(), [5])?;
    /// for (number, mut chunk) in (1..).zip(row.chunks_mut(0, 2)?) {
    ///     chunk.fill(number)?;
    /// }
    /// assert_eq!(row.to_vec()?, [1, 1, 2, 2, 3]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`chunks`](Self::chunks), and [`ReadOnlyView`](crate::Error::ReadOnlyView) if several
    /// indices of the tensor are one element.
    pub fn chunks_mut(
        &mut self,
        axis: usize,
        len: usize,
    ) -> Result<impl ExactSizeIterator<Item = ViewMut<'_, Self>> + '_> {
        self.layout.check_writable()?;
        Ok(self.chunks(axis, len)?.map(ViewMut::new))
    }

    /// Returns the view of each index of one axis, without this axis.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let rows = Tensor::from_slice(&Device::cpu(), &[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// for column in rows.axis_iter(1)? {
    ///     let column = column.to_vec()?;
    ///     assert_eq!(column[1], column[0] + 3);
    /// }
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`NoSuchAxis`](crate::Error::NoSuchAxis) for an axis beyond the last one.
    pub fn axis_iter(
        &self,
        axis: usize,
    ) -> Result<impl ExactSizeIterator<Item = <Self as RemoveAxis>::Smaller> + '_>
    where
        Self: RemoveAxis,
    {
        let chunks = self.layout.chunks(axis, 1)?;
        let select = move |chunk: Layout<R>| {
            let part: Self = self.view(chunk);
            part.squeezed(axis).expect("a chunk of one index")
        };
        Ok(chunks.map(select))
    }

    /// Returns the view of each index of one axis, without this axis, to be written by one launch or
    /// by several.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// let mut rows = Tensor::zeros(&Device::cpu(), [2, 3])?;
    /// for (number, mut column) in (0..).zip(rows.axis_iter_mut(1)?) {
    ///     column.fill(number)?;
    /// }
    /// assert_eq!(rows.to_vec()?, [0, 1, 2, 0, 1, 2]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`axis_iter`](Self::axis_iter), and [`ReadOnlyView`](crate::Error::ReadOnlyView) if several
    /// indices of the tensor are one element.
    pub fn axis_iter_mut(
        &mut self,
        axis: usize,
    ) -> Result<impl ExactSizeIterator<Item = ViewMut<'_, <Self as RemoveAxis>::Smaller>> + '_>
    where
        Self: RemoveAxis,
    {
        self.layout.check_writable()?;
        Ok(self.axis_iter(axis)?.map(ViewMut::new))
    }
}

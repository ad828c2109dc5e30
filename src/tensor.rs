//! Tensors: arrays of numbers on a device.

use std::fmt;
use std::marker::PhantomData;
use std::slice;
use std::sync::Arc;

use tile_core::Scalar;

use crate::layout::Layout;
use crate::storage::Storage;
use crate::{Device, Element, Error, Grid, Result, TileExtent};

/// An array of `R` axes (1 to 8) with elements of type `T`, on one device.
///
/// Methods like `t`, `narrow`, `select` and `reshape` return views, which share the memory: a write
/// through one is visible through the others. A launch refuses a `&mut` tensor that has an element
/// in common with another tensor of the launch; [`split_at_mut`](Tensor::split_at_mut) and its kin
/// make views that have none.
///
/// Any extent may be 0. A tensor without elements is like any other: copies of it copy nothing, a
/// kernel reads padding from it, and a launch whose grid counts its tiles runs no block.
///
/// Work on a GPU is asynchronous. It runs after all earlier uses of its tensors, and reading a
/// tensor back waits for the work. A tensor may be dropped before the work that uses it has
/// finished.
///
/// ```
/// use tile_kernel::{Device, Tensor};
/// let device = Device::cpu();
/// let matrix = Tensor::from_slice(&device, &[1, 2, 3, 4, 5, 6], [2, 3])?;
/// assert_eq!(matrix.t().to_vec()?, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), tile_kernel::Error>(())
/// ```
pub struct Tensor<T: Element, const R: usize> {
    pub(crate) storage: Arc<Storage>,
    pub(crate) layout: Layout<R>,
    element: PhantomData<T>,
}

impl<T: Element, const R: usize> Tensor<T, R> {
    /// Creates a tensor of zeros (of `false` for `bool`).
    pub fn zeros(device: &Device, shape: [usize; R]) -> Result<Self> {
        let layout = Layout::contiguous(shape, size_of::<T>())?;
        let storage = Storage::zeroed(*device, layout.len() * size_of::<T>())?;
        Ok(Self::new(storage, layout))
    }

    /// Creates a tensor whose elements all equal `value`.
    pub fn full(device: &Device, shape: [usize; R], value: T) -> Result<Self> {
        let mut tensor = Self::zeros(device, shape)?;
        tensor.fill(value)?;
        Ok(tensor)
    }

    /// Creates a tensor of these elements, in row-major order.
    ///
    /// # Errors
    /// [`LengthMismatch`](Error::LengthMismatch) if the slice and the shape have different numbers
    /// of elements.
    pub fn from_slice(device: &Device, elements: &[T], shape: [usize; R]) -> Result<Self> {
        let layout = Layout::contiguous(shape, size_of::<T>())?;
        check_length(&layout, elements.len())?;
        let storage = Storage::from_bytes(*device, bytes_of(elements))?;
        Ok(Self::new(storage, layout))
    }

    /// Creates a tensor of the elements of a slice that these strides reach, in elements: index
    /// `[i, j]` is element `i * strides[0] + j * strides[1]` of the slice. All elements up to the last
    /// of them are copied to the device.
    ///
    /// A stride may be 0, and two indices may be the same element; the tensor can then only be read.
    ///
    /// ```
    /// use tile_kernel::{Device, Tensor};
    /// // Two matrices of 2 by 2, each followed by one element that belongs to neither.
    /// let padded = [1, 2, 3, 4, 0, 5, 6, 7, 8, 0];
    /// let batch = Tensor::from_strided(&Device::cpu(), &padded, [2, 2, 2], [5, 2, 1])?;
    /// assert_eq!(batch.to_vec()?, [1, 2, 3, 4, 5, 6, 7, 8]);
    /// # Ok::<(), tile_kernel::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`StridesOutOfBounds`](Error::StridesOutOfBounds) if the slice ends before the last element.
    pub fn from_strided(
        device: &Device,
        elements: &[T],
        shape: [usize; R],
        strides: [usize; R],
    ) -> Result<Self> {
        let layout = Layout::strided(shape, strides, 0, elements.len(), size_of::<T>())?;
        let reached = &elements[..layout.span()];
        let storage = Storage::from_bytes(*device, bytes_of(reached))?;
        Ok(Self::new(storage, layout))
    }

    pub(crate) fn new(storage: impl Into<Arc<Storage>>, layout: Layout<R>) -> Self {
        Self::from_storage(storage.into(), layout)
    }

    pub(crate) fn from_storage(storage: Arc<Storage>, layout: Layout<R>) -> Self {
        Tensor {
            storage,
            layout,
            element: PhantomData,
        }
    }

    /// Returns the elements in row-major order, after all earlier writes.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let Layout { offset, .. } = self.layout;
        if let Storage::Host(memory) = &*self.storage {
            let mut elements = vec![T::default(); self.len()];
            let size = size_of::<T>();
            let runs = self.layout.runs();
            let runs = runs.map(|(start, len)| (start * size, len * size));
            read(&mut elements, |bytes| memory.read_runs(runs, bytes))?;
            return Ok(elements);
        }
        let mut span = vec![T::default(); self.layout.span()];
        read(&mut span, |bytes| {
            self.storage.read(offset * size_of::<T>(), bytes)
        })?;
        if self.layout.is_contiguous() {
            return Ok(span);
        }
        let mut elements = Vec::with_capacity(self.len());
        for (start, len) in self.layout.runs() {
            let start = start - offset;
            elements.extend_from_slice(&span[start..start + len]);
        }
        Ok(elements)
    }

    /// Replaces all elements, in row-major order.
    ///
    /// # Errors
    /// [`LengthMismatch`](Error::LengthMismatch) if the slice and the tensor have different numbers
    /// of elements, [`ReadOnlyView`](Error::ReadOnlyView) if several indices are one element.
    pub fn copy_from_slice(&mut self, elements: &[T]) -> Result<()> {
        check_length(&self.layout, elements.len())?;
        self.layout.check_writable()?;
        let mut rest = elements;
        for (start, len) in self.layout.runs() {
            let (run, after) = rest.split_at(len);
            self.storage.write(start * size_of::<T>(), bytes_of(run))?;
            rest = after;
        }
        Ok(())
    }

    /// Sets all elements to `value`.
    ///
    /// # Errors
    /// [`ReadOnlyView`](Error::ReadOnlyView) if several indices are one element.
    pub fn fill(&mut self, value: T) -> Result<()> {
        self.layout.check_writable()?;
        let value = [value];
        for (start, len) in self.layout.runs() {
            self.storage.fill(
                start * size_of::<T>(),
                len * size_of::<T>(),
                bytes_of(&value),
            )?;
        }
        Ok(())
    }

    /// Copies the elements to a new tensor on another device.
    pub fn to_device(&self, device: &Device) -> Result<Self> {
        Self::from_slice(device, &self.to_vec()?, self.layout.shape)
    }

    /// Copies the elements to a new tensor, in row-major order.
    pub fn copy(&self) -> Result<Self> {
        self.to_device(&self.device())
    }

    /// Returns the extents of the axes.
    pub fn shape(&self) -> [usize; R] {
        self.layout.shape
    }

    /// Returns the strides of the axes, in elements.
    pub fn strides(&self) -> [usize; R] {
        self.layout.strides
    }

    /// Returns the position of the first element in the memory that the views of a tensor share, in
    /// elements.
    pub fn offset(&self) -> usize {
        self.layout.offset
    }

    /// Returns `true` if the elements are in row-major order in memory, without gaps.
    pub fn is_contiguous(&self) -> bool {
        self.layout.is_contiguous()
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.layout.len()
    }

    /// Returns `true` if the tensor has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the device of the elements.
    pub fn device(&self) -> Device {
        self.storage.device()
    }

    /// Returns the grid that covers the tensor with tiles of this shape: one work tile per tile,
    /// rounded up along every axis. Extents may have any integer type, as const parameters of
    /// kernels may.
    pub fn tiles(&self, tile: [impl TileExtent; R]) -> Grid {
        Grid::covering(&self.layout.shape, &tile.map(TileExtent::extent))
    }
}

impl<T: Element, const R: usize> fmt::Debug for Tensor<T, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tensor")
            .field("element", &T::SCALAR.name())
            .field("shape", &self.layout.shape)
            .field("strides", &self.layout.strides)
            .field("device", &self.device())
            .finish_non_exhaustive()
    }
}

pub(crate) fn check_length<const R: usize>(layout: &Layout<R>, len: usize) -> Result<()> {
    if layout.len() == len {
        return Ok(());
    }
    Err(Error::LengthMismatch {
        len,
        shape: layout.shape.to_vec(),
        expected: layout.len(),
    })
}

fn bytes_of<T: Element>(elements: &[T]) -> &[u8] {
    // SAFETY: elements are numbers or `bool`, which have no padding.
    unsafe { slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements)) }
}

/// Sets elements to the bytes that `copy` writes.
fn read<T: Element>(elements: &mut [T], copy: impl FnOnce(&mut [u8]) -> Result<()>) -> Result<()> {
    if T::SCALAR == Scalar::I1 {
        // A kernel may store any byte; a `bool` must be 0 or 1.
        let mut bytes = vec![0; size_of_val(elements)];
        copy(&mut bytes)?;
        for byte in &mut bytes {
            *byte = u8::from(*byte != 0);
        }
        // SAFETY: as below, and every byte is 0 or 1, which are the values of `bool`.
        let target = unsafe { bytes_of_mut(elements) };
        target.copy_from_slice(&bytes);
        return Ok(());
    }
    // SAFETY: `T` is a number, for which every bit pattern is valid.
    copy(unsafe { bytes_of_mut(elements) })
}

/// Returns the bytes of some elements.
///
/// # Safety
/// Only bytes that are valid values of `T` may be written.
unsafe fn bytes_of_mut<T: Element>(elements: &mut [T]) -> &mut [u8] {
    // SAFETY: elements have no padding; the caller writes values of `T`.
    unsafe { slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), size_of_val(elements)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bf16, f16};

    fn cpu() -> Device {
        Device::cpu()
    }

    #[test]
    fn zeros_are_zero_and_full_is_full() -> Result<()> {
        assert_eq!(Tensor::<f32, 2>::zeros(&cpu(), [2, 2])?.to_vec()?, [0.0; 4]);
        assert_eq!(Tensor::full(&cpu(), [3], 7i64)?.to_vec()?, [7; 3]);
        assert_eq!(
            Tensor::full(&cpu(), [2], bf16::ONE)?.to_vec()?,
            [bf16::ONE; 2]
        );
        assert_eq!(
            Tensor::full(&cpu(), [2], f16::ONE)?.to_vec()?,
            [f16::ONE; 2]
        );
        assert_eq!(Tensor::full(&cpu(), [2], true)?.to_vec()?, [true; 2]);
        Ok(())
    }

    #[test]
    fn a_slice_of_another_length_is_refused() {
        let error = Tensor::from_slice(&cpu(), &[1.0f32; 5], [2, 3]).expect_err("5 is not 6");
        assert_eq!(
            error,
            Error::LengthMismatch {
                len: 5,
                shape: vec![2, 3],
                expected: 6
            }
        );
    }

    #[test]
    fn views_share_memory_and_copies_do_not() -> Result<()> {
        let mut tensor = Tensor::from_slice(&cpu(), &[1, 2, 3, 4, 5, 6], [2, 3])?;
        let transposed = tensor.t();
        let copy = tensor.copy()?;
        tensor.copy_from_slice(&[10, 20, 30, 40, 50, 60])?;
        assert_eq!(transposed.to_vec()?, [10, 40, 20, 50, 30, 60]);
        assert_eq!(copy.to_vec()?, [1, 2, 3, 4, 5, 6]);
        Ok(())
    }

    #[test]
    fn a_view_is_written_in_its_own_order() -> Result<()> {
        let tensor = Tensor::<i32, 2>::zeros(&cpu(), [2, 3])?;
        tensor.t().copy_from_slice(&[1, 2, 3, 4, 5, 6])?;
        assert_eq!(tensor.to_vec()?, [1, 3, 5, 2, 4, 6]);
        tensor.narrow(1, 1..2)?.fill(9)?;
        assert_eq!(tensor.to_vec()?, [1, 9, 5, 2, 9, 6]);
        Ok(())
    }

    #[test]
    fn a_reshape_keeps_the_order_and_refuses_other_lengths_and_transposed_views() -> Result<()> {
        let tensor = Tensor::from_slice(&cpu(), &[1, 2, 3, 4, 5, 6], [2, 3])?;
        assert_eq!(tensor.reshape([3, 2])?.to_vec()?, [1, 2, 3, 4, 5, 6]);
        assert!(matches!(
            tensor.reshape([4]),
            Err(Error::ReshapeLength {
                from_len: 6,
                to_len: 4,
                ..
            })
        ));
        assert!(matches!(
            tensor.t().reshape([6]),
            Err(Error::NotContiguous { .. })
        ));
        assert_eq!(
            tensor.t().copy()?.reshape([6])?.to_vec()?,
            [1, 4, 2, 5, 3, 6]
        );
        Ok(())
    }

    #[test]
    fn an_empty_tensor_has_no_elements() -> Result<()> {
        let mut tensor = Tensor::<f32, 2>::zeros(&cpu(), [0, 5])?;
        tensor.fill(1.0)?;
        assert!(tensor.is_empty());
        assert!(tensor.to_vec()?.is_empty());
        assert_eq!(tensor.t().to_device(&cpu())?.shape(), [5, 0]);
        Ok(())
    }

    #[test]
    fn any_byte_but_zero_reads_back_as_true() -> Result<()> {
        let tensor = Tensor::<bool, 1>::zeros(&cpu(), [3])?;
        tensor.storage.write(0, &[0, 2, 255])?;
        assert_eq!(tensor.to_vec()?, [false, true, true]);
        Ok(())
    }

    #[test]
    fn tensors_go_to_other_threads() {
        fn assert_send_sync<T: Send + Sync>() {}
        assert_send_sync::<Tensor<f32, 2>>();
        assert_send_sync::<crate::Stream>();
    }
}

//! The tensors of one call of an operation.

use std::cell::Cell;

use candle_core::{CpuStorage, CudaStorage, DType, Error, Layout, Result, WithDType, bail};
use tile_kernel::foreign::{Borrowed, BorrowedMut, Scope};
use tile_kernel::{Device, Launch};

use crate::CandleElement;

/// A call of an operation: its inputs and its output, which it borrows as tensors of kernels.
pub struct Call<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    inputs: Vec<(Source<'env>, &'env Layout)>,
    output: Cell<Option<Target<'env>>>,
    output_layout: &'env Layout,
    #[cfg(feature = "cuda")]
    queue: Option<&'env tile_kernel_cudarc::Queue<'env>>,
}

/// The storage of an input.
#[derive(Clone, Copy)]
pub(crate) enum Source<'env> {
    Cpu(&'env CpuStorage),
    #[cfg_attr(
        not(feature = "cuda"),
        expect(dead_code, reason = "GPUs need a feature")
    )]
    Cuda(&'env CudaStorage),
}

/// The storage of the output.
pub(crate) enum Target<'env> {
    Cpu(&'env mut CpuStorage),
    #[cfg_attr(
        not(feature = "cuda"),
        expect(dead_code, reason = "GPUs need a feature")
    )]
    Cuda(&'env mut CudaStorage),
}

impl<'scope, 'env> Call<'scope, 'env> {
    pub(crate) fn new(
        scope: &'scope Scope<'scope, 'env>,
        inputs: Vec<(Source<'env>, &'env Layout)>,
        (target, output_layout): (Target<'env>, &'env Layout),
        #[cfg(feature = "cuda")] queue: Option<&'env tile_kernel_cudarc::Queue<'env>>,
    ) -> Self {
        Call {
            scope,
            inputs,
            output: Cell::new(Some(target)),
            output_layout,
            #[cfg(feature = "cuda")]
            queue,
        }
    }

    /// Returns the element type of an input.
    pub fn dtype(&self, input: usize) -> DType {
        use candle_core::backend::BackendStorage;
        match self.inputs[input].0 {
            Source::Cpu(storage) => storage.dtype(),
            Source::Cuda(storage) => storage.dtype(),
        }
    }

    /// Returns the shape and strides of an input.
    pub fn layout(&self, input: usize) -> &'env Layout {
        self.inputs[input].1
    }

    /// Returns the shape and strides of the output.
    pub fn output_layout(&self) -> &'env Layout {
        self.output_layout
    }

    /// Borrows an input with its shape and strides.
    ///
    /// # Errors
    /// An error of candle if its element type or number of axes differs.
    pub fn input<T: CandleElement, const R: usize>(
        &self,
        input: usize,
    ) -> Result<Borrowed<'scope, T, R>> {
        let (shape, strides) = axes(self.layout(input))?;
        self.input_as(input, shape, strides)
    }

    /// Borrows an input with another shape and strides, in elements, from its first element on.
    ///
    /// # Errors
    /// An error of candle if its element type differs or its memory ends before the last element.
    pub fn input_as<T: CandleElement, const R: usize>(
        &self,
        input: usize,
        shape: [usize; R],
        strides: [usize; R],
    ) -> Result<Borrowed<'scope, T, R>> {
        let (source, layout) = self.inputs[input];
        let start = layout.start_offset();
        match source {
            Source::Cpu(storage) => {
                let elements = T::Candle::cpu_storage_as_slice(storage)?;
                let Some(elements) = elements.get(start..) else {
                    bail!("input {input} begins after the end of its storage");
                };
                let memory = (elements.as_ptr().cast(), elements.len());
                // SAFETY: the storage is borrowed for `'env`, which is longer than the scope; `Candle` has the same
                // bytes as `T`.
                let borrowed = unsafe { self.scope.ptr(&Device::cpu(), memory, (shape, strides)) };
                borrowed.map_err(Error::wrap)
            }
            #[cfg(feature = "cuda")]
            Source::Cuda(storage) => self.cuda(storage, start, shape, strides),
            #[cfg(not(feature = "cuda"))]
            Source::Cuda(_) => Err(Error::NotCompiledWithCudaSupport),
        }
    }

    /// Borrows the output with its shape and strides. It can be borrowed once.
    ///
    /// # Errors
    /// An error of candle if its element type or number of axes differs.
    pub fn output<T: CandleElement, const R: usize>(&self) -> Result<BorrowedMut<'scope, T, R>> {
        let (shape, strides) = axes(self.output_layout)?;
        self.output_as(shape, strides)
    }

    /// Borrows the output with another shape and strides, in elements, from its first element on.
    ///
    /// # Errors
    /// An error of candle if its element type differs, its memory ends before the last element, or it was
    /// borrowed before.
    pub fn output_as<T: CandleElement, const R: usize>(
        &self,
        shape: [usize; R],
        strides: [usize; R],
    ) -> Result<BorrowedMut<'scope, T, R>> {
        let start = self.output_layout.start_offset();
        match self.output.take() {
            None => bail!("the output is borrowed twice"),
            Some(Target::Cpu(storage)) => {
                let elements = T::slice_mut(storage)?;
                let Some(elements) = elements.get_mut(start..) else {
                    bail!("the output begins after the end of its storage");
                };
                let memory = (elements.as_mut_ptr().cast(), elements.len());
                // SAFETY: the storage is borrowed exclusively for `'env`, which is longer than the scope; `Candle` has
                // the same bytes as `T`.
                let borrowed =
                    unsafe { self.scope.ptr_mut(&Device::cpu(), memory, (shape, strides)) };
                borrowed.map_err(Error::wrap)
            }
            #[cfg(feature = "cuda")]
            Some(Target::Cuda(storage)) => self.cuda_mut(storage, start, shape, strides),
            #[cfg(not(feature = "cuda"))]
            Some(Target::Cuda(_)) => Err(Error::NotCompiledWithCudaSupport),
        }
    }

    /// Launches a kernel, on a GPU on the stream of candle's device.
    ///
    /// # Errors
    /// The error of the launch.
    pub fn launch(&self, launch: Launch<'_>) -> Result<()> {
        #[cfg(feature = "cuda")]
        if let Some(queue) = self.queue {
            return launch.on(queue).launch().map_err(Error::wrap);
        }
        launch.launch().map_err(Error::wrap)
    }
}

#[cfg(feature = "cuda")]
mod cuda {
    use candle_core::cuda_backend::CudaDType;
    use candle_core::{CudaStorage, Error, Result};
    use tile_kernel::foreign::{Borrowed, BorrowedMut};
    use tile_kernel_cudarc::{BorrowSlices, Queue};

    use super::{Call, CandleElement};

    impl<'scope, 'env> Call<'scope, 'env> {
        fn queue(&self) -> Result<&'env Queue<'env>> {
            self.queue
                .ok_or_else(|| Error::msg("the tensors are on different devices"))
        }

        pub(super) fn cuda<T: CandleElement, const R: usize>(
            &self,
            storage: &'env CudaStorage,
            start: usize,
            shape: [usize; R],
            strides: [usize; R],
        ) -> Result<Borrowed<'scope, T, R>> {
            let slice = T::Candle::as_cuda_slice(storage)?;
            let Some(view) = slice.try_slice(start..) else {
                candle_core::bail!("an input begins after the end of its storage");
            };
            // SAFETY: `Candle` has the same bytes as `T`.
            let borrowed = unsafe {
                self.scope
                    .device_slice_as(view, self.queue()?, (shape, strides))
            };
            borrowed.map_err(Error::wrap)
        }

        pub(super) fn cuda_mut<T: CandleElement, const R: usize>(
            &self,
            storage: &'env mut CudaStorage,
            start: usize,
            shape: [usize; R],
            strides: [usize; R],
        ) -> Result<BorrowedMut<'scope, T, R>> {
            let slice = T::Candle::as_cuda_slice_mut(storage)?;
            let Some(view) = slice.try_slice_mut(start..) else {
                candle_core::bail!("the output begins after the end of its storage");
            };
            // SAFETY: `Candle` has the same bytes as `T`.
            let borrowed = unsafe {
                self.scope
                    .device_slice_mut_as(view, self.queue()?, (shape, strides))
            };
            borrowed.map_err(Error::wrap)
        }
    }
}

/// Returns the extents and strides of a layout of `R` axes.
fn axes<const R: usize>(layout: &Layout) -> Result<([usize; R], [usize; R])> {
    match (layout.dims().try_into(), layout.stride().try_into()) {
        (Ok(shape), Ok(strides)) => Ok((shape, strides)),
        _ => Err(Error::UnexpectedNumberOfDims {
            expected: R,
            got: layout.dims().len(),
            shape: layout.shape().clone(),
        }
        .bt()),
    }
}

/// Extents and strides of three axes: see [`rows`].
pub type Rows = ([usize; 3], [usize; 3]);

/// Returns a layout of any number of axes as one of three, of which the last is the last one of the layout, and the
/// first two stand for all others.
///
/// # Errors
/// An error of candle if the strides of the other axes cannot be those of two.
pub fn rows(layout: &Layout) -> Result<Rows> {
    let (dims, strides) = (layout.dims(), layout.stride());
    let Some(last) = dims.len().checked_sub(1) else {
        return Err(Error::UnexpectedNumberOfDims {
            expected: 1,
            got: 0,
            shape: layout.shape().clone(),
        }
        .bt());
    };
    // From the innermost axis on, an axis continues the one within it where the strides allow it.
    let mut merged: Vec<(usize, usize)> = Vec::new();
    for (&extent, &stride) in dims[..last].iter().zip(strides).rev() {
        match merged.last_mut() {
            _ if extent == 1 => {}
            Some((within, of_within)) if *within * *of_within == stride => *within *= extent,
            _ => merged.push((extent, stride)),
        }
    }
    if dims.contains(&0) {
        merged = vec![(dims[..last].iter().product(), 0)];
    }
    if merged.len() > 2 {
        bail!(
            "strides {strides:?} of shape {dims:?} are not those of two axes of rows: call `contiguous()` before"
        );
    }
    let axis = |index: usize| merged.get(index).copied().unwrap_or((1, 0));
    let ((inner, of_inner), (outer, of_outer)) = (axis(0), axis(1));
    Ok((
        [outer, inner, dims[last]],
        [of_outer, of_inner, strides[last]],
    ))
}

#[cfg(test)]
mod tests {
    use candle_core::Layout;

    use super::rows;

    fn layout(dims: &[usize], strides: &[usize]) -> Layout {
        Layout::new(dims.into(), strides.to_vec(), 0)
    }

    #[test]
    fn axes_are_merged_where_one_continues_the_other() {
        let rows = |dims: &[usize], strides: &[usize]| rows(&layout(dims, strides)).ok();
        assert_eq!(rows(&[7], &[2]), Some(([1, 1, 7], [0, 0, 2])));
        assert_eq!(rows(&[3, 7], &[7, 1]), Some(([1, 3, 7], [0, 7, 1])));
        assert_eq!(
            rows(&[2, 5, 3, 7], &[105, 21, 7, 1]),
            Some(([1, 30, 7], [0, 7, 1]))
        );
        // The heads of `[2, 3, 5, 7]`, transposed.
        assert_eq!(rows(&[2, 5, 3, 7], &[105, 7, 35, 1]), None);
        assert_eq!(
            rows(&[1, 5, 3, 7], &[105, 7, 35, 1]),
            Some(([5, 3, 7], [7, 35, 1]))
        );
        assert_eq!(rows(&[4, 0, 7], &[0, 7, 1]), Some(([1, 0, 7], [0, 0, 1])));
        assert_eq!(rows(&[], &[]), None);
    }
}

//! Slices, views and streams of [`cudarc`] as arguments of kernels, without copies and without waiting.
//!
//! ```no_run
//! use cudarc::driver::CudaContext;
//! use tile_kernel::{foreign, prelude::*};
//! use tile_kernel_cudarc::{BorrowSlices, Queue};
//!
//! #[tile_kernel(grid = y.tiles([1024]))]
//! fn double(x: &Tensor<f32, 1>, y: &mut Tensor<f32, 1>) {
//!     y.store([block_id(0)], x.load([block_id(0)], [1024]) * 2.0);
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let context = CudaContext::new(0)?;
//! let stream = context.new_stream()?;
//! let x = stream.clone_htod(&[1.5f32; 5000])?;
//! let mut y = stream.alloc_zeros::<f32>(5000)?;
//! let queue = Queue::new(&stream)?;
//! foreign::scope(|scope| {
//!     let x = scope.device_slice(x.as_view(), &queue, [5000])?;
//!     let mut y = scope.device_slice_mut(y.as_view_mut(), &queue, [5000])?;
//!     double(&x, &mut y).on(&queue).launch()
//! })?;
//! assert_eq!(stream.clone_dtoh(&y)?, [3.0; 5000]);
//! # Ok(())
//! # }
//! ```
//!
//! A launch without `.on(&queue)` runs on the default stream of `tile_kernel`, after the work that the stream of
//! `cudarc` has, and that stream waits for it.

#[cfg(feature = "nccl")]
pub mod nccl;

use cudarc::driver::{CudaStream, CudaView, CudaViewMut, DevicePtrMut, DeviceRepr};
use tile_kernel::foreign::{AnyBits, Borrowed, BorrowedMut, DeviceParts, Scope, Stream};
use tile_kernel::{Device, Element, Result, StreamRef};

/// A stream of `cudarc`, for borrows and launches: `kernel(..).on(&queue)`.
#[derive(Clone, Debug)]
pub struct Queue<'a> {
    stream: &'a CudaStream,
    queue: Stream<'a>,
}

impl<'a> Queue<'a> {
    /// Borrows a stream.
    ///
    /// # Errors
    /// [`NoDriver`](tile_kernel::Error::NoDriver), or another error of the driver.
    pub fn new(stream: &'a CudaStream) -> Result<Queue<'a>> {
        let device = Device::cuda(stream.context().ordinal())?;
        // SAFETY: the stream exists while it is borrowed.
        let queue = unsafe { Stream::from_raw(&device, stream.cu_stream().cast()) }?;
        Ok(Queue { stream, queue })
    }

    /// Returns the device of the stream, for tensors of `tile_kernel`.
    pub fn device(&self) -> Device {
        self.queue.device()
    }
}

impl<'a> From<&'a Queue<'_>> for StreamRef<'a> {
    fn from(queue: &'a Queue<'_>) -> StreamRef<'a> {
        StreamRef::from(&queue.queue)
    }
}

/// Borrows views of `cudarc` until the end of a [`scope`](tile_kernel::foreign::scope).
///
/// A borrow follows the earlier uses of the memory that `cudarc` knows, and `cudarc` knows this use: what it
/// submits to any stream after the scope follows the launches in it.
pub trait BorrowSlices<'scope, 'env> {
    /// Borrows a view as a tensor in row-major order.
    ///
    /// # Errors
    /// [`StridesOutOfBounds`](tile_kernel::Error::StridesOutOfBounds) if the view is shorter than the shape, a
    /// [`BorrowError`](tile_kernel::foreign::BorrowError) if it is on another device than the stream, or an error of
    /// the driver.
    fn device_slice<T: Element + DeviceRepr, const R: usize>(
        &'scope self,
        view: CudaView<'env, T>,
        queue: &Queue<'env>,
        shape: [usize; R],
    ) -> Result<Borrowed<'scope, T, R>> {
        // SAFETY: the elements are of this type.
        unsafe { self.device_slice_as(view, queue, (shape, row_major(shape))) }
    }

    /// Borrows a view that kernels may write; otherwise as [`device_slice`](Self::device_slice).
    ///
    /// # Errors
    /// As [`device_slice`](Self::device_slice).
    fn device_slice_mut<T: AnyBits + DeviceRepr, const R: usize>(
        &'scope self,
        view: CudaViewMut<'env, T>,
        queue: &Queue<'env>,
        shape: [usize; R],
    ) -> Result<BorrowedMut<'scope, T, R>> {
        // SAFETY: the elements are of this type.
        unsafe { self.device_slice_mut_as(view, queue, (shape, row_major(shape))) }
    }

    /// Borrows the elements of a view that a shape and strides, in elements, reach from its start on. They may be
    /// of another type of the same size.
    ///
    /// # Safety
    /// The bytes of the elements are values of `T`.
    ///
    /// # Errors
    /// As [`device_slice`](Self::device_slice).
    unsafe fn device_slice_as<S: 'env, T: Element, const R: usize>(
        &'scope self,
        view: CudaView<'env, S>,
        queue: &Queue<'env>,
        layout: ([usize; R], [usize; R]),
    ) -> Result<Borrowed<'scope, T, R>>;

    /// Borrows elements that kernels may write; otherwise as [`device_slice_as`](Self::device_slice_as).
    ///
    /// # Safety
    /// As for [`device_slice_as`](Self::device_slice_as), and the bytes of any `T` are an element of the view.
    ///
    /// # Errors
    /// As [`device_slice`](Self::device_slice).
    unsafe fn device_slice_mut_as<S: 'env, T: AnyBits, const R: usize>(
        &'scope self,
        view: CudaViewMut<'env, S>,
        queue: &Queue<'env>,
        layout: ([usize; R], [usize; R]),
    ) -> Result<BorrowedMut<'scope, T, R>>;
}

impl<'scope, 'env> BorrowSlices<'scope, 'env> for Scope<'scope, 'env> {
    unsafe fn device_slice_as<S: 'env, T: Element, const R: usize>(
        &'scope self,
        view: CudaView<'env, S>,
        queue: &Queue<'env>,
        layout: ([usize; R], [usize; R]),
    ) -> Result<Borrowed<'scope, T, R>> {
        const { assert!(size_of::<S>() == size_of::<T>(), "elements of one size") };
        let len = view.len();
        let (address, uses) = view.view_ptr(queue.stream);
        // Recorded after the scope has made the stream wait for the launches.
        self.hold(uses);
        // SAFETY: the memory is borrowed for `'env`, which is longer than the scope. `view_ptr` ordered the stream after
        // earlier writes, and what is held orders later writes after the stream.
        unsafe { self.device_ptr(&queue.queue, parts(address, len, layout)) }
    }

    unsafe fn device_slice_mut_as<S: 'env, T: AnyBits, const R: usize>(
        &'scope self,
        mut view: CudaViewMut<'env, S>,
        queue: &Queue<'env>,
        layout: ([usize; R], [usize; R]),
    ) -> Result<BorrowedMut<'scope, T, R>> {
        const { assert!(size_of::<S>() == size_of::<T>(), "elements of one size") };
        let len = view.len();
        let (address, _) = view.device_ptr_mut(queue.stream);
        let stream = queue.stream;
        self.hold(Written { view, stream });
        // SAFETY: as above, for an exclusive borrow.
        unsafe { self.device_ptr_mut(&queue.queue, parts(address, len, layout)) }
    }
}

/// Tells `cudarc` when it is dropped that the stream has written the memory.
struct Written<'env, S> {
    view: CudaViewMut<'env, S>,
    stream: &'env CudaStream,
}

impl<S> Drop for Written<'_, S> {
    fn drop(&mut self) {
        // The second value records the use when it is dropped.
        let _ = self.view.device_ptr_mut(self.stream);
    }
}

fn parts<const R: usize>(
    address: u64,
    len: usize,
    (shape, strides): ([usize; R], [usize; R]),
) -> DeviceParts<R> {
    DeviceParts {
        address,
        len,
        shape,
        strides,
    }
}

fn row_major<const R: usize>(shape: [usize; R]) -> [usize; R] {
    let mut strides = [1; R];
    for axis in (1..R).rev() {
        strides[axis - 1] = strides[axis] * shape[axis].max(1);
    }
    strides
}

//! Buffers, slices and streams of [`cust`] as arguments of kernels, without copies and without waiting for the
//! device.
//!
//! ```no_run
//! use cust::memory::{CopyDestination, DeviceBuffer};
//! use cust::stream::{Stream, StreamFlags};
//! use tile_kernel::{foreign, prelude::*};
//! use tile_kernel_cust::{BorrowBuffers, Queue};
//!
//! #[tile_kernel(grid = y.tiles([16, 64]))]
//! fn add(x: &Tensor<f32, 2>, y: &mut Tensor<f32, 2>) {
//!     let (i, j) = (block_id(0), block_id(1));
//!     y.store([i, j], x.load([i, j], [16, 64]) + y.load([i, j], [16, 64]));
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let _context = cust::quick_init()?;
//! let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;
//! let x = DeviceBuffer::from_slice(&[1.5f32; 100 * 30])?;
//! let mut y = DeviceBuffer::from_slice(&[1.0f32; 30 * 100])?;
//! let queue = Queue::new(&stream)?;
//! foreign::scope(|scope| {
//!     // SAFETY: the stream is synchronized before the buffers are used again.
//!     unsafe {
//!         let x = scope.buffer(&x, &queue, [30, 100], [1, 30])?; // the transpose of 100 rows
//!         let mut y = scope.buffer_mut(&mut y, &queue, [30, 100], [100, 1])?;
//!         add(&x, &mut y).on(&queue).launch()
//!     }
//! })?;
//! stream.synchronize()?;
//! let mut host = [0.0f32; 3000];
//! y.copy_to(&mut host)?;
//! assert_eq!(host, [2.5; 3000]);
//! # Ok(())
//! # }
//! ```
//!
//! A launch without `.on(&queue)` runs on the default stream of `tile_kernel`, after the work that the stream of
//! `cust` has, and that stream waits for it.

use cust::context::CurrentContext;
use cust::memory::{DeviceCopy, DeviceSlice};
use cust::stream::Stream;
use tile_kernel::foreign::{self, AnyBits, Borrowed, BorrowedMut, DeviceParts, Scope};
use tile_kernel::{Device, Element, Error, Result, StreamRef};

/// A stream of `cust`, for borrows and launches: `kernel(..).on(&queue)`.
#[derive(Clone, Debug)]
pub struct Queue<'a>(foreign::Stream<'a>);

impl<'a> Queue<'a> {
    /// Borrows a stream of the current context, which is the primary one of its device, as that of
    /// `cust::quick_init`.
    ///
    /// # Errors
    /// [`ForeignContext`](Error::ForeignContext) if there is no current context or if it is another one, or an
    /// error of the driver.
    pub fn new(stream: &'a Stream) -> Result<Queue<'a>> {
        let device = CurrentContext::get_device().map(|device| device.as_raw());
        let Some(ordinal) = device.ok().and_then(|device| usize::try_from(device).ok()) else {
            return Err(Error::ForeignContext { what: "the stream" });
        };
        // SAFETY: the stream exists while it is borrowed.
        let queue =
            unsafe { foreign::Stream::from_raw(&Device::cuda(ordinal)?, stream.as_inner().cast()) };
        queue.map(Queue)
    }

    /// Returns the device of the stream, for tensors of `tile_kernel`.
    pub fn device(&self) -> Device {
        self.0.device()
    }
}

impl<'a> From<&'a Queue<'_>> for StreamRef<'a> {
    fn from(queue: &'a Queue<'_>) -> StreamRef<'a> {
        StreamRef::from(&queue.0)
    }
}

/// Borrows buffers of `cust`, and slices of them, until the end of a [`scope`](tile_kernel::foreign::scope).
///
/// `cust` does not keep track of the work that uses a buffer, so the caller orders it.
pub trait BorrowBuffers<'scope, 'env> {
    /// Borrows the elements that a shape and strides, in elements, reach. They may be of another type of the same
    /// size: `u16` for `f16`, since `cust` has an older release of the `half` crate.
    ///
    /// # Safety
    /// - The bytes of the elements are values of `T`.
    /// - Earlier work that writes the memory is on the stream, or the stream waits for it. Whatever writes or frees
    ///   the memory after the scope is on the stream or waits for it.
    ///
    /// # Errors
    /// A [`BorrowError`](tile_kernel::foreign::BorrowError) if the slice ends before the last element or is on
    /// another device than the stream, or an error of the driver.
    unsafe fn buffer<S: DeviceCopy, T: Element, const R: usize>(
        &'scope self,
        slice: &'env DeviceSlice<S>,
        queue: &'env Queue<'env>,
        shape: [usize; R],
        strides: [usize; R],
    ) -> Result<Borrowed<'scope, T, R>>;

    /// Borrows elements that kernels may write; otherwise as [`buffer`](Self::buffer).
    ///
    /// # Safety
    /// As for [`buffer`](Self::buffer), for everything that uses the memory; and the bytes of any `T` are an element
    /// of the slice.
    ///
    /// # Errors
    /// As [`buffer`](Self::buffer).
    unsafe fn buffer_mut<S: DeviceCopy, T: AnyBits, const R: usize>(
        &'scope self,
        slice: &'env mut DeviceSlice<S>,
        queue: &'env Queue<'env>,
        shape: [usize; R],
        strides: [usize; R],
    ) -> Result<BorrowedMut<'scope, T, R>>;
}

impl<'scope, 'env> BorrowBuffers<'scope, 'env> for Scope<'scope, 'env> {
    unsafe fn buffer<S: DeviceCopy, T: Element, const R: usize>(
        &'scope self,
        slice: &'env DeviceSlice<S>,
        queue: &'env Queue<'env>,
        shape: [usize; R],
        strides: [usize; R],
    ) -> Result<Borrowed<'scope, T, R>> {
        // SAFETY: the slice is borrowed for longer than the scope, and the caller orders other uses.
        unsafe { self.device_ptr(&queue.0, parts::<S, T, R>(slice, shape, strides)) }
    }

    unsafe fn buffer_mut<S: DeviceCopy, T: AnyBits, const R: usize>(
        &'scope self,
        slice: &'env mut DeviceSlice<S>,
        queue: &'env Queue<'env>,
        shape: [usize; R],
        strides: [usize; R],
    ) -> Result<BorrowedMut<'scope, T, R>> {
        // SAFETY: as above.
        unsafe { self.device_ptr_mut(&queue.0, parts::<S, T, R>(slice, shape, strides)) }
    }
}

fn parts<S: DeviceCopy, T, const R: usize>(
    slice: &DeviceSlice<S>,
    shape: [usize; R],
    strides: [usize; R],
) -> DeviceParts<R> {
    const { assert!(size_of::<S>() == size_of::<T>(), "elements of one size") };
    DeviceParts {
        address: slice.as_device_ptr().as_raw(),
        len: slice.len(),
        shape,
        strides,
    }
}

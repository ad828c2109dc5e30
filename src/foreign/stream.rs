//! Streams of other libraries.

use std::ffi::c_void;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::BorrowError;
use crate::driver::{Access, RawStream};
use crate::storage::Storage;
use crate::stream::{Queue, StreamRef};
use crate::{Device, Element, Result, Tensor, device};

/// A stream of another library on a GPU, borrowed for `'a`. Launches run on it after `.on(&stream)`.
#[derive(Clone)]
pub struct Stream<'a> {
    pub(super) queue: Arc<RawStream>,
    stream: PhantomData<&'a ()>,
}

impl<'a> Stream<'a> {
    /// Borrows a `CUstream` of this GPU; null is the default stream of the driver.
    ///
    /// # Safety
    /// `stream` is null or a stream that exists for `'a`, and as long as a tensor that
    /// [`keep_device_ptr`](super::keep_device_ptr) made with it.
    ///
    /// # Errors
    /// [`BorrowError::NoGpu`] for a device that is no GPU,
    /// [`ForeignContext`](crate::Error::ForeignContext) if the stream does not belong to the primary context
    /// of this GPU.
    pub unsafe fn from_raw(device: &Device, stream: *mut c_void) -> Result<Stream<'a>> {
        let device::Kind::Cuda(context) = device.0 else {
            return Err(BorrowError::NoGpu { device: *device }.into());
        };
        // SAFETY: the caller's promise.
        let queue = unsafe { RawStream::foreign(context, stream.cast()) }?;
        Ok(Stream {
            queue: Arc::new(queue),
            stream: PhantomData,
        })
    }

    /// Returns the device of the stream.
    pub fn device(&self) -> Device {
        Device(device::Kind::Cuda(self.queue.context()))
    }

    /// Makes the stream wait for all launches so far that use the tensor. The host does not wait.
    pub fn wait_for<T: Element, const R: usize>(&self, tensor: &Tensor<T, R>) -> Result<()> {
        match &*tensor.storage {
            Storage::Device(memory) => memory.make_wait(&self.queue),
            Storage::Host(_) => Ok(()),
        }
    }

    /// Makes later launches that use the tensor wait for the work that the stream has now, which may have
    /// written it. The host does not wait.
    pub fn precede<T: Element, const R: usize>(&self, tensor: &Tensor<T, R>) -> Result<()> {
        match &*tensor.storage {
            Storage::Device(memory) => memory.follow(&self.queue, Access::Exclusive),
            Storage::Host(_) => Ok(()),
        }
    }
}

impl fmt::Debug for Stream<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({:?} of {})", self.queue.raw(), self.device())
    }
}

impl<'a> From<&'a Stream<'_>> for StreamRef<'a> {
    fn from(stream: &'a Stream<'_>) -> StreamRef<'a> {
        StreamRef {
            queue: Ok(Queue::Cuda(Arc::clone(&stream.queue))),
            borrow: PhantomData,
        }
    }
}

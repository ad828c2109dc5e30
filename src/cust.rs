//! Interoperability with the streams and buffers of [`cust`](https://docs.rs/cust) (feature
//! `cust`).
//!
//! `cust` device buffers become tensors ([`adopt`]) and tensors become buffers again ([`release`]).
//! A launch can run on a `cust` stream ([`Launch::on`](crate::Launch::on)).
//!
//! ```no_run
//! use cust::memory::DeviceBuffer;
//! use cust::stream::{Stream, StreamFlags};
//! # fn scale(x: &mut tile_kernel::Tensor<f32, 1>) -> tile_kernel::Launch<'_> { unimplemented!() }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let _context = cust::quick_init()?;
//! let stream = Stream::new(StreamFlags::NON_BLOCKING, None)?;
//! let buffer = DeviceBuffer::from_slice(&[1.0f32; 1024])?;
//!
//! let mut x = tile_kernel::cust::adopt::<f32, 1>(buffer, [1024])?;
//! scale(&mut x).on(&stream).launch()?; // a `#[tile_kernel]` function
//! let buffer = tile_kernel::cust::release(x).map_err(|(error, _)| error)?;
//! # Ok(())
//! # }
//! ```

use std::marker::PhantomData;
use std::sync::Arc;

use cust::memory::{DeviceBuffer, DeviceCopy};
use cust::stream::Stream;

use crate::driver::{DeviceMemory, RawStream};
use crate::layout::Layout;
use crate::storage::Storage;
use crate::stream::{Queue, StreamRef};
use crate::{Element, Error, Result, Tensor, bf16, f8e4m3, f8e5m2, f8e8m0, f16};

/// An element type with the element type of the `cust` buffers that can hold it.
///
/// Both are the same type, with two exceptions: `u16` holds `f16` and `bf16`, since `cust` depends
/// on an older release of the `half` crate, and `u8` holds 8-bit floats.
pub trait CustElement: Element {
    /// The element type of the buffer.
    type Stored: DeviceCopy + Send + Sync + 'static;
}

macro_rules! elements {
    ($($ty:ty => $stored:ty),+ $(,)?) => { $(
        impl CustElement for $ty {
            type Stored = $stored;
        }
    )+ };
}

elements! {
    bool => bool, i8 => i8, i16 => i16, i32 => i32, i64 => i64, u8 => u8, u16 => u16, u32 => u32,
    u64 => u64, f16 => u16, bf16 => u16, f8e4m3 => u8, f8e5m2 => u8, f8e8m0 => u8, f32 => f32,
    f64 => f64,
}

/// Converts a buffer to a tensor without copying it. The tensor owns the buffer and frees it after
/// the last use of the tensor, unless [`release`] returns it.
///
/// Waits until all work on the device has finished.
///
/// # Errors
/// [`LengthMismatch`](Error::LengthMismatch) if the buffer and the shape have different numbers of
/// elements; [`ForeignContext`](Error::ForeignContext) if the buffer was not allocated in the
/// device's primary context.
pub fn adopt<T: CustElement, const R: usize>(
    buffer: DeviceBuffer<T::Stored>,
    shape: [usize; R],
) -> Result<Tensor<T, R>> {
    let layout = Layout::contiguous(shape, size_of::<T>())?;
    if buffer.len() != layout.len() || layout.len() == 0 {
        return Err(Error::LengthMismatch {
            len: buffer.len(),
            shape: shape.to_vec(),
            expected: layout.len().max(1),
        });
    }
    let address = buffer.as_device_ptr().as_raw();
    let bytes = layout.len() * size_of::<T>();
    // SAFETY: the buffer has `bytes` at `address` until it is dropped, and since
    // it was moved here nothing else can use it.
    let memory = unsafe { DeviceMemory::foreign(address, bytes, Box::new(buffer)) }?;
    Ok(Tensor::new(Storage::Device(memory), layout))
}

/// Returns the buffer of a tensor that [`adopt`] made, after the last use of the tensor.
///
/// # Errors
/// [`NotReleasable`](Error::NotReleasable), together with the tensor, if the tensor does not own a
/// whole `cust` buffer: it was not adopted, it is a view, or views of it still exist.
pub fn release<T: CustElement, const R: usize>(
    tensor: Tensor<T, R>,
) -> std::result::Result<DeviceBuffer<T::Stored>, (Error, Tensor<T, R>)> {
    let refuse = |reason, tensor| Err((Error::NotReleasable { reason }, tensor));
    let adopted = match &*tensor.storage {
        Storage::Device(memory) => memory.foreign_owner_is::<DeviceBuffer<T::Stored>>(),
        Storage::Host(_) => false,
    };
    if !adopted {
        return refuse("its memory is no `cust` buffer of these elements", tensor);
    }
    let whole = tensor.layout;
    let storage = match Arc::try_unwrap(tensor.storage) {
        Ok(storage) => storage,
        Err(storage) => {
            return refuse(
                "views of it are still there",
                Tensor::from_storage(storage, whole),
            );
        }
    };
    let Storage::Device(memory) = storage else {
        unreachable!("only device memory is adopted");
    };
    match memory.into_foreign() {
        Ok(owner) => Ok(*owner
            .downcast()
            .expect("the type was compared before the memory was taken apart")),
        Err(refused) => {
            let (error, memory) = *refused;
            let storage = Arc::new(Storage::Device(memory));
            Err((error, Tensor::from_storage(storage, whole)))
        }
    }
}

impl<'a> From<&'a Stream> for StreamRef<'a> {
    fn from(stream: &'a Stream) -> StreamRef<'a> {
        // SAFETY: the stream is borrowed for `'a`, which the launch does not outlive.
        let queue = unsafe { RawStream::foreign(stream.as_inner().cast()) };
        StreamRef {
            queue: queue.map(|stream| Queue::Cuda(Arc::new(stream))),
            borrow: PhantomData,
        }
    }
}

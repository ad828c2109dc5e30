//! Buffers of the host for asynchronous copies.
//!
//! The memory of a buffer is pinned, so that a GPU copies it without the help of the host. Safe code reads and writes
//! it through guards. A guard waits for the copies that were submitted before it, and while it lives, a copy or a
//! graph that needs the memory is refused.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tile_core::Scalar;

use crate::allocation;
use crate::driver::{self, Access, Context, Tracked, Uses};
use crate::graph::{self, Work};
use crate::stream::StreamRef;
use crate::{Device, Element, Error, Result, Tensor, device};

/// Elements in the memory of the host, which a stream copies to a tensor and from it asynchronously.
///
/// ```
/// use tile_kernel::{Device, HostBuffer, Stream, Tensor};
///
/// let device = Device::cpu();
/// let stream = Stream::new(&device)?;
/// let mut buffer = HostBuffer::from_slice(&device, &[1.0f32, 2.0, 3.0])?;
/// let mut x = Tensor::zeros(&device, [3])?;
///
/// x.copy_from_async(&buffer, &stream)?; // returns at once
/// x.copy_to_async(&mut buffer, &stream)?;
/// assert_eq!(buffer.read()?[..], [1.0, 2.0, 3.0]); // waits for the copies
/// buffer.write()?.fill(0.0);
/// # Ok::<(), tile_kernel::Error>(())
/// ```
///
/// `bool` is no element of buffers, since a kernel may store bytes that are no `bool`.
pub struct HostBuffer<T: Element> {
    block: Arc<HostBlock>,
    len: usize,
    element: PhantomData<T>,
}

impl<T: Element> HostBuffer<T> {
    const NO_BOOL: () = assert!(
        !matches!(T::SCALAR, Scalar::I1),
        "a `HostBuffer` has no elements of type `bool`: use `u8`"
    );

    /// Creates a buffer of zeros for copies from and to a device. It is pinned if the device is a GPU.
    ///
    /// # Errors
    /// [`OutOfMemory`](Error::OutOfMemory), or another error of the driver.
    pub fn zeros(device: &Device, len: usize) -> Result<Self> {
        let () = Self::NO_BOOL;
        let too_large = Error::ShapeTooLarge { shape: vec![len] };
        let bytes = len.checked_mul(size_of::<T>()).ok_or(too_large)?;
        Ok(HostBuffer {
            block: Arc::new(HostBlock::zeroed(*device, bytes)?),
            len,
            element: PhantomData,
        })
    }

    /// Creates a buffer of these elements. It is pinned if the device is a GPU.
    ///
    /// # Errors
    /// [`OutOfMemory`](Error::OutOfMemory), or another error of the driver.
    pub fn from_slice(device: &Device, elements: &[T]) -> Result<Self> {
        let mut buffer = Self::zeros(device, elements.len())?;
        buffer.write()?.copy_from_slice(elements);
        Ok(buffer)
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns `true` if there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Waits for the copies to the buffer, and returns its elements. Until the guard is dropped, nothing can be
    /// copied to the buffer.
    ///
    /// # Errors
    /// An error of the work that was waited for.
    pub fn read(&self) -> Result<HostRead<'_, T>> {
        let borrow = Borrow::new(&self.block, Access::Shared)?;
        Ok(HostRead {
            borrow,
            len: self.len,
            element: PhantomData,
        })
    }

    /// Waits for the copies to the buffer and from it, and returns its elements. Until the guard is dropped, nothing
    /// can be copied to the buffer or from it.
    ///
    /// # Errors
    /// An error of the work that was waited for.
    pub fn write(&mut self) -> Result<HostWrite<'_, T>> {
        let borrow = Borrow::new(&self.block, Access::Exclusive)?;
        Ok(HostWrite {
            borrow,
            len: self.len,
            element: PhantomData,
        })
    }
}

impl<T: Element> fmt::Debug for HostBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HostBuffer")
            .field("element", &T::SCALAR.name())
            .field("len", &self.len)
            .finish_non_exhaustive()
    }
}

impl<T: Element, const R: usize> Tensor<T, R> {
    /// Replaces all elements by those of a buffer, in row-major order, as work of a stream. Returns before the copy
    /// has finished; the buffer cannot be written until then.
    ///
    /// The copy follows the earlier uses of the tensor and of the buffer on any stream. A view is copied in as many
    /// parts as it has runs of consecutive elements.
    ///
    /// # Errors
    /// [`LengthMismatch`](Error::LengthMismatch), [`ReadOnlyView`](Error::ReadOnlyView) if several indices are one element,
    /// [`OtherDevice`](Error::OtherDevice) if the stream is one of another device,
    /// [`HostBufferInUse`](Error::HostBufferInUse), or an error of the driver.
    pub fn copy_from_async<'a>(
        &mut self,
        buffer: &HostBuffer<T>,
        stream: impl Into<StreamRef<'a>>,
    ) -> Result<()> {
        let stream = self.check_copy(buffer, stream.into())?;
        self.layout.check_writable()?;
        let mut start = 0;
        for (first, len) in self.layout.runs() {
            let bytes = len * size_of::<T>();
            let work = Work::Upload {
                to: Arc::clone(&self.storage),
                offset: first * size_of::<T>(),
                from: Arc::clone(&buffer.block),
                start,
                bytes,
            };
            graph::start(&stream, work)?;
            start += bytes;
        }
        Ok(())
    }

    /// Copies all elements to a buffer, in row-major order, as work of a stream. Returns before the copy has finished;
    /// the buffer cannot be read until then.
    ///
    /// The copy follows the earlier uses of the tensor and of the buffer on any stream. A view is copied in as many
    /// parts as it has runs of consecutive elements.
    ///
    /// # Errors
    /// [`LengthMismatch`](Error::LengthMismatch), [`OtherDevice`](Error::OtherDevice) if the stream is one of another
    /// device, [`HostBufferInUse`](Error::HostBufferInUse), or an error of the driver.
    pub fn copy_to_async<'a>(
        &self,
        buffer: &mut HostBuffer<T>,
        stream: impl Into<StreamRef<'a>>,
    ) -> Result<()> {
        let stream = self.check_copy(buffer, stream.into())?;
        let mut start = 0;
        for (first, len) in self.layout.runs() {
            let bytes = len * size_of::<T>();
            let work = Work::Download {
                from: Arc::clone(&self.storage),
                offset: first * size_of::<T>(),
                to: Arc::clone(&buffer.block),
                start,
                bytes,
            };
            graph::start(&stream, work)?;
            start += bytes;
        }
        Ok(())
    }

    /// Returns the queue of a stream on which this tensor and the buffer can be copied.
    fn check_copy(
        &self,
        buffer: &HostBuffer<T>,
        stream: StreamRef<'_>,
    ) -> Result<crate::stream::Queue> {
        let queue = stream.queue?;
        if buffer.len != self.layout.len() {
            return Err(Error::LengthMismatch {
                len: buffer.len,
                shape: self.layout.shape.to_vec(),
                expected: self.layout.len(),
            });
        }
        if queue.device() != self.device() {
            return Err(Error::OtherDevice {
                what: "the tensor",
                expected: self.device(),
                found: queue.device(),
            });
        }
        Ok(queue)
    }
}

/// The elements of a [`HostBuffer`], to be read.
pub struct HostRead<'a, T: Element> {
    borrow: Borrow<'a>,
    len: usize,
    element: PhantomData<&'a [T]>,
}

impl<T: Element> Deref for HostRead<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: the block has so many elements, all bytes are valid ones (`NO_BOOL`), and no work writes them while
        // `borrow` lives.
        unsafe { slice::from_raw_parts(self.borrow.0.pointer.as_ptr().cast(), self.len) }
    }
}

/// The elements of a [`HostBuffer`], to be read and written.
pub struct HostWrite<'a, T: Element> {
    borrow: Borrow<'a>,
    len: usize,
    element: PhantomData<&'a mut [T]>,
}

impl<T: Element> Deref for HostWrite<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        // SAFETY: as for `HostRead`.
        unsafe { slice::from_raw_parts(self.borrow.0.pointer.as_ptr().cast(), self.len) }
    }
}

impl<T: Element> DerefMut for HostWrite<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as for `HostRead`, and no work reads them while `borrow` lives; there is one guard, since it borrows
        // the buffer exclusively.
        unsafe { slice::from_raw_parts_mut(self.borrow.0.pointer.as_ptr().cast(), self.len) }
    }
}

/// Memory of the host that work of streams uses.
pub(crate) struct HostBlock {
    pointer: NonNull<u8>,
    bytes: usize,
    owner: Owner,
    guards: Mutex<Guards>,
    uses: Mutex<Uses>,
}

/// The guards that safe code holds.
#[derive(Clone, Copy, Debug, Default)]
struct Guards {
    readers: usize,
    writers: usize,
}

#[derive(Clone, Copy)]
enum Owner {
    Program,
    /// Memory that is pinned for the GPU of this context.
    Pinned(&'static Context),
}

// SAFETY: the bytes are used only through guards and by work that `guards` and `uses` keep apart from them.
unsafe impl Send for HostBlock {}
// SAFETY: as above.
unsafe impl Sync for HostBlock {}

impl HostBlock {
    fn zeroed(device: Device, bytes: usize) -> Result<HostBlock> {
        let out_of_memory = || Error::OutOfMemory { device, bytes };
        let (pointer, owner) = match device.0 {
            device::Kind::Cuda(context) => {
                let pointer = driver::allocate_pinned(context, bytes.max(1))?;
                // SAFETY: the driver allocated this number of bytes.
                unsafe { pointer.write_bytes(0, bytes) };
                (Some(pointer), Owner::Pinned(context))
            }
            device::Kind::Cpu => (allocation::allocate_zeroed(bytes), Owner::Program),
            #[cfg(feature = "sim")]
            device::Kind::Sim => (allocation::allocate_zeroed(bytes), Owner::Program),
        };
        Ok(HostBlock {
            pointer: pointer.ok_or_else(out_of_memory)?,
            bytes,
            owner,
            guards: Mutex::default(),
            uses: Mutex::default(),
        })
    }

    /// Returns a block of this content.
    pub(crate) fn of(device: Device, content: &[u8]) -> Result<HostBlock> {
        let block = Self::zeroed(device, content.len())?;
        // SAFETY: the block has this number of bytes, and is not shared yet.
        unsafe {
            ptr::copy_nonoverlapping(content.as_ptr(), block.pointer.as_ptr(), content.len());
        }
        Ok(block)
    }

    pub(crate) fn address(&self) -> u64 {
        self.pointer.as_ptr() as u64
    }

    /// Describes a use of the memory.
    pub(crate) fn tracked(&self, access: Access) -> Tracked<'_> {
        Tracked {
            address: self.address(),
            uses: &self.uses,
            access,
        }
    }

    /// Prevents guards until the result is dropped. Refuses if one is alive that excludes this access.
    pub(crate) fn keep_guards_away(&self, access: Access) -> Result<KeptAway<'_>> {
        let guards = self.lock_guards();
        let in_use = match access {
            Access::Shared => guards.writers > 0,
            Access::Exclusive => guards.readers + guards.writers > 0,
        };
        if in_use {
            return Err(Error::HostBufferInUse);
        }
        Ok(KeptAway { _guards: guards })
    }

    fn lock_guards(&self) -> MutexGuard<'_, Guards> {
        self.guards.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the work that an access of the host must follow.
    pub(crate) fn synchronize(&self, access: Access) -> Result<()> {
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        uses.synchronize(access)
    }

    /// Returns the address at `start`, from which `bytes` bytes may be used.
    pub(crate) fn at(&self, start: usize, bytes: usize) -> *mut u8 {
        assert!(
            start <= self.bytes && bytes <= self.bytes - start,
            "a copy reaches beyond its buffer"
        );
        // SAFETY: `start` is within the block.
        unsafe { self.pointer.as_ptr().add(start) }
    }
}

impl Drop for HostBlock {
    fn drop(&mut self) {
        let uses = self.uses.get_mut().unwrap_or_else(PoisonError::into_inner);
        if uses.synchronize_at_last().is_err() {
            // The work of a device that is lost might still use the memory, so it is leaked.
            return;
        }
        match self.owner {
            Owner::Program => {
                // SAFETY: allocated in `zeroed`.
                unsafe { allocation::free(self.pointer, self.bytes) };
            }
            // SAFETY: allocated in `zeroed`; its work has finished.
            Owner::Pinned(context) => unsafe { driver::free_pinned(context, self.pointer) },
        }
    }
}

/// A block for which no guard can be taken while this is alive.
pub(crate) struct KeptAway<'a> {
    _guards: MutexGuard<'a, Guards>,
}

/// The hold of a guard on the memory: work that excludes it has finished, and cannot be submitted.
struct Borrow<'a>(&'a HostBlock, Access);

impl<'a> Borrow<'a> {
    fn new(block: &'a HostBlock, access: Access) -> Result<Borrow<'a>> {
        match access {
            Access::Shared => block.lock_guards().readers += 1,
            Access::Exclusive => block.lock_guards().writers += 1,
        }
        let borrow = Borrow(block, access);
        block.synchronize(access)?;
        Ok(borrow)
    }
}

impl Drop for Borrow<'_> {
    fn drop(&mut self) {
        match self.1 {
            Access::Shared => self.0.lock_guards().readers -= 1,
            Access::Exclusive => self.0.lock_guards().writers -= 1,
        }
    }
}

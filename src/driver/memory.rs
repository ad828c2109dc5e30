//! Device memory that is allocated, copied and freed in stream order.
//!
//! Memory may be dropped while submitted work still uses it. It is then freed on a stream, ordered
//! after that work.

use std::any::Any;
use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::sys;

use super::stream::in_order;
use super::{Context, Mark, RawStream, Tracked, Uses, check};
use crate::foreign::BorrowError;
use crate::{Device, Error, Result, device};

/// The access that a use makes to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    /// Read only.
    Shared,
    /// Read and write.
    Exclusive,
}

/// An allocation in the memory of a GPU.
pub(crate) struct DeviceMemory {
    address: sys::CUdeviceptr,
    bytes: usize,
    context: &'static Context,
    owner: Owner,
    uses: Mutex<Uses>,
}

/// The owner of the memory, which determines how it is freed.
enum Owner {
    /// The device's memory pool; freed in stream order.
    Pool,
    /// Memory of `cuMemAlloc`; freed by `cuMemFree`, which waits for the device.
    Plain,
    /// The code that lent the memory, and that submits its own work on it to this stream.
    Lender {
        stream: Arc<RawStream>,
        allowed: Access,
        ended: AtomicBool,
    },
    /// A value that is dropped after the last use. What dropping it does follows the work on this
    /// stream.
    Kept {
        stream: Arc<RawStream>,
        allowed: Access,
        owner: Option<Box<dyn Any + Send + Sync>>,
    },
}

impl DeviceMemory {
    /// Allocates uninitialized memory; `bytes` is not 0.
    fn allocate(context: &'static Context, bytes: usize) -> Result<DeviceMemory> {
        match Self::try_allocate(context, bytes)? {
            Some(memory) => return Ok(memory),
            None if context.pools => context.release_freed_memory()?,
            None => {}
        }
        Self::try_allocate(context, bytes)?.ok_or_else(|| Error::OutOfMemory {
            device: context.device(),
            bytes,
        })
    }

    /// Allocates uninitialized memory. Returns `None` if the device is out of memory. Memory of 0
    /// bytes has an address of its own, too.
    fn try_allocate(context: &'static Context, bytes: usize) -> Result<Option<DeviceMemory>> {
        let stream = context.default_stream()?;
        let _current = context.enter()?;
        let mut address = 0;
        let (owner, call, result) = if context.pools {
            // SAFETY: writes one address; the stream is of the current context.
            let result =
                unsafe { sys::cuMemAllocAsync(&raw mut address, bytes.max(1), stream.raw()) };
            (Owner::Pool, "cuMemAllocAsync", result)
        } else {
            // SAFETY: writes one address; a context is current.
            let result = unsafe { sys::cuMemAlloc_v2(&raw mut address, bytes.max(1)) };
            (Owner::Plain, "cuMemAlloc", result)
        };
        if result == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY {
            return Ok(None);
        }
        check(call, result)?;
        let memory = DeviceMemory {
            address,
            bytes,
            context,
            owner,
            uses: Mutex::default(),
        };
        // The allocation is work on the default stream, so uses on other streams must wait for it.
        in_order(
            &mut [(&mut memory.lock(), Access::Exclusive)],
            stream,
            Mark::IfNeeded,
            || Ok(()),
        )?;
        Ok(Some(memory))
    }

    /// Returns memory whose content nothing has set.
    pub(crate) fn uninitialized(context: &'static Context, bytes: usize) -> Result<DeviceMemory> {
        Self::allocate(context, bytes)
    }

    /// Returns memory of zeros, which the device sets asynchronously.
    pub(crate) fn zeroed(context: &'static Context, bytes: usize) -> Result<DeviceMemory> {
        let memory = Self::allocate(context, bytes)?;
        if bytes > 0 {
            memory.set(0, bytes, &[0])?;
        }
        Ok(memory)
    }

    /// Returns memory that holds `content`, which is not empty.
    pub(crate) fn from_bytes(context: &'static Context, content: &[u8]) -> Result<DeviceMemory> {
        let memory = Self::allocate(context, content.len())?;
        memory.write(0, content)?;
        Ok(memory)
    }

    /// Wraps memory that other code lends until [`end_borrow`](Self::end_borrow). Nothing waits on the host:
    /// the uses follow the work on `stream`.
    ///
    /// # Safety
    /// `address` points to `bytes` bytes of device memory. They remain valid until then, and meanwhile other
    /// code does not write them, and does not use them with [`Access::Exclusive`].
    pub(crate) unsafe fn borrowed(
        stream: &Arc<RawStream>,
        address: sys::CUdeviceptr,
        bytes: usize,
        allowed: Access,
    ) -> Result<DeviceMemory> {
        let owner = Owner::Lender {
            stream: Arc::clone(stream),
            allowed,
            ended: AtomicBool::new(false),
        };
        Self::following(stream, address, bytes, owner)
    }

    /// Wraps memory that `owner` frees when it is dropped. Nothing waits on the host: the uses follow the work
    /// on `stream`, and what is submitted to `stream` after `owner` was dropped follows the uses.
    ///
    /// # Safety
    /// As for [`borrowed`](Self::borrowed), until `owner` is dropped.
    pub(crate) unsafe fn kept(
        stream: &Arc<RawStream>,
        address: sys::CUdeviceptr,
        bytes: usize,
        allowed: Access,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Result<DeviceMemory> {
        let owner = Owner::Kept {
            stream: Arc::clone(stream),
            allowed,
            owner: Some(owner),
        };
        Self::following(stream, address, bytes, owner)
    }

    fn following(
        stream: &Arc<RawStream>,
        address: sys::CUdeviceptr,
        bytes: usize,
        owner: Owner,
    ) -> Result<DeviceMemory> {
        let context = stream.context();
        if bytes > 0 {
            check_device(context, address)?;
        }
        Ok(DeviceMemory {
            address,
            bytes,
            context,
            owner,
            uses: Mutex::new(Uses::following(stream)),
        })
    }

    /// Refuses an access that a borrow does not allow, or that comes after its end.
    pub(crate) fn check_access(&self, access: Access) -> Result<(), BorrowError> {
        match &self.owner {
            Owner::Lender { ended, .. } if ended.load(Ordering::Acquire) => {
                Err(BorrowError::Ended { param: None })
            }
            Owner::Lender { allowed, .. } | Owner::Kept { allowed, .. } if access > *allowed => {
                Err(BorrowError::ReadOnly { param: None })
            }
            _ => Ok(()),
        }
    }

    /// Ends a borrow: what the lender submits to its stream from now on follows the uses.
    pub(crate) fn end_borrow(&self) -> Result<()> {
        let Owner::Lender { stream, ended, .. } = &self.owner else {
            return Ok(());
        };
        if ended.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        // The lender goes on with the memory, whatever becomes of this call.
        self.make_wait(stream)
            .or_else(|_| self.lock().synchronize_at_last())
    }

    /// Makes a stream of other code wait for the uses of the memory.
    pub(crate) fn make_wait(&self, stream: &Arc<RawStream>) -> Result<()> {
        let _current = self.context.enter()?;
        self.lock().wait(Access::Exclusive, stream)
    }

    /// Makes later uses of the memory wait for the work on a stream of other code.
    pub(crate) fn follow(&self, stream: &Arc<RawStream>, access: Access) -> Result<()> {
        let _current = self.context.enter()?;
        in_order(&mut [(&mut self.lock(), access)], stream, Mark::Now, || {
            Ok(())
        })
    }

    pub(crate) fn address(&self) -> u64 {
        self.address
    }

    /// Returns the number of bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn context(&self) -> &'static Context {
        self.context
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Uses> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Describes a use of the memory.
    pub(crate) fn tracked(&self, access: Access) -> Tracked<'_> {
        Tracked {
            address: self.address,
            uses: &self.uses,
            access,
        }
    }

    /// Fills `bytes` bytes from `offset` with a pattern of 1, 2 or 4 bytes, asynchronously.
    /// `offset` and `bytes` must be multiples of the pattern's length.
    pub(crate) fn set(&self, offset: usize, bytes: usize, pattern: &[u8]) -> Result<()> {
        self.check_access(Access::Exclusive)?;
        let stream = self.context.default_stream()?;
        let _current = self.context.enter()?;
        let uses = &mut [(&mut *self.lock(), Access::Exclusive)];
        in_order(uses, stream, Mark::IfNeeded, || {
            self.submit_set(offset, bytes, pattern, stream)
        })
    }

    /// Submits what [`DeviceMemory::set`] does to a stream, whose context must be current.
    pub(crate) fn submit_set(
        &self,
        offset: usize,
        bytes: usize,
        pattern: &[u8],
        stream: &RawStream,
    ) -> Result<()> {
        self.assert_within(offset, bytes);
        let start = self.address + offset as u64;
        let count = bytes / pattern.len();
        match *pattern {
            // SAFETY: the range is within the memory, by the assertion above.
            [byte] => check("cuMemsetD8Async", unsafe {
                sys::cuMemsetD8Async(start, byte, count, stream.raw())
            }),
            // SAFETY: as above, and aligned because `offset` is a multiple of 2.
            [a, b] => check("cuMemsetD16Async", unsafe {
                sys::cuMemsetD16Async(start, u16::from_le_bytes([a, b]), count, stream.raw())
            }),
            // SAFETY: as above, and aligned because `offset` is a multiple of 4.
            [a, b, c, d] => check("cuMemsetD32Async", unsafe {
                let value = u32::from_le_bytes([a, b, c, d]);
                sys::cuMemsetD32Async(start, value, count, stream.raw())
            }),
            _ => unreachable!("a pattern has 1, 2 or 4 bytes"),
        }
    }

    /// Fills all bytes with a byte on a stream of the device, asynchronously.
    pub(crate) fn fill_on(&self, stream: &Arc<RawStream>, byte: u8) -> Result<()> {
        let _current = self.context.enter()?;
        let uses = &mut [(&mut *self.lock(), Access::Exclusive)];
        in_order(uses, stream, Mark::IfNeeded, || {
            self.submit_set(0, self.bytes, &[byte], stream)
        })
    }

    /// Copies `content` to `offset`, and returns when the copy has finished.
    pub(crate) fn write(&self, offset: usize, content: &[u8]) -> Result<()> {
        self.check_access(Access::Exclusive)?;
        let stream = self.context.default_stream()?;
        let _current = self.context.enter()?;
        let uses = &mut [(&mut *self.lock(), Access::Exclusive)];
        in_order(uses, stream, Mark::IfNeeded, || {
            // SAFETY: `content` is borrowed until the copy has been waited for below.
            unsafe { self.submit_write(offset, content.as_ptr(), content.len(), stream) }
        })?;
        wait_for_copy(stream)
    }

    /// Copies from `offset` into `content`, after all earlier writes, and returns when the copy has
    /// finished.
    pub(crate) fn read(&self, offset: usize, content: &mut [u8]) -> Result<()> {
        self.check_access(Access::Shared)?;
        let stream = self.context.default_stream()?;
        let _current = self.context.enter()?;
        let uses = &mut [(&mut *self.lock(), Access::Shared)];
        in_order(uses, stream, Mark::IfNeeded, || {
            // SAFETY: `content` is borrowed until the copy has been waited for below.
            unsafe { self.submit_read(offset, content.as_mut_ptr(), content.len(), stream) }
        })?;
        wait_for_copy(stream)
    }

    /// Submits a copy of host memory to `offset`, to a stream whose context must be current.
    ///
    /// # Safety
    /// `content` points to `bytes` bytes that are alive, and that nothing writes, until the copy has
    /// finished.
    pub(crate) unsafe fn submit_write(
        &self,
        offset: usize,
        content: *const u8,
        bytes: usize,
        stream: &RawStream,
    ) -> Result<()> {
        self.assert_within(offset, bytes);
        let start = self.address + offset as u64;
        // SAFETY: the range is within the memory; the caller promises the rest.
        check("cuMemcpyHtoDAsync", unsafe {
            sys::cuMemcpyHtoDAsync_v2(start, content.cast(), bytes, stream.raw())
        })
    }

    /// Submits a copy from `offset` to host memory, to a stream whose context must be current.
    ///
    /// # Safety
    /// `content` points to `bytes` bytes that are alive, and that nothing else uses, until the copy has
    /// finished.
    pub(crate) unsafe fn submit_read(
        &self,
        offset: usize,
        content: *mut u8,
        bytes: usize,
        stream: &RawStream,
    ) -> Result<()> {
        self.assert_within(offset, bytes);
        let start = self.address + offset as u64;
        // SAFETY: the range is within the memory; the caller promises the rest.
        check("cuMemcpyDtoHAsync", unsafe {
            sys::cuMemcpyDtoHAsync_v2(content.cast(), start, bytes, stream.raw())
        })
    }

    /// Submits a copy of `bytes` bytes from other memory, maybe of another device, to a stream whose
    /// context must be current. The two ranges may not overlap.
    pub(crate) fn submit_copy(
        &self,
        offset: usize,
        (from, start): (&DeviceMemory, usize),
        bytes: usize,
        stream: &RawStream,
    ) -> Result<()> {
        self.assert_within(offset, bytes);
        from.assert_within(start, bytes);
        let (to, at) = (self.address + offset as u64, from.address + start as u64);
        if self.context == from.context {
            // SAFETY: both ranges are within their memory.
            return check("cuMemcpyDtoDAsync", unsafe {
                sys::cuMemcpyDtoDAsync_v2(to, at, bytes, stream.raw())
            });
        }
        // SAFETY: as above; the contexts are those of the memory.
        check("cuMemcpyPeerAsync", unsafe {
            let (to_context, at_context) = (self.context.raw, from.context.raw);
            sys::cuMemcpyPeerAsync(to, to_context, at, at_context, bytes, stream.raw())
        })
    }

    fn assert_within(&self, offset: usize, bytes: usize) {
        assert!(
            offset <= self.bytes && bytes <= self.bytes - offset,
            "a view reaches beyond its memory"
        );
    }

    /// Frees memory of this crate after all uses, which the host waits for.
    fn free_at_last(&self) -> Result<()> {
        match self.owner {
            Owner::Pool | Owner::Plain => {}
            Owner::Lender { .. } | Owner::Kept { .. } => return Ok(()),
        }
        let _no_capture = self.context.no_capture();
        let mut uses = self.lock();
        uses.synchronize_at_last()?;
        let _current = self.context.enter()?;
        // SAFETY: `cuMemFree` takes memory of `cuMemAllocAsync` too; all uses have ended. The driver refuses an address
        // that is free already.
        check("cuMemFree", unsafe { sys::cuMemFree_v2(self.address) })
    }

    /// Frees the memory after all uses: in stream order if it is from the pool, otherwise after
    /// waiting.
    fn free(&mut self) -> Result<()> {
        let _current = self.context.enter()?;
        let address = self.address;
        match &mut self.owner {
            Owner::Plain => {
                let _no_capture = self.context.no_capture();
                // SAFETY: allocated by `cuMemAlloc`; the call waits for the device.
                check("cuMemFree", unsafe { sys::cuMemFree_v2(address) })
            }
            Owner::Pool => {
                let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
                let stream: Arc<RawStream> = match uses.last_stream() {
                    Some(stream) if stream.context() == self.context => stream,
                    Some(_) | None => Arc::clone(self.context.default_stream()?),
                };
                uses.wait(Access::Exclusive, &stream)?;
                // SAFETY: allocated by `cuMemAllocAsync`; every use comes before
                // this point of the stream.
                check("cuMemFreeAsync", unsafe {
                    sys::cuMemFreeAsync(address, stream.raw())
                })
            }
            Owner::Lender { .. } => Ok(()),
            Owner::Kept { stream, owner, .. } => {
                let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
                let waits = uses.wait(Access::Exclusive, stream);
                if waits.is_err() {
                    self.context.synchronize()?;
                }
                drop(owner.take());
                waits
            }
        }
    }
}

/// Waits for a copy of memory that is borrowed, so that it has ended even if the driver does not wait for its stream.
fn wait_for_copy(stream: &RawStream) -> Result<()> {
    stream.synchronize().inspect_err(|_| {
        // If this fails too, the device is lost, and the copy with it.
        let _ = stream.context().synchronize();
    })
}

/// Refuses an address that is not in memory of this GPU.
fn check_device(context: &'static Context, address: sys::CUdeviceptr) -> Result<()> {
    let _current = context.enter()?;
    let mut ordinal: c_int = 0;
    // SAFETY: the attribute is one int.
    let result = unsafe {
        sys::cuPointerGetAttribute(
            (&raw mut ordinal).cast(),
            sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
            address,
        )
    };
    let device = Device(device::Kind::Cuda(context));
    if result == sys::CUresult::CUDA_ERROR_INVALID_VALUE {
        return Err(BorrowError::UnknownAddress { address, device }.into());
    }
    check("cuPointerGetAttribute", result)?;
    match usize::try_from(ordinal) {
        Ok(ordinal) if ordinal == context.ordinal() => Ok(()),
        _ => Err(BorrowError::OtherDevice {
            address,
            device,
            ordinal,
        }
        .into()),
    }
}

impl Drop for DeviceMemory {
    fn drop(&mut self) {
        if self.free().is_err() {
            // If this fails too, the driver is being torn down, or an earlier kernel broke the context, which the
            // next call reports. The memory then goes with the context.
            let _ = self.free_at_last();
        }
    }
}

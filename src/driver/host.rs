//! Pinned memory of the host, which the device copies directly and asynchronously.

use std::ptr::{self, NonNull};

use super::sys;

use super::{Context, check};
use crate::{Error, Result};

/// Allocates pinned memory for all devices; `bytes` is not 0.
pub(crate) fn allocate_pinned(context: &'static Context, bytes: usize) -> Result<NonNull<u8>> {
    let out_of_memory = || Error::OutOfMemory {
        device: context.device(),
        bytes,
    };
    let _current = context.enter()?;
    let mut address = ptr::null_mut();
    // SAFETY: a context is current; writes one address.
    let result =
        unsafe { sys::cuMemHostAlloc(&raw mut address, bytes, sys::CU_MEMHOSTALLOC_PORTABLE) };
    if result == sys::CUresult::CUDA_ERROR_OUT_OF_MEMORY {
        return Err(out_of_memory());
    }
    check("cuMemHostAlloc", result)?;
    NonNull::new(address.cast()).ok_or_else(out_of_memory)
}

/// Frees pinned memory. A failure means that the driver is being torn down, or that the device is lost.
///
/// # Safety
/// `address` is of [`allocate_pinned`], and all work that uses it has finished.
pub(crate) unsafe fn free_pinned(context: &'static Context, address: NonNull<u8>) {
    let _no_capture = context.no_capture();
    let free = || {
        let _current = context.enter()?;
        // SAFETY: the caller promises it. The driver refuses an address that is free already.
        check("cuMemFreeHost", unsafe {
            sys::cuMemFreeHost(address.as_ptr().cast())
        })
    };
    if free().is_err() {
        let _ = free();
    }
}

//! Something of another context or device, or none.

use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::programs;
use crate::support::{Done, Gpu, R, Version, call};

programs! {
    peer_without_access: CUDA_ERROR_ILLEGAL_ADDRESS,
        "a device uses memory of another one without access to it",
        ["the launch of `fill`", "byte 0 of an allocation of 128 bytes of context", "on device 0", "`cuCtxEnablePeerAccess`"];
    peer_access_revoked: CUDA_ERROR_ILLEGAL_ADDRESS,
        "access to another device is taken back before its last use",
        ["the launch of `fill`", "on device 0", "`cuCtxEnablePeerAccess`"];
    memory_of_another_context: CUDA_ERROR_ILLEGAL_ADDRESS,
        "memory is allocated while another context is current",
        ["the launch of `fill`", "byte 0 of an allocation of 128 bytes of context", "and the launch is in context", "of the same device"];
    stream_of_another_context: CUDA_ERROR_INVALID_HANDLE,
        "a function is launched on a stream of another context",
        ["the function is of context", "and the stream of context"];
    event_of_another_context: CUDA_ERROR_INVALID_HANDLE,
        "an event is recorded on a stream of another device",
        ["`cuEventRecord`", "the event is of context", "and the stream of context"];
    no_context_on_this_thread: CUDA_ERROR_INVALID_CONTEXT,
        "a thread allocates before it made a context current",
        ["`cuMemAlloc`", "no context is current on this thread"];
    current_context_destroyed: CUDA_ERROR_CONTEXT_IS_DESTROYED,
        "a context is destroyed while a thread uses it",
        ["`cuMemAlloc`", "the current context", "was destroyed"];
    primary_context_reset_in_use: CUDA_ERROR_INVALID_HANDLE,
        "a library resets the primary context, in which the program has a stream",
        ["`cuStreamSynchronize`", "the stream 0x", "was destroyed"];
    primary_context_released: CUDA_ERROR_CONTEXT_IS_DESTROYED,
        "the primary context is released once too often",
        ["`cuMemAlloc`", "the primary context was released by all who retained it"];
}

/// Runs a part of a program in a context of another device, or of the same.
fn in_another(device: CUdevice, gpu: &Gpu, part: impl FnOnce(&Gpu) -> Done) -> Done {
    let other = Gpu::new(device)?;
    part(&other)?;
    other.enter()?;
    call(unsafe { cuCtxSynchronize() })?;
    other.close()?;
    gpu.enter()
}

fn peer_without_access(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.alloc(32)?;
    in_another(1, gpu, |other| {
        if version.is_mended() {
            call(unsafe { cuCtxEnablePeerAccess(gpu.context, 0) })?;
        }
        other.fill(data, 1, 32, null_mut())
    })
}

fn peer_access_revoked(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.alloc(32)?;
    in_another(1, gpu, |other| {
        call(unsafe { cuCtxEnablePeerAccess(gpu.context, 0) })?;
        other.fill(data, 1, 32, null_mut())?;
        call(unsafe { cuCtxSynchronize() })?;
        if !version.is_mended() {
            call(unsafe { cuCtxDisablePeerAccess(gpu.context) })?;
        }
        other.fill(data, 2, 32, null_mut())
    })
}

fn memory_of_another_context(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.alloc(32)?;
    in_another(0, gpu, |other| {
        let own = other.alloc(32)?;
        other.fill(version.either(data, own), 1, 32, null_mut())
    })
}

fn stream_of_another_context(gpu: &Gpu, version: Version) -> Done {
    let (stream, data) = (gpu.stream()?, gpu.alloc(32)?);
    in_another(1, gpu, |other| {
        if version.is_mended() {
            call(unsafe { cuCtxEnablePeerAccess(gpu.context, 0) })?;
        }
        let own = other.stream()?;
        other.fill(data, 1, 32, version.either(stream, own))
    })
}

fn event_of_another_context(gpu: &Gpu, version: Version) -> Done {
    let event = gpu.event()?;
    in_another(1, gpu, |other| {
        let own = other.event()?;
        call(unsafe { cuEventRecord(version.either(event, own), other.stream()?) })
    })
}

/// Runs a part of a program on a new thread.
fn on_a_thread(part: impl FnOnce() -> Done + Send + 'static) -> Done {
    let thread = std::thread::spawn(move || part().map_err(|error| error as u32));
    let outcome = thread.join().expect("the thread does not panic");
    outcome.map_err(|number| {
        let known = [
            R::CUDA_ERROR_INVALID_CONTEXT,
            R::CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
        ];
        let found = known.into_iter().find(|known| *known as u32 == number);
        found.unwrap_or(R::CUDA_ERROR_UNKNOWN)
    })
}

fn no_context_on_this_thread(gpu: &Gpu, version: Version) -> Done {
    let context = gpu.context as usize;
    on_a_thread(move || unsafe {
        if version.is_mended() {
            call(cuCtxSetCurrent(std::ptr::with_exposed_provenance_mut(
                context,
            )))?;
        }
        let mut data = 0;
        call(cuMemAlloc_v2(&raw mut data, 128))?;
        call(cuMemFree_v2(data))
    })
}

fn current_context_destroyed(gpu: &Gpu, version: Version) -> Done {
    let mut data = 0;
    unsafe {
        let mut other = null_mut();
        call(cuCtxCreate_v4(&raw mut other, null_mut(), 0, 1))?;
        // Another part of the program makes its own context current for a while, and destroys the first.
        call(cuCtxPushCurrent_v2(gpu.context))?;
        if !version.is_mended() {
            call(cuCtxDestroy_v2(other))?;
        }
        call(cuCtxPopCurrent_v2(&mut null_mut()))?;
        call(cuMemAlloc_v2(&raw mut data, 128))?;
        call(cuMemFree_v2(data))?;
        call(cuCtxDestroy_v2(other))?;
    }
    gpu.enter()
}

fn primary_context_reset_in_use(gpu: &Gpu, version: Version) -> Done {
    let (mut primary, mut stream) = (null_mut(), null_mut());
    unsafe {
        call(cuDevicePrimaryCtxRetain(&raw mut primary, 1))?;
        call(cuCtxSetCurrent(primary))?;
        call(cuStreamCreate(&raw mut stream, 0))?;
        if !version.is_mended() {
            call(cuDevicePrimaryCtxReset_v2(1))?;
        }
        call(cuStreamSynchronize(stream))?;
        call(cuStreamDestroy_v2(stream))?;
        call(cuDevicePrimaryCtxRelease_v2(1))?;
    }
    gpu.enter()
}

fn primary_context_released(gpu: &Gpu, version: Version) -> Done {
    let mut primary = null_mut();
    unsafe {
        call(cuDevicePrimaryCtxRetain(&raw mut primary, 1))?;
        call(cuCtxSetCurrent(primary))?;
        if !version.is_mended() {
            call(cuDevicePrimaryCtxRelease_v2(1))?;
        }
        let mut data = 0;
        call(cuMemAlloc_v2(&raw mut data, 128))?;
        call(cuMemFree_v2(data))?;
        call(cuDevicePrimaryCtxRelease_v2(1))?;
    }
    gpu.enter()
}

//! Streams and events after they are gone, times of events, and functions of the host.

use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

use cudarc::driver::sys::*;

use crate::programs;
use crate::support::{Done, Gpu, R, Version, call};

programs! {
    stream_destroyed_then_used: CUDA_ERROR_INVALID_HANDLE,
        "a stream is used after it was destroyed",
        ["`cuMemsetD32Async`", "the stream 0x", "was destroyed"];
    event_destroyed_then_waited_for: CUDA_ERROR_INVALID_HANDLE,
        "an event is destroyed before a stream waits for it",
        ["`cuStreamWaitEvent`", "the event 0x", "was destroyed"];
    stream_for_an_event: CUDA_ERROR_INVALID_HANDLE,
        "a stream is given where an event belongs",
        ["`cuEventSynchronize`", "is no event, but a handle of something else"];
    event_is_null: CUDA_ERROR_INVALID_HANDLE,
        "an event was never created",
        ["`cuEventRecord`", "the event is null"];
    time_of_an_event_without_timing: CUDA_ERROR_INVALID_HANDLE,
        "an event that measures has `CU_EVENT_DISABLE_TIMING`",
        ["`cuEventElapsedTime`", "an event was created with `CU_EVENT_DISABLE_TIMING`"];
    time_of_an_event_that_was_not_recorded: CUDA_ERROR_INVALID_HANDLE,
        "the end of what is measured was not recorded",
        ["`cuEventElapsedTime`", "an event was not recorded on a stream"];
    host_function_calls_the_driver: CUDA_ERROR_NOT_PERMITTED,
        "a function of the host frees memory",
        ["`cuMemFree`", "a function that a stream calls on the host may not call the driver"];
}

fn stream_destroyed_then_used(gpu: &Gpu, version: Version) -> Done {
    let (mut stream, data) = (null_mut(), gpu.alloc(32)?);
    unsafe {
        call(cuStreamCreate(&raw mut stream, 0))?;
        if !version.is_mended() {
            call(cuStreamDestroy_v2(stream))?;
        }
        call(cuMemsetD32Async(data, 1, 32, stream))?;
        call(cuStreamDestroy_v2(stream))
    }
}

fn event_destroyed_then_waited_for(gpu: &Gpu, version: Version) -> Done {
    let (one, two, mut event) = (gpu.stream()?, gpu.stream()?, null_mut());
    unsafe {
        call(cuEventCreate(&raw mut event, 0))?;
        call(cuEventRecord(event, one))?;
        if !version.is_mended() {
            call(cuEventDestroy_v2(event))?;
        }
        call(cuStreamWaitEvent(two, event, 0))?;
        call(cuEventDestroy_v2(event))
    }
}

fn stream_for_an_event(gpu: &Gpu, version: Version) -> Done {
    let (stream, event) = (gpu.stream()?, gpu.event()?);
    call(unsafe { cuEventSynchronize(version.either(stream.cast(), event)) })
}

fn event_is_null(gpu: &Gpu, version: Version) -> Done {
    let (stream, event) = (gpu.stream()?, gpu.event()?);
    call(unsafe { cuEventRecord(version.either(null_mut(), event), stream) })
}

fn time_of_an_event_without_timing(gpu: &Gpu, version: Version) -> Done {
    let flag = version.either(
        CUevent_flags::CU_EVENT_DISABLE_TIMING,
        CUevent_flags::CU_EVENT_DEFAULT,
    );
    let (stream, start, end) = (gpu.stream()?, gpu.event()?, gpu.event_with(flag as u32)?);
    unsafe {
        call(cuEventRecord(start, stream))?;
        call(cuEventRecord(end, stream))?;
        call(cuEventSynchronize(end))?;
        call(cuEventElapsedTime_v2(&mut { 0.0 }, start, end))
    }
}

fn time_of_an_event_that_was_not_recorded(gpu: &Gpu, version: Version) -> Done {
    let (stream, start, end) = (gpu.stream()?, gpu.event()?, gpu.event()?);
    unsafe {
        call(cuEventRecord(start, stream))?;
        if version.is_mended() {
            call(cuEventRecord(end, stream))?;
        }
        call(cuStreamSynchronize(stream))?;
        call(cuEventElapsedTime_v2(&mut { 0.0 }, start, end))
    }
}

/// What the function of the host got.
static RESULT: AtomicU32 = AtomicU32::new(0);

unsafe extern "C" fn free(data: *mut c_void) {
    let result = unsafe { cuMemFree_v2(data as u64) };
    RESULT.store(result as u32, Ordering::Relaxed);
}

fn host_function_calls_the_driver(gpu: &Gpu, version: Version) -> Done {
    let (stream, data) = (gpu.stream()?, gpu.own(32)?);
    let pointer = std::ptr::with_exposed_provenance_mut(usize::try_from(data).expect("64 bits"));
    unsafe {
        if version.is_mended() {
            call(cuStreamSynchronize(stream))?;
            return call(cuMemFree_v2(data));
        }
        call(cuLaunchHostFunc(stream, Some(free), pointer))?;
        call(cuStreamSynchronize(stream))?;
    }
    match RESULT.load(Ordering::Relaxed) {
        number if number == R::CUDA_ERROR_NOT_PERMITTED as u32 => Err(R::CUDA_ERROR_NOT_PERMITTED),
        _ => Ok(()),
    }
}

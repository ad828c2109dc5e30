//! Captures with what may not be captured.

use cudarc::driver::sys::*;

use crate::programs;
use crate::support::{Arg, Done, Gpu, R, Version, call, launch};

programs! {
    synchronize_in_a_capture: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
        "the host waits for a stream that is captured",
        ["`cuStreamSynchronize`", "the stream is captured"];
    query_in_a_capture: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
        "the host asks whether a captured stream has ended",
        ["`cuStreamQuery`", "the stream is captured"];
    default_stream_in_a_capture: CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
        "a library launches on the default stream while a blocking stream is captured",
        ["`cuMemsetD32Async`", "the legacy default stream would wait for a blocking stream that is captured"];
    allocation_in_a_capture: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
        "memory is allocated with `cuMemAlloc` during a capture",
        ["`cuMemAlloc`", "a capture is in progress"];
    free_in_a_capture: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
        "a temporary buffer is freed with `cuMemFree` during a capture",
        ["`cuMemFree`", "a capture is in progress"];
    blocking_copy_in_a_capture: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
        "a copy without a stream is made during a capture",
        ["`cuMemcpyHtoD`", "a capture is in progress"];
    fork_is_not_joined: CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
        "a stream that joined the capture is not joined to the first one at its end",
        ["`cuStreamEndCapture`", "work of another stream that the capture forked to is not joined"];
    capture_ended_by_another_thread: CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
        "another thread ends the capture",
        ["`cuStreamEndCapture`", "the capture was begun by another thread"];
    other_thread_allocates_in_a_capture: CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
        "another thread allocates while a capture of the global mode is in progress",
        ["`cuMemAlloc`", "a capture is in progress"];
    captures_are_merged: CUDA_ERROR_STREAM_CAPTURE_MERGE,
        "a captured stream waits for an event of another capture",
        ["`cuStreamWaitEvent`", "the stream and the event are of two captures"];
    wait_for_work_outside_of_the_capture: CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
        "a captured stream waits for an event that was recorded before the capture",
        ["`cuStreamWaitEvent`", "an event that was recorded outside of the capture"];
    wait_for_a_captured_event: CUDA_ERROR_CAPTURED_EVENT,
        "the host waits for an event that was recorded in a capture",
        ["`cuEventSynchronize`", "the event was last recorded in a capture"];
    event_of_another_device_in_a_capture: CUDA_ERROR_INVALID_HANDLE,
        "an event of another device is recorded in a captured stream",
        ["`cuEventRecord`", "the event is of context", "and the stream of context"];
    other_stream_ended: CUDA_ERROR_STREAM_CAPTURE_UNMATCHED,
        "the capture is ended on the stream that joined it",
        ["`cuStreamEndCapture`", "the capture was begun on another stream"];
}

/// Captures a fill of 32 numbers with `during`, and runs it.
fn capture(gpu: &Gpu, flags: CUstream_flags, during: impl FnOnce(CUstream) -> Done) -> Done {
    let (stream, data) = (gpu.stream_with(flags as u32)?, gpu.alloc(32)?);
    let fill = gpu.kernel("fill")?;
    gpu.begin_capture(stream)?;
    launch(fill, 32, stream, &[Arg::Address(data), Arg::Number(4)])?;
    during(stream)?;
    let graph = gpu.end_capture(stream)?;
    let exec = gpu.instantiate(graph)?;
    unsafe {
        call(cuGraphLaunch(exec, stream))?;
        call(cuStreamSynchronize(stream))?;
    }
    assert_eq!(gpu.read(data, 32)?, [4; 32]);
    Ok(())
}

const BESIDE: CUstream_flags = CUstream_flags::CU_STREAM_NON_BLOCKING;

/// Makes a call during a capture, or before it in the mended program.
fn during(gpu: &Gpu, version: Version, forbidden: impl Fn(CUstream) -> Done) -> Done {
    if version.is_mended() {
        forbidden(gpu.stream()?)?;
    }
    capture(gpu, BESIDE, |stream| match version {
        Version::Broken => forbidden(stream),
        Version::Mended => Ok(()),
    })
}

fn synchronize_in_a_capture(gpu: &Gpu, version: Version) -> Done {
    during(gpu, version, |stream| {
        call(unsafe { cuStreamSynchronize(stream) })
    })
}

fn query_in_a_capture(gpu: &Gpu, version: Version) -> Done {
    during(gpu, version, |stream| {
        call(unsafe { cuStreamQuery(stream) })
    })
}

fn default_stream_in_a_capture(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.alloc(32)?;
    let flags = version.either(CUstream_flags::CU_STREAM_DEFAULT, BESIDE);
    capture(gpu, flags, |_| {
        call(unsafe { cuMemsetD32Async(data, 1, 32, std::ptr::null_mut()) })
    })
}

fn allocation_in_a_capture(gpu: &Gpu, version: Version) -> Done {
    during(gpu, version, |_| gpu.alloc(32).map(drop))
}

fn free_in_a_capture(gpu: &Gpu, version: Version) -> Done {
    let temporary = gpu.own(32)?;
    capture(gpu, BESIDE, |_| match version {
        Version::Broken => call(unsafe { cuMemFree_v2(temporary) }),
        Version::Mended => Ok(()),
    })?;
    call(unsafe { cuMemFree_v2(temporary) })
}

fn blocking_copy_in_a_capture(gpu: &Gpu, version: Version) -> Done {
    let (data, number) = (gpu.alloc(1)?, 5u32);
    let copy = |_| call(unsafe { cuMemcpyHtoD_v2(data, (&raw const number).cast(), 4) });
    during(gpu, version, copy)
}

fn fork_is_not_joined(gpu: &Gpu, version: Version) -> Done {
    let (other, data) = (gpu.stream()?, gpu.alloc(32)?);
    let (fork, join) = (gpu.event()?, gpu.event()?);
    capture(gpu, BESIDE, |stream| unsafe {
        call(cuEventRecord(fork, stream))?;
        call(cuStreamWaitEvent(other, fork, 0))?;
        call(cuMemsetD32Async(data, 1, 32, other))?;
        if version.is_mended() {
            call(cuEventRecord(join, other))?;
            call(cuStreamWaitEvent(stream, join, 0))?;
        }
        Ok(())
    })
}

/// Runs a call on another thread, with the context current.
fn on_a_thread(gpu: &Gpu, part: impl FnOnce() -> R + Send) -> Done {
    let context = gpu.context as usize;
    let result = std::thread::scope(|scope| {
        let thread = scope.spawn(move || {
            let context = std::ptr::with_exposed_provenance_mut(context);
            match unsafe { cuCtxSetCurrent(context) } {
                R::CUDA_SUCCESS => part(),
                error => error,
            }
        });
        thread.join().expect("the thread does not panic")
    });
    call(result)
}

fn capture_ended_by_another_thread(gpu: &Gpu, version: Version) -> Done {
    let stream = gpu.stream()?;
    let mode = version.either(
        CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL,
        CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED,
    );
    call(unsafe { cuStreamBeginCapture_v2(stream, mode) })?;
    let number = stream as usize;
    on_a_thread(gpu, move || unsafe {
        let mut graph = std::ptr::null_mut();
        match cuStreamEndCapture(
            std::ptr::with_exposed_provenance_mut(number),
            &raw mut graph,
        ) {
            R::CUDA_SUCCESS => cuGraphDestroy(graph),
            error => error,
        }
    })
}

fn other_thread_allocates_in_a_capture(gpu: &Gpu, version: Version) -> Done {
    let stream = gpu.stream()?;
    let mode = version.either(
        CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL,
        CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL,
    );
    call(unsafe { cuStreamBeginCapture_v2(stream, mode) })?;
    on_a_thread(gpu, || unsafe {
        // The mode of a thread is its own.
        let mut own = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        if version.is_mended() {
            let _changed = cuThreadExchangeStreamCaptureMode(&raw mut own);
        }
        let mut data = 0;
        match cuMemAlloc_v2(&raw mut data, 128) {
            R::CUDA_SUCCESS => cuMemFree_v2(data),
            error => error,
        }
    })?;
    gpu.end_capture(stream).map(drop)
}

fn captures_are_merged(gpu: &Gpu, version: Version) -> Done {
    let (other, event) = (gpu.stream()?, gpu.event()?);
    capture(gpu, BESIDE, |stream| unsafe {
        if version.is_mended() {
            call(cuEventRecord(event, stream))?;
        } else {
            gpu.begin_capture(other)?;
            call(cuEventRecord(event, other))?;
        }
        call(cuStreamWaitEvent(stream, event, 0))
    })
}

fn wait_for_work_outside_of_the_capture(gpu: &Gpu, version: Version) -> Done {
    let (other, event) = (gpu.stream()?, gpu.event()?);
    call(unsafe { cuEventRecord(event, other) })?;
    let flag = version.either(
        CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT,
        CUevent_wait_flags::CU_EVENT_WAIT_EXTERNAL,
    );
    capture(gpu, BESIDE, |stream| {
        call(unsafe { cuStreamWaitEvent(stream, event, flag as u32) })
    })
}

fn wait_for_a_captured_event(gpu: &Gpu, version: Version) -> Done {
    let event = gpu.event()?;
    let outside = gpu.stream()?;
    capture(gpu, BESIDE, |stream| unsafe {
        call(cuEventRecord(event, version.either(stream, outside)))?;
        call(cuEventSynchronize(event))
    })
}

fn event_of_another_device_in_a_capture(gpu: &Gpu, version: Version) -> Done {
    let other = Gpu::new(1)?;
    let foreign = other.event()?;
    gpu.enter()?;
    let own = gpu.event()?;
    capture(gpu, BESIDE, |stream| {
        call(unsafe { cuEventRecord(version.either(foreign, own), stream) })
    })?;
    other.close()?;
    gpu.enter()
}

fn other_stream_ended(gpu: &Gpu, version: Version) -> Done {
    let (one, two, fork, join) = (gpu.stream()?, gpu.stream()?, gpu.event()?, gpu.event()?);
    gpu.begin_capture(one)?;
    unsafe {
        call(cuEventRecord(fork, one))?;
        call(cuStreamWaitEvent(two, fork, 0))?;
        call(cuEventRecord(join, two))?;
        call(cuStreamWaitEvent(one, join, 0))?;
    }
    gpu.end_capture(version.either(two, one)).map(drop)
}

//! The host uses memory that operations use.

use std::ffi::c_void;

use cudarc::driver::sys::*;

use crate::programs;
use crate::support::{Done, Gpu, Version, call};

programs! {
    pinned_memory_read_too_early: CUDA_ERROR_LAUNCH_FAILED,
        "the host reads pinned memory before it waits for the copy to it",
        ["the host reads address", "byte 0 of its allocation", "`cuMemcpyDtoHAsync` on stream", "writes", "a synchronization with its stream"];
    pinned_memory_written_too_early: CUDA_ERROR_LAUNCH_FAILED,
        "the host writes pinned memory while a copy reads it",
        ["the host writes address", "`cuMemcpyHtoDAsync` on stream", "reads", "a synchronization with its stream"];
    other_stream_synchronized: CUDA_ERROR_LAUNCH_FAILED,
        "the host waits for another stream, and reads what the copy writes",
        ["the host reads", "`cuMemcpyDtoHAsync` on stream", "writes"];
    event_of_the_previous_copy: CUDA_ERROR_LAUNCH_FAILED,
        "the host waits for the event of the copy before, in a ring of two buffers",
        ["the host reads", "`cuMemcpyDtoHAsync` on stream", "writes"];
    not_ready_ignored: CUDA_ERROR_LAUNCH_FAILED,
        "the host queries the stream, and does not look at the answer",
        ["the host reads", "`cuMemcpyDtoHAsync` on stream", "writes"];
    managed_memory_read_too_early: CUDA_ERROR_LAUNCH_FAILED,
        "the host reads managed memory that a launch writes",
        ["the launch of `fill` on stream", "writes", "the host reads", "a synchronization with its stream"];
    pinned_memory_filled_too_early: CUDA_ERROR_LAUNCH_FAILED,
        "the host prepares the next input in memory that a launch still reads",
        ["the host writes", "the launch of `next` on stream", "reads"];
    pinned_memory_used_after_it_is_freed: CUDA_ERROR_ILLEGAL_ADDRESS,
        "the host reads pinned memory after it has freed it",
        ["the host reads address", "byte 4 of an allocation that `cuMemFreeHost` by the host freed"];
    upload_from_freed_memory: CUDA_ERROR_INVALID_VALUE,
        "a copy reads pinned memory that was freed",
        ["`cuMemcpyHtoDAsync`", "byte 0 of an allocation that `cuMemFreeHost` by the host freed"];
    callback_uses_freed_memory: CUDA_ERROR_ILLEGAL_ADDRESS,
        "a function of the host writes memory that the program freed meanwhile",
        ["a function of the host on stream", "writes address", "an allocation that `cuMemFreeHost` by the host freed"];
    graph_output_read_too_early: CUDA_ERROR_LAUNCH_FAILED,
        "the host reads what a graph copies, before it waits for the graph",
        ["the host reads", "a copy in graph", "writes"];
}

/// Copies numbers to pinned memory, and calls `wait` before it reads them.
fn download(gpu: &Gpu, wait: impl FnOnce(CUstream) -> Done, version: Version) -> Done {
    let (stream, data, numbers) = (gpu.stream()?, gpu.numbers(&[3; 32])?, gpu.pinned(32)?);
    unsafe {
        call(cuMemcpyDtoHAsync_v2(numbers.cast(), data, 128, stream))?;
        wait(stream)?;
        let first = numbers.read_volatile();
        if version.is_mended() {
            assert_eq!(first, 3);
        }
    }
    Ok(())
}

fn pinned_memory_read_too_early(gpu: &Gpu, version: Version) -> Done {
    let wait = |stream| match version {
        Version::Broken => Ok(()),
        Version::Mended => call(unsafe { cuStreamSynchronize(stream) }),
    };
    download(gpu, wait, version)
}

fn pinned_memory_written_too_early(gpu: &Gpu, version: Version) -> Done {
    let (stream, data, numbers) = (gpu.stream()?, gpu.alloc(32)?, gpu.pinned(32)?);
    unsafe {
        call(cuMemcpyHtoDAsync_v2(data, numbers.cast(), 128, stream))?;
        if version.is_mended() {
            call(cuStreamSynchronize(stream))?;
        }
        numbers.write_volatile(9);
        call(cuStreamSynchronize(stream))?;
    }
    if version.is_mended() {
        assert_eq!(gpu.read(data, 32)?, [1; 32]);
    }
    Ok(())
}

fn other_stream_synchronized(gpu: &Gpu, version: Version) -> Done {
    let other = gpu.stream()?;
    let wait = |stream| call(unsafe { cuStreamSynchronize(version.either(other, stream)) });
    download(gpu, wait, version)
}

fn event_of_the_previous_copy(gpu: &Gpu, version: Version) -> Done {
    let (stream, data, numbers) = (gpu.stream()?, gpu.numbers(&[3; 64])?, gpu.pinned(64)?);
    let events = [gpu.event()?, gpu.event()?];
    for (part, &event) in events.iter().enumerate() {
        let offset = 128 * part as u64;
        unsafe {
            let to = numbers.add(32 * part).cast();
            call(cuMemcpyDtoHAsync_v2(to, data + offset, 128, stream))?;
            call(cuEventRecord(event, stream))?;
        }
    }
    unsafe {
        call(cuEventSynchronize(version.either(events[0], events[1])))?;
        let last = numbers.add(63).read_volatile();
        if version.is_mended() {
            assert_eq!(last, 3);
        }
    }
    Ok(())
}

fn not_ready_ignored(gpu: &Gpu, version: Version) -> Done {
    let flag = gpu.numbers(&[0])?;
    let (stream, other) = (gpu.stream()?, gpu.stream()?);
    let (data, numbers) = (gpu.numbers(&[3; 32])?, gpu.pinned(32)?);
    let args = [crate::support::Arg::Address(flag)];
    let signal = gpu.kernel("signal")?;
    crate::support::launch(gpu.kernel("spin")?, 1, stream, &args)?;
    unsafe {
        call(cuMemcpyDtoHAsync_v2(numbers.cast(), data, 128, stream))?;
        let _answer = cuStreamQuery(stream);
        if version.is_mended() {
            crate::support::launch(signal, 1, other, &args)?;
            while cuStreamQuery(stream) == CUresult::CUDA_ERROR_NOT_READY {}
        }
        let first = numbers.read_volatile();
        if version.is_mended() {
            assert_eq!(first, 3);
        } else {
            crate::support::launch(signal, 1, other, &args)?;
        }
    }
    Ok(())
}

fn managed_memory_read_too_early(gpu: &Gpu, version: Version) -> Done {
    let (stream, numbers) = (gpu.stream()?, gpu.managed(32)?);
    gpu.fill(numbers as u64, 7, 32, stream)?;
    unsafe {
        if version.is_mended() {
            call(cuStreamSynchronize(stream))?;
        }
        let first = numbers.read_volatile();
        if version.is_mended() {
            assert_eq!(first, 7);
        }
    }
    Ok(())
}

fn pinned_memory_filled_too_early(gpu: &Gpu, version: Version) -> Done {
    let (stream, result, input) = (gpu.stream()?, gpu.alloc(32)?, gpu.pinned(32)?);
    gpu.next(result, input as u64, 32, stream)?;
    unsafe {
        if version.is_mended() {
            call(cuStreamSynchronize(stream))?;
        }
        input.write_volatile(5);
        call(cuStreamSynchronize(stream))?;
    }
    if version.is_mended() {
        assert_eq!(gpu.read(result, 32)?, [2; 32]);
    }
    Ok(())
}

fn pinned_memory_used_after_it_is_freed(gpu: &Gpu, version: Version) -> Done {
    let numbers = gpu.own_pinned(32)?;
    unsafe {
        if version.is_mended() {
            assert_eq!(numbers.add(1).read_volatile(), 1);
        }
        call(cuMemFreeHost(numbers.cast()))?;
        if !version.is_mended() {
            let _gone = numbers.add(1).read_volatile();
        }
    }
    Ok(())
}

fn upload_from_freed_memory(gpu: &Gpu, version: Version) -> Done {
    let (stream, data, numbers) = (gpu.stream()?, gpu.alloc(32)?, gpu.own_pinned(32)?);
    unsafe {
        if !version.is_mended() {
            call(cuMemFreeHost(numbers.cast()))?;
        }
        call(cuMemcpyHtoDAsync_v2(data, numbers.cast(), 128, stream))?;
        call(cuStreamSynchronize(stream))?;
        if version.is_mended() {
            call(cuMemFreeHost(numbers.cast()))?;
        }
    }
    Ok(())
}

/// Sets a number.
unsafe extern "C" fn set(number: *mut c_void) {
    unsafe { number.cast::<u32>().write_volatile(8) };
}

fn callback_uses_freed_memory(gpu: &Gpu, version: Version) -> Done {
    let (stream, numbers) = (gpu.stream()?, gpu.own_pinned(32)?);
    unsafe {
        if !version.is_mended() {
            call(cuMemFreeHost(numbers.cast()))?;
        }
        call(cuLaunchHostFunc(stream, Some(set), numbers.cast()))?;
        call(cuStreamSynchronize(stream))?;
        if version.is_mended() {
            assert_eq!(numbers.read_volatile(), 8);
            call(cuMemFreeHost(numbers.cast()))?;
        }
    }
    Ok(())
}

fn graph_output_read_too_early(gpu: &Gpu, version: Version) -> Done {
    let (stream, data, numbers) = (gpu.stream()?, gpu.numbers(&[3; 32])?, gpu.pinned(32)?);
    gpu.begin_capture(stream)?;
    call(unsafe { cuMemcpyDtoHAsync_v2(numbers.cast(), data, 128, stream) })?;
    let graph = gpu.end_capture(stream)?;
    let exec = gpu.instantiate(graph)?;
    unsafe {
        call(cuGraphLaunch(exec, stream))?;
        if version.is_mended() {
            call(cuStreamSynchronize(stream))?;
        }
        let first = numbers.read_volatile();
        if version.is_mended() {
            assert_eq!(first, 3);
        }
    }
    Ok(())
}

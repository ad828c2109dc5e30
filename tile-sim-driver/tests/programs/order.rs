//! An order between streams is missing.

use cudarc::driver::sys::*;

use crate::programs;
use crate::support::{Done, Gpu, Version, call};

programs! {
    no_event_between_streams: CUDA_ERROR_LAUNCH_FAILED,
        "a stream uses what another one writes, and does not wait for it",
        ["the launch of `next` on stream", "reads address", "the launch of `fill` on stream", "writes", "an event, a wait, or a synchronization is missing"];
    event_recorded_before_the_work: CUDA_ERROR_LAUNCH_FAILED,
        "the event is recorded before the work that it stands for",
        ["`next`", "reads", "`fill`", "writes", "nothing orders them"];
    wait_for_another_event: CUDA_ERROR_LAUNCH_FAILED,
        "the wait is for the event of another stream",
        ["`next`", "reads", "`fill`", "writes", "nothing orders them"];
    wait_before_the_record: CUDA_ERROR_LAUNCH_FAILED,
        "the wait comes before the record of the event, and an event that was never recorded is complete",
        ["`next`", "reads", "`fill`", "writes", "nothing orders them"];
    event_recorded_again: CUDA_ERROR_LAUNCH_FAILED,
        "the event is recorded again, on another stream, before the wait",
        ["`next`", "reads", "`fill`", "writes", "nothing orders them"];
    default_stream_beside_a_non_blocking_one: CUDA_ERROR_LAUNCH_FAILED,
        "a fill on the default stream is thought to be before a stream that does not wait for it",
        ["the launch of `next` on stream", "`cuMemsetD32` on the legacy default stream", "writes", "nothing orders them"];
    download_on_the_default_stream: CUDA_ERROR_LAUNCH_FAILED,
        "a copy on the default stream reads what a non-blocking stream writes",
        ["`cuMemcpyDtoH` on the legacy default stream", "reads", "the launch of `fill` on stream", "writes"];
    download_on_another_stream: CUDA_ERROR_LAUNCH_FAILED,
        "results are copied on a stream that does not wait for the launch",
        ["`cuMemcpyDtoHAsync` on stream", "reads", "`fill`", "writes"];
    wrong_stream_synchronized: CUDA_ERROR_LAUNCH_FAILED,
        "the host waits for the other stream before it submits the next launch",
        ["`next`", "reads", "`fill`", "writes"];
    buffer_used_again_too_early: CUDA_ERROR_LAUNCH_FAILED,
        "an upload into a staging buffer does not wait for the launch that still reads it",
        ["`cuMemcpyHtoDAsync` on stream", "writes", "the launch of `next` on stream", "reads"];
    graph_beside_its_input: CUDA_ERROR_LAUNCH_FAILED,
        "a graph is launched on another stream than what writes its input",
        ["the launch of `next` in graph", "reads", "`fill`", "writes"];
}

/// Writes numbers on one stream, and reads them on another.
fn hand_over(
    gpu: &Gpu,
    order: impl FnOnce(&Gpu, CUstream, CUstream) -> Done,
    version: Version,
) -> Done {
    let (one, two) = (gpu.stream()?, gpu.stream()?);
    let (data, result) = (gpu.alloc(32)?, gpu.alloc(32)?);
    gpu.fill(data, 4, 32, one)?;
    order(gpu, one, two)?;
    gpu.next(result, data, 32, two)?;
    call(unsafe { cuStreamSynchronize(two) })?;
    let numbers = gpu.read(result, 32)?;
    if version.is_mended() {
        assert_eq!(numbers, [5; 32]);
    }
    Ok(())
}

fn no_event_between_streams(gpu: &Gpu, version: Version) -> Done {
    let order = |gpu: &Gpu, one, two| match version {
        Version::Broken => Ok(()),
        Version::Mended => gpu.order(one, two),
    };
    hand_over(gpu, order, version)
}

fn event_recorded_before_the_work(gpu: &Gpu, version: Version) -> Done {
    let (one, two, event) = (gpu.stream()?, gpu.stream()?, gpu.event()?);
    let (data, result) = (gpu.alloc(32)?, gpu.alloc(32)?);
    unsafe {
        if !version.is_mended() {
            call(cuEventRecord(event, one))?;
        }
        gpu.fill(data, 4, 32, one)?;
        if version.is_mended() {
            call(cuEventRecord(event, one))?;
        }
        call(cuStreamWaitEvent(two, event, 0))?;
    }
    gpu.next(result, data, 32, two)
}

fn wait_for_another_event(gpu: &Gpu, version: Version) -> Done {
    let order = |gpu: &Gpu, one, two| unsafe {
        let (written, other) = (gpu.event()?, gpu.event()?);
        call(cuEventRecord(written, one))?;
        call(cuEventRecord(other, gpu.stream()?))?;
        call(cuStreamWaitEvent(two, version.either(other, written), 0))
    };
    hand_over(gpu, order, version)
}

fn wait_before_the_record(gpu: &Gpu, version: Version) -> Done {
    let order = |gpu: &Gpu, one, two| unsafe {
        let event = gpu.event()?;
        if version.is_mended() {
            call(cuEventRecord(event, one))?;
        }
        call(cuStreamWaitEvent(two, event, 0))?;
        if !version.is_mended() {
            call(cuEventRecord(event, one))?;
        }
        Ok(())
    };
    hand_over(gpu, order, version)
}

fn event_recorded_again(gpu: &Gpu, version: Version) -> Done {
    let order = |gpu: &Gpu, one, two| unsafe {
        let event = gpu.event()?;
        call(cuEventRecord(event, one))?;
        let other = version.either(event, gpu.event()?);
        call(cuEventRecord(other, gpu.stream()?))?;
        call(cuStreamWaitEvent(two, event, 0))
    };
    hand_over(gpu, order, version)
}

fn default_stream_beside_a_non_blocking_one(gpu: &Gpu, version: Version) -> Done {
    let flag = version.either(
        CUstream_flags::CU_STREAM_NON_BLOCKING,
        CUstream_flags::CU_STREAM_DEFAULT,
    );
    let (stream, data, result) = (
        gpu.stream_with(flag as u32)?,
        gpu.alloc(32)?,
        gpu.alloc(32)?,
    );
    call(unsafe { cuMemsetD32_v2(data, 6, 32) })?;
    gpu.next(result, data, 32, stream)?;
    call(unsafe { cuStreamSynchronize(stream) })?;
    if version.is_mended() {
        assert_eq!(gpu.read(result, 32)?, [7; 32]);
    }
    Ok(())
}

fn download_on_the_default_stream(gpu: &Gpu, version: Version) -> Done {
    let (stream, data) = (gpu.stream()?, gpu.alloc(32)?);
    gpu.fill(data, 4, 32, stream)?;
    if version.is_mended() {
        call(unsafe { cuStreamSynchronize(stream) })?;
    }
    let numbers = gpu.read(data, 32)?;
    if version.is_mended() {
        assert_eq!(numbers, [4; 32]);
    }
    Ok(())
}

fn download_on_another_stream(gpu: &Gpu, version: Version) -> Done {
    let (work, copies) = (gpu.stream()?, gpu.stream()?);
    let (data, numbers) = (gpu.alloc(32)?, gpu.pinned(32)?);
    gpu.fill(data, 4, 32, work)?;
    if version.is_mended() {
        gpu.order(work, copies)?;
    }
    unsafe {
        call(cuMemcpyDtoHAsync_v2(numbers.cast(), data, 128, copies))?;
        call(cuStreamSynchronize(copies))?;
        if version.is_mended() {
            assert_eq!(numbers.add(31).read(), 4);
        }
    }
    Ok(())
}

fn wrong_stream_synchronized(gpu: &Gpu, version: Version) -> Done {
    let order = |_: &Gpu, one, two| call(unsafe { cuStreamSynchronize(version.either(two, one)) });
    hand_over(gpu, order, version)
}

fn buffer_used_again_too_early(gpu: &Gpu, version: Version) -> Done {
    let (copies, work) = (gpu.stream()?, gpu.stream()?);
    let (staging, result) = (gpu.alloc(32)?, gpu.alloc(64)?);
    let input = gpu.pinned(64)?;
    for part in 0..2 {
        if part > 0 && version.is_mended() {
            gpu.order(work, copies)?;
        }
        call(unsafe { cuMemcpyHtoDAsync_v2(staging, input.add(32 * part).cast(), 128, copies) })?;
        gpu.order(copies, work)?;
        gpu.next(result + 128 * part as u64, staging, 32, work)?;
    }
    call(unsafe { cuStreamSynchronize(work) })?;
    if version.is_mended() {
        assert_eq!(gpu.read(result, 64)?, [2; 64]);
    }
    Ok(())
}

fn graph_beside_its_input(gpu: &Gpu, version: Version) -> Done {
    let (one, two) = (gpu.stream()?, gpu.stream()?);
    let (data, result) = (gpu.alloc(32)?, gpu.alloc(32)?);
    let next = gpu.kernel("next")?;
    gpu.begin_capture(two)?;
    let args = [
        crate::support::Arg::Address(result),
        crate::support::Arg::Address(data),
    ];
    crate::support::launch(next, 32, two, &args)?;
    let graph = gpu.end_capture(two)?;
    let exec = gpu.instantiate(graph)?;
    gpu.fill(data, 4, 32, one)?;
    let stream = version.either(two, one);
    call(unsafe { cuGraphLaunch(exec, stream) })?;
    call(unsafe { cuStreamSynchronize(stream) })?;
    if version.is_mended() {
        assert_eq!(gpu.read(result, 32)?, [5; 32]);
    }
    Ok(())
}

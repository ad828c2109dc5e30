use std::ptr::null_mut;
use std::time::Duration;

use cudarc::driver::sys::*;

use crate::gpu::{Arg, Gpu, R, cases, nothing, ok, stale};

fn event(flags: u32) -> CUevent {
    let mut event = null_mut();
    unsafe { ok(cuEventCreate(&raw mut event, flags)) };
    event
}

cases! {
    refused: {
        an_event_needs_a_place(_gpu): cuEventCreate(nothing(), 0) => CUDA_ERROR_INVALID_VALUE;
        unknown_flags_of_an_event_are_refused(_gpu): cuEventCreate(&mut { null_mut() }, 16) => CUDA_ERROR_INVALID_VALUE;
        an_event_of_other_processes_measures_no_time(_gpu): cuEventCreate(&mut { null_mut() }, 4) => CUDA_ERROR_INVALID_VALUE;
        a_stale_event_is_not_recorded(gpu): cuEventRecord(stale(), gpu.stream()) => CUDA_ERROR_INVALID_HANDLE;
        an_event_is_not_recorded_on_a_stale_stream(gpu): cuEventRecord(gpu.event(), stale()) => CUDA_ERROR_INVALID_HANDLE;
        an_event_of_another_context_is_not_recorded(gpu): { let event = gpu.event(); let other = Gpu::new(0); let result = cuEventRecord(event, other.stream()); drop(other); result } => CUDA_ERROR_INVALID_HANDLE;
        a_stale_event_is_not_queried(_gpu): cuEventQuery(stale()) => CUDA_ERROR_INVALID_HANDLE;
        a_stale_event_is_not_waited_for(_gpu): cuEventSynchronize(stale()) => CUDA_ERROR_INVALID_HANDLE;
        a_stale_event_is_not_destroyed(_gpu): cuEventDestroy_v2(stale()) => CUDA_ERROR_INVALID_HANDLE;
        an_event_is_not_destroyed_twice(gpu): { let event = gpu.event(); ok(cuEventDestroy_v2(event)); cuEventDestroy_v2(event) } => CUDA_ERROR_INVALID_HANDLE;
        an_event_that_was_not_recorded_has_no_time(gpu): cuEventElapsedTime_v2(&mut { 0.0 }, gpu.event(), gpu.event()) => CUDA_ERROR_INVALID_HANDLE;
        an_event_without_timing_has_no_time(gpu): { let one = event(2); ok(cuEventRecord(one, gpu.stream())); ok(cuEventSynchronize(one)); cuEventElapsedTime_v2(&mut { 0.0 }, one, one) } => CUDA_ERROR_INVALID_HANDLE;
        a_stream_is_no_event(gpu): cuEventSynchronize(gpu.stream().cast()) => CUDA_ERROR_INVALID_HANDLE;
        unknown_flags_of_a_record_are_refused(gpu): cuEventRecordWithFlags(gpu.event(), gpu.stream(), 8) => CUDA_ERROR_INVALID_VALUE;
    }
    facts: {
        an_event_that_was_not_recorded_is_complete,
        an_event_is_complete_when_its_stream_got_there,
        a_stream_waits_for_an_event_of_another,
        a_wait_is_for_the_record_before_it,
        time_passes_by_the_work_between_events,
        the_same_work_takes_the_same_time,
        a_stream_that_waits_is_at_the_time_of_the_other,
        the_host_that_waited_submits_later_work,
        an_event_ahead_has_no_time_yet,
        a_destroyed_event_is_still_waited_for,
    }
}

fn an_event_that_was_not_recorded_is_complete(gpu: &Gpu) {
    let event = gpu.event();
    unsafe {
        ok(cuEventQuery(event));
        ok(cuEventSynchronize(event));
        ok(cuStreamWaitEvent(gpu.stream(), event, 0));
    }
}

fn an_event_is_complete_when_its_stream_got_there(gpu: &Gpu) {
    let (event, stream, flag) = (gpu.event(), gpu.stream(), gpu.numbers(&[0]));
    gpu.launch(gpu.kernel("spin"), 1, stream, &[Arg::Address(flag)]);
    unsafe {
        ok(cuEventRecord(event, stream));
        assert_eq!(cuEventQuery(event), R::CUDA_ERROR_NOT_READY);
        gpu.launch(gpu.kernel("signal"), 1, gpu.stream(), &[Arg::Address(flag)]);
        ok(cuEventSynchronize(event));
        ok(cuEventQuery(event));
    }
}

fn a_stream_waits_for_an_event_of_another(gpu: &Gpu) {
    let (one, two, event) = (gpu.stream(), gpu.stream(), gpu.event());
    let memory = gpu.alloc(256);
    for _ in 0..20 {
        gpu.fill(memory, 5, 32, one);
        unsafe {
            ok(cuEventRecord(event, one));
            ok(cuStreamWaitEvent(two, event, 0));
        }
        gpu.next(memory + 128, memory, 32, two);
        unsafe {
            ok(cuEventRecord(event, two));
            ok(cuStreamWaitEvent(one, event, 0));
        }
    }
    ok(gpu.synchronize());
    assert_eq!(gpu.read(memory + 128, 32), [6; 32]);
}

fn a_wait_is_for_the_record_before_it(gpu: &Gpu) {
    let (one, two, event, flag) = (gpu.stream(), gpu.stream(), gpu.event(), gpu.numbers(&[0]));
    unsafe {
        ok(cuEventRecord(event, one));
        ok(cuStreamWaitEvent(two, event, 0));
        gpu.launch(gpu.kernel("spin"), 1, one, &[Arg::Address(flag)]);
        ok(cuEventRecord(event, one));
        // It does not wait for the second record.
        ok(cuStreamSynchronize(two));
        assert_eq!(cuEventQuery(event), R::CUDA_ERROR_NOT_READY);
        gpu.launch(gpu.kernel("signal"), 1, two, &[Arg::Address(flag)]);
        ok(cuEventSynchronize(event));
    }
}

/// Sets words of memory on a stream.
fn set(memory: u64, words: usize, stream: CUstream) {
    unsafe { ok(cuMemsetD32Async(memory, 1, words, stream)) };
}

fn elapsed(start: CUevent, end: CUevent) -> f32 {
    let mut time = f32::NAN;
    unsafe {
        ok(cuEventSynchronize(start));
        ok(cuEventSynchronize(end));
        ok(cuEventElapsedTime_v2(&raw mut time, start, end));
    }
    time
}

/// Returns the time of `work` on a stream in milliseconds.
fn time_of(gpu: &Gpu, stream: CUstream, work: impl FnOnce()) -> f32 {
    let (start, end) = (gpu.event(), gpu.event());
    unsafe {
        ok(cuEventRecord(start, stream));
        work();
        ok(cuEventRecord(end, stream));
    }
    let time = elapsed(start, end);
    assert!((elapsed(end, start) + time).abs() < 1e-9);
    time
}

fn time_passes_by_the_work_between_events(gpu: &Gpu) {
    let (stream, memory) = (gpu.stream(), gpu.alloc(4 << 20));
    let fill = |words| time_of(gpu, stream, || set(memory, words, stream));
    assert!(time_of(gpu, stream, || ()).abs() < 1e-9);
    // A microsecond to start, and 4 MiB at 3.35 TB/s.
    let expected = 0.001 + 4_194_304.0 / 3_352_320_000.0;
    let time = fill(1 << 20);
    assert!((time / expected - 1.0).abs() < 1e-4, "{time} {expected}");
    assert!(fill(1 << 10) < time);
}

fn the_same_work_takes_the_same_time(gpu: &Gpu) {
    let (stream, from, to) = (gpu.stream(), gpu.numbers(&[7; 256]), gpu.alloc(1 << 10));
    let times: Vec<f32> = (0..5)
        .map(|number| {
            // The time of the host does not count.
            std::thread::sleep(Duration::from_millis(number));
            time_of(gpu, stream, || gpu.next(to, from, 256, stream))
        })
        .collect();
    assert!(times[0] > 0.001 && times[0] < 0.1, "{times:?}");
    assert_eq!(times, [times[0]; 5]);
}

fn a_stream_that_waits_is_at_the_time_of_the_other(gpu: &Gpu) {
    let (one, two, event) = (gpu.stream(), gpu.stream(), gpu.event());
    let (memory, other) = (gpu.alloc(4 << 20), gpu.alloc(4));
    let waited = time_of(gpu, two, || unsafe {
        set(memory, 1 << 20, one);
        ok(cuEventRecord(event, one));
        ok(cuStreamWaitEvent(two, event, 0));
        set(other, 1, two);
    });
    assert!(
        waited > 0.001 + 4_194_304.0 / 3_352_320_000.0 + 0.0009,
        "{waited}"
    );
}

fn the_host_that_waited_submits_later_work(gpu: &Gpu) {
    let (one, two, start) = (gpu.stream(), gpu.stream(), gpu.event());
    let (end, memory) = (gpu.event(), gpu.alloc(4 << 20));
    unsafe {
        ok(cuEventRecord(start, one));
        set(memory, 1 << 20, one);
        ok(cuStreamSynchronize(one));
        ok(cuEventRecord(end, two));
    }
    assert!(elapsed(start, end) >= 0.002);
}

fn an_event_ahead_has_no_time_yet(gpu: &Gpu) {
    let (start, end, stream, flag) = (gpu.event(), gpu.event(), gpu.stream(), gpu.numbers(&[0]));
    unsafe {
        ok(cuEventRecord(start, stream));
        gpu.launch(gpu.kernel("spin"), 1, stream, &[Arg::Address(flag)]);
        ok(cuEventRecord(end, stream));
        let time = cuEventElapsedTime_v2(&mut { 0.0 }, start, end);
        assert_eq!(time, R::CUDA_ERROR_NOT_READY);
        gpu.launch(gpu.kernel("signal"), 1, gpu.stream(), &[Arg::Address(flag)]);
        ok(cuStreamSynchronize(stream));
        ok(cuEventElapsedTime_v2(&mut { 0.0 }, start, end));
    }
}

fn a_destroyed_event_is_still_waited_for(gpu: &Gpu) {
    let (one, two, event, flag) = (gpu.stream(), gpu.stream(), gpu.event(), gpu.numbers(&[0]));
    gpu.launch(gpu.kernel("spin"), 1, one, &[Arg::Address(flag)]);
    unsafe {
        ok(cuEventRecord(event, one));
        ok(cuStreamWaitEvent(two, event, 0));
        ok(cuEventDestroy_v2(event));
        assert_eq!(cuStreamQuery(two), R::CUDA_ERROR_NOT_READY);
        gpu.launch(gpu.kernel("signal"), 1, gpu.stream(), &[Arg::Address(flag)]);
        ok(cuStreamSynchronize(two));
        ok(cuStreamQuery(one));
    }
}

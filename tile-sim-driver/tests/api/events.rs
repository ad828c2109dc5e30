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
        time_passes_between_events,
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

fn time_passes_between_events(gpu: &Gpu) {
    let (start, end, stream) = (gpu.event(), gpu.event(), gpu.stream());
    let mut time = -1.0;
    unsafe {
        ok(cuEventRecord(start, stream));
        ok(cuEventSynchronize(start));
        std::thread::sleep(Duration::from_millis(5));
        ok(cuEventRecord(end, stream));
        ok(cuEventSynchronize(end));
        ok(cuEventElapsedTime_v2(&raw mut time, start, end));
        assert!(time >= 5.0, "{time}");
        ok(cuEventElapsedTime_v2(&raw mut time, end, start));
        assert!(time <= -5.0, "{time}");
    }
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

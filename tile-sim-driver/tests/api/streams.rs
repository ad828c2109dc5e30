use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

use cudarc::driver::sys::*;

use crate::gpu::{Arg, Gpu, R, cases, nothing, ok, stale, until};

cases! {
    refused: {
        a_stream_needs_a_place(_gpu): cuStreamCreate(nothing(), 0) => CUDA_ERROR_INVALID_VALUE;
        unknown_flags_of_a_stream_are_refused(_gpu): cuStreamCreate(&mut { null_mut() }, 2) => CUDA_ERROR_INVALID_VALUE;
        a_stale_stream_is_not_waited_for(_gpu): cuStreamSynchronize(stale()) => CUDA_ERROR_INVALID_HANDLE;
        a_stale_stream_is_not_queried(_gpu): cuStreamQuery(stale()) => CUDA_ERROR_INVALID_HANDLE;
        a_stale_stream_is_not_destroyed(_gpu): cuStreamDestroy_v2(stale()) => CUDA_ERROR_INVALID_HANDLE;
        a_default_stream_is_not_destroyed(_gpu): cuStreamDestroy_v2(null_mut()) => CUDA_ERROR_INVALID_HANDLE;
        a_stream_is_not_destroyed_twice(gpu): { let stream = gpu.stream(); ok(cuStreamDestroy_v2(stream)); cuStreamDestroy_v2(stream) } => CUDA_ERROR_INVALID_HANDLE;
        an_event_is_no_stream(gpu): cuStreamSynchronize(gpu.event().cast()) => CUDA_ERROR_INVALID_HANDLE;
        a_stale_event_is_not_waited_for(gpu): cuStreamWaitEvent(gpu.stream(), stale(), 0) => CUDA_ERROR_INVALID_HANDLE;
        unknown_flags_of_a_wait_are_refused(gpu): cuStreamWaitEvent(gpu.stream(), gpu.event(), 8) => CUDA_ERROR_INVALID_VALUE;
        a_host_function_has_to_be_one(gpu): cuLaunchHostFunc(gpu.stream(), None, null_mut()) => CUDA_ERROR_INVALID_VALUE;
        a_callback_has_no_flags(gpu): cuStreamAddCallback(gpu.stream(), None, null_mut(), 1) => CUDA_ERROR_INVALID_VALUE;
        the_priority_of_a_stale_stream_is_refused(_gpu): cuStreamGetPriority(stale(), &mut { 0 }) => CUDA_ERROR_INVALID_HANDLE;
        only_managed_memory_is_attached(gpu): cuStreamAttachMemAsync(gpu.stream(), gpu.alloc(4), 0, 1) => CUDA_ERROR_INVALID_VALUE;
    }
    facts: {
        operations_of_a_stream_run_in_order,
        streams_run_at_the_same_time,
        the_default_stream_waits_for_blocking_streams,
        the_default_stream_does_not_wait_for_others,
        a_stream_waits_for_the_default_stream,
        the_default_stream_of_a_thread_is_a_stream_of_its_own,
        work_of_a_destroyed_stream_goes_on,
        work_of_a_destroyed_stream_is_waited_for,
        priorities_are_kept_within_their_range,
        a_host_function_runs_in_order,
        a_host_function_may_not_call_the_driver,
        a_stream_knows_its_context_and_flags,
        streams_have_different_numbers,
    }
}

fn operations_of_a_stream_run_in_order(gpu: &Gpu) {
    let (stream, memory) = (gpu.stream(), gpu.alloc(128));
    let next = gpu.kernel("next");
    gpu.fill(memory, 0, 32, stream);
    for _ in 0..50 {
        gpu.launch(
            next,
            32,
            stream,
            &[Arg::Address(memory), Arg::Address(memory)],
        );
    }
    unsafe { ok(cuStreamSynchronize(stream)) };
    assert_eq!(gpu.read(memory, 32), [50; 32]);
}

fn work_of_a_destroyed_stream_is_waited_for(gpu: &Gpu) {
    for flags in [0, 1] {
        let (stream, memory) = (gpu.stream_with(flags), gpu.alloc(4));
        gpu.launch(
            gpu.kernel("count"),
            1,
            stream,
            &[Arg::Address(memory), Arg::Number(50_000)],
        );
        unsafe { ok(cuStreamDestroy_v2(stream)) };
        if flags == 0 {
            // The default stream waits for streams that do not exist any more.
            assert_eq!(gpu.read(memory, 1), [49_999]);
        } else {
            ok(gpu.synchronize());
            assert_eq!(gpu.read(memory, 1), [49_999]);
        }
        unsafe { ok(cuMemFree_v2(memory)) };
    }
    ok(gpu.synchronize());
}

/// Puts a kernel on a stream that runs until `release`.
fn block(gpu: &Gpu, stream: CUstream) -> CUdeviceptr {
    let flag = gpu.numbers(&[0]);
    gpu.launch(gpu.kernel("spin"), 1, stream, &[Arg::Address(flag)]);
    flag
}

fn release(gpu: &Gpu, flag: CUdeviceptr) {
    gpu.launch(gpu.kernel("signal"), 1, gpu.stream(), &[Arg::Address(flag)]);
}

fn query(stream: CUstream) -> R {
    unsafe { cuStreamQuery(stream) }
}

fn streams_run_at_the_same_time(gpu: &Gpu) {
    let (one, two) = (gpu.stream(), gpu.stream());
    let flag = block(gpu, one);
    let memory = gpu.alloc(128);
    gpu.fill(memory, 3, 32, two);
    unsafe { ok(cuStreamSynchronize(two)) };
    assert_eq!(query(one), R::CUDA_ERROR_NOT_READY);
    release(gpu, flag);
    unsafe { ok(cuStreamSynchronize(one)) };
    assert_eq!(query(one), R::CUDA_SUCCESS);
}

fn the_default_stream_waits_for_blocking_streams(gpu: &Gpu) {
    let blocking = gpu.stream_with(0);
    let memory = gpu.alloc(4);
    let flag = block(gpu, blocking);
    unsafe { ok(cuMemsetD32Async(memory, 1, 1, null_mut())) };
    assert_eq!(query(null_mut()), R::CUDA_ERROR_NOT_READY);
    release(gpu, flag);
    unsafe { ok(cuStreamSynchronize(null_mut())) };
    assert_eq!(query(blocking), R::CUDA_SUCCESS);
}

fn the_default_stream_does_not_wait_for_others(gpu: &Gpu) {
    let other = gpu.stream();
    let memory = gpu.alloc(4);
    let flag = block(gpu, other);
    unsafe {
        ok(cuMemsetD32Async(memory, 1, 1, null_mut()));
        ok(cuStreamSynchronize(null_mut()));
    }
    assert_eq!(query(other), R::CUDA_ERROR_NOT_READY);
    release(gpu, flag);
    ok(gpu.synchronize());
}

fn a_stream_waits_for_the_default_stream(gpu: &Gpu) {
    let (blocking, other) = (gpu.stream_with(0), gpu.stream());
    let memory = gpu.alloc(8);
    let flag = block(gpu, null_mut());
    unsafe {
        ok(cuMemsetD32Async(memory, 1, 1, blocking));
        ok(cuMemsetD32Async(memory + 4, 1, 1, other));
        ok(cuStreamSynchronize(other));
    }
    assert_eq!(query(blocking), R::CUDA_ERROR_NOT_READY);
    release(gpu, flag);
    unsafe { ok(cuStreamSynchronize(blocking)) };
}

fn the_default_stream_of_a_thread_is_a_stream_of_its_own(gpu: &Gpu) {
    let number = || {
        let of_thread: CUstream = std::ptr::without_provenance_mut(2);
        let mut number = 0;
        unsafe { ok(cuStreamGetId(of_thread, &raw mut number)) };
        number
    };
    let own = number();
    assert_eq!(own, number());
    let context = gpu.context.expose_provenance();
    let other = std::thread::spawn(move || {
        let context = std::ptr::with_exposed_provenance_mut(context);
        unsafe { ok(cuCtxSetCurrent(context)) };
        number()
    });
    assert_ne!(other.join().expect("it does not panic"), own);
}

fn work_of_a_destroyed_stream_goes_on(gpu: &Gpu) {
    let stream = gpu.stream();
    let pinned = gpu.pinned(1);
    unsafe { pinned.write(0) };
    let flag = block(gpu, stream);
    gpu.fill(pinned as u64, 8, 1, stream);
    unsafe { ok(cuStreamDestroy_v2(stream)) };
    release(gpu, flag);
    until(|| unsafe { pinned.read_volatile() } == 8);
}

fn priorities_are_kept_within_their_range(_gpu: &Gpu) {
    let (mut least, mut greatest, mut priority) = (9, 9, 9);
    let mut stream = null_mut();
    unsafe {
        ok(cuCtxGetStreamPriorityRange(
            &raw mut least,
            &raw mut greatest,
        ));
        assert_eq!((least, greatest), (0, -5));
        for (given, kept) in [(-3, -3), (-9, -5), (7, 0)] {
            ok(cuStreamCreateWithPriority(&raw mut stream, 1, given));
            ok(cuStreamGetPriority(stream, &raw mut priority));
            assert_eq!(priority, kept);
        }
    }
}

unsafe extern "C" fn add_one(data: *mut c_void) {
    let number = unsafe { &*data.cast::<AtomicU32>() };
    number.fetch_add(1, Ordering::SeqCst);
}

unsafe extern "C" fn synchronize(data: *mut c_void) {
    let number = unsafe { &*data.cast::<AtomicU32>() };
    let result = unsafe { cuStreamSynchronize(null_mut()) };
    number.store(result as u32, Ordering::SeqCst);
}

fn a_host_function_runs_in_order(gpu: &Gpu) {
    let stream = gpu.stream();
    let number = AtomicU32::new(0);
    let data = (&raw const number).cast_mut().cast();
    let flag = block(gpu, stream);
    unsafe { ok(cuLaunchHostFunc(stream, Some(add_one), data)) };
    assert_eq!(number.load(Ordering::SeqCst), 0);
    release(gpu, flag);
    unsafe { ok(cuStreamSynchronize(stream)) };
    assert_eq!(number.load(Ordering::SeqCst), 1);
}

fn a_host_function_may_not_call_the_driver(gpu: &Gpu) {
    let stream = gpu.stream();
    let number = AtomicU32::new(0);
    unsafe {
        ok(cuLaunchHostFunc(
            stream,
            Some(synchronize),
            (&raw const number).cast_mut().cast(),
        ));
        ok(cuStreamSynchronize(stream));
    }
    assert_eq!(
        number.load(Ordering::SeqCst),
        R::CUDA_ERROR_NOT_PERMITTED as u32
    );
}

fn a_stream_knows_its_context_and_flags(gpu: &Gpu) {
    let stream = gpu.stream();
    let (mut context, mut flags) = (null_mut(), 9);
    unsafe {
        ok(cuStreamGetCtx(stream, &raw mut context));
        ok(cuStreamGetFlags(stream, &raw mut flags));
    }
    assert_eq!((context, flags), (gpu.context, 1));
}

fn streams_have_different_numbers(gpu: &Gpu) {
    let numbers = [gpu.stream(), gpu.stream(), null_mut()].map(|stream| {
        let mut number = 0;
        unsafe { ok(cuStreamGetId(stream, &raw mut number)) };
        number
    });
    assert_ne!(numbers[0], numbers[1]);
    assert_ne!(numbers[1], numbers[2]);
}

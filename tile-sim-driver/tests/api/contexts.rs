use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Gpu, R, cases, nothing, ok, stale};

use CUlimit_enum as L;

cases! {
    refused: {
        a_stale_context_is_not_waited_for(_gpu): cuCtxSynchronize_v2(stale()) => CUDA_ERROR_INVALID_CONTEXT;
        a_stale_context_has_no_device(_gpu): cuCtxGetDevice_v2(&mut { 0 }, stale()) => CUDA_ERROR_INVALID_CONTEXT;
        a_context_on_no_device_is_refused(_gpu): cuCtxCreate_v4(&mut { null_mut() }, null_mut(), 0, 9) => CUDA_ERROR_INVALID_DEVICE;
        a_context_needs_a_place(_gpu): cuCtxCreate_v4(nothing(), null_mut(), 0, 0) => CUDA_ERROR_INVALID_VALUE;
        a_context_with_unknown_flags_is_refused(_gpu): cuCtxCreate_v4(&mut { null_mut() }, null_mut(), 0x8000, 0) => CUDA_ERROR_INVALID_VALUE;
        a_stale_context_is_not_pushed(_gpu): cuCtxPushCurrent_v2(stale()) => CUDA_ERROR_INVALID_CONTEXT;
        a_stale_context_is_not_set(_gpu): cuCtxSetCurrent(stale()) => CUDA_ERROR_INVALID_CONTEXT;
        a_stale_context_is_not_destroyed(_gpu): cuCtxDestroy_v2(stale()) => CUDA_ERROR_INVALID_CONTEXT;
        a_stream_is_no_context(gpu): cuCtxSetCurrent(gpu.stream().cast()) => CUDA_ERROR_INVALID_CONTEXT;
        an_unknown_limit_is_refused(_gpu): cuCtxGetLimit(&mut { 0 }, L::CU_LIMIT_MAX) => CUDA_ERROR_UNSUPPORTED_LIMIT;
        an_unknown_limit_is_not_set(_gpu): cuCtxSetLimit(L::CU_LIMIT_MAX, 1) => CUDA_ERROR_UNSUPPORTED_LIMIT;
        a_large_fetch_granularity_is_refused(_gpu): cuCtxSetLimit(L::CU_LIMIT_MAX_L2_FETCH_GRANULARITY, 4096) => CUDA_ERROR_INVALID_VALUE;
        a_primary_context_of_no_device_is_refused(_gpu): cuDevicePrimaryCtxRetain(&mut { null_mut() }, 9) => CUDA_ERROR_INVALID_DEVICE;
        a_primary_context_needs_a_place(_gpu): cuDevicePrimaryCtxRetain(nothing(), 0) => CUDA_ERROR_INVALID_VALUE;
        flags_of_a_primary_context_are_checked(_gpu): cuDevicePrimaryCtxSetFlags_v2(0, 0x8000) => CUDA_ERROR_INVALID_VALUE;
        the_version_of_a_stale_context_is_refused(_gpu): cuCtxGetApiVersion(stale(), &mut { 0 }) => CUDA_ERROR_INVALID_CONTEXT;
        flags_of_a_context_are_checked(_gpu): cuCtxSetFlags(0x8000) => CUDA_ERROR_INVALID_VALUE;
    }
    facts: {
        another_context_is_waited_for,
        contexts_are_a_stack,
        a_thread_begins_without_a_context,
        without_a_context_calls_are_refused,
        a_destroyed_context_is_gone,
        a_primary_context_cannot_be_destroyed,
        a_primary_context_is_the_same_while_it_is_retained,
        a_primary_context_that_is_not_retained_cannot_be_released,
        limits_are_kept,
        flags_and_caches_are_kept,
        what_belongs_to_a_context_goes_with_it,
    }
}

fn current() -> CUcontext {
    let mut context = null_mut();
    unsafe { ok(cuCtxGetCurrent(&raw mut context)) };
    context
}

fn contexts_are_a_stack(gpu: &Gpu) {
    let other = Gpu::new(1);
    assert_eq!(current(), other.context);
    let mut device = -1;
    unsafe { ok(cuCtxGetDevice(&raw mut device)) };
    assert_eq!(device, 1);
    let mut popped = null_mut();
    unsafe {
        ok(cuCtxPopCurrent_v2(&raw mut popped));
        assert_eq!((popped, current()), (other.context, gpu.context));
        ok(cuCtxPushCurrent_v2(other.context));
        assert_eq!(current(), other.context);
        ok(cuCtxSetCurrent(gpu.context));
        assert_eq!(current(), gpu.context);
        ok(cuCtxPopCurrent_v2(&raw mut popped));
        // The one that was replaced is gone.
        assert_eq!(current(), gpu.context);
    }
}

fn a_thread_begins_without_a_context(_gpu: &Gpu) {
    let others = std::thread::spawn(|| current().is_null()).join();
    assert!(others.expect("it does not panic"));
}

fn without_a_context_calls_are_refused(_gpu: &Gpu) {
    let results = std::thread::spawn(|| unsafe {
        [
            cuMemAlloc_v2(&mut { 0 }, 16),
            cuStreamCreate(&mut { null_mut() }, 0),
            cuEventCreate(&mut { null_mut() }, 0),
            cuCtxSynchronize(),
            cuMemFree_v2(0),
            cuCtxPopCurrent_v2(&mut { null_mut() }),
            cuCtxGetDevice(&mut { 0 }),
            cuStreamSynchronize(null_mut()),
            cuMemGetInfo_v2(&mut { 0 }, &mut { 0 }),
            cuModuleLoadData(&mut { null_mut() }, c".version 7.0".as_ptr().cast()),
        ]
    });
    for result in results.join().expect("it does not panic") {
        assert_eq!(result, R::CUDA_ERROR_INVALID_CONTEXT);
    }
}

fn a_destroyed_context_is_gone(gpu: &Gpu) {
    let mut context = null_mut();
    unsafe {
        ok(cuCtxCreate_v4(&raw mut context, null_mut(), 0, 0));
        ok(cuCtxPushCurrent_v2(context));
        ok(cuCtxDestroy_v2(context));
        // It was pushed twice, and the call pops it once.
        assert_eq!(cuCtxSynchronize(), R::CUDA_ERROR_CONTEXT_IS_DESTROYED);
        assert_eq!(cuCtxSetCurrent(context), R::CUDA_ERROR_INVALID_CONTEXT);
        ok(cuCtxSetCurrent(gpu.context));
        ok(cuCtxSynchronize());
    }
}

fn a_primary_context_cannot_be_destroyed(_gpu: &Gpu) {
    let mut context = null_mut();
    unsafe {
        ok(cuDevicePrimaryCtxRetain(&raw mut context, 1));
        assert_eq!(cuCtxDestroy_v2(context), R::CUDA_ERROR_INVALID_CONTEXT);
        ok(cuDevicePrimaryCtxRelease_v2(1));
    }
}

fn a_primary_context_is_the_same_while_it_is_retained(_gpu: &Gpu) {
    let (mut one, mut two) = (null_mut(), null_mut());
    let (mut flags, mut active) = (0, 0);
    unsafe {
        ok(cuDevicePrimaryCtxRetain(&raw mut one, 0));
        ok(cuDevicePrimaryCtxRetain(&raw mut two, 0));
        assert_eq!(one, two);
        ok(cuDevicePrimaryCtxRelease_v2(0));
        ok(cuDevicePrimaryCtxGetState(
            0,
            &raw mut flags,
            &raw mut active,
        ));
        assert_eq!(active, 1);
        ok(cuDevicePrimaryCtxRelease_v2(0));
    }
}

/// On the device that no other case uses that way.
fn a_primary_context_that_is_not_retained_cannot_be_released(gpu: &Gpu) {
    let mut context = null_mut();
    let (mut flags, mut active) = (0, 0);
    unsafe {
        assert_eq!(
            cuDevicePrimaryCtxRelease_v2(2),
            R::CUDA_ERROR_INVALID_CONTEXT
        );
        ok(cuDevicePrimaryCtxRetain(&raw mut context, 2));
        ok(cuCtxSetCurrent(context));
        ok(cuCtxSynchronize());
        ok(cuDevicePrimaryCtxRelease_v2(2));
        ok(cuDevicePrimaryCtxGetState(
            2,
            &raw mut flags,
            &raw mut active,
        ));
        assert_eq!(active, 0);
        assert_eq!(cuCtxSynchronize(), R::CUDA_ERROR_CONTEXT_IS_DESTROYED);
        ok(cuCtxSetCurrent(gpu.context));
    }
}

fn limits_are_kept(_gpu: &Gpu) {
    let mut value = 0;
    unsafe {
        ok(cuCtxGetLimit(&raw mut value, L::CU_LIMIT_STACK_SIZE));
        assert_eq!(value, 1024);
        ok(cuCtxSetLimit(L::CU_LIMIT_STACK_SIZE, 4096));
        ok(cuCtxGetLimit(&raw mut value, L::CU_LIMIT_STACK_SIZE));
        assert_eq!(value, 4096);
    }
}

fn flags_and_caches_are_kept(_gpu: &Gpu) {
    let mut flags = 0;
    let mut cache = CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_NONE;
    unsafe {
        ok(cuCtxSetFlags(4));
        ok(cuCtxGetFlags(&raw mut flags));
        assert_eq!(flags, 4);
        ok(cuCtxSetCacheConfig(
            CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_L1,
        ));
        ok(cuCtxGetCacheConfig(&raw mut cache));
    }
    assert_eq!(cache, CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_L1);
}

fn what_belongs_to_a_context_goes_with_it(gpu: &Gpu) {
    let other = Gpu::new(0);
    let (stream, event, memory) = (other.stream(), other.event(), other.alloc(64));
    let function = other.kernel("fill");
    other.fill(memory, 1, 16, stream);
    drop(other);
    gpu.enter();
    unsafe {
        assert_eq!(cuStreamSynchronize(stream), R::CUDA_ERROR_INVALID_HANDLE);
        assert_eq!(cuEventSynchronize(event), R::CUDA_ERROR_INVALID_HANDLE);
        assert_eq!(cuMemsetD8_v2(memory, 0, 64), R::CUDA_ERROR_INVALID_VALUE);
        let mut value = 0;
        let attribute = CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NUM_REGS;
        assert_eq!(
            cuFuncGetAttribute(&raw mut value, attribute, function),
            R::CUDA_ERROR_INVALID_HANDLE
        );
    }
}

fn another_context_is_waited_for(gpu: &Gpu) {
    let other = Gpu::new(1);
    let (stream, pinned, mut device) = (other.stream(), other.pinned(32), 0);
    other.fill(pinned as u64, 4, 32, stream);
    gpu.enter();
    unsafe {
        ok(cuCtxGetDevice_v2(&raw mut device, other.context));
        assert_eq!(device, 1);
        ok(cuCtxGetDevice_v2(&raw mut device, null_mut()));
        assert_eq!(device, 0);
        ok(cuCtxSynchronize_v2(other.context));
        assert_eq!(pinned.add(31).read_volatile(), 4);
        ok(cuCtxSynchronize_v2(null_mut()));
    }
    drop(other);
    gpu.enter();
}

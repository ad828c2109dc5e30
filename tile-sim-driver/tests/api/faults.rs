use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Arg, Gpu, R, break_next, calls_of, cases, last_fault, ok};

cases! {
    refused: {
        memory_beyond_an_allocation_is_illegal(gpu): { gpu.fill(gpu.alloc(4), 1, 2, null_mut()); gpu.synchronize() } => CUDA_ERROR_ILLEGAL_ADDRESS;
        a_null_address_is_illegal(gpu): { gpu.fill(0, 1, 1, null_mut()); gpu.synchronize() } => CUDA_ERROR_ILLEGAL_ADDRESS;
        a_misaligned_address_is_a_fault(gpu): { gpu.fill(gpu.alloc(16) + 2, 1, 1, null_mut()); gpu.synchronize() } => CUDA_ERROR_MISALIGNED_ADDRESS;
        a_trap_is_a_fault(gpu): { gpu.launch(gpu.kernel("stop"), 1, null_mut(), &[]); gpu.synchronize() } => CUDA_ERROR_LAUNCH_FAILED;
        freed_memory_is_illegal(gpu): { let memory = gpu.alloc(64); ok(cuMemFree_v2(memory)); gpu.fill(memory, 1, 1, null_mut()); gpu.synchronize() } => CUDA_ERROR_ILLEGAL_ADDRESS;
        pageable_memory_is_illegal(gpu): { let host = [0u32; 4]; gpu.fill(host.as_ptr() as u64, 1, 1, null_mut()); gpu.synchronize() } => CUDA_ERROR_ILLEGAL_ADDRESS;
        memory_of_another_context_is_illegal(gpu): { let memory = gpu.alloc(64); let other = Gpu::new(0); other.fill(memory, 1, 1, null_mut()); let result = other.synchronize(); drop(other); result } => CUDA_ERROR_ILLEGAL_ADDRESS;
        constant_memory_is_not_written(gpu): {
            let (mut address, mut bytes, module) = (0, 0, gpu.module());
            ok(cuModuleGetGlobal_v2(&raw mut address, &raw mut bytes, module, c"table".as_ptr()));
            gpu.fill(address, 1, 1, null_mut());
            gpu.synchronize()
        } => CUDA_ERROR_ILLEGAL_ADDRESS;
        a_copy_reports_an_earlier_fault(gpu): { let memory = gpu.alloc(4); gpu.fill(memory, 1, 2, null_mut()); cuMemcpyDtoH_v2([0u32].as_mut_ptr().cast(), memory, 4) } => CUDA_ERROR_ILLEGAL_ADDRESS;
        an_event_reports_an_earlier_fault(gpu): { let event = gpu.event(); gpu.fill(0, 1, 2, null_mut()); let _early = cuEventRecord(event, null_mut()); cuEventSynchronize(event) } => CUDA_ERROR_ILLEGAL_ADDRESS;
    }
    facts: {
        every_later_call_returns_the_error,
        the_launch_itself_succeeds,
        other_contexts_go_on,
        a_reset_of_the_primary_context_repairs_it,
        the_text_names_the_kernel_the_line_and_the_address,
        work_behind_a_fault_is_skipped,
        a_call_can_be_made_to_break_its_context,
        calls_are_listed_in_order,
    }
}

fn broken() -> Gpu {
    let gpu = Gpu::new(0);
    gpu.fill(0, 1, 1, null_mut());
    assert_eq!(gpu.synchronize(), R::CUDA_ERROR_ILLEGAL_ADDRESS);
    gpu
}

fn every_later_call_returns_the_error(gpu: &Gpu) {
    let (stream, event, memory, function) = (
        gpu.stream(),
        gpu.event(),
        gpu.alloc(16),
        gpu.kernel("bounded"),
    );
    gpu.fill(0, 1, 1, stream);
    assert_eq!(gpu.synchronize(), R::CUDA_ERROR_ILLEGAL_ADDRESS);
    unsafe {
        let results = [
            cuMemAlloc_v2(&mut { 0 }, 16),
            cuMemFree_v2(memory),
            cuStreamCreate(&mut { null_mut() }, 0),
            cuStreamSynchronize(stream),
            cuStreamQuery(stream),
            cuStreamDestroy_v2(stream),
            cuEventRecord(event, stream),
            cuEventQuery(event),
            cuMemsetD8_v2(memory, 0, 1),
            cuMemAllocAsync(&mut { 0 }, 16, stream),
            cuMemFreeAsync(memory, stream),
            gpu.try_launch(function, 1, stream, &[]),
            cuCtxSynchronize(),
        ];
        for (index, result) in results.into_iter().enumerate() {
            assert_eq!(result, R::CUDA_ERROR_ILLEGAL_ADDRESS, "call {index}");
        }
        // These concern no context.
        ok(cuDeviceGetCount(&mut { 0 }));
        ok(cuCtxGetCurrent(&mut { null_mut() }));
    }
}

fn the_launch_itself_succeeds(gpu: &Gpu) {
    let fill = gpu.kernel("fill");
    let args = [Arg::Address(0), Arg::Number(1)];
    ok(gpu.try_launch(fill, 1, gpu.stream(), &args));
}

fn other_contexts_go_on(gpu: &Gpu) {
    let other = broken();
    gpu.enter();
    let memory = gpu.alloc(16);
    gpu.fill(memory, 2, 4, null_mut());
    assert_eq!(gpu.read(memory, 4), [2; 4]);
    drop(other);
}

/// On a device whose primary context no case uses at the same time.
fn a_reset_of_the_primary_context_repairs_it(gpu: &Gpu) {
    let mut context = null_mut();
    unsafe {
        ok(cuDevicePrimaryCtxRetain(&raw mut context, 1));
        ok(cuCtxSetCurrent(context));
        let memory = gpu.alloc(16);
        gpu.fill(0, 1, 1, null_mut());
        assert_eq!(cuCtxSynchronize(), R::CUDA_ERROR_ILLEGAL_ADDRESS);
        ok(cuDevicePrimaryCtxReset_v2(1));
        ok(cuCtxSynchronize());
        // What was allocated is gone.
        assert_eq!(cuMemFree_v2(memory), R::CUDA_ERROR_INVALID_VALUE);
        let memory = gpu.alloc(16);
        gpu.fill(memory, 2, 4, null_mut());
        assert_eq!(gpu.read(memory, 4), [2; 4]);
        ok(cuDevicePrimaryCtxRelease_v2(1));
        ok(cuCtxSetCurrent(gpu.context));
    }
}

fn the_text_names_the_kernel_the_line_and_the_address(gpu: &Gpu) {
    // Other cases have faults at the same time.
    for _ in 0..20 {
        let gpu = Gpu::new(0);
        let memory = gpu.alloc(400);
        gpu.fill(memory + 396, 1, 2, null_mut());
        assert_eq!(gpu.synchronize(), R::CUDA_ERROR_ILLEGAL_ADDRESS);
        let text = last_fault();
        let names = [
            "`fill`",
            "st.global.u32",
            "byte 400 of one that has 400",
            "thread 1",
        ];
        if names.iter().all(|name| text.contains(name)) {
            return;
        }
    }
    gpu.enter();
    panic!("the text is not there: {}", last_fault());
}

fn work_behind_a_fault_is_skipped(gpu: &Gpu) {
    let (stream, pinned) = (gpu.stream(), gpu.pinned(1));
    unsafe { pinned.write(1) };
    // Loaded first: after the fault nothing is.
    let fill = gpu.kernel("fill");
    gpu.fill(0, 1, 1, stream);
    // The launch returns the error if the fault came first.
    let _result = gpu.try_launch(
        fill,
        1,
        stream,
        &[Arg::Address(pinned as u64), Arg::Number(2)],
    );
    assert_eq!(gpu.synchronize(), R::CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_eq!(unsafe { pinned.read() }, 1);
}

fn a_call_can_be_made_to_break_its_context(gpu: &Gpu) {
    // No other case calls this function.
    break_next(c"cuFuncIsLoaded", R::CUDA_ERROR_ECC_UNCORRECTABLE, 2);
    let is_loaded = || unsafe { cuFuncIsLoaded(&mut std::mem::zeroed(), gpu.kernel("bounded")) };
    ok(is_loaded());
    assert_eq!(is_loaded(), R::CUDA_ERROR_ECC_UNCORRECTABLE);
    assert_eq!(gpu.synchronize(), R::CUDA_ERROR_ECC_UNCORRECTABLE);
    ok(Gpu::new(0).synchronize());
    gpu.enter();
}

fn calls_are_listed_in_order(gpu: &Gpu) {
    let calls = calls_of(|| unsafe {
        ok(cuCtxGetFlags(&mut 0));
        ok(gpu.synchronize());
    });
    let mut rest = calls.lines();
    assert!(rest.any(|call| call == "cuCtxGetFlags"), "{calls}");
    assert!(rest.any(|call| call == "cuCtxSynchronize"), "{calls}");
}

//! Reads of device memory that nothing has written. Most cases have the fault, and its corrected twin.

use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Gpu, R, cases, ok};

cases! {
    refused: {}
    facts: {
        a_launch_does_not_read_new_memory,
        a_copy_may_read_new_memory,
        what_a_copy_writes_is_written,
        a_later_write_does_not_hide_the_read,
        a_free_does_not_hide_the_read,
        memory_of_a_pool_is_new_each_time,
        pinned_memory_and_variables_are_written,
    }
}

/// Runs a case in a context of its own without and with its cure.
fn twins(case: impl Fn(&Gpu, bool)) {
    for cured in [true, false] {
        let gpu = Gpu::new(0);
        case(&gpu, cured);
        let expected = if cured {
            R::CUDA_SUCCESS
        } else {
            R::CUDA_ERROR_LAUNCH_FAILED
        };
        assert_eq!(gpu.synchronize(), expected, "with the cure: {cured}");
    }
}

fn zero(memory: CUdeviceptr) {
    unsafe { ok(cuMemsetD32_v2(memory, 0, 32)) };
}

fn a_launch_does_not_read_new_memory(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (memory, to) = (gpu.alloc(128), gpu.alloc(128));
        if cured {
            zero(memory);
        }
        gpu.next(to, memory, 32, null_mut());
    });
}

fn a_copy_may_read_new_memory(gpu: &Gpu) {
    let memory = gpu.alloc(128);
    assert_eq!(gpu.read(memory, 32), [u32::MAX; 32]);
    ok(gpu.synchronize());
}

fn what_a_copy_writes_is_written(gpu: &Gpu) {
    let (memory, to) = (gpu.alloc(128), gpu.alloc(128));
    unsafe { ok(cuMemcpyDtoD_v2(memory, gpu.numbers(&[4; 32]), 128)) };
    gpu.next(to, memory, 32, null_mut());
    assert_eq!(gpu.read(to, 32), [5; 32]);
    ok(gpu.synchronize());
}

fn a_later_write_does_not_hide_the_read(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (memory, to) = (gpu.alloc(128), gpu.alloc(128));
        if cured {
            zero(memory);
        }
        gpu.next(to, memory, 32, null_mut());
        zero(memory);
    });
}

fn a_free_does_not_hide_the_read(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, to, mut memory) = (gpu.stream(), gpu.alloc(128), 0);
        unsafe {
            ok(cuMemAllocAsync(&raw mut memory, 128, stream));
            if cured {
                ok(cuMemsetD32Async(memory, 0, 32, stream));
            }
            gpu.next(to, memory, 32, stream);
            ok(cuMemFreeAsync(memory, stream));
        }
    });
}

fn memory_of_a_pool_is_new_each_time(_gpu: &Gpu) {
    twins(|gpu, cured| {
        let (stream, to) = (gpu.stream(), gpu.alloc(128));
        for round in 0..2 {
            let mut memory = 0;
            unsafe {
                ok(cuMemAllocAsync(&raw mut memory, 128, stream));
                if cured || round == 0 {
                    ok(cuMemsetD32Async(memory, 0, 32, stream));
                }
                gpu.next(to, memory, 32, stream);
                ok(cuMemFreeAsync(memory, stream));
            }
        }
    });
}

fn pinned_memory_and_variables_are_written(gpu: &Gpu) {
    let (pinned, to) = (gpu.pinned(32), gpu.alloc(128));
    gpu.next(to, pinned as u64, 32, null_mut());
    gpu.launch(gpu.kernel("raise_counter"), 1, null_mut(), &[]);
    ok(gpu.synchronize());
    assert_eq!(gpu.read(to, 32), [1; 32]);
}

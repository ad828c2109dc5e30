use std::ffi::c_void;
use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Arg, Gpu, R, cases, cluster, nothing, nowhere, ok, programmatic, stale, until};

fn launch(function: CUfunction, grid: [u32; 3], block: [u32; 3], shared: u32) -> R {
    unsafe {
        cuLaunchKernel(
            function,
            grid[0],
            grid[1],
            grid[2],
            block[0],
            block[1],
            block[2],
            shared,
            null_mut(),
            null_mut(),
            null_mut(),
        )
    }
}

cases! {
    refused: {
        a_stale_function_is_not_launched(_gpu): launch(stale(), [1; 3], [1; 3], 0) => CUDA_ERROR_INVALID_HANDLE;
        an_empty_grid_is_refused(gpu): launch(gpu.kernel("stop"), [0, 1, 1], [1; 3], 0) => CUDA_ERROR_INVALID_VALUE;
        an_empty_block_is_refused(gpu): launch(gpu.kernel("stop"), [1; 3], [1, 0, 1], 0) => CUDA_ERROR_INVALID_VALUE;
        a_grid_that_is_too_high_is_refused(gpu): launch(gpu.kernel("stop"), [1, 65536, 1], [1; 3], 0) => CUDA_ERROR_INVALID_VALUE;
        a_block_of_too_many_threads_is_refused(gpu): launch(gpu.kernel("stop"), [1; 3], [1025, 1, 1], 0) => CUDA_ERROR_INVALID_VALUE;
        a_block_that_is_too_deep_is_refused(gpu): launch(gpu.kernel("stop"), [1; 3], [1, 1, 65], 0) => CUDA_ERROR_INVALID_VALUE;
        more_threads_than_the_kernel_allows_are_refused(gpu): launch(gpu.kernel("bounded"), [1; 3], [65, 1, 1], 0) => CUDA_ERROR_INVALID_VALUE;
        more_shared_memory_than_allowed_is_refused(gpu): launch(gpu.kernel("stop"), [1; 3], [1; 3], (48 << 10) + 1) => CUDA_ERROR_INVALID_VALUE;
        missing_arguments_are_refused(gpu): launch(gpu.kernel("fill"), [1; 3], [1; 3], 0) => CUDA_ERROR_INVALID_VALUE;
        arguments_are_given_in_one_way(gpu): {
            let mut pointers: [*mut c_void; 2] = [null_mut(); 2];
            let pointers = pointers.as_mut_ptr();
            cuLaunchKernel(gpu.kernel("fill"), 1, 1, 1, 1, 1, 1, 0, null_mut(), pointers, pointers)
        } => CUDA_ERROR_INVALID_VALUE;
        a_stale_stream_is_refused(gpu): gpu.try_launch(gpu.kernel("bounded"), 1, stale(), &[]) => CUDA_ERROR_INVALID_HANDLE;
        a_stream_of_another_context_is_refused(gpu): {
            let function = gpu.kernel("bounded");
            let other = Gpu::new(0);
            let result = other.try_launch(function, 1, other.stream(), &[]);
            drop(other);
            result
        } => CUDA_ERROR_INVALID_HANDLE;
        a_configuration_is_needed(gpu): cuLaunchKernelEx(nowhere(), gpu.kernel("stop"), nothing(), nothing()) => CUDA_ERROR_INVALID_VALUE;
        a_grid_is_a_multiple_of_its_cluster(gpu): gpu.launch_with(gpu.kernel_90("ranks"), 3, 1, null_mut(), &[Arg::Address(0)], &mut [cluster(2)]) => CUDA_ERROR_INVALID_VALUE;
        a_cluster_of_more_than_8_is_not_portable(gpu): gpu.launch_with(gpu.kernel_90("ranks"), 16, 1, null_mut(), &[Arg::Address(0)], &mut [cluster(16)]) => CUDA_ERROR_INVALID_CLUSTER_SIZE;
        an_empty_cluster_is_refused(gpu): gpu.launch_with(gpu.kernel_90("ranks"), 4, 1, null_mut(), &[Arg::Address(0)], &mut [cluster(0)]) => CUDA_ERROR_INVALID_CLUSTER_SIZE;
        a_grid_is_a_multiple_of_the_required_cluster(gpu): launch(gpu.kernel_90("pairs"), [3, 1, 1], [1; 3], 0) => CUDA_ERROR_INVALID_VALUE;
        a_cooperative_grid_fits_the_device(gpu): cuLaunchCooperativeKernel(gpu.kernel("bounded"), 1 << 20, 1, 1, 32, 1, 1, 0, null_mut(), nothing()) => CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
        clusters_need_a_device_with_them(_gpu): {
            let ampere = Gpu::new(2);
            let result = ampere.launch_with(ampere.kernel("bounded"), 2, 1, null_mut(), &[], &mut [cluster(2)]);
            drop(ampere);
            result
        } => CUDA_ERROR_INVALID_CLUSTER_SIZE;
    }
    facts: {
        arguments_are_read_at_the_call,
        arguments_come_in_a_buffer,
        blocks_and_threads_cover_the_grid,
        clusters_have_the_size_of_the_attribute,
        clusters_of_16_need_an_attribute_of_the_function,
        a_cooperative_grid_runs,
        a_programmatic_launch_runs,
        kernels_of_two_streams_exchange_values,
        atomics_of_two_streams_add_up,
        launches_return_before_the_kernel_ends,
    }
}

fn arguments_are_read_at_the_call(gpu: &Gpu) {
    let (stream, flag, memory) = (gpu.stream(), gpu.numbers(&[0]), gpu.alloc(4));
    gpu.launch(gpu.kernel("spin"), 1, stream, &[Arg::Address(flag)]);
    let (mut address, mut value) = (memory, 5u32);
    let mut pointers: [*mut c_void; 2] = [(&raw mut address).cast(), (&raw mut value).cast()];
    let fill = gpu.kernel("fill");
    unsafe {
        ok(cuLaunchKernel(
            fill,
            1,
            1,
            1,
            1,
            1,
            1,
            0,
            stream,
            pointers.as_mut_ptr(),
            null_mut(),
        ));
    }
    (address, value) = (0, 0);
    gpu.launch(gpu.kernel("signal"), 1, gpu.stream(), &[Arg::Address(flag)]);
    unsafe { ok(cuStreamSynchronize(stream)) };
    assert_eq!((gpu.read(memory, 1), address, value), (vec![5], 0, 0));
}

fn arguments_come_in_a_buffer(gpu: &Gpu) {
    let memory = gpu.alloc(4);
    let mut buffer = memory.to_le_bytes().to_vec();
    buffer.extend(6u32.to_le_bytes());
    let mut size = buffer.len();
    let mut extra: [*mut c_void; 5] = [
        std::ptr::without_provenance_mut(1),
        buffer.as_mut_ptr().cast(),
        std::ptr::without_provenance_mut(2),
        (&raw mut size).cast(),
        null_mut(),
    ];
    let fill = gpu.kernel("fill");
    unsafe {
        ok(cuLaunchKernel(
            fill,
            1,
            1,
            1,
            1,
            1,
            1,
            0,
            null_mut(),
            null_mut(),
            extra.as_mut_ptr(),
        ));
        assert_eq!(gpu.read(memory, 1), [6]);
        extra[3].cast::<usize>().write(8);
        let short = cuLaunchKernel(
            fill,
            1,
            1,
            1,
            1,
            1,
            1,
            0,
            null_mut(),
            null_mut(),
            extra.as_mut_ptr(),
        );
        assert_eq!(short, R::CUDA_ERROR_INVALID_VALUE);
    }
}

fn blocks_and_threads_cover_the_grid(gpu: &Gpu) {
    let memory = gpu.alloc(4 * 1000);
    let args = [Arg::Address(memory), Arg::Number(3)];
    ok(gpu.launch_with(gpu.kernel("fill"), 10, 100, null_mut(), &args, &mut []));
    assert_eq!(gpu.read(memory, 1000), [3; 1000]);
}

fn clusters_have_the_size_of_the_attribute(gpu: &Gpu) {
    let memory = gpu.alloc(4 * 8);
    let args = [Arg::Address(memory)];
    let ranks = gpu.kernel_90("ranks");
    ok(gpu.launch_with(ranks, 8, 1, null_mut(), &args, &mut [cluster(4)]));
    assert_eq!(gpu.read(memory, 8), [0, 1, 2, 3, 0, 1, 2, 3]);
    ok(gpu.launch_with(ranks, 8, 1, null_mut(), &args, &mut []));
    assert_eq!(gpu.read(memory, 8), [0; 8]);
}

fn clusters_of_16_need_an_attribute_of_the_function(gpu: &Gpu) {
    let memory = gpu.alloc(4 * 16);
    let ranks = gpu.kernel_90("ranks");
    let attribute = CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
    unsafe { ok(cuFuncSetAttribute(ranks, attribute, 1)) };
    ok(gpu.launch_with(
        ranks,
        16,
        1,
        null_mut(),
        &[Arg::Address(memory)],
        &mut [cluster(16)],
    ));
    assert_eq!(gpu.read(memory, 16), (0..16).collect::<Vec<_>>());
}

fn a_cooperative_grid_runs(gpu: &Gpu) {
    let memory = gpu.alloc(4 * 64);
    let (mut address, mut value) = (memory, 5u32);
    let mut pointers: [*mut c_void; 2] = [(&raw mut address).cast(), (&raw mut value).cast()];
    let fill = gpu.kernel("fill");
    unsafe {
        ok(cuLaunchCooperativeKernel(
            fill,
            2,
            1,
            1,
            32,
            1,
            1,
            0,
            null_mut(),
            pointers.as_mut_ptr(),
        ));
    }
    assert_eq!(gpu.read(memory, 64), [5; 64]);
}

fn a_programmatic_launch_runs(gpu: &Gpu) {
    let (stream, memory) = (gpu.stream(), gpu.alloc(128));
    gpu.fill(memory, 1, 32, stream);
    let args = [Arg::Address(memory), Arg::Address(memory)];
    ok(gpu.launch_with(
        gpu.kernel_90("next_waiting"),
        1,
        32,
        stream,
        &args,
        &mut [programmatic()],
    ));
    unsafe { ok(cuStreamSynchronize(stream)) };
    assert_eq!(gpu.read(memory, 32), [2; 32]);
}

fn kernels_of_two_streams_exchange_values(gpu: &Gpu) {
    let (one, two, flag) = (gpu.stream(), gpu.stream(), gpu.numbers(&[0]));
    gpu.launch(gpu.kernel("spin"), 1, one, &[Arg::Address(flag)]);
    gpu.launch(gpu.kernel("signal"), 1, two, &[Arg::Address(flag)]);
    ok(gpu.synchronize());
}

fn atomics_of_two_streams_add_up(gpu: &Gpu) {
    let sum = gpu.numbers(&[0]);
    let count = gpu.kernel("count");
    for _ in 0..3 {
        gpu.launch(
            count,
            32,
            gpu.stream(),
            &[Arg::Address(sum), Arg::Number(500)],
        );
    }
    ok(gpu.synchronize());
    assert_eq!(gpu.read(sum, 1), [3 * 32 * 500]);
}

fn launches_return_before_the_kernel_ends(gpu: &Gpu) {
    let (stream, flag) = (gpu.stream(), gpu.pinned(1));
    unsafe { flag.write_volatile(0) };
    gpu.launch(gpu.kernel("spin"), 1, stream, &[Arg::Address(flag as u64)]);
    unsafe {
        assert_eq!(cuStreamQuery(stream), R::CUDA_ERROR_NOT_READY);
        flag.write_volatile(1);
        until(|| cuStreamQuery(stream) == R::CUDA_SUCCESS);
    }
}

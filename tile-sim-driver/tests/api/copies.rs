use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Gpu, R, cases, nothing, nowhere, ok, stale};

use CUmemorytype_enum as M;

fn shape(
    from: CUdeviceptr,
    to: *mut u8,
    pitch: usize,
    width: usize,
    height: usize,
) -> CUDA_MEMCPY2D {
    let mut params: CUDA_MEMCPY2D = crate::gpu::rows();
    params.srcMemoryType = M::CU_MEMORYTYPE_DEVICE;
    params.srcDevice = from;
    params.srcPitch = pitch;
    params.dstMemoryType = M::CU_MEMORYTYPE_HOST;
    params.dstHost = to.cast();
    params.dstPitch = width;
    params.WidthInBytes = width;
    params.Height = height;
    params
}

cases! {
    refused: {
        a_copy_to_an_unknown_address_is_refused(_gpu): cuMemcpyHtoD_v2(0x1234, [0u8; 4].as_ptr().cast(), 4) => CUDA_ERROR_INVALID_VALUE;
        a_copy_beyond_the_end_is_refused(gpu): cuMemcpyHtoD_v2(gpu.alloc(4), [0u8; 8].as_ptr().cast(), 8) => CUDA_ERROR_INVALID_VALUE;
        a_copy_from_nowhere_is_refused(gpu): cuMemcpyHtoD_v2(gpu.alloc(4), nowhere(), 4) => CUDA_ERROR_INVALID_VALUE;
        a_copy_to_nowhere_is_refused(gpu): cuMemcpyDtoH_v2(nothing(), gpu.alloc(4), 4) => CUDA_ERROR_INVALID_VALUE;
        a_copy_of_freed_memory_is_refused(gpu): { let memory = gpu.alloc(4); ok(cuMemFree_v2(memory)); cuMemcpyDtoH_v2([0u8; 4].as_mut_ptr().cast(), memory, 4) } => CUDA_ERROR_INVALID_VALUE;
        a_copy_between_devices_is_checked(gpu): cuMemcpyDtoD_v2(gpu.alloc(4), 0x1234, 4) => CUDA_ERROR_INVALID_VALUE;
        a_copy_on_a_stale_stream_is_refused(gpu): cuMemcpyDtoDAsync_v2(gpu.alloc(4), gpu.alloc(4), 4, stale()) => CUDA_ERROR_INVALID_HANDLE;
        a_unified_copy_of_freed_memory_is_refused(gpu): { let memory = gpu.alloc(4); ok(cuMemFree_v2(memory)); cuMemcpy(memory, gpu.alloc(4), 4) } => CUDA_ERROR_INVALID_VALUE;
        a_fill_beyond_the_end_is_refused(gpu): cuMemsetD32_v2(gpu.alloc(8), 0, 3) => CUDA_ERROR_INVALID_VALUE;
        a_fill_of_an_unknown_address_is_refused(_gpu): cuMemsetD8_v2(0x1234, 0, 1) => CUDA_ERROR_INVALID_VALUE;
        a_fill_with_16_bits_is_aligned(gpu): cuMemsetD16_v2(gpu.alloc(8) + 1, 0, 1) => CUDA_ERROR_INVALID_VALUE;
        a_fill_with_32_bits_is_aligned(gpu): cuMemsetD32_v2(gpu.alloc(8) + 2, 0, 1) => CUDA_ERROR_INVALID_VALUE;
        a_fill_on_a_stale_stream_is_refused(gpu): cuMemsetD8Async(gpu.alloc(8), 0, 1, stale()) => CUDA_ERROR_INVALID_HANDLE;
        rows_of_a_fill_do_not_overlap(gpu): cuMemsetD2D8_v2(gpu.alloc(64), 8, 0, 16, 2) => CUDA_ERROR_INVALID_VALUE;
        rows_of_a_fill_are_within_memory(gpu): cuMemsetD2D8_v2(gpu.alloc(64), 32, 0, 16, 3) => CUDA_ERROR_INVALID_VALUE;
        rows_of_a_copy_do_not_overlap(gpu): cuMemcpy2D_v2(&shape(gpu.alloc(64), [0; 32].as_mut_ptr(), 8, 16, 2)) => CUDA_ERROR_INVALID_VALUE;
        rows_of_a_copy_are_within_memory(gpu): cuMemcpy2D_v2(&shape(gpu.alloc(40), [0; 48].as_mut_ptr(), 32, 16, 3)) => CUDA_ERROR_INVALID_VALUE;
        a_copy_with_rows_needs_parameters(_gpu): cuMemcpy2D_v2(nowhere()) => CUDA_ERROR_INVALID_VALUE;
        a_peer_copy_needs_contexts(gpu): cuMemcpyPeer(gpu.alloc(4), stale(), gpu.alloc(4), gpu.context, 4) => CUDA_ERROR_INVALID_CONTEXT;
    }
    facts: {
        bytes_come_back,
        copies_of_nothing_succeed,
        odd_ranges_are_copied,
        fills_of_each_size_repeat_their_value,
        rows_are_filled_with_their_distance,
        rows_are_copied_with_their_distances,
        slices_are_copied_with_their_distances,
        staged_bytes_may_change_after_the_call,
        copies_to_pinned_memory_are_asynchronous,
        unified_copies_find_out_what_an_address_is,
        uninitialized_memory_is_not_zero,
    }
}

fn bytes_come_back(gpu: &Gpu) {
    let numbers: Vec<u32> = (0..5000).collect();
    let (one, two) = (gpu.numbers(&numbers), gpu.alloc(20_000));
    unsafe { ok(cuMemcpyDtoD_v2(two, one, 20_000)) };
    assert_eq!(gpu.read(two, 5000), numbers);
}

fn copies_of_nothing_succeed(gpu: &Gpu) {
    let memory = gpu.alloc(4);
    unsafe {
        ok(cuMemcpyHtoD_v2(memory, nowhere(), 0));
        ok(cuMemcpyDtoD_v2(memory, memory, 0));
        ok(cuMemsetD8_v2(memory, 1, 0));
    }
}

fn odd_ranges_are_copied(gpu: &Gpu) {
    let bytes: Vec<u8> = (0..=255).collect();
    let memory = gpu.alloc(300);
    for (to, from, count) in [(1, 2, 3), (3, 0, 1), (5, 7, 64), (2, 1, 255), (0, 3, 6)] {
        let mut back = vec![0; count];
        unsafe {
            ok(cuMemcpyHtoD_v2(
                memory + to,
                bytes[from..].as_ptr().cast(),
                count,
            ));
            ok(cuMemcpyDtoH_v2(
                back.as_mut_ptr().cast(),
                memory + to,
                count,
            ));
        }
        assert_eq!(back, bytes[from..from + count]);
    }
}

fn fills_of_each_size_repeat_their_value(gpu: &Gpu) {
    let memory = gpu.numbers(&[0; 6]);
    unsafe {
        ok(cuMemsetD8_v2(memory + 1, 0xab, 5));
        ok(cuMemsetD16_v2(memory + 10, 0x1234, 3));
        ok(cuMemsetD32_v2(memory + 20, 0xdead_beef, 1));
    }
    let expected = [
        0xabab_ab00,
        0x0000_abab,
        0x1234_0000,
        0x1234_1234,
        0,
        0xdead_beef,
    ];
    assert_eq!(gpu.read(memory, 6), expected);
}

fn rows_are_filled_with_their_distance(gpu: &Gpu) {
    let memory = gpu.numbers(&[0; 9]);
    unsafe {
        ok(cuMemsetD2D32_v2(memory, 12, 7, 2, 3));
        ok(cuMemsetD2D16Async(
            memory + 8,
            12,
            1,
            1,
            2,
            gpu.stream_with(0),
        ));
        ok(cuCtxSynchronize());
    }
    assert_eq!(gpu.read(memory, 9), [7, 7, 1, 7, 7, 1, 7, 7, 0]);
}

fn rows_are_copied_with_their_distances(gpu: &Gpu) {
    let memory = gpu.numbers(&(0..12).collect::<Vec<_>>());
    let mut host = [0u32; 6];
    let mut params = shape(memory, host.as_mut_ptr().cast(), 16, 8, 3);
    params.srcXInBytes = 4;
    unsafe { ok(cuMemcpy2D_v2(&raw const params)) };
    assert_eq!(host, [1, 2, 5, 6, 9, 10]);
}

fn slices_are_copied_with_their_distances(gpu: &Gpu) {
    let memory = gpu.numbers(&(0..24).collect::<Vec<_>>());
    let mut host = [0u32; 8];
    let mut params: CUDA_MEMCPY3D = crate::gpu::slices();
    params.srcMemoryType = M::CU_MEMORYTYPE_DEVICE;
    params.srcDevice = memory;
    params.srcPitch = 16;
    params.srcHeight = 3;
    params.dstMemoryType = M::CU_MEMORYTYPE_HOST;
    params.dstHost = host.as_mut_ptr().cast();
    params.dstPitch = 8;
    params.dstHeight = 2;
    params.WidthInBytes = 8;
    params.Height = 2;
    params.Depth = 2;
    params.srcY = 1;
    unsafe { ok(cuMemcpy3D_v2(&raw const params)) };
    assert_eq!(host, [4, 5, 8, 9, 16, 17, 20, 21]);
}

fn staged_bytes_may_change_after_the_call(gpu: &Gpu) {
    let (memory, stream) = (gpu.alloc(16), gpu.stream());
    let flag = gpu.numbers(&[0]);
    let mut host = [1u32, 2, 3, 4];
    gpu.launch(
        gpu.kernel("spin"),
        1,
        stream,
        &[crate::gpu::Arg::Address(flag)],
    );
    unsafe {
        ok(cuMemcpyHtoDAsync_v2(
            memory,
            host.as_ptr().cast(),
            16,
            stream,
        ));
    }
    host.fill(9);
    gpu.launch(
        gpu.kernel("signal"),
        1,
        gpu.stream(),
        &[crate::gpu::Arg::Address(flag)],
    );
    unsafe { ok(cuStreamSynchronize(stream)) };
    assert_eq!(gpu.read(memory, 4), [1, 2, 3, 4]);
    assert_eq!(host, [9; 4]);
}

fn copies_to_pinned_memory_are_asynchronous(gpu: &Gpu) {
    let (pinned, stream) = (gpu.pinned(4), gpu.stream());
    let (flag, memory) = (gpu.numbers(&[0]), gpu.numbers(&[5; 4]));
    unsafe {
        pinned.write(1);
        gpu.launch(
            gpu.kernel("spin"),
            1,
            stream,
            &[crate::gpu::Arg::Address(flag)],
        );
        ok(cuMemcpyDtoHAsync_v2(pinned.cast(), memory, 16, stream));
        assert_eq!(cuStreamQuery(stream), R::CUDA_ERROR_NOT_READY);
        gpu.launch(
            gpu.kernel("signal"),
            1,
            gpu.stream(),
            &[crate::gpu::Arg::Address(flag)],
        );
        ok(cuStreamSynchronize(stream));
        assert_eq!(pinned.read_volatile(), 5);
    }
}

fn unified_copies_find_out_what_an_address_is(gpu: &Gpu) {
    let memory = gpu.alloc(8);
    let (host, mut back) = ([3u32, 4], [0u32; 2]);
    unsafe {
        ok(cuMemcpy(memory, host.as_ptr() as u64, 8));
        ok(cuMemcpyAsync(
            back.as_mut_ptr() as u64,
            memory,
            8,
            null_mut(),
        ));
    }
    assert_eq!(back, host);
}

fn uninitialized_memory_is_not_zero(gpu: &Gpu) {
    assert_eq!(gpu.read(gpu.alloc(8), 2), [u32::MAX; 2]);
}

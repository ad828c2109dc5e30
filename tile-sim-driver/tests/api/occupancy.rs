use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Gpu, cases, cluster, config, ok, stale};

use CUfunction_attribute_enum as F;

cases! {
    refused: {
        blocks_of_a_stale_function_are_refused(_gpu): cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut { 0 }, stale(), 32, 0) => CUDA_ERROR_INVALID_HANDLE;
        blocks_without_threads_are_refused(gpu): cuOccupancyMaxActiveBlocksPerMultiprocessor(&mut { 0 }, gpu.kernel("fill"), 0, 0) => CUDA_ERROR_INVALID_VALUE;
        unknown_flags_are_refused(gpu): cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&mut { 0 }, gpu.kernel("fill"), 32, 0, 2) => CUDA_ERROR_INVALID_VALUE;
        a_block_size_of_a_stale_function_is_refused(_gpu): cuOccupancyMaxPotentialBlockSize(&mut { 0 }, &mut { 0 }, stale(), None, 0, 0) => CUDA_ERROR_INVALID_HANDLE;
        more_blocks_than_fit_have_no_shared_memory(gpu): cuOccupancyAvailableDynamicSMemPerBlock(&mut { 0 }, gpu.kernel("fill"), 5, 1024) => CUDA_ERROR_INVALID_VALUE;
        clusters_that_are_too_large_are_refused(gpu): { let mut attributes = [cluster(16)]; let config = config(16, 32, null_mut(), &mut attributes); cuOccupancyMaxActiveClusters(&mut { 0 }, gpu.kernel_90("ranks"), &raw const config) } => CUDA_ERROR_INVALID_CLUSTER_SIZE;
        clusters_need_a_device_with_them(_gpu): { let ampere = Gpu::new(2); let config = config(2, 32, null_mut(), &mut []); let result = cuOccupancyMaxPotentialClusterSize(&mut { 0 }, ampere.kernel("fill"), &raw const config); drop(ampere); result } => CUDA_ERROR_NOT_SUPPORTED;
    }
    facts: {
        blocks_are_limited_by_threads_and_shared_memory,
        a_block_that_does_not_fit_is_not_there,
        the_best_block_fills_a_multiprocessor,
        the_shared_memory_of_a_block_depends_on_their_number,
        clusters_are_counted_by_groups_of_multiprocessors,
        the_largest_cluster_is_8_without_the_attribute,
    }
}

fn blocks(function: CUfunction, threads: i32, shared: usize) -> i32 {
    let mut count = -1;
    unsafe {
        ok(cuOccupancyMaxActiveBlocksPerMultiprocessor(
            &raw mut count,
            function,
            threads,
            shared,
        ));
    }
    count
}

fn blocks_are_limited_by_threads_and_shared_memory(gpu: &Gpu) {
    let fill = gpu.kernel("fill");
    assert_eq!(blocks(fill, 1024, 0), 1);
    assert_eq!(blocks(fill, 256, 0), 4);
    assert_eq!(blocks(fill, 32, 0), 32);
    assert_eq!(blocks(fill, 32, 100 << 10), 2);
}

fn a_block_that_does_not_fit_is_not_there(gpu: &Gpu) {
    assert_eq!(blocks(gpu.kernel("fill"), 32, 228 << 10), 0);
    assert_eq!(blocks(gpu.kernel("bounded"), 128, 0), 0);
}

unsafe extern "C" fn per_thread(threads: i32) -> usize {
    usize::try_from(threads).unwrap_or(0) * 200
}

fn the_best_block_fills_a_multiprocessor(gpu: &Gpu) {
    let (mut grid, mut block) = (0, 0);
    let fill = gpu.kernel("fill");
    unsafe {
        ok(cuOccupancyMaxPotentialBlockSize(
            &raw mut grid,
            &raw mut block,
            fill,
            None,
            0,
            0,
        ));
        assert_eq!((grid, block), (132, 1024));
        ok(cuOccupancyMaxPotentialBlockSize(
            &raw mut grid,
            &raw mut block,
            fill,
            None,
            0,
            100,
        ));
        assert_eq!((grid % 132, block), (0, 64));
        ok(cuOccupancyMaxPotentialBlockSize(
            &raw mut grid,
            &raw mut block,
            fill,
            Some(per_thread),
            0,
            0,
        ));
    }
    assert!(block * 200 <= 227 << 10);
}

fn the_shared_memory_of_a_block_depends_on_their_number(gpu: &Gpu) {
    let fill = gpu.kernel("fill");
    let available = |count| {
        let mut bytes = 0;
        unsafe {
            ok(cuOccupancyAvailableDynamicSMemPerBlock(
                &raw mut bytes,
                fill,
                count,
                32,
            ));
        }
        bytes
    };
    assert_eq!(
        [available(1), available(2), available(4)],
        [227 << 10, 113 << 10, 56 << 10]
    );
}

fn clusters_are_counted_by_groups_of_multiprocessors(gpu: &Gpu) {
    let ranks = gpu.kernel_90("ranks");
    let count = |blocks| {
        let mut count = -1;
        let mut attributes = [cluster(blocks)];
        let mut config = config(blocks, 1024, null_mut(), &mut attributes);
        config.sharedMemBytes = 0;
        unsafe {
            ok(cuOccupancyMaxActiveClusters(
                &raw mut count,
                ranks,
                &raw const config,
            ));
        }
        count
    };
    assert_eq!([count(1), count(2), count(8)], [132, 66, 16]);
}

fn the_largest_cluster_is_8_without_the_attribute(gpu: &Gpu) {
    let ranks = gpu.kernel_90("ranks");
    let largest = || {
        let mut size = -1;
        let config = config(16, 64, null_mut(), &mut []);
        unsafe {
            ok(cuOccupancyMaxPotentialClusterSize(
                &raw mut size,
                ranks,
                &raw const config,
            ));
        }
        size
    };
    assert_eq!(largest(), 8);
    let attribute = F::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
    unsafe { ok(cuFuncSetAttribute(ranks, attribute, 1)) };
    assert_eq!(largest(), 16);
}

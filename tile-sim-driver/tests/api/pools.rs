use std::mem::zeroed;
use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Gpu, R, cases, live, nothing, ok, stale};

use CUmemPool_attribute_enum as A;

fn properties(device: i32) -> CUmemPoolProps {
    let mut properties: CUmemPoolProps = unsafe { zeroed() };
    properties.allocType = CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    unsafe {
        (&raw mut properties.location)
            .cast::<i32>()
            .add(1)
            .write(device);
    }
    properties
}

fn pool(device: i32) -> CUmemoryPool {
    let mut pool = null_mut();
    unsafe { ok(cuMemPoolCreate(&raw mut pool, &properties(device))) };
    pool
}

fn default_pool() -> CUmemoryPool {
    let mut pool = null_mut();
    unsafe { ok(cuDeviceGetDefaultMemPool(&raw mut pool, 0)) };
    pool
}

cases! {
    refused: {
        no_bytes_are_not_allocated(gpu): cuMemAllocAsync(&mut { 0 }, 0, gpu.stream()) => CUDA_ERROR_INVALID_VALUE;
        a_stale_stream_allocates_nothing(_gpu): cuMemAllocAsync(&mut { 0 }, 16, stale()) => CUDA_ERROR_INVALID_HANDLE;
        more_than_the_device_has_is_refused(gpu): cuMemAllocAsync(&mut { 0 }, 1 << 40, gpu.stream()) => CUDA_ERROR_OUT_OF_MEMORY;
        an_unknown_address_is_not_freed(gpu): cuMemFreeAsync(0x1234, gpu.stream()) => CUDA_ERROR_INVALID_VALUE;
        a_stale_pool_allocates_nothing(gpu): cuMemAllocFromPoolAsync(&mut { 0 }, 16, stale(), gpu.stream()) => CUDA_ERROR_INVALID_VALUE;
        memory_is_not_freed_twice(gpu): {
            let (stream, mut address) = (gpu.stream(), 0);
            ok(cuMemAllocAsync(&raw mut address, 64, stream));
            ok(cuMemFreeAsync(address, stream));
            cuMemFreeAsync(address, stream)
        } => CUDA_ERROR_INVALID_VALUE;
        a_pool_of_no_device_is_refused(_gpu): cuMemPoolCreate(&mut { null_mut() }, &properties(9)) => CUDA_ERROR_INVALID_DEVICE;
        a_pool_needs_a_place(_gpu): cuMemPoolCreate(nothing(), &properties(0)) => CUDA_ERROR_INVALID_VALUE;
        a_default_pool_is_not_destroyed(_gpu): cuMemPoolDestroy(default_pool()) => CUDA_ERROR_INVALID_VALUE;
        a_stale_pool_is_not_destroyed(_gpu): cuMemPoolDestroy(stale()) => CUDA_ERROR_INVALID_VALUE;
        a_stale_pool_is_not_trimmed(_gpu): cuMemPoolTrimTo(stale(), 0) => CUDA_ERROR_INVALID_VALUE;
        the_use_of_a_pool_is_not_set(_gpu): cuMemPoolSetAttribute(default_pool(), A::CU_MEMPOOL_ATTR_USED_MEM_CURRENT, std::ptr::from_mut(&mut 0u64).cast()) => CUDA_ERROR_INVALID_VALUE;
        the_peak_of_a_pool_is_only_reset(_gpu): cuMemPoolSetAttribute(default_pool(), A::CU_MEMPOOL_ATTR_USED_MEM_HIGH, std::ptr::from_mut(&mut 5u64).cast()) => CUDA_ERROR_INVALID_VALUE;
        a_pool_of_another_device_is_not_set(_gpu): cuDeviceSetMemPool(0, pool(1)) => CUDA_ERROR_INVALID_VALUE;
        a_default_pool_of_no_device_is_refused(_gpu): cuDeviceGetDefaultMemPool(&mut { null_mut() }, 9) => CUDA_ERROR_INVALID_DEVICE;
    }
    facts: {
        memory_is_used_in_stream_order,
        the_use_of_a_pool_is_counted,
        a_pool_has_a_maximum,
        thresholds_are_kept,
        access_of_other_devices_is_kept,
        a_pool_of_a_device_can_be_replaced,
        pools_that_are_left_are_counted,
    }
}

fn memory_is_used_in_stream_order(gpu: &Gpu) {
    let (stream, pinned) = (gpu.stream(), gpu.pinned(32));
    let mut address = 0;
    unsafe {
        ok(cuMemAllocAsync(&raw mut address, 128, stream));
        gpu.fill(address, 6, 32, stream);
        ok(cuMemcpyDtoHAsync_v2(pinned.cast(), address, 128, stream));
        ok(cuMemFreeAsync(address, stream));
        ok(cuStreamSynchronize(stream));
        assert_eq!(std::slice::from_raw_parts(pinned, 32), [6; 32]);
    }
}

fn used(pool: CUmemoryPool, attribute: A) -> u64 {
    let mut bytes = 0u64;
    unsafe {
        ok(cuMemPoolGetAttribute(
            pool,
            attribute,
            (&raw mut bytes).cast(),
        ));
    }
    bytes
}

fn the_use_of_a_pool_is_counted(gpu: &Gpu) {
    let (pool, stream, mut address) = (pool(0), gpu.stream(), 0);
    unsafe {
        ok(cuMemAllocFromPoolAsync(
            &raw mut address,
            1000,
            pool,
            stream,
        ));
        assert_eq!(used(pool, A::CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 1000);
        ok(cuMemFreeAsync(address, stream));
        ok(cuStreamSynchronize(stream));
        assert_eq!(used(pool, A::CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0);
        assert_eq!(used(pool, A::CU_MEMPOOL_ATTR_USED_MEM_HIGH), 1000);
        ok(cuMemPoolSetAttribute(
            pool,
            A::CU_MEMPOOL_ATTR_USED_MEM_HIGH,
            std::ptr::from_mut(&mut 0u64).cast(),
        ));
        assert_eq!(used(pool, A::CU_MEMPOOL_ATTR_USED_MEM_HIGH), 0);
        ok(cuMemPoolDestroy(pool));
    }
}

fn a_pool_has_a_maximum(gpu: &Gpu) {
    let mut properties = properties(0);
    properties.maxSize = 1 << 20;
    let (mut pool, mut address) = (null_mut(), 0);
    unsafe {
        ok(cuMemPoolCreate(&raw mut pool, &raw const properties));
        let refused = cuMemAllocFromPoolAsync(&raw mut address, 2 << 20, pool, gpu.stream());
        assert_eq!(refused, R::CUDA_ERROR_OUT_OF_MEMORY);
        ok(cuMemAllocFromPoolAsync(
            &raw mut address,
            1 << 20,
            pool,
            gpu.stream(),
        ));
        ok(cuMemPoolDestroy(pool));
    }
}

fn thresholds_are_kept(_gpu: &Gpu) {
    let pool = pool(0);
    let mut threshold = u64::MAX;
    unsafe {
        let attribute = A::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        ok(cuMemPoolSetAttribute(
            pool,
            attribute,
            (&raw mut threshold).cast(),
        ));
        assert_eq!(used(pool, attribute), u64::MAX);
        let mut follows = 0u32;
        let attribute = A::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES;
        ok(cuMemPoolGetAttribute(
            pool,
            attribute,
            (&raw mut follows).cast(),
        ));
        assert_eq!(follows, 1);
        ok(cuMemPoolTrimTo(pool, 0));
        ok(cuMemPoolDestroy(pool));
    }
}

fn access_of_other_devices_is_kept(_gpu: &Gpu) {
    let pool = pool(0);
    let mut description: CUmemAccessDesc = unsafe { zeroed() };
    description.location = properties(1).location;
    description.flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    let mut flags = CUmemAccess_flags_enum::CU_MEM_ACCESS_FLAGS_PROT_NONE;
    unsafe {
        ok(cuMemPoolGetAccess(
            &raw mut flags,
            pool,
            &raw mut description.location,
        ));
        assert_eq!(flags as u32, 0);
        ok(cuMemPoolSetAccess(pool, &raw const description, 1));
        ok(cuMemPoolGetAccess(
            &raw mut flags,
            pool,
            &raw mut description.location,
        ));
        assert_eq!(flags as u32, 3);
        ok(cuMemPoolDestroy(pool));
    }
}

fn a_pool_of_a_device_can_be_replaced(_gpu: &Gpu) {
    let (own, mut found) = (pool(1), null_mut());
    unsafe {
        ok(cuDeviceSetMemPool(1, own));
        ok(cuDeviceGetMemPool(&raw mut found, 1));
        assert_eq!(found, own);
        ok(cuMemPoolDestroy(own));
        ok(cuDeviceGetMemPool(&raw mut found, 1));
        assert_ne!(found, own);
    }
}

fn pools_that_are_left_are_counted(_gpu: &Gpu) {
    let own = pool(0);
    assert!(live(c"pool") > 0);
    unsafe { ok(cuMemPoolDestroy(own)) };
}

//! Memory is used before it is there, or after it is gone.

use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::programs;
use crate::support::{Done, Gpu, Version, call};

programs! {
    use_after_free: CUDA_ERROR_ILLEGAL_ADDRESS,
        "a launch uses memory after `cuMemFree`",
        ["the launch of `fill`", "byte 0 of an allocation that `cuMemFree` by the host freed"];
    use_after_free_async: CUDA_ERROR_ILLEGAL_ADDRESS,
        "a launch uses memory after `cuMemFreeAsync` on the same stream",
        ["the launch of `fill`", "byte 0 of an allocation that `cuMemFreeAsync` on stream"];
    freed_on_another_stream: CUDA_ERROR_LAUNCH_FAILED,
        "a stream frees memory that another one uses",
        ["`cuMemFreeAsync` on stream", "frees address", "the launch of `fill` on stream", "nothing orders them"];
    freed_by_the_host_too_early: CUDA_ERROR_LAUNCH_FAILED,
        "the host frees memory of a pool that a stream uses",
        ["`cuMemFree` by the host frees address", "the launch of `fill` on stream", "nothing orders them"];
    freed_before_a_copy_on_another_stream: CUDA_ERROR_LAUNCH_FAILED,
        "memory is freed on the stream of the launch, and copied on another one",
        ["`cuMemcpyDtoHAsync` on stream", "`cuMemFreeAsync` on stream", "frees", "nothing orders them"];
    double_free: CUDA_ERROR_INVALID_VALUE,
        "memory is freed twice",
        ["`cuMemFree`", "byte 0 of an allocation that `cuMemFree` by the host freed"];
    double_free_in_stream_order: CUDA_ERROR_INVALID_VALUE,
        "memory of a pool is freed twice",
        ["`cuMemFreeAsync`", "is memory that an earlier operation frees"];
    free_of_an_interior_pointer: CUDA_ERROR_INVALID_VALUE,
        "what is freed is not the first address",
        ["`cuMemFree`", "is byte 64 of an allocation of 128 bytes: only its first address can be freed"];
    free_of_pinned_memory: CUDA_ERROR_INVALID_VALUE,
        "pinned memory is freed as device memory",
        ["`cuMemFree`", "is pinned memory: `cuMemFreeHost` frees it"];
    used_before_it_is_allocated: CUDA_ERROR_LAUNCH_FAILED,
        "a stream uses memory that another one allocates",
        ["the launch of `fill` on stream", "writes", "the allocation of 128 bytes on stream", "allocates", "nothing orders them"];
    pool_memory_without_access: CUDA_ERROR_ILLEGAL_ADDRESS,
        "a device uses memory of a pool of another device, which gives no access",
        ["the launch of `fill`", "byte 0 of an allocation of 128 bytes of a pool of device 0", "`cuMemPoolSetAccess`"];
    never_written: CUDA_ERROR_LAUNCH_FAILED,
        "a sum is not set to zero before the first launch adds to it",
        ["the launch of `next`", "reads address", "byte 0 of its allocation", "which nothing has written"];
    partly_written: CUDA_ERROR_LAUNCH_FAILED,
        "a fill sets half of a buffer, because its size is in elements of 2 bytes",
        ["the launch of `next`", "reads address", "byte 64 of its allocation", "which nothing has written"];
    freed_with_its_module: CUDA_ERROR_ILLEGAL_ADDRESS,
        "a variable is used after its module was unloaded",
        ["the launch of `fill`", "an allocation that `cuModuleUnload` freed"];
}

fn never_written(gpu: &Gpu, version: Version) -> Done {
    let (result, data) = (gpu.alloc(32)?, gpu.alloc(32)?);
    if version.is_mended() {
        call(unsafe { cuMemsetD32_v2(data, 0, 32) })?;
    }
    gpu.next(result, data, 32, null_mut())?;
    call(unsafe { cuCtxSynchronize() })?;
    assert_eq!(gpu.read(result, 32)?, [1; 32]);
    Ok(())
}

fn partly_written(gpu: &Gpu, version: Version) -> Done {
    let (result, data) = (gpu.alloc(32)?, gpu.alloc(32)?);
    call(unsafe { cuMemsetD16_v2(data, 0, version.either(32, 64)) })?;
    gpu.next(result, data, 32, null_mut())?;
    call(unsafe { cuCtxSynchronize() })
}

/// Allocates 32 numbers in stream order.
fn allocate(stream: CUstream) -> Done<CUdeviceptr> {
    let mut data = 0;
    call(unsafe { cuMemAllocAsync(&raw mut data, 128, stream) })?;
    Ok(data)
}

fn use_after_free(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.own(32)?;
    if version.is_mended() {
        gpu.fill(data, 1, 32, null_mut())?;
    }
    call(unsafe { cuMemFree_v2(data) })?;
    if !version.is_mended() {
        gpu.fill(data, 1, 32, null_mut())?;
    }
    Ok(())
}

fn use_after_free_async(gpu: &Gpu, version: Version) -> Done {
    let stream = gpu.stream()?;
    let data = allocate(stream)?;
    if version.is_mended() {
        gpu.fill(data, 1, 32, stream)?;
    }
    call(unsafe { cuMemFreeAsync(data, stream) })?;
    if !version.is_mended() {
        gpu.fill(data, 1, 32, stream)?;
    }
    call(unsafe { cuStreamSynchronize(stream) })
}

fn freed_on_another_stream(gpu: &Gpu, version: Version) -> Done {
    let (one, two) = (gpu.stream()?, gpu.stream()?);
    let data = allocate(one)?;
    gpu.order(one, two)?;
    gpu.fill(data, 1, 32, one)?;
    if version.is_mended() {
        gpu.order(one, two)?;
    }
    call(unsafe { cuMemFreeAsync(data, two) })
}

fn freed_by_the_host_too_early(gpu: &Gpu, version: Version) -> Done {
    let stream = gpu.stream()?;
    let data = allocate(stream)?;
    call(unsafe { cuStreamSynchronize(stream) })?;
    gpu.fill(data, 1, 32, stream)?;
    if version.is_mended() {
        call(unsafe { cuStreamSynchronize(stream) })?;
    }
    call(unsafe { cuMemFree_v2(data) })
}

fn freed_before_a_copy_on_another_stream(gpu: &Gpu, version: Version) -> Done {
    let (work, copies) = (gpu.stream()?, gpu.stream()?);
    let (data, numbers) = (allocate(work)?, gpu.pinned(32)?);
    gpu.fill(data, 1, 32, work)?;
    gpu.order(work, copies)?;
    unsafe {
        call(cuMemcpyDtoHAsync_v2(numbers.cast(), data, 128, copies))?;
        if version.is_mended() {
            gpu.order(copies, work)?;
        }
        call(cuMemFreeAsync(data, work))
    }
}

fn double_free(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.own(32)?;
    call(unsafe { cuMemFree_v2(data) })?;
    if !version.is_mended() {
        call(unsafe { cuMemFree_v2(data) })?;
    }
    Ok(())
}

fn double_free_in_stream_order(gpu: &Gpu, version: Version) -> Done {
    let (flag, stream, other) = (gpu.numbers(&[0])?, gpu.stream()?, gpu.stream()?);
    let data = allocate(stream)?;
    let args = [crate::support::Arg::Address(flag)];
    let signal = gpu.kernel("signal")?;
    // So that the first free comes after the second call.
    crate::support::launch(gpu.kernel("spin")?, 1, stream, &args)?;
    call(unsafe { cuMemFreeAsync(data, stream) })?;
    let second = match version {
        Version::Broken => call(unsafe { cuMemFreeAsync(data, stream) }),
        Version::Mended => Ok(()),
    };
    crate::support::launch(signal, 1, other, &args)?;
    second
}

fn free_of_an_interior_pointer(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.own(32)?;
    call(unsafe { cuMemFree_v2(data + version.either(64, 0)) })
}

fn free_of_pinned_memory(gpu: &Gpu, version: Version) -> Done {
    let numbers = gpu.own_pinned(32)?;
    call(unsafe {
        match version {
            Version::Broken => cuMemFree_v2(numbers as u64),
            Version::Mended => cuMemFreeHost(numbers.cast()),
        }
    })
}

fn used_before_it_is_allocated(gpu: &Gpu, version: Version) -> Done {
    let (one, two) = (gpu.stream()?, gpu.stream()?);
    let data = allocate(one)?;
    if version.is_mended() {
        gpu.order(one, two)?;
    }
    gpu.fill(data, 1, 32, two)?;
    gpu.order(two, one)?;
    call(unsafe { cuMemFreeAsync(data, one) })
}

fn pool_memory_without_access(gpu: &Gpu, version: Version) -> Done {
    let stream = gpu.stream()?;
    let (mut pool, mut data) = (null_mut(), 0);
    let properties = CUmemPoolProps {
        allocType: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
        location: location(0),
        ..unsafe { std::mem::zeroed() }
    };
    unsafe {
        call(cuMemPoolCreate(&raw mut pool, &raw const properties))?;
        if version.is_mended() {
            let access = CUmemAccessDesc {
                location: location(1),
                flags: CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
            };
            call(cuMemPoolSetAccess(pool, &raw const access, 1))?;
        }
        call(cuMemAllocFromPoolAsync(&raw mut data, 128, pool, stream))?;
        call(cuStreamSynchronize(stream))?;
        let other = Gpu::new(1)?;
        other.fill(data, 1, 32, null_mut())?;
        call(cuCtxSynchronize())?;
        gpu.enter()?;
        call(cuMemFree_v2(data))?;
        call(cuMemPoolDestroy(pool))?;
        other.enter()?;
        other.close()?;
    }
    gpu.enter()
}

fn location(device: i32) -> CUmemLocation {
    let mut location: CUmemLocation = unsafe { std::mem::zeroed() };
    location.type_ = CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
    location.__bindgen_anon_1.id = device;
    location
}

fn freed_with_its_module(gpu: &Gpu, version: Version) -> Done {
    let module = gpu.module(crate::shared::PTX)?;
    let (mut variable, mut bytes) = (0, 0);
    unsafe {
        let name = c"counter".as_ptr();
        call(cuModuleGetGlobal_v2(
            &raw mut variable,
            &raw mut bytes,
            module,
            name,
        ))?;
        if !version.is_mended() {
            call(cuModuleUnload(module))?;
        }
        gpu.fill(variable, 1, 1, null_mut())?;
        if version.is_mended() {
            call(cuCtxSynchronize())?;
            call(cuModuleUnload(module))?;
        }
    }
    Ok(())
}

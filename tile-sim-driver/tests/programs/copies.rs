//! Copies and fills with wrong addresses or sizes.

use std::ffi::c_void;
use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::programs;
use crate::support::{Done, Gpu, Version, call};

programs! {
    copy_beyond_an_allocation: CUDA_ERROR_INVALID_VALUE,
        "the size is that of elements of 8 bytes, and they have 4",
        ["`cuMemcpyDtoD`", "256 bytes from byte 0 on are beyond an allocation of 128 bytes"];
    fill_beyond_an_allocation: CUDA_ERROR_INVALID_VALUE,
        "the number of elements is taken for that of bytes",
        ["`cuMemsetD32`", "512 bytes from byte 0 on are beyond an allocation of 128 bytes"];
    fill_of_misaligned_memory: CUDA_ERROR_INVALID_VALUE,
        "the address is not a multiple of the element",
        ["`cuMemsetD32`", "is not aligned to elements of 4 bytes"];
    pitch_less_than_a_row: CUDA_ERROR_INVALID_VALUE,
        "the pitch is in elements, and has to be in bytes",
        ["`cuMemcpy2D`", "a pitch of 16 bytes is less than a row of 64"];
    host_address_for_a_device: CUDA_ERROR_INVALID_VALUE,
        "source and destination are exchanged",
        ["`cuMemcpyHtoD`", "is in no allocation"];
    copy_of_freed_memory: CUDA_ERROR_INVALID_VALUE,
        "a copy reads device memory that was freed",
        ["`cuMemcpyDtoH`", "byte 0 of an allocation that `cuMemFree` by the host freed"];
    download_to_null: CUDA_ERROR_INVALID_VALUE,
        "the buffer of the host was not allocated",
        ["`cuMemcpyDtoH`", "the address of the host is null"];
}

fn copy_beyond_an_allocation(gpu: &Gpu, version: Version) -> Done {
    let (from, to) = (gpu.numbers(&[3; 32])?, gpu.alloc(64)?);
    call(unsafe { cuMemcpyDtoD_v2(to, from, version.either(256, 128)) })?;
    if version.is_mended() {
        assert_eq!(gpu.read(to, 32)?, [3; 32]);
    }
    Ok(())
}

fn fill_beyond_an_allocation(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.alloc(32)?;
    call(unsafe { cuMemsetD32_v2(data, 3, version.either(128, 32)) })
}

fn fill_of_misaligned_memory(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.alloc(32)?;
    call(unsafe { cuMemsetD32_v2(data + version.either(2, 4), 3, 4) })
}

fn pitch_less_than_a_row(gpu: &Gpu, version: Version) -> Done {
    let (data, numbers) = (gpu.alloc(64)?, [5u32; 64]);
    let copy = CUDA_MEMCPY2D {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        srcHost: numbers.as_ptr().cast(),
        srcPitch: version.either(16, 64),
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        dstDevice: data,
        dstPitch: 64,
        WidthInBytes: 64,
        Height: 4,
        ..crate::shared::rows()
    };
    call(unsafe { cuMemcpy2D_v2(&raw const copy) })?;
    assert_eq!(gpu.read(data, 64)?, numbers);
    Ok(())
}

fn host_address_for_a_device(gpu: &Gpu, version: Version) -> Done {
    let (data, numbers) = (gpu.alloc(4)?, [5u32; 4]);
    let host: *const c_void = numbers.as_ptr().cast();
    let device = std::ptr::with_exposed_provenance(usize::try_from(data).expect("64 bits"));
    let (to, from) = version.either((host as u64, device), (data, host));
    call(unsafe { cuMemcpyHtoD_v2(to, from, 16) })
}

fn copy_of_freed_memory(gpu: &Gpu, version: Version) -> Done {
    let (data, mut numbers) = (gpu.own(4)?, [0u32; 4]);
    let copy = |numbers: &mut [u32; 4]| {
        call(unsafe { cuMemcpyDtoH_v2(numbers.as_mut_ptr().cast(), data, 16) })
    };
    if version.is_mended() {
        copy(&mut numbers)?;
    }
    call(unsafe { cuMemFree_v2(data) })?;
    if !version.is_mended() {
        copy(&mut numbers)?;
    }
    Ok(())
}

fn download_to_null(gpu: &Gpu, version: Version) -> Done {
    let (data, mut numbers) = (gpu.numbers(&[5; 4])?, [0u32; 4]);
    let to: *mut c_void = version.either(null_mut(), numbers.as_mut_ptr().cast());
    call(unsafe { cuMemcpyDtoH_v2(to, data, 16) })?;
    assert_eq!(numbers, [5; 4]);
    Ok(())
}

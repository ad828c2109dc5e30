use std::ffi::c_void;
use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Arg, Gpu, R, cases, fail_next, nothing, ok};

use CUpointer_attribute_enum as P;

cases! {
    refused: {
        no_bytes_are_not_allocated(_gpu): cuMemAlloc_v2(&mut { 0 }, 0) => CUDA_ERROR_INVALID_VALUE;
        an_address_needs_a_place(_gpu): cuMemAlloc_v2(nothing(), 16) => CUDA_ERROR_INVALID_VALUE;
        more_than_the_device_has_is_refused(_gpu): cuMemAlloc_v2(&mut { 0 }, 1 << 40) => CUDA_ERROR_OUT_OF_MEMORY;
        more_than_there_are_addresses_is_refused(_gpu): cuMemAlloc_v2(&mut { 0 }, usize::MAX) => CUDA_ERROR_OUT_OF_MEMORY;
        an_unknown_address_is_not_freed(_gpu): cuMemFree_v2(0x1234) => CUDA_ERROR_INVALID_VALUE;
        the_middle_of_memory_is_not_freed(gpu): cuMemFree_v2(gpu.alloc(64) + 4) => CUDA_ERROR_INVALID_VALUE;
        memory_is_not_freed_twice(gpu): { let memory = gpu.alloc(64); ok(cuMemFree_v2(memory)); cuMemFree_v2(memory) } => CUDA_ERROR_INVALID_VALUE;
        pinned_memory_is_not_freed_as_device_memory(gpu): cuMemFree_v2(gpu.pinned(4) as u64) => CUDA_ERROR_INVALID_VALUE;
        device_memory_is_not_freed_as_pinned_memory(gpu): cuMemFreeHost(gpu.alloc(4) as *mut c_void) => CUDA_ERROR_INVALID_VALUE;
        a_pitch_needs_a_place(_gpu): cuMemAllocPitch_v2(&mut { 0 }, nothing(), 16, 16, 4) => CUDA_ERROR_INVALID_VALUE;
        elements_of_a_pitch_have_4_8_or_16_bytes(_gpu): cuMemAllocPitch_v2(&mut { 0 }, &mut { 0 }, 16, 16, 3) => CUDA_ERROR_INVALID_VALUE;
        an_unknown_address_has_no_range(_gpu): cuMemGetAddressRange_v2(&mut { 0 }, &mut { 0 }, 0x1234) => CUDA_ERROR_NOT_FOUND;
        managed_memory_needs_flags(_gpu): cuMemAllocManaged(&mut { 0 }, 16, 0) => CUDA_ERROR_INVALID_VALUE;
        no_bytes_are_not_managed(_gpu): cuMemAllocManaged(&mut { 0 }, 0, 1) => CUDA_ERROR_INVALID_VALUE;
        unknown_flags_of_pinned_memory_are_refused(_gpu): cuMemHostAlloc(&mut { null_mut() }, 16, 0x80) => CUDA_ERROR_INVALID_VALUE;
        no_bytes_are_not_pinned(_gpu): cuMemHostAlloc(&mut { null_mut() }, 0, 0) => CUDA_ERROR_INVALID_VALUE;
        device_memory_has_no_device_pointer(gpu): cuMemHostGetDevicePointer_v2(&mut { 0 }, gpu.alloc(4) as *mut c_void, 0) => CUDA_ERROR_INVALID_VALUE;
        flags_of_a_device_pointer_are_zero(gpu): cuMemHostGetDevicePointer_v2(&mut { 0 }, gpu.pinned(4).cast(), 1) => CUDA_ERROR_INVALID_VALUE;
        device_memory_has_no_host_flags(gpu): cuMemHostGetFlags(&mut { 0 }, gpu.alloc(4) as *mut c_void) => CUDA_ERROR_INVALID_VALUE;
        null_is_not_registered(_gpu): cuMemHostRegister_v2(null_mut(), 16, 0) => CUDA_ERROR_INVALID_VALUE;
        what_is_not_registered_is_not_unregistered(_gpu): cuMemHostUnregister(0x1230 as *mut c_void) => CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
        attributes_of_an_unknown_address_are_refused(_gpu): cuPointerGetAttribute(std::ptr::from_mut(&mut 0u64).cast(), P::CU_POINTER_ATTRIBUTE_CONTEXT, 0x1234) => CUDA_ERROR_INVALID_VALUE;
        device_memory_has_no_host_pointer(gpu): cuPointerGetAttribute(std::ptr::from_mut(&mut 0u64).cast(), P::CU_POINTER_ATTRIBUTE_HOST_POINTER, gpu.alloc(4)) => CUDA_ERROR_INVALID_VALUE;
        advice_about_device_memory_is_refused(gpu): cuMemAdvise_v2(gpu.alloc(4), 4, CUmem_advise_enum::CU_MEM_ADVISE_SET_READ_MOSTLY, std::mem::zeroed()) => CUDA_ERROR_INVALID_VALUE;
        device_memory_is_not_prefetched(gpu): cuMemPrefetchAsync_v2(gpu.alloc(4), 4, std::mem::zeroed(), 0, null_mut()) => CUDA_ERROR_INVALID_VALUE;
    }
    facts: {
        memory_in_use_is_counted,
        addresses_are_aligned_as_guaranteed,
        an_address_has_the_range_of_its_allocation,
        rows_of_a_pitch_are_aligned,
        kernels_read_pinned_memory_at_its_address,
        kernels_read_registered_memory_at_its_address,
        memory_is_not_registered_twice,
        managed_memory_is_shared,
        attributes_tell_kinds_of_memory_apart,
        attributes_of_an_unknown_address_are_zero_in_a_list,
        freeing_nothing_is_no_error,
        a_failure_is_injected_at_the_nth_call,
        advice_about_managed_memory_is_taken,
    }
}

fn info() -> (usize, usize) {
    let (mut free, mut total) = (0, 0);
    unsafe { ok(cuMemGetInfo_v2(&raw mut free, &raw mut total)) };
    (free, total)
}

fn memory_in_use_is_counted(_gpu: &Gpu) {
    // No other case allocates on this device.
    let gpu = Gpu::new(2);
    let (before, total) = info();
    let memory = gpu.alloc(3 << 20);
    assert_eq!(info(), (before - (3 << 20), total));
    unsafe { ok(cuMemFree_v2(memory)) };
    assert_eq!(info(), (before, total));
}

fn addresses_are_aligned_as_guaranteed(gpu: &Gpu) {
    let (one, two) = (gpu.alloc(1), gpu.alloc(1));
    assert_ne!(one, two);
    // Not more than that, which a program could not rely on.
    assert_eq!((one % 256, one % 512, two % 512), (0, 256, 256));
}

fn an_address_has_the_range_of_its_allocation(gpu: &Gpu) {
    let memory = gpu.alloc(100);
    let (mut base, mut bytes) = (0, 0);
    unsafe {
        ok(cuMemGetAddressRange_v2(
            &raw mut base,
            &raw mut bytes,
            memory + 99,
        ));
    }
    assert_eq!((base, bytes), (memory, 100));
    let beyond = unsafe { cuMemGetAddressRange_v2(&raw mut base, &raw mut bytes, memory + 100) };
    assert_eq!(beyond, R::CUDA_ERROR_NOT_FOUND);
}

fn rows_of_a_pitch_are_aligned(_gpu: &Gpu) {
    let (mut address, mut pitch) = (0, 0);
    unsafe {
        ok(cuMemAllocPitch_v2(
            &raw mut address,
            &raw mut pitch,
            1000,
            10,
            4,
        ));
        ok(cuMemsetD2D8_v2(address, pitch, 1, 1000, 10));
    }
    assert_eq!(pitch, 1024);
}

fn kernels_read_pinned_memory_at_its_address(gpu: &Gpu) {
    let pinned = gpu.pinned(32);
    let stream = gpu.stream();
    unsafe { pinned.write(41) };
    let memory = gpu.alloc(128);
    gpu.next(memory, pinned as u64, 1, stream);
    gpu.next(pinned as u64, memory, 1, stream);
    unsafe {
        ok(cuStreamSynchronize(stream));
        assert_eq!(pinned.read(), 43);
        let mut address = 0;
        ok(cuMemHostGetDevicePointer_v2(
            &raw mut address,
            pinned.cast(),
            0,
        ));
        assert_eq!(address, pinned as u64);
        ok(cuMemFreeHost(pinned.cast()));
    }
}

fn kernels_read_registered_memory_at_its_address(gpu: &Gpu) {
    let mut host: Vec<u32> = (0..64).collect();
    let address = host.as_mut_ptr();
    let stream = gpu.stream();
    unsafe {
        match cuMemHostRegister_v2(address.cast(), 256, 0) {
            // The heap is in the window of shared memory, as it may be.
            R::CUDA_ERROR_NOT_SUPPORTED => return,
            result => ok(result),
        }
        gpu.next(address as u64, address as u64 + 128, 32, stream);
        ok(cuStreamSynchronize(stream));
        ok(cuMemHostUnregister(address.cast()));
    }
    assert_eq!(host[..32], (33..65).collect::<Vec<_>>());
    unsafe {
        let unregistered = cuMemHostUnregister(address.cast());
        assert_eq!(unregistered, R::CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    }
}

fn memory_is_not_registered_twice(_gpu: &Gpu) {
    let mut host = vec![0u32; 64];
    let address: *mut c_void = host.as_mut_ptr().cast();
    unsafe {
        if cuMemHostRegister_v2(address, 256, 0) == R::CUDA_ERROR_NOT_SUPPORTED {
            return;
        }
        let again = cuMemHostRegister_v2(address, 128, 0);
        assert_eq!(again, R::CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
        ok(cuMemHostUnregister(address));
    }
}

fn managed_memory_is_shared(gpu: &Gpu) {
    let mut address = 0;
    unsafe {
        ok(cuMemAllocManaged(&raw mut address, 128, 1));
        (address as *mut u32).write(5);
    }
    let stream = gpu.stream();
    gpu.next(address + 64, address, 1, stream);
    unsafe {
        ok(cuStreamSynchronize(stream));
        assert_eq!((address as *const u32).add(16).read(), 6);
        ok(cuMemFree_v2(address));
    }
}

fn attributes_tell_kinds_of_memory_apart(gpu: &Gpu) {
    let number = |attribute, address| {
        let mut value = 0u32;
        unsafe {
            ok(cuPointerGetAttribute(
                (&raw mut value).cast(),
                attribute,
                address,
            ));
        }
        value
    };
    let flag = |attribute, address| {
        let mut value = false;
        unsafe {
            ok(cuPointerGetAttribute(
                (&raw mut value).cast(),
                attribute,
                address,
            ));
        }
        value
    };
    let device = gpu.alloc(64);
    let pinned = gpu.pinned(16) as u64;
    let mut managed = 0;
    unsafe { ok(cuMemAllocManaged(&raw mut managed, 64, 1)) };
    let kinds = [device, pinned, managed]
        .map(|address| number(P::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
    assert_eq!(kinds, [2, 1, 2]);
    let managed =
        [device, pinned, managed].map(|address| flag(P::CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
    assert_eq!(managed, [false, false, true]);
    let mut context: CUcontext = null_mut();
    let attribute = P::CU_POINTER_ATTRIBUTE_CONTEXT;
    unsafe {
        ok(cuPointerGetAttribute(
            (&raw mut context).cast(),
            attribute,
            device + 8,
        ));
    }
    assert_eq!(context, gpu.context);
    let mut start = 0u64;
    let attribute = P::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR;
    unsafe {
        ok(cuPointerGetAttribute(
            (&raw mut start).cast(),
            attribute,
            device + 8,
        ));
    }
    assert_eq!(start, device);
}

fn attributes_of_an_unknown_address_are_zero_in_a_list(_gpu: &Gpu) {
    let mut attributes = [
        P::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        P::CU_POINTER_ATTRIBUTE_CONTEXT,
    ];
    let (mut kind, mut context) = (9u32, 9u64);
    let mut places: [*mut c_void; 2] = [(&raw mut kind).cast(), (&raw mut context).cast()];
    unsafe {
        ok(cuPointerGetAttributes(
            2,
            attributes.as_mut_ptr(),
            places.as_mut_ptr(),
            0x1234,
        ));
    }
    assert_eq!((kind, context), (0, 0));
}

fn freeing_nothing_is_no_error(gpu: &Gpu) {
    unsafe {
        ok(cuMemFree_v2(0));
        ok(cuMemFreeHost(null_mut()));
        ok(cuMemFreeAsync(0, gpu.stream()));
    }
}

fn a_failure_is_injected_at_the_nth_call(gpu: &Gpu) {
    // No other case calls this function with success.
    let mut value = 0;
    let mut count = || unsafe { cuModuleGetFunctionCount(&raw mut value, gpu.module()) };
    fail_next(c"cuModuleGetFunctionCount", R::CUDA_ERROR_OUT_OF_MEMORY, 2);
    let results = [count(), count(), count()];
    assert_eq!(
        results,
        [
            R::CUDA_SUCCESS,
            R::CUDA_ERROR_OUT_OF_MEMORY,
            R::CUDA_SUCCESS
        ]
    );
    let _ = Arg::Number(0);
}

fn advice_about_managed_memory_is_taken(gpu: &Gpu) {
    let mut address = 0;
    let mut location: CUmemLocation = unsafe { std::mem::zeroed() };
    location.type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    let advice = CUmem_advise_enum::CU_MEM_ADVISE_SET_PREFERRED_LOCATION;
    unsafe {
        ok(cuMemAllocManaged(&raw mut address, 128, 1));
        ok(cuMemAdvise_v2(address, 128, advice, location));
        ok(cuMemPrefetchAsync_v2(
            address,
            128,
            location,
            0,
            gpu.stream(),
        ));
    }
}

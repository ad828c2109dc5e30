use std::ffi::CStr;

use cudarc::driver::sys::*;

use crate::gpu::{Gpu, R, cases, nothing, ok};

use CUdevice_attribute_enum as A;

fn attribute(device: CUdevice, attribute: A) -> i32 {
    let mut value = -1;
    unsafe { ok(cuDeviceGetAttribute(&raw mut value, attribute, device)) };
    value
}

cases! {
    refused: {
        init_with_flags_is_refused(_gpu): cuInit(1) => CUDA_ERROR_INVALID_VALUE;
        a_device_that_does_not_exist_is_refused(_gpu): cuDeviceGet(&mut { 0 }, 3) => CUDA_ERROR_INVALID_DEVICE;
        a_negative_device_is_refused(_gpu): cuDeviceGet(&mut { 0 }, -1) => CUDA_ERROR_INVALID_DEVICE;
        a_count_needs_a_place(_gpu): cuDeviceGetCount(nothing::<i32>()) => CUDA_ERROR_INVALID_VALUE;
        a_version_needs_a_place(_gpu): cuDriverGetVersion(nothing::<i32>()) => CUDA_ERROR_INVALID_VALUE;
        the_name_of_no_device_is_refused(_gpu): cuDeviceGetName([0; 8].as_mut_ptr(), 8, 9) => CUDA_ERROR_INVALID_DEVICE;
        a_name_needs_room(_gpu): cuDeviceGetName([0; 8].as_mut_ptr(), 0, 0) => CUDA_ERROR_INVALID_VALUE;
        the_memory_of_no_device_is_refused(_gpu): cuDeviceTotalMem_v2(&mut { 0 }, 7) => CUDA_ERROR_INVALID_DEVICE;
        an_attribute_of_no_device_is_refused(_gpu): cuDeviceGetAttribute(&mut { 0 }, A::CU_DEVICE_ATTRIBUTE_WARP_SIZE, 5) => CUDA_ERROR_INVALID_DEVICE;
        a_uuid_of_no_device_is_refused(_gpu): cuDeviceGetUuid_v2(&mut CUuuid { bytes: [0; 16] }, 5) => CUDA_ERROR_INVALID_DEVICE;
        peers_of_no_device_are_refused(_gpu): cuDeviceCanAccessPeer(&mut { 0 }, 0, 5) => CUDA_ERROR_INVALID_DEVICE;
        a_bus_of_no_device_is_refused(_gpu): cuDeviceGetByPCIBusId(&mut { 0 }, c"0000:77:00.0".as_ptr()) => CUDA_ERROR_INVALID_VALUE;
        link_attributes_are_of_two_devices(_gpu): cuDeviceGetP2PAttribute(&mut { 0 }, CUdevice_P2PAttribute_enum::CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0) => CUDA_ERROR_INVALID_DEVICE;
        export_tables_are_not_there(_gpu): cuGetExportTable(&mut { std::ptr::null() }, &CUuuid { bytes: [1; 16] }) => CUDA_ERROR_NOT_SUPPORTED;
    }
    facts: {
        devices_are_those_that_the_variable_lists,
        attributes_are_those_of_the_model,
        errors_have_the_names_and_texts_of_the_driver,
        a_device_is_found_by_its_bus,
        devices_have_different_uuids,
        a_name_is_cut_to_its_room,
        the_version_is_that_of_cuda_13,
    }
}

fn devices_are_those_that_the_variable_lists(_gpu: &Gpu) {
    let mut count = 0;
    unsafe { ok(cuDeviceGetCount(&raw mut count)) };
    assert_eq!(count, 3);
    let names: Vec<String> = (0..3)
        .map(|device| {
            let mut name = [0; 64];
            unsafe {
                ok(cuDeviceGetName(name.as_mut_ptr(), 64, device));
                CStr::from_ptr(name.as_ptr()).to_string_lossy().into_owned()
            }
        })
        .collect();
    assert_eq!(names[0], "tile-sim NVIDIA H100 80GB HBM3");
    assert_eq!(names[0], names[1]);
    assert_eq!(names[2], "tile-sim NVIDIA A100-SXM4-80GB");
}

fn attributes_are_those_of_the_model(_gpu: &Gpu) {
    for (which, hopper, ampere) in [
        (A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9, 8),
        (A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0, 0),
        (A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 132, 108),
        (A::CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, 1, 0),
        (
            A::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
            227 << 10,
            163 << 10,
        ),
        (A::CU_DEVICE_ATTRIBUTE_WARP_SIZE, 32, 32),
        (A::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1, 1),
        (A::CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1, 1),
        (A::CU_DEVICE_ATTRIBUTE_TENSOR_MAP_ACCESS_SUPPORTED, 1, 0),
    ] {
        assert_eq!(attribute(0, which), hopper, "{which:?}");
        assert_eq!(attribute(2, which), ampere, "{which:?}");
    }
    let mut bytes = 0;
    unsafe { ok(cuDeviceTotalMem_v2(&raw mut bytes, 0)) };
    assert!(bytes > 79 << 30);
}

fn errors_have_the_names_and_texts_of_the_driver(_gpu: &Gpu) {
    for (error, name, text) in [
        (R::CUDA_SUCCESS, "CUDA_SUCCESS", "no error"),
        (
            R::CUDA_ERROR_OUT_OF_MEMORY,
            "CUDA_ERROR_OUT_OF_MEMORY",
            "out of memory",
        ),
        (
            R::CUDA_ERROR_ILLEGAL_ADDRESS,
            "CUDA_ERROR_ILLEGAL_ADDRESS",
            "an illegal memory access was encountered",
        ),
    ] {
        let (mut its_name, mut its_text) = (std::ptr::null(), std::ptr::null());
        unsafe {
            ok(cuGetErrorName(error, &raw mut its_name));
            ok(cuGetErrorString(error, &raw mut its_text));
            assert_eq!(CStr::from_ptr(its_name).to_str(), Ok(name));
            assert_eq!(CStr::from_ptr(its_text).to_str(), Ok(text));
        }
    }
}

fn a_device_is_found_by_its_bus(_gpu: &Gpu) {
    for device in 0..3 {
        let mut bus = [0; 16];
        let mut found = -1;
        unsafe {
            ok(cuDeviceGetPCIBusId(bus.as_mut_ptr(), 16, device));
            ok(cuDeviceGetByPCIBusId(&raw mut found, bus.as_ptr()));
        }
        assert_eq!(found, device);
    }
}

fn devices_have_different_uuids(_gpu: &Gpu) {
    let of = |device| {
        let mut uuid = CUuuid { bytes: [0; 16] };
        unsafe { ok(cuDeviceGetUuid_v2(&raw mut uuid, device)) };
        uuid.bytes
    };
    assert_ne!(of(0), of(1));
}

fn a_name_is_cut_to_its_room(_gpu: &Gpu) {
    let mut name = [1; 9];
    unsafe {
        ok(cuDeviceGetName(name.as_mut_ptr(), 9, 0));
        assert_eq!(CStr::from_ptr(name.as_ptr()).to_str(), Ok("tile-sim"));
    }
}

fn the_version_is_that_of_cuda_13(_gpu: &Gpu) {
    let mut version = 0;
    unsafe { ok(cuDriverGetVersion(&raw mut version)) };
    assert_eq!(version, 13_000);
}

use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Gpu, R, cases, live, nowhere, ok};

use CUdriverProcAddressQueryResult_enum as Q;

fn address(name: &CStr, version: i32) -> (R, *mut c_void, Q) {
    let mut function = null_mut();
    let mut status = Q::CU_GET_PROC_ADDRESS_SUCCESS;
    let result = unsafe {
        cuGetProcAddress_v2(
            name.as_ptr(),
            &raw mut function,
            version,
            0,
            &raw mut status,
        )
    };
    (result, function, status)
}

cases! {
    refused: {
        a_name_is_needed(_gpu): cuGetProcAddress_v2(nowhere(), &mut { null_mut() }, 13_000, 0, null_mut()) => CUDA_ERROR_INVALID_VALUE;
        a_place_is_needed(_gpu): cuGetProcAddress_v2(c"cuInit".as_ptr(), null_mut(), 13_000, 0, null_mut()) => CUDA_ERROR_INVALID_VALUE;
        unknown_flags_are_refused(_gpu): cuGetProcAddress_v2(c"cuInit".as_ptr(), &mut { null_mut() }, 13_000, 8, null_mut()) => CUDA_ERROR_INVALID_VALUE;
        an_unknown_name_is_not_found(_gpu): cuGetProcAddress_v2(c"cuFly".as_ptr(), &mut { null_mut() }, 13_000, 0, null_mut()) => CUDA_ERROR_NOT_FOUND;
        a_function_that_is_not_supported_says_so(_gpu): cuArrayDestroy(null_mut()) => CUDA_ERROR_NOT_SUPPORTED;
    }
    facts: {
        a_name_gives_the_function_of_its_version,
        a_name_that_is_newer_than_the_version_is_told,
        the_variant_of_a_function_has_the_default_stream_of_the_thread,
        variants_are_exported_under_their_names,
        objects_that_are_left_are_counted,
    }
}

type GetId = unsafe extern "C" fn(CUstream, *mut u64) -> R;

fn id(function: GetId, stream: usize) -> u64 {
    let mut id = 0;
    unsafe {
        ok(function(
            std::ptr::without_provenance_mut(stream),
            &raw mut id,
        ));
    }
    id
}

fn the_variant_of_a_function_has_the_default_stream_of_the_thread(_gpu: &Gpu) {
    let function = |flags| {
        let mut function = null_mut();
        let name = c"cuStreamGetId".as_ptr();
        unsafe {
            ok(cuGetProcAddress_v2(
                name,
                &raw mut function,
                13_000,
                flags,
                null_mut(),
            ));
            std::mem::transmute::<*mut c_void, GetId>(function)
        }
    };
    let (plain, variant) = (function(0), function(2));
    let (legacy, of_thread) = (id(plain, 1), id(plain, 2));
    assert_ne!(legacy, of_thread);
    assert_eq!([id(plain, 0), id(function(1), 0)], [legacy; 2]);
    assert_eq!([id(variant, 0), id(variant, 2)], [of_thread; 2]);
    assert_eq!(id(variant, 1), legacy);
}

fn variants_are_exported_under_their_names(gpu: &Gpu) {
    type Copy = unsafe extern "C" fn(CUdeviceptr, *const c_void, usize) -> R;
    let library = crate::gpu::library();
    let memory = gpu.alloc(4);
    unsafe {
        let variant = library
            .get::<GetId>(b"cuStreamGetId_ptsz\0")
            .expect("it is there");
        assert_eq!(id(*variant, 0), id(*variant, 2));
        let copy = library
            .get::<Copy>(b"cuMemcpyHtoD_v2_ptds\0")
            .expect("it is there");
        ok(copy(memory, [7u32].as_ptr().cast(), 4));
    }
    assert_eq!(gpu.read(memory, 1), [7]);
}

fn a_name_gives_the_function_of_its_version(_gpu: &Gpu) {
    let (result, function, status) = address(c"cuDriverGetVersion", 12_000);
    assert_eq!(
        (result, status),
        (R::CUDA_SUCCESS, Q::CU_GET_PROC_ADDRESS_SUCCESS)
    );
    let mut version = 0;
    unsafe {
        let function: unsafe extern "C" fn(*mut i32) -> R = std::mem::transmute(function);
        ok(function(&raw mut version));
    }
    assert_eq!(version, 13_000);
    let (_, old, _) = address(c"cuCtxCreate", 11_000);
    let (_, new, _) = address(c"cuCtxCreate", 13_000);
    assert!(!old.is_null() && old != new);
}

fn a_name_that_is_newer_than_the_version_is_told(_gpu: &Gpu) {
    let (result, function, status) = address(c"cuMemAlloc", 2000);
    assert_eq!(result, R::CUDA_SUCCESS);
    assert!(function.is_null());
    assert_eq!(status, Q::CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
    let (_, _, status) = address(c"cuFly", 13_000);
    assert_eq!(status, Q::CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

fn objects_that_are_left_are_counted(gpu: &Gpu) {
    let (_stream, _event, _memory) = (gpu.stream(), gpu.event(), gpu.alloc(4));
    for kind in [c"context", c"stream", c"event", c"memory"] {
        assert!(live(kind) > 0, "{kind:?}");
    }
}

use std::ffi::{CStr, c_char};
use std::ptr::{null_mut, without_provenance_mut};

use cudarc::driver::sys::*;

use crate::gpu::{Arg, Gpu, R, cases, last_fault, nothing, nowhere, ok, stale};
use crate::shared::{PTX, PTX_90};

cases! {
    refused: {
        a_library_needs_an_image(_gpu): load(nowhere(), &mut null_mut()) => CUDA_ERROR_INVALID_VALUE;
        a_library_needs_a_place(_gpu): load(PTX.as_ptr(), nothing()) => CUDA_ERROR_INVALID_VALUE;
        text_that_is_no_ptx_is_no_library(_gpu): load(c".version 8.0\n.target sm_80\nnonsense".as_ptr(), &mut null_mut()) => CUDA_ERROR_INVALID_PTX;
        a_library_of_a_missing_file_is_refused(_gpu): cuLibraryLoadFromFile(&mut null_mut(), c"/missing".as_ptr(), null_mut(), null_mut(), 0, null_mut(), null_mut(), 0) => CUDA_ERROR_FILE_NOT_FOUND;
        a_stale_library_is_not_unloaded(_gpu): cuLibraryUnload(stale()) => CUDA_ERROR_INVALID_HANDLE;
        a_library_is_not_unloaded_twice(_gpu): { let library = library(PTX); ok(cuLibraryUnload(library)); cuLibraryUnload(library) } => CUDA_ERROR_INVALID_HANDLE;
        a_stale_library_has_no_kernel(_gpu): cuLibraryGetKernel(&mut null_mut(), stale(), c"fill".as_ptr()) => CUDA_ERROR_INVALID_HANDLE;
        an_unknown_kernel_is_not_found(_gpu): cuLibraryGetKernel(&mut null_mut(), library(PTX), c"nothing".as_ptr()) => CUDA_ERROR_NOT_FOUND;
        an_unknown_variable_is_not_found(_gpu): cuLibraryGetGlobal(&mut 0, &mut 0, library(PTX), c"nothing".as_ptr()) => CUDA_ERROR_NOT_FOUND;
        no_managed_variable_is_found(_gpu): cuLibraryGetManaged(&mut 0, &mut 0, library(PTX), c"counter".as_ptr()) => CUDA_ERROR_NOT_FOUND;
        the_kernels_of_a_stale_library_are_not_counted(_gpu): cuLibraryGetKernelCount(&mut 0, stale()) => CUDA_ERROR_INVALID_HANDLE;
        a_stale_kernel_is_no_function(_gpu): cuKernelGetFunction(&mut null_mut(), stale()) => CUDA_ERROR_INVALID_HANDLE;
        a_stale_kernel_has_no_library(_gpu): cuKernelGetLibrary(&mut null_mut(), stale()) => CUDA_ERROR_INVALID_HANDLE;
        a_kernel_has_so_many_parameters(_gpu): cuKernelGetParamInfo(kernel(library(PTX), c"fill"), 2, &mut 0, &mut 0) => CUDA_ERROR_INVALID_VALUE;
        attributes_are_of_a_device(_gpu): cuKernelGetAttribute(&mut 0, A::CU_FUNC_ATTRIBUTE_NUM_REGS, kernel(library(PTX), c"fill"), 9) => CUDA_ERROR_INVALID_DEVICE;
        the_parameters_of_a_stale_kernel_are_not_counted(_gpu): cuKernelGetParamCount(stale(), &mut 0) => CUDA_ERROR_INVALID_HANDLE;
        a_kernel_is_not_launched_without_its_library(gpu): { let library = library(PTX); let kernel = kernel(library, c"bounded"); ok(cuLibraryUnload(library)); gpu.try_launch(kernel.cast(), 1, null_mut(), &[]) } => CUDA_ERROR_INVALID_HANDLE;
        code_of_newer_devices_is_not_run_by_older_ones(_gpu): {
            // The third device is an A100.
            let older = Gpu::new(2);
            let result = cuLibraryGetModule(&mut null_mut(), library(PTX_90));
            drop(older);
            result
        } => CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    facts: {
        a_kernel_is_launched_in_the_context_of_the_stream,
        variables_are_those_of_the_context,
        kernels_are_counted_and_enumerated,
        a_kernel_knows_its_name_its_library_and_its_parameters,
        attributes_of_a_kernel_are_those_of_its_function,
        an_unknown_kernel_is_named,
    }
}

use CUfunction_attribute_enum as A;

unsafe fn load(image: *const c_char, library: *mut CUlibrary) -> R {
    let (none, values) = (null_mut(), null_mut());
    unsafe {
        cuLibraryLoadData(
            library,
            image.cast(),
            none,
            values,
            0,
            null_mut(),
            null_mut(),
            0,
        )
    }
}

fn library(text: &CStr) -> CUlibrary {
    let mut library = null_mut();
    unsafe { ok(load(text.as_ptr(), &raw mut library)) };
    library
}

fn kernel(library: CUlibrary, name: &CStr) -> CUkernel {
    let mut kernel = null_mut();
    unsafe { ok(cuLibraryGetKernel(&raw mut kernel, library, name.as_ptr())) };
    kernel
}

fn a_kernel_is_launched_in_the_context_of_the_stream(gpu: &Gpu) {
    let library = library(PTX);
    let fill = kernel(library, c"fill");
    for device in 0..3 {
        let other = Gpu::new(device);
        let memory = other.alloc(128);
        let args = [Arg::Address(memory), Arg::Number(device.unsigned_abs())];
        other.launch(fill.cast(), 32, other.stream(), &args);
        ok(other.synchronize());
        assert_eq!(other.read(memory, 32), [device.unsigned_abs(); 32]);
        drop(other);
    }
    gpu.enter();
    unsafe { ok(cuLibraryUnload(library)) };
}

fn variables_are_those_of_the_context(gpu: &Gpu) {
    let library = library(PTX);
    let address = || {
        let (mut address, mut bytes) = (0, 0);
        let name = c"counter".as_ptr();
        unsafe {
            ok(cuLibraryGetGlobal(
                &raw mut address,
                &raw mut bytes,
                library,
                name,
            ));
        }
        assert_eq!(bytes, 4);
        address
    };
    let own = address();
    gpu.launch(kernel(library, c"raise_counter").cast(), 1, null_mut(), &[]);
    assert_eq!(gpu.read(own, 1), [8]);
    let other = Gpu::new(0);
    assert_ne!(address(), own);
    assert_eq!(other.read(address(), 1), [7]);
    drop(other);
    gpu.enter();
    let mut module = null_mut();
    let mut again = 0;
    unsafe {
        ok(cuLibraryGetModule(&raw mut module, library));
        ok(cuModuleGetGlobal_v2(
            &raw mut again,
            null_mut(),
            module,
            c"counter".as_ptr(),
        ));
    }
    assert_eq!(again, own);
}

fn kernels_are_counted_and_enumerated(_gpu: &Gpu) {
    let library = library(PTX_90);
    let mut count = 0;
    unsafe { ok(cuLibraryGetKernelCount(&raw mut count, library)) };
    let mut kernels = vec![null_mut(); count as usize];
    unsafe {
        ok(cuLibraryEnumerateKernels(
            kernels.as_mut_ptr(),
            count,
            library,
        ));
    }
    assert!(kernels.contains(&kernel(library, c"ranks")));
    kernels.sort_unstable();
    kernels.dedup();
    assert_eq!(kernels.len(), count as usize);
}

fn a_kernel_knows_its_name_its_library_and_its_parameters(_gpu: &Gpu) {
    let own = library(PTX);
    let fill = kernel(own, c"fill");
    let (mut found, mut name, mut function) = (null_mut(), std::ptr::null(), null_mut());
    let (mut offset, mut bytes, mut counts) = (0, 0, [0; 2]);
    unsafe {
        ok(cuKernelGetLibrary(&raw mut found, fill));
        ok(cuKernelGetName(&raw mut name, fill));
        ok(cuKernelGetParamInfo(
            fill,
            1,
            &raw mut offset,
            &raw mut bytes,
        ));
        ok(cuKernelGetFunction(&raw mut function, fill));
        ok(cuKernelGetParamCount(fill, &raw mut counts[0]));
        ok(cuFuncGetParamCount(function, &raw mut counts[1]));
        assert_eq!(counts, [2; 2]);
        assert_eq!(CStr::from_ptr(name), c"fill");
        let mut again: *const c_char = std::ptr::null();
        ok(cuFuncGetName(&raw mut again, function));
        assert_eq!(CStr::from_ptr(again), c"fill");
    }
    assert_eq!((found, offset, bytes), (own, 8, 4));
}

fn attributes_of_a_kernel_are_those_of_its_function(gpu: &Gpu) {
    let fill = kernel(library(PTX), c"fill");
    let shared = A::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    let (mut value, mut function) = (0, null_mut());
    unsafe {
        ok(cuKernelSetAttribute(shared, 65536, fill, 0));
        ok(cuKernelGetAttribute(&raw mut value, shared, fill, 0));
        assert_eq!(value, 65536);
        // The function of a context that comes later has it too.
        let other = Gpu::new(0);
        ok(cuKernelGetFunction(&raw mut function, fill));
        ok(cuFuncGetAttribute(&raw mut value, shared, function));
        assert_eq!(value, 65536);
        drop(other);
        gpu.enter();
        ok(cuKernelSetCacheConfig(
            fill,
            CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_L1,
            0,
        ));
    }
}

fn an_unknown_kernel_is_named(_gpu: &Gpu) {
    let library = library(PTX);
    // Other cases have texts at the same time.
    let is_named = (0..20).any(|_| {
        let mut kernel = without_provenance_mut(1);
        let _result = unsafe { cuLibraryGetKernel(&raw mut kernel, library, c"nothing".as_ptr()) };
        last_fault().contains("the library has no kernel `nothing`, it has `fill`")
    });
    assert!(is_named);
}

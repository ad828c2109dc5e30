use std::ffi::{CStr, c_void};
use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Gpu, R, cases, nothing, nowhere, ok, stale};

use CUfunction_attribute_enum as F;

fn load(image: *const u8) -> R {
    unsafe { cuModuleLoadData(&mut { null_mut() }, image.cast()) }
}

fn text(text: &CStr) -> R {
    load(text.as_ptr().cast())
}

cases! {
    refused: {
        no_image_is_refused(_gpu): cuModuleLoadData(&mut { null_mut() }, nowhere()) => CUDA_ERROR_INVALID_VALUE;
        a_module_needs_a_place(_gpu): cuModuleLoadData(nothing(), c".version 7.0".as_ptr().cast()) => CUDA_ERROR_INVALID_VALUE;
        a_cubin_is_refused(_gpu): load(c"\x7fELF\x02\x01\x01".as_ptr().cast()) => CUDA_ERROR_NO_BINARY_FOR_GPU;
        a_text_that_is_no_ptx_is_refused(_gpu): text(c"hello") => CUDA_ERROR_INVALID_IMAGE;
        an_unknown_instruction_is_refused(_gpu): text(c".version 7.0\n.target sm_80\n.address_size 64\n.entry f() { fly.u32 %r0; ret; }") => CUDA_ERROR_INVALID_PTX;
        ptx_for_newer_devices_is_refused(_gpu): text(c".version 8.6\n.target sm_100\n.address_size 64\n.entry f() { ret; }") => CUDA_ERROR_INVALID_PTX;
        ptx_for_one_other_device_is_refused(_gpu): text(c".version 8.6\n.target sm_100a\n.address_size 64\n.entry f() { ret; }") => CUDA_ERROR_INVALID_PTX;
        a_fatbin_of_cubins_is_refused(_gpu): load(fatbin(2, 0, b"\x7fELF").as_ptr()) => CUDA_ERROR_NO_BINARY_FOR_GPU;
        damaged_compressed_ptx_is_refused(_gpu): load(fatbin(1, 0x2000, b"xxxx").as_ptr()) => CUDA_ERROR_INVALID_IMAGE;
        a_file_that_is_not_there_is_refused(_gpu): cuModuleLoad(&mut { null_mut() }, c"/nowhere/at/all".as_ptr()) => CUDA_ERROR_FILE_NOT_FOUND;
        a_stale_module_is_not_unloaded(_gpu): cuModuleUnload(stale()) => CUDA_ERROR_INVALID_HANDLE;
        a_module_is_not_unloaded_twice(gpu): { let module = gpu.module(); ok(cuModuleUnload(module)); cuModuleUnload(module) } => CUDA_ERROR_INVALID_HANDLE;
        a_function_that_is_not_there_is_not_found(gpu): cuModuleGetFunction(&mut { null_mut() }, gpu.module(), c"fly".as_ptr()) => CUDA_ERROR_NOT_FOUND;
        a_function_of_a_stale_module_is_refused(_gpu): cuModuleGetFunction(&mut { null_mut() }, stale(), c"fill".as_ptr()) => CUDA_ERROR_INVALID_HANDLE;
        a_function_needs_a_name(gpu): cuModuleGetFunction(&mut { null_mut() }, gpu.module(), nowhere()) => CUDA_ERROR_INVALID_VALUE;
        a_variable_that_is_not_there_is_not_found(gpu): cuModuleGetGlobal_v2(&mut { 0 }, &mut { 0 }, gpu.module(), c"fill".as_ptr()) => CUDA_ERROR_NOT_FOUND;
        an_attribute_of_a_stale_function_is_refused(_gpu): cuFuncGetAttribute(&mut { 0 }, F::CU_FUNC_ATTRIBUTE_NUM_REGS, stale()) => CUDA_ERROR_INVALID_HANDLE;
        an_unknown_attribute_is_refused(gpu): cuFuncGetAttribute(&mut { 0 }, F::CU_FUNC_ATTRIBUTE_MAX, gpu.kernel("fill")) => CUDA_ERROR_INVALID_VALUE;
        a_fixed_attribute_is_not_set(gpu): cuFuncSetAttribute(gpu.kernel("fill"), F::CU_FUNC_ATTRIBUTE_NUM_REGS, 3) => CUDA_ERROR_INVALID_VALUE;
        more_shared_memory_than_a_block_has_is_refused(gpu): cuFuncSetAttribute(gpu.kernel("fill"), F::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (227 << 10) + 1) => CUDA_ERROR_INVALID_VALUE;
        static_shared_memory_counts(gpu): cuFuncSetAttribute(gpu.kernel("shared_memory"), F::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 227 << 10) => CUDA_ERROR_INVALID_VALUE;
        a_required_cluster_is_not_set(gpu): cuFuncSetAttribute(gpu.kernel_90("pairs"), F::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 4) => CUDA_ERROR_NOT_PERMITTED;
        a_parameter_that_is_not_there_is_refused(gpu): cuFuncGetParamInfo(gpu.kernel("fill"), 2, &mut { 0 }, &mut { 0 }) => CUDA_ERROR_INVALID_VALUE;
        functions_of_an_unloaded_module_are_gone(gpu): {
            let (module, mut function) = (gpu.module(), null_mut());
            ok(cuModuleGetFunction(&raw mut function, module, c"fill".as_ptr()));
            ok(cuModuleUnload(module));
            cuFuncSetCacheConfig(function, CUfunc_cache_enum::CU_FUNC_CACHE_PREFER_L1)
        } => CUDA_ERROR_INVALID_HANDLE;
    }
    facts: {
        a_fatbin_with_ptx_is_loaded,
        a_function_is_the_same_each_time,
        functions_are_listed,
        attributes_are_those_of_the_text,
        parameters_have_their_places,
        variables_have_their_values_and_are_shared,
        constants_are_written_by_the_host,
        the_log_says_what_is_wrong,
        a_function_has_its_name_and_module,
    }
}

/// A fatbin with one image.
fn fatbin(kind: u16, flags: u64, content: &[u8]) -> Vec<u8> {
    let mut image = Vec::new();
    image.extend(kind.to_le_bytes());
    image.extend(0x101u16.to_le_bytes());
    image.extend(64u32.to_le_bytes());
    image.extend((content.len() as u64).to_le_bytes());
    image.resize(40, 0);
    image.extend(flags.to_le_bytes());
    image.resize(64, 0);
    image.extend(content);
    let mut bytes = 0xBA55_ED50_u32.to_le_bytes().to_vec();
    bytes.extend(1u16.to_le_bytes());
    bytes.extend(16u16.to_le_bytes());
    bytes.extend((image.len() as u64).to_le_bytes());
    bytes.extend(image);
    bytes
}

fn a_fatbin_with_ptx_is_loaded(_gpu: &Gpu) {
    let text = b".version 7.0\n.target sm_80\n.address_size 64\n.entry f() { ret; }\0\0";
    let mut module = null_mut();
    unsafe {
        ok(cuModuleLoadFatBinary(
            &raw mut module,
            fatbin(1, 0, text).as_ptr().cast(),
        ));
        ok(cuModuleGetFunction(&mut null_mut(), module, c"f".as_ptr()));
    }
}

fn a_function_is_the_same_each_time(gpu: &Gpu) {
    let module = gpu.module();
    let (mut one, mut two) = (null_mut(), null_mut());
    unsafe {
        ok(cuModuleGetFunction(&raw mut one, module, c"fill".as_ptr()));
        ok(cuModuleGetFunction(&raw mut two, module, c"fill".as_ptr()));
    }
    assert_eq!(one, two);
}

fn functions_are_listed(gpu: &Gpu) {
    let mut functions = [null_mut(); 3];
    let mut name = std::ptr::null();
    unsafe {
        ok(cuModuleEnumerateFunctions(
            functions.as_mut_ptr(),
            3,
            gpu.module(),
        ));
        ok(cuFuncGetName(&raw mut name, functions[1]));
        assert_eq!(CStr::from_ptr(name), c"next");
    }
}

fn attribute(function: CUfunction, attribute: F) -> i32 {
    let mut value = -9;
    unsafe { ok(cuFuncGetAttribute(&raw mut value, attribute, function)) };
    value
}

fn attributes_are_those_of_the_text(gpu: &Gpu) {
    let (fill, bounded, shared) = (
        gpu.kernel("fill"),
        gpu.kernel("bounded"),
        gpu.kernel("shared_memory"),
    );
    assert_eq!(
        attribute(fill, F::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
        1024
    );
    assert_eq!(
        attribute(bounded, F::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
        64
    );
    assert_eq!(
        attribute(shared, F::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
        1024
    );
    assert_eq!(attribute(fill, F::CU_FUNC_ATTRIBUTE_PTX_VERSION), 80);
    assert_eq!(attribute(fill, F::CU_FUNC_ATTRIBUTE_BINARY_VERSION), 90);
    let dynamic = F::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    assert_eq!(attribute(shared, dynamic), 47 << 10);
    unsafe { ok(cuFuncSetAttribute(shared, dynamic, 226 << 10)) };
    assert_eq!(attribute(shared, dynamic), 226 << 10);
    let pairs = gpu.kernel_90("pairs");
    assert_eq!(
        attribute(pairs, F::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH),
        2
    );
    assert_eq!(attribute(pairs, F::CU_FUNC_ATTRIBUTE_PTX_VERSION), 90);
}

fn parameters_have_their_places(gpu: &Gpu) {
    let fill = gpu.kernel("fill");
    let (mut offset, mut bytes) = (0, 0);
    unsafe { ok(cuFuncGetParamInfo(fill, 1, &raw mut offset, &raw mut bytes)) };
    assert_eq!((offset, bytes), (8, 4));
}

fn variables_have_their_values_and_are_shared(gpu: &Gpu) {
    let module = gpu.module();
    let (mut address, mut bytes, mut function) = (0, 0, null_mut());
    unsafe {
        ok(cuModuleGetGlobal_v2(
            &raw mut address,
            &raw mut bytes,
            module,
            c"counter".as_ptr(),
        ));
        ok(cuModuleGetFunction(
            &raw mut function,
            module,
            c"raise_counter".as_ptr(),
        ));
    }
    assert_eq!((bytes, gpu.read(address, 1)), (4, vec![7]));
    gpu.launch(function, 1, null_mut(), &[]);
    assert_eq!(gpu.read(address, 1), [8]);
    // Another load has variables of its own.
    let other = gpu.module();
    unsafe {
        ok(cuModuleGetGlobal_v2(
            &raw mut address,
            &raw mut bytes,
            other,
            c"counter".as_ptr(),
        ));
    }
    assert_eq!(gpu.read(address, 1), [7]);
}

fn constants_are_written_by_the_host(gpu: &Gpu) {
    let (mut address, mut bytes) = (0, 0);
    unsafe {
        ok(cuModuleGetGlobal_v2(
            &raw mut address,
            &raw mut bytes,
            gpu.module(),
            c"table".as_ptr(),
        ));
        ok(cuMemcpyHtoD_v2(address + 4, [9u32].as_ptr().cast(), 4));
    }
    assert_eq!((bytes, gpu.read(address, 2)), (16, vec![0x0403_0201, 9]));
}

fn the_log_says_what_is_wrong(_gpu: &Gpu) {
    let image =
        c".version 7.0\n.target sm_80\n.address_size 64\n.entry f() {\nfly.u32 %r0;\nret; }";
    let mut log = [1u8; 200];
    let mut options = [
        CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER,
        CUjit_option_enum::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];
    let mut values: [*mut c_void; 2] = [
        log.as_mut_ptr().cast(),
        std::ptr::without_provenance_mut(200),
    ];
    let result = unsafe {
        cuModuleLoadDataEx(
            &mut null_mut(),
            image.as_ptr().cast(),
            2,
            options.as_mut_ptr(),
            values.as_mut_ptr(),
        )
    };
    assert_eq!(result, R::CUDA_ERROR_INVALID_PTX);
    let log = CStr::from_bytes_until_nul(&log)
        .expect("a NUL")
        .to_string_lossy();
    assert!(log.contains("line 5") && log.contains("fly.u32"), "{log}");
    assert_eq!(values[1].addr(), log.len());
}

fn a_function_has_its_name_and_module(gpu: &Gpu) {
    let (module, mut function, mut found) = (gpu.module(), null_mut(), null_mut());
    unsafe {
        ok(cuModuleGetFunction(
            &raw mut function,
            module,
            c"next".as_ptr(),
        ));
        ok(cuFuncGetModule(&raw mut found, function));
    }
    assert_eq!(found, module);
}

//! Launches with wrong sizes, arguments or attributes, and tensor maps.

use std::ffi::c_void;
use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::programs;
use crate::support::{
    Arg, Done, Gpu, Version, call, cluster, function, launch, launch_with, programmatic,
};

programs! {
    too_many_threads: CUDA_ERROR_INVALID_VALUE,
        "a block has more threads than the kernel was compiled for",
        ["`cuLaunchKernelEx`", "a block of 128 threads is more than the 64 of `bounded`"];
    more_threads_than_a_device_runs: CUDA_ERROR_INVALID_VALUE,
        "a block has one thread for each element",
        ["a block of 2048 threads is more than the 1024 of `fill`"];
    too_much_shared_memory: CUDA_ERROR_INVALID_VALUE,
        "dynamic shared memory of more than 48 KiB without the attribute of the function",
        ["65536 bytes of dynamic shared memory are more than the 49152 of `fill`", "`CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES`"];
    too_few_arguments: CUDA_ERROR_INVALID_VALUE,
        "the buffer of arguments ends before the last one",
        ["the arguments have 8 bytes, and `fill` takes 12 or more"];
    misaligned_pointer: CUDA_ERROR_MISALIGNED_ADDRESS,
        "a kernel of 4-byte elements gets an odd address",
        ["the launch of `fill`", "`st.global.u32`", "misaligned"];
    more_blocks_than_elements: CUDA_ERROR_ILLEGAL_ADDRESS,
        "the grid is rounded up, and the kernel does not look at the size",
        ["the launch of `fill`", "`st.global.u32`", "byte 128 of one that has 128"];
    null_pointer: CUDA_ERROR_ILLEGAL_ADDRESS,
        "an argument is null",
        ["the launch of `fill`", "`st.global.u32`", "0x0"];
    memory_of_the_program: CUDA_ERROR_ILLEGAL_ADDRESS,
        "a kernel gets memory of the host that is not pinned",
        ["the launch of `fill`", "`st.global.u32`"];
    cluster_does_not_divide_the_grid: CUDA_ERROR_INVALID_VALUE,
        "the grid has no whole number of clusters",
        ["a grid of [3, 1, 1] blocks has no whole number of clusters of [2, 1, 1]"];
    cluster_is_too_large: CUDA_ERROR_INVALID_CLUSTER_SIZE,
        "a cluster of 16 blocks without the attribute of the function",
        ["a cluster of 16 blocks is not one of 1 to 8"];
    cooperative_grid_is_too_large: CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
        "a cooperative launch has more blocks than run at the same time",
        ["`cuLaunchCooperativeKernel`", "100000 blocks do not run at the same time"];
    programmatic_launch_without_a_wait: CUDA_ERROR_LAUNCH_FAILED,
        "a programmatic launch never waits for the previous one",
        ["the launch of `next` on stream", "reads", "the launch of `fill` on stream", "`griddepcontrol.wait`"];
    programmatic_launch_reads_before_it_waits: CUDA_ERROR_LAUNCH_FAILED,
        "a programmatic launch reads the result of the previous one before it waits",
        ["the launch of `next_early` on stream", "reads", "the launch of `fill` on stream", "`griddepcontrol.wait`"];
    function_of_an_unloaded_module: CUDA_ERROR_INVALID_HANDLE,
        "the module of the function was unloaded",
        ["`cuLaunchKernelEx`", "the function 0x", "was destroyed"];
    kernel_is_not_found: CUDA_ERROR_NOT_FOUND,
        "the name of the kernel has another spelling",
        ["`cuModuleGetFunction`", "the module has no kernel `filL`", "`fill`"];
    unchecked_error: CUDA_ERROR_ILLEGAL_ADDRESS,
        "nobody looks at the error of a launch, and a later call returns it",
        ["the launch of `fill`", "`st.global.u32`"];
    stride_of_a_tensor_map: CUDA_ERROR_INVALID_VALUE,
        "the rows of a tensor are not multiples of 16 bytes",
        ["`cuTensorMapEncodeTiled`", "the tensor map is refused", "globalStrides[0] is 68"];
    address_of_a_tensor_map: CUDA_ERROR_INVALID_VALUE,
        "a tensor begins in the middle of 16 bytes",
        ["`cuTensorMapEncodeTiled`", "the tensor map is refused", "globalAddress"];
    tensor_map_of_freed_memory: CUDA_ERROR_ILLEGAL_ADDRESS,
        "a tensor map is used after its tensor was freed",
        ["the launch of `load_tile`", "`cp.async.bulk.tensor", "an allocation that `cuMemFree` by the host freed"];
}

fn too_many_threads(gpu: &Gpu, version: Version) -> Done {
    launch(
        gpu.kernel("bounded")?,
        version.either(128, 64),
        null_mut(),
        &[],
    )
}

fn more_threads_than_a_device_runs(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.alloc(2048)?;
    let (blocks, threads) = version.either((1, 2048), (2, 1024));
    let args = [Arg::Address(data), Arg::Number(3)];
    launch_with(
        gpu.kernel("fill")?,
        [blocks, threads, 0],
        null_mut(),
        &args,
        &mut [],
    )?;
    assert_eq!(gpu.read(data, 2048)?, [3; 2048]);
    Ok(())
}

fn too_much_shared_memory(gpu: &Gpu, version: Version) -> Done {
    let (kernel, data) = (gpu.kernel("fill")?, gpu.alloc(32)?);
    if version.is_mended() {
        let attribute = CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
        call(unsafe { cuFuncSetAttribute(kernel, attribute, 65536) })?;
    }
    let args = [Arg::Address(data), Arg::Number(3)];
    launch_with(kernel, [1, 32, 65536], null_mut(), &args, &mut [])
}

fn too_few_arguments(gpu: &Gpu, version: Version) -> Done {
    let (kernel, data) = (gpu.kernel("fill")?, gpu.alloc(1)?);
    let mut buffer = Vec::from(data.to_le_bytes());
    if version.is_mended() {
        buffer.extend(7u32.to_le_bytes());
    }
    let mut size = buffer.len();
    let number = |number: usize| std::ptr::without_provenance_mut::<c_void>(number);
    // CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE, and _END
    let mut extra = [
        number(1),
        buffer.as_mut_ptr().cast(),
        number(2),
        (&raw mut size).cast(),
        number(0),
    ];
    call(unsafe {
        cuLaunchKernel(
            kernel,
            1,
            1,
            1,
            1,
            1,
            1,
            0,
            null_mut(),
            null_mut(),
            extra.as_mut_ptr(),
        )
    })?;
    assert_eq!(gpu.read(data, 1)?, [7]);
    Ok(())
}

fn misaligned_pointer(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.alloc(32)?;
    gpu.fill(data + version.either(2, 4), 1, 8, null_mut())
}

fn more_blocks_than_elements(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.alloc(32)?;
    let args = [Arg::Address(data), Arg::Number(3)];
    let blocks = version.either(3, 2);
    launch_with(
        gpu.kernel("fill")?,
        [blocks, 16, 0],
        null_mut(),
        &args,
        &mut [],
    )
}

fn null_pointer(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.alloc(32)?;
    gpu.fill(version.either(0, data), 1, 1, null_mut())
}

fn memory_of_the_program(gpu: &Gpu, version: Version) -> Done {
    let (plain, pinned) = ([0u32; 32], gpu.pinned(32)?);
    gpu.fill(
        version.either(plain.as_ptr() as u64, pinned as u64),
        1,
        1,
        null_mut(),
    )?;
    call(unsafe { cuCtxSynchronize() })
}

fn cluster_does_not_divide_the_grid(gpu: &Gpu, version: Version) -> Done {
    let (kernel, data) = (gpu.kernel_90("ranks")?, gpu.alloc(4)?);
    let blocks = version.either(3, 4);
    launch_with(
        kernel,
        [blocks, 1, 0],
        null_mut(),
        &[Arg::Address(data)],
        &mut [cluster(2)],
    )?;
    assert_eq!(gpu.read(data, 4)?, [0, 1, 0, 1]);
    Ok(())
}

fn cluster_is_too_large(gpu: &Gpu, version: Version) -> Done {
    let (kernel, data) = (gpu.kernel_90("ranks")?, gpu.alloc(16)?);
    if version.is_mended() {
        let attribute =
            CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED;
        call(unsafe { cuFuncSetAttribute(kernel, attribute, 1) })?;
    }
    launch_with(
        kernel,
        [16, 1, 0],
        null_mut(),
        &[Arg::Address(data)],
        &mut [cluster(16)],
    )
}

fn cooperative_grid_is_too_large(gpu: &Gpu, version: Version) -> Done {
    let blocks = version.either(100_000, 100);
    let kernel = gpu.kernel("bounded")?;
    call(unsafe {
        cuLaunchCooperativeKernel(kernel, blocks, 1, 1, 32, 1, 1, 0, null_mut(), null_mut())
    })
}

/// Launches a kernel that reads what the previous launch writes, programmatically.
fn behind(gpu: &Gpu, kernel: CUfunction, version: Version) -> Done {
    let (stream, data, result) = (gpu.stream()?, gpu.alloc(32)?, gpu.alloc(32)?);
    gpu.fill(data, 4, 32, stream)?;
    let args = [Arg::Address(result), Arg::Address(data)];
    launch_with(kernel, [1, 32, 0], stream, &args, &mut [programmatic()])?;
    call(unsafe { cuStreamSynchronize(stream) })?;
    if version.is_mended() {
        assert_eq!(gpu.read(result, 32)?, [5; 32]);
    }
    Ok(())
}

fn programmatic_launch_without_a_wait(gpu: &Gpu, version: Version) -> Done {
    let kernel = match version {
        Version::Broken => gpu.kernel("next")?,
        Version::Mended => gpu.kernel_90("next_waiting")?,
    };
    behind(gpu, kernel, version)
}

fn programmatic_launch_reads_before_it_waits(gpu: &Gpu, version: Version) -> Done {
    let kernel = gpu.kernel_90(version.either("next_early", "next_waiting"))?;
    behind(gpu, kernel, version)
}

fn function_of_an_unloaded_module(gpu: &Gpu, version: Version) -> Done {
    let module = gpu.module(crate::shared::PTX)?;
    let kernel = function(module, "bounded")?;
    if version.is_mended() {
        launch(kernel, 1, null_mut(), &[])?;
    }
    call(unsafe { cuModuleUnload(module) })?;
    if !version.is_mended() {
        launch(kernel, 1, null_mut(), &[])?;
    }
    Ok(())
}

fn kernel_is_not_found(gpu: &Gpu, version: Version) -> Done {
    gpu.kernel(version.either("filL", "fill")).map(drop)
}

fn unchecked_error(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.alloc(32)?;
    gpu.fill(data, 1, version.either(64, 32), null_mut())?;
    let _unchecked = unsafe { cuCtxSynchronize() };
    gpu.alloc(32).map(drop)
}

/// Encodes a tensor map of 8 rows of 16 numbers.
fn encode(address: CUdeviceptr, stride: u64) -> Done<CUtensorMap> {
    #[repr(align(64))]
    struct Map(CUtensorMap);
    let mut map = Map(unsafe { std::mem::zeroed() });
    let address = std::ptr::with_exposed_provenance_mut(usize::try_from(address).expect("64 bits"));
    let (dims, strides, lengths, steps) = ([16, 8], [stride], [16, 8], [1, 1]);
    call(unsafe {
        cuTensorMapEncodeTiled(
            &raw mut map.0,
            CUtensorMapDataType_enum::CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
            2,
            address,
            dims.as_ptr(),
            strides.as_ptr(),
            lengths.as_ptr(),
            steps.as_ptr(),
            CUtensorMapInterleave_enum::CU_TENSOR_MAP_INTERLEAVE_NONE,
            CUtensorMapSwizzle_enum::CU_TENSOR_MAP_SWIZZLE_NONE,
            CUtensorMapL2promotion_enum::CU_TENSOR_MAP_L2_PROMOTION_NONE,
            CUtensorMapFloatOOBfill_enum::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        )
    })?;
    Ok(map.0)
}

fn tensor_map_of_freed_memory(gpu: &Gpu, version: Version) -> Done {
    let data = gpu.own(128)?;
    call(unsafe { cuMemsetD32_v2(data, 1, 128) })?;
    let args = [Arg::Map(encode(data, 64)?)];
    let kernel = gpu.kernel_90("load_tile")?;
    if version.is_mended() {
        launch(kernel, 1, null_mut(), &args)?;
    }
    call(unsafe { cuMemFree_v2(data) })?;
    if !version.is_mended() {
        launch(kernel, 1, null_mut(), &args)?;
    }
    Ok(())
}

fn stride_of_a_tensor_map(gpu: &Gpu, version: Version) -> Done {
    encode(gpu.alloc(256)?, version.either(68, 80)).map(drop)
}

fn address_of_a_tensor_map(gpu: &Gpu, version: Version) -> Done {
    encode(gpu.alloc(256)? + version.either(8, 16), 64).map(drop)
}

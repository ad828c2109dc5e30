//! The functions and types of the CUDA driver (`cuda.h`) that this crate uses, loaded from `libcuda.so.1`.
//!
//! They keep the names of `cuda.h`. Its enumerations are numbers here, so a value that a newer driver returns is
//! valid. A function that the installed driver lacks returns `CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER`. The tests compare everything
//! with the bindings of `cudarc`, which is not a dependency: its features choose one version of CUDA for a whole
//! program, in which other crates may need another.

#![expect(
    non_snake_case,
    non_camel_case_types,
    clippy::too_many_arguments,
    reason = "the names of `cuda.h`"
)]

use std::env;
use std::ffi::{c_char, c_int, c_uchar, c_uint, c_ulonglong, c_ushort, c_void};
use std::path::PathBuf;
use std::sync::OnceLock;

use libloading::Library;

/// The result of a call.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CUresult(c_uint);

impl CUresult {
    pub(super) const CUDA_SUCCESS: Self = Self(0);
    pub(super) const CUDA_ERROR_INVALID_VALUE: Self = Self(1);
    pub(super) const CUDA_ERROR_OUT_OF_MEMORY: Self = Self(2);
    pub(super) const CUDA_ERROR_NOT_INITIALIZED: Self = Self(3);
    pub(super) const CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER: Self = Self(36);
    pub(super) const CUDA_ERROR_NO_DEVICE: Self = Self(100);
    pub(super) const CUDA_ERROR_ECC_UNCORRECTABLE: Self = Self(214);
    pub(super) const CUDA_ERROR_NVLINK_UNCORRECTABLE: Self = Self(220);
    pub(super) const CUDA_ERROR_CONTAINED: Self = Self(226);
    pub(super) const CUDA_ERROR_NOT_READY: Self = Self(600);
    pub(super) const CUDA_ERROR_ILLEGAL_ADDRESS: Self = Self(700);
    pub(super) const CUDA_ERROR_LAUNCH_TIMEOUT: Self = Self(702);
    pub(super) const CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED: Self = Self(704);
    pub(super) const CUDA_ERROR_ASSERT: Self = Self(710);
    pub(super) const CUDA_ERROR_HARDWARE_STACK_ERROR: Self = Self(714);
    pub(super) const CUDA_ERROR_ILLEGAL_INSTRUCTION: Self = Self(715);
    pub(super) const CUDA_ERROR_MISALIGNED_ADDRESS: Self = Self(716);
    pub(super) const CUDA_ERROR_INVALID_ADDRESS_SPACE: Self = Self(717);
    pub(super) const CUDA_ERROR_INVALID_PC: Self = Self(718);
    pub(super) const CUDA_ERROR_LAUNCH_FAILED: Self = Self(719);
    pub(super) const CUDA_ERROR_TENSOR_MEMORY_LEAK: Self = Self(721);
    pub(super) const CUDA_ERROR_NOT_SUPPORTED: Self = Self(801);
    pub(super) const CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE: Self = Self(910);
    pub(super) const CUDA_ERROR_INVALID_CLUSTER_SIZE: Self = Self(912);
}

/// A property of a device.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CUdevice_attribute(c_uint);

impl CUdevice_attribute {
    pub(super) const CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT: Self = Self(16);
    pub(super) const CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE: Self = Self(38);
    pub(super) const CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR: Self = Self(75);
    pub(super) const CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR: Self = Self(76);
    pub(super) const CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED: Self = Self(115);
}

/// A property of a loaded function.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CUfunction_attribute(c_uint);

impl CUfunction_attribute {
    pub(super) const CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: Self = Self(0);
    pub(super) const CU_FUNC_ATTRIBUTE_PTX_VERSION: Self = Self(5);
    pub(super) const CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: Self = Self(8);
}

/// A property of a memory pool.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CUmemPool_attribute(c_uint);

impl CUmemPool_attribute {
    pub(super) const CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: Self = Self(4);
    pub(super) const CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: Self = Self(5);
    pub(super) const CU_MEMPOOL_ATTR_USED_MEM_CURRENT: Self = Self(7);
}

/// A property of an address.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CUpointer_attribute(c_uint);

impl CUpointer_attribute {
    #[cfg(test)]
    pub(super) const CU_POINTER_ATTRIBUTE_CONTEXT: Self = Self(1);
    pub(super) const CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: Self = Self(9);
}

/// The kind of a launch attribute.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CUlaunchAttributeID(c_uint);

impl CUlaunchAttributeID {
    pub(super) const CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: Self = Self(4);
    pub(super) const CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION: Self = Self(6);
}

/// The element type of a tensor map.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CUtensorMapDataType(c_uint);

impl CUtensorMapDataType {
    pub(super) const CU_TENSOR_MAP_DATA_TYPE_UINT8: Self = Self(0);
    pub(super) const CU_TENSOR_MAP_DATA_TYPE_UINT16: Self = Self(1);
    pub(super) const CU_TENSOR_MAP_DATA_TYPE_UINT32: Self = Self(2);
    pub(super) const CU_TENSOR_MAP_DATA_TYPE_UINT64: Self = Self(4);
}

/// The order of channels in a tensor map.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CUtensorMapInterleave(c_uint);

impl CUtensorMapInterleave {
    pub(super) const CU_TENSOR_MAP_INTERLEAVE_NONE: Self = Self(0);
}

/// The swizzle of shared memory in a tensor map.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CUtensorMapSwizzle(c_uint);

impl CUtensorMapSwizzle {
    pub(super) const CU_TENSOR_MAP_SWIZZLE_NONE: Self = Self(0);
    pub(super) const CU_TENSOR_MAP_SWIZZLE_32B: Self = Self(1);
    pub(super) const CU_TENSOR_MAP_SWIZZLE_64B: Self = Self(2);
    pub(super) const CU_TENSOR_MAP_SWIZZLE_128B: Self = Self(3);
}

/// The granularity at which a tensor map fetches into L2.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CUtensorMapL2promotion(c_uint);

impl CUtensorMapL2promotion {
    pub(super) const CU_TENSOR_MAP_L2_PROMOTION_L2_128B: Self = Self(2);
}

/// The value that a tensor map reads outside the tensor.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CUtensorMapFloatOOBfill(c_uint);

impl CUtensorMapFloatOOBfill {
    pub(super) const CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE: Self = Self(0);
}

/// A device.
pub(crate) type CUdevice = c_int;
/// An address in the memory of a device.
pub(crate) type CUdeviceptr = u64;
/// A context.
pub(crate) type CUcontext = *mut c_void;
/// A loaded module.
pub(crate) type CUmodule = *mut c_void;
/// A function of a loaded module.
pub(crate) type CUfunction = *mut c_void;
/// A stream.
pub(crate) type CUstream = *mut c_void;
/// An event.
pub(crate) type CUevent = *mut c_void;
/// A memory pool.
pub(crate) type CUmemoryPool = *mut c_void;
/// A graph of work.
pub(crate) type CUgraph = *mut c_void;
/// A node of a graph.
pub(crate) type CUgraphNode = *mut c_void;
/// A graph that can be launched.
pub(crate) type CUgraphExec = *mut c_void;

/// A flag of `cuStreamCreate`: no order with the legacy default stream.
pub(super) const CU_STREAM_NON_BLOCKING: c_uint = 1;
/// A flag of `cuEventCreate`: the event cannot measure times.
pub(super) const CU_EVENT_DISABLE_TIMING: c_uint = 2;
/// A flag of `cuEventCreate`: the event measures times.
pub(super) const CU_EVENT_DEFAULT: c_uint = 0;
/// A flag of `cuEventRecordWithFlags`: a captured record is a node of its graph.
pub(super) const CU_EVENT_RECORD_EXTERNAL: c_uint = 1;
/// A flag of `cuStreamWaitEvent`: a captured wait is a node of its graph.
pub(super) const CU_EVENT_WAIT_EXTERNAL: c_uint = 1;
/// A mode of `cuStreamBeginCapture`: other calls are allowed meanwhile.
pub(super) const CU_STREAM_CAPTURE_MODE_RELAXED: c_uint = 2;
/// A flag of `cuMemHostAlloc`: the memory is pinned for all contexts.
pub(super) const CU_MEMHOSTALLOC_PORTABLE: c_uint = 1;
/// The location of memory: a device.
pub(super) const CU_MEM_LOCATION_TYPE_DEVICE: c_uint = 1;
/// Access to memory: read and write.
pub(super) const CU_MEM_ACCESS_FLAGS_PROT_READWRITE: c_uint = 3;

/// The reason why an executable graph was not updated.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct CUgraphExecUpdateResultInfo {
    pub(super) result: c_uint,
    pub(super) errorNode: CUgraphNode,
    pub(super) errorFromNode: CUgraphNode,
}

/// A place from which memory is accessed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct CUmemLocation {
    pub(super) type_: c_uint,
    pub(super) id: c_int,
}

/// The access to memory from a place.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct CUmemAccessDesc {
    pub(super) location: CUmemLocation,
    pub(super) flags: c_uint,
}

/// A tensor map, encoded by the driver. Its alignment is that of CUDA 13; earlier versions need 64 bytes.
#[repr(C, align(128))]
#[derive(Clone, Copy, Debug)]
pub(crate) struct CUtensorMap {
    pub(super) opaque: [u64; 16],
}

/// The arguments of `cuLaunchKernelEx` apart from the function and its parameters.
#[repr(C)]
pub(crate) struct CUlaunchConfig {
    pub(super) gridDimX: c_uint,
    pub(super) gridDimY: c_uint,
    pub(super) gridDimZ: c_uint,
    pub(super) blockDimX: c_uint,
    pub(super) blockDimY: c_uint,
    pub(super) blockDimZ: c_uint,
    pub(super) sharedMemBytes: c_uint,
    pub(super) hStream: CUstream,
    pub(super) attrs: *mut CUlaunchAttribute,
    pub(super) numAttrs: c_uint,
}

/// An attribute of a launch.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct CUlaunchAttribute {
    pub(super) id: CUlaunchAttributeID,
    pub(super) pad: [u8; 4],
    pub(super) value: CUlaunchAttributeValue,
}

/// The value of a launch attribute.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) union CUlaunchAttributeValue {
    /// The size and the alignment of all values.
    pub(super) pad: [u64; 8],
    pub(super) clusterDim: ClusterDim,
    pub(super) programmaticStreamSerializationAllowed: c_int,
}

/// The number of blocks of a cluster along each axis.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct ClusterDim {
    pub(super) x: c_uint,
    pub(super) y: c_uint,
    pub(super) z: c_uint,
}

/// Returns `true` if the library of the driver can be loaded.
///
/// # Safety
/// Loading the library runs its initializers.
pub(super) unsafe fn is_culib_present() -> bool {
    library().is_some()
}

/// Returns the path of the simulated driver, if `TILE_DEVICE` is `simdriver`: `TILE_SIM_DRIVER`, or the library beside
/// this program.
pub(crate) fn simulated() -> Option<PathBuf> {
    let device = env::var("TILE_DEVICE").ok()?;
    if device.split(':').next() != Some("simdriver") {
        return None;
    }
    match env::var_os("TILE_SIM_DRIVER") {
        Some(path) if !path.is_empty() => Some(path.into()),
        _ => {
            let program = env::current_exe().unwrap_or_default();
            Some(program.with_file_name("libtile_sim_driver.so"))
        }
    }
}

/// Returns the driver, which the first call loads and nothing unloads.
fn library() -> Option<&'static Library> {
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    let load = || {
        if let Some(path) = simulated() {
            // SAFETY: the initializers of `tile-sim-driver` have no requirement on the program.
            return unsafe { Library::new(path) }.ok();
        }
        let mut names = ["libcuda.so.1", "libcuda.so"].into_iter();
        // SAFETY: the initializers of NVIDIA's driver have no requirement on the program.
        names.find_map(|name| unsafe { Library::new(name) }.ok())
    };
    LIBRARY.get_or_init(load).as_ref()
}

/// Returns `true` if the driver that was loaded is `tile-sim-driver`, under whatever name.
pub(super) fn is_simulated() -> bool {
    let has = |name: &[u8]| {
        // SAFETY: the symbol is looked for and not called.
        library().is_some_and(|library| unsafe { library.get::<*const c_void>(name) }.is_ok())
    };
    has(b"tileSimLastFault\0")
}

/// Returns a function of the driver, if the driver is installed and has it.
///
/// # Safety
/// `Function` must be the type of the function with this name, which ends with a NUL.
pub(super) unsafe fn function<Function: Copy>(name: &str) -> Option<Function> {
    // SAFETY: the caller promises the type; the library is never unloaded.
    let symbol = unsafe { library()?.get::<Function>(name.as_bytes()) };
    symbol.ok().map(|symbol| *symbol)
}

/// Declares functions that call those of the driver. `= name` is the name in `cudarc`, if it is another.
macro_rules! driver {
    ($($(#[$meta:meta])* fn $name:ident $(= $newer:ident)? ($($argument:ident: $ty:ty),*);)+) => {
        $(
            $(#[$meta])*
            pub(super) unsafe fn $name($($argument: $ty),*) -> CUresult {
                type Function = unsafe extern "C" fn($($ty),*) -> CUresult;
                static FUNCTION: OnceLock<Option<Function>> = OnceLock::new();
                let find = || {
                    // SAFETY: `cuda.h` declares the function with this type.
                    unsafe { function(concat!(stringify!($name), "\0")) }
                };
                let Some(function) = FUNCTION.get_or_init(find) else {
                    return CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER;
                };
                // SAFETY: the caller fulfils what the driver requires.
                unsafe { function($($argument),*) }
            }
        )+

        /// For each function its name, and the sizes of its arguments here and in `cudarc`.
        #[cfg(test)]
        fn sizes_of_arguments() -> Vec<(&'static str, Vec<usize>, Vec<usize>)> {
            use tests::sizes;
            vec![$((
                stringify!($name),
                sizes($name as unsafe fn($($ty),*) -> CUresult),
                tests::Signature::sizes(driver!(@declared $name $($newer)?) as unsafe fn($(driver!(@any $ty)),*) -> _),
            )),+]
        }
    };
    (@any $ty:ty) => { _ };
    (@declared $name:ident) => { cudarc::driver::sys::$name };
    (@declared $name:ident $newer:ident) => { cudarc::driver::sys::$newer };
}

driver! {
    fn cuCtxEnablePeerAccess(peer: CUcontext, flags: c_uint);
    fn cuCtxGetCurrent(context: *mut CUcontext);
    fn cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int);
    fn cuCtxPopCurrent_v2(context: *mut CUcontext);
    fn cuCtxPushCurrent_v2(context: CUcontext);
    fn cuCtxSetCurrent(context: CUcontext);
    fn cuCtxSynchronize();
    fn cuDeviceCanAccessPeer(can_access: *mut c_int, device: CUdevice, peer: CUdevice);
    fn cuDeviceGet(device: *mut CUdevice, ordinal: c_int);
    fn cuDeviceGetAttribute(value: *mut c_int, attribute: CUdevice_attribute, device: CUdevice);
    fn cuDeviceGetCount(count: *mut c_int);
    fn cuDeviceGetDefaultMemPool(pool: *mut CUmemoryPool, device: CUdevice);
    fn cuDeviceGetName(name: *mut c_char, len: c_int, device: CUdevice);
    fn cuDeviceGetPCIBusId(bus_id: *mut c_char, length: c_int, device: CUdevice);
    fn cuDevicePrimaryCtxRelease_v2(device: CUdevice);
    fn cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice);
    fn cuDriverGetVersion(driver_version: *mut c_int);
    fn cuEventCreate(event: *mut CUevent, flags: c_uint);
    fn cuEventDestroy_v2(event: CUevent);
    // `cudarc` declares the version of CUDA 12.8 and newer, which has the same arguments.
    fn cuEventElapsedTime = cuEventElapsedTime_v2(milliseconds: *mut f32, start: CUevent, end: CUevent);
    fn cuEventQuery(event: CUevent);
    fn cuEventRecord(event: CUevent, stream: CUstream);
    fn cuEventRecordWithFlags(event: CUevent, stream: CUstream, flags: c_uint);
    fn cuEventSynchronize(event: CUevent);
    fn cuFuncGetAttribute(value: *mut c_int, attribute: CUfunction_attribute, function: CUfunction);
    fn cuFuncSetAttribute(function: CUfunction, attribute: CUfunction_attribute, value: c_int);
    fn cuGetErrorName(error: CUresult, text: *mut *const c_char);
    fn cuGetErrorString(error: CUresult, text: *mut *const c_char);
    fn cuGraphDestroy(graph: CUgraph);
    fn cuGraphExecDestroy(exec: CUgraphExec);
    fn cuGraphExecUpdate_v2(exec: CUgraphExec, graph: CUgraph, result: *mut CUgraphExecUpdateResultInfo);
    fn cuGraphInstantiateWithFlags(exec: *mut CUgraphExec, graph: CUgraph, flags: c_ulonglong);
    fn cuGraphLaunch(exec: CUgraphExec, stream: CUstream);
    fn cuInit(flags: c_uint);
    fn cuLaunchKernel(function: CUfunction, grid_dim_x: c_uint, grid_dim_y: c_uint, grid_dim_z: c_uint, block_dim_x: c_uint, block_dim_y: c_uint, block_dim_z: c_uint, shared_mem_bytes: c_uint, stream: CUstream, kernel_params: *mut *mut c_void, extra: *mut *mut c_void);
    fn cuLaunchKernelEx(config: *const CUlaunchConfig, function: CUfunction, kernel_params: *mut *mut c_void, extra: *mut *mut c_void);
    fn cuMemAllocAsync(address: *mut CUdeviceptr, bytes: usize, stream: CUstream);
    fn cuMemAlloc_v2(address: *mut CUdeviceptr, bytes: usize);
    fn cuMemFreeAsync(address: CUdeviceptr, stream: CUstream);
    fn cuMemFreeHost(address: *mut c_void);
    fn cuMemFree_v2(address: CUdeviceptr);
    fn cuMemHostAlloc(address: *mut *mut c_void, bytes: usize, flags: c_uint);
    fn cuMemPoolGetAttribute(pool: CUmemoryPool, attribute: CUmemPool_attribute, value: *mut c_void);
    fn cuMemPoolSetAccess(pool: CUmemoryPool, access: *const CUmemAccessDesc, count: usize);
    fn cuMemPoolSetAttribute(pool: CUmemoryPool, attribute: CUmemPool_attribute, value: *mut c_void);
    fn cuMemPoolTrimTo(pool: CUmemoryPool, bytes: usize);
    fn cuMemcpyDtoDAsync_v2(dst_device: CUdeviceptr, src_device: CUdeviceptr, bytes: usize, stream: CUstream);
    fn cuMemcpyDtoHAsync_v2(dst_host: *mut c_void, src_device: CUdeviceptr, bytes: usize, stream: CUstream);
    fn cuMemcpyHtoDAsync_v2(dst_device: CUdeviceptr, src_host: *const c_void, bytes: usize, stream: CUstream);
    fn cuMemcpyPeerAsync(dst_device: CUdeviceptr, dst_context: CUcontext, src_device: CUdeviceptr, src_context: CUcontext, bytes: usize, stream: CUstream);
    fn cuMemsetD16Async(dst_device: CUdeviceptr, value: c_ushort, count: usize, stream: CUstream);
    fn cuMemsetD32Async(dst_device: CUdeviceptr, value: c_uint, count: usize, stream: CUstream);
    fn cuMemsetD8Async(dst_device: CUdeviceptr, value: c_uchar, count: usize, stream: CUstream);
    fn cuModuleGetFunction(function: *mut CUfunction, module: CUmodule, name: *const c_char);
    fn cuModuleLoadData(module: *mut CUmodule, image: *const c_void);
    fn cuModuleUnload(module: CUmodule);
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(num_blocks: *mut c_int, function: CUfunction, block_size: c_int, dynamic_s_mem_size: usize);
    fn cuOccupancyMaxActiveClusters(num_clusters: *mut c_int, function: CUfunction, config: *const CUlaunchConfig);
    fn cuPointerGetAttribute(data: *mut c_void, attribute: CUpointer_attribute, ptr: CUdeviceptr);
    fn cuStreamBeginCapture_v2(stream: CUstream, mode: c_uint);
    fn cuStreamCreate(stream: *mut CUstream, flags: c_uint);
    fn cuStreamCreateWithPriority(stream: *mut CUstream, flags: c_uint, priority: c_int);
    fn cuStreamDestroy_v2(stream: CUstream);
    fn cuStreamEndCapture(stream: CUstream, graph: *mut CUgraph);
    fn cuStreamGetCtx(stream: CUstream, context: *mut CUcontext);
    fn cuStreamIsCapturing(stream: CUstream, status: *mut c_uint);
    fn cuStreamSynchronize(stream: CUstream);
    fn cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint);
    fn cuTensorMapEncodeTiled(tensor_map: *mut CUtensorMap, tensor_data_type: CUtensorMapDataType, tensor_rank: u32, global_address: *mut c_void, global_dim: *const u64, global_strides: *const u64, box_dim: *const u32, element_strides: *const u32, interleave: CUtensorMapInterleave, swizzle: CUtensorMapSwizzle, l2_promotion: CUtensorMapL2promotion, oob_fill: CUtensorMapFloatOOBfill);
}

#[cfg(test)]
mod tests {
    use super::*;
    use cudarc::driver::sys as c;
    use std::mem::{align_of, offset_of, size_of};

    /// A function whose arguments have known sizes.
    pub(super) trait Signature {
        fn sizes(self) -> Vec<usize>;
    }

    pub(super) fn sizes(function: impl Signature) -> Vec<usize> {
        function.sizes()
    }

    macro_rules! signatures {
        ($($($argument:ident)*;)+) => {
            $(
                impl<R, $($argument),*> Signature for unsafe fn($($argument),*) -> R {
                    fn sizes(self) -> Vec<usize> {
                        vec![size_of::<R>(), $(size_of::<$argument>()),*]
                    }
                }
            )+
        };
    }

    signatures! {
        ;
        A;
        A B;
        A B C;
        A B C D;
        A B C D E F;
        A B C D E F G H I J K;
        A B C D E F G H I J K L;
    }

    #[test]
    fn the_functions_have_the_arguments_of_cudarc() {
        for (name, ours, theirs) in sizes_of_arguments() {
            assert_eq!(ours, theirs, "{name}");
        }
    }

    #[test]
    fn the_constants_have_the_values_of_cudarc() {
        let constants = [
            (c::CUresult::CUDA_SUCCESS as u32, CUresult::CUDA_SUCCESS.0),
            (
                c::CUresult::CUDA_ERROR_INVALID_VALUE as u32,
                CUresult::CUDA_ERROR_INVALID_VALUE.0,
            ),
            (
                c::CUresult::CUDA_ERROR_OUT_OF_MEMORY as u32,
                CUresult::CUDA_ERROR_OUT_OF_MEMORY.0,
            ),
            (
                c::CUresult::CUDA_ERROR_NOT_INITIALIZED as u32,
                CUresult::CUDA_ERROR_NOT_INITIALIZED.0,
            ),
            (
                c::CUresult::CUDA_ERROR_NO_DEVICE as u32,
                CUresult::CUDA_ERROR_NO_DEVICE.0,
            ),
            (
                c::CUresult::CUDA_ERROR_NOT_READY as u32,
                CUresult::CUDA_ERROR_NOT_READY.0,
            ),
            (
                c::CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED as u32,
                CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED.0,
            ),
            (
                c::CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE as u32,
                CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE.0,
            ),
            (
                c::CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT as u32,
                CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT.0,
            ),
            (
                c::CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT as u32,
                CUmemPool_attribute::CU_MEMPOOL_ATTR_USED_MEM_CURRENT.0,
            ),
            (c::CUevent_flags::CU_EVENT_DEFAULT as u32, CU_EVENT_DEFAULT),
            (
                c::CUevent_record_flags::CU_EVENT_RECORD_EXTERNAL as u32,
                CU_EVENT_RECORD_EXTERNAL,
            ),
            (
                c::CUevent_wait_flags::CU_EVENT_WAIT_EXTERNAL as u32,
                CU_EVENT_WAIT_EXTERNAL,
            ),
            (
                c::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED as u32,
                CU_STREAM_CAPTURE_MODE_RELAXED,
            ),
            (c::CU_MEMHOSTALLOC_PORTABLE, CU_MEMHOSTALLOC_PORTABLE),
            (
                c::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE as u32,
                CU_MEM_LOCATION_TYPE_DEVICE,
            ),
            (
                c::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE as u32,
                CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
            ),
            (
                c::CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER as u32,
                CUresult::CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER.0,
            ),
            (
                c::CUresult::CUDA_ERROR_ECC_UNCORRECTABLE as u32,
                CUresult::CUDA_ERROR_ECC_UNCORRECTABLE.0,
            ),
            (
                c::CUresult::CUDA_ERROR_NVLINK_UNCORRECTABLE as u32,
                CUresult::CUDA_ERROR_NVLINK_UNCORRECTABLE.0,
            ),
            (
                c::CUresult::CUDA_ERROR_CONTAINED as u32,
                CUresult::CUDA_ERROR_CONTAINED.0,
            ),
            (
                c::CUresult::CUDA_ERROR_ILLEGAL_ADDRESS as u32,
                CUresult::CUDA_ERROR_ILLEGAL_ADDRESS.0,
            ),
            (
                c::CUresult::CUDA_ERROR_LAUNCH_TIMEOUT as u32,
                CUresult::CUDA_ERROR_LAUNCH_TIMEOUT.0,
            ),
            (
                c::CUresult::CUDA_ERROR_ASSERT as u32,
                CUresult::CUDA_ERROR_ASSERT.0,
            ),
            (
                c::CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR as u32,
                CUresult::CUDA_ERROR_HARDWARE_STACK_ERROR.0,
            ),
            (
                c::CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION as u32,
                CUresult::CUDA_ERROR_ILLEGAL_INSTRUCTION.0,
            ),
            (
                c::CUresult::CUDA_ERROR_MISALIGNED_ADDRESS as u32,
                CUresult::CUDA_ERROR_MISALIGNED_ADDRESS.0,
            ),
            (
                c::CUresult::CUDA_ERROR_INVALID_ADDRESS_SPACE as u32,
                CUresult::CUDA_ERROR_INVALID_ADDRESS_SPACE.0,
            ),
            (
                c::CUresult::CUDA_ERROR_INVALID_PC as u32,
                CUresult::CUDA_ERROR_INVALID_PC.0,
            ),
            (
                c::CUresult::CUDA_ERROR_LAUNCH_FAILED as u32,
                CUresult::CUDA_ERROR_LAUNCH_FAILED.0,
            ),
            (
                c::CUresult::CUDA_ERROR_TENSOR_MEMORY_LEAK as u32,
                CUresult::CUDA_ERROR_TENSOR_MEMORY_LEAK.0,
            ),
            (
                c::CUresult::CUDA_ERROR_NOT_SUPPORTED as u32,
                CUresult::CUDA_ERROR_NOT_SUPPORTED.0,
            ),
            (
                c::CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE as u32,
                CUresult::CUDA_ERROR_INVALID_CLUSTER_SIZE.0,
            ),
            (
                c::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT as u32,
                CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT.0,
            ),
            (
                c::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE as u32,
                CUdevice_attribute::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE.0,
            ),
            (
                c::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR as u32,
                CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR.0,
            ),
            (
                c::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR as u32,
                CUdevice_attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR.0,
            ),
            (
                c::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED as u32,
                CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED.0,
            ),
            (
                c::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK as u32,
                CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK.0,
            ),
            (
                c::CUfunction_attribute::CU_FUNC_ATTRIBUTE_PTX_VERSION as u32,
                CUfunction_attribute::CU_FUNC_ATTRIBUTE_PTX_VERSION.0,
            ),
            (
                c::CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES as u32,
                CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES.0,
            ),
            (
                c::CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD as u32,
                CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD.0,
            ),
            (
                c::CUpointer_attribute::CU_POINTER_ATTRIBUTE_CONTEXT as u32,
                CUpointer_attribute::CU_POINTER_ATTRIBUTE_CONTEXT.0,
            ),
            (
                c::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL as u32,
                CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL.0,
            ),
            (
                c::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION as u32,
                CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION.0,
            ),
            (
                c::CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION
                    as u32,
                CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION.0,
            ),
            (
                c::CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT8 as u32,
                CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT8.0,
            ),
            (
                c::CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT16 as u32,
                CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT16.0,
            ),
            (
                c::CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT32 as u32,
                CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT32.0,
            ),
            (
                c::CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT64 as u32,
                CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_UINT64.0,
            ),
            (
                c::CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE as u32,
                CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE.0,
            ),
            (
                c::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_NONE as u32,
                CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_NONE.0,
            ),
            (
                c::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_32B as u32,
                CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_32B.0,
            ),
            (
                c::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_64B as u32,
                CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_64B.0,
            ),
            (
                c::CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_128B as u32,
                CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_128B.0,
            ),
            (
                c::CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_128B as u32,
                CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_128B.0,
            ),
            (
                c::CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE as u32,
                CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE.0,
            ),
            (
                c::CUstream_flags::CU_STREAM_NON_BLOCKING as u32,
                CU_STREAM_NON_BLOCKING,
            ),
            (
                c::CUevent_flags::CU_EVENT_DISABLE_TIMING as u32,
                CU_EVENT_DISABLE_TIMING,
            ),
        ];
        for (index, (theirs, ours)) in constants.into_iter().enumerate() {
            assert_eq!(theirs, ours, "constant number {index}");
        }
    }

    macro_rules! same_layout {
        ($name:ident: $($field:ident),*) => {
            assert_eq!(size_of::<$name>(), size_of::<c::$name>(), stringify!($name));
            assert_eq!(align_of::<$name>(), align_of::<c::$name>(), stringify!($name));
            $(assert_eq!(offset_of!($name, $field), offset_of!(c::$name, $field), stringify!($field));)*
        };
    }

    #[test]
    fn the_structures_have_the_layout_of_cudarc() {
        same_layout!(CUtensorMap: opaque);
        same_layout!(CUgraphExecUpdateResultInfo: result, errorNode, errorFromNode);
        same_layout!(CUmemLocation: type_);
        same_layout!(CUmemAccessDesc: location, flags);
        same_layout!(CUlaunchAttribute: id, value);
        same_layout!(CUlaunchAttributeValue: clusterDim, programmaticStreamSerializationAllowed);
        same_layout!(
            CUlaunchConfig: gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream,
            attrs, numAttrs
        );
    }
}

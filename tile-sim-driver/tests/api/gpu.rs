//! A context for a case, with kernels and short names for what cases do often.

use std::ffi::{CStr, CString, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use cudarc::driver::sys::*;

pub(crate) use cudarc::driver::sys::CUresult as R;

/// The kernels of the cases.
const PTX: &CStr = c"
.version 7.0
.target sm_80
.address_size 64
.visible .global .align 4 .u32 counter = 7;
.visible .const .align 4 .b8 table[16] = {1, 2, 3, 4};

// data[i] = value
.visible .entry fill(.param .u64 data, .param .u32 value)
{
    .reg .b32 %r<5>; .reg .b64 %d<3>;
    ld.param.u64 %d0, [data];
    ld.param.u32 %r0, [value];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r1, %r1, %r2, %r3;
    mul.wide.u32 %d1, %r1, 4;
    add.u64 %d0, %d0, %d1;
    st.global.u32 [%d0], %r0;
    ret;
}

// to[i] = from[i] + 1
.visible .entry next(.param .u64 to, .param .u64 from)
{
    .reg .b32 %r<5>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [to];
    ld.param.u64 %d1, [from];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r1, %r1, %r2, %r3;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d0, %d0, %d2;
    add.u64 %d1, %d1, %d2;
    ld.global.u32 %r4, [%d1];
    add.u32 %r4, %r4, 1;
    st.global.u32 [%d0], %r4;
    ret;
}

// Waits until flag is 1.
.visible .entry spin(.param .u64 flag)
{
    .reg .b32 %r<1>; .reg .b64 %d<1>; .reg .pred %p;
    ld.param.u64 %d0, [flag];
again:
    ld.relaxed.sys.global.u32 %r0, [%d0];
    setp.ne.u32 %p, %r0, 1;
    @%p bra again;
    ret;
}

// flag = 1
.visible .entry signal(.param .u64 flag)
{
    .reg .b32 %r<1>; .reg .b64 %d<1>;
    ld.param.u64 %d0, [flag];
    mov.u32 %r0, 1;
    st.relaxed.sys.global.u32 [%d0], %r0;
    ret;
}

// Adds 1 to a number n times.
.visible .entry count(.param .u64 sum, .param .u32 n)
{
    .reg .b32 %r<3>; .reg .b64 %d<1>; .reg .pred %p;
    ld.param.u64 %d0, [sum];
    ld.param.u32 %r0, [n];
again:
    atom.relaxed.sys.global.add.u32 %r1, [%d0], 1;
    sub.u32 %r0, %r0, 1;
    setp.ne.u32 %p, %r0, 0;
    @%p bra again;
    ret;
}

.visible .entry stop() { trap; ret; }

.visible .entry bounded() .maxntid 64, 1, 1 { ret; }

.visible .entry shared_memory()
{
    .shared .align 4 .b8 buffer[1024];
    ret;
}

.visible .entry raise_counter()
{
    .reg .b32 %r<1>; .reg .b64 %d<1>;
    mov.u64 %d0, counter;
    ld.global.u32 %r0, [%d0];
    add.u32 %r0, %r0, 1;
    st.global.u32 [%d0], %r0;
    ret;
}
";

/// Kernels of Hopper.
const PTX_90: &CStr = c"
.version 8.0
.target sm_90
.address_size 64

// to[i] = from[i] + 1, behind the previous grid.
.visible .entry next_waiting(.param .u64 to, .param .u64 from)
{
    .reg .b32 %r<5>; .reg .b64 %d<4>;
    griddepcontrol.wait;
    ld.param.u64 %d0, [to];
    ld.param.u64 %d1, [from];
    mov.u32 %r3, %tid.x;
    mul.wide.u32 %d2, %r3, 4;
    add.u64 %d0, %d0, %d2;
    add.u64 %d1, %d1, %d2;
    ld.global.u32 %r4, [%d1];
    add.u32 %r4, %r4, 1;
    st.global.u32 [%d0], %r4;
    ret;
}

// The same, but it reads before it waits.
.visible .entry next_early(.param .u64 to, .param .u64 from)
{
    .reg .b32 %r<5>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [to];
    ld.param.u64 %d1, [from];
    mov.u32 %r3, %tid.x;
    mul.wide.u32 %d2, %r3, 4;
    add.u64 %d0, %d0, %d2;
    add.u64 %d1, %d1, %d2;
    ld.global.u32 %r4, [%d1];
    griddepcontrol.wait;
    add.u32 %r4, %r4, 1;
    st.global.u32 [%d0], %r4;
    ret;
}

// data[block] = rank of the block in its cluster
.visible .entry ranks(.param .u64 data)
{
    .reg .b32 %r<2>; .reg .b64 %d<2>;
    ld.param.u64 %d0, [data];
    mov.u32 %r0, %ctaid.x;
    mov.u32 %r1, %cluster_ctarank;
    mul.wide.u32 %d1, %r0, 4;
    add.u64 %d0, %d0, %d1;
    st.global.u32 [%d0], %r1;
    ret;
}

.visible .entry pairs() .reqnctapercluster 2, 1, 1 .explicitcluster { ret; }
";

/// A context, current on this thread.
#[derive(Debug)]
pub(crate) struct Gpu {
    pub(crate) context: CUcontext,
}

/// Expects success.
#[track_caller]
pub(crate) fn ok(result: R) {
    assert_eq!(result, R::CUDA_SUCCESS);
}

/// Expects an error.
#[track_caller]
pub(crate) fn refused(result: R, expected: R) {
    assert_eq!(result, expected);
}

impl Gpu {
    pub(crate) fn new(device: CUdevice) -> Self {
        let mut context = null_mut();
        unsafe {
            ok(cuInit(0));
            ok(cuCtxCreate_v4(&raw mut context, null_mut(), 0, device));
        }
        Self { context }
    }

    pub(crate) fn enter(&self) {
        unsafe { ok(cuCtxSetCurrent(self.context)) };
    }

    pub(crate) fn alloc(&self, bytes: usize) -> CUdeviceptr {
        let mut address = 0;
        unsafe { ok(cuMemAlloc_v2(&raw mut address, bytes)) };
        address
    }

    /// Allocates numbers.
    pub(crate) fn numbers(&self, numbers: &[u32]) -> CUdeviceptr {
        let address = self.alloc(4 * numbers.len());
        unsafe {
            ok(cuMemcpyHtoD_v2(
                address,
                numbers.as_ptr().cast(),
                4 * numbers.len(),
            ))
        };
        address
    }

    /// Reads numbers, by a copy that waits for the default stream.
    pub(crate) fn read(&self, address: CUdeviceptr, count: usize) -> Vec<u32> {
        let mut numbers = vec![0; count];
        unsafe {
            ok(cuMemcpyDtoH_v2(
                numbers.as_mut_ptr().cast(),
                address,
                4 * count,
            ))
        };
        numbers
    }

    pub(crate) fn pinned(&self, count: usize) -> *mut u32 {
        let mut pointer: *mut c_void = null_mut();
        unsafe { ok(cuMemHostAlloc(&raw mut pointer, 4 * count, 0)) };
        pointer.cast()
    }

    pub(crate) fn stream(&self) -> CUstream {
        self.stream_with(1)
    }

    pub(crate) fn stream_with(&self, flags: u32) -> CUstream {
        let mut stream = null_mut();
        unsafe { ok(cuStreamCreate(&raw mut stream, flags)) };
        stream
    }

    pub(crate) fn event(&self) -> CUevent {
        let mut event = null_mut();
        unsafe { ok(cuEventCreate(&raw mut event, 0)) };
        event
    }

    pub(crate) fn module(&self) -> CUmodule {
        let mut module = null_mut();
        unsafe { ok(cuModuleLoadData(&raw mut module, PTX.as_ptr().cast())) };
        module
    }

    pub(crate) fn kernel(&self, name: &str) -> CUfunction {
        self.kernel_of(PTX, name)
    }

    pub(crate) fn kernel_90(&self, name: &str) -> CUfunction {
        self.kernel_of(PTX_90, name)
    }

    fn kernel_of(&self, text: &CStr, name: &str) -> CUfunction {
        let mut module = null_mut();
        let mut function = null_mut();
        let name = CString::new(name).expect("no NUL");
        unsafe {
            ok(cuModuleLoadData(&raw mut module, text.as_ptr().cast()));
            ok(cuModuleGetFunction(
                &raw mut function,
                module,
                name.as_ptr(),
            ));
        }
        function
    }

    /// Launches a kernel of one block, with arguments of 8 and 4 bytes.
    pub(crate) fn launch(
        &self,
        function: CUfunction,
        threads: u32,
        stream: CUstream,
        args: &[Arg],
    ) {
        ok(self.try_launch(function, threads, stream, args));
    }

    pub(crate) fn try_launch(
        &self,
        function: CUfunction,
        threads: u32,
        stream: CUstream,
        args: &[Arg],
    ) -> R {
        let mut pointers = pointers(args);
        unsafe {
            cuLaunchKernel(
                function,
                1,
                1,
                1,
                threads,
                1,
                1,
                0,
                stream,
                pointers.as_mut_ptr(),
                null_mut(),
            )
        }
    }

    /// Launches a kernel with attributes.
    pub(crate) fn launch_with(
        &self,
        function: CUfunction,
        grid: u32,
        threads: u32,
        stream: CUstream,
        args: &[Arg],
        attributes: &mut [CUlaunchAttribute],
    ) -> R {
        let mut pointers = pointers(args);
        let config = config(grid, threads, stream, attributes);
        unsafe {
            cuLaunchKernelEx(
                &raw const config,
                function,
                pointers.as_mut_ptr(),
                null_mut(),
            )
        }
    }

    pub(crate) fn synchronize(&self) -> R {
        unsafe { cuCtxSynchronize() }
    }

    pub(crate) fn fill(&self, data: CUdeviceptr, value: u32, threads: u32, stream: CUstream) {
        self.launch(
            self.kernel("fill"),
            threads,
            stream,
            &[Arg::Address(data), Arg::Number(value)],
        );
    }

    pub(crate) fn next(&self, to: CUdeviceptr, from: CUdeviceptr, threads: u32, stream: CUstream) {
        self.launch(
            self.kernel("next"),
            threads,
            stream,
            &[Arg::Address(to), Arg::Address(from)],
        );
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // A case may have broken the context, or left another one current.
        unsafe {
            let _left = cuCtxSetCurrent(self.context);
            let _destroyed = cuCtxDestroy_v2(self.context);
        }
    }
}

pub(crate) fn config(
    grid: u32,
    threads: u32,
    stream: CUstream,
    attributes: &mut [CUlaunchAttribute],
) -> CUlaunchConfig {
    CUlaunchConfig {
        gridDimX: grid,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: threads,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: 0,
        hStream: stream,
        attrs: attributes.as_mut_ptr(),
        numAttrs: u32::try_from(attributes.len()).expect("few"),
    }
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arg {
    Address(u64),
    Number(u32),
}

fn pointers(args: &[Arg]) -> Vec<*mut c_void> {
    let pointer = |arg: &Arg| match arg {
        Arg::Address(address) => std::ptr::from_ref(address).cast_mut().cast(),
        Arg::Number(number) => std::ptr::from_ref(number).cast_mut().cast(),
    };
    args.iter().map(pointer).collect()
}

pub(crate) fn cluster(blocks: u32) -> CUlaunchAttribute {
    let mut attribute: CUlaunchAttribute = unsafe { std::mem::zeroed() };
    attribute.id = CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim.x = blocks;
    attribute.value.clusterDim.y = 1;
    attribute.value.clusterDim.z = 1;
    attribute
}

pub(crate) fn programmatic() -> CUlaunchAttribute {
    let mut attribute: CUlaunchAttribute = unsafe { std::mem::zeroed() };
    attribute.id = CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
    attribute
}

/// A copy with rows of nothing, from the host to the host.
pub(crate) fn rows() -> CUDA_MEMCPY2D {
    CUDA_MEMCPY2D {
        srcXInBytes: 0,
        srcY: 0,
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        srcHost: null(),
        srcDevice: 0,
        srcArray: null_mut(),
        srcPitch: 0,
        dstXInBytes: 0,
        dstY: 0,
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        dstHost: null_mut(),
        dstDevice: 0,
        dstArray: null_mut(),
        dstPitch: 0,
        WidthInBytes: 0,
        Height: 0,
    }
}

/// A copy with slices of nothing, from the host to the host.
pub(crate) fn slices() -> CUDA_MEMCPY3D {
    CUDA_MEMCPY3D {
        srcXInBytes: 0,
        srcY: 0,
        srcZ: 0,
        srcLOD: 0,
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        srcHost: null(),
        srcDevice: 0,
        srcArray: null_mut(),
        reserved0: null_mut(),
        srcPitch: 0,
        srcHeight: 0,
        dstXInBytes: 0,
        dstY: 0,
        dstZ: 0,
        dstLOD: 0,
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_HOST,
        dstHost: null_mut(),
        dstDevice: 0,
        dstArray: null_mut(),
        reserved1: null_mut(),
        dstPitch: 0,
        dstHeight: 0,
        WidthInBytes: 0,
        Height: 0,
        Depth: 0,
    }
}

/// A handle that stands for nothing.
pub(crate) fn stale<T>() -> *mut T {
    std::ptr::without_provenance_mut(0xdead_0000)
}

pub(crate) fn nothing<T>() -> *mut T {
    null_mut()
}

pub(crate) fn nowhere<T>() -> *const T {
    null()
}

/// Waits until something is so, at most ten seconds.
#[track_caller]
pub(crate) fn until(what: impl Fn() -> bool) {
    let start = Instant::now();
    while !what() {
        assert!(
            start.elapsed() < Duration::from_secs(10),
            "it never happens"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn library() -> &'static libloading::Library {
    static LIBRARY: OnceLock<libloading::Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        unsafe { libloading::Library::new("libcuda.so.1") }.expect("it is loaded already")
    })
}

/// Makes the `nth` call of a function fail.
pub(crate) fn fail_next(name: &CStr, result: R, nth: u32) {
    type Function = unsafe extern "C" fn(*const std::ffi::c_char, u32, u32) -> u32;
    unsafe {
        let function = library()
            .get::<Function>(b"tileSimFailNext\0")
            .expect("it is there");
        assert_eq!(function(name.as_ptr(), result as u32, nth), 0);
    }
}

/// Returns the number of objects that were not destroyed.
pub(crate) fn live(kind: &CStr) -> usize {
    type Function = unsafe extern "C" fn(*const std::ffi::c_char, *mut usize) -> u32;
    let mut count = 0;
    unsafe {
        let function = library()
            .get::<Function>(b"tileSimLiveObjects\0")
            .expect("it is there");
        assert_eq!(function(kind.as_ptr(), &raw mut count), 0);
    }
    count
}

/// Returns the text of the last fault of the process.
pub(crate) fn last_fault() -> String {
    type Function = unsafe extern "C" fn(*mut std::ffi::c_char, i32) -> u32;
    let mut text = vec![0u8; 4096];
    unsafe {
        let function = library()
            .get::<Function>(b"tileSimLastFault\0")
            .expect("it is there");
        assert_eq!(function(text.as_mut_ptr().cast(), 4096), 0);
    }
    CStr::from_bytes_until_nul(&text)
        .expect("a NUL")
        .to_string_lossy()
        .into_owned()
}

/// Lists cases: calls with the error that each has to return, and functions.
macro_rules! cases {
    (
        refused: { $($name:ident($gpu:ident): $call:expr => $error:ident;)* }
        facts: { $($fact:ident,)* }
    ) => {
        pub(crate) const CASES: &[crate::Case] = &[
            $((stringify!($name), |$gpu| {
                let _ = $gpu;
                #[allow(unused_unsafe, reason = "some calls are in a block already")]
                let result = unsafe { $call };
                crate::gpu::refused(result, crate::gpu::R::$error);
            }),)*
            $((stringify!($fact), $fact),)*
        ];
    };
}

pub(crate) use cases;

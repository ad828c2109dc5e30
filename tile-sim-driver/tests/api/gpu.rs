//! A context for a case, with kernels and short names for what cases do often.

use std::ffi::{CStr, CString, c_void};
use std::ptr::{null, null_mut};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use cudarc::driver::sys::*;

pub(crate) use cudarc::driver::sys::CUresult as R;

use crate::shared::{PTX, PTX_90};
pub(crate) use crate::shared::{rows, slices};

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
            ));
        }
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
            ));
        }
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

pub(crate) fn library() -> &'static libloading::Library {
    static LIBRARY: OnceLock<libloading::Library> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        unsafe { libloading::Library::new("libcuda.so.1") }.expect("it is loaded already")
    })
}

/// Makes the `nth` call of a function fail.
pub(crate) fn fail_next(name: &CStr, result: R, nth: u32) {
    ask_for_failure(b"tileSimFailNext\0", name, result, nth);
}

/// Makes the `nth` call of a function fail, and break its context.
pub(crate) fn break_next(name: &CStr, result: R, nth: u32) {
    ask_for_failure(b"tileSimBreakNext\0", name, result, nth);
}

fn ask_for_failure(ask: &[u8], name: &CStr, result: R, nth: u32) {
    type Function = unsafe extern "C" fn(*const std::ffi::c_char, u32, u32) -> u32;
    unsafe {
        let function = library().get::<Function>(ask).expect("it is there");
        assert_eq!(function(name.as_ptr(), result as u32, nth), 0);
    }
}

/// Returns the names of the functions that are called, by all threads, while a closure runs.
pub(crate) fn calls_of(work: impl FnOnce()) -> String {
    type Begin = unsafe extern "C" fn() -> u32;
    type End = unsafe extern "C" fn(*mut std::ffi::c_char, i32) -> u32;
    let mut text = vec![0u8; 1 << 20];
    unsafe {
        let begin = library().get::<Begin>(b"tileSimBeginCalls\0");
        assert_eq!(begin.expect("it is there")(), 0);
        work();
        let end = library().get::<End>(b"tileSimEndCalls\0");
        assert_eq!(
            end.expect("it is there")(text.as_mut_ptr().cast(), 1 << 20),
            0
        );
    }
    CStr::from_bytes_until_nul(&text)
        .expect("a NUL")
        .to_string_lossy()
        .into_owned()
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

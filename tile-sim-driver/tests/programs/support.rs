//! What programs call often. Every function returns the first error.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_void};
use std::ptr::null_mut;

use cudarc::driver::sys::*;

pub(crate) use cudarc::driver::sys::CUresult as R;

use crate::shared::{PTX, PTX_90};

/// The outcome of a program or of a call.
pub(crate) type Done<T = ()> = Result<T, R>;

/// Returns the error of a call.
pub(crate) fn call(result: R) -> Done {
    match result {
        R::CUDA_SUCCESS => Ok(()),
        error => Err(error),
    }
}

/// Whether a program has its mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    Broken,
    Mended,
}

impl Version {
    pub(crate) fn is_mended(self) -> bool {
        self == Self::Mended
    }

    /// Returns the first value for the broken program, the second for the mended one.
    pub(crate) fn either<T>(self, broken: T, mended: T) -> T {
        match self {
            Self::Broken => broken,
            Self::Mended => mended,
        }
    }
}

/// Something to destroy at the end of the program.
#[derive(Debug)]
enum Object {
    Stream(CUstream),
    Event(CUevent),
    Memory(CUdeviceptr),
    Pinned(*mut u32),
    Module(CUmodule),
    Graph(CUgraph),
    Exec(CUgraphExec),
}

/// A context, current on this thread, with what was made in it.
#[derive(Debug)]
pub(crate) struct Gpu {
    pub(crate) context: CUcontext,
    objects: RefCell<Vec<Object>>,
}

impl Gpu {
    pub(crate) fn new(device: CUdevice) -> Done<Self> {
        let mut context = null_mut();
        unsafe {
            call(cuInit(0))?;
            call(cuCtxCreate_v4(&raw mut context, null_mut(), 0, device))?;
        }
        Ok(Self {
            context,
            objects: RefCell::default(),
        })
    }

    pub(crate) fn enter(&self) -> Done {
        call(unsafe { cuCtxSetCurrent(self.context) })
    }

    fn keep(&self, object: Object) {
        self.objects.borrow_mut().push(object);
    }

    /// Destroys what was made, looks for what is left, and destroys the context.
    pub(crate) fn end(self) -> Done {
        self.destroy()?;
        for kind in KINDS {
            assert_eq!(live(kind), 0, "{kind:?} is left");
        }
        call(unsafe { cuCtxDestroy_v2(self.context) })
    }

    /// Destroys what was made, and the context.
    pub(crate) fn close(self) -> Done {
        self.destroy()?;
        call(unsafe { cuCtxDestroy_v2(self.context) })
    }

    fn destroy(&self) -> Done {
        self.enter()?;
        for object in self.objects.take().into_iter().rev() {
            call(unsafe {
                match object {
                    Object::Stream(stream) => cuStreamDestroy_v2(stream),
                    Object::Event(event) => cuEventDestroy_v2(event),
                    Object::Memory(address) => cuMemFree_v2(address),
                    Object::Pinned(pointer) => cuMemFreeHost(pointer.cast()),
                    Object::Module(module) => cuModuleUnload(module),
                    Object::Graph(graph) => cuGraphDestroy(graph),
                    Object::Exec(exec) => cuGraphExecDestroy(exec),
                }
            })?;
        }
        Ok(())
    }

    /// A stream that does not wait for the default stream.
    pub(crate) fn stream(&self) -> Done<CUstream> {
        self.stream_with(CUstream_flags::CU_STREAM_NON_BLOCKING as u32)
    }

    pub(crate) fn stream_with(&self, flags: u32) -> Done<CUstream> {
        let mut stream = null_mut();
        call(unsafe { cuStreamCreate(&raw mut stream, flags) })?;
        self.keep(Object::Stream(stream));
        Ok(stream)
    }

    pub(crate) fn event(&self) -> Done<CUevent> {
        self.event_with(0)
    }

    pub(crate) fn event_with(&self, flags: u32) -> Done<CUevent> {
        let mut event = null_mut();
        call(unsafe { cuEventCreate(&raw mut event, flags) })?;
        self.keep(Object::Event(event));
        Ok(event)
    }

    /// Makes one stream wait for what is on another now.
    pub(crate) fn order(&self, first: CUstream, then: CUstream) -> Done {
        let event = self.event()?;
        unsafe {
            call(cuEventRecord(event, first))?;
            call(cuStreamWaitEvent(then, event, 0))
        }
    }

    /// Allocates numbers, which the program frees.
    pub(crate) fn own(&self, count: usize) -> Done<CUdeviceptr> {
        let mut address = 0;
        call(unsafe { cuMemAlloc_v2(&raw mut address, 4 * count) })?;
        Ok(address)
    }

    /// Allocates numbers.
    pub(crate) fn alloc(&self, count: usize) -> Done<CUdeviceptr> {
        let address = self.own(count)?;
        self.keep(Object::Memory(address));
        Ok(address)
    }

    /// Allocates numbers with values.
    pub(crate) fn numbers(&self, numbers: &[u32]) -> Done<CUdeviceptr> {
        let address = self.alloc(numbers.len())?;
        let bytes = size_of_val(numbers);
        call(unsafe { cuMemcpyHtoD_v2(address, numbers.as_ptr().cast(), bytes) })?;
        Ok(address)
    }

    /// Allocates pinned numbers, all 1, which the program frees.
    pub(crate) fn own_pinned(&self, count: usize) -> Done<*mut u32> {
        let mut pointer: *mut c_void = null_mut();
        unsafe {
            call(cuMemHostAlloc(&raw mut pointer, 4 * count, 0))?;
            let numbers = pointer.cast::<u32>();
            (0..count).for_each(|index| numbers.add(index).write(1));
            Ok(numbers)
        }
    }

    pub(crate) fn pinned(&self, count: usize) -> Done<*mut u32> {
        let pointer = self.own_pinned(count)?;
        self.keep(Object::Pinned(pointer));
        Ok(pointer)
    }

    /// Allocates managed numbers.
    pub(crate) fn managed(&self, count: usize) -> Done<*mut u32> {
        let mut address = 0;
        call(unsafe { cuMemAllocManaged(&raw mut address, 4 * count, 1) })?;
        self.keep(Object::Memory(address));
        let address = usize::try_from(address).expect("addresses have 64 bits");
        Ok(std::ptr::with_exposed_provenance_mut(address))
    }

    /// Reads numbers, by a copy on the default stream.
    pub(crate) fn read(&self, address: CUdeviceptr, count: usize) -> Done<Vec<u32>> {
        let mut numbers = vec![0; count];
        call(unsafe { cuMemcpyDtoH_v2(numbers.as_mut_ptr().cast(), address, 4 * count) })?;
        Ok(numbers)
    }

    pub(crate) fn module(&self, text: &CStr) -> Done<CUmodule> {
        let mut module = null_mut();
        call(unsafe { cuModuleLoadData(&raw mut module, text.as_ptr().cast()) })?;
        Ok(module)
    }

    /// Returns a kernel of `sm_80`.
    pub(crate) fn kernel(&self, name: &str) -> Done<CUfunction> {
        let module = self.module(PTX)?;
        self.keep(Object::Module(module));
        function(module, name)
    }

    /// Returns a kernel of `sm_90`.
    pub(crate) fn kernel_90(&self, name: &str) -> Done<CUfunction> {
        let module = self.module(PTX_90)?;
        self.keep(Object::Module(module));
        function(module, name)
    }

    /// Sets numbers to a value.
    pub(crate) fn fill(&self, data: CUdeviceptr, value: u32, count: u32, stream: CUstream) -> Done {
        let args = [Arg::Address(data), Arg::Number(value)];
        launch(self.kernel("fill")?, count, stream, &args)
    }

    /// Sets numbers to those of `from` plus 1.
    pub(crate) fn next(
        &self,
        to: CUdeviceptr,
        from: CUdeviceptr,
        count: u32,
        stream: CUstream,
    ) -> Done {
        let args = [Arg::Address(to), Arg::Address(from)];
        launch(self.kernel("next")?, count, stream, &args)
    }

    pub(crate) fn graph(&self) -> Done<CUgraph> {
        let mut graph = null_mut();
        call(unsafe { cuGraphCreate(&raw mut graph, 0) })?;
        self.keep(Object::Graph(graph));
        Ok(graph)
    }

    pub(crate) fn begin_capture(&self, stream: CUstream) -> Done {
        let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_GLOBAL;
        call(unsafe { cuStreamBeginCapture_v2(stream, mode) })
    }

    pub(crate) fn end_capture(&self, stream: CUstream) -> Done<CUgraph> {
        let mut graph = null_mut();
        call(unsafe { cuStreamEndCapture(stream, &raw mut graph) })?;
        self.keep(Object::Graph(graph));
        Ok(graph)
    }

    pub(crate) fn instantiate(&self, graph: CUgraph) -> Done<CUgraphExec> {
        let mut exec = null_mut();
        call(unsafe { cuGraphInstantiateWithFlags(&raw mut exec, graph, 0) })?;
        self.keep(Object::Exec(exec));
        Ok(exec)
    }
}

pub(crate) fn function(module: CUmodule, name: &str) -> Done<CUfunction> {
    let mut function = null_mut();
    let name = CString::new(name).expect("no NUL");
    call(unsafe { cuModuleGetFunction(&raw mut function, module, name.as_ptr()) })?;
    Ok(function)
}

/// An argument of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arg {
    Address(u64),
    Number(u32),
    Map(CUtensorMap),
}

pub(crate) fn pointers(args: &[Arg]) -> Vec<*mut c_void> {
    let pointer = |arg: &Arg| match arg {
        Arg::Address(address) => std::ptr::from_ref(address).cast_mut().cast(),
        Arg::Number(number) => std::ptr::from_ref(number).cast_mut().cast(),
        Arg::Map(map) => std::ptr::from_ref(map).cast_mut().cast(),
    };
    args.iter().map(pointer).collect()
}

/// Launches a kernel of one block.
pub(crate) fn launch(function: CUfunction, threads: u32, stream: CUstream, args: &[Arg]) -> Done {
    launch_with(function, [1, threads, 0], stream, args, &mut [])
}

/// Launches a kernel with so many blocks, threads, and bytes of dynamic shared memory.
pub(crate) fn launch_with(
    function: CUfunction,
    [blocks, threads, shared]: [u32; 3],
    stream: CUstream,
    args: &[Arg],
    attributes: &mut [CUlaunchAttribute],
) -> Done {
    let mut pointers = pointers(args);
    let config = CUlaunchConfig {
        gridDimX: blocks,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: threads,
        blockDimY: 1,
        blockDimZ: 1,
        sharedMemBytes: shared,
        hStream: stream,
        attrs: attributes.as_mut_ptr(),
        numAttrs: u32::try_from(attributes.len()).expect("few"),
    };
    call(unsafe {
        cuLaunchKernelEx(
            &raw const config,
            function,
            pointers.as_mut_ptr(),
            null_mut(),
        )
    })
}

/// The attribute of a launch that may begin before the previous one has ended.
pub(crate) fn programmatic() -> CUlaunchAttribute {
    let mut attribute: CUlaunchAttribute = unsafe { std::mem::zeroed() };
    attribute.id = CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
    attribute.value.programmaticStreamSerializationAllowed = 1;
    attribute
}

/// The attribute of a launch in clusters.
pub(crate) fn cluster(blocks: u32) -> CUlaunchAttribute {
    let mut attribute: CUlaunchAttribute = unsafe { std::mem::zeroed() };
    attribute.id = CUlaunchAttributeID::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute.value.clusterDim.x = blocks;
    attribute.value.clusterDim.y = 1;
    attribute.value.clusterDim.z = 1;
    attribute
}

/// The kinds of objects that a program has to destroy.
const KINDS: [&CStr; 7] = [
    c"stream", c"event", c"memory", c"module", c"graph", c"exec", c"pool",
];

/// Returns the number of objects that were not destroyed.
fn live(kind: &CStr) -> usize {
    type Function = unsafe extern "C" fn(*const std::ffi::c_char, *mut usize) -> u32;
    let mut count = 0;
    unsafe {
        let library = libloading::Library::new("libcuda.so.1").expect("it is loaded already");
        let function = library
            .get::<Function>(b"tileSimLiveObjects\0")
            .expect("it is there");
        assert_eq!(function(kind.as_ptr(), &raw mut count), 0);
    }
    count
}

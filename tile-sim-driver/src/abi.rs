//! The types of `cuda.h`. Its enumerations are numbers, so that no value of a caller is invalid.

#![expect(non_snake_case, missing_docs, reason = "the names of `cuda.h`")]

use std::ffi::{c_char, c_int, c_uchar, c_uint, c_ushort, c_void};

use crate::result::CUresult;

pub type CUdevice = c_int;
pub type CUdeviceptr = u64;

macro_rules! handles {
    ($($(#[$doc:meta])* $name:ident;)+) => {$(
        $(#[$doc])*
        ///
        /// A number that this library chose. It is never an address.
        #[repr(transparent)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $name(pub(crate) usize);

        impl $name {
            /// The null handle.
            pub const NULL: Self = Self(0);
        }
    )+};
}

handles! {
    /// A context.
    CUcontext;
    /// A module.
    CUmodule;
    /// A function of a module.
    CUfunction;
    /// A stream; 0 and 1 are the legacy default stream, 2 the default stream of a thread.
    CUstream;
    /// An event.
    CUevent;
    /// A memory pool.
    CUmemoryPool;
    /// A graph.
    CUgraph;
    /// A node of a graph.
    CUgraphNode;
    /// An executable graph.
    CUgraphExec;
    /// A library.
    CUlibrary;
    /// A kernel of a library.
    CUkernel;
    /// An array, of which there are none.
    CUarray;
}

/// A pointer of a C caller, who promised that it is null or may be written.
#[repr(transparent)]
#[derive(Debug)]
pub struct Out<T>(*mut T);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T> Out<T> {
    /// Wraps a pointer in a structure of a caller, who promised for it too.
    pub(crate) fn of(pointer: *mut T) -> Self {
        Self(pointer)
    }

    /// Writes the value, or returns `CUDA_ERROR_INVALID_VALUE` for a null pointer.
    pub(crate) fn set(self, value: T) -> Result<(), CUresult> {
        if self.is_null() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        // SAFETY: the caller promised that the pointer may be written; C does not promise its alignment.
        unsafe { self.0.write_unaligned(value) };
        Ok(())
    }

    /// Writes the value unless the pointer is null.
    pub(crate) fn put(self, value: T) {
        if !self.is_null() {
            // SAFETY: as in `set`.
            unsafe { self.0.write_unaligned(value) };
        }
    }

    /// Writes `values` from the pointer on.
    pub(crate) fn set_all(self, values: &[T]) -> Result<(), CUresult>
    where
        T: Copy,
    {
        if self.is_null() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        for (index, &value) in values.iter().enumerate() {
            // SAFETY: the caller promised as many places as the API asks for.
            unsafe { self.0.add(index).write_unaligned(value) };
        }
        Ok(())
    }

    pub(crate) fn get(self) -> Result<T, CUresult>
    where
        T: Copy,
    {
        In(self.0.cast_const()).get()
    }

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub(crate) fn address(self) -> usize {
        self.0.addr()
    }

    pub(crate) fn cast<U>(self) -> Out<U> {
        Out(self.0.cast())
    }

    pub(crate) fn as_in(self) -> In<T> {
        In(self.0.cast_const())
    }

    pub(crate) fn raw(self) -> *mut T {
        self.0
    }
}

/// A pointer of a C caller, who promised that it is null or may be read.
#[repr(transparent)]
#[derive(Debug)]
pub struct In<T>(*const T);

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for In<T> {}

impl<T> In<T> {
    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub(crate) fn cast<U>(self) -> In<U> {
        In(self.0.cast())
    }

    pub(crate) fn raw(self) -> *const T {
        self.0
    }
}

impl<T: Copy> In<T> {
    /// Reads the value, or returns `CUDA_ERROR_INVALID_VALUE` for a null pointer.
    pub(crate) fn get(self) -> Result<T, CUresult> {
        self.at(0)
    }

    /// Reads the value at an index.
    pub(crate) fn at(self, index: usize) -> Result<T, CUresult> {
        if self.is_null() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        // SAFETY: the caller promised that as many values may be read as the API asks for.
        Ok(unsafe { self.0.add(index).read_unaligned() })
    }

    /// Reads `count` values; the pointer may be null if there are none.
    pub(crate) fn list(self, count: usize) -> Result<Vec<T>, CUresult> {
        (0..count).map(|index| self.at(index)).collect()
    }
}

impl In<c_char> {
    /// Reads a text that ends with a NUL.
    pub(crate) fn text(self) -> Result<String, CUresult> {
        if self.is_null() {
            return Err(CUresult::CUDA_ERROR_INVALID_VALUE);
        }
        // SAFETY: the caller promised a text that ends with a NUL.
        let text = unsafe { std::ffi::CStr::from_ptr(self.0) };
        Ok(text.to_string_lossy().into_owned())
    }
}

/// A function that a stream calls on the host.
pub type CUhostFn = Option<unsafe extern "C" fn(user_data: *mut c_void)>;
/// A function that a stream calls with its status.
pub type CUstreamCallback =
    Option<unsafe extern "C" fn(stream: CUstream, status: CUresult, user_data: *mut c_void)>;
/// A function that returns the dynamic shared memory of a block size.
pub type CUoccupancyB2DSize = Option<unsafe extern "C" fn(block_size: c_int) -> usize>;

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUuuid {
    pub bytes: [c_char; 16],
}

#[repr(C, align(128))]
#[derive(Clone, Copy, Debug)]
pub struct CUtensorMap {
    pub opaque: [u64; 16],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUlaunchConfig {
    pub gridDimX: c_uint,
    pub gridDimY: c_uint,
    pub gridDimZ: c_uint,
    pub blockDimX: c_uint,
    pub blockDimY: c_uint,
    pub blockDimZ: c_uint,
    pub sharedMemBytes: c_uint,
    pub hStream: CUstream,
    pub attrs: *mut CUlaunchAttribute,
    pub numAttrs: c_uint,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUlaunchAttribute {
    pub id: c_uint,
    pub pad: [c_char; 4],
    pub value: CUlaunchAttributeValue,
}

/// The value of a launch attribute, as numbers: every value of `cuda.h` begins with some of 32 bits.
#[repr(C, align(8))]
#[derive(Clone, Copy, Debug)]
pub struct CUlaunchAttributeValue {
    pub words: [u32; 16],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUDA_MEMCPY2D {
    pub srcXInBytes: usize,
    pub srcY: usize,
    pub srcMemoryType: c_uint,
    pub srcHost: *const c_void,
    pub srcDevice: CUdeviceptr,
    pub srcArray: CUarray,
    pub srcPitch: usize,
    pub dstXInBytes: usize,
    pub dstY: usize,
    pub dstMemoryType: c_uint,
    pub dstHost: *mut c_void,
    pub dstDevice: CUdeviceptr,
    pub dstArray: CUarray,
    pub dstPitch: usize,
    pub WidthInBytes: usize,
    pub Height: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUDA_MEMCPY3D {
    pub srcXInBytes: usize,
    pub srcY: usize,
    pub srcZ: usize,
    pub srcLOD: usize,
    pub srcMemoryType: c_uint,
    pub srcHost: *const c_void,
    pub srcDevice: CUdeviceptr,
    pub srcArray: CUarray,
    pub reserved0: *mut c_void,
    pub srcPitch: usize,
    pub srcHeight: usize,
    pub dstXInBytes: usize,
    pub dstY: usize,
    pub dstZ: usize,
    pub dstLOD: usize,
    pub dstMemoryType: c_uint,
    pub dstHost: *mut c_void,
    pub dstDevice: CUdeviceptr,
    pub dstArray: CUarray,
    pub reserved1: *mut c_void,
    pub dstPitch: usize,
    pub dstHeight: usize,
    pub WidthInBytes: usize,
    pub Height: usize,
    pub Depth: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUDA_KERNEL_NODE_PARAMS_v2 {
    pub func: CUfunction,
    pub gridDimX: c_uint,
    pub gridDimY: c_uint,
    pub gridDimZ: c_uint,
    pub blockDimX: c_uint,
    pub blockDimY: c_uint,
    pub blockDimZ: c_uint,
    pub sharedMemBytes: c_uint,
    pub kernelParams: *mut *mut c_void,
    pub extra: *mut *mut c_void,
    pub kern: CUkernel,
    pub ctx: CUcontext,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUDA_MEMSET_NODE_PARAMS {
    pub dst: CUdeviceptr,
    pub pitch: usize,
    pub value: c_uint,
    pub elementSize: c_uint,
    pub width: usize,
    pub height: usize,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUDA_HOST_NODE_PARAMS {
    pub r#fn: CUhostFn,
    pub userData: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CUmemLocation {
    pub r#type: c_uint,
    pub id: c_int,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUmemAccessDesc {
    pub location: CUmemLocation,
    pub flags: c_uint,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUmemPoolProps {
    pub allocType: c_uint,
    pub handleTypes: c_uint,
    pub location: CUmemLocation,
    pub win32SecurityAttributes: *mut c_void,
    pub maxSize: usize,
    pub usage: c_ushort,
    pub reserved: [c_uchar; 54],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUDA_MEM_ALLOC_NODE_PARAMS {
    pub poolProps: CUmemPoolProps,
    pub accessDescs: *const CUmemAccessDesc,
    pub accessDescCount: usize,
    pub bytesize: usize,
    pub dptr: CUdeviceptr,
}

/// The parameters of a node of any kind. The words are those of its kind.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUgraphNodeParams {
    pub r#type: c_uint,
    pub reserved0: [c_int; 3],
    pub words: [u64; 29],
    pub reserved2: i64,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CUgraphEdgeData {
    pub from_port: c_uchar,
    pub to_port: c_uchar,
    pub r#type: c_uchar,
    pub reserved: [c_uchar; 5],
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUgraphExecUpdateResultInfo {
    pub result: c_uint,
    pub errorNode: CUgraphNode,
    pub errorFromNode: CUgraphNode,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUDA_GRAPH_INSTANTIATE_PARAMS {
    pub flags: u64,
    pub hUploadStream: CUstream,
    pub hErrNode_out: CUgraphNode,
    pub result_out: c_uint,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUctxCreateParams {
    pub execAffinityParams: *mut c_void,
    pub numExecAffinityParams: c_int,
    pub cigParams: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUdevprop {
    pub maxThreadsPerBlock: c_int,
    pub maxThreadsDim: [c_int; 3],
    pub maxGridSize: [c_int; 3],
    pub sharedMemPerBlock: c_int,
    pub totalConstantMemory: c_int,
    pub SIMDWidth: c_int,
    pub memPitch: c_int,
    pub regsPerBlock: c_int,
    pub clockRate: c_int,
    pub textureAlign: c_int,
}

// SAFETY: the pointers are what a caller gave, kept to be returned to it; whoever follows one says why that is sound.
unsafe impl Send for CUDA_MEMCPY3D {}
// SAFETY: as above.
unsafe impl Send for CUDA_HOST_NODE_PARAMS {}
// SAFETY: as above.
unsafe impl Send for CUDA_MEM_ALLOC_NODE_PARAMS {}

use std::any::type_name;
use std::mem::size_of;

use super::*;

/// The size of a type, and what it points to: nothing, something to be read, or something to be written.
pub(in crate::api) type Type = (usize, &'static str);
/// A function with its types here and in `cudarc`.
pub(in crate::api) type Pair = (&'static str, Vec<Type>, Vec<Type>);

fn describe<T>() -> Type {
    let name = type_name::<T>();
    let is_pointer = |start: &str| name.starts_with(start);
    let handles = [
        "CUctx_st",
        "CUmod_st",
        "CUfunc_st",
        "CUstream_st",
        "CUevent_st",
        "CUmemPoolHandle_st",
    ];
    let graphs = [
        "CUgraph_st",
        "CUgraphNode_st",
        "CUgraphExec_st",
        "CUlib_st",
        "CUkern_st",
        "CUarray_st",
    ];
    let is_handle = |name: &str| {
        let kind = name.rsplit("::").next().unwrap_or(name);
        is_pointer("*mut ")
            && !name["*mut ".len()..].starts_with('*')
            && handles.iter().chain(&graphs).any(|handle| *handle == kind)
    };
    let direction = if is_handle(name) {
        "value"
    } else if is_pointer("*mut ") || name.contains("::Out<") {
        "written"
    } else if is_pointer("*const ") || name.contains("::In<") {
        "read"
    } else {
        "value"
    };
    (size_of::<T>(), direction)
}

/// A function with known types.
pub(in crate::api) trait Signature {
    fn types(self) -> Vec<Type>;
}

macro_rules! signatures {
    ($($($argument:ident)*;)+) => {
        $(
            impl<R, $($argument),*> Signature for unsafe fn($($argument),*) -> R {
                fn types(self) -> Vec<Type> {
                    vec![(size_of::<R>(), "value"), $(describe::<$argument>()),*]
                }
            }

            impl<R, $($argument),*> Signature for unsafe extern "C" fn($($argument),*) -> R {
                fn types(self) -> Vec<Type> {
                    vec![(size_of::<R>(), "value"), $(describe::<$argument>()),*]
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
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
    A B C D E F G H I J;
    A B C D E F G H I J K;
    A B C D E F G H I J K L;
    A B C D E F G H I J K L M;
    A B C D E F G H I J K L M N;
    A B C D E F G H I J K L M N O;
    A B C D E F G H I J K L M N O P;
}

#[test]
fn functions_have_the_types_of_cudarc() {
    let files = [
        device::signatures(),
        context::signatures(),
        module::signatures(),
        library::signatures(),
        memory::signatures(),
        copy::signatures(),
        pool::signatures(),
        stream::signatures(),
        event::signatures(),
        graph::signatures(),
        graph::node::signatures(),
        graph::exec::signatures(),
        graph::capture::signatures(),
        launch::signatures(),
        occupancy::signatures(),
        tensor_map::signatures(),
        procs::signatures(),
    ];
    for (name, ours, theirs) in files.concat() {
        assert_eq!(ours, theirs, "{name}");
    }
}

macro_rules! same_layout {
    ($($name:ident: $($field:ident)*;)+) => {$(
        assert_eq!(size_of::<abi::$name>(), size_of::<c::$name>(), stringify!($name));
        assert_eq!(align_of::<abi::$name>(), align_of::<c::$name>(), stringify!($name));
        $(assert_eq!(offset_of!(abi::$name, $field), offset_of!(c::$name, $field), stringify!($name.$field));)*
    )+};
}

#[test]
fn structures_have_the_layout_of_cudarc() {
    use crate::abi;
    use cudarc::driver::sys as c;
    use std::mem::{align_of, offset_of};
    same_layout! {
        CUtensorMap: opaque;
        CUlaunchConfig: gridDimX gridDimY gridDimZ blockDimX blockDimY blockDimZ sharedMemBytes hStream attrs numAttrs;
        CUlaunchAttribute: id value;
        CUlaunchAttributeValue: ;
        CUDA_MEMCPY2D: srcXInBytes srcY srcMemoryType srcHost srcDevice srcArray srcPitch dstXInBytes dstY dstMemoryType dstHost dstDevice dstArray dstPitch WidthInBytes Height;
        CUDA_MEMCPY3D: srcXInBytes srcY srcZ srcLOD srcMemoryType srcHost srcDevice srcArray srcPitch srcHeight dstXInBytes dstY dstZ dstLOD dstMemoryType dstHost dstDevice dstArray dstPitch dstHeight WidthInBytes Height Depth;
        CUDA_KERNEL_NODE_PARAMS_v2: func gridDimX blockDimX sharedMemBytes kernelParams extra kern ctx;
        CUDA_MEMSET_NODE_PARAMS: dst pitch value elementSize width height;
        CUDA_HOST_NODE_PARAMS: userData;
        CUmemLocation: ;
        CUmemAccessDesc: location flags;
        CUmemPoolProps: allocType handleTypes location win32SecurityAttributes maxSize usage;
        CUDA_MEM_ALLOC_NODE_PARAMS: poolProps accessDescs accessDescCount bytesize dptr;
        CUgraphNodeParams: reserved0 reserved2;
        CUgraphEdgeData: from_port to_port reserved;
        CUgraphExecUpdateResultInfo: result errorNode errorFromNode;
        CUDA_GRAPH_INSTANTIATE_PARAMS: flags hUploadStream hErrNode_out result_out;
        CUctxCreateParams: execAffinityParams numExecAffinityParams cigParams;
        CUdevprop: maxThreadsPerBlock maxThreadsDim maxGridSize sharedMemPerBlock totalConstantMemory SIMDWidth memPitch regsPerBlock clockRate textureAlign;
        CUuuid: bytes;
    }
}

#[test]
fn results_are_those_of_cudarc() {
    use cudarc::driver::sys::CUresult as Theirs;
    for number in 0..1100 {
        let ours = crate::result::CUresult(number);
        if let Some(name) = ours.name() {
            // SAFETY: cudarc has a variant with the number: its name is compared below.
            let theirs = unsafe { std::mem::transmute::<u32, Theirs>(number) };
            assert_eq!(format!("{theirs:?}"), name.trim_end_matches('\0'));
            assert!(ours.description().is_some_and(|text| text.ends_with('\0')));
        }
    }
}

#[test]
fn names_are_resolved_to_the_symbol_of_the_version() {
    let symbol = |name, version| find(name, version).map(|function| function.name);
    assert_eq!(symbol("cuMemAlloc", 12_000), Some("cuMemAlloc_v2"));
    assert_eq!(symbol("cuInit", 2000), Some("cuInit"));
    assert_eq!(symbol("cuNothing", 12_000), None);
}

#[test]
fn no_function_is_exported_twice() {
    let mut names: Vec<_> = functions()
        .into_iter()
        .chain(unsupported::functions())
        .map(|function| function.name)
        .collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}

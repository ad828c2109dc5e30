//! Nodes of any kind, and their order.

use std::ptr::null_mut;

use cudarc::driver::sys::*;

use crate::gpu::{Gpu, cases, ok};
use crate::graphs::graph;

cases! {
    refused: {
        a_node_of_an_unknown_kind_is_not_supported(gpu): cuGraphAddNode_v2(&mut null_mut(), graph(), std::ptr::null(), std::ptr::null(), 0, &mut any(CUgraphNodeType::CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)) => CUDA_ERROR_NOT_SUPPORTED;
        reserved_parameters_of_a_node_are_zero(gpu): { let mut params = any(CUgraphNodeType::CU_GRAPH_NODE_TYPE_EMPTY); params.reserved2 = 1; cuGraphAddNode_v2(&mut null_mut(), graph(), std::ptr::null(), std::ptr::null(), 0, &mut params) } => CUDA_ERROR_INVALID_VALUE;
        a_node_needs_parameters(gpu): cuGraphAddNode_v2(&mut null_mut(), graph(), std::ptr::null(), std::ptr::null(), 0, null_mut()) => CUDA_ERROR_INVALID_VALUE;
        an_empty_node_has_no_parameters_to_change(gpu): { let mut node = null_mut(); ok(cuGraphAddEmptyNode(&raw mut node, graph(), std::ptr::null(), 0)); cuGraphNodeSetParams(node, &mut any(CUgraphNodeType::CU_GRAPH_NODE_TYPE_EMPTY)) } => CUDA_ERROR_INVALID_VALUE;
        the_kind_of_a_node_does_not_change(gpu): { let mut node = null_mut(); ok(cuGraphAddEmptyNode(&raw mut node, graph(), std::ptr::null(), 0)); cuGraphNodeSetParams(node, &mut filling(gpu.alloc(128), 1)) } => CUDA_ERROR_INVALID_VALUE;
    }
    facts: {
        nodes_without_an_edge_run_at_the_same_time,
        nodes_of_each_kind_are_added_by_one_function,
        parameters_of_any_kind_are_changed_by_one_function,
    }
}

fn nodes_without_an_edge_run_at_the_same_time(gpu: &Gpu) {
    let flag = gpu.numbers(&[0]);
    let (mut graph, mut exec, stream) = (null_mut(), null_mut(), gpu.stream());
    unsafe {
        ok(cuGraphCreate(&raw mut graph, 0));
        // The first waits for the second.
        for name in ["spin", "signal"] {
            let mut argument = flag;
            let mut arguments = [(&raw mut argument).cast::<std::ffi::c_void>()];
            let mut params: CUDA_KERNEL_NODE_PARAMS_v2 = std::mem::zeroed();
            params.func = gpu.kernel(name);
            (params.gridDimX, params.gridDimY, params.gridDimZ) = (1, 1, 1);
            (params.blockDimX, params.blockDimY, params.blockDimZ) = (1, 1, 1);
            params.kernelParams = arguments.as_mut_ptr();
            let node = &mut null_mut();
            ok(cuGraphAddKernelNode_v2(
                node,
                graph,
                std::ptr::null(),
                0,
                &raw const params,
            ));
        }
        ok(cuGraphInstantiateWithFlags(&raw mut exec, graph, 0));
        ok(cuGraphLaunch(exec, stream));
        ok(cuStreamSynchronize(stream));
    }
    assert_eq!(gpu.read(flag, 1), [1]);
}

/// The parameters of a node of a kind, all zero.
fn any(kind: CUgraphNodeType) -> CUgraphNodeParams {
    let mut params = CUgraphNodeParams {
        type_: CUgraphNodeType::CU_GRAPH_NODE_TYPE_EMPTY,
        reserved0: [0; 3],
        __bindgen_anon_1: CUgraphNodeParams_st__bindgen_ty_1 { reserved1: [0; 29] },
        reserved2: 0,
    };
    params.type_ = kind;
    params
}

/// The parameters of a node that fills 32 numbers.
fn filling(memory: CUdeviceptr, value: u32) -> CUgraphNodeParams {
    let mut params = any(CUgraphNodeType::CU_GRAPH_NODE_TYPE_MEMSET);
    params.__bindgen_anon_1.memset = CUDA_MEMSET_NODE_PARAMS_v2 {
        dst: memory,
        pitch: 0,
        value,
        elementSize: 4,
        width: 32,
        height: 1,
        ctx: null_mut(),
    };
    params
}

fn nodes_of_each_kind_are_added_by_one_function(gpu: &Gpu) {
    let (graph, memory, to) = (graph(), gpu.alloc(128), gpu.alloc(128));
    let mut exec = null_mut();
    let mut args = [to, memory];
    let mut pointers = [(&raw mut args[0]).cast(), (&raw mut args[1]).cast()];
    let mut launching = any(CUgraphNodeType::CU_GRAPH_NODE_TYPE_KERNEL);
    let mut copying = any(CUgraphNodeType::CU_GRAPH_NODE_TYPE_MEMCPY);
    let mut numbers = [0u32; 32];
    unsafe {
        let kernel = &mut launching.__bindgen_anon_1.kernel;
        kernel.func = gpu.kernel("next");
        (kernel.gridDimX, kernel.gridDimY, kernel.gridDimZ) = (1, 1, 1);
        (kernel.blockDimX, kernel.blockDimY, kernel.blockDimZ) = (32, 1, 1);
        kernel.kernelParams = pointers.as_mut_ptr();
        copying.__bindgen_anon_1.memcpy.copyParams = CUDA_MEMCPY3D {
            srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
            srcDevice: to,
            dstHost: numbers.as_mut_ptr().cast(),
            WidthInBytes: 128,
            Height: 1,
            Depth: 1,
            ..crate::gpu::slices()
        };
        let mut last = null_mut();
        ok(cuGraphAddNode_v2(
            &raw mut last,
            graph,
            std::ptr::null(),
            std::ptr::null(),
            0,
            &mut filling(memory, 4),
        ));
        for params in [&mut launching, &mut copying] {
            let before = last;
            ok(cuGraphAddNode_v2(
                &raw mut last,
                graph,
                &raw const before,
                std::ptr::null(),
                1,
                params,
            ));
        }
        ok(cuGraphInstantiateWithFlags(&raw mut exec, graph, 0));
        ok(cuGraphLaunch(exec, null_mut()));
        ok(cuStreamSynchronize(null_mut()));
    }
    assert_eq!(numbers, [5; 32]);
}

fn parameters_of_any_kind_are_changed_by_one_function(gpu: &Gpu) {
    let (graph, memory) = (graph(), gpu.alloc(128));
    let (mut node, mut exec) = (null_mut(), null_mut());
    unsafe {
        ok(cuGraphAddNode_v2(
            &raw mut node,
            graph,
            std::ptr::null(),
            std::ptr::null(),
            0,
            &mut filling(memory, 4),
        ));
        ok(cuGraphNodeSetParams(node, &mut filling(memory, 5)));
        ok(cuGraphInstantiateWithFlags(&raw mut exec, graph, 0));
        ok(cuGraphLaunch(exec, null_mut()));
        assert_eq!(gpu.read(memory, 32), [5; 32]);
        ok(cuGraphExecNodeSetParams(
            exec,
            node,
            &mut filling(memory, 6),
        ));
        ok(cuGraphLaunch(exec, null_mut()));
    }
    assert_eq!(gpu.read(memory, 32), [6; 32]);
}

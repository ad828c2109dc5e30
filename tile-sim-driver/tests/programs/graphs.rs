//! Graphs whose nodes, memory or changes are wrong.

use std::ptr::{null, null_mut};

use cudarc::driver::sys::*;

use crate::programs;
use crate::support::{Arg, Done, Gpu, Version, call, launch, pointers};

programs! {
    nodes_without_an_edge: CUDA_ERROR_LAUNCH_FAILED,
        "a node reads what another one writes, without an edge between them",
        ["the launch of `next` in graph", "reads", "a fill in graph", "writes", "nothing orders them"];
    updated_with_another_topology: CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
        "an executable graph is updated from one with another node",
        ["`cuGraphExecUpdate`", "the graph differs from the executable one in the number of nodes, or their edges"];
    updated_with_another_kind: CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
        "an executable graph is updated from one with a copy in place of a fill",
        ["`cuGraphExecUpdate`", "the graph differs from the executable one in the kind of a node"];
    memory_of_a_graph_is_freed: CUDA_ERROR_ILLEGAL_ADDRESS,
        "a graph is launched after memory of its nodes was freed",
        ["a fill in graph", "it uses memory after it was freed", "`cuMemFree` by the host"];
    copy_node_beyond_an_allocation: CUDA_ERROR_INVALID_VALUE,
        "the parameters of a copy node have the wrong size",
        ["`cuGraphAddMemcpyNode`", "256 bytes from byte 0 on are beyond an allocation of 128 bytes"];
    kernel_node_with_too_many_threads: CUDA_ERROR_INVALID_VALUE,
        "the parameters of a kernel node are changed to more threads than the kernel has",
        ["`cuGraphExecKernelNodeSetParams`", "a block of 128 threads is more than the 64 of `bounded`"];
    edge_makes_a_cycle: CUDA_ERROR_INVALID_VALUE,
        "edges between nodes make a cycle",
        ["`cuGraphAddDependencies`", "the edges make a cycle"];
    memory_node_is_not_freed: CUDA_ERROR_INVALID_VALUE,
        "a graph allocates, and is launched again before the memory was freed",
        ["`cuGraphLaunch`", "the memory of an earlier launch was not freed"];
    exec_destroyed_then_launched: CUDA_ERROR_INVALID_VALUE,
        "an executable graph is launched after it was destroyed",
        ["`cuGraphLaunch`", "the executable graph 0x", "was destroyed"];
    node_of_another_graph: CUDA_ERROR_INVALID_VALUE,
        "a node depends on a node of another graph",
        ["`cuGraphAddEmptyNode`", "is no node of the graph"];
}

fn fill_params(data: CUdeviceptr, value: u32) -> CUDA_MEMSET_NODE_PARAMS {
    CUDA_MEMSET_NODE_PARAMS {
        dst: data,
        pitch: 0,
        value,
        elementSize: 4,
        width: 32,
        height: 1,
    }
}

/// Adds a fill of 32 numbers to a graph.
fn fill(gpu: &Gpu, graph: CUgraph, data: CUdeviceptr, value: u32) -> Done<CUgraphNode> {
    let (mut node, params) = (null_mut(), fill_params(data, value));
    let context = gpu.context;
    call(unsafe {
        cuGraphAddMemsetNode(&raw mut node, graph, null(), 0, &raw const params, context)
    })?;
    Ok(node)
}

/// Adds a node without work to a graph, behind others.
fn empty(graph: CUgraph, after: &[CUgraphNode]) -> Done<CUgraphNode> {
    let mut node = null_mut();
    call(unsafe { cuGraphAddEmptyNode(&raw mut node, graph, after.as_ptr(), after.len()) })?;
    Ok(node)
}

/// Launches an executable graph, and waits for it.
fn run(exec: CUgraphExec, stream: CUstream) -> Done {
    unsafe {
        call(cuGraphLaunch(exec, stream))?;
        call(cuStreamSynchronize(stream))
    }
}

fn nodes_without_an_edge(gpu: &Gpu, version: Version) -> Done {
    let (graph, data, result) = (gpu.graph()?, gpu.alloc(32)?, gpu.alloc(32)?);
    let first = fill(gpu, graph, data, 4)?;
    let args = [Arg::Address(result), Arg::Address(data)];
    let mut pointers = pointers(&args);
    let params = CUDA_KERNEL_NODE_PARAMS_v2 {
        func: gpu.kernel("next")?,
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 32,
        blockDimY: 1,
        blockDimZ: 1,
        kernelParams: pointers.as_mut_ptr(),
        ..unsafe { std::mem::zeroed() }
    };
    let edges = version.either(0, 1);
    let mut node = null_mut();
    call(unsafe {
        cuGraphAddKernelNode_v2(
            &raw mut node,
            graph,
            &raw const first,
            edges,
            &raw const params,
        )
    })?;
    run(gpu.instantiate(graph)?, gpu.stream()?)?;
    if version.is_mended() {
        assert_eq!(gpu.read(result, 32)?, [5; 32]);
    }
    Ok(())
}

fn update(exec: CUgraphExec, graph: CUgraph) -> Done {
    let mut info = unsafe { std::mem::zeroed() };
    call(unsafe { cuGraphExecUpdate_v2(exec, graph, &raw mut info) })
}

fn updated_with_another_topology(gpu: &Gpu, version: Version) -> Done {
    let (one, two, data) = (gpu.graph()?, gpu.graph()?, gpu.alloc(32)?);
    fill(gpu, one, data, 4)?;
    let exec = gpu.instantiate(one)?;
    let node = fill(gpu, two, data, 5)?;
    if !version.is_mended() {
        empty(two, &[node])?;
    }
    update(exec, two)?;
    run(exec, gpu.stream()?)?;
    assert_eq!(gpu.read(data, 32)?, [5; 32]);
    Ok(())
}

fn updated_with_another_kind(gpu: &Gpu, version: Version) -> Done {
    let (one, two, data) = (gpu.graph()?, gpu.graph()?, gpu.alloc(32)?);
    fill(gpu, one, data, 4)?;
    let exec = gpu.instantiate(one)?;
    match version {
        Version::Broken => empty(two, &[])?,
        Version::Mended => fill(gpu, two, data, 5)?,
    };
    update(exec, two)
}

fn memory_of_a_graph_is_freed(gpu: &Gpu, version: Version) -> Done {
    let (graph, data) = (gpu.graph()?, gpu.own(32)?);
    fill(gpu, graph, data, 4)?;
    let exec = gpu.instantiate(graph)?;
    if !version.is_mended() {
        call(unsafe { cuMemFree_v2(data) })?;
    }
    run(exec, gpu.stream()?)?;
    call(unsafe { cuMemFree_v2(data) })
}

fn copy_node_beyond_an_allocation(gpu: &Gpu, version: Version) -> Done {
    let (graph, from, to) = (gpu.graph()?, gpu.numbers(&[3; 32])?, gpu.alloc(64)?);
    let params = CUDA_MEMCPY3D {
        srcMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        srcDevice: from,
        dstMemoryType: CUmemorytype_enum::CU_MEMORYTYPE_DEVICE,
        dstDevice: to,
        WidthInBytes: version.either(256, 128),
        Height: 1,
        Depth: 1,
        ..crate::shared::slices()
    };
    let mut node = null_mut();
    let context = gpu.context;
    call(unsafe {
        cuGraphAddMemcpyNode(&raw mut node, graph, null(), 0, &raw const params, context)
    })?;
    run(gpu.instantiate(graph)?, gpu.stream()?)
}

fn kernel_node_with_too_many_threads(gpu: &Gpu, version: Version) -> Done {
    let graph = gpu.graph()?;
    let mut params = CUDA_KERNEL_NODE_PARAMS_v2 {
        func: gpu.kernel("bounded")?,
        gridDimX: 1,
        gridDimY: 1,
        gridDimZ: 1,
        blockDimX: 32,
        blockDimY: 1,
        blockDimZ: 1,
        ..unsafe { std::mem::zeroed() }
    };
    let mut node = null_mut();
    unsafe {
        call(cuGraphAddKernelNode_v2(
            &raw mut node,
            graph,
            null(),
            0,
            &raw const params,
        ))?;
        let exec = gpu.instantiate(graph)?;
        params.blockDimX = version.either(128, 64);
        call(cuGraphExecKernelNodeSetParams_v2(
            exec,
            node,
            &raw const params,
        ))?;
        run(exec, gpu.stream()?)
    }
}

fn edge_makes_a_cycle(gpu: &Gpu, version: Version) -> Done {
    let graph = gpu.graph()?;
    let first = empty(graph, &[])?;
    let second = empty(graph, &[first])?;
    let third = empty(graph, &[second])?;
    let (from, to) = version.either((third, first), (first, third));
    call(unsafe { cuGraphAddDependencies_v2(graph, &raw const from, &raw const to, null(), 1) })
}

fn memory_node_is_not_freed(gpu: &Gpu, version: Version) -> Done {
    let stream = gpu.stream()?;
    let mut data = 0;
    let fill = gpu.kernel("fill")?;
    gpu.begin_capture(stream)?;
    call(unsafe { cuMemAllocAsync(&raw mut data, 128, stream) })?;
    launch(fill, 32, stream, &[Arg::Address(data), Arg::Number(4)])?;
    let graph = gpu.end_capture(stream)?;
    let exec = gpu.instantiate(graph)?;
    unsafe {
        call(cuGraphLaunch(exec, stream))?;
        if version.is_mended() {
            call(cuMemFreeAsync(data, stream))?;
        }
        call(cuGraphLaunch(exec, stream))?;
        call(cuMemFreeAsync(data, stream))?;
        call(cuStreamSynchronize(stream))
    }
}

fn exec_destroyed_then_launched(gpu: &Gpu, version: Version) -> Done {
    let (graph, stream, mut exec) = (gpu.graph()?, gpu.stream()?, null_mut());
    empty(graph, &[])?;
    unsafe {
        call(cuGraphInstantiateWithFlags(&raw mut exec, graph, 0))?;
        if !version.is_mended() {
            call(cuGraphExecDestroy(exec))?;
        }
        run(exec, stream)?;
        call(cuGraphExecDestroy(exec))
    }
}

fn node_of_another_graph(gpu: &Gpu, version: Version) -> Done {
    let (one, two) = (gpu.graph()?, gpu.graph()?);
    let node = empty(version.either(one, two), &[])?;
    empty(two, &[node]).map(drop)
}

use std::ffi::c_void;
use std::mem::zeroed;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicU32, Ordering};

use cudarc::driver::sys::*;

use crate::gpu::{Gpu, R, cases, live, nothing, nowhere, ok, stale};

pub(crate) fn graph() -> CUgraph {
    let mut graph = null_mut();
    unsafe { ok(cuGraphCreate(&raw mut graph, 0)) };
    graph
}

fn empty(graph: CUgraph, after: &[CUgraphNode]) -> CUgraphNode {
    let mut node = null_mut();
    unsafe {
        ok(cuGraphAddEmptyNode(
            &raw mut node,
            graph,
            after.as_ptr(),
            after.len(),
        ));
    }
    node
}

fn exec(graph: CUgraph) -> CUgraphExec {
    let mut exec = null_mut();
    unsafe { ok(cuGraphInstantiateWithFlags(&raw mut exec, graph, 0)) };
    exec
}

fn fill(address: CUdeviceptr, value: u32, width: usize) -> CUDA_MEMSET_NODE_PARAMS {
    CUDA_MEMSET_NODE_PARAMS {
        dst: address,
        pitch: 0,
        value,
        elementSize: 4,
        width,
        height: 1,
    }
}

fn add_fill(
    gpu: &Gpu,
    graph: CUgraph,
    after: &[CUgraphNode],
    params: CUDA_MEMSET_NODE_PARAMS,
) -> CUgraphNode {
    let mut node = null_mut();
    unsafe {
        ok(cuGraphAddMemsetNode(
            &raw mut node,
            graph,
            after.as_ptr(),
            after.len(),
            &raw const params,
            gpu.context,
        ));
    }
    node
}

/// A launch of `next` in a graph, with its arguments.
struct Next {
    args: [u64; 2],
    pointers: [*mut c_void; 2],
}

impl Next {
    #[expect(clippy::unnecessary_box_returns, reason = "`pointers` point into it")]
    fn new(to: u64, from: u64) -> Box<Self> {
        let mut next = Box::new(Self {
            args: [to, from],
            pointers: [null_mut(); 2],
        });
        let start = next.args.as_mut_ptr();
        next.pointers = [start.cast(), unsafe { start.add(1) }.cast()];
        next
    }

    fn params(&mut self, function: CUfunction, threads: u32) -> CUDA_KERNEL_NODE_PARAMS {
        let mut params: CUDA_KERNEL_NODE_PARAMS = unsafe { zeroed() };
        params.func = function;
        params.gridDimX = 1;
        params.gridDimY = 1;
        params.gridDimZ = 1;
        params.blockDimX = threads;
        params.blockDimY = 1;
        params.blockDimZ = 1;
        params.kernelParams = self.pointers.as_mut_ptr();
        params
    }
}

fn add_next(gpu: &Gpu, graph: CUgraph, after: &[CUgraphNode], to: u64, from: u64) -> CUgraphNode {
    let mut node = null_mut();
    let mut next = Next::new(to, from);
    let params = next.params(gpu.kernel("next"), 4);
    unsafe {
        ok(cuGraphAddKernelNode_v2(
            &raw mut node,
            graph,
            after.as_ptr(),
            after.len(),
            &raw const params,
        ));
    }
    node
}

cases! {
    refused: {
        a_graph_needs_a_place(_gpu): cuGraphCreate(nothing(), 0) => CUDA_ERROR_INVALID_VALUE;
        flags_of_a_graph_are_zero(_gpu): cuGraphCreate(&mut { null_mut() }, 1) => CUDA_ERROR_INVALID_VALUE;
        a_stale_graph_is_not_destroyed(_gpu): cuGraphDestroy(stale()) => CUDA_ERROR_INVALID_VALUE;
        a_stale_graph_takes_no_node(_gpu): cuGraphAddEmptyNode(&mut { null_mut() }, stale(), nowhere(), 0) => CUDA_ERROR_INVALID_VALUE;
        a_node_is_behind_nodes_of_its_graph(_gpu): { let node = empty(graph(), &[]); cuGraphAddEmptyNode(&mut { null_mut() }, graph(), &raw const node, 1) } => CUDA_ERROR_INVALID_VALUE;
        a_node_is_behind_another_once(_gpu): { let graph = graph(); let nodes = [empty(graph, &[]); 2]; cuGraphAddEmptyNode(&mut { null_mut() }, graph, nodes.as_ptr(), 2) } => CUDA_ERROR_INVALID_VALUE;
        edges_make_no_cycle(_gpu): { let graph = graph(); let one = empty(graph, &[]); let two = empty(graph, &[one]); cuGraphAddDependencies_v2(graph, &raw const two, &raw const one, nowhere(), 1) } => CUDA_ERROR_INVALID_VALUE;
        an_edge_is_not_added_twice(_gpu): { let graph = graph(); let one = empty(graph, &[]); let two = empty(graph, &[one]); cuGraphAddDependencies_v2(graph, &raw const one, &raw const two, nowhere(), 1) } => CUDA_ERROR_INVALID_VALUE;
        an_edge_that_is_not_there_is_not_removed(_gpu): { let graph = graph(); let one = empty(graph, &[]); let two = empty(graph, &[]); cuGraphRemoveDependencies_v2(graph, &raw const one, &raw const two, nowhere(), 1) } => CUDA_ERROR_INVALID_VALUE;
        a_stale_node_has_no_type(_gpu): cuGraphNodeGetType(stale(), &mut { CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_EMPTY }) => CUDA_ERROR_INVALID_VALUE;
        a_stale_node_is_not_destroyed(_gpu): cuGraphDestroyNode(stale()) => CUDA_ERROR_INVALID_VALUE;
        a_fill_beyond_memory_is_no_node(gpu): cuGraphAddMemsetNode(&mut { null_mut() }, graph(), nowhere(), 0, &fill(gpu.alloc(4), 0, 2), gpu.context) => CUDA_ERROR_INVALID_VALUE;
        a_host_node_needs_a_function(_gpu): cuGraphAddHostNode(&mut { null_mut() }, graph(), nowhere(), 0, &CUDA_HOST_NODE_PARAMS { fn_: None, userData: null_mut() }) => CUDA_ERROR_INVALID_VALUE;
        a_kernel_node_needs_a_function(_gpu): cuGraphAddKernelNode_v2(&mut { null_mut() }, graph(), nowhere(), 0, &Next::new(0, 0).params(stale(), 1)) => CUDA_ERROR_INVALID_HANDLE;
        an_event_node_needs_an_event(_gpu): cuGraphAddEventRecordNode(&mut { null_mut() }, graph(), nowhere(), 0, stale()) => CUDA_ERROR_INVALID_HANDLE;
        a_child_is_a_graph(_gpu): cuGraphAddChildGraphNode(&mut { null_mut() }, graph(), nowhere(), 0, stale()) => CUDA_ERROR_INVALID_VALUE;
        a_stale_graph_is_not_instantiated(_gpu): cuGraphInstantiateWithFlags(&mut { null_mut() }, stale(), 0) => CUDA_ERROR_INVALID_VALUE;
        unknown_flags_of_an_instance_are_refused(_gpu): cuGraphInstantiateWithFlags(&mut { null_mut() }, graph(), 64) => CUDA_ERROR_INVALID_VALUE;
        launches_by_devices_are_not_supported(_gpu): cuGraphInstantiateWithFlags(&mut { null_mut() }, graph(), 4) => CUDA_ERROR_NOT_SUPPORTED;
        launches_by_devices_free_nothing(_gpu): cuGraphInstantiateWithFlags(&mut { null_mut() }, graph(), 5) => CUDA_ERROR_INVALID_VALUE;
        a_stale_instance_is_not_launched(gpu): cuGraphLaunch(stale(), gpu.stream()) => CUDA_ERROR_INVALID_VALUE;
        an_instance_is_not_launched_on_a_stale_stream(_gpu): cuGraphLaunch(exec(graph()), stale()) => CUDA_ERROR_INVALID_HANDLE;
        an_instance_is_not_destroyed_twice(_gpu): { let exec = exec(graph()); ok(cuGraphExecDestroy(exec)); cuGraphExecDestroy(exec) } => CUDA_ERROR_INVALID_VALUE;
        parameters_are_of_the_type_of_the_node(_gpu): cuGraphMemsetNodeGetParams(empty(graph(), &[]), &mut fill(0, 0, 0)) => CUDA_ERROR_INVALID_VALUE;
        an_instance_with_other_edges_is_not_updated(_gpu): {
            let (one, two) = (graph(), graph());
            empty(one, &[empty(one, &[])]);
            let _ = (empty(two, &[]), empty(two, &[]));
            cuGraphExecUpdate_v2(exec(one), two, nothing())
        } => CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
        a_graph_does_not_free_memory_of_others(gpu): cuGraphAddMemFreeNode(&mut { null_mut() }, graph(), nowhere(), 0, gpu.alloc(4)) => CUDA_ERROR_INVALID_VALUE;
        an_empty_node_is_not_disabled(_gpu): { let graph = graph(); let node = empty(graph, &[]); cuGraphNodeSetEnabled(exec(graph), node, 0) } => CUDA_ERROR_INVALID_VALUE;
    }
    facts: {
        nodes_run_in_the_order_of_their_edges,
        an_instance_is_launched_many_times,
        an_instance_keeps_its_nodes_when_the_graph_changes,
        nodes_of_an_instance_are_changed,
        an_instance_is_updated_from_a_graph,
        children_run_in_their_place,
        host_nodes_are_called,
        copies_are_nodes,
        event_nodes_order_other_streams,
        memory_of_a_graph_is_used_and_freed_with_it,
        nodes_and_edges_are_listed,
        clones_have_nodes_of_their_own,
        a_destroyed_node_takes_its_edges_along,
        parameters_of_a_kernel_come_back,
        a_node_is_disabled,
        graphs_that_are_left_are_counted,
    }
}

fn launch(gpu: &Gpu, exec: CUgraphExec) {
    unsafe { ok(cuGraphLaunch(exec, gpu.stream())) };
    ok(gpu.synchronize());
}

fn nodes_run_in_the_order_of_their_edges(gpu: &Gpu) {
    let (graph, memory) = (graph(), gpu.alloc(16));
    let first = add_fill(gpu, graph, &[], fill(memory, 5, 4));
    let second = add_next(gpu, graph, &[first], memory, memory);
    add_next(gpu, graph, &[second], memory, memory);
    launch(gpu, exec(graph));
    assert_eq!(gpu.read(memory, 4), [7; 4]);
}

fn an_instance_is_launched_many_times(gpu: &Gpu) {
    let (graph, memory) = (graph(), gpu.numbers(&[0; 4]));
    add_next(gpu, graph, &[], memory, memory);
    let exec = exec(graph);
    let streams = [gpu.stream(), gpu.stream()];
    for turn in 0..10 {
        unsafe { ok(cuGraphLaunch(exec, streams[turn % 2])) };
    }
    ok(gpu.synchronize());
    assert_eq!(gpu.read(memory, 4), [10; 4]);
}

fn an_instance_keeps_its_nodes_when_the_graph_changes(gpu: &Gpu) {
    let (graph, memory) = (graph(), gpu.alloc(16));
    let node = add_fill(gpu, graph, &[], fill(memory, 5, 4));
    let exec = exec(graph);
    unsafe {
        ok(cuGraphMemsetNodeSetParams(node, &fill(memory, 6, 4)));
        ok(cuGraphDestroy(graph));
    }
    launch(gpu, exec);
    assert_eq!(gpu.read(memory, 4), [5; 4]);
}

fn nodes_of_an_instance_are_changed(gpu: &Gpu) {
    let (graph, memory) = (graph(), gpu.numbers(&[0; 8]));
    let first = add_fill(gpu, graph, &[], fill(memory, 5, 4));
    let second = add_next(gpu, graph, &[first], memory, memory);
    let exec = exec(graph);
    let mut next = Next::new(memory + 16, memory);
    let params = next.params(gpu.kernel("next"), 4);
    unsafe {
        ok(cuGraphExecMemsetNodeSetParams(
            exec,
            first,
            &fill(memory, 9, 4),
            gpu.context,
        ));
        ok(cuGraphExecKernelNodeSetParams_v2(
            exec,
            second,
            &raw const params,
        ));
    }
    launch(gpu, exec);
    assert_eq!(gpu.read(memory, 8), [9, 9, 9, 9, 10, 10, 10, 10]);
}

fn an_instance_is_updated_from_a_graph(gpu: &Gpu) {
    let (one, two, memory) = (graph(), graph(), gpu.alloc(16));
    let make = |graph, value| {
        let first = add_fill(gpu, graph, &[], fill(memory, value, 4));
        add_next(gpu, graph, &[first], memory, memory);
    };
    make(one, 1);
    make(two, 20);
    let exec = exec(one);
    let mut info: CUgraphExecUpdateResultInfo = unsafe { zeroed() };
    unsafe { ok(cuGraphExecUpdate_v2(exec, two, &raw mut info)) };
    launch(gpu, exec);
    assert_eq!(gpu.read(memory, 4), [21; 4]);
    // A node of another type is refused, and the instance stays as it was.
    let three = graph();
    let node = add_fill(gpu, three, &[], fill(memory, 1, 4));
    add_fill(gpu, three, &[node], fill(memory, 1, 4));
    unsafe {
        let refused = cuGraphExecUpdate_v2(exec, three, &raw mut info);
        assert_eq!(refused, R::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE);
    }
    assert_eq!(info.result as u32, 3);
    launch(gpu, exec);
    assert_eq!(gpu.read(memory, 4), [21; 4]);
}

fn children_run_in_their_place(gpu: &Gpu) {
    let (outer, inner, memory) = (graph(), graph(), gpu.alloc(16));
    let one = add_next(gpu, inner, &[], memory, memory);
    add_next(gpu, inner, &[one], memory, memory);
    let first = add_fill(gpu, outer, &[], fill(memory, 3, 4));
    let mut child = null_mut();
    unsafe {
        ok(cuGraphAddChildGraphNode(
            &raw mut child,
            outer,
            &raw const first,
            1,
            inner,
        ));
    }
    add_next(gpu, outer, &[child], memory, memory);
    launch(gpu, exec(outer));
    assert_eq!(gpu.read(memory, 4), [6; 4]);
    let mut copy = null_mut();
    unsafe {
        ok(cuGraphChildGraphNodeGetGraph(child, &raw mut copy));
        assert_ne!(copy, inner);
        ok(cuGraphDestroy(inner));
        ok(cuGraphDestroy(outer));
    }
}

unsafe extern "C" fn add_one(data: *mut c_void) {
    unsafe { &*data.cast::<AtomicU32>() }.fetch_add(1, Ordering::SeqCst);
}

fn host_nodes_are_called(gpu: &Gpu) {
    let (graph, number) = (graph(), AtomicU32::new(0));
    let params = CUDA_HOST_NODE_PARAMS {
        fn_: Some(add_one),
        userData: (&raw const number).cast_mut().cast(),
    };
    unsafe {
        ok(cuGraphAddHostNode(
            &mut null_mut(),
            graph,
            nowhere(),
            0,
            &raw const params,
        ));
    }
    let exec = exec(graph);
    launch(gpu, exec);
    launch(gpu, exec);
    assert_eq!(number.load(Ordering::SeqCst), 2);
}

fn copies_are_nodes(gpu: &Gpu) {
    let (graph, memory) = (graph(), gpu.numbers(&[1, 2, 3, 4]));
    let mut host = [0u32; 4];
    let mut params: CUDA_MEMCPY3D = crate::gpu::slices();
    params.srcMemoryType = CUmemorytype_enum::CU_MEMORYTYPE_DEVICE;
    params.srcDevice = memory;
    params.dstMemoryType = CUmemorytype_enum::CU_MEMORYTYPE_HOST;
    params.dstHost = host.as_mut_ptr().cast();
    params.WidthInBytes = 16;
    params.Height = 1;
    params.Depth = 1;
    let mut node = null_mut();
    let mut found: CUDA_MEMCPY3D = crate::gpu::slices();
    unsafe {
        ok(cuGraphAddMemcpyNode(
            &raw mut node,
            graph,
            nowhere(),
            0,
            &raw const params,
            gpu.context,
        ));
        ok(cuGraphMemcpyNodeGetParams(node, &raw mut found));
    }
    launch(gpu, exec(graph));
    assert_eq!((host, found.srcDevice), ([1, 2, 3, 4], memory));
}

fn event_nodes_order_other_streams(gpu: &Gpu) {
    let (graph, memory, event) = (graph(), gpu.alloc(16), gpu.event());
    let first = add_fill(gpu, graph, &[], fill(memory, 5, 4));
    let other = gpu.stream();
    unsafe {
        ok(cuGraphAddEventRecordNode(
            &mut null_mut(),
            graph,
            &raw const first,
            1,
            event,
        ));
        ok(cuGraphLaunch(exec(graph), gpu.stream()));
        ok(cuStreamWaitEvent(other, event, 0));
    }
    gpu.next(memory, memory, 4, other);
    ok(gpu.synchronize());
    assert_eq!(gpu.read(memory, 4), [6; 4]);
}

fn memory_of_a_graph_is_used_and_freed_with_it(gpu: &Gpu) {
    let (graph, result) = (graph(), gpu.alloc(16));
    let mut params: CUDA_MEM_ALLOC_NODE_PARAMS = unsafe { zeroed() };
    params.poolProps.allocType = CUmemAllocationType_enum::CU_MEM_ALLOCATION_TYPE_PINNED;
    params.poolProps.location.type_ = CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE;
    params.bytesize = 16;
    let mut node = null_mut();
    unsafe {
        ok(cuGraphAddMemAllocNode(
            &raw mut node,
            graph,
            nowhere(),
            0,
            &raw mut params,
        ));
    }
    let memory = params.dptr;
    let filled = add_fill(gpu, graph, &[node], fill(memory, 8, 4));
    let used = add_next(gpu, graph, &[filled], result, memory);
    unsafe {
        ok(cuGraphAddMemFreeNode(
            &mut null_mut(),
            graph,
            &raw const used,
            1,
            memory,
        ));
    }
    let exec = exec(graph);
    launch(gpu, exec);
    launch(gpu, exec);
    assert_eq!(gpu.read(result, 4), [9; 4]);
    unsafe {
        ok(cuMemsetD8_v2(memory, 0, 1));
        ok(cuCtxSynchronize());
        ok(cuGraphDestroy(graph));
        ok(cuGraphExecDestroy(exec));
        assert_eq!(cuMemsetD8_v2(memory, 0, 1), R::CUDA_ERROR_INVALID_VALUE);
    }
}

fn nodes_and_edges_are_listed(_gpu: &Gpu) {
    let graph = graph();
    let one = empty(graph, &[]);
    let two = empty(graph, &[one]);
    let three = empty(graph, &[one, two]);
    let list = |call: &dyn Fn(*mut CUgraphNode, *mut usize) -> R| {
        let mut count = 0;
        ok(call(null_mut(), &raw mut count));
        let mut nodes = vec![null_mut(); count];
        ok(call(nodes.as_mut_ptr(), &raw mut count));
        nodes
    };
    unsafe {
        assert_eq!(
            list(&|nodes, count| cuGraphGetNodes(graph, nodes, count)),
            [one, two, three]
        );
        assert_eq!(
            list(&|nodes, count| cuGraphGetRootNodes(graph, nodes, count)),
            [one]
        );
        let before =
            list(&|nodes, count| cuGraphNodeGetDependencies_v2(three, nodes, null_mut(), count));
        assert_eq!(before, [one, two]);
        let behind =
            list(&|nodes, count| cuGraphNodeGetDependentNodes_v2(one, nodes, null_mut(), count));
        assert_eq!(behind, [two, three]);
        let (mut from, mut to, mut count) = ([null_mut(); 3], [null_mut(); 3], 3);
        ok(cuGraphGetEdges_v2(
            graph,
            from.as_mut_ptr(),
            to.as_mut_ptr(),
            null_mut(),
            &raw mut count,
        ));
        assert_eq!((from, to, count), ([one, one, two], [two, three, three], 3));
        let mut kind = CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_KERNEL;
        ok(cuGraphNodeGetType(one, &raw mut kind));
        assert_eq!(kind, CUgraphNodeType_enum::CU_GRAPH_NODE_TYPE_EMPTY);
    }
}

fn clones_have_nodes_of_their_own(gpu: &Gpu) {
    let (graph, memory, mut clone, mut node) = (graph(), gpu.alloc(16), null_mut(), null_mut());
    let first = add_fill(gpu, graph, &[], fill(memory, 5, 4));
    unsafe {
        ok(cuGraphClone(&raw mut clone, graph));
        ok(cuGraphNodeFindInClone(&raw mut node, first, clone));
        assert_ne!(node, first);
        ok(cuGraphMemsetNodeSetParams(node, &fill(memory, 6, 4)));
    }
    launch(gpu, exec(graph));
    assert_eq!(gpu.read(memory, 4), [5; 4]);
    launch(gpu, exec(clone));
    assert_eq!(gpu.read(memory, 4), [6; 4]);
}

fn a_destroyed_node_takes_its_edges_along(_gpu: &Gpu) {
    let graph = graph();
    let one = empty(graph, &[]);
    let two = empty(graph, &[one]);
    let mut count = 0;
    unsafe {
        ok(cuGraphDestroyNode(one));
        ok(cuGraphNodeGetDependencies_v2(
            two,
            null_mut(),
            null_mut(),
            &raw mut count,
        ));
    }
    assert_eq!(count, 0);
}

fn parameters_of_a_kernel_come_back(gpu: &Gpu) {
    let node = add_next(gpu, graph(), &[], 0x1000, 0x2000);
    let mut params: CUDA_KERNEL_NODE_PARAMS = unsafe { zeroed() };
    unsafe {
        ok(cuGraphKernelNodeGetParams_v2(node, &raw mut params));
        let args = [0, 1].map(|index| {
            params
                .kernelParams
                .add(index)
                .read()
                .cast::<u64>()
                .read_unaligned()
        });
        assert_eq!((args, params.blockDimX), ([0x1000, 0x2000], 4));
    }
}

fn a_node_is_disabled(gpu: &Gpu) {
    let (graph, memory) = (graph(), gpu.numbers(&[1; 4]));
    let node = add_fill(gpu, graph, &[], fill(memory, 5, 4));
    let exec = exec(graph);
    let mut enabled = 9;
    unsafe {
        ok(cuGraphNodeSetEnabled(exec, node, 0));
        ok(cuGraphNodeGetEnabled(exec, node, &raw mut enabled));
    }
    launch(gpu, exec);
    assert_eq!((gpu.read(memory, 4), enabled), (vec![1; 4], 0));
}

fn graphs_that_are_left_are_counted(_gpu: &Gpu) {
    let (graph, _exec) = (graph(), exec(graph()));
    assert!(live(c"graph") > 0 && live(c"exec") > 0);
    unsafe { ok(cuGraphDestroy(graph)) };
}

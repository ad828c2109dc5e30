//! Graphs.

use std::collections::BTreeSet;
use std::ffi::{c_int, c_uint};
use std::sync::Arc;

use crate::abi::{
    CUDA_GRAPH_INSTANTIATE_PARAMS, CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v2,
    CUDA_MEM_ALLOC_NODE_PARAMS, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUcontext, CUdeviceptr,
    CUevent, CUgraph, CUgraphEdgeData, CUgraphExec, CUgraphExecUpdateResultInfo, CUgraphNode,
    CUkernel, CUstream, In, Out,
};
use crate::api::launch::{Attributes, Given, Size};
use crate::graph::{Difference, Graph, GraphMemory, Kernel, Kind};
use crate::memory::Request;
use crate::result::CUresult;
use crate::state::{self, Reply, State};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

/// The flags of an instantiation: free on launch, upload, node priorities. Launches by devices are not supported.
const FLAGS: u64 = 1 | 2 | 8;

/// The edge of every graph here: all of the first node before all of the second.
const FULL: CUgraphEdgeData = CUgraphEdgeData {
    from_port: 0,
    to_port: 0,
    r#type: 0,
    reserved: [0; 5],
};

/// The nodes that a new one runs after.
#[derive(Clone, Copy, Debug)]
pub(super) struct After {
    pub(super) nodes: In<CUgraphNode>,
    pub(super) count: usize,
}

/// Adds a node that `kind` makes.
fn add(
    node: Out<CUgraphNode>,
    graph: CUgraph,
    after: After,
    kind: impl FnOnce(&mut State) -> Reply<Kind>,
) -> Reply {
    let mut state = state::initialized()?;
    state.graphs.get(graph)?;
    if node.is_null() {
        return Err(INVALID);
    }
    let after = after.nodes.list(after.count)?;
    let kind = kind(&mut state)?;
    node.set(state.add_node(graph, kind, &after)?)
}

/// Writes a list as the API does: with a null pointer its length, otherwise as many as there is room for.
fn list<T: Copy>(items: &[T], to: Out<T>, count: Out<usize>, filler: T) -> Reply {
    if count.is_null() {
        return Err(INVALID);
    }
    if to.is_null() {
        return count.set(items.len());
    }
    let room = count.get()?;
    let mut written: Vec<T> = items.iter().copied().take(room).collect();
    written.resize(room, filler);
    to.set_all(&written)?;
    count.set(items.len().min(room))
}

/// Checks that edges are full ones.
pub(super) fn check_edges(data: In<CUgraphEdgeData>, count: usize) -> Reply {
    if data.is_null() {
        return Ok(());
    }
    for edge in data.list(count)? {
        // A programmatic edge may be taken for a full one.
        if edge.reserved != [0; 5]
            || edge.r#type > 1
            || edge.r#type == 0 && (edge.from_port, edge.to_port) != (0, 0)
        {
            return Err(INVALID);
        }
    }
    Ok(())
}

pub(super) fn dependencies(
    graph: CUgraph,
    from: In<CUgraphNode>,
    to: In<CUgraphNode>,
    count: usize,
    adds: bool,
) -> Reply {
    let mut state = state::initialized()?;
    let mut copy = state.graphs.get(graph)?.clone();
    for (from, to) in from.list(count)?.into_iter().zip(to.list(count)?) {
        if !copy.nodes.contains_key(&from) || from == to {
            return Err(INVALID);
        }
        let node = copy.nodes.get_mut(&to).ok_or(INVALID)?;
        let is_changed = if adds {
            node.after.insert(from)
        } else {
            node.after.remove(&from)
        };
        if !is_changed {
            return Err(INVALID);
        }
    }
    copy.sorted().ok_or(INVALID)?;
    *state.graphs.get_mut(graph)? = copy;
    Ok(())
}

pub(super) fn edges(
    graph: CUgraph,
    from: Out<CUgraphNode>,
    to: Out<CUgraphNode>,
    data: Out<CUgraphEdgeData>,
    count: Out<usize>,
) -> Reply {
    let state = state::initialized()?;
    let edges = state.graphs.get(graph)?.edges();
    if count.is_null() || from.is_null() != to.is_null() {
        return Err(INVALID);
    }
    if from.is_null() {
        return count.set(edges.len());
    }
    let room = count.get()?;
    let (firsts, seconds): (Vec<_>, Vec<_>) = edges.into_iter().unzip();
    list(&firsts, from, count, CUgraphNode::NULL)?;
    count.set(room)?;
    if !data.is_null() {
        data.set_all(&vec![FULL; firsts.len().min(room)])?;
    }
    list(&seconds, to, count, CUgraphNode::NULL)
}

pub(super) fn neighbours(
    node: CUgraphNode,
    nodes: Out<CUgraphNode>,
    data: Out<CUgraphEdgeData>,
    count: Out<usize>,
    before: bool,
) -> Reply {
    let state = state::initialized()?;
    let graph = state.graphs.get(state.graph_of(node)?)?;
    let found: Vec<_> = if before {
        graph.nodes[&node].after.iter().copied().collect()
    } else {
        graph.dependents(node)
    };
    if !data.is_null() && !nodes.is_null() {
        data.set_all(&vec![FULL; found.len().min(count.get()?)])?;
    }
    list(&found, nodes, count, CUgraphNode::NULL)
}

fn kernel(state: &State, params: In<CUDA_KERNEL_NODE_PARAMS_v2>) -> Reply<Kind> {
    let params = params.get()?;
    let size = Size {
        grid: [params.gridDimX, params.gridDimY, params.gridDimZ],
        block: [params.blockDimX, params.blockDimY, params.blockDimZ],
        shared: params.sharedMemBytes,
    };
    let given = Given {
        params: Out::of(params.kernelParams),
        extra: Out::of(params.extra),
    };
    let kernel = state.kernel(params.func, size, Attributes::NONE, given)?;
    Ok(Kind::Kernel(Box::new(kernel)))
}

fn copy(state: &State, params: In<CUDA_MEMCPY3D>, context: CUcontext) -> Reply<Kind> {
    state.working(context)?;
    let params = params.get()?;
    let work = state.copy_work(&params)?;
    Ok(Kind::Copy(Box::new(params), work))
}

fn fill(state: &State, params: In<CUDA_MEMSET_NODE_PARAMS>, context: CUcontext) -> Reply<Kind> {
    state.working(context)?;
    let params = params.get()?;
    if params.width == 0 || params.height == 0 {
        return Err(INVALID);
    }
    let size = (params.width, params.height, params.pitch);
    let work = state.fill_work(params.dst, params.value, params.elementSize as usize, size)?;
    Ok(Kind::Fill(params, work))
}

fn host(params: In<CUDA_HOST_NODE_PARAMS>) -> Reply<Kind> {
    let params = params.get()?;
    if params.r#fn.is_none() {
        return Err(INVALID);
    }
    Ok(Kind::Host(params))
}

/// Replaces what a node does by something of the same kind.
fn replace(node: CUgraphNode, new: impl FnOnce(&mut State) -> Reply<Kind>) -> Reply {
    let mut state = state::initialized()?;
    let number = state.node(node)?.kind.number();
    let new = new(&mut state)?;
    if new.number() != number {
        return Err(INVALID);
    }
    state.node_mut(node)?.kind = new;
    Ok(())
}

/// Replaces what a node of an executable graph does.
fn replace_in(
    exec: CUgraphExec,
    node: CUgraphNode,
    new: impl FnOnce(&mut State) -> Reply<Kind>,
) -> Reply {
    let mut state = state::initialized()?;
    state.execs.get(exec)?;
    let new = new(&mut state)?;
    state.change(exec, node, |node| {
        if new.number() != node.kind.number() {
            return Err(INVALID);
        }
        node.kind = new;
        Ok(())
    })
}

pub(super) fn instantiate(
    exec: Out<CUgraphExec>,
    graph: CUgraph,
    flags: u64,
) -> Reply<CUgraphExec> {
    let mut state = state::initialized()?;
    state.current()?;
    // Launches by devices exclude freeing on launch.
    if exec.is_null() || flags & !FLAGS & !4 != 0 || flags & 5 == 5 {
        return Err(INVALID);
    }
    if flags & 4 != 0 {
        return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
    }
    let made = state.instantiate(graph, flags)?;
    exec.set(made)?;
    Ok(made)
}

fn update(exec: CUgraphExec, graph: CUgraph, info: Out<CUgraphExecUpdateResultInfo>) -> Reply {
    let mut state = state::initialized()?;
    let (result, node) = match state.update(exec, graph)? {
        Ok(()) => (0, None),
        Err((difference, node)) => (
            match difference {
                Difference::Topology => 2,
                Difference::NodeType => 3,
                Difference::Parameters => 5,
            },
            node,
        ),
    };
    info.put(CUgraphExecUpdateResultInfo {
        result,
        errorNode: node.unwrap_or(CUgraphNode::NULL),
        errorFromNode: CUgraphNode::NULL,
    });
    match result {
        0 => Ok(()),
        _ => Err(CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE),
    }
}

/// The state of the capture of a stream.
pub(super) struct Info {
    pub(super) status: Out<c_uint>,
    pub(super) id: Out<u64>,
    pub(super) graph: Out<CUgraph>,
    pub(super) nodes: Out<*const CUgraphNode>,
    pub(super) edges: Out<*const CUgraphEdgeData>,
    pub(super) count: Out<usize>,
}

thread_local! {
    /// The nodes that the last query of a capture returned: the API lends them.
    static LENT: std::cell::RefCell<Vec<CUgraphNode>> = const { std::cell::RefCell::new(Vec::new()) };
}

pub(super) fn capture_info(stream: CUstream, info: &Info) -> Reply {
    let mut state = state::initialized()?;
    let stream = state.stream(stream)?;
    let Some(captured) = state.streams.get(stream)?.capture.clone() else {
        return info.status.set(0);
    };
    let capture = state.captures.get(&captured.id);
    let capture = capture.ok_or(CUresult::CUDA_ERROR_STREAM_CAPTURE_INVALIDATED)?;
    info.status.set(if capture.is_invalid { 2 } else { 1 })?;
    info.id.put(captured.id);
    info.graph.put(capture.graph);
    let after: Vec<_> = captured.after.into_iter().collect();
    info.count.put(after.len());
    LENT.with_borrow_mut(|lent| {
        *lent = after;
        info.nodes.put(lent.as_ptr());
    });
    info.edges.put(std::ptr::null());
    Ok(())
}

pub(super) fn update_capture(
    stream: CUstream,
    nodes: In<CUgraphNode>,
    count: usize,
    flags: c_uint,
) -> Reply {
    let mut state = state::initialized()?;
    let stream = state.stream(stream)?;
    let nodes: BTreeSet<_> = nodes.list(count)?.into_iter().collect();
    let captured = state.streams.get(stream)?.capture.clone();
    let captured = captured.ok_or(CUresult::CUDA_ERROR_ILLEGAL_STATE)?;
    let capture = state
        .captures
        .get(&captured.id)
        .ok_or(CUresult::CUDA_ERROR_ILLEGAL_STATE)?;
    let graph = state.graphs.get(capture.graph)?;
    if flags > 1 || !nodes.iter().all(|node| graph.nodes.contains_key(node)) {
        return Err(INVALID);
    }
    if let Some(captured) = &mut state.streams.get_mut(stream)?.capture {
        // CU_STREAM_ADD_CAPTURE_DEPENDENCIES or CU_STREAM_SET_CAPTURE_DEPENDENCIES
        if flags == 1 {
            captured.after.clear();
        }
        captured.after.extend(nodes);
    }
    Ok(())
}

api! {
    fn cuGraphCreate(graph: Out<CUgraph>, flags: c_uint) {
        let mut state = state::initialized()?;
        if flags != 0 || graph.is_null() {
            return Err(INVALID);
        }
        graph.set(state.graphs.add(Graph::default()))
    }

    fn cuGraphDestroy(graph: CUgraph) {
        let mut state = state::initialized()?;
        if state.graphs.get(graph)?.parent.is_some() {
            return Err(INVALID);
        }
        state.destroy_graph(graph)
    }

    fn cuGraphClone(clone: Out<CUgraph>, graph: CUgraph) {
        let mut state = state::initialized()?;
        let nodes = state.graphs.get(graph)?.nodes.values();
        if clone.is_null() {
            return Err(INVALID);
        }
        let mut kinds = nodes.map(|node| &node.kind);
        if kinds.any(|kind| matches!(kind, Kind::Allocate(..) | Kind::Free(..))) {
            return Err(CUresult::CUDA_ERROR_NOT_SUPPORTED);
        }
        clone.set(state.clone_graph(graph, None)?)
    }

    fn cuGraphNodeFindInClone(node: Out<CUgraphNode>, original: CUgraphNode, clone: CUgraph) {
        let state = state::initialized()?;
        let mut nodes = state.graphs.get(clone)?.nodes.iter();
        let found = nodes.find(|(_, node)| node.original == Some(original));
        node.set(*found.ok_or(INVALID)?.0)
    }

    fn cuGraphAddKernelNode_v2[12_000](node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize, params: In<CUDA_KERNEL_NODE_PARAMS_v2>) {
        add(node, graph, After { nodes: after, count }, |state| kernel(state, params))
    }

    fn cuGraphAddMemcpyNode(node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize, params: In<CUDA_MEMCPY3D>, context: CUcontext) {
        add(node, graph, After { nodes: after, count }, |state| copy(state, params, context))
    }

    fn cuGraphAddMemsetNode(node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize, params: In<CUDA_MEMSET_NODE_PARAMS>, context: CUcontext) {
        add(node, graph, After { nodes: after, count }, |state| fill(state, params, context))
    }

    fn cuGraphAddHostNode(node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize, params: In<CUDA_HOST_NODE_PARAMS>) {
        add(node, graph, After { nodes: after, count }, |_| host(params))
    }

    fn cuGraphAddChildGraphNode(node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize, child: CUgraph) {
        add(node, graph, After { nodes: after, count }, |state| Ok(Kind::Child(state.clone_graph(child, Some(graph))?)))
    }

    fn cuGraphAddEmptyNode(node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize) {
        add(node, graph, After { nodes: after, count }, |_| Ok(Kind::Empty))
    }

    fn cuGraphAddEventRecordNode(node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize, event: CUevent) {
        add(node, graph, After { nodes: after, count }, |state| {
            state.events.get(event)?;
            Ok(Kind::Record(event))
        })
    }

    fn cuGraphAddEventWaitNode(node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize, event: CUevent) {
        add(node, graph, After { nodes: after, count }, |state| {
            state.events.get(event)?;
            Ok(Kind::Wait(event))
        })
    }

    fn cuGraphAddMemAllocNode(node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize, params: Out<CUDA_MEM_ALLOC_NODE_PARAMS>) {
        let mut given = params.get()?;
        add(node, graph, After { nodes: after, count }, |state| {
            if given.bytesize == 0 || given.poolProps.allocType != 1 || given.poolProps.location.r#type != 1 {
                return Err(INVALID);
            }
            let device = state.device(given.poolProps.location.id)?;
            let pool = state.default_pool(device);
            let request = Request {
                kind: crate::memory::Kind::Pool(pool),
                context: CUcontext::NULL,
                device,
                bytes: given.bytesize,
            };
            let capacity = state.capacity(device);
            let allocation = state.memory.allocate(request, capacity)?;
            given.dptr = allocation.base();
            params.set(given)?;
            Ok(Kind::Allocate(Box::new(given), Arc::new(GraphMemory(allocation))))
        })
    }

    fn cuGraphAddMemFreeNode(node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize, address: CUdeviceptr) {
        add(node, graph, After { nodes: after, count }, |state| {
            // Memory of a graph is freed with it.
            if !state.is_of_graph(address) {
                return Err(INVALID);
            }
            Ok(Kind::Free(address, None))
        })
    }

    fn cuGraphAddDependencies_v2[12_030](graph: CUgraph, from: In<CUgraphNode>, to: In<CUgraphNode>, data: In<CUgraphEdgeData>, count: usize) {
        check_edges(data, count)?;
        dependencies(graph, from, to, count, true)
    }

    fn cuGraphRemoveDependencies_v2[12_030](graph: CUgraph, from: In<CUgraphNode>, to: In<CUgraphNode>, data: In<CUgraphEdgeData>, count: usize) {
        check_edges(data, count)?;
        dependencies(graph, from, to, count, false)
    }

    fn cuGraphDestroyNode(node: CUgraphNode) {
        let mut state = state::initialized()?;
        let handle = state.graph_of(node)?;
        let graph = state.graphs.get_mut(handle)?;
        let removed = graph.nodes.remove(&node);
        for other in graph.nodes.values_mut() {
            other.after.remove(&node);
        }
        if let Some(removed) = removed {
            if let Kind::Child(child) = removed.kind {
                state.destroy_graph(child)?;
            }
            state.drop_memory(std::iter::once(removed));
        }
        Ok(())
    }

    fn cuGraphGetNodes(graph: CUgraph, nodes: Out<CUgraphNode>, count: Out<usize>) {
        let state = state::initialized()?;
        let all: Vec<_> = state.graphs.get(graph)?.nodes.keys().copied().collect();
        list(&all, nodes, count, CUgraphNode::NULL)
    }

    fn cuGraphGetRootNodes(graph: CUgraph, nodes: Out<CUgraphNode>, count: Out<usize>) {
        let state = state::initialized()?;
        let all = state.graphs.get(graph)?.nodes.iter();
        let roots: Vec<_> = all.filter(|(_, node)| node.after.is_empty()).map(|(&node, _)| node).collect();
        list(&roots, nodes, count, CUgraphNode::NULL)
    }

    fn cuGraphGetEdges_v2[12_030](graph: CUgraph, from: Out<CUgraphNode>, to: Out<CUgraphNode>, data: Out<CUgraphEdgeData>, count: Out<usize>) {
        edges(graph, from, to, data, count)
    }

    fn cuGraphNodeGetType(node: CUgraphNode, kind: Out<c_uint>) {
        let state = state::initialized()?;
        kind.set(state.node(node)?.kind.number())
    }

    fn cuGraphNodeGetDependencies_v2[12_030](node: CUgraphNode, nodes: Out<CUgraphNode>, data: Out<CUgraphEdgeData>, count: Out<usize>) {
        neighbours(node, nodes, data, count, true)
    }

    fn cuGraphNodeGetDependentNodes_v2[12_030](node: CUgraphNode, nodes: Out<CUgraphNode>, data: Out<CUgraphEdgeData>, count: Out<usize>) {
        neighbours(node, nodes, data, count, false)
    }

    fn cuGraphKernelNodeGetParams_v2[12_000](node: CUgraphNode, params: Out<CUDA_KERNEL_NODE_PARAMS_v2>) {
        let state = state::initialized()?;
        let Kind::Kernel(kernel) = &state.node(node)?.kind else {
            return Err(INVALID);
        };
        let Kernel { function, context, size, pointers, .. } = &**kernel;
        params.set(CUDA_KERNEL_NODE_PARAMS_v2 {
            func: *function,
            gridDimX: size.grid[0],
            gridDimY: size.grid[1],
            gridDimZ: size.grid[2],
            blockDimX: size.block[0],
            blockDimY: size.block[1],
            blockDimZ: size.block[2],
            sharedMemBytes: size.shared,
            kernelParams: pointers.as_ptr().cast_mut().cast(),
            extra: std::ptr::null_mut(),
            kern: CUkernel::NULL,
            ctx: *context,
        })
    }

    fn cuGraphKernelNodeSetParams_v2[12_000](node: CUgraphNode, params: In<CUDA_KERNEL_NODE_PARAMS_v2>) {
        replace(node, |state| kernel(state, params))
    }

    fn cuGraphMemcpyNodeGetParams(node: CUgraphNode, params: Out<CUDA_MEMCPY3D>) {
        let state = state::initialized()?;
        match &state.node(node)?.kind {
            Kind::Copy(found, _) => params.set(**found),
            _ => Err(INVALID),
        }
    }

    fn cuGraphMemcpyNodeSetParams(node: CUgraphNode, params: In<CUDA_MEMCPY3D>) {
        replace(node, |state| {
            let context = state.current()?;
            copy(state, params, context)
        })
    }

    fn cuGraphMemsetNodeGetParams(node: CUgraphNode, params: Out<CUDA_MEMSET_NODE_PARAMS>) {
        let state = state::initialized()?;
        match &state.node(node)?.kind {
            Kind::Fill(found, _) => params.set(*found),
            _ => Err(INVALID),
        }
    }

    fn cuGraphMemsetNodeSetParams(node: CUgraphNode, params: In<CUDA_MEMSET_NODE_PARAMS>) {
        replace(node, |state| {
            let context = state.current()?;
            fill(state, params, context)
        })
    }

    fn cuGraphHostNodeGetParams(node: CUgraphNode, params: Out<CUDA_HOST_NODE_PARAMS>) {
        let state = state::initialized()?;
        match &state.node(node)?.kind {
            Kind::Host(found) => params.set(*found),
            _ => Err(INVALID),
        }
    }

    fn cuGraphHostNodeSetParams(node: CUgraphNode, params: In<CUDA_HOST_NODE_PARAMS>) {
        replace(node, |_| host(params))
    }

    fn cuGraphChildGraphNodeGetGraph(node: CUgraphNode, graph: Out<CUgraph>) {
        let state = state::initialized()?;
        match state.node(node)?.kind {
            Kind::Child(child) => graph.set(child),
            _ => Err(INVALID),
        }
    }

    fn cuGraphEventRecordNodeGetEvent(node: CUgraphNode, event: Out<CUevent>) {
        let state = state::initialized()?;
        match state.node(node)?.kind {
            Kind::Record(found) => event.set(found),
            _ => Err(INVALID),
        }
    }

    fn cuGraphEventRecordNodeSetEvent(node: CUgraphNode, event: CUevent) {
        replace(node, |state| {
            state.events.get(event)?;
            Ok(Kind::Record(event))
        })
    }

    fn cuGraphEventWaitNodeGetEvent(node: CUgraphNode, event: Out<CUevent>) {
        let state = state::initialized()?;
        match state.node(node)?.kind {
            Kind::Wait(found) => event.set(found),
            _ => Err(INVALID),
        }
    }

    fn cuGraphEventWaitNodeSetEvent(node: CUgraphNode, event: CUevent) {
        replace(node, |state| {
            state.events.get(event)?;
            Ok(Kind::Wait(event))
        })
    }

    fn cuGraphMemAllocNodeGetParams(node: CUgraphNode, params: Out<CUDA_MEM_ALLOC_NODE_PARAMS>) {
        let state = state::initialized()?;
        match &state.node(node)?.kind {
            Kind::Allocate(found, _) => params.set(**found),
            _ => Err(INVALID),
        }
    }

    fn cuGraphMemFreeNodeGetParams(node: CUgraphNode, address: Out<CUdeviceptr>) {
        let state = state::initialized()?;
        match state.node(node)?.kind {
            Kind::Free(found, _) => address.set(found),
            _ => Err(INVALID),
        }
    }

    fn cuGraphInstantiateWithFlags[11_040](exec: Out<CUgraphExec>, graph: CUgraph, flags: u64) {
        instantiate(exec, graph, flags).map(drop)
    }

    fn cuGraphInstantiateWithParams(exec: Out<CUgraphExec>, graph: CUgraph, params: Out<CUDA_GRAPH_INSTANTIATE_PARAMS>) {
        let mut given = params.get()?;
        let result = instantiate(exec, graph, given.flags);
        given.hErrNode_out = CUgraphNode::NULL;
        // CUDA_GRAPH_INSTANTIATE_SUCCESS or CUDA_GRAPH_INSTANTIATE_ERROR
        given.result_out = c_uint::from(result.is_err());
        params.set(given)?;
        result.map(drop)
    }

    fn cuGraphUpload(exec: CUgraphExec, stream: CUstream) {
        let mut state = state::initialized()?;
        state.execs.get(exec)?;
        state.stream(stream).map(drop)
    }

    fn cuGraphLaunch(exec: CUgraphExec, stream: CUstream) {
        state::not_in_callback()?;
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        state.execs.get(exec)?;
        if state.is_capturing(stream) {
            let graph = state.execs.get(exec)?.graph.clone();
            let graph = state.graphs.add(graph);
            let child = state.clone_graph(graph, Some(graph));
            state.graphs.remove(graph)?;
            state.add_captured(stream, Kind::Child(child?))?;
            return Ok(());
        }
        state.legacy_may_run(stream)?;
        state.launch_graph(exec, stream)
    }

    fn cuGraphExecDestroy(exec: CUgraphExec) {
        let mut state = state::initialized()?;
        let nodes = state.execs.remove(exec)?.into_nodes();
        state.drop_memory(nodes.into_iter());
        Ok(())
    }

    fn cuGraphExecGetFlags(exec: CUgraphExec, flags: Out<u64>) {
        let state = state::initialized()?;
        flags.set(state.execs.get(exec)?.flags)
    }

    fn cuGraphExecUpdate_v2[12_000](exec: CUgraphExec, graph: CUgraph, info: Out<CUgraphExecUpdateResultInfo>) {
        update(exec, graph, info)
    }

    fn cuGraphExecKernelNodeSetParams_v2[12_000](exec: CUgraphExec, node: CUgraphNode, params: In<CUDA_KERNEL_NODE_PARAMS_v2>) {
        replace_in(exec, node, |state| kernel(state, params))
    }

    fn cuGraphExecMemcpyNodeSetParams(exec: CUgraphExec, node: CUgraphNode, params: In<CUDA_MEMCPY3D>, context: CUcontext) {
        replace_in(exec, node, |state| copy(state, params, context))
    }

    fn cuGraphExecMemsetNodeSetParams(exec: CUgraphExec, node: CUgraphNode, params: In<CUDA_MEMSET_NODE_PARAMS>, context: CUcontext) {
        replace_in(exec, node, |state| fill(state, params, context))
    }

    fn cuGraphExecHostNodeSetParams(exec: CUgraphExec, node: CUgraphNode, params: In<CUDA_HOST_NODE_PARAMS>) {
        replace_in(exec, node, |_| host(params))
    }

    fn cuGraphExecEventRecordNodeSetEvent(exec: CUgraphExec, node: CUgraphNode, event: CUevent) {
        replace_in(exec, node, |state| {
            state.events.get(event)?;
            Ok(Kind::Record(event))
        })
    }

    fn cuGraphExecEventWaitNodeSetEvent(exec: CUgraphExec, node: CUgraphNode, event: CUevent) {
        replace_in(exec, node, |state| {
            state.events.get(event)?;
            Ok(Kind::Wait(event))
        })
    }

    fn cuGraphNodeGetEnabled(exec: CUgraphExec, node: CUgraphNode, enabled: Out<c_uint>) {
        let state = state::initialized()?;
        let node = state.execs.get(exec)?.graph.nodes.get(&node).ok_or(INVALID)?;
        enabled.set(c_uint::from(node.is_enabled))
    }

    fn cuGraphNodeSetEnabled(exec: CUgraphExec, node: CUgraphNode, enabled: c_uint) {
        let mut state = state::initialized()?;
        state.change(exec, node, |node| {
            // Kernels, copies and fills.
            if enabled > 1 || node.kind.number() > 2 {
                return Err(INVALID);
            }
            node.is_enabled = enabled == 1;
            Ok(())
        })
    }

    fn cuDeviceGraphMemTrim(device: c_int) {
        state::initialized()?.device(device).map(drop)
    }

    fn cuStreamBeginCapture_v2[10_010](stream: CUstream, mode: c_uint) {
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        state.begin_capture(stream, mode, None)
    }

    fn cuStreamBeginCaptureToGraph(stream: CUstream, graph: CUgraph, after: In<CUgraphNode>, data: In<CUgraphEdgeData>, count: usize, mode: c_uint) {
        let mut state = state::initialized()?;
        check_edges(data, count)?;
        let stream = state.stream(stream)?;
        let after = after.list(count)?;
        state.graphs.get(graph)?;
        state.begin_capture(stream, mode, Some((graph, after)))
    }

    fn cuStreamEndCapture(stream: CUstream, graph: Out<CUgraph>) {
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        match state.end_capture(stream) {
            Ok(captured) => {
                graph.put(captured);
                Ok(())
            }
            Err(error) => {
                graph.put(CUgraph::NULL);
                Err(error)
            }
        }
    }

    fn cuStreamIsCapturing(stream: CUstream, status: Out<c_uint>) {
        let mut state = state::initialized()?;
        let stream = state.stream(stream)?;
        state.legacy_may_run(stream)?;
        let Some(captured) = state.streams.get(stream)?.capture.clone() else {
            return status.set(0);
        };
        let is_active = state.captures.get(&captured.id).is_some_and(|capture| !capture.is_invalid);
        status.set(if is_active { 1 } else { 2 })
    }

    fn cuStreamGetCaptureInfo_v3[12_030](
        stream: CUstream,
        status: Out<c_uint>,
        id: Out<u64>,
        graph: Out<CUgraph>,
        nodes: Out<*const CUgraphNode>,
        edges: Out<*const CUgraphEdgeData>,
        count: Out<usize>,
    ) {
        capture_info(stream, &Info { status, id, graph, nodes, edges, count })
    }

    fn cuStreamUpdateCaptureDependencies_v2[12_030](stream: CUstream, nodes: Out<CUgraphNode>, data: In<CUgraphEdgeData>, count: usize, flags: c_uint) {
        check_edges(data, count)?;
        update_capture(stream, nodes.as_in(), count, flags)
    }

    fn cuThreadExchangeStreamCaptureMode(mode: Out<c_uint>) {
        let new = mode.get()?;
        if new > crate::capture::RELAXED {
            return Err(INVALID);
        }
        mode.set(state::exchange_capture_mode(new))
    }
}

/// The functions of versions of CUDA before 12.3, without the data of edges.
pub mod older {
    use std::ffi::{c_uint, c_void};

    use super::{
        Info, capture_info, dependencies, edges, instantiate, neighbours, update, update_capture,
    };
    use crate::abi::{
        CUgraph, CUgraphExec, CUgraphExecUpdateResultInfo, CUgraphNode, CUstream, In, Out,
    };

    exports! {
        fn cuGraphAddDependencies[10_000](graph: CUgraph, from: In<CUgraphNode>, to: In<CUgraphNode>, count: usize) {
            dependencies(graph, from, to, count, true)
        }

        fn cuGraphRemoveDependencies[10_000](graph: CUgraph, from: In<CUgraphNode>, to: In<CUgraphNode>, count: usize) {
            dependencies(graph, from, to, count, false)
        }

        fn cuGraphGetEdges[10_000](graph: CUgraph, from: Out<CUgraphNode>, to: Out<CUgraphNode>, count: Out<usize>) {
            edges(graph, from, to, Out::of(std::ptr::null_mut()), count)
        }

        fn cuGraphNodeGetDependencies[10_000](node: CUgraphNode, nodes: Out<CUgraphNode>, count: Out<usize>) {
            neighbours(node, nodes, Out::of(std::ptr::null_mut()), count, true)
        }

        fn cuGraphNodeGetDependentNodes[10_000](node: CUgraphNode, nodes: Out<CUgraphNode>, count: Out<usize>) {
            neighbours(node, nodes, Out::of(std::ptr::null_mut()), count, false)
        }

        fn cuGraphExecUpdate[10_020](exec: CUgraphExec, graph: CUgraph, node: Out<CUgraphNode>, result: Out<c_uint>) {
            let mut info = CUgraphExecUpdateResultInfo {
                result: 0,
                errorNode: CUgraphNode::NULL,
                errorFromNode: CUgraphNode::NULL,
            };
            let updated = update(exec, graph, Out::of(&raw mut info));
            node.put(info.errorNode);
            result.put(info.result);
            updated
        }

        fn cuGraphInstantiate_v2[11_000](exec: Out<CUgraphExec>, graph: CUgraph, node: Out<CUgraphNode>, _log: Out<c_void>, _bytes: usize) {
            node.put(CUgraphNode::NULL);
            instantiate(exec, graph, 0).map(drop)
        }

        fn cuStreamGetCaptureInfo_v2[11_030](stream: CUstream, status: Out<c_uint>, id: Out<u64>, graph: Out<CUgraph>, nodes: Out<*const CUgraphNode>, count: Out<usize>) {
            let edges = Out::of(std::ptr::null_mut());
            capture_info(stream, &Info { status, id, graph, nodes, edges, count })
        }

        fn cuStreamGetCaptureInfo[10_010](stream: CUstream, status: Out<c_uint>, id: Out<u64>) {
            capture_info(stream, &Info {
                status,
                id,
                graph: Out::of(std::ptr::null_mut()),
                nodes: Out::of(std::ptr::null_mut()),
                edges: Out::of(std::ptr::null_mut()),
                count: Out::of(std::ptr::null_mut()),
            })
        }

        fn cuStreamUpdateCaptureDependencies[11_030](stream: CUstream, nodes: Out<CUgraphNode>, count: usize, flags: c_uint) {
            update_capture(stream, nodes.as_in(), count, flags)
        }
    }
}

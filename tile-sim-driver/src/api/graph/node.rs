//! Nodes: what they do, and its parameters.

use std::sync::Arc;

use super::{After, INVALID, add, check_edges};
use crate::abi::{
    CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v2, CUDA_MEM_ALLOC_NODE_PARAMS, CUDA_MEMCPY3D,
    CUDA_MEMSET_NODE_PARAMS, CUcontext, CUdeviceptr, CUevent, CUfunction, CUgraph, CUgraphEdgeData,
    CUgraphNode, CUgraphNodeParams, CUkernel, In, Out,
};
use crate::api::launch::{Attributes, Given, Size};
use crate::graph::{GraphMemory, Kernel, Kind};
use crate::memory::Request;
use crate::result::CUresult;
use crate::state::{self, Reply, State};

pub(super) fn kernel(state: &mut State, params: In<CUDA_KERNEL_NODE_PARAMS_v2>) -> Reply<Kind> {
    let params = params.get()?;
    let function = if params.func == CUfunction::NULL && params.kern != CUkernel::NULL {
        let context = match params.ctx {
            CUcontext::NULL => state.current()?,
            context => context,
        };
        state.kernel_function(params.kern, context)?
    } else {
        params.func
    };
    let size = Size {
        grid: [params.gridDimX, params.gridDimY, params.gridDimZ],
        block: [params.blockDimX, params.blockDimY, params.blockDimZ],
        shared: params.sharedMemBytes,
    };
    let given = Given {
        params: Out::of(params.kernelParams),
        extra: Out::of(params.extra),
    };
    let kernel = state.kernel(function, size, Attributes::NONE, given)?;
    Ok(Kind::Kernel(Box::new(kernel)))
}

pub(super) fn copy(state: &State, params: In<CUDA_MEMCPY3D>, context: CUcontext) -> Reply<Kind> {
    state.working(context)?;
    let params = params.get()?;
    let work = state.copy_work(&params)?;
    Ok(Kind::Copy(Box::new(params), work))
}

pub(super) fn fill(
    state: &State,
    params: In<CUDA_MEMSET_NODE_PARAMS>,
    context: CUcontext,
) -> Reply<Kind> {
    state.working(context)?;
    let params = params.get()?;
    if params.width == 0 || params.height == 0 {
        return Err(INVALID);
    }
    let size = (params.width, params.height, params.pitch);
    let work = state.fill_work(params.dst, params.value, params.elementSize as usize, size)?;
    Ok(Kind::Fill(params, work))
}

pub(super) fn host(params: In<CUDA_HOST_NODE_PARAMS>) -> Reply<Kind> {
    let params = params.get()?;
    if params.r#fn.is_none() {
        return Err(INVALID);
    }
    Ok(Kind::Host(params))
}

/// Replaces what a node does by something of the same kind.
pub(super) fn replace(node: CUgraphNode, new: impl FnOnce(&mut State) -> Reply<Kind>) -> Reply {
    let mut state = state::initialized()?;
    let number = state.node(node)?.kind.number();
    let new = new(&mut state)?;
    if new.number() != number {
        return Err(INVALID);
    }
    state.node_mut(node)?.kind = new;
    Ok(())
}

/// Allocates the memory of a node, and writes its address to the parameters.
fn allocate(state: &mut State, params: Out<CUDA_MEM_ALLOC_NODE_PARAMS>) -> Reply<Kind> {
    let mut given = params.get()?;
    if given.bytesize == 0 || given.poolProps.allocType != 1 || given.poolProps.location.r#type != 1
    {
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
    Ok(Kind::Allocate(
        Box::new(given),
        Arc::new(GraphMemory(allocation)),
    ))
}

fn free(state: &State, address: CUdeviceptr) -> Reply<Kind> {
    // Memory of a graph is freed with it.
    if !state.is_of_graph(address) {
        return Err(INVALID);
    }
    Ok(Kind::Free(address, None))
}

fn record(state: &State, event: CUevent) -> Reply<Kind> {
    state.events.get(event)?;
    Ok(Kind::Record(event))
}

fn wait(state: &State, event: CUevent) -> Reply<Kind> {
    state.events.get(event)?;
    Ok(Kind::Wait(event))
}

/// Returns what the parameters of a node of any kind say.
pub(super) fn any(
    state: &mut State,
    graph: Option<CUgraph>,
    params: Out<CUgraphNodeParams>,
) -> Reply<Kind> {
    let given = params.get()?;
    if given.reserved0 != [0; 3] || given.reserved2 != 0 {
        return Err(INVALID);
    }
    let words = Out::of(given.words.as_ptr().cast_mut()).as_in();
    let handle = |index: usize| usize::try_from(given.words[index]).map_err(|_| INVALID);
    let context = |state: &State, index: usize| match handle(index)? {
        0 => state.current(),
        number => Ok(CUcontext(number)),
    };
    // `CUgraphNodeType`; each kind has its structure, whose last word but one may be a context.
    match given.r#type {
        0 => kernel(state, words.cast()),
        1 => {
            let context = context(state, 1)?;
            let of_copy = Out::of(given.words[2..].as_ptr().cast_mut()).as_in();
            copy(state, of_copy.cast(), context)
        }
        2 => {
            let context = context(state, 5)?;
            fill(state, words.cast(), context)
        }
        3 => host(words.cast()),
        4 => {
            let child = CUgraph(handle(0)?);
            Ok(Kind::Child(state.clone_graph(child, graph)?))
        }
        5 => Ok(Kind::Empty),
        6 => wait(state, CUevent(handle(0)?)),
        7 => record(state, CUevent(handle(0)?)),
        10 => {
            let mut changed = given;
            let kind = allocate(state, Out::of(changed.words.as_mut_ptr().cast()))?;
            params.set(changed)?;
            Ok(kind)
        }
        11 => free(state, given.words[0]),
        _ => Err(CUresult::CUDA_ERROR_NOT_SUPPORTED),
    }
}

/// Checks that the kind of a node can change: those that allocate, free, or have a graph cannot.
pub(super) fn can_change(params: Out<CUgraphNodeParams>) -> Reply {
    if matches!(params.get()?.r#type, 4 | 5 | 10 | 11) {
        return Err(INVALID);
    }
    Ok(())
}

api! {
    fn cuGraphAddNode_v2[12_030](node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, edges: In<CUgraphEdgeData>, count: usize, params: Out<CUgraphNodeParams>) {
        check_edges(edges, count)?;
        add(node, graph, After { nodes: after, count }, |state| any(state, Some(graph), params))
    }

    fn cuGraphNodeSetParams(node: CUgraphNode, params: Out<CUgraphNodeParams>) {
        can_change(params)?;
        replace(node, |state| any(state, None, params))
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
        add(node, graph, After { nodes: after, count }, |state| record(state, event))
    }

    fn cuGraphAddEventWaitNode(node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize, event: CUevent) {
        add(node, graph, After { nodes: after, count }, |state| wait(state, event))
    }

    fn cuGraphAddMemAllocNode(node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize, params: Out<CUDA_MEM_ALLOC_NODE_PARAMS>) {
        add(node, graph, After { nodes: after, count }, |state| allocate(state, params))
    }

    fn cuGraphAddMemFreeNode(node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize, address: CUdeviceptr) {
        add(node, graph, After { nodes: after, count }, |state| free(state, address))
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
        replace(node, |state| record(state, event))
    }

    fn cuGraphEventWaitNodeGetEvent(node: CUgraphNode, event: Out<CUevent>) {
        let state = state::initialized()?;
        match state.node(node)?.kind {
            Kind::Wait(found) => event.set(found),
            _ => Err(INVALID),
        }
    }

    fn cuGraphEventWaitNodeSetEvent(node: CUgraphNode, event: CUevent) {
        replace(node, |state| wait(state, event))
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
}

//! Executable graphs.

use std::ffi::c_uint;

use super::INVALID;
use super::node::{any, can_change, copy, fill, host, kernel};
use crate::abi::{
    CUDA_GRAPH_INSTANTIATE_PARAMS, CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS_v2,
    CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS, CUcontext, CUevent, CUgraph, CUgraphExec,
    CUgraphExecUpdateResultInfo, CUgraphNode, CUgraphNodeParams, CUstream, In, Out,
};
use crate::because;
use crate::graph::{Difference, Kind};
use crate::result::CUresult;
use crate::state::{self, Reply, State};

/// The flags of an instantiation: free on launch, upload, node priorities. Launches by devices are not supported.
pub(super) const FLAGS: u64 = 1 | 2 | 8;

/// Replaces what a node of an executable graph does.
pub(super) fn replace_in(
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

pub(super) fn update(
    exec: CUgraphExec,
    graph: CUgraph,
    info: Out<CUgraphExecUpdateResultInfo>,
) -> Reply {
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
    if result == 0 {
        return Ok(());
    }
    let what = match result {
        2 => "the number of nodes, or their edges",
        3 => "the kind of a node",
        _ => "what a node may not change",
    };
    let reason = format!("the graph differs from the executable one in {what}");
    Err(because(
        CUresult::CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
        reason,
    ))
}

api! {
    fn cuGraphInstantiateWithFlags[11_040](exec: Out<CUgraphExec>, graph: CUgraph, flags: u64) {
        instantiate(exec, graph, flags).map(drop)
    }

    fn cuGraphInstantiateWithParams @ptsz(exec: Out<CUgraphExec>, graph: CUgraph, params: Out<CUDA_GRAPH_INSTANTIATE_PARAMS>) {
        let mut given = params.get()?;
        let result = instantiate(exec, graph, given.flags);
        given.hErrNode_out = CUgraphNode::NULL;
        // CUDA_GRAPH_INSTANTIATE_SUCCESS or CUDA_GRAPH_INSTANTIATE_ERROR
        given.result_out = c_uint::from(result.is_err());
        params.set(given)?;
        result.map(drop)
    }

    fn cuGraphUpload @ptsz(exec: CUgraphExec, stream: CUstream) {
        let mut state = state::initialized()?;
        state.execs.get(exec)?;
        state.stream(stream).map(drop)
    }

    fn cuGraphLaunch @ptsz(exec: CUgraphExec, stream: CUstream) {
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

    fn cuGraphExecNodeSetParams(exec: CUgraphExec, node: CUgraphNode, params: Out<CUgraphNodeParams>) {
        can_change(params)?;
        replace_in(exec, node, |state| any(state, None, params))
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
}

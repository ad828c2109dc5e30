//! The functions of versions of CUDA before 12.3, without the data of edges.

use std::ffi::{c_uint, c_void};

use super::capture::{Info, capture_info, update_capture};
use super::exec::{instantiate, update};
use super::node::any;
use super::{After, add, dependencies, edges, neighbours};
use crate::abi::{
    CUgraph, CUgraphExec, CUgraphExecUpdateResultInfo, CUgraphNode, CUgraphNodeParams, CUstream,
    In, Out,
};

exports! {
    fn cuGraphAddNode[12_020](node: Out<CUgraphNode>, graph: CUgraph, after: In<CUgraphNode>, count: usize, params: Out<CUgraphNodeParams>) {
        add(node, graph, After { nodes: after, count }, |state| any(state, Some(graph), params))
    }

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

    fn cuStreamGetCaptureInfo_v2[11_030] @ptsz(stream: CUstream, status: Out<c_uint>, id: Out<u64>, graph: Out<CUgraph>, nodes: Out<*const CUgraphNode>, count: Out<usize>) {
        let edges = Out::of(std::ptr::null_mut());
        capture_info(stream, &Info { status, id, graph, nodes, edges, count })
    }

    fn cuStreamGetCaptureInfo[10_010] @ptsz(stream: CUstream, status: Out<c_uint>, id: Out<u64>) {
        capture_info(stream, &Info {
            status,
            id,
            graph: Out::of(std::ptr::null_mut()),
            nodes: Out::of(std::ptr::null_mut()),
            edges: Out::of(std::ptr::null_mut()),
            count: Out::of(std::ptr::null_mut()),
        })
    }

    fn cuStreamUpdateCaptureDependencies[11_030] @ptsz(stream: CUstream, nodes: Out<CUgraphNode>, count: usize, flags: c_uint) {
        update_capture(stream, nodes.as_in(), count, flags)
    }
}

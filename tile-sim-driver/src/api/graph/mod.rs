//! Graphs.

pub mod capture;
pub mod exec;
pub mod node;
pub mod older;

use std::ffi::{c_int, c_uint};

use crate::abi::{CUgraph, CUgraphEdgeData, CUgraphNode, In, Out};
use crate::because;
use crate::graph::{Graph, Kind};
use crate::result::CUresult;
use crate::state::{self, Reply, State};

const INVALID: CUresult = CUresult::CUDA_ERROR_INVALID_VALUE;

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
    let is_sorted = copy.sorted().is_some();
    if !is_sorted {
        return Err(because(INVALID, "the edges make a cycle".to_owned()));
    }
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

    fn cuDeviceGraphMemTrim(device: c_int) {
        state::initialized()?.device(device).map(drop)
    }
}

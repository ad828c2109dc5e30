//! Graphs: operations with the order in which they may run.
//!
//! A graph is built by hand, or by capturing streams (`capture.rs`). An executable graph has its own nodes, which
//! keep the numbers of those that they were made from.
//!
//! - A launch runs nodes at the same time that no edge orders; races between nodes are found from the edges alone.
//! - Two launches of one executable graph run one after the other.
//! - Memory of a graph belongs to its allocation node, and is freed with the last graph that has the node.

mod lanes;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use self::lanes::{Flat, assign_lanes, flatten};
use crate::abi::{
    CUDA_HOST_NODE_PARAMS, CUDA_MEM_ALLOC_NODE_PARAMS, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS,
    CUcontext, CUevent, CUfunction, CUgraph, CUgraphExec, CUgraphNode, CUstream,
};
use crate::api::launch::Size;
use crate::because;
use crate::memory::Allocation;
use crate::queue::{Op, Start};
use crate::race::{self, Agent, Clock, Point};
use crate::result::CUresult;
use crate::state::{Reply, State};
use crate::work::{Call, Copy, Fill, Launch, Step, Work};

/// `CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH`.
const AUTO_FREE: u64 = 1;

/// Memory that a graph allocates. It is freed when nothing refers to it.
#[derive(Debug)]
pub(crate) struct GraphMemory(pub(crate) Arc<Allocation>);

/// What a node does.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Kernel(Box<Kernel>),
    Copy(Box<CUDA_MEMCPY3D>, Copy),
    Fill(CUDA_MEMSET_NODE_PARAMS, Fill),
    Host(CUDA_HOST_NODE_PARAMS),
    /// A graph of its own, which belongs to the node.
    Child(CUgraph),
    Empty,
    Wait(CUevent),
    Record(CUevent),
    Allocate(Box<CUDA_MEM_ALLOC_NODE_PARAMS>, Arc<GraphMemory>),
    Free(u64, Option<Arc<Allocation>>),
}

/// A launch in a graph.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    pub(crate) function: CUfunction,
    pub(crate) context: CUcontext,
    pub(crate) size: Size,
    pub(crate) launch: Launch,
    pub(crate) start: Start,
    /// The bytes of each argument.
    #[expect(dead_code, reason = "`pointers` points to them")]
    pub(crate) arguments: Arc<[Box<[u8]>]>,
    /// The addresses of the arguments.
    pub(crate) pointers: Arc<[usize]>,
}

impl Kind {
    /// Returns `CUgraphNodeType`.
    pub(crate) fn number(&self) -> u32 {
        match self {
            Self::Kernel(_) => 0,
            Self::Copy(..) => 1,
            Self::Fill(..) => 2,
            Self::Host(_) => 3,
            Self::Child(_) => 4,
            Self::Empty => 5,
            Self::Wait(_) => 6,
            Self::Record(_) => 7,
            Self::Allocate(..) => 10,
            Self::Free(..) => 11,
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Kernel(kernel) => format!("the launch of `{}`", kernel.launch.code.name),
            Self::Copy(..) => "a copy".to_owned(),
            Self::Fill(..) => "a fill".to_owned(),
            Self::Host(_) => "a function of the host".to_owned(),
            Self::Child(_) | Self::Empty => "an empty node".to_owned(),
            Self::Wait(_) | Self::Record(_) => "an event".to_owned(),
            Self::Allocate(..) => "an allocation".to_owned(),
            Self::Free(..) => "a free".to_owned(),
        }
    }

    fn work(&self) -> Work {
        match self {
            Self::Kernel(kernel) => Work::Launch(kernel.launch.clone()),
            Self::Copy(_, copy) => Work::Copy(copy.clone()),
            Self::Fill(_, fill) => Work::Fill(fill.clone()),
            Self::Host(params) => {
                Work::Call(Call::Host(params.r#fn, params.userData.expose_provenance()))
            }
            Self::Child(_)
            | Self::Empty
            | Self::Wait(_)
            | Self::Record(_)
            | Self::Free(_, None) => Work::Nothing,
            Self::Allocate(_, memory) => Work::Allocate(Arc::clone(&memory.0)),
            Self::Free(_, Some(allocation)) => Work::Free(Arc::clone(allocation)),
        }
    }
}

/// A node.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// The nodes that it runs after.
    pub(crate) after: BTreeSet<CUgraphNode>,
    pub(crate) is_enabled: bool,
    /// The node that it was cloned from.
    pub(crate) original: Option<CUgraphNode>,
}

impl Node {
    pub(crate) fn new(kind: Kind, after: BTreeSet<CUgraphNode>) -> Self {
        Self {
            kind,
            after,
            is_enabled: true,
            original: None,
        }
    }
}

/// A graph. The nodes are in the order of their creation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: BTreeMap<CUgraphNode, Node>,
    /// The graph whose child node has this one.
    pub(crate) parent: Option<CUgraph>,
}

impl Graph {
    /// Returns the nodes in an order that the edges allow; `None` if there is a cycle.
    pub(crate) fn sorted(&self) -> Option<Vec<CUgraphNode>> {
        let mut left: BTreeMap<_, usize> = self
            .nodes
            .iter()
            .map(|(&node, found)| (node, found.after.len()))
            .collect();
        let mut sorted = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let ready: Vec<_> = left
                .iter()
                .filter(|(_, count)| **count == 0)
                .map(|(&node, _)| node)
                .collect();
            if ready.is_empty() {
                return None;
            }
            for node in ready {
                left.remove(&node);
                sorted.push(node);
                for (next, count) in &mut left {
                    if self.nodes[next].after.contains(&node) {
                        *count -= 1;
                    }
                }
            }
        }
        Some(sorted)
    }

    pub(crate) fn edges(&self) -> Vec<(CUgraphNode, CUgraphNode)> {
        let nodes = self.nodes.iter();
        let edges = nodes.flat_map(|(&to, node)| node.after.iter().map(move |&from| (from, to)));
        edges.collect()
    }

    /// Returns the nodes that run after one.
    pub(crate) fn dependents(&self, of: CUgraphNode) -> Vec<CUgraphNode> {
        let nodes = self.nodes.iter();
        let behind = nodes.filter(|(_, node)| node.after.contains(&of));
        behind.map(|(&node, _)| node).collect()
    }

    /// Returns `true` if every node is one of `ends` or before one of them.
    pub(crate) fn leads_to(&self, ends: &BTreeSet<CUgraphNode>) -> bool {
        let mut known = BTreeSet::new();
        let mut open: Vec<_> = ends.iter().copied().collect();
        while let Some(node) = open.pop() {
            if known.insert(node)
                && let Some(found) = self.nodes.get(&node)
            {
                open.extend(found.after.iter().copied());
            }
        }
        self.nodes.keys().all(|node| known.contains(node))
    }
}

/// An executable graph.
#[derive(Debug)]
pub(crate) struct Exec {
    pub(crate) flags: u64,
    pub(crate) graph: Graph,
    /// The graphs of child nodes, which belong to it.
    children: BTreeMap<CUgraph, Graph>,
    flat: Vec<Flat>,
    /// The agent of each lane, and the number of its operations.
    lanes: Vec<(Agent, u64)>,
    last: Option<Arc<Op>>,
}

impl Exec {
    pub(crate) fn agents(&self) -> impl Iterator<Item = Agent> {
        self.lanes.iter().map(|(agent, _)| *agent)
    }
}

impl Exec {
    /// Returns the nodes, also those of children.
    pub(crate) fn into_nodes(self) -> Vec<Node> {
        let children = self
            .children
            .into_values()
            .flat_map(|graph| graph.nodes.into_values());
        self.graph.nodes.into_values().chain(children).collect()
    }
}

/// Why an executable graph was not updated: `CUgraphExecUpdateResult`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Difference {
    Topology = 2,
    NodeType = 3,
    Parameters = 5,
}

impl State {
    /// Returns the graph with a node.
    pub(crate) fn graph_of(&self, node: CUgraphNode) -> Reply<CUgraph> {
        let mut graphs = self.graphs.iter();
        let found = graphs.find(|(_, graph)| graph.nodes.contains_key(&node));
        found
            .map(|(graph, _)| graph)
            .ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
    }

    pub(crate) fn node(&self, node: CUgraphNode) -> Reply<&Node> {
        let graph = self.graph_of(node)?;
        Ok(&self.graphs.get(graph)?.nodes[&node])
    }

    pub(crate) fn node_mut(&mut self, node: CUgraphNode) -> Reply<&mut Node> {
        let graph = self.graph_of(node)?;
        let graph = self.graphs.get_mut(graph)?;
        graph
            .nodes
            .get_mut(&node)
            .ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)
    }

    /// Adds a node to a graph, behind nodes of the same graph.
    pub(crate) fn add_node(
        &mut self,
        graph: CUgraph,
        kind: Kind,
        after: &[CUgraphNode],
    ) -> Reply<CUgraphNode> {
        let found = self.graphs.get(graph)?;
        let behind: BTreeSet<_> = after.iter().copied().collect();
        let foreign = behind.iter().find(|node| !found.nodes.contains_key(node));
        if let Some(node) = foreign {
            let reason = format!("{:#x} is no node of the graph", node.0);
            return Err(because(CUresult::CUDA_ERROR_INVALID_VALUE, reason));
        }
        if behind.len() != after.len() {
            let reason = "a dependency is named twice".to_owned();
            return Err(because(CUresult::CUDA_ERROR_INVALID_VALUE, reason));
        }
        let handle = new_node();
        let found = self.graphs.get_mut(graph)?;
        found.nodes.insert(handle, Node::new(kind, behind));
        Ok(handle)
    }

    /// Returns a copy of a graph, whose children are copies too.
    pub(crate) fn clone_graph(
        &mut self,
        graph: CUgraph,
        parent: Option<CUgraph>,
    ) -> Reply<CUgraph> {
        let Graph { nodes, parent: _ } = self.graphs.get(graph)?.clone();
        let names: BTreeMap<_, _> = nodes.keys().map(|&node| (node, new_node())).collect();
        let copy = self.graphs.add(Graph {
            nodes: BTreeMap::new(),
            parent,
        });
        let mut copies = BTreeMap::new();
        for (handle, mut node) in nodes {
            if let Kind::Child(child) = node.kind {
                node.kind = Kind::Child(self.clone_graph(child, Some(copy))?);
            }
            node.after = node.after.iter().map(|before| names[before]).collect();
            node.original = Some(handle);
            copies.insert(names[&handle], node);
        }
        self.graphs.get_mut(copy)?.nodes = copies;
        Ok(copy)
    }

    /// Destroys a graph and those of its children.
    pub(crate) fn destroy_graph(&mut self, graph: CUgraph) -> Reply {
        let Graph { nodes, .. } = self.graphs.remove(graph)?;
        for node in nodes.values() {
            if let Kind::Child(child) = node.kind {
                // A child is there as long as its node.
                let _destroyed = self.destroy_graph(child);
            }
        }
        self.drop_memory(nodes.into_values());
        Ok(())
    }

    /// Frees the memory of nodes that nothing else refers to.
    pub(crate) fn drop_memory(&mut self, nodes: impl Iterator<Item = Node>) {
        for node in nodes {
            if let Kind::Allocate(_, memory) = node.kind
                && let Some(GraphMemory(allocation)) = Arc::into_inner(memory)
            {
                self.graph_memory.remove(&allocation.base());
                self.drop_contents(allocation.base());
                self.memory.free(&allocation, "the end of its graph");
                self.races.forget(allocation.base());
            }
        }
    }

    fn children(&self, graph: &Graph, children: &mut BTreeMap<CUgraph, Graph>) -> Reply {
        for node in graph.nodes.values() {
            if let Kind::Child(child) = node.kind {
                let found = self.graphs.get(child)?.clone();
                self.children(&found, children)?;
                children.insert(child, found);
            }
        }
        Ok(())
    }

    /// Makes an executable graph of a graph.
    pub(crate) fn instantiate(&mut self, graph: CUgraph, flags: u64) -> Reply<CUgraphExec> {
        let graph = self.graphs.get(graph)?.clone();
        let mut exec = Exec {
            flags,
            graph,
            children: BTreeMap::new(),
            flat: Vec::new(),
            lanes: Vec::new(),
            last: None,
        };
        self.rebuild(&mut exec)?;
        Ok(self.execs.add(exec))
    }

    /// Makes the list of a changed graph.
    fn rebuild(&mut self, exec: &mut Exec) -> Reply {
        let mut children = std::mem::take(&mut exec.children);
        if children.is_empty() {
            self.children(&exec.graph, &mut children)?;
        }
        let mut flat = Vec::new();
        flatten(&exec.graph, &children, &[], &mut flat)
            .ok_or(CUresult::CUDA_ERROR_INVALID_VALUE)?;
        let lanes = assign_lanes(&mut flat);
        while exec.lanes.len() < lanes {
            exec.lanes.push((self.next_agent(), 0));
        }
        exec.children = children;
        exec.flat = flat;
        Ok(())
    }

    /// Changes a node of an executable graph.
    pub(crate) fn change(
        &mut self,
        handle: CUgraphExec,
        node: CUgraphNode,
        change: impl FnOnce(&mut Node) -> Reply,
    ) -> Reply {
        self.execs.get(handle)?;
        let mut exec = self.execs.remove(handle)?;
        let found = exec
            .graph
            .nodes
            .get_mut(&node)
            .ok_or(CUresult::CUDA_ERROR_INVALID_VALUE);
        let result = found
            .and_then(change)
            .and_then(|()| self.rebuild(&mut exec));
        self.execs.put(handle, exec);
        result
    }

    /// Takes over the parameters of the nodes of a graph. Fails if it is not the same but for parameters.
    pub(crate) fn update(
        &mut self,
        handle: CUgraphExec,
        graph: CUgraph,
    ) -> Reply<Result<(), (Difference, Option<CUgraphNode>)>> {
        let new = self.graphs.get(graph)?.clone();
        let old = &self.execs.get(handle)?.graph;
        let places = |graph: &Graph| -> BTreeMap<CUgraphNode, usize> {
            graph
                .nodes
                .keys()
                .copied()
                .enumerate()
                .map(|(place, node)| (node, place))
                .collect()
        };
        let (old_places, new_places) = (places(old), places(&new));
        if old.nodes.len() != new.nodes.len() {
            return Ok(Err((Difference::Topology, None)));
        }
        for (old, (&handle, new)) in old.nodes.values().zip(&new.nodes) {
            let before = |places: &BTreeMap<CUgraphNode, usize>, node: &Node| -> BTreeSet<usize> {
                node.after.iter().map(|before| places[before]).collect()
            };
            if before(&old_places, old) != before(&new_places, new) {
                return Ok(Err((Difference::Topology, Some(handle))));
            }
            if old.kind.number() != new.kind.number() {
                return Ok(Err((Difference::NodeType, Some(handle))));
            }
            let differs = match (&old.kind, &new.kind) {
                (Kind::Kernel(old), Kind::Kernel(new)) => old.context != new.context,
                (Kind::Allocate(_, old), Kind::Allocate(_, new)) => !Arc::ptr_eq(old, new),
                _ => false,
            };
            if differs {
                return Ok(Err((Difference::Parameters, Some(handle))));
            }
        }
        let mut exec = self.execs.remove(handle)?;
        for (old, new) in exec.graph.nodes.values_mut().zip(new.nodes.into_values()) {
            old.kind = new.kind;
        }
        exec.children.clear();
        let rebuilt = self.rebuild(&mut exec);
        self.execs.put(handle, exec);
        rebuilt.map(Ok)
    }

    /// Puts a launch of an executable graph on a stream.
    pub(crate) fn launch_graph(&mut self, handle: CUgraphExec, stream: CUstream) -> Reply {
        let exec = self.execs.get(handle)?;
        let mut waits: Vec<Arc<Op>> = exec.last.iter().cloned().collect();
        let mut records = Vec::new();
        let mut memory = self.graph_memory.clone();
        for node in &exec.flat {
            match node.kind {
                Kind::Allocate(_, ref own) => {
                    let address = own.0.base();
                    let is_new = memory.insert(address);
                    if !is_new && exec.flags & AUTO_FREE == 0 {
                        let reason = format!(
                            "the memory of an earlier launch was not freed: {address:#x} of its allocation node"
                        );
                        return Err(because(CUresult::CUDA_ERROR_INVALID_VALUE, reason));
                    }
                }
                Kind::Free(address, _) => {
                    memory.remove(&address);
                }
                Kind::Wait(event) => waits.extend(self.events.get(event)?.recorded.clone()),
                Kind::Record(event) => {
                    self.events.get(event)?;
                    records.push(event);
                }
                _ => {}
            }
        }
        let prepared = self.prepare(stream, &waits, Start::AfterPrevious)?;
        let context = self.streams.get(stream)?.context;
        let exec = self.execs.get_mut(handle)?;
        let base = prepared.clock().clone();
        let mut points: Vec<Arc<Point>> = Vec::with_capacity(exec.flat.len());
        let mut steps = Vec::with_capacity(exec.flat.len());
        let mut all = Clock::default();
        for node in &exec.flat {
            let mut clock = base.clone();
            for &before in &node.after {
                clock.join(&points[before].clock);
                clock.note(points[before].agent, points[before].tick);
            }
            let (agent, tick) = &mut exec.lanes[node.lane];
            *tick += 1;
            all.note(*agent, *tick);
            let work = node.kind.work();
            let point = Arc::new(Point {
                agent: *agent,
                tick: *tick,
                number: race::next_number(),
                verb: work.verb(),
                name: format!("{} in graph {:#x}", node.kind.name(), handle.0),
                context,
                clock,
                early: None,
            });
            points.push(Arc::clone(&point));
            steps.push(Step {
                point,
                work: if node.is_enabled { work } else { Work::Nothing },
                after: node.after.clone(),
                lane: node.lane,
            });
        }
        let op = self.put(
            prepared,
            &format!("graph {:#x}", handle.0),
            Work::Graph(steps.into()),
            &all,
        )?;
        self.execs.get_mut(handle)?.last = Some(Arc::clone(&op));
        self.graph_memory = memory;
        for event in records {
            self.set_recorded(event, Arc::clone(&op))?;
        }
        Ok(())
    }

    /// Returns `true` if memory that begins at an address belongs to a graph.
    pub(crate) fn is_of_graph(&self, address: u64) -> bool {
        let graphs = self.graphs.iter().map(|(_, graph)| graph);
        let execs = self.execs.iter().map(|(_, exec)| &exec.graph);
        let mut nodes = graphs.chain(execs).flat_map(|graph| graph.nodes.values());
        nodes.any(
            |node| matches!(&node.kind, Kind::Allocate(_, memory) if memory.0.base() == address),
        )
    }

    /// Marks memory that an operation will free. Returns `false` if another one will.
    pub(crate) fn will_free(&self, address: u64) -> bool {
        let allocation = self.memory.begins(address);
        allocation.is_some_and(|allocation| allocation.will_free())
    }
}

/// Returns a handle for a new node.
pub(crate) fn new_node() -> CUgraphNode {
    crate::state::next_handle()
}

#[cfg(test)]
mod tests;

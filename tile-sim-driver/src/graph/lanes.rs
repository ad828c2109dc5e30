//! The nodes of an executable graph in one list, and the lanes that run them.

use std::collections::{BTreeMap, BTreeSet};

use super::{Graph, Kind};
use crate::abi::{CUgraph, CUgraphNode};

/// A node of an executable graph, with its children's in place.
#[derive(Clone, Debug)]
pub(super) struct Flat {
    pub(super) kind: Kind,
    /// The positions of the nodes that it runs after.
    pub(super) after: Vec<usize>,
    pub(super) is_enabled: bool,
    /// The lane of the graph that runs it, and its number there.
    pub(super) lane: usize,
}

/// Puts the nodes of a graph and of its children in one list.
pub(super) fn flatten(
    graph: &Graph,
    children: &BTreeMap<CUgraph, Graph>,
    roots_after: &[usize],
    list: &mut Vec<Flat>,
) -> Option<Vec<usize>> {
    let mut position: BTreeMap<CUgraphNode, usize> = BTreeMap::new();
    for handle in graph.sorted()? {
        let node = &graph.nodes[&handle];
        let mut after: Vec<usize> = node.after.iter().map(|before| position[before]).collect();
        if after.is_empty() {
            after.extend_from_slice(roots_after);
        }
        if let Kind::Child(child) = node.kind
            && node.is_enabled
            && let Some(child) = children.get(&child)
        {
            let leaves = flatten(child, children, &after, list)?;
            after.extend(leaves);
        }
        position.insert(handle, list.len());
        list.push(Flat {
            kind: node.kind.clone(),
            after,
            is_enabled: node.is_enabled,
            lane: 0,
        });
    }
    let has_successor: BTreeSet<_> = graph
        .nodes
        .values()
        .flat_map(|node| node.after.iter().copied())
        .collect();
    let leaves = position
        .into_iter()
        .filter(|(node, _)| !has_successor.contains(node));
    Some(leaves.map(|(_, place)| place).collect())
}

/// Gives each node a lane: that of a node before it, if no other took it over.
pub(super) fn assign_lanes(flat: &mut [Flat]) -> usize {
    let mut last_of_lane: Vec<usize> = Vec::new();
    for index in 0..flat.len() {
        let own = flat[index].after.iter().map(|&before| flat[before].lane);
        let lanes: Vec<usize> = own.collect();
        let before = flat[index].after.clone();
        let free = lanes
            .into_iter()
            .find(|&lane| before.contains(&last_of_lane[lane]));
        let lane = free.unwrap_or_else(|| {
            last_of_lane.push(index);
            last_of_lane.len() - 1
        });
        last_of_lane[lane] = index;
        flat[index].lane = lane;
    }
    last_of_lane.len()
}

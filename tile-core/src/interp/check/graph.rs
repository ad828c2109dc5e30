//! The happens-before order of executed memory operations.
//!
//! Every execution of a memory operation is a node. Nodes are assigned to chains such that a node
//! is ordered after all earlier nodes of its chain: a node extends a chain whose end is ordered
//! before it, or starts a new one. One look-up in a clock then decides whether one node is ordered
//! before another. A loop whose operations are ordered uses at most one chain per operation,
//! regardless of its trip count.

use super::clock::Clock;

/// The number of a node. Node 0 is the host before the launch.
pub(super) type NodeId = u32;

/// An executed memory operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The index of its [`Operation`](super::Operation).
    pub(super) operation: u32,
    /// The linear index of its block in the grid.
    pub(super) block: u32,
    chain: u32,
    position: u32,
}

/// All nodes so far.
#[derive(Debug)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    /// The position of the last node of every chain.
    ends: Vec<u32>,
    /// The chain of the last execution, per operation.
    recent: Vec<u32>,
}

impl Graph {
    pub(super) fn new(operations: usize) -> Self {
        let host = Node {
            operation: 0,
            block: 0,
            chain: 0,
            position: 0,
        };
        Self {
            nodes: vec![host],
            ends: Vec::new(),
            recent: vec![0; operations],
        }
    }

    pub(super) fn node(&self, id: NodeId) -> Node {
        self.nodes[id as usize]
    }

    /// Adds an execution of `operation`, ordered after `before`. Returns the node, and the clock
    /// for the nodes that follow it.
    pub(super) fn add(&mut self, operation: u32, block: u32, before: &Clock) -> (NodeId, Clock) {
        let is_end = |&chain: &u32| {
            let end = self.ends.get(chain as usize);
            end.is_some_and(|&end| before.get(chain) == end)
        };
        let recent = self.recent[operation as usize];
        let existing = [before.latest, recent].into_iter().find(is_end);
        let chain = existing.unwrap_or_else(|| {
            self.ends.push(0);
            count(self.ends.len() - 1)
        });
        let end = &mut self.ends[chain as usize];
        *end += 1;
        self.recent[operation as usize] = chain;
        self.nodes.push(Node {
            operation,
            block,
            chain,
            position: *end,
        });
        (count(self.nodes.len() - 1), before.at(chain, *end))
    }

    /// Returns `true` if a node is ordered before the point described by `clock`.
    pub(super) fn is_before(&self, id: NodeId, clock: &Clock) -> bool {
        let node = self.node(id);
        clock.get(node.chain) >= node.position
    }

    #[cfg(test)]
    pub(super) fn chains(&self) -> usize {
        self.ends.len()
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).expect("memory ends before 2^32 operations have run")
}

#[cfg(test)]
mod tests {
    use super::{Clock, Graph};

    #[test]
    fn a_loop_of_ordered_operations_needs_a_chain_per_operation() {
        let mut graph = Graph::new(3);
        let mut token = Clock::default();
        let mut first = None;
        for _ in 0..1000 {
            // Add two loads after the last store, and a store after both loads.
            let (load, mut one) = graph.add(0, 0, &token);
            let (_, two) = graph.add(1, 0, &token);
            assert!(!graph.is_before(load, &two));
            one.join(&two);
            (_, token) = graph.add(2, 0, &one);
            assert!(graph.is_before(load, &token));
            first = first.or(Some(load));
        }
        assert!(graph.is_before(first.expect("it ran"), &token));
        assert_eq!(graph.chains(), 2);
    }

    #[test]
    fn operations_without_tokens_are_not_ordered() {
        let mut graph = Graph::new(1);
        let (a, after_a) = graph.add(0, 0, &Clock::default());
        let (b, after_b) = graph.add(0, 1, &Clock::default());
        assert!(graph.is_before(a, &after_a) && !graph.is_before(a, &after_b));
        assert!(graph.is_before(b, &after_b) && !graph.is_before(b, &after_a));
        assert!(graph.is_before(0, &Clock::default()));
    }
}

use super::*;

fn graph(edges: &[(usize, usize)], count: usize) -> Graph {
    let mut graph = Graph::default();
    for node in 0..count {
        graph
            .nodes
            .insert(CUgraphNode(node), Node::new(Kind::Empty, BTreeSet::new()));
    }
    for &(from, to) in edges {
        let node = graph.nodes.get_mut(&CUgraphNode(to)).expect("a node");
        node.after.insert(CUgraphNode(from));
    }
    graph
}

#[test]
fn nodes_are_sorted_by_their_edges() {
    let sorted = graph(&[(2, 0), (0, 1)], 3).sorted();
    assert_eq!(
        sorted,
        Some(vec![CUgraphNode(2), CUgraphNode(0), CUgraphNode(1)])
    );
    assert_eq!(graph(&[(0, 1), (1, 0)], 2).sorted(), None);
}

#[test]
fn a_chain_has_one_lane_and_branches_have_their_own() {
    let lanes = |edges: &[(usize, usize)], count| {
        let mut flat = Vec::new();
        flatten(&graph(edges, count), &BTreeMap::new(), &[], &mut flat).expect("no cycle");
        assign_lanes(&mut flat)
    };
    assert_eq!(lanes(&[(0, 1), (1, 2), (2, 3)], 4), 1);
    assert_eq!(lanes(&[(0, 1), (0, 2), (1, 3), (2, 3)], 4), 2);
    assert_eq!(lanes(&[], 3), 3);
}

#[test]
fn ends_lead_back_to_every_node_or_not() {
    let fork = graph(&[(0, 1), (0, 2)], 3);
    assert!(!fork.leads_to(&BTreeSet::from([CUgraphNode(1)])));
    assert!(fork.leads_to(&BTreeSet::from([CUgraphNode(1), CUgraphNode(2)])));
}

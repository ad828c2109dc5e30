//! The reconvergence order: the order in which diverged groups of a warp run, so that they
//! reconverge.
//!
//! The input is a control-flow graph; the output is a position for each basic block. A block is
//! positioned after all its predecessors, and the exits of a loop after the whole loop. A warp that
//! always runs the group with the smallest position therefore brings all lanes to a join point
//! before any of them passes it. This is a weak topological order (Bourdoncle, "Efficient chaotic
//! iteration strategies with widenings", 1993), which exists for every graph.

/// Returns the position of each block.
pub(crate) fn order(successors: &[Vec<usize>]) -> Vec<u32> {
    let mut positions = vec![0; successors.len()];
    let mut next = 0;
    let mut solver = Solver::new(successors);
    let mut work = vec![Work::Solve((0..successors.len()).collect())];
    while let Some(item) = work.pop() {
        match item {
            Work::Emit(block) => {
                positions[block] = next;
                next += 1;
            }
            Work::Solve(blocks) => {
                // Components are in reverse order, as the stack requires.
                for component in solver.components(&blocks) {
                    let head = component[0];
                    if component.len() > 1 {
                        work.push(Work::Solve(component[1..].to_vec()));
                    }
                    work.push(Work::Emit(head));
                }
            }
        }
    }
    positions
}

enum Work {
    Emit(usize),
    /// Blocks whose nested loops are still to be found; edges to other blocks are ignored.
    Solve(Vec<usize>),
}

/// Tarjan's algorithm for strongly connected components, without recursion.
struct Solver<'a> {
    successors: &'a [Vec<usize>],
    /// The number of the `components` call that a block belongs to.
    member: Vec<u32>,
    call: u32,
    number: Vec<u32>,
    low: Vec<u32>,
    on_stack: Vec<bool>,
}

impl<'a> Solver<'a> {
    fn new(successors: &'a [Vec<usize>]) -> Self {
        let count = successors.len();
        Self {
            successors,
            member: vec![0; count],
            call: 0,
            number: vec![0; count],
            low: vec![0; count],
            on_stack: vec![false; count],
        }
    }

    /// Returns the strongly connected components of `blocks`, each after its successors. The first
    /// block of a component is its entry in the traversal.
    fn components(&mut self, blocks: &[usize]) -> Vec<Vec<usize>> {
        self.call += 1;
        for &block in blocks {
            self.member[block] = self.call;
            self.number[block] = 0;
        }
        let mut components = Vec::new();
        let mut stack = Vec::new();
        let mut next = 0;
        for &root in blocks {
            if self.number[root] != 0 {
                continue;
            }
            // A block, and the number of its visited successors.
            let mut path = vec![(root, 0)];
            while let Some((block, done)) = path.last_mut() {
                let block = *block;
                if *done == 0 && self.number[block] == 0 {
                    next += 1;
                    self.number[block] = next;
                    self.low[block] = next;
                    self.on_stack[block] = true;
                    stack.push(block);
                }
                if let Some(&successor) = self.successors[block].get(*done) {
                    *done += 1;
                    if self.member[successor] != self.call {
                        continue;
                    }
                    if self.number[successor] == 0 {
                        path.push((successor, 0));
                    } else if self.on_stack[successor] {
                        self.low[block] = self.low[block].min(self.number[successor]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    self.low[parent] = self.low[parent].min(self.low[block]);
                }
                if self.low[block] == self.number[block] {
                    let position = stack.iter().rposition(|&other| other == block);
                    let component = stack.split_off(position.expect("the root is on the stack"));
                    for &member in &component {
                        self.on_stack[member] = false;
                    }
                    components.push(component);
                }
            }
        }
        components
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(positions: &[u32], first: usize, second: usize) {
        assert!(positions[first] < positions[second], "{positions:?}");
    }

    #[test]
    fn a_diamond_joins_last() {
        let positions = order(&[vec![2, 1], vec![3], vec![3], vec![]]);
        before(&positions, 0, 1);
        before(&positions, 1, 3);
        before(&positions, 2, 3);
    }

    #[test]
    fn the_exit_of_a_loop_comes_behind_its_whole_body() {
        // 0 -> 1 -> {4, 2}, 2 -> 3 -> 1; the exit is the first or the last successor.
        for exits in [vec![4, 2], vec![2, 4]] {
            let positions = order(&[vec![1], exits, vec![3], vec![1], vec![]]);
            for inside in 1..4 {
                before(&positions, inside, 4);
            }
        }
    }

    #[test]
    fn the_exit_of_an_inner_loop_comes_before_the_outer_exit() {
        // 1: outer header, 2: inner header and latch, 3: outer latch, 4: exit.
        let positions = order(&[vec![1], vec![2], vec![3, 2], vec![4, 1], vec![]]);
        before(&positions, 2, 3);
        before(&positions, 3, 4);
    }

    #[test]
    fn irreducible_graphs_have_an_order() {
        let mut positions = order(&[vec![1, 2], vec![2, 3], vec![1], vec![]]);
        before(&positions, 1, 3);
        positions.sort_unstable();
        assert_eq!(positions, [0, 1, 2, 3]);
    }
}

//! In which order the groups of a warp that parted should run, so that they meet again.
//!
//! In: basic blocks and their successors. Out: a position for each block. A block comes behind all
//! blocks that lead to it, and whatever a loop leads to comes behind the whole loop; so a warp that
//! always runs the group with the least position brings all lanes to a place where they join
//! before any of them passes it. This is a weak topological order (Bourdoncle, "Efficient chaotic
//! iteration strategies with widenings", 1993); it exists for every graph.

/// The position of each block.
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
                // Components come last to first, which is how a stack wants them.
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
    /// Blocks whose loops are still to be found, apart from edges to blocks not among them.
    Solve(Vec<usize>),
}

/// Tarjan's strongly connected components, without recursion.
struct Solver<'a> {
    successors: &'a [Vec<usize>],
    /// Which call of `components` a block belongs to.
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

    /// Components of the graph of `blocks`, each behind those it leads to; in each, the block by
    /// which the walk entered it is first.
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
            // Block, and how many of its successors are done.
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
                    let at = stack.iter().rposition(|&other| other == block);
                    let component = stack.split_off(at.expect("the root is on the stack"));
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
        // 0 -> 1 -> {4, 2}, 2 -> 3 -> 1; the exit stands first among the successors, or last.
        for exits in [vec![4, 2], vec![2, 4]] {
            let positions = order(&[vec![1], exits, vec![3], vec![1], vec![]]);
            for inside in 1..4 {
                before(&positions, inside, 4);
            }
        }
    }

    #[test]
    fn the_exit_of_an_inner_loop_comes_before_the_outer_exit() {
        // 1: outer head, 2: inner head and latch, 3: outer latch, 4: exit.
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

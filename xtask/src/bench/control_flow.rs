//! Finds the natural loops of machine code.
//!
//! The control-flow graph has one node per instruction, the first of which is the entry. A natural
//! loop is a head that dominates the source of a back edge to it, and all instructions that reach
//! this source without passing the head.

use std::collections::BTreeSet;

/// The successors of an instruction, as indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Next {
    /// `true` if the next instruction is a successor.
    pub(super) falls_through: bool,
    /// The target of a branch.
    pub(super) target: Option<usize>,
}

/// The instructions of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Loop {
    /// The instruction that dominates the loop.
    head: usize,
    /// All instructions, by index.
    pub(super) body: BTreeSet<usize>,
}

impl Loop {
    /// Returns `true` if `other` is nested in this loop.
    pub(super) fn contains(&self, other: &Self) -> bool {
        self.head != other.head && self.body.is_superset(&other.body)
    }

    /// Returns `true` if this loop has an iteration without instructions of `inner`.
    pub(super) fn goes_round(&self, flow: &[Next], inner: &Self) -> bool {
        let allowed = |index: usize| self.body.contains(&index) && !inner.body.contains(&index);
        let mut open: Vec<usize> = successors(flow, self.head).collect();
        let mut seen = BTreeSet::new();
        while let Some(index) = open.pop() {
            if index == self.head {
                return true;
            }
            if allowed(index) && seen.insert(index) {
                open.extend(successors(flow, index));
            }
        }
        false
    }
}

/// Returns all loops, one for each head.
pub(super) fn loops(flow: &[Next]) -> Vec<Loop> {
    let mut predecessors = vec![Vec::new(); flow.len()];
    for index in 0..flow.len() {
        for next in successors(flow, index) {
            predecessors[next].push(index);
        }
    }
    let reached = reached(flow, None);
    let mut loops: Vec<Loop> = Vec::new();
    for (end, next) in flow.iter().enumerate() {
        let Some(head) = next.target.filter(|&head| head <= end && reached[end]) else {
            continue;
        };
        let passes_head = head == end || !self::reached(flow, Some(head))[end];
        if !passes_head {
            continue;
        }
        let mut body = BTreeSet::from([head]);
        let mut open = vec![end];
        while let Some(index) = open.pop() {
            if reached[index] && body.insert(index) {
                open.extend(&predecessors[index]);
            }
        }
        match loops.iter_mut().find(|known_loop| known_loop.head == head) {
            Some(known_loop) => known_loop.body.extend(body),
            None => loops.push(Loop { head, body }),
        }
    }
    loops
}

fn successors(flow: &[Next], index: usize) -> impl Iterator<Item = usize> {
    let next = &flow[index];
    let behind = (next.falls_through && index + 1 < flow.len()).then_some(index + 1);
    let target = next.target.filter(|&target| target < flow.len());
    behind.into_iter().chain(target)
}

/// Returns the instructions that are reachable from the entry without passing through `without`.
fn reached(flow: &[Next], without: Option<usize>) -> Vec<bool> {
    let mut reached = vec![false; flow.len()];
    let mut open = if flow.is_empty() { vec![] } else { vec![0] };
    while let Some(index) = open.pop() {
        if Some(index) == without || std::mem::replace(&mut reached[index], true) {
            continue;
        }
        open.extend(successors(flow, index));
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a graph from `(falls through, target)` of each instruction.
    fn flow(list: &[(bool, Option<usize>)]) -> Vec<Next> {
        list.iter()
            .map(|&(falls_through, target)| Next {
                falls_through,
                target,
            })
            .collect()
    }

    #[test]
    fn what_is_elsewhere_and_comes_back_is_in_the_loop() {
        // 0; 1: wait, to 4 if it is not over; 2; 3: back to 1; 4: try again; 5: to 2; 6
        let flow = flow(&[
            (true, None),
            (true, Some(4)),
            (true, None),
            (true, Some(1)),
            (true, Some(4)),
            (false, Some(2)),
            (false, None),
        ]);
        let loops_found = loops(&flow);
        let bodies: Vec<Vec<usize>> = loops_found
            .iter()
            .map(|one| one.body.iter().copied().collect())
            .collect();
        assert_eq!(bodies, [vec![1, 2, 3, 4, 5], vec![4]]);
        assert!(
            loops_found[0].contains(&loops_found[1]) && !loops_found[1].contains(&loops_found[0])
        );
        assert!(loops_found[0].goes_round(&flow, &loops_found[1]));
    }

    #[test]
    fn a_loop_that_is_always_run_is_not_gone_round() {
        // 0; 1: to itself; 2: back to 0
        let flow = flow(&[(true, None), (true, Some(1)), (true, Some(0))]);
        let loops_found = loops(&flow);
        assert_eq!(loops_found.len(), 2);
        assert!(!loops_found[1].goes_round(&flow, &loops_found[0]));
    }

    #[test]
    fn what_is_never_reached_is_no_loop() {
        let flow = flow(&[(false, None), (false, Some(1))]);
        assert_eq!(loops(&flow), []);
        assert_eq!(loops(&[]), []);
    }
}

//! Asynchronous copies of a warp that are under way.

use std::collections::VecDeque;

/// A copy of at most 16 bytes to shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    pub(crate) to: usize,
    pub(crate) from: u64,
    pub(crate) bytes: usize,
    /// How many of them are read.
    pub(crate) read: usize,
}

#[derive(Clone, Debug, Default)]
struct Lane {
    open: Vec<Copy>,
    groups: VecDeque<Vec<Copy>>,
}

/// The copies of each lane, in groups.
#[derive(Clone, Debug)]
pub(crate) struct Copies {
    lanes: Vec<Lane>,
}

impl Copies {
    pub(crate) fn new() -> Self {
        Self {
            lanes: vec![Lane::default(); 32],
        }
    }

    pub(crate) fn start(&mut self, lane: usize, copy: Copy) {
        self.lanes[lane].open.push(copy);
    }

    /// What was started since becomes a group.
    pub(crate) fn commit(&mut self, lane: usize) {
        let lane = &mut self.lanes[lane];
        let open = std::mem::take(&mut lane.open);
        lane.groups.push_back(open);
    }

    /// Takes the oldest groups, until `left` remain; all copies if `None`.
    pub(crate) fn finish(&mut self, lane: usize, left: Option<u64>) -> Vec<Copy> {
        let lane = &mut self.lanes[lane];
        let mut done = Vec::new();
        while lane.groups.len() as u64 > left.unwrap_or(0) {
            done.extend(lane.groups.pop_front().expect("there is one more"));
        }
        if left.is_none() {
            done.append(&mut lane.open);
        }
        done
    }
}

//! Asynchronous operations of threads that are under way, in groups.

use std::collections::VecDeque;

use super::bulk::Stores;

/// A copy of at most 16 bytes to shared memory (`cp.async`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    /// Offset in the shared memory of the block.
    pub(crate) to: usize,
    pub(crate) from: u64,
    pub(crate) bytes: usize,
    /// How many of them are read.
    pub(crate) read: usize,
}

/// Operations of one thread: those of no group yet, and groups in their order.
#[derive(Clone, Debug)]
pub(crate) struct Groups<T> {
    open: Vec<T>,
    groups: VecDeque<Vec<T>>,
}

impl<T> Default for Groups<T> {
    fn default() -> Self {
        Self {
            open: Vec::new(),
            groups: VecDeque::new(),
        }
    }
}

impl<T> Groups<T> {
    pub(crate) fn start(&mut self, operation: T) {
        self.open.push(operation);
    }

    /// What was started since becomes a group.
    pub(crate) fn commit(&mut self) {
        self.groups.push_back(std::mem::take(&mut self.open));
    }

    /// Takes the oldest groups, until `left` remain; all operations if `None`.
    pub(crate) fn finish(&mut self, left: Option<u64>) -> Vec<T> {
        let mut done = Vec::new();
        while self.groups.len() as u64 > left.unwrap_or(0) {
            done.extend(self.groups.pop_front().expect("there is one more"));
        }
        if left.is_none() {
            done.append(&mut self.open);
        }
        done
    }

    /// Those of the oldest groups, all but `left`.
    pub(crate) fn oldest_mut(&mut self, left: u64) -> impl Iterator<Item = &mut T> {
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        let count = self.groups.len().saturating_sub(left);
        self.groups.iter_mut().take(count).flatten()
    }

    /// Takes the oldest groups, until `left` remain; what is of no group stays.
    pub(crate) fn finish_committed(&mut self, left: u64) -> Vec<T> {
        let mut done = Vec::new();
        while self.groups.len() as u64 > left {
            done.extend(self.groups.pop_front().expect("there is one more"));
        }
        done
    }

    /// All that is under way, oldest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.groups.iter().flatten().chain(&self.open)
    }
}

/// The copies of each lane of a warp.
#[derive(Clone, Debug)]
pub(crate) struct Copies {
    lanes: Vec<Groups<Copy>>,
    /// Bulk copies to global memory.
    pub(crate) stores: Stores,
}

impl Copies {
    pub(crate) fn new() -> Self {
        Self {
            lanes: vec![Groups::default(); 32],
            stores: vec![Groups::default(); 32],
        }
    }

    pub(crate) fn start(&mut self, lane: usize, copy: Copy) {
        self.lanes[lane].start(copy);
    }

    /// What a lane started since becomes a group.
    pub(crate) fn commit(&mut self, lane: usize) {
        self.lanes[lane].commit();
    }

    /// Takes the oldest groups of a lane, until `left` remain; all copies if `None`.
    pub(crate) fn finish(&mut self, lane: usize, left: Option<u64>) -> Vec<Copy> {
        self.lanes[lane].finish(left)
    }
}

//! The asynchronous operations in flight of each thread, in groups.

use std::collections::VecDeque;

use super::bulk::Stores;

/// A copy of at most 16 bytes to shared memory (`cp.async`).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copy {
    /// The offset in the shared memory of the block.
    pub(crate) to: usize,
    pub(crate) from: u64,
    pub(crate) bytes: usize,
    /// The number of bytes that are read; the rest is zero-filled.
    pub(crate) read: usize,
}

/// The operations of one thread: uncommitted ones, and groups in order.
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

    /// Commits the uncommitted operations to a group.
    pub(crate) fn commit(&mut self) {
        self.groups.push_back(std::mem::take(&mut self.open));
    }

    /// Removes the oldest groups until `left` remain; with `None`, all operations.
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

    /// Iterates over the operations of all but the newest `left` groups.
    pub(crate) fn oldest_mut(&mut self, left: u64) -> impl Iterator<Item = &mut T> {
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        let count = self.groups.len().saturating_sub(left);
        self.groups.iter_mut().take(count).flatten()
    }

    /// Removes the oldest groups until `left` remain. Uncommitted operations remain too.
    pub(crate) fn finish_committed(&mut self, left: u64) -> Vec<T> {
        let mut done = Vec::new();
        while self.groups.len() as u64 > left {
            done.extend(self.groups.pop_front().expect("there is one more"));
        }
        done
    }

    /// Iterates over all operations in flight, from the oldest.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.groups.iter().flatten().chain(&self.open)
    }
}

/// The copies of one lane, from the oldest.
#[derive(Clone, Debug, Default)]
struct Queue {
    copies: VecDeque<Copy>,
    /// The end of each group, as a count of copies started.
    ends: VecDeque<u64>,
    started: u64,
    taken: u64,
}

/// The copies in flight of each lane of a warp.
#[derive(Clone, Debug)]
pub(crate) struct Copies {
    lanes: Vec<Queue>,
    /// Bulk copies to global memory.
    pub(crate) stores: Stores,
}

impl Copies {
    pub(crate) fn new() -> Self {
        Self {
            lanes: vec![Queue::default(); 32],
            stores: vec![Groups::default(); 32],
        }
    }

    pub(crate) fn start(&mut self, lane: usize, copy: Copy) {
        let queue = &mut self.lanes[lane];
        queue.copies.push_back(copy);
        queue.started += 1;
    }

    /// Commits the uncommitted copies of a lane to a group.
    pub(crate) fn commit(&mut self, lane: usize) {
        let queue = &mut self.lanes[lane];
        queue.ends.push_back(queue.started);
    }

    /// Removes the oldest copy of a lane while more than `left` groups remain; any copy if `None`.
    pub(crate) fn next(&mut self, lane: usize, left: Option<u64>) -> Option<Copy> {
        let queue = &mut self.lanes[lane];
        let Some(left) = left else {
            queue.ends.clear();
            queue.taken = queue.started;
            return queue.copies.pop_front();
        };
        while queue.ends.len() as u64 > left {
            if queue.taken < *queue.ends.front()? {
                queue.taken += 1;
                return queue.copies.pop_front();
            }
            queue.ends.pop_front();
        }
        None
    }
}

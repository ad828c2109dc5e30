//! The order of operations in each block.
//!
//! Each block has a doubly linked list: inserting, moving and removing an operation take constant
//! time.

use crate::ir::{BlockId, OpId};

/// The absence of an operation.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Link {
    next: u32,
    prev: u32,
}

const ALONE: Link = Link {
    next: NONE,
    prev: NONE,
};

#[derive(Clone, Copy, Debug)]
struct Ends {
    first: u32,
    last: u32,
}

const EMPTY: Ends = Ends {
    first: NONE,
    last: NONE,
};

/// The order of operations in all blocks.
#[derive(Debug, Default)]
pub(super) struct Order {
    links: Vec<Link>,
    ends: Vec<Ends>,
}

impl Order {
    /// Returns an order with room for `ops` operations and `blocks` blocks, which are all empty.
    pub(super) fn with_room(ops: usize, blocks: usize) -> Self {
        Self {
            links: vec![ALONE; ops],
            ends: vec![EMPTY; blocks],
        }
    }

    pub(super) fn first(&self, block: BlockId) -> Option<OpId> {
        id(self.ends.get(block.index()).copied().unwrap_or(EMPTY).first)
    }

    pub(super) fn last(&self, block: BlockId) -> Option<OpId> {
        id(self.ends.get(block.index()).copied().unwrap_or(EMPTY).last)
    }

    pub(super) fn next(&self, op: OpId) -> Option<OpId> {
        id(self.links[op.index()].next)
    }

    pub(super) fn prev(&self, op: OpId) -> Option<OpId> {
        id(self.links[op.index()].prev)
    }

    /// Inserts an operation that is in no block into `block`: before `before`, or at the end.
    pub(super) fn insert(&mut self, block: BlockId, before: Option<OpId>, op: OpId) {
        if self.links.len() <= op.index() {
            self.links.resize(op.index() + 1, ALONE);
        }
        if self.ends.len() <= block.index() {
            self.ends.resize(block.index() + 1, EMPTY);
        }
        let next = number(before);
        let prev = match before {
            Some(before) => self.links[before.index()].prev,
            None => self.ends[block.index()].last,
        };
        self.links[op.index()] = Link { next, prev };
        self.join(block, prev, number(Some(op)));
        self.join(block, number(Some(op)), next);
    }

    /// Removes an operation from `block`.
    pub(super) fn remove(&mut self, block: BlockId, op: OpId) {
        let Link { next, prev } = std::mem::replace(&mut self.links[op.index()], ALONE);
        self.join(block, prev, next);
    }

    /// Links `next` after `prev`; either may be an end of the block.
    fn join(&mut self, block: BlockId, prev: u32, next: u32) {
        let ends = &mut self.ends[block.index()];
        match prev {
            NONE => ends.first = next,
            prev => self.links[prev as usize].next = next,
        }
        match next {
            NONE => ends.last = prev,
            next => self.links[next as usize].prev = prev,
        }
    }
}

fn id(number: u32) -> Option<OpId> {
    (number != NONE).then(|| OpId::new(number as usize))
}

fn number(op: Option<OpId>) -> u32 {
    op.map_or(NONE, |op| {
        u32::try_from(op.index()).expect("fewer than 2^32 operations")
    })
}

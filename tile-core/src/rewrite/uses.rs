//! The use lists of values.
//!
//! Every operand of every operation is a *use*, a node of the doubly linked list of its value.
//! Adding, removing and moving a use take constant time, however many uses a value has. The uses of
//! one operation are contiguous.

use crate::ir::{OpId, ValueId};

/// The absence of a node.
const NONE: u32 = u32::MAX;

/// An operand, as a node of the list of its value. The index of the operand follows from the index
/// of the node.
#[derive(Clone, Copy, Debug)]
struct Use {
    user: OpId,
    next: u32,
    prev: u32,
}

/// The use list of one value.
#[derive(Clone, Copy, Debug)]
struct List {
    first: u32,
    len: u32,
}

const EMPTY: List = List {
    first: NONE,
    len: 0,
};

/// The uses of all values.
#[derive(Debug, Default)]
pub(super) struct Uses {
    nodes: Vec<Use>,
    /// The list of each value.
    lists: Vec<List>,
    /// For each operation, the node of its first operand.
    bases: Vec<u32>,
}

impl Uses {
    /// Returns use lists with room for `ops` operations and `values` values, all without uses.
    pub(super) fn with_room(ops: usize, values: usize) -> Self {
        Self {
            nodes: Vec::with_capacity(2 * values),
            lists: vec![EMPTY; values],
            bases: vec![NONE; ops],
        }
    }

    /// Registers the operands of an operation, none of which may be registered yet.
    pub(super) fn enter(&mut self, user: OpId, operands: &[ValueId]) {
        if self.bases.len() <= user.index() {
            self.bases.resize(user.index() + 1, NONE);
        }
        let base = small(self.nodes.len());
        self.bases[user.index()] = base;
        for (index, &value) in (0..).zip(operands) {
            self.nodes.push(Use {
                user,
                next: NONE,
                prev: NONE,
            });
            self.link(base + index, value);
        }
    }

    /// Removes the operands of an operation.
    pub(super) fn leave(&mut self, user: OpId, operands: &[ValueId]) {
        let base = self.bases[user.index()];
        for (index, &value) in (0..).zip(operands) {
            self.unlink(base + index, value);
        }
        self.bases[user.index()] = NONE;
    }

    /// Changes operand number `index` of `user` from `from` to `to`.
    pub(super) fn change(&mut self, user: OpId, index: usize, from: ValueId, to: ValueId) {
        let node = self.bases[user.index()] + small(index);
        self.unlink(node, from);
        self.link(node, to);
    }

    /// Returns the number of operands that are `value`.
    pub(super) fn count(&self, value: ValueId) -> usize {
        self.lists
            .get(value.index())
            .map_or(0, |list| list.len as usize)
    }

    /// Returns the users of `value`, each with the index of the operand, the latest first.
    pub(super) fn uses_of(&self, value: ValueId) -> impl Iterator<Item = (OpId, usize)> + '_ {
        let first = self
            .lists
            .get(value.index())
            .map_or(NONE, |list| list.first);
        let node = |node_index: u32| {
            (node_index != NONE).then(|| (node_index, self.nodes[node_index as usize]))
        };
        std::iter::successors(node(first), move |(_, used)| node(used.next)).map(
            |(node_index, used)| {
                (
                    used.user,
                    (node_index - self.bases[used.user.index()]) as usize,
                )
            },
        )
    }

    fn link(&mut self, node: u32, value: ValueId) {
        if self.lists.len() <= value.index() {
            self.lists.resize(value.index() + 1, EMPTY);
        }
        let list = &mut self.lists[value.index()];
        let next = std::mem::replace(&mut list.first, node);
        list.len += 1;
        let used = &mut self.nodes[node as usize];
        (used.next, used.prev) = (next, NONE);
        if next != NONE {
            self.nodes[next as usize].prev = node;
        }
    }

    fn unlink(&mut self, node: u32, value: ValueId) {
        let Use { next, prev, .. } = self.nodes[node as usize];
        let list = &mut self.lists[value.index()];
        list.len -= 1;
        match prev {
            NONE => list.first = next,
            prev => self.nodes[prev as usize].next = next,
        }
        if next != NONE {
            self.nodes[next as usize].prev = prev;
        }
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).expect("fewer than 2^32 operands")
}

#[cfg(test)]
mod tests {
    use super::Uses;
    use crate::ir::{OpId, ValueId};

    fn users(uses: &Uses, value: usize) -> Vec<(usize, usize)> {
        let mut users: Vec<_> = uses
            .uses_of(ValueId::new(value))
            .map(|(op, index)| (op.index(), index))
            .collect();
        users.sort_unstable();
        assert_eq!(users.len(), uses.count(ValueId::new(value)));
        users
    }

    #[test]
    fn uses_are_entered_changed_and_removed() {
        let (a, b) = (ValueId::new(0), ValueId::new(1));
        let mut uses = Uses::with_room(2, 1);
        uses.enter(OpId::new(0), &[a, b, a]);
        uses.enter(OpId::new(5), &[a]);
        assert_eq!(users(&uses, 0), [(0, 0), (0, 2), (5, 0)]);
        assert_eq!(users(&uses, 1), [(0, 1)]);
        uses.change(OpId::new(0), 2, a, b);
        assert_eq!(users(&uses, 0), [(0, 0), (5, 0)]);
        assert_eq!(users(&uses, 1), [(0, 1), (0, 2)]);
        uses.leave(OpId::new(0), &[a, b, b]);
        assert_eq!(users(&uses, 0), [(5, 0)]);
        assert_eq!(users(&uses, 1), []);
        assert_eq!(users(&uses, 9), []);
    }
}

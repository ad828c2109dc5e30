//! The order of memory accesses, and which of them may alias.

use super::{OpId, Root, Roots};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The order of the accesses of a kernel, and which of them may alias.
#[derive(Clone, Debug, Default)]
pub struct Order {
    /// The paths of tokens from one operation of Tile IR to another.
    pub paths: TokenPaths,
    /// For each access, the number of the Tile IR operation that it was lowered from.
    pub numbers: FxHashMap<OpId, u32>,
    /// The objects that several pointers may reach.
    pub aliasing: Aliasing,
    /// `alloca`s in loops: each iteration has its own instance, in the same memory.
    pub reused: Vec<usize>,
}

impl Order {
    /// Returns `true` if a token may order `before` before `after`.
    pub fn precedes(&self, before: OpId, after: OpId) -> bool {
        match (self.numbers.get(&before), self.numbers.get(&after)) {
            (Some(&before), Some(&after)) => self.paths.lead(before, after),
            _ => true,
        }
    }
}

/// The pairs of numbered operations that a path of tokens connects.
#[derive(Clone, Debug, Default)]
pub struct TokenPaths {
    /// Bit `b` of row `a`: a path leads from `a` to `b`.
    rows: Vec<Vec<u64>>,
}

impl TokenPaths {
    /// Creates the paths from a row of bits for each operation.
    pub(crate) fn new(rows: Vec<Vec<u64>>) -> Self {
        Self { rows }
    }

    /// Returns the rows of bits.
    pub(super) fn rows(&self) -> &[Vec<u64>] {
        &self.rows
    }

    /// Returns `true` if a path leads from number `before` to number `after`.
    pub fn lead(&self, before: u32, after: u32) -> bool {
        self.rows[before as usize][after as usize / 64] >> (after % 64) & 1 != 0
    }
}

/// The parameters whose memory other pointers may reach, too.
#[derive(Clone, Debug, Default)]
pub struct Aliasing {
    shared: FxHashSet<usize>,
}

impl Aliasing {
    /// Creates the set from the indices of these parameters.
    pub(crate) fn new(shared: FxHashSet<usize>) -> Self {
        Self { shared }
    }

    /// Returns the indices of these parameters.
    pub(super) fn shared(&self) -> BTreeSet<usize> {
        self.shared.iter().copied().collect()
    }

    /// Returns `true` if pointers to `a` and to `b` may alias.
    pub fn may_alias(&self, a: &Roots, b: &Roots) -> bool {
        a.iter().any(|&a| b.iter().any(|&b| self.may_meet(a, b)))
    }

    fn may_meet(&self, a: Root, b: Root) -> bool {
        let is_shared = |param| self.shared.contains(&param);
        let has_address = |root| match root {
            Root::Param(param) => is_shared(param),
            Root::Variable(_) | Root::Local(_) | Root::Anywhere => true,
        };
        match (a, b) {
            (Root::Anywhere, other) | (other, Root::Anywhere) => has_address(other),
            (Root::Param(a), Root::Param(b)) => a == b || is_shared(a) && is_shared(b),
            // The host may pass the address of a variable.
            (Root::Param(param), Root::Variable(_)) | (Root::Variable(_), Root::Param(param)) => {
                is_shared(param)
            }
            (Root::Variable(a), Root::Variable(b)) => a == b,
            (Root::Local(a), Root::Local(b)) => a == b,
            (Root::Local(_), Root::Param(_) | Root::Variable(_))
            | (Root::Param(_) | Root::Variable(_), Root::Local(_)) => false,
        }
    }
}

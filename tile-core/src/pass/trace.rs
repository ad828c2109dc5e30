//! What passes did.

use crate::ir::Loc;
use std::collections::BTreeMap;

/// A rewrite that took place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The name of the fold, pattern or step, such as `select_same_arms`.
    pub name: &'static str,
    /// Where the operation that it started from comes from.
    pub loc: Loc,
}

/// The rewrites of one or more passes, in the order in which they took place.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    rewrites: Vec<Rewrite>,
}

impl Trace {
    /// No rewrites.
    pub fn new() -> Self {
        Self::default()
    }

    /// The rewrites, in order.
    pub fn rewrites(&self) -> &[Rewrite] {
        &self.rewrites
    }

    /// How often each rewrite took place, by name; those that never did are not listed.
    pub fn statistics(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for rewrite in &self.rewrites {
            *counts.entry(rewrite.name).or_insert(0) += 1;
        }
        counts
    }

    /// Notes a rewrite.
    pub(crate) fn note(&mut self, name: &'static str, loc: Loc) {
        self.rewrites.push(Rewrite { name, loc });
    }

    /// How many rewrites took place.
    pub(crate) fn len(&self) -> usize {
        self.rewrites.len()
    }
}

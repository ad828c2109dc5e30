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

/// The rewrites of one or more passes: how many of each name, and, if asked for, each of
/// them in the order in which they took place.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Few names, found by where they are: a name stands once in this crate.
    counts: Vec<(&'static str, usize)>,
    total: usize,
    rewrites: Option<Vec<Rewrite>>,
}

impl Trace {
    /// No rewrites yet; only counts.
    pub fn new() -> Self {
        Self::default()
    }

    /// No rewrites yet; keeps each.
    pub fn recording() -> Self {
        Self {
            rewrites: Some(Vec::new()),
            ..Self::default()
        }
    }

    /// The rewrites, in order; none if they are only counted.
    pub fn rewrites(&self) -> &[Rewrite] {
        self.rewrites.as_deref().unwrap_or_default()
    }

    /// How many rewrites took place.
    pub fn total(&self) -> usize {
        self.total
    }

    /// How often each rewrite took place, by name; those that never did are not listed.
    pub fn statistics(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for &(name, count) in &self.counts {
            *counts.entry(name).or_insert(0) += count;
        }
        counts
    }

    /// Notes a rewrite.
    pub(crate) fn note(&mut self, name: &'static str, loc: Loc) {
        self.total += 1;
        let known = self
            .counts
            .iter_mut()
            .find(|(known, _)| std::ptr::eq(*known, name));
        match known {
            Some((_, count)) => *count += 1,
            None => self.counts.push((name, 1)),
        }
        if let Some(rewrites) = &mut self.rewrites {
            rewrites.push(Rewrite { name, loc });
        }
    }
}

//! Records the rewrites of passes.

use crate::ir::Loc;
use std::collections::BTreeMap;

/// One application of a rewrite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The name of the fold, pattern or step, such as `select_same_arms`.
    pub name: &'static str,
    /// The location of the operation that the rewrite started from.
    pub loc: Loc,
}

/// The rewrites of one or more passes: a count per name and, on request, each of them in order of
/// application.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// A list suffices, since there are few names. Each name is a literal that occurs once in this
    /// crate, so names are compared by address.
    counts: Vec<(&'static str, usize)>,
    total: usize,
    rewrites: Option<Vec<Rewrite>>,
}

impl Trace {
    /// Makes an empty trace that only counts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes an empty trace that records each rewrite.
    pub fn recording() -> Self {
        Self {
            rewrites: Some(Vec::new()),
            ..Self::default()
        }
    }

    /// Returns the rewrites, in order; none if they are only counted.
    pub fn rewrites(&self) -> &[Rewrite] {
        self.rewrites.as_deref().unwrap_or_default()
    }

    /// Returns the number of rewrites.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Returns the number of applications of each rewrite by name, omitting rewrites that were not
    /// applied.
    pub fn statistics(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for &(name, count) in &self.counts {
            *counts.entry(name).or_insert(0) += count;
        }
        counts
    }

    /// Records a rewrite.
    pub(crate) fn note(&mut self, name: &'static str, loc: Loc) {
        self.total += 1;
        let entry = self
            .counts
            .iter_mut()
            .find(|(counted, _)| std::ptr::eq(*counted, name));
        match entry {
            Some((_, count)) => *count += 1,
            None => self.counts.push((name, 1)),
        }
        if let Some(rewrites) = &mut self.rewrites {
            rewrites.push(Rewrite { name, loc });
        }
    }
}

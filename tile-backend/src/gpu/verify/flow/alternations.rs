//! Warpgroups that begin products in turns: each takes its turn and passes it on, and waits for nothing else
//! in between that the other could hold up.

use super::super::super::{Alternation, OpKind};
use std::collections::BTreeSet;

/// Where a warpgroup stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stand {
    /// There are no turns.
    Outside,
    /// It is, or will be, the turn of the other.
    Waits,
    /// It is its turn.
    Has,
}

/// Where it may stand.
#[derive(Clone, Debug)]
pub(super) struct Alternations(BTreeSet<Stand>);

impl Default for Alternations {
    fn default() -> Self {
        Self(BTreeSet::from([Stand::Outside]))
    }
}

impl Alternations {
    /// Adds where it may stand on another way. Whether that was anything new.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let before = self.0.len();
        self.0.extend(&other.0);
        self.0.len() > before
    }

    /// Goes on behind an operation; why it must not be here.
    pub(super) fn step(&mut self, kind: &OpKind) -> Option<String> {
        let (from, to) = match kind {
            OpKind::Alternate(Alternation::Begin) => (Stand::Outside, Stand::Waits),
            OpKind::Alternate(Alternation::Take) => (Stand::Waits, Stand::Has),
            OpKind::Alternate(Alternation::Pass) => (Stand::Has, Stand::Waits),
            OpKind::Alternate(Alternation::End) => (Stand::Waits, Stand::Outside),
            OpKind::Barrier | OpKind::WaitTensors(_) | OpKind::WaitFree(_) => {
                return self.0.contains(&Stand::Has).then(|| {
                    "a warpgroup waits here for others, which may wait for their turn".to_owned()
                });
            }
            _ => return None,
        };
        let is_fit = self.0.iter().eq([&from]);
        self.0 = BTreeSet::from([to]);
        (!is_fit).then(|| {
            "turns of warpgroups are not begun, taken, passed and ended in order".to_owned()
        })
    }

    /// Why the kernel must not end here.
    pub(super) fn end(&self) -> Option<String> {
        (!self.0.iter().eq([&Stand::Outside]))
            .then(|| "the kernel ends while a warpgroup may wait for its turn".to_owned())
    }
}

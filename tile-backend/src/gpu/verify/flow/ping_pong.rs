//! Verifies ping-pong scheduling: each warpgroup takes its turn and passes it on, and during its turn waits
//! for nothing that the other warpgroup could delay.

use super::super::super::{OpKind, PingPong};
use std::collections::BTreeSet;

/// The state of a warpgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stand {
    /// Ping-pong is not active.
    Outside,
    /// The other warpgroup has, or will have, the turn.
    Waits,
    /// The warpgroup has the turn.
    Has,
}

/// The possible states of a warpgroup.
#[derive(Clone, Debug)]
pub(super) struct PingPongStates(BTreeSet<Stand>);

impl Default for PingPongStates {
    fn default() -> Self {
        Self(BTreeSet::from([Stand::Outside]))
    }
}

impl PingPongStates {
    /// Merges the states of another path. Returns `true` if that adds anything.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let before = self.0.len();
        self.0.extend(&other.0);
        self.0.len() > before
    }

    /// Steps over an operation. Returns an error if the operation is not allowed here.
    pub(super) fn step(&mut self, kind: &OpKind) -> Option<String> {
        let (from, to) = match kind {
            OpKind::PingPong(PingPong::Begin) => (Stand::Outside, Stand::Waits),
            OpKind::PingPong(PingPong::Acquire) => (Stand::Waits, Stand::Has),
            OpKind::PingPong(PingPong::Release) => (Stand::Has, Stand::Waits),
            OpKind::PingPong(PingPong::End) => (Stand::Waits, Stand::Outside),
            OpKind::Barrier | OpKind::ConsumerWait(_) | OpKind::ProducerAcquire(_) => {
                return self.0.contains(&Stand::Has).then(|| {
                    "a warpgroup waits here for others, which may wait for their ping-pong turn"
                        .to_owned()
                });
            }
            _ => return None,
        };
        let is_fit = self.0.iter().eq([&from]);
        self.0 = BTreeSet::from([to]);
        (!is_fit).then(|| {
            "ping-pong scheduling is not begun, acquired, released and ended in order".to_owned()
        })
    }

    /// Returns an error if the kernel is not allowed to end here.
    pub(super) fn end(&self) -> Option<String> {
        (!self.0.iter().eq([&Stand::Outside]))
            .then(|| "the kernel ends while a warpgroup may wait for its turn".to_owned())
    }
}

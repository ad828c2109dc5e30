//! What is released to places of memory, for those that acquire from them.
//!
//! A place keeps what was released to it as long as it is only changed by atomics: an acquire
//! that reads what one of them wrote reads, in the end, what was released.

use super::watch::{AccessKind, Place};
use super::{Clock, Running};
use crate::ir::MemoryScope;
use rustc_hash::FxHashMap;

/// What is released, per place.
#[derive(Debug, Default)]
pub(super) struct Syncs {
    places: FxHashMap<Place, Released>,
}

#[derive(Debug, Default)]
struct Released {
    /// To every block.
    everyone: Clock,
    /// To the block of this number alone.
    block: Option<(u32, Clock)>,
}

impl Syncs {
    /// An operation accesses a place: what it acquires and releases there.
    pub(super) fn pass(&mut self, running: &mut Running, place: Place) {
        let operations = std::sync::Arc::clone(&running.operations);
        let operation = &operations[running.operation as usize];
        if operation.acquires
            && let Some(released) = self.places.get(&place)
        {
            if operation.scope != Some(MemoryScope::TileBlock) {
                running.acquired.join(&released.everyone);
            }
            if let Some((block, clock)) = &released.block
                && *block == running.block
            {
                running.acquired.join(clock);
            }
        }
        if operation.kind == AccessKind::Store {
            self.places.remove(&place);
        }
        if !operation.releases {
            return;
        }
        let released = self.places.entry(place).or_default();
        if operation.scope != Some(MemoryScope::TileBlock) {
            released.everyone.join(&running.clock);
        }
        match &mut released.block {
            Some((block, clock)) if *block == running.block => clock.join(&running.clock),
            other => *other = Some((running.block, running.clock.clone())),
        }
    }
}

//! Release and acquire: the clocks released to memory locations, for operations that acquire from
//! them.
//!
//! A location keeps the clocks that were released to it as long as only atomic operations change
//! it: these continue the release sequence, so a later acquire still synchronizes with the release.

use super::watch::{AccessKind, Place};
use super::{Clock, Running};
use crate::ir::MemoryScope;
use rustc_hash::FxHashMap;

/// The released clocks, per location.
#[derive(Debug, Default)]
pub(super) struct Syncs {
    places: FxHashMap<Place, Released>,
}

#[derive(Debug, Default)]
struct Released {
    /// The clock released to all blocks.
    everyone: Clock,
    /// The clock released only to the block of this number.
    block: Option<(u32, Clock)>,
}

impl Syncs {
    /// Applies an operation's acquire and release at a location.
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

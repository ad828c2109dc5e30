//! Verifies TMA stores: fences before them, and accesses to memory that they may still read or write.
//!
//! The hardware reads shared memory through the async proxy, while threads write it through the generic
//! proxy. So every thread that wrote must fence before the barrier after which the store begins; a fence by
//! one thread after the barrier is too late (PTX ISA, "Async proxy"). Only the thread that issued a store can
//! wait for it, so other threads need a barrier after the wait. A wait may leave the newest stores in flight.

use super::super::super::{BufferId, Kernel, OpId, OpKind, TmaStoreWait, TmaStoreWaitKind};
use super::super::described;
use std::ops::Range;

/// Maximum number of newer stores that is counted; larger numbers count as this one.
const MAX_NEWER: u32 = 64;

/// A store that has not been waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct UnderWay {
    op: OpId,
    buffer: BufferId,
    /// The bytes that the store reads.
    bytes: Range<u32>,
    /// Minimum number of newer stores on any path.
    newer: u32,
}

/// The state of TMA stores.
#[derive(Clone, Debug, Default)]
pub(super) struct Stores {
    /// Writes that the thread has not fenced.
    unfenced: Vec<(OpId, BufferId)>,
    /// Writes that were not fenced before a barrier.
    late: Vec<(OpId, BufferId)>,
    /// Stores that may still read shared memory.
    reading: Vec<UnderWay>,
    /// Stores that may still write global memory.
    writing: Vec<UnderWay>,
}

impl Stores {
    /// Merges the state of another path. Returns `true` if that adds anything.
    pub(super) fn join(&mut self, other: Self) -> bool {
        let Self {
            unfenced,
            late,
            reading,
            writing,
        } = other;
        let mut changed = add(&mut self.unfenced, unfenced);
        changed |= add(&mut self.late, late);
        changed |= meet(&mut self.reading, reading);
        changed | meet(&mut self.writing, writing)
    }

    /// Records that threads write a tile to a buffer, which replaces its previous contents.
    pub(super) fn write(&mut self, id: OpId, buffer: BufferId) {
        for writes in [&mut self.unfenced, &mut self.late] {
            writes.retain(|(_, other)| *other != buffer);
        }
        self.unfenced.push((id, buffer));
    }

    pub(super) fn fence(&mut self) {
        self.unfenced.clear();
    }

    pub(super) fn barrier(&mut self) {
        let late = std::mem::take(&mut self.unfenced);
        add(&mut self.late, late);
    }

    /// Steps over a store from a buffer.
    pub(super) fn begin(
        &mut self,
        kernel: &Kernel,
        id: OpId,
        buffer: BufferId,
        bytes: Range<u32>,
    ) -> Vec<String> {
        let missing_fences = self.unfenced.iter().chain(&self.late);
        let missing_fences = missing_fences.filter(|(_, other)| *other == buffer);
        let missing_fences = missing_fences.map(|(write, _)| {
            format!(
                "a fence between {} and the barrier before this is missing",
                described(kernel, *write)
            )
        });
        let missing_fences = missing_fences.collect();
        let store = UnderWay {
            op: id,
            buffer,
            bytes,
            newer: 0,
        };
        for stores in [&mut self.reading, &mut self.writing] {
            for older in stores.iter_mut() {
                older.newer = (older.newer + 1).min(MAX_NEWER);
            }
            meet(stores, vec![store.clone()]);
        }
        missing_fences
    }

    /// Steps over a wait of the issuing thread for the stores from a buffer.
    pub(super) fn wait(&mut self, wait: TmaStoreWait) {
        let is_left = |store: &UnderWay| store.buffer != wait.buffer || store.newer < wait.left;
        self.reading.retain(is_left);
        if wait.end == TmaStoreWaitKind::Written {
            self.writing.retain(is_left);
        }
    }

    /// Returns the stores that may still read some of these bytes.
    pub(super) fn readers(&self, bytes: &Range<u32>) -> impl Iterator<Item = OpId> {
        let meets = |range: &Range<u32>| range.start < bytes.end && bytes.start < range.end;
        let stores = self.reading.iter().filter(move |store| meets(&store.bytes));
        stores.map(|store| store.op)
    }

    /// Returns the stores that may still read shared memory.
    pub(super) fn reading(&self) -> impl Iterator<Item = OpId> {
        self.reading.iter().map(|store| store.op)
    }

    /// Returns the stores that may still write global memory.
    pub(super) fn writing(&self) -> impl Iterator<Item = OpId> {
        self.writing.iter().map(|store| store.op)
    }
}

/// Returns the buffer to which the threads themselves write in an operation, through the generic proxy.
pub(super) fn written(kind: &OpKind) -> Option<BufferId> {
    match kind {
        OpKind::StoreShared(buffer) | OpKind::StoreMatrix(buffer) => Some(*buffer),
        _ => None,
    }
}

/// Merges the stores of another path. If a store is in flight on both paths, the smaller number of newer
/// stores counts. Returns `true` if that adds anything.
fn meet(to: &mut Vec<UnderWay>, from: Vec<UnderWay>) -> bool {
    let mut changed = false;
    for store in from {
        let is_same = |other: &&mut UnderWay| {
            (other.op, other.buffer, &other.bytes) == (store.op, store.buffer, &store.bytes)
        };
        if let Some(other) = to.iter_mut().find(is_same) {
            changed |= store.newer < other.newer;
            other.newer = other.newer.min(store.newer);
        } else {
            to.push(store);
            changed = true;
        }
    }
    changed
}

fn add<T: PartialEq>(to: &mut Vec<T>, from: Vec<T>) -> bool {
    let before = to.len();
    for item in from {
        if !to.contains(&item) {
            to.push(item);
        }
    }
    to.len() > before
}

//! Stores of tensors: what they may still read and write, and who wrote what they read without a fence.
//!
//! The hardware reads shared memory through another proxy than threads write it through. So whoever wrote
//! has to fence that before the barrier behind which the store begins; a fence of one thread for all
//! others is too late. A wait is of the thread that began the store: others know by a barrier. Those that it
//! leaves are the newest.

use super::super::super::{BufferId, Kernel, OpId, OpKind, TmaStoreWait, TmaStoreWaitKind};
use super::super::described;
use std::ops::Range;

/// Newer stores that are counted; those with more are as old.
const MAX_NEWER: u32 = 64;

/// A store that nobody has waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct UnderWay {
    op: OpId,
    buffer: BufferId,
    /// What it reads.
    bytes: Range<u32>,
    /// How many have begun since, at least.
    newer: u32,
}

/// What is known of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Stores {
    /// Writes that the thread has not fenced.
    unfenced: Vec<(OpId, BufferId)>,
    /// Those that were so at a barrier.
    late: Vec<(OpId, BufferId)>,
    /// Stores that may still read.
    reading: Vec<UnderWay>,
    /// Stores that may still write.
    writing: Vec<UnderWay>,
}

impl Stores {
    /// Adds what may be so on another way. Whether that was anything new.
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

    /// A thread writes a tile to a buffer: what was there before is of no interest.
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

    /// A store from a buffer begins.
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

    /// The thread that began them waits for those from a buffer.
    pub(super) fn wait(&mut self, wait: TmaStoreWait) {
        let is_left = |store: &UnderWay| store.buffer != wait.buffer || store.newer < wait.left;
        self.reading.retain(is_left);
        if wait.end == TmaStoreWaitKind::Written {
            self.writing.retain(is_left);
        }
    }

    /// Stores that may still read some of these bytes.
    pub(super) fn readers(&self, bytes: &Range<u32>) -> impl Iterator<Item = OpId> {
        let meets = |range: &Range<u32>| range.start < bytes.end && bytes.start < range.end;
        let stores = self.reading.iter().filter(move |store| meets(&store.bytes));
        stores.map(|store| store.op)
    }

    /// Stores that may still read.
    pub(super) fn reading(&self) -> impl Iterator<Item = OpId> {
        self.reading.iter().map(|store| store.op)
    }

    /// Stores that may still write.
    pub(super) fn writing(&self) -> impl Iterator<Item = OpId> {
        self.writing.iter().map(|store| store.op)
    }
}

/// Whether an operation has threads write to a buffer by themselves.
pub(super) fn written(kind: &OpKind) -> Option<BufferId> {
    match kind {
        OpKind::StoreShared(buffer) | OpKind::StoreMatrix(buffer) => Some(*buffer),
        _ => None,
    }
}

/// Adds stores that may be under way on another way; of one that is so on both the newer counts. Whether that was
/// anything new.
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

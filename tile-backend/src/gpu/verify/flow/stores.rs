//! Stores of tensors: what they may still read and write, and who wrote what they read without a fence.
//!
//! The hardware reads shared memory through another proxy than threads write it through. So whoever wrote
//! has to fence that before the barrier behind which the store begins; a fence of one thread for all
//! others is too late. A wait is of the thread that began the store: others know by a barrier.

use super::super::super::{BufferId, Kernel, OpId, OpKind, StoreEnd};
use super::super::described;
use std::ops::Range;

/// What is known of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Stores {
    /// Writes that the thread has not fenced.
    unfenced: Vec<(OpId, BufferId)>,
    /// Those that were so at a barrier.
    late: Vec<(OpId, BufferId)>,
    /// Stores that may still read, with what.
    reading: Vec<(OpId, BufferId, Range<u32>)>,
    /// Stores that may still write.
    writing: Vec<(OpId, BufferId)>,
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
        changed |= add(&mut self.reading, reading);
        changed | add(&mut self.writing, writing)
    }

    /// A thread writes a tile to a buffer: what was there before is of no interest.
    pub(super) fn write(&mut self, id: OpId, buffer: BufferId) {
        for known in [&mut self.unfenced, &mut self.late] {
            known.retain(|(_, other)| *other != buffer);
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
        let found = self.unfenced.iter().chain(&self.late);
        let found = found.filter(|(_, other)| *other == buffer);
        let found = found.map(|(write, _)| {
            format!(
                "a fence between {} and the barrier before this is missing",
                described(kernel, *write)
            )
        });
        let found = found.collect();
        add(&mut self.reading, vec![(id, buffer, bytes)]);
        add(&mut self.writing, vec![(id, buffer)]);
        found
    }

    /// The thread that began them waits for those from a buffer.
    pub(super) fn wait(&mut self, buffer: BufferId, end: StoreEnd) {
        self.reading.retain(|(_, other, _)| *other != buffer);
        if end == StoreEnd::Written {
            self.writing.retain(|(_, other)| *other != buffer);
        }
    }

    /// Stores that may still read some of these bytes.
    pub(super) fn readers(&self, bytes: &Range<u32>) -> impl Iterator<Item = OpId> {
        let meets = |own: &Range<u32>| own.start < bytes.end && bytes.start < own.end;
        let found = self.reading.iter().filter(move |(_, _, own)| meets(own));
        found.map(|(id, ..)| *id)
    }

    /// Stores that may still read.
    pub(super) fn reading(&self) -> impl Iterator<Item = OpId> {
        self.reading.iter().map(|(id, ..)| *id)
    }

    /// Stores that may still write.
    pub(super) fn writing(&self) -> impl Iterator<Item = OpId> {
        self.writing.iter().map(|(id, _)| *id)
    }
}

/// Whether an operation has threads write to a buffer by themselves.
pub(super) fn written(kind: &OpKind) -> Option<BufferId> {
    match kind {
        OpKind::StoreShared(buffer) | OpKind::StoreMatrix(buffer) => Some(*buffer),
        _ => None,
    }
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

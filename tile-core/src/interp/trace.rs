//! Records the observable effects of a launch, in order of execution.
//!
//! The trace is a list of [`Effect`]s: the stores, atomics, ordered loads, prints and assertions of
//! every block, except accesses to block-local memory. Two programs with the same list and the same
//! final memory are indistinguishable. Weak loads are not effects, since they are unobservable.

use super::buffers::Span;
use crate::ir::{AtomicRmwMode, MemoryOrdering};
use arcstr::ArcStr;
use std::sync::Mutex;

/// Collects the effects of a launch, see [`RunOptions::trace`](super::RunOptions::trace).
#[derive(Debug, Default)]
pub struct Trace {
    effects: Mutex<Vec<Effect>>,
}

/// An observable effect of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The coordinates of the block in the grid.
    pub block: [u32; 3],
    /// The action of the block.
    pub action: Action,
}

/// An action of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A load of an element with an ordering other than weak.
    Read {
        /// The ordering.
        ordering: MemoryOrdering,
        /// The location.
        place: Place,
        /// The loaded element.
        bits: u64,
    },
    /// A store of an element.
    Write {
        /// The ordering.
        ordering: MemoryOrdering,
        /// The location.
        place: Place,
        /// The element.
        bits: u64,
    },
    /// An atomic update of an element.
    Atomic {
        /// The ordering.
        ordering: MemoryOrdering,
        /// The operation; `None` for compare and swap.
        mode: Option<AtomicRmwMode>,
        /// The location.
        place: Place,
        /// The element before the update.
        old: u64,
        /// The element after the update.
        new: u64,
    },
    /// A printed text.
    Print {
        /// The text.
        text: Vec<u8>,
    },
    /// An assertion that was checked.
    Assert {
        /// The message of its failure.
        message: ArcStr,
    },
}

/// The location of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The index of the buffer, in order of the pointers among the arguments.
    pub buffer: u32,
    /// The offset in bytes from its start.
    pub offset: usize,
    /// The element's size in bytes.
    pub bytes: usize,
}

impl Place {
    pub(super) fn from_span(span: Span, bytes: usize) -> Self {
        Self {
            buffer: span.buffer,
            offset: span.offset,
            bytes,
        }
    }
}

impl Trace {
    /// Makes a trace without effects.
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes and returns the effects so far.
    pub fn take(&self) -> Vec<Effect> {
        std::mem::take(&mut *self.lock())
    }

    pub(super) fn record(&self, block: [u32; 3], action: Action) {
        self.lock().push(Effect { block, action });
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Effect>> {
        self.effects
            .lock()
            .expect("nothing panics while it is held")
    }
}

//! What a launch does that can be seen from outside, in the order in which it happens.
//!
//! In: the stores, atomics, ordered loads, prints and assertions of every block. Memory that
//! only one block sees is left out. Out: a
//! list of [`Effect`]s. Two programs with the same list and the same final memory cannot
//! be told apart. Weak loads are no effects: nothing sees them.

use super::buffers::Span;
use crate::ir::{AtomicRmwMode, MemoryOrdering};
use arcstr::ArcStr;
use std::sync::Mutex;

/// Collects the effects of a launch, see [`RunOptions::trace`](super::RunOptions::trace).
#[derive(Debug, Default)]
pub struct Trace {
    effects: Mutex<Vec<Effect>>,
}

/// Something that a block did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The position of the block in the grid.
    pub block: [u32; 3],
    /// What it did.
    pub action: Action,
}

/// What a block did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Loaded an element with an ordering that is not weak.
    Read {
        /// The ordering.
        ordering: MemoryOrdering,
        /// Where.
        place: Place,
        /// The element that was found.
        bits: u64,
    },
    /// Stored an element.
    Write {
        /// The ordering.
        ordering: MemoryOrdering,
        /// Where.
        place: Place,
        /// The element.
        bits: u64,
    },
    /// Changed an element in one step.
    Atomic {
        /// The ordering.
        ordering: MemoryOrdering,
        /// How; `None` for compare and swap.
        mode: Option<AtomicRmwMode>,
        /// Where.
        place: Place,
        /// The element before.
        old: u64,
        /// The element after.
        new: u64,
    },
    /// Printed a text.
    Print {
        /// The text.
        text: Vec<u8>,
    },
    /// Made sure that a condition holds.
    Assert {
        /// What is said if it does not.
        message: ArcStr,
    },
}

/// Where an element is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which buffer, in order of the pointers among the arguments.
    pub buffer: u32,
    /// Bytes from its start.
    pub offset: usize,
    /// The element's size.
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
    /// A trace without effects.
    pub fn new() -> Self {
        Self::default()
    }

    /// The effects so far, which are forgotten.
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

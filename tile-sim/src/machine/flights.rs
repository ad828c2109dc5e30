//! Copies that the engine of a block carries out, and whose end an `mbarrier` is told.

use rustc_hash::FxHashMap;

use super::cx::SharedSpot;
use super::memory::Spot;

/// Bytes in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Shared(SharedSpot),
    Global(Spot),
}

/// Copies under way, by the `mbarrier` that is told of their end.
#[derive(Default)]
pub(crate) struct Flights {
    by_barrier: FxHashMap<SharedSpot, Vec<Flight>>,
}

/// One copy to one block.
#[derive(Clone, Debug)]
pub(crate) struct Flight {
    /// Of the instruction that began it.
    pub(crate) instruction: u32,
    pub(crate) pieces: Vec<Piece>,
}

/// Bytes from one place to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) to: Place,
    pub(crate) from: Place,
    pub(crate) bytes: usize,
}

impl Flights {
    pub(crate) fn clear(&mut self) {
        self.by_barrier.clear();
    }
}

//! `tcgen05.cp`: copies from shared to tensor memory.

use crate::check::Trouble;
use crate::machine::Cx;
use crate::machine::block::BlockState;
use crate::parse::decoder::{Decoded, Decoder};

/// A copy.
#[derive(Clone, Debug)]
pub(crate) enum Copy {}

/// A copy that was issued.
#[derive(Clone, Debug)]
pub(crate) enum Work {}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Copy> {
    d.error("not known")
}

impl Copy {
    /// A thread issues it.
    pub(crate) fn issue(&self, _cx: &mut Cx<'_, '_>, _lane: usize) -> Result<(), Trouble> {
        match *self {}
    }
}

impl Work {
    /// Carries it out; the blocks are those of the cluster.
    pub(crate) fn perform(&self, _blocks: &mut [BlockState]) {
        match *self {}
    }
}

//! `tcgen05.mma`: products of matrices in shared and tensor memory.

use crate::check::Trouble;
use crate::machine::Cx;
use crate::machine::block::BlockState;
use crate::parse::decoder::{Decoded, Decoder};

/// A product.
#[derive(Clone, Debug)]
pub(crate) enum Multiply {}

/// A product that was issued.
#[derive(Clone, Debug)]
pub(crate) enum Work {}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Multiply> {
    d.error("not known")
}

impl Multiply {
    /// A thread issues it.
    pub(crate) fn issue(&self, _cx: &mut Cx<'_, '_>, _lane: usize) -> Result<(), Trouble> {
        match *self {}
    }
}

impl Work {
    /// Computes it; the blocks are those of the cluster.
    pub(crate) fn perform(&self, _blocks: &mut [BlockState]) {
        match *self {}
    }
}

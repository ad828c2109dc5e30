//! `tcgen05.ld`, `tcgen05.st`, and the waits for them.

use super::aligned;
use crate::check::Trouble;
use crate::machine::Cx;
use crate::parse::decoder::{Decoded, Decoder};

/// Between registers and tensor memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Load,
    Store,
}

/// `tcgen05.wait`: until what the warp began is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wait {
    /// `::ld`
    Loads,
    /// `::st`
    Stores,
}

/// `tcgen05.ld` and `tcgen05.st`
#[derive(Clone, Debug)]
pub(crate) enum Access {}

pub(crate) fn decode(d: &mut Decoder<'_>, _direction: Direction) -> Decoded<Access> {
    aligned(d)?;
    d.error("not known")
}

impl Access {
    pub(crate) fn execute(&self, _cx: &mut Cx<'_, '_>) -> Result<(), Trouble> {
        match *self {}
    }
}

impl Wait {
    pub(crate) fn execute(self, _cx: &mut Cx<'_, '_>) {}
}

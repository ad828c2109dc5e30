//! Barriers of a block and of a warp (PTX ISA, `barrier`, `bar.warp.sync`).

use super::types::Type;
use super::{Op, Slot};
use crate::parse::decoder::{Decoded, Decoder};

/// A barrier.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Barrier {
    /// Of a block: which of the 16, and how many threads if not all.
    Block {
        barrier: Slot,
        threads: Option<Slot>,
        waits: Waits,
        /// All lanes of a warp come to it together.
        aligned: bool,
    },
    /// Of the lanes named.
    Warp { members: Slot },
}

/// Whether an arriving thread stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waits {
    Yes,
    No,
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let old = d.opcode() == "bar";
    if old && d.takes("warp") {
        if !d.takes("sync") {
            return d.unexpected();
        }
        d.end(1)?;
        let members = d.source(0, Type::B32)?;
        return Ok(Op::Barrier(Barrier::Warp { members }));
    }
    if !old && d.takes("cluster") {
        return super::cluster::decode_barrier(d).map(Op::Cluster);
    }
    d.takes("cta");
    let waits = d.needs(&[("sync", Waits::Yes), ("arrive", Waits::No)])?;
    let aligned = old || d.takes("aligned");
    let least = if waits == Waits::Yes { 1 } else { 2 };
    d.end_between(least, 2)?;
    let threads = if d.operands() == 2 {
        Some(d.source(1, Type::U32)?)
    } else {
        None
    };
    Ok(Op::Barrier(Barrier::Block {
        barrier: d.source(0, Type::U32)?,
        threads,
        waits,
        aligned,
    }))
}

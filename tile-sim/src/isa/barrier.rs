//! Barriers of a block and of a warp (PTX ISA, `barrier`, `bar.warp.sync`).

use super::types::Type;
use super::{Op, Pred, Slot};
use crate::parse::decoder::{Condition, Decoded, Decoder};

/// A barrier instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Barrier {
    /// A barrier of the block: one of 16, for all threads or for a given number.
    Block {
        barrier: Slot,
        threads: Option<Slot>,
        waits: Waits,
        /// Is `true` for `.aligned`: all lanes of a warp execute it together.
        aligned: bool,
        /// The reduction of `barrier.red`.
        vote: Option<Vote>,
    },
    /// A barrier of the lanes in the mask.
    Warp { members: Slot },
}

/// A reduction over the threads at a barrier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vote {
    pub(crate) condition: Condition,
    pub(crate) result: Outcome,
}

/// The result of the reduction and its destination.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Outcome {
    /// The number of threads whose predicate holds.
    Count(Slot),
    All(Pred),
    Any(Pred),
}

/// The difference between `sync`, which waits, and `arrive`, which does not.
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
    if d.takes("red") {
        return red(d, old);
    }
    let waits = d.needs(&[("sync", Waits::Yes), ("arrive", Waits::No)])?;
    let aligned = old || d.takes("aligned");
    let min = if waits == Waits::Yes { 1 } else { 2 };
    d.end_between(min, 2)?;
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
        vote: None,
    }))
}

/// Decodes `barrier.red.popc.u32 d, a{, b}, {!}c` or `barrier.red.{and,or}.pred p, a{, b}, {!}c`.
fn red(d: &mut Decoder<'_>, old: bool) -> Decoded<Op> {
    #[derive(Clone, Copy)]
    enum Kind {
        Count,
        All,
        Any,
    }
    let kind = d.needs(&[("popc", Kind::Count), ("and", Kind::All), ("or", Kind::Any)])?;
    let aligned = old || d.takes("aligned");
    match kind {
        Kind::Count => {
            d.ty_where(|ty| ty == Type::U32)?;
        }
        Kind::All | Kind::Any => {
            if !d.takes("pred") {
                return d.unexpected();
            }
        }
    }
    d.end_between(3, 4)?;
    let result = match kind {
        Kind::Count => Outcome::Count(d.dest_for(0, Type::U32)?),
        Kind::All => Outcome::All(d.pred_dest(0)?),
        Kind::Any => Outcome::Any(d.pred_dest(0)?),
    };
    let barrier = d.source(1, Type::U32)?;
    let threads = if d.operands() == 4 {
        Some(d.source(2, Type::U32)?)
    } else {
        None
    };
    let condition = d.condition(d.operands() - 1)?;
    Ok(Op::Barrier(Barrier::Block {
        barrier,
        threads,
        waits: Waits::Yes,
        aligned,
        vote: Some(Vote { condition, result }),
    }))
}

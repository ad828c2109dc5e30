//! Non-bulk asynchronous copies (PTX ISA, `cp.async`).
//!
//! A copy completes at its wait and not earlier, so that a missing wait is detected: until then its
//! bytes in shared memory may not be accessed.

use super::operands::{Window, address_at, address_in, cache_hint, policy, sized, window};
use super::types::Type;
use super::{Op, Slot, bulk};
use crate::check::Trouble;
use crate::counters::Traffic;
use crate::machine::Cx;
use crate::machine::registers::lanes;
use crate::parse::decoder::{Address, Condition, Decoded, Decoder};
use crate::parse::syntax::Space;

/// An instruction of the `cp.async` family.
#[derive(Clone, Debug)]
pub(crate) enum Async {
    Copy {
        bytes: u8,
        dst: Address,
        src: Address,
        source: Part,
    },
    Commit,
    /// Waits until at most this many groups are in flight.
    Wait(u64),
    WaitAll,
    /// Makes the completion of earlier copies arrive at an `mbarrier`.
    Arrive {
        barrier: Address,
        window: Window,
        /// Is `true` without `.noinc`: the pending count of the current phase is incremented first.
        counted: bool,
    },
}

/// The bytes that are read; the rest is filled with zeros.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    All,
    Bytes(Slot),
    /// All bytes, or none where the predicate holds (`ignore-src`).
    Unless(Condition),
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    let reduces = d.takes("reduce");
    d.needs(&[("async", ())])?;
    if reduces {
        d.needs(&[("bulk", ())])?;
        return Ok(Op::Bulk(bulk::decode(d, true)?));
    }
    if d.takes("bulk") {
        return Ok(Op::Bulk(bulk::decode(d, false)?));
    }
    d.requires((7, 0), 80)?;
    if d.takes("mbarrier") {
        d.needs(&[("arrive", ())])?;
        let counted = !d.takes("noinc");
        let window = window(d, &[Window::Generic, Window::Shared])?;
        d.needs(&[("b64", ())])?;
        d.end(1)?;
        let barrier = address_in(d, 0, window)?;
        return Ok(Op::Async(Async::Arrive {
            barrier,
            window,
            counted,
        }));
    }
    if d.takes("commit_group") {
        d.end(0)?;
        return Ok(Op::Async(Async::Commit));
    }
    if d.takes("wait_all") {
        d.end(0)?;
        return Ok(Op::Async(Async::WaitAll));
    }
    if d.takes("wait_group") {
        d.end(1)?;
        return Ok(Op::Async(Async::Wait(d.number(0)?)));
    }
    // `.cg` bypasses L1 and copies 16 bytes only (PTX ISA, "cp.async").
    let upper_only = d.needs(&[("ca", false), ("cg", true)])?;
    d.needs(&[("shared", ()), ("shared::cta", ())])?;
    d.needs(&[("global", ())])?;
    let hinted = cache_hint(d);
    d.one_of(&[("L2::64B", ()), ("L2::128B", ()), ("L2::256B", ())]);
    let policies = usize::from(hinted);
    d.end_between(3 + policies, 4 + policies)?;
    let bytes = match d.number(2)? {
        16 => 16,
        4 if !upper_only => 4,
        8 if !upper_only => 8,
        _ => return d.error("invalid copy size"),
    };
    // The optional fourth operand is `src-size`, or the predicate `ignore-src`.
    let source = if d.operands() == 3 + policies {
        Part::All
    } else if d.is_predicate(3) {
        d.requires((7, 5), 80)?;
        Part::Unless(d.condition(3)?)
    } else {
        Part::Bytes(sized(d, 3, Type::U32)?)
    };
    if hinted {
        policy(d, d.operands() - 1)?;
    }
    Ok(Op::Async(Async::Copy {
        bytes,
        dst: d.address(0)?,
        src: d.address(1)?,
        source,
    }))
}

impl Async {
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        match *self {
            Self::Copy {
                bytes,
                dst,
                src,
                source,
            } => {
                let ignored = match source {
                    Part::Unless(condition) => cx.registers.condition(condition),
                    Part::All | Part::Bytes(_) => 0,
                };
                let (to, from) = (cx.registers.row(dst.base), cx.registers.row(src.base));
                let (to, from) = (to.map(|to| dst.at(to)), from.map(|from| src.at(from)));
                let whole = match source {
                    Part::All => true,
                    Part::Unless(_) => ignored & active == 0,
                    Part::Bytes(slot) => {
                        let counts = cx.registers.row_ref(slot);
                        lanes(active).all(|lane| counts[lane] as u32 >= u32::from(bytes))
                    }
                };
                if whole && cx.start_copies(&to, &from, active, usize::from(bytes))? {
                    cx.count_requests(Traffic::Copy, u64::from(bytes));
                    return Ok(());
                }
                cx.requests.clear();
                for lane in lanes(active) {
                    let (to, from) = (to[lane], from[lane]);
                    let (_, to) = cx.resolve(Space::Shared, to);
                    let count = match source {
                        Part::Bytes(slot) => {
                            (cx.registers.get(lane, slot) as u32).min(u32::from(bytes))
                        }
                        Part::Unless(_) if ignored >> lane & 1 == 1 => 0,
                        Part::All | Part::Unless(_) => u32::from(bytes),
                    };
                    // `count` is at most 16.
                    cx.start_copy(lane, to, from, usize::from(bytes), count as usize)?;
                }
                cx.count_requests(Traffic::Copy, u64::from(bytes));
            }
            Self::Commit => {
                for lane in lanes(active) {
                    cx.copies.commit(lane);
                }
            }
            Self::Wait(left) => {
                for lane in lanes(active) {
                    cx.finish_copies(lane, Some(left));
                }
            }
            Self::WaitAll => {
                for lane in lanes(active) {
                    cx.finish_copies(lane, None);
                }
            }
            Self::Arrive {
                barrier,
                window,
                counted,
            } => {
                for lane in lanes(active) {
                    let address = address_at(cx, lane, barrier);
                    let spot = cx.barrier_spot(lane, window.space(), address)?;
                    if counted {
                        cx.barrier_increment(lane, spot)?;
                    }
                    let copies = std::iter::from_fn(|| cx.copies.next(lane, None)).collect();
                    cx.launch_copies(lane, spot, copies)?;
                }
            }
        }
        Ok(())
    }
}

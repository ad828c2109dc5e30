//! Cluster launch control (PTX ISA, `clusterlaunchcontrol`).
//!
//! The PTX ISA leaves the 16-byte response opaque. The simulator uses this layout:
//!
//! ```text
//! bits   0 ..  32   a tag that distinguishes a response from other bytes
//! bit   32          a cluster was cancelled
//! bits  64 ..  96   x of its first block;  96 .. 112 y;  112 .. 128 z
//! ```

use super::memory::resolve;
use super::operands::{Window, address_at, address_in, exact_dest, wide};
use super::types::Type;
use super::{Op, Pred, Slot};
use crate::check::{FaultKind, Trouble, bounds};
use crate::machine::Cx;
use crate::machine::cx::SharedSpot;
use crate::machine::registers::lanes;
use crate::parse::decoder::{Address, Decoded, Decoder, Slots};
use crate::parse::syntax::Space;
use crate::parse::target::Target;

/// The targets with `.multicast::cluster::all`.
const MULTICAST: &[Target] = &[
    Target::only(100),
    Target::only(101),
    Target::only(120),
    Target::family(100),
    Target::family(101),
    Target::family(120),
];

/// The size of a response in bytes.
pub(crate) const RESPONSE_BYTES: usize = 16;

/// A cluster-launch-control instruction.
#[derive(Clone, Debug)]
pub(crate) enum LaunchControl {
    /// Requests the cancellation of a cluster that has not begun.
    TryCancel {
        response: Address,
        barrier: Address,
        window: Window,
        /// Writes the response to all blocks of the cluster.
        multicast: bool,
    },
    IsCanceled {
        dest: Pred,
        response: [Slot; 2],
    },
    /// Returns the first block of the cancelled cluster: one coordinate, or x, y and z.
    FirstBlock {
        axis: Option<usize>,
        dests: Slots,
        response: [Slot; 2],
    },
}

pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Op> {
    d.requires((8, 6), 100)?;
    let asks = d.needs(&[("try_cancel", true), ("query_cancel", false)])?;
    let op = if asks { try_cancel(d)? } else { query(d)? };
    Ok(Op::LaunchControl(op))
}

fn try_cancel(d: &mut Decoder<'_>) -> Decoded<LaunchControl> {
    d.needs(&[("async", ())])?;
    let window = if d.takes("shared::cta") {
        Window::Shared
    } else {
        Window::Generic
    };
    d.needs(&[("mbarrier::complete_tx::bytes", ())])?;
    let multicast = d.takes("multicast::cluster::all");
    if multicast {
        d.requires_one_of((8, 6), MULTICAST)?;
    }
    d.needs(&[("b128", ())])?;
    d.end(2)?;
    Ok(LaunchControl::TryCancel {
        response: address_in(d, 0, window)?,
        barrier: address_in(d, 1, window)?,
        window,
        multicast,
    })
}

fn query(d: &mut Decoder<'_>) -> Decoded<LaunchControl> {
    /// The query of `clusterlaunchcontrol.query_cancel`.
    #[derive(Clone, Copy)]
    enum Query {
        IsCanceled,
        First(Option<usize>),
    }
    let query = d.needs(&[
        ("is_canceled", Query::IsCanceled),
        ("get_first_ctaid", Query::First(None)),
        ("get_first_ctaid::x", Query::First(Some(0))),
        ("get_first_ctaid::y", Query::First(Some(1))),
        ("get_first_ctaid::z", Query::First(Some(2))),
    ])?;
    match query {
        Query::IsCanceled => d.needs(&[("pred", ())])?,
        Query::First(axis) => {
            if axis.is_none() {
                d.needs(&[("v4", ())])?;
            }
            d.needs(&[("b32", ())])?;
        }
    }
    d.needs(&[("b128", ())])?;
    d.end(2)?;
    wide(d, 1)?;
    let halves = d.sources(1, 2, Type::B64)?;
    let response = [halves[0], halves[1]];
    Ok(match query {
        Query::IsCanceled => LaunchControl::IsCanceled {
            dest: d.pred_dest(0)?,
            response,
        },
        Query::First(axis) => {
            let dests = match axis {
                Some(_) => Slots::from_slice(&[exact_dest(d, 0, Type::B32)?]),
                None => d.dests_for(0, 4, Type::B32)?,
            };
            LaunchControl::FirstBlock {
                axis,
                dests,
                response,
            }
        }
    })
}

const MARK: u32 = 0x434c_4352;

/// Encodes the response for a cancelled cluster with this first block, or for a denied request.
pub(crate) fn response(first: Option<[u32; 3]>) -> [u8; RESPONSE_BYTES] {
    let words = match first {
        // A grid has at most 65535 blocks along y and z.
        Some([x, y, z]) => [MARK, 1, x, z << 16 | y],
        None => [MARK, 0, u32::MAX, u32::MAX],
    };
    let mut bytes = [0; RESPONSE_BYTES];
    for (bytes, word) in bytes.chunks_exact_mut(4).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}

/// Decodes the first block of a response. Returns `None` if no cluster was cancelled, and an error
/// if the bytes are not a response.
fn first_block([low, high]: [u64; 2]) -> Result<Option<[u32; 3]>, String> {
    let no_response = low as u32 != MARK || low >> 32 > 1;
    if no_response {
        return Err(
            "the value is not a response of `clusterlaunchcontrol.try_cancel`: load all 16 bytes of it".into(),
        );
    }
    let first = [
        high as u32,
        (high >> 32) as u32 & 0xffff,
        (high >> 48) as u32,
    ];
    Ok((low >> 32 == 1).then_some(first))
}

fn misuse(lane: usize, message: impl Into<String>) -> Trouble {
    Trouble::at(lane, FaultKind::LaunchControl(message.into()))
}

/// Resolves an address that must be in the shared memory of the executing block.
fn own_spot(
    cx: &Cx<'_, '_>,
    lane: usize,
    window: Window,
    address: u64,
    bytes: usize,
) -> Result<SharedSpot, Trouble> {
    let (space, offset) = resolve(window.space(), address);
    if !matches!(space, Space::Shared | Space::Cluster) {
        let message = format!("{address:#x} is not an address of shared memory");
        return Err(misuse(lane, message));
    }
    bounds::aligned("shared", offset, bytes).map_err(|kind| Trouble::at(lane, kind))?;
    let spot = cx.shared_spot(lane, space, offset, bytes)?;
    if spot.block != cx.block {
        let message = format!("{address:#x} is in the shared memory of another block");
        return Err(misuse(lane, message));
    }
    Ok(spot)
}

impl LaunchControl {
    /// Returns `true` if the result depends on the order in which blocks begin.
    pub(crate) fn is_seen_by_other_blocks(&self) -> bool {
        matches!(self, Self::TryCancel { .. })
    }

    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<(), Trouble> {
        match self {
            &Self::TryCancel {
                response,
                barrier,
                window,
                multicast,
            } => {
                for lane in lanes(active) {
                    let to = address_at(cx, lane, response);
                    let to = own_spot(cx, lane, window, to, RESPONSE_BYTES)?;
                    let barrier = address_at(cx, lane, barrier);
                    let barrier = own_spot(cx, lane, window, barrier, 8)?;
                    cx.try_cancel(lane, to, barrier, multicast)?;
                }
                Ok(())
            }
            &Self::IsCanceled { dest, response } => {
                let mut canceled = 0;
                for lane in lanes(active) {
                    let halves = response.map(|half| cx.registers.get(lane, half));
                    let first = first_block(halves).map_err(|message| misuse(lane, message))?;
                    canceled |= u32::from(first.is_some()) << lane;
                }
                cx.registers.set_pred(active, dest, canceled);
                Ok(())
            }
            Self::FirstBlock {
                axis,
                dests,
                response,
            } => {
                for lane in lanes(active) {
                    let halves = response.map(|half| cx.registers.get(lane, half));
                    let first = first_block(halves).map_err(|message| misuse(lane, message))?;
                    let Some(first) = first else {
                        return Err(misuse(
                            lane,
                            "no cluster was cancelled, so there is no first block: check `query_cancel.is_canceled` first",
                        ));
                    };
                    match *axis {
                        Some(axis) => cx.registers.set(lane, dests[0], u64::from(first[axis])),
                        None => {
                            for (&dest, value) in dests.iter().zip(first) {
                                cx.registers.set(lane, dest, u64::from(value));
                            }
                        }
                    }
                }
                for &dest in dests.iter().take(3) {
                    cx.registers.define(active, dest);
                }
                // The PTX ISA leaves the fourth element undefined.
                for &dest in dests.iter().skip(3) {
                    cx.registers.forget(active, dest);
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_read_as_they_are_written() {
        let halves = |bytes: [u8; 16]| {
            let word = u128::from_le_bytes(bytes);
            [word as u64, (word >> 64) as u64]
        };
        for first in [
            None,
            Some([0; 3]),
            Some([u32::MAX - 1, 0xffff, 0xfffe]),
            Some([7, 1, 2]),
        ] {
            assert_eq!(first_block(halves(response(first))), Ok(first));
        }
        first_block([0, 0]).expect_err("zeros are none");
        first_block([u64::MAX, 0]).expect_err("ones are none");
    }
}

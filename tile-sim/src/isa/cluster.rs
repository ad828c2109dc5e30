//! Cluster instructions (PTX ISA, `mapa`, `getctarank`, `barrier.cluster`).

use super::Slot;
use super::operands::{Order, exact_dest, sized};
use super::types::{Class, Type};
use crate::check::{FaultKind, Trouble};
use crate::machine::Cx;
use crate::machine::bulk::shared_address;
use crate::machine::memory::{OFFSET, SHARED_WINDOW, rank_bits, rank_of};
use crate::machine::registers::lanes;
use crate::machine::warp::Flow;
use crate::parse::decoder::{Decoded, Decoder};
use crate::parse::syntax::Space;

/// A cluster instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cluster {
    /// Maps `address` of the executing block to the same offset in block `rank`.
    MapAddress {
        dest: Slot,
        address: Slot,
        rank: Slot,
        generic: bool,
    },
    /// Returns the rank of the block that contains an address.
    RankOf {
        dest: Slot,
        address: Slot,
        generic: bool,
    },
    Arrive {
        order: Order,
        aligned: bool,
    },
    Wait {
        aligned: bool,
    },
}

impl Cluster {
    pub(crate) fn is_address(&self) -> bool {
        matches!(self, Self::MapAddress { .. } | Self::RankOf { .. })
    }

    /// Returns `true` if all lanes of a warp must execute it together.
    pub(crate) fn is_aligned(&self) -> bool {
        match *self {
            Self::Arrive { aligned, .. } | Self::Wait { aligned } => aligned,
            Self::MapAddress { .. } | Self::RankOf { .. } => false,
        }
    }
}

pub(crate) const U64: Type = Type::new(Class::Unsigned, 64);

/// Decodes `mapa` and `getctarank`.
pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Cluster> {
    d.requires((7, 8), 90)?;
    let maps = d.opcode() == "mapa";
    let generic = !d.takes("shared::cluster");
    let ty = d.ty_where(|ty| ty == Type::U32 || ty == U64)?;
    d.end(if maps { 3 } else { 2 })?;
    let address = sized(d, 1, ty)?;
    if maps {
        let rank = sized(d, 2, Type::U32)?;
        return Ok(Cluster::MapAddress {
            dest: exact_dest(d, 0, ty)?,
            address,
            rank,
            generic,
        });
    }
    Ok(Cluster::RankOf {
        dest: exact_dest(d, 0, Type::U32)?,
        address,
        generic,
    })
}

/// Decodes the rest of `barrier.cluster`.
pub(crate) fn decode_barrier(d: &mut Decoder<'_>) -> Decoded<Cluster> {
    d.requires((7, 8), 90)?;
    let arrives = d.needs(&[("arrive", true), ("wait", false)])?;
    if arrives {
        let order = d
            .one_of(&[("release", Order::Release), ("relaxed", Order::Relaxed)])
            .unwrap_or(Order::Release);
        if order == Order::Relaxed {
            d.requires((8, 0), 90)?;
        }
        let aligned = d.takes("aligned");
        d.end(0)?;
        return Ok(Cluster::Arrive { order, aligned });
    }
    d.takes("acquire");
    let aligned = d.takes("aligned");
    d.end(0)?;
    Ok(Cluster::Wait { aligned })
}

impl Cluster {
    pub(crate) fn execute(&self, cx: &mut Cx<'_, '_>, active: u32) -> Result<Flow, Trouble> {
        match *self {
            Self::MapAddress {
                dest,
                address,
                rank,
                generic,
            } => {
                for lane in lanes(active) {
                    let rank = cx.registers.get(lane, rank) & 0xffff_ffff;
                    let blocks = cx.cluster.blocks.len();
                    if rank >= blocks as u64 {
                        let message = format!("there is no block {rank} in a cluster of {blocks}");
                        return Err(Trouble::at(lane, FaultKind::Cluster(message)));
                    }
                    let address = own_window_address(cx, lane, address, generic)?;
                    // The rank is less than the number of blocks.
                    let mapped = rank_bits(rank as usize) | address & OFFSET;
                    let window = if generic { SHARED_WINDOW } else { 0 };
                    cx.registers.set(lane, dest, window + mapped);
                }
                cx.registers.define(active, dest);
            }
            Self::RankOf {
                dest,
                address,
                generic,
            } => {
                for lane in lanes(active) {
                    let address = own_window_address(cx, lane, address, generic)?;
                    let rank = rank_of(address).unwrap_or(cx.block);
                    cx.registers.set(lane, dest, rank as u64 & 0xffff_ffff);
                }
                cx.registers.define(active, dest);
            }
            Self::Arrive { order, .. } => {
                let agent = cx.agent;
                let state = &mut *cx.cluster;
                match order {
                    Order::Release => state.order.tell(agent, active, &mut state.barrier.pool),
                    Order::Relaxed | Order::Acquire => {
                        state.order.pass(agent, &mut state.barrier.pool);
                    }
                }
                let warp = usize::from(cx.agent);
                let arrived = cx.cluster.barrier.arrive(warp, active);
                let ended = arrived.map_err(|(lane, misuse)| {
                    Trouble::at(lane, FaultKind::Cluster(misuse.to_string()))
                })?;
                cx.cluster.progress += 1;
                cx.cluster.awake |= ended;
            }
            Self::Wait { .. } => {
                let warp = usize::from(cx.agent);
                let waited = cx.cluster.barrier.wait(warp, active);
                let passed = waited.map_err(|(lane, misuse)| {
                    Trouble::at(lane, FaultKind::Cluster(misuse.to_string()))
                })?;
                if !passed {
                    return Ok(Flow::Sleep);
                }
                cx.counters.barriers.cluster += 1;
                let agent = cx.agent;
                let state = &mut *cx.cluster;
                state.order.learn(agent, &state.barrier.done);
            }
        }
        Ok(Flow::Next)
    }
}

/// Converts an address to one in the shared window of the executing block.
fn own_window_address(
    cx: &Cx<'_, '_>,
    lane: usize,
    address: Slot,
    generic: bool,
) -> Result<u64, Trouble> {
    let address = cx.registers.get(lane, address);
    if !generic {
        return Ok(address);
    }
    // The name of a variable denotes its offset in the window.
    if address >> 32 == 0 {
        return Ok(address);
    }
    let (_, address) = shared_address(lane, Space::Generic, address)?;
    Ok(address)
}

//! Blocks of a cluster (PTX ISA, `mapa`, `getctarank`, `barrier.cluster`).

use super::Slot;
use super::operands::{Order, sized};
use super::types::{Class, Type};
use crate::parse::decoder::{Decoded, Decoder};

/// An instruction on the cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cluster {
    /// The address, in block `rank`, of what is at `address` in the thread's own.
    MapAddress {
        dest: Slot,
        address: Slot,
        rank: Slot,
        generic: bool,
    },
    /// The rank of the block that an address is of.
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
    /// Whether lanes of a warp come to it together.
    pub(crate) fn is_aligned(&self) -> bool {
        match *self {
            Self::Arrive { aligned, .. } | Self::Wait { aligned } => aligned,
            Self::MapAddress { .. } | Self::RankOf { .. } => false,
        }
    }
}

pub(crate) const U64: Type = Type::new(Class::Unsigned, 64);

/// `mapa`, `getctarank`
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
            dest: exact_dest(d, ty)?,
            address,
            rank,
            generic,
        });
    }
    Ok(Cluster::RankOf {
        dest: exact_dest(d, Type::U32)?,
        address,
        generic,
    })
}

fn exact_dest(d: &mut Decoder<'_>, ty: Type) -> Decoded<Slot> {
    let dest = d.dest(0)?;
    if u16::from(d.names.width(dest)) == ty.total_bits() || d.is_sink(0) {
        return Ok(dest);
    }
    d.error(format!(
        "the destination must have {} bits",
        ty.total_bits()
    ))
}

/// Behind `barrier.cluster`.
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

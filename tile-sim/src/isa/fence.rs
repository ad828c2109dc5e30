//! What orders accesses of a thread (PTX ISA, `membar`, `fence`).

use super::operands::address_of;
use crate::parse::decoder::{Address, Decoded, Decoder};
use crate::parse::syntax::Space;

/// How far an order reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Scope {
    Block,
    Cluster,
    Device,
    System,
}

pub(crate) const SCOPES: [(&str, Scope); 4] = [
    ("cta", Scope::Block),
    ("cluster", Scope::Cluster),
    ("gpu", Scope::Device),
    ("sys", Scope::System),
];

/// The order of a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FenceOrder {
    SequentiallyConsistent,
    AcquireRelease,
    Acquire,
    Release,
}

/// Memory whose accesses by both proxies are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProxySpace {
    All,
    Global,
    /// Of the block.
    Shared,
    /// Of the cluster.
    Cluster,
}

/// A fence.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fence {
    Memory {
        order: FenceOrder,
        scope: Scope,
    },
    /// Only what is synchronized through shared memory (`.sync_restrict`).
    Restricted {
        order: FenceOrder,
    },
    /// `mbarrier.init` is seen by the cluster.
    MbarrierInit,
    Alias,
    /// Generic accesses before, asynchronous ones behind, and the other way round.
    Async(ProxySpace),
    /// One way, for what is synchronized through shared memory.
    AsyncRestricted {
        order: FenceOrder,
    },
    /// The tensor map at the address may be used.
    TensorMapAcquire {
        scope: Scope,
        map: Address,
    },
    /// Tensor maps that were written may be used by those who acquire.
    TensorMapRelease {
        scope: Scope,
    },
}

impl Fence {
    /// `membar`, `fence`
    pub(crate) fn decode(d: &mut Decoder<'_>) -> Decoded<Self> {
        if d.opcode() == "membar" {
            return Self::decode_membar(d);
        }
        if d.takes("proxy") {
            return Self::decode_proxy(d);
        }
        if d.takes("mbarrier_init") {
            d.requires((8, 0), 90)?;
            d.needs(&[("release", ())])?;
            d.needs(&[("cluster", ())])?;
            d.end(0)?;
            return Ok(Self::MbarrierInit);
        }
        let order = d
            .one_of(&[
                ("sc", FenceOrder::SequentiallyConsistent),
                ("acq_rel", FenceOrder::AcquireRelease),
                ("acquire", FenceOrder::Acquire),
                ("release", FenceOrder::Release),
            ])
            .unwrap_or(FenceOrder::AcquireRelease);
        if restricted(d, order)? {
            d.end(0)?;
            return Ok(Self::Restricted { order });
        }
        let scope = d.needs(&SCOPES)?;
        d.requires((6, 0), 70)?;
        if scope == Scope::Cluster {
            d.requires((7, 8), 90)?;
        }
        d.end(0)?;
        Ok(Self::Memory { order, scope })
    }

    fn decode_membar(d: &mut Decoder<'_>) -> Decoded<Self> {
        if d.takes("proxy") {
            d.needs(&[("alias", ())])?;
            d.requires((7, 5), 70)?;
            d.end(0)?;
            return Ok(Self::Alias);
        }
        let scope = d.needs(&[
            ("cta", Scope::Block),
            ("gl", Scope::Device),
            ("sys", Scope::System),
        ])?;
        d.end(0)?;
        let order = FenceOrder::SequentiallyConsistent;
        Ok(Self::Memory { order, scope })
    }

    /// Behind `fence.proxy`.
    fn decode_proxy(d: &mut Decoder<'_>) -> Decoded<Self> {
        if d.takes("alias") {
            d.requires((7, 5), 70)?;
            d.end(0)?;
            return Ok(Self::Alias);
        }
        let release = [
            ("acquire", FenceOrder::Acquire),
            ("release", FenceOrder::Release),
        ];
        if d.takes("async::generic") {
            let order = d.needs(&release)?;
            if !restricted(d, order)? {
                return d.unexpected();
            }
            d.end(0)?;
            return Ok(Self::AsyncRestricted { order });
        }
        if d.takes("async") {
            d.requires((8, 0), 90)?;
            let space = d.one_of(&[
                ("global", ProxySpace::Global),
                ("shared::cta", ProxySpace::Shared),
                ("shared::cluster", ProxySpace::Cluster),
            ]);
            d.end(0)?;
            return Ok(Self::Async(space.unwrap_or(ProxySpace::All)));
        }
        d.needs(&[("tensormap::generic", ())])?;
        d.requires((8, 3), 90)?;
        let order = d.needs(&release)?;
        let scope = d.needs(&SCOPES)?;
        if order == FenceOrder::Release {
            d.end(0)?;
            return Ok(Self::TensorMapRelease { scope });
        }
        d.end(2)?;
        if d.number(1)? != 128 {
            return d.error("a tensor map has 128 bytes");
        }
        let map = address_of(d, 0, &[Space::Global, Space::Const, Space::Param])?;
        Ok(Self::TensorMapAcquire { scope, map })
    }
}

/// `.sync_restrict::shared::cluster.cluster` with acquire, `::cta` with release.
fn restricted(d: &mut Decoder<'_>, order: FenceOrder) -> Decoded<bool> {
    let restriction = match order {
        FenceOrder::Acquire => "sync_restrict::shared::cluster",
        FenceOrder::Release => "sync_restrict::shared::cta",
        FenceOrder::SequentiallyConsistent | FenceOrder::AcquireRelease => return Ok(false),
    };
    if !d.takes(restriction) {
        return Ok(false);
    }
    d.requires((8, 6), 90)?;
    d.needs(&[("cluster", ())])?;
    Ok(true)
}

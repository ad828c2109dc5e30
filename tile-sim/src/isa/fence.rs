//! Fences (PTX ISA, `membar`, `fence`).

use super::memory::SCOPES;
use super::operands::address_of;
use crate::check::order::{Proxied, Reach};
use crate::check::stamp::Scope;
use crate::machine::Cx;
use crate::parse::decoder::{Decoded, Decoder};
use crate::parse::syntax::Space;

/// A fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fence {
    /// Orders the memory accesses of a thread before it with those after it.
    Thread(Reach),
    /// Orders accesses through the generic proxy with those through the asynchronous proxy.
    Async(Space),
    /// `fence.mbarrier_init`: makes initialized mbarriers visible to the cluster.
    Inits,
    /// Orders accesses that the simulator orders anyway.
    Nothing,
}

/// The memory order of a fence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Both,
    Acquire,
    Release,
}

impl Fence {
    pub(crate) fn execute(self, cx: &mut Cx<'_, '_>, active: u32) {
        let agent = cx.agent;
        match self {
            Self::Thread(reach) => cx.cluster.order.fence(agent, active, reach),
            Self::Async(space) => {
                let proxied = match space {
                    Space::Global => Proxied::Global,
                    Space::Shared => Proxied::Block(cx.block),
                    Space::Cluster => Proxied::Cluster,
                    _ => Proxied::All,
                };
                cx.cluster.order.fence_proxy(agent, proxied);
            }
            Self::Inits => cx.fence_inits(active),
            Self::Nothing => {}
        }
    }

    /// Decodes `membar` and `fence`.
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
            return Ok(Self::Inits);
        }
        let order = d
            .one_of(&[
                ("sc", Order::Both),
                ("acq_rel", Order::Both),
                ("acquire", Order::Acquire),
                ("release", Order::Release),
            ])
            .unwrap_or(Order::Both);
        if restricted(d, order)? {
            d.end(0)?;
            return Ok(Self::Thread(Reach::Cluster));
        }
        let scope = d.needs(&SCOPES)?;
        d.requires((6, 0), 70)?;
        if scope == Scope::Cluster {
            d.requires((7, 8), 90)?;
        }
        d.end(0)?;
        Ok(Self::Thread(scope.into()))
    }

    fn decode_membar(d: &mut Decoder<'_>) -> Decoded<Self> {
        if d.takes("proxy") {
            d.needs(&[("alias", ())])?;
            d.requires((7, 5), 70)?;
            d.end(0)?;
            return Ok(Self::Nothing);
        }
        let reach = d.needs(&[
            ("cta", Reach::Cluster),
            ("gl", Reach::Device),
            ("sys", Reach::Device),
        ])?;
        d.end(0)?;
        Ok(Self::Thread(reach))
    }

    /// Decodes the rest of `fence.proxy`.
    fn decode_proxy(d: &mut Decoder<'_>) -> Decoded<Self> {
        if d.takes("alias") {
            d.requires((7, 5), 70)?;
            d.end(0)?;
            return Ok(Self::Nothing);
        }
        let release = [("acquire", Order::Acquire), ("release", Order::Release)];
        if d.takes("async::generic") {
            let order = d.needs(&release)?;
            if !restricted(d, order)? {
                return d.unexpected();
            }
            d.end(0)?;
            return Ok(Self::Async(match order {
                Order::Release => Space::Shared,
                Order::Acquire | Order::Both => Space::Cluster,
            }));
        }
        if d.takes("async") {
            d.requires((8, 0), 90)?;
            let space = d.one_of(&[
                ("global", Space::Global),
                ("shared::cta", Space::Shared),
                ("shared::cluster", Space::Cluster),
            ]);
            d.end(0)?;
            return Ok(Self::Async(space.unwrap_or(Space::Generic)));
        }
        d.needs(&[("tensormap::generic", ())])?;
        d.requires((8, 3), 90)?;
        let order = d.needs(&release)?;
        let reach = d.needs(&SCOPES)?.into();
        // The simulator reads tensor maps through the generic proxy.
        if order == Order::Release {
            d.end(0)?;
            return Ok(Self::Thread(reach));
        }
        d.end(2)?;
        if d.number(1)? != 128 {
            return d.error("a tensor map has 128 bytes");
        }
        address_of(d, 0, &[Space::Global, Space::Const, Space::Param])?;
        Ok(Self::Thread(reach))
    }
}

/// Decodes `.sync_restrict::shared::cluster.cluster` with acquire, or `::cta` with release.
fn restricted(d: &mut Decoder<'_>, order: Order) -> Decoded<bool> {
    let restriction = match order {
        Order::Acquire => "sync_restrict::shared::cluster",
        Order::Release => "sync_restrict::shared::cta",
        Order::Both => return Ok(false),
    };
    if !d.takes(restriction) {
        return Ok(false);
    }
    d.requires((8, 6), 90)?;
    d.needs(&[("cluster", ())])?;
    Ok(true)
}

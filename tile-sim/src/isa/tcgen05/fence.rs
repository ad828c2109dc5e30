//! `tcgen05.commit` and `tcgen05.fence`.

use super::group;
use crate::check::Trouble;
use crate::isa::Slot;
use crate::isa::operands::{Window, address_at, address_in, sized, window};
use crate::isa::types::Type;
use crate::machine::Cx;
use crate::machine::tensor_memory::Group;
use crate::parse::decoder::{Address, Decoded, Decoder};

/// `tcgen05.fence`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fence {
    /// `::before_thread_sync`
    Before,
    /// `::after_thread_sync`
    After,
}

/// `tcgen05.commit`: an `mbarrier` is told when all that the thread issued is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Commit {
    group: Group,
    window: Window,
    barrier: Address,
    /// Blocks of the cluster, at whose addresses alike `mbarrier`s are told.
    blocks: Option<Slot>,
}

pub(crate) fn decode_commit(d: &mut Decoder<'_>) -> Decoded<Commit> {
    let group = group(d)?;
    d.needs(&[("mbarrier::arrive::one", ())])?;
    let window = window(d, &[Window::Generic, Window::Cluster])?;
    let multicast = d.takes("multicast::cluster");
    d.needs(&[("b64", ())])?;
    d.end(1 + usize::from(multicast))?;
    let barrier = address_in(d, 0, window)?;
    let blocks = if multicast {
        Some(sized(d, 1, Type::B16)?)
    } else {
        None
    };
    Ok(Commit {
        group,
        window,
        barrier,
        blocks,
    })
}

impl Fence {
    pub(crate) fn execute(self, cx: &mut Cx<'_, '_>) {
        let agent = cx.agent;
        match self {
            Self::Before => cx.cluster.order.fence_before(agent),
            Self::After => cx.cluster.order.fence_after(agent),
        }
    }
}

impl Commit {
    /// A thread issues it.
    pub(crate) fn issue(&self, cx: &mut Cx<'_, '_>, lane: usize) -> Result<(), Trouble> {
        let address = address_at(cx, lane, self.barrier);
        let spot = cx.barrier_spot(lane, self.window.space(), address)?;
        // A register of 16 bits.
        let blocks = self.blocks.map(|slot| cx.registers.get(lane, slot) as u32);
        cx.commit_tensor(lane, self.group, spot, blocks)
    }
}

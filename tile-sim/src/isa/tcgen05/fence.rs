//! `tcgen05.commit` and `tcgen05.fence`.

use super::group;
use crate::check::Trouble;
use crate::isa::Slot;
use crate::isa::operands::{Window, address_at, address_in, sized, window};
use crate::isa::types::Type;
use crate::machine::Cx;
use crate::machine::tensor_memory::Group;
use crate::parse::decoder::{Address, Decoded, Decoder};

/// A `tcgen05.fence`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fence {
    /// `::before_thread_sync`.
    Before,
    /// `::after_thread_sync`.
    After,
}

/// `tcgen05.commit`: signals an `mbarrier` when all operations issued by the thread have completed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Commit {
    group: Group,
    window: Window,
    barrier: Address,
    /// The multicast mask: signals the `mbarrier` at the same offset in each of these blocks.
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
    /// Issues the commit for a thread.
    pub(crate) fn issue(&self, cx: &mut Cx<'_, '_>, lane: usize) -> Result<(), Trouble> {
        let address = address_at(cx, lane, self.barrier);
        let spot = cx.barrier_spot(lane, self.window.space(), address)?;
        // The register has 16 bits.
        let blocks = self.blocks.map(|slot| cx.registers.get(lane, slot) as u32);
        cx.commit_tensor(lane, self.group, spot, blocks)
    }
}

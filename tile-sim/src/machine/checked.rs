//! What is checked of every access: races, initialization, asynchronous operations.

use smallvec::SmallVec;

use super::cluster::ClusterState;
use super::cx::{Cx, SharedSpot};
use super::memory::Spot;
use crate::check::shared::{Change, SharedShadow};
use crate::check::stamp::{How, Plain, View, Who};
use crate::check::{FaultKind, Trouble};
use crate::isa::memory::Kind;

impl Cx<'_, '_> {
    /// What is known of the shared memory of a block, and of the order of accesses.
    #[inline]
    fn shadow(&mut self, block: usize) -> (View<'_>, &mut SharedShadow) {
        let ClusterState { blocks, order, .. } = &mut *self.cluster;
        let view = View {
            order,
            warps_per_block: self.setting.warps,
        };
        (view, &mut blocks[block].shadow)
    }

    /// The checks of a read of shared memory.
    pub(crate) fn check_shared_read(
        &mut self,
        lane: usize,
        how: How,
        spot: SharedSpot,
        bytes: usize,
    ) -> Result<(), Trouble> {
        if !self.checks_all() {
            return Ok(());
        }
        let who = self.who(lane);
        let (view, shadow) = self.shadow(spot.block);
        let plain = Plain::new(&view, who, how);
        if shadow.read_plainly(&plain, who.lane, spot.range(bytes)) {
            return Ok(());
        }
        let result = shadow.read(&view, who, how, spot.range(bytes));
        result.map_err(|conflict| self.conflict(lane, "shared", conflict))
    }

    /// Whether the lane can know that the block whose shared memory it accesses has begun (PTX ISA, "Cluster of
    /// cooperative thread arrays"; CUDA programming guide, "Distributed Shared Memory"): it, or one of its block that
    /// it has heard of, has met all at a `barrier.cluster`, or it has heard of a warp there.
    pub(crate) fn check_begun(&self, lane: usize, spot: SharedSpot) -> Result<(), Trouble> {
        if spot.block == self.block || !self.checks_all() {
            return Ok(());
        }
        let warps = self.setting.warps;
        let of_block = |block: usize| block * warps..(block + 1) * warps;
        let ClusterState {
            blocks,
            order,
            barrier,
            ..
        } = &*self.cluster;
        let has_heard_of = |&warp: &usize| order.has_heard_of(self.agent, warp);
        let mut own = of_block(self.block).filter(has_heard_of);
        if own.any(|warp| barrier.has_met(warp))
            || of_block(spot.block).any(|warp| has_heard_of(&warp))
        {
            return Ok(());
        }
        let message = format!(
            "access to shared memory at {:#x} of another block, but nobody has waited until block {:?} of the cluster has begun: \
             wait at a `barrier.cluster` before",
            spot.offset, blocks[spot.block].index
        );
        Err(Trouble::at(lane, FaultKind::NotAwaited(message)))
    }

    /// A read of shared memory that the lane knows to be written by other means than clocks.
    pub(crate) fn note_known_read(
        &mut self,
        lane: usize,
        how: How,
        spot: SharedSpot,
        bytes: usize,
    ) {
        if self.checks_all() {
            let who = self.who(lane);
            let (view, shadow) = self.shadow(spot.block);
            shadow.read_known(&view, who, how, spot.range(bytes));
        }
    }

    /// The checks of a read of shared memory whose end is waited for there.
    pub(crate) fn check_shared_peek(
        &self,
        lane: usize,
        how: How,
        spot: SharedSpot,
        bytes: usize,
    ) -> Result<(), Trouble> {
        if !self.checks_all() {
            return Ok(());
        }
        let shadow = &self.cluster.blocks[spot.block].shadow;
        let result = shadow.may_read(&self.view(), self.who(lane), how, spot.range(bytes));
        result.map_err(|conflict| self.conflict(lane, "shared", conflict))
    }

    /// The checks of a write of shared memory.
    pub(crate) fn check_shared_write(
        &mut self,
        lane: usize,
        how: How,
        change: Change,
        spot: SharedSpot,
        bytes: usize,
    ) -> Result<(), Trouble> {
        if !self.checks_all() {
            return Ok(());
        }
        let who = self.who(lane);
        let (view, shadow) = self.shadow(spot.block);
        let plain = Plain::new(&view, who, how);
        if shadow.write_plainly(&plain, who.lane, spot.range(bytes)) {
            return Ok(());
        }
        let result = shadow.write(&view, who, how, change, spot.range(bytes));
        result.map_err(|conflict| self.conflict(lane, "shared", conflict))
    }

    /// The checks of an asynchronous operation's read of shared memory, which begins.
    pub(crate) fn check_shared_read_async(
        &mut self,
        lane: usize,
        spot: SharedSpot,
        bytes: usize,
    ) -> Result<(), Trouble> {
        if !self.checks_all() {
            return Ok(());
        }
        let who = self.who(lane);
        let (view, shadow) = self.shadow(spot.block);
        let result = shadow.may_read_async(&view, who, spot.range(bytes));
        result.map_err(|conflict| self.conflict(lane, "shared", conflict))?;
        self.cluster.blocks[spot.block]
            .shadow
            .hold(spot.range(bytes), self.instruction);
        Ok(())
    }

    /// An asynchronous operation no longer reads there, which this warp knows.
    pub(crate) fn end_shared_read_async(&mut self, spot: SharedSpot, bytes: usize) {
        if !self.checks_all() {
            return;
        }
        let who = self.who(0);
        let (view, shadow) = self.shadow(spot.block);
        shadow.let_go(spot.range(bytes));
        shadow.note_read(&view, who, spot.range(bytes));
    }

    /// Whether bytes differ from what is there.
    pub(crate) fn global_change(&self, spot: Spot, new: &[u8]) -> Change {
        if !self.checks_all() {
            return Change::Some;
        }
        let mut old: SmallVec<[u8; 32]> = SmallVec::from_elem(0, new.len());
        self.world.device.read(spot, &mut old);
        Change::of(&old, new)
    }

    /// The checks of an access to global memory.
    pub(crate) fn check_global(
        &mut self,
        lane: usize,
        how: How,
        kind: Kind,
        change: Change,
        spot: Spot,
        bytes: usize,
    ) -> Result<(), Trouble> {
        if !self.checks_all() {
            return Ok(());
        }
        let who = self.who(lane);
        let view = View {
            order: &self.cluster.order,
            warps_per_block: self.setting.warps,
        };
        let base = self.world.device.base(spot.allocation);
        let range = spot.offset..spot.offset + bytes;
        let shadow = &mut self.world.shadow;
        let plain = Plain::new(&view, who, how);
        let result = match kind {
            // What nothing can write needs no check.
            Kind::Load if self.world.device.is_constant(spot.allocation) => Ok(()),
            Kind::Load if shadow.read_plainly(&plain, who.lane, spot.allocation, range.clone()) => {
                Ok(())
            }
            Kind::Store
                if shadow.write_plainly(&plain, who.lane, spot.allocation, range.clone()) =>
            {
                Ok(())
            }
            Kind::Load => shadow.read(&view, who, how, spot.allocation, base, range),
            Kind::Store => shadow.write(&view, who, how, change, spot.allocation, base, range),
        };
        result.map_err(|conflict| self.conflict(lane, "global", conflict))
    }

    /// The checks of an asynchronous operation's read of global memory.
    pub(crate) fn check_global_read_async(
        &mut self,
        lane: usize,
        spot: Spot,
        bytes: usize,
    ) -> Result<(), Trouble> {
        if !self.checks_all() || self.world.device.is_constant(spot.allocation) {
            return Ok(());
        }
        let who = self.who(lane);
        let view = View {
            order: &self.cluster.order,
            warps_per_block: self.setting.warps,
        };
        let base = self.world.device.base(spot.allocation);
        let range = spot.offset..spot.offset + bytes;
        let shadow = &mut self.world.shadow;
        let result = shadow
            .may_read_async(&view, who, spot.allocation, base, range.clone())
            .and_then(|()| shadow.read(&view, who, How::Plain, spot.allocation, base, range));
        result.map_err(|conflict| self.conflict(lane, "global", conflict))
    }

    /// A copy to global memory is done, which this warp knows; `instruction` began it.
    pub(crate) fn end_global_write(&mut self, instruction: u32, spot: Spot, bytes: usize) {
        if !self.checks_all() {
            return;
        }
        let who = Who {
            instruction,
            ..self.who(0)
        };
        let view = View {
            order: &self.cluster.order,
            warps_per_block: self.setting.warps,
        };
        let range = spot.offset..spot.offset + bytes;
        self.world
            .shadow
            .complete(&view, who, spot.allocation, range);
    }
}

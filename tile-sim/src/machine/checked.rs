//! The checks of memory accesses: races, initialization, asynchronous operations.

use smallvec::SmallVec;

use super::cluster::ClusterState;
use super::cx::{Cx, SharedSpot};
use super::memory::Spot;
use crate::check::shared::{Change, SharedShadow};
use crate::check::stamp::{Plain, Strength, View, Who};
use crate::check::{FaultKind, Trouble};
use crate::isa::memory::Kind;

impl Cx<'_, '_> {
    /// Returns the shadow of a block's shared memory, and the state that decides whether accesses
    /// are ordered.
    #[inline]
    fn shadow(&mut self, block: usize) -> (View<'_>, &mut SharedShadow) {
        let ClusterState { blocks, order, .. } = &mut *self.cluster;
        let view = View {
            order,
            warps_per_block: self.setting.warps,
        };
        (view, &mut blocks[block].shadow)
    }

    /// Checks a read of shared memory.
    pub(crate) fn check_shared_read(
        &mut self,
        lane: usize,
        strength: Strength,
        spot: SharedSpot,
        bytes: usize,
    ) -> Result<(), Trouble> {
        if !self.checks_all() {
            return Ok(());
        }
        let who = self.who(lane);
        let (view, shadow) = self.shadow(spot.block);
        let plain = Plain::new(&view, who, strength);
        if shadow.read_plainly(&plain, who.lane, spot.range(bytes)) {
            return Ok(());
        }
        let result = shadow.read(&view, who, strength, spot.range(bytes));
        result.map_err(|conflict| self.conflict(lane, "shared", conflict))
    }

    /// Checks that the block whose shared memory a lane accesses is known to have begun (PTX ISA,
    /// "Cluster of cooperative thread arrays"; CUDA C++ Programming Guide, "Distributed Shared
    /// Memory"). Either the lane, or a lane of its own block with which it synchronized, waited at
    /// a `barrier.cluster`; or the lane synchronized with a warp of the accessed block.
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
        let mut warps = of_block(self.block).filter(has_heard_of);
        if warps.any(|warp| barrier.has_met(warp))
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

    /// Records a read of shared memory whose order is established by other means than clocks.
    pub(crate) fn note_known_read(
        &mut self,
        lane: usize,
        strength: Strength,
        spot: SharedSpot,
        bytes: usize,
    ) {
        if self.checks_all() {
            let who = self.who(lane);
            let (view, shadow) = self.shadow(spot.block);
            shadow.read_known(&view, who, strength, spot.range(bytes));
        }
    }

    /// Checks a read of shared memory by an instruction that waits for the data.
    pub(crate) fn check_shared_peek(
        &self,
        lane: usize,
        strength: Strength,
        spot: SharedSpot,
        bytes: usize,
    ) -> Result<(), Trouble> {
        if !self.checks_all() {
            return Ok(());
        }
        let shadow = &self.cluster.blocks[spot.block].shadow;
        let result = shadow.may_read(&self.view(), self.who(lane), strength, spot.range(bytes));
        result.map_err(|conflict| self.conflict(lane, "shared", conflict))
    }

    /// Checks a write of shared memory.
    pub(crate) fn check_shared_write(
        &mut self,
        lane: usize,
        strength: Strength,
        change: Change,
        spot: SharedSpot,
        bytes: usize,
    ) -> Result<(), Trouble> {
        if !self.checks_all() {
            return Ok(());
        }
        let who = self.who(lane);
        let (view, shadow) = self.shadow(spot.block);
        let plain = Plain::new(&view, who, strength);
        if shadow.write_plainly(&plain, who.lane, spot.range(bytes)) {
            return Ok(());
        }
        let result = shadow.write(&view, who, strength, change, spot.range(bytes));
        result.map_err(|conflict| self.conflict(lane, "shared", conflict))
    }

    /// Checks the read of shared memory by an asynchronous operation that is issued.
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

    /// Records the completion of an asynchronous read that this warp knows of.
    pub(crate) fn end_shared_read_async(&mut self, spot: SharedSpot, bytes: usize) {
        if !self.checks_all() {
            return;
        }
        let who = self.who(0);
        let (view, shadow) = self.shadow(spot.block);
        shadow.let_go(spot.range(bytes));
        shadow.note_read(&view, who, spot.range(bytes));
    }

    /// Compares bytes with the contents of global memory.
    pub(crate) fn global_change(&self, spot: Spot, new: &[u8]) -> Change {
        if !self.checks_all() {
            return Change::Some;
        }
        let mut old: SmallVec<[u8; 32]> = SmallVec::from_elem(0, new.len());
        self.world.device.read(spot, &mut old);
        Change::between(&old, new)
    }

    /// Checks an access to global memory.
    pub(crate) fn check_global(
        &mut self,
        lane: usize,
        strength: Strength,
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
        let plain = Plain::new(&view, who, strength);
        let result = match kind {
            // Constant memory has no writers and needs no check.
            Kind::Load if self.world.device.is_constant(spot.allocation) => Ok(()),
            Kind::Load if shadow.read_plainly(&plain, who.lane, spot.allocation, range.clone()) => {
                Ok(())
            }
            Kind::Store
                if shadow.write_plainly(&plain, who.lane, spot.allocation, range.clone()) =>
            {
                Ok(())
            }
            Kind::Load => shadow.read(&view, who, strength, spot.allocation, base, range),
            Kind::Store => shadow.write(&view, who, strength, change, spot.allocation, base, range),
        };
        result.map_err(|conflict| self.conflict(lane, "global", conflict))
    }

    /// Checks the read of global memory by an asynchronous operation.
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
            .and_then(|()| shadow.read(&view, who, Strength::Plain, spot.allocation, base, range));
        result.map_err(|conflict| self.conflict(lane, "global", conflict))
    }

    /// Records the completion of a copy to global memory that this warp knows of. `instruction`
    /// issued the copy.
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

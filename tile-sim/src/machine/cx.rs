//! The execution context of an instruction: memory of all state spaces, with the checks of
//! accesses.

use std::sync::MutexGuard;

use super::Checks;
use super::cluster::ClusterState;
use super::copies::{Copies, Copy};
use super::grid::{Setting, World};
use super::in_flight_mmas::InFlightMmas;
use super::memory::{OFFSET, Spot, rank_of};
use super::registers::Registers;
use super::stack::Stack;
use crate::check::shared::{Change, Conflict};
use crate::check::stamp::{Stamp, Strength, View, Who};
use crate::check::{FaultKind, Thread, Trouble, bounds};
use crate::counters::{CopyKind, Counters, Requests, Traffic};
use crate::isa::memory::{Kind, resolve};
use crate::module::Kernel;
use crate::parse::syntax::Space;

/// The execution context of an instruction.
pub(crate) struct Cx<'a, 'w> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) setting: &'a Setting<'w>,
    pub(crate) registers: &'a mut Registers,
    pub(crate) copies: &'a mut Copies,
    pub(crate) in_flight_mmas: &'a mut InFlightMmas,
    /// The local memory of all lanes, lane by lane.
    pub(super) local: &'a mut [u8],
    /// The `alloca` stack of each lane.
    pub(crate) stacks: &'a mut [Stack],
    /// The block's rank in its cluster.
    pub(crate) block: usize,
    /// The warp's index in its cluster.
    pub(crate) agent: u16,
    pub(crate) instruction: u32,
    pub(crate) world: &'a mut World<'w>,
    pub(crate) cluster: &'a mut ClusterState,
    pub(crate) requests: &'a mut Requests,
    pub(crate) counters: &'a mut Counters,
    /// Is `true` if a suspended wait is being timed out.
    pub(crate) timed_out: bool,
}

/// A location in the shared memory of a block of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SharedSpot {
    pub(crate) block: usize,
    pub(crate) offset: usize,
}

impl SharedSpot {
    pub(crate) fn range(self, bytes: usize) -> std::ops::Range<usize> {
        self.offset..self.offset + bytes
    }
}

pub(crate) fn space_name(space: Space) -> &'static str {
    match space {
        Space::Generic => "generic",
        Space::Global => "global",
        Space::Const => "constant",
        Space::Shared => "shared",
        Space::Cluster => "shared (of the cluster)",
        Space::Local => "local",
        Space::Param => "parameter",
    }
}

fn out_of_bounds(lane: usize, space: Space, address: u64, bytes: usize, around: String) -> Trouble {
    let kind = FaultKind::OutOfBounds {
        space: space_name(space),
        address,
        bytes: bytes as u64,
        around,
    };
    Trouble::at(lane, kind)
}

impl Cx<'_, '_> {
    /// Appends the output of a lane's `printf`.
    pub(crate) fn print(&mut self, text: String) {
        self.world.device.print(self.cluster.order.cluster, text);
    }

    pub(crate) fn who(&self, lane: usize) -> Who {
        Who {
            agent: self.agent,
            // The lane is at most 31, or the mark for several lanes.
            lane: lane as u8,
            instruction: self.instruction,
        }
    }

    /// Excludes the atomic accesses of other launches from a strong access.
    #[inline]
    fn exclusive(&self, strength: Strength) -> Option<MutexGuard<'static, ()>> {
        match strength {
            Strength::Strong(_) => self.world.device.exclusive(),
            Strength::Plain | Strength::Copy => None,
        }
    }

    /// Records that the warp waits for the grids that this one depends on.
    pub(crate) fn wait_for_dependencies(&mut self) {
        if self.world.device.is_shared() && self.checks_all() {
            let clock = self.cluster.order.step(self.agent);
            let cluster = self.cluster.order.cluster;
            self.world.shadow.wait(cluster, self.agent, clock);
        }
    }

    /// Returns the warp's index in its warpgroup.
    pub(crate) fn warp_of_group(&self) -> usize {
        (usize::from(self.agent) - self.block * self.setting.warps) % 4
    }

    /// Returns `true` if the expensive checks are enabled.
    #[inline]
    pub(crate) fn checks_all(&self) -> bool {
        self.setting.options.checks == Checks::All
    }

    /// Returns the PTX line of an instruction.
    fn line(&self, instruction: u32) -> u32 {
        let line = self.kernel.lines.get(instruction as usize);
        line.map_or(0, |line| line.at)
    }

    #[cold]
    pub(crate) fn conflict(&self, lane: usize, space: &'static str, conflict: Conflict) -> Trouble {
        let line = |stamp: Stamp| self.line(stamp.instruction());
        let kind = match conflict {
            Conflict::Uninitialized { address } => FaultKind::UninitializedShared {
                address: address as u64,
            },
            Conflict::Race {
                address,
                access,
                other_access,
                other,
            } => {
                let other_thread = self.thread(other);
                let same_warp =
                    other.cluster == self.cluster.order.cluster && other.agent == self.agent;
                let strong = matches!(other.strength(), Strength::Strong(_));
                // The hint names the cheapest synchronization that would order the two threads.
                let hint = if strong {
                    ": one of the two is weak, or its scope does not include the other thread"
                } else if same_warp {
                    ": a `bar.warp.sync` between lanes is missing"
                } else if other_thread.warp.is_none() {
                    ": no wait for that copy happens before this access"
                } else if other_thread.same_block {
                    ": a barrier between the two is missing"
                } else {
                    ": order them by a release and an acquire of a scope that includes both blocks"
                };
                FaultKind::Race {
                    space,
                    address,
                    access,
                    other_access,
                    other: other_thread,
                    other_line: line(other),
                    hint,
                }
            }
            Conflict::Pending { address, other } => FaultKind::PendingCopy {
                space,
                address,
                copy_line: line(other),
            },
            Conflict::BeingRead { address, reader } => FaultKind::PendingRead {
                address: address as u64,
                read_line: self.line(reader),
            },
            Conflict::NoProxyFence { address, other } => FaultKind::NoProxyFence {
                space,
                address,
                write_line: line(other),
            },
        };
        Trouble::at(lane, kind)
    }

    pub(super) fn thread(&self, stamp: Stamp) -> Thread {
        let here = stamp.cluster == self.cluster.order.cluster;
        self.setting.thread(
            stamp,
            here && self.view().block_of(stamp.agent) == self.block,
        )
    }

    pub(super) fn view(&self) -> View<'_> {
        View {
            order: &self.cluster.order,
            warps_per_block: self.setting.warps,
        }
    }

    /// Returns the state space that contains an address, and the address within that space: an
    /// offset for shared memory of the executing block.
    #[inline]
    pub(crate) fn resolve(&self, space: Space, address: u64) -> (Space, u64) {
        let (space, address) = resolve(space, address);
        let is_shared = matches!(space, Space::Shared | Space::Cluster);
        if is_shared && rank_of(address) == Some(self.block) {
            return (Space::Shared, address & OFFSET);
        }
        (space, address)
    }

    /// Resolves an address in shared memory.
    pub(crate) fn shared_spot(
        &self,
        lane: usize,
        space: Space,
        address: u64,
        bytes: usize,
    ) -> Result<SharedSpot, Trouble> {
        let to_trouble = |kind| Trouble::at(lane, kind);
        let (space, address) = self.resolve(space, address);
        let (block, offset) = match rank_of(address) {
            Some(rank) if space != Space::Shared => (rank, address & OFFSET),
            _ => (self.block, address),
        };
        let Some(there) = self.cluster.blocks.get(block) else {
            let count = self.cluster.blocks.len();
            let around = format!(": a cluster of {count} has no block {block}");
            return Err(out_of_bounds(lane, space, address, bytes, around));
        };
        let range = bounds::range(space_name(space), offset, bytes, there.shared.len());
        if range.is_err() && space != Space::Shared {
            let around = format!(", of which a block has {} bytes", there.shared.len());
            return Err(out_of_bounds(lane, space, address, bytes, around));
        }
        let range = range.map_err(to_trouble)?;
        if block != self.block && there.has_ended() {
            let message = format!("block {:?} of the cluster has exited", there.index);
            let kind = FaultKind::NotAwaited(format!(
                "access to shared memory at {address:#x} of another block, but {message}: wait at a `barrier.cluster` before it exits"
            ));
            return Err(to_trouble(kind));
        }
        Ok(SharedSpot {
            block,
            offset: range.start,
        })
    }

    fn local_range(
        &self,
        lane: usize,
        address: u64,
        bytes: usize,
    ) -> Result<std::ops::Range<usize>, Trouble> {
        let length = self.local.len() / 32;
        let range = bounds::range("local", address, bytes, length).map_err(|kind| {
            match self.stacks[lane].around(address) {
                Some(around) => out_of_bounds(lane, Space::Local, address, bytes, around),
                None => Trouble::at(lane, kind),
            }
        })?;
        Ok(lane * length + range.start..lane * length + range.end)
    }

    /// Resolves an address in global memory.
    pub(crate) fn global_spot(
        &mut self,
        lane: usize,
        space: Space,
        address: u64,
        bytes: usize,
    ) -> Result<Spot, Trouble> {
        let spot = self
            .world
            .device
            .find(address, bytes, &mut self.world.recent);
        spot.ok_or_else(|| {
            let around = self.world.device.around(address);
            out_of_bounds(lane, space, address, bytes, around)
        })
    }

    /// Resolves an address in global memory for a write.
    pub(crate) fn global_spot_mut(
        &mut self,
        lane: usize,
        space: Space,
        address: u64,
        bytes: usize,
    ) -> Result<Spot, Trouble> {
        let spot = self.global_spot(lane, space, address, bytes)?;
        if self.world.device.is_constant(spot.allocation) {
            return Err(Trouble::at(lane, FaultKind::ReadOnly { space: "constant" }));
        }
        Ok(spot)
    }

    /// Executes a weak load of one lane.
    #[inline]
    pub(crate) fn load(
        &mut self,
        lane: usize,
        space: Space,
        address: u64,
        into: &mut [u8],
    ) -> Result<(), Trouble> {
        self.load_as(Strength::Plain, lane, space, address, into)
    }

    /// Executes a load of one lane with the given strength.
    pub(crate) fn load_as(
        &mut self,
        strength: Strength,
        lane: usize,
        space: Space,
        address: u64,
        into: &mut [u8],
    ) -> Result<(), Trouble> {
        let bytes = into.len();
        bounds::aligned(space_name(space), address, bytes)
            .map_err(|kind| Trouble::at(lane, kind))?;
        match space {
            Space::Global | Space::Const | Space::Generic => {
                let spot = self.global_spot(lane, space, address, bytes)?;
                self.check_global(lane, strength, Kind::Load, Change::None, spot, bytes)?;
                let _exclusive = self.exclusive(strength);
                self.world.device.read(spot, into);
                if space != Space::Const {
                    self.requests.global.push(lane, address);
                }
            }
            Space::Shared | Space::Cluster => {
                let spot = self.shared_spot(lane, space, address, bytes)?;
                self.check_shared_read(lane, strength, spot, bytes)?;
                self.check_begun(lane, spot)?;
                into.copy_from_slice(&self.cluster.blocks[spot.block].shared[spot.range(bytes)]);
                self.requests.shared.push(lane, spot.offset as u64);
            }
            Space::Local => {
                if let Some(from) = self.stacks[lane].read(address, bytes) {
                    into.copy_from_slice(from);
                } else {
                    let range = self.local_range(lane, address, bytes)?;
                    into.copy_from_slice(&self.local[range]);
                }
                self.requests.local.push(lane, address);
            }
            Space::Param => {
                let params = &self.setting.params;
                let range = bounds::range("parameter", address, bytes, params.len())
                    .map_err(|kind| Trouble::at(lane, kind))?;
                into.copy_from_slice(&params[range]);
            }
        }
        Ok(())
    }

    /// Executes a weak store of one lane.
    #[inline]
    pub(crate) fn store(
        &mut self,
        lane: usize,
        space: Space,
        address: u64,
        from: &[u8],
    ) -> Result<(), Trouble> {
        self.store_as(Strength::Plain, lane, space, address, from)
    }

    /// Executes a store of one lane with the given strength.
    pub(crate) fn store_as(
        &mut self,
        strength: Strength,
        lane: usize,
        space: Space,
        address: u64,
        from: &[u8],
    ) -> Result<(), Trouble> {
        let bytes = from.len();
        let name = space_name(space);
        bounds::aligned(name, address, bytes).map_err(|kind| Trouble::at(lane, kind))?;
        match space {
            Space::Global | Space::Generic => {
                let spot = self.global_spot_mut(lane, space, address, bytes)?;
                let change = self.global_change(spot, from);
                self.check_global(lane, strength, Kind::Store, change, spot, bytes)?;
                let _exclusive = self.exclusive(strength);
                self.world.device.write(spot, from);
                self.requests.global.push(lane, address);
            }
            Space::Shared | Space::Cluster => {
                let spot = self.shared_spot(lane, space, address, bytes)?;
                let old = &self.cluster.blocks[spot.block].shared[spot.range(bytes)];
                self.check_shared_write(lane, strength, Change::between(old, from), spot, bytes)?;
                self.check_begun(lane, spot)?;
                self.cluster.blocks[spot.block].shared[spot.range(bytes)].copy_from_slice(from);
                self.requests.shared.push(lane, spot.offset as u64);
            }
            Space::Local => {
                if let Some(into) = self.stacks[lane].write(address, bytes) {
                    into.copy_from_slice(from);
                } else {
                    let range = self.local_range(lane, address, bytes)?;
                    self.local[range].copy_from_slice(from);
                }
                self.requests.local.push(lane, address);
            }
            Space::Const | Space::Param => {
                return Err(Trouble::at(lane, FaultKind::ReadOnly { space: name }));
            }
        }
        Ok(())
    }

    /// Executes an atomic read-modify-write of at most 16 bytes and returns the old value.
    pub(crate) fn atomic(
        &mut self,
        strength: Strength,
        lane: usize,
        space: Space,
        address: u64,
        size: usize,
        new: impl Fn(u128) -> u128,
    ) -> Result<u128, Trouble> {
        bounds::aligned(space_name(space), address, size)
            .map_err(|kind| Trouble::at(lane, kind))?;
        let mut word = [0; 16];
        if matches!(space, Space::Shared | Space::Cluster) {
            let spot = self.shared_spot(lane, space, address, size)?;
            self.check_shared_read(lane, strength, spot, size)?;
            self.check_shared_write(lane, strength, Change::Some, spot, size)?;
            self.check_begun(lane, spot)?;
            let bytes = &mut self.cluster.blocks[spot.block].shared[spot.range(size)];
            word[..size].copy_from_slice(bytes);
            let old = u128::from_le_bytes(word);
            bytes.copy_from_slice(&new(old).to_le_bytes()[..size]);
            self.requests.shared.push(lane, spot.offset as u64);
            return Ok(old);
        }
        let spot = self.global_spot_mut(lane, space, address, size)?;
        self.check_global(lane, strength, Kind::Load, Change::None, spot, size)?;
        self.check_global(lane, strength, Kind::Store, Change::Some, spot, size)?;
        let exclusive = self.world.device.exclusive();
        self.world.device.read(spot, &mut word[..size]);
        let old = u128::from_le_bytes(word);
        self.world
            .device
            .write(spot, &new(old).to_le_bytes()[..size]);
        drop(exclusive);
        self.requests.global.push(lane, address);
        Ok(old)
    }

    /// Issues a copy from global to shared memory (`cp.async`).
    pub(crate) fn start_copy(
        &mut self,
        lane: usize,
        to: u64,
        from: u64,
        bytes: usize,
        read: usize,
    ) -> Result<(), Trouble> {
        let to_trouble = |kind| Trouble::at(lane, kind);
        bounds::aligned("shared", to, bytes).map_err(to_trouble)?;
        bounds::aligned("global", from, bytes).map_err(to_trouble)?;
        let spot = self.shared_spot(lane, Space::Shared, to, bytes)?;
        if read > 0 {
            let source = self.global_spot(lane, Space::Global, from, read)?;
            self.check_global(
                lane,
                Strength::Plain,
                Kind::Load,
                Change::None,
                source,
                read,
            )?;
            self.requests.global.push(lane, from);
        }
        self.check_shared_write(lane, Strength::Copy, Change::Some, spot, bytes)?;
        self.requests.shared.push(lane, spot.offset as u64);
        self.counters.copy(CopyKind::CpAsync, bytes as u64);
        self.copies.start(
            lane,
            Copy {
                to: spot.offset,
                from,
                bytes,
                read,
            },
        );
        Ok(())
    }

    /// Completes the oldest groups of copies until `left` remain.
    pub(crate) fn finish_copies(&mut self, lane: usize, left: Option<u64>) {
        while let Some(copy) = self.copies.next(lane, left) {
            self.finish_copy(lane, copy);
        }
    }

    fn finish_copy(&mut self, lane: usize, copy: Copy) {
        let who = self.who(lane);
        let clock = self.cluster.order.now(self.agent);
        self.finish_copy_of(self.block, who, clock, copy);
    }

    /// Completes a copy by a thread of a block, at `clock` of `who`.
    pub(super) fn finish_copy_of(&mut self, block: usize, who: Who, clock: u32, copy: Copy) {
        let Copy {
            to,
            from,
            bytes,
            read,
        } = copy;
        let range = to..to + bytes;
        let mut buffer = [0; 16];
        if read > 0 {
            let spot = self.world.device.find(from, read, &mut self.world.recent);
            let spot = spot.expect("checked when the copy began");
            self.world.device.read(spot, &mut buffer[..read]);
        }
        let checks_all = self.checks_all();
        let ClusterState { blocks, order, .. } = &mut *self.cluster;
        let block = &mut blocks[block];
        block.shared[range.clone()].copy_from_slice(&buffer[..bytes]);
        if checks_all {
            block.shadow.complete(who, clock, order.cluster, range);
        }
    }

    /// Counts the memory requests of one instruction: `bytes` bytes per lane in `requests`.
    pub(crate) fn count_requests(&mut self, traffic: impl Into<Traffic>, bytes: u64) {
        self.counters.reach(traffic.into(), self.requests, bytes);
    }
}

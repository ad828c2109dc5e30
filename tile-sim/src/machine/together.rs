//! The fast path for weak loads and stores of a warp whose lanes all access the same allocation,
//! the shared memory of the block, or local memory.
//!
//! It resolves the addresses once for the warp, whereas [`Cx::load_as`] and [`Cx::store_as`]
//! resolve them for each lane. Those two functions handle misaligned, out-of-bounds and read-only
//! accesses, and all other cases.

use std::ops::Range;

use super::cluster::ClusterState;
use super::copies::Copy;
use super::cx::Cx;
use super::memory::Spot;
use super::registers::{Registers, Row, lanes};
use crate::check::Trouble;
use crate::check::shared::{Change, SharedShadow};
use crate::check::stamp::{Plain, Strength, View, Who};
use crate::counters::CopyKind;
use crate::isa::Slot;
use crate::isa::memory::Kind;
use crate::parse::syntax::Space;

/// The maximum size of one lane's access in bytes.
const MAX_BYTES: usize = 32;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// An allocation, and `true` if it is read-only.
    Global {
        allocation: usize,
        constant: bool,
    },
    Shared,
    Local,
    Param,
}

/// The place of an access of a whole warp to one address.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Once {
    Global(Spot),
    /// The offset in the parameters.
    Param(usize),
}

/// The resolved addresses of a warp's access.
pub(crate) struct Together {
    place: Place,
    /// Offsets in the place; arbitrary for lanes outside `active`.
    offsets: [usize; 32],
    active: u32,
    /// The access size per lane in bytes.
    bytes: usize,
    /// The range from the first to the last byte of all lanes.
    span: Range<usize>,
}

impl Together {
    fn range(&self, lane: usize) -> Range<usize> {
        self.offsets[lane]..self.offsets[lane] + self.bytes
    }

    /// Returns `true` if the lanes access a large part of the range.
    fn is_dense(&self) -> bool {
        self.span.len() <= 4 * self.bytes * self.active.count_ones() as usize
    }
}

/// Returns the little-endian number of `size` bytes, at most eight.
#[inline]
fn number(memory: &[u8], offset: usize, size: usize) -> u64 {
    let mut word = [0; 8];
    match size {
        4 => word[..4].copy_from_slice(&memory[offset..offset + 4]),
        8 => word.copy_from_slice(&memory[offset..offset + 8]),
        _ => word[..size].copy_from_slice(&memory[offset..offset + size]),
    }
    u64::from_le_bytes(word)
}

/// Collects the bytes that a lane stores, `size` from each register.
#[inline]
fn gather(registers: &Registers, lane: usize, values: &[Slot], size: usize, into: &mut [u8]) {
    for (element, &slot) in into.chunks_exact_mut(size).zip(values) {
        let word = registers.get(lane, slot).to_le_bytes();
        match size {
            4 => element.copy_from_slice(&word[..4]),
            _ => element.copy_from_slice(&word[..size]),
        }
    }
}

impl Cx<'_, '_> {
    /// Resolves the accesses of the active lanes, of `bytes` bytes each (a power of two), if they
    /// share a place and, for a store, if it is writable.
    pub(crate) fn together(
        &mut self,
        space: Space,
        addresses: &Row,
        active: u32,
        bytes: usize,
        kind: Kind,
    ) -> Option<Together> {
        let (mut min, mut max, mut bits) = (u64::MAX, 0, 0);
        for lane in lanes(active) {
            let address = addresses[lane];
            min = min.min(address);
            max = max.max(address);
            bits |= address;
        }
        if bits & (bytes as u64 - 1) != 0 {
            return None;
        }
        let reach = (max - min).checked_add(bytes as u64)?;
        let (space, first) = self.resolve(space, min);
        let window = min - first;
        if kind == Kind::Store && matches!(space, Space::Const | Space::Param) {
            return None;
        }
        let (place, base) = match space {
            Space::Global | Space::Const | Space::Generic => {
                let device = self.world.device;
                // A device address space is not larger than that of the host.
                let spot = device.find(min, reach as usize, &mut self.world.recent)?;
                let constant = device.is_constant(spot.allocation);
                if kind == Kind::Store && constant {
                    return None;
                }
                let place = Place::Global {
                    allocation: spot.allocation,
                    constant,
                };
                (place, min - spot.offset as u64)
            }
            Space::Shared | Space::Cluster => {
                let length = self.cluster.blocks[self.block].shared.len();
                (first.checked_add(reach)? <= length as u64).then_some((Place::Shared, window))?
            }
            Space::Local => {
                let length = self.local.len() / 32;
                (first.checked_add(reach)? <= length as u64).then_some((Place::Local, window))?
            }
            Space::Param => {
                let length = self.setting.params.len();
                (first.checked_add(reach)? <= length as u64).then_some((Place::Param, window))?
            }
        };
        // The offsets are within the place, and fit the host's `usize`.
        let offsets = addresses.map(|address| address.wrapping_sub(base) as usize);
        match (place, space) {
            // Constant and parameter reads are not counted.
            (Place::Global { .. }, Space::Const) | (Place::Param, _) => {}
            (Place::Global { .. }, _) => {
                for lane in lanes(active) {
                    self.requests.global.push(lane, addresses[lane]);
                }
            }
            (Place::Shared, _) => {
                for lane in lanes(active) {
                    self.requests.shared.push(lane, offsets[lane] as u64);
                }
            }
            (Place::Local, _) => {
                for lane in lanes(active) {
                    self.requests.local.push(lane, offsets[lane] as u64);
                }
            }
        }
        let start = min.wrapping_sub(base) as usize;
        Some(Together {
            place,
            offsets,
            active,
            bytes,
            span: start..start + reach as usize,
        })
    }

    /// Resolves and checks a weak read of one address by all lanes, of `bytes` bytes (a power of two), if it needs no
    /// further check.
    pub(crate) fn once(&mut self, space: Space, address: u64, bytes: usize) -> Option<Once> {
        if address & (bytes as u64 - 1) != 0 {
            return None;
        }
        let (space, address) = self.resolve(space, address);
        match space {
            Space::Global | Space::Const | Space::Generic => {
                let device = self.world.device;
                let spot = device.find(address, bytes, &mut self.world.recent)?;
                if self.checks_all() && !device.is_constant(spot.allocation) {
                    let view = View {
                        order: &self.cluster.order,
                        warps_per_block: self.setting.warps,
                    };
                    let plain = Plain::new(&view, self.who(0), Strength::Plain);
                    let range = spot.offset..spot.offset + bytes;
                    let shadow = &mut self.world.shadow;
                    if !shadow.read_by_warp(&plain, spot.allocation, range) {
                        return None;
                    }
                }
                if space != Space::Const {
                    // Lanes with one address count once.
                    self.requests.global.push(0, address);
                }
                Some(Once::Global(spot))
            }
            Space::Param => {
                // An offset that does not fit is out of bounds.
                let offset = usize::try_from(address).ok()?;
                let fits = offset.checked_add(bytes)? <= self.setting.params.len();
                fits.then_some(Once::Param(offset))
            }
            Space::Shared | Space::Cluster | Space::Local => None,
        }
    }

    /// Returns the little-endian number of `size` bytes, at most eight, at an offset from a place.
    #[inline]
    pub(crate) fn number_at(&self, place: Once, skip: usize, size: usize) -> u64 {
        match place {
            Once::Global(spot) => {
                let device = self.world.device;
                device.number(spot.allocation, spot.offset + skip, size)
            }
            Once::Param(offset) => number(&self.setting.params, offset + skip, size),
        }
    }

    /// Checks a weak read.
    pub(crate) fn check_reads(&mut self, access: &Together) -> Result<(), Trouble> {
        if !self.checks_all() {
            return Ok(());
        }
        let ClusterState { blocks, order, .. } = &mut *self.cluster;
        let view = View {
            order,
            warps_per_block: self.setting.warps,
        };
        let who = |lane: usize| Who {
            agent: self.agent,
            // The lane is at most 31.
            lane: lane as u8,
            instruction: self.instruction,
        };
        let plain = Plain::new(&view, who(0), Strength::Plain);
        match access.place {
            Place::Local | Place::Param | Place::Global { constant: true, .. } => {}
            Place::Shared => {
                let shadow = &mut blocks[self.block].shadow;
                for lane in lanes(access.active) {
                    let range = access.range(lane);
                    if shadow.read_plainly(&plain, lane as u8, range.clone()) {
                        continue;
                    }
                    if let Err(conflict) = shadow.read(&view, who(lane), Strength::Plain, range) {
                        return Err(self.conflict(lane, "shared", conflict));
                    }
                }
            }
            Place::Global { allocation, .. } => {
                let base = self.world.device.base(allocation);
                let shadow = &mut self.world.shadow;
                for lane in lanes(access.active) {
                    let range = access.range(lane);
                    if shadow.read_plainly(&plain, lane as u8, allocation, range.clone()) {
                        continue;
                    }
                    let read =
                        shadow.read(&view, who(lane), Strength::Plain, allocation, base, range);
                    if let Err(conflict) = read {
                        return Err(self.conflict(lane, "global", conflict));
                    }
                }
            }
        }
        Ok(())
    }

    /// Loads elements of `size` bytes to one register each, extended by `extend`.
    pub(crate) fn load_together(
        &mut self,
        access: &Together,
        size: usize,
        values: &[Slot],
        extend: impl Fn(u64) -> u64,
    ) -> Result<(), Trouble> {
        self.check_reads(access)?;
        let offsets = &access.offsets;
        for (element, &dest) in values.iter().enumerate() {
            let skip = element * size;
            let row = self.registers.row_mut(access.active, dest);
            match access.place {
                Place::Global { allocation, .. } => {
                    let device = self.world.device;
                    for lane in lanes(access.active) {
                        row[lane] = extend(device.number(allocation, offsets[lane] + skip, size));
                    }
                }
                Place::Shared => {
                    let shared = &self.cluster.blocks[self.block].shared;
                    for lane in lanes(access.active) {
                        row[lane] = extend(number(shared, offsets[lane] + skip, size));
                    }
                }
                Place::Local => {
                    let length = self.local.len() / 32;
                    for lane in lanes(access.active) {
                        let offset = lane * length + offsets[lane] + skip;
                        row[lane] = extend(number(self.local, offset, size));
                    }
                }
                Place::Param => {
                    for lane in lanes(access.active) {
                        let offset = offsets[lane] + skip;
                        row[lane] = extend(number(&self.setting.params, offset, size));
                    }
                }
            }
        }
        Ok(())
    }

    /// Stores `size` bytes of each register.
    pub(crate) fn store_together(
        &mut self,
        access: &Together,
        size: usize,
        values: &[Slot],
    ) -> Result<(), Trouble> {
        let mut buffer = [0; MAX_BYTES];
        let bytes = access.bytes;
        let checks_all = self.checks_all();
        let ClusterState { blocks, order, .. } = &mut *self.cluster;
        let view = View {
            order,
            warps_per_block: self.setting.warps,
        };
        let who = |lane: usize| Who {
            agent: self.agent,
            // The lane is at most 31.
            lane: lane as u8,
            instruction: self.instruction,
        };
        let plain = Plain::new(&view, who(0), Strength::Plain);
        let unread = checks_all
            && access.place == Place::Shared
            && access.is_dense()
            && blocks[self.block].shadow.unread(&plain, &access.span);
        for lane in lanes(access.active) {
            let from = &mut buffer[..bytes];
            gather(self.registers, lane, values, size, from);
            let range = access.range(lane);
            match access.place {
                Place::Global { allocation, .. } => {
                    let shadow = &mut self.world.shadow;
                    if checks_all
                        && !shadow.write_plainly(&plain, lane as u8, allocation, range.clone())
                    {
                        let base = self.world.device.base(allocation);
                        let mut old = [0; MAX_BYTES];
                        let old = &mut old[..bytes];
                        self.world.device.read_at(allocation, range.start, old);
                        let (change, range) = (Change::between(old, from), range.clone());
                        let who = who(lane);
                        let write = shadow.write(
                            &view,
                            who,
                            Strength::Plain,
                            change,
                            allocation,
                            base,
                            range,
                        );
                        if let Err(conflict) = write {
                            return Err(self.conflict(lane, "global", conflict));
                        }
                    }
                    self.world.device.write_at(allocation, range.start, from);
                }
                Place::Shared => {
                    let block = &mut blocks[self.block];
                    let there = &mut block.shared[range.clone()];
                    let shadow = &mut block.shadow;
                    let settled = |shadow: &mut SharedShadow| {
                        (unread || shadow.unread(&plain, &range))
                            && shadow.write_unread(&plain, lane as u8, range.clone())
                    };
                    if checks_all && !settled(shadow) {
                        let change = Change::between(there, from);
                        let write = shadow.write(&view, who(lane), Strength::Plain, change, range);
                        if let Err(conflict) = write {
                            return Err(self.conflict(lane, "shared", conflict));
                        }
                    }
                    there.copy_from_slice(from);
                }
                Place::Local => {
                    let first = lane * (self.local.len() / 32);
                    self.local[first + range.start..first + range.end].copy_from_slice(from);
                }
                Place::Param => {}
            }
        }
        Ok(())
    }

    /// Issues a full-size `cp.async` for each lane, if all of them copy from one allocation to the
    /// shared memory of the block. Returns `false` if the general path must decide.
    pub(crate) fn start_copies(
        &mut self,
        to: &Row,
        from: &Row,
        active: u32,
        bytes: usize,
    ) -> Result<bool, Trouble> {
        self.requests.clear();
        let Some(source) = self.together(Space::Global, from, active, bytes, Kind::Load) else {
            return Ok(false);
        };
        if !matches!(source.place, Place::Global { .. }) {
            return Ok(false);
        }
        let Some(target) = self.together(Space::Shared, to, active, bytes, Kind::Store) else {
            return Ok(false);
        };
        self.check_reads(&source)?;
        self.check_copies(&target)?;
        for lane in lanes(active) {
            self.counters.copy(CopyKind::CpAsync, bytes as u64);
            let copy = Copy {
                to: target.offsets[lane],
                from: from[lane],
                bytes,
                read: bytes,
            };
            self.copies.start(lane, copy);
        }
        Ok(true)
    }

    /// Checks copies to shared memory at their issue.
    fn check_copies(&mut self, access: &Together) -> Result<(), Trouble> {
        if !self.checks_all() {
            return Ok(());
        }
        let who = |lane: usize| Who {
            agent: self.agent,
            // The lane is at most 31.
            lane: lane as u8,
            instruction: self.instruction,
        };
        let ClusterState { blocks, order, .. } = &mut *self.cluster;
        let view = View {
            order,
            warps_per_block: self.setting.warps,
        };
        let shadow = &mut blocks[self.block].shadow;
        let plain = Plain::new(&view, who(0), Strength::Copy);
        let unread = access.is_dense() && shadow.unread(&plain, &access.span);
        for lane in lanes(access.active) {
            let range = access.range(lane);
            let settled = (unread || shadow.unread(&plain, &range))
                && shadow.write_unread(&plain, lane as u8, range.clone());
            if settled {
                continue;
            }
            let write = shadow.write(&view, who(lane), Strength::Copy, Change::Some, range);
            if let Err(conflict) = write {
                return Err(self.conflict(lane, "shared", conflict));
            }
        }
        Ok(())
    }
}

//! Bulk copies. Copies that complete on an mbarrier are issued here and complete in
//! [`super::flights`]; copies in bulk groups are issued and complete here.

use super::copies::Groups;
use super::cx::{Cx, SharedSpot};
use super::flights::{Change, End, Flight, Piece, Source};
use super::memory::Spot;
use crate::check::shared::Change as Written;
use crate::check::stamp::{Scope, Strength};
use crate::check::{FaultKind, Trouble, bounds};
use crate::counters::CopyKind;
use crate::isa::bulk::{BlockGroup, Reduction, Until};
use crate::isa::memory::{Kind, resolve};
use crate::parse::syntax::Space;

/// A copy from shared to global memory, in a bulk group of its thread.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) instruction: u32,
    pieces: Vec<(Spot, SharedSpot, usize)>,
    change: Change,
    /// The data, once it has been read; the shared memory is then released.
    read: Option<Vec<u8>>,
}

/// The bulk groups of each lane.
pub(crate) type Stores = Vec<Groups<Store>>;

/// A piece of a copy with unresolved addresses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    /// `None` for a piece that is filled.
    pub(crate) global: Option<u64>,
    /// An address in the shared window of the cluster.
    pub(crate) shared: u64,
    pub(crate) bytes: usize,
}

/// A load to shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load<'a> {
    pub(crate) kind: CopyKind,
    pub(crate) routes: &'a [Route],
    /// The byte pattern that is repeated to fill elements that are not read.
    pub(crate) fill: &'static [u8],
    pub(crate) change: Change,
    /// The `.cta_group`: in pairs, the mbarrier may be in the other block.
    pub(crate) group: Option<BlockGroup>,
}

fn misuse(lane: usize, message: impl Into<String>) -> Trouble {
    Trouble::at(lane, FaultKind::Copy(message.into()))
}

/// Converts a generic address to one in the shared window.
pub(crate) fn shared_address(
    lane: usize,
    space: Space,
    address: u64,
) -> Result<(Space, u64), Trouble> {
    let (space, address) = resolve(space, address);
    if matches!(space, Space::Shared | Space::Cluster) {
        return Ok((space, address));
    }
    Err(misuse(
        lane,
        format!("{address:#x} is not an address of shared memory"),
    ))
}

/// Checks that the size and the addresses of a bulk copy are multiples of 16 bytes.
pub(crate) fn check_bulk(
    lane: usize,
    bytes: u32,
    addresses: [(&'static str, u64); 2],
) -> Result<(), Trouble> {
    if !bytes.is_multiple_of(16) {
        let message = format!("{bytes} bytes are not a multiple of 16");
        return Err(misuse(lane, message));
    }
    for (space, address) in addresses {
        bounds::aligned(space, address, 16).map_err(|kind| Trouble::at(lane, kind))?;
    }
    Ok(())
}

impl Cx<'_, '_> {
    /// Returns the block whose mbarrier is signaled for bytes that arrive in `block`.
    ///
    /// With `.cta_group::2`, it is the block of the pair whose rank has the same parity as that of
    /// the block that `barrier` names.
    fn told(
        &self,
        lane: usize,
        (block, several): (usize, bool),
        barrier: SharedSpot,
        group: Option<BlockGroup>,
    ) -> Result<usize, Trouble> {
        if group == Some(BlockGroup::Two) {
            let told = block & !1 | barrier.block & 1;
            if told >= self.cluster.blocks.len() {
                let message = format!("block {block} of the cluster has no peer to form a pair");
                return Err(misuse(lane, message));
            }
            if several || told == barrier.block {
                return Ok(told);
            }
            let message = "the mbarrier is not in the pair of blocks that receives the bytes";
            return Err(misuse(lane, message));
        }
        if several || block == barrier.block {
            return Ok(block);
        }
        let message = "the mbarrier is not in the block that receives the bytes";
        Err(misuse(lane, message))
    }

    /// Issues a load from global memory to shared memory, which signals an mbarrier. `blocks` is
    /// the mask of destination blocks: each of them uses the same offsets of data and mbarrier in
    /// its own shared memory. Without a mask, the addresses name the block.
    pub(crate) fn start_load(
        &mut self,
        lane: usize,
        load: &Load<'_>,
        barrier: SharedSpot,
        blocks: Option<u32>,
    ) -> Result<(), Trouble> {
        let &Load {
            kind,
            routes,
            fill,
            change,
            group,
        } = load;
        let bytes: usize = routes.iter().map(|route| route.bytes).sum();
        let mut sources = Vec::with_capacity(routes.len());
        for route in routes {
            let Some(address) = route.global else {
                sources.push(Source::Fill(fill));
                continue;
            };
            let spot = self.global_spot(lane, Space::Global, address, route.bytes)?;
            self.check_global_read_async(lane, spot, route.bytes)?;
            sources.push(Source::Global(spot));
        }
        let read = routes.iter().filter(|route| route.global.is_some());
        let read: usize = read.map(|route| route.bytes).sum();
        self.counters.copy_reads(kind, read as u64);
        let count = self.cluster.blocks.len();
        if let Some(mask) = blocks
            && (mask == 0 || mask >> count.min(31) != 0)
        {
            let message =
                format!("the mask {mask:#x} contains blocks that the cluster does not have");
            return Err(misuse(lane, message));
        }
        let targets = match blocks {
            None => vec![None],
            Some(mask) => (0..count)
                .filter(|rank| mask >> rank & 1 == 1)
                .map(Some)
                .collect(),
        };
        for target in targets {
            let mut pieces = Vec::with_capacity(routes.len());
            let mut block = target;
            for (route, &from) in routes.iter().zip(&sources) {
                let mut spot = self.shared_spot(lane, Space::Cluster, route.shared, route.bytes)?;
                spot.block = *block.get_or_insert(spot.block);
                self.check_shared_write(lane, Strength::Copy, Written::Some, spot, route.bytes)?;
                pieces.push(Piece {
                    to: spot,
                    from,
                    bytes: route.bytes,
                });
            }
            self.counters.copy(kind, bytes as u64);
            let flight = Flight {
                who: self.who(lane),
                block: self.block,
                pieces,
                change,
                // The bytes are within shared memory, so the number fits 32 bits.
                end: End::Bytes(bytes as u32),
            };
            let block = (block.unwrap_or(barrier.block), target.is_some());
            let told = SharedSpot {
                block: self.told(lane, block, barrier, group)?,
                ..barrier
            };
            self.launch(lane, told, flight)?;
        }
        Ok(())
    }

    /// Issues a copy of shared memory, or of a register, to the shared memory of a block of the
    /// cluster.
    pub(crate) fn start_remote(
        &mut self,
        lane: usize,
        from: Source,
        to: SharedSpot,
        bytes: usize,
        reduction: Option<Reduction>,
        barrier: SharedSpot,
    ) -> Result<(), Trouble> {
        if to.block != barrier.block {
            let message = "the mbarrier is not in the block that receives the bytes";
            return Err(misuse(lane, message));
        }
        if let Source::Shared(spot) = from {
            self.check_shared_read_async(lane, spot, bytes)?;
        }
        let change = match reduction {
            None => {
                self.check_shared_write(lane, Strength::Copy, Written::Some, to, bytes)?;
                Change::None
            }
            Some(reduction) => {
                let strength = Strength::Strong(Scope::Cluster);
                self.check_shared_read(lane, strength, to, bytes)?;
                self.check_shared_write(lane, strength, Written::Some, to, bytes)?;
                Change::Reduce(reduction)
            }
        };
        self.counters.copy(CopyKind::Bulk, bytes as u64);
        let flight = Flight {
            who: self.who(lane),
            block: self.block,
            pieces: vec![Piece { to, from, bytes }],
            change,
            // The bytes are within shared memory, so the number fits 32 bits.
            end: End::Bytes(bytes as u32),
        };
        self.launch(lane, barrier, flight)
    }

    /// Issues a store or a reduction to global memory in the open group of the lane.
    pub(crate) fn start_store(
        &mut self,
        lane: usize,
        kind: CopyKind,
        routes: &[Route],
        reduction: Option<Reduction>,
    ) -> Result<(), Trouble> {
        let mut pieces = Vec::with_capacity(routes.len());
        let mut total = 0;
        for route in routes {
            let spot = self.shared_spot(lane, Space::Shared, route.shared, route.bytes)?;
            // Elements outside the tensor are not stored, but their shared memory must exist.
            let Some(address) = route.global else {
                continue;
            };
            self.check_shared_read_async(lane, spot, route.bytes)?;
            let target = self.global_spot_mut(lane, Space::Global, address, route.bytes)?;
            if reduction.is_some() {
                let strength = Strength::Strong(Scope::Device);
                self.check_global(
                    lane,
                    strength,
                    Kind::Load,
                    Written::None,
                    target,
                    route.bytes,
                )?;
                self.check_global(
                    lane,
                    strength,
                    Kind::Store,
                    Written::Some,
                    target,
                    route.bytes,
                )?;
            } else {
                let shared = &self.cluster.blocks[spot.block].shared;
                let change = self.global_change(target, &shared[spot.range(route.bytes)]);
                self.check_global(
                    lane,
                    Strength::Copy,
                    Kind::Store,
                    change,
                    target,
                    route.bytes,
                )?;
            }
            total += route.bytes;
            pieces.push((target, spot, route.bytes));
        }
        self.counters.copy(kind, total as u64);
        let store = Store {
            instruction: self.instruction,
            pieces,
            change: reduction.map_or(Change::None, Change::Reduce),
            read: None,
        };
        self.copies.stores[lane].start(store);
        Ok(())
    }

    /// Waits until at most `left` groups of a lane are in flight; with `None`, waits for all of its
    /// stores.
    pub(crate) fn finish_stores(&mut self, lane: usize, left: Option<u64>, until: Until) {
        if until == Until::Read {
            let mut groups = std::mem::take(&mut self.copies.stores[lane]);
            for store in groups.oldest_mut(left.unwrap_or(0)) {
                self.read_store(store);
            }
            self.copies.stores[lane] = groups;
            return;
        }
        for mut store in self.copies.stores[lane].finish(left) {
            self.read_store(&mut store);
            self.write_store(store);
        }
    }

    /// Reads the source of a store. The kernel may overwrite the source afterwards.
    fn read_store(&mut self, store: &mut Store) {
        if store.read.is_some() {
            return;
        }
        let mut read = Vec::new();
        for &(_, from, bytes) in &store.pieces {
            let start = read.len();
            read.resize(start + bytes, 0);
            self.gather(Source::Shared(from), &mut read[start..]);
            self.end_shared_read_async(from, bytes);
        }
        store.read = Some(read);
    }

    fn write_store(&mut self, store: Store) {
        let read = store.read.unwrap_or_default();
        let mut offset = 0;
        for (target, _, bytes) in store.pieces {
            self.scatter(target, store.change, &read[offset..offset + bytes]);
            if store.change == Change::None {
                self.end_global_write(store.instruction, target, bytes);
            }
            offset += bytes;
        }
    }

    /// Handles the stores in flight of a warp that exits: their sources must have been read, and
    /// their data is written.
    pub(crate) fn end_stores(&mut self) -> Result<(), Trouble> {
        for lane in 0..32 {
            if let Some(store) = self.copies.stores[lane]
                .iter()
                .find(|store| store.read.is_none())
            {
                let line = self.kernel.lines[store.instruction as usize].at;
                let message = format!(
                    "the copy of line {line} may still read shared memory when the block ends: wait with `cp.async.bulk.wait_group.read 0`"
                );
                return Err(Trouble::at(lane, FaultKind::NotAwaited(message)));
            }
            self.finish_stores(lane, None, Until::Done);
        }
        Ok(())
    }
}

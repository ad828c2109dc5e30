//! Bulk copies: those that a barrier is told of begin here and end in [`super::flights`]; those in
//! groups of a thread begin and end here.

use super::copies::Groups;
use super::cx::{Cx, SharedSpot};
use super::flights::{Change, End, Flight, Piece, Source};
use super::memory::Spot;
use crate::check::shared::Change as Written;
use crate::check::stamp::{How, Scope};
use crate::check::{FaultKind, Trouble, bounds};
use crate::counters::CopyKind;
use crate::isa::bulk::{BlockGroup, Reduction, Until};
use crate::isa::memory::{Kind, resolve};
use crate::parse::syntax::Space;

/// A copy from shared to global memory, in a group of its thread.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) instruction: u32,
    pieces: Vec<(Spot, SharedSpot, usize)>,
    change: Change,
    /// What was read, once the shared memory was let go.
    read: Option<Vec<u8>>,
}

/// The copies in groups of each lane.
pub(crate) type Stores = Vec<Groups<Store>>;

/// A piece with addresses that are not looked up yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    /// None: it is filled.
    pub(crate) global: Option<u64>,
    /// Of the window of the cluster.
    pub(crate) shared: u64,
    pub(crate) bytes: usize,
}

/// What is loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load<'a> {
    pub(crate) kind: CopyKind,
    pub(crate) routes: &'a [Route],
    /// What is not read has these bytes, over and over.
    pub(crate) fill: &'static [u8],
    pub(crate) change: Change,
    /// In pairs, the barrier may be in the other block.
    pub(crate) group: Option<BlockGroup>,
}

fn misuse(lane: usize, message: impl Into<String>) -> Trouble {
    Trouble::at(lane, FaultKind::Copy(message.into()))
}

/// A generic address as one of the window of shared memory.
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
        format!("{address:#x} is no address of shared memory"),
    ))
}

/// The size of a bulk copy, and its addresses: multiples of 16 bytes.
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
    /// The block whose barrier is told of bytes that come to `block`, as one of several or alone.
    ///
    /// In pairs of blocks (`.cta_group::2`) it is the one of the pair that has the parity of the
    /// block that `barrier` names.
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
                let message =
                    format!("block {block} of the cluster has no other to be a pair with");
                return Err(misuse(lane, message));
            }
            if several || told == barrier.block {
                return Ok(told);
            }
            let message = "the barrier is in no block of the pair that the bytes come to";
            return Err(misuse(lane, message));
        }
        if several || block == barrier.block {
            return Ok(block);
        }
        let message = "the barrier is in another block than the bytes";
        Err(misuse(lane, message))
    }

    /// Begins a load from global memory to shared memory of `blocks` of the cluster, each of whose
    /// barriers is told; addresses and `barrier` are in the block that they name.
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
            let message = format!("the mask {mask:#x} names blocks that the cluster lacks");
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
                self.check_shared_write(lane, How::Copy, Written::Some, spot, route.bytes)?;
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
                // Within shared memory.
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

    /// Begins a copy of shared memory, or of a register, to shared memory of a block of the cluster.
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
            let message = "the barrier is in another block than the bytes";
            return Err(misuse(lane, message));
        }
        if let Source::Shared(spot) = from {
            self.check_shared_read_async(lane, spot, bytes)?;
        }
        let change = match reduction {
            None => {
                self.check_shared_write(lane, How::Copy, Written::Some, to, bytes)?;
                Change::None
            }
            Some(reduction) => {
                let how = How::Strong(Scope::Cluster);
                self.check_shared_read(lane, how, to, bytes)?;
                self.check_shared_write(lane, how, Written::Some, to, bytes)?;
                Change::Reduce(reduction)
            }
        };
        self.counters.copy(CopyKind::Bulk, bytes as u64);
        let flight = Flight {
            who: self.who(lane),
            block: self.block,
            pieces: vec![Piece { to, from, bytes }],
            change,
            // Within shared memory.
            end: End::Bytes(bytes as u32),
        };
        self.launch(lane, barrier, flight)
    }

    /// Begins a store or a reduction to global memory, in the open group of the lane.
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
            // What is outside of the tensor is read too, though nothing becomes of it.
            let Some(address) = route.global else {
                continue;
            };
            self.check_shared_read_async(lane, spot, route.bytes)?;
            let target = self.global_spot_mut(lane, Space::Global, address, route.bytes)?;
            if reduction.is_some() {
                let how = How::Strong(Scope::Device);
                self.check_global(lane, how, Kind::Load, Written::None, target, route.bytes)?;
                self.check_global(lane, how, Kind::Store, Written::Some, target, route.bytes)?;
            } else {
                let shared = &self.cluster.blocks[spot.block].shared;
                let change = self.global_change(target, &shared[spot.range(route.bytes)]);
                self.check_global(lane, How::Copy, Kind::Store, change, target, route.bytes)?;
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

    /// Waits until at most `left` groups of a lane are under way; all of the lane if `None`.
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

    /// The shared memory is read and let go.
    fn read_store(&mut self, store: &mut Store) {
        if store.read.is_some() {
            return;
        }
        let mut read = Vec::new();
        for &(_, from, bytes) in &store.pieces {
            let at = read.len();
            read.resize(at + bytes, 0);
            self.gather(Source::Shared(from), &mut read[at..]);
            self.end_shared_read_async(from, bytes);
        }
        store.read = Some(read);
    }

    fn write_store(&mut self, store: Store) {
        let read = store.read.unwrap_or_default();
        let mut at = 0;
        for (target, _, bytes) in store.pieces {
            self.scatter(target, store.change, &read[at..at + bytes]);
            if store.change == Change::None {
                self.end_global_write(store.instruction, target, bytes);
            }
            at += bytes;
        }
    }

    /// A warp ends: what its stores read they must have read, and what they write is written.
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

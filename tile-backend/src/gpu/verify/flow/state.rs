//! What may have happened before a point of the kernel.

use super::super::super::{
    BARRIER_BYTES, BufferId, Handshake, Kernel, Op, OpId, OpKind, Reach, ValueId,
};
use super::super::described;
use super::alternations::Alternations;
use super::barriers::{Phases, Slot};
use super::handshakes::Turns;
use super::numbers::Known;
use super::stores::{Stores, written};
use super::target::Target;
use crate::gpu::is_shared;
use crate::passes::{Pending, Touch, memory_accesses, touched};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Groups of copies that are told apart; older ones are as old.
const MOST_GROUPS: u32 = 64;

/// The slot of `buffer`, if that is a ring, that an operation touches.
fn slot(kernel: &Kernel, op: &Op, buffer: BufferId) -> Option<ValueId> {
    let is_ring = |buffer: &BufferId| kernel.buffer(*buffer).slots > 1;
    if !is_ring(&buffer) {
        return None;
    }
    match &op.kind {
        OpKind::CopyAsync(_) | OpKind::CopyTensor(_) | OpKind::CopyBulk(_) => {
            op.args.get(1).copied()
        }
        OpKind::LoadShared(_) | OpKind::LoadMatrix(_) => op.args.first().copied(),
        OpKind::LoadSlice(_) => op.args.last().copied(),
        OpKind::MmaLoop(product) => {
            let before = product.buffers().filter(is_ring);
            let index = before.take_while(|&other| other != buffer).count();
            op.args.get(1 + index).copied()
        }
        OpKind::Wgmma(product) => {
            let before = product.buffers().filter(is_ring);
            let index = before.take_while(|&other| other != buffer).count();
            op.args.get(product.values() + index).copied()
        }
        OpKind::Transpose(matrix) => {
            let [from, to] = matrix.slots(kernel, op);
            if buffer == matrix.from { from } else { to }
        }
        _ => None,
    }
}

/// How many products may be under way behind an operation, if it is one.
fn open(kind: &OpKind) -> Option<u32> {
    match kind {
        OpKind::Wgmma(product) => Some(product.open),
        _ => None,
    }
}

/// The slots of rings that an operation touches.
pub(super) fn slots<'k>(kernel: &'k Kernel, op: &'k Op) -> impl Iterator<Item = ValueId> + use<'k> {
    let buffers = touched(&op.kind).into_iter().map(|(buffer, _)| buffer);
    let of_rings = buffers.filter_map(move |buffer| slot(kernel, op, buffer));
    // Which barrier, and the parity of its phase.
    let of_barriers = match &op.kind {
        OpKind::ExpectTensors(_) | OpKind::CopyTensor(_) | OpKind::CopyBulk(_) => op.args.get(1..2),
        OpKind::WaitTensors(_) | OpKind::WaitFree(_) | OpKind::EndRing(_) => op.args.get(..2),
        OpKind::Free(_) => op.args.get(..1),
        _ => None,
    };
    of_rings.chain(of_barriers.unwrap_or_default().iter().copied())
}

/// Where buffers lie. A place is a slot of one.
pub(super) struct Layout {
    /// The bytes of each place.
    places: Vec<Range<u32>>,
    /// The places of each buffer.
    of: Vec<Range<usize>>,
    /// Per place, those of other buffers with bytes in common.
    overlaps: Vec<Vec<usize>>,
    /// Barriers that hand slots to and fro.
    handshakes: Vec<Handshake>,
    /// The rings that such a barrier is for, by copies into them.
    rings: Vec<(BufferId, BufferId)>,
}

impl Layout {
    /// `None` if a buffer has no bytes yet.
    pub(super) fn of(kernel: &Kernel) -> Option<Self> {
        let (mut places, mut of): (Vec<Range<u32>>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        for buffer in &kernel.buffers {
            let start = buffer.offset_bytes?;
            let bytes = buffer.bytes / buffer.slots;
            let first = places.len();
            places.extend((0..buffer.slots).map(|slot| {
                let start = start + slot * bytes;
                start..start + bytes
            }));
            of.push(first..places.len());
        }
        let meet = |a: usize, b: usize| {
            !of.iter().any(|own| own.contains(&a) && own.contains(&b))
                && overlap(&places[a], &places[b])
        };
        let all = 0..places.len();
        let overlaps = all
            .clone()
            .map(|a| all.clone().filter(|&b| meet(a, b)).collect());
        let overlaps = overlaps.collect();
        Some(Self {
            places,
            of,
            overlaps,
            handshakes: super::super::super::verify_handshake::handshakes(kernel),
            rings: rings(kernel),
        })
    }

    /// The slot `slot` of a buffer, or all if it is not known.
    fn places(&self, buffer: BufferId, slot: Option<u64>) -> Range<usize> {
        let all = self.of[buffer.index()].clone();
        let one = slot.and_then(|slot| usize::try_from(slot).ok());
        match one.map(|slot| all.start + slot) {
            Some(place) if place < all.end => place..place + 1,
            _ => all,
        }
    }

    /// The barriers of the ring that a place belongs to.
    fn rings_of(&self, place: usize) -> impl Iterator<Item = BufferId> {
        let rings = self.rings.iter();
        rings
            .filter(move |(_, ring)| self.of[ring.index()].contains(&place))
            .map(|(barriers, _)| *barriers)
    }

    fn is_handed_over(&self, barriers: BufferId) -> bool {
        self.handshake(barriers).is_some()
    }

    /// That of which `barriers` say that slots are filled.
    fn handshake(&self, barriers: BufferId) -> Option<Handshake> {
        let mut all = self.handshakes.iter();
        all.find(|handshake| handshake.filled == barriers).copied()
    }

    /// Who arrives at barriers.
    fn reach(&self, barriers: BufferId) -> Reach {
        let mut all = self.handshakes.iter();
        all.find(|handshake| [handshake.filled, handshake.free].contains(&barriers))
            .map_or(Reach::Block, |handshake| handshake.reach)
    }

    fn bytes(&self, places: &Range<usize>) -> Range<u32> {
        self.places[places.start].start..self.places[places.end - 1].end
    }
}

/// Per copy that a barrier counts, the barriers that count its bytes and the ring.
fn rings(kernel: &Kernel) -> Vec<(BufferId, BufferId)> {
    let copies = kernel.op_ids().filter_map(|id| match &kernel.op(id).kind {
        OpKind::CopyTensor(copy) => Some((copy.barriers, copy.buffer)),
        OpKind::CopyBulk(copy) => Some((copy.barriers, copy.buffer)),
        _ => None,
    });
    let mut rings: Vec<(BufferId, BufferId)> = copies.collect();
    rings.sort_unstable();
    rings.dedup();
    rings
}

fn overlap(a: &Range<u32>, b: &Range<u32>) -> bool {
    a.start < b.end && b.start < a.end
}

/// An access that no barrier has followed.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Access {
    op: OpId,
    bytes: Range<u32>,
    touch: Touch,
    /// The buffer, if each warp or thread has a part of it for itself.
    own: Option<BufferId>,
}

/// A read of a product that is left open.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Open {
    read: Access,
    /// How many products have begun since.
    newer: u32,
}

/// A copy that the thread has begun and not waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Flight {
    op: OpId,
    bytes: Range<u32>,
    /// How many groups are newer than its own; `None` if that is still open.
    age: Option<u32>,
    /// The barrier that counts its bytes, if it is waited for so.
    barrier: Option<Slot>,
    target: Option<Target>,
}

/// What may have happened, on any of the ways that come to a point with the same numbers.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The numbers.
    pub(super) known: Known,
    /// What the last jump gave.
    pub(super) yielded: Vec<Option<u64>>,
    accesses: Vec<Access>,
    /// Reads of products that are left open.
    open: Vec<Open>,
    memory: Vec<Pending>,
    flights: Vec<Flight>,
    /// Copies that the thread has waited for, and others have not.
    landed: Vec<(OpId, Range<u32>)>,
    /// Places that hold what was last written to their buffer, whatever way it was.
    filled: Vec<bool>,
    /// Barriers that count bytes.
    phases: Phases,
    /// Whose turn it is with slots that are handed to and fro.
    turns: Turns,
    /// Stores of tensors.
    stores: Stores,
    /// Turns of warpgroups.
    alternations: Alternations,
    /// Whether all blocks that share tiles have begun.
    has_met: bool,
}

impl State {
    pub(super) fn new(layout: &Layout) -> Self {
        Self {
            known: Known::new(),
            yielded: Vec::new(),
            accesses: Vec::new(),
            open: Vec::new(),
            memory: Vec::new(),
            flights: Vec::new(),
            landed: Vec::new(),
            filled: vec![false; layout.places.len()],
            phases: Phases::default(),
            turns: Turns::default(),
            stores: Stores::default(),
            alternations: Alternations::default(),
            has_met: false,
        }
    }

    /// Adds what may have happened on another way. Whether that was anything new.
    pub(super) fn join(&mut self, other: Self) -> bool {
        fn add<T: PartialEq>(to: &mut Vec<T>, from: Vec<T>) -> bool {
            let before = to.len();
            for item in from {
                if !to.contains(&item) {
                    to.push(item);
                }
            }
            to.len() > before
        }
        let Self {
            known: _,
            yielded: _,
            accesses,
            open,
            memory,
            flights,
            landed,
            filled,
            phases,
            turns,
            stores,
            alternations,
            has_met,
        } = other;
        let knew = self.has_met;
        self.has_met &= has_met;
        let mut changed = knew != self.has_met;
        changed |= add(&mut self.accesses, accesses);
        changed |= add(&mut self.open, open);
        changed |= add(&mut self.memory, memory);
        changed |= add(&mut self.flights, flights);
        changed |= add(&mut self.landed, landed);
        for (own, other) in self.filled.iter_mut().zip(filled) {
            changed |= *own && !other;
            *own &= other;
        }
        changed |= self.phases.join(phases);
        changed |= self.turns.join(&turns);
        changed |= self.stores.join(stores);
        changed |= self.alternations.join(&alternations);
        changed
    }

    /// An iteration of the loop `id` begins.
    pub(super) fn enter(&mut self, id: OpId, is_for: bool) {
        for flight in &mut self.flights {
            if let Some(target) = &mut flight.target
                && target.of == id
                && is_for
            {
                target.ahead = target.ahead.saturating_sub(1);
            }
        }
    }

    /// The loop `id` has no iteration after the last: copies for later ones were not begun.
    pub(super) fn exit(&mut self, id: OpId) {
        self.flights.retain(|flight| {
            let target = flight.target.filter(|target| target.of == id);
            target.is_none_or(|target| target.ahead == 0)
        });
    }

    /// In another iteration `inside` has other values.
    pub(super) fn forget(&mut self, inside: &FxHashSet<ValueId>) {
        let memory = std::mem::take(&mut self.memory);
        for access in memory {
            let access = access.before(inside);
            if !self.memory.contains(&access) {
                self.memory.push(access);
            }
        }
        self.known.retain(|value, _| !inside.contains(value));
    }

    /// Faults of an end of the kernel here.
    pub(super) fn under_way(&self, kernel: &Kernel) -> Vec<String> {
        let flights = self.flights.iter().map(|flight| flight.op);
        let open = self.open.iter().map(|open| open.read.op);
        let held = self.turns.held();
        let stores = self.stores.reading();
        let said = flights.chain(open).chain(stores).map(|op| {
            format!(
                "the kernel ends while {} may be under way",
                described(kernel, op)
            )
        });
        let exchanged = self.accesses.iter().filter_map(|access| {
            let is_written = access.touch == Touch::Write && is_shared(&kernel.op(access.op).kind);
            is_written.then(|| {
                format!(
                    "the block may end while others write to its memory for {}",
                    described(kernel, access.op)
                )
            })
        });
        let held = held.chain(exchanged);
        said.chain(held).chain(self.alternations.end()).collect()
    }

    /// Goes on behind the operation `id`, which has no blocks that control goes through. Returns
    /// why it must not stand here.
    pub(super) fn step(
        &mut self,
        kernel: &Kernel,
        layout: &Layout,
        target: Option<Target>,
        id: OpId,
    ) -> Vec<String> {
        let op = kernel.op(id);
        if let Some(fault) = self.alternations.step(&op.kind) {
            return vec![fault];
        }
        match &op.kind {
            OpKind::Barrier | OpKind::ClusterBarrier | OpKind::Produce => {
                let is_of_cluster = matches!(op.kind, OpKind::ClusterBarrier);
                self.has_met |= is_of_cluster;
                self.accesses
                    .retain(|access| !is_of_cluster && is_shared(&kernel.op(access.op).kind));
                self.memory
                    .retain(|access| !is_of_cluster && access.reach() == Reach::Cluster);
                self.landed.clear();
                self.stores.barrier();
                match op.kind {
                    OpKind::ClusterBarrier => self.turns.meet(),
                    OpKind::Produce => return self.turns.begin().into_iter().collect(),
                    _ => {}
                }
                return Vec::new();
            }
            OpKind::FenceAsync => {
                self.stores.fence();
                return Vec::new();
            }
            OpKind::CommitCopies => {
                let by_groups = |flight: &&mut Flight| flight.barrier.is_none();
                for flight in self.flights.iter_mut().filter(by_groups) {
                    flight.age = Some(flight.age.map_or(0, |age| (age + 1).min(MOST_GROUPS)));
                }
                return Vec::new();
            }
            &OpKind::WaitCopies(left) => {
                let is_left = |flight: &Flight| {
                    flight.barrier.is_some() || flight.age.is_none_or(|age| age < left)
                };
                let (left, landed): (Vec<Flight>, Vec<Flight>) = std::mem::take(&mut self.flights)
                    .into_iter()
                    .partition(is_left);
                self.flights = left;
                let landed = landed.into_iter().map(|flight| (flight.op, flight.bytes));
                for landed in landed {
                    // Only now it has read.
                    let read = memory_accesses(kernel, landed.0);
                    let fresh = read.filter(|read| !self.memory.contains(read));
                    self.memory.extend(fresh);
                    if !self.landed.contains(&landed) {
                        self.landed.push(landed);
                    }
                }
                return Vec::new();
            }
            OpKind::WaitProducts(_) | OpKind::WaitRescaled(_) => {
                self.close(op.kind.most_open().unwrap_or(0));
                let of_sum = |open: &&Open| kernel.op(open.read.op).results[0] == op.args[0];
                let left = self.open.iter().find(of_sum);
                return Vec::from_iter(left.map(|open| {
                    format!(
                        "{} may still be under way behind the wait for it",
                        described(kernel, open.read.op)
                    )
                }));
            }
            OpKind::WaitFree(_) | OpKind::EndRing(_) | OpKind::Free(_) => {
                return self.hand_over(kernel, layout, op);
            }
            OpKind::ExpectTensors(expected) if layout.is_handed_over(expected.barriers) => {
                return self.hand_over(kernel, layout, op);
            }
            OpKind::CopyTensor(copy) if layout.is_handed_over(copy.barriers) => {
                return self.hand_over(kernel, layout, op);
            }
            OpKind::WaitTensors(barriers) if layout.is_handed_over(*barriers) => {
                return self.hand_over(kernel, layout, op);
            }
            OpKind::WaitStores(wait) => self.stores.wait(*wait),
            _ => {}
        }
        let most_open = open(&op.kind);
        if let Some(most) = most_open {
            for open in &mut self.open {
                open.newer += 1;
            }
            self.close(most);
        }
        if is_shared(&op.kind) && !self.has_met {
            return vec!["other blocks of the cluster may not have begun".to_owned()];
        }
        let before: Vec<OpId> = self.stores.writing().collect();
        let known = |index: usize| self.known.get(op.args.get(index)?).copied();
        let mut faults = match &op.kind {
            OpKind::InitBarriers(barriers, _) => {
                self.turns.init(layout.reach(*barriers));
                self.phases.init(kernel, *barriers)
            }
            OpKind::DropBarriers(barriers) => self.phases.drop(*barriers),
            OpKind::ExpectTensors(expected) => {
                let slot = known(1);
                let waits = self.accesses.iter().filter(|access| {
                    matches!(kernel.op(access.op).kind, OpKind::WaitTensors(other) if other == expected.barriers)
                });
                let mut faults: Vec<String> =
                    waits.map(|access| missing(kernel, access.op)).collect();
                faults.extend(self.phases.expect(kernel, op, *expected, slot));
                faults
            }
            OpKind::CopyBulk(copy) => {
                let fault = self.phases.begin(id, copy.barriers, known(1));
                fault.into_iter().collect()
            }
            OpKind::CopyTensor(copy) => {
                let slot = known(1);
                self.phases.copy(kernel, copy, slot)
            }
            OpKind::WaitTensors(barriers) => {
                let (slot, parity) = (known(0), known(1));
                if let Some(slot) = slot {
                    let here = Some((*barriers, slot));
                    self.flights.retain(|flight| flight.barrier != here);
                }
                self.phases.wait(*barriers, slot, parity)
            }
            _ => Vec::new(),
        };
        let touched = touched(&op.kind).into_iter().map(|(buffer, touch)| {
            let at = slot(kernel, op, buffer).and_then(|slot| self.known.get(&slot).copied());
            let places = layout.places(buffer, at);
            let is_own =
                matches!(op.kind, OpKind::ExchangeByMemory(_)) || kernel.is_ring_of_threads(buffer);
            let access = Access {
                op: id,
                bytes: layout.bytes(&places),
                touch,
                own: is_own.then_some(buffer),
            };
            (access, buffer, places)
        });
        let touched: Vec<(Access, BufferId, Range<usize>)> = touched.collect();
        for (access, buffer, places) in &touched {
            faults.extend(self.check(kernel, access, *buffer, places.clone()));
        }
        for (access, _, places) in touched {
            if access.touch == Touch::Write {
                for place in places {
                    self.filled[place] = true;
                    for &other in &layout.overlaps[place] {
                        self.filled[other] = false;
                        self.turns.spoil(layout.rings_of(other));
                    }
                }
            }
            if let OpKind::StoreTensor(store) = &op.kind {
                let bytes = access.bytes.clone();
                faults.extend(self.stores.begin(kernel, id, store.buffer, bytes));
            }
            let counted = match &op.kind {
                OpKind::CopyTensor(copy) => Some(copy.barriers),
                OpKind::CopyBulk(copy) => Some(copy.barriers),
                _ => None,
            };
            let is_write = access.touch == Touch::Write;
            if let Some(barriers) = counted.filter(|_| is_write) {
                let slot = op.args.get(1).and_then(|slot| self.known.get(slot));
                self.flights.push(Flight {
                    op: id,
                    bytes: access.bytes,
                    age: None,
                    // One that is not known is never waited for.
                    barrier: Some((barriers, slot.copied().unwrap_or(u64::MAX))),
                    target,
                });
            } else if matches!(op.kind, OpKind::CopyAsync(_)) {
                self.flights.push(Flight {
                    op: id,
                    bytes: access.bytes,
                    age: None,
                    barrier: None,
                    target,
                });
            } else if most_open.is_some_and(|most| most > 0) {
                self.open.push(Open {
                    read: access,
                    newer: 0,
                });
            } else if !self.accesses.contains(&access) {
                self.accesses.push(access);
            }
        }
        if let Some(buffer) = written(&op.kind) {
            self.stores.write(id, buffer);
        }
        if let Some(access) = memory_accesses(kernel, id) {
            let met = self
                .memory
                .iter()
                .filter(|old| old.conflicts(&access, kernel));
            faults.extend(met.map(|old| missing(kernel, old.op())));
            let copies = self.flights.iter().map(|flight| (flight.op, "from"));
            let stores = before.iter().map(|&store| (store, "to"));
            for (other, direction) in copies.chain(stores) {
                let other_access = memory_accesses(kernel, other);
                if other_access.is_some_and(|other| other.conflicts(&access, kernel)) {
                    faults.push(format!(
                        "{} may be under way {direction} the same bytes: a wait for it is missing",
                        described(kernel, other)
                    ));
                }
            }
            if !self.memory.contains(&access) {
                self.memory.push(access);
            }
        }
        faults
    }

    /// What producers see of barriers that were initialized.
    pub(super) fn take_barriers(&mut self, before: &[Self]) {
        if let Some(state) = before.first() {
            self.phases = state.phases.clone();
        }
        for state in before.iter().skip(1) {
            self.phases.join(state.phases.clone());
        }
    }

    /// An operation on a slot that is handed to and fro.
    fn hand_over(&mut self, kernel: &Kernel, layout: &Layout, op: &Op) -> Vec<String> {
        let known = |index: usize| self.known.get(op.args.get(index)?).copied();
        let slots =
            |handshake: Handshake| u64::from(kernel.buffer(handshake.filled).bytes / BARRIER_BYTES);
        let of = |barriers: BufferId| {
            let found = layout.handshake(barriers);
            found.expect("the barriers are handed over")
        };
        let (first, second) = (known(0), known(1));
        let rings = |barriers: BufferId| {
            let rings = layout.rings.iter();
            { rings }
                .filter(move |(own, _)| *own == barriers)
                .map(|(_, ring)| *ring)
        };
        match &op.kind {
            OpKind::WaitFree(handshake) => {
                let mut faults = self.phases.demand(handshake.free);
                faults.extend(
                    self.turns
                        .take(*handshake, slots(*handshake), first, second),
                );
                faults
            }
            OpKind::EndRing(handshake) => {
                let fault = self.turns.end(*handshake, slots(*handshake), first, second);
                fault.into_iter().collect()
            }
            OpKind::ExpectTensors(expected) => {
                let mut faults = self.phases.demand(expected.barriers);
                faults.extend(
                    self.turns
                        .expect(of(expected.barriers), expected.bytes, second),
                );
                faults
            }
            OpKind::CopyTensor(copy) => {
                let bytes = copy.boxes(kernel).map_or(0, |boxes| boxes.total_bytes());
                let fault = self.turns.copy(of(copy.barriers), bytes, second);
                fault.into_iter().collect()
            }
            OpKind::WaitTensors(barriers) => {
                let handshake = of(*barriers);
                let mut faults = self.phases.demand(*barriers);
                faults.extend(self.turns.wait(handshake, slots(handshake), first, second));
                for ring in rings(*barriers) {
                    for place in layout.places(ring, first) {
                        self.filled[place] = first.is_some();
                    }
                }
                faults
            }
            OpKind::Free(handshake) => {
                if first == Some(slots(*handshake)) {
                    return Vec::new();
                }
                let mut faults = self.phases.demand(handshake.free);
                faults.extend(self.turns.free(*handshake, first));
                for ring in rings(handshake.filled) {
                    let places = layout.places(ring, first);
                    let bytes = layout.bytes(&places);
                    let open = self.open.iter();
                    let reads = open.filter(|open| overlap(&open.read.bytes, &bytes));
                    faults.extend(reads.map(|open| {
                        format!(
                            "{} may still read the slot: a wait for it is missing",
                            described(kernel, open.read.op)
                        )
                    }));
                    self.filled[places].fill(false);
                }
                faults
            }
            _ => unreachable!("this is no operation on a slot"),
        }
    }

    /// At most `left` products are under way: those before have read what they read.
    fn close(&mut self, left: u32) {
        let (open, ended): (Vec<Open>, Vec<Open>) = std::mem::take(&mut self.open)
            .into_iter()
            .partition(|open| open.newer < left);
        self.open = open;
        for Open { read, newer: _ } in ended {
            if !self.accesses.contains(&read) {
                self.accesses.push(read);
            }
        }
    }

    /// What forbids the access `new`, of `buffer`, to `places`.
    fn check(
        &self,
        kernel: &Kernel,
        new: &Access,
        buffer: BufferId,
        places: Range<usize>,
    ) -> Vec<String> {
        let mut faults = Vec::new();
        let is_write = new.touch == Touch::Write;
        // Whether anything is stored from there, a wait for that does not ask.
        let is_wait = matches!(kernel.op(new.op).kind, OpKind::WaitStores(..));
        if !is_write && !is_wait && !{ places }.any(|place| self.filled[place]) {
            faults.push(format!(
                "${} is read where it does not hold what was written to it",
                buffer.index()
            ));
        }
        for flight in self
            .flights
            .iter()
            .filter(|flight| overlap(&flight.bytes, &new.bytes))
        {
            faults.push(format!(
                "{} may be under way to the same bytes: a wait for it is missing",
                described(kernel, flight.op)
            ));
        }
        let open = self.open.iter().map(|open| &open.read);
        for access in open.filter(|open| is_write && overlap(&open.bytes, &new.bytes)) {
            faults.push(format!(
                "{} may still read the same bytes: a wait for it is missing",
                described(kernel, access.op)
            ));
        }
        for store in self.stores.readers(&new.bytes).filter(|_| is_write) {
            faults.push(format!(
                "{} may still read the same bytes: a wait for it is missing",
                described(kernel, store)
            ));
        }
        let is_own = |copy: OpId| {
            let copied = touched(&kernel.op(copy).kind);
            new.own
                .is_some_and(|own| copied.contains(&(own, Touch::Write)))
        };
        for (landed, _) in self
            .landed
            .iter()
            .filter(|(copy, other)| overlap(other, &new.bytes) && !is_own(*copy))
        {
            faults.push(format!(
                "a barrier between the wait for {} and this is missing",
                described(kernel, *landed)
            ));
        }
        for access in &self.accesses {
            let both_read = !is_write && access.touch == Touch::Read;
            let is_own = new.own.is_some() && new.own == access.own;
            if overlap(&access.bytes, &new.bytes) && !both_read && !is_own {
                faults.push(missing(kernel, access.op));
            }
        }
        faults
    }
}

fn missing(kernel: &Kernel, before: OpId) -> String {
    format!(
        "a barrier between {} and this is missing",
        described(kernel, before)
    )
}

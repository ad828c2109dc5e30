//! The abstract state: the events that may have happened before a point of the kernel.

use super::super::super::{
    BARRIER_BYTES, BufferId, Completion, Kernel, Op, OpId, OpKind, PipelineBarriers, Reach, Touch,
    Trait, ValueId,
};
use super::super::described;
use super::mbarriers::{Phases, Stage};
use super::memory::{MemoryAccess, memory_access};
use super::numbers::Known;
use super::ping_pong::PingPongStates;
use super::pipeline_barriers::StageCursors;
use super::stores::{Stores, written};
use super::target::Target;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Maximum age of a group of copies, in newer groups; older groups count as having this age.
const MAX_GROUPS: u32 = 64;

/// Returns the stage of `buffer` that an operation touches, if the buffer is circular.
fn stage(kernel: &Kernel, op: &Op, buffer: BufferId) -> Option<ValueId> {
    let is_multistage = |buffer: &BufferId| kernel.buffer(*buffer).stages > 1;
    if !is_multistage(&buffer) {
        return None;
    }
    match &op.kind {
        OpKind::CopyAsync(_) | OpKind::TmaLoad(_) | OpKind::BulkCopy(_) => op.args.get(1).copied(),
        OpKind::LoadShared(_) | OpKind::LoadMatrix(_) => op.args.first().copied(),
        OpKind::LoadSlice(_) => op.args.last().copied(),
        OpKind::MmaLoop(mma) => {
            let before = mma.buffers().filter(is_multistage);
            let index = before.take_while(|&other| other != buffer).count();
            op.args.get(1 + index).copied()
        }
        OpKind::Wgmma(mma) => {
            let before = mma.buffers().filter(is_multistage);
            let index = before.take_while(|&other| other != buffer).count();
            op.args.get(mma.values() + index).copied()
        }
        OpKind::TransposeShared(matrix) => {
            let [from, to] = matrix.stages(kernel, op);
            if buffer == matrix.from { from } else { to }
        }
        _ => None,
    }
}

/// Returns the number of MMAs that may be in flight after an operation, if it is an MMA.
fn in_flight(kind: &OpKind) -> Option<u32> {
    match kind {
        OpKind::Wgmma(mma) => Some(mma.in_flight),
        _ => None,
    }
}

/// Returns the stages of circular buffers that an operation touches.
pub(super) fn stages<'k>(
    kernel: &'k Kernel,
    op: &'k Op,
) -> impl Iterator<Item = ValueId> + use<'k> {
    let buffers = op.kind.buffers().map(|(buffer, _)| buffer);
    let of_pipelines = buffers.filter_map(move |buffer| stage(kernel, op, buffer));
    // These are the index of an mbarrier, and the parity of its phase.
    let of_barriers = match &op.kind {
        OpKind::ArriveExpectTx(_) | OpKind::TmaLoad(_) | OpKind::BulkCopy(_) => op.args.get(1..2),
        OpKind::ConsumerWait(_) | OpKind::ProducerAcquire(_) | OpKind::ProducerTail(_) => {
            op.args.get(..2)
        }
        OpKind::ConsumerRelease(_) => op.args.get(..1),
        _ => None,
    };
    of_pipelines.chain(of_barriers.unwrap_or_default().iter().copied())
}

/// The places of buffers in shared memory. A place is a stage of a buffer.
pub(super) struct Layout {
    /// The bytes of each place.
    places: Vec<Range<u32>>,
    /// The places of each buffer, as a range of indices.
    of: Vec<Range<usize>>,
    /// For each place, the places of other buffers that share bytes with it.
    overlaps: Vec<Vec<usize>>,
    /// The pipeline barriers of the kernel.
    all_pipeline_barriers: Vec<PipelineBarriers>,
    /// For each mbarrier buffer, the circular buffers that it counts copies into.
    circular_buffers: Vec<(BufferId, BufferId)>,
}

impl Layout {
    /// Computes the places; `None` if a buffer is not allocated yet.
    pub(super) fn compute(kernel: &Kernel) -> Option<Self> {
        let (mut places, mut of): (Vec<Range<u32>>, Vec<Range<usize>>) = (Vec::new(), Vec::new());
        for buffer in &kernel.shared.buffers {
            let start = buffer.offset_bytes?;
            let bytes = buffer.bytes / buffer.stages;
            let first = places.len();
            places.extend((0..buffer.stages).map(|stage| {
                let start = start + stage * bytes;
                start..start + bytes
            }));
            of.push(first..places.len());
        }
        let meet = |a: usize, b: usize| {
            !of.iter()
                .any(|range| range.contains(&a) && range.contains(&b))
                && overlap(&places[a], &places[b])
        };
        let range = 0..places.len();
        let overlaps = range
            .clone()
            .map(|a| range.clone().filter(|&b| meet(a, b)).collect());
        let overlaps = overlaps.collect();
        Some(Self {
            places,
            of,
            overlaps,
            all_pipeline_barriers: super::super::all_pipeline_barriers(kernel),
            circular_buffers: circular_buffers(kernel),
        })
    }

    /// Returns the place of a stage of a buffer, or all places of the buffer if the stage is unknown.
    fn places(&self, buffer: BufferId, stage: Option<u64>) -> Range<usize> {
        let range = self.of[buffer.index()].clone();
        let one = stage.and_then(|stage| usize::try_from(stage).ok());
        match one.map(|stage| range.start + stage) {
            Some(place) if place < range.end => place..place + 1,
            _ => range,
        }
    }

    /// Returns the mbarriers of the circular buffer that a place belongs to.
    fn multistage_buffers_of(&self, place: usize) -> impl Iterator<Item = BufferId> {
        let circular_buffers = self.circular_buffers.iter();
        circular_buffers
            .filter(move |(_, circular_buffer)| self.of[circular_buffer.index()].contains(&place))
            .map(|(barriers, _)| *barriers)
    }

    fn has_consumer_barriers(&self, barriers: BufferId) -> bool {
        self.pipeline_barriers(barriers).is_some()
    }

    /// Returns the pipeline barriers whose full mbarriers these are.
    fn pipeline_barriers(&self, barriers: BufferId) -> Option<PipelineBarriers> {
        let mut pairs = self.all_pipeline_barriers.iter();
        pairs
            .find(|pipeline_barriers| pipeline_barriers.full == barriers)
            .copied()
    }

    /// Returns the scope of the arrivals at mbarriers.
    fn reach(&self, barriers: BufferId) -> Reach {
        let mut pairs = self.all_pipeline_barriers.iter();
        pairs
            .find(|pipeline_barriers| {
                [pipeline_barriers.full, pipeline_barriers.empty].contains(&barriers)
            })
            .map_or(Reach::Block, |pipeline_barriers| pipeline_barriers.reach)
    }

    fn bytes(&self, places: &Range<usize>) -> Range<u32> {
        self.places[places.start].start..self.places[places.end - 1].end
    }
}

/// Returns, for each copy that mbarriers count, the mbarriers and the circular buffer.
fn circular_buffers(kernel: &Kernel) -> Vec<(BufferId, BufferId)> {
    let copies = kernel.op_ids().flat_map(|id| {
        let kind = &kernel.op(id).kind;
        let writes = kind.buffers().filter(|&(_, touch)| touch == Touch::Write);
        let counted = writes.map(|(buffer, _)| match kind.row().completion {
            Completion::Mbarriers(barriers) => Some((barriers, buffer)),
            Completion::Synchronous
            | Completion::CopyGroup
            | Completion::WgmmaGroup
            | Completion::StoreGroup => None,
        });
        counted.flatten()
    });
    let mut circular_buffers: Vec<(BufferId, BufferId)> = copies.collect();
    circular_buffers.sort_unstable();
    circular_buffers.dedup();
    circular_buffers
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
    /// The buffer, if each warp or thread accesses only its own part of it.
    own: Option<BufferId>,
}

/// A read by an in-flight MMA.
#[derive(Clone, Debug, PartialEq, Eq)]
struct InFlightMma {
    read: Access,
    /// Number of MMAs issued since then.
    newer: u32,
}

/// A copy that the thread has issued but not waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Flight {
    op: OpId,
    bytes: Range<u32>,
    /// Number of groups newer than its own; `None` if its group is not committed yet.
    age: Option<u32>,
    /// The mbarrier that counts its bytes, if any.
    barrier: Option<Stage>,
    target: Option<Target>,
}

/// The events that may have happened on the paths to one point of the kernel, for all paths with the same
/// known numbers.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The known numbers.
    pub(super) known: Known,
    /// The operands of the last jump.
    pub(super) yielded: Vec<Option<u64>>,
    accesses: Vec<Access>,
    /// Reads by in-flight MMAs.
    in_flight: Vec<InFlightMma>,
    memory: Vec<MemoryAccess>,
    flights: Vec<Flight>,
    /// Copies that the thread has waited for and other threads have not.
    landed: Vec<(OpId, Range<u32>)>,
    /// For each place, `true` if on every path it holds the last write to its buffer.
    filled: Vec<bool>,
    /// Mbarriers that count bytes.
    phases: Phases,
    /// Producer and consumer state of circular buffers with pipeline barriers.
    stage_cursors: StageCursors,
    /// TMA stores.
    stores: Stores,
    /// Ping-pong turns.
    ping_pong: PingPongStates,
    /// `true` if all blocks of a cluster split have begun.
    has_met: bool,
}

impl State {
    pub(super) fn new(layout: &Layout) -> Self {
        Self {
            known: Known::new(),
            yielded: Vec::new(),
            accesses: Vec::new(),
            in_flight: Vec::new(),
            memory: Vec::new(),
            flights: Vec::new(),
            landed: Vec::new(),
            filled: vec![false; layout.places.len()],
            phases: Phases::default(),
            stage_cursors: StageCursors::default(),
            stores: Stores::default(),
            ping_pong: PingPongStates::default(),
            has_met: false,
        }
    }

    /// Merges the state of another path. Returns `true` if that adds anything.
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
            in_flight,
            memory,
            flights,
            landed,
            filled,
            phases,
            stage_cursors,
            stores,
            ping_pong,
            has_met,
        } = other;
        let knew = self.has_met;
        self.has_met &= has_met;
        let mut changed = knew != self.has_met;
        changed |= add(&mut self.accesses, accesses);
        changed |= add(&mut self.in_flight, in_flight);
        changed |= add(&mut self.memory, memory);
        changed |= add(&mut self.flights, flights);
        changed |= add(&mut self.landed, landed);
        // A buffer counts as filled only if it is filled on every path; events count if they may have
        // happened on any.
        for (is_filled, other) in self.filled.iter_mut().zip(filled) {
            changed |= *is_filled && !other;
            *is_filled &= other;
        }
        changed |= self.phases.join(phases);
        changed |= self.stage_cursors.join(&stage_cursors);
        changed |= self.stores.join(stores);
        changed |= self.ping_pong.join(&ping_pong);
        changed
    }

    /// Enters an iteration of the loop `id`.
    pub(super) fn enter(&mut self, id: OpId, is_for: bool) {
        for flight in &mut self.flights {
            if let Some(target) = &mut flight.target
                && target.of == id
                && is_for
            {
                target.prefetched = target.prefetched.saturating_sub(1);
            }
        }
    }

    /// Leaves the loop `id`: copies for iterations after the last one were not issued.
    pub(super) fn exit(&mut self, id: OpId) {
        self.flights.retain(|flight| {
            let target = flight.target.filter(|target| target.of == id);
            target.is_none_or(|target| target.prefetched == 0)
        });
    }

    /// Forgets the values in `inside`, which the next iteration computes anew.
    pub(super) fn forget(&mut self, kernel: &Kernel, inside: &FxHashSet<ValueId>) {
        let memory = std::mem::take(&mut self.memory);
        for access in memory {
            let access = access.before(kernel, inside);
            if !self.memory.contains(&access) {
                self.memory.push(access);
            }
        }
        self.known.retain(|value, _| !inside.contains(value));
    }

    /// Returns the errors if the kernel ends here.
    pub(super) fn under_way(&self, kernel: &Kernel) -> Vec<String> {
        let flights = self.flights.iter().map(|flight| flight.op);
        let in_flight = self.in_flight.iter().map(|in_flight| in_flight.read.op);
        let held = self.stage_cursors.held();
        let stores = self.stores.reading();
        let said = flights.chain(in_flight).chain(stores).map(|op| {
            format!(
                "the kernel ends while {} may be under way",
                described(kernel, op)
            )
        });
        let exchanged = self.accesses.iter().filter_map(|access| {
            let is_written = access.touch == Touch::Write
                && kernel.op(access.op).kind.has(Trait::ClusterExchange);
            is_written.then(|| {
                format!(
                    "the block may end while others write to its memory for {}",
                    described(kernel, access.op)
                )
            })
        });
        let held = held.chain(exchanged);
        said.chain(held).chain(self.ping_pong.end()).collect()
    }

    /// Steps over the operation `id`, which is neither a loop nor a branch. Returns the errors that it
    /// causes.
    pub(super) fn step(
        &mut self,
        kernel: &Kernel,
        layout: &Layout,
        target: Option<Target>,
        id: OpId,
    ) -> Vec<String> {
        let op = kernel.op(id);
        if let Some(error) = self.ping_pong.step(&op.kind) {
            return vec![error];
        }
        match &op.kind {
            OpKind::Barrier | OpKind::ClusterBarrier | OpKind::WarpSpecialize => {
                let is_cluster_scoped = matches!(op.kind, OpKind::ClusterBarrier);
                self.has_met |= is_cluster_scoped;
                // A block barrier does not separate accesses of different blocks: only a cluster barrier
                // drops exchanges.
                self.accesses.retain(|access| {
                    !is_cluster_scoped && kernel.op(access.op).kind.has(Trait::ClusterExchange)
                });
                // The threads of all blocks of a cluster split access the same tiles.
                if is_cluster_scoped || kernel.launch.blocks_per_tile == 1 {
                    self.memory.clear();
                }
                self.landed.clear();
                self.stores.barrier();
                match op.kind {
                    OpKind::ClusterBarrier => self.stage_cursors.meet(),
                    OpKind::WarpSpecialize => {
                        return self.stage_cursors.begin().into_iter().collect();
                    }
                    _ => {}
                }
                return Vec::new();
            }
            OpKind::FenceProxyAsync => {
                self.stores.fence();
                return Vec::new();
            }
            OpKind::CommitGroup => {
                let by_groups = |flight: &&mut Flight| flight.barrier.is_none();
                for flight in self.flights.iter_mut().filter(by_groups) {
                    flight.age = Some(flight.age.map_or(0, |age| (age + 1).min(MAX_GROUPS)));
                }
                return Vec::new();
            }
            &OpKind::WaitGroup(left) => {
                let is_left = |flight: &Flight| {
                    flight.barrier.is_some() || flight.age.is_none_or(|age| age < left)
                };
                let (left, landed): (Vec<Flight>, Vec<Flight>) = std::mem::take(&mut self.flights)
                    .into_iter()
                    .partition(is_left);
                self.flights = left;
                let landed = landed.into_iter().map(|flight| (flight.op, flight.bytes));
                for landed in landed {
                    // The copy reads global memory until the wait; its reads count from here on.
                    let read = memory_access(kernel, landed.0);
                    let fresh = read.filter(|read| !self.memory.contains(read));
                    self.memory.extend(fresh);
                    if !self.landed.contains(&landed) {
                        self.landed.push(landed);
                    }
                }
                return Vec::new();
            }
            OpKind::WaitWgmma(_) | OpKind::WaitWgmmaAndRescale(_) => {
                self.close(op.kind.max_in_flight_mmas().unwrap_or(0));
                let of_sum = |in_flight: &&InFlightMma| {
                    kernel.op(in_flight.read.op).results[0] == op.args[0]
                };
                let left = self.in_flight.iter().find(of_sum);
                return Vec::from_iter(left.map(|in_flight| {
                    format!(
                        "{} may still be in flight after the wait for it",
                        described(kernel, in_flight.read.op)
                    )
                }));
            }
            OpKind::ProducerAcquire(_) | OpKind::ProducerTail(_) | OpKind::ConsumerRelease(_) => {
                return self.hand_over(kernel, layout, op);
            }
            OpKind::ArriveExpectTx(expected) if layout.has_consumer_barriers(expected.barriers) => {
                return self.hand_over(kernel, layout, op);
            }
            OpKind::TmaLoad(copy) if layout.has_consumer_barriers(copy.barriers) => {
                return self.hand_over(kernel, layout, op);
            }
            OpKind::ConsumerWait(barriers) if layout.has_consumer_barriers(*barriers) => {
                return self.hand_over(kernel, layout, op);
            }
            OpKind::WaitTmaStores(wait) => self.stores.wait(*wait),
            _ => {}
        }
        let max_in_flight_mmas = in_flight(&op.kind);
        // MMAs of a warp complete in order (PTX ISA, "wgmma.wait_group"), so the number of newer MMAs decides
        // which are still in flight.
        if let Some(most) = max_in_flight_mmas {
            for in_flight in &mut self.in_flight {
                in_flight.newer += 1;
            }
            self.close(most);
        }
        if op.kind.has(Trait::ClusterExchange) && !self.has_met {
            return vec!["other blocks of the cluster may not have begun".to_owned()];
        }
        let before: Vec<OpId> = self.stores.writing().collect();
        let operand_number = |index: usize| self.known.get(op.args.get(index)?).copied();
        let mut errors = match &op.kind {
            OpKind::InitMbarriers(barriers, _) => {
                self.stage_cursors.init(layout.reach(*barriers));
                self.phases.init(kernel, *barriers)
            }
            OpKind::InvalidateMbarriers(barriers) => self.phases.drop(*barriers),
            OpKind::ArriveExpectTx(expected) => {
                let stage = operand_number(1);
                // A thread that still waits for the previous phase could miss it if an arrival completed the
                // next one: a barrier must separate its wait from the arrival.
                let waits = self.accesses.iter().filter(|access| {
                    matches!(kernel.op(access.op).kind, OpKind::ConsumerWait(other) if other == expected.barriers)
                });
                let mut errors: Vec<String> =
                    waits.map(|access| missing(kernel, access.op)).collect();
                errors.extend(self.phases.expect(kernel, op, *expected, stage));
                errors
            }
            OpKind::BulkCopy(copy) => {
                let error = self.phases.begin(id, copy.barriers, operand_number(1));
                error.into_iter().collect()
            }
            OpKind::TmaLoad(copy) => {
                let stage = operand_number(1);
                self.phases.copy(kernel, copy, stage)
            }
            OpKind::ConsumerWait(barriers) => {
                let (stage, parity) = (operand_number(0), operand_number(1));
                // The bytes of the copies into this stage have arrived.
                if let Some(stage) = stage {
                    let here = Some((*barriers, stage));
                    self.flights.retain(|flight| flight.barrier != here);
                }
                self.phases.wait(*barriers, stage, parity)
            }
            _ => Vec::new(),
        };
        let touched = op.kind.buffers().map(|(buffer, touch)| {
            let number =
                stage(kernel, op, buffer).and_then(|stage| self.known.get(&stage).copied());
            let places = layout.places(buffer, number);
            // Warps exchange through regions of their own, and a thread reads only what it copied itself:
            // neither needs a block barrier.
            let is_own = op.kind.has(Trait::WarpPrivate) || kernel.is_thread_private(buffer);
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
            errors.extend(self.check(kernel, access, *buffer, places.clone()));
        }
        for (access, _, places) in touched {
            if access.touch == Touch::Write {
                for place in places {
                    self.filled[place] = true;
                    // Buffers that share bytes with this one no longer hold what was written to them.
                    for &other in &layout.overlaps[place] {
                        self.filled[other] = false;
                        self.stage_cursors
                            .spoil(layout.multistage_buffers_of(other));
                    }
                }
            }
            if let OpKind::TmaStore(store) = &op.kind {
                let bytes = access.bytes.clone();
                errors.extend(self.stores.begin(kernel, id, store.buffer, bytes));
            }
            let completion = op.kind.row().completion;
            if completion.is_of_copy() && access.touch == Touch::Write {
                let stage = op.args.get(1).and_then(|stage| self.known.get(stage));
                // A copy into an unknown stage is never waited for.
                let stage = stage.copied().unwrap_or(u64::MAX);
                self.flights.push(Flight {
                    op: id,
                    bytes: access.bytes,
                    age: None,
                    barrier: match completion {
                        Completion::Mbarriers(barriers) => Some((barriers, stage)),
                        Completion::Synchronous
                        | Completion::CopyGroup
                        | Completion::WgmmaGroup
                        | Completion::StoreGroup => None,
                    },
                    target,
                });
            } else if max_in_flight_mmas.is_some_and(|most| most > 0) {
                self.in_flight.push(InFlightMma {
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
        if let Some(access) = memory_access(kernel, id) {
            let met = self
                .memory
                .iter()
                .filter(|old| old.conflicts(access, kernel));
            errors.extend(met.map(|old| missing(kernel, old.op)));
            let copies = self.flights.iter().map(|flight| (flight.op, "from"));
            let stores = before.iter().map(|&store| (store, "to"));
            for (other, direction) in copies.chain(stores) {
                let other_access = memory_access(kernel, other);
                if other_access.is_some_and(|other| other.conflicts(access, kernel)) {
                    errors.push(format!(
                        "{} may be under way {direction} the same bytes: a wait for it is missing",
                        described(kernel, other)
                    ));
                }
            }
            if !self.memory.contains(&access) {
                self.memory.push(access);
            }
        }
        errors
    }

    /// Takes the state of mbarriers, which the producer shares with the code before it.
    pub(super) fn take_barriers(&mut self, before: &[Self]) {
        if let Some(state) = before.first() {
            self.phases = state.phases.clone();
        }
        for state in before.iter().skip(1) {
            self.phases.join(state.phases.clone());
        }
    }

    /// Steps over an operation of pipeline barriers.
    fn hand_over(&mut self, kernel: &Kernel, layout: &Layout, op: &Op) -> Vec<String> {
        let operand_number = |index: usize| self.known.get(op.args.get(index)?).copied();
        let stages = |pipeline_barriers: PipelineBarriers| {
            u64::from(kernel.buffer(pipeline_barriers.full).bytes / BARRIER_BYTES)
        };
        let pipeline_barriers_of = |barriers: BufferId| {
            let pair = layout.pipeline_barriers(barriers);
            pair.expect("the barriers are handed over")
        };
        let (first, second) = (operand_number(0), operand_number(1));
        let circular_buffers = |barriers: BufferId| {
            let circular_buffers = layout.circular_buffers.iter();
            { circular_buffers }
                .filter(move |(other, _)| *other == barriers)
                .map(|(_, circular_buffer)| *circular_buffer)
        };
        match &op.kind {
            // The wait names the parity of the previous round, in which consumers release the stage.
            OpKind::ProducerAcquire(pipeline_barriers) => {
                let mut errors = self.phases.demand(pipeline_barriers.empty);
                errors.extend(self.stage_cursors.take(
                    *pipeline_barriers,
                    stages(*pipeline_barriers),
                    first,
                    second,
                ));
                errors
            }
            OpKind::ProducerTail(pipeline_barriers) => {
                let error = self.stage_cursors.end(
                    *pipeline_barriers,
                    stages(*pipeline_barriers),
                    first,
                    second,
                );
                error.into_iter().collect()
            }
            OpKind::ArriveExpectTx(expected) => {
                let mut errors = self.phases.demand(expected.barriers);
                errors.extend(self.stage_cursors.expect(
                    pipeline_barriers_of(expected.barriers),
                    expected.bytes,
                    second,
                ));
                errors
            }
            OpKind::TmaLoad(copy) => {
                let bytes = copy.boxes(kernel).map_or(0, |boxes| boxes.total_bytes());
                let error =
                    self.stage_cursors
                        .copy(pipeline_barriers_of(copy.barriers), bytes, second);
                error.into_iter().collect()
            }
            OpKind::ConsumerWait(barriers) => {
                let pipeline_barriers = pipeline_barriers_of(*barriers);
                let mut errors = self.phases.demand(*barriers);
                errors.extend(self.stage_cursors.wait(
                    pipeline_barriers,
                    stages(pipeline_barriers),
                    first,
                    second,
                ));
                // The bytes of the stage are valid from here until the release, which clears them below.
                for circular_buffer in circular_buffers(*barriers) {
                    for place in layout.places(circular_buffer, first) {
                        self.filled[place] = first.is_some();
                    }
                }
                errors
            }
            OpKind::ConsumerRelease(pipeline_barriers) => {
                // An arrival at the extra barrier after the last stage releases nothing.
                if first == Some(stages(*pipeline_barriers)) {
                    return Vec::new();
                }
                let mut errors = self.phases.demand(pipeline_barriers.empty);
                errors.extend(self.stage_cursors.free(*pipeline_barriers, first));
                for circular_buffer in circular_buffers(pipeline_barriers.full) {
                    let places = layout.places(circular_buffer, first);
                    let bytes = layout.bytes(&places);
                    // An in-flight MMA still reads the stage: if it were released now, the producer could
                    // overwrite it.
                    let in_flight = self.in_flight.iter();
                    let reads =
                        in_flight.filter(|in_flight| overlap(&in_flight.read.bytes, &bytes));
                    errors.extend(reads.map(|in_flight| {
                        format!(
                            "{} may still read the stage: a wait for it is missing",
                            described(kernel, in_flight.read.op)
                        )
                    }));
                    self.filled[places].fill(false);
                }
                errors
            }
            _ => unreachable!("this is not an operation on a stage"),
        }
    }

    /// Leaves at most `left` MMAs in flight. The older ones have ended, so their reads become ordinary
    /// accesses.
    fn close(&mut self, left: u32) {
        let (in_flight, ended): (Vec<InFlightMma>, Vec<InFlightMma>) =
            std::mem::take(&mut self.in_flight)
                .into_iter()
                .partition(|in_flight| in_flight.newer < left);
        self.in_flight = in_flight;
        for InFlightMma { read, newer: _ } in ended {
            if !self.accesses.contains(&read) {
                self.accesses.push(read);
            }
        }
    }

    /// Returns the errors of the access `new` to `places` of `buffer`.
    fn check(
        &self,
        kernel: &Kernel,
        new: &Access,
        buffer: BufferId,
        places: Range<usize>,
    ) -> Vec<String> {
        let mut errors = Vec::new();
        let is_write = new.touch == Touch::Write;
        // A wait for stores does not depend on the contents of the buffer.
        let is_wait = matches!(kernel.op(new.op).kind, OpKind::WaitTmaStores(..));
        if !is_write && !is_wait && !{ places }.any(|place| self.filled[place]) {
            errors.push(format!(
                "${} is read where it does not hold what was written to it",
                buffer.index()
            ));
        }
        for flight in self
            .flights
            .iter()
            .filter(|flight| overlap(&flight.bytes, &new.bytes))
        {
            errors.push(format!(
                "{} may be under way to the same bytes: a wait for it is missing",
                described(kernel, flight.op)
            ));
        }
        // Reads by an MMA in flight conflict only with writes; later reads of the same bytes are fine.
        let in_flight = self.in_flight.iter().map(|in_flight| &in_flight.read);
        for access in
            in_flight.filter(|in_flight| is_write && overlap(&in_flight.bytes, &new.bytes))
        {
            errors.push(format!(
                "{} may still read the same bytes: a wait for it is missing",
                described(kernel, access.op)
            ));
        }
        for store in self.stores.readers(&new.bytes).filter(|_| is_write) {
            errors.push(format!(
                "{} may still read the same bytes: a wait for it is missing",
                described(kernel, store)
            ));
        }
        let is_own = |copy: OpId| {
            let copied = &kernel.op(copy).kind;
            new.own.is_some_and(|accessed| copied.writes(accessed))
        };
        // Copies that were waited for are visible only to the waiting thread until a barrier.
        for (landed, _) in self
            .landed
            .iter()
            .filter(|(copy, other)| overlap(other, &new.bytes) && !is_own(*copy))
        {
            errors.push(format!(
                "a barrier between the wait for {} and this is missing",
                described(kernel, *landed)
            ));
        }
        for access in &self.accesses {
            let both_read = !is_write && access.touch == Touch::Read;
            let is_own = new.own.is_some() && new.own == access.own;
            if overlap(&access.bytes, &new.bytes) && !both_read && !is_own {
                errors.push(missing(kernel, access.op));
            }
        }
        errors
    }
}

fn missing(kernel: &Kernel, before: OpId) -> String {
    format!(
        "a barrier between {} and this is missing",
        described(kernel, before)
    )
}

//! Asynchronous copies in flight, and the `mbarrier`s that their completion signals.
//!
//! A copy completes as late as possible: when a thread tests an mbarrier whose phase waits only for
//! copies. Until then its bytes may not be accessed.

use rustc_hash::FxHashMap;

use super::copies::Copy;
use super::cx::{Cx, SharedSpot};
use super::memory::Spot;
use super::sync::Order;
use crate::check::order::{Agent, Knowledge};
use crate::check::shared::Change as Written;
use crate::check::stamp::{Scope, Strength, Who};
use crate::check::{FaultKind, Trouble, bounds};
use crate::isa::bulk::Reduction;
use crate::isa::launch_control;
use crate::isa::mbarrier::object::{Completion, Mbarrier, Misuse, Return, Token};
use crate::parse::syntax::Space;
use crate::tensor_map::TensorType;

/// The source of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Shared(SharedSpot),
    Global(Spot),
    /// A repeated byte pattern.
    Fill(&'static [u8]),
    /// The value of a register.
    Value([u8; 16]),
    /// The response to a cancellation request: the first block of the cluster.
    Response(Option<[u32; 3]>),
}

/// A contiguous piece of a copy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) to: SharedSpot,
    pub(crate) from: Source,
    pub(crate) bytes: usize,
}

/// The transformation of copied bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    None,
    /// A load through a tensor map of this type.
    Convert(TensorType),
    Reduce(Reduction),
}

/// A copy to one block.
#[derive(Clone, Debug)]
pub(crate) struct Flight {
    pub(crate) who: Who,
    /// The block whose copy unit executes the copy.
    pub(crate) block: usize,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) change: Change,
    pub(crate) end: End,
}

/// The signal that the mbarrier receives.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Bytes(u32),
    /// An arrival when earlier copies of the thread have completed (`cp.async.mbarrier.arrive`).
    Copies(Vec<Copy>),
    /// An arrival when the tensor core operations that the thread issued before the one with this
    /// number have completed (`tcgen05.commit`), with the knowledge that it releases.
    Tensor(u64, Box<Knowledge>),
}

impl End {
    fn is_arrival(&self) -> bool {
        match self {
            Self::Bytes(_) => false,
            Self::Copies(_) | Self::Tensor(..) => true,
        }
    }
}

/// The initialization of an `mbarrier`.
#[derive(Clone, Copy, Debug)]
struct Init {
    agent: Agent,
    lane: usize,
    /// The clock of the `fence.mbarrier_init` by the same thread.
    fenced: Option<u32>,
}

/// An `mbarrier`, the knowledge that its phases release, and the copies that signal it.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) object: Mbarrier,
    init: Init,
    /// The knowledge released by the arrivals of this phase.
    pool: Knowledge,
    /// The knowledge released by the arrivals of the last phase.
    done: Knowledge,
    flights: Vec<Flight>,
}

/// The `mbarrier`s of a cluster.
#[derive(Default)]
pub(crate) struct Flights {
    barriers: FxHashMap<SharedSpot, Entry>,
    /// The mbarrier that each sleeping warp waits for.
    asleep: FxHashMap<u16, SharedSpot>,
    /// The number of phase tests so far.
    tests: u64,
}

/// The decision whether a phase test may fail although copies could complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Haste {
    None,
    Some,
}

/// The phase that a thread waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Awaited {
    Token(u64),
    Parity(u32),
}

impl Flights {
    pub(crate) fn clear(&mut self) {
        self.barriers.clear();
        self.asleep.clear();
    }

    /// Returns the mbarrier at the lowest address with copies in flight or an unbalanced tx-count.
    pub(crate) fn unfinished(
        &self,
        under_way: impl Fn(&Flight) -> bool,
    ) -> Option<(SharedSpot, Option<&Flight>, i32)> {
        let spots = self.barriers.iter().filter_map(|(&spot, entry)| {
            let bytes = entry.object.outstanding_bytes();
            let flight = entry.flights.iter().find(|flight| under_way(flight));
            (flight.is_some() || bytes != 0).then_some((spot, flight, bytes))
        });
        spots.min_by_key(|(spot, ..)| (spot.block, spot.offset))
    }

    /// Suspends a warp until an event on an mbarrier.
    pub(crate) fn sleeps(&mut self, agent: u16, spot: SharedSpot) {
        self.asleep.insert(agent, spot);
    }

    /// Describes the mbarrier that a sleeping warp waits for.
    pub(crate) fn awaited(&self, agent: u16) -> Option<String> {
        let spot = self.asleep.get(&agent)?;
        let entry = self.barriers.get(spot)?;
        let (pending, bytes) = (entry.object.pending(), entry.object.outstanding_bytes());
        let (phase, address) = (entry.object.phase(), spot.offset);
        Some(format!(
            "phase {phase} of the mbarrier at {address:#x} lacks {pending} arrivals and {bytes} bytes"
        ))
    }
}

impl Entry {
    /// Returns `true` if the phase waits only for copies in flight.
    fn waits_for_copies_only(&self) -> bool {
        let arrivals = self.flights.iter().filter(|flight| flight.end.is_arrival());
        self.object.pending() as usize == arrivals.count()
    }
}

impl Cx<'_, '_> {
    /// Resolves the address of an mbarrier, which need not be initialized.
    pub(crate) fn barrier_spot(
        &self,
        lane: usize,
        space: Space,
        address: u64,
    ) -> Result<SharedSpot, Trouble> {
        let (space, address) = self.resolve(space, address);
        if !matches!(space, Space::Shared | Space::Cluster) {
            let message = "an mbarrier must be in shared memory".into();
            return Err(Trouble::at(lane, FaultKind::Mbarrier { address, message }));
        }
        bounds::aligned("shared", address, 8).map_err(|kind| Trouble::at(lane, kind))?;
        self.shared_spot(lane, space, address, 8)
    }

    pub(crate) fn barrier_init(
        &mut self,
        lane: usize,
        spot: SharedSpot,
        count: u32,
    ) -> Result<(), Trouble> {
        let object = Mbarrier::new(count).map_err(|misuse| misused(lane, spot, misuse))?;
        if self.cluster.flights.barriers.contains_key(&spot) {
            let message = "initialized again without `mbarrier.inval` in between";
            return Err(misused(lane, spot, message));
        }
        self.check_shared_write(lane, Order::Weak.strength(), Written::Some, spot, 8)?;
        self.cluster.blocks[spot.block].shared[spot.range(8)].fill(0);
        let entry = Entry {
            object,
            init: Init {
                agent: self.agent,
                lane,
                fenced: None,
            },
            pool: Knowledge::default(),
            done: Knowledge::default(),
            flights: Vec::new(),
        };
        self.cluster.flights.barriers.insert(spot, entry);
        Ok(())
    }

    pub(crate) fn barrier_invalidate(
        &mut self,
        lane: usize,
        spot: SharedSpot,
    ) -> Result<(), Trouble> {
        self.check_shared_write(lane, Order::Weak.strength(), Written::Some, spot, 8)?;
        match self.cluster.flights.barriers.remove(&spot) {
            None => Err(misused(lane, spot, NOT_THERE)),
            Some(entry)
                if entry
                    .flights
                    .iter()
                    .any(|flight| self.cluster.pipe.has(flight)) =>
            {
                let message = "invalidated while asynchronous operations in flight will signal it";
                Err(misused(lane, spot, message))
            }
            Some(_) => Ok(()),
        }
    }

    /// Executes `fence.mbarrier_init` for the mbarriers that these lanes initialized.
    pub(crate) fn fence_inits(&mut self, active: u32) {
        if !self.checks_all() {
            return;
        }
        let agent = self.agent;
        let clock = self.cluster.order.fence_inits(agent);
        #[expect(clippy::iter_over_hash_type, reason = "each is changed independently")]
        for entry in self.cluster.flights.barriers.values_mut() {
            let init = &mut entry.init;
            if init.agent == agent && active >> init.lane & 1 == 1 {
                init.fenced = init.fenced.or(Some(clock));
            }
        }
    }

    /// Returns `true` if the initialization became visible through `fence.mbarrier_init`, which
    /// makes nothing else visible.
    fn knows_init(&self, spot: SharedSpot) -> bool {
        let entry = self.cluster.flights.barriers.get(&spot);
        entry.is_some_and(|entry| {
            let Init { agent, fenced, .. } = entry.init;
            fenced.is_some_and(|clock| self.cluster.order.knows_init(self.agent, agent, clock))
        })
    }

    /// Returns the mbarrier for an operation of a lane.
    fn entry(&mut self, lane: usize, spot: SharedSpot) -> Result<&mut Entry, Trouble> {
        // The initialization must be visible to the lane.
        let strength = Order::Relaxed(Scope::Cluster).strength();
        if self.knows_init(spot) {
            self.note_known_read(lane, strength, spot, 8);
        } else {
            self.check_shared_read(lane, strength, spot, 8)?;
        }
        if !self.cluster.flights.barriers.contains_key(&spot) {
            return Err(misused(lane, spot, NOT_THERE));
        }
        let entry = self.cluster.flights.barriers.get_mut(&spot);
        Ok(entry.expect("looked up before"))
    }

    /// Changes the mbarrier and wakes the threads that wait for it.
    fn change_barrier<T>(
        &mut self,
        lane: usize,
        spot: SharedSpot,
        change: impl FnOnce(&mut Mbarrier) -> Result<T, Misuse>,
    ) -> Result<T, Trouble> {
        let entry = self.entry(lane, spot)?;
        let phase = entry.object.phase();
        let result = change(&mut entry.object);
        if entry.object.phase() != phase {
            entry.done = entry.pool.clone();
        }
        self.cluster.awake = true;
        self.cluster.progress += 1;
        result.map_err(|misuse| misused(lane, spot, misuse))
    }

    pub(crate) fn barrier_expect(
        &mut self,
        lane: usize,
        spot: SharedSpot,
        bytes: u32,
    ) -> Result<(), Trouble> {
        self.change_barrier(lane, spot, |barrier| barrier.expect(bytes))
    }

    pub(crate) fn barrier_complete(
        &mut self,
        lane: usize,
        spot: SharedSpot,
        bytes: u32,
    ) -> Result<(), Trouble> {
        self.change_barrier(lane, spot, |barrier| barrier.complete(bytes))
    }

    /// Increments the pending count of the current phase.
    pub(crate) fn barrier_increment(
        &mut self,
        lane: usize,
        spot: SharedSpot,
    ) -> Result<(), Trouble> {
        self.change_barrier(lane, spot, Mbarrier::increment)
    }

    pub(crate) fn barrier_arrive(
        &mut self,
        lane: usize,
        spot: SharedSpot,
        releases: bool,
        count: u32,
        completion: Completion,
        comes: Return,
    ) -> Result<Token, Trouble> {
        if self.checks_all() {
            let agent = self.agent;
            if let Some(entry) = self.cluster.flights.barriers.get_mut(&spot) {
                let order = &mut self.cluster.order;
                if releases {
                    order.tell(agent, 1 << lane, &mut entry.pool);
                } else {
                    order.pass(agent, &mut entry.pool);
                }
            }
        }
        self.change_barrier(lane, spot, |barrier| {
            barrier.arrive(count, completion, comes)
        })
    }

    /// Tests a phase. Copies complete if nothing else is missing.
    pub(crate) fn barrier_passed(
        &mut self,
        lane: usize,
        spot: SharedSpot,
        awaited: Awaited,
        acquires: bool,
        haste: Haste,
    ) -> Result<bool, Trouble> {
        loop {
            let entry = self.entry(lane, spot)?;
            let passed = match awaited {
                Awaited::Token(bits) => entry.object.passed(Token::from_bits(bits)),
                Awaited::Parity(parity) => entry.object.passed_parity(parity),
            };
            let lands =
                haste == Haste::None && !entry.flights.is_empty() && entry.waits_for_copies_only();
            match passed {
                Err(misuse) => return Err(misused(lane, spot, misuse)),
                Ok(true) => break,
                Ok(false) if lands => self.land(lane, spot)?,
                Ok(false) => return Ok(false),
            }
        }
        if self.checks_all() {
            let agent = self.agent;
            if let Some(entry) = self.cluster.flights.barriers.get(&spot) {
                let order = &mut self.cluster.order;
                if acquires {
                    order.learn(agent, &entry.done);
                } else {
                    order.hear_of(agent, &entry.done);
                }
            }
        }
        Ok(true)
    }

    /// Decides from the seed whether a phase test fails although copies could complete. Such a
    /// failure exposes waits that are not retried. It never happens without a seed.
    pub(crate) fn haste(&mut self) -> Haste {
        let flights = &mut self.cluster.flights;
        flights.tests += 1;
        let seed = self.setting.options.seed;
        let mixed = (seed ^ flights.tests << 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if seed != 0 && mixed >> 63 == 0 {
            Haste::Some
        } else {
            Haste::None
        }
    }

    /// Issues a copy that signals the mbarrier at `spot`.
    pub(crate) fn launch(
        &mut self,
        lane: usize,
        spot: SharedSpot,
        flight: Flight,
    ) -> Result<(), Trouble> {
        if !self.knows_init(spot) {
            self.check_shared_peek(lane, Order::Relaxed(Scope::Cluster).strength(), spot, 8)?;
        }
        match self.cluster.flights.barriers.get_mut(&spot) {
            Some(entry) => entry.flights.push(flight),
            None => return Err(misused(lane, spot, NOT_THERE)),
        }
        self.cluster.awake = true;
        self.cluster.progress += 1;
        Ok(())
    }

    /// Makes the completion of a lane's earlier copies arrive at the mbarrier.
    pub(crate) fn launch_copies(
        &mut self,
        lane: usize,
        spot: SharedSpot,
        copies: Vec<Copy>,
    ) -> Result<(), Trouble> {
        let flight = Flight {
            who: self.who(lane),
            block: self.block,
            pieces: Vec::new(),
            change: Change::None,
            end: End::Copies(copies),
        };
        self.launch(lane, spot, flight)
    }

    /// Completes the oldest copy of an mbarrier.
    fn land(&mut self, lane: usize, spot: SharedSpot) -> Result<(), Trouble> {
        let Some(entry) = self.cluster.flights.barriers.get_mut(&spot) else {
            return Ok(());
        };
        let flight = entry.flights.remove(0);
        let Flight {
            who,
            block,
            pieces,
            change,
            end,
        } = flight;
        let order = &mut self.cluster.order;
        let agent = match end {
            End::Bytes(_) | End::Copies(_) => order.engine(block),
            End::Tensor(_, ref told) => {
                entry.pool.join(told);
                order.tensor_core(block)
            }
        };
        let clock = order.finish(agent, &mut entry.pool);
        let engine = Who { agent, ..who };
        for piece in &pieces {
            self.move_piece(piece, change, engine, clock);
        }
        match end {
            End::Bytes(bytes) => return self.barrier_complete(lane, spot, bytes),
            End::Copies(copies) => {
                for copy in copies {
                    self.finish_copy_of(block, engine, clock, copy);
                }
            }
            End::Tensor(number, _) => self.finish_tensor(who, number, (agent, clock))?,
        }
        self.change_barrier(lane, spot, |barrier| {
            barrier
                .arrive(1, Completion::Allowed, Return::Comes)
                .map(|_| ())
        })
    }

    /// Reads the bytes of a source.
    pub(crate) fn gather(&self, from: Source, into: &mut [u8]) {
        match from {
            Source::Shared(spot) => {
                let shared = &self.cluster.blocks[spot.block].shared;
                into.copy_from_slice(&shared[spot.range(into.len())]);
            }
            Source::Global(spot) => self.world.device.read(spot, into),
            Source::Fill(pattern) => {
                for (byte, value) in into.iter_mut().zip(pattern.iter().cycle()) {
                    *byte = *value;
                }
            }
            Source::Value(value) => into.copy_from_slice(&value[..into.len()]),
            Source::Response(first) => into.copy_from_slice(&launch_control::response(first)),
        }
    }

    fn move_piece(&mut self, piece: &Piece, change: Change, engine: Who, clock: u32) {
        let &Piece { to, from, bytes } = piece;
        let mut small = [0; 16];
        let mut large = Vec::new();
        let buffer = if bytes <= 16 {
            &mut small[..bytes]
        } else {
            large.resize(bytes, 0);
            &mut large[..]
        };
        self.gather(from, buffer);
        let checks_all = self.checks_all();
        if let Source::Shared(spot) = from
            && checks_all
        {
            self.cluster.blocks[spot.block]
                .shadow
                .let_go(spot.range(bytes));
        }
        if let Change::Convert(ty) = change
            && matches!(from, Source::Global(_))
        {
            ty.convert(buffer);
        }
        let cluster = self.cluster.order.cluster;
        let block = &mut self.cluster.blocks[to.block];
        block.denied |= matches!(from, Source::Response(None));
        let target = &mut block.shared[to.range(bytes)];
        if let Change::Reduce(reduction) = change {
            reduction.apply(target, buffer);
        } else {
            target.copy_from_slice(buffer);
        }
        if checks_all {
            // Reductions are atomic with each other (PTX ISA, `red.async`: `.relaxed.cluster`).
            let strength = match change {
                Change::Reduce(_) => Strength::Strong(Scope::Cluster),
                Change::None | Change::Convert(_) => Strength::Plain,
            };
            let range = to.range(bytes);
            block
                .shadow
                .complete_as(strength, engine, clock, cluster, range);
        }
    }

    /// Writes bytes to global memory.
    pub(crate) fn scatter(&mut self, spot: Spot, change: Change, bytes: &[u8]) {
        let Change::Reduce(reduction) = change else {
            self.world.device.write(spot, bytes);
            return;
        };
        let mut target = vec![0; bytes.len()];
        let _exclusive = self.world.device.exclusive();
        self.world.device.read(spot, &mut target);
        reduction.apply(&mut target, bytes);
        self.world.device.write(spot, &target);
    }
}

const NOT_THERE: &str = "used without `mbarrier.init`, or after `mbarrier.inval`";

#[cold]
fn misused(lane: usize, spot: SharedSpot, message: impl Into<Message>) -> Trouble {
    let kind = FaultKind::Mbarrier {
        address: spot.offset as u64,
        message: message.into().0,
    };
    Trouble::at(lane, kind)
}

/// A violation of the mbarrier rules, as text.
struct Message(String);

impl From<Misuse> for Message {
    fn from(misuse: Misuse) -> Self {
        Self(misuse.to_string())
    }
}

impl From<&str> for Message {
    fn from(message: &str) -> Self {
        Self(message.into())
    }
}

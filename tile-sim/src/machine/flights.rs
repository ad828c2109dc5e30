//! Copies that the engine of a block carries out, and the `mbarrier`s that are told of their end.
//!
//! A copy ends as late as can be: when a thread tests a barrier whose phase lacks nothing but
//! copies. Until then its bytes may not be touched.

use rustc_hash::FxHashMap;

use super::copies::Copy;
use super::cx::{Cx, SharedSpot};
use super::memory::Spot;
use super::sync::Order;
use crate::check::order::{Agent, Knowledge};
use crate::check::shared::Change as Written;
use crate::check::stamp::{How, Scope, Who};
use crate::check::{FaultKind, Trouble, bounds};
use crate::isa::bulk::Reduction;
use crate::isa::launch_control;
use crate::isa::mbarrier::object::{Completion, Mbarrier, Misuse, Return, Token};
use crate::parse::syntax::Space;
use crate::tensor_map::TensorType;

/// Where bytes come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Shared(SharedSpot),
    Global(Spot),
    /// The same bytes over and over.
    Fill(&'static [u8]),
    /// Of a register.
    Value([u8; 16]),
    /// What came of a request to cancel a cluster: its first block.
    Response(Option<[u32; 3]>),
}

/// Bytes from one place to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Piece {
    pub(crate) to: SharedSpot,
    pub(crate) from: Source,
    pub(crate) bytes: usize,
}

/// What becomes of bytes on their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    None,
    /// A load through a tensor map of this type.
    Convert(TensorType),
    Reduce(Reduction),
}

/// One copy to one block.
#[derive(Clone, Debug)]
pub(crate) struct Flight {
    pub(crate) who: Who,
    /// Whose engine carries it out.
    pub(crate) block: usize,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) change: Change,
    pub(crate) end: End,
}

/// What the barrier is told.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Bytes(u32),
    /// An arrival, when copies of the thread's own are done (`cp.async.mbarrier.arrive`).
    Copies(Vec<Copy>),
    /// An arrival, when what the thread issued to the tensor cores before an operation of that
    /// number is done (`tcgen05.commit`); what was in order before that.
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

/// Who initialized an `mbarrier`.
#[derive(Clone, Copy, Debug)]
struct Init {
    agent: Agent,
    lane: usize,
    /// When that thread fenced it (`fence.mbarrier_init`).
    fenced: Option<u32>,
}

/// An `mbarrier`, what its phases pass on, and the copies that it is told of.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) object: Mbarrier,
    init: Init,
    /// What all who arrived know.
    pool: Knowledge,
    /// Likewise when the last phase ended.
    done: Knowledge,
    flights: Vec<Flight>,
}

/// The `mbarrier`s of a cluster.
#[derive(Default)]
pub(crate) struct Flights {
    barriers: FxHashMap<SharedSpot, Entry>,
    /// The barrier that a warp last slept for.
    asleep: FxHashMap<u16, SharedSpot>,
    /// Tests of phases so far.
    tests: u64,
}

/// Whether a test of a phase comes before the copies that could end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Haste {
    None,
    Some,
}

/// A phase that a thread waits for.
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

    /// The barrier of the lowest address that has copies under way, or bytes that do not balance.
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

    /// A warp sleeps until something happens to a barrier.
    pub(crate) fn sleeps(&mut self, agent: u16, spot: SharedSpot) {
        self.asleep.insert(agent, spot);
    }

    /// What a sleeping warp waits for, in words.
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
    /// Nothing but copies is missing.
    fn waits_for_copies_only(&self) -> bool {
        let arrivals = self.flights.iter().filter(|flight| flight.end.is_arrival());
        self.object.pending() as usize == arrivals.count()
    }
}

impl Cx<'_, '_> {
    /// The barrier at an address, which need not be initialized.
    pub(crate) fn barrier_spot(
        &self,
        lane: usize,
        space: Space,
        address: u64,
    ) -> Result<SharedSpot, Trouble> {
        let (space, address) = self.resolve(space, address);
        if !matches!(space, Space::Shared | Space::Cluster) {
            let message = "an mbarrier is in shared memory".into();
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
            let message = "initialized again without `mbarrier.inval` between";
            return Err(misused(lane, spot, message));
        }
        self.check_shared_write(lane, Order::Weak.how(), Written::Some, spot, 8)?;
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
        self.check_shared_write(lane, Order::Weak.how(), Written::Some, spot, 8)?;
        match self.cluster.flights.barriers.remove(&spot) {
            None => Err(misused(lane, spot, NOT_THERE)),
            Some(entry)
                if entry
                    .flights
                    .iter()
                    .any(|flight| self.cluster.pipe.has(flight)) =>
            {
                let message = "invalidated while what is under way will tell it of its end";
                Err(misused(lane, spot, message))
            }
            Some(_) => Ok(()),
        }
    }

    /// `fence.mbarrier_init` of these lanes: of what each of them initialized itself.
    pub(crate) fn fence_inits(&mut self, active: u32) {
        if !self.checks_all() {
            return;
        }
        let agent = self.agent;
        let clock = self.cluster.order.fence_inits(agent);
        #[expect(clippy::iter_over_hash_type, reason = "each is changed by itself")]
        for entry in self.cluster.flights.barriers.values_mut() {
            let init = &mut entry.init;
            if init.agent == agent && active >> init.lane & 1 == 1 {
                init.fenced = init.fenced.or(Some(clock));
            }
        }
    }

    /// Whether the warp knows of the initialization by what `fence.mbarrier_init` is for: then it
    /// may not know of anything else that happened before.
    fn knows_init(&self, spot: SharedSpot) -> bool {
        let entry = self.cluster.flights.barriers.get(&spot);
        entry.is_some_and(|entry| {
            let Init { agent, fenced, .. } = entry.init;
            fenced.is_some_and(|clock| self.cluster.order.knows_init(self.agent, agent, clock))
        })
    }

    /// The barrier, for an operation of a lane on it.
    fn entry(&mut self, lane: usize, spot: SharedSpot) -> Result<&mut Entry, Trouble> {
        // Whoever uses it must know that it was initialized.
        let how = Order::Relaxed(Scope::Cluster).how();
        if self.knows_init(spot) {
            self.note_known_read(lane, how, spot, 8);
        } else {
            self.check_shared_read(lane, how, spot, 8)?;
        }
        if !self.cluster.flights.barriers.contains_key(&spot) {
            return Err(misused(lane, spot, NOT_THERE));
        }
        let entry = self.cluster.flights.barriers.get_mut(&spot);
        Ok(entry.expect("looked up before"))
    }

    /// Changes the barrier, and lets those go on who wait for it.
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

    /// One more arrival of this phase.
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

    /// Whether the phase is over; copies end where nothing else is missing.
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

    /// Now and then a test of a phase comes before copies end that could, which shows a wait that is
    /// not tried again. Drawn from the seed; never without one.
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

    /// A copy begins whose end the barrier at `spot` is told.
    pub(crate) fn launch(
        &mut self,
        lane: usize,
        spot: SharedSpot,
        flight: Flight,
    ) -> Result<(), Trouble> {
        if !self.knows_init(spot) {
            self.check_shared_peek(lane, Order::Relaxed(Scope::Cluster).how(), spot, 8)?;
        }
        match self.cluster.flights.barriers.get_mut(&spot) {
            Some(entry) => entry.flights.push(flight),
            None => return Err(misused(lane, spot, NOT_THERE)),
        }
        self.cluster.awake = true;
        self.cluster.progress += 1;
        Ok(())
    }

    /// Copies of a lane's own arrive at the barrier when they are done.
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

    /// Ends the oldest copy of a barrier.
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

    /// The bytes of a source.
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
        let all = self.checks_all();
        if let Source::Shared(spot) = from
            && all
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
        if all {
            // Reductions of several are atomic (PTX ISA, `red.async`: `.relaxed.cluster`).
            let how = match change {
                Change::Reduce(_) => How::Strong(Scope::Cluster),
                Change::None | Change::Convert(_) => How::Plain,
            };
            let range = to.range(bytes);
            block.shadow.complete_as(how, engine, clock, cluster, range);
        }
    }

    /// Bytes arrive in global memory.
    pub(crate) fn scatter(&mut self, spot: Spot, change: Change, bytes: &[u8]) {
        let Change::Reduce(reduction) = change else {
            self.world.device.write(spot, bytes);
            return;
        };
        let mut target = vec![0; bytes.len()];
        self.world.device.read(spot, &mut target);
        reduction.apply(&mut target, bytes);
        self.world.device.write(spot, &target);
    }
}

const NOT_THERE: &str = "used where no `mbarrier.init` was, or after `mbarrier.inval`";

#[cold]
fn misused(lane: usize, spot: SharedSpot, message: impl Into<Message>) -> Trouble {
    let kind = FaultKind::Mbarrier {
        address: spot.offset as u64,
        message: message.into().0,
    };
    Trouble::at(lane, kind)
}

/// What is wrong with the use of a barrier.
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

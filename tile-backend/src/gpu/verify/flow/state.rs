//! The abstract state: the events that may have happened before a point of the kernel.

mod access;
mod hand_over;
mod step;

use super::super::super::{BufferId, Kernel, Op, OpId, Touch, Trait, ValueId};
use super::super::described;
use super::mbarriers::{Phases, Stage};
use super::memory::MemoryAccess;
use super::numbers::Known;
use super::ping_pong::PingPongStates;
use super::pipeline_barriers::StageCursors;
use super::places::Layout;
use super::stores::Stores;
use super::target::Target;
use rustc_hash::FxHashSet;
use std::ops::Range;

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
    /// `true` if the thread has waited for the kernels before this one.
    has_waited: bool,
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
            filled: vec![false; layout.num_places()],
            phases: Phases::default(),
            stage_cursors: StageCursors::default(),
            stores: Stores::default(),
            ping_pong: PingPongStates::default(),
            has_met: false,
            has_waited: false,
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
            has_waited,
        } = other;
        let knew = (self.has_met, self.has_waited);
        self.has_met &= has_met;
        self.has_waited &= has_waited;
        let mut changed = knew != (self.has_met, self.has_waited);
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
        let unwaited = self.dependence(kernel, "the kernel ends");
        let unfinished = self.ping_pong.end().into_iter().chain(unwaited);
        said.chain(held).chain(unfinished).collect()
    }

    /// Returns an error if `event` requires a wait for the kernels before this one, and a path without the wait
    /// leads here.
    pub(super) fn dependence(&self, kernel: &Kernel, event: &str) -> Option<String> {
        (kernel.launch.is_programmatic && !self.has_waited)
            .then(|| format!("{event} before the wait for the kernels before this one"))
    }

    /// Takes the state of mbarriers, which the producer shares with the code before it, and the wait for other
    /// kernels.
    pub(super) fn take_barriers(&mut self, before: &[Self]) {
        self.has_waited = before.iter().all(|state| state.has_waited);
        if let Some(state) = before.first() {
            self.phases = state.phases.clone();
        }
        for state in before.iter().skip(1) {
            self.phases.join(state.phases.clone());
        }
    }

    /// Returns the value of operand `index` if it is known.
    fn operand(&self, op: &Op, index: usize) -> Option<u64> {
        self.known.get(op.args.get(index)?).copied()
    }
}

fn missing(kernel: &Kernel, before: OpId) -> String {
    format!(
        "a barrier between {} and this is missing",
        described(kernel, before)
    )
}

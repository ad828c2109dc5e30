//! A warp: groups of lanes, each with its own program counter.
//!
//! All lanes begin in one group. A divergent branch splits a group in two. The group that runs is
//! the first in the kernel's reconvergence order ([`super::flow`]); groups with equal program
//! counters merge. At an instruction that needs other lanes too, a group waits for them (PTX ISA,
//! "Independent Thread Scheduling").

mod contents;
mod meet;
mod step;

use super::block::Barrier as BlockBarrier;
use super::cluster::ClusterState;
use super::copies::Copies;
use super::grid::{Setting, World};
use super::in_flight_mmas::InFlightMmas;
use super::registers::Registers;
use super::stack::Stack;
use crate::check::{FaultKind, Trouble};
use crate::counters::{Counters, Requests};
use crate::isa::barrier::{Barrier, Outcome};
use crate::isa::{Op, Slot};
use crate::module::Kernel;
use crate::parse::names::Content;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Ready,
    /// Waiting for other lanes of the warp at a convergent instruction.
    Gathering,
    /// Waiting at a barrier of the block.
    Barrier(u32),
    /// Waiting for an event.
    Sleeping,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    pc: u32,
    lanes: u32,
    state: State,
    /// Is `true` if the wait timed out.
    timed_out: bool,
    /// Is `true` if the instruction was counted and will be retried.
    counted: bool,
}

impl Group {
    fn ready(pc: u32, lanes: u32) -> Self {
        Self {
            pc,
            lanes,
            state: State::Ready,
            timed_out: false,
            counted: false,
        }
    }
}

/// The number of turns after which another group of a diverged warp gets a turn.
const PATIENCE: u32 = 256;

/// The reason for which a warp stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Its turn is over.
    Turn,
    /// It cannot continue.
    Waits,
    Ended,
}

/// A warp of a block.
pub(crate) struct Warp {
    /// The index in its block.
    index: usize,
    /// The rank of its block in the cluster.
    block: usize,
    /// The index in its cluster.
    agent: u16,
    /// The mask of existing lanes.
    existing: u32,
    ended: u32,
    /// On the heap, since the compiler reads the length of a `SmallVec` together with the first program counter, which the
    /// last instruction has just written.
    groups: Vec<Group>,
    /// The program counter of the group that ran last.
    last: u32,
    /// The number of consecutive turns of one group while others were ready.
    unfair: u32,
    registers: Registers,
    copies: Copies,
    in_flight_mmas: InFlightMmas,
    local: Vec<u8>,
    /// The `alloca` stack of each lane.
    stacks: Vec<Stack>,
}

/// The outcome of an instruction that may have to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// The instruction completed.
    Next,
    /// The instruction must be retried after an event.
    Sleep,
}

/// The environment of a warp's turn.
struct Env<'a, 'w> {
    setting: &'a Setting<'w>,
    world: &'a mut World<'w>,
    state: &'a mut ClusterState,
    requests: &'a mut Requests,
    counters: &'a mut Counters,
}

/// The effect of an instruction on its group.
enum Next {
    Following,
    /// Groups changed; the next one must be selected.
    Decide,
}

type Run<T> = Result<T, (u32, Trouble)>;

impl Warp {
    /// Creates warp `agent` of a cluster, which belongs to block `block`.
    pub(crate) fn new(setting: &Setting<'_>, block: usize, agent: usize) -> Self {
        let kernel = setting.kernel;
        let index = agent - block * setting.warps;
        let first = u32::try_from(index).expect("at most 32 warps") * 32;
        let count = (setting.threads - first).min(32);
        let lanes = u32::MAX >> (32 - count);
        let mut warp = Self {
            index,
            block,
            agent: u16::try_from(agent).expect("fewer than 2^16 warps"),
            existing: lanes,
            ended: 0,
            groups: Vec::new(),
            last: 0,
            unfair: 0,
            registers: Registers::new(kernel.contents.len(), kernel.pred_names.len()),
            copies: Copies::new(),
            in_flight_mmas: InFlightMmas::default(),
            local: vec![0; kernel.local_bytes * 32],
            stacks: vec![Stack::default(); 32],
        };
        if let Some(always) = kernel.always {
            warp.registers.set_pred(u32::MAX, always, u32::MAX);
        }
        warp
    }

    /// Resets the warp to the first instruction of a block.
    pub(crate) fn begin(&mut self, setting: &Setting<'_>, block: [u32; 3], rank: usize) {
        self.block = rank;
        self.registers.reset();
        self.copies = Copies::new();
        self.in_flight_mmas.clear();
        for stack in &mut self.stacks {
            stack.clear();
        }
        self.ended = 0;
        self.unfair = 0;
        self.groups.clear();
        self.groups.push(Group::ready(0, self.existing));
        if let Some(always) = setting.kernel.always {
            self.registers.set_pred(u32::MAX, always, u32::MAX);
        }
        for (slot, &content) in setting.kernel.contents.iter().enumerate() {
            let slot = Slot(u32::try_from(slot).expect("fewer slots than characters"));
            if content == Content::Undefined {
                continue;
            }
            for lane in 0..32 {
                let value = self.content(setting, block, content, lane);
                self.registers.set(lane, slot, value);
            }
            self.registers.find_uniform(slot);
            self.registers.define(u32::MAX, slot);
        }
    }

    /// Returns the last program counter, for messages.
    pub(crate) fn place(&self) -> u32 {
        self.last
    }

    /// Releases lanes that wait at a completed barrier. Returns `true` if there were any.
    pub(crate) fn release(&mut self, kernel: &Kernel, number: u32, barrier: &BlockBarrier) -> bool {
        let mut released = false;
        for group in &mut self.groups {
            if group.state != State::Barrier(number) {
                continue;
            }
            group.state = State::Ready;
            released = true;
            let op = &kernel.lines[group.pc as usize - 1].op;
            if let Op::Barrier(Barrier::Block {
                vote: Some(vote), ..
            }) = op
            {
                let (voters, yes) = barrier.votes;
                let mask = |holds: bool| if holds { u32::MAX } else { 0 };
                let registers = &mut self.registers;
                match vote.result {
                    Outcome::Count(dest) => registers.each(group.lanes, dest, |_| u64::from(yes)),
                    Outcome::All(dest) => {
                        registers.set_pred(group.lanes, dest, mask(yes == voters));
                    }
                    Outcome::Any(dest) => registers.set_pred(group.lanes, dest, mask(yes > 0)),
                }
            }
        }
        released
    }

    /// Returns a divergence error if lanes wait for others that cannot arrive.
    pub(crate) fn divergence(&self) -> Option<(u32, Trouble)> {
        // Sleeping lanes may still arrive; the condition they wait for is reported instead.
        if self.asleep().is_some() {
            return None;
        }
        let group = self
            .groups
            .iter()
            .find(|group| group.state == State::Gathering)?;
        let kind = FaultKind::Divergence {
            arrived: group.lanes,
            missing: self.existing & !group.lanes,
        };
        let lane = group.lanes.trailing_zeros() as usize;
        Some((group.pc, Trouble::at(lane, kind)))
    }

    /// Returns the number of the barrier that lanes wait at, and the index of its instruction.
    pub(crate) fn waiting(&self) -> Option<(u32, u32)> {
        self.groups.iter().find_map(|group| match group.state {
            State::Barrier(number) => Some((group.pc - 1, number)),
            State::Ready | State::Gathering | State::Sleeping => None,
        })
    }

    /// Returns the program counter at which the warp waits; `None` if it has exited.
    pub(crate) fn waits_at(&self) -> Option<u32> {
        let group = self.groups.first()?;
        Some(match group.state {
            State::Barrier(_) => group.pc - 1,
            State::Ready | State::Gathering | State::Sleeping => group.pc,
        })
    }

    /// Wakes sleeping lanes. Returns `true` if there are any.
    pub(crate) fn wake(&mut self, in_vain: bool) -> bool {
        let mut any = false;
        for group in &mut self.groups {
            if group.state == State::Sleeping {
                group.state = State::Ready;
                group.timed_out = in_vain;
                any = true;
            }
        }
        any
    }

    /// Returns the program counter of sleeping lanes, and one of the lanes.
    pub(crate) fn asleep(&self) -> Option<(u32, usize)> {
        let asleep = |group: &&Group| group.state == State::Sleeping;
        let group = self.groups.iter().find(asleep)?;
        Some((group.pc, group.lanes.trailing_zeros() as usize))
    }

    /// Returns the mask of existing lanes.
    pub(crate) fn existing_lanes(&self) -> u32 {
        self.existing
    }

    /// Merges groups with equal program counters and returns the group to run.
    fn decide(&mut self, order: &[u32]) -> Option<usize> {
        if let [group] = self.groups[..] {
            return (group.state == State::Ready).then_some(0);
        }
        let ready = || {
            let groups = self.groups.iter();
            groups.filter(|group| group.state == State::Ready)
        };
        let pc = if self.unfair > PATIENCE {
            // The first group may wait for another (PTX ISA, "Independent Thread Scheduling").
            let count = ready().count();
            let turn = self.unfair as usize % count.max(1);
            ready().nth(turn)?.pc
        } else {
            ready().min_by_key(|group| order[group.pc as usize])?.pc
        };
        let (mut joined, mut timed_out, mut counted, mut parts) = (0, false, false, 0);
        self.groups.retain(|group| {
            let joins = group.pc == pc && !matches!(group.state, State::Barrier(_));
            if joins {
                joined |= group.lanes;
                timed_out |= group.timed_out;
                counted |= group.counted;
                parts += 1;
            }
            !joins
        });
        if parts > 1 {
            self.unfair = 0;
        }
        self.groups.push(Group {
            timed_out,
            counted,
            ..Group::ready(pc, joined)
        });
        Some(self.groups.len() - 1)
    }

    /// Runs at most `turns` instructions.
    pub(crate) fn run<'w>(
        &mut self,
        setting: &Setting<'w>,
        world: &mut World<'w>,
        state: &mut ClusterState,
        requests: &mut Requests,
        counters: &mut Counters,
        mut turns: u32,
    ) -> Run<Stop> {
        let kernel = setting.kernel;
        let env = &mut Env {
            setting,
            world,
            state,
            requests,
            counters,
        };
        while let Some(group) = self.decide(&kernel.order) {
            self.last = self.groups[group].pc;
            loop {
                if turns == 0 {
                    self.last = self.groups[group].pc;
                    self.unfair += u32::from(self.groups.len() > 1);
                    return Ok(Stop::Turn);
                }
                turns -= 1;
                let pc = self.groups[group].pc;
                let next = self.step(env, group);
                match next.map_err(|trouble| (pc, trouble))? {
                    // Lanes that wait at a completed barrier continue before any lane arrives there
                    // again.
                    Next::Decide if !env.state.complete.is_empty() => return Ok(Stop::Turn),
                    Next::Decide => break,
                    Next::Following => {
                        let pc = pc + 1;
                        self.groups[group].pc = pc;
                        self.groups[group].timed_out = false;
                        self.groups[group].counted = false;
                        if self.groups.len() > 1 && kernel.lines[pc as usize].leader {
                            break;
                        }
                    }
                }
            }
        }
        Ok(if self.groups.is_empty() {
            Stop::Ended
        } else {
            Stop::Waits
        })
    }
}

//! A warp: groups of lanes, each with its program counter.
//!
//! All lanes begin as one group. A branch that they disagree on parts a group in two. The group
//! that runs is the one whose place comes first in the kernel's order ([`super::flow`]); groups at
//! one place become one again. At an instruction that needs other lanes too, a group waits until
//! they are there (PTX ISA, "Independent Thread Scheduling").

use smallvec::SmallVec;

use super::Checks;
use super::block::Barrier as BlockBarrier;
use super::cluster::ClusterState;
use super::copies::Copies;
use super::cx::Cx;
use super::grid::{Setting, World};
use super::products::Products;
use super::registers::{Registers, lanes};
use crate::check::{FaultKind, Trouble, barrier, init};
use crate::counters::{Counters, Product, Requests};
use crate::isa::barrier::{Barrier, Outcome, Waits};
use crate::isa::control::Control;
use crate::isa::{Op, Slot};
use crate::module::Kernel;
use crate::parse::names::{Content, Special};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Ready,
    /// For other lanes of the warp, at an instruction that needs them.
    Gathering,
    /// At a barrier of the block, to go on behind it.
    Barrier(u32),
    /// At an instruction that waits for something to happen.
    Sleeping,
}

#[derive(Clone, Copy, Debug)]
struct Group {
    pc: u32,
    lanes: u32,
    state: State,
    /// It slept in vain.
    timed_out: bool,
    /// Its instruction is counted, and is run again.
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

/// Turns of a part of a warp after which others of its parts have theirs.
const PATIENCE: u32 = 256;

/// Why a warp stopped running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// Its turn is over.
    Turn,
    /// It waits.
    Waits,
    Ended,
}

/// A warp of a block.
pub(crate) struct Warp {
    /// In its block.
    index: usize,
    /// Of its block in the cluster.
    block: usize,
    /// In its cluster.
    agent: u16,
    /// Lanes that there are.
    all: u32,
    ended: u32,
    groups: SmallVec<[Group; 4]>,
    /// Where the part of it that last ran began or stopped.
    last: u32,
    /// Turns that one part of the warp had while others were there.
    unfair: u32,
    registers: Registers,
    copies: Copies,
    products: Products,
    local: Vec<u8>,
}

/// What an instruction that may have to wait asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    /// It is done.
    Next,
    /// To be run again when something has happened.
    Sleep,
}

/// What a turn of a warp works on.
struct Env<'a, 'w> {
    setting: &'a Setting<'w>,
    world: &'a mut World<'w>,
    state: &'a mut ClusterState,
    requests: &'a mut Requests,
    counters: &'a mut Counters,
}

/// What one instruction did to the group that ran it.
enum Next {
    Following,
    /// Groups were changed; which one runs has to be decided again.
    Decide,
}

type Run<T> = Result<T, (u32, Trouble)>;

impl Warp {
    /// Warp `agent` of a cluster, in its block `block`.
    pub(crate) fn new(setting: &Setting<'_>, block: usize, agent: usize) -> Self {
        let kernel = setting.kernel;
        let index = agent - block * setting.warps;
        let first = u32::try_from(index).expect("at most 32 warps") * 32;
        let count = (setting.threads - first).min(32);
        let all = u32::MAX >> (32 - count);
        let mut warp = Self {
            index,
            block,
            agent: u16::try_from(agent).expect("fewer than 2^16 warps"),
            all,
            ended: 0,
            groups: SmallVec::new(),
            last: 0,
            unfair: 0,
            registers: Registers::new(kernel.contents.len(), kernel.pred_names.len()),
            copies: Copies::new(),
            products: Products::default(),
            local: vec![0; kernel.local_bytes * 32],
        };
        if let Some(always) = kernel.always {
            warp.registers.set_pred(u32::MAX, always, u32::MAX);
        }
        warp
    }

    /// At the first instruction of a block.
    pub(crate) fn begin(&mut self, setting: &Setting<'_>, block: [u32; 3], rank: usize) {
        self.block = rank;
        self.registers.reset();
        self.copies = Copies::new();
        self.products.clear();
        self.ended = 0;
        self.unfair = 0;
        self.groups.clear();
        self.groups.push(Group::ready(0, self.all));
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
            self.registers.define(u32::MAX, slot);
        }
    }

    fn content(
        &self,
        setting: &Setting<'_>,
        block: [u32; 3],
        content: Content,
        lane: usize,
    ) -> u64 {
        let special = match content {
            Content::Undefined => return 0,
            Content::Constant(value) => return value,
            Content::Global(number, offset) => {
                return setting.globals[number as usize].wrapping_add(offset);
            }
            Content::DynamicShared(offset) => return setting.dynamic_base.wrapping_add(offset),
            Content::Special(special) => special,
        };
        let thread = self.index as u64 * 32 + lane as u64;
        let [x, y, z] = setting.block.map(u64::from);
        let from = u64::from(u32::MAX) << lane & 0xffff_ffff;
        let at = 1u64 << lane;
        match special {
            Special::ThreadIndex(axis) => [thread % x, thread / x % y, thread / (x * y) % z][axis],
            Special::BlockSize(axis) => u64::from(setting.block[axis]),
            Special::BlockIndex(axis) => u64::from(block[axis]),
            Special::GridSize(axis) => u64::from(setting.grid[axis]),
            Special::Lane => lane as u64,
            Special::Warp => self.index as u64,
            Special::Warps => u64::from(setting.threads.div_ceil(32)),
            Special::LanesEqual => at,
            Special::LanesBelow => at - 1,
            Special::LanesUpTo => at | (at - 1),
            Special::LanesAbove => from & !at,
            Special::LanesFrom => from,
            Special::DynamicSharedBytes => u64::from(setting.dynamic_bytes),
            Special::TotalSharedBytes => setting.shared_bytes,
            Special::ClusterBlockIndex(axis) => u64::from(block[axis] % setting.cluster[axis]),
            Special::ClusterRank => self.block as u64,
            Special::ClusterSize(axis) => u64::from(setting.cluster[axis]),
            Special::ClusterBlocks => setting.blocks_per_cluster() as u64,
            Special::ClusterIndex(axis) => u64::from(block[axis] / setting.cluster[axis]),
            Special::Clusters(axis) => u64::from(setting.grid[axis] / setting.cluster[axis]),
            Special::IsExplicitCluster => u64::from(setting.explicit_cluster),
        }
    }

    /// Where it last ran, for messages.
    pub(crate) fn place(&self) -> u32 {
        self.last
    }

    /// A barrier of the block is complete. Whether any lanes waited there.
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
                let all = |holds: bool| if holds { u32::MAX } else { 0 };
                let registers = &mut self.registers;
                match vote.result {
                    Outcome::Count(dest) => registers.each(group.lanes, dest, |_| u64::from(yes)),
                    Outcome::All(dest) => registers.set_pred(group.lanes, dest, all(yes == voters)),
                    Outcome::Any(dest) => registers.set_pred(group.lanes, dest, all(yes > 0)),
                }
            }
        }
        released
    }

    /// Lanes that wait for others which cannot come.
    pub(crate) fn divergence(&self) -> Option<(u32, Trouble)> {
        let group = self
            .groups
            .iter()
            .find(|group| group.state == State::Gathering)?;
        let kind = FaultKind::Divergence {
            arrived: group.lanes,
            missing: self.all & !group.lanes,
        };
        let lane = group.lanes.trailing_zeros() as usize;
        Some((group.pc, Trouble::at(lane, kind)))
    }

    /// A barrier that lanes wait at, and the place of its instruction.
    pub(crate) fn waiting(&self) -> Option<(u32, u32)> {
        self.groups.iter().find_map(|group| match group.state {
            State::Barrier(number) => Some((group.pc - 1, number)),
            State::Ready | State::Gathering | State::Sleeping => None,
        })
    }

    /// Where it waits, for whatever; none if it has ended.
    pub(crate) fn waits_at(&self) -> Option<u32> {
        let group = self.groups.first()?;
        Some(match group.state {
            State::Barrier(_) => group.pc - 1,
            State::Ready | State::Gathering | State::Sleeping => group.pc,
        })
    }

    /// Sleeping lanes look again; whether there are any.
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

    /// Lanes that sleep: where, and one of them.
    pub(crate) fn asleep(&self) -> Option<(u32, usize)> {
        let asleep = |group: &&Group| group.state == State::Sleeping;
        let group = self.groups.iter().find(asleep)?;
        Some((group.pc, group.lanes.trailing_zeros() as usize))
    }

    /// Lanes that there are.
    pub(crate) fn all(&self) -> u32 {
        self.all
    }

    /// Joins groups at one place; the number of the group to run.
    fn decide(&mut self, order: &[u32]) -> Option<usize> {
        if let [group] = self.groups[..] {
            return (group.state == State::Ready).then_some(0);
        }
        let ready = || {
            let groups = self.groups.iter();
            groups.filter(|group| group.state == State::Ready)
        };
        let pc = if self.unfair > PATIENCE {
            // The first may be waiting for another (PTX ISA, "Independent Thread Scheduling").
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
                    // Who waits at a barrier that is complete goes on before anyone comes again.
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

    fn step(&mut self, env: &mut Env<'_, '_>, group: usize) -> Result<Next, Trouble> {
        let kernel = env.setting.kernel;
        let Group {
            pc, lanes: here, ..
        } = self.groups[group];
        let line = &kernel.lines[pc as usize];
        let mut active = here;
        if let Some(guard) = line.guard {
            if env.setting.options.checks == Checks::All {
                let missing = here & !self.registers.pred_defined(guard.pred);
                if missing != 0 {
                    let name = &kernel.pred_names[guard.pred.index()];
                    return Err(init::uninitialized(missing, name));
                }
            }
            active &= self.registers.condition(guard);
        }
        if env.setting.options.checks == Checks::All {
            if kernel.has_products && active != 0 && !matches!(line.op, Op::Wgmma(_)) {
                self.products.check(kernel, line)?;
                self.products.wrote(line);
            }
            init::defined(&self.registers, kernel, line, active)?;
        }
        let family = line.op.family();
        if let Op::Control(control) = &line.op {
            env.counters.issue(family, active);
            return self.control(control, env, group, active);
        }
        if active == 0 {
            env.counters.issue(family, 0);
            return Ok(Next::Following);
        }
        if line.op.is_convergent() {
            if active != here {
                // Lanes that the guard leaves out go on.
                self.groups[group].pc += 1;
                self.groups[group].lanes = here & !active;
                self.push(pc, active);
                return self.meet(env, self.groups.len() - 1);
            }
            return self.meet(env, group);
        }
        self.count(env, group, active);
        let registers = &mut self.registers;
        match &line.op {
            Op::Integer(op) => op.execute(registers, active),
            Op::Logic(op) => op.execute(registers, active),
            Op::Float(op) => op.execute(registers, active),
            Op::Convert(op) => op.execute(registers, active),
            Op::Compare(op) => op.execute(registers, active),
            Op::Move(op) => op.execute(registers, active),
            Op::Warp(op) => op.execute(registers, active)?,
            Op::Memory(op) => op.execute(&mut self.cx(env, group), active)?,
            Op::Atomic(op) => op.execute(&mut self.cx(env, group), active)?,
            Op::Async(op) => op.execute(&mut self.cx(env, group), active)?,
            Op::Bulk(op) => op.execute(&mut self.cx(env, group), active)?,
            Op::Counted(op) => op.execute(&mut self.cx(env, group), active)?,
            Op::TensorMap(op) => op.execute(&mut self.cx(env, group), active)?,
            Op::Cache(op) => op.execute(&mut self.cx(env, group), active)?,
            Op::Fence(op) => op.execute(&mut self.cx(env, group), active),
            Op::Mbarrier(op) => {
                let flow = op.execute(&mut self.cx(env, group), active)?;
                return Ok(self.flow(flow, group, active));
            }
            Op::Cluster(op) => {
                let flow = op.execute(&mut self.cx(env, group), active)?;
                return Ok(self.flow(flow, group, active));
            }
            Op::Call(op) => op.execute(&mut self.cx(env, group), active)?,
            Op::Clock(op) => op.execute(&mut self.cx(env, group), active),
            Op::Control(_)
            | Op::Barrier(_)
            | Op::Matrix(_)
            | Op::Mma(_)
            | Op::Wgmma(_)
            | Op::SetRegisters(_)
            | Op::Wmma(_) => {}
        }
        Ok(Next::Following)
    }

    /// Counts the instruction of a group, once however often it is run.
    fn count(&mut self, env: &mut Env<'_, '_>, group: usize, active: u32) {
        let group = &mut self.groups[group];
        if !group.counted {
            let family = env.setting.kernel.lines[group.pc as usize].op.family();
            env.counters.issue(family, active);
        }
        group.counted = false;
    }

    /// Goes on, or lets the `active` lanes of a group sleep at their instruction.
    fn flow(&mut self, flow: Flow, group: usize, active: u32) -> Next {
        if flow == Flow::Next {
            return Next::Following;
        }
        let Group { pc, lanes, .. } = self.groups[group];
        if lanes != active {
            // Lanes that the guard leaves out go on.
            self.groups[group].pc = pc + 1;
            self.groups[group].lanes = lanes & !active;
            self.push(pc, active);
        }
        let group = if lanes == active {
            &mut self.groups[group]
        } else {
            let last = self.groups.len() - 1;
            &mut self.groups[last]
        };
        group.state = State::Sleeping;
        group.counted = true;
        Next::Decide
    }

    fn cx<'a, 'w>(&'a mut self, env: &'a mut Env<'_, 'w>, group: usize) -> Cx<'a, 'w>
    where
        'w: 'a,
    {
        let Group { pc, timed_out, .. } = self.groups[group];
        Cx {
            kernel: env.setting.kernel,
            setting: env.setting,
            registers: &mut self.registers,
            copies: &mut self.copies,
            products: &mut self.products,
            local: &mut self.local,
            block: self.block,
            agent: self.agent,
            instruction: pc,
            world: env.world,
            cluster: env.state,
            requests: env.requests,
            counters: env.counters,
            timed_out,
        }
    }

    fn control(
        &mut self,
        control: &Control,
        env: &mut Env<'_, '_>,
        group: usize,
        active: u32,
    ) -> Result<Next, Trouble> {
        let Group {
            pc, lanes: here, ..
        } = self.groups[group];
        let stay = here & !active;
        match control {
            Control::Nothing => Ok(Next::Following),
            _ if active == 0 => Ok(Next::Following),
            Control::Trap => Err(Trouble::at(
                active.trailing_zeros() as usize,
                FaultKind::Trap,
            )),
            Control::Exit => {
                if let Some(product) = self.products.pending() {
                    let line = env.setting.kernel.lines[product as usize].at;
                    let message =
                        format!("the warp ends and has not waited for the `wgmma` of line {line}");
                    return Err(Trouble::of_warp(FaultKind::NotAwaited(message)));
                }
                self.ended |= active;
                if env.state.barrier.end(usize::from(self.agent), active) {
                    env.state.awake = true;
                    env.state.progress += 1;
                }
                if self.ended == self.all {
                    self.cx(env, group).end_stores()?;
                }
                if stay == 0 {
                    self.groups.remove(group);
                } else {
                    self.groups[group].lanes = stay;
                    self.groups[group].pc = pc + 1;
                }
                Ok(Next::Decide)
            }
            &Control::Branch(target) => {
                if stay == 0 {
                    self.groups[group].pc = target;
                } else {
                    env.counters.divergent_branches += 1;
                    self.groups[group].lanes = stay;
                    self.groups[group].pc = pc + 1;
                    self.push(target, active);
                }
                Ok(Next::Decide)
            }
            Control::Indexed { index, targets } => {
                let mut left = active;
                if stay == 0 {
                    self.groups.remove(group);
                } else {
                    self.groups[group].lanes = stay;
                    self.groups[group].pc = pc + 1;
                }
                let mut parts = 0;
                while left != 0 {
                    let first = left.trailing_zeros() as usize;
                    // A register of 32 bits.
                    let index_here = self.registers.get(first, *index) as u32;
                    let Some(&target) = targets.get(index_here as usize) else {
                        let kind = FaultKind::BranchIndex {
                            index: index_here,
                            targets: u32::try_from(targets.len()).unwrap_or(u32::MAX),
                        };
                        return Err(Trouble::at(first, kind));
                    };
                    let same = lanes(left)
                        .filter(|&lane| self.registers.get(lane, *index) as u32 == index_here)
                        .fold(0, |same, lane| same | 1 << lane);
                    self.push(target, same);
                    left &= !same;
                    parts += 1;
                }
                env.counters.divergent_branches += u64::from(parts + u32::from(stay != 0) > 1);
                Ok(Next::Decide)
            }
        }
    }

    fn push(&mut self, pc: u32, lanes: u32) {
        self.groups.push(Group::ready(pc, lanes));
    }

    /// An instruction that needs lanes together: runs it if they are there, or waits.
    fn meet(&mut self, env: &mut Env<'_, '_>, group: usize) -> Result<Next, Trouble> {
        let Group {
            pc, lanes: here, ..
        } = self.groups[group];
        let line = &env.setting.kernel.lines[pc as usize];
        let members = match &line.op {
            Op::Warp(op) => op.members,
            Op::Barrier(Barrier::Warp { members }) => Some(*members),
            _ => None,
        };
        let aligned = !matches!(line.op, Op::Barrier(Barrier::Block { aligned: false, .. }));
        let first = here.trailing_zeros() as usize;
        let (required, running) = match members {
            // Lanes may be at one instruction with different masks, and then are apart.
            Some(slot) => {
                let named = self.registers.get(first, slot) as u32;
                let same = lanes(here)
                    .filter(|&lane| self.registers.get(lane, slot) as u32 == named)
                    .fold(0, |same, lane| same | 1 << lane);
                if named >> first & 1 == 0 {
                    return Err(Trouble::at(first, FaultKind::NotAMember { members: named }));
                }
                if same & !named != 0 {
                    let lane = (same & !named).trailing_zeros() as usize;
                    return Err(Trouble::at(lane, FaultKind::NotAMember { members: named }));
                }
                (named & self.all, same)
            }
            None if aligned => (self.all, here),
            None => (here, here),
        };
        let gathered = barrier::gathered(running, required, self.ended);
        if !gathered.map_err(|kind| Trouble::at(first, kind))? {
            // Lanes with another mask may not have to wait.
            if running == here {
                self.groups[group].state = State::Gathering;
            } else {
                self.groups[group].lanes = here & !running;
                let waiting = Group {
                    state: State::Gathering,
                    ..Group::ready(pc, running)
                };
                self.groups.push(waiting);
            }
            return Ok(Next::Decide);
        }
        self.count(env, group, running);
        if running != here {
            self.groups[group].lanes = here & !running;
            self.push(pc, running);
            let group = self.groups.len() - 1;
            self.perform(env, group, running)?;
            return Ok(Next::Decide);
        }
        self.perform(env, group, running)
    }

    /// All lanes that `line` needs are in the group.
    fn perform(
        &mut self,
        env: &mut Env<'_, '_>,
        group: usize,
        running: u32,
    ) -> Result<Next, Trouble> {
        let pc = self.groups[group].pc;
        match &env.setting.kernel.lines[pc as usize].op {
            Op::Warp(op) => op.execute(&mut self.registers, running)?,
            Op::Matrix(op) => {
                whole(running)?;
                op.execute(&mut self.cx(env, group))?;
            }
            Op::Mma(op) => {
                whole(running)?;
                env.counters.product(Product::Mma, op.multiply_adds());
                op.execute(&mut self.registers)?;
            }
            Op::TensorMap(op) => op.execute(&mut self.cx(env, group), running)?,
            Op::Cluster(op) if op.execute(&mut self.cx(env, group), running)? == Flow::Sleep => {
                return Ok(self.flow(Flow::Sleep, group, running));
            }
            Op::SetRegisters(op) if op.execute(&mut self.cx(env, group))? == Flow::Sleep => {
                return Ok(self.flow(Flow::Sleep, group, running));
            }
            Op::Wmma(op) => {
                whole(running)?;
                op.execute(&mut self.cx(env, group))?;
            }
            Op::Barrier(Barrier::Warp { .. }) => {
                env.counters.barriers.warp += 1;
                env.state.order.meet(self.agent);
            }
            Op::Wgmma(op) => {
                whole(running)?;
                op.execute(&mut self.cx(env, group))?;
            }
            Op::Barrier(Barrier::Block {
                barrier,
                threads,
                waits,
                aligned: _,
                vote,
            }) => {
                let votes = vote.map(|vote| self.registers.condition(vote.condition));
                return self.arrive(env, group, (*barrier, *threads), *waits, votes);
            }
            _ => {}
        }
        self.groups[group].pc = pc + 1;
        Ok(Next::Decide)
    }

    fn arrive(
        &mut self,
        env: &mut Env<'_, '_>,
        group: usize,
        (barrier, threads): (Slot, Option<Slot>),
        waits: Waits,
        votes: Option<u32>,
    ) -> Result<Next, Trouble> {
        let running = self.groups[group].lanes;
        let first = running.trailing_zeros() as usize;
        let uniform = |slot: Slot| {
            let value = self.registers.get(first, slot);
            let same = lanes(running).all(|lane| self.registers.get(lane, slot) == value);
            let message = "the lanes of a warp name different ones";
            let kind = || FaultKind::BarrierMisuse(message.into());
            if same {
                Ok(value)
            } else {
                Err(Trouble::at(first, kind()))
            }
        };
        let number = uniform(barrier)?;
        let expected = match threads {
            // Whole warps, of which the last of a block may lack lanes.
            None => env.setting.threads.div_ceil(32) * 32,
            Some(slot) => {
                let threads = uniform(slot)?;
                if threads == 0 || threads % 32 != 0 || threads > 1024 {
                    let message = format!("{threads} threads are not whole warps");
                    return Err(Trouble::at(first, FaultKind::BarrierMisuse(message)));
                }
                // At most 1024.
                threads as u32
            }
        };
        // Lanes that a short warp lacks count as arrived with its first.
        let lacking = if running >> self.all.trailing_zeros() & 1 == 1 {
            (!self.all).count_ones()
        } else {
            0
        };
        self.groups[group].pc += 1;
        if waits == Waits::Yes {
            // Below sixteen, as `arrive` checks.
            self.groups[group].state = State::Barrier(number as u32);
        }
        env.counters.barriers.block += 1;
        let block = &mut env.state.blocks[self.block];
        let (index, complete) = block.arrive(number, running.count_ones() + lacking, expected)?;
        env.state
            .order
            .tell(self.agent, running, &mut block.barriers[index].pool);
        if let Some(votes) = votes {
            let (voters, yes) = &mut block.barriers[index].votes;
            *voters += running.count_ones();
            *yes += (votes & running).count_ones();
        }
        env.state.progress += 1;
        if complete {
            // Below sixteen.
            env.state.complete.push((self.block, index as u32));
        }
        Ok(Next::Decide)
    }
}

/// Matrix instructions are of 32 lanes.
fn whole(running: u32) -> Result<(), Trouble> {
    if running == u32::MAX {
        return Ok(());
    }
    let kind = FaultKind::Divergence {
        arrived: running,
        missing: !running,
    };
    Err(Trouble::of_warp(kind))
}

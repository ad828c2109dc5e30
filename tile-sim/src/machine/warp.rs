//! A warp: groups of lanes, each with its program counter.
//!
//! All lanes begin as one group. A branch that they disagree on parts a group in two. The group
//! that runs is the one whose place comes first in the kernel's order ([`super::flow`]); groups at
//! one place become one again. At an instruction that needs other lanes too, a group waits until
//! they are there (PTX ISA, "Independent Thread Scheduling").

use smallvec::SmallVec;

use super::block::Common;
use super::copies::Copies;
use super::grid::Setting;
use super::registers::{Registers, lanes};
use super::{Checks, Cx};
use crate::check::{FaultKind, Trouble, barrier, init};
use crate::isa::barrier::{Barrier, Waits};
use crate::isa::control::Control;
use crate::isa::{Op, Slot};
use crate::parse::names::{Content, Special};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Ready,
    /// For other lanes of the warp, at an instruction that needs them.
    Gathering,
    /// At a barrier of the block, to go on behind it.
    Barrier(u32),
}

#[derive(Clone, Copy, Debug)]
struct Group {
    pc: u32,
    lanes: u32,
    state: State,
}

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
    index: usize,
    /// Lanes that there are.
    all: u32,
    ended: u32,
    groups: SmallVec<[Group; 4]>,
    registers: Registers,
    copies: Copies,
    local: Vec<u8>,
}

/// What one instruction did to the group that ran it.
enum Next {
    Following,
    /// Groups were changed; which one runs has to be decided again.
    Decide,
}

type Run<T> = Result<T, (u32, Trouble)>;

impl Warp {
    pub(crate) fn new(setting: &Setting<'_>, index: usize) -> Self {
        let kernel = setting.kernel;
        let first = u32::try_from(index).expect("at most 32 warps") * 32;
        let count = (setting.threads - first).min(32);
        let all = u32::MAX >> (32 - count);
        let mut warp = Self {
            index,
            all,
            ended: 0,
            groups: SmallVec::new(),
            registers: Registers::new(kernel.contents.len(), kernel.pred_names.len()),
            copies: Copies::new(),
            local: vec![0; kernel.local_bytes * 32],
        };
        if let Some(always) = kernel.always {
            warp.registers.set_pred(u32::MAX, always, u32::MAX);
        }
        warp
    }

    /// At the first instruction of a block.
    pub(crate) fn begin(&mut self, setting: &Setting<'_>, block: [u32; 3]) {
        self.registers.reset();
        self.copies = Copies::new();
        self.ended = 0;
        self.groups.clear();
        self.groups.push(Group {
            pc: 0,
            lanes: self.all,
            state: State::Ready,
        });
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
            // Without clusters, every block is one.
            Special::ClusterBlockIndex(_) | Special::ClusterRank => 0,
            Special::ClusterSize(_) | Special::ClusterBlocks => 1,
            Special::ClusterIndex(axis) => u64::from(block[axis]),
            Special::Clusters(axis) => u64::from(setting.grid[axis]),
            Special::IsExplicitCluster => 0,
        }
    }

    /// Where it is, for messages.
    pub(crate) fn place(&self) -> u32 {
        self.groups.first().map_or(0, |group| group.pc)
    }

    /// A barrier of the block is complete. Whether any lanes waited there.
    pub(crate) fn release(&mut self, number: u32) -> bool {
        let mut released = false;
        for group in &mut self.groups {
            if group.state == State::Barrier(number) {
                group.state = State::Ready;
                released = true;
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
            State::Ready | State::Gathering => None,
        })
    }

    /// Joins groups at one place; the number of the group to run.
    fn decide(&mut self, order: &[u32]) -> Option<usize> {
        if let [group] = self.groups[..] {
            return (group.state == State::Ready).then_some(0);
        }
        let ready = self.groups.iter().enumerate();
        let ready = ready.filter(|(_, group)| group.state == State::Ready);
        let (first, _) = ready.min_by_key(|(_, group)| order[group.pc as usize])?;
        let pc = self.groups[first].pc;
        let mut joined = 0;
        self.groups.retain(|group| {
            let joins = group.pc == pc && !matches!(group.state, State::Barrier(_));
            if joins {
                joined |= group.lanes;
            }
            !joins
        });
        self.groups.push(Group {
            pc,
            lanes: joined,
            state: State::Ready,
        });
        Some(self.groups.len() - 1)
    }

    /// Runs at most `turns` instructions.
    pub(crate) fn run(
        &mut self,
        setting: &Setting<'_>,
        common: &mut Common<'_>,
        mut turns: u32,
    ) -> Run<Stop> {
        let kernel = setting.kernel;
        while let Some(group) = self.decide(&kernel.order) {
            loop {
                if turns == 0 {
                    return Ok(Stop::Turn);
                }
                turns -= 1;
                let pc = self.groups[group].pc;
                let next = self.step(setting, common, group);
                match next.map_err(|trouble| (pc, trouble))? {
                    // Who waits at a barrier that is complete goes on before anyone comes again.
                    Next::Decide if !common.complete.is_empty() => return Ok(Stop::Turn),
                    Next::Decide => break,
                    Next::Following => {
                        let pc = pc + 1;
                        self.groups[group].pc = pc;
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

    fn step(
        &mut self,
        setting: &Setting<'_>,
        common: &mut Common<'_>,
        group: usize,
    ) -> Result<Next, Trouble> {
        let kernel = setting.kernel;
        let Group {
            pc, lanes: here, ..
        } = self.groups[group];
        let line = &kernel.lines[pc as usize];
        let mut active = here;
        if let Some(guard) = line.guard {
            if setting.options.checks == Checks::All {
                let missing = here & !self.registers.pred_defined(guard.pred);
                if missing != 0 {
                    let name = &kernel.pred_names[guard.pred.index()];
                    return Err(init::uninitialized(missing, name));
                }
            }
            active &= self.registers.condition(guard);
        }
        if setting.options.checks == Checks::All {
            init::defined(&self.registers, kernel, line, active)?;
        }
        let family = line.op.family();
        if let Op::Control(control) = &line.op {
            common.counters.issue(family, active);
            return self.control(control, common, group, active);
        }
        if active == 0 {
            common.counters.issue(family, 0);
            return Ok(Next::Following);
        }
        if line.op.is_convergent() {
            if active != here {
                // Lanes that the guard leaves out go on.
                self.groups[group].pc += 1;
                self.groups[group].lanes = here & !active;
                self.groups.push(Group {
                    pc,
                    lanes: active,
                    state: State::Ready,
                });
                return self.meet(setting, common, self.groups.len() - 1);
            }
            return self.meet(setting, common, group);
        }
        common.counters.issue(family, active);
        let registers = &mut self.registers;
        match &line.op {
            Op::Integer(op) => op.execute(registers, active),
            Op::Logic(op) => op.execute(registers, active),
            Op::Float(op) => op.execute(registers, active),
            Op::Convert(op) => op.execute(registers, active),
            Op::Compare(op) => op.execute(registers, active),
            Op::Move(op) => op.execute(registers, active),
            Op::Warp(op) => op.execute(registers, active)?,
            Op::Memory(op) => op.execute(&mut self.cx(setting, common, pc), active)?,
            Op::Atomic(op) => op.execute(&mut self.cx(setting, common, pc), active)?,
            Op::Async(op) => op.execute(&mut self.cx(setting, common, pc), active)?,
            Op::Call(op) => op.execute(&mut self.cx(setting, common, pc), active)?,
            Op::Clock(op) => op.execute(&mut self.cx(setting, common, pc), active),
            Op::Control(_) | Op::Barrier(_) | Op::Matrix(_) | Op::Mma(_) => {}
        }
        Ok(Next::Following)
    }

    fn cx<'a>(
        &'a mut self,
        setting: &'a Setting<'_>,
        common: &'a mut Common<'_>,
        instruction: u32,
    ) -> Cx<'a> {
        Cx {
            kernel: setting.kernel,
            registers: &mut self.registers,
            copies: &mut self.copies,
            local: &mut self.local,
            warp: self.index,
            instruction,
            memory: common.memory,
            shared: common.shared,
            params: &setting.params,
            requests: common.requests,
            counters: common.counters,
            checks: setting.options.checks,
        }
    }

    fn control(
        &mut self,
        control: &Control,
        common: &mut Common<'_>,
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
                self.ended |= active;
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
                    common.counters.divergent_branches += 1;
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
                common.counters.divergent_branches += u64::from(parts + u32::from(stay != 0) > 1);
                Ok(Next::Decide)
            }
        }
    }

    fn push(&mut self, pc: u32, lanes: u32) {
        self.groups.push(Group {
            pc,
            lanes,
            state: State::Ready,
        });
    }

    /// An instruction that needs lanes together: runs it if they are there, or waits.
    fn meet(
        &mut self,
        setting: &Setting<'_>,
        common: &mut Common<'_>,
        group: usize,
    ) -> Result<Next, Trouble> {
        let Group {
            pc, lanes: here, ..
        } = self.groups[group];
        let line = &setting.kernel.lines[pc as usize];
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
                self.groups.push(Group {
                    pc,
                    lanes: running,
                    state: State::Gathering,
                });
            }
            return Ok(Next::Decide);
        }
        common.counters.issue(line.op.family(), running);
        if running != here {
            self.groups[group].lanes = here & !running;
            self.push(pc, running);
            let group = self.groups.len() - 1;
            self.perform(setting, common, group, running)?;
            return Ok(Next::Decide);
        }
        self.perform(setting, common, group, running)
    }

    /// All lanes that `line` needs are in the group.
    fn perform(
        &mut self,
        setting: &Setting<'_>,
        common: &mut Common<'_>,
        group: usize,
        running: u32,
    ) -> Result<Next, Trouble> {
        let pc = self.groups[group].pc;
        match &setting.kernel.lines[pc as usize].op {
            Op::Warp(op) => op.execute(&mut self.registers, running)?,
            Op::Matrix(op) => {
                whole(running)?;
                op.execute(&mut self.cx(setting, common, pc))?;
            }
            Op::Mma(op) => {
                whole(running)?;
                common.counters.mma += 1;
                op.execute(&mut self.registers);
            }
            Op::Barrier(Barrier::Block {
                barrier,
                threads,
                waits,
                aligned: _,
            }) => {
                return self.arrive(setting, common, group, *barrier, *threads, *waits);
            }
            _ => {}
        }
        self.groups[group].pc = pc + 1;
        Ok(Next::Decide)
    }

    fn arrive(
        &mut self,
        setting: &Setting<'_>,
        common: &mut Common<'_>,
        group: usize,
        barrier: Slot,
        threads: Option<Slot>,
        waits: Waits,
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
            None => setting.threads.div_ceil(32) * 32,
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
        common.counters.barriers += 1;
        common.arrive(self.index, number, running.count_ones() + lacking, expected)?;
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

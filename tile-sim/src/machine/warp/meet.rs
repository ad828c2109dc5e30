//! Convergent instructions, which several lanes execute together.

use super::{Env, Flow, Group, Next, State, Warp};
use crate::check::{FaultKind, Trouble, barrier};
use crate::counters::Product;
use crate::isa::barrier::{Barrier, Waits};
use crate::isa::{Op, Slot};
use crate::machine::registers::lanes;

impl Warp {
    /// Executes a convergent instruction if its lanes are present; otherwise the group waits.
    pub(super) fn meet(&mut self, env: &mut Env<'_, '_>, group: usize) -> Result<Next, Trouble> {
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
            // Lanes at the same instruction with different member masks execute separately.
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
                (named & self.existing, same)
            }
            None if aligned => (self.existing, here),
            None => (here, here),
        };
        let gathered = barrier::gathered(running, required, self.ended);
        if !gathered.map_err(|kind| Trouble::at(first, kind))? {
            // Lanes with another mask need not wait.
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

    /// Executes an instruction whose lanes are all in the group.
    pub(super) fn perform(
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
            Op::Tcgen05(op) => {
                whole(running)?;
                if op.execute(&mut self.cx(env, group), running)? == Flow::Sleep {
                    return Ok(self.flow(Flow::Sleep, group, running));
                }
            }
            // `bar.warp.sync` orders the memory accesses of its lanes (PTX ISA, "bar.warp.sync").
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

    pub(super) fn arrive(
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
            let message = "the lanes of a warp have different barrier operands";
            let kind = || FaultKind::BarrierMisuse(message.into());
            if same {
                Ok(value)
            } else {
                Err(Trouble::at(first, kind()))
            }
        };
        let number = uniform(barrier)?;
        let expected = match threads {
            // Barriers count whole warps, although the last warp of a block may lack lanes.
            None => env.setting.threads.div_ceil(32) * 32,
            Some(slot) => {
                let threads = uniform(slot)?;
                if threads == 0 || threads % 32 != 0 || threads > 1024 {
                    let message = format!("{threads} threads are not a multiple of the warp size");
                    return Err(Trouble::at(first, FaultKind::BarrierMisuse(message)));
                }
                // The number is at most 1024.
                threads as u32
            }
        };
        // Nonexistent lanes of a short warp arrive with its first lane.
        let lacking = if running >> self.existing.trailing_zeros() & 1 == 1 {
            (!self.existing).count_ones()
        } else {
            0
        };
        self.groups[group].pc += 1;
        if waits == Waits::Yes {
            // `arrive` has checked that the number is below sixteen.
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
            // The index is below sixteen.
            env.state.complete.push((self.block, index as u32));
        }
        Ok(Next::Decide)
    }
}

/// Checks that all 32 lanes execute a matrix instruction.
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

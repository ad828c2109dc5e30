//! Execution of one instruction by a group of lanes.

use super::{Env, Flow, Group, Next, State, Warp};
use crate::check::{FaultKind, Trouble, init};
use crate::isa::Op;
use crate::isa::control::Control;
use crate::machine::Checks;
use crate::machine::cx::Cx;
use crate::machine::registers::lanes;

impl Warp {
    pub(super) fn step(&mut self, env: &mut Env<'_, '_>, group: usize) -> Result<Next, Trouble> {
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
                self.in_flight_mmas.check(kernel, line)?;
                self.in_flight_mmas.wrote(line);
            }
            init::defined(&self.registers, kernel, line, active)?;
        }
        if active != 0 {
            env.counters.reached.mark(pc);
        }
        let family = line.family;
        if let Op::Control(control) = &line.op {
            env.counters.issue(family, active);
            return self.control(control, env, group, active);
        }
        if active == 0 {
            env.counters.issue(family, 0);
            return Ok(Next::Following);
        }
        if line.is_convergent {
            if active != here {
                // Lanes that the guard predicate disables continue.
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
            Op::Tcgen05(op) => {
                let flow = op.execute(&mut self.cx(env, group), active)?;
                return Ok(self.flow(flow, group, active));
            }
            Op::Call(op) => op.execute(&mut self.cx(env, group), active)?,
            Op::Clock(op) => op.execute(&mut self.cx(env, group), active),
            Op::Stack(op) => op.execute(&mut self.cx(env, group), active)?,
            Op::LaunchControl(op) => op.execute(&mut self.cx(env, group), active)?,
            Op::Multimem(op) => op.execute(&mut self.cx(env, group), active)?,
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

    /// Counts an instruction, once even if it is retried.
    #[inline]
    pub(super) fn count(&mut self, env: &mut Env<'_, '_>, group: usize, active: u32) {
        let group = &mut self.groups[group];
        if !group.counted {
            let line = &env.setting.kernel.lines[group.pc as usize];
            env.counters.issue(line.family, active);
        }
        group.counted = false;
    }

    /// Advances a group, or suspends its `active` lanes at their instruction.
    pub(super) fn flow(&mut self, flow: Flow, group: usize, active: u32) -> Next {
        if flow == Flow::Next {
            return Next::Following;
        }
        let Group { pc, lanes, .. } = self.groups[group];
        if lanes != active {
            // Lanes that the guard predicate disables continue.
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

    pub(super) fn cx<'a, 'w>(&'a mut self, env: &'a mut Env<'_, 'w>, group: usize) -> Cx<'a, 'w>
    where
        'w: 'a,
    {
        let Group { pc, timed_out, .. } = self.groups[group];
        Cx {
            kernel: env.setting.kernel,
            setting: env.setting,
            registers: &mut self.registers,
            copies: &mut self.copies,
            in_flight_mmas: &mut self.in_flight_mmas,
            local: &mut self.local,
            stacks: &mut self.stacks,
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

    pub(super) fn control(
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
            Control::WaitForGrids => {
                self.cx(env, group).wait_for_dependencies();
                Ok(Next::Following)
            }
            Control::Trap => Err(Trouble::at(
                active.trailing_zeros() as usize,
                FaultKind::Trap,
            )),
            Control::Exit => {
                if let Some(product) = self.in_flight_mmas.pending() {
                    let line = env.setting.kernel.lines[product as usize].at;
                    let message =
                        format!("the warp exits without waiting for the `wgmma` of line {line}");
                    return Err(Trouble::of_warp(FaultKind::NotAwaited(message)));
                }
                self.ended |= active;
                if env.state.barrier.end(usize::from(self.agent), active) {
                    env.state.awake = true;
                    env.state.progress += 1;
                }
                if self.ended == self.existing {
                    let mut cx = self.cx(env, group);
                    cx.end_stores()?;
                    cx.end_tensor()?;
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
                    // The register has 32 bits.
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

    pub(super) fn push(&mut self, pc: u32, lanes: u32) {
        self.groups.push(Group::ready(pc, lanes));
    }
}

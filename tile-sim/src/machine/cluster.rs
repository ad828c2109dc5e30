//! A cluster: blocks that run concurrently, the scheduling of their warps, and their shared state.

use rustc_hash::FxHashMap;

use super::Checks;
use super::block::BlockState;
use super::cluster_barrier::ClusterBarrier;
use super::cx::SharedSpot;
use super::flights::{End, Flights};
use super::grid::{Setting, World};
use super::in_flight_mmas::Unpacked;
use super::scheduler::Scheduler;
use super::tensor_pipe::Pipe;
use super::warp::{Stop, Warp};
use crate::check::order::{Order, Release};
use crate::check::{Fault, FaultKind, Trouble};
use crate::counters::{Counters, Requests};
use crate::isa::Op;
use crate::isa::tcgen05::Tcgen05;

/// The number of idle rounds after which the cluster is deadlocked.
const MAX_IDLE: u32 = 16;

/// The state that the warps of a cluster share.
pub(crate) struct ClusterState {
    pub(crate) order: Order,
    pub(crate) blocks: Vec<BlockState>,
    /// The knowledge released at locations in shared memory.
    pub(crate) releases: FxHashMap<SharedSpot, Release>,
    pub(crate) flights: Flights,
    pub(crate) unpacked: Unpacked,
    pub(crate) pipe: Pipe,
    pub(crate) barrier: ClusterBarrier,
    /// Completed barriers, by block, whose waiting threads may continue.
    pub(crate) complete: Vec<(usize, u32)>,
    /// Is `true` after an event that sleeping threads may wait for.
    pub(crate) awake: bool,
    /// Increases with every event that other clusters can observe.
    pub(crate) progress: u64,
}

/// The state of a cluster after its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    Goes,
    Ended,
}

/// A running cluster. The object is reused for the next one.
pub(crate) struct Cluster {
    /// The warps of all blocks, block by block.
    warps: Vec<Warp>,
    pub(crate) state: ClusterState,
    runnable: Vec<usize>,
    requests: Requests,
    /// The value of `progress` when all warps slept, and the number of idle rounds since.
    idle: (u64, u32),
}

impl Cluster {
    pub(crate) fn new(setting: &Setting<'_>) -> Self {
        let blocks = setting.blocks_per_cluster();
        let warps = (0..blocks * setting.warps)
            .map(|warp| Warp::new(setting, warp / setting.warps, warp))
            .collect();
        Self {
            warps,
            state: ClusterState {
                order: Order::new(),
                blocks: (0..blocks).map(|_| BlockState::default()).collect(),
                releases: FxHashMap::default(),
                flights: Flights::default(),
                unpacked: Unpacked::default(),
                pipe: Pipe::default(),
                barrier: ClusterBarrier::default(),
                complete: Vec::new(),
                awake: false,
                progress: 0,
            },
            runnable: Vec::new(),
            requests: Requests::default(),
            idle: (0, 0),
        }
    }

    /// Begins cluster `number` of the grid.
    pub(crate) fn begin(&mut self, setting: &Setting<'_>, number: u64) {
        let checks_all = setting.options.checks == Checks::All;
        let blocks = self.state.blocks.len();
        // The number is below the number of clusters of a valid grid.
        let serial = number as u32 + 1;
        self.state.order.begin(serial, self.warps.len(), blocks);
        self.state.releases.clear();
        self.state.flights.clear();
        self.state.unpacked.clear();
        self.state.pipe.clear();
        self.state
            .barrier
            .begin(self.warps.iter().map(Warp::existing_lanes));
        self.state.complete.clear();
        self.state.awake = false;
        self.idle = (self.state.progress, 0);
        for (rank, block) in self.state.blocks.iter_mut().enumerate() {
            let index = setting.block_index(number, rank);
            // Below 228 KiB.
            let bytes = setting.shared_bytes as usize;
            block.begin(
                index,
                bytes,
                rank * setting.warps,
                setting.warps,
                checks_all,
                setting.registers(),
            );
        }
        for (number, warp) in self.warps.iter_mut().enumerate() {
            let rank = number / setting.warps;
            warp.begin(setting, self.state.blocks[rank].index, rank);
        }
        self.runnable.clear();
        self.runnable.extend(0..self.warps.len());
    }

    fn fault(&self, setting: &Setting<'_>, warp: usize, pc: u32, trouble: Trouble) -> Fault {
        let line = &setting.kernel.lines[pc as usize];
        Fault {
            kind: *trouble.kind,
            line: line.at,
            source: line.source.clone(),
            instruction: line.text.clone(),
            kernel: setting.kernel.name.clone(),
            block: self.state.blocks[warp / setting.warps].index,
            warp: u32::try_from(warp % setting.warps).expect("at most 32 warps"),
            lane: trouble.lane.map(u32::from),
        }
    }

    /// Runs one warp for a turn.
    pub(crate) fn turn<'w>(
        &mut self,
        setting: &Setting<'w>,
        world: &mut World<'w>,
        scheduler: &mut Scheduler,
        counters: &mut Counters,
    ) -> Result<Turn, Fault> {
        if self.runnable.is_empty() {
            return self.rest(setting);
        }
        let (index, turns) = scheduler.next(&self.runnable);
        let stop = self.warps[index].run(
            setting,
            world,
            &mut self.state,
            &mut self.requests,
            counters,
            turns,
        );
        let stop = match stop {
            Ok(stop) => stop,
            Err((pc, trouble)) => return Err(self.fault(setting, index, pc, trouble)),
        };
        if counters.total_warp_instructions() > setting.options.max_instructions {
            let kind = FaultKind::InstructionLimit(setting.options.max_instructions);
            let pc = self.warps[index].place();
            return Err(self.fault(setting, index, pc, Trouble::of_warp(kind)));
        }
        if stop != Stop::Turn {
            self.runnable.retain(|&warp| warp != index);
        }
        // Registers of an exited warp are free for `setmaxnreg` of others, and barriers count it as
        // arrived.
        if stop == Stop::Ended {
            let block = &mut self.state.blocks[index / setting.warps];
            block.live -= 1;
            block.registers.end(index % setting.warps);
            self.state.awake = true;
            self.state.progress += 1;
        }
        while let Some((block, number)) = self.state.complete.pop() {
            self.release(setting, block, number);
        }
        if std::mem::take(&mut self.state.awake) {
            self.wake(false);
        }
        Ok(Turn::Goes)
    }

    fn release(&mut self, setting: &Setting<'_>, block: usize, number: u32) {
        let Self {
            warps,
            state,
            runnable,
            ..
        } = self;
        let first = block * setting.warps;
        let barrier = &state.blocks[block].barriers[number as usize];
        for (warp, index) in warps[first..first + setting.warps].iter_mut().zip(first..) {
            if warp.release(setting.kernel, number, barrier) {
                let agent = u16::try_from(index).expect("fewer than 2^16 warps");
                state.order.learn(agent, &barrier.pool);
                if let Err(position) = runnable.binary_search(&index) {
                    runnable.insert(position, index);
                }
            }
        }
    }

    /// Wakes sleeping threads. Returns `true` if there were any.
    fn wake(&mut self, in_vain: bool) -> bool {
        let mut any = false;
        for (index, warp) in self.warps.iter_mut().enumerate() {
            if warp.wake(in_vain) {
                any = true;
                if let Err(position) = self.runnable.binary_search(&index) {
                    self.runnable.insert(position, index);
                }
            }
        }
        any
    }

    /// Handles a cluster without runnable warps: it has finished, sleeps, or is deadlocked.
    fn rest(&mut self, setting: &Setting<'_>) -> Result<Turn, Fault> {
        if self.state.progress != self.idle.0 {
            self.idle = (self.state.progress, 0);
        }
        // A wait for a phase of an `mbarrier` may time out.
        if self.idle.1 < MAX_IDLE && self.wake(true) {
            self.idle.1 += 1;
            return Ok(Turn::Goes);
        }
        // A divergence within one warp explains a deadlock better than a barrier does.
        for (index, warp) in self.warps.iter().enumerate() {
            if let Some((pc, trouble)) = warp.divergence() {
                return Err(self.fault(setting, index, pc, trouble));
            }
        }
        for (index, warp) in self.warps.iter().enumerate() {
            if let Some((pc, number)) = warp.waiting() {
                let block = &self.state.blocks[index / setting.warps];
                let barrier = &block.barriers[number as usize];
                let kind = FaultKind::Deadlock {
                    barrier: number,
                    arrived: barrier.arrived,
                    expected: barrier.expected,
                    others: self.others(setting, index, number),
                };
                return Err(self.fault(setting, index, pc, Trouble::of_warp(kind)));
            }
        }
        for (index, warp) in self.warps.iter().enumerate() {
            if let Some((pc, lane)) = warp.asleep() {
                let kind = FaultKind::Stuck(self.why_asleep(setting, index, pc));
                return Err(self.fault(setting, index, pc, Trouble::at(lane, kind)));
            }
        }
        self.unfinished(setting)?;
        Ok(Turn::Ended)
    }

    /// Describes the positions of the block's warps that do not wait at its barrier `number`.
    fn others(&self, setting: &Setting<'_>, warp: usize, number: u32) -> String {
        let first = warp / setting.warps * setting.warps;
        let warps = &self.warps[first..first + setting.warps];
        let elsewhere = warps.iter().enumerate().filter_map(|(index, warp)| {
            if matches!(warp.waiting(), Some((_, waited)) if waited == number) {
                return None;
            }
            Some(match warp.waits_at() {
                None => format!("; warp {index} has exited"),
                Some(pc) => {
                    let line = setting.kernel.lines[pc as usize].at;
                    format!("; warp {index} waits on line {line}")
                }
            })
        });
        elsewhere.collect()
    }

    /// Describes the condition that a sleeping warp waits for.
    fn why_asleep(&self, setting: &Setting<'_>, warp: usize, pc: u32) -> String {
        match &setting.kernel.lines[pc as usize].op {
            Op::Cluster(_) => {
                let absent = self.state.barrier.absent();
                format!("{absent} threads do not arrive at the cluster barrier")
            }
            Op::SetRegisters(set) => {
                let pool = &self.state.blocks[warp / setting.warps].registers;
                let (free, held) = (pool.free(), pool.held(warp % setting.warps));
                let count = set.count;
                format!(
                    "`setmaxnreg` requests {count} registers while the warp has {held} and {free} are free"
                )
            }
            Op::Tcgen05(Tcgen05::Alloc(alloc)) => {
                alloc.awaits(&self.state.blocks[warp / setting.warps].tensor)
            }
            _ => {
                let agent = u16::try_from(warp).expect("fewer than 2^16 warps");
                let awaited = self.state.flights.awaited(agent);
                awaited.unwrap_or_else(|| "all threads wait for each other".into())
            }
        }
    }

    /// Checks that all copies that signal `mbarrier`s were waited for, and that every tx-count is
    /// zero.
    fn unfinished(&self, setting: &Setting<'_>) -> Result<(), Fault> {
        let pipe = &self.state.pipe;
        let unfinished = self.state.flights.unfinished(|flight| pipe.has(flight));
        let Some((spot, flight, bytes)) = unfinished else {
            return Ok(());
        };
        let address = spot.offset as u64;
        let Some(flight) = flight else {
            let message = if bytes > 0 {
                format!("{bytes} expected bytes never arrived")
            } else {
                format!("{} bytes arrived that were not expected", -bytes)
            };
            let kind = FaultKind::Mbarrier { address, message };
            let mut fault = self.fault(
                setting,
                spot.block * setting.warps,
                0,
                Trouble::of_warp(kind),
            );
            fault.line = 0;
            return Err(fault);
        };
        let who = flight.who;
        let what = match flight.end {
            End::Bytes(_) | End::Copies(_) => "copy",
            End::Tensor(..) => "commit",
        };
        let message = format!("no thread waits for this {what} at the mbarrier at {address:#x}");
        let trouble = Trouble::at(usize::from(who.lane), FaultKind::NotAwaited(message));
        Err(self.fault(setting, usize::from(who.agent), who.instruction, trouble))
    }
}

//! A block: warps in turn, the shared memory and barriers between them.

use super::grid::Setting;
use super::memory::{Memory, Shared};
use super::scheduler::Scheduler;
use super::warp::{Stop, Warp};
use super::{Checks, Requests};
use crate::check::race::Shadow;
use crate::check::{Fault, FaultKind, Trouble};
use crate::counters::Counters;

/// One of the sixteen barriers.
#[derive(Clone, Default)]
pub(crate) struct Barrier {
    /// Threads that arrived.
    arrived: u32,
    /// Threads it needs, once one has arrived.
    expected: u32,
    /// What those who arrived know.
    pool: Vec<u32>,
}

/// What warps share.
pub(crate) struct Common<'a> {
    pub(crate) memory: &'a mut Memory,
    pub(crate) shared: &'a mut Shared,
    pub(crate) barriers: &'a mut [Barrier; 16],
    /// Barriers that are complete, whose waiting threads go on.
    pub(crate) complete: &'a mut Vec<u32>,
    pub(crate) requests: &'a mut Requests,
    pub(crate) counters: &'a mut Counters,
}

impl Common<'_> {
    /// `threads` threads of a warp arrive at a barrier that needs `expected`.
    pub(crate) fn arrive(
        &mut self,
        warp: usize,
        number: u64,
        threads: u32,
        expected: u32,
    ) -> Result<(), Trouble> {
        let misuse = |message: String| Err(Trouble::of_warp(FaultKind::BarrierMisuse(message)));
        let Some(barrier) = usize::try_from(number)
            .ok()
            .and_then(|n| self.barriers.get_mut(n))
        else {
            return misuse(format!("there is no barrier {number}"));
        };
        if barrier.arrived == 0 {
            barrier.expected = expected;
            barrier.pool.clear();
        } else if barrier.expected != expected {
            let before = barrier.expected;
            return misuse(format!(
                "{expected} threads are named, {before} were before"
            ));
        }
        barrier.arrived += threads;
        self.shared.shadow.arrive(warp, &mut barrier.pool);
        if barrier.arrived > barrier.expected {
            return misuse(format!("{} threads of {expected} arrived", barrier.arrived));
        }
        if barrier.arrived == barrier.expected {
            barrier.arrived = 0;
            // Below sixteen.
            self.complete.push(number as u32);
        }
        Ok(())
    }
}

/// A block that runs, used again for the next one.
pub(crate) struct Block {
    warps: Vec<Warp>,
    shared: Shared,
    barriers: [Barrier; 16],
    index: [u32; 3],
    requests: Requests,
}

impl Block {
    pub(crate) fn new(setting: &Setting<'_>) -> Self {
        let warps = setting.threads.div_ceil(32) as usize;
        Self {
            warps: (0..warps).map(|warp| Warp::new(setting, warp)).collect(),
            shared: Shared {
                bytes: Vec::new(),
                shadow: Shadow::new(0, warps, false, false),
            },
            barriers: Default::default(),
            index: [0; 3],
            requests: Requests::default(),
        }
    }

    pub(crate) fn begin(&mut self, setting: &Setting<'_>, index: [u32; 3]) {
        // Below 228 KiB.
        let bytes = setting.shared_bytes as usize;
        let all = setting.options.checks == Checks::All;
        // What a real block finds there is left over from others: here, a pattern.
        self.shared.bytes.clear();
        self.shared.bytes.resize(bytes, 0xa5);
        let checked = if all { bytes } else { 0 };
        self.shared.shadow = Shadow::new(checked, self.warps.len(), all, all);
        self.barriers = Default::default();
        self.index = index;
        for warp in &mut self.warps {
            warp.begin(setting, index);
        }
    }

    fn fault(&self, setting: &Setting<'_>, warp: usize, pc: u32, trouble: Trouble) -> Fault {
        let line = &setting.kernel.lines[pc as usize];
        Fault {
            kind: trouble.kind,
            line: line.at,
            source: line.source.clone(),
            instruction: line.text.clone(),
            block: self.index,
            warp: u32::try_from(warp).expect("at most 32 warps"),
            lane: trouble
                .lane
                .map(|lane| u32::try_from(lane).expect("below 32")),
        }
    }

    /// Until all warps have ended.
    pub(crate) fn run(
        &mut self,
        setting: &Setting<'_>,
        memory: &mut Memory,
        scheduler: &mut Scheduler,
        counters: &mut Counters,
    ) -> Result<(), Fault> {
        let mut runnable: Vec<usize> = (0..self.warps.len()).collect();
        let mut complete = Vec::new();
        while !runnable.is_empty() {
            let (index, turns) = scheduler.next(&runnable);
            let mut common = Common {
                memory,
                shared: &mut self.shared,
                barriers: &mut self.barriers,
                complete: &mut complete,
                requests: &mut self.requests,
                counters,
            };
            let stop = match self.warps[index].run(setting, &mut common, turns) {
                Ok(stop) => stop,
                Err((pc, trouble)) => return Err(self.fault(setting, index, pc, trouble)),
            };
            if counters.total_warp_instructions() > setting.options.most_instructions {
                let kind = FaultKind::InstructionLimit(setting.options.most_instructions);
                let pc = self.warps[index].place();
                return Err(self.fault(setting, index, pc, Trouble::of_warp(kind)));
            }
            if stop != Stop::Turn {
                runnable.retain(|&warp| warp != index);
            }
            for number in complete.drain(..) {
                self.release(number, &mut runnable);
            }
        }
        self.stuck(setting)
    }

    fn release(&mut self, number: u32, runnable: &mut Vec<usize>) {
        let pool = &self.barriers[number as usize].pool;
        for (index, warp) in self.warps.iter_mut().enumerate() {
            if warp.release(number) {
                self.shared.shadow.leave(index, pool);
                if let Err(at) = runnable.binary_search(&index) {
                    runnable.insert(at, index);
                }
            }
        }
    }

    /// No warp can go on: either all have ended, or it is a fault.
    fn stuck(&self, setting: &Setting<'_>) -> Result<(), Fault> {
        // Lanes of one warp that wait for each other explain more than a barrier does.
        for (index, warp) in self.warps.iter().enumerate() {
            if let Some((pc, trouble)) = warp.divergence() {
                return Err(self.fault(setting, index, pc, trouble));
            }
        }
        for (index, warp) in self.warps.iter().enumerate() {
            if let Some((pc, number)) = warp.waiting() {
                let barrier = &self.barriers[number as usize];
                let kind = FaultKind::Deadlock {
                    barrier: number,
                    arrived: barrier.arrived,
                    expected: barrier.expected,
                };
                return Err(self.fault(setting, index, pc, Trouble::of_warp(kind)));
            }
        }
        Ok(())
    }
}

//! The operations issued to the tensor cores (`tcgen05.mma`, `.cp`, `.shift`), which execute
//! asynchronously.
//!
//! An operation executes as late as possible: when a thread tests an `mbarrier` at which a later
//! `tcgen05.commit` will arrive, and nothing else is missing there. The seed can make it execute
//! immediately instead. A kernel must wait for it in either case.

use super::block::BlockState;
use super::cluster::ClusterState;
use super::cx::{Cx, SharedSpot};
use super::flights::{Change, End, Flight, Haste};
use super::tensor_memory::{Cells, Group};
use crate::check::order::Agent;
use crate::check::stamp::Who;
use crate::check::tensor::{Accesses, Kind};
use crate::check::{FaultKind, Trouble};
use crate::isa::tcgen05::{copy, misuse_at, multiply, shift};

/// The memory that an operation accesses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    /// The cells of tensor memory that it reads, in any block of the pair.
    pub(crate) reads: Vec<Cells>,
    /// The cells that it writes completely.
    pub(crate) writes: Vec<Cells>,
    /// The shared memory that it reads through the asynchronous proxy: location and number of
    /// bytes.
    pub(crate) shared: Vec<(SharedSpot, usize)>,
}

/// The deferred part of an operation.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    Multiply(Box<multiply::Work>),
    Copy(copy::Work),
    Shift(shift::Work),
}

impl Work {
    /// Executes the operation on the blocks of the cluster.
    fn perform(&self, blocks: &mut [BlockState]) -> Result<(), Trouble> {
        match self {
            Self::Multiply(work) => work.perform(blocks)?,
            Self::Copy(work) => work.perform(blocks),
            Self::Shift(work) => work.perform(blocks),
        }
        Ok(())
    }
}

/// An operation that a thread issues.
#[derive(Clone, Debug)]
pub(crate) struct Issue {
    pub(crate) group: Group,
    pub(crate) footprint: Footprint,
    pub(crate) work: Work,
}

/// An operation in flight.
struct Operation {
    /// The number of operations issued before it.
    serial: u64,
    who: Who,
    /// The number of its access.
    access: u32,
    footprint: Footprint,
    /// `None` once it was executed.
    work: Option<Work>,
}

impl Operation {
    fn is_of(&self, who: Who) -> bool {
        (self.who.agent, self.who.lane) == (who.agent, who.lane)
    }

    /// Returns `true` if this operation must execute before `later`, which was issued after it.
    fn precedes(&self, later: &Self) -> bool {
        let overlap = |one: &[Cells], two: &[Cells]| {
            one.iter()
                .any(|cells| two.iter().any(|other| cells.overlaps(other)))
        };
        let (first, second) = (&self.footprint, &later.footprint);
        self.is_of(later.who)
            || overlap(&first.writes, &second.writes)
            || overlap(&first.writes, &second.reads)
            || overlap(&first.reads, &second.writes)
    }
}

/// The operations in flight of a cluster, in the order of their issue, and the accesses to tensor
/// memory.
#[derive(Default)]
pub(crate) struct Pipe {
    operations: Vec<Operation>,
    issued: u64,
    pub(crate) accesses: Accesses,
}

impl Pipe {
    pub(crate) fn clear(&mut self) {
        self.operations.clear();
        self.accesses.clear();
    }

    /// Returns `true` if the cause of an mbarrier's signal is still in flight. For a commit, this
    /// is `false` if another commit for the same operations was waited for.
    pub(crate) fn has(&self, flight: &Flight) -> bool {
        match flight.end {
            End::Bytes(_) | End::Copies(_) => true,
            End::Tensor(serial, _) => self
                .operations
                .iter()
                .any(|operation| operation.serial < serial && operation.is_of(flight.who)),
        }
    }

    /// Drops accesses that nothing refers to.
    pub(crate) fn tidy(&mut self, blocks: &mut [BlockState]) {
        let Self {
            operations,
            accesses,
            ..
        } = self;
        accesses.tidy(|keep| {
            for operation in operations {
                keep(&mut operation.access);
            }
            for block in blocks {
                block.tensor.shadow.rename(keep);
            }
        });
    }

    /// Executes an operation after those that must precede it. An error has the instruction that
    /// caused it.
    fn perform(&mut self, index: usize, blocks: &mut [BlockState]) -> Result<(), (u32, Trouble)> {
        let mut needed = vec![index];
        for earlier in (0..index).rev() {
            let operation = &self.operations[earlier];
            let precedes = |&later: &usize| operation.precedes(&self.operations[later]);
            if operation.work.is_some() && needed.iter().any(precedes) {
                needed.push(earlier);
            }
        }
        for &index in needed.iter().rev() {
            let operation = &mut self.operations[index];
            if let Some(work) = operation.work.take() {
                let instruction = operation.who.instruction;
                work.perform(blocks)
                    .map_err(|trouble| (instruction, trouble))?;
            }
        }
        Ok(())
    }
}

impl Cx<'_, '_> {
    /// Returns the blocks whose tensor memory an instruction accesses, the executing block first.
    pub(crate) fn tensor_blocks(&self, group: Group) -> Vec<usize> {
        match group {
            Group::One => vec![self.block],
            Group::Two => vec![self.block, self.block ^ 1],
        }
    }

    /// Issues an operation for a thread.
    pub(crate) fn issue_tensor(&mut self, lane: usize, issue: Issue) -> Result<(), Trouble> {
        let Issue {
            group,
            footprint,
            work,
        } = issue;
        self.tensor_group(group)?;
        for cells in footprint.reads.iter().chain(&footprint.writes) {
            self.check_taken(lane, cells)?;
        }
        for &(spot, bytes) in &footprint.shared {
            self.check_shared_read_async(lane, spot, bytes)?;
        }
        let who = self.who(lane);
        let access = self.check_tensor(lane, Kind::Pipe, &footprint.reads, &footprint.writes)?;
        let at_once = self.setting.options.seed != 0 && self.haste() == Haste::Some;
        let ClusterState { pipe, blocks, .. } = &mut *self.cluster;
        pipe.operations.push(Operation {
            serial: pipe.issued,
            who,
            access,
            footprint,
            work: Some(work),
        });
        pipe.issued += 1;
        if at_once {
            let result = pipe.perform(pipe.operations.len() - 1, blocks);
            result.map_err(|(instruction, trouble)| self.in_operation(instruction, trouble))?;
        }
        Ok(())
    }

    /// Executes `tcgen05.commit`: the `mbarrier` at `spot`, or those at the same offset in
    /// `blocks`, are signaled when all operations of the thread have completed.
    pub(crate) fn commit_tensor(
        &mut self,
        lane: usize,
        group: Group,
        spot: SharedSpot,
        blocks: Option<u32>,
    ) -> Result<(), Trouble> {
        self.tensor_group(group)?;
        let serial = self.cluster.pipe.issued;
        let agent = self.agent;
        let told = Box::new(self.cluster.order.commit_tensor(agent));
        for block in self.named_blocks(lane, spot.block, blocks)? {
            let flight = Flight {
                who: self.who(lane),
                block: self.block,
                pieces: Vec::new(),
                change: Change::None,
                end: End::Tensor(serial, told.clone()),
            };
            self.launch(lane, SharedSpot { block, ..spot }, flight)?;
        }
        Ok(())
    }

    /// Completes all operations that a thread issued before a serial number. `end` is the agent
    /// that acquires the completion.
    pub(super) fn finish_tensor(
        &mut self,
        who: Who,
        serial: u64,
        end: (Agent, u32),
    ) -> Result<(), Trouble> {
        let checks_all = self.checks_all();
        let ClusterState { pipe, blocks, .. } = &mut *self.cluster;
        let covered = |operation: &Operation| operation.serial < serial && operation.is_of(who);
        for index in 0..pipe.operations.len() {
            if covered(&pipe.operations[index]) {
                let result = pipe.perform(index, blocks);
                if let Err((instruction, trouble)) = result {
                    return Err(self.in_operation(instruction, trouble));
                }
            }
        }
        let Pipe {
            operations,
            accesses,
            ..
        } = pipe;
        operations.retain(|operation| {
            if !covered(operation) {
                return true;
            }
            if checks_all {
                accesses.end(operation.access, end);
                for &(spot, bytes) in &operation.footprint.shared {
                    blocks[spot.block].shadow.let_go(spot.range(bytes));
                }
            }
            false
        });
        Ok(())
    }

    /// Attributes an error in an operation to its own line, though it is detected at the wait.
    fn in_operation(&self, instruction: u32, trouble: Trouble) -> Trouble {
        let line = self.kernel.lines[instruction as usize].at;
        let kind = match *trouble.kind {
            FaultKind::TensorMemory(message) => {
                FaultKind::TensorMemory(format!("{message}, in the operation of line {line}"))
            }
            other => other,
        };
        Trouble::of_warp(kind)
    }

    /// Returns the blocks of a multicast mask, or the block of an address.
    fn named_blocks(
        &self,
        lane: usize,
        block: usize,
        mask: Option<u32>,
    ) -> Result<Vec<usize>, Trouble> {
        let Some(mask) = mask else {
            return Ok(vec![block]);
        };
        let count = self.cluster.blocks.len();
        if mask == 0 || mask >> count.min(31) != 0 {
            let message =
                format!("the mask {mask:#x} contains blocks that the cluster does not have");
            return Err(misuse_at(lane, message));
        }
        Ok((0..count).filter(|rank| mask >> rank & 1 == 1).collect())
    }
}

//! What threads issue to the tensor cores (`tcgen05.mma`, `.cp`, `.shift`): it goes on by itself.
//!
//! An operation is carried out as late as can be: when a thread tests an `mbarrier` that a
//! `tcgen05.commit` behind it will arrive at, and nothing else is missing there. Until then what it
//! touches may be used only by operations that follow it in the pipe (PTX ISA, "Pipelined tcgen05
//! Instructions"): those of the same thread, and those of threads that heard of it between a
//! `tcgen05.fence::before_thread_sync` and a `tcgen05.fence::after_thread_sync`.

use super::block::BlockState;
use super::cx::{Cx, SharedSpot};
use super::flights::{Change, End, Flight};
use super::tensor_memory::{Cells, Group};
use crate::check::Trouble;
use crate::check::stamp::Who;
use crate::isa::tcgen05::{copy, misuse_at, multiply, shift};

/// What an operation touches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footprint {
    /// Cells of tensor memory that it reads, of any block of the pair.
    pub(crate) reads: Vec<Cells>,
    /// Those that it writes, all of them.
    pub(crate) writes: Vec<Cells>,
    /// Shared memory that it reads, and how many bytes; it does so through the asynchronous proxy.
    pub(crate) shared: Vec<(SharedSpot, usize)>,
}

/// What is left to do of an operation.
#[derive(Clone, Debug)]
pub(crate) enum Work {
    Multiply(Box<multiply::Work>),
    Copy(copy::Work),
    Shift(shift::Work),
}

impl Work {
    /// The blocks are those of the cluster.
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

/// An operation under way.
struct Operation {
    who: Who,
    footprint: Footprint,
    /// None, once it was carried out.
    work: Option<Work>,
}

/// The operations under way of a cluster, in the order of their issue.
#[derive(Default)]
pub(crate) struct Pipe {
    operations: Vec<Operation>,
}

impl Pipe {
    pub(crate) fn clear(&mut self) {
        self.operations.clear();
    }
}

impl Cx<'_, '_> {
    /// The blocks whose tensor memory an instruction touches: first that of the thread.
    pub(crate) fn tensor_blocks(&self, group: Group) -> Vec<usize> {
        match group {
            Group::One => vec![self.block],
            Group::Two => vec![self.block, self.block ^ 1],
        }
    }

    /// A thread issues an operation.
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
        self.cluster.pipe.operations.push(Operation {
            who,
            footprint,
            work: Some(work),
        });
        Ok(())
    }

    /// `tcgen05.commit`: the `mbarrier` at `spot`, or those at its place in `blocks`, are told when
    /// all is done that the thread issued.
    pub(crate) fn commit_tensor(
        &mut self,
        lane: usize,
        group: Group,
        spot: SharedSpot,
        blocks: Option<u32>,
    ) -> Result<(), Trouble> {
        self.tensor_group(group)?;
        for block in self.named_blocks(lane, spot.block, blocks)? {
            let flight = Flight {
                who: self.who(lane),
                block: self.block,
                pieces: Vec::new(),
                change: Change::None,
                end: End::Tensor(0),
            };
            self.launch(lane, SharedSpot { block, ..spot }, flight)?;
        }
        Ok(())
    }

    /// The blocks of a mask, or the one of an address.
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
            let message = format!("the mask {mask:#x} names blocks that the cluster lacks");
            return Err(misuse_at(lane, message));
        }
        Ok((0..count).filter(|rank| mask >> rank & 1 == 1).collect())
    }
}

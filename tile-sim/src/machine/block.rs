//! A block: its shared memory and its barriers.

use super::tensor_memory::TensorMemory;
use crate::check::order::Knowledge;
use crate::check::shared::SharedShadow;
use crate::check::{FaultKind, Trouble};
use crate::isa::registers_pool::Pool;

/// One of the sixteen barriers of a block.
#[derive(Clone, Default)]
pub(crate) struct Barrier {
    /// The number of threads that arrived.
    pub(crate) arrived: u32,
    /// The number of threads that the barrier expects, once one has arrived.
    pub(crate) expected: u32,
    /// The knowledge that arriving threads released.
    pub(crate) pool: Knowledge,
    /// `barrier.red`: the number of votes, and the number of true ones.
    pub(crate) votes: (u32, u32),
}

/// The state that the warps of a block share.
#[derive(Default)]
pub(crate) struct BlockState {
    pub(crate) index: [u32; 3],
    pub(crate) shared: Vec<u8>,
    pub(crate) shadow: SharedShadow,
    pub(crate) barriers: [Barrier; 16],
    /// The number of warps that have not exited.
    pub(crate) live: usize,
    pub(crate) registers: Pool,
    /// Is `true` if the block waited for a denied cancellation request.
    pub(crate) denied: bool,
    pub(crate) tensor: TensorMemory,
}

impl BlockState {
    pub(crate) fn begin(
        &mut self,
        index: [u32; 3],
        bytes: usize,
        first: usize,
        warps: usize,
        checked: bool,
        registers: u32,
    ) {
        self.index = index;
        // On a device, the memory holds leftovers of other blocks; here it holds a pattern.
        self.shared.clear();
        self.shared.resize(bytes, 0xa5);
        let checked = if checked { bytes } else { 0 };
        self.shadow.begin(checked, first, warps);
        for barrier in &mut self.barriers {
            barrier.arrived = 0;
            barrier.pool.clear();
        }
        self.live = warps;
        self.denied = false;
        self.tensor.begin();
        self.registers = Pool::new(warps, registers);
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.live == 0
    }

    /// Records the arrival of `threads` threads of a warp at a barrier that expects `expected`
    /// threads. Returns `true` if the barrier is complete.
    pub(crate) fn arrive(
        &mut self,
        number: u64,
        threads: u32,
        expected: u32,
    ) -> Result<(usize, bool), Trouble> {
        let misuse = |message: String| Err(Trouble::of_warp(FaultKind::BarrierMisuse(message)));
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        let Some(barrier) = self.barriers.get_mut(index) else {
            return misuse(format!("there is no barrier {number}"));
        };
        if barrier.arrived == 0 {
            barrier.expected = expected;
            barrier.votes = (0, 0);
            barrier.pool.clear();
        } else if barrier.expected != expected {
            let before = barrier.expected;
            return misuse(format!(
                "barrier {number} is for {expected} threads here, but {before} where others arrived"
            ));
        }
        barrier.arrived += threads;
        if barrier.arrived > barrier.expected {
            return misuse(format!(
                "barrier {number} is for {expected} threads, and {} arrived",
                barrier.arrived
            ));
        }
        let complete = barrier.arrived == barrier.expected;
        if complete {
            barrier.arrived = 0;
        }
        Ok((index, complete))
    }
}

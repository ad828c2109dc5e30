//! Chooses the stages of memory-bound loops, which have no MMA: sums of rows, copies, norms over chunks of a
//! row.
//!
//! Input: a plan with tiles that each thread needs in registers. Output: the number of stages of the circular
//! buffers for these tiles, if circular buffers pay.
//!
//! Memory is busy while enough bytes are in flight for each multiprocessor. By Little's law the number of
//! these bytes is latency times bandwidth: 29 KB on an H200 (4.8 TB/s, 800 ns, 132 multiprocessors). Measured
//! throughput no longer rises above 32 to 64 KB. A loop that loads and then waits has one iteration in
//! flight, and none while it computes. With a circular buffer, `stages - 1` iterations are always in flight:
//!
//! ```text
//!   bytes in flight = blocks of a multiprocessor * (stages - 1) * bytes of an iteration
//! ```
//!
//! Register counts are not known yet. A circular buffer is the shortest one that reaches the goal with a
//! quarter of the blocks that the number of threads allows. There is none if not even half of those blocks
//! would fit a multiprocessor: plain loads of such a loop keep enough bytes in flight.

use super::model::RESERVED_BYTES;
use crate::gpu::Kernel;
use crate::passes::pipeline::{Candidate, Plan, Read};
use crate::target::Arch;

/// Number of bytes that should be in flight for each multiprocessor.
const GOAL_BYTES: u64 = 64 << 10;

/// Returns `true` if the plan is that of a memory-bound loop.
pub(super) fn is_memory_bound(plan: &Plan) -> bool {
    let mut candidates = plan.candidates.iter();
    !plan.has_mma && candidates.any(|it| matches!(it.read, Some(Read::New(_))))
}

/// Returns the number of stages, from 2 to `most`; `None` if circular buffers do not pay.
pub(super) fn stages(kernel: &Kernel, plan: &Plan, arch: Arch, most: u32) -> Option<u32> {
    if most < 2 {
        return None;
    }
    let bytes_of = |candidate: &Candidate| match &candidate.read {
        Some(Read::New(new)) => new.1.shape().num_elements() * new.0.element().bytes() as u64,
        _ => 0,
    };
    let iteration: u64 = plan.candidates.iter().map(bytes_of).sum();
    let part = |part: u32| {
        let threads = arch.threads_per_multiprocessor() / part;
        u64::from((threads / kernel.threads()).max(1))
    };
    let prefetched = GOAL_BYTES.div_ceil(part(4) * iteration.max(1));
    let goal = (prefetched + 1).clamp(2, u64::from(most));
    let room = u64::from(arch.shared_bytes_per_multiprocessor()) / part(2);
    let room = room.saturating_sub(u64::from(RESERVED_BYTES));
    let fit = room / iteration.max(1);
    let stages = u32::try_from(goal.min(fit)).unwrap_or(most);
    (stages >= 2).then_some(stages)
}

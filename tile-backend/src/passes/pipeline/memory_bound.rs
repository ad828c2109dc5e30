//! How far ahead loops copy that compute no products: sums of rows, copies, norms over pieces of a row.
//!
//! In: a plan with tiles that each thread needs in registers. Out: how many slots their rings have, if
//! rings are worth it.
//!
//! Memory is busy while enough bytes are on their way to a multiprocessor: by Little's law latency times
//! bandwidth, which are 29 KB on an H200 (4.8 TB/s, 800 ns, 132 multiprocessors); measured curves are flat from 32 to 64 KB on.
//! A loop that loads and then waits has one iteration on its way, and none while it computes. With
//! a ring there are always `stages - 1`:
//!
//! ```text
//!   bytes on their way = blocks of a multiprocessor * (slots - 1) * bytes of an iteration
//! ```
//!
//! Registers are not known yet. A ring is as short as reaches the goal with a quarter of the blocks that threads
//! allow, and is not there if half of them did not fit beside each other: such a loop has enough on its way
//! by loads alone.

use super::candidates::{Candidate, Plan, Read};
use super::smem_budget::RESERVED_BYTES;
use crate::gpu::Kernel;
use crate::target::Arch;

/// Bytes that shall be on their way to a multiprocessor.
const GOAL_BYTES: u64 = 64 << 10;

/// The least that an instruction copies: of shorter ones there would be too many.
const MIN_VECTOR_BYTES: u64 = 8;

/// Whether a tile that threads need in registers may come through a ring in a loop without products: in
/// vectors, or by one instruction for each thread.
pub(super) fn is_profitable(kernel: &Kernel, candidate: &Candidate) -> bool {
    let Some(Read::New(new)) = &candidate.read else {
        return true;
    };
    let (from, _) = &**new;
    let layout = kernel.ty(kernel.op(candidate.load).results[0]).layout();
    layout.is_some_and(|layout| {
        let plan = from.vectors(kernel.layout(layout));
        let bytes = plan.width_elements * from.element().bytes() as u64;
        bytes >= MIN_VECTOR_BYTES || plan.groups.len() == 1
    })
}

/// Whether the plan is of a loop as above.
pub(super) fn is_memory_bound(plan: &Plan) -> bool {
    let mut candidates = plan.candidates.iter();
    !plan.has_mma && candidates.any(|it| matches!(it.read, Some(Read::New(_))))
}

/// The slots of its rings, from 2 to `most`; `None` if rings are not worth it.
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

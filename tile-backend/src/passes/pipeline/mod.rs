//! Software-pipelines global-to-shared loads with `cp.async` or TMA.
//!
//! Input: loops that load a tile from global memory, store it to a buffer, and read it from there in other
//! threads than those that loaded it. Output: the buffer is circular, with several stages, and copies that
//! need no registers (`cp.async`) fill it some iterations ahead:
//!
//! ```text
//!   copy 0 into stage 0, commit;  …;  copy S-2 into stage S-2, commit
//!   for i {
//!     wait until S-2 groups are left      the thread's own part of stage i % S has arrived
//!     barrier                             everybody's has, and stage (i - 1) % S has been read
//!     copy i+S-1 into stage (i-1) % S, commit
//!     read stage i % S …
//!   }
//! ```
//!
//! If an MMA stays in flight across the back edge ([`in_flight_mma`]), it still reads stage (i - 1) % S at
//! the barrier, so copies run one stage less ahead.
//!
//! Every iteration commits a group, empty or not, so the count of a wait is constant. No copy is in flight
//! after the loop, which has waited for all of them.
//!
//! Where the host passes [tensor maps](crate::gpu::TensorMap), one thread issues TMA loads for tiles whose
//! tensors the host knows, and an mbarrier per stage counts their bytes. The parity of its phase flips with
//! each round of stages:
//!
//! ```text
//!   initialize mbarriers; for S-1 stages: expect bytes, copy
//!   for i {
//!     barrier                             stage (i - 1) % S has been read
//!     stage (i-1) % S: expect bytes, copy i+S-1
//!     wait for stage i % S, parity i / S % 2
//!     read stage i % S …
//!   }
//! ```
//!
//! Without maps, and where a tile has more boxes than rows, one warp issues bulk copies of long rows
//! ([`bulk`]). The same mbarriers count their bytes.
//!
//! All kinds of copies may occur in one loop, which then has both waits. Where TMA loads all tiles of a loop
//! with warpgroup MMAs, a producer warp issues the loads ([`warp_specialize`]).
//!
//! Operands that are transposed in shared memory, from a stage to a second buffer, have several copies of the
//! second buffer ([`transpose_shared`]).
//!
//! A load qualifies if it reads memory that the kernel does not write, or if the loop does not write at all.
//! Its tile must go to buffers, in vectors of at least 4 bytes in both memories, and its padding must be zero
//! or unspecified. Its place must be computed from the induction variable, from loop-invariant values, and
//! from values that the loop carries for that purpose alone. The step of the loop must be a constant.
//!
//! Tiles that are needed in registers qualify too, such as scales that are converted before an MMA: they get
//! a circular buffer of their own, from which each thread reads the elements that it would have loaded.
//! Without an MMA this buffer must keep more bytes in flight than plain loads would ([`crate::schedule`]). Where
//! each thread reads only what it copied itself, there is no barrier.

mod apply;
mod backward_slice;
mod bulk;
mod candidates;
mod in_flight_mma;
mod loop_carried_state;
mod multicast;
mod producer;
mod rotate;
mod tma;
mod transpose_shared;
mod warp_specialize;

pub(crate) use candidates::{Candidate, Plan, Read, constant_trips, plan_loop};
pub(crate) use in_flight_mma::InFlightMma;
pub(crate) use loop_carried_state::contains;
pub(crate) use multicast::{is_multicast_profitable, multicast_loads};
pub(crate) use rotate::MIN_STAGES as MIN_ROTATED_STAGES;
pub(crate) use warp_specialize::{may_specialize, specialize_loops, specialize_warps};

use crate::gpu::{BlockId, Kernel, OpId, OpKind};
use crate::schedule::{LoopSchedule, Refusal, Schedule};

/// Pipelines the loops of a schedule whose own warps prefetch tiles.
pub(crate) fn pipeline(kernel: &mut Kernel, schedule: &Schedule) -> Result<(), Refusal> {
    for of_loop in &schedule.pipelined {
        let plan = candidates::plan(kernel, of_loop);
        pipeline_loop(kernel, &plan, of_loop)?;
    }
    Ok(())
}

/// Pipelines a loop with its plan.
pub(crate) fn pipeline_loop(
    kernel: &mut Kernel,
    plan: &Plan,
    of_loop: &LoopSchedule,
) -> Result<(), Refusal> {
    let LoopSchedule {
        id, stages, copies, ..
    } = *of_loop;
    let (block, _) = loops(kernel)
        .into_iter()
        .find(|&(_, other)| other == id)
        .ok_or(Refusal::Because("the loop is gone"))?;
    let in_flight = (of_loop.in_flight_mmas > 0)
        .then(|| InFlightMma::find(kernel, id))
        .flatten();
    let depth = apply::Depth {
        stages,
        lag: of_loop.in_flight_mmas,
    };
    apply::apply(kernel, block, id, plan, depth, copies);
    if let Some(in_flight) = in_flight {
        if !in_flight.keeps_operands(kernel, id) {
            return Err(Refusal::OverwritesOperands(id));
        }
        in_flight.leave(kernel, block, id);
    }
    Ok(())
}

/// Returns every loop with its block, inner loops first.
pub(crate) fn loops(kernel: &Kernel) -> Vec<(BlockId, OpId)> {
    fn visit(kernel: &Kernel, block: BlockId, loop_ids: &mut Vec<(BlockId, OpId)>) {
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            for &inner in &op.blocks {
                visit(kernel, inner, loop_ids);
            }
            if matches!(op.kind, OpKind::For { .. }) {
                loop_ids.push((block, id));
            }
        }
    }
    let mut loop_ids = Vec::new();
    visit(kernel, kernel.body(), &mut loop_ids);
    loop_ids
}

//! Warp specialization: a producer warp issues the TMA loads of loops, and the other warps consume them.
//!
//! Input: loops with warpgroup MMAs, all of whose tiles are loaded by TMA. Output: a producer runs ahead and
//! fills their circular buffers ([`super::producer`]). The loops wait for stages, read them and release them,
//! and the consumer warps no longer wait for each other:
//!
//! ```text
//!   init_mbarriers; warp_specialize { … }
//!   for … {
//!     consumer_wait stage, parity
//!     … MMAs                          that of the iteration before has completed
//!     consumer_release before         or this stage, if no MMA stays in flight
//!   }
//!   wait_wgmma; consumer_release the last stage
//! ```
//!
//! Specialization applies to the kernel as a whole. A loop is not specialized if its trip counts or addresses
//! depend on tile data or memory.

use super::apply::{Cursor, read_stages, with_buffers};
use super::candidates::{self, Plan};
use super::in_flight_mma::{InFlightMma, guard};
use super::loop_carried_state::{STATE_VALUES, thread_through_loops};
use super::loops;
use super::producer::{LoopPipeline, program};
use super::rotate::Rotation;
use super::tma::{Fills, add_barriers};
use super::transpose_shared::multibuffer_transposes;
use crate::gpu::{Arrivals, BlockId, Kernel, OpId, OpKind, PipelineBarriers, Reach, Ty, ValueId};
use crate::schedule::{CopyMethods, Refusal, Schedule};
use tile_core::Scalar;

/// Number of warps of a warpgroup, the unit in which `setmaxnreg` moves registers.
const WARPS_PER_WARPGROUP: u32 = 4;

/// Specializes the warps of a kernel.
pub(crate) fn specialize_warps(kernel: &mut Kernel, schedule: &Schedule) -> Result<(), Refusal> {
    kernel.launch.blocks_per_multiprocessor = schedule.blocks_per_multiprocessor;
    let plans: Vec<Plan> = { schedule.specialized.iter() }
        .map(|of_loop| candidates::plan(kernel, of_loop))
        .collect();
    specialize_loops(kernel, &plans.iter().collect::<Vec<_>>(), schedule)
}

/// Specializes the loops of a schedule, with the plan of each.
pub(crate) fn specialize_loops(
    kernel: &mut Kernel,
    plans: &[&Plan],
    schedule: &Schedule,
) -> Result<(), Refusal> {
    let loops: Vec<SpecializedLoop<'_>> = { schedule.specialized.iter() }
        .zip(plans)
        .map(|(of_loop, plan)| SpecializedLoop {
            id: of_loop.id,
            plan,
            stages: of_loop.stages,
            in_flight: (of_loop.in_flight_mmas > 0)
                .then(|| InFlightMma::find(kernel, of_loop.id))
                .flatten(),
        })
        .collect();
    apply(kernel, &loops)?;
    for of_loop in &loops {
        if let Some(in_flight) = of_loop.in_flight
            && !in_flight.keeps_operands(kernel, of_loop.id)
        {
            return Err(Refusal::OverwritesOperands(of_loop.id));
        }
    }
    guard_in_flight(kernel, &loops);
    if schedule.rotates {
        rotate(kernel, &loops, schedule.ping_pong);
    }
    Ok(())
}

/// Returns `true` if a producer can load the tiles of all these loops.
pub(crate) fn may_specialize(kernel: &Kernel, loops: &[(OpId, &Plan)]) -> bool {
    let loops: Vec<SpecializedLoop<'_>> = { loops.iter() }
        .map(|&(id, plan)| SpecializedLoop {
            id,
            plan,
            stages: 2,
            in_flight: None,
        })
        .collect();
    apply(&mut kernel.clone(), &loops).is_ok()
}

/// A loop that gets a producer.
struct SpecializedLoop<'p> {
    id: OpId,
    plan: &'p Plan,
    stages: u32,
    /// The MMA that stays in flight across the back edge.
    in_flight: Option<InFlightMma>,
}

impl SpecializedLoop<'_> {
    /// Adds the circular buffers and mbarriers of the loop.
    fn pipeline(&self, kernel: &mut Kernel) -> Result<LoopPipeline, Refusal> {
        if self.plan.candidates.is_empty() {
            return Err(Refusal::Because(
                "a loop has no loads that can be prefetched",
            ));
        }
        let trips = candidates::constant_trips(kernel, self.id);
        let trips = trips.and_then(|trips| u32::try_from(trips).ok());
        // More stages than iterations would never be filled.
        let stages = trips.map_or(self.stages, |trips| trips.min(self.stages).max(2));
        let plan = with_buffers(kernel, self.plan);
        let body = kernel.op(self.id).blocks[0];
        let fills = Fills::choose(kernel, body, &plan, stages, CopyMethods::TMA);
        // The consumer threads would have to issue any `cp.async`, so there must be none.
        let counted = fills.barriers.filter(|_| !fills.has_threads());
        let refusal = Refusal::Because("TMA cannot load a tile of the loop");
        let (full, _) = counted.ok_or(refusal)?;
        // One more mbarrier, at which an arrival releases no stage.
        let empty = add_barriers(kernel, stages + 1);
        for barriers in [full, empty] {
            kernel.buffer_mut(barriers).is_dedicated = true;
        }
        Ok(LoopPipeline {
            id: self.id,
            plan,
            fills,
            pipeline_barriers: PipelineBarriers {
                full,
                empty,
                reach: Reach::Block,
            },
            stages,
        })
    }
}

/// Moves loops with MMAs in flight into branches, together with the waits for these MMAs.
fn guard_in_flight(kernel: &mut Kernel, specialized: &[SpecializedLoop<'_>]) {
    for (block, id) in loops(kernel) {
        let mut specialized = specialized.iter();
        if specialized.any(|it| it.id == id && it.in_flight.is_some()) {
            let ops = &kernel.block(block).ops;
            let index = ops.iter().position(|&op| op == id);
            let behind = |id: &OpId| {
                let kind = &kernel.op(*id).kind;
                kind.max_in_flight_mmas().is_some() || matches!(kind, OpKind::ConsumerRelease(_))
            };
            let start = index.expect("the loop is in its block") + 1;
            let count = ops[start..].iter().take_while(|id| behind(id)).count();
            guard(kernel, block, id, start + count);
        }
    }
}

/// Rotates the loops that match.
fn rotate(kernel: &mut Kernel, specialized: &[SpecializedLoop<'_>], ping_pong: bool) {
    for (block, id) in loops(kernel) {
        let is_specialized = specialized.iter().any(|it| it.id == id);
        if let Some(rotation) = Rotation::find(kernel, id).filter(|_| is_specialized) {
            rotation.apply(kernel, block, id, ping_pong);
        }
    }
}

/// Rewrites a kernel, which is left in an unspecified state if that is not possible.
fn apply(kernel: &mut Kernel, specialized: &[SpecializedLoop<'_>]) -> Result<(), Refusal> {
    let mut pipelines = Vec::new();
    for specialized in specialized {
        pipelines.push(specialized.pipeline(kernel)?);
    }
    let program = program(kernel, &pipelines).ok_or(Refusal::Because(
        "trip counts or addresses depend on tile data or memory",
    ))?;

    let mut states = insert_producer(kernel, &pipelines, program);
    // The states are threaded only through the body after the producer, whose program has states of its own.
    let loops: Vec<OpId> = pipelines.iter().map(|pipeline| pipeline.id).collect();
    let mut change = |kernel: &mut Kernel, block, number: usize, state| {
        let pipeline: &LoopPipeline = &pipelines[number];
        let in_flight = specialized[number].in_flight;
        rewrite_consumer(kernel, block, pipeline, state, in_flight)
    };
    thread_through_loops(kernel, kernel.body(), &loops, &mut states, &mut change);
    Ok(())
}

/// Inserts the mbarriers and the producer, which runs `program`, at the top of the kernel. Returns the state
/// of each circular buffer at the start.
fn insert_producer(
    kernel: &mut Kernel,
    pipelines: &[LoopPipeline],
    program: BlockId,
) -> Vec<[ValueId; STATE_VALUES]> {
    let (body, loc) = (kernel.body(), kernel.loc);
    let mut top = Cursor {
        kernel,
        block: body,
        index: 0,
        loc,
    };
    for pipeline in pipelines {
        let PipelineBarriers {
            full: filled,
            empty: free,
            ..
        } = pipeline.pipeline_barriers;
        top.push(OpKind::InitMbarriers(filled, Arrivals::One), &[], &[]);
        top.push(OpKind::InitMbarriers(free, Arrivals::PerWarp), &[], &[]);
    }
    let produce = top.push(OpKind::WarpSpecialize, &[], &[]);
    let mut states: Vec<[ValueId; STATE_VALUES]> = Vec::new();
    for _ in pipelines {
        let zero = top.constant(Scalar::I32, 0);
        states.push([zero; STATE_VALUES]);
    }
    kernel.op_mut(produce).blocks.push(program);
    // With one consumer warpgroup the registers suffice without `setmaxnreg`, which needs a whole warpgroup.
    kernel.launch.producer_warps = if kernel.launch.num_warps > WARPS_PER_WARPGROUP {
        WARPS_PER_WARPGROUP
    } else {
        1
    };
    states
}

/// Rewrites a loop of `block`, which starts with the given state of its circular buffer. Returns the state
/// after it.
fn rewrite_consumer(
    kernel: &mut Kernel,
    block: BlockId,
    pipeline: &LoopPipeline,
    [stage, parity]: [ValueId; STATE_VALUES],
    in_flight: Option<InFlightMma>,
) -> [ValueId; STATE_VALUES] {
    let LoopPipeline {
        id,
        plan,
        fills: _,
        pipeline_barriers,
        stages,
    } = pipeline;
    let (id, stages, loc) = (*id, *stages, kernel.op(pipeline.id).loc);
    let body = kernel.op(id).blocks[0];
    let jump = *kernel
        .block(body)
        .ops
        .last()
        .expect("a body ends with a jump");
    multibuffer_transposes(kernel, block, id, if in_flight.is_some() { 3 } else { 2 });
    let first = kernel.op(id).results.len();
    let stage = kernel.carry(id, stage);
    let parity = kernel.carry(id, parity);
    // The stage that the MMA in flight still reads. In the first iteration it is the extra mbarrier, at which
    // an arrival releases no stage.
    let before = in_flight.map(|_| {
        let none = none(kernel, block, id, stages);
        kernel.carry(id, none)
    });
    let mut head = Cursor {
        kernel,
        block: body,
        index: 0,
        loc,
    };
    head.push(
        OpKind::ConsumerWait(pipeline_barriers.full),
        &[stage, parity],
        &[],
    );
    let (is_last, following) = head.following(stage, stages);
    let following_parity = head.following_parity(is_last, parity);
    read_stages(kernel, body, plan, stage, stages);
    let index = kernel.block(body).ops.len() - 1;
    let mut tail = Cursor {
        kernel,
        block: body,
        index,
        loc,
    };
    tail.push(
        OpKind::ConsumerRelease(*pipeline_barriers),
        &[before.unwrap_or(stage)],
        &[],
    );
    let given = [following, following_parity].into_iter();
    let given = given.chain(before.map(|_| stage));
    kernel.op_mut(jump).args.extend(given);
    if let Some(in_flight) = in_flight {
        in_flight.leave(kernel, block, id);
        let last = kernel.op(id).results[first + STATE_VALUES];
        let ops = &kernel.block(block).ops;
        let position = ops.iter().position(|&op| op == id);
        // The last stage is released after the wait for the MMA, which follows the loop.
        let index = position.expect("the loop is in its block") + 2;
        let mut behind = Cursor {
            kernel,
            block,
            index,
            loc,
        };
        behind.push(OpKind::ConsumerRelease(*pipeline_barriers), &[last], &[]);
    }
    let results = &kernel.op(id).results[first..];
    [results[0], results[1]]
}

/// Adds, before the loop, the index of the extra mbarrier, which belongs to no stage.
fn none(kernel: &mut Kernel, block: BlockId, id: OpId, stages: u32) -> ValueId {
    let kind = OpKind::Constant(stages.into());
    let loc = kernel.op(id).loc;
    let constant = kernel.add_op(kind, &[], &[Ty::Uniform(Scalar::I32)], &[], loc);
    let ops = &mut kernel.block_mut(block).ops;
    let index = ops.iter().position(|&op| op == id);
    ops.insert(index.expect("the loop is in its block"), constant);
    kernel.op(constant).results[0]
}

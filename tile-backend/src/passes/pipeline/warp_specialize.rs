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
use super::loop_carried_state::{STATE_VALUES, contains, thread_through_loops};
use super::producer::{LoopPipeline, program};
use super::rotate::{self, Rotation};
use super::tma::{Fills, add_barriers};
use super::transpose_shared::multibuffer_transposes;
use super::{How, MAX_IN_FLIGHT_MMAS, loops, smem_budget};
use crate::gpu::{
    Arrivals, BlockId, Kernel, OpId, OpKind, PipelineBarriers, Reach, Ty, ValueId, each,
};
use crate::options::DisabledPasses;
use crate::passes::allocate_shared;
use crate::passes::epilogue_subtiles::with_epilogue_subtiles;
use crate::target::Feature;
use std::ops::RangeInclusive;
use tile_core::Scalar;

/// Maximum number of stages, unless an option asks for more.
const MAX_STAGES: u32 = 6;

/// Maximum number of combined states of all circular buffers: the verifier runs the loops once for each.
const MAX_STATES: u32 = 64;

/// Number of warps of a warpgroup, the unit in which `setmaxnreg` moves registers.
const WARPS_PER_WARPGROUP: u32 = 4;

/// Number of blocks that a multiprocessor should run simultaneously if a block has one consumer warpgroup.
const SMALL_BLOCKS: u32 = 2;

/// Minimum number of stages in a persistent kernel, where the buffer of the stored tile also takes shared
/// memory.
const MIN_PERSISTENT_STAGES: u32 = 3;

/// Number of stages from which on tiles are stored as a whole: further stages are not worth the barriers
/// around subtiles.
const PREFERRED_STAGES: u32 = 4;

/// Maximum number of accumulator registers per thread with which two blocks, each of one warpgroup and a
/// producer warp, fit a multiprocessor: those of a 64x128 accumulator. Of the ten warps, some partition of
/// the multiprocessor has three, which leaves 168 registers per thread.
const SMALL_ACCUMULATOR: usize = 64;

/// Returns the warp-specialized kernel, if any loop qualifies.
pub(super) fn warp_specialized(kernel: &Kernel, target: How) -> Option<Kernel> {
    let fits = target.arch.has(Feature::Wgmma)
        && !kernel.requests.options.disabled.contains(DisabledPasses::WARP_SPECIALIZATION)
        && matches!(kernel.launch.num_warps, 4 | 8)
        && kernel.arenas.is_empty()
        && kernel.launch.producer_warps == 0
        && (kernel.launch.num_warps > WARPS_PER_WARPGROUP || largest_accumulator(kernel) <= SMALL_ACCUMULATOR)
        // Two small blocks overlap stores and computation anyway.
        && (kernel.launch.num_warps > WARPS_PER_WARPGROUP || !kernel.launch.is_persistent);
    if !fits {
        return None;
    }
    let mut chosen: Vec<(OpId, Plan)> = Vec::new();
    for (_, id) in loops(kernel) {
        let others: Vec<OpId> = chosen.iter().map(|(id, _)| *id).collect();
        let is_fit = !contains(kernel, id, &others)
            && has(kernel, id, &|kind| matches!(kind, OpKind::Wgmma(_)))
            && !has(kernel, id, &|kind| matches!(kind, OpKind::Return));
        if !is_fit {
            continue;
        }
        let plan = candidates::plan_loop(kernel, id);
        // Tiles that are needed in registers may prevent specialization, so the loop is also tried without
        // them.
        let plans = [plan.clone(), plan.without_own_buffers()];
        let works = |plan: &Plan| {
            let mut with_candidate = chosen.clone();
            with_candidate.push((id, plan.clone()));
            apply(&mut kernel.clone(), &with_candidate, 2, &[]).is_some()
        };
        if let Some(plan) = plans.into_iter().find(works) {
            chosen.push((id, plan));
        }
    }
    if chosen.is_empty() {
        return None;
    }
    // In kernels with more MMAs per loop, such as attention, work tiles differ in length. The hardware
    // scheduler balances them better than a persistent kernel.
    if kernel.launch.is_persistent && products(kernel) != chosen.len() {
        return None;
    }
    let loads = chosen.iter().flat_map(|(_, plan)| &plan.candidates);
    let asked = smem_budget::asked(kernel, loads.map(|candidate| candidate.load));
    if asked.is_some_and(|stages| stages < 2) {
        // Prefetching is turned off.
        return None;
    }
    // A warpgroup leaves half of a multiprocessor idle; two blocks hide each other's latency.
    let is_small = kernel.launch.num_warps == WARPS_PER_WARPGROUP
        && kernel.launch.blocks_per_multiprocessor == 1;
    let blocks = is_small.then_some(SMALL_BLOCKS).into_iter();
    for blocks in blocks.chain([kernel.launch.blocks_per_multiprocessor]) {
        let mut kernel = kernel.clone();
        kernel.launch.blocks_per_multiprocessor = blocks;
        let most = asked
            .unwrap_or(MAX_STAGES)
            .min(max_verified_stages(chosen.len()));
        // A second block is worth more than the last stages, but not more than the first two or three, nor
        // than requested stages.
        let least = if kernel.launch.is_persistent {
            asked.map_or(MIN_PERSISTENT_STAGES, |_| most).min(most)
        } else if blocks == SMALL_BLOCKS && is_small {
            asked.map_or(most.clamp(2, 3), |_| most)
        } else {
            2
        };
        let limit = smem_budget::bytes(&kernel, target.arch);
        let mut best = fitting(&kernel, &chosen, least..=most, limit);
        let num_slots = best.as_ref().map_or(0, |(stages, _)| *stages);
        let may_cut = kernel.launch.is_persistent
            && !kernel
                .requests
                .options
                .disabled
                .contains(DisabledPasses::EPILOGUE_SUBTILING);
        if may_cut && num_slots < most.min(PREFERRED_STAGES) {
            for subtiling in with_epilogue_subtiles(&kernel) {
                let more = best.as_ref().map_or(least, |(stages, _)| stages + 1);
                best = fitting(&subtiling, &chosen, more..=most, limit).or(best);
            }
        }
        if let Some((_, best_kernel)) = best {
            return Some(best_kernel);
        }
    }
    None
}

/// Returns the kernel with the most stages in each circular buffer that fit `limit` bytes, and that number.
fn fitting(
    kernel: &Kernel,
    chosen: &[(OpId, Plan)],
    stages: RangeInclusive<u32>,
    limit: u32,
) -> Option<(u32, Kernel)> {
    stages.rev().find_map(|stages| {
        let mut result = deepest(kernel, chosen, stages)?;
        allocate_shared(&mut result);
        (result.shared.bytes <= limit).then_some((stages, result))
    })
}

/// Returns the maximum number of stages with which the verifier can follow this number of circular buffers.
fn max_verified_stages(pipelines: usize) -> u32 {
    let pipelines = u32::try_from(pipelines).unwrap_or(u32::MAX);
    let is_followed = |stages: &u32| {
        (2 * stages)
            .checked_pow(pipelines)
            .is_some_and(|n| n <= MAX_STATES)
    };
    (1..=MAX_STATES).take_while(is_followed).last().unwrap_or(0)
}

/// Returns the kernel with `stages` in each circular buffer, and MMAs in flight where possible.
fn deepest(kernel: &Kernel, chosen: &[(OpId, Plan)], stages: u32) -> Option<Kernel> {
    let mut in_flight: Vec<(OpId, InFlightMma)> = Vec::new();
    for &(id, _) in chosen {
        let open_mma = InFlightMma::find(kernel, id).filter(|_| stages >= MAX_IN_FLIGHT_MMAS + 2);
        in_flight.extend(open_mma.map(|in_flight| (id, in_flight)));
    }
    loop {
        let mut result = kernel.clone();
        apply(&mut result, chosen, stages, &in_flight)?;
        let bad = |(id, in_flight): &(OpId, InFlightMma)| !in_flight.keeps_operands(&result, *id);
        match in_flight.iter().position(bad) {
            None => {
                guard_in_flight(&mut result, &in_flight);
                rotate(&mut result, chosen, stages);
                return Some(result);
            }
            Some(index) => drop(in_flight.remove(index)),
        }
    }
}

/// Moves loops with MMAs in flight into branches, together with the waits for these MMAs.
fn guard_in_flight(kernel: &mut Kernel, in_flight: &[(OpId, InFlightMma)]) {
    for (block, id) in loops(kernel) {
        if in_flight.iter().any(|(in_flight, _)| *in_flight == id) {
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
fn rotate(kernel: &mut Kernel, chosen: &[(OpId, Plan)], stages: u32) {
    if stages < rotate::MIN_STAGES
        || kernel
            .requests
            .options
            .disabled
            .contains(DisabledPasses::LOOP_ROTATION)
    {
        return;
    }
    for (block, id) in loops(kernel) {
        let is_chosen = chosen.iter().any(|(chosen, _)| *chosen == id);
        if let Some(rotation) = Rotation::find(kernel, id).filter(|_| is_chosen) {
            rotation.apply(kernel, block, id);
        }
    }
}

/// Returns the number of warpgroup MMAs in the text of a kernel.
fn products(kernel: &Kernel) -> usize {
    let mut count = 0;
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        count += usize::from(matches!(kernel.op(id).kind, OpKind::Wgmma(_)));
    });
    count
}

/// Returns the number of registers per thread of the largest accumulator of a warpgroup MMA.
fn largest_accumulator(kernel: &Kernel) -> usize {
    let mmas = kernel.op_ids().map(|id| kernel.op(id));
    let mmas = mmas.filter(|op| matches!(op.kind, OpKind::Wgmma(_)));
    let registers = mmas.map(|op| kernel.layout_of(op.args[0]).num_registers());
    registers.max().unwrap_or(0)
}

/// Returns `true` if an operation, or an operation nested in it, is of a kind that matches.
fn has(kernel: &Kernel, id: OpId, is_match: &impl Fn(&OpKind) -> bool) -> bool {
    kernel.op(id).blocks.iter().any(|&block| {
        let mut ops = kernel.block(block).ops.iter();
        ops.any(|&op| is_match(&kernel.op(op).kind) || has(kernel, op, is_match))
    })
}

/// Rewrites a kernel; `None` if that is not possible.
fn apply(
    kernel: &mut Kernel,
    chosen: &[(OpId, Plan)],
    stages: u32,
    in_flight: &[(OpId, InFlightMma)],
) -> Option<()> {
    let mut pipelines = Vec::new();
    for (id, plan) in chosen {
        if plan.candidates.is_empty() {
            return None;
        }
        let trips = candidates::constant_trips(kernel, *id);
        let trips = trips.and_then(|trips| u32::try_from(trips).ok());
        // More stages than iterations would never be filled.
        let stages = trips.map_or(stages, |trips| stages.min(trips).max(2));
        let plan = with_buffers(kernel, plan);
        let body = kernel.op(*id).blocks[0];
        let fills = Fills::with_tma(kernel, body, &plan, stages);
        // The consumer threads would have to issue any `cp.async`, so there must be none.
        let (filled, _) = fills.barriers.filter(|_| !fills.has_threads())?;
        // One more mbarrier, at which an arrival releases no stage.
        let free = add_barriers(kernel, stages + 1);
        for barriers in [filled, free] {
            kernel.buffer_mut(barriers).is_dedicated = true;
        }
        pipelines.push(LoopPipeline {
            id: *id,
            plan,
            fills,
            pipeline_barriers: PipelineBarriers {
                full: filled,
                empty: free,
                reach: Reach::Block,
            },
            stages,
        });
    }
    let program = program(kernel, &pipelines)?;

    // The mbarriers and the producer are inserted at the top of the kernel.
    let (body, loc) = (kernel.body(), kernel.loc);
    let mut top = Cursor {
        kernel,
        block: body,
        index: 0,
        loc,
    };
    for pipeline in &pipelines {
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
    for _ in &pipelines {
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

    // The states are threaded only through the body after the producer, whose program has states of its own.
    let loops: Vec<OpId> = pipelines.iter().map(|pipeline| pipeline.id).collect();
    let mut change = |kernel: &mut Kernel, block, number: usize, state| {
        let pipeline: &LoopPipeline = &pipelines[number];
        let in_flight = in_flight.iter().find(|(id, _)| *id == pipeline.id);
        rewrite_consumer(
            kernel,
            block,
            pipeline,
            state,
            in_flight.map(|(_, in_flight)| *in_flight),
        )
    };
    thread_through_loops(kernel, body, &loops, &mut states, &mut change);
    Some(())
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

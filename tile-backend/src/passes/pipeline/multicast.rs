//! TMA multicast: the blocks of a pair load tiles for each other.
//!
//! Input: a warp-specialized kernel ([`super::warp_specialize`]). Output: the same for pairs of blocks
//! ([`crate::gpu::Clusters`]), if both blocks fill their circular buffers equally often and load the same tile into one
//! of them:
//!
//! ```text
//!   init_mbarriers $empty per warp          init_mbarriers $empty per warp of cluster
//!   warp_specialize {                       cluster_barrier; warp_specialize {
//!     for … { producer_acquire                for … { producer_acquire of cluster
//!       tma_load a[x, k]              =>        tma_load a[x, k]
//!       tma_load b[k, y] } }                    tma_load b[k, y] of cluster }       half of it each
//!                                             producer_tail of cluster }
//!   for … { wait; mma; release }            for … { wait; mma; release of cluster }
//! ```
//!
//! Blocks of a pair differ in their coordinate along the first grid axis. If that coordinate decides how
//! often stages are filled, where the kernel ends, or where a shared tile is, no pairs are possible. Without
//! the hint `cluster`, pairs are formed only where they pay, since both blocks run at the pace of the slower
//! one ([`is_multicast_profitable`]).

use super::candidates::constant_trips;
use crate::gpu::{
    Arrivals, Divergence, Kernel, OpId, OpKind, PipelineBarriers, Reach, TensorMap, each,
    is_cluster_scoped,
};
use crate::schedule::{Refusal, Schedule};

/// Minimum trip count of a loop, if it is constant: blocks wait for each other at both ends.
const MIN_TRIPS: u64 = 8;

/// Minimum number of bytes that a block must save per round of stages.
const MIN_BYTES: u64 = 4096;

/// A circular buffer and the copies into it that are the same in both blocks.
struct MulticastPipeline {
    pipeline_barriers: PipelineBarriers,
    copies: Vec<(OpId, TensorMap)>,
    /// Bytes of the copies in `copies`.
    bytes: u64,
    /// `true` if other copies also fill the circular buffer.
    has_others: bool,
}

/// Turns a kernel into one for pairs of blocks.
pub(crate) fn multicast_loads(kernel: &mut Kernel, schedule: &Schedule) -> Result<(), Refusal> {
    let differing = Divergence::analyze_neighbours(kernel);
    let pipelines = multicast_pipelines(kernel, &differing);
    if pipelines.is_empty() {
        return Err(Refusal::Because("no tile is the same in both blocks"));
    }
    kernel.launch.clusters = schedule.clusters;
    kernel.launch.raster_order = schedule.raster_order;
    for pipeline in &pipelines {
        multicast(kernel, pipeline);
    }
    drop_unused_maps(kernel);
    // A cluster-scoped operation that only one block of a pair reaches would wait forever.
    let mut is_alike = true;
    let mut start = None;
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, around| {
        let kind = &kernel.op(id).kind;
        if is_cluster_scoped(kernel, kind) {
            is_alike &= differing.has_uniform_control(around);
        }
        if matches!(kind, OpKind::WarpSpecialize) {
            start = Some(id);
        }
    });
    if !is_alike {
        let reason = "the first coordinate of a block decides how often stages are filled";
        return Err(Refusal::Because(reason));
    }
    // The mbarriers of the other block must be initialized before the first copy into its stages.
    let start = start.ok_or(Refusal::Because("warps have no roles"))?;
    let loc = kernel.loc;
    let barrier = kernel.add_op(OpKind::ClusterBarrier, &[], &[], &[], loc);
    let ops = &mut kernel.block_mut(kernel.body()).ops;
    let index = ops.iter().position(|&op| op == start);
    ops.insert(index.expect("producers start in the body"), barrier);
    Ok(())
}

/// Returns the circular buffers of a kernel that both blocks of a pair can fill together.
fn multicast_pipelines(kernel: &Kernel, differing: &Divergence) -> Vec<MulticastPipeline> {
    pipelines(kernel)
        .into_iter()
        .filter_map(|pipeline_barriers| shared(kernel, differing, pipeline_barriers))
        .collect()
}

/// Returns the pipeline barriers of a kernel.
fn pipelines(kernel: &Kernel) -> Vec<PipelineBarriers> {
    let mut pairs = Vec::new();
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        if let OpKind::ProducerAcquire(pipeline_barriers) = kernel.op(id).kind
            && !pairs.contains(&pipeline_barriers)
        {
            pairs.push(pipeline_barriers);
        }
    });
    pairs
}

/// Returns the copies into a circular buffer that are the same in both blocks, if there are any.
fn shared(
    kernel: &Kernel,
    differing: &Divergence,
    pipeline_barriers: PipelineBarriers,
) -> Option<MulticastPipeline> {
    let mut result = MulticastPipeline {
        pipeline_barriers,
        copies: Vec::new(),
        bytes: 0,
        has_others: false,
    };
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        let op = kernel.op(id);
        let OpKind::TmaLoad(copy) = &op.kind else {
            return;
        };
        if copy.barriers != pipeline_barriers.full {
            return;
        }
        let parts = copy.boxes(kernel).and_then(crate::layout::Boxes::in_two);
        let parts = parts.filter(|_| differing.is_same_for_all(&op.args));
        let map = parts.as_ref().and_then(|parts| {
            let mut map = kernel.maps[copy.map].clone();
            for (axis, &(_, length)) in map.axes.iter_mut().zip(&parts.axes) {
                axis.length = u32::try_from(length).ok()?;
            }
            Some(map)
        });
        match parts.zip(map) {
            Some((parts, map)) => {
                result.bytes += parts.total_bytes();
                result.copies.push((id, map));
            }
            None => result.has_others = true,
        }
    });
    (!result.copies.is_empty()).then_some(result)
}

/// Returns `true` if multicast pays although the blocks of a pair wait for each other. It pays if each loop
/// has a single MMA that reads one circular buffer, is long enough, and shares a tile that is large enough.
/// Where an iteration has several MMAs, as in attention, blocks drift apart and wait longer for each other
/// than for memory.
pub(crate) fn is_multicast_profitable(kernel: &Kernel) -> bool {
    let pipelines = multicast_pipelines(kernel, &Divergence::analyze_neighbours(kernel));
    let mut is_long = true;
    let mut mmas = 0;
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, around| {
        if !matches!(kernel.op(id).kind, OpKind::Wgmma(_)) {
            return;
        }
        mmas += 1;
        let innermost = around
            .iter()
            .rev()
            .find(|&&id| matches!(kernel.op(id).kind, OpKind::For { .. }));
        let trips = innermost.and_then(|&id| constant_trips(kernel, id));
        is_long &= trips.is_none_or(|trips| trips >= MIN_TRIPS);
    });
    let is_large =
        |pipeline: &MulticastPipeline| pipeline.has_others && pipeline.bytes / 2 >= MIN_BYTES;
    mmas == pipelines.len() && is_long && pipelines.iter().all(is_large)
}

/// Turns the copies into a circular buffer into multicasts, and gives its barriers cluster scope.
fn multicast(kernel: &mut Kernel, pipeline: &MulticastPipeline) {
    let MulticastPipeline {
        pipeline_barriers,
        copies,
        bytes: _,
        has_others: _,
    } = pipeline;
    let mut both_copies = Vec::new();
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        both_copies.push(id);
    });
    for id in both_copies {
        match &mut kernel.op_mut(id).kind {
            OpKind::ProducerAcquire(pair)
            | OpKind::ProducerTail(pair)
            | OpKind::ConsumerRelease(pair)
                if pair == pipeline_barriers =>
            {
                pair.reach = Reach::Cluster;
            }
            OpKind::InitMbarriers(barriers, arrivals) if *barriers == pipeline_barriers.empty => {
                *arrivals = Arrivals::PerClusterWarp;
            }
            _ => {}
        }
    }
    for (id, map) in copies {
        let position = kernel.add_map(map.clone());
        if let OpKind::TmaLoad(copy) = &mut kernel.op_mut(*id).kind {
            copy.map = position;
            copy.reach = Reach::Cluster;
        }
    }
}

/// Removes tensor maps that no load or store uses any more.
fn drop_unused_maps(kernel: &mut Kernel) {
    let mut users: Vec<OpId> = Vec::new();
    let mut used = vec![false; kernel.maps.len()];
    let mut note = |id: OpId, map: usize| {
        users.push(id);
        used[map] = true;
    };
    each(
        kernel,
        kernel.body(),
        &mut Vec::new(),
        &mut |id, _| match &kernel.op(id).kind {
            OpKind::TmaLoad(copy) => note(id, copy.map),
            OpKind::TmaStore(store) => note(id, store.map),
            _ => {}
        },
    );
    let position = |map: usize| used[..map].iter().filter(|&&is_used| is_used).count();
    for id in users {
        match &mut kernel.op_mut(id).kind {
            OpKind::TmaLoad(copy) => copy.map = position(copy.map),
            OpKind::TmaStore(store) => store.map = position(store.map),
            _ => unreachable!("these take maps"),
        }
    }
    let mut is_used = used.iter();
    kernel
        .maps
        .retain(|_| *is_used.next().expect("one for each map"));
}

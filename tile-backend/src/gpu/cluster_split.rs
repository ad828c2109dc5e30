//! Work tiles that are split over the blocks of a cluster.
//!
//! A row that is too long for the registers of one block is spread over the warps of 2, 4 or 8 blocks, which
//! a launch starts as a cluster for one work tile (`LaunchShape::blocks_per_tile`). Layouts distinguish only
//! warps: the high bits of a warp's number are the number of its block. So all decisions by warp (which warp
//! loads, computes or stores an element, and which of several copies counts) cover the warps of all blocks:
//!
//! ```text
//!   4 blocks per work tile, 8 warps a block     warp 0 … 7 | 8 … 15 | 16 … 23 | 24 … 31
//!                                                 block 0  |  1     |  2      |  3
//! ```
//!
//! Only exchanges through shared memory distinguish blocks. These are the exchanges of the partial results of
//! reductions ([`Partials`]): first the warps of each block exchange their results, then the blocks. Each
//! block writes the combined result of its warps into the shared memory of all blocks. Each block then
//! combines all results in the same order, so that all blocks have the same bits. A kernel with any other use
//! of shared memory is not split ([`can_split`]).
//!
//! The blocks wait for each other ([`OpKind::ClusterBarrier`]) at three points: at the start, since the
//! shared memory of a block that has not begun does not exist; between writing and combining; and before
//! memory that another block may still read is written again. A cluster barrier follows the last write, so no
//! block ends too early.

use super::{Clusters, Kernel, OpId, OpKind, Reach, Trait, each};

/// Maximum number of blocks of a cluster that every device can start (CUDA programming guide: the portable
/// cluster size).
pub const MAX_BLOCKS_PER_TILE: u32 = 8;

/// Returns `true` if every operation of a kernel works with a part of its tile's threads, none of which
/// accesses the shared memory of all others.
pub(crate) fn can_split(kernel: &Kernel) -> bool {
    kernel.arenas.is_empty() && kernel.maps.is_empty() && first_unsplittable(kernel).is_none()
}

/// Returns the first operation that cannot be split.
pub(crate) fn first_unsplittable(kernel: &Kernel) -> Option<OpId> {
    let mut offender = None;
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        if offender.is_none() && !kernel.op(id).kind.has(Trait::Splittable) {
            offender = Some(id);
        }
    });
    offender
}

/// Returns the errors of a kernel with a cluster split; `verify::flow` checks the cluster barriers.
pub(super) fn errors(kernel: &Kernel) -> Vec<String> {
    let blocks_per_tile = kernel.launch.blocks_per_tile;
    let (mut has_shared, mut is_apart) = (false, true);
    let bits = (kernel.launch.num_warps / blocks_per_tile.max(1))
        .max(1)
        .ilog2();
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        let kind = &kernel.op(id).kind;
        has_shared |= kind.has(Trait::ClusterExchange);
        if let OpKind::StorePartials(partials) | OpKind::CombinePartials(partials) = kind
            && partials.reach == Reach::Block
            && let Some(warps) = &partials.plan.warps
        {
            is_apart &= warps.slot_bits.iter().all(|&bit| bit < bits);
        }
    });
    let demands = [
        (
            blocks_per_tile.is_power_of_two()
                && blocks_per_tile <= MAX_BLOCKS_PER_TILE
                && kernel.launch.num_warps.is_multiple_of(blocks_per_tile),
            "a work tile is not split evenly over at most 8 blocks",
        ),
        (
            blocks_per_tile > 1 || !has_shared,
            "blocks exchange partial results of a tile that one has",
        ),
        (
            blocks_per_tile == 1 || is_apart,
            "partial results of other blocks are not where a block combines its own",
        ),
        (
            blocks_per_tile == 1
                || kernel.launch.producer_warps == 0
                    && !kernel.launch.is_persistent
                    && kernel.launch.raster_order.is_hardware_order()
                    && kernel.launch.clusters == Clusters::Single,
            "a cluster split needs one work tile per cluster, in hardware order",
        ),
        (
            blocks_per_tile == 1 || can_split(kernel),
            "an operation needs all of a tile in one block",
        ),
    ];
    let failed = demands.iter().filter(|(holds, _)| !holds);
    failed.map(|(_, text)| (*text).to_owned()).collect()
}

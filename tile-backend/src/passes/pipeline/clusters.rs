//! Tiles that two neighbouring blocks copy for each other.
//!
//! In: a kernel with producers ([`super::specialize`]). Out: the same for pairs of blocks ([`Clusters`]),
//! where both go through the rings alike and read the same tile into one:
//!
//! ```text
//!   init_barriers free per warp             init_barriers free per warp of cluster
//!   produce {                               cluster_barrier; produce {
//!     for … { wait_free                       for … { wait_free of cluster
//!       copy_tensor a[x, k]           =>        copy_tensor a[x, k]
//!       copy_tensor b[k, y] } }                 copy_tensor b[k, y] of cluster }       half of it each
//!                                             end_ring of cluster }
//!   for … { wait; product; free }           for … { wait; product; free of cluster }
//! ```
//!
//! Blocks of a pair differ in their place along the first axis of the grid. Nothing that decides how often
//! slots are filled or where the kernel ends may depend on it, nor where a shared tile lies; else there are no
//! pairs. Without a wish there are some only where it pays: a block waits for the slower of two.

use super::candidates::constant_trips;
use crate::gpu::{
    Arrivals, BlockOrder, Clusters, Differing, Handshake, Kernel, OpId, OpKind, Reach, TensorMap,
    each, is_of_cluster,
};

/// Iterations of a loop, if their number is known, for which blocks wait for each other at both ends.
const LEAST_TRIPS: u64 = 8;

/// Bytes of a round of slots that a block need not read.
const LEAST_BYTES: u64 = 4096;

/// A ring and the copies into it that are the same in both blocks.
struct Shared {
    handshake: Handshake,
    copies: Vec<(OpId, TensorMap)>,
    /// Of these.
    bytes: u64,
    /// Whether there are other copies into it.
    has_others: bool,
}

/// The kernel for pairs, if there can be and shall be any.
pub(super) fn paired(kernel: &Kernel) -> Option<Kernel> {
    if kernel.producer_warps == 0 || kernel.cluster_wish == Some(1) {
        return None;
    }
    let differing = Differing::of(kernel);
    let rings: Vec<Shared> = rings(kernel)
        .into_iter()
        .filter_map(|handshake| shared(kernel, &differing, handshake))
        .collect();
    if rings.is_empty() || (kernel.cluster_wish.is_none() && !pays(kernel, &rings)) {
        return None;
    }
    let mut made = kernel.clone();
    made.clusters = Clusters::Pairs;
    if let BlockOrder::LongestFirst(_) = made.block_order {
        // Pairs are of neighbours along the first axis.
        made.block_order = BlockOrder::Free;
    }
    for ring in &rings {
        share(&mut made, ring);
    }
    drop_unused_maps(&mut made);
    let mut is_alike = true;
    let mut start = None;
    each(&made, made.body(), &mut Vec::new(), &mut |id, around| {
        let kind = &made.op(id).kind;
        if is_of_cluster(&made, kind) {
            is_alike &= differing.is_met_alike(around);
        }
        if matches!(kind, OpKind::Produce) {
            start = Some(id);
        }
    });
    if !is_alike {
        return None;
    }
    let (start, loc) = (start?, made.loc);
    let barrier = made.add_op(OpKind::ClusterBarrier, &[], &[], &[], loc);
    let body = made.body();
    let ops = &mut made.block_mut(body).ops;
    let at = ops.iter().position(|&op| op == start)?;
    ops.insert(at, barrier);
    Some(made)
}

/// The rings of a kernel.
fn rings(kernel: &Kernel) -> Vec<Handshake> {
    let mut found = Vec::new();
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        if let OpKind::WaitFree(handshake) = kernel.op(id).kind
            && !found.contains(&handshake)
        {
            found.push(handshake);
        }
    });
    found
}

/// What both blocks copy into a ring alike, if there is anything.
fn shared(kernel: &Kernel, differing: &Differing, handshake: Handshake) -> Option<Shared> {
    let mut found = Shared {
        handshake,
        copies: Vec::new(),
        bytes: 0,
        has_others: false,
    };
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        let op = kernel.op(id);
        let OpKind::CopyTensor(copy) = &op.kind else {
            return;
        };
        if copy.barriers != handshake.filled {
            return;
        }
        let parts = copy.boxes(kernel).and_then(crate::layout::Boxes::in_two);
        let parts = parts.filter(|_| differing.are_same(&op.args));
        let map = parts.as_ref().and_then(|parts| {
            let mut map = kernel.maps[copy.map].clone();
            for (axis, &(_, length)) in map.axes.iter_mut().zip(&parts.axes) {
                axis.length = u32::try_from(length).ok()?;
            }
            Some(map)
        });
        match parts.zip(map) {
            Some((parts, map)) => {
                found.bytes += parts.total_bytes();
                found.copies.push((id, map));
            }
            None => found.has_others = true,
        }
    });
    (!found.copies.is_empty()).then_some(found)
}

/// Whether it is worth that blocks wait for each other: for each loop with products of one ring that is long
/// enough, and a tile that is large enough. Where several products share an iteration, as in attention, blocks
/// drift apart, and wait more than they would for memory.
fn pays(kernel: &Kernel, rings: &[Shared]) -> bool {
    let mut is_long = true;
    let mut products = 0;
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, around| {
        if !matches!(kernel.op(id).kind, OpKind::Wgmma(_)) {
            return;
        }
        products += 1;
        let innermost = around
            .iter()
            .rev()
            .find(|&&id| matches!(kernel.op(id).kind, OpKind::For { .. }));
        let trips = innermost.and_then(|&id| constant_trips(kernel, id));
        is_long &= trips.is_none_or(|trips| trips >= LEAST_TRIPS);
    });
    let is_large = |ring: &Shared| ring.has_others && ring.bytes / 2 >= LEAST_BYTES;
    products == rings.len() && is_long && rings.iter().all(is_large)
}

/// Lets both blocks fill a ring for each other.
fn share(kernel: &mut Kernel, ring: &Shared) {
    let Shared {
        handshake,
        copies,
        bytes: _,
        has_others: _,
    } = ring;
    let mut all = Vec::new();
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        all.push(id);
    });
    for id in all {
        match &mut kernel.op_mut(id).kind {
            OpKind::WaitFree(own) | OpKind::EndRing(own) | OpKind::Free(own)
                if own == handshake =>
            {
                own.reach = Reach::Cluster;
            }
            OpKind::InitBarriers(barriers, arrivals) if *barriers == handshake.free => {
                *arrivals = Arrivals::PerWarpOfCluster;
            }
            _ => {}
        }
    }
    for (id, map) in copies {
        let position = kernel.add_map(map.clone());
        if let OpKind::CopyTensor(copy) = &mut kernel.op_mut(*id).kind {
            copy.map = position;
            copy.reach = Reach::Cluster;
        }
    }
}

/// Maps that no copy or store takes any more are not passed.
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
            OpKind::CopyTensor(copy) => note(id, copy.map),
            OpKind::StoreTensor(store) => note(id, store.map),
            _ => {}
        },
    );
    let position = |map: usize| used[..map].iter().filter(|&&is_used| is_used).count();
    for id in users {
        match &mut kernel.op_mut(id).kind {
            OpKind::CopyTensor(copy) => copy.map = position(copy.map),
            OpKind::StoreTensor(store) => store.map = position(store.map),
            _ => unreachable!("these take maps"),
        }
    }
    let mut is_used = used.iter();
    kernel
        .maps
        .retain(|_| *is_used.next().expect("one for each map"));
}

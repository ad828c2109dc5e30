//! Blocks of a cluster that copy for each other: what they must do alike, and who waits for whom. When is
//! for [`super::verify`]'s flow.

use super::cluster::{each, is_of_cluster};
use super::neighbours::Differing;
use super::{Arrivals, BlockOrder, Clusters, Kernel, OpKind, Reach};
use crate::gpu::verify_handshake::handshakes;

/// The faults of all of a kernel.
pub(super) fn faults(kernel: &Kernel) -> Vec<String> {
    let all = handshakes(kernel);
    let reach = |barriers| {
        let mut all = all.iter();
        all.find(|handshake| handshake.filled == barriers || handshake.free == barriers)
            .map_or(Reach::Block, |handshake| handshake.reach)
    };
    let mut faults = Vec::new();
    let mut demand = |holds: bool, text: &str| {
        if !holds && !faults.iter().any(|fault| fault == text) {
            faults.push(text.to_owned());
        }
    };
    for (at, one) in all.iter().enumerate() {
        let alike = all[..at]
            .iter()
            .all(|other| other.filled != one.filled && other.free != one.free);
        demand(alike, "the two sides of a ring reach different blocks");
    }
    let mut has_cluster = false;
    let differing = (kernel.clusters == Clusters::Pairs).then(|| Differing::of(kernel));
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, around| {
        let op = kernel.op(id);
        let is_producer = around
            .iter()
            .any(|&id| matches!(kernel.op(id).kind, OpKind::Produce));
        let is_of_cluster = is_of_cluster(kernel, &op.kind);
        has_cluster |= is_of_cluster && !matches!(op.kind, OpKind::Return);
        match &op.kind {
            OpKind::ClusterBarrier => demand(
                around.is_empty() || kernel.parts > 1,
                "blocks of a cluster wait for each other at the top of a kernel",
            ),
            OpKind::InitBarriers(barriers, arrivals) => {
                let is_of_cluster = *arrivals == Arrivals::PerWarpOfCluster;
                let is_free = all.iter().any(|handshake| handshake.free == *barriers);
                demand(
                    !is_free || is_of_cluster == (reach(*barriers) == Reach::Cluster),
                    "others arrive at barriers than these are initialized for",
                );
                demand(
                    is_free || !is_of_cluster,
                    "only slots are freed by others of the cluster",
                );
                has_cluster |= is_of_cluster;
            }
            OpKind::CopyTensor(copy) if copy.reach == Reach::Cluster => {
                has_cluster = true;
                demand(
                    is_producer && reach(copy.barriers) == Reach::Cluster,
                    "a copy for the cluster is into a slot that it does not free",
                );
                let are_same = differing.as_ref();
                let are_same = are_same.is_none_or(|differing| differing.are_same(&op.args));
                demand(
                    are_same,
                    "a copy for the cluster is of another tile in each block",
                );
            }
            _ => {}
        }
        if let Some(differing) = &differing
            && is_of_cluster
        {
            demand(
                differing.is_met_alike(around),
                "only some blocks of a cluster may come to what is for all",
            );
        }
    });
    demand(
        kernel.clusters == Clusters::Single
            || !matches!(kernel.block_order, BlockOrder::LongestFirst(_)),
        "blocks of a pair are not side by side in an order by length",
    );
    demand(
        !has_cluster || kernel.clusters == Clusters::Pairs || kernel.parts > 1,
        "a block that is for itself has no cluster",
    );
    faults
}

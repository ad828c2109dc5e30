//! Verifies clusters whose blocks multicast TMA loads: uniform control, and the arrivals of barriers. The
//! flow verifier of [`mod@super::verify`] checks the order of events.

use super::super::cluster::{each, is_cluster_scoped};
use super::super::divergence::Divergence;
use super::super::{Arrivals, Clusters, Kernel, OpKind, RasterOrder, Reach};
use super::all_pipeline_barriers;

/// Returns the errors of a kernel.
pub(super) fn errors(kernel: &Kernel) -> Vec<String> {
    let pairs = all_pipeline_barriers(kernel);
    let reach = |barriers| {
        let mut pairs = pairs.iter();
        pairs
            .find(|pipeline_barriers| {
                pipeline_barriers.full == barriers || pipeline_barriers.empty == barriers
            })
            .map_or(Reach::Block, |pipeline_barriers| pipeline_barriers.reach)
    };
    let mut errors = Vec::new();
    let mut demand = |holds: bool, text: &str| {
        if !holds && !errors.iter().any(|error| error == text) {
            errors.push(text.to_owned());
        }
    };
    for (index, one) in pairs.iter().enumerate() {
        let alike = pairs[..index]
            .iter()
            .all(|other| other.full != one.full && other.empty != one.empty);
        demand(
            alike,
            "the full and empty barriers of a pipeline reach different blocks",
        );
    }
    let mut has_cluster = false;
    let differing =
        (kernel.launch.clusters == Clusters::Pairs).then(|| Divergence::analyze_neighbours(kernel));
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, around| {
        // Multicast loads belong to the producer; a consumer cannot acquire the stage of another block.
        let op = kernel.op(id);
        let is_producer = around
            .iter()
            .any(|&id| matches!(kernel.op(id).kind, OpKind::WarpSpecialize));
        let is_cluster_scoped = is_cluster_scoped(kernel, &op.kind);
        has_cluster |= is_cluster_scoped && !matches!(op.kind, OpKind::Return);
        match &op.kind {
            OpKind::ClusterBarrier => demand(
                around.is_empty() || kernel.launch.blocks_per_tile > 1,
                "blocks of a cluster wait for each other at the top of a kernel",
            ),
            OpKind::InitMbarriers(barriers, arrivals) => {
                let is_cluster_scoped = *arrivals == Arrivals::PerClusterWarp;
                let is_free = pairs
                    .iter()
                    .any(|pipeline_barriers| pipeline_barriers.empty == *barriers);
                demand(
                    !is_free || is_cluster_scoped == (reach(*barriers) == Reach::Cluster),
                    "others arrive at barriers than these are initialized for",
                );
                demand(
                    is_free || !is_cluster_scoped,
                    "only stages are released by other blocks of the cluster",
                );
                has_cluster |= is_cluster_scoped;
            }
            OpKind::TmaLoad(copy) if copy.reach == Reach::Cluster => {
                has_cluster = true;
                demand(
                    is_producer && reach(copy.barriers) == Reach::Cluster,
                    "a multicast copy fills a stage that the cluster does not release",
                );
                let is_same_for_all = differing.as_ref();
                let is_same_for_all =
                    is_same_for_all.is_none_or(|differing| differing.is_same_for_all(&op.args));
                demand(
                    is_same_for_all,
                    "a copy for the cluster is of another tile in each block",
                );
            }
            _ => {}
        }
        // If a block reached a cluster-scoped operation less often than the other block, the other would wait
        // forever.
        if let Some(differing) = &differing
            && is_cluster_scoped
        {
            demand(
                differing.has_uniform_control(around),
                "only some blocks of a cluster may come to what is for all",
            );
        }
    });
    demand(
        kernel.launch.clusters == Clusters::Single
            || !matches!(kernel.launch.raster_order, RasterOrder::Lpt(_)),
        "blocks of a pair are not side by side in an order by length",
    );
    demand(
        !has_cluster
            || kernel.launch.clusters == Clusters::Pairs
            || kernel.launch.blocks_per_tile > 1,
        "a block that is for itself has no cluster",
    );
    errors
}

//! Verifies clusters whose blocks multicast TMA loads: uniform control, and the arrivals of barriers. The
//! flow verifier of [`mod@super::verify`] checks the order of events.

use super::super::cluster::{each, is_cluster_scoped};
use super::super::divergence::Divergence;
use super::super::{
    Arrivals, BufferId, Clusters, Kernel, Op, OpId, OpKind, PipelineBarriers, RasterOrder, Reach,
    TmaLoad,
};
use super::all_pipeline_barriers;

/// Returns the errors of a kernel.
pub(super) fn errors(kernel: &Kernel) -> Vec<String> {
    let is_pair = kernel.launch.clusters == Clusters::Pairs;
    let mut rules = Rules {
        kernel,
        pipelines: all_pipeline_barriers(kernel),
        differing: is_pair.then(|| Divergence::analyze_neighbours(kernel)),
        has_cluster: false,
        errors: Vec::new(),
    };
    rules.pipelines();
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, around| {
        rules.op(id, around);
    });
    rules.launch();
    rules.errors
}

struct Rules<'k> {
    kernel: &'k Kernel,
    /// The pipeline barriers of the kernel.
    pipelines: Vec<PipelineBarriers>,
    /// What differs between the two blocks of a pair, if blocks are launched in pairs.
    differing: Option<Divergence>,
    /// `true` if an operation needs a cluster.
    has_cluster: bool,
    errors: Vec<String>,
}

impl Rules<'_> {
    /// Adds an error unless the rule `holds`. Each error is said once.
    fn demand(&mut self, holds: bool, text: &str) {
        if !holds && !self.errors.iter().any(|error| error == text) {
            self.errors.push(text.to_owned());
        }
    }

    /// Checks that each mbarrier is of one pipeline.
    fn pipelines(&mut self) {
        for (index, one) in self.pipelines.clone().iter().enumerate() {
            let alike = self.pipelines[..index]
                .iter()
                .all(|other| other.full != one.full && other.empty != one.empty);
            self.demand(
                alike,
                "the full and empty barriers of a pipeline reach different blocks",
            );
        }
    }

    /// Checks an operation, which the operations `around` contain.
    fn op(&mut self, id: OpId, around: &[OpId]) {
        let op = self.kernel.op(id);
        let is_cluster_scoped = is_cluster_scoped(self.kernel, &op.kind);
        self.has_cluster |= is_cluster_scoped && !matches!(op.kind, OpKind::Return);
        match &op.kind {
            OpKind::ClusterBarrier => self.demand(
                around.is_empty() || self.kernel.launch.blocks_per_tile > 1,
                "blocks of a cluster wait for each other at the top of a kernel",
            ),
            OpKind::InitMbarriers(barriers, arrivals) => self.init_mbarriers(*barriers, *arrivals),
            OpKind::TmaLoad(copy) if copy.reach == Reach::Cluster => {
                self.multicast(op, copy, around);
            }
            _ => {}
        }
        // If a block reached a cluster-scoped operation less often than the other block, the other would wait
        // forever.
        let is_uniform = |differing: &Divergence| differing.has_uniform_control(around);
        self.demand(
            !is_cluster_scoped || self.differing.as_ref().is_none_or(is_uniform),
            "only some blocks of a cluster may come to what is for all",
        );
    }

    /// Checks that mbarriers expect the arrivals of the whole cluster if it releases their stages.
    fn init_mbarriers(&mut self, barriers: BufferId, arrivals: Arrivals) {
        let is_cluster_scoped = arrivals == Arrivals::PerClusterWarp;
        let mut pipelines = self.pipelines.iter();
        let is_free = pipelines.any(|pipeline| pipeline.empty == barriers);
        self.demand(
            !is_free || is_cluster_scoped == (self.reach(barriers) == Reach::Cluster),
            "others arrive at barriers than these are initialized for",
        );
        self.demand(
            is_free || !is_cluster_scoped,
            "only stages are released by other blocks of the cluster",
        );
        self.has_cluster |= is_cluster_scoped;
    }

    /// Checks a copy into the shared memory of all blocks of the cluster. Such copies belong to the producer;
    /// a consumer cannot acquire the stage of another block.
    fn multicast(&mut self, op: &Op, copy: &TmaLoad, around: &[OpId]) {
        self.has_cluster = true;
        let is_producer = around
            .iter()
            .any(|&id| matches!(self.kernel.op(id).kind, OpKind::WarpSpecialize));
        self.demand(
            is_producer && self.reach(copy.barriers) == Reach::Cluster,
            "a multicast copy fills a stage that the cluster does not release",
        );
        let is_same = |differing: &Divergence| differing.is_same_for_all(&op.args);
        self.demand(
            self.differing.as_ref().is_none_or(is_same),
            "a copy for the cluster is of another tile in each block",
        );
    }

    /// Checks that the launch has the clusters that the operations need.
    fn launch(&mut self) {
        let launch = &self.kernel.launch;
        self.demand(
            launch.clusters == Clusters::Single
                || !matches!(launch.raster_order, RasterOrder::Lpt(_)),
            "blocks of a pair are not side by side in an order by length",
        );
        self.demand(
            !self.has_cluster || launch.clusters == Clusters::Pairs || launch.blocks_per_tile > 1,
            "a block that is for itself has no cluster",
        );
    }

    /// Returns the scope of the arrivals at mbarriers.
    fn reach(&self, barriers: BufferId) -> Reach {
        let mut pipelines = self.pipelines.iter();
        pipelines
            .find(|pipeline| pipeline.full == barriers || pipeline.empty == barriers)
            .map_or(Reach::Block, |pipeline| pipeline.reach)
    }
}

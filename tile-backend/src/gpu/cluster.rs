//! Pairs of blocks that copy for each other.
//!
//! A launch may start neighbouring blocks of the grid, along its first axis, as a cluster: they run at the
//! same time, on multiprocessors that reach each other's shared memory. Where two blocks read the same tile,
//! each then copies half of it, to both:
//!
//! ```text
//!   block 0   copies A0, and B above, to both        A0  B above
//!                                                        B below
//!   block 1   copies A1, and B below, to both        A1  B above
//!                                                        B below
//! ```
//!
//! A slot is then filled by two, so that both have to free it in both blocks, and no block may start to copy
//! before the barriers of the other are there, or end before the other has freed its last slot there.
//!
//! Which blocks a launch starts together is not known to the compiler, and a grid may have no even number of them.
//! So a kernel for pairs runs as well with every block for itself ([`Clusters::Pairs`]): it asks at the start.

use super::{BlockId, Kernel, OpKind};

/// How blocks may be started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Clusters {
    /// Each for itself.
    #[default]
    Single,
    /// Two neighbours along the first axis together, or each for itself.
    Pairs,
}

impl Clusters {
    /// Blocks of a cluster, if the grid is a multiple of them.
    pub fn blocks(self) -> u32 {
        match self {
            Self::Single => 1,
            Self::Pairs => 2,
        }
    }
}

/// Whom something is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reach {
    /// The block itself.
    Block,
    /// All blocks of its cluster.
    Cluster,
}

/// Calls `visit` with every operation of a block and those inside, and with the operations around it.
pub(crate) fn each(
    kernel: &Kernel,
    block: BlockId,
    around: &mut Vec<super::OpId>,
    visit: &mut impl FnMut(super::OpId, &[super::OpId]),
) {
    for &id in &kernel.block(block).ops {
        visit(id, around);
        around.push(id);
        for &inner in &kernel.op(id).blocks {
            each(kernel, inner, around, visit);
        }
        around.pop();
    }
}

/// Whether an operation is for the cluster, so that all its blocks have to come to it alike.
pub(crate) fn is_cluster_scoped(kernel: &Kernel, kind: &OpKind) -> bool {
    let reach = |barriers| {
        let mut pairs = super::verify_pipeline_barriers::all_pipeline_barriers(kernel).into_iter();
        pairs.any(|pipeline_barriers| {
            pipeline_barriers.full == barriers && pipeline_barriers.reach == Reach::Cluster
        })
    };
    match kind {
        OpKind::ClusterBarrier | OpKind::Return => true,
        OpKind::ProducerAcquire(pipeline_barriers)
        | OpKind::ProducerTail(pipeline_barriers)
        | OpKind::ConsumerRelease(pipeline_barriers) => pipeline_barriers.reach == Reach::Cluster,
        OpKind::ArriveExpectTx(expected) => reach(expected.barriers),
        OpKind::ConsumerWait(barriers) => reach(*barriers),
        OpKind::TmaLoad(copy) => reach(copy.barriers),
        _ => false,
    }
}

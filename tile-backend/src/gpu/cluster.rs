//! Clusters of two blocks, which multicast TMA loads to each other.
//!
//! A launch may start blocks that are neighbours along the first grid axis as a cluster: they run at the same
//! time, on multiprocessors that reach each other's shared memory. Where two blocks read the same tile, each
//! loads half of it and multicasts it to both:
//!
//! ```text
//!   block 0   loads A0, and the upper half of B, for both        A0  B upper
//!                                                                    B lower
//!   block 1   loads A1, and the lower half of B, for both        A1  B upper
//!                                                                    B lower
//! ```
//!
//! A stage is then filled by both blocks. So the consumers of both blocks release it in both. No block may
//! issue a copy before the mbarriers of the other block are initialized, or end while the other block may
//! still release one of its stages.
//!
//! The compiler does not know which blocks a launch starts together, and the extent of a grid may be odd. So
//! a kernel for pairs also works if each block is started alone ([`Clusters::Pairs`]): it reads the cluster
//! size at its start.

use super::{BlockId, Kernel, OpKind};

/// The clusters in which blocks may be started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Clusters {
    /// Each block is started alone.
    #[default]
    Single,
    /// Two neighbours along the first axis are started together, or each block alone.
    Pairs,
}

impl Clusters {
    /// Returns the number of blocks of a cluster, provided that the grid is a multiple of that number.
    pub fn blocks(self) -> u32 {
        match self {
            Self::Single => 1,
            Self::Pairs => 2,
        }
    }
}

/// The scope of a barrier, a copy or an exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reach {
    /// The block itself.
    #[default]
    Block,
    /// All blocks of its cluster.
    Cluster,
}

/// Calls `visit` with every operation of a block and its nested blocks, and with the operations around it.
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

/// Returns `true` if an operation has cluster scope, so that all blocks of the cluster must reach it the same
/// number of times.
pub(crate) fn is_cluster_scoped(kernel: &Kernel, kind: &OpKind) -> bool {
    let reach = |barriers| {
        let mut pairs = super::all_pipeline_barriers(kernel).into_iter();
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

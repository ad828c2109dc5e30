//! Pipeline barriers: circular buffers that producer warps fill while consumer warps read them.
//!
//! A kernel may have producer warps, which only issue copies ([`Kernel::producer_warps`](super::Kernel)); its
//! tiles are spread over the consumer warps. [`OpKind::WarpSpecialize`](super::OpKind) holds the producer's
//! program. Each stage has two mbarriers: consumers wait for the full one, the producer for the empty one:
//!
//! ```text
//!   init_mbarriers $full; init_mbarriers $empty arrivals=per_warp
//!   warp_specialize {                         the consumers continue below
//!     for … {
//!       producer_acquire ($full, $empty) stage, parity     the stage may be overwritten
//!       arrive_expect_tx $full …; tma_load …
//!     }
//!     producer_tail ($full, $empty) stage, parity          end of production
//!   }
//!   for … {
//!     consumer_wait $full stage, parity                    the tile has arrived
//!     read …
//!     consumer_release ($full, $empty) stage               each warp has read it
//!   }
//! ```
//!
//! A `consumer_release` of the stage after the last one releases nothing, so that the first iterations of a
//! loop need no branch.
//!
//! Both sides count: the `n`-th tile of a circular buffer of `S` stages is in stage `n % S`, `n / S` gives
//! the parity, and both sides process the same number of tiles. The first round of stages is empty at the
//! start: a wait for the phase before the first one returns immediately (PTX ISA, `mbarrier.test_wait`: a
//! phase whose parity differs from that of the current phase has completed).

use super::{BufferId, Reach};

/// The mbarriers of a circular buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PipelineBarriers {
    /// One mbarrier per stage, whose phase completes when the stage is full.
    pub full: BufferId,
    /// One mbarrier per stage, whose phase completes when the stage is empty, and one more, at which an
    /// arrival releases nothing.
    pub empty: BufferId,
    /// The warps that release a stage: those of the block, or those of all blocks of the cluster if one block
    /// copies for the others.
    pub reach: Reach,
}

/// The arrivals that complete a phase of an mbarrier.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Arrivals {
    /// One thread, once.
    #[default]
    One,
    /// Every warp over which tiles are spread, once.
    PerWarp,
    /// Every such warp of all blocks of the cluster, once.
    PerClusterWarp,
}

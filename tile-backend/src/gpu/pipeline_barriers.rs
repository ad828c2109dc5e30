//! Rings that some warps fill while others read them.
//!
//! A kernel may have warps that do nothing but begin copies ([`Kernel::producer_warps`](super::Kernel));
//! its tiles are spread over the others. [`OpKind::WarpSpecialize`](super::OpKind) has their program. Two
//! barriers per slot hand it to and fro, each for the other side:
//!
//! ```text
//!   init_mbarriers $filled; init_mbarriers $free per warp
//!   produce {                                the others go on below
//!     for … {
//!       producer_acquire ($filled, $free) slot, parity     the slot may be overwritten
//!       arrive_expect_tx $filled …; tma_load …
//!     }
//!     producer_tail ($filled, $free) slot, parity        no more
//!   }
//!   for … {
//!     consumer_wait $filled slot, parity             it has come
//!     read …
//!     free ($filled, $free) slot                    each warp has read it
//!   }
//! ```
//!
//! What frees the slot behind the last frees none, so that the first iterations of a loop need not be told from
//! the others.
//!
//! Both sides count: the `n`-th tile of a ring of `S` slots is in slot `n % S`, `n / S` says the parity,
//! and both must go through as many. The first round of slots is free, which a wait for the phase
//! before the first says at once (PTX ISA, `mbarrier.test_wait`: a parity that is not that of the
//! current phase is over).

use super::{BufferId, Reach};

/// Barriers of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PipelineBarriers {
    /// One per slot: that it is filled.
    pub full: BufferId,
    /// One per slot: that it is free. There is one more, at which an arrival frees nothing.
    pub empty: BufferId,
    /// Whose warps free a slot: all blocks of a cluster do where one copies for the others.
    pub reach: Reach,
}

/// Who arrives at a barrier before its phase can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrivals {
    /// One thread, once.
    One,
    /// Every warp that tiles are spread over, once.
    PerWarp,
    /// Every such warp of all blocks of the cluster, once.
    PerClusterWarp,
}

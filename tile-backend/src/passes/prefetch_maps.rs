//! Prefetches tensor maps at the start of a kernel.
//!
//! Input: a kernel with tensor maps. Output: the same with one more operation:
//!
//! ```text
//!   prefetch_maps
//!   init_mbarriers $2            …
//!   tma_load !0 $0 …             finds its map in the cache
//! ```
//!
//! The first copy with a map would wait for 128 bytes of parameter memory (PTX ISA, "prefetch").

use crate::gpu::{Kernel, OpKind};

/// Adds the prefetch to a kernel with maps.
pub(super) fn prefetch_maps(kernel: &mut Kernel) {
    if kernel.maps.is_empty() {
        return;
    }
    let prefetch = kernel.add_op(OpKind::PrefetchMaps, &[], &[], &[], kernel.loc);
    let body = kernel.body();
    kernel.block_mut(body).ops.insert(0, prefetch);
}

//! Chooses cache hints of loads.
//!
//! Input: a kernel before its loads become copies, which keep the hints. Output: the [`Caching`] of each load
//! of a view, chosen by which blocks read its tile again ([`Reuses`]):
//!
//! ```text
//!   read once                                                     `no_allocate`: bypasses L1
//!   read once, and other blocks read something else again         `evict_first`: also leaves L2 first
//!   a vector that every block reads, beside tiles read once       `evict_last`: leaves L2 last
//! ```
//!
//! Only memory that the kernel does not write, in rows of whole cache lines, gets a hint: otherwise the rest
//! of a line may still be needed. Only accesses to whole sectors bypass L1: otherwise L1 serves the rest of
//! the sector.

use crate::analysis::reuse::{Reuse, Reuses};
use crate::gpu::{Access, Caching, GlobalTile, Kernel, OpId, OpKind, each};

/// Size of a cache line.
const LINE_BYTES: u64 = 128;

/// Minimum number of bytes of an access that bypasses L1.
const MIN_VECTOR_BYTES: u64 = 16;

/// Sets the cache hint of each load.
pub(super) fn choose_cache_hints(kernel: &mut Kernel) {
    let mut loads = Vec::new();
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        if matches!(kernel.op(id).kind, OpKind::LoadGlobal(_)) {
            loads.push(id);
        }
    });
    let mut reuses = Reuses::analyze(kernel);
    let reuses: Vec<Reuse> = loads.iter().map(|&id| reuses.reuse(id)).collect();
    let is_any = |wanted: &[Reuse]| reuses.iter().any(|reuse| wanted.contains(reuse));
    let once = if is_any(&[Reuse::Again, Reuse::EveryBlock]) {
        Caching::EvictFirst
    } else {
        Caching::NoAllocate
    };
    let streams = loads.iter().zip(&reuses);
    let has_streams = { streams }.any(|(&id, &reuse)| {
        reuse == Reuse::Once && rank(kernel, id) >= 2 && has_whole_lines(tile_of(kernel, id))
    });
    for (&id, reuse) in loads.iter().zip(&reuses) {
        let tile = tile_of(kernel, id);
        let can = tile.access == Access::Read && has_whole_lines(tile);
        let said = match reuse {
            Reuse::Once if can && has_whole_sectors(kernel, id) => once,
            Reuse::EveryBlock if can && has_streams && rank(kernel, id) == 1 => Caching::EvictLast,
            _ => continue,
        };
        if let OpKind::LoadGlobal(GlobalTile { caching, .. }) = &mut kernel.op_mut(id).kind {
            *caching = said;
        }
    }
}

fn tile_of(kernel: &Kernel, load: OpId) -> &GlobalTile {
    match &kernel.op(load).kind {
        OpKind::LoadGlobal(tile) => tile,
        kind => unreachable!("{kind:?} is no load of a tile"),
    }
}

fn rank(kernel: &Kernel, load: OpId) -> usize {
    tile_of(kernel, load).axes.len()
}

/// Returns `true` if the tile consists of whole cache lines, as far as it is aligned.
fn has_whole_lines(tile: &GlobalTile) -> bool {
    tile.contiguous.is_some_and(|axis| {
        let bytes = tile.axes[axis.0].size * tile.element.bytes() as u64;
        bytes.is_multiple_of(LINE_BYTES)
    })
}

/// Returns `true` if each access of a warp covers whole sectors.
fn has_whole_sectors(kernel: &Kernel, load: OpId) -> bool {
    let tile = tile_of(kernel, load);
    let layout = kernel.layout_of(kernel.op(load).results[0]);
    let vector = tile.vectors(layout).width_elements * tile.element.bytes() as u64;
    let access = tile.first_access(layout);
    vector >= MIN_VECTOR_BYTES && access.is_some_and(|access| access.moved == access.useful)
}

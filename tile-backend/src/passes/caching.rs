//! What caches are told of the tiles that are loaded.
//!
//! In: a kernel before its loads become copies, which take along what is said here. Out: [`Caching`] of loads of
//! views, by who reads their tiles again ([`Reuses`]):
//!
//! ```text
//!   read once                                                   past the first cache
//!   read once, and something else is read again by other blocks   and the first to leave the second
//!   a vector that every block reads, beside tiles read once       the last to leave the second
//! ```
//!
//! Only memory that is not written in the kernel, in rows of whole cache lines: what the rest of a line is needed for
//! is not known. And only accesses of whole sectors go past the first cache, where otherwise the rest would be found.

use crate::analysis::reuse::{Reuse, Reuses};
use crate::gpu::{Access, Caching, GlobalTile, Kernel, OpId, OpKind, each};

/// A line of the caches.
const LINE_BYTES: u64 = 128;

/// The least that a thread loads at once past the first cache.
const MIN_VECTOR_BYTES: u64 = 16;

/// Says of each load how long caches keep its tile.
pub fn choose_cache_hints(kernel: &mut Kernel) {
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

/// Whether the tile is made of whole lines, as far as it is aligned.
fn has_whole_lines(tile: &GlobalTile) -> bool {
    tile.contiguous.is_some_and(|axis| {
        let bytes = tile.axes[axis.0].size * tile.element.bytes() as u64;
        bytes.is_multiple_of(LINE_BYTES)
    })
}

/// Whether each access of a warp is of whole sectors.
fn has_whole_sectors(kernel: &Kernel, load: OpId) -> bool {
    let tile = tile_of(kernel, load);
    let layout = kernel.layout_of(kernel.op(load).results[0]);
    let vector = tile.vectors(layout).width_elements * tile.element.bytes() as u64;
    let access = tile.first_access(layout);
    vector >= MIN_VECTOR_BYTES && access.is_some_and(|access| access.moved == access.useful)
}

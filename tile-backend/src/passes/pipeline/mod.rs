//! Loads of a loop that go to shared memory are copied there ahead of time.
//!
//! In: loops in which a tile is loaded from global memory, stored to a buffer, and read from it by
//! threads that need other parts of it. Out: the buffer is a ring of slots, and copies that need no
//! registers (`cp.async`) fill it some iterations ahead:
//!
//! ```text
//!   copy 0 into slot 0, commit;  …;  copy S-2 into slot S-2, commit
//!   for i {
//!     wait until S-2 groups are left      the thread's own part of slot i % S is there
//!     barrier                             everybody's is, and slot (i - 1) % S has been read
//!     copy i+S-1 into slot (i-1) % S, commit
//!     read slot i % S …
//!   }
//! ```
//!
//! If a product of the iteration is left open ([`open`]), it still reads slot (i - 1) % S there; then
//! everything is one slot less ahead.
//!
//! Every iteration commits a group, empty or not, so that the count of a wait is constant. After
//! the loop nothing is under way: what was copied was waited for.
//!
//! Where the host passes [tensor maps](crate::gpu::TensorMap), tiles of tensors that it knows are copied by
//! one thread, and a barrier per slot counts their bytes. Its phases take turns with the slots:
//!
//! ```text
//!   initialize barriers; for S-1 slots: expect bytes, copy
//!   for i {
//!     barrier                             slot (i - 1) % S has been read
//!     slot (i-1) % S: expect bytes, copy i+S-1
//!     wait for slot i % S, parity i / S % 2
//!     read slot i % S …
//!   }
//! ```
//!
//! Without maps, and where tiles are more boxes than rows, one warp copies long rows as they lie in memory
//! ([`bulk`]), counted by the same barriers.
//!
//! All kinds of copies may be in one loop, and both waits then. Where all tiles of a loop with products of
//! warpgroups come so, a warp of its own copies them ([`specialize`]).
//!
//! What is transposed for products, from a slot that was copied to, has copies of its own ([`transposed`]).
//!
//! A load qualifies if it is of memory that nothing in the kernel writes, or the loop writes nothing
//! at all; its tile goes to buffers, in
//! vectors of at least 4 bytes in both memories; its padding is zero or nothing; and where it lies
//! is computed from the induction variable, what does not change in the loop, and what the loop
//! carries along for that. The loop steps by a constant.
//!
//! Tiles that are needed in registers qualify too, such as factors that are converted before a product: they
//! get a ring of their own, from which each thread reads what it would have loaded. Without a product that has to
//! keep more bytes on their way than the loads would ([`streams`]). Where each thread reads what it copied itself, and
//! nobody else does, there is no barrier.

mod apply;
mod bulk;
mod candidates;
mod clusters;
mod open;
mod producer;
mod room;
mod rotate;
mod slice;
mod specialize;
mod streams;
mod tensors;
mod transposed;
mod turns;

use crate::gpu::{BlockId, Differing, Kernel, OpId, OpKind, each};
use crate::passes::allocate_shared;
use crate::passes::persistent::persistent;
use crate::resources::{HostBlocks, HostMaps};
use crate::target::{Arch, Feature};
use candidates::Plan;
use open::Open;

/// The most slots of a ring of which nobody says how many.
const MAX_SLOTS: u32 = 4;

/// Products that may be under way while their loop goes on.
const MOST_OPEN: u32 = 1;

/// Who fills rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Filler {
    /// Every thread.
    Threads,
    /// One warp, where tiles are few rows.
    Rows,
    /// One, where the host knows the tensor; else as [`Self::Rows`].
    Tensors,
}

/// Pipelines every loop that qualifies.
pub fn pipeline(kernel: &mut Kernel, arch: Arch, maps: HostMaps, blocks: HostBlocks) {
    let filler = match maps {
        HostMaps::Encoded if arch.has(Feature::Tma) => Filler::Tensors,
        HostMaps::None if arch.has(Feature::Tma) => Filler::Rows,
        HostMaps::Encoded | HostMaps::None => Filler::Threads,
    };
    let how = How { arch, filler };
    if filler == Filler::Tensors {
        let positions = match blocks {
            HostBlocks::AtOnce if has_even_work(kernel) => persistent(kernel),
            HostBlocks::AtOnce | HostBlocks::OfGrid => None,
        };
        let specialized = positions
            .and_then(|kernel| specialize::specialized(&kernel, how))
            .or_else(|| specialize::specialized(kernel, how));
        if let Some(specialized) = specialized {
            *kernel = clusters::paired(&specialized).unwrap_or(specialized);
        }
    }
    for (block, id) in loops(kernel) {
        let plan = candidates::of(kernel, id);
        let pipelined = deepest(kernel, block, id, &plan, how)
            .or_else(|| deepest(kernel, block, id, &plan.without_own(), how));
        if let Some(pipelined) = pipelined {
            *kernel = pipelined;
        }
    }
}

/// Whether every block does as much, as far as loops with products say. If not, the hardware shares positions
/// out better, which gives the next one to whichever block is done: with causal attention the first rows have
/// the fewest keys.
fn has_even_work(kernel: &Kernel) -> bool {
    uneven(kernel).is_none()
}

/// The first loop or branch around a product that blocks go through more or less often.
pub(crate) fn uneven(kernel: &Kernel) -> Option<OpId> {
    let differing = Differing::of_any(kernel);
    let mut found = None;
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, around| {
        if found.is_none() && matches!(kernel.op(id).kind, OpKind::Wgmma(_)) {
            let mut around = around.iter().copied();
            found = around.find(|&id| !differing.are_decided_alike(&[id]));
        }
    });
    found
}

/// What loops are pipelined for.
#[derive(Clone, Copy, Debug)]
struct How {
    arch: Arch,
    filler: Filler,
}

/// The kernel with as many slots as are asked for, or as fit; if nobody asks, with the most that leave
/// room for a second block on the multiprocessor, if those are at least three; else with the most that
/// fit at all. `None` if not even two do.
fn deepest(kernel: &Kernel, block: BlockId, id: OpId, plan: &Plan, how: How) -> Option<Kernel> {
    let How { arch, filler } = how;
    if plan.candidates.is_empty() {
        return None;
    }
    let loads = plan.candidates.iter().map(|candidate| candidate.load);
    let asked = room::asked(kernel, loads);
    let most = asked.unwrap_or(MAX_SLOTS);
    let most = candidates::constant_trips(kernel, id).map_or(most, |trips| {
        u32::try_from(trips).map_or(most, |trips| trips.min(most))
    });
    let is_stream = streams::is_stream(plan);
    let most = match asked {
        None if is_stream => streams::slots(kernel, plan, arch, most)?,
        _ => most,
    };
    let limit = room::bytes(kernel, arch);
    let open = Open::of(kernel, id);
    let mut fitting = None;
    for slots in (2..=most).rev() {
        let apply = |lag| {
            let mut pipelined = kernel.clone();
            let depth = apply::Depth { slots, lag };
            apply::apply(&mut pipelined, block, id, plan, depth, filler);
            pipelined
        };
        // A product that is left open takes a slot for longer.
        let open = open.filter(|_| slots >= MOST_OPEN + 2).and_then(|open| {
            let mut pipelined = apply(MOST_OPEN);
            open.keeps_factors(&pipelined, id).then(|| {
                open.leave(&mut pipelined, block, id);
                pipelined
            })
        });
        let lag = if open.is_some() { MOST_OPEN } else { 0 };
        let mut pipelined = open.unwrap_or_else(|| apply(0));
        allocate_shared(&mut pipelined);
        let bytes = pipelined.shared_bytes;
        if slots >= 3 + lag && bytes <= limit / 2
            || is_stream && bytes <= limit
            || asked.is_some() && bytes <= limit
        {
            return Some(pipelined);
        }
        if bytes <= limit && fitting.is_none() {
            fitting = Some(pipelined);
        }
    }
    fitting
}

/// Every loop with the block that it stands in, inner ones first.
fn loops(kernel: &Kernel) -> Vec<(BlockId, OpId)> {
    fn visit(kernel: &Kernel, block: BlockId, found: &mut Vec<(BlockId, OpId)>) {
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            for &inner in &op.blocks {
                visit(kernel, inner, found);
            }
            if matches!(op.kind, OpKind::For { .. }) {
                found.push((block, id));
            }
        }
    }
    let mut found = Vec::new();
    visit(kernel, kernel.body(), &mut found);
    found
}

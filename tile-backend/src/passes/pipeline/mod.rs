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
//! If a product of the iteration is left open ([`in_flight_mma`]), it still reads slot (i - 1) % S there; then
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
//! warpgroups come so, a warp of its own copies them ([`warp_specialize`]).
//!
//! What is transposed for products, from a slot that was copied to, has copies of its own ([`transpose_shared`]).
//!
//! A load qualifies if it is of memory that nothing in the kernel writes, or the loop writes nothing
//! at all; its tile goes to buffers, in
//! vectors of at least 4 bytes in both memories; its padding is zero or nothing; and where it lies
//! is computed from the induction variable, what does not change in the loop, and what the loop
//! carries along for that. The loop steps by a constant.
//!
//! Tiles that are needed in registers qualify too, such as factors that are converted before a product: they
//! get a ring of their own, from which each thread reads what it would have loaded. Without a product that has to
//! keep more bytes on their way than the loads would ([`memory_bound`]). Where each thread reads what it copied itself, and
//! nobody else does, there is no barrier.

mod apply;
mod backward_slice;
mod bulk;
mod candidates;
mod in_flight_mma;
mod loop_carried_state;
mod memory_bound;
mod multicast;
mod producer;
mod rotate;
mod smem_budget;
mod tma;
mod transpose_shared;
mod warp_specialize;

use crate::gpu::{BlockId, Divergence, Kernel, OpId, OpKind, each};
use crate::passes::allocate_shared;
use crate::passes::persistent::persistent;
use crate::resources::{HostMaps, Persistence};
use crate::target::{Arch, Feature};
use candidates::Plan;
use in_flight_mma::InFlightMma;

/// The most slots of a ring of which nobody says how many.
const MAX_STAGES: u32 = 4;

/// Products that may be under way while their loop goes on.
const MAX_IN_FLIGHT_MMAS: u32 = 1;

/// Who fills rings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CopyMethod {
    /// Every thread.
    CpAsync,
    /// One warp, where tiles are few rows.
    Bulk,
    /// One, where the host knows the tensor; else as [`Self::Bulk`].
    Tma,
}

/// Pipelines every loop that qualifies.
pub fn pipeline(kernel: &mut Kernel, arch: Arch, maps: HostMaps, blocks: Persistence) {
    let copy_method = match maps {
        HostMaps::Encoded if arch.has(Feature::Tma) => CopyMethod::Tma,
        HostMaps::None if arch.has(Feature::Tma) => CopyMethod::Bulk,
        HostMaps::Encoded | HostMaps::None => CopyMethod::CpAsync,
    };
    let target = How { arch, copy_method };
    if copy_method == CopyMethod::Tma {
        let persistent_kernel = match blocks {
            Persistence::Auto if is_uniform_work(kernel) => persistent(kernel),
            Persistence::Auto | Persistence::Off => None,
        };
        let warp_specialized = persistent_kernel
            .and_then(|kernel| warp_specialize::warp_specialized(&kernel, target))
            .or_else(|| warp_specialize::warp_specialized(kernel, target));
        if let Some(warp_specialized) = warp_specialized {
            *kernel = multicast::multicast_pairs(&warp_specialized).unwrap_or(warp_specialized);
        }
    }
    for (block, id) in loops(kernel) {
        let plan = candidates::plan_loop(kernel, id);
        let pipelined = deepest(kernel, block, id, &plan, target)
            .or_else(|| deepest(kernel, block, id, &plan.without_own_buffers(), target));
        if let Some(pipelined) = pipelined {
            *kernel = pipelined;
        }
    }
}

/// Whether every block does as much, as far as loops with products say. If not, the hardware shares positions
/// out better, which gives the next one to whichever block is done: with causal attention the first rows have
/// the fewest keys.
fn is_uniform_work(kernel: &Kernel) -> bool {
    first_uneven_loop(kernel).is_none()
}

/// The first loop or branch around a product that blocks go through more or less often.
pub(crate) fn first_uneven_loop(kernel: &Kernel) -> Option<OpId> {
    let differing = Divergence::analyze_any(kernel);
    let mut first_uneven = None;
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, around| {
        if first_uneven.is_none() && matches!(kernel.op(id).kind, OpKind::Wgmma(_)) {
            let mut around = around.iter().copied();
            first_uneven = around.find(|&id| !differing.is_decided_alike(&[id]));
        }
    });
    first_uneven
}

/// What loops are pipelined for.
#[derive(Clone, Copy, Debug)]
struct How {
    arch: Arch,
    copy_method: CopyMethod,
}

/// The kernel with as many slots as are asked for, or as fit; if nobody asks, with the most that leave
/// room for a second block on the multiprocessor, if those are at least three; else with the most that
/// fit at all. `None` if not even two do.
fn deepest(kernel: &Kernel, block: BlockId, id: OpId, plan: &Plan, target: How) -> Option<Kernel> {
    let How { arch, copy_method } = target;
    if plan.candidates.is_empty() {
        return None;
    }
    let loads = plan.candidates.iter().map(|candidate| candidate.load);
    let asked = smem_budget::asked(kernel, loads);
    let most = asked.unwrap_or(MAX_STAGES);
    let most = candidates::constant_trips(kernel, id).map_or(most, |trips| {
        u32::try_from(trips).map_or(most, |trips| trips.min(most))
    });
    let is_memory_bound = memory_bound::is_memory_bound(plan);
    let most = match asked {
        None if is_memory_bound => memory_bound::stages(kernel, plan, arch, most)?,
        _ => most,
    };
    let limit = smem_budget::bytes(kernel, arch);
    let in_flight = InFlightMma::find(kernel, id);
    let mut fitting = None;
    for stages in (2..=most).rev() {
        let apply = |lag| {
            let mut pipelined = kernel.clone();
            let depth = apply::Depth { stages, lag };
            apply::apply(&mut pipelined, block, id, plan, depth, copy_method);
            pipelined
        };
        // A product that is left open takes a slot for longer.
        let in_flight = in_flight
            .filter(|_| stages >= MAX_IN_FLIGHT_MMAS + 2)
            .and_then(|in_flight| {
                let mut pipelined = apply(MAX_IN_FLIGHT_MMAS);
                in_flight.keeps_operands(&pipelined, id).then(|| {
                    in_flight.leave(&mut pipelined, block, id);
                    pipelined
                })
            });
        let lag = if in_flight.is_some() {
            MAX_IN_FLIGHT_MMAS
        } else {
            0
        };
        let mut pipelined = in_flight.unwrap_or_else(|| apply(0));
        allocate_shared(&mut pipelined);
        let bytes = pipelined.shared_bytes;
        if stages >= 3 + lag && bytes <= limit / 2
            || is_memory_bound && bytes <= limit
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
    fn visit(kernel: &Kernel, block: BlockId, loop_ids: &mut Vec<(BlockId, OpId)>) {
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            for &inner in &op.blocks {
                visit(kernel, inner, loop_ids);
            }
            if matches!(op.kind, OpKind::For { .. }) {
                loop_ids.push((block, id));
            }
        }
    }
    let mut loop_ids = Vec::new();
    visit(kernel, kernel.body(), &mut loop_ids);
    loop_ids
}

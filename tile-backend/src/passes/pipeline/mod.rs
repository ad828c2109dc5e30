//! Software-pipelines global-to-shared loads with `cp.async` or TMA.
//!
//! Input: loops that load a tile from global memory, store it to a buffer, and read it from there in other
//! threads than those that loaded it. Output: the buffer is circular, with several stages, and copies that
//! need no registers (`cp.async`) fill it some iterations ahead:
//!
//! ```text
//!   copy 0 into stage 0, commit;  …;  copy S-2 into stage S-2, commit
//!   for i {
//!     wait until S-2 groups are left      the thread's own part of stage i % S has arrived
//!     barrier                             everybody's has, and stage (i - 1) % S has been read
//!     copy i+S-1 into stage (i-1) % S, commit
//!     read stage i % S …
//!   }
//! ```
//!
//! If an MMA stays in flight across the back edge ([`in_flight_mma`]), it still reads stage (i - 1) % S at
//! the barrier, so copies run one stage less ahead.
//!
//! Every iteration commits a group, empty or not, so the count of a wait is constant. No copy is in flight
//! after the loop, which has waited for all of them.
//!
//! Where the host passes [tensor maps](crate::gpu::TensorMap), one thread issues TMA loads for tiles whose
//! tensors the host knows, and an mbarrier per stage counts their bytes. The parity of its phase flips with
//! each round of stages:
//!
//! ```text
//!   initialize mbarriers; for S-1 stages: expect bytes, copy
//!   for i {
//!     barrier                             stage (i - 1) % S has been read
//!     stage (i-1) % S: expect bytes, copy i+S-1
//!     wait for stage i % S, parity i / S % 2
//!     read stage i % S …
//!   }
//! ```
//!
//! Without maps, and where a tile has more boxes than rows, one warp issues bulk copies of long rows
//! ([`bulk`]). The same mbarriers count their bytes.
//!
//! All kinds of copies may occur in one loop, which then has both waits. Where TMA loads all tiles of a loop
//! with warpgroup MMAs, a producer warp issues the loads ([`warp_specialize`]).
//!
//! Operands that are transposed in shared memory, from a stage to a second buffer, have several copies of the
//! second buffer ([`transpose_shared`]).
//!
//! A load qualifies if it reads memory that the kernel does not write, or if the loop does not write at all.
//! Its tile must go to buffers, in vectors of at least 4 bytes in both memories, and its padding must be zero
//! or unspecified. Its place must be computed from the induction variable, from loop-invariant values, and
//! from values that the loop carries for that purpose alone. The step of the loop must be a constant.
//!
//! Tiles that are needed in registers qualify too, such as scales that are converted before an MMA: they get
//! a circular buffer of their own, from which each thread reads the elements that it would have loaded.
//! Without an MMA this buffer must keep more bytes in flight than plain loads would ([`memory_bound`]). Where
//! each thread reads only what it copied itself, there is no barrier.

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
use crate::options::{HostMaps, Persistence};
use crate::passes::allocate_shared;
use crate::passes::persistent::persistent;
use crate::target::{Arch, Feature};
use candidates::Plan;
use in_flight_mma::InFlightMma;

/// Maximum number of stages, unless an option asks for more.
const MAX_STAGES: u32 = 4;

/// Number of MMAs that may be in flight across the back edge.
const MAX_IN_FLIGHT_MMAS: u32 = 1;

/// The threads that issue the copies, and the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CopyMethod {
    /// Every thread issues `cp.async`.
    CpAsync,
    /// One warp issues bulk copies where tiles have few rows; elsewhere every thread issues `cp.async`.
    Bulk,
    /// One thread issues TMA loads where the host knows the tensor; elsewhere as [`Self::Bulk`].
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

/// Returns `true` if every block does the same amount of work, judging by the loops with MMAs. Where blocks
/// differ, the hardware scheduler balances work tiles better than a persistent kernel, since it starts the
/// next work tile as soon as any block ends. Blocks differ in causal attention, where the first rows have the
/// fewest keys.
fn is_uniform_work(kernel: &Kernel) -> bool {
    first_uneven_loop(kernel).is_none()
}

/// Returns the first loop or branch around an MMA that some blocks may execute more often than others.
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

/// The target of pipelining.
#[derive(Clone, Copy, Debug)]
struct How {
    arch: Arch,
    copy_method: CopyMethod,
}

/// Returns the kernel with the requested number of stages, or with as many of them as fit. Without a request,
/// the kernel gets the most stages that leave room for a second block per multiprocessor if these are at
/// least three, otherwise the most that fit. Returns `None` if not even two stages fit.
fn deepest(kernel: &Kernel, block: BlockId, id: OpId, plan: &Plan, target: How) -> Option<Kernel> {
    let How { arch, copy_method } = target;
    if plan.candidates.is_empty() {
        return None;
    }
    let loads = plan.candidates.iter().map(|candidate| candidate.load);
    let asked = smem_budget::asked(kernel, loads);
    let most = asked.unwrap_or(MAX_STAGES);
    // More stages than iterations would never be filled.
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
        // An MMA that stays in flight occupies its stage one iteration longer.
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
        let bytes = pipelined.shared.bytes;
        // A second block per multiprocessor is worth more than further stages, provided that three stages
        // remain. Memory-bound loops are exempt, since their buffers are already sized for the number of
        // blocks, and so are stages that an option requests.
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

/// Returns every loop with its block, inner loops first.
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

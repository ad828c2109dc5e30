//! Searches for the schedule of a kernel of GPU IR.
//!
//! Input: a kernel in which every block processes one work tile and every loop loads what it uses; what
//! lowering has applied; a target; the requests of the author. Output: the [`Schedule`] that the passes apply.
//!
//! First come two decisions that compete with no others: the rewrites of masks, and the order of work tiles.
//! Candidates for the rest are judged by the kernel that they give ([`Figures`]). They are tried from the best to the
//! simplest, and the first that fits wins:
//!
//! 1. persistent and warp-specialized, with the most stages that fit; if these are few, also with an epilogue
//!    in halves or quarters
//! 2. warp-specialized; a kernel of one consumer warpgroup leaves room for a second block, as long as two or
//!    three stages remain
//! 3. of a specialized kernel, pairs of blocks that multicast tiles to each other, if that pays
//! 4. of every other loop, the stages that its own warps fill ahead

use super::explain::{Candidate, Decision, Explanation, Verdict};
use super::uneven_work::first_uneven_loop;
use super::{CopyMethods, Epilogue, Figures, LoopSchedule, Refusal, Schedule, Target};
use super::{masks, memory_bound, model, tile_order};
use crate::gpu::{Clusters, Kernel, LptOrder, OpId, OpKind, RasterOrder, each};
use crate::options::{DisabledPasses, Persistence};
use crate::passes::allocate_shared::allocate_shared;
use crate::passes::epilogue_subtiles::subtile_epilogue;
use crate::passes::persistent::make_persistent;
use crate::passes::pipeline::{
    InFlightMma, MIN_ROTATED_STAGES, Plan, constant_trips, contains, is_multicast_profitable,
    loops, may_specialize, multicast_loads, pipeline_loop, plan_loop, specialize_loops,
};
use crate::passes::rewrite_after_masks;
use crate::target::Feature;
use std::ops::RangeInclusive;

/// Maximum number of stages that the loop's own warps fill, unless an option asks for more.
const MAX_STAGES: u32 = 4;

/// Maximum number of stages that a producer warp fills, unless an option asks for more.
const MAX_SPECIALIZED_STAGES: u32 = 6;

/// Maximum number of combined states of all circular buffers: the verifier runs the loops once for each.
const MAX_STATES: u32 = 64;

/// Number of MMAs that may be in flight across the back edge.
const MAX_IN_FLIGHT_MMAS: u32 = 1;

/// Number of warps of a warpgroup, the unit in which `setmaxnreg` moves registers.
const WARPS_PER_WARPGROUP: u32 = 4;

/// Number of blocks that a multiprocessor should run simultaneously if a block has one consumer warpgroup.
const SMALL_BLOCKS: u32 = 2;

/// Minimum number of stages in a persistent kernel, where the buffer of the stored tile also takes shared
/// memory.
const MIN_PERSISTENT_STAGES: u32 = 3;

/// Number of stages from which on tiles are stored as a whole: further stages are not worth the barriers
/// around subtiles.
const PREFERRED_STAGES: u32 = 4;

/// Maximum number of accumulator registers per thread with which two blocks, each of one warpgroup and a
/// producer warp, fit a multiprocessor: those of a 64x128 accumulator. Of the ten warps, some partition of
/// the multiprocessor has three, which leaves 168 registers per thread.
const SMALL_ACCUMULATOR: usize = 64;

/// Completes the schedule of a kernel, which so far leaves the kernel as it was lowered. The explanation gets
/// every candidate.
pub(crate) fn choose(
    kernel: &Kernel,
    lowered: Schedule,
    target: Target,
    explanation: &mut Explanation,
) -> Schedule {
    let schedule = search(kernel, lowered, target, explanation);
    explanation.choose(&kernel.name, &schedule);
    schedule
}

fn search(
    kernel: &Kernel,
    lowered: Schedule,
    target: Target,
    explanation: &mut Explanation,
) -> Schedule {
    let mut search = Search {
        name: &kernel.name,
        target,
        explanation,
    };
    let mut best = Variant {
        kernel: kernel.clone(),
        schedule: lowered,
    };
    search.rewrite_masks(&mut best);
    rewrite_after_masks(&mut best.kernel);
    best.schedule.raster_order = search.raster_order(&best.kernel);
    // Circular buffers hold whole tiles, so kernels with a cluster split are not pipelined.
    if kernel.launch.blocks_per_tile > 1 {
        return best.schedule;
    }
    if let Some(specialized) = search.specialize(&best) {
        best = search.multicast(&specialized).unwrap_or(specialized);
    }
    for (_, id) in loops(&best.kernel) {
        let pipelined = search.pipeline(&best, id);
        // The loads of specialized loops are those of producer warps, whose stages are decided.
        let is_left = pipelined.is_ok() || best.schedule.specialized.is_empty();
        search.explanation.decide_all(search.name, || {
            let candidate = format!("loop in line {}", best.kernel.op(id).loc.line());
            let decision = Decision::new("stages", candidate, String::new());
            let decision = match &pipelined {
                Ok(pipelined) => decision.chosen(pipelined.schedule.stages_of(id)),
                Err(refusal) => decision.refused(*refusal),
            };
            is_left.then_some(decision)
        });
        best = pipelined.unwrap_or(best);
    }
    best.schedule
}

/// A kernel to which the schedule so far has been applied.
#[derive(Clone)]
struct Variant {
    kernel: Kernel,
    schedule: Schedule,
}

/// A pass that applies a part of a schedule.
type Apply = fn(&mut Kernel, &Schedule) -> Result<(), Refusal>;

impl Variant {
    /// Returns the variant with a change of the schedule, which `apply` makes in the kernel.
    fn with(&self, apply: Apply, change: impl FnOnce(&mut Schedule)) -> Result<Self, Refusal> {
        let mut variant = self.clone();
        change(&mut variant.schedule);
        apply(&mut variant.kernel, &variant.schedule)?;
        Ok(variant)
    }

    /// Returns `true` if the author has not disabled an optimization.
    fn allows(&self, optimization: DisabledPasses) -> bool {
        !self.kernel.requests.options.disabled.contains(optimization)
    }

    /// Returns the number of stages of specialized loops.
    fn stages(&self) -> u32 {
        let stages = self.schedule.specialized.iter().map(|it| it.stages);
        stages.max().unwrap_or(0)
    }
}

struct Search<'a> {
    name: &'a str,
    target: Target,
    explanation: &'a mut Explanation,
}

impl Search<'_> {
    /// Makes the rewrites of masks that change the kernel.
    fn rewrite_masks(&mut self, base: &mut Variant) {
        for it in masks::REWRITES {
            let rewritten = if base.allows(it.flag) {
                (it.apply)(&mut base.kernel)
            } else {
                Err(Refusal::Because("it is disabled"))
            };
            *(it.field)(&mut base.schedule.masks) = rewritten.is_ok();
            self.explanation.decide(self.name, || {
                let decision = Decision::new("masks", it.name.to_owned(), String::new());
                match rewritten {
                    Ok(()) => decision.chosen(it.effect),
                    Err(refusal) => decision.refused(refusal),
                }
            });
        }
    }

    /// Returns the order of work tiles.
    fn raster_order(&mut self, kernel: &Kernel) -> RasterOrder {
        let (order, decision) = match tile_order::choose(kernel) {
            Ok(order) => (RasterOrder::Lpt(order), Ok(order)),
            Err(refusal) => (kernel.launch.raster_order, Err(refusal)),
        };
        self.explanation.decide(self.name, || {
            let row = Decision::new("raster order", "longest first".to_owned(), String::new());
            match decision {
                Ok(LptOrder { axis, rises }) => {
                    let more = if rises { "more" } else { "fewer" };
                    row.chosen(format!(
                        "loops have {more} iterations further along axis {axis}"
                    ))
                }
                Err(refusal) => row.refused(refusal),
            }
        });
        order
    }

    /// Allocates the shared memory of a candidate and judges it. Returns the bytes if they fit.
    fn fit(&mut self, candidate: &mut Variant) -> Option<u32> {
        allocate_shared(&mut candidate.kernel);
        let figures = Figures::measure(&candidate.kernel, self.target.arch);
        let fits = figures.shared_bytes <= figures.shared_limit;
        let verdict = if fits {
            Verdict::Fits
        } else {
            Verdict::ExceedsSharedMemory
        };
        self.explanation.add(self.name, || Candidate {
            schedule: candidate.schedule.clone(),
            figures: Some(figures),
            verdict,
        });
        fits.then_some(figures.shared_bytes)
    }

    /// Adds a candidate that cannot be applied to the explanation.
    fn refuse(&mut self, schedule: &Schedule, refusal: Refusal) {
        self.explanation.add(self.name, || Candidate {
            schedule: schedule.clone(),
            figures: None,
            verdict: Verdict::Refused(refusal),
        });
    }

    /// Returns the warp-specialized kernel, persistent if possible.
    fn specialize(&mut self, base: &Variant) -> Option<Variant> {
        let target = self.target;
        let lacks = if !target.arch.has(Feature::Tma) || !target.arch.has(Feature::Wgmma) {
            Some("the target lacks TMA or MMAs of warpgroups")
        } else if !target.copies().tma {
            Some("the launch passes no tensor maps")
        } else {
            None
        };
        if let Some(lacks) = lacks {
            self.explanation.decide(self.name, || {
                let candidate = "producer warps, persistence".to_owned();
                Decision::new("roles", candidate, String::new()).refused(lacks)
            });
            return None;
        }
        if target.persistence == Persistence::Auto {
            let change = |schedule: &mut Schedule| schedule.is_persistent = true;
            let persistent = match first_uneven_loop(&base.kernel) {
                None => base.with(make_persistent, change),
                Some(_) => Err(Refusal::Because("work tiles differ in length")),
            };
            match persistent {
                Ok(persistent) => {
                    if let Some(specialized) = self.specialize_loops(&persistent) {
                        return Some(specialized);
                    }
                }
                Err(refusal) => {
                    let mut schedule = base.schedule.clone();
                    change(&mut schedule);
                    self.refuse(&schedule, refusal);
                }
            }
        } else {
            let mut schedule = base.schedule.clone();
            schedule.is_persistent = true;
            let reason = "the launch starts one block per work tile";
            self.refuse(&schedule, Refusal::Because(reason));
        }
        self.specialize_loops(base)
    }

    /// Returns the kernel with the most stages in specialized loops, if any loop qualifies.
    fn specialize_loops(&mut self, base: &Variant) -> Option<Variant> {
        if let Err(refusal) = is_specializable(base) {
            self.refuse(&base.schedule, refusal);
            return None;
        }
        let kernel = &base.kernel;
        let chosen = specializable_loops(kernel);
        if chosen.is_empty() {
            let refusal = Refusal::Because("no loop has only tiles that TMA loads");
            self.refuse(&base.schedule, refusal);
            return None;
        }
        // In kernels with more MMAs per loop, such as attention, work tiles differ in length. The hardware
        // scheduler balances them better than a persistent kernel.
        if base.schedule.is_persistent && num_mmas(kernel) != chosen.len() {
            let refusal = Refusal::Because("a loop has several MMAs");
            self.refuse(&base.schedule, refusal);
            return None;
        }
        let loads = chosen.iter().flat_map(|it| &it.plan.candidates);
        let requested = model::requested_stages(kernel, loads.map(|candidate| candidate.load));
        if requested.is_some_and(|stages| stages < 2) {
            self.refuse(&base.schedule, Refusal::Because("one stage was requested"));
            return None;
        }
        // A warpgroup leaves half of a multiprocessor idle; two blocks hide each other's latency.
        let launch = &kernel.launch;
        let is_small =
            launch.num_warps == WARPS_PER_WARPGROUP && launch.blocks_per_multiprocessor == 1;
        let blocks = is_small.then_some(SMALL_BLOCKS).into_iter();
        blocks
            .chain([launch.blocks_per_multiprocessor])
            .find_map(|blocks| {
                let most = requested.unwrap_or(MAX_SPECIALIZED_STAGES);
                let most = most.min(max_verified_stages(chosen.len()));
                // A second block is worth more than the last stages, but not more than the first two or
                // three, nor than requested stages.
                let least = if base.schedule.is_persistent {
                    requested.map_or(MIN_PERSISTENT_STAGES, |_| most).min(most)
                } else if blocks == SMALL_BLOCKS && is_small {
                    requested.map_or(most.clamp(2, 3), |_| most)
                } else {
                    2
                };
                let mut base = base.clone();
                base.schedule.blocks_per_multiprocessor = blocks;
                base.kernel.launch.blocks_per_multiprocessor = blocks;
                self.subtile(&base, &chosen, least..=most)
            })
    }

    /// Returns the kernel with the most stages, and with an epilogue in subtiles if that gains stages where
    /// there are few.
    fn subtile(
        &mut self,
        base: &Variant,
        chosen: &[Chosen],
        stages: RangeInclusive<u32>,
    ) -> Option<Variant> {
        let (least, most) = (*stages.start(), *stages.end());
        let mut best = self.most_stages(base, chosen, stages);
        let may_cut =
            base.schedule.is_persistent && base.allows(DisabledPasses::EPILOGUE_SUBTILING);
        let has_few = best.as_ref().map_or(0, Variant::stages) < most.min(PREFERRED_STAGES);
        if may_cut && has_few {
            for epilogue in [Epilogue::Halves, Epilogue::Quarters] {
                let subtiled = base.with(subtile_epilogue, |schedule| schedule.epilogue = epilogue);
                if let Ok(subtiled) = subtiled {
                    let more = best.as_ref().map_or(least, |best| best.stages() + 1);
                    best = self.most_stages(&subtiled, chosen, more..=most).or(best);
                }
            }
        }
        best
    }

    /// Returns the kernel with the most stages in each circular buffer that fit.
    fn most_stages(
        &mut self,
        base: &Variant,
        chosen: &[Chosen],
        stages: RangeInclusive<u32>,
    ) -> Option<Variant> {
        stages.rev().find_map(|stages| {
            let mut candidate = self.with_stages(base, chosen, stages)?;
            self.fit(&mut candidate).map(|_| candidate)
        })
    }

    /// Returns the kernel with `stages` in each circular buffer, and MMAs in flight where possible.
    fn with_stages(&mut self, base: &Variant, chosen: &[Chosen], stages: u32) -> Option<Variant> {
        let mut schedule = base.schedule.clone();
        schedule.rotates =
            stages >= MIN_ROTATED_STAGES && base.allows(DisabledPasses::LOOP_ROTATION);
        schedule.ping_pong = base.allows(DisabledPasses::PING_PONG);
        schedule.specialized = { chosen.iter() }
            .map(|it| LoopSchedule {
                id: it.id,
                stages,
                in_flight_mmas: Self::in_flight_mmas(base, it.id, stages),
                has_own_buffers: it.has_own_buffers,
                copies: CopyMethods::TMA,
            })
            .collect();
        let plans: Vec<&Plan> = chosen.iter().map(|it| &it.plan).collect();
        loop {
            let mut kernel = base.kernel.clone();
            match specialize_loops(&mut kernel, &plans, &schedule) {
                Ok(()) => return Some(Variant { kernel, schedule }),
                Err(Refusal::OverwritesOperands(id)) => {
                    let mut loops = schedule.specialized.iter_mut();
                    let of_loop = loops.find(|it| it.id == id);
                    of_loop
                        .expect("a specialized loop was refused")
                        .in_flight_mmas = 0;
                }
                Err(refusal) => {
                    self.refuse(&schedule, refusal);
                    return None;
                }
            }
        }
    }

    /// Returns the number of MMAs of a loop that could stay in flight with this number of stages. An MMA that
    /// stays in flight occupies its stage one iteration longer.
    fn in_flight_mmas(base: &Variant, id: OpId, stages: u32) -> u32 {
        let is_possible = stages >= MAX_IN_FLIGHT_MMAS + 2
            && base.allows(DisabledPasses::ASYNC_MMA)
            && InFlightMma::find(&base.kernel, id).is_some();
        if is_possible { MAX_IN_FLIGHT_MMAS } else { 0 }
    }

    /// Returns the kernel for pairs of blocks, if pairs are possible and pay or are requested.
    fn multicast(&mut self, base: &Variant) -> Option<Variant> {
        let requested = base.kernel.requests.options.cluster;
        if requested == Some(1) {
            return None;
        }
        let change = |schedule: &mut Schedule| {
            schedule.clusters = Clusters::Pairs;
            if let RasterOrder::Lpt(_) = schedule.raster_order {
                // LPT order would not keep neighbours along the first axis adjacent in the launch.
                schedule.raster_order = RasterOrder::Any;
            }
        };
        let multicast = if requested.is_none() && !is_multicast_profitable(&base.kernel) {
            Err(Refusal::Because("multicast does not pay"))
        } else {
            base.with(multicast_loads, change)
        };
        match multicast {
            Ok(mut multicast) => {
                self.fit(&mut multicast);
                Some(multicast)
            }
            Err(refusal) => {
                let mut schedule = base.schedule.clone();
                change(&mut schedule);
                self.refuse(&schedule, refusal);
                None
            }
        }
    }

    /// Returns the kernel with the loop `id` pipelined, if the loop has loads that can be prefetched.
    fn pipeline(&mut self, base: &Variant, id: OpId) -> Result<Variant, Refusal> {
        let plan = plan_loop(&base.kernel, id);
        let with_own_buffers = self.deepest(base, id, &plan, true);
        with_own_buffers.or_else(|_| self.deepest(base, id, &plan.without_own_buffers(), false))
    }

    /// Returns the kernel with the requested number of stages, or with as many of them as fit. Without a
    /// request, the kernel gets the most stages that leave room for a second block per multiprocessor if
    /// these are at least three, otherwise the most that fit. Not even two stages may fit.
    fn deepest(
        &mut self,
        base: &Variant,
        id: OpId,
        plan: &Plan,
        has_own_buffers: bool,
    ) -> Result<Variant, Refusal> {
        if plan.candidates.is_empty() {
            return Err(Refusal::Because("no load of the loop can be prefetched"));
        }
        let loads = plan.candidates.iter().map(|candidate| candidate.load);
        let requested = model::requested_stages(&base.kernel, loads);
        let most = requested.unwrap_or(MAX_STAGES);
        // More stages than iterations would never be filled.
        let trips = constant_trips(&base.kernel, id).and_then(|trips| u32::try_from(trips).ok());
        let most = trips.map_or(most, |trips| trips.min(most));
        let is_memory_bound = memory_bound::is_memory_bound(plan);
        let most = match requested {
            None if is_memory_bound => {
                let stages = memory_bound::stages(&base.kernel, plan, self.target.arch, most);
                stages.ok_or(Refusal::Because("plain loads keep enough bytes in flight"))?
            }
            _ => most,
        };
        if most < 2 {
            let reason = "one stage was requested, or there is one iteration";
            return Err(Refusal::Because(reason));
        }
        let limit = model::shared_limit(&base.kernel, self.target.arch);
        let mut fitting = None;
        for stages in (2..=most).rev() {
            let mut copies = self.target.copies();
            copies.bulk &= base.allows(DisabledPasses::BULK_COPIES);
            let of_loop = LoopSchedule {
                id,
                stages,
                in_flight_mmas: Self::in_flight_mmas(base, id, stages),
                has_own_buffers,
                copies,
            };
            let mut candidate = pipelined(base, plan, of_loop)?;
            let Some(bytes) = self.fit(&mut candidate) else {
                continue;
            };
            // A second block per multiprocessor is worth more than further stages, provided that three
            // stages remain. Memory-bound loops are exempt, since their buffers are already sized for the
            // number of blocks, and so are stages that an option requests.
            let of_loop = candidate.schedule.pipelined.last();
            let lag = of_loop.map_or(0, |it| it.in_flight_mmas);
            let leaves_room = stages >= 3 + lag && bytes <= limit / 2;
            if leaves_room || is_memory_bound || requested.is_some() {
                return Ok(candidate);
            }
            fitting = fitting.or(Some(candidate));
        }
        fitting.ok_or(Refusal::Because("not even two stages fit shared memory"))
    }
}

/// Returns the kernel with a loop pipelined. MMAs stay in flight only if no copy overwrites their operands.
fn pipelined(base: &Variant, plan: &Plan, mut of_loop: LoopSchedule) -> Result<Variant, Refusal> {
    loop {
        let mut variant = base.clone();
        match pipeline_loop(&mut variant.kernel, plan, &of_loop) {
            Ok(()) => {
                variant.schedule.pipelined.push(of_loop);
                return Ok(variant);
            }
            Err(Refusal::OverwritesOperands(_)) => of_loop.in_flight_mmas = 0,
            Err(refusal @ Refusal::Because(_)) => return Err(refusal),
        }
    }
}

/// A loop whose tiles a producer warp can load.
#[derive(Clone)]
struct Chosen {
    id: OpId,
    plan: Plan,
    has_own_buffers: bool,
}

/// Checks that the warps of a kernel can have roles.
fn is_specializable(base: &Variant) -> Result<(), Refusal> {
    let (kernel, launch) = (&base.kernel, &base.kernel.launch);
    let is_large = launch.num_warps > WARPS_PER_WARPGROUP;
    let refused = if !base.allows(DisabledPasses::WARP_SPECIALIZATION) {
        "warp specialization is disabled"
    } else if !matches!(launch.num_warps, 4 | 8) {
        "a block has neither one nor two consumer warpgroups"
    } else if !kernel.arenas.is_empty() {
        "the block has memory of its own"
    } else if launch.producer_warps > 0 {
        "warps have roles already"
    } else if !is_large && largest_accumulator(kernel) > SMALL_ACCUMULATOR {
        "two blocks with this accumulator do not fit a multiprocessor"
    } else if !is_large && base.schedule.is_persistent {
        // Two small blocks overlap stores and computation anyway.
        "two small blocks hide each other's epilogue"
    } else {
        return Ok(());
    };
    Err(Refusal::Because(refused))
}

/// Returns the loops with MMAs, all of whose tiles TMA can load.
fn specializable_loops(kernel: &Kernel) -> Vec<Chosen> {
    let mut chosen: Vec<Chosen> = Vec::new();
    for (_, id) in loops(kernel) {
        let others: Vec<OpId> = chosen.iter().map(|it| it.id).collect();
        let is_fit = !contains(kernel, id, &others)
            && has(kernel, id, &|kind| matches!(kind, OpKind::Wgmma(_)))
            && !has(kernel, id, &|kind| matches!(kind, OpKind::Return));
        if !is_fit {
            continue;
        }
        let plan = plan_loop(kernel, id);
        // Tiles that are needed in registers may prevent specialization, so the loop is also tried without
        // them.
        let plans = [(false, plan.without_own_buffers()), (true, plan)];
        let plans = plans
            .into_iter()
            .rev()
            .map(|(has_own_buffers, plan)| Chosen {
                id,
                plan,
                has_own_buffers,
            });
        let works = |it: &Chosen| {
            let plans = chosen.iter().chain([it]);
            may_specialize(
                kernel,
                &plans.map(|it| (it.id, &it.plan)).collect::<Vec<_>>(),
            )
        };
        let fit = { plans }.find(works);
        chosen.extend(fit);
    }
    chosen
}

/// Returns the maximum number of stages with which the verifier can follow this number of circular buffers.
fn max_verified_stages(pipelines: usize) -> u32 {
    let pipelines = u32::try_from(pipelines).unwrap_or(u32::MAX);
    let is_followed = |stages: &u32| {
        (2 * stages)
            .checked_pow(pipelines)
            .is_some_and(|n| n <= MAX_STATES)
    };
    (1..=MAX_STATES).take_while(is_followed).last().unwrap_or(0)
}

/// Returns the number of warpgroup MMAs in the text of a kernel.
fn num_mmas(kernel: &Kernel) -> usize {
    let mut count = 0;
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        count += usize::from(matches!(kernel.op(id).kind, OpKind::Wgmma(_)));
    });
    count
}

/// Returns the number of registers per thread of the largest accumulator of a warpgroup MMA.
fn largest_accumulator(kernel: &Kernel) -> usize {
    let mmas = kernel.op_ids().map(|id| kernel.op(id));
    let mmas = mmas.filter(|op| matches!(op.kind, OpKind::Wgmma(_)));
    let registers = mmas.map(|op| kernel.layout_of(op.args[0]).num_registers());
    registers.max().unwrap_or(0)
}

/// Returns `true` if an operation, or an operation nested in it, is of a kind that matches.
fn has(kernel: &Kernel, id: OpId, is_match: &impl Fn(&OpKind) -> bool) -> bool {
    kernel.op(id).blocks.iter().any(|&block| {
        let mut ops = kernel.block(block).ops.iter();
        ops.any(|&op| is_match(&kernel.op(op).kind) || has(kernel, op, is_match))
    })
}

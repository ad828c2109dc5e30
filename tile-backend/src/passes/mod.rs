//! Passes over the GPU IR, in the order of [`PIPELINE`].
//!
//! Two kinds: rewrites, which look only at the kernel, and passes that apply a part of a
//! [`Schedule`]. One row completes the schedule ([`crate::schedule`]), which lowering has begun, before the first
//! pass that applies it.

pub(crate) mod allocate_shared;
mod barriers;
pub(crate) mod block_skipping;
mod caching;
mod dead_code;
pub(crate) mod epilogue_subtiles;
pub(crate) mod lazy_rescaling;
mod load_once;
pub(crate) mod mask_elision;
pub(crate) mod persistent;
pub(crate) mod pipeline;
mod places;
mod prefetch_maps;
mod programmatic_launch;
mod redundant_barriers;
mod sink_store_waits;

#[cfg(test)]
mod documents;
#[cfg(test)]
mod tests;

pub use allocate_shared::allocate_shared;
pub use barriers::barriers;

use crate::gpu::{Clusters, Kernel};
use crate::options::DisabledPasses;
use crate::remarks::Remarks;
use crate::remarks::kernel::{remark_on_clusters, remark_on_pipelining};
use crate::remarks::persistent::remark_on_persistence;
use crate::remarks::raster_order::remark_on_raster_order;
use crate::schedule::search;
use crate::schedule::{Epilogue, Explanation, LoweringSchedule, Refusal, Schedule, Target};
use std::time::{Duration, Instant};

/// A pass.
#[derive(Debug)]
pub struct Pass {
    /// The name on a command line.
    pub name: &'static str,
    /// The effect, as a sentence that begins with a verb.
    pub summary: &'static str,
    /// The page of `docs/design` that describes it.
    pub page: &'static str,
    /// The function.
    run: Run,
    /// Adds remarks on the effect of the pass to a finished kernel.
    pub(crate) remark: Option<fn(&Kernel, Target, &mut Remarks)>,
    /// The optimizations of the pass that can be disabled.
    pub optimizations: &'static [Optimization],
}

impl Pass {
    /// Returns `true` if the pass has optimizations and the author has disabled all of them.
    fn is_disabled(&self, kernel: &Kernel) -> bool {
        let disabled = kernel.requests.options.disabled;
        let mut optimizations = self.optimizations.iter();
        !self.optimizations.is_empty() && optimizations.all(|it| disabled.contains(it.flag))
    }
}

/// An optimization that can be disabled.
#[derive(Clone, Copy, Debug)]
pub struct Optimization {
    /// The name on a command line.
    pub name: &'static str,
    /// The flag.
    pub flag: DisabledPasses,
    /// The thing that is not done if it is disabled, as a noun.
    pub summary: &'static str,
    /// The page of `docs/design` that describes it.
    pub page: &'static str,
}

/// The function of a pass.
#[derive(Debug)]
enum Run {
    /// Lowering, which precedes all passes. It is in the table for its optimizations.
    Lowering,
    /// Looks only at the kernel. If the pass has optimizations and all of them are disabled, it does not run.
    Rewrite(fn(&mut Kernel)),
    /// Completes the schedule; it leaves the kernel unchanged.
    Choose,
    /// Applies a part of the schedule, if `applies`.
    Apply {
        applies: fn(&Schedule) -> bool,
        apply: fn(&mut Kernel, &Schedule) -> Result<(), Refusal>,
    },
}

/// Lowering and all passes, in order.
pub const PIPELINE: &[Pass] = &[
    Pass {
        name: "lower",
        summary: "lowers Tile IR, with one work tile per block and loads where they are used",
        page: "gpu-ir",
        run: Run::Lowering,
        remark: None,
        optimizations: &[
            Optimization {
                name: "tma-stores",
                flag: DisabledPasses::TMA_STORES,
                summary: "TMA stores of tiles",
                page: "epilogues",
            },
            Optimization {
                name: "grouped-raster",
                flag: DisabledPasses::GROUPED_RASTER,
                summary: "grouped tile rasterization",
                page: "raster-order",
            },
        ],
    },
    Pass {
        name: "dead-code",
        summary: "removes operations whose results nothing uses",
        page: "matmul",
        run: Run::Rewrite(dead_code::eliminate_dead_code),
        remark: None,
        optimizations: &[],
    },
    Pass {
        name: "schedule",
        summary: "decides what the passes below apply",
        page: "schedule",
        run: Run::Choose,
        remark: None,
        optimizations: &[],
    },
    Pass {
        name: "block-skipping",
        summary: "skips iterations of fully masked blocks",
        page: "attention",
        run: Run::Apply {
            applies: |schedule| schedule.masks.skips_blocks,
            apply: |kernel, _| block_skipping::skip_blocks(kernel),
        },
        remark: None,
        optimizations: &[Optimization {
            name: "block-skipping",
            flag: DisabledPasses::BLOCK_SKIPPING,
            summary: "skipping of iterations whose mask is all zero",
            page: "attention",
        }],
    },
    Pass {
        name: "mask-elision",
        summary: "omits masks where they are all ones",
        page: "attention",
        run: Run::Apply {
            applies: |schedule| schedule.masks.elides_masks,
            apply: |kernel, _| mask_elision::elide_masks(kernel),
        },
        remark: None,
        optimizations: &[Optimization {
            name: "mask-elision",
            flag: DisabledPasses::MASK_ELISION,
            summary: "leaving out masks that are all ones",
            page: "attention",
        }],
    },
    Pass {
        name: "lazy-rescaling",
        summary: "skips the multiplication of accumulators by factors that are all 1",
        page: "attention",
        run: Run::Apply {
            applies: |schedule| schedule.masks.rescales_lazily,
            apply: |kernel, _| lazy_rescaling::rescale_lazily(kernel),
        },
        remark: None,
        optimizations: &[Optimization {
            name: "lazy-rescaling",
            flag: DisabledPasses::LAZY_RESCALING,
            summary: "leaving out factors that are all 1",
            page: "attention",
        }],
    },
    Pass {
        name: "sink-store-waits",
        summary: "moves waits for TMA stores to the last point that needs them",
        page: "epilogues",
        run: Run::Rewrite(sink_store_waits::sink_store_waits),
        remark: None,
        optimizations: &[],
    },
    Pass {
        name: "cache-hints",
        summary: "chooses the cache hint of each load",
        page: "caching",
        run: Run::Rewrite(caching::choose_cache_hints),
        remark: None,
        optimizations: &[],
    },
    Pass {
        name: "raster-order",
        summary: "sets the order in which blocks take work tiles",
        page: "raster-order",
        run: Run::Apply {
            applies: |_| true,
            apply: |kernel, schedule| {
                kernel.launch.raster_order = schedule.raster_order;
                Ok(())
            },
        },
        remark: Some(remark_on_raster_order),
        optimizations: &[Optimization {
            name: "lpt-order",
            flag: DisabledPasses::LPT_ORDER,
            summary: "longest work tiles first",
            page: "raster-order",
        }],
    },
    Pass {
        name: "persistence",
        summary: "makes each block loop over work tiles",
        page: "persistent-kernels",
        run: Run::Apply {
            applies: |schedule| schedule.is_persistent,
            apply: persistent::make_persistent,
        },
        remark: Some(remark_on_persistence),
        optimizations: &[],
    },
    Pass {
        name: "epilogue-subtiling",
        summary: "stores the tiles of a persistent kernel in subtiles",
        page: "epilogues",
        run: Run::Apply {
            applies: |schedule| schedule.epilogue != Epilogue::Whole,
            apply: epilogue_subtiles::subtile_epilogue,
        },
        remark: None,
        optimizations: &[Optimization {
            name: "epilogue-subtiling",
            flag: DisabledPasses::EPILOGUE_SUBTILING,
            summary: "storing an accumulator in subtiles",
            page: "epilogues",
        }],
    },
    Pass {
        name: "warp-specialization",
        summary: "gives the loads of loops to producer warps, and rotates attention loops",
        page: "warp-specialization",
        run: Run::Apply {
            applies: |schedule| !schedule.specialized.is_empty(),
            apply: pipeline::specialize_warps,
        },
        remark: None,
        optimizations: &[
            Optimization {
                name: "warp-specialization",
                flag: DisabledPasses::WARP_SPECIALIZATION,
                summary: "producer warps, and with them persistence and multicast",
                page: "warp-specialization",
            },
            Optimization {
                name: "loop-rotation",
                flag: DisabledPasses::LOOP_ROTATION,
                summary: "overlap of softmax with the next MMA",
                page: "attention",
            },
            Optimization {
                name: "ping-pong",
                flag: DisabledPasses::PING_PONG,
                summary: "alternation of two warpgroups",
                page: "attention",
            },
        ],
    },
    Pass {
        name: "multicast",
        summary: "lets the blocks of a pair load tiles for each other",
        page: "clusters-and-multicast",
        run: Run::Apply {
            applies: |schedule| schedule.clusters == Clusters::Pairs,
            apply: pipeline::multicast_loads,
        },
        remark: Some(remark_on_clusters),
        optimizations: &[],
    },
    Pass {
        name: "software-pipelining",
        summary: "prefetches the tiles of loops into circular buffers",
        page: "software-pipelining",
        run: Run::Apply {
            applies: |schedule| !schedule.pipelined.is_empty(),
            apply: pipeline::pipeline,
        },
        remark: Some(remark_on_pipelining),
        optimizations: &[
            Optimization {
                name: "async-mma",
                flag: DisabledPasses::ASYNC_MMA,
                summary: "one MMA in flight across the back edge of a loop",
                page: "matmul",
            },
            Optimization {
                name: "bulk-copies",
                flag: DisabledPasses::BULK_COPIES,
                summary: "bulk copies of rows (`cp.async.bulk`)",
                page: "software-pipelining",
            },
        ],
    },
    Pass {
        name: "load-once",
        summary: "loads a tile once that several operations load",
        page: "memory-and-barriers",
        run: Run::Rewrite(load_once::load_once),
        remark: None,
        optimizations: &[],
    },
    Pass {
        name: "allocate-shared",
        summary: "places buffers in shared memory",
        page: "memory-and-barriers",
        run: Run::Rewrite(allocate_shared),
        remark: None,
        optimizations: &[],
    },
    Pass {
        name: "barriers",
        summary: "inserts barriers and fences between conflicting accesses",
        page: "memory-and-barriers",
        run: Run::Rewrite(barriers),
        remark: None,
        optimizations: &[],
    },
    Pass {
        name: "redundant-barriers",
        summary: "removes barriers after pipelined loops that separate no two accesses",
        page: "memory-and-barriers",
        run: Run::Rewrite(redundant_barriers::remove_redundant_barriers),
        remark: None,
        optimizations: &[],
    },
    Pass {
        name: "prefetch-maps",
        summary: "prefetches tensor maps at the start of the kernel",
        page: "software-pipelining",
        run: Run::Rewrite(prefetch_maps::prefetch_maps),
        remark: None,
        optimizations: &[],
    },
    Pass {
        name: "programmatic-launch",
        summary: "inserts the wait for the previous kernel and the signal to the next one, if requested",
        page: "dependent-launch",
        run: Run::Rewrite(programmatic_launch::wait_and_signal),
        remark: None,
        optimizations: &[],
    },
];

/// Returns every optimization that can be disabled, in the order of [`PIPELINE`].
pub fn optimizations() -> impl Iterator<Item = &'static Optimization> {
    PIPELINE.iter().flat_map(|pass| pass.optimizations)
}

/// The listener to a run of [`PIPELINE`]: it is called after each pass that has run on a kernel, with the
/// time of the pass.
pub type AfterPass<'a> = dyn FnMut(&'static Pass, &Kernel, Duration) + 'a;

/// Runs the rewrites between the rows of the schedule's first and second half: masks, and everything else.
/// The search applies the masks, and judges the rest on kernels as they are then.
pub(crate) fn rewrite_after_masks(kernel: &mut Kernel) {
    let after = PIPELINE.iter().skip_while(|pass| pass.name != "schedule");
    for pass in after.take_while(|pass| pass.name != "raster-order") {
        if let Run::Rewrite(rewrite) = pass.run
            && !pass.is_disabled(kernel)
        {
            rewrite(kernel);
        }
    }
}

/// Runs all passes on a kernel that was lowered with the first part of a schedule. An error means that the
/// schedule cannot be applied, which is a mistake of the search.
pub fn run(
    kernel: &mut Kernel,
    lowering: LoweringSchedule,
    target: Target,
    explanation: &mut Explanation,
    after: &mut AfterPass<'_>,
) -> Result<(), Refusal> {
    let mut schedule = Schedule::unchanged(kernel, lowering);
    let mut start = Instant::now();
    for pass in PIPELINE {
        match pass.run {
            Run::Lowering => {}
            Run::Rewrite(rewrite) => {
                if pass.is_disabled(kernel) {
                    continue;
                }
                rewrite(kernel);
            }
            Run::Choose => schedule = search::choose(kernel, schedule, target, explanation),
            Run::Apply { applies, apply } => {
                if !applies(&schedule) {
                    continue;
                }
                apply(kernel, &schedule)?;
            }
        }
        let end = Instant::now();
        after(pass, kernel, end - start);
        start = end;
    }
    Ok(())
}

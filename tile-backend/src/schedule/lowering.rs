//! Decides what lowering applies, since layouts depend on it.
//!
//! Input: an entry of tile IR with its analyses, a target, options and hints, and what earlier attempts have
//! shown ([`Feedback`]). Output: candidates for a [`LoweringSchedule`], of which the first that can be lowered
//! wins: a cluster split, a cluster split with reductions in order, and one block per work tile.

use super::Refusal;
use super::cluster_split::ClusterSplitPlan;
use super::estimate::Estimate;
use super::explain::{self, Decision, Explanation};
use super::grouped_raster;
use super::retry::Feedback;
use super::tma_stores::{Considered, StoreRules, TmaStorePlan};
use super::warps::Work;
use crate::analysis::provenance::Provenance;
use crate::gpu::RasterOrder;
use crate::lower::{AccessLayouts, MatmulChains, is_matmul};
use crate::options::{KernelOptions, ScheduleOptions};
use crate::target::Arch;
use rustc_hash::FxHashMap;
use tile_core::Module;
use tile_core::ir::{OpId, ValueId};
use tile_core::types::Element;

/// The part of a schedule that lowering applies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoweringSchedule {
    /// Warps of a block.
    pub num_warps: u32,
    /// Blocks of a cluster that split each work tile; 1 if there is no split.
    pub blocks_per_tile: u32,
    /// `true` if tiles with the shape of a reduction's operand are loaded in the order of its axis.
    pub has_ordered_reductions: bool,
    /// Blocks that a multiprocessor must be able to hold at the same time, as requested.
    pub blocks_per_multiprocessor: u32,
    /// The order of work tiles, as far as it follows from tile IR.
    pub raster_order: RasterOrder,
    /// The stores of tiles that TMA makes, which are decided as lowering reaches them.
    pub tma_stores: FxHashMap<OpId, TmaStorePlan>,
}

impl LoweringSchedule {
    /// Returns the number of warps over which tiles are distributed.
    pub(crate) fn warps_per_tile(&self) -> u32 {
        self.num_warps * self.blocks_per_tile
    }

    /// Adds the stores that were decided while the entry was lowered.
    pub(crate) fn add_stores(
        &mut self,
        entry: &Entry<'_>,
        stores: Vec<Considered>,
        explanation: &mut Explanation,
    ) {
        for considered in stores {
            explanation.decide(entry.name, || considered.explain(entry.module));
            let Considered { store, plan, .. } = considered;
            if let Ok(plan) = plan {
                self.tma_stores.insert(store, plan);
            }
        }
    }
}

impl Considered {
    /// Describes the store for an explanation.
    fn explain(&self, module: &Module) -> Decision {
        let figures = self.passes.map_or_else(String::new, |it| {
            let (tma, exchange) = (it.tma, it.exchange);
            format!("{tma} passes over shared memory, {exchange} by threads")
        });
        let mut decision = Decision::store(module.op(self.store).loc);
        decision.figures = figures;
        match &self.plan {
            Ok(_) => decision.chosen("no thread reads the tile back from shared memory"),
            Err(refusal) => decision.refused(*refusal),
        }
    }
}

/// An entry of tile IR, and what its schedule depends on.
pub(crate) struct Entry<'a> {
    pub(crate) name: &'a str,
    pub(crate) module: &'a Module,
    pub(crate) ops: &'a [OpId],
    pub(crate) provenance: &'a Provenance,
    pub(crate) chains: &'a MatmulChains,
    pub(crate) estimate: &'a Estimate<'a>,
    pub(crate) arch: Arch,
    /// The options, and the hints of the module.
    pub(crate) options: KernelOptions,
    pub(crate) feedback: Feedback<'a>,
}

impl<'a> Entry<'a> {
    /// Returns what decides the stores of an entry that is lowered with a schedule and these layouts.
    pub(crate) fn store_rules(
        &self,
        schedule: &LoweringSchedule,
        access: &'a AccessLayouts,
    ) -> StoreRules<'a> {
        StoreRules {
            module: self.module,
            ops: self.ops,
            provenance: self.provenance,
            access,
            arch: self.arch,
            options: self.options,
            blocks_per_tile: schedule.blocks_per_tile,
            do_tma_stores_fit: self.feedback.do_tma_stores_fit,
        }
    }

    /// Returns the first schedule that `lower` does not refuse, and what it returns; `None` if `lower` returns
    /// `None`, as it does after an error that no schedule avoids.
    pub(crate) fn choose<T>(
        &self,
        split: &ClusterSplitPlan,
        explanation: &mut Explanation,
        mut lower: impl FnMut(&mut LoweringSchedule, &mut Explanation) -> Option<Result<T, Refusal>>,
    ) -> Option<(T, LoweringSchedule)> {
        explanation.decide_all(self.name, || split.explain_refusal());
        if split.blocks_per_tile() > 1 {
            let in_any_order = self.schedule(split.blocks_per_tile(), explanation);
            // A reduction in order would have to move elements between blocks, unless tiles are loaded in
            // that order. This is tried only if the ordinary layouts fail.
            let in_order = LoweringSchedule {
                has_ordered_reductions: true,
                ..in_any_order.clone()
            };
            for mut schedule in [in_any_order, in_order] {
                let result = lower(&mut schedule, explanation)?;
                explanation.decide(self.name, || {
                    split.explain(&schedule, result.as_ref().err())
                });
                if let Ok(product) = result {
                    return Some((product, schedule));
                }
            }
        }
        let mut schedule = self.schedule(1, explanation);
        explanation.decide(self.name, || split.explain(&schedule, None));
        match lower(&mut schedule, explanation)? {
            Ok(product) => Some((product, schedule)),
            Err(_) => unreachable!("a block that has its work tile for itself needs no exchange"),
        }
    }

    fn schedule(&self, blocks_per_tile: u32, explanation: &mut Explanation) -> LoweringSchedule {
        let options = self.options.schedule;
        let num_warps = self.num_warps(blocks_per_tile, options, explanation);
        // The number of threads of a multiprocessor limits the occupancy.
        let most = self.arch.threads_per_multiprocessor() / (32 * num_warps);
        LoweringSchedule {
            num_warps,
            blocks_per_tile,
            has_ordered_reductions: false,
            blocks_per_multiprocessor: options.occupancy.unwrap_or(1).min(most),
            raster_order: if blocks_per_tile == 1 {
                self.raster_order(explanation)
            } else {
                RasterOrder::Fixed
            },
            tma_stores: FxHashMap::default(),
        }
    }

    /// Returns the number of warps of a block.
    fn num_warps(
        &self,
        blocks_per_tile: u32,
        options: ScheduleOptions,
        explanation: &mut Explanation,
    ) -> u32 {
        let fixed = [
            (options.num_warps, "an option or a hint asks for them"),
            (
                (self.feedback.warps)(self.name),
                "chosen by the registers that ptxas has spilled",
            ),
        ];
        for (warps, reason) in fixed {
            if let Some(warps) = warps {
                explanation.decide(self.name, || {
                    Decision::new("warps", explain::warps(warps), String::new()).chosen(reason)
                });
                return warps;
            }
        }
        let module = self.module;
        let bytes = |&value: &ValueId| {
            let tile = module.ty(value).as_tile()?;
            let bytes = match tile.element {
                Element::Ptr(_) => 8,
                Element::Scalar(scalar) => scalar.bytes() as u64,
            };
            Some(tile.num_elements().unsigned_abs().saturating_mul(bytes))
        };
        let results = self.ops.iter().flat_map(|&op| &module.op(op).results);
        let work = Work {
            estimate: self.estimate,
            largest_bytes: results.filter_map(bytes).max().unwrap_or(1),
            has_mma: self.ops.iter().any(|&op| is_matmul(module.op(op).opcode)),
            max_in_chain: self.chains.max_warps(module),
            blocks_per_tile,
        };
        let (warps, considered) = work.choose(self.arch, options);
        explanation.decide_all(self.name, || {
            considered.iter().map(|candidate| candidate.explain(warps))
        });
        warps
    }

    /// Returns the order of work tiles of a kernel with a block per work tile.
    fn raster_order(&self, explanation: &mut Explanation) -> RasterOrder {
        let disabled = self.options.schedule.disabled;
        let considered = grouped_raster::consider(self.module, self.provenance, self.ops, disabled);
        explanation.decide_all(self.name, || considered.explain());
        considered.order()
    }
}

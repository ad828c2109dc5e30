//! Chooses the number of warps of a block where neither the author nor a hint sets it.
//!
//! In: an entry and its target. Out: a power of two from 1 to 16; with a cluster split, it is the number of
//! warps of each block of the cluster.
//!
//! - There are no more warps than have work: each lane of a warp holds at least one whole vector of the
//!   largest tile, since further warps would only hold copies. A kernel of scalars has one warp.
//! - Within that limit there are at least four warps, since a multiprocessor has four schedulers.
//! - Of the remaining numbers, the smallest is chosen with which a thread needs no more than half of the
//!   registers that it could have, so that 16 warps are resident to hide latencies. A higher requested
//!   occupancy lowers this budget further. If no number of warps fits its budget, the number that exceeds its
//!   budget least is chosen.
//! - With an MMA there are at most 8 warps: a warp with a larger part of the accumulator reads less of the
//!   operands from shared memory, and 8 warps leave a thread all 255 registers. In a chain of MMAs each warp
//!   has 16 whole rows at a time.

use super::estimate::Estimate;
use super::explain::{self, Decision};
use super::occupancy::LANES;
use crate::options::ScheduleOptions;
use crate::target::Arch;

/// Bytes of the widest access of a lane.
const VECTOR_BYTES: u64 = 16;

/// Warps that the schedulers of a multiprocessor issue in parallel.
const SCHEDULERS: u32 = 4;

/// Maximum number of warps of a block.
const MAX_WARPS: u32 = 16;

/// Maximum number of warps of a block with an MMA.
const MAX_WITH_MMA: u32 = 8;

/// Maximum number of registers per thread with which 16 warps fit a multiprocessor.
const COMFORTABLE: u32 = 128;

/// The properties of an entry that determine its number of warps.
#[derive(Debug)]
pub(crate) struct Work<'a> {
    /// The live tiles.
    pub(crate) estimate: &'a Estimate<'a>,
    /// Bytes of the largest tile.
    pub(crate) largest_bytes: u64,
    /// `true` if the entry has an MMA.
    pub(crate) has_mma: bool,
    /// Maximum number of warps that have whole rows in chains of MMAs.
    pub(crate) max_in_chain: Option<u32>,
    /// Blocks of a cluster split.
    pub(crate) blocks_per_tile: u32,
}

impl Work<'_> {
    /// Returns the largest reasonable number of warps of a block.
    pub(crate) fn most(&self) -> u32 {
        let most = if self.has_mma {
            MAX_WITH_MMA
        } else {
            MAX_WARPS
        };
        let most = self.max_in_chain.map_or(most, |rows| most.min(rows));
        most.min(self.busy())
    }

    /// Returns the maximum number of warps that all have work of their own.
    fn busy(&self) -> u32 {
        let vectors = self.largest_bytes / (u64::from(LANES * self.blocks_per_tile) * VECTOR_BYTES);
        let warps = u32::try_from(vectors)
            .unwrap_or(MAX_WARPS)
            .clamp(1, MAX_WARPS);
        1 << warps.ilog2()
    }

    /// Returns the chosen number of warps, and every number that was tried.
    pub(crate) fn choose(&self, arch: Arch, options: ScheduleOptions) -> (u32, Vec<WarpCandidate>) {
        let most = self.most();
        let blocks = options.occupancy.unwrap_or(1);
        let least = most.min(SCHEDULERS);
        let candidates = (least.ilog2()..=most.ilog2()).map(|log2| 1 << log2);
        let mut best = (least, u64::MAX);
        let mut tried = Vec::new();
        for warps in candidates {
            let need = self.estimate.need(warps * self.blocks_per_tile);
            let limit = u64::from(options.max_registers.unwrap_or(u32::MAX));
            let (registers, budget) = (need.registers, room(arch, warps, blocks).min(limit));
            tried.push(WarpCandidate {
                warps,
                registers,
                budget,
            });
            if registers <= budget {
                return (warps, tried);
            }
            // The ratio is in 64ths, so that shortages can be compared as integers.
            let shortage = registers.saturating_mul(64) / budget;
            if shortage < best.1 {
                best = (warps, shortage);
            }
        }
        (best.0, tried)
    }
}

/// A number of warps that was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WarpCandidate {
    /// Warps of a block.
    warps: u32,
    /// Estimated registers of a thread.
    registers: u64,
    /// Registers that a thread may have.
    budget: u64,
}

impl WarpCandidate {
    /// Describes the candidate, given the number of warps that was chosen.
    pub(crate) fn explain(self, chosen: u32) -> Decision {
        let Self {
            warps,
            registers,
            budget,
        } = self;
        let fits = registers <= budget;
        let sign = if fits { "<=" } else { ">" };
        let figures = format!("{registers} registers {sign} {budget}");
        let decision = Decision::new("warps", explain::warps(warps), figures);
        if fits {
            decision.chosen("the first number that fits")
        } else if warps == chosen {
            decision.chosen("no number fits, and this one exceeds its budget least")
        } else {
            decision.refused("more warps leave each thread fewer elements")
        }
    }
}

/// Returns the register budget of a thread.
fn room(arch: Arch, num_warps: u32, blocks: u32) -> u64 {
    let share = arch.registers_per_multiprocessor() / (LANES * num_warps * blocks);
    u64::from(share.min(COMFORTABLE))
}

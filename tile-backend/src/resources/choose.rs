//! The number of warps where nobody names one.
//!
//! In: an entry and what it is compiled for. Out: a power of two from 1 to 16; of each block, if several share
//! the tiles.
//!
//! - No more warps than have work: a warp has a whole vector for each lane of the largest tile, or it
//!   would compute what another computes too. Scalars are the work of one warp.
//! - Up to four warps for work that is there: a multiprocessor has four schedulers.
//! - Then the fewest with which a thread needs no more than half of the registers it could have, so
//!   that 16 warps are there to hide latencies, and fewer still if more blocks are asked for; where
//!   that cannot be, those with which the least is missing.
//! - A matrix product takes 8 at the most: a larger part of the accumulator per warp reads less of
//!   the operands from shared memory, and 8 warps leave a thread all 255 registers. In a chain of
//!   products each warp has whole rows of 16.

use super::KernelOptions;
use super::estimate::Estimate;
use super::occupancy::LANES;
use crate::target::Arch;

/// Bytes of the widest access of a lane.
const VECTOR_BYTES: u64 = 16;

/// Warps that a multiprocessor's schedulers run side by side.
const SCHEDULERS: u32 = 4;

/// Most warps of a block.
const MAX_WARPS: u32 = 16;

/// Most warps of a block with a matrix product.
const MAX_WITH_MMA: u32 = 8;

/// Registers of a thread with which 16 warps fit a multiprocessor.
const COMFORTABLE: u32 = 128;

/// What decides.
#[derive(Debug)]
pub(crate) struct Work<'a> {
    /// Live tiles.
    pub(crate) estimate: &'a Estimate<'a>,
    /// Bytes of the largest tile.
    pub(crate) largest_bytes: u64,
    /// Whether there is a matrix product.
    pub(crate) has_mma: bool,
    /// Warps with whole rows of products in chains.
    pub(crate) max_in_chain: Option<u32>,
    /// Blocks that share the tiles.
    pub(crate) blocks_per_tile: u32,
}

impl Work<'_> {
    /// The most warps that a block may sensibly have.
    pub(crate) fn most(&self) -> u32 {
        let most = if self.has_mma {
            MAX_WITH_MMA
        } else {
            MAX_WARPS
        };
        let most = self.max_in_chain.map_or(most, |rows| most.min(rows));
        most.min(self.busy())
    }

    /// Warps that all have work of their own.
    fn busy(&self) -> u32 {
        let vectors = self.largest_bytes / (u64::from(LANES * self.blocks_per_tile) * VECTOR_BYTES);
        let warps = u32::try_from(vectors)
            .unwrap_or(MAX_WARPS)
            .clamp(1, MAX_WARPS);
        1 << warps.ilog2()
    }

    /// The number of warps.
    pub(crate) fn choose(&self, arch: Arch, kernel_options: KernelOptions) -> u32 {
        let most = self.most();
        let blocks = kernel_options.occupancy.unwrap_or(1);
        let least = most.min(SCHEDULERS);
        let candidates = (least.ilog2()..=most.ilog2()).map(|log2| 1 << log2);
        let mut best = (least, u64::MAX);
        for warps in candidates {
            let (need, room) = (
                self.estimate.need(warps * self.blocks_per_tile).registers,
                room(arch, warps, blocks),
            );
            if need <= room {
                return warps;
            }
            // In 64ths, so that it can be compared.
            let shortage = need.saturating_mul(64) / room;
            if shortage < best.1 {
                best = (warps, shortage);
            }
        }
        best.0
    }
}

/// Registers that a thread should need at most.
fn room(arch: Arch, num_warps: u32, blocks: u32) -> u64 {
    let share = arch.registers_per_multiprocessor() / (LANES * num_warps * blocks);
    u64::from(share.min(COMFORTABLE))
}

//! The initial contents of registers: constants, addresses, special registers.

use super::Warp;
use crate::machine::grid::Setting;
use crate::machine::memory::rank_bits;
use crate::parse::names::{Content, Special};

impl Warp {
    /// Returns the generic address of the block's shared memory.
    fn shared_base(&self, setting: &Setting<'_>) -> u64 {
        match setting.blocks_per_cluster() {
            1 => 0,
            _ => rank_bits(self.block),
        }
    }

    pub(super) fn content(
        &self,
        setting: &Setting<'_>,
        block: [u32; 3],
        content: Content,
        lane: usize,
    ) -> u64 {
        let special = match content {
            Content::Undefined => return 0,
            Content::Constant(value) => return value,
            Content::Global(number, offset) => {
                return setting.globals[number as usize].wrapping_add(offset);
            }
            Content::Shared(offset) => return self.shared_base(setting).wrapping_add(offset),
            Content::DynamicShared(offset) => {
                let base = self.shared_base(setting).wrapping_add(setting.dynamic_base);
                return base.wrapping_add(offset);
            }
            Content::Special(special) => special,
        };
        // Threads are numbered along x, then y, then z (CUDA C++ Programming Guide, "Thread
        // Hierarchy").
        let thread = self.index as u64 * 32 + lane as u64;
        let [x, y, z] = setting.block.map(u64::from);
        let from = u64::from(u32::MAX) << lane & 0xffff_ffff;
        let lane_bit = 1u64 << lane;
        match special {
            Special::ThreadIndex(axis) => [thread % x, thread / x % y, thread / (x * y) % z][axis],
            Special::BlockSize(axis) => u64::from(setting.block[axis]),
            Special::BlockIndex(axis) => u64::from(block[axis]),
            Special::GridSize(axis) => u64::from(setting.grid[axis]),
            Special::Lane => lane as u64,
            Special::Warp => self.index as u64,
            Special::Warps => u64::from(setting.threads.div_ceil(32)),
            Special::LanesEqual => lane_bit,
            Special::LanesBelow => lane_bit - 1,
            Special::LanesUpTo => lane_bit | (lane_bit - 1),
            Special::LanesAbove => from & !lane_bit,
            Special::LanesFrom => from,
            Special::DynamicSharedBytes => u64::from(setting.dynamic_bytes),
            Special::TotalSharedBytes => setting.shared_bytes,
            Special::ClusterBlockIndex(axis) => u64::from(block[axis] % setting.cluster[axis]),
            Special::ClusterRank => self.block as u64,
            Special::ClusterSize(axis) => u64::from(setting.cluster[axis]),
            Special::ClusterBlocks => setting.blocks_per_cluster() as u64,
            Special::ClusterIndex(axis) => u64::from(block[axis] / setting.cluster[axis]),
            Special::Clusters(axis) => u64::from(setting.grid[axis] / setting.cluster[axis]),
            Special::IsExplicitCluster => u64::from(setting.explicit_cluster),
        }
    }
}

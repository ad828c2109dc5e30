//! Emits cluster splits: warp numbers, work tiles and remote addresses.

use inkwell::values::{BasicValueEnum, IntValue, PointerValue};

use super::Emitter;
use super::code::Code;
use crate::gpu::{Kernel, Reach};
use crate::llvm::intrinsics::Intrinsic;

/// Returns the number of warp `warp` of this block among the warps of all blocks of a cluster split.
pub(super) fn warp_of_cluster<'ctx>(
    code: &Code<'ctx>,
    kernel: &Kernel,
    warp: IntValue<'ctx>,
) -> IntValue<'ctx> {
    if kernel.launch.blocks_per_tile == 1 {
        return warp;
    }
    let block = code.nvvm(Intrinsic::ClusterRank, &[])[0].into_int_value();
    // LLVM does not know the launched cluster size; the mask tells it the range.
    let block = code.and(block, code.i32(kernel.launch.blocks_per_tile - 1));
    let bits = kernel.warps_of_block().ilog2();
    code.add_nuw(code.shl(block, code.i32(bits)), warp)
}

impl<'ctx> Emitter<'_, 'ctx> {
    /// Converts a number of blocks, or a block index, along an axis of the grid to a number of work tiles.
    pub(super) fn work_tile_of_block(
        &self,
        axis: u8,
        blocks: BasicValueEnum<'ctx>,
    ) -> BasicValueEnum<'ctx> {
        if axis > 0 || self.kernel.launch.blocks_per_tile == 1 {
            return blocks;
        }
        let bits = self.kernel.launch.blocks_per_tile.ilog2();
        let code = &self.code;
        code.lshr(blocks.into_int_value(), code.i32(bits)).into()
    }

    /// Returns the addresses that correspond to `here` in the shared memory of each block that `reach`
    /// selects.
    pub(super) fn in_each(
        &self,
        reach: Reach,
        here: PointerValue<'ctx>,
    ) -> Vec<PointerValue<'ctx>> {
        match reach {
            Reach::Block => vec![here],
            Reach::Cluster => (0..self.kernel.launch.blocks_per_tile)
                .map(|block| {
                    let args = [here.into(), self.code.i32(block).into()];
                    self.code.nvvm(Intrinsic::MapShared, &args)[0].into_pointer_value()
                })
                .collect(),
        }
    }
}

//! Emits the tile scheduler of a persistent kernel.
//!
//! In: the extents of the author's grid as parameters, the hardware's block index and grid. Out: the first
//! number, the end and the step of the block's work tiles; and the coordinates of a work tile in the kernel's
//! raster order.

use inkwell::values::{BasicValueEnum, IntValue};

use super::{Emitter, KernelParam};
use crate::gpu::{GRID_PARAMS, Kernel, Op};

/// Returns the parameters that follow the tensor maps.
pub(super) fn params(kernel: &Kernel) -> impl Iterator<Item = KernelParam> + use<> {
    let count = if kernel.launch.is_persistent {
        GRID_PARAMS
    } else {
        0
    };
    std::iter::repeat_n(KernelParam::Integer(32), count)
}

impl<'ctx> Emitter<'_, 'ctx> {
    /// Returns the extent of the author's grid along `axis`, if the host passes it.
    pub(super) fn passed_extent(&self, axis: u8) -> Option<BasicValueEnum<'ctx>> {
        let kernel = self.kernel;
        if !kernel.launch.is_persistent {
            return None;
        }
        let behind = kernel.params.len() + kernel.maps.len();
        let position = u32::try_from(behind).expect("few") + u32::from(axis);
        let function = self.code.function();
        Some(
            function
                .get_nth_param(position)
                .expect("the extents are parameters after the maps"),
        )
    }

    pub(super) fn work_tile_range(&mut self, op: &Op) {
        let code = &self.code;
        let each_axis = |number: &dyn Fn(u8) -> BasicValueEnum<'ctx>| {
            [0, 1, 2].map(|axis| number(axis).into_int_value())
        };
        let [x, y, z] = each_axis(&|axis| self.block_id(axis));
        let [across, down, deep] = each_axis(&|axis| self.started_blocks(axis));
        let first = code.add(x, code.mul(across, code.add(y, code.mul(down, z))));
        let blocks = code.mul(code.mul(across, down), deep);
        let [columns, rows, planes] = each_axis(&|axis| self.grid_size(axis));
        let end = code.mul(code.mul(columns, rows), planes);
        for (&result, value) in op.results.iter().zip([first, end, blocks]) {
            self.define(result, vec![value.into()]);
        }
    }

    pub(super) fn work_tile_coordinates(&mut self, op: &Op) {
        let code = &self.code;
        let number = self.int(op.args[0]);
        let [columns, rows] = [0, 1].map(|axis| self.grid_size(axis).into_int_value());
        let divided = |number: IntValue<'ctx>, by: IntValue<'ctx>| {
            let quotient = code.udiv(number, by);
            (quotient, code.sub(number, code.mul(quotient, by)))
        };
        let (plane, within) = divided(number, code.mul(columns, rows));
        let (row, column) = divided(within, columns);
        let block = [column, row, plane];
        let place = self.place_in_raster_order(self.kernel.launch.raster_order, block);
        for (&result, value) in op.results.iter().zip(place.unwrap_or(block)) {
            self.define(result, vec![value.into()]);
        }
    }
}

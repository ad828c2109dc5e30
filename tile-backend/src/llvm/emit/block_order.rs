//! The position of a block in strips of the grid: [`Strips::place`], instruction by instruction.

use inkwell::IntPredicate;
use inkwell::values::IntValue;

use super::Emitter;
use crate::gpu::{Strips, WIDEST_GRID};

impl<'ctx> Emitter<'_, 'ctx> {
    /// The position of this block along the first two axes, if it is not the hardware's.
    pub(super) fn place_of_block(&self) -> Option<[IntValue<'ctx>; 2]> {
        let strips = self.kernel.strips.filter(|_| !self.kernel.is_persistent)?;
        let block = [0, 1].map(|axis| self.block_id(axis).into_int_value());
        Some(self.place_in(strips, block))
    }

    /// The position of the block that is started as this one.
    pub(super) fn place_in(
        &self,
        strips: Strips,
        [column, row]: [IntValue<'ctx>; 2],
    ) -> [IntValue<'ctx>; 2] {
        let code = &self.code;
        let [columns, rows] = [0, 1].map(|axis| self.grid_size(axis).into_int_value());
        let one = code.i32(1);
        let is_narrow = code.compare(IntPredicate::ULT, columns, code.i32(WIDEST_GRID));
        // Of a grid that keeps its order nothing is divided by zero either.
        let wide = code.select(is_narrow, columns, one).into_int_value();
        let rounded = code.add(wide, code.i32((1 << strips.log2_blocks) - 1));
        let count = code.lshr(rounded, code.i32(strips.log2_blocks));
        let width = code.udiv(code.sub(code.add(wide, count), one), count);
        let width = code.and(code.add(width, one), code.i32(!1));
        let column_of_two = code.select(is_narrow, column, code.i32(0)).into_int_value();
        let number = code.add(code.mul(row, wide), column_of_two);
        let area = code.mul(width, rows);
        let strip = code.udiv(number, area);
        let within = code.sub(number, code.mul(strip, area));
        let start = code.mul(strip, width);
        let left = code.sub(wide, start);
        let is_less = code.compare(IntPredicate::ULT, left, width);
        let own = code.select(is_less, left, width).into_int_value();
        let down = code.udiv(within, own);
        let across = code.sub(within, code.mul(down, own));
        let place = [(code.add(start, across), column), (down, row)];
        place.map(|(placed, plain)| code.select(is_narrow, placed, plain).into_int_value())
    }
}

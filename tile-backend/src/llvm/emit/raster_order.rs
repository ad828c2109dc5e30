//! Emits the raster order of a block: [`RasterOrder::place`], instruction by instruction.

use inkwell::IntPredicate;
use inkwell::values::IntValue;

use super::Emitter;
use crate::gpu::{GroupedRaster, LptOrder, MAX_GRID_EXTENT, RasterOrder};

/// The last index along an axis of a grid (CUDA C++ Programming Guide, "Compute Capabilities": at most 2^31 -
/// 1 blocks).
const LAST: u32 = (1 << 31) - 2;

/// Coordinates along the three axes of the grid.
type Place<'ctx> = [IntValue<'ctx>; 3];

/// The first two axes of a grid, clamped so that division and multiplication are safe.
struct Plane<'ctx> {
    /// `false` if the grid is too wide for a raster order, so that it keeps the hardware's order.
    is_narrow: IntValue<'ctx>,
    columns: IntValue<'ctx>,
    rows: IntValue<'ctx>,
    /// The row-major number of the block.
    number: IntValue<'ctx>,
}

impl<'ctx> Emitter<'_, 'ctx> {
    /// Returns the work tile of this block, if it differs from the hardware's block index.
    pub(super) fn work_tile_of_block_id(&self) -> Option<Place<'ctx>> {
        let order = self.kernel.launch.raster_order;
        if self.kernel.launch.is_persistent || order.is_hardware_order() {
            return None;
        }
        let block = [0, 1, 2].map(|axis| self.block_id(axis).into_int_value());
        self.place_in_raster_order(order, block)
    }

    /// Returns the work tile of the block index `block`, if the two differ.
    pub(super) fn place_in_raster_order(
        &self,
        order: RasterOrder,
        block: Place<'ctx>,
    ) -> Option<Place<'ctx>> {
        let place = match order {
            RasterOrder::Fixed | RasterOrder::Any => return None,
            RasterOrder::Grouped(raster) => self.grouped_place(raster, block),
            RasterOrder::Lpt(order) => self.lpt_place(order, block),
        };
        // This minimum changes nothing, but tells LLVM a bound that it knows for the hardware's indices.
        // Without it, LLVM would add guards to loops.
        Some(place.map(|coordinate| self.least(coordinate, self.code.i32(LAST))))
    }

    fn plane(&self, [column, row, _]: Place<'ctx>) -> Plane<'ctx> {
        let code = &self.code;
        let [columns, rows] = [0, 1].map(|axis| self.grid_size(axis).into_int_value());
        let is_narrow = code.compare(IntPredicate::ULT, columns, code.i32(MAX_GRID_EXTENT));
        // A grid that keeps its order must not cause a division by zero either.
        let columns = code.select(is_narrow, columns, code.i32(1));
        let columns = columns.into_int_value();
        let column = code.select(is_narrow, column, code.i32(0)).into_int_value();
        Plane {
            is_narrow,
            columns,
            rows,
            number: code.add(code.mul(row, columns), column),
        }
    }

    /// Computes the quotient and the remainder of `number` divided by `by`.
    fn divided(&self, number: IntValue<'ctx>, by: IntValue<'ctx>) -> [IntValue<'ctx>; 2] {
        let code = &self.code;
        let quotient = code.udiv(number, by);
        [quotient, code.sub(number, code.mul(quotient, by))]
    }

    fn least(&self, one: IntValue<'ctx>, other: IntValue<'ctx>) -> IntValue<'ctx> {
        let code = &self.code;
        let is_less = code.compare(IntPredicate::ULT, one, other);
        code.select(is_less, one, other).into_int_value()
    }

    /// Emits [`GroupedRaster::place`].
    fn grouped_place(&self, raster: GroupedRaster, block: Place<'ctx>) -> Place<'ctx> {
        let code = &self.code;
        let plane = self.plane(block);
        let one = code.i32(1);
        let rounded = code.add(plane.columns, code.i32((1 << raster.log2_blocks) - 1));
        let count = code.lshr(rounded, code.i32(raster.log2_blocks));
        let width = code.udiv(code.sub(code.add(plane.columns, count), one), count);
        let width = code.and(code.add(width, one), code.i32(!1));
        let [strip, within] = self.divided(plane.number, code.mul(width, plane.rows));
        let start = code.mul(strip, width);
        let strip_width = self.least(code.sub(plane.columns, start), width);
        let [down, across] = self.divided(within, strip_width);
        let place = [(code.add(start, across), block[0]), (down, block[1])];
        let [column, row] = place.map(|(placed, plain)| {
            let placed = code.select(plane.is_narrow, placed, plain);
            placed.into_int_value()
        });
        [column, row, block[2]]
    }

    /// Emits [`LptOrder::place`].
    fn lpt_place(&self, order: LptOrder, block: Place<'ctx>) -> Place<'ctx> {
        let code = &self.code;
        let turned = |coordinate: IntValue<'ctx>, size: IntValue<'ctx>| {
            if order.rises {
                code.sub(code.sub(size, coordinate), code.i32(1))
            } else {
                coordinate
            }
        };
        let Some([uneven, other]) = order.axes() else {
            let planes = self.grid_size(2).into_int_value();
            return [block[0], block[1], turned(block[2], planes)];
        };
        let plane = self.plane(block);
        let sizes = [plane.columns, plane.rows];
        let together = code.i32(LptOrder::TOGETHER);
        let area = code.mul(sizes[uneven], together);
        let [group, within] = self.divided(plane.number, area);
        let start = code.mul(group, together);
        let group_size = self.least(code.sub(sizes[other], start), together);
        let [along, across] = self.divided(within, group_size);
        let mut place = block;
        for (axis, placed) in [
            (uneven, turned(along, sizes[uneven])),
            (other, code.add(start, across)),
        ] {
            let placed = code.select(plane.is_narrow, placed, block[axis]);
            place[axis] = placed.into_int_value();
        }
        place
    }
}

//! Computes how much of a tile exists along an axis.
//!
//! In: an axis of a [`GlobalTile`](crate::gpu::GlobalTile), the tile's index, the extent of the tensor, and
//! the index of the tile's first element. Out: whether the whole tile exists, and how many of its coordinates
//! exist. If the tile begins beyond the end of the tensor, whatever its index, none exists:
//!
//! ```text
//!   begins          left                                        is whole
//!   inside          extent - first                              left >= size
//!   representable   max(extent, first) - first                  index < extent / size
//!   anywhere        index < ceil(extent / step)                 index < extent / size
//!                     ? extent - first : 0
//! ```
//!
//! If the extent and the starts of all tiles are multiples of the size, a tile exists either as a whole or
//! not at all.
//!
//! The quotients are the same for all tiles of a tensor, so LLVM hoists them out of loops. If the size is not
//! a power of two, or differs from the step, `left` is compared with the size instead.

use inkwell::IntPredicate;
use inkwell::values::IntValue;

use super::code::Code;
use crate::gpu::{Begins, GlobalAxis};

/// The part of a tile that exists along an axis.
#[derive(Clone, Copy)]
pub(super) struct Cut<'ctx> {
    /// `true` if the whole tile exists along the axis.
    pub(super) is_whole: IntValue<'ctx>,
    /// The number of the tile's coordinates that exist, at most the tile's size, 32 bits.
    pub(super) limit: IntValue<'ctx>,
    /// An unsigned 32-bit bound: exactly the coordinates below it exist. It is either `limit`, or `left`,
    /// which takes no minimum to compute.
    pub(super) bound: IntValue<'ctx>,
}

impl<'ctx> Code<'ctx> {
    /// Computes which part of tile `index` exists; its first element along the axis is `first`. All numbers
    /// are unsigned and of the same type. `None` if the whole tile always exists.
    pub(super) fn cut(
        &self,
        axis: &GlobalAxis,
        index: IntValue<'ctx>,
        extent: IntValue<'ctx>,
        first: IntValue<'ctx>,
    ) -> Option<Cut<'ctx>> {
        if axis.is_whole() {
            return None;
        }
        let width = index.get_type();
        let number = |number: u64| width.const_int(number, false);
        let size = number(axis.size);
        let fits =
            |number: u64| width.get_bit_width() >= 64 || number >> width.get_bit_width() == 0;
        if axis.is_whole_or_outside() && fits(axis.size) {
            let is_inside = if axis.begins == Begins::Anywhere {
                let tiles = self.lshr(extent, number(axis.size.ilog2().into()));
                self.compare(IntPredicate::ULT, index, tiles)
            } else {
                self.compare(IntPredicate::ULT, first, extent)
            };
            let none = self.cx.i32_type().const_zero();
            let tile_size = self.cx.i32_type().const_int(axis.size, false);
            let limit = self.select(is_inside, tile_size, none).into_int_value();
            return Some(Cut {
                is_whole: is_inside,
                limit,
                bound: limit,
            });
        }
        let left = match axis.begins {
            Begins::Inside => self.sub(extent, first),
            Begins::Representable => {
                let is_inside = self.compare(IntPredicate::UGT, extent, first);
                let end = self.select(is_inside, extent, first).into_int_value();
                self.sub(end, first)
            }
            Begins::Anywhere => {
                let tiles = self.num_tiles(extent, axis.step);
                let is_inside = self.compare(IntPredicate::ULT, index, tiles);
                let left = self.sub(extent, first);
                self.select(is_inside, left, number(0)).into_int_value()
            }
        };
        let is_counted = axis.begins != Begins::Inside
            && axis.size == axis.step
            && axis.size.is_power_of_two()
            && fits(axis.size);
        let is_whole = if is_counted {
            let tiles = self.lshr(extent, number(axis.size.ilog2().into()));
            self.compare(IntPredicate::ULT, index, tiles)
        } else {
            self.compare(IntPredicate::UGE, left, size)
        };
        // This comparison is separate from `is_whole`, because one of the two may be unused.
        let is_all = self.compare(IntPredicate::UGE, left, size);
        let limit = self.select(is_all, size, left).into_int_value();
        let limit = self.unsigned(limit, self.cx.i32_type());
        let is_bound = axis.begins != Begins::Inside && width.get_bit_width() == 32;
        Some(Cut {
            is_whole,
            limit,
            bound: if is_bound { left } else { limit },
        })
    }

    /// Computes `ceil(extent / step)`.
    fn num_tiles(&self, extent: IntValue<'ctx>, step: u64) -> IntValue<'ctx> {
        let width = extent.get_type();
        if step == 1 {
            return extent;
        }
        let by = width.const_int(step, false);
        let (whole, rest) = if step.is_power_of_two() {
            let log2 = width.const_int(step.ilog2().into(), false);
            let mask = width.const_int(step - 1, false);
            (self.lshr(extent, log2), self.and(extent, mask))
        } else {
            (self.udiv(extent, by), self.urem(extent, by))
        };
        let is_cut = self.compare(IntPredicate::NE, rest, width.const_zero());
        self.add(whole, self.unsigned(is_cut, width))
    }
}

//! Interleaves the rows or columns of fragments, so that `ldmatrix` can transpose bytes.
//!
//! `ldmatrix` transposes units of 16 bits, so a lane receives both bytes of a unit, which are neighbours
//! along rows or columns. In fragment order, these bytes belong to two lanes. So 16 rows or columns are
//! renumbered, in both the operand and the accumulator:
//!
//! ```text
//!   number in the fragments   0 1 2 3 4  5  6  7   8 9 10 11 12 13 14 15
//!   row or column             0 2 4 6 8 10 12 14   1 3  5  7  9 11 13 15
//! ```
//!
//! In an operand, a thread then holds two numbers whose elements are neighbours; in an accumulator, it holds
//! four.

use super::linear::LinearLayout;
use super::place::InDim;
use super::shape::Axis;

/// Number of rows or columns that are permuted together.
const GROUP: u64 = 16;

/// Returns `layout` with the rows or columns along `axis` permuted from fragment numbers to interleaved
/// order.
pub fn interleaved(layout: &LinearLayout, axis: Axis) -> LinearLayout {
    renumbered(layout, axis, |bit| match bit {
        0..=2 => bit + 1,
        3 => 0,
        _ => bit,
    })
}

/// Returns the inverse of [`interleaved`].
pub fn straightened(layout: &LinearLayout, axis: Axis) -> LinearLayout {
    renumbered(layout, axis, |bit| match bit {
        1..=3 => bit - 1,
        0 => 3,
        _ => bit,
    })
}

fn renumbered(layout: &LinearLayout, axis: Axis, number: impl Fn(u32) -> u32) -> LinearLayout {
    let shape = layout.shape();
    let columns: Vec<u64> = (0..shape.total_bits())
        .map(|flat| {
            let along = shape.coordinate(1 << flat, axis);
            if along == 0 || shape.size(axis) < GROUP {
                return 1 << flat;
            }
            shape.on_axis(axis, 1 << number(along.trailing_zeros()))
        })
        .collect();
    layout.compose(&columns, shape.clone())
}

/// Returns `true` if each warp has whole groups along `axis`.
pub fn can_interleave(layout: &LinearLayout, axis: Axis) -> bool {
    let shape = layout.shape();
    let mut outer = [InDim::Warp, InDim::Block]
        .into_iter()
        .flat_map(|dim| layout.bases(dim));
    shape.size(axis) >= GROUP
        && outer.all(|&basis| shape.coordinate(basis, axis).is_multiple_of(GROUP))
}

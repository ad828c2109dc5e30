//! Layouts of the slices of a tile, which have equal shapes.
//!
//! ```text
//!   a tile of 8 cut into slices of 4      element  0 1 2 3 | 4 5 6 7
//!                                         slice    0 0 0 0 | 1 1 1 1
//!                                         within   0 1 2 3 | 0 1 2 3
//! ```
//!
//! Extents are powers of two, so a coordinate's low bits are the position within a slice and its high bits
//! the number of the slice.

use super::address::AddressParts;
use super::f2::{self, Solver};
use super::linear::LinearLayout;
use super::place::{InDim, Register};
use super::shape::{Axis, OutShape};

/// Returns a layout of `slice` in which each place of `layout` holds the position that its own element has
/// within its slice. Several places may hold the same position.
pub fn within_slices(layout: &LinearLayout, slice: &OutShape) -> LinearLayout {
    let within: Vec<u64> = unit_vectors(layout.shape())
        .map(|unit| within(layout.shape(), slice, unit))
        .collect();
    layout.compose(&within, slice.clone())
}

/// Returns the number of the slice on `axis` that contains each register's element.
pub fn slice_number(layout: &LinearLayout, slice: &OutShape, axis: Axis) -> AddressParts {
    let columns: Vec<u64> = layout
        .columns()
        .iter()
        .map(|&basis| layout.shape().coordinate(basis, axis) >> slice.log2_size(axis))
        .collect();
    AddressParts::from_columns(layout.in_bits(), &columns)
}

/// Returns the number of slices along each axis.
pub fn slice_counts(shape: &OutShape, slice: &OutShape) -> Vec<u64> {
    let axes = shape.axes();
    axes.map(|axis| shape.size(axis) / slice.size(axis))
        .collect()
}

/// The registers of the slices of a tile, where each thread holds its part of every slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SliceRegisters {
    /// The layout of each slice.
    pub layout: LinearLayout,
    /// Per slice, in row-major order, and per register of `layout`, the register of the
    /// tile.
    pub sources: Vec<Vec<Register>>,
}

/// Returns the slices of a tile in `layout`, or `None` if slices differ in the lanes, warps or blocks that
/// hold them.
pub fn slice_registers(layout: &LinearLayout, slice: &OutShape) -> Option<SliceRegisters> {
    let shape = layout.shape();
    let number = |flat: u64| flat ^ beside(shape, slice, flat);
    let spread = [InDim::Lane, InDim::Warp, InDim::Block]
        .into_iter()
        .flat_map(|dim| layout.bases(dim));
    if spread.into_iter().any(|&basis| number(basis) != 0) {
        return None;
    }
    let register_bases = layout.bases(InDim::Register);
    let numbers: Vec<u64> = register_bases.iter().map(|&basis| number(basis)).collect();
    let registers: Vec<u64> = Solver::new(&numbers)
        .kernel()
        .iter()
        .map(|&vector| within(shape, slice, f2::apply(register_bases, vector)))
        .collect();
    let others = InDim::ALL.into_iter().filter(|&dim| dim != InDim::Register);
    let mut bases = vec![(InDim::Register, registers)];
    bases.extend(others.map(|dim| {
        let list = layout.bases(dim).iter();
        (
            dim,
            list.map(|&basis| within(shape, slice, basis)).collect(),
        )
    }));
    let result = LinearLayout::new(slice.clone(), bases);
    let holders = Solver::new(register_bases);
    let counts = slice_counts(shape, slice);
    let sources = (0..counts.iter().product())
        .map(|number| {
            let start = slice_start(shape, slice, &counts, number);
            let elements = result.registers().map(|register| {
                let within = f2::apply(result.bases(InDim::Register), u64::from(register.0));
                let place = holders.solve(start | widened(shape, slice, within))?;
                u32::try_from(place).ok().map(Register)
            });
            elements.collect::<Option<Vec<_>>>()
        })
        .collect::<Option<_>>()?;
    Some(SliceRegisters {
        layout: result,
        sources,
    })
}

/// Returns a layout of `slice` over the offsets of memory that holds a whole tile in row-major order. The
/// inverse of this layout gives the offsets of the first slice.
pub fn slice_of_row_major(shape: &OutShape, slice: &OutShape) -> LinearLayout {
    let bases: Vec<u64> = unit_vectors(shape)
        .map(|unit| within(shape, slice, unit))
        .collect();
    LinearLayout::new(slice.clone(), [(InDim::Offset, bases)])
}

/// Returns a layout of the whole tile in which each thread holds its part of every slice, as it holds its
/// part of one slice in `layout`.
pub fn slices_in_registers(layout: &LinearLayout, shape: &OutShape) -> LinearLayout {
    let log2 = shape.log2_sizes().iter();
    let counts = log2
        .zip(layout.shape().log2_sizes())
        .map(|(&whole, &part)| whole - part);
    let counts = OutShape::from_log2(counts);
    let order = counts.row_major_order();
    layout.product(&LinearLayout::identity(InDim::Register, counts, &order))
}

fn unit_vectors(shape: &OutShape) -> impl Iterator<Item = u64> + use<> {
    (0..shape.total_bits()).map(|bit| 1 << bit)
}

/// Maps the flat index `flat` in the tile to the flat index in its slice.
fn within(shape: &OutShape, slice: &OutShape, flat: u64) -> u64 {
    let axes = shape.axes();
    axes.fold(0, |sum, axis| {
        let coordinate = shape.coordinate(flat, axis) & (slice.size(axis) - 1);
        sum | slice.on_axis(axis, coordinate)
    })
}

/// Maps a flat index in a slice to the flat index, in the tile, of that element of the first slice.
fn widened(shape: &OutShape, slice: &OutShape, within: u64) -> u64 {
    let axes = shape.axes();
    axes.fold(0, |sum, axis| {
        sum | shape.on_axis(axis, slice.coordinate(within, axis))
    })
}

/// Maps `flat` to the flat index of the corresponding element of the first slice.
fn beside(shape: &OutShape, slice: &OutShape, flat: u64) -> u64 {
    widened(shape, slice, within(shape, slice, flat))
}

/// Returns the flat index at which slice `number`, counted in row-major order, starts.
fn slice_start(shape: &OutShape, slice: &OutShape, counts: &[u64], mut number: u64) -> u64 {
    let mut start = 0;
    for axis in shape.axes().rev() {
        let slice_index = number % counts[axis.0];
        number /= counts[axis.0];
        start |= shape.on_axis(axis, slice_index * slice.size(axis));
    }
    start
}

//! Blocked layouts: contiguous elements per thread, then lanes, then warps, along each axis.
//!
//! ```text
//!   2 elements x 4 lanes x 2 warps along axis 0, then repeated in registers
//!   lane   0 0 1 1 2 2 3 3 0 0 1 1 2 2 3 3 0 0 ...
//!   warp   0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 0 0 ...
//!   reg    0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 2 3 ...
//! ```

use smallvec::{SmallVec, smallvec};

use super::f2::Span;
use super::linear::LinearLayout;
use super::place::InDim;
use super::shape::{Axis, OutShape};

/// The base-2 logarithm of the threads in a warp.
pub(super) const LANE_BITS: u32 = 5;

/// Bits of the widest memory access of a thread.
pub(super) const MAX_ACCESS_BITS: u32 = 128;

/// The unit that a blocked layout repeats over a tile. Sizes are per axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockedTile {
    /// Contiguous elements of one thread.
    pub elements: OutShape,
    /// Lanes of a warp.
    pub lanes: OutShape,
    /// Warps of a block.
    pub warps: OutShape,
    /// The axes, fastest first: consecutive registers, lanes and warps are neighbours along the first.
    pub order: SmallVec<[Axis; 4]>,
}

/// Returns the blocked layout of a tile of `shape`: registers x lanes x warps, repeated in registers where
/// the tile is larger, replicated where it is smaller.
///
/// # Panics
/// Unless all parts have the rank of `shape`.
pub fn blocked(shape: &OutShape, tile: &BlockedTile) -> LinearLayout {
    let BlockedTile {
        elements,
        lanes,
        warps,
        order,
    } = tile;
    LinearLayout::identity(InDim::Register, elements.clone(), order)
        .product(&LinearLayout::identity(InDim::Lane, lanes.clone(), order))
        .product(&LinearLayout::identity(InDim::Warp, warps.clone(), order))
        .fit(shape, order)
}

/// Returns the layout for moving a tile between registers and global memory: each thread accesses up to 16
/// bytes by one instruction, lanes follow the contiguous axis `order[0]` to the end of the row and then the
/// next axis, and warps continue from there.
///
/// `contiguous_elements` bounds the vector by the known properties of the memory: contiguity, alignment and
/// divisibility. If the tile has too few elements for a whole vector in every thread, the vector is shorter,
/// so that every thread has work and no element is moved twice. Only a tile with fewer elements than threads
/// is replicated.
///
/// # Panics
/// If `num_warps` is not a power of two, or `order` does not list each axis once.
pub fn coalesced(
    shape: &OutShape,
    element_bits: u32,
    contiguous_elements: u64,
    num_warps: u32,
    order: &[Axis],
) -> LinearLayout {
    assert!(
        num_warps.is_power_of_two(),
        "the number of warps is a power of two"
    );
    let warp_bits = num_warps.ilog2();
    let rank = shape.rank();
    let mut free: SmallVec<[u32; 4]> = shape.log2_sizes().iter().copied().collect();
    let mut take = |budget: &mut u32, axes: &[Axis]| {
        let mut taken: SmallVec<[u32; 4]> = smallvec![0; rank];
        for axis in axes {
            let bits = free[axis.0].min(*budget);
            taken[axis.0] = bits;
            free[axis.0] -= bits;
            *budget -= bits;
        }
        OutShape::from_log2(taken)
    };

    let widest = (MAX_ACCESS_BITS / element_bits.max(1)).max(1).ilog2();
    let aligned_log2 = contiguous_elements.max(1).ilog2();
    let share = shape.total_bits().saturating_sub(LANE_BITS + warp_bits);
    let mut vector = widest.min(aligned_log2).min(share);
    let fastest = &order[..order.len().min(1)];
    let elements = take(&mut vector, fastest);
    let mut lanes_left = LANE_BITS;
    let lanes = take(&mut lanes_left, order);
    let mut warps_left = warp_bits;
    let warps = take(&mut warps_left, order);

    LinearLayout::identity(InDim::Register, elements, order)
        .product(&LinearLayout::identity(InDim::Lane, lanes, order))
        .product(&LinearLayout::replicated(InDim::Lane, lanes_left, rank))
        .product(&LinearLayout::identity(InDim::Warp, warps, order))
        .product(&LinearLayout::replicated(InDim::Warp, warps_left, rank))
        .fit(shape, order)
}

/// Returns a layout like [`coalesced`], except that each warp keeps the elements that it has in `layout`.
pub fn coalesced_in_warps(
    layout: &LinearLayout,
    contiguous_elements: u64,
    order: &[Axis],
) -> LinearLayout {
    let shape = layout.shape();
    let warps = layout.bases(InDim::Warp);
    let mut span = Span::from_vectors(warps.iter().copied());
    let units = order
        .iter()
        .flat_map(|&axis| (0..shape.log2_size(axis)).map(move |bit| shape.on_axis(axis, 1 << bit)));
    let units: Vec<u64> = units.collect();
    let mut thread_units = units.clone();
    thread_units.retain(|&unit| span.insert(unit, 0).is_none());
    let aligned_log2 = contiguous_elements.min(shape.size(order[0])).max(1).ilog2();
    let neighbours = thread_units.iter().zip(&units).take(aligned_log2 as usize);
    let vector = neighbours
        .take_while(|(thread_units, unit)| thread_units == unit)
        .count();
    let (vector, rest) = thread_units.split_at(vector);
    let (lanes, rest) = rest.split_at(rest.len().min(LANE_BITS as usize));
    let registers = [vector, rest].concat();
    let mut lanes = lanes.to_vec();
    lanes.resize(LANE_BITS as usize, 0);
    LinearLayout::new(
        shape.clone(),
        [
            (InDim::Register, registers),
            (InDim::Lane, lanes),
            (InDim::Warp, warps.to_vec()),
        ],
    )
}

//! Plans for scans, which combine the elements along an axis in order.
//!
//! Input: a distributed layout and the axis. Output: a [`ReducePlan`] whose registers, lanes and warps are in
//! the order of the axis, so that prefixes can be computed over registers, then lanes, then warps.
//!
//! ```text
//!   axis of 64    bits  0 1 | 2 3 | 4 5
//!                 registers   lanes   warps
//! ```

use super::blocked::LANE_BITS;
use super::linear::LinearLayout;
use super::place::InDim;
use super::reduce::{ReducePlan, reduce_plan};
use super::shape::{Axis, OutShape};

/// A plan for combining elements along an axis in order; see the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScanPlan {
    /// Rows of registers, and the exchange between warps.
    pub reduce: ReducePlan,
    /// The lowest lane bit that counts along the axis.
    pub first_lane_bit: u32,
    /// The number of lane bits that count along the axis.
    pub lane_bits: u32,
}

impl ScanPlan {
    /// Returns the number of lanes of one row.
    pub fn lanes(&self) -> u32 {
        1 << self.lane_bits
    }

    /// Returns the bits of a lane's number that count along the axis.
    pub fn lane_mask(&self) -> u32 {
        (self.lanes() - 1) << self.first_lane_bit
    }
}

/// Returns the plan for `layout` along `axis`, or `None` unless the low bits of the axis are in registers,
/// the next in consecutive bits of the lane, and the high ones in the warp, each once.
pub fn scan_plan(layout: &LinearLayout, axis: Axis) -> Option<ScanPlan> {
    let shape = layout.shape();
    let mask = shape.axis_mask(axis);
    // The bits of the axis in each dimension, as (input bit, axis bit).
    let along = |dim: InDim| -> Option<Vec<(u32, u32)>> {
        let mut lanes_of_axis = Vec::new();
        for (bit, &basis) in (0..).zip(layout.bases(dim)) {
            match basis & mask {
                0 => {}
                part if part == basis && part.is_power_of_two() => {
                    lanes_of_axis.push((bit, shape.coordinate(part, axis).ilog2()));
                }
                _ => return None,
            }
        }
        Some(lanes_of_axis)
    };
    let mut registers = along(InDim::Register)?;
    registers.sort_by_key(|&(_, to)| to);
    let (lanes, warps) = (along(InDim::Lane)?, along(InDim::Warp)?);
    let in_order = registers.iter().chain(&lanes).chain(&warps);
    if !in_order.map(|&(_, to)| to).eq(0..shape.log2_size(axis)) {
        return None;
    }
    let first_lane_bit = lanes.first().map_or(0, |&(from, _)| from);
    let are_neighbours = lanes
        .iter()
        .map(|&(from, _)| from)
        .eq((first_lane_bit..).take(lanes.len()));
    if !are_neighbours || !layout.bases(InDim::Block).is_empty() {
        return None;
    }
    Some(ScanPlan {
        reduce: reduce_plan(layout, axis)?,
        first_lane_bit,
        lane_bits: u32::try_from(lanes.len()).expect("a lane number is short"),
    })
}

/// Returns a layout with a [`scan_plan`]: lanes and warps first cover the other axes, and the remaining bits
/// count along `axis`.
pub fn scan_layout(shape: &OutShape, axis: Axis, num_warps: u32) -> LinearLayout {
    let others: Vec<u64> = shape
        .row_major_order()
        .into_iter()
        .filter(|&other| other != axis)
        .flat_map(|other| (0..shape.log2_size(other)).map(move |bit| (other, bit)))
        .map(|(other, bit)| shape.on_axis(other, 1 << bit))
        .collect();
    let along: Vec<u64> = (0..shape.log2_size(axis))
        .map(|bit| shape.on_axis(axis, 1 << bit))
        .collect();
    let warp_bits = num_warps.ilog2() as usize;
    let lane_bits = LANE_BITS as usize;
    // The other axes take lanes first, then warps, then registers.
    let other_lanes = others.len().min(lane_bits);
    let other_warps = (others.len() - other_lanes).min(warp_bits);
    // Along `axis`, warps take the highest bits, and lanes the bits below.
    let spare = along.len();
    let axis_lanes = (lane_bits - other_lanes).min(spare);
    let axis_warps = (warp_bits - other_warps).min(spare - axis_lanes);
    let axis_registers = spare - axis_lanes - axis_warps;

    let (low, high) = along.split_at(axis_registers);
    let (middle, high) = high.split_at(axis_lanes);
    let mut registers = low.to_vec();
    registers.extend(&others[other_lanes + other_warps..]);
    let mut lanes = middle.to_vec();
    lanes.extend(&others[..other_lanes]);
    lanes.resize(lane_bits, 0);
    let mut warps = others[other_lanes..other_lanes + other_warps].to_vec();
    warps.extend(high);
    warps.resize(warp_bits, 0);
    LinearLayout::new(
        shape.clone(),
        [
            (InDim::Register, registers),
            (InDim::Lane, lanes),
            (InDim::Warp, warps),
        ],
    )
}

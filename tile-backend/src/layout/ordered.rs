//! Plans for reducing a tile along one axis in the order of its elements.
//!
//! Input: a distributed layout and the axis. Output: steps, each of which combines runs of neighbours and
//! leaves a tile with a shorter axis. Elements are thus combined in order for any distribution of the axis
//! over registers, lanes and warps, and no element moves before it has been combined.
//!
//! ```text
//!   axis of 512   bits   0 1    | 2 3 4 | 5 6  | 7 8
//!                 registers      lanes   warps   registers
//!   first step    runs of 128: registers, lanes, warps; the axis has 4 elements left
//!   second step   registers
//! ```

use super::linear::LinearLayout;
use super::place::InDim;
use super::reduce::{ReducePlan, reduce_plan};
use super::shape::{Axis, OutShape};

/// Returns the steps for `layout` along `axis`, or `None` if a register, lane or warp bit moves along the
/// axis by anything but a power of two, or along another axis too. In that case, convert the layout first.
///
/// The operands of the first plan have `layout`, and those of each later plan have the result layout of the
/// preceding plan.
pub fn ordered_plans(layout: &LinearLayout, axis: Axis) -> Option<Vec<ReducePlan>> {
    if !layout.bases(InDim::Block).is_empty() {
        return None;
    }
    let mut plans = Vec::new();
    let mut layout = layout.clone();
    loop {
        let bits = places(&layout, axis)?;
        let length = run(&bits);
        let whole = length == bits.len();
        let plan = if whole {
            reduce_plan(&layout, axis)?
        } else {
            let (split, low) = split(layout.shape(), axis, length);
            reduce_plan(&layout.reshape(split), low)?
        };
        layout = plan.result.clone();
        plans.push(plan);
        if whole {
            return Some(plans);
        }
    }
}

/// Returns, for each bit of the axis (lowest first), the dimension and the input bit that move along it.
fn places(layout: &LinearLayout, axis: Axis) -> Option<Vec<(InDim, usize)>> {
    let shape = layout.shape();
    let mask = shape.axis_mask(axis);
    let mut places = vec![None; shape.log2_size(axis) as usize];
    for dim in [InDim::Register, InDim::Lane, InDim::Warp] {
        for (bit, &basis) in layout.bases(dim).iter().enumerate() {
            let part = basis & mask;
            if part == 0 {
                continue;
            }
            if part != basis || !part.is_power_of_two() {
                return None;
            }
            let to = shape.coordinate(part, axis).ilog2() as usize;
            if places[to].replace((dim, bit)).is_some() {
                return None;
            }
        }
    }
    places.into_iter().collect()
}

/// Returns the number of lowest bits of the axis that one step takes: bits of registers, then of lanes, then
/// of warps. The bits of lanes and of warps must be in increasing order.
fn run(places: &[(InDim, usize)]) -> usize {
    let mut taken = 0;
    for dim in [InDim::Register, InDim::Lane, InDim::Warp] {
        let mut before = None;
        while let Some(&(of, bit)) = places.get(taken) {
            // Register bits may be in any order, since a plan sorts the registers of a thread; lanes and
            // warps are combined bit by bit.
            if of != dim || dim != InDim::Register && before > Some(bit) {
                break;
            }
            before = Some(bit);
            taken += 1;
        }
    }
    taken
}

/// Splits off an axis of runs of `2^length` neighbours along `axis`, and also returns the new axis.
fn split(shape: &OutShape, axis: Axis, length: usize) -> (OutShape, Axis) {
    let mut sizes = shape.log2_sizes().to_vec();
    let low = u32::try_from(length).expect("an axis has few bits");
    sizes[axis.0] -= low;
    sizes.insert(axis.0 + 1, low);
    (OutShape::from_log2(sizes), Axis(axis.0 + 1))
}

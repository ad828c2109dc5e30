//! Skews the register order of some lanes to avoid bank conflicts.
//!
//! Input: the layout of a tile in registers, and a fixed layout of memory, such as the boxes of a tensor map.
//! Output: a layout in which some lanes have their registers in another order, which costs a selection per
//! register and no movement between lanes.
//!
//! With accumulators of f32 and swizzled rows of 128 bytes, lanes of adjacent rows store to the same chunks,
//!
//! ```text
//!   row 0   01 23 45 67 ..      lanes 0 to 3 have two elements each
//!   row 1   45 67 01 23 ..      lanes 4 to 7: banks of lanes 0 to 3
//! ```
//!
//! unless lanes of odd rows store other columns at the same time.

use super::convert::access_passes;
use super::linear::LinearLayout;
use super::place::InDim;

/// Returns the layout whose stores to `memory` need the fewest passes, among those in which one bit of the
/// lane number flips one bit of the register number; `None` if none is better than `registers`.
pub fn skewed(
    registers: &LinearLayout,
    memory: &LinearLayout,
    element_bits: u32,
) -> Option<LinearLayout> {
    let register_bases = registers.bases(InDim::Register);
    let lanes = registers.bases(InDim::Lane);
    let passes = |layout: &LinearLayout| access_passes(layout, memory, element_bits);
    let most = passes(registers)?;
    let pairs =
        (0..lanes.len()).flat_map(|lane| register_bases.iter().map(move |&basis| (lane, basis)));
    let candidates = pairs.filter(|&(lane, basis)| lanes[lane] != 0 && basis != 0);
    let candidates = candidates.map(|(lane, basis)| {
        let mut lanes = lanes.to_vec();
        lanes[lane] ^= basis;
        let bases = [
            (InDim::Register, register_bases.to_vec()),
            (InDim::Lane, lanes),
            (InDim::Warp, registers.bases(InDim::Warp).to_vec()),
        ];
        LinearLayout::new(registers.shape().clone(), bases)
    });
    let candidates = candidates.filter_map(|layout| Some((passes(&layout)?, layout)));
    let (fewest, layout) = candidates.min_by_key(|(passes, _)| *passes)?;
    (fewest < most).then_some(layout)
}

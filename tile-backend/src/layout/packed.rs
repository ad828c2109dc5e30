//! Layouts in which each thread holds runs of neighbouring elements.
//!
//! Input: a layout and the logarithm of the length of a run. Output: a layout whose lowest register bits
//! count along the run, in row-major order, with the least movement of other elements.

use super::f2::Span;
use super::linear::LinearLayout;
use super::place::InDim;

/// Returns `true` if the `2^log2` registers from `2^log2 * n` on hold a run of neighbours, for each `n` and
/// in every thread.
pub fn is_packed(layout: &LinearLayout, log2: u32) -> bool {
    let registers = layout.bases(InDim::Register);
    let counts = (0..log2).all(|bit| registers.get(bit as usize) == Some(&(1 << bit)));
    counts && tells_apart(layout, log2) == log2 as usize
}

/// Returns the number of input bits that distinguish elements of one run.
fn tells_apart(layout: &LinearLayout, log2: u32) -> usize {
    let run = (1 << log2) - 1;
    let columns = layout.columns();
    columns.iter().filter(|&basis| basis & run != 0).count()
}

/// Returns `layout` with runs of `2^log2` neighbours in the registers of each thread.
///
/// If each thread holds whole runs already, only its registers are reordered. Otherwise, the bits of lanes,
/// warps and blocks that distinguished neighbours take over bases of registers. Once none are left, these
/// bits replicate.
///
/// # Panics
/// If the tile has fewer elements.
pub fn packed(layout: &LinearLayout, log2: u32) -> LinearLayout {
    let shape = layout.shape();
    assert!(log2 <= shape.total_bits(), "a run is part of the tile");
    let units: Vec<u64> = (0..log2).map(|bit| 1 << bit).collect();
    let held = layout.bases(InDim::Register);
    if units.iter().all(|unit| held.contains(unit)) && tells_apart(layout, log2) == units.len() {
        let first = units.iter().filter_map(|unit| {
            let place = held.iter().position(|basis| basis == unit);
            place.map(|place| (place, *unit))
        });
        let (places, mut registers): (Vec<usize>, Vec<u64>) = first.unzip();
        let others = held.iter().enumerate();
        registers.extend(
            others
                .filter(|(place, _)| !places.contains(place))
                .map(|(_, basis)| *basis),
        );
        return with_bases(layout, &registers, |dim| layout.bases(dim).to_vec());
    }
    let run = (1 << log2) - 1;
    let mut span = Span::from_vectors(units.iter().copied());
    // Go from blocks inwards, so that as many elements as possible stay in their block and warp.
    let mut kept = [InDim::Block, InDim::Warp, InDim::Lane, InDim::Register].map(|dim| {
        let bases = layout.bases(dim).iter().map(|basis| {
            let basis = basis & !run;
            match span.insert(basis, 0) {
                None => basis,
                Some(_) => 0,
            }
        });
        (dim, bases.collect::<Vec<u64>>())
    });
    let [(_, blocks), (_, warps), (_, lanes), (_, registers)] = &mut kept;
    registers.retain(|&basis| basis != 0);
    for free in [lanes, warps, blocks] {
        for basis in free.iter_mut().filter(|basis| **basis == 0) {
            *basis = registers.pop().unwrap_or(0);
        }
    }
    let registers = [units, registers.clone()].concat();
    with_bases(layout, &registers, |dim| {
        let entry = kept.iter().find(|(kept_dim, _)| *kept_dim == dim);
        entry.map_or_else(Vec::new, |(_, bases)| bases.clone())
    })
}

/// Returns a layout of the same tile with other bases.
fn with_bases(
    layout: &LinearLayout,
    registers: &[u64],
    others: impl Fn(InDim) -> Vec<u64>,
) -> LinearLayout {
    let lists = InDim::ALL.map(|dim| match dim {
        InDim::Register => (dim, registers.to_vec()),
        InDim::Lane | InDim::Warp | InDim::Block | InDim::Offset => (dim, others(dim)),
    });
    LinearLayout::new(layout.shape().clone(), lists)
}

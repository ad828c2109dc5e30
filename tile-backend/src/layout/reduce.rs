//! Plans for reducing a tile along one axis.
//!
//! Input: a distributed layout and the axis. Output: the registers that a thread combines, the lanes that
//! exchange by butterfly shuffles, and the warps that exchange through shared memory. Every place of the
//! result layout ends up with the full result, so broadcasting it back along the axis needs no further
//! movement.
//!
//! ```text
//!   1. thread: combine registers that differ only along the axis
//!   2. warp:   for each lane mask m: x = combine(x, shuffle_xor(x, m))
//!   3. block:  write x to scratch[slot(warp)][element], barrier, read and combine all slots
//! ```
//!
//! An element held in several places counts once: copies are in no group, and masks lead only to lanes and
//! warps with elements not yet combined.

use std::collections::BTreeMap;

use super::f2::{self, Solver, Span};
use super::linear::LinearLayout;
use super::place::{InDim, Location, Register};
use super::shape::Axis;

/// The exchange between warps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarpExchange {
    /// The bits of the warp number that make up the slot number, lowest first. Warps with different partial
    /// results of an element differ in these bits, and warps with copies of one partial result agree in them.
    pub slot_bits: Vec<u32>,
    /// The XOR masks on the warp number that lead to the warps with which a warp combines its results.
    pub warp_masks: Vec<u32>,
    /// A lane writes its partial results only if it has none of these bits.
    pub idle_lane_mask: u32,
    /// A warp writes its partial results only if it has none of these bits.
    pub idle_warp_mask: u32,
}

impl WarpExchange {
    /// Returns the number of partial results of each element.
    pub fn slots(&self) -> usize {
        1 << self.slot_bits.len()
    }

    /// Returns the slot of a warp.
    pub fn slot_of(&self, warp: u32) -> u32 {
        let bits = self.slot_bits.iter().enumerate();
        bits.fold(0, |slot, (position, bit)| {
            slot | (warp >> bit & 1) << position
        })
    }

    /// Splits the exchange into two steps: first between the warps of each block, then between blocks. The
    /// lowest `bits` of the warp number distinguish the warps of a block, and those above it the blocks.
    /// Returns `None` if a bit or a mask belongs to both steps, or is out of order.
    pub fn in_two_steps(&self, bits: u32) -> Option<[Option<Self>; 2]> {
        let block_mask = (1 << bits) - 1;
        let (slots, masks) = (&self.slot_bits, &self.warp_masks);
        let first = slots.iter().take_while(|&&bit| bit < bits).count();
        let is_apart = slots[first..].iter().all(|&bit| bit >= bits)
            && masks[first..].iter().all(|mask| mask & block_mask == 0);
        let of_block = slots[..first].iter().fold(0, |mask, bit| mask | 1 << bit);
        let step = |range: std::ops::Range<usize>, idle_warp_mask| {
            (!range.is_empty()).then(|| Self {
                slot_bits: slots[range.clone()].to_vec(),
                warp_masks: masks[range].to_vec(),
                idle_lane_mask: self.idle_lane_mask,
                idle_warp_mask,
            })
        };
        // The first step leaves the combined result in all warps of a block; one of them writes it in the
        // second step.
        let steps = [
            step(0..first, self.idle_warp_mask & block_mask),
            step(first..slots.len(), self.idle_warp_mask | of_block),
        ];
        is_apart.then_some(steps)
    }
}

/// A plan to reduce a tile along an axis; see the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReducePlan {
    /// The layout of the result, without the axis and without register copies.
    pub result: LinearLayout,
    /// For each register of the result, the registers to combine, by increasing
    /// coordinate on the axis in lane 0 of warp 0.
    pub groups: Vec<Vec<Register>>,
    /// XOR masks on the lane number for the butterfly, in order.
    pub lane_masks: Vec<u32>,
    /// The exchange between warps, if elements are spread over several.
    pub warps: Option<WarpExchange>,
}

/// Returns the plan for `layout` along `axis`, or `None` if the elements along the axis cannot be collected
/// by these three steps: some are in another block, or a lane or warp bit moves along the axis and another
/// axis too. In that case, convert the layout first.
pub fn reduce_plan(layout: &LinearLayout, axis: Axis) -> Option<ReducePlan> {
    let shape = layout.shape();
    let (result, register_map) = layout.slice_axis(axis).unique_registers();

    let mut registers_by_source: Vec<BTreeMap<u64, Register>> =
        vec![BTreeMap::new(); result.num_registers()];
    for register in layout.registers() {
        let element = layout.apply_flat(Location::thread(register, 0, 0));
        let group = &mut registers_by_source[register_map[register.index()].index()];
        group.entry(element).or_insert(register);
    }
    let groups: Vec<Vec<Register>> = registers_by_source
        .into_iter()
        .map(|group| group.into_values().collect())
        .collect();

    // For a thread that holds `x`, the elements combined so far are `x ^ c` for all `c` in `covered`.
    let mut covered = Span::default();
    for vector in axis_kernel(layout, axis, InDim::Register) {
        covered.insert(image(layout, InDim::Register, vector), 0);
    }
    let mut collect = |dim| -> Vec<u32> {
        axis_kernel(layout, axis, dim)
            .into_iter()
            .filter(|&vector| covered.insert(image(layout, dim, vector), 0).is_none())
            .map(|vector| u32::try_from(vector).expect("a dimension has at most 31 bits"))
            .collect()
    };
    let lane_masks = collect(InDim::Lane);
    let warp_masks = collect(InDim::Warp);
    if covered.rank() != shape.log2_size(axis) as usize {
        return None;
    }
    let mut plan = ReducePlan {
        result,
        groups,
        lane_masks,
        warps: None,
    };
    if !warp_masks.is_empty() {
        let slot_bits: Vec<u32> = warp_masks.iter().map(|mask| mask.ilog2()).collect();
        let slot_mask = slot_bits.iter().fold(0, |mask, bit| mask | 1 << bit);
        let exchange = WarpExchange {
            slot_bits,
            warp_masks,
            idle_lane_mask: plan.result.free_mask(InDim::Lane),
            idle_warp_mask: plan.result.free_mask(InDim::Warp) & !slot_mask,
        };
        if !slots_are_distinct(layout, axis, &plan, &exchange) {
            return None;
        }
        plan.warps = Some(exchange);
    }
    Some(plan)
}

/// Returns `true` if the writers of one result element, one per slot, hold different elements along the axis.
/// They do not if the warps that are combined differ only in bits that also change the result element.
fn slots_are_distinct(
    layout: &LinearLayout,
    axis: Axis,
    plan: &ReducePlan,
    exchange: &WarpExchange,
) -> bool {
    let axis_mask = layout.shape().axis_mask(axis);
    let mut held = Span::default();
    for vector in axis_kernel(layout, axis, InDim::Register) {
        held.insert(image(layout, InDim::Register, vector), 0);
    }
    for &mask in &plan.lane_masks {
        held.insert(image(layout, InDim::Lane, u64::from(mask)), 0);
    }
    let active = |dim, idle: u32| {
        let bases = layout.bases(dim).iter().enumerate();
        bases.filter_map(move |(bit, &basis)| (idle >> bit & 1 == 0).then_some(basis))
    };
    // One column per bit of the writers; the register bits are those of the result.
    let mut writers: Vec<u64> = (0..plan.result.bases(InDim::Register).len())
        .map(|bit| plan.groups[1 << bit][0])
        .map(|register| layout.apply_flat(Location::thread(register, 0, 0)))
        .collect();
    writers.extend(active(InDim::Lane, exchange.idle_lane_mask));
    writers.extend(active(InDim::Warp, exchange.idle_warp_mask));
    let keys: Vec<u64> = writers.iter().map(|element| element & !axis_mask).collect();
    let same_key = Solver::new(&keys).kernel().to_vec();
    same_key.len() == exchange.slot_bits.len()
        && same_key
            .into_iter()
            .all(|vector| held.insert(f2::apply(&writers, vector), 0).is_none())
}

/// Returns a basis of the numbers in `dim` that change only the coordinate on `axis`, or nothing. The highest
/// bit of each basis vector is in no other, and is in the free mask of the sliced layout.
fn axis_kernel(layout: &LinearLayout, axis: Axis, dim: InDim) -> Vec<u64> {
    let others = !layout.shape().axis_mask(axis);
    let columns: Vec<u64> = layout
        .bases(dim)
        .iter()
        .map(|basis| basis & others)
        .collect();
    Solver::new(&columns).kernel().to_vec()
}

fn image(layout: &LinearLayout, dim: InDim, vector: u64) -> u64 {
    f2::apply(layout.bases(dim), vector)
}

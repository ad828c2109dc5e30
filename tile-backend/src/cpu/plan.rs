//! The order in which a nest runs its iterations: which bits of their numbers are lanes of vectors, which are loops, and
//! which are unrolled.

use tile_core::types::Scalar;

use super::ir::{Inst, Nest, Order, Place};

/// Consecutive bits that one loop counts, from the lowest.
pub(super) type Group = Vec<u32>;

/// The order of a nest.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The bits that are lanes of a vector, from the lowest bit of the lane.
    pub(super) lanes: Vec<u32>,
    /// Loops over bits that no reduction runs along, from the outermost.
    pub(super) outer: Vec<Group>,
    /// Loops along the axis of the nest, from the outermost.
    pub(super) inner: Vec<Group>,
    /// Bits whose iterations are written out in the innermost loop: those along the axis, and others.
    pub(super) unrolled: Vec<u32>,
}

/// The partial results of a reduction of [`Order::Partial`].
const PARTIAL: u32 = 32;

/// The number of accumulators that hide the latency of an addition.
const CHAINS: u32 = 4;

/// The greatest number of instructions of a nest whose innermost loop is unrolled.
const FEW: usize = 16;

/// Plans a nest for vectors of so many bytes.
pub(super) fn plan(nest: &Nest, types: &[Scalar], vector_bytes: u32) -> Plan {
    // Addresses take two registers each.
    let elements = types.iter().filter(|&&scalar| scalar != Scalar::I64);
    let has_elements = elements.clone().next().is_some();
    let widest = types
        .iter()
        .filter(|&&scalar| scalar != Scalar::I64 || !has_elements)
        .map(|scalar| scalar.bytes())
        .max()
        .unwrap_or(4)
        .max(1);
    let width = (vector_bytes / u32::try_from(widest).expect("few bytes"))
        .max(1)
        .trailing_zeros();
    let kept: Vec<u32> = (0..nest.bits)
        .filter(|bit| !nest.axis.contains(bit))
        .collect();
    let is_scan = nest.insts.iter().any(|inst| matches!(inst, Inst::Scan(_)));
    let orders = nest.insts.iter().filter_map(|inst| match inst {
        Inst::Reduce(reduce) => Some(reduce.order),
        _ => None,
    });
    let is_sequential = is_scan || orders.clone().any(|order| order == Order::Sequential);
    let is_in_segments = orders.clone().any(|order| order == Order::Segments);
    let is_partial = orders.clone().any(|order| order == Order::Partial);
    let is_one_by_one = nest.insts.iter().any(|inst| match inst {
        Inst::Atomic { .. } => true,
        Inst::Gather { is_shared, .. } | Inst::Scatter { is_shared, .. } => *is_shared,
        _ => false,
    });
    let is_scattered = nest
        .insts
        .iter()
        .any(|inst| matches!(inst, Inst::Scatter { .. }));
    let lanes: Vec<u32> = if is_one_by_one {
        // Each element is accessed in one step, in order.
        Vec::new()
    } else if nest.axis.is_empty() {
        // Elements of one address are stored in order, the last one last: `scatter` does so for the lanes of a vector.
        (0..nest.bits.min(width)).collect()
    } else if is_in_segments {
        let count = nest.axis.len().min(width as usize);
        nest.axis[nest.axis.len() - count..].to_vec()
    } else if is_sequential {
        // Neighbours first, as long as they are below the axis.
        let below = nest.axis[0];
        let usable = if below > 0 {
            below
        } else {
            u32::try_from(kept.len()).expect("few bits")
        };
        kept.iter()
            .copied()
            .take(usable.min(width) as usize)
            .collect()
    } else {
        (0..nest.bits.min(width)).collect()
    };
    let mut unrolled = Vec::new();
    let free = |bit: &u32| !lanes.contains(bit);
    if !nest.axis.is_empty() {
        let along: Vec<u32> = nest.axis.iter().copied().filter(free).collect();
        let across: Vec<u32> = kept.iter().copied().filter(free).collect();
        let width = u32::try_from(lanes.len()).expect("few bits");
        let chains = if is_partial {
            PARTIAL.trailing_zeros() - width
        } else {
            CHAINS.trailing_zeros()
        };
        let chosen = if is_scan || is_in_segments {
            &[][..]
        } else if is_sequential {
            &across[..]
        } else {
            &along[..]
        };
        let limit = if is_sequential && nest.axis[0] == 0 {
            0
        } else {
            chains
        };
        unrolled.extend(chosen.iter().copied().take(limit as usize));
    } else if nest.insts.len() <= FEW && !is_scattered && !is_one_by_one {
        unrolled.extend((0..nest.bits).filter(free).take(1));
    }
    let is_loop = |bit: &u32| free(bit) && !unrolled.contains(bit);
    let outer = kept.into_iter().filter(is_loop).collect();
    let inner = nest.axis.iter().copied().filter(is_loop).collect();
    Plan {
        outer: groups(nest, outer),
        inner: groups(nest, inner),
        lanes,
        unrolled,
    }
}

/// Splits bits into loops, the outermost first: a loop may count several bits if every place moves evenly with them.
fn groups(nest: &Nest, bits: Vec<u32>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for bit in bits {
        match groups.last_mut() {
            Some(group) if is_even(nest, *group.last().expect("a bit"), bit) => group.push(bit),
            _ => groups.push(vec![bit]),
        }
    }
    groups.reverse();
    groups
}

fn is_even(nest: &Nest, low: u32, high: u32) -> bool {
    let (low, high) = (low as usize, high as usize);
    let doubles = |weights: &Vec<i64>| weights[high] == weights[low] * 2;
    nest.insts.iter().all(|inst| match inst {
        Inst::Table(_, _, weights) | Inst::Position(_, weights) => doubles(weights),
        Inst::Load(place, _) | Inst::Store(place, _) => is_even_place(place, doubles),
        Inst::Reduce(reduce) | Inst::Scan(reduce) => reduce
            .places
            .iter()
            .all(|place| is_even_place(place, doubles)),
        _ => true,
    })
}

fn is_even_place(place: &Place, doubles: impl Fn(&Vec<i64>) -> bool) -> bool {
    place.axes.iter().all(|axis| doubles(&axis.weights))
}

//! The order in which a nest runs its iterations: which bits of their numbers are lanes of vectors, which are loops, and
//! which are unrolled.

use tile_core::types::Scalar;

use super::Level;
use super::ir::{Axis, Inst, Nest, Order, Place, Stride};

/// Consecutive bits that one loop counts, from the lowest.
pub(super) type Group = Vec<u32>;

/// The order of a nest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The bits that are lanes of a vector, from the lowest bit of the lane.
    pub(super) lanes: Vec<u32>,
    /// Loops over bits that no reduction runs along, from the outermost.
    pub(super) outer: Vec<Group>,
    /// Loops along the axis of the nest, from the outermost.
    pub(super) inner: Vec<Group>,
    /// Bits whose iterations are written out in the innermost loop: those along the axis, and others.
    pub(super) unrolled: Vec<u32>,
    /// `true` if they are written out for speed alone.
    is_unrolled_for_speed: bool,
}

impl Plan {
    /// Plans a nest of a kernel whose scalar values have these types.
    pub(super) fn of(nest: &Nest, vals: &[Scalar], level: Level) -> Self {
        let types: Vec<Scalar> = (0..nest.insts.len())
            .filter_map(|reg| nest.scalar(reg, vals))
            .collect();
        plan(nest, &types, level.vector_bytes())
    }

    /// Returns `true` if bits from this one on are only counted by loops.
    pub(super) fn only_loops_from(&self, bit: u32) -> bool {
        self.inner.is_empty() && self.lanes.iter().chain(&self.unrolled).all(|&it| it < bit)
    }

    /// Removes the loops over bits from this one on.
    pub(super) fn remove_loops_from(&mut self, bit: u32) {
        for group in &mut self.outer {
            group.retain(|&counted| counted < bit);
        }
        self.outer.retain(|group| !group.is_empty());
    }

    /// Returns the order for code that is seldom run: nothing is written out for speed alone.
    pub(super) fn short(&self, nest: &Nest) -> Self {
        let mut plan = self.clone();
        if self.is_unrolled_for_speed {
            let mut outer: Vec<u32> = self.outer.iter().flatten().copied().collect();
            outer.append(&mut plan.unrolled);
            outer.sort_unstable();
            plan.outer = groups(nest, outer);
        }
        plan
    }

    /// Returns `true` if the elements of a place are neighbours in memory along the unrolled bits, not along the lanes: a
    /// block of as many vectors as there are lanes is loaded and transposed.
    pub(super) fn is_crossed(&self, place: &Place) -> bool {
        self.unrolled.len() == self.lanes.len()
            && crossing(place, &self.lanes).is_some_and(|bits| bits == self.unrolled)
    }

    /// Returns the bits along which the elements of a place should be neighbours in memory.
    pub(super) fn run(&self, place: &Place) -> &[u32] {
        if self.is_crossed(place) {
            &self.unrolled
        } else {
            &self.lanes[turns(place, &self.lanes).unwrap_or(0)..]
        }
    }

    /// Returns `true` if the nest stores a place one line of a cache after the other, provided that its base and its unknown strides
    /// are multiples of a line, and that its elements are neighbours along the axis of the lanes.
    pub(super) fn fills_lines(&self, place: &Place) -> bool {
        let bytes = place.scalar.bytes();
        let (elements, lanes) = (LINE_BYTES / bytes, self.lanes.len());
        let Some(line) = neighbours(place, elements.trailing_zeros() as usize) else {
            return false;
        };
        if bytes << lanes < LEAST_STREAMED || !line.starts_with(&self.lanes) {
            return false;
        }
        // The innermost loop stores the rest of a line next.
        let rest = line[lanes..].iter().copied();
        let rest: Vec<u32> = rest.filter(|bit| !self.unrolled.contains(bit)).collect();
        let innermost = self.inner.last().or(self.outer.last());
        let follows = rest.is_empty() || innermost.is_some_and(|group| group.starts_with(&rest));
        let elements = i64::try_from(elements).expect("few elements");
        let moves_by_lines = |axis: &Axis| {
            let is_row = axis.weights[line[0] as usize] != 0;
            let stride = match axis.stride {
                Stride::Constant(stride) => stride,
                Stride::Value(_) if is_row => 1,
                Stride::Value(_) => return true,
            };
            let mut moved = (0..)
                .zip(&axis.weights)
                .filter(|(bit, _)| !line.contains(bit));
            moved.all(|(_, weight)| weight.wrapping_mul(stride) % elements == 0)
        };
        follows && place.axes.iter().all(moves_by_lines)
    }
}

/// Returns how many of the first bits of the lanes count runs of neighbours, whose elements take turns: there are two runs, or
/// four.
pub(super) fn turns(place: &Place, lanes: &[u32]) -> Option<usize> {
    (1..=2).find(|&turns| {
        lanes.len() > turns
            && neighbours(place, lanes.len() - turns).is_some_and(|bits| bits == lanes[turns..])
    })
}

/// The partial results of a reduction of [`Order::Partial`].
const PARTIAL: u32 = 32;

/// The number of accumulators that hide the latency of an addition.
const CHAINS: u32 = 4;

/// The greatest number of instructions of a nest whose innermost loop is unrolled.
const FEW: usize = 16;

/// The number of bits of the lanes of a block that is transposed: 16 vectors of 16 lanes take half of the registers.
const MAX_CROSSED: usize = 4;

/// The least bytes of a vector that is stored around the caches.
const LEAST_STREAMED: usize = 16;

/// The number of bits of vectors that a gather accesses as one, which has one check of its addresses.
const MAX_GATHERED: u32 = 1;

/// The bytes of a line of a cache.
pub(super) const LINE_BYTES: usize = 64;

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
    let gathers = |inst: &Inst| matches!(inst, Inst::Gather { .. });
    let is_small = nest.bits <= width + MAX_GATHERED && nest.axis.is_empty();
    let width = if is_small && nest.insts.iter().any(gathers) {
        width.max(nest.bits)
    } else {
        width
    };
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
        Inst::Atomic { is_of_block, .. } => !is_of_block,
        Inst::Gather { is_shared, .. } | Inst::Scatter { is_shared, .. } => *is_shared,
        _ => false,
    });
    let is_scattered = nest
        .insts
        .iter()
        .any(|inst| matches!(inst, Inst::Scatter { .. }));
    let has_atomics = nest
        .insts
        .iter()
        .any(|inst| matches!(inst, Inst::Atomic { .. }));
    let mut lanes: Vec<u32> = if is_one_by_one {
        // Each element is accessed in one step, in order.
        Vec::new()
    } else if has_atomics {
        // The lanes of a vector are accessed in order, one after the other.
        (0..nest.bits.min(width)).collect()
    } else if nest.axis.is_empty() {
        // Elements of one address are stored in order, the last one last: `scatter` does so for the lanes of a vector.
        stored_order(nest)
            .unwrap_or_else(|| (0..nest.bits).collect())
            .into_iter()
            .take(width as usize)
            .collect()
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
    let mut is_unrolled_for_speed = false;
    let mut rest_of_line = Vec::new();
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
        if let Some(count) = crossed_scan(nest, &lanes) {
            lanes.truncate(count);
            unrolled.extend(&nest.axis[..count]);
        }
    } else if is_scattered || is_one_by_one || has_atomics {
        // Elements are accessed in order.
    } else {
        let narrow = &lanes[..lanes.len().min(MAX_CROSSED)];
        let is_short = nest.insts.len() <= FEW;
        let mut loads = nest.insts.iter().filter_map(|inst| match inst {
            Inst::Load(place, _) if is_short => Some((crossing(place, narrow)?, place)),
            _ => None,
        });
        if let Some((bits, place)) = loads.next() {
            let line = (LINE_BYTES / place.scalar.bytes()).trailing_zeros() as usize;
            rest_of_line = neighbours(place, line.max(bits.len())).unwrap_or_default();
            lanes.truncate(MAX_CROSSED);
            unrolled = bits;
        } else if let Some(bit) = half(nest).filter(free) {
            unrolled.push(bit);
        } else if is_short {
            unrolled.extend((0..nest.bits).filter(free).take(1));
            is_unrolled_for_speed = true;
        }
    }
    let is_loop = |bit: &u32| !lanes.contains(bit) && !unrolled.contains(bit);
    let mut outer: Vec<u32> = kept.into_iter().filter(is_loop).collect();
    // The innermost loop uses what a block leaves of the lines of its rows, which may all have one place in a cache.
    outer.sort_by_key(|bit| !rest_of_line.contains(bit));
    let inner = nest.axis.iter().copied().filter(is_loop).collect();
    Plan {
        outer: groups(nest, outer),
        inner: groups(nest, inner),
        lanes,
        unrolled,
        is_unrolled_for_speed,
    }
}

/// Returns how many of the lanes of a scan along rows are lanes across rows whose results are stored in blocks that are
/// transposed: as many numbers of each row are computed one after the other.
fn crossed_scan(nest: &Nest, lanes: &[u32]) -> Option<usize> {
    let scan = nest.insts.iter().find_map(|inst| match inst {
        Inst::Scan(scan) => Some(scan),
        _ => None,
    })?;
    let count = lanes.len().min(nest.axis.len()).min(MAX_CROSSED);
    let (lanes, steps) = (&lanes[..count], &nest.axis[..count]);
    let is_crossed = |place: &Place| crossing(place, lanes).is_some_and(|bits| bits == steps);
    let is_short = nest.insts.len() <= FEW;
    (is_short && scan.places.iter().all(is_crossed)).then_some(count)
}

/// Returns the bit that chooses between the halves of a concatenation. Where it is known, only one of them is computed, and
/// what both are computed from is computed once for the two.
fn half(nest: &Nest) -> Option<u32> {
    nest.insts.iter().find_map(|inst| match inst {
        Inst::Position(Scalar::I1, weights) => {
            let mut bits = (0..nest.bits).filter(|&bit| weights[bit as usize] != 0);
            bits.next().filter(|_| bits.next().is_none())
        }
        _ => None,
    })
}

/// Returns the bits in the order in which all stores of the nest put elements beside each other, as far as they do.
fn stored_order(nest: &Nest) -> Option<Vec<u32>> {
    let order = |place: &Place| -> Vec<u32> {
        let [axis] = &place.axes[..] else {
            return Vec::new();
        };
        let bit = |power: u32| {
            axis.weights
                .iter()
                .position(|&weight| weight == 1_i64 << power)
        };
        let bits = (0..nest.bits).map_while(bit);
        bits.map(|bit| u32::try_from(bit).expect("few bits"))
            .collect()
    };
    let mut orders = nest.insts.iter().filter_map(|inst| match inst {
        Inst::Store(place, _) => Some(order(place)),
        Inst::Scatter { .. } => Some(Vec::new()),
        _ => None,
    });
    let first = orders.next()?;
    let are_equal = orders.all(|order| order == first);
    (are_equal && first.len() == nest.bits as usize).then_some(first)
}

/// Returns the bits along which a place is read if the lanes are not neighbours in memory, but its elements are along as
/// many other bits.
fn crossing(place: &Place, lanes: &[u32]) -> Option<Vec<u32>> {
    let moves = |&lane: &u32| {
        place
            .axes
            .iter()
            .any(|axis| axis.weights[lane as usize] != 0)
    };
    if place.scalar == Scalar::I1 || lanes.len() < 2 || !lanes.iter().all(moves) {
        return None;
    }
    let bits = neighbours(place, lanes.len())?;
    let are_other = !bits.iter().any(|bit| lanes.contains(bit));
    are_other.then_some(bits)
}

/// Returns the `count` bits along which the elements of a place are neighbours in memory. A stride of the last axis that is
/// not known is taken to be 1.
fn neighbours(place: &Place, count: usize) -> Option<Vec<u32>> {
    let along = |number: usize, axis: &Axis| -> Option<Vec<u32>> {
        let is_unit = match axis.stride {
            Stride::Constant(stride) => stride == 1,
            Stride::Value(_) => number + 1 == place.axes.len(),
        };
        let bit = |power| {
            axis.weights
                .iter()
                .position(|&weight| weight == 1_i64 << power)
        };
        let bits: Option<Vec<usize>> = (0..count).map(bit).collect();
        let bits = bits.filter(|_| is_unit)?;
        bits.into_iter()
            .map(|bit| u32::try_from(bit).ok())
            .collect()
    };
    let is_still =
        |axis: &Axis, bits: &[u32]| bits.iter().all(|&bit| axis.weights[bit as usize] == 0);
    place.axes.iter().enumerate().find_map(|(number, axis)| {
        let bits = along(number, axis)?;
        let mut others = place.axes.iter().enumerate();
        let are_still = others.all(|(other, axis)| other == number || is_still(axis, &bits));
        are_still.then_some(bits)
    })
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
        Inst::Gather {
            window: Some(window),
            ..
        } => is_even_place(&window.place, doubles),
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

//! Classifies layout conversions by the cheapest mechanism that moves the tile.
//!
//! Input: the layout of a tile and the requested layout. Output: the source place for each destination place
//! ([`HardwareMap`]), the cheapest mechanism that moves the tile ([`Conversion`]), and the shared-memory
//! layout for mechanisms that go through memory.

use std::collections::BTreeMap;

use super::access::{bank_conflict_ways, vector_plan};
use super::address::AddressParts;
use super::blocked::MAX_ACCESS_BITS;
use super::f2::{self, Span};
use super::linear::LinearLayout;
use super::place::{InBits, InDim, Location, Register};
use super::shared::{BANK_LINE_BYTES, Swizzle, row_major, swizzled};
use super::swizzle::generated_exchange;

/// Maximum number of shuffle instructions that are preferred to a round trip through shared memory. A shuffle
/// takes as much shared-memory bandwidth as half a round trip of one register.
const MAX_SHUFFLES: usize = 16;

/// Maximum number of selections among candidates, which are cheaper than shuffles.
const MAX_SELECTIONS: usize = 64;

/// For each place of a destination layout, a place of the source layout with the same element. This map is
/// linear, and moves elements as little as possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HardwareMap {
    columns: Vec<u64>,
    destination: InBits,
    source: InBits,
}

/// Returns the map `from^-1` after `to`. Among several source places, it prefers one in the same block, then
/// in the same warp, then in the same lane, then in the same register. Returns `None` if the shapes differ or
/// `from` lacks an element.
pub fn conversion(from: &LinearLayout, to: &LinearLayout) -> Option<HardwareMap> {
    if from.shape() != to.shape() {
        return None;
    }
    let inverse = from.invert();
    let (source, destination) = (from.in_bits(), to.in_bits());
    let columns = destination
        .each_bit()
        .zip(to.columns())
        .map(|((dim, bit), basis)| {
            let exists = bit < source.bits(dim);
            let near = u64::from(exists) << (source.shift(dim) + if exists { bit } else { 0 });
            inverse.solve_near(basis, near)
        })
        .collect::<Option<_>>()?;
    Some(HardwareMap {
        columns,
        destination,
        source,
    })
}

impl HardwareMap {
    /// Returns the source place for a destination place.
    pub fn apply(&self, destination: Location) -> Location {
        let flat = f2::apply(&self.columns, self.destination.flatten(destination));
        self.source.unflatten(flat)
    }

    /// Returns `true` if source and destination place always agree in `dim`.
    pub fn is_identity_on(&self, dim: InDim) -> bool {
        let expected = |(from, bit): (InDim, u32)| if from == dim { 1u32 << bit } else { 0 };
        self.destination.bits(dim) <= self.source.bits(dim)
            && self
                .destination
                .each_bit()
                .zip(&self.columns)
                .all(|(bit, &column)| self.source.extract(column, dim) == expected(bit))
    }

    /// Returns the source place's number in `dim`, as instructions compute it from the destination's
    /// register, lane, warp and block.
    pub fn parts(&self, dim: InDim) -> AddressParts {
        let columns: Vec<u64> = self
            .columns
            .iter()
            .map(|&column| u64::from(self.source.extract(column, dim)))
            .collect();
        AddressParts::from_columns(self.destination, &columns)
    }
}

/// A conversion within warps by shuffles. For each destination register `r` and each candidate `c`, all lanes
/// shuffle register `register.constants[r] ^ c` from lane `lane(r)`. Each lane keeps the value whose `c` is
/// the runtime part of `register`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShufflePlan {
    /// The lane to read from, per destination register.
    pub lane: AddressParts,
    /// The register to read, per destination register. With one candidate, this map has no runtime part, and
    /// no selection is needed.
    pub register: AddressParts,
    /// The values of the runtime part of `register`, in increasing order.
    pub candidates: Vec<u32>,
    /// `true` if every lane reads itself, so that no shuffles are needed.
    pub same_lane: bool,
}

impl ShufflePlan {
    /// Groups the destination registers that one shuffle of 32 bits moves. The registers of a group come from
    /// one lane, and their elements have `element_bits` (at most 64). A register of 64 bits needs two
    /// shuffles.
    pub fn chunks(&self, element_bits: u32) -> Vec<Vec<Register>> {
        let most = (32 / element_bits).max(1) as usize;
        let mut by_lane: BTreeMap<u64, Vec<Register>> = BTreeMap::new();
        for (number, &lane) in (0..).zip(&self.lane.constants) {
            by_lane.entry(lane).or_default().push(Register(number));
        }
        let chunks = by_lane
            .values()
            .flat_map(|registers| registers.chunks(most));
        chunks.map(<[Register]>::to_vec).collect()
    }

    /// Returns the number of shuffles.
    pub fn shuffles(&self, element_bits: u32) -> usize {
        if self.same_lane {
            return 0;
        }
        let words = element_bits.div_ceil(32) as usize;
        self.chunks(element_bits).len() * self.candidates.len() * words
    }
}

/// The mechanism of a conversion, cheapest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// No instructions: each destination register is the source register with the same number.
    Identity,
    /// Renaming within each thread: for each destination register, its source.
    RegisterPermutation(Vec<Register>),
    /// Within warps, by shuffles and selections.
    WarpShuffle(ShufflePlan),
    /// Within warps, through shared memory with a warp-wide barrier.
    WarpShared(HardwareMap),
    /// Between warps, through shared memory with a block-wide barrier.
    BlockShared(HardwareMap),
    /// Between blocks of a cluster.
    ClusterShared(HardwareMap),
}

/// Returns the cheapest mechanism from `from` to `to` for elements of `element_bits` in memory; `None` in the
/// same cases as for [`conversion`].
pub fn classify(from: &LinearLayout, to: &LinearLayout, element_bits: u32) -> Option<Conversion> {
    let map = conversion(from, to)?;
    if !map.is_identity_on(InDim::Block) {
        return Some(Conversion::ClusterShared(map));
    }
    if !map.is_identity_on(InDim::Warp) {
        return Some(Conversion::BlockShared(map));
    }
    let plan = shuffle_plan(&map);
    if plan.same_lane && plan.candidates.len() == 1 {
        let same_count = map.source.bits(InDim::Register) == map.destination.bits(InDim::Register);
        if same_count && map.is_identity_on(InDim::Register) {
            return Some(Conversion::Identity);
        }
        let sources = plan.register.constants.iter();
        return Some(Conversion::RegisterPermutation(
            sources.map(|&constant| register(constant)).collect(),
        ));
    }
    if plan.same_lane && plan.candidates.len() == 2 {
        // A selection per register costs less than memory, for any number of candidates.
        return Some(Conversion::WarpShuffle(plan));
    }
    let selections = plan.register.constants.len() * plan.candidates.len();
    if plan.shuffles(element_bits) <= MAX_SHUFFLES && selections <= MAX_SELECTIONS {
        return Some(Conversion::WarpShuffle(plan));
    }
    Some(Conversion::WarpShared(map))
}

/// Returns `true` if each warp has all the elements that it needs for `to`, and no element of `from` is held
/// by several warps: a conversion through memory then involves no other warp.
pub fn stays_in_warps(from: &LinearLayout, to: &LinearLayout) -> bool {
    from.free_mask(InDim::Warp) == 0
        && conversion(from, to)
            .is_some_and(|map| map.is_identity_on(InDim::Warp) && map.is_identity_on(InDim::Block))
}

fn register(number: u64) -> Register {
    Register(u32::try_from(number).expect("a dimension has at most 31 bits"))
}

fn shuffle_plan(map: &HardwareMap) -> ShufflePlan {
    let register_part = map.parts(InDim::Register);
    let register_bits = map.destination.bits(InDim::Register) as usize;
    let runtime: Vec<u64> = Span::from_vectors(
        map.columns[register_bits..]
            .iter()
            .map(|&column| u64::from(map.source.extract(column, InDim::Register))),
    )
    .basis()
    .collect();
    let mut candidates: Vec<u32> = (0..1u64 << runtime.len())
        .map(|choice| register(f2::apply(&runtime, choice)).0)
        .collect();
    candidates.sort_unstable();
    ShufflePlan {
        lane: map.parts(InDim::Lane),
        register: register_part,
        candidates,
        same_lane: map.is_identity_on(InDim::Lane),
    }
}

/// Returns the shared-memory layout for a round trip from `from` to `to`. If the generated layout has no bank
/// conflict, it is chosen. Otherwise the choice is among plain and XOR-swizzled layouts, each with any axis
/// as the fastest: the layout whose stores and loads need the fewest passes, and among equal ones the
/// simplest. Returns `None` in the same cases as [`conversion`].
///
/// `element_bits` is the width in memory, at least 8.
pub fn exchange_layout(
    from: &LinearLayout,
    to: &LinearLayout,
    element_bits: u32,
) -> Option<LinearLayout> {
    if from.shape() != to.shape() {
        return None;
    }
    let shape = from.shape();
    if let Some(memory) = generated_exchange(from, to, element_bits)
        && has_no_bank_conflicts(from, &memory, element_bits)
        && has_no_bank_conflicts(to, &memory, element_bits)
    {
        return Some(memory);
    }
    let line = u64::from(BANK_LINE_BYTES * 8 / element_bits).max(1);
    let mut best: Option<(u64, LinearLayout)> = None;
    let mut consider = |candidate: LinearLayout| -> Option<()> {
        let cost = access_passes(from, &candidate, element_bits)?
            + access_passes(to, &candidate, element_bits)?;
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, candidate));
        }
        Some(())
    };
    if shape.rank() == 0 {
        return Some(row_major(shape, &[]));
    }
    for fastest in shape.axes().rev() {
        let mut order = shape.row_major_order();
        order.retain(|axis| *axis != fastest);
        order.insert(0, fastest);
        consider(row_major(shape, &order))?;
        if shape.rank() < 2 {
            continue;
        }
        let row = shape.size(fastest);
        for log2_vec in 0..=line.ilog2() {
            for log2_per_phase in 0..=3 {
                for log2_max_phase in 1..=5 {
                    let swizzle = Swizzle {
                        vec: 1 << log2_vec,
                        per_phase: 1 << log2_per_phase,
                        max_phase: 1 << log2_max_phase,
                    };
                    if swizzle.vec * swizzle.max_phase <= row.min(line) {
                        consider(swizzled(shape, &order, swizzle))?;
                    }
                }
            }
        }
    }
    best.map(|(_, layout)| layout)
}

/// Returns the number of elements of the widest access.
pub(super) fn max_elements(element_bits: u32) -> u64 {
    u64::from(MAX_ACCESS_BITS / element_bits).max(1)
}

fn has_no_bank_conflicts(
    registers: &LinearLayout,
    memory: &LinearLayout,
    element_bits: u32,
) -> bool {
    let plan = vector_plan(registers, memory, max_elements(element_bits));
    plan.is_some_and(|plan| {
        let width = plan.width_elements;
        bank_conflict_ways(registers, memory, width, element_bits) == Some(1)
    })
}

/// Returns the number of passes of shared memory that one warp needs to move all its registers.
pub fn access_passes(
    registers: &LinearLayout,
    memory: &LinearLayout,
    element_bits: u32,
) -> Option<u64> {
    let plan = vector_plan(registers, memory, max_elements(element_bits))?;
    let width = plan.width_elements;
    let ways = bank_conflict_ways(registers, memory, width, element_bits)?;
    let phases = (width * u64::from(element_bits) / 32).max(1);
    Some(plan.groups.len() as u64 * phases * u64::from(ways))
}

//! Layouts of `mma.sync` fragments, and which registers each instruction takes.
//!
//! The instruction is `mma.m16n8kK.row.col` with K = 256 / element bits (PTX ISA,
//! "Matrix Fragments for mma.m16n8k8/k16/k32"): 16 for f16 and bf16, 8 for tf32, 32 for
//! 8-bit types. With `w = 32 / element bits` elements per 32-bit operand register,
//! `group = lane / 4` and `thread = lane % 4`:
//!
//! ```text
//!   A [16, K]  register bits  k:1 .. k:w/2 | m:8 | k:4w     lane  k:w k:2w | m:1 m:2 m:4
//!   B [K, 8]   register bits  k:1 .. k:w/2 | k:4w           lane  k:w k:2w | n:1 n:2 n:4
//!   C [16, 8]  register bits  n:1 | m:8                     lane  n:2 n:4  | m:1 m:2 m:4
//! ```
//!
//! Register order contract: the bits above come first, so `w` consecutive registers are
//! one 32-bit operand register and a fragment is consecutive, in the order of the PTX
//! ISA (`a0, a1, ...`). Then the bits of further tiles of the warp: for A along K then
//! M, for B along K then N, for C along N then M. Code that builds instructions should
//! not rely on it, but ask [`MmaTiling`].
//!
//! Warps: the warp number's low bits count along M, the others along N. Each warp owns a
//! contiguous part of the tile. An operand is replicated over the warps that need the
//! same part (zero bases), and so is everything if there are more warps than fragments.

use std::collections::BTreeMap;

use super::linear::LinearLayout;
use super::place::{InDim, Location, Register};
use super::shape::{Axis, OutShape};

const ROW: Axis = Axis(0);
const COLUMN: Axis = Axis(1);

/// How the warps of a block split the result: powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MmaWarps {
    /// Warps along M, in the low bits of the warp number.
    pub m: u32,
    /// Warps along N.
    pub n: u32,
}

/// The shape of one instruction: 16 x 8 x `k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MmaInstruction {
    element_bits: u32,
}

impl MmaInstruction {
    /// Rows of A and C.
    pub const M: u64 = 16;
    /// Columns of B and C.
    pub const N: u64 = 8;

    /// The instruction for operand elements of 8, 16 or 32 bits (32 is tf32).
    pub fn for_element_bits(element_bits: u32) -> Option<Self> {
        matches!(element_bits, 8 | 16 | 32).then_some(Self { element_bits })
    }

    /// The depth.
    pub fn k(self) -> u64 {
        u64::from(256 / self.element_bits)
    }

    /// Operand elements in a 32-bit register.
    pub fn elements_per_word(self) -> u64 {
        u64::from(32 / self.element_bits)
    }

    /// The fragment of A, a `[16, K]` tile in one warp.
    pub fn fragment_a(self) -> LinearLayout {
        let shape = sizes(Self::M, self.k());
        let word = self.elements_per_word();
        let row = |value| shape.on_axis(ROW, value);
        let depth = |value| shape.on_axis(COLUMN, value);
        let mut registers: Vec<u64> = powers_below(word).map(depth).collect();
        registers.extend([row(8), depth(4 * word)]);
        let lanes = [depth(word), depth(2 * word), row(1), row(2), row(4)].to_vec();
        LinearLayout::new(
            shape.clone(),
            [(InDim::Register, registers), (InDim::Lane, lanes)],
        )
    }

    /// The fragment of B, a `[K, 8]` tile in one warp.
    pub fn fragment_b(self) -> LinearLayout {
        let shape = sizes(self.k(), Self::N);
        let word = self.elements_per_word();
        let depth = |value| shape.on_axis(ROW, value);
        let column = |value| shape.on_axis(COLUMN, value);
        let mut registers: Vec<u64> = powers_below(word).map(depth).collect();
        registers.push(depth(4 * word));
        let lanes = [
            depth(word),
            depth(2 * word),
            column(1),
            column(2),
            column(4),
        ]
        .to_vec();
        LinearLayout::new(
            shape.clone(),
            [(InDim::Register, registers), (InDim::Lane, lanes)],
        )
    }

    /// The fragment of C, a `[16, 8]` tile in one warp, the same for all element types.
    pub fn fragment_c() -> LinearLayout {
        let shape = sizes(Self::M, Self::N);
        let row = |value| shape.on_axis(ROW, value);
        let column = |value| shape.on_axis(COLUMN, value);
        let registers = [column(1), row(8)].to_vec();
        let lanes = [column(2), column(4), row(1), row(2), row(4)].to_vec();
        LinearLayout::new(
            shape.clone(),
            [(InDim::Register, registers), (InDim::Lane, lanes)],
        )
    }
}

fn sizes(rows: u64, columns: u64) -> OutShape {
    OutShape::new(&[rows, columns]).expect("fragment sizes are powers of two")
}

fn powers_below(limit: u64) -> impl Iterator<Item = u64> {
    (0..limit.ilog2()).map(|bit| 1 << bit)
}

/// The accumulator and result of shape `[M, N]`, or `None` if the tile has another rank
/// or is smaller than one fragment: pad it first.
pub fn mma_accumulator(shape: &OutShape, warps: MmaWarps) -> Option<LinearLayout> {
    let split = WarpSplit {
        m: Some(ROW),
        n: Some(COLUMN),
    };
    tile_fragment(&MmaInstruction::fragment_c(), shape, warps, split, COLUMN)
}

/// Operand A of shape `[M, K]`, or `None` if no instruction takes the element width, or
/// the tile has another rank or is smaller than one fragment.
pub fn mma_operand_a(shape: &OutShape, warps: MmaWarps, element_bits: u32) -> Option<LinearLayout> {
    let fragment = MmaInstruction::for_element_bits(element_bits)?.fragment_a();
    let split = WarpSplit {
        m: Some(ROW),
        n: None,
    };
    tile_fragment(&fragment, shape, warps, split, COLUMN)
}

/// Operand B of shape `[K, N]`; see [`mma_operand_a`].
pub fn mma_operand_b(shape: &OutShape, warps: MmaWarps, element_bits: u32) -> Option<LinearLayout> {
    let fragment = MmaInstruction::for_element_bits(element_bits)?.fragment_b();
    let split = WarpSplit {
        m: None,
        n: Some(COLUMN),
    };
    tile_fragment(&fragment, shape, warps, split, ROW)
}

/// The axis of the tile that the warps along M and along N split, if any.
#[derive(Clone, Copy)]
struct WarpSplit {
    m: Option<Axis>,
    n: Option<Axis>,
}

/// Repeats `fragment` over a tile: in registers, along `fastest` first, within the part
/// of a warp, then over warps.
fn tile_fragment(
    fragment: &LinearLayout,
    shape: &OutShape,
    warps: MmaWarps,
    split: WarpSplit,
    fastest: Axis,
) -> Option<LinearLayout> {
    assert!(
        warps.m.is_power_of_two() && warps.n.is_power_of_two(),
        "the numbers of warps are powers of two"
    );
    let fits = shape.rank() == 2
        && shape
            .axes()
            .all(|axis| shape.size(axis) >= fragment.shape().size(axis));
    if !fits {
        return None;
    }
    let mut repeats: Vec<u32> = shape
        .axes()
        .map(|axis| shape.log2_size(axis) - fragment.shape().log2_size(axis))
        .collect();
    let mut warp_layout = LinearLayout::unit(2);
    for (count, axis) in [(warps.m, split.m), (warps.n, split.n)] {
        let bits = count.ilog2();
        let used = axis.map_or(0, |axis| bits.min(repeats[axis.0]));
        if let Some(axis) = axis {
            repeats[axis.0] -= used;
            let part = LinearLayout::unit(2).shape().with_log2_size(axis, used);
            let order = part.row_major_order();
            warp_layout = warp_layout.product(&LinearLayout::identity(InDim::Warp, part, &order));
        }
        warp_layout = warp_layout.product(&LinearLayout::replicated(InDim::Warp, bits - used, 2));
    }
    let order = if fastest == COLUMN {
        [COLUMN, ROW]
    } else {
        [ROW, COLUMN]
    };
    let repeats = LinearLayout::identity(InDim::Register, OutShape::from_log2(repeats), &order);
    Some(fragment.product(&repeats).product(&warp_layout))
}

/// One instruction of a warp: `C[m, n] += A[m, k] * B[k, n]` on fragments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MmaStep {
    /// The fragment's row among those of the warp's part of C.
    pub m: usize,
    /// The fragment's column among those of the warp's part of C.
    pub n: usize,
    /// The fragment's place along K.
    pub k: usize,
    /// Registers of A, one per element, in the order of the PTX ISA: 4 words.
    pub a: Vec<Register>,
    /// Registers of B: 2 words.
    pub b: Vec<Register>,
    /// Registers of C: 4 elements.
    pub c: Vec<Register>,
}

/// The instructions that multiply two operands into an accumulator, each with its
/// registers looked up in the three layouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MmaTiling {
    instruction: MmaInstruction,
    steps: Vec<MmaStep>,
}

impl MmaTiling {
    /// The tiling of `a [M, K]` and `b [K, N]` into `c [M, N]`, or `None` if the layouts
    /// are not made of this instruction's fragments, or a warp does not hold the operand
    /// parts that its part of `c` needs.
    pub fn new(
        instruction: MmaInstruction,
        a: &LinearLayout,
        b: &LinearLayout,
        c: &LinearLayout,
    ) -> Option<Self> {
        let agree = |x: &LinearLayout, x_axis, y: &LinearLayout, y_axis| {
            x.shape().rank() == 2
                && y.shape().rank() == 2
                && x.shape().size(x_axis) == y.shape().size(y_axis)
                && [InDim::Warp, InDim::Block].into_iter().all(|dim| {
                    let on = |layout: &LinearLayout, axis| -> Vec<u64> {
                        let bases = layout.bases(dim).iter();
                        bases.map(|&b| layout.shape().coordinate(b, axis)).collect()
                    };
                    on(x, x_axis) == on(y, y_axis)
                })
        };
        let compatible =
            agree(a, ROW, c, ROW) && agree(b, COLUMN, c, COLUMN) && agree(a, COLUMN, b, ROW);
        if !compatible {
            return None;
        }
        let a = Fragments::find(a, &instruction.fragment_a())?;
        let b = Fragments::find(b, &instruction.fragment_b())?;
        let c = Fragments::find(c, &MmaInstruction::fragment_c())?;
        let rows = ranks(c.by_place.keys().map(|place| place.0));
        let columns = ranks(c.by_place.keys().map(|place| place.1));
        let depths = ranks(a.by_place.keys().map(|place| place.1));
        let mut steps = Vec::new();
        // K outermost: consecutive instructions then have independent accumulators.
        for (&k_place, &k) in &depths {
            for (&m_place, &m) in &rows {
                for (&n_place, &n) in &columns {
                    steps.push(MmaStep {
                        m,
                        n,
                        k,
                        a: a.by_place.get(&(m_place, k_place))?.clone(),
                        b: b.by_place.get(&(k_place, n_place))?.clone(),
                        c: c.by_place.get(&(m_place, n_place))?.clone(),
                    });
                }
            }
        }
        Some(Self { instruction, steps })
    }

    /// The instruction.
    pub fn instruction(&self) -> MmaInstruction {
        self.instruction
    }

    /// The steps, along K outermost, then M, then N. Steps with the same `(m, n)`
    /// accumulate into the same registers and stay in this order.
    pub fn steps(&self) -> &[MmaStep] {
        &self.steps
    }
}

/// The position of each distinct value among all.
fn ranks(values: impl Iterator<Item = u64>) -> BTreeMap<u64, usize> {
    let mut ranks: BTreeMap<u64, usize> = values.map(|value| (value, 0)).collect();
    for (rank, slot) in ranks.values_mut().enumerate() {
        *slot = rank;
    }
    ranks
}

/// The registers of each fragment that warp 0 holds, in fragment order.
struct Fragments {
    /// By fragment row and column in the tile.
    by_place: BTreeMap<(u64, u64), Vec<Register>>,
}

impl Fragments {
    /// Finds the fragments in `layout`, or `None` if its lanes are not the fragment's, a
    /// warp or block starts inside a fragment, or a fragment is incomplete.
    fn find(layout: &LinearLayout, fragment: &LinearLayout) -> Option<Self> {
        let shape = layout.shape();
        let unit = fragment.shape();
        let coordinates = |flat| (shape.coordinate(flat, ROW), shape.coordinate(flat, COLUMN));
        let lanes_match = layout.bases(InDim::Lane).len() == fragment.bases(InDim::Lane).len()
            && layout
                .bases(InDim::Lane)
                .iter()
                .zip(fragment.bases(InDim::Lane))
                .all(|(&ours, &theirs)| shape.unflatten(ours) == unit.unflatten(theirs));
        let aligned = [InDim::Warp, InDim::Block].into_iter().all(|dim| {
            layout.bases(dim).iter().all(|&basis| {
                let (row, column) = coordinates(basis);
                row % unit.size(ROW) == 0 && column % unit.size(COLUMN) == 0
            })
        });
        if !lanes_match || !aligned {
            return None;
        }
        let mut holders: BTreeMap<(u64, u64), Register> = BTreeMap::new();
        for register in layout.registers() {
            let element = coordinates(layout.apply_flat(Location::thread(register, 0, 0)));
            holders.entry(element).or_insert(register);
        }
        let mut by_place = BTreeMap::new();
        for &(row, column) in holders.keys() {
            let place = (row / unit.size(ROW), column / unit.size(COLUMN));
            if by_place.contains_key(&place) {
                continue;
            }
            let registers: Vec<Register> = fragment
                .registers()
                .map(|slot| {
                    let within = fragment.apply(Location::thread(slot, 0, 0));
                    let row = place.0 * unit.size(ROW) + within[0];
                    let column = place.1 * unit.size(COLUMN) + within[1];
                    holders.get(&(row, column)).copied()
                })
                .collect::<Option<_>>()?;
            by_place.insert(place, registers);
        }
        Some(Self { by_place })
    }
}

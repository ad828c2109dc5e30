//! Layouts of `mma.sync` fragments, and the registers of each instruction.
//!
//! The instruction is `mma.m16n8kK.row.col` with K = 256 / element bits (PTX ISA, "Matrix Fragments for
//! mma.m16n8k8/k16/k32"): 16 for f16 and bf16, 8 for tf32, 32 for 8-bit types. With `w = 32 / element bits`
//! elements per 32-bit operand register, `group = lane / 4` and `thread = lane % 4`:
//!
//! ```text
//!   A [16, K]  register bits  k:1 .. k:w/2 | m:8 | k:4w     lane  k:w k:2w | m:1 m:2 m:4
//!   B [K, 8]   register bits  k:1 .. k:w/2 | k:4w           lane  k:w k:2w | n:1 n:2 n:4
//!   C [16, 8]  register bits  n:1 | m:8                     lane  n:2 n:4  | m:1 m:2 m:4
//! ```
//!
//! There is also an instruction with half of K (f16, bf16, tf32 and 8-bit integers), which lacks the last
//! register bit of A and of B.
//!
//! For f64 the instruction is `mma.m8n8k4.row.col`: one register of A and of B, two of C along N.
//!
//! Register order contract: the bits above come first, so `w` consecutive registers are one 32-bit operand
//! register and a fragment is consecutive, in the order of the PTX ISA (`a0, a1, ...`). Then follow the bits
//! of further fragments of the warp: for A along K then M, for B along K then N, for C along N then M. Code
//! that builds instructions should not rely on this order, but ask [`MmaTiling`].
//!
//! Warps: the warp number's low bits count along M, then N, then the batch. Each warp owns a contiguous part
//! of the tile. An operand is replicated (by zero bases) over the warps that need the same part. If there are
//! more warps than fragments, all tiles are replicated.

use std::collections::{BTreeMap, BTreeSet};

use super::linear::LinearLayout;
use super::place::{InDim, Location, Register};
use super::shape::{Axis, OutShape};

const ROW: Axis = Axis(0);
const COLUMN: Axis = Axis(1);

/// The split of the accumulator over the warps of a block; all numbers are powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MmaWarps {
    /// Warps along the batch, in the high bits of the warp number.
    pub batch: u32,
    /// Warps along M, in the low bits of the warp number.
    pub m: u32,
    /// Warps along N.
    pub n: u32,
}

/// The shape of one instruction: `m` x 8 x `k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MmaInstruction {
    element_bits: u32,
    is_half: bool,
}

impl MmaInstruction {
    /// Columns of B and C.
    pub const N: u64 = 8;

    /// Returns the instruction for operand elements of 4, 8, 16, 32 (tf32) or 64 bits.
    pub fn for_element_bits(element_bits: u32) -> Option<Self> {
        matches!(element_bits, 4 | 8 | 16 | 32 | 64).then_some(Self {
            element_bits,
            is_half: false,
        })
    }

    /// Returns the instruction with half of K, whose operand fragments are the first halves.
    pub fn half(self) -> Option<Self> {
        matches!(self.element_bits, 8 | 16 | 32).then_some(Self {
            is_half: true,
            ..self
        })
    }

    /// Returns the rows of A and C.
    pub fn m(self) -> u64 {
        if self.is_double() { 8 } else { 16 }
    }

    /// Returns K.
    pub fn k(self) -> u64 {
        u64::from(256 / self.element_bits) >> u32::from(self.is_half)
    }

    fn is_double(self) -> bool {
        self.element_bits == 64
    }

    /// Returns the number of operand elements in a 32-bit register; 1 for elements of 64 bits.
    pub fn elements_per_word(self) -> u64 {
        u64::from(32 / self.element_bits.min(32))
    }

    /// Returns the fragment of A, a `[M, K]` tile in one warp.
    pub fn fragment_a(self) -> LinearLayout {
        let shape = sizes(self.m(), self.k());
        let word = self.elements_per_word();
        let row = |value| shape.on_axis(ROW, value);
        let depth = |value| shape.on_axis(COLUMN, value);
        let mut registers: Vec<u64> = powers_below(word).map(depth).collect();
        if !self.is_double() {
            registers.push(row(8));
            registers.extend((!self.is_half).then(|| depth(4 * word)));
        }
        let lanes = [depth(word), depth(2 * word), row(1), row(2), row(4)].to_vec();
        LinearLayout::new(
            shape.clone(),
            [(InDim::Register, registers), (InDim::Lane, lanes)],
        )
    }

    /// Returns the fragment of B, a `[K, 8]` tile in one warp.
    pub fn fragment_b(self) -> LinearLayout {
        let shape = sizes(self.k(), Self::N);
        let word = self.elements_per_word();
        let depth = |value| shape.on_axis(ROW, value);
        let column = |value| shape.on_axis(COLUMN, value);
        let mut registers: Vec<u64> = powers_below(word).map(depth).collect();
        if !self.is_double() && !self.is_half {
            registers.push(depth(4 * word));
        }
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

    /// Returns the fragment of C, an `[M, 8]` tile in one warp.
    pub fn fragment_c(self) -> LinearLayout {
        let shape = sizes(self.m(), Self::N);
        let row = |value| shape.on_axis(ROW, value);
        let column = |value| shape.on_axis(COLUMN, value);
        let mut registers = [column(1)].to_vec();
        if !self.is_double() {
            registers.push(row(8));
        }
        let lanes = [column(2), column(4), row(1), row(2), row(4)].to_vec();
        LinearLayout::new(
            shape.clone(),
            [(InDim::Register, registers), (InDim::Lane, lanes)],
        )
    }

    /// Returns the layout of the accumulator and result of shape `[M, N]`, or `[batch, M, N]`. A tile with
    /// fewer rows or columns than the instruction is repeated in it: several places compute the same element.
    /// Returns `None` if the tile has another rank.
    pub fn accumulator(self, shape: &OutShape, warps: MmaWarps) -> Option<LinearLayout> {
        tile_fragment(
            &self.fragment_c(),
            shape,
            warps,
            [warps.m, warps.n],
            Last::Column,
        )
    }

    /// Returns the layout of operand A of shape `[M, K]`, like [`Self::accumulator`]. Returns `None` also if
    /// K is less than that of the instruction, since repeated elements would count twice in the sum.
    pub fn operand_a(self, shape: &OutShape, warps: MmaWarps) -> Option<LinearLayout> {
        let deep = shape.sizes().last().is_some_and(|&k| k >= self.k());
        let split = [warps.m, 1];
        deep.then(|| tile_fragment(&self.fragment_a(), shape, warps, split, Last::Column))?
    }

    /// Returns the layout of operand B of shape `[K, N]`; see [`Self::operand_a`].
    pub fn operand_b(self, shape: &OutShape, warps: MmaWarps) -> Option<LinearLayout> {
        let deep = shape
            .sizes()
            .iter()
            .rev()
            .nth(1)
            .is_some_and(|&k| k >= self.k());
        let split = [1, warps.n];
        deep.then(|| tile_fragment(&self.fragment_b(), shape, warps, split, Last::Row))?
    }

    /// Returns the layout of the scales of operand A, of shape `[M, blocks]`: the first two threads of each
    /// group of four hold those of rows 0 and 8 (PTX ISA, "Block Scaling for mma.sync"), and so do the other
    /// two.
    pub fn scale_a(self, shape: &OutShape, warps: MmaWarps) -> Option<LinearLayout> {
        let part = sizes(self.m(), 1);
        let lanes = [8, 0, 1, 2, 4].map(|row| part.on_axis(ROW, row));
        let fragment = LinearLayout::new(part, [(InDim::Lane, lanes)]);
        tile_fragment(&fragment, shape, warps, [warps.m, 1], Last::Column)
    }

    /// Returns the layout of the scales of operand B, of shape `[blocks, N]`: each thread of a group of four
    /// holds those of its column.
    pub fn scale_b(self, shape: &OutShape, warps: MmaWarps) -> Option<LinearLayout> {
        let part = sizes(1, Self::N);
        let lanes = [0, 0, 1, 2, 4].map(|column| part.on_axis(COLUMN, column));
        let fragment = LinearLayout::new(part, [(InDim::Lane, lanes)]);
        tile_fragment(&fragment, shape, warps, [1, warps.n], Last::Row)
    }
}

fn sizes(rows: u64, columns: u64) -> OutShape {
    OutShape::new(&[rows, columns]).expect("fragment sizes are powers of two")
}

fn powers_below(limit: u64) -> impl Iterator<Item = u64> {
    (0..limit.ilog2()).map(|bit| 1 << bit)
}

/// Returns [`MmaInstruction::accumulator`] of the instructions with 16 rows.
pub fn mma_accumulator(shape: &OutShape, warps: MmaWarps) -> Option<LinearLayout> {
    MmaInstruction::for_element_bits(16)?.accumulator(shape, warps)
}

/// Returns [`MmaInstruction::operand_a`], or `None` if no instruction takes the element width.
pub fn mma_operand_a(shape: &OutShape, warps: MmaWarps, element_bits: u32) -> Option<LinearLayout> {
    MmaInstruction::for_element_bits(element_bits)?.operand_a(shape, warps)
}

/// Returns [`MmaInstruction::operand_b`]; see [`mma_operand_a`].
pub fn mma_operand_b(shape: &OutShape, warps: MmaWarps, element_bits: u32) -> Option<LinearLayout> {
    MmaInstruction::for_element_bits(element_bits)?.operand_b(shape, warps)
}

/// The axis along which a warp's fragments are numbered first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    Row,
    Column,
}

/// Returns the axes of rows and columns: the last two.
fn matrix_axes(shape: &OutShape) -> Option<(Axis, Axis)> {
    matches!(shape.rank(), 2 | 3).then(|| (Axis(shape.rank() - 2), Axis(shape.rank() - 1)))
}

/// Clips a fragment to a tile of `shape` and adds the batch axis. Rows and columns that the tile lacks repeat
/// those that it has.
fn clipped(fragment: &LinearLayout, shape: &OutShape) -> Option<LinearLayout> {
    let (row, column) = matrix_axes(shape)?;
    let fragment_shape = fragment.shape();
    let least = |axis, of| fragment_shape.log2_size(axis).min(shape.log2_size(of));
    let part = OutShape::from_log2([least(ROW, row), least(COLUMN, column)]);
    let part = fragment.fit(&part, &part.row_major_order());
    Some(if shape.rank() == 3 {
        part.expand_axis(Axis(0))
    } else {
        part
    })
}

/// Repeats `fragment` over a tile. Within the part of a warp, it is repeated in registers, along `fastest`
/// first. `split` is the number of warps along rows and along columns among which the tile is divided.
fn tile_fragment(
    fragment: &LinearLayout,
    shape: &OutShape,
    warps: MmaWarps,
    split: [u32; 2],
    fastest: Last,
) -> Option<LinearLayout> {
    assert!(
        [warps.batch, warps.m, warps.n]
            .iter()
            .all(|count| count.is_power_of_two()),
        "the numbers of warps are powers of two"
    );
    let (row, column) = matrix_axes(shape)?;
    let rank = shape.rank();
    let fragment = clipped(fragment, shape)?;
    let mut repeats: Vec<u32> = shape
        .axes()
        .map(|axis| shape.log2_size(axis) - fragment.shape().log2_size(axis))
        .collect();
    let mut warp_layout = LinearLayout::unit(rank);
    let batch = (rank == 3).then_some(Axis(0));
    let wanted = [
        (warps.m, split[0], Some(row)),
        (warps.n, split[1], Some(column)),
        (warps.batch, warps.batch, batch),
    ];
    for (count, along, axis) in wanted {
        let bits = count.ilog2();
        let used = axis.map_or(0, |axis| along.ilog2().min(repeats[axis.0]));
        if let Some(axis) = axis {
            repeats[axis.0] -= used;
            let part = LinearLayout::unit(rank).shape().with_log2_size(axis, used);
            let order = part.row_major_order();
            warp_layout = warp_layout.product(&LinearLayout::identity(InDim::Warp, part, &order));
        }
        let rest = LinearLayout::replicated(InDim::Warp, bits - used, rank);
        warp_layout = warp_layout.product(&rest);
    }
    let mut order = match fastest {
        Last::Column => vec![column, row],
        Last::Row => vec![row, column],
    };
    order.extend(batch);
    let repeats = LinearLayout::identity(InDim::Register, OutShape::from_log2(repeats), &order);
    Some(fragment.product(&repeats).product(&warp_layout))
}

/// One instruction of a warp: `C[m, n] += A[m, k] * B[k, n]` on fragments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MmaStep {
    /// The fragment's row index in the warp's part of C.
    pub m: usize,
    /// The fragment's column index in the warp's part of C.
    pub n: usize,
    /// The fragment's index along K.
    pub k: usize,
    /// Registers of A, one per element, in the order of the PTX ISA: 4 words.
    pub a: Vec<Register>,
    /// Registers of B: 2 words.
    pub b: Vec<Register>,
    /// Registers of C: 4 elements.
    pub c: Vec<Register>,
}

/// The instructions of an MMA of two operands and an accumulator, each with its registers looked up in the
/// three layouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MmaTiling {
    instruction: MmaInstruction,
    steps: Vec<MmaStep>,
}

impl MmaTiling {
    /// Returns the tiling of `a [M, K]` and `b [K, N]` into `c [M, N]`, or of batches of them. `None` if the
    /// layouts do not consist of this instruction's fragments, or a warp lacks operand parts that its part of
    /// `c` needs.
    pub fn new(
        instruction: MmaInstruction,
        a: &LinearLayout,
        b: &LinearLayout,
        c: &LinearLayout,
    ) -> Option<Self> {
        let (row, column) = matrix_axes(c.shape())?;
        if a.shape().rank() != c.shape().rank() || b.shape().rank() != c.shape().rank() {
            return None;
        }
        let agree = |x: &LinearLayout, x_axis, y: &LinearLayout, y_axis| {
            x.shape().size(x_axis) == y.shape().size(y_axis)
                && [InDim::Warp, InDim::Block].into_iter().all(|dim| {
                    let on = |layout: &LinearLayout, axis| -> Vec<u64> {
                        let bases = layout.bases(dim).iter();
                        bases.map(|&b| layout.shape().coordinate(b, axis)).collect()
                    };
                    on(x, x_axis) == on(y, y_axis)
                })
        };
        let batch = Axis(0);
        let batches = row == batch || (agree(a, batch, c, batch) && agree(b, batch, c, batch));
        let compatible =
            agree(a, row, c, row) && agree(b, column, c, column) && agree(a, column, b, row);
        if !batches || !compatible {
            return None;
        }
        let a = Fragments::find(a, &instruction.fragment_a())?;
        let b = Fragments::find(b, &instruction.fragment_b())?;
        let c = Fragments::find(c, &instruction.fragment_c())?;
        let batches: BTreeSet<u64> = c.by_place.keys().map(|place| place.0).collect();
        let rows = ranks(c.by_place.keys().map(|place| place.1));
        let columns = ranks(c.by_place.keys().map(|place| place.2));
        let depths = ranks(a.by_place.keys().map(|place| place.2));
        let mut steps = Vec::new();
        // K is the outermost loop, so that consecutive instructions have independent accumulators.
        for (&k_place, &k) in &depths {
            for &batch in &batches {
                for (&m_place, &m) in &rows {
                    for (&n_place, &n) in &columns {
                        steps.push(MmaStep {
                            m,
                            n,
                            k,
                            a: a.by_place.get(&(batch, m_place, k_place))?.clone(),
                            b: b.by_place.get(&(batch, k_place, n_place))?.clone(),
                            c: c.by_place.get(&(batch, m_place, n_place))?.clone(),
                        });
                    }
                }
            }
        }
        Some(Self { instruction, steps })
    }

    /// Returns the instruction.
    pub fn instruction(&self) -> MmaInstruction {
        self.instruction
    }

    /// Returns the steps, along K outermost, then M, then N. Steps with the same `(m, n)` accumulate into the
    /// same registers and stay in this order.
    pub fn steps(&self) -> &[MmaStep] {
        &self.steps
    }
}

/// Returns the rank of each distinct value, counted from the smallest.
fn ranks(values: impl Iterator<Item = u64>) -> BTreeMap<u64, usize> {
    let mut ranks: BTreeMap<u64, usize> = values.map(|value| (value, 0)).collect();
    for (rank, slot) in ranks.values_mut().enumerate() {
        *slot = rank;
    }
    ranks
}

/// Batch index, and a fragment's row and column in its matrix.
type Place = (u64, u64, u64);

/// The registers of each fragment that warp 0 holds, in fragment order.
struct Fragments {
    by_place: BTreeMap<Place, Vec<Register>>,
}

impl Fragments {
    /// Finds the fragments in `layout`, or `None` if its lanes are not the fragment's, a warp or block starts
    /// inside a fragment, or a fragment is incomplete.
    fn find(layout: &LinearLayout, fragment: &LinearLayout) -> Option<Self> {
        let shape = layout.shape();
        let (row, column) = matrix_axes(shape)?;
        let part = clipped(fragment, shape)?;
        let unit = part.shape();
        let coordinates = |flat| -> Place {
            let batch = if row == Axis(0) {
                0
            } else {
                shape.coordinate(flat, Axis(0))
            };
            (
                batch,
                shape.coordinate(flat, row),
                shape.coordinate(flat, column),
            )
        };
        let lanes_match = layout.bases(InDim::Lane).len() == part.bases(InDim::Lane).len()
            && layout
                .bases(InDim::Lane)
                .iter()
                .zip(part.bases(InDim::Lane))
                .all(|(&ours, &theirs)| shape.unflatten(ours) == unit.unflatten(theirs));
        let aligned = [InDim::Warp, InDim::Block].into_iter().all(|dim| {
            layout.bases(dim).iter().all(|&basis| {
                let (_, at_row, at_column) = coordinates(basis);
                at_row % unit.size(row) == 0 && at_column % unit.size(column) == 0
            })
        });
        if !lanes_match || !aligned {
            return None;
        }
        let mut holders: BTreeMap<Place, Register> = BTreeMap::new();
        for register in layout.registers() {
            let element = coordinates(layout.apply_flat(Location::thread(register, 0, 0)));
            holders.entry(element).or_insert(register);
        }
        let mut by_place = BTreeMap::new();
        for &(batch, at_row, at_column) in holders.keys() {
            let place = (
                batch,
                at_row / unit.size(row),
                at_column / unit.size(column),
            );
            if by_place.contains_key(&place) {
                continue;
            }
            let registers: Vec<Register> = fragment
                .registers()
                .map(|slot| {
                    // Rows and columns that the tile lacks repeat those that it has.
                    let within = fragment.apply(Location::thread(slot, 0, 0));
                    let at_row = place.1 * unit.size(row) + within[0] % unit.size(row);
                    let at_column = place.2 * unit.size(column) + within[1] % unit.size(column);
                    holders.get(&(batch, at_row, at_column)).copied()
                })
                .collect::<Option<_>>()?;
            by_place.insert(place, registers);
        }
        Some(Self { by_place })
    }
}

//! Layouts of `wgmma`: MMAs that the four warps of a warpgroup compute together.
//!
//! The instruction is `wgmma.mma_async.m64nNkK`, with K of 32 bytes (PTX ISA, "Asynchronous Warpgroup Level
//! Matrix Multiply-Accumulate Instructions"). Each warp holds 16 of the 64 rows of the accumulator, as
//! adjacent fragments of `mma.m16n8`. If A is in registers, its rows are distributed in the same way:
//!
//! ```text
//!   warp 0   rows 0 to 15      register  n:1 | m:8 | n:8 n:16 ..
//!   warp 1   rows 16 to 31     lane      n:2 n:4 | m:1 m:2 m:4
//!   ..                         warp      m:16 m:32
//! ```
//!
//! Operands in shared memory consist of swizzle atoms ([`SwizzleAtoms`]): consecutive rows of 128, 64 or 32
//! bytes. The 16-byte chunks of a row are permuted by the row's number, so that the chunks of one column in
//! eight rows are in different groups of banks. Instructions address an operand by a descriptor ([`Steps`]).
//! TMA loads with the swizzle mode of the same width write it.

use super::boxes::atom_layout;
use super::linear::LinearLayout;
use super::mma::MmaInstruction;
use super::place::InDim;
use super::shape::{Axis, OutShape};

/// Warps of a warpgroup.
pub const WARPS: u32 = 4;

/// Rows of the accumulator of one instruction.
pub const ROWS: u64 = 64;

/// Maximum number of columns of the accumulator of one instruction.
pub const MAX_COLUMNS: u64 = 256;

const ROW: Axis = Axis(0);
const COLUMN: Axis = Axis(1);

/// Rows after which the swizzle repeats, for every width.
const PERIOD_ROWS: u64 = 8;

/// The split of the rows and columns of an accumulator over the warpgroups of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Warpgroups {
    /// The number of parts along M. The low bits of a warpgroup's number select its part.
    pub m: u32,
    /// The number of parts along N.
    pub n: u32,
}

impl Warpgroups {
    /// Splits an accumulator of shape `[M, N]` over `num_warps` warps: rows first, since the instructions of
    /// each warpgroup then have the most columns. `None` if there are too few rows or columns for all
    /// warpgroups.
    pub fn choose(shape: &OutShape, num_warps: u32) -> Option<Self> {
        let sizes = shape.sizes();
        let &[rows, columns] = &sizes[..] else {
            return None;
        };
        if rows < ROWS || !num_warps.is_multiple_of(WARPS) {
            return None;
        }
        let groups = num_warps / WARPS;
        let m = groups.min(u32::try_from(rows / ROWS).unwrap_or(u32::MAX));
        let n = groups / m;
        (columns / u64::from(n) >= MmaInstruction::N).then_some(Self { m, n })
    }

    /// Returns the layout of the accumulator of shape `[M, N]`.
    pub fn accumulator(self, shape: &OutShape) -> LinearLayout {
        let fragment = MmaInstruction::for_element_bits(16)
            .expect("there is one")
            .fragment_c();
        let Self { m, n } = self;
        let tile = Fragments::new(fragment, shape).over(InDim::Warp, ROW, WARPS);
        let tile = tile.in_registers(COLUMN, n).in_registers(ROW, m);
        tile.over(InDim::Warp, ROW, m)
            .over(InDim::Warp, COLUMN, n)
            .layout
    }

    /// Returns the layout of the left operand of shape `[M, K]` in registers. `None` if the matrix has a
    /// smaller K than the instruction, or no instruction has elements of that width.
    pub fn left(self, shape: &OutShape, element_bits: u32) -> Option<LinearLayout> {
        let instruction = MmaInstruction::for_element_bits(element_bits)?;
        if shape.size(COLUMN) < instruction.k() {
            return None;
        }
        let Self { m, n } = self;
        let tile = Fragments::new(instruction.fragment_a(), shape).over(InDim::Warp, ROW, WARPS);
        let tile = tile.in_registers(COLUMN, 1).in_registers(ROW, m);
        let layout = tile.over(InDim::Warp, ROW, m).layout;
        let copies = LinearLayout::replicated(InDim::Warp, n.ilog2(), 2);
        Some(layout.product(&copies))
    }

    /// Returns the split whose accumulator has `layout`.
    pub fn from_accumulator(layout: &LinearLayout) -> Option<Self> {
        let groups = Self::choose(layout.shape(), layout.size(InDim::Warp))?;
        (groups.accumulator(layout.shape()) == *layout).then_some(groups)
    }
}

/// A layout of fragments that is being extended over a matrix.
struct Fragments<'s> {
    layout: LinearLayout,
    shape: &'s OutShape,
}

impl<'s> Fragments<'s> {
    fn new(layout: LinearLayout, shape: &'s OutShape) -> Self {
        Self { layout, shape }
    }

    /// Repeats the fragments `count` times along an axis, once for each index of `dim`.
    fn over(self, dim: InDim, axis: Axis, count: u32) -> Self {
        let unit = OutShape::from_log2([0, 0]);
        let part = unit.with_log2_size(axis, count.ilog2());
        let order = part.row_major_order();
        let layout = self
            .layout
            .product(&LinearLayout::identity(dim, part, &order));
        Self { layout, ..self }
    }

    /// Repeats the fragments in registers along an axis that is split over `shared` warpgroups.
    fn in_registers(self, axis: Axis, shared: u32) -> Self {
        let rest = self.shape.size(axis) / self.layout.shape().size(axis);
        let count = u32::try_from(rest).expect("a tile is small") / shared;
        self.over(InDim::Register, axis, count)
    }
}

/// The layout of a matrix in shared memory that `wgmma` reads: split along `fast` into swizzle atoms, whose
/// rows have `row_bytes` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SwizzleAtoms {
    /// The axis along which the elements of a row are contiguous.
    pub fast: Axis,
    /// The length of a row in bytes: 128, 64 or 32.
    pub row_bytes: u64,
}

impl SwizzleAtoms {
    /// Returns the widest atoms for a matrix of `shape`; `None` if the matrix is too narrow or has too few
    /// rows for every width.
    pub fn widest(shape: &OutShape, fast: Axis, element_bytes: u64) -> Option<Self> {
        let whole = shape.size(fast) * element_bytes;
        let slow = shape.size(Self { fast, row_bytes: 0 }.slow());
        let row_bytes = [128, 64, 32].into_iter().find(|&bytes| bytes <= whole)?;
        (shape.rank() == 2 && slow >= PERIOD_ROWS).then_some(Self { fast, row_bytes })
    }

    /// Returns the atoms that make up `memory`, if there are any.
    pub fn from_layout(memory: &LinearLayout, element_bytes: u64) -> Option<Self> {
        let shape = memory.shape();
        if shape.rank() != 2 {
            return None;
        }
        [Axis(1), Axis(0)]
            .into_iter()
            .filter_map(|fast| Self::widest(shape, fast, element_bytes))
            .find(|atoms| atoms.layout(shape, element_bytes) == *memory)
    }

    fn slow(self) -> Axis {
        Axis(1 - self.fast.0)
    }

    /// Returns the layout that maps offsets, in elements, to elements of the matrix.
    pub fn layout(self, shape: &OutShape, element_bytes: u64) -> LinearLayout {
        atom_layout(shape, self.fast, element_bytes)
    }

    /// Returns the alignment, in bytes, of the start of a matrix.
    pub fn align_bytes(self) -> u64 {
        PERIOD_ROWS * self.row_bytes
    }

    /// Returns the steps between the parts of a matrix of `shape`, whose axis `depth` is K.
    pub fn steps(self, shape: &OutShape, depth: Axis, element_bytes: u64) -> Steps {
        Steps {
            atoms: self,
            atom_bytes: shape.size(self.slow()) * self.row_bytes,
            is_deep: depth == self.fast,
            element_bytes,
        }
    }
}

/// Locates the parts of a matrix in shared memory that instructions read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Steps {
    atoms: SwizzleAtoms,
    atom_bytes: u64,
    /// `true` if rows of atoms are along K (K-major).
    is_deep: bool,
    element_bytes: u64,
}

impl Steps {
    /// Returns the alignment, in bytes, of the start of the matrix.
    pub fn align_bytes(self) -> u64 {
        self.atoms.align_bytes()
    }

    /// Returns `true` if the matrix is transposed for the instruction (MN-major).
    pub fn is_transposed(self) -> bool {
        !self.is_deep
    }

    /// Returns the offset in bytes of the part that begins at element `across` along M or N, and `deep` along
    /// K.
    pub fn start_bytes(self, across: u64, deep: u64) -> u64 {
        let (along, row) = if self.is_deep {
            (deep, across)
        } else {
            (across, deep)
        };
        let bytes = along * self.element_bytes;
        let width = self.atoms.row_bytes;
        bytes / width * self.atom_bytes + row * width + bytes % width
    }

    /// Returns the descriptor of a matrix at address 0 (PTX ISA, "Matrix Descriptor Format"): from bit 16 on
    /// the distance between atoms, if one instruction reads several; from bit 32 on the distance between
    /// groups of eight rows; from bit 62 on the swizzle mode. Distances are in units of 16 bytes.
    pub fn descriptor(self) -> u64 {
        let mode = match self.atoms.row_bytes {
            128 => 1,
            64 => 2,
            _ => 3,
        };
        // An instruction reads at most one row along K, so the hardware ignores this field for a K-major
        // matrix.
        let atoms = if self.is_deep {
            1
        } else {
            self.atom_bytes / 16
        };
        let groups = PERIOD_ROWS * self.atoms.row_bytes / 16;
        atoms << 16 | groups << 32 | mode << 62
    }
}

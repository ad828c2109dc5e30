//! Instructions and operands of matmuls, which use `mma.sync` or multiply element by element.

use super::BufferId;
use crate::layout::{
    Axis, InDim, LinearLayout, MmaInstruction, MmaTiling, OutShape, Register, straightened,
};

/// The instruction of an MMA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MmaKind {
    /// f16 x f16 + f32.
    F16,
    /// bf16 x bf16 + f32.
    BF16,
    /// tf32 x tf32 + f32.
    TF32,
    /// f16 x f16 + f16.
    F16AccF16,
    /// f8E4M3FN x f8E4M3FN + f32 or f16; pairs of f16 MMAs where the target has no such instruction.
    E4M3,
    /// f8E5M2 x f8E5M2 + f32 or f16, like [`Self::E4M3`].
    E5M2,
    /// f64 x f64 + f64.
    F64,
    /// i8 x i8 + i32.
    I8 {
        /// `true` if the elements of A are signed.
        lhs_signed: bool,
        /// `true` if the elements of B are signed.
        rhs_signed: bool,
    },
}

impl MmaKind {
    /// Returns the width of an operand's elements in the instruction.
    pub fn element_bits(self) -> u32 {
        match self {
            Self::E4M3 | Self::E5M2 | Self::I8 { .. } => 8,
            Self::F16 | Self::BF16 | Self::F16AccF16 => 16,
            Self::TF32 => 32,
            Self::F64 => 64,
        }
    }
}

impl MmaKind {
    /// Returns the shape of the instruction or, if `is_half`, of the one with half its K. Returns `None` if
    /// it does not exist.
    pub fn instruction(self, is_half: bool) -> Option<MmaInstruction> {
        let instruction = MmaInstruction::for_element_bits(self.element_bits())?;
        match self {
            _ if !is_half => Some(instruction),
            Self::E4M3 | Self::E5M2 | Self::F64 => None,
            Self::F16 | Self::BF16 | Self::TF32 | Self::F16AccF16 | Self::I8 { .. } => {
                instruction.half()
            }
        }
    }
}

/// A matmul on tensor cores; see [`super::OpKind::Mma`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mma {
    /// The instruction.
    pub kind: MmaKind,
    /// `true` if the transposed matmul is computed, so that the second operand's columns are the
    /// instruction's rows.
    pub swapped: bool,
    /// `true` for the instruction with half the K.
    pub is_half: bool,
    /// `true` if the rows of the first operand and of the accumulator are
    /// [interleaved](crate::layout::interleaved), and likewise for the columns of the second operand.
    pub interleaved: (bool, bool),
}

impl Mma {
    /// Returns the instructions and their registers. A, B and C are the matrices of the instruction: if
    /// swapped, A is the second operand.
    pub fn tiling(
        self,
        lhs: &LinearLayout,
        rhs: &LinearLayout,
        accumulator: &LinearLayout,
    ) -> Option<MmaTiling> {
        let instruction = self.kind.instruction(self.is_half)?;
        let rank = accumulator.shape().rank();
        let (row, column) = (Axis(rank - 2), Axis(rank - 1));
        let [mut a, mut b, mut c] = [lhs, rhs, accumulator].map(Clone::clone);
        if self.interleaved.0 {
            (a, c) = (straightened(&a, row), straightened(&c, row));
        }
        if self.interleaved.1 {
            (b, c) = (straightened(&b, column), straightened(&c, column));
        }
        if self.swapped {
            let turned = [a, b, c].map(|layout| transposed(&layout));
            MmaTiling::new(instruction, &turned[1], &turned[0], &turned[2])
        } else {
            MmaTiling::new(instruction, &a, &b, &c)
        }
    }
}

/// Returns the layout of a matrix, or a batch of them, with rows and columns exchanged.
pub fn transposed(layout: &LinearLayout) -> LinearLayout {
    let rank = layout.shape().rank();
    let mut axes: Vec<Axis> = layout.shape().axes().collect();
    axes.swap(rank - 2, rank - 1);
    layout.permute_axes(&axes)
}

/// A matmul that multiplies element by element; see [`super::OpKind::MmaLoop`]. The order of the elements in
/// its buffers does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MmaLoop {
    /// The left operand, `[batch, M, K]`.
    pub lhs: BufferId,
    /// The right operand, `[batch, K, N]`.
    pub rhs: BufferId,
    /// The scale factors of both operands, `[batch, M, blocks]` and `[batch, blocks, N]`.
    pub scales: Option<(BufferId, BufferId)>,
    /// `true` per operand if its integers are signed.
    pub signed: (bool, bool),
}

/// The steps along K in one iteration of the loop of an [`MmaLoop`], and the registers of one factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MmaLoopStep {
    /// The layout of the factor, or of its scales, in one iteration. Its shape has all of K.
    pub factor: LinearLayout,
    /// For each register of the accumulator, the register of the factor in the first step. For each further
    /// step, `rows` is added.
    pub registers: Vec<Register>,
    /// Number of registers of the factor in one step.
    pub rows: usize,
    /// Number of steps.
    pub steps: usize,
    /// Maps the number of the iteration to elements of the factor. It is a layout in which this number
    /// replaces the number of the warp.
    pub turns: LinearLayout,
}

/// An operand of a matmul.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// `[batch, M, K]`.
    Left,
    /// `[batch, K, N]`.
    Right,
}

impl Side {
    /// Returns the axis that is K in an operand of this rank (2 or 3), or the axis at the same position in
    /// the accumulator.
    pub fn depth(self, rank: usize) -> Axis {
        match self {
            Self::Left => Axis(rank - 1),
            Self::Right => Axis(rank - 2),
        }
    }
}

impl MmaLoopStep {
    /// Maximum number of multiplications of a thread in one iteration.
    const MAX_UNROLLED: u64 = 256;

    /// Maximum number of steps along K in one iteration.
    const MAX_STEPS: u64 = 8;

    /// Returns the number of steps of one iteration of a matmul with this accumulator.
    pub fn steps(accumulator: &LinearLayout, depth: u64) -> u64 {
        let mut steps = Self::MAX_STEPS.min(depth);
        while steps > 1 && steps * accumulator.num_registers() as u64 > Self::MAX_UNROLLED {
            steps /= 2;
        }
        steps
    }

    /// Creates the steps of the factor on one side of a matmul with this accumulator, with `depth` elements
    /// along K.
    pub fn new(accumulator: &LinearLayout, side: Side, depth: u64, steps: u64) -> Self {
        let rank = accumulator.shape().rank();
        let along = side.depth(rank);
        let (part, registers) = accumulator.collapse_axis(along).unique_registers();
        let unit = OutShape::from_log2((0..rank).map(|_| 0));
        let deep = unit.with_log2_size(along, depth.ilog2());
        let order = deep.row_major_order();
        let whole = part.product(&LinearLayout::identity(InDim::Register, deep, &order));
        let rows = part.num_registers();
        let register_bases = whole.bases(InDim::Register);
        let (now, later) = register_bases.split_at((rows as u64 * steps).ilog2() as usize);
        let bases = InDim::ALL.map(|dim| match dim {
            InDim::Register => (dim, now),
            _ => (dim, whole.bases(dim)),
        });
        Self {
            factor: LinearLayout::new(whole.shape().clone(), bases),
            turns: LinearLayout::new(whole.shape().clone(), [(InDim::Warp, later)]),
            registers,
            rows,
            steps: usize::try_from(steps).expect("few"),
        }
    }
}

impl MmaLoop {
    /// Returns the buffers that the matmul reads.
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> + use<> {
        let scales = self.scales.into_iter().flat_map(|(lhs, rhs)| [lhs, rhs]);
        [self.lhs, self.rhs].into_iter().chain(scales)
    }

    /// Replaces each buffer by the one that `instead` returns.
    pub fn rename(&mut self, instead: impl Fn(BufferId) -> BufferId) {
        for buffer in [&mut self.lhs, &mut self.rhs] {
            *buffer = instead(*buffer);
        }
        if let Some((lhs, rhs)) = &mut self.scales {
            (*lhs, *rhs) = (instead(*lhs), instead(*rhs));
        }
    }
}

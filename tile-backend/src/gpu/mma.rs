//! What matrix products are made of.

use super::BufferId;
use crate::layout::{
    Axis, InDim, LinearLayout, MmaInstruction, MmaTiling, OutShape, Register, straightened,
};

/// The instruction of a matrix product.
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
    /// f8E4M3FN x f8E4M3FN + f32 or f16; pairs of products of f16 where the target has no such
    /// instruction.
    E4M3,
    /// f8E5M2 x f8E5M2 + f32 or f16; likewise.
    E5M2,
    /// f64 x f64 + f64.
    F64,
    /// i8 x i8 + i32.
    I8 {
        /// Whether the elements of A have a sign.
        lhs_signed: bool,
        /// Whether those of B have one.
        rhs_signed: bool,
    },
}

impl MmaKind {
    /// The width of an operand's elements in the instruction.
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
    /// The shape of the instruction, or that of half the depth, if there is one.
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

/// A matrix product on tensor cores; see [`super::OpKind::Mma`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mma {
    /// The instruction.
    pub kind: MmaKind,
    /// Whether it computes the transposed product, so that the second operand's columns
    /// are the instruction's rows.
    pub swapped: bool,
    /// Whether it is the instruction of half the depth.
    pub is_half: bool,
    /// Whether the rows of the first operand and of the accumulator are
    /// [interleaved](crate::layout::interleaved), and whether the columns of the second one are.
    pub interleaved: (bool, bool),
}

impl Mma {
    /// The instructions, on registers of A, B and C as the instruction has them: if
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

/// The layout of a matrix, or a batch of them, with rows and columns exchanged.
pub fn transposed(layout: &LinearLayout) -> LinearLayout {
    let rank = layout.shape().rank();
    let mut axes: Vec<Axis> = layout.shape().axes().collect();
    axes.swap(rank - 2, rank - 1);
    layout.permute_axes(&axes)
}

/// A matrix product element by element; see [`super::OpKind::MmaLoop`]. In which order its
/// buffers have their elements is all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MmaLoop {
    /// The left operand, `[batch, M, K]`.
    pub lhs: BufferId,
    /// The right operand, `[batch, K, N]`.
    pub rhs: BufferId,
    /// The scale factors of both, `[batch, M, blocks]` and `[batch, blocks, N]`.
    pub scales: Option<(BufferId, BufferId)>,
    /// The sign of integers.
    pub signed: (bool, bool),
}

/// Steps along K that one turn of the loop of an [`MmaLoop`] takes, and how it has its factors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MmaLoopStep {
    /// Its factor, or what scales it: a tile of all of K.
    pub factor: LinearLayout,
    /// Per register of the accumulator, the one of the factor in the first step. In the next
    /// step it is `rows` further.
    pub registers: Vec<Register>,
    /// Registers of a step.
    pub rows: usize,
    /// The number of steps.
    pub steps: usize,
    /// The elements of the factor by the number of the turn, which stands for that of the warp.
    pub turns: LinearLayout,
}

/// An operand of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// `[batch, M, K]`.
    Left,
    /// `[batch, K, N]`.
    Right,
}

impl Side {
    /// The axis of an operand, or an accumulator, of rank 2 or 3 that K is in the place of.
    pub fn depth(self, rank: usize) -> Axis {
        match self {
            Self::Left => Axis(rank - 1),
            Self::Right => Axis(rank - 2),
        }
    }
}

impl MmaLoopStep {
    /// The most multiplications of a thread in one turn.
    const MAX_UNROLLED: u64 = 256;

    /// The most steps along K in one turn.
    const MAX_STEPS: u64 = 8;

    /// The steps of a turn of a product with this accumulator.
    pub fn steps(accumulator: &LinearLayout, depth: u64) -> u64 {
        let mut steps = Self::MAX_STEPS.min(depth);
        while steps > 1 && steps * accumulator.num_registers() as u64 > Self::MAX_UNROLLED {
            steps /= 2;
        }
        steps
    }

    /// The factor on one side, `depth` deep, of a product with this accumulator.
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
    /// What it reads.
    pub fn buffers(&self) -> impl Iterator<Item = BufferId> + use<> {
        let scales = self.scales.into_iter().flat_map(|(lhs, rhs)| [lhs, rhs]);
        [self.lhs, self.rhs].into_iter().chain(scales)
    }

    /// Reads others instead.
    pub fn rename(&mut self, instead: impl Fn(BufferId) -> BufferId) {
        for buffer in [&mut self.lhs, &mut self.rhs] {
            *buffer = instead(*buffer);
        }
        if let Some((lhs, rhs)) = &mut self.scales {
            (*lhs, *rhs) = (instead(*lhs), instead(*rhs));
        }
    }
}

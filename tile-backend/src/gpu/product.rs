//! What matrix products are made of.

use super::BufferId;
use crate::layout::{Axis, LinearLayout, MmaInstruction, MmaTiling};

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

/// A matrix product on tensor cores; see [`super::OpKind::Mma`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mma {
    /// The instruction.
    pub kind: MmaKind,
    /// Whether it computes the transposed product, so that the second operand's columns
    /// are the instruction's rows.
    pub swapped: bool,
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
        let instruction = MmaInstruction::for_element_bits(self.kind.element_bits())?;
        if self.swapped {
            let turned = [lhs, rhs, accumulator].map(transposed);
            MmaTiling::new(instruction, &turned[1], &turned[0], &turned[2])
        } else {
            MmaTiling::new(instruction, lhs, rhs, accumulator)
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

/// A matrix product element by element; see [`super::OpKind::MmaLoop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MmaLoop {
    /// The left operand, `[batch, M, K]`, with M fastest, then the batch, then K.
    pub lhs: BufferId,
    /// The right operand, `[batch, K, N]`, with N fastest, then the batch, then K.
    pub rhs: BufferId,
    /// The scale factors of both, `[batch, M, blocks]` and `[batch, blocks, N]`, likewise.
    pub scales: Option<(BufferId, BufferId)>,
    /// The sign of integers.
    pub signed: (bool, bool),
}

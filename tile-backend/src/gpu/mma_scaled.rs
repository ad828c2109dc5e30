//! Block-scaled MMA: matmuls whose instruction applies one scale factor to each block of elements along K.
//!
//! ```text
//!   elements   factors    block   instruction (PTX ISA, "Block Scaling for mma.sync")
//!   8 bits     f8E8M0     32      m16n8k32.kind::mxf8f6f4
//!   4 bits     f8E8M0     32      the same, an element in a byte
//!   4 bits     f8E8M0     16      two of the same, one per half of K
//!   4 bits     f8E4M3     16      m16n8k64.kind::mxf4nvf4, four factors
//! ```

use crate::layout::{
    InDim, LinearLayout, Location, MmaInstruction, MmaStep, MmaTiling, MmaWarps, OutShape, Register,
};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use tile_core::Scalar;

/// K of an instruction with elements in bytes.
const BYTES_DEPTH: u64 = 32;

/// A block-scaled matmul on tensor cores; see [`super::OpKind::MmaScaled`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MmaScaled {
    /// The element types of both operands.
    pub elements: [Scalar; 2],
    /// The type of the scale factors.
    pub scale: Scalar,
    /// Number of elements along K that share a factor.
    pub block: u64,
}

/// The registers of one instruction.
#[derive(Clone, Debug)]
pub struct ScaledStep {
    /// The operands and the accumulator.
    pub step: MmaStep,
    /// The factors of A and of B, block by block along K.
    pub factors: Vec<[Register; 2]>,
}

impl MmaScaled {
    /// Returns the shape of the instruction.
    pub fn instruction(self) -> MmaInstruction {
        let bits = if self.is_packed() { 4 } else { 8 };
        MmaInstruction::for_element_bits(bits).expect("there is one")
    }

    /// Returns `true` if the instruction takes packed elements of four bits; otherwise each element has a
    /// byte.
    pub fn is_packed(self) -> bool {
        self.scale == Scalar::F8E4M3FN
    }

    /// Returns the layouts of A, B, the accumulator, and the factors of A and of B. `None` if K is smaller
    /// than that of the instruction.
    pub fn layouts(self, shapes: [&OutShape; 5], warps: MmaWarps) -> Option<[LinearLayout; 5]> {
        let instruction = self.instruction();
        let [a, b, c, of_a, of_b] = shapes;
        Some([
            instruction.operand_a(a, warps)?,
            instruction.operand_b(b, warps)?,
            instruction.accumulator(c, warps)?,
            instruction.scale_a(of_a, warps)?,
            instruction.scale_b(of_b, warps)?,
        ])
    }

    /// Returns the instructions and their registers in these layouts. If blocks of 16 elements are in bytes,
    /// each step represents two instructions.
    pub fn steps(self, layouts: [&LinearLayout; 5]) -> Option<Vec<ScaledStep>> {
        let [a, b, c, of_a, of_b] = layouts;
        let tiling = MmaTiling::new(self.instruction(), a, b, c)?;
        let depth = if self.is_packed() {
            2 * BYTES_DEPTH
        } else {
            BYTES_DEPTH
        };
        let (of_a, of_b) = (holders(of_a), holders(of_b));
        let steps = tiling.steps().iter().map(|step| {
            let result = place(c, step.c[0]);
            let first = *place(a, step.a[0]).last()? / self.block;
            let factors = (0..depth / self.block).map(|block| {
                // The coordinates of the factors are `[batch?, row, block]` and `[batch?, block, column]`.
                let (mut at_a, mut at_b) = (result.clone(), result.clone());
                *at_a.last_mut()? = first + block;
                let row = at_b.len() - 2;
                at_b[row] = first + block;
                Some([*of_a.get(&at_a)?, *of_b.get(&at_b)?])
            });
            Some(ScaledStep {
                step: step.clone(),
                factors: factors.collect::<Option<_>>()?,
            })
        });
        steps.collect()
    }
}

type Place = SmallVec<[u64; 4]>;

/// Returns the coordinates of the element that the first thread holds in `register`.
fn place(layout: &LinearLayout, register: Register) -> Place {
    layout.apply(Location::thread(register, 0, 0))
}

/// Maps the elements of the first thread to its registers.
fn holders(layout: &LinearLayout) -> FxHashMap<Place, Register> {
    debug_assert!(layout.bases(InDim::Offset).is_empty(), "of threads");
    layout
        .registers()
        .map(|register| (place(layout, register), register))
        .collect()
}

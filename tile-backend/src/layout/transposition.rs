//! Plans that transpose matrices in shared memory. Tensor cores need them because they read elements of other
//! sizes than 16 bits along K only.
//!
//! In: two layouts of a matrix, with runs of 16 bytes along different axes. Out: the addresses that each lane
//! reads and writes. A warp transposes one block at a time. Its accesses have no bank conflicts if eight
//! consecutive rows use eight groups of banks, as in swizzle atoms ([`SwizzleAtoms`](super::SwizzleAtoms)):
//!
//! ```text
//!   bytes      a block of 32 along `to` by 16 along `from`: ldmatrix.x4.trans, four byte
//!              permutations, stmatrix.x4
//!   32 bits    a block of 4 by 32: ldmatrix.x4, and each lane stores 16 bytes
//! ```
//!
//! Bytes are transposed as units of 16 bits, so a lane receives pairs along `from` of two rows along `to`.
//! The rows of a matrix can be chosen freely. This choice gives a lane two words that hold four neighbours of
//! each row, and two byte permutations turn them into words of one row each:
//!
//! ```text
//!   rows of matrix 0    0 1 4 5 10 11 14 15      lane l%4 = 2, 3 have their words exchanged,
//!   rows of matrix 1    2 3 6 7  8  9 12 13      so that eight rows differ modulo 8
//!   columns stored 0    0 2 4 6  9 11 13 15      lanes from 16 on have the other column first,
//!   columns stored 1    1 3 5 7  8 10 12 14      for the same reason
//! ```

use super::address::AddressParts;
use super::linear::LinearLayout;
use super::place::InDim;
use super::shape::{Axis, OutShape};

const LANE_BITS: usize = 5;

/// A plan to transpose a matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transposition {
    /// Offset, in elements, of the row of 16 bytes whose address a lane passes to `ldmatrix`. Each register
    /// numbers one block.
    pub load: AddressParts,
    /// Offset, in elements, of the row of 16 bytes that a lane writes, for each block.
    pub store: AddressParts,
    /// Warps whose number has any of these bits have no work.
    pub idle_warps: u32,
}

/// The coordinates of the lanes within a block, along both axes, for the load and for the store.
struct Block {
    load: [[u64; 2]; LANE_BITS],
    store: [[u64; 2]; LANE_BITS],
    /// The extents of the block.
    sizes: [u64; 2],
}

/// Each pair has the coordinate along the axis of runs of `to` first, then that of `from`.
const OF_BYTES: Block = Block {
    load: [[1, 0], [4, 0], [10, 0], [2, 0], [16, 0]],
    store: [[0, 2], [0, 4], [0, 9], [0, 1], [16, 0]],
    sizes: [32, 16],
};

const OF_WORDS: Block = Block {
    load: [[0, 4], [0, 8], [0, 16], [1, 0], [2, 0]],
    store: [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]],
    sizes: [4, 32],
};

impl Transposition {
    /// Returns the plan from `from` to `to` for `num_warps` warps; `None` if the elements have neither 8 nor
    /// 32 bits, or the matrix is smaller than a block or lacks runs of 16 bytes.
    pub fn choose(
        from: &LinearLayout,
        to: &LinearLayout,
        element_bits: u32,
        num_warps: u32,
    ) -> Option<Self> {
        let block = match element_bits {
            8 => OF_BYTES,
            32 => OF_WORDS,
            _ => return None,
        };
        let shape = from.shape();
        if shape.rank() != 2 || to.shape() != shape {
            return None;
        }
        let axes = [run(to, element_bits)?, run(from, element_bits)?];
        let fits = axes[0] != axes[1]
            && axes
                .iter()
                .zip(block.sizes)
                .all(|(&axis, size)| shape.size(axis) >= size);
        if !fits {
            return None;
        }
        let element_at = |[along, across]: [u64; 2]| {
            shape.on_axis(axes[0], along) | shape.on_axis(axes[1], across)
        };
        // Bits along `from` come first, so that warps get them before registers.
        let mut blocks: Vec<u64> = Vec::new();
        for (axis, size) in axes.into_iter().zip(block.sizes).rev() {
            let bits = size.ilog2()..shape.log2_size(axis);
            blocks.extend(bits.map(|bit| shape.on_axis(axis, 1 << bit)));
        }
        let warp_bits = num_warps.ilog2() as usize;
        let (warps, registers) = blocks.split_at(warp_bits.min(blocks.len()));
        let idle_warps = num_warps - (1 << warps.len());
        let mut warps = warps.to_vec();
        warps.resize(warp_bits, 0);
        let parts = |lanes: [[u64; 2]; LANE_BITS], memory: &LinearLayout| {
            let layout = LinearLayout::new(
                shape.clone(),
                [
                    (InDim::Register, registers.to_vec()),
                    (InDim::Lane, lanes.map(element_at).to_vec()),
                    (InDim::Warp, warps.clone()),
                ],
            );
            AddressParts::offset(&layout, memory)
        };
        Some(Self {
            load: parts(block.load, from)?,
            store: parts(block.store, to)?,
            idle_warps,
        })
    }
}

/// Returns the axis along which a matrix has aligned runs of 16 bytes.
fn run(memory: &LinearLayout, element_bits: u32) -> Option<Axis> {
    let shape: &OutShape = memory.shape();
    let offsets = memory.bases(InDim::Offset);
    let bits = (128 / element_bits).ilog2() as usize;
    shape.axes().find(|&axis| {
        let expected = (0..bits).map(|bit| shape.on_axis(axis, 1 << bit));
        shape.log2_size(axis) as usize >= bits
            && offsets.len() >= bits
            && offsets[..bits].iter().copied().eq(expected)
    })
}

//! Matrices in shared memory whose rows become columns: for tensor cores that read elements of other than
//! 16 bits along K only.
//!
//! In: two layouts of a matrix, with runs of 16 bytes along different axes. Out: what each lane reads and
//! writes. A warp moves a block at a time, and no two lanes meet in a bank if rows of eight in a row are in
//! eight groups of them, as in panels ([`SwizzleAtoms`](super::SwizzleAtoms)):
//!
//! ```text
//!   bytes      a block of 32 along `to` by 16 along `from`: ldmatrix.x4.trans, four byte
//!              permutations, stmatrix.x4
//!   32 bits    a block of 4 by 32: ldmatrix.x4, and each lane stores 16 bytes
//! ```
//!
//! Transposed as units of 16 bits, bytes come in pairs along `from`, of two neighbours along `to`. Which rows
//! a matrix has is free, so that two words of a lane have four neighbours between them; two permutations make
//! these of one row each:
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

/// What threads do to transpose a matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transposition {
    /// Where a lane's row of 16 bytes is that `ldmatrix` reads, in elements; a block for each register.
    pub load: AddressParts,
    /// Where a lane's row of 16 bytes is written to.
    pub store: AddressParts,
    /// Warps that have nothing to do are those with any of these bits.
    pub idle_warps: u32,
}

/// What lanes and blocks have of a matrix, as numbers along both axes.
struct Block {
    load: [[u64; 2]; LANE_BITS],
    store: [[u64; 2]; LANE_BITS],
    /// Its extents.
    sizes: [u64; 2],
}

/// Pairs are along `to`, then along `from`.
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
    /// From `from` to `to`, by so many warps; `None` if elements are of other than 8 or 32 bits, or the matrix is
    /// smaller than a block, or has not the runs.
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
        let at = |[along, across]: [u64; 2]| {
            shape.on_axis(axes[0], along) | shape.on_axis(axes[1], across)
        };
        // Warps beside each other along `from` read with immediate offsets.
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
                    (InDim::Lane, lanes.map(at).to_vec()),
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

/// The axis along which a matrix has runs of 16 bytes, which begin at multiples of that.
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

//! Copies of runs of bytes to shared memory, without a map of the tensor (`cp.async.bulk`).
//!
//! A tile whose rows are neighbours in memory comes as one copy for each row, of the bytes of it that exist. The
//! others are written by threads of the warp that begins the copies: any padding will do.
//!
//! ```text
//!   init_mbarriers $b                       one barrier per slot; each phase has one arrival
//!   %n = bulk_copy $a by $b slot, tile     one warp: copies of rows begin, the rest is padded
//!   arrive_expect_tx $b 0 slot, %n           the thread arrives, and says how many bytes will come
//!   consumer_wait $b slot, parity           everybody, until the phase of that parity is over
//! ```
//!
//! ```text
//!   a row of a slot    |== 16 == 16 == 16 ==|·e e e p|p p p p|      = copied, e loaded and stored, p padded
//!                      0                 copied   exists    end     copied: the multiple of 16 below exists
//! ```
//!
//! Copies are in front of the arrival, unlike those of tensors: who waits for the phase sees what the warp wrote
//! before it. How many bytes come is only known when it runs, so that a copy has a result, which the arrival
//! expects besides what copies of tensors into the slot bring.

use super::{
    Access, BARRIER_BYTES, BufferId, GlobalTile, Kernel, MAX_EXPECTED_BYTES, Op, Ty, ValueId,
};
use crate::layout::Runs;
use tile_core::Scalar;

/// What addresses and sizes are multiples of (PTX ISA, `cp.async.bulk`).
pub const BULK_BYTES: u64 = 16;

/// Copies of a tile, at most: each is an instruction.
pub const MAX_RUNS: u64 = 32;

/// A copy of a tile; see [`super::OpKind::BulkCopy`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkCopy {
    /// The tile, with any padding; zeros stand for none.
    pub tile: GlobalTile,
    /// Where to: a ring, which has the tile's elements in every slot.
    pub buffer: BufferId,
    /// What counts the bytes: a barrier per slot.
    pub barriers: BufferId,
    /// Whether it is for a later iteration than the one that begins it.
    pub is_prefetch: bool,
}

impl BulkCopy {
    /// The runs in which the tile comes to its buffer; none if it cannot.
    pub fn runs(&self, kernel: &Kernel) -> Option<Runs> {
        let memory = kernel.layout(kernel.buffer(self.buffer).layout?);
        Runs::from_layout(memory, self.tile.contiguous?)
            .filter(|runs| self.tile.is_copyable_by_rows(runs))
    }

    /// The bytes that come at most.
    pub fn max_bytes(&self, kernel: &Kernel) -> u64 {
        let buffer = kernel.buffer(self.buffer);
        u64::from(buffer.bytes / buffer.stages)
    }
}

impl GlobalTile {
    /// Whether each of these runs begins at a multiple of 16 bytes in memory, which does not change. Where it
    /// ends is not known.
    pub(crate) fn is_copyable_by_rows(&self, runs: &Runs) -> bool {
        let bytes = self.element.bytes() as u64;
        self.access == Access::Read
            && self.element.bits() >= 8
            && self.vector_elements * bytes >= BULK_BYTES
            && runs.length * bytes >= BULK_BYTES
            && runs.count <= MAX_RUNS
    }
}

/// The faults of a copy.
pub(super) fn errors(kernel: &Kernel, op: &Op, copy: &BulkCopy) -> Vec<String> {
    let mut errors = Vec::new();
    let mut demand = |holds: bool, text: &str| {
        if !holds {
            errors.push(text.to_owned());
        }
    };
    let buffer = kernel.buffer(copy.buffer);
    demand(buffer.stages > 1, "`bulk_copy` needs a circular buffer");
    demand(
        super::verify_tma::is_mbarrier_buffer(kernel, copy.barriers)
            && kernel.buffer(copy.barriers).bytes == buffer.stages * BARRIER_BYTES,
        "`bulk_copy` needs a barrier per stage",
    );
    demand(
        has_matching_operands(kernel, &op.args, &copy.tile)
            && op.results.len() == 1
            && kernel.ty(op.results[0]) == Ty::Uniform(Scalar::I32),
        "`bulk_copy` takes a condition, a stage and the address of a tile, and gives a byte count",
    );
    let sizes = copy.tile.axes.iter().map(|axis| axis.size);
    let shape = buffer.layout.map(|id| kernel.layout(id).shape().sizes());
    let bytes = copy.runs(kernel).map(|runs| {
        let elements = runs.length * runs.count;
        elements * copy.tile.element.bytes() as u64
    });
    demand(
        shape.is_some_and(|shape| sizes.eq(shape))
            && buffer.element == copy.tile.element
            && bytes == Some(copy.max_bytes(kernel))
            && copy.max_bytes(kernel) <= u64::from(MAX_EXPECTED_BYTES)
            && u64::from(buffer.align_bytes).is_multiple_of(BULK_BYTES),
        "the tile of `bulk_copy` does not come to its buffer in runs of 16 bytes",
    );
    errors
}

/// A condition, a slot, a base, and an index, an extent and a stride of each axis.
fn has_matching_operands(kernel: &Kernel, args: &[ValueId], tile: &GlobalTile) -> bool {
    let Some((&[whether, stage, base], place)) = args.split_first_chunk() else {
        return false;
    };
    let is_integer = place
        .iter()
        .all(|&number| matches!(kernel.ty(number), Ty::Uniform(scalar) if scalar.is_integer()));
    kernel.ty(whether) == Ty::Uniform(Scalar::I1)
        && kernel.ty(stage) == Ty::Uniform(Scalar::I32)
        && matches!(kernel.ty(base), Ty::Pointer(_))
        && place.len() == 3 * tile.axes.len()
        && is_integer
}

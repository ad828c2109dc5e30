//! Bulk copies of rows of bytes to shared memory, without a tensor map (`cp.async.bulk`).
//!
//! A tile whose rows are contiguous in memory arrives as one copy per row, which covers the bytes of the row
//! that exist. The threads of the warp that issues the copies write the remaining bytes, so any padding is
//! possible.
//!
//! ```text
//!   init_mbarriers $b                      one mbarrier per stage; each phase has one arrival
//!   %n = bulk_copy $a by=$b … stage, tile   one warp: issues copies of rows, pads the rest
//!   arrive_expect_tx $b bytes=0 stage, %n   one thread arrives, and announces the number of bytes
//!   consumer_wait $b stage, parity          every thread, until the phase of that parity has completed
//! ```
//!
//! ```text
//!   a row of a stage   |== 16 == 16 == 16 ==|·e e e p|p p p p|      = copied, e loaded and stored, p padded
//!                      0                 copied   exists    end     copied: the multiple of 16 below exists
//! ```
//!
//! Unlike TMA loads, the copies precede the arrival, so that threads that wait for the phase see what the
//! warp wrote before it. The number of bytes is known only at run time. So the operation returns it, and the
//! arrival expects it in addition to the bytes of TMA loads into the stage.

use super::{
    Access, BARRIER_BYTES, BufferId, GlobalTile, Kernel, MAX_EXPECTED_BYTES, Op, Ty, ValueId,
};
use crate::layout::Runs;
use tile_core::Scalar;

/// Alignment of addresses and sizes (PTX ISA, `cp.async.bulk`).
pub const BULK_BYTES: u64 = 16;

/// Maximum number of copies for one tile, each of which is an instruction.
pub const MAX_RUNS: u64 = 32;

/// A bulk copy of a tile; see [`super::OpKind::BulkCopy`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BulkCopy {
    /// The tile, with any padding; unspecified padding becomes zero.
    pub tile: GlobalTile,
    /// The destination: a circular buffer with room for the tile in every stage.
    pub buffer: BufferId,
    /// The mbarriers that count the bytes: one per stage.
    pub barriers: BufferId,
    /// `true` if the copy is for a later iteration than the one that issues it.
    pub is_prefetch: bool,
}

impl BulkCopy {
    /// Returns the runs in which the tile arrives in its buffer; `None` if bulk copies cannot fill the
    /// buffer.
    pub fn runs(&self, kernel: &Kernel) -> Option<Runs> {
        let memory = kernel.layout(kernel.buffer(self.buffer).layout?);
        Runs::from_layout(memory, self.tile.contiguous?)
            .filter(|runs| self.tile.is_copyable_by_rows(runs))
    }

    /// Returns the maximum number of bytes that arrive.
    pub fn max_bytes(&self, kernel: &Kernel) -> u64 {
        let buffer = kernel.buffer(self.buffer);
        u64::from(buffer.bytes / buffer.stages)
    }
}

impl GlobalTile {
    /// Returns `true` if bulk copies can load these runs. The memory must not be written, each run must begin
    /// at a multiple of 16 bytes and have at least 16 bytes, and there must be at most `MAX_RUNS` runs. A run
    /// may end anywhere.
    pub(crate) fn is_copyable_by_rows(&self, runs: &Runs) -> bool {
        let bytes = self.element.bytes() as u64;
        self.access == Access::Read
            && self.element.bits() >= 8
            && self.vector_elements * bytes >= BULK_BYTES
            && runs.length * bytes >= BULK_BYTES
            && runs.count <= MAX_RUNS
    }
}

/// Returns the errors of a bulk copy.
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
        super::verify::is_mbarrier_buffer(kernel, copy.barriers)
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

/// Returns `true` if the operands are a condition, a stage, a base, and an index, an extent and a stride of
/// each axis.
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

//! Which tiles come as copies of rows of bytes, which need no map of the tensor.
//!
//! A tile can if its rows are neighbours in memory, and begin at multiples of 16 bytes there; and if its buffer has
//! them one behind the other, or may have since all that reads it can.

use super::candidates::{Candidate, Plan};
use super::tensors::can_read;
use crate::gpu::{AsyncCopy, BlockId, BufferId, BulkCopy, Copied, Kernel, OpKind};
use crate::layout::{Axis, Runs, row_major};
use crate::resources::Without;

/// A copy of rows in place of `copy`, and the bytes that it brings at most.
pub(super) fn rows(
    kernel: &mut Kernel,
    body: BlockId,
    (plan, candidate): (&Plan, &Candidate),
    copy: &AsyncCopy,
    barriers: BufferId,
) -> Option<(BulkCopy, u64)> {
    let Copied::Tile(tile) = &copy.from else {
        return None;
    };
    if kernel.without.contains(Without::BULK_COPIES) {
        return None;
    }
    // With its own padding.
    let OpKind::LoadGlobal(tile) = &kernel.op(candidate.load).kind else {
        unreachable!("{tile:?} is loaded by its position");
    };
    let tile = tile.clone();
    let contiguous = tile.contiguous?;
    let memory = kernel.layout(kernel.buffer(copy.buffer).layout?);
    let (layout, runs) = match Runs::of(memory, contiguous) {
        Some(runs) => (None, runs),
        // Products read what is permuted without conflicts.
        None if plan.has_product => return None,
        None => {
            let shape = memory.shape();
            let mut order = shape.row_major_order();
            order.retain(|axis: &mut Axis| *axis != contiguous);
            order.insert(0, contiguous);
            let plain = row_major(shape, &order);
            let runs = Runs::of(&plain, contiguous)?;
            if !can_read(kernel, body, candidate, copy.buffer, &plain) {
                return None;
            }
            (Some(plain), runs)
        }
    };
    if !tile.can_be_runs(&runs) || !is_worth_it(kernel, copy, &runs) {
        return None;
    }
    let layout = layout.map(|layout| kernel.add_layout(layout));
    let buffer = &mut kernel.buffers[copy.buffer.index()];
    buffer.layout = layout.or(buffer.layout);
    buffer.align_bytes = buffer.align_bytes.max(ALIGN_BYTES);
    let made = BulkCopy {
        tile,
        buffer: copy.buffer,
        barriers,
        is_ahead: false,
    };
    let bytes = made.most_bytes(kernel);
    Some((made, bytes))
}

/// What rows are aligned to in shared memory.
const ALIGN_BYTES: u32 = 16;

/// Vectors that each thread would copy instead, at least.
const FEWEST_VECTORS: usize = 4;

fn is_worth_it(kernel: &Kernel, copy: &AsyncCopy, runs: &Runs) -> bool {
    let vectors = copy.from.vectors(kernel.layout(copy.layout)).groups.len();
    vectors >= FEWEST_VECTORS && runs.count <= vectors as u64
}

//! Chooses the tiles that bulk copies load, row by row and without a tensor map.
//!
//! A tile qualifies if the elements of its rows are contiguous in memory, and rows begin at multiples of 16
//! bytes there. Its buffer must also hold the rows one after the other, or be given such a layout, which all
//! of its readers must accept.
//!
//! With copies by threads, the number of instructions grows with the vectors that each thread copies. A warp
//! that issues bulk copies needs one instruction per copy, plus a block barrier and a wait for bytes; threads
//! that read only what they copied themselves need neither. The table shows instructions and registers of an
//! iteration that copies a chunk of a row of bf16 with 128 threads on `sm_90a`:
//!
//! ```text
//!   vectors per thread    rows end between vectors   padding   by threads   by the first warp, the others
//!   4                     yes                        0         45, 40       65, 50, 28
//!   4                     no                         0         81, 40       65, 52, 32
//!   4                     yes                        -inf      94, 56       65, 50, 29
//!   4                     no                         -inf      130, 56      65, 52, 32
//!   8                     yes                        0         69, 56       73, 58, 44
//!   8                     no                         0         141, 56      73, 60, 45
//!   8                     yes                        -inf      165, 94      73, 58, 44
//!   8                     no                         -inf      234, 92      73, 60, 45
//! ```
//!
//! Where vectors are never cut and the padding is zero, copies by threads are cheap, so rows must be longer
//! for bulk copies to pay.

use super::candidates::{Candidate, Plan};
use super::tma::can_read;
use crate::gpu::{
    AsyncCopy, BULK_BYTES, BlockId, BufferId, BulkCopy, Copied, GlobalTile, Kernel, OpKind,
};
use crate::layout::{Axis, Runs, row_major};

/// Alignment of rows in shared memory.
const ALIGN_BYTES: u32 = 16;

/// Minimum number of vectors that each thread would otherwise copy.
const MIN_VECTORS: usize = 8;

/// The same minimum where vectors are cut or the padding is not zero.
const MIN_CUT_VECTORS: usize = 4;

/// Returns a bulk copy of the rows that replaces `copy`, and the maximum number of bytes that it copies.
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
    // The tile of the load is used because it has the padding, which a bulk copy writes itself.
    let OpKind::LoadGlobal(tile) = &kernel.op(candidate.load).kind else {
        unreachable!("{tile:?} is loaded by its position");
    };
    let tile = tile.clone();
    let contiguous = tile.contiguous?;
    let memory = kernel.layout(kernel.buffer(copy.buffer).layout?);
    let (layout, runs) = match Runs::from_layout(memory, contiguous) {
        Some(runs) => (None, runs),
        // `mma.sync` and `wgmma` read the permuted layout without bank conflicts.
        None if plan.has_mma => return None,
        None => {
            let shape = memory.shape();
            let mut order = shape.row_major_order();
            order.retain(|axis: &mut Axis| *axis != contiguous);
            order.insert(0, contiguous);
            let plain = row_major(shape, &order);
            let runs = Runs::from_layout(&plain, contiguous)?;
            if !can_read(kernel, body, candidate, copy.buffer, &plain) {
                return None;
            }
            (Some(plain), runs)
        }
    };
    if !tile.is_copyable_by_rows(&runs) || !is_profitable(kernel, &tile, copy, &runs) {
        return None;
    }
    let layout = layout.map(|layout| kernel.add_layout(layout));
    let buffer = &mut kernel.shared.buffers[copy.buffer.index()];
    buffer.layout = layout.or(buffer.layout);
    buffer.align_bytes = buffer.align_bytes.max(ALIGN_BYTES);
    let bulk_copy = BulkCopy {
        tile,
        buffer: copy.buffer,
        barriers,
        is_prefetch: false,
    };
    let bytes = bulk_copy.max_bytes(kernel);
    Some((bulk_copy, bytes))
}

/// Returns `true` if a bulk copy takes fewer instructions than copies by threads. Each row costs one
/// instruction of the first warp, each vector one instruction of every warp.
fn is_profitable(kernel: &Kernel, tile: &GlobalTile, copy: &AsyncCopy, runs: &Runs) -> bool {
    let vectors = copy.from.vectors(kernel.layout(copy.layout)).groups.len();
    let of_vector = BULK_BYTES / tile.element.bytes() as u64;
    let is_plain = tile.has_whole_vectors(of_vector) && tile.padding.unwrap_or(0) == 0;
    let fewest = if is_plain {
        MIN_VECTORS
    } else {
        MIN_CUT_VECTORS
    };
    vectors >= fewest && runs.count <= vectors as u64
}

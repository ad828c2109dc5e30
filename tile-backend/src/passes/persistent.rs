//! Makes kernels persistent: each block loops over work tiles, so that loads of the next work tile overlap
//! the store of the current one.
//!
//! Input: a kernel in which every block processes the work tile that the hardware assigns to it. Output: the
//! same in a loop over the work tiles of the block ([`crate::gpu::GRID_PARAMS`]). A `return` becomes a jump
//! to the next work tile. Waits for TMA stores at the end move to two places: before the next write to the
//! same buffer, in the next iteration, and after the loop. The buffer therefore shares its bytes with no
//! other buffer that the loop uses:
//!
//! ```text
//!   for n … {                             work tiles
//!     … matmul                            the producer is ahead, into the next work tile
//!     wait_tma_stores $a                  the store of the work tile before
//!     store_matrix $a; tma_store $a
//!   }
//!   wait_tma_stores $a
//! ```
//!
//! A kernel is left unchanged if it does more than load and store tiles of tensors: a block could then wait
//! for another one that would start only later. Persistence pays with warp specialization
//! ([`crate::schedule`] decides). Without a producer nothing overlaps the store of a tile, and a second
//! block per multiprocessor hides it better.

use crate::gpu::{
    BlockId, BufferId, Kernel, OpId, OpKind, TmaStoreWait, TmaStoreWaitKind, Trait, Ty, ValueId,
};
use crate::schedule::{Refusal, Schedule};
use rustc_hash::FxHashMap;
use tile_core::Scalar;

const NUMBER: Ty = Ty::Uniform(Scalar::I32);

/// Makes a kernel persistent; a kernel that does not allow it is left unchanged.
pub(crate) fn make_persistent(kernel: &mut Kernel, _: &Schedule) -> Result<(), Refusal> {
    let is_fit = !kernel.launch.is_persistent
        && kernel.arenas.is_empty()
        && kernel.launch.producer_warps == 0
        && has_no_waits_between_blocks(kernel, kernel.body(), Ends::WorkTile);
    if !is_fit {
        let reason = "other blocks may wait for an operation, or a loop ends the kernel";
        return Err(Refusal::Because(reason));
    }
    wrap(kernel);
    kernel.launch.is_persistent = true;
    Ok(())
}

/// The meaning of a `return` at a point of the kernel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ends {
    /// A jump to the next work tile.
    WorkTile,
    /// A jump out of an inner loop, which is not possible.
    Loop,
}

/// Returns `true` if other blocks can neither wait for nor observe an operation of this block, and every
/// `return` can become a jump to the next work tile.
fn has_no_waits_between_blocks(kernel: &Kernel, block: BlockId, ends: Ends) -> bool {
    kernel.block(block).ops.iter().all(|&id| {
        let op = kernel.op(id);
        let inside = match op.kind {
            OpKind::WorkTileRange | OpKind::WorkTileCoordinates | OpKind::WarpSpecialize => {
                return false;
            }
            ref kind if kind.has(Trait::Observable) => return false,
            OpKind::Return if ends == Ends::Loop => return false,
            OpKind::For { .. } | OpKind::Loop => Ends::Loop,
            _ => ends,
        };
        let mut blocks = op.blocks.iter();
        blocks.all(|&block| has_no_waits_between_blocks(kernel, block, inside))
    })
}

fn wrap(kernel: &mut Kernel) {
    let (body, loc) = (kernel.body(), kernel.loc);
    let inner = kernel.add_block();
    let number = kernel.add_block_arg(inner, NUMBER, loc);
    let ops = std::mem::take(&mut kernel.block_mut(body).ops);
    let work_tile = kernel.push(
        inner,
        OpKind::WorkTileCoordinates,
        &[number],
        &[NUMBER; 3],
        &[],
        loc,
    );
    kernel.block_mut(inner).ops.extend(ops);
    let place: Vec<ValueId> = kernel.op(work_tile).results.to_vec();
    let mut renamed = FxHashMap::default();
    go_on(kernel, inner, &place, &mut renamed);
    rename(kernel, inner, &renamed);
    let last = kernel.block(inner).ops.last();
    if !last.is_some_and(|&last| matches!(kernel.op(last).kind, OpKind::Continue)) {
        kernel.push(inner, OpKind::Continue, &[], &[], &[], loc);
    }
    let waits = carried_waits(kernel, inner);

    let work_tile_range = kernel.push(body, OpKind::WorkTileRange, &[], &[NUMBER; 3], &[], loc);
    let bounds: Vec<ValueId> = kernel.op(work_tile_range).results.to_vec();
    let through = OpKind::For { unsigned: true };
    kernel.push(body, through, &bounds, &[], &[inner], loc);
    for buffer in waits {
        kernel.push(body, wait_for(buffer), &[], &[], &[], loc);
    }
    kernel.push(body, OpKind::Return, &[], &[], &[], loc);
}

/// Turns every `return` into a jump to the next work tile, and replaces block indices by the coordinates of
/// the work tile.
fn go_on(
    kernel: &mut Kernel,
    block: BlockId,
    place: &[ValueId],
    renamed: &mut FxHashMap<ValueId, ValueId>,
) {
    for id in kernel.block(block).ops.clone() {
        match kernel.op(id).kind {
            OpKind::Return => kernel.op_mut(id).kind = OpKind::Continue,
            OpKind::BlockId(axis) => {
                renamed.insert(kernel.op(id).results[0], place[usize::from(axis)]);
                kernel.block_mut(block).ops.retain(|&other| other != id);
            }
            _ => {}
        }
        for inner in kernel.op(id).blocks.clone() {
            go_on(kernel, inner, place, renamed);
        }
    }
}

fn rename(kernel: &mut Kernel, block: BlockId, renamed: &FxHashMap<ValueId, ValueId>) {
    for id in kernel.block(block).ops.clone() {
        for arg in &mut kernel.op_mut(id).args {
            *arg = renamed.get(arg).copied().unwrap_or(*arg);
        }
        for inner in kernel.op(id).blocks.clone() {
            rename(kernel, inner, renamed);
        }
    }
}

/// Moves the waits at the end of a work tile before the writes of the next one. Returns their buffers.
fn carried_waits(kernel: &mut Kernel, block: BlockId) -> Vec<BufferId> {
    let mut ops = kernel.block(block).ops.clone();
    let jump = ops.pop().expect("it ends with a jump");
    let mut buffers = Vec::new();
    while let Some(&last) = ops.last()
        && let OpKind::WaitTmaStores(wait) = kernel.op(last).kind
        && wait.end == TmaStoreWaitKind::Read
    {
        let buffer = wait.buffer;
        buffers.extend((!buffers.contains(&buffer)).then_some(buffer));
        ops.pop();
    }
    for &buffer in &buffers {
        let first = ops.iter().position(|&op| writes(kernel, op, buffer));
        let index = first.expect("what is stored is written before");
        let loc = kernel.op(ops[index]).loc;
        ops.insert(index, kernel.add_op(wait_for(buffer), &[], &[], &[], loc));
    }
    ops.push(jump);
    kernel.block_mut(block).ops = ops;
    buffers
}

fn wait_for(buffer: BufferId) -> OpKind {
    OpKind::WaitTmaStores(TmaStoreWait {
        buffer,
        end: TmaStoreWaitKind::Read,
        left: 0,
    })
}

/// Returns `true` if an operation, or an operation nested in it, writes to a buffer.
fn writes(kernel: &Kernel, id: OpId, buffer: BufferId) -> bool {
    let op = kernel.op(id);
    let mut inside = op.blocks.iter().flat_map(|&block| &kernel.block(block).ops);
    op.kind.writes(buffer) || inside.any(|&op| writes(kernel, op, buffer))
}

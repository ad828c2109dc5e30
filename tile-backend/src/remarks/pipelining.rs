//! Remarks on loads in loops that are not software-pipelined: every iteration waits for such loads.
//!
//! In: a kernel after the pass `software-pipelining`. A load that is still in the body of a loop was
//! not pipelined.

use super::{Kind, Remark, Remarks};
use crate::gpu::{Access, BlockId, Kernel, MemoryKind, Op, OpId, OpKind, ValueId};
use tile_core::Loc;

/// Adds remarks on all loads in loops.
pub(super) fn loads(kernel: &Kernel, remarks: &mut Remarks) {
    if remarks.is_wanted() {
        block(kernel, kernel.body(), None, remarks);
    }
}

fn block(kernel: &Kernel, body: BlockId, around: Option<OpId>, remarks: &mut Remarks) {
    for &id in &kernel.block(body).ops {
        let op = kernel.op(id);
        let is_load = matches!(
            op.kind,
            OpKind::LoadGlobal(_) | OpKind::Memory(MemoryKind::Load(_))
        );
        let is_tile = op
            .results
            .iter()
            .any(|&result| kernel.ty(result).layout().is_some());
        if let Some(around) = around
            && is_load
            && is_tile
        {
            let why = why(kernel, around, body, op);
            add(op.loc, why, remarks);
        }
        let inner = match op.kind {
            OpKind::For { .. } | OpKind::Loop => Some(id),
            _ => around,
        };
        for &nested in &op.blocks {
            block(kernel, nested, inner, remarks);
        }
    }
}

fn add(loc: Loc, why: &str, remarks: &mut Remarks) {
    remarks.add(|| {
        let message = "every iteration waits for this load";
        Remark::new(Kind::NotPipelined, loc, message).note(why)
    });
}

/// Returns the reason why a load in `body`, within the loop `around`, is not pipelined.
fn why(kernel: &Kernel, around: OpId, body: BlockId, load: &Op) -> &'static str {
    let looped = kernel.op(around);
    if !matches!(looped.kind, OpKind::For { .. }) {
        return "the loop has no counter: use `for` over a range";
    }
    if !is_constant(kernel, looped.args[2]) {
        return "the loop does not step by a constant";
    }
    if body != looped.blocks[0] {
        return "it is in a branch";
    }
    let (is_constant, padding) = match &load.kind {
        OpKind::LoadGlobal(tile) => (tile.access == Access::Read, tile.padding.unwrap_or(0)),
        OpKind::Memory(MemoryKind::Load(tile)) => (tile.is_constant, 0),
        _ => (false, 0),
    };
    if !is_constant {
        return "the kernel may store to the memory that is loaded";
    }
    if kernel.requests.options.stages == Some(1) {
        return "one stage was requested";
    }
    if jumps_out(kernel, body) {
        return "an iteration may end before the end of the body";
    }
    let goes_to_memory = kernel.op_ids().any(|id| {
        let op = kernel.op(id);
        let uses = op.args.iter().any(|arg| load.results.contains(arg));
        uses && matches!(op.kind, OpKind::StoreShared(_))
    });
    if goes_to_memory && padding != 0 {
        return "the padding is neither zero nor unspecified, and the tile goes to shared memory";
    }
    if !goes_to_memory && !has_mma(kernel, body) {
        return "the loop has no matmul, and its loads have enough bytes in flight, are of fewer than 8 bytes, or run once";
    }
    let mut worklist = load.args.to_vec();
    if from_memory(kernel, body, &mut worklist) {
        return "the address of the tile depends on data that the loop loads";
    }
    "a circular buffer for it needs more shared memory, more iterations, or 4 bytes that are contiguous in both memories"
}

fn is_constant(kernel: &Kernel, value: ValueId) -> bool {
    let op = kernel.defining(value).map(|id| kernel.op(id));
    op.is_some_and(|op| matches!(op.kind, OpKind::Constant(_)))
}

/// Returns `true` if an iteration may end within a branch.
fn jumps_out(kernel: &Kernel, body: BlockId) -> bool {
    kernel.block(body).ops.iter().any(|&id| {
        let op = kernel.op(id);
        matches!(op.kind, OpKind::If)
            && op.blocks.iter().any(|&arm| {
                let last = kernel
                    .block(arm)
                    .ops
                    .last()
                    .map(|&last| &kernel.op(last).kind);
                matches!(last, Some(OpKind::Continue)) || jumps_out(kernel, arm)
            })
    })
}

/// Returns `true` if a block contains an MMA.
fn has_mma(kernel: &Kernel, block: BlockId) -> bool {
    kernel.block(block).ops.iter().any(|&id| {
        let op = kernel.op(id);
        matches!(
            op.kind,
            OpKind::Mma(_) | OpKind::MmaLoop(_) | OpKind::Wgmma(_)
        ) || op.blocks.iter().any(|&inner| has_mma(kernel, inner))
    })
}

/// Returns `true` if a value of `worklist` is computed from memory in this body.
fn from_memory(kernel: &Kernel, body: BlockId, worklist: &mut Vec<ValueId>) -> bool {
    let mut seen: Vec<ValueId> = Vec::new();
    while let Some(value) = worklist.pop() {
        if seen.contains(&value) {
            continue;
        }
        seen.push(value);
        let Some(id) = kernel.defining(value) else {
            continue;
        };
        if !kernel.block(body).ops.contains(&id) {
            continue;
        }
        let op = kernel.op(id);
        if matches!(
            op.kind,
            OpKind::Memory(MemoryKind::Load(_)) | OpKind::LoadGlobal(_) | OpKind::ToUniform
        ) {
            return true;
        }
        worklist.extend(&op.args);
    }
    false
}

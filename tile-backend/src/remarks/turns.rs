//! Blocks that take one position of the grid after the other, and what keeps others from it.
//!
//! In: a finished kernel, and which blocks a launch starts. Where it would pay ([`crate::passes::pipeline`]) and is not done, one
//! of two reasons is said: an operation that others may wait for, or loops of different lengths. For
//! want of room, or with several products in a loop, nothing is said.

use super::{Kind, Remark, Remarks};
use crate::gpu::{BlockId, Kernel, MemoryKind, OpId, OpKind, each};
use crate::passes::{is_waited_for, uneven};
use crate::resources::HostBlocks;

/// Warps of a warpgroup. Beside one of them a second block fits a multiprocessor, which pays more.
const WARPGROUP: u32 = 4;

pub(super) fn turns(kernel: &Kernel, blocks: HostBlocks, remarks: &mut Remarks) {
    if !remarks.is_wanted() {
        return;
    }
    if kernel.is_persistent {
        remarks.add(|| {
            let message = "blocks take one position of the grid after the other";
            Remark::new(Kind::Chosen, kernel.loc, message)
                .note("while a tile is stored, those of the next position are on their way")
                .note("a launch starts as many blocks as run at once")
        });
        return;
    }
    let is_worth_it = blocks == HostBlocks::AtOnce
        && kernel.producer_warps > 0
        && kernel.num_warps > WARPGROUP
        && has_one_product_each(kernel, kernel.body());
    if !is_worth_it {
        return;
    }
    if let Some(id) = waited_for(kernel) {
        add(
            kernel,
            id,
            "blocks that wait for each other might not run at the same time then",
            remarks,
        );
    } else if let Some(id) = uneven(kernel) {
        add(
            kernel,
            id,
            "some positions take longer: the hardware gives the next one to whichever block is done",
            remarks,
        );
    }
}

fn add(kernel: &Kernel, id: OpId, why: &str, remarks: &mut Remarks) {
    remarks.add(|| {
        let message = "blocks would take one position after the other, but for this operation";
        Remark::new(Kind::NotInTurns, kernel.op(id).loc, message).note(why)
    });
}

/// The first access that others may wait for; else whatever has to do with it.
fn waited_for(kernel: &Kernel) -> Option<OpId> {
    let (mut found, mut access) = (None, None);
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        let kind = &kernel.op(id).kind;
        if is_waited_for(kind) {
            found = found.or(Some(id));
            access = access.or(is_access(kind).then_some(id));
        }
    });
    access.or(found)
}

fn is_access(kind: &OpKind) -> bool {
    let OpKind::Memory(kind) = kind else {
        return true;
    };
    match kind {
        MemoryKind::Load(_) | MemoryKind::Store(_) | MemoryKind::Atomic(..) => true,
        MemoryKind::AddressOf
        | MemoryKind::PointerAt
        | MemoryKind::Offset { .. }
        | MemoryKind::VariableAddress(_)
        | MemoryKind::LocalAddress(_)
        | MemoryKind::ArenaAddress(_) => false,
    }
}

/// Whether no loop has several products.
fn has_one_product_each(kernel: &Kernel, block: BlockId) -> bool {
    let ops = || kernel.block(block).ops.iter().map(|&id| kernel.op(id));
    let products = ops().filter(|op| matches!(op.kind, OpKind::Wgmma(_)));
    products.count() <= 1
        && ops()
            .flat_map(|op| &op.blocks)
            .all(|&inner| has_one_product_each(kernel, inner))
}

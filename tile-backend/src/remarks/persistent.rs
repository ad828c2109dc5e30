//! Remarks on persistent kernels, and on kernels that could be persistent but are not.
//!
//! In: a finished kernel, and the blocks that a launch starts. Where persistence would pay
//! ([`crate::schedule`]) and is not applied, one of two reasons is given: an operation that other
//! blocks may wait for, or loops of different lengths. No remark is added if shared memory does not suffice,
//! or if a loop has several MMAs.

use super::{Kind, Remark, Remarks};
use crate::gpu::{BlockId, Kernel, MemoryKind, OpId, OpKind, Trait, each};
use crate::options::Persistence;
use crate::schedule::Target;
use crate::schedule::uneven_work::first_uneven_loop;

/// Warps of a warpgroup. With a single consumer warpgroup, a second block fits a multiprocessor, which pays
/// more than persistence.
const WARPS_PER_WARPGROUP: u32 = 4;

pub(crate) fn remark_on_persistence(kernel: &Kernel, target: Target, remarks: &mut Remarks) {
    if !remarks.is_wanted() {
        return;
    }
    if kernel.launch.is_persistent {
        remarks.add(|| {
            let message = "the kernel is persistent";
            Remark::new(Kind::Chosen, kernel.loc, message)
                .note("the loads of the next work tile overlap the epilogue of this one")
                .note("a launch starts one wave of blocks")
        });
        return;
    }
    let is_profitable = target.persistence == Persistence::Auto
        && kernel.launch.producer_warps > 0
        && kernel.launch.num_warps > WARPS_PER_WARPGROUP
        && has_one_mma_each(kernel, kernel.body());
    if !is_profitable {
        return;
    }
    if let Some(id) = waited_for(kernel) {
        add(
            kernel,
            id,
            "blocks that wait for each other might then not be resident at the same time",
            remarks,
        );
    } else if let Some(id) = first_uneven_loop(kernel) {
        add(
            kernel,
            id,
            "some work tiles take longer: the hardware scheduler balances them better",
            remarks,
        );
    }
}

fn add(kernel: &Kernel, id: OpId, why: &str, remarks: &mut Remarks) {
    remarks.add(|| {
        let message = "the kernel would be persistent, but for this operation";
        Remark::new(Kind::NotPersistent, kernel.op(id).loc, message).note(why)
    });
}

/// Returns the first access that other blocks may wait for. If there is none, returns the first other
/// operation that prevents persistence.
fn waited_for(kernel: &Kernel) -> Option<OpId> {
    let (mut first_op, mut access) = (None, None);
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, _| {
        let kind = &kernel.op(id).kind;
        if kind.has(Trait::Observable) {
            first_op = first_op.or(Some(id));
            access = access.or(is_access(kind).then_some(id));
        }
    });
    access.or(first_op)
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

/// Returns `true` if no loop has several MMAs.
fn has_one_mma_each(kernel: &Kernel, block: BlockId) -> bool {
    let ops = || kernel.block(block).ops.iter().map(|&id| kernel.op(id));
    let mmas = ops().filter(|op| matches!(op.kind, OpKind::Wgmma(_)));
    mmas.count() <= 1
        && ops()
            .flat_map(|op| &op.blocks)
            .all(|&inner| has_one_mma_each(kernel, inner))
}

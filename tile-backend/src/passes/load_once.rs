//! Marks loads of tiles that several warps hold, so that one warp loads each element.
//!
//! Input: a kernel in which every thread loads what it holds. Output: [`GlobalTile::by_owners`] is set where
//! only the owners' copies are used. There, the tile is only used by elementwise computations whose results
//! are stored to shared or global memory, and one thread stores each element. For example, two warps of four
//! load a tile of 64 elements that goes through shared memory.

use crate::gpu::{GlobalTile, Kernel, OpKind, ValueId};
use crate::layout::InDim;

/// Marks the loads.
pub(super) fn load_once(kernel: &mut Kernel) {
    let needed = needed_copies(kernel);
    for id in kernel.op_ids() {
        let op = kernel.op(id);
        let OpKind::LoadGlobal(_) = op.kind else {
            continue;
        };
        let result = op.results[0];
        let is_once = !needed[result.index()] && warps_with_copies(kernel, result) != 0;
        if let OpKind::LoadGlobal(GlobalTile { by_owners, .. }) = &mut kernel.op_mut(id).kind {
            *by_owners = is_once;
        }
    }
}

/// Returns for each value whether threads use copies of elements that they do not own.
fn needed_copies(kernel: &Kernel) -> Vec<bool> {
    let mut needed = vec![false; kernel.num_values()];
    loop {
        let mut changed = false;
        for id in kernel.op_ids() {
            let op = kernel.op(id);
            let is_needed = |arg: ValueId| match &op.kind {
                OpKind::StoreShared(_) | OpKind::StoreMatrix(_) => false,
                OpKind::StoreGlobal(_) => arg != op.args[0],
                // The operand and the result must have the same owners, so that an owner computes from its
                // own elements.
                OpKind::Compute(_) | OpKind::PermuteRegisters(_) => {
                    op.results.iter().any(|&result| {
                        needed[result.index()]
                            || warps_with_copies(kernel, result) != warps_with_copies(kernel, arg)
                    })
                }
                _ => true,
            };
            let used: Vec<ValueId> = op
                .args
                .iter()
                .copied()
                .filter(|&arg| is_needed(arg))
                .collect();
            for arg in used {
                changed |= !std::mem::replace(&mut needed[arg.index()], true);
            }
        }
        if !changed {
            return needed;
        }
    }
}

/// Returns the bits of the warp number on which the elements do not depend. A warp with any of these bits set
/// holds copies.
fn warps_with_copies(kernel: &Kernel, value: ValueId) -> u32 {
    kernel
        .ty(value)
        .layout()
        .map_or(0, |layout| kernel.layout(layout).free_mask(InDim::Warp))
}

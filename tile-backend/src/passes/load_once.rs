//! Tiles that several warps hold, loaded by one of them.
//!
//! In: a kernel in which every thread loads what it holds. Out: [`GlobalTile::by_owners`] where all
//! uses are of the owners' copies alone: what is computed from a tile, element by element, ends in
//! shared or global memory, where one thread writes each element. A tile of 64 on its way through
//! shared memory is read by two warps of four.

use crate::gpu::{GlobalTile, Kernel, OpKind, ValueId};
use crate::layout::InDim;

/// Marks the loads.
pub fn load_once(kernel: &mut Kernel) {
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

/// Per value, whether threads use it that do not own what they hold of it.
fn needed_copies(kernel: &Kernel) -> Vec<bool> {
    let mut needed = vec![false; kernel.num_values()];
    loop {
        let mut changed = false;
        for id in kernel.op_ids() {
            let op = kernel.op(id);
            let is_needed = |arg: ValueId| match &op.kind {
                OpKind::StoreShared(_) | OpKind::StoreMatrix(_) => false,
                OpKind::StoreGlobal(_) => arg != op.args[0],
                // The same thread has both: it is to own both or none.
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

/// The bits of a warp's number that the elements which it holds do not depend on; a warp that has
/// one of them holds copies.
fn warps_with_copies(kernel: &Kernel, value: ValueId) -> u32 {
    kernel
        .ty(value)
        .layout()
        .map_or(0, |layout| kernel.layout(layout).free_mask(InDim::Warp))
}

//! Finds work tiles of different length.

use crate::gpu::{Divergence, Kernel, OpId, OpKind, each};

/// Returns the first loop or branch around an MMA that some blocks may execute more often than others. Where
/// there is one, the hardware scheduler balances work tiles better than a persistent kernel, since it starts
/// the next work tile as soon as any block ends. Blocks differ in causal attention, where the first rows have
/// the fewest keys.
pub(crate) fn first_uneven_loop(kernel: &Kernel) -> Option<OpId> {
    let differing = Divergence::analyze_any(kernel);
    let mut first_uneven = None;
    each(kernel, kernel.body(), &mut Vec::new(), &mut |id, around| {
        if first_uneven.is_none() && matches!(kernel.op(id).kind, OpKind::Wgmma(_)) {
            let mut around = around.iter().copied();
            first_uneven = around.find(|&id| !differing.is_decided_alike(&[id]));
        }
    });
    first_uneven
}

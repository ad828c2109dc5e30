//! Dead code elimination.
//!
//! Input: a kernel as it was lowered. Lowering may have bypassed an operation, such as the transpose of an
//! operand that tensor cores can read transposed. Output: the same without operations whose results are
//! unused. Later passes would count them as uses of a loaded tile.

use crate::gpu::{BlockId, Kernel, Trait};

/// Removes operations whose results are unused.
pub(super) fn eliminate_dead_code(kernel: &mut Kernel) {
    let mut uses = vec![0_u32; kernel.num_values()];
    count(kernel, kernel.body(), &mut uses);
    // Definitions precede uses, so one pass from the end suffices.
    sweep(kernel, kernel.body(), &mut uses);
}

fn count(kernel: &Kernel, block: BlockId, uses: &mut [u32]) {
    for &id in &kernel.block(block).ops {
        let op = kernel.op(id);
        for arg in &op.args {
            uses[arg.index()] += 1;
        }
        for &inner in &op.blocks {
            count(kernel, inner, uses);
        }
    }
}

fn sweep(kernel: &mut Kernel, block: BlockId, uses: &mut [u32]) {
    let mut kept = Vec::new();
    for id in kernel.block(block).ops.clone().into_iter().rev() {
        let op = kernel.op(id);
        let is_used = op.results.iter().any(|value| uses[value.index()] > 0);
        if op.kind.has(Trait::Pure) && !is_used {
            for arg in &op.args {
                uses[arg.index()] -= 1;
            }
            continue;
        }
        for inner in op.blocks.clone() {
            sweep(kernel, inner, uses);
        }
        kept.push(id);
    }
    kept.reverse();
    kernel.block_mut(block).ops = kept;
}

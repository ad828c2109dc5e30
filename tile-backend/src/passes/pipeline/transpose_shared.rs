//! Multi-buffers the transposes of a loop, so that an iteration writes one buffer while another is read.
//!
//! Input: a loop that transposes operands of its warpgroup MMAs. Output: the transposes write circular
//! buffers, whose stage the loop carries, and a barrier separates transpose and MMA:
//!
//! ```text
//!   for i {
//!     transpose to stage i % C
//!     barrier                     all threads have written it, and are done with the MMA before
//!     … MMAs read stage i % C
//!   }
//! ```
//!
//! When a warpgroup reaches the barrier of iteration i, all of its MMAs are complete, except that the MMA of
//! iteration i - 1 may be in flight. The stage that it writes after the barrier, for iteration i + 1,
//! therefore differs from the stages being read if C is 2, or 3 with an MMA in flight. One stage less
//! suffices where each iteration starts with another barrier.

use super::apply::Cursor;
use crate::gpu::{BlockId, Kernel, OpId, OpKind, TransposeShared, ValueId};
use tile_core::{Loc, Scalar};

/// Turns the buffers that the transposes of the loop `id` write into circular buffers of `copies` stages, if
/// only MMAs of the loop read them.
pub(super) fn multibuffer_transposes(kernel: &mut Kernel, block: BlockId, id: OpId, copies: u32) {
    let body = kernel.op(id).blocks[0];
    let transposes = transposed(kernel, id);
    if transposes.is_empty() || copies < 2 {
        return;
    }
    let loc = kernel.op(id).loc;
    let ops = &kernel.block(block).ops;
    let index = ops.iter().position(|&op| op == id);
    let mut before = Cursor {
        kernel,
        block,
        index: index.expect("the loop is in its block"),
        loc,
    };
    let zero = before.constant(Scalar::I32, 0);
    let stage = kernel.carry(id, zero);
    let mut head = Cursor {
        kernel,
        block: body,
        index: 0,
        loc,
    };
    let (_, following) = head.following(stage, copies);
    for &(_, TransposeShared { to, .. }) in &transposes {
        let buffer = &mut kernel.shared.buffers[to.index()];
        buffer.bytes *= copies;
        buffer.stages = copies;
    }
    name_stages(kernel, &transposes, stage);
    add_barriers(kernel, body, &transposes, loc);
    let jump = *kernel
        .block(body)
        .ops
        .last()
        .expect("a body ends with a jump");
    kernel.op_mut(jump).args.push(following);
}

/// Adds `stage` to the operands of the transposes and of the MMAs that read their results.
fn name_stages(kernel: &mut Kernel, transposes: &[(OpId, TransposeShared)], stage: ValueId) {
    for user in kernel.op_ids().collect::<Vec<_>>() {
        let op = kernel.op(user);
        let mut args = op.args.clone();
        match &op.kind {
            OpKind::TransposeShared(matrix)
                if transposes
                    .iter()
                    .any(|(_, transposes)| transposes == matrix) =>
            {
                args.push(stage);
            }
            OpKind::Wgmma(mma) => {
                // Keep the stages of the other circular buffers, in the order of the operands.
                let mut old = op.args[mma.values()..].iter().copied();
                args.truncate(mma.values());
                for buffer in mma.buffers() {
                    let is_made = transposes
                        .iter()
                        .any(|(_, transposes)| transposes.to == buffer);
                    let is_multistage = kernel.buffer(buffer).stages > 1;
                    let slot_of_buffer = if is_made {
                        Some(stage)
                    } else if is_multistage {
                        old.next()
                    } else {
                        None
                    };
                    args.extend(slot_of_buffer);
                }
            }
            _ => {}
        }
        kernel.op_mut(user).args = args;
    }
}

/// Adds a barrier after the transposes of a body. Consecutive transposes share one, after the last of them.
fn add_barriers(
    kernel: &mut Kernel,
    body: BlockId,
    transposes: &[(OpId, TransposeShared)],
    loc: Loc,
) {
    let is_made = |id: &OpId| transposes.iter().any(|(transposes, _)| transposes == id);
    let ops = kernel.block(body).ops.clone();
    for (position, id) in ops.iter().enumerate().rev() {
        if is_made(id) && !ops.get(position + 1).is_some_and(is_made) {
            let mut behind = Cursor {
                kernel,
                block: body,
                index: position + 1,
                loc,
            };
            behind.push(OpKind::Barrier, &[], &[]);
        }
    }
}

/// Returns the transposes of a loop whose results only its own MMAs read.
fn transposed(kernel: &Kernel, id: OpId) -> Vec<(OpId, TransposeShared)> {
    let body = kernel.op(id).blocks[0];
    let ops = &kernel.block(body).ops;
    let transposes = ops.iter().filter_map(|&id| match kernel.op(id).kind {
        OpKind::TransposeShared(matrix) => Some((id, matrix)),
        _ => None,
    });
    transposes
        .filter(|&(transpose_id, matrix)| {
            let mut users = kernel
                .op_ids()
                .filter(|&user| user != transpose_id && kernel.op(user).kind.accesses(matrix.to));
            users
                .all(|user| matches!(kernel.op(user).kind, OpKind::Wgmma(_)) && ops.contains(&user))
        })
        .collect()
}

//! Several copies of what a loop transposes, so that an iteration writes one while another is read.
//!
//! In: a loop that transposes tiles for its products of warpgroups. Out: the buffers that are written are
//! rings, with a slot that the loop carries, and a barrier stands between writing and multiplying:
//!
//! ```text
//!   for i {
//!     transpose to slot i % C
//!     barrier                     everybody has written it, and is done with the product before
//!     … products read slot i % C
//!   }
//! ```
//!
//! A warpgroup comes to that barrier of iteration i with all products ended but those that may be open, the one of
//! iteration i - 1 if any. So what it writes behind that, for iteration i + 1, is apart from what is read if C
//! is 2, and 3 with an open product. Where another barrier stands at the head of each iteration, one less will do.

use super::apply::At;
use crate::gpu::{BlockId, Kernel, OpId, OpKind, Transposed};
use crate::passes::touched;
use tile_core::Scalar;

/// Makes `copies` of what the loop `id` transposes, where nothing but products of the loop reads it.
pub(super) fn keep_apart(kernel: &mut Kernel, block: BlockId, id: OpId, copies: u32) {
    let body = kernel.op(id).blocks[0];
    let made = transposed(kernel, id);
    if made.is_empty() || copies < 2 {
        return;
    }
    let loc = kernel.op(id).loc;
    let ops = &kernel.block(block).ops;
    let index = ops.iter().position(|&op| op == id);
    let mut before = At {
        kernel,
        block,
        index: index.expect("the loop stands in its block"),
        loc,
    };
    let zero = before.constant(Scalar::I32, 0);
    let slot = kernel.carry(id, zero);
    let mut head = At {
        kernel,
        block: body,
        index: 0,
        loc,
    };
    let (_, following) = head.following(slot, copies);
    for &(_, Transposed { to, .. }) in &made {
        let buffer = &mut kernel.buffers[to.index()];
        buffer.bytes *= copies;
        buffer.slots = copies;
    }
    for user in kernel.op_ids().collect::<Vec<_>>() {
        let op = kernel.op(user);
        let mut args = op.args.clone();
        match &op.kind {
            OpKind::Transpose(matrix) if made.iter().any(|(_, made)| made == matrix) => {
                args.push(slot);
            }
            OpKind::Wgmma(product) => {
                // The slots that there are, each at its place among those of all rings.
                let mut old = op.args[product.values()..].iter().copied();
                args.truncate(product.values());
                for buffer in product.buffers() {
                    let is_made = made.iter().any(|(_, made)| made.to == buffer);
                    let is_ring = kernel.buffer(buffer).slots > 1;
                    let own = if is_made {
                        Some(slot)
                    } else if is_ring {
                        old.next()
                    } else {
                        None
                    };
                    args.extend(own);
                }
            }
            _ => {}
        }
        kernel.op_mut(user).args = args;
    }
    // Behind the last of several in a row.
    let is_made = |id: &OpId| made.iter().any(|(made, _)| made == id);
    let ops = kernel.block(body).ops.clone();
    for (at, id) in ops.iter().enumerate().rev() {
        if is_made(id) && !ops.get(at + 1).is_some_and(is_made) {
            let mut behind = At {
                kernel,
                block: body,
                index: at + 1,
                loc,
            };
            behind.push(OpKind::Barrier, &[], &[]);
        }
    }
    let jump = *kernel
        .block(body)
        .ops
        .last()
        .expect("a body ends with a jump");
    kernel.op_mut(jump).args.push(following);
}

/// The transpositions of a loop whose results only its own products read.
fn transposed(kernel: &Kernel, id: OpId) -> Vec<(OpId, Transposed)> {
    let body = kernel.op(id).blocks[0];
    let ops = &kernel.block(body).ops;
    let all = ops.iter().filter_map(|&id| match kernel.op(id).kind {
        OpKind::Transpose(matrix) => Some((id, matrix)),
        _ => None,
    });
    all.filter(|&(made, matrix)| {
        let mut users = kernel.op_ids().filter(|&user| {
            let touched = touched(&kernel.op(user).kind);
            user != made && touched.iter().any(|(buffer, _)| *buffer == matrix.to)
        });
        users.all(|user| matches!(kernel.op(user).kind, OpKind::Wgmma(_)) && ops.contains(&user))
    })
    .collect()
}

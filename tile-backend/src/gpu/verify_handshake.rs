//! Warps that fill rings for others: what they may do, and who hands which slots over. When each may
//! happen is for [`super::verify`]'s flow.

use super::{
    Arrivals, BARRIER_BYTES, BlockId, BufferId, Dependents, Handshake, Kernel, Op, OpId, OpKind,
    Ty, ValueId,
};
use tile_core::Scalar;

/// The faults of all of a kernel.
pub(super) fn faults(kernel: &Kernel) -> Vec<String> {
    let mut found = Found::default();
    found.block(kernel, kernel.body(), Side::All);
    let Found { mut faults, count } = found;
    if count != usize::from(kernel.producer_warps > 0) {
        faults.push("producers have one program".to_owned());
    }
    if count > 0 && !kernel.arenas.is_empty() {
        faults.push("producers do not give back parts of arenas".to_owned());
    }
    faults
}

/// Whose operation it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Of the threads that tiles are spread over; directly in the body of the kernel.
    All,
    /// The same, in a loop or branch.
    Nested,
    /// Of producers.
    Producer,
}

#[derive(Default)]
struct Found {
    faults: Vec<String>,
    /// Programs of producers.
    count: usize,
}

impl Found {
    fn block(&mut self, kernel: &Kernel, block: BlockId, side: Side) {
        for &id in &kernel.block(block).ops {
            self.op(kernel, id, side);
            let op = kernel.op(id);
            let side = match (&op.kind, side) {
                (_, Side::Producer) | (OpKind::Produce, _) => Side::Producer,
                _ => Side::Nested,
            };
            for &inner in &op.blocks {
                self.block(kernel, inner, side);
            }
        }
    }

    fn op(&mut self, kernel: &Kernel, id: OpId, side: Side) {
        let op = kernel.op(id);
        let mut demand = |holds: bool, text: &str| {
            if !holds {
                self.faults.push(text.to_owned());
            }
        };
        let is_producer = side == Side::Producer;
        if is_producer {
            demand(
                is_of_producer(kernel, op),
                "what producers do needs the threads of others",
            );
        }
        match &op.kind {
            OpKind::Produce => {
                self.count += 1;
                demand(
                    side == Side::All && op.blocks.len() == 1,
                    "producers begin at the top of a kernel",
                );
            }
            OpKind::InitBarriers(barriers, arrivals) => {
                let mut all = handshakes(kernel).into_iter();
                let is_free = all.any(|handshake| handshake.free == *barriers);
                demand(
                    is_free != (*arrivals == Arrivals::One),
                    "others arrive at barriers than these are initialized for",
                );
            }
            OpKind::WaitFree(handshake) | OpKind::EndRing(handshake) => {
                demand(is_producer, "who reads a slot does not wait for itself");
                demand(
                    is_sound(kernel, *handshake) && are(kernel, &op.args, &[Scalar::I32; 2]),
                    "`wait_free` and `end_ring` take a slot and a parity of barriers",
                );
            }
            OpKind::Free(handshake) => {
                demand(!is_producer, "who fills a slot does not free it");
                demand(
                    is_sound(kernel, *handshake) && are(kernel, &op.args, &[Scalar::I32]),
                    "`free` takes a slot of barriers",
                );
            }
            OpKind::ExpectTensors(expected) => demand(
                is_producer == is_handed_over(kernel, expected.barriers),
                "arrivals for copies are on the wrong side",
            ),
            OpKind::CopyBulk(copy) => demand(
                !is_handed_over(kernel, copy.barriers),
                "a copy by a warp is for slots that are not handed over",
            ),
            OpKind::CopyTensor(copy) => demand(
                is_producer == is_handed_over(kernel, copy.barriers),
                "a copy is on the wrong side",
            ),
            _ => {}
        }
    }
}

/// The pairs of barriers that slots are handed over by.
pub(crate) fn handshakes(kernel: &Kernel) -> Vec<Handshake> {
    fn visit(kernel: &Kernel, block: BlockId, found: &mut Vec<Handshake>) {
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            if let OpKind::WaitFree(handshake)
            | OpKind::EndRing(handshake)
            | OpKind::Free(handshake) = op.kind
                && !found.contains(&handshake)
            {
                found.push(handshake);
            }
            for &inner in &op.blocks {
                visit(kernel, inner, found);
            }
        }
    }
    let mut found = Vec::new();
    visit(kernel, kernel.body(), &mut found);
    found
}

fn is_handed_over(kernel: &Kernel, barriers: BufferId) -> bool {
    let mut all = handshakes(kernel).into_iter();
    all.any(|handshake| handshake.filled == barriers)
}

fn is_sound(kernel: &Kernel, handshake: Handshake) -> bool {
    let Handshake {
        filled,
        free,
        reach: _,
    } = handshake;
    let bytes = |id: BufferId| kernel.buffer(id).bytes;
    let are_kept = [filled, free].iter().all(|id| kernel.kept.contains(id));
    filled != free
        && bytes(filled) + BARRIER_BYTES == bytes(free)
        && bytes(filled) >= 2 * BARRIER_BYTES
        && are_kept
        && [filled, free]
            .iter()
            .all(|&id| super::verify_tensor::are_barriers(kernel, id))
}

fn are(kernel: &Kernel, args: &[ValueId], expected: &[Scalar]) -> bool {
    let types = args.iter().map(|&arg| kernel.ty(arg));
    types.eq(expected.iter().map(|&scalar| Ty::Uniform(scalar)))
}

/// Whether one thread does it for itself.
fn is_of_producer(kernel: &Kernel, op: &Op) -> bool {
    let mut values = op.args.iter().chain(&op.results);
    let is_uniform = values.all(|&value| kernel.ty(value).layout().is_none());
    is_uniform
        && matches!(
            op.kind,
            OpKind::Constant(_)
                | OpKind::BlockId(_)
                | OpKind::GridSize(_)
                | OpKind::Positions
                | OpKind::Position
                | OpKind::Compute(_)
                | OpKind::For { .. }
                | OpKind::Loop
                | OpKind::If
                | OpKind::Yield
                | OpKind::Continue
                | OpKind::Break
                | OpKind::Return
                | OpKind::WaitFree(_)
                | OpKind::EndRing(_)
                | OpKind::ExpectTensors(_)
                | OpKind::CopyTensor(_)
                | OpKind::Dependents(Dependents::Wait)
        )
}

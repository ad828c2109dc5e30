//! Verifies warp specialization: the operations of producer and consumer warps, and their pipeline barriers.
//! The flow verifier of [`mod@super::verify`] checks the order of events.

use super::super::{
    Arrivals, BARRIER_BYTES, BlockId, BufferId, Kernel, Op, OpId, OpKind, PipelineBarriers, Ty,
    ValueId,
};
use tile_core::Scalar;

/// Returns the errors of a kernel.
pub(super) fn errors(kernel: &Kernel) -> Vec<String> {
    let mut verifier = Found::default();
    verifier.block(kernel, kernel.body(), Side::All);
    let Found { mut errors, count } = verifier;
    if count != usize::from(kernel.launch.producer_warps > 0) {
        errors.push("producers have one program".to_owned());
    }
    if count > 0 && !kernel.arenas.is_empty() {
        errors.push("producer warps do not release arena slots".to_owned());
    }
    errors
}

/// The warps that run an operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// The consumer warps, directly in the body of the kernel.
    All,
    /// The consumer warps, in a loop or branch.
    Nested,
    /// The producer warps.
    Producer,
}

#[derive(Default)]
struct Found {
    errors: Vec<String>,
    /// Number of producer programs.
    count: usize,
}

impl Found {
    fn block(&mut self, kernel: &Kernel, block: BlockId, side: Side) {
        for &id in &kernel.block(block).ops {
            self.op(kernel, id, side);
            let op = kernel.op(id);
            let side = match (&op.kind, side) {
                (_, Side::Producer) | (OpKind::WarpSpecialize, _) => Side::Producer,
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
                self.errors.push(text.to_owned());
            }
        };
        let is_producer = side == Side::Producer;
        if is_producer {
            demand(
                is_in_producer(kernel, op),
                "what producers do needs the threads of others",
            );
        }
        match &op.kind {
            OpKind::WarpSpecialize => {
                self.count += 1;
                demand(
                    side == Side::All && op.blocks.len() == 1,
                    "producers begin at the top of a kernel",
                );
            }
            OpKind::InitMbarriers(barriers, arrivals) => {
                // Consumers arrive at empty mbarriers, once per warp; a full mbarrier has the single arrival
                // of the producer.
                let mut pairs = all_pipeline_barriers(kernel).into_iter();
                let is_free = pairs.any(|pipeline_barriers| pipeline_barriers.empty == *barriers);
                demand(
                    is_free != (*arrivals == Arrivals::One),
                    "others arrive at barriers than these are initialized for",
                );
            }
            OpKind::ProducerAcquire(pipeline_barriers)
            | OpKind::ProducerTail(pipeline_barriers) => {
                demand(is_producer, "a consumer does not acquire stages");
                demand(
                    is_valid(kernel, *pipeline_barriers)
                        && are(kernel, &op.args, &[Scalar::I32; 2]),
                    "`producer_acquire` and `producer_tail` take a stage and a parity",
                );
            }
            OpKind::ConsumerRelease(pipeline_barriers) => {
                demand(!is_producer, "a producer does not release stages");
                demand(
                    is_valid(kernel, *pipeline_barriers) && are(kernel, &op.args, &[Scalar::I32]),
                    "`consumer_release` takes a stage",
                );
            }
            // Consumers wait for stages that the producer fills; all other circular buffers are filled by the
            // threads that read them.
            OpKind::ArriveExpectTx(expected) => demand(
                is_producer == has_consumer_barriers(kernel, expected.barriers),
                "arrivals for copies are on the wrong side",
            ),
            // A bulk copy needs a whole warp, which writes the padding; the producer is one thread.
            OpKind::BulkCopy(copy) => demand(
                !has_consumer_barriers(kernel, copy.barriers),
                "a bulk copy is for stages without producer/consumer barriers",
            ),
            OpKind::TmaLoad(copy) => demand(
                is_producer == has_consumer_barriers(kernel, copy.barriers),
                "a copy is on the wrong side",
            ),
            _ => {}
        }
    }
}

/// Returns the pipeline barriers of a kernel, each pair once.
pub(crate) fn all_pipeline_barriers(kernel: &Kernel) -> Vec<PipelineBarriers> {
    fn visit(kernel: &Kernel, block: BlockId, pairs: &mut Vec<PipelineBarriers>) {
        for &id in &kernel.block(block).ops {
            let op = kernel.op(id);
            if let OpKind::ProducerAcquire(pipeline_barriers)
            | OpKind::ProducerTail(pipeline_barriers)
            | OpKind::ConsumerRelease(pipeline_barriers) = op.kind
                && !pairs.contains(&pipeline_barriers)
            {
                pairs.push(pipeline_barriers);
            }
            for &inner in &op.blocks {
                visit(kernel, inner, pairs);
            }
        }
    }
    let mut pairs = Vec::new();
    visit(kernel, kernel.body(), &mut pairs);
    pairs
}

fn has_consumer_barriers(kernel: &Kernel, barriers: BufferId) -> bool {
    let mut pairs = all_pipeline_barriers(kernel).into_iter();
    pairs.any(|pipeline_barriers| pipeline_barriers.full == barriers)
}

fn is_valid(kernel: &Kernel, pipeline_barriers: PipelineBarriers) -> bool {
    let PipelineBarriers {
        full: filled,
        empty: free,
        reach: _,
    } = pipeline_barriers;
    let bytes = |id: BufferId| kernel.buffer(id).bytes;
    let is_kept = [filled, free]
        .iter()
        .all(|id| kernel.buffer(*id).is_dedicated);
    filled != free
        && bytes(filled) + BARRIER_BYTES == bytes(free)
        && bytes(filled) >= 2 * BARRIER_BYTES
        && is_kept
        && [filled, free]
            .iter()
            .all(|&id| super::is_mbarrier_buffer(kernel, id))
}

fn are(kernel: &Kernel, args: &[ValueId], expected: &[Scalar]) -> bool {
    let types = args.iter().map(|&arg| kernel.ty(arg));
    types.eq(expected.iter().map(|&scalar| Ty::Uniform(scalar)))
}

/// Returns `true` if a single thread can run the operation.
fn is_in_producer(kernel: &Kernel, op: &Op) -> bool {
    let mut values = op.args.iter().chain(&op.results);
    let is_uniform = values.all(|&value| kernel.ty(value).layout().is_none());
    is_uniform
        && matches!(
            op.kind,
            OpKind::Constant(_)
                | OpKind::BlockId(_)
                | OpKind::GridSize(_)
                | OpKind::WorkTileRange
                | OpKind::WorkTileCoordinates
                | OpKind::Compute(_)
                | OpKind::For { .. }
                | OpKind::Loop
                | OpKind::If
                | OpKind::Yield
                | OpKind::Continue
                | OpKind::Break
                | OpKind::Return
                | OpKind::ProducerAcquire(_)
                | OpKind::ProducerTail(_)
                | OpKind::ArriveExpectTx(_)
                | OpKind::TmaLoad(_)
                | OpKind::Dependents(_)
        )
}

//! The bodies of reductions and prefixes.

use super::{Lowered, Lowering, ScopeKind};
use crate::gpu::{self, Buffer, BufferId, OpKind, Ty};
use crate::layout::ReducePlan;
use tile_core::interp::{decode_float, encode_float};
use tile_core::ir::{Op, OpId, TypedScalar};
use tile_core::ops::ControlFlowOp;
use tile_core::{Reported, Scalar};

impl Lowering<'_> {
    /// The body of a reduction, on uniform values: each thread has its own.
    pub(super) fn combiner(&mut self, reduce: OpId) -> Result<gpu::BlockId, Reported> {
        let module = self.module;
        let source = module.region_block(reduce, 0);
        let source = source.expect("a verified reduction has a body");
        let block = self.kernel.add_block();
        for &arg in &module.block(source).args {
            let ty = self.preferred_ty(arg);
            let loc = module.value(arg).loc;
            let value = self.kernel.add_block_arg(block, ty, loc);
            self.define(arg, value);
        }
        self.enter(block, ScopeKind::Branch);
        let ops = module.block(source).ops.clone();
        let lowered = ops.into_iter().try_for_each(|id| self.combiner_op(id));
        self.leave();
        lowered.map(|()| block)
    }

    fn combiner_op(&mut self, id: OpId) -> Lowered {
        let op = self.module.op(id);
        if op.opcode == ControlFlowOp::Yield.into() {
            let args: Vec<_> = op.operands.iter().map(|&value| self.value(value)).collect();
            self.emit_op(OpKind::Yield, &args, &[], &[], op.loc);
            return Ok(());
        }
        let mut values = op.operands.iter().chain(&op.results);
        if values.any(|&value| super::assign::tile_shape(self.module, value).is_some()) {
            // A tile is spread over threads, each of which combines elements of its own.
            return Err(self.unsupported(
                op,
                format!(
                    "`{}` of a tile in the body of a reduction",
                    op.def().mnemonic
                ),
                "combine the elements with operations on single numbers",
            ));
        }
        self.op(id)
    }

    /// One buffer per operand for the partial results of the warps.
    pub(super) fn partial_buffers(&mut self, plan: &ReducePlan, values: &[Ty]) -> Vec<BufferId> {
        let slots = plan.warps.as_ref().map_or(1, |warps| warps.slots() as u64);
        let elements = slots * plan.result.shape().num_elements();
        let buffer = |ty: &Ty| {
            let element = ty.scalar().expect("verified: numbers are combined");
            self.kernel.add_buffer(Buffer {
                element,
                bytes: u32::try_from(elements * element.bytes() as u64).unwrap_or(u32::MAX),
                slots: 1,
                align_bytes: 16,
                layout: None,
                offset_bytes: None,
            })
        };
        values.iter().map(buffer).collect()
    }

    /// The bits of the identities, if combining an element with its identity may change it:
    /// an identity of 0 makes 0 of -0, and that of `maxf` a number of NaN.
    pub(super) fn identities_that_count(&self, op: &Op) -> Option<Vec<u64>> {
        let elements: Vec<Scalar> = op
            .operands_of("operands")
            .iter()
            .map(|&value| self.element(value))
            .collect();
        if elements.iter().all(|element| !element.is_float()) {
            return None;
        }
        let identities = op.identities().into_iter().zip(elements);
        Some(
            identities
                .map(|(identity, element)| identity_bits(element, identity))
                .collect(),
        )
    }

    fn element(&self, value: tile_core::ir::ValueId) -> Scalar {
        let tile = self.module.ty(value).as_number_tile();
        tile.expect("verified: numbers are combined").0
    }
}

/// The bits of an identity. Where an f16 stands for a bf16, or the other way round, it is
/// the number that is meant and not its bits.
fn identity_bits(element: Scalar, identity: TypedScalar) -> u64 {
    if identity.scalar == element {
        return identity.bits;
    }
    encode_float(element, decode_float(identity.scalar, identity.bits))
}

/// Whether the block only combines each element with its accumulator by an operation that
/// may exchange its operands.
pub(crate) fn is_commutative(kernel: &gpu::Kernel, body: gpu::BlockId) -> bool {
    let block = kernel.block(body);
    let Some((&last, ops)) = block.ops.split_last() else {
        return false;
    };
    let pairs = block.args.chunks_exact(2);
    ops.len() == pairs.len()
        && ops
            .iter()
            .zip(pairs)
            .enumerate()
            .all(|(index, (&op, pair))| {
                let op = kernel.op(op);
                let commutes = matches!(&op.kind, OpKind::Compute(op) if op.def().commutative);
                let both = matches!(op.args.as_slice(), [lhs, rhs]
                    if [*lhs, *rhs] == *pair || [*rhs, *lhs] == *pair);
                let yielded = kernel.op(last).args.get(index) == op.results.first();
                commutes && both && yielded
            })
}

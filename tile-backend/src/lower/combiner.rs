//! Lowers the bodies of reductions and scans.

use super::{Lowered, Lowering, ScopeKind};
use crate::gpu::{self, Buffer, BufferId, ElementOp, OpKind, Ty, ValueId};
use crate::layout::ReducePlan;
use tile_core::interp::sums_in_f32;
use tile_core::ir::OpId;
use tile_core::ops::ControlFlowOp;
use tile_core::{Reported, Scalar};

impl Lowering<'_> {
    /// Lowers the body of a reduction. Its values are uniform in type, but each thread has its own.
    pub(super) fn combiner(&mut self, reduce: OpId) -> Result<gpu::BlockId, Reported> {
        let module = self.module;
        let source = module.region_block(reduce, 0);
        let source = source.expect("a verified reduction has a body");
        let block = self.kernel.add_block();
        let sums = sums_in_f32(module, reduce);
        for (index, &arg) in module.block(source).args.iter().enumerate() {
            let ty = match sums[index / 2] {
                Some(_) => Ty::Uniform(Scalar::F32),
                None => self.preferred_ty(arg),
            };
            let loc = module.value(arg).loc;
            let value = self.kernel.add_block_arg(block, ty, loc);
            self.define(arg, value);
        }
        self.enter(block, ScopeKind::Branch);
        let ops = module.block(source).ops.clone();
        let lowered = ops.into_iter().try_for_each(|id| {
            if sums.contains(&Some(id)) {
                self.sum_in_f32(id);
                return Ok(());
            }
            self.combiner_op(id)
        });
        self.leave();
        lowered.map(|()| block)
    }

    /// Lowers the operation of a body that combines an element and an accumulator in f32.
    fn sum_in_f32(&mut self, id: OpId) {
        let op = self.module.op(id);
        let args: Vec<_> = op.operands.iter().map(|&value| self.value(value)).collect();
        let kind = OpKind::Compute(ElementOp::from_tile_op(op));
        let sum = self.emit(kind, &args, Ty::Uniform(Scalar::F32), op.loc);
        self.define(op.result(), sum);
    }

    /// Converts the operands of a reduction or scan to the types in which they are accumulated: f32 for
    /// narrow floats that are added or multiplied.
    pub(super) fn accumulated(&mut self, reduce: OpId, args: Vec<ValueId>) -> Vec<ValueId> {
        let sums = sums_in_f32(self.module, reduce);
        let pairs = args.into_iter().zip(sums);
        pairs
            .map(|(arg, sum)| match sum {
                Some(_) => self.float_cast(arg, Scalar::F32, reduce),
                None => arg,
            })
            .collect()
    }

    /// Rounds the results of a reduction or scan to their types.
    pub(super) fn rounded(&mut self, reduce: OpId, values: Vec<ValueId>) -> Vec<ValueId> {
        let op = self.module.op(reduce);
        let pairs = values.into_iter().zip(op.operands_of("operands"));
        pairs
            .map(|(value, &operand)| {
                let element = self.element(operand);
                match self.kernel.ty(value).scalar() {
                    Some(Scalar::F32) if element != Scalar::F32 => {
                        self.float_cast(value, element, reduce)
                    }
                    _ => value,
                }
            })
            .collect()
    }

    fn float_cast(&mut self, value: ValueId, to: Scalar, reduce: OpId) -> ValueId {
        let loc = self.module.op(reduce).loc;
        let ty = match self.kernel.ty(value) {
            Ty::Distributed { layout, .. } => Ty::Distributed {
                element: to,
                layout,
            },
            _ => Ty::Uniform(to),
        };
        let kind = OpKind::Compute(ElementOp::float_to_float(loc));
        self.emit(kind, &[value], ty, loc)
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
            // A tile is distributed over threads, while each thread runs the body on its own elements.
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

    /// Adds a buffer for the partial results of the warps for each operand.
    pub(super) fn partial_buffers(&mut self, plan: &ReducePlan, values: &[Ty]) -> Vec<BufferId> {
        let slots = plan.warps.as_ref().map_or(1, |warps| warps.slots() as u64);
        let elements = slots * plan.result.shape().num_elements();
        let buffer = |ty: &Ty| {
            let element = ty.scalar().expect("verified: numbers are combined");
            self.kernel.add_buffer(Buffer::new(
                element,
                elements * element.bytes() as u64,
                16,
                None,
            ))
        };
        values.iter().map(buffer).collect()
    }

    fn element(&self, value: tile_core::ir::ValueId) -> Scalar {
        let tile = self.module.ty(value).as_number_tile();
        tile.expect("verified: numbers are combined").0
    }
}

/// Returns `true` if the block does nothing but combine each element with its accumulator by a commutative
/// operation.
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

//! Matrix products on tensor cores.

use super::assign::{mma_warps, tile_shape};
use super::convert::{Purpose, Staged};
use super::{Lowered, Lowering};
use crate::gpu::{MmaKind, OpKind};
use crate::layout::{LinearLayout, mma_accumulator, mma_operand_a, mma_operand_b};
use tile_core::Scalar;
use tile_core::ir::{Op, ValueId};

impl Lowering<'_> {
    pub(super) fn mma(&mut self, op: &Op) -> Lowered {
        let element = |value: ValueId| {
            self.module
                .ty(value)
                .as_number_tile()
                .map(|(scalar, _)| scalar)
        };
        let (lhs, rhs, acc) = (op.operand("lhs"), op.operand("rhs"), op.operand("acc"));
        let (Some(input), Some(output)) = (element(lhs), element(acc)) else {
            unreachable!("verified: `mma` takes tiles of numbers")
        };
        let kind = match (input, output) {
            (Scalar::F16, Scalar::F32) => MmaKind::F16,
            (Scalar::BF16, Scalar::F32) => MmaKind::BF16,
            (Scalar::TF32, Scalar::F32) => MmaKind::TF32,
            (Scalar::F16, Scalar::F16) => MmaKind::F16AccF16,
            _ => {
                return Err(self.unsupported(
                    op,
                    format!(
                        "`mma` of `{input}` into `{output}` has no tensor-core instruction here"
                    ),
                    "cast the operands to `bf16`, `f16` or `tf32` and accumulate in `f32`",
                ));
            }
        };
        let (Some(&[rows, depth]), Some(&[_, columns])) =
            (tile_shape(self.module, lhs), tile_shape(self.module, rhs))
        else {
            return Err(self.unsupported(
                op,
                "a batched `mma` has no tensor-core instruction here".to_owned(),
                "loop over the batch and multiply matrices of rank 2",
            ));
        };
        let warps = mma_warps(
            rows.unsigned_abs(),
            columns.unsigned_abs(),
            self.kernel.num_warps,
        );
        let shape =
            |value| super::assign::out_shape(tile_shape(self.module, value).expect("rank 2"));
        let bits = if input == Scalar::TF32 {
            32
        } else {
            input.bits()
        };
        let layouts = (
            mma_operand_a(&shape(lhs), warps, bits),
            mma_operand_b(&shape(rhs), warps, bits),
            mma_accumulator(&shape(acc), warps),
        );
        let (Some(a), Some(b), Some(c)) = layouts else {
            let least = if bits == 16 { 16 } else { 8 };
            return Err(self.unsupported(
                op,
                format!("`mma` of {rows}x{depth} by {depth}x{columns} is smaller than one tensor-core instruction"),
                &format!("use at least 16 rows, 8 columns and a depth of {least}; loads pad with zeros and stores clip"),
            ));
        };
        let (a, b) = (self.stage_fragment(lhs, &a), self.stage_fragment(rhs, &b));
        let (a, b) = (self.deliver(a), self.deliver(b));
        let c = self.kernel.add_layout(c);
        let acc = self.in_layout(acc, c);
        let ty = self.kernel.ty(acc);
        let value = self.emit(OpKind::Mma(kind), &[a, b, acc], ty, op.loc);
        self.define(op.result(), value);
        Ok(())
    }

    /// An operand on its way to the layout of its fragments.
    fn stage_fragment(&mut self, operand: ValueId, layout: &LinearLayout) -> Staged {
        let layout = self.kernel.add_layout(layout.unique_registers().0);
        let value = self.value(operand);
        self.stage(value, layout, Purpose::Fragment)
    }
}

//! Emits reductions over all lanes of a warp by one instruction, `redux.sync`.

use inkwell::values::BasicValueEnum;
use tile_core::ir::{Attr, Signedness};
use tile_core::ops::{BitwiseOp, IntegerOp, Opcode};

use super::Emitter;
use crate::gpu::{BlockId, OpKind};
use crate::layout::ReducePlan;
use crate::llvm::intrinsics::Intrinsic;
use crate::lower::is_commutative;

/// A form of `redux.sync`. Integers of fewer than 32 bits are extended before it.
pub(super) struct Redux {
    intrinsic: Intrinsic,
    /// `true` if narrower integers are sign-extended, `false` if they are zero-extended.
    signed: bool,
}

impl<'ctx> Emitter<'_, 'ctx> {
    /// Returns the instruction that reduces over all lanes of a warp in the same way as the block `body`, if
    /// there is one.
    pub(super) fn whole_warp(&self, body: BlockId, plan: &ReducePlan) -> Option<Redux> {
        let block = self.kernel.block(body);
        let [value, _] = block.args[..] else {
            return None;
        };
        let scalar = self.scalar(value);
        let fits = scalar.is_integer() && scalar.bits() <= 32;
        if plan.lane_masks.len() != 5 || !fits || !is_commutative(self.kernel, body) {
            return None;
        }
        let OpKind::Compute(op) = &self.kernel.op(block.ops[0]).kind else {
            return None;
        };
        let is_signed = || op.attr("signedness") == Some(&Attr::Signedness(Signedness::Signed));
        let (intrinsic, signed) = match op.opcode {
            Opcode::Integer(IntegerOp::AddI) => (Intrinsic::ReduxAdd, false),
            Opcode::Integer(IntegerOp::MaxI) if is_signed() => (Intrinsic::ReduxMax, true),
            Opcode::Integer(IntegerOp::MaxI) => (Intrinsic::ReduxUnsignedMax, false),
            Opcode::Integer(IntegerOp::MinI) if is_signed() => (Intrinsic::ReduxMin, true),
            Opcode::Integer(IntegerOp::MinI) => (Intrinsic::ReduxUnsignedMin, false),
            Opcode::Bitwise(BitwiseOp::AndI) => (Intrinsic::ReduxAnd, false),
            Opcode::Bitwise(BitwiseOp::OrI) => (Intrinsic::ReduxOr, false),
            Opcode::Bitwise(BitwiseOp::XorI) => (Intrinsic::ReduxXor, false),
            _ => return None,
        };
        Some(Redux { intrinsic, signed })
    }

    pub(super) fn redux(&self, redux: &Redux, value: BasicValueEnum<'ctx>) -> BasicValueEnum<'ctx> {
        let code = &self.code;
        let narrow = value.into_int_value();
        let (ty, word) = (narrow.get_type(), code.cx.i32_type());
        let wide = if redux.signed {
            code.signed(narrow, word)
        } else {
            code.unsigned(narrow, word)
        };
        let lanes = code.i32(u32::MAX);
        let whole = code.nvvm(redux.intrinsic, &[wide.into(), lanes.into()])[0];
        code.unsigned(whole.into_int_value(), ty).into()
    }
}

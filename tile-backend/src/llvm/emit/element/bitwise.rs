//! Emits bitwise operations.

#![deny(clippy::wildcard_enum_match_arm)]

use inkwell::values::BasicValueEnum;
use tile_core::ops::BitwiseOp;

use super::Element;

impl<'ctx> Element<'_, 'ctx> {
    pub(super) fn bitwise(&self, op: BitwiseOp) -> BasicValueEnum<'ctx> {
        let (code, lhs, rhs) = (self.code, self.int(0), self.int(1));
        match op {
            BitwiseOp::AndI => code.and(lhs, rhs),
            BitwiseOp::OrI => code.or(lhs, rhs),
            BitwiseOp::XorI => code.xor(lhs, rhs),
        }
        .into()
    }
}

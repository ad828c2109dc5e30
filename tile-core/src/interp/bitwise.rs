//! Bitwise operations.

use super::compile::Compiler;
use super::machine::{Exec, binary};
use super::number::{Int, with_int};
use crate::ir::Op;
use crate::ops::BitwiseOp;

/// Compiles a bitwise operation.
pub(super) fn compile(kind: BitwiseOp, cx: &mut Compiler<'_>, op: &Op) -> Exec {
    let args = cx.args(op);
    let scalar = cx.scalar(op.result());
    let out = cx.result(op);
    with_int!(scalar, I => match kind {
        BitwiseOp::AndI => binary(args, out, I::and),
        BitwiseOp::OrI => binary(args, out, I::or),
        BitwiseOp::XorI => binary(args, out, I::xor),
    }, else panic!("verified code has integers here"))
}

//! Verifies accesses through pointers and tokens, and the rules common to all accesses.

use super::Context;
use crate::diag::Code;
use crate::ir::{Attr, MemoryOrdering, Op, ValueId};
use crate::ops::MemoryOp;
use crate::types::Element;

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, op: &Op, opcode: MemoryOp) {
    match opcode {
        MemoryOp::Alloca => alloca(cx, op),
        MemoryOp::JoinTokens => {
            if op.operands.len() < 2 {
                cx.error(
                    Code::VerifyOperands,
                    op,
                    format!("expected two tokens or more, found {}", op.operands.len()),
                    "`join_tokens` joins tokens",
                );
            }
        }
        MemoryOp::LoadPtrTko => {
            verify_scope(cx, op);
            verify_pointee(cx, op, op.operands[0], op.result());
        }
        MemoryOp::StorePtrTko => {
            verify_scope(cx, op);
            verify_pointee(cx, op, op.operands[0], op.operands[1]);
        }
        MemoryOp::GdcLaunchDependentsTko
        | MemoryOp::GdcWaitTko
        | MemoryOp::MakeToken
        | MemoryOp::MemoryFenceAliasTko => {}
    }
}

/// Reports a weak access with a scope, and an access of another ordering without one.
pub(super) fn verify_scope(cx: &mut Context<'_>, op: &Op) {
    let Some(&Attr::MemoryOrdering(ordering)) = op.attr("memory_ordering_semantics") else {
        return;
    };
    let message = match (ordering, op.attr("memory_scope")) {
        (MemoryOrdering::Weak, None) => return,
        (MemoryOrdering::Weak, Some(_)) => "a weak access has a memory scope".to_owned(),
        (_, Some(_)) => return,
        (_, None) => format!(
            "an access that is `{}` has no memory scope",
            ordering.name()
        ),
    };
    cx.error(
        Code::VerifyAttributes,
        op,
        message,
        "an access that orders others says for whom; a weak one orders nothing",
    );
}

/// Reports pointers whose pointee is not the element type of `value`.
pub(super) fn verify_pointee(cx: &mut Context<'_>, op: &Op, pointers: ValueId, value: ValueId) {
    let (ty, accessed) = (cx.ty(pointers), cx.ty(value));
    let (Some(tile), Some(element)) = (ty.as_tile(), accessed.as_tile().map(|tile| tile.element))
    else {
        return;
    };
    let fits = match (tile.element, element) {
        (Element::Ptr(pointee), Element::Scalar(scalar)) => pointee == scalar,
        _ => false,
    };
    if !fits {
        cx.operand_error(
            op,
            pointers,
            format!("expected pointers to `{element}`, found `{ty}`"),
            format!(
                "`{}` accesses what the pointers point to",
                op.def().mnemonic
            ),
        );
    }
}

fn alloca(cx: &mut Context<'_>, op: &Op) {
    let (Some(&Attr::Int(alignment)), Some(tile)) =
        (op.attr("alignment"), cx.ty(op.result()).as_tile())
    else {
        return;
    };
    if alignment.count_ones() != 1 {
        cx.error(
            Code::VerifyAttributes,
            op,
            format!("expected an alignment that is a power of two, found {alignment}"),
            "`alignment` must be power of two",
        );
        return;
    }
    let Element::Ptr(pointee) = tile.element else {
        return;
    };
    // The natural alignment is the size of an element in bytes; elements smaller than a byte have
    // none.
    let natural = i64::from(pointee.bits() / 8);
    if alignment < natural {
        cx.error(
            Code::VerifyAttributes,
            op,
            format!("expected an alignment of {natural} or more, found {alignment}"),
            format!("`alignment` must be at least the natural size of `{pointee}`"),
        );
    }
}

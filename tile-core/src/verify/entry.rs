//! Verifies signatures and parameters of entries and test functions.

use super::{Context, listed, types};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, Op, OpId};
use crate::ops::{CoreOp, Opcode};
use crate::types::{FunctionType, TypeKind};

/// Returns `true` for an entry or a test function: the operations that contain code.
pub(super) fn is_function(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::Core(CoreOp::Entry) | Opcode::Testing(_))
}

/// Returns the signature of an entry or a function that fits its row.
pub(super) fn signature(op: &Op) -> Option<&'static FunctionType> {
    match op.attr("function_type") {
        Some(Attr::Type(ty)) => match ty.kind() {
            TypeKind::Function(signature) => Some(signature),
            _ => None,
        },
        _ => None,
    }
}

/// Checks an entry or a function.
pub(super) fn verify(cx: &mut Context<'_>, id: OpId, op: &Op) {
    let module = cx.module;
    let mnemonic = op.def().mnemonic;
    let is_entry = op.opcode == CoreOp::Entry.into();
    let Some(signature) = signature(op) else {
        let function_type = op.attr("function_type");
        cx.error(
            Code::VerifyAttributes,
            op,
            match function_type {
                Some(Attr::Type(function_type)) => {
                    format!("expected a function type, found `{function_type}`")
                }
                _ => "expected a function type".to_owned(),
            },
            format!("`function_type` lists the parameters of `{mnemonic}`"),
        );
        return;
    };
    types::verify_results(cx, op, &signature.results);
    if is_entry && !signature.results.is_empty() {
        cx.error(
            Code::VerifyAttributes,
            op,
            format!("expected no results, found {}", listed(&signature.results)),
            "an entry returns nothing",
        );
    }
    let Some(block) = module.region_block(id, 0) else {
        return;
    };
    let arguments = &module.block(block).args;
    let types = cx.tys(arguments);
    if types != signature.inputs {
        cx.error(
            Code::VerifyStructure,
            op,
            format!(
                "expected parameters {}, found {}",
                listed(&signature.inputs),
                listed(&types)
            ),
            format!("the block of `{mnemonic}` has the parameters of its `function_type`"),
        );
    }
    if !is_entry {
        return;
    }
    for &argument in arguments {
        let value = module.value(argument);
        let is_ranked = value
            .ty
            .as_tile()
            .is_some_and(|tile| !tile.shape.is_empty());
        if is_ranked && cx.types.class(value.ty).is_some() {
            let message = format!("expected a rank-0 tile, found `{}`", value.ty);
            cx.report(
                Diagnostic::error(Code::VerifyStructure, value.loc, message)
                    .note("a tile that is passed to an entry has rank 0"),
            );
        }
    }
}

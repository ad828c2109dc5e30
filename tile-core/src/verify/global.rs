//! Verifies global variables and the pointers to them.

use super::{Context, core, types};
use crate::diag::Code;
use crate::ir::{Attr, Op};
use crate::ops::CoreOp;
use crate::types::{Element, Scalar, TileType};

/// Returns the tile type that a global holds.
fn value_type(op: &Op) -> Option<&'static TileType> {
    match op.attr("value_type") {
        Some(Attr::Type(ty)) => ty.as_tile(),
        _ => None,
    }
}

/// Checks `global`.
pub(super) fn verify(cx: &mut Context<'_>, op: &Op) {
    let (Some(&Attr::Type(ty)), Some(Attr::Dense(dense))) =
        (op.attr("value_type"), op.attr("value"))
    else {
        return;
    };
    let number = ty.as_number_tile().map(|(scalar, _)| scalar);
    let error = types::type_error(ty);
    let Some(tile) = ty
        .as_tile()
        .filter(|_| error.is_none() && number.is_some_and(|scalar| scalar != Scalar::I4))
    else {
        cx.error(
            Code::VerifyType,
            op,
            error.unwrap_or_else(|| {
                format!("expected a tile of numbers other than i4, found `{ty}`")
            }),
            "a global holds one tile of numbers",
        );
        return;
    };
    if tile.shape.len() != 1 {
        cx.error(
            Code::VerifyType,
            op,
            format!("expected a tile of rank 1, found `{ty}`"),
            "the type of a global must have rank 1",
        );
        return;
    }
    core::verify_dense(cx, op, dense, tile);
}

/// Checks `get_global`.
pub(super) fn verify_use(cx: &mut Context<'_>, op: &Op) {
    let Some(Attr::Symbol(name)) = op.attr("name") else {
        return;
    };
    let definition = cx.symbol(name).map(|id| cx.module.op(id));
    let Some(global) = definition.filter(|op| op.opcode == CoreOp::Global.into()) else {
        let message = match definition {
            Some(other) => format!(
                "expected a global, found `{}` @{name}",
                other.def().mnemonic
            ),
            None => format!("expected a global, found no symbol @{name}"),
        };
        cx.error(
            Code::VerifyAttributes,
            op,
            message,
            "`get_global` names a global of its module",
        );
        return;
    };
    let ty = cx.ty(op.result());
    let Some(Element::Scalar(scalar)) = value_type(global).map(|tile| tile.element) else {
        return;
    };
    if ty.as_tile().map(|tile| tile.element) != Some(Element::Ptr(scalar)) {
        let label = format!("this holds `{scalar}`");
        let diagnostic = crate::diag::Diagnostic::error(
            Code::VerifyResults,
            op.loc,
            format!("expected a pointer to `{scalar}`, found `{ty}`"),
        )
        .label(global.loc, label)
        .note("the pointer points to the elements of the global");
        cx.report(diagnostic);
    }
}

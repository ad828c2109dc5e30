//! Verifies reductions and scans: axis, results, identities and bodies.

use super::core::fits;
use super::{Context, listed, name_of};
use crate::diag::Code;
use crate::ir::{Attr, BlockId, Op, OpId, TypedScalar, ValueId};
use crate::ops::{ControlFlowOp, CoreOp, Effects};
use crate::types::{Element, Scalar, TileType, Type};

/// Checks `reduce` or `scan`, whose operands are tiles of one shape.
pub(super) fn verify(cx: &mut Context<'_>, id: OpId, op: &Op) {
    let mnemonic = op.def().mnemonic;
    let Some(first) = op.operands.first().and_then(|&one| cx.ty(one).as_tile()) else {
        cx.error(
            Code::VerifyOperands,
            op,
            "expected at least one operand, found none",
            format!("`{mnemonic}` combines the elements of its operands"),
        );
        return;
    };
    let (Some(&Attr::Int(dim)), Some(Attr::Scalars(identities))) =
        (op.attr("dim"), op.attr("identities"))
    else {
        return;
    };
    let rank = first.shape.len();
    let Some(axis) = usize::try_from(dim).ok().filter(|&axis| axis < rank) else {
        cx.error(
            Code::VerifyAttributes,
            op,
            format!("expected an axis below {rank}, found {dim}"),
            "`dim` is an axis of the operands",
        );
        return;
    };
    results(cx, op, &first.shape, axis);
    verify_identities(cx, op, identities);
    if let Some(body) = cx.module.region_block(id, 0) {
        verify_body(cx, op, body);
    }
}

/// Returns the tile type of an operand; the row admits only tiles.
fn tile(cx: &Context<'_>, operand: ValueId) -> Option<&'static TileType> {
    cx.ty(operand).as_tile()
}

/// Returns the element types of the operands.
fn elements(cx: &Context<'_>, op: &Op) -> Vec<Element> {
    let tiles = op.operands.iter().filter_map(|&one| tile(cx, one));
    tiles.map(|tile| tile.element).collect()
}

/// Reports results whose types are not those of the operands. For a `reduce`, the types of the
/// results lack the reduced axis.
fn results(cx: &mut Context<'_>, op: &Op, shape: &[i64], axis: usize) {
    let is_reduce = op.opcode == CoreOp::Reduce.into();
    let (before, after) = shape.split_at(axis);
    let kept = before.iter().chain(&after[usize::from(is_reduce)..]);
    let fits = |(&operand, &result): (&ValueId, &ValueId)| {
        let (operand, result) = (tile(cx, operand), tile(cx, result));
        operand.zip(result).is_some_and(|(operand, result)| {
            operand.element == result.element && kept.clone().eq(&result.shape)
        })
    };
    if op.results.len() == op.operands.len() && op.operands.iter().zip(&op.results).all(fits) {
        return;
    }
    let kept: Vec<i64> = kept.copied().collect();
    let expected: Vec<Type> = elements(cx, op)
        .into_iter()
        .map(|element| Type::tile(element, &kept))
        .collect();
    cx.error(
        Code::VerifyResults,
        op,
        format!(
            "expected results {}, found {}",
            listed(&expected),
            listed(&cx.tys(&op.results))
        ),
        if is_reduce {
            "a result of `reduce` is its operand without the axis `dim`"
        } else {
            "a result of `scan` has the type of its operand"
        },
    );
}

/// Returns `true` if an identity of type `scalar` is valid for elements of type `element`.
fn is_identity_of(scalar: Scalar, element: Element) -> bool {
    let is_half = |scalar| matches!(scalar, Scalar::F16 | Scalar::BF16);
    match element {
        Element::Scalar(element) => scalar == element || (is_half(scalar) && is_half(element)),
        Element::Ptr(_) => false,
    }
}

fn verify_identities(cx: &mut Context<'_>, op: &Op, identities: &[TypedScalar]) {
    let fit = |(&operand, identity): (&ValueId, &TypedScalar)| {
        tile(cx, operand).is_some_and(|tile| is_identity_of(identity.scalar, tile.element))
    };
    if identities.len() != op.operands.len() || !op.operands.iter().zip(identities).all(fit) {
        let actual: Vec<Scalar> = identities.iter().map(|one| one.scalar).collect();
        cx.error(
            Code::VerifyAttributes,
            op,
            format!(
                "expected identities of {}, found {}",
                listed(&elements(cx, op)),
                listed(&actual)
            ),
            format!(
                "`{}` has an identity per operand, of its element type",
                op.def().mnemonic
            ),
        );
        return;
    }
    if let Some(wide) = identities.iter().find(|one| !fits(one.scalar, one.bits)) {
        cx.error(
            Code::VerifyAttributes,
            op,
            format!("an identity does not fit `{}`", wide.scalar),
            format!("`{}` has {} bits", wide.scalar, wide.scalar.bits()),
        );
    }
}

/// Returns `true` if `value` is a rank-0 tile with the element type of `operand`.
fn is_scalar_of(cx: &Context<'_>, value: ValueId, operand: ValueId) -> bool {
    let tiles = tile(cx, value).zip(tile(cx, operand));
    tiles.is_some_and(|(value, operand)| value.shape.is_empty() && value.element == operand.element)
}

fn verify_body(cx: &mut Context<'_>, op: &Op, body: BlockId) {
    let mnemonic = op.def().mnemonic;
    let module = cx.module;
    let block = module.block(body);
    let pairs = block.args.chunks(2).zip(&op.operands);
    let fit = block.args.len() == 2 * op.operands.len()
        && pairs
            .clone()
            .all(|(pair, &operand)| pair.iter().all(|&one| is_scalar_of(cx, one, operand)));
    let scalars = |cx: &Context<'_>| -> Vec<Type> {
        let elements = elements(cx, op).into_iter();
        elements.map(Type::scalar).collect()
    };
    if !fit {
        let expected: Vec<Type> = scalars(cx).into_iter().flat_map(|ty| [ty, ty]).collect();
        cx.body_arguments(
            op,
            body,
            &expected,
            "the body takes an element and an accumulator per operand",
        );
    }
    for &inner in &block.ops {
        let inner = module.op(inner);
        if inner.opcode == ControlFlowOp::Yield.into() {
            let mut pairs = inner.operands.iter().zip(&op.operands);
            let fit = inner.operands.len() == op.operands.len()
                && pairs.all(|(&one, &operand)| is_scalar_of(cx, one, operand));
            if !fit {
                let (expected, yielded) = (scalars(cx), cx.tys(&inner.operands));
                cx.error(
                    Code::VerifyOperands,
                    inner,
                    format!(
                        "expected to yield {}, found {}",
                        listed(&expected),
                        listed(&yielded)
                    ),
                    "the body yields the new accumulators",
                );
            }
        } else if inner.def().effects != Effects::Pure && !inner.def().is_terminator() {
            cx.error(
                Code::VerifyStructure,
                inner,
                format!(
                    "expected pure operations inside `{mnemonic}`, found `{}`",
                    name_of(inner)
                ),
                format!("only pure operations are allowed inside `{mnemonic}`"),
            );
        }
    }
}

//! Verifies atomics: their element types, and the views they reduce into.

use super::memory::verify_pointee;
use super::{Context, either, view};
use crate::ir::{AtomicRmwMode, Attr, Op, ValueId};
use crate::ops::AtomicOp;
use crate::types::{Scalar, TypeKind};

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, op: &Op, opcode: AtomicOp) {
    match opcode {
        AtomicOp::AtomicCasTko => {
            verify_pointee(cx, op, op.operands[0], op.operands[2]);
            elements(cx, op, op.operands[2], "atomic_cas_tko", &WORDS);
        }
        AtomicOp::AtomicRmwTko => {
            verify_pointee(cx, op, op.operands[0], op.operands[1]);
            mode(cx, op, op.operands[1]);
        }
        AtomicOp::AtomicRedViewTko => reduce_view(cx, op),
    }
}

/// The element types of compare-and-swap.
const WORDS: [Scalar; 4] = [Scalar::I32, Scalar::I64, Scalar::F32, Scalar::F64];

/// Returns the element types of a mode.
fn mode_elements(mode: AtomicRmwMode) -> &'static [Scalar] {
    match mode {
        AtomicRmwMode::And
        | AtomicRmwMode::Or
        | AtomicRmwMode::Xor
        | AtomicRmwMode::Add
        | AtomicRmwMode::Max
        | AtomicRmwMode::Min
        | AtomicRmwMode::UMax
        | AtomicRmwMode::UMin => &[Scalar::I32, Scalar::I64],
        AtomicRmwMode::AddF => &[Scalar::F16, Scalar::BF16, Scalar::F32, Scalar::F64],
        AtomicRmwMode::Xchg => &WORDS,
    }
}

fn mode(cx: &mut Context<'_>, op: &Op, value: ValueId) {
    if let Some(&Attr::RmwMode(mode)) = op.attr("mode") {
        elements(cx, op, value, mode.name(), mode_elements(mode));
    }
}

/// Reports a value whose element type is not `allowed`.
fn elements(cx: &mut Context<'_>, op: &Op, value: ValueId, what: &str, allowed: &[Scalar]) {
    let ty = cx.ty(value);
    let element = ty.as_number_tile().map(|(scalar, _)| scalar);
    if element.is_some_and(|element| allowed.contains(&element)) {
        return;
    }
    let names = either(allowed);
    cx.operand_error(
        op,
        value,
        format!("expected a tile of {names}, found `{ty}`"),
        format!("`{what}` works only with {names}"),
    );
}

fn reduce_view(cx: &mut Context<'_>, op: &Op) {
    let operand = op.operands[0];
    let ty = cx.ty(operand);
    let Some(tiles) = ty.as_tile_view() else {
        return;
    };
    if let TypeKind::GatherScatterView(_) = ty.kind() {
        cx.operand_error(
            op,
            operand,
            "expected a partition or strided view, found a gather/scatter view",
            "atomic reductions into scattered elements are not supported",
        );
        return;
    }
    if tiles.padding.is_some() {
        cx.operand_error(
            op,
            operand,
            "expected a view without padding, found one with `padding_value`",
            "views with padding_value are not supported for atomic reductions",
        );
    }
    let value = op.operand("value");
    view::verify_tile(cx, op, tiles, value);
    mode(cx, op, value);
    view::verify_reduction_index(cx, op, tiles);
}

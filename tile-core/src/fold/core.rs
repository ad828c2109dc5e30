//! Folds of operations on shapes, of slices and of `select`.
//!
//! Operations that only move data are folded for any data. A splat stays a splat in any shape; the
//! interpreter moves the elements of other tiles.

use super::reduce::reduce;
use super::{Elements, Folder, Rule, constant, elementwise, whole};
use crate::ops::CoreOp;
use crate::types::Scalar;
use std::sync::Arc;

pub(super) fn rule(kind: CoreOp) -> Option<Rule> {
    match kind {
        CoreOp::Broadcast | CoreOp::Permute => Some(rearrange),
        CoreOp::Cat => Some(cat),
        CoreOp::Extract => Some(extract),
        CoreOp::Insert => Some(insert),
        CoreOp::Iota => Some(iota),
        CoreOp::Pack | CoreOp::Unpack => Some(repack),
        CoreOp::Reduce => Some(reduce),
        // The elements stay in their order.
        CoreOp::Reshape => Some(|cx| Some(Arc::clone(&cx.operands[0]))),
        CoreOp::Select => Some(elementwise),
        CoreOp::Constant
        | CoreOp::Entry
        | CoreOp::GetGlobal
        | CoreOp::GetNumTileBlocks
        | CoreOp::GetTileBlockId
        | CoreOp::Global
        | CoreOp::Module
        | CoreOp::Offset
        | CoreOp::Scan => None,
    }
}

/// Returns operand number `index` if it is a splat.
fn splat<'a>(cx: &'a Folder<'_>, index: usize) -> Option<&'a Elements> {
    let elements = &cx.operands[index];
    elements.splat_bits().map(|_| elements)
}

fn rearrange(cx: &Folder<'_>) -> Option<Elements> {
    splat(cx, 0).cloned().or_else(|| whole(cx))
}

fn cat(cx: &Folder<'_>) -> Option<Elements> {
    match splat(cx, 0) {
        Some(lhs) if cx.operands[0] == cx.operands[1] => Some(Arc::clone(lhs)),
        _ => whole(cx),
    }
}

/// Folds a slice of a splat to a splat, if the slice exists.
fn extract(cx: &Folder<'_>) -> Option<Elements> {
    match splat(cx, 0) {
        Some(source) => exists(cx, 1).then(|| Arc::clone(source)),
        None => whole(cx),
    }
}

fn insert(cx: &Folder<'_>) -> Option<Elements> {
    match splat(cx, 0) {
        Some(source) if cx.operands[0] == cx.operands[1] => {
            exists(cx, 2).then(|| Arc::clone(source))
        }
        _ => whole(cx),
    }
}

/// Returns `true` if the operands from number `first` are the indices of an existing slice.
fn exists(cx: &Folder<'_>, first: usize) -> bool {
    let shape = |value| cx.module.ty(value).as_tile().map(|tile| &tile.shape);
    let (whole, slice) = match first {
        1 => (cx.op.operands[0], cx.op.result()),
        _ => (cx.op.operands[1], cx.op.operands[0]),
    };
    let (Some(whole), Some(slice)) = (shape(whole), shape(slice)) else {
        return false;
    };
    let indices = cx.operands[first..].iter().map(|index| index.bits_at(0));
    let counts = whole.iter().zip(slice).map(|(whole, slice)| whole / slice);
    indices
        .zip(counts)
        .all(|(index, count)| index < count.unsigned_abs())
}

/// Folds an `iota` of one element; larger ones would take more space as constants.
fn iota(cx: &Folder<'_>) -> Option<Elements> {
    (constant::count(cx.module, cx.op.result()) == Some(1)).then(|| whole(cx))?
}

/// Folds the repacking of bytes into elements of another type. The bytes of a splat are periodic,
/// so one period shows whether the result is a splat too. Tiles of `i1` are not folded: the
/// specification does not define how many elements a byte holds.
fn repack(cx: &Folder<'_>) -> Option<Elements> {
    let scalar = |value| {
        cx.module
            .ty(value)
            .as_number_tile()
            .map(|(scalar, _)| scalar)
    };
    let (from, to) = (scalar(cx.op.operands[0])?, scalar(cx.op.result())?);
    if from == Scalar::I1 || to == Scalar::I1 {
        return None;
    }
    if splat(cx, 0).is_some() {
        let period = to.bytes().max(2);
        let result = cx.run(|_| Some(period))?;
        if result.splat_bits().is_some() {
            return Some(result);
        }
    }
    whole(cx)
}

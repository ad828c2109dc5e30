//! Verifies the counts and types that follow from view types.

use super::Context;
use super::memory::verify_scope;
use crate::diag::Code;
use crate::ir::{Attr, Op, ValueId};
use crate::ops::ViewOp;
use crate::types::{Element, TensorViewType, TileView, Type, TypeKind};

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, op: &Op, opcode: ViewOp) {
    match opcode {
        ViewOp::GetIndexSpaceShape | ViewOp::GetTensorShape => shape_query(cx, op),
        ViewOp::LoadViewTko => access(cx, op, op.operands[0], op.result()),
        ViewOp::StoreViewTko => access(cx, op, op.operands[1], op.operands[0]),
        ViewOp::MakeGatherScatterView | ViewOp::MakePartitionView | ViewOp::MakeStridedView => {
            make_tile_view(cx, op);
        }
        ViewOp::MakeTensorView => make_tensor_view(cx, op),
    }
}

fn shape_query(cx: &mut Context<'_>, op: &Op) {
    let ty = cx.ty(op.operands[0]);
    let rank = match (ty.kind(), ty.as_tile_view()) {
        (TypeKind::TensorView(view), _) => view.shape.len(),
        (_, Some(view)) => view.tile.len(),
        _ => return,
    };
    if op.results.len() != rank {
        cx.error(
            Code::VerifyResults,
            op,
            format!("expected {rank} results, found {}", op.results.len()),
            "there is a result per axis",
        );
    }
    let Some(first) = op.results.first().map(|&first| cx.ty(first)) else {
        return;
    };
    let mut types = op.results.iter().map(|&result| cx.ty(result));
    if let Some(other) = types.find(|&ty| ty != first) {
        cx.error(
            Code::VerifyResults,
            op,
            format!("expected results of `{first}`, found `{other}`"),
            "the results have one type",
        );
    }
}

fn access(cx: &mut Context<'_>, op: &Op, view: ValueId, tile: ValueId) {
    let Some(view) = cx.ty(view).as_tile_view() else {
        return;
    };
    verify_scope(cx, op);
    verify_tile(cx, op, view, tile);
    let index = op.operands_of("index");
    if verify_index_count(cx, op, view, index) {
        verify_index(cx, op, view, index);
    }
    if let Some(Attr::BoolArray(inbounds)) = op.attr("inbounds") {
        verify_inbounds(cx, op, inbounds, index.len());
    }
}

/// Reports an accessed tile, an operand or a result, whose type is not that of the view's tiles.
pub(super) fn verify_tile(cx: &mut Context<'_>, op: &Op, view: TileView<'_>, tile: ValueId) {
    let actual = cx.ty(tile);
    let fits = actual.as_tile().is_some_and(|tile| {
        tile.element == Element::Scalar(view.tensor_view.element)
            && view.tile_shape().eq(tile.shape.iter().copied())
    });
    if fits {
        return;
    }
    let expected = view.tile_type();
    let message = format!("expected a tile `{expected}`, found `{actual}`");
    let rule = "the tile has the shape and the element type of the view's tiles";
    if op.operands.contains(&tile) {
        cx.operand_error(op, tile, message, rule);
    } else {
        cx.error(Code::VerifyResults, op, message, rule);
    }
}

fn verify_index_count(
    cx: &mut Context<'_>,
    op: &Op,
    view: TileView<'_>,
    index: &[ValueId],
) -> bool {
    let (expected, actual) = (view.tile.len(), index.len());
    if expected != actual {
        let message = format!("expected {expected} indices, found {actual}");
        let rule = "there is an index per axis of the tile";
        cx.error(Code::VerifyOperands, op, message, rule);
    }
    expected == actual
}

/// Reports indices of an atomic reduction that are not of rank 0; their types may differ.
pub(super) fn verify_reduction_index(cx: &mut Context<'_>, op: &Op, view: TileView<'_>) {
    let index = op.operands_of("index");
    if verify_index_count(cx, op, view, index) {
        for &value in index {
            verify_rank0(cx, op, value);
        }
    }
}

/// Reports an index that is not of rank 0. Returns `true` if the index is of rank 0.
fn verify_rank0(cx: &mut Context<'_>, op: &Op, value: ValueId) -> bool {
    let ty = cx.ty(value);
    let ranked = ty.as_tile().is_some_and(|tile| !tile.shape.is_empty());
    if ranked {
        let message = format!("expected a rank-0 index, found `{ty}`");
        cx.operand_error(op, value, message, "an index is a rank-0 tile");
    }
    !ranked
}

/// Reports indices whose types are not those of the view; there is one index per axis.
fn verify_index(cx: &mut Context<'_>, op: &Op, view: TileView<'_>, index: &[ValueId]) {
    let sparse = view.sparse_dim.map(|dim| dim as usize);
    let mut first = None;
    for (axis, &value) in index.iter().enumerate() {
        if Some(axis) == sparse {
            verify_sparse_index(cx, op, view.tile[axis], value);
            continue;
        }
        if !verify_rank0(cx, op, value) {
            continue;
        }
        let ty = cx.ty(value);
        let first = *first.get_or_insert(ty);
        if first != ty {
            let message = format!("expected an index `{first}`, found `{ty}`");
            cx.operand_error(op, value, message, "the rank-0 indices have one type");
        }
    }
}

/// Reports a tile of indices whose extent is not `extent`, that of the accessed tile along the
/// sparse axis.
fn verify_sparse_index(cx: &mut Context<'_>, op: &Op, extent: i32, value: ValueId) {
    let ty = cx.ty(value);
    let fits = ty
        .as_tile()
        .is_some_and(|tile| tile.shape == [i64::from(extent)]);
    if !fits {
        cx.operand_error(
            op,
            value,
            format!("expected a rank-1 index of {extent} elements, found `{ty}`"),
            "the index along `sparse_dim` is a tile with an index per element of the view's tile",
        );
    }
}

fn verify_inbounds(cx: &mut Context<'_>, op: &Op, inbounds: &[bool], indices: usize) {
    if inbounds.len() != indices {
        cx.error(
            Code::VerifyAttributes,
            op,
            format!(
                "expected `inbounds` to have {indices} entries, found {}",
                inbounds.len()
            ),
            "`inbounds` says for every index whether its tile is inside the tensor",
        );
    } else if !inbounds.contains(&true) {
        cx.error(
            Code::VerifyAttributes,
            op,
            "`inbounds` has no entry that is true",
            "`inbounds` is absent where it promises nothing",
        );
    }
}

fn make_tile_view(cx: &mut Context<'_>, op: &Op) {
    let operand = op.operands[0];
    let Some(view) = cx.ty(op.result()).as_tile_view() else {
        return;
    };
    let actual = cx.ty(operand);
    if Some(view.tensor_view) != actual.as_tensor_view() {
        cx.operand_error(
            op,
            operand,
            format!("expected `{}`, found `{actual}`", view.tensor_view),
            "the operand is the tensor that the view cuts",
        );
    }
}

fn make_tensor_view(cx: &mut Context<'_>, op: &Op) {
    let Some(view) = cx.ty(op.result()).as_tensor_view() else {
        return;
    };
    let base = op.operands[0];
    let actual = cx.ty(base);
    if Some(Element::Ptr(view.element)) != actual.as_tile().map(|tile| tile.element) {
        cx.operand_error(
            op,
            base,
            format!("expected a pointer to `{}`, found `{actual}`", view.element),
            "the base points to the elements of the tensor",
        );
    }
    dynamic_extents(cx, op, view);
}

fn dynamic_extents(cx: &mut Context<'_>, op: &Op, view: &TensorViewType) {
    let unknown = |list: &[Option<i64>]| list.iter().filter(|entry| entry.is_none()).count();
    let [shape, strides] = [1, 2].map(|slot| op.segments[slot] as usize);
    let counts = [
        ("extents", unknown(&view.shape), shape),
        ("strides", unknown(&view.strides), strides),
    ];
    for (what, expected, actual) in counts {
        if expected != actual {
            cx.error(
                Code::VerifyOperands,
                op,
                format!("expected {expected} dynamic {what}, found {actual}"),
                "there is an operand per `?` of the type",
            );
        }
    }
    let mut first: Option<Type> = None;
    for &value in &op.operands[1..] {
        let actual = cx.ty(value);
        let first = *first.get_or_insert(actual);
        if actual != first {
            cx.operand_error(
                op,
                value,
                format!("expected `{first}`, found `{actual}`"),
                "dynamic extents and strides have one type",
            );
        }
    }
}

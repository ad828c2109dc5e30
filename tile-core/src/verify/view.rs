//! Views: counts and types that follow from view types, and memory scopes.

use super::Context;
use crate::diag::Code;
use crate::ir::{Attr, MemoryOrdering, Op, ValueId};
use crate::ops::ViewOp;
use crate::types::{Element, PartitionViewType, Type, TypeKind};

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, op: &Op, opcode: ViewOp) {
    match opcode {
        ViewOp::GetIndexSpaceShape | ViewOp::GetTensorShape => shape_query(cx, op),
        ViewOp::LoadViewTko | ViewOp::StoreViewTko => access(cx, op),
        ViewOp::MakeGatherScatterView | ViewOp::MakeStridedView => {}
        ViewOp::MakePartitionView => make_partition_view(cx, op),
        ViewOp::MakeTensorView => make_tensor_view(cx, op),
    }
}

fn shape_query(cx: &mut Context<'_>, op: &Op) {
    let ty = cx.ty(op.operand("src"));
    let rank = match ty.kind() {
        TypeKind::TensorView(view) => view.shape.len(),
        TypeKind::PartitionView(view) => view.tile.len(),
        _ => return,
    };
    if op.results.len() != rank {
        cx.fault(
            Code::VerifyResults,
            op,
            format!("expected {rank} results, found {}", op.results.len()),
            "there is a result per axis",
        );
    }
    let types = cx.tys(&op.results);
    if let Some(other) = types.iter().find(|&ty| Some(ty) != types.first()) {
        cx.fault(
            Code::VerifyResults,
            op,
            format!("expected results of `{}`, found `{other}`", types[0]),
            "the results have one type",
        );
    }
}

fn access(cx: &mut Context<'_>, op: &Op) {
    let Some(view) = cx.ty(op.operand("view")).as_partition_view() else {
        return;
    };
    memory_scope(cx, op);
    let (tile, is_stored) = match op.opcode {
        crate::ops::Opcode::View(ViewOp::StoreViewTko) => (op.operand("tile"), true),
        _ => (op.results[0], false),
    };
    let (expected, found) = (view.tile_type(), cx.ty(tile));
    if expected != found {
        let message = format!("expected a tile `{expected}`, found `{found}`");
        let rule = "the tile has the shape and the element type of the view's tiles";
        if is_stored {
            cx.operand_fault(op, tile, message, rule);
        } else {
            cx.fault(Code::VerifyResults, op, message, rule);
        }
    }
    index(cx, op, view);
}

fn memory_scope(cx: &mut Context<'_>, op: &Op) {
    let Some(&Attr::MemoryOrdering(ordering)) = op.attr("memory_ordering_semantics") else {
        return;
    };
    let name = ordering.name();
    let message = match (ordering, op.attr("memory_scope")) {
        (MemoryOrdering::Weak, Some(_)) => "a weak access has a memory scope".to_owned(),
        (MemoryOrdering::Weak, None) => return,
        (_, None) => format!("an access that is `{name}` has no memory scope"),
        (_, Some(_)) => return,
    };
    cx.fault(
        Code::VerifyAttributes,
        op,
        message,
        "an access that orders others says for whom; a weak one orders nothing",
    );
}

fn index(cx: &mut Context<'_>, op: &Op, view: &PartitionViewType) {
    let index: &[ValueId] = op.operands_of("index");
    if index.len() != view.tile.len() {
        cx.fault(
            Code::VerifyOperands,
            op,
            format!(
                "expected {} indices, found {}",
                view.tile.len(),
                index.len()
            ),
            "there is an index per axis of the tile",
        );
        return;
    }
    let first = index.first().map(|&first| cx.ty(first));
    for &value in index {
        let ty: Type = cx.ty(value);
        let ranked = ty.as_tile().is_some_and(|tile| !tile.shape.is_empty());
        if ranked {
            let message = format!("expected a rank-0 index, found `{ty}`");
            cx.operand_fault(op, value, message, "an index is a rank-0 tile");
        } else if let Some(first) = first.filter(|&first| first != ty) {
            let message = format!("expected an index `{first}`, found `{ty}`");
            cx.operand_fault(op, value, message, "the indices have one type");
        }
    }
}

fn make_partition_view(cx: &mut Context<'_>, op: &Op) {
    let operand = op.operand("tensor_view");
    let Some(view) = cx.ty(op.result()).as_partition_view() else {
        return;
    };
    let expected = Type::new(TypeKind::TensorView(view.tensor_view.clone()));
    let found = cx.ty(operand);
    if expected != found {
        cx.operand_fault(
            op,
            operand,
            format!("expected `{expected}`, found `{found}`"),
            "the operand is the tensor that the view cuts",
        );
    }
}

fn make_tensor_view(cx: &mut Context<'_>, op: &Op) {
    let Some(view) = cx.ty(op.result()).as_tensor_view() else {
        return;
    };
    let base = op.operand("base");
    let found = cx.ty(base);
    if Some(Element::Ptr(view.element)) != found.as_tile().map(|tile| tile.element) {
        cx.operand_fault(
            op,
            base,
            format!("expected a pointer to `{}`, found `{found}`", view.element),
            "the base points to the elements of the tensor",
        );
    }
    let unknown = |list: &[Option<i64>]| list.iter().filter(|entry| entry.is_none()).count();
    let shape = op.operands_of("dynamicShape");
    let strides = op.operands_of("dynamicStrides");
    let counts = [
        ("extents", unknown(&view.shape), shape.len()),
        ("strides", unknown(&view.strides), strides.len()),
    ];
    for (what, expected, found) in counts {
        if expected != found {
            cx.fault(
                Code::VerifyOperands,
                op,
                format!("expected {expected} dynamic {what}, found {found}"),
                "there is an operand per `?` of the type",
            );
        }
    }
    let mut dynamic = shape.iter().chain(strides);
    let Some(first) = dynamic.next().map(|&first| cx.ty(first)) else {
        return;
    };
    for &value in dynamic {
        let found = cx.ty(value);
        if found != first {
            cx.operand_fault(
                op,
                value,
                format!("expected `{first}`, found `{found}`"),
                "dynamic extents and strides have one type",
            );
        }
    }
}

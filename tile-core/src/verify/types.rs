//! The limits of types.

use super::Context;
use crate::diag::{Code, Diagnostic};
use crate::ir::{OpId, ValueId};
use crate::types::{Element, Scalar, TensorViewType, TileType, TileView, Type, TypeKind};

/// Reports every value of a faulty type, where it is defined. Returns which
/// values those are.
pub(super) fn verify(cx: &mut Context<'_>, ops: &[OpId]) -> Vec<bool> {
    let module = cx.module;
    let mut faulty = vec![false; module.num_values()];
    let mut check = |cx: &mut Context<'_>, value: ValueId| {
        let ty = module.ty(value);
        let Some(fault) = type_fault(ty) else {
            return;
        };
        faulty[value.index()] = true;
        let loc = module.value(value).loc;
        cx.report(Diagnostic::error(Code::VerifyType, loc, fault).here(format!("this is `{ty}`")));
    };
    for &id in ops {
        let op = module.op(id);
        cx.at = Some(id);
        for &result in &op.results {
            check(cx, result);
        }
        for &region in &op.regions {
            for &block in &module.region(region).blocks {
                for &argument in &module.block(block).args {
                    check(cx, argument);
                }
            }
        }
    }
    faulty
}

/// The rule of the dialect that a value of type `ty` would break.
fn type_fault(ty: Type) -> Option<String> {
    match ty.kind() {
        TypeKind::Tile(tile) => tile_fault(tile),
        TypeKind::TensorView(view) => tensor_fault(view),
        TypeKind::PartitionView(view) => view
            .fault()
            .or_else(|| view_tile_fault(view.into()))
            .or_else(|| tensor_fault(&view.tensor_view)),
        TypeKind::StridedView(view) => view
            .fault()
            .or_else(|| view_tile_fault(view.into()))
            .or_else(|| tensor_fault(&view.tensor_view)),
        TypeKind::GatherScatterView(view) => view
            .fault()
            .or_else(|| view_tile_fault(view.into()))
            .or_else(|| tensor_fault(&view.tensor_view)),
        // Only unregistered operations make such values.
        TypeKind::Token | TypeKind::Foreign(_) => None,
        TypeKind::Error => Some("a type that could not be found out".to_owned()),
        TypeKind::Scalar(_) | TypeKind::Ptr(_) | TypeKind::Function(_) => {
            Some("a value must be a tile, a view or a token".to_owned())
        }
    }
}

/// The rule that the tiles of a view break.
fn view_tile_fault(view: TileView<'_>) -> Option<String> {
    tile_fault(&TileType {
        element: Element::Scalar(view.tensor_view.element),
        shape: view.tile.iter().map(|&extent| i64::from(extent)).collect(),
    })
}

fn tile_fault(tile: &TileType) -> Option<String> {
    if tile.element == Element::Ptr(Scalar::I4) {
        return Some("a pointer cannot point to `i4`".to_owned());
    }
    let even = || tile.shape.iter().any(|dim| dim % 2 == 0);
    if tile.element == Element::Scalar(Scalar::F4E2M1FN) && !even() {
        return Some("a tile of `f4E2M1FN` must have an even number of elements".to_owned());
    }
    tile.fault()
}

fn tensor_fault(view: &TensorViewType) -> Option<String> {
    if view.element == Scalar::I4 {
        return Some("a tensor cannot hold `i4`".to_owned());
    }
    view.fault()
}

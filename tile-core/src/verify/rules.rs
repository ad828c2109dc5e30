//! Constraints of slots and the agreement rules of rows.

use super::Context;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, Op, ValueId};
use crate::ops::{Constraint, Rule, SlotDef};
use crate::types::{Element, Scalar, Type, TypeKind, join};

/// Reports values whose type their slot does not admit.
pub(super) fn verify_constraints(cx: &mut Context<'_>, op: &Op) {
    for slot in op.def().operands {
        for &operand in op.operands_of(slot.name) {
            let ty = cx.ty(operand);
            if !admits(slot.constraint, ty) {
                let message = mismatch(slot, ty);
                cx.operand_fault(op, operand, message, slot_rule(op, slot));
            }
        }
    }
    for (slot, result) in results(op) {
        let ty = cx.ty(result);
        if !admits(slot.constraint, ty) {
            cx.fault(
                Code::VerifyResults,
                op,
                mismatch(slot, ty),
                slot_rule(op, slot),
            );
        }
    }
}

fn mismatch(slot: &SlotDef, ty: Type) -> String {
    format!(
        "expected `{}` to be {}, found `{ty}`",
        slot.name,
        describe(slot.constraint)
    )
}

fn slot_rule(op: &Op, slot: &SlotDef) -> String {
    format!(
        "`{}` of `{}` must be {}",
        slot.name,
        op.def().mnemonic,
        describe(slot.constraint)
    )
}

/// The results with their slots; a variadic slot comes last in every row.
fn results(op: &Op) -> Vec<(&'static SlotDef, ValueId)> {
    let slots = op.def().results;
    let mut pairs = Vec::new();
    for (at, &result) in op.results.iter().enumerate() {
        let slot = slots.get(at).or(slots.last());
        pairs.extend(slot.map(|slot| (slot, result)));
    }
    pairs
}

/// Whether a slot admits a type.
fn admits(constraint: Constraint, ty: Type) -> bool {
    let element = |accept: fn(Scalar) -> bool| match ty.as_tile().map(|tile| tile.element) {
        Some(Element::Scalar(scalar)) => accept(scalar),
        Some(Element::Ptr(_)) | None => false,
    };
    let rank0 = || ty.as_tile().is_some_and(|tile| tile.shape.is_empty());
    let pointer = || {
        ty.as_tile()
            .is_some_and(|tile| matches!(tile.element, Element::Ptr(_)))
    };
    let is_int = |scalar: Scalar| scalar.is_integer() && scalar != Scalar::I4;
    match constraint {
        Constraint::Any => true,
        Constraint::AnyTileIr => !matches!(ty.kind(), TypeKind::Function(_)),
        Constraint::Tile => ty.as_tile().is_some(),
        Constraint::IntTile => element(is_int),
        Constraint::I4IntTile => element(Scalar::is_integer),
        Constraint::BaseFloatTile => element(Scalar::is_base_float),
        Constraint::FloatTile => element(Scalar::is_float),
        Constraint::NumTile => element(|scalar| scalar != Scalar::I4),
        Constraint::I1Tile => element(|scalar| scalar == Scalar::I1),
        Constraint::I8Tile => element(|scalar| scalar == Scalar::I8),
        Constraint::I32Tile => element(|scalar| scalar == Scalar::I32),
        Constraint::I64Tile => element(|scalar| scalar == Scalar::I64),
        Constraint::I4NumTile => element(|_| true),
        Constraint::PtrTile => pointer(),
        Constraint::F32Tile => element(|scalar| scalar == Scalar::F32),
        Constraint::MmaScaledInput => {
            element(|scalar| matches!(scalar, Scalar::F8E4M3FN | Scalar::F8E5M2 | Scalar::F4E2M1FN))
        }
        Constraint::MmaScale => {
            element(|scalar| matches!(scalar, Scalar::F8E4M3FN | Scalar::F8E8M0FNU))
        }
        Constraint::ScalarI1 => rank0() && element(|scalar| scalar == Scalar::I1),
        Constraint::ScalarI32 => rank0() && element(|scalar| scalar == Scalar::I32),
        Constraint::ScalarInt => rank0() && element(is_int),
        Constraint::ScalarPtr => rank0() && pointer(),
        Constraint::MmaInput => element(|scalar| {
            scalar.is_base_float()
                || matches!(scalar, Scalar::TF32 | Scalar::F8E4M3FN | Scalar::F8E5M2)
        }),
        Constraint::MmaAccumulator => {
            element(|scalar| matches!(scalar, Scalar::F16 | Scalar::F32 | Scalar::F64))
        }
        Constraint::TensorView => ty.as_tensor_view().is_some(),
        Constraint::TileView => ty.as_tile_view().is_some(),
        Constraint::PartitionView => ty.as_partition_view().is_some(),
        Constraint::StridedView => matches!(ty.kind(), TypeKind::StridedView(_)),
        Constraint::GatherScatterView => matches!(ty.kind(), TypeKind::GatherScatterView(_)),
        Constraint::Token => ty.is_token(),
    }
}

/// The constraint in words.
fn describe(constraint: Constraint) -> &'static str {
    match constraint {
        Constraint::Any => "anything",
        Constraint::AnyTileIr => "a number, tile, view or token",
        Constraint::Tile => "a tile",
        Constraint::IntTile => "a tile of i1, i8, i16, i32 or i64",
        Constraint::I4IntTile => "a tile of integers",
        Constraint::BaseFloatTile => "a tile of f16, bf16, f32 or f64",
        Constraint::FloatTile => "a tile of floats",
        Constraint::NumTile => "a tile of numbers other than i4",
        Constraint::I1Tile => "a tile of i1",
        Constraint::I8Tile => "a tile of i8",
        Constraint::I32Tile => "a tile of i32",
        Constraint::I64Tile => "a tile of i64",
        Constraint::I4NumTile => "a tile of numbers",
        Constraint::PtrTile => "a tile of pointers",
        Constraint::F32Tile => "a tile of f32",
        Constraint::MmaScaledInput => "a tile of f8E4M3FN, f8E5M2 or f4E2M1FN",
        Constraint::MmaScale => "a tile of f8E4M3FN or f8E8M0FNU",
        Constraint::ScalarI1 => "a rank-0 tile of i1",
        Constraint::ScalarI32 => "a rank-0 tile of i32",
        Constraint::ScalarInt => "a rank-0 tile of integers",
        Constraint::ScalarPtr => "a rank-0 tile of pointers",
        Constraint::MmaInput => "a tile of f16, bf16, f32, f64, tf32, f8E4M3FN or f8E5M2",
        Constraint::MmaAccumulator => "a tile of f16, f32 or f64",
        Constraint::TensorView => "a tensor view",
        Constraint::TileView => "a partition, strided or gather/scatter view",
        Constraint::PartitionView => "a partition view",
        Constraint::StridedView => "a strided view",
        Constraint::GatherScatterView => "a gather/scatter view",
        Constraint::Token => "a token",
    }
}

/// Reports values that do not agree as the rules of the row demand.
pub(super) fn verify_rules(cx: &mut Context<'_>, op: &Op) {
    for rule in op.def().rules {
        match *rule {
            Rule::SameType(slots) => agree(cx, op, slots, "type", |ty| Some(ty.to_string())),
            Rule::SameShape(slots) => agree(cx, op, slots, "shape", |ty| {
                ty.as_tile().map(|tile| format!("({})", join(&tile.shape)))
            }),
            Rule::SameElement(slots) => agree(cx, op, slots, "element type", |ty| {
                ty.as_tile().map(|tile| tile.element.to_string())
            }),
            Rule::SameRank(slots) => agree(cx, op, slots, "rank", |ty| {
                ty.as_tile().map(|tile| tile.shape.len().to_string())
            }),
            Rule::FlagNeedsF32(flag, slot) => {
                if op.has_flag(flag) {
                    needs_f32(cx, op, flag, slot);
                }
            }
            Rule::RoundingNeedsF32(set, slot) => {
                let Some(&Attr::Rounding(mode)) = op.attr("rounding_mode") else {
                    continue;
                };
                if u64::from(set) >> mode.number() & 1 == 1 {
                    needs_f32(cx, op, &format!("rounding<{}>", mode.name()), slot);
                }
            }
            // Structure is verified before.
            Rule::Terminator | Rule::ParentIsOneOf(_) => {}
        }
    }
}

/// Reports each value that differs from the first in what `part` shows.
fn agree(
    cx: &mut Context<'_>,
    op: &Op,
    slots: &'static [&'static str],
    what: &str,
    part: fn(Type) -> Option<String>,
) {
    let mut values = slots.iter().flat_map(|&slot| values_of(op, slot));
    let Some((_, first, _)) = values.next() else {
        return;
    };
    let expected = part(cx.ty(first));
    let names: Vec<String> = slots.iter().map(|slot| format!("`{slot}`")).collect();
    let rule = format!(
        "`{}` needs {} of one {what}",
        op.def().mnemonic,
        names.join(", ")
    );
    for (slot, value, is_operand) in values {
        let found = part(cx.ty(value));
        let (Some(expected), Some(found)) = (&expected, &found) else {
            continue;
        };
        if expected == found {
            continue;
        }
        let code = if is_operand {
            Code::VerifyOperands
        } else {
            Code::VerifyResults
        };
        let message = format!("expected `{slot}` of {what} `{expected}`, found `{found}`");
        let mut diagnostic = Diagnostic::error(code, op.loc, message).note(rule.clone());
        if op.operands.contains(&first) {
            diagnostic = cx.with_definition(diagnostic, first);
        }
        if is_operand && value != first {
            diagnostic = cx.with_definition(diagnostic, value);
        }
        cx.report(diagnostic);
    }
}

fn needs_f32(cx: &mut Context<'_>, op: &Op, what: &str, slot: &'static str) {
    for (_, value, _) in values_of(op, slot) {
        let ty = cx.ty(value);
        let element = ty.as_tile().map(|tile| tile.element);
        if element != Some(Element::Scalar(Scalar::F32)) {
            cx.fault(
                Code::VerifyAttributes,
                op,
                format!("`{what}` on `{ty}`"),
                format!("`{what}` is for `f32` only"),
            );
        }
    }
}

/// The values of an operand or result slot: slot, value, whether an operand.
fn values_of(op: &Op, name: &'static str) -> Vec<(&'static str, ValueId, bool)> {
    if op.def().operands.iter().any(|slot| slot.name == name) {
        let operands = op.operands_of(name).iter();
        return operands.map(|&value| (name, value, true)).collect();
    }
    let named = |&(slot, _): &(&SlotDef, ValueId)| slot.name == name;
    let results = results(op).into_iter().filter(named);
    results.map(|(_, value)| (name, value, false)).collect()
}

//! Verifies the constraints of slots and the agreement rules of rows.

use super::plan::{Check, Place, Plan};
use super::{Context, listed};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, Op, ValueId};
use crate::ops::{Arity, Constraint, SlotDef};
use crate::types::{Element, Scalar, Type, TypeKind};

/// Reports values whose type their slot does not admit. Returns `false` if the type of a value is
/// invalid, which is reported at the definition of the value.
pub(super) fn verify_constraints(cx: &mut Context<'_>, op: &Op, plan: &Plan) -> bool {
    let module = cx.module;
    let mut is_clean = true;
    let mut start = 0;
    for ((slot, admitted), &len) in plan
        .def
        .operands
        .iter()
        .zip(&plan.operands)
        .zip(&op.segments)
    {
        let end = start + len as usize;
        for &operand in &op.operands[start..end] {
            let ty = module.ty(operand);
            match cx.types.class(ty) {
                None => return false,
                Some(class) if admitted.admit(class) => {}
                Some(_) => {
                    is_clean = false;
                    cx.operand_error(op, operand, mismatch(slot, ty), slot_rule(op, slot));
                }
            }
        }
        start = end;
    }
    let slots = plan.def.results;
    for (index, &result) in op.results.iter().enumerate() {
        // In every row, only the last slot is variadic.
        let slot = index.min(slots.len().saturating_sub(1));
        let ty = module.ty(result);
        match cx.types.class(ty) {
            None => return false,
            Some(class) if plan.results[slot].admit(class) => {}
            Some(_) => {
                is_clean = false;
                let (message, rule) = (mismatch(&slots[slot], ty), slot_rule(op, &slots[slot]));
                cx.error(Code::VerifyResults, op, message, rule);
            }
        }
    }
    is_clean
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

/// Returns `true` if a slot admits a type.
pub(crate) fn admits(constraint: Constraint, ty: Type) -> bool {
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
        Constraint::AnyTileIr => !matches!(ty.kind(), TypeKind::Function(_) | TypeKind::Foreign(_)),
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

/// Describes the constraint in words.
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

/// The part of their types in which the values of a rule agree.
#[derive(Clone, Copy)]
pub(super) enum Part {
    Type,
    Shape,
    Element,
    Rank,
}

impl Part {
    fn name(self) -> &'static str {
        match self {
            Part::Type => "type",
            Part::Shape => "shape",
            Part::Element => "element type",
            Part::Rank => "rank",
        }
    }

    /// Returns `true` if two types agree. Every part other than the type itself exists only for
    /// tiles.
    fn agrees(self, one: Type, other: Type) -> bool {
        match (self, one.as_tile(), other.as_tile()) {
            (Part::Type, ..) | (_, None, _) | (.., None) => one == other,
            (Part::Shape, Some(one), Some(other)) => one.shape == other.shape,
            (Part::Element, Some(one), Some(other)) => one.element == other.element,
            (Part::Rank, Some(one), Some(other)) => one.shape.len() == other.shape.len(),
        }
    }

    fn show(self, ty: Type) -> String {
        match (self, ty.as_tile()) {
            (Part::Type, _) | (_, None) => ty.to_string(),
            (Part::Shape, Some(tile)) => listed(&tile.shape),
            (Part::Element, Some(tile)) => tile.element.to_string(),
            (Part::Rank, Some(tile)) => tile.shape.len().to_string(),
        }
    }
}

/// Reports values that do not agree as the rules of the row require.
pub(super) fn verify_rules(cx: &mut Context<'_>, op: &Op, plan: &Plan) {
    for check in &plan.checks {
        match check {
            Check::Agree(part, slots) => agree(cx, op, slots, *part),
            Check::FlagNeedsF32(attr, slot) => {
                if op.attrs[*attr].is_some() {
                    let flag = plan.def.attrs[*attr].name;
                    needs_f32(cx, op, flag, *slot, str::to_owned);
                }
            }
            Check::RoundingNeedsF32(attr, set, slot) => {
                if let Some(Attr::Rounding(mode)) = op.attrs[*attr]
                    && u64::from(*set) >> mode.number() & 1 == 1
                {
                    needs_f32(cx, op, mode.name(), *slot, |mode| {
                        format!("rounding<{mode}>")
                    });
                }
            }
        }
    }
}

/// Reports each value that differs from the first in `part`. Absent values are skipped.
fn agree(cx: &mut Context<'_>, op: &Op, slots: &[Place], part: Part) {
    let module = cx.module;
    let mut first: Option<(ValueId, Place, Type)> = None;
    for &slot in slots {
        for &value in values_of(op, slot) {
            let actual = module.ty(value);
            match first {
                None => first = Some((value, slot, actual)),
                Some((_, _, expected)) if expected == actual || part.agrees(expected, actual) => {}
                Some((first, place, _)) => {
                    disagree(cx, op, slots, part, (first, place), (value, slot));
                }
            }
        }
    }
}

/// Reports that a value differs from the first one in `part`.
#[cold]
fn disagree(
    cx: &mut Context<'_>,
    op: &Op,
    slots: &[Place],
    part: Part,
    (first, first_place): (ValueId, Place),
    (value, place): (ValueId, Place),
) {
    let code = if place.is_operand {
        Code::VerifyOperands
    } else {
        Code::VerifyResults
    };
    let what = part.name();
    let (expected, actual) = (part.show(cx.ty(first)), part.show(cx.ty(value)));
    let names: Vec<String> = slots
        .iter()
        .map(|slot| format!("`{}`", slot.name))
        .collect();
    let slot = place.name;
    let message = format!("expected `{slot}` of {what} `{expected}`, found `{actual}`");
    let rule = format!(
        "`{}` needs {} of one {what}",
        op.def().mnemonic,
        names.join(", ")
    );
    let mut diagnostic = Diagnostic::error(code, op.loc, message).note(rule);
    if first_place.is_operand {
        diagnostic = cx.with_definition(diagnostic, first);
    }
    if place.is_operand {
        diagnostic = cx.with_definition(diagnostic, value);
    }
    cx.report(diagnostic);
}

/// Reports values of `slot` whose elements are not f32, so that a modifier does not apply.
/// `spelled` is the spelling of the modifier.
fn needs_f32(
    cx: &mut Context<'_>,
    op: &Op,
    modifier: &str,
    slot: Place,
    spelled: fn(&str) -> String,
) {
    for &value in values_of(op, slot) {
        let ty = cx.ty(value);
        let element = ty.as_tile().map(|tile| tile.element);
        if element != Some(Element::Scalar(Scalar::F32)) {
            cx.error(
                Code::VerifyAttributes,
                op,
                format!("`{}` on `{ty}`", spelled(modifier)),
                format!("{modifier} modifier only supported for f32 data type"),
            );
        }
    }
}

/// Returns the values of a slot.
fn values_of(op: &Op, place: Place) -> &[ValueId] {
    if !place.is_operand {
        // In every row, only the last slot is variadic.
        let rest = &op.results[place.index..];
        return match op.def().results[place.index].arity {
            Arity::Variadic => rest,
            Arity::One | Arity::Optional => &rest[..rest.len().min(1)],
        };
    }
    let start: u32 = op.segments[..place.index].iter().sum();
    let (start, len) = (start as usize, op.segments[place.index] as usize);
    &op.operands[start..start + len]
}

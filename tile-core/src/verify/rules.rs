//! Constraints of slots and the agreement rules of rows.

use super::{Context, listed};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, Op, ValueId};
use crate::ops::{Arity, Constraint, Rule, SlotDef};
use crate::types::{Element, Scalar, Type, TypeKind};

/// Reports values whose type their slot does not admit.
pub(super) fn verify_constraints(cx: &mut Context<'_>, op: &Op) {
    let mut start = 0;
    for (slot, &len) in op.def().operands.iter().zip(&op.segments) {
        let end = start + len as usize;
        for &operand in &op.operands[start..end] {
            let ty = cx.ty(operand);
            if !admits(slot.constraint, ty) {
                let message = mismatch(slot, ty);
                cx.operand_fault(op, operand, message, slot_rule(op, slot));
            }
        }
        start = end;
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
fn results(op: &Op) -> impl Iterator<Item = (&'static SlotDef, ValueId)> {
    let slots = op.def().results;
    let results = op.results.iter().enumerate();
    results.filter_map(|(at, &result)| Some((slots.get(at).or(slots.last())?, result)))
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

/// What the tiles of a rule have in common.
#[derive(Clone, Copy)]
enum Part {
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

    /// Whether two types agree in it; all but the types themselves is of tiles.
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

/// Reports values that do not agree as the rules of the row demand.
pub(super) fn verify_rules(cx: &mut Context<'_>, op: &Op) {
    for rule in op.def().rules {
        match *rule {
            Rule::SameType(slots) => agree(cx, op, slots, Part::Type),
            Rule::SameShape(slots) => agree(cx, op, slots, Part::Shape),
            Rule::SameElement(slots) => agree(cx, op, slots, Part::Element),
            Rule::SameRank(slots) => agree(cx, op, slots, Part::Rank),
            Rule::FlagNeedsF32(flag, slot) => {
                if op.has_flag(flag) {
                    needs_f32(cx, op, flag, flag, slot);
                }
            }
            Rule::RoundingNeedsF32(set, slot) => {
                let Some(&Attr::Rounding(mode)) = op.attr("rounding_mode") else {
                    continue;
                };
                if u64::from(set) >> mode.number() & 1 == 1 {
                    let what = format!("rounding<{}>", mode.name());
                    needs_f32(cx, op, &what, mode.name(), slot);
                }
            }
            // Structure is verified before.
            Rule::Terminator | Rule::ParentIsOneOf(_) => {}
        }
    }
}

/// Reports each value that differs from the first in `part`. Absent values are
/// passed over.
fn agree(cx: &mut Context<'_>, op: &Op, slots: &'static [&'static str], part: Part) {
    let mut first: Option<(ValueId, bool)> = None;
    for slot in slots {
        let (values, is_operand) = values_of(op, slot);
        for &value in values {
            let found = cx.ty(value);
            match first {
                None => first = Some((value, is_operand)),
                Some((first, _)) if part.agrees(cx.ty(first), found) => {}
                Some(first) => disagree(cx, op, slots, part, first, (slot, value, is_operand)),
            }
        }
    }
}

/// Reports that `value` of `slot` differs from `first` in `part`.
fn disagree(
    cx: &mut Context<'_>,
    op: &Op,
    slots: &[&str],
    part: Part,
    (first, first_is_operand): (ValueId, bool),
    (slot, value, is_operand): (&str, ValueId, bool),
) {
    let code = if is_operand {
        Code::VerifyOperands
    } else {
        Code::VerifyResults
    };
    let what = part.name();
    let (expected, found) = (part.show(cx.ty(first)), part.show(cx.ty(value)));
    let names: Vec<String> = slots.iter().map(|slot| format!("`{slot}`")).collect();
    let message = format!("expected `{slot}` of {what} `{expected}`, found `{found}`");
    let rule = format!(
        "`{}` needs {} of one {what}",
        op.def().mnemonic,
        names.join(", ")
    );
    let mut diagnostic = Diagnostic::error(code, op.loc, message).note(rule);
    if first_is_operand {
        diagnostic = cx.with_definition(diagnostic, first);
    }
    if is_operand {
        diagnostic = cx.with_definition(diagnostic, value);
    }
    cx.report(diagnostic);
}

fn needs_f32(cx: &mut Context<'_>, op: &Op, what: &str, modifier: &str, slot: &str) {
    for &value in values_of(op, slot).0 {
        let ty = cx.ty(value);
        let element = ty.as_tile().map(|tile| tile.element);
        if element != Some(Element::Scalar(Scalar::F32)) {
            cx.fault(
                Code::VerifyAttributes,
                op,
                format!("`{what}` on `{ty}`"),
                format!("{modifier} modifier only supported for f32 data type"),
            );
        }
    }
}

/// The values of the operand or result slot `name`, and whether they are operands.
fn values_of<'o>(op: &'o Op, name: &str) -> (&'o [ValueId], bool) {
    let def = op.def();
    let mut start = 0;
    for (slot, &len) in def.operands.iter().zip(&op.segments) {
        let end = start + len as usize;
        if slot.name == name {
            return (&op.operands[start..end], true);
        }
        start = end;
    }
    let at = def.results.iter().position(|slot| slot.name == name);
    let at = at.expect("rules name existing slots");
    let end = match def.results[at].arity {
        Arity::Variadic => op.results.len(),
        Arity::One | Arity::Optional => at + 1,
    };
    (&op.results[at..end], false)
}

//! Verifies the predicates of assumptions and the arguments of print formats.

use super::{Context, listed, ptx};
use crate::diag::Code;
use crate::ir::{AssumePredicate, Attr, Op};
use crate::ops::MiscOp;
use crate::types::{Element, TileType, Type, TypeKind};
use std::ops::Range;

/// Checks one operation of the group.
pub(super) fn verify(cx: &mut Context<'_>, op: &Op, opcode: MiscOp) {
    match opcode {
        MiscOp::PrintTko => print(cx, op),
        MiscOp::Assume => assume(cx, op),
        MiscOp::Ptx | MiscOp::PtxPure => ptx::verify(cx, op),
    }
}

fn print(cx: &mut Context<'_>, op: &Op) {
    let Some(Attr::Str(format)) = op.attr("str") else {
        return;
    };
    let arg_count = op.operands_of("args").len();
    let conversions = conversions(format.as_bytes());
    match conversions.map(|conversions| conversions.len()) {
        None => cx.error(
            Code::VerifyAttributes,
            op,
            format!("unterminated format expression in {format:?}"),
            "a conversion ends in one of `diuoxXeEfFgGaAcsSpn`; a percent sign is written `%%`",
        ),
        Some(expected) if expected != arg_count => cx.error(
            Code::VerifyOperands,
            op,
            format!("expected {expected} arguments for {format:?}, found {arg_count}"),
            "there is an argument per conversion of the format",
        ),
        Some(_) => {}
    }
}

/// Returns the positions of the conversion specifiers in a format; `None` if a specifier does not
/// end. As upstream parses them, all characters before the letter belong to the specifier. A
/// percent sign among these characters ends the specifier and starts the next one. `%%` is not a
/// specifier.
pub fn conversions(format: &[u8]) -> Option<Vec<Range<usize>>> {
    let find = |from: usize, set: &[u8]| {
        let rest = format[from..].iter();
        Some(from + rest.copied().position(|byte| set.contains(&byte))?)
    };
    let mut conversions = Vec::new();
    let mut offset = 0;
    while let Some(start) = find(offset, b"%") {
        let end = find(start + 1, b"diuoxXeEfFgGaAcsSpn%")?;
        if format[end] == b'%' && end == start + 1 {
            offset = end + 1;
        } else if format[end] == b'%' {
            conversions.push(start..end);
            offset = end;
        } else {
            conversions.push(start..end + 1);
            offset = end + 1;
        }
    }
    Some(conversions)
}

type RuleViolation = (String, &'static str);

fn assume(cx: &mut Context<'_>, op: &Op) {
    let Some(Attr::Assume(predicate)) = op.attr("predicate") else {
        return;
    };
    let ty = cx.ty(op.operands[0]);
    let error = match &**predicate {
        &AssumePredicate::DivBy {
            divisor,
            every,
            along,
        } => div_by(ty, divisor, every, along),
        AssumePredicate::SameElements(extents) => same_elements(ty, extents),
        &AssumePredicate::Bounded { lower, upper } => bounded(ty, lower, upper),
    };
    if let Err((message, rule)) = error {
        cx.error(Code::VerifyAttributes, op, message, rule);
    }
}

fn is_int_or_pointer(tile: &TileType) -> bool {
    match tile.element {
        Element::Scalar(scalar) => scalar.is_integer(),
        Element::Ptr(_) => true,
    }
}

/// The greatest divisor: the greatest power of two that a signed 64-bit number can represent.
const MAX_DIVISOR: u64 = 1 << 62;

/// Checks `div_by`, in the order of the upstream checks.
fn div_by(
    ty: Type,
    divisor: u64,
    every: Option<i64>,
    along: Option<i64>,
) -> Result<(), RuleViolation> {
    if !divisor.is_power_of_two() {
        return Err((
            format!("cannot assume divisibility by {divisor}"),
            "the divisor of `div_by` must be a power of 2",
        ));
    }
    let group = match (every, along) {
        (None, None) => None,
        (Some(every), Some(along)) => Some((every, along)),
        _ => {
            return Err((
                "one of `every` and `along` is missing".to_owned(),
                "groups have a length, `every`, and an axis, `along`",
            ));
        }
    };
    if divisor > MAX_DIVISOR {
        return Err((
            format!("cannot assume divisibility by {divisor}"),
            "the divisor of `div_by` is at most 2^62",
        ));
    }
    let no_groups = || {
        (
            format!("`every` and `along` on `{ty}`"),
            "only a tile of rank 1 or more has groups",
        )
    };
    let unfit = || {
        (
            format!("cannot assume divisibility of `{ty}`"),
            "`div_by` speaks of tiles of integers or pointers and of tensor views",
        )
    };
    let tile = match ty.kind() {
        TypeKind::TensorView(_) => return group.map_or(Ok(()), |_| Err(no_groups())),
        TypeKind::Tile(tile) => tile,
        _ => return Err(unfit()),
    };
    if group.is_some() && tile.shape.is_empty() {
        return Err(no_groups());
    }
    if !is_int_or_pointer(tile) {
        return Err(unfit());
    }
    let Some((every, along)) = group else {
        return Ok(());
    };
    let extent = usize::try_from(along)
        .ok()
        .and_then(|along| tile.shape.get(along));
    let Some(&extent) = extent else {
        return Err((
            format!("expected an axis below {}, found {along}", tile.shape.len()),
            "`along` is an axis of the tile",
        ));
    };
    if !(0..=extent).contains(&every) {
        return Err((
            format!("expected groups of at most {extent}, found {every}"),
            "`every` is at most the extent of the axis",
        ));
    }
    Ok(())
}

fn same_elements(ty: Type, extents: &[i64]) -> Result<(), RuleViolation> {
    let Some(tile) = ty.as_tile().filter(|tile| is_int_or_pointer(tile)) else {
        return Err((
            format!("cannot assume equal elements of `{ty}`"),
            "`same_elements` speaks of tiles of integers or pointers",
        ));
    };
    if extents.len() != tile.shape.len() {
        return Err((
            format!(
                "expected {} extents, found {}",
                tile.shape.len(),
                extents.len()
            ),
            "`same_elements` gives an extent per axis",
        ));
    }
    let fits = |(extent, dim): (&i64, &i64)| (0..=*dim).contains(extent);
    if !extents.iter().zip(&tile.shape).all(fits) {
        return Err((
            format!(
                "blocks of {} in a tile of {}",
                listed(extents),
                listed(&tile.shape)
            ),
            "a block is not larger than the tile",
        ));
    }
    Ok(())
}

fn bounded(ty: Type, lower: Option<i64>, upper: Option<i64>) -> Result<(), RuleViolation> {
    let scalar = ty.as_number_tile().map(|(scalar, _)| scalar);
    let Some(scalar) = scalar.filter(|scalar| scalar.is_integer()) else {
        return Err((
            format!("cannot assume bounds of `{ty}`"),
            "`bounded` speaks of tiles of integers",
        ));
    };
    let least = i64::MIN >> (64 - scalar.bits());
    let greatest = i64::MAX >> (64 - scalar.bits());
    for bound in [lower, upper].into_iter().flatten() {
        if !(least..=greatest).contains(&bound) {
            return Err((
                format!("the bound {bound} does not fit a signed `{scalar}`"),
                "the bounds are in the signed range of the element type",
            ));
        }
    }
    match (lower, upper) {
        (Some(lower), Some(upper)) if lower > upper => Err((
            format!("the lower bound {lower} is above the upper bound {upper}"),
            "no value would be within the bounds",
        )),
        _ => Ok(()),
    }
}

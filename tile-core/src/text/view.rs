//! Tensor views and shape queries: pairs of a parser and a printer, because the declarative format
//! supports neither lists that mix numbers and values nor result counts that depend on a type.

use super::draft::{Types, Values};
use super::lexer::TokenKind;
use super::parser::{Draft, Parse, Parser};
use super::printer::Printer;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Loc, Op, OpId, ValueId};
use crate::types::{Type, TypeKind};
use smallvec::smallvec;
use std::fmt::Write;

// make_tensor_view %base, shape = [N | %v, …], strides = [N | %v, …] : [IT ->] tensor_view<…>

/// An entry of a list: a number or a value, and its location.
enum Entry {
    Static(i64),
    Dynamic(ValueId),
}

pub(super) fn parse_make_tensor_view(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    draft.operands[0] = smallvec![parser.value()?];
    parser.expect(",")?;
    let shape_loc = parser.loc();
    let shape = parse_entries(parser, "shape")?;
    parser.expect(",")?;
    let strides_loc = parser.loc();
    let strides = parse_entries(parser, "strides")?;
    parser.attr_dict(&mut draft)?;
    parser.expect(":")?;
    let dynamic = |entries: &[(Entry, Loc)]| -> Values {
        let entries = entries.iter();
        entries
            .filter_map(|(entry, _)| match entry {
                Entry::Static(_) => None,
                Entry::Dynamic(value) => Some(*value),
            })
            .collect()
    };
    draft.operands[1] = dynamic(&shape);
    draft.operands[2] = dynamic(&strides);
    let index = draft.operands[1].iter().chain(&draft.operands[2]).next();
    if let Some(&index) = index {
        parser.type_of(index)?;
        parser.expect("->")?;
    }
    let loc = parser.loc();
    let ty = parser.parse_type()?;
    let TypeKind::TensorView(view) = ty.kind() else {
        return parser.fail(Diagnostic::error(
            Code::TypeMismatch,
            loc,
            format!("expected a `tensor_view`, found `{ty}`"),
        ));
    };
    check_entries(parser, "shape", shape_loc, &shape, &view.shape, ty)?;
    check_entries(parser, "strides", strides_loc, &strides, &view.strides, ty)?;
    draft.results[0] = Some(smallvec![ty]);
    Ok(parser.create(draft))
}

fn parse_entries(parser: &mut Parser<'_>, word: &str) -> Parse<Vec<(Entry, Loc)>> {
    parser.keyword(word)?;
    parser.expect("=")?;
    parser.list("[", "]", |parser| {
        let loc = parser.loc();
        let entry = if parser.token.kind == TokenKind::Value {
            Entry::Dynamic(parser.value()?)
        } else {
            Entry::Static(parser.integer()?)
        };
        Ok((entry, loc))
    })
}

/// Checks a list against the type: numbers must equal those of the type, and values are allowed
/// only where the type has `?`.
fn check_entries(
    parser: &mut Parser<'_>,
    word: &str,
    loc: Loc,
    entries: &[(Entry, Loc)],
    expected: &[Option<i64>],
    ty: Type,
) -> Parse<()> {
    let note = format!("the type is `{ty}`; numbers must equal its entries, values replace `?`");
    if entries.len() != expected.len() {
        let message = format!(
            "expected {} entries in `{word}`, found {}",
            expected.len(),
            entries.len()
        );
        return parser.fail(Diagnostic::error(Code::RankMismatch, loc, message).note(note));
    }
    for ((entry, loc), expected) in entries.iter().zip(expected) {
        let message = match (entry, expected) {
            (Entry::Dynamic(_), None) => continue,
            (Entry::Static(actual), Some(expected)) if actual == expected => continue,
            (Entry::Static(actual), Some(expected)) => {
                format!("expected `{expected}`, found `{actual}`")
            }
            (Entry::Static(actual), None) => format!("expected a value, found `{actual}`"),
            (Entry::Dynamic(_), Some(expected)) => format!("expected `{expected}`, found a value"),
        };
        return parser.fail(Diagnostic::error(Code::ShapeMismatch, *loc, message).note(note));
    }
    Ok(())
}

pub(super) fn print_make_tensor_view(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    let view = printer.module.ty(op.result()).as_tensor_view()?;
    printer.space_values(op.operands_of("base"));
    let (shape, strides) = (
        op.operands_of("dynamicShape"),
        op.operands_of("dynamicStrides"),
    );
    print_entries(printer, "shape", &view.shape, shape)?;
    print_entries(printer, "strides", &view.strides, strides)?;
    printer.attr_dict(op);
    printer.out.push_str(" :");
    if let Some(&index) = shape.iter().chain(strides).next() {
        printer.space_types(&[index]);
        printer.out.push_str(" ->");
    }
    printer.space_types(&op.results);
    Some(())
}

fn print_entries(
    printer: &mut Printer<'_>,
    word: &str,
    entries: &[Option<i64>],
    dynamic: &[ValueId],
) -> Option<()> {
    write!(printer.out, ", {word} = [").ok()?;
    let mut dynamic = dynamic.iter();
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            printer.out.push_str(", ");
        }
        match entry {
            Some(number) => write!(printer.out, "{number}").ok()?,
            None => printer.value(*dynamic.next()?),
        }
    }
    printer.out.push(']');
    dynamic.next().is_none().then_some(())
}

// %d:N = get_tensor_shape %v : VIEW -> T

pub(super) fn parse_shape_query(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    let source = parser.value()?;
    parser.attr_dict(&mut draft)?;
    parser.expect(":")?;
    let loc = parser.loc();
    let ty = parser.type_of(source)?;
    let Some(rank) = rank(ty) else {
        return parser.fail(Diagnostic::error(
            Code::TypeMismatch,
            loc,
            format!("expected a view, found `{ty}`"),
        ));
    };
    parser.expect("->")?;
    let results: Types = smallvec![parser.parse_type()?; rank];
    draft.operands[0] = smallvec![source];
    draft.results[0] = Some(results);
    Ok(parser.create(draft))
}

/// Returns the number of axes of a view.
fn rank(ty: Type) -> Option<usize> {
    match ty.kind() {
        TypeKind::TensorView(view) => Some(view.shape.len()),
        _ => ty.as_tile_view().map(|view| view.tile.len()),
    }
}

pub(super) fn print_shape_query(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    let source = op.operand("src");
    // The custom form writes the type of the first result, and a query of rank 0 has no results.
    let first = printer.module.ty(*op.results.first()?);
    let same = |&result: &ValueId| printer.module.ty(result) == first;
    if rank(printer.module.ty(source)) != Some(op.results.len()) || !op.results.iter().all(same) {
        return None;
    }
    printer.space_values(&[source]);
    printer.attr_dict(op);
    printer.out.push_str(" :");
    printer.space_types(&[source]);
    printer.out.push_str(" ->");
    printer.space_types(&op.results[..1]);
    Some(())
}

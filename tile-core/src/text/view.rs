//! Views, loads, stores and assumptions: pairs of a parser and a printer,
//! because of mixed lists of numbers and values, types written once for several
//! values, and result counts that follow from a type.

use super::core::{parse_hints, print_hints};
use super::lexer::TokenKind;
use super::parser::{Draft, Parse, Parser};
use super::printer::Printer;
use crate::diag::{Code, Diagnostic};
use crate::ir::{AssumePredicate, Attr, Loc, MemoryOrdering, MemoryScope, Op, OpId, ValueId};
use crate::types::{Type, TypeKind};
use std::fmt::Write;

// make_tensor_view %base, shape = [N | %v, …], strides = [N | %v, …] : [IT ->] tensor_view<…>

/// An entry of a list: a number or a value, and its place.
enum Entry {
    Static(i64),
    Dynamic(ValueId),
}

pub(super) fn parse_make_tensor_view(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    draft.operands[0] = vec![parser.value()?];
    parser.expect(",")?;
    let shape_loc = parser.loc();
    let shape = parse_entries(parser, "shape")?;
    parser.expect(",")?;
    let strides_loc = parser.loc();
    let strides = parse_entries(parser, "strides")?;
    parser.attr_dict(&mut draft)?;
    parser.expect(":")?;
    let dynamic = |entries: &[(Entry, Loc)]| -> Vec<ValueId> {
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
    draft.results[0] = Some(vec![ty]);
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

/// The list must say what the type says: numbers equal, values only at `?`.
fn check_entries(
    parser: &mut Parser<'_>,
    word: &str,
    loc: Loc,
    entries: &[(Entry, Loc)],
    expected: &[Option<i64>],
    ty: Type,
) -> Parse<()> {
    let note = format!("the type is `{ty}`; numbers must equal its entries, values stand for `?`");
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
            (Entry::Static(found), Some(expected)) if found == expected => continue,
            (Entry::Static(found), Some(expected)) => {
                format!("expected `{expected}`, found `{found}`")
            }
            (Entry::Static(found), None) => format!("expected a value, found `{found}`"),
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
    for (at, entry) in entries.iter().enumerate() {
        if at > 0 {
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
    let rank = match ty.kind() {
        TypeKind::TensorView(view) => view.shape.len(),
        TypeKind::PartitionView(view) => view.tile.len(),
        _ => {
            return parser.fail(Diagnostic::error(
                Code::TypeMismatch,
                loc,
                format!("expected a view, found `{ty}`"),
            ));
        }
    };
    let mut results = Vec::new();
    // A query of rank 0 has no results whose type could be written.
    if rank > 0 || parser.at("->") {
        parser.expect("->")?;
        results = vec![parser.parse_type()?; rank];
    }
    draft.operands[0] = vec![source];
    draft.results[0] = Some(results);
    Ok(parser.create(draft))
}

pub(super) fn print_shape_query(printer: &mut Printer<'_>, op: &Op) {
    let source = op.operand("src");
    printer.space_values(&[source]);
    printer.attr_dict(op);
    printer.out.push_str(" :");
    printer.space_types(&[source]);
    if let Some(&first) = op.results.first() {
        printer.out.push_str(" ->");
        printer.space_types(&[first]);
    }
}

// load_view_tko ORD [SCOPE] %v[%i, …] [token = %t] [optimization_hints = <…>]
//     : VIEW[, IT] -> T, token
// store_view_tko ORD [SCOPE] %tile, %v[%i, …] [token = %t] [optimization_hints = <…>]
//     : T, VIEW[, IT] -> token

pub(super) fn parse_load(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    parse_ordering(parser, &mut draft)?;
    let (view, index) = parse_access(parser, &mut draft)?;
    parser.type_of(view)?;
    parse_index_type(parser, &index)?;
    parser.expect("->")?;
    let tile = parser.parse_type()?;
    parser.expect(",")?;
    let token = parser.parse_type()?;
    draft.operands[0] = vec![view];
    draft.operands[1] = index;
    draft.results[0] = Some(vec![tile]);
    draft.results[1] = Some(vec![token]);
    Ok(parser.create(draft))
}

pub(super) fn parse_store(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    parse_ordering(parser, &mut draft)?;
    let tile = parser.value()?;
    parser.expect(",")?;
    let (view, index) = parse_access(parser, &mut draft)?;
    parser.type_of(tile)?;
    parser.expect(",")?;
    parser.type_of(view)?;
    parse_index_type(parser, &index)?;
    parser.expect("->")?;
    let token = parser.parse_type()?;
    draft.operands[0] = vec![tile];
    draft.operands[1] = vec![view];
    draft.operands[2] = index;
    draft.results[0] = Some(vec![token]);
    Ok(parser.create(draft))
}

fn parse_ordering(parser: &mut Parser<'_>, draft: &mut Draft) -> Parse<()> {
    let ordering = parser.one_of(MemoryOrdering::ALL, MemoryOrdering::name)?;
    draft.set("memory_ordering_semantics", Attr::MemoryOrdering(ordering));
    if parser.token.kind == TokenKind::Word {
        let scope = parser.one_of(MemoryScope::ALL, MemoryScope::name)?;
        draft.set("memory_scope", Attr::MemoryScope(scope));
    }
    Ok(())
}

/// `%v[%i, …] [token = %t] [optimization_hints = <…>] :`
fn parse_access(parser: &mut Parser<'_>, draft: &mut Draft) -> Parse<(ValueId, Vec<ValueId>)> {
    let view = parser.value()?;
    let index = parser.list("[", "]", Parser::value)?;
    if parser.eat_word("token") {
        parser.expect("=")?;
        let slot = draft.operands.len() - 1;
        draft.operands[slot] = vec![parser.value()?];
    }
    if let Some(hints) = parse_hints(parser)? {
        draft.set("optimization_hints", hints);
    }
    parser.attributes_clause(draft)?;
    parser.expect(":")?;
    Ok((view, index))
}

/// One type for all indices; absent if there are none.
fn parse_index_type(parser: &mut Parser<'_>, index: &[ValueId]) -> Parse<()> {
    let Some(&first) = index.first() else {
        return Ok(());
    };
    parser.expect(",")?;
    parser.type_of(first).map(|_| ())
}

pub(super) fn print_load(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    print_ordering(printer, op)?;
    printer.out.push(' ');
    print_access(printer, op)?;
    printer.space_types(op.operands_of("view"));
    print_index_type(printer, op);
    printer.out.push_str(" ->");
    printer.space_types(&op.results);
    Some(())
}

pub(super) fn print_store(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    print_ordering(printer, op)?;
    printer.space_values(op.operands_of("tile"));
    printer.out.push_str(", ");
    print_access(printer, op)?;
    printer.space_types(op.operands_of("tile"));
    printer.out.push(',');
    printer.space_types(op.operands_of("view"));
    print_index_type(printer, op);
    printer.out.push_str(" ->");
    printer.space_types(&op.results);
    Some(())
}

fn print_ordering(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    let Some(Attr::MemoryOrdering(ordering)) = op.attr("memory_ordering_semantics") else {
        return None;
    };
    printer.space(ordering.name());
    match op.attr("memory_scope") {
        None => {}
        Some(Attr::MemoryScope(scope)) => printer.space(scope.name()),
        Some(_) => return None,
    }
    Some(())
}

fn print_access(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    printer.values(op.operands_of("view"));
    printer.out.push('[');
    printer.values(op.operands_of("index"));
    printer.out.push(']');
    if let Some(token) = op.optional_operand("token") {
        printer.out.push_str(" token = ");
        printer.value(token);
    }
    print_hints(printer, op, "optimization_hints = ")?;
    printer.attributes_clause(op);
    printer.out.push_str(" :");
    Some(())
}

fn print_index_type(printer: &mut Printer<'_>, op: &Op) {
    if let Some(&first) = op.operands_of("index").first() {
        printer.out.push(',');
        printer.space_types(&[first]);
    }
}

// assume PREDICATE, %v : T

pub(super) fn parse_assume(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    let predicate = parser.through_alias(parse_predicate)?;
    parser.expect(",")?;
    let value = parser.value()?;
    parser.attr_dict(&mut draft)?;
    parser.expect(":")?;
    let ty = parser.type_of(value)?;
    draft.operands[0] = vec![value];
    draft.set("predicate", Attr::Assume(predicate));
    draft.results[0] = Some(vec![ty]);
    Ok(parser.create(draft))
}

pub(super) fn parse_predicate(parser: &mut Parser<'_>) -> Parse<AssumePredicate> {
    let prefixed = parser.eat("#");
    let word = parser.token.text;
    let name = match word.strip_prefix("cuda_tile.") {
        Some(name) if prefixed => name,
        None if !prefixed => word,
        _ => "",
    };
    if parser.token.kind != TokenKind::Word
        || !matches!(name, "div_by" | "same_elements" | "bounded")
    {
        return parser.unexpected("`div_by` or `same_elements` or `bounded`");
    }
    parser.bump();
    parser.expect("<")?;
    let predicate = match name {
        "div_by" => parse_div_by(parser)?,
        "same_elements" => AssumePredicate::SameElements(parser.list("[", "]", Parser::integer)?),
        _ => {
            let lower = parse_bound(parser)?;
            parser.expect(",")?;
            AssumePredicate::Bounded {
                lower,
                upper: parse_bound(parser)?,
            }
        }
    };
    parser.expect(">")?;
    Ok(predicate)
}

fn parse_div_by(parser: &mut Parser<'_>) -> Parse<AssumePredicate> {
    let divisor = parser.small("divisor")?;
    let (mut every, mut along) = (None, None);
    if parser.eat(",") {
        if parser.eat_word("every") {
            every = Some(parser.integer()?);
        }
        if parser.eat_word("along") {
            along = Some(parser.integer()?);
        }
    }
    Ok(AssumePredicate::DivBy {
        divisor,
        every,
        along,
    })
}

fn parse_bound(parser: &mut Parser<'_>) -> Parse<Option<i64>> {
    if parser.eat("?") {
        return Ok(None);
    }
    parser.integer().map(Some)
}

pub(super) fn print_assume(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    let Some(Attr::Assume(predicate)) = op.attr("predicate") else {
        return None;
    };
    printer.out.push(' ');
    print_predicate(printer, predicate);
    printer.out.push(',');
    printer.space_values(op.operands_of("value"));
    printer.attr_dict(op);
    printer.out.push_str(" :");
    printer.space_types(&op.results);
    Some(())
}

/// `div_by<…>` and the like.
pub(super) fn print_predicate(printer: &mut Printer<'_>, predicate: &AssumePredicate) {
    let out = &mut printer.out;
    let bound = |bound: &Option<i64>| bound.map_or("?".to_owned(), |bound| bound.to_string());
    match predicate {
        AssumePredicate::DivBy {
            divisor,
            every,
            along,
        } => {
            write!(out, "div_by<{divisor}").expect("strings do not fail");
            if every.is_some() || along.is_some() {
                out.push(',');
            }
            if let Some(every) = every {
                write!(out, " every {every}").expect("strings do not fail");
            }
            if let Some(along) = along {
                write!(out, " along {along}").expect("strings do not fail");
            }
        }
        AssumePredicate::SameElements(extents) => {
            write!(out, "same_elements<{extents:?}").expect("strings do not fail");
        }
        AssumePredicate::Bounded { lower, upper } => {
            write!(out, "bounded<{}, {}", bound(lower), bound(upper)).expect("strings do not fail");
        }
    }
    out.push('>');
}

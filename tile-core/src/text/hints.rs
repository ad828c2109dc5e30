//! Optimization hints per architecture: `<ARCH = {key = value, …}, …>`.

use super::constant::{parse_typed_number, print_typed_number};
use super::lexer::TokenKind;
use super::parser::{Parse, Parser};
use super::printer::Printer;
use crate::ir::{Attr, HintValue, Loc, OptimizationHints, TypedScalar};
use crate::types::{Scalar, TypeKind};
use std::fmt::Write;
use std::sync::Arc;

/// The maximum nesting depth of lists and dictionaries in a hint.
const MAX_DEPTH: usize = 32;

/// Parses the hints; `None` if there are none.
pub(super) fn parse_hints(parser: &mut Parser<'_>) -> Parse<Option<Attr>> {
    let mut per_arch = parser.list("<", ">", |parser| {
        let arch = key(parser)?;
        parser.expect("=")?;
        Ok((arch, dictionary(parser, 0)?))
    })?;
    if per_arch.is_empty() {
        return Ok(None);
    }
    sort_unique(parser, &mut per_arch)?;
    let per_arch = without_places(per_arch);
    Ok(Some(Attr::Hints(Arc::new(OptimizationHints { per_arch }))))
}

/// Parses `{key = value, …}` and sorts it by key.
fn dictionary(parser: &mut Parser<'_>, depth: usize) -> Parse<Vec<(String, HintValue)>> {
    let mut entries = parser.list("{", "}", |parser| {
        let key = key(parser)?;
        // In MLIR, a key without a value is a unit attribute, and no hint is one.
        parser.expect("=")?;
        Ok((key, value(parser, depth + 1)?))
    })?;
    sort_unique(parser, &mut entries)?;
    Ok(without_places(entries))
}

fn key(parser: &mut Parser<'_>) -> Parse<(String, Loc)> {
    let loc = parser.loc();
    if parser.token.kind == TokenKind::Str {
        return Ok((parser.string()?, loc));
    }
    let word = parser.take(TokenKind::Word, "a key")?;
    Ok((word.text.to_owned(), loc))
}

fn value(parser: &mut Parser<'_>, depth: usize) -> Parse<HintValue> {
    if depth > MAX_DEPTH {
        let loc = parser.loc();
        return parser.syntax(loc, format!("values nested deeper than {MAX_DEPTH}"));
    }
    Ok(match parser.token.kind {
        TokenKind::Str => HintValue::Str(parser.string()?.into()),
        TokenKind::Punct if parser.at("[") => {
            HintValue::Array(parser.list("[", "]", |parser| value(parser, depth + 1))?)
        }
        TokenKind::Punct if parser.at("{") => HintValue::Dict(dictionary(parser, depth)?),
        TokenKind::Word if parser.is_at_word("true") || parser.is_at_word("false") => {
            HintValue::Bool(super::attribute::parse_bool(parser)?)
        }
        TokenKind::Int | TokenKind::Float => number(parser)?,
        TokenKind::Punct if parser.at("-") => number(parser)?,
        _ => HintValue::Type(parser.parse_type()?),
    })
}

/// Parses a number, which is an i64 or f64 if no type is written.
fn number(parser: &mut Parser<'_>) -> Parse<HintValue> {
    let TypedScalar { scalar, bits } = parse_typed_number(parser)?;
    Ok(match scalar {
        Scalar::I64 => HintValue::Int(bits.cast_signed()),
        Scalar::I1 => HintValue::Bool(bits == 1),
        _ => HintValue::Number(TypedScalar { scalar, bits }),
    })
}

fn sort_unique<T>(parser: &mut Parser<'_>, entries: &mut [((String, Loc), T)]) -> Parse<()> {
    entries.sort_by(|((a, _), _), ((b, _), _)| a.cmp(b));
    let twice = entries
        .windows(2)
        .find(|pair| pair[0].0.0 == pair[1].0.0)
        .map(|pair| pair[1].0.clone());
    match twice {
        Some((key, loc)) => parser.syntax(loc, format!("`{key}` is given twice")),
        None => Ok(()),
    }
}

fn without_places<T>(entries: Vec<((String, Loc), T)>) -> Vec<(String, T)> {
    let entries = entries.into_iter();
    entries.map(|((key, _), value)| (key, value)).collect()
}

/// Prints `<…>`, without a leading space.
pub(super) fn print_hints(printer: &mut Printer<'_>, hints: &OptimizationHints) {
    printer.out.push('<');
    for (index, (arch, entries)) in hints.per_arch.iter().enumerate() {
        if index > 0 {
            printer.out.push_str(", ");
        }
        print_key(printer, arch);
        printer.out.push_str(" = ");
        print_dictionary(printer, entries, false);
    }
    printer.out.push('>');
}

/// Prints `{key = value, …}`; in a `nested` dictionary, MLIR writes the types of numbers.
fn print_dictionary(printer: &mut Printer<'_>, entries: &[(String, HintValue)], nested: bool) {
    printer.out.push('{');
    for (index, (key, value)) in entries.iter().enumerate() {
        if index > 0 {
            printer.out.push_str(", ");
        }
        print_key(printer, key);
        printer.out.push_str(" = ");
        print_value(printer, value);
        if nested && matches!(value, HintValue::Int(_)) {
            printer.out.push_str(" : i64");
        }
    }
    printer.out.push('}');
}

fn print_value(printer: &mut Printer<'_>, value: &HintValue) {
    match value {
        HintValue::Int(number) => write!(printer.out, "{number}").expect("strings do not fail"),
        HintValue::Bool(switch) => write!(printer.out, "{switch}").expect("strings do not fail"),
        HintValue::Number(number) => print_typed_number(printer, *number),
        HintValue::Str(text) => printer.string(text),
        HintValue::Type(ty) => {
            // MLIR's attribute printer does not know the enclosing module, so it prints the
            // dialect's prefix.
            if !matches!(
                ty.kind(),
                TypeKind::Scalar(_) | TypeKind::Function(_) | TypeKind::Foreign(_)
            ) {
                printer.out.push_str("!cuda_tile.");
            }
            printer.write_type(*ty);
        }
        HintValue::Array(values) => {
            printer.out.push('[');
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    printer.out.push_str(", ");
                }
                print_value(printer, value);
            }
            printer.out.push(']');
        }
        HintValue::Dict(entries) => print_dictionary(printer, entries, true),
    }
}

/// Prints a valid identifier unchanged, anything else as a string.
fn print_key(printer: &mut Printer<'_>, key: &str) {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    let starts = |first: char| first.is_ascii_alphabetic() || first == '_';
    if key.bytes().all(legal) && key.starts_with(starts) {
        printer.out.push_str(key);
    } else {
        printer.string(key);
    }
}

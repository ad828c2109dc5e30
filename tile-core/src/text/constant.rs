//! Numbers and lists of numbers: constants, global variables, identities.

use super::attribute;
use super::cursor::parse_magnitude;
use super::lexer::TokenKind;
use super::literal::{Literal, print_elements};
use super::number;
use super::parser::{Draft, Parse, Parser};
use super::printer::Printer;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, DenseElements, Op, OpId, SymbolVisibility, TypedScalar};
use crate::types::{Element, Scalar, TileType, Type};
use smallvec::smallvec;
use std::fmt::Write;
use std::sync::Arc;

// constant <E: LITERAL> : tile<…E>

pub(super) fn parse_constant(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    let (elements, ty) = parse_dense(parser)?;
    draft.set("value", Attr::Dense(Arc::new(elements)));
    draft.results[0] = Some(smallvec![ty]);
    Ok(parser.create(draft))
}

pub(super) fn print_constant(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    let Some(Attr::Dense(elements)) = op.attr("value") else {
        return None;
    };
    print_dense(printer, elements, printer.module.ty(op.result()))
}

// global [public | private] [constant] @name [alignment = N] <E: LITERAL> : tile<NxE>

pub(super) fn parse_global(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    let visibility = parser.token.text;
    if parser.token.kind == TokenKind::Word
        && let Some(visibility) = SymbolVisibility::parse(visibility)
    {
        parser.bump();
        draft.set("symbol_visibility", Attr::Visibility(visibility));
    }
    if parser.eat_word("constant") {
        draft.set("constant", Attr::Unit);
    }
    let name = parser.symbol("the variable's name")?;
    draft.set("sym_name", Attr::Str(name));
    if parser.eat_word("alignment") {
        parser.expect("=")?;
        draft.set("alignment", Attr::Int(parser.integer()?));
    }
    let (elements, ty) = parse_dense(parser)?;
    draft.set("value_type", Attr::Type(ty));
    draft.set("value", Attr::Dense(Arc::new(elements)));
    Ok(parser.create(draft))
}

pub(super) fn print_global(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    let (
        Some(Attr::Str(name)),
        Some(Attr::Type(ty)),
        Some(Attr::Dense(elements)),
        Some(&Attr::Int(alignment)),
        Some(Attr::Visibility(visibility)),
    ) = (
        op.attr("sym_name"),
        op.attr("value_type"),
        op.attr("value"),
        op.attr("alignment"),
        op.attr("symbol_visibility"),
    )
    else {
        return None;
    };
    if *visibility != SymbolVisibility::Public {
        printer.space(visibility.name());
    }
    if op.has_flag("constant") {
        printer.space("constant");
    }
    printer.out.push(' ');
    printer.symbol(name);
    if alignment != 0 {
        write!(printer.out, " alignment = {alignment}").ok()?;
    }
    print_dense(printer, elements, *ty)
}

// <E: LITERAL> : tile<…E>

fn parse_dense(parser: &mut Parser<'_>) -> Parse<(DenseElements, Type)> {
    parser.expect("<")?;
    let scalar = parser.scalar()?;
    parser.expect(":")?;
    let literal_start = parser.token.start;
    let literal = Literal::parse(parser, scalar)?;
    parser.expect(">")?;
    parser.expect(":")?;
    let loc = parser.loc();
    let ty = parser.parse_type()?;
    let Some(tile) = ty.as_tile() else {
        return parser.fail(Diagnostic::error(
            Code::TypeMismatch,
            loc,
            format!("expected a tile, found `{ty}`"),
        ));
    };
    if tile.element != Element::Scalar(scalar) {
        let literal_loc = parser.lexer.loc(literal_start);
        return parser.fail(
            Diagnostic::error(
                Code::TypeMismatch,
                loc,
                format!("expected a tile of `{scalar}`, found `{ty}`"),
            )
            .label(literal_loc, format!("the literal is of `{scalar}`")),
        );
    }
    match literal.fill(scalar, &tile.shape) {
        Ok(elements) => Ok((elements, ty)),
        Err(error) => {
            let loc = parser.lexer.loc(literal_start);
            parser.fail(error.at(loc))
        }
    }
}

/// Parses a number of type `scalar` and returns its bit pattern.
pub(super) fn parse_number(parser: &mut Parser<'_>, scalar: Scalar) -> Parse<u64> {
    let start = parser.token.start;
    if scalar == Scalar::I1 && parser.token.kind == TokenKind::Word {
        return attribute::parse_bool(parser).map(u64::from);
    }
    let negative = parser.eat("-");
    let token = parser.token;
    let hexadecimal = token.text.starts_with("0x");
    let bits = match token.kind {
        TokenKind::Int if scalar.is_integer() => parse_magnitude(token.text)
            .map(|value| if negative { -value } else { value })
            .and_then(|value| number::integer_bits(scalar, value)),
        TokenKind::Int if hexadecimal && !negative => parse_magnitude(token.text)
            .and_then(|value| u64::try_from(value).ok())
            .filter(|bits| scalar.bits() == 64 || bits >> scalar.bits() == 0),
        TokenKind::Float if scalar.is_float() => token
            .text
            .parse()
            .ok()
            .map(|value: f64| if negative { -value } else { value })
            .and_then(|value| number::encode(scalar, value)),
        _ if scalar.is_integer() => return parser.unexpected("an integer"),
        _ => return parser.unexpected("a number with a point or a bit pattern"),
    };
    parser.bump();
    let Some(bits) = bits else {
        let sign = if negative { "-" } else { "" };
        let loc = parser.lexer.loc(start);
        return parser.fail(Diagnostic::error(
            Code::OutOfRange,
            loc,
            format!("`{sign}{}` does not fit `{scalar}`", token.text),
        ));
    };
    Ok(bits)
}

/// Prints ` <E: LITERAL> : T`; returns `None` if the numbers do not fill the tile.
fn print_dense(printer: &mut Printer<'_>, elements: &DenseElements, ty: Type) -> Option<()> {
    let TileType { shape, .. } = ty.as_tile()?;
    let scalar = elements.scalar();
    write!(printer.out, " <{scalar}: ").ok()?;
    match elements {
        DenseElements::Splat { bits, .. } => number::print(&mut printer.out, scalar, *bits),
        DenseElements::Each { bits, .. } => {
            let count: i64 = shape.iter().try_fold(1i64, |n, &dim| n.checked_mul(dim))?;
            if shape.iter().any(|&dim| dim <= 0) || usize::try_from(count) != Ok(bits.len()) {
                return None;
            }
            if bits.iter().all(|other| *other == bits[0]) {
                number::print(&mut printer.out, scalar, bits[0]);
            } else {
                print_elements(&mut printer.out, scalar, bits, shape);
            }
        }
    }
    printer.out.push_str("> : ");
    printer.write_type(ty);
    Some(())
}

// 1.0 : f32

/// Parses a number and its type; the default is i64, f64 or i1. The type follows the number, which
/// is therefore read twice.
pub(super) fn parse_typed_number(parser: &mut Parser<'_>) -> Parse<TypedScalar> {
    if parser.token.kind == TokenKind::Word {
        let bits = parse_number(parser, Scalar::I1)?;
        if parser.eat(":") {
            parser.keyword("i1")?;
        }
        return Ok(TypedScalar {
            scalar: Scalar::I1,
            bits,
        });
    }
    let start = parser.token.start;
    parser.eat("-");
    let implied = match parser.token.kind {
        TokenKind::Int => Scalar::I64,
        TokenKind::Float => Scalar::F64,
        _ => return parser.unexpected("a number"),
    };
    parser.bump();
    let scalar = if parser.eat(":") {
        parser.scalar()?
    } else {
        implied
    };
    let end = parser.token.start;
    parser.rewind(start);
    let bits = parse_number(parser, scalar)?;
    parser.rewind(end);
    Ok(TypedScalar { scalar, bits })
}

/// Prints a number and its type, unless it is the default.
pub(super) fn print_typed_number(printer: &mut Printer<'_>, number: TypedScalar) {
    let TypedScalar { scalar, bits } = number;
    number::print(&mut printer.out, scalar, bits);
    let is_implied = match scalar {
        Scalar::I1 | Scalar::I64 => true,
        // Non-finite numbers are printed as bits, which look like an integer.
        Scalar::F64 => f64::from_bits(bits).is_finite(),
        _ => false,
    };
    if !is_implied {
        write!(printer.out, " : {scalar}").expect("strings do not fail");
    }
}

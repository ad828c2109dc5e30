//! Numbers, one by one and in lists: constants, global variables, identities.

use super::attribute;
use super::cursor::parse_magnitude;
use super::lexer::TokenKind;
use super::number;
use super::parser::{Draft, Parse, Parser};
use super::printer::Printer;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, DenseElements, Loc, Op, OpId, SymbolVisibility, TypedScalar};
use crate::types::{Element, Scalar, TileType, Type, join};
use std::fmt::Write;
use std::sync::Arc;

/// Lists in a literal nest at most this deep.
const MAX_RANK: usize = 32;

// constant <E: LITERAL> : tile<…E>

pub(super) fn parse_constant(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    let (elements, ty) = parse_dense(parser)?;
    draft.set("value", Attr::Dense(Arc::new(elements)));
    draft.results[0] = Some(vec![ty]);
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
    let (bits, shape) = parse_literal(parser, scalar)?;
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
    let literal_loc = || parser.lexer.loc(literal_start);
    if let Some(fault) = shape_fault(shape.as_deref(), &tile.shape, literal_loc) {
        return parser.fail(fault);
    }
    Ok((DenseElements::from_bits(scalar, bits), ty))
}

/// What is wrong with a literal of shape `found`, or a single number, in a tile.
pub(super) fn shape_fault(
    found: Option<&[i64]>,
    expected: &[i64],
    loc: impl FnOnce() -> Loc,
) -> Option<Diagnostic> {
    let found = found.filter(|found| *found != expected)?;
    let message = format!(
        "expected a literal of shape ({}), found ({})",
        join(expected),
        join(found)
    );
    let rule = "nested lists have the shape of the tile; a single number is repeated";
    Some(Diagnostic::error(Code::ShapeMismatch, loc(), message).note(rule))
}

/// The bits of numbers of type `scalar`, and the shape of the lists that they
/// stand in; none for a single number.
pub(super) fn parse_literal(
    parser: &mut Parser<'_>,
    scalar: Scalar,
) -> Parse<(Vec<u64>, Option<Vec<i64>>)> {
    let mut literal = Literal {
        scalar,
        bits: Vec::new(),
        extents: Vec::new(),
        rank: None,
    };
    literal.parse(parser, 0)?;
    let shape = (literal.rank != Some(0)).then(|| literal.shape());
    Ok((literal.bits, shape))
}

/// Nested lists while they are read.
struct Literal {
    scalar: Scalar,
    bits: Vec<u64>,
    /// The length of the lists of each depth, once one of them is complete.
    extents: Vec<Option<usize>>,
    /// The depth of the numbers, once there is one.
    rank: Option<usize>,
}

impl Literal {
    fn parse(&mut self, parser: &mut Parser<'_>, depth: usize) -> Parse<()> {
        let start = parser.token.start;
        let is_list = parser.at("[");
        // A number among lists, or a list among numbers.
        if self.rank.is_some_and(|rank| (depth < rank) != is_list) {
            return differ(parser, start);
        }
        if !is_list {
            self.bits.push(parse_number(parser, self.scalar)?);
            self.rank = Some(depth);
            return Ok(());
        }
        if depth == MAX_RANK {
            let loc = parser.lexer.loc(start);
            return parser.syntax(loc, format!("lists nested deeper than {MAX_RANK}"));
        }
        if self.extents.len() == depth {
            self.extents.push(None);
        }
        parser.bump();
        let mut count = 0;
        while count == 0 || parser.eat(",") {
            if count == 0 && parser.at("]") {
                let loc = parser.lexer.loc(start);
                return parser.syntax(loc, "expected at least one number, found an empty list");
            }
            self.parse(parser, depth + 1)?;
            count += 1;
        }
        parser.expect("]")?;
        if *self.extents[depth].get_or_insert(count) != count {
            return differ(parser, start);
        }
        Ok(())
    }

    fn shape(&self) -> Vec<i64> {
        let extents = self.extents.iter().flatten();
        extents
            .map(|&extent| i64::try_from(extent).expect("fewer numbers than bytes"))
            .collect()
    }
}

fn differ<T>(parser: &mut Parser<'_>, start: usize) -> Parse<T> {
    let loc = parser.lexer.loc(start);
    parser.syntax(loc, "lists at one level of a literal differ in shape")
}

/// The bit pattern of a number of type `scalar`.
fn parse_number(parser: &mut Parser<'_>, scalar: Scalar) -> Parse<u64> {
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

/// Prints ` <E: LITERAL> : T`; `None` if the numbers do not fill the tile.
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
                print_lists(&mut printer.out, scalar, bits, shape);
            }
        }
    }
    printer.out.push_str("> : ");
    printer.write_type(ty);
    Some(())
}

pub(super) fn print_lists(out: &mut String, scalar: Scalar, bits: &[u64], shape: &[i64]) {
    let Some((&extent, inner)) = shape.split_first() else {
        number::print(out, scalar, bits[0]);
        return;
    };
    let extent = usize::try_from(extent).expect("extents are positive");
    out.push('[');
    for (at, part) in bits.chunks(bits.len() / extent).enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        print_lists(out, scalar, part, inner);
    }
    out.push(']');
}

// 1.0 : f32

/// A number and its type, which is i64, f64 or i1 if it is not written. The
/// number comes before its type, so it is read a second time.
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

/// A number and its type, unless that is the one that is implied.
pub(super) fn print_typed_number(printer: &mut Printer<'_>, number: TypedScalar) {
    let TypedScalar { scalar, bits } = number;
    number::print(&mut printer.out, scalar, bits);
    if !matches!(scalar, Scalar::I1 | Scalar::I64 | Scalar::F64) {
        write!(printer.out, " : {scalar}").expect("strings do not fail");
    }
}

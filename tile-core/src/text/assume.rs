//! Predicates of `assume`: `div_by<…>`, `same_elements<…>`, `bounded<…>`.

use super::lexer::TokenKind;
use super::parser::{Parse, Parser};
use super::printer::Printer;
use crate::ir::AssumePredicate;
use std::fmt::Write;

/// Parses a predicate, with or without `#cuda_tile.`.
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

/// Prints a predicate, without `#cuda_tile.`.
pub(super) fn print_predicate(printer: &mut Printer<'_>, predicate: &AssumePredicate) {
    let out = &mut printer.out;
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
            out.push_str("bounded<");
            print_bound(out, *lower);
            out.push_str(", ");
            print_bound(out, *upper);
        }
    }
    out.push('>');
}

fn print_bound(out: &mut String, bound: Option<i64>) {
    match bound {
        Some(bound) => write!(out, "{bound}").expect("strings do not fail"),
        None => out.push('?'),
    }
}

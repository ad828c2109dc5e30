//! The engine that runs a row's `asm`, in both directions.
//!
//! The language is the part of MLIR's declarative format that the table uses:
//! literals in backquotes, `$slot`, `type($slot)` and one optional group
//! `( … $anchor^ … )?`. Attributes that may be absent are printed in the
//! order of the format and parsed in any order within their run.

use super::lexer::TokenKind;
use super::parser::{Draft, Parse, Parser};
use super::printer::Printer;
use crate::ir::{
    Attr, ComparisonOrdering, ComparisonPredicate, IntegerOverflow, Op, OpId, RoundingMode,
    Signedness,
};
use crate::ops::{Arity, AttrDef, AttrKind, OpDef, Opcode, Presence};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::sync::OnceLock;

/// A piece of an assembly format; numbers are slots of the row.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Element {
    Literal(String),
    Operand(usize),
    Attr(usize),
    OperandType(usize),
    ResultType(usize),
    /// Attributes that no other piece names.
    AttrDict,
    /// Present if the operand slot `.0` holds anything.
    Group(usize, Vec<Element>),
}

/// The formats of all rows that are not `custom`.
fn formats() -> &'static FxHashMap<Opcode, Vec<Element>> {
    static FORMATS: OnceLock<FxHashMap<Opcode, Vec<Element>>> = OnceLock::new();
    FORMATS.get_or_init(|| {
        Opcode::all()
            .filter(|op| op.def().asm != "custom")
            .map(|op| (op, compile(op.def())))
            .collect()
    })
}

fn format_of(opcode: Opcode) -> &'static [Element] {
    formats()
        .get(&opcode)
        .expect("operations with custom assembly do not come here")
}

/// Reads the format of a row; a test compiles every row.
fn compile(def: &'static OpDef) -> Vec<Element> {
    let spaced = def.asm.replace('(', " ( ").replace(')', " ) ");
    // `type($slot)` is one piece again, groups stay in parentheses.
    let joined = spaced.replace("type ( ", "type(");
    let mut elements = Vec::new();
    let mut group: Option<(Option<usize>, Vec<Element>)> = None;
    for piece in joined.split_whitespace() {
        let element = if piece == "(" {
            group = Some((None, Vec::new()));
            continue;
        } else if piece == "?" {
            let (anchor, body) = group.take().expect("a group ends where one began");
            Element::Group(anchor.expect("a group has an anchor"), body)
        } else if piece == ")" {
            // The end of `type($slot)`, or of a group before its `?`.
            continue;
        } else if let Some(slot) = piece.strip_prefix("type($") {
            match operand_slot(def, slot) {
                Some(at) => Element::OperandType(at),
                None => Element::ResultType(result_slot(def, slot)),
            }
        } else if let Some(slot) = piece.strip_prefix('$') {
            let anchored = slot.strip_suffix('^');
            let slot = anchored.unwrap_or(slot);
            match operand_slot(def, slot) {
                Some(at) => {
                    if let (Some(_), Some((anchor, _))) = (anchored, &mut group) {
                        *anchor = Some(at);
                    }
                    Element::Operand(at)
                }
                None => Element::Attr(attr_slot(def, slot)),
            }
        } else {
            let literal = piece.strip_prefix('`').and_then(|p| p.strip_suffix('`'));
            Element::Literal(literal.expect("a literal is in backquotes").to_owned())
        };
        match &mut group {
            Some((_, body)) => body.push(element),
            None => elements.push(element),
        }
    }
    let is_literal = |text: &'static str| move |element: &Element| matches!(element, Element::Literal(literal) if literal == text);
    let at = match elements.as_slice() {
        [Element::Group(..)] => 0,
        _ => elements
            .iter()
            .position(is_literal(":"))
            .or_else(|| elements.iter().position(is_literal("->")))
            .unwrap_or(elements.len()),
    };
    elements.insert(at, Element::AttrDict);
    elements
}

fn operand_slot(def: &OpDef, name: &str) -> Option<usize> {
    def.operands.iter().position(|slot| slot.name == name)
}

fn result_slot(def: &OpDef, name: &str) -> usize {
    let at = def.results.iter().position(|slot| slot.name == name);
    at.unwrap_or_else(|| panic!("the format of `{}` names `{name}`", def.mnemonic))
}

fn attr_slot(def: &OpDef, name: &str) -> usize {
    let at = def.attrs.iter().position(|slot| slot.name == name);
    at.unwrap_or_else(|| panic!("the format of `{}` names `{name}`", def.mnemonic))
}

/// Parses what follows the mnemonic and puts the operation into the block.
pub(super) fn parse(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    let format = format_of(draft.opcode);
    parse_elements(parser, &mut draft, format)?;
    Ok(parser.create(draft))
}

fn parse_elements(parser: &mut Parser<'_>, draft: &mut Draft, elements: &[Element]) -> Parse<()> {
    let def = draft.opcode.def();
    let mut at = 0;
    while let Some(element) = elements.get(at) {
        at += 1;
        match element {
            Element::Literal(text) => literal(parser, text)?,
            &Element::Operand(slot) => {
                draft.operands[slot] = match def.operands[slot].arity {
                    Arity::One => vec![parser.value()?],
                    Arity::Optional | Arity::Variadic if parser.token.kind != TokenKind::Value => {
                        Vec::new()
                    }
                    Arity::Optional => vec![parser.value()?],
                    Arity::Variadic => parser.comma_list(Parser::value)?,
                }
            }
            &Element::Attr(slot) if def.attrs[slot].presence == Presence::Required => {
                draft.attrs[slot] = Some(parse_attr(parser, &def.attrs[slot])?);
            }
            Element::Attr(_) => {
                let start = at - 1;
                while matches!(elements.get(at), Some(&Element::Attr(slot))
                    if def.attrs[slot].presence != Presence::Required)
                {
                    at += 1;
                }
                parse_run(parser, draft, &elements[start..at])?;
            }
            &Element::OperandType(slot) => {
                let values = draft.operands[slot].clone();
                match (def.operands[slot].arity, values.as_slice()) {
                    (Arity::One, &[value]) => drop(parser.type_of(value)?),
                    _ => drop(parser.types_of(&values)?),
                }
            }
            &Element::ResultType(slot) => draft.results[slot] = Some(vec![parser.parse_type()?]),
            Element::AttrDict => parser.attr_dict(draft)?,
            Element::Group(anchor, body) => {
                debug_assert!(draft.operands[*anchor].is_empty());
                if parser.token.kind == TokenKind::Value && !parser.starts_line() {
                    parse_elements(parser, draft, body)?;
                }
            }
        }
    }
    Ok(())
}

fn literal(parser: &mut Parser<'_>, text: &str) -> Parse<()> {
    if text.starts_with(|first: char| first.is_ascii_alphabetic()) {
        parser.keyword(text)
    } else {
        parser.expect(text)
    }
}

/// Attributes that may be absent, in any order.
fn parse_run(parser: &mut Parser<'_>, draft: &mut Draft, run: &[Element]) -> Parse<()> {
    let def = draft.opcode.def();
    let mut left: Vec<usize> = run
        .iter()
        .filter_map(|element| match element {
            &Element::Attr(slot) => Some(slot),
            _ => None,
        })
        .collect();
    while parser.token.kind == TokenKind::Word {
        let word = parser.token.text;
        let found = left.iter().position(|&slot| {
            let AttrDef { name, kind, .. } = def.attrs[slot];
            opening_word(name, kind) == word
        });
        let Some(found) = found else {
            break;
        };
        let slot = left.remove(found);
        draft.attrs[slot] = Some(parse_attr(parser, &def.attrs[slot])?);
    }
    Ok(())
}

/// The word that starts the text of an attribute that may be absent.
fn opening_word(name: &'static str, kind: AttrKind) -> &'static str {
    match kind {
        AttrKind::Overflow => "overflow",
        AttrKind::Rounding(_) => "rounding",
        _ => name,
    }
}

fn parse_attr(parser: &mut Parser<'_>, slot: &AttrDef) -> Parse<Attr> {
    Ok(match slot.kind {
        AttrKind::Unit => {
            parser.keyword(slot.name)?;
            Attr::Unit
        }
        AttrKind::Signedness => Attr::Signedness(parser.one_of(Signedness::ALL, Signedness::name)?),
        AttrKind::Predicate => {
            Attr::Predicate(parser.one_of(ComparisonPredicate::ALL, ComparisonPredicate::name)?)
        }
        AttrKind::Ordering => {
            Attr::Ordering(parser.one_of(ComparisonOrdering::ALL, ComparisonOrdering::name)?)
        }
        AttrKind::Overflow => {
            parser.keyword("overflow")?;
            parser.expect("<")?;
            let overflow = parser.one_of(IntegerOverflow::ALL, IntegerOverflow::name)?;
            parser.expect(">")?;
            Attr::Overflow(overflow)
        }
        AttrKind::Rounding(_) => {
            parser.keyword("rounding")?;
            parser.expect("<")?;
            let mode = parser.one_of(RoundingMode::ALL, RoundingMode::name)?;
            parser.expect(">")?;
            Attr::Rounding(mode)
        }
        AttrKind::I32Array => {
            Attr::I32Array(parser.list("[", "]", |parser| parser.small("32-bit number"))?)
        }
        kind => unreachable!("no declarative format has an attribute of kind {kind:?}"),
    })
}

/// Prints what follows the mnemonic; `None` if an attribute is of a wrong kind.
pub(super) fn print(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    print_elements(printer, op, format_of(op.opcode))
}

fn print_elements(printer: &mut Printer<'_>, op: &Op, elements: &[Element]) -> Option<()> {
    let def = op.def();
    for element in elements {
        match element {
            Element::Literal(text) if text == "," => printer.out.push(','),
            Element::Literal(text) => printer.space(text),
            &Element::Operand(slot) => {
                printer.space_values(op.operands_of(def.operands[slot].name));
            }
            &Element::OperandType(slot) => {
                printer.space_types(op.operands_of(def.operands[slot].name));
            }
            // No format names a slot after a variadic one.
            &Element::ResultType(slot) => printer.space_types(&op.results[slot..=slot]),
            &Element::Attr(slot) => print_attr(printer, &def.attrs[slot], op.attrs[slot].as_ref())?,
            Element::AttrDict => printer.attr_dict(op),
            Element::Group(anchor, body) => {
                if !op.operands_of(def.operands[*anchor].name).is_empty() {
                    print_elements(printer, op, body)?;
                }
            }
        }
    }
    Some(())
}

fn print_attr(printer: &mut Printer<'_>, slot: &AttrDef, attr: Option<&Attr>) -> Option<()> {
    let Some(attr) = attr else {
        return (slot.presence != Presence::Required).then_some(());
    };
    let default = match slot.presence {
        Presence::Default(number) => Some(number),
        Presence::Required | Presence::Optional | Presence::AllFalse => None,
    };
    match attr {
        Attr::Unit => printer.space(slot.name),
        Attr::Signedness(value) => printer.space(value.name()),
        Attr::Predicate(value) => printer.space(value.name()),
        Attr::Ordering(value) => printer.space(value.name()),
        Attr::Overflow(value) if default == Some(value.number()) => {}
        Attr::Overflow(value) => write!(printer.out, " overflow<{}>", value.name()).ok()?,
        Attr::Rounding(value) if default == Some(value.number()) => {}
        Attr::Rounding(value) => write!(printer.out, " rounding<{}>", value.name()).ok()?,
        Attr::I32Array(values) => write!(printer.out, " {values:?}").ok()?,
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::{Element, compile, formats};
    use crate::ops::{ControlFlowOp, IntegerOp, Opcode};

    #[test]
    fn every_declarative_format_compiles() {
        let custom = Opcode::all().filter(|op| op.def().asm == "custom").count();
        assert_eq!(formats().len() + custom, Opcode::all().count());
    }

    #[test]
    fn a_format_is_its_elements() {
        assert_eq!(
            compile(IntegerOp::AddI.def()),
            [
                Element::Operand(0),
                Element::Literal(",".to_owned()),
                Element::Operand(1),
                Element::Attr(0),
                Element::AttrDict,
                Element::Literal(":".to_owned()),
                Element::ResultType(0),
            ]
        );
        assert_eq!(
            compile(ControlFlowOp::Yield.def()),
            [
                Element::AttrDict,
                Element::Group(
                    0,
                    vec![
                        Element::Operand(0),
                        Element::Literal(":".to_owned()),
                        Element::OperandType(0),
                    ]
                )
            ]
        );
    }
}

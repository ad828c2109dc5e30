//! The engine that interprets a row's `asm`, for parsing and printing.
//!
//! The language is the subset of MLIR's declarative format that the table uses, with extensions:
//!
//! - `` `word` ``, `` `,` ``: a literal; `` `token=` `` is two literals without a space between
//!   them;
//! - `$slot`: operands or an attribute; `$slot!` rejects a value that the row does not allow while
//!   parsing, rather than in the verifier;
//! - `type($slot)`: the type of an operand or result;
//! - `types($slot)`: the types of operands, once if all are the same;
//! - `( … )?`: a group, present if its anchor (`$slot^`, `type($slot)^`) is. The parser decides by
//!   the first element, or, if the anchor is a type, by the presence of the operand.
//!
//! Spaces are printed as in MLIR: none after an opening bracket, and none before a closing bracket
//! or a comma. Optional attributes are printed in the order of the format and parsed in any order
//! within their run.

use super::attribute;
use super::lexer::TokenKind;
use super::parser::{Draft, Parse, Parser};
use super::printer::Printer;
use crate::ir::{Op, OpId};
use crate::ops::{Arity, OpDef, Opcode, Presence};
use smallvec::{SmallVec, smallvec};
use std::sync::OnceLock;

/// An element of an assembly format, and whether a space is printed before it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Element {
    kind: Kind,
    space: bool,
}

/// The kind of an element. Numbers are indices of slots of the row.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// A word, or punctuation.
    Literal(&'static str),
    Operand(usize),
    Attr {
        slot: usize,
        /// Is `true` if the parser rejects values that the row does not allow.
        strict: bool,
        /// Is `true` if the attribute may be absent; an anchor may not.
        optional: bool,
    },
    OperandType(usize),
    /// The types of the operands, once if all are the same.
    OperandTypes(usize),
    ResultType(usize),
    /// The attributes that no other element names, written as `attributes {…}` if `.0` is `true`,
    /// else as `{…}`.
    AttrDict(bool),
    Group(Anchor, Vec<Element>),
}

/// The element whose presence decides whether a group is present.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Anchor {
    Operand(usize),
    /// An operand that precedes the group, and whose type the group holds.
    OperandType(usize),
    Attr(usize),
}

/// Returns the format of an operation that is not `custom`.
fn format_of(opcode: Opcode) -> &'static [Element] {
    static FORMATS: OnceLock<Vec<Vec<Element>>> = OnceLock::new();
    let formats = FORMATS.get_or_init(|| {
        Opcode::all()
            .map(|opcode| match opcode.def() {
                OpDef { asm: "custom", .. } => Vec::new(),
                def => compile(def),
            })
            .collect()
    });
    &formats[opcode.index()]
}

/// Compiles the format of a row; a test compiles every row.
fn compile(def: &'static OpDef) -> Vec<Element> {
    let mut compiler = Compiler {
        def,
        rest: def.asm,
        spacing: Spacing {
            wanted: true,
            after_punctuation: false,
        },
    };
    let (mut elements, _) = compiler.elements();
    assert!(
        compiler.rest.is_empty(),
        "a bracket of `{}`'s format is not opened",
        def.mnemonic
    );
    elements.insert(dict_place(&elements), attr_dict(&elements));
    elements
}

/// Returns the position of the attributes that no other element names: before the types, as in all
/// upstream formats; for a terminator, before everything.
fn dict_place(elements: &[Element]) -> usize {
    if let [
        Element {
            kind: Kind::Group(..),
            ..
        },
    ] = elements
    {
        return 0;
    }
    let starts_types = |element: &Element| match &element.kind {
        Kind::Literal(text) => matches!(*text, ":" | "->"),
        Kind::Group(_, body) => matches!(body[0].kind, Kind::Literal(":")),
        _ => false,
    };
    let place = elements.iter().position(starts_types);
    place.unwrap_or(elements.len())
}

/// Returns the element of the dictionary. Accesses through views, whose upstream assembly is
/// hand-written, mark the dictionary with a keyword.
fn attr_dict(elements: &[Element]) -> Element {
    fn by_view(elements: &[Element]) -> bool {
        elements.iter().any(|element| match &element.kind {
            Kind::OperandTypes(_) => true,
            Kind::Group(_, body) => by_view(body),
            _ => false,
        })
    }
    Element {
        kind: Kind::AttrDict(by_view(elements)),
        space: false,
    }
}

/// The state of MLIR's printer after the previous element.
#[derive(Clone, Copy)]
struct Spacing {
    wanted: bool,
    after_punctuation: bool,
}

impl Spacing {
    fn before_literal(self, text: &str) -> bool {
        let tight = if self.after_punctuation {
            ">)}],"
        } else {
            "<>(){}[],"
        };
        self.wanted && !(text.len() == 1 && tight.contains(text))
    }

    fn after_literal(text: &str) -> Self {
        Self {
            wanted: !matches!(text, "<" | "(" | "{" | "["),
            after_punctuation: !is_word(text),
        }
    }
}

struct Compiler {
    def: &'static OpDef,
    rest: &'static str,
    spacing: Spacing,
}

impl Compiler {
    /// Reads elements up to the end of the format or of a group, and returns them with the anchor.
    fn elements(&mut self) -> (Vec<Element>, Option<Anchor>) {
        let mut elements = Vec::new();
        let mut anchor = None;
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with(')') {
                return (elements, anchor);
            }
            if self.eat("`") {
                let text = self.until('`');
                self.rest = &self.rest[1..];
                self.literal(text, &mut elements);
            } else if self.eat("(") {
                let (body, anchor) = self.elements();
                assert!(self.eat(")?"), "a group of `{}` ends", self.def.mnemonic);
                let anchor = anchor.expect("a group has an anchor");
                elements.push(Element {
                    kind: Kind::Group(anchor, body),
                    space: false,
                });
            } else {
                let space = self.spacing.wanted || !self.spacing.after_punctuation;
                self.spacing = Spacing {
                    wanted: true,
                    after_punctuation: false,
                };
                let mut kind = self.slot();
                if self.eat("^") {
                    anchor = Some(self.anchor(&mut kind));
                }
                elements.push(Element { kind, space });
            }
        }
    }

    /// Reads `$slot`, `type($slot)` or `types($slot)`.
    fn slot(&mut self) -> Kind {
        let OpDef {
            operands,
            attrs,
            results,
            mnemonic,
            ..
        } = self.def;
        let wrapper = ["types(", "type(", ""]
            .into_iter()
            .find(|wrapper| self.eat(wrapper))
            .unwrap_or_default();
        assert!(self.eat("$"), "`{}` of `{mnemonic}`", self.rest);
        let name = self.until_not_word();
        let operand = operands.iter().position(|slot| slot.name == name);
        if !wrapper.is_empty() {
            assert!(self.eat(")"), "`{}` of `{mnemonic}`", self.rest);
            let Some(slot) = operand else {
                let slot = results.iter().position(|slot| slot.name == name);
                let slot = slot.unwrap_or_else(|| panic!("`{mnemonic}` has no `{name}`"));
                return Kind::ResultType(slot);
            };
            return match wrapper {
                "type(" => Kind::OperandType(slot),
                _ => Kind::OperandTypes(slot),
            };
        }
        if let Some(slot) = operand {
            return Kind::Operand(slot);
        }
        let slot = attrs.iter().position(|slot| slot.name == name);
        let slot = slot.unwrap_or_else(|| panic!("`{mnemonic}` has no `{name}`"));
        Kind::Attr {
            slot,
            strict: self.eat("!"),
            optional: attrs[slot].presence != Presence::Required,
        }
    }

    fn anchor(&self, kind: &mut Kind) -> Anchor {
        match *kind {
            Kind::Operand(slot) => Anchor::Operand(slot),
            Kind::OperandType(slot) | Kind::OperandTypes(slot) => Anchor::OperandType(slot),
            Kind::Attr {
                slot,
                ref mut optional,
                ..
            } => {
                *optional = false;
                Anchor::Attr(slot)
            }
            Kind::Literal(_) | Kind::ResultType(_) | Kind::AttrDict(_) | Kind::Group(..) => {
                panic!("`{}` has an anchor that is always there", self.def.mnemonic)
            }
        }
    }

    /// Reads `word`, punctuation, or both in one literal, between which no space is printed.
    fn literal(&mut self, text: &'static str, elements: &mut Vec<Element>) {
        let word = text
            .find(|letter| !is_word_char(letter))
            .filter(|&end| end > 0)
            .unwrap_or(text.len());
        let (first, second) = text.split_at(word);
        elements.push(Element {
            kind: Kind::Literal(first),
            space: self.spacing.before_literal(first),
        });
        self.spacing = Spacing::after_literal(first);
        if !second.is_empty() {
            elements.push(Element {
                kind: Kind::Literal(second),
                space: false,
            });
            self.spacing = Spacing {
                wanted: false,
                after_punctuation: true,
            };
        }
    }

    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn until(&mut self, end: char) -> &'static str {
        let (text, rest) = self
            .rest
            .split_at(self.rest.find(end).expect("a literal ends"));
        self.rest = rest;
        text
    }

    fn until_not_word(&mut self) -> &'static str {
        let end = self.rest.find(|letter| !is_word_char(letter));
        let (text, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        text
    }
}

fn is_word_char(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn is_word(literal: &str) -> bool {
    literal.starts_with(is_word_char)
}

/// Parses the text after the mnemonic and appends the operation to the block.
pub(super) fn parse(parser: &mut Parser<'_>, mut draft: Draft) -> Parse<OpId> {
    let format = format_of(draft.opcode);
    parse_elements(parser, &mut draft, format)?;
    Ok(parser.create(draft))
}

fn parse_elements(parser: &mut Parser<'_>, draft: &mut Draft, elements: &[Element]) -> Parse<()> {
    let def = draft.opcode.def();
    let mut element_index = 0;
    while let Some(element) = elements.get(element_index) {
        element_index += 1;
        match &element.kind {
            Kind::Literal(text) if is_word(text) => parser.keyword(text)?,
            Kind::Literal(text) => parser.expect(text)?,
            &Kind::Operand(slot) => parse_operand(parser, draft, slot)?,
            &Kind::Attr {
                slot,
                strict,
                optional: false,
            } => {
                draft.attrs[slot] = attribute::parse(parser, draft, slot, strict)?;
            }
            Kind::Attr { .. } => {
                let start = element_index - 1;
                element_index += elements[element_index..]
                    .iter()
                    .take_while(|next| matches!(next.kind, Kind::Attr { optional: true, .. }))
                    .count();
                parse_run(parser, draft, &elements[start..element_index])?;
            }
            &Kind::OperandType(slot) => match (def.operands[slot].arity, &*draft.operands[slot]) {
                (Arity::One | Arity::Optional, &[value]) => drop(parser.type_of(value)?),
                (_, values) => drop(parser.types_of(values)?),
            },
            &Kind::OperandTypes(slot) => parser.type_or_types_of(&draft.operands[slot])?,
            &Kind::ResultType(slot) => draft.results[slot] = Some(smallvec![parser.parse_type()?]),
            Kind::AttrDict(false) => parser.attr_dict(draft)?,
            Kind::AttrDict(true) => parser.attributes_clause(draft)?,
            Kind::Group(anchor, body) => {
                if group_follows(parser, draft, *anchor, body) {
                    parse_elements(parser, draft, body)?;
                }
            }
        }
    }
    Ok(())
}

fn parse_operand(parser: &mut Parser<'_>, draft: &mut Draft, slot: usize) -> Parse<()> {
    let arity = draft.opcode.def().operands[slot].arity;
    let values = &mut draft.operands[slot];
    if arity != Arity::Variadic || parser.token.kind == TokenKind::Value {
        values.push(parser.value()?);
        while arity == Arity::Variadic && parser.eat(",") {
            values.push(parser.value()?);
        }
    }
    Ok(())
}

fn group_follows(parser: &Parser<'_>, draft: &Draft, anchor: Anchor, body: &[Element]) -> bool {
    if let Anchor::OperandType(slot) = anchor {
        return !draft.operands[slot].is_empty();
    }
    match body.first().map(|first| &first.kind) {
        Some(Kind::Literal(text)) if is_word(text) => parser.is_at_word(text),
        Some(Kind::Literal(text)) => parser.at(text),
        _ => parser.token.kind == TokenKind::Value && !parser.starts_line(),
    }
}

/// Parses optional attributes, in any order.
fn parse_run(parser: &mut Parser<'_>, draft: &mut Draft, run: &[Element]) -> Parse<()> {
    let def = draft.opcode.def();
    let mut left: SmallVec<[(usize, bool); 4]> = run
        .iter()
        .filter_map(|element| match element.kind {
            Kind::Attr { slot, strict, .. } => Some((slot, strict)),
            _ => None,
        })
        .collect();
    while parser.token.kind == TokenKind::Word {
        let word = parser.token.text;
        let taken = left
            .iter()
            .position(|&(slot, _)| attribute::opens(&def.attrs[slot], word));
        let Some(taken) = taken else {
            break;
        };
        let (slot, strict) = left.remove(taken);
        draft.attrs[slot] = attribute::parse(parser, draft, slot, strict)?;
    }
    Ok(())
}

/// Prints the text after the mnemonic; returns `None` if the format cannot express everything that
/// the operation holds.
pub(super) fn print(printer: &mut Printer<'_>, op: &Op) -> Option<()> {
    print_elements(printer, op, format_of(op.opcode))
}

fn print_elements(printer: &mut Printer<'_>, op: &Op, elements: &[Element]) -> Option<()> {
    let def = op.def();
    for Element { kind, space } in elements {
        let blank = |printer: &mut Printer<'_>| {
            if *space {
                printer.out.push(' ');
            }
        };
        match kind {
            Kind::Literal(text) => {
                blank(printer);
                printer.out.push_str(text);
            }
            &Kind::Operand(slot) => {
                let values = op.operands_at(slot);
                if !values.is_empty() {
                    blank(printer);
                    printer.values(values);
                }
            }
            &Kind::OperandType(slot) => {
                blank(printer);
                printer.types(op.operands_at(slot));
            }
            &Kind::OperandTypes(slot) => {
                blank(printer);
                printer.type_or_types(op.operands_at(slot));
            }
            // No format names a slot after a variadic one.
            &Kind::ResultType(slot) => {
                blank(printer);
                printer.types(&op.results[slot..=slot]);
            }
            &Kind::Attr { slot, optional, .. } => match op.attrs[slot].as_ref() {
                Some(attr) if attribute::is_printed(&def.attrs[slot], attr) => {
                    blank(printer);
                    attribute::print(printer, &def.attrs[slot], attr)?;
                }
                None if !optional => return None,
                _ => {}
            },
            Kind::AttrDict(false) => printer.attr_dict(op),
            Kind::AttrDict(true) => printer.attributes_clause(op),
            Kind::Group(anchor, body) => {
                if is_present(op, *anchor) {
                    print_elements(printer, op, body)?;
                } else if holds_anything(op, body) {
                    return None;
                }
            }
        }
    }
    Some(())
}

fn is_present(op: &Op, anchor: Anchor) -> bool {
    match anchor {
        Anchor::Operand(slot) | Anchor::OperandType(slot) => !op.operands_at(slot).is_empty(),
        Anchor::Attr(slot) => op.attrs[slot]
            .as_ref()
            .is_some_and(|attr| attribute::is_printed(&op.def().attrs[slot], attr)),
    }
}

/// Returns `true` if omitting `body` would lose information.
fn holds_anything(op: &Op, body: &[Element]) -> bool {
    body.iter().any(|element| match &element.kind {
        &Kind::Operand(slot) => is_present(op, Anchor::Operand(slot)),
        &Kind::Attr { slot, .. } => is_present(op, Anchor::Attr(slot)),
        Kind::Group(_, body) => holds_anything(op, body),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::{Anchor, Element, Kind, compile, format_of};
    use crate::ops::{ControlFlowOp, IntegerOp, MemoryOp, Opcode};

    fn element(kind: Kind, space: bool) -> Element {
        Element { kind, space }
    }

    #[test]
    fn every_declarative_format_compiles() {
        for opcode in Opcode::all() {
            let is_custom = opcode.def().asm == "custom";
            assert_eq!(format_of(opcode).is_empty(), is_custom, "{opcode:?}");
        }
    }

    #[test]
    fn a_format_is_its_elements() {
        let overflow = Kind::Attr {
            slot: 0,
            strict: false,
            optional: true,
        };
        assert_eq!(
            compile(IntegerOp::AddI.def()),
            [
                element(Kind::Operand(0), true),
                element(Kind::Literal(","), false),
                element(Kind::Operand(1), true),
                element(overflow, true),
                element(Kind::AttrDict(false), false),
                element(Kind::Literal(":"), true),
                element(Kind::ResultType(0), true),
            ]
        );
        assert_eq!(
            compile(ControlFlowOp::Yield.def()),
            [
                element(Kind::AttrDict(false), false),
                element(
                    Kind::Group(
                        Anchor::Operand(0),
                        vec![
                            element(Kind::Operand(0), true),
                            element(Kind::Literal(":"), true),
                            element(Kind::OperandType(0), true),
                        ]
                    ),
                    false
                )
            ]
        );
    }

    #[test]
    fn blanks_are_those_of_mlir() {
        let alloca = compile(MemoryOp::Alloca.def());
        let mut text = String::new();
        for Element { kind, space } in &alloca {
            let piece = match kind {
                Kind::AttrDict(false) => continue,
                Kind::Literal(literal) => literal,
                _ => "_",
            };
            text.push_str(if *space { " " } else { "" });
            text.push_str(piece);
        }
        assert_eq!(text, " num_elem = _, alignment = _ _ : _");
    }
}

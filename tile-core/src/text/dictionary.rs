//! `{name = attribute, …}`, and attributes that are kept as they are written.
//!
//! An attribute of a row may stand in a dictionary too. All others are kept as
//! text in one line, with single blanks and without aliases.

use super::alias::Meaning;
use super::generic::Prefixed;
use super::lexer::TokenKind;
use super::parser::{Draft, Parse, Parser};
use super::printer::Printer;
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, DiscardableAttr, Loc, Op, OpId};
use crate::ops::{OpDef, Opcode, Presence};
use crate::types::{Scalar, Type};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// Brackets inside of an attribute nest at most this deep.
const MAX_BRACKETS: usize = 256;

/// Attributes of one operation, as they are read.
#[derive(Default)]
pub(super) struct Given {
    /// Those of the row: slot, attribute and place.
    pub(super) inherent: Vec<(usize, Attr, Loc)>,
    /// All others.
    pub(super) discardable: Vec<(DiscardableAttr, Loc)>,
    /// How many operands the slots have.
    pub(super) segments: Option<Vec<i32>>,
    /// The type that a dense attribute is written with.
    pub(super) dense_type: Option<(Type, Loc)>,
}

/// What is text of an attribute so far.
struct Text {
    out: String,
    /// Where the last token ends in the source.
    end: usize,
}

impl<'s> Parser<'s> {
    /// `{…}` in front of the types, if there is one.
    pub(super) fn attr_dict(&mut self, draft: &mut Draft) -> Parse<()> {
        if !self.at("{") {
            return Ok(());
        }
        let given = self.given(draft.opcode)?;
        self.apply(
            given,
            draft.opcode.def(),
            &mut draft.attrs,
            &mut draft.discardable,
        )
    }

    /// `attributes {…}`, if there is one.
    pub(super) fn attributes_clause(&mut self, draft: &mut Draft) -> Parse<()> {
        if !self.eat_word("attributes") {
            return Ok(());
        }
        if !self.at("{") {
            return self.unexpected("`{`");
        }
        self.attr_dict(draft)
    }

    /// `{…}` behind a region or a type, if there is one.
    pub(super) fn late_attr_dict(&mut self, op: OpId) -> Parse<()> {
        if !self.at("{") {
            return Ok(());
        }
        let opcode = self.module.op(op).opcode;
        let given = self.given(opcode)?;
        let mut attrs = std::mem::take(&mut self.module.op_mut(op).attrs);
        let mut discardable = std::mem::take(&mut self.module.op_mut(op).discardable);
        let result = self.apply(given, opcode.def(), &mut attrs, &mut discardable);
        let op = self.module.op_mut(op);
        op.attrs = attrs;
        op.discardable = discardable;
        result
    }

    /// Puts attributes in their places; refuses what is given twice.
    pub(super) fn apply(
        &mut self,
        given: Given,
        def: &OpDef,
        attrs: &mut SmallVec<[Option<Attr>; 2]>,
        discardable: &mut Vec<DiscardableAttr>,
    ) -> Parse<()> {
        for (slot, attr, loc) in given.inherent {
            let AttrDefault(default) = AttrDefault::of(def, slot);
            if attrs[slot].is_some() && attrs[slot] != default {
                return self.given_twice(def.attrs[slot].name, loc);
            }
            attrs[slot] = Some(attr);
        }
        let mut all: Vec<(DiscardableAttr, Option<Loc>)> =
            discardable.drain(..).map(|attr| (attr, None)).collect();
        let more = given.discardable.into_iter();
        all.extend(more.map(|(attr, loc)| (attr, Some(loc))));
        all.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
        let twice = all.windows(2).find(|pair| pair[0].0.name == pair[1].0.name);
        if let Some(pair) = twice {
            let name = pair[1].0.name.clone();
            let loc = pair[1].1.or(pair[0].1);
            return self.given_twice(&name, loc.unwrap_or_else(|| self.loc()));
        }
        discardable.extend(all.into_iter().map(|(attr, _)| attr));
        Ok(())
    }

    fn given_twice<T>(&mut self, name: &str, loc: Loc) -> Parse<T> {
        self.syntax(loc, format!("`{name}` is given twice"))
    }

    /// `{…}` of an operation.
    pub(super) fn given(&mut self, opcode: Opcode) -> Parse<Given> {
        let mut given = Given::default();
        self.dictionary_of(|parser, name, loc| {
            let def = opcode.def();
            let slots = if opcode.is_unregistered() {
                &[]
            } else {
                def.attrs
            };
            if def.segmented && &*name == "operandSegmentSizes" {
                parser.expect("=")?;
                given.segments = Some(parser.through_alias(Self::i32_array)?);
                return Ok(());
            }
            let Some(slot) = slots.iter().position(|slot| *slot.name == *name) else {
                let value = match parser.eat("=") {
                    true => Some(parser.attribute_text()?),
                    false => None,
                };
                // `unit` is what no value means.
                let value = value.filter(|value| **value != *"unit");
                given
                    .discardable
                    .push((DiscardableAttr { name, value }, loc));
                return Ok(());
            };
            let attr = parser.slot_value(&def.attrs[slot], &mut given)?;
            given.inherent.push((slot, attr, loc));
            Ok(())
        })?;
        Ok(given)
    }

    /// `{…}` of which nothing is kept.
    pub(super) fn dictionary(&mut self) -> Parse<()> {
        self.dictionary_of(|parser, _, _| {
            if parser.eat("=") {
                parser.attribute_text()?;
            }
            Ok(())
        })
    }

    /// `{name …, …}`, where `entry` reads what follows a name.
    fn dictionary_of(
        &mut self,
        mut entry: impl FnMut(&mut Self, Arc<str>, Loc) -> Parse<()>,
    ) -> Parse<()> {
        self.list("{", "}", |parser| {
            let loc = parser.loc();
            let name = parser.attr_name()?;
            entry(parser, name, loc)
        })?;
        Ok(())
    }

    fn attr_name(&mut self) -> Parse<Arc<str>> {
        match self.token.kind {
            TokenKind::Str => self.string().map(Into::into),
            _ => Ok(self
                .take(TokenKind::Word, "the name of an attribute")?
                .text
                .into()),
        }
    }

    // Attributes as text.

    /// Any attribute, as text.
    pub(super) fn attribute_text(&mut self) -> Parse<Arc<str>> {
        if let Some(alias) = self.alias_ahead()
            && let Some(Meaning::Text(text)) = self.alias_meaning(alias)
        {
            let text = text.clone();
            self.bump();
            self.bump();
            return Ok(text);
        }
        let mut text = self.start_text();
        self.value_text(&mut text)?;
        Ok(text.out.into())
    }

    /// Any type, as text.
    pub(super) fn type_as_text(&mut self) -> Parse<Arc<str>> {
        let mut text = self.start_text();
        self.type_text(&mut text)?;
        Ok(text.out.into())
    }

    /// `{…}` as text.
    pub(super) fn dictionary_text(&mut self) -> Parse<Arc<str>> {
        let mut text = self.start_text();
        self.bracket_text(&mut text, "{")?;
        Ok(text.out.into())
    }

    fn start_text(&self) -> Text {
        Text {
            out: String::new(),
            end: self.token.start,
        }
    }

    /// Takes the current token, with one blank if there was any before it.
    fn copy(&mut self, text: &mut Text) {
        self.blank(text);
        text.out.push_str(self.lexer.raw());
        text.end = self.lexer.position();
        self.bump();
    }

    fn blank(&self, text: &mut Text) {
        if self.token.start > text.end && !text.out.is_empty() {
            text.out.push(' ');
        }
    }

    fn value_text(&mut self, text: &mut Text) -> Parse<()> {
        match (self.token.kind, self.token.text) {
            (TokenKind::Str | TokenKind::Int | TokenKind::Float, _) => {
                self.copy(text);
                self.optional_type_text(text)
            }
            (TokenKind::Punct, "-") => {
                self.copy(text);
                if !matches!(self.token.kind, TokenKind::Int | TokenKind::Float) {
                    return self.unexpected("a number");
                }
                self.copy(text);
                self.optional_type_text(text)
            }
            (TokenKind::Symbol, _) => {
                self.copy(text);
                while self.at(":") && self.lexer.peek_byte() == Some(b':') {
                    self.copy(text);
                    self.copy(text);
                    if self.token.kind != TokenKind::Symbol {
                        return self.unexpected("a symbol");
                    }
                    self.copy(text);
                }
                Ok(())
            }
            (TokenKind::Punct, "#") => {
                self.sigil_text(text)?;
                self.optional_type_text(text)
            }
            (TokenKind::Punct, open @ ("[" | "{")) => self.bracket_text(text, open),
            (TokenKind::Word, "true" | "false" | "unit") => {
                self.copy(text);
                Ok(())
            }
            (TokenKind::Word, "loc") => {
                self.copy(text);
                self.bracket_text(text, "(")
            }
            (TokenKind::Word, "distinct") => {
                self.copy(text);
                self.bracket_text(text, "[")?;
                self.bracket_text(text, "<")
            }
            (
                TokenKind::Word,
                "dense" | "sparse" | "opaque" | "dense_resource" | "array" | "affine_map"
                | "affine_set" | "strided",
            ) => {
                self.copy(text);
                self.bracket_text(text, "<")?;
                self.optional_type_text(text)
            }
            (TokenKind::Word, word) if is_builtin_type(word) => self.type_text(text),
            (TokenKind::Punct, "!" | "(") => self.type_text(text),
            _ => self.unexpected("an attribute"),
        }
    }

    /// `: type`, if there is one.
    fn optional_type_text(&mut self, text: &mut Text) -> Parse<()> {
        if !self.at(":") {
            return Ok(());
        }
        self.copy(text);
        self.type_text(text)
    }

    fn type_text(&mut self, text: &mut Text) -> Parse<()> {
        match (self.token.kind, self.token.text) {
            (TokenKind::Word, word) if is_builtin_type(word) => {
                self.copy(text);
                if self.at("<") {
                    self.bracket_text(text, "<")?;
                }
                Ok(())
            }
            (TokenKind::Punct, "!") => self.sigil_text(text),
            (TokenKind::Punct, "(") => {
                self.bracket_text(text, "(")?;
                if !self.at("->") {
                    return self.unexpected("`->`");
                }
                self.copy(text);
                if self.at("(") {
                    // A list of results, or a function that takes some.
                    self.bracket_text(text, "(")?;
                    if !self.at("->") {
                        return Ok(());
                    }
                    self.copy(text);
                }
                self.nested(|parser| parser.type_text(text))
            }
            _ => self.unexpected("a type"),
        }
    }

    /// `#` or `!` with what follows: an alias, or something of a dialect.
    fn sigil_text(&mut self, text: &mut Text) -> Parse<()> {
        if self.alias_text(text)? {
            return Ok(());
        }
        self.copy(text);
        if self.token.kind != TokenKind::Word {
            return self.unexpected("the name of an attribute or type");
        }
        self.copy(text);
        if self.at("<") {
            self.bracket_text(text, "<")?;
        }
        Ok(())
    }

    /// The meaning of the alias that stands here, if one does.
    fn alias_text(&mut self, text: &mut Text) -> Parse<bool> {
        let is_type = self.at("!");
        let mut ahead = self.lexer.clone();
        let name = ahead.next();
        let named = matches!(name.kind, TokenKind::Word | TokenKind::Int)
            && !name.text.contains('.')
            && ahead.peek_byte() != Some(b'<');
        if !named {
            return Ok(false);
        }
        let meaning = if is_type {
            let ty = self.find_type_alias(name.text);
            ty.map(|ty| Meaning::Text(Prefixed(ty).to_string().into()))
        } else {
            self.alias_meaning(name.text).cloned()
        };
        self.blank(text);
        self.bump();
        let loc = self.loc();
        let Some(meaning) = meaning else {
            return self.unknown_alias(if is_type { "!" } else { "#" }, name.text, loc);
        };
        text.end = self.lexer.position();
        self.bump();
        self.expand(&mut text.out, &meaning, loc)?;
        Ok(true)
    }

    /// Balanced brackets, the first of which is `open`.
    fn bracket_text(&mut self, text: &mut Text, open: &str) -> Parse<()> {
        if !self.at(open) {
            return self.unexpected(&format!("`{open}`"));
        }
        let first = self.loc();
        let mut closers: SmallVec<[&str; 16]> = smallvec![match open {
            "(" => ")",
            "[" => "]",
            "{" => "}",
            _ => ">",
        }];
        self.copy(text);
        if open == "{" {
            self.open_soft();
        }
        loop {
            let opened = match (self.token.kind, self.token.text) {
                (TokenKind::Punct, "(") => Some(")"),
                (TokenKind::Punct, "[") => Some("]"),
                (TokenKind::Punct, "{") => Some("}"),
                (TokenKind::Punct, "<" | ">") if self.is_comparison() => None,
                (TokenKind::Punct, "<") => Some(">"),
                (TokenKind::Punct, close @ (")" | "]" | "}" | ">")) => {
                    if closers.last() != Some(&close) {
                        let expected = closers.last().copied().unwrap_or_default();
                        return self.unexpected(&format!("`{expected}`"));
                    }
                    closers.pop();
                    self.copy(text);
                    if close == "}" {
                        self.soft.count -= 1;
                    }
                    if closers.is_empty() {
                        return Ok(());
                    }
                    continue;
                }
                (TokenKind::Punct, "#" | "!") => {
                    if !self.alias_text(text)? {
                        self.copy(text);
                    }
                    continue;
                }
                (TokenKind::Bad, _) => return self.unexpected("an attribute"),
                (TokenKind::End, _) => {
                    self.end_reported = true;
                    return self.fail(
                        Diagnostic::error(
                            Code::IrSyntax,
                            first,
                            format!("a `{open}` that nothing closes"),
                        )
                        .help("close it"),
                    );
                }
                _ => None,
            };
            if let Some(close) = opened {
                if closers.len() == MAX_BRACKETS {
                    let loc = self.loc();
                    return self.syntax(loc, format!("brackets nested deeper than {MAX_BRACKETS}"));
                }
                closers.push(close);
            }
            self.copy(text);
            if opened == Some("}") {
                self.open_soft();
            }
        }
    }

    /// Whether `<` or `>` is half of `<=` or `>=`.
    fn is_comparison(&self) -> bool {
        self.lexer.peek_byte() == Some(b'=')
    }
}

/// Whether `word` starts a type of MLIR's own, or one of `cuda_tile` without
/// its prefix.
pub(super) fn is_builtin_type(word: &str) -> bool {
    let integer = word
        .strip_prefix("si")
        .or_else(|| word.strip_prefix("ui"))
        .or_else(|| word.strip_prefix('i'));
    if let Some(width) = integer
        && !width.is_empty()
        && width.bytes().all(|byte| byte.is_ascii_digit())
    {
        return true;
    }
    matches!(
        word,
        "index"
            | "none"
            | "complex"
            | "tensor"
            | "vector"
            | "memref"
            | "tuple"
            | "f80"
            | "f128"
            | "f8E5M2FNUZ"
            | "f8E4M3"
            | "f8E4M3FNUZ"
            | "f8E4M3B11FNUZ"
            | "f8E3M4"
            | "f6E2M3FN"
            | "f6E3M2FN"
    ) || is_own_type(word)
}

/// Whether `word` starts a type that this dialect knows.
pub(super) fn is_own_type(word: &str) -> bool {
    matches!(
        word,
        "tile"
            | "ptr"
            | "tensor_view"
            | "partition_view"
            | "strided_view"
            | "gather_scatter_view"
            | "token"
    ) || Scalar::parse(word).is_some()
}

/// What a slot holds if nothing is written.
struct AttrDefault(Option<Attr>);

impl AttrDefault {
    fn of(def: &OpDef, slot: usize) -> Self {
        let slot = &def.attrs[slot];
        Self(match slot.presence {
            Presence::Default(number) => Some(crate::build::default_value(slot.kind, number)),
            Presence::Required | Presence::Optional | Presence::AllFalse => None,
        })
    }
}

impl Printer<'_> {
    /// ` {…}` in front of the types, unless it is empty.
    pub(super) fn attr_dict(&mut self, op: &Op) {
        self.dict_printed = true;
        if !op.discardable.is_empty() {
            self.out.push(' ');
            self.dictionary(&op.discardable);
        }
    }

    /// ` attributes {…}`, unless it is empty.
    pub(super) fn attributes_clause(&mut self, op: &Op) {
        self.dict_printed = true;
        if !op.discardable.is_empty() {
            self.out.push_str(" attributes ");
            self.dictionary(&op.discardable);
        }
    }

    /// `{…}`
    pub(super) fn dictionary(&mut self, attrs: &[DiscardableAttr]) {
        self.out.push('{');
        for (at, DiscardableAttr { name, value }) in attrs.iter().enumerate() {
            if at > 0 {
                self.out.push_str(", ");
            }
            self.attr_name(name);
            if let Some(value) = value {
                self.out.push_str(" = ");
                self.out.push_str(value);
            }
        }
        self.out.push('}');
    }

    fn attr_name(&mut self, name: &str) {
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
        let starts = |first: char| first.is_ascii_alphabetic() || first == '_';
        if name.bytes().all(legal) && name.starts_with(starts) {
            self.out.push_str(name);
        } else {
            self.string(name);
        }
    }
}

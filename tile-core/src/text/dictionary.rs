//! Parses and prints attribute dictionaries: `{name = attribute, …}`.
//!
//! A dictionary may hold attributes of the row. All other attributes are discardable and are kept
//! as text (`raw`).

use super::lexer::TokenKind;
use super::parser::{Draft, Parse, Parser};
use super::printer::Printer;
use crate::ir::{Attr, AttrSlots, DiscardableAttr, Loc, Op, OpId};
use crate::ops::{OpDef, Opcode, Presence};
use crate::types::Type;
use arcstr::ArcStr;
use thin_vec::ThinVec;

/// The attributes of an operation that is being read.
#[derive(Default)]
pub(super) struct Given {
    /// Attributes of the row: slot, attribute and location.
    pub(super) inherent: Vec<(usize, Attr, Loc)>,
    /// All other attributes, which are discardable.
    pub(super) discardable: Vec<(DiscardableAttr, Loc)>,
    /// The number of operands of each slot.
    pub(super) segments: Option<Vec<i32>>,
    /// The type written with a dense attribute.
    pub(super) dense_type: Option<(Type, Loc)>,
}

impl Parser<'_> {
    /// Parses an optional `{…}` before the types.
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

    /// Parses an optional `attributes {…}`.
    pub(super) fn attributes_clause(&mut self, draft: &mut Draft) -> Parse<()> {
        if !self.eat_word("attributes") {
            return Ok(());
        }
        if !self.at("{") {
            return self.unexpected("`{`");
        }
        self.attr_dict(draft)
    }

    /// Parses an optional `{…}` after a region or a type.
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

    /// Assigns attributes to their slots; rejects duplicates.
    pub(super) fn apply(
        &mut self,
        given: Given,
        def: &OpDef,
        attrs: &mut AttrSlots,
        discardable: &mut ThinVec<DiscardableAttr>,
    ) -> Parse<()> {
        for (slot, attr, loc) in given.inherent {
            let AttrDefault(default) = AttrDefault::for_slot(def, slot);
            if attrs[slot].is_some() && attrs[slot] != default {
                return self.given_twice(def.attrs[slot].name, loc);
            }
            attrs[slot] = Some(attr);
        }
        let mut merged: Vec<(DiscardableAttr, Option<Loc>)> =
            discardable.drain(..).map(|attr| (attr, None)).collect();
        let more = given.discardable.into_iter();
        merged.extend(more.map(|(attr, loc)| (attr, Some(loc))));
        merged.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
        let twice = merged
            .windows(2)
            .find(|pair| pair[0].0.name == pair[1].0.name);
        if let Some(pair) = twice {
            let name = pair[1].0.name.clone();
            let loc = pair[1].1.or(pair[0].1);
            return self.given_twice(&name, loc.unwrap_or_else(|| self.loc()));
        }
        discardable.extend(merged.into_iter().map(|(attr, _)| attr));
        Ok(())
    }

    fn given_twice<T>(&mut self, name: &str, loc: Loc) -> Parse<T> {
        self.syntax(loc, format!("`{name}` is given twice"))
    }

    /// Parses the `{…}` of an operation.
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
                let mut value = None;
                if parser.eat("=") {
                    // An absent value means `unit`.
                    value = Some(parser.attribute_text()?).filter(|text| **text != *"unit");
                }
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

    /// Parses a `{…}` and drops it.
    pub(super) fn dictionary(&mut self) -> Parse<()> {
        self.dictionary_of(|parser, _, _| {
            if parser.eat("=") {
                parser.attribute_text()?;
            }
            Ok(())
        })
    }

    /// Parses `{name …, …}`, where `entry` reads the text after a name.
    fn dictionary_of(
        &mut self,
        mut entry: impl FnMut(&mut Self, ArcStr, Loc) -> Parse<()>,
    ) -> Parse<()> {
        self.list("{", "}", |parser| {
            let loc = parser.loc();
            let name = parser.attr_name()?;
            entry(parser, name, loc)
        })?;
        Ok(())
    }

    fn attr_name(&mut self) -> Parse<ArcStr> {
        match self.token.kind {
            TokenKind::Str => self.string().map(Into::into),
            _ => Ok(self
                .take(TokenKind::Word, "the name of an attribute")?
                .text
                .into()),
        }
    }
}

/// The value of a slot that is not written.
struct AttrDefault(Option<Attr>);

impl AttrDefault {
    fn for_slot(def: &OpDef, slot: usize) -> Self {
        let slot = &def.attrs[slot];
        Self(match slot.presence {
            Presence::Default(number) => Some(crate::build::default_value(slot.kind, number)),
            Presence::Required | Presence::Optional | Presence::AllFalse => None,
        })
    }
}

impl Printer<'_> {
    /// Prints ` {…}` before the types, unless it is empty.
    pub(super) fn attr_dict(&mut self, op: &Op) {
        self.dict_printed = true;
        if !op.discardable.is_empty() {
            self.out.push(' ');
            self.dictionary(&op.discardable);
        }
    }

    /// Prints ` attributes {…}`, unless it is empty.
    pub(super) fn attributes_clause(&mut self, op: &Op) {
        self.dict_printed = true;
        if !op.discardable.is_empty() {
            self.out.push_str(" attributes ");
            self.dictionary(&op.discardable);
        }
    }

    /// Prints `{…}`.
    pub(super) fn dictionary(&mut self, attrs: &[DiscardableAttr]) {
        self.out.push('{');
        for (index, DiscardableAttr { name, value }) in attrs.iter().enumerate() {
            if index > 0 {
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

//! Aliases: `#name = attribute` and `!name = type`.
//!
//! An alias must be defined before it is used. Only an alias of a location may be defined later
//! (see `debug`).

use super::cursor::Mark;
use super::lexer::TokenKind;
use super::locations::{Inline, write_attr, write_loc};
use super::parser::{Parse, Parser};
use crate::diag::{Code, Diagnostic, Label};
use crate::ir::{DebugAttr, DebugLoc, Loc};
use crate::types::Type;
use arcstr::ArcStr;
use rustc_hash::FxHashMap;
use std::fmt;

/// The maximum total size in bytes of alias expansions in attributes that are kept as text.
const MAX_EXPANSION: usize = 1 << 24;

/// The maximum nesting depth of the text of a location or scope.
const MAX_DEPTH: u32 = 256;

/// The aliases defined so far.
#[derive(Debug, Default)]
pub(super) struct Aliases<'s> {
    attrs: FxHashMap<&'s str, Alias<'s>>,
    types: FxHashMap<&'s str, (Type, Loc)>,
    /// The total size in bytes of alias expansions.
    expanded: usize,
}

/// An alias of an attribute.
#[derive(Clone, Debug)]
struct Alias<'s> {
    meaning: Meaning,
    /// The position of the attribute, from which it can be read again as another kind.
    place: Mark<'s>,
    loc: Loc,
}

/// The meaning of an alias of an attribute.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A location.
    Loc(DebugLoc),
    /// A file, a compile unit or a scope.
    Debug(DebugAttr),
    /// Any other attribute, as text.
    Text(ArcStr),
}

/// Text up to a limit.
struct Bounded {
    text: String,
    limit: usize,
}

impl fmt::Write for Bounded {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.text.len() + text.len() > self.limit {
            return Err(fmt::Error);
        }
        self.text.push_str(text);
        Ok(())
    }
}

impl<'s> Parser<'s> {
    /// Returns `true` at the definition of an alias.
    pub(super) fn is_at_alias_definition(&self) -> bool {
        self.at("#") || self.at("!")
    }

    /// Parses `#name = attribute` or `!name = type`.
    pub(super) fn alias_definition(&mut self) -> Parse<()> {
        let loc = self.loc();
        let sigil = self.bump().text;
        let name = self.alias_name()?;
        self.expect("=")?;
        let first = if sigil == "#" {
            let place = self.mark();
            let meaning = self.meaning()?;
            let alias = Alias {
                meaning,
                place,
                loc,
            };
            let first = self.aliases.attrs.get(name).map(|alias| alias.loc);
            self.aliases.attrs.entry(name).or_insert(alias);
            first
        } else {
            let ty = self.nested(Self::parse_type)?;
            let first = self.aliases.types.get(name).map(|&(_, loc)| loc);
            self.aliases.types.entry(name).or_insert((ty, loc));
            first
        };
        let Some(first) = first else {
            return Ok(());
        };
        let message = format!("`{sigil}{name}` is defined twice");
        self.report(
            Diagnostic::error(Code::IrSyntax, loc, message).label(first, "first defined here"),
        );
        Ok(())
    }

    fn alias_name(&mut self) -> Parse<&'s str> {
        let is_name = match self.token.kind {
            TokenKind::Word => !self.token.text.contains('.'),
            kind => kind == TokenKind::Int,
        };
        if is_name {
            return Ok(self.bump().text);
        }
        self.unexpected("the name of an alias, which has no `.`")
    }

    /// Parses an attribute of any kind.
    fn meaning(&mut self) -> Parse<Meaning> {
        if let Some(alias) = self.alias_ahead() {
            self.bump();
            let loc = self.loc();
            self.bump();
            return match self.aliases.attrs.get(alias) {
                Some(alias) => Ok(alias.meaning.clone()),
                None => self.unknown_alias("#", alias, loc),
            };
        }
        if self.is_at_word("loc") {
            return self.known_location().map(Meaning::Loc);
        }
        if !self.at("#") {
            return self.attribute_text().map(Meaning::Text);
        }
        match self.lexer.clone().next().text {
            "cuda_tile.di_loc" => self.location_inside().map(Meaning::Loc),
            word if word.starts_with("cuda_tile.di_") => self.debug_attr().map(Meaning::Debug),
            _ => self.attribute_text().map(Meaning::Text),
        }
    }

    /// Returns the name of the attribute alias at the current token; `None` for other tokens, such
    /// as an attribute of a dialect.
    pub(super) fn alias_ahead(&self) -> Option<&'s str> {
        if !self.at("#") {
            return None;
        }
        let mut ahead = self.lexer.clone();
        let name = ahead.next();
        match name.kind {
            TokenKind::Int => Some(name.text),
            TokenKind::Word if !name.text.contains('.') && ahead.peek_byte() != Some(b'<') => {
                Some(name.text)
            }
            _ => None,
        }
    }

    /// Returns the meaning of the alias `name`, without skipping it.
    pub(super) fn alias_meaning(&self, name: &str) -> Option<&Meaning> {
        self.aliases.attrs.get(name).map(|alias| &alias.meaning)
    }

    /// If the current token is an alias, calls `read` at the definition of the alias; otherwise
    /// calls `read` at the current token.
    pub(super) fn through_alias<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Parse<T>,
    ) -> Parse<T> {
        let Some(name) = self.alias_ahead() else {
            return read(self);
        };
        self.bump();
        let loc = self.loc();
        self.bump();
        let Some(alias) = self.aliases.attrs.get(name) else {
            return self.unknown_alias("#", name, loc);
        };
        let place = alias.place.clone();
        let back = self.go_to(place);
        // An alias may refer to another alias.
        let result = self.nested(|parser| parser.through_alias(read));
        self.go_to(back);
        if result.is_err()
            && let Some(error) = self.errors.last_mut()
        {
            let definition = std::mem::replace(&mut error.primary.loc, loc);
            error.labels.push(Label {
                loc: definition,
                text: "in the expansion of the alias".to_owned(),
            });
        }
        result
    }

    /// Parses a type alias, after its `!`, and returns its type.
    pub(super) fn type_alias(&mut self) -> Parse<Type> {
        let loc = self.loc();
        let name = self.alias_name()?;
        match self.aliases.types.get(name) {
            Some(&(ty, _)) => Ok(ty),
            None => self.unknown_alias("!", name, loc),
        }
    }

    /// Returns the type of the alias `!name`.
    pub(super) fn find_type_alias(&self, name: &str) -> Option<Type> {
        self.aliases.types.get(name).map(|&(ty, _)| ty)
    }

    /// Reports an undefined alias.
    pub(super) fn unknown_alias<T>(&mut self, sigil: &str, name: &str, loc: Loc) -> Parse<T> {
        self.fail(
            Diagnostic::error(
                Code::UnknownName,
                loc,
                format!("unknown alias `{sigil}{name}`"),
            )
            .note("an alias is defined above its use; that of a location may be below"),
        )
    }

    /// Appends the text of an alias to `out`.
    pub(super) fn expand(&mut self, out: &mut String, meaning: &Meaning, loc: Loc) -> Parse<()> {
        let limit = MAX_EXPANSION - self.aliases.expanded;
        let mut bounded = Bounded {
            text: String::new(),
            limit,
        };
        let depth = match meaning {
            Meaning::Loc(loc) => loc.depth(),
            Meaning::Debug(attr) => attr.depth(),
            Meaning::Text(_) => 0,
        };
        if depth > MAX_DEPTH {
            return self.syntax(loc, format!("locations nested deeper than {MAX_DEPTH}"));
        }
        let written = match meaning {
            Meaning::Text(text) => fmt::Write::write_str(&mut bounded, text),
            Meaning::Loc(loc) => write_loc(&mut bounded, *loc, &Inline, true),
            Meaning::Debug(attr) => write_attr(&mut bounded, *attr, &Inline),
        };
        if written.is_err() {
            let message = format!("aliases expand to more than {MAX_EXPANSION} bytes of text");
            return self.syntax(loc, message);
        }
        self.aliases.expanded += bounded.text.len();
        out.push_str(&bounded.text);
        Ok(())
    }
}

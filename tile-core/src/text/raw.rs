//! Attributes and types that are kept as text: on one line, with single spaces and with aliases
//! expanded.

use super::alias::Meaning;
use super::generic::Prefixed;
use super::lexer::TokenKind;
use super::parser::{Parse, Parser};
use crate::diag::{Code, Diagnostic};
use crate::types::Scalar;
use arcstr::ArcStr;
use smallvec::{SmallVec, smallvec};

/// The maximum nesting depth of brackets in an attribute.
const MAX_BRACKETS: usize = 256;

/// The part of an attribute's text that has been read.
struct Text {
    out: String,
    /// The end of the last token in the source.
    end: usize,
}

impl Parser<'_> {
    /// Parses any attribute, as text.
    pub(super) fn attribute_text(&mut self) -> Parse<ArcStr> {
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

    /// Parses any type, as text.
    pub(super) fn type_as_text(&mut self) -> Parse<ArcStr> {
        let mut text = self.start_text();
        self.type_text(&mut text)?;
        Ok(text.out.into())
    }

    /// Parses `{…}` as text.
    pub(super) fn dictionary_text(&mut self) -> Parse<ArcStr> {
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

    /// Copies the current token, preceded by one space if whitespace precedes it in the source.
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

    /// Parses an optional `: type`.
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
                    // This is a list of results, or a function type with parameters.
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

    /// Parses `#` or `!` and the text after it: an alias, or an attribute or type of a dialect.
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

    /// If the current token is an alias, copies its meaning and returns `true`.
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

    /// Copies balanced brackets, the first of which is `open`.
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

    /// Returns `true` if `<` or `>` is the first half of `<=` or `>=`.
    fn is_comparison(&self) -> bool {
        self.lexer.peek_byte() == Some(b'=')
    }
}

/// Returns `true` if `word` starts a builtin type of MLIR, or a type of `cuda_tile` without its
/// prefix.
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

/// Returns `true` if `word` starts a type of this dialect.
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

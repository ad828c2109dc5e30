//! Taking tokens one by one, lists, numbers and strings.
//!
//! Whatever is not as expected is recorded as an error at its place, and the
//! caller gives up with [`Failed`].

use super::lexer::{Token, TokenKind};
use super::parser::{Failed, Parse, Parser};
use crate::diag::{Code, Diagnostic};
use crate::ir::Loc;

impl<'s> Parser<'s> {
    /// Goes to the next token and returns the current one.
    pub(super) fn bump(&mut self) -> Token<'s> {
        let next = self.lexer.next();
        std::mem::replace(&mut self.token, next)
    }

    /// Where the current token stands.
    pub(super) fn loc(&self) -> Loc {
        self.lexer.loc(self.token.start)
    }

    /// Records an error.
    pub(super) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parse<T> {
        self.errors.push(diagnostic);
        Err(Failed)
    }

    /// Records that the current token is not what was expected.
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Parse<T> {
        let found = match (self.token.kind, self.token.text) {
            (TokenKind::End, _) => "the end of the file".to_owned(),
            (TokenKind::Value, text) => format!("`%{text}`"),
            (TokenKind::Symbol, text) => format!("`@{text}`"),
            (TokenKind::Bad, text) if text.starts_with('"') => "a string without end".to_owned(),
            (_, text) => format!("`{text}`"),
        };
        let loc = self.loc();
        let again = self.token.kind == TokenKind::End
            && self
                .errors
                .last()
                .is_some_and(|last| last.primary.loc == loc);
        if again {
            // All that is still open ends here; once is enough.
            return Err(Failed);
        }
        self.syntax(loc, format!("expected {expected}, found {found}"))
    }

    /// Records a syntax error.
    pub(super) fn syntax<T>(&mut self, loc: Loc, message: impl Into<String>) -> Parse<T> {
        self.fail(Diagnostic::error(Code::IrSyntax, loc, message))
    }

    /// Whether the current token is the punctuation `text`.
    pub(super) fn at(&self, text: &str) -> bool {
        self.token.kind == TokenKind::Punct && self.token.text == text
    }

    /// Whether the current token is the word `text`.
    pub(super) fn at_word(&self, text: &str) -> bool {
        self.token.kind == TokenKind::Word && self.token.text == text
    }

    /// Skips the punctuation `text` if it is there.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let found = self.at(text);
        if found {
            self.bump();
        }
        found
    }

    /// Skips the word `text` if it is there.
    pub(super) fn eat_word(&mut self, text: &str) -> bool {
        let found = self.at_word(text);
        if found {
            self.bump();
        }
        found
    }

    /// Skips the punctuation `text`.
    pub(super) fn expect(&mut self, text: &str) -> Parse<()> {
        if self.eat(text) {
            return Ok(());
        }
        self.unexpected(&format!("`{text}`"))
    }

    /// Skips the word `text`.
    pub(super) fn keyword(&mut self, text: &str) -> Parse<()> {
        if self.eat_word(text) {
            return Ok(());
        }
        self.unexpected(&format!("`{text}`"))
    }

    /// Takes a token of kind `kind`.
    pub(super) fn take(&mut self, kind: TokenKind, what: &str) -> Parse<Token<'s>> {
        if self.token.kind == kind {
            return Ok(self.bump());
        }
        self.unexpected(what)
    }

    /// A list in `open` and `close`, separated by commas; may be empty.
    pub(super) fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        self.expect(open)?;
        if self.eat(close) {
            return Ok(Vec::new());
        }
        let items = self.comma_list(item)?;
        self.expect(close)?;
        Ok(items)
    }

    /// One or more items separated by commas.
    pub(super) fn comma_list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.eat(",") {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// An integer, perhaps negative, decimal or hexadecimal.
    pub(super) fn integer(&mut self) -> Parse<i64> {
        let loc = self.loc();
        let negative = self.eat("-");
        let token = self.take(TokenKind::Int, "an integer")?;
        let magnitude = parse_magnitude(token.text);
        let value =
            magnitude.and_then(|value| i64::try_from(if negative { -value } else { value }).ok());
        match value {
            Some(value) => Ok(value),
            None => self.fail(
                Diagnostic::error(
                    Code::OutOfRange,
                    loc,
                    format!("`{}` does not fit 64 bits", token.text),
                )
                .note("a number here is a signed 64-bit integer"),
            ),
        }
    }

    /// An integer of type `T`.
    pub(super) fn small<T: TryFrom<i64>>(&mut self, what: &str) -> Parse<T> {
        let loc = self.loc();
        let value = self.integer()?;
        match T::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => self.fail(Diagnostic::error(
                Code::OutOfRange,
                loc,
                format!("`{value}` is no {what}"),
            )),
        }
    }

    /// A string with MLIR's escapes.
    pub(super) fn string(&mut self) -> Parse<String> {
        let loc = self.loc();
        let token = self.take(TokenKind::Str, "a string")?;
        match unescape(token.text) {
            Some(text) => Ok(text),
            None => self.syntax(loc, "a string with an unknown escape or invalid UTF-8"),
        }
    }
}

/// The value of a decimal or hexadecimal literal without sign.
pub(super) fn parse_magnitude(text: &str) -> Option<i128> {
    match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn unescape(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        match bytes.next()? {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            quoted @ (b'"' | b'\\') => out.push(quoted),
            high => {
                let digits = [high, bytes.next()?];
                let digits = std::str::from_utf8(&digits).ok()?;
                out.push(u8::from_str_radix(digits, 16).ok()?);
            }
        }
    }
    String::from_utf8(out).ok()
}

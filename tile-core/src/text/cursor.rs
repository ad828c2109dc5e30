//! Token-level parsing: single tokens, lists, numbers and strings.
//!
//! Unexpected input is recorded as an error at its location, and the caller returns [`Failed`].

use super::lexer::{Lexer, Token, TokenKind};
use super::parser::{Failed, Parse, Parser};
use crate::diag::{Code, Diagnostic};
use crate::ir::Loc;
use arcstr::ArcStr;

/// The number of errors after which the parser gives up: the input is not IR.
const MAX_ERRORS: usize = 1000;

/// The maximum nesting depth of attributes, types and locations.
const MAX_NESTING: usize = 64;

/// The open braces that belong to dictionaries rather than regions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Soft {
    pub(super) count: usize,
    /// The line of the outermost brace.
    pub(super) line: u32,
}

/// A position to return to.
#[derive(Clone, Debug)]
pub(super) struct Mark<'s> {
    lexer: Lexer<'s>,
    token: Token<'s>,
    braces: usize,
}

impl Mark<'_> {
    /// Returns the offset of the token at the mark.
    pub(super) fn start(&self) -> usize {
        self.token.start
    }

    /// Returns the number of braces that are open at the mark.
    pub(super) fn braces(&self) -> usize {
        self.braces
    }
}

impl<'s> Parser<'s> {
    /// Advances to the next token and returns the current one.
    pub(super) fn bump(&mut self) -> Token<'s> {
        let next = self.lexer.next();
        let token = std::mem::replace(&mut self.token, next);
        if token.kind == TokenKind::Punct {
            match token.text {
                "{" => self.braces += 1,
                "}" => self.braces = self.braces.saturating_sub(1),
                _ => {}
            }
        }
        token
    }

    /// Moves to the token that starts at `offset`, in either direction.
    pub(super) fn rewind(&mut self, offset: usize) {
        self.lexer.rewind(offset);
        self.token = self.lexer.next();
    }

    /// Replaces the current token by the one at the lexer's position.
    pub(super) fn read_again(&mut self) {
        self.token = self.lexer.next();
    }

    /// Returns the location of the current token.
    pub(super) fn loc(&self) -> Loc {
        self.lexer.token_loc()
    }

    /// Returns the current position.
    pub(super) fn mark(&self) -> Mark<'s> {
        Mark {
            lexer: self.lexer.clone(),
            token: self.token,
            braces: self.braces,
        }
    }

    /// Moves to `mark`, and returns the previous position.
    pub(super) fn go_to(&mut self, mark: Mark<'s>) -> Mark<'s> {
        Mark {
            lexer: std::mem::replace(&mut self.lexer, mark.lexer),
            token: std::mem::replace(&mut self.token, mark.token),
            braces: std::mem::replace(&mut self.braces, mark.braces),
        }
    }

    /// Records an open brace that does not belong to a region.
    pub(super) fn open_soft(&mut self) {
        if self.soft.count == 0 {
            self.soft.line = self.lexer.line();
        }
        self.soft.count += 1;
    }

    /// Moves to the end of the file.
    pub(super) fn finish_file(&mut self) {
        self.lexer.finish();
        self.token = self.lexer.next();
    }

    /// Calls `inner` one level deeper in the nesting of attributes, types and locations; fails
    /// beyond [`MAX_NESTING`].
    pub(super) fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.nesting == MAX_NESTING {
            let loc = self.loc();
            return self.syntax(loc, format!("nested deeper than {MAX_NESTING}"));
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        result
    }

    /// Records an error and continues.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        if self.errors.len() > MAX_ERRORS {
            return;
        }
        if self.errors.len() == MAX_ERRORS {
            let loc = diagnostic.primary.loc;
            self.errors.push(Diagnostic::error(
                Code::IrSyntax,
                loc,
                format!("more than {MAX_ERRORS} errors, the rest is not read"),
            ));
            self.finish_file();
            return;
        }
        self.errors.push(diagnostic);
    }

    /// Records an error and fails.
    pub(super) fn fail<T>(&mut self, diagnostic: Diagnostic) -> Parse<T> {
        self.report(diagnostic);
        Err(Failed)
    }

    /// Records that the current token is not the expected one.
    pub(super) fn unexpected<T>(&mut self, expected: &str) -> Parse<T> {
        let actual = match (self.token.kind, self.token.text) {
            (TokenKind::End, _) => "the end of the file".to_owned(),
            (TokenKind::Value, text) => format!("`%{text}`"),
            (TokenKind::Symbol, text) => format!("`@{text}`"),
            (TokenKind::Bad, text) if text.starts_with(['"', '@']) && text.len() > 1 => {
                "a string without end".to_owned()
            }
            (TokenKind::Bad, "\"") => "a string without end".to_owned(),
            (TokenKind::Str, _) => format!("`{}`", self.lexer.raw()),
            (_, text) => format!("`{text}`"),
        };
        let loc = self.loc();
        if self.token.kind == TokenKind::End && std::mem::replace(&mut self.end_reported, true) {
            // Every open construct is cut off here; one error is enough.
            return Err(Failed);
        }
        self.syntax(loc, format!("expected {expected}, found {actual}"))
    }

    /// Records a syntax error.
    pub(super) fn syntax<T>(&mut self, loc: Loc, message: impl Into<String>) -> Parse<T> {
        self.fail(Diagnostic::error(Code::IrSyntax, loc, message))
    }

    /// Returns `true` if the current token is the punctuation `text`.
    #[inline]
    pub(super) fn at(&self, text: &str) -> bool {
        // Punctuation tokens of the same length differ in their first byte.
        self.token.kind == TokenKind::Punct
            && self.token.text.len() == text.len()
            && self.token.text.as_bytes().first() == text.as_bytes().first()
    }

    /// Returns `true` if the current token is the word `text`.
    #[inline]
    pub(super) fn is_at_word(&self, text: &str) -> bool {
        self.token.kind == TokenKind::Word && self.token.text == text
    }

    /// Skips the punctuation `text` if it is next.
    #[inline]
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let is_match = self.at(text);
        if is_match {
            self.bump();
        }
        is_match
    }

    /// Skips the word `text` if it is next.
    #[inline]
    pub(super) fn eat_word(&mut self, text: &str) -> bool {
        let is_match = self.is_at_word(text);
        if is_match {
            self.bump();
        }
        is_match
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

    /// Returns the current token and advances, if its kind is `kind`; otherwise reports that `what`
    /// was expected.
    pub(super) fn take(&mut self, kind: TokenKind, what: &str) -> Parse<Token<'s>> {
        if self.token.kind == kind {
            return Ok(self.bump());
        }
        self.unexpected(what)
    }

    /// Parses a comma-separated list between `open` and `close`, which may be empty.
    pub(super) fn list<T>(
        &mut self,
        open: &str,
        close: &str,
        item: impl FnMut(&mut Self) -> Parse<T>,
    ) -> Parse<Vec<T>> {
        self.expect(open)?;
        // A list in braces is not a region.
        let soft = open == "{";
        if soft {
            self.open_soft();
        }
        let mut items = Vec::new();
        if !self.at(close) {
            items = self.comma_list(item)?;
        }
        self.expect(close)?;
        if soft {
            self.soft.count -= 1;
        }
        Ok(items)
    }

    /// Parses one or more items separated by commas.
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

    /// Parses an integer, optionally negative, decimal or hexadecimal.
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

    /// Parses an integer of type `T`.
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

    /// Parses a string with MLIR's escapes.
    pub(super) fn string(&mut self) -> Parse<String> {
        let loc = self.loc();
        let token = self.take(TokenKind::Str, "a string")?;
        self.unescaped(token.text, loc)
    }

    /// Parses `@name` or `@"any name"`.
    pub(super) fn symbol(&mut self, what: &str) -> Parse<ArcStr> {
        let loc = self.loc();
        let token = self.take(TokenKind::Symbol, what)?;
        let quoted = token
            .text
            .strip_prefix('"')
            .and_then(|t| t.strip_suffix('"'));
        match quoted {
            None => Ok(token.text.into()),
            Some(text) => self.unescaped(text, loc).map(Into::into),
        }
    }

    fn unescaped(&mut self, text: &str, loc: Loc) -> Parse<String> {
        match unescape(text) {
            Some(text) => Ok(text),
            None => self.fail(
                Diagnostic::error(
                    Code::IrSyntax,
                    loc,
                    "a string with an unknown escape or invalid UTF-8",
                )
                .note(
                    r#"escapes are `\n`, `\t`, `\\`, `\"` and two hexadecimal digits as in `\0A`"#,
                ),
            ),
        }
    }
}

/// Returns the value of a decimal or hexadecimal literal without sign.
pub(super) fn parse_magnitude(text: &str) -> Option<i128> {
    match text.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn unescape(text: &str) -> Option<String> {
    if !text.contains('\\') {
        return Some(text.to_owned());
    }
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
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                let digits = std::str::from_utf8(&digits).ok()?;
                out.push(u8::from_str_radix(digits, 16).ok()?);
            }
        }
    }
    String::from_utf8(out).ok()
}

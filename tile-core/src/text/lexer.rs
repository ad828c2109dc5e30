//! Splits text into tokens, one at a time.
//!
//! Reads UTF-8 source and returns [`Token`]s with byte offsets. A dimension list such as `4x?xf32`
//! is not one token; the type parser reads it byte by byte from the start of the current token
//! ([`Lexer::rewind`]).
//!
//! The lexer counts lines and characters while scanning, so that a location needs no second scan.
//! No token spans lines, so the line of the position is also that of the last token.

use crate::ir::Loc;

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `name`, `cuda_tile.addi`.
    Word,
    /// `%name`, `%0`; the text excludes the sigil.
    Value,
    /// `@name`, `@"any name"`; the text excludes the sigil, but not the quotes.
    Symbol,
    /// `12`, `0x7F`.
    Int,
    /// `1.0e+3`.
    Float,
    /// `"…"`; the text is the raw contents.
    Str,
    /// Anything else: one character, or `->`.
    Punct,
    /// A character that starts no token, or an unterminated string.
    Bad,
    /// The end of the source.
    End,
}

/// A token and its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'s> {
    /// The kind.
    pub(super) kind: TokenKind,
    /// The text; see [`TokenKind`].
    pub(super) text: &'s str,
    /// The offset of the first byte of the token.
    pub(super) start: usize,
}

/// The source and a position in it. Cheap to clone for backtracking.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'s> {
    source: &'s str,
    /// The file; its line and column are unused.
    file: Loc,
    position: usize,
    /// The line of the position, counted from 1, and the offset of the start of that line.
    line: u32,
    line_start: usize,
    /// The number of UTF-8 continuation bytes between the start of the line and the position.
    wide: usize,
    /// The value of `wide` at the start of the last token.
    token_wide: usize,
    /// The offsets of the last token and of the first token of its line.
    token_start: usize,
    first_start: usize,
}

/// The class of the tokens that a byte may start.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Blank,
    Word,
    Digit,
    Sigil,
    Quote,
    Dash,
    Punct,
    Bad,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Bad; 256];
    let mut byte = 0u8;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0C => Class::Blank,
            b'_' | b'a'..=b'z' | b'A'..=b'Z' => Class::Word,
            b'0'..=b'9' => Class::Digit,
            b'%' | b'@' => Class::Sigil,
            b'"' => Class::Quote,
            b'-' => Class::Dash,
            _ if byte.is_ascii_punctuation() => Class::Punct,
            _ => Class::Bad,
        };
        byte += 1;
    }
    classes
};

/// Bytes inside words and names.
const WORD: [bool; 256] = {
    let mut set = [false; 256];
    let mut byte = 0u8;
    while byte < 128 {
        set[byte as usize] =
            byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte == b'.';
        byte += 1;
    }
    set
};

fn is_word(byte: u8) -> bool {
    WORD[usize::from(byte)]
}

/// Returns the number of UTF-8 continuation bytes in `text`.
fn continuations(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte & 0xC0 == 0x80).count()
}

impl<'s> Lexer<'s> {
    /// Makes a lexer at the start of `source`.
    pub(super) fn new(source: &'s str, file_name: &str) -> Self {
        Self {
            source,
            file: Loc::file(file_name, 1, 1),
            position: 0,
            line: 1,
            line_start: 0,
            wide: 0,
            token_wide: 0,
            token_start: 0,
            first_start: 0,
        }
    }

    /// Returns the location of the last token. The column counts characters from 1; a tab counts as
    /// one.
    pub(super) fn token_loc(&self) -> Loc {
        self.at(self.token_start, self.token_wide)
    }

    /// Returns the location of the token that starts at `offset`. The cost is linear in the
    /// distance.
    pub(super) fn loc(&self, offset: usize) -> Loc {
        let mut lexer = self.clone();
        lexer.rewind(offset);
        lexer.here()
    }

    /// Returns the location of the current position.
    pub(super) fn here(&self) -> Loc {
        self.at(self.position, self.wide)
    }

    fn at(&self, offset: usize, wide: usize) -> Loc {
        let column = offset - self.line_start - wide + 1;
        self.file
            .at(self.line, u32::try_from(column).unwrap_or(u32::MAX))
    }

    /// Returns the offset of the first token of the line.
    pub(super) fn first_of_line(&self) -> usize {
        self.first_start
    }

    /// Returns the line of the position.
    pub(super) fn line(&self) -> u32 {
        self.line
    }

    /// Returns `true` if the last token is the first of its line.
    pub(super) fn is_first_of_line(&self) -> bool {
        self.token_start == self.first_start
    }

    /// Returns the source text of the last token, with sigils and quotes.
    pub(super) fn raw(&self) -> &'s str {
        self.between(self.token_start, self.position)
    }

    /// Returns the rest of the source, starting with the last token.
    pub(super) fn ahead(&self) -> &'s str {
        self.between(self.token_start, self.source.len())
    }

    /// Returns the text between two offsets.
    fn between(&self, start: usize, end: usize) -> &'s str {
        self.source.get(start..end).unwrap_or_default()
    }

    /// Moves to `offset`, where a token starts, in either direction. The cost is linear in the
    /// distance.
    pub(super) fn rewind(&mut self, offset: usize) {
        let bytes = self.source.as_bytes();
        let offset = offset.min(bytes.len());
        let newlines = |from: usize, to: usize| {
            let crossed = memchr::memchr_iter(b'\n', &bytes[from..to]).count();
            u32::try_from(crossed).unwrap_or(u32::MAX)
        };
        let crossed = if offset < self.line_start {
            let crossed = newlines(offset, self.line_start);
            self.line -= crossed;
            crossed
        } else if offset > self.position {
            let crossed = newlines(self.position, offset);
            self.line = self.line.saturating_add(crossed);
            crossed
        } else {
            0
        };
        if crossed > 0 {
            let before = memchr::memrchr(b'\n', &bytes[..offset]);
            self.line_start = before.map_or(0, |newline| newline + 1);
            self.wide = continuations(&bytes[self.line_start..offset]);
            let blank = bytes[self.line_start..]
                .iter()
                .position(|byte| !byte.is_ascii_whitespace());
            self.first_start = self.line_start + blank.unwrap_or(0);
        } else if offset < self.position {
            self.wide -= continuations(&bytes[offset..self.position]);
        } else {
            self.wide += continuations(&bytes[self.position..offset]);
        }
        self.position = offset;
    }

    /// Moves to the end.
    pub(super) fn finish(&mut self) {
        self.rewind(self.source.len());
    }

    /// Returns the end of the last token, from which the next one is scanned.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// Returns the byte at the position.
    pub(super) fn peek_byte(&self) -> Option<u8> {
        self.source.as_bytes().get(self.position).copied()
    }

    /// Skips the byte at the position, which must be ASCII.
    pub(super) fn bump_byte(&mut self) {
        self.position += 1;
    }

    /// Reads decimal digits at the position.
    pub(super) fn digits(&mut self) -> &'s str {
        let start = self.position;
        self.skip_while(|byte| byte.is_ascii_digit());
        self.between(start, self.position)
    }

    /// Returns the next token.
    pub(super) fn next(&mut self) -> Token<'s> {
        self.skip_blank();
        let start = self.position;
        self.token_start = start;
        self.token_wide = self.wide;
        let Some(byte) = self.peek_byte() else {
            return self.token(TokenKind::End, start, start);
        };
        match CLASSES[usize::from(byte)] {
            Class::Word => {
                self.skip_while(is_word);
                self.token(TokenKind::Word, start, start)
            }
            Class::Sigil => self.name(byte, start),
            Class::Digit => self.number(start),
            Class::Quote => self.string(start),
            Class::Dash | Class::Punct => {
                let arrow = byte == b'-' && self.byte_after() == Some(b'>');
                self.position += 1 + usize::from(arrow);
                self.token(TokenKind::Punct, start, start)
            }
            Class::Blank | Class::Bad => {
                let rest = self.source[start..].chars().next();
                let width = rest.map_or(1, char::len_utf8);
                self.position += width;
                self.wide += width - 1;
                self.token(TokenKind::Bad, start, start)
            }
        }
    }

    fn byte_after(&self) -> Option<u8> {
        self.source.as_bytes().get(self.position + 1).copied()
    }

    /// Scans `%name`, `@name` or `@"name"`.
    fn name(&mut self, sigil: u8, start: usize) -> Token<'s> {
        self.position += 1;
        if sigil == b'@' && self.peek_byte() == Some(b'"') {
            return match self.string(start + 1).kind {
                TokenKind::Str => self.token(TokenKind::Symbol, start, start + 1),
                _ => self.token(TokenKind::Bad, start, start),
            };
        }
        self.skip_while(is_word);
        // tileirdisasm writes `%cst_-1_i8`; `%a->` is not such a name.
        while self.position > start + 1 && self.joins_name() {
            self.position += 1;
            self.skip_while(is_word);
        }
        match (sigil, self.position - start) {
            (_, 1) => self.token(TokenKind::Bad, start, start),
            (b'%', _) => self.token(TokenKind::Value, start, start + 1),
            _ => self.token(TokenKind::Symbol, start, start + 1),
        }
    }

    /// Returns `true` at a dash that is part of a name.
    fn joins_name(&self) -> bool {
        let rest = &self.source.as_bytes()[self.position..];
        matches!(rest, [b'-', next, ..] if is_word(*next))
    }

    fn skip_blank(&mut self) {
        let bytes = self.source.as_bytes();
        let mut newline = self.position == 0;
        loop {
            match bytes.get(self.position) {
                Some(b'\n') => {
                    self.position += 1;
                    self.line = self.line.saturating_add(1);
                    self.line_start = self.position;
                    self.wide = 0;
                    newline = true;
                }
                Some(&byte) if CLASSES[usize::from(byte)] == Class::Blank => self.position += 1,
                Some(b'/') if self.byte_after() == Some(b'/') => {
                    let start = self.position;
                    self.skip_while(|byte| byte != b'\n');
                    self.wide += continuations(&bytes[start..self.position]);
                }
                _ => break,
            }
        }
        if newline {
            self.first_start = self.position;
        }
    }

    /// Scans `0x1F`, `12`, `1.5e-3`; a letter that follows starts the next token.
    fn number(&mut self, start: usize) -> Token<'s> {
        let bytes = self.source.as_bytes();
        let hex = bytes[start] == b'0'
            && bytes.get(start + 1) == Some(&b'x')
            && bytes.get(start + 2).is_some_and(u8::is_ascii_hexdigit);
        if hex {
            self.position += 2;
            self.skip_while(|byte| byte.is_ascii_hexdigit());
            return self.token(TokenKind::Int, start, start);
        }
        self.digits();
        if self.peek_byte() != Some(b'.') {
            return self.token(TokenKind::Int, start, start);
        }
        self.position += 1;
        self.digits();
        if let Some(b'e' | b'E') = self.peek_byte() {
            let mark = self.position;
            self.position += 1;
            if let Some(b'+' | b'-') = self.peek_byte() {
                self.position += 1;
            }
            if self.digits().is_empty() {
                self.position = mark;
            }
        }
        self.token(TokenKind::Float, start, start)
    }

    /// Scans a string that starts at `start`.
    fn string(&mut self, start: usize) -> Token<'s> {
        let bytes = self.source.as_bytes();
        self.position = start + 1;
        let ended = loop {
            match bytes.get(self.position) {
                None | Some(b'\n') => break false,
                Some(b'"') => break true,
                Some(b'\\') if bytes.get(self.position + 1) != Some(&b'\n') => {
                    self.position = (self.position + 2).min(bytes.len());
                }
                Some(_) => self.position += 1,
            }
        };
        // Skipping the byte after a backslash may have stopped inside a character.
        while !self.source.is_char_boundary(self.position) {
            self.position += 1;
        }
        self.wide += continuations(&bytes[start..self.position]);
        if !ended {
            return self.token(TokenKind::Bad, start, start);
        }
        let token = self.token(TokenKind::Str, start, start + 1);
        self.position += 1;
        token
    }

    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) {
        let bytes = self.source.as_bytes();
        while bytes.get(self.position).is_some_and(|&byte| accept(byte)) {
            self.position += 1;
        }
    }

    /// Makes a token that extends from `start` to the position, and whose text starts at `text`.
    fn token(&self, kind: TokenKind, start: usize, text: usize) -> Token<'s> {
        Token {
            kind,
            text: self.between(text, self.position),
            start,
        }
    }
}

//! Text to tokens, one at a time.
//!
//! In: UTF-8 source. Out: [`Token`]s with byte offsets. A dimension list such
//! as `4x?xf32` is not one token; the type parser reads it byte by byte from
//! the start of the current token ([`Lexer::rewind`]).

use crate::ir::Loc;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `name`, `cuda_tile.addi`.
    Word,
    /// `%name`, `%0`; the text excludes the sigil.
    Value,
    /// `@name`; the text excludes the sigil.
    Symbol,
    /// `12`, `0x7F`.
    Int,
    /// `1.0e+3`.
    Float,
    /// `"…"`; the text is the raw inside.
    Str,
    /// Anything else: one character, or `->`.
    Punct,
    /// A character that starts no token, or an unterminated string.
    Bad,
    /// The end.
    End,
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'s> {
    /// What it is.
    pub(super) kind: TokenKind,
    /// Its text; see [`TokenKind`].
    pub(super) text: &'s str,
    /// Offset of its first byte.
    pub(super) start: usize,
}

/// The source and a position in it.
#[derive(Debug)]
pub(super) struct Lexer<'s> {
    source: &'s str,
    file_name: &'s str,
    position: usize,
    line_starts: Vec<usize>,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.')
}

impl<'s> Lexer<'s> {
    /// At the start of `source`.
    pub(super) fn new(source: &'s str, file_name: &'s str) -> Self {
        let newlines = source.bytes().enumerate().filter(|&(_, b)| b == b'\n');
        Self {
            source,
            file_name,
            position: 0,
            line_starts: std::iter::once(0)
                .chain(newlines.map(|(at, _)| at + 1))
                .collect(),
        }
    }

    /// The location of the byte `offset`; the column counts characters.
    pub(super) fn loc(&self, offset: usize) -> Loc {
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1];
        let column = self.source[start..offset.min(self.source.len())]
            .chars()
            .count();
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Loc::file(self.file_name, number(line), number(column + 1))
    }

    /// Whether only blanks stand before `offset` on its line.
    pub(super) fn is_first_of_line(&self, offset: usize) -> bool {
        let line = self.line_starts.partition_point(|&start| start <= offset);
        self.source[self.line_starts[line - 1]..offset]
            .bytes()
            .all(|byte| byte.is_ascii_whitespace())
    }

    /// Goes back (or forth) to `offset`.
    pub(super) fn rewind(&mut self, offset: usize) {
        self.position = offset;
    }

    /// Where the next token is looked for.
    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// The location of the position.
    pub(super) fn here(&self) -> Loc {
        self.loc(self.position)
    }

    /// The byte at the position.
    pub(super) fn peek_byte(&self) -> Option<u8> {
        self.source.as_bytes().get(self.position).copied()
    }

    /// Skips the byte at the position, which must be ASCII.
    pub(super) fn bump_byte(&mut self) {
        self.position += 1;
    }

    /// Reads decimal digits at the position.
    pub(super) fn digits(&mut self) -> &'s str {
        self.take_while(|byte| byte.is_ascii_digit())
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Token<'s> {
        self.skip_blank();
        let start = self.position;
        let Some(byte) = self.peek_byte() else {
            return self.token(TokenKind::End, start, start);
        };
        match byte {
            b'%' | b'@' => {
                self.position += 1;
                self.take_while(is_word);
                // tileirdisasm writes `%cst_-1_i8`; `%a->` is no such name.
                while self.position > start + 1 && self.joins_name() {
                    self.position += 1;
                    self.take_while(is_word);
                }
                let kind = match (byte, self.position - start) {
                    (_, 1) => TokenKind::Bad,
                    (b'%', _) => TokenKind::Value,
                    _ => TokenKind::Symbol,
                };
                self.token(kind, start, start + 1)
            }
            b'0'..=b'9' => self.number(start),
            b'"' => self.string(start),
            b'-' if self.source[start..].starts_with("->") => {
                self.position += 2;
                self.token(TokenKind::Punct, start, start)
            }
            _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                self.take_while(is_word);
                self.token(TokenKind::Word, start, start)
            }
            _ if byte.is_ascii_punctuation() => {
                self.position += 1;
                self.token(TokenKind::Punct, start, start)
            }
            _ => {
                let width = self.source[start..]
                    .chars()
                    .next()
                    .map_or(1, char::len_utf8);
                self.position += width;
                self.token(TokenKind::Bad, start, start)
            }
        }
    }

    /// Whether a dash that is part of a name stands at the position.
    fn joins_name(&self) -> bool {
        let rest = &self.source.as_bytes()[self.position..];
        matches!(rest, [b'-', next, ..] if is_word(*next))
    }

    fn skip_blank(&mut self) {
        loop {
            self.take_while(|byte| byte.is_ascii_whitespace());
            if !self.source[self.position..].starts_with("//") {
                return;
            }
            self.take_while(|byte| byte != b'\n');
        }
    }

    /// `0x1F`, `12`, `1.5e-3`; a letter that follows starts the next token.
    fn number(&mut self, start: usize) -> Token<'s> {
        let bytes = self.source.as_bytes();
        let hex = bytes[start] == b'0'
            && bytes.get(start + 1) == Some(&b'x')
            && bytes.get(start + 2).is_some_and(u8::is_ascii_hexdigit);
        if hex {
            self.position += 2;
            self.take_while(|byte| byte.is_ascii_hexdigit());
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

    fn string(&mut self, start: usize) -> Token<'s> {
        self.position += 1;
        loop {
            match self.peek_byte() {
                None | Some(b'\n') => return self.token(TokenKind::Bad, start, start),
                Some(b'"') => {
                    let text = &self.source[start + 1..self.position];
                    self.position += 1;
                    return Token {
                        kind: TokenKind::Str,
                        text,
                        start,
                    };
                }
                Some(b'\\') if self.source.as_bytes().get(self.position + 1) != Some(&b'\n') => {
                    self.position = (self.position + 2).min(self.source.len());
                }
                Some(_) => self.position += 1,
            }
        }
    }

    fn take_while(&mut self, accept: impl Fn(u8) -> bool) -> &'s str {
        let bytes = self.source.as_bytes();
        let start = self.position;
        while bytes.get(self.position).is_some_and(|&byte| accept(byte)) {
            self.position += 1;
        }
        // Every accepted set of bytes holds either no or all bytes above ASCII
        // and scanning starts at a character, so both ends are boundaries.
        &self.source[start..self.position]
    }

    /// A token from `start` to the position, its text from `text`.
    fn token(&self, kind: TokenKind, start: usize, text: usize) -> Token<'s> {
        Token {
            kind,
            text: self.source.get(text..self.position).unwrap_or(""),
            start,
        }
    }
}

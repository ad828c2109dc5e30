//! A position in a text, and the tokens at it.

use std::fmt;
use std::ops::Range;

/// An error of [`from_text`](super::from_text).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The message, without the position.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

pub(super) type Parsed<T> = Result<T, ParseError>;

/// Maximum number of items of a run such as `0..4`.
const MAX_RUN: u32 = 1 << 16;

/// A position in a text. Blanks and comments before a token are skipped; the end of a line is a token.
#[derive(Clone, Debug)]
pub(in crate::gpu) struct Cursor<'t> {
    text: &'t str,
    at: usize,
    /// Number of layouts that the text has declared.
    pub(super) layouts: usize,
    /// Number of buffers that the text has declared.
    pub(super) buffers: usize,
    /// Number of tensor maps that the text has declared.
    pub(super) maps: usize,
}

fn is_in_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '-' | '$')
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            layouts: 0,
            buffers: 0,
            maps: 0,
        }
    }

    /// Returns the text from the next token on.
    pub(super) fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        self.at += blank;
        let rest = &rest[blank..];
        if rest.starts_with(';') {
            let comment = rest.find('\n').unwrap_or(rest.len());
            self.at += comment;
            return &rest[comment..];
        }
        rest
    }

    /// Returns an error at the next token.
    pub(super) fn error(&mut self, message: impl Into<String>) -> ParseError {
        self.rest();
        let before = &self.text[..self.at];
        let line = before.rsplit('\n').next().unwrap_or_default();
        ParseError {
            line: before.matches('\n').count() + 1,
            column: line.chars().count() + 1,
            message: message.into(),
        }
    }

    /// Returns an error that names the next token.
    pub(super) fn expected(&mut self, what: &str) -> ParseError {
        let rest = self.rest();
        let word = self.peek_word();
        let found = match rest.chars().next() {
            None => "the end of the text".to_owned(),
            Some('\n' | '\r') => "the end of the line".to_owned(),
            Some(_) if !word.is_empty() => format!("`{word}`"),
            Some(letter) => format!("`{letter}`"),
        };
        self.error(format!("expected {what}, found {found}"))
    }

    /// Returns the next word, which may be empty, and stays before it.
    pub(super) fn peek_word(&mut self) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|letter| !is_in_word(letter));
        &rest[..end.unwrap_or(rest.len())]
    }

    /// Takes the next word.
    pub(in crate::gpu) fn word(&mut self, what: &str) -> Parsed<&'t str> {
        let word = self.peek_word();
        if word.is_empty() {
            return Err(self.expected(what));
        }
        self.at += word.len();
        Ok(word)
    }

    /// Takes `token`, if it is next.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let is_next = self.rest().starts_with(token);
        if is_next {
            self.at += token.len();
        }
        is_next
    }

    /// Takes the word `word`, if it is next.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        self.peek_word() == word && self.eat(word)
    }

    /// Takes `key=`, if it is next.
    pub(super) fn eat_key(&mut self, key: &str) -> bool {
        let word = self.peek_word();
        let is_next = word == key && self.text[self.at + key.len()..].starts_with('=');
        if is_next {
            self.at += key.len() + 1;
        }
        is_next
    }

    /// Takes `token`, which must be next.
    pub(super) fn expect(&mut self, token: &str) -> Parsed<()> {
        if self.eat(token) {
            return Ok(());
        }
        Err(self.expected(&format!("`{token}`")))
    }

    /// Takes the end of a line, and all lines without a token.
    pub(super) fn end_line(&mut self) -> Parsed<()> {
        if !self.rest().is_empty() && !self.rest().starts_with(['\n', '\r']) {
            return Err(self.expected("the end of the line"));
        }
        self.blank_lines();
        Ok(())
    }

    /// Takes all line ends that are next.
    pub(super) fn blank_lines(&mut self) {
        while self.rest().starts_with(['\n', '\r']) {
            self.at += 1;
        }
    }

    /// Takes the rest of the line.
    pub(super) fn line(&mut self) -> &'t str {
        let rest = self.rest();
        let line = rest.lines().next().unwrap_or_default();
        self.at += line.len();
        line.trim_end()
    }

    /// Takes an unsigned number, in decimal or with the prefix `0x`.
    pub(super) fn number<T: TryFrom<u64>>(&mut self) -> Parsed<T> {
        let rest = self.rest();
        let (digits, radix) = match rest.strip_prefix("0x") {
            Some(digits) => (digits, 16),
            None => (rest, 10),
        };
        let end = digits.find(|letter: char| !letter.is_digit(radix));
        let digits = &digits[..end.unwrap_or(digits.len())];
        if digits.is_empty() {
            return Err(self.expected("a number"));
        }
        let number = u64::from_str_radix(digits, radix).ok();
        let Some(number) = number.and_then(|number| T::try_from(number).ok()) else {
            return Err(self.error("the number is too large"));
        };
        self.at += digits.len() + if radix == 16 { 2 } else { 0 };
        Ok(number)
    }

    /// Takes a number after `sign` that is below `count`, the number of `what` declared so far.
    pub(super) fn index(&mut self, sign: &str, count: usize, what: &str) -> Parsed<usize> {
        let mut start = self.clone();
        self.expect(sign)?;
        let index = self.number()?;
        if index >= count {
            return Err(start.error(format!("undefined {what} `{sign}{index}`")));
        }
        Ok(index)
    }

    /// Takes a run of numbers, `a..b` without `b`, or one number.
    pub(super) fn run(&mut self) -> Parsed<Range<u32>> {
        let start: u32 = self.number()?;
        let end = if self.eat("..") {
            self.number()?
        } else {
            start.saturating_add(1)
        };
        if end <= start || end - start > MAX_RUN {
            return Err(self.error(format!("`{start}..{end}` is no run of numbers")));
        }
        Ok(start..end)
    }

    /// Takes a string in quotes, with the escapes of [`slice::escape_ascii`].
    pub(super) fn string(&mut self) -> Parsed<Vec<u8>> {
        let mut start = self.clone();
        self.expect("\"")?;
        let mut bytes = Vec::new();
        let mut rest = self.text.as_bytes()[self.at..].iter().copied();
        let mut taken = 0;
        let mut next = || {
            taken += 1;
            rest.next().filter(|byte| *byte != b'\n')
        };
        loop {
            let byte = match next() {
                Some(b'"') => break,
                Some(b'\\') => match next() {
                    Some(b'n') => Some(b'\n'),
                    Some(b'r') => Some(b'\r'),
                    Some(b't') => Some(b'\t'),
                    Some(b'x') => [next(), next()].into_iter().try_fold(0, |byte, digit| {
                        let digit = char::from(digit?).to_digit(16)?;
                        Some(byte << 4 | u8::try_from(digit).ok()?)
                    }),
                    Some(byte @ (b'"' | b'\\' | b'\'')) => Some(byte),
                    _ => None,
                },
                byte => byte,
            };
            let Some(byte) = byte else {
                return Err(start.error("the string does not end, or has an unknown escape"));
            };
            bytes.push(byte);
        }
        self.at += taken;
        Ok(bytes)
    }

    /// Takes items with a comma between two, enclosed by `open` and `close`.
    pub(super) fn list<T>(
        &mut self,
        (open, close): (&str, &str),
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.expect(open)?;
        let mut items = Vec::new();
        while !self.eat(close) {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Ok(items)
    }
}

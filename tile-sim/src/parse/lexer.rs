//! Splits PTX text into tokens with line numbers.

use super::ParseError;

/// A token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// An identifier: `ld`, `%r1`, `$L__BB0_2`.
    Word(&'a str),
    /// A directive or modifier: `.global`, without the dot.
    Dot(&'a str),
    Int(u64),
    /// An integer with the suffix `U`.
    Unsigned(u64),
    Single(u32),
    Double(u64),
    Text(&'a str),
    Mark(char),
    End,
}

impl Token<'_> {
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Word(word) => format!("`{word}`"),
            Self::Dot(word) => format!("`.{word}`"),
            Self::Int(value) | Self::Unsigned(value) => format!("`{value}`"),
            Self::Single(_) | Self::Double(_) => "a floating-point number".into(),
            Self::Text(_) => "a string".into(),
            Self::Mark(mark) => format!("`{mark}`"),
            Self::End => "the end of the text".into(),
        }
    }
}

/// Returns all tokens; the last one is [`Token::End`].
pub(super) fn tokens(text: &str) -> Result<Vec<(Token<'_>, u32)>, ParseError> {
    let mut lexer = Lexer {
        text,
        at: 0,
        line: 1,
    };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    loop {
        let token = lexer.next()?;
        tokens.push((token, lexer.line));
        if token == Token::End {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

impl<'a> Lexer<'a> {
    fn peek(&self, ahead: usize) -> u8 {
        self.text
            .as_bytes()
            .get(self.at + ahead)
            .copied()
            .unwrap_or(0)
    }

    fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError::new(self.line, message)
    }

    fn skip_blanks(&mut self) -> Result<(), ParseError> {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b'\n', _) => {
                    self.line += 1;
                    self.at += 1;
                }
                (b' ' | b'\t' | b'\r', _) => self.at += 1,
                (b'/', b'/') => {
                    while self.at < self.text.len() && self.peek(0) != b'\n' {
                        self.at += 1;
                    }
                }
                (b'/', b'*') => {
                    let rest = &self.text.as_bytes()[self.at + 2..];
                    let Some(length) = rest.windows(2).position(|pair| pair == b"*/") else {
                        return Err(self.error("unterminated comment"));
                    };
                    for &byte in &rest[..length] {
                        self.line += u32::from(byte == b'\n');
                    }
                    self.at += length + 4;
                }
                _ => return Ok(()),
            }
        }
    }

    fn while_word(&mut self, from: usize) -> &'a str {
        while is_word(self.peek(0)) {
            self.at += 1;
        }
        &self.text[from..self.at]
    }

    fn next(&mut self) -> Result<Token<'a>, ParseError> {
        self.skip_blanks()?;
        let from = self.at;
        if from >= self.text.len() {
            return Ok(Token::End);
        }
        match self.peek(0) {
            b'.' if is_word(self.peek(1)) => {
                self.at += 1;
                loop {
                    self.while_word(from);
                    if self.peek(0) != b':' || self.peek(1) != b':' {
                        break;
                    }
                    self.at += 2;
                }
                Ok(Token::Dot(&self.text[from + 1..self.at]))
            }
            b'"' => {
                let Some(length) = self.text[from + 1..].find(['"', '\n']) else {
                    return Err(self.error("unterminated string"));
                };
                self.at += length + 2;
                Ok(Token::Text(&self.text[from + 1..from + 1 + length]))
            }
            b'0'..=b'9' => self.number(),
            b'%' if !is_word(self.peek(1)) => {
                self.at += 1;
                Ok(Token::Mark('%'))
            }
            b'%' | b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' => {
                self.at += 1;
                Ok(Token::Word(self.while_word(from)))
            }
            byte if byte.is_ascii_graphic() => {
                self.at += 1;
                Ok(Token::Mark(char::from(byte)))
            }
            _ => {
                let character = self.text.get(from..).and_then(|rest| rest.chars().next());
                Err(self.error(format!("unexpected character {character:?}")))
            }
        }
    }

    fn number(&mut self) -> Result<Token<'a>, ParseError> {
        let from = self.at;
        let word = self.while_word(from);
        let bad = || ParseError::new(self.line, format!("`{word}` is not a number"));
        if let Some(digits) = word.strip_prefix("0f").or(word.strip_prefix("0F")) {
            if digits.len() != 8 {
                return Err(bad());
            }
            let bits = u32::from_str_radix(digits, 16).map_err(|_| bad())?;
            return Ok(Token::Single(bits));
        }
        if let Some(digits) = word.strip_prefix("0d").or(word.strip_prefix("0D")) {
            if digits.len() != 16 {
                return Err(bad());
            }
            let bits = u64::from_str_radix(digits, 16).map_err(|_| bad())?;
            return Ok(Token::Double(bits));
        }
        if self.peek(0) == b'.' && self.peek(1).is_ascii_digit() {
            self.at += 1;
            self.while_word(from);
            if matches!(self.text.as_bytes()[self.at - 1], b'e' | b'E')
                && matches!(self.peek(0), b'+' | b'-')
            {
                self.at += 1;
                self.while_word(from);
            }
            let decimal = &self.text[from..self.at];
            let value: f64 = decimal
                .parse()
                .map_err(|_| self.error(format!("`{decimal}` is not a number")))?;
            return Ok(Token::Double(value.to_bits()));
        }
        let digits = word.strip_suffix('U').unwrap_or(word);
        let value = if let Some(digits) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
            u64::from_str_radix(digits, 16)
        } else if let Some(digits) = digits.strip_prefix("0b").or(digits.strip_prefix("0B")) {
            u64::from_str_radix(digits, 2)
        } else if digits.len() > 1 && digits.starts_with('0') {
            u64::from_str_radix(&digits[1..], 8)
        } else {
            digits.parse()
        };
        let kind = if digits.len() < word.len() {
            Token::Unsigned
        } else {
            Token::Int
        };
        value.map(kind).map_err(|_| bad())
    }
}

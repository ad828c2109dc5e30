//! Reads and writes the JSON of records.
//!
//! In: one line of text. Out: the values in it, or a [`Fault`] with its column.
//!
//! The reader is a strict one of RFC 8259, and no input makes it panic or nest deeper than
//! [`MAX_DEPTH`]. nanoserde, which the compiler uses for its own files, panics on some malformed
//! values of fields that it skips; lines of records are edited and merged by people and by git.

use std::fmt::Write as _;

/// The deepest nesting of arrays and objects in fields that are skipped.
const MAX_DEPTH: u32 = 64;

/// The fault of a line, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// The column, in characters, from 1.
    pub(super) column: usize,
    pub(super) message: String,
}

/// Reads values from the start of a text to its end.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns a fault at the next character.
    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        let before = self.text.get(..self.at).unwrap_or_default();
        Fault {
            column: before.chars().count() + 1,
            message: message.into(),
        }
    }

    fn expected(&self, what: &str) -> Fault {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let found = match rest.chars().next() {
            Some(letter) => format!("`{}`", letter.escape_debug()),
            None => "the end of the line".to_owned(),
        };
        self.fault(format!("expected {what}, found {found}"))
    }

    /// Returns the next byte after blanks.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        self.at += rest.iter().take_while(is_blank).count();
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, byte: u8, what: &str) -> Result<(), Fault> {
        if self.peek() != Some(byte) {
            return Err(self.expected(what));
        }
        self.at += 1;
        Ok(())
    }

    /// Checks that nothing follows.
    pub(super) fn end(&mut self) -> Result<(), Fault> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.expected("the end of the line")),
        }
    }

    /// Reads an object, and calls `field` at the value of each field.
    pub(super) fn object(
        &mut self,
        mut field: impl FnMut(&mut Self, &str) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.take(b'{', "`{`")?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            let name = self.string()?;
            self.take(b':', "`:`")?;
            field(self, &name)?;
            if self.peek() == Some(b'}') {
                self.at += 1;
                return Ok(());
            }
            self.take(b',', "`,` or `}`")?;
        }
    }

    /// Reads an array, and calls `item` at each of its values.
    pub(super) fn array(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.take(b'[', "`[`")?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            item(self)?;
            if self.peek() == Some(b']') {
                self.at += 1;
                return Ok(());
            }
            self.take(b',', "`,` or `]`")?;
        }
    }

    /// Reads a string.
    pub(super) fn string(&mut self) -> Result<String, Fault> {
        self.take(b'"', "a string")?;
        let mut string = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(letter) = rest.chars().next() else {
                return Err(self.expected("`\"`"));
            };
            match letter {
                '"' => {
                    self.at += 1;
                    return Ok(string);
                }
                '\\' => string.push(self.escape()?),
                '\0'..='\x1f' => return Err(self.expected("`\"`")),
                _ => {
                    self.at += letter.len_utf8();
                    string.push(letter);
                }
            }
        }
    }

    /// Reads an escape of a string, from its backslash.
    fn escape(&mut self) -> Result<char, Fault> {
        let letter = match self.text.as_bytes().get(self.at + 1) {
            Some(b'u') => return self.unicode_escape(),
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'b') => '\x08',
            Some(b'f') => '\x0c',
            Some(&byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(_) | None => return Err(self.fault("an escape that JSON does not have")),
        };
        self.at += 2;
        Ok(letter)
    }

    /// Reads `\uXXXX`, or a surrogate pair of two of them.
    fn unicode_escape(&mut self) -> Result<char, Fault> {
        let unit_at = |at: usize| {
            let digits = self.text.get(at..at + 6)?.strip_prefix("\\u")?;
            let are_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            are_digits.then(|| u16::from_str_radix(digits, 16).ok())?
        };
        let first = unit_at(self.at);
        let units = first.into_iter().chain(unit_at(self.at + 6));
        let Some(Ok(letter)) = char::decode_utf16(units).next() else {
            return Err(self.fault("an escape of no character"));
        };
        self.at += 6 * letter.len_utf16();
        Ok(letter)
    }

    /// Returns the text of a number.
    fn digits(&mut self) -> Result<&'a str, Fault> {
        let first = self.peek();
        if !first.is_some_and(|byte| byte == b'-' || byte.is_ascii_digit()) {
            return Err(self.expected("a number"));
        }
        let rest = &self.text[self.at..];
        let is_part = |byte: &u8| byte.is_ascii_digit() || b"+-.eE".contains(byte);
        let length = rest.bytes().take_while(is_part).count();
        Ok(&rest[..length])
    }

    /// Reads a finite number.
    pub(super) fn number(&mut self) -> Result<f64, Fault> {
        let digits = self.digits()?;
        let number: Option<f64> = digits.parse().ok();
        let Some(number) = number.filter(|number| number.is_finite()) else {
            return Err(self.fault(format!("`{digits}` is no finite number")));
        };
        self.at += digits.len();
        Ok(number)
    }

    /// Reads a number of type `u64`.
    pub(super) fn natural(&mut self) -> Result<u64, Fault> {
        let digits = self.digits()?;
        let Ok(number) = digits.parse() else {
            return Err(self.fault(format!("`{digits}` is no integer from 0 to 2^64 - 1")));
        };
        self.at += digits.len();
        Ok(number)
    }

    /// Reads any value and drops it.
    pub(super) fn skip(&mut self) -> Result<(), Fault> {
        self.skip_nested(0)
    }

    fn skip_nested(&mut self, depth: u32) -> Result<(), Fault> {
        if depth > MAX_DEPTH {
            return Err(self.fault("values that nest too deep"));
        }
        match self.peek() {
            Some(b'{') => self.object(|reader, _| reader.skip_nested(depth + 1)),
            Some(b'[') => self.array(|reader| reader.skip_nested(depth + 1)),
            Some(b'"') => self.string().map(drop),
            Some(b't' | b'f' | b'n') => self.skip_word(),
            Some(_) | None => self.number().map(drop),
        }
    }

    fn skip_word(&mut self) -> Result<(), Fault> {
        let rest = &self.text[self.at..];
        let mut words = ["true", "false", "null"].iter();
        let Some(word) = words.find(|word| rest.starts_with(**word)) else {
            return Err(self.expected("a value"));
        };
        self.at += word.len();
        Ok(())
    }
}

/// Appends a string with its quotes.
pub(super) fn write_string(out: &mut String, string: &str) {
    out.push('"');
    for letter in string.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\x1f' => {
                // Writing to a `String` does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            _ => out.push(letter),
        }
    }
    out.push('"');
}

/// Appends the shortest text that reads back as the finite `number`.
pub(super) fn write_number(out: &mut String, number: f64) {
    let plain = number.to_string();
    let scientific = format!("{number:e}");
    let shortest = if scientific.len() < plain.len() {
        scientific
    } else {
        plain
    };
    out.push_str(&shortest);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn string(text: &str) -> Result<String, Fault> {
        let mut reader = Reader::new(text);
        let string = reader.string()?;
        reader.end().map(|()| string)
    }

    #[test]
    fn strings_come_back() {
        for text in ["", "a b", "\"\\/\n\r\t\u{8}\u{c}\0\u{1f}", "BM = 64, é 𝄞"] {
            let mut out = String::new();
            write_string(&mut out, text);
            assert!(!out.contains(char::is_control), "{out}");
            assert_eq!(string(&out), Ok(text.to_owned()));
        }
        assert_eq!(string(r#""\ud834\udd1e\u00e9\/""#), Ok("𝄞é/".to_owned()));
    }

    #[test]
    fn malformed_strings_are_faults_with_their_column() {
        for (text, column) in [
            ("\"a", 3),
            ("\"é\\x\"", 3),
            ("\"\\ud834\"", 2),
            ("\"\\u12g4\"", 2),
            ("\"\\u+123\"", 2),
            ("\"a\nb\"", 3),
            ("\"a\" b", 5),
            ("a", 1),
        ] {
            let fault = string(text).expect_err(text);
            assert_eq!(fault.column, column, "{text}: {}", fault.message);
        }
    }

    #[test]
    fn numbers_are_short_and_come_back() {
        for (number, text) in [
            (0.0, "0"),
            (0.021, "0.021"),
            (1.25e-5, "1.25e-5"),
            (1e20, "1e20"),
            (123.0, "123"),
            (0.1 + 0.2, "0.30000000000000004"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
            (f64::MAX, "1.7976931348623157e308"),
        ] {
            let mut out = String::new();
            write_number(&mut out, number);
            assert_eq!(out, text);
            assert_eq!(Reader::new(&out).number(), Ok(number));
        }
        for text in ["1e999", "-", "1e", "--1", "+1", ".5", "NaN"] {
            assert!(Reader::new(text).number().is_err(), "{text}");
        }
    }

    #[test]
    fn values_of_unknown_fields_are_skipped() {
        for text in [
            "null",
            "-1.5e3",
            "[]",
            "{}",
            r#"[1, {"a": [true, false], "b": "]"}]"#,
        ] {
            let mut reader = Reader::new(text);
            assert_eq!(reader.skip().and_then(|()| reader.end()), Ok(()), "{text}");
        }
        let deep = "[".repeat(100_000);
        for text in ["", "[", "{", "[1 2]", "{\"a\"}", "nul", "]", deep.as_str()] {
            assert!(Reader::new(text).skip().is_err());
        }
    }
}

//! Debug information (PTX ISA, "Debugging Directives"): files, locations, function names.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::lexer::Token;
use super::super::syntax::{Location, Unit};
use super::{Parsed, Parser};

impl Parser<'_> {
    /// Parses `.file 1 "path", 1722, 87`.
    pub(super) fn file(&mut self, unit: &mut Unit) -> Parsed<()> {
        self.take();
        let number = self.natural("the number of a file")?;
        let Token::Text(path) = self.peek() else {
            return self.expected("the path of a file");
        };
        self.take();
        unit.files.insert(number, Arc::from(path));
        // The modification time and the size.
        while self.takes(',') {
            self.natural("a number")?;
        }
        Ok(())
    }

    /// Parses `.loc 1 20 3, function_name $L__info_string0+4, inlined_at 1 4 5`.
    pub(super) fn location(&mut self) -> Parsed<Location> {
        self.take();
        let mut location = Location {
            at: self.file_line_column()?,
            function: None,
            inlined_at: None,
        };
        while self.takes(',') {
            if self.takes_word("function_name") {
                location.function = Some(self.word("a label of `.debug_str`")?.to_owned());
                if self.takes('+') {
                    self.natural("an offset")?;
                    // The offset does not point at the beginning of a string, so the name is
                    // unknown.
                    location.function = None;
                }
            } else if self.takes_word("inlined_at") {
                location.inlined_at = Some(self.file_line_column()?);
            } else {
                return self.expected("`function_name` or `inlined_at`");
            }
        }
        Ok(location)
    }

    fn file_line_column(&mut self) -> Parsed<[u64; 3]> {
        let mut position = [0; 3];
        for number in &mut position {
            let (Token::Int(value) | Token::Unsigned(value)) = self.peek() else {
                return self.expected("the numbers of a file, a line and a column");
            };
            self.take();
            *number = value;
        }
        Ok(position)
    }

    /// Parses `.section .debug_str { label: .b8 1, 2 ... }` and keeps only the strings.
    pub(super) fn section(&mut self, unit: &mut Unit) -> Parsed<()> {
        self.take();
        let strings = self.takes_dot("debug_str");
        while !self.takes('{') {
            if self.peek() == Token::End {
                return self.expected("`{`");
            }
            self.take();
        }
        let mut bytes = Vec::new();
        let mut labels: Vec<(&str, usize)> = Vec::new();
        loop {
            match self.take() {
                Token::Mark('}') => break,
                Token::End => return self.expected("`}`"),
                Token::Word(label) if self.peek() == Token::Mark(':') => {
                    labels.push((label, bytes.len()));
                }
                Token::Int(value) if strings => bytes.push(value as u8),
                _ => {}
            }
        }
        if strings {
            collect(&bytes, &labels, &mut unit.strings);
        }
        Ok(())
    }
}

fn collect(bytes: &[u8], labels: &[(&str, usize)], strings: &mut FxHashMap<String, Arc<str>>) {
    for &(label, start) in labels {
        let text = bytes[start..].split(|&byte| byte == 0).next();
        let text = String::from_utf8_lossy(text.unwrap_or_default());
        strings.insert(label.to_owned(), Arc::from(text.as_ref()));
    }
}

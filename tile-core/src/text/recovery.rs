//! Error recovery: finds the next operation after an error.

use super::cursor::Soft;
use super::lexer::{Token, TokenKind};
use super::parser::{Parser, ResultName, opcode};

impl<'s> Parser<'s> {
    /// Defines the names of the results of a broken operation.
    pub(super) fn define_broken(&mut self, names: &[ResultName<'s>]) {
        for &ResultName { name, count, loc } in names {
            for number in 0..count.min(1 << 10) {
                let number = u32::try_from(number).expect("bounded just above");
                if self.scopes.defined_at((name, number)).is_none() {
                    let value = self.stand_in(loc);
                    self.scopes.define((name, number), value, loc);
                }
            }
        }
    }

    /// Skips over whole regions to the first token of a line that can start an operation, or to the
    /// `}` that closes the current region. `braces` is the number of open braces where the broken
    /// operation started, at `start`.
    pub(super) fn skip_to_operation(&mut self, start: usize, braces: usize) {
        if self.token.start == start && !self.at("{") {
            self.bump();
        }
        self.skip_dictionary();
        self.resume_at_line(start);
        loop {
            let inside = self.braces > braces;
            match self.token.kind {
                TokenKind::End => return,
                TokenKind::Punct if !inside && (self.at("}") || self.starts_item()) => return,
                TokenKind::Value | TokenKind::Word | TokenKind::Str
                    if !inside && self.starts_operation() =>
                {
                    return;
                }
                _ => {}
            }
            self.bump();
        }
    }

    /// Moves back to the start of the line if an operation starts there. The broken operation,
    /// which started at `start`, has then consumed its text.
    fn resume_at_line(&mut self, start: usize) {
        let line = self.lexer.first_of_line();
        if line <= start || line >= self.token.start {
            return;
        }
        let back = self.mark();
        self.rewind(line);
        if !self.starts_operation() {
            self.go_to(back);
            return;
        }
        // Recount the braces that are open at the start of the line.
        let mut ahead = self.lexer.clone();
        let mut token = self.token;
        let (mut opened, mut closed) = (0, 0);
        while token.start < back.start() {
            opened += usize::from(token.kind == TokenKind::Punct && token.text == "{");
            closed += usize::from(token.kind == TokenKind::Punct && token.text == "}");
            token = ahead.next();
        }
        self.braces = (back.braces() + closed).saturating_sub(opened);
    }

    /// Skips to the end of the open dictionaries. They also end at the next operation, and at a `}`
    /// that starts a line if they were opened on the line of the error.
    fn skip_dictionary(&mut self) {
        let Soft { mut count, line } = std::mem::take(&mut self.soft);
        let same_line = line == self.lexer.line();
        while count > 0 && self.token.kind != TokenKind::End {
            let ends = self.starts_operation() || (same_line && self.at("}") && self.starts_line());
            if ends {
                break;
            }
            match self.bump() {
                Token {
                    kind: TokenKind::Punct,
                    text: "{",
                    ..
                } => count += 1,
                Token {
                    kind: TokenKind::Punct,
                    text: "}",
                    ..
                } => count -= 1,
                _ => {}
            }
        }
        self.braces = self.braces.saturating_sub(count);
    }

    /// Returns `true` if the current token is the first of its line.
    pub(super) fn starts_line(&self) -> bool {
        self.lexer.is_first_of_line()
    }

    /// Returns `true` at the start of a block label or an alias.
    fn starts_item(&self) -> bool {
        (self.is_at_label() || (self.top && self.is_at_alias_definition())) && self.starts_line()
    }

    fn starts_operation(&self) -> bool {
        self.starts_line()
            && match self.token.kind {
                TokenKind::Word => {
                    let word = self.token.text;
                    opcode(word).is_some() || super::file::is_module(word) || word.contains('.')
                }
                TokenKind::Str => self.lexer.peek_byte() == Some(b'('),
                TokenKind::Value => self.starts_definition(),
                _ => false,
            }
    }

    /// Returns `true` at names of results followed by `=` on the line.
    fn starts_definition(&self) -> bool {
        let mut ahead = self.lexer.clone();
        loop {
            let mut token = ahead.next();
            if token.text == ":" {
                ahead.next();
                token = ahead.next();
            }
            match token.text {
                "=" if token.kind == TokenKind::Punct => return !ahead.is_first_of_line(),
                "," if token.kind == TokenKind::Punct && !ahead.is_first_of_line() => {}
                _ => return false,
            }
            if ahead.next().kind != TokenKind::Value || ahead.is_first_of_line() {
                return false;
            }
        }
    }
}

//! Parses operands of instructions.

use super::super::lexer::Token;
use super::super::syntax::Operand;
use super::{MAX_DEPTH, Parsed, Parser};

impl Parser<'_> {
    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        if self.peek() == Token::Mark('-')
            && let Token::Word(name) = self.peek_second()
            && name != "WARP_SZ"
        {
            self.take();
            self.take();
            return Ok(Operand::Minus(Box::new(self.named_operand(name)?)));
        }
        if self.at_constant() {
            return Ok(self.constant()?.operand());
        }
        match self.peek() {
            Token::Word(name) => {
                self.take();
                self.named_operand(name)
            }
            Token::Mark('!') => {
                self.take();
                Ok(Operand::Not(self.word("a predicate")?.to_owned()))
            }
            Token::Mark('{') => {
                self.take();
                Ok(Operand::Vector(self.list('}')?))
            }
            Token::Mark('[') => {
                self.take();
                self.address()
            }
            _ => self.expected("an operand"),
        }
    }

    fn named_operand(&mut self, name: &str) -> Parsed<Operand> {
        if let Token::Dot(member) = self.peek() {
            self.take();
            return Ok(Operand::Name(format!("{name}.{member}")));
        }
        if self.takes('|') {
            let second = self.word("a predicate")?.to_owned();
            return Ok(Operand::Pair(name.to_owned(), second));
        }
        if matches!(self.peek(), Token::Mark('+' | '-')) {
            let offset = self.offset()?;
            return Ok(Operand::Offset(name.to_owned(), offset));
        }
        Ok(Operand::Name(name.to_owned()))
    }

    /// Parses at least one operand, up to `end`.
    fn list(&mut self, end: char) -> Parsed<Vec<Operand>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error("nested too deep");
        }
        let mut elements = Vec::new();
        loop {
            elements.push(self.operand()?);
            if self.takes(end) {
                self.depth -= 1;
                return Ok(elements);
            }
            self.mark(',')?;
        }
    }

    /// Parses `+4`, `-4` or `+-4`, with any constant expression after the sign.
    fn offset(&mut self) -> Parsed<i64> {
        self.takes('+');
        let value = self.integer("an offset")?;
        // Reinterprets the value as two's complement of 64 bits.
        Ok(value as i64)
    }

    /// Parses `[a]`, `[a+4]` or `[a, {x, y}]`.
    fn address(&mut self) -> Parsed<Operand> {
        let base = match self.peek() {
            Token::Word(name) if name != "WARP_SZ" => {
                self.take();
                match self.peek() {
                    Token::Dot(member) => {
                        self.take();
                        Operand::Name(format!("{name}.{member}"))
                    }
                    _ => Operand::Name(name.to_owned()),
                }
            }
            _ => self.constant()?.operand(),
        };
        let offset = match self.peek() {
            Token::Mark('+' | '-') => self.offset()?,
            _ => 0,
        };
        let address = Operand::Address(Box::new(base), offset);
        if self.takes(',') {
            let coordinates = self.list(']')?;
            return Ok(Operand::Indexed(Box::new(address), coordinates));
        }
        self.mark(']')?;
        Ok(address)
    }
}

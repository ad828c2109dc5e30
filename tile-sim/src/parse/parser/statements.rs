//! Parses the bodies of functions.

use super::super::lexer::Token;
use super::super::syntax::{Call, Guard, Instruction, Linkage, Operand, Statement};
use super::{MAX_DEPTH, Parsed, Parser};
use crate::isa::graphics;

impl Parser<'_> {
    /// Parses statements up to and including the closing brace.
    pub(super) fn statements(&mut self) -> Parsed<Vec<Statement>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.error("blocks are nested too deep");
        }
        let mut statements = Vec::new();
        while !self.takes('}') {
            self.statement(&mut statements)?;
        }
        self.depth -= 1;
        Ok(statements)
    }

    fn statement(&mut self, statements: &mut Vec<Statement>) -> Parsed<()> {
        match self.peek() {
            Token::Mark('{') => {
                self.take();
                let scope = self.statements()?;
                statements.push(Statement::Scope(scope));
            }
            Token::Mark(';') => {
                self.take();
            }
            Token::Dot("reg") => self.registers(statements)?,
            Token::Dot("local" | "shared" | "param") => {
                let variables = self.variables(Linkage::Internal)?;
                statements.extend(variables.into_iter().map(Statement::Variable));
            }
            Token::Dot("pragma") => self.pragma()?,
            Token::Dot("loc") => {
                let location = self.location()?;
                statements.push(Statement::Location(location));
            }
            Token::Dot(word) => return self.error(format!("unknown directive `.{word}`")),
            Token::Word(name) if self.peek_second() == Token::Mark(':') => {
                self.label(name, statements)?;
            }
            Token::Mark('@') | Token::Word(_) => self.guarded(statements)?,
            _ => return self.expected("an instruction"),
        }
        Ok(())
    }

    fn label(&mut self, name: &str, statements: &mut Vec<Statement>) -> Parsed<()> {
        let line = self.line();
        self.take();
        self.take();
        if self.takes_dot("branchtargets") || self.takes_dot("calltargets") {
            let mut targets = vec![self.word("a label")?.to_owned()];
            while self.takes(',') {
                targets.push(self.word("a label")?.to_owned());
            }
            self.mark(';')?;
            statements.push(Statement::Targets(name.to_owned(), targets));
        } else if self.takes_dot("callprototype") {
            // Prototypes serve indirect calls, which are not supported.
            self.skip_to_semicolon()?;
        } else {
            statements.push(Statement::Label(name.to_owned(), line));
        }
        Ok(())
    }

    /// Skips tokens up to and including the next `;`.
    fn skip_to_semicolon(&mut self) -> Parsed<()> {
        while !self.takes(';') {
            if self.peek() == Token::End {
                return self.expected("`;`");
            }
            self.take();
        }
        Ok(())
    }

    /// Parses an instruction with its guard predicate.
    fn guarded(&mut self, statements: &mut Vec<Statement>) -> Parsed<()> {
        let guard = if self.takes('@') {
            let negated = self.takes('!');
            let mut name = self.word("a predicate")?.to_owned();
            if let Token::Dot(member) = self.peek() {
                self.take();
                name = format!("{name}.{member}");
            }
            Some(Guard { negated, name })
        } else {
            None
        };
        let line = self.line();
        let name = self.word("an instruction")?;
        if name == "call" {
            let call = self.call(line, guard)?;
            statements.push(Statement::Call(call));
            return Ok(());
        }
        let mut path = Vec::with_capacity(4);
        path.push(name.to_owned());
        while let Token::Dot(word) = self.peek() {
            path.push(word.to_owned());
            self.take();
        }
        let mut operands = Vec::with_capacity(4);
        if graphics::family(name).is_some() {
            // The decoder reports the instruction. Its operands are skipped, since they have a
            // syntax of their own.
            self.skip_to_semicolon()?;
        } else if !self.takes(';') {
            loop {
                operands.push(self.operand()?);
                if self.takes(';') {
                    break;
                }
                if !self.takes(',') {
                    return self.expected("`,` or `;`");
                }
            }
        }
        statements.push(Statement::Instruction(Instruction {
            line,
            guard,
            path,
            operands,
        }));
        Ok(())
    }

    /// Parses `.uni (result), name, (a, b), prototype;`.
    fn call(&mut self, line: u32, guard: Option<Guard>) -> Parsed<Call> {
        let uniform = self.takes_dot("uni");
        let returns = self.actuals()?;
        if !returns.is_empty() {
            self.mark(',')?;
        }
        let function = self.word("a function")?.to_owned();
        let mut args = Vec::new();
        let mut prototype = None;
        if self.takes(',') {
            if self.peek() == Token::Mark('(') {
                args = self.actuals()?;
                if self.takes(',') {
                    prototype = Some(self.word("a prototype")?.to_owned());
                }
            } else {
                prototype = Some(self.word("`(` or a prototype")?.to_owned());
            }
        }
        self.mark(';')?;
        Ok(Call {
            line,
            guard,
            uniform,
            returns,
            function,
            args,
            prototype,
        })
    }

    /// Parses `(a, b)`, or nothing.
    fn actuals(&mut self) -> Parsed<Vec<Operand>> {
        let mut operands = Vec::new();
        if !self.takes('(') || self.takes(')') {
            return Ok(operands);
        }
        loop {
            operands.push(self.operand()?);
            if self.takes(')') {
                return Ok(operands);
            }
            self.mark(',')?;
        }
    }
}

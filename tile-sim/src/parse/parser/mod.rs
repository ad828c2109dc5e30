//! Tokens to statements.

mod expression;
mod operands;

use super::ParseError;
use super::lexer::{Token, tokens};
use super::syntax::{Entry, Guard, Instruction, Space, Statement, Unit, Variable};
use super::target::{Target, Version};
use crate::isa::types::Type;

/// How deep blocks and vectors may be nested.
const DEEPEST: u32 = 32;
/// No variable is longer: an error of the text rather than of this machine's memory.
const LONGEST: u64 = 1 << 28;

/// Reads a whole text.
pub(super) fn parse(text: &str) -> Result<Unit, ParseError> {
    let mut parser = Parser {
        tokens: tokens(text)?,
        at: 0,
        depth: 0,
    };
    parser.unit()
}

struct Parser<'a> {
    tokens: Vec<(Token<'a>, u32)>,
    at: usize,
    depth: u32,
}

type Parsed<T> = Result<T, ParseError>;

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.tokens[self.at].0
    }

    fn peek_second(&self) -> Token<'a> {
        self.tokens
            .get(self.at + 1)
            .map_or(Token::End, |&(token, _)| token)
    }

    fn line(&self) -> u32 {
        self.tokens[self.at].1
    }

    fn take(&mut self) -> Token<'a> {
        let token = self.peek();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn error<T>(&self, message: impl Into<String>) -> Parsed<T> {
        Err(ParseError::new(self.line(), message))
    }

    fn expected<T>(&self, what: &str) -> Parsed<T> {
        self.error(format!("expected {what}, found {}", self.peek().describe()))
    }

    fn takes(&mut self, mark: char) -> bool {
        let found = self.peek() == Token::Mark(mark);
        if found {
            self.take();
        }
        found
    }

    fn mark(&mut self, mark: char) -> Parsed<()> {
        if self.takes(mark) {
            return Ok(());
        }
        self.expected(&format!("`{mark}`"))
    }

    fn word(&mut self, what: &str) -> Parsed<&'a str> {
        let Token::Word(word) = self.peek() else {
            return self.expected(what);
        };
        self.take();
        Ok(word)
    }

    fn int(&mut self, what: &str) -> Parsed<u64> {
        let Token::Int(value) = self.peek() else {
            return self.expected(what);
        };
        self.take();
        Ok(value)
    }

    /// `.version 8.0 .target sm_90a .address_size 64`
    fn header(&mut self) -> Parsed<(Version, Target)> {
        self.directive("version")?;
        let Token::Double(version) = self.peek() else {
            return self.expected("a version, like `8.0`");
        };
        // No version has two digits behind the dot.
        let tenths = (f64::from_bits(version) * 10.0).round();
        if !(0.0..256.0).contains(&tenths) {
            return self.error("not a version of the PTX ISA");
        }
        let tenths = tenths as u8;
        let version = Version {
            major: tenths / 10,
            minor: tenths % 10,
        };
        self.take();
        self.directive("target")?;
        let line = self.line();
        let mut target = None;
        loop {
            let word = self.word("a target, like `sm_90a`")?;
            match Target::of(word) {
                Some(found) if target.is_none() => target = Some(found),
                _ if matches!(word, "debug" | "texmode_unified" | "texmode_independent") => {}
                _ => {
                    let message = format!("`{word}` is not a target that is supported");
                    return Err(ParseError::new(line, message));
                }
            }
            if !self.takes(',') {
                break;
            }
        }
        let Some(target) = target else {
            return Err(ParseError::new(line, "`.target` names no architecture"));
        };
        if let Some(least) = target.least_version()
            && version < least
        {
            let message = format!("`{target}` needs `.version` {least} or later, found {version}");
            return Err(ParseError::new(line, message));
        }
        if self.peek() == Token::Dot("address_size") {
            self.take();
            if self.peek() != Token::Int(64) {
                return self.expected("`64`");
            }
            self.take();
        }
        Ok((version, target))
    }

    fn directive(&mut self, name: &str) -> Parsed<()> {
        if self.peek() == Token::Dot(name) {
            self.take();
            return Ok(());
        }
        self.expected(&format!("`.{name}`"))
    }

    fn unit(&mut self) -> Parsed<Unit> {
        let (version, target) = self.header()?;
        let mut unit = Unit {
            version,
            target,
            variables: Vec::new(),
            entries: Vec::new(),
        };
        loop {
            let Token::Dot(word) = self.peek() else {
                if self.peek() == Token::End {
                    return Ok(unit);
                }
                return self.expected("a directive");
            };
            match word {
                "file" => {
                    self.take();
                    self.rest_of_line()?;
                }
                "section" => self.section()?,
                "visible" | "extern" | "weak" | "common" => {
                    self.take();
                }
                "entry" => {
                    let entry = self.entry()?;
                    if unit.entries.iter().any(|other| other.name == entry.name) {
                        let message = format!("`{}` is defined twice", entry.name);
                        return Err(ParseError::new(entry.line, message));
                    }
                    unit.entries.push(entry);
                }
                "func" => return self.error("`.func`: functions are not supported"),
                "global" | "const" | "shared" => {
                    let variables = self.variables()?;
                    unit.variables.extend(variables);
                }
                _ => return self.error(format!("unknown directive `.{word}`")),
            }
        }
    }

    /// The operands of a directive that ends where its line does.
    fn rest_of_line(&mut self) -> Parsed<()> {
        let line = self.tokens[self.at - 1].1;
        while self.peek() != Token::End && self.line() == line {
            // What follows on the line of a directive may be the next directive.
            if matches!(self.peek(), Token::Dot(_)) {
                break;
            }
            self.take();
        }
        Ok(())
    }

    /// Debug information: not needed to run.
    fn section(&mut self) -> Parsed<()> {
        while !self.takes('{') {
            if self.take() == Token::End {
                return self.expected("`{`");
            }
        }
        while !self.takes('}') {
            if self.take() == Token::End {
                return self.expected("`}`");
            }
        }
        Ok(())
    }

    fn entry(&mut self) -> Parsed<Entry> {
        self.take();
        let line = self.line();
        let name = self.word("the name of the entry")?.to_owned();
        let mut params: Vec<Variable> = Vec::new();
        if self.takes('(') && !self.takes(')') {
            loop {
                let param = self.param()?;
                if params.iter().any(|other| other.name == param.name) {
                    return self.error(format!("`{}` is declared twice", param.name));
                }
                params.push(param);
                if self.takes(')') {
                    break;
                }
                self.mark(',')?;
            }
        }
        let mut entry = Entry {
            name,
            params,
            required_threads: None,
            most_threads: None,
            body: Vec::new(),
            line,
        };
        while let Token::Dot(word) = self.peek() {
            self.take();
            match word {
                "reqntid" => entry.required_threads = Some(self.extent()?),
                "maxntid" => {
                    let extent = self.extent()?;
                    entry.most_threads = Some(extent.iter().map(|&n| u64::from(n)).product());
                }
                "minnctapersm" | "maxnreg" | "maxclusterrank" => {
                    self.int("a number")?;
                }
                "pragma" => {
                    self.take();
                    self.mark(';')?;
                }
                _ => return self.error(format!("unknown directive `.{word}`")),
            }
        }
        self.mark('{')?;
        entry.body = self.statements()?;
        Ok(entry)
    }

    fn extent(&mut self) -> Parsed<[u32; 3]> {
        let mut extent = [1; 3];
        for (axis, size) in extent.iter_mut().enumerate() {
            if axis > 0 && !self.takes(',') {
                break;
            }
            let Ok(value) = u32::try_from(self.int("a number of threads")?) else {
                return self.error("number of threads out of range");
            };
            *size = value.min(1 << 16);
        }
        Ok(extent)
    }

    fn param(&mut self) -> Parsed<Variable> {
        if self.peek() != Token::Dot("param") {
            return self.expected("`.param`");
        }
        self.take();
        self.declared(Space::Param)
    }

    /// What follows the space: alignment, type, name, length.
    fn declared(&mut self, space: Space) -> Parsed<Variable> {
        let mut align = None;
        let mut ty = None;
        let mut pointer = false;
        while let Token::Dot(word) = self.peek() {
            self.take();
            match word {
                "align" => {
                    let value = self.int("an alignment")?;
                    if !value.is_power_of_two() || value > 1 << 16 {
                        return self.error(format!("`{value}` is not an alignment"));
                    }
                    // After `.ptr`, of what is pointed at.
                    if !pointer {
                        align = Some(value);
                    }
                }
                "ptr" => pointer = true,
                "global" | "shared" | "const" | "local" if pointer => {}
                _ => match Type::of(word) {
                    Some(found) if ty.is_none() && found.bits >= 8 => ty = Some(found),
                    _ => return self.error(format!("unexpected `.{word}` in a declaration")),
                },
            }
        }
        let Some(ty) = ty else {
            return self.expected("a type");
        };
        self.named(space, align, ty)
    }

    fn named(&mut self, space: Space, align: Option<u64>, ty: Type) -> Parsed<Variable> {
        let line = self.line();
        let name = self.word("a name")?.to_owned();
        let element = u64::from(ty.total_bits() / 8);
        let mut bytes = Some(element);
        while self.takes('[') {
            let count = match self.peek() {
                Token::Int(count) => {
                    self.take();
                    Some(count)
                }
                _ => None,
            };
            self.mark(']')?;
            bytes = match (bytes, count) {
                (Some(bytes), Some(count)) => match bytes.checked_mul(count) {
                    Some(bytes) if bytes <= LONGEST => Some(bytes),
                    _ => return self.error(format!("`{name}` is too long")),
                },
                _ => None,
            };
        }
        let mut initial = Vec::new();
        if self.takes('=') {
            self.initial(ty, &mut initial)?;
            if bytes.is_none() {
                bytes = Some(initial.len() as u64);
            }
            if initial.len() as u64 > bytes.unwrap_or(0) {
                return self.error(format!("`{name}` has more values than elements"));
            }
        }
        Ok(Variable {
            space,
            align: align.unwrap_or(element),
            bytes,
            name,
            initial,
            line,
        })
    }

    fn initial(&mut self, ty: Type, bytes: &mut Vec<u8>) -> Parsed<()> {
        if self.takes('{') {
            self.depth += 1;
            if self.depth > DEEPEST {
                return self.error("nested too deep");
            }
            while !self.takes('}') {
                self.initial(ty, bytes)?;
                if !self.takes(',') && self.peek() != Token::Mark('}') {
                    return self.expected("`,` or `}`");
                }
            }
            self.depth -= 1;
            return Ok(());
        }
        let Some(bits) = self.operand()?.immediate(ty) else {
            return self.error("expected a number as an initial value");
        };
        bytes.extend(&bits.to_le_bytes()[..usize::from(ty.total_bits() / 8)]);
        Ok(())
    }

    /// `.shared .align 4 .b32 a[4], b;`
    fn variables(&mut self) -> Parsed<Vec<Variable>> {
        let space = match self.take() {
            Token::Dot("global") => Space::Global,
            Token::Dot("const") => Space::Const,
            Token::Dot("shared") => Space::Shared,
            Token::Dot("local") => Space::Local,
            _ => return self.error("expected a state space"),
        };
        let mut variables = vec![self.declared(space)?];
        if self.takes(',') {
            return self.error("declare one variable at a time");
        }
        self.mark(';')?;
        if space != Space::Shared && variables[0].bytes.is_none() {
            return self.error(format!("`{}` has no length", variables[0].name));
        }
        if matches!(space, Space::Shared | Space::Local) && !variables[0].initial.is_empty() {
            variables.clear();
            return self.error("only global and constant variables have initial values");
        }
        Ok(variables)
    }

    /// Up to the closing brace, which is taken.
    fn statements(&mut self) -> Parsed<Vec<Statement>> {
        self.depth += 1;
        if self.depth > DEEPEST {
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
            Token::Dot("reg") => {
                self.take();
                self.registers(statements)?;
            }
            Token::Dot("local" | "shared") => {
                let variables = self.variables()?;
                statements.extend(variables.into_iter().map(Statement::Variable));
            }
            Token::Dot("pragma") => {
                self.take();
                self.take();
                self.mark(';')?;
            }
            Token::Dot("loc") => self.location(),
            Token::Dot(word) => return self.error(format!("unknown directive `.{word}`")),
            Token::Word(name) if self.peek_second() == Token::Mark(':') => {
                let line = self.line();
                self.take();
                self.take();
                if self.peek() == Token::Dot("branchtargets") {
                    self.take();
                    let mut targets = vec![self.word("a label")?.to_owned()];
                    while self.takes(',') {
                        targets.push(self.word("a label")?.to_owned());
                    }
                    self.mark(';')?;
                    statements.push(Statement::Targets(name.to_owned(), targets));
                } else {
                    statements.push(Statement::Label(name.to_owned(), line));
                }
            }
            Token::Mark('@') | Token::Word(_) => {
                let instruction = self.instruction()?;
                statements.push(Statement::Instruction(instruction));
            }
            _ => return self.expected("an instruction"),
        }
        Ok(())
    }

    /// `.loc 1 20 3, function_name $L__info, inlined_at 1 4 5`
    fn location(&mut self) {
        let line = self.line();
        while self.line() == line && self.peek() != Token::End {
            self.take();
        }
    }

    fn registers(&mut self, statements: &mut Vec<Statement>) -> Parsed<()> {
        let Token::Dot(word) = self.peek() else {
            return self.expected("a type");
        };
        let Some(ty) = Type::of(word).filter(|ty| ty.total_bits() <= 64) else {
            return self.error(format!("registers of type `.{word}` are not supported"));
        };
        self.take();
        loop {
            let name = self.word("a register")?.to_owned();
            let count = if self.takes('<') {
                let count = self.int("a number of registers")?;
                self.mark('>')?;
                Some(count)
            } else {
                None
            };
            statements.push(Statement::Registers(ty, name, count));
            if !self.takes(',') {
                return self.mark(';');
            }
        }
    }

    fn instruction(&mut self) -> Parsed<Instruction> {
        let guard = if self.takes('@') {
            let negated = self.takes('!');
            let name = self.word("a predicate")?.to_owned();
            Some(Guard { negated, name })
        } else {
            None
        };
        let line = self.line();
        let mut path = vec![self.word("an instruction")?.to_owned()];
        while let Token::Dot(word) = self.peek() {
            path.push(word.to_owned());
            self.take();
        }
        let mut operands = Vec::new();
        if !self.takes(';') {
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
        Ok(Instruction {
            line,
            guard,
            path,
            operands,
        })
    }
}

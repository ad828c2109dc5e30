//! Parses tokens to statements.

mod debug;
mod expression;
mod functions;
mod operands;
mod statements;
mod variables;

use rustc_hash::FxHashMap;

use super::ParseError;
use super::lexer::{Token, tokens};
use super::syntax::{Alias, Linkage, Unit};
use super::target::{Target, Version};

/// The maximum nesting depth of blocks, vectors and expressions.
const MAX_DEPTH: u32 = 32;

/// The diagnostic for `.tex`, `.texref`, `.samplerref` and `.surfref`.
const TEXTURE_VARIABLE: &str =
    "texture, sampler and surface variables are not supported: pass the address of global memory";

/// Parses a whole text.
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
        let is_next = self.peek() == Token::Mark(mark);
        if is_next {
            self.take();
        }
        is_next
    }

    fn mark(&mut self, mark: char) -> Parsed<()> {
        if self.takes(mark) {
            return Ok(());
        }
        self.expected(&format!("`{mark}`"))
    }

    /// Consumes the next word if it is `word`.
    fn takes_word(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Token::Word(word);
        if is_next {
            self.take();
        }
        is_next
    }

    fn takes_dot(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Token::Dot(word);
        if is_next {
            self.take();
        }
        is_next
    }

    fn word(&mut self, what: &str) -> Parsed<&'a str> {
        let Token::Word(word) = self.peek() else {
            return self.expected(what);
        };
        self.take();
        Ok(word)
    }

    /// Parses a nonnegative integer.
    fn natural(&mut self, what: &str) -> Parsed<u64> {
        let line = self.line();
        let value = self.integer(what)?;
        u64::try_from(value).map_err(|_| ParseError::new(line, format!("{what} is not negative")))
    }

    /// Parses `.version 8.0 .target sm_90a .address_size 64`.
    fn header(&mut self) -> Parsed<(Version, Target)> {
        self.directive("version")?;
        let Token::Double(version) = self.peek() else {
            return self.expected("a version, like `8.0`");
        };
        // No version has two digits after the dot.
        let tenths = (f64::from_bits(version) * 10.0).round();
        if !(10.0..256.0).contains(&tenths) {
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
            match Target::parse(word) {
                Some(parsed) if target.is_none() => target = Some(parsed),
                _ if matches!(word, "debug" | "texmode_unified" | "texmode_independent") => {}
                _ => {
                    let message = format!("`{word}` is not a supported target");
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
        if let Some(min) = target.min_version()
            && version < min
        {
            let message = format!("`{target}` needs `.version` {min} or later, found {version}");
            return Err(ParseError::new(line, message));
        }
        if self.takes_dot("address_size") {
            if self.peek() != Token::Int(64) {
                return self.expected("`64`");
            }
            self.take();
        }
        Ok((version, target))
    }

    fn directive(&mut self, name: &str) -> Parsed<()> {
        if self.takes_dot(name) {
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
            functions: Vec::new(),
            aliases: Vec::new(),
            files: FxHashMap::default(),
            strings: FxHashMap::default(),
        };
        while self.peek() != Token::End {
            self.top(&mut unit)?;
        }
        Ok(unit)
    }

    /// Parses one directive of module scope.
    fn top(&mut self, unit: &mut Unit) -> Parsed<()> {
        let linkage = match self.peek() {
            Token::Dot("visible") => Linkage::Visible,
            Token::Dot("extern") => Linkage::Extern,
            Token::Dot("weak") => Linkage::Weak,
            Token::Dot("common") => Linkage::Common,
            _ => Linkage::Internal,
        };
        if linkage != Linkage::Internal {
            self.take();
        }
        match self.peek() {
            Token::Dot("entry" | "func") => {
                let function = self.function()?;
                unit.functions.push(function);
            }
            Token::Dot("global" | "const" | "shared") => {
                let variables = self.variables(linkage)?;
                unit.variables.extend(variables);
            }
            Token::Dot("tex") => return self.error(TEXTURE_VARIABLE),
            _ if linkage != Linkage::Internal => {
                return self.expected("a variable or a function");
            }
            Token::Dot("file") => self.file(unit)?,
            Token::Dot("section") => self.section(unit)?,
            Token::Dot("pragma") => self.pragma()?,
            Token::Dot("alias") => {
                self.take();
                let line = self.line();
                let name = self.word("a function")?.to_owned();
                self.mark(',')?;
                let target = self.word("a function")?.to_owned();
                self.mark(';')?;
                unit.aliases.push(Alias { name, target, line });
            }
            Token::Mark(';') => {
                self.take();
            }
            Token::Dot(word) => return self.error(format!("unknown directive `.{word}`")),
            _ => return self.expected("a directive"),
        }
        Ok(())
    }

    /// Parses `.pragma "nounroll";`.
    fn pragma(&mut self) -> Parsed<()> {
        self.take();
        loop {
            let Token::Text(_) = self.peek() else {
                return self.expected("a string");
            };
            self.take();
            if !self.takes(',') {
                return self.mark(';');
            }
        }
    }
}

//! Kernels and functions, with their parameters and directives.

use super::super::lexer::Token;
use super::super::syntax::{Formal, Function, Limits, Linkage, Role, Space};
use super::{Parsed, Parser};
use crate::isa::types::Type;

impl Parser<'_> {
    /// Parses `.entry name (params) directives { body }` or `.func (returns) name (params)
    /// directives { body }`, or a declaration that ends in `;`.
    pub(super) fn function(&mut self) -> Parsed<Function> {
        let role = match self.take() {
            Token::Dot("entry") => Role::Entry,
            _ => Role::Device,
        };
        let mut limits = Limits::default();
        if role == Role::Device {
            self.limits(&mut limits)?;
        }
        let returns = match self.peek() {
            Token::Mark('(') if role == Role::Device => self.formals(role)?,
            _ => Vec::new(),
        };
        let line = self.line();
        let name = self.word("the name of the function")?.to_owned();
        let params = match self.peek() {
            Token::Mark('(') => self.formals(role)?,
            _ => Vec::new(),
        };
        self.limits(&mut limits)?;
        let body = if self.takes(';') {
            None
        } else {
            self.mark('{')?;
            Some(self.statements()?)
        };
        Ok(Function {
            role,
            name,
            returns,
            params,
            limits,
            body,
            line,
        })
    }

    fn formals(&mut self, role: Role) -> Parsed<Vec<Formal>> {
        self.mark('(')?;
        let mut formals = Vec::new();
        if self.takes(')') {
            return Ok(formals);
        }
        loop {
            let formal = self.formal(role)?;
            let name = |formal: &Formal| match formal {
                Formal::Param(variable) => variable.name.clone(),
                Formal::Register(_, name) => name.clone(),
            };
            let new = name(&formal);
            if new != "_" && formals.iter().any(|other| name(other) == new) {
                return self.error(format!("`{new}` is declared twice"));
            }
            formals.push(formal);
            if self.takes(')') {
                return Ok(formals);
            }
            self.mark(',')?;
        }
    }

    fn formal(&mut self, role: Role) -> Parsed<Formal> {
        match self.peek() {
            Token::Dot("param") => {
                self.take();
                let declared = self.declared()?;
                let param = self.named(Space::Param, Linkage::Internal, declared)?;
                Ok(Formal::Param(param))
            }
            Token::Dot("reg") if role == Role::Device => {
                self.take();
                let Token::Dot(word) = self.peek() else {
                    return self.expected("a type");
                };
                let Some(ty) = Type::parse(word).filter(|ty| ty.total_bits() <= 64) else {
                    return self.error(format!("`.{word}` is not a parameter type"));
                };
                self.take();
                let name = self.word("a register")?.to_owned();
                Ok(Formal::Register(ty, name))
            }
            _ => self.expected("`.param`"),
        }
    }

    /// Parses the directives between the parameters and the body.
    fn limits(&mut self, limits: &mut Limits) -> Parsed<()> {
        while let Token::Dot(word) = self.peek() {
            match word {
                "pragma" => {
                    self.pragma()?;
                    continue;
                }
                "attribute" => {
                    self.attribute()?;
                    continue;
                }
                _ => {
                    self.take();
                }
            }
            match word {
                "reqntid" => limits.required_threads = Some(self.extent()?),
                "maxntid" => {
                    let extent = self.extent()?;
                    limits.max_threads = Some(extent.iter().map(|&n| u64::from(n)).product());
                }
                "reqnctapercluster" => limits.required_cluster = Some(self.extent()?),
                "maxclusterrank" => limits.max_cluster_rank = Some(self.small("a number")?),
                "maxnreg" => limits.max_registers = Some(self.small("a number of registers")?),
                "explicitcluster" => limits.explicit_cluster = true,
                // Hints to ptxas, and properties that ptxas checks.
                "minnctapersm" | "maxnctapersm" | "abi_preserve" | "abi_preserve_control" => {
                    self.natural("a number")?;
                }
                "noreturn" | "blocksareclusters" => {}
                _ => return self.error(format!("unknown directive `.{word}`")),
            }
        }
        Ok(())
    }

    /// Parses `.attribute(.managed)` or `.attribute(.unified(1, 2))`.
    pub(super) fn attribute(&mut self) -> Parsed<()> {
        self.take();
        self.mark('(')?;
        loop {
            match self.take() {
                Token::Dot("managed") => {}
                Token::Dot("unified") => {
                    self.mark('(')?;
                    self.natural("a number")?;
                    self.mark(',')?;
                    self.natural("a number")?;
                    self.mark(')')?;
                }
                _ => return self.error("expected `.managed` or `.unified`"),
            }
            if !self.takes(',') {
                return self.mark(')');
            }
        }
    }

    fn small(&mut self, what: &str) -> Parsed<u32> {
        match u32::try_from(self.natural(what)?) {
            Ok(value) => Ok(value),
            Err(_) => self.error(format!("{what} is out of range")),
        }
    }

    fn extent(&mut self) -> Parsed<[u32; 3]> {
        let mut extent = [1; 3];
        for (axis, size) in extent.iter_mut().enumerate() {
            if axis > 0 && !self.takes(',') {
                break;
            }
            *size = self.small("an extent")?.min(1 << 16);
        }
        Ok(extent)
    }
}

//! Parses declarations of variables and registers, with initializers.

use super::super::lexer::Token;
use super::super::syntax::{
    InitialAddress, Linkage, RegisterKind, Registers, Space, Statement, Variable,
};
use super::{MAX_DEPTH, Parsed, Parser, TEXTURE_VARIABLE};
use crate::isa::types::Type;

/// The maximum size of a variable in bytes. It protects the host's memory from an erroneous text.
const MAX_BYTES: u64 = 1 << 28;

/// A declaration up to the name of the variable.
#[derive(Clone, Copy)]
pub(super) struct Declared {
    align: Option<u64>,
    /// The size of a scalar in bytes.
    bytes: u64,
    /// `None` for `.b128`, which has no constants.
    ty: Option<Type>,
    /// The number of scalars per element.
    lanes: u64,
}

impl Parser<'_> {
    /// Parses `.align 16 .v4 .b8` or `.b64 .ptr .global .align 16`.
    pub(super) fn declared(&mut self) -> Parsed<Declared> {
        let mut declared = Declared {
            align: None,
            bytes: 0,
            ty: None,
            lanes: 1,
        };
        let mut pointer = false;
        while let Token::Dot(word) = self.peek() {
            if word == "attribute" {
                self.attribute()?;
                continue;
            }
            self.take();
            match word {
                "align" => {
                    let value = self.natural("an alignment")?;
                    if !value.is_power_of_two() || value > 1 << 16 {
                        return self.error(format!("`{value}` is not an alignment"));
                    }
                    // After `.ptr`, the alignment is that of the memory pointed to.
                    if !pointer {
                        declared.align = Some(value);
                    }
                }
                "ptr" => pointer = true,
                "global" | "shared" | "const" | "local" if pointer => {}
                "v2" => declared.lanes = 2,
                "v4" => declared.lanes = 4,
                _ if declared.bytes > 0 => {
                    return self.error(format!("unexpected `.{word}` in a declaration"));
                }
                "b128" => declared.bytes = 16,
                "texref" | "samplerref" | "surfref" => {
                    return self.error(TEXTURE_VARIABLE);
                }
                _ => match Type::parse(word) {
                    Some(ty) if ty.bits >= 8 => {
                        declared.ty = Some(ty);
                        declared.bytes = u64::from(ty.total_bits() / 8);
                    }
                    _ => return self.error(format!("unexpected `.{word}` in a declaration")),
                },
            }
        }
        if declared.bytes == 0 {
            return self.expected("a type");
        }
        Ok(declared)
    }

    /// Parses `name[2][3] = {...}`.
    pub(super) fn named(
        &mut self,
        space: Space,
        linkage: Linkage,
        declared: Declared,
    ) -> Parsed<Variable> {
        let line = self.line();
        let name = self.word("a name")?.to_owned();
        let element = declared.bytes * declared.lanes;
        let mut bytes = Some(element);
        let mut rows = None;
        while self.takes('[') {
            let count = match self.peek() {
                Token::Mark(']') => None,
                _ => Some(self.natural("a number of elements")?),
            };
            self.mark(']')?;
            if count.is_none() && bytes != Some(element) {
                return self.error("only the first dimension may be left open");
            }
            match count {
                None => {
                    rows = Some(());
                }
                Some(count) => {
                    bytes = bytes
                        .and_then(|bytes| bytes.checked_mul(count))
                        .filter(|&bytes| bytes <= MAX_BYTES);
                    if bytes.is_none() {
                        return self.error(format!("`{name}` is too long"));
                    }
                }
            }
        }
        if rows.is_some() {
            bytes = None;
        }
        let mut variable = Variable {
            space,
            linkage,
            align: declared.align.unwrap_or(element),
            bytes,
            name,
            initial: Vec::new(),
            addresses: Vec::new(),
            line,
        };
        if self.takes('=') {
            let Some(ty) = declared.ty else {
                return self.error("a variable of this type has no initial value");
            };
            self.initial(ty, &mut variable)?;
            let length = variable.initial.len() as u64;
            if variable.bytes.is_none() {
                variable.bytes = Some(length);
            }
            if length > variable.bytes.unwrap_or(0) {
                let message = format!("`{}` has more values than elements", variable.name);
                return self.error(message);
            }
        }
        Ok(variable)
    }

    fn initial(&mut self, ty: Type, variable: &mut Variable) -> Parsed<()> {
        if self.takes('{') {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return self.error("nested too deep");
            }
            while !self.takes('}') {
                self.initial(ty, variable)?;
                if !self.takes(',') && self.peek() != Token::Mark('}') {
                    return self.expected("`,` or `}`");
                }
            }
            self.depth -= 1;
            return Ok(());
        }
        let bytes = usize::from(ty.total_bits() / 8);
        let mut mask = None;
        if self.at_constant() {
            let line = self.line();
            let value = self.constant()?.operand();
            if !self.takes('(') {
                let Some(bits) = value.immediate(ty) else {
                    let message = format!("not a number of {} bits", ty.total_bits());
                    return Err(super::ParseError::new(line, message));
                };
                variable.initial.extend(&bits.to_le_bytes()[..bytes]);
                return Ok(());
            }
            // A byte of an address: `0xff00(symbol)`.
            let super::super::syntax::Operand::Int(value) = value else {
                return self.error("a mask is an integer");
            };
            let Some(byte) = (0..8).find(|byte| value == 0xff << (8 * byte)) else {
                return self.error("a mask selects one byte");
            };
            mask = Some(byte);
        }
        let line = self.line();
        // Variables in global and constant memory have equal generic addresses.
        let generic = self.takes_word("generic");
        if generic {
            self.mark('(')?;
        }
        let symbol = self.word("a number or the name of a variable")?.to_owned();
        if generic {
            self.mark(')')?;
        }
        let mut addend = 0;
        if matches!(self.peek(), Token::Mark('+' | '-')) {
            // Reinterprets the value as two's complement of 64 bits.
            addend = self.integer("an offset")? as i64;
        }
        if mask.is_some() {
            self.mark(')')?;
        } else if bytes < 4 {
            return self.error(format!("the address of `{symbol}` does not fit"));
        }
        variable.addresses.push(InitialAddress {
            offset: variable.initial.len(),
            bytes,
            symbol,
            addend,
            byte: mask.unwrap_or(0),
            line,
        });
        variable.initial.resize(variable.initial.len() + bytes, 0);
        Ok(())
    }

    /// Parses `.shared .align 4 .b32 a[4], b;`.
    pub(super) fn variables(&mut self, linkage: Linkage) -> Parsed<Vec<Variable>> {
        let space = match self.take() {
            Token::Dot("global") => Space::Global,
            Token::Dot("const") => Space::Const,
            Token::Dot("shared") => Space::Shared,
            Token::Dot("local") => Space::Local,
            Token::Dot("param") => Space::Param,
            _ => return self.error("expected a state space"),
        };
        let declared = self.declared()?;
        let mut variables = Vec::new();
        loop {
            let variable = self.named(space, linkage, declared)?;
            let name = &variable.name;
            if variable.bytes.is_none() && linkage != Linkage::Extern && space != Space::Shared {
                return self.error(format!("`{name}` has no length"));
            }
            let initial = !variable.initial.is_empty();
            if initial && !matches!(space, Space::Global | Space::Const) {
                return self.error("only global and constant variables have initial values");
            }
            variables.push(variable);
            if !self.takes(',') {
                break;
            }
        }
        self.mark(';')?;
        Ok(variables)
    }

    /// Parses `.reg .b32 %r<5>, %x;`.
    pub(super) fn registers(&mut self, statements: &mut Vec<Statement>) -> Parsed<()> {
        self.take();
        let lanes = if self.takes_dot("v2") {
            Some(2)
        } else if self.takes_dot("v4") {
            Some(4)
        } else {
            None
        };
        let Token::Dot(word) = self.peek() else {
            return self.expected("a type");
        };
        let ty = Type::parse(word).filter(|ty| ty.total_bits() <= 64);
        let kind = match (ty, lanes) {
            (Some(ty), None) => RegisterKind::One(ty),
            (Some(ty), Some(lanes)) => RegisterKind::Vector(ty, lanes),
            (None, None) if word == "b128" => RegisterKind::Wide,
            _ => {
                return self.error(format!("registers of type `.{word}` are not supported"));
            }
        };
        self.take();
        loop {
            let name = self.word("a register")?.to_owned();
            let count = if self.takes('<') {
                let (Token::Int(count) | Token::Unsigned(count)) = self.peek() else {
                    return self.expected("a number of registers");
                };
                self.take();
                self.mark('>')?;
                Some(count)
            } else {
                None
            };
            statements.push(Statement::Registers(Registers { kind, name, count }));
            if !self.takes(',') {
                return self.mark(';');
            }
        }
    }
}

//! Decodes the modifiers and operands of one instruction.
//!
//! A family's `decode` function consumes modifiers in the order of the PTX ISA's grammar, and
//! operands by position; [`Decoder::end`] reports what was not consumed. The decoder collects the
//! registers that are read and written, so that every family is covered by the check for
//! uninitialized registers.

use smallvec::SmallVec;

use super::ParseError;
use super::names::{Content, LabelId, Names};
use super::syntax::{Instruction, Operand, Space};
use super::target::{Suffix, Target, Version};
use crate::isa::types::{Class, Type};
use crate::isa::{Pred, Slot};

/// The registers that an instruction reads and writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    pub(crate) reads: SmallVec<[Slot; 4]>,
    pub(crate) pred_reads: SmallVec<[Pred; 2]>,
    pub(crate) writes: SmallVec<[Slot; 4]>,
}

/// An address: a register plus a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub(crate) base: Slot,
    pub(crate) offset: i64,
    /// The state space of the variable that it names, if any.
    pub(crate) space: Option<Space>,
    /// Is `true` if it names a parameter of a device function, which is kept in local memory.
    pub(crate) of_call: bool,
    /// Is `true` if the register has 32 bits; the sum wraps to 32 bits too.
    pub(crate) is_narrow: bool,
}

impl Address {
    /// Returns the address, given the value of the register.
    pub(crate) fn at(&self, base: u64) -> u64 {
        let sum = base.wrapping_add_signed(self.offset);
        if self.is_narrow {
            sum & u64::from(u32::MAX)
        } else {
            sum
        }
    }
}

/// A predicate operand, possibly negated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Condition {
    pub(crate) pred: Pred,
    pub(crate) negated: bool,
}

/// The instruction being decoded.
pub(crate) struct Decoder<'a> {
    pub(crate) names: &'a mut Names,
    instruction: &'a Instruction,
    next: usize,
    pub(crate) uses: Uses,
}

pub(crate) type Decoded<T> = Result<T, ParseError>;

impl<'a> Decoder<'a> {
    pub(crate) fn new(names: &'a mut Names, instruction: &'a Instruction) -> Self {
        Self {
            names,
            instruction,
            next: 1,
            uses: Uses::default(),
        }
    }

    pub(crate) fn opcode(&self) -> &'a str {
        &self.instruction.path[0]
    }

    pub(crate) fn text(&self) -> String {
        self.instruction.path.join(".")
    }

    pub(crate) fn error<T>(&self, message: impl AsRef<str>) -> Decoded<T> {
        let message = format!("`{}`: {}", self.text(), message.as_ref());
        Err(ParseError::new(self.instruction.line, message))
    }

    /// Requires this version of the PTX ISA and `sm_<min>` or a later architecture.
    pub(crate) fn requires(&self, (major, minor): (u8, u8), min: u16) -> Decoded<()> {
        self.requires_one_of((major, minor), &[Target::from(min)])
    }

    /// Requires this version of the PTX ISA and one of these targets.
    pub(crate) fn requires_one_of(
        &self,
        (major, minor): (u8, u8),
        targets: &[Target],
    ) -> Decoded<()> {
        let (version, target) = (self.names.version, self.names.target);
        let needed = Version { major, minor };
        if !targets.iter().any(|&need| target.has(need)) {
            let needed: Vec<String> = targets
                .iter()
                .map(|need| match need.suffix {
                    Suffix::None => format!("{need} or later"),
                    Suffix::Family => format!("{need} or later in its family"),
                    Suffix::Architecture => need.to_string(),
                })
                .collect();
            let needed = needed.join(" or ");
            return self.error(format!("needs `.target` {needed}, found `{target}`"));
        }
        if version < needed {
            return self.error(format!(
                "needs `.version` {needed} or later, found {version}"
            ));
        }
        Ok(())
    }

    /// Checks the rules of [`needs`](crate::isa::needs) for the instruction.
    pub(crate) fn meets_rules(&self) -> Decoded<()> {
        for rule in &self.names.unmet {
            if rule.fits(&self.instruction.path) {
                self.requires_one_of(rule.version, rule.targets)?;
            }
        }
        Ok(())
    }

    // Modifiers.

    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.instruction.path.get(self.next).map(String::as_str)
    }

    /// Returns `true` if the modifier occurs anywhere.
    pub(crate) fn has(&self, modifier: &str) -> bool {
        self.instruction
            .path
            .iter()
            .skip(1)
            .any(|part| part == modifier)
    }

    /// Consumes the modifier if it is the next one.
    pub(crate) fn takes(&mut self, modifier: &str) -> bool {
        let is_next = self.peek() == Some(modifier);
        self.next += usize::from(is_next);
        is_next
    }

    /// Consumes the next modifier if the table contains it.
    pub(crate) fn one_of<T: Copy>(&mut self, table: &[(&str, T)]) -> Option<T> {
        let next = self.peek()?;
        let &(_, value) = table.iter().find(|(name, _)| *name == next)?;
        self.next += 1;
        Some(value)
    }

    /// Consumes the next modifier, which must be in the table.
    pub(crate) fn needs<T: Copy>(&mut self, table: &[(&str, T)]) -> Decoded<T> {
        match self.one_of(table) {
            Some(value) => Ok(value),
            None => self.unexpected(),
        }
    }

    /// Consumes all remaining modifiers.
    pub(crate) fn modifiers(&mut self) -> Vec<&'a str> {
        let remaining = &self.instruction.path[self.next..];
        self.next = self.instruction.path.len();
        remaining.iter().map(String::as_str).collect()
    }

    pub(crate) fn unexpected<T>(&self) -> Decoded<T> {
        match self.peek() {
            Some(modifier) => self.error(format!("unknown modifier `.{modifier}`")),
            None => self.error("a modifier is missing"),
        }
    }

    pub(crate) fn ty(&mut self) -> Decoded<Type> {
        let Some(ty) = self.peek().and_then(Type::parse) else {
            return self.unexpected();
        };
        self.next += 1;
        Ok(ty)
    }

    /// Consumes a type suffix that `accepts` allows.
    pub(crate) fn ty_where(&mut self, accepts: impl Fn(Type) -> bool) -> Decoded<Type> {
        match self.peek().and_then(Type::parse) {
            Some(ty) if accepts(ty) => self.ty(),
            _ => self.unexpected(),
        }
    }

    /// Checks that all modifiers were consumed and that there are `operands` operands.
    pub(crate) fn end(&self, operands: usize) -> Decoded<()> {
        self.end_between(operands, operands)
    }

    pub(crate) fn end_between(&self, min: usize, max: usize) -> Decoded<()> {
        if self.peek().is_some() {
            return self.unexpected();
        }
        let count = self.instruction.operands.len();
        if count < min || count > max {
            return self.error(format!("expected {min} operands, found {count}"));
        }
        Ok(())
    }

    // Operands.

    pub(crate) fn operands(&self) -> usize {
        self.instruction.operands.len()
    }

    pub(crate) fn operand(&self, index: usize) -> Decoded<&'a Operand> {
        match self.instruction.operands.get(index) {
            Some(operand) => Ok(operand),
            None => self.error("an operand is missing"),
        }
    }

    fn misfit<T>(&self, expected: &str, operand: &Operand) -> Decoded<T> {
        self.error(format!("expected {expected}, found {}", operand.describe()))
    }

    /// Decodes a source operand.
    pub(crate) fn source(&mut self, index: usize, ty: Type) -> Decoded<Slot> {
        let operand = self.operand(index)?;
        self.source_of(operand, ty)
    }

    pub(crate) fn source_of(&mut self, operand: &Operand, ty: Type) -> Decoded<Slot> {
        if let Some(bits) = operand.immediate(ty) {
            return Ok(self.names.constant(bits));
        }
        let (name, offset) = match operand {
            Operand::Name(name) => (name, 0),
            Operand::Offset(name, offset) => (name, *offset),
            _ => return self.misfit("a register or a number", operand),
        };
        if offset == 0 {
            if let Some((slot, declared)) = self.names.value(name) {
                self.fitting(name, declared.total_bits(), ty)?;
                self.uses.reads.push(slot);
                return Ok(slot);
            }
            if let Some((slot, bits)) = self.names.special(name) {
                if let Some((version, min)) = crate::isa::needs::of_register(name) {
                    self.requires(version, min)?;
                }
                return self.fitting(name, u16::from(bits), ty).map(|()| slot);
            }
        }
        if let Some(place) = self.names.variable(name)? {
            let content = match place.content {
                Content::Constant(base) => Content::Constant(base.wrapping_add_signed(offset)),
                Content::Global(number, base) => {
                    Content::Global(number, base.wrapping_add_signed(offset))
                }
                Content::Shared(base) => Content::Shared(base.wrapping_add_signed(offset)),
                Content::DynamicShared(base) => {
                    Content::DynamicShared(base.wrapping_add_signed(offset))
                }
                other @ (Content::Undefined | Content::Special(_)) => other,
            };
            Ok(self.names.slot_with(content, name, 64))
        } else {
            let why = self.names.why_unknown(name);
            self.error(why)
        }
    }

    /// Checks that a register of `bits` bits fits an operand of type `ty`: it must be as wide, or
    /// wider where the instruction allows it (PTX ISA, "Operand Size Exceeding Instruction-Type
    /// Size").
    fn fitting(&self, name: &str, bits: u16, ty: Type) -> Decoded<()> {
        let wide = match self.opcode() {
            "ld" | "ldu" | "st" | "suld" | "sust" | "sured" => true,
            "cvt" if self.is_of_narrow_formats() => bits == ty.total_bits(),
            "cvt" => true,
            _ => ty.bits < 16,
        };
        if bits < ty.total_bits() {
            return self.error(format!("`{name}` is too narrow"));
        }
        if bits > ty.total_bits() && !wide {
            return self.error(format!("`{name}` is too wide"));
        }
        Ok(())
    }

    /// Returns `true` if a type suffix denotes untyped bits in registers: `.bf16`, `.tf32` and
    /// narrower formats.
    fn is_of_narrow_formats(&self) -> bool {
        let mut types = self
            .instruction
            .path
            .iter()
            .filter_map(|part| Type::parse(part));
        types.any(|ty| {
            !ty.is_integer() && !matches!(ty.class, Class::Float | Class::Bits | Class::Pred)
        })
    }

    /// Checks that the variable of an address is in the state space of the instruction. Generic
    /// addresses are global, shared or local.
    pub(crate) fn fits_space(&self, operand_space: Option<Space>, space: Space) -> Decoded<()> {
        let Some(operand_space) = operand_space else {
            return Ok(());
        };
        let fits = match space {
            Space::Generic => !matches!(operand_space, Space::Const | Space::Param),
            Space::Shared | Space::Cluster => {
                matches!(operand_space, Space::Shared | Space::Cluster)
            }
            space => space == operand_space,
        };
        if fits {
            return Ok(());
        }
        let name = match operand_space {
            Space::Generic => return Ok(()),
            Space::Global => "global",
            Space::Const => "const",
            Space::Shared | Space::Cluster => "shared",
            Space::Local => "local",
            Space::Param => "param",
        };
        self.error(format!("the variable is in another space: write `.{name}`"))
    }

    /// Decodes a destination register, or `_`.
    pub(crate) fn dest(&mut self, index: usize) -> Decoded<Slot> {
        let operand = self.operand(index)?;
        self.dest_of(operand)
    }

    pub(crate) fn dest_of(&mut self, operand: &Operand) -> Decoded<Slot> {
        let Operand::Name(name) = operand else {
            return self.misfit("a register", operand);
        };
        if name == "_" {
            return Ok(self.names.scratch());
        }
        match self.names.value(name) {
            Some((slot, _)) => {
                self.uses.writes.push(slot);
                Ok(slot)
            }
            None => self.error(format!("`{name}` is not a declared register")),
        }
    }

    /// Decodes a destination that is at least as wide as `ty`.
    pub(crate) fn dest_for(&mut self, index: usize, ty: Type) -> Decoded<Slot> {
        let slot = self.dest(index)?;
        if let Operand::Name(name) = self.operand(index)?
            && name != "_"
        {
            self.fitting(name, u16::from(self.names.width(slot)), ty)?;
        }
        Ok(slot)
    }

    /// Returns the elements of a vector operand, or the operand itself.
    pub(crate) fn elements(&self, index: usize) -> Decoded<&'a [Operand]> {
        Ok(match self.operand(index)? {
            Operand::Vector(elements) => elements,
            single => std::slice::from_ref(single),
        })
    }

    pub(crate) fn sources(&mut self, index: usize, count: usize, ty: Type) -> Decoded<Slots> {
        let elements = self.elements(index)?;
        if elements.len() != count {
            return self.error(format!("operand {} needs {count} registers", index + 1));
        }
        elements
            .iter()
            .map(|element| self.source_of(element, ty))
            .collect()
    }

    pub(crate) fn dests(&mut self, index: usize, count: usize) -> Decoded<Slots> {
        let elements = self.elements(index)?;
        if elements.len() != count {
            return self.error(format!("operand {} needs {count} registers", index + 1));
        }
        elements
            .iter()
            .map(|element| self.dest_of(element))
            .collect()
    }

    pub(crate) fn is_vector(&self, index: usize) -> bool {
        matches!(self.operand(index), Ok(Operand::Vector(_)))
    }

    pub(crate) fn pred_dest(&mut self, index: usize) -> Decoded<Pred> {
        match self.operand(index)? {
            Operand::Name(name) => self.pred_named(name),
            other => self.misfit("a predicate", other),
        }
    }

    /// Decodes a destination predicate by name, or `_`.
    pub(crate) fn pred_named(&mut self, name: &str) -> Decoded<Pred> {
        if name == "_" {
            return Ok(self.names.scratch_pred());
        }
        match self.names.pred(name) {
            Some(pred) => Ok(pred),
            None => self.error(format!("`{name}` is not a declared predicate")),
        }
    }

    /// Decodes the destinations `p` or `p|q`.
    pub(crate) fn pred_pair(&mut self, index: usize) -> Decoded<(Pred, Option<Pred>)> {
        match self.operand(index)? {
            Operand::Pair(first, second) => {
                Ok((self.pred_named(first)?, Some(self.pred_named(second)?)))
            }
            _ => Ok((self.pred_dest(index)?, None)),
        }
    }

    /// Decodes the destinations `d` or `d|p`; `d` has 32 bits.
    pub(crate) fn dest_and_pred(&mut self, index: usize) -> Decoded<(Slot, Option<Pred>)> {
        if let Operand::Name(name) | Operand::Pair(name, _) = self.operand(index)?
            && let Some((_, declared)) = self.names.value(name)
        {
            self.fitting(name, declared.total_bits(), Type::B32)?;
        }
        match self.operand(index)? {
            Operand::Pair(first, second) => {
                let dest = self.dest_of(&Operand::Name(first.clone()))?;
                Ok((dest, Some(self.pred_named(second)?)))
            }
            _ => Ok((self.dest(index)?, None)),
        }
    }

    /// Decodes a source predicate: `p`, `!p` or a constant.
    pub(crate) fn condition(&mut self, index: usize) -> Decoded<Condition> {
        let operand = self.operand(index)?;
        let (name, negated) = match operand {
            Operand::Name(name) => (name, false),
            Operand::Not(name) => (name, true),
            Operand::Int(value) => {
                return Ok(Condition {
                    pred: self.names.always(),
                    negated: *value == 0,
                });
            }
            other => return self.misfit("a predicate", other),
        };
        let pred = self.condition_named(name)?;
        Ok(Condition { pred, negated })
    }

    pub(crate) fn condition_named(&mut self, name: &str) -> Decoded<Pred> {
        match self.names.pred(name) {
            Some(pred) => {
                self.uses.pred_reads.push(pred);
                Ok(pred)
            }
            None => self.error(format!("`{name}` is not a declared predicate")),
        }
    }

    pub(crate) fn address(&mut self, index: usize) -> Decoded<Address> {
        let operand = self.operand(index)?;
        self.address_of(operand)
    }

    fn address_of(&mut self, operand: &Operand) -> Decoded<Address> {
        let Operand::Address(base, offset) = operand else {
            return self.misfit("an address", operand);
        };
        if let Operand::Name(name) = &**base
            && self.names.value(name).is_none()
            && let Some(place) = self.names.variable(name)?
        {
            return Ok(Address {
                base: self.names.slot_with(place.content, name, 64),
                offset: *offset,
                space: Some(place.space),
                of_call: place.of_call,
                is_narrow: false,
            });
        }
        let mut is_narrow = false;
        let base = match &**base {
            Operand::Int(value) => self.names.constant(*value as u64),
            Operand::Name(name) => match self.names.value(name) {
                Some((slot, declared)) if declared.total_bits() >= 32 => {
                    self.uses.reads.push(slot);
                    is_narrow = declared.total_bits() == 32;
                    slot
                }
                Some(_) => return self.error(format!("`{name}` is too narrow")),
                None => {
                    let why = self.names.why_unknown(name);
                    return self.error(why);
                }
            },
            other => return self.misfit("a register or a number", other),
        };
        Ok(Address {
            base,
            offset: *offset,
            space: None,
            of_call: false,
            is_narrow,
        })
    }

    /// Decodes `[map, {x, y}]`: the address of the tensor map, and `.s32` coordinates.
    pub(crate) fn tensor_address(&mut self, index: usize) -> Decoded<(Address, Slots)> {
        let operand = self.operand(index)?;
        let Operand::Indexed(address, coordinates) = operand else {
            return self.misfit("`[tensorMap, {coordinates}]`", operand);
        };
        let [Operand::Vector(coordinates)] = coordinates.as_slice() else {
            return self.error("tensor coordinates must be in `{}`");
        };
        let map = self.address_of(address)?;
        let coordinates = coordinates
            .iter()
            .map(|coordinate| self.source_of(coordinate, Type::S32))
            .collect::<Decoded<_>>()?;
        Ok((map, coordinates))
    }

    /// Returns `true` if the operand is a predicate or a negated one.
    pub(crate) fn is_predicate(&mut self, index: usize) -> bool {
        match self.operand(index) {
            Ok(Operand::Not(_)) => true,
            Ok(Operand::Name(name)) => self.names.pred(name).is_some(),
            _ => false,
        }
    }

    /// Returns `true` if the operand is `_`.
    pub(crate) fn is_sink(&self, index: usize) -> bool {
        matches!(self.operand(index), Ok(Operand::Name(name)) if name == "_")
    }

    /// Decodes `count` destination registers, each at least as wide as `ty`.
    pub(crate) fn dests_for(&mut self, index: usize, count: usize, ty: Type) -> Decoded<Slots> {
        let slots = self.dests(index, count)?;
        for (slot, element) in slots.iter().zip(self.elements(index)?) {
            if let Operand::Name(name) = element
                && name != "_"
            {
                self.fitting(name, u16::from(self.names.width(*slot)), ty)?;
            }
        }
        Ok(slots)
    }

    pub(crate) fn label(&mut self, index: usize) -> Decoded<LabelId> {
        match self.operand(index)? {
            Operand::Name(name) => self.label_named(name),
            other => self.misfit("a label", other),
        }
    }

    pub(crate) fn label_named(&self, name: &str) -> Decoded<LabelId> {
        match self.names.label(name) {
            Some(label) => Ok(label),
            None => self.error(format!("label `{name}` is not defined")),
        }
    }

    /// Decodes a constant.
    pub(crate) fn number(&self, index: usize) -> Decoded<u64> {
        match self.operand(index)? {
            Operand::Int(value) if *value >= 0 => Ok(*value as u64),
            other => self.misfit("a number", other),
        }
    }
}

/// The registers of a vector operand.
pub(crate) type Slots = SmallVec<[Slot; 4]>;

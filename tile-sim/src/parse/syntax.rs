//! What a PTX text says, before any name has a meaning.

use super::target::{Target, Version};
use crate::isa::types::Type;

/// A whole text.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) version: Version,
    pub(crate) target: Target,
    pub(crate) variables: Vec<Variable>,
    pub(crate) entries: Vec<Entry>,
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Generic,
    Global,
    Const,
    /// Of the block.
    Shared,
    /// Of the blocks of the cluster.
    Cluster,
    Local,
    Param,
}

/// `.shared .align 16 .b8 name[64]`
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) space: Space,
    pub(crate) align: u64,
    /// `None`: as long as the launch says (`.extern .shared`).
    pub(crate) bytes: Option<u64>,
    pub(crate) name: String,
    /// What it holds at first, if that is said; the rest is zero.
    pub(crate) initial: Vec<u8>,
    pub(crate) line: u32,
}

/// A kernel.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) params: Vec<Variable>,
    pub(crate) required_threads: Option<[u32; 3]>,
    pub(crate) most_threads: Option<u64>,
    pub(crate) body: Vec<Statement>,
    pub(crate) line: u32,
}

/// One statement of a body.
#[derive(Debug)]
pub(crate) enum Statement {
    Instruction(Instruction),
    Label(String, u32),
    /// `.reg .b32 %r<5>`: the number is `None` for a single register.
    Registers(Type, String, Option<u64>),
    Variable(Variable),
    /// `{ ... }`
    Scope(Vec<Statement>),
    /// `name: .branchtargets a, b;`
    Targets(String, Vec<String>),
}

/// One instruction.
#[derive(Debug)]
pub(crate) struct Instruction {
    pub(crate) line: u32,
    pub(crate) guard: Option<Guard>,
    /// The opcode and its modifiers, without dots.
    pub(crate) path: Vec<String>,
    pub(crate) operands: Vec<Operand>,
}

/// `@%p` or `@!%p`
#[derive(Debug)]
pub(crate) struct Guard {
    pub(crate) negated: bool,
    pub(crate) name: String,
}

/// One operand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    /// A register, special register (with its `.x`), symbol or label.
    Name(String),
    /// `name+4`
    Offset(String, i64),
    /// `!name`
    Not(String),
    /// `a|b`
    Pair(String, String),
    Int(i128),
    /// `0f3F800000`
    Single(u32),
    /// `0d...` or a decimal number.
    Double(u64),
    Vector(Vec<Operand>),
    /// `{a, b}|p`
    VectorPair(Vec<Operand>, String),
    /// `[a+4]`
    Address(Box<Operand>, i64),
    /// `[map, {x, y}]`: an address, and what stands behind it.
    Indexed(Box<Operand>, Vec<Operand>),
}

impl Operand {
    /// The kind of operand, for messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Name(name) | Self::Offset(name, _) => format!("`{name}`"),
            Self::Not(name) => format!("`!{name}`"),
            Self::Pair(first, second) => format!("`{first}|{second}`"),
            Self::Int(value) => format!("`{value}`"),
            Self::Single(_) | Self::Double(_) => "a floating-point number".into(),
            Self::Vector(_) => "a vector".into(),
            Self::VectorPair(..) => "a vector and a predicate".into(),
            Self::Address(..) => "an address".into(),
            Self::Indexed(..) => "an address with coordinates".into(),
        }
    }
}

//! What a PTX text says, before any name has a meaning.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::target::{Target, Version};
use crate::isa::types::Type;

/// A whole text.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) version: Version,
    pub(crate) target: Target,
    pub(crate) variables: Vec<Variable>,
    pub(crate) functions: Vec<Function>,
    pub(crate) aliases: Vec<Alias>,
    /// By the numbers of `.file`.
    pub(crate) files: FxHashMap<u64, Arc<str>>,
    /// The strings of `.section .debug_str`, by their labels.
    pub(crate) strings: FxHashMap<String, Arc<str>>,
}

/// `.alias name, target;`
#[derive(Debug)]
pub(crate) struct Alias {
    pub(crate) name: String,
    pub(crate) target: String,
    pub(crate) line: u32,
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

/// Where else a name is known (PTX ISA, "Linking Directives").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linkage {
    /// In this text only.
    Internal,
    Visible,
    Weak,
    Common,
    /// Defined elsewhere.
    Extern,
}

/// `.shared .align 16 .b8 name[64]`
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) space: Space,
    pub(crate) linkage: Linkage,
    pub(crate) align: u64,
    /// `None`: as long as the launch says (`.extern .shared`).
    pub(crate) bytes: Option<u64>,
    pub(crate) name: String,
    /// A texture, a sampler or a surface.
    pub(crate) opaque: bool,
    /// What it holds at first, if that is said; the rest is zero.
    pub(crate) initial: Vec<u8>,
    /// Parts of it that are addresses.
    pub(crate) addresses: Vec<InitialAddress>,
    pub(crate) line: u32,
}

/// An address in an initializer: `symbol + addend`, of which some bytes are kept.
#[derive(Clone, Debug)]
pub(crate) struct InitialAddress {
    /// In the variable, in bytes.
    pub(crate) offset: usize,
    /// How many bytes are written.
    pub(crate) bytes: usize,
    pub(crate) symbol: String,
    pub(crate) addend: i64,
    /// `0xff00(symbol)`: which byte of the address, from the lowest; 0 without a mask.
    pub(crate) byte: u32,
    pub(crate) line: u32,
}

/// What a function is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Entry,
    Device,
}

/// A kernel or a function.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) role: Role,
    pub(crate) name: String,
    pub(crate) returns: Vec<Formal>,
    pub(crate) params: Vec<Formal>,
    pub(crate) limits: Limits,
    /// `None` if it is only declared.
    pub(crate) body: Option<Vec<Statement>>,
    pub(crate) line: u32,
}

/// A parameter of a function, as the function sees it.
#[derive(Clone, Debug)]
pub(crate) enum Formal {
    Param(Variable),
    Register(Type, String),
}

/// What an entry says about its launches (PTX ISA, "Performance-Tuning Directives" and "Cluster
/// Dimension Directives").
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) required_threads: Option<[u32; 3]>,
    pub(crate) most_threads: Option<u64>,
    pub(crate) max_registers: Option<u32>,
    pub(crate) required_cluster: Option<[u32; 3]>,
    pub(crate) explicit_cluster: bool,
    pub(crate) max_cluster_rank: Option<u32>,
}

/// One statement of a body.
#[derive(Debug)]
pub(crate) enum Statement {
    Instruction(Instruction),
    Call(Call),
    Label(String, u32),
    Registers(Registers),
    Variable(Variable),
    /// `{ ... }`
    Scope(Vec<Statement>),
    /// `name: .branchtargets a, b;`
    Targets(String, Vec<String>),
    Location(Location),
}

/// `.reg .v2 .b32 %r<5>`
#[derive(Debug)]
pub(crate) struct Registers {
    pub(crate) kind: RegisterKind,
    pub(crate) name: String,
    /// `None` for a single register.
    pub(crate) count: Option<u64>,
}

/// What one register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegisterKind {
    One(Type),
    /// Elements that are named `.x`, `.y`, `.z`, `.w`.
    Vector(Type, u8),
    /// `.b128`
    Wide,
}

/// `.loc 1 20 3, function_name $L__info_string0, inlined_at 1 4 5`
#[derive(Clone, Debug)]
pub(crate) struct Location {
    pub(crate) at: [u64; 3],
    pub(crate) function: Option<String>,
    pub(crate) inlined_at: Option<[u64; 3]>,
}

/// `call.uni (result), name, (a, b), prototype;`
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) line: u32,
    pub(crate) guard: Option<Guard>,
    pub(crate) uniform: bool,
    pub(crate) returns: Vec<Operand>,
    pub(crate) function: String,
    pub(crate) args: Vec<Operand>,
    /// The prototype or the list of targets of an indirect call.
    pub(crate) prototype: Option<String>,
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
#[derive(Clone, Debug)]
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
    /// `-name`
    Minus(Box<Operand>),
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

/// Operands in their order.
pub(crate) fn operands(operands: &[Operand]) -> String {
    let texts: Vec<String> = operands.iter().map(Operand::to_string).collect();
    texts.join(", ")
}

/// As PTX has it.
impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Offset(name, offset) => write!(f, "{name}{offset:+}"),
            Self::Not(name) => write!(f, "!{name}"),
            Self::Minus(operand) => write!(f, "-{operand}"),
            Self::Pair(first, second) => write!(f, "{first}|{second}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Single(bits) => write!(f, "0f{bits:08X}"),
            Self::Double(bits) => write!(f, "0d{bits:016X}"),
            Self::Vector(elements) => write!(f, "{{{}}}", operands(elements)),
            Self::VectorPair(elements, pred) => write!(f, "{{{}}}|{pred}", operands(elements)),
            Self::Address(base, 0) => write!(f, "[{base}]"),
            Self::Address(base, offset) => write!(f, "[{base}{offset:+}]"),
            Self::Indexed(base, behind) => {
                // The address has brackets of its own.
                let base = base.to_string();
                let base = base.trim_start_matches('[').trim_end_matches(']');
                write!(f, "[{base}, {}]", operands(behind))
            }
        }
    }
}

impl Operand {
    /// The kind of operand, for messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Name(name) | Self::Offset(name, _) => format!("`{name}`"),
            Self::Not(name) => format!("`!{name}`"),
            Self::Minus(operand) => format!("the negative of {}", operand.describe()),
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

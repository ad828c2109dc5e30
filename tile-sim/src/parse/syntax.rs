//! The syntax tree of a PTX text, with unresolved names.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::target::{Target, Version};
use crate::isa::types::Type;

/// A PTX module.
#[derive(Debug)]
pub(crate) struct Unit {
    pub(crate) version: Version,
    pub(crate) target: Target,
    pub(crate) variables: Vec<Variable>,
    pub(crate) functions: Vec<Function>,
    pub(crate) aliases: Vec<Alias>,
    /// Paths by the numbers of `.file`.
    pub(crate) files: FxHashMap<u64, Arc<str>>,
    /// The strings of `.section .debug_str` by label.
    pub(crate) strings: FxHashMap<String, Arc<str>>,
}

/// `.alias name, target;`
#[derive(Debug)]
pub(crate) struct Alias {
    pub(crate) name: String,
    pub(crate) target: String,
    pub(crate) line: u32,
}

/// A state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Generic,
    Global,
    Const,
    /// Shared memory of the executing block.
    Shared,
    /// Shared memory of all blocks of the cluster.
    Cluster,
    Local,
    Param,
}

/// The linkage of a name (PTX ISA, "Linking Directives").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linkage {
    /// Visible in this module only.
    Internal,
    Visible,
    Weak,
    Common,
    /// Defined in another module.
    Extern,
}

/// `.shared .align 16 .b8 name[64]`
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) space: Space,
    pub(crate) linkage: Linkage,
    pub(crate) align: u64,
    /// `None` if the launch specifies the size (`.extern .shared`).
    pub(crate) bytes: Option<u64>,
    pub(crate) name: String,
    /// The initial contents; bytes beyond the end are zero.
    pub(crate) initial: Vec<u8>,
    /// The addresses in the initial contents.
    pub(crate) addresses: Vec<InitialAddress>,
    pub(crate) line: u32,
}

/// An address in an initializer, `symbol + addend`; possibly only some of its bytes are stored.
#[derive(Clone, Debug)]
pub(crate) struct InitialAddress {
    /// The offset in the variable in bytes.
    pub(crate) offset: usize,
    /// The number of bytes stored.
    pub(crate) bytes: usize,
    pub(crate) symbol: String,
    pub(crate) addend: i64,
    /// The index of the lowest byte that is stored (`0xff00(symbol)` is 1); 0 without a mask.
    pub(crate) byte: u32,
    pub(crate) line: u32,
}

/// The role of a function: a kernel or a device function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Entry,
    Device,
}

/// A kernel or a device function.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) role: Role,
    pub(crate) name: String,
    pub(crate) returns: Vec<Formal>,
    pub(crate) params: Vec<Formal>,
    pub(crate) limits: Limits,
    /// `None` for a declaration.
    pub(crate) body: Option<Vec<Statement>>,
    pub(crate) line: u32,
}

/// A formal parameter.
#[derive(Clone, Debug)]
pub(crate) enum Formal {
    Param(Variable),
    Register(Type, String),
}

/// The launch bounds of a kernel (PTX ISA, "Performance-Tuning Directives" and "Cluster Dimension
/// Directives").
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) required_threads: Option<[u32; 3]>,
    pub(crate) max_threads: Option<u64>,
    pub(crate) max_registers: Option<u32>,
    pub(crate) required_cluster: Option<[u32; 3]>,
    pub(crate) explicit_cluster: bool,
    pub(crate) max_cluster_rank: Option<u32>,
}

/// A statement of a function body.
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

/// The kind of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RegisterKind {
    One(Type),
    /// A vector with the elements `.x`, `.y`, `.z`, `.w`.
    Vector(Type, u8),
    /// `.b128`.
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

/// An instruction.
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

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Operand {
    /// A register, a special register (with its `.x`), a symbol or a label.
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
    /// `[a+4]`
    Address(Box<Operand>, i64),
    /// `[map, {x, y}]`: an address with coordinates.
    Indexed(Box<Operand>, Vec<Operand>),
}

/// Formats operands as a comma-separated list.
pub(crate) fn operands(operands: &[Operand]) -> String {
    let texts: Vec<String> = operands.iter().map(Operand::to_string).collect();
    texts.join(", ")
}

/// Prints the operand in PTX syntax.
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
            Self::Address(base, 0) => write!(f, "[{base}]"),
            Self::Address(base, offset) => write!(f, "[{base}{offset:+}]"),
            Self::Indexed(base, behind) => {
                // The address has its own brackets.
                let base = base.to_string();
                let base = base.trim_start_matches('[').trim_end_matches(']');
                write!(f, "[{base}, {}]", operands(behind))
            }
        }
    }
}

impl Operand {
    /// Describes the kind of operand for messages.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Name(name) | Self::Offset(name, _) => format!("`{name}`"),
            Self::Not(name) => format!("`!{name}`"),
            Self::Minus(operand) => format!("the negative of {}", operand.describe()),
            Self::Pair(first, second) => format!("`{first}|{second}`"),
            Self::Int(value) => format!("`{value}`"),
            Self::Single(_) | Self::Double(_) => "a floating-point number".into(),
            Self::Vector(_) => "a vector".into(),
            Self::Address(..) => "an address".into(),
            Self::Indexed(..) => "an address with coordinates".into(),
        }
    }
}

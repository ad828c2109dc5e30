//! The definition of an operation as plain data.

use super::{format, soundness};
use std::fmt;

/// A version of the dialect and its bytecode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Version {
    /// CUDA 13.1.
    V13_1,
    /// CUDA 13.2.
    V13_2,
    /// CUDA 13.3.
    V13_3,
    /// CUDA 13.4.
    V13_4,
}

impl Version {
    /// Every version, oldest first.
    pub const ALL: [Version; 4] = [
        Version::V13_1,
        Version::V13_2,
        Version::V13_3,
        Version::V13_4,
    ];

    /// Returns the major and minor number.
    pub fn numbers(self) -> (u8, u8) {
        match self {
            Version::V13_1 => (13, 1),
            Version::V13_2 => (13, 2),
            Version::V13_3 => (13, 3),
            Version::V13_4 => (13, 4),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (major, minor) = self.numbers();
        write!(f, "{major}.{minor}")
    }
}

/// The dialect of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `cuda_tile`, whose prefix is omitted inside a module. It includes the operations of test
    /// builds and those that only this crate defines.
    CudaTile,
    /// `loop`, whose prefix is part of the mnemonics. It has no bytecode.
    Loop,
    /// `ptx`, inline PTX; its prefix is part of the mnemonics. It has no bytecode.
    Ptx,
}

impl Dialect {
    /// Splits the full name of an operation into its dialect and the name as written inside a
    /// module; `None` for any other dialect.
    pub fn from_name(name: &str) -> Option<(Self, &str)> {
        match name.split_once('.')? {
            ("cuda_tile", mnemonic) => Some((Dialect::CudaTile, mnemonic)),
            ("loop", _) => Some((Dialect::Loop, name)),
            ("ptx", _) => Some((Dialect::Ptx, name)),
            _ => None,
        }
    }

    /// Returns the prefix before the mnemonic in the full name.
    const fn implied_prefix(self) -> &'static str {
        match self {
            Dialect::CudaTile => "cuda_tile.",
            Dialect::Loop | Dialect::Ptx => "",
        }
    }

    /// Returns `true` if bytecode can encode the operations.
    pub fn has_bytecode(self) -> bool {
        matches!(self, Dialect::CudaTile)
    }
}

/// The set of types that a slot admits; names follow the dialect's specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Constraint {
    /// Any type.
    Any,
    /// A bare number type or any `cuda_tile` type.
    AnyTileIr,
    /// Any tile.
    Tile,
    /// Tile of i1, i8, i16, i32 or i64.
    IntTile,
    /// [`Constraint::IntTile`] or i4.
    I4IntTile,
    /// Tile of f16, bf16, f32 or f64.
    BaseFloatTile,
    /// Tile of any float type.
    FloatTile,
    /// Tile of any number type but i4.
    NumTile,
    /// Tile of i1.
    I1Tile,
    /// Tile of i8.
    I8Tile,
    /// Tile of i32.
    I32Tile,
    /// Tile of i64.
    I64Tile,
    /// [`Constraint::NumTile`] or i4.
    I4NumTile,
    /// Tile of pointers.
    PtrTile,
    /// Tile of f32.
    F32Tile,
    /// Rank-0 tile of i1.
    ScalarI1,
    /// Rank-0 tile of i32.
    ScalarI32,
    /// Rank-0 tile of integers.
    ScalarInt,
    /// Rank-0 tile of pointers.
    ScalarPtr,
    /// Operand of `mmaf`.
    MmaInput,
    /// Accumulator of `mmaf`: tile of f16, f32 or f64.
    MmaAccumulator,
    /// Operand of `mmaf_scaled`: tile of f8E4M3FN, f8E5M2 or f4E2M1FN.
    MmaScaledInput,
    /// Tile of scale factors: f8E4M3FN or f8E8M0FNU.
    MmaScale,
    /// `tensor_view`.
    TensorView,
    /// A view that is accessed by tiles: any of the next three.
    TileView,
    /// `partition_view`.
    PartitionView,
    /// `strided_view`.
    StridedView,
    /// `gather_scatter_view`.
    GatherScatterView,
    /// `token`.
    Token,
}

/// The number of values of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Exactly one.
    One,
    /// Zero or one.
    Optional,
    /// Any number.
    Variadic,
}

/// An operand or result slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlotDef {
    /// The name in messages and in the assembly format.
    pub name: &'static str,
    /// The admitted types.
    pub constraint: Constraint,
    /// The number of values.
    pub arity: Arity,
    /// The version that introduced the slot.
    pub since: Version,
}

impl SlotDef {
    /// Sets the version that introduced the slot.
    #[must_use]
    pub const fn since(self, since: Version) -> Self {
        Self { since, ..self }
    }
}

/// Makes a slot of exactly one value.
pub(super) const fn one(name: &'static str, constraint: Constraint) -> SlotDef {
    SlotDef {
        name,
        constraint,
        arity: Arity::One,
        since: Version::V13_1,
    }
}

/// Makes a slot of zero or one value.
pub(super) const fn optional(name: &'static str, constraint: Constraint) -> SlotDef {
    SlotDef {
        arity: Arity::Optional,
        ..one(name, constraint)
    }
}

/// Makes a slot of any number of values.
pub(super) const fn variadic(name: &'static str, constraint: Constraint) -> SlotDef {
    SlotDef {
        arity: Arity::Variadic,
        ..one(name, constraint)
    }
}

/// The kind of an attribute, which determines its text form and encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttrKind {
    /// A flag: a bit in bytecode, its name in text.
    Unit,
    /// A 32-bit number.
    U32,
    /// A 64-bit number.
    U64,
    /// A truth value, one byte.
    Bool,
    /// A string.
    Str,
    /// The name of a symbol.
    Symbol,
    /// A type.
    Type,
    /// Dense constant data, in the constant section.
    Dense,
    /// `dense` array of i32.
    I32Array,
    /// Array of truth values.
    BoolArray,
    /// Array of typed scalars.
    Scalars,
    /// An assumption, tagged.
    Assume,
    /// Optimization hints.
    Hints,
    /// [`crate::ir::Signedness`].
    Signedness,
    /// [`crate::ir::IntegerOverflow`].
    Overflow,
    /// [`crate::ir::RoundingMode`]; the argument is the set of legal modes, one bit per bytecode
    /// number.
    Rounding(u8),
    /// [`crate::ir::ComparisonPredicate`].
    Predicate,
    /// [`crate::ir::ComparisonOrdering`].
    Ordering,
    /// [`crate::ir::MemoryOrdering`]; the argument is the set of legal values, one bit per bytecode
    /// number.
    MemoryOrdering(u8),
    /// [`crate::ir::MemoryScope`]; the argument is the set of legal values, one bit per bytecode
    /// number.
    MemoryScope(u8),
    /// [`crate::ir::AtomicRmwMode`]; the argument is the set of legal values, one bit per bytecode
    /// number.
    RmwMode(u16),
    /// [`crate::ir::SymbolVisibility`].
    Visibility,
}

/// The presence of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Must be given.
    Required,
    /// May be absent.
    Optional,
    /// Has a default, which is not printed. The argument is the default number, or the bytecode
    /// number of the default enum value.
    Default(u64),
    /// May be absent, which bytecode encodes as a list of `false` instead of a presence bit.
    AllFalse,
}

/// An attribute slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttrDef {
    /// The name in messages, generic form and assembly format.
    pub name: &'static str,
    /// The kind of its value.
    pub kind: AttrKind,
    /// The presence.
    pub presence: Presence,
    /// The version that introduced the slot.
    pub since: Version,
}

impl AttrDef {
    /// Sets the version that introduced the slot.
    #[must_use]
    pub const fn since(self, since: Version) -> Self {
        Self { since, ..self }
    }
}

/// Makes a required attribute.
pub(super) const fn attr(name: &'static str, kind: AttrKind) -> AttrDef {
    AttrDef {
        name,
        kind,
        presence: Presence::Required,
        since: Version::V13_1,
    }
}

/// Makes an attribute that may be absent.
pub(super) const fn optional_attr(name: &'static str, kind: AttrKind) -> AttrDef {
    AttrDef {
        presence: Presence::Optional,
        ..attr(name, kind)
    }
}

/// Makes an enum attribute with a default, given as a bytecode number.
pub(super) const fn default_attr(name: &'static str, kind: AttrKind, default: u64) -> AttrDef {
    AttrDef {
        presence: Presence::Default(default),
        ..attr(name, kind)
    }
}

/// Makes a list of truth values that is absent if all are false.
pub(super) const fn all_false(name: &'static str) -> AttrDef {
    AttrDef {
        presence: Presence::AllFalse,
        ..attr(name, AttrKind::BoolArray)
    }
}

/// Makes a flag.
pub(super) const fn flag(name: &'static str) -> AttrDef {
    optional_attr(name, AttrKind::Unit)
}

/// A condition that the verifier checks for every operation, such as an agreement between slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The slots have the same type.
    SameType(&'static [&'static str]),
    /// The tiles have the same shape.
    SameShape(&'static [&'static str]),
    /// The tiles have the same element type.
    SameElement(&'static [&'static str]),
    /// The tiles have the same rank.
    SameRank(&'static [&'static str]),
    /// The flag requires f32 in the named slot.
    FlagNeedsF32(&'static str, &'static str),
    /// The rounding modes `approx` and `full` require f32 in the named slot (the number is the set
    /// of these modes, one bit per bytecode number).
    RoundingNeedsF32(u8, &'static str),
    /// The operation ends its block.
    Terminator,
    /// The operation may only appear directly inside one of these operations (mnemonics).
    ParentIsOneOf(&'static [&'static str]),
}

/// The effects of an operation besides computing its results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effects {
    /// None: it may be moved, merged, removed and speculated.
    Pure,
    /// No access to memory, but no speculation either: it may be merged and removed.
    NoMemoryEffect,
    /// Reads memory in token order; may be removed if its results are unused.
    Read,
    /// Writes memory, or has other effects that must be preserved.
    Write,
    /// The effects of its regions.
    Regions,
}

/// The number of regions of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionCount {
    /// Exactly this number.
    Exactly(usize),
    /// Any number, which only an unregistered operation may have.
    Any,
}

impl RegionCount {
    /// Returns `true` if an operation may have `count` regions.
    pub fn admits(self, count: usize) -> bool {
        match self {
            RegionCount::Exactly(expected) => count == expected,
            RegionCount::Any => true,
        }
    }
}

/// One row of the op table.
#[derive(Clone, Copy, Debug)]
pub struct OpDef {
    /// The dialect of the operation.
    pub dialect: Dialect,
    /// The name in assembly, without the prefix `cuda_tile.`.
    pub mnemonic: &'static str,
    /// The number in bytecode, which never changes. Without bytecode, a number that no other row
    /// has.
    pub number: u16,
    /// The version that introduced the operation.
    pub since: Version,
    /// Operand slots.
    pub operands: &'static [SlotDef],
    /// Attribute slots.
    pub attrs: &'static [AttrDef],
    /// Result slots.
    pub results: &'static [SlotDef],
    /// Number of regions.
    pub regions: RegionCount,
    /// The rules that the verifier checks.
    pub rules: &'static [Rule],
    /// The effects.
    pub effects: Effects,
    /// True if the first two operands may be exchanged.
    pub commutative: bool,
    /// True if optional and variadic operands are encoded slot by slot, with presence bits in the
    /// flags word (`AttrSizedOperandSegments` upstream).
    pub segmented: bool,
    /// The assembly after the mnemonic, in MLIR's declarative format (`$slot`, `type($slot)`,
    /// literals in backquotes, optional groups `( … $anchor^ … )?`, and the additions of
    /// `text::format`); `custom` if `text` prints and parses it by hand.
    pub asm: &'static str,
    /// The assembly of a row whose `asm` is `custom`, for documentation: in the same notation, with
    /// words for anything that is not a slot.
    pub syntax: &'static str,
    /// The semantics, as a formula where there is one.
    pub doc: &'static str,
}

/// Starts a row.
pub(super) const fn op(mnemonic: &'static str, number: u16, since: Version) -> OpDef {
    OpDef {
        dialect: Dialect::CudaTile,
        mnemonic,
        number,
        since,
        operands: &[],
        attrs: &[],
        results: &[],
        regions: RegionCount::Exactly(0),
        rules: &[],
        effects: Effects::Pure,
        commutative: false,
        segmented: false,
        asm: "",
        syntax: "",
        doc: "",
    }
}

impl OpDef {
    /// Sets the dialect.
    #[must_use]
    pub const fn dialect(self, dialect: Dialect) -> Self {
        Self { dialect, ..self }
    }

    /// Sets the operand slots.
    #[must_use]
    pub const fn operands(self, operands: &'static [SlotDef]) -> Self {
        Self { operands, ..self }
    }

    /// Sets the attribute slots.
    #[must_use]
    pub const fn attrs(self, attrs: &'static [AttrDef]) -> Self {
        Self { attrs, ..self }
    }

    /// Sets the result slots.
    #[must_use]
    pub const fn results(self, results: &'static [SlotDef]) -> Self {
        Self { results, ..self }
    }

    /// Sets the number of regions.
    #[must_use]
    pub const fn regions(self, count: usize) -> Self {
        Self {
            regions: RegionCount::Exactly(count),
            ..self
        }
    }

    /// Allows any number of regions.
    #[must_use]
    pub const fn any_regions(self) -> Self {
        Self {
            regions: RegionCount::Any,
            ..self
        }
    }

    /// Sets the rules.
    #[must_use]
    pub const fn rules(self, rules: &'static [Rule]) -> Self {
        Self { rules, ..self }
    }

    /// Sets the effects.
    #[must_use]
    pub const fn effects(self, effects: Effects) -> Self {
        Self { effects, ..self }
    }

    /// Allows the first two operands to be exchanged.
    #[must_use]
    pub const fn commutative(self) -> Self {
        Self {
            commutative: true,
            ..self
        }
    }

    /// Encodes operands slot by slot.
    #[must_use]
    pub const fn segmented(self) -> Self {
        Self {
            segmented: true,
            ..self
        }
    }

    /// Sets the assembly format.
    #[must_use]
    pub const fn asm(self, asm: &'static str) -> Self {
        Self { asm, ..self }
    }

    /// Marks the assembly as printed and parsed by hand; `syntax` documents it.
    #[must_use]
    pub const fn custom(self, syntax: &'static str) -> Self {
        Self {
            asm: format::CUSTOM,
            syntax,
            ..self
        }
    }

    /// Sets the documentation.
    #[must_use]
    pub const fn doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    /// Returns the row. A row that contradicts itself does not compile:
    ///
    /// ```
    /// use tile_core::ops::{IntegerOp, OpDef};
    ///
    /// const ADD: &OpDef = &IntegerOp::AddI.def().checked();
    /// assert_eq!(ADD.mnemonic, "addi");
    /// ```
    ///
    /// The number belongs to a version before the row's:
    ///
    /// ```compile_fail
    /// use tile_core::ops::{IntegerOp, OpDef, Version};
    ///
    /// const ADD: OpDef = OpDef { since: Version::V13_2, ..*IntegerOp::AddI.def() }.checked();
    /// assert_eq!(ADD.mnemonic, "addi");
    /// ```
    ///
    /// A rule names no slot:
    ///
    /// ```compile_fail
    /// use tile_core::ops::{IntegerOp, OpDef, Rule};
    ///
    /// const ADD: OpDef = IntegerOp::AddI.def().rules(&[Rule::SameType(&["lhs", "sum"])]).checked();
    /// assert_eq!(ADD.mnemonic, "addi");
    /// ```
    ///
    /// The assembly leaves out an attribute:
    ///
    /// ```compile_fail
    /// use tile_core::ops::{IntegerOp, OpDef};
    ///
    /// const ADD: OpDef = IntegerOp::AddI.def().asm("$lhs `,` $rhs `:` type($result)").checked();
    /// assert_eq!(ADD.mnemonic, "addi");
    /// ```
    ///
    /// # Panics
    ///
    /// Panics with the error if the row contradicts itself.
    #[must_use]
    pub const fn checked(self) -> Self {
        match soundness::error(&self) {
            None => self,
            Some(error) => panic!("{}", error),
        }
    }

    /// Returns the name outside of a `cuda_tile.module`.
    pub fn full_name(&self) -> String {
        format!("{}{}", self.dialect.implied_prefix(), self.mnemonic)
    }

    /// Returns `true` if the operation ends its block.
    pub fn is_terminator(&self) -> bool {
        self.rules.contains(&Rule::Terminator)
    }

    /// Returns `true` if any operand or result slot is variadic; such operations have a result
    /// count in bytecode.
    pub fn has_variadic(&self) -> bool {
        self.operands
            .iter()
            .chain(self.results)
            .any(|slot| slot.arity == Arity::Variadic)
    }
}

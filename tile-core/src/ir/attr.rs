//! Attributes and their enums. Numbers are the bytecode's.

use super::DenseElements;
use crate::types::{Scalar, Type};
use arcstr::ArcStr;
use std::sync::Arc;
use thin_vec::ThinVec;

macro_rules! enum_attr {
    ($($(#[$meta:meta])* $Name:ident { $($(#[$vmeta:meta])* $Variant:ident = $number:literal $text:literal,)+ })+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $Name { $($(#[$vmeta])* $Variant = $number,)+ }

        impl $Name {
            /// Every value, in order of its number.
            pub const ALL: &'static [$Name] = &[$($Name::$Variant),+];

            /// The keyword.
            pub fn name(self) -> &'static str {
                match self { $($Name::$Variant => $text,)+ }
            }

            /// The number in bytecode.
            pub fn number(self) -> u64 {
                self as u64
            }

            /// The value with the given bytecode number.
            pub fn from_number(number: u64) -> Option<Self> {
                match number { $($number => Some($Name::$Variant),)+ _ => None }
            }

            /// The value with the given keyword.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some($Name::$Variant),)+ _ => None }
            }
        }
    )+};
}

enum_attr! {
    /// How an operation reads the bits of an integer.
    Signedness {
        /// As an unsigned number.
        Unsigned = 0 "unsigned",
        /// As a two's complement number.
        Signed = 1 "signed",
    }
    /// What the producer promises about overflow.
    IntegerOverflow {
        /// Nothing: the result wraps.
        None = 0 "none",
        /// No signed overflow.
        NoSignedWrap = 1 "no_signed_wrap",
        /// No unsigned overflow.
        NoUnsignedWrap = 2 "no_unsigned_wrap",
        /// Neither.
        NoWrap = 3 "no_wrap",
    }
    /// How an inexact result is rounded.
    RoundingMode {
        /// To nearest, ties to even.
        NearestEven = 0 "nearest_even",
        /// Toward zero.
        Zero = 1 "zero",
        /// Toward negative infinity.
        NegativeInf = 2 "negative_inf",
        /// Toward positive infinity.
        PositiveInf = 3 "positive_inf",
        /// The hardware's fast approximation.
        Approx = 4 "approx",
        /// CUDA's full-range approximation.
        Full = 5 "full",
        /// To an integer, toward zero.
        NearestIntToZero = 6 "nearest_int_to_zero",
        /// To nearest, ties away from zero.
        NearestAway = 7 "nearest_away",
    }
    /// What a comparison asks.
    ComparisonPredicate {
        /// `==`.
        Equal = 0 "equal",
        /// `!=`.
        NotEqual = 1 "not_equal",
        /// `<`.
        LessThan = 2 "less_than",
        /// `<=`.
        LessThanOrEqual = 3 "less_than_or_equal",
        /// `>`.
        GreaterThan = 4 "greater_than",
        /// `>=`.
        GreaterThanOrEqual = 5 "greater_than_or_equal",
    }
    /// What a float comparison says when an operand is NaN.
    ComparisonOrdering {
        /// True.
        Unordered = 0 "unordered",
        /// False.
        Ordered = 1 "ordered",
    }
    /// Memory ordering of an access.
    MemoryOrdering {
        /// No concurrent access to the location.
        Weak = 0 "weak",
        /// Concurrent access allowed, no ordering.
        Relaxed = 1 "relaxed",
        /// Acquire.
        Acquire = 2 "acquire",
        /// Release.
        Release = 3 "release",
        /// Both.
        AcqRel = 4 "acq_rel",
    }
    /// Who takes part in an ordering.
    MemoryScope {
        /// One tile block.
        TileBlock = 0 "tl_blk",
        /// One GPU.
        Device = 1 "device",
        /// The whole system.
        System = 2 "sys",
    }
}

enum_attr! {
    /// How an atomic read-modify-write combines what memory holds with its argument.
    AtomicRmwMode {
        /// Bitwise and.
        And = 0 "and",
        /// Bitwise or.
        Or = 1 "or",
        /// Bitwise exclusive or.
        Xor = 2 "xor",
        /// Integer addition.
        Add = 3 "add",
        /// Float addition.
        AddF = 4 "addf",
        /// Signed maximum.
        Max = 5 "max",
        /// Signed minimum.
        Min = 6 "min",
        /// Unsigned maximum.
        UMax = 7 "umax",
        /// Unsigned minimum.
        UMin = 8 "umin",
        /// Exchange.
        Xchg = 9 "xchg",
    }
    /// Who sees a symbol.
    SymbolVisibility {
        /// The host too.
        Public = 0 "public",
        /// Only its module.
        Private = 1 "private",
    }
}

/// A number with its type, such as the identity of a reduction.
///
/// `bits` holds the value's bit pattern, zero-extended (tf32: its 19 bits).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypedScalar {
    /// The type.
    pub scalar: Scalar,
    /// The bit pattern.
    pub bits: u64,
}

/// What an `assume` promises about a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AssumePredicate {
    /// Divisible by a power of two; `every`/`along` group the elements of a tile.
    DivBy {
        /// The divisor, a power of two.
        divisor: u64,
        /// Length of a group along the axis `along`.
        every: Option<i64>,
        /// The axis of the groups.
        along: Option<i64>,
    },
    /// Blocks of these extents hold one value.
    SameElements(Vec<i64>),
    /// Signed inclusive bounds.
    Bounded {
        /// Least value.
        lower: Option<i64>,
        /// Greatest value.
        upper: Option<i64>,
    },
}

/// The value of one optimization hint. Hints that no compiler knows are kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HintValue {
    /// A 64-bit number.
    Int(i64),
    /// A switch.
    Bool(bool),
    /// A number of another type than i64 and i1.
    Number(TypedScalar),
    /// A string.
    Str(ArcStr),
    /// A type.
    Type(Type),
    /// A list.
    Array(Vec<HintValue>),
    /// Values by key, sorted.
    Dict(Vec<(String, HintValue)>),
}

/// Hints per architecture (`sm_90`, `default`), keys sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct OptimizationHints {
    /// `(architecture, [(key, value)])`.
    pub per_arch: Vec<(String, Vec<(String, HintValue)>)>,
}

/// The value of an attribute slot; two words, since every operation has room for some.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Attr {
    /// A flag that is present.
    Unit,
    /// A truth value.
    Bool(bool),
    /// A number.
    Int(i64),
    /// A list of 32-bit numbers.
    I32Array(ThinVec<i32>),
    /// A list of truth values.
    BoolArray(ThinVec<bool>),
    /// A string.
    Str(ArcStr),
    /// The name of a symbol.
    Symbol(ArcStr),
    /// A type.
    Type(Type),
    /// A tile's worth of numbers.
    Dense(Arc<DenseElements>),
    /// Numbers with their types.
    Scalars(ThinVec<TypedScalar>),
    /// Signedness.
    Signedness(Signedness),
    /// Overflow promise.
    Overflow(IntegerOverflow),
    /// Rounding mode.
    Rounding(RoundingMode),
    /// Comparison predicate.
    Predicate(ComparisonPredicate),
    /// Comparison ordering.
    Ordering(ComparisonOrdering),
    /// Memory ordering.
    MemoryOrdering(MemoryOrdering),
    /// Memory scope.
    MemoryScope(MemoryScope),
    /// Mode of an atomic.
    RmwMode(AtomicRmwMode),
    /// Visibility of a symbol.
    Visibility(SymbolVisibility),
    /// Assumption.
    Assume(Box<AssumePredicate>),
    /// Optimization hints.
    Hints(Arc<OptimizationHints>),
}

const _: () = assert!(size_of::<Option<Attr>>() <= 16);

/// An attribute that no slot of a row holds: MLIR keeps such attributes and
/// gives them no meaning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DiscardableAttr {
    /// The key.
    pub name: ArcStr,
    /// The value as written, in one line with single blanks; `None` for a unit attribute.
    pub value: Option<ArcStr>,
}

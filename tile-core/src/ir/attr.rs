//! Attributes and their enums. The discriminants of the enums are their numbers in bytecode.

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
            /// Every value, ordered by number.
            pub const ALL: &'static [$Name] = &[$($Name::$Variant),+];

            /// Returns the keyword.
            pub fn name(self) -> &'static str {
                match self { $($Name::$Variant => $text,)+ }
            }

            /// Returns the number in bytecode.
            pub fn number(self) -> u64 {
                self as u64
            }

            /// Returns the value with the given number in bytecode.
            pub fn from_number(number: u64) -> Option<Self> {
                match number { $($number => Some($Name::$Variant),)+ _ => None }
            }

            /// Returns the value with the given keyword.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($text => Some($Name::$Variant),)+ _ => None }
            }
        }
    )+};
}

enum_attr! {
    /// The interpretation of the bits of an integer.
    Signedness {
        /// An unsigned number.
        Unsigned = 0 "unsigned",
        /// A two's complement number.
        Signed = 1 "signed",
    }
    /// A promise of the producer about overflow.
    IntegerOverflow {
        /// No promise: the result wraps.
        None = 0 "none",
        /// No signed overflow.
        NoSignedWrap = 1 "no_signed_wrap",
        /// No unsigned overflow.
        NoUnsignedWrap = 2 "no_unsigned_wrap",
        /// Neither signed nor unsigned overflow.
        NoWrap = 3 "no_wrap",
    }
    /// The rounding of an inexact result.
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
    /// The predicate of a comparison.
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
    /// The result of a float comparison with a NaN operand.
    ComparisonOrdering {
        /// True.
        Unordered = 0 "unordered",
        /// False.
        Ordered = 1 "ordered",
    }
    /// The memory ordering of an access.
    MemoryOrdering {
        /// Promises that nothing accesses the location concurrently.
        Weak = 0 "weak",
        /// Concurrent access is allowed, without ordering.
        Relaxed = 1 "relaxed",
        /// Acquire.
        Acquire = 2 "acquire",
        /// Release.
        Release = 3 "release",
        /// Acquire and release.
        AcqRel = 4 "acq_rel",
    }
    /// The threads that an ordering applies to.
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
    /// The operation by which an atomic read-modify-write combines the value in memory with its
    /// argument.
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
    /// The visibility of a symbol.
    SymbolVisibility {
        /// Visible to the host.
        Public = 0 "public",
        /// Visible in its module only.
        Private = 1 "private",
    }
}

/// A number with its type, such as the identity of a reduction.
///
/// `bits` holds the bit pattern of the value, zero-extended to 64 bits; that of a tf32 has 19 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypedScalar {
    /// The type.
    pub scalar: Scalar,
    /// The bit pattern.
    pub bits: u64,
}

/// The promise of an `assume` about a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AssumePredicate {
    /// Divisible by a power of two; `every` and `along` group the elements of a tile.
    DivBy {
        /// The divisor, a power of two.
        divisor: u64,
        /// The length of a group along the axis `along`.
        every: Option<i64>,
        /// The axis of the groups.
        along: Option<i64>,
    },
    /// Blocks of these extents hold one value each.
    SameElements(Vec<i64>),
    /// Signed inclusive bounds.
    Bounded {
        /// The least value.
        lower: Option<i64>,
        /// The greatest value.
        upper: Option<i64>,
    },
}

/// The value of one optimization hint. Unknown hints are preserved.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum HintValue {
    /// A 64-bit number.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// A number of a type other than i64 and i1.
    Number(TypedScalar),
    /// A string.
    Str(ArcStr),
    /// A type.
    Type(Type),
    /// An array.
    Array(Vec<HintValue>),
    /// A dictionary, sorted by key.
    Dict(Vec<(String, HintValue)>),
}

/// Hints per architecture (`sm_90`, `default`), sorted by key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct OptimizationHints {
    /// `(architecture, [(key, value)])`.
    pub per_arch: Vec<(String, Vec<(String, HintValue)>)>,
}

/// The value of an attribute slot. It occupies only two words, because an operation stores up to
/// three values inline.
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
    /// The elements of a tile.
    Dense(Arc<DenseElements>),
    /// Numbers with their types.
    Scalars(ThinVec<TypedScalar>),
    /// A signedness.
    Signedness(Signedness),
    /// A promise about overflow.
    Overflow(IntegerOverflow),
    /// A rounding mode.
    Rounding(RoundingMode),
    /// The predicate of a comparison.
    Predicate(ComparisonPredicate),
    /// The ordering of a float comparison.
    Ordering(ComparisonOrdering),
    /// A memory ordering.
    MemoryOrdering(MemoryOrdering),
    /// A memory scope.
    MemoryScope(MemoryScope),
    /// The mode of an atomic.
    RmwMode(AtomicRmwMode),
    /// The visibility of a symbol.
    Visibility(SymbolVisibility),
    /// An assumption.
    Assume(Box<AssumePredicate>),
    /// Optimization hints.
    Hints(Arc<OptimizationHints>),
}

const _: () = assert!(size_of::<Option<Attr>>() <= 16);

/// An attribute without a slot in the row. MLIR preserves such attributes and gives them no
/// meaning.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DiscardableAttr {
    /// The key.
    pub name: ArcStr,
    /// The value as written, on one line with single blanks; `None` for a unit attribute.
    pub value: Option<ArcStr>,
}

//! The IR: an arena of operations in nested regions.
//!
//! The editing methods of [`Module`] keep these invariants: an operation is in at most one block, a
//! result belongs to one operation, and attribute slots are parallel to the row of the op table.
//! The verifier checks all other invariants (types, dominance, terminators).

mod attr;
mod debug;
mod dense;
mod loc;
mod module;
mod op;
mod stated;

pub use attr::{
    AssumePredicate, AtomicRmwMode, Attr, ComparisonOrdering, ComparisonPredicate, DiscardableAttr,
    HintValue, IntegerOverflow, MemoryOrdering, MemoryScope, OptimizationHints, RoundingMode,
    Signedness, SymbolVisibility, TypedScalar,
};
pub use debug::{DebugAttr, DebugAttrKind, DebugLoc, DebugLocKind, FilePosition};
pub use dense::DenseElements;
pub use loc::Loc;
pub(crate) use module::Reached;
pub use module::{Block, Module, Region, Value, ValueDef};
pub use op::{AttrSlots, Op};

macro_rules! index {
    ($($(#[$meta:meta])* $Name:ident)+) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $Name(u32);

        impl $Name {
            pub(crate) fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("an arena holds fewer than 2^32 entries"))
            }

            /// Returns the index in the module's arena, for side tables.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )+};
}

index! {
    /// An operation of a module.
    OpId
    /// A block of a module.
    BlockId
    /// A region of a module.
    RegionId
    /// An SSA value of a module.
    ValueId
}

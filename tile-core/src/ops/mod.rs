//! The op table: one row per operation.
//!
//! A row ([`OpDef`]) is plain data: operands, attributes, results, regions, rules, effects,
//! assembly format, bytecode number. Generic code (printer, parser, bytecode, most of the verifier,
//! documentation) reads rows; specific code is an exhaustive match over a group enum.

mod atomics;
mod bitwise;
#[cfg(test)]
mod contradictions;
mod control_flow;
mod conversion;
mod core;
mod def;
mod float;
mod format;
mod integer;
mod loop_dialect;
mod memory;
mod misc;
mod reference;
mod soundness;
mod table;
mod testing;
mod unregistered;
mod view;

pub use self::core::CoreOp;
pub use atomics::AtomicOp;
pub use bitwise::BitwiseOp;
pub use control_flow::ControlFlowOp;
pub use conversion::ConversionOp;
pub use def::{
    Arity, AttrDef, AttrKind, Constraint, Dialect, Effects, OpDef, Presence, RegionCount, Rule,
    SlotDef, Version,
};
pub use float::FloatOp;
pub use integer::IntegerOp;
pub use loop_dialect::LoopOp;
pub use memory::MemoryOp;
pub use misc::MiscOp;
pub use reference::reference;
pub use testing::TestingOp;
pub use unregistered::UnregisteredOp;
pub use view::ViewOp;

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

macro_rules! groups {
    ($($(#[$meta:meta])* $Group:ident($Enum:ident),)+) => {
        /// An operation: its group and the operation within it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Opcode { $($(#[$meta])* $Group($Enum),)+ }

        impl Opcode {
            /// Returns the row of the op table.
            pub fn def(self) -> &'static OpDef {
                match self { $(Opcode::$Group(op) => op.def(),)+ }
            }

            /// Returns the index in [`Opcode::all`].
            pub(crate) const fn index(self) -> usize {
                let before = 0;
                $(
                    if let Opcode::$Group(op) = self {
                        return before + op as usize;
                    }
                    let before = before + $Enum::ALL.len();
                )+
                before
            }

            /// Returns every operation, group after group.
            pub fn all() -> impl Iterator<Item = Opcode> {
                std::iter::empty()$(.chain($Enum::ALL.iter().map(|&op| Opcode::$Group(op))))+
            }
        }

        $(impl From<$Enum> for Opcode {
            fn from(op: $Enum) -> Self { Opcode::$Group(op) }
        })+
    };
}

groups! {
    /// Constants, shapes, reductions and entries.
    Core(CoreOp),
    /// Conversions between element types.
    Conversion(ConversionOp),
    /// Branches, loops and terminators.
    ControlFlow(ControlFlowOp),
    /// Pointers and tokens.
    Memory(MemoryOp),
    /// Floating-point operations.
    Float(FloatOp),
    /// Integer arithmetic.
    Integer(IntegerOp),
    /// Bitwise operations.
    Bitwise(BitwiseOp),
    /// Atomic access to memory.
    Atomic(AtomicOp),
    /// Views of memory.
    View(ViewOp),
    /// Assumptions, printing and inline PTX.
    Misc(MiscOp),
    /// Operations of test builds.
    Testing(TestingOp),
    /// The dialect `loop`.
    LoopDialect(LoopOp),
    /// Operations of unknown dialects.
    Unregistered(UnregisteredOp),
}

impl Opcode {
    /// Returns `true` if nothing is known about the operation.
    pub fn is_unregistered(self) -> bool {
        self == Opcode::Unregistered(UnregisteredOp::Op)
    }

    /// Returns `true` if the regions of the operation use no values from outside
    /// (`IsolatedFromAbove` in MLIR). Unknown operations are assumed to be isolated.
    pub(crate) fn is_isolated(self) -> bool {
        matches!(
            self,
            Opcode::Core(CoreOp::Entry | CoreOp::Module) | Opcode::Testing(TestingOp::Func)
        ) || self.is_unregistered()
    }

    /// Returns the dialect of the operation.
    pub fn dialect(self) -> Dialect {
        self.def().dialect
    }

    /// Returns the operation with the given mnemonic.
    pub fn from_mnemonic(mnemonic: &str) -> Option<Opcode> {
        static OPCODES: LazyLock<FxHashMap<&'static str, Opcode>> = LazyLock::new(|| {
            Opcode::all()
                .map(|opcode| (opcode.def().mnemonic, opcode))
                .collect()
        });
        OPCODES.get(mnemonic).copied()
    }

    /// Returns the operation with the given bytecode number.
    pub fn from_number(number: u64) -> Option<Opcode> {
        static OPCODES: LazyLock<FxHashMap<u64, Opcode>> = LazyLock::new(|| {
            Opcode::all()
                .map(|opcode| (u64::from(opcode.def().number), opcode))
                .collect()
        });
        OPCODES.get(&number).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Opcode;
    use std::collections::BTreeSet;

    #[test]
    fn numbers_and_mnemonics_are_unique() {
        let numbers: BTreeSet<u16> = Opcode::all().map(|op| op.def().number).collect();
        let names: BTreeSet<&str> = Opcode::all().map(|op| op.def().mnemonic).collect();
        assert_eq!(numbers.len(), Opcode::all().count());
        assert_eq!(names.len(), Opcode::all().count());
    }

    #[test]
    fn an_op_is_found_by_position_mnemonic_and_number() {
        for (index, op) in Opcode::all().enumerate() {
            assert_eq!(op.index(), index);
            assert_eq!(Opcode::from_mnemonic(op.def().mnemonic), Some(op));
            assert_eq!(Opcode::from_number(u64::from(op.def().number)), Some(op));
        }
    }
}

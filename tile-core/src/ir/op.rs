//! Operations.

use super::{Attr, BlockId, DiscardableAttr, Loc, RegionId, ValueId};
use crate::ops::{OpDef, Opcode};
use smallvec::SmallVec;
use thin_vec::ThinVec;

/// The values of the attribute slots of a row; few rows have more than three.
pub type AttrSlots = SmallVec<[Option<Attr>; 3]>;

/// An operation: an instance of a row of the op table.
#[derive(Clone, Debug)]
pub struct Op {
    /// The row.
    pub opcode: Opcode,
    /// All operands, slot after slot.
    pub operands: SmallVec<[ValueId; 4]>,
    /// The number of operands of each slot, parallel to the row's operand slots.
    pub segments: SmallVec<[u32; 4]>,
    /// The results.
    pub results: SmallVec<[ValueId; 2]>,
    /// Attribute values, parallel to the row's attribute slots; `None` if absent (a slot with a
    /// default is always filled).
    pub attrs: AttrSlots,
    /// Discardable attributes, sorted by name.
    pub discardable: ThinVec<DiscardableAttr>,
    /// The regions.
    pub regions: ThinVec<RegionId>,
    /// The block that contains the operation; `None` while detached.
    pub parent: Option<BlockId>,
    /// The location.
    pub loc: Loc,
}

impl Op {
    /// Makes a detached operation without operands, results, attributes and regions.
    pub fn new(opcode: Opcode, loc: Loc) -> Self {
        Self {
            opcode,
            operands: SmallVec::new(),
            segments: SmallVec::new(),
            results: SmallVec::new(),
            attrs: SmallVec::new(),
            discardable: ThinVec::new(),
            regions: ThinVec::new(),
            parent: None,
            loc,
        }
    }

    /// Returns the row of the op table.
    pub fn def(&self) -> &'static OpDef {
        self.opcode.def()
    }

    /// Returns the operands of the slot named `slot`.
    pub fn operands_of(&self, slot: &str) -> &[ValueId] {
        let index = self
            .def()
            .operands
            .iter()
            .position(|operand| operand.name == slot)
            .unwrap_or_else(|| panic!("`{}` has no operand `{slot}`", self.def().mnemonic));
        self.operands_at(index)
    }

    /// Returns the operands of slot number `index`.
    pub(crate) fn operands_at(&self, index: usize) -> &[ValueId] {
        let start: u32 = self.segments[..index].iter().sum();
        let (start, len) = (start as usize, self.segments[index] as usize);
        &self.operands[start..start + len]
    }

    /// Returns the single operand of the required slot named `slot`.
    pub fn operand(&self, slot: &str) -> ValueId {
        self.operands_of(slot)[0]
    }

    /// Returns the operand of the optional slot named `slot`.
    pub fn optional_operand(&self, slot: &str) -> Option<ValueId> {
        self.operands_of(slot).first().copied()
    }

    /// Returns the attribute named `name`, if it is present.
    pub fn attr(&self, name: &str) -> Option<&Attr> {
        self.attrs[self.attr_index(name)].as_ref()
    }

    /// Returns `true` if the flag named `name` is present.
    pub fn has_flag(&self, name: &str) -> bool {
        self.attr(name).is_some()
    }

    /// Sets or removes the attribute named `name`.
    pub fn set_attr(&mut self, name: &str, value: Option<Attr>) {
        let index = self.attr_index(name);
        self.attrs[index] = value;
    }

    /// Returns the first result.
    pub fn result(&self) -> ValueId {
        self.results[0]
    }

    fn attr_index(&self, name: &str) -> usize {
        self.def()
            .attrs
            .iter()
            .position(|attr| attr.name == name)
            .unwrap_or_else(|| panic!("`{}` has no attribute `{name}`", self.def().mnemonic))
    }
}

macro_rules! typed_attrs {
    ($($(#[$meta:meta])* $method:ident($name:literal) -> $Ty:ty = $Variant:ident;)+) => {
        impl Op {$(
            $(#[$meta])*
            ///
            /// # Panics
            /// Panics if the operation has no such attribute slot, or if the slot holds another kind;
            /// the verifier excludes both.
            pub fn $method(&self) -> $Ty {
                match self.attr($name) {
                    Some(Attr::$Variant(value)) => value.clone(),
                    other => panic!("`{}` of `{}` is {other:?}", $name, self.def().mnemonic),
                }
            }
        )+}
    };
}

typed_attrs! {
    /// Returns the attribute `signedness`.
    signedness("signedness") -> super::Signedness = Signedness;
    /// Returns the attribute `overflow`.
    overflow("overflow") -> super::IntegerOverflow = Overflow;
    /// Returns the attribute `rounding_mode`.
    rounding_mode("rounding_mode") -> super::RoundingMode = Rounding;
    /// Returns the attribute `comparison_predicate`.
    predicate("comparison_predicate") -> super::ComparisonPredicate = Predicate;
    /// Returns the attribute `comparison_ordering`.
    comparison_ordering("comparison_ordering") -> super::ComparisonOrdering = Ordering;
    /// Returns the attribute `memory_ordering_semantics`.
    memory_ordering("memory_ordering_semantics") -> super::MemoryOrdering = MemoryOrdering;
    /// Returns the attribute `value`.
    dense_value("value") -> std::sync::Arc<super::DenseElements> = Dense;
    /// Returns the attribute `dim`.
    dim("dim") -> i64 = Int;
    /// Returns the attribute `identities`.
    identities("identities") -> thin_vec::ThinVec<super::TypedScalar> = Scalars;
    /// Returns the attribute `permutation`.
    permutation("permutation") -> thin_vec::ThinVec<i32> = I32Array;
    /// Returns the attribute `predicate` of `assume`.
    assume_predicate("predicate") -> Box<super::AssumePredicate> = Assume;
    /// Returns the attribute `sym_name`.
    sym_name("sym_name") -> arcstr::ArcStr = Str;
    /// Returns the attribute `function_type`.
    function_type("function_type") -> crate::types::Type = Type;
}

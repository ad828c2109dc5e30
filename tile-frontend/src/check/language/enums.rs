//! The enums that arguments of methods are written with: `Padding::NegInf`, `Ordering::AcqRel`.

use super::super::names::nearest;
use crate::hir::Ordering;
use crate::parse::ast::Name;
use tile_core::ir::{MemoryScope, RoundingMode};
use tile_core::types::PaddingValue;

/// An enum of the language.
pub(in crate::check) struct Enum<V: 'static> {
    /// Its name.
    pub(in crate::check) name: &'static str,
    /// Its documentation, one sentence.
    #[cfg_attr(not(test), expect(dead_code, reason = "files are generated from it"))]
    pub(super) doc: &'static str,
    /// Its variants.
    pub(super) variants: &'static [Variant<V>],
}

/// A variant of an enum.
pub(super) struct Variant<V> {
    /// Its name.
    pub(super) name: &'static str,
    /// Its documentation, one sentence.
    #[cfg_attr(not(test), expect(dead_code, reason = "files are generated from it"))]
    pub(super) doc: &'static str,
    /// What the compiler has for it.
    value: V,
}

impl<V: Copy + PartialEq> Enum<V> {
    /// Returns the variant that a path such as `Padding::NegInf` names.
    pub(in crate::check) fn value(&self, path: &[Name]) -> Option<V> {
        let [.., ty, name] = path else { return None };
        let variant = self.variants.iter().find(|row| row.name == name.text);
        variant
            .filter(|_| ty.text == self.name)
            .map(|row| row.value)
    }

    /// Returns the name of the variant with this value.
    pub(in crate::check) fn name_of(&self, value: V) -> &'static str {
        let variant = self.variants.iter().find(|row| row.value == value);
        variant.map_or("", |row| row.name)
    }

    /// Returns `true` for the name of a variant.
    pub(in crate::check) fn has(&self, name: &str) -> bool {
        self.variants.iter().any(|row| row.name == name)
    }

    /// Returns what to write instead of a path that names no variant: the most similar variant, or one of all, or what
    /// `others` adds.
    pub(in crate::check) fn instead_of(&self, path: &[Name], others: &str) -> String {
        let last = path.last().map_or("", |name| name.text.as_str());
        let names = self.variants.iter().map(|row| row.name);
        if let Some(known) = nearest(last, names.clone()) {
            return format!("write `{}::{known}`", self.name);
        }
        let listed: Vec<String> = names
            .map(|name| format!("`{}::{name}`", self.name))
            .collect();
        format!("write one of {}{others}", listed.join(", "))
    }
}

macro_rules! enums {
    ($($(#[doc = $doc:literal])+ $NAME:ident: $name:ident => $Value:ident {
        $($(#[doc = $variant_doc:literal])+ $variant:ident => $value:ident,)+
    })+) => {
        $(
            $(#[doc = $doc])+
            pub(in crate::check) const $NAME: Enum<$Value> = Enum {
                name: stringify!($name),
                doc: concat!($($doc),+),
                variants: &[$(
                    Variant {
                        name: stringify!($variant),
                        doc: concat!($($variant_doc),+),
                        value: $Value::$value,
                    },
                )+],
            };
        )+
    };
}

enums! {
    /// The value that a load returns for elements out of bounds.
    PADDINGS: Padding => PaddingValue {
        /// 0
        Zero => Zero,
        /// -0.0
        NegZero => NegZero,
        /// NaN
        Nan => Nan,
        /// Positive infinity.
        Inf => PosInf,
        /// Negative infinity.
        NegInf => NegInf,
    }

    /// A rounding mode. With `.ftz()`, subnormal numbers are flushed to zero.
    ROUNDINGS: Rounding => RoundingMode {
        /// To the nearest, ties to even.
        NearestEven => NearestEven,
        /// Towards zero.
        Zero => Zero,
        /// Towards negative infinity.
        NegInf => NegativeInf,
        /// Towards positive infinity.
        PosInf => PositiveInf,
        /// The rounding of the approximate instruction.
        Approx => Approx,
        /// The rounding of the approximate instruction that covers the full range of operands.
        Full => Full,
    }

    /// The memory ordering of an atomic operation or a fence, with respect to accesses of all tensors.
    ORDERINGS: Ordering => Ordering {
        /// No ordering.
        Relaxed => Relaxed,
        /// Later accesses happen after the operation, and see the accesses before the release whose value it reads.
        Acquire => Acquire,
        /// Earlier accesses happen before the operation.
        Release => Release,
        /// Both acquire and release.
        AcqRel => AcqRel,
        /// Like `AcqRel`; in addition, all blocks see these operations in a single order.
        SeqCst => SeqCst,
    }

    /// The threads for which an operation is atomic.
    SCOPES: Scope => MemoryScope {
        /// The threads of this block.
        Block => TileBlock,
        /// All threads of the device.
        Device => Device,
        /// All threads of all devices, and the host.
        System => System,
    }
}

/// Types of the language that are not numbers.
pub(in crate::check) const TYPES: [&str; 8] = [
    "Tile",
    "Tensor",
    "Partition",
    "Element",
    PADDINGS.name,
    ROUNDINGS.name,
    ORDERINGS.name,
    SCOPES.name,
];

//! Random attribute values.

use super::Generator;
use super::Random;
use crate::ir::{
    AtomicRmwMode, Attr, ComparisonOrdering, ComparisonPredicate, DenseElements, HintValue,
    IntegerOverflow, MemoryOrdering, MemoryScope, OptimizationHints, RoundingMode, Signedness,
    SymbolVisibility, TypedScalar,
};
use crate::ops::{AttrDef, AttrKind, Opcode, Presence, Rule, Version};
use crate::types::{Scalar, Type, TypeKind};
use std::collections::BTreeMap;
use std::sync::Arc;

const ARCHITECTURES: [(&str, Version); 12] = [
    ("sm_80", Version::V13_1),
    ("sm_86", Version::V13_1),
    ("sm_87", Version::V13_1),
    ("sm_88", Version::V13_1),
    ("sm_89", Version::V13_1),
    ("sm_90", Version::V13_1),
    ("sm_100", Version::V13_1),
    ("sm_103", Version::V13_1),
    ("sm_110", Version::V13_1),
    ("sm_120", Version::V13_1),
    ("sm_121", Version::V13_1),
    ("default", Version::V13_3),
];

/// The nesting depth of lists and dictionaries in a hint.
const HINT_DEPTH: usize = 2;

impl Generator<'_, '_, '_> {
    /// Returns the enums and flags of an operation on `element`, as its row admits them; the caller
    /// provides attributes of other kinds.
    pub(super) fn attrs(
        &mut self,
        opcode: Opcode,
        element: Option<Scalar>,
    ) -> Vec<(&'static str, Attr)> {
        let def = opcode.def();
        let mut attrs = Vec::new();
        for slot in def.attrs {
            let is_default = match slot.presence {
                Presence::Required => false,
                Presence::Optional | Presence::Default(_) => self.random.one_in(2),
                Presence::AllFalse => true,
            };
            if !self.has(slot.since) || is_default {
                continue;
            }
            if let Some(value) = enum_value(&mut self.random, slot, def.rules, element) {
                attrs.push((slot.name, value));
            }
        }
        attrs
    }

    /// Returns an ordering of the set, and a scope if that ordering may have one.
    pub(super) fn ordering(&mut self, set: u8, scopes: u8) -> (Attr, Option<Attr>) {
        let ordering = member(&mut self.random, set.into(), MemoryOrdering::from_number);
        let scope = (ordering != MemoryOrdering::Weak).then(|| {
            Attr::MemoryScope(member(
                &mut self.random,
                scopes.into(),
                MemoryScope::from_number,
            ))
        });
        (Attr::MemoryOrdering(ordering), scope)
    }

    /// Returns a bit pattern of `scalar`; special ones are frequent.
    pub(super) fn bits(&mut self, scalar: Scalar) -> u64 {
        let width = scalar.bits();
        let mask = u64::MAX >> (64 - width);
        let random = self.random.bits();
        let bits = match self.random.below(8) {
            0 => 0,
            1 => 1,
            2 => mask,
            // The sign bit, the greatest signed number.
            3 => 1 << (width - 1),
            4 => mask >> 1,
            5 => random % 17,
            // The exponent of a float; infinity if the type has one.
            6 => match scalar {
                Scalar::F16 => 0x7c00,
                Scalar::BF16 => 0x7f80,
                Scalar::F32 => 0xff80_0000,
                Scalar::TF32 => 0xff << 10,
                Scalar::F64 => 0x3ff0_0000_0000_0000,
                _ => random,
            },
            _ => random,
        };
        bits & mask
    }

    /// Returns data for a tile of numbers.
    pub(super) fn dense(&mut self, scalar: Scalar, shape: &[i64]) -> Attr {
        const MAX_LISTED_ELEMENTS: i64 = 64;
        let elements: i64 = shape.iter().product();
        let data = if elements <= MAX_LISTED_ELEMENTS && !self.random.one_in(3) {
            let bits = (0..elements).map(|_| self.bits(scalar)).collect();
            DenseElements::from_bits(scalar, bits)
        } else {
            DenseElements::Splat {
                scalar,
                bits: self.bits(scalar),
            }
        };
        Attr::Dense(Arc::new(data))
    }

    pub(super) fn typed_scalar(&mut self, scalar: Scalar) -> TypedScalar {
        TypedScalar {
            scalar,
            bits: self.bits(scalar),
        }
    }

    /// Returns a string, which may need escapes.
    pub(super) fn text(&mut self) -> String {
        const PARTS: [&str; 12] = [
            "value", " ", "\n", "\t", "\"", "\\", "é", "→", "//", "0A", "\u{7f}", "'",
        ];
        let count = self.random.below(5);
        (0..count).map(|_| self.random.pick(&PARTS)).collect()
    }

    /// Returns hints of an entry.
    pub(super) fn entry_hints(&mut self) -> Option<Attr> {
        self.hints(|generator, arch, values| {
            if generator.random.one_in(2) {
                let one_only = matches!(arch, "sm_80" | "sm_86" | "sm_87" | "sm_88" | "sm_89");
                let most = if one_only { 1 } else { 5 };
                let ctas = 1 << generator.random.below(most);
                values.insert("num_cta_in_cga", HintValue::Int(ctas));
            }
            if generator.random.one_in(2) {
                let occupancy = 1 + generator.random.below(32);
                let occupancy = i64::try_from(occupancy).expect("small");
                values.insert("occupancy", HintValue::Int(occupancy));
            }
            if generator.has(Version::V13_3) && generator.random.one_in(2) {
                let warps = 1 << generator.random.below(6);
                values.insert("num_worker_warps_per_cta", HintValue::Int(warps));
            }
        })
    }

    /// Returns hints of a load or store.
    pub(super) fn access_hints(&mut self, through_view: bool) -> Option<Attr> {
        self.hints(|generator, _, values| {
            if through_view && generator.random.one_in(2) {
                let allow = generator.random.one_in(2);
                values.insert("allow_tma", HintValue::Bool(allow));
            }
            if generator.random.one_in(2) {
                let latency = 1 + generator.random.below(10);
                let latency = i64::try_from(latency).expect("small");
                values.insert("latency", HintValue::Int(latency));
            }
        })
    }

    fn hints(
        &mut self,
        mut fill: impl FnMut(&mut Self, &str, &mut BTreeMap<&'static str, HintValue>),
    ) -> Option<Attr> {
        if !self.random.one_in(3) {
            return None;
        }
        let mut per_arch = BTreeMap::new();
        for _ in 0..=self.random.below(3) {
            let (arch, since) = self.random.pick(&ARCHITECTURES);
            if !self.has(since) {
                continue;
            }
            let mut values = BTreeMap::new();
            fill(self, arch, &mut values);
            if self.random.one_in(4) {
                // A hint that tools keep and no compiler knows.
                let value = self.hint_value(HINT_DEPTH);
                values.insert("unknown_hint", value);
            }
            if !values.is_empty() {
                let values = values
                    .into_iter()
                    .map(|(key, value)| (key.to_owned(), value));
                per_arch.insert(arch.to_owned(), values.collect());
            }
        }
        if per_arch.is_empty() {
            return None;
        }
        Some(Attr::Hints(Arc::new(OptimizationHints {
            per_arch: per_arch.into_iter().collect(),
        })))
    }

    fn hint_value(&mut self, depth: usize) -> HintValue {
        match self.random.below(if depth == 0 { 5 } else { 7 }) {
            0 => HintValue::Int(self.random.bits().cast_signed()),
            1 => HintValue::Bool(self.random.one_in(2)),
            2 => {
                // `tileirdisasm` prints the type of a number only inside a list.
                let scalars = [Scalar::F64, Scalar::I32, Scalar::I8, Scalar::F32];
                let count = if depth == HINT_DEPTH {
                    1
                } else {
                    scalars.len()
                };
                let scalar = self.random.pick(&scalars[..count]);
                let mut number = self.typed_scalar(scalar);
                if depth == HINT_DEPTH {
                    // Nor does it distinguish bits of a non-finite number from an integer.
                    number.bits &= !(1 << 62);
                }
                HintValue::Number(number)
            }
            3 => HintValue::Str(self.text().into()),
            4 if self.random.one_in(2) => {
                let scalar = self.scalar(|scalar| scalar != Scalar::I4);
                HintValue::Type(Type::new(TypeKind::Scalar(scalar)))
            }
            4 => HintValue::Type(self.tile_type(|_| true)),
            5 => {
                let count = self.random.below(3);
                HintValue::Array((0..count).map(|_| self.hint_value(depth - 1)).collect())
            }
            _ => {
                let keys = ["a", "b"];
                let count = self.random.below(3);
                HintValue::Dict(
                    keys.iter()
                        .take(count)
                        .map(|&key| (key.to_owned(), self.hint_value(depth - 1)))
                        .collect(),
                )
            }
        }
    }
}

/// Returns an enum or flag of an operation on `element`, as its row admits it; `None` for other
/// kinds of attributes and for a flag that such elements do not have.
pub(in crate::testing) fn enum_value(
    random: &mut Random<'_>,
    slot: &AttrDef,
    rules: &[Rule],
    element: Option<Scalar>,
) -> Option<Attr> {
    // Values that only f32 has.
    let mut f32_only = 0_u8;
    if element != Some(Scalar::F32) {
        for rule in rules {
            match *rule {
                Rule::FlagNeedsF32(flag, _) if flag == slot.name => return None,
                Rule::RoundingNeedsF32(set, _) => f32_only |= set,
                _ => {}
            }
        }
    }
    Some(match slot.kind {
        AttrKind::Unit => Attr::Unit,
        AttrKind::Bool => Attr::Bool(random.one_in(2)),
        AttrKind::Signedness => Attr::Signedness(random.pick(Signedness::ALL)),
        AttrKind::Overflow => Attr::Overflow(random.pick(IntegerOverflow::ALL)),
        AttrKind::Predicate => Attr::Predicate(random.pick(ComparisonPredicate::ALL)),
        AttrKind::Ordering => Attr::Ordering(random.pick(ComparisonOrdering::ALL)),
        AttrKind::Visibility => Attr::Visibility(random.pick(SymbolVisibility::ALL)),
        AttrKind::Rounding(set) => {
            let full = 1 << RoundingMode::Full.number();
            // `full` is the default of some operations, of every element type.
            let keep = match slot.presence {
                Presence::Default(number) if number == RoundingMode::Full.number() => full,
                _ => 0,
            };
            let set = set & !(f32_only & !keep);
            Attr::Rounding(member(random, set.into(), RoundingMode::from_number))
        }
        AttrKind::MemoryOrdering(set) => {
            Attr::MemoryOrdering(member(random, set.into(), MemoryOrdering::from_number))
        }
        AttrKind::MemoryScope(set) => {
            Attr::MemoryScope(member(random, set.into(), MemoryScope::from_number))
        }
        AttrKind::RmwMode(set) => {
            Attr::RmwMode(member(random, set.into(), AtomicRmwMode::from_number))
        }
        AttrKind::U32
        | AttrKind::U64
        | AttrKind::Str
        | AttrKind::Symbol
        | AttrKind::Type
        | AttrKind::Dense
        | AttrKind::I32Array
        | AttrKind::BoolArray
        | AttrKind::Scalars
        | AttrKind::Assume
        | AttrKind::Hints => return None,
    })
}

/// Returns one of the enum values whose number is in `set`.
fn member<T: Copy>(random: &mut Random<'_>, set: u64, from_number: fn(u64) -> Option<T>) -> T {
    let members: Vec<T> = (0..64)
        .filter(|number| set >> number & 1 == 1)
        .filter_map(from_number)
        .collect();
    random.pick(&members)
}

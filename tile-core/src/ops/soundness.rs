//! Checks that a row is sound while the row is compiled.
//!
//! [`error`] returns the first way in which a row contradicts itself, if any; [`OpDef::checked`]
//! turns it into a compile error. Hence a row that compiles has
//!
//! - names that are not empty and not used twice;
//! - a mnemonic and a number of its dialect;
//! - a number and slots that fit the version that introduced it;
//! - at most one optional or variadic operand slot (unless the row is segmented), no optional
//!   result, and no variadic result except the last;
//! - defaults, sets of enum values and presences that fit their kind;
//! - rules that name slots to which they apply;
//! - an assembly that names every operand and attribute once, and from which the type of every
//!   value follows (`format`).

use super::def::{
    Arity, AttrDef, AttrKind, Constraint, Dialect, Effects, OpDef, Presence, RegionCount, Rule,
    SlotDef, Version,
};
use super::format;
use crate::ir::{
    AtomicRmwMode, ComparisonOrdering, ComparisonPredicate, IntegerOverflow, MemoryOrdering,
    MemoryScope, RoundingMode, Signedness, SymbolVisibility,
};

/// An error message, or `None`.
pub(super) type RowError = Option<&'static str>;

/// Returns the error from the enclosing function unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $error:literal) => {
        if !$condition {
            return Some($error);
        }
    };
}

/// Returns the error of an inner check from the enclosing function.
macro_rules! check {
    ($error:expr) => {
        if let Some(error) = $error {
            return Some(error);
        }
    };
}

pub(super) use {check, ensure};

/// Returns the first error of a row.
pub(super) const fn error(row: &OpDef) -> RowError {
    ensure!(!row.mnemonic.is_empty(), "a row needs a mnemonic");
    ensure!(!row.doc.is_empty(), "a row needs documentation");
    check!(number(row));
    check!(names(row));
    check!(operands(row));
    check!(results(row));
    check!(attributes(row));
    check!(rules(row));
    check!(effects(row));
    format::error(row)
}

/// Returns the first and the last number that a version added; the ranges are those of the bytecode
/// format.
const fn added(version: Version) -> (u16, u16) {
    match version {
        Version::V13_1 => (0x00, 0x6d),
        Version::V13_2 => (0x6e, 0x6e),
        Version::V13_3 => (0x6f, 0x75),
        Version::V13_4 => (0x76, 0x7a),
    }
}

const fn number(row: &OpDef) -> RowError {
    match row.dialect {
        Dialect::Loop => {
            ensure!(
                row.number >= 0x4000 && starts_with(row.mnemonic, "loop."),
                "a row of `loop` has its prefix and no number of bytecode"
            );
            return None;
        }
        Dialect::Ptx => {
            ensure!(
                row.number >= 0x4000 && starts_with(row.mnemonic, "ptx."),
                "a row of `ptx` has its prefix and no number of bytecode"
            );
            return None;
        }
        // These numbers are for operations of test builds and those that bytecode never contains.
        Dialect::CudaTile if row.number >= 0x3000 => return None,
        Dialect::CudaTile => {}
    }
    let (first, last) = added(row.since);
    ensure!(
        first <= row.number && row.number <= last,
        "the number is not one that the version of the row added"
    );
    ensure!(
        !matches!(row.number, 0x19..=0x24 | 0x34..=0x39),
        "the number is one that the dialect leaves out"
    );
    None
}

/// Checks that no name is used twice.
const fn names(row: &OpDef) -> RowError {
    let (operands, attrs) = (row.operands.len(), row.attrs.len());
    let count = operands + attrs + row.results.len();
    let mut index = 0;
    while index < count {
        let mut other = 0;
        while other < index {
            ensure!(
                !same(name(row, index), name(row, other)),
                "two slots have one name"
            );
            other += 1;
        }
        index += 1;
    }
    None
}

/// Returns the name of a slot: operands come first, then attributes, then results.
const fn name(row: &OpDef, index: usize) -> &'static str {
    let (operands, attrs) = (row.operands.len(), row.attrs.len());
    if index < operands {
        row.operands[index].name
    } else if index < operands + attrs {
        row.attrs[index - operands].name
    } else {
        row.results[index - operands - attrs].name
    }
}

/// Returns `true` if the version of a slot is newer than that of its row, or is the default, 13.1,
/// which means the version of the row.
const fn is_newer(since: Version, row: &OpDef) -> bool {
    matches!(since, Version::V13_1) || since as u8 > row.since as u8
}

const fn operands(row: &OpDef) -> RowError {
    let mut not_single = 0;
    let mut index = 0;
    while index < row.operands.len() {
        let slot = row.operands[index];
        ensure!(
            is_newer(slot.since, row),
            "an operand is said to be newer than its row, and is not"
        );
        if !matches!(slot.arity, Arity::One) {
            not_single += 1;
        }
        index += 1;
    }
    ensure!(
        not_single < 2 || row.segmented,
        "two operand slots of optional or any number cannot be told apart: the row must be segmented"
    );
    ensure!(
        not_single > 1 || !row.segmented,
        "a segmented row needs two operand slots of optional or any number"
    );
    if row.commutative {
        ensure!(
            row.operands.len() >= 2,
            "a commutative row needs two operands"
        );
        let (lhs, rhs) = (row.operands[0], row.operands[1]);
        ensure!(
            matches!(lhs.arity, Arity::One) && matches!(rhs.arity, Arity::One),
            "the operands that may be exchanged must be single"
        );
        ensure!(
            have_same_type(row, lhs.name, rhs.name),
            "the operands that may be exchanged must be of one type"
        );
    }
    None
}

const fn results(row: &OpDef) -> RowError {
    let mut index = 0;
    while index < row.results.len() {
        let slot = row.results[index];
        ensure!(
            is_newer(slot.since, row),
            "a result is said to be newer than its row, and is not"
        );
        ensure!(
            !matches!(slot.arity, Arity::Optional),
            "no result is optional"
        );
        ensure!(
            matches!(slot.arity, Arity::One) || index + 1 == row.results.len(),
            "results of any number must come last"
        );
        index += 1;
    }
    None
}

const fn attributes(row: &OpDef) -> RowError {
    let mut index = 0;
    while index < row.attrs.len() {
        let attr = row.attrs[index];
        ensure!(
            is_newer(attr.since, row),
            "an attribute is said to be newer than its row, and is not"
        );
        check!(attribute(&attr));
        index += 1;
    }
    None
}

const fn attribute(attr: &AttrDef) -> RowError {
    if let Some((set, value_count)) = values(attr.kind) {
        ensure!(set != 0, "a set of enum values is empty");
        ensure!(
            set >> value_count == 0,
            "a set of enum values has one that does not exist"
        );
    }
    match (attr.kind, attr.presence) {
        (AttrKind::Unit, Presence::Optional) | (AttrKind::BoolArray, Presence::AllFalse) => None,
        (AttrKind::Unit, _) => Some("a flag is there or not: it must be optional"),
        (AttrKind::BoolArray, _) | (_, Presence::AllFalse) => {
            Some("a list of truth values, and nothing else, is all `false` by default")
        }
        (AttrKind::U32 | AttrKind::U64, Presence::Default(_)) => None,
        (kind, Presence::Default(number)) => match values(kind) {
            None => Some("only numbers and enum values have a default"),
            Some((set, value_count)) => {
                ensure!(
                    number < value_count as u64 && set >> number & 1 == 1,
                    "the default is not a legal value"
                );
                None
            }
        },
        (_, Presence::Required | Presence::Optional) => None,
    }
}

/// Returns the legal values of an enum attribute as a set with one bit per bytecode number, and the
/// number of values of the enum; `None` for other kinds.
const fn values(kind: AttrKind) -> Option<(u16, usize)> {
    const fn all_values(count: usize) -> (u16, usize) {
        ((1 << count) - 1, count)
    }
    match kind {
        AttrKind::Signedness => Some(all_values(Signedness::ALL.len())),
        AttrKind::Overflow => Some(all_values(IntegerOverflow::ALL.len())),
        AttrKind::Predicate => Some(all_values(ComparisonPredicate::ALL.len())),
        AttrKind::Ordering => Some(all_values(ComparisonOrdering::ALL.len())),
        AttrKind::Visibility => Some(all_values(SymbolVisibility::ALL.len())),
        AttrKind::Rounding(set) => Some((set as u16, RoundingMode::ALL.len())),
        AttrKind::MemoryOrdering(set) => Some((set as u16, MemoryOrdering::ALL.len())),
        AttrKind::MemoryScope(set) => Some((set as u16, MemoryScope::ALL.len())),
        AttrKind::RmwMode(set) => Some((set, AtomicRmwMode::ALL.len())),
        AttrKind::Unit
        | AttrKind::U32
        | AttrKind::U64
        | AttrKind::Bool
        | AttrKind::Str
        | AttrKind::Symbol
        | AttrKind::Type
        | AttrKind::Dense
        | AttrKind::I32Array
        | AttrKind::BoolArray
        | AttrKind::Scalars
        | AttrKind::Assume
        | AttrKind::Hints => None,
    }
}

const fn rules(row: &OpDef) -> RowError {
    let (mut ends, mut has_parents) = (false, false);
    let mut index = 0;
    while index < row.rules.len() {
        match row.rules[index] {
            Rule::SameType(slots) => check!(agreement(row, slots)),
            Rule::SameShape(slots) | Rule::SameElement(slots) | Rule::SameRank(slots) => {
                check!(agreement(row, slots));
                check!(operands_are_tiles(row, slots));
            }
            Rule::FlagNeedsF32(flag, slot) => {
                match find_attr(row, flag) {
                    Some(attr) => ensure!(
                        matches!(attr.kind, AttrKind::Unit),
                        "a rule names a flag that is none"
                    ),
                    None => return Some("a rule names an unknown flag"),
                }
                check!(may_be_f32(row, slot));
            }
            Rule::RoundingNeedsF32(modes, slot) => {
                let Some(AttrDef {
                    kind: AttrKind::Rounding(legal),
                    ..
                }) = find_attr(row, "rounding_mode")
                else {
                    return Some("the row has no `rounding_mode`");
                };
                ensure!(
                    modes != 0 && modes & !legal == 0,
                    "a rule names rounding modes that are not legal anyway"
                );
                check!(may_be_f32(row, slot));
            }
            Rule::Terminator => ends = true,
            Rule::ParentIsOneOf(parents) => {
                ensure!(!parents.is_empty(), "no operation may hold this one");
                has_parents = true;
            }
        }
        index += 1;
    }
    if ends {
        ensure!(
            row.results.is_empty() && matches!(row.regions, RegionCount::Exactly(0)),
            "what ends a block has neither results nor regions"
        );
        ensure!(
            has_parents,
            "a terminator must say which operations it ends a region of"
        );
    }
    None
}

/// Checks that the slots that a rule names exist, differ, and can hold at least two values
/// together.
const fn agreement(row: &OpDef, slots: &[&str]) -> RowError {
    let mut values = 0;
    let mut index = 0;
    while index < slots.len() {
        let Some(slot) = find_slot(row, slots[index]) else {
            return Some("a rule names an unknown slot");
        };
        values += match slot.arity {
            Arity::One | Arity::Optional => 1,
            Arity::Variadic => 2,
        };
        let mut other = 0;
        while other < index {
            ensure!(
                !same(slots[index], slots[other]),
                "a rule names a slot twice"
            );
            other += 1;
        }
        index += 1;
    }
    ensure!(values >= 2, "a rule of agreement needs two values");
    None
}

/// Checks that a rule names slots of tiles.
const fn operands_are_tiles(row: &OpDef, slots: &[&str]) -> RowError {
    let mut index = 0;
    while index < slots.len() {
        if let Some(slot) = find_slot(row, slots[index]) {
            ensure!(
                !matches!(
                    slot.constraint,
                    Constraint::Any
                        | Constraint::AnyTileIr
                        | Constraint::TensorView
                        | Constraint::TileView
                        | Constraint::PartitionView
                        | Constraint::StridedView
                        | Constraint::GatherScatterView
                        | Constraint::Token
                ),
                "a rule on shapes, elements or ranks names a slot that may hold no tile"
            );
        }
        index += 1;
    }
    None
}

const fn may_be_f32(row: &OpDef, slot: &str) -> RowError {
    let Some(slot) = find_slot(row, slot) else {
        return Some("a rule names an unknown slot");
    };
    ensure!(
        matches!(
            slot.constraint,
            Constraint::Tile
                | Constraint::BaseFloatTile
                | Constraint::FloatTile
                | Constraint::NumTile
                | Constraint::I4NumTile
                | Constraint::F32Tile
                | Constraint::MmaInput
                | Constraint::MmaAccumulator
        ),
        "a rule asks for `f32` where there can be none"
    );
    None
}

const fn effects(row: &OpDef) -> RowError {
    let has_regions = !matches!(row.regions, RegionCount::Exactly(0));
    match row.effects {
        Effects::Regions => ensure!(
            has_regions,
            "a row without regions cannot have their effects"
        ),
        Effects::Pure | Effects::NoMemoryEffect | Effects::Read => ensure!(
            !has_regions,
            "a row with regions has their effects, or writes"
        ),
        Effects::Write => {}
    }
    None
}

/// Returns `true` if a rule says that two slots have the same type.
pub(super) const fn have_same_type(row: &OpDef, a: &str, b: &str) -> bool {
    let mut index = 0;
    while index < row.rules.len() {
        if let Rule::SameType(slots) = row.rules[index]
            && contains(slots, a)
            && contains(slots, b)
        {
            return true;
        }
        index += 1;
    }
    false
}

const fn contains(names: &[&str], name: &str) -> bool {
    let mut index = 0;
    while index < names.len() {
        if same(names[index], name) {
            return true;
        }
        index += 1;
    }
    false
}

/// Returns the operand or result slot with this name.
const fn find_slot(row: &OpDef, name: &str) -> Option<SlotDef> {
    if let Some(index) = position(row.operands, name) {
        return Some(row.operands[index]);
    }
    match position(row.results, name) {
        Some(index) => Some(row.results[index]),
        None => None,
    }
}

/// Returns the attribute slot with this name.
const fn find_attr(row: &OpDef, name: &str) -> Option<AttrDef> {
    match attr_position(row.attrs, name) {
        Some(index) => Some(row.attrs[index]),
        None => None,
    }
}

/// Returns the index of the slot with this name.
pub(super) const fn position(slots: &[SlotDef], name: &str) -> Option<usize> {
    let mut index = 0;
    while index < slots.len() {
        if same(slots[index].name, name) {
            return Some(index);
        }
        index += 1;
    }
    None
}

/// Returns the index of the attribute slot with this name.
pub(super) const fn attr_position(attrs: &[AttrDef], name: &str) -> Option<usize> {
    let mut index = 0;
    while index < attrs.len() {
        if same(attrs[index].name, name) {
            return Some(index);
        }
        index += 1;
    }
    None
}

/// Returns `true` if `text` starts with `prefix`.
const fn starts_with(text: &str, prefix: &str) -> bool {
    text.len() >= prefix.len() && same(text.split_at(prefix.len()).0, prefix)
}

/// Compares two strings at compile time.
pub(super) const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

//! Checks whether one operation fits its row, independently of other operations.

use super::Context;
use super::symbols::SYMBOL_RULE;
use crate::diag::{Code, Diagnostic};
use crate::ir::{
    AtomicRmwMode, Attr, DiscardableAttr, HintValue, MemoryOrdering, MemoryScope, Module, Op, OpId,
    OptimizationHints, RegionId, RoundingMode, ValueDef,
};
use crate::ops::{Arity, AttrDef, AttrKind, OpDef, Presence, RegionCount, SlotDef};

/// Returns the errors by which the operation `id` does not fit its row. If the result is empty, the
/// accessors of [`Op`] do not panic on the operation.
pub(crate) fn row_errors(module: &Module, id: OpId) -> Vec<Diagnostic> {
    let op = module.op(id);
    let def = op.def();
    let mut row_diagnostics = Vec::new();
    let mut error = |code, message: String| {
        let rule = format!("this is how `{}` is defined", def.mnemonic);
        row_diagnostics.push(Diagnostic::error(code, op.loc, message).note(rule));
    };
    operand_errors(module, op, def, &mut error);
    attr_errors(op, def, &mut error);
    result_errors(module, id, op, def, &mut error);
    let is_in_module = |region: &RegionId| region.index() < module.num_regions();
    if !op.regions.iter().all(is_in_module) {
        error(
            Code::VerifyStructure,
            "expected regions of this module, found one of another".to_owned(),
        );
    }
    let regions = def.regions;
    if !regions.admits(op.regions.len()) {
        let expected = match regions {
            RegionCount::Exactly(count) => count,
            RegionCount::Any => unreachable!("any number is admitted"),
        };
        error(
            Code::VerifyStructure,
            format!("expected {expected} regions, found {}", op.regions.len()),
        );
    }
    row_diagnostics
}

fn operand_errors(module: &Module, op: &Op, def: &OpDef, error: &mut impl FnMut(Code, String)) {
    let slots = def.operands;
    let grouped: u64 = op.segments.iter().map(|&len| u64::from(len)).sum();
    if op.segments.len() != slots.len() || grouped != op.operands.len() as u64 {
        error(
            Code::VerifyOperands,
            format!(
                "expected operands in {} groups, found {} operands in groups of {:?}",
                slots.len(),
                op.operands.len(),
                op.segments
            ),
        );
        return;
    }
    for (slot, &len) in slots.iter().zip(&op.segments) {
        let (fits, expected) = match slot.arity {
            Arity::One => (len == 1, "one value"),
            Arity::Optional => (len <= 1, "at most one value"),
            Arity::Variadic => (true, "any values"),
        };
        if !fits {
            error(
                Code::VerifyOperands,
                format!("expected {expected} for `{}`, found {len}", slot.name),
            );
        }
    }
    let is_in_module = |index: usize| index < module.num_values();
    if !op
        .operands
        .iter()
        .all(|operand| is_in_module(operand.index()))
    {
        error(
            Code::VerifyOperands,
            "expected values of this module, found one of another".to_owned(),
        );
    }
}

fn attr_errors(op: &Op, def: &OpDef, error: &mut impl FnMut(Code, String)) {
    let attrs = def.attrs;
    if op.attrs.len() != attrs.len() {
        error(
            Code::VerifyAttributes,
            format!(
                "expected {} attribute slots, found {}",
                attrs.len(),
                op.attrs.len()
            ),
        );
        return;
    }
    for (slot, attr) in attrs.iter().zip(&op.attrs) {
        if let Some(message) = attr_error(slot, attr.as_ref()) {
            error(Code::VerifyAttributes, message);
        }
    }
}

/// Returns the error in the presence or kind of the attribute in `slot`, if any.
fn attr_error(slot: &AttrDef, attr: Option<&Attr>) -> Option<String> {
    let name = slot.name;
    let Some(attr) = attr else {
        let missing = !matches!(slot.presence, Presence::Optional | Presence::AllFalse);
        return missing.then(|| format!("attribute `{name}` is missing"));
    };
    let fits = matches!(
        (slot.kind, attr),
        (AttrKind::Unit, Attr::Unit)
            | (AttrKind::U32 | AttrKind::U64, Attr::Int(_))
            | (AttrKind::Bool, Attr::Bool(_))
            | (AttrKind::Str, Attr::Str(_))
            | (AttrKind::Symbol, Attr::Symbol(_))
            | (AttrKind::Type, Attr::Type(_))
            | (AttrKind::Dense, Attr::Dense(_))
            | (AttrKind::I32Array, Attr::I32Array(_))
            | (AttrKind::Scalars, Attr::Scalars(_))
            | (AttrKind::Assume, Attr::Assume(_))
            | (AttrKind::Hints, Attr::Hints(_))
            | (AttrKind::Signedness, Attr::Signedness(_))
            | (AttrKind::Overflow, Attr::Overflow(_))
            | (AttrKind::Rounding(_), Attr::Rounding(_))
            | (AttrKind::Predicate, Attr::Predicate(_))
            | (AttrKind::Ordering, Attr::Ordering(_))
            | (AttrKind::MemoryOrdering(_), Attr::MemoryOrdering(_))
            | (AttrKind::MemoryScope(_), Attr::MemoryScope(_))
            | (AttrKind::RmwMode(_), Attr::RmwMode(_))
            | (AttrKind::Visibility, Attr::Visibility(_))
            | (AttrKind::BoolArray, Attr::BoolArray(_))
    );
    (!fits).then(|| format!("attribute `{name}` holds a value of another kind"))
}

/// Returns errors for attribute values that the row of an operation does not allow.
pub(super) fn value_errors(op: &Op, def: &OpDef) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut error = |message: String, rule: String| {
        diagnostics.push(Diagnostic::error(Code::VerifyAttributes, op.loc, message).note(rule));
    };
    for (slot, attr) in def.attrs.iter().zip(&op.attrs) {
        if let Some(attr) = attr
            && let Some(message) = value_error(slot, attr)
        {
            error(message, value_rule(op, slot));
        }
    }
    if !is_rising(&op.discardable) {
        error(UNSORTED.to_owned(), SORTED.to_owned());
    }
    for attr in &op.discardable {
        if def.attrs.iter().any(|slot| *slot.name == *attr.name) {
            error(
                format!("attribute `{}` is not in its slot", attr.name),
                format!("`{}` is an attribute of `{}`", attr.name, def.mnemonic),
            );
        }
    }
    diagnostics
}

const UNSORTED: &str = "the attributes that have no slot are not sorted and unique";
const SORTED: &str = "attributes are sorted by name";

fn is_rising(attrs: &[DiscardableAttr]) -> bool {
    attrs.is_sorted_by(|a, b| a.name < b.name)
}

/// Reports errors in the name and the attributes of the module itself.
pub(super) fn verify_module(cx: &mut Context<'_>) {
    let Module {
        name,
        discardable,
        loc,
        ..
    } = cx.module;
    if name.is_empty() {
        let message = "the name of the module is empty";
        cx.report(Diagnostic::error(Code::VerifyStructure, *loc, message).note(SYMBOL_RULE));
    }
    if !is_rising(discardable) {
        cx.report(Diagnostic::error(Code::VerifyAttributes, *loc, UNSORTED).note(SORTED));
    }
}

/// Describes the values that the row allows.
fn value_rule(op: &Op, slot: &AttrDef) -> String {
    let mnemonic = op.def().mnemonic;
    let listed = |set: u64, named_values: Vec<(u64, &'static str)>| -> String {
        let allowed = named_values
            .into_iter()
            .filter(|&(number, _)| set >> number & 1 == 1);
        let names: Vec<String> = allowed.map(|(_, name)| format!("`{name}`")).collect();
        format!("`{mnemonic}` admits {}", names.join(", "))
    };
    macro_rules! admitted {
        ($set:expr, $Enum:ident) => {{
            let named_values = $Enum::ALL.iter();
            let named_values = named_values.map(|one| (one.number(), one.name())).collect();
            listed(u64::from($set), named_values)
        }};
    }
    match slot.kind {
        AttrKind::Rounding(set) => admitted!(set, RoundingMode),
        AttrKind::MemoryOrdering(set) => admitted!(set, MemoryOrdering),
        AttrKind::MemoryScope(set) => admitted!(set, MemoryScope),
        AttrKind::RmwMode(set) => admitted!(set, AtomicRmwMode),
        AttrKind::Hints => "hints are sorted by architecture and by key".to_owned(),
        _ => format!("`{}` of `{mnemonic}` counts from zero", slot.name),
    }
}

fn value_error(slot: &AttrDef, attr: &Attr) -> Option<String> {
    let name = slot.name;
    let refused = |set: u64, number: u64, value: &str| {
        (set >> number & 1 == 0).then(|| format!("`{value}` is not allowed here"))
    };
    match (slot.kind, attr) {
        (AttrKind::U32, &Attr::Int(value)) => u32::try_from(value)
            .is_err()
            .then(|| format!("expected `{name}` to be a 32-bit number, found {value}")),
        (AttrKind::U64, &Attr::Int(value)) => {
            (value < 0).then(|| format!("expected `{name}` not to be negative, found {value}"))
        }
        (AttrKind::Rounding(set), Attr::Rounding(mode)) => {
            let keyword = || format!("`rounding<{}>` is not allowed here", mode.name());
            (set >> mode.number() & 1 == 0).then(keyword)
        }
        (AttrKind::MemoryOrdering(set), Attr::MemoryOrdering(value)) => {
            refused(set.into(), value.number(), value.name())
        }
        (AttrKind::MemoryScope(set), Attr::MemoryScope(value)) => {
            refused(set.into(), value.number(), value.name())
        }
        (AttrKind::RmwMode(set), Attr::RmwMode(value)) => {
            refused(set.into(), value.number(), value.name())
        }
        (AttrKind::Hints, Attr::Hints(hints)) => (!is_sorted_by_key(hints))
            .then(|| format!("the keys of `{name}` are not sorted, unique and not empty")),
        _ => None,
    }
}

fn is_sorted_by_key(hints: &OptimizationHints) -> bool {
    fn rising<T>(entries: &[(String, T)]) -> bool {
        let first = entries.first();
        first.is_none_or(|(key, _)| !key.is_empty()) && entries.is_sorted_by(|(a, _), (b, _)| a < b)
    }
    if !rising(&hints.per_arch) {
        return false;
    }
    let entries = hints.per_arch.iter();
    if !entries.clone().all(|(_, entries)| rising(entries)) {
        return false;
    }
    let values = entries
        .flat_map(|(_, entries)| entries)
        .map(|(_, value)| value);
    let mut pending: Vec<&HintValue> = values.collect();
    while let Some(value) = pending.pop() {
        match value {
            HintValue::Dict(entries) if rising(entries) => {
                pending.extend(entries.iter().map(|(_, value)| value));
            }
            HintValue::Dict(_) => return false,
            HintValue::Array(values) => pending.extend(values),
            HintValue::Int(_)
            | HintValue::Bool(_)
            | HintValue::Number(_)
            | HintValue::Str(_)
            | HintValue::Type(_) => {}
        }
    }
    true
}

fn result_errors(
    module: &Module,
    id: OpId,
    op: &Op,
    def: &OpDef,
    error: &mut impl FnMut(Code, String),
) {
    let slots = def.results;
    let variadic = |slot: &&SlotDef| slot.arity != Arity::One;
    if slots.iter().find(variadic).is_none() && op.results.len() != slots.len() {
        error(
            Code::VerifyResults,
            format!(
                "expected {} results, found {}",
                slots.len(),
                op.results.len()
            ),
        );
    }
    let owned = (0..).zip(&op.results).all(|(number, result)| {
        result.index() < module.num_values()
            && module.value(*result).def == ValueDef::Result(id, number)
    });
    if !owned {
        error(
            Code::VerifyResults,
            "expected results of its own, found those of another operation".to_owned(),
        );
    }
}

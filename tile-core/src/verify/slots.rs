//! Whether one operation fits its row, looking at nothing else.

use crate::diag::{Code, Diagnostic};
use crate::ir::{
    Attr, MemoryOrdering, Module, Op, OpId, OptimizationHints, RoundingMode, ValueDef,
};
use crate::ops::{Arity, AttrDef, AttrKind, OpDef, Presence, RegionCount, SlotDef};

/// The ways in which the operation `id` does not fit its row. If there are
/// none, the accessors of [`Op`] do not panic on it.
pub(crate) fn row_faults(module: &Module, id: OpId) -> Vec<Diagnostic> {
    let op = module.op(id);
    let mut found = Vec::new();
    let mut fault = |code, message: String| {
        let rule = format!("this is how `{}` is defined", op.def().mnemonic);
        found.push(Diagnostic::error(code, op.loc, message).note(rule));
    };
    operand_faults(module, op, &mut fault);
    attr_faults(op, &mut fault);
    result_faults(module, id, op, &mut fault);
    let regions = op.def().regions;
    if !regions.admits(op.regions.len()) {
        let expected = match regions {
            RegionCount::Exactly(count) => count,
            RegionCount::Any => unreachable!("any number is admitted"),
        };
        fault(
            Code::VerifyStructure,
            format!("expected {expected} regions, found {}", op.regions.len()),
        );
    }
    found
}

fn operand_faults(module: &Module, op: &Op, fault: &mut impl FnMut(Code, String)) {
    let slots = op.def().operands;
    let grouped: u64 = op.segments.iter().map(|&len| u64::from(len)).sum();
    if op.segments.len() != slots.len() || grouped != op.operands.len() as u64 {
        fault(
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
            fault(
                Code::VerifyOperands,
                format!("expected {expected} for `{}`, found {len}", slot.name),
            );
        }
    }
    let known = |index: usize| index < module.num_values();
    if !op.operands.iter().all(|operand| known(operand.index())) {
        fault(
            Code::VerifyOperands,
            "expected values of this module, found one of another".to_owned(),
        );
    }
}

fn attr_faults(op: &Op, fault: &mut impl FnMut(Code, String)) {
    let OpDef { attrs, .. } = op.def();
    if op.attrs.len() != attrs.len() {
        fault(
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
        if let Some(message) = attr_fault(slot, attr.as_ref()) {
            fault(Code::VerifyAttributes, message);
        }
    }
}

/// What is wrong with the presence or kind of the attribute in `slot`.
fn attr_fault(slot: &AttrDef, attr: Option<&Attr>) -> Option<String> {
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

/// The attributes of an operation that fits its row whose values the row does
/// not allow.
pub(super) fn value_faults(op: &Op) -> Vec<Diagnostic> {
    let pairs = op.def().attrs.iter().zip(&op.attrs);
    pairs
        .filter_map(|(slot, attr)| {
            let message = value_fault(slot, attr.as_ref()?)?;
            let diagnostic = Diagnostic::error(Code::VerifyAttributes, op.loc, message);
            Some(diagnostic.note(value_rule(op, slot)))
        })
        .collect()
}

/// The values that the row allows, in words.
fn value_rule(op: &Op, slot: &AttrDef) -> String {
    let mnemonic = op.def().mnemonic;
    let listed = |set: u8, all: Vec<(u64, &'static str)>| -> String {
        let allowed = all
            .into_iter()
            .filter(|&(number, _)| u64::from(set) >> number & 1 == 1);
        let names: Vec<String> = allowed.map(|(_, name)| format!("`{name}`")).collect();
        format!("`{mnemonic}` admits {}", names.join(", "))
    };
    match slot.kind {
        AttrKind::Rounding(set) => {
            let all = RoundingMode::ALL.iter();
            listed(set, all.map(|mode| (mode.number(), mode.name())).collect())
        }
        AttrKind::MemoryOrdering(set) => {
            let all = MemoryOrdering::ALL.iter();
            listed(set, all.map(|one| (one.number(), one.name())).collect())
        }
        AttrKind::Hints => "hints are sorted by architecture and by key".to_owned(),
        _ => format!("`{}` of `{mnemonic}` counts from zero", slot.name),
    }
}

fn value_fault(slot: &AttrDef, attr: &Attr) -> Option<String> {
    let name = slot.name;
    let allowed = |set: u8, number: u64| u64::from(set) >> number & 1 == 1;
    let message = match (slot.kind, attr) {
        (AttrKind::U32, &Attr::Int(value)) if u32::try_from(value).is_err() => {
            format!("expected `{name}` to be a 32-bit number, found {value}")
        }
        (AttrKind::U64, &Attr::Int(value)) if value < 0 => {
            format!("expected `{name}` not to be negative, found {value}")
        }
        (AttrKind::Rounding(set), Attr::Rounding(mode)) if !allowed(set, mode.number()) => {
            format!("`rounding<{}>` is not allowed here", mode.name())
        }
        (AttrKind::MemoryOrdering(set), Attr::MemoryOrdering(ordering))
            if !allowed(set, ordering.number()) =>
        {
            format!("`{}` is not allowed here", ordering.name())
        }
        (AttrKind::Hints, Attr::Hints(hints)) if !are_sorted(hints) => {
            format!("the keys of `{name}` are not sorted and unique")
        }
        _ => return None,
    };
    Some(message)
}

fn are_sorted(hints: &OptimizationHints) -> bool {
    let rising = |keys: &[&str]| keys.windows(2).all(|pair| pair[0] < pair[1]);
    let archs: Vec<&str> = hints
        .per_arch
        .iter()
        .map(|(arch, _)| arch.as_str())
        .collect();
    rising(&archs)
        && hints.per_arch.iter().all(|(_, entries)| {
            let keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_str()).collect();
            rising(&keys)
        })
}

fn result_faults(module: &Module, id: OpId, op: &Op, fault: &mut impl FnMut(Code, String)) {
    let slots = op.def().results;
    let variadic = |slot: &&SlotDef| slot.arity != Arity::One;
    if slots.iter().find(variadic).is_none() && op.results.len() != slots.len() {
        fault(
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
        fault(
            Code::VerifyResults,
            "expected results of its own, found those of another operation".to_owned(),
        );
    }
}

//! Whether one operation fits its row, looking at nothing else.

use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, Module, Op, OpId, ValueDef};
use crate::ops::{Arity, AttrDef, AttrKind, OpDef, Presence, SlotDef};

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
    let expected = op.def().regions.0;
    if op.regions.len() != expected {
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

/// What is wrong with the attribute in `slot`.
fn attr_fault(slot: &AttrDef, attr: Option<&Attr>) -> Option<String> {
    let name = slot.name;
    let Some(attr) = attr else {
        let missing = slot.presence != Presence::Optional;
        return missing.then(|| format!("attribute `{name}` is missing"));
    };
    let illegal = |set: u8, number: u64, word: &str| {
        (u64::from(set) >> number & 1 == 0).then(|| format!("`{word}` is not allowed here"))
    };
    match (slot.kind, attr) {
        (AttrKind::U32, &Attr::Int(value)) => u32::try_from(value)
            .is_err()
            .then(|| format!("expected `{name}` to be a 32-bit number, found {value}")),
        (AttrKind::U64, &Attr::Int(value)) => u64::try_from(value)
            .is_err()
            .then(|| format!("expected `{name}` not to be negative, found {value}")),
        (AttrKind::Rounding(set), Attr::Rounding(mode)) => {
            illegal(set, mode.number(), &format!("rounding<{}>", mode.name()))
        }
        (AttrKind::MemoryOrdering(set), Attr::MemoryOrdering(ordering)) => {
            illegal(set, ordering.number(), ordering.name())
        }
        (AttrKind::Hints, Attr::Hints(hints)) => {
            let rising = |keys: Vec<&String>| keys.windows(2).all(|pair| pair[0] < pair[1]);
            let sorted = rising(hints.per_arch.iter().map(|(arch, _)| arch).collect())
                && hints
                    .per_arch
                    .iter()
                    .all(|(_, entries)| rising(entries.iter().map(|(key, _)| key).collect()));
            (!sorted).then(|| format!("the keys of `{name}` are not sorted and unique"))
        }
        (AttrKind::Unit, Attr::Unit)
        | (AttrKind::Bool, Attr::Bool(_))
        | (AttrKind::Str, Attr::Str(_))
        | (AttrKind::Symbol, Attr::Symbol(_))
        | (AttrKind::Type, Attr::Type(_))
        | (AttrKind::Dense, Attr::Dense(_))
        | (AttrKind::I32Array, Attr::I32Array(_))
        | (AttrKind::Scalars, Attr::Scalars(_))
        | (AttrKind::Assume, Attr::Assume(_))
        | (AttrKind::Signedness, Attr::Signedness(_))
        | (AttrKind::Overflow, Attr::Overflow(_))
        | (AttrKind::Predicate, Attr::Predicate(_))
        | (AttrKind::Ordering, Attr::Ordering(_))
        | (AttrKind::MemoryScope, Attr::MemoryScope(_)) => None,
        _ => Some(format!("attribute `{name}` holds a value of another kind")),
    }
}

fn result_faults(module: &Module, id: OpId, op: &Op, fault: &mut impl FnMut(Code, String)) {
    let slots = op.def().results;
    let variadic = |slot: &&SlotDef| slot.arity != Arity::One;
    if slots.iter().find(variadic).is_none() && op.results.len() != slots.len() {
        fault(
            Code::VerifyResults,
            format!("expected {} results, found {}", slots.len(), op.results.len()),
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

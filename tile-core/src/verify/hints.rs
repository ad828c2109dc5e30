//! Verifies types in optimization hints and, on request, warns about hints that no compiler
//! follows.
//!
//! Hints are advice, and a newer compiler may know more hints. A type in a hint must nevertheless
//! be valid, since text and bytecode can express only valid types.

use super::{Context, HintCheck};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Attr, HintValue, Op, TypedScalar};
use crate::ops::{CoreOp, MemoryOp, Opcode, ViewOp};
use std::ops::RangeInclusive;

/// The architectures whose hints a compiler reads; `default` applies to those that are not listed
/// in the module.
const ARCHITECTURES: [&str; 12] = [
    "default", "sm_100", "sm_103", "sm_110", "sm_120", "sm_121", "sm_80", "sm_86", "sm_87",
    "sm_88", "sm_89", "sm_90",
];

/// The architectures without clusters.
const WITHOUT_CLUSTERS: [&str; 5] = ["sm_80", "sm_86", "sm_87", "sm_88", "sm_89"];

/// The set of values of a hint.
enum Values {
    Bool,
    Range(RangeInclusive<i64>),
    /// Powers of two up to this limit.
    PowerOfTwo(i64),
}

/// Returns the values of the hint `key` of an operation, if there is such a hint.
fn values(opcode: Opcode, key: &str) -> Option<Values> {
    let is_entry = matches!(opcode, Opcode::Core(CoreOp::Entry) | Opcode::Testing(_));
    let is_view = matches!(
        opcode,
        Opcode::View(ViewOp::LoadViewTko | ViewOp::StoreViewTko)
    );
    let is_pointer = matches!(
        opcode,
        Opcode::Memory(MemoryOp::LoadPtrTko | MemoryOp::StorePtrTko)
    );
    match key {
        "num_cta_in_cga" if is_entry => Some(Values::PowerOfTwo(16)),
        "num_worker_warps_per_cta" if is_entry => Some(Values::PowerOfTwo(32)),
        "occupancy" if is_entry => Some(Values::Range(1..=32)),
        "allow_tma" if is_view => Some(Values::Bool),
        "latency" if is_view || is_pointer => Some(Values::Range(1..=10)),
        _ => None,
    }
}

/// Reports types in hints that break a limit and, on request, warns about each hint of `op` that no
/// compiler follows.
pub(super) fn verify(cx: &mut Context<'_>, op: &Op) {
    let check = cx.options.hints;
    let mut warned = false;
    for attr in &op.attrs {
        let Some(Attr::Hints(hints)) = attr else {
            continue;
        };
        let mut values = hints.per_arch.iter().flat_map(|(_, entries)| entries);
        if let Some(error) = values.find_map(|(_, value)| type_error(value)) {
            let rule = "a type in a hint is one of the dialect";
            cx.error(Code::VerifyType, op, error, rule);
        }
        if check == HintCheck::Silent {
            continue;
        }
        for (arch, entries) in &hints.per_arch {
            if !ARCHITECTURES.contains(&arch.as_str()) {
                warned = true;
                let known = ARCHITECTURES.join(", ");
                warn(
                    cx,
                    op,
                    format!("`{arch}` is not a known architecture"),
                    format!("hints are read for {known}"),
                );
                continue;
            }
            for (key, value) in entries {
                if let Some(message) = error(op.opcode, arch, key, value) {
                    warned = true;
                    warn(cx, op, message, "a compiler ignores this hint");
                }
            }
        }
    }
    if warned && check == HintCheck::Refuse {
        cx.error(
            Code::VerifyAttributes,
            op,
            "Optimization hints verification failed",
            "unsupported hints are refused on request",
        );
    }
}

fn warn(cx: &mut Context<'_>, op: &Op, message: String, rule: impl Into<String>) {
    cx.report(Diagnostic::warning(Code::VerifyAttributes, op.loc, message).note(rule));
}

/// Returns the limit that a type in a hint breaks, if any.
fn type_error(value: &HintValue) -> Option<String> {
    match value {
        HintValue::Type(ty) => ty.invalid_reason(),
        HintValue::Array(values) => values.iter().find_map(type_error),
        HintValue::Dict(entries) => entries.iter().find_map(|(_, value)| type_error(value)),
        HintValue::Int(_) | HintValue::Bool(_) | HintValue::Number(_) | HintValue::Str(_) => None,
    }
}

/// Returns the reason why a compiler does not follow a hint, if any.
fn error(opcode: Opcode, arch: &str, key: &str, value: &HintValue) -> Option<String> {
    let Some(values) = values(opcode, key) else {
        return Some(format!("{key} is not known hint for current Operation"));
    };
    let number = match value {
        HintValue::Int(number) => Some(*number),
        HintValue::Number(number) => signed(*number),
        _ => None,
    };
    match (values, number) {
        (Values::Bool, _) => {
            let is_bool = matches!(value, HintValue::Bool(_));
            (!is_bool).then(|| format!("boolean value expected for {arch}.{key}"))
        }
        (_, None) => Some(format!("integer value expected for {arch}.{key}")),
        (Values::Range(range), Some(number)) => (!range.contains(&number)).then(|| {
            let (least, greatest) = (range.start(), range.end());
            format!("integer value in the range [{least}, {greatest}] is expected for {arch}.{key}")
        }),
        (Values::PowerOfTwo(greatest), Some(number)) => {
            let is_power = u64::try_from(number).is_ok_and(u64::is_power_of_two);
            if !is_power || number > greatest {
                return Some(format!(
                    "expected power-of-two \u{2264} {greatest} for {arch}.{key}"
                ));
            }
            let is_cluster = key == "num_cta_in_cga" && WITHOUT_CLUSTERS.contains(&arch);
            (is_cluster && number != 1).then(|| format!("expected 1 for {arch}.{key}"))
        }
    }
}

/// Returns the value of an integer, read as signed; `None` for a float.
fn signed(number: TypedScalar) -> Option<i64> {
    let TypedScalar { scalar, bits } = number;
    let unused = 64 - scalar.bits();
    let value = (bits << unused).cast_signed() >> unused;
    scalar.is_integer().then_some(value)
}

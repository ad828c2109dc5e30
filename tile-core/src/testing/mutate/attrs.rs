//! Mutates attributes.

use super::types;
use crate::ir::{
    AssumePredicate, AtomicRmwMode, Attr, ComparisonOrdering, ComparisonPredicate, DenseElements,
    HintValue, IntegerOverflow, MemoryOrdering, MemoryScope, OptimizationHints, RoundingMode,
    Signedness, SymbolVisibility, TypedScalar,
};
use crate::ops::{AttrDef, AttrKind};
use crate::testing::random::Random;
use crate::types::{Scalar, Type};
use arcstr::ArcStr;
use std::sync::Arc;

const NUMBERS: [i64; 12] = [
    0,
    1,
    -1,
    2,
    3,
    7,
    64,
    1 << 31,
    1 << 33,
    1 << 62,
    i64::MAX,
    i64::MIN,
];

/// Returns another value for a slot that holds `old`: absent, of another kind, or close to `old`.
pub(super) fn change(random: &mut Random<'_>, slot: &AttrDef, old: Option<&Attr>) -> Option<Attr> {
    match old {
        Some(_) if random.one_in(6) => None,
        Some(Attr::Unit) => None,
        Some(_) if random.one_in(12) => Some(attr_of_another_kind(random)),
        Some(old) => Some(close(random, old.clone())),
        None => Some(fresh(random, slot.kind)),
    }
}

fn attr_of_another_kind(random: &mut Random<'_>) -> Attr {
    match random.below(6) {
        0 => Attr::Unit,
        1 => Attr::Int(random.pick(&NUMBERS)),
        2 => Attr::Str("other".into()),
        3 => Attr::Bool(true),
        4 => Attr::Type(Type::token()),
        _ => Attr::I32Array([1].into()),
    }
}

/// Returns a value for an absent optional attribute.
fn fresh(random: &mut Random<'_>, kind: AttrKind) -> Attr {
    match kind {
        AttrKind::Unit => Attr::Unit,
        AttrKind::MemoryScope(_) => Attr::MemoryScope(random.pick(MemoryScope::ALL)),
        AttrKind::BoolArray => {
            let count = random.below(4);
            Attr::BoolArray((0..count).map(|_| random.one_in(2)).collect())
        }
        AttrKind::Str => Attr::Str("text".into()),
        AttrKind::Hints => {
            let key = random.pick(&["latency", "allow_tma", "occupancy", "num_cta_in_cga"]);
            let value = (key.to_owned(), HintValue::Int(random.pick(&NUMBERS)));
            let arch = random.pick(&["sm_90", "default", "sm_1"]);
            Attr::Hints(Arc::new(OptimizationHints {
                per_arch: vec![(arch.to_owned(), vec![value])],
            }))
        }
        _ => attr_of_another_kind(random),
    }
}

fn close(random: &mut Random<'_>, old: Attr) -> Attr {
    match old {
        Attr::Unit => Attr::Unit,
        Attr::Bool(value) => Attr::Bool(!value),
        Attr::Int(value) => Attr::Int(number(random, value)),
        Attr::I32Array(mut values) => {
            match random.below(3) {
                0 => values.push(random.pick(&[0, 1, -1, 9, i32::MAX, i32::MIN])),
                1 => {
                    values.pop();
                }
                _ if !values.is_empty() => {
                    let index = random.below(values.len());
                    values[index] = random.pick(&[0, 1, -1, 9, i32::MAX, i32::MIN]);
                }
                _ => {}
            }
            Attr::I32Array(values)
        }
        Attr::BoolArray(mut values) => {
            match random.below(2) {
                0 => values.push(true),
                _ => {
                    values.pop();
                }
            }
            Attr::BoolArray(values)
        }
        Attr::Str(text) => Attr::Str(string(random, &text)),
        Attr::Symbol(text) => Attr::Symbol(string(random, &text)),
        Attr::Type(ty) => Attr::Type(types::change(random, ty)),
        Attr::Dense(data) => Attr::Dense(Arc::new(dense(random, &data))),
        Attr::Scalars(mut values) => {
            match random.below(4) {
                0 => {
                    values.pop();
                }
                1 => values.push(typed(random)),
                _ if !values.is_empty() => {
                    let index = random.below(values.len());
                    values[index] = typed(random);
                }
                _ => {}
            }
            Attr::Scalars(values)
        }
        Attr::Signedness(_) => Attr::Signedness(random.pick(Signedness::ALL)),
        Attr::Overflow(_) => Attr::Overflow(random.pick(IntegerOverflow::ALL)),
        Attr::Rounding(_) => Attr::Rounding(random.pick(RoundingMode::ALL)),
        Attr::Predicate(_) => Attr::Predicate(random.pick(ComparisonPredicate::ALL)),
        Attr::Ordering(_) => Attr::Ordering(random.pick(ComparisonOrdering::ALL)),
        Attr::MemoryOrdering(_) => Attr::MemoryOrdering(random.pick(MemoryOrdering::ALL)),
        Attr::MemoryScope(_) => Attr::MemoryScope(random.pick(MemoryScope::ALL)),
        Attr::RmwMode(_) => Attr::RmwMode(random.pick(AtomicRmwMode::ALL)),
        Attr::Visibility(_) => Attr::Visibility(random.pick(SymbolVisibility::ALL)),
        Attr::Assume(predicate) => Attr::Assume(Box::new(assume(random, *predicate))),
        Attr::Hints(hints) => {
            let mut hints = (*hints).clone();
            change_hints(random, &mut hints);
            Attr::Hints(Arc::new(hints))
        }
    }
}

fn number(random: &mut Random<'_>, value: i64) -> i64 {
    match random.below(4) {
        0 => value.wrapping_add(1),
        1 => value.wrapping_sub(1),
        _ => random.pick(&NUMBERS),
    }
}

fn string(random: &mut Random<'_>, text: &str) -> ArcStr {
    match random.below(5) {
        0 => "".into(),
        1 => format!("{text}%").into(),
        2 => format!("{text}%d").into(),
        3 => text.replacen('%', "", 1).into(),
        _ => "kernel_0".into(),
    }
}

fn typed(random: &mut Random<'_>) -> TypedScalar {
    TypedScalar {
        scalar: random.pick(&Scalar::ALL),
        bits: random.below(2) as u64,
    }
}

fn dense(random: &mut Random<'_>, data: &DenseElements) -> DenseElements {
    let scalar = if random.one_in(2) {
        random.pick(&Scalar::ALL)
    } else {
        data.scalar()
    };
    // Patterns that fit every type.
    match random.below(3) {
        0 => DenseElements::Splat { scalar, bits: 1 },
        1 => DenseElements::Each {
            scalar,
            bits: Vec::new(),
        },
        _ => DenseElements::Each {
            scalar,
            bits: vec![0, 1, 0],
        },
    }
}

fn assume(random: &mut Random<'_>, predicate: AssumePredicate) -> AssumePredicate {
    let mut maybe = |old: Option<i64>| match random.below(3) {
        0 => None,
        1 => old,
        _ => Some(number(random, old.unwrap_or(0))),
    };
    match predicate {
        AssumePredicate::DivBy {
            divisor,
            every,
            along,
        } => {
            let (every, along) = (maybe(every), maybe(along));
            let divisor = if random.one_in(2) {
                random.pick(&[0, 1, 3, 1 << 62, 1 << 63, u64::MAX])
            } else {
                divisor
            };
            AssumePredicate::DivBy {
                divisor,
                every,
                along,
            }
        }
        AssumePredicate::SameElements(mut sizes) => {
            match random.below(3) {
                0 => sizes.push(1),
                1 => {
                    sizes.pop();
                }
                _ if !sizes.is_empty() => {
                    let index = random.below(sizes.len());
                    sizes[index] = number(random, sizes[index]);
                }
                _ => {}
            }
            AssumePredicate::SameElements(sizes)
        }
        AssumePredicate::Bounded { lower, upper } => AssumePredicate::Bounded {
            lower: maybe(lower),
            upper: maybe(upper),
        },
    }
}

fn change_hints(random: &mut Random<'_>, hints: &mut OptimizationHints) {
    if hints.per_arch.is_empty() {
        return;
    }
    let index = random.below(hints.per_arch.len());
    let (arch, values) = &mut hints.per_arch[index];
    match random.below(3) {
        0 => "sm_0".clone_into(arch),
        1 => values.push(("zzz".to_owned(), HintValue::Str("text".into()))),
        _ => {
            for (_, value) in values {
                *value = match random.below(3) {
                    0 => HintValue::Bool(true),
                    1 => HintValue::Int(random.pick(&NUMBERS)),
                    _ => HintValue::Array(Vec::new()),
                };
            }
        }
    }
}

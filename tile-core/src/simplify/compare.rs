//! Rules for integer comparisons.
//!
//! A constant is moved to the right, and the comparison is made strict: `x <= c` becomes `x < c +
//! 1`, so that both ways to write a test become the same expression.

use super::boolean::inverted;
use super::build::{mask, signed, wrapped};
use super::known::Known;
use super::{Rule, Simplifier, has_arithmetic, rules};
use crate::ir::{ComparisonPredicate, OpId, Signedness, ValueId};
use crate::ops::{BitwiseOp, ConversionOp, CoreOp, IntegerOp};
use crate::types::Scalar;

pub(super) const RULES: &[Rule] = rules![
    compare_mirrored,
    compare_same,
    compare_known,
    compare_bool,
    compare_strict,
    compare_edge,
    compare_sum,
    compare_sums,
    compare_difference,
    compare_inverted,
    compare_single_bit,
    compare_extended,
    compare_select,
];

/// Returns the predicate that holds for `b` and `a` where `predicate` holds for `a` and `b`.
pub(super) fn mirrored(predicate: ComparisonPredicate) -> ComparisonPredicate {
    match predicate {
        ComparisonPredicate::LessThan => ComparisonPredicate::GreaterThan,
        ComparisonPredicate::LessThanOrEqual => ComparisonPredicate::GreaterThanOrEqual,
        ComparisonPredicate::GreaterThan => ComparisonPredicate::LessThan,
        ComparisonPredicate::GreaterThanOrEqual => ComparisonPredicate::LessThanOrEqual,
        other => other,
    }
}

/// Returns `true` for `==` and `!=`, which do not depend on signedness.
pub(super) fn is_equality(predicate: ComparisonPredicate) -> bool {
    matches!(
        predicate,
        ComparisonPredicate::Equal | ComparisonPredicate::NotEqual
    )
}

/// Reads a number as `signedness` says.
pub(super) fn read(signedness: Signedness, width: u32, bits: u64) -> i128 {
    match signedness {
        Signedness::Signed => signed(width, bits).into(),
        Signedness::Unsigned => bits.into(),
    }
}

/// Returns the known range of a value, read as `signedness` says.
pub(super) fn range(known: &Known, signedness: Signedness) -> (i128, i128) {
    match signedness {
        Signedness::Signed => (known.signed.0.into(), known.signed.1.into()),
        Signedness::Unsigned => (known.unsigned.0.into(), known.unsigned.1.into()),
    }
}

/// A comparison with its operands.
struct Comparison {
    predicate: ComparisonPredicate,
    signedness: Signedness,
    lhs: ValueId,
    rhs: ValueId,
}

fn parts(cx: &Simplifier<'_>, id: OpId) -> Comparison {
    let op = cx.rewriter.op(id);
    Comparison {
        predicate: op.predicate(),
        signedness: op.signedness(),
        lhs: op.operands[0],
        rhs: op.operands[1],
    }
}

fn answer(cx: &mut Simplifier<'_>, id: OpId, holds: bool) -> ValueId {
    let ty = cx.result_ty(id);
    cx.splat(id, ty, u64::from(holds))
}

/// `c < x = x > c`
fn compare_mirrored(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let Comparison {
        predicate,
        signedness,
        lhs,
        rhs,
    } = parts(cx, id);
    cx.rewriter.constant(lhs)?;
    if cx.rewriter.constant(rhs).is_some() {
        return None;
    }
    Some(cx.compare(id, mirrored(predicate), [rhs, lhs], signedness))
}

/// `x == x`, `x <= x` and `x >= x` are true; `x != x`, `x < x` and `x > x` are false
fn compare_same(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let Comparison {
        predicate,
        lhs,
        rhs,
        ..
    } = parts(cx, id);
    let holds = matches!(
        predicate,
        ComparisonPredicate::Equal
            | ComparisonPredicate::LessThanOrEqual
            | ComparisonPredicate::GreaterThanOrEqual
    );
    (lhs == rhs).then(|| answer(cx, id, holds))
}

/// `x < y` is true if the greatest `x` is below the least `y`, and so on; `x == y` is false if `x`
/// and `y` differ in a known bit
fn compare_known(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let comparison = parts(cx, id);
    let a = cx.facts.compute(cx.rewriter, comparison.lhs);
    let b = cx.facts.compute(cx.rewriter, comparison.rhs);
    let holds = known_answer(comparison.predicate, comparison.signedness, &a, &b)?;
    Some(answer(cx, id, holds))
}

fn known_answer(
    predicate: ComparisonPredicate,
    signedness: Signedness,
    a: &Known,
    b: &Known,
) -> Option<bool> {
    let (left, right) = (range(a, signedness), range(b, signedness));
    match predicate {
        ComparisonPredicate::Equal => {
            let is_disjoint_as = |signedness| {
                let (left, right) = (range(a, signedness), range(b, signedness));
                left.1 < right.0 || right.1 < left.0
            };
            let differ = a.zeros & b.ones != 0
                || a.ones & b.zeros != 0
                || is_disjoint_as(Signedness::Signed)
                || is_disjoint_as(Signedness::Unsigned);
            differ.then_some(false)
        }
        ComparisonPredicate::LessThan if left.1 < right.0 => Some(true),
        ComparisonPredicate::LessThan if left.0 >= right.1 => Some(false),
        ComparisonPredicate::GreaterThan if left.0 > right.1 => Some(true),
        ComparisonPredicate::GreaterThan if left.1 <= right.0 => Some(false),
        ComparisonPredicate::LessThan | ComparisonPredicate::GreaterThan => None,
        // The other predicates are the opposites of those above.
        other => known_answer(inverted(other), signedness, a, b).map(|holds| !holds),
    }
}

/// `c == true = c`; `c == false = !c`; the reverse for `!=`; for `i1`
fn compare_bool(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let comparison = parts(cx, id);
    if cx.scalar(comparison.lhs) != Scalar::I1 || !is_equality(comparison.predicate) {
        return None;
    }
    let wants = cx.number(comparison.rhs)? == 1;
    if wants == (comparison.predicate == ComparisonPredicate::Equal) {
        return Some(comparison.lhs);
    }
    Some(cx.complement(id, comparison.lhs))
}

/// `x <= c = x < c + 1`; `x >= c = x > c - 1`; if the new bound is representable
fn compare_strict(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let comparison = parts(cx, id);
    let (predicate, step) = match comparison.predicate {
        ComparisonPredicate::LessThanOrEqual => (ComparisonPredicate::LessThan, 1),
        ComparisonPredicate::GreaterThanOrEqual => (ComparisonPredicate::GreaterThan, -1),
        _ => return None,
    };
    with_bound(cx, id, &comparison, predicate, step)
}

/// Makes `x PREDICATE c + step`, if that bound is representable.
fn with_bound(
    cx: &mut Simplifier<'_>,
    id: OpId,
    comparison: &Comparison,
    predicate: ComparisonPredicate,
    step: i128,
) -> Option<ValueId> {
    let (bits, width) = (cx.number(comparison.rhs)?, cx.width(comparison.lhs));
    let full_range = range(&Known::nothing(width), comparison.signedness);
    let bound = read(comparison.signedness, width, bits) + step;
    if bound < full_range.0 || bound > full_range.1 {
        return None;
    }
    let bound = cx.like(id, comparison.lhs, wrapped(width, bound));
    Some(cx.compare(
        id,
        predicate,
        [comparison.lhs, bound],
        comparison.signedness,
    ))
}

/// `x < MAX = x != MAX`; `x < MIN + 1 = x == MIN`; `x > MIN = x != MIN`; `x > MAX - 1 = x ==
/// MAX`; where `MIN` and `MAX` are the ends of the type
fn compare_edge(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let comparison = parts(cx, id);
    let (bits, width) = (cx.number(comparison.rhs)?, cx.width(comparison.lhs));
    let (least, greatest) = range(&Known::nothing(width), comparison.signedness);
    let bound = read(comparison.signedness, width, bits);
    let (predicate, step) = match comparison.predicate {
        ComparisonPredicate::LessThan if bound == least + 1 => (ComparisonPredicate::Equal, -1),
        ComparisonPredicate::LessThan if bound == greatest => (ComparisonPredicate::NotEqual, 0),
        ComparisonPredicate::GreaterThan if bound == greatest - 1 => {
            (ComparisonPredicate::Equal, 1)
        }
        ComparisonPredicate::GreaterThan if bound == least => (ComparisonPredicate::NotEqual, 0),
        _ => return None,
    };
    with_bound(cx, id, &comparison, predicate, step)
}

/// `x + c == d = x == d - c`; `x + c < d = x < d - c`, if the sum does not overflow by promise or
/// by range analysis, and `d - c` is representable; likewise for the other predicates
fn compare_sum(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let comparison = parts(cx, id);
    let signedness = comparison.signedness;
    let bound = cx.number(comparison.rhs)?;
    let (source, added) = cx.with_constant(comparison.lhs, IntegerOp::AddI)?;
    let width = cx.width(source);
    if is_equality(comparison.predicate) {
        let bits = bound.wrapping_sub(added) & mask(width);
        let bound = cx.like(id, source, bits);
        return Some(cx.compare(id, comparison.predicate, [source, bound], signedness));
    }
    let promised = match signedness {
        Signedness::Signed => cx.promised_of(comparison.lhs).0,
        Signedness::Unsigned => cx.promised_of(comparison.lhs).1,
    };
    let full_range = range(&Known::nothing(width), signedness);
    let known_range = range(&cx.facts.compute(cx.rewriter, source), signedness);
    let fits =
        |step: i128| known_range.0 + step >= full_range.0 && known_range.1 + step <= full_range.1;
    let unsigned = i128::from(added);
    let negative = i128::from(signed(width, added));
    let step = if promised {
        read(signedness, width, added)
    } else if fits(negative) {
        negative
    } else if fits(unsigned) {
        unsigned
    } else {
        return None;
    };
    let bound = read(signedness, width, bound) - step;
    if bound < full_range.0 || bound > full_range.1 {
        return None;
    }
    let bound = cx.like(id, source, wrapped(width, bound));
    Some(cx.compare(id, comparison.predicate, [source, bound], signedness))
}

/// `x + z == y + z = x == y`; likewise for `!=`
fn compare_sums(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let comparison = parts(cx, id);
    if !is_equality(comparison.predicate) {
        return None;
    }
    let (a, b) = cx.pair(comparison.lhs, IntegerOp::AddI)?;
    let (c, d) = cx.pair(comparison.rhs, IntegerOp::AddI)?;
    let (lhs, rhs) = if a == c {
        (b, d)
    } else if a == d {
        (b, c)
    } else if b == c {
        (a, d)
    } else if b == d {
        (a, c)
    } else {
        return None;
    };
    Some(cx.compare(id, comparison.predicate, [lhs, rhs], comparison.signedness))
}

/// `x - y == 0 = x == y`; `x ^ y == 0 = x == y`; likewise for `!=`
fn compare_difference(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let comparison = parts(cx, id);
    if !is_equality(comparison.predicate) || cx.number(comparison.rhs)? != 0 {
        return None;
    }
    let (lhs, rhs) = match cx.pair(comparison.lhs, IntegerOp::SubI) {
        Some(pair) => pair,
        None => cx.pair(comparison.lhs, BitwiseOp::XorI)?,
    };
    Some(cx.compare(id, comparison.predicate, [lhs, rhs], comparison.signedness))
}

/// `x ^ c == d = x == c ^ d`; `-x == c = x == -c`; `c - x == d = x == c - d`; likewise for `!=`
fn compare_inverted(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let comparison = parts(cx, id);
    if !is_equality(comparison.predicate) {
        return None;
    }
    let (bits, lhs) = (cx.number(comparison.rhs)?, comparison.lhs);
    let (source, bits) = if let Some((source, mixed)) = cx.with_constant(lhs, BitwiseOp::XorI) {
        (source, bits ^ mixed)
    } else if let Some(source) = cx.source(lhs, IntegerOp::NegI) {
        (source, bits.wrapping_neg())
    } else {
        let (from, source) = cx.pair(lhs, IntegerOp::SubI)?;
        (source, cx.number(from)?.wrapping_sub(bits))
    };
    let bound = cx.like(id, source, bits & mask(cx.width(source)));
    Some(cx.compare(
        id,
        comparison.predicate,
        [source, bound],
        comparison.signedness,
    ))
}

/// `x == 2^k = x != 0`, if no other bit of `x` can be 1; `x != 2^k = x == 0`
fn compare_single_bit(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let comparison = parts(cx, id);
    let bits = cx.number(comparison.rhs)?;
    let known = cx.facts.compute(cx.rewriter, comparison.lhs);
    let is_single = bits.is_power_of_two() && known.zeros | bits == mask(known.width);
    // A single bit is handled by `compare_bool`.
    if !is_equality(comparison.predicate) || !is_single || known.width == 1 {
        return None;
    }
    let zero = cx.like(id, comparison.lhs, 0);
    Some(cx.compare(
        id,
        inverted(comparison.predicate),
        [comparison.lhs, zero],
        comparison.signedness,
    ))
}

/// `ext x < ext y = x < y`; likewise for the other predicates, and for a constant that is the
/// extension of another; the new comparison is unsigned if the extensions are
fn compare_extended(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let comparison = parts(cx, id);
    let source = cx.source(comparison.lhs, ConversionOp::ExtI)?;
    if !has_arithmetic(cx.rewriter.ty(source)) {
        return None;
    }
    let extension = cx.definition(comparison.lhs)?.signedness();
    let signedness = match extension {
        Signedness::Unsigned => Signedness::Unsigned,
        Signedness::Signed => comparison.signedness,
    };
    let (narrow, wide) = (cx.width(source), cx.width(comparison.lhs));
    let other = if let Some(bits) = cx.number(comparison.rhs) {
        let low = bits & mask(narrow);
        let back = wrapped(wide, read(extension, narrow, low));
        if back != bits {
            return None;
        }
        cx.like(id, source, low)
    } else {
        let other = cx.source(comparison.rhs, ConversionOp::ExtI)?;
        let is_same = cx.definition(comparison.rhs)?.signedness() == extension
            && cx.rewriter.ty(other) == cx.rewriter.ty(source);
        if !is_same {
            return None;
        }
        other
    };
    Some(cx.compare(id, comparison.predicate, [source, other], signedness))
}

/// `(select c, a, b) < d = c`, `!c`, true or false, for constants `a`, `b` and `d`; likewise for
/// the other predicates
fn compare_select(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let comparison = parts(cx, id);
    let chosen = cx.rewriter.defined_by(comparison.lhs, CoreOp::Select)?;
    let op = cx.rewriter.op(chosen);
    let [cond, then, otherwise] = [op.operands[0], op.operands[1], op.operands[2]];
    let width = cx.width(comparison.lhs);
    let bound = Known::number(width, cx.number(comparison.rhs)?);
    let decide = |arm: u64| {
        let arm = Known::number(width, arm);
        let (predicate, signedness) = (comparison.predicate, comparison.signedness);
        // `known_answer` decides `==` and `!=` only for values that differ.
        let is_equal = arm.value() == bound.value() && predicate == ComparisonPredicate::Equal;
        let is_unequal = arm.value() == bound.value() && predicate == ComparisonPredicate::NotEqual;
        if is_equal || is_unequal {
            return Some(is_equal);
        }
        known_answer(predicate, signedness, &arm, &bound)
    };
    match (decide(cx.number(then)?)?, decide(cx.number(otherwise)?)?) {
        (true, false) => Some(cond),
        (false, true) => Some(cx.complement(id, cond)),
        (both, _) => Some(answer(cx, id, both)),
    }
}

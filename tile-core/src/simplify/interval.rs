//! Merges conjunctions and disjunctions of comparisons.
//!
//! Comparisons of the same two values are sets of the orders `<`, `=` and `>`; comparisons of a
//! value with constants are sets of numbers that consist of at most two intervals. The intersection
//! or union of two such sets may equal one of them, be empty or everything, or be another
//! comparison.
//!
//! A range test `l <= x & x < h` stays two comparisons: `x - l < h - l`, unsigned, would hide both
//! bounds from loop splitting and from the analysis of masks.

use super::bits::bitwise;
use super::boolean::terms;
use super::build::wrapped;
use super::compare::{is_equality, mirrored, range, read};
use super::known::Known;
use super::{Rule, Simplifier, rules};
use crate::ir::{ComparisonPredicate, OpId, Signedness, ValueId};
use crate::ops::{BitwiseOp, IntegerOp};
use smallvec::SmallVec;

pub(super) const AND: &[Rule] = rules![merged_comparisons];
pub(super) const OR: &[Rule] = rules![merged_comparisons];

/// The result of merging two comparisons.
enum Merged {
    /// A constant.
    Always(bool),
    First,
    Second,
    /// A comparison of the common left operand with another predicate and bound.
    Other(ComparisonPredicate, Signedness, Bound),
}

/// The right operand of a comparison.
enum Bound {
    Value(ValueId),
    Number(u64),
}

/// `a < b & a <= b = a < b`; `x > 3 & x > 5 = x > 5`; `x < 3 | x >= 3 = true`; and so on. A
/// comparison may also be merged with one term of the other operand, if the term absorbs the
/// comparison, or if the two alone determine the result.
fn merged_comparisons(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let (lhs, rhs) = cx.args(id);
    let kind = bitwise(cx.rewriter.op(id).opcode)?;
    if let Some(merged) = merge(cx, kind, lhs, rhs) {
        return Some(match merged {
            Merged::Always(holds) => answer(cx, id, holds),
            Merged::First => lhs,
            Merged::Second => rhs,
            Merged::Other(predicate, signedness, bound) => {
                let (value, _) = cx.pair(lhs, IntegerOp::CmpI)?;
                let bound = match bound {
                    Bound::Value(bound) => bound,
                    Bound::Number(bits) => cx.like(id, value, bits),
                };
                cx.compare(id, predicate, [value, bound], signedness)
            }
        });
    }
    // One operand is a conjunction or disjunction itself.
    let within = |outer, single| {
        cx.pair(outer, kind)?;
        cx.rewriter.comparison(single)?;
        let mut terms = terms(cx, outer, kind).into_iter();
        terms.find_map(|term| match merge(cx, kind, term, single)? {
            Merged::First => Some(None),
            Merged::Always(holds) if holds == (kind == BitwiseOp::OrI) => Some(Some(holds)),
            _ => None,
        })
    };
    let (kept, replacement) = match within(lhs, rhs) {
        Some(replacement) => (lhs, replacement),
        None => (rhs, within(rhs, lhs)?),
    };
    match replacement {
        None => Some(kept),
        Some(holds) => Some(answer(cx, id, holds)),
    }
}

fn answer(cx: &mut Simplifier<'_>, id: OpId, holds: bool) -> ValueId {
    let ty = cx.result_ty(id);
    cx.splat(id, ty, u64::from(holds))
}

fn merge(cx: &Simplifier<'_>, kind: BitwiseOp, first: ValueId, second: ValueId) -> Option<Merged> {
    let (a, b) = (
        cx.rewriter.comparison(first)?,
        cx.rewriter.comparison(second)?,
    );
    let ((a_lhs, a_rhs), (b_lhs, b_rhs)) = (cx.args(a), cx.args(b));
    let (a, b) = (cx.rewriter.op(a), cx.rewriter.op(b));
    let (asked, also) = (a.predicate(), b.predicate());
    let signedness = match (is_equality(asked), is_equality(also)) {
        (true, _) => b.signedness(),
        (false, true) => a.signedness(),
        (false, false) if a.signedness() == b.signedness() => a.signedness(),
        (false, false) => return None,
    };
    if (a_lhs, a_rhs) == (b_lhs, b_rhs) {
        return merge_orders(kind, asked, also, signedness, a_rhs);
    }
    if (a_lhs, a_rhs) == (b_rhs, b_lhs) {
        return merge_orders(kind, asked, mirrored(also), signedness, a_rhs);
    }
    if a_lhs != b_lhs {
        return None;
    }
    let width = cx.width(a_lhs);
    let numbers = (
        read(signedness, width, cx.number(a_rhs)?),
        read(signedness, width, cx.number(b_rhs)?),
    );
    let full_range = range(&Known::nothing(width), signedness);
    let a = Numbers::satisfying(asked, numbers.0, full_range);
    let b = Numbers::satisfying(also, numbers.1, full_range);
    let joined = match kind {
        BitwiseOp::AndI => a.intersection(&b),
        _ => a.union(&b),
    };
    if joined == a {
        return Some(Merged::First);
    }
    if joined == b {
        return Some(Merged::Second);
    }
    match joined.comparison(full_range)? {
        Asked::Always(holds) => Some(Merged::Always(holds)),
        Asked::Of(predicate, bound) => Some(Merged::Other(
            predicate,
            signedness,
            Bound::Number(wrapped(width, bound)),
        )),
    }
}

const LESS: u8 = 1;
const SAME: u8 = 2;
const GREATER: u8 = 4;

/// Returns the set of orders of two numbers in which a predicate holds.
fn orders(predicate: ComparisonPredicate) -> u8 {
    match predicate {
        ComparisonPredicate::Equal => SAME,
        ComparisonPredicate::NotEqual => LESS | GREATER,
        ComparisonPredicate::LessThan => LESS,
        ComparisonPredicate::LessThanOrEqual => LESS | SAME,
        ComparisonPredicate::GreaterThan => GREATER,
        ComparisonPredicate::GreaterThanOrEqual => GREATER | SAME,
    }
}

fn merge_orders(
    kind: BitwiseOp,
    first: ComparisonPredicate,
    second: ComparisonPredicate,
    signedness: Signedness,
    rhs: ValueId,
) -> Option<Merged> {
    let (a, b) = (orders(first), orders(second));
    let joined = match kind {
        BitwiseOp::AndI => a & b,
        _ => a | b,
    };
    if joined == a {
        return Some(Merged::First);
    }
    if joined == b {
        return Some(Merged::Second);
    }
    if joined == 0 || joined == LESS | SAME | GREATER {
        return Some(Merged::Always(joined != 0));
    }
    let mut predicates = ComparisonPredicate::ALL.iter().copied();
    let predicate = predicates.find(|&predicate| orders(predicate) == joined)?;
    Some(Merged::Other(predicate, signedness, Bound::Value(rhs)))
}

/// A set of numbers: closed intervals, in order and separated by gaps.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Numbers(SmallVec<[(i128, i128); 4]>);

/// The test that a set of numbers amounts to: always true or false, or one comparison.
enum Asked {
    Always(bool),
    Of(ComparisonPredicate, i128),
}

impl Numbers {
    /// Returns the numbers in `full_range` for which a comparison with `bound` holds.
    fn satisfying(predicate: ComparisonPredicate, bound: i128, full_range: (i128, i128)) -> Self {
        let orders = orders(predicate);
        let mut pieces = SmallVec::new();
        if orders & LESS != 0 {
            pieces.push((full_range.0, bound - 1));
        }
        if orders & SAME != 0 {
            pieces.push((bound, bound));
        }
        if orders & GREATER != 0 {
            pieces.push((bound + 1, full_range.1));
        }
        Self(pieces).joined()
    }

    /// Drops empty intervals and merges adjacent ones.
    fn joined(mut self) -> Self {
        self.0.retain(|piece| piece.0 <= piece.1);
        self.0.sort_unstable();
        let mut pieces: SmallVec<[(i128, i128); 4]> = SmallVec::new();
        for piece in self.0 {
            match pieces.last_mut() {
                Some(last) if piece.0 <= last.1 + 1 => last.1 = last.1.max(piece.1),
                _ => pieces.push(piece),
            }
        }
        Self(pieces)
    }

    fn intersection(&self, other: &Self) -> Self {
        let pairs = self
            .0
            .iter()
            .flat_map(|a| other.0.iter().map(move |b| (a, b)));
        Self(pairs.map(|(a, b)| (a.0.max(b.0), a.1.min(b.1))).collect()).joined()
    }

    fn union(&self, other: &Self) -> Self {
        Self(self.0.iter().chain(&other.0).copied().collect()).joined()
    }

    /// Returns the comparison that holds exactly for these numbers, if there is one.
    fn comparison(&self, full_range: (i128, i128)) -> Option<Asked> {
        Some(match self.0[..] {
            [] => Asked::Always(false),
            [piece] if piece == full_range => Asked::Always(true),
            [(least, greatest)] if least == greatest => {
                Asked::Of(ComparisonPredicate::Equal, least)
            }
            [(least, greatest)] if least == full_range.0 => {
                Asked::Of(ComparisonPredicate::LessThan, greatest + 1)
            }
            [(least, greatest)] if greatest == full_range.1 => {
                Asked::Of(ComparisonPredicate::GreaterThan, least - 1)
            }
            [(start, before), (after, end)]
                if (start, end) == full_range && before + 2 == after =>
            {
                Asked::Of(ComparisonPredicate::NotEqual, before + 1)
            }
            _ => return None,
        })
    }
}

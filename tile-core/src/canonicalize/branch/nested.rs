//! `CombineNestedIfs`: merges an `if` with another `if` that is the only operation of its first
//! branch.

use super::results::choose;
use super::{ELSE, Ending, THEN, append_yield, endings, is_yield_alone, make_if, set_yield};
use crate::ir::{Attr, BlockId, OpId, ValueId};
use crate::ops::{BitwiseOp, ControlFlowOp, Effects, Opcode};
use crate::rewrite::Rewriter;
use crate::types::Type;
use smallvec::SmallVec;

type Values = SmallVec<[ValueId; 4]>;

/// Returns the `if` that is, besides a terminator, the only operation in the first branch of
/// `outer`.
fn only_if_inside(rewriter: &Rewriter, outer: OpId) -> Option<OpId> {
    let block = rewriter.region_block(outer, THEN)?;
    let nested = rewriter.first(block)?;
    let is_if = rewriter.op(nested).opcode == Opcode::ControlFlow(ControlFlowOp::If);
    (is_if && rewriter.next(nested) == rewriter.last(block)).then_some(nested)
}

/// Returns `true` if a branch only yields values: it has no block, or only a `yield`.
fn is_trivial(rewriter: &Rewriter, id: OpId, branch: usize) -> bool {
    let block = rewriter.region_block(id, branch);
    block.is_none_or(|block| is_yield_alone(rewriter, block))
}

/// Applies the public form: `if a (if b A else B) else C = if (a & b) A else C`, where `B` and `C`
/// only yield values. For every result that the outer `if` takes from the inner one, they must
/// yield the same value. The other results of the outer `if` become `select`s on `a`.
pub(super) fn combine(rewriter: &mut Rewriter, outer: OpId) -> bool {
    let Some(nested) = only_if_inside(rewriter, outer) else {
        return false;
    };
    let outer_endings = endings(rewriter, outer);
    let nested_endings = endings(rewriter, nested);
    if !is_trivial(rewriter, outer, ELSE) || !is_trivial(rewriter, nested, ELSE) {
        return false;
    }
    let Ending::Yield(yielded) = &outer_endings[THEN] else {
        return false;
    };
    let has_else = [&outer_endings, &nested_endings]
        .iter()
        .any(|endings| endings[ELSE] != Ending::Missing);
    if nested_endings[THEN] == Ending::Exit && has_else {
        return false;
    }
    let Some(plan) = plan(rewriter, nested, yielded, &outer_endings, &nested_endings) else {
        return false;
    };
    let (a, b) = (
        rewriter.op(outer).operands[0],
        rewriter.op(nested).operands[0],
    );
    let both = and(rewriter, outer, [a, b]);
    let results = rewriter.op(outer).results.clone();
    let mut values: Values = Values::new();
    let mut chosen: SmallVec<[Option<ValueId>; 4]> = SmallVec::new();
    for forwarded in &plan {
        chosen.push(match *forwarded {
            Forwarded::Nested(_) => None,
            Forwarded::Chosen([then, otherwise]) if then == otherwise => Some(then),
            Forwarded::Chosen(arms) => Some(choose(rewriter, outer, a, arms)),
        });
    }
    let types: Vec<Type> = plan
        .iter()
        .zip(&results)
        .filter(|(forwarded, _)| matches!(forwarded, Forwarded::Nested(_)))
        .map(|(_, &result)| rewriter.ty(result))
        .collect();
    let combined = make_if(rewriter, outer, outer, both, &types);
    let (from, to) = (
        rewriter.op(nested).regions[THEN],
        rewriter.op(combined).regions[THEN],
    );
    rewriter.move_block(from, to);
    let indices: SmallVec<[usize; 4]> = plan
        .iter()
        .filter_map(|forwarded| match forwarded {
            Forwarded::Nested(index) => Some(*index),
            Forwarded::Chosen(_) => None,
        })
        .collect();
    if let Ending::Yield(inner) = &nested_endings[THEN]
        && let Some(last) = rewriter.terminator(combined, THEN)
    {
        let kept: Values = indices.iter().map(|&index| inner[index]).collect();
        set_yield(rewriter, last, &kept);
    }
    if let Ending::Yield(values) = &outer_endings[ELSE] {
        let kept: Values = values
            .iter()
            .zip(&plan)
            .filter(|(_, forwarded)| matches!(forwarded, Forwarded::Nested(_)))
            .map(|(&value, _)| value)
            .collect();
        let block = rewriter.add_block(combined, ELSE);
        append_yield(rewriter, block, &kept, outer);
    }
    let mut twins = rewriter.op(combined).results.clone().into_iter();
    for value in chosen {
        let value = value.or_else(|| twins.next());
        values.extend(value);
    }
    rewriter.replace(outer, &values);
    true
}

/// The source of a result of the outer `if`.
#[derive(Clone, Copy, Debug)]
enum Forwarded {
    /// The result of the nested `if` with this index.
    Nested(usize),
    /// The values that the two branches yield, both defined outside the branches.
    Chosen([ValueId; 2]),
}

/// Returns the source of each result; `None` if a result has no source.
fn plan(
    rewriter: &Rewriter,
    nested: OpId,
    yielded: &[ValueId],
    outer_endings: &[Ending; 2],
    nested_endings: &[Ending; 2],
) -> Option<Vec<Forwarded>> {
    if yielded.is_empty() {
        return Some(Vec::new());
    }
    let otherwise = outer_endings[ELSE].yielded()?;
    let nested_results = &rewriter.op(nested).results;
    let nested_else = nested_endings[ELSE].yielded();
    let forwarded = yielded.iter().zip(otherwise).map(|(&value, &otherwise)| {
        if let Some(index) = nested_results.iter().position(|&result| result == value) {
            // The result is then the same no matter which condition is false.
            (nested_else?[index] == otherwise).then_some(Forwarded::Nested(index))
        } else {
            // The branch contains only the nested `if`, so the value is defined outside.
            super::super::select::admits(rewriter, value)
                .then_some(Forwarded::Chosen([value, otherwise]))
        }
    });
    forwarded.collect()
}

/// Applies the form with poison: if every result of the outer `if` is a result of the nested `if`,
/// and the second branch of the outer `if` yields poison, that branch may instead yield the values
/// of the nested second branch: `if a (if b A else B) else poison = if (a & b) A else B`.
///
/// The description of the closed compiler keeps the poison and drops `B`, which is wrong if `a` is
/// true and `b` is false. This pattern keeps `B`, which must be safe to run if `a` is false.
pub(super) fn combine_poison(rewriter: &mut Rewriter, outer: OpId) -> bool {
    let Some(nested) = only_if_inside(rewriter, outer) else {
        return false;
    };
    let outer_endings = endings(rewriter, outer);
    let nested_endings = endings(rewriter, nested);
    let [Ending::Yield(yielded), Ending::Yield(otherwise)] = &outer_endings else {
        return false;
    };
    let forwards = *yielded.as_slice() == *rewriter.op(nested).results.as_slice();
    let is_poison = |&value: &ValueId| is_poison(rewriter, value);
    let block = rewriter.region_block(nested, ELSE);
    let is_harmless = |block: BlockId| {
        rewriter
            .ops(block)
            .all(|op| rewriter.op(op).def().effects == Effects::Pure)
    };
    if yielded.is_empty()
        || !forwards
        || !otherwise.iter().all(is_poison)
        || nested_endings[THEN] == Ending::Exit
        || !block.is_some_and(is_harmless)
    {
        return false;
    }
    let (a, b) = (
        rewriter.op(outer).operands[0],
        rewriter.op(nested).operands[0],
    );
    let both = and(rewriter, outer, [a, b]);
    let types: Vec<Type> = yielded.iter().map(|&value| rewriter.ty(value)).collect();
    let combined = make_if(rewriter, outer, outer, both, &types);
    super::move_branches(rewriter, nested, combined);
    let results = rewriter.op(combined).results.clone();
    rewriter.replace(outer, &results);
    true
}

/// Makes an `andi` of the operands before `insertion_point`.
fn and(rewriter: &mut Rewriter, insertion_point: OpId, operands: [ValueId; 2]) -> ValueId {
    let loc = rewriter.op(insertion_point).loc;
    rewriter.build_before(insertion_point, |builder| {
        builder.like_first(BitwiseOp::AndI, &operands, loc)
    })
}

/// Returns `true` if a value is poison. `cuda_tile` has no operation that makes poison; other MLIR
/// dialects do.
fn is_poison(rewriter: &Rewriter, value: ValueId) -> bool {
    let Some(op) = rewriter.defining_op(value) else {
        return false;
    };
    let op = rewriter.op(op);
    if !op.opcode.is_unregistered() {
        return false;
    }
    matches!(
        op.attr("name"),
        Some(Attr::Str(name))
            if ["ub.poison", "llvm.mlir.poison", "llvm.mlir.undef"].contains(&name.as_str())
    )
}

//! Simplifies the results of an `if` that are unused, forwarded, or replaceable by a `select`.

use super::{
    BRANCHES, ELSE, Ending, THEN, condition_like, endings, is_yield_alone, make_if, move_branches,
    set_yield,
};
use crate::canonicalize::select;
use crate::ir::{OpId, ValueId};
use crate::ops::{BitwiseOp, CoreOp};
use crate::rewrite::Rewriter;
use crate::types::{Scalar, Type};
use smallvec::SmallVec;

/// `RemoveUnusedResults`: drops the results of an `if` that are not used.
pub(super) fn remove_unused(rewriter: &mut Rewriter, id: OpId) -> bool {
    let results = rewriter.op(id).results.clone();
    let used: SmallVec<[usize; 4]> = (0..results.len())
        .filter(|&index| rewriter.num_uses(results[index]) > 0)
        .collect();
    let endings = endings(rewriter, id);
    let yields = endings.iter().any(|ending| ending.yielded().is_some());
    if used.len() == results.len() || !yields {
        return false;
    }
    let types: Vec<Type> = used
        .iter()
        .map(|&index| rewriter.ty(results[index]))
        .collect();
    let condition = rewriter.op(id).operands[0];
    let smaller = make_if(rewriter, id, id, condition, &types);
    move_branches(rewriter, id, smaller);
    for (branch, ending) in BRANCHES.into_iter().zip(&endings) {
        if let (Some(values), Some(last)) = (ending.yielded(), rewriter.terminator(smaller, branch))
        {
            let kept: SmallVec<[ValueId; 4]> = used.iter().map(|&index| values[index]).collect();
            set_yield(rewriter, last, &kept);
        }
    }
    let twins = rewriter.op(smaller).results.clone();
    for (&index, &twin) in used.iter().zip(&twins) {
        rewriter.replace_uses(results[index], twin);
    }
    rewriter.erase(id);
    true
}

/// `ReplaceYieldWithValue`: if both branches yield the same value, replaces the result by it. If
/// the first branch yields true and the second yields false, replaces the result by the condition;
/// in the opposite case, by the negated condition. The `if` keeps its results, which are then
/// unused.
pub(super) fn replace_with_value(rewriter: &mut Rewriter, id: OpId) -> bool {
    let [Ending::Yield(then), Ending::Yield(otherwise)] = endings(rewriter, id) else {
        return false;
    };
    let results = rewriter.op(id).results.clone();
    let condition = rewriter.op(id).operands[0];
    let mut changed = false;
    for (index, &result) in results.iter().enumerate() {
        if rewriter.num_uses(result) == 0 {
            continue;
        }
        let (then, otherwise) = (then[index], otherwise[index]);
        let bools = (
            rewriter.constant_bool(then),
            rewriter.constant_bool(otherwise),
        );
        let value = match bools {
            _ if then == otherwise => then,
            (Some(true), Some(false)) => condition_like(rewriter, id, condition, result),
            (Some(false), Some(true)) => {
                let loc = rewriter.op(id).loc;
                let negated = rewriter.build_before(id, |builder| {
                    let one = builder.splat(Scalar::I1, 1, &[], loc);
                    builder.like_first(BitwiseOp::XorI, &[condition, one], loc)
                });
                condition_like(rewriter, id, negated, result)
            }
            _ => continue,
        };
        rewriter.replace_uses(result, value);
        changed = true;
    }
    changed
}

/// `ConvertToSelect`: replaces results whose values are defined outside the branches by `select`s.
/// If one branch exits, the value that the other branch yields replaces the result directly.
pub(super) fn convert_to_select(rewriter: &mut Rewriter, id: OpId) -> bool {
    let results = rewriter.op(id).results.clone();
    let is_tile = |&value: &ValueId| rewriter.ty(value).as_tile().is_some();
    if results.is_empty() || !results.iter().all(is_tile) {
        return false;
    }
    let [then, otherwise] = match endings(rewriter, id) {
        [Ending::Yield(then), Ending::Yield(otherwise)] => [then, otherwise],
        [Ending::Yield(values), _] | [_, Ending::Yield(values)] => [values.clone(), values],
        _ => return false,
    };
    let inside = BRANCHES.map(|branch| rewriter.region_block(id, branch));
    let is_outside = |value: ValueId| !inside.contains(&Some(rewriter.defining_block(value)));
    let hoisted: SmallVec<[bool; 4]> = (0..results.len())
        .map(|index| {
            let (then, otherwise) = (then[index], otherwise[index]);
            let is_chosen = then == otherwise || select::admits(rewriter, then);
            is_outside(then) && is_outside(otherwise) && is_chosen
        })
        .collect();
    if !hoisted.contains(&true) {
        return false;
    }
    let kept: SmallVec<[usize; 4]> = (0..results.len())
        .filter(|&result_index| !hoisted[result_index])
        .collect();
    let types: Vec<Type> = kept
        .iter()
        .map(|&result_index| rewriter.ty(results[result_index]))
        .collect();
    let condition = rewriter.op(id).operands[0];
    // The operands are defined before the `if`, so the selects can be made there.
    let mut values: SmallVec<[Option<ValueId>; 4]> = SmallVec::from_elem(None, results.len());
    for index in (0..results.len()).filter(|&index| hoisted[index]) {
        let (then, otherwise) = (then[index], otherwise[index]);
        values[index] = Some(if then == otherwise {
            then
        } else {
            choose(rewriter, id, condition, [then, otherwise])
        });
    }
    let smaller = make_if(rewriter, id, id, condition, &types);
    move_branches(rewriter, id, smaller);
    for (branch, yielded) in BRANCHES.into_iter().zip([then, otherwise]) {
        let last = rewriter.terminator(smaller, branch);
        if let Some(last) = last.filter(|&last| !rewriter.is_exit(last)) {
            let rest: SmallVec<[ValueId; 4]> = kept
                .iter()
                .map(|&result_index| yielded[result_index])
                .collect();
            set_yield(rewriter, last, &rest);
        }
    }
    let twins = rewriter.op(smaller).results.clone();
    for (&index, &twin) in kept.iter().zip(&twins) {
        values[index] = Some(twin);
    }
    let values: SmallVec<[ValueId; 4]> = values.into_iter().flatten().collect();
    rewriter.replace(id, &values);
    true
}

/// Makes `select condition, arms` for tiles of any rank before `insertion_point`.
pub(super) fn choose(
    rewriter: &mut Rewriter,
    insertion_point: OpId,
    condition: ValueId,
    arms: [ValueId; 2],
) -> ValueId {
    let mask = condition_like(rewriter, insertion_point, condition, arms[0]);
    let (loc, ty) = (rewriter.op(insertion_point).loc, rewriter.ty(arms[0]));
    rewriter.build_before(insertion_point, |builder| {
        builder
            .op(CoreOp::Select, loc)
            .args(&[mask, arms[0], arms[1]])
            .result(ty)
            .finish_value()
    })
}

/// `RemoveEmptyElseBranch`: `if c A else {} = if c A`, if the `if` has no results.
pub(super) fn remove_empty_else(rewriter: &mut Rewriter, id: OpId) -> bool {
    let Some(block) = rewriter.region_block(id, ELSE) else {
        return false;
    };
    let has_results = !rewriter.op(id).results.is_empty();
    if has_results || !is_yield_alone(rewriter, block) {
        return false;
    }
    debug_assert!(rewriter.region_block(id, THEN).is_some());
    rewriter.remove_block(id, ELSE);
    true
}

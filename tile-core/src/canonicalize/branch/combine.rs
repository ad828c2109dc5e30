//! `CombineIfs`: merges two adjacent `if`s on the same condition.

use super::{BRANCHES, ELSE, Ending, THEN, append_yield, endings, make_if, set_yield};
use crate::ir::{OpId, ValueId};
use crate::ops::{ControlFlowOp, Opcode};
use crate::rewrite::Rewriter;
use crate::types::Type;
use smallvec::SmallVec;

/// Rewrites `if c A else B; if c C else D` to `if c (A; C) else (B; D)`, also if one of the
/// conditions is `xori c, true`. The new `if` has the results of both. After a branch of the first
/// `if` that exits, the second `if` is unreachable. If both branches exit, does nothing.
pub(super) fn combine(rewriter: &mut Rewriter, second: OpId) -> bool {
    let Some(first) = rewriter.prev(second) else {
        return false;
    };
    if rewriter.op(first).opcode != Opcode::ControlFlow(ControlFlowOp::If) {
        return false;
    }
    let (condition, other) = (
        rewriter.op(first).operands[0],
        rewriter.op(second).operands[0],
    );
    let is_negated =
        rewriter.negated(other) == Some(condition) || rewriter.negated(condition) == Some(other);
    if condition != other && !is_negated {
        return false;
    }
    // The branch of the second `if` that runs with each branch of the first.
    let partners = if is_negated {
        [ELSE, THEN]
    } else {
        [THEN, ELSE]
    };
    let firsts = endings(rewriter, first);
    let seconds = endings(rewriter, second);
    if firsts.iter().all(|ending| *ending == Ending::Exit) {
        return false;
    }
    let results = [first, second].map(|id| rewriter.op(id).results.clone());
    let types: Vec<Type> = results
        .iter()
        .flatten()
        .map(|&result| rewriter.ty(result))
        .collect();
    let combined = make_if(rewriter, second, first, condition, &types);
    for branch in BRANCHES {
        let partner = partners[branch];
        join_branch(
            rewriter,
            combined,
            branch,
            (first, &firsts[branch]),
            (second, partner, &seconds[partner]),
        );
    }
    let twins = rewriter.op(combined).results.clone();
    let (mine, theirs) = twins.split_at(results[0].len());
    rewriter.replace(first, mine);
    rewriter.replace(second, theirs);
    true
}

/// Fills one branch of `combined` with the branch of the first `if` and the partner of that branch
/// in the second `if`.
fn join_branch(
    rewriter: &mut Rewriter,
    combined: OpId,
    branch: usize,
    (first, first_ending): (OpId, &Ending),
    (second, partner, second_ending): (OpId, usize, &Ending),
) {
    if *first_ending == Ending::Missing && *second_ending == Ending::Missing {
        return;
    }
    let to = rewriter.op(combined).regions[branch];
    if *first_ending == Ending::Exit {
        // The partner is unreachable, and is erased with the second `if`.
        let from = rewriter.op(first).regions[branch];
        rewriter.move_block(from, to);
        return;
    }
    let block = if *first_ending == Ending::Missing {
        rewriter.add_block(combined, branch)
    } else {
        let from = rewriter.op(first).regions[branch];
        rewriter.move_block(from, to);
        let moved = rewriter.region_block(combined, branch);
        moved.expect("a branch was moved here")
    };
    let mine: SmallVec<[ValueId; 4]> = first_ending
        .yielded()
        .unwrap_or(&[])
        .iter()
        .copied()
        .collect();
    // Inside the second `if`, results of the first are the values that this branch yields.
    let results = rewriter.op(first).results.clone();
    if let Some(inner) = rewriter.region_block(second, partner) {
        for (&result, &value) in results.iter().zip(&mine) {
            rewriter.replace_uses_inside(result, inner, value);
        }
        let old = rewriter.last(block);
        if let Some(old) = old {
            rewriter.erase(old);
        }
        // The partner may have yielded results of the first `if`, which were replaced above, so its
        // ending is read again.
        let theirs = Ending::from_branch(rewriter, second, partner);
        rewriter.append_ops(inner, block);
        if let (Ending::Yield(theirs), Some(last)) = (theirs, rewriter.last(block)) {
            let values: SmallVec<[ValueId; 4]> = mine.iter().copied().chain(theirs).collect();
            set_yield(rewriter, last, &values);
        }
    } else if rewriter.last(block).is_none() {
        append_yield(rewriter, block, &mine, combined);
    }
}

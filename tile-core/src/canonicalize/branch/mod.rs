//! The fold and the eight patterns of `if`.
//!
//! A branch ends in `yield`, or in an *exit*: `return`, `continue` or `break`, after which neither
//! the results of the `if` nor the operations that follow it are reached.

mod combine;
mod exits;
mod nested;
mod results;

use super::pattern::{Fold, Folded, Pattern};
use crate::ir::{BlockId, OpId, ValueId};
use crate::ops::{ControlFlowOp, Opcode};
use crate::rewrite::Rewriter;
use crate::types::Type;
use smallvec::SmallVec;

/// `if (xori c, true) A else B = if c B else A`, if there is an `else`.
pub(super) fn fold(rewriter: &mut Rewriter, id: OpId) -> Folded {
    let condition = rewriter.negated(rewriter.op(id).operands[0])?;
    rewriter.region_block(id, ELSE)?;
    rewriter.set_operand(id, 0, condition);
    rewriter.swap_regions(id);
    Some(("if_negated_condition", Fold::InPlace))
}

pub(super) const PATTERNS: &[Pattern] = &[
    Pattern {
        name: "if_remove_unused_results",
        rewrite: results::remove_unused,
    },
    Pattern {
        name: "if_replace_yield_with_value",
        rewrite: results::replace_with_value,
    },
    Pattern {
        name: "if_remove_static_condition",
        rewrite: exits::remove_static_condition,
    },
    Pattern {
        name: "if_convert_to_select",
        rewrite: results::convert_to_select,
    },
    Pattern {
        name: "if_remove_empty_else_branch",
        rewrite: results::remove_empty_else,
    },
    Pattern {
        name: "if_combine_adjacent",
        rewrite: combine::combine,
    },
    Pattern {
        name: "if_combine_nested",
        rewrite: nested::combine,
    },
    Pattern {
        name: "if_combine_nested_poison",
        rewrite: nested::combine_poison,
    },
    Pattern {
        name: "if_move_terminator_to_parent",
        rewrite: exits::move_terminator_to_parent,
    },
];

/// The index of the region that runs if the condition is true.
const THEN: usize = 0;
/// The index of the region that runs if the condition is false; it may have no block.
const ELSE: usize = 1;

const BRANCHES: [usize; 2] = [THEN, ELSE];

/// The ending of a branch.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Ending {
    /// A `yield` of these values.
    Yield(SmallVec<[ValueId; 4]>),
    /// A `return`, `continue` or `break`.
    Exit,
    /// The region has no block, which is equivalent to an empty `yield`.
    Missing,
}

impl Ending {
    fn from_branch(rewriter: &Rewriter, id: OpId, branch: usize) -> Self {
        match rewriter.terminator(id, branch) {
            None => Ending::Missing,
            Some(last) if rewriter.is_exit(last) => Ending::Exit,
            Some(last) => Ending::Yield(rewriter.op(last).operands.iter().copied().collect()),
        }
    }

    fn yielded(&self) -> Option<&[ValueId]> {
        match self {
            Ending::Yield(values) => Some(values),
            Ending::Exit | Ending::Missing => None,
        }
    }
}

fn endings(rewriter: &Rewriter, id: OpId) -> [Ending; 2] {
    BRANCHES.map(|branch| Ending::from_branch(rewriter, id, branch))
}

/// Returns `true` if a block contains only a `yield`.
fn is_yield_alone(rewriter: &Rewriter, block: BlockId) -> bool {
    let Some(first) = rewriter.first(block) else {
        return false;
    };
    rewriter.next(first).is_none()
        && rewriter.op(first).opcode == Opcode::ControlFlow(ControlFlowOp::Yield)
}

/// Makes an `if` before `insertion_point` with these results and with regions without blocks.
fn make_if(
    rewriter: &mut Rewriter,
    insertion_point: OpId,
    like: OpId,
    condition: ValueId,
    results: &[Type],
) -> OpId {
    let loc = rewriter.op(like).loc;
    let discardable = rewriter.op(like).discardable.clone();
    let new_if = rewriter.build_before(insertion_point, |builder| {
        let new_if = builder
            .op(ControlFlowOp::If, loc)
            .operand("condition", condition)
            .results(results)
            .finish();
        builder.module().add_region(new_if);
        builder.module().add_region(new_if);
        new_if
    });
    rewriter.op_mut(new_if).discardable = discardable;
    new_if
}

/// Moves both branches of `from` to `to`.
fn move_branches(rewriter: &mut Rewriter, from: OpId, to: OpId) {
    for branch in BRANCHES {
        let (from, to) = (
            rewriter.op(from).regions[branch],
            rewriter.op(to).regions[branch],
        );
        rewriter.move_block(from, to);
    }
}

/// Replaces the operands of a `yield`.
fn set_yield(rewriter: &mut Rewriter, terminator: OpId, values: &[ValueId]) {
    rewriter.set_last_slot(terminator, 0, values);
}

/// Appends a `yield` to a block.
fn append_yield(rewriter: &mut Rewriter, block: BlockId, values: &[ValueId], like: OpId) {
    let loc = rewriter.op(like).loc;
    rewriter.build_at_end(block, |builder| {
        builder.terminate(ControlFlowOp::Yield, values, loc);
    });
}

/// Broadcasts `value`, a rank-0 `i1`, to the shape of `like`.
fn condition_like(
    rewriter: &mut Rewriter,
    insertion_point: OpId,
    value: ValueId,
    like: ValueId,
) -> ValueId {
    let loc = rewriter.op(insertion_point).loc;
    let tile = rewriter.ty(like).as_tile();
    let shape = &tile.expect("only tiles are chosen by a condition").shape;
    rewriter.build_before(insertion_point, |builder| {
        builder.splat_value(value, shape, loc)
    })
}

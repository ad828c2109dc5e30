//! Folds `if`s on constants, and moves exits out of `if`s that never fall through.

use super::{ELSE, Ending, THEN, endings, make_if};
use crate::ir::OpId;
use crate::rewrite::Rewriter;

/// `RemoveStaticCondition`: `if true A else B = A`, `if false A else B = B`. If the remaining
/// branch exits, the operations after it are unreachable.
pub(super) fn remove_static_condition(rewriter: &mut Rewriter, id: OpId) -> bool {
    let Some(condition) = rewriter.constant_bool(rewriter.op(id).operands[0]) else {
        return false;
    };
    let taken = if condition { THEN } else { ELSE };
    let Some(block) = rewriter.region_block(id, taken) else {
        rewriter.erase(id);
        return true;
    };
    let last = rewriter.last(block).expect("a branch has a terminator");
    if rewriter.is_exit(last) {
        rewriter.inline_before(block, id);
        rewriter.erase_from(id);
        return true;
    }
    let values = rewriter.op(last).operands.clone();
    rewriter.erase(last);
    rewriter.inline_before(block, id);
    rewriter.replace(id, &values);
    true
}

/// `MoveTerminatorToParent`: if both branches exit, moves the second branch after the `if`, and
/// erases the unreachable operations there.
pub(super) fn move_terminator_to_parent(rewriter: &mut Rewriter, id: OpId) -> bool {
    if endings(rewriter, id) != [Ending::Exit, Ending::Exit] {
        return false;
    }
    let condition = rewriter.op(id).operands[0];
    let kept = make_if(rewriter, id, id, condition, &[]);
    let (from, to) = (
        rewriter.op(id).regions[THEN],
        rewriter.op(kept).regions[THEN],
    );
    rewriter.move_block(from, to);
    if let Some(block) = rewriter.region_block(id, ELSE) {
        rewriter.inline_before(block, id);
    }
    rewriter.erase_from(id);
    true
}

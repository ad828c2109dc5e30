//! The fold of `assume`.

use super::pattern::{Fold, Folded};
use crate::ir::OpId;
use crate::ops::MiscOp;
use crate::rewrite::Rewriter;

/// `assume P, (assume P, x) = assume P, x`, for equal predicates only.
pub(super) fn fold_assume(rewriter: &Rewriter, id: OpId) -> Folded {
    let op = rewriter.op(id);
    let inner = rewriter.defined_by(op.operands[0], MiscOp::Assume)?;
    let is_same = rewriter.op(inner).attrs == op.attrs;
    is_same.then(|| ("assume_twice", Fold::value(op.operands[0])))
}

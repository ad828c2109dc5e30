//! Removes loads whose value is unused.

use super::pattern::Pattern;
use crate::ir::OpId;
use crate::ops::MemoryOp;
use crate::rewrite::{Rewriter, is_weak_load};
use crate::types::Type;

/// The patterns of weak loads, which do not order accesses of other threads.
pub(super) const LOAD_PATTERNS: &[Pattern] = &[Pattern {
    name: "load_only_for_its_token",
    rewrite: only_for_its_token,
}];

/// Erases a weak load whose tile is unused; users of its token use its operand token instead.
fn only_for_its_token(rewriter: &mut Rewriter, id: OpId) -> bool {
    let op = rewriter.op(id);
    let (tile, token) = (op.results[0], op.results[1]);
    if !is_weak_load(op) || rewriter.num_uses(tile) > 0 || rewriter.num_uses(token) == 0 {
        return false;
    }
    let loc = op.loc;
    let before = op.optional_operand("token").unwrap_or_else(|| {
        rewriter.build_before(id, |builder| {
            let token = builder.op(MemoryOp::MakeToken, loc).result(Type::token());
            token.finish_value()
        })
    });
    rewriter.replace_uses(token, before);
    rewriter.erase(id);
    true
}

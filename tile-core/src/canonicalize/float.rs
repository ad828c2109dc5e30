//! Patterns of floating-point operations.

use super::pattern::Pattern;
use crate::ir::OpId;
use crate::ops::FloatOp;
use crate::rewrite::Rewriter;

pub(super) const ADDF_PATTERNS: &[Pattern] = &[Pattern {
    name: "addf_product_first",
    rewrite: product_first,
}];

/// `addf x, (mulf a, b) = addf (mulf a, b), x`, unless `x` is a `mulf` too. The pass that fuses
/// multiply-adds thus has to match only one form.
pub(crate) fn product_first(rewriter: &mut Rewriter, id: OpId) -> bool {
    let op = rewriter.op(id);
    let is_product = |value| rewriter.defined_by(value, FloatOp::MulF).is_some();
    if !is_product(op.operands[1]) || is_product(op.operands[0]) {
        return false;
    }
    rewriter.swap_operands(id);
    true
}

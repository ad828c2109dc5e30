//! Shapes of matrix products.

use super::Context;
use crate::ir::Op;

/// `acc[b, m, n] + lhs[b, m, k] * rhs[b, k, n]`, the batch axis optional.
pub(super) fn verify_shapes(cx: &mut Context<'_>, op: &Op) {
    let shape = |slot: &str| {
        cx.ty(op.operand(slot))
            .as_tile()
            .map(|tile| tile.shape.as_slice())
    };
    let (Some(lhs), Some(rhs), Some(acc)) = (shape("lhs"), shape("rhs"), shape("acc")) else {
        return;
    };
    let ranks = [lhs.len(), rhs.len(), acc.len()];
    if !matches!(ranks, [2, 2, 2] | [3, 3, 3]) {
        cx.operand_fault(
            op,
            op.operand("lhs"),
            format!(
                "expected three tiles of rank 2 or of rank 3, found ranks {}, {} and {}",
                ranks[0], ranks[1], ranks[2]
            ),
            "a matrix product takes matrices, or batches of them",
        );
        return;
    }
    let row = ranks[0] - 2;
    let column = row + 1;
    let batch = |shape: &[i64]| if row == 1 { shape[0] } else { 1 };
    let checks = [
        ("rhs", "batch", "lhs", batch(lhs), batch(rhs)),
        ("acc", "batch", "lhs", batch(lhs), batch(acc)),
        ("rhs", "row", "columns of `lhs`", lhs[column], rhs[row]),
        ("acc", "row", "rows of `lhs`", lhs[row], acc[row]),
        (
            "acc",
            "column",
            "columns of `rhs`",
            rhs[column],
            acc[column],
        ),
    ];
    for (slot, axis, other, expected, found) in checks {
        if expected != found {
            let rule = match axis {
                "batch" => format!("`{slot}` has the batch of `{other}`"),
                _ => format!("`{slot}` has as many {axis}s as there are {other}"),
            };
            cx.operand_fault(
                op,
                op.operand(slot),
                format!("expected `{slot}` with {axis} extent {expected}, found {found}"),
                rule,
            );
        }
    }
}

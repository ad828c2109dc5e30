//! Verifies the shapes of matmuls.

use super::Context;
use crate::ir::Op;

// The indices of operands, which every matmul has in this order.
pub(super) const LHS: usize = 0;
pub(super) const RHS: usize = 1;
pub(super) const ACC: usize = 2;
pub(super) const LHS_SCALE: usize = 3;
pub(super) const RHS_SCALE: usize = 4;

/// An axis that two operands share: the operand and axis that determine the extent, then the
/// operand and axis that must have the same extent.
type Shared = (usize, usize, usize, usize);

/// Checks the shapes of `acc[b, m, n] + lhs[b, m, k] * rhs[b, k, n]`, where the batch axis is
/// optional. Returns `true` if they agree.
pub(super) fn verify_shapes(cx: &mut Context<'_>, op: &Op) -> bool {
    let [lhs, rhs, acc] = [LHS, RHS, ACC].map(|operand| shape(cx, op, operand).len());
    if !matches!([lhs, rhs, acc], [2, 2, 2] | [3, 3, 3]) {
        cx.operand_error(
            op,
            op.operands[LHS],
            format!(
                "expected three tiles of rank 2 or of rank 3, found ranks {lhs}, {rhs} and {acc}"
            ),
            "a matmul takes matrices, or batches of matrices",
        );
        return false;
    }
    let row = lhs - 2;
    let column = row + 1;
    let shared = [
        (LHS, 0, RHS, 0),
        (LHS, 0, ACC, 0),
        (LHS, column, RHS, row),
        (LHS, row, ACC, row),
        (RHS, column, ACC, column),
    ];
    // If axis 0 is the row axis, no batch axis exists and the checks of the batch extents do not
    // apply.
    verify_shared(cx, op, &shared[if row == 0 { 2 } else { 0 }..])
}

/// Checks the shapes of `lhs_scale[b, m, k / v]` and `rhs_scale[b, k / v, n]` against the shapes of
/// the operands, which must already agree. Returns `true` if the shapes of the scales agree too.
pub(super) fn verify_scale_shapes(cx: &mut Context<'_>, op: &Op) -> bool {
    let rank = shape(cx, op, LHS).len();
    let (row, column) = (rank - 2, rank - 1);
    let shared = [
        (LHS, 0, LHS_SCALE, 0),
        (RHS, 0, RHS_SCALE, 0),
        (LHS, row, LHS_SCALE, row),
        (RHS, column, RHS_SCALE, column),
        (LHS_SCALE, column, RHS_SCALE, row),
    ];
    verify_shared(cx, op, &shared[if row == 0 { 2 } else { 0 }..])
}

fn verify_shared(cx: &mut Context<'_>, op: &Op, shared: &[Shared]) -> bool {
    let mut fits = true;
    for &(source, from, target, to) in shared {
        let (expected, actual) = (shape(cx, op, source)[from], shape(cx, op, target)[to]);
        if expected != actual {
            fits = false;
            let [source, slot] = [source, target].map(|operand| op.def().operands[operand].name);
            let axis = ["column", "row", "batch"][shape(cx, op, target).len() - 1 - to];
            cx.operand_error(
                op,
                op.operands[target],
                format!("expected `{slot}` with {axis} extent {expected}, found {actual}"),
                format!(
                    "shape error: dim {from} of `{source}` and dim {to} of `{slot}` must match"
                ),
            );
        }
    }
    fits
}

/// Returns the shape of operand number `index`, whose slot admits only tiles.
fn shape(cx: &Context<'_>, op: &Op, index: usize) -> &'static [i64] {
    cx.ty(op.operands[index])
        .as_tile()
        .map_or(&[], |tile| &tile.shape)
}

//! Rules for repeated and trivial changes of shape.

use super::{Rule, Simplifier, rules};
use crate::ir::{Attr, OpId, ValueId};
use crate::ops::CoreOp;
use thin_vec::ThinVec;

pub(super) const RESHAPE: &[Rule] = rules![same_shape, reshape_reshape];
pub(super) const BROADCAST: &[Rule] = rules![same_shape, broadcast_broadcast];
pub(super) const PERMUTE: &[Rule] = rules![permute_identity, permute_permute];
pub(super) const EXTRACT: &[Rule] = rules![same_shape];

/// `reshape x = x`, `broadcast x = x` and `extract x = x`, to the same type; the only slice that
/// has the type of its source is the first one
fn same_shape(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let source = cx.rewriter.op(id).operands[0];
    (cx.rewriter.ty(source) == cx.result_ty(id)).then_some(source)
}

/// `reshape(reshape x) = reshape x`
fn reshape_reshape(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let source = cx.source(cx.rewriter.op(id).operands[0], CoreOp::Reshape)?;
    let ty = cx.result_ty(id);
    Some(cx.make(id, CoreOp::Reshape, &[source], &[], ty))
}

/// `broadcast(broadcast x) = broadcast x`
fn broadcast_broadcast(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let source = cx.source(cx.rewriter.op(id).operands[0], CoreOp::Broadcast)?;
    let ty = cx.result_ty(id);
    Some(cx.make(id, CoreOp::Broadcast, &[source], &[], ty))
}

/// `permute x [0, 1, ...] = x`
fn permute_identity(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let op = cx.rewriter.op(id);
    let in_order = (0..).zip(op.permutation()).all(|(axis, from)| axis == from);
    in_order.then_some(op.operands[0])
}

/// `permute(permute x p) q = permute x r`, where `r[i] = p[q[i]]`
fn permute_permute(cx: &mut Simplifier<'_>, id: OpId) -> Option<ValueId> {
    let op = cx.rewriter.op(id);
    let source = cx.source(op.operands[0], CoreOp::Permute)?;
    let first = cx.definition(op.operands[0])?.permutation();
    let axes = op.permutation().into_iter().map(|axis| {
        let axis = usize::try_from(axis).expect("axes are not negative");
        first[axis]
    });
    let permutation = Attr::I32Array(axes.collect::<ThinVec<i32>>());
    let ty = cx.result_ty(id);
    let attrs = [("permutation", permutation)];
    Some(cx.make(id, CoreOp::Permute, &[source], &attrs, ty))
}

//! Methods that only tiles have.

use super::{NumberCheck, Row, rows};
use crate::hir::{Direction, ExprKind, ReduceOp, TileOp};
use Direction::{Forward, Reverse};

rows! {
    /// The methods.
    TILES: NumberCheck = (checker, ty, call);

    "sum" "x.sum(0)" => checker.reduction(ReduceOp::Sum, call);
    "prod" "x.prod(0)" => checker.reduction(ReduceOp::Prod, call);
    "reduce_max" "x.reduce_max(0)" => checker.reduction(ReduceOp::Max, call);
    "reduce_min" "x.reduce_min(0)" => checker.reduction(ReduceOp::Min, call);
    "any" "x.any(0)" => checker.reduction(ReduceOp::Any, call);
    "all" "x.all(0)" => checker.reduction(ReduceOp::All, call);
    "argmax" "x.argmax(0)" => checker.along_axis(call, call.receiver, |value, axis| {
        ExprKind::Op(TileOp::Arg(ReduceOp::Max, value, axis))
    });
    "argmin" "x.argmin(0)" => checker.along_axis(call, call.receiver, |value, axis| {
        ExprKind::Op(TileOp::Arg(ReduceOp::Min, value, axis))
    });
    "cumsum" "x.cumsum(0)" => checker.prefix_scan(ReduceOp::Sum, Forward, call);
    "cumprod" "x.cumprod(0)" => checker.prefix_scan(ReduceOp::Prod, Forward, call);
    "cumsum_rev" "x.cumsum_rev(0)" => checker.prefix_scan(ReduceOp::Sum, Reverse, call);
    "cumprod_rev" "x.cumprod_rev(0)" => checker.prefix_scan(ReduceOp::Prod, Reverse, call);
    "sum_as" (generic) "x.sum_as::<i32>(0)" => checker.reduction_as(ReduceOp::Sum, call);
    "prod_as" (generic) "x.prod_as::<i32>(0)" => checker.reduction_as(ReduceOp::Prod, call);
    "cumsum_as" (generic) "x.cumsum_as::<i32>(0)" =>
        checker.prefix_scan_as(ReduceOp::Sum, Forward, call);
    "cumprod_as" (generic) "x.cumprod_as::<i32>(0)" =>
        checker.prefix_scan_as(ReduceOp::Prod, Forward, call);
    "cumsum_rev_as" (generic) "x.cumsum_rev_as::<i32>(0)" =>
        checker.prefix_scan_as(ReduceOp::Sum, Reverse, call);
    "cumprod_rev_as" (generic) "x.cumprod_rev_as::<i32>(0)" =>
        checker.prefix_scan_as(ReduceOp::Prod, Reverse, call);
    "reduce" "x.reduce(0, 0.0, |a, b| a + b)" => checker.fold_method(None, call);
    "scan" "x.scan(0, 0.0, |a, b| a + b)" => checker.fold_method(Some(Forward), call);
    "scan_rev" "x.scan_rev(0, 0.0, |a, b| a + b)" => checker.fold_method(Some(Reverse), call);
    "extract" "x.extract([0, 1], [16, 16])" => checker.extract_method(ty, call);
    "split" "x.split()" => {
        let [] = checker.method_arguments::<0>(call)?;
        checker.split(call.receiver, call.loc)
    };
    "gather" "x.gather(0, index)" => {
        let [axis, index] = checker.method_arguments::<2>(call)?;
        checker.take(call.receiver, axis, index, call.loc)
    };
    "item" "x.item()" => {
        let [] = checker.method_arguments::<0>(call)?;
        Some(checker.one_element(call.receiver, call.loc))
    };
    "t" "x.t()" => {
        let [] = checker.method_arguments::<0>(call)?;
        Some(checker.transpose(call.receiver, call.loc))
    };
    "permute" "x.permute([1, 0])" => {
        let [axes] = checker.method_arguments::<1>(call)?;
        Some(checker.permute(call.receiver, axes, call.loc))
    };
    "reshape" "x.reshape([64, 64])" => {
        let [shape] = checker.method_arguments::<1>(call)?;
        Some(checker.reshape(call.receiver, shape, call.loc))
    };
    "broadcast" "x.broadcast([64, 64])" => {
        let [shape] = checker.method_arguments::<1>(call)?;
        Some(checker.broadcast(call.receiver, shape, call.loc))
    };
    "unsqueeze" "x.unsqueeze(0)" => {
        let [axis] = checker.method_arguments::<1>(call)?;
        Some(checker.unsqueeze(call.receiver, axis, call.loc))
    };
    "squeeze" "x.squeeze(0)" => {
        let [axis] = checker.method_arguments::<1>(call)?;
        Some(checker.squeeze(call.receiver, axis, call.loc))
    };
}

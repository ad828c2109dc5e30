//! Methods that only tiles have.

use super::{Declaration, NumberCheck, Row, rows};
use crate::hir::{Direction, ExprKind, ReduceOp, TileOp};
use Direction::{Forward, Reverse};

const REDUCTION: Declaration =
    Declaration::new("fn(self, axis: impl Integer) -> <Self as Axes>::Without where Self: Axes");
const INDEX: Declaration = Declaration::new(
    "fn(self, axis: impl Integer) -> <Self as Axes>::WithoutOf<i32> where Self: Axes",
);
const REDUCTION_AS: Declaration = Declaration::new(
    "fn<U: Element>(self, axis: impl Integer) -> <Tile<U, RANK> as Axes>::Without where Tile<U, RANK>: Axes",
);
const SCAN: Declaration = Declaration::new("fn(self, axis: impl Integer) -> Self");
const SCAN_AS: Declaration =
    Declaration::new("fn<U: Element>(self, axis: impl Integer) -> Tile<U, RANK>");
const CLOSURE_SCAN: Declaration = Declaration::new(
    "fn(self, axis: impl Integer, init: impl Literal<T>, combine: impl Fn(T, T) -> T) -> Self",
);

rows! {
    /// The methods.
    TILES: NumberCheck = (checker, ty, call);

    /// Computes the sum along an axis; a tile of rank 1 becomes a number.
    ///
    /// The order is not specified. `f16` and `bf16` are added in `f32` and rounded once, integers wrap.
    "sum" "x.sum(0)" REDUCTION => checker.reduction(ReduceOp::Sum, call);
    /// Computes the product along an axis; a tile of rank 1 becomes a number.
    ///
    /// The order is not specified. `f16` and `bf16` are multiplied in `f32` and rounded once, integers wrap.
    "prod" "x.prod(0)" REDUCTION => checker.reduction(ReduceOp::Prod, call);
    /// Returns the maximum of integers or floats along an axis; a tile of rank 1 becomes a number.
    "reduce_max" "x.reduce_max(0)" REDUCTION => checker.reduction(ReduceOp::Max, call);
    /// Returns the minimum of integers or floats along an axis; a tile of rank 1 becomes a number.
    "reduce_min" "x.reduce_min(0)" REDUCTION => checker.reduction(ReduceOp::Min, call);
    /// Returns `true` if any element of a tile of `bool` along an axis is `true`.
    "any" "x.any(0)" REDUCTION => checker.reduction(ReduceOp::Any, call);
    /// Returns `true` if all elements of a tile of `bool` along an axis are `true`.
    "all" "x.all(0)" REDUCTION => checker.reduction(ReduceOp::All, call);
    /// Returns the index, an `i32`, of the maximum along an axis: the first among equals. A NaN counts only if there is nothing
    /// else.
    "argmax" "x.argmax(0)" INDEX => checker.along_axis(call, call.receiver, |value, axis| {
        ExprKind::Op(TileOp::Arg(ReduceOp::Max, value, axis))
    });
    /// Returns the index, an `i32`, of the minimum along an axis: the first among equals. A NaN counts only if there is nothing
    /// else.
    "argmin" "x.argmin(0)" INDEX => checker.along_axis(call, call.receiver, |value, axis| {
        ExprKind::Op(TileOp::Arg(ReduceOp::Min, value, axis))
    });
    /// Computes inclusive prefix sums along an axis; `f16` and `bf16` in `f32`, as in `sum`.
    "cumsum" "x.cumsum(0)" SCAN => checker.prefix_scan(ReduceOp::Sum, Forward, call);
    /// Computes inclusive prefix products along an axis; `f16` and `bf16` in `f32`, as in `prod`.
    "cumprod" "x.cumprod(0)" SCAN => checker.prefix_scan(ReduceOp::Prod, Forward, call);
    /// Computes inclusive suffix sums along an axis.
    "cumsum_rev" "x.cumsum_rev(0)" SCAN => checker.prefix_scan(ReduceOp::Sum, Reverse, call);
    /// Computes inclusive suffix products along an axis.
    "cumprod_rev" "x.cumprod_rev(0)" SCAN => checker.prefix_scan(ReduceOp::Prod, Reverse, call);
    /// Computes the sum along an axis of the elements converted to another type: `u8` without wrapping, `bf16` to a sum of
    /// `f32`, `f8`.
    "sum_as" (generic) "x.sum_as::<i32>(0)" REDUCTION_AS => checker.reduction_as(ReduceOp::Sum, call);
    /// Computes the product along an axis of the elements converted to another type.
    "prod_as" (generic) "x.prod_as::<i32>(0)" REDUCTION_AS => checker.reduction_as(ReduceOp::Prod, call);
    /// Computes inclusive prefix sums along an axis of the elements converted to another type.
    "cumsum_as" (generic) "x.cumsum_as::<i32>(0)" SCAN_AS =>
        checker.prefix_scan_as(ReduceOp::Sum, Forward, call);
    /// Computes inclusive prefix products along an axis of the elements converted to another type.
    "cumprod_as" (generic) "x.cumprod_as::<i32>(0)" SCAN_AS =>
        checker.prefix_scan_as(ReduceOp::Prod, Forward, call);
    /// Computes inclusive suffix sums along an axis of the elements converted to another type.
    "cumsum_rev_as" (generic) "x.cumsum_rev_as::<i32>(0)" SCAN_AS =>
        checker.prefix_scan_as(ReduceOp::Sum, Reverse, call);
    /// Computes inclusive suffix products along an axis of the elements converted to another type.
    "cumprod_rev_as" (generic) "x.cumprod_rev_as::<i32>(0)" SCAN_AS =>
        checker.prefix_scan_as(ReduceOp::Prod, Reverse, call);
    /// Reduces along an axis with a closure; a tile of rank 1 becomes a number.
    "reduce" "x.reduce(0, 0.0, |a, b| a + b)"
        "fn(self, axis: impl Integer, init: impl Literal<T>, combine: impl Fn(T, T) -> T) -> <Self as Tiles>::Without \
         where Self: Tiles" => checker.fold_method(None, call);
    /// Computes the inclusive prefix scan along an axis with a closure.
    "scan" "x.scan(0, 0.0, |a, b| a + b)" CLOSURE_SCAN => checker.fold_method(Some(Forward), call);
    /// Computes the inclusive suffix scan along an axis with a closure.
    "scan_rev" "x.scan_rev(0, 0.0, |a, b| a + b)" CLOSURE_SCAN => checker.fold_method(Some(Reverse), call);
    /// Divides the tile into slices of the second list, and returns the slice at the index of the first.
    "extract" "x.extract([0, 1], [16, 16])"
        "fn(self, index: [impl Integer; RANK], shape: [impl Integer; RANK]) -> Self" => checker.extract_method(ty, call);
    /// Splits the pairs along the last axis, `[.., 2]`, into a tuple of two tiles `[..]`: the inverse of `join`.
    "split" "x.split()" "fn(self) -> (<Self as Axes>::Without, <Self as Axes>::Without) where Self: Axes" => {
        let [] = checker.method_arguments::<0>(call)?;
        checker.split(call.receiver, call.loc)
    };
    /// Returns the elements at these indices along an axis, and zero where an index is out of range; along the other axes
    /// as in `x`. The result has the shape of the index, a tile of integers.
    "gather" "x.gather(0, index)" "fn<I: Integer>(self, axis: impl Integer, index: Tile<I, RANK>) -> Self" => {
        let [axis, index] = checker.method_arguments::<2>(call)?;
        checker.take(call.receiver, axis, index, call.loc)
    };
    /// Returns the element of a tile of one element, as a number.
    "item" "x.item()" "fn(self) -> T" => {
        let [] = checker.method_arguments::<0>(call)?;
        Some(checker.one_element(call.receiver, call.loc))
    };
    /// Transposes `[M, N]` to `[N, M]`.
    "t" "x.t()" "fn(self) -> Self" => {
        let [] = checker.method_arguments::<0>(call)?;
        Some(checker.transpose(call.receiver, call.loc))
    };
    /// Permutes axes: axis `i` of the result is axis `axes[i]` of the tile.
    "permute" "x.permute([1, 0])" "fn(self, axes: [impl Integer; RANK]) -> Self" => {
        let [axes] = checker.method_arguments::<1>(call)?;
        Some(checker.permute(call.receiver, axes, call.loc))
    };
    /// Returns the same elements in another shape, in row-major order.
    "reshape" "x.reshape([64, 64])" "fn<S: Shape>(self, shape: S) -> S::Tile<T>" => {
        let [shape] = checker.method_arguments::<1>(call)?;
        Some(checker.reshape(call.receiver, shape, call.loc))
    };
    /// Repeats axes of extent 1; the rank does not change.
    "broadcast" "x.broadcast([64, 64])" "fn(self, shape: [impl Integer; RANK]) -> Self" => {
        let [shape] = checker.method_arguments::<1>(call)?;
        Some(checker.broadcast(call.receiver, shape, call.loc))
    };
    /// Inserts an axis of extent 1 before this axis, which may equal the rank.
    "unsqueeze" "x.unsqueeze(0)" "fn(self, axis: impl Integer) -> <Self as Axes>::With where Self: Axes" => {
        let [axis] = checker.method_arguments::<1>(call)?;
        Some(checker.unsqueeze(call.receiver, axis, call.loc))
    };
    /// Removes an axis, whose extent is 1.
    "squeeze" "x.squeeze(0)" REDUCTION => {
        let [axis] = checker.method_arguments::<1>(call)?;
        Some(checker.squeeze(call.receiver, axis, call.loc))
    };
}

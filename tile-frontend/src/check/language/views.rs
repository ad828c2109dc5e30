//! Methods of partitions, strided views and gather views.

use super::{Declaration, Row, ViewCheck, atomic, rows};
use crate::hir::AtomicOp;

/// An atomic on a whole tile.
const UPDATE: Declaration = Declaration {
    text: "fn(&self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>)",
    notes: &[
        "",
        " Elements out of bounds are dropped. An `Ordering` and a `Scope` may follow.",
    ],
};

rows! {
    /// The methods of partitions and strided views.
    PARTITIONS: ViewCheck = (checker, view, call);

    /// Loads the tile at tile index `[i]`, with the shape of the partition or strided view.
    "load" "p.load([i])" "fn(&self, index: impl TileIndex<RANK>) -> Tile<T, RANK>" => checker.load_view(view, call);
    /// Stores the tile at tile index `[i]`; elements out of bounds are dropped.
    "store" "p.store([i], tile)" "fn(&self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>)" => checker.store_view(view, call);
    /// Returns the number of tiles along an axis, rounded up.
    "num_tiles" "p.num_tiles(0)" "fn(&self, axis: usize) -> i32" => checker.num_tiles(view, call);
    /// Returns the same partition with another padding out of bounds.
    "with_padding" "t.partition([64]).with_padding(Padding::NegInf)" "fn(self, padding: impl Beyond<T>) -> Self" =>
        checker.with_padding(view, call);
    /// Returns the same partition whose tiles have their axes along other axes of the tensor: axis `k` of a tile runs along
    /// axis `order[k]` of the tensor.
    "with_order" "t.partition([64, 32]).with_order([1, 0])"
        "fn(self, order: [impl Integer; RANK]) -> Self" => {
        let [order] = checker.method_arguments::<1>(call)?;
        checker.with_order(call.receiver, view, order, call.loc)
    };
    /// Atomically adds to each element of the tile at tile index `[i]`.
    "atomic_add" "p.atomic_add([i], tile)" UPDATE =>
        checker.atomic_tile(view, call, atomic(AtomicOp::Add, 1));
    /// Atomically computes the maximum with each element of the tile at tile index `[i]`.
    "atomic_max" "p.atomic_max([i], tile)" UPDATE =>
        checker.atomic_tile(view, call, atomic(AtomicOp::Max, 1));
    /// Atomically computes the minimum with each element of the tile at tile index `[i]`.
    "atomic_min" "p.atomic_min([i], tile)" UPDATE =>
        checker.atomic_tile(view, call, atomic(AtomicOp::Min, 1));
    /// Atomically computes `&` with each element of the tile at tile index `[i]`.
    "atomic_and" "p.atomic_and([i], tile)" UPDATE =>
        checker.atomic_tile(view, call, atomic(AtomicOp::And, 1));
    /// Atomically computes `|` with each element of the tile at tile index `[i]`.
    "atomic_or" "p.atomic_or([i], tile)" UPDATE =>
        checker.atomic_tile(view, call, atomic(AtomicOp::Or, 1));
    /// Atomically computes `^` with each element of the tile at tile index `[i]`.
    "atomic_xor" "p.atomic_xor([i], tile)" UPDATE =>
        checker.atomic_tile(view, call, atomic(AtomicOp::Xor, 1));
}

rows! {
    /// The methods of gather views.
    GATHER_VIEWS: ViewCheck = (checker, view, call);

    /// Loads the tile at element indices: a tile of indices along the gathered axis, and one integer along each of the
    /// others.
    "load" "v.load([indices, j])"
        "fn(&self, index: impl Indices<RANK>) -> Tile<T, RANK>" => checker.load_view(view, call);
    /// Stores the tile at element indices; elements out of bounds are dropped.
    ///
    /// # Safety
    ///
    /// No two elements that the launch stores may be the same.
    "store" "v.store([indices, j], tile)" "unsafe fn(&self, index: impl Indices<RANK>, tile: Tile<T, RANK>)" => checker.store_view(view, call);
    /// Returns the same view with another padding out of bounds.
    "with_padding" "t.gather_view(0, [64]).with_padding(Padding::NegInf)"
        "fn(self, padding: impl Beyond<T>) -> Self" =>
        checker.with_padding(view, call);
}

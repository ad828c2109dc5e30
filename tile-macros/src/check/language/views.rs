//! Methods of partitions, strided views and gather views.

use super::{Row, ViewCheck, atomic, rows};
use crate::hir::AtomicOp;

rows! {
    /// The methods of partitions and strided views.
    PARTITIONS: ViewCheck = (checker, view, call);

    "load" "p.load([i])" => checker.load_view(view, call);
    "store" "p.store([i], tile)" => checker.store_view(view, call);
    "num_tiles" "p.num_tiles(0)" => checker.num_tiles(view, call);
    "with_padding" "t.partition([64]).with_padding(Padding::NegInf)" =>
        checker.with_padding(view, call);
    "with_order" "t.partition([64, 32]).with_order([1, 0])" => {
        let [order] = checker.method_arguments::<1>(call)?;
        checker.with_order(call.receiver, view, order, call.loc)
    };
    "atomic_add" "p.atomic_add([i], tile)" =>
        checker.atomic_tile(view, call, atomic(AtomicOp::Add, 1));
    "atomic_max" "p.atomic_max([i], tile)" =>
        checker.atomic_tile(view, call, atomic(AtomicOp::Max, 1));
    "atomic_min" "p.atomic_min([i], tile)" =>
        checker.atomic_tile(view, call, atomic(AtomicOp::Min, 1));
    "atomic_and" "p.atomic_and([i], tile)" =>
        checker.atomic_tile(view, call, atomic(AtomicOp::And, 1));
    "atomic_or" "p.atomic_or([i], tile)" =>
        checker.atomic_tile(view, call, atomic(AtomicOp::Or, 1));
    "atomic_xor" "p.atomic_xor([i], tile)" =>
        checker.atomic_tile(view, call, atomic(AtomicOp::Xor, 1));
}

rows! {
    /// The methods of gather views.
    GATHER_VIEWS: ViewCheck = (checker, view, call);

    "load" "v.load([indices, j])" => checker.load_view(view, call);
    "store" "v.store([indices, j], tile)" => checker.store_view(view, call);
    "with_padding" "t.gather_view(0, [64]).with_padding(Padding::NegInf)" =>
        checker.with_padding(view, call);
}

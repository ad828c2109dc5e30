//! Methods of pointers and tiles of pointers.

use super::{PointerCheck, Row, atomic, masked, rows};
use crate::hir::AtomicOp;

rows! {
    /// The methods.
    POINTERS: PointerCheck = (checker, pointer, call);

    "addr" "p.addr()" => checker.pointer_addr(pointer, call);
    "offset" "p.offset(iota::<i32>(64))" => {
        checker.raw_read(call);
        let [distance] = checker.method_arguments::<1>(call)?;
        checker.offset(call.receiver, pointer, distance, call.loc)
    };
    "load" "p.load()" => checker.load_pointer(pointer, call);
    "load_masked" "p.load_masked(mask, other)" => checker.load_pointer_masked(pointer, call);
    "store" "p.store(tile)" => {
        checker.raw_write(pointer, call)?;
        let [value] = checker.method_arguments::<1>(call)?;
        checker.store_pointer(pointer, call, value, None)
    };
    "store_masked" "p.store_masked(tile, mask)" => {
        checker.raw_write(pointer, call)?;
        let [value, mask] = checker.method_arguments::<2>(call)?;
        checker.store_pointer(pointer, call, value, Some(mask))
    };
    "atomic_add" "p.atomic_add(tile)" =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Add, 1));
    "atomic_max" "p.atomic_max(tile)" =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Max, 1));
    "atomic_min" "p.atomic_min(tile)" =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Min, 1));
    "atomic_and" "p.atomic_and(tile)" =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::And, 1));
    "atomic_or" "p.atomic_or(tile)" =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Or, 1));
    "atomic_xor" "p.atomic_xor(tile)" =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Xor, 1));
    "atomic_xchg" "p.atomic_xchg(tile)" =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Xchg, 1));
    "atomic_cas" "p.atomic_cas(expected, new)" =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Cas, 2));
    "atomic_load" "p.atomic_load()" =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Load, 0));
    "atomic_store" "p.atomic_store(tile)" =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Store, 1));
    "atomic_add_masked" "p.atomic_add_masked(tile, mask)" =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Add, 1));
    "atomic_max_masked" "p.atomic_max_masked(tile, mask)" =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Max, 1));
    "atomic_min_masked" "p.atomic_min_masked(tile, mask)" =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Min, 1));
    "atomic_and_masked" "p.atomic_and_masked(tile, mask)" =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::And, 1));
    "atomic_or_masked" "p.atomic_or_masked(tile, mask)" =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Or, 1));
    "atomic_xor_masked" "p.atomic_xor_masked(tile, mask)" =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Xor, 1));
    "atomic_xchg_masked" "p.atomic_xchg_masked(tile, mask)" =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Xchg, 1));
    "atomic_cas_masked" "p.atomic_cas_masked(expected, new, mask)" =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Cas, 2));
    "atomic_load_masked" "p.atomic_load_masked(mask)" =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Load, 0));
    "atomic_store_masked" "p.atomic_store_masked(tile, mask)" =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Store, 1));
}

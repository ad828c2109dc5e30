//! Methods of pointers and tiles of pointers.

use super::{Declaration, PointerCheck, Row, atomic, masked, rows};
use crate::hir::AtomicOp;

/// An atomic with one operand.
const UPDATE: Declaration = Declaration {
    text: "unsafe fn(self, value: impl Value<T>) -> <Self as Pointee>::Value where Self: Pointee",
    notes: RETURNS,
};
const UPDATE_MASKED: Declaration = Declaration {
    text: "unsafe fn(self, value: impl Value<T>, mask: impl Value<bool>) -> <Self as Pointee>::Value where Self: Pointee",
    notes: RETURNS_MASKED,
};
const CAS: Declaration = Declaration {
    text: "unsafe fn(self, expected: impl Value<T>, new: impl Value<T>) -> <Self as Pointee>::Value where Self: Pointee",
    notes: RETURNS,
};
const CAS_MASKED: Declaration = Declaration {
    text: "unsafe fn(self, expected: impl Value<T>, new: impl Value<T>, mask: impl Value<bool>) \
           -> <Self as Pointee>::Value where Self: Pointee",
    notes: RETURNS_MASKED,
};
const LOAD: Declaration = Declaration {
    text: "unsafe fn(self) -> <Self as Pointee>::Value where Self: Pointee",
    notes: ACCESS,
};
const LOAD_MASKED: Declaration = Declaration {
    text: "unsafe fn(self, mask: impl Value<bool>) -> <Self as Pointee>::Value where Self: Pointee",
    notes: RETURNS_MASKED,
};
const STORE: Declaration = Declaration {
    text: "unsafe fn(self, value: impl Value<T>)",
    notes: ACCESS,
};
const STORE_MASKED: Declaration = Declaration {
    text: "unsafe fn(self, value: impl Value<T>, mask: impl Value<bool>)",
    notes: ACCESS_MASKED,
};

/// Notes on atomics.
const ACCESS: &[&str] = &[
    "",
    " An `Ordering` and a `Scope` may follow.",
    "",
    " # Safety",
    "",
    " Every pointer must point to an element.",
];
const ACCESS_MASKED: &[&str] = &[
    "",
    " An `Ordering` and a `Scope` may follow.",
    "",
    " # Safety",
    "",
    " Every pointer whose mask holds must point to an element.",
];

/// Notes on atomics that return values.
const RETURNS: &[&str] = &[
    "",
    " Returns the previous values. An `Ordering` and a `Scope` may follow.",
    "",
    " # Safety",
    "",
    " Every pointer must point to an element.",
];
const RETURNS_MASKED: &[&str] = &[
    "",
    " Returns the previous values, and zero where the mask does not hold. An `Ordering` and a `Scope` may follow.",
    "",
    " # Safety",
    "",
    " Every pointer whose mask holds must point to an element.",
];

rows! {
    /// The methods.
    POINTERS: PointerCheck = (checker, pointer, call);

    /// Returns the address in bytes.
    "addr" "p.addr()" "fn(self) -> usize" => checker.pointer_addr(pointer, call);
    /// Adds an offset in elements: a tile of offsets gives a tile of pointers, a number one pointer.
    ///
    /// # Safety
    ///
    /// The results must be within the allocation of the pointer.
    "offset" "p.offset(iota::<i32>(64))" "unsafe fn<D: Distance<RANK>>(self, distance: D) -> D::Pointers<T>" => {
        checker.raw_read(call);
        let [distance] = checker.method_arguments::<1>(call)?;
        checker.offset(call.receiver, pointer, distance, call.loc)
    };
    /// Loads the target elements.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element.
    "load" "p.load()" "unsafe fn(self) -> <Self as Pointee>::Value where Self: Pointee" => checker.load_pointer(pointer, call);
    /// Loads the target elements; the result is `other` where the mask does not hold.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element.
    "load_masked" "p.load_masked(mask, other)"
        "unsafe fn(self, mask: impl Value<bool>, other: impl Value<T>) -> <Self as Pointee>::Value where Self: Pointee" => checker.load_pointer_masked(pointer, call);
    /// Stores to the target elements.
    ///
    /// # Safety
    ///
    /// Every pointer must point to an element that nothing else uses.
    "store" "p.store(tile)" "unsafe fn(self, value: impl Value<T>)" => {
        checker.raw_write(pointer, call)?;
        let [value] = checker.method_arguments::<1>(call)?;
        checker.store_pointer(pointer, call, value, None)
    };
    /// Stores to the target elements where the mask holds.
    ///
    /// # Safety
    ///
    /// Every pointer whose mask holds must point to an element that nothing else uses.
    "store_masked" "p.store_masked(tile, mask)" "unsafe fn(self, value: impl Value<T>, mask: impl Value<bool>)" => {
        checker.raw_write(pointer, call)?;
        let [value, mask] = checker.method_arguments::<2>(call)?;
        checker.store_pointer(pointer, call, value, Some(mask))
    };
    /// Atomically adds to the target elements.
    "atomic_add" "p.atomic_add(tile)" UPDATE =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Add, 1));
    /// Atomically computes the maximum with the target elements.
    "atomic_max" "p.atomic_max(tile)" UPDATE =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Max, 1));
    /// Atomically computes the minimum with the target elements.
    "atomic_min" "p.atomic_min(tile)" UPDATE =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Min, 1));
    /// Atomically computes `&` with the target elements.
    "atomic_and" "p.atomic_and(tile)" UPDATE =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::And, 1));
    /// Atomically computes `|` with the target elements.
    "atomic_or" "p.atomic_or(tile)" UPDATE =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Or, 1));
    /// Atomically computes `^` with the target elements.
    "atomic_xor" "p.atomic_xor(tile)" UPDATE =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Xor, 1));
    /// Atomically exchanges the target elements.
    "atomic_xchg" "p.atomic_xchg(tile)" UPDATE =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Xchg, 1));
    /// Atomically replaces the target elements that equal `expected` with `new`; floats are compared by their bits.
    "atomic_cas" "p.atomic_cas(expected, new)" CAS =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Cas, 2));
    /// Atomically loads the target elements.
    "atomic_load" "p.atomic_load()" LOAD =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Load, 0));
    /// Atomically stores to the target elements.
    "atomic_store" "p.atomic_store(tile)" STORE =>
        checker.atomic_pointer(pointer, call, atomic(AtomicOp::Store, 1));
    /// Atomically adds to the target elements, where the mask holds.
    "atomic_add_masked" "p.atomic_add_masked(tile, mask)" UPDATE_MASKED =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Add, 1));
    /// Atomically computes the maximum with the target elements, where the mask holds.
    "atomic_max_masked" "p.atomic_max_masked(tile, mask)" UPDATE_MASKED =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Max, 1));
    /// Atomically computes the minimum with the target elements, where the mask holds.
    "atomic_min_masked" "p.atomic_min_masked(tile, mask)" UPDATE_MASKED =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Min, 1));
    /// Atomically computes `&` with the target elements, where the mask holds.
    "atomic_and_masked" "p.atomic_and_masked(tile, mask)" UPDATE_MASKED =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::And, 1));
    /// Atomically computes `|` with the target elements, where the mask holds.
    "atomic_or_masked" "p.atomic_or_masked(tile, mask)" UPDATE_MASKED =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Or, 1));
    /// Atomically computes `^` with the target elements, where the mask holds.
    "atomic_xor_masked" "p.atomic_xor_masked(tile, mask)" UPDATE_MASKED =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Xor, 1));
    /// Atomically exchanges the target elements, where the mask holds.
    "atomic_xchg_masked" "p.atomic_xchg_masked(tile, mask)" UPDATE_MASKED =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Xchg, 1));
    /// Atomically replaces the target elements that equal `expected` with `new`, where the mask holds; floats are compared by their bits.
    "atomic_cas_masked" "p.atomic_cas_masked(expected, new, mask)" CAS_MASKED =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Cas, 2));
    /// Atomically loads the target elements, where the mask holds.
    "atomic_load_masked" "p.atomic_load_masked(mask)" LOAD_MASKED =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Load, 0));
    /// Atomically stores to the target elements, where the mask holds.
    "atomic_store_masked" "p.atomic_store_masked(tile, mask)" STORE_MASKED =>
        checker.atomic_pointer(pointer, call, masked(AtomicOp::Store, 1));
}

//! Methods of tensors.

use super::{Declaration, Row, TensorCheck, atomic, masked, rows};
use crate::hir::signature::HostScalar;
use crate::hir::{AtomicOp, ExprKind, Memory};
use tile_core::types::PaddingValue;

/// An atomic with one operand.
const UPDATE: Declaration = Declaration {
    text: "fn<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>) -> <X::Out as Drawn>::Of<T>",
    notes: RETURNS,
};
const UPDATE_MASKED: Declaration = Declaration {
    text: "fn<X: Indices<RANK>>(&mut self, index: X, tile: impl Value<T>, mask: impl Value<bool>) \
           -> <X::Out as Drawn>::Of<T>",
    notes: RETURNS,
};
const CAS: Declaration = Declaration {
    text: "fn<X: Indices<RANK>>(&mut self, index: X, expected: impl Value<T>, new: impl Value<T>) \
           -> <X::Out as Drawn>::Of<T>",
    notes: RETURNS,
};
const CAS_MASKED: Declaration = Declaration {
    text: "fn<X: Indices<RANK>>\
           (&mut self, index: X, expected: impl Value<T>, new: impl Value<T>, mask: impl Value<bool>) \
           -> <X::Out as Drawn>::Of<T>",
    notes: RETURNS,
};
const LOAD: Declaration = Declaration {
    text: "fn<X: Indices<RANK>>(&self, index: X) -> <X::Out as Drawn>::Of<T>",
    notes: ZERO_ELSEWHERE,
};
const LOAD_MASKED: Declaration = Declaration {
    text: "fn<X: Indices<RANK>>(&self, index: X, mask: impl Value<bool>) -> <X::Out as Drawn>::Of<T>",
    notes: ZERO_ELSEWHERE,
};
const STORE: Declaration = Declaration {
    text: "fn(&mut self, index: impl Indices<RANK>, tile: impl Value<T>)",
    notes: DROPPED,
};
const STORE_MASKED: Declaration = Declaration {
    text: "fn(&mut self, index: impl Indices<RANK>, tile: impl Value<T>, mask: impl Value<bool>)",
    notes: DROPPED,
};

/// Notes on atomics that return previous values.
const RETURNS: &[&str] = &[
    "",
    " The indices are integers or tiles of integers. Returns the previous values, and zero for elements that are not",
    " accessed: those out of bounds, and those for which the mask does not hold. An `Ordering` and a `Scope` may follow.",
];

/// Notes on atomic loads.
const ZERO_ELSEWHERE: &[&str] = &[
    "",
    " The indices are integers or tiles of integers. The result is zero out of bounds, and where the mask does not hold.",
    " An `Ordering` and a `Scope` may follow.",
];

/// Notes on atomic stores.
const DROPPED: &[&str] = &[
    "",
    " The indices are integers or tiles of integers; elements out of bounds are dropped. An `Ordering` and a `Scope` may",
    " follow.",
];

rows! {
    /// The methods.
    TENSORS: TensorCheck = (checker, tensor, call);

    /// Loads the tile at tile index `[i]`, of the given shape; elements out of bounds are zero.
    "load" "t.load([i], [64])"
        "fn(&self, index: impl TileIndex<RANK>, shape: [impl Integer; RANK]) -> Tile<T, RANK>" => {
        let [index, shape] = checker.method_arguments::<2>(call)?;
        let padding = PaddingValue::Zero.into();
        checker.load_tile(call.receiver, tensor, index, shape, padding, call.loc)
    };
    /// Loads the tile whose first element is `[i]`: here indices count elements, and may be negative. Elements out of
    /// bounds are zero; each element is tested separately.
    "load_at" "t.load_at([i], [64])"
        "fn(&self, start: impl TileIndex<RANK>, shape: [impl Integer; RANK]) -> Tile<T, RANK>" => {
        let [start, shape] = checker.method_arguments::<2>(call)?;
        let padding = PaddingValue::Zero.into();
        checker.window(call.receiver, tensor, (start, shape), padding, call.loc)
    };
    /// Loads the tile whose first element is `[i]`, with another padding out of bounds.
    "load_at_padded" "t.load_at_padded([i], [64], Padding::NegInf)"
        "fn(&self, start: impl TileIndex<RANK>, shape: [impl Integer; RANK], padding: impl Beyond<T>) -> Tile<T, RANK>" => {
        let [start, shape, padding] = checker.method_arguments::<3>(call)?;
        let padding = checker.padding_for(padding, tensor.element)?;
        checker.window(call.receiver, tensor, (start, shape), padding, call.loc)
    };
    /// Loads the tile at tile index `[i]`, with another padding out of bounds.
    "load_padded" "t.load_padded([i], [64], Padding::NegInf)"
        "fn(&self, index: impl TileIndex<RANK>, shape: [impl Integer; RANK], padding: impl Beyond<T>) -> Tile<T, RANK>" => {
        let [index, shape, padding] = checker.method_arguments::<3>(call)?;
        let padding = checker.padding_for(padding, tensor.element)?;
        checker.load_tile(call.receiver, tensor, index, shape, padding, call.loc)
    };
    /// Stores a tile at tile index `[i]`; elements out of bounds are dropped.
    "store" "t.store([i], tile)" "fn(&mut self, index: impl TileIndex<RANK>, tile: Tile<T, RANK>)" => {
        let [index, written] = checker.method_arguments::<2>(call)?;
        checker.store_tile(call.receiver, tensor, (call.name, index, written), call.loc)
    };
    /// Returns a partition: the tensor divided into tiles of one shape.
    "partition" "t.partition([64])" "fn(&self, shape: [impl Integer; RANK]) -> Partition<T, RANK>" => {
        let [shape] = checker.method_arguments::<1>(call)?;
        checker.cut(call.receiver, tensor, shape, PaddingValue::Zero.into(), call.loc)
    };
    /// Returns a strided view: the first elements of tiles are the second list apart, so that tiles overlap or leave gaps.
    "strided" "t.strided([64], [32])"
        "fn(&self, shape: [impl Integer; RANK], steps: [impl Integer; RANK]) -> Partition<T, RANK>" => {
        let [shape, steps] = checker.method_arguments::<2>(call)?;
        checker.strided(call.receiver, tensor, (shape, steps), call.loc)
    };
    /// Returns a gather view: a tile of indices selects the elements along an axis, and a tile begins at any element of the
    /// other axes, along which it is contiguous.
    "gather_view" "t.gather_view(0, [64])"
        "fn(&self, axis: impl Integer, shape: [impl Integer; RANK]) -> GatherView<T, RANK>" => {
        let [axis, shape] = checker.method_arguments::<2>(call)?;
        checker.gather_view(call.receiver, tensor, (axis, shape), call.loc)
    };
    /// Returns the extent of an axis.
    "dim" "t.dim(0)" "fn(&self, axis: usize) -> i32" =>
        checker.tensor_axis(tensor, call, HostScalar::I32, ExprKind::Dim);
    /// Returns the distance in elements from one index of an axis to the next.
    "stride" "t.stride(0)" "fn(&self, axis: usize) -> i64" => checker.tensor_axis(tensor, call, HostScalar::I64, |tensor, axis| {
        ExprKind::Memory(Memory::Stride(tensor, axis))
    });
    /// Loads one element, as a number; zero out of bounds.
    "at" "t.at([i])" "fn(&self, index: impl TileIndex<RANK>) -> T" => {
        let [index] = checker.method_arguments::<1>(call)?;
        checker.at(call.receiver, tensor, index, call.loc)
    };
    /// Loads the elements at these indices, which are numbers and tiles of integers of any type that stretch to one shape;
    /// zero out of bounds.
    "gather" "t.gather([indices])"
        "fn<X: Indices<RANK>>(&self, index: X) -> <X::Out as Drawn>::Of<T>" => {
        let [index] = checker.method_arguments::<1>(call)?;
        checker.gather(call.receiver, tensor, index, PaddingValue::Zero.into(), call.loc)
    };
    /// Loads the elements at these indices, with another padding out of bounds.
    "gather_padded" "t.gather_padded([indices], Padding::NegInf)"
        "fn<X: Indices<RANK>>(&self, index: X, padding: impl Beyond<T>) -> <X::Out as Drawn>::Of<T>" => {
        let [index, padding] = checker.method_arguments::<2>(call)?;
        let padding = checker.padding_for(padding, tensor.element)?;
        checker.gather(call.receiver, tensor, index, padding, call.loc)
    };
    /// Stores elements at these indices; those out of bounds are dropped.
    ///
    /// # Safety
    ///
    /// No two elements that the launch stores may be the same.
    "scatter" "t.scatter([indices], tile)" "unsafe fn(&mut self, index: impl Indices<RANK>, tile: impl Value<T>)" => {
        let [index, value] = checker.method_arguments::<2>(call)?;
        checker.scatter(call.receiver, tensor, (call.name, index, value), call.loc)
    };
    /// Returns a pointer to the first element.
    "as_ptr" "t.as_ptr()" "fn(&self) -> Pointer<T, 0>" => {
        let [] = checker.method_arguments::<0>(call)?;
        Some(checker.address(call.receiver, tensor, false, call.loc))
    };
    /// Returns a pointer to the first element, for writing.
    "as_mut_ptr" "t.as_mut_ptr()" "fn(&mut self) -> Pointer<T, 0>" => {
        let [] = checker.method_arguments::<0>(call)?;
        checker.writable(tensor, call.name)?;
        Some(checker.address(call.receiver, tensor, true, call.loc))
    };
    /// Atomically adds to elements.
    "atomic_add" "t.atomic_add([indices], tile)" UPDATE =>
        checker.atomic(tensor, call, atomic(AtomicOp::Add, 1));
    /// Atomically computes the maximum with elements.
    "atomic_max" "t.atomic_max([indices], tile)" UPDATE =>
        checker.atomic(tensor, call, atomic(AtomicOp::Max, 1));
    /// Atomically computes the minimum with elements.
    "atomic_min" "t.atomic_min([indices], tile)" UPDATE =>
        checker.atomic(tensor, call, atomic(AtomicOp::Min, 1));
    /// Atomically computes `&` with elements.
    "atomic_and" "t.atomic_and([indices], tile)" UPDATE =>
        checker.atomic(tensor, call, atomic(AtomicOp::And, 1));
    /// Atomically computes `|` with elements.
    "atomic_or" "t.atomic_or([indices], tile)" UPDATE =>
        checker.atomic(tensor, call, atomic(AtomicOp::Or, 1));
    /// Atomically computes `^` with elements.
    "atomic_xor" "t.atomic_xor([indices], tile)" UPDATE =>
        checker.atomic(tensor, call, atomic(AtomicOp::Xor, 1));
    /// Atomically exchanges elements.
    "atomic_xchg" "t.atomic_xchg([indices], tile)" UPDATE =>
        checker.atomic(tensor, call, atomic(AtomicOp::Xchg, 1));
    /// Atomically replaces elements that equal `expected` with `new`; floats are compared by their bits.
    "atomic_cas" "t.atomic_cas([indices], expected, new)" CAS =>
        checker.atomic(tensor, call, atomic(AtomicOp::Cas, 2));
    /// Atomically loads elements.
    "atomic_load" "t.atomic_load([indices])" LOAD =>
        checker.atomic(tensor, call, atomic(AtomicOp::Load, 0));
    /// Atomically stores to elements.
    "atomic_store" "t.atomic_store([indices], tile)" STORE =>
        checker.atomic(tensor, call, atomic(AtomicOp::Store, 1));
    /// Atomically adds to elements, where the mask holds.
    "atomic_add_masked" "t.atomic_add_masked([indices], tile, mask)" UPDATE_MASKED =>
        checker.atomic(tensor, call, masked(AtomicOp::Add, 1));
    /// Atomically computes the maximum with elements, where the mask holds.
    "atomic_max_masked" "t.atomic_max_masked([indices], tile, mask)" UPDATE_MASKED =>
        checker.atomic(tensor, call, masked(AtomicOp::Max, 1));
    /// Atomically computes the minimum with elements, where the mask holds.
    "atomic_min_masked" "t.atomic_min_masked([indices], tile, mask)" UPDATE_MASKED =>
        checker.atomic(tensor, call, masked(AtomicOp::Min, 1));
    /// Atomically computes `&` with elements, where the mask holds.
    "atomic_and_masked" "t.atomic_and_masked([indices], tile, mask)" UPDATE_MASKED =>
        checker.atomic(tensor, call, masked(AtomicOp::And, 1));
    /// Atomically computes `|` with elements, where the mask holds.
    "atomic_or_masked" "t.atomic_or_masked([indices], tile, mask)" UPDATE_MASKED =>
        checker.atomic(tensor, call, masked(AtomicOp::Or, 1));
    /// Atomically computes `^` with elements, where the mask holds.
    "atomic_xor_masked" "t.atomic_xor_masked([indices], tile, mask)" UPDATE_MASKED =>
        checker.atomic(tensor, call, masked(AtomicOp::Xor, 1));
    /// Atomically exchanges elements, where the mask holds.
    "atomic_xchg_masked" "t.atomic_xchg_masked([indices], tile, mask)" UPDATE_MASKED =>
        checker.atomic(tensor, call, masked(AtomicOp::Xchg, 1));
    /// Atomically replaces elements that equal `expected` with `new`, where the mask holds; floats are compared by their bits.
    "atomic_cas_masked" "t.atomic_cas_masked([indices], expected, new, mask)" CAS_MASKED =>
        checker.atomic(tensor, call, masked(AtomicOp::Cas, 2));
    /// Atomically loads elements, where the mask holds.
    "atomic_load_masked" "t.atomic_load_masked([indices], mask)" LOAD_MASKED =>
        checker.atomic(tensor, call, masked(AtomicOp::Load, 0));
    /// Atomically stores to elements, where the mask holds.
    "atomic_store_masked" "t.atomic_store_masked([indices], tile, mask)" STORE_MASKED =>
        checker.atomic(tensor, call, masked(AtomicOp::Store, 1));
}

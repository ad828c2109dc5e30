//! Methods of tensors.

use super::{Row, TensorCheck, atomic, masked, rows};
use crate::hir::signature::HostScalar;
use crate::hir::{AtomicOp, ExprKind, Memory};
use tile_core::types::PaddingValue;

rows! {
    /// The methods.
    TENSORS: TensorCheck = (checker, tensor, call);

    "load" "t.load([i], [64])" => {
        let [index, shape] = checker.method_arguments::<2>(call)?;
        let padding = PaddingValue::Zero.into();
        checker.load_tile(call.receiver, tensor, index, shape, padding, call.loc)
    };
    "load_at" "t.load_at([i], [64])" => {
        let [start, shape] = checker.method_arguments::<2>(call)?;
        let padding = PaddingValue::Zero.into();
        checker.window(call.receiver, tensor, (start, shape), padding, call.loc)
    };
    "load_at_padded" "t.load_at_padded([i], [64], Padding::NegInf)" => {
        let [start, shape, padding] = checker.method_arguments::<3>(call)?;
        let padding = checker.padding_for(padding, tensor.element)?;
        checker.window(call.receiver, tensor, (start, shape), padding, call.loc)
    };
    "load_padded" "t.load_padded([i], [64], Padding::NegInf)" => {
        let [index, shape, padding] = checker.method_arguments::<3>(call)?;
        let padding = checker.padding_for(padding, tensor.element)?;
        checker.load_tile(call.receiver, tensor, index, shape, padding, call.loc)
    };
    "store" "t.store([i], tile)" => {
        let [index, written] = checker.method_arguments::<2>(call)?;
        checker.store_tile(call.receiver, tensor, (call.name, index, written), call.loc)
    };
    "partition" "t.partition([64])" => {
        let [shape] = checker.method_arguments::<1>(call)?;
        checker.cut(call.receiver, tensor, shape, PaddingValue::Zero.into(), call.loc)
    };
    "strided" "t.strided([64], [32])" => {
        let [shape, steps] = checker.method_arguments::<2>(call)?;
        checker.strided(call.receiver, tensor, (shape, steps), call.loc)
    };
    "gather_view" "t.gather_view(0, [64])" => {
        let [axis, shape] = checker.method_arguments::<2>(call)?;
        checker.gather_view(call.receiver, tensor, (axis, shape), call.loc)
    };
    "dim" "t.dim(0)" =>
        checker.tensor_axis(tensor, call, HostScalar::I32, ExprKind::Dim);
    "stride" "t.stride(0)" => checker.tensor_axis(tensor, call, HostScalar::I64, |tensor, axis| {
        ExprKind::Memory(Memory::Stride(tensor, axis))
    });
    "at" "t.at([i])" => {
        let [index] = checker.method_arguments::<1>(call)?;
        checker.at(call.receiver, tensor, index, call.loc)
    };
    "gather" "t.gather([indices])" => {
        let [index] = checker.method_arguments::<1>(call)?;
        checker.gather(call.receiver, tensor, index, PaddingValue::Zero.into(), call.loc)
    };
    "gather_padded" "t.gather_padded([indices], Padding::NegInf)" => {
        let [index, padding] = checker.method_arguments::<2>(call)?;
        let padding = checker.padding_for(padding, tensor.element)?;
        checker.gather(call.receiver, tensor, index, padding, call.loc)
    };
    "scatter" "t.scatter([indices], tile)" => {
        let [index, value] = checker.method_arguments::<2>(call)?;
        checker.scatter(call.receiver, tensor, (call.name, index, value), call.loc)
    };
    "as_ptr" "t.as_ptr()" => {
        let [] = checker.method_arguments::<0>(call)?;
        Some(checker.address(call.receiver, tensor, false, call.loc))
    };
    "as_mut_ptr" "t.as_mut_ptr()" => {
        let [] = checker.method_arguments::<0>(call)?;
        checker.writable(tensor, call.name)?;
        Some(checker.address(call.receiver, tensor, true, call.loc))
    };
    "atomic_add" "t.atomic_add([indices], tile)" =>
        checker.atomic(tensor, call, atomic(AtomicOp::Add, 1));
    "atomic_max" "t.atomic_max([indices], tile)" =>
        checker.atomic(tensor, call, atomic(AtomicOp::Max, 1));
    "atomic_min" "t.atomic_min([indices], tile)" =>
        checker.atomic(tensor, call, atomic(AtomicOp::Min, 1));
    "atomic_and" "t.atomic_and([indices], tile)" =>
        checker.atomic(tensor, call, atomic(AtomicOp::And, 1));
    "atomic_or" "t.atomic_or([indices], tile)" =>
        checker.atomic(tensor, call, atomic(AtomicOp::Or, 1));
    "atomic_xor" "t.atomic_xor([indices], tile)" =>
        checker.atomic(tensor, call, atomic(AtomicOp::Xor, 1));
    "atomic_xchg" "t.atomic_xchg([indices], tile)" =>
        checker.atomic(tensor, call, atomic(AtomicOp::Xchg, 1));
    "atomic_cas" "t.atomic_cas([indices], expected, new)" =>
        checker.atomic(tensor, call, atomic(AtomicOp::Cas, 2));
    "atomic_load" "t.atomic_load([indices])" =>
        checker.atomic(tensor, call, atomic(AtomicOp::Load, 0));
    "atomic_store" "t.atomic_store([indices], tile)" =>
        checker.atomic(tensor, call, atomic(AtomicOp::Store, 1));
    "atomic_add_masked" "t.atomic_add_masked([indices], tile, mask)" =>
        checker.atomic(tensor, call, masked(AtomicOp::Add, 1));
    "atomic_max_masked" "t.atomic_max_masked([indices], tile, mask)" =>
        checker.atomic(tensor, call, masked(AtomicOp::Max, 1));
    "atomic_min_masked" "t.atomic_min_masked([indices], tile, mask)" =>
        checker.atomic(tensor, call, masked(AtomicOp::Min, 1));
    "atomic_and_masked" "t.atomic_and_masked([indices], tile, mask)" =>
        checker.atomic(tensor, call, masked(AtomicOp::And, 1));
    "atomic_or_masked" "t.atomic_or_masked([indices], tile, mask)" =>
        checker.atomic(tensor, call, masked(AtomicOp::Or, 1));
    "atomic_xor_masked" "t.atomic_xor_masked([indices], tile, mask)" =>
        checker.atomic(tensor, call, masked(AtomicOp::Xor, 1));
    "atomic_xchg_masked" "t.atomic_xchg_masked([indices], tile, mask)" =>
        checker.atomic(tensor, call, masked(AtomicOp::Xchg, 1));
    "atomic_cas_masked" "t.atomic_cas_masked([indices], expected, new, mask)" =>
        checker.atomic(tensor, call, masked(AtomicOp::Cas, 2));
    "atomic_load_masked" "t.atomic_load_masked([indices], mask)" =>
        checker.atomic(tensor, call, masked(AtomicOp::Load, 0));
    "atomic_store_masked" "t.atomic_store_masked([indices], tile, mask)" =>
        checker.atomic(tensor, call, masked(AtomicOp::Store, 1));
}

//! Measures the verifier, in operations per second, on modules of 10 thousand to
//! a million mixed operations; the time should be linear in the size of the module.

use divan::Bencher;
use divan::counter::ItemsCount;
use tile_core::build::Builder;
use tile_core::ir::{Attr, MemoryOrdering, ValueId};
use tile_core::ops::{ControlFlowOp, FloatOp, IntegerOp, MemoryOp, ViewOp};
use tile_core::types::{PartitionViewType, TensorViewType, TypeKind};
use tile_core::verify::verify;
use tile_core::{Diagnostics, Loc, Module, Scalar, Type};

const LOC: Loc = Loc::UNKNOWN;

fn main() {
    divan::main();
}

#[divan::bench(args = [10_000, 100_000, 1_000_000])]
fn mixed(bencher: Bencher<'_, '_>, count: usize) {
    let module = module(count);
    let ops = module.num_ops();
    let mut module = Some(module);
    bencher.counter(ItemsCount::new(ops)).bench_local(|| {
        let mut diagnostics = Diagnostics::new();
        let verified = verify(module.take().expect("given back below"), &mut diagnostics);
        let verified = verified.unwrap_or_else(|_| panic!("{:?}", diagnostics.take()));
        module = Some(verified.into_inner());
    });
}

/// Builds a module of at least `count` operations, in entries of about a thousand each.
fn module(count: usize) -> Module {
    let mut module = Module::new("m");
    for number in 0.. {
        if module.num_ops() >= count {
            break;
        }
        entry(&mut Builder::new(&mut module), &format!("k{number}"));
    }
    module
}

fn entry(builder: &mut Builder<'_>, name: &str) {
    let number = Type::scalar(Scalar::I32);
    let (_, args) = builder.entry(name, &[number, Type::pointer(Scalar::F32)], LOC);
    let tensor = TensorViewType {
        element: Scalar::F32,
        shape: vec![None],
        strides: vec![Some(1)],
    };
    let view = builder
        .op(ViewOp::MakeTensorView, LOC)
        .operand("base", args[1])
        .operands("dynamicShape", &args[..1])
        .result(Type::new(TypeKind::TensorView(tensor.clone())))
        .finish_value();
    let partition = PartitionViewType::new(&[128], tensor, None).intern();
    let view = builder
        .op(ViewOp::MakePartitionView, LOC)
        .operand("tensor_view", view)
        .result(partition)
        .finish_value();
    let mut token = builder
        .op(MemoryOp::MakeToken, LOC)
        .result(Type::token())
        .finish_value();
    for _ in 0..40 {
        token = step(builder, args[0], view, token);
    }
    builder.terminate(ControlFlowOp::Return, &[], LOC);
}

/// Emits a load of a tile, computations on it in a loop and a branch, and a store.
fn step(builder: &mut Builder<'_>, n: ValueId, view: ValueId, token: ValueId) -> ValueId {
    let tile = Type::tile(Scalar::F32, &[128]);
    let weak = Attr::MemoryOrdering(MemoryOrdering::Weak);
    let loaded = builder
        .op(ViewOp::LoadViewTko, LOC)
        .attr("memory_ordering_semantics", weak.clone())
        .operand("view", view)
        .operands("index", &[n])
        .operand("token", token)
        .results(&[tile, Type::token()])
        .finish_values();
    let looped = builder
        .op(ControlFlowOp::For, LOC)
        .args(&[n, n, n])
        .operands("initValues", &loaded[..1])
        .result(tile)
        .finish();
    let body = builder.add_region_block(looped);
    let module = builder.module();
    let number = module.ty(n);
    let i = module.add_block_arg(body, number, LOC);
    let carried = module.add_block_arg(body, tile, LOC);
    let outer = builder.set_block(body);
    let (i, carried) = compute(builder, i, carried);
    let zero = builder.const_i32(0, LOC);
    let is_even = builder.cmpi(
        tile_core::ir::ComparisonPredicate::Equal,
        i,
        zero,
        tile_core::ir::Signedness::Signed,
        LOC,
    );
    let branch = builder
        .op(ControlFlowOp::If, LOC)
        .args(&[is_even])
        .result(tile)
        .finish();
    for _ in 0..2 {
        let block = builder.add_region_block(branch);
        let around = builder.set_block(block);
        let (_, value) = compute(builder, i, carried);
        builder.terminate(ControlFlowOp::Yield, &[value], LOC);
        builder.set_block(around);
    }
    let chosen = builder.module().op(branch).result();
    builder.terminate(ControlFlowOp::Continue, &[chosen], LOC);
    builder.set_block(outer);
    let result = builder.module().op(looped).result();
    builder
        .op(ViewOp::StoreViewTko, LOC)
        .attr("memory_ordering_semantics", weak)
        .operand("tile", result)
        .operand("view", view)
        .operands("index", &[n])
        .operand("token", loaded[1])
        .result(Type::token())
        .finish_value()
}

/// Emits a few operations on numbers and tiles.
fn compute(builder: &mut Builder<'_>, i: ValueId, tile: ValueId) -> (ValueId, ValueId) {
    let (number, ty) = (builder.ty(i), builder.ty(tile));
    let mut i = i;
    for opcode in [IntegerOp::AddI, IntegerOp::MulI, IntegerOp::SubI] {
        i = builder
            .op(opcode, LOC)
            .args(&[i, i])
            .result(number)
            .finish_value();
    }
    let mut tile = tile;
    for opcode in [FloatOp::AddF, FloatOp::MulF, FloatOp::SubF] {
        tile = builder
            .op(opcode, LOC)
            .args(&[tile, tile])
            .result(ty)
            .finish_value();
    }
    let args = [tile, tile, tile];
    let tile = builder
        .op(FloatOp::Fma, LOC)
        .args(&args)
        .result(ty)
        .finish_value();
    (i, tile)
}

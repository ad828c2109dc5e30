//! Measures canonicalization, in operations per second, on modules of 10 thousand to a
//! million operations. A module ten times as large may take at most twelve times as long,
//! so each rate may be at most a sixth lower than that of the previous row. Entries have
//! about a thousand operations. In `one_entry`, a single entry has all operations; in
//! `large_loop`, the body of one loop has all of them.
//!
//! A sample canonicalizes at least [`SAMPLE`] operations, in several modules if necessary.
//! Otherwise small modules would still be cached from their construction, and the figures
//! would compare caches.

use divan::Bencher;
use divan::counter::ItemsCount;
use tile_core::build::Builder;
use tile_core::canonicalize::{Preset, canonicalize_with};
use tile_core::ir::{ComparisonPredicate, Signedness, ValueId};
use tile_core::ops::{BitwiseOp, ControlFlowOp, CoreOp, FloatOp, IntegerOp, MemoryOp};
use tile_core::pass::Trace;
use tile_core::verify::{Verified, verify};
use tile_core::{Diagnostics, Loc, Module, Scalar, Type};

const LOC: Loc = Loc::UNKNOWN;

fn main() {
    divan::main();
}

/// The approximate number of operations of an entry.
const ENTRY: usize = 1_000;

/// The minimum number of operations of a sample.
const SAMPLE: usize = 100_000;

#[divan::bench(args = [10_000, 100_000, 1_000_000])]
fn public(bencher: Bencher<'_, '_>, count: usize) {
    run(bencher, &module(count, ENTRY), Preset::Public);
}

#[divan::bench(args = [10_000, 100_000, 1_000_000])]
fn full(bencher: Bencher<'_, '_>, count: usize) {
    run(bencher, &module(count, ENTRY), Preset::Full);
}

#[divan::bench(args = [10_000, 100_000, 1_000_000])]
fn one_entry(bencher: Bencher<'_, '_>, count: usize) {
    run(bencher, &module(count, count), Preset::Full);
}

#[divan::bench(args = [10_000, 100_000, 1_000_000])]
fn large_loop(bencher: Bencher<'_, '_>, count: usize) {
    run(bencher, &loop_module(count), Preset::Full);
}

/// Measures a module that is already canonical, as most runs in a pass pipeline see.
#[divan::bench(args = [10_000, 100_000])]
fn again(bencher: Bencher<'_, '_>, count: usize) {
    let module = canonicalize_with(module(count, ENTRY), Preset::Full, &mut Trace::new());
    run(bencher, &verified(module), Preset::Full);
}

fn run(bencher: Bencher<'_, '_>, module: &Verified, preset: Preset) {
    let ops = module.num_ops();
    let copies = SAMPLE.div_ceil(ops);
    bencher
        .counter(ItemsCount::new(copies * ops))
        .with_inputs(|| vec![module.clone(); copies])
        .bench_local_values(|modules| -> Vec<Module> {
            let canonicalize = |module| canonicalize_with(module, preset, &mut Trace::new());
            modules.into_iter().map(canonicalize).collect()
        });
}

fn verified(module: Module) -> Verified {
    let mut diagnostics = Diagnostics::new();
    let verified = verify(module, &mut diagnostics);
    verified.unwrap_or_else(|_| panic!("{:?}", diagnostics.take()))
}

/// Makes a module of at least `count` operations, in entries of at least `entry` each. About a
/// third of the operations can be removed.
fn module(count: usize, entry: usize) -> Verified {
    let mut module = Module::new("m");
    while module.num_ops() < count {
        let name = format!("k{}", module.num_ops());
        let end = module.num_ops() + entry;
        let mut builder = Builder::new(&mut module);
        let number = Type::scalar(Scalar::I32);
        let params = [number, Type::pointer(Scalar::F32), Type::scalar(Scalar::I1)];
        let (_, args) = builder.entry(&name, &params, LOC);
        let mut x = args[0];
        while builder.module().num_ops() < end {
            x = step(&mut builder, [x, args[0], args[1], args[2]]);
        }
        builder.terminate(ControlFlowOp::Return, &[], LOC);
    }
    verified(module)
}

/// Makes a module with all operations in the body of one loop.
fn loop_module(count: usize) -> Verified {
    let mut module = Module::new("m");
    let mut builder = Builder::new(&mut module);
    let number = Type::scalar(Scalar::I32);
    let params = [number, Type::pointer(Scalar::F32), Type::scalar(Scalar::I1)];
    let (_, args) = builder.entry("k", &params, LOC);
    let outside = builder.block();
    let [zero, one] = [0, 1].map(|value| builder.const_i32(value, LOC));
    let counted = builder
        .op(ControlFlowOp::For, LOC)
        .args(&[zero, args[0], one, args[0]])
        .results(&[number])
        .finish();
    let body = builder.add_region_block(counted);
    let index = builder.module().add_block_arg(body, number, LOC);
    let mut x = builder.module().add_block_arg(body, number, LOC);
    builder.set_block(body);
    while builder.module().num_ops() < count {
        x = step(&mut builder, [x, index, args[1], args[2]]);
    }
    builder.terminate(ControlFlowOp::Continue, &[x], LOC);
    builder.set_block(outside);
    builder.terminate(ControlFlowOp::Return, &[], LOC);
    verified(module)
}

/// Emits address arithmetic with repetitions and constants, a branch, a load and a store.
fn step(builder: &mut Builder<'_>, [x, n, pointer, flag]: [ValueId; 4]) -> ValueId {
    let (one, two) = (builder.const_i32(1, LOC), builder.const_i32(2, LOC));
    let three = builder.wrapping(IntegerOp::AddI, &[one, two], LOC);
    let a = builder.wrapping(IntegerOp::MulI, &[x, n], LOC);
    let b = builder.wrapping(IntegerOp::MulI, &[x, n], LOC);
    let sum = builder.wrapping(IntegerOp::AddI, &[a, three], LOC);
    let same = builder.wrapping(IntegerOp::AddI, &[b, three], LOC);
    let _unused = builder.wrapping(IntegerOp::SubI, &[same, sum], LOC);
    let is_less = builder.cmpi(
        ComparisonPredicate::LessThan,
        sum,
        n,
        Signedness::Signed,
        LOC,
    );
    let truth = builder.splat(Scalar::I1, 1, &[], LOC);
    let is_not = builder.like_first(BitwiseOp::XorI, &[is_less, truth], LOC);
    let chosen = builder
        .op(CoreOp::Select, LOC)
        .args(&[is_not, sum, same])
        .result(Type::scalar(Scalar::I32))
        .finish_value();
    let branch = builder
        .op(ControlFlowOp::If, LOC)
        .operand("condition", flag)
        .results(&[Type::scalar(Scalar::I32)])
        .finish();
    let outside = builder.block();
    for value in [chosen, x] {
        let block = builder.add_region_block(branch);
        builder.set_block(block);
        builder.terminate(ControlFlowOp::Yield, &[value], LOC);
    }
    builder.set_block(outside);
    let index = builder.module().op(branch).results[0];
    let place = builder
        .op(CoreOp::Offset, LOC)
        .args(&[pointer, index])
        .result(Type::pointer(Scalar::F32))
        .finish_value();
    let weak = tile_core::ir::MemoryOrdering::Weak;
    let weak = tile_core::ir::Attr::MemoryOrdering(weak);
    let loaded = builder
        .op(MemoryOp::LoadPtrTko, LOC)
        .attr("memory_ordering_semantics", weak.clone())
        .operand("source", place)
        .result(Type::scalar(Scalar::F32))
        .result(Type::token())
        .finish_values();
    let doubled = builder.like_first(FloatOp::AddF, &[loaded[0], loaded[0]], LOC);
    builder
        .op(MemoryOp::StorePtrTko, LOC)
        .attr("memory_ordering_semantics", weak)
        .operand("destination", place)
        .operand("value", doubled)
        .operand("token", loaded[1])
        .result(Type::token())
        .finish();
    index
}

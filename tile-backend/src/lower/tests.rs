//! Tests the structure of the GPU IR of lowered kernels.

use crate::gpu::{self, Kernel, OpKind};
use crate::passes;
use crate::remarks::Remarks;
use crate::schedule::retry::Feedback;
use crate::target::Arch;
use tile_core::build::Builder;
use tile_core::diag::Diagnostics;
use tile_core::ir::{AssumePredicate, Attr, MemoryOrdering, TypedScalar, ValueId};
use tile_core::ops::{ControlFlowOp, ConversionOp, CoreOp, FloatOp, ViewOp};
use tile_core::types::{PaddingValue, PartitionViewType, TensorViewType};
use tile_core::{Loc, Module, Reported, Scalar, Type};

const LOC: Loc = Loc::UNKNOWN;

/// Runs stage 8 alone: lowers a module without running the passes on its kernels.
fn lower(
    module: &Module,
    arch: Arch,
    num_warps: Option<u32>,
    diagnostics: &mut Diagnostics,
) -> Result<Vec<Kernel>, Reported> {
    let remarks = &mut Remarks::default();
    let lowered = super::lower(
        module,
        arch,
        num_warps.into(),
        Feedback::default(),
        remarks,
        diagnostics,
    )?;
    Ok(lowered.into_iter().map(|(kernel, _)| kernel).collect())
}

/// A tensor parameter of a test kernel.
struct Tensor {
    element: Scalar,
    view: ValueId,
    ty: TensorViewType,
}

/// Builds an entry whose parameters are tensors in the `fast` form: the base is aligned, shape and strides
/// have 32 bits, the innermost stride is 1, and the other strides are divisible.
fn kernel(tensors: &[(Scalar, usize)], body: impl FnOnce(&mut Builder<'_>, &[Tensor])) -> Module {
    let mut module = Module::new("kernels");
    let mut builder = Builder::new(&mut module);
    let mut params = Vec::new();
    for &(element, rank) in tensors {
        params.push(Type::pointer(element));
        params.extend(vec![Type::scalar(Scalar::I32); 2 * rank]);
    }
    let (_, args) = builder.entry("test", &params, LOC);
    let mut argument = 0;
    let mut views = Vec::new();
    for &(element, rank) in tensors {
        let div = |divisor| AssumePredicate::DivBy {
            divisor,
            every: None,
            along: None,
        };
        let base = builder.assume(args[argument], div(16), LOC);
        let shape = args[argument + 1..=argument + rank].to_vec();
        let strides: Vec<ValueId> = args[argument + rank + 1..argument + 2 * rank]
            .iter()
            .map(|&stride| builder.assume(stride, div(16 / element.bytes() as u64), LOC))
            .collect();
        argument += 1 + 2 * rank;
        let mut stride_types = vec![None; rank - 1];
        stride_types.push(Some(1));
        let ty = TensorViewType {
            element,
            shape: vec![None; rank],
            strides: stride_types,
        };
        let view = builder
            .op(ViewOp::MakeTensorView, LOC)
            .operand("base", base)
            .operands("dynamicShape", &shape)
            .operands("dynamicStrides", &strides)
            .result(Type::new(tile_core::types::TypeKind::TensorView(
                ty.clone(),
            )))
            .finish_value();
        views.push(Tensor { element, view, ty });
    }
    body(&mut builder, &views);
    builder.terminate(ControlFlowOp::Return, &[], LOC);
    module
}

fn partition(builder: &mut Builder<'_>, tensor: &Tensor, tile: &[i32]) -> ValueId {
    let ty = PartitionViewType::new(tile, tensor.ty.clone(), Some(PaddingValue::Zero));
    builder
        .op(ViewOp::MakePartitionView, LOC)
        .operand("tensor_view", tensor.view)
        .result(ty.intern())
        .finish_value()
}

fn load(builder: &mut Builder<'_>, tensor: &Tensor, tile: &[i32], index: &[ValueId]) -> ValueId {
    load_after(builder, tensor, tile, index, None).0
}

/// Adds a load; returns its result and its token.
fn load_after(
    builder: &mut Builder<'_>,
    tensor: &Tensor,
    tile: &[i32],
    index: &[ValueId],
    token: Option<ValueId>,
) -> (ValueId, ValueId) {
    let view = partition(builder, tensor, tile);
    let shape: Vec<i64> = tile.iter().map(|&dim| i64::from(dim)).collect();
    let results = builder
        .op(ViewOp::LoadViewTko, LOC)
        .operand("view", view)
        .operands("index", index)
        .operands("token", token.as_slice())
        .attr(
            "memory_ordering_semantics",
            Attr::MemoryOrdering(MemoryOrdering::Weak),
        )
        .result(Type::tile(tensor.element, &shape))
        .result(Type::token())
        .finish_values();
    (results[0], results[1])
}

fn store(
    builder: &mut Builder<'_>,
    tensor: &Tensor,
    tile: &[i32],
    index: &[ValueId],
    value: ValueId,
) {
    store_after(builder, tensor, tile, index, value, None);
}

/// Adds a store; returns its token.
fn store_after(
    builder: &mut Builder<'_>,
    tensor: &Tensor,
    tile: &[i32],
    index: &[ValueId],
    value: ValueId,
    token: Option<ValueId>,
) -> ValueId {
    let view = partition(builder, tensor, tile);
    builder
        .op(ViewOp::StoreViewTko, LOC)
        .operand("tile", value)
        .operand("view", view)
        .operands("index", index)
        .operands("token", token.as_slice())
        .attr(
            "memory_ordering_semantics",
            Attr::MemoryOrdering(MemoryOrdering::Weak),
        )
        .result(Type::token())
        .finish_value()
}

fn block_id(builder: &mut Builder<'_>) -> [ValueId; 3] {
    let i32s = [Type::scalar(Scalar::I32); 3];
    let ids = builder
        .op(CoreOp::GetTileBlockId, LOC)
        .results(&i32s)
        .finish_values();
    [ids[0], ids[1], ids[2]]
}

fn vector_add(size: i32) -> Module {
    kernel(&[(Scalar::F32, 1); 3], |builder, tensors| {
        let [i, _, _] = block_id(builder);
        let x = load(builder, &tensors[0], &[size], &[i]);
        let y = load(builder, &tensors[1], &[size], &[i]);
        let sum = builder.like_first(FloatOp::AddF, &[x, y], LOC);
        store(builder, &tensors[2], &[size], &[i], sum);
    })
}

fn reduced(builder: &mut Builder<'_>, tile: ValueId, combine: FloatOp, identity: f32) -> ValueId {
    let (scalar, shape) = builder.ty(tile).as_number_tile().expect("a tile");
    let rest: Vec<i64> = shape[..shape.len() - 1].to_vec();
    let op = builder
        .op(CoreOp::Reduce, LOC)
        .operands("operands", &[tile])
        .attr(
            "dim",
            Attr::Int(i64::try_from(rest.len()).expect("few axes")),
        )
        .attr(
            "identities",
            Attr::Scalars(
                [TypedScalar {
                    scalar,
                    bits: u64::from(identity.to_bits()),
                }]
                .into(),
            ),
        )
        .result(Type::tile(scalar, &rest))
        .finish();
    let body = builder.add_region_block(op);
    let element = Type::scalar(scalar);
    let lhs = builder.module().add_block_arg(body, element, LOC);
    let rhs = builder.module().add_block_arg(body, element, LOC);
    let outer = builder.set_block(body);
    let both = builder.like_first(combine, &[lhs, rhs], LOC);
    builder.terminate(ControlFlowOp::Yield, &[both], LOC);
    builder.set_block(outer);
    builder.module().op(op).result()
}

fn softmax(size: i32) -> Module {
    kernel(&[(Scalar::F32, 2); 2], |builder, tensors| {
        let [row, _, _] = block_id(builder);
        let zero = builder.const_i32(0, LOC);
        let shape = [1, i64::from(size)];
        let x = load(builder, &tensors[0], &[1, size], &[row, zero]);
        let top = reduced(builder, x, FloatOp::MaxF, f32::NEG_INFINITY);
        let top = builder.reshape(top, &[1, 1], LOC);
        let top = builder.broadcast(top, &shape, LOC);
        let x = builder.like_first(FloatOp::SubF, &[x, top], LOC);
        let e = builder.like_first(FloatOp::Exp, &[x], LOC);
        let sum = reduced(builder, e, FloatOp::AddF, 0.0);
        let sum = builder.reshape(sum, &[1, 1], LOC);
        let sum = builder.broadcast(sum, &shape, LOC);
        let y = builder.like_first(FloatOp::DivF, &[e, sum], LOC);
        store(builder, &tensors[1], &[1, size], &[row, zero], y);
    })
}

#[expect(clippy::many_single_char_names, reason = "matrices and extents")]
fn matmul(m: i32, n: i32, k: i32) -> Module {
    let tensors = [(Scalar::BF16, 2), (Scalar::BF16, 2), (Scalar::F32, 2)];
    kernel(&tensors, |builder, tensors| {
        let [row, column, _] = block_id(builder);
        let (zero, one) = (builder.const_i32(0, LOC), builder.const_i32(1, LOC));
        let view = partition(builder, &tensors[0], &[m, k]);
        let counts = builder
            .op(ViewOp::GetIndexSpaceShape, LOC)
            .args(&[view])
            .results(&[Type::scalar(Scalar::I32); 2])
            .finish_values();
        let shape = [i64::from(m), i64::from(n)];
        let acc = builder.splat(Scalar::F32, 0, &shape, LOC);
        let ty = Type::tile(Scalar::F32, &shape);
        let steps = builder
            .op(ControlFlowOp::For, LOC)
            .args(&[zero, counts[1], one])
            .operands("initValues", &[acc])
            .result(ty)
            .finish();
        let body = builder.add_region_block(steps);
        let step = builder
            .module()
            .add_block_arg(body, Type::scalar(Scalar::I32), LOC);
        let acc = builder.module().add_block_arg(body, ty, LOC);
        let outer = builder.set_block(body);
        let a = load(builder, &tensors[0], &[m, k], &[row, step]);
        let b = load(builder, &tensors[1], &[k, n], &[step, column]);
        let next = builder
            .op(FloatOp::MmaF, LOC)
            .args(&[a, b, acc])
            .result(ty)
            .finish_value();
        builder.terminate(ControlFlowOp::Continue, &[next], LOC);
        builder.set_block(outer);
        let acc = builder.module().op(steps).result();
        store(builder, &tensors[2], &[m, n], &[row, column], acc);
    })
}

fn lowered(module: &Module) -> Kernel {
    let mut diagnostics = Diagnostics::new();
    let kernels = lower(module, Arch::SM_80, None, &mut diagnostics);
    let faults: Vec<String> = diagnostics.take().into_iter().map(|d| d.message).collect();
    let mut kernel = kernels.unwrap_or_else(|_| panic!("{faults:?}")).remove(0);
    passes::allocate_shared(&mut kernel);
    passes::barriers(&mut kernel);
    assert_eq!(
        gpu::verify(&kernel),
        Vec::<String>::new(),
        "{}",
        gpu::to_text(&kernel)
    );
    kernel
}

/// Counts the operations, in all blocks, that satisfy a condition.
fn count(kernel: &Kernel, is: impl Fn(&OpKind) -> bool + Copy) -> usize {
    fn in_block(
        kernel: &Kernel,
        block: gpu::BlockId,
        is: impl Fn(&OpKind) -> bool + Copy,
    ) -> usize {
        let ops = kernel.block(block).ops.iter().map(|&op| kernel.op(op));
        ops.map(|op| {
            let nested: usize = op.blocks.iter().map(|&b| in_block(kernel, b, is)).sum();
            nested + usize::from(is(&op.kind))
        })
        .sum()
    }
    in_block(kernel, kernel.body(), is)
}

#[test]
fn a_vector_add_needs_no_shared_memory_and_16_byte_accesses() {
    let kernel = lowered(&vector_add(1024));
    assert_eq!(kernel.shared.bytes, 0);
    assert_eq!(count(&kernel, |kind| matches!(kind, OpKind::Barrier)), 0);
    let wide = |kind: &OpKind| matches!(kind, OpKind::LoadGlobal(tile) | OpKind::StoreGlobal(tile) if tile.vector_elements == 4);
    assert_eq!(count(&kernel, wide), 3);
}

#[test]
fn a_tile_in_place_needs_a_barrier_where_several_threads_hold_an_element() {
    let in_place = |size, is_ordered: bool| {
        kernel(&[(Scalar::F32, 1)], |builder, tensors| {
            let [i, _, _] = block_id(builder);
            let (x, token) = load_after(builder, &tensors[0], &[size], &[i], None);
            let sum = builder.like_first(FloatOp::AddF, &[x, x], LOC);
            let token = is_ordered.then_some(token);
            store_after(builder, &tensors[0], &[size], &[i], sum, token);
        })
    };
    // With 1,024 elements, every thread has elements of its own; 16 elements are held by many threads.
    // Without a token, no order is required.
    for (size, is_ordered, barriers) in [(1024, true, 0), (16, true, 1), (16, false, 0)] {
        let kernel = lowered(&in_place(size, is_ordered));
        let num_barriers = count(&kernel, |kind| matches!(kind, OpKind::Barrier));
        assert_eq!(num_barriers, barriers, "{}", gpu::to_text(&kernel));
    }
}

#[test]
fn a_softmax_exchanges_only_partial_results() {
    let kernel = lowered(&softmax(1024));
    let text = gpu::to_text(&kernel);
    assert_eq!(
        count(&kernel, |kind| matches!(kind, OpKind::StoreShared(_))),
        0,
        "{text}"
    );
    assert_eq!(
        count(&kernel, |kind| matches!(kind, OpKind::CombinePartials(_))),
        2,
        "{text}"
    );
    // There is one barrier for each exchange, since the two exchanges share no bytes.
    assert_eq!(
        count(&kernel, |kind| matches!(kind, OpKind::Barrier)),
        2,
        "{text}"
    );
}

#[test]
fn a_matmul_feeds_fragments_by_ldmatrix_and_keeps_its_accumulator_in_place() {
    let kernel = lowered(&matmul(64, 64, 32));
    let text = gpu::to_text(&kernel);
    assert_eq!(
        count(&kernel, |kind| matches!(kind, OpKind::LoadMatrix(_))),
        2,
        "{text}"
    );
    assert_eq!(
        count(&kernel, |kind| matches!(kind, OpKind::Mma(_))),
        1,
        "{text}"
    );
    // The only other exchange converts the accumulator to a layout of whole cache lines.
    assert_eq!(
        count(&kernel, |kind| matches!(kind, OpKind::LoadShared(_))),
        1,
        "{text}"
    );
    assert_eq!(kernel.shared.bytes, 64 * 64 * 4, "{text}");
    // Each iteration has one barrier before both operands are written, and one after. The exchange of the
    // accumulator has two more.
    assert_eq!(
        count(&kernel, |kind| matches!(kind, OpKind::Barrier)),
        4,
        "{text}"
    );
}

#[test]
fn a_product_of_f32_is_not_for_tensor_cores() {
    let module = kernel(&[(Scalar::F32, 2); 3], |builder, tensors| {
        let [row, column, _] = block_id(builder);
        let a = load(builder, &tensors[0], &[16, 16], &[row, column]);
        let b = load(builder, &tensors[1], &[16, 16], &[row, column]);
        let c = builder.splat(Scalar::F32, 0, &[16, 16], LOC);
        let product = builder
            .op(FloatOp::MmaF, LOC)
            .args(&[a, b, c])
            .result(Type::tile(Scalar::F32, &[16, 16]))
            .finish_value();
        store(builder, &tensors[2], &[16, 16], &[row, column], product);
    });
    let kernel = lowered(&module);
    let text = crate::gpu::to_text(&kernel);
    assert_eq!(
        count(&kernel, |kind| matches!(kind, OpKind::Mma(_))),
        0,
        "{text}"
    );
    assert_eq!(
        count(&kernel, |kind| matches!(kind, OpKind::MmaLoop(_))),
        1,
        "{text}"
    );
}

#[test]
fn a_value_used_through_two_element_types_meets_without_an_exchange() {
    let tensors = [(Scalar::BF16, 1), (Scalar::F32, 1)];
    let module = kernel(&tensors, |builder, tensors| {
        let [i, _, _] = block_id(builder);
        let x = load(builder, &tensors[0], &[4096], &[i]);
        let x = builder.convert(ConversionOp::FToF, x, Scalar::F32, None, LOC);
        let y = load(builder, &tensors[1], &[4096], &[i]);
        let sum = builder.like_first(FloatOp::AddF, &[x, y], LOC);
        store(builder, &tensors[1], &[4096], &[i], sum);
    });
    let kernel = lowered(&module);
    assert_eq!(kernel.shared.bytes, 0, "{}", gpu::to_text(&kernel));
    // Each thread stores to the elements that it has loaded itself.
    assert_eq!(count(&kernel, |kind| matches!(kind, OpKind::Barrier)), 0);
}

#[test]
fn a_tile_stored_and_loaded_elsewhere_waits_for_all_threads() {
    let module = kernel(&[(Scalar::F32, 1); 2], |builder, tensors| {
        let [i, _, _] = block_id(builder);
        let zero = builder.const_i32(0, LOC);
        let x = load(builder, &tensors[0], &[256], &[i]);
        let stored = store_after(builder, &tensors[1], &[256], &[zero], x, None);
        let (again, loaded) = load_after(builder, &tensors[1], &[128], &[zero], Some(stored));
        store_after(builder, &tensors[1], &[128], &[i], again, Some(loaded));
    });
    let kernel = lowered(&module);
    let text = gpu::to_text(&kernel);
    assert_eq!(
        count(&kernel, |kind| matches!(kind, OpKind::Barrier)),
        2,
        "{text}"
    );
}

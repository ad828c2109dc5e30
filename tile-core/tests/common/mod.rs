//! Kernels made with the builder, shared by the tests of several stages.

#![allow(dead_code, reason = "every test binary uses a part of this")]
#![allow(clippy::many_single_char_names, reason = "matrices and vectors")]

use tile_core::build::Builder;
use tile_core::ir::{Attr, Loc, MemoryOrdering, Module, TypedScalar, ValueId};
use tile_core::ops::{ControlFlowOp, CoreOp, FloatOp, IntegerOp, MemoryOp, ViewOp};
use tile_core::types::{PaddingValue, PartitionViewType, Scalar, TensorViewType, Type};

pub(crate) const LOC: Loc = Loc::UNKNOWN;

/// Makes a location with a line number, by which a test recognizes where a fault occurred.
pub(crate) fn line(line: u32) -> Loc {
    Loc::file("kernel.rs", line, 1)
}

/// Returns the parameter types of a tensor: base pointer, extents, strides.
pub(crate) fn tensor_params(scalar: Scalar, rank: usize) -> Vec<Type> {
    let mut params = vec![Type::pointer(scalar)];
    params.extend(vec![Type::scalar(Scalar::I64); 2 * rank]);
    params
}

/// Makes a partition view of a tensor whose parameters are `args`.
pub(crate) fn partition(
    b: &mut Builder<'_>,
    scalar: Scalar,
    args: &[ValueId],
    tile: &[i32],
    padding: Option<PaddingValue>,
) -> ValueId {
    let rank = tile.len();
    let view = TensorViewType {
        element: scalar,
        shape: vec![None; rank],
        strides: vec![None; rank],
    };
    let tensor = b
        .op(ViewOp::MakeTensorView, LOC)
        .operand("base", args[0])
        .operands("dynamicShape", &args[1..=rank])
        .operands("dynamicStrides", &args[1 + rank..=2 * rank])
        .result(Type::new(tile_core::types::TypeKind::TensorView(
            view.clone(),
        )))
        .finish_value();
    b.op(ViewOp::MakePartitionView, LOC)
        .operand("tensor_view", tensor)
        .result(PartitionViewType::new(tile, view, padding).intern())
        .finish_value()
}

pub(crate) fn token(b: &mut Builder<'_>) -> ValueId {
    b.op(MemoryOp::MakeToken, LOC)
        .result(Type::token())
        .finish_value()
}

pub(crate) fn load(b: &mut Builder<'_>, view: ValueId, index: &[ValueId], loc: Loc) -> ValueId {
    let tile = b
        .ty(view)
        .as_partition_view()
        .expect("a partition view")
        .tile_type();
    b.op(ViewOp::LoadViewTko, loc)
        .operand("view", view)
        .operands("index", index)
        .attr(
            "memory_ordering_semantics",
            Attr::MemoryOrdering(MemoryOrdering::Weak),
        )
        .result(tile)
        .result(Type::token())
        .finish_value()
}

pub(crate) fn store(
    b: &mut Builder<'_>,
    tile: ValueId,
    view: ValueId,
    index: &[ValueId],
    loc: Loc,
) {
    b.op(ViewOp::StoreViewTko, loc)
        .operand("tile", tile)
        .operand("view", view)
        .operands("index", index)
        .attr(
            "memory_ordering_semantics",
            Attr::MemoryOrdering(MemoryOrdering::Weak),
        )
        .result(Type::token())
        .finish();
}

pub(crate) fn block_ids(b: &mut Builder<'_>) -> [ValueId; 3] {
    let int = Type::scalar(Scalar::I32);
    let ids = b
        .op(CoreOp::GetTileBlockId, LOC)
        .results(&[int; 3])
        .finish_values();
    [ids[0], ids[1], ids[2]]
}

/// Makes a `reduce` along `dim` with a body of one operation.
pub(crate) fn reduce(
    b: &mut Builder<'_>,
    source: ValueId,
    dim: usize,
    identity: u64,
    body: impl FnOnce(&mut Builder<'_>, ValueId, ValueId) -> ValueId,
) -> ValueId {
    let (scalar, shape) = b.ty(source).as_number_tile().expect("a tile of numbers");
    let mut rest = shape.to_vec();
    rest.remove(dim);
    let op = b
        .op(CoreOp::Reduce, LOC)
        .operand("operands", source)
        .attr("dim", Attr::Int(i64::try_from(dim).expect("small")))
        .attr(
            "identities",
            Attr::Scalars(
                [TypedScalar {
                    scalar,
                    bits: identity,
                }]
                .into(),
            ),
        )
        .result(Type::tile(scalar, &rest))
        .finish();
    let block = b.add_region_block(op);
    let element = Type::scalar(scalar);
    let x = b.module().add_block_arg(block, element, LOC);
    let acc = b.module().add_block_arg(block, element, LOC);
    let outer = b.set_block(block);
    let result = body(b, x, acc);
    b.terminate(ControlFlowOp::Yield, &[result], LOC);
    b.set_block(outer);
    b.module().op(op).result()
}

/// Makes the kernel `z = x + y` over vectors, with `tile` elements per block.
pub(crate) fn vector_add(scalar: Scalar, tile: i32) -> Module {
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    let params = tensor_params(scalar, 1).repeat(3);
    let (_, args) = b.entry("vector_add", &params, LOC);
    let [i, _, _] = block_ids(&mut b);
    let x = partition(&mut b, scalar, &args[0..3], &[tile], None);
    let y = partition(&mut b, scalar, &args[3..6], &[tile], None);
    let z = partition(&mut b, scalar, &args[6..9], &[tile], None);
    let x = load(&mut b, x, &[i], line(1));
    let y = load(&mut b, y, &[i], line(2));
    let op: tile_core::ops::Opcode = if scalar.is_float() {
        FloatOp::AddF.into()
    } else {
        IntegerOp::AddI.into()
    };
    let sum = b.like_first(op, &[x, y], LOC);
    store(&mut b, sum, z, &[i], line(3));
    b.terminate(ControlFlowOp::Return, &[], LOC);
    module
}

/// Makes the kernel `y[r, :] = softmax(x[r, :])`, with one row of at most `width` elements per
/// block.
pub(crate) fn softmax(width: i32) -> Module {
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    let f32 = Scalar::F32;
    let params = [tensor_params(f32, 2), tensor_params(f32, 2)].concat();
    let (_, args) = b.entry("softmax", &params, LOC);
    let [row, _, _] = block_ids(&mut b);
    let zero = b.const_i32(0, LOC);
    let tile = [1, width];
    let shape = [1, i64::from(width)];
    let x = partition(&mut b, f32, &args[0..5], &tile, Some(PaddingValue::NegInf));
    let y = partition(&mut b, f32, &args[5..10], &tile, None);
    let x = load(&mut b, x, &[row, zero], LOC);
    let low = u64::from(f32::NEG_INFINITY.to_bits());
    let max = reduce(&mut b, x, 1, low, |b, x, acc| {
        b.like_first(FloatOp::MaxF, &[x, acc], LOC)
    });
    let max = b.reshape(max, &[1, 1], LOC);
    let max = b.broadcast(max, &shape, LOC);
    let shifted = b.like_first(FloatOp::SubF, &[x, max], LOC);
    let exp = b.like_first(FloatOp::Exp, &[shifted], LOC);
    let sum = reduce(&mut b, exp, 1, 0, |b, x, acc| {
        b.like_first(FloatOp::AddF, &[x, acc], LOC)
    });
    let sum = b.reshape(sum, &[1, 1], LOC);
    let sum = b.broadcast(sum, &shape, LOC);
    let out = b.like_first(FloatOp::DivF, &[exp, sum], LOC);
    store(&mut b, out, y, &[row, zero], LOC);
    b.terminate(ControlFlowOp::Return, &[], LOC);
    module
}

/// Makes the kernel `c = a * b`, accumulated in f32 (f64 for f64), in tiles of `tm` x `tn` x `tk`.
pub(crate) fn matmul(scalar: Scalar, [tm, tn, tk]: [i32; 3]) -> Module {
    let acc_scalar = if scalar == Scalar::F64 {
        Scalar::F64
    } else {
        Scalar::F32
    };
    let mut module = Module::new("kernels");
    let mut b = Builder::new(&mut module);
    let params = [
        tensor_params(scalar, 2),
        tensor_params(scalar, 2),
        tensor_params(acc_scalar, 2),
    ]
    .concat();
    let (_, args) = b.entry("matmul", &params, LOC);
    let [i, j, _] = block_ids(&mut b);
    let zero = Some(PaddingValue::Zero);
    let lhs = partition(&mut b, scalar, &args[0..5], &[tm, tk], zero);
    let rhs = partition(&mut b, scalar, &args[5..10], &[tk, tn], zero);
    let out = partition(&mut b, acc_scalar, &args[10..15], &[tm, tn], None);
    let int = Type::scalar(Scalar::I32);
    let tiles = b
        .op(ViewOp::GetIndexSpaceShape, LOC)
        .operand("src", lhs)
        .results(&[int; 2])
        .finish_values()[1];
    let shape = [i64::from(tm), i64::from(tn)];
    let start = b.splat(acc_scalar, 0, &shape, LOC);
    let first = b.const_i32(0, LOC);
    let step = b.const_i32(1, LOC);
    let ty = Type::tile(acc_scalar, &shape);
    let for_op = b
        .op(ControlFlowOp::For, LOC)
        .args(&[first, tiles, step])
        .operand("initValues", start)
        .result(ty)
        .finish();
    let body = b.add_region_block(for_op);
    let k = b.module().add_block_arg(body, int, LOC);
    let acc = b.module().add_block_arg(body, ty, LOC);
    let outer = b.set_block(body);
    let x = load(&mut b, lhs, &[i, k], LOC);
    let y = load(&mut b, rhs, &[k, j], LOC);
    let next = b
        .op(FloatOp::MmaF, LOC)
        .args(&[x, y, acc])
        .result(ty)
        .finish_value();
    b.terminate(ControlFlowOp::Continue, &[next], LOC);
    b.set_block(outer);
    let result = b.module().op(for_op).result();
    store(&mut b, result, out, &[i, j], LOC);
    b.terminate(ControlFlowOp::Return, &[], LOC);
    module
}

//! Whole kernels.

use tile_core::Scalar;
use tile_core::ops::{FloatOp, Opcode};

use super::kernels::{Build, TileOf, element};
use super::{ARCHS, count, counts, has_local_memory, ptx, resources};
use crate::gpu::{Access, Kernel, MmaKind, OpKind, Partials, Ty};
use crate::layout::{
    Axis, MmaWarps, OutShape, coalesced, mma_accumulator, mma_operand_a, mma_operand_b,
    reduce_plan, row_major, swizzled_for,
};
use crate::target::Arch;

fn shape(sizes: &[u64]) -> OutShape {
    OutShape::new(sizes).expect("powers of two")
}

/// `c = a + b` on tiles of 1,024 f32, 4 warps: 2 vectors of 4 per thread.
fn vector_add() -> Kernel {
    let mut build = Build::new("vector_add", 4);
    let mut tensors = Vec::new();
    for access in [Access::Read, Access::Read, Access::Write] {
        let base = build.pointer(Scalar::F32, access);
        let extent = build.param(Scalar::I32);
        let stride = build.param(Scalar::I32);
        tensors.push((base, extent, stride));
    }
    let index = build.one(OpKind::BlockId(0), &[], Ty::Uniform(Scalar::I32));
    let tile = |number: usize| {
        let (base, extent, stride) = tensors[number];
        TileOf {
            param: 3 * number,
            base,
            axes: vec![[index, extent, stride]],
            contiguous: Some(Axis(0)),
            vector_elements: 4,
            padding: None,
            fits_32_bits: true,
        }
    };
    let layout = coalesced(&shape(&[1024]), 32, 4, 4, &[Axis(0)]);
    let a = build.load(&tile(0), Scalar::F32, &layout);
    let b = build.load(&tile(1), Scalar::F32, &layout);
    let ty = build.kernel.ty(a);
    let sum = build.compute(element(FloatOp::AddF, &[]), &[a, b], ty);
    build.store(&tile(2), sum);
    build.finish()
}

/// The text between two labels or other lines that contain the given words.
fn between<'p>(text: &'p str, from: &str, to: &str) -> &'p str {
    let start = text.find(from).expect("the first line is there");
    let end = text[start..].find(to).expect("the last line is there");
    &text[start..start + end]
}

#[test]
fn vector_add_on_whole_tiles_is_vectors_at_constant_offsets() {
    for arch in ARCHS {
        let ptx = ptx(&vector_add(), arch);
        // Four vectors on the whole path, four under predicates.
        assert_eq!(count(&ptx, "ld.global.nc.v4.b32"), 8, "{}", ptx.text());
        assert_eq!(count(&ptx, "st.global.v4.b32"), 4);
        assert_eq!(count(&ptx, "ld.global.nc.b32"), 16);
        assert_eq!(count(&ptx, "st.global.b32"), 8);
        assert_eq!(count(&ptx, "add.rn.f32"), 8);
        assert!(!has_local_memory(&ptx));
        // Thread t of block b starts at element 1024 b + 4 t; its second vector is 512 further.
        let address = between(ptx.text(), "%tid.x", "ld.global");
        for part in ["shl.b32", ", 10;", ", 2;", "mul.wide.u32", ", 4;"] {
            assert!(address.contains(part), "{part} is not in {address}");
        }
        assert!(ptx.text().contains("+2048];"));
        if let Some(used) = resources(&ptx) {
            assert_eq!((used.spill_stores_bytes, used.stack_bytes), (0, 0));
            assert!(used.registers <= 32, "{used:?}");
        }
    }
}

/// Sums rows of `x [64, 256]`, 8 warps of which 4 share a row, and writes the sums.
fn row_sums(ordered: bool) -> Kernel {
    let mut build = Build::new("row_sums", 8);
    let x = build.pointer(Scalar::F32, Access::Read);
    let y = build.pointer(Scalar::F32, Access::Write);
    let zero = build.constant(Scalar::I64, 0);
    let rows = build.param(Scalar::I64);
    let columns = build.param(Scalar::I64);
    let row_stride = build.param(Scalar::I64);
    let one = build.constant(Scalar::I64, 1);
    let tile = shape(&[8, 256]);
    let order = [Axis(1), Axis(0)];
    let layout = coalesced(&tile, 32, 1, 8, &order);
    let from = TileOf {
        param: 0,
        base: x,
        axes: vec![[zero, rows, row_stride], [zero, columns, one]],
        contiguous: None,
        vector_elements: 1,
        padding: Some(0),
        fits_32_bits: false,
    };
    let loaded = build.load(&from, Scalar::F32, &layout);
    let plan = reduce_plan(&layout, Axis(1)).expect("rows are spread over lanes and warps");
    assert!(plan.warps.is_some() && plan.lane_masks.len() == 5);
    let result = build.distributed(Scalar::F32, &plan.result);
    let body = build.kernel.add_block();
    let uniform = Ty::Uniform(Scalar::F32);
    let a = build
        .kernel
        .add_block_arg(body, uniform, super::kernels::LOC);
    let b = build
        .kernel
        .add_block_arg(body, uniform, super::kernels::LOC);
    let outer = std::mem::replace(&mut build.block, body);
    let opcode = if ordered {
        FloatOp::SubF
    } else {
        FloatOp::AddF
    };
    let sum = build.compute(element(opcode, &[]), &[a, b], uniform);
    build.run(OpKind::Yield, &[sum]);
    build.block = outer;

    let kind = OpKind::ReduceWarp(Box::new(plan.clone()));
    let partial = build.op(kind, &[loaded], &[result], &[body])[0];
    let slots = plan.warps.as_ref().expect("asserted above").slots() as u64;
    let buffer = build.buffer(Scalar::F32, slots * 8, None);
    let partials = Partials {
        plan: Box::new(plan),
        buffers: vec![buffer],
    };
    build.run(OpKind::StorePartials(partials.clone()), &[partial]);
    build.run(OpKind::Barrier, &[]);
    let kind = OpKind::CombinePartials(partials);
    let sums = build.op(kind, &[], &[result], &[body])[0];
    let to = TileOf {
        param: 1,
        base: y,
        axes: vec![[zero, rows, one]],
        ..from
    };
    build.store(&to, sums);
    build.finish()
}

#[test]
fn a_reduction_shuffles_and_goes_through_shared_memory() {
    for arch in ARCHS {
        let ptx = ptx(&row_sums(false), arch);
        std::fs::write(format!("/tmp/emit_rows_{arch}.ptx"), ptx.text()).expect("w");
        assert_eq!(count(&ptx, "bar.sync"), 1, "{}", ptx.text());
        assert!(!has_local_memory(&ptx));
        if let Some(used) = resources(&ptx) {
            assert_eq!((used.spill_stores_bytes, used.stack_bytes), (0, 0));
        }
    }
}

/// `C [64, 64] = A [64, k] * B [k, 64]` in steps of 32, through swizzled shared memory.
fn product(kind: MmaKind) -> Kernel {
    let element_type = match kind {
        MmaKind::F16 | MmaKind::F16AccF16 => Scalar::F16,
        MmaKind::BF16 => Scalar::BF16,
        MmaKind::TF32 => Scalar::F32,
    };
    let sum_type = match kind {
        MmaKind::F16AccF16 => Scalar::F16,
        MmaKind::F16 | MmaKind::BF16 | MmaKind::TF32 => Scalar::F32,
    };
    let bits = 8 * element_type.bytes() as u32;
    let vector = u64::from(128 / bits);
    let mut build = Build::new("product", 4);
    let a = build.pointer(element_type, Access::Read);
    let b = build.pointer(element_type, Access::Read);
    let c = build.pointer(sum_type, Access::Write);
    let m = build.param(Scalar::I32);
    let n = build.param(Scalar::I32);
    let k = build.param(Scalar::I32);
    let steps = build.param(Scalar::I32);
    let row = build.one(OpKind::BlockId(0), &[], Ty::Uniform(Scalar::I32));
    let column = build.one(OpKind::BlockId(1), &[], Ty::Uniform(Scalar::I32));
    let (zero, one) = (
        build.constant(Scalar::I32, 0),
        build.constant(Scalar::I32, 1),
    );

    let order = [Axis(1), Axis(0)];
    let (shape_a, shape_b, shape_c) = (shape(&[64, 32]), shape(&[32, 64]), shape(&[64, 64]));
    let warps = MmaWarps { m: 2, n: 2 };
    let shared_a = swizzled_for(&shape_a, &order, bits);
    let shared_b = swizzled_for(&shape_b, &order, bits);
    let buffer_a = build.buffer(element_type, 64 * 32, Some(&shared_a));
    let buffer_b = build.buffer(element_type, 32 * 64, Some(&shared_b));
    let operand_a = mma_operand_a(&shape_a, warps, bits).expect("fragments fit");
    let operand_b = mma_operand_b(&shape_b, warps, bits).expect("fragments fit");
    let accumulator = mma_accumulator(&shape_c, warps).expect("fragments fit");
    let sums = build.distributed(sum_type, &accumulator);
    let start = build.one(OpKind::Constant(0), &[], sums);

    let body = build.kernel.add_block();
    let uniform = Ty::Uniform(Scalar::I32);
    let step = build
        .kernel
        .add_block_arg(body, uniform, super::kernels::LOC);
    let carried = build.kernel.add_block_arg(body, sums, super::kernels::LOC);
    let outer = std::mem::replace(&mut build.block, body);
    let tile = |param, base, axes, vector_elements| TileOf {
        param,
        base,
        axes,
        contiguous: Some(Axis(1)),
        vector_elements,
        padding: Some(0),
        fits_32_bits: true,
    };
    let from_a = tile(0, a, vec![[row, m, k], [step, k, one]], vector);
    let from_b = tile(1, b, vec![[step, k, n], [column, n, one]], vector);
    let global_a = coalesced(&shape_a, bits, vector, 4, &order);
    let global_b = coalesced(&shape_b, bits, vector, 4, &order);
    let loaded_a = build.load(&from_a, element_type, &global_a);
    let loaded_b = build.load(&from_b, element_type, &global_b);
    build.run(OpKind::Barrier, &[]);
    build.run(OpKind::StoreShared(buffer_a), &[loaded_a]);
    build.run(OpKind::StoreShared(buffer_b), &[loaded_b]);
    build.run(OpKind::Barrier, &[]);
    let ty = build.distributed(element_type, &operand_a);
    let lhs = build.one(OpKind::LoadMatrix(buffer_a), &[], ty);
    let ty = build.distributed(element_type, &operand_b);
    let rhs = if bits == 16 {
        build.one(OpKind::LoadMatrix(buffer_b), &[], ty)
    } else {
        build.one(OpKind::LoadShared(buffer_b), &[], ty)
    };
    let next = build.one(OpKind::Mma(kind), &[lhs, rhs, carried], sums);
    build.run(OpKind::Yield, &[next]);
    build.block = outer;

    let kind = OpKind::For { unsigned: false };
    let total = build.op(kind, &[zero, steps, one, start], &[sums], &[body])[0];
    let to = tile(2, c, vec![[row, m, n], [column, n, one]], 2);
    build.store(&to, total);
    build.finish()
}

#[test]
fn a_product_uses_tensor_cores_ldmatrix_and_vectors() {
    for arch in ARCHS {
        for (kind, mma, products) in [
            (
                MmaKind::F16,
                "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
                16,
            ),
            (
                MmaKind::BF16,
                "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32",
                16,
            ),
            (
                MmaKind::TF32,
                "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32",
                32,
            ),
            (
                MmaKind::F16AccF16,
                "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
                16,
            ),
        ] {
            let ptx = ptx(&product(kind), arch);
            std::fs::write(format!("/tmp/emit_{kind:?}_{arch}.ptx"), ptx.text()).expect("w");
            assert_eq!(count(&ptx, mma), products, "{:?}", counts(&ptx));
            assert_eq!(count(&ptx, ".pragma"), 1, "the loop is not unrolled");
            assert!(!has_local_memory(&ptx));
            if let Some(used) = resources(&ptx) {
                assert_eq!((used.spill_stores_bytes, used.stack_bytes), (0, 0));
            }
        }
    }
}

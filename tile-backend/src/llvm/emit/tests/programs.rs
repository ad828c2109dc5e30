//! Tests whole kernels.

#![expect(clippy::many_single_char_names, reason = "matrices have such names")]

use std::sync::Arc;

use tile_core::Scalar;
use tile_core::ir::{Attr, ComparisonPredicate, DenseElements, Signedness};
use tile_core::ops::{FloatOp, IntegerOp};

use super::kernels::{Build, LOC, TileOf, element};
use super::{ARCHS, count, counts, has_local_memory, ptx, resources};
use crate::gpu::{Access, Kernel, Mma, MmaKind, OpKind, Ty};
use crate::layout::{
    Axis, MmaWarps, OutShape, coalesced, mma_accumulator, mma_operand_a, mma_operand_b,
    reduce_plan, swizzled_for,
};

fn shape(sizes: &[u64]) -> OutShape {
    OutShape::new(sizes).expect("powers of two")
}

/// Builds `c = a + b` on tiles of 1,024 f32 for 4 warps: 2 vectors of 4 elements per thread.
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

/// Returns the text from the first occurrence of `from` to the next occurrence of `to`.
fn between<'p>(text: &'p str, from: &str, to: &str) -> &'p str {
    let start = text.find(from).expect("the first line is there");
    let end = text[start..].find(to).expect("the last line is there");
    &text[start..start + end]
}

#[test]
fn vector_add_on_whole_tiles_is_vectors_at_constant_offsets() {
    for arch in ARCHS {
        let ptx = ptx(&vector_add(), arch);
        // There are four vectors on the path of whole tiles, and four under predicates.
        assert_eq!(count(&ptx, "ld.global.nc.v4.b32"), 8, "{}", ptx.text());
        assert_eq!(count(&ptx, "st.global.v4.b32"), 4);
        assert_eq!(count(&ptx, "ld.global.nc.b32"), 16);
        assert_eq!(count(&ptx, "st.global.b32"), 8);
        assert_eq!(count(&ptx, "add.rn.f32"), 8);
        assert!(!has_local_memory(&ptx));
        // Thread t of block b starts at element 1024 b + 4 t; its second vector starts 512 elements later.
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

/// Builds a kernel that combines the rows of `x [8, 256]`, distributed over 8 warps, by addition, or by
/// subtraction, which is not commutative.
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
    let opcode = if ordered {
        FloatOp::SubF
    } else {
        FloatOp::AddF
    };
    let sums = build.reduce(&plan, Scalar::F32, loaded, opcode);
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
        assert_eq!(count(&ptx, "bar.sync"), 1, "{}", ptx.text());
        // There is one shuffle for each of 8 rows and each of 5 bits of the lane number.
        assert_eq!(count(&ptx, "shfl.sync.bfly.b32"), 40);
        assert_eq!(count(&ptx, "add.rn.f32"), 40 + 8 * 7);
        assert_eq!(count(&ptx, "st.shared.v4.b32"), 2);
        assert_eq!(count(&ptx, "ld.shared.v4.b32"), 16);
        assert!(!has_local_memory(&ptx));
        if let Some(used) = resources(&ptx) {
            assert_eq!((used.spill_stores_bytes, used.stack_bytes), (0, 0));
        }
    }
}

#[test]
fn both_lanes_of_a_shuffle_combine_in_the_same_order() {
    let ptx = ptx(&row_sums(true), ARCHS[0]);
    // At each shuffle, the lane number determines which of the two values is the accumulator.
    assert_eq!(count(&ptx, "shfl.sync.bfly.b32"), 40);
    // Only lane 0 needs the result of the last combination.
    assert!(
        count(&ptx, "selp.b32") + count(&ptx, "selp.f32") >= 64,
        "{}",
        ptx.text()
    );
}

/// Builds `C [64, 64] = A [64, k] * B [k, 64]` in steps of 32, through swizzled shared memory.
fn mma_kernel(kind: MmaKind) -> Kernel {
    let element_type = match kind {
        MmaKind::F16 | MmaKind::F16AccF16 => Scalar::F16,
        MmaKind::BF16 => Scalar::BF16,
        MmaKind::TF32 => Scalar::F32,
        other => unreachable!("{other:?} has its tests in `tests/run`"),
    };
    let sum_type = match kind {
        MmaKind::F16AccF16 => Scalar::F16,
        _ => Scalar::F32,
    };
    let bits = super::super::code::memory_bits(element_type);
    let vector = u64::from(128 / bits);
    let mut build = Build::new("mma_kernel", 4);
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
    let warps = MmaWarps {
        batch: 1,
        m: 2,
        n: 2,
    };
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
    let step = build.kernel.add_block_arg(body, uniform, LOC);
    let carried = build.kernel.add_block_arg(body, sums, LOC);
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
    let next = build.one(
        OpKind::Mma(Mma {
            kind,
            swapped: false,
            is_half: false,
            interleaved: (false, false),
        }),
        &[lhs, rhs, carried],
        sums,
    );
    build.run(OpKind::Continue, &[next]);
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
            let ptx = ptx(&mma_kernel(kind), arch);
            assert_eq!(count(&ptx, mma), products, "{:?}", counts(&ptx));
            assert_eq!(count(&ptx, ".pragma"), 1, "the loop is not unrolled");
            if kind != MmaKind::TF32 {
                let loads = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
                let transposed = "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16";
                assert_eq!((count(&ptx, loads), count(&ptx, transposed)), (4, 4));
                assert_eq!(count(&ptx, "st.shared.v4.b32"), 4);
            }
            assert!(!has_local_memory(&ptx));
            if let Some(used) = resources(&ptx) {
                assert_eq!((used.spill_stores_bytes, used.stack_bytes), (0, 0));
            }
        }
    }
}

/// Builds a kernel that stores the sum of the values of an induction variable, which is 0 if the loop has no
/// iteration.
fn loop_sum(bounds: [u64; 3], unsigned: bool) -> Kernel {
    let mut build = Build::new("loop_sum", 1);
    let out = build.pointer(Scalar::I32, Access::Write);
    let uniform = Ty::Uniform(Scalar::I32);
    let [lower, upper, step] = bounds.map(|number| build.constant(Scalar::I32, number));
    let start = build.constant(Scalar::I32, 0);
    let body = build.kernel.add_block();
    let induction = build.kernel.add_block_arg(body, uniform, LOC);
    let sum = build.kernel.add_block_arg(body, uniform, LOC);
    let outer = std::mem::replace(&mut build.block, body);
    let next = build.compute(element(IntegerOp::AddI, &[]), &[sum, induction], uniform);
    build.run(OpKind::Continue, &[next]);
    build.block = outer;
    let args = [lower, upper, step, start];
    let total = build.op(OpKind::For { unsigned }, &args, &[uniform], &[body])[0];
    build.store_number(0, out, total);
    build.finish()
}

#[test]
fn loops_run_from_the_lower_to_below_the_upper_bound() {
    let minus = |x: i32| u64::from((-x).cast_unsigned());
    for (bounds, unsigned, sum) in [
        ([0, 10, 1], false, 45),
        ([0, 10, 3], false, 18),
        ([0, 9, 3], false, 9),
        ([5, 5, 1], false, 0),
        ([7, 5, 1], false, 0),
        ([minus(3), 3, 2], false, -3),
        // In these loops, the step after the last iteration would wrap.
        (
            [0x7FFF_FFF0, 0x7FFF_FFFF, 8],
            false,
            0x7FFF_FFF0 + 0x7FFF_FFF8,
        ),
        ([0xFFFF_FFF0, 0xFFFF_FFFF, 8], true, -16 - 8),
        ([3, minus(3), 0x7FFF_FFFF], true, 3 + 0x8000_0002),
    ] {
        let ptx = ptx(&loop_sum(bounds, unsigned), ARCHS[0]);
        let stored = super::stored_number(&ptx).expect("the sum is folded");
        let wrapped = |number: i64| number & i64::from(u32::MAX);
        assert_eq!(wrapped(stored), wrapped(sum), "{bounds:?}");
    }
}

/// Tests that the value of `if (a < b) { if (a < 0) return; a } else { b }` is stored.
#[test]
fn branches_yield_or_return() {
    let kernel = |a: u64, b: u64| {
        let mut build = Build::new("branches", 1);
        let out = build.pointer(Scalar::I32, Access::Write);
        let uniform = Ty::Uniform(Scalar::I32);
        let [a, b, zero] = [a, b, 0].map(|number| build.constant(Scalar::I32, number));
        let less = |build: &mut Build, lhs, rhs| {
            let attrs = [
                (
                    "comparison_predicate",
                    Attr::Predicate(ComparisonPredicate::LessThan),
                ),
                ("signedness", Attr::Signedness(Signedness::Signed)),
            ];
            let op = element(IntegerOp::CmpI, &attrs);
            build.compute(op, &[lhs, rhs], Ty::Uniform(Scalar::I1))
        };
        let is_less = less(&mut build, a, b);
        let (then, otherwise) = (build.kernel.add_block(), build.kernel.add_block());
        let outer = std::mem::replace(&mut build.block, then);
        let is_negative = less(&mut build, a, zero);
        let inner = build.kernel.add_block();
        build.op(OpKind::If, &[is_negative], &[], &[inner]);
        build.block = inner;
        build.run(OpKind::Return, &[]);
        build.block = then;
        build.run(OpKind::Yield, &[a]);
        build.block = otherwise;
        build.run(OpKind::Yield, &[b]);
        build.block = outer;
        let chosen = build.op(OpKind::If, &[is_less], &[uniform], &[then, otherwise])[0];
        build.store_number(0, out, chosen);
        build.finish()
    };
    let stored = |a, b| super::stored_number(&ptx(&kernel(a, b), ARCHS[0]));
    assert_eq!(stored(3, 5), Some(3));
    assert_eq!(stored(7, 5), Some(5));
    assert_eq!(stored(0xFFFF_FFFF, 5), None);
}

#[test]
fn a_table_of_constants_is_indexed_by_the_element() {
    let mut build = Build::new("table", 1);
    let out = build.pointer(Scalar::F16, Access::Write);
    let layout = coalesced(&shape(&[64]), 16, 2, 1, &[Axis(0)]);
    let ty = build.distributed(Scalar::F16, &layout);
    let bits = (0..64).map(|index| 0x3C00 + index).collect();
    let data = DenseElements::from_bits(Scalar::F16, bits);
    let table = build.one(OpKind::ConstantEach(Arc::new(data)), &[], ty);
    let [zero, extent, one] = [0, 64, 1].map(|number| build.constant(Scalar::I32, number));
    let tile = TileOf {
        param: 0,
        base: out,
        axes: vec![[zero, extent, one]],
        contiguous: Some(Axis(0)),
        vector_elements: 2,
        padding: None,
        fits_32_bits: true,
    };
    build.store(&tile, table);
    let ptx = ptx(&build.finish(), ARCHS[0]);
    // Lane t holds elements 2 t and 2 t + 1, which are 4 bytes at offset 4 t, both in the table and in
    // memory.
    assert_eq!(
        count(&ptx, "ld.global.nc.b32") + count(&ptx, "ld.global.b32"),
        1
    );
    assert_eq!(count(&ptx, "st.global.b32"), 1);
    assert!(
        ptx.text()
            .contains(".global .align 16 .b8 tile_constant[128] = {0, 60, 1, 60,")
    );
    assert!(resources(&ptx).is_none_or(|used| used.stack_bytes == 0));
}

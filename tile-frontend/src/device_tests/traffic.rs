//! Tests the memory traffic of memory-bound kernels on shapes that tiles divide: each byte that the
//! source names is moved, in whole sectors, and without bank conflicts.

use super::examples::launches;
use super::{Case, Lie, Value, compiled, kernel, tensor};
use crate::build::Variant;
use std::collections::BTreeSet;
use tile_backend::target::Arch;
use tile_core::Scalar;
use tile_sim::Counters;

const VECTOR_ADD: &str = include_str!("../../../examples/01_vector_add.rs");
const SOFTMAX: &str = include_str!("../../../examples/02_softmax.rs");
const MATMUL: &str = include_str!("../../../examples/03_matmul.rs");
const NORMALIZATION: &str = include_str!("../../../examples/04_normalization.rs");
const LAYERS: &str = include_str!("../../../examples/05_layers.rs");
const GRIDS: &str = include_str!("../../../examples/10_grids.rs");

/// Size of an `f32` in bytes.
const F32: u64 = 4;

/// Size of a sector in bytes.
const SECTOR: u64 = 32;

/// The maximum number of bytes that a warp accesses with one instruction.
const WARP: u64 = 32 * 16;

fn tensor_arg(element: Scalar, shape: &[u64]) -> Value {
    tensor(element, shape, Lie::Dense)
}

fn f32s(shape: &[u64]) -> Value {
    tensor_arg(Scalar::F32, shape)
}

/// The bytes that a launch loads and stores in whole sectors, and the number of half sectors that
/// it also stores.
struct Moves {
    loaded: u64,
    stored: u64,
    halves: u64,
}

/// Returns the counters of a launch of the fast variant.
fn counted(case: &Case<'_>, arch: Arch) -> Counters {
    let expansion = kernel(case.source, case.kernel);
    let mut variants = expansion.artifacts[case.instance].iter();
    let fast = variants.find(|(variant, _)| *variant == Variant::Fast);
    let (_, module) = fast.expect("a fast variant");
    let artifact = compiled(&super::canonical(module), Variant::Fast, &[arch]);
    let (_, ptx) = &artifact.ptx[0];
    let launch = &artifact.manifest.launches[0];
    let done = case.simulated(ptx, launch, Variant::Fast, 0);
    done.expect("its tensors have maps").1
}

/// Returns the number of bank conflicts of every kind.
fn conflicts(counters: &Counters) -> u64 {
    let shared = &counters.shared;
    let kinds = [
        &shared.loads,
        &shared.stores,
        &shared.matrix,
        &shared.copies,
    ];
    kinds.iter().map(|kind| kind.bank_conflicts).sum()
}

/// Asserts the traffic of a kernel in its fast variant.
fn moves(
    source: &str,
    (name, instance): (&str, usize),
    args: Vec<Value>,
    grid: [u32; 3],
    expected: &Moves,
) {
    let case = Case {
        source,
        kernel: name,
        instance,
        args,
        grid,
        alignment: 256,
        tolerance: 0.0,
    };
    for arch in [Arch::SM_80, Arch::SM_90A] {
        let counters = counted(&case, arch);
        let (global, shared) = (&counters.global, &counters.shared);
        let loads = [&global.loads, &global.copies];
        let stores = [&global.stores];
        let what = format!("{name} on {arch}: {global:?}");
        // These kernels do not use TMA multicast.
        let tensors = &counters.copies.tensor;
        let read = tensors.read_bytes;
        for (traffic, copied, bytes, halves) in [
            (&loads[..], read, expected.loaded, 0),
            (
                &stores[..],
                tensors.bytes - read,
                expected.stored,
                expected.halves,
            ),
        ] {
            let asked: u64 = copied + traffic.iter().map(|traffic| traffic.bytes).sum::<u64>();
            let sectors: u64 = traffic.iter().map(|traffic| traffic.sectors).sum();
            let sectors = sectors + copied / SECTOR;
            let minimum = (bytes + halves * SECTOR / 2, bytes / SECTOR + halves);
            assert_eq!((asked, sectors), minimum, "{what}");
        }
        assert_eq!(conflicts(&counters), 0, "{name} on {arch}: {shared:?}");
    }
}

#[test]
fn a_sum_moves_each_vector_once() {
    let one = || f32s(&[4096]);
    let expected = Moves {
        loaded: 2 * 4096 * F32,
        stored: 4096 * F32,
        halves: 0,
    };
    let args = vec![one(), one(), one()];
    moves(VECTOR_ADD, ("vector_add", 0), args, [4, 1, 1], &expected);
}

#[test]
fn a_softmax_reads_rows_twice_and_writes_them_once() {
    let shape = [8, 512];
    let bytes = 8 * 512 * F32;
    let expected = Moves {
        loaded: 2 * bytes,
        stored: bytes,
        halves: 0,
    };
    let args = vec![f32s(&shape), f32s(&shape)];
    moves(SOFTMAX, ("softmax", 0), args, [2, 1, 1], &expected);
}

/// Checks the layer norm, in which the means of the four rows of a block take half a sector, and so
/// do the scales.
#[test]
fn a_layer_norm_reads_rows_three_times_and_writes_them_once() {
    let (rows, columns) = (8, 256);
    for (instance, element) in [(0, Scalar::F32), (1, Scalar::F16)] {
        let bytes = rows * columns * element.bytes() as u64;
        let blocks = 2;
        let expected = Moves {
            loaded: 3 * bytes + 2 * blocks * columns * F32,
            stored: bytes,
            halves: 2 * blocks,
        };
        let args = vec![
            tensor_arg(element, &[rows, columns]),
            f32s(&[columns]),
            f32s(&[columns]),
            tensor_arg(element, &[rows, columns]),
            f32s(&[rows]),
            f32s(&[rows]),
            Value::F32(1e-3),
        ];
        moves(
            NORMALIZATION,
            ("layer_norm", instance),
            args,
            [2, 1, 1],
            &expected,
        );
    }
}

#[test]
fn a_root_mean_square_norm_moves_what_it_names() {
    let shape = [4, 512];
    let bytes = 4 * 512 * F32;
    // The kernel loads the sum again, and loads the weights of all columns for each row.
    let expected = Moves {
        loaded: 4 * bytes,
        stored: 2 * bytes,
        halves: 0,
    };
    let args = vec![
        f32s(&shape),
        f32s(&shape),
        f32s(&[512]),
        f32s(&shape),
        Value::F32(1e-3),
    ];
    moves(NORMALIZATION, ("rms_norm", 1), args, [4, 1, 1], &expected);
}

#[test]
fn a_gate_of_any_type_moves_each_vector_once() {
    for (instance, element) in [(0, Scalar::F32), (1, Scalar::BF16)] {
        let bytes = 16 * 128 * element.bytes() as u64;
        let expected = Moves {
            loaded: 2 * bytes,
            stored: bytes,
            halves: 0,
        };
        let one = || tensor_arg(element, &[16, 128]);
        let args = vec![one(), one(), one()];
        moves(LAYERS, ("swiglu", instance), args, [2, 2, 1], &expected);
    }
}

#[test]
fn a_transposition_moves_whole_sectors() {
    for (instance, element) in [(0, Scalar::F32), (1, Scalar::I8)] {
        let bytes = 64 * 96 * element.bytes() as u64;
        let expected = Moves {
            loaded: bytes,
            stored: bytes,
            halves: 0,
        };
        let args = vec![
            tensor_arg(element, &[64, 96]),
            tensor_arg(element, &[96, 64]),
        ];
        moves(GRIDS, ("transpose", instance), args, [2, 3, 1], &expected);
    }
}

/// Checks that vectors are as wide as both types allow where 8-bit and 32-bit elements have the
/// same layout.
#[test]
fn a_conversion_moves_whole_sectors_of_both_types() {
    let (rows, columns) = (8, 128);
    let elements = rows * columns;
    let expected = Moves {
        loaded: 2 * elements * F32,
        stored: elements,
        halves: 2,
    };
    let args = vec![
        f32s(&[rows, columns]),
        tensor_arg(Scalar::F8E4M3FN, &[rows, columns]),
        f32s(&[rows]),
    ];
    moves(GRIDS, ("quantize", 0), args, [2, 1, 1], &expected);
}

/// Checks that a lane stores 16 bytes at a time, even for large tiles, unless TMA stores the tile.
/// Its accumulator fragment has only 8 contiguous bytes.
#[test]
fn a_matmul_stores_whole_vectors() {
    for (instance, size) in [(0, 64), (1, 128)] {
        let element = Scalar::BF16;
        let depth = 64;
        let case = Case {
            source: MATMUL,
            kernel: "matmul",
            instance,
            args: vec![
                tensor_arg(element, &[size, depth]),
                tensor_arg(element, &[depth, size]),
                f32s(&[size, size]),
            ],
            grid: [1, 1, 1],
            alignment: 256,
            tolerance: 0.0,
        };
        for arch in [Arch::SM_80, Arch::SM_90A] {
            let counters = counted(&case, arch);
            let stores = &counters.global.stores;
            let bytes = size * size * F32;
            let actual = (stores.bytes, stores.sectors, stores.requests);
            if arch == Arch::SM_90A {
                let operands = 2 * size * depth * element.bytes() as u64;
                let copied = counters.copies.tensor.bytes;
                assert_eq!((actual, copied), ((0, 0, 0), operands + bytes), "{size}");
            } else {
                let minimum = (bytes, bytes / SECTOR, bytes / WARP);
                assert_eq!(actual, minimum, "{size} on {arch}");
            }
            assert_eq!(
                conflicts(&counters),
                0,
                "{size} on {arch}: {:?}",
                counters.shared
            );
        }
    }
}

/// Covers every launch of the examples, including those with partial tiles.
#[test]
fn matmul_and_attention_have_no_bank_conflicts() {
    let mut kernels = BTreeSet::new();
    for example in ["03_matmul.rs", "06_attention.rs", "09_matmul_variants.rs"] {
        for case in launches(example) {
            if !case.runs(Variant::Fast) {
                continue;
            }
            for arch in [Arch::SM_80, Arch::SM_90A] {
                let counters = counted(&case, arch);
                let what = format!("{} {} on {arch}", case.kernel, case.instance);
                assert_eq!(conflicts(&counters), 0, "{what}: {:?}", counters.shared);
            }
            kernels.insert(case.kernel);
        }
    }
    let expected = ["attention", "batched", "matmul", "sparse", "split_k"];
    assert_eq!(kernels, BTreeSet::from(expected));
}

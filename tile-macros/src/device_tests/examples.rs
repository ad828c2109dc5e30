//! The kernels of the further examples, on shapes that no tile divides. Rows are multiples of 16
//! bytes, so that both variants run.

use super::{Case, Lie, Value, assembles_without_spills, blocks, kernel, tensor};
use crate::hir::signature::HostScalar;
use tile_core::Scalar;

const NORMALIZATION: &str = include_str!("../../../examples/04_normalization.rs");
const LAYERS: &str = include_str!("../../../examples/05_layers.rs");
const ATTENTION: &str = include_str!("../../../examples/06_attention.rs");
const SEARCH: &str = include_str!("../../../examples/07_search.rs");
const SCANS: &str = include_str!("../../../examples/08_scans.rs");
const PRODUCTS: &str = include_str!("../../../examples/09_products.rs");
const GRIDS: &str = include_str!("../../../examples/10_grids.rs");

#[test]
fn normalizations_assemble_everywhere_without_spills() {
    assembles_without_spills(NORMALIZATION);
}

#[test]
fn layers_assemble_everywhere_without_spills() {
    assembles_without_spills(LAYERS);
}

#[test]
fn attention_assembles_everywhere_without_spills() {
    assembles_without_spills(ATTENTION);
}

#[test]
fn searches_and_scans_assemble_everywhere_without_spills() {
    assembles_without_spills(SEARCH);
    assembles_without_spills(SCANS);
}

#[test]
fn products_and_grids_assemble_everywhere_without_spills() {
    assembles_without_spills(PRODUCTS);
    assembles_without_spills(GRIDS);
}

fn of(element: Scalar, shape: &[u64]) -> Value {
    tensor(element, shape, Lie::Dense)
}

fn f32s(shape: &[u64]) -> Value {
    of(Scalar::F32, shape)
}

/// The number of instances of a kernel, with the first type argument of each.
fn instances(source: &str, name: &str) -> Vec<(usize, Option<Scalar>, Vec<u64>)> {
    let signature = kernel(source, name).signature;
    let described = signature.instances.iter().enumerate();
    let found = described.map(|(number, instance)| {
        let element = instance.types.first().map(|ty| match ty {
            HostScalar::F16 => Scalar::F16,
            HostScalar::Bf16 => Scalar::BF16,
            HostScalar::F32 => Scalar::F32,
            HostScalar::U8 => Scalar::I8,
            other => panic!("{other:?} is in no example"),
        });
        let consts = instance.consts.iter();
        let consts = consts.map(|&value| u64::try_from(value).expect("a size"));
        (number, element, consts.collect())
    });
    found.collect()
}

/// Runs a kernel of `source`.
fn case(
    source: &str,
    (kernel, instance): (&str, usize),
    args: Vec<Value>,
    grid: [u32; 3],
    tolerance: f64,
) {
    Case {
        source,
        kernel,
        instance,
        args,
        grid,
        alignment: 16,
        tolerance,
    }
    .run();
}

/// How far off a sum in another order may be, in a result of a type.
fn tolerance(element: Scalar) -> f64 {
    match element {
        Scalar::F16 => 2e-3,
        Scalar::BF16 => 1e-2,
        _ => 1e-4,
    }
}

#[test]
fn normalizations_compute_what_the_interpreter_computes() {
    let eps = || Value::F32(1e-3);
    let source = NORMALIZATION;
    let (rows, columns) = ([7], [104]);
    let both = [7, 104];
    for (instance, element, _) in instances(source, "layer_norm") {
        let element = element.expect("a type");
        let args = vec![
            of(element, &both),
            f32s(&columns),
            f32s(&columns),
            of(element, &both),
            f32s(&rows),
            f32s(&rows),
            eps(),
        ];
        let grid = blocks([7, 1], [4, 1]);
        case(
            source,
            ("layer_norm", instance),
            args,
            grid,
            tolerance(element),
        );
    }
    let args = vec![
        f32s(&both),
        f32s(&columns),
        f32s(&rows),
        f32s(&rows),
        f32s(&both),
        f32s(&both),
    ];
    case(
        source,
        ("layer_norm_dx", 0),
        args,
        blocks([7, 1], [4, 1]),
        1e-4,
    );
    let args = vec![
        f32s(&[40, 52]),
        f32s(&[40]),
        f32s(&[40]),
        f32s(&[40, 52]),
        f32s(&[52]),
        f32s(&[52]),
    ];
    case(
        source,
        ("layer_norm_dweight", 0),
        args,
        blocks([52, 1], [32, 1]),
        1e-4,
    );
    for (instance, ..) in instances(source, "rms_norm") {
        let args = vec![f32s(&both), f32s(&both), f32s(&columns), f32s(&both), eps()];
        case(source, ("rms_norm", instance), args, [7, 1, 1], 1e-4);
    }
}

#[test]
fn layers_compute_what_the_interpreter_computes() {
    let source = LAYERS;
    for (instance, _, consts) in instances(source, "rotate") {
        let shape = [19, 3, 2 * consts[0]];
        let args = vec![f32s(&shape), f32s(&shape), Value::I32(7)];
        case(source, ("rotate", instance), args, [2, 3, 1], 1e-4);
    }
    for (instance, element, _) in instances(source, "swiglu") {
        let element = element.expect("a type");
        let one = || of(element, &[9, 72]);
        let grid = blocks([9, 72], [8, 64]);
        case(
            source,
            ("swiglu", instance),
            vec![one(), one(), one()],
            grid,
            tolerance(element),
        );
    }
    let labels = of(Scalar::I32, &[5]);
    let args = vec![f32s(&[5, 300]), labels, f32s(&[5]), Value::I32(3)];
    case(source, ("cross_entropy", 0), args, [5, 1, 1], 1e-5);
    let args = vec![f32s(&[600]), f32s(&[600]), Value::F32(0.75), Value::I64(42)];
    case(source, ("dropout", 0), args, [3, 1, 1], 0.0);
}

#[test]
fn attention_computes_what_the_interpreter_computes() {
    for (instance, element, consts) in instances(ATTENTION, "attention") {
        let element = element.expect("a type");
        let &[rows, _, depth, is_causal] = consts.as_slice() else {
            panic!("{consts:?}");
        };
        let queries = 45;
        let keys = if is_causal == 1 { queries } else { 77 };
        let args = vec![
            of(element, &[1, 4, queries, depth]),
            of(element, &[1, 2, keys, depth]),
            of(element, &[1, 2, keys, depth]),
            f32s(&[1, 4, queries, depth]),
            Value::F32(0.25),
        ];
        let [blocks, ..] = blocks([queries, 1], [rows, 1]);
        let tolerance = tolerance(element);
        case(
            ATTENTION,
            ("attention", instance),
            args,
            [blocks, 4, 1],
            tolerance,
        );
    }
}

#[test]
fn searches_compute_what_the_interpreter_computes() {
    let source = SEARCH;
    let args = vec![f32s(&[20, 152]), of(Scalar::I32, &[20])];
    case(source, ("argmax", 0), args, [3, 1, 1], 0.0);
    let places = of(Scalar::I32, &[5, 4]);
    let args = vec![f32s(&[5, 100]), f32s(&[5, 4]), places, Value::F32(-100.0)];
    case(source, ("top_k", 0), args, [5, 1, 1], 0.0);
    let args = vec![
        of(Scalar::I64, &[9]),
        of(Scalar::I32, &[9]),
        Value::I32(200),
    ];
    case(source, ("collatz", 0), args, [9, 1, 1], 0.0);
    let args = vec![of(Scalar::I32, &[4, 12]), Value::I32(50)];
    case(source, ("mandelbrot", 0), args, [4, 1, 1], 0.0);
}

#[test]
fn scans_compute_what_the_interpreter_computes() {
    for name in ["prefix_sums", "suffix_sums"] {
        let args = vec![f32s(&[7, 300]), f32s(&[7, 300])];
        case(SCANS, (name, 0), args, [2, 1, 1], 0.0);
    }
    let args = vec![f32s(&[700]), of(Scalar::I8, &[700]), f32s(&[700])];
    case(SCANS, ("segment_sums", 0), args, [1, 1, 1], 0.0);
    let args = vec![of(Scalar::I8, &[600]), of(Scalar::I32, &[12])];
    case(SCANS, ("histogram", 0), args, [3, 1, 1], 0.0);
}

#[test]
fn products_compute_what_the_interpreter_computes() {
    let source = PRODUCTS;
    for (instance, element, _) in instances(source, "batched") {
        let element = element.expect("a type");
        let args = vec![
            of(element, &[3, 33, 40]),
            of(element, &[3, 40, 24]),
            f32s(&[3, 33, 24]),
        ];
        case(source, ("batched", instance), args, [3, 2, 1], 0.0);
    }
    let f16s = |shape: &[u64]| of(Scalar::F16, shape);
    let args = vec![f16s(&[40, 72]), f16s(&[72, 40]), f32s(&[40, 40])];
    case(source, ("split_k", 0), args, [2, 2, 3], 0.0);
    let places = |len| of(Scalar::I32, &[len]);
    let args = vec![places(10), places(8), f32s(&[8]), f32s(&[8]), f32s(&[9])];
    case(source, ("sparse", 0), args, [9, 1, 1], 0.0);
}

#[test]
fn grids_compute_what_the_interpreter_computes() {
    let source = GRIDS;
    let args = vec![f32s(&[40, 72]), f32s(&[40, 72]), Value::F32(0.25)];
    case(
        source,
        ("conduct", 0),
        args,
        blocks([40, 72], [16, 32]),
        0.0,
    );
    for (instance, element, _) in instances(source, "transpose") {
        let element = element.expect("a type");
        let args = vec![of(element, &[48, 80]), of(element, &[80, 48])];
        case(source, ("transpose", instance), args, [2, 3, 1], 0.0);
    }
    let bytes = || of(Scalar::F8E4M3FN, &[7, 112]);
    let args = vec![f32s(&[7, 112]), bytes(), f32s(&[7])];
    case(source, ("quantize", 0), args, [2, 1, 1], 0.0);
    let args = vec![bytes(), f32s(&[7]), f32s(&[7, 112])];
    case(source, ("expand", 0), args, blocks([7, 112], [4, 64]), 0.0);
}

//! Runs the kernels of the examples on shapes that are not multiples of the tiles. Rows are
//! multiples of 16 bytes, so that both variants run, unless a case tests other rows.
//!
//! Each file of `examples/` with kernels has a line in [`EXAMPLES`], and each instance of each
//! kernel has a launch in each variant; a test reports missing lines and launches.

use super::{Case, Lie, Value, assembles_without_spills, blocks, kernel, kernels, tensor};
use crate::hir::signature::HostScalar;
use std::fs;
use std::path::{Path, PathBuf};
use tile_core::Scalar;

/// A file with kernels.
struct Example {
    /// The path in `examples/`.
    path: &'static str,
    source: &'static str,
    /// Returns launches of the kernels of the file.
    cases: fn(&'static str) -> Vec<Case<'static>>,
}

/// Declares one test of each kind per file.
macro_rules! examples {
    ($($name:ident: $path:literal, $cases:path;)+) => {
        const EXAMPLES: &[Example] = &[$(Example {
            path: $path,
            source: include_str!(concat!("../../../examples/", $path)),
            cases: $cases,
        }),+];

        mod assemble_everywhere_without_spills {
            $(#[test] fn $name() {
                super::assembles_without_spills(super::example($path).source);
            })+
        }

        mod compute_what_the_interpreter_computes {
            $(#[test] fn $name() {
                for case in super::launches($path) {
                    case.run();
                }
            })+
        }
    };
}

examples! {
    vector_add: "01_vector_add.rs", sums;
    softmax: "02_softmax.rs", softmaxes;
    matmul: "03_matmul.rs", matmuls;
    normalizations: "04_normalization.rs", normalizations;
    layers: "05_layers.rs", layers;
    attention: "06_attention.rs", attentions;
    searches: "07_search.rs", searches;
    scans: "08_scans.rs", scans;
    matmul_variants: "09_matmul_variants.rs", matmul_variants;
    grids: "10_grids.rs", grids;
    tuning: "11_tuning.rs", tuned_attentions;
    digits: "digits/kernels.rs", digits;
    all_reduce: "support/all_reduce.rs", all_reduce;
}

fn example(path: &str) -> &'static Example {
    let matching = EXAMPLES.iter().find(|example| example.path == path);
    matching.unwrap_or_else(|| panic!("`{path}` has kernels, and no launches here"))
}

/// Returns the launches of a file.
pub(super) fn launches(path: &str) -> Vec<Case<'static>> {
    let example = example(path);
    (example.cases)(example.source)
}

/// Collects the files below a folder, by their paths relative to the folder.
fn collect_files(folder: &Path, below: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder.join(below)).expect("a readable folder") {
        let entry = entry.expect("a readable folder");
        let path = below.join(entry.file_name());
        if entry.path().is_dir() {
            collect_files(folder, &path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

#[test]
fn every_instance_of_every_kernel_is_launched_in_every_variant() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut paths = Vec::new();
    collect_files(&folder, Path::new(""), &mut paths);
    let (mut launched, mut missing) = (0, Vec::new());
    for path in paths {
        let text = fs::read_to_string(folder.join(&path)).expect("a readable file");
        let attributes = text
            .lines()
            .filter(|line| line.trim_start().starts_with("#[tile_kernel"));
        let attributes = attributes.count();
        if attributes == 0 {
            continue;
        }
        let path = path.to_string_lossy().replace('\\', "/");
        let kernels_found = kernels(&text);
        assert_eq!(
            kernels_found.len(),
            attributes,
            "kernels of {path} outside of modules"
        );
        let cases = launches(&path);
        for (name, expansion) in &kernels_found {
            for (instance, variants) in expansion.artifacts.iter().enumerate() {
                let is_same_instance =
                    |case: &&Case<'_>| case.kernel == name && case.instance == instance;
                for (variant, _) in variants {
                    let is_launched = cases
                        .iter()
                        .filter(is_same_instance)
                        .any(|case| case.runs(*variant));
                    if !is_launched {
                        missing.push(format!("{path}: `{name}` {instance} {variant:?}"));
                    }
                    launched += 1;
                }
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
    assert!(launched > 60, "{launched}");
}

fn tensor_arg(element: Scalar, shape: &[u64]) -> Value {
    tensor(element, shape, Lie::Dense)
}

fn f32s(shape: &[u64]) -> Value {
    tensor_arg(Scalar::F32, shape)
}

/// Returns the index, the first type argument and the const arguments of each instance of a kernel.
fn instances(source: &str, name: &str) -> Vec<(usize, Option<Scalar>, Vec<u64>)> {
    let signature = kernel(source, name).signature;
    let described = signature.instances.iter().enumerate();
    let described_instances = described.map(|(number, instance)| {
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
    described_instances.collect()
}

/// Creates a launch of a kernel of `source`.
fn case(
    source: &'static str,
    (kernel, instance): (&'static str, usize),
    args: Vec<Value>,
    grid: [u32; 3],
    tolerance: f64,
) -> Case<'static> {
    Case {
        source,
        kernel,
        instance,
        args,
        grid,
        alignment: 16,
        tolerance,
    }
}

/// Returns the tolerance for sums in a different order, by the type of the result.
fn tolerance(element: Scalar) -> f64 {
    match element {
        Scalar::F16 => 2e-3,
        Scalar::BF16 => 1e-2,
        _ => 1e-4,
    }
}

fn sums(source: &'static str) -> Vec<Case<'static>> {
    let sizes = [1, 31, 1000, 4097].into_iter();
    let case = |size| {
        let args = vec![f32s(&[size]), f32s(&[size]), f32s(&[size])];
        case(
            source,
            ("vector_add", 0),
            args,
            blocks([size, 1], [1024, 1]),
            0.0,
        )
    };
    sizes.map(case).collect()
}

fn softmaxes(source: &'static str) -> Vec<Case<'static>> {
    let shapes = [
        ([13, 256], Lie::Dense),
        ([5, 250], Lie::Gaps),
        ([7, 31], Lie::Transposed),
    ];
    let case = |(shape, lie): ([u64; 2], Lie)| {
        let one = || tensor(Scalar::F32, &shape, lie);
        let grid = blocks([shape[0], 1], [4, 1]);
        case(source, ("softmax", 0), vec![one(), one()], grid, 1e-6)
    };
    shapes.into_iter().map(case).collect()
}

fn matmuls(source: &'static str) -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    for (instance, element, consts) in instances(source, "matmul") {
        let element = element.expect("a type");
        for ([m, n, k], lie) in [
            ([100, 70, 33], Lie::Dense),
            ([100, 70, 33], Lie::Gaps),
            ([129, 64, 64], Lie::Transposed),
        ] {
            let args = vec![
                tensor(element, &[m, k], lie),
                tensor(element, &[k, n], lie),
                tensor(Scalar::F32, &[m, n], lie),
            ];
            let grid = blocks([m, n], [consts[0], consts[1]]);
            cases.push(case(source, ("matmul", instance), args, grid, 0.0));
        }
    }
    cases
}

fn normalizations(source: &'static str) -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    let eps = || Value::F32(1e-3);
    let (rows, columns) = ([7], [104]);
    let both = [7, 104];
    for (instance, element, _) in instances(source, "layer_norm") {
        let element = element.expect("a type");
        let args = vec![
            tensor_arg(element, &both),
            f32s(&columns),
            f32s(&columns),
            tensor_arg(element, &both),
            f32s(&rows),
            f32s(&rows),
            eps(),
        ];
        let grid = blocks([7, 1], [4, 1]);
        cases.push(case(
            source,
            ("layer_norm", instance),
            args,
            grid,
            tolerance(element),
        ));
    }
    let args = vec![
        f32s(&both),
        f32s(&columns),
        f32s(&rows),
        f32s(&rows),
        f32s(&both),
        f32s(&both),
    ];
    cases.push(case(
        source,
        ("layer_norm_dx", 0),
        args,
        blocks([7, 1], [4, 1]),
        1e-4,
    ));
    let args = vec![
        f32s(&[40, 52]),
        f32s(&[40]),
        f32s(&[40]),
        f32s(&[40, 52]),
        f32s(&[52]),
        f32s(&[52]),
    ];
    cases.push(case(
        source,
        ("layer_norm_dweight", 0),
        args,
        blocks([52, 1], [32, 1]),
        1e-4,
    ));
    for (instance, ..) in instances(source, "rms_norm") {
        let args = vec![f32s(&both), f32s(&both), f32s(&columns), f32s(&both), eps()];
        cases.push(case(source, ("rms_norm", instance), args, [7, 1, 1], 1e-4));
    }
    cases
}

fn layers(source: &'static str) -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    for (instance, _, consts) in instances(source, "rotate") {
        let shape = [19, 3, 2 * consts[0]];
        let args = vec![f32s(&shape), f32s(&shape), Value::I32(7)];
        cases.push(case(source, ("rotate", instance), args, [2, 3, 1], 1e-4));
    }
    for (instance, element, _) in instances(source, "swiglu") {
        let element = element.expect("a type");
        let one = || tensor_arg(element, &[9, 72]);
        let grid = blocks([9, 72], [8, 64]);
        cases.push(case(
            source,
            ("swiglu", instance),
            vec![one(), one(), one()],
            grid,
            tolerance(element),
        ));
    }
    let labels = tensor_arg(Scalar::I32, &[5]);
    let args = vec![f32s(&[5, 300]), labels, f32s(&[5]), Value::I32(3)];
    cases.push(case(source, ("cross_entropy", 0), args, [5, 1, 1], 1e-5));
    let args = vec![f32s(&[600]), f32s(&[600]), Value::F32(0.75), Value::I64(42)];
    cases.push(case(source, ("dropout", 0), args, [3, 1, 1], 0.0));
    cases
}

fn attentions(source: &'static str) -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    for (instance, element, consts) in instances(source, "attention") {
        let element = element.expect("a type");
        let &[rows, _, depth, is_causal] = consts.as_slice() else {
            panic!("{consts:?}");
        };
        let queries = 45;
        let keys = if is_causal == 1 { queries } else { 77 };
        let args = vec![
            tensor_arg(element, &[1, 4, queries, depth]),
            tensor_arg(element, &[1, 2, keys, depth]),
            tensor_arg(element, &[1, 2, keys, depth]),
            f32s(&[1, 4, queries, depth]),
            Value::F32(0.25),
        ];
        let [blocks, ..] = blocks([queries, 1], [rows, 1]);
        let tolerance = tolerance(element);
        cases.push(case(
            source,
            ("attention", instance),
            args,
            [blocks, 4, 1],
            tolerance,
        ));
    }
    cases
}

fn tuned_attentions(source: &'static str) -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    for (instance, _, consts) in instances(source, "attention") {
        let &[rows, _] = consts.as_slice() else {
            panic!("{consts:?}");
        };
        let args = vec![
            tensor_arg(Scalar::F16, &[3, 45, 64]),
            tensor_arg(Scalar::F16, &[3, 77, 64]),
            tensor_arg(Scalar::F16, &[3, 77, 64]),
            f32s(&[3, 45, 64]),
        ];
        let [blocks, ..] = blocks([45, 1], [rows, 1]);
        cases.push(case(
            source,
            ("attention", instance),
            args,
            [blocks, 3, 1],
            tolerance(Scalar::F16),
        ));
    }
    cases
}

fn searches(source: &'static str) -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    let args = vec![f32s(&[20, 152]), tensor_arg(Scalar::I32, &[20])];
    cases.push(case(source, ("argmax", 0), args, [3, 1, 1], 0.0));
    let places = tensor_arg(Scalar::I32, &[5, 4]);
    let args = vec![f32s(&[5, 100]), f32s(&[5, 4]), places, Value::F32(-100.0)];
    cases.push(case(source, ("top_k", 0), args, [5, 1, 1], 0.0));
    let args = vec![
        tensor_arg(Scalar::I64, &[9]),
        tensor_arg(Scalar::I32, &[9]),
        Value::I32(200),
    ];
    cases.push(case(source, ("collatz", 0), args, [9, 1, 1], 0.0));
    let args = vec![tensor_arg(Scalar::I32, &[4, 12]), Value::I32(50)];
    cases.push(case(source, ("mandelbrot", 0), args, [4, 1, 1], 0.0));
    cases
}

fn scans(source: &'static str) -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    for name in ["prefix_sums", "suffix_sums"] {
        let args = vec![f32s(&[7, 300]), f32s(&[7, 300])];
        cases.push(case(source, (name, 0), args, [2, 1, 1], 0.0));
    }
    let args = vec![f32s(&[700]), tensor_arg(Scalar::I8, &[700]), f32s(&[700])];
    cases.push(case(source, ("segment_sums", 0), args, [1, 1, 1], 0.0));
    let args = vec![
        tensor_arg(Scalar::I8, &[600]),
        tensor_arg(Scalar::I32, &[12]),
    ];
    cases.push(case(source, ("histogram", 0), args, [3, 1, 1], 0.0));
    cases
}

fn matmul_variants(source: &'static str) -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    for (instance, element, _) in instances(source, "batched") {
        let element = element.expect("a type");
        let args = vec![
            tensor_arg(element, &[3, 33, 40]),
            tensor_arg(element, &[3, 40, 24]),
            f32s(&[3, 33, 24]),
        ];
        cases.push(case(source, ("batched", instance), args, [3, 2, 1], 0.0));
    }
    let f16s = |shape: &[u64]| tensor_arg(Scalar::F16, shape);
    let args = vec![f16s(&[40, 72]), f16s(&[72, 40]), f32s(&[40, 40])];
    cases.push(case(source, ("split_k", 0), args, [2, 2, 3], 0.0));
    let places = |len| tensor_arg(Scalar::I32, &[len]);
    let args = vec![places(10), places(8), f32s(&[8]), f32s(&[8]), f32s(&[9])];
    cases.push(case(source, ("sparse", 0), args, [9, 1, 1], 0.0));
    cases
}

fn grids(source: &'static str) -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    let args = vec![f32s(&[40, 72]), f32s(&[40, 72]), Value::F32(0.25)];
    cases.push(case(
        source,
        ("conduct", 0),
        args,
        blocks([40, 72], [16, 32]),
        0.0,
    ));
    for (instance, element, _) in instances(source, "transpose") {
        let element = element.expect("a type");
        let args = vec![
            tensor_arg(element, &[48, 80]),
            tensor_arg(element, &[80, 48]),
        ];
        cases.push(case(source, ("transpose", instance), args, [2, 3, 1], 0.0));
    }
    let bytes = || tensor_arg(Scalar::F8E4M3FN, &[7, 112]);
    let args = vec![f32s(&[7, 112]), bytes(), f32s(&[7])];
    cases.push(case(source, ("quantize", 0), args, [2, 1, 1], 0.0));
    let args = vec![bytes(), f32s(&[7]), f32s(&[7, 112])];
    cases.push(case(
        source,
        ("expand", 0),
        args,
        blocks([7, 112], [4, 64]),
        0.0,
    ));
    cases
}

/// Returns launches in which the row of classes of each image is not a multiple of 16 bytes unless
/// rows have gaps.
fn digits(source: &'static str) -> Vec<Case<'static>> {
    let mut cases = Vec::new();
    for lie in [Lie::Dense, Lie::Gaps] {
        digits_in(source, lie, &mut cases);
    }
    cases
}

fn digits_in(source: &'static str, lie: Lie, cases: &mut Vec<Case<'static>>) {
    let f32s = |shape: &[u64]| tensor(Scalar::F32, shape, lie);
    let mut case = |kernel, instance, args, grid, tolerance| {
        cases.push(case(source, (kernel, instance), args, grid, tolerance));
    };
    let images = 45;
    let levels = tensor(Scalar::I8, &[images, 64], lie);
    let args = vec![levels, f32s(&[images, 64])];
    case("normalize", 0, args, blocks([images, 64], [16, 64]), 0.0);
    let args = vec![
        f32s(&[images, 64]),
        f32s(&[64, 32]),
        f32s(&[32]),
        f32s(&[images, 32]),
    ];
    case("dense", 0, args, blocks([images, 32], [32, 32]), 0.0);
    let args = vec![
        f32s(&[images, 32]),
        f32s(&[32, 10]),
        f32s(&[10]),
        f32s(&[images, 10]),
    ];
    case("dense", 1, args, blocks([images, 10], [32, 16]), 0.0);
    let labels = tensor(Scalar::I32, &[images], lie);
    let args = vec![
        f32s(&[images, 10]),
        labels,
        Value::I32(60),
        f32s(&[images]),
        f32s(&[images, 10]),
    ];
    case("cross_entropy", 0, args, blocks([images, 1], [16, 1]), 1e-6);
    let args = vec![f32s(&[images, 64]), f32s(&[images, 32]), f32s(&[64, 32])];
    case("weight_gradient", 0, args, blocks([64, 32], [32, 16]), 0.0);
    let args = vec![
        f32s(&[images, 10]),
        f32s(&[32, 10]),
        f32s(&[images, 32]),
        f32s(&[images, 32]),
    ];
    case(
        "relu_gradient",
        0,
        args,
        blocks([images, 32], [32, 32]),
        0.0,
    );
    let args = vec![f32s(&[images, 32]), f32s(&[32])];
    case("column_sums", 0, args, blocks([32, 1], [16, 1]), 0.0);
    let mut args = vec![f32s(&[2100]), f32s(&[2100]), f32s(&[2100])];
    args.extend([Value::F32(0.25), Value::F32(0.5)]);
    case("descend", 0, args, blocks([2100, 1], [1024, 1]), 0.0);
    let classes = tensor(Scalar::I32, &[images], lie);
    let args = vec![f32s(&[images, 10]), classes];
    case("predict", 0, args, blocks([images, 1], [16, 1]), 0.0);
}

/// Returns launches with several members. One would give back its vector, which is that of the target before.
fn all_reduce(source: &'static str) -> Vec<Case<'static>> {
    let sizes = [(2, 4), (5, 1000), (8, 3100)].into_iter();
    let case = |(members, size)| {
        let mut args: Vec<Value> = (0..8).map(|_| f32s(&[size])).collect();
        args.extend([Value::I32(members), f32s(&[size])]);
        case(
            source,
            ("sum_of", 0),
            args,
            blocks([size, 1], [1024, 1]),
            0.0,
        )
    };
    sizes.map(case).collect()
}

//! Runs the kernels of the examples as a GPU would.
//!
//! Each kernel of the examples' source goes through the whole pipeline for every kind of
//! architecture, where it must assemble without spills. `tile-sim` executes its PTX with all checks
//! and compares it with the reference interpreter: in both variants, on ragged shapes, on rows with
//! gaps and on transposed views. PTX that differs only in the name of the architecture runs once.

mod counters;
mod examples;
#[path = "../../tile-backend/tests/run/maps.rs"]
mod maps;
mod sums;
mod traffic;

use crate::backend::{kernel_options_for, session};
use crate::build::{Variant, entry_name};
use crate::expand::Expansion;
use crate::hir::signature::ParamKind;
use crate::testing::front_tokens;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::BTreeSet;
use tile_backend::session::{Artifact, CompileOptions, KernelOptions, Times};
use tile_backend::target::Arch;
use tile_core::canonicalize::{Canonical, canonicalize};
use tile_core::flatten::{FlattenOptions, flatten};
use tile_core::interp::{self, Program};
use tile_core::ir::Module;
use tile_core::verify::verify;
use tile_core::{Diagnostics, Scalar};
use tile_sim::{Arg, Counters, Launch, Memory};

const OTHERS: &str = include_str!("../tests/device/kernels.rs");
const FUNCTIONS: &str = include_str!("../tests/device/functions.rs");

/// One architecture of each generation, and `sm_89`, whose blocks have less shared memory than those of `sm_80`.
const ARCHS: [Arch; 5] = [
    Arch::SM_80,
    Arch::SM_89,
    Arch::SM_90A,
    Arch::SM_100A,
    Arch::SM_120A,
];

/// Runs the front end on the kernels of a source file and returns their names and expansions.
fn kernels(source: &str) -> Vec<(String, Expansion<Module>)> {
    let file = syn::parse_file(source).expect("an example is Rust");
    let mut kernels = Vec::new();
    for item in file.items {
        let syn::Item::Fn(mut function) = item else {
            continue;
        };
        let is_kernel = |attr: &syn::Attribute| attr.path().is_ident("tile_kernel");
        let Some(index) = function.attrs.iter().position(is_kernel) else {
            continue;
        };
        let attribute = match function.attrs.remove(index).meta {
            syn::Meta::List(list) => list.tokens,
            _ => TokenStream::new(),
        };
        let name = function.sig.ident.to_string();
        let expansion = front_tokens(attribute, &function.into_token_stream());
        let expansion = expansion.unwrap_or_else(|faults| panic!("{name}: {faults:?}"));
        kernels.push((name, expansion));
    }
    kernels
}

fn kernel(source: &str, name: &str) -> Expansion<Module> {
    let kernel = kernels(source)
        .into_iter()
        .find(|(kernel_name, _)| kernel_name == name);
    kernel.expect("the example has the kernel").1
}

pub(crate) fn canonical(module: &Module) -> Canonical {
    let mut diagnostics = Diagnostics::new();
    let flat = verify(module.clone(), &mut diagnostics)
        .and_then(|verified| flatten(verified, &FlattenOptions::default(), &mut diagnostics));
    let faults: Vec<String> = messages(&mut diagnostics);
    canonicalize(flat.unwrap_or_else(|_| panic!("{faults:?}")).module)
}

/// Compiles a variant as the macro does.
pub(crate) fn compiled(module: &Canonical, variant: Variant, archs: &[Arch]) -> Artifact {
    let mut diagnostics = Diagnostics::new();
    let options = options(variant, archs);
    let artifact = session().compile(module, &options, &mut Times::new(), &mut diagnostics);
    let faults = messages(&mut diagnostics);
    artifact.unwrap_or_else(|_| panic!("{faults:?}"))
}

pub(crate) fn options(variant: Variant, archs: &[Arch]) -> CompileOptions {
    CompileOptions {
        kernel_options: kernel_options_for(variant, KernelOptions::default()),
        ..CompileOptions::new(archs)
    }
}

fn messages(diagnostics: &mut Diagnostics) -> Vec<String> {
    let text = |fault: tile_core::Diagnostic| format!("{} {:?}", fault.message, fault.help);
    diagnostics.take().into_iter().map(text).collect()
}

/// Assembles every kernel of a source for every architecture.
fn assembles_without_spills(source: &str) {
    for (name, expansion) in kernels(source) {
        for (instance, variants) in expansion.artifacts.iter().enumerate() {
            for (variant, module) in variants {
                let artifact = compiled(&canonical(module), *variant, &ARCHS);
                assert_eq!(artifact.manifest.launches.len(), ARCHS.len());
                // `OTHERS` includes an accumulator that leaves no registers for the addresses of
                // stores with arbitrary strides.
                if source == OTHERS && *variant == Variant::General {
                    continue;
                }
                let spills: Vec<_> = artifact.spills().collect();
                assert!(
                    spills.is_empty(),
                    "{name} {instance} {variant:?}: {spills:?}"
                );
            }
        }
    }
}

#[test]
fn every_part_of_the_lowering_assembles_everywhere_without_spills() {
    assembles_without_spills(OTHERS);
}

/// The memory layout of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    /// Row-major.
    Dense,
    /// Row-major, with rows padded to multiples of 16 elements, which keeps them aligned.
    Gaps,
    /// Column-major.
    Transposed,
}

/// A tensor argument: shape and bytes, with the strides of its layout.
#[derive(Clone, Debug)]
struct Tensor {
    element: Scalar,
    shape: Vec<u64>,
    strides: Vec<u64>,
    bytes: Vec<u8>,
}

impl Tensor {
    fn new(element: Scalar, shape: &[u64], lie: Lie, values: &mut impl FnMut() -> u64) -> Self {
        let mut strides = vec![0; shape.len()];
        let mut axes: Vec<usize> = (0..shape.len()).rev().collect();
        if lie == Lie::Transposed {
            axes.reverse();
        }
        let mut step = 1;
        for axis in axes {
            strides[axis] = step;
            step *= shape[axis];
            if lie == Lie::Gaps {
                step = step.next_multiple_of(16);
            }
        }
        let elements = usize::try_from(step).expect("a small tensor");
        let bytes = (0..elements)
            .flat_map(|_| values().to_le_bytes()[..element.bytes()].to_vec())
            .collect();
        Self {
            element,
            shape: shape.to_vec(),
            strides,
            bytes,
        }
    }

    /// Returns `true` if the tensor satisfies the assumptions of the variant `fast`.
    fn is_fast(&self) -> bool {
        let (last, others) = self.strides.split_last().expect("rank 1 or more");
        let bytes = self.element.bytes() as u64;
        *last == 1
            && others
                .iter()
                .all(|stride| (stride * bytes).is_multiple_of(16))
    }
}

/// An argument of a launch.
#[derive(Clone, Debug)]
enum Value {
    Tensor(Tensor),
    F32(f32),
    I32(i32),
    I64(i64),
}

/// A launch that runs in the interpreter and in the simulator.
struct Case<'a> {
    source: &'a str,
    kernel: &'a str,
    instance: usize,
    args: Vec<Value>,
    grid: [u32; 3],
    /// The alignment in bytes of the address of each tensor.
    alignment: u64,
    /// The maximum difference, relative to the larger of the value and 1; 0 requires the same bits.
    tolerance: f64,
}

/// Returns a generator of numbers that bf16 represents exactly and whose products add up exactly in
/// f32 in any order: multiples of 1/16 up to 1.
fn exact(scalar: Scalar) -> impl FnMut() -> u64 {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let step = i32::try_from(state >> 40 & 31).expect("five bits") - 16;
        let value = f64::from(step) / 16.0;
        match scalar {
            Scalar::F32 => u64::from(half::f16::from_f64(value).to_f32().to_bits()),
            Scalar::BF16 => u64::from(half::bf16::from_f64(value).to_bits()),
            Scalar::F16 => u64::from(half::f16::from_f64(value).to_bits()),
            Scalar::I1 => state >> 40 & 1,
            Scalar::I8 => state >> 40 & 15,
            Scalar::I32 => state >> 40 & 7,
            Scalar::I64 => state >> 20,
            Scalar::F64 => value.to_bits(),
            // Positive or negative, with a magnitude below a half.
            Scalar::F8E4M3FN => (state >> 40) & 0x2f | (state >> 50) & 0x80,
            Scalar::F8E5M2 => ((state >> 40) % 0x38) | ((state >> 50) & 0x80),
            other => panic!("no values of {other}"),
        }
    }
}

fn tensor(element: Scalar, shape: &[u64], lie: Lie) -> Value {
    Value::Tensor(Tensor::new(element, shape, lie, &mut exact(element)))
}

impl Case<'_> {
    /// Returns `true` if the case may be launched in a variant.
    fn runs(&self, variant: Variant) -> bool {
        variant == Variant::General || self.tensors().all(Tensor::is_fast)
    }

    /// Runs the case in every variant that allows it, for every architecture.
    fn run(&self) {
        let expansion = kernel(self.source, self.kernel);
        for (variant, module) in &expansion.artifacts[self.instance] {
            if !self.runs(*variant) {
                continue;
            }
            let entry = entry_name(self.kernel, *variant);
            let module = canonical(module);
            let expected = self.interpreted(&module, &entry, *variant);
            let artifact = compiled(&module, *variant, &ARCHS);
            let mut different = BTreeSet::new();
            for (arch, ptx) in &artifact.ptx {
                if !different.insert(behind_the_target(ptx)) {
                    continue;
                }
                let launch = artifact
                    .manifest
                    .launches
                    .iter()
                    .find(|launch| launch.arch == *arch);
                let launch = launch.expect("a launch per architecture");
                for seed in [0, 7] {
                    let Some((outputs, _)) = self.simulated(ptx, launch, *variant, seed) else {
                        // A tensor has no map, so the stub would launch the general variant.
                        continue;
                    };
                    let context = format!("{} {variant:?} on {arch}", self.kernel);
                    self.compare(&expansion, &expected, &outputs, &context);
                }
            }
        }
    }

    fn interpreted(&self, module: &Canonical, entry: &str, variant: Variant) -> Vec<Vec<u8>> {
        let mut buffers: Vec<Vec<u8>> = self.tensors().map(|tensor| tensor.bytes.clone()).collect();
        let mut args = Vec::new();
        let mut next_arg = 0;
        for arg in &self.args {
            match arg {
                Value::Tensor(tensor) => {
                    args.push(interp::Arg::Pointer {
                        ptr: buffers[next_arg].as_mut_ptr(),
                        bytes: buffers[next_arg].len(),
                    });
                    next_arg += 1;
                    let numbers = tensor.shape.iter().chain(&tensor.strides);
                    args.extend(numbers.map(|&bits| interp::Arg::Scalar { bits }));
                }
                Value::F32(value) => args.push(interp::Arg::Scalar {
                    bits: u64::from(value.to_bits()),
                }),
                Value::I32(value) => args.push(interp::Arg::Scalar {
                    bits: u64::from(value.cast_unsigned()),
                }),
                Value::I64(value) => args.push(interp::Arg::Scalar {
                    bits: value.cast_unsigned(),
                }),
            }
        }
        let program = Program::new(module.module());
        // SAFETY: the pointers are to buffers of the given length that nothing else accesses.
        let done = unsafe { program.run(entry, self.grid, &args) };
        done.unwrap_or_else(|fault| panic!("{} {variant:?}: {fault}", self.kernel));
        buffers
    }

    fn simulated(
        &self,
        ptx: &str,
        launch: &tile_backend::manifest::Launch,
        variant: Variant,
        seed: u64,
    ) -> Option<(Vec<Vec<u8>>, Counters)> {
        let mut memory = Memory::new();
        let mut args = Vec::new();
        let mut places = Vec::new();
        let mut words = Vec::new();
        for arg in &self.args {
            match arg {
                Value::Tensor(tensor) => {
                    let place = memory.alloc_with(&tensor.bytes, self.alignment);
                    places.push(place);
                    args.push(Arg::from(place));
                    let numbers = tensor.shape.iter().chain(&tensor.strides);
                    words.push(place);
                    words.extend(numbers.clone());
                    args.extend(numbers.map(|&number| match variant {
                        Variant::Fast => Arg::from(u32::try_from(number).expect("small")),
                        Variant::General => Arg::from(number),
                    }));
                }
                Value::F32(value) => args.push(Arg::from(*value)),
                Value::I32(value) => args.push(Arg::from(*value)),
                Value::I64(value) => args.push(Arg::from(value.cast_unsigned())),
            }
            if !matches!(arg, Value::Tensor(_)) {
                // Tensor maps depend on tensors only.
                words.push(0);
            }
        }
        for map in &launch.maps {
            args.push(Arg::bytes(&maps::encoded(map, &words)?.to_bytes()));
        }
        let mut grid = self.grid;
        grid[0] *= launch.blocks_per_tile;
        if launch.persistent_blocks_per_sm.is_some() {
            // A persistent kernel runs with fewer blocks than work tiles.
            let work_tiles: u32 = grid.iter().product();
            args.extend(grid.map(Arg::from));
            grid = [work_tiles.div_ceil(3), 1, 1];
        }
        let module = tile_sim::Module::parse(ptx).unwrap_or_else(|error| panic!("{error}"));
        let cluster = launch.cluster;
        let launch = Launch::new(&launch.entry)
            .grid(grid)
            .threads(launch.threads)
            .dynamic_shared_bytes(launch.shared_bytes)
            .args(args);
        let launch = if cluster > 1 && grid[0].is_multiple_of(cluster) {
            launch.cluster([cluster, 1, 1])
        } else {
            launch
        };
        let options = tile_sim::Options {
            seed,
            ..tile_sim::Options::default()
        };
        let counters = match module.launch(&launch, &mut memory, &options) {
            Ok(counters) => counters,
            Err(fault) => panic!("{} {variant:?}: {fault}\n{ptx}", self.kernel),
        };
        let bytes = |&place: &u64| memory.bytes(place).expect("allocated").to_vec();
        Some((places.iter().map(bytes).collect(), counters))
    }

    fn tensors(&self) -> impl Iterator<Item = &Tensor> {
        self.args.iter().filter_map(|arg| match arg {
            Value::Tensor(tensor) => Some(tensor),
            Value::F32(_) | Value::I32(_) | Value::I64(_) => None,
        })
    }

    fn compare(
        &self,
        expansion: &Expansion<Module>,
        expected: &[Vec<u8>],
        actual: &[Vec<u8>],
        what: &str,
    ) {
        let params = expansion
            .signature
            .params
            .iter()
            .filter_map(|param| match param.kind {
                ParamKind::Tensor { mutable, .. } => Some((param.ident.to_string(), mutable)),
                ParamKind::Scalar(_) | ParamKind::Pointer { .. } => None,
            });
        for (((name, mutable), tensor), (expected, actual)) in
            params.zip(self.tensors()).zip(expected.iter().zip(actual))
        {
            assert_eq!(
                mutable,
                *expected != tensor.bytes,
                "{what}: `{name}` is written if it may be"
            );
            if !mutable || self.tolerance == 0.0 {
                let first = expected.iter().zip(actual).position(|(a, b)| a != b);
                assert_eq!(
                    first, None,
                    "{what}: the first byte of `{name}` that differs"
                );
                continue;
            }
            let element = tensor.element;
            if !element.is_float() {
                assert_eq!(expected, actual, "{what}: integers of `{name}`");
                continue;
            }
            let pairs = floats(element, expected).zip(floats(element, actual));
            for (index, (a, b)) in pairs.enumerate() {
                let near = (a - b).abs() <= self.tolerance * a.abs().max(1.0);
                assert!(
                    near || a.to_bits() == b.to_bits(),
                    "{what}: `{name}`[{index}]: {a} and {b}"
                );
            }
        }
    }
}

fn floats(element: Scalar, bytes: &[u8]) -> impl Iterator<Item = f64> {
    bytes.chunks_exact(element.bytes()).map(move |bytes| {
        let mut bits = [0; 8];
        bits[..bytes.len()].copy_from_slice(bytes);
        interp::decode_float(element, u64::from_le_bytes(bits))
    })
}

/// Returns the part of a PTX text after its version and the name of its architecture.
fn behind_the_target(ptx: &str) -> &str {
    let (_, rest) = ptx.split_once(".address_size").expect("PTX has a head");
    rest
}

fn blocks(sizes: [u64; 2], tile: [u64; 2]) -> [u32; 3] {
    let count = |axis: usize| u32::try_from(sizes[axis].div_ceil(tile[axis])).expect("few blocks");
    [count(0), count(1), 1]
}

/// Checks that a row that is too long for one block is split over a cluster in the variant whose
/// launch supports clusters.
#[test]
fn long_rows_are_shared() {
    let expansion = kernel(OTHERS, "row");
    for (variant, module) in &expansion.artifacts[0] {
        let artifact = compiled(&canonical(module), *variant, &[Arch::SM_90A]);
        let blocks_per_tile = artifact.manifest.launches[0].blocks_per_tile;
        assert_eq!(
            blocks_per_tile > 1,
            *variant == Variant::Fast,
            "{variant:?}: {blocks_per_tile}"
        );
    }
}

#[test]
fn every_part_of_the_lowering_computes_what_the_interpreter_computes() {
    for lie in [Lie::Dense, Lie::Gaps, Lie::Transposed] {
        let f32s = |shape: &[u64]| tensor(Scalar::F32, shape, lie);
        let value = |element, shape: &[u64]| tensor(element, shape, lie);
        let case = |kernel, args, grid, tolerance| {
            Case {
                source: OTHERS,
                kernel,
                instance: 0,
                args,
                grid,
                alignment: 16,
                tolerance,
            }
            .run();
        };
        let args = vec![f32s(&[50, 40]), f32s(&[40, 50])];
        case("transpose", args, [2, 3, 1], 0.0);
        let args = vec![f32s(&[7, 8, 16]), f32s(&[7, 16])];
        case("middle", args, [2, 1, 1], 0.0);
        let args = vec![f32s(&[16, 32]), f32s(&[16, 32])];
        case("center", args, [1, 1, 1], 0.0);
        let args = vec![
            value(Scalar::I32, &[20, 60]),
            value(Scalar::I32, &[10, 128]),
        ];
        case("shuffle", args, [3, 1, 1], 0.0);
        let args = vec![f32s(&[40]), f32s(&[70]), f32s(&[40, 70])];
        case("outer", args, [2, 2, 1], 0.0);
        let args = vec![
            value(Scalar::I32, &[300]),
            value(Scalar::I32, &[300]),
            value(Scalar::I64, &[300]),
        ];
        case("integers", args, [2, 1, 1], 0.0);
        let args = vec![
            f32s(&[600]),
            value(Scalar::F16, &[600]),
            value(Scalar::BF16, &[600]),
            f32s(&[600]),
            value(Scalar::F64, &[600]),
        ];
        case("floats", args, [2, 1, 1], 0.0);
        let args = vec![f32s(&[1000]), f32s(&[384]), Value::I32(7)];
        case("control", args, [3, 1, 1], 0.0);
        let args = vec![f32s(&[32, 32]), f32s(&[32, 32])];
        case("exchange", args, [2, 1, 1], 0.0);
        let args = vec![
            f32s(&[30, 32]),
            value(Scalar::I1, &[32, 32]),
            value(Scalar::I32, &[32, 31]),
        ];
        case("masks", args, [1, 1, 1], 0.0);
        let args = vec![f32s(&[7]), f32s(&[7]), f32s(&[2, 1])];
        case("tiny", args, [2, 1, 1], 0.0);
        let b16 = |shape: &[u64]| value(Scalar::BF16, shape);
        let args = vec![
            b16(&[40, 32]),
            b16(&[100, 32]),
            b16(&[100, 32]),
            f32s(&[40, 32]),
        ];
        case("chain", args, [2, 1, 1], 1e-2);
        let args = vec![f32s(&[40, 50]), f32s(&[50, 36]), f32s(&[40, 36])];
        case("single", args, [2, 2, 1], 0.0);
        let args = vec![f32s(&[3, 4, 3, 7]), f32s(&[3, 4, 3, 7])];
        case("deep", args, [2, 2, 1], 1e-6);
        let f16s = |shape: &[u64]| value(Scalar::F16, shape);
        let args = vec![f16s(&[130, 40]), f16s(&[40, 250]), f32s(&[130, 250])];
        case("wide", args, [2, 1, 1], 0.0);
        let args = vec![f32s(&[2, 16_000]), f32s(&[2, 16_000])];
        case("row", args, [2, 1, 1], 1e-5);
    }
}

#[test]
fn functions_and_parts_of_tiles_are_those_of_the_interpreter() {
    let value = |element, shape: &[u64]| tensor(element, shape, Lie::Dense);
    let case = |kernel, args, grid, tolerance| {
        Case {
            source: FUNCTIONS,
            kernel,
            instance: 0,
            args,
            grid,
            alignment: 16,
            tolerance,
        }
        .run();
    };
    let i32s = |shape: &[u64]| value(Scalar::I32, shape);
    case(
        "whole",
        vec![i32s(&[150]), i32s(&[192]), i32s(&[192])],
        [3, 1, 1],
        0.0,
    );
    case(
        "parts",
        vec![i32s(&[12, 16]), i32s(&[16, 32]), i32s(&[16, 16])],
        [2, 1, 1],
        0.0,
    );
    let args = vec![
        value(Scalar::F32, &[200]),
        value(Scalar::F64, &[200]),
        value(Scalar::F32, &[256]),
        value(Scalar::F64, &[256]),
        value(Scalar::I8, &[256]),
    ];
    case("angles", args, [2, 1, 1], 1e-5);
}

//! Tests tiles at any position: inside tensors, across their ends and far outside. Indices may be negative or
//! extreme, or may wrap when they are multiplied.
//!
//! A seed determines a kernel of one of the [families](case::Family). Tiles are loaded, once or in a loop,
//! and stored unchanged, permuted, unpacked, added to others or multiplied. Views are partitions, strided
//! views and gather views, of whole tensors or of parts of larger ones. A kernel has the facts of the `fast`
//! variant or is of the variant `general`. Each kernel is compiled once and launched with many extents and
//! indices. The interpreter, the simulator for each target, and a model in arithmetic that does not wrap
//! ([`model`]) must agree on every byte, including the bytes before tensors, after their ends and between
//! their rows. Sums of products are exact; the bits of a computed NaN may differ.
//!
//! `bounds/features` counts the kernels with each view, variant, type and instruction, and fails if a count
//! is zero. `TILE_BOUNDS_LAUNCHES=100000` runs 100000 launches, each on all targets, and prints the counts.

mod case;
mod families;
mod features;
mod kernel;
mod model;
mod tensor;

use libtest_mimic::Trial;
use tile_backend::session::{
    Artifact, ClusterSplit, HostMaps, KernelOptions, NoAliasParams, Persistence, ScheduleOptions,
};
use tile_backend::target::Arch;
use tile_core::interp::{Arg, Program, RunOptions, decode_float};
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;

use super::export::from_environment;
use super::machine::{compile_with_options, parsed, simulate_behind};
use super::support::local_trial;
use case::Case;
use model::Launch;
use tensor::{Tensor, any_index};

const TARGETS: [(Arch, HostMaps); 3] = [
    (Arch::SM_80, HostMaps::None),
    (Arch::SM_90A, HostMaps::None),
    (Arch::SM_90A, HostMaps::Encoded),
];

/// Number of kernels of a plain run, each on one target, and number of launches of each kernel.
const FEW: (u64, u64) = (60, 12);

/// The number of consecutive seeds that cover every feature.
const MANY: u64 = 400;

/// Number of launches of each kernel if the environment sets the total.
const LAUNCHES: u64 = 250;

/// Number of kernels of a test.
const TOGETHER: u64 = 4;

pub(crate) fn trials() -> Vec<Trial> {
    let many = from_environment("TILE_BOUNDS_LAUNCHES");
    let first = from_environment("TILE_RUN_FROM").unwrap_or(0);
    let (kernels, launches) = many.map_or(FEW, |many| (many.div_ceil(LAUNCHES), LAUNCHES));
    let groups = kernels.div_ceil(TOGETHER);
    let groups = (0..groups).map(|group| {
        let seeds = first + group * TOGETHER..first + kernels.min((group + 1) * TOGETHER);
        let name = format!("bounds/{}", seeds.start);
        local_trial(name, move || {
            for seed in seeds {
                let turn = usize::try_from(seed).expect("small") % TARGETS.len();
                let targets = if many.is_some() {
                    &TARGETS[..]
                } else {
                    &TARGETS[turn..=turn]
                };
                run(seed, launches, targets)?;
            }
            Ok(())
        })
    });
    let mut trials: Vec<Trial> = groups.collect();
    // A smaller number of kernels, or one from another first seed, need not have every feature.
    let seeds = match many {
        None => 0..FEW.0,
        Some(_) => first..first + kernels.max(MANY),
    };
    trials.push(local_trial("bounds/features", move || {
        features::all_occur(seeds, many.is_some())
    }));
    trials
}

/// Returns the host's options for a kernel. A launch that passes tensor maps also allows persistence and
/// cluster splits.
fn kernel_options(case: &Case, maps: HostMaps) -> KernelOptions {
    let (blocks, parts) = match maps {
        HostMaps::None => (Persistence::Off, ClusterSplit::Off),
        HostMaps::Encoded => (Persistence::Auto, ClusterSplit::Auto),
    };
    let mut apart = NoAliasParams::default();
    let mut parameter = 0;
    for access in case.accesses().filter(|_| case.is_apart) {
        apart = apart.with(parameter);
        parameter += 1 + 2 * access.rank();
    }
    KernelOptions {
        schedule: ScheduleOptions {
            num_warps: case.num_warps,
            stages: case.stages,
            ..ScheduleOptions::default()
        },
        maps,
        persistence: blocks,
        cluster_split: parts,
        noalias: apart,
        ..KernelOptions::default()
    }
}

/// A kernel compiled for a target.
struct Compiled {
    arch: Arch,
    maps: HostMaps,
    artifact: Artifact,
    parsed: tile_sim::Module,
}

fn run(seed: u64, launches: u64, targets: &[(Arch, HostMaps)]) -> Result<(), String> {
    let case = Case::new(seed);
    let module = case.module()?;
    let program = Program::new(&module);
    let mut compiled = Vec::new();
    for &(arch, maps) in targets {
        let of_case = |fault: String| format!("seed {seed}, {arch}: {fault}\n{}", case.text());
        let artifact =
            compile_with_options(&module, arch, kernel_options(&case, maps)).map_err(of_case)?;
        features::check(&module, arch, kernel_options(&case, maps), &artifact).map_err(of_case)?;
        let parsed = parsed(&artifact);
        compiled.push(Compiled {
            arch,
            maps,
            artifact,
            parsed,
        });
    }
    let has_maps = compiled
        .iter()
        .any(|compiled| !compiled.artifact.manifest.launches[0].maps.is_empty());
    let mut runnable = Runnable {
        module,
        grid: case.grid,
        args: Vec::new(),
    };
    let random = &mut Random::new(seed);
    for launch in 0..launches {
        let given = given(&case, has_maps, random);
        runnable.args = arguments(&given);
        let stored = case.expected(&given);
        let fronts: Vec<usize> = given.tensors.iter().map(|tensor| tensor.front).collect();
        let inputs = &given.tensors[..case.inputs.len()];
        let expected: Vec<&Tensor> = inputs.iter().chain([&stored.tensor]).collect();
        let describe = |device: &str, fault: &str| {
            let shapes: Vec<_> = given
                .tensors
                .iter()
                .map(|t| (&t.shape, &t.strides))
                .collect();
            format!(
                "seed {seed}, launch {launch}, {device}: {fault}\nshapes and strides {shapes:?}, fronts {fronts:?}, \
                 indices {:?}, {} trips, grid {:?}\n{}",
                given.indices,
                given.trips,
                case.grid,
                case.text()
            )
        };
        let compare = |device: &str, actual: &[Vec<u8>]| match difference(
            &case,
            &stored.is_new,
            actual,
            &expected,
        ) {
            None => Ok(()),
            Some(fault) => Err(describe(device, &fault)),
        };
        let interpreted_buffers = interpreted(&program, &runnable, &fronts);
        let interpreted_buffers =
            interpreted_buffers.map_err(|fault| describe("interpreter", &fault))?;
        compare("interpreter", &interpreted_buffers)?;
        for Compiled {
            arch,
            maps,
            artifact,
            parsed,
        } in &compiled
        {
            let device = format!("{arch}, maps {maps:?}");
            let simulated = simulate_behind(&fronts, artifact, parsed, &runnable, launch);
            if let Some(fault) = simulated.fault {
                return Err(describe(&device, &fault.to_string()));
            }
            compare(&device, &simulated.buffers)?;
        }
    }
    Ok(())
}

/// Draws the arguments of a launch.
fn given(case: &Case, has_maps: bool, random: &mut Random<'_>) -> Launch {
    let accesses = case.accesses();
    let tensors: Vec<Tensor> = accesses
        .map(|access| Tensor::new(case, access, has_maps, random))
        .collect();
    // With several tensors, an index far outside one of them hides the contents of the others.
    let is_near = case.inputs.len() > 1 && random.one_in(2);
    let indices = case.accesses().zip(&tensors).map(|(access, tensor)| {
        let axes = access.tile.iter().enumerate();
        axes.map(|(axis, &size)| {
            let step = access.view.step(axis, size);
            let tiles = tensor.shape[access.view.order[axis]].div_ceil(step);
            any_index(case.index, (tiles, step), is_near, random)
        })
        .collect()
    });
    let indices = indices.collect();
    Launch {
        tensors,
        indices,
        trips: random.below(6) as u64,
    }
}

/// Returns the arguments in the order of the kernel's parameters.
fn arguments(launch: &Launch) -> Vec<Argument> {
    let mut args = Vec::new();
    for tensor in &launch.tensors {
        args.push(Argument::Buffer(tensor.bytes.clone()));
        args.extend(tensor.shape.iter().copied().map(Argument::Number));
        args.extend(tensor.strides.iter().copied().map(Argument::Number));
    }
    args.extend(
        launch
            .indices
            .iter()
            .flatten()
            .copied()
            .map(Argument::Number),
    );
    args.push(Argument::Number(launch.trips));
    args
}

/// Returns the buffers after a run in the interpreter.
fn interpreted(
    program: &Program,
    runnable: &Runnable,
    fronts: &[usize],
) -> Result<Vec<Vec<u8>>, String> {
    let mut buffers: Vec<Vec<u64>> = Vec::new();
    let mut lengths = Vec::new();
    for arg in &runnable.args {
        if let Argument::Buffer(bytes) = arg {
            let (words, rest) = bytes.as_chunks::<8>();
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            let words = words.iter().chain([&last]);
            buffers.push(words.map(|word| u64::from_le_bytes(*word)).collect());
            lengths.push(bytes.len());
        }
    }
    let mut pointers = buffers.iter_mut().zip(fronts);
    let args: Vec<Arg> = runnable
        .args
        .iter()
        .map(|arg| match arg {
            Argument::Buffer(bytes) => {
                let (words, &front) = pointers.next().expect("one per buffer");
                let first: *mut u8 = words.as_mut_ptr().cast();
                Arg::Pointer {
                    // Memory before a tensor counts as out of bounds.
                    ptr: first.wrapping_add(front),
                    bytes: bytes.len() - front,
                }
            }
            &Argument::Number(bits) => Arg::Scalar { bits },
        })
        .collect();
    let options = RunOptions {
        threads: Some(1),
        ..RunOptions::default()
    };
    // SAFETY: the buffers live until the end of the call, are not shared, and do not overlap.
    let done = unsafe { program.run_with("f", runnable.grid, &args, options) };
    done.map_err(|fault| fault.to_string())?;
    let cut = |(words, &length): (&Vec<u64>, &usize)| {
        let mut bytes = Vec::with_capacity(8 * words.len());
        for word in words {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.truncate(length);
        bytes
    };
    Ok(buffers.iter().zip(&lengths).map(cut).collect())
}

/// Describes the first difference of a launch. `is_new` tells which elements of the output were stored.
fn difference(
    case: &Case,
    is_new: &[bool],
    actual: &[Vec<u8>],
    expected: &[&Tensor],
) -> Option<String> {
    for (number, (actual, expected)) in actual.iter().zip(expected).enumerate() {
        if *actual == expected.bytes {
            continue;
        }
        let (width, front) = (expected.scalar.bytes(), expected.front);
        let elements = actual[front..].chunks(width);
        let pairs = elements
            .zip(expected.bytes[front..].chunks(width))
            .enumerate();
        for (element, (actual_bytes, expected_bytes)) in pairs {
            if actual_bytes == expected_bytes {
                continue;
            }
            let is_computed = number == case.inputs.len() && is_new[element];
            if is_computed && is_free(case, expected.scalar, expected_bytes, actual_bytes) {
                continue;
            }
            return Some(format!(
                "buffer {number}, element {element} is {actual_bytes:02x?} instead of {expected_bytes:02x?}"
            ));
        }
        if actual[..front] != expected.bytes[..front] {
            return Some(format!("bytes before buffer {number} were changed"));
        }
        if actual.len() != expected.bytes.len() {
            return Some(format!("buffer {number} has another length"));
        }
    }
    None
}

/// Returns `true` if a matmul on a device may return `actual` instead of `expected`. NaNs may differ, and so
/// may the signs of sums that round to zero, which scales of 2^-127 cause.
fn is_free(case: &Case, scalar: Scalar, expected: &[u8], actual: &[u8]) -> bool {
    let Some(product) = case.product().filter(|_| scalar.is_float()) else {
        return false;
    };
    let number = |bytes: &[u8]| {
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        decode_float(scalar, u64::from_le_bytes(word))
    };
    let (expected, actual) = (number(expected), number(actual));
    expected.is_nan() && actual.is_nan() || product.is_scaled && expected == 0.0 && actual == 0.0
}

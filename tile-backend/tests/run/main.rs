//! Compares runs of compiled modules in the simulator with runs of the modules in the interpreter.
//!
//! Each file in `files/` is a test on each architecture. A file starts with `// test: run`; lines of the same
//! form describe the launch, in any order:
//!
//! - `// grid: 2 1 1`: number of blocks; one by default.
//! - `// arg: f32[1024] random`, `iota`, `zeros`, `ones` or `small` (integers from -4 to 4): a buffer, one
//!   line per parameter, in order. `random` draws numbers of many magnitudes for floats, and bit patterns for
//!   integers.
//! - `// arg: i32 = 7`: a number; floats are written as decimals.
//! - `// warps: 8`: warps of a block; by default the compiler's choice. If that is fewer than four, the file
//!   also runs with four, so that small tiles are distributed over several warps.
//! - `// tolerance: 1e-5`: tolerance of floats, relative to the largest of the two numbers and 1; 0 by
//!   default. Any two NaNs are equal.
//! - `// only: sm_90a sm_120a`: the architectures; all of [`ARCHS`] by default.
//! - `// has: text`: the PTX contains this text; `// has sm_80 sm_89: text` expects it on these architectures
//!   only.
//! - `// count: 8 text`: the PTX contains this text 8 times.
//! - `// maps: 2`: number of tensor maps, if the host passes them and the target has TMA. Files that use
//!   tensor maps also run with them.
//! - `// has with maps: text`: with tensor maps, the PTX contains this text.
//! - `// conflicts: 0`: maximum number of bank conflicts of shared memory; none in `mma` and `matmul` by
//!   default.
//! - `// stores: 128`: number of stores to global memory per warp.
//! - `// error sm_80: text`: on this architecture the file does not compile, and a message contains this
//!   text.
//!
//! Prose in comments follows, then a module with one entry. Buffers, printed text and the fault that ends a
//! launch are compared. The simulator makes all its checks, under three seeds.
//!
//! `without_barrier/FILE` removes the barriers of a compiled file one at a time, and expects that the
//! simulator notices each time; `relaxed/FILE` relaxes each release and acquire instead.
//!
//! `unsynchronized/FILE` and `unsynchronized/generated/N` remove or weaken every barrier, wait and commit,
//! one at a time. The verifier of the GPU IR must refuse each mutant, unless the simulator finds nothing
//! wrong. `tma/stages_N/FILE` pipelines TMA loads with N stages, for 0 to 9 trips, under 20 seeds.
//!
//! `corpus/KERNEL_CASE` is bytecode of another producer.
//!
//! `memory_bound/KERNEL` counts the loads and stores of a memory-bound kernel.
//!
//! `warpgroups/CASE` is a matmul with `wgmma`, on `sm_90a`; `clusters/CASE` is a matmul with TMA multicast.
//! Code for clusters runs both in clusters and without.
//!
//! `cluster_split/FILE_xN` is a file with a cluster split over N blocks, under 5 seeds.
//!
//! `epilogue_subtiles/CASE` is a persistent matmul with epilogue subtiling, for 0 to 9 trips.
//!
//! Kernels that wait for asynchronous copies run under a few seeds, and only about a fifth of the cases in
//! the sweeps over stages, trips and warps runs. A file that names none of `sm_80`, `sm_89` and `sm_120a` runs
//! on one of the three. `TILE_SEEDS=20` requests all cases, under 20 seeds. A filter selects all cases that it
//! names.
//!
//! `disabled_passes/REWRITE` is a kernel that is compiled with this rewrite disabled.
//!
//! `memory_bound_loops/CASE` is a memory-bound loop over chunks of rows; `bulk/CASE` is one with bulk copies.
//!
//! `attention/CASE` is softmax between two MMAs.
//!
//! `sweep/KERNEL/stages_N_warpgroups_N` is a matmul or attention kernel, compiled in all possible ways;
//! `TILE_SWEEP_SEEDS=20` runs all of them, under 20 seeds.
//!
//! `bounds/N` loads, multiplies and stores tiles inside and outside tensors; `TILE_BOUNDS_LAUNCHES=100000`
//! runs 100000 launches. `bounds/features` counts the views, types and instructions of these kernels, and
//! fails if one is missing.
//!
//! `sums` measures the errors of sums of f16 and bf16; `sums/NAME` tests sums that are exact, or NaN.
//!
//! `masks/N` selects by comparisons of affine tiles that may wrap.
//!
//! `lpt_order/CASE` is a kernel in LPT order, whose blocks differ in work along an axis of the grid.
//!
//! `block_skipping/N` is a loop with block skipping.
//!
//! `elements/NAME` is every form of an element-wise operation.
//!
//! `exhaustive/TYPE` tests every conversion of every number of a small type; `functions/NAME` measures the
//! errors of functions.
//!
//! `quotients/FORM` is division by a number that many elements share.
//!
//! `generated/N` is the module that the generator of `tile_core::testing` generates from the seed N.
//! `TILE_RUN_SEEDS=5000` runs 5000 seeds on all architectures; `TILE_RUN_FROM` sets the first seed.
//! `generated/coverage` checks that these modules contain every operation; `generated/mutants` compiles some
//! of them with an error, which the comparison must notice.
//!
//! `TILE_RUN_EXPORT=FOLDER` writes cases to be run on a GPU, instead of running them ([`export`]).
//! `TILE_RUN_SAMPLE=SEED` restricts them to a sample ([`sample`]); the tests `sample/` check that a sample
//! covers every kind.
//!
//! `TILE_RUN_LEVEL=0` compiles everything at optimization level 0.

mod attention;
mod block_skipping;
mod bounds;
mod bulk;
#[path = "../../../tests/cases/close.rs"]
mod close;
mod cluster_split;
mod clusters;
mod compare;
mod corpus;
mod disabled_passes;
mod elements;
mod epilogue_subtiles;
mod exhaustive;
mod export;
mod file;
mod functions;
mod generated;
#[path = "../../../tests/cases/input.rs"]
mod input;
mod lpt_order;
mod machine;
mod maps;
mod mask_elision;
mod memory_bound;
mod memory_bound_loops;
mod mutants;
mod mutation;
#[path = "../../../tile-core/tests/interp_ops/oracle/mod.rs"]
mod oracle;
mod persistent;
mod programmatic;
#[path = "../../../tile-core/tests/common/python.rs"]
mod python;
mod quotients;
mod sample;
mod sums;
mod support;
mod sweep;
mod tma;
mod waits;
mod warp_specialization;
mod warpgroups;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use tile_backend::target::Arch;

/// The targets of every file.
const ARCHS: [Arch; 4] = [Arch::SM_80, Arch::SM_89, Arch::SM_90A, Arch::SM_120A];

/// Number of seeds of the simulator for every case.
const SEEDS: u64 = 3;

/// Returns the number of seeds of a case with asynchronous copies and barriers: `TILE_SEEDS`, or a sixth of
/// the full number.
fn seeds(total: u64) -> u64 {
    export::from_environment("TILE_SEEDS").unwrap_or(total.div_ceil(6))
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run/files");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    // A run that names tests, sets the number of seeds or writes files includes all trials.
    let runs_all = arguments.filter.is_some()
        || export::from_environment("TILE_SEEDS").is_some()
        || export::is_on();
    let mut trials = Vec::new();
    for path in &files {
        let name = path
            .strip_prefix(&root)
            .unwrap_or(path)
            .display()
            .to_string();
        let source = fs::read_to_string(path).expect("a readable file");
        for arch in ARCHS {
            if !runs_all && sample::is_left_to_sibling(&name, &source, arch) {
                continue;
            }
            let path = path.clone();
            trials.push(trial(format!("{name}::{arch}"), move || {
                file::run(&path, arch)
            }));
        }
    }
    trials.extend(tma::trials(&root));
    trials.extend(corpus::trials());
    trials.extend(elements::trials());
    trials.extend(warpgroups::trials());
    trials.extend(warp_specialization::trials());
    trials.extend(persistent::trials());
    trials.extend(programmatic::trials(&root));
    trials.extend(epilogue_subtiles::trials());
    trials.extend(memory_bound_loops::trials());
    trials.extend(bulk::trials());
    trials.extend(disabled_passes::trials());
    trials.extend(attention::trials());
    trials.extend(mask_elision::trials());
    trials.extend(lpt_order::trials());
    trials.extend(block_skipping::trials());
    trials.extend(quotients::trials());
    trials.extend(generated::trials());
    trials.extend(sweep::trials());
    trials.extend(cluster_split::trials(&root, &files));
    let names = export::names();
    if export::is_on() {
        trials.retain(|trial| names.contains(trial.name()));
        if let Some(seed) = export::sampled() {
            let chosen = sample::chosen(names.iter().map(String::as_str), seed);
            trials.retain(|trial| chosen.contains(trial.name()));
        }
        return libtest_mimic::run(&arguments, trials).exit_code();
    }
    let file = |path: &PathBuf| {
        let path = path.strip_prefix(&root).unwrap_or(path);
        path.display().to_string()
    };
    let of_files = files.iter().map(file).collect();
    trials.extend(sample::trials(names, of_files, sweep::kernels()));
    trials.extend(bounds::trials());
    trials.extend(clusters::trials());
    trials.extend(mutation::trials(&root));
    trials.extend(waits::trials(&root, &files));
    trials.extend(exhaustive::trials());
    trials.extend(functions::trials());
    trials.extend(sums::trials());
    trials.extend(memory_bound::trials());
    trials.extend(mutants::trials());
    trials.push(sample::thinning_trial(&trials));
    if !runs_all {
        sample::thin_out(&mut trials);
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Returns a test that can be exported.
fn trial(
    name: impl Into<String>,
    run: impl FnOnce() -> Result<(), String> + Send + 'static,
) -> Trial {
    let name = name.into();
    let label = name.clone();
    export::add(&name);
    Trial::test(name, move || {
        export::labelled(&label, run).map_err(Failed::from)
    })
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder of tests exists") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "mlir")
        {
            files.push(path);
        }
    }
}

//! What is compiled does in the simulator what its module does in the interpreter.
//!
//! One test per file in `files/` and architecture. A file starts with `// test: run`; lines of the same
//! form say what it runs on, in any order:
//!
//! - `// grid: 2 1 1`: how many blocks; one without it.
//! - `// arg: f32[1024] random`, `iota`, `zeros`, `ones` or `small` (integers from -4 to 4): a buffer, one
//!   line per parameter, in order. `random` are numbers of many sizes for floats, bit patterns for integers.
//! - `// arg: i32 = 7`: a number; floats as decimals.
//! - `// warps: 8`: warps of a block; without it the compiler's choice, and if that is fewer than four, four
//!   too, so that small tiles go over several warps.
//! - `// tolerance: 1e-5`: how far floats may be off, relative to the larger of the two and 1; no further
//!   than not at all without it. NaNs are equal to one another.
//! - `// only: sm_90a sm_120a`: the architectures; all of [`ARCHS`] without it.
//! - `// has: text`: the PTX has this in it; `// has sm_80 sm_89: text` on these architectures.
//! - `// count: 8 text`: the PTX has this in it as often.
//! - `// maps: 2`: how many tensor maps it takes where the host passes them and the target has copies of
//!   tensors. Whatever takes any runs with them too.
//! - `// has with maps: text`: the PTX then has this in it.
//! - `// conflicts: 0`: how many bank conflicts of shared memory there are at most; none in `mma` and
//!   `product` without it.
//! - `// stores: 128`: how often a warp stores to global memory.
//! - `// error sm_80: text`: on that architecture it does not compile, and a message has this in it.
//!
//! Then prose in comments, and a module with one entry. Buffers, what is printed and the fault that
//! ends a launch are compared; the simulator makes all its checks, under three seeds.
//!
//! `without_barrier/FILE` takes one barrier after the other out of what a file is compiled to, and
//! expects that the simulator notices each time; `relaxed/FILE` does so with one release or acquire
//! after the other.
//!
//! `unsynchronized/FILE` and `unsynchronized/generated/N` take out or weaken every barrier, wait and
//! commit, one after the other: the verifier of the GPU IR has to refuse it, unless the simulator finds
//! nothing wrong.
//! `tma/stages_N/FILE` copies tensors ahead into rings of N slots, for 0 to 9 trips, under 20 seeds.
//!
//! `corpus/KERNEL_CASE` is bytecode of another producer.
//!
//! `memory_bound/KERNEL` counts what kernels load and store.
//!
//! `warpgroups/CASE` is a matrix product of warpgroups, on `sm_90a`; `clusters/CASE` is one whose blocks copy for
//! each other. Whatever is made for clusters runs in them and without.
//!
//! `cluster_split/FILE_xN` is a file whose tiles N blocks share, under 5 seeds.
//!
//! `pieces/CASE` is a product whose tiles leave persistent blocks in pieces, for 0 to 9 trips.
//!
//! What waits for asynchronous copies runs under a few seeds, and of the sweeps over stages, trips and warps one
//! case of three; `TILE_SEEDS=20` asks for all cases, and more seeds. A filter takes all cases that it names.
//!
//! `without/REWRITE` is a kernel without a rewrite that it would have.
//!
//! `streams/CASE` is a loop over the pieces of rows, without a product; `bulk/CASE` is one whose tiles are copied
//! row by row.
//!
//! `attention/CASE` is softmax between two products.
//!
//! `sweep/KERNEL/stages_N_warpgroups_N` is a matrix or attention kernel in all ways that it can be compiled;
//! `TILE_SWEEP_SEEDS=20` takes all of them, and so many seeds.
//!
//! `bounds/N` loads, multiplies and stores tiles inside and outside of tensors; `TILE_BOUNDS_LAUNCHES=100000` makes that
//! many launches. `bounds/features` counts the views, types and instructions of these kernels, none of which is missing.
//!
//! `sums` measures sums of f16 and bf16; `sums/NAME` are sums that are exact, or NaN.
//!
//! `masks/N` selects by comparisons of affine tiles that may wrap.
//!
//! `longest/CASE` is a kernel whose blocks have more or less to do along an axis of the grid.
//!
//! `skips/N` is a loop with an `if` around its body.
//!
//! `elements/NAME` is every form of an element-wise operation.
//!
//! `exhaustive/TYPE` is every conversion of every number of a small type; `functions/NAME` is how far off
//! functions are.
//!
//! `quotients/FORM` is division by a number that many elements share.
//!
//! `generated/N` is the module that the generator of `tile_core::testing` makes of the seed N.
//! `TILE_RUN_SEEDS=5000` takes that many seeds on all architectures, `TILE_RUN_FROM` starts elsewhere.
//! `generated/coverage` is what these modules hold, and that no operation is missing;
//! `generated/mutants` compiles some with a mistake, which has to be noticed.
//!
//! `TILE_RUN_EXPORT=FOLDER` writes cases to be run on a GPU, in place of running them ([`export`]); with
//! `TILE_RUN_SAMPLE=SEED` a sample of them ([`sample`]), and `sample/` has what that has to have.
//!
//! `TILE_RUN_LEVEL=0` compiles everything at another level of optimization.

mod attention;
mod block_skipping;
mod bounds;
mod bulk;
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
#[path = "../../../tile-core/tests/common/python.rs"]
mod python;
mod quotients;
mod sample;
mod sums;
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

/// What every file is compiled for.
const ARCHS: [Arch; 4] = [Arch::SM_80, Arch::SM_89, Arch::SM_90A, Arch::SM_120A];

/// Seeds of the simulator that every case runs under.
const SEEDS: u64 = 3;

/// Seeds of a case whose copies and barriers are asynchronous: as many as `TILE_SEEDS` says, or a part of
/// what its authors ran it under.
fn seeds(all: u64) -> u64 {
    generated::from_environment("TILE_SEEDS").unwrap_or(all.div_ceil(4))
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run/files");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut trials = Vec::new();
    for path in &files {
        let name = path
            .strip_prefix(&root)
            .unwrap_or(path)
            .display()
            .to_string();
        for arch in ARCHS {
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
    // Whoever names tests or asks for seeds wants all of them.
    if arguments.filter.is_none() && generated::from_environment("TILE_SEEDS").is_none() {
        sample::thin_out(&mut trials);
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// A test that can be exported.
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

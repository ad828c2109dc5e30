//! Deletes synchronization from compiled kernels, one operation at a time: the verifier of the GPU IR must
//! refuse the mutant, or the simulator must find a race, a wrong result or a deadlock.
//!
//! Input: the kernels of `tests/run/files` for [`TARGETS`], after all passes. Every barrier, wait, commit,
//! fence, arrival and mbarrier operation is deleted once. A mutant that neither notices has the same PTX, or
//! is listed in `harmless.txt`, in a class whose proof the file states. The list must be exact.
//!
//! For `sm_90a`, the kernels are also compiled for programmatic dependent launch, and each is changed to one that
//! does not wait for the previous kernel. The verifier must refuse it, since the simulator runs one launch.
//!
//! A plain run takes every [`SAMPLE`]-th file; `--include-ignored` takes all, and prints the totals.

#[path = "../../../tests/cases/close.rs"]
mod close;
#[path = "../run/compare.rs"]
#[expect(dead_code, reason = "shared with the test `run`")]
mod compare;
#[path = "../run/export.rs"]
#[expect(dead_code, reason = "shared with the test `run`")]
mod export;
#[path = "../run/file.rs"]
#[expect(dead_code, reason = "shared with the test `run`")]
mod file;
#[path = "../../../tests/cases/input.rs"]
mod input;
#[path = "../run/machine.rs"]
#[expect(dead_code, reason = "shared with the test `run`")]
mod machine;
#[path = "../run/maps.rs"]
mod maps;
#[path = "../run/mutation.rs"]
#[expect(dead_code, reason = "shared with the test `run`")]
mod mutation;
#[path = "../run/support.rs"]
#[expect(dead_code, reason = "shared with the test `run`")]
mod support;

use compare::Expected;
use libtest_mimic::{Arguments, Failed, Trial};
use machine::{compile, compile_with_maps};
use mutation::{emitted, lowered_for, lowered_with_options};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tile_backend::internals::gpu::{self, BlockId, Dependents, Kernel, OpId, OpKind};
use tile_backend::session::{ClusterSplit, HostMaps, KernelOptions, Persistence, ScheduleOptions};
use tile_backend::target::Arch;

/// Number of seeds of the simulator for every mutant.
const SEEDS: u64 = 3;

/// One of this many files is in a plain run.
const SAMPLE: usize = 3;

/// The targets: with `cp.async`, and with TMA and warpgroup MMAs.
const TARGETS: [(Arch, HostMaps); 2] = [
    (Arch::SM_80, HostMaps::None),
    (Arch::SM_90A, HostMaps::Encoded),
];

/// Mutants that nothing notices. A line that starts with `#` is prose: `# NAME: proof`. Another line is
/// `NAME FILE TARGET OPERATION NUMBER`, where the number counts operations of this kind in the text, or
/// `NAME FILE TARGET barriers PLACES`: a kernel with other barriers, each after this number of other lines of the
/// text. The test `passes::barriers` finds these.
const HARMLESS: &str = include_str!("harmless.txt");

/// The totals of a run.
#[derive(Default)]
struct Totals {
    made: AtomicUsize,
    refused: AtomicUsize,
    simulated: AtomicUsize,
    same_code: AtomicUsize,
    harmless: AtomicUsize,
}

#[expect(clippy::print_stdout, reason = "the totals")]
fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run/files");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let totals = Arc::new(Totals::default());
    let trials = files.iter().enumerate().map(|(number, path)| {
        let name = path
            .strip_prefix(&root)
            .unwrap_or(path)
            .display()
            .to_string();
        let (path, of_file, totals) = (path.clone(), name.clone(), Arc::clone(&totals));
        let run = move || check(&path, &of_file, &totals).map_err(Failed::from);
        Trial::test(name, run).with_ignored_flag(!number.is_multiple_of(SAMPLE))
    });
    let mut trials: Vec<Trial> = trials.collect();
    trials.push(Trial::test("every_class_has_a_proof", || {
        classes().map_err(Failed::from)
    }));
    let done = libtest_mimic::run(&arguments, trials);
    let total = |count: &AtomicUsize| count.load(Ordering::Relaxed);
    println!(
        "{} mutants: {} refused by the verifier, {} noticed by tile-sim, {} with the same PTX, {} harmless",
        total(&totals.made),
        total(&totals.refused),
        total(&totals.simulated),
        total(&totals.same_code),
        total(&totals.harmless),
    );
    done.exit_code()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder of tests exists") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Checks that each class of harmless mutants has a proof, and each proof a mutant.
fn classes() -> Result<(), String> {
    let is_prose = |line: &&str| line.starts_with('#');
    let proofs = HARMLESS.lines().filter(is_prose).filter_map(|line| {
        let (name, _) = line.strip_prefix("# ")?.split_once(": ")?;
        (!name.contains(' ')).then_some(name)
    });
    let used = HARMLESS.lines().filter(|line| !is_prose(line));
    let used = used.filter_map(|line| line.split(' ').next().filter(|word| !word.is_empty()));
    let (proofs, used): (BTreeSet<_>, BTreeSet<_>) = (proofs.collect(), used.collect());
    if proofs == used {
        return Ok(());
    }
    Err(format!("proofs of {proofs:?}, mutants of {used:?}"))
}

fn check(path: &Path, name: &str, totals: &Totals) -> Result<(), String> {
    let listed = HARMLESS.lines().filter(|line| !line.starts_with('#'));
    let listed = listed.filter_map(|line| Some(line.split_once(' ')?.1));
    let prefix = format!("{name} ");
    let listed: BTreeSet<String> = listed
        .filter(|line| line.starts_with(&prefix))
        .map(ToOwned::to_owned)
        .collect();
    let mut unnoticed = BTreeSet::new();
    let mut texts = String::new();
    for (arch, maps) in TARGETS {
        let (runnable, warps, tolerance) = file::runnable(path)?;
        // Other tests cover operations that a target lacks.
        let Ok(kernel) = lowered_for(&runnable.module, arch, warps, maps) else {
            continue;
        };
        let mut expected = None;
        let mut mutants = mutants(&kernel);
        for line in listed.iter().filter(|line| line.contains(" barriers ")) {
            let places = line.strip_prefix(&format!("{name} {arch} "));
            mutants.extend(places.map(|label| (label.to_owned(), placed(&kernel, label))));
        }
        for (label, mutant) in mutants {
            totals.made.fetch_add(1, Ordering::Relaxed);
            if !gpu::verify(&mutant).is_empty() {
                totals.refused.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            if expected.is_none() {
                let artifact = match maps {
                    HostMaps::None => compile(&runnable.module, arch, warps)?,
                    HostMaps::Encoded => compile_with_maps(&runnable.module, arch, warps)?,
                };
                expected = Some((Expected::new(&runnable, tolerance), artifact));
            }
            let (expected, artifact) = expected.as_mut().expect("it was made above");
            let ptx = emitted(&mutant, arch)?;
            if ptx == emitted(&kernel, arch)? {
                totals.same_code.fetch_add(1, Ordering::Relaxed);
                continue;
            }
            artifact.ptx = vec![(arch, ptx)];
            if expected.check(artifact, &runnable).is_err() {
                totals.simulated.fetch_add(1, Ordering::Relaxed);
            } else {
                totals.harmless.fetch_add(1, Ordering::Relaxed);
                unnoticed.insert(format!("{name} {arch} {label}"));
                texts = gpu::to_text(&kernel);
            }
        }
    }
    dependents(path, totals)?;
    if listed == unnoticed {
        return Ok(());
    }
    let only = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
        let names: Vec<String> = a.difference(b).cloned().collect();
        names.join("\n  ")
    };
    Err(format!(
        "nobody notices the deletion of\n  {}\nlisted, but noticed:\n  {}\n{texts}",
        only(&unnoticed, &listed),
        only(&listed, &unnoticed)
    ))
}

/// Checks that the verifier refuses a kernel that should wait for the previous one, and does not.
fn dependents(path: &Path, totals: &Totals) -> Result<(), String> {
    let (runnable, num_warps, _) = file::runnable(path)?;
    let schedule = ScheduleOptions {
        num_warps,
        programmatic_launch: Some(1),
        ..ScheduleOptions::default()
    };
    let options = KernelOptions {
        persistence: Persistence::Auto,
        cluster_split: ClusterSplit::Auto,
        ..support::options(schedule, HostMaps::Encoded)
    };
    let Ok(kernel) = lowered_with_options(&runnable.module, Arch::SM_90A, options) else {
        return Ok(());
    };
    let mut mutant = kernel.clone();
    let mut places = Vec::new();
    visit(&kernel, kernel.body(), &mut places);
    // The author may have written more waits than one; the last is deleted first, so that indices stay valid.
    for &(block, index, id) in places.iter().rev() {
        if matches!(kernel.op(id).kind, OpKind::Dependents(Dependents::Wait)) {
            mutant.block_mut(block).ops.remove(index);
        }
    }
    totals.made.fetch_add(1, Ordering::Relaxed);
    if gpu::verify(&mutant).is_empty() {
        let text = gpu::to_text(&mutant);
        return Err(format!(
            "the verifier does not miss the wait for the previous kernel in\n{text}"
        ));
    }
    totals.refused.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Returns the kernel without each operation that synchronizes, and the name of the operation.
fn mutants(kernel: &Kernel) -> Vec<(String, Kernel)> {
    let mut places = Vec::new();
    visit(kernel, kernel.body(), &mut places);
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mutants = places.into_iter().map(|(block, index, id)| {
        let mnemonic = kernel.op(id).kind.mnemonic();
        let count = counts.entry(mnemonic).or_default();
        let label = format!("{mnemonic} {count}");
        *count += 1;
        (label, without(kernel, block, index, id))
    });
    mutants.collect()
}

/// Returns the kernel with its barriers at the places of a label, `barriers PLACES`.
fn placed(kernel: &Kernel, label: &str) -> Kernel {
    let places = label.split(' ').skip(1);
    let places: BTreeSet<usize> = places
        .map(|place| place.parse().expect("places are numbers"))
        .collect();
    let text = gpu::to_text(kernel);
    let others = text.lines().filter(|line| line.trim() != "barrier");
    let lines = others.enumerate().flat_map(|(number, line)| {
        let barrier = places.contains(&number).then_some("barrier");
        barrier.into_iter().chain([line])
    });
    let text: Vec<&str> = lines.collect();
    gpu::from_text(&text.join("\n")).expect("a text with other barriers")
}

fn visit(kernel: &Kernel, block: BlockId, places: &mut Vec<(BlockId, usize, OpId)>) {
    for (index, &id) in kernel.block(block).ops.iter().enumerate() {
        if kernel.op(id).kind.is_synchronization() {
            places.push((block, index, id));
        }
        for &inner in &kernel.op(id).blocks {
            visit(kernel, inner, places);
        }
    }
}

/// Returns the kernel without an operation. A value that the operation passes through is used directly.
fn without(kernel: &Kernel, block: BlockId, index: usize, id: OpId) -> Kernel {
    let mut mutant = kernel.clone();
    let op = kernel.op(id);
    if let OpKind::WaitWgmmaAndRescale(element) = &op.kind {
        let op = mutant.op_mut(id);
        op.kind = OpKind::LazyRescale(element.clone());
        op.args.truncate(2);
        return mutant;
    }
    if let &[waited] = op.results.as_slice() {
        for user in mutant.op_ids() {
            for arg in &mut mutant.op_mut(user).args {
                if *arg == waited {
                    *arg = op.args[0];
                }
            }
        }
    }
    mutant.block_mut(block).ops.remove(index);
    mutant
}

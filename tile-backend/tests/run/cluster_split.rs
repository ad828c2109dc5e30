//! Tests cluster splits of 2, 4 and 8 blocks: the results of every file that can be compiled with a split,
//! and the cases in which the split is applied without a request. Also checks that both the verifier and the
//! simulator notice missing cluster barriers.

use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use tile_backend::internals::gpu;
use tile_backend::internals::gpu::{BlockId, Kernel, OpKind};
use tile_backend::session::{ClusterSplit, KernelOptions, ScheduleOptions};
use tile_backend::target::Arch;

use super::compare::Expected;
use super::file;
use super::generated;
use super::machine::compile_with_options;
use super::mutation::{emitted, lowered_with_options};
use super::support::local_trial;
use super::trial;
use super::waits;

/// Numbers of blocks of a cluster split.
const PARTS: [u32; 3] = [2, 4, 8];

/// Architectures with clusters.
const ARCHS: [Arch; 2] = [Arch::SM_90A, Arch::SM_120A];

const SEEDS: u64 = 5;

/// Folders of files that are split wherever their operations allow it. All files of `cluster_split` must be
/// split.
const FOLDERS: [&str; 6] = [
    "cluster_split",
    "reduce",
    "shapes",
    "control",
    "memory",
    "facts",
];

/// Number of modules of the generator.
const GENERATED: u64 = 40;

fn kernel_options(blocks: u32, num_warps: Option<u32>) -> KernelOptions {
    KernelOptions {
        schedule: ScheduleOptions {
            num_warps,
            cluster: Some(blocks),
            ..ScheduleOptions::default()
        },
        cluster_split: ClusterSplit::Auto,
        ..KernelOptions::default()
    }
}

fn run(path: &Path, arch: Arch, blocks: u32, must: bool) -> Result<(), String> {
    let (runnable, warps, expected) = file::expected(path)?;
    let kernel_options = kernel_options(blocks, warps);
    // Other tests cover operations that a target lacks.
    let Ok(artifact) = compile_with_options(&runnable.module, arch, kernel_options) else {
        return if must {
            Err("it is not compiled".to_owned())
        } else {
            Ok(())
        };
    };
    if artifact.manifest.launches[0].blocks_per_tile == 1 {
        return if must {
            Err("one block has the tiles".to_owned())
        } else {
            Ok(())
        };
    }
    expected.check_under(&artifact, &runnable, SEEDS).map(drop)
}

/// Checks that the verifier refuses mutants without synchronization, unless they are harmless.
fn unsynchronized(path: &Path) -> Result<(), String> {
    let (runnable, warps, tolerance) = file::runnable(path)?;
    let new_expected = || Expected::new(&runnable, tolerance);
    let actual = waits::with_options(&runnable, kernel_options(4, warps), new_expected)?;
    if actual == 0 {
        return Err("there is nothing to leave out".to_owned());
    }
    Ok(())
}

/// Checks that the simulator, which runs the unverified kernels, notices every cluster barrier whose removal
/// or restriction to the block the verifier refuses.
fn unverified(path: &Path) -> Result<(), String> {
    let arch = Arch::SM_90A;
    let (runnable, warps, expected) = file::expected(path)?;
    let kernel_options = kernel_options(4, warps);
    let kernel = lowered_with_options(&runnable.module, arch, kernel_options)?;
    let mut artifact = compile_with_options(&runnable.module, arch, kernel_options)?;
    expected.check(&artifact, &runnable)?;
    let mut actual = Vec::new();
    places(&kernel, kernel.body(), &mut actual);
    let mut missed = 0;
    for (number, &(block, index)) in actual.iter().enumerate() {
        let mut without = kernel.clone();
        let barrier = without.block_mut(block).ops.remove(index);
        let mut alone = kernel.clone();
        alone.op_mut(barrier).kind = OpKind::Barrier;
        for (what, mutant) in [("is left out", without), ("is one of the block", alone)] {
            artifact.ptx = vec![(arch, emitted(&mutant, arch)?)];
            if expected.check(&artifact, &runnable).is_err() {
                missed += 1;
            } else if let Some(fault) = gpu::verify(&mutant).first() {
                let count = actual.len();
                return Err(format!(
                    "only the verifier misses barrier {number} of {count}, which {what}: {fault}"
                ));
            }
        }
    }
    if missed == 0 {
        return Err("blocks need not meet".to_owned());
    }
    Ok(())
}

/// Collects the position of every cluster barrier: its block, and its index in the block.
fn places(kernel: &Kernel, block: BlockId, positions: &mut Vec<(BlockId, usize)>) {
    for (index, &op) in kernel.block(block).ops.iter().enumerate() {
        let op = kernel.op(op);
        if matches!(op.kind, OpKind::ClusterBarrier) {
            positions.push((block, index));
        }
        for &inside in &op.blocks {
            places(kernel, inside, positions);
        }
    }
}

fn seed(seed: u64, blocks: u32) -> Result<(), String> {
    let (runnable, inexact) = generated::module(seed);
    let artifact =
        compile_with_options(&runnable.module, Arch::SM_90A, kernel_options(blocks, None))?;
    let expected = generated::expected(&runnable, inexact);
    expected.check(&artifact, &runnable).map(drop)
}

pub(crate) fn trials(root: &Path, files: &[PathBuf]) -> Vec<Trial> {
    let mut trials = Vec::new();
    for path in files {
        let name = path
            .strip_prefix(root)
            .unwrap_or(path)
            .display()
            .to_string();
        let folder = name.split('/').next().unwrap_or_default();
        if !FOLDERS.contains(&folder) {
            continue;
        }
        let is_own = folder == "cluster_split";
        for (number, blocks) in (0..).zip(PARTS) {
            for arch in ARCHS {
                // For files of other folders, one target per number of blocks suffices.
                if !is_own && arch != ARCHS[number % 2] {
                    continue;
                }
                let path = path.clone();
                trials.push(trial(
                    format!("cluster_split/{name}_x{blocks}::{arch}"),
                    move || run(&path, arch, blocks, is_own),
                ));
            }
        }
        if is_own {
            let path = path.clone();
            trials.push(local_trial(
                format!("cluster_split/unsynchronized/{name}"),
                move || unsynchronized(&path),
            ));
            let path = root.join(&name);
            trials.push(local_trial(
                format!("cluster_split/unverified/{name}"),
                move || unverified(&path),
            ));
        }
    }
    for number in generated::seeds(GENERATED) {
        let blocks = PARTS[usize::try_from(number % 3).expect("small")];
        let name = format!("cluster_split/generated/{number}_x{blocks}");
        trials.push(local_trial(name, move || seed(number, blocks)));
    }
    trials
}

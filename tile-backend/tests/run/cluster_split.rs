//! Tiles that the blocks of a cluster share: what every file that may be compiled so computes, with 2, 4 and 8 blocks,
//! when it is done without being asked for, and that nobody passes over code whose blocks do not meet, neither the verifier
//! nor the simulator.

use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};
use tile_backend::gpu::{self, BlockId, Kernel, OpKind};
use tile_backend::resources::{ClusterSplit, KernelOptions};
use tile_backend::target::Arch;

use super::compare::Expected;
use super::file;
use super::generated;
use super::machine::compile_with_options;
use super::mutation::{emitted, lowered_with_options};
use super::trial;
use super::waits;

/// Numbers of blocks.
const PARTS: [u32; 3] = [2, 4, 8];

/// Architectures with clusters.
const ARCHS: [Arch; 2] = [Arch::SM_90A, Arch::SM_120A];

const SEEDS: u64 = 5;

/// Files of these folders are shared wherever their operations allow it, those of `cluster_split` all.
const FOLDERS: [&str; 6] = [
    "cluster_split",
    "reduce",
    "shapes",
    "control",
    "memory",
    "facts",
];

/// Modules of the generator.
const GENERATED: u64 = 40;

fn kernel_options(blocks: u32, num_warps: Option<u32>) -> KernelOptions {
    KernelOptions {
        num_warps,
        cluster: Some(blocks),
        cluster_split: ClusterSplit::Auto,
        ..KernelOptions::default()
    }
}

fn run(path: &Path, arch: Arch, blocks: u32, must: bool) -> Result<(), String> {
    let (runnable, warps, expected) = file::expected(path)?;
    let kernel_options = kernel_options(blocks, warps);
    // What a target has no means for is refused elsewhere.
    let Ok(artifact) = compile_with_options(&runnable.module, arch, kernel_options) else {
        return if must {
            Err("it is not compiled".to_owned())
        } else {
            Ok(())
        };
    };
    if artifact.launches[0].blocks_per_tile == 1 {
        return if must {
            Err("one block has the tiles".to_owned())
        } else {
            Ok(())
        };
    }
    expected.check_under(&artifact, &runnable, SEEDS).map(drop)
}

/// Mutants without what blocks wait for are refused, or harmless.
fn unsynchronized(path: &Path) -> Result<(), String> {
    let (runnable, warps, tolerance) = file::runnable(path)?;
    let of = || Expected::of(&runnable, tolerance);
    let actual = waits::with_options(&runnable, kernel_options(4, warps), of)?;
    if actual == 0 {
        return Err("there is nothing to leave out".to_owned());
    }
    Ok(())
}

/// Every barrier of the cluster that the verifier would miss, if it is left out or is one of the block alone, the
/// simulator misses too: it runs what was not verified.
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

/// Every barrier of the cluster: its block and its place there.
fn places(kernel: &Kernel, block: BlockId, found: &mut Vec<(BlockId, usize)>) {
    for (index, &op) in kernel.block(block).ops.iter().enumerate() {
        let op = kernel.op(op);
        if matches!(op.kind, OpKind::ClusterBarrier) {
            found.push((block, index));
        }
        for &inside in &op.blocks {
            places(kernel, inside, found);
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
                // Elsewhere one of the targets with each number will do.
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
            let run = move || unsynchronized(&path).map_err(Failed::from);
            trials.push(Trial::test(
                format!("cluster_split/unsynchronized/{name}"),
                run,
            ));
            let path = root.join(&name);
            let run = move || unverified(&path).map_err(Failed::from);
            trials.push(Trial::test(format!("cluster_split/unverified/{name}"), run));
        }
    }
    for number in generated::seeds(GENERATED) {
        let blocks = PARTS[usize::try_from(number % 3).expect("small")];
        let run = move || seed(number, blocks).map_err(Failed::from);
        let name = format!("cluster_split/generated/{number}_x{blocks}");
        trials.push(Trial::test(name, run));
    }
    trials
}

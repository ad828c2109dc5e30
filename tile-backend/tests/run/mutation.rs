//! Removes barriers and memory orderings from compiled files one at a time; the simulator must notice each
//! removal.

use std::path::Path;

use libtest_mimic::Trial;
use tile_backend::internals::gpu::{BlockId, Kernel, MemoryKind, OpId, OpKind};
use tile_backend::internals::llvm::{Compilation, Context};
use tile_backend::internals::{llvm, lower_for};
use tile_backend::session::{HostMaps, KernelOptions, ScheduleOptions};
use tile_backend::target::Arch;
use tile_core::canonicalize::canonicalize;
use tile_core::ir::MemoryOrdering;
use tile_core::{Diagnostics, Module};

use super::file::expected;
use super::machine::{compile, several_warps, verified};
use super::support::{local_trial, options};

/// Files with barriers on every path through loops and branches.
const FILES: [&str; 15] = [
    "control/loop_carries_tiles.mlir",
    "control/print_large_tiles.mlir",
    "control/reduce_decides_in_every_iteration.mlir",
    "control/strides_change_with_the_iteration.mlir",
    "control/tile_through_memory_in_a_loop.mlir",
    "memory/alloca_in_loop.mlir",
    "memory/alloca_selected.mlir",
    "memory/alloca_shared.mlir",
    "memory/histogram.mlir",
    "memory/last_block.mlir",
    "memory/spin_lock.mlir",
    "memory/token_in_branch.mlir",
    "memory/token_in_loop.mlir",
    "memory/token_one_number.mlir",
    "memory/token_turned_around.mlir",
];

/// Files in which blocks wait for each other.
const CONCURRENT: [&str; 5] = [
    "memory/all_flags.mlir",
    "memory/hand_over.mlir",
    "memory/last_block.mlir",
    "memory/spin_lock.mlir",
    "memory/spin_lock_exchanged.mlir",
];

pub(crate) fn trials(root: &Path) -> Vec<Trial> {
    let test = |name: &&str| {
        let path = root.join(name);
        local_trial(format!("without_barrier/{name}"), move || run(&path))
    };
    let weaken = |name: &&str| {
        let path = root.join(name);
        local_trial(format!("relaxed/{name}"), move || weakened(&path))
    };
    let barriers = FILES.iter().map(test);
    barriers.chain(CONCURRENT.iter().map(weaken)).collect()
}

/// Returns every access that releases or acquires.
fn ordered(kernel: &Kernel) -> Vec<OpId> {
    let is_ordered = |&id: &OpId| match &kernel.op(id).kind {
        OpKind::Memory(
            MemoryKind::Load(tile) | MemoryKind::Store(tile) | MemoryKind::Atomic(tile, _),
        ) => tile.releases() || tile.acquires(),
        _ => false,
    };
    kernel.op_ids().filter(is_ordered).collect()
}

/// Runs a file with its orderings relaxed one at a time.
fn weakened(path: &Path) -> Result<(), String> {
    let arch = Arch::SM_80;
    let (runnable, warps, expected) = expected(path)?;
    let mut artifact = compile(&runnable.module, arch, warps)?;
    expected.check(&artifact, &runnable)?;
    let kernel = lowered(&runnable.module, arch, warps)?;
    let actual = ordered(&kernel);
    if actual.is_empty() {
        return Err("it orders nothing".to_owned());
    }
    for id in actual {
        let mut mutant = kernel.clone();
        if let OpKind::Memory(
            MemoryKind::Load(tile) | MemoryKind::Store(tile) | MemoryKind::Atomic(tile, _),
        ) = &mut mutant.op_mut(id).kind
        {
            tile.ordering = MemoryOrdering::Relaxed;
        }
        artifact.ptx = vec![(arch, emitted(&mutant, arch)?)];
        if expected.check(&artifact, &runnable).is_ok() {
            let what = &kernel.op(id).kind;
            return Err(format!("nobody misses the order of {what:?}"));
        }
    }
    Ok(())
}

/// Returns the GPU IR of the only kernel of a module.
pub(crate) fn lowered(module: &Module, arch: Arch, warps: Option<u32>) -> Result<Kernel, String> {
    lowered_for(module, arch, warps, HostMaps::None)
}

/// Does the same as [`lowered`], with tensor maps if the host passes them.
pub(crate) fn lowered_for(
    module: &Module,
    arch: Arch,
    warps: Option<u32>,
    maps: HostMaps,
) -> Result<Kernel, String> {
    let warps = warps.or(several_warps(module, arch)?);
    let schedule = ScheduleOptions {
        num_warps: warps,
        ..ScheduleOptions::default()
    };
    lowered_with_options(module, arch, options(schedule, maps))
}

/// Does the same as [`lowered`], with these options.
pub(crate) fn lowered_with_options(
    module: &Module,
    arch: Arch,
    kernel_options: KernelOptions,
) -> Result<Kernel, String> {
    let canonical = canonicalize(verified(module)?);
    let mut diagnostics = Diagnostics::new();
    let kernels = lower_for(canonical.module(), arch, kernel_options, &mut diagnostics)
        .map_err(|_| format!("{:#?}", diagnostics.take()))?;
    kernels
        .into_iter()
        .next()
        .ok_or_else(|| "no kernel".to_owned())
}

pub(crate) fn emitted(kernel: &Kernel, arch: Arch) -> Result<String, String> {
    let cx = Context::new();
    llvm::emit(&cx, kernel, arch)
        .and_then(|module| {
            let compilation = Compilation {
                min_ptx: llvm::emit::min_ptx(kernel),
                ..Compilation::new(arch)
            };
            llvm::compile(&cx, &module, &compilation)
        })
        .map(|ptx| ptx.text().to_owned())
        .map_err(|error| error.to_string())
}

/// Collects the position of every barrier: its block, and its index in the block.
fn barriers(kernel: &Kernel, block: BlockId, places: &mut Vec<(BlockId, usize)>) {
    for (index, &op) in kernel.block(block).ops.iter().enumerate() {
        let op = kernel.op(op);
        if matches!(op.kind, OpKind::Barrier) {
            places.push((block, index));
        }
        for &inside in &op.blocks {
            barriers(kernel, inside, places);
        }
    }
}

fn run(path: &Path) -> Result<(), String> {
    let arch = Arch::SM_80;
    let (runnable, warps, expected) = expected(path)?;
    let mut artifact = compile(&runnable.module, arch, warps)?;
    expected.check(&artifact, &runnable)?;
    let kernel = lowered(&runnable.module, arch, warps)?;
    let mut actual = Vec::new();
    barriers(&kernel, kernel.body(), &mut actual);
    if actual.is_empty() {
        return Err("it has no barrier".to_owned());
    }
    for (number, &(block, index)) in actual.iter().enumerate() {
        let mut mutant = kernel.clone();
        mutant.block_mut(block).ops.remove(index);
        artifact.ptx = vec![(arch, emitted(&mutant, arch)?)];
        if expected.check(&artifact, &runnable).is_ok() {
            let count = actual.len();
            return Err(format!("nobody misses barrier {number} of {count}"));
        }
    }
    Ok(())
}

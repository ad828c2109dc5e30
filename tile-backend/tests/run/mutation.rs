//! What is compiled without one of its barriers, which the simulator has to notice.

use std::path::Path;

use libtest_mimic::{Failed, Trial};
use tile_backend::gpu::{BlockId, Kernel, OpKind};
use tile_backend::llvm::{self, Compilation, Context};
use tile_backend::stages::lower_for;
use tile_backend::target::Arch;
use tile_core::Diagnostics;
use tile_core::canonicalize::canonicalize;

use super::file::expected;
use super::machine::{compile, verified};

/// Files with barriers on every way through loops and branches.
const FILES: [&str; 5] = [
    "control/loop_carries_tiles.mlir",
    "control/print_large_tiles.mlir",
    "control/reduce_decides_in_every_iteration.mlir",
    "control/strides_change_with_the_iteration.mlir",
    "control/tile_through_memory_in_a_loop.mlir",
];

pub(crate) fn trials(root: &Path) -> Vec<Trial> {
    let test = |name: &&str| {
        let path = root.join(name);
        let run = move || run(&path).map_err(Failed::from);
        Trial::test(format!("without_barrier/{name}"), run)
    };
    FILES.iter().map(test).collect()
}

/// Every barrier: its block and its place there.
fn barriers(kernel: &Kernel, block: BlockId, found: &mut Vec<(BlockId, usize)>) {
    for (index, &op) in kernel.block(block).ops.iter().enumerate() {
        let op = kernel.op(op);
        if matches!(op.kind, OpKind::Barrier) {
            found.push((block, index));
        }
        for &inside in &op.blocks {
            barriers(kernel, inside, found);
        }
    }
}

fn run(path: &Path) -> Result<(), String> {
    let arch = Arch::SM_80;
    let (runnable, warps, expected) = expected(path)?;
    let mut artifact = compile(&runnable.module, arch, warps)?;
    expected.check(&artifact, &runnable)?;
    let canonical = canonicalize(verified(&runnable.module)?);
    let mut diagnostics = Diagnostics::new();
    let kernels = lower_for(canonical.module(), arch, warps, &mut diagnostics)
        .map_err(|_| format!("{:#?}", diagnostics.take()))?;
    let kernel = kernels.first().ok_or("no kernel")?;
    let mut found = Vec::new();
    barriers(kernel, kernel.body(), &mut found);
    if found.is_empty() {
        return Err("it has no barrier".to_owned());
    }
    for (number, &(block, index)) in found.iter().enumerate() {
        let mut mutant = kernel.clone();
        mutant.block_mut(block).ops.remove(index);
        let cx = Context::new();
        let ptx = llvm::emit(&cx, &mutant, arch)
            .and_then(|module| llvm::compile(&cx, &module, &Compilation::new(arch)))
            .map_err(|error| error.to_string())?;
        artifact.ptx = vec![(arch, ptx.text().to_owned())];
        if expected.check(&artifact, &runnable).is_ok() {
            let count = found.len();
            return Err(format!("nobody misses barrier {number} of {count}"));
        }
    }
    Ok(())
}

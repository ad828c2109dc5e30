//! Removes barriers and waits one at a time; the verifier of the GPU IR must refuse the kernel, unless the
//! simulator finds nothing wrong.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use tile_backend::internals::gpu;
use tile_backend::internals::gpu::{
    Arrivals, BlockId, Clusters, ExpectTx, Kernel, OpKind, PipelineBarriers, Reach, TmaStoreWait,
};
use tile_backend::session::{Artifact, HostMaps, KernelOptions};
use tile_backend::target::Arch;
use tile_core::testing::Runnable;

use super::compare::Expected;
use super::file;
use super::generated;
use super::machine::{compile, compile_with_maps, compile_with_options};
use super::mutation::{emitted, lowered, lowered_for, lowered_with_options};
use super::support::local_trial;

/// Targets with much and with little shared memory, so that circular buffers have different lengths, and a
/// target with tensor maps.
const TARGETS: [(Arch, HostMaps); 3] = [
    (Arch::SM_80, HostMaps::None),
    (Arch::SM_120A, HostMaps::None),
    (Arch::SM_90A, HostMaps::Encoded),
];

/// Number of seeds of the generator in a plain run.
const FEW: u64 = 40;

pub(crate) fn trials(root: &Path, files: &[PathBuf]) -> Vec<Trial> {
    let mut trials = Vec::new();
    for path in files {
        let name = path.strip_prefix(root).unwrap_or(path).display();
        let path = path.clone();
        trials.push(local_trial(format!("unsynchronized/{name}"), move || {
            of_file(&path)
        }));
    }
    for seed in generated::seeds(FEW) {
        trials.push(local_trial(
            format!("unsynchronized/generated/{seed}"),
            move || of_seed(seed),
        ));
    }
    trials
}

fn of_file(path: &Path) -> Result<(), String> {
    let source = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let must_wait = source.contains("// has: cp.async.wait_group");
    for (arch, maps) in TARGETS {
        let (runnable, warps, tolerance) = file::runnable(path)?;
        // Other tests cover operations that a target lacks.
        let Ok(kernel) = lowered_for(&runnable.module, arch, warps, maps) else {
            continue;
        };
        if maps == HostMaps::Encoded && kernel.maps.is_empty() {
            continue;
        }
        let mutants = mutants(&kernel);
        let waits = mutants.iter().filter(|(change, _)| change.contains("wait"));
        if must_wait && waits.count() == 0 {
            return Err("nothing is copied ahead".to_owned());
        }
        let expected = || Expected::new(&runnable, tolerance);
        let compiled = || match maps {
            HostMaps::None => compile(&runnable.module, arch, warps),
            HostMaps::Encoded => compile_with_maps(&runnable.module, arch, warps),
        };
        check(&runnable, arch, compiled, expected, mutants)?;
    }
    Ok(())
}

fn of_seed(seed: u64) -> Result<(), String> {
    let (runnable, inexact) = generated::module(seed);
    let kernel = lowered(&runnable.module, Arch::SM_80, None)?;
    let expected = || generated::expected(&runnable, inexact);
    let compiled = || compile(&runnable.module, Arch::SM_80, None);
    check(&runnable, Arch::SM_80, compiled, expected, mutants(&kernel))
}

fn check(
    runnable: &Runnable,
    arch: Arch,
    compiled: impl Fn() -> Result<Artifact, String>,
    new_expected: impl FnOnce() -> Expected,
    mutants: Vec<(String, Kernel)>,
) -> Result<(), String> {
    let (mut new_expected, mut expected) = (Some(new_expected), None);
    for (what, mutant) in mutants {
        if !gpu::verify(&mutant).is_empty() {
            continue;
        }
        if let Some(new_expected) = new_expected.take() {
            expected = Some((new_expected(), compiled()?));
        }
        let (expected, artifact) = expected.as_mut().expect("it was made above");
        artifact.ptx = vec![(arch, emitted(&mutant, arch)?)];
        let ran = expected.check(artifact, runnable);
        ran.map_err(|fault| {
            let text = gpu::to_text(&mutant);
            format!("{arch}: the verifier accepts {what}, the simulator says {fault}\n{text}")
        })?;
    }
    Ok(())
}

/// Checks that the mutants of a module for `sm_90a` are refused or harmless. Returns the number of mutants.
pub(crate) fn of_module(
    runnable: &Runnable,
    warps: Option<u32>,
    expected: impl FnOnce() -> Expected,
) -> Result<usize, String> {
    let kernel = lowered(&runnable.module, Arch::SM_90A, warps)?;
    let mutants = mutants(&kernel);
    let count = mutants.len();
    let compiled = || compile(&runnable.module, Arch::SM_90A, warps);
    check(runnable, Arch::SM_90A, compiled, expected, mutants)?;
    Ok(count)
}

/// Does the same as [`of_module`], with these options.
pub(crate) fn with_options(
    runnable: &Runnable,
    kernel_options: KernelOptions,
    expected: impl FnOnce() -> Expected,
) -> Result<usize, String> {
    let kernel = lowered_with_options(&runnable.module, Arch::SM_90A, kernel_options)?;
    let mutants = mutants(&kernel);
    let count = mutants.len();
    let compiled = || compile_with_options(&runnable.module, Arch::SM_90A, kernel_options);
    check(runnable, Arch::SM_90A, compiled, expected, mutants)?;
    Ok(count)
}

/// Returns the kernel with one waiting operation changed, for every possible change.
fn mutants(kernel: &Kernel) -> Vec<(String, Kernel)> {
    let mut actual = Vec::new();
    visit(kernel, kernel.body(), &mut actual);
    actual
}

fn visit(kernel: &Kernel, block: BlockId, mutants: &mut Vec<(String, Kernel)>) {
    let ops = &kernel.block(block).ops;
    for (index, &id) in ops.iter().enumerate() {
        let mut changed = |change_name: &str, change: &dyn Fn(&mut Kernel)| {
            let mut mutant = kernel.clone();
            change(&mut mutant);
            mutants.push((
                format!("{change_name} of operation {index} in its block"),
                mutant,
            ));
        };
        let drop = |mutant: &mut Kernel| {
            mutant.block_mut(block).ops.remove(index);
        };
        match kernel.op(id).kind {
            OpKind::Barrier => changed("no barrier instead", &drop),
            OpKind::WaitGroup(left) => {
                changed("no wait instead", &drop);
                changed("a shorter wait instead", &|mutant| {
                    mutant.op_mut(id).kind = OpKind::WaitGroup(left + 1);
                });
                changed("the wait after the next operation instead", &|mutant| {
                    mutant.block_mut(block).ops.swap(index, index + 1);
                });
            }
            OpKind::CommitGroup => changed("no commit instead", &drop),
            OpKind::TransposeShared(matrix) => {
                changed(
                    "the transposition after the next operation instead",
                    &|mutant| {
                        mutant.block_mut(block).ops.swap(index, index + 1);
                    },
                );
                if let [_, Some(stage)] = matrix.stages(kernel, kernel.op(id)) {
                    changed(
                        "always the same copy of what is transposed instead",
                        &|mutant| {
                            let body = mutant.block(block);
                            let carried = body.args.iter().position(|&arg| arg == stage);
                            let carried = carried.expect("its loop carries the stage") - 1;
                            let jump = *body.ops.last().expect("a body ends with a jump");
                            mutant.op_mut(jump).args[carried] = stage;
                        },
                    );
                }
            }
            OpKind::Wgmma(ref mma) if mma.in_flight > 0 => {
                changed("an MMA with one more in flight instead", &|mutant| {
                    if let OpKind::Wgmma(mma) = &mut mutant.op_mut(id).kind {
                        mma.in_flight += 1;
                    }
                });
            }
            OpKind::Wgmma(ref mma) if mma.in_flight == 0 && mma.lhs.is_some() => {
                changed("an MMA without a wait instead", &|mutant| {
                    if let OpKind::Wgmma(mma) = &mut mutant.op_mut(id).kind {
                        mma.in_flight = 1;
                    }
                });
            }
            OpKind::WaitWgmma(left) => {
                changed("a weaker wait for MMAs instead", &|mutant| {
                    mutant.op_mut(id).kind = OpKind::WaitWgmma(left + 1);
                });
                changed("no wait for MMAs instead", &|mutant| {
                    let (sum, waited) = (mutant.op(id).args[0], mutant.op(id).results[0]);
                    for user in mutant.op_ids() {
                        for arg in &mut mutant.op_mut(user).args {
                            if *arg == waited {
                                *arg = sum;
                            }
                        }
                    }
                    drop(mutant);
                });
            }
            OpKind::PingPong(_) => changed("no turn instead", &drop),
            OpKind::WaitWgmmaAndRescale(ref element) => {
                let element = element.clone();
                changed("no wait for MMAs instead", &|mutant| {
                    let op = mutant.op_mut(id);
                    op.kind = OpKind::LazyRescale(element.clone());
                    op.args.truncate(2);
                });
                changed("registers that are not kept instead", &|mutant| {
                    mutant.op_mut(id).args.truncate(2);
                });
            }
            OpKind::InitMbarriers(barriers, arrivals) => {
                changed("no initialization instead", &drop);
                changed("other arrivals instead", &|mutant| {
                    let other = match arrivals {
                        Arrivals::One | Arrivals::PerClusterWarp => Arrivals::PerWarp,
                        Arrivals::PerWarp => Arrivals::One,
                    };
                    mutant.op_mut(id).kind = OpKind::InitMbarriers(barriers, other);
                });
                if kernel.launch.clusters == Clusters::Pairs && arrivals == Arrivals::PerWarp {
                    changed("arrivals of others of the cluster instead", &|mutant| {
                        let of_cluster = Arrivals::PerClusterWarp;
                        mutant.op_mut(id).kind = OpKind::InitMbarriers(barriers, of_cluster);
                    });
                }
            }
            OpKind::ClusterBarrier => {
                changed("no barrier of the cluster instead", &drop);
                changed("a barrier of the block instead", &|mutant| {
                    mutant.op_mut(id).kind = OpKind::Barrier;
                });
                changed(
                    "the barrier of the cluster before what precedes instead",
                    &|mutant| {
                        mutant
                            .block_mut(block)
                            .ops
                            .swap(index, index.saturating_sub(1));
                    },
                );
            }
            OpKind::StorePartials(ref partials) if partials.reach == Reach::Cluster => {
                changed(
                    "partial results for the own block alone instead",
                    &|mutant| {
                        if let OpKind::StorePartials(partials) = &mut mutant.op_mut(id).kind {
                            partials.reach = Reach::Block;
                        }
                    },
                );
            }
            OpKind::ConsumerRelease(pipeline_barriers) => {
                if pipeline_barriers.reach == Reach::Cluster {
                    changed("a stage released in one block only instead", &|mutant| {
                        let reach = Reach::Block;
                        mutant.op_mut(id).kind = OpKind::ConsumerRelease(PipelineBarriers {
                            reach,
                            ..pipeline_barriers
                        });
                    });
                }
                changed("no freeing instead", &drop);
                changed("the freeing before what precedes instead", &|mutant| {
                    mutant.block_mut(block).ops.swap(index, index - 1);
                });
            }
            OpKind::ProducerTail(pipeline_barriers) => {
                changed("no producer tail instead", &drop);
                changed("the stage for the parity of the tail instead", &|mutant| {
                    let args = &mut mutant.op_mut(id).args;
                    args[1] = args[0];
                });
                if pipeline_barriers.reach == Reach::Cluster {
                    changed("an end for the own block alone instead", &|mutant| {
                        let reach = Reach::Block;
                        mutant.op_mut(id).kind = OpKind::ProducerTail(PipelineBarriers {
                            reach,
                            ..pipeline_barriers
                        });
                    });
                }
            }
            OpKind::InvalidateMbarriers(_) => changed("no end of barriers instead", &drop),
            OpKind::ArriveExpectTx(expected) => {
                changed("no arrival instead", &drop);
                changed("other bytes expected instead", &|mutant| {
                    let bytes = expected.bytes.checked_sub(16).unwrap_or(16);
                    mutant.op_mut(id).kind = OpKind::ArriveExpectTx(ExpectTx { bytes, ..expected });
                });
                if kernel.op(id).args.len() > 2 {
                    changed("what a copy brings is not expected instead", &|mutant| {
                        mutant.op_mut(id).args.pop();
                    });
                    changed("what a copy brings is expected twice instead", &|mutant| {
                        let args = &mut mutant.op_mut(id).args;
                        args.push(args[2]);
                    });
                }
            }
            OpKind::BulkCopy(_) => {
                let given = kernel.op(id).results[0];
                changed("no copy of rows instead", &|mutant| {
                    drop(mutant);
                    for user in mutant.op_ids() {
                        mutant.op_mut(user).args.retain(|arg| *arg != given);
                    }
                });
                changed("a copy of rows that is always begun instead", &|mutant| {
                    let ty = mutant.ty(kernel.op(id).args[0]);
                    let kind = OpKind::Constant(1);
                    let always = mutant.add_op(kind, &[], &[ty], &[], kernel.op(id).loc);
                    mutant.block_mut(block).ops.insert(index, always);
                    mutant.op_mut(id).args[0] = mutant.op(always).results[0];
                });
                changed("a copy of rows before what precedes instead", &|mutant| {
                    let before = index.saturating_sub(1);
                    mutant.block_mut(block).ops.swap(index, before);
                });
            }
            OpKind::TmaLoad(ref copy) => {
                changed("no copy instead", &drop);
                let other = match copy.reach {
                    Reach::Block => Reach::Cluster,
                    Reach::Cluster => Reach::Block,
                };
                changed("a copy for others instead", &|mutant| {
                    if let OpKind::TmaLoad(copy) = &mut mutant.op_mut(id).kind {
                        copy.reach = other;
                    }
                });
            }
            OpKind::FenceProxyAsync => {
                changed("no fence instead", &drop);
                changed("the fence after the next operation instead", &|mutant| {
                    mutant.block_mut(block).ops.swap(index, index + 1);
                });
            }
            OpKind::WaitTmaStores(wait) => {
                changed("no wait for a store instead", &drop);
                changed("a wait that leaves one more store instead", &|mutant| {
                    let left = wait.left + 1;
                    mutant.op_mut(id).kind = OpKind::WaitTmaStores(TmaStoreWait { left, ..wait });
                });
                if index + 1 < ops.len() {
                    changed("the wait after the next operation instead", &|mutant| {
                        mutant.block_mut(block).ops.swap(index, index + 1);
                    });
                }
            }
            OpKind::ConsumerWait(_) | OpKind::ProducerAcquire(_) => {
                if let OpKind::ProducerAcquire(pipeline_barriers) = kernel.op(id).kind
                    && pipeline_barriers.reach == Reach::Cluster
                {
                    changed("a wait for the own block alone instead", &|mutant| {
                        let reach = Reach::Block;
                        mutant.op_mut(id).kind = OpKind::ProducerAcquire(PipelineBarriers {
                            reach,
                            ..pipeline_barriers
                        });
                    });
                }
                changed("no wait instead", &drop);
                changed("the stage for the parity of the wait instead", &|mutant| {
                    let args = &mut mutant.op_mut(id).args;
                    args[1] = args[0];
                });
                changed("the wait after the next operation instead", &|mutant| {
                    mutant.block_mut(block).ops.swap(index, index + 1);
                });
            }
            _ => {}
        }
        for &inner in &kernel.op(id).blocks {
            visit(kernel, inner, mutants);
        }
    }
}

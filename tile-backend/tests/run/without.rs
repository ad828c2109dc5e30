//! Kernels go without a rewrite as well: it is left out, and what they compute is the same.

use super::attention::causal;
use super::bulk;
use super::clusters::even_product;
use super::compare::Expected;
use super::export;
use super::machine::compile_wished;
use super::mutation::lowered_wished;
use super::pieces;
use libtest_mimic::{Failed, Trial};
use tile_backend::gpu;
use tile_backend::resources::{HostBlocks, HostMaps, Wishes, Without};
use tile_backend::target::Arch;
use tile_core::testing::Runnable;

const SEEDS: u64 = 3;
const TOLERANCE: f64 = 2e-3;

/// A kernel that has the rewrite, if a launch starts these blocks.
fn kernel_with(rewrite: Without) -> Result<(Runnable, HostBlocks), String> {
    if rewrite == Without::PIECES {
        return Ok((pieces::product()?, HostBlocks::AtOnce));
    }
    let of_products =
        Without::STRIPS | Without::TENSOR_STORES | Without::OPEN_PRODUCTS | Without::PRODUCERS;
    let kernel = if of_products.contains(rewrite) {
        even_product()?
    } else if rewrite == Without::BULK_COPIES {
        bulk::kernel()?
    } else {
        // Only what is behind the last key is skipped by a branch, and then not all blocks have as much to do.
        let of_branches = Without::SKIPS | Without::LONGEST_FIRST;
        causal(of_branches.contains(rewrite))?
    };
    Ok((kernel, HostBlocks::OfGrid))
}

fn run(rewrite: Without) -> Result<(), String> {
    let (runnable, blocks) = kernel_with(rewrite)?;
    let wishes = |without| Wishes {
        num_warps: Some(8),
        maps: HostMaps::Encoded,
        blocks,
        without,
        ..Wishes::default()
    };
    let text = |without| {
        let kernel = lowered_wished(&runnable.module, Arch::SM_90A, wishes(without))?;
        Ok::<_, String>(gpu::to_text(&kernel))
    };
    let (with, without) = (text(Without::empty())?, text(rewrite)?);
    if with == without {
        return Err(format!("nothing is left out of\n{with}"));
    }
    let artifact = compile_wished(&runnable.module, Arch::SM_90A, wishes(rewrite))?;
    Expected::of(&runnable, TOLERANCE).check_under(&artifact, &runnable, SEEDS)?;
    Ok(())
}

pub(crate) fn trials() -> Vec<Trial> {
    if export::is_on() {
        return Vec::new();
    }
    let trial = |(name, rewrite)| {
        Trial::test(format!("without/{name}"), move || {
            run(rewrite).map_err(Failed::from)
        })
    };
    let mut trials: Vec<Trial> = Without::NAMES.into_iter().map(trial).collect();
    trials.push(Trial::test("without/all", || {
        run(Without::all()).map_err(Failed::from)
    }));
    trials
}

//! Checks that disabling a pass removes its rewrite and does not change results.

use super::attention::causal;
use super::bulk;
use super::clusters::even_product;
use super::compare::Expected;
use super::epilogue_subtiles;
use super::export;
use super::machine::compile_with_options;
use super::mutation::lowered_with_options;
use super::support::local_trial;
use libtest_mimic::Trial;
use tile_backend::internals::gpu;
use tile_backend::session::{
    DisabledPasses, HostMaps, KernelOptions, Optimization, Persistence, ScheduleOptions,
    optimizations,
};
use tile_backend::target::Arch;
use tile_core::testing::Runnable;

const SEEDS: u64 = 3;
const TOLERANCE: f64 = 2e-3;

/// Returns a kernel to which the rewrite applies, if a launch starts these blocks.
fn kernel_with(rewrite: DisabledPasses) -> Result<(Runnable, Persistence), String> {
    if rewrite == DisabledPasses::EPILOGUE_SUBTILING {
        return Ok((epilogue_subtiles::product()?, Persistence::Auto));
    }
    let of_products = DisabledPasses::GROUPED_RASTER
        | DisabledPasses::TMA_STORES
        | DisabledPasses::ASYNC_MMA
        | DisabledPasses::WARP_SPECIALIZATION;
    let kernel = if of_products.contains(rewrite) {
        even_product()?
    } else if rewrite == DisabledPasses::BULK_COPIES {
        bulk::kernel()?
    } else {
        // Only these rewrites need the branch in the source that skips keys. The branch makes blocks differ
        // in their amount of work.
        let of_branches = DisabledPasses::BLOCK_SKIPPING | DisabledPasses::LPT_ORDER;
        causal(of_branches.contains(rewrite))?
    };
    Ok((kernel, Persistence::Off))
}

fn run(rewrite: DisabledPasses) -> Result<(), String> {
    let (runnable, blocks) = kernel_with(rewrite)?;
    let kernel_options = |without| KernelOptions {
        schedule: ScheduleOptions {
            num_warps: Some(8),
            disabled: without,
            ..ScheduleOptions::default()
        },
        maps: HostMaps::Encoded,
        persistence: blocks,
        ..KernelOptions::default()
    };
    let text = |without| {
        let kernel = lowered_with_options(&runnable.module, Arch::SM_90A, kernel_options(without))?;
        Ok::<_, String>(gpu::to_text(&kernel))
    };
    let (with, without) = (text(DisabledPasses::empty())?, text(rewrite)?);
    if with == without {
        return Err(format!("nothing is left out of\n{with}"));
    }
    let artifact = compile_with_options(&runnable.module, Arch::SM_90A, kernel_options(rewrite))?;
    Expected::new(&runnable, TOLERANCE).check_under(&artifact, &runnable, SEEDS)?;
    Ok(())
}

pub(crate) fn trials() -> Vec<Trial> {
    if export::is_on() {
        return Vec::new();
    }
    let trial = |it: &'static Optimization| {
        local_trial(format!("disabled_passes/{}", it.name), move || run(it.flag))
    };
    let mut trials: Vec<Trial> = optimizations().map(trial).collect();
    trials.push(local_trial("disabled_passes/all", || {
        run(DisabledPasses::all())
    }));
    trials
}

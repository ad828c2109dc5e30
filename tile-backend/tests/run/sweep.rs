//! Compiles every matmul and attention kernel with every number of stages, warpgroups and blocks per cluster,
//! and runs it for every number of trips, with cut tiles.
//!
//! `sweep/KERNEL/stages_N_warpgroups_N` compiles a kernel with all options of a host: without and with tensor
//! maps, persistent and not, without and with clusters of two. Each variant runs zero to nine iterations,
//! under every seed. With maps it runs at least one, since a tensor without elements cannot have a map. The
//! number of rows of a tile is a power of two, so that a block has one, two or four warpgroups. With four
//! warpgroups a kernel has no producer warps and thus no clusters; only kernels with two warpgroups are
//! persistent.
//!
//! Without `TILE_SWEEP_SEEDS`, one of the fifteen variants of each kernel runs, another one for each kernel,
//! under one seed. With `TILE_SWEEP_SEEDS`, all variants run, under that number of seeds.

use std::collections::BTreeSet;
use std::sync::Arc;

use libtest_mimic::Trial;
use tile_backend::internals::gpu::{Clusters, Kernel};
use tile_backend::session::{HostMaps, KernelOptions, Persistence, ScheduleOptions};
use tile_backend::target::Arch;
use tile_core::testing::Runnable;

use super::compare::Expected;
use super::machine::compile_with_options;
use super::mutation::lowered_with_options;
use super::{attention, export, trial, warpgroups};

/// Stages of circular buffers.
const STAGES: std::ops::RangeInclusive<u32> = 2..=6;

/// Consumer warpgroups.
const WARPGROUPS: [u32; 3] = [1, 2, 4];

/// Iterations.
const TRIPS: std::ops::RangeInclusive<u64> = 0..=9;

/// A function that builds a kernel for a number of warpgroups, with arguments for a number of trips.
pub(crate) type Make = dyn Fn(u32, u64) -> Result<Runnable, String> + Send + Sync;

/// A kernel to compile with all options.
#[derive(Clone)]
pub(crate) struct Swept {
    pub(crate) name: String,
    /// The tolerance of results.
    pub(crate) tolerance: f64,
    /// Builds the kernel. The module does not depend on the number of trips.
    pub(crate) make: Arc<Make>,
    /// Minimum number of trips for which its tensors have maps: a tensor without elements cannot have a map.
    pub(crate) least_mapped: u64,
    /// `true` if TMA loads its tiles without conversion.
    pub(crate) is_plain: bool,
    /// `true` if all blocks have the same number of trips; otherwise multicast is impossible.
    pub(crate) is_even: bool,
    /// `true` if the kernel is persistent with two consumer warpgroups, provided that a launch requests
    /// persistence.
    pub(crate) is_persistent: bool,
}

/// The options of a host for a launch.
#[derive(Clone, Copy, Debug)]
struct Way {
    maps: HostMaps,
    blocks: Persistence,
    cluster: u32,
}

const WAYS: [Way; 5] = [
    way(HostMaps::None, Persistence::Off, 1),
    way(HostMaps::Encoded, Persistence::Off, 1),
    way(HostMaps::Encoded, Persistence::Auto, 1),
    way(HostMaps::Encoded, Persistence::Off, 2),
    way(HostMaps::Encoded, Persistence::Auto, 2),
];

const fn way(maps: HostMaps, blocks: Persistence, cluster: u32) -> Way {
    Way {
        maps,
        blocks,
        cluster,
    }
}

impl Swept {
    fn run(&self, stages: u32, warpgroups: u32, seeds: u64) -> Result<(), String> {
        // A sample runs one number of trips, which all options must allow.
        let are_few = export::sampled().is_some();
        let trips = TRIPS.filter(|&trips| !are_few || trips >= self.least_mapped);
        let all_trips = export::sample(trips);
        let runs = all_trips
            .iter()
            .map(|&trips| (self.make)(warpgroups, trips));
        let runs: Vec<Runnable> = runs.collect::<Result<_, String>>()?;
        let expected = runs.iter().map(|run| Expected::new(run, self.tolerance));
        let expected: Vec<Expected> = expected.collect();
        for way in export::sample(WAYS) {
            let kernel_options = KernelOptions {
                schedule: ScheduleOptions {
                    cluster: Some(way.cluster),
                    stages: Some(stages),
                    num_warps: Some(4 * warpgroups),
                    ..ScheduleOptions::default()
                },
                maps: way.maps,
                persistence: way.blocks,
                ..KernelOptions::default()
            };
            let wrong = |what: String| format!("{way:?}: {what}");
            let module = &runs[0].module;
            let kernel =
                lowered_with_options(module, Arch::SM_90A, kernel_options).map_err(wrong)?;
            self.is_so(&kernel, way, stages).map_err(wrong)?;
            let artifact =
                compile_with_options(module, Arch::SM_90A, kernel_options).map_err(wrong)?;
            for (&trips, (run, expected)) in all_trips.iter().zip(runs.iter().zip(&expected)) {
                if way.maps == HostMaps::Encoded && trips < self.least_mapped {
                    continue;
                }
                let ran = expected.check_under(&artifact, run, seeds);
                ran.map_err(|what| wrong(format!("{trips} trips: {what}")))?;
            }
        }
        Ok(())
    }

    /// Checks that the kernel was compiled as requested.
    fn is_so(&self, kernel: &Kernel, way: Way, stages: u32) -> Result<(), String> {
        let text = || tile_backend::internals::gpu::to_text(kernel);
        let circular_buffers: BTreeSet<u32> = kernel
            .shared
            .buffers
            .iter()
            .map(|buffer| buffer.stages)
            .collect();
        if !circular_buffers.contains(&stages) {
            return Err(format!(
                "no circular buffer has {stages} stages:\n{}",
                text()
            ));
        }
        let has_maps = !kernel.maps.is_empty();
        if self.is_plain && has_maps != (way.maps == HostMaps::Encoded) {
            return Err(format!("{} maps:\n{}", kernel.maps.len(), text()));
        }
        let are_pairs = kernel.launch.clusters == Clusters::Pairs;
        let is_match = self.is_even && way.cluster == 2;
        if self.is_plain && kernel.launch.producer_warps > 0 && are_pairs != is_match {
            return Err(format!("{:?}:\n{}", kernel.launch.clusters, text()));
        }
        let is_match = self.is_persistent
            && way.blocks == Persistence::Auto
            && kernel.launch.num_warps == 8
            && kernel.launch.producer_warps > 0;
        if self.is_plain && kernel.launch.is_persistent != is_match {
            return Err(format!(
                "persistent: {}:\n{}",
                kernel.launch.is_persistent,
                text()
            ));
        }
        Ok(())
    }
}

/// Returns the number of seeds of a complete run; `None` for a partial run.
fn seeds() -> Option<u64> {
    export::from_environment("TILE_SWEEP_SEEDS")
}

fn swept() -> impl Iterator<Item = Swept> {
    warpgroups::swept().into_iter().chain(attention::swept())
}

/// Returns the names of all kernels.
pub(crate) fn kernels() -> Vec<String> {
    swept().map(|kernel| kernel.name).collect()
}

pub(crate) fn trials() -> Vec<Trial> {
    let full_seeds = seeds();
    let kernels = swept();
    let mut trials = Vec::new();
    for (first, kernel) in kernels.enumerate() {
        let combinations = WARPGROUPS
            .iter()
            .flat_map(|&count| STAGES.map(move |n| (n, count)));
        for (number, (stages, warpgroups)) in combinations.enumerate() {
            // One of the fifteen variants runs, another one for each kernel: 4 and 15 have no common factor.
            let is_own = number == 4 * first % 15;
            // A sample chooses among all variants.
            if full_seeds.is_none() && export::sampled().is_none() && !is_own {
                continue;
            }
            let kernel = kernel.clone();
            let name = format!(
                "sweep/{}/stages_{stages}_warpgroups_{warpgroups}",
                kernel.name
            );
            let run = move || kernel.run(stages, warpgroups, full_seeds.unwrap_or(1));
            trials.push(trial(name, run));
        }
    }
    trials
}

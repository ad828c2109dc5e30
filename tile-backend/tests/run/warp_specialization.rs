//! Tests warp specialization of loops in every nesting: inside other loops and branches, and after early
//! exits.
//!
//! A kernel accumulates MMAs `A[x, i] * B[i, y]`; a case defines the nest around the loop over `i`. Elements
//! are small integers, so that sums are exact. Every case runs with several numbers of stages, with one and
//! two warpgroups and for every small number of trips, under many seeds. The verifier must refuse its
//! mutants, unless they are harmless.

use std::fmt::Write as _;

use libtest_mimic::Trial;
use tile_backend::internals::gpu;
use tile_backend::internals::gpu::Clusters;
use tile_backend::session::{HostMaps, KernelOptions, Persistence, ScheduleOptions};
use tile_backend::target::Arch;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;

use super::compare::Expected;
use super::export;
use super::machine::compile_with_options;
use super::mutation::lowered_with_options;
use super::support::{self, check_trips, local_trial, options, set_trips};
use super::trial;
use super::waits;

const MAX_TRIPS: u64 = 9;
const SEEDS: u64 = 6;
const STAGES: [u32; 3] = [2, 3, 6];

/// Tiles of A along each axis, and rows of the grid.
const TILES: u64 = 4;

/// The number of blocks of a cluster, and which blocks a launch starts.
type Started = (u32, Persistence);

/// Consumer warps, blocks, and the name of the combination in trials.
const STARTED: [(u32, Started, &str); 6] = [
    (4, (1, Persistence::Off), "cluster_1"),
    (8, (1, Persistence::Off), "cluster_1"),
    (4, (2, Persistence::Off), "cluster_2"),
    (8, (2, Persistence::Off), "cluster_2"),
    (8, (1, Persistence::Auto), "at_once"),
    (8, (2, Persistence::Auto), "pairs_at_once"),
];

/// The nest around the loop, with `LOOP(result, sum, lower, upper)` as a placeholder for the loop, and
/// `STORE(tile)` for a store.
struct Nest {
    name: &'static str,
    text: &'static str,
    /// Number of specialized loops.
    loops: usize,
    /// The clusters that the nest allows, if they are requested.
    clusters: Clusters,
    /// `true` if all blocks have the same amount of work.
    is_even: bool,
}

const NESTS: [Nest; 10] = [
    Nest {
        name: "alone",
        text: "    LOOP(%all, %none, %zero, %n)\n",
        loops: 1,
        clusters: Clusters::Pairs,
        is_even: true,
    },
    Nest {
        name: "in_a_loop",
        text: "
    %all = for %o in (%zero to %n, step %one) : tile<i32> iter_values(%so = %none) -> (ACC) {
      LOOP(%in, %so, %zero, %n)
      continue %in : ACC
    }
",
        loops: 1,
        clusters: Clusters::Pairs,
        is_even: true,
    },
    Nest {
        name: "in_a_triangle",
        text: "
    %all, %last = for %o in (%zero to %n, step %one) : tile<i32> iter_values(%so = %none, %from = %zero) -> (ACC, tile<i32>) {
      LOOP(%in, %so, %from, %o)
      %odd = andi %o, %one : tile<i32>
      continue %in, %odd : ACC, tile<i32>
    }
",
        loops: 1,
        clusters: Clusters::Pairs,
        is_even: true,
    },
    Nest {
        name: "behind_an_early_end",
        text: "
    %end = cmpi equal %x, %one, signed : tile<i32> -> tile<i1>
    if %end {
      return
    }
    LOOP(%all, %none, %zero, %n)
",
        loops: 1,
        clusters: Clusters::Single,
        is_even: true,
    },
    Nest {
        name: "before_an_early_end",
        text: "
    %end = cmpi equal %x, %one, signed : tile<i32> -> tile<i1>
    if %end {
      LOOP(%in, %none, %one, %n)
      STORE(%in)
      return
    }
    LOOP(%all, %none, %zero, %n)
",
        loops: 2,
        clusters: Clusters::Single,
        is_even: false,
    },
    Nest {
        name: "in_a_branch",
        text: "
    %other = cmpi equal %x, %one, signed : tile<i32> -> tile<i1>
    %all = if %other -> (ACC) {
      yield %none : ACC
    } else {
      LOOP(%in, %none, %zero, %n)
      yield %in : ACC
    }
",
        loops: 1,
        clusters: Clusters::Single,
        is_even: false,
    },
    Nest {
        name: "in_a_branch_in_a_loop",
        text: "
    %all = for %o in (%zero to %n, step %one) : tile<i32> iter_values(%so = %none) -> (ACC) {
      %odd = andi %o, %one : tile<i32>
      %is = cmpi equal %odd, %one, signed : tile<i32> -> tile<i1>
      %sb = if %is -> (ACC) {
        LOOP(%in, %so, %zero, %n)
        yield %in : ACC
      } else {
        yield %so : ACC
      }
      continue %sb : ACC
    }
",
        loops: 1,
        clusters: Clusters::Pairs,
        is_even: true,
    },
    Nest {
        name: "until_a_break",
        text: "
    %all = loop iter_values(%o = %zero, %so = %none) : tile<i32>, ACC -> ACC {
      %done = cmpi greater_than_or_equal %o, %n, signed : tile<i32> -> tile<i1>
      if %done {
        break %so : ACC
      }
      %next = addi %o, %one : tile<i32>
      %skipped = cmpi equal %o, %one, signed : tile<i32> -> tile<i1>
      if %skipped {
        continue %next, %so : tile<i32>, ACC
      }
      LOOP(%in, %so, %o, %n)
      continue %next, %in : tile<i32>, ACC
    }
",
        loops: 1,
        clusters: Clusters::Pairs,
        is_even: true,
    },
    Nest {
        name: "one_after_the_other",
        text: "
    LOOP(%first, %none, %zero, %n)
    LOOP(%all, %first, %one, %n)
",
        loops: 2,
        clusters: Clusters::Pairs,
        is_even: true,
    },
    Nest {
        name: "two_in_a_loop",
        text: "
    %all = for %o in (%zero to %n, step %one) : tile<i32> iter_values(%so = %none) -> (ACC) {
      LOOP(%a1, %so, %zero, %o)
      LOOP(%a2, %a1, %o, %n)
      continue %a2 : ACC
    }
",
        loops: 2,
        clusters: Clusters::Pairs,
        is_even: true,
    },
];

impl Nest {
    /// Returns the kernel for tiles of `rows` rows.
    fn source(&self, rows: u64) -> String {
        let acc = format!("tile<{rows}x64xf32>");
        let view = |tile: &str| {
            format!(
                "partition_view<tile=({tile}), padding_value = zero, tensor_view<?x?xf16, strides=[?,1]>>"
            )
        };
        let (a, b) = (view(&format!("{rows}x32")), view("32x64"));
        let mut body = String::new();
        let mut rest = self.text;
        let mut number = 0;
        while let Some((before, after)) = rest.split_once("LOOP(") {
            let (args, after) = after.split_once(')').expect("a loop has an end");
            let args: Vec<&str> = args.split(", ").collect();
            let [result, from, lower, upper] = args[..] else {
                panic!("a loop has a result, a sum and bounds");
            };
            let n = number;
            number += 1;
            body.push_str(before);
            let _ = write!(
                body,
                "{result} = for %i{n} in ({lower} to {upper}, step %one) : tile<i32> iter_values(%acc{n} = {from}) -> ({acc}) {{
      %la{n}, %ta{n} = load_view_tko weak %pa[%x, %i{n}] : {a}, tile<i32> -> tile<{rows}x32xf16>, token
      %lb{n}, %tb{n} = load_view_tko weak %pb[%i{n}, %y] : {b}, tile<i32> -> tile<32x64xf16>, token
      %next{n} = mmaf %la{n}, %lb{n}, %acc{n} : tile<{rows}x32xf16>, tile<32x64xf16>, {acc}
      continue %next{n} : {acc}
    }}"
            );
            rest = after;
        }
        body.push_str(rest);
        let store = |name: &str, tile: &str| {
            format!(
                "%{name} = store_view_tko weak {tile}, %pc[%x, %y] : {acc}, partition_view<tile=({rows}x64), tensor_view<?x?xf32, strides=[?,1]>>, tile<i32> -> token"
            )
        };
        let body = body.replace("STORE(%in)", &store("early", "%in"));
        let body = body.replace("ACC", &acc);
        let stored = store("stored", "%all");
        format!(
            "cuda_tile.module @kernels {{
  entry @f(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f32>>, %k0: tile<i32>, %n: tile<i32>) {{
    %a = assume div_by<16>, %a0 : tile<ptr<f16>>
    %b = assume div_by<16>, %b0 : tile<ptr<f16>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %k1 = assume bounded<0, ?>, %k0 : tile<i32>
    %k = assume div_by<8>, %k1 : tile<i32>
    %m = constant <i32: {m}> : tile<i32>
    %w = constant <i32: 64> : tile<i32>
    %va = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vb = make_tensor_view %b, shape = [%k, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xf16, strides=[?,1]>
    %vc = make_tensor_view %c, shape = [%m, %w], strides = [%w, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pa = make_partition_view %va : {a}
    %pb = make_partition_view %vb : {b}
    %pc = make_partition_view %vc : partition_view<tile=({rows}x64), tensor_view<?x?xf32, strides=[?,1]>>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : {acc}
{body}
    {stored}
    return
  }}
}}
",
            m = rows * TILES,
        )
    }

    fn runnable(&self, rows: u64) -> Result<Runnable, String> {
        let source = self.source(rows);
        let module = support::module(&source, "producers")?;
        let mut random = Random::new(11);
        // The last tile along K is cut.
        let k = MAX_TRIPS * 32 - 8;
        let mut buffer = |count| support::integers(&mut random, Scalar::F16, count, -2..=2);
        let m = rows * TILES;
        let args = vec![
            buffer(m * k),
            buffer(k * 64),
            support::unset(m * 64 * 4),
            Argument::Number(k),
            Argument::Number(0),
        ];
        Ok(Runnable {
            module,
            grid: [u32::try_from(TILES).expect("small"), 1, 1],
            args,
        })
    }

    fn run(&self, warps: u32, stages: u32, (cluster, blocks): Started) -> Result<(), String> {
        let mut runnable = self.runnable(16 * u64::from(warps))?;
        let kernel_options = kernel_options(warps, stages, (cluster, blocks));
        let kernel = lowered_with_options(&runnable.module, Arch::SM_90A, kernel_options)?;
        let filled = kernel
            .shared
            .buffers
            .iter()
            .filter(|buffer| buffer.stages > 1);
        if kernel.launch.producer_warps == 0 || filled.count() != 2 * self.loops {
            return Err(format!(
                "not all loops are filled for:\n{}",
                gpu::to_text(&kernel)
            ));
        }
        // A kernel with one warpgroup is not persistent, since a second block fits the multiprocessor.
        if kernel.launch.is_persistent
            != (blocks == Persistence::Auto && warps == 8 && self.is_even)
        {
            return Err(format!("{blocks:?}: {}", gpu::to_text(&kernel)));
        }
        let expected = if cluster == 1 {
            Clusters::Single
        } else {
            self.clusters
        };
        if kernel.launch.clusters != expected {
            return Err(format!("there are clusters, {:?}", kernel.launch.clusters));
        }
        let artifact = compile_with_options(&runnable.module, Arch::SM_90A, kernel_options)?;
        let trips = export::sample(0..=MAX_TRIPS);
        let seeds = |_| super::seeds(SEEDS);
        check_trips(&artifact, &mut runnable, 0.0, trips, seeds).map(drop)
    }

    /// Changes one synchronization of producer and consumers at a time; the verifier must refuse each mutant,
    /// or it must be harmless.
    fn changed(&self, started: Started) -> Result<(), String> {
        let mut runnable = self.runnable(128)?;
        set_trips(&mut runnable, 5);
        let count = waits::with_options(&runnable, kernel_options(8, 3, started), || {
            Expected::new(&runnable, 0.0)
        })?;
        // Each loop has at least 14 mutants: both initializations, the arrival and its bytes, both copies,
        // three of the producer acquire, three of the consumer wait, and two of the consumer release.
        if count < 14 * self.loops {
            return Err(format!("there are only {count} mutants"));
        }
        Ok(())
    }
}

fn kernel_options(warps: u32, stages: u32, (cluster, blocks): Started) -> KernelOptions {
    let schedule = ScheduleOptions {
        num_warps: Some(warps),
        stages: Some(stages),
        cluster: Some(cluster),
        ..ScheduleOptions::default()
    };
    KernelOptions {
        persistence: blocks,
        ..options(schedule, HostMaps::Encoded)
    }
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for nest in &NESTS {
        for stages in STAGES {
            // Pipeline depth affects only the circular buffer, so only `cluster_1` varies it. The other
            // variants have a depth between the least and the greatest.
            let variants = STARTED.into_iter();
            let chosen = variants.filter(|(_, _, label)| stages == 3 || *label == "cluster_1");
            for (warps, started, label) in chosen {
                let name = format!(
                    "warp_specialization/{}_by_{warps}_stages_{stages}_{label}",
                    nest.name
                );
                trials.push(trial(name, move || nest.run(warps, stages, started)));
            }
        }
        if export::is_on() {
            continue;
        }
        for (_, started, label) in STARTED.into_iter().filter(|(warps, ..)| *warps == 8) {
            let name = format!("warp_specialization/{}_{label}_changed", nest.name);
            trials.push(local_trial(name, move || nest.changed(started)));
        }
    }
    trials
}

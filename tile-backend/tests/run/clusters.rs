//! Tests TMA multicast in clusters: the bytes that are read, when clusters are chosen, and whether the
//! simulator notices wrong code that the verifier cannot detect.
//!
//! Other tests cover more cases: `clusters/CASE` (in `warpgroups`) has matmuls with all types, shapes, trips
//! and stages, and `warp_specialization/…_cluster_2` has all nestings.

use libtest_mimic::Trial;
use tile_backend::internals::gpu::{Clusters, LptOrder, RasterOrder};
use tile_backend::session::{Artifact, DisabledPasses, HostMaps, KernelOptions, ScheduleOptions};
use tile_backend::target::Arch;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;

use super::compare::Expected;
use super::machine::{compile_with_options, parsed, simulate_in};
use super::mutation::lowered_with_options;
use super::support::{self, local_trial, options};

/// M, N and K of the tile.
const TILE: [u64; 3] = [128, 128, 64];

/// Returns a matmul of `tiles` tiles along M, N and K. The first axis of the grid runs along M.
fn product(tiles: [u64; 3], hints: &str, count: &str) -> Result<Runnable, String> {
    let [tile_m, tile_n, tile_k] = TILE;
    let [m, n, depth] = [0, 1, 2].map(|axis| TILE[axis] * tiles[axis]);
    let acc = format!("tile<{tile_m}x{tile_n}xf32>");
    let view = |tile: &str, element: &str| {
        format!("partition_view<tile=({tile}), tensor_view<{element}, strides=[?,1]>>")
    };
    let lhs = view(&format!("{tile_m}x{tile_k}"), "?x?xbf16");
    let rhs = view(&format!("{tile_k}x{tile_n}"), "?x?xbf16");
    let result = view(&format!("{tile_m}x{tile_n}"), "?x?xf32");
    let source = format!(
        "cuda_tile.module @kernels {{
  entry @f(%a0: tile<ptr<bf16>>, %b0: tile<ptr<bf16>>, %c0: tile<ptr<f32>>, %m0: tile<i32>, %n0: tile<i32>, %k0: tile<i32>) {hints} {{
    %a = assume div_by<16>, %a0 : tile<ptr<bf16>>
    %b = assume div_by<16>, %b0 : tile<ptr<bf16>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %m = assume bounded<0, ?>, %m0 : tile<i32>
    %n1 = assume bounded<0, ?>, %n0 : tile<i32>
    %n = assume div_by<8>, %n1 : tile<i32>
    %k1 = assume bounded<0, ?>, %k0 : tile<i32>
    %k = assume div_by<8>, %k1 : tile<i32>
    %va = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %vb = make_tensor_view %b, shape = [%k, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xbf16, strides=[?,1]>
    %vc = make_tensor_view %c, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> tensor_view<?x?xf32, strides=[?,1]>
    %pa = make_partition_view %va : {lhs}
    %pb = make_partition_view %vb : {rhs}
    %pc = make_partition_view %vc : {result}
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %step = constant <i32: {tile_k}> : tile<i32>
    %none = constant <f32: 0.0> : {acc}
    {count}
    %sum = for %i in (%zero to %count, step %one) : tile<i32> iter_values(%acc = %none) -> ({acc}) {{
      %la, %ta = load_view_tko weak %pa[%x, %i] : {lhs}, tile<i32> -> tile<{tile_m}x{tile_k}xbf16>, token
      %lb, %tb = load_view_tko weak %pb[%i, %y] : {rhs}, tile<i32> -> tile<{tile_k}x{tile_n}xbf16>, token
      %next = mmaf %la, %lb, %acc : tile<{tile_m}x{tile_k}xbf16>, tile<{tile_k}x{tile_n}xbf16>, {acc}
      continue %next : {acc}
    }}
    %stored = store_view_tko weak %sum, %pc[%x, %y] : {acc}, {result}, tile<i32> -> token
    return
  }}
}}
"
    );
    let module = support::module(&source, "clusters")?;
    let mut random = Random::new(5);
    let mut buffer = |elements| support::integers(&mut random, Scalar::BF16, elements, -2..=2);
    let mut args = vec![
        buffer(m * depth),
        buffer(depth * n),
        support::unset(m * n * 4),
    ];
    args.extend([m, n, depth].map(Argument::Number));
    let narrow = |tiles: u64| u32::try_from(tiles).expect("few");
    Ok(Runnable {
        module,
        grid: [narrow(tiles[0]), narrow(tiles[1]), 1],
        args,
    })
}

/// Returns a matmul whose extents are multiples of the tile.
pub(crate) fn even_product() -> Result<Runnable, String> {
    product([4, 2, 5], "", ALL_OF_K)
}

/// The trip count is the number of tiles along K.
const ALL_OF_K: &str = "%count = divi %k, %step signed rounding<positive_inf> : tile<i32>";

fn kernel_options(cluster: Option<u32>) -> KernelOptions {
    let schedule = ScheduleOptions {
        cluster,
        ..ScheduleOptions::default()
    };
    options(schedule, HostMaps::Encoded)
}

fn artifact(runnable: &Runnable, cluster: Option<u32>) -> Result<Artifact, String> {
    compile_with_options(&runnable.module, Arch::SM_90A, kernel_options(cluster))
}

/// Returns the number of bytes that TMA loads read in clusters of `blocks` blocks.
fn read(artifact: &Artifact, runnable: &Runnable, blocks: u32) -> Result<u64, String> {
    let done = simulate_in(blocks, artifact, &parsed(artifact), runnable, 0);
    let counters = done.counters.ok_or("the kernel did not end")?;
    Ok(counters.copies.tensor.read_bytes)
}

/// Checks that each byte of the operand that two blocks share is read once, and that both blocks receive
/// every byte.
fn reads() -> Result<(), String> {
    let tiles = [4, 2, 5];
    let runnable = product(tiles, "", ALL_OF_K)?;
    let [m, n, k] = TILE;
    let rounds: u64 = tiles.iter().product();
    let (left, right) = (2 * m * k * rounds, 2 * k * n * rounds);
    for cluster in [1, 2] {
        let artifact = artifact(&runnable, Some(cluster))?;
        for blocks in [1, cluster] {
            let expected = left + right / u64::from(blocks);
            let actual = read(&artifact, &runnable, blocks)?;
            if actual != expected {
                return Err(format!(
                    "code for clusters of {cluster}, in clusters of {blocks}: {actual} bytes are read, and {expected} should be"
                ));
            }
        }
    }
    Ok(())
}

/// Checks when clusters are chosen: with hints, with loops too short to pay, with loops that are longer in
/// one block than in its neighbour, and with loops that are longer along the other axis of the grid.
fn choices() -> Result<(), String> {
    let hint = |blocks: u32| format!("optimization_hints=<sm_90 = {{num_cta_in_cga = {blocks}}}>");
    let short = "%count = constant <i32: 4> : tile<i32>";
    let uneven = "%trips = divi %k, %step signed rounding<positive_inf> : tile<i32>
    %count = subi %trips, %x : tile<i32>";
    let other_axis = "%trips = divi %k, %step signed rounding<positive_inf> : tile<i32>
    %count = subi %trips, %y : tile<i32>";
    for (hints, k, hint, expected) in [
        (String::new(), ALL_OF_K, None, Clusters::Pairs),
        (String::new(), ALL_OF_K, Some(1), Clusters::Single),
        (hint(1), ALL_OF_K, None, Clusters::Single),
        (hint(2), ALL_OF_K, None, Clusters::Pairs),
        (hint(4), ALL_OF_K, None, Clusters::Pairs),
        (hint(2), ALL_OF_K, Some(1), Clusters::Single),
        (String::new(), short, None, Clusters::Single),
        (hint(2), short, None, Clusters::Pairs),
        (hint(2), uneven, None, Clusters::Single),
        (hint(2), other_axis, None, Clusters::Pairs),
    ] {
        let runnable = product([2, 2, 5], &hints, k)?;
        let kernel = lowered_with_options(&runnable.module, Arch::SM_90A, kernel_options(hint))?;
        if kernel.launch.clusters != expected {
            return Err(format!(
                "{:?} with {hint:?}, `{hints}` and `{k}`",
                kernel.launch.clusters
            ));
        }
        let artifact = artifact(&runnable, hint)?;
        Expected::new(&runnable, 0.0).check(&artifact, &runnable)?;
    }
    Ok(())
}

/// Checks that blocks of a cluster stay adjacent, and that single blocks follow LPT order.
fn lengths() -> Result<(), String> {
    let of_row = "%trips = divi %k, %step signed rounding<positive_inf> : tile<i32>
    %count = subi %trips, %y : tile<i32>";
    let runnable = product([4, 3, 5], "", of_row)?;
    let by_length = RasterOrder::Lpt(LptOrder {
        axis: 1,
        rises: false,
    });
    for (cluster, clusters, order) in [
        (1, Clusters::Single, by_length),
        (2, Clusters::Pairs, RasterOrder::Any),
    ] {
        let mut kernel_options = kernel_options(Some(cluster));
        kernel_options.schedule.disabled = DisabledPasses::GROUPED_RASTER;
        let kernel = lowered_with_options(&runnable.module, Arch::SM_90A, kernel_options)?;
        if (kernel.launch.clusters, kernel.launch.raster_order) != (clusters, order) {
            return Err(format!(
                "{:?}, {:?}",
                kernel.launch.clusters, kernel.launch.raster_order
            ));
        }
        let artifact = compile_with_options(&runnable.module, Arch::SM_90A, kernel_options)?;
        Expected::new(&runnable, 0.0).check(&artifact, &runnable)?;
    }
    Ok(())
}

/// The mutations of the code, by name.
const CHANGES: [&str; 6] = [
    "halves_to_one_block",
    "arrivals_at_one_block",
    "no_start_together",
    "too_few_bytes",
    "the_same_half_twice",
    "too_few_arrivals",
];

/// Applies one mutation to the code.
fn changed(ptx: &str, name: &str) -> Option<String> {
    let mut count = 0;
    let lines = ptx.lines().map(|line| {
        let new = match name {
            "halves_to_one_block" if line.contains(".multicast::cluster") => {
                // The mask is the last operand.
                let (head, _) = line.rsplit_once(", ")?;
                Some(format!("mov.b16 %mask_of_one, 1;\n{head}, %mask_of_one;"))
            }
            "arrivals_at_one_block" if line.contains("mapa.shared::cluster") => {
                let (head, _) = line.rsplit_once(", ")?;
                Some(format!("{head}, 0;"))
            }
            "no_start_together" if line.contains("barrier.cluster.") => Some(String::new()),
            "too_few_bytes" if line.contains("mbarrier.arrive.expect_tx") => {
                let (head, bytes) = line.rsplit_once(", ")?;
                Some(format!(
                    "add.u32 %fewer, {}, -16;\n{head}, %fewer;",
                    bytes.trim_end_matches(';')
                ))
            }
            "the_same_half_twice" if line.contains("%cluster_ctarank") => {
                Some(line.replace("%cluster_ctarank", "0"))
            }
            "too_few_arrivals" if line.contains("%cluster_nctarank") && count == 0 => {
                Some(line.replace("%cluster_nctarank", "1"))
            }
            _ => None,
        };
        Some(new.map_or_else(
            || line.to_owned(),
            |new| {
                count += 1;
                new
            },
        ))
    });
    let lines: Option<Vec<String>> = lines.collect();
    let text = lines?.join("\n");
    let (head, body) = text.split_once("{\n")?;
    let text = format!("{head}{{\n.reg .b16 %mask_of_one;\n.reg .b32 %fewer;\n{body}");
    (count > 0).then_some(text)
}

/// Checks that code with one mutation fails in clusters: it deadlocks, or the simulator reports an error.
fn notices(name: &str) -> Result<(), String> {
    let runnable = product([2, 1, 9], "", ALL_OF_K)?;
    let mut artifact = artifact(&runnable, Some(2))?;
    let expected = Expected::new(&runnable, 0.0);
    expected.check(&artifact, &runnable)?;
    let (arch, ptx) = artifact.ptx[0].clone();
    let text = changed(&ptx, name).ok_or("there is nothing to change")?;
    artifact.ptx = vec![(arch, text)];
    match expected.check(&artifact, &runnable) {
        Err(_) => Ok(()),
        Ok(_) => Err("nobody notices".to_owned()),
    }
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = vec![
        local_trial("clusters/reads", reads),
        local_trial("clusters/choices", choices),
        local_trial("clusters/lengths", lengths),
    ];
    for name in CHANGES {
        trials.push(local_trial(format!("clusters/noticed_{name}"), move || {
            notices(name)
        }));
    }
    trials
}

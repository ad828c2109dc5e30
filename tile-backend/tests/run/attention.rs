//! Tests attention: softmax between two MMAs, in a loop over keys, on every target.
//!
//! Each case is a test on each target. A block processes `rows` queries, and iterates over the keys tile by
//! tile. A case defines the number of tiles of keys, whether the last tile is cut, the mask of queries and
//! keys, how the loop ends, and the number of warps.

use std::fmt::Write as _;
use std::sync::Arc;

use libtest_mimic::Trial;
use tile_backend::internals::gpu;
use tile_backend::internals::gpu::Clusters;
use tile_backend::session::{Artifact, HostMaps, KernelOptions, ScheduleOptions};
use tile_backend::target::{Arch, Feature};
use tile_core::interp::encode_float;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;
use tile_sim::Family;

use super::ARCHS;
use super::compare::Expected;
use super::machine::{Simulated, compile_with_options, parsed, simulate};
use super::mutation::{lowered, lowered_with_options};
use super::support::{self, check_trips, local_trial, options};
use super::sweep::Swept;
use super::{export, trial, waits};

/// Number of seeds of the simulator on Hopper; other targets use fewer.
const SEEDS: u64 = 20;
const FEW_SEEDS: u64 = 3;

/// Stages of circular buffers.
const STAGES: std::ops::RangeInclusive<u32> = 2..=6;

/// Tolerance of results: the significands of weights have 11 bits (f16) or 8 (bf16).
const TOLERANCE: f64 = 2e-2;

/// The mask: the keys that a query attends to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sees {
    /// All keys, without a mask.
    All,
    /// Keys within the tensor.
    Existing,
    /// Keys at or before the query (causal).
    Earlier,
}

/// The way in which the loop skips keys that no query of the block attends to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// The loop skips no keys.
    AtTheLast,
    /// The bound of the loop skips keys.
    ByBound,
    /// An `if` around the body skips keys.
    ByBranch,
    /// The number of tiles is a parameter of the kernel.
    ByNumber,
}

/// The input values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Numbers {
    Random,
    /// All scores are equal.
    Equal,
    /// The scores of each tile are higher than those of the preceding tile.
    Rising,
}

#[derive(Clone, Debug)]
struct Case {
    name: String,
    element: Scalar,
    rows: u64,
    keys: u64,
    width: u64,
    blocks: u64,
    /// Tiles of keys.
    tiles: u64,
    /// Number of keys that the last tile lacks.
    cut: u64,
    /// Number of queries that the last block lacks.
    cut_rows: u64,
    sees: Sees,
    ends: Ends,
    warps: Option<u32>,
    numbers: Numbers,
    /// The size of the tensors' first axis, along which a block takes one index.
    heads: Option<u64>,
}

impl Case {
    fn new(name: impl Into<String>, [rows, keys, width]: [u64; 3], sees: Sees) -> Self {
        Self {
            name: name.into(),
            element: Scalar::F16,
            rows,
            keys,
            width,
            blocks: 1,
            tiles: 3,
            cut: 0,
            cut_rows: 0,
            sees,
            ends: Ends::AtTheLast,
            warps: None,
            numbers: Numbers::Random,
            heads: None,
        }
    }

    fn source(&self) -> String {
        let Self {
            element,
            rows,
            keys,
            width,
            ..
        } = self;
        // The prefix of extents, strides and indices for the axis of the heads.
        let has_heads = self.heads.is_some();
        let first = |text: &'static str| if has_heads { text } else { "" };
        let (unit, dynamic, stride, head) = (first("1x"), first("?x"), first("?,"), first("%y, "));
        let (of_heads, tiles_of_heads) = (first("%heads, "), first("%tiles_z, "));
        let turned = if has_heads { "[0, 2, 1]" } else { "[1, 0]" };
        let tensor =
            format!("tensor_view<{dynamic}?x{width}x{element}, strides=[{stride}{width},1]>");
        let result = format!("tensor_view<{dynamic}?x{width}xf32, strides=[{stride}{width},1]>");
        let padded = format!("padding_value = zero, {tensor}");
        let of_queries = format!("partition_view<tile=({unit}{rows}x{width}), {padded}>");
        let of_keys =
            format!("partition_view<tile=({unit}{width}x{keys}), {padded}, dim_map={turned}>");
        let of_values = format!("partition_view<tile=({unit}{keys}x{width}), {padded}>");
        let of_result = format!("partition_view<tile=({unit}{rows}x{width}), {result}>");
        let load = |name: &str, token: &str, from: &str, shape: &str| {
            let load = |name: &str| {
                format!(
                    "%{name}, %{token} = load_view_tko weak {from}, tile<i32> -> tile<{unit}{shape}x{element}>, token\n"
                )
            };
            if has_heads {
                let one = load(&format!("one_{name}"));
                format!(
                    "{one}      %{name} = reshape %one_{name} : tile<1x{shape}x{element}> -> tile<{shape}x{element}>\n"
                )
            } else {
                load(name)
            }
        };
        let load_query = load(
            "query",
            "t0",
            &format!("%pq[{head}%x, %zero] : {of_queries}"),
            &format!("{rows}x{width}"),
        );
        let load_key = load(
            "key",
            "t1",
            &format!("%pk[{head}%zero, %j] : {of_keys}"),
            &format!("{width}x{keys}"),
        );
        let load_value = load(
            "value",
            "t2",
            &format!("%pv[{head}%j, %zero] : {of_values}"),
            &format!("{keys}x{width}"),
        );
        let (q_stride, k_stride) = (first("%q_stride, "), first("%k_stride, "));
        let of_stored = format!("tile<{unit}{rows}x{width}xf32>");
        let stored = if has_heads {
            format!("%stored = reshape %result : tile<{rows}x{width}xf32> -> {of_stored}\n")
        } else {
            String::new()
        };
        let to_store = if has_heads { "stored" } else { "result" };
        let number_of_heads = self.heads.unwrap_or(1);
        let (scores, sums) = (
            format!("tile<{rows}x{keys}xf32>"),
            format!("tile<{rows}x{width}xf32>"),
        );
        let (columns, column) = (
            format!("tile<{rows}x{keys}xi32>"),
            format!("tile<{rows}x1xf32>"),
        );
        let types = format!("({sums}, {column}, {column})");
        let mut mask = String::new();
        let masked = if self.sees == Sees::All {
            "scaled"
        } else {
            let (limit, compared) = if self.sees == Sees::Earlier {
                ("rows", "less_than_or_equal")
            } else {
                ("ends", "less_than")
            };
            let _ = write!(
                mask,
                "      %base = muli %j, %cbn : tile<i32>
      %base1 = reshape %base : tile<i32> -> tile<1xi32>
      %bases = broadcast %base1 : tile<1xi32> -> tile<{keys}xi32>
      %ids = addi %bases, %of_keys : tile<{keys}xi32>
      %ids1 = reshape %ids : tile<{keys}xi32> -> tile<1x{keys}xi32>
      %columns = broadcast %ids1 : tile<1x{keys}xi32> -> {columns}
      %visible = cmpi {compared} %columns, %{limit}, signed : {columns} -> tile<{rows}x{keys}xi1>
      %seen = select %visible, %scaled, %hidden : tile<{rows}x{keys}xi1>, {scores}
"
            );
            "seen"
        };
        let bound = match self.ends {
            Ends::ByBound => "bounded",
            Ends::ByNumber => "told",
            Ends::AtTheLast | Ends::ByBranch => "tiles",
        };
        let mut body = format!(
            "      {load_key}      %scores = mmaf %query, %key, %nothing : tile<{rows}x{width}x{element}>, tile<{width}x{keys}x{element}>, {scores}
      %scaled = mulf %scores, %scale : {scores}
{mask}      %highest = reduce %{masked} dim=1 identities=[0xFF800000 : f32] : {scores} -> tile<{rows}xf32> (%e0: tile<f32>, %a0: tile<f32>) {{
        %b0 = maxf %e0, %a0 : tile<f32>
        yield %b0 : tile<f32>
      }}
      %highest1 = reshape %highest : tile<{rows}xf32> -> {column}
      %higher = maxf %max, %highest1 : {column}
      %higher1 = broadcast %higher : {column} -> {scores}
      %differences = subf %{masked}, %higher1 : {scores}
      %weights = exp2 %differences : {scores}
      %less = subf %max, %higher : {column}
      %kept = exp2 %less : {column}
      %total = reduce %weights dim=1 identities=[0.0 : f32] : {scores} -> tile<{rows}xf32> (%e1: tile<f32>, %a1: tile<f32>) {{
        %b1 = addf %e1, %a1 : tile<f32>
        yield %b1 : tile<f32>
      }}
      %total1 = reshape %total : tile<{rows}xf32> -> {column}
      %next_sum = fma %sum, %kept, %total1 : {column}
      %small = ftof %weights : {scores} -> tile<{rows}x{keys}x{element}>
      {load_value}      %kept1 = broadcast %kept : {column} -> {sums}
      %rescaled = mulf %acc, %kept1 : {sums}
      %next_acc = mmaf %small, %value, %rescaled : tile<{rows}x{keys}x{element}>, tile<{keys}x{width}x{element}>, {sums}
"
        );
        let next = "%next_acc, %next_sum, %higher";
        let types_listed = &types[1..types.len() - 1];
        let _ = if self.ends == Ends::ByBranch {
            body = format!(
                "      %from = muli %j, %cbn : tile<i32>
      %is_seen = cmpi less_than_or_equal %from, %last_row, signed : tile<i32> -> tile<i1>
      %b_acc, %b_sum, %b_max = if %is_seen -> {types} {{
{body}        yield {next} : {types_listed}
      }} else {{
        yield %acc, %sum, %max : {types_listed}
      }}
      continue %b_acc, %b_sum, %b_max : {types_listed}
"
            );
            Ok(())
        } else {
            writeln!(body, "      continue {next} : {types_listed}")
        };
        format!(
            "cuda_tile.module @kernels {{
  entry @f(%q0: tile<ptr<{element}>>, %k0: tile<ptr<{element}>>, %v0: tile<ptr<{element}>>, %o0: tile<ptr<f32>>, %m0: tile<i32>, %n0: tile<i32>, %q_stride0: tile<i32>, %k_stride0: tile<i32>, %told: tile<i32>) {{
    %q = assume div_by<16>, %q0 : tile<ptr<{element}>>
    %k = assume div_by<16>, %k0 : tile<ptr<{element}>>
    %v = assume div_by<16>, %v0 : tile<ptr<{element}>>
    %o = assume div_by<16>, %o0 : tile<ptr<f32>>
    %m = assume bounded<0, ?>, %m0 : tile<i32>
    %n = assume bounded<0, ?>, %n0 : tile<i32>
    %heads = constant <i32: {number_of_heads}> : tile<i32>
    %q_stride = assume div_by<16>, %q_stride0 : tile<i32>
    %k_stride = assume div_by<16>, %k_stride0 : tile<i32>
    %vq = make_tensor_view %q, shape = [{of_heads}%m, {width}], strides = [{q_stride}{width}, 1] : tile<i32> -> {tensor}
    %vk = make_tensor_view %k, shape = [{of_heads}%n, {width}], strides = [{k_stride}{width}, 1] : tile<i32> -> {tensor}
    %vv = make_tensor_view %v, shape = [{of_heads}%n, {width}], strides = [{k_stride}{width}, 1] : tile<i32> -> {tensor}
    %vo = make_tensor_view %o, shape = [{of_heads}%m, {width}], strides = [{q_stride}{width}, 1] : tile<i32> -> {result}
    %pq = make_partition_view %vq : {of_queries}
    %pk = make_partition_view %vk : {of_keys}
    %pv = make_partition_view %vv : {of_values}
    %po = make_partition_view %vo : {of_result}
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %cbm = constant <i32: {rows}> : tile<i32>
    %cbn = constant <i32: {keys}> : tile<i32>
    {load_query}    %nothing = constant <f32: 0.0> : {scores}
    %hidden = constant <f32: 0xFF800000> : {scores}
    %scale = constant <f32: 0.2> : {scores}
    %acc0 = constant <f32: 0.0> : {sums}
    %sum0 = constant <f32: 0.0> : {column}
    %max0 = constant <f32: -1.0e30> : {column}
    %first_row = muli %x, %cbm : tile<i32>
    %first1 = reshape %first_row : tile<i32> -> tile<1xi32>
    %firsts = broadcast %first1 : tile<1xi32> -> tile<{rows}xi32>
    %of_rows = iota : tile<{rows}xi32>
    %of_keys = iota : tile<{keys}xi32>
    %row = addi %firsts, %of_rows : tile<{rows}xi32>
    %row1 = reshape %row : tile<{rows}xi32> -> tile<{rows}x1xi32>
    %rows = broadcast %row1 : tile<{rows}x1xi32> -> {columns}
    %n1 = reshape %n : tile<i32> -> tile<1x1xi32>
    %ends = broadcast %n1 : tile<1x1xi32> -> {columns}
    {tiles_of_heads}%tiles_y, %tiles_x = get_index_space_shape %pv : {of_values} -> tile<i32>
    %tiles = assume bounded<0, ?>, %tiles_y : tile<i32>
    %behind = addi %first_row, %cbm : tile<i32>
    %last_row = subi %behind, %one : tile<i32>
    %before_last = divi %last_row, %cbn signed rounding<zero> : tile<i32>
    %needed = addi %before_last, %one : tile<i32>
    %bounded = mini %tiles, %needed signed : tile<i32>
    %acc1, %sum1, %max1 = for %j in (%zero to %{bound}, step %one) : tile<i32> iter_values(%acc = %acc0, %sum = %sum0, %max = %max0) -> {types} {{
{body}    }}
    %sums = broadcast %sum1 : {column} -> {sums}
    %result = divf %acc1, %sums : {sums}
    {stored}    %t3 = store_view_tko weak %{to_store}, %po[{head}%x, %zero] : {of_stored}, {of_result}, tile<i32> -> token
    return
  }}
}}
"
        )
    }

    fn runnable(&self) -> Result<Runnable, String> {
        let source = self.source();
        let module = support::module(&source, "attention")?;
        let (queries, keys) = (
            self.rows * self.blocks - self.cut_rows,
            (self.keys * self.tiles).saturating_sub(self.cut),
        );
        let mut random = Random::new(11);
        // Numbers are multiples of a quarter. The state of `random` decides the elements, in this order.
        let mut buffer = |count: u64| match self.numbers {
            Numbers::Random => {
                support::multiples(&mut random, self.element, count.max(1), -4..=4, 0.25)
            }
            Numbers::Equal => self.rising(count.max(1), 0.0),
            Numbers::Rising => self.rising(count.max(1), 0.25),
        };
        let heads = self.heads.unwrap_or(1);
        let result = heads * queries * self.width;
        let few = |count: u64| u32::try_from(count).expect("few");
        let args = vec![
            buffer(heads * queries * self.width),
            buffer(heads * keys * self.width),
            buffer(heads * keys * self.width),
            support::integers(&mut random, Scalar::F32, result.max(1), 0..=0),
            Argument::Number(queries),
            Argument::Number(keys),
            Argument::Number(queries * self.width),
            Argument::Number(keys * self.width),
            Argument::Number(self.tiles),
        ];
        Ok(Runnable {
            module,
            grid: [few(self.blocks), few(heads), 1],
            args,
        })
    }

    /// Returns a buffer whose elements are a quarter in the first tile of keys, and more by `step` in each
    /// following tile.
    fn rising(&self, count: u64, step: f64) -> Argument {
        let bytes = (0..count).flat_map(|index| {
            #[expect(clippy::cast_precision_loss, reason = "few")]
            let tile = (index / (self.keys * self.width)) as f64;
            let bits = encode_float(self.element, 0.25 + step * tile);
            bits.to_le_bytes()[..self.element.bytes()].to_vec()
        });
        Argument::Buffer(bytes.collect())
    }

    fn compile(&self, runnable: &Runnable, arch: Arch, maps: HostMaps) -> Result<Artifact, String> {
        let schedule = ScheduleOptions {
            num_warps: self.warps,
            ..ScheduleOptions::default()
        };
        compile_with_options(&runnable.module, arch, options(schedule, maps))
    }

    fn run(&self, arch: Arch) -> Result<(), String> {
        let runnable = self.runnable()?;
        let expected = Expected::new(&runnable, TOLERANCE);
        for maps in [HostMaps::None, HostMaps::Encoded] {
            let has_maps = arch.has(Feature::Tma) && self.tiles > 0;
            if maps == HostMaps::Encoded && !has_maps {
                continue;
            }
            let artifact = self.compile(&runnable, arch, maps)?;
            let seeds = if arch == Arch::SM_90A {
                super::seeds(SEEDS)
            } else {
                FEW_SEEDS
            };
            expected
                .check_under(&artifact, &runnable, seeds)
                .map_err(|what| format!("{maps:?}: {what}"))?;
        }
        Ok(())
    }

    /// Options for loop rotation. With several blocks, they request TMA multicast, although it does not pay.
    fn overlapped_options(&self, stages: u32) -> KernelOptions {
        let schedule = ScheduleOptions {
            num_warps: self.warps,
            stages: Some(stages),
            cluster: (self.blocks > 1).then_some(2),
            ..ScheduleOptions::default()
        };
        options(schedule, HostMaps::Encoded)
    }

    /// Runs a rotated loop with warp specialization and `stages` stages, for every number of tiles up to that
    /// of the case. In a rotated loop, the MMA with the keys is issued beside the MMA with the values of the
    /// previous iteration.
    fn run_overlapped(&self, stages: u32) -> Result<(), String> {
        let mut runnable = self.runnable()?;
        let kernel_options = self.overlapped_options(stages);
        let kernel = lowered_with_options(&runnable.module, Arch::SM_90A, kernel_options)?;
        let is_overlapped = gpu::to_text(&kernel).contains(" in_flight=2 ");
        let are_pairs = kernel.launch.clusters == Clusters::Pairs;
        let is_match = is_overlapped == (stages > 2) && are_pairs == (self.blocks > 1);
        if kernel.launch.producer_warps == 0 || !is_match {
            return Err(gpu::to_text(&kernel));
        }
        let artifact = compile_with_options(&runnable.module, Arch::SM_90A, kernel_options)?;
        let (trips, seeds) = (0..=self.tiles, |_| super::seeds(SEEDS));
        check_trips(&artifact, &mut runnable, TOLERANCE, trips, seeds).map(drop)
    }

    /// Changes one wait of a rotated loop at a time; the verifier must refuse each mutant, or it must be
    /// harmless.
    fn run_changed(&self) -> Result<(), String> {
        let runnable = self.runnable()?;
        let kernel_options = self.overlapped_options(3);
        let count = waits::with_options(&runnable, kernel_options, || {
            Expected::new(&runnable, TOLERANCE)
        })?;
        // Besides the waits of each circular buffer, five MMAs and two waits for them are changed.
        if count < 20 {
            return Err(format!("there are only {count} mutants"));
        }
        Ok(())
    }

    /// Runs without tensor maps.
    fn simulated(&self, arch: Arch) -> Result<Simulated, String> {
        let runnable = self.runnable()?;
        let artifact = self.compile(&runnable, arch, HostMaps::None)?;
        Ok(simulate(&artifact, &parsed(&artifact), &runnable, 0))
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for trips in 0..=9 {
        for (name, sees) in [
            ("all", Sees::All),
            ("existing", Sees::Existing),
            ("earlier", Sees::Earlier),
        ] {
            cases.push(Case {
                tiles: trips,
                cut: if sees == Sees::All { 0 } else { 13 },
                warps: Some(4),
                ..Case::new(format!("trips_{trips}_{name}"), [64, 32, 64], sees)
            });
        }
    }
    for warps in [4, 8, 16] {
        for width in [64, 128] {
            for sees in [Sees::All, Sees::Earlier] {
                cases.push(Case {
                    tiles: 4,
                    warps: Some(warps),
                    ..Case::new(
                        format!("warps_{warps}_width_{width}_{sees:?}").to_lowercase(),
                        [128, 64, width],
                        sees,
                    )
                });
            }
        }
    }
    for (name, ends) in [("bound", Ends::ByBound), ("branch", Ends::ByBranch)] {
        cases.push(Case {
            blocks: 3,
            tiles: 6,
            cut: 9,
            ends,
            warps: Some(4),
            ..Case::new(format!("ends_by_{name}"), [64, 32, 64], Sees::Earlier)
        });
    }
    for numbers in [Numbers::Equal, Numbers::Rising] {
        cases.push(Case {
            tiles: 5,
            warps: Some(4),
            numbers,
            ..Case::new(
                format!("numbers_{numbers:?}").to_lowercase(),
                [64, 32, 64],
                Sees::Earlier,
            )
        });
    }
    cases.push(Case {
        element: Scalar::BF16,
        ..Case::new("bf16", [64, 64, 64], Sees::Earlier)
    });
    for (name, sees) in [("all", Sees::All), ("earlier", Sees::Earlier)] {
        cases.push(Case {
            heads: Some(3),
            blocks: 2,
            cut: 13,
            ..Case::new(format!("heads_{name}"), [64, 32, 64], sees)
        });
    }
    cases.push(Case {
        blocks: 2,
        ..Case::new("few_rows", [16, 32, 64], Sees::Earlier)
    });
    cases
}

/// Returns the cases with loop rotation.
fn overlapped() -> Vec<Case> {
    let mut cases = Vec::new();
    for (warps, rows) in [(4, 64), (8, 128)] {
        for (name, sees) in [("all", Sees::All), ("earlier", Sees::Earlier)] {
            cases.push(Case {
                tiles: 9,
                cut: 13,
                warps: Some(warps),
                ends: Ends::ByNumber,
                ..Case::new(format!("{name}_by_{warps}"), [rows, 32, 64], sees)
            });
        }
    }
    for sees in [Sees::All, Sees::Earlier] {
        cases.push(Case {
            tiles: 9,
            cut: 13,
            warps: Some(8),
            ends: Ends::ByNumber,
            heads: Some(2),
            ..Case::new(
                format!("heads_{sees:?}").to_lowercase(),
                [128, 32, 64],
                sees,
            )
        });
    }
    cases.push(Case {
        tiles: 9,
        cut: 13,
        blocks: 2,
        warps: Some(8),
        ends: Ends::ByNumber,
        ..Case::new("pairs_by_8", [128, 32, 64], Sees::All)
    });
    cases
}

/// Returns the cases of the sweep: each mask and each end of the loop.
pub(crate) fn swept() -> Vec<Swept> {
    let case = |name: &str, sees, ends| Case {
        blocks: 2,
        cut_rows: 7,
        ends,
        ..Case::new(format!("attention_{name}"), [64, 32, 32], sees)
    };
    let cases = [
        case("all", Sees::All, Ends::ByNumber),
        case("existing", Sees::Existing, Ends::AtTheLast),
        case("earlier", Sees::Earlier, Ends::ByNumber),
        case("earlier_by_bound", Sees::Earlier, Ends::ByBound),
        case("earlier_by_branch", Sees::Earlier, Ends::ByBranch),
        Case {
            heads: Some(2),
            ..case("heads", Sees::Earlier, Ends::ByBound)
        },
    ];
    let swept = |case: Case| Swept {
        name: case.name.clone(),
        tolerance: TOLERANCE,
        least_mapped: 1,
        is_plain: true,
        is_even: matches!(case.ends, Ends::AtTheLast | Ends::ByNumber),
        is_persistent: false,
        make: Arc::new(move |warpgroups, trips| {
            let mut case = case.clone();
            case.rows *= u64::from(warpgroups);
            case.tiles = trips;
            case.cut = if trips > 0 && case.sees != Sees::All {
                13
            } else {
                0
            };
            case.runnable()
        }),
    };
    cases.into_iter().map(swept).collect()
}

/// Returns causal attention. Keys that no query attends to are skipped by a branch in the source, or not at
/// all.
pub(crate) fn causal(has_branch: bool) -> Result<Runnable, String> {
    let case = Case {
        tiles: 9,
        blocks: 2,
        ends: if has_branch {
            Ends::ByBranch
        } else {
            Ends::ByNumber
        },
        ..Case::new("", [128, 32, 64], Sees::Earlier)
    };
    case.runnable()
}

/// Counts the instructions of a family that all warps execute.
fn instructions(case: &Case, arch: Arch, family: Family) -> Result<u64, String> {
    let counters = case.simulated(arch)?.counters;
    let counters = counters.ok_or("the kernel did not end")?;
    let index = Family::ALL.iter().position(|&other| other == family);
    Ok(counters.warp_instructions[index.expect("it is one of them")])
}

/// Checks that, with a producer warp, consumers wait for no block barrier in the loop. Stores before the loop
/// have a barrier, so the number of barriers must not grow with the trip count.
fn loops_wait_for_copies_alone() -> Result<(), String> {
    let count_waits = |tiles| {
        let case = Case {
            tiles,
            // Two warpgroups would use ping-pong scheduling, which adds barriers.
            warps: Some(4),
            ..Case::new("", [64, 64, 64], Sees::Earlier)
        };
        let runnable = case.runnable()?;
        let artifact = case.compile(&runnable, Arch::SM_90A, HostMaps::Encoded)?;
        let simulated = simulate(&artifact, &parsed(&artifact), &runnable, 0);
        let counters = simulated.counters.ok_or("the kernel did not end")?;
        Ok::<_, String>(counters.barriers.block)
    };
    let (few, many) = (count_waits(3)?, count_waits(9)?);
    if few == many {
        Ok(())
    } else {
        Err(format!("{few} of three tiles, {many} of nine"))
    }
}

/// Checks that no accumulator is rescaled without a change of the maximum.
fn sums_are_scaled_where_a_maximum_moves(arch: Arch) -> Result<(), String> {
    let count_instructions = |tiles, numbers| {
        let case = Case {
            tiles,
            numbers,
            warps: Some(4),
            ..Case::new("", [64, 32, 64], Sees::All)
        };
        instructions(&case, arch, Family::Float)
    };
    let equal = count_instructions(8, Numbers::Equal)? - count_instructions(4, Numbers::Equal)?;
    let rising = count_instructions(8, Numbers::Rising)? - count_instructions(4, Numbers::Rising)?;
    // Each of the four additional tiles rescales an accumulator of 64 x 64 elements, one element per lane and
    // instruction.
    let products = 4 * (64 * 64) / 32;
    if rising >= equal + products {
        Ok(())
    } else {
        Err(format!(
            "{rising} instructions where maxima move, {equal} where not, for {products} products"
        ))
    }
}

/// Checks that a tile of keys that every query attends to needs almost no comparisons. On the diagonal, each
/// thread compares and selects each of its elements.
fn only_the_diagonal_is_masked(arch: Arch) -> Result<(), String> {
    let case = |tiles, sees| Case {
        tiles,
        warps: Some(4),
        ..Case::new("", [64, 32, 64], sees)
    };
    for sees in [Sees::Earlier, Sees::Existing] {
        // With causal attention, no query of the first block attends to all keys of any of the additional
        // tiles. With existing keys, only the last tile is cut.
        let count_comparisons =
            |tiles, sees| instructions(&case(tiles, sees), arch, Family::Comparison);
        let plain = count_comparisons(8, Sees::All)? - count_comparisons(4, Sees::All)?;
        let masked = count_comparisons(8, sees)? - count_comparisons(4, sees)?;
        // Each of the four additional tiles has 64 x 32 elements, one element per lane and instruction.
        let elements = 4 * (64 * 32) / 32;
        let more = masked.saturating_sub(plain);
        let are_all_masked = sees == Sees::Earlier;
        if are_all_masked != (more >= elements) {
            return Err(format!(
                "{sees:?}: {more} comparisons more of {elements} elements"
            ));
        }
    }
    Ok(())
}

/// Checks that keys and values are pipelined even if their loads are in an `if` in the source, which the
/// compiler removes.
fn skipped_keys_are_not_loaded(arch: Arch) -> Result<(), String> {
    let case = |tiles| Case {
        ends: Ends::ByBranch,
        tiles,
        warps: Some(4),
        ..Case::new("", [64, 32, 64], Sees::Earlier)
    };
    let kernel = lowered(&case(4).runnable()?.module, arch, Some(4))?;
    let text = gpu::to_text(&kernel);
    if !text.contains("copy_async") {
        return Err(format!("nothing is copied ahead in\n{text}"));
    }
    // The only block attends to two tiles of keys, whatever the number of tiles.
    let loads = |tiles| {
        let counters = case(tiles).simulated(arch)?.counters;
        let counters = counters.ok_or("the kernel did not end")?;
        Ok::<_, String>(counters.copies)
    };
    let (few, many) = (loads(2)?, loads(9)?);
    if few == many {
        Ok(())
    } else {
        Err(format!("{few:?} for two tiles, {many:?} for nine"))
    }
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for case in cases() {
        for arch in ARCHS {
            let case = case.clone();
            let name = format!("attention/{}::{arch}", case.name);
            trials.push(trial(name, move || case.run(arch)));
        }
    }
    for (number, case) in overlapped().into_iter().enumerate() {
        // Pipeline depth and masks are independent: each is tested with one value of the other.
        let stages = if number == 0 { STAGES } else { 3..=3 };
        for stages in stages {
            let name = format!("attention/overlapped_{}_stages_{stages}", case.name);
            let case = case.clone();
            trials.push(trial(name, move || case.run_overlapped(stages)));
        }
        if export::is_on() {
            continue;
        }
        let name = format!("attention/overlapped_{}_changed", case.name);
        trials.push(local_trial(name, move || case.run_changed()));
    }
    trials.push(local_trial(
        "attention/loops_wait_for_copies_alone",
        loops_wait_for_copies_alone,
    ));
    for arch in ARCHS {
        trials.push(local_trial(
            format!("attention/sums_are_scaled_where_a_maximum_moves::{arch}"),
            move || sums_are_scaled_where_a_maximum_moves(arch),
        ));
        trials.push(local_trial(
            format!("attention/skipped_keys_are_not_loaded::{arch}"),
            move || skipped_keys_are_not_loaded(arch),
        ));
        trials.push(local_trial(
            format!("attention/only_the_diagonal_is_masked::{arch}"),
            move || only_the_diagonal_is_masked(arch),
        ));
    }
    trials
}

//! Tests persistent kernels, on `sm_90a`.
//!
//! A kernel multiplies `A[z, x, i] * B[i, y]`, over all work tiles of a grid of three axes. A case defines
//! the extents of the grid, whether the last tiles are cut, what is done with the sum, and whether some work
//! tiles end early. Every case runs with one block, with several, with one per work tile, and with more
//! ([`super::machine::simulate`] varies the number). The verifier must refuse the mutants of a case, unless
//! they are harmless.

use std::fmt::Write as _;

use libtest_mimic::Trial;
use tile_backend::internals::gpu;
use tile_backend::internals::gpu::{BufferId, Kernel, OpId, OpKind, Ty};
use tile_backend::session::{HostMaps, KernelOptions, Persistence, ScheduleOptions};
use tile_backend::target::Arch;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;

use super::compare::Expected;
use super::export;
use super::machine::{BY_ONE_BLOCK, compile_with_options, parsed, simulate};
use super::mutation::{emitted, lowered_with_options};
use super::support::{self, check_trips, local_trial, options, work_tile_loop};
use super::trial;
use super::waits;

const SEEDS: u64 = 20;
const MAX_TRIPS: u64 = 9;
const ROWS: u64 = 128;
const COLUMNS: u64 = 64;
const DEPTH: u64 = 32;

/// The epilogue of the accumulator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stored {
    AsItIs,
    /// The accumulator is converted and stored by `stmatrix`.
    Half,
    /// The accumulator is stored to two tensors, to one of them without conversion.
    Both,
}

struct Case {
    name: &'static str,
    grid: [u64; 3],
    /// Number of elements that the last tiles along M, N and K lack.
    cut: [u64; 3],
    stored: Stored,
    /// Operations before and after the loop.
    before: &'static str,
    behind: &'static str,
}

const PLAIN: Case = Case {
    name: "plain",
    grid: [3, 2, 1],
    cut: [0; 3],
    stored: Stored::AsItIs,
    before: "",
    behind: "",
};

const CASES: [Case; 8] = [
    PLAIN,
    Case {
        name: "ragged",
        cut: [40, 24, 8],
        ..PLAIN
    },
    Case {
        name: "three_axes",
        grid: [2, 3, 3],
        stored: Stored::Half,
        ..PLAIN
    },
    Case {
        name: "one_position",
        grid: [1, 1, 1],
        ..PLAIN
    },
    Case {
        name: "many_positions_cut",
        grid: [5, 1, 2],
        cut: [8, 8, 16],
        stored: Stored::Half,
        ..PLAIN
    },
    Case {
        name: "two_stores",
        grid: [2, 2, 1],
        stored: Stored::Both,
        ..PLAIN
    },
    Case {
        name: "early_end",
        grid: [3, 2, 2],
        before: "
    %end = cmpi equal %x, %one, signed : tile<i32> -> tile<i1>
    if %end {
      return
    }
",
        ..PLAIN
    },
    Case {
        name: "late_end",
        grid: [3, 2, 2],
        stored: Stored::Both,
        behind: "
    %end = cmpi equal %x, %y, signed : tile<i32> -> tile<i1>
    if %end {
      return
    }
",
        ..PLAIN
    },
];

/// Operations that prevent persistence, each used as [`Case::behind`].
const ALONE: [(&str, &str); 3] = [
    (
        "counts",
        "%r, %t = atomic_rmw_tko relaxed device %count, add, %one : tile<ptr<i32>>, tile<i32> -> tile<i32>, token",
    ),
    (
        "looks",
        "%r, %t = load_ptr_tko relaxed device %count : tile<ptr<i32>> -> tile<i32>, token",
    ),
    ("prints", "%t = print_tko \"done\" -> token"),
];

impl Case {
    fn source(&self) -> String {
        let acc = format!("tile<{ROWS}x{COLUMNS}xf32>");
        let view = |element: &str, rows: u64, columns: u64, padded: &str| {
            format!(
                "partition_view<tile=({rows}x{columns}){padded}, tensor_view<?x?x{element}, strides=[?,1]>>"
            )
        };
        let zero = ", padding_value = zero";
        let (a, b) = (
            view("f16", ROWS, DEPTH, zero),
            view("f16", DEPTH, COLUMNS, zero),
        );
        let (c, h) = (
            view("f32", ROWS, COLUMNS, ""),
            view("f16", ROWS, COLUMNS, ""),
        );
        let mut stores = String::new();
        if self.stored != Stored::Half {
            let _ = writeln!(
                stores,
                "    %sc = store_view_tko weak %all, %pc[%row, %y] : {acc}, {c}, tile<i32> -> token"
            );
        }
        if self.stored != Stored::AsItIs {
            let half = format!("tile<{ROWS}x{COLUMNS}xf16>");
            let _ = writeln!(
                stores,
                "    %half = ftof %all : {acc} -> {half}
    %sh = store_view_tko weak %half, %ph[%row, %y] : {half}, {h}, tile<i32> -> token"
            );
        }
        let tensor = |name: &str, element: &str, [m, n]: [&str; 2]| {
            format!(
                "%v{name} = make_tensor_view %{name}, shape = [%{m}, %{n}], strides = [%{n}, 1] : tile<i32> -> tensor_view<?x?x{element}, strides=[?,1]>"
            )
        };
        let views = [
            tensor("a", "f16", ["m", "k"]),
            tensor("b", "f16", ["k", "w"]),
            tensor("c", "f32", ["m", "w"]),
            tensor("h", "f16", ["m", "w"]),
        ];
        let (before, behind) = (self.before, self.behind);
        format!(
            "cuda_tile.module @kernels {{
  entry @f(%a0: tile<ptr<f16>>, %b0: tile<ptr<f16>>, %c0: tile<ptr<f32>>, %h0: tile<ptr<f16>>, %count: tile<ptr<i32>>, %m0: tile<i32>, %w0: tile<i32>, %k0: tile<i32>, %n: tile<i32>) {{
    %a = assume div_by<16>, %a0 : tile<ptr<f16>>
    %b = assume div_by<16>, %b0 : tile<ptr<f16>>
    %c = assume div_by<16>, %c0 : tile<ptr<f32>>
    %h = assume div_by<16>, %h0 : tile<ptr<f16>>
    %m = assume bounded<0, ?>, %m0 : tile<i32>
    %w1 = assume bounded<0, ?>, %w0 : tile<i32>
    %w = assume div_by<8>, %w1 : tile<i32>
    %k1 = assume bounded<0, ?>, %k0 : tile<i32>
    %k = assume div_by<8>, %k1 : tile<i32>
    {}
    %pa = make_partition_view %va : {a}
    %pb = make_partition_view %vb : {b}
    %pc = make_partition_view %vc : {c}
    %ph = make_partition_view %vh : {h}
    %x, %y, %z = get_tile_block_id : tile<i32>
    %across, %down, %deep = get_num_tile_blocks : tile<i32>
    %plane = muli %z, %across : tile<i32>
    %row = addi %plane, %x : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : {acc}
{before}
    %all = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%sum = %none) -> ({acc}) {{
      %la, %ta = load_view_tko weak %pa[%row, %i] : {a}, tile<i32> -> tile<{ROWS}x{DEPTH}xf16>, token
      %lb, %tb = load_view_tko weak %pb[%i, %y] : {b}, tile<i32> -> tile<{DEPTH}x{COLUMNS}xf16>, token
      %next = mmaf %la, %lb, %sum : tile<{ROWS}x{DEPTH}xf16>, tile<{DEPTH}x{COLUMNS}xf16>, {acc}
      continue %next : {acc}
    }}
{behind}
{stores}
    return
  }}
}}
",
            views.join("\n    ")
        )
    }

    fn runnable(&self, trips: u64) -> Result<Runnable, String> {
        let source = self.source();
        let module = support::module(&source, "persistent")?;
        let mut random = Random::new(5);
        let [across, down, deep] = self.grid;
        let m = across * deep * ROWS - self.cut[0];
        let w = down * COLUMNS - self.cut[1];
        let k = MAX_TRIPS * DEPTH - self.cut[2];
        let mut buffer = |count| support::integers(&mut random, Scalar::F16, count, -1..=1);
        let args = vec![
            buffer(m * k),
            buffer(k * w),
            support::unset(m * w * 4),
            support::unset(m * w * 2),
            Argument::Buffer(vec![0; 4]),
            Argument::Number(m),
            Argument::Number(w),
            Argument::Number(k),
            Argument::Number(trips),
        ];
        Ok(Runnable {
            module,
            grid: self
                .grid
                .map(|extent| u32::try_from(extent).expect("small")),
            args,
        })
    }

    fn run(&self, kernel_options: KernelOptions) -> Result<(), String> {
        let mut runnable = self.runnable(0)?;
        let artifact = compile_with_options(&runnable.module, Arch::SM_90A, kernel_options)?;
        let launch = &artifact.manifest.launches[0];
        let is_so = launch.persistent_blocks_per_sm == Some(1) && launch.spilled_bytes() == 0;
        if !is_so {
            return Err(format!("it is not so: {}", launch.line()));
        }
        // One number of trips runs under every seed, the others under fewer.
        let seeds = |trips| super::seeds(if trips == 5 { SEEDS } else { 6 });
        let trips = export::sample(0..=MAX_TRIPS);
        check_trips(&artifact, &mut runnable, 0.0, trips, seeds).map(drop)
    }

    fn changed(&self) -> Result<(), String> {
        let runnable = self.runnable(4)?;
        waits::with_options(&runnable, kernel_options(3), || {
            Expected::new(&runnable, 0.0)
        })?;
        Ok(())
    }
}

fn kernel_options(stages: u32) -> KernelOptions {
    let schedule = ScheduleOptions {
        num_warps: Some(8),
        stages: Some(stages),
        cluster: Some(1),
        ..ScheduleOptions::default()
    };
    KernelOptions {
        persistence: Persistence::Auto,
        ..options(schedule, HostMaps::Encoded)
    }
}

/// Checks that a kernel is not persistent if other blocks may wait for one of its operations.
fn is_left_alone(behind: &'static str) -> Result<(), String> {
    let case = Case { behind, ..PLAIN };
    let kernel = lowered_with_options(&case.runnable(1)?.module, Arch::SM_90A, kernel_options(3))?;
    if kernel.launch.is_persistent {
        return Err(gpu::to_text(&kernel));
    }
    Ok(())
}

/// Checks that the producer prefetches the next work tile. The changed consumers wait for the first stage of
/// the next work tile before they store a tile. This wait does not deadlock, since the producer is ahead. A
/// wait for a stage that is never filled again deadlocks.
fn prefetches_next_tile() -> Result<(), String> {
    const TRIPS: u64 = 2;
    let case = Case {
        grid: [2, 1, 1],
        ..PLAIN
    };
    let runnable = case.runnable(TRIPS)?;
    let kernel = lowered_with_options(&runnable.module, Arch::SM_90A, kernel_options(3))?;
    let mut artifact = compile_with_options(&runnable.module, Arch::SM_90A, kernel_options(3))?;
    // Of the three stages, the first work tile fills two. The next work tile fills the third, then the first
    // again.
    for (stage, parity, may_end) in [(2, 0, true), (1, 1, false)] {
        let mut waiting = kernel.clone();
        wait_before_the_store(&mut waiting, stage, parity)?;
        artifact.ptx = vec![(Arch::SM_90A, emitted(&waiting, Arch::SM_90A)?)];
        let ran = simulate(&artifact, &parsed(&artifact), &runnable, BY_ONE_BLOCK);
        if ran.fault.is_none() != may_end {
            let text = gpu::to_text(&waiting);
            return Err(format!("stage {stage}: {:?}\n{text}", ran.fault));
        }
    }
    Ok(())
}

/// Adds a consumer wait for a phase of a stage before the writes of the epilogue.
fn wait_before_the_store(kernel: &mut Kernel, stage: u64, parity: u64) -> Result<(), String> {
    let is_write = |id: &OpId| {
        let kind = &kernel.op(*id).kind;
        matches!(kind, OpKind::StoreShared(_) | OpKind::StoreMatrix(_))
    };
    let block = work_tile_loop(kernel)?;
    let ops = &kernel.block(block).ops;
    let index = ops.iter().position(is_write).ok_or("nothing is stored")?;
    let loc = kernel.op(ops[index]).loc;
    let filled: BufferId = kernel
        .op_ids()
        .find_map(|id| match kernel.op(id).kind {
            OpKind::ConsumerWait(filled) => Some(filled),
            _ => None,
        })
        .ok_or("nothing is waited for")?;
    let number = Ty::Uniform(Scalar::I32);
    let mut added = Vec::new();
    let mut args = Vec::new();
    for bits in [stage, parity] {
        let id = kernel.add_op(OpKind::Constant(bits), &[], &[number], &[], loc);
        args.push(kernel.op(id).results[0]);
        added.push(id);
    }
    added.push(kernel.add_op(OpKind::ConsumerWait(filled), &args, &[], &[], loc));
    let ops = &mut kernel.block_mut(block).ops;
    ops.splice(index..index, added);
    Ok(())
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for (number, case) in CASES.iter().enumerate() {
        // Pipeline depth affects only circular buffers, so it varies in the first case only.
        let stages = if number == 0 { 2..=6 } else { 3..=3 };
        for stages in stages {
            let name = format!("persistent/{}_stages_{stages}", case.name);
            trials.push(trial(name, move || case.run(kernel_options(stages))));
        }
        let name = format!("persistent/{}_pairs", case.name);
        let mut pairs = kernel_options(3);
        pairs.schedule.cluster = Some(2);
        trials.push(trial(name, move || case.run(pairs)));
    }
    if export::is_on() {
        return trials;
    }
    for case in &CASES {
        trials.push(local_trial(
            format!("persistent/{}_changed", case.name),
            move || case.changed(),
        ));
    }
    for (name, behind) in ALONE {
        trials.push(local_trial(
            format!("persistent/not_if_it_{name}"),
            move || is_left_alone(behind),
        ));
    }
    trials.push(local_trial(
        "persistent/loads_of_the_next_position_do_not_wait_for_stores",
        prefetches_next_tile,
    ));
    trials
}

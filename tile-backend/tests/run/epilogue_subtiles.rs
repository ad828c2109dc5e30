//! Tests epilogue subtiling in persistent kernels on `sm_90a`, which leaves room for the stages of circular
//! buffers.
//!
//! A kernel multiplies `A[x, i] * B[i, y]` and stores the sum. A case defines the size and type of tiles, the
//! orientation of the result, and the expected subtiling: number of subtiles, buffers and stages. Every case
//! runs for every small number of trips, with one block, with several, with one per work tile, and with more.
//! The verifier must refuse mutants, and the simulator must notice them too.

use std::fmt::Write as _;

use libtest_mimic::Trial;
use tile_backend::internals::gpu;
use tile_backend::internals::gpu::{Kernel, OpId, OpKind};
use tile_backend::session::{
    Artifact, DisabledPasses, HostMaps, KernelOptions, Persistence, ScheduleOptions,
};
use tile_backend::target::Arch;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;

use super::compare::Expected;
use super::export;
use super::machine::compile_with_options;
use super::mutation::{emitted, lowered_with_options};
use super::support::{self, check_trips, local_trial, options, work_tile_loop};
use super::trial;
use super::waits;

const SEEDS: u64 = 20;
const MAX_TRIPS: u64 = 9;

/// Maximum shared memory of a block.
const MAX_BYTES: u32 = 227 << 10;

/// The orientation of the result in memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Orientation {
    /// Rows are contiguous.
    Straight,
    /// Columns are contiguous: the view exchanges the axes.
    Turned,
}

#[derive(Clone, Copy)]
struct Case {
    name: &'static str,
    /// M, N and K of the tile.
    tile: [u64; 3],
    element: Scalar,
    /// The stored types, each with a tensor of its own.
    stored: &'static [Scalar],
    lies: Orientation,
    /// Work tiles along M and N.
    grid: [u64; 2],
    /// Number of elements that the last tiles along M, N and K lack.
    cut: [u64; 3],
    stages: Option<u32>,
    /// For each stored tile, the numbers of subtiles and of buffers.
    subtiles: &'static [(usize, usize)],
    /// Stages of circular buffers.
    expected_stages: u32,
}

/// An accumulator of 128x256, stored as f16. Stored as a whole, it leaves room for three stages.
const PLAIN: Case = Case {
    name: "f16",
    tile: [128, 256, 64],
    element: Scalar::F16,
    stored: &[Scalar::F16],
    lies: Orientation::Straight,
    grid: [2, 2],
    cut: [0; 3],
    stages: None,
    subtiles: &[(4, 2)],
    expected_stages: 4,
};

/// A smaller tile, with the maximum number of stages that fit beside half of the tile.
const SMALL: Case = Case {
    name: "small",
    tile: [128, 128, 64],
    stored: &[Scalar::F32],
    stages: Some(6),
    expected_stages: 6,
    ..PLAIN
};

const CASES: [Case; 11] = [
    PLAIN,
    Case {
        name: "bf16_ragged",
        element: Scalar::BF16,
        stored: &[Scalar::BF16],
        cut: [40, 72, 24],
        ..PLAIN
    },
    // Stored as a whole, f32 tiles leave room for two stages, and the kernel would not be persistent.
    Case {
        name: "f32",
        stored: &[Scalar::F32],
        subtiles: &[(8, 2)],
        ..PLAIN
    },
    Case {
        name: "f32_ragged",
        element: Scalar::BF16,
        stored: &[Scalar::F32],
        cut: [8, 100, 8],
        subtiles: &[(8, 2)],
        ..PLAIN
    },
    Case {
        name: "f8",
        tile: [128, 256, 128],
        element: Scalar::F8E4M3FN,
        stored: &[Scalar::BF16],
        cut: [16, 80, 16],
        ..PLAIN
    },
    // Each warpgroup has all columns of 128 rows. The rows of smaller subtiles would be shorter than a cache
    // line.
    Case {
        name: "tall",
        tile: [256, 128, 64],
        cut: [100, 24, 8],
        subtiles: &[(2, 1)],
        ..PLAIN
    },
    Case {
        name: "turned",
        lies: Orientation::Turned,
        cut: [24, 50, 8],
        ..PLAIN
    },
    Case {
        name: "f32_turned",
        stored: &[Scalar::F32],
        lies: Orientation::Turned,
        cut: [24, 50, 8],
        subtiles: &[(8, 2)],
        ..PLAIN
    },
    SMALL,
    Case {
        name: "small_ragged",
        grid: [3, 2],
        cut: [40, 24, 8],
        ..SMALL
    },
    Case {
        name: "two_tensors",
        stored: &[Scalar::F32, Scalar::F16],
        grid: [3, 2],
        cut: [40, 24, 8],
        subtiles: &[(4, 1), (2, 1)],
        ..SMALL
    },
];

/// Tiles that are stored as a whole, since the shared memory beside them holds enough stages.
const WHOLE: [Case; 4] = [
    Case {
        name: "narrow_bf16",
        tile: [128, 128, 64],
        expected_stages: 6,
        subtiles: &[(1, 1)],
        ..PLAIN
    },
    Case {
        name: "narrow_f32",
        tile: [128, 128, 64],
        stored: &[Scalar::F32],
        expected_stages: 5,
        subtiles: &[(1, 1)],
        ..PLAIN
    },
    Case {
        name: "shallow",
        tile: [128, 256, 32],
        expected_stages: 6,
        subtiles: &[(1, 1)],
        ..PLAIN
    },
    Case {
        name: "three_are_asked_for",
        stages: Some(3),
        expected_stages: 3,
        subtiles: &[(1, 1)],
        ..PLAIN
    },
];

impl Case {
    fn source(&self) -> String {
        let [m, n, k] = self.tile;
        let element = self.element;
        // 8-bit operands are contiguous along K.
        let is_along = element.bytes() == 1;
        let fast = if is_along { " fast_acc" } else { "" };
        let view = |of: Scalar, [rows, columns]: [u64; 2], is_transposed: bool, padding: &str| {
            let map = if is_transposed {
                ", dim_map=[1, 0]"
            } else {
                ""
            };
            let tensor = format!("tensor_view<?x?x{of}, strides=[?,1]>");
            let view = format!("partition_view<tile=({rows}x{columns}){padding}, {tensor}{map}>");
            (view, tensor)
        };
        let zero = ", padding_value = zero";
        let (lhs, tensor_a) = view(element, [m, k], false, zero);
        let (rhs, tensor_b) = view(element, [k, n], is_along, zero);
        let across = if is_along { ["n", "k"] } else { ["k", "n"] };
        let mut params = String::new();
        let mut body = String::new();
        let mut stores = String::new();
        let acc = format!("tile<{m}x{n}xf32>");
        for (number, &of) in self.stored.iter().enumerate() {
            let is_transposed = self.lies == Orientation::Turned;
            let (result, tensor) = view(of, [m, n], is_transposed, "");
            let [first, second] = if is_transposed {
                ["n", "m"]
            } else {
                ["m", "n"]
            };
            let _ = write!(params, ", %c{number}_0: tile<ptr<{of}>>");
            let _ = write!(
                body,
                "
    %c{number} = assume div_by<16>, %c{number}_0 : tile<ptr<{of}>>
    %vc{number} = make_tensor_view %c{number}, shape = [%{first}, %{second}], strides = [%{second}, 1] : tile<i32> -> {tensor}
    %pc{number} = make_partition_view %vc{number} : {result}"
            );
            let tile = format!("tile<{m}x{n}x{of}>");
            let way = if of == Scalar::F32 {
                format!("reshape %all : {acc} -> {tile}")
            } else {
                format!("ftof %all rounding<nearest_even> : {acc} -> {tile}")
            };
            let _ = write!(
                stores,
                "
    %r{number} = {way}
    %s{number} = store_view_tko weak %r{number}, %pc{number}[%x, %y] : {tile}, {result}, tile<i32> -> token"
            );
        }
        format!(
            "cuda_tile.module @kernels {{
  entry @f(%a0: tile<ptr<{element}>>, %b0: tile<ptr<{element}>>{params}, %m0: tile<i32>, %n0: tile<i32>, %k0: tile<i32>, %trips: tile<i32>) {{
    %a = assume div_by<16>, %a0 : tile<ptr<{element}>>
    %b = assume div_by<16>, %b0 : tile<ptr<{element}>>
    %m1 = assume bounded<0, ?>, %m0 : tile<i32>
    %m = assume div_by<8>, %m1 : tile<i32>
    %n1 = assume bounded<0, ?>, %n0 : tile<i32>
    %n = assume div_by<8>, %n1 : tile<i32>
    %k1 = assume bounded<0, ?>, %k0 : tile<i32>
    %k = assume div_by<16>, %k1 : tile<i32>
    %va = make_tensor_view %a, shape = [%m, %k], strides = [%k, 1] : tile<i32> -> {tensor_a}
    %vb = make_tensor_view %b, shape = [%{}, %{}], strides = [%{}, 1] : tile<i32> -> {tensor_b}
    %pa = make_partition_view %va : {lhs}
    %pb = make_partition_view %vb : {rhs}{body}
    %x, %y, %z = get_tile_block_id : tile<i32>
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %none = constant <f32: 0.0> : {acc}
    %all = for %i in (%zero to %trips, step %one) : tile<i32> iter_values(%sum = %none) -> ({acc}) {{
      %la, %ta = load_view_tko weak %pa[%x, %i] : {lhs}, tile<i32> -> tile<{m}x{k}x{element}>, token
      %lb, %tb = load_view_tko weak %pb[%i, %y] : {rhs}, tile<i32> -> tile<{k}x{n}x{element}>, token
      %next = mmaf %la, %lb, %sum{fast} : tile<{m}x{k}x{element}>, tile<{k}x{n}x{element}>, {acc}
      continue %next : {acc}
    }}{stores}
    return
  }}
}}
",
            across[0], across[1], across[1]
        )
    }

    fn runnable(&self, trips: u64) -> Result<Runnable, String> {
        let source = self.source();
        let module = support::module(&source, "pieces")?;
        let mut random = Random::new(5);
        let [rows, columns] = self.grid;
        let tiles = [rows, columns, MAX_TRIPS];
        let [m, n, k] =
            [0, 1, 2].map(|axis| (self.tile[axis] * tiles[axis] - self.cut[axis]) / 16 * 16);
        let mut buffer = |count| support::integers(&mut random, self.element, count, -1..=1);
        let mut args = vec![buffer(m * k), buffer(k * n)];
        for of in self.stored {
            args.push(support::unset(m * n * of.bytes() as u64));
        }
        args.extend([m, n, k, trips].map(Argument::Number));
        let narrow = |count: u64| u32::try_from(count).expect("few");
        Ok(Runnable {
            module,
            grid: [narrow(rows), narrow(columns), 1],
            args,
        })
    }

    fn kernel_options(&self, cluster: u32) -> KernelOptions {
        let schedule = ScheduleOptions {
            num_warps: Some(8),
            stages: self.stages,
            cluster: Some(cluster),
            ..ScheduleOptions::default()
        };
        KernelOptions {
            persistence: Persistence::Auto,
            ..options(schedule, HostMaps::Encoded)
        }
    }

    fn lowered(&self, runnable: &Runnable, cluster: u32) -> Result<Kernel, String> {
        lowered_with_options(&runnable.module, Arch::SM_90A, self.kernel_options(cluster))
    }

    fn compiled(&self, runnable: &Runnable, cluster: u32) -> Result<Artifact, String> {
        compile_with_options(&runnable.module, Arch::SM_90A, self.kernel_options(cluster))
    }

    /// Checks that the kernel has the subtiles and stages of the case.
    fn is_so(&self, kernel: &Kernel) -> Result<(), String> {
        let block = work_tile_loop(kernel)?;
        let mut actual = vec![(0, Vec::new()); kernel.maps.len()];
        for &id in &kernel.block(block).ops {
            if let OpKind::TmaStore(store) = &kernel.op(id).kind {
                let (subtiles, buffers) = &mut actual[store.map];
                *subtiles += 1;
                if !buffers.contains(&store.buffer) {
                    buffers.push(store.buffer);
                }
            }
        }
        let actual = actual.iter().filter(|(subtiles, _)| *subtiles > 0);
        let actual: Vec<_> = actual
            .map(|(subtiles, buffers)| (*subtiles, buffers.len()))
            .collect();
        let stages = kernel
            .shared
            .buffers
            .iter()
            .map(|buffer| buffer.stages)
            .max();
        if actual != self.subtiles
            || stages != Some(self.expected_stages)
            || kernel.shared.bytes > MAX_BYTES
            || !kernel.launch.is_persistent
        {
            return Err(format!(
                "subtiles and buffers {actual:?}, {stages:?} stages, {} bytes\n{}",
                kernel.shared.bytes,
                gpu::to_text(kernel)
            ));
        }
        Ok(())
    }

    fn run(&self, cluster: u32) -> Result<(), String> {
        let mut runnable = self.runnable(0)?;
        self.is_so(&self.lowered(&runnable, cluster)?)?;
        let artifact = self.compiled(&runnable, cluster)?;
        let launch = &artifact.manifest.launches[0];
        let is_so = launch.persistent_blocks_per_sm == Some(1)
            && launch.spilled_bytes() == 0
            && launch.cluster == cluster;
        if !is_so {
            return Err(format!("it is not so: {}", launch.line()));
        }
        let trips = 0..=MAX_TRIPS;
        // An exported launch is a file, so only two numbers of trips are exported.
        let exported = |trips: &u64| !export::is_on() || [1, 5].contains(trips);
        // One number of trips runs under every seed, the others under a few.
        let seeds = |trips| super::seeds(if trips == 1 { SEEDS } else { 2 });
        let trips = trips.filter(exported);
        match check_trips(&artifact, &mut runnable, 0.0, trips, seeds)? {
            0 => Ok(()),
            conflicts => Err(format!("{conflicts} bank conflicts")),
        }
    }

    fn is_whole(&self) -> Result<(), String> {
        let runnable = self.runnable(1)?;
        self.is_so(&self.lowered(&runnable, 1)?)
    }

    /// Checks that the verifier refuses mutants, unless they are harmless.
    fn changed(&self) -> Result<(), String> {
        let runnable = self.runnable(2)?;
        waits::with_options(&runnable, self.kernel_options(1), || {
            Expected::new(&runnable, 0.0)
        })?;
        Ok(())
    }
}

/// Returns the matmul of [`PLAIN`], for which subtiling can be disabled.
pub(crate) fn product() -> Result<Runnable, String> {
    PLAIN.runnable(2)
}

/// Removes the steps of subtiling one at a time, and checks that the verifier refuses the kernel and the
/// simulator notices.
fn each_step_is_needed() -> Result<(), String> {
    let case = Case {
        grid: [2, 1],
        ..SMALL
    };
    let runnable = case.runnable(1)?;
    let kernel = case.lowered(&runnable, 1)?;
    let mut artifact = case.compiled(&runnable, 1)?;
    let expected = Expected::new(&runnable, 0.0);
    let block = work_tile_loop(&kernel)?;
    let ops = &kernel.block(block).ops;
    let is_step = |id: &OpId| {
        let kind = &kernel.op(*id).kind;
        matches!(
            kind,
            OpKind::WaitTmaStores(_) | OpKind::FenceProxyAsync | OpKind::Barrier
        )
    };
    let steps: Vec<usize> = (0..ops.len())
        .filter(|&index| is_step(&ops[index]))
        .collect();
    // Each of four subtiles has a wait, a fence and two barriers.
    if steps.len() != 16 {
        return Err(format!("{steps:?} of\n{}", gpu::to_text(&kernel)));
    }
    for index in steps {
        let mut mutant = kernel.clone();
        mutant.block_mut(block).ops.remove(index);
        let what = &kernel.op(ops[index]).kind;
        if gpu::verify(&mutant).is_empty() {
            return Err(format!("the verifier accepts it without {what:?}, {index}"));
        }
        artifact.ptx = vec![(Arch::SM_90A, emitted(&mutant, Arch::SM_90A)?)];
        if expected.check_under(&artifact, &runnable, 6).is_ok() {
            return Err(format!("the simulator does not miss {what:?}, {index}"));
        }
    }
    Ok(())
}

/// Checks that the simulator notices exchanged subtiles and subtiles of other registers.
fn pieces_have_their_places() -> Result<(), String> {
    let case = Case {
        grid: [2, 1],
        ..SMALL
    };
    let runnable = case.runnable(1)?;
    let kernel = case.lowered(&runnable, 1)?;
    let mut artifact = case.compiled(&runnable, 1)?;
    let expected = Expected::new(&runnable, 0.0);
    let block = work_tile_loop(&kernel)?;
    let ops_of_kind = |is_it: fn(&OpKind) -> bool| {
        let ops = kernel.block(block).ops.iter().copied();
        ops.filter(|&id| is_it(&kernel.op(id).kind))
            .collect::<Vec<_>>()
    };
    for subtile_ops in [
        ops_of_kind(|kind| matches!(kind, OpKind::TmaStore(_))),
        ops_of_kind(|kind| matches!(kind, OpKind::PermuteRegisters(_))),
    ] {
        let mut mutant = kernel.clone();
        let [first, second, ..] = subtile_ops[..] else {
            return Err("there are no subtiles".to_owned());
        };
        let (one, other) = (&kernel.op(first).kind, &kernel.op(second).kind);
        match (one, other) {
            (OpKind::TmaStore(one), OpKind::TmaStore(other)) => {
                let (mut one, mut other) = (one.clone(), other.clone());
                std::mem::swap(&mut one.corner, &mut other.corner);
                mutant.op_mut(first).kind = OpKind::TmaStore(one);
                mutant.op_mut(second).kind = OpKind::TmaStore(other);
            }
            (one, other) => {
                mutant.op_mut(first).kind = other.clone();
                mutant.op_mut(second).kind = one.clone();
            }
        }
        artifact.ptx = vec![(Arch::SM_90A, emitted(&mutant, Arch::SM_90A)?)];
        if expected.check_under(&artifact, &runnable, 1).is_ok() {
            return Err(format!("nobody notices\n{}", gpu::to_text(&mutant)));
        }
    }
    Ok(())
}

/// Checks that a kernel without subtiling has fewer stages.
fn are_left_out() -> Result<(), String> {
    let runnable = PLAIN.runnable(1)?;
    let mut kernel_options = PLAIN.kernel_options(1);
    kernel_options.schedule.disabled = DisabledPasses::EPILOGUE_SUBTILING;
    let case = Case {
        subtiles: &[(1, 1)],
        expected_stages: 3,
        ..PLAIN
    };
    case.is_so(&lowered_with_options(
        &runnable.module,
        Arch::SM_90A,
        kernel_options,
    )?)
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for case in CASES {
        for cluster in [1, 2] {
            let name = format!("epilogue_subtiles/{}_cluster_{cluster}", case.name);
            // The first axis of the grid must be a multiple of the cluster size.
            let case = Case {
                grid: [case.grid[0].next_multiple_of(cluster.into()), case.grid[1]],
                ..case
            };
            trials.push(trial(name, move || case.run(cluster)));
        }
    }
    if export::is_on() {
        return trials;
    }
    trials.extend(WHOLE.map(|case| {
        let name = format!("epilogue_subtiles/whole_{}", case.name);
        local_trial(name, move || case.is_whole())
    }));
    let small = CASES.into_iter().filter(|case| case.tile == SMALL.tile);
    trials.extend(small.map(|case| {
        let name = format!("epilogue_subtiles/{}_changed", case.name);
        local_trial(name, move || case.changed())
    }));
    trials.push(local_trial(
        "epilogue_subtiles/each_step_is_needed",
        each_step_is_needed,
    ));
    trials.push(local_trial(
        "epilogue_subtiles/have_their_places",
        pieces_have_their_places,
    ));
    trials.push(local_trial("epilogue_subtiles/are_left_out", are_left_out));
    trials
}

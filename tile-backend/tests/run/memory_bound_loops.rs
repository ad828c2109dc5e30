//! Tests memory-bound loops over chunks of rows, without MMA: sums and copies, whose tiles are pipelined.
//!
//! Each combination of kind, element type and shape is a test. Rows end at the end of a chunk, between
//! vectors or within a vector; rows have no chunks, one or several, and some kinds have an outer loop over
//! rows. Every number of trips runs on every architecture. One number of trips also runs with mutants, which
//! the verifier must refuse unless they are harmless.

use libtest_mimic::Trial;
use tile_backend::internals::gpu;
use tile_backend::session::{HostMaps, ScheduleOptions};
use tile_backend::target::Arch;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;

use super::ARCHS;
use super::compare::Expected;
use super::export;
use super::machine::compile_with_options;
use super::mutation::lowered_with_options;
use super::support::{self, SCALARS, options};
use super::trial;
use super::waits;

const SEEDS: u64 = 20;
const TRIPS: [u64; 5] = [0, 1, 2, 4, 7];

/// Number of rows of the tensors. The last tile is cut where tiles have several rows.
const ROWS: u64 = 5;

/// Number of rows of tiles with fewer TMA boxes than vectors that each thread would copy.
const BOX_ROWS: u64 = 32;

/// All element types of at least a byte in memory.
const TYPES: &[Scalar] = SCALARS.split_at(13).0;

/// The operation of a loop on the chunks of its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Stores the chunks elsewhere.
    Copy,
    /// Adds the chunks up.
    Sum,
    /// Adds the chunks of each row up in a loop over rows, and adds up the sums of the rows.
    Nested,
}

/// The positions at which rows may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// At the end of a chunk.
    Whole,
    /// At a vector of 16 bytes.
    Vectors,
    Anywhere,
}

#[derive(Clone, Copy, Debug)]
struct Case {
    kind: Kind,
    scalar: Scalar,
    end: End,
    /// Rows of a tile.
    rows: u64,
    columns: u64,
    padding: &'static str,
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for case in cases() {
        let Case {
            kind,
            scalar,
            end,
            rows,
            columns,
            padding,
        } = case;
        let padding = padding.replace("padding_value = ", "").replace(", ", "");
        let name =
            format!("memory_bound_loops/{kind:?}_{scalar}_{end:?}_{rows}x{columns}_{padding}");
        trials.push(trial(name.to_lowercase(), move || run(case)));
    }
    trials
}

fn cases() -> Vec<Case> {
    const ZERO: &str = "padding_value = zero, ";
    let mut cases = Vec::new();
    let mut add = |kind, scalar, end, (rows, columns), padding| {
        cases.push(Case {
            kind,
            scalar,
            end,
            rows,
            columns,
            padding,
        });
    };
    for &scalar in TYPES {
        add(Kind::Copy, scalar, End::Vectors, (1, 2048), "");
        let padding = if scalar == Scalar::F8E8M0FNU {
            ""
        } else {
            ZERO
        };
        add(Kind::Copy, scalar, End::Anywhere, (2, 1024), padding);
    }
    for scalar in [Scalar::I32, Scalar::F32, Scalar::F16, Scalar::F64] {
        for end in [End::Whole, End::Vectors, End::Anywhere] {
            add(Kind::Sum, scalar, end, (1, 1024), ZERO);
        }
        add(Kind::Nested, scalar, End::Vectors, (2, 512), ZERO);
    }
    add(Kind::Sum, Scalar::F32, End::Vectors, (4, 128), ZERO);
    add(Kind::Sum, Scalar::F32, End::Vectors, (1, 64), ZERO);
    add(Kind::Sum, Scalar::F32, End::Anywhere, (1, 4096), ZERO);
    for scalar in [Scalar::F32, Scalar::BF16, Scalar::F64, Scalar::F8E5M2] {
        for end in [End::Vectors, End::Anywhere] {
            let padding = "padding_value = neg_inf, ";
            let kind = if scalar == Scalar::F8E5M2 {
                Kind::Copy
            } else {
                Kind::Sum
            };
            add(kind, scalar, end, (2, 512), padding);
        }
    }
    // These tiles are boxes, which are loaded by TMA if the host passes tensor maps.
    for (scalar, columns) in [
        (Scalar::I8, 128),
        (Scalar::F16, 64),
        (Scalar::F32, 32),
        (Scalar::F64, 32),
    ] {
        for kind in [Kind::Copy, Kind::Sum] {
            add(kind, scalar, End::Vectors, (BOX_ROWS, columns), ZERO);
        }
        add(Kind::Copy, scalar, End::Whole, (BOX_ROWS, columns), "");
    }
    let padding = "padding_value = nan, ";
    add(Kind::Nested, Scalar::F32, End::Anywhere, (2, 256), padding);
    cases
}

impl Case {
    fn columns(self, trips: u64) -> u64 {
        let whole = trips * self.columns;
        match self.end {
            // A tensor without columns cannot have a tensor map.
            _ if trips == 0 => 16,
            End::Whole => whole,
            End::Vectors => whole - 16,
            End::Anywhere => whole - 13,
        }
    }

    fn text(self) -> String {
        let Self {
            kind,
            scalar,
            end,
            rows,
            columns,
            padding,
        } = self;
        let view = format!("tensor_view<?x?x{scalar}, strides=[?,1]>");
        let pieces = format!("partition_view<tile=({rows}x{columns}), {padding}{view}>");
        let tile = format!("tile<{rows}x{columns}x{scalar}>");
        let (columns_of, n) = match end {
            End::Anywhere => ("%n1", ""),
            End::Whole | End::Vectors => {
                let n = "    %n = assume div_by<16>, %n1 : tile<i32>\n";
                ("%n", n)
            }
        };
        let load = |row: &str| {
            format!(
                "%t, %tt = load_view_tko weak %pa[{row}, %i] : {pieces}, tile<i32> -> {tile}, token"
            )
        };
        let store = |value: &str, column: &str| {
            format!(
                "%st = store_view_tko weak {value}, %pb[%x, {column}] : {tile}, {pieces}, tile<i32> -> token"
            )
        };
        let add = if scalar.is_float() {
            format!("addf %t, %sum : {tile}")
        } else {
            format!("addi %t, %sum : {tile}")
        };
        let zero = match scalar {
            // The type has no zero.
            Scalar::F8E8M0FNU => "1.0",
            scalar if scalar.is_float() => "0.0",
            _ => "0",
        };
        let sum = |result: &str, first: &str, row: &str| {
            format!(
                "    {result} = for %i in (%lo to %trips, step %one) : tile<i32> iter_values(%sum = {first}) -> ({tile}) {{
      {}
      %next = {add}
      continue %next : {tile}
    }}
",
                load(row)
            )
        };
        let body = match kind {
            Kind::Copy => format!(
                "    for %i in (%lo to %trips, step %one) : tile<i32> {{
      {}
      {}
      continue
    }}
",
                load("%x"),
                store("%t", "%i")
            ),
            Kind::Sum => format!("{}    {}\n", sum("%all", "%none", "%x"), store("%all", "%lo")),
            Kind::Nested => format!(
                "    %all = for %r in (%lo to %two, step %one) : tile<i32> iter_values(%so = %none) -> ({tile}) {{
{}      continue %in : {tile}
    }}
    {}
",
                sum("%in", "%so", "%r"),
                store("%all", "%lo")
            ),
        };
        format!(
            "cuda_tile.module @kernels {{
  entry @f(%a0: tile<ptr<{scalar}>>, %b0: tile<ptr<{scalar}>>, %m0: tile<i32>, %n0: tile<i32>, %s0: tile<i32>, %trips: tile<i32>) {{
    %a = assume div_by<16>, %a0 : tile<ptr<{scalar}>>
    %b = assume div_by<16>, %b0 : tile<ptr<{scalar}>>
    %m = assume bounded<0, ?>, %m0 : tile<i32>
    %n1 = assume bounded<0, ?>, %n0 : tile<i32>
{n}    %s1 = assume bounded<0, ?>, %s0 : tile<i32>
    %s = assume div_by<16>, %s1 : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %none = constant <{scalar}: {zero}> : {tile}
    %va = make_tensor_view %a, shape = [%m, {columns_of}], strides = [%s, 1] : tile<i32> -> {view}
    %vb = make_tensor_view %b, shape = [%m, {columns_of}], strides = [%s, 1] : tile<i32> -> {view}
    %pa = make_partition_view %va : {pieces}
    %pb = make_partition_view %vb : {pieces}
    %lo = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
{body}    return
  }}
}}
"
        )
    }

    /// Returns a launch in which the loop runs `trips` times.
    fn runnable(self, trips: u64) -> Result<Runnable, String> {
        let source = self.text();
        let module = support::module(&source, "stream.mlir")?;
        let (columns, stride) = (self.columns(trips), trips.max(1) * self.columns);
        let mut random = Random::new(7);
        let from = support::integers(&mut random, self.scalar, ROWS * stride, 0..=8);
        let bytes = usize::try_from(ROWS * stride).expect("small") * self.scalar.bytes();
        let numbers = [ROWS, columns, stride, trips].map(Argument::Number);
        let buffers = [from, Argument::Buffer(vec![0; bytes])];
        Ok(Runnable {
            module,
            grid: [u32::try_from(ROWS.div_ceil(self.rows)).expect("few"), 1, 1],
            args: buffers.into_iter().chain(numbers).collect(),
        })
    }
}

fn run(case: Case) -> Result<(), String> {
    for (arch, maps) in { ARCHS.into_iter().map(|arch| (arch, HostMaps::None)) }
        .chain([(Arch::SM_90A, HostMaps::Encoded)])
        .filter(|&(arch, _)| export::takes(arch))
    {
        let schedule = ScheduleOptions {
            num_warps: Some(4),
            ..ScheduleOptions::default()
        };
        let kernel_options = options(schedule, maps);
        let module = case.runnable(1)?.module;
        let artifact = compile_with_options(&module, arch, kernel_options)?;
        for trips in export::sample(TRIPS) {
            let runnable = case.runnable(trips)?;
            let expected = Expected::new(&runnable, 0.0);
            let ran = expected.check_under(&artifact, &runnable, super::seeds(SEEDS));
            ran.map_err(|fault| format!("{arch}, {maps:?}, {trips} trips: {fault}"))?;
        }
        if case.kind != Kind::Copy && arch == Arch::SM_90A && !export::is_on() {
            let kernel = lowered_with_options(&module, arch, kernel_options)?;
            let stages = kernel
                .shared
                .buffers
                .iter()
                .map(|buffer| buffer.stages)
                .max();
            // Tiles of 16 KB keep enough bytes in flight without pipelining.
            let bytes = case.rows * case.columns * case.scalar.bytes() as u64;
            if stages.is_some_and(|stages| stages > 1) != (bytes < 16 << 10) {
                return Err(format!("{maps:?}: circular buffers of {stages:?} stages"));
            }
            let by_tensors = gpu::to_text(&kernel).contains("tma_load");
            let is_box = maps == HostMaps::Encoded && case.rows == BOX_ROWS;
            if is_box && !by_tensors || maps == HostMaps::None && by_tensors {
                return Err(format!("{maps:?}: copies of tensors: {by_tensors}"));
            }
            let runnable = case.runnable(3)?;
            waits::with_options(&runnable, kernel_options, || Expected::new(&runnable, 0.0))?;
        }
    }
    Ok(())
}

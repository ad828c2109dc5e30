//! Tests bulk copies of tiles in pipelined loops (`cp.async.bulk`), row by row and without a tensor map.
//!
//! Each combination of element type, shape, end of the rows and padding is a test. The chunks of a tensor are
//! copied to another tensor with room for whole tiles, so that the padding is visible. There are 0 to 9
//! chunks and circular buffers of 2 to 6 stages. Rows end at the end of a chunk, between vectors, within a
//! vector, or in the first chunk, or are empty. The verifier must refuse mutants of GPU IR that are not
//! harmless; the simulator must detect mutants of PTX.

use libtest_mimic::Trial;
use tile_backend::internals::gpu;
use tile_backend::session::{DisabledPasses, HostMaps, KernelOptions, ScheduleOptions};
use tile_backend::target::Arch;
use tile_core::testing::{Argument, Random, Runnable};
use tile_core::types::Scalar;

use super::compare::Expected;
use super::export;
use super::machine::compile_with_options;
use super::mutation::lowered_with_options;
use super::support::{self, local_trial, options};
use super::trial;
use super::waits;

const SEEDS: u64 = 4;
const MAX_TRIPS: u64 = 9;
const STAGES: std::ops::RangeInclusive<u32> = 2..=6;
const WARPS: u32 = 4;

/// Number of chunks after which [`Kind::Around`] repeats.
const ROUND: u64 = 3;

/// The order in which the loop visits the chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Each chunk once, in order.
    Through,
    /// The first three chunks cyclically, so that stages that were padded are later filled completely.
    Around,
    /// Each chunk once, in an inner loop that an outer loop runs twice, so that the circular buffer is
    /// reinitialized.
    Nested,
}

/// The positions at which rows may end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// Between vectors, as the kernel states.
    Vectors,
    Anywhere,
}

#[derive(Clone, Copy, Debug)]
struct Case {
    kind: Kind,
    scalar: Scalar,
    end: End,
    /// Rows of a tile; `None` for a tensor with one axis.
    rows: Option<u64>,
    columns: u64,
    padding: &'static str,
}

const PLAIN: Case = Case {
    kind: Kind::Through,
    scalar: Scalar::F32,
    end: End::Anywhere,
    rows: None,
    columns: 4096,
    padding: "neg_inf",
};

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
        let shape = rows.map_or(columns.to_string(), |rows| format!("{rows}x{columns}"));
        let name = format!("bulk/{kind:?}_{scalar}_{end:?}_{shape}_{padding}").to_lowercase();
        trials.push(trial(name, move || run(case)));
    }
    if !export::is_on() {
        trials.push(local_trial("bulk/rows_that_are_not_aligned", are_absent));
        trials.push(local_trial("bulk/mutants_of_ptx", of_ptx));
    }
    trials
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |kind, scalar: Scalar, end, rows: Option<u64>, bytes: u64, padding| {
        let columns = bytes / scalar.bytes() as u64;
        cases.push(Case {
            kind,
            scalar,
            end,
            rows,
            columns,
            padding,
        });
    };
    for scalar in [
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::F16,
        Scalar::BF16,
        Scalar::F32,
        Scalar::F64,
        Scalar::F8E5M2,
    ] {
        add(Kind::Through, scalar, End::Anywhere, None, 8 << 10, "zero");
        add(
            Kind::Through,
            scalar,
            End::Vectors,
            Some(4),
            4 << 10,
            "zero",
        );
    }
    for padding in ["zero", "neg_zero", "nan", "pos_inf", "neg_inf"] {
        // Rows that are never cut within a vector must be longer for bulk copies to pay.
        for (end, times) in [(End::Anywhere, 1), (End::Vectors, 2)] {
            let bytes = times << 12;
            add(Kind::Through, Scalar::F16, end, None, 2 * bytes, padding);
            add(Kind::Around, Scalar::F32, end, Some(2), bytes, padding);
        }
    }
    for (rows, bytes) in [(None, 16 << 10), (Some(1), 16 << 10), (Some(8), 2 << 10)] {
        for end in [End::Anywhere, End::Vectors] {
            add(Kind::Around, Scalar::BF16, end, rows, bytes, "zero");
            add(Kind::Nested, Scalar::F32, end, rows, bytes, "nan");
        }
    }
    cases
}

impl Case {
    /// Returns the shape of a tile, as types print it.
    fn shape(self) -> String {
        match self.rows {
            None => self.columns.to_string(),
            Some(rows) => format!("{rows}x{}", self.columns),
        }
    }

    /// Returns the number of distinct chunks of a row.
    fn parts(self, trips: u64) -> u64 {
        match self.kind {
            Kind::Through | Kind::Nested => trips,
            Kind::Around => trips.min(ROUND),
        }
    }

    /// Returns the extents of a row to test for this number of trips.
    fn extents(self, trips: u64) -> Vec<u64> {
        let whole = self.parts(trips) * self.columns;
        let cut = match self.end {
            End::Vectors => vec![whole, whole.saturating_sub(16)],
            End::Anywhere => vec![whole.saturating_sub(13)],
        };
        match (trips, self.end) {
            // The last extent ends within the first chunk. Only a loop with one trip has such a row.
            (1, End::Vectors) => vec![whole, 16],
            (1, End::Anywhere) => vec![whole - 1, 5],
            _ => cut,
        }
    }

    fn text(self, alignment: u64) -> String {
        let Self {
            kind,
            scalar,
            end,
            rows,
            columns: _,
            padding,
        } = self;
        let shape = self.shape();
        let (unknown, strides) = match rows {
            None => ("?", "[1]"),
            Some(_) => ("?x?", "[?,1]"),
        };
        let view = format!("tensor_view<{unknown}x{scalar}, strides={strides}>");
        let from = format!("partition_view<tile=({shape}), padding_value = {padding}, {view}>");
        let to = format!("partition_view<tile=({shape}), {view}>");
        let tile = format!("tile<{shape}x{scalar}>");
        let (known, divisor) = match end {
            End::Anywhere => ("%n", 1),
            End::Vectors => ("%n", 16),
        };
        let (from_shape, to_shape, from_strides, to_strides, row, index) = match rows {
            None => (known.to_owned(), "%no", "1", "1", "", "tile<i32>"),
            Some(_) => (
                format!("%m, {known}"),
                "%mo, %no",
                "%s, 1",
                "%so, 1",
                "%x, ",
                "tile<i32>",
            ),
        };
        let piece = match kind {
            Kind::Through | Kind::Nested => "%i",
            Kind::Around => "%c",
        };
        let body = format!(
            "    for %i in (%lo to %trips, step %one) : tile<i32> {{
      %c = remi %i, %round signed : tile<i32>
      %t, %tt = load_view_tko weak %pa[{row}{piece}] : {from}, {index} -> {tile}, token
      %st = store_view_tko weak %t, %pb[{row}%i] : {tile}, {to}, {index} -> token
      continue
    }}
"
        );
        let body = match kind {
            Kind::Through | Kind::Around => body,
            Kind::Nested => format!(
                "    for %again in (%lo to %two, step %one) : tile<i32> {{
{body}      continue
    }}
"
            ),
        };
        format!(
            "cuda_tile.module @kernels {{
  entry @f(%a0: tile<ptr<{scalar}>>, %b0: tile<ptr<{scalar}>>, %m0: tile<i32>, %n0: tile<i32>, %s0: tile<i32>, %mo0: tile<i32>, %no0: tile<i32>, %so0: tile<i32>, %trips: tile<i32>) {{
    %a = assume div_by<{alignment}>, %a0 : tile<ptr<{scalar}>>
    %b = assume div_by<16>, %b0 : tile<ptr<{scalar}>>
    %m = assume bounded<0, ?>, %m0 : tile<i32>
    %n1 = assume bounded<0, ?>, %n0 : tile<i32>
    %n = assume div_by<{divisor}>, %n1 : tile<i32>
    %s1 = assume bounded<0, ?>, %s0 : tile<i32>
    %s = assume div_by<16>, %s1 : tile<i32>
    %mo = assume bounded<0, ?>, %mo0 : tile<i32>
    %no1 = assume bounded<0, ?>, %no0 : tile<i32>
    %no = assume div_by<16>, %no1 : tile<i32>
    %so1 = assume bounded<0, ?>, %so0 : tile<i32>
    %so = assume div_by<16>, %so1 : tile<i32>
    %x, %y, %z = get_tile_block_id : tile<i32>
    %va = make_tensor_view %a, shape = [{from_shape}], strides = [{from_strides}] : tile<i32> -> {view}
    %vb = make_tensor_view %b, shape = [{to_shape}], strides = [{to_strides}] : tile<i32> -> {view}
    %pa = make_partition_view %va : {from}
    %pb = make_partition_view %vb : {to}
    %lo = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %two = constant <i32: 2> : tile<i32>
    %round = constant <i32: {ROUND}> : tile<i32>
{body}    return
  }}
}}
"
        )
    }

    /// Returns a launch in which the loop runs `trips` times over rows of `extent` elements. If a tile has
    /// several rows, the last tile lacks one row.
    fn runnable(self, trips: u64, extent: u64, alignment: u64) -> Result<Runnable, String> {
        let source = self.text(alignment);
        let module = support::module(&source, "bulk.mlir")?;
        let (blocks, rows) = match self.rows {
            None => (1, 1),
            Some(rows) => (2, 2 * rows),
        };
        let exist = if rows > 2 { rows - 1 } else { rows };
        let stride = self.parts(trips).max(1) * self.columns;
        let mut random = Random::new(7);
        let from = support::integers(&mut random, self.scalar, rows * stride, 0..=8);
        let wide = trips.max(1) * self.columns;
        let room = usize::try_from(rows * wide).expect("small") * self.scalar.bytes();
        let numbers = [exist, extent, stride, rows, wide, wide, trips].map(Argument::Number);
        let buffers = [from, Argument::Buffer(vec![0; room])];
        Ok(Runnable {
            module,
            grid: [blocks, 1, 1],
            args: buffers.into_iter().chain(numbers).collect(),
        })
    }
}

fn kernel_options(stages: Option<u32>, maps: HostMaps) -> KernelOptions {
    let schedule = ScheduleOptions {
        num_warps: Some(WARPS),
        stages,
        ..ScheduleOptions::default()
    };
    options(schedule, maps)
}

fn run(case: Case) -> Result<(), String> {
    let on_hopper = { STAGES }.map(|stages| (Arch::SM_90A, HostMaps::None, Some(stages)));
    let others = [
        (Arch::SM_90A, HostMaps::Encoded, Some(3)),
        (Arch::SM_120A, HostMaps::None, Some(3)),
    ];
    let wanted = on_hopper
        .chain(others)
        .filter(|&(arch, ..)| export::takes(arch));
    for (arch, maps, stages) in wanted {
        let kernel_options = kernel_options(stages, maps);
        let module = case.runnable(1, 0, 16)?.module;
        let kernel = lowered_with_options(&module, arch, kernel_options)?;
        let text = gpu::to_text(&kernel);
        if maps == HostMaps::None && !text.contains("bulk_copy") {
            return Err(format!("nothing is copied row by row in\n{text}"));
        }
        if text.contains("bulk_copy") && text.contains("= pad ") {
            return Err(format!("what is padded is padded again in\n{text}"));
        }
        let artifact = compile_with_options(&module, arch, kernel_options)?;
        for trips in 0..=MAX_TRIPS {
            for extent in case.extents(trips) {
                // A tensor without columns cannot have a tensor map.
                if extent == 0 && maps == HostMaps::Encoded {
                    continue;
                }
                let runnable = case.runnable(trips, extent, 16)?;
                let expected = Expected::new(&runnable, 0.0);
                let ran = expected.check_under(&artifact, &runnable, super::seeds(SEEDS));
                ran.map_err(|fault| {
                    format!("{arch}, {maps:?}, {stages:?} stages, {trips} trips, {extent} columns: {fault}")
                })?;
            }
        }
    }
    if export::is_on() {
        return Ok(());
    }
    let (trips, maps) = (4, HostMaps::None);
    let extent = case.extents(trips)[0];
    let runnable = case.runnable(trips, extent, 16)?;
    let kernel_options = kernel_options(Some(3), maps);
    waits::with_options(&runnable, kernel_options, || Expected::new(&runnable, 0.0))?;
    Ok(())
}

/// Returns a kernel with bulk copies.
pub(crate) fn kernel() -> Result<Runnable, String> {
    PLAIN.runnable(5, 5 * 4096 - 13, 16)
}

/// Checks that no bulk copies are used for rows that may begin anywhere, for other architectures, or if the
/// pass is disabled. Such tiles are copied by threads or not pipelined.
fn are_absent() -> Result<(), String> {
    let case = Case {
        padding: "zero",
        ..PLAIN
    };
    let has = |alignment, arch, disabled| {
        let module = case.runnable(1, 0, alignment)?.module;
        let mut kernel_options = kernel_options(Some(3), HostMaps::None);
        kernel_options.schedule.disabled = disabled;
        let kernel = lowered_with_options(&module, arch, kernel_options)?;
        Ok::<bool, String>(gpu::to_text(&kernel).contains("bulk_copy"))
    };
    let none = DisabledPasses::empty();
    let actual = [
        has(16, Arch::SM_90A, none)?,
        has(8, Arch::SM_90A, none)?,
        has(16, Arch::SM_89, none)?,
        has(16, Arch::SM_90A, DisabledPasses::BULK_COPIES)?,
    ];
    if actual != [true, false, false, false] {
        return Err(format!("copies of rows: {actual:?}"));
    }
    Ok(())
}

/// Removes each copy, store and expected byte count from the PTX, and checks that the simulator notices. The
/// simulator checks neither the fences between writes of two proxies nor the order of lanes before an
/// arrival.
fn of_ptx() -> Result<(), String> {
    let case = Case {
        kind: Kind::Around,
        rows: Some(2),
        columns: 1024,
        ..PLAIN
    };
    let trips = MAX_TRIPS;
    let runnable = case.runnable(trips, case.extents(trips)[0], 16)?;
    let expected = Expected::new(&runnable, 0.0);
    let arch = Arch::SM_90A;
    let mut artifact = compile_with_options(
        &runnable.module,
        arch,
        kernel_options(Some(3), HostMaps::None),
    )?;
    expected.check_under(&artifact, &runnable, super::seeds(SEEDS))?;
    let (_, ptx) = artifact.ptx[0].clone();
    let disabled = |pattern: &str| {
        let kept = ptx.lines().filter(|line| !line.contains(pattern));
        let kept: Vec<&str> = kept.collect();
        (kept.len() < ptx.lines().count()).then(|| kept.join("\n"))
    };
    let expecting = |bytes: &str| {
        let lines = ptx.lines().map(|line| {
            match line
                .split_once("mbarrier.arrive.expect_tx")
                .zip(line.rsplit_once(", "))
            {
                Some((_, (front, _))) => format!("{front}, {bytes};"),
                None => line.to_owned(),
            }
        });
        let lines: Vec<String> = lines.collect();
        let text = lines.join("\n");
        (text != ptx).then_some(text)
    };
    let mutants = [
        ("nothing is padded", disabled("st.shared")),
        ("nothing is copied", disabled("cp.async.bulk.shared")),
        ("nothing is expected", expecting("0")),
        ("all is expected", expecting("8192")),
    ];
    for (what, mutant) in mutants {
        let mutant = mutant.ok_or_else(|| format!("{what}: it is not in\n{ptx}"))?;
        artifact.ptx = vec![(arch, mutant)];
        if expected
            .check_under(&artifact, &runnable, super::seeds(SEEDS))
            .is_ok()
        {
            return Err(format!("nobody notices that {what}"));
        }
    }
    Ok(())
}

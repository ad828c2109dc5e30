//! The page of figures, and its lines while they are measured.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::cost::Costs;
use super::figures::geometric_mean;
use super::growth::Curve;
use super::kernels::{Contender, Kind};
use super::{Options, Row};
use crate::bench::machine;

/// The geometric mean of speeds that is wanted beside `PyTorch`.
const MEAN_TARGET: f64 = 1.5;

/// The share of the bytes per second of a copy, and of the operations per second of fused multiply-adds, that is wanted.
const COPY_TARGET: f64 = 0.9;
const PEAK_TARGET: f64 = 0.8;

/// The size from which products should reach [`PEAK_TARGET`].
const LARGE: u32 = 1024;

/// The elements from which an elementwise kernel should reach [`COPY_TARGET`]: more than caches hold.
const LARGE_VECTOR: u32 = 1 << 24;

fn size(row: &Row) -> String {
    let sizes = row.sizes.iter().map(|&size| match size {
        1_048_576.. if size.is_power_of_two() => format!("2^{}", size.ilog2()),
        _ => size.to_string(),
    });
    sizes.collect::<Vec<_>>().join(" × ")
}

fn time(seconds: f64) -> String {
    match seconds {
        ..1e-3 => format!("{:.1} µs", seconds * 1e6),
        ..1.0 => format!("{:.2} ms", seconds * 1e3),
        _ => format!("{seconds:.2} s"),
    }
}

/// Returns the figures of a kernel on one line.
pub(super) fn line(row: &Row) -> String {
    let mut text = format!("{} {}: {}", row.kernel.name, size(row), time(row.ours));
    for against in &row.contenders {
        let (name, ratio) = (against.contender.name(), against.ratios.median);
        let _ = write!(text, "; {name} {}, ratio {ratio:.2}", time(against.time));
        if let Some((_, target)) = row
            .missed()
            .find(|(it, _)| it.contender == against.contender)
        {
            let _ = write!(text, ", target {target:.1} missed");
        }
    }
    if let Some(share) = row.share_of_copy {
        let _ = write!(text, "; {share:.2} of a copy");
    }
    if let Some(share) = row.share_of_peak {
        let _ = write!(text, "; {share:.2} of peak");
    }
    text
}

/// Returns the kernels that miss a target, the ratio farthest below its target first.
pub(super) fn slowest_first(rows: &[Row]) -> String {
    let mut missed: Vec<_> = rows
        .iter()
        .flat_map(|row| {
            row.missed()
                .map(move |(against, target)| (row, against, target))
        })
        .collect();
    missed.sort_by(|(_, a, x), (_, b, y)| (a.ratios.median / x).total_cmp(&(b.ratios.median / y)));
    let mut text = format!("bench: {} ratios below their targets\n", missed.len());
    for (row, against, target) in missed {
        let _ = writeln!(
            text,
            "  {:.2} of {target:.1}: {} {}, beside {}",
            against.ratios.median,
            row.kernel.name,
            size(row),
            against.contender.name()
        );
    }
    text
}

fn ratios(rows: &[Row], contender: Contender) -> Vec<(Kind, f64)> {
    let found = rows.iter().flat_map(|row| {
        let against = row.contenders.iter();
        let against = against.filter(move |against| against.contender == contender);
        against.map(|against| (row.kernel.kind, against.ratios.median))
    });
    found.collect()
}

/// Returns the table of what is wanted and what was measured.
fn targets(rows: &[Row]) -> String {
    let mut text = String::from("| wanted | measured | |\n|---|---|---|\n");
    let mut add = |wanted: String, measured: Option<f64>, target: f64| {
        let Some(measured) = measured else { return };
        let verdict = if measured >= target {
            "reached"
        } else {
            "missed"
        };
        let _ = writeln!(text, "| {wanted} | {measured:.2} | {verdict} |");
    };
    let pytorch = ratios(rows, Contender::PyTorch);
    let least = |numbers: &mut dyn Iterator<Item = f64>| numbers.min_by(f64::total_cmp);
    add(
        format!("geometric mean beside PyTorch, at least {MEAN_TARGET}"),
        geometric_mean(pytorch.iter().map(|(_, ratio)| *ratio)),
        MEAN_TARGET,
    );
    for (contender, kinds, name) in [
        (
            Contender::PyTorch,
            &[Kind::Chain][..],
            "chain of four operations or more beside PyTorch",
        ),
        (
            Contender::PyTorch,
            &[Kind::Product],
            "product of f32 and i8 beside PyTorch",
        ),
        (
            Contender::PyTorch,
            &[Kind::ProductBf16],
            "product of bf16 beside PyTorch",
        ),
        (
            Contender::PyTorch,
            &[Kind::Elementwise, Kind::Other],
            "other kernel beside PyTorch",
        ),
        (Contender::Rust, &[Kind::Loop], "scalar loop beside Rust"),
    ] {
        let target = kinds[0].target(contender).expect("these have a target");
        let of_kind = ratios(rows, contender);
        let mut of_kind = of_kind
            .iter()
            .filter(|(kind, _)| kinds.contains(kind))
            .map(|(_, ratio)| *ratio);
        add(
            format!("slowest {name}, at least {target:.1}"),
            least(&mut of_kind),
            target,
        );
    }
    let vectors = rows.iter().filter(|row| row.sizes[0] >= LARGE_VECTOR);
    add(
        format!(
            "elementwise bytes per second of {LARGE_VECTOR} elements, share of a copy's, at least {COPY_TARGET}"
        ),
        least(&mut vectors.filter_map(|row| row.share_of_copy)),
        COPY_TARGET,
    );
    let large = rows
        .iter()
        .filter(|row| row.kernel.name == "product_f32" && row.sizes[0] >= LARGE);
    add(
        format!(
            "operations per second of f32 products from {LARGE}, share of peak, at least {PEAK_TARGET}"
        ),
        least(&mut large.filter_map(|row| row.share_of_peak)),
        PEAK_TARGET,
    );
    if !machine::has_avx512() {
        let is_naive = |row: &&Row| matches!(row.kernel.name, "product_bf16" | "product_i8");
        let others = rows.iter().filter(|row| !is_naive(row));
        let mean = others.flat_map(|row| &row.contenders);
        let mean = mean.filter(|against| against.contender == Contender::PyTorch);
        if let Some(mean) = geometric_mean(mean.map(|against| against.ratios.median)) {
            let _ = write!(
                text,
                "\nWithout instructions for bf16 and bytes, PyTorch multiplies these in plain loops. The geometric mean of all other \
                 kernels is {mean:.2}.\n"
            );
        }
    }
    text
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from(
        "| | size | this | PyTorch | ratio | NumPy | ratio | Rust | ratio | GB/s | of a copy | GFLOP/s | of peak | differs by |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let numbers = row.numbers();
        let _ = write!(
            text,
            "| {} | {} | {}",
            row.kernel.title,
            size(row),
            time(row.ours)
        );
        for contender in Contender::ALL {
            let against = row.contenders.iter().find(|it| it.contender == contender);
            let Some(against) = against else {
                text.push_str(" | | ");
                continue;
            };
            let missed = row.missed().any(|(it, _)| it.contender == contender);
            let mark = if missed { "**" } else { "" };
            let ratios = &against.ratios;
            let _ = write!(
                text,
                " | {} | {mark}{:.2}{mark} ({:.2}, {:.2})",
                time(against.time),
                ratios.median,
                ratios.min,
                ratios.max
            );
        }
        let share = |share: Option<f64>| share.map_or(String::new(), |share| format!("{share:.2}"));
        let operations = (row.kernel.operations)(&numbers);
        let operations = if operations > 0.0 {
            format!("{:.0}", operations / row.ours / 1e9)
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            " | {:.1} | {} | {operations} | {} | {} |",
            (row.kernel.bytes)(&numbers) / row.ours / 1e9,
            share(row.share_of_copy),
            share(row.share_of_peak),
            match row.difference {
                0.0 => "nothing".to_owned(),
                difference => format!("{difference:.0e}"),
            }
        );
    }
    text
}

fn growth(curves: &[Curve]) -> String {
    let mut text = String::from(
        "| kernel | work | times | start | each | deviates by | exponent |\n|---|---|---|---|---|---|---|\n",
    );
    for curve in curves {
        let points = curve.points.iter();
        let points = points.map(|(count, seconds)| format!("{count}: {}", time(*seconds)));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.1} µs | {:.2} ns | {:.0} % | {:.2} |",
            curve.kernel,
            curve.unit,
            points.collect::<Vec<_>>().join(", "),
            curve.line.start * 1e6,
            curve.line.slope * 1e9,
            curve.line.deviation * 100.0,
            curve.line.exponent
        );
    }
    text
}

fn costs(costs: &Costs) -> String {
    let mut levels: BTreeMap<&str, u64> = BTreeMap::new();
    for (level, bytes) in costs.kernels.values().flat_map(|cost| &cost.bytes) {
        *levels.entry(level).or_default() += bytes;
    }
    let mut text = String::from("| kernel | instances | build |");
    for level in levels.keys() {
        let _ = write!(text, " {level} |");
    }
    text.push_str("\n|---|---|---|");
    text.push_str(&"---|".repeat(levels.len()));
    for (name, cost) in &costs.kernels {
        let _ = write!(
            text,
            "\n| `{name}` | {} | {:.0} ms |",
            cost.instances, cost.milliseconds
        );
        for level in levels.keys() {
            let _ = write!(
                text,
                " {} B |",
                cost.bytes.get(*level).copied().unwrap_or_default()
            );
        }
    }
    let sum: f64 = costs.kernels.values().map(|cost| cost.milliseconds).sum();
    let instances: usize = costs.kernels.values().map(|cost| cost.instances).sum();
    let _ = write!(text, "\n| together | {instances} | {sum:.0} ms |");
    for bytes in levels.values() {
        let _ = write!(text, " {} KB |", bytes / 1000);
    }
    let _ = writeln!(
        text,
        "\n\nThe whole program has {} KB without symbols.",
        costs.program / 1000
    );
    text
}

/// Returns the page.
pub(super) fn page(
    rows: &[Row],
    curves: &[Curve],
    build: &Costs,
    options: &Options,
    threads: usize,
    versions: &[String],
) -> String {
    let level = if machine::has_avx512() {
        ""
    } else {
        " at AVX2"
    };
    format!(
        "# The CPU device{level} beside PyTorch, NumPy and Rust\n\n\
         Written by `cargo xtask bench cpu`. All programs run in turn on the same cores in one run, with threads = {threads} for each: the\n\
         kernels of `benches/cpu` as native code, those of `xtask/src/bench/cpu/torch_kernels.py` in eager mode (`torch.compile` is\n\
         not used), those of `numpy_kernels.py`, and scalar loops in plain Rust. Results go to memory that was allocated before,\n\
         where the library has a form for that. A time is the median over rounds of the median run; a ratio is how many times as\n\
         fast this is: the median of the ratios of rounds, with minimum and maximum. One below its target is bold. The results of\n\
         all programs are compared element by element; the largest difference is a part of the largest element. Products of whole\n\
         matrices, convolutions and sparse products take the fastest of a few instances, which the tuner measures before.\n\n\
         ## Targets\n\n{}\n\
         ## Kernels\n\n{}\n\
         Bytes are those that must be read and written. The copy has as many, half of them read, and is `copy_from_slice` of parts\n\
         on the same threads. Operations are additions and multiplications; their peak is that of fused multiply-adds in registers.\n\n\
         ## Growth\n\n\
         A line through the times, with the least squares of relative deviations: what a launch takes, what each unit of work adds,\n\
         and the largest deviation of a time from it. A unit takes longer once the data is larger than a cache. The exponent is the\n\
         power of the work with which the time grows.\n\n{}\n\
         ## Cost of native code\n\n\
         The time that the attribute takes in a release build without the cache, and the machine code of all instances for each\n\
         level of instructions.\n\n{}\n\
         | | |\n|---|---|\n\
         | date | {} |\n\
         | machine | {} |\n\
         | vectors | {} |\n\
         | this | {}, {} |\n\
         | others | {} |\n\
         | rounds | {} of {} s each; one if it takes more than 10 s |\n",
        targets(rows),
        table(rows),
        growth(curves),
        costs(build),
        machine::first_line("date", &["-u", "+%F"]),
        machine::description(),
        machine::vectors(),
        versions[0],
        machine::first_line("rustc", &["--version"]),
        versions[1..].join("; "),
        options.rounds,
        options.seconds,
    )
}

//! Measures how well the tuner chooses on the CPU device.
//!
//! For each kernel, every other one of 30 shapes is tuned. Then all shapes are asked for their choice, and all candidates are
//! measured for the whole time, which shows how much slower the choice is than the best one. Written to
//! `docs/bench/tuning.md` by `cargo bench --features report --bench tuning -- --write`; `--filter NAME` and `--seconds S` measure
//! less.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "inputs and figures"
)]

mod kernels;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use kernels::Kernel;
use tile_kernel::bench::Bench;
use tile_kernel::tuning::{ChosenBy, Tuner};
use tile_kernel::{Device, Error, Result};

/// The results of one shape.
struct Found {
    shape: Vec<usize>,
    chosen: &'static str,
    by: ChosenBy,
    /// The time of the tuner, if the shape was tuned.
    spent: Option<Duration>,
    /// The time of measuring all candidates for the whole time.
    exhaustive: Duration,
    /// The times in seconds, one for each lap.
    times: BTreeMap<&'static str, Vec<f64>>,
}

/// The parts of the time of a measurement, of which each is in another lap over all candidates.
const LAPS: u32 = 8;

/// The number of times that the arguments are allocated for the laps.
const LAYOUTS: u32 = 2;

impl Found {
    /// Returns the median of the ratios of the times of two candidates, lap by lap.
    fn ratio(&self, name: &str, other: &str) -> f64 {
        let pairs = self.times[name].iter().zip(&self.times[other]);
        median(pairs.map(|(one, other)| one / other).collect())
    }

    /// Returns the candidate that is the fastest in the median of the laps, by the ratio to the first one.
    fn best(&self) -> &'static str {
        let first = self.times.keys().next().expect("a kernel has candidates");
        let names = self.times.keys().copied();
        let best = names.min_by(|a, b| self.ratio(a, first).total_cmp(&self.ratio(b, first)));
        best.expect("a kernel has candidates")
    }

    fn loss(&self, name: &str) -> f64 {
        (self.ratio(name, self.best()) - 1.0).max(0.0)
    }

    fn seconds(&self, name: &str) -> f64 {
        median(self.times[name].clone())
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let half = numbers.len() / 2;
    f64::midpoint(numbers[half], numbers[(numbers.len() - 1) / 2])
}

struct Options {
    seconds: f64,
    filter: String,
    write: bool,
}

fn options() -> Options {
    let mut options = Options {
        seconds: 0.1,
        filter: String::new(),
        write: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bench" => {}
            "--write" => options.write = true,
            "--filter" => options.filter = args.next().unwrap_or_default(),
            "--seconds" => {
                let seconds = args.next().and_then(|text| text.parse().ok());
                options.seconds = seconds.expect("`--seconds` takes a number");
            }
            other => panic!("there is no option `{other}`: use --filter, --seconds, --write"),
        }
    }
    options
}

fn measure(kernel: &Kernel, seconds: f64) -> Result<Vec<Found>> {
    let time = Duration::from_secs_f64(seconds);
    let tuner = Tuner::new().time(time).again();
    let numbered = || kernel.shapes.iter().enumerate();
    let mut found = Vec::new();
    for (number, shape) in numbered().step_by(2) {
        let mut inputs = (kernel.inputs)(shape)?;
        let tuned = tuner.tune(&inputs.launch())?;
        if let Some((name, reason)) = tuned.failures().next() {
            return Err(Error::NothingTuned {
                kernel: kernel.name,
                reasons: vec![format!("{shape:?} {name}: {reason}")],
            });
        }
        let mut of_shape = find(kernel, shape, time)?;
        of_shape.spent = Some(tuned.spent());
        found.push((number, of_shape));
    }
    for (number, shape) in numbered().skip(1).step_by(2) {
        found.push((number, find(kernel, shape, time)?));
    }
    found.sort_by_key(|(number, _)| *number);
    Ok(found.into_iter().map(|(_, found)| found).collect())
}

/// Measures all candidates, and asks for the choice.
fn find(kernel: &Kernel, shape: &[usize], time: Duration) -> Result<Found> {
    let choice = (kernel.inputs)(shape)?.launch().choice()?;
    let names: Vec<&'static str> = choice.candidates.iter().map(|it| it.name).collect();
    let start = Instant::now();
    let laps = laps(kernel, shape, &names, time)?;
    Ok(Found {
        shape: shape.to_vec(),
        chosen: choice.name,
        by: choice.by,
        spent: None,
        exhaustive: start.elapsed(),
        times: names.into_iter().zip(laps).collect(),
    })
}

/// Measures all candidates by turns, so that a machine that slows down slows all of them. Returns the times of each candidate,
/// one for each lap.
fn laps(
    kernel: &Kernel,
    shape: &[usize],
    names: &[&'static str],
    time: Duration,
) -> Result<Vec<Vec<f64>>> {
    let slice = time / LAPS;
    let mut laps = vec![Vec::new(); names.len()];
    // Where memory lies makes a difference, too.
    for _ in 0..LAYOUTS {
        let mut inputs = (kernel.inputs)(shape)?;
        for lap in 0..LAPS / LAYOUTS {
            let mut order: Vec<usize> = (0..names.len()).collect();
            if lap % 2 == 1 {
                order.reverse();
            }
            for index in order {
                let bench = Bench::new()
                    .warm_up(slice / 8)
                    .duration(slice)
                    .min_samples(1);
                let measured = bench.run(&Device::cpu(), |stream| {
                    inputs.launch().candidate(names[index])?.on(stream).launch()
                })?;
                laps[index].push(measured.median());
            }
        }
    }
    Ok(laps)
}

/// Returns the candidate that is fastest in the geometric mean over all shapes.
fn best_fixed(found: &[Found]) -> &'static str {
    let names = found[0].times.keys().copied();
    let loss = |name: &str| -> f64 { found.iter().map(|it| it.loss(name).ln_1p()).sum() };
    let best = names.min_by(|a, b| loss(a).total_cmp(&loss(b)));
    best.expect("a kernel has candidates")
}

/// Returns the median and the largest of some losses, in percent.
fn summary(mut losses: Vec<f64>) -> (f64, f64) {
    losses.sort_by(f64::total_cmp);
    let largest = losses.last().copied().unwrap_or(0.0);
    (100.0 * losses[losses.len() / 2], 100.0 * largest)
}

#[expect(clippy::print_stdout, reason = "a benchmark prints what it measures")]
fn main() -> Result<()> {
    let options = options();
    let mut table = String::new();
    let mut shapes = String::new();
    let mut plots = Vec::new();
    for kernel in kernels::all() {
        if !kernel.name.contains(&options.filter) {
            continue;
        }
        let found = measure(&kernel, options.seconds)?;
        let fixed = best_fixed(&found);
        let of = |is_tuned: bool| {
            let of = found.iter().filter(|it| it.spent.is_some() == is_tuned);
            summary(of.map(|it| it.loss(it.chosen)).collect())
        };
        let (tuned, untuned) = (of(true), of(false));
        let of_fixed = summary(found.iter().map(|it| it.loss(fixed)).collect());
        let gains = found
            .iter()
            .map(|it| it.loss(fixed).ln_1p() - it.loss(it.chosen).ln_1p());
        let gain = (gains.sum::<f64>() / found.len() as f64).exp();
        let worst = found.iter().map(|it| {
            let mut losses = it.times.keys().map(|name| it.loss(name));
            losses.by_ref().fold(0.0, f64::max)
        });
        let spent = found.iter().filter_map(|it| it.spent);
        let spent: f64 = spent.map(|spent| spent.as_secs_f64()).sum();
        let exhaustive = found.iter().filter(|it| it.spent.is_some());
        let exhaustive: f64 = exhaustive.map(|it| it.exhaustive.as_secs_f64()).sum();
        let _ = writeln!(
            table,
            "| {} | {} | {:.1} % | {:.1} % | {:.1} % | {:.1} % | {:.0} % | `{fixed}` | {:.1} % | {:.1} % | {gain:.2} | {:.1} |",
            kernel.name,
            found[0].times.len(),
            tuned.0,
            tuned.1,
            untuned.0,
            untuned.1,
            100.0 * spent / exhaustive,
            of_fixed.0,
            of_fixed.1,
            1.0 + summary(worst.collect()).0 / 100.0,
        );
        for it in &found {
            let _ = writeln!(
                shapes,
                "| {} | {} | {} | `{}` | {:.1} us | {:.1} % | {:.1} % |",
                kernel.name.split(',').next().unwrap_or(kernel.name),
                it.shape
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(" × "),
                it.by,
                it.chosen,
                it.seconds(it.chosen) * 1e6,
                100.0 * it.loss(it.chosen),
                100.0 * it.loss(fixed),
            );
        }
        println!("{}", table.lines().last().unwrap_or_default());
        plots.push((kernel.name, fixed, found));
    }
    if options.write {
        write(&table, &shapes, &plots);
    } else {
        println!("\n{shapes}");
    }
    Ok(())
}

fn write(table: &str, shapes: &str, plots: &[(&str, &str, Vec<Found>)]) {
    let page = format!(
        "# How well the tuner chooses\n\n\
         Written by `cargo bench --features report --bench tuning -- --write`, on the CPU device. Every other one of 30 shapes of\n\
         each kernel is tuned, and all of them are launched. A loss is how much slower the chosen candidate is than the fastest\n\
         one, by a measurement of all candidates that the tuner does not see: by turns, and for arguments\n\
         that are allocated twice. The fixed candidate is the one that is fastest in the geometric mean over all shapes, which\n\
         nobody knows before; the gain is the geometric mean of its time over that of\n\
         the choices. The cost is the time of the tuner as a part of measuring every candidate for the whole time.\n\n\
         | kernel | candidates | tuned: median loss | largest | others: median loss | largest | cost | fixed | its median loss | largest | gain | slowest candidate, times |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|\n\
         {table}\n\
         ![Times of chosen and fixed candidates](../images/tuning.svg)\n\n\
         ## Shapes\n\n\
         | kernel | shape | chosen by | candidate | time | loss | of the fixed one |\n|---|---|---|---|---|---|---|\n{shapes}"
    );
    fs::write("docs/bench/tuning.md", page).expect("the page can be written");
    plot(plots);
}

#[cfg(feature = "report")]
fn plot(plots: &[(&str, &str, Vec<Found>)]) {
    use tile_kernel::bench::{Measurement, Plot};

    let Some((_, fixed, found)) = plots.first() else {
        return;
    };
    let square = || {
        found
            .iter()
            .filter(|it| it.shape.iter().all(|&n| n == it.shape[0]))
    };
    let size = |it: &Found| it.shape[0] as f64;
    let points = |name: &dyn Fn(&Found) -> &'static str| {
        square()
            .map(|it| {
                let times = it.times[name(it)].iter().copied();
                (size(it), Measurement::of_times(&Device::cpu(), times))
            })
            .collect::<Vec<_>>()
    };
    let worst = |it: &Found| {
        let names = it.times.keys().copied();
        let slowest = names.max_by(|a, b| it.loss(a).total_cmp(&it.loss(b)));
        slowest.expect("candidates")
    };
    let fixed_key = *found[0]
        .times
        .keys()
        .find(|name| *name == fixed)
        .expect("it is one");
    Plot::rates("A product of f32, n × n × n", "GFLOP/s", |n| {
        2e-9 * n * n * n
    })
    .x_label("n")
    .series("chosen", points(&|it| it.chosen))
    .series("fixed", points(&|_| fixed_key))
    .series("slowest", points(&worst))
    .save("docs/images/tuning.svg")
    .expect("the plot can be written");
}

#[cfg(not(feature = "report"))]
fn plot(_: &[(&str, &str, Vec<Found>)]) {}

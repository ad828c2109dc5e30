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
use tile_kernel::bench::{Bench, Measurement};
use tile_kernel::tuning::{ChosenBy, Tuner};
use tile_kernel::{Device, Error, Result};

/// The results of one shape.
struct Found {
    shape: Vec<usize>,
    is_tuned: bool,
    chosen: &'static str,
    by: ChosenBy,
    /// The time of the tuner.
    spent: Duration,
    /// The time of measuring all candidates for the whole time.
    exhaustive: Duration,
    times: BTreeMap<&'static str, Measurement>,
}

impl Found {
    fn best(&self) -> f64 {
        let times = self.times.values().map(Measurement::median);
        times.fold(f64::INFINITY, f64::min)
    }

    fn loss(&self, name: &str) -> f64 {
        self.times[name].median() / self.best() - 1.0
    }
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
    let tuner = Tuner::new().time(time);
    let mut spent = Vec::new();
    for (number, shape) in kernel.shapes.iter().enumerate() {
        if number % 2 == 1 {
            spent.push(Duration::ZERO);
            continue;
        }
        let mut inputs = (kernel.inputs)(shape)?;
        let tuned = tuner.clone().again().tune(&inputs.launch())?;
        if let Some((name, reason)) = tuned.failures().next() {
            return Err(Error::NothingTuned {
                kernel: kernel.name,
                reasons: vec![format!("{shape:?} {name}: {reason}")],
            });
        }
        spent.push(tuned.spent());
    }
    let mut found = Vec::new();
    for (number, (shape, spent)) in kernel.shapes.iter().zip(spent).enumerate() {
        let mut inputs = (kernel.inputs)(shape)?;
        let choice = inputs.launch().choice()?;
        let mut names: Vec<&'static str> = choice.candidates.iter().map(|it| it.name).collect();
        names.sort_unstable();
        let start = Instant::now();
        let mut times = BTreeMap::new();
        for name in names {
            let bench = Bench::new().warm_up(time / 8).duration(time).min_samples(3);
            let measured = bench.run(&Device::cpu(), |stream| {
                inputs.launch().candidate(name)?.on(stream).launch()
            })?;
            times.insert(name, measured);
        }
        found.push(Found {
            shape: shape.clone(),
            is_tuned: number % 2 == 0,
            chosen: choice.name,
            by: choice.by,
            spent,
            exhaustive: start.elapsed(),
            times,
        });
    }
    Ok(found)
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
            let of = found.iter().filter(|it| it.is_tuned == is_tuned);
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
        let spent: f64 = found.iter().map(|it| it.spent.as_secs_f64()).sum();
        let exhaustive = found.iter().filter(|it| it.is_tuned);
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
                it.times[it.chosen].median() * 1e6,
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
         one, by a measurement of all candidates that the tuner does not see. The fixed candidate is the one that is fastest in\n\
         the geometric mean over all shapes, which nobody knows before; the gain is the geometric mean of its time over that of\n\
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
    use tile_kernel::bench::Plot;

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
            .map(|it| (size(it), it.times[name(it)].clone()))
            .collect::<Vec<_>>()
    };
    let worst = |it: &Found| {
        let times = it.times.iter();
        let slowest = times.max_by(|a, b| a.1.median().total_cmp(&b.1.median()));
        *slowest.expect("candidates").0
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

//! Measures how well the tuner chooses on the CPU device.
//!
//! Of each kernel, every other one of 30 shapes is tuned, and the records of all of them are refined. Then all shapes are asked for
//! their choice, and all candidates are measured for the whole time. The fastest of these are measured again beside the choice, in
//! several passes over all shapes, which shows how much slower the choice is than the best one. Written to `docs/bench/tuning.md` by `cargo bench --features report --bench tuning -- --write`; `--filter NAME`, `--shape "100 × 30"` and
//! `--seconds S` measure less, and `--candidates` prints the times of all candidates beside those that were expected.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "inputs and figures"
)]

mod kernels;
mod laps;

use std::fmt;
use std::fs;
use std::time::{Duration, Instant};

use kernels::Kernel;
use laps::{Laps, Plan, median};
#[cfg(feature = "report")]
use tile_kernel::Device;
use tile_kernel::tuning::{ChosenBy, Expected, Tuner};
use tile_kernel::{Error, Result};

/// The results of one shape.
struct Found {
    shape: Vec<usize>,
    chosen: &'static str,
    by: ChosenBy,
    expected: Vec<Expected>,
    /// The time of the tuner, if the shape was tuned.
    spent: Option<Duration>,
    /// The time of measuring all candidates for the whole time.
    exhaustive: Duration,
    /// The times of all candidates.
    all: Laps,
    /// The times of the chosen candidate and the fastest of all, measured again at once.
    few: Laps,
    /// The times of the chosen candidate and the fixed one.
    fixed: Option<Laps>,
}

/// The number of candidates, the fastest by the measurement of all, beside which the chosen one is measured again.
const RIVALS: usize = 3;

impl Found {
    fn extents(&self) -> String {
        extents(&self.shape)
    }

    /// Returns a row for each candidate: its time by the model, by the model and the records, and measured, in microseconds.
    fn rows_of_candidates(&self) -> String {
        let best = self.all.ranked()[0];
        let row = |it: &Expected| {
            format!(
                "| {} | `{}` | {:.1} | {:.1} | {:.1} | {:.1} % |\n",
                self.extents(),
                it.name,
                it.modelled * 1e6,
                it.corrected * 1e6,
                self.all.seconds(it.name) * 1e6,
                100.0 * (self.all.ratio(it.name, best) - 1.0),
            )
        };
        self.expected.iter().map(row).collect()
    }

    /// Returns the loss of the chosen candidate.
    fn loss(&self) -> f64 {
        self.few.loss(self.chosen)
    }

    /// Returns the times of the chosen candidate and the fixed one.
    fn beside_fixed(&self) -> &Laps {
        let fixed = self.fixed.as_ref();
        fixed.expect("every shape is measured beside the fixed candidate")
    }

    /// Returns the loss of the fixed candidate.
    fn loss_of_fixed(&self, fixed: &str) -> f64 {
        let ratio = self.beside_fixed().ratio(fixed, self.chosen);
        (ratio * (1.0 + self.loss()) - 1.0).max(0.0)
    }

    /// Returns the candidate that is the slowest by the measurement of all.
    fn slowest(&self) -> &'static str {
        let ranked = self.all.ranked();
        ranked[ranked.len() - 1]
    }
}

/// The plan of the measurement of all candidates.
fn all_candidates(time: Duration) -> Plan {
    Plan {
        layouts: 2,
        laps: 4,
        time,
    }
}

/// The plan of a pass of the second measurement: for more places in memory, and for longer.
fn few_candidates(time: Duration) -> Plan {
    Plan {
        layouts: 5,
        laps: 2,
        time: time * 5 / 8,
    }
}

/// The number of times that records are refined, each for a quarter of the time. Those of which the fastest candidate is known are not
/// measured again.
const REFINED: usize = 5;

/// The passes of the second measurement of every shape.
const LEAST_PASSES: usize = 3;

/// The passes after which a shape is not measured again, however little is known of it.
const MOST_PASSES: usize = 20;

/// The passes of the measurement of the fixed candidate beside the chosen ones.
const PASSES_OF_FIXED: usize = 2;

/// The standard error of a loss from which on a shape is measured in another pass. It is that of all shapes, whatever their loss.
const NOISE: f64 = 0.02;

fn extents(shape: &[usize]) -> String {
    let extents: Vec<String> = shape.iter().map(ToString::to_string).collect();
    extents.join(" × ")
}

struct Options {
    seconds: f64,
    filter: String,
    /// The shape that is measured, or nothing for all.
    shape: String,
    candidates: bool,
    write: bool,
}

impl Options {
    fn time(&self) -> Duration {
        Duration::from_secs_f64(self.seconds)
    }

    fn has(&self, shape: &[usize]) -> bool {
        self.shape.is_empty() || self.shape == extents(shape)
    }
}

fn options() -> Options {
    let mut options = Options {
        seconds: 0.1,
        filter: String::new(),
        shape: String::new(),
        candidates: false,
        write: false,
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bench" => {}
            "--write" => options.write = true,
            "--candidates" => options.candidates = true,
            "--shape" => options.shape = args.next().unwrap_or_default(),
            "--filter" => options.filter = args.next().unwrap_or_default(),
            "--seconds" => {
                let seconds = args.next().and_then(|text| text.parse().ok());
                options.seconds = seconds.expect("`--seconds` takes a number");
            }
            other => panic!(
                "there is no option `{other}`: use --filter, --shape, --seconds, --candidates, --write"
            ),
        }
    }
    assert!(
        !options.write || options.filter.is_empty() && options.shape.is_empty(),
        "`--write` writes a page of all kernels and shapes: leave out `--filter` and `--shape`"
    );
    options
}

/// Tunes every other shape of all kernels, and refines their records. Returns the time of each shape that was tuned.
fn tune(kernels: &[Kernel], options: &Options) -> Result<Vec<Vec<Option<Duration>>>> {
    let time = options.time();
    let of_kernel = |kernel: &Kernel| vec![None; kernel.shapes.len()];
    let mut spent: Vec<Vec<Option<Duration>>> = kernels.iter().map(of_kernel).collect();
    // Each time after all have been measured, when the machine may be in another state.
    let refine = Tuner::new().refine().time(time / 4);
    let first = Tuner::new().again().time(time);
    for tuner in [first].into_iter().chain(vec![refine; REFINED]) {
        for (kernel, spent) in kernels.iter().zip(&mut spent) {
            for (shape, spent) in kernel.shapes.iter().zip(spent).step_by(2) {
                let mut inputs = (kernel.inputs)(shape)?;
                let tuned = tuner.tune(&inputs.launch())?;
                if let Some((name, reason)) = tuned.failures().next() {
                    return Err(Error::NothingTuned {
                        kernel: kernel.name,
                        reasons: vec![format!("{shape:?} {name}: {reason}")],
                    });
                }
                *spent.get_or_insert_default() += tuned.spent();
            }
        }
    }
    Ok(spent)
}

/// Measures all candidates, and asks for the choice.
fn find(kernel: &Kernel, shape: &[usize], time: Duration) -> Result<Found> {
    let choice = (kernel.inputs)(shape)?.launch().choice()?;
    let names: Vec<&'static str> = choice.candidates.iter().map(|it| it.name).collect();
    let start = Instant::now();
    let all = Laps::measure(kernel, shape, &names, all_candidates(time))?;
    let exhaustive = start.elapsed();
    // At once: the cores of a machine that is shared are not as fast a minute later.
    let mut rivals = all.ranked();
    rivals.truncate(RIVALS);
    if !rivals.contains(&choice.name) {
        rivals.push(choice.name);
    }
    let few = Laps::measure(kernel, shape, &rivals, few_candidates(time))?;
    Ok(Found {
        shape: shape.to_vec(),
        chosen: choice.name,
        by: choice.by,
        expected: choice.candidates,
        spent: None,
        exhaustive,
        all,
        few,
        fixed: None,
    })
}

/// Returns the candidate that is fastest in the geometric mean over all shapes, by the first measurement.
fn best_fixed(found: &[Found]) -> &'static str {
    let loss = |name: &str| -> f64 { found.iter().map(|it| it.all.loss(name).ln_1p()).sum() };
    let best = found[0]
        .all
        .names()
        .min_by(|a, b| loss(a).total_cmp(&loss(b)));
    best.expect("a kernel has candidates")
}

/// The median and the largest of some parts.
#[derive(Clone, Copy)]
struct Summary {
    median: f64,
    largest: f64,
}

impl Summary {
    fn new(parts: impl Iterator<Item = f64>) -> Summary {
        let parts: Vec<f64> = parts.collect();
        Summary {
            largest: parts.iter().copied().fold(0.0, f64::max),
            median: median(parts),
        }
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:.1} % | {:.1} %",
            100.0 * self.median,
            100.0 * self.largest
        )
    }
}

/// The measurements of all shapes of a kernel.
struct Results {
    kernel: Kernel,
    fixed: &'static str,
    found: Vec<Found>,
}

impl Results {
    /// Measures all candidates, and one pass of the chosen one and its rivals.
    fn new(kernel: Kernel, spent: &[Option<Duration>], options: &Options) -> Result<Results> {
        let mut found = Vec::new();
        for (shape, spent) in kernel.shapes.iter().zip(spent) {
            if options.has(shape) {
                let mut of_shape = find(&kernel, shape, options.time())?;
                of_shape.spent = *spent;
                found.push(of_shape);
            }
        }
        Ok(Results {
            fixed: best_fixed(&found),
            kernel,
            found,
        })
    }

    /// Measures another pass of the shapes of which not enough is known.
    fn pass(&mut self, pass: usize, time: Duration) -> Result<()> {
        let is_unknown = |it: &&mut Found| pass < LEAST_PASSES || it.few.noise(it.chosen) > NOISE;
        let plan = few_candidates(time);
        for found in self.found.iter_mut().filter(is_unknown) {
            let names: Vec<&'static str> = found.few.names().collect();
            found
                .few
                .append(Laps::measure(&self.kernel, &found.shape, &names, plan)?);
        }
        Ok(())
    }

    /// Measures the chosen candidates beside the fixed one.
    fn beside_fixed(&mut self, time: Duration) -> Result<()> {
        for found in &mut self.found {
            let names = [found.chosen, self.fixed];
            let measured = Laps::measure(&self.kernel, &found.shape, &names, few_candidates(time))?;
            match &mut found.fixed {
                Some(fixed) => fixed.append(measured),
                None => found.fixed = Some(measured),
            }
        }
        Ok(())
    }

    /// Returns the losses of the shapes that were tuned, or of the others.
    fn losses(&self, is_tuned: bool) -> Summary {
        let of = self
            .found
            .iter()
            .filter(|it| it.spent.is_some() == is_tuned);
        Summary::new(of.map(Found::loss))
    }

    /// Returns the time of the tuner, as a part of the time of measuring all candidates of the shapes that it tuned.
    fn cost(&self) -> f64 {
        let tuned = || self.found.iter().filter(|it| it.spent.is_some());
        let spent: Duration = tuned().filter_map(|it| it.spent).sum();
        let exhaustive: Duration = tuned().map(|it| it.exhaustive).sum();
        spent.as_secs_f64() / exhaustive.as_secs_f64()
    }

    /// Returns the geometric mean of the times of the fixed candidate over those of the chosen ones.
    fn gain(&self) -> f64 {
        let found = self.found.iter();
        let gains = found.map(|it| it.beside_fixed().ratio(self.fixed, it.chosen).ln());
        (gains.sum::<f64>() / self.found.len() as f64).exp()
    }

    /// Returns the row of the kernel.
    fn row(&self) -> String {
        let found = || self.found.iter();
        let all = |it: &Found| it.all.loss(it.slowest());
        format!(
            "| {} | {} | {} | {} | {} | {:.0} % | `{}` | {} | {:.2} | {:.1} |",
            self.kernel.name,
            self.found[0].all.names().count(),
            self.losses(true),
            self.losses(false),
            Summary::new(found().map(|it| it.few.noise(it.chosen))),
            100.0 * self.cost(),
            self.fixed,
            Summary::new(found().map(|it| it.loss_of_fixed(self.fixed))),
            self.gain(),
            1.0 + Summary::new(found().map(all)).median,
        )
    }

    /// Returns the rows of the shapes.
    fn rows_of_shapes(&self) -> String {
        let name = self.kernel.name;
        let name = name.split(',').next().unwrap_or(name);
        let row = |it: &Found| {
            let few = &it.few;
            format!(
                "| {name} | {} | {} | `{}` | {:.1} us | {:.1} % | {:.1} % | {} | {:.1} % |\n",
                it.extents(),
                it.by,
                it.chosen,
                few.seconds(it.chosen) * 1e6,
                100.0 * it.loss(),
                100.0 * few.noise(it.chosen),
                few.passes(),
                100.0 * it.loss_of_fixed(self.fixed),
            )
        };
        self.found.iter().map(row).collect()
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark prints what it measures")]
fn main() -> Result<()> {
    let options = options();
    let time = options.time();
    let has_shape = |kernel: &Kernel| kernel.shapes.iter().any(|shape| options.has(shape));
    let mut kernels = kernels::all();
    kernels.retain(|kernel| kernel.name.contains(&options.filter) && has_shape(kernel));
    let spent = tune(&kernels, &options)?;
    let of_kernels = kernels.into_iter().zip(spent);
    let results = of_kernels.map(|(kernel, spent)| Results::new(kernel, &spent, &options));
    let mut results = results.collect::<Result<Vec<_>>>()?;
    for pass in 1..MOST_PASSES {
        for results in &mut results {
            results.pass(pass, time)?;
        }
    }
    for _ in 0..PASSES_OF_FIXED {
        for results in &mut results {
            results.beside_fixed(time)?;
        }
    }
    for results in &results {
        if options.shape.is_empty() {
            println!("{}", results.row());
        }
        if options.candidates {
            let rows = results.found.iter().map(Found::rows_of_candidates);
            println!(
                "\n| shape | candidate | by the model, us | by the model and records | measured | slower than the fastest |\n{}",
                rows.collect::<String>(),
            );
        }
    }
    let shapes: String = results.iter().map(Results::rows_of_shapes).collect();
    if options.write {
        write(&results, &shapes);
    } else {
        println!("\n{shapes}");
    }
    Ok(())
}

fn write(results: &[Results], shapes: &str) {
    let few = few_candidates(Duration::ZERO);
    let table: String = results.iter().map(|it| it.row() + "\n").collect();
    let page = format!(
        "# How well the tuner chooses\n\n\
         Written by `cargo bench --features report --bench tuning -- --write`, on the CPU device. Every other one of 30 shapes of\n\
         each kernel is tuned, then their records are refined {REFINED} times, for a quarter of the time. That measures the candidates again of which it is not known that others\n\
         are faster, when the machine may be in another state. Then all shapes are launched. Candidates are instances at each level of native code that the processor has; a name\n\
         without a level is that of the highest one. Then each shape is measured twice, which the tuner does not see:\n\n\
         1. All candidates are measured by turns, for arguments that are allocated twice. This is the exhaustive search, and the\n   \
            cost is the time of tuning and refining as a part of it. It says which candidates are the fastest, but not by how much: the\n   \
            shortest of many times that vary is too short.\n\
         2. The chosen candidate is measured again, beside the three that were the fastest, in {LEAST_PASSES} to {MOST_PASSES} passes over all shapes of all kernels: until the noise is at most {:.0} %. A\n   \
            pass has {} laps, two for each of {} allocations in other places. All losses are those of this measurement. A loss is how much slower a candidate is than the fastest of\n   \
            these: the geometric mean over the passes of the medians of the ratios, lap by lap.\n\n\
         The noise says how well a loss is known: it is the standard error of that mean, for the chosen candidate and its fastest rival.\n\
         The fixed candidate is the one that is fastest in the geometric mean over all shapes, by the first measurement, which\n\
         nobody knows before. It is measured beside the choices, as often, and the gain is the geometric mean of its time over theirs.\n\n\
         | kernel | candidates | tuned: median loss | largest | others: median loss | largest | noise: median | largest | cost | fixed | its median loss | largest | gain | slowest candidate, times |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n\
         {table}\n\
         ![Times of chosen and fixed candidates](../images/tuning.svg)\n\n\
         ## Shapes\n\n\
         | kernel | shape | chosen by | candidate | time | loss | noise | passes | loss of the fixed one |\n|---|---|---|---|---|---|---|---|---|\n{shapes}",
        100.0 * NOISE,
        few.layouts * few.laps,
        few.layouts,
    );
    fs::write("docs/bench/tuning.md", page).expect("the page can be written");
    plot(results);
}

#[cfg(feature = "report")]
fn plot(results: &[Results]) {
    use tile_kernel::bench::{Measurement, Plot};

    let Some(Results { fixed, found, .. }) = results.first() else {
        return;
    };
    let points = |times: &dyn Fn(&Found) -> Vec<f64>| {
        found
            .iter()
            .filter(|it| it.shape.iter().all(|&n| n == it.shape[0]))
            .map(|it| {
                let measurement = Measurement::of_times(&Device::cpu(), times(it));
                (it.shape[0] as f64, measurement)
            })
            .collect::<Vec<_>>()
    };
    let chosen = points(&|it| it.beside_fixed().times(it.chosen).to_vec());
    let fixed = points(&|it| it.beside_fixed().times(fixed).to_vec());
    let slowest = points(&|it| it.all.times(it.slowest()).to_vec());
    Plot::rates("A product of f32, n × n × n", "GFLOP/s", |n| {
        2e-9 * n * n * n
    })
    .x_label("n")
    .series("chosen", chosen)
    .series("fixed", fixed)
    .series("slowest", slowest)
    .save("docs/images/tuning.svg")
    .expect("the plot can be written");
}

#[cfg(not(feature = "report"))]
fn plot(_: &[Results]) {}

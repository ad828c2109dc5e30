//! Compares the CPU device with `PyTorch`, `NumPy` and plain Rust, in the same run on the same cores.
//!
//! Runs a release build of `benches/cpu` and the kernels of `torch_kernels.py` and `numpy_kernels.py`: processes with
//! the same kernels on the same inputs. Prints a table, and writes it to `docs/bench/cpu.md`, or to `docs/bench/cpu-avx2.md`
//! on a machine without AVX-512.
//!
//! - The results must agree before anything is timed, element by element.
//! - Each round runs all programs; their order alternates. A pause after each run lets the threads of that program go to
//!   sleep. A figure is the median over rounds of the median over runs; a ratio is the median of the ratios of rounds.
//! - What the machine can do, copied bytes and fused multiply-adds per second, is measured in the same rounds.
//! - A missed target is printed, and is not an error. A wrong result, or a kernel that is interpreted, is one.

mod cost;
mod figures;
mod growth;
#[path = "../../../../benches/cpu/kernels.rs"]
mod kernels;
mod programs;
mod report;

use std::fs;
use std::thread::{available_parallelism, sleep};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use self::figures::{Ratios, difference, median};
use self::kernels::{Contender, KERNELS, Kernel, sizes};
use self::programs::{Program, Programs};
use crate::bench::machine;
use crate::workspace;

/// Options of `cargo xtask bench cpu`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The number of rounds
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// The time of each measurement in a round, in seconds
    #[arg(long, default_value_t = 0.3)]
    seconds: f64,
    /// The threads of each program [default: one per core]
    #[arg(long)]
    threads: Option<usize>,
    /// Only kernels with this in their name; the page is not written
    #[arg(long)]
    filter: Option<String>,
    /// Only print the figures
    #[arg(long)]
    dry_run: bool,
    /// Only compare results, of tiny sizes
    #[arg(long)]
    quick: bool,
}

/// The time of a round after which no other follows: a program multiplies without vectors, for half a minute.
const LONG_ROUND: Duration = Duration::from_secs(10);

/// The figures of a kernel for one size.
struct Row {
    kernel: &'static Kernel,
    sizes: &'static [u32],
    /// Seconds.
    ours: f64,
    contenders: Vec<Against>,
    /// The largest difference to a contender's results, as a part of the largest element.
    difference: f64,
    /// The bytes per second as a share of those of a copy.
    share_of_copy: Option<f64>,
    /// The operations per second as a share of those of fused multiply-adds.
    share_of_peak: Option<f64>,
}

/// The figures of a contender.
struct Against {
    contender: Contender,
    /// Seconds.
    time: f64,
    ratios: Ratios,
}

impl Row {
    fn numbers(&self) -> Vec<f64> {
        self.sizes.iter().copied().map(f64::from).collect()
    }

    /// Returns the contenders, each with the target if it is missed.
    fn missed(&self) -> impl Iterator<Item = (&Against, f64)> {
        self.contenders.iter().filter_map(|against| {
            let target = self.kernel.kind.target(against.contender)?;
            (against.ratios.median < target).then_some((against, target))
        })
    }
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let threads = options.threads;
    let threads = threads.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
    let mut programs = Programs::start(threads)?;
    let filter = options.filter.as_deref().unwrap_or_default();
    let chosen = || KERNELS.iter().filter(|kernel| kernel.name.contains(filter));
    if chosen().next().is_none() {
        bail!("no kernel has `{filter}` in its name");
    }
    if options.quick {
        for kernel in chosen() {
            let difference = compare(kernel, kernel.tiny, &mut programs)?;
            println!("bench: {}: differs by {difference:.0e}", kernel.name);
            programs.forget()?;
        }
        return Ok(());
    }
    let mut rows = Vec::new();
    for kernel in chosen() {
        for sizes in kernel.sizes {
            let difference = compare(kernel, sizes, &mut programs)?;
            let row = measure(kernel, sizes, (options, threads), &mut programs, difference)?;
            println!("bench: {}", report::line(&row));
            rows.push(row);
            programs.forget()?;
        }
    }
    println!("\n{}", report::slowest_first(&rows));
    if filter.is_empty() {
        let curves = growth::measure(&mut programs.ours, options.seconds, threads)?;
        let versions = versions(&programs);
        // Nothing may be running while the bench is compiled.
        drop(programs);
        let page = report::page(
            &rows,
            &curves,
            &cost::measure()?,
            options,
            threads,
            &versions,
        );
        print!("\n{page}");
        if !options.dry_run {
            let folder = workspace::root().join("docs/bench");
            fs::create_dir_all(&folder)?;
            let path = folder.join(if machine::has_avx512() {
                "cpu.md"
            } else {
                "cpu-avx2.md"
            });
            fs::write(&path, page).with_context(|| format!("write {}", path.display()))?;
        }
    }
    Ok(())
}

fn versions(programs: &Programs) -> Vec<String> {
    let others = programs.contenders.iter();
    let others = others.filter(|(contender, _)| *contender != Contender::Rust);
    let others = others.map(|(_, program)| program.version.clone());
    std::iter::once(programs.ours.version.clone())
        .chain(others)
        .collect()
}

/// Returns the largest difference of the results to those of the contenders; fails above the tolerance.
fn compare(kernel: &Kernel, numbers: &[u32], programs: &mut Programs) -> Result<f64> {
    let actual = programs.ours.outputs(kernel, numbers)?;
    let (name, mut largest, mut contenders) = (kernel.name, 0.0_f64, 0);
    for (contender, program) in &mut programs.contenders {
        if !program.has(kernel) {
            continue;
        }
        contenders += 1;
        let expected = program.outputs(kernel, numbers)?;
        let contender = contender.name();
        if actual.len() != expected.len() {
            bail!("`{name}` and {contender} have different numbers of outputs");
        }
        for (index, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
            let sizes = sizes(numbers);
            let difference = difference(actual, expected)
                .with_context(|| format!("output {index} of `{name}` differs in size"))?;
            if difference.is_nan() || difference > kernel.tolerance {
                bail!(
                    "output {index} of `{name}` {sizes} differs from {contender}'s by {difference:e} of the largest \
                     element, more than {:e}",
                    kernel.tolerance
                );
            }
            largest = largest.max(difference);
        }
    }
    if contenders == 0 {
        bail!("nothing is compared with `{name}`");
    }
    Ok(largest)
}

/// Waits after a measurement: the threads of some libraries wait actively for more work, as long as 0.2 s.
fn pause(threads: usize) {
    if threads > 1 {
        sleep(Duration::from_millis(250));
    }
}

fn measure(
    kernel: &'static Kernel,
    numbers: &'static [u32],
    (options, threads): (&Options, usize),
    programs: &mut Programs,
    difference: f64,
) -> Result<Row> {
    let text = sizes(numbers);
    let time = |program: &mut Program, kernel: &str, sizes: &str| -> Result<f64> {
        let runs = program.time(kernel, sizes, options.seconds);
        pause(threads);
        median(&mut runs?)
    };
    let wide: Vec<f64> = numbers.iter().copied().map(f64::from).collect();
    let bytes = (kernel.bytes)(&wide);
    let copied = ((bytes / 2.0).floor() * 2.0).to_string();
    let operations = (kernel.operations)(&wide);

    let mut ours = Vec::new();
    let mut others: Vec<(Contender, Vec<f64>)> = Vec::new();
    for (contender, program) in &programs.contenders {
        if program.has(kernel) {
            others.push((*contender, Vec::new()));
        }
    }
    let (mut copies, mut peaks) = (Vec::new(), Vec::new());
    for round in 0..=options.rounds.max(1) {
        let begin = Instant::now();
        if round % 2 == 0 {
            ours.push(time(&mut programs.ours, kernel.name, &text)?);
        }
        for (contender, times) in &mut others {
            times.push(time(programs.contender(*contender), kernel.name, &text)?);
        }
        if round % 2 == 1 {
            ours.push(time(&mut programs.ours, kernel.name, &text)?);
        }
        let rust = programs.contender(Contender::Rust);
        if kernel.kind.is_bound_by_memory() {
            copies.push(time(rust, "copy", &copied)?);
        }
        if operations > 0.0 {
            peaks.push(time(rust, "multiply_add", "-")?);
        }
        if begin.elapsed() > LONG_ROUND {
            break;
        }
    }
    // The first round loads what later ones find in caches.
    let times = others.iter_mut().map(|(_, times)| times);
    for times in times.chain([&mut ours, &mut copies, &mut peaks]) {
        if times.len() > 1 {
            times.remove(0);
        }
    }
    let contenders = others.into_iter().map(|(contender, mut times)| {
        Ok(Against {
            contender,
            ratios: Ratios::new(&ours, &times)?,
            time: median(&mut times)?,
        })
    });
    let contenders = contenders.collect::<Result<Vec<_>>>()?;
    let mut share_of_copy = None;
    if !copies.is_empty() {
        share_of_copy = Some(Ratios::new(&ours, &copies)?.median);
    }
    let mut share_of_peak = None;
    if !peaks.is_empty() {
        let limits = programs.contender(Contender::Rust).ask("limits")?;
        let at_peak: f64 = limits.parse().with_context(|| limits.clone())?;
        share_of_peak = Some(Ratios::new(&ours, &peaks)?.median * operations / at_peak);
    }
    Ok(Row {
        kernel,
        sizes: numbers,
        ours: median(&mut ours)?,
        contenders,
        difference,
        share_of_copy,
        share_of_peak,
    })
}

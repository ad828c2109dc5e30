//! Comparisons that need a machine that does nothing else.

use std::cell::RefCell;
use std::env;
use std::process::Command;
use std::time::Duration;

use libtest_mimic::Failed;
use tile_kernel::bench::{Bench, Measurement};
use tile_kernel::prelude::*;

use crate::kernels::{Operands, iterate};

/// The environment variable that makes this program one of divan.
pub(crate) const WITH_DIVAN: &str = "BENCH_WITH_DIVAN";

/// The environment variable with the name of a kernel that this program measures.
pub(crate) const WITH_BENCH: &str = "BENCH_WITH_BENCH";

type Case = fn() -> Result<(), Failed>;

/// All cases, by name.
pub(crate) const ALL: &[(&str, Case)] = &[
    ("medians_are_those_of_divan", medians_are_those_of_divan),
    (
        "a_kernel_is_as_fast_as_itself_in_19_of_20",
        a_kernel_is_as_fast_as_itself_in_19_of_20,
    ),
    (
        "a_difference_of_two_percent_is_found",
        a_difference_of_two_percent_is_found,
    ),
    ("a_cold_cache_takes_longer", a_cold_cache_takes_longer),
];

/// The kernels that are compared: elements of `add`, or steps of `iterate`.
const SMALL: usize = 1_000;
const MEDIUM: usize = 100_000;
const LARGE: (usize, i32) = (200_000, 200);

/// How many times both measure each kernel: an odd number, so that there is a median.
const ROUNDS: usize = 101;

fn small() -> impl FnMut(&Stream) -> tile_kernel::Result<()> {
    let mut operands = Operands::new(Device::cpu(), SMALL).expect("the CPU has the memory");
    move |stream| operands.add(stream)
}

fn medium() -> impl FnMut(&Stream) -> tile_kernel::Result<()> {
    let mut operands = Operands::new(Device::cpu(), MEDIUM).expect("the CPU has the memory");
    move |stream| operands.add(stream)
}

fn large() -> impl FnMut(&Stream) -> tile_kernel::Result<()> {
    let (n, steps) = LARGE;
    let mut x = Tensor::full(&Device::cpu(), [n], 0.5f32).expect("the CPU has the memory");
    move |stream| iterate(&mut x, steps).on(stream).launch()
}

mod with_divan {
    use divan::Bencher;
    use tile_kernel::{Device, Stream};

    fn bench(bencher: Bencher<'_, '_>, mut run: impl FnMut(&Stream) -> tile_kernel::Result<()>) {
        let stream = Stream::of_device(&Device::cpu()).expect("the CPU has a stream");
        bencher.bench_local(|| run(&stream).expect("the kernel runs"));
    }

    // Of a run of less than a microsecond, divan takes samples of one or two, to which the clock adds 5 %.
    #[divan::bench(
        min_time = 0.1,
        sample_count = 1000,
        sample_size = 100,
        max_time = 0.15
    )]
    fn small(bencher: Bencher<'_, '_>) {
        bench(bencher, super::small());
    }

    #[divan::bench(min_time = 0.1, sample_count = 1000, max_time = 0.15)]
    fn medium(bencher: Bencher<'_, '_>) {
        bench(bencher, super::medium());
    }

    #[divan::bench(min_time = 0.1, sample_count = 1000, max_time = 0.15)]
    fn large(bencher: Bencher<'_, '_>) {
        bench(bencher, super::large());
    }
}

/// Runs this program with an environment variable, and returns what it prints.
fn own_process(variable: &str, value: &str, arguments: &[&str]) -> String {
    let program = env::current_exe().expect("this test has a path");
    let mut command = Command::new(program);
    command.args(arguments).env(variable, value);
    let output = command.output().expect("it runs once already");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Measures the kernel of this name, and returns the measurement as JSON.
pub(crate) fn measured(name: &str) -> tile_kernel::Result<String> {
    let bench = Bench::new().duration(Duration::from_millis(100));
    let time = match name {
        "small" => bench.run(&Device::cpu(), small())?,
        "medium" => bench.run(&Device::cpu(), medium())?,
        "large" => bench.run(&Device::cpu(), large())?,
        _ => panic!("no kernel is called {name}"),
    };
    Ok(time.to_json())
}

/// Returns the measurement by `tile_kernel::bench`, in a process of its own as that of divan is, so that memory lies alike.
fn by_bench(name: &str) -> tile_kernel::Result<Measurement> {
    Measurement::from_json(&own_process(WITH_BENCH, name, &[]))
}

/// Returns the median of a benchmark by divan in seconds.
fn by_divan(name: &str) -> f64 {
    let text = own_process(WITH_DIVAN, "1", &["--bench", name]);
    let line = text
        .lines()
        .find(|line| line.contains(&format!("─ {name} ")));
    let line = line.unwrap_or_else(|| panic!("divan does not say it: {text}"));
    // The columns are the fastest, the slowest, the median and the mean.
    let cell = line.split('│').nth(2).expect("there are columns").trim();
    let (number, unit) = cell.split_once(' ').expect("a time has a unit");
    let number: f64 = number.parse().expect("a number");
    number
        * match unit {
            "ns" => 1e-9,
            "µs" => 1e-6,
            "ms" => 1e-3,
            "s" => 1.0,
            _ => panic!("an unknown unit: {line}"),
        }
}

#[expect(clippy::print_stdout, reason = "the figures are the result")]
fn medians_are_those_of_divan() -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for name in ["small", "medium", "large"] {
        // Other programs come and go within seconds: a ratio is that of two measurements that follow each other, each of them the
        // first one in turn.
        let mut ratios: Vec<f64> = Vec::new();
        for round in 0..ROUNDS {
            let theirs_first = (round % 2 == 1).then(|| by_divan(name));
            let ours = by_bench(name)?;
            let theirs = theirs_first.unwrap_or_else(|| by_divan(name));
            println!("{name}: {ours}; divan {:.3} us", theirs * 1e6);
            ratios.push(ours.median() / theirs);
        }
        ratios.sort_by(f64::total_cmp);
        let ratio = ratios[ROUNDS / 2];
        let (low, high) = (ratios[ROUNDS / 4], ratios[ROUNDS - 1 - ROUNDS / 4]);
        println!(
            "{name}: ours / divan = {ratio:.4}, half of the rounds between {low:.4} and {high:.4}"
        );
        if (ratio - 1.0).abs() > 0.03 {
            wrong.push(format!("{name}: {ratio:.4}"));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("more than 3 % beside divan: {}", wrong.join(", ")).into())
}

#[expect(clippy::print_stdout, reason = "the figures are the result")]
fn a_kernel_is_as_fast_as_itself_in_19_of_20() -> Result<(), Failed> {
    let device = Device::cpu();
    let mut right = 0;
    for number in 0..20 {
        let n = [1_000, 20_000, 300_000][number % 3];
        let operands = RefCell::new(Operands::new(device, n)?);
        let run = |stream: &Stream| operands.borrow_mut().add(stream);
        let paired = Bench::new().run_paired(&device, run, run)?;
        println!("{n} elements: {paired}");
        right += usize::from(!paired.differs());
    }
    println!("the interval had 1 in {right} of 20 runs");
    if right < 19 {
        return Err(format!("the interval had 1 in {right} of 20 runs").into());
    }
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the figures are the result")]
fn a_difference_of_two_percent_is_found() -> Result<(), Failed> {
    let x = RefCell::new(Tensor::full(&Device::cpu(), [20_000], 0.5f32)?);
    let run = |steps| {
        let x = &x;
        move |stream: &Stream| iterate(&mut x.borrow_mut(), steps).on(stream).launch()
    };
    let bench = Bench::new().duration(Duration::from_secs(5));
    let paired = bench.run_paired(&Device::cpu(), run(1020), run(1000))?;
    println!("1020 steps beside 1000: {paired}");
    if (paired.ratio() - 1.02).abs() < 0.005 && paired.differs() {
        return Ok(());
    }
    Err(format!("1020 steps beside 1000: {paired}").into())
}

#[expect(clippy::print_stdout, reason = "the figures are the result")]
fn a_cold_cache_takes_longer() -> Result<(), Failed> {
    use tile_kernel::bench::Cache;
    let device = Device::cpu();
    // 1.2 MB: in the cache if the runs leave it there.
    let mut operands = Operands::new(device, 100_000)?;
    let mut time = |cache| {
        let bench = Bench::new().cache(cache).duration(Duration::from_secs(1));
        bench.run(&device, |stream| operands.add(stream))
    };
    let (cold, warm) = (time(Cache::Cold)?, time(Cache::Warm)?);
    println!("cold: {cold}; warm: {warm}");
    if cold.median() < 1.2 * warm.median() {
        return Err("a cold cache costs less than a fifth".into());
    }
    Ok(())
}

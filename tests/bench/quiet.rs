//! Comparisons that need a machine that does nothing else.

use std::cell::RefCell;
use std::env;
use std::process::Command;
use std::time::Duration;

use libtest_mimic::Failed;
use tile_kernel::bench::{Bench, do_bench};
use tile_kernel::prelude::*;

use crate::kernels::{Operands, iterate};

/// The environment variable that makes this program one of divan.
pub(crate) const WITH_DIVAN: &str = "BENCH_WITH_DIVAN";

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
    #[divan::bench(min_time = 0.5, sample_count = 1000, sample_size = 100, max_time = 1)]
    fn small(bencher: Bencher<'_, '_>) {
        bench(bencher, super::small());
    }

    #[divan::bench(min_time = 0.5, sample_count = 1000, max_time = 1)]
    fn medium(bencher: Bencher<'_, '_>) {
        bench(bencher, super::medium());
    }

    #[divan::bench(min_time = 0.5, sample_count = 1000, max_time = 1)]
    fn large(bencher: Bencher<'_, '_>) {
        bench(bencher, super::large());
    }
}

/// Returns the median of a benchmark by divan in seconds.
fn by_divan(name: &str) -> f64 {
    let program = env::current_exe().expect("this test has a path");
    let mut command = Command::new(program);
    command.arg("--bench").arg(name).env(WITH_DIVAN, "1");
    let output = command.output().expect("it runs once already");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
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
    type Make = fn() -> Box<dyn FnMut(&Stream) -> tile_kernel::Result<()>>;
    let kernels: [(&str, Make); 3] = [
        ("small", || Box::new(small())),
        ("medium", || Box::new(medium())),
        ("large", || Box::new(large())),
    ];
    let mut wrong = Vec::new();
    for (name, make) in kernels {
        // Several rounds by turns, and the least median of each: other programs come and go, and only make a time longer.
        let (mut our_least, mut their_least) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..7 {
            let ours = do_bench(&Device::cpu(), make())?;
            let theirs = by_divan(name);
            println!("{name}: {ours}; divan {:.3} us", theirs * 1e6);
            our_least = our_least.min(ours.median());
            their_least = their_least.min(theirs);
        }
        let ratio = our_least / their_least;
        println!("{name}: ours / divan = {ratio:.4}");
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
    let paired = Bench::new().run_paired(&Device::cpu(), run(1020), run(1000))?;
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

//! Measures thread instructions per second, with all checks and with the inexpensive ones, on one
//! host thread and on two.
//!
//! `cargo bench -p tile-sim --bench speed` runs all kernels; a part of a name after `--` selects
//! some. `--once` runs each kernel once on one thread for a profiler, with all checks or with
//! `--cheap`.
//!
//! The kernels are those of `kernels/mod.rs`: some are written for this benchmark, the others are
//! Triton's from `tests/triton/corpus`. The first figure is the best rate of several runs, by wall
//! clock. On Linux, the second is the rate by processor time, which depends less on other
//! processes.

#![expect(clippy::print_stdout, reason = "the table")]
#![expect(clippy::cast_precision_loss, reason = "rates")]

#[path = "../tests/triton/corpus.rs"]
#[expect(dead_code, reason = "the tests use the rest")]
mod corpus;
mod kernels;
#[path = "../src/random.rs"]
#[expect(dead_code, reason = "the crate and its tests use the rest")]
mod random;

use std::time::{Duration, Instant};

use kernels::Case;
use tile_sim::{Checks, Options};

/// The approximate duration of the runs of one kernel in one setting.
const ENOUGH: Duration = Duration::from_millis(700);

/// The rates of one kernel in one setting.
struct Rate {
    /// Thread instructions per second of wall-clock time, in the best run.
    wall: f64,
    /// Thread instructions per second of processor time, over all runs.
    core: Option<f64>,
    seconds: f64,
}

/// Returns the processor time of this process.
fn on_core() -> Option<Duration> {
    // `utime` and `stime` of all threads, in hundredths of a second.
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields = text.rsplit_once(')')?.1.split_whitespace();
    let ticks = fields.skip(11).take(2);
    let ticks: Option<u64> = ticks.map(|field| field.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(10 * ticks?))
}

fn measure(case: &Case, checks: Checks, threads: usize) -> Rate {
    let options = Options {
        checks,
        threads,
        ..Options::default()
    };
    let mut best = f64::INFINITY;
    let mut sum = 0;
    let (start, start_on_core) = (Instant::now(), on_core());
    while sum == 0 || start.elapsed() < ENOUGH {
        let (counters, seconds) = case.run(&options);
        let instructions = counters.total_thread_instructions();
        sum += instructions;
        best = best.min(seconds / instructions as f64);
    }
    let core = on_core().zip(start_on_core).map(|(now, then)| {
        let spent = now.saturating_sub(then).max(Duration::from_millis(10));
        sum as f64 / spent.as_secs_f64()
    });
    let (counters, seconds) = case.run(&options);
    Rate {
        wall: 1.0 / best.min(seconds / counters.total_thread_instructions() as f64),
        core,
        seconds,
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let once = arguments.iter().any(|argument| argument == "--once");
    let cheap = arguments.iter().any(|argument| argument == "--cheap");
    let part = arguments
        .iter()
        .find(|argument| !argument.starts_with("--"));
    let mut cases = kernels::all();
    cases.retain(|case| part.is_none_or(|part| case.name.contains(part.as_str())));
    if once {
        for case in &cases {
            let options = Options {
                threads: 1,
                checks: if cheap { Checks::Cheap } else { Checks::All },
                ..Options::default()
            };
            let (counters, seconds) = case.run(&options);
            println!("{} {seconds:.3} s\n{counters}", case.name);
        }
        return;
    }
    println!("millions of thread instructions per second: by the wall / per core in use");
    println!(
        "{:<20} {:>8} {:>17} {:>17} {:>17} {:>17} {:>9}",
        "kernel", "millions", "all, 1", "all, 2", "cheap, 1", "cheap, 2", "all, 2: s"
    );
    for case in &cases {
        let (counters, _) = case.run(&Options::default());
        let millions = counters.total_thread_instructions() as f64 / 1e6;
        print!("{:<20} {millions:>8.2}", case.name);
        let mut seconds = 0.0;
        for (checks, threads) in [
            (Checks::All, 1),
            (Checks::All, 2),
            (Checks::Cheap, 1),
            (Checks::Cheap, 2),
        ] {
            let rate = measure(case, checks, threads);
            let core = rate
                .core
                .map_or("-".into(), |core| format!("{:.1}", core / 1e6));
            print!(" {:>17}", format!("{:.1} / {core}", rate.wall / 1e6));
            if (checks, threads) == (Checks::All, 2) {
                seconds = rate.seconds;
            }
        }
        println!(" {seconds:>9.3}");
    }
}

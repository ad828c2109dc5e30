//! Runs a torture test: parses or reads many mutated inputs (text and bytecode in equal parts),
//! verifies them, prints them and writes them. Detects panics, hangs (an input that takes more than
//! a second), excessive memory (an input, or a whole process, that takes more than a gibibyte) and
//! round trips that change a module.
//!
//! ```text
//! cargo run --release -p tile-core --features testing --example torture -- 10000000
//! ```
//!
//! Child processes do the work in batches of [`BATCH`] inputs: interned types live as long as their
//! process, and a crash ends only one batch.

#![expect(clippy::print_stdout, reason = "this is a program for the terminal")]

mod inputs;
mod meter;

use inputs::Inputs;
use meter::Watch;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The number of inputs of a child process.
const BATCH: u64 = 100_000;

/// The memory limit of an input, and of a process, in bytes.
const MAX_BYTES: usize = 1 << 30;

/// The time limit of an input.
const MAX_TIME: Duration = Duration::from_secs(1);

#[global_allocator]
static ALLOCATOR: meter::Allocator = meter::Allocator;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |argument: usize| args.get(argument).and_then(|arg| arg.parse().ok());
    match args.first().map(String::as_str) {
        Some("--batch") => match (number(1), number(2)) {
            (Some(first), Some(count)) => batch(first, count),
            _ => usage(),
        },
        Some("--seeds") => args
            .get(1)
            .map_or_else(usage, |folder| seeds(Path::new(folder))),
        Some("--input") => number(1).map_or_else(usage, show),
        _ => match number(0) {
            Some(count) => torture(count, number(1).unwrap_or(0)),
            None => usage(),
        },
    }
}

fn usage() -> ExitCode {
    println!("usage: torture COUNT [FIRST]   runs so many inputs, from number FIRST (0)");
    println!("       torture --input NUMBER  shows an input, and runs it");
    println!("       torture --seeds FOLDER  writes what is changed to make inputs");
    ExitCode::FAILURE
}

/// Runs inputs in child processes, and sums up their reports.
fn torture(count: u64, first: u64) -> ExitCode {
    let start = Instant::now();
    let next = AtomicU64::new(0);
    let sums = Mutex::new(Sums::default());
    let jobs = std::thread::available_parallelism().map_or(1, usize::from);
    let batch_len = BATCH.min(count.div_ceil(jobs as u64)).max(1);
    let batches = count.div_ceil(batch_len);
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                loop {
                    let batch = next.fetch_add(1, Ordering::Relaxed);
                    if batch >= batches {
                        break;
                    }
                    let begin = batch * batch_len;
                    let len = batch_len.min(count - begin);
                    let report = run_child(first + begin, len);
                    let mut sums = sums.lock().expect("no thread panics while it holds it");
                    sums.add(report);
                    let done = sums.done;
                    let seconds = start.elapsed().as_secs_f64();
                    println!("{done} inputs in {seconds:.0} s");
                }
            });
        }
    });
    let sums = sums.into_inner().expect("no thread panicked");
    sums.print(start.elapsed(), jobs);
    if sums.faults.is_empty() && sums.done == count {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

#[derive(Default)]
struct Sums {
    done: u64,
    outcomes: std::collections::BTreeMap<String, u64>,
    peak_of_an_input: u64,
    peak_of_a_process: u64,
    slowest_micros: u64,
    faults: Vec<String>,
}

impl Sums {
    fn add(&mut self, report: Self) {
        let Self {
            done,
            outcomes,
            peak_of_an_input,
            peak_of_a_process,
            slowest_micros,
            faults,
        } = report;
        self.done += done;
        for (name, count) in outcomes {
            *self.outcomes.entry(name).or_default() += count;
        }
        self.peak_of_an_input = self.peak_of_an_input.max(peak_of_an_input);
        self.peak_of_a_process = self.peak_of_a_process.max(peak_of_a_process);
        self.slowest_micros = self.slowest_micros.max(slowest_micros);
        self.faults.extend(faults);
    }

    fn print(&self, time: Duration, jobs: usize) {
        let seconds = time.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "for people to read")]
        let rate = self.done as f64 / seconds;
        println!(
            "{} inputs in {seconds:.1} s on {jobs} cores, {rate:.0} inputs/s",
            self.done
        );
        for (name, count) in &self.outcomes {
            println!("{count:10} {name}");
        }
        println!("slowest input: {} us", self.slowest_micros);
        println!(
            "most memory of an input: {} KiB",
            self.peak_of_an_input / 1024
        );
        println!(
            "most memory of a process: {} KiB",
            self.peak_of_a_process / 1024
        );
        for fault in &self.faults {
            println!("FAULT {fault}");
        }
    }
}

/// Runs inputs in one child process and reads its report, which has one line
/// for each sum: its name and its value.
fn run_child(first: u64, count: u64) -> Sums {
    let mut sums = Sums::default();
    let program = std::env::current_exe().expect("this program has a path");
    let child = Command::new(program)
        .args(["--batch", &first.to_string(), &count.to_string()])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut child = child.expect("this program can be started");
    let stdout = child.stdout.take().expect("it is piped");
    let mut reached = first;
    for line in BufReader::new(stdout).lines() {
        let line = line.expect("the report is text");
        let (name, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let value = || rest.parse().unwrap_or(0);
        match name {
            "at" => reached = value(),
            "done" => sums.done = value(),
            "input-peak" => sums.peak_of_an_input = value(),
            "process-peak" => sums.peak_of_a_process = value(),
            "slowest" => sums.slowest_micros = value(),
            "FAULT" => sums.faults.push(rest.to_owned()),
            "outcome" => {
                let (count, name) = rest.split_once(' ').unwrap_or((rest, ""));
                sums.outcomes
                    .insert(name.to_owned(), count.parse().unwrap_or(0));
            }
            _ => {}
        }
    }
    let status = child.wait().expect("it was started");
    if !status.success() {
        sums.faults
            .push(format!("{status} at an input from {reached} on"));
    }
    sums
}

/// Runs inputs in this process and reports on them.
fn batch(first: u64, count: u64) -> ExitCode {
    // The message of a panic is reported with its input.
    std::panic::set_hook(Box::new(|_| {}));
    let inputs = Inputs::load();
    let watch = Watch::start(MAX_TIME);
    let mut sums = Sums::default();
    for number in first..first + count {
        if number % 1000 == 0 {
            println!("at {number}");
        }
        watch.begin(number);
        let floor = meter::reset_peak();
        let start = Instant::now();
        let input = inputs.get(number);
        let outcome = std::panic::catch_unwind(|| input.survive());
        let time = start.elapsed();
        let peak = meter::peak().saturating_sub(floor);
        watch.end();
        let outcome = match outcome {
            Ok(Ok(survival)) => input.outcome(survival),
            Ok(Err(fault)) => {
                println!("FAULT input {number}: {}", fault.replace('\n', "; "));
                "fault"
            }
            Err(payload) => {
                let text = payload.downcast_ref::<String>().cloned();
                let text = text.or(payload.downcast_ref::<&str>().map(|&text| text.to_owned()));
                let text = text.unwrap_or_default().replace('\n', "; ");
                println!("FAULT input {number}: panic: {text}");
                "panic"
            }
        };
        if peak > MAX_BYTES {
            println!("FAULT input {number}: {peak} bytes of memory");
        }
        if time > MAX_TIME {
            println!("FAULT input {number}: {time:?}");
        }
        *sums.outcomes.entry(outcome.to_owned()).or_default() += 1;
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        sums.slowest_micros = sums.slowest_micros.max(micros);
        sums.peak_of_an_input = sums.peak_of_an_input.max(peak as u64);
        sums.done += 1;
    }
    let process_peak = meter::process_peak();
    if process_peak > MAX_BYTES as u64 {
        println!("FAULT inputs from {first}: the process took {process_peak} bytes");
    }
    for (name, count) in &sums.outcomes {
        println!("outcome {count} {name}");
    }
    println!("input-peak {}", sums.peak_of_an_input);
    println!("process-peak {process_peak}");
    println!("slowest {}", sums.slowest_micros);
    println!("done {}", sums.done);
    ExitCode::SUCCESS
}

/// Writes the seed corpora for fuzzers.
fn seeds(folder: &Path) -> ExitCode {
    match Inputs::load().write(folder) {
        Ok(count) => {
            println!("{count} files in {}", folder.display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("{}: {error}", folder.display());
            ExitCode::FAILURE
        }
    }
}

/// Shows one input and runs it, without catching panics.
fn show(number: u64) -> ExitCode {
    let input = Inputs::load().get(number);
    match &input {
        inputs::Input::Text(text) => println!("{text}"),
        inputs::Input::Bytes(bytes) => {
            println!("{bytes:02x?}");
            let path = std::env::temp_dir().join(format!("torture.{number}.tilebc"));
            if std::fs::write(&path, bytes).is_ok() {
                println!("written to {}", path.display());
            }
        }
    }
    let start = Instant::now();
    println!("{:?} in {:?}", input.survive(), start.elapsed());
    ExitCode::SUCCESS
}

//! Compares the CPU device with `NumPy`, in the same run on the same cores.
//!
//! Runs a release build of `benches/cpu.rs` and `cpu.py`: two processes with the same kernels on
//! the same inputs. Prints a table, and writes it to `docs/bench/cpu.md`.
//!
//! - The results must agree before anything is timed.
//! - Each round runs both programs; which of them runs first alternates. A pause after each run
//!   lets the threads of that program go to sleep. A figure is the median over rounds of the median
//!   over runs; a ratio is the median of the ratios of rounds.
//! - A missed target is printed, and is not an error.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::machine;
use super::worker::Worker;
use crate::setup::{self, Scope};
use crate::{tools, workspace};

/// Options of `cargo xtask bench cpu`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The number of rounds
    #[arg(long, default_value_t = 9)]
    rounds: usize,
    /// The time of each measurement in a round, in seconds
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
    /// Only print the figures
    #[arg(long)]
    dry_run: bool,
}

struct Case {
    name: &'static str,
    title: &'static str,
    /// The target speed, as a multiple of `NumPy`'s.
    target: f64,
    /// The maximum difference of results, relative to the largest number.
    tolerance: f64,
}

const CASES: [Case; 4] = [
    Case {
        name: "matmul",
        title: "matmul, 1024 × 1024 × 1024",
        target: 0.7,
        tolerance: 1e-5,
    },
    Case {
        name: "softmax",
        title: "softmax of rows, 4096 × 4096",
        target: 1.5,
        tolerance: 1e-5,
    },
    Case {
        name: "vector_add",
        title: "vector addition, 2²⁴",
        target: 0.8,
        tolerance: 0.0,
    },
    Case {
        name: "attention",
        title: "attention, 16 heads × 1024 × 64",
        target: 1.0,
        tolerance: 1e-5,
    },
];

/// The figures of a case.
struct Figures {
    ours: f64,
    numpy: f64,
    /// The speed as a multiple of `NumPy`'s in each round, sorted.
    ratios: Vec<f64>,
    /// The largest difference of results, relative to the largest number.
    difference: f64,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run(Scope::Everything, &setup::Options::default())?;
    let mut ours = Worker::start(std::process::Command::new(build()?).arg("--serve"))?;
    let mut numpy = Worker::start(&mut python()?)?;
    let versions = [ours.ask("version")?, numpy.ask("version")?];
    let mut rows = Vec::new();
    for case in &CASES {
        let difference = compare(case, &mut ours, &mut numpy)?;
        let figures = measure(case, options, &mut ours, &mut numpy, difference)?;
        println!("bench: {}", line(case, &figures));
        rows.push((case, figures));
    }
    let report = report(&rows, options, &versions);
    print!("\n{report}");
    if !options.dry_run {
        let folder = workspace::root().join("docs/bench");
        fs::create_dir_all(&folder)?;
        let path = folder.join("cpu.md");
        fs::write(&path, report).with_context(|| format!("could not write {}", path.display()))?;
    }
    Ok(())
}

/// Builds the benchmark, and returns its path.
fn build() -> Result<String> {
    let mut cargo = workspace::cargo();
    cargo.args(["build", "--release", "--bench", "cpu"]);
    cargo.arg("--message-format=json-render-diagnostics");
    let output = cargo.stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        bail!("the bench does not build");
    }
    let text = String::from_utf8(output.stdout)?;
    let executable = |line: &str| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        let is_bench = message["target"]["name"] == "cpu";
        message["executable"]
            .as_str()
            .filter(|_| is_bench)
            .map(str::to_owned)
    };
    let program = text.lines().find_map(executable);
    program.context("cargo did not say where the bench is")
}

/// Returns a Python command with the script and the `NumPy` that setup installed.
fn python() -> Result<std::process::Command> {
    let packages = tools::current_link(&tools::cache_dir()?).join("python");
    let mut python = std::process::Command::new("python3");
    if packages.is_dir() {
        python.env("PYTHONPATH", packages);
    }
    python.args(["-c", include_str!("cpu.py")]);
    Ok(python)
}

/// Returns the difference of the two results; fails above the tolerance.
fn compare(case: &Case, ours: &mut Worker, numpy: &mut Worker) -> Result<f64> {
    let folder = workspace::root().join("target/bench-cpu");
    fs::create_dir_all(&folder)?;
    let result = |worker: &mut Worker, path: &Path| -> Result<Vec<f32>> {
        let answer = worker.ask(&format!("result {} {}", case.name, path.display()))?;
        if answer != "ok" {
            bail!("no result of `{}`: {answer}", case.name);
        }
        let bytes = fs::read(path)?;
        fs::remove_file(path)?;
        let (numbers, _) = bytes.as_chunks();
        Ok(numbers.iter().copied().map(f32::from_le_bytes).collect())
    };
    let actual = result(ours, &folder.join("ours"))?;
    let expected = result(numpy, &folder.join("numpy"))?;
    let difference = difference(&actual, &expected).context("the results differ in size")?;
    if difference.is_nan() || difference > case.tolerance {
        bail!(
            "the results of `{}` differ by {difference:e} of the largest, more than {:e}",
            case.name,
            case.tolerance
        );
    }
    Ok(difference)
}

/// Returns the largest difference, relative to the largest number; NaN if one is NaN.
fn difference(actual: &[f32], expected: &[f32]) -> Option<f64> {
    if actual.len() != expected.len() {
        return None;
    }
    let max = |numbers: &mut dyn Iterator<Item = f64>| {
        numbers.fold(
            0.0_f64,
            |max, x| {
                if max.is_nan() || x <= max { max } else { x }
            },
        )
    };
    let pairs = actual.iter().zip(expected);
    let off = max(&mut pairs.map(|(&a, &b)| (f64::from(a) - f64::from(b)).abs()));
    let largest = max(&mut expected.iter().map(|&x| f64::from(x).abs()));
    Some(if off == 0.0 { 0.0 } else { off / largest })
}

fn measure(
    case: &Case,
    options: &Options,
    ours: &mut Worker,
    numpy: &mut Worker,
    difference: f64,
) -> Result<Figures> {
    let time = |worker: &mut Worker| -> Result<f64> {
        let answer = worker.ask(&format!("time {} {}", case.name, options.seconds))?;
        let runs: Result<Vec<f64>, _> = answer.split_whitespace().map(str::parse).collect();
        // The threads of some libraries busy-wait for more work.
        sleep(Duration::from_millis(300));
        median(&mut runs.with_context(|| format!("`{}`: {answer}", case.name))?)
    };
    time(ours)?;
    time(numpy)?;
    let (mut our_times, mut numpy_times) = (Vec::new(), Vec::new());
    for round in 0..options.rounds.max(1) {
        if round % 2 == 0 {
            our_times.push(time(ours)?);
            numpy_times.push(time(numpy)?);
        } else {
            numpy_times.push(time(numpy)?);
            our_times.push(time(ours)?);
        }
    }
    let pairs = numpy_times.iter().zip(&our_times);
    let mut ratios: Vec<f64> = pairs.map(|(numpy, ours)| numpy / ours).collect();
    ratios.sort_by(f64::total_cmp);
    Ok(Figures {
        ours: median(&mut our_times)?,
        numpy: median(&mut numpy_times)?,
        ratios,
        difference,
    })
}

fn median(numbers: &mut [f64]) -> Result<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.get(numbers.len() / 2);
    middle.copied().context("nothing was measured")
}

fn verdict(case: &Case, figures: &Figures) -> &'static str {
    if figures.ratios[figures.ratios.len() / 2] >= case.target {
        "reached"
    } else {
        "missed"
    }
}

fn line(case: &Case, figures: &Figures) -> String {
    format!(
        "{}: {:.2} ms, NumPy {:.2} ms, {:.2} times as fast; target {:.1} {}",
        case.title,
        figures.ours * 1e3,
        figures.numpy * 1e3,
        figures.ratios[figures.ratios.len() / 2],
        case.target,
        verdict(case, figures)
    )
}

fn report(rows: &[(&Case, Figures)], options: &Options, versions: &[String; 2]) -> String {
    let mut text = String::from(
        "# The CPU device against NumPy\n\n\
         Written by `cargo xtask bench cpu`. Both run on the same cores in one run, each with its default number\n\
         of threads: `f32` in and out, the kernels of `benches/cpu.rs`, and `xtask/src/bench/cpu.py` with every array\n\
         allocated beforehand. They are measured alternately; a figure is the median over rounds of the median run, a\n\
         ratio the median of the ratios of rounds, with the minimum and the maximum.\n\n\
         | | this | NumPy | speedup | minimum, maximum | target | | results differ by |\n\
         |---|---|---|---|---|---|---|---|\n",
    );
    for (case, figures) in rows {
        let ratios = &figures.ratios;
        let _ = writeln!(
            text,
            "| {} | {:.2} ms | {:.2} ms | {:.2} | {:.2}, {:.2} | {:.1} | {} | {} |",
            case.title,
            figures.ours * 1e3,
            figures.numpy * 1e3,
            ratios[ratios.len() / 2],
            ratios[0],
            ratios[ratios.len() - 1],
            case.target,
            verdict(case, figures),
            match figures.difference {
                0.0 => "nothing".to_owned(),
                difference => format!("{difference:.0e} of the largest"),
            }
        );
    }
    let _ = write!(
        text,
        "\n| | |\n|---|---|\n\
         | date | {} |\n\
         | machine | {} |\n\
         | vectors | {} |\n\
         | this | {}, {} |\n\
         | NumPy | {} |\n\
         | rounds | {} of {} s each |\n",
        machine::first_line("date", &["-u", "+%F"]),
        machine::description(),
        machine::vectors(),
        versions[0],
        machine::first_line("rustc", &["--version"]),
        versions[1],
        options.rounds,
        options.seconds,
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_a_part_of_the_largest_number() {
        assert_eq!(difference(&[1.0, -4.0], &[1.0, -4.0]), Some(0.0));
        assert_eq!(difference(&[1.5, -4.0], &[1.0, -4.0]), Some(0.125));
        assert_eq!(difference(&[1.0], &[1.0, 2.0]), None);
        assert!(difference(&[f32::NAN, 0.0], &[1.0, 2.0]).is_some_and(f64::is_nan));
        assert!(difference(&[1.0, 0.0], &[f32::NAN, 2.0]).is_some_and(f64::is_nan));
    }

    #[test]
    fn a_missed_target_is_said() {
        let figures = |ratio| Figures {
            ours: 1.0,
            numpy: ratio,
            ratios: vec![ratio],
            difference: 0.0,
        };
        let case = &CASES[0];
        assert!(line(case, &figures(0.69)).ends_with("0.69 times as fast; target 0.7 missed"));
        assert!(line(case, &figures(0.7)).ends_with("target 0.7 reached"));
    }
}

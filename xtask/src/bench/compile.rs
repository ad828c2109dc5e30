//! Measures the times of `tilec build` and `tileiras` for the same bytecode, in the same run.
//!
//! Compiles the corpus of bytecode of an independent producer (`tile-core/tests/corpus`) with a
//! release build of `tilec`. Prints tables of times, and writes them to `docs/bench/compile.md`.
//!
//! - Whole processes are timed, with their children: from the bytecode file to the file of machine
//!   code.
//! - Each round runs both compilers; which of them runs first alternates. A figure is the median
//!   over rounds, a ratio the median of the ratios of rounds.
//! - CPU time is user and system time of the process and of all its children. On a busy machine it
//!   is more reliable than wall time.
//! - A missed target is printed, and is not an error.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

use super::corpus::{self, Profile, VERSION};
use super::{machine, slow};
use crate::setup::{self, Scope};
use crate::{process, tools, workspace};

/// Options of `cargo xtask bench compile`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The architectures, separated by commas; both compilers must support them
    #[arg(long, default_value = "sm_80", value_delimiter = ',')]
    gpu_name: Vec<String>,
    /// The number of rounds
    #[arg(long, default_value_t = 11)]
    rounds: usize,
    /// Only kernels whose name contains this
    #[arg(long, default_value = "")]
    filter: String,
    /// Only print the figures
    #[arg(long)]
    dry_run: bool,
    /// Instead, compile all kernels of the repository and of FILES, and some with very large tiles,
    /// and list those that take more CPU seconds than this; fails if the compiler prints no remark
    /// for one of them
    #[arg(long, value_name = "SECONDS")]
    over: Option<f64>,
    /// More kernels to compile, or folders of kernels
    #[arg(requires = "over")]
    files: Vec<PathBuf>,
}

/// Maximum compile times on two cores, in milliseconds.
const MAX_MS: [(&str, f64); 4] = [
    ("vector_add", 40.0),
    ("softmax_4096", 80.0),
    ("matmul_128x128x64", 250.0),
    ("attention_128x64x128", 400.0),
];

/// Maximum ratio of our time to that of `tileiras`.
const MAX_RATIO: f64 = 0.8;

/// The times of one process, in milliseconds.
#[derive(Clone, Debug, Default)]
pub(super) struct Run {
    wall: f64,
    pub(super) cpu: f64,
    /// The stages of `tilec` and their times, in order.
    stages: Vec<(String, f64)>,
    /// The standard error of the process.
    pub(super) said: String,
}

/// All rounds for a kernel.
struct Row {
    name: String,
    ours: Vec<Run>,
    theirs: Vec<Run>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    setup::run(Scope::Everything, &setup::Options::default())?;
    if let Some(limit) = options.over {
        return slow::run(limit, &options.gpu_name, &options.filter, &options.files);
    }
    let tools = tools::current_link(&tools::cache_dir()?);
    let tilec = corpus::tilec(Profile::Release)?;
    let mut sections = Vec::new();
    for gpu_name in &options.gpu_name {
        let mut rows = Vec::new();
        for (name, file) in corpus::files()? {
            if name.contains(&options.filter) {
                let row = measure(name, &file, gpu_name, &tilec, &tools, options.rounds)?;
                println!("bench: {gpu_name}: {}", line(&row));
                rows.push(row);
            }
        }
        sections.push((gpu_name.as_str(), rows));
    }
    let report = report(&sections, options, &tools);
    print!("\n{report}");
    if !options.dry_run {
        let path = workspace::root().join("docs/bench/compile.md");
        fs::write(&path, report).with_context(|| format!("could not write {}", path.display()))?;
    }
    Ok(())
}

fn measure(
    name: String,
    file: &Path,
    gpu_name: &str,
    tilec: &Path,
    tools: &Path,
    rounds: usize,
) -> Result<Row> {
    let folder = tempfile::tempdir().context("could not make a temporary folder")?;
    let ours = || {
        let mut build = Command::new(tilec);
        build.arg("build").arg(file).arg("--gpu-name").arg(gpu_name);
        build.arg("-o").arg(folder.path().join("ours"));
        time(build.env("TILE_TIME", "1"))
    };
    let theirs = || {
        let output = folder.path().join("theirs");
        time(&mut corpus::tileiras(tools, file, gpu_name, &output))
    };
    // Warms the file cache.
    ours()?;
    theirs()?;
    let mut row = Row {
        name,
        ours: Vec::new(),
        theirs: Vec::new(),
    };
    for round in 0..rounds.max(1) {
        if round % 2 == 0 {
            row.ours.push(ours()?);
            row.theirs.push(theirs()?);
        } else {
            row.theirs.push(theirs()?);
            row.ours.push(ours()?);
        }
    }
    Ok(row)
}

/// Runs a process, and returns its times.
pub(super) fn time(command: &mut Command) -> Result<Run> {
    let before = cpu()?;
    let start = Instant::now();
    let output = command
        .output()
        .with_context(|| format!("could not start {}", process::line(command)))?;
    let wall = start.elapsed().as_secs_f64() * 1e3;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{} failed: {said}", process::line(command));
    }
    Ok(Run {
        wall,
        cpu: cpu()?.saturating_sub(before).as_secs_f64() * 1e3,
        stages: said.lines().find_map(stages).unwrap_or_default(),
        said: said.into_owned(),
    })
}

/// Returns the CPU time of all finished children.
fn cpu() -> Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let duration = |time: TimeVal| {
        let seconds = u64::try_from(time.tv_sec()).unwrap_or(0);
        let micros = u64::try_from(time.tv_usec()).unwrap_or(0);
        Duration::from_secs(seconds) + Duration::from_micros(micros)
    };
    Ok(duration(usage.user_time()) + duration(usage.system_time()))
}

/// Parses the stages in the line of `TILE_TIME`: `tilec: parse 0.1 ms, select 9.1 ms, total 9.2
/// ms`.
fn stages(line: &str) -> Option<Vec<(String, f64)>> {
    let parts = line.strip_prefix("tilec: ")?.split(", ");
    let stage = |part: &str| {
        let (name, time) = part.strip_suffix(" ms")?.rsplit_once(' ')?;
        Some((name.to_owned(), time.parse().ok()?))
    };
    parts.map(stage).collect()
}

fn median(numbers: impl IntoIterator<Item = f64>) -> f64 {
    let mut numbers: Vec<f64> = numbers.into_iter().collect();
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The medians of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Figures {
    wall: [f64; 2],
    cpu: [f64; 2],
    wall_ratio: f64,
    cpu_ratio: f64,
}

impl Row {
    fn figures(&self) -> Figures {
        let median_of = |runs: &[Run], get: fn(&Run) -> f64| median(runs.iter().map(get));
        let ratio = |get: fn(&Run) -> f64| {
            let pairs = self.ours.iter().zip(&self.theirs);
            median(pairs.map(|(ours, theirs)| get(ours) / get(theirs)))
        };
        Figures {
            wall: [&self.ours, &self.theirs].map(|runs| median_of(runs, |run| run.wall)),
            cpu: [&self.ours, &self.theirs].map(|runs| median_of(runs, |run| run.cpu)),
            wall_ratio: ratio(|run| run.wall),
            cpu_ratio: ratio(|run| run.cpu),
        }
    }

    /// Returns the targets (a time, if one is set, and the ratio), and whether they are reached.
    fn verdict(&self) -> String {
        let figures = self.figures();
        let limit = MAX_MS.iter().find(|(name, _)| *name == self.name);
        let is_quick = limit.is_none_or(|(_, limit)| figures.wall[0] <= *limit);
        let verdict = if is_quick && figures.wall_ratio <= MAX_RATIO {
            "reached"
        } else {
            "missed"
        };
        match limit {
            Some((_, limit)) => format!("{limit} ms, {MAX_RATIO}: {verdict}"),
            None => format!("{MAX_RATIO}: {verdict}"),
        }
    }
}

fn line(row: &Row) -> String {
    let Figures {
        wall,
        cpu,
        wall_ratio,
        cpu_ratio,
    } = row.figures();
    format!(
        "{}: {:.1} ms, tileiras {:.1} ms, {wall_ratio:.2} of it; CPU time {:.1} ms, {:.1} ms, {cpu_ratio:.2}; {}",
        row.name,
        wall[0],
        wall[1],
        cpu[0],
        cpu[1],
        row.verdict()
    )
}

fn report(sections: &[(&str, Vec<Row>)], options: &Options, tools: &Path) -> String {
    let mut text = format!(
        "# Compile time, beside `tileiras`\n\n\
         The same bytecode ({VERSION}, of cuTile Python) to machine code, by a release build of `tilec build` and by NVIDIA's `tileiras`: whole processes with their children, run alternately.\n\
         A figure is the median over rounds, a ratio the median of the ratios of rounds; ours / theirs, in milliseconds. Written by\n\n\
         ```console\ncargo xtask bench compile --gpu-name={}\n```\n\n\
         | | |\n|---|---|\n\
         | date | {} |\n\
         | machine | {} |\n\
         | commit | {} |\n\
         | this | {} |\n\
         | assembler of this | {} |\n\
         | `tileiras` | {} |\n\
         | rounds | {} |\n",
        options.gpu_name.join(","),
        machine::first_line("date", &["-u", "+%F"]),
        machine::description(),
        machine::first_line("git", &["describe", "--always", "--dirty", "--abbrev=12"]),
        machine::first_line("rustc", &["--version"]),
        release(&tools.join("bin/ptxas")),
        release(&tools.join("tileir/bin/tileiras")),
        options.rounds,
    );
    for (gpu_name, rows) in sections {
        let _ = write!(
            text,
            "\n## `{gpu_name}`\n\n\
             | kernel | time | ratio | CPU time | ratio | options |\n\
             |---|---|---|---|---|---|\n"
        );
        for row in rows {
            let figures = row.figures();
            let _ = writeln!(
                text,
                "| `{}` | {:.1} / {:.1} | {:.2} | {:.1} / {:.1} | {:.2} | {} |",
                row.name,
                figures.wall[0],
                figures.wall[1],
                figures.wall_ratio,
                figures.cpu[0],
                figures.cpu[1],
                figures.cpu_ratio,
                row.verdict()
            );
        }
        text.push_str("\nWall-clock time of our stages, in milliseconds:\n\n");
        text.push_str(&table_of_stages(rows));
    }
    text
}

/// Formats a table with a column for each stage that takes at least 0.1 ms for some kernel.
fn table_of_stages(rows: &[Row]) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut medians: Vec<BTreeMap<&str, f64>> = Vec::new();
    for row in rows {
        let mut times_by_stage: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (name, time) in row.ours.iter().flat_map(|run| &run.stages) {
            times_by_stage.entry(name).or_default().push(*time);
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        let of_row = times_by_stage
            .into_iter()
            .map(|(name, times)| (name, median(times)));
        medians.push(of_row.collect());
    }
    // `total` is omitted: parallel stages count twice in it.
    names.retain(|&name| {
        let shows = |row: &BTreeMap<&str, f64>| row.get(name).is_some_and(|time| *time >= 0.1);
        name != "total" && medians.iter().any(shows)
    });
    let mut text = format!("| kernel | {} |\n", names.join(" | "));
    let _ = writeln!(text, "|---|{}", "---|".repeat(names.len()));
    for (row, medians) in rows.iter().zip(&medians) {
        let cell = |name: &&str| format!("{:.1}", medians.get(name).copied().unwrap_or(0.0));
        let cells: Vec<String> = names.iter().map(cell).collect();
        let _ = writeln!(text, "| `{}` | {} |", row.name, cells.join(" | "));
    }
    text
}

/// Returns the line of `--version` with the release.
fn release(program: &Path) -> String {
    let output = Command::new(program).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let text = text.unwrap_or_default();
    let line = text.lines().find(|line| line.contains("release"));
    line.unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::{Row, Run, cpu, median, stages, table_of_stages, time};
    use std::process::Command;

    fn row(name: &str, ours: &[f64], theirs: &[f64]) -> Row {
        let run = |&time: &f64| Run {
            wall: time,
            cpu: time,
            stages: vec![
                ("parse".to_owned(), 0.01),
                ("select".to_owned(), time),
                ("total".to_owned(), time),
            ],
            said: String::new(),
        };
        Row {
            name: name.to_owned(),
            ours: ours.iter().map(run).collect(),
            theirs: theirs.iter().map(run).collect(),
        }
    }

    #[test]
    fn stages_are_read_from_the_line() {
        let line = "tilec: parse 0.4 ms, select 9.1 ms, total 9.5 ms";
        let expected = [("parse", 0.4), ("select", 9.1), ("total", 9.5)];
        let expected = expected.map(|(name, time)| (name.to_owned(), time));
        assert_eq!(stages(line), Some(expected.to_vec()));
        assert_eq!(stages("a.mlir:1:1: warning: x"), None);
        assert_eq!(stages("tilec: parse"), None);
    }

    #[test]
    fn ratios_are_of_rounds_and_both_limits_are_asked() {
        // The median of the ratios is 0.5, the ratio of the medians 1.
        let figures = row("vector_add", &[10.0, 20.0, 30.0], &[20.0, 40.0, 15.0]).figures();
        assert!((figures.wall_ratio - 0.5).abs() < 1e-9, "{figures:?}");
        assert!((figures.wall[0] - figures.wall[1]).abs() < 1e-9);
        let verdict = |ours, theirs| row("vector_add", &[ours], &[theirs]).verdict();
        assert_eq!(verdict(40.0, 50.0), "40 ms, 0.8: reached");
        assert_eq!(verdict(41.0, 100.0), "40 ms, 0.8: missed");
        assert_eq!(verdict(33.0, 40.0), "40 ms, 0.8: missed");
        let other = row("collatz", &[80.0], &[100.0]);
        assert_eq!(other.verdict(), "0.8: reached");
    }

    #[test]
    fn stages_that_take_no_time_anywhere_are_left_out() {
        let rows = [row("a", &[3.0, 1.0, 2.0], &[1.0]), row("b", &[5.0], &[1.0])];
        assert_eq!(
            table_of_stages(&rows),
            "| kernel | select |\n|---|---|\n| `a` | 2.0 |\n| `b` | 5.0 |\n"
        );
    }

    #[test]
    fn the_processors_time_of_children_of_children_counts() {
        let before = cpu().expect("Linux tells it");
        let script = "sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done'; true";
        let run = time(Command::new("sh").args(["-c", script])).expect("it succeeds");
        assert!(run.cpu > 1.0 && run.wall > 1.0, "{run:?}");
        assert!(cpu().expect("Linux tells it") > before);
        assert!(median([]).is_nan());
    }
}

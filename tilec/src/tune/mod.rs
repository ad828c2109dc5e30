//! `tilec tune`: lists, checks, merges and prunes files with records of tuning.

mod check;
pub(crate) mod explain;
mod list;
mod merge;
mod prune;
mod show;
mod table;

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use tile_backend::session::Environment;
use tile_backend::target::Arch;
use tile_core::tuning::file::update;
use tile_core::tuning::{BadLine, LineFault, Record, Records};

use crate::failure::{Failure, Place, display_name, is_stream};
use crate::input::say;

/// The variable that names the file of records, of programs and of this command.
const VARIABLE: &str = "TILE_TUNING";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Prints a line for each record: what was tuned, where, and how fast the winner is.
    List(list::Arguments),
    /// Prints the candidates of records.
    Show(show::Arguments),
    /// Merges files into one, and sorts it. Of two records for the same case, the newer is kept.
    Merge(merge::Arguments),
    /// Checks files: says which lines are no records, or are there twice, out of order, or without
    /// use. The status is 1 if there are any.
    Check(check::Arguments),
    /// Removes records, and says which.
    Prune(prune::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::List(arguments) => list::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Prune(arguments) => prune::run(arguments),
    }
}

/// Files of records, for commands that only read.
#[derive(Debug, Args)]
struct Files {
    /// The files with records; `-` is standard input. Default: the one that `TILE_TUNING` names.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Files {
    /// Returns the paths that were given, or that of the variable.
    fn paths(&self) -> Result<Vec<PathBuf>, Failure> {
        if self.files.is_empty() {
            return default_path().map(|path| vec![path]);
        }
        Ok(self.files.clone())
    }

    /// Returns the records of all files whose kernel has `part` in its name. Prints what is wrong
    /// with lines.
    fn records(&self, part: Option<&str>) -> Result<Records, Failure> {
        let mut all = Records::new();
        for path in self.paths()? {
            let (mut records, bad_lines) = Records::from_bytes(&read(&path)?);
            warn(&display_name(&path, "<stdin>"), &bad_lines);
            if let Some(part) = part {
                records.retain(|record| record.kernel.contains(part));
            }
            all.merge(records);
        }
        Ok(all)
    }
}

/// Returns the path that the variable names.
fn default_path() -> Result<PathBuf, Failure> {
    Environment::read().tuning().ok_or_else(|| {
        Failure::Usage(format!(
            "no file of records is given; name one, or set `{VARIABLE}`"
        ))
    })
}

/// Reads the file at `path`, or standard input.
fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let outcome = if is_stream(path) {
        io::stdin().lock().read_to_end(&mut bytes).map(drop)
    } else {
        fs::read(path).map(|read| bytes = read)
    };
    outcome.map_err(|error| Failure::host(display_name(path, "<stdin>"), "read it", &error))?;
    Ok(bytes)
}

/// Changes the records in the file at `path`. Prints what is wrong with its lines.
fn change(path: &Path, change: impl FnOnce(&mut Records)) -> Result<(), Failure> {
    let name = path.display().to_string();
    if is_stream(path) {
        let message = "standard input cannot be changed; name a file".to_owned();
        return Err(Failure::Usage(message));
    }
    match update(path, change) {
        Ok(bad_lines) => {
            // What is changed has no markers any more.
            let kept: Vec<BadLine> = bad_lines
                .into_iter()
                .filter(|it| it.fault != LineFault::ConflictMarker)
                .collect();
            warn(&name, &kept);
            Ok(())
        }
        Err(error) => {
            let cure = match error.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    "; a new file replaces it, so its folder must be writable"
                }
                _ => "",
            };
            let message = format!("{error}{cure}");
            Err(Failure::Host {
                file: name,
                message,
            })
        }
    }
}

/// Returns the place and the text of what is wrong with a line.
fn place(file: &str, bad_line: &BadLine) -> Place {
    Place {
        file: file.to_owned(),
        line: bad_line.line,
        column: bad_line.column,
        message: bad_line.reason.clone(),
    }
}

/// Prints lines that are no records as warnings: the others are used.
fn warn(file: &str, bad_lines: &[BadLine]) {
    for bad_line in bad_lines {
        say(&place(file, bad_line).line_of("warning"));
    }
}

/// Returns what a record was measured on: the device, its driver, and the clock if it is not that
/// of the device.
fn place_of(record: &Record) -> String {
    let Record {
        device,
        driver,
        clock,
        ..
    } = record;
    let mut text = device.clone();
    if !driver.is_empty() {
        text.push_str(", driver ");
        text.push_str(driver);
    }
    if !clock.is_empty() && clock != "device" {
        text.push_str(", clock ");
        text.push_str(clock);
    }
    text
}

/// Returns a time with three digits and its unit.
fn time(seconds: f64) -> String {
    let units = [(1e-6, 1e9, "ns"), (1e-3, 1e6, "µs"), (1.0, 1e3, "ms")];
    let unit = units.iter().find(|(below, ..)| seconds < *below);
    let &(_, per_second, unit) = unit.unwrap_or(&(f64::INFINITY, 1.0, "s"));
    format!("{} {unit}", digits(seconds * per_second))
}

/// Returns a number with three digits.
fn digits(number: f64) -> String {
    let decimals = match number {
        _ if number >= 100.0 => 0,
        _ if number >= 10.0 => 1,
        _ => 2,
    };
    format!("{number:.decimals$}")
}

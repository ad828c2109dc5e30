//! `tilec tune list`: prints a line for each record.

use clap::Args;
use serde_json::json;
use tile_core::tuning::{Candidate, Record};

use super::table::aligned;
use super::{Files, digits, place_of, time};
use crate::failure::Failure;
use crate::output;

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    files: Files,
    /// Only kernels with this text in their path.
    #[arg(long, value_name = "TEXT")]
    kernel: Option<String>,
    /// Print a JSON object on each line.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments {
        files,
        kernel,
        json,
    } = arguments;
    let records = files.records(kernel.as_deref())?;
    if *json {
        let mut lines = String::new();
        for record in &records {
            lines.push_str(&object(record).to_string());
            lines.push('\n');
        }
        return output::print(&lines);
    }
    if records.is_empty() {
        return Ok(());
    }
    let header = [
        "kernel", "fixed", "key", "device", "winner", "time", "second", "slowest", "date", "hash",
    ];
    let mut rows = vec![header.map(str::to_owned)];
    rows.extend(records.iter().map(row));
    output::print(&aligned(&rows))
}

/// How many times longer another candidate takes than the winner.
struct Gains {
    over_second: Option<f64>,
    over_slowest: Option<f64>,
}

impl Gains {
    fn of(record: &Record) -> Self {
        let fastest = record.winner().map(|it| it.seconds);
        let ratio = |other: Option<&Candidate>| Some(other?.seconds / fastest?);
        Self {
            over_second: ratio(record.measured().nth(1)),
            over_slowest: ratio(record.measured().skip(1).last()),
        }
    }
}

fn row(record: &Record) -> [String; 10] {
    let Gains {
        over_second,
        over_slowest,
    } = Gains::of(record);
    let ratio = |ratio: Option<f64>| ratio.map_or("-".to_owned(), |it| format!("{}x", digits(it)));
    let (winner, measured) = match record.winner() {
        Some(winner) => (winner.name.clone(), with_noise(winner)),
        None => ("none".to_owned(), "-".to_owned()),
    };
    [
        record.kernel.clone(),
        record.fixed.clone(),
        record.key.clone(),
        place_of(record),
        winner,
        measured,
        ratio(over_second),
        ratio(over_slowest),
        record.date.clone(),
        record.hash.clone(),
    ]
}

/// Returns the time of a candidate with its relative error.
pub(super) fn with_noise(candidate: &Candidate) -> String {
    let percent = 100.0 * candidate.noise;
    format!("{} ± {percent:.1} %", time(candidate.seconds))
}

fn object(record: &Record) -> serde_json::Value {
    let gains = Gains::of(record);
    let winner = record.winner();
    json!({
        "kernel": record.kernel,
        "hash": record.hash,
        "fixed": record.fixed,
        "key": record.key,
        "extents": record.extents,
        "device": record.device,
        "arch": record.arch,
        "driver": record.driver,
        "version": record.version,
        "date": record.date,
        "clock": record.clock,
        "winner": winner.map(|it| &it.name),
        "seconds": winner.map(|it| it.seconds),
        "noise": winner.map(|it| it.noise),
        "over_second": gains.over_second,
        "over_slowest": gains.over_slowest,
        "candidates": record.candidates.len(),
    })
}

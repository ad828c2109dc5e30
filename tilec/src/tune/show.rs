//! `tilec tune show`: prints the candidates of records.

use std::fmt::Write as _;

use clap::Args;
use tile_core::tuning::predict::{Correction, correct};
use tile_core::tuning::{Candidate, Outcome, Query, Record, Records};

use super::list::with_noise;
use super::table::aligned;
use super::{Files, place_of, time};
use crate::failure::{Failure, visible};
use crate::output;

#[derive(Debug, Args)]
#[command(after_help = "\
Columns: `model` is the cost by the model, `corrected` what the model and the other records of the \
kernel predict for these extents: how far it is from `time` says how well shapes that were not tuned \
are predicted.")]
pub(super) struct Arguments {
    #[command(flatten)]
    files: Files,
    /// Only kernels with this text in their path.
    #[arg(long, value_name = "TEXT")]
    kernel: Option<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { files, kernel } = arguments;
    let records = files.records(kernel.as_deref())?;
    let shown: Vec<String> = records.iter().map(|it| section(it, &records)).collect();
    output::print(&shown.join("\n"))
}

/// Returns the lines about a record.
pub(super) fn section(record: &Record, records: &Records) -> String {
    let Record {
        kernel,
        hash,
        fixed,
        key,
        extents: _,
        device: _,
        arch,
        driver: _,
        version,
        date,
        clock: _,
        candidates,
    } = record;
    let mut title = kernel.clone();
    for part in [fixed, key].into_iter().filter(|part| !part.is_empty()) {
        title.push_str("; ");
        title.push_str(part);
    }
    let mut text = format!("{}\n", visible(&title));
    let origin = format!(
        "{}, {arch}; {date}, version {version}, hash {hash}",
        place_of(record)
    );
    // Writing to a `String` does not fail.
    let _ = writeln!(text, "{}", visible(&origin));
    if candidates.is_empty() {
        text.push_str("no candidates\n");
        return text;
    }
    let header = ["candidate", "time", "runs", "model", "corrected", "outcome"];
    let mut rows = vec![header.map(str::to_owned)];
    let corrected = predictions(record, records);
    rows.extend(
        candidates
            .iter()
            .zip(corrected)
            .map(|(it, corrected)| row(it, corrected)),
    );
    text.push_str(&aligned(&rows));
    text
}

/// Returns the times that the model and the other records of the kernel predict, 0 where neither
/// knows a candidate.
fn predictions(record: &Record, records: &Records) -> Vec<f64> {
    let near = records.find(&Query::of(record)).near;
    let names: Vec<String> = record.candidates.iter().map(|it| it.name.clone()).collect();
    let modelled: Vec<f64> = record.candidates.iter().map(|it| it.model).collect();
    let corrections = correct(&names, &modelled, &record.extents, &near);
    let known = |it: &Correction| !near.is_empty() && (it.from_records || it.modelled > 0.0);
    let seconds = |it: &Correction| if known(it) { it.corrected } else { 0.0 };
    corrections.iter().map(seconds).collect()
}

fn row(candidate: &Candidate, corrected: f64) -> [String; 6] {
    let cost = |seconds: f64| {
        if seconds > 0.0 {
            time(seconds)
        } else {
            "-".to_owned()
        }
    };
    let measured = if candidate.seconds > 0.0 {
        with_noise(candidate)
    } else {
        "-".to_owned()
    };
    let outcome = match &candidate.outcome {
        Outcome::Measured if candidate.repeats > 0 => {
            format!("measured {} times", candidate.repeats.saturating_add(1))
        }
        Outcome::Measured => "measured".to_owned(),
        Outcome::Failed(reason) => format!("failed: {reason}"),
        Outcome::Wrong(reason) => format!("wrong: {reason}"),
    };
    [
        candidate.name.clone(),
        measured,
        candidate.runs.to_string(),
        cost(candidate.model),
        cost(corrected),
        outcome,
    ]
}

//! `tilec tune check`: says what is wrong with files of records.

use std::collections::BTreeMap;

use clap::Args;
use tile_core::tuning::{Record, date, lines};

use super::prune::KernelHash;
use super::{Files, place, read};
use crate::failure::{Failure, Place, display_name};

#[derive(Debug, Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    files: Files,
    /// The current hash of a kernel: its records with another one are stale. Can be repeated.
    #[arg(long, value_name = "KERNEL=HASH")]
    hash_of: Vec<KernelHash>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Arguments { files, hash_of } = arguments;
    let mut faults = Vec::new();
    for path in files.paths()? {
        check(
            &display_name(&path, "<stdin>"),
            &read(&path)?,
            hash_of,
            &mut faults,
        );
    }
    if faults.is_empty() {
        return Ok(());
    }
    Err(Failure::Places(faults))
}

/// Adds what is wrong with a file.
fn check(file: &str, bytes: &[u8], hash_of: &[KernelHash], faults: &mut Vec<Place>) {
    let lines = lines(bytes);
    let mut seen: BTreeMap<[&str; 7], usize> = BTreeMap::new();
    for line in &lines {
        let record = match &line.content {
            Ok(record) => record,
            Err(bad_line) => {
                faults.push(place(file, bad_line));
                continue;
            }
        };
        let mut fault = |message: String| {
            faults.push(Place {
                file: file.to_owned(),
                line: line.number,
                column: 1,
                message,
            });
        };
        let identity = record.identity();
        if let Some(first) = seen.get(&identity) {
            fault(format!(
                "line {first} is a record for the same case; `tilec tune merge {file}` keeps the newer"
            ));
        } else if let Some((_, last)) = seen.last_key_value().filter(|(last, _)| **last > identity)
        {
            fault(format!(
                "it belongs before line {last}; `tilec tune merge {file}` sorts the records"
            ));
        }
        seen.entry(identity).or_insert(line.number);
        for message in messages(record, hash_of) {
            fault(message);
        }
    }
}

/// Returns what is wrong with a record on its own.
fn messages(record: &Record, hash_of: &[KernelHash]) -> Vec<String> {
    let Record {
        kernel, hash, date, ..
    } = record;
    let mut messages = Vec::new();
    if hash.len() != 16 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        messages.push(format!("hash `{hash}` is not 16 hexadecimal digits"));
    }
    if date::parse(date).is_none() {
        messages.push(format!(
            "date `{date}` is not of the form `2026-01-31T12:00:00Z`"
        ));
    }
    if record.winner().is_none() {
        messages.push("no candidate was measured; tune it again, or remove the line".to_owned());
    }
    if hash_of.iter().any(|it| it.makes_stale(record)) {
        messages.push(format!(
            "it is stale: `{kernel}` was edited since; tune it again, or remove it with `tilec tune prune`"
        ));
    }
    messages
}

//! The records of this process: those that a crate ships, those of the file that `TILE_TUNING` names, and what was measured.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use tile_core::tuning::{BadLine, Record, Records};

use crate::{Error, Result};

/// The environment variable with the path of a file of records.
pub(super) const VARIABLE: &str = "TILE_TUNING";

struct Store {
    records: Records,
    /// Changes with the records.
    generation: u64,
}

/// Returns the records, after reading those of the file.
fn store() -> MutexGuard<'static, Store> {
    static STORE: OnceLock<Mutex<Store>> = OnceLock::new();
    let store = STORE.get_or_init(|| {
        let mut records = Records::new();
        if let Some(path) = file() {
            match Records::read(&path) {
                Ok((read, bad)) => {
                    records = read;
                    for line in bad {
                        warn(&format!("{}: {}", path.display(), said(&line)));
                    }
                }
                Err(error) => warn(&format!("{VARIABLE}: {}: {error}", path.display())),
            }
        }
        Mutex::new(Store {
            records,
            generation: 1,
        })
    });
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the file that the environment names.
pub(super) fn file() -> Option<PathBuf> {
    let path = std::env::var_os(VARIABLE)?;
    (!path.is_empty()).then(|| PathBuf::from(path))
}

/// Says something about records that no result can say.
#[expect(
    clippy::print_stderr,
    reason = "launches have no other place for what is not an error"
)]
pub(super) fn warn(text: &str) {
    eprintln!("tile-kernel: {text}");
}

fn said(line: &BadLine) -> String {
    format!("line {} is not used: {}", line.line, line.reason)
}

/// Returns a number that changes with the records.
pub(super) fn generation() -> u64 {
    store().generation
}

/// Calls `work` with the records.
pub(super) fn with<T>(work: impl FnOnce(&Records) -> T) -> T {
    work(&store().records)
}

/// Adds a record.
pub(super) fn insert(record: Record) {
    let mut store = store();
    store.records.insert(record);
    store.generation += 1;
}

/// Adds the records of a text, such as a file that a crate ships: JSON lines, as the tuner writes them. For the same launch,
/// the newer record counts.
///
/// # Errors
/// [`TuningRecords`](Error::TuningRecords) with the first line that is no record; the others count.
pub fn add_records(text: &str) -> Result<()> {
    let (records, bad) = Records::parse(text);
    let mut store = store();
    store.records.merge(records);
    store.generation += 1;
    match bad.first() {
        None => Ok(()),
        Some(line) => Err(Error::TuningRecords {
            place: format!("line {}", line.line),
            reason: line.reason.clone(),
        }),
    }
}

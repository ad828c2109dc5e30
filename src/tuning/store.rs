//! The records of this process: those that a crate ships, those of the file that `TILE_TUNING` names, and what was measured.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use tile_core::tuning::{BadLine, Record, Records};

use crate::{Error, Result};

/// The environment variable with the path of a file of records.
pub(super) const VARIABLE: &str = "TILE_TUNING";

/// A number that changes with the records, and is 0 before they are read. It is written while they are locked.
static GENERATION: AtomicU64 = AtomicU64::new(0);

/// Returns the records, after reading those of the file.
fn store() -> MutexGuard<'static, Records> {
    static STORE: OnceLock<Mutex<Records>> = OnceLock::new();
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
        GENERATION.store(1, Ordering::Release);
        Mutex::new(records)
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

/// Returns a number that changes with the records, without a lock: launches ask for it.
pub(super) fn generation() -> u64 {
    match GENERATION.load(Ordering::Acquire) {
        0 => {
            drop(store());
            GENERATION.load(Ordering::Acquire)
        }
        generation => generation,
    }
}

/// Calls `work` with the records.
pub(super) fn with<T>(work: impl FnOnce(&Records) -> T) -> T {
    work(&store())
}

/// Adds a record that was just measured.
pub(super) fn insert(record: Record) {
    let mut records = store();
    records.replace(record);
    GENERATION.fetch_add(1, Ordering::Release);
}

/// Adds the records of a text, such as a file that a crate ships: JSON lines, as the tuner writes them. For the same launch,
/// the newer record counts.
///
/// # Errors
/// [`TuningRecords`](Error::TuningRecords) with the first line that is no record; the others count.
pub fn add_records(text: &str) -> Result<()> {
    let (records, bad) = Records::parse(text);
    let mut known = store();
    known.merge(records);
    GENERATION.fetch_add(1, Ordering::Release);
    match bad.first() {
        None => Ok(()),
        Some(line) => Err(Error::TuningRecords {
            place: format!("line {}", line.line),
            reason: line.reason.clone(),
        }),
    }
}

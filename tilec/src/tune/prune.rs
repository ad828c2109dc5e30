//! `tilec tune prune`: removes records.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use tile_core::tuning::{Record, Records, date};

use super::{change, default_path, place_of, read, warn};
use crate::failure::{Failure, visible};
use crate::output;

const SECONDS_PER_DAY: i64 = 86_400;

#[derive(Debug, Args)]
#[command(after_help = "\
Records are removed that fulfil all conditions that are given, of which there must be one.")]
pub(super) struct Arguments {
    /// The file with records. Default: the one that `TILE_TUNING` names.
    file: Option<PathBuf>,
    /// Records of the kernel with this path.
    #[arg(long, value_name = "KERNEL")]
    kernel: Option<String>,
    /// Records that are older than this.
    #[arg(long, value_name = "DAYS")]
    older_than: Option<u32>,
    /// Records of devices with this text in their name.
    #[arg(long, value_name = "TEXT")]
    device: Option<String>,
    /// Records of all other devices.
    #[arg(long, value_name = "TEXT")]
    not_device: Option<String>,
    /// The current hash of a kernel: its records with another one, which are stale. Can be repeated.
    #[arg(long, value_name = "KERNEL=HASH")]
    hash_of: Vec<KernelHash>,
    /// Say what would be removed, and leave the file as it is.
    #[arg(long)]
    dry_run: bool,
}

/// The current hash of a kernel.
#[derive(Clone, Debug)]
pub(super) struct KernelHash {
    kernel: String,
    hash: String,
}

impl FromStr for KernelHash {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.rsplit_once('=');
        let Some((kernel, hash)) = parts.filter(|(kernel, _)| !kernel.is_empty()) else {
            return Err("expected `KERNEL=HASH`".to_owned());
        };
        if hash.len() != 16 || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(format!(
                "expected a hash of 16 hexadecimal digits, found `{hash}`"
            ));
        }
        Ok(Self {
            kernel: kernel.to_owned(),
            hash: hash.to_ascii_lowercase(),
        })
    }
}

impl KernelHash {
    /// Returns `true` if the record is of this kernel with another hash.
    pub(super) fn makes_stale(&self, record: &Record) -> bool {
        self.kernel == record.kernel && self.hash != record.hash
    }
}

impl Arguments {
    /// Fails if there is no condition, by which every record would be removed.
    fn require_condition(&self) -> Result<(), Failure> {
        let Self {
            file: _,
            kernel,
            older_than,
            device,
            not_device,
            hash_of,
            dry_run: _,
        } = self;
        let names = [kernel, device, not_device];
        if names.iter().any(|it| it.is_some()) || older_than.is_some() || !hash_of.is_empty() {
            return Ok(());
        }
        Err(Failure::Usage(
            "no condition is given, and every record would be removed; give `--kernel`, \
             `--older-than`, `--device`, `--not-device` or `--hash-of`"
                .to_owned(),
        ))
    }

    /// Returns `true` if the record fulfils all conditions. A record without a date is old.
    fn selects(&self, record: &Record, now: i64) -> bool {
        let Self {
            file: _,
            kernel,
            older_than,
            device,
            not_device,
            hash_of,
            dry_run: _,
        } = self;
        let is_older = |days: u32| {
            let limit = now - i64::from(days) * SECONDS_PER_DAY;
            date::parse(&record.date).is_none_or(|date| date < limit)
        };
        kernel.as_ref().is_none_or(|it| record.kernel == *it)
            && older_than.is_none_or(is_older)
            && device.as_ref().is_none_or(|it| record.device.contains(it))
            && not_device
                .as_ref()
                .is_none_or(|it| !record.device.contains(it))
            && (hash_of.is_empty() || hash_of.iter().any(|it| it.makes_stale(record)))
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    arguments.require_condition()?;
    let path = arguments.file.clone().map_or_else(default_path, Ok)?;
    let now = date::parse(&date::now()).unwrap_or(0);
    // A path that is mistyped is an error, not an empty file.
    let bytes = read(&path)?;
    let mut removed = Vec::new();
    let mut left = 0;
    let mut remove = |records: &mut Records| {
        removed = records.retain(|record| !arguments.selects(record, now));
        left = records.len();
    };
    if arguments.dry_run {
        let (mut records, bad_lines) = Records::from_bytes(&bytes);
        warn(&path.display().to_string(), &bad_lines);
        remove(&mut records);
    } else {
        change(&path, remove)?;
    }
    output::print(&summary(
        arguments,
        &path.display().to_string(),
        &removed,
        left,
    ))
}

/// Returns a line for each record that was removed, and one for the file.
fn summary(arguments: &Arguments, file: &str, removed: &[Record], left: usize) -> String {
    let mut text = String::new();
    for record in removed {
        let Record {
            kernel,
            fixed,
            key,
            date,
            hash,
            ..
        } = record;
        let place = place_of(record);
        let line = format!("{kernel}; {fixed}; {key}; {place}; {date}; hash {hash}");
        // Writing to a `String` does not fail.
        let _ = writeln!(text, "{}", visible(&line));
    }
    let count = removed.len();
    let verb = if arguments.dry_run {
        "would be removed"
    } else {
        "removed"
    };
    let _ = writeln!(text, "{file}: {count} {verb}, {left} left");
    text
}

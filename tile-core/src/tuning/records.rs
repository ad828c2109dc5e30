//! Records that are looked up together.
//!
//! Invariants: sorted by identity, with one record of each; the same records give the same text,
//! in whichever order they were inserted.

use std::cmp::Ordering;
use std::fs;
use std::io;
use std::path::Path;

use super::lines::{BadLine, lines};
use super::record::{Identity, Record};

/// Records, sorted, with one for each kernel, hash, fixed parameters, key, device, driver and clock.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Records(Vec<Record>);

/// The outcome of inserting a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// There was no record of its identity.
    Added,
    /// It replaced an older record.
    Replaced,
    /// The record that was there is the same or newer, and was kept.
    Kept,
}

/// How many records were inserted, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// There was no record of their identity.
    pub added: usize,
    /// They replaced an older record.
    pub replaced: usize,
    /// The record that was there was the same or newer.
    pub kept: usize,
}

/// The properties of a launch by which records are found; see the fields of [`Record`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Query<'a> {
    /// The path of the kernel.
    pub kernel: &'a str,
    /// The hash of its code.
    pub hash: &'a str,
    /// Parameters that are not tuned.
    pub fixed: &'a str,
    /// The classes of the extents.
    pub key: &'a str,
    /// The name of the device.
    pub device: &'a str,
    /// The version of its driver.
    pub driver: &'a str,
    /// The clock of the times.
    pub clock: &'a str,
}

impl<'a> Query<'a> {
    /// Returns the query that finds just this record.
    pub fn of(record: &'a Record) -> Self {
        let [kernel, fixed, key, device, driver, clock, hash] = record.identity();
        Self {
            kernel,
            hash,
            fixed,
            key,
            device,
            driver,
            clock,
        }
    }
}

/// The records that have to do with a launch.
#[derive(Clone, Debug, Default)]
pub struct Found<'a> {
    /// The record of exactly this query.
    pub exact: Option<&'a Record>,
    /// The newest record that differs in the driver only.
    pub other_driver: Option<&'a Record>,
    /// Records of other keys, one for each, sorted by key: that of the same driver, or else the
    /// newest. [`rank`](super::predict::rank) takes them.
    pub near: Vec<&'a Record>,
    /// Whether there are records of the kernel with another hash.
    pub stale: bool,
}

impl Records {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads the text of a file. Lines that are no records are returned beside the others.
    pub fn parse(text: &str) -> (Self, Vec<BadLine>) {
        Self::from_bytes(text.as_bytes())
    }

    /// Reads the bytes of a file, like [`Records::parse`].
    pub fn from_bytes(bytes: &[u8]) -> (Self, Vec<BadLine>) {
        let mut records = Self::new();
        let mut bad_lines = Vec::new();
        for line in lines(bytes) {
            match line.content {
                Ok(record) => {
                    records.insert(record);
                }
                Err(bad_line) => bad_lines.push(bad_line),
            }
        }
        (records, bad_lines)
    }

    /// Reads the file at `path`. There are no records where there is no file.
    pub fn read(path: &Path) -> io::Result<(Self, Vec<BadLine>)> {
        match fs::read(path) {
            Ok(bytes) => Ok(Self::from_bytes(&bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((Self::new(), Vec::new())),
            Err(error) => Err(error),
        }
    }

    /// Returns the text of a file with these records.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for record in &self.0 {
            text.push_str(&record.to_line());
            text.push('\n');
        }
        text
    }

    /// Returns the records in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Record> {
        self.0.iter()
    }

    /// Returns the number of records.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns `true` if there are no records.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds a record, whose candidates are [sorted](Record::sort). Of two records with the same
    /// identity the newer one is kept; of two with the same date, the one with more measured
    /// candidates.
    pub fn insert(&mut self, mut record: Record) -> Inserted {
        record.sort();
        match self.place(record.identity()) {
            Err(place) => {
                self.0.insert(place, record);
                Inserted::Added
            }
            Ok(place) if record.preference(&self.0[place]) == Ordering::Greater => {
                self.0[place] = record;
                Inserted::Replaced
            }
            Ok(_) => Inserted::Kept,
        }
    }

    /// Adds a record that was just measured, in place of one with the same identity: within a second, or where a clock is wrong,
    /// dates do not say which one is newer.
    pub fn replace(&mut self, mut record: Record) {
        record.sort();
        match self.place(record.identity()) {
            Err(place) => self.0.insert(place, record),
            Ok(place) => self.0[place] = record,
        }
    }

    /// Returns the index of the record of this identity, or that at which it would be.
    fn place(&self, identity: Identity<'_>) -> Result<usize, usize> {
        // A file that was written by `to_text` is read in order.
        if self.0.last().is_some_and(|last| last.identity() < identity) {
            return Err(self.0.len());
        }
        let compare = |record: &Record| record.identity().cmp(&identity);
        self.0.binary_search_by(compare)
    }

    /// Adds the records of another set, as by [`Records::insert`].
    pub fn merge(&mut self, other: Records) -> Merged {
        let mut merged = Merged::default();
        for record in other.0 {
            *match self.insert(record) {
                Inserted::Added => &mut merged.added,
                Inserted::Replaced => &mut merged.replaced,
                Inserted::Kept => &mut merged.kept,
            } += 1;
        }
        merged
    }

    /// Removes the records that are not to be kept, and returns them.
    pub fn retain(&mut self, mut keep: impl FnMut(&Record) -> bool) -> Vec<Record> {
        let all = std::mem::take(&mut self.0);
        let (kept, removed) = all.into_iter().partition(|record| keep(record));
        self.0 = kept;
        removed
    }

    /// Returns the records of kernels that `current_hash` knows with another hash.
    pub fn stale(&self, current_hash: impl Fn(&str) -> Option<String>) -> Vec<&Record> {
        let stale = |record: &&Record| is_stale(record, &current_hash);
        self.iter().filter(stale).collect()
    }

    /// Removes the records that [`Records::stale`] returns, and returns them.
    pub fn remove_stale(&mut self, current_hash: impl Fn(&str) -> Option<String>) -> Vec<Record> {
        self.retain(|record| !is_stale(record, &current_hash))
    }

    /// Returns the records that have to do with a launch.
    pub fn find(&self, query: &Query<'_>) -> Found<'_> {
        let start = self
            .0
            .partition_point(|record| record.kernel.as_str() < query.kernel);
        let of_kernel = self.0[start..].iter();
        let mut found = Found::default();
        let mut near: Vec<&Record> = Vec::new();
        for record in of_kernel.take_while(|record| record.kernel == query.kernel) {
            if record.hash != query.hash {
                found.stale = true;
                continue;
            }
            let fits = record.fixed == query.fixed
                && record.device == query.device
                && record.clock == query.clock;
            if !fits {
                continue;
            }
            let has_driver = record.driver == query.driver;
            if record.key != query.key {
                match near.last_mut().filter(|last| last.key == record.key) {
                    None => near.push(record),
                    Some(last) => *last = preferred(last, record, query.driver),
                }
            } else if has_driver {
                found.exact = Some(record);
            } else {
                let newest = found
                    .other_driver
                    .map_or(record, |other| newer(other, record));
                found.other_driver = Some(newest);
            }
        }
        found.near = near;
        found
    }
}

fn is_stale(record: &Record, current_hash: impl Fn(&str) -> Option<String>) -> bool {
    current_hash(&record.kernel).is_some_and(|hash| hash != record.hash)
}

/// Returns which of two records that differ in the driver to use with `driver`.
fn preferred<'a>(first: &'a Record, second: &'a Record, driver: &str) -> &'a Record {
    if first.driver == driver {
        first
    } else if second.driver == driver {
        second
    } else {
        newer(first, second)
    }
}

fn newer<'a>(first: &'a Record, second: &'a Record) -> &'a Record {
    match first.preference(second) {
        Ordering::Less => second,
        Ordering::Equal | Ordering::Greater => first,
    }
}

impl FromIterator<Record> for Records {
    /// Collects records as by [`Records::insert`].
    fn from_iter<I: IntoIterator<Item = Record>>(all: I) -> Self {
        let mut records = Self::new();
        for record in all {
            records.insert(record);
        }
        records
    }
}

impl<'a> IntoIterator for &'a Records {
    type Item = &'a Record;
    type IntoIter = std::slice::Iter<'a, Record>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

//! One record of tuning, and its line in a file.
//!
//! Invariants of a line: it has no line break; its fields have a fixed order; reading it gives the
//! record that was written, to the last bit of each time.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::date;
use super::json::{Fault, Reader, write_number, write_string};

/// The version of the format that this crate writes, and the newest that it reads. A change that
/// older versions would misread increments it; fields that they may ignore do not.
pub const FORMAT_VERSION: u64 = 1;

/// The measurements of one kernel for one class of arguments on one device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record {
    /// The path of the kernel: `my_crate::layers::product`.
    pub kernel: String,
    /// The hash of the kernel's code, 16 hexadecimal digits. A record with another hash is stale.
    pub hash: String,
    /// Types and const parameters that are not tuned: `T = f32, CAUSAL = true`.
    pub fixed: String,
    /// The classes of the extents: `a.dim(0) = 2^10/16, n = 7`.
    pub key: String,
    /// The numbers of which `key` has the classes, in its order.
    pub extents: Vec<u64>,
    /// The name of the device: `NVIDIA H100 80GB HBM3`, or `AMD EPYC, avx512, 2 threads`.
    pub device: String,
    /// The architecture of the code: `sm_90a`, `avx512`.
    pub arch: String,
    /// The version of the driver: `12.8`. Empty on the CPU device.
    pub driver: String,
    /// The version of the crate that measured.
    pub version: String,
    /// When it was measured, in the form of [`date`].
    pub date: String,
    /// The clock of the times: `device`, `host`, `simulated`.
    pub clock: String,
    /// What was tried: first the measured candidates, the fastest first, then those that failed or
    /// computed something else. [`Record::sort`] sorts them.
    pub candidates: Vec<Candidate>,
}

/// One choice of the tuned parameters, and what was measured of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidate {
    /// The parameters: `BM = 64, BN = 128`.
    pub name: String,
    /// The median time of a launch.
    pub seconds: f64,
    /// The relative error of the median.
    pub noise: f64,
    /// The number of measured launches.
    pub runs: u64,
    /// The number of measurements at other times that `seconds` combines with the first one.
    pub repeats: u64,
    /// The cost by the model, 0 if there is none.
    pub model: f64,
    /// The outcome.
    pub outcome: Outcome,
}

/// The outcome of trying a candidate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// It ran, and its time was measured.
    #[default]
    Measured,
    /// It could not be compiled or launched, for this reason.
    Failed(String),
    /// Its results were wrong, in this way.
    Wrong(String),
}

impl Candidate {
    /// Returns `true` if its time was measured and its results are right.
    pub fn is_measured(&self) -> bool {
        self.outcome == Outcome::Measured
    }
}

/// What a file has at most one record of: kernel, fixed parameters, key, device, driver, clock and
/// hash. It is also the order of the lines.
pub type Identity<'a> = [&'a str; 7];

impl Record {
    /// Returns what distinguishes the record from others. The hash is last: when a kernel was edited,
    /// its new records are beside the stale ones.
    pub fn identity(&self) -> Identity<'_> {
        [
            &self.kernel,
            &self.fixed,
            &self.key,
            &self.device,
            &self.driver,
            &self.clock,
            &self.hash,
        ]
    }

    /// Returns the measured candidates, the fastest first.
    pub fn measured(&self) -> impl Iterator<Item = &Candidate> {
        let measured = |candidate: &&Candidate| candidate.is_measured();
        self.candidates.iter().filter(measured)
    }

    /// Returns the fastest candidate, or `None` if none was measured.
    pub fn winner(&self) -> Option<&Candidate> {
        self.measured().next()
    }

    /// Sorts the candidates: measured ones by time, then those that failed, then wrong ones. Numbers
    /// that no file can hold become 0, and a candidate whose time is not positive failed.
    pub fn sort(&mut self) {
        for candidate in &mut self.candidates {
            let Candidate {
                name: _,
                seconds,
                noise,
                runs: _,
                repeats: _,
                model,
                outcome,
            } = candidate;
            if *outcome == Outcome::Measured && !(is_amount(*seconds) && *seconds > 0.0) {
                *outcome = Outcome::Failed("its time is no positive number".to_owned());
            }
            for number in [seconds, noise, model] {
                // `abs` is for -0.
                *number = if is_amount(*number) {
                    number.abs()
                } else {
                    0.0
                };
            }
        }
        self.candidates.sort_by(Candidate::compare);
    }

    /// Compares which of two records of the same identity to keep, the greater: the newer one, then
    /// the one with more measured candidates, then any, but always the same.
    pub(super) fn preference(&self, other: &Self) -> Ordering {
        let rank = |record: &Self| (date::parse(&record.date), record.measured().count());
        let order = rank(self).cmp(&rank(other));
        order.then_with(|| self.to_line().cmp(&other.to_line()))
    }

    /// Returns the record as a line, without a line break.
    pub fn to_line(&self) -> String {
        let Self {
            kernel,
            hash,
            fixed,
            key,
            extents,
            device,
            arch,
            driver,
            version,
            date,
            clock,
            candidates,
        } = self;
        let mut out = format!("{{\"v\":{FORMAT_VERSION}");
        let field = |out: &mut String, name: &str, value: &str| {
            out.push_str(",\"");
            out.push_str(name);
            out.push_str("\":");
            write_string(out, value);
        };
        field(&mut out, "kernel", kernel);
        field(&mut out, "hash", hash);
        field(&mut out, "fixed", fixed);
        field(&mut out, "key", key);
        out.push_str(",\"extents\":[");
        for (index, extent) in extents.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            // Writing to a `String` does not fail.
            let _ = write!(out, "{comma}{extent}");
        }
        out.push(']');
        field(&mut out, "device", device);
        field(&mut out, "arch", arch);
        field(&mut out, "driver", driver);
        field(&mut out, "version", version);
        field(&mut out, "date", date);
        field(&mut out, "clock", clock);
        out.push_str(",\"candidates\":[");
        for (index, candidate) in candidates.iter().enumerate() {
            out.push_str(if index == 0 { "" } else { "," });
            candidate.write(&mut out);
        }
        out.push_str("]}");
        out
    }

    /// Reads a line.
    pub(super) fn from_line(line: &str) -> Result<Self, LineError> {
        let mut is_newer = false;
        Self::read(line, &mut is_newer).map_err(|fault| {
            if is_newer {
                LineError::Newer(fault)
            } else {
                LineError::Malformed(fault)
            }
        })
    }

    /// Reads a line. Sets `is_newer` if it fails since the line is of a newer version.
    fn read(line: &str, is_newer: &mut bool) -> Result<Self, Fault> {
        let mut reader = Reader::new(line);
        let mut record = Self::default();
        let mut seen: Vec<String> = Vec::new();
        reader.object(|reader, name| {
            if seen.iter().any(|seen| seen == name) {
                return Err(reader.fault(format!("field `{name}` is there twice")));
            }
            seen.push(name.to_owned());
            match name {
                "v" => {
                    let version = reader.natural()?;
                    if version > FORMAT_VERSION {
                        *is_newer = true;
                        return Err(reader.fault(newer(version)));
                    }
                }
                "kernel" => record.kernel = reader.string()?,
                "hash" => record.hash = reader.string()?,
                "fixed" => record.fixed = reader.string()?,
                "key" => record.key = reader.string()?,
                "extents" => reader.array(|reader| {
                    record.extents.push(reader.natural()?);
                    Ok(())
                })?,
                "device" => record.device = reader.string()?,
                "arch" => record.arch = reader.string()?,
                "driver" => record.driver = reader.string()?,
                "version" => record.version = reader.string()?,
                "date" => record.date = reader.string()?,
                "clock" => record.clock = reader.string()?,
                "candidates" => reader.array(|reader| {
                    record.candidates.push(Candidate::read(reader)?);
                    Ok(())
                })?,
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        reader.end()?;
        let required = ["v", "kernel", "hash", "key", "device", "date", "candidates"];
        let mut missing = required
            .iter()
            .filter(|name| !seen.iter().any(|it| it == *name));
        if let Some(name) = missing.next() {
            return Err(reader.fault(format!("field `{name}` is missing")));
        }
        record.sort();
        Ok(record)
    }
}

/// The reason why a line is no record.
#[derive(Debug)]
pub(super) enum LineError {
    /// It is not the JSON of a record.
    Malformed(Fault),
    /// It is of a newer version of the format.
    Newer(Fault),
}

/// Returns `true` if `number` is a time, or another amount.
fn is_amount(number: f64) -> bool {
    number.is_finite() && number >= 0.0
}

/// Returns the message for a line of a newer version of the format.
fn newer(version: u64) -> String {
    format!(
        "its format has version {version}, and this version of tile-kernel reads up to \
         {FORMAT_VERSION}; update tile-kernel, or tune again"
    )
}

impl Candidate {
    /// Compares the places of two candidates in a record.
    fn compare(&self, other: &Self) -> Ordering {
        let group = |candidate: &Self| match candidate.outcome {
            Outcome::Measured => 0,
            Outcome::Failed(_) => 1,
            Outcome::Wrong(_) => 2,
        };
        let order = group(self).cmp(&group(other));
        let order = order.then(self.seconds.total_cmp(&other.seconds));
        order.then_with(|| self.name.cmp(&other.name))
    }

    /// Appends the candidate as an object. Numbers that are 0 are left out.
    fn write(&self, out: &mut String) {
        let Self {
            name,
            seconds,
            noise,
            runs,
            repeats,
            model,
            outcome,
        } = self;
        out.push_str("{\"name\":");
        write_string(out, name);
        for (field, number) in [("seconds", seconds), ("noise", noise)] {
            if is_amount(*number) && *number != 0.0 {
                let _ = write!(out, ",\"{field}\":");
                write_number(out, *number);
            }
        }
        if *runs != 0 {
            let _ = write!(out, ",\"runs\":{runs}");
        }
        if *repeats != 0 {
            let _ = write!(out, ",\"repeats\":{repeats}");
        }
        if is_amount(*model) && *model != 0.0 {
            out.push_str(",\"model\":");
            write_number(out, *model);
        }
        let (field, reason) = match outcome {
            Outcome::Measured => ("", ""),
            Outcome::Failed(reason) => (",\"failed\":", reason.as_str()),
            Outcome::Wrong(reason) => (",\"wrong\":", reason.as_str()),
        };
        if !field.is_empty() {
            out.push_str(field);
            write_string(out, reason);
        }
        out.push('}');
    }

    fn read(reader: &mut Reader<'_>) -> Result<Self, Fault> {
        let mut candidate = Self::default();
        let mut has_name = false;
        reader.object(|reader, name| {
            match name {
                "name" => {
                    candidate.name = reader.string()?;
                    has_name = true;
                }
                "seconds" => candidate.seconds = reader.number()?,
                "noise" => candidate.noise = reader.number()?,
                "runs" => candidate.runs = reader.natural()?,
                "repeats" => candidate.repeats = reader.natural()?,
                "model" => candidate.model = reader.number()?,
                "failed" => candidate.outcome = Outcome::Failed(reader.string()?),
                "wrong" => candidate.outcome = Outcome::Wrong(reader.string()?),
                _ => reader.skip()?,
            }
            Ok(())
        })?;
        if !has_name {
            return Err(reader.fault("a candidate has no `name`"));
        }
        Ok(candidate)
    }
}

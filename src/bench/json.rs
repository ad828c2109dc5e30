//! Measurements and tables as JSON.
//!
//! The structures of this file are the format; numbers are read back as they were, to the last bit.

#![allow(clippy::question_mark, reason = "in what nanoserde derives")]

use nanoserde::{DeJson, SerJson};

use super::clocks::{Clocks, CpuClocks, GpuClocks, Throttle};
use super::flush::Cache;
use super::measure::Source;
use super::table::Row;
use super::{Measurement, Paired, Table};
use crate::{Error, Result};

/// The version of the format.
const VERSION: u32 = 1;

#[derive(SerJson, DeJson)]
struct MeasurementRecord {
    version: u32,
    device: String,
    source: String,
    cache: String,
    runs_per_sample: u64,
    median: f64,
    noise: Option<f64>,
    warnings: Vec<String>,
    clocks: ClocksRecord,
    samples: Vec<f64>,
}

#[derive(SerJson, DeJson)]
struct ClocksRecord {
    kind: String,
    reason: Option<String>,
    spread: Option<f64>,
    multiprocessors_mhz: Option<(u32, u32)>,
    memory_mhz: Option<(u32, u32)>,
    celsius: Option<u32>,
    throttled: Vec<String>,
    checks: u64,
}

#[derive(SerJson, DeJson)]
struct RowRecord {
    label: String,
    bytes: Option<f64>,
    operations: Option<f64>,
    measurement: MeasurementRecord,
}

#[derive(SerJson, DeJson)]
struct PairedRecord {
    ratio: f64,
    ratio_interval: (f64, f64),
    ratios: Vec<f64>,
    a: MeasurementRecord,
    b: MeasurementRecord,
}

fn wrong(reason: impl Into<String>) -> Error {
    Error::BenchJson {
        reason: reason.into(),
    }
}

fn parsed<T: DeJson>(text: &str) -> Result<T> {
    T::deserialize_json(text).map_err(|error| wrong(error.to_string()))
}

impl ClocksRecord {
    fn of(clocks: &Clocks) -> ClocksRecord {
        let empty = |kind: &str| ClocksRecord {
            kind: kind.to_owned(),
            reason: None,
            spread: None,
            multiprocessors_mhz: None,
            memory_mhz: None,
            celsius: None,
            throttled: Vec::new(),
            checks: 0,
        };
        match clocks {
            Clocks::Simulated => empty("simulated"),
            Clocks::NotChecked(reason) => ClocksRecord {
                reason: Some(reason.clone()),
                ..empty("not_checked")
            },
            Clocks::Cpu(CpuClocks { spread, checks }) => ClocksRecord {
                spread: Some(*spread),
                checks: *checks as u64,
                ..empty("cpu")
            },
            Clocks::Gpu(GpuClocks {
                multiprocessors_mhz,
                memory_mhz,
                celsius,
                throttled,
                checks,
            }) => ClocksRecord {
                multiprocessors_mhz: *multiprocessors_mhz,
                memory_mhz: *memory_mhz,
                celsius: *celsius,
                throttled: throttled.iter().map(|r| r.key().to_owned()).collect(),
                checks: *checks as u64,
                ..empty("gpu")
            },
        }
    }

    fn clocks(self) -> Result<Clocks> {
        let ClocksRecord {
            kind,
            reason,
            spread,
            multiprocessors_mhz,
            memory_mhz,
            celsius,
            throttled,
            checks,
        } = self;
        let checks = usize::try_from(checks).unwrap_or(usize::MAX);
        let reason_of = |key: &String| {
            Throttle::named(key).ok_or_else(|| wrong(format!("unknown reason `{key}`")))
        };
        Ok(match kind.as_str() {
            "simulated" => Clocks::Simulated,
            "not_checked" => Clocks::NotChecked(reason.unwrap_or_default()),
            "cpu" => Clocks::Cpu(CpuClocks {
                spread: spread.unwrap_or(0.0),
                checks,
            }),
            "gpu" => Clocks::Gpu(GpuClocks {
                multiprocessors_mhz,
                memory_mhz,
                celsius,
                throttled: throttled.iter().map(reason_of).collect::<Result<_>>()?,
                checks,
            }),
            other => return Err(wrong(format!("unknown clocks `{other}`"))),
        })
    }
}

impl MeasurementRecord {
    fn of(measurement: &Measurement) -> MeasurementRecord {
        let Measurement {
            device,
            source,
            samples,
            sorted: _,
            runs_per_sample,
            cache,
            clocks,
        } = measurement;
        MeasurementRecord {
            version: VERSION,
            device: device.clone(),
            source: match source {
                Source::Gpu => "gpu",
                Source::Host => "host",
                Source::Simulated => "simulated",
            }
            .to_owned(),
            cache: match cache {
                Cache::Cold => "cold",
                Cache::Warm => "warm",
            }
            .to_owned(),
            runs_per_sample: *runs_per_sample as u64,
            median: measurement.median(),
            noise: measurement.noise(),
            warnings: measurement
                .warnings()
                .iter()
                .map(ToString::to_string)
                .collect(),
            clocks: ClocksRecord::of(clocks),
            samples: samples.clone(),
        }
    }

    fn measurement(self) -> Result<Measurement> {
        // What follows from the samples is for other readers.
        let MeasurementRecord {
            version,
            device,
            source,
            cache,
            runs_per_sample,
            median: _,
            noise: _,
            warnings: _,
            clocks,
            samples,
        } = self;
        if version != VERSION {
            return Err(wrong(format!("its version is {version}, not {VERSION}")));
        }
        if samples.is_empty() || samples.iter().any(|time| !time.is_finite()) {
            return Err(wrong("`samples` are no times"));
        }
        let source = match source.as_str() {
            "gpu" => Source::Gpu,
            "host" => Source::Host,
            "simulated" => Source::Simulated,
            other => return Err(wrong(format!("unknown source `{other}`"))),
        };
        let cache = match cache.as_str() {
            "cold" => Cache::Cold,
            "warm" => Cache::Warm,
            other => return Err(wrong(format!("unknown cache `{other}`"))),
        };
        let runs = usize::try_from(runs_per_sample).map_err(|_| wrong("too many runs"))?;
        let clocks = clocks.clocks()?;
        Ok(Measurement::new(
            device, source, samples, runs, cache, clocks,
        ))
    }
}

impl Measurement {
    /// Returns the measurement as JSON, with all samples in seconds.
    pub fn to_json(&self) -> String {
        MeasurementRecord::of(self).serialize_json()
    }

    /// Reads what [`to_json`](Measurement::to_json) wrote.
    ///
    /// # Errors
    /// [`BenchJson`](Error::BenchJson)
    pub fn from_json(text: &str) -> Result<Measurement> {
        parsed::<MeasurementRecord>(text)?.measurement()
    }
}

impl Paired {
    /// Returns the ratio and both measurements as JSON.
    pub fn to_json(&self) -> String {
        let Paired { a, b, ratios } = self;
        let record = PairedRecord {
            ratio: self.ratio(),
            ratio_interval: self.ratio_interval(),
            ratios: ratios.clone(),
            a: MeasurementRecord::of(a),
            b: MeasurementRecord::of(b),
        };
        record.serialize_json()
    }

    /// Reads what [`to_json`](Paired::to_json) wrote.
    ///
    /// # Errors
    /// [`BenchJson`](Error::BenchJson)
    pub fn from_json(text: &str) -> Result<Paired> {
        let record: PairedRecord = parsed(text)?;
        if record.ratios.is_empty() {
            return Err(wrong("there are no `ratios`"));
        }
        Ok(Paired {
            a: record.a.measurement()?,
            b: record.b.measurement()?,
            ratios: record.ratios,
        })
    }
}

impl Table {
    /// Returns the rows as JSON.
    pub fn to_json(&self) -> String {
        let records = self.rows.iter().map(|row| RowRecord {
            label: row.label.clone(),
            bytes: row.bytes,
            operations: row.operations,
            measurement: MeasurementRecord::of(&row.measurement),
        });
        records.collect::<Vec<_>>().serialize_json()
    }

    /// Reads what [`to_json`](Table::to_json) wrote.
    ///
    /// # Errors
    /// [`BenchJson`](Error::BenchJson)
    pub fn from_json(text: &str) -> Result<Table> {
        let records: Vec<RowRecord> = parsed(text)?;
        let rows = records.into_iter().map(|record| {
            Ok(Row {
                label: record.label,
                bytes: record.bytes,
                operations: record.operations,
                measurement: record.measurement.measurement()?,
            })
        });
        Ok(Table {
            rows: rows.collect::<Result<_>>()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::measurement::tests::of;

    /// Times with all their digits, down to the shortest.
    fn times() -> Vec<f64> {
        (1..20)
            .map(|i| 1.0 / f64::from(i) * 1e-9)
            .chain([f64::MIN_POSITIVE, 3.0])
            .collect()
    }

    #[test]
    fn measurements_are_read_as_they_were_written() -> Result<()> {
        let mut time = of(&times());
        let gpu = GpuClocks {
            multiprocessors_mhz: Some((990, 1980)),
            memory_mhz: None,
            celsius: Some(70),
            throttled: vec![Throttle::PowerCap, Throttle::PowerBrake],
            checks: 3,
        };
        let cpu = CpuClocks {
            spread: 1.0 / 3.0,
            checks: 2,
        };
        for clocks in [
            Clocks::NotChecked("a \"reason\"\nof two lines".to_owned()),
            Clocks::Simulated,
            Clocks::Gpu(gpu),
            Clocks::Cpu(cpu),
        ] {
            time.clocks = clocks;
            assert_eq!(Measurement::from_json(&time.to_json())?, time);
        }
        let paired = Paired {
            a: time.clone(),
            b: of(&[1e-3; 9]),
            ratios: times(),
        };
        assert_eq!(Paired::from_json(&paired.to_json())?, paired);
        let mut table = Table::new();
        table.add("one", time.clone()).bytes(1.0 / 3.0);
        table.add("two", time).operations(1e12);
        assert_eq!(Table::from_json(&table.to_json())?, table);
        Ok(())
    }

    #[test]
    fn other_readers_understand_it() -> std::result::Result<(), serde_json::Error> {
        let time = of(&times());
        let value: serde_json::Value = serde_json::from_str(&time.to_json())?;
        assert_eq!(value["median"].as_f64(), Some(time.median()));
        assert_eq!(
            value["samples"].as_array().map(Vec::len),
            Some(time.samples.len())
        );
        Ok(())
    }

    #[test]
    fn what_is_no_measurement_is_refused() {
        let right = of(&[1.0; 3]).to_json();
        let wrong = [
            String::new(),
            "{}".to_owned(),
            right.replace("\"gpu\"", "\"moon\""),
            right.replace("\"version\":1", "\"version\":2"),
            right.replace("\"cold\"", "\"hot\""),
            right.replace("not_checked", "unknown"),
        ];
        for text in wrong {
            assert!(
                matches!(Measurement::from_json(&text), Err(Error::BenchJson { .. })),
                "{text}"
            );
        }
    }
}

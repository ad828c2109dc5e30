//! Tests of records, of files with them, and of predictions.

mod combining;
mod files;
mod levels;
mod prediction;
mod reading;

use super::{Candidate, Outcome, Record};

/// A record of a kernel, with a measured candidate, one that failed and one that is wrong.
fn record(kernel: &str, key: &str, date: &str) -> Record {
    let candidate = |name: &str, seconds, outcome| Candidate {
        name: name.to_owned(),
        seconds,
        noise: 0.012,
        runs: 40,
        repeats: 0,
        model: 1.1e-5,
        outcome,
    };
    Record {
        kernel: kernel.to_owned(),
        hash: "00112233aabbccdd".to_owned(),
        fixed: "T = f32".to_owned(),
        key: key.to_owned(),
        extents: vec![1024, 7],
        device: "NVIDIA H100 80GB HBM3".to_owned(),
        arch: "sm_90a".to_owned(),
        driver: "12.8".to_owned(),
        version: "0.1.0".to_owned(),
        date: date.to_owned(),
        clock: "device".to_owned(),
        candidates: vec![
            candidate("BM = 64, BN = 64", 1.25e-5, Outcome::Measured),
            candidate("BM = 128, BN = 64", 2.5e-5, Outcome::Measured),
            Candidate {
                name: "BM = 256, BN = 256".to_owned(),
                outcome: Outcome::Failed("needs 400 KiB of shared memory".to_owned()),
                ..Candidate::default()
            },
            candidate(
                "BM = 32, BN = 64",
                1e-6,
                Outcome::Wrong("element 3".to_owned()),
            ),
        ],
    }
}

const DATE: &str = "2026-01-31T12:00:00Z";
